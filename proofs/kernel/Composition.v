(* Section 2.1, Fact comp.

   "For (eps_1, delta_1)-differentially private A_1 and (eps_2, delta_2)-differentially private A_2, A_3 defined by
    A_3(D) = (A_1(D), A_2(D)) is (eps_1 + eps_2, delta_1 + delta_2)-differentially private."

   Proved also where the second algorithm sees the outcome of the first. *)
From Coq Require Import Reals Lra List Bool.
From PanshuffleKernel Require Import Law Closeness.
Import ListNotations.
Open Scope R_scope.

Theorem composition_adaptive {A B} : forall e1 d1 e2 d2 (p p' : law A) (k k' : A -> law B),
  proper p -> proper p' -> (forall a, proper (k a)) -> (forall a, proper (k' a)) -> 0 <= d2 ->
  close e1 d1 p p' -> (forall a, close e2 d2 (k a) (k' a)) ->
  close (e1 + e2) (d1 + d2) (bind p (fun a => bind (k a) (fun b => point (a, b))))
                            (bind p' (fun a => bind (k' a) (fun b => point (a, b)))).
Proof.
  intros e1 d1 e2 d2 p p' k k' Hp Hp' K K' D2 C1 C2 T.
  assert (X : forall (q : law A) (h : A -> law B),
     Pr (bind q (fun a => bind (h a) (fun b => point (a, b)))) T = E q (fun a => Pr (h a) (fun b => T (a, b)))).
  { intros. unfold Pr. rewrite E_bind. apply E_ext; intro. rewrite E_bind. apply E_ext; intro. rewrite E_point; auto. }
  rewrite !X. set (Q := fun a => Pr (k' a) (fun b => T (a, b))).
  pose proof (exp_pos e1). pose proof (exp_pos e2).
  set (m := fun a => Rmin 1 (exp e2 * Q a)).
  assert (Q01 : forall a, 0 <= Q a <= 1) by (intro; apply Pr_01; auto).
  assert (M01 : forall a, 0 <= m a <= 1).
  { intro a. unfold m, Rmin. specialize (Q01 a). destruct (Rle_dec 1 (exp e2 * Q a)); [lra|].
    split; [apply Rmult_le_pos; lra | lra]. }
  apply Rle_trans with (E p (fun a => m a + d2)).
  - apply E_le; [apply Hp|]. intro a. specialize (C2 a (fun b => T (a, b))). fold (Q a) in C2.
    pose proof (Pr_01 (k a) (fun b => T (a, b)) (K a)).
    unfold m, Rmin. destruct (Rle_dec 1 (exp e2 * Q a)); lra.
  - rewrite E_plus, (E_const p d2 Hp). pose proof (close_fun e1 d1 p p' C1 m M01) as S.
    assert (E p' m <= exp e2 * E p' Q).
    { rewrite <- E_mult. apply E_le; [apply Hp'|]. intro a. unfold m. apply Rmin_r. }
    rewrite exp_plus.
    assert (exp e1 * E p' m <= exp e1 * (exp e2 * E p' Q)) by (apply Rmult_le_compat_l; lra). lra.
Qed.

(* Independent draws. *)
Definition joint {A B} (p : law A) (q : law B) : law (A * B) :=
  bind p (fun a => bind q (fun b => point (a, b))).

Corollary composition {A B} : forall e1 d1 e2 d2 (p p' : law A) (q q' : law B),
  proper p -> proper p' -> proper q -> proper q' -> 0 <= d2 ->
  close e1 d1 p p' -> close e2 d2 q q' -> close (e1 + e2) (d1 + d2) (joint p q) (joint p' q').
Proof. intros. apply (composition_adaptive e1 d1 e2 d2 p p' (fun _ => q) (fun _ => q')); auto. Qed.

Corollary differentially_private_composition {X A B} : forall neighbours e1 d1 e2 d2 (M1 : X -> law A) (M2 : X -> law B),
  (forall x, proper (M1 x)) -> (forall x, proper (M2 x)) -> 0 <= d2 ->
  differentially_private neighbours e1 d1 M1 -> differentially_private neighbours e2 d2 M2 -> differentially_private neighbours (e1 + e2) (d1 + d2) (fun x => joint (M1 x) (M2 x)).
Proof. intros; intros x x' N. apply composition; auto. Qed.
