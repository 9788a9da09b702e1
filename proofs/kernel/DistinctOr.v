(* Section 3.1, the reduction to OR and its private solution.

   "D(x) = sum_{i=1}^k ((x_1 = i) or ... or (x_n = i))."
   "a basic (and suboptimal) centrally private solution to OR: output a sample from Ber(1/2) if OR(x) = 1, and output a sample from
    Ber(p = 1/2e^eps) otherwise."
   "if every user reports messages drawn from Ber(p'), the sum (mod 2) is exactly Ber(p).  But if there is any user who reports Ber(1/2),
    the sum is drawn from Ber(1/2)."  "When k >= n^2, the distinct elements protocol P_DE does not provide a meaningful notion of accuracy." *)
From Coq Require Import Reals Lra Lia List Bool.
From PanshuffleKernel Require Import Law Closeness Power EpsPrime Parity Shuffle Hash Transformation DistinctAccuracy Calculus.
Import ListNotations.
Open Scope R_scope.

(* (x_1 = j) or ... or (x_n = j). *)
Definition occurs {X} (same : forall a b : X, {a = b} + {a <> b}) (j : X) (x : list X) : bool :=
  existsb (fun a => if same a j then true else false) x.

Lemma occurs_in {X} : forall (same : forall a b : X, {a = b} + {a <> b}) j x, occurs same j x = true <-> In j x.
Proof.
  intros same j x. unfold occurs. rewrite existsb_exists. split.
  - intros [a [H1 H2]]. destruct (same a j); [subst; auto | discriminate].
  - intro H. exists j. split; auto. destruct (same j j); congruence.
Qed.

Theorem or_reduction : forall (X : Type) (same : forall a b : X, {a = b} + {a <> b}) (K x : list X),
  NoDup K -> (forall a, In a x -> In a K) -> INR (distinct same x) = total K (fun j => indicator (occurs same j x)).
Proof.
  intros X same K x HK HX. rewrite <- (present_distinct X same K HK x HX). unfold present.
  clear HX HK. induction K as [|j K IH]; [reflexivity|]. rewrite total_cons, <- IH. cbn [filter].
  destruct (in_dec same j x) as [I|I].
  - rewrite (proj2 (occurs_in same j x) I). cbn [length indicator]. rewrite S_INR. ring.
  - destruct (occurs same j x) eqn:O; [apply occurs_in in O; contradiction|]. cbn [indicator]. ring.
Qed.

(* The private solution to OR, for datasets of bits. *)
Definition randomized_or (eps : R) (x : list bool) : law bool := Ber (if existsb (fun b => b) x then 1 / 2 else 1 / (2 * exp eps)).

Theorem randomized_or_private : forall (eps : R) (n : nat), 0 < eps -> private_on n eps 0 (randomized_or eps).
Proof.
  intros eps n He x x' _ _ T. pose proof (ratio_inequality eps He) as RI. pose proof (exp_ineq1 eps ltac:(lra)) as X1.
  rewrite exp_Ropp in RI. unfold randomized_or. set (X := exp eps) in *.
  assert (I0 : 0 < / X) by (apply Rinv_0_lt_compat; lra). assert (I1 : / X * X = 1) by (apply Rinv_l; lra).
  assert (I2 : / X < 1) by (rewrite <- Rinv_1; apply Rinv_lt_contravar; lra).
  replace (1 / (2 * X)) with (/ X / 2) by (field; lra).
  set (a := if existsb (fun b => b) x then 1 / 2 else / X / 2). set (b := if existsb (fun b => b) x' then 1 / 2 else / X / 2).
  assert (A : a <= X * b /\ 1 - a <= X * (1 - b)) by (unfold a, b; destruct (existsb _ x), (existsb _ x'); split; nra).
  unfold Pr, Ber. cbn [E]. destruct (T true), (T false); cbn [indicator]; lra.
Qed.

(* Both ratios of the masses, at 1 and at 0. *)
Theorem parity_ratios : forall eps, 0 < eps ->
  (1 / 2) / (1 / (2 * exp eps)) = exp eps /\ (1 - 1 / 2) / (1 - 1 / (2 * exp eps)) = 1 / (2 - exp (- eps)) /\ 2 - exp (- eps) < exp eps.
Proof.
  intros eps He. pose proof (exp_ineq1 eps ltac:(lra)). split; [field; lra|]. split; [rewrite exp_Ropp; field; lra | apply ratio_inequality; auto].
Qed.

(* The sum mod 2 of n users' bits: Ber(p) if nobody is fair, fair if somebody is. *)
Theorem or_simulation_none : forall p n, 0 <= p <= 1 / 2 -> (0 < n)%nat -> same_law (parity_law (repeat (p_prime p n) n)) (Ber p).
Proof.
  intros p n Hp Hn f. rewrite (distinct_ber p n n Hp Hn Hn f). replace (INR n / INR n) with 1 by (field; apply not_0_INR; lia).
  replace ((1 - power (1 - 2 * p) 1) / 2) with p; [reflexivity|]. unfold power. destruct (Req_EM_T (1 - 2 * p) 0) as [Z|Z].
  - destruct (Req_EM_T 1 0); lra.
  - rewrite Rpower_1 by lra. field.
Qed.
Theorem or_simulation_some : forall qs, Forall (fun q => 0 <= q <= 1) qs -> In (1 / 2) qs -> same_law (parity_law qs) (Ber (1 / 2)).
Proof.
  intros qs HQ HI f. rewrite (parity_law_Ber qs HQ f). replace (product (map (fun q => 1 - 2 * q) qs)) with 0; [do 2 f_equal; field|].
  clear HQ. induction qs as [|q qs IH]; [destruct HI|]. cbn [map product fold_right]. fold (product (map (fun q => 1 - 2 * q) qs)).
  destruct HI as [HI|HI]; [subst; field | rewrite <- (IH HI); ring].
Qed.

(* k >= n^2: the error that Part II promises is above n. *)
Theorem large_universe : forall (eps beta : R) (k n : nat), 0 < eps -> 0 < beta < 1 -> (0 < n)%nat -> (n * n <= k)%nat ->
  INR n < exp eps / (exp eps - 1) * sqrt (2 * INR k * ln (2 / beta)).
Proof.
  intros eps beta k n He Hb Hn Hk. pose proof (exp_ineq1 eps ltac:(lra)) as X1. pose proof ln_2_bounds as L2.
  assert (N0 : 1 <= INR n) by (replace 1 with (INR 1) by reflexivity; apply le_INR; lia).
  apply le_INR in Hk. rewrite mult_INR in Hk.
  assert (LB : ln 2 < ln (2 / beta)).
  { apply ln_increasing; [lra|]. apply Rmult_lt_reg_r with beta; [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra. }
  assert (S : INR n < sqrt (2 * INR k * ln (2 / beta))).
  { apply Rle_lt_trans with (sqrt (INR n * INR n)); [right; symmetry; apply sqrt_square; lra|]. apply sqrt_lt_1_alt. split; [nra|].
    assert (0 < INR k * (2 * ln (2 / beta) - 1)) by (apply Rmult_lt_0_compat; nra). nra. }
  assert (F : 1 <= exp eps / (exp eps - 1)) by (apply le_div; lra).
  assert (1 * sqrt (2 * INR k * ln (2 / beta)) <= exp eps / (exp eps - 1) * sqrt (2 * INR k * ln (2 / beta))) by (apply Rmult_le_compat_r; [apply sqrt_pos | auto]).
  lra.
Qed.
