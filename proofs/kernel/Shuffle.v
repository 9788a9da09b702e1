(* Section 2.3, the shuffler.

   "A shuffler S: Y* -> Y* that concatenates message vectors and then applies a uniformly random permutation to the
    messages."

   Proved: the shuffler gives permutations of its input, and its law does not depend on the order of the input. *)
From Coq Require Import Reals Lra List Bool Permutation.
From PanshuffleKernel Require Import Law.
Import ListNotations.
Open Scope R_scope.

(* All ways to put a into l. *)
Fixpoint inserts {A} (a : A) (l : list A) : list (list A) :=
  match l with [] => [[a]] | b :: l' => (a :: b :: l') :: map (cons b) (inserts a l') end.
(* Each of the listed outcomes with the same mass. *)
Definition uniform {A} (ls : list A) : law A := map (fun a => (a, / INR (length ls))) ls.
(* The shuffler S: each element goes to a uniformly random place. *)
Fixpoint shuffle {A} (l : list A) : law (list A) :=
  match l with [] => point [] | a :: l' => bind (shuffle l') (fun m => uniform (inserts a m)) end.

Definition total {A} (ls : list A) (F : A -> R) : R := fold_right (fun a s => F a + s) 0 ls.
Lemma E_uniform {A} : forall (ls : list A) F, E (uniform ls) F = total ls F * / INR (length ls).
Proof.
  intros ls F. unfold uniform. generalize (/ INR (length ls)) as c. intro c.
  induction ls as [|a ls IH]; simpl; [|rewrite IH]; ring.
Qed.
Lemma total_ext {A} : forall (ls : list A) F G, (forall a, F a = G a) -> total ls F = total ls G.
Proof. induction ls; intros; simpl; auto. rewrite H, (IHls F G H); auto. Qed.
Lemma total_plus {A} : forall (ls : list A) F G, total ls (fun a => F a + G a) = total ls F + total ls G.
Proof. induction ls; intros; simpl; [|rewrite IHls]; ring. Qed.
Lemma total_map {A B} : forall (f : A -> B) ls F, total (map f ls) F = total ls (fun a => F (f a)).
Proof. induction ls; intros; simpl; auto. rewrite IHls; auto. Qed.
Lemma total_ext_in {A} : forall (ls : list A) F G, (forall a, In a ls -> F a = G a) -> total ls F = total ls G.
Proof. induction ls; intros; simpl; auto. rewrite H by (simpl; auto). rewrite (IHls F G); auto. intros; apply H; simpl; auto. Qed.
Lemma total_mult {A} : forall (ls : list A) F c, total ls (fun a => F a * c) = total ls F * c.
Proof. induction ls; intros; simpl; [|rewrite IHls]; ring. Qed.
Lemma total_const {A} : forall (ls : list A) c, total ls (fun _ => c) = INR (length ls) * c.
Proof. induction ls; intros; [simpl; ring|]. cbn [total fold_right length]. fold (total ls (fun _ => c)). rewrite IHls, S_INR; ring. Qed.

Lemma inserts_length {A} : forall (a : A) l, length (inserts a l) = S (length l).
Proof. induction l; simpl; auto. rewrite map_length, IHl; auto. Qed.
Lemma inserts_perm {A} : forall (a : A) l m, In m (inserts a l) -> Permutation (a :: l) m.
Proof.
  induction l as [|b l IH]; intros m H; simpl in H.
  - destruct H as [H|[]]; subst; auto.
  - destruct H as [H|H]; [subst; auto|]. apply in_map_iff in H. destruct H as [m' [H1 H2]]; subst.
    apply perm_trans with (b :: a :: l); [constructor | constructor; auto].
Qed.
Lemma proper_uniform {A} : forall ls : list A, ls <> [] -> proper (uniform ls).
Proof.
  intros ls H. assert (0 < INR (length ls)) by (apply lt_0_INR; destruct ls; [congruence | simpl; apply Nat.lt_0_succ]).
  split.
  - intros p K. unfold uniform in K. apply in_map_iff in K. destruct K as [a [K _]]; subst; simpl.
    left; apply Rinv_0_lt_compat; auto.
  - rewrite E_uniform, total_const. field; lra.
Qed.
Lemma inserts_nonnil {A} : forall (a : A) l, inserts a l <> [].
Proof. intros a [|b l]; simpl; discriminate. Qed.
Lemma proper_shuffle {A} : forall l : list A, proper (shuffle l).
Proof. induction l; simpl. apply proper_point. apply proper_bind; auto. intro; apply proper_uniform, inserts_nonnil. Qed.

Lemma shuffle_support {A} : forall (l : list A) p, In p (shuffle l) -> Permutation l (fst p).
Proof.
  induction l as [|a l IH]; intros p H; simpl in H.
  - destruct H as [H|[]]; subst; simpl; auto.
  - apply in_bind in H. destruct H as [q [b [H1 [H2 H3]]]]. rewrite <- H3.
    unfold uniform in H2. apply in_map_iff in H2. destruct H2 as [m [H2 H4]]. subst b; simpl.
    apply perm_trans with (a :: fst q); [constructor; auto | apply inserts_perm; auto].
Qed.
Lemma total_cons {A} : forall (a : A) ls F, total (a :: ls) F = F a + total ls F.
Proof. auto. Qed.
Lemma total_inserts_cons {A} : forall (a c : A) l F,
  total (inserts a (c :: l)) F = F (a :: c :: l) + total (inserts a l) (fun m => F (c :: m)).
Proof. intros. cbn [inserts]. rewrite total_cons, total_map; auto. Qed.
Lemma double_insert {A} : forall (a b : A) l F,
  total (inserts b l) (fun m => total (inserts a m) F) = total (inserts a l) (fun m => total (inserts b m) F).
Proof.
  induction l as [|c l IH]; intro F; [simpl; ring|].
  rewrite !total_inserts_cons.
  rewrite (total_ext (inserts b l) _ (fun m => F (a :: c :: m) + total (inserts a m) (fun m' => F (c :: m'))))
    by (intro; apply total_inserts_cons).
  rewrite (total_ext (inserts a l) (fun m => total (inserts b (c :: m)) F)
     (fun m => F (b :: c :: m) + total (inserts b m) (fun m' => F (c :: m')))) by (intro; apply total_inserts_cons).
  rewrite !total_plus, (IH (fun m' => F (c :: m'))). ring.
Qed.
Lemma shuffle_perm {A} : forall l l' : list A, Permutation l l' -> same_law (shuffle l) (shuffle l').
Proof.
  induction 1; intro F; simpl; auto.
  - rewrite !E_bind. apply IHPermutation.
  - rewrite !E_bind. apply E_ext. intro m. rewrite !E_uniform, !inserts_length. f_equal.
    assert (X : forall u v : A, total (inserts u m) (fun a => E (uniform (inserts v a)) F)
       = total (inserts u m) (fun a => total (inserts v a) F) * / INR (S (S (length m)))).
    { intros u v. rewrite <- total_mult. apply total_ext_in. intros k Hk. rewrite E_uniform, inserts_length. do 3 f_equal.
      apply inserts_perm in Hk. apply Permutation_length in Hk. simpl in Hk. rewrite <- Hk; auto. }
    rewrite !X. f_equal. apply double_insert.
  - rewrite IHPermutation1; auto.
Qed.
