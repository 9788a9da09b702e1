(* Section 3.2, decided: Lemma de-transformation for every protocol, with public coins and countable laws. *)
From Coq Require Import Reals Lra Lia List Bool Permutation FunctionalExtensionality.
From PanshuffleKernel Require Law Closeness Shuffle Messages ShuffleModel Online Transformation.
From PanshuffleKernel Require Import Paper Countable Privacy Model.
Import ListNotations.
Open Scope R_scope.

Section Stream.
Context {C X Y Z : Type} (P : protocol C X Y Z) (n : nat) (dummies : list X).
Let Q := Q_DE P n dummies.

(* Truncated at N, for one value of the coins. *)
Let r (N : nat) (c : C) (a : X) : table (list Y) := randomizer P n c a N.
Let an (N : nat) (c : C) (y : list Y) : table Z := analyzer P n c y N.

Lemma update_at : forall N a c I, update Q a (c, I) N
  = bind_table (Transformation.add_element (r N c) a I) (fun J => [((c, J), 1)]).
Proof.
  intros. unfold Q, Q_DE; cbn [update fst snd]. unfold bind at 1. f_equal. unfold Transformation.add_element, bind. f_equal.
  apply functional_extensionality; intro l. rewrite shuffle_finite. reflexivity.
Qed.
Lemma output_at : forall N c I, output Q (c, I) N = Transformation.final_output (r N c) (an N c) dummies I.
Proof.
  intros. unfold Q, Q_DE; cbn [output fst snd]. unfold Transformation.final_output. unfold bind at 1. f_equal.
  unfold bind. rewrite messages_at. f_equal. apply functional_extensionality; intro l. rewrite shuffle_finite. reflexivity.
Qed.
Lemma process_pair : forall N x c I F,
  sum_over (process (update Q) x (c, I) N) F
  = sum_over (Online.process (Transformation.add_element (r N c)) x I) (fun J => F (c, J)).
Proof.
  intros N. induction x as [|a x IH]; intros c I F.
  - cbn [process Online.process]. unfold point. simpl. ring.
  - cbn [process Online.process]. rewrite slice_bind, update_at, !Law.E_bind. apply Law.E_ext; intro J.
    rewrite <- IH. simpl. ring.
Qed.
(* What the intruder sees, for a test F. *)
Lemma intruder_slice : forall N t x F,
  sum_over (intruder_view Q t x N) F
  = sum_over (coins P n N) (fun c =>
      sum_over (ShuffleModel.view (r N c) (dummies ++ firstn t x)) (fun I =>
      sum_over (ShuffleModel.view (r N c) (skipn t x ++ dummies)) (fun l =>
      sum_over (Shuffle.shuffle (I ++ l)) (fun y => sum_over (an N c y) (fun z => F ((c, I), z)))))).
Proof.
  intros N t x F. unfold intruder_view. rewrite !slice_bind.
  change (initial Q N) with (bind (coins P n) (fun c => bind (view (randomizer P n c) dummies) (fun I => point (c, I))) N).
  rewrite slice_bind. apply Law.E_ext; intro c. rewrite slice_bind.
  pose proof (Transformation.intruder_view_split X Y Z (r N c) (an N c) dummies t x (fun I z => F ((c, I), z))) as S.
  unfold Transformation.reading in S. rewrite <- S. clear S.
  unfold Online.intruder_view, Online.state_after, Transformation.initial_state. rewrite !Law.E_bind.
  rewrite view_at. apply Law.E_ext; intro I.
  change (sum_over (point (c, I) N) ?G) with (1 * G (c, I) + 0). cbv beta. rewrite Rmult_1_l, Rplus_0_r.
  rewrite process_pair. apply Law.E_ext; intro J.
  rewrite !slice_bind, !Law.E_bind, process_pair. apply Law.E_ext; intro K.
  rewrite output_at. apply Law.E_ext; intro z. unfold point. simpl. ring.
