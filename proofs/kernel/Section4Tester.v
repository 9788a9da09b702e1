(* Section 4.1.1, decided: Theorem ut-upper-bound-prelim, for Pois(m) samples. *)
From Coq Require Import Reals ZArith Lra Lia List Bool Permutation.
From Coquelicot Require Import Rcomplements.
From PanshuffleKernel Require Power Calculus Shuffle.
From PanshuffleKernel Require Import Countable Privacy Masses Model Poisson Section3Upper Section4Transformation PoissonPools Section4Privacy Means Poissonization Statistic Tester.
From PanshuffleKernel Require Import Paper.
Import ListNotations.
Open Scope R_scope.

Lemma total_plus {A} : forall (l : list A) f g, total l (fun a => f a + g a) = total l f + total l g.
Proof. intros l f g. unfold total. induction l; simpl; [ring | rewrite IHl; ring]. Qed.
Lemma total_scale {A} : forall (l : list A) c f, total l (fun a => c * f a) = c * total l f.
Proof. intros l c f. unfold total. induction l; simpl; [ring | rewrite IHl; ring]. Qed.
Lemma total_const {A} : forall (l : list A) c, total l (fun _ => c) = INR (length l) * c.
Proof. intros l c. unfold total. induction l as [|a l IH]; [simpl; ring|]. cbn [fold_right length]. rewrite IH, S_INR. ring. Qed.
Lemma total_le {A} : forall (l : list A) f g, (forall a, In a l -> f a <= g a) -> total l f <= total l g.
Proof.
  intros l f g H. unfold total. induction l as [|a l IH]; simpl; [lra|].
  apply Rplus_le_compat; [apply H; left; auto | apply IH; intros; apply H; right; auto].
Qed.
Lemma total_nonneg {A} : forall (l : list A) f, (forall a, 0 <= f a) -> 0 <= total l f.
Proof. intros l f H. unfold total. induction l; simpl; [lra | specialize (H a); lra]. Qed.
Lemma total_member {A} : forall (l : list A) f a, (forall a, 0 <= f a) -> In a l -> f a <= total l f.
Proof.
  intros l f a H I. induction l as [|b l IH]; [destruct I|]. change (total (b :: l) f) with (f b + total l f).
  pose proof (total_nonneg l f H). specialize (H b). destruct I as [I|I]; [subst; lra | specialize (IH I); lra].
Qed.
Lemma cauchy_schwarz {A} : forall (l : list A) f, (total l f) ^ 2 <= INR (length l) * total l (fun a => f a ^ 2).
Proof.
  intros l f. induction l as [|a l IH]; [simpl; lra|].
  change (total (a :: l) f) with (f a + total l f). change (total (a :: l) (fun a => f a ^ 2)) with (f a ^ 2 + total l (fun a => f a ^ 2)).
  cbn [length]. rewrite S_INR. set (n := INR (length l)) in *. set (s := total l f) in *. set (q := total l (fun a => f a ^ 2)) in *.
  assert (0 <= n) by apply pos_INR. assert (Q0 : 0 <= q) by (apply total_nonneg; intro; apply pow2_ge_0).
  assert (2 * f a * s <= n * f a ^ 2 + q).
  { destruct (Req_dec n 0) as [Z|Z].
    - assert (s ^ 2 <= 0) by (rewrite Z in IH; lra). assert (s = 0) by nra. nra.
    - assert (0 < n) by lra. assert (0 <= (n * f a - s) ^ 2) by apply pow2_ge_0.
      apply Rmult_le_reg_l with n; auto. nra. }
  nra.
Qed.

(* ---- the numbers of a distribution ---- *)
Section Numbers.
Context {X : Type} (U : universe X) (D : law X) (PD : proper D).
Hypothesis K1 : 1 <= size U.
Let K := elements U.
Let k := size U.
Let p := chance U D.
Lemma p_sum : total K p = 1.
Proof. apply chances_sum; auto. Qed.
Lemma uniform_proper : proper (uniform (elements U)).
Proof. apply D_proper; auto. Qed.
Lemma uniform_chance : forall j, chance U (uniform (elements U)) j = / k.
Proof.
  intro j. unfold chance, Pr. change (uniform (elements U)) with (fun _ : nat => Shuffle.uniform (elements U)).
  rewrite E_finite, Shuffle.E_uniform. replace (Shuffle.total (elements U) (fun a => indicator (is_element U a j))) with 1; [unfold k, size; ring|].
  pose proof (no_repetition X U) as N. pose proof (complete X U j) as I. induction (elements U) as [|a l IH]; [destruct I|].
  inversion N; subst. rewrite Shuffle.total_cons. destruct I as [I|I].
  - subst. rewrite element_same. simpl indicator.
    assert (Z : Shuffle.total l (fun a => indicator (is_element U a j)) = 0).
    { clear IH N H2. induction l as [|b l IH]; [reflexivity|]. rewrite Shuffle.total_cons, IH by (intro; apply H1; right; auto).
      rewrite element_other by (intro; subst; apply H1; left; auto). simpl. ring. }
    rewrite Z. ring.
  - rewrite <- IH by auto. rewrite element_other by (intro; subst; contradiction). simpl. ring.
Qed.
Definition spread (m : R) : R := total K (fun j => (m * p j - m / k) ^ 2).
Lemma deviations : forall m, total K (fun j => m * p j - m / k) = 0.
Proof.
  intro m. rewrite (total_ext K _ (fun j => m * p j + - (m / k))) by (intro; ring). rewrite total_plus, total_scale, p_sum, total_const.
  fold k. unfold K. change (INR (length (elements U))) with k. field. unfold k. lra.
Qed.
Lemma spread_scale : forall m, spread m = m ^ 2 * total K (fun j => (p j - / k) ^ 2).
Proof. intro m. unfold spread. rewrite <- total_scale. apply total_ext. intro j. unfold Rdiv. ring. Qed.
Lemma mean_total : forall m lambda, total (map (fun j => m * p j) K) (pool_mean (m / k) lambda) = spread m + k * lambda / 4.
Proof.
  intros m lambda. rewrite total_map. unfold pool_mean. rewrite total_plus, total_const. unfold spread, K.
  change (INR (length (elements U))) with k. field.
Qed.
Definition V0 (m lambda : R) : R := 2 * m ^ 2 / k + lambda * m + k * lambda ^ 2 / 8 + 5 * k * lambda / 16.
Lemma variance_total : forall m lambda, 0 < m -> 0 <= lambda ->
  total (map (fun j => m * p j) K) (pool_variance (m / k) lambda) <= V0 m lambda + spread m * (2 + 4 * (m / k) + 4 * sqrt (spread m) + lambda).
