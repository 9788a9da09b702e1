(* Beside Lemma b_noise: the constant 10 can be 1.03.

   For E = e^eps <= 5/2 by D(a|p) >= (p-a)^2/(2p(1-p)); for E >= 5/2, with v = 1/E and s = p(1-v), by
   D(a|p) = -ln(1-s) + p v ln v/(1-s), the series of the logarithm, and tangents of v ln v. *)
From Coq Require Import Reals ZArith Lra Lia List Bool.
From PanshuffleKernel Require Import Law Closeness Online UniformityTransformation BinomialMechanism PanSum PanHistogram BinarySum.
From PanshuffleKernel Require Import Calculus BinomialTail BinomialLemma.
Import ListNotations.
Open Scope R_scope.

(* -ln(1-s) >= s + s^2/2 + s^3/3 + s^4/4. *)
Lemma ln_series : forall s, 0 <= s < 1 -> s + s * s / 2 + s * s * s / 3 + s * s * s * s / 4 <= - ln (1 - s).
Proof.
  intros s Hs.
  pose proof (rises (fun t => - 1 * ln (1 - t) - (t + t * t * / 2 + t * t * t * / 3 + t * t * t * t * / 4))
    (fun t => t * t * t * t * / (1 - t)) 0 s ltac:(lra)) as R. cbv beta in R. rewrite Rminus_0_r, ln_1 in R.
  enough (- 1 * 0 - (0 + 0 * 0 * / 2 + 0 * 0 * 0 * / 3 + 0 * 0 * 0 * 0 * / 4)
    <= - 1 * ln (1 - s) - (s + s * s * / 2 + s * s * s * / 3 + s * s * s * s * / 4)) by (unfold Rdiv; lra).
  apply R.
  - intros c Hc. derive; try lra. field. lra.
  - intros c Hc. assert (0 < / (1 - c)) by (apply Rinv_0_lt_compat; lra). assert (0 <= c * c) by nra.
    assert (0 <= c * c * c) by nra. assert (0 <= c * c * c * c) by nra. nra.
Qed.

(* A tangent of -v ln v. *)
Lemma tangent : forall v v0, 0 < v -> 0 < v0 -> - (v * ln v) <= v * (- ln v0) + v0 - v.
Proof.
  intros v v0 H H0. pose proof (ln_at_most (v0 / v) ltac:(apply Rdiv_lt_0_compat; lra)) as L.
  unfold Rdiv in L. rewrite ln_mult, ln_Rinv in L by (try apply Rinv_0_lt_compat; lra).
  apply Rmult_le_compat_l with (r := v) in L; [|lra]. replace (v * (v0 * / v - 1)) with (v0 - v) in L by (field; lra). lra.
Qed.

Lemma minus_ln_ratio : forall a b, 0 < a -> 0 < b -> - ln (a / b) = ln b - ln a.
Proof. intros. unfold Rdiv. rewrite ln_mult, ln_Rinv by (try apply Rinv_0_lt_compat; lra). ring. Qed.

Lemma ln_36 : ln 36 <= 3.5856.
Proof.
  pose proof ln_2_bounds. pose proof ln_3_bounds. replace 36 with (2 ^ 2 * 3 ^ 2) by lra.
  rewrite ln_mult, !ln_pow by lra. simpl INR. lra.
Qed.
Lemma ln_16 : ln 16 <= 2.7744.
Proof. pose proof ln_2_bounds. replace 16 with (2 ^ 4) by lra. rewrite ln_pow by lra. simpl INR. lra. Qed.
Lemma ln_4 : ln 4 <= 1.3872.
Proof. pose proof ln_2_bounds. replace 4 with (2 ^ 2) by lra. rewrite ln_pow by lra. simpl INR. lra. Qed.

Lemma h_36 : forall v, 0 < v -> - (v * ln v) <= v * 3.5856 + 1 / 36 - v.
Proof.
  intros v H. pose proof (tangent v (1 / 36) H ltac:(lra)) as T. rewrite minus_ln_ratio, ln_1 in T by lra.
  pose proof ln_36. assert (v * ln 36 <= v * 3.5856) by (apply Rmult_le_compat_l; lra). lra.
Qed.
Lemma h_16 : forall v, 0 < v -> - (v * ln v) <= v * 2.7744 + 1 / 16 - v.
Proof.
  intros v H. pose proof (tangent v (1 / 16) H ltac:(lra)) as T. rewrite minus_ln_ratio, ln_1 in T by lra.
  pose proof ln_16. assert (v * ln 16 <= v * 2.7744) by (apply Rmult_le_compat_l; lra). lra.
