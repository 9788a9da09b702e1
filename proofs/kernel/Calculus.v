(* Calculus for the bounds in these files: monotone by the sign of a derivative, numerical enclosures of ln 2 and ln 3, and
   lower bounds on the relative entropy of two bits.

   "D(b|p) is the integral of |b - t|/(t(1-t)) between p and b, so at least (b-p)^2/(2M) where t(1-t) <= M in between." *)
From Coq Require Import Reals Lra List Bool.
Import ListNotations.
Open Scope R_scope.

(* A function with a derivative that is not negative does not fall. *)
Lemma rises : forall f f' a b, a <= b ->
  (forall c, a <= c <= b -> derivable_pt_lim f c (f' c)) -> (forall c, a < c < b -> 0 <= f' c) -> f a <= f b.
Proof.
  intros f f' a b [H|H] D P; [|subst; lra].
  destruct (MVT_cor2 f f' a b H D) as [c [E C]]. specialize (P c C).
  assert (0 <= f' c * (b - a)) by (apply Rmult_le_pos; lra). lra.
Qed.

Lemma le_div : forall a b c, 0 < c -> a * c <= b -> a <= b / c.
Proof. intros a b c H L. apply Rmult_le_reg_r with c; auto. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra. Qed.
Lemma div_le : forall a b c, 0 < c -> a <= b * c -> a / c <= b.
Proof. intros a b c H L. apply Rmult_le_reg_r with c; auto. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra. Qed.

(* Derivatives of the functions in use. *)
Lemma d_ln : forall x, 0 < x -> derivable_pt_lim ln x (/ x).
Proof. exact derivable_pt_lim_ln. Qed.
Lemma d_comp : forall f g x l m, derivable_pt_lim f x l -> derivable_pt_lim g (f x) m ->
  derivable_pt_lim (fun t => g (f t)) x (m * l).
Proof. intros. exact (derivable_pt_lim_comp f g x l m H H0). Qed.
Lemma d_plus : forall f g x l m, derivable_pt_lim f x l -> derivable_pt_lim g x m ->
  derivable_pt_lim (fun t => f t + g t) x (l + m).
Proof. intros. exact (derivable_pt_lim_plus f g x l m H H0). Qed.
Lemma d_minus : forall f g x l m, derivable_pt_lim f x l -> derivable_pt_lim g x m ->
  derivable_pt_lim (fun t => f t - g t) x (l - m).
Proof. intros. exact (derivable_pt_lim_minus f g x l m H H0). Qed.
Lemma d_mult : forall f g x l m, derivable_pt_lim f x l -> derivable_pt_lim g x m ->
  derivable_pt_lim (fun t => f t * g t) x (l * g x + f x * m).
Proof. intros. exact (derivable_pt_lim_mult f g x l m H H0). Qed.
Lemma d_const : forall c x, derivable_pt_lim (fun _ => c) x 0.
Proof. intros. exact (derivable_pt_lim_const c x). Qed.
Lemma d_id : forall x, derivable_pt_lim (fun t => t) x 1.
Proof. intros. exact (derivable_pt_lim_id x). Qed.
Lemma d_exp : forall x, derivable_pt_lim exp x (exp x).
Proof. exact derivable_pt_lim_exp. Qed.
Lemma d_inv : forall f x l, f x <> 0 -> derivable_pt_lim f x l ->
  derivable_pt_lim (fun t => / f t) x (- l / (f x * f x)).
Proof.
  intros f x l N H. pose proof (derivable_pt_lim_div (fct_cte 1) f x 0 l (derivable_pt_lim_const 1 x) H N) as D.
  unfold div_fct, fct_cte in D. intros e He. destruct (D e He) as [d Q]. exists d. intros h Hh Hd. specialize (Q h Hh Hd).
  replace (- l / (f x * f x)) with ((0 * f x - l * 1) / Rsqr (f x)) by (unfold Rsqr; field; auto).
  unfold Rdiv in *. rewrite !Rmult_1_l in Q. rewrite Rmult_1_r in *. exact Q.
Qed.
(* The derivative under another name. *)
Lemma d_is : forall f x l m, derivable_pt_lim f x l -> l = m -> derivable_pt_lim f x m.
Proof. intros; subst; auto. Qed.
(* Leaves the side conditions, and last the equation between the derivative found and the one claimed. *)
Ltac derive_step := first
  [ apply d_const | apply d_id | eapply d_minus | eapply d_plus | eapply d_mult | apply d_exp | eapply d_inv; [|]
  | apply d_ln | eapply (d_comp _ ln); [|apply d_ln] | eapply (d_comp _ exp); [|apply d_exp] ].
Ltac derive := eapply d_is; [repeat derive_step|]; cbv beta.

(* 2(y-1)/(y+1) <= ln y <= (y - 1/y)/2 for y >= 1. *)
Lemma ln_above : forall y, 1 <= y -> 2 * (y - 1) / (y + 1) <= ln y.
Proof.
  intros y Hy.
  pose proof (rises (fun t => ln t - (2 - 4 * / (t + 1))) (fun t => (t - 1) * (t - 1) * / (t * ((t + 1) * (t + 1)))) 1 y Hy) as R.
  cbv beta in R. rewrite ln_1 in R.
  assert (2 * (y - 1) / (y + 1) = 2 - 4 * / (y + 1)) as -> by (field; lra).
  enough (0 - (2 - 4 * / (1 + 1)) <= ln y - (2 - 4 * / (y + 1))) by lra. apply R.
  - intros c Hc. derive; try lra. field; lra.
  - intros c Hc. apply Rmult_le_pos; [nra|]. left. apply Rinv_0_lt_compat. nra.
Qed.
Lemma ln_below : forall y, 1 <= y -> ln y <= (y - / y) / 2.
Proof.
  intros y Hy.
  pose proof (rises (fun t => (t - / t) * / 2 - ln t) (fun t => (t - 1) * (t - 1) * / (2 * (t * t))) 1 y Hy) as R.
  cbv beta in R. rewrite ln_1, Rinv_1 in R.
  enough ((1 - 1) * / 2 - 0 <= (y - / y) * / 2 - ln y) by lra. apply R.
  - intros c Hc. derive; try lra. field; lra.
  - intros c Hc. apply Rmult_le_pos; [nra|]. left. apply Rinv_0_lt_compat. nra.
Qed.

Lemma ln_pow_mult : forall x y z a b c, 0 < x -> 0 < y -> 0 < z ->
  ln (x ^ a * y ^ b * z ^ c) = INR a * ln x + INR b * ln y + INR c * ln z.
Proof. intros. rewrite !ln_mult, !ln_pow; auto; repeat apply Rmult_lt_0_compat; apply pow_lt; auto. Qed.

Lemma ln_2_bounds : 0.6929 <= ln 2 <= 0.6936.
Proof.
  assert (X : ln 2 = INR 7 * ln (16 / 15) + INR 5 * ln (25 / 24) + INR 3 * ln (81 / 80))
    by (rewrite <- ln_pow_mult by lra; f_equal; simpl; field).
  pose proof (ln_above (16 / 15) ltac:(lra)). pose proof (ln_above (25 / 24) ltac:(lra)).
  pose proof (ln_above (81 / 80) ltac:(lra)).
  pose proof (ln_below (16 / 15) ltac:(lra)). pose proof (ln_below (25 / 24) ltac:(lra)).
  pose proof (ln_below (81 / 80) ltac:(lra)). simpl INR in X. lra.
Qed.
Lemma ln_3_bounds : 1.098 <= ln 3 <= 1.0992.
Proof.
  assert (X : ln 3 = INR 11 * ln (16 / 15) + INR 8 * ln (25 / 24) + INR 5 * ln (81 / 80))
    by (rewrite <- ln_pow_mult by lra; f_equal; simpl; field).
  pose proof (ln_above (16 / 15) ltac:(lra)). pose proof (ln_above (25 / 24) ltac:(lra)).
  pose proof (ln_above (81 / 80) ltac:(lra)).
  pose proof (ln_below (16 / 15) ltac:(lra)). pose proof (ln_below (25 / 24) ltac:(lra)).
  pose proof (ln_below (81 / 80) ltac:(lra)). simpl INR in X. lra.
Qed.

Lemma ln_at_most : forall y, 0 < y -> ln y <= y - 1.
Proof. intros y H. pose proof (exp_ineq1_le (ln y)). rewrite exp_ln in *; lra. Qed.
(* ln E <= E/4 + 2 ln 2 - 1. *)
Lemma ln_quarter : forall y, 0 < y -> ln y <= y / 4 + 2 * ln 2 - 1.
Proof.
  intros y H. pose proof (ln_at_most (y / 4) ltac:(lra)). unfold Rdiv in *. rewrite ln_mult, ln_Rinv in * by lra.
  replace 4 with (2 ^ 2) in H0 by lra. rewrite (ln_pow 2 ltac:(lra) 2) in H0. simpl INR in H0. lra.
Qed.

(* The relative entropy of bits that are 1 with probability b and p. *)
Definition relative_entropy (b p : R) : R := b * (ln b - ln p) + (1 - b) * (ln (1 - b) - ln (1 - p)).

Lemma d_entropy : forall b M t, 0 < t < 1 -> M <> 0 ->
  derivable_pt_lim (fun t => - b * ln t - (1 - b) * ln (1 - t) - (t - b) * (t - b) * / (2 * M)) t
    ((t - b) * (/ (t * (1 - t)) - / M)).
Proof. intros b M t Ht HM. derive; try lra. field. lra. Qed.

Lemma entropy_below : forall a p M, 0 < a <= p -> p < 1 -> 0 < M -> (forall t, a <= t <= p -> t * (1 - t) <= M) ->
  (p - a) * (p - a) / (2 * M) <= relative_entropy a p.
Proof.
  intros a p M Ha Hp HM B.
  pose proof (rises (fun t => - a * ln t - (1 - a) * ln (1 - t) - (t - a) * (t - a) * / (2 * M))
    (fun t => (t - a) * (/ (t * (1 - t)) - / M)) a p ltac:(lra)) as R. cbv beta in R.
  enough (- a * ln a - (1 - a) * ln (1 - a) - (a - a) * (a - a) * / (2 * M)
    <= - a * ln p - (1 - a) * ln (1 - p) - (p - a) * (p - a) * / (2 * M)) by (unfold relative_entropy, Rdiv; lra).
  apply R.
  - intros c Hc. apply d_entropy; lra.
  - intros c Hc. apply Rmult_le_pos; [lra|]. specialize (B c ltac:(lra)).
    assert (0 < c * (1 - c)) by (apply Rmult_lt_0_compat; lra).
    pose proof (Rinv_le_contravar _ _ H B). lra.
Qed.

Lemma entropy_above : forall b p M, 0 < p <= b -> b < 1 -> 0 < M -> (forall t, p <= t <= b -> t * (1 - t) <= M) ->
  (b - p) * (b - p) / (2 * M) <= relative_entropy b p.
Proof.
  intros b p M Hp Hb HM B.
  pose proof (rises (fun t => b * ln t + (1 - b) * ln (1 - t) + (t - b) * (t - b) * / (2 * M))
    (fun t => (b - t) * (/ (t * (1 - t)) - / M)) p b ltac:(lra)) as R. cbv beta in R.
  enough (b * ln p + (1 - b) * ln (1 - p) + (p - b) * (p - b) * / (2 * M)
    <= b * ln b + (1 - b) * ln (1 - b) + (b - b) * (b - b) * / (2 * M)) by (unfold relative_entropy, Rdiv; lra).
  apply R.
  - intros c Hc. derive; try lra. field. lra.
  - intros c Hc. apply Rmult_le_pos; [lra|]. specialize (B c ltac:(lra)).
    assert (0 < c * (1 - c)) by (apply Rmult_lt_0_compat; lra).
    pose proof (Rinv_le_contravar _ _ H B). lra.
Qed.
