(* Section 4.1.1: with the printed threshold the tester does not notice far distributions.

   tau contains k^2 lambda/(2m) where the mean of Z' contains k^2 lambda/(4m): for every constant C there are k, lambda and
   m that the theorem allows, and a distribution at total variation 26/100 > alpha = 1/4, for which "not uniform" has a
   probability below 21/50 (it goes to 0 like 1/k).  Here k = q^12, m = lambda^(1/2) q^10. *)
From Coq Require Import Reals ZArith Lra Lia List Bool.
From Coquelicot Require Import Rcomplements.
From PanshuffleKernel Require Power Shuffle Calculus.
From PanshuffleKernel Require Import Countable Privacy Masses Poisson Section3Upper Section3LowerAsPrinted Section4Transformation PoissonPools Means Poissonization Statistic Tester Section4Tester.
From PanshuffleKernel Require Import Paper.
Import ListNotations.
Open Scope R_scope.

Section Paired.
Variable h : nat.
Hypothesis h_pos : (0 < h)%nat.
Definition halves : list (bool * below h) := map (pair true) (all_below h) ++ map (pair false) (all_below h).
Lemma halves_nodup : NoDup halves.
Proof.
  unfold halves. assert (N : forall b : bool, NoDup (map (pair b) (all_below h))) by (intro; apply FinFun.Injective_map_NoDup; [intros x y Q; congruence | apply all_below_nodup]).
  pose proof (N true) as NT. revert NT. generalize (all_below h) at 1 2. induction l as [|a l IH]; intro NT; cbn [map app]; [apply N|].
  inversion NT; subst. constructor; auto. intro I. apply in_app_or in I. destruct I as [I|I]; [auto|]. apply in_map_iff in I. destruct I as [x [I _]]. discriminate.
Qed.
Lemma halves_complete : forall a, In a halves.
Proof. intros [[|] i]; unfold halves; apply in_or_app; [left | right]; apply in_map, all_below_complete. Qed.
Lemma halves_dec : forall a b : bool * below h, {a = b} + {a <> b}.
Proof. intros [a i] [b j]. destruct (bool_dec a b), (below_dec h i j); [left; congruence | right; congruence | right; congruence | right; congruence]. Qed.
Definition V : universe (bool * below h) := Universe halves halves_nodup halves_complete halves_dec.
Lemma all_below_length : INR (length (all_below h)) = INR h.
Proof. pose proof (numbers_size h) as Q. exact Q. Qed.
Lemma V_size : size V = 2 * INR h.
Proof. unfold size. cbn [V elements]. unfold halves. rewrite app_length, !map_length, plus_INR, all_below_length. ring. Qed.
Lemma total_halves : forall f, total halves f = total (all_below h) (fun i => f (true, i)) + total (all_below h) (fun i => f (false, i)).
Proof.
  intro f. unfold halves.
  assert (TA : forall l r : list (bool * below h), total (l ++ r) f = total l f + total r f) by (intros l r; unfold total; induction l as [|a l IH]; simpl; [ring | rewrite IH; ring]).
  rewrite TA, !total_map. reflexivity.
Qed.
Definition tilt (b : bool) : R := if b then 76 / 100 else 24 / 100.
Definition D : law (bool * below h) := bind (Ber (76 / 100)) (fun b => image (pair b) (uniform (all_below h))).
Lemma below_proper : proper (uniform (all_below h)).
Proof.
  apply (proper_finite (Shuffle.uniform (all_below h))), Shuffle.proper_uniform. intro Q. pose proof all_below_length as L. rewrite Q in L. simpl in L.
  apply lt_0_INR in h_pos. lra.
