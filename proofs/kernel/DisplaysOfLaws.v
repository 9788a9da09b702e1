(* Displays and steps of the paper's proofs that are about laws, one theorem each, in the paper's order. *)
From Coq Require Import Reals ZArith Lra Lia Psatz List Bool.
From PanshuffleKernel Require Calculus Power EpsPrime Law Messages Parity Distinct DistinctAccuracy Hoeffding Hash Ikos Shares.
From PanshuffleKernel Require Examples Transformation Shuffle ShuffleModel Closeness Symmetry BinomialTail BinomialMechanism UniformityTransformation.
From PanshuffleKernel Require Import Countable Privacy Model Poisson Means Finite.
From PanshuffleKernel Require Poissonization Statistic Section3Upper Section4Tester Section4Transformation Section4Privacy Section4Moments.
From PanshuffleKernel Require Import Paper.
Import ListNotations.
Open Scope R_scope.

(* ---- Section 2.3 ---- *)

(* From 2n shuffled bits without labels no analyzer has an unbiased estimate of the first sum. *)
Theorem two_bits_fails : ~ (exists (p : R) (n : nat), (0 < n)%nat /\ exists analyze : list bool -> table R,
  forall x, length x = n -> Law.E (Transformation.execution (Examples.two_bits p) analyze x) (fun z => z) = Examples.first_sum x).
Proof. intros [p [n [Hn H]]]. exact (Examples.two_bits_refuted p n Hn H). Qed.

(* ---- Section 3.1 ---- *)

(* One pool of gamma n users: "e^eps(gamma)" and "2 delta/gamma", for any two datasets. *)
Theorem pool_privacy : forall (Element : Type) (same : forall a b : Element, {a = b} + {a <> b}) (n honest : nat) (eps delta : R)
  (R_mod : bool -> table (list bool)) (j : Element) (x x' : list Element),
  (0 < n)%nat -> 0 < eps -> 0 <= delta -> (forall b, Law.proper (R_mod b)) -> (0 < honest <= n)%nat ->
  Distinct.hides_all_but_sum R_mod honest (delta / (exp eps + 1)) -> length x = honest -> length x' = honest ->
  let gamma := INR honest / INR n in let pool := Distinct.col Element same n eps R_mod j in
  Messages.close_unordered (eps + ln (1 / gamma)) (2 * delta / gamma) (pool x) (pool x') /\
  (eps <= ln 2 -> Messages.close_unordered (2 * Rpower eps gamma / gamma) (2 * delta / gamma) (pool x) (pool x')).
