(* Lemma b_noise: the binomial mechanism, as a definition, and what its privacy comes to.

   "Let f : X^n -> Z be a 1-sensitive function, i.e. |f(x) - f(x')| <= 1 for all neighboring datasets ...  The algorithm
    that samples eta ~ Bin(l, p) and outputs f(x) + eta is (eps,delta)-differentially private."

   Proved: this holds for every such f exactly if it holds for every pair of integers that differ by at most one. *)
From Coq Require Import Reals ZArith Lra Lia List Bool.
From PanshuffleKernel Require Import Law Closeness UniformityTransformation.
Import ListNotations.
Open Scope R_scope.

(* a + eta, eta ~ Bin(l, p). *)
Definition noisy (l : nat) (p : R) (a : Z) : law Z := bind (Bin l p) (fun eta => point (a + Z.of_nat eta)%Z).

Definition one_sensitive {X} (f : list X -> Z) := forall x x', neighbours x x' -> (Z.abs (f x - f x') <= 1)%Z.

Definition binomial_mechanism {X} (l : nat) (p : R) (f : list X -> Z) (x : list X) : law Z := noisy l p (f x).

(* Integers that differ by at most one are hidden. *)
Definition hides_one (l : nat) (p eps delta : R) :=
  forall a b : Z, (Z.abs (a - b) <= 1)%Z -> close eps delta (noisy l p a) (noisy l p b).

Lemma proper_noisy : forall l p a, 0 <= p <= 1 -> proper (noisy l p a).
Proof. intros. apply proper_bind; [apply proper_Bin; auto | intro; apply proper_point]. Qed.

Theorem hides_one_iff : forall l p eps delta,
  hides_one l p eps delta <->
  (forall (X : Type) (f : list X -> Z) (n : nat), one_sensitive f -> private_on n eps delta (binomial_mechanism l p f)).
Proof.
  intros l p eps delta. split.
  - intros H X f n Hf x x' L N. apply H. apply Hf; auto.
  - intros H a b Hab.
    set (f := fun x : list bool => match x with true :: _ => a | _ => b end).
    assert (Hf : one_sensitive f).
    { intros x x' N. unfold f. destruct x as [|[|] x], x' as [|[|] x']; lia. }
    apply (H bool f 1%nat Hf [true] [false]); [reflexivity|]. exists [], true, false, []. auto.
Qed.

Lemma E_noisy : forall l p a F, E (noisy l p a) F = E (Bin l p) (fun c => F (a + Z.of_nat c)%Z).
Proof. intros. unfold noisy. rewrite E_bind. apply E_ext; intro; apply E_point. Qed.

Lemma Bin_range : forall l p q, In q (Bin l p) -> (fst q <= l)%nat.
Proof.
  induction l; intros p q H.
  - destruct H as [H|[]]; subst; simpl; lia.
  - cbn [Bin] in H. apply in_bind in H. destruct H as [b [v [_ [H2 H3]]]]. apply in_bind in H2.
    destruct H2 as [c [w [H4 [H5 H6]]]]. apply IHl in H4. destruct H5 as [H5|[]]; subst w. simpl in H6.
    rewrite <- H3, <- H6. destruct (fst b); lia.
Qed.
