(* Powers with real exponents, and the variant of Bernoulli's inequality in the proof of Theorem de_upper (Case 1).

   "for x >= -1 and r in [0,1], (1+x)^r <= 1+xr."

   The standard Rpower x y is exp (y ln x), which says nothing at x = 0; power extends it by 0^y = 0 and 0^0 = 1. *)
From Coq Require Import Reals Lra List Bool.
Import ListNotations.
Open Scope R_scope.

Definition power (x y : R) : R :=
  if Req_EM_T x 0 then (if Req_EM_T y 0 then 1 else 0) else Rpower x y.

Lemma power_pos_base : forall x y, x <> 0 -> power x y = Rpower x y.
Proof. intros x y H. unfold power. destruct (Req_EM_T x 0); [contradiction | reflexivity]. Qed.
Lemma power_zero : forall y, y <> 0 -> power 0 y = 0.
Proof.
  intros y H. unfold power. destruct (Req_EM_T 0 0); [|congruence].
  destruct (Req_EM_T y 0); [contradiction | reflexivity].
Qed.

(* "for x >= -1 and r in [0,1], (1+x)^r <= 1+xr", with y = 1 + x > 0. *)
Lemma bernoulli : forall y r, 0 < y -> 0 <= r <= 1 -> Rpower y r <= 1 + r * (y - 1).
Proof.
  intros y r Hy Hr. unfold Rpower.
  rewrite <- (exp_ln y Hy) at 2. set (L := ln y).
  assert (H1 : 1 + (1 - r) * L <= exp ((1 - r) * L)) by apply exp_ineq1_le.
  assert (H2 : 1 + - (r * L) <= exp (- (r * L))) by apply exp_ineq1_le.
  assert (E1 : exp L = exp (r * L) * exp ((1 - r) * L)) by (rewrite <- exp_plus; f_equal; ring).
  assert (E2 : exp (r * L) * exp (- (r * L)) = 1)
    by (rewrite <- exp_plus; replace (r * L + - (r * L)) with 0 by ring; apply exp_0).
  assert (Pr : 0 < exp (r * L)) by apply exp_pos.
  set (X := exp (r * L)) in *. set (Y := exp ((1 - r) * L)) in *. set (Z := exp (- (r * L))) in *.
  rewrite E1.
  assert (A1 : r * (X * (1 + (1 - r) * L)) <= r * (X * Y))
    by (apply Rmult_le_compat_l; [lra | apply Rmult_le_compat_l; lra]).
  assert (A2 : (1 - r) * (X * (1 + - (r * L))) <= (1 - r) * (X * Z))
    by (apply Rmult_le_compat_l; [lra | apply Rmult_le_compat_l; lra]).
  rewrite E2 in A2. lra.
Qed.

Lemma Rpower_pos : forall x y, 0 < Rpower x y.
Proof. intros; unfold Rpower; apply exp_pos. Qed.

Lemma Rpower2_gt1 : forall g, 0 < g -> 1 < Rpower 2 g.
Proof. intros g H. rewrite <- (Rpower_O 2) by lra. apply Rpower_lt; lra. Qed.

Theorem bernoulli_variant : forall x r, -1 <= x -> 0 <= r <= 1 -> power (1 + x) r <= 1 + x * r.
Proof.
  intros x r Hx Hr. unfold power. destruct (Req_EM_T (1 + x) 0) as [Z|Z].
  - replace x with (-1) by lra. destruct (Req_EM_T r 0); lra.
  - pose proof (bernoulli (1 + x) r ltac:(lra) Hr). lra.
Qed.

Lemma ln_le_mono : forall x y, 0 < x -> x <= y -> ln x <= ln y.
Proof. intros x y Hx [H|H]; [left; apply ln_increasing; auto | right; subst; auto]. Qed.

Lemma Rpower_le_base : forall x y g, 0 < x -> x <= y -> 0 <= g -> Rpower x g <= Rpower y g.
Proof. intros x y g Hx Hxy Hg. apply Rle_Rpower_l; lra. Qed.