Proof.
  intros m lambda M L. rewrite total_map. set (S := spread m). set (mu := m / k).
  assert (S0 : 0 <= S) by (apply total_nonneg; intro; apply pow2_ge_0).
  assert (DB : forall j, m * p j <= mu + sqrt S).
  { intro j. assert (A : (m * p j - mu) ^ 2 <= S) by (apply (total_member K (fun j => (m * p j - m / k) ^ 2) j); [intro; apply pow2_ge_0 | apply (complete X U)]).
    destruct (Rle_dec (m * p j - mu) 0); [pose proof (sqrt_pos S); lra|]. apply Rsqr_incr_0_var in A || idtac.
    assert (m * p j - mu <= sqrt S); [|lra]. rewrite <- (sqrt_pow2 (m * p j - mu)) by lra. apply sqrt_le_1_alt; auto. }
  apply Rle_trans with (total K (fun j => (2 * mu ^ 2 + lambda * mu + lambda ^ 2 / 8 + 5 * lambda / 16)
     + (4 * mu * (m * p j - mu) + (2 + 4 * (mu + sqrt S) + lambda) * (m * p j - mu) ^ 2))).
  - apply total_le. intros j _. unfold pool_variance. set (d := m * p j - mu). assert (Q : m * p j = mu + d) by (unfold d; ring).
    assert (4 * (m * p j) * d ^ 2 <= 4 * (mu + sqrt S) * d ^ 2) by (apply Rmult_le_compat_r; [apply pow2_ge_0 | specialize (DB j); lra]).
    rewrite Q in *. nra.
  - rewrite total_plus, total_const, total_plus, !total_scale. unfold mu at 6. rewrite deviations. fold (spread m). fold S.
    unfold K. change (INR (length (elements U))) with k. unfold V0. right. unfold mu. field. unfold k; lra.
Qed.
(* Cauchy and Schwarz: far in total variation is far in squares. *)
Lemma far_spread : forall alpha, 0 < alpha -> tv_above D (uniform (elements U)) alpha -> 4 * alpha ^ 2 / k <= total K (fun j => (p j - / k) ^ 2).
Proof.
  intros alpha A [T H].
  assert (Q : Pr D T - Pr (uniform (elements U)) T = total K (fun j => (p j - / k) * indicator (T j))).
  { unfold Pr. rewrite (E_over U D PD), (E_over U (uniform (elements U)) uniform_proper) by apply bounded_indicator.
    rewrite (total_ext (elements U) (fun a => chance U (uniform (elements U)) a * indicator (T a)) (fun a => / k * indicator (T a))) by (intro; rewrite uniform_chance; auto).
    rewrite (total_ext K (fun j => (p j - / k) * indicator (T j)) (fun j => p j * indicator (T j) + -1 * (/ k * indicator (T j)))) by (intro; ring).
    rewrite total_plus, !total_scale. unfold K, p. ring. }
  assert (Z : total K (fun j => p j - / k) = 0).
  { pose proof (deviations 1) as Z. rewrite (total_ext K _ (fun j => p j - / k)) in Z by (intro; unfold Rdiv; ring). auto. }
  assert (S2 : 2 * Rabs (Pr D T - Pr (uniform (elements U)) T) <= total K (fun j => Rabs (p j - / k))).
  { rewrite Q.
    assert (C : total K (fun j => (p j - / k) * indicator (T j)) + total K (fun j => (p j - / k) * indicator (negb (T j))) = 0).
    { rewrite <- total_plus, <- Z at 1. apply total_ext. intro j. destruct (T j); simpl; ring. }
    set (u := total K (fun j => (p j - / k) * indicator (T j))) in *. set (v := total K (fun j => (p j - / k) * indicator (negb (T j)))) in *.
    assert (BU : Rabs u <= total K (fun j => Rabs (p j - / k) * indicator (T j))).
    { unfold u. clear. induction K as [|a l IH]; [simpl; rewrite Rabs_R0; lra|].
      change (total (a :: l) ?f) with (f a + total l f). cbv beta. eapply Rle_trans; [apply Rabs_triang|]. apply Rplus_le_compat; auto.
      rewrite Rabs_mult. destruct (T a); simpl; rewrite ?Rabs_R1, ?Rabs_R0; lra. }
    assert (BV : Rabs v <= total K (fun j => Rabs (p j - / k) * indicator (negb (T j)))).
    { unfold v. clear. induction K as [|a l IH]; [simpl; rewrite Rabs_R0; lra|].
      change (total (a :: l) ?f) with (f a + total l f). cbv beta. eapply Rle_trans; [apply Rabs_triang|]. apply Rplus_le_compat; auto.
      rewrite Rabs_mult. destruct (T a); simpl; rewrite ?Rabs_R1, ?Rabs_R0; lra. }
    replace v with (- u) in BV by lra. rewrite Rabs_Ropp in BV.
    rewrite (total_ext K (fun j => Rabs (p j - / k)) (fun j => Rabs (p j - / k) * indicator (T j) + Rabs (p j - / k) * indicator (negb (T j)))) by (intro j; destruct (T j); simpl; ring).
    rewrite total_plus. lra. }
  pose proof (cauchy_schwarz K (fun j => Rabs (p j - / k))) as CS. unfold K in CS at 2. change (INR (length (elements U))) with k in CS.
  rewrite (total_ext K (fun j => Rabs (p j - / k) ^ 2) (fun j => (p j - / k) ^ 2)) in CS by (intro; apply pow2_abs).
  set (s := total K (fun j => Rabs (p j - / k))) in *. assert (2 * alpha <= s) by lra.
  assert (KP : 0 < k) by (unfold k; lra). apply Rmult_le_reg_l with k; auto. replace (k * (4 * alpha ^ 2 / k)) with ((2 * alpha) ^ 2) by (field; lra).
  eapply Rle_trans; [|exact CS]. apply pow_incr. lra.
Qed.
End Numbers.

(* ---- the threshold ---- *)
Definition tau_of (k m lambda : R) (g : R) (v0 : R) : R := k / m * (k * lambda / 4 + sqrt (2 * g * v0)).
Lemma sum_above : forall (x y c : R), 0 < c -> (x < y <-> c * x < c * y).
Proof. intros; split; intro; [apply Rmult_lt_compat_l; auto | apply Rmult_lt_reg_l with c; auto]. Qed.

