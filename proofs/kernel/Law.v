(* Section 2: randomized algorithms.

   The paper's algorithms draw from finitely many outcomes, except for the Poisson noise of P_UT, which is not treated
   in these files.  Here: finite laws, expectation, probability of an event, and the algebra of expectations. *)
From Coq Require Import Reals Lra List Bool.
From PanshuffleKernel Require Paper.
Import ListNotations.
Open Scope R_scope.

(* The words of Paper.v for one table: a finite law. *)
Notation law := Paper.table.
Notation E := Paper.sum_over.
Notation scale := Paper.scale.
Notation bind := Paper.bind_table.
Notation indicator := Paper.indicator.
(* The outcome a, surely. *)
Definition point {A} (a : A) : law A := [(a, 1)].
(* The probability of the event T. *)
Definition Pr {A} (d : law A) (T : A -> bool) : R := E d (fun a => indicator (T a)).

Definition nonneg {A} (d : law A) := forall p, In p d -> 0 <= snd p.
(* A probability distribution: no negative mass, total mass one. *)
Definition proper {A} (d : law A) := nonneg d /\ E d (fun _ => 1) = 1.

(* Identically distributed. *)
Definition same_law {A} (d d' : law A) := forall f, E d f = E d' f.

Lemma E_app {A} : forall (d d' : law A) f, E (d ++ d') f = E d f + E d' f.
Proof. induction d as [|[a w] d IH]; intros; simpl; [|rewrite IH]; ring. Qed.
Lemma E_scale {A} : forall w (d : law A) f, E (scale w d) f = w * E d f.
Proof. induction d as [|[a v] d IH]; intros; simpl; [|rewrite IH]; ring. Qed.
Lemma E_point {A} : forall (a : A) f, E (point a) f = f a.
Proof. intros; simpl; ring. Qed.
Lemma E_bind {A B} : forall (d : law A) (k : A -> law B) f, E (bind d k) f = E d (fun a => E (k a) f).
Proof. induction d as [|[a w] d IH]; intros; simpl; auto. rewrite E_app, E_scale, IH; auto. Qed.
Lemma E_ext_in {A} : forall (d : law A) f g, (forall p, In p d -> f (fst p) = g (fst p)) -> E d f = E d g.
Proof.
  induction d as [|[a w] d IH]; intros f g H; simpl; auto.
  rewrite (IH f g) by (intros; apply H; simpl; auto).
  specialize (H (a, w) (or_introl eq_refl)); simpl in H; rewrite H; auto.
Qed.
Lemma E_ext {A} : forall (d : law A) f g, (forall a, f a = g a) -> E d f = E d g.
Proof. intros; apply E_ext_in; auto. Qed.
Lemma E_plus {A} : forall (d : law A) f g, E d (fun a => f a + g a) = E d f + E d g.
Proof. induction d as [|[a w] d IH]; intros; simpl; [|rewrite IH]; ring. Qed.
Lemma E_mult {A} : forall (d : law A) c f, E d (fun a => c * f a) = c * E d f.
Proof. induction d as [|[a w] d IH]; intros; simpl; [|rewrite IH]; ring. Qed.
Lemma E_le {A} : forall (d : law A) f g, nonneg d -> (forall a, f a <= g a) -> E d f <= E d g.
Proof.
  induction d as [|[a w] d IH]; intros f g N H; simpl; [lra|].
  apply Rplus_le_compat. apply Rmult_le_compat_l; auto. apply (N (a, w)); simpl; auto.
  apply IH; auto. intros p Hp; apply N; simpl; auto.
Qed.
Lemma E_const {A} : forall (d : law A) c, proper d -> E d (fun _ => c) = c.
Proof. intros d c [_ H]. rewrite (E_ext d _ (fun _ => c * 1)) by (intros; ring). rewrite E_mult, H; ring. Qed.
Lemma E_swap {A B} : forall (d : law A) (d' : law B) f,
  E d (fun a => E d' (fun b => f a b)) = E d' (fun b => E d (fun a => f a b)).
Proof.
  induction d as [|[a w] d IH]; intros; simpl.
  - induction d' as [|[b v] d' IH]; simpl; [|rewrite <- IH]; ring.
  - rewrite IH, E_plus, E_mult; auto.
Qed.

Lemma nonneg_bind {A B} : forall (d : law A) (k : A -> law B),
  nonneg d -> (forall a, nonneg (k a)) -> nonneg (bind d k).
Proof.
  induction d as [|[a w] d IH]; intros k N K p H; simpl in H; [tauto|].
  apply in_app_or in H. destruct H as [H|H].
  - unfold scale in H. apply in_map_iff in H. destruct H as [q [H1 H2]]. subst p. simpl.
    apply Rmult_le_pos; [apply (N (a, w)); simpl; auto | apply (K a q H2)].
  - apply (IH k); auto. intros q Hq; apply N; simpl; auto.
Qed.
Lemma proper_bind {A B} : forall (d : law A) (k : A -> law B),
  proper d -> (forall a, proper (k a)) -> proper (bind d k).
Proof.
  intros d k [N M] K. split.
  - apply nonneg_bind; auto. intro a; apply (K a).
  - rewrite E_bind, (E_ext d _ (fun _ => 1)); auto. intro a; apply (K a).
Qed.
Lemma proper_point {A} : forall a : A, proper (point a).
Proof. intro a; split. intros p [H|[]]; subst; simpl; lra. simpl; ring. Qed.

Lemma indicator_01 : forall b, 0 <= indicator b <= 1.
Proof. destruct b; simpl; lra. Qed.
Lemma Pr_01 {A} : forall (d : law A) T, proper d -> 0 <= Pr d T <= 1.
Proof.
  intros d T H. unfold Pr. split.
  - apply Rle_trans with (E d (fun _ => 0)); [right; symmetry; apply E_const; auto|].
    apply E_le; [apply H|]. intro; apply indicator_01.
  - apply Rle_trans with (E d (fun _ => 1)); [|right; apply E_const; auto].
    apply E_le; [apply H|]. intro; apply indicator_01.
Qed.


Lemma E_le_in {A} : forall (d : law A) f g, nonneg d -> (forall p, In p d -> f (fst p) <= g (fst p)) -> E d f <= E d g.
Proof.
  induction d as [|[a w] d IH]; intros f g N H; simpl; [lra|].
  apply Rplus_le_compat. apply Rmult_le_compat_l. apply (N (a, w)); simpl; auto. apply (H (a, w)); simpl; auto.
  apply IH; auto; intros p Hp; [apply N | apply H]; simpl; auto.
Qed.


Lemma in_bind {A B} : forall (d : law A) (k : A -> law B) p, In p (bind d k) ->
  exists a b, In a d /\ In b (k (fst a)) /\ fst b = fst p.
Proof.
  induction d as [|[a w] d IH]; intros k p H; simpl in H; [tauto|].
  apply in_app_or in H. destruct H as [H|H].
  - unfold scale in H. apply in_map_iff in H. destruct H as [q [H1 H2]]; subst.
    exists (a, w), q; simpl; auto.
  - destruct (IH k p H) as [a' [b [H1 [H2 H3]]]]. exists a', b; simpl; auto.
Qed.
