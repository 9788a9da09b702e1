From Coq Require Import Reals List Bool ZArith.
From Coquelicot Require Import Rbar Lim_seq.
Import ListNotations.
Open Scope R_scope.

(* A table: finitely many outcomes with their masses.  An outcome may be listed more than once. *)
Definition table (A : Type) := list (A * R).
(* The sum of mass times f. *)
Fixpoint sum_over {A} (t : table A) (f : A -> R) : R :=
  match t with [] => 0 | (a, w) :: t' => w * f a + sum_over t' f end.
Definition scale {A} (w : R) (t : table A) : table A := map (fun p => (fst p, w * snd p)) t.
Fixpoint bind_table {A B} (t : table A) (k : A -> table B) : table B :=
  match t with [] => [] | (a, w) :: t' => scale w (k a) ++ bind_table t' k end.

(* A law, by its truncations: the N-th table lists finitely many outcomes; finite laws have one table for all N. *)
Definition law (A : Type) := nat -> table A.
(* The expectation of f. *)
Definition E {A} (d : law A) (f : A -> R) : R := real (Lim_seq (fun N => sum_over (d N) f)).
Definition indicator (b : bool) : R := if b then 1 else 0.
(* The probability of the event T. *)
Definition Pr {A} (d : law A) (T : A -> bool) : R := E d (fun a => indicator (T a)).
(* A probability distribution: no negative mass, no event loses mass with N, total mass one. *)
Definition proper {A} (d : law A) : Prop :=
  (forall N p, In p (d N) -> 0 <= snd p) /\
  (forall N T, sum_over (d N) (fun a => indicator (T a)) <= sum_over (d (S N)) (fun a => indicator (T a))) /\
  is_lim_seq (fun N => sum_over (d N) (fun _ => 1)) 1.
(* The outcome a, surely; draw a from d, then an outcome from k a. *)
Definition point {A} (a : A) : law A := fun _ => [(a, 1)].
Definition bind {A B} (d : law A) (k : A -> law B) : law B := fun N => bind_table (d N) (fun a => k a N).

(* ---- Section 2.1: differential privacy ---- *)

(* P[d in T] <= e^eps P[d' in T] + delta, for every event T. *)
Definition close {A} (eps delta : R) (d d' : law A) : Prop :=
  forall T : A -> bool, Pr d T <= exp eps * Pr d' T + delta.
(* ||d - d'||_TV <= Delta: no event has probabilities that differ by more than Delta. *)
Definition tv_at_most {A} (d d' : law A) (Delta : R) : Prop := forall T, Rabs (Pr d T - Pr d' T) <= Delta.
Definition identically_distributed {A} (d d' : law A) : Prop := forall T, Pr d T = Pr d' T.
(* "neighbors (denoted as x ~ x') if they differ in at most one row" *)
Definition neighbours {X} (x x' : list X) : Prop :=
  exists before a b after, x = before ++ a :: after /\ x' = before ++ b :: after.
(* Definition (Differential Privacy), for datasets of n rows. *)
Definition private_on {X Z} (n : nat) (eps delta : R) (M : list X -> law Z) : Prop :=
  forall x x', length x = n -> neighbours x x' -> close eps delta (M x) (M x').

(* ---- The laws that the paper names ---- *)

(* The bit 1 with probability q. *)
Definition Ber (q : R) : law bool := fun _ => [(true, q); (false, 1 - q)].
(* Each of the listed outcomes with the same mass. *)
Definition uniform {A} (l : list A) : law A := fun _ => map (fun a => (a, / INR (length l))) l.
(* Bin(n, p): the number of ones among n independent bits. *)
Fixpoint Bin (n : nat) (p : R) : law nat :=
  match n with
  | O => point O
  | S n => bind (Ber p) (fun b => bind (Bin n p) (fun c => point (if b then S c else c)))
  end.
(* Pois(lambda): mass e^-lambda lambda^i/i! at i. *)
Definition poisson (lambda : R) (i : nat) : R := exp (- lambda) * (lambda ^ i / INR (fact i)).
Definition Pois (lambda : R) : law nat := fun N => map (fun i => (i, poisson lambda i)) (seq 0 N).
(* Independent draws. *)
Definition joint {A B} (p : law A) (q : law B) : law (A * B) := bind p (fun a => bind q (fun b => point (a, b))).
Fixpoint independent {A} (ds : list (law A)) : law (list A) :=
  match ds with [] => point [] | d :: ds => bind d (fun a => bind (independent ds) (fun l => point (a :: l))) end.