Section TwoSides.
Context {X : Type} (U : universe X) (m lambda g : R).
Hypothesis K1 : 1 <= size U.
Hypothesis M0 : 0 < m.
Hypothesis L0 : 0 < lambda.
Hypothesis G0 : 0 < g.
Let k := size U.
Let v0 := V0 U m lambda.
Let tau := tau_of k m lambda g v0.
Lemma v0_pos : 0 < v0.
Proof.
  unfold v0, V0. assert (0 < m ^ 2) by (apply pow_lt; auto). assert (0 < lambda * m) by (apply Rmult_lt_0_compat; auto).
  assert (0 < 2 * m ^ 2 / size U) by (apply Rdiv_lt_0_compat; lra).
  assert (0 < lambda ^ 2) by (apply pow_lt; auto). assert (0 < size U * lambda ^ 2) by (apply Rmult_lt_0_compat; lra).
  assert (0 < size U * lambda) by (apply Rmult_lt_0_compat; lra). lra.
Qed.
Definition pools_of (D : law X) : law (list (nat * (nat * nat))) := pools_law lambda (map (fun j => m * chance U D j) (elements U)).
Lemma pools_of_facts : forall D, proper D -> proper (pools_of D) /\
  mean (pools_of D) (pools_sum (m / k)) (spread U D m + k * lambda / 4) /\
  exists v, variance (pools_of D) (pools_sum (m / k)) v /\ v <= v0 + spread U D m * (2 + 4 * (m / k) + 4 * sqrt (spread U D m) + lambda).
Proof.
  intros D PD.
  assert (F : Forall (fun rho => 0 <= rho) (map (fun j => m * chance U D j) (elements U))).
  { apply Forall_forall. intros r I. apply in_map_iff in I. destruct I as [j [I _]]. subst. pose proof (chance_01 U D PD j). apply Rmult_le_pos; lra. }
  destruct (pools_moments (m / k) lambda _ ltac:(lra) F) as [MM VV]. split; [apply proper_pools_law; auto; lra|]. split.
  - pose proof (mean_total U D K1 m lambda) as Q || pose proof (mean_total U D m lambda) as Q. fold k in Q. rewrite Q in MM. exact MM.
  - eexists. split; [exact VV|]. apply variance_total; auto; lra.
Qed.
Lemma variance_pos {A} : forall (d : law A) f v, proper d -> variance d f v -> 0 <= v.
Proof.
  intros d f v D [mu [_ [_ L]]]. apply (limit_le (fun _ => 0) (fun N => sum_over (d N) (fun a => (f a - mu) ^ 2))); auto.
  - intro N. apply table_nonneg; [apply slice_nonneg; auto | intro; apply pow2_ge_0].
  - apply Coquelicot.Lim_seq.is_lim_seq_const.
Qed.
Lemma ratio_mono : forall v w t, 0 <= v <= w -> 0 < t -> v / (v + t) <= w / (w + t).
Proof.
  intros v w t V T. apply Rmult_le_reg_r with ((v + t) * (w + t)); [apply Rmult_lt_0_compat; lra|].
  replace (v / (v + t) * ((v + t) * (w + t))) with (v * (w + t)) by (field; lra).
  replace (w / (w + t) * ((v + t) * (w + t))) with (w * (v + t)) by (field; lra). nra.
Qed.
(* On U: "not uniform" with probability at most 1/(1 + 2g). *)
Lemma false_alarm : Pr (pools_of (uniform (elements U))) (fun l => lt tau (k / m * pools_sum (m / k) l)) <= 1 / (1 + 2 * g).
Proof.
  pose proof (uniform_proper U K1) as PU. destruct (pools_of_facts _ PU) as [PP [MM [v [VV VB]]]].
  assert (SZ : spread U (uniform (elements U)) m = 0).
  { unfold spread. rewrite (total_ext _ _ (fun _ => 0)); [rewrite total_const; ring|]. intro j. rewrite uniform_chance by auto.
    replace (m * / size U - m / size U) with 0 by (unfold Rdiv; ring). ring. }
  rewrite SZ in *. rewrite Rmult_0_l, Rplus_0_r in VB. rewrite Rplus_0_l in MM.
  pose proof v0_pos as V0P. pose proof (variance_pos _ _ _ PP VV) as VP.
  set (t := sqrt (2 * g * v0)). assert (T2 : t ^ 2 = 2 * g * v0) by (unfold t; rewrite pow2_sqrt; [auto | apply Rmult_le_pos; lra]).
  assert (TP : 0 < t) by (unfold t; apply sqrt_lt_R0; apply Rmult_lt_0_compat; lra).
  destruct (cantelli _ _ _ _ t PP MM VV TP) as [UP _].
  apply Rle_trans with (v / (v + t ^ 2)); [eapply Rle_trans; [|exact UP]|].
  - apply Pr_le; auto. intro l. unfold lt, le, tau, tau_of. fold t. destruct (Rlt_dec _ _) as [L|L]; [|discriminate]. intros _.
    apply (proj2 (sum_above _ _ (k / m) ltac:(apply Rdiv_lt_0_compat; unfold k; lra))) in L.
    destruct (Rle_dec _ _); auto. exfalso; lra.
  - eapply Rle_trans; [apply (ratio_mono v v0); [lra | apply pow_lt; auto]|]. rewrite T2. right. field. split; nra.
Qed.
(* On D with (S - sqrt(2 g V0))^2 >= 2 g V: "uniform" with probability at most 1/(1 + 2g). *)
Lemma missed : forall D, proper D -> let S := spread U D m in sqrt (2 * g * v0) < S ->
  2 * g * (v0 + S * (2 + 4 * (m / k) + 4 * sqrt S + lambda)) <= (S - sqrt (2 * g * v0)) ^ 2 ->
  Pr (pools_of D) (fun l => negb (lt tau (k / m * pools_sum (m / k) l))) <= 1 / (1 + 2 * g).
Proof.
  intros D PD S SP GAP. destruct (pools_of_facts D PD) as [PP [MM [v [VV VB]]]]. fold S in MM, VB.
  pose proof (variance_pos _ _ _ PP VV) as VP. set (t0 := sqrt (2 * g * v0)) in *.
  set (w := v0 + S * (2 + 4 * (m / k) + 4 * sqrt S + lambda)) in *. pose proof v0_pos as V0P.
  assert (TP : 0 < S - t0) by lra.
  destruct (cantelli _ _ _ _ (S - t0) PP MM VV TP) as [_ DN].
  apply Rle_trans with (v / (v + (S - t0) ^ 2)); [eapply Rle_trans; [|exact DN]|].
  - apply Pr_le; auto. intro l. unfold lt, le, tau, tau_of. fold t0. destruct (Rlt_dec _ _) as [L|L]; [discriminate|]. intros _.
    destruct (Rle_dec _ _) as [Q|Q]; auto. exfalso. apply L. apply (proj1 (sum_above _ _ (k / m) ltac:(apply Rdiv_lt_0_compat; unfold k; lra))). lra.
  - assert (GP : 0 < (S - t0) ^ 2) by (apply pow_lt; auto).
    eapply Rle_trans; [apply (ratio_mono v w); auto|]. assert (WP : 0 <= w) by lra.
    apply Rmult_le_reg_r with ((w + (S - t0) ^ 2) * (1 + 2 * g)); [apply Rmult_lt_0_compat; lra|].
    replace (w / (w + (S - t0) ^ 2) * ((w + (S - t0) ^ 2) * (1 + 2 * g))) with (w * (1 + 2 * g)) by (field; lra).
    replace (1 / (1 + 2 * g) * ((w + (S - t0) ^ 2) * (1 + 2 * g))) with (w + (S - t0) ^ 2) by (field; lra). lra.