Qed.
Lemma h_3_16 : forall v, 0 < v -> - (v * ln v) <= v * (16764 / 10000) + 3 / 16 - v.
Proof.
  intros v H. pose proof (tangent v (3 / 16) H ltac:(lra)) as T. rewrite minus_ln_ratio in T by lra.
  pose proof ln_16. pose proof ln_3_bounds. assert (v * (ln 16 - ln 3) <= v * (16764 / 10000)) by (apply Rmult_le_compat_l; lra). lra.
Qed.
Lemma h_4 : forall v, 0 < v -> - (v * ln v) <= v * 1.3872 + 1 / 4 - v.
Proof.
  intros v H. pose proof (tangent v (1 / 4) H ltac:(lra)) as T. rewrite minus_ln_ratio, ln_1 in T by lra.
  pose proof ln_4. assert (v * ln 4 <= v * 1.3872) by (apply Rmult_le_compat_l; lra). lra.
Qed.
Lemma h_3 : forall v, 0 < v -> - (v * ln v) <= v * (10992 / 10000) + 1 / 3 - v.
Proof.
  intros v H. pose proof (tangent v (1 / 3) H ltac:(lra)) as T. rewrite minus_ln_ratio, ln_1 in T by lra.
  pose proof ln_3_bounds. assert (v * ln 3 <= v * (10992 / 10000)) by (apply Rmult_le_compat_l; lra). lra.
Qed.

(* s = 0: 1.03 (1 - v + v ln v) >= ((1-v)/(1+v))^2. *)
Lemma at_zero : forall v, 0 < v <= 2 / 5 -> (1 - v) ^ 2 <= 103 / 100 * (1 - v + v * ln v) * (1 + v) ^ 2.
Proof.
  intros v Hv. pose proof (h_36 v ltac:(lra)). pose proof (h_16 v ltac:(lra)).
  pose proof (h_3_16 v ltac:(lra)). pose proof (h_4 v ltac:(lra)). set (h := v * ln v) in *.
  assert (P : 0 < (1 + v) ^ 2) by (apply pow_lt; lra).
  assert (M : forall m, m <= 1 - v + h -> 103 / 100 * m * (1 + v) ^ 2 <= 103 / 100 * (1 - v + h) * (1 + v) ^ 2)
    by (intros m Hm; apply Rmult_le_compat_r; lra).
  destruct (Rle_dec v 0.043) as [C|C]; [|destruct (Rle_dec v 0.12) as [C2|C2]; [|destruct (Rle_dec v 0.34) as [C3|C3]]].
  - eapply Rle_trans; [|apply (M (1 - 1 / 36 - v * 3.5856)); lra]. clear -Hv C. nra.
  - eapply Rle_trans; [|apply (M (1 - 1 / 16 - v * 2.7744)); lra]. clear -Hv C C2. nra.
  - eapply Rle_trans; [|apply (M (1 - 3 / 16 - v * (16764 / 10000))); lra]. clear -Hv C2 C3. nra.
  - eapply Rle_trans; [|apply (M (1 - 1 / 4 - v * 1.3872)); lra]. clear -Hv C3. nra.
Qed.

(* Sums of products of powers of numbers that are not negative. *)
Ltac positive := repeat match goal with
  | |- 0 <= _ + _ => apply Rplus_le_le_0_compat | |- 0 <= _ * _ => apply Rmult_le_pos | |- 0 <= _ ^ _ => apply pow_le
  | |- _ => lra end.

(* s = u = (1-v)/2; the polynomials are written in the powers of the distances to the ends of the interval. *)
Lemma at_half : forall v u, 0 < v <= 2 / 5 -> u = (1 - v) / 2 ->
  (1 - u) * (1 - v) ^ 2 <= 103 / 100 * ((1 - v) * (1 - u / 2 - u ^ 2 / 6 - u ^ 3 / 12 - u ^ 4 / 4) + v * ln v) * (1 + v) ^ 2.
