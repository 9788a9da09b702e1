(* Beside Theorem de_upper, Part I, Case 2: eps' <= eps^gamma/gamma for every eps <= 1.45, twice the range that is printed.

   As in EpsPrimeSharp, with sharper bounds: with y = (1-e^-eps)^gamma, u = 1-y and f = -ln u, (y/(uf) - 1) ln(1/y) is at most
   (1+2u)(2-u)/(6(1+u)) <= 0.351, and ln(eps/(1-e^-eps)) <= eps/2 - ln(1 + eps^2/24) <= 0.649. *)
From Coq Require Import Reals Lra Lia List Bool.
From PanshuffleKernel Require Import Law Closeness Power EpsPrime Parity Shuffle Messages ShuffleModel Distinct DistinctRobust Shares Ikos.
From PanshuffleKernel Require Import DistinctPrivacy Calculus EpsPrimeSharp.
Import ListNotations.
Open Scope R_scope.

(* 3(y^2-1)/(y^2+4y+1) <= ln y for y >= 1. *)
Lemma ln_above_3 : forall y, 1 <= y -> 3 * (y * y - 1) * / (y * y + 4 * y + 1) <= ln y.
Proof.
  intros y Hy.
  pose proof (rises (fun t => ln t - 3 * (t * t - 1) * / (t * t + 4 * t + 1))
    (fun t => (t - 1) * (t - 1) * ((t - 1) * (t - 1)) * / (t * ((t * t + 4 * t + 1) * (t * t + 4 * t + 1)))) 1 y Hy) as R.
  cbv beta in R. rewrite ln_1 in R.
  enough (0 - 3 * (1 * 1 - 1) * / (1 * 1 + 4 * 1 + 1) <= ln y - 3 * (y * y - 1) * / (y * y + 4 * y + 1)) by lra. apply R.
  - intros c Hc. assert (0 < c * c) by (apply Rmult_lt_0_compat; lra). derive; try lra. field. split; lra.
  - intros c Hc. assert (0 < c * c) by (apply Rmult_lt_0_compat; lra). apply Rmult_le_pos.
    + apply Rmult_le_pos; apply Rle_0_sqr.
    + left. apply Rinv_0_lt_compat. apply Rmult_lt_0_compat; [lra | apply Rmult_lt_0_compat; lra].
Qed.

Lemma third_bound : forall y, 0 < y < 1 -> (y / ((1 - y) * - ln (1 - y)) - 1) * - ln y <= 0.351.
Proof.
  intros y Hy. set (u := 1 - y). set (f := - ln u). assert (U : 0 < u < 1) by (unfold u; lra). assert (Yu : y = 1 - u) by (unfold u; ring).
  assert (F : 3 * (1 - u * u) * / (1 + 4 * u + u * u) <= f).
  { unfold f. rewrite <- ln_Rinv by lra. pose proof (ln_above_3 (/ u)) as A.
    replace (3 * (/ u * / u - 1) * / (/ u * / u + 4 * / u + 1)) with (3 * (1 - u * u) * / (1 + 4 * u + u * u)) in A.
    - apply A. rewrite <- Rinv_1. apply Rinv_le_contravar; lra.
    - field. repeat split; try lra; nra. }
  assert (UU : 0 < 1 - u * u) by nra. assert (D1 : 0 < 1 + 4 * u + u * u) by nra.
  assert (F0 : 0 < 3 * (1 - u * u) * / (1 + 4 * u + u * u)) by (apply Rmult_lt_0_compat; [lra | apply Rinv_0_lt_compat; auto]).
  assert (Fi : / f <= (1 + 4 * u + u * u) / (3 * (1 - u * u))).
  { replace ((1 + 4 * u + u * u) / (3 * (1 - u * u))) with (/ (3 * (1 - u * u) * / (1 + 4 * u + u * u))) by (field; split; lra). apply Rinv_le_contravar; auto. }
  assert (G : - ln y <= (/ y - y) / 2).
  { rewrite <- ln_Rinv by lra. pose proof (ln_below (/ y)) as B. rewrite Rinv_inv in B. apply B. rewrite <- Rinv_1. apply Rinv_le_contravar; lra. }
  assert (G0 : 0 <= - ln y) by (assert (ln y < 0) by (rewrite <- ln_1; apply ln_increasing; lra); lra).
  replace (y / (u * f)) with (y / u * / f) by (field; lra).
  destruct (Rle_dec 0 (y / u * / f - 1)) as [P|P].
  - apply Rle_trans with ((y / u * / f - 1) * ((/ y - y) / 2)); [apply Rmult_le_compat_l; lra|].
    apply Rle_trans with ((y / u * ((1 + 4 * u + u * u) / (3 * (1 - u * u))) - 1) * ((/ y - y) / 2)).
    + apply Rmult_le_compat_r; [lra|]. apply Rplus_le_compat_r. apply Rmult_le_compat_l; [left; apply Rdiv_lt_0_compat; lra | auto].
    + replace ((y / u * ((1 + 4 * u + u * u) / (3 * (1 - u * u))) - 1) * ((/ y - y) / 2)) with ((1 + 2 * u) * (2 - u) / (6 * (1 + u)))
        by (rewrite Yu; field; repeat split; try lra; nra).
      apply div_le; [lra|]. assert (0 <= (u - 0.2235) * (u - 0.2235)) by apply Rle_0_sqr. lra.
  - assert (0 <= (1 - y / u * / f) * - ln y) by (apply Rmult_le_pos; lra). lra.