Qed.
Lemma output_slice : forall N x F,
  sum_over (output_of Q x N) F
  = sum_over (coins P n N) (fun c => sum_over (Transformation.execution (r N c) (an N c) (dummies ++ x ++ dummies)) F).
Proof.
  intros N x F. unfold output_of. rewrite !slice_bind.
  change (initial Q N) with (bind (coins P n) (fun c => bind (view (randomizer P n c) dummies) (fun I => point (c, I))) N).
  rewrite slice_bind. apply Law.E_ext; intro c. rewrite slice_bind.
  rewrite <- (Transformation.transformed_output (r N c) (an N c) dummies x F).
  unfold Online.output_of, Online.state_after, Transformation.initial_state. rewrite !Law.E_bind.
  rewrite view_at. apply Law.E_ext; intro I.
  change (sum_over (point (c, I) N) ?G) with (1 * G (c, I) + 0). cbv beta. rewrite Rmult_1_l, Rplus_0_r.
  rewrite process_pair. apply Law.E_ext; intro J. rewrite output_at. reflexivity.
Qed.

Hypothesis PP : shuffle_protocol P.

(* The two batches of messages, and what is made of them. *)
Definition later (c : C) (I : list Y) (l : list Y) : law ((C * list Y) * Z) :=
  bind (bind (shuffle (I ++ l)) (analyzer P n c)) (fun z => point ((c, I), z)).
Definition batches (t : nat) (x : list X) : law ((C * list Y) * Z) :=
  bind (coins P n) (fun c => bind (view (randomizer P n c) (dummies ++ firstn t x)) (fun I =>
  bind (view (randomizer P n c) (skipn t x ++ dummies)) (later c I))).

Lemma coins_proper : proper (coins P n).
Proof. apply (PP n). Qed.
Lemma view_proper : forall c x, proper (view (randomizer P n c) x).
Proof. intros. apply proper_view. apply (PP n). Qed.
Lemma later_proper : forall c I l, proper (later c I l).
Proof.
  intros. apply proper_bind; [|intro; apply proper_point]. apply proper_bind; [apply proper_shuffle | apply (PP n)].
Qed.
Lemma intruder_batches : forall t x, same_law (batches t x) (intruder_view Q t x).
Proof.
  intros t x F B. apply E_slices; intro N. rewrite intruder_slice. unfold batches. rewrite slice_bind. apply Law.E_ext; intro c.
  rewrite slice_bind, view_at. apply Law.E_ext; intro I. rewrite slice_bind, view_at. apply Law.E_ext; intro l.
  unfold later. rewrite !slice_bind, shuffle_finite. apply Law.E_ext; intro y. apply Law.E_ext; intro z. unfold point. simpl; ring.
Qed.
Lemma executed : forall x, same_law (execution P n (dummies ++ x ++ dummies)) (output_of Q x).
Proof.
  intros x F B. apply E_slices; intro N. rewrite output_slice. unfold execution. rewrite slice_bind. apply Law.E_ext; intro c.
  rewrite slice_bind, view_at. unfold Transformation.execution. rewrite Law.E_bind. reflexivity.
Qed.