Proof.
  intros v u Hv Hu. pose proof (h_3_16 v ltac:(lra)). pose proof (h_3 v ltac:(lra)). set (h := v * ln v) in *.
  assert (P : 0 < (1 + v) ^ 2) by (apply pow_lt; lra).
  set (X := (1 - v) * (1 - u / 2 - u ^ 2 / 6 - u ^ 3 / 12 - u ^ 4 / 4)).
  assert (M : forall m, m <= X + h -> 103 / 100 * m * (1 + v) ^ 2 <= 103 / 100 * (X + h) * (1 + v) ^ 2)
    by (intros m Hm; apply Rmult_le_compat_r; lra).
  destruct (Rle_dec v 0.25) as [C|C].
  - eapply Rle_trans; [|apply (M (X + v - 3 / 16 - v * (16764 / 10000))); lra]. unfold X. clear -Hv C Hu. subst u. apply Rminus_le. apply Rle_trans with (- (
      (2368 / 15) * ((v - 0) ^ 0 * (1 / 4 - v) ^ 7) +
      (159265136 / 46875) * ((v - 0) ^ 1 * (1 / 4 - v) ^ 6) +
      (242393628 / 15625) * ((v - 0) ^ 2 * (1 / 4 - v) ^ 5) +
      (1476696451 / 46875) * ((v - 0) ^ 3 * (1 / 4 - v) ^ 4) +
      (6242608111 / 187500) * ((v - 0) ^ 4 * (1 / 4 - v) ^ 3) +
      (4587037487 / 250000) * ((v - 0) ^ 5 * (1 / 4 - v) ^ 2) +
      (908134869 / 200000) * ((v - 0) ^ 6 * (1 / 4 - v) ^ 1) +
      (41119267 / 160000) * ((v - 0) ^ 7 * (1 / 4 - v) ^ 0)));
      [right; field | apply Ropp_le_cancel; rewrite Ropp_0, Ropp_involutive; positive].
  - eapply Rle_trans; [|apply (M (X + v - 1 / 3 - v * (10992 / 10000))); lra]. unfold X. clear -Hv C Hu. subst u. apply Rminus_le. apply Rle_trans with (- (
      (12993869125 / 1679616) * ((v - 1 / 4) ^ 0 * (2 / 5 - v) ^ 7) +
      (32162483485 / 419904) * ((v - 1 / 4) ^ 1 * (2 / 5 - v) ^ 6) +
      (47530160639 / 174960) * ((v - 1 / 4) ^ 2 * (2 / 5 - v) ^ 5) +
      (312419396729 / 656100) * ((v - 1 / 4) ^ 3 * (2 / 5 - v) ^ 4) +
      (73673363879 / 164025) * ((v - 1 / 4) ^ 4 * (2 / 5 - v) ^ 3) +
      (12060626452 / 54675) * ((v - 1 / 4) ^ 5 * (2 / 5 - v) ^ 2) +
      (7463695024 / 164025) * ((v - 1 / 4) ^ 6 * (2 / 5 - v) ^ 1) +
      (115321024 / 164025) * ((v - 1 / 4) ^ 7 * (2 / 5 - v) ^ 0)));
      [right; field | apply Ropp_le_cancel; rewrite Ropp_0, Ropp_involutive; positive].
Qed.

(* Between the two: concave in s = p(1-v). *)
Lemma lower_entropy_large : forall p Ex, 0 < p <= 1 / 2 -> 5 / 2 <= Ex ->
  p * ((Ex - 1) / (Ex + 1)) ^ 2 <= 103 / 100 * relative_entropy (lower_point p Ex) p.
