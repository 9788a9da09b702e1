(* The mean and the variance of a function under a finite law. *)
From Coq Require Import Reals.
From PanshuffleKernel Require Import Law.
Open Scope R_scope.

Definition mean {A} (d : law A) (W : A -> R) : R := E d W.
Definition variance {A} (d : law A) (W : A -> R) : R := E d (fun a => (W a - mean d W) ^ 2).
