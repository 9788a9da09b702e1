(* Steps of proofs that are false as printed, each with a witness, and one that is true.

   Algorithm R_DE: "Set sigma <- log((e^eps+1)/delta)", used as 2^-sigma = delta/(e^eps+1), which needs base 2.
   Lemma ut-transformation: "for n > sqrt(ln(12)), P[Bin(n,2/9) > n/3] < 1/6".
   Lemma de-lower-bound-pan-2: "by composition across the 1/eps copies passed to Q, each element ... is now only guaranteed
    (1, delta/eps)-pan-privacy": group privacy costs more than delta for each copy.
   Theorem ut-app-upper-bound: "with probability >= 10/9540 ...; with probability >= 5/9540, the tester returns
    non-uniform" (true). *)
From Coq Require Import Reals Lra Lia List Bool.
From PanshuffleKernel Require Import Law Closeness Parity UniformityTransformation.
Import ListNotations.
Open Scope R_scope.

Lemma ln_2_lt_1 : ln 2 < 1.
Proof. rewrite <- (ln_exp 1). apply ln_increasing; [lra|]. pose proof (exp_ineq1 1 ltac:(lra)). lra. Qed.
Lemma ln_2_pos : 0 < ln 2.
Proof. rewrite <- ln_1. apply ln_increasing; lra. Qed.

Lemma sigma_argument : forall eps delta, 0 < eps -> 0 < delta < 1 -> 1 < (exp eps + 1) / delta.
Proof.
  intros eps delta He Hd. pose proof (exp_ineq1 eps ltac:(lra)).
  apply Rmult_lt_reg_r with delta; [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra.
Qed.

(* With the natural logarithm 2^-sigma is always too large. *)
Theorem natural_sigma_too_large : forall eps delta, 0 < eps -> 0 < delta < 1 ->
  delta / (exp eps + 1) < Rpower 2 (- ln ((exp eps + 1) / delta)).
Proof.
  intros eps delta He Hd. pose proof (sigma_argument eps delta He Hd) as S. pose proof (exp_pos eps).
  set (x := (exp eps + 1) / delta) in *.
  assert (L : 0 < ln x) by (rewrite <- ln_1; apply ln_increasing; lra).
  replace (delta / (exp eps + 1)) with (exp (- ln x)).
  - unfold Rpower. apply exp_increasing. pose proof ln_2_lt_1. nra.
  - rewrite exp_Ropp, exp_ln by lra. unfold x. field. split; lra.
Qed.

(* With base 2 it is exact. *)
Theorem binary_sigma_exact : forall eps delta, 0 < eps -> 0 < delta < 1 ->
  Rpower 2 (- (ln ((exp eps + 1) / delta) / ln 2)) = delta / (exp eps + 1).
Proof.
  intros eps delta He Hd. pose proof (sigma_argument eps delta He Hd) as S. pose proof (exp_pos eps). pose proof ln_2_pos.
  set (x := (exp eps + 1) / delta) in *. unfold Rpower.
  replace (- (ln x / ln 2) * ln 2) with (- ln x) by (field; lra).
  rewrite exp_Ropp, exp_ln by lra. unfold x. field. split; lra.
Qed.

Definition more_than (a : R) (c : nat) : bool := if Rlt_dec a (INR c) then true else false.

(* n = 2 > sqrt(ln 12): P[Bin(2, 2/9) > 2/3] = 1 - (7/9)^2 = 32/81 > 1/6. *)
Theorem chernoff_step_refuted :
  ~ (forall n : nat, sqrt (ln 12) < INR n -> Pr (Bin n (2 / 9)) (more_than (INR n / 3)) < 1 / 6).
Proof.
  intro H. specialize (H 2%nat).
  assert (S : sqrt (ln 12) < INR 2).
  { simpl INR. replace (1 + 1) with (sqrt (2 * 2)) by (rewrite sqrt_square; lra).
    apply sqrt_lt_1_alt. split; [rewrite <- ln_1; left; apply ln_increasing; lra|].
    rewrite <- (ln_exp (2 * 2)). apply ln_increasing; [lra|].
    pose proof (exp_ineq1 1 ltac:(lra)) as E1. replace (2 * 2) with (1 + 1 + (1 + 1)) by ring.
    rewrite !exp_plus. set (e := exp 1) in *. assert (2 < e) by lra. assert (4 < e * e) by nra. nra. }
  specialize (H S). unfold Pr, more_than in H. simpl in H.
  destruct (Rlt_dec ((1 + 1) / 3) (1 + 1)) as [A|A]; [|lra].
  destruct (Rlt_dec ((1 + 1) / 3) 1) as [B|B]; [|lra].
  destruct (Rlt_dec ((1 + 1) / 3) 0) as [C|C]; [lra|]. simpl in H. lra.
Qed.

(* Two changes at (1/2, delta) do not cost (1, 2 delta): 1 + e^(1/2) > 2. *)
Theorem group_privacy_step_refuted :
  ~ (forall (A : Type) (d0 d1 d2 : law A) (delta : R), proper d0 -> proper d1 -> proper d2 -> 0 <= delta ->
      close (1 / 2) delta d0 d1 -> close (1 / 2) delta d1 d0 -> close (1 / 2) delta d1 d2 -> close (1 / 2) delta d2 d1 ->
      close 1 (2 * delta) d2 d0).
Proof.
  intro H. set (r := exp (1 / 2)).
  assert (R1 : 1 < r) by (unfold r; pose proof (exp_ineq1 (1 / 2) ltac:(lra)); lra).
  assert (R2 : r < 2).
  { assert (X : r * r = exp 1) by (unfold r; rewrite <- exp_plus; f_equal; field).
    pose proof exp_le_3. assert (r * r < 4) by lra. nra. }
  set (t := (1 + r) / 10).
  assert (C : forall a b, 0 <= a <= 1 -> 0 <= b <= 1 -> a <= r * b + 1 / 10 -> 1 - a <= r * (1 - b) + 1 / 10 ->
     close (1 / 2) (1 / 10) (Ber a) (Ber b)).
  { intros a b Ha Hb H1 H2 T. fold r. unfold Pr, Ber. simpl.
    destruct (T true), (T false); simpl; nra. }
  assert (Z : close 1 (2 * (1 / 10)) (Ber t) (Ber 0)).
  { apply (H bool (Ber 0) (Ber (1 / 10)) (Ber t)); try (apply proper_Ber); try (apply C); unfold t; try lra; nra. }
  specialize (Z (fun b => b)). unfold Pr, Ber in Z. simpl in Z. unfold t in Z. lra.
Qed.

Theorem compressed_step : 5 / 9540 <= 10 / 9540 * (9539 / 9540).
Proof. lra. Qed.
