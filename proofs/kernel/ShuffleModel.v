(* Section 2.3, Definitions (Shuffle Model), shuffle_dp and robust_shuffle_dp.

   "A randomizer R: X -> Y* mapping data to (possibly variable-length) vectors."
   "We assume that R and A have access to n."
   "A protocol P = (R,A) is (eps,delta,gamma)-robustly shuffle differentially private if, for all n in N and
    gamma' >= gamma, the algorithm S o R^{gamma' n} is (eps,delta)-differentially private."

   The analyzer takes no part in these definitions.  gamma' n is the number of honest users, a whole number from 1 to n. *)
From Coq Require Import Reals Lra List Bool.
From PanshuffleKernel Require Import Law Closeness Shuffle Messages.
Import ListNotations.
Open Scope R_scope.

Definition randomizer (X Y : Type) := X -> law (list Y).

(* R(x_1), ..., R(x_n), independent, concatenated. *)
Definition messages {X Y} (randomize : randomizer X Y) (x : list X) : law (list Y) := concatenated (map randomize x).

(* What everybody sees: (S o R^n)(x). *)
Definition view {X Y} (randomize : randomizer X Y) (x : list X) : law (list Y) := bind (messages randomize x) shuffle.

(* n |-> the randomizer that n users run. *)
Definition robustly_shuffle_private {X Y} (randomize : nat -> randomizer X Y) (eps delta gamma : R) :=
  forall n honest : nat, (0 < honest <= n)%nat -> gamma * INR n <= INR honest ->
  private_on honest eps delta (view (randomize n)).

(* All users are honest. *)
Definition shuffle_private {X Y} (randomize : nat -> randomizer X Y) (eps delta : R) :=
  forall n : nat, (0 < n)%nat -> private_on n eps delta (view (randomize n)).

Lemma robust_is_private {X Y} : forall (randomize : nat -> randomizer X Y) eps delta gamma,
  gamma <= 1 -> robustly_shuffle_private randomize eps delta gamma -> shuffle_private randomize eps delta.
Proof.
  intros randomize eps delta gamma Hg H n Hn. apply H; [split; auto|].
  pose proof (pos_INR n). apply Rle_trans with (1 * INR n); [apply Rmult_le_compat_r; lra | lra].
Qed.

Lemma proper_messages {X Y} : forall (randomize : randomizer X Y) x, (forall a, proper (randomize a)) -> proper (messages randomize x).
Proof. intros. apply proper_concatenated_map; auto. Qed.
Lemma proper_view {X Y} : forall (randomize : randomizer X Y) x, (forall a, proper (randomize a)) -> proper (view randomize x).
Proof. intros. apply proper_bind; [apply proper_messages; auto | intro; apply proper_shuffle]. Qed.