Qed.
Lemma image_proper : forall b : bool, proper (image (pair b) (uniform (all_below h))).
Proof. intro b. apply proper_bind; [apply below_proper | intro; apply proper_point]. Qed.
Lemma D_proper2 : proper D.
Proof. apply proper_bind; [apply proper_Ber; lra | apply image_proper]. Qed.
Lemma E_D : forall f, bounded f -> E D f = total (all_below h) (fun i => tilt true / INR h * f (true, i)) + total (all_below h) (fun i => tilt false / INR h * f (false, i)).
Proof.
  intros f F. pose proof (lt_0_INR h h_pos) as HP. unfold D. rewrite E_bind; [|apply proper_Ber; lra | apply image_proper | auto]. rewrite E_Ber.
  assert (I : forall b, E (image (pair b) (uniform (all_below h))) f = / INR h * total (all_below h) (fun i => f (b, i))).
  { intro b. unfold image. rewrite E_bind_point by (auto using below_proper).
    change (uniform (all_below h)) with (fun _ : nat => Shuffle.uniform (all_below h)). rewrite E_finite, Shuffle.E_uniform, all_below_length.
    change (Shuffle.total (all_below h) (fun a => f (b, a))) with (total (all_below h) (fun a => f (b, a))). ring. }
  rewrite !I, !total_scale. unfold tilt. field. lra.
Qed.
Lemma D_chance : forall b i, chance V D (b, i) = tilt b / INR h.
Proof.
  intros b i. unfold chance, Pr. rewrite E_D by apply bounded_indicator.
  assert (Z : forall c, total (all_below h) (fun j => indicator (is_element V (c, j) (b, i))) = if bool_dec c b then 1 else 0).
  { intro c. pose proof (all_below_nodup h) as N. pose proof (all_below_complete h i) as I.
    destruct (bool_dec c b) as [Q|Q].
    - subst c. induction N as [|j l H N IH]; [destruct I|]. change (total (j :: l) ?f) with (f j + total l f). cbv beta. destruct I as [I|I].
      + subst j. replace (is_element V (b, i) (b, i)) with true by (symmetry; apply element_same). simpl indicator.
        assert (Z : total l (fun j => indicator (is_element V (b, j) (b, i))) = 0).
        { clear IH N. induction l as [|j l IH]; [reflexivity|]. change (total (j :: l) ?f) with (f j + total l f). cbv beta. rewrite IH by (intro; apply H; right; auto).
          rewrite element_other; [simpl; ring|]. intro E. apply H. left. congruence. }
        rewrite Z. ring.
      + rewrite (IH I). rewrite element_other; [simpl; ring|]. intro E. apply H. inversion E. subst. auto.
    - rewrite (total_ext (all_below h) _ (fun _ => 0)); [rewrite total_const; ring|]. intro j. rewrite element_other; [reflexivity | congruence]. }
  rewrite !total_scale, !Z. destruct b; simpl; lra.
Qed.
Lemma D_far : tv_above D (uniform (elements V)) (1 / 4).
Proof.
  pose proof (lt_0_INR h h_pos) as HP. exists fst.
  assert (P1 : Pr D fst = 76 / 100).
  { unfold Pr. rewrite E_D by apply bounded_indicator. simpl fst. cbn [indicator]. rewrite !total_scale, !total_const, all_below_length. unfold tilt. field. lra. }
  assert (K1 : 1 <= size V) by (rewrite V_size; assert (1 <= INR h) by (change 1 with (INR 1); apply le_INR; lia); lra).
  assert (P2 : Pr (uniform (elements V)) fst = 1 / 2).
  { unfold Pr. rewrite (E_over V (uniform (elements V)) (uniform_proper V K1)) by apply bounded_indicator.
    rewrite (total_ext (elements V) _ (fun a => / size V * indicator (fst a))) by (intro; rewrite uniform_chance by auto; reflexivity).
    rewrite total_scale. cbn [V elements]. rewrite total_halves. simpl fst. cbn [indicator]. rewrite !total_const, all_below_length, V_size. field. lra. }
  rewrite P1, P2. rewrite Rabs_pos_eq; lra.
Qed.
Lemma D_spread : forall m, spread V D m = (26 / 100) ^ 2 * 4 * m ^ 2 / size V.
Proof.
  intro m. pose proof (lt_0_INR h h_pos) as HP. unfold spread. cbn [V elements]. rewrite total_halves.
  rewrite (total_ext (all_below h) (fun i => (m * chance V D (true, i) - m / size V) ^ 2) (fun _ => (m * (tilt true / INR h) - m / size V) ^ 2)) by (intro; rewrite D_chance; auto).
  rewrite (total_ext (all_below h) (fun i => (m * chance V D (false, i) - m / size V) ^ 2) (fun _ => (m * (tilt false / INR h) - m / size V) ^ 2)) by (intro; rewrite D_chance; auto).
  rewrite !total_const, all_below_length, V_size. unfold tilt. field. lra.
