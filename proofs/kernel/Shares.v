(* Theorem ikos, the randomizer R_MOD: additive shares of a bit.

   "Sample l in {0,1}^m uniformly from {v in {0,1}^m | sum v_t mod 2 = u}" (a comment in the paper's source; the paper
   leaves the number m of messages undefined).

   Proved: the shares sum to the bit, and they are uniform among the vectors of m bits with that sum. *)
From Coq Require Import Reals Lra List Bool.
From PanshuffleKernel Require Import Law Parity Shuffle.
Import ListNotations.
Open Scope R_scope.

(* XOR shares: k fair_coin bits then the correcting bit; L = S k messages *)
Definition fair_bit : law bool := [(false, 1/2); (true, 1/2)].
Fixpoint shares (k : nat) (u : bool) : law (list bool) :=
  match k with O => point [u] | S k => bind fair_bit (fun b => bind (shares k (xorb u b)) (fun l => point (b :: l))) end.
Lemma proper_shares : forall k u, proper (shares k u).
Proof.
  induction k; intro u. apply proper_point.
  apply (proper_bind fair_bit (fun b => bind (shares k (xorb u b)) (fun l => point (b :: l)))). split; [intros p [H|[H|[]]]; subst; simpl; lra | simpl; field].
  intro b. apply proper_bind; auto. intro; apply proper_point.
Qed.
(* Correctness: the shares sum to u. *)
Lemma shares_parity : forall k u p, In p (shares k u) -> parity (fst p) = u.
Proof.
  induction k; intros u p H.
  - destruct H as [H|[]]; subst; destruct u; reflexivity.
  - apply (in_bind fair_bit (fun b => bind (shares k (xorb u b)) (fun l => point (b :: l)))) in H. destruct H as [b [c [_ [H2 H3]]]].
    apply in_bind in H2. destruct H2 as [l [r [H4 [H5 H6]]]]. destruct H5 as [H5|[]]; subst r.
    simpl in H6. rewrite <- H3, <- H6. simpl. apply IHk in H4. rewrite H4. destruct u, (fst b); reflexivity.
Qed.


(* R_MOD with m messages. *)
Definition R_MOD (m : nat) (u : bool) : law (list bool) := match m with O => point [] | S k => shares k u end.

Lemma proper_R_MOD : forall m u, proper (R_MOD m u).
Proof. intros [|k] u; [apply proper_point | apply proper_shares]. Qed.

(* All vectors of m bits. *)
Fixpoint vectors (m : nat) : list (list bool) :=
  match m with O => [[]] | S m => map (cons false) (vectors m) ++ map (cons true) (vectors m) end.

Definition with_parity (m : nat) (u : bool) := filter (fun v => Bool.eqb (parity v) u) (vectors m).

Lemma filter_map {A B} : forall (f : A -> B) p l, filter p (map f l) = map f (filter (fun a => p (f a)) l).
Proof. induction l as [|a l IH]; simpl; auto. destruct (p (f a)); simpl; rewrite IH; auto. Qed.

Lemma with_parity_step : forall m u, with_parity (S m) u =
  map (cons false) (with_parity m u) ++ map (cons true) (with_parity m (negb u)).
Proof.
  intros m u. unfold with_parity. simpl. rewrite filter_app, !filter_map. f_equal; f_equal;
    apply filter_ext; intro v; simpl; fold (parity v); destruct (parity v), u; reflexivity.
Qed.

Lemma with_parity_length : forall k u, length (with_parity (S k) u) = (2 ^ k)%nat.
Proof.
  induction k; intro u; [destruct u; reflexivity|].
  rewrite with_parity_step, app_length, !map_length, !IHk. simpl. rewrite Nat.add_0_r. reflexivity.
Qed.

Lemma total_app {A} : forall (l l' : list A) F, total (l ++ l') F = total l F + total l' F.
Proof. induction l as [|a l IH]; intros l' F; simpl; [ring | rewrite IH; ring]. Qed.

Lemma E_shares_total : forall k u F, E (shares k u) F = total (with_parity (S k) u) F * / INR (2 ^ k).
Proof.
  induction k; intros u F.
  - destruct u; simpl; field.
  - rewrite with_parity_step, total_app, !total_map.
    change (shares (S k) u) with (bind fair_bit (fun b => bind (shares k (xorb u b)) (fun l => point (b :: l)))).
    rewrite E_bind. unfold fair_bit. cbn [E]. rewrite !E_bind.
    rewrite (E_ext _ _ (fun l => F (false :: l))) by (intro; apply E_point).
    rewrite (E_ext (shares k (xorb u true)) _ (fun l => F (true :: l))) by (intro; apply E_point).
    rewrite !IHk. replace (xorb u false) with u by (destruct u; reflexivity).
    replace (xorb u true) with (negb u) by (destruct u; reflexivity).
    replace (INR (2 ^ S k)) with (2 * INR (2 ^ k)) by (simpl; rewrite Nat.add_0_r, plus_INR; ring).
    field. apply not_0_INR, Nat.pow_nonzero. discriminate.
Qed.

Theorem shares_uniform : forall m u, (0 < m)%nat -> same_law (R_MOD m u) (uniform (with_parity m u)).
Proof.
  intros [|k] u H F; [inversion H|]. unfold R_MOD. rewrite E_uniform, with_parity_length. apply E_shares_total.
Qed.

Theorem shares_sum : forall m u p, (0 < m)%nat -> In p (R_MOD m u) -> parity (fst p) = u /\ length (fst p) = m.
Proof.
  intros [|k] u p H Hp; [inversion H|]. split; [eapply shares_parity; exact Hp|]. clear H. revert u p Hp.
  induction k; intros u p H.
  - destruct H as [H|[]]; subst; reflexivity.
  - apply (in_bind fair_bit (fun b => bind (shares k (xorb u b)) (fun l => point (b :: l)))) in H.
    destruct H as [b [c [_ [H2 H3]]]]. apply in_bind in H2. destruct H2 as [l [r [H4 [H5 H6]]]].
    destruct H5 as [H5|[]]; subst r. simpl in H6. rewrite <- H3, <- H6. simpl. f_equal. apply (IHk (xorb u (fst b)) l H4).
Qed.