Theorem batches_private : forall eps delta t x x', robustly_shuffle_private P eps delta (1 / 3) ->
  (n <= 3 * length dummies)%nat -> (0 < length dummies)%nat -> (length x + 2 * length dummies = n)%nat -> neighbours x x' ->
  close eps delta (batches t x) (batches t x').
Proof.
  intros eps delta t x x' RB D1 D0 D2 NB.
  assert (BI : forall c I w, proper (bind (view (randomizer P n c) w) (later c I))).
  { intros. apply proper_bind; [apply view_proper | intro; apply later_proper]. }
  assert (BB : forall c w w', proper (bind (view (randomizer P n c) w) (fun I => bind (view (randomizer P n c) w') (later c I)))).
  { intros. apply proper_bind; [apply view_proper | intro; apply BI]. }
  assert (LX : length x = length x') by (exact (Closeness.neighbours_length x x' NB)).
  assert (RA : forall c u u', (length dummies <= length u <= n)%nat -> neighbours u u' ->
            close eps delta (view (randomizer P n c) u) (view (randomizer P n c) u')).
  { intros c u u' L NU. apply (RB n (length u) c); auto; [lia|].
    assert (INR n <= INR (3 * length u)) by (apply le_INR; lia). rewrite mult_INR in *. simpl (INR 3) in *. lra. }
  unfold batches. apply mixture_close; auto using coins_proper. intro c.
  destruct (Transformation.neighbours_split x x' t NB) as [[E1 N1]|[N1 E1]].
  - rewrite E1. apply mixture_close; auto using view_proper. intro I. apply post_processing; auto using view_proper, later_proper.
    apply RA; [rewrite app_length, skipn_length; lia | apply Transformation.neighbours_app_r; auto].
  - rewrite E1. apply post_processing; auto using view_proper.
    apply RA; [rewrite app_length, firstn_length; lia | apply Transformation.neighbours_app_l; auto].
Qed.
End Stream.

Lemma proper_Q_DE {C X Y Z} : forall (P : protocol C X Y Z) n dummies, shuffle_protocol P -> online_algorithm (Q_DE P n dummies).
Proof.
  intros P n dummies PP. destruct (PP n) as [HC HR]. split; [|split].
  - apply proper_bind; auto; intro c. apply proper_bind; [apply proper_view, HR | intro; apply proper_point].
  - intros a [c I]. cbn. apply proper_bind; [|intro; apply proper_point]. apply proper_bind; [apply HR | intro; apply proper_shuffle].
  - intros [c I]. cbn. apply proper_bind; [|apply HR]. apply proper_bind; [apply proper_messages, HR | intro; apply proper_shuffle].
Qed.

Theorem lem_de_transformation_any_n_holds : lem_de_transformation_any_n.
Proof.
  intros C X Y U P one n up eps delta alpha beta PP H0 H1 H2 RB SOL Q. split.
  - intros t x x' L N.
    apply (close_same eps delta _ _ _ _ (intruder_batches P n (repeat one up) t x) (intruder_batches P n (repeat one up) t x')).
    apply batches_private; auto; rewrite ?repeat_length; lia.
  - intros x L. pose proof (SOL (repeat one up ++ x ++ repeat one up)) as S.
    rewrite !app_length, repeat_length in S. specialize (S ltac:(lia)).
    unfold Pr in *. rewrite (executed P n (repeat one up) x) in S by apply bounded_indicator. eapply Rle_trans; [exact S|].
    apply E_le; auto using bounded_indicator. { apply proper_output_of, proper_Q_DE; auto. }
    intro z. unfold le.
    destruct (Transformation.distinct_with_dummies (same U) one up x) as [D1 D2]. apply le_INR in D1, D2.
    rewrite plus_INR in D2. simpl (INR 1) in D2. unfold Transformation.distinct in *. unfold distinct.
    destruct (Rle_dec (Rabs (z - INR (length (nodup (same U) (repeat one up ++ x ++ repeat one up))))) alpha) as [A|A]; simpl.
    + destruct (Rle_dec (Rabs (z - INR (length (nodup (same U) x)))) (alpha + 1)) as [B|B]; simpl; [lra|].
      exfalso. apply B. revert A. unfold Rabs. repeat destruct Rcase_abs; lra.
    + destruct (Rle_dec (Rabs (z - INR (length (nodup (same U) x)))) (alpha + 1)); simpl; lra.
Qed.

Theorem lem_de_transformation_holds : lem_de_transformation.
Proof.
  intros C X Y U P one third eps delta alpha beta PP H0 RB SOL Q.
  pose proof (lem_de_transformation_any_n_holds C X Y U P one (3 * third)%nat third eps delta alpha beta PP H0
    ltac:(lia) ltac:(lia) RB SOL) as H.
  replace (3 * third - 2 * third)%nat with third in H by lia. exact H.
Qed.
