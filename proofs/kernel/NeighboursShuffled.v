(* Worst neighbours of the histogram of the shuffle model with its real messages: P^zsum's two bits for every bin, with labels,
   all of them shuffled together. *)
From Coq Require Import Reals ZArith Lra Lia List Bool Permutation FunctionalExtensionality.
From PanshuffleKernel Require Law Closeness PostProcessing Composition Shuffle Messages ShuffleModel Parity Variances BinomialMechanism
  PanSum ShareLaw BinarySum PairCertificate NeighboursSums NeighboursHistograms.
From PanshuffleKernel Require Import Paper Countable Privacy Model Finite NeighboursLabels NeighboursDistinct.
Import ListNotations.
Open Scope R_scope.

(* A user who holds x sends, for every bin j, whether x = j and a bit from Ber(p). *)
Definition R_histogram {X} (U : universe X) (p : R) : X -> law (list (X * bool)) :=
  randomize (elements U) (by_holding U (R_zsum p true) (R_zsum p false)).

Section Pool.
Variable p : R.
Hypothesis p_range : 0 <= p <= 1.
Lemma R_zsum_finite : forall b, R_zsum p b = fun _ => BinarySum.R_zsum p b.
Proof. intro b. apply functional_extensionality; intro N. reflexivity. Qed.
Lemma proper_R_zsum : forall b, proper (R_zsum p b).
Proof. intro b. rewrite R_zsum_finite. apply proper_finite, BinarySum.proper_R_zsum; auto. Qed.

Definition pool_table (N c : nat) : table (list bool) := ShuffleModel.view (BinarySum.R_zsum p) (repeat true c ++ repeat false (N - c)).
Lemma counted_finite : forall N c, counted (R_zsum p true) (R_zsum p false) N c = fun _ => pool_table N c.
Proof. intros N c. unfold counted. apply view_finite. intros []; apply R_zsum_finite. Qed.
Lemma joint_finite {A B} : forall (d : table A) (e : table B), joint (fun _ => d) (fun _ => e) = fun _ => Composition.joint d e.
Proof. reflexivity. Qed.

Lemma data_ones : forall N c, (c <= N)%nat -> PanSum.ones (repeat true c ++ repeat false (N - c)) = Z.of_nat c /\ length (repeat true c ++ repeat false (N - c)) = N.
Proof.
  intros N c H. rewrite PanSum.ones_app, NeighboursSums.ones_zeros, app_length, !repeat_length. split; [|lia].
  assert (Q : PanSum.ones (repeat true c) = Z.of_nat c); [|lia]. clear. induction c; [reflexivity|]. cbn [repeat PanSum.ones]. lia.
Qed.
Lemma table_ones : forall N c F, (c <= N)%nat -> sum_over (pool_table N c) (fun l => F (Z.of_nat (ShareLaw.heads l))) = sum_over (BinomialMechanism.noisy N p (Z.of_nat c)) F.
Proof. intros N c F H. destruct (data_ones N c H) as [O L]. unfold pool_table. rewrite NeighboursSums.zsum_ones, O, L. reflexivity. Qed.
Lemma table_made : forall N c F, (c <= N)%nat -> sum_over (pool_table N c) F
  = sum_over (BinomialMechanism.noisy N p (Z.of_nat c)) (fun z => sum_over (BinarySum.arranged (2 * N) (Z.to_nat z)) F).
Proof.
  intros N c F H. destruct (data_ones N c H) as [O L]. unfold pool_table. rewrite (BinarySum.view_zsum p _ F), Law.E_bind.
  unfold BinomialMechanism.binomial_mechanism. rewrite O, L. reflexivity.
Qed.

Theorem pools_are_opposite_shifts : forall (N : nat) (eps delta : R) (CA CB : nat), (CA + CB + 1 <= N)%nat ->
  (pair_close (R_zsum p true) (R_zsum p false) N eps delta CA CB <-> NeighboursHistograms.opposite_shifts_close N p eps delta).
