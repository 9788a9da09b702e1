(* From the finite laws of the other files to Paper.v: a protocol whose users' laws are finite has finite views. *)
From Coq Require Import Reals Lra Lia List Bool Permutation FunctionalExtensionality.
From PanshuffleKernel Require Law Closeness Shuffle Messages ShuffleModel Online Parity Shares Distinct.
From PanshuffleKernel Require Import Paper Countable Privacy Model.
Import ListNotations.
Open Scope R_scope.

Lemma view_finite {X Y} : forall (R : X -> law (list Y)) (r : X -> table (list Y)) x, (forall a, R a = fun _ => r a) ->
  view R x = fun _ => ShuffleModel.view r x.
Proof.
  intros R r x H. apply functional_extensionality; intro N. rewrite view_at. f_equal.
  apply functional_extensionality; intro a. rewrite H. reflexivity.
Qed.
Lemma private_finite {X Z} : forall n eps delta (M : list X -> law Z) (t : list X -> table Z), (forall x, M x = fun _ => t x) ->
  Closeness.private_on n eps delta t -> private_on n eps delta M.
Proof. intros n eps delta M t H P x x' L N. rewrite !H. apply close_finite. apply P; auto. Qed.
Lemma tv_finite {A} : forall (d d' : table A) Delta, tv_at_most (fun _ => d) (fun _ => d') Delta <-> Closeness.tv_at_most d d' Delta.
Proof. intros. split; intros H T; specialize (H T); rewrite !Pr_finite in *; auto. Qed.
Lemma bind_finite {A B} : forall (d : table A) (k : A -> law B) (h : A -> table B), (forall a, k a = fun _ => h a) ->
  bind (fun _ => d) k = fun _ => bind_table d h.
Proof.
  intros d k h H. apply functional_extensionality; intro N. unfold bind. f_equal.
  apply functional_extensionality; intro a. rewrite H. reflexivity.
Qed.
Lemma concatenated_finite {A} : forall (ds : list (law (list A))) (ts : list (table (list A))), ds = map (fun t _ => t) ts ->
  concatenated ds = fun _ => Messages.concatenated ts.
Proof.
  intros ds ts H. apply functional_extensionality; intro N. rewrite concatenated_at, H, map_map, map_id. reflexivity.
Qed.
Lemma independent_finite {A} : forall ts : list (table A), independent (map (fun t _ => t) ts) = fun _ => Parity.independent ts.
Proof.
  induction ts as [|t ts IH]; [reflexivity|]. cbn [map independent Parity.independent]. rewrite IH. reflexivity.
Qed.

(* Randomizers with the same laws give views with the same law. *)
Lemma messages_same {X Y} : forall (r r' : X -> table (list Y)) x, (forall a, Law.same_law (r a) (r' a)) ->
  Law.same_law (ShuffleModel.messages r x) (ShuffleModel.messages r' x).
Proof.
  intros r r' x H. unfold ShuffleModel.messages. induction x as [|a x IH]; intro f; [reflexivity|].
  cbn [map Messages.concatenated]. rewrite !Messages.E_join, H. apply Law.E_ext; intro l. apply IH.
Qed.
Lemma view_same {X Y} : forall (r r' : X -> table (list Y)) x, (forall a, Law.same_law (r a) (r' a)) ->
  Law.same_law (ShuffleModel.view r x) (ShuffleModel.view r' x).
Proof. intros r r' x H f. unfold ShuffleModel.view. rewrite !Law.E_bind. apply messages_same; auto. Qed.

(* R_MOD. *)
Definition mod_table (m : nat) (u : bool) : table (list bool) :=
  Shuffle.uniform (filter (fun v => Bool.eqb (Parity.parity v) u) (Shares.vectors m)).
Lemma vectors_same : forall m, vectors m = Shares.vectors m.
Proof. induction m; simpl; [reflexivity | rewrite IHm; reflexivity]. Qed.
Lemma R_MOD_finite : forall m u, R_MOD m u = fun _ => mod_table m u.
Proof. intros. unfold R_MOD, mod_table. rewrite vectors_same. reflexivity. Qed.
Lemma mod_same : forall m u, (0 < m)%nat -> Law.same_law (Shares.R_MOD m u) (mod_table m u).
Proof. intros. apply Shares.shares_uniform; auto. Qed.
Lemma mod_proper : forall m u, (0 < m)%nat -> Law.proper (mod_table m u).
Proof.
  intros m u M. apply Shuffle.proper_uniform. destruct m as [|k]; [lia|]. intro Q.
  pose proof (Shares.with_parity_length k u) as L. unfold Shares.with_parity in L. rewrite Q in L. simpl in L.
  pose proof (Nat.pow_nonzero 2 k). lia.
Qed.
Lemma mod_view : forall m h, view (R_MOD m) h = fun _ => ShuffleModel.view (mod_table m) h.
Proof. intros. apply view_finite. apply R_MOD_finite. Qed.
Lemma mod_hides : forall m honest Delta, (0 < m)%nat ->
  (Distinct.hides_all_but_sum (Shares.R_MOD m) honest Delta <-> Distinct.hides_all_but_sum (mod_table m) honest Delta).
Proof.
  intros m honest Delta M.
  assert (S : forall h T, Law.Pr (ShuffleModel.view (Shares.R_MOD m) h) T = Law.Pr (ShuffleModel.view (mod_table m) h) T).
  { intros h T. apply view_same. intro u; apply mod_same; auto. }
  split; intros H h L T; specialize (H h L T); rewrite !S in *; auto.
Qed.
