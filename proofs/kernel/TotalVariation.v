(* Lemma bbgn_close (Lemma 1.2 of BBGN19b), cited in the proof of Theorem de_upper.

   "Let M, M' be algorithms such that, for every u, ||M(u) - M'(u)||_TV <= Delta.  If M is eps-differentially private
    then M' is (eps, (e^eps + 1) Delta)-differentially private." *)
From Coq Require Import Reals Lra List Bool.
From PanshuffleKernel Require Import Law Closeness.
Import ListNotations.
Open Scope R_scope.

Theorem bbgn_close {X A} : forall neighbours (M M' : X -> law A) eps Delta,
  (forall u, tv_at_most (M u) (M' u) Delta) -> differentially_private neighbours eps 0 M ->
  differentially_private neighbours eps ((exp eps + 1) * Delta) M'.
Proof.
  intros neighbours M M' eps Delta TV D x x' N T.
  specialize (D x x' N T). pose proof (TV x T) as T1. pose proof (TV x' T) as T2.
  unfold Rabs in T1; destruct (Rcase_abs _) in T1.
  all: unfold Rabs in T2; destruct (Rcase_abs _) in T2.
  all: pose proof (exp_pos eps).
  all: assert (exp eps * Pr (M x') T <= exp eps * (Pr (M' x') T + Delta)) by (apply Rmult_le_compat_l; lra); lra.
Qed.
