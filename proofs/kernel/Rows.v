(* Rows of integers as laws on the whole numbers: what a computation by Coq says about an expectation.

   The row [w_0; w_1; ...] stands for the measure with mass w_i at i; rows are added, shifted and multiplied by
   integers, and the sum of their positive entries bounds the measure of every event. *)
From Coq Require Import Reals ZArith Lra Lia List Bool.
Import ListNotations.
Open Scope R_scope.

Fixpoint weigh (row : list Z) (i : nat) (f : nat -> R) : R :=
  match row with [] => 0 | w :: row => IZR w * f i + weigh row (S i) f end.

Fixpoint add (r s : list Z) : list Z :=
  match r, s with [], s => s | r, [] => r | x :: r, y :: s => (x + y)%Z :: add r s end.

Definition times (c : Z) (r : list Z) : list Z := map (Z.mul c) r.

(* The measure moved up by one. *)
Definition shift (r : list Z) : list Z := 0%Z :: r.

(* The law of a sum of two independent numbers. *)
Fixpoint convolve (r s : list Z) : list Z := match r with [] => [] | w :: r => add (times w s) (shift (convolve r s)) end.

Fixpoint positive_part (r : list Z) : Z := match r with [] => 0 | w :: r => Z.max 0 w + positive_part r end%Z.

Lemma weigh_add : forall r s i f, weigh (add r s) i f = weigh r i f + weigh s i f.
Proof.
  induction r as [|x r IH]; intros [|y s] i f; cbn [add weigh]; try ring. rewrite plus_IZR, IH. ring.
Qed.
Lemma weigh_times : forall c r i f, weigh (times c r) i f = IZR c * weigh r i f.
Proof. induction r as [|x r IH]; intros i f; cbn [times map weigh]; [ring|]. fold (times c r). rewrite mult_IZR, IH. ring. Qed.
Lemma weigh_from : forall r i f, weigh r i f = weigh r 0 (fun b => f (i + b)%nat).
Proof.
  induction r as [|x r IH]; intros i f; cbn [weigh]; [reflexivity|]. rewrite Nat.add_0_r, (IH (S i)), (IH 1%nat).
  f_equal. f_equal. apply FunctionalExtensionality.functional_extensionality. intro b. f_equal. lia.
Qed.
Lemma weigh_shift : forall r f, weigh (shift r) 0 f = weigh r 0 (fun c => f (S c)).
Proof. intros. unfold shift. cbn [weigh]. rewrite (weigh_from r 1). cbn [Nat.add]. ring. Qed.
Lemma weigh_ext : forall r i f g, (forall c, f c = g c) -> weigh r i f = weigh r i g.
Proof. induction r as [|x r IH]; intros i f g H; cbn [weigh]; [reflexivity|]. rewrite H, (IH (S i) f g H). reflexivity. Qed.
Lemma weigh_convolve : forall r s f, weigh (convolve r s) 0 f = weigh r 0 (fun a => weigh s 0 (fun b => f (a + b)%nat)).
Proof.
  induction r as [|w r IH]; intros s f; cbn [convolve]; [reflexivity|].
  rewrite weigh_add, weigh_times, weigh_shift, IH. cbn [weigh]. rewrite (weigh_from r 1). reflexivity.
Qed.
Lemma weigh_positive_part : forall r i f, (forall c, 0 <= f c <= 1) -> weigh r i f <= IZR (positive_part r).
Proof.
  induction r as [|w r IH]; intros i f H; cbn [weigh positive_part]; [lra|]. rewrite plus_IZR. specialize (IH (S i) f H).
  specialize (H i). assert (IZR w * f i <= IZR (Z.max 0 w)); [|lra].
  assert (0 <= IZR (Z.max 0 w)) by (apply IZR_le; lia). assert (IZR w <= IZR (Z.max 0 w)) by (apply IZR_le; lia).
  destruct (Rle_dec 0 (IZR w)); nra.
Qed.
