(* Theorem de_upper, the bounds on eps' and delta', and Lemma distinct-gamma.

   "For gamma in (0,1], 2^gamma/(2^gamma - 1) <= 2/gamma."
   "eps' = ln(1/(1 - (1 - e^-eps)^gamma)) <= eps + ln(1/gamma)"; for eps <= ln 2, "eps' <= 2 eps^gamma/gamma";
   "delta' = delta (e^eps'+1)/(e^eps+1) <= delta/gamma". *)
From Coq Require Import Reals Lra List Bool.
From PanshuffleKernel Require Import Power.
Import ListNotations.
Open Scope R_scope.

(* Lemma distinct-gamma. *)
Theorem distinct_gamma : forall g, 0 < g <= 1 -> Rpower 2 g / (Rpower 2 g - 1) <= 2 / g.
Proof.
  intros g Hg.
  assert (H1 : 1 < Rpower 2 g) by (apply Rpower2_gt1; lra).
  assert (B : Rpower 2 (1 - g) <= 1 + (1 - g) * (2 - 1)) by (apply bernoulli; lra).
  assert (E : Rpower 2 g * Rpower 2 (1 - g) = 2)
    by (rewrite <- Rpower_plus; replace (g + (1 - g)) with 1 by ring; apply Rpower_1; lra).
  set (t := Rpower 2 g) in *. set (s := Rpower 2 (1 - g)) in *.
  assert (K : 2 <= t * (2 - g)) by (rewrite <- E; apply Rmult_le_compat_l; lra).
  apply Rmult_le_reg_r with (g * (t - 1)); [apply Rmult_lt_0_compat; lra|].
  replace (t / (t - 1) * (g * (t - 1))) with (t * g) by (field; lra).
  replace (2 / g * (g * (t - 1))) with (2 * (t - 1)) by (field; lra).
  lra.
Qed.


(* "Because eps' > 0, we have e^eps' + e^-eps' > 2 and therefore 2 - e^-eps' < e^eps'." *)
Theorem ratio_inequality : forall e, 0 < e -> 2 - exp (- e) < exp e.
Proof.
  intros e He.
  assert (1 + e < exp e) by (apply exp_ineq1; lra).
  assert (1 + - e < exp (- e)) by (apply exp_ineq1; lra). lra.
Qed.

