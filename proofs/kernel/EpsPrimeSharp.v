(* Beside Theorem de_upper, Part I, Case 2: the factor 2 in eps(gamma) <= 2 eps^gamma/gamma is not needed.

   "For eps <= 1.523, so for eps <= ln 2: eps' <= eps^gamma/gamma, an equality at gamma = 1."

   Proved for eps <= 1.  With y = (1-e^-eps)^gamma and f = -ln(1-y), ln(eps^gamma/gamma) - ln f falls in gamma, because
   y/((1-y)f) ln(1/y) <= 1/2 + ln(1/y) and eps/(1-e^-eps) <= e^(eps/2); and it is 0 at gamma = 1. *)
From Coq Require Import Reals Lra Lia List Bool.
From PanshuffleKernel Require Import Law Closeness Power EpsPrime Parity Shuffle Messages ShuffleModel Distinct DistinctRobust Shares Ikos.
From PanshuffleKernel Require Import DistinctPrivacy Calculus.
Import ListNotations.
Open Scope R_scope.

(* At gamma = 1 the bounds on eps' and delta' are equalities. *)
Theorem eps_prime_one : forall eps, 0 < eps -> eps_prime eps 1 = eps.
Proof.
  intros eps He. unfold eps_prime. pose proof (one_minus_exp eps He). rewrite Rpower_1 by lra.
  replace (1 / (1 - (1 - exp (- eps)))) with (exp eps) by (rewrite exp_Ropp; field; pose proof (exp_pos eps); lra).
  apply ln_exp.
Qed.
Theorem eps_prime_case_1_tight : forall eps, 0 < eps -> eps_prime eps 1 = eps + ln (1 / 1).
Proof. intros eps He. rewrite eps_prime_one by auto. replace (1 / 1) with 1 by field. rewrite ln_1. ring. Qed.
Theorem delta_prime_tight : forall eps delta, 0 < eps ->
  (exp (eps_prime eps 1) + 1) / (exp eps + 1) * delta = delta / 1.
Proof. intros eps delta He. rewrite eps_prime_one by auto. pose proof (exp_pos eps). field. lra. Qed.

(* (y/((1-y)f) - 1) ln(1/y) <= 1/2 with f = -ln(1-y). *)
Lemma half_bound : forall y, 0 < y < 1 -> (y / ((1 - y) * - ln (1 - y)) - 1) * - ln y <= 1 / 2.
Proof.
  intros y Hy. set (f := - ln (1 - y)).
  assert (F : 2 * y / (2 - y) <= f).
  { unfold f. rewrite <- ln_Rinv by lra. pose proof (ln_above (/ (1 - y))) as A.
    replace (2 * (/ (1 - y) - 1) / (/ (1 - y) + 1)) with (2 * y / (2 - y)) in A by (field; repeat split; lra). apply A.
    rewrite <- Rinv_1. apply Rinv_le_contravar; lra. }
  assert (F0 : 0 < 2 * y / (2 - y)) by (apply Rdiv_lt_0_compat; lra).
  assert (Fi : / f <= (2 - y) / (2 * y)).
  { replace ((2 - y) / (2 * y)) with (/ (2 * y / (2 - y))) by (field; lra). apply Rinv_le_contravar; auto. }
  assert (G : - ln y <= (1 - y) / y).
  { rewrite <- ln_Rinv by lra. pose proof (ln_at_most (/ y) ltac:(apply Rinv_0_lt_compat; lra)).
    replace ((1 - y) / y) with (/ y - 1) by (field; lra). auto. }
  assert (G0 : 0 <= - ln y) by (assert (ln y < 0) by (rewrite <- ln_1; apply ln_increasing; lra); lra).
  replace (y / ((1 - y) * f)) with (y / (1 - y) * / f) by (field; lra).
  destruct (Rle_dec 0 (y / (1 - y) * / f - 1)) as [P|P].
  - apply Rle_trans with ((y / (1 - y) * / f - 1) * ((1 - y) / y)); [apply Rmult_le_compat_l; lra|].
    replace ((y / (1 - y) * / f - 1) * ((1 - y) / y)) with (/ f - (1 - y) / y) by (field; lra).
    replace (1 / 2) with ((2 - y) / (2 * y) - (1 - y) / y) by (field; lra). lra.
  - assert (0 <= (1 - y / (1 - y) * / f) * - ln y) by (apply Rmult_le_pos; lra). lra.
Qed.