Qed.
End Paired.

Lemma ceiling_strict : forall x, 0 <= x -> exists n : nat, x <= INR n < x + 1.
Proof.
  intros x H. destruct (archimed x) as [A B]. assert (P : (0 < up x)%Z) by (apply lt_IZR; simpl; lra).
  assert (QZ : INR (Z.to_nat (up x - 1)) = IZR (up x) - 1) by (rewrite INR_IZR_INZ, Z2Nat.id, minus_IZR by lia; auto).
  destruct (Req_dec x (IZR (up x) - 1)) as [Q|Q].
  - exists (Z.to_nat (up x - 1)). rewrite QZ. lra.
  - exists (Z.to_nat (up x)). rewrite INR_IZR_INZ, Z2Nat.id by lia. lra.
Qed.

(* The chance of "not uniform" above a threshold that is far above the mean. *)
Lemma unnoticed : forall {X} (U : universe X) m lambda tau (D : law X) t, 1 <= size U -> 0 < m -> 0 < lambda -> proper D -> 0 < t ->
  let k := size U in let S := spread U D m in
  S + k * lambda / 4 + t <= m / k * tau ->
  Pr (pools_of U m lambda D) (fun l => lt tau (k / m * pools_sum (m / k) l)) <= (V0 U m lambda + S * (2 + 4 * (m / k) + 4 * sqrt S + lambda)) / t ^ 2.
Proof.
  intros X U m lambda tau D t K1 M0 L0 PD T k S H. destruct (pools_of_facts U m lambda K1 M0 L0 D PD) as [PP [MM [v [VV VB]]]].
  fold k S in MM, VB. pose proof (variance_pos _ _ _ PP VV) as VP.
  assert (KP : 0 < k) by (unfold k; lra). assert (KM : 0 < k / m) by (apply Rdiv_lt_0_compat; auto).
  destruct (cantelli _ _ _ _ t PP MM VV T) as [UP _].
  eapply Rle_trans; [apply Pr_le; [auto|] | eapply Rle_trans; [exact UP|]].
  - intro l. unfold lt, le. destruct (Rlt_dec tau (k / m * pools_sum (m / k) l)) as [Q|Q]; [|discriminate]. intros _.
    destruct (Rle_dec _ _) as [W|W]; auto. exfalso. apply W.
    assert (m / k * tau < m / k * (k / m * pools_sum (m / k) l)) by (apply Rmult_lt_compat_l; auto; apply Rdiv_lt_0_compat; auto).
    replace (m / k * (k / m * pools_sum (m / k) l)) with (pools_sum (m / k) l) in * by (field; lra). lra.
  - assert (T2 : 0 < t ^ 2) by (apply pow_lt; auto). apply Rle_trans with (v / t ^ 2).
    + apply Rmult_le_compat_l; auto. apply Rinv_le_contravar; lra.
    + apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; auto | exact VB].
Qed.

(* q >= 10, s >= 1, k = q^12, lambda = s^2, m = s q^10: the bound of the last lemma, divided by s^4 q^12 and s^4 q^24. *)
Lemma numbers_small : forall q s, 10 <= q -> 1 <= s ->
  let k := q ^ 12 in let lambda := s ^ 2 in let m := s * q ^ 10 in let S := (26 / 100) ^ 2 * 4 * m ^ 2 / k in
  let v0 := 2 * m ^ 2 / k + lambda * m + k * lambda ^ 2 / 8 + 5 * k * lambda / 16 in
  let t := s ^ 2 * q ^ 12 / 5 in
  S + k * lambda / 4 + t <= k * lambda / 2 /\ (v0 + S * (2 + 4 * (m / k) + 4 * sqrt S + lambda)) / t ^ 2 <= 1 / 10.