Proof.
  intros Element same n honest eps delta R_mod j x x' Hn He Hd HR Hh HI L L' gamma pool.
  pose proof (Distinct.gamma_of_01 n Hn honest Hh) as G. unfold Distinct.gamma_of in G. fold gamma in G.
  pose proof (Distinct.col_close Element same n Hn eps delta He R_mod HR honest Hh HI j x x' L L') as C.
  pose proof (Distinct.delta_prime_bound n Hn eps delta He Hd honest Hh) as B. unfold Distinct.gamma_of in B. fold gamma in B.
  assert (D0 : 0 <= delta / gamma) by (apply Rmult_le_pos; auto; left; apply Rinv_0_lt_compat; lra).
  assert (W : forall e, Distinct.eps_prime_at n eps honest <= e -> Messages.close_unordered e (2 * delta / gamma) (pool x) (pool x')).
  { intros e HE F HF. specialize (C F HF). destruct HF as [_ HF].
    assert (0 <= Law.E (pool x') F).
    { apply table_nonneg; [|intro; apply HF]. unfold pool, Distinct.col.
      assert (P : Law.proper (Messages.concatenated (map (fun i => Distinct.labelled Element same n eps R_mod i j) x'))).
      { apply Messages.proper_concatenated_map. intro i. apply Distinct.proper_labelled; auto. }
      apply P. }
    assert (exp (Distinct.eps_prime_at n eps honest) <= exp e) by (apply exp_le; auto).
    unfold Rdiv in *. fold pool in C. nra. }
  split; [apply W; apply EpsPrime.eps_prime_case_1; auto; lra | intro; apply W; apply EpsPrime.eps_prime_case_2; lra].
Qed.

(* "E[C] = D/2 + (k-D)/(2e^eps)", so that the mean of the output is D. *)
Lemma bits_cons : forall q qs F, Law.E (Parity.independent (map Parity.Ber (q :: qs))) F
  = q * Law.E (Parity.independent (map Parity.Ber qs)) (fun l => F (true :: l))
  + (1 - q) * Law.E (Parity.independent (map Parity.Ber qs)) (fun l => F (false :: l)).
Proof.
  intros q qs F. cbn [map Parity.independent]. rewrite Law.E_bind.
  assert (B : forall G, Law.E (Parity.Ber q) G = q * G true + (1 - q) * G false) by (intro; unfold Parity.Ber; simpl; ring).
  rewrite B. f_equal; f_equal; rewrite Law.E_bind; apply Law.E_ext; intro l; exact (Law.E_point _ F).
Qed.
Lemma mean_count : forall qs, Law.E (Parity.independent (map Parity.Ber qs)) Hoeffding.count = Messages.sum_of qs.
Proof.
  assert (M : forall qs c, Law.E (Parity.independent (map Parity.Ber qs)) (fun _ => c) = c).
  { induction qs as [|q qs IH]; intro c; [exact (Law.E_point [] (fun _ => c))|]. rewrite bits_cons, !IH. ring. }
  induction qs as [|q qs IH]; [exact (Law.E_point [] Hoeffding.count)|]. rewrite bits_cons.
  rewrite (Law.E_ext _ (fun l => Hoeffding.count (true :: l)) (fun l => 1 + Hoeffding.count l)) by reflexivity.
  rewrite (Law.E_ext _ (fun l => Hoeffding.count (false :: l)) (fun l => 0 + Hoeffding.count l)) by reflexivity.
  rewrite !Law.E_plus, IH, !M. unfold Messages.sum_of. simpl. ring.
Qed.
Theorem distinct_mean : forall (Element : Type) (same : forall a b : Element, {a = b} + {a <> b}) (K : list Element) (n m : nat) (eps : R)
  (x : list Element), NoDup K -> (0 < n)%nat -> (0 < m)%nat -> 0 < eps -> length x = n -> (forall a, In a x -> In a K) ->
  let D := INR (Transformation.distinct same x) in
  Law.E (Parity.independent (map (fun j => Parity.Ber (Distinct.par Element same n eps j x)) K)) Hoeffding.count
  = D / 2 + (INR (length K) - D) / (2 * exp eps) /\
  Law.E (Transformation.execution (Distinct.R_DE Element same K n eps (Shares.R_MOD m)) (DistinctAccuracy.A_DE same K eps) x) (fun z => z) = D.
Proof.
  intros Element same K n m eps x ND Hn Hm He L I D.
  assert (A : Law.E (Parity.independent (map (fun j => Parity.Ber (Distinct.par Element same n eps j x)) K)) Hoeffding.count
    = D / 2 + (INR (length K) - D) / (2 * exp eps)).
  { rewrite <- (map_map (fun j => Distinct.par Element same n eps j x) Parity.Ber), mean_count.
    rewrite (DistinctAccuracy.mean_of_count Element same n m Hn Hm eps He x K L).
    rewrite (DistinctAccuracy.present_distinct Element same K ND x I). reflexivity. }
  split; auto. rewrite (DistinctAccuracy.execution_bits Element same n m Hn Hm eps He K ND x).
  assert (1 < exp eps) by (rewrite <- exp_0; apply exp_increasing; auto).
  rewrite (Law.E_ext _ _ (fun l => 2 * exp eps / (exp eps - 1) * Hoeffding.count l + - (INR (length K) / (exp eps - 1)) * 1))
    by (intro; unfold DistinctAccuracy.debiased; field; lra).
  rewrite Law.E_plus, !Law.E_mult, A.
  assert (P : Law.proper (Parity.independent (map (fun j => Parity.Ber (Distinct.par Element same n eps j x)) K))).
  { apply Parity.proper_independent. apply Forall_forall. intros d HD. apply in_map_iff in HD. destruct HD as [j [H1 H2]]. subst d.
    apply Parity.proper_Ber. destruct (Distinct.par_cases Element same n Hn eps He n ltac:(lia) j x L) as [Q|Q]; rewrite Q; [lra|].
    pose proof (exp_pos (Distinct.eps_prime_at n eps n)).
    assert (1 <= exp (Distinct.eps_prime_at n eps n)).
    { rewrite <- exp_0. apply exp_le. left. apply Distinct.eps_prime_at_pos; auto; lia. }
    split; [left; apply Rdiv_lt_0_compat; lra|]. apply Calculus.div_le; lra. }
  rewrite (Law.E_const _ 1 P). field. lra.
Qed.

(* M as a function of the bits is not private; as a function of the data it is. *)
Definition ideal (m : nat) (u : list bool) : law (list bool) := view (R_MOD m) (parity u :: repeat false (length u - 1)).
Lemma parity_seen : forall m x, (0 < m)%nat -> Pr (view (R_MOD m) x) (fun y => Bool.eqb (parity x) (parity y)) = 1.
Proof.
  intros m x Hm. rewrite mod_view. unfold Pr. rewrite E_finite.
  rewrite <- (view_same (Shares.R_MOD m) (mod_table m)) by (intro; apply mod_same; auto).
  rewrite (Law.E_ext_in _ _ (fun _ => 1)).
  - apply ShuffleModel.proper_view. intro; apply Shares.proper_R_MOD.
  - intros p P. pose proof (Ikos.modular_sum_correct m x p Hm P) as Q.
    change (parity (fst p)) with (Parity.parity (fst p)). rewrite Q. change (Parity.parity x) with (parity x).
    destruct (parity x); reflexivity.
Qed.
Lemma parity_zeros : forall k, parity (repeat false k) = false.
Proof. induction k as [|k IH]; [reflexivity|]. change (xorb false (parity (repeat false k)) = false). rewrite IH. reflexivity. Qed.
Theorem ideal_of_bits_fails : ~ (exists m n eps, (0 < m)%nat /\ (0 < n)%nat /\ private_on n eps 0 (ideal m)).
Proof.
  intros [m [n [eps [Hm [Hn H]]]]].
  assert (V : forall u, Pr (ideal m u) (fun y => Bool.eqb (parity u) (parity y)) = 1).
  { intro u. unfold ideal. rewrite <- (parity_seen m (parity u :: repeat false (length u - 1)) Hm). apply Pr_ext. intro y.
    cbn [parity fold_right]. fold (parity (repeat false (length u - 1))). rewrite parity_zeros, xorb_false_r. reflexivity. }
  set (zeros := repeat false (n - 1)).
  assert (L : length (true :: zeros) = n) by (unfold zeros; cbn [length]; rewrite repeat_length; lia).
  specialize (H (true :: zeros) (false :: zeros) L ltac:(exists [], true, false, zeros; auto) (fun y => parity y)).
  assert (A : Pr (ideal m (true :: zeros)) (fun y => parity y) = 1).
  { rewrite <- (V (true :: zeros)). apply Pr_ext. intro y. cbn [parity fold_right]. fold (parity zeros). unfold zeros. rewrite parity_zeros.
    destruct (parity y); reflexivity. }
  assert (PI : proper (ideal m (false :: zeros))).
  { apply proper_view. intro u. rewrite R_MOD_finite. apply proper_finite, mod_proper; auto. }
  assert (B : Pr (ideal m (false :: zeros)) (fun y => parity y) = 0).
  { rewrite (Pr_ext _ _ (fun y => negb (Bool.eqb (parity (false :: zeros)) (parity y)))).
    - rewrite Section4Tester.Pr_negb, V; auto. lra.
    - intro y. cbn [parity fold_right]. fold (parity zeros). unfold zeros. rewrite parity_zeros. destruct (parity y); reflexivity. }
  rewrite A, B in H. lra.
Qed.
Theorem ideal_of_data : forall (Element : Type) (same : forall a b : Element, {a = b} + {a <> b}) (n honest m : nat) (eps : R)
  (j : Element) (x x' : list Element), (0 < n)%nat -> (0 < m)%nat -> 0 < eps -> (0 < honest <= n)%nat ->
  length x = honest -> length x' = honest ->
  let bits x := Parity.independent (map Parity.Ber (map (Distinct.bit_probability Element same n eps j) x)) in
  Closeness.close (Distinct.eps_prime_at n eps honest) 0 (Law.bind (bits x) (fun u => ideal m u O)) (Law.bind (bits x') (fun u => ideal m u O)).
Proof.
  intros Element same n honest m eps j x x' Hn Hm He Hh L L' bits.
  set (W := fun b : bool => ShuffleModel.view (mod_table m) (b :: repeat false (honest - 1))).
  assert (S : forall y, length y = honest -> forall f, Law.E (Law.bind (bits y) (fun u => ideal m u O)) f
              = Law.E (Parity.Ber (Distinct.par Element same n eps j y)) (fun b => Law.E (W b) f)).
  { intros y Ly f. rewrite Law.E_bind.
    rewrite (Law.E_ext_in _ _ (fun u => Law.E (W (Parity.parity u)) f)).
    - assert (Q := Parity.parity_law_Ber (map (Distinct.bit_probability Element same n eps j) y)).
      assert (F : Forall (fun q => 0 <= q <= 1) (map (Distinct.bit_probability Element same n eps j) y)).
      { apply Forall_forall. intros q HQ. apply in_map_iff in HQ. destruct HQ as [i [H1 H2]]. subst q. apply Distinct.bit_probability_01; auto. }
      specialize (Q F (fun b => Law.E (W b) f)). unfold Parity.parity_law in Q. rewrite Law.E_bind in Q.
      etransitivity; [|exact Q]. apply Law.E_ext. intro u. symmetry. exact (Law.E_point (Parity.parity u) (fun b => Law.E (W b) f)).
    - intros p HP. apply Parity.independent_length in HP. rewrite !map_length, Ly in HP. unfold ideal. rewrite mod_view, HP. reflexivity. }
  intro T. unfold Law.Pr. rewrite (S x L), (S x' L'). rewrite Rplus_0_r.
  apply Distinct.ber_close; auto; try (apply Distinct.par_cases; auto).
  intro z. apply table_nonneg; [apply ShuffleModel.proper_view; intro; apply mod_proper; auto | intro a; destruct (T a); simpl; lra].
Qed.

(* ---- Section 4.1: the noise ---- *)

(* Bin(l, 1/2) - l/2 is symmetric over the reals, and for odd l it is no integer. *)
Definition centred (l : nat) : table R := Law.bind (UniformityTransformation.Bin l (1 / 2)) (fun c => Law.point (INR c - INR l / 2)).
Theorem noise_symmetric : forall l, Law.proper (centred l) /\ Symmetry.symmetric (centred l).
Proof.
  intro l. split.
  - apply Law.proper_bind; [apply UniformityTransformation.proper_Bin; lra | intro; apply Law.proper_point].
  - apply Symmetry.symmetric_E. intro f. unfold centred. rewrite !Law.E_bind. rewrite BinomialTail.Bin_mirror.
    replace (1 - 1 / 2) with (1 / 2) by lra. apply Law.E_ext_in. intros p Hp. apply BinomialMechanism.Bin_range in Hp.
    rewrite !Law.E_point, minus_INR by lia. f_equal. lra.
Qed.
Theorem noise_integer_fails : ~ (forall (l : nat) p, In p (centred l) -> exists z : Z, fst p = IZR z).
Proof.
  intro H.
  destruct (H 1%nat (hd (0, 0) (centred 1)) ltac:(left; reflexivity)) as [z Z0]. simpl in Z0.
  assert (2 * IZR z = 1) by lra. rewrite <- mult_IZR in H0. apply eq_IZR in H0. lia.
Qed.

(* ---- Section 4: repetitions ---- *)

(* A separation Delta is amplified to 2/3 by 2.2/Delta^2 independent repetitions: the votes for "uniform" are counted. *)
Theorem amplification : forall (p Delta : R) (qs : list R), 0 < Delta -> Forall (fun q => 0 <= q <= 1) qs -> qs <> [] ->
  11 / 5 / Delta ^ 2 <= INR (length qs) -> let d := Parity.independent (map Parity.Ber qs) in
  let threshold := INR (length qs) * (p + Delta / 2) in
  (Forall (fun q => p + Delta <= q) qs -> Law.Pr d (fun l => Hash.at_least (Hoeffding.count l) threshold) < 1 / 3) /\
  (Forall (fun q => q <= p) qs -> Law.Pr d (fun l => Hash.at_least threshold (Hoeffding.count l)) < 1 / 3).
Proof.
  intros p D qs HD HQ HN HR d threshold. set (r := INR (length qs)) in *.
  assert (R0 : 0 < r) by (unfold r; apply lt_0_INR; destruct qs; [contradiction | simpl; lia]).
  assert (T0 : 0 <= r * D / 2) by nra.
  destruct (Hoeffding.hoeffding qs (r * D / 2) HQ HN T0) as [H1 [H2 _]]. fold r in H1, H2. fold d in H1, H2.
  assert (B : exp (- (2 * (r * D / 2) ^ 2) / r) < 1 / 3).
  { replace (- (2 * (r * D / 2) ^ 2) / r) with (- (r * D ^ 2 / 2)) by (field; lra).
    assert (11 / 10 <= r * D ^ 2 / 2).
    { assert (0 < D ^ 2) by (apply pow_lt; auto). replace (11 / 10) with (11 / 5 / D ^ 2 * D ^ 2 / 2) by (field; lra). nra. }
    assert (C := Section4Privacy.exp_cubic (11 / 40) ltac:(lra)).
    assert (3 < exp (11 / 10)).
    { replace (11 / 10) with (11 / 40 + 11 / 40 + (11 / 40 + 11 / 40)) by lra. rewrite !exp_plus.
      set (y := exp (11 / 40)) in *. assert (1.316 < y) by lra. assert (1.73185 < y * y) by nra. nra. }
    apply Rle_lt_trans with (exp (- (11 / 10))); [apply exp_le; lra|]. rewrite exp_Ropp.
    rewrite <- (Rinv_inv (1 / 3)). apply Rinv_lt_contravar; [|lra]. apply Rmult_lt_0_compat; lra. }
  assert (PD : Law.proper d) by (apply Hoeffding.proper_bits; auto).
  assert (S : forall c, (Forall (fun q => c <= q) qs -> r * c <= Messages.sum_of qs) /\ (Forall (fun q => q <= c) qs -> Messages.sum_of qs <= r * c)).
  { intro c. unfold r. clear. induction qs as [|q qs [I1 I2]]; [unfold Messages.sum_of; simpl; lra|].
    change (length (q :: qs)) with (S (length qs)). rewrite S_INR. change (Messages.sum_of (q :: qs)) with (q + Messages.sum_of qs).
    split; intro F; inversion F; subst; [specialize (I1 H2) | specialize (I2 H2)]; lra. }
  split; intro F.
  - apply Rle_lt_trans with (2 := B). eapply Rle_trans; [|exact H2]. apply Law.E_le; [apply PD|]. intro l.
    destruct (S (p + D)) as [S1 _]. specialize (S1 F). unfold Hash.at_least, threshold.
    destruct (Rle_dec (Hoeffding.count l) (r * (p + D / 2))), (Rle_dec (r * D / 2) (Messages.sum_of qs - Hoeffding.count l)); simpl; try lra; exfalso; nra.
  - apply Rle_lt_trans with (2 := B). eapply Rle_trans; [|exact H1]. apply Law.E_le; [apply PD|]. intro l.
    destruct (S p) as [_ S2]. specialize (S2 F). unfold Hash.at_least, threshold.
    destruct (Rle_dec (r * (p + D / 2)) (Hoeffding.count l)), (Rle_dec (r * D / 2) (Hoeffding.count l - Messages.sum_of qs)); simpl; try lra; exfalso; nra.
Qed.

(* ---- Section 4.2 ---- *)

(* (2/9) D + (7/9) U is at 2/9 of the distance. *)
Theorem dilution : forall (X : Type) (D U : law X) (alpha : R), proper D -> proper U -> tv_above D U (9 * alpha / 2) ->
  tv_above (Section4Transformation.mixed (2 / 9) D U) U alpha.
Proof.
  intros X D U alpha PD PU [T H]. exists T.
  assert (Q : Pr (Section4Transformation.mixed (2 / 9) D U) T = 2 / 9 * Pr D T + (1 - 2 / 9) * Pr U T).
  { unfold Pr, Section4Transformation.mixed. rewrite E_bind; [apply E_Ber | apply proper_Ber; lra | intros []; auto | apply bounded_indicator]. }
  rewrite Q. replace (2 / 9 * Pr D T + (1 - 2 / 9) * Pr U T - Pr U T) with (2 / 9 * (Pr D T - Pr U T)) by lra.
  rewrite Rabs_mult, (Rabs_right (2 / 9)) by lra. lra.
Qed.

(* ---- Section 4.1.1: the moments of Z and of the counts ---- *)

(* Far from uniform: E[Z] = mk sum (p_j - 1/k)^2 >= 4 alpha^2 m. *)
Theorem far_mean : forall (X : Type) (U : universe X) (m alpha : R) (D : law X), 0 < m -> 1 <= size U -> 0 < alpha -> proper D ->
  tv_above D (uniform (elements U)) alpha ->
  let mu := m * size U * total (elements U) (fun j => (Poissonization.chance U D j - / size U) ^ 2) in
  mean (poissonized m D) (Z_of U m) mu /\ 4 * alpha ^ 2 * m <= mu.
Proof.
  intros X U m alpha D M K A P F mu. destruct (Section4Moments.Z_moments U D P m M) as [Z _].
  rewrite (Section4Tester.spread_scale U D m) in Z. pose proof (Section4Tester.far_spread U D P K alpha A F) as S. unfold mu.
  set (s := total (elements U) (fun j => (Poissonization.chance U D j - / size U) ^ 2)) in *.
  split; [replace (m * size U * s) with (size U / m * (m ^ 2 * s)) by (field; lra); exact Z|].
  assert (size U * (4 * alpha ^ 2 / size U) <= size U * s) by (apply Rmult_le_compat_l; lra).
  replace (size U * (4 * alpha ^ 2 / size U)) with (4 * alpha ^ 2) in H by (field; lra). nra.
Qed.
(* Uniform: Var[Z] = 2k, which is at most alpha^4 m^2/500000 exactly if m >= 1000 sqrt k/alpha^2. *)
Theorem uniform_variance : forall (X : Type) (U : universe X) (m alpha : R), 0 < m -> 1 <= size U -> 0 < alpha < 1 ->
  variance (poissonized m (uniform (elements U))) (Z_of U m) (2 * size U) /\
  (2 * size U <= alpha ^ 4 * m ^ 2 / 500000 <-> 1000 * sqrt (size U) <= m * alpha ^ 2).
Proof.
  intros X U m alpha M K A. split.
  - destruct (Section4Moments.Z_moments U (uniform (elements U)) (Section4Tester.uniform_proper U K) m M) as [_ V].
    rewrite (Poissonization.total_ext _ _ (fun _ => 2 * (m / size U) ^ 2)) in V.
    + rewrite Section4Tester.total_const in V. change (INR (length (elements U))) with (size U) in V.
      replace ((size U / m) ^ 2 * (size U * (2 * (m / size U) ^ 2))) with (2 * size U) in V by (field; lra). exact V.
    + intro j. rewrite Section4Tester.uniform_chance by auto. unfold Rdiv. ring.
  - pose proof (sqrt_sqrt (size U) ltac:(lra)) as S. pose proof (sqrt_pos (size U)) as S0. set (r := sqrt (size U)) in *.
    assert (A2 : 0 < alpha ^ 2) by (apply pow_lt; lra). set (y := m * alpha ^ 2). assert (Y : 0 < y) by (apply Rmult_lt_0_compat; auto).
    replace (alpha ^ 4 * m ^ 2) with (y * y) by (unfold y; ring). rewrite <- S.
    split; intro H; [|nra]. destruct (Rle_lt_dec (1000 * r) y); auto. exfalso. nra.
Qed.
(* E[(c_j - m/k)^2] for a Poisson count. *)
Theorem count_deviation : forall rho mu, 0 <= rho -> mean (Pois rho) (fun c => (INR c - mu) ^ 2) (rho + (rho - mu) ^ 2).
Proof.
  intros rho mu R0. pose proof (Statistic.mean_poly rho R0 (mu ^ 2) (- 2 * mu) 1 0 0) as M.
  eapply mean_ext; [|replace (rho + (rho - mu) ^ 2) with
    (mu ^ 2 + - 2 * mu * rho + 1 * (rho * (rho + 1)) + 0 * (rho * (rho * (rho + 1) + 2 * rho + 1))
     + 0 * (rho * (rho * (rho * (rho + 1) + 2 * rho + 1) + 3 * (rho * (rho + 1)) + 3 * rho + 1))) by ring; exact M].
  intro c. cbv beta. ring.
Qed.
