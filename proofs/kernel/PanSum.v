(* Theorem zerocount-pan and Algorithm zerocount-pan, Q_ZSUM.

   "Draw I_0 ~ Bin(lambda,1/2); For i in [n]: I_i <- I_{i-1} + x_i; Draw eta ~ Bin(lambda,1/2); Return I_n + eta."
   "Given eps > 0, delta in (0,1), and lambda >= 20 ((e^eps+1)/(e^eps-1))^2 ln(2/delta), Q_ZSUM is (eps,delta)-pan-private
    and computes binary sums with error <= 2 lambda."

   Proved: pan-privacy if Bin(lambda, 1/2) hides one (what Lemma b_noise says for such lambda), and the error bound. *)
From Coq Require Import Reals ZArith Lra Lia List Bool.
From PanshuffleKernel Require Import Law Closeness Online Transformation UniformityTransformation BinomialMechanism.
Import ListNotations.
Open Scope R_scope.

Definition zsum_initial (lambda : nat) : law Z := noisy lambda (1 / 2) 0.
Definition zsum_update (x : bool) (I : Z) : law Z := point (if x then I + 1 else I)%Z.
Definition zsum_output (lambda : nat) (I : Z) : law Z := noisy lambda (1 / 2) I.

Fixpoint ones (x : list bool) : Z := match x with [] => 0 | b :: x => (if b then 1 else 0) + ones x end%Z.

Lemma ones_app : forall x y, ones (x ++ y) = (ones x + ones y)%Z.
Proof. induction x as [|b x IH]; intro y; simpl; [reflexivity | rewrite IH; lia]. Qed.

Lemma ones_neighbours : forall x x', neighbours x x' -> (Z.abs (ones x - ones x') <= 1)%Z.
Proof. intros x x' [u [a [b [v [H H']]]]]. subst. rewrite !ones_app. simpl. destruct a, b; lia. Qed.

Lemma zsum_process : forall x I F, E (process zsum_update x I) F = F (I + ones x)%Z.
Proof.
  induction x as [|b x IH]; intros I F; cbn [process ones]; [rewrite E_point, Z.add_0_r; reflexivity|].
  unfold zsum_update at 1. rewrite E_bind, E_point, IH. f_equal. destruct b; lia.
Qed.

Lemma zsum_view : forall lambda t x F,
  E (intruder_view (zsum_initial lambda) zsum_update (zsum_output lambda) t x) (fun v => F (fst v) (snd v))
  = E (noisy lambda (1 / 2) (ones (firstn t x))) (fun I => E (noisy lambda (1 / 2) (I + ones (skipn t x))%Z) (F I)).
Proof.
  intros lambda t x F. unfold intruder_view, state_after, zsum_initial.
  rewrite !E_bind, !E_noisy. apply E_ext; intro c. rewrite zsum_process.
  replace (0 + Z.of_nat c + ones (firstn t x))%Z with (ones (firstn t x) + Z.of_nat c)%Z by lia.
  rewrite !E_bind, zsum_process. apply E_ext; intro z. rewrite E_point. reflexivity.
Qed.

Theorem zsum_private : forall (lambda : nat) (eps delta : R) (n : nat),
  hides_one lambda (1 / 2) eps delta ->
  pan_private n eps delta (zsum_initial lambda) zsum_update (zsum_output lambda).
Proof.
  intros lambda eps delta n H t x x' L N T. unfold Pr. set (F := fun I z => indicator (T (I, z))).
  assert (W : forall y, E (intruder_view (zsum_initial lambda) zsum_update (zsum_output lambda) t y) (fun v => indicator (T v))
    = E (intruder_view (zsum_initial lambda) zsum_update (zsum_output lambda) t y) (fun v => F (fst v) (snd v)))
    by (intro y; apply E_ext; intros [I z]; reflexivity).
  rewrite !W, !zsum_view.
  assert (PN : forall a, proper (noisy lambda (1 / 2) a)) by (intro; apply proper_noisy; lra).
  destruct (neighbours_split x x' t N) as [[S1 S2]|[S1 S2]].
  - rewrite S1. apply E_le_affine; auto. intro I. apply (close_fun eps delta).
    + apply H. apply ones_neighbours in S2. lia.
    + intro z. apply indicator_01.
  - rewrite S2. apply (close_fun eps delta _ _ (H _ _ (ones_neighbours _ _ S1))
      (fun I => E (noisy lambda (1 / 2) (I + ones (skipn t x'))%Z) (F I))).
    intro I. apply E_01; auto. intro z. apply indicator_01.
Qed.

(* "c~ ... has support ranging from sum x_i to sum x_i + 2 lambda." *)
Theorem zsum_error : forall (lambda : nat) (x : list bool) p,
  In p (output_of (zsum_initial lambda) zsum_update (zsum_output lambda) x) ->
  (ones x <= fst p <= ones x + 2 * Z.of_nat lambda)%Z.
Proof.
  intros lambda x p H. unfold output_of, state_after in H.
  apply in_bind in H. destruct H as [s [v [H1 [H2 H3]]]].
  assert (R1 : forall a q, In q (noisy lambda (1 / 2) a) -> (a <= fst q <= a + Z.of_nat lambda)%Z).
  { intros a q K. apply in_bind in K. destruct K as [c [w [K1 [K2 K3]]]]. apply Bin_range in K1.
    destruct K2 as [K2|[]]; subst w. simpl in K3. rewrite <- K3. lia. }
  apply in_bind in H1. destruct H1 as [i [w [K1 [K2 K3]]]].
  assert (R2 : forall y i q, In q (process zsum_update y i) -> fst q = (i + ones y)%Z).
  { induction y as [|b y IH]; intros i0 q K; cbn [process ones] in *.
    - destruct K as [K|[]]; subst; simpl; lia.
    - apply in_bind in K. destruct K as [j [z [J1 [J2 J3]]]]. destruct J1 as [J1|[]]; subst j. simpl in J2.
      apply IH in J2. rewrite <- J3, J2. destruct b; lia. }
  apply R1 in K1. apply R2 in K2. apply R1 in H2. rewrite <- H3. rewrite K3 in K2. lia.
Qed.