Proof.
  intros q s Q S1 k lambda m S v0 t.
  assert (QP : 0 < q) by lra. assert (SP : 0 < s) by lra.
  assert (Q2 : 100 <= q ^ 2) by (simpl; nra). assert (Q4 : 10000 <= q ^ 4) by (replace (q ^ 4) with (q ^ 2 * q ^ 2) by ring; nra).
  assert (Q8 : 0 < q ^ 8) by (apply pow_lt; auto). assert (Q12 : 0 < q ^ 12) by (apply pow_lt; auto).
  assert (SS : S = (26 / 100) ^ 2 * 4 * (s ^ 2 * q ^ 8)) by (unfold S, m, k; field; lra).
  assert (S2 : 1 <= s ^ 2) by (simpl; nra). assert (SQ8 : s ^ 2 * q ^ 8 * 10000 <= s ^ 2 * q ^ 12).
  { replace (s ^ 2 * q ^ 12) with (s ^ 2 * q ^ 8 * q ^ 4) by ring. apply Rmult_le_compat_l; [apply Rmult_le_pos; lra | auto]. }
  split.
  - unfold k, lambda, t. rewrite SS. set (A := s ^ 2 * q ^ 8) in *. replace (q ^ 12 * s ^ 2) with (s ^ 2 * q ^ 12) by ring. set (B := s ^ 2 * q ^ 12) in *.
    assert (0 < A) by (unfold A; apply Rmult_lt_0_compat; lra). simpl; lra.
  - assert (SR : sqrt S = 52 / 100 * (s * q ^ 4)).
    { replace S with ((52 / 100 * (s * q ^ 4)) ^ 2) by (rewrite SS; field). apply sqrt_pow2. apply Rmult_le_pos; [lra|]. apply Rmult_le_pos; lra. }
    rewrite SR. assert (MK : m / k = s / q ^ 2) by (unfold m, k; field; lra). rewrite MK. rewrite SS. unfold t.
    set (W := s ^ 4 * q ^ 12). assert (WP : 0 < W) by (unfold W; apply Rmult_lt_0_compat; apply pow_lt; lra).
    assert (S4 : s ^ 2 <= s ^ 4) by (replace (s ^ 4) with (s ^ 2 * s ^ 2) by ring; nra). assert (S3 : s ^ 3 <= s ^ 4) by (replace (s ^ 4) with (s ^ 3 * s) by ring; assert (0 < s ^ 3) by (apply pow_lt; lra); nra).
    assert (T1 : 2 * m ^ 2 / k <= W / 1000).
    { replace (2 * m ^ 2 / k) with (2 * (s ^ 2 * q ^ 8)) by (unfold m, k; field; lra).
      assert (s ^ 2 * q ^ 12 <= W) by (unfold W; apply Rmult_le_compat_r; lra). lra. }
    assert (T2 : lambda * m <= W / 100).
    { unfold lambda, m, W. replace (s ^ 2 * (s * q ^ 10)) with (s ^ 3 * q ^ 10) by ring. replace (s ^ 4 * q ^ 12 / 100) with (s ^ 4 * (q ^ 10 * (q ^ 2 / 100))) by field.
      assert (0 < q ^ 10) by (apply pow_lt; auto). assert (0 < s ^ 3) by (apply pow_lt; auto). apply Rmult_le_compat; [lra | lra | lra|]. nra. }
    assert (T3 : k * lambda ^ 2 / 8 + 5 * k * lambda / 16 <= W / 2).
    { unfold k, lambda, W. replace (q ^ 12 * (s ^ 2) ^ 2 / 8 + 5 * q ^ 12 * s ^ 2 / 16) with (q ^ 12 * (s ^ 4 / 8 + 5 * s ^ 2 / 16)) by field.
      replace (s ^ 4 * q ^ 12 / 2) with (q ^ 12 * (s ^ 4 / 2)) by field. apply Rmult_le_compat_l; lra. }
    assert (T4 : (26 / 100) ^ 2 * 4 * (s ^ 2 * q ^ 8) * (2 + 4 * (s / q ^ 2) + 4 * (52 / 100 * (s * q ^ 4)) + lambda) <= W).
    { assert (SQ : s / q ^ 2 <= s / 100) by (apply Rmult_le_compat_l; [lra|]; apply Rinv_le_contravar; lra).
      assert (B : 2 + 4 * (s / q ^ 2) + 4 * (52 / 100 * (s * q ^ 4)) + lambda <= 3 * (s ^ 2 * q ^ 4)).
      { unfold lambda. assert (s <= s ^ 2) by (simpl; nra). assert (s * q ^ 4 <= s ^ 2 * q ^ 4) by (apply Rmult_le_compat_r; lra).
        assert (s ^ 2 * 10000 <= s ^ 2 * q ^ 4) by (apply Rmult_le_compat_l; lra). lra. }
      apply Rle_trans with ((26 / 100) ^ 2 * 4 * (s ^ 2 * q ^ 8) * (3 * (s ^ 2 * q ^ 4))).
      - apply Rmult_le_compat_l; auto. apply Rmult_le_pos; [simpl; lra | apply Rmult_le_pos; lra].
      - unfold W. replace ((26 / 100) ^ 2 * 4 * (s ^ 2 * q ^ 8) * (3 * (s ^ 2 * q ^ 4))) with (8112 / 10000 * (s ^ 4 * q ^ 12)) by field. fold W. lra. }
    assert (V : v0 + (26 / 100) ^ 2 * 4 * (s ^ 2 * q ^ 8) * (2 + 4 * (s / q ^ 2) + 4 * (52 / 100 * (s * q ^ 4)) + lambda) <= 2 * W) by (unfold v0; lra).
    apply Rmult_le_reg_r with ((s ^ 2 * q ^ 12 / 5) ^ 2); [apply pow_lt; apply Rdiv_lt_0_compat; [apply Rmult_lt_0_compat; lra | lra]|].
    assert (TP : (s ^ 2 * q ^ 12 / 5) ^ 2 <> 0) by (apply pow_nonzero; apply Rgt_not_eq; apply Rdiv_lt_0_compat; [apply Rmult_lt_0_compat; lra | lra]).
    unfold Rdiv at 1. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by auto. eapply Rle_trans; [exact V|].
    replace (1 / 10 * (s ^ 2 * q ^ 12 / 5) ^ 2) with (W * (q ^ 12 / 250)) by (unfold W; field).
    assert (500 <= q ^ 12) by (replace (q ^ 12) with (q ^ 4 * (q ^ 4 * q ^ 4)) by ring; nra). nra.
