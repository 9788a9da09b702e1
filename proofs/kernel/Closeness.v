(* Section 2.1, Definition (Differential Privacy).

   "for every pair of neighboring datasets x and x' and every subset T of Z,
    P[M(x) in T] <= e^eps P[M(x') in T] + delta."

   Events are boolean predicates on outcomes.  Proved: an inequality for all events gives it for all tests with
   values in [0,1]. *)
From Coq Require Import Reals Lra List Bool.
From PanshuffleKernel Require Import Law.
Import ListNotations.
Open Scope R_scope.

(* P[d in T] <= e^eps P[d' in T] + delta, for every event T. *)
Definition close {A} (eps delta : R) (d d' : law A) :=
  forall T : A -> bool, Pr d T <= exp eps * Pr d' T + delta.

(* The definition for an arbitrary relation of neighbours. *)
Definition differentially_private {X A} (neighbours : X -> X -> Prop) (eps delta : R) (M : X -> law A) :=
  forall x x', neighbours x x' -> close eps delta (M x) (M x').

(* Total variation: no event has probabilities that differ by more than Delta. *)
Definition tv_at_most {A} (d d' : law A) (Delta : R) := forall T, Rabs (Pr d T - Pr d' T) <= Delta.

(* Section 2.1: "Two datasets are considered neighbors if they differ in at most one row." *)
Definition neighbours {X} (x x' : list X) :=
  exists before a b after, x = before ++ a :: after /\ x' = before ++ b :: after.

(* Definition (Differential Privacy), for datasets of n rows. *)
Definition private_on {X Z} (n : nat) (eps delta : R) (M : list X -> law Z) :=
  forall x x', length x = n -> neighbours x x' -> close eps delta (M x) (M x').

Lemma neighbours_length {X} : forall x x' : list X, neighbours x x' -> length x = length x'.
Proof. intros x x' [u [a [b [v [H H']]]]]; subst. rewrite !app_length; reflexivity. Qed.

Lemma close_refl {A} : forall eps delta (d : law A), proper d -> 0 <= eps -> 0 <= delta -> close eps delta d d.
Proof.
  intros eps delta d H He Hd T. pose proof (Pr_01 d T H). pose proof (exp_ineq1_le eps).
  assert (1 * Pr d T <= exp eps * Pr d T) by (apply Rmult_le_compat_r; lra). lra.
Qed.

Lemma close_same {A} : forall eps delta (d d' e e' : law A),
  same_law d e -> same_law d' e' -> close eps delta d d' -> close eps delta e e'.
Proof. intros eps delta d d' e e' H H' C T. unfold Pr. rewrite <- H, <- H'. apply C. Qed.

Lemma close_mono {A} : forall e e2 d d2 (p p' : law A), proper p' -> e <= e2 -> d <= d2 -> close e d p p' -> close e2 d2 p p'.
Proof.
  intros e e2 d d2 p p' H He Hd C T. specialize (C T). pose proof (Pr_01 p' T H).
  assert (exp e <= exp e2) by (destruct He as [He|He]; [left; apply exp_increasing; auto | right; rewrite He; auto]).
  assert (exp e * Pr p' T <= exp e2 * Pr p' T) by (apply Rmult_le_compat_r; lra). lra.
Qed.

(* From events to tests with values in [0,1]: one value after the other is moved to an endpoint. *)
Lemma close_fun {A} : forall eps delta (d d' : law A), close eps delta d d' ->
  forall f, (forall a, 0 <= f a <= 1) -> E d f <= exp eps * E d' f + delta.
Proof.
  intros eps delta d d' C.
  assert (G : forall vs f, (forall a, 0 <= f a <= 1) ->
     (forall p, In p (d ++ d') -> f (fst p) = 0 \/ f (fst p) = 1 \/ In (f (fst p)) vs) ->
     E d f <= exp eps * E d' f + delta).
  { induction vs as [|v vs IH]; intros f F V.
    - specialize (C (fun a => if Req_EM_T (f a) 1 then true else false)). unfold Pr in C.
      assert (X : forall p, In p (d ++ d') -> f (fst p) = indicator (if Req_EM_T (f (fst p)) 1 then true else false)).
      { intros p Hp. destruct (Req_EM_T (f (fst p)) 1); simpl; auto.
        destruct (V p Hp) as [H|[H|[]]]; auto; contradiction. }
      rewrite <- (E_ext_in d f _) in C by (intros; apply X; apply in_or_app; auto).
      rewrite <- (E_ext_in d' f _) in C by (intros; apply X; apply in_or_app; auto). exact C.
    - set (h := fun t a => if Req_EM_T (f a) v then t else f a).
      destruct (Rle_dec 0 v) as [L|L]; [destruct (Rle_dec v 1) as [U|U]|].
      + assert (H0 : E d (h 0) <= exp eps * E d' (h 0) + delta).
        { apply IH. intro a; unfold h; destruct (Req_EM_T (f a) v); [lra|auto].
          intros p Hp. unfold h. destruct (Req_EM_T (f (fst p)) v); auto.
          destruct (V p Hp) as [H|[H|[H|H]]]; auto; congruence. }
        assert (H1 : E d (h 1) <= exp eps * E d' (h 1) + delta).
        { apply IH. intro a; unfold h; destruct (Req_EM_T (f a) v); [lra|auto].
          intros p Hp. unfold h. destruct (Req_EM_T (f (fst p)) v); auto.
          destruct (V p Hp) as [H|[H|[H|H]]]; auto; congruence. }
        assert (X : forall e : law A, E e f = (1 - v) * E e (h 0) + v * E e (h 1)).
        { intro e. rewrite <- !E_mult, <- E_plus. apply E_ext. intro a. unfold h.
          destruct (Req_EM_T (f a) v); [rewrite e0|]; ring. }
        rewrite (X d), (X d').
        assert (A0 : (1 - v) * E d (h 0) <= (1 - v) * (exp eps * E d' (h 0) + delta)) by (apply Rmult_le_compat_l; lra).
        assert (A1 : v * E d (h 1) <= v * (exp eps * E d' (h 1) + delta)) by (apply Rmult_le_compat_l; lra).
        lra.
      + apply IH; auto. intros p Hp. destruct (V p Hp) as [H|[H|[H|H]]]; auto. specialize (F (fst p)); lra.
      + apply IH; auto. intros p Hp. destruct (V p Hp) as [H|[H|[H|H]]]; auto. specialize (F (fst p)); lra. }
  intros f F. apply (G (map (fun p => f (fst p)) (d ++ d'))); auto.
  intros p Hp. right; right. apply in_map_iff; exists p; auto.
Qed.