Qed.

(* 2x + x^3/3 <= e^x - e^-x for x >= 0. *)
Lemma sinh_above : forall x, 0 <= x -> 2 * x + x * x * x * / 3 <= exp x - exp (- x).
Proof.
  intros x Hx.
  assert (S1 : forall t, 0 <= t -> 2 * t <= exp t - exp (- t)).
  { intros t Ht. pose proof (exp_ineq1_le t). pose proof (ln_below (exp t) ltac:(lra)) as B. rewrite ln_exp in B. rewrite exp_Ropp. lra. }
  assert (D : forall c, derivable_pt_lim (fun t => exp (- t)) c (- exp (- c))).
  { intro c. eapply d_is; [apply (d_comp (fun t => - t) exp c (-1) (exp (- c)))|].
    - intros e He. exists (mkposreal 1 Rlt_0_1). intros h Hh _. replace ((- (c + h) - - c) / h - -1) with 0 by (field; auto). rewrite Rabs_R0. auto.
    - apply d_exp.
    - ring. }
  assert (S2 : forall t, 0 <= t -> 2 + t * t <= exp t + exp (- t)).
  { intros t Ht. pose proof (rises (fun s => exp s + exp (- s) - s * s) (fun s => exp s - exp (- s) - 2 * s) 0 t Ht) as R. cbv beta in R.
    rewrite Ropp_0, exp_0 in R. enough (1 + 1 - 0 * 0 <= exp t + exp (- t) - t * t) by lra. apply R.
    - intros c Hc. eapply d_is; [apply d_minus; [apply d_plus; [apply d_exp | apply D] | apply d_mult; apply d_id]|]. cbv beta. ring.
    - intros c Hc. specialize (S1 c ltac:(lra)). lra. }
  pose proof (rises (fun s => exp s - exp (- s) - 2 * s - s * s * s * / 3) (fun s => exp s + exp (- s) - 2 - s * s) 0 x Hx) as R. cbv beta in R.
  rewrite Ropp_0, exp_0 in R. enough (1 - 1 - 2 * 0 - 0 * 0 * 0 * / 3 <= exp x - exp (- x) - 2 * x - x * x * x * / 3) by lra. apply R.
  - intros c Hc. eapply d_is; [apply d_minus; [apply d_minus; [apply d_minus; [apply d_exp | apply D] | apply d_mult; [apply d_const | apply d_id]]
      | apply d_mult; [apply d_mult; [apply d_mult; apply d_id | apply d_id] | apply d_const]]|]. cbv beta. field.
  - intros c Hc. specialize (S2 c ltac:(lra)). lra.
