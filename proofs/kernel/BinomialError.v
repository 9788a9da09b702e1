(* Lemma b_noise, its last sentence: the error.

   "Fix any l, p, eps, delta with l min(p,1-p) >= 10 ((e^eps+1)/(e^eps-1))^2 ln(2/delta).  The algorithm that outputs f(x) + Bin(l,p) ... has error
    O((1/eps) sqrt(log(1/delta)))."

   Refuted: l is any number above a bound, and neither the mean lp of the noise nor its standard deviation sqrt(lp(1-p)) is bounded.  Repaired: after
   taking off lp, with the least l that the lemma allows and eps <= 1, delta <= 1/2, the standard deviation is at most (10/eps) sqrt(ln(1/delta)). *)
From Coq Require Import Reals ZArith Lra Lia List Bool.
From PanshuffleKernel Require Import Law Closeness UniformityTransformation BinomialMechanism BinomialCertificate BinarySum.
From PanshuffleKernel Require Import Hash Calculus BinomialLemma BinomialSharp BinomialRefuted EvenManyUsers Facts.
Import ListNotations.
Open Scope R_scope.

Lemma Bin_mean : forall l p, 0 <= p <= 1 -> mean (Bin l p) INR = INR l * p.
Proof.
  intros [|l] p Hp; unfold mean.
  - cbn [Bin]. rewrite E_point. simpl. ring.
  - rewrite (E_ext _ _ (fun h => INR h * 1)) by (intro; ring). rewrite (size_bias p l (fun _ => 1)), (E_const _ _ (proper_Bin l p Hp)). ring.
Qed.
Lemma Bin_variance : forall l p, 0 <= p <= 1 -> variance (Bin l p) INR = INR l * p * (1 - p).
Proof.
  intros l p Hp. unfold variance. rewrite Bin_mean by auto.
  rewrite (E_ext _ _ (fun h => (INR h * INR h + (-2 * (INR l * p)) * INR h) + (INR l * p) ^ 2)) by (intro; ring).
  rewrite !E_plus, E_mult, (E_const _ _ (proper_Bin l p Hp)). fold (mean (Bin l p) INR). rewrite Bin_mean by auto.
  destruct l as [|l].
  - cbn [Bin]. rewrite E_point. simpl. ring.
  - rewrite (size_bias p l INR). rewrite (E_ext _ _ (fun h => INR h + 1)) by (intro; apply S_INR). rewrite E_plus, (E_const _ _ (proper_Bin l p Hp)).
    fold (mean (Bin l p) INR). rewrite Bin_mean, S_INR by auto. ring.
Qed.

(* The printed sentence, for the mean of the noise and for its standard deviation. *)
Definition error_bound_printed (size : nat -> R -> R) : Prop := exists C, forall (l : nat) (p eps delta : R),
  0 < p < 1 -> 0 < eps -> 0 < delta < 1 -> 10 * noise_scale eps delta <= INR l * Rmin p (1 - p) ->
  size l p <= C / eps * sqrt (ln (1 / delta)).

Theorem error_refuted :
  ~ error_bound_printed (fun l p => mean (Bin l p) INR) /\ ~ error_bound_printed (fun l p => sqrt (variance (Bin l p) INR)).
Proof.
  assert (G : forall B, exists l : nat, 10 * noise_scale 1 (1 / 2) <= INR l * Rmin (1 / 2) (1 - 1 / 2) /\ B < INR l).
  { intro B. destruct (unbounded (Rmax B (20 * noise_scale 1 (1 / 2)))) as [l Hl]. exists l.
    pose proof (Rmax_l B (20 * noise_scale 1 (1 / 2))). pose proof (Rmax_r B (20 * noise_scale 1 (1 / 2))). rewrite Rmin_left by lra. split; lra. }
  split; intros [C H].
  - set (X := C / 1 * sqrt (ln (1 / (1 / 2)))). destruct (G (2 * X)) as [l [L1 L2]].
    specialize (H l (1 / 2) 1 (1 / 2) ltac:(lra) ltac:(lra) ltac:(lra) L1). cbv beta in H. rewrite Bin_mean in H by lra. fold X in H. lra.
  - set (X := C / 1 * sqrt (ln (1 / (1 / 2)))). destruct (G (4 * (Rabs X + 1) ^ 2)) as [l [L1 L2]].
    specialize (H l (1 / 2) 1 (1 / 2) ltac:(lra) ltac:(lra) ltac:(lra) L1). cbv beta in H. rewrite Bin_variance in H by lra. fold X in H.
    pose proof (Rabs_pos X) as R0. pose proof (Rle_abs X) as R1.
    assert (S : Rabs X + 1 <= sqrt (INR l * (1 / 2) * (1 - 1 / 2))).
    { apply Rle_trans with (sqrt ((Rabs X + 1) ^ 2)); [right; symmetry; apply sqrt_pow2; lra|]. apply sqrt_le_1_alt. lra. }
    lra.
Qed.