Proof.
  intros N eps delta CA CB H. unfold pair_close. rewrite !counted_finite, !joint_finite, close_finite. split; intro C.
  - assert (S : forall c d, (c <= N)%nat -> (d <= N)%nat -> forall F,
      sum_over (Composition.joint (pool_table N c) (pool_table N d))
        (fun l => F ((Z.of_nat (ShareLaw.heads (fst l)) - Z.of_nat CA)%Z, (Z.of_nat (ShareLaw.heads (snd l)) - Z.of_nat CB)%Z))
      = sum_over (Composition.joint (BinomialMechanism.noisy N p (Z.of_nat c - Z.of_nat CA)) (BinomialMechanism.noisy N p (Z.of_nat d - Z.of_nat CB))) F).
    { intros c d Hc Hd F. rewrite !Variances.E_joint. cbn [fst snd].
      assert (SH : forall a e G, sum_over (BinomialMechanism.noisy N p a) (fun z => G (z - e)%Z) = sum_over (BinomialMechanism.noisy N p (a - e)%Z) G).
      { intros a e G. rewrite !BinomialMechanism.E_noisy. apply Law.E_ext; intro z. f_equal. lia. }
      rewrite (table_ones N c (fun z => sum_over (pool_table N d) (fun l => F ((z - Z.of_nat CA)%Z, (Z.of_nat (ShareLaw.heads l) - Z.of_nat CB)%Z))) Hc).
      rewrite (SH (Z.of_nat c) (Z.of_nat CA) (fun z => sum_over (pool_table N d) (fun l => F (z, (Z.of_nat (ShareLaw.heads l) - Z.of_nat CB)%Z)))).
      apply Law.E_ext; intro z. rewrite (table_ones N d (fun w => F (z, (w - Z.of_nat CB)%Z)) Hd). apply (SH _ _ (fun w => F (z, w))). }
    pose proof (NeighboursSums.close_function eps delta _ _ _ _ _ (S (Datatypes.S CA) CB ltac:(lia) ltac:(lia)) (S CA (Datatypes.S CB) ltac:(lia) ltac:(lia)) C) as Q.
    replace (Z.of_nat (Datatypes.S CA) - Z.of_nat CA)%Z with 1%Z in Q by lia. replace (Z.of_nat CA - Z.of_nat CA)%Z with 0%Z in Q by lia.
    replace (Z.of_nat (Datatypes.S CB) - Z.of_nat CB)%Z with 1%Z in Q by lia. replace (Z.of_nat CB - Z.of_nat CB)%Z with 0%Z in Q by lia. exact Q.
  - apply NeighboursHistograms.opposite_shifts_pair in C. specialize (C (Z.of_nat CA) (Z.of_nat CB)).
    replace (Z.of_nat CA + 1)%Z with (Z.of_nat (S CA)) in C by lia. replace (Z.of_nat CB + 1)%Z with (Z.of_nat (S CB)) in C by lia.
    set (k := fun z : Z * Z => Composition.joint (BinarySum.arranged (2 * N) (Z.to_nat (fst z))) (BinarySum.arranged (2 * N) (Z.to_nat (snd z)))).
    assert (V : forall c d, (c <= N)%nat -> (d <= N)%nat -> Law.same_law
      (bind_table (Composition.joint (BinomialMechanism.noisy N p (Z.of_nat c)) (BinomialMechanism.noisy N p (Z.of_nat d))) k)
      (Composition.joint (pool_table N c) (pool_table N d))).
    { intros c d Hc Hd F. rewrite Law.E_bind, !Variances.E_joint, (table_made N c _ Hc). apply Law.E_ext; intro z.
      rewrite (Law.E_ext (BinarySum.arranged (2 * N) (Z.to_nat z)) _ (fun l => sum_over (BinomialMechanism.noisy N p (Z.of_nat d)) (fun w =>
        sum_over (BinarySum.arranged (2 * N) (Z.to_nat w)) (fun r => F (l, r))))) by (intro l; apply (table_made N d _ Hd)).
      rewrite Law.E_swap. apply Law.E_ext; intro w. unfold k. rewrite Variances.E_joint. reflexivity. }
    apply (Closeness.close_same eps delta _ _ _ _ (V (S CA) CB ltac:(lia) ltac:(lia)) (V CA (S CB) ltac:(lia) ltac:(lia))).
    apply PostProcessing.post_processing; auto. intro z. unfold k.
    apply Law.proper_bind; [apply Shuffle.proper_shuffle|]. intro. apply Law.proper_bind; [apply Shuffle.proper_shuffle | intro; apply Law.proper_point].
Qed.
End Pool.

Theorem shuffle_histogram_messages_worst_neighbour : forall (X : Type) (U : universe X) (p : R) (N : nat) (eps delta : R),
  0 <= p <= 1 -> (0 < N)%nat -> 0 <= eps -> 0 <= delta -> (2 <= length (elements U))%nat ->
  (private_on N eps delta (view (R_histogram U p)) <-> NeighboursHistograms.opposite_shifts_close N p eps delta).
Proof.
  intros X U p N eps delta Hp HN He Hd Hk. unfold R_histogram.
  rewrite (holders_worst U (R_zsum p true) (R_zsum p false) (proper_R_zsum p Hp true) (proper_R_zsum p Hp false) N eps delta He Hd Hk). split.
  - intro H. apply (pools_are_opposite_shifts p N eps delta 0 (N - 1)); [lia|]. apply H. split; intros; lia.
  - intros H CA CB [B _]. apply pools_are_opposite_shifts; auto.
Qed.