Qed.
End TwoSides.

(* ---- enough samples ---- *)
(* In squares: S >= 4 alpha^2 m^2/k, and m as large as three conditions ask, with any g >= 1. *)
Lemma enough_samples : forall k m lambda alpha g S, 1 <= k -> 0 < m -> 1 <= lambda -> 0 < alpha < 1 -> 1 <= g -> 4 * alpha ^ 2 * m ^ 2 / k <= S ->
  128 * g * sqrt k <= m * alpha ^ 2 -> (128 * g) ^ 4 * k ^ 3 * lambda ^ 2 <= m ^ 4 * alpha ^ 4 -> (128 * g) ^ 3 * k ^ 2 * lambda <= m ^ 3 * alpha ^ 4 ->
  let v0 := 2 * m ^ 2 / k + lambda * m + k * lambda ^ 2 / 8 + 5 * k * lambda / 16 in
  sqrt (2 * g * v0) < S /\ 2 * g * (v0 + S * (2 + 4 * (m / k) + 4 * sqrt S + lambda)) <= (S - sqrt (2 * g * v0)) ^ 2.
Proof.
  intros k m lambda alpha g S K M L A G HS H1 H2 H3 v0.
  set (A0 := alpha ^ 4 * m ^ 4 / k ^ 2).
  assert (KP : 0 < k) by lra. assert (K2 : 0 < k ^ 2) by (apply pow_lt; auto). assert (M2 : 0 < m ^ 2) by (apply pow_lt; auto).
  assert (A2 : 0 < alpha ^ 2) by (apply pow_lt; lra). assert (A4 : 0 < alpha ^ 4) by (apply pow_lt; lra).
  assert (SK : 1 <= sqrt k) by (rewrite <- sqrt_1; apply sqrt_le_1_alt; auto).
  assert (SKK : sqrt k * sqrt k = k) by (apply sqrt_sqrt; lra).
  assert (H1S : (128 * g) ^ 2 * k <= m ^ 2 * alpha ^ 4).
  { replace ((128 * g) ^ 2 * k) with ((128 * g * sqrt k) ^ 2) by (rewrite <- SKK at 2; ring). replace (m ^ 2 * alpha ^ 4) with ((m * alpha ^ 2) ^ 2) by ring.
    apply pow_incr. split; [apply Rmult_le_pos; lra | auto]. }
  assert (S0 : 0 < S) by (eapply Rlt_le_trans; [|exact HS]; apply Rdiv_lt_0_compat; auto; apply Rmult_lt_0_compat; lra).
  assert (SA : 16 * A0 <= S ^ 2).
  { unfold A0. replace (16 * (alpha ^ 4 * m ^ 4 / k ^ 2)) with ((4 * alpha ^ 2 * m ^ 2 / k) ^ 2) by (field; lra).
    apply pow_incr. split; auto. left. apply Rdiv_lt_0_compat; auto. apply Rmult_lt_0_compat; lra. }
  assert (G2 : g <= g ^ 2) by (simpl; nra). assert (G3 : g <= g ^ 3) by (simpl; nra). assert (G4 : g <= g ^ 4) by (assert (1 <= g ^ 2) by nra; simpl; nra).
  assert (P1 : 2 * g * (2 * m ^ 2 / k) <= A0 / 4).
  { unfold A0. apply Rmult_le_reg_r with (k ^ 2); auto.
    replace (2 * g * (2 * m ^ 2 / k) * k ^ 2) with (m ^ 2 * (4 * g * k)) by (field; lra).
    replace (alpha ^ 4 * m ^ 4 / k ^ 2 / 4 * k ^ 2) with (m ^ 2 * (m ^ 2 * alpha ^ 4 / 4)) by (field; lra).
    apply Rmult_le_compat_l; [lra|]. assert (4 * g * k <= (128 * g) ^ 2 * k / 4); [|lra].
    apply Rmult_le_reg_r with 4; [lra|]. replace ((128 * g) ^ 2 * k / 4 * 4) with (16384 * (g ^ 2 * k)) by field.
    assert (g * k <= g ^ 2 * k) by (apply Rmult_le_compat_r; lra). nra. }
  assert (P2 : 2 * g * (lambda * m) <= A0 / 4).
  { unfold A0. apply Rmult_le_reg_r with (k ^ 2); auto.
    replace (alpha ^ 4 * m ^ 4 / k ^ 2 / 4 * k ^ 2) with (m * (m ^ 3 * alpha ^ 4 / 4)) by (field; lra).
    replace (2 * g * (lambda * m) * k ^ 2) with (m * (2 * g * (k ^ 2 * lambda))) by ring.
    apply Rmult_le_compat_l; [lra|]. assert (KL : 0 <= k ^ 2 * lambda) by (apply Rmult_le_pos; lra).
    assert (g * (k ^ 2 * lambda) <= g ^ 3 * (k ^ 2 * lambda)) by (apply Rmult_le_compat_r; lra).
    replace ((128 * g) ^ 3 * k ^ 2 * lambda) with (2097152 * (g ^ 3 * (k ^ 2 * lambda))) in H3 by ring.
    assert (0 <= g * (k ^ 2 * lambda)) by (apply Rmult_le_pos; lra). lra. }
  assert (P3 : 2 * g * (k * lambda ^ 2 / 8 + 5 * k * lambda / 16) <= A0 / 2).
  { unfold A0. apply Rmult_le_reg_r with (k ^ 2); auto.
    replace (alpha ^ 4 * m ^ 4 / k ^ 2 / 2 * k ^ 2) with (m ^ 4 * alpha ^ 4 / 2) by (field; lra).
    assert (LL : k * lambda <= k * lambda ^ 2) by (apply Rmult_le_compat_l; simpl; nra).
    assert (K3 : 0 < k ^ 3) by (apply pow_lt; auto). assert (L2 : 0 < lambda ^ 2) by (apply pow_lt; lra).
    assert (B : 2 * g * (k * lambda ^ 2 / 8 + 5 * k * lambda / 16) * k ^ 2 <= g * (k ^ 3 * lambda ^ 2)).
    { replace (g * (k ^ 3 * lambda ^ 2)) with (g * k ^ 2 * (k * lambda ^ 2)) by ring.
      replace (2 * g * (k * lambda ^ 2 / 8 + 5 * k * lambda / 16) * k ^ 2) with (g * k ^ 2 * (k * lambda ^ 2 / 4 + 5 * (k * lambda) / 8)) by field.
      apply Rmult_le_compat_l; [apply Rmult_le_pos; lra|]. assert (0 <= k * lambda ^ 2) by (apply Rmult_le_pos; lra). lra. }
    assert (KL : 0 <= k ^ 3 * lambda ^ 2) by (apply Rmult_le_pos; lra).
    assert (g * (k ^ 3 * lambda ^ 2) <= g ^ 4 * (k ^ 3 * lambda ^ 2)) by (apply Rmult_le_compat_r; lra).
    replace ((128 * g) ^ 4 * k ^ 3 * lambda ^ 2) with (268435456 * (g ^ 4 * (k ^ 3 * lambda ^ 2))) in H2 by ring.
    assert (0 <= g * (k ^ 3 * lambda ^ 2)) by (apply Rmult_le_pos; lra). lra. }
  assert (V16 : 2 * g * v0 <= S ^ 2 / 16) by (unfold v0; lra).
  assert (T4 : sqrt (2 * g * v0) <= S / 4).
  { rewrite <- (sqrt_pow2 (S / 4)) by lra. apply sqrt_le_1_alt. replace ((S / 4) ^ 2) with (S ^ 2 / 16) by field. auto. }
  split; [lra|].
  (* the part that grows with S *)
  assert (C1 : (128 * g) ^ 2 <= alpha ^ 2 * m ^ 2 / k).
  { apply Rmult_le_reg_r with k; auto. replace (alpha ^ 2 * m ^ 2 / k * k) with (alpha ^ 2 * m ^ 2) by (field; lra).
    eapply Rle_trans; [exact H1S|]. replace (m ^ 2 * alpha ^ 4) with (alpha ^ 2 * m ^ 2 * alpha ^ 2) by ring.
    rewrite <- (Rmult_1_r (alpha ^ 2 * m ^ 2)) at 2. apply Rmult_le_compat_l; [apply Rmult_le_pos; lra|]. simpl; nra. }
  assert (HS' : 4 * (alpha ^ 2 * m ^ 2 / k) <= S) by (replace (4 * (alpha ^ 2 * m ^ 2 / k)) with (4 * alpha ^ 2 * m ^ 2 / k) by (field; lra); auto).
  assert (SB : 4 * (128 * g) ^ 2 <= S) by lra.
  assert (R1 : 64 * g <= S / 4) by (simpl in SB; nra).
  assert (R2 : 32 * g * (4 * (m / k)) <= S / 4).
  { apply Rle_trans with (alpha ^ 2 * m ^ 2 / k); [|lra]. replace (32 * g * (4 * (m / k))) with (128 * g * (m / k)) by ring.
    replace (alpha ^ 2 * m ^ 2 / k) with (m * alpha ^ 2 * (m / k)) by (field; lra).
    apply Rmult_le_compat_r; [left; apply Rdiv_lt_0_compat; lra|]. nra. }
  assert (R3 : 32 * g * (4 * sqrt S) <= S / 4 + S / 4).
  { assert (Q : 256 * g <= sqrt S).
    { rewrite <- (sqrt_pow2 (256 * g)) by lra. apply sqrt_le_1_alt. replace ((256 * g) ^ 2) with (4 * (128 * g) ^ 2) by ring. auto. }
    assert (sqrt S * sqrt S = S) by (apply sqrt_sqrt; lra). pose proof (sqrt_pos S). nra. }
  assert (R4 : 32 * g * lambda <= S / 4).
  { assert (Q : (128 * g) ^ 2 * (k * lambda) <= alpha ^ 2 * m ^ 2).
    { apply Rsqr_incr_0; [|apply Rmult_le_pos; [apply pow_le; lra | apply Rmult_le_pos; lra] | apply Rmult_le_pos; lra]. unfold Rsqr.
      replace (alpha ^ 2 * m ^ 2 * (alpha ^ 2 * m ^ 2)) with (m ^ 4 * alpha ^ 4) by ring. eapply Rle_trans; [|exact H2].
      replace ((128 * g) ^ 2 * (k * lambda) * ((128 * g) ^ 2 * (k * lambda))) with ((128 * g) ^ 4 * k ^ 2 * lambda ^ 2) by ring.
      apply Rmult_le_compat_r; [apply pow_le; lra|]. apply Rmult_le_compat_l; [apply pow_le; lra|]. simpl; nra. }
    assert ((128 * g) ^ 2 * lambda <= alpha ^ 2 * m ^ 2 / k).
    { apply Rmult_le_reg_r with k; auto. replace (alpha ^ 2 * m ^ 2 / k * k) with (alpha ^ 2 * m ^ 2) by (field; lra). lra. }
    assert (32 * g * lambda <= (128 * g) ^ 2 * lambda) by (apply Rmult_le_compat_r; [lra | simpl; nra]). lra. }
  assert (BIG : 2 * g * (2 + 4 * (m / k) + 4 * sqrt S + lambda) <= S * (5 / 16)) by lra.
  assert (2 * g * (S * (2 + 4 * (m / k) + 4 * sqrt S + lambda)) <= S * (S * (5 / 16))).
  { replace (2 * g * (S * (2 + 4 * (m / k) + 4 * sqrt S + lambda))) with (S * (2 * g * (2 + 4 * (m / k) + 4 * sqrt S + lambda))) by ring.
    apply Rmult_le_compat_l; lra. }
  pose proof (sqrt_pos (2 * g * v0)).
  assert ((3 / 4 * S) ^ 2 <= (S - sqrt (2 * g * v0)) ^ 2) by (apply pow_incr; lra).
  replace ((3 / 4 * S) ^ 2) with (9 / 16 * (S * S)) in * by field. replace (S ^ 2 / 16) with (S * S / 16) in V16 by field. assert (0 <= S * S) by nra. lra.
Qed.

(* ---- the order of lambda ---- *)
Lemma coth_bound : forall eps E0, 0 < eps <= E0 -> ((exp eps + 1) / (exp eps - 1)) ^ 2 <= (E0 + 2) ^ 2 / eps ^ 2.
Proof.
  intros eps E0 H. pose proof (exp_ineq1_le eps) as X. assert (1 < exp eps) by (rewrite <- exp_0; apply exp_increasing; lra).
  replace ((E0 + 2) ^ 2 / eps ^ 2) with (((E0 + 2) / eps) ^ 2) by (field; lra). apply pow_incr. split.
  - left. apply Rdiv_lt_0_compat; lra.
  - apply Rmult_le_reg_r with ((exp eps - 1) * eps); [apply Rmult_lt_0_compat; lra|].
    replace ((exp eps + 1) / (exp eps - 1) * ((exp eps - 1) * eps)) with ((exp eps + 1) * eps) by (field; lra).
    replace ((E0 + 2) / eps * ((exp eps - 1) * eps)) with ((E0 + 2) * (exp eps - 1)) by (field; lra).
    assert ((eps + 2) * (exp eps - 1) <= (E0 + 2) * (exp eps - 1)) by (apply Rmult_le_compat_r; lra). nra.
Qed.
Lemma lambda_order : forall k eps delta E0, 1 <= k -> 0 < eps <= E0 -> 0 < delta <= 1 / 2 ->
  1 <= lambda_UT k eps delta /\ lambda_UT k eps delta + 1 <= (80 * (E0 + 2) ^ 2 + 2 * E0 ^ 2) * (ln (k / delta) / eps ^ 2).
Proof.
  intros k eps delta E0 K HE HD. pose proof ln2_pos as L2. pose proof (Calculus.ln_2_bounds) as LB.
  pose proof (c2_ge1 eps ltac:(lra)) as C1. pose proof (coth_bound eps E0 HE) as CB.
  set (c2 := ((exp eps + 1) / (exp eps - 1)) ^ 2) in *. set (G := ln (k / delta)).
  assert (KD : 2 <= k / delta).
  { apply Rmult_le_reg_r with delta; [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra. }
  assert (G2 : ln 2 <= G) by (apply Power.ln_le_mono; lra).
  assert (LK : ln (2 * k / delta) = ln 2 + G).
  { unfold G. rewrite <- ln_mult by lra. f_equal. unfold Rdiv. ring. }
  unfold lambda_UT. fold c2. rewrite LK. split; [nra|].
  assert (E2 : 0 < eps ^ 2) by (apply pow_lt; lra).
  assert (A : c2 * (ln 2 + G) <= (E0 + 2) ^ 2 / eps ^ 2 * (2 * G)) by (apply Rmult_le_compat; lra).
  assert (B : 1 <= 2 * E0 ^ 2 * (G / eps ^ 2)).
  { assert (1 <= E0 ^ 2 / eps ^ 2).
    { apply Rmult_le_reg_r with (eps ^ 2); auto. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. rewrite Rmult_1_l, Rmult_1_r. apply pow_incr; lra. }
    replace (2 * E0 ^ 2 * (G / eps ^ 2)) with (E0 ^ 2 / eps ^ 2 * (2 * G)) by (field; lra).
    apply Rle_trans with (1 * (2 * G)); [lra | apply Rmult_le_compat_r; lra]. }
  replace ((80 * (E0 + 2) ^ 2 + 2 * E0 ^ 2) * (G / eps ^ 2)) with (40 * ((E0 + 2) ^ 2 / eps ^ 2 * (2 * G)) + 2 * E0 ^ 2 * (G / eps ^ 2)) by (field; lra).
  lra.
Qed.
Lemma Rpower_pow_mult : forall x a n, 0 < x -> (Rpower x a) ^ n = Rpower x (INR n * a).
Proof. intros x a n X. rewrite <- Rpower_pow by apply exp_pos. rewrite Rpower_mult. f_equal. ring. Qed.
(* The printed order of m is enough for a lambda of the printed order. *)
Lemma order_is_enough : forall k alpha eps G lambda m C2 g, 1 <= k -> 0 < alpha < 1 -> 0 < eps -> 0 < G -> 1 <= C2 -> 1 <= g ->
  0 < lambda <= C2 * (G / eps ^ 2) ->
  128 * g * (1 + C2) * (Rpower k (3 / 4) / (alpha * eps) * sqrt G) <= m ->
  128 * g * (1 + C2) * (Rpower k (2 / 3) / (Rpower alpha (4 / 3) * Rpower eps (2 / 3)) * Rpower G (1 / 3)) <= m ->
  (128 * g) ^ 4 * k ^ 3 * lambda ^ 2 <= m ^ 4 * alpha ^ 4 /\ (128 * g) ^ 3 * k ^ 2 * lambda <= m ^ 3 * alpha ^ 4.
Proof.
  intros k alpha eps G lambda m C2 g K A HE HG C G1 L M1 M2.
  assert (E2 : 0 < eps ^ 2) by (apply pow_lt; lra). assert (A4 : 0 < alpha ^ 4) by (apply pow_lt; lra).
  assert (LB2 : lambda ^ 2 <= C2 ^ 2 * (G ^ 2 / eps ^ 4)).
  { replace (C2 ^ 2 * (G ^ 2 / eps ^ 4)) with ((C2 * (G / eps ^ 2)) ^ 2) by (field; lra). apply pow_incr; lra. }
  assert (GB : 0 < (128 * g) ^ 4) by (apply pow_lt; lra). assert (GB3 : 0 < (128 * g) ^ 3) by (apply pow_lt; lra).
  split.
  - set (B := Rpower k (3 / 4) / (alpha * eps) * sqrt G) in *.
    assert (B0 : 0 <= B) by (unfold B; apply Rmult_le_pos; [left; apply Rdiv_lt_0_compat; [apply exp_pos | apply Rmult_lt_0_compat; lra] | apply sqrt_pos]).
    assert (B4 : B ^ 4 * alpha ^ 4 = k ^ 3 * (G ^ 2 / eps ^ 4)).
    { unfold B. assert (SG : sqrt G ^ 4 = G ^ 2) by (replace (sqrt G ^ 4) with ((sqrt G ^ 2) ^ 2) by ring; rewrite pow2_sqrt by lra; auto).
      assert (PK : Rpower k (3 / 4) ^ 4 = k ^ 3).
      { rewrite Rpower_pow_mult by lra. replace (INR 4 * (3 / 4)) with (INR 3) by (simpl; field). apply Rpower_pow; lra. }
      replace ((Rpower k (3 / 4) / (alpha * eps) * sqrt G) ^ 4 * alpha ^ 4) with (Rpower k (3 / 4) ^ 4 * (sqrt G ^ 4 / eps ^ 4)) by (field; lra).
      rewrite PK, SG. reflexivity. }
    assert (MM : (128 * g * (1 + C2) * B) ^ 4 <= m ^ 4) by (apply pow_incr; split; auto; apply Rmult_le_pos; auto; apply Rmult_le_pos; lra).
    apply Rle_trans with ((128 * g * (1 + C2) * B) ^ 4 * alpha ^ 4); [|apply Rmult_le_compat_r; lra].
    replace ((128 * g * (1 + C2) * B) ^ 4 * alpha ^ 4) with ((128 * g) ^ 4 * ((1 + C2) ^ 4 * (B ^ 4 * alpha ^ 4))) by ring. rewrite B4.
    rewrite Rmult_assoc. apply Rmult_le_compat_l; [lra|].
    assert (K3 : 0 < k ^ 3) by (apply pow_lt; lra). assert (GE : 0 < G ^ 2 / eps ^ 4) by (apply Rdiv_lt_0_compat; apply pow_lt; lra).
    apply Rle_trans with (k ^ 3 * (C2 ^ 2 * (G ^ 2 / eps ^ 4))); [apply Rmult_le_compat_l; lra|].
    replace ((1 + C2) ^ 4 * (k ^ 3 * (G ^ 2 / eps ^ 4))) with (k ^ 3 * ((1 + C2) ^ 4 * (G ^ 2 / eps ^ 4))) by ring.
    apply Rmult_le_compat_l; [lra|]. apply Rmult_le_compat_r; [lra|].
    assert (C2 ^ 2 <= (1 + C2) ^ 2) by (apply pow_incr; lra). assert (1 <= (1 + C2) ^ 2) by (simpl; nra).
    replace ((1 + C2) ^ 4) with ((1 + C2) ^ 2 * (1 + C2) ^ 2) by ring. nra.
  - set (B := Rpower k (2 / 3) / (Rpower alpha (4 / 3) * Rpower eps (2 / 3)) * Rpower G (1 / 3)) in *.
    assert (PA : 0 < Rpower alpha (4 / 3)) by apply exp_pos. assert (PE : 0 < Rpower eps (2 / 3)) by apply exp_pos.
    assert (B0 : 0 <= B) by (unfold B; apply Rmult_le_pos; [left; apply Rdiv_lt_0_compat; [apply exp_pos | apply Rmult_lt_0_compat; lra] | left; apply exp_pos]).
    assert (B3 : B ^ 3 * alpha ^ 4 = k ^ 2 * (G / eps ^ 2)).
    { unfold B.
      assert (P1 : Rpower k (2 / 3) ^ 3 = k ^ 2) by (rewrite Rpower_pow_mult by lra; replace (INR 3 * (2 / 3)) with (INR 2) by (simpl; field); apply Rpower_pow; lra).
      assert (P2 : Rpower alpha (4 / 3) ^ 3 = alpha ^ 4) by (rewrite Rpower_pow_mult by lra; replace (INR 3 * (4 / 3)) with (INR 4) by (simpl; field); apply Rpower_pow; lra).
      assert (P3 : Rpower eps (2 / 3) ^ 3 = eps ^ 2) by (rewrite Rpower_pow_mult by lra; replace (INR 3 * (2 / 3)) with (INR 2) by (simpl; field); apply Rpower_pow; lra).
      assert (P4 : Rpower G (1 / 3) ^ 3 = G) by (rewrite Rpower_pow_mult by lra; replace (INR 3 * (1 / 3)) with 1 by (simpl; field); apply Rpower_1; lra).
      replace ((Rpower k (2 / 3) / (Rpower alpha (4 / 3) * Rpower eps (2 / 3)) * Rpower G (1 / 3)) ^ 3 * alpha ^ 4)
        with (Rpower k (2 / 3) ^ 3 * (Rpower G (1 / 3) ^ 3 / Rpower eps (2 / 3) ^ 3) * (alpha ^ 4 / Rpower alpha (4 / 3) ^ 3)) by (field; lra).
      rewrite P1, P2, P3, P4. field. lra. }
    assert (MM : (128 * g * (1 + C2) * B) ^ 3 <= m ^ 3) by (apply pow_incr; split; auto; apply Rmult_le_pos; auto; apply Rmult_le_pos; lra).
    apply Rle_trans with ((128 * g * (1 + C2) * B) ^ 3 * alpha ^ 4); [|apply Rmult_le_compat_r; lra].
    replace ((128 * g * (1 + C2) * B) ^ 3 * alpha ^ 4) with ((128 * g) ^ 3 * ((1 + C2) ^ 3 * (B ^ 3 * alpha ^ 4))) by ring. rewrite B3.
    rewrite Rmult_assoc. apply Rmult_le_compat_l; [lra|]. assert (K2 : 0 < k ^ 2) by (apply pow_lt; lra).
    assert (GE : 0 < G / eps ^ 2) by (apply Rdiv_lt_0_compat; lra).
    apply Rle_trans with (k ^ 2 * (C2 * (G / eps ^ 2))); [apply Rmult_le_compat_l; lra|].
    replace ((1 + C2) ^ 3 * (k ^ 2 * (G / eps ^ 2))) with (k ^ 2 * ((1 + C2) ^ 3 * (G / eps ^ 2))) by ring.
    apply Rmult_le_compat_l; [lra|]. apply Rmult_le_compat_r; [lra|]. assert (1 <= (1 + C2) ^ 2) by (simpl; nra).
    replace ((1 + C2) ^ 3) with ((1 + C2) * (1 + C2) ^ 2) by ring. nra.
Qed.

Lemma exp_small : forall m, 3 <= m -> exp (- m) <= 1 / 10.
Proof.
  intros m M. rewrite exp_Ropp. pose proof (exp_cubic 3 ltac:(lra)). assert (exp 3 <= exp m) by (apply exp_le; lra).
  unfold Rdiv. rewrite Rmult_1_l. apply Rinv_le_contravar; lra.
Qed.
Lemma Pr_negb {A} : forall (d : law A) T, proper d -> Pr d (fun a => negb (T a)) = 1 - Pr d T.
Proof.
  intros d T D. unfold Pr. rewrite <- (E_one d D), <- E_minus; auto using bounded_const, bounded_indicator.
  apply E_ext; intro a. destruct (T a); simpl; ring.
Qed.

(* Both sides err with probability at most 1/5 on independent pools. *)
Lemma prelim_sides : forall E0, 0 < E0 -> exists C, forall (X : Type) (U : universe X) (eps delta alpha m lambda : R), let k := size U in
  1 <= k -> 0 < eps <= E0 -> 0 < delta <= 1 / 2 -> 0 < alpha < 1 -> C * order_prelim k alpha eps delta <= m ->
  lambda_UT k eps delta <= lambda <= lambda_UT k eps delta + 1 -> let tau := tau_of k m lambda 2 (V0 U m lambda) in
  1 <= lambda /\ 3 <= m /\ Pr (pools_of U m lambda (uniform (elements U))) (fun l => lt tau (k / m * pools_sum (m / k) l)) <= 1 / 5 /\
  forall D, proper D -> tv_above D (uniform (elements U)) alpha ->
  Pr (pools_of U m lambda D) (fun l => negb (lt tau (k / m * pools_sum (m / k) l))) <= 1 / 5.
Proof.
  intros E0 H0. set (C2 := 80 * (E0 + 2) ^ 2 + 2 * E0 ^ 2). exists (128 * 2 * (1 + C2)).
  intros X U eps delta alpha m lambda k K1 HE HD HA HM HL tau.
  assert (C21 : 1 <= C2) by (unfold C2; simpl; nra).
  destruct (lambda_order k eps delta E0 K1 HE HD) as [L1 L2]. fold C2 in L2. set (G := ln (k / delta)) in *.
  assert (G0 : 0 < G).
  { unfold G. rewrite <- ln_1. apply ln_increasing; [lra|]. apply Rmult_lt_reg_r with delta; [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra. }
  assert (CP : 0 < 128 * 2 * (1 + C2)) by lra.
  (* each term of the order *)
  set (t1 := Rpower k (3 / 4) / (alpha * eps) * sqrt G) in *.
  set (t2 := Rpower k (2 / 3) / (Rpower alpha (4 / 3) * Rpower eps (2 / 3)) * Rpower G (1 / 3)) in *.
  set (t3 := sqrt k / alpha ^ 2) in *.
  assert (A2 : 0 < alpha ^ 2) by (apply pow_lt; lra).
  assert (SK : 1 <= sqrt k) by (rewrite <- sqrt_1; apply sqrt_le_1_alt; auto).
  assert (T1 : 0 <= t1) by (unfold t1; apply Rmult_le_pos; [left; apply Rdiv_lt_0_compat; [apply exp_pos | apply Rmult_lt_0_compat; lra] | apply sqrt_pos]).
  assert (T2 : 0 <= t2).
  { unfold t2. apply Rmult_le_pos; [|left; apply exp_pos]. left; apply Rdiv_lt_0_compat; [apply exp_pos|]. apply Rmult_lt_0_compat; apply exp_pos. }
  assert (T3 : 0 < t3) by (unfold t3; apply Rdiv_lt_0_compat; lra).
  assert (OR : order_prelim k alpha eps delta = t1 + t2 + t3) by reflexivity. rewrite OR in HM.
  assert (M1 : 128 * 2 * (1 + C2) * t1 <= m) by nra. assert (M2 : 128 * 2 * (1 + C2) * t2 <= m) by nra.
  assert (M3 : 128 * 2 * (1 + C2) * t3 <= m) by nra.
  assert (T31 : 1 <= t3).
  { unfold t3. apply Rmult_le_reg_r with (alpha ^ 2); auto. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. simpl. nra. }
  assert (MB : 3 <= m) by nra. assert (MP : 0 < m) by lra.
  assert (H1 : 128 * 2 * sqrt k <= m * alpha ^ 2).
  { apply Rle_trans with (128 * 2 * (1 + C2) * t3 * alpha ^ 2); [|apply Rmult_le_compat_r; lra].
    unfold t3. replace (128 * 2 * (1 + C2) * (sqrt k / alpha ^ 2) * alpha ^ 2) with (128 * 2 * (1 + C2) * sqrt k) by (field; lra). nra. }
  destruct (order_is_enough k alpha eps G lambda m C2 2 K1 HA ltac:(lra) G0 C21 ltac:(lra) ltac:(lra) M1 M2) as [H2 H3].
  assert (LP : 1 <= lambda) by lra. split; [auto|]. split; [auto|]. replace (1 / 5) with (1 / (1 + 2 * 2)) by field. split.
  - apply (false_alarm U m lambda 2); auto; lra.
  - intros D PD FAR. pose proof (far_spread U D PD K1 alpha ltac:(lra) FAR) as FS.
    assert (HS : 4 * alpha ^ 2 * m ^ 2 / k <= spread U D m).
    { rewrite (spread_scale U D m). fold k in FS.
      assert (Q : 4 * alpha ^ 2 * m ^ 2 / k = m ^ 2 * (4 * alpha ^ 2 / k)) by (assert (k <> 0) by lra; field; auto). rewrite Q.
      apply Rmult_le_compat_l; [apply pow2_ge_0 | exact FS]. }
    destruct (enough_samples k m lambda alpha 2 (spread U D m) K1 MP LP HA ltac:(lra) HS H1 H2 H3) as [GAP1 GAP2].
    apply (missed U m lambda 2 K1 MP ltac:(lra) ltac:(lra) D PD GAP1 GAP2).
Qed.
Theorem thm_ut_upper_bound_prelim_holds : thm_ut_upper_bound_prelim.
Proof.
  intros E0 H0. destruct (prelim_sides E0 H0) as [C SIDES]. exists C, (1 / 2). split; [lra|].
  intros X U eps delta alpha m K1 HE HD HA HM. set (k := size U) in *.
  destruct (lambda_order k eps delta E0 K1 HE HD) as [L1 _]. destruct (ceiling (lambda_UT k eps delta) ltac:(lra)) as [lambda LL].
  destruct (SIDES X U eps delta alpha m (INR lambda) K1 HE HD HA HM LL) as [LP [MB [FA MI]]]. fold k in FA, MI.
  set (tau := tau_of k m (INR lambda) 2 (V0 U m (INR lambda))) in *. exists lambda, tau. split.
  - intros gamma HG. apply thm_ut_upper_bound_prelim_privacy_holds; auto; unfold k in *; lra.
  - assert (MP : 0 < m) by lra. pose proof (exp_small m MB) as EX. pose proof (uniform_proper U K1) as PU.
    assert (PO : forall D, proper D -> proper (pools_of U m (INR lambda) D)) by (intros D PD; apply (pools_of_facts U m (INR lambda) K1 MP ltac:(lra) D PD)).
    split.
    + pose proof (run_poissonized U (INR lambda) ltac:(lra) m tau (uniform (elements U)) (fun b => b) MP PU) as R.
      pose proof (Pr_negb (pools_of U m (INR lambda) (uniform (elements U))) (fun l => lt tau (k / m * pools_sum (m / k) l)) (PO _ PU)) as NG.
      unfold pools_of in *. fold k in R. apply Rabs_le_between in R. lra.
    + intros D PD FAR. specialize (MI D PD FAR).
      pose proof (run_poissonized U (INR lambda) ltac:(lra) m tau D negb MP PD) as R.
      pose proof (Pr_negb (pools_of U m (INR lambda) D) (fun l => negb (lt tau (k / m * pools_sum (m / k) l))) (PO _ PD)) as NG.
      unfold pools_of in *. fold k in R. apply Rabs_le_between in R. lra.
Qed.