Theorem eps_prime_factor : forall eps g, 0 < eps <= 1 -> 0 < g <= 1 -> eps_prime eps g <= Rpower eps g / g.
Proof.
  intros eps g He Hg. pose proof (one_minus_exp eps ltac:(lra)) as Q. set (q := 1 - exp (- eps)) in *. set (lq := ln q).
  assert (LQ : lq < 0) by (unfold lq; rewrite <- ln_1; apply ln_increasing; lra).
  assert (Y : forall t, 0 < t -> 0 < exp (t * lq) < 1).
  { intros t Ht. split; [apply exp_pos|]. rewrite <- exp_0. apply exp_increasing.
    assert (t * lq < t * 0) by (apply Rmult_lt_compat_l; lra). lra. }
  assert (FP : forall t, 0 < t -> 0 < -1 * ln (1 - exp (t * lq))).
  { intros t Ht. specialize (Y t Ht). assert (ln (1 - exp (t * lq)) < 0) by (rewrite <- ln_1; apply ln_increasing; lra). lra. }
  (* eps/(1-e^-eps) <= e^(eps/2) *)
  assert (PH : ln eps - lq <= eps / 2).
  { pose proof (ln_below (exp (eps / 2)) ltac:(pose proof (exp_ineq1 (eps / 2) ltac:(lra)); lra)) as B. rewrite ln_exp in B.
    assert (EE : eps <= exp (eps / 2) * q).
    { replace (exp (eps / 2) * q) with (exp (eps / 2) - / exp (eps / 2)); [lra|].
      unfold q. rewrite Rmult_minus_distr_l, <- exp_plus, <- exp_Ropp. rewrite Rmult_1_r. do 2 f_equal. field. }
    apply ln_le_mono in EE; [|lra]. rewrite ln_mult, ln_exp in EE by (try apply exp_pos; lra). fold lq in EE. lra. }
  assert (R : ln (-1 * ln (1 - exp (g * lq))) + ln g - g * ln eps <= ln (-1 * ln (1 - exp (1 * lq))) + ln 1 - 1 * ln eps).
  { apply (rises (fun t => ln (-1 * ln (1 - exp (t * lq))) + ln t - t * ln eps)
      (fun t => lq * (exp (t * lq) / ((1 - exp (t * lq)) * - ln (1 - exp (t * lq)))) + / t - ln eps) g 1 ltac:(lra)).
    - intros t Ht. specialize (Y t ltac:(lra)). specialize (FP t ltac:(lra)). derive; try lra. field. lra.
    - intros t Ht. specialize (Y t ltac:(lra)). specialize (FP t ltac:(lra)). pose proof (half_bound _ Y) as HB. rewrite ln_exp in HB.
      set (T := exp (t * lq) / ((1 - exp (t * lq)) * - ln (1 - exp (t * lq)))) in *.
      assert (HT : - (1 / 2) * / t + lq <= lq * T).
      { apply Rmult_le_reg_l with t; [lra|]. replace (t * (- (1 / 2) * / t + lq)) with (- (1 / 2) + t * lq) by (field; lra). lra. }
      assert (1 <= / t) by (rewrite <- Rinv_1; apply Rinv_le_contravar; lra). lra. }
  assert (E1 : -1 * ln (1 - exp (1 * lq)) = eps).
  { rewrite Rmult_1_l. unfold lq. rewrite exp_ln by lra. unfold q. replace (1 - (1 - exp (- eps))) with (exp (- eps)) by ring.
    rewrite ln_exp. ring. }
  rewrite E1, ln_1 in R. assert (R2 : ln (-1 * ln (1 - exp (g * lq))) <= g * ln eps - ln g) by lra.
  assert (E2 : eps_prime eps g = -1 * ln (1 - exp (g * lq))).
  { unfold eps_prime. fold q. unfold Rpower. fold lq. specialize (Y g ltac:(lra)). unfold Rdiv. rewrite Rmult_1_l, ln_Rinv by lra. ring. }
  rewrite E2, <- (exp_ln _ (FP g ltac:(lra))).
  replace (Rpower eps g / g) with (exp (g * ln eps - ln g)).
  - destruct R2 as [R2|R2]; [left; apply exp_increasing; auto | right; rewrite R2; auto].
  - unfold Rminus. rewrite exp_plus, exp_Ropp, exp_ln by lra. reflexivity.
Qed.

(* Theorem de_upper, Part I, Case 2 without its factor 2. *)
Theorem de_upper_I_factor :
  forall (Element : Type) (same : forall a b : Element, {a = b} + {a <> b}) (K : list Element) (m : nat -> nat)
         (eps delta gamma : R),
  NoDup K -> 0 < eps <= 1 -> 0 <= delta <= 1 -> 0 < gamma <= 1 -> enough_messages m eps delta ->
  robustly_shuffle_private (P_DE same K eps m) (2 * (Rpower eps gamma / gamma)) (2 * delta / gamma) gamma.
Proof.
  intros Element same K m eps delta gamma HK He Hd Hg HM n honest Hh Hgn x x' L N.
  assert (HI : forall n honest, (2 <= honest <= n)%nat -> gamma * INR n <= INR honest ->
     hides_all_but_sum (R_MOD (m n)) honest (delta / (exp eps + 1))) by (intros; apply enough_ikos; auto; lia).
  pose proof (gamma_le gamma n honest Hh Hgn) as G. assert (Hn : (0 < n)%nat) by lia.
  pose proof (gamma_of_01 n Hn honest Hh) as G1.
  eapply close_mono; [| | | exact (view_close Element same K (fun n => R_MOD (m n)) eps delta gamma HK ltac:(lra) ltac:(lra)
    (fun n b => proper_R_MOD (m n) b) HI n honest Hh Hgn x x' L N)].
  - apply proper_view. intro a. apply proper_concatenated_map. intro j. apply proper_labelled; auto; [lra|]. intro; apply proper_R_MOD.
  - apply Rmult_le_compat_l; [lra|]. set (g' := gamma_of n honest) in *.
    apply Rle_trans with (Rpower eps g' / g'); [apply eps_prime_factor; auto; lra|].
    assert (Rpower eps g' <= Rpower eps gamma).
    { unfold Rpower. assert (ln eps <= 0) by (rewrite <- ln_1; apply ln_le_mono; lra).
      assert (Qx : g' * ln eps <= gamma * ln eps) by nra.
      destruct Qx as [Qx|Qx]; [left; apply exp_increasing; auto | right; rewrite Qx; auto]. }
    pose proof (Rpower_pos eps g'). apply Rle_trans with (Rpower eps g' / gamma); [apply div_mono; lra|].
    apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; lra | lra].
  - apply div_mono; lra.
Qed.