Proof.
  intros p Ex Hp HE. rewrite lower_entropy by lra.
  set (v := / Ex). assert (V0 : 0 < v) by (apply Rinv_0_lt_compat; lra).
  assert (V1 : v <= 2 / 5).
  { unfold v. replace (2 / 5) with (/ (5 / 2)) by field. apply Rinv_le_contravar; lra. }
  assert (EV : Ex = / v) by (unfold v; field; lra).
  set (s := p * (1 - v)). set (u := (1 - v) / 2).
  assert (S0 : 0 < s) by (apply Rmult_lt_0_compat; lra).
  assert (S1 : s = 2 * p * u) by (unfold s, u; field). assert (U0 : 0 < u < 1 / 2) by (unfold u; lra).
  assert (S2 : s <= u) by (rewrite S1; assert (2 * p * u <= 1 * u) by (apply Rmult_le_compat_r; lra); lra).
  assert (LE : ln Ex = - ln v) by (rewrite EV; apply ln_Rinv; auto).
  assert (A : lower_point p Ex = p * v / (1 - s)) by (unfold lower_point, s; rewrite EV; field; unfold s in *; repeat split; nra).
  assert (WE : p + Ex * (1 - p) = (1 - s) * Ex) by (unfold s; rewrite EV; field; lra).
  rewrite A, WE, ln_mult, LE by lra.
  replace ((1 - p * v / (1 - s)) * - ln v - (ln (1 - s) + - ln v)) with (p * (v * ln v) / (1 - s) - ln (1 - s)) by (field; lra).
  pose proof (ln_series s ltac:(lra)) as LS. pose proof (at_zero v ltac:(lra)) as F0. pose proof (at_half v u ltac:(lra) eq_refl) as F1.
  set (h := v * ln v) in *. replace (ln (1 - s)) with (- - ln (1 - s)) by ring. set (Q := - ln (1 - s)) in *.
  replace ((Ex - 1) / (Ex + 1)) with ((1 - v) / (1 + v)) by (rewrite EV; field; lra).
  apply Rle_trans with (103 / 100 * (p * h / (1 - s) + (s + s * s / 2 + s * s * s / 3 + s * s * s * s / 4))); [|lra].
  replace (p * ((1 - v) / (1 + v)) ^ 2) with (p * (((1 - s) * (1 - v) ^ 2) / ((1 - s) * (1 + v) ^ 2))) by (field; lra).
  replace (p * h / (1 - s) + (s + s * s / 2 + s * s * s / 3 + s * s * s * s / 4))
    with (p * ((1 - v) * (1 - s / 2 - s ^ 2 / 6 - s ^ 3 / 12 - s ^ 4 / 4) + h) / (1 - s)) 
    by (replace (p * ((1 - v) * (1 - s / 2 - s ^ 2 / 6 - s ^ 3 / 12 - s ^ 4 / 4) + h))
      with (s * (1 - s / 2 - s ^ 2 / 6 - s ^ 3 / 12 - s ^ 4 / 4) + p * h) by (unfold s at 1; ring); field; lra).
  assert (D0 : 0 < (1 - s) * (1 + v) ^ 2) by (apply Rmult_lt_0_compat; [lra | apply pow_lt; lra]).
  set (Y := (1 - v) * (1 - s / 2 - s ^ 2 / 6 - s ^ 3 / 12 - s ^ 4 / 4) + h).
  replace (103 / 100 * (p * Y / (1 - s))) with (p * ((103 / 100 * Y * (1 + v) ^ 2) / ((1 - s) * (1 + v) ^ 2))) by (field; lra).
  apply Rmult_le_compat_l; [lra|]. unfold Rdiv at 1 2. apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; auto|].
  apply Rle_trans with ((1 - 2 * p) * (103 / 100 * (1 - v + h) * (1 + v) ^ 2)
    + 2 * p * (103 / 100 * ((1 - v) * (1 - u / 2 - u ^ 2 / 6 - u ^ 3 / 12 - u ^ 4 / 4) + h) * (1 + v) ^ 2)).
  - apply Rmult_le_compat_l with (r := 1 - 2 * p) in F0; [|lra]. apply Rmult_le_compat_l with (r := 2 * p) in F1; [|lra].
    rewrite S1. lra.
  - replace (_ + _) with (103 / 100 * ((1 - v) * (1 - 2 * p * (u / 2 + u ^ 2 / 6 + u ^ 3 / 12 + u ^ 4 / 4)) + h) * (1 + v) ^ 2) by ring.
    apply Rmult_le_compat_r; [apply pow2_ge_0|]. apply Rmult_le_compat_l; [lra|]. unfold Y. apply Rplus_le_compat_r.
    apply Rmult_le_compat_l; [lra|].
    assert (T2 : s ^ 2 <= 2 * p * u ^ 2).
    { replace (s ^ 2) with (s * s) by ring. replace (2 * p * u ^ 2) with (s * u) by (rewrite S1; ring). apply Rmult_le_compat_l; lra. }
    assert (T3 : s ^ 3 <= 2 * p * u ^ 3).
    { replace (s ^ 3) with (s ^ 2 * s) by ring. replace (2 * p * u ^ 3) with (2 * p * u ^ 2 * u) by ring.
      apply Rmult_le_compat; try lra. apply pow2_ge_0. }
    assert (T4 : s ^ 4 <= 2 * p * u ^ 4).
    { replace (s ^ 4) with (s ^ 3 * s) by ring. replace (2 * p * u ^ 4) with (2 * p * u ^ 3 * u) by ring.
      apply Rmult_le_compat; try lra. apply pow_le; lra. }
    rewrite S1 at 1. lra.
Qed.

Lemma lower_entropy_small : forall p Ex, 0 < p <= 1 / 2 -> 1 < Ex <= 5 / 2 ->
  p * ((Ex - 1) / (Ex + 1)) ^ 2 <= 103 / 100 * relative_entropy (lower_point p Ex) p.