Qed.

Theorem tester_as_printed_fails : ~ tester_as_printed.
Proof.
  intros [C H].
  (* q even, at least 10 and 10 C *)
  destruct (upper_number (Rmax 10 (10 * C))) as [q0 Q0]. set (qn := (2 * q0)%nat). set (q := INR qn).
  assert (QB : 2 * Rmax 10 (10 * C) <= q) by (unfold q, qn; rewrite mult_INR; simpl (INR 2); lra).
  pose proof (Rmax_l 10 (10 * C)) as R1. pose proof (Rmax_r 10 (10 * C)) as R2.
  assert (Q10 : 10 <= q) by lra. assert (QC : 10 * C <= q) by lra.
  set (h := (q0 * qn ^ 11)%nat). assert (HK : 2 * INR h = q ^ 12).
  { unfold h. rewrite mult_INR, pow_INR. fold q. replace (q ^ 12) with (q * q ^ 11) by ring. replace q with (2 * INR q0) at 2 by (unfold q, qn; rewrite mult_INR; simpl; ring). ring. }
  assert (HP : (0 < h)%nat).
  { apply INR_lt. simpl (INR 0). assert (0 < q ^ 12) by (apply pow_lt; lra). lra. }
  set (U := V h). assert (KS : size U = q ^ 12) by (unfold U; rewrite V_size; auto).
  assert (Q12 : 1 <= q ^ 12) by (rewrite <- (pow1 12); apply pow_incr; lra).
  (* lambda for eps = 1, delta = 1/2 *)
  destruct (lambda_order (q ^ 12) 1 (1 / 2) 1 Q12 ltac:(lra) ltac:(lra)) as [L1 _].
  destruct (ceiling_strict (lambda_UT (q ^ 12) 1 (1 / 2)) ltac:(lra)) as [lambda [LA LB]].
  set (s := sqrt (INR lambda)). assert (LP : 1 <= INR lambda) by lra.
  assert (S1 : 1 <= s) by (unfold s; rewrite <- sqrt_1; apply sqrt_le_1_alt; auto). assert (S2 : s ^ 2 = INR lambda) by (unfold s; apply pow2_sqrt; lra).
  set (m := s * q ^ 10). assert (QP : 0 < q) by lra. assert (Q10P : 0 < q ^ 10) by (apply pow_lt; lra). assert (MP : 0 < m) by (apply Rmult_lt_0_compat; lra).
  assert (M3 : 3 <= m).
  { unfold m. assert (10 <= q ^ 10) by (replace (q ^ 10) with (q * q ^ 9) by ring; assert (1 <= q ^ 9) by (rewrite <- (pow1 9); apply pow_incr; lra); nra). nra. }
  (* m is as large as the theorem asks *)
  assert (P34 : Rpower (q ^ 12) (3 / 4) = q ^ 9).
  { rewrite <- Rpower_pow by lra. rewrite Rpower_mult. replace (INR 12 * (3 / 4)) with (INR 9) by (simpl; field). apply Rpower_pow; lra. }
  assert (P23 : Rpower (q ^ 12) (2 / 3) = q ^ 8).
  { rewrite <- Rpower_pow by lra. rewrite Rpower_mult. replace (INR 12 * (2 / 3)) with (INR 8) by (simpl; field). apply Rpower_pow; lra. }
  assert (P12 : sqrt (q ^ 12) = q ^ 6) by (replace (q ^ 12) with ((q ^ 6) ^ 2) by ring; apply sqrt_pow2; apply pow_le; lra).
  assert (A43 : / Rpower (1 / 4) (4 / 3) <= 64 / 10).
  { rewrite <- Rpower_Ropp. replace (1 / 4) with (/ 4) by field. unfold Rpower. rewrite ln_Rinv by lra.
    replace (- (4 / 3) * - ln 4) with (/ 3 * ln 256) by (replace 256 with (4 ^ 4) by ring; rewrite ln_pow by lra; simpl; field).
    replace (64 / 10) with (exp (ln (64 / 10))) by (apply exp_ln; lra). apply exp_le.
    assert (ln 256 <= 3 * ln (64 / 10)); [|lra]. replace (3 * ln (64 / 10)) with (ln ((64 / 10) ^ 3)) by (rewrite ln_pow by lra; simpl; ring).
    apply Power.ln_le_mono; [lra | simpl; lra]. }
  assert (L13 : Rpower (INR lambda) (1 / 3) <= s).
  { unfold s. rewrite <- (Rpower_sqrt (INR lambda)) by lra. apply Rle_Rpower; lra. }
  assert (ENOUGH : C * (Rpower (size U) (3 / 4) * sqrt (INR lambda) / (1 / 4) + Rpower (size U) (2 / 3) * Rpower (INR lambda) (1 / 3) / Rpower (1 / 4) (4 / 3) + sqrt (size U) / (1 / 4) ^ 2) <= m).
  { rewrite KS, P34, P23, P12. fold s. set (X := q ^ 9 * s / (1 / 4) + q ^ 8 * Rpower (INR lambda) (1 / 3) / Rpower (1 / 4) (4 / 3) + q ^ 6 / (1 / 4) ^ 2).
    assert (Q9 : 0 < q ^ 9) by (apply pow_lt; lra). assert (Q8 : 0 < q ^ 8) by (apply pow_lt; lra). assert (Q6 : 0 < q ^ 6) by (apply pow_lt; lra).
    assert (L0 : 0 < Rpower (INR lambda) (1 / 3)) by apply exp_pos. assert (AP : 0 < / Rpower (1 / 4) (4 / 3)) by (apply Rinv_0_lt_compat; apply exp_pos).
    assert (XB : 0 <= X <= 10 * (s * q ^ 9)).
    { unfold X, Rdiv at 2. split.
      - apply Rplus_le_le_0_compat; [apply Rplus_le_le_0_compat|]; [apply Rmult_le_pos; [apply Rmult_le_pos; lra | lra] | apply Rmult_le_pos; [apply Rmult_le_pos; lra | lra] | apply Rmult_le_pos; [lra | simpl; lra]].
      - assert (X2 : q ^ 8 * Rpower (INR lambda) (1 / 3) * / Rpower (1 / 4) (4 / 3) <= q ^ 8 * s * (64 / 10)).
        { apply Rmult_le_compat; try lra; [apply Rmult_le_pos; lra | apply Rmult_le_compat_l; lra]. }
        assert (X3 : q ^ 8 * s * 10 <= s * q ^ 9) by (replace (s * q ^ 9) with (q ^ 8 * s * q) by ring; apply Rmult_le_compat_l; [apply Rmult_le_pos; lra | lra]).
        assert (X4 : q ^ 6 * 1000 <= s * q ^ 9).
        { replace (s * q ^ 9) with (q ^ 6 * (s * q ^ 3)) by ring. apply Rmult_le_compat_l; [lra|]. assert (1000 <= q ^ 3) by (simpl; nra). nra. }
        assert (0 < s * q ^ 9) by (apply Rmult_lt_0_compat; lra). simpl; lra. }
    destruct (Rle_dec C 0) as [C0|C0]; [apply Rle_trans with 0; [nra | lra]|].
    apply Rle_trans with (C * (10 * (s * q ^ 9))); [apply Rmult_le_compat_l; lra|]. unfold m. replace (s * q ^ 10) with (q * (s * q ^ 9)) by ring.
    replace (C * (10 * (s * q ^ 9))) with (10 * C * (s * q ^ 9)) by ring. apply Rmult_le_compat_r; [apply Rmult_le_pos; lra | lra]. }
  pose proof (D_proper2 h HP) as PD.
  assert (K1 : 1 <= size U) by (rewrite KS; auto).
  set (tau := tau_printed (size U) m (INR lambda) (1 / 4)).
  specialize (H _ U 1 (1 / 2) (1 / 4) m lambda (D h) K1 ltac:(lra) ltac:(lra) ltac:(lra) ltac:(rewrite KS; lra) ENOUGH PD (D_far h HP)). fold tau in H.
  pose proof (run_poissonized U (INR lambda) ltac:(lra) m tau (D h) negb MP PD) as R. pose proof (exp_small m M3) as EX.
  destruct (numbers_small q s Q10 S1) as [N1 N2]. cbv zeta in N1, N2. rewrite S2 in N1, N2. fold m in N1, N2.
  set (t := INR lambda * q ^ 12 / 5) in *. assert (TP : 0 < t) by (unfold t; apply Rdiv_lt_0_compat; [apply Rmult_lt_0_compat; lra | lra]).
  assert (SPR : spread U (D h) m = (26 / 100) ^ 2 * 4 * m ^ 2 / q ^ 12) by (unfold U; rewrite D_spread by auto; fold U; rewrite KS; auto).
  assert (GAP : spread U (D h) m + size U * INR lambda / 4 + t <= m / size U * tau).
  { rewrite SPR, KS. eapply Rle_trans; [exact N1|]. unfold tau, tau_printed. rewrite KS.
    apply Rle_trans with (m / q ^ 12 * ((q ^ 12) ^ 2 / (2 * m) * INR lambda)); [right; field; split; lra|].
    apply Rmult_le_compat_l; [left; apply Rdiv_lt_0_compat; lra|].
    assert (0 <= 3 * (1 / 4) ^ 2 * m / 250) by (simpl; lra).
    assert (0 <= 5 * Rpower (q ^ 12) (3 / 2) / m * INR lambda) by (apply Rmult_le_pos; [left; apply Rdiv_lt_0_compat; [apply Rmult_lt_0_compat; [lra | apply exp_pos] | auto] | lra]).
    assert (0 <= 10 * q ^ 12 / sqrt m * sqrt (INR lambda)) by (apply Rmult_le_pos; [left; apply Rdiv_lt_0_compat; [lra | apply sqrt_lt_R0; auto] | apply sqrt_pos]).
    assert (0 <= 5 * Rpower (q ^ 12) (3 / 2) / m * sqrt (INR lambda)) by (apply Rmult_le_pos; [left; apply Rdiv_lt_0_compat; [apply Rmult_lt_0_compat; [lra | apply exp_pos] | auto] | apply sqrt_pos]). lra. }
  pose proof (unnoticed U m (INR lambda) tau (D h) t K1 MP ltac:(lra) PD TP GAP) as UN. cbv zeta in UN. rewrite SPR in UN. unfold V0 in UN. rewrite KS in UN.
  rewrite KS in R.
  assert (SAME : Pr (pools_law (INR lambda) (map (fun j => m * chance U (D h) j) (elements U))) (fun l => negb (negb (lt tau (q ^ 12 / m * pools_sum (m / q ^ 12) l))))
    = Pr (pools_of U m (INR lambda) (D h)) (fun l => lt tau (q ^ 12 / m * pools_sum (m / q ^ 12) l))).
  { apply Pr_ext. intro l. apply negb_involutive. }
  rewrite SAME in R. apply Rabs_le_between in R. lra.
Qed.
