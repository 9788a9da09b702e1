(* Section 2.1, Fact post.

   "For (eps,delta)-differentially private A and arbitrary random function f, f o A is (eps,delta)-differentially
    private."

   Proved for every random function with finitely many outcomes. *)
From Coq Require Import Reals Lra List Bool.
From PanshuffleKernel Require Import Law Closeness.
Import ListNotations.
Open Scope R_scope.

Theorem post_processing {A B} : forall eps delta (d d' : law A) (k : A -> law B),
  (forall a, proper (k a)) -> close eps delta d d' -> close eps delta (bind d k) (bind d' k).
Proof.
  intros eps delta d d' k K C T. unfold Pr. rewrite !E_bind.
  apply (close_fun eps delta d d' C (fun a => Pr (k a) T)). intro; apply Pr_01; auto.
Qed.

Corollary differentially_private_post_processing {X A B} : forall neighbours e dl (M : X -> law A) (k : A -> law B),
  (forall a, proper (k a)) -> differentially_private neighbours e dl M -> differentially_private neighbours e dl (fun x => bind (M x) k).
Proof. intros; intros x x' N. apply post_processing; auto. Qed.