(* (e^eps+1)/(e^eps-1) <= 2.2/eps for eps <= 1. *)
Lemma coth_bound : forall eps, 0 < eps <= 1 -> (exp eps + 1) / (exp eps - 1) <= 2.2 / eps.
Proof.
  intros eps He. pose proof (exp_ineq1 eps ltac:(lra)) as X1. set (y := exp eps) in *. assert (LY : ln y = eps) by apply ln_exp.
  assert (K : eps * (y + 1) <= 2.2 * (y - 1)).
  { destruct (Rle_dec y 1.86) as [C|C]; [|destruct (Rle_dec y 2.4) as [C2|C2]; [|destruct (Rle_dec y (8 / 3)) as [C3|C3]]].
    - assert (Q : 0 <= 22 / 10 - 44 / 10 * / (y + 1) - ln y).
      { pose proof (rises (fun t => 22 / 10 - 44 / 10 * / (t + 1) - ln t) (fun t => (44 / 10 * t - (t + 1) * (t + 1)) * / (t * ((t + 1) * (t + 1)))) 1 y ltac:(lra)) as R.
        cbv beta in R. rewrite ln_1 in R.
        assert (22 / 10 - 44 / 10 * / (1 + 1) - 0 <= 22 / 10 - 44 / 10 * / (y + 1) - ln y); [|lra]. apply R.
        - intros c Hc. derive; try lra. field. lra.
        - intros c Hc. apply Rmult_le_pos; [nra|]. left. apply Rinv_0_lt_compat. apply Rmult_lt_0_compat; [lra | apply Rmult_lt_0_compat; lra]. }
      rewrite LY in Q. apply Rmult_le_compat_r with (r := y + 1) in Q; [|lra]. rewrite Rmult_0_l in Q.
      replace ((22 / 10 - 44 / 10 * / (y + 1) - eps) * (y + 1)) with (22 / 10 * (y + 1) - 44 / 10 - eps * (y + 1)) in Q by (field; lra). lra.
    - pose proof ln_2_bounds as L2. assert (T : ln y <= y / 2 - 1 + ln 2).
      { pose proof (ln_at_most (y / 2) ltac:(lra)) as T. unfold Rdiv in *. rewrite ln_mult, ln_Rinv in T by lra. lra. }
      rewrite LY in T. assert (eps <= y / 2 - 0.3064) by lra. nra.
    - pose proof ln_2_bounds as L2. pose proof ln_3_bounds as L3. assert (T : ln y <= 3 * y / 8 - 1 + (3 * ln 2 - ln 3)).
      { pose proof (ln_at_most (y * (3 / 8)) ltac:(lra)) as T. replace (3 / 8) with (3 * / 2 ^ 3) in T at 1 by field.
        rewrite !ln_mult, ln_Rinv, ln_pow in T by (try apply Rmult_lt_0_compat; simpl; lra). simpl (INR 3) in T. lra. }
      rewrite LY in T. assert (eps <= 3 * y / 8 - 0.0172) by lra. nra.
    - nra. }
  apply le_div; [lra|]. unfold Rdiv. rewrite Rmult_assoc, (Rmult_comm (/ (y - 1))), <- Rmult_assoc. apply div_le; [lra|]. lra.
Qed.

Theorem error_repaired : forall (l : nat) (p eps delta : R), 0 < p < 1 -> 0 < eps <= 1 -> 0 < delta <= 1 / 2 -> (0 < l)%nat ->
  INR (l - 1) * Rmin p (1 - p) < 10 * noise_scale eps delta ->
  sqrt (variance (Bin l p) INR) <= 10 / eps * sqrt (ln (1 / delta)).
Proof.
  intros l p eps delta Hp He Hd Hl H. rewrite Bin_variance by lra. rewrite minus_INR in H by lia. simpl (INR 1) in H.
  pose proof ln_2_bounds as L2. set (x := ln (1 / delta)).
  assert (XL : ln 2 <= x).
  { unfold x. assert (Q : 2 <= 1 / delta) by (apply le_div; lra). destruct Q as [Q|Q]; [left; apply ln_increasing; lra | rewrite <- Q; lra]. }
  assert (LD : ln (2 / delta) = ln 2 + x).
  { unfold x, Rdiv. rewrite Rmult_1_l, ln_mult by (try apply Rinv_0_lt_compat; lra). reflexivity. }
  assert (E2 : 1 <= / eps) by (rewrite <- Rinv_1; apply Rinv_le_contravar; lra).
  assert (NS : noise_scale eps delta <= 4.84 * (/ eps * / eps) * (2 * x)).
  { unfold noise_scale. rewrite LD. pose proof (coth_bound eps He) as CB. pose proof (exp_ineq1 eps ltac:(lra)).
    assert (C0 : 0 < (exp eps + 1) / (exp eps - 1)) by (apply Rdiv_lt_0_compat; lra).
    apply Rmult_le_compat; try lra; [apply pow2_ge_0|]. unfold Rdiv at 2 in CB.
    apply Rle_trans with ((2.2 * / eps) ^ 2); [apply pow_incr; lra|]. right. simpl. lra. }
  assert (V : INR l * p * (1 - p) <= (10 / eps) ^ 2 * x).
  { assert (M1 : p * (1 - p) <= Rmin p (1 - p)) by (unfold Rmin; destruct (Rle_dec p (1 - p)); nra).
    assert (M2 : Rmin p (1 - p) <= 1) by (unfold Rmin; destruct (Rle_dec p (1 - p)); lra).
    apply Rle_trans with (INR l * Rmin p (1 - p)).
    - rewrite Rmult_assoc. apply Rmult_le_compat_l; [apply pos_INR | auto].
    - replace ((10 / eps) ^ 2 * x) with (100 * (/ eps * / eps) * x) by (unfold Rdiv; simpl; ring).
      assert (EE : 1 <= / eps * / eps) by nra. set (w := / eps * / eps) in *. nra. }
  assert (X0 : 0 <= x) by lra. assert (T0 : 0 < 10 / eps) by (apply Rdiv_lt_0_compat; lra).
  apply Rle_trans with (sqrt ((10 / eps) ^ 2 * x)); [apply sqrt_le_1_alt; auto|].
  rewrite sqrt_mult_alt by apply pow2_ge_0. rewrite sqrt_pow2 by lra. lra.
Qed.
