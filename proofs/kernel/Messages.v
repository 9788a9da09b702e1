(* Independent message vectors, seen without their order.

   The paper treats the shuffled messages of R_DE label by label; that the messages of all users may be grouped by
   label is proved here (exchange), and composition for readers who ignore order (join_close). *)
From Coq Require Import Reals Lra List Bool Permutation.
From PanshuffleKernel Require Import Law Closeness Shuffle.
Import ListNotations.
Open Scope R_scope.

(* Functions of the messages that ignore their order. *)
Definition order_free {A} (F : list A -> R) := forall l l', Permutation l l' -> F l = F l'.
Definition unordered_test {A} (F : list A -> R) := order_free F /\ forall l, 0 <= F l <= 1.
(* Closeness and equality for what a reader of shuffled messages can see. *)
Definition close_unordered {A} e dl (d d' : law (list A)) := forall F, unordered_test F -> E d F <= exp e * E d' F + dl.
Definition same_unordered {A} (d d' : law (list A)) := forall F, order_free F -> E d F = E d' F.
(* Independent message vectors, one after the other. *)
Definition join {A} (d d' : law (list A)) : law (list A) := bind d (fun l => bind d' (fun r => point (l ++ r))).
Fixpoint concatenated {A} (ds : list (law (list A))) : law (list A) :=
  match ds with [] => point [] | d :: ds => join d (concatenated ds) end.

Lemma E_join {A} : forall (d d' : law (list A)) F, E (join d d') F = E d (fun l => E d' (fun r => F (l ++ r))).
Proof. intros. unfold join. rewrite E_bind. apply E_ext; intro. rewrite E_bind. apply E_ext; intro. apply E_point. Qed.
Lemma proper_join {A} : forall d d' : law (list A), proper d -> proper d' -> proper (join d d').
Proof. intros. apply proper_bind; auto. intro. apply proper_bind; auto. intro; apply proper_point. Qed.
Lemma proper_concatenated {A} : forall ds : list (law (list A)), Forall proper ds -> proper (concatenated ds).
Proof. induction 1; simpl; [apply proper_point | apply proper_join; auto]. Qed.

Lemma order_free_app {A} : forall (F : list A -> R) l, order_free F -> order_free (fun r => F (l ++ r)).
Proof. intros F l H r r' P0. apply H. apply Permutation_app_head; auto. Qed.
Lemma same_unordered_trans {A} : forall a b c : law (list A), same_unordered a b -> same_unordered b c -> same_unordered a c.
Proof. intros a b c H K F HF. rewrite (H F HF); auto. Qed.
Lemma same_unordered_sym {A} : forall a b : law (list A), same_unordered a b -> same_unordered b a.
Proof. intros a b H F HF. symmetry; auto. Qed.
Lemma order_free_E {A} : forall (d : law (list A)) F, order_free F -> order_free (fun l => E d (fun r => F (l ++ r))).
Proof. intros d F H l l' P0. apply E_ext. intro r. apply H. apply Permutation_app_tail; auto. Qed.
Lemma join_same {A} : forall a a' b b' : law (list A), same_unordered a a' -> same_unordered b b' -> same_unordered (join a b) (join a' b').
Proof.
  intros a a' b b' H K F HF. rewrite !E_join. rewrite (H _ (order_free_E b F HF)).
  apply E_ext; intro l. apply K. apply order_free_app; auto.
Qed.
Lemma join_comm {A} : forall a b : law (list A), same_unordered (join a b) (join b a).
Proof.
  intros a b F HF. rewrite !E_join, E_swap. apply E_ext; intro r. apply E_ext; intro l. apply HF.
  apply Permutation_app_comm.
Qed.
Lemma join_assoc {A} : forall a b c : law (list A), same_law (join (join a b) c) (join a (join b c)).
Proof.
  intros a b c F. rewrite !E_join. apply E_ext; intro x. rewrite E_join. apply E_ext; intro y.
  apply E_ext; intro z. rewrite app_assoc; auto.
Qed.
Lemma same_law_unordered {A} : forall a b : law (list A), same_law a b -> same_unordered a b.
Proof. intros a b H F _; apply H. Qed.
Lemma same_unordered_refl {A} : forall a : law (list A), same_unordered a a.
Proof. intros a F _; auto. Qed.

Lemma join_exchange {A} : forall a b c d : law (list A), same_unordered (join (join a b) (join c d)) (join (join a c) (join b d)).
Proof.
  intros. eapply same_unordered_trans; [apply same_law_unordered, join_assoc|].
  eapply same_unordered_trans; [|apply same_unordered_sym, same_law_unordered, join_assoc].
  apply join_same; [apply same_unordered_refl|].
  eapply same_unordered_trans; [apply same_unordered_sym, same_law_unordered, join_assoc|].
  eapply same_unordered_trans; [|apply same_law_unordered, join_assoc].
  apply join_same; [apply join_comm | apply same_unordered_refl].
Qed.
Lemma concatenated_join {J A} : forall (K : list J) (f g : J -> law (list A)),
  same_unordered (concatenated (map (fun j => join (f j) (g j)) K)) (join (concatenated (map f K)) (concatenated (map g K))).
Proof.
  induction K as [|j K IH]; intros f g; simpl.
  - intros F _. simpl. ring.
  - eapply same_unordered_trans; [apply join_same; [apply same_unordered_refl | apply IH]|]. apply join_exchange.
Qed.
(* users-major = labels-major, up to order of messages *)
Lemma exchange {I J A} : forall (x : list I) (K : list J) (m : I -> J -> law (list A)),
  same_unordered (concatenated (map (fun i => concatenated (map (m i) K)) x)) (concatenated (map (fun j => concatenated (map (fun i => m i j) x)) K)).
Proof.
  induction x as [|i x IH]; intros K m; simpl.
  - induction K as [|j K IHK]; simpl; [apply same_unordered_refl|].
    intros F HF. specialize (IHK F HF). rewrite E_join, !E_point. rewrite E_point in IHK. exact IHK.
  - eapply same_unordered_trans; [apply join_same; [apply same_unordered_refl | apply IH]|].
    apply same_unordered_sym. apply (concatenated_join K (m i) (fun j => concatenated (map (fun i0 => m i0 j) x))).
Qed.

(* composition for perm-invariant tests *)
Lemma join_close {A} : forall e1 d1 e2 d2 (p p' q q' : law (list A)),
  proper p -> proper p' -> proper q -> proper q' -> 0 <= d2 ->
  close_unordered e1 d1 p p' -> close_unordered e2 d2 q q' -> close_unordered (e1 + e2) (d1 + d2) (join p q) (join p' q').
Proof.
  intros e1 d1 e2 d2 p p' q q' Hp Hp' Hq Hq' D2 C1 C2 F [F1 F2]. rewrite !E_join.
  set (Q := fun l => E q' (fun r => F (l ++ r))).
  pose proof (exp_pos e1). pose proof (exp_pos e2).
  set (m := fun l => Rmin 1 (exp e2 * Q l)).
  assert (B : forall (d : law (list A)) l, proper d -> 0 <= E d (fun r => F (l ++ r)) <= 1).
  { intros d l Hd. split.
    - apply Rle_trans with (E d (fun _ => 0)); [right; symmetry; apply E_const; auto|]. apply E_le; [apply Hd|]. intro; apply F2.
    - apply Rle_trans with (E d (fun _ => 1)); [|right; apply E_const; auto]. apply E_le; [apply Hd|]. intro; apply F2. }
  assert (M : unordered_test m).
  { split.
    - intros l l' P0. unfold m. do 2 f_equal. apply (order_free_E q' F F1 l l' P0).
    - intro l. unfold m, Rmin. pose proof (B q' l Hq'). fold (Q l) in *.
      destruct (Rle_dec 1 (exp e2 * Q l)); [lra|]. split; [apply Rmult_le_pos; lra | lra]. }
  apply Rle_trans with (E p (fun l => m l + d2)).
  - apply E_le; [apply Hp|]. intro l.
    assert (C := C2 (fun r => F (l ++ r)) (conj (order_free_app F l F1) (fun r => F2 (l ++ r)))). fold (Q l) in C.
    pose proof (B q l Hq). unfold m, Rmin. destruct (Rle_dec 1 (exp e2 * Q l)); lra.
  - rewrite E_plus, (E_const p d2 Hp). pose proof (C1 m M) as S.
    assert (E p' m <= exp e2 * E p' Q) by (rewrite <- E_mult; apply E_le; [apply Hp'|]; intro; apply Rmin_r).
    rewrite exp_plus.
    assert (exp e1 * E p' m <= exp e1 * (exp e2 * E p' Q)) by (apply Rmult_le_compat_l; lra). lra.
Qed.
Definition sum_of (l : list R) := fold_right Rplus 0 l.
Lemma concatenated_close {J A} : forall (K : list J) (f g : J -> law (list A)) (ee dd : J -> R),
  (forall j, proper (f j)) -> (forall j, proper (g j)) -> (forall j, 0 <= dd j) ->
  (forall j, close_unordered (ee j) (dd j) (f j) (g j)) ->
  close_unordered (sum_of (map ee K)) (sum_of (map dd K)) (concatenated (map f K)) (concatenated (map g K)).
Proof.
  intros K f g ee dd Hf Hg Hd C. induction K as [|j K IH]; simpl.
  - intros F _. rewrite exp_0. simpl; lra.
  - apply join_close; auto.
    + apply proper_concatenated, Forall_forall. intros d H. apply in_map_iff in H. destruct H as [j' [H _]]; subst; auto.
    + apply proper_concatenated, Forall_forall. intros d H. apply in_map_iff in H. destruct H as [j' [H _]]; subst; auto.
    + clear -Hd. induction K; simpl; [lra|]. specialize (Hd a). lra.
Qed.

Lemma proper_concatenated_map {I A} : forall (f : I -> law (list A)) l, (forall i, proper (f i)) -> proper (concatenated (map f l)).
Proof. intros f l H. apply proper_concatenated, Forall_forall. intros d K0. apply in_map_iff in K0. destruct K0 as [i [K1 _]]; subst; auto. Qed.

Lemma order_free_shuffle {A} : forall (d : law (list A)) G, order_free G -> E (bind d shuffle) G = E d G.
Proof.
  intros d G H. rewrite E_bind. apply E_ext; intro l.
  rewrite (E_ext_in (shuffle l) G (fun _ => G l)). apply E_const, proper_shuffle.
  intros p Hp. apply shuffle_support in Hp. symmetry; apply H; auto.
Qed.
