(* Theorem de_upper, Part I, with nothing cited: R_MOD is the share randomizer with enough messages.

   "the protocol P_DE is (2 eps(gamma), 4 delta/gamma, gamma)-robustly shuffle private, where
    eps(gamma) <= eps + ln(1/gamma) and if eps <= ln(2), then eps(gamma) <= 2 eps^gamma/gamma."

   The paper leaves the number of messages undefined; here n users send m n each, with
   4 n 2^-(m n) <= delta/(e^eps + 1).  Proved as printed, and with 2 delta/gamma. *)
From Coq Require Import Reals Lra List Bool Lia.
From PanshuffleKernel Require Import Law Closeness Parity ShuffleModel Distinct DistinctRobust Shares Ikos.
Import ListNotations.
Open Scope R_scope.

(* Enough messages for every number of users. *)
Definition enough_messages (m : nat -> nat) (eps delta : R) :=
  forall n, (0 < n)%nat -> 4 * INR n * (1 / 2) ^ m n <= delta / (exp eps + 1).

(* The protocol's randomizer for n users on the domain K. *)
Definition P_DE {Element} (same : forall a b : Element, {a = b} + {a <> b}) (K : list Element) (eps : R) (m : nat -> nat)
  : nat -> randomizer Element (Element * bool) :=
  fun n => R_DE Element same K n eps (R_MOD (m n)).

Lemma enough_ikos : forall m eps delta, 0 <= delta <= 1 -> enough_messages m eps delta ->
  forall n honest, (0 < honest <= n)%nat -> hides_all_but_sum (R_MOD (m n)) honest (delta / (exp eps + 1)).
Proof.
  intros m eps delta Hd HM n honest Hh. apply ikos with n; auto; [apply HM; lia|]. pose proof (exp_pos eps).
  apply Rmult_le_reg_r with (exp eps + 1); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra.
Qed.

Theorem de_upper_I :
  forall (Element : Type) (same : forall a b : Element, {a = b} + {a <> b}) (K : list Element) (m : nat -> nat)
         (eps delta gamma : R),
  NoDup K -> 0 < eps -> 0 <= delta <= 1 -> 0 < gamma <= 1 -> enough_messages m eps delta ->
  robustly_shuffle_private (P_DE same K eps m) (2 * (eps + ln (1 / gamma))) (4 * delta / gamma) gamma
  /\ (eps <= ln 2 ->
      robustly_shuffle_private (P_DE same K eps m) (2 * (2 * Rpower eps gamma / gamma)) (4 * delta / gamma) gamma).
Proof.
  intros Element same K m eps delta gamma HK He Hd Hg HM.
  apply (de_upper_given_ikos Element same K (fun n => R_MOD (m n)) eps delta gamma); auto; try lra.
  - intros; apply proper_R_MOD.
  - intros n honest Hh _. apply enough_ikos; auto. lia.
Qed.

(* Sharper: 2 delta/gamma. *)
Theorem de_upper_I_half_delta :
  forall (Element : Type) (same : forall a b : Element, {a = b} + {a <> b}) (K : list Element) (m : nat -> nat)
         (eps delta gamma : R),
  NoDup K -> 0 < eps -> 0 <= delta <= 1 -> 0 < gamma <= 1 -> enough_messages m eps delta ->
  robustly_shuffle_private (P_DE same K eps m) (2 * (eps + ln (1 / gamma))) (2 * delta / gamma) gamma
  /\ (eps <= ln 2 ->
      robustly_shuffle_private (P_DE same K eps m) (2 * (2 * Rpower eps gamma / gamma)) (2 * delta / gamma) gamma).
Proof.
  intros Element same K m eps delta gamma HK He Hd Hg HM.
  split; [|intro L2].
  - apply (robust_case_1 Element same K (fun n => R_MOD (m n))); auto; try lra.
    intros; apply proper_R_MOD. intros n honest Hh _. apply enough_ikos; auto. lia.
  - apply (robust_case_2 Element same K (fun n => R_MOD (m n))); auto; try lra.
    intros; apply proper_R_MOD. intros n honest Hh _. apply enough_ikos; auto. lia.
Qed.