Qed.

(* ln(eps/(1-e^-eps)) <= 0.649 for eps <= 1.45. *)
Lemma ratio_small : forall eps, 0 < eps <= 1.45 -> ln eps - ln (1 - exp (- eps)) <= 0.649.
Proof.
  intros eps He. pose proof (one_minus_exp eps ltac:(lra)) as Q. set (z := eps * eps / 24).
  pose proof (sinh_above (eps / 2) ltac:(lra)) as S.
  assert (EE : eps * (1 + z) <= exp (eps / 2) * (1 - exp (- eps))).
  { replace (exp (eps / 2) * (1 - exp (- eps))) with (exp (eps / 2) - exp (- (eps / 2))).
    - unfold z. lra.
    - rewrite Rmult_minus_distr_l, <- exp_plus, Rmult_1_r. do 2 f_equal. field. }
  assert (Z0 : 0 < z) by (unfold z; nra).
  apply ln_le_mono in EE; [|apply Rmult_lt_0_compat; lra]. rewrite !ln_mult, ln_exp in EE by (try apply exp_pos; lra).
  pose proof (ln_above (1 + z) ltac:(lra)) as LZ. replace (2 * (1 + z - 1) / (1 + z + 1)) with (2 * z / (2 + z)) in LZ by (field; lra).
  assert (K : eps / 2 - 2 * z / (2 + z) <= 0.649).
  { apply Rmult_le_reg_r with (2 + z); [lra|]. replace ((eps / 2 - 2 * z / (2 + z)) * (2 + z)) with (eps / 2 * (2 + z) - 2 * z) by (field; lra). unfold z. nra. }
  lra.
Qed.

Theorem eps_prime_factor_wide : forall eps g, 0 < eps <= 1.45 -> 0 < g <= 1 -> eps_prime eps g <= Rpower eps g / g.
Proof.
  intros eps g He Hg. pose proof (one_minus_exp eps ltac:(lra)) as Q. pose proof (ratio_small eps He) as PH.
  set (q := 1 - exp (- eps)) in *. set (lq := ln q) in *.
  assert (LQ : lq < 0) by (unfold lq; rewrite <- ln_1; apply ln_increasing; lra).
  assert (Y : forall t, 0 < t -> 0 < exp (t * lq) < 1).
  { intros t Ht. split; [apply exp_pos|]. rewrite <- exp_0. apply exp_increasing.
    assert (t * lq < t * 0) by (apply Rmult_lt_compat_l; lra). lra. }
  assert (FP : forall t, 0 < t -> 0 < -1 * ln (1 - exp (t * lq))).
  { intros t Ht. specialize (Y t Ht). assert (ln (1 - exp (t * lq)) < 0) by (rewrite <- ln_1; apply ln_increasing; lra). lra. }
  assert (R : ln (-1 * ln (1 - exp (g * lq))) + ln g - g * ln eps <= ln (-1 * ln (1 - exp (1 * lq))) + ln 1 - 1 * ln eps).
  { apply (rises (fun t => ln (-1 * ln (1 - exp (t * lq))) + ln t - t * ln eps)
      (fun t => lq * (exp (t * lq) / ((1 - exp (t * lq)) * - ln (1 - exp (t * lq)))) + / t - ln eps) g 1 ltac:(lra)).
    - intros t Ht. specialize (Y t ltac:(lra)). specialize (FP t ltac:(lra)). derive; try lra. field. lra.
    - intros t Ht. specialize (Y t ltac:(lra)). specialize (FP t ltac:(lra)). pose proof (third_bound _ Y) as HB. rewrite ln_exp in HB.
      set (T := exp (t * lq) / ((1 - exp (t * lq)) * - ln (1 - exp (t * lq)))) in *.
      assert (HT : - 0.351 * / t + lq <= lq * T).
      { apply Rmult_le_reg_l with t; [lra|]. replace (t * (- 0.351 * / t + lq)) with (- 0.351 * (t * / t) + t * lq) by ring. rewrite Rinv_r by lra. lra. }
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