(* The proof of Theorem de_upper: eps' := ln(1 / (1 - (1 - e^-eps)^gamma)). *)
Definition eps_prime (eps g : R) := ln (1 / (1 - Rpower (1 - exp (- eps)) g)).

Lemma one_minus_exp : forall eps, 0 < eps -> 0 < 1 - exp (- eps) < 1.
Proof.
  intros. assert (exp (- eps) < exp 0) by (apply exp_increasing; lra). rewrite exp_0 in *.
  pose proof (exp_pos (- eps)). lra.
Qed.

Lemma q_bounds : forall eps g, 0 < eps -> 0 < g -> 0 < Rpower (1 - exp (- eps)) g < 1.
Proof.
  intros eps g He Hg. pose proof (one_minus_exp eps He). split. apply Rpower_pos.
  unfold Rpower. rewrite <- exp_0 at 2. apply exp_increasing.
  assert (ln (1 - exp (- eps)) < 0) by (rewrite <- ln_1; apply ln_increasing; lra).
  pose proof (Rmult_lt_compat_l g _ _ Hg H0). lra.
Qed.

Lemma exp_eps_prime : forall eps g, 0 < eps -> 0 < g ->
  exp (eps_prime eps g) = 1 / (1 - Rpower (1 - exp (- eps)) g).
Proof.
  intros eps g He Hg. unfold eps_prime. apply exp_ln. pose proof (q_bounds eps g He Hg).
  apply Rdiv_lt_0_compat; lra.
Qed.


Lemma eps_prime_pos : forall eps g, 0 < eps -> 0 < g -> 0 < eps_prime eps g.
Proof.
  intros eps g He Hg. unfold eps_prime. rewrite <- ln_1. pose proof (q_bounds eps g He Hg).
  apply ln_increasing; [lra|]. unfold Rdiv. rewrite Rmult_1_l. rewrite <- Rinv_1 at 1.
  apply Rinv_lt_contravar; lra.
Qed.

(* Case 1, for every eps. *)
Theorem eps_prime_case_1 : forall eps g, 0 < eps -> 0 < g <= 1 -> eps_prime eps g <= eps + ln (1 / g).
Proof.
  intros eps g He Hg. pose proof (one_minus_exp eps He). pose proof (q_bounds eps g He ltac:(lra)).
  assert (B : Rpower (1 - exp (- eps)) g <= 1 + g * (1 - exp (- eps) - 1)) by (apply bernoulli; lra).
  unfold eps_prime. rewrite <- (ln_exp eps) at 2. pose proof (exp_pos eps). pose proof (exp_pos (- eps)).
  assert (0 < 1 / g) by (apply Rdiv_lt_0_compat; lra).
  rewrite <- ln_mult by lra.
  apply ln_le_mono. apply Rdiv_lt_0_compat; lra.
  replace (exp eps * (1 / g)) with (1 / (g * exp (- eps)))
    by (rewrite exp_Ropp; field; split; lra).
  unfold Rdiv. rewrite !Rmult_1_l. apply Rinv_le_contravar; [apply Rmult_lt_0_compat; lra | lra].
Qed.


(* Case 2. *)
Theorem eps_prime_case_2 : forall eps g, 0 < eps <= ln 2 -> 0 < g <= 1 ->
  eps_prime eps g <= 2 * Rpower eps g / g.
Proof.
  intros eps g He Hg. pose proof (one_minus_exp eps ltac:(lra)) as O.
  pose proof (q_bounds eps g ltac:(lra) ltac:(lra)) as Q.
  assert (H1 : 1 - exp (- eps) <= 1 / 2). {
    assert (exp (- ln 2) <= exp (- eps)).
    { destruct (Rle_lt_or_eq_dec eps (ln 2)) as [L|L]; [lra| |].
      left; apply exp_increasing; lra. right; rewrite L; auto. }
    rewrite exp_Ropp, exp_ln in H by lra. lra. }
  assert (H2 : 1 - exp (- eps) <= eps) by (pose proof (exp_ineq1_le (- eps)); lra).
  set (q := Rpower (1 - exp (- eps)) g) in *.
  assert (Q1 : q <= Rpower (1/2) g) by (apply Rpower_le_base; lra).
  assert (Q2 : q <= Rpower eps g) by (apply Rpower_le_base; lra).
  assert (I : Rpower (1/2) g = / Rpower 2 g).
  { replace (1/2) with (/2) by lra. unfold Rpower. rewrite ln_Rinv by lra.
    rewrite <- exp_Ropp. f_equal; ring. }
  pose proof (Rpower2_gt1 g ltac:(lra)) as T.
  assert (D : / (1 - q) <= 2 / g). {
    apply Rle_trans with (/ (1 - / Rpower 2 g)).
    - apply Rinv_le_contravar. 2: lra.
      assert (/ Rpower 2 g < 1) by (rewrite <- Rinv_1; apply Rinv_lt_contravar; lra). lra.
    - replace (/ (1 - / Rpower 2 g)) with (Rpower 2 g / (Rpower 2 g - 1)) by (field; repeat split; lra).
      apply distinct_gamma; lra. }
  unfold eps_prime. fold q.
  apply Rle_trans with (q / (1 - q)).
  - replace (1 / (1 - q)) with (1 + q / (1 - q)) by (field; lra).
    assert (0 < q / (1 - q)) by (apply Rdiv_lt_0_compat; lra).
    apply Rle_trans with (ln (exp (q / (1 - q)))); [|right; apply ln_exp].
    apply ln_le_mono; [lra | apply exp_ineq1_le].
  - unfold Rdiv. apply Rle_trans with (Rpower eps g * (2 / g)).
    + apply Rmult_le_compat; try lra. left; apply Rinv_0_lt_compat; lra.
    + right; field; lra.
Qed.

(* "delta' = delta (e^eps'+1)/(e^eps+1) <= delta/gamma." *)
Theorem delta_prime_at_most : forall eps g delta, 0 < eps -> 0 < g <= 1 -> 0 <= delta ->
  (exp (eps_prime eps g) + 1) / (exp eps + 1) * delta <= delta / g.
Proof.
  intros eps g d He Hg Hd. pose proof (eps_prime_case_1 eps g He Hg) as C.
  assert (X : exp (eps_prime eps g) <= exp eps / g). {
    destruct C as [C|C]; [left|right].
    - apply Rlt_le_trans with (exp (eps + ln (1/g))). apply exp_increasing; auto.
      right. rewrite exp_plus, exp_ln. field; lra. apply Rdiv_lt_0_compat; lra.
    - rewrite C, exp_plus, exp_ln. field; lra. apply Rdiv_lt_0_compat; lra. }
  pose proof (exp_pos eps).
  apply Rle_trans with ((/ g) * d); [|right; unfold Rdiv; ring].
  apply Rmult_le_compat_r; auto.
  apply Rmult_le_reg_r with (exp eps + 1); [lra|].
  unfold Rdiv in *. rewrite Rmult_assoc, Rinv_l by lra.
  assert (1 <= / g) by (rewrite <- Rinv_1; apply Rinv_le_contravar; lra). lra.
Qed.