Proof.
  intros p Ex Hp HE. pose proof (lower_entropy_quadratic p Ex Hp ltac:(lra)) as Q.
  assert (W0 : 1 < p + Ex * (1 - p)) by (assert (1 * (1 - p) < Ex * (1 - p)) by (apply Rmult_lt_compat_r; lra); lra).
  set (W := p + Ex * (1 - p)) in *.
  assert (X : p * ((Ex - 1) / (Ex + 1)) ^ 2 <= 103 / 100 * (p * ((1 - p) * (Ex - 1) ^ 2 / (2 * W ^ 2)))); [|lra].
  replace (p * ((Ex - 1) / (Ex + 1)) ^ 2) with (p * (Ex - 1) ^ 2 * / (Ex + 1) ^ 2) by (field; lra).
  replace (103 / 100 * (p * ((1 - p) * (Ex - 1) ^ 2 / (2 * W ^ 2)))) with (p * (Ex - 1) ^ 2 * (103 / 200 * (1 - p) * / W ^ 2)) by (field; lra).
  apply Rmult_le_compat_l; [apply Rmult_le_pos; [lra | apply pow2_ge_0]|].
  apply Rmult_le_reg_r with ((Ex + 1) ^ 2 * W ^ 2); [apply Rmult_lt_0_compat; apply pow_lt; lra|].
  replace (/ (Ex + 1) ^ 2 * ((Ex + 1) ^ 2 * W ^ 2)) with (W ^ 2) by (field; lra).
  replace (103 / 200 * (1 - p) * / W ^ 2 * ((Ex + 1) ^ 2 * W ^ 2)) with (103 / 200 * (1 - p) * (Ex + 1) ^ 2) by (field; lra).
  assert (E0 : 2 * Ex ^ 2 <= 103 / 100 * (Ex + 1) ^ 2) by nra.
  assert (E1 : 0 <= (Ex - 1) ^ 2 * (p * (1 - 2 * p))) by (apply Rmult_le_pos; [apply pow2_ge_0 | apply Rmult_le_pos; lra]).
  assert (E2 : 0 <= (1 - 2 * p) * (103 / 100 * (Ex + 1) ^ 2 - 2 * Ex ^ 2)) by (apply Rmult_le_pos; lra).
  assert (E3 : 0 <= p * (Ex + 1) ^ 2) by (apply Rmult_le_pos; [lra | apply pow2_ge_0]).
  unfold W. lra.
Qed.

(* Lemma b_noise with 1.03 in place of 10. *)
Theorem b_noise_sharp : forall (l : nat) (p eps delta : R), 0 < p < 1 -> 0 < eps -> 0 < delta <= 1 ->
  1.03 * noise_scale eps delta <= INR l * Rmin p (1 - p) ->
  forall (X : Type) (f : list X -> Z) (n : nat), one_sensitive f -> private_on n eps delta (binomial_mechanism l p f).
Proof.
  intros l p eps delta Hp He Hd H. apply hides_one_iff. revert H. apply binomial_lemma_by_entropy; auto; [lra|].
  clear. intros p Ex Hp HE. replace 1.03 with (103 / 100) by lra. destruct (Rle_dec Ex (5 / 2)); [apply lower_entropy_small | apply lower_entropy_large]; lra.
Qed.

(* Theorems zerocount-pan and hist-pan with 2.06 in place of 20. *)
Lemma lambda_hides_sharp : forall (lambda : nat) (eps delta : R), 0 < eps -> 0 < delta <= 1 ->
  2.06 * noise_scale eps delta <= INR lambda -> hides_one lambda (1 / 2) eps delta.
Proof.
  intros lambda eps delta He Hd HL. apply hides_one_iff. apply b_noise_sharp; auto; [lra|].
  rewrite Rmin_left by lra. lra.
Qed.
Theorem zerocount_pan_sharp : forall (lambda : nat) (eps delta : R) (n : nat), 0 < eps -> 0 < delta <= 1 ->
  2.06 * noise_scale eps delta <= INR lambda ->
  pan_private n eps delta (zsum_initial lambda) zsum_update (zsum_output lambda).
Proof. intros. apply zsum_private. apply lambda_hides_sharp; auto. Qed.
Theorem histogram_pan_sharp :
  forall (Element : Type) (same : forall a b : Element, {a = b} + {a <> b}) (K : list Element) (lambda : nat)
         (eps delta : R) (n : nat),
  NoDup K -> 0 < eps -> 0 < delta <= 1 -> 2.06 * noise_scale eps delta <= INR lambda ->
  pan_private n (2 * eps) (2 * delta)
    (hist_initial Element K lambda) (hist_update Element same K) (hist_output lambda).
Proof. intros. apply histogram_private; auto; try lra. apply lambda_hides_sharp; auto. Qed.
