(* The law of the number of ones in a pool of shares, as a row of integers.

   N users hold bits, each sends m bits that are uniform among those of the user's parity; a reader of the shuffled
   messages sees the number of ones.  Proved: its law is the row below over 2^((m-1)N); the row is computed by Coq and
   compared with the law that the Python code computes. *)
From Coq Require Import Reals ZArith Lra Lia List Bool Permutation.
From PanshuffleKernel Require Import Law Parity Shuffle Messages ShuffleModel Shares Transformation Rows.
Import ListNotations.
Open Scope R_scope.

Fixpoint heads (l : list bool) : nat := match l with [] => O | b :: l => if b then S (heads l) else heads l end.

(* The number of vectors of m bits with parity u and i ones, for each i. *)
Fixpoint share_row (m : nat) (u : bool) : list Z :=
  match m with O => if u then [] else [1%Z] | S m => add (share_row m u) (shift (share_row m (negb u))) end.

Fixpoint pool_row (m : nat) (h : list bool) : list Z :=
  match h with [] => [1%Z] | u :: h => convolve (share_row m u) (pool_row m h) end.

(* A row without the zeros at its end. *)
Fixpoint trimmed (r : list Z) : list Z :=
  match r with [] => [] | w :: r => match trimmed r with [] => if Z.eqb w 0 then [] else [w] | s => w :: s end end.

Lemma weigh_trimmed : forall r i f, weigh (trimmed r) i f = weigh r i f.
Proof.
  induction r as [|w r IH]; intros i f; cbn [trimmed]; [reflexivity|]. specialize (IH (S i) f). cbn [weigh].
  destruct (trimmed r) as [|x s]; cbn [weigh] in *.
  - destruct (Z.eqb_spec w 0); subst; cbn [weigh]; rewrite <- IH; ring.
  - rewrite <- IH. reflexivity.
Qed.

Lemma heads_app : forall l r, heads (l ++ r) = (heads l + heads r)%nat.
Proof. induction l as [|b l IH]; intro r; simpl; auto. destruct b; simpl; rewrite IH; auto. Qed.

Lemma heads_perm : forall l l', Permutation l l' -> heads l = heads l'.
Proof. induction 1; simpl; try destruct x; try destruct y; congruence || lia. Qed.

Lemma shares_row : forall k u f, E (shares k u) (fun l => f (heads l)) * 2 ^ k = weigh (share_row (S k) u) 0 f.
Proof.
  induction k; intros u f.
  - destruct u; simpl; ring.
  - change (shares (S k) u) with (bind fair_bit (fun b => bind (shares k (xorb u b)) (fun l => point (b :: l)))).
    change (share_row (S (S k)) u) with (add (share_row (S k) u) (shift (share_row (S k) (negb u)))).
    rewrite weigh_add, weigh_shift, <- !IHk, E_bind. unfold fair_bit. cbn [E]. rewrite !E_bind.
    rewrite (E_ext (shares k (xorb u false)) _ (fun l => f (heads l))) by (intro; rewrite E_point; reflexivity).
    rewrite (E_ext (shares k (xorb u true)) _ (fun l => f (S (heads l)))) by (intro; rewrite E_point; reflexivity).
    replace (xorb u false) with u by (destruct u; reflexivity).
    replace (xorb u true) with (negb u) by (destruct u; reflexivity). cbn [pow]. field.
Qed.

Lemma weigh_scale : forall r i f c, weigh r i (fun a => f a * c) = weigh r i f * c.
Proof. induction r as [|w r IH]; intros; cbn [weigh]; [ring | rewrite IH; ring]. Qed.

Theorem pool_law : forall (k : nat) (h : list bool) (f : nat -> R),
  E (view (R_MOD (S k)) h) (fun l => f (heads l)) * 2 ^ (k * length h) = weigh (pool_row (S k) h) 0 f.
Proof.
  intros k h f. rewrite E_view_order_free by (intros l l' P0; rewrite (heads_perm l l' P0); reflexivity).
  unfold messages. revert f. induction h as [|u h IH]; intro f.
  - cbn [map concatenated pool_row length weigh]. rewrite E_point, Nat.mul_0_r. simpl. ring.
  - cbn [map concatenated pool_row length]. rewrite E_join, weigh_convolve.
    replace (k * S (length h))%nat with (k * length h + k)%nat by lia. rewrite pow_add.
    rewrite (weigh_ext _ 0 _ (fun a => E (concatenated (map (R_MOD (S k)) h)) (fun r => f (a + heads r)%nat) * 2 ^ (k * length h)))
      by (intro a; symmetry; apply (IH (fun b => f (a + b)%nat))).
    rewrite weigh_scale, <- (shares_row k u). unfold R_MOD at 1.
    rewrite (E_ext (shares k u) _ (fun l => E (concatenated (map (R_MOD (S k)) h)) (fun r => f (heads l + heads r)%nat)))
      by (intro l; apply E_ext; intro r; rewrite heads_app; reflexivity).
    ring.
Qed.
