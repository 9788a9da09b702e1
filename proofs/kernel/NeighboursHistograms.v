(* Worst neighbours, finite laws: the pan-private histogram and the histogram of the shuffle model, as independent pools.

   The pair of both histograms is (X+1, Y) against (X, Y+1), X and Y independent binomials; its mirror image is the same pair
   in the other direction. *)
From Coq Require Import Reals ZArith Lra Lia List Bool Permutation.
From PanshuffleKernel Require Import Law Closeness PostProcessing Composition Parity Shuffle Messages ShuffleModel.
From PanshuffleKernel Require Import Online Transformation UniformityTransformation BinomialMechanism PanSum Variances PanHistogram.
From PanshuffleKernel Require Import BinomialCertificate PairCertificate Shares Rows ShareLaw BinarySum HistogramPair DistinctTight DistinctIdeal.
From PanshuffleKernel Require Import NeighboursSums.
Import ListNotations.
Open Scope R_scope.

(* One taken from the second number and given to the first. *)
Definition opposite_shifts_close (l : nat) (p eps delta : R) :=
  close eps delta (joint (noisy l p 1) (noisy l p 0)) (joint (noisy l p 0) (noisy l p 1)).

Lemma joint_noisy_shift : forall l p a b c d F,
  E (joint (noisy l p a) (noisy l p b)) (fun z => F (fst z + c, snd z + d)%Z) = E (joint (noisy l p (a + c)%Z) (noisy l p (b + d)%Z)) F.
Proof.
  intros. rewrite !E_joint. cbn [fst snd]. rewrite <- (noisy_shift l p a c (fun x => E (noisy l p (b + d)%Z) (fun y => F (x, y)))).
  apply E_ext. intro x. apply (noisy_shift l p b d (fun y => F ((x + c)%Z, y))).
Qed.

Theorem opposite_shifts_pair : forall l p eps delta, hides_pair l p eps delta <-> opposite_shifts_close l p eps delta.
Proof.
  intros l p eps delta. split.
  - intro H. exact (H 0%Z 0%Z).
  - intros H a b.
    apply (close_function eps delta _ _ _ _ (fun z => (fst z + a, snd z + b)%Z)
      (joint_noisy_shift l p 1 0 a b) (joint_noisy_shift l p 0 1 a b)) in H.
    replace (a + 1)%Z with (1 + a)%Z by lia. replace (b + 1)%Z with (1 + b)%Z by lia. exact H.
Qed.

(* The other direction is the mirror image. *)
Lemma joint_mirror {A B} : forall (p : law A) (q : law B) F, E (joint p q) (fun z => F (snd z, fst z)) = E (joint q p) F.
Proof. intros. rewrite !E_joint. apply E_swap. Qed.
Theorem opposite_shifts_both : forall l p eps delta, opposite_shifts_close l p eps delta ->
  close_both eps delta (joint (noisy l p 1) (noisy l p 0)) (joint (noisy l p 0) (noisy l p 1)).
Proof.
  intros l p eps delta H. split; auto.
  exact (close_function eps delta _ _ _ _ (fun z => (snd z, fst z)) (joint_mirror _ _) (joint_mirror _ _) H).
Qed.

Section Histograms.
Variable Element : Type.
Variable same : forall a b : Element, {a = b} + {a <> b}.
Variable K : list Element.
Hypothesis K_nodup : NoDup K.
Variables a b : Element.
Hypothesis a_in : In a K.
Hypothesis b_in : In b K.
Hypothesis a_b : a <> b.

Lemma count_none : forall j c n, c <> j -> HistogramPair.count Element same j (repeat c n) = 0%Z.
Proof.
  intros j c n H. unfold HistogramPair.count, is_value. induction n; [reflexivity|]. cbn [repeat map ones]. rewrite IHn.
  destruct (same c j); [congruence | reflexivity].
Qed.
Lemma count_cons : forall j c x, HistogramPair.count Element same j (c :: x) = ((if same c j then 1 else 0) + HistogramPair.count Element same j x)%Z.
Proof. intros j c x. unfold HistogramPair.count, is_value. cbn [map ones]. destruct (same c j); reflexivity. Qed.

(* What two of independent bins show. *)
Lemma two_shown {A} : forall (f : Element -> law A) (none : A) (F : A * A -> R), (forall j, proper (f j)) ->
  E (independent (map f K)) (fun l => F (shown Element A same a K l none, shown Element A same b K l none)) = E (joint (f a) (f b)) F.
Proof.
  intros f none F P. rewrite (E_shown_two Element A same K f a b none (fun u v => F (u, v))) by auto. rewrite E_joint. reflexivity.
Qed.

(* ---- the histogram of the shuffle model ---- *)
Lemma pool_ones : forall p x j F, E (pool_view Element same p x j) (fun l => F (Z.of_nat (heads l))) = E (noisy (length x) p (HistogramPair.count Element same j x)) F.
Proof. intros p x j F. unfold pool_view. rewrite zsum_ones, map_length. reflexivity. Qed.

Lemma histogram_seen : forall p x F, 0 <= p <= 1 ->
  E (histogram_view Element same K p x)
    (fun l => F (Z.of_nat (heads (shown Element (list bool) same a K l [])), Z.of_nat (heads (shown Element (list bool) same b K l []))))
  = E (joint (noisy (length x) p (HistogramPair.count Element same a x)) (noisy (length x) p (HistogramPair.count Element same b x))) F.
Proof.
  intros p x F Hp. unfold histogram_view.
  pose proof (two_shown (pool_view Element same p x) [] (fun z => F (Z.of_nat (heads (fst z)), Z.of_nat (heads (snd z))))
    (fun j => proper_pool_view Element same p x j Hp)) as Q. cbn [fst snd] in Q. rewrite Q. clear Q.
  rewrite !E_joint. cbn [fst snd]. rewrite <- (pool_ones p x a (fun u => E (noisy (length x) p (HistogramPair.count Element same b x)) (fun v => F (u, v)))).
  apply E_ext. intro l. apply (pool_ones p x b (fun v => F (Z.of_nat (heads l), v))).
Qed.

(* Whatever the other users hold: every pair of neighbours that differ in a and b is worth the opposite shifts. *)
Theorem shuffle_histogram_every_pair : forall (p eps delta : R) (u v : list Element), 0 <= p <= 1 ->
  close eps delta (histogram_view Element same K p (u ++ a :: v)) (histogram_view Element same K p (u ++ b :: v)) ->
  opposite_shifts_close (length (u ++ a :: v)) p eps delta.
Proof.
  intros p eps delta u v Hp H. destruct (count_change Element same a b u v a_b) as [C1 C2].
  set (n := length (u ++ a :: v)).
  assert (L : length (u ++ b :: v) = n) by (unfold n; rewrite !app_length; reflexivity).
  set (A := HistogramPair.count Element same a (u ++ b :: v)) in *. set (B := HistogramPair.count Element same b (u ++ a :: v)) in *.
  apply (close_function eps delta _ _ _ _
    (fun l => (Z.of_nat (heads (shown Element (list bool) same a K l [])), Z.of_nat (heads (shown Element (list bool) same b K l []))))
    (fun F => histogram_seen p (u ++ a :: v) F Hp) (fun F => histogram_seen p (u ++ b :: v) F Hp)) in H.
  rewrite L in H. fold n in H. fold A in H. fold B in H. rewrite C1, C2 in H.
  apply (close_function eps delta _ _ _ _ (fun z => (fst z + - A, snd z + - B)%Z)
    (joint_noisy_shift n p (A + 1) B (- A) (- B)) (joint_noisy_shift n p A (B + 1) (- A) (- B))) in H.
  replace (A + 1 + - A)%Z with 1%Z in H by lia. replace (B + 1 + - B)%Z with 1%Z in H by lia.
  replace (A + - A)%Z with 0%Z in H by lia. replace (B + - B)%Z with 0%Z in H by lia. exact H.
Qed.

Theorem shuffle_histogram_worst_neighbour : forall (n : nat) (p eps delta : R), 0 <= p <= 1 -> 0 <= eps -> 0 <= delta -> (0 < n)%nat ->
  (private_on n eps delta (histogram_view Element same K p) <-> opposite_shifts_close n p eps delta).
Proof.
  intros n p eps delta Hp He Hd Hn. split.
  - intro H. assert (L : length ([] ++ a :: repeat a (n - 1)) = n) by (cbn [app length]; rewrite repeat_length; lia).
    pose proof (shuffle_histogram_every_pair p eps delta [] (repeat a (n - 1)) Hp) as Q. rewrite L in Q. apply Q.
    apply H; auto. exists [], a, b, (repeat a (n - 1)). auto.
  - intro H. apply histogram_shuffle_private; auto. apply opposite_shifts_pair; auto.
Qed.

(* ---- the pan-private histogram ---- *)
Variable lambda : nat.
Let none : Z := 0%Z.

Lemma bins_apart : forall (w : Z -> Z -> Z -> Z -> R) t x,
  E (intruder_view (hist_initial Element K lambda) (hist_update Element same K) (hist_output lambda) t x) (fun v => w (shown Element Z same a K (fst v) none) (shown Element Z same a K (snd v) none)
                            (shown Element Z same b K (fst v) none) (shown Element Z same b K (snd v) none))
  = E (bin_view Element same lambda t x a) (fun p => E (bin_view Element same lambda t x b) (fun q => w (fst p) (snd p) (fst q) (snd q))).
Proof.
  intros w t x.
  rewrite (hist_view Element same K lambda t x (fun I z => w (shown Element Z same a K I none) (shown Element Z same a K z none)
                            (shown Element Z same b K I none) (shown Element Z same b K z none))).
  assert (SM : forall j (L : list Element) (vs : list (Z * Z)),
    shown Element Z same j L (map fst vs) none = fst (shown Element (Z * Z) same j L vs (none, none))
    /\ shown Element Z same j L (map snd vs) none = snd (shown Element (Z * Z) same j L vs (none, none))).
  { intros j. induction L as [|i L IH]; intros [|y vs]; cbn [map shown]; auto. destruct (same i j); auto. }
  rewrite (E_ext _ _ (fun vs => (fun p q => w (fst p) (snd p) (fst q) (snd q))
    (shown Element (Z * Z) same a K vs (none, none)) (shown Element (Z * Z) same b K vs (none, none)))).
  - apply (E_shown_two Element (Z * Z) same K (bin_view Element same lambda t x) a b (none, none)
      (fun p q => w (fst p) (snd p) (fst q) (snd q))); auto. intro; apply proper_bin_view.
  - intro vs. rewrite !(proj1 (SM _ _ _)), !(proj2 (SM _ _ _)). reflexivity.
Qed.

Lemma bins_before : forall t x F,
  E (intruder_view (hist_initial Element K lambda) (hist_update Element same K) (hist_output lambda) t x) (fun v => F (shown Element Z same a K (fst v) none, shown Element Z same b K (fst v) none))
  = E (joint (noisy lambda (1 / 2) (HistogramPair.count Element same a (firstn t x))) (noisy lambda (1 / 2) (HistogramPair.count Element same b (firstn t x)))) F.
Proof.
  intros t x F. rewrite (bins_apart (fun I _ J _ => F (I, J))), E_bin_view, E_joint. apply E_ext. intro I.
  assert (PN : forall i, proper (noisy lambda (1 / 2) i)) by (intro; apply proper_noisy; lra).
  rewrite (E_ext _ _ (fun _ => E (noisy lambda (1 / 2) (HistogramPair.count Element same b (firstn t x))) (fun J => F (I, J)))); [apply E_const; auto|].
  intro z. rewrite E_bin_view. apply E_ext. intro J. cbn [fst snd]. apply E_const; auto.
Qed.
Lemma bins_after : forall t x F,
  E (intruder_view (hist_initial Element K lambda) (hist_update Element same K) (hist_output lambda) t x) (fun v => F ((shown Element Z same a K (snd v) none - shown Element Z same a K (fst v) none)%Z,
                             (shown Element Z same b K (snd v) none - shown Element Z same b K (fst v) none)%Z))
  = E (joint (noisy lambda (1 / 2) (HistogramPair.count Element same a (skipn t x))) (noisy lambda (1 / 2) (HistogramPair.count Element same b (skipn t x)))) F.
Proof.
  intros t x F. rewrite (bins_apart (fun I z J z' => F ((z - I)%Z, (z' - J)%Z))), E_bin_view, E_joint.
  assert (PN : forall i, proper (noisy lambda (1 / 2) i)) by (intro; apply proper_noisy; lra).
  assert (S1 : forall c I G, E (noisy lambda (1 / 2) (I + c)%Z) (fun z => G (z - I)%Z) = E (noisy lambda (1 / 2) c) G).
  { intros c I G. rewrite !E_noisy. apply E_ext. intro y. f_equal. lia. }
  rewrite (E_ext _ _ (fun _ => E (noisy lambda (1 / 2) (HistogramPair.count Element same a (skipn t x))) (fun z => E (noisy lambda (1 / 2) (HistogramPair.count Element same b (skipn t x))) (fun z' => F (z, z')))));
    [apply E_const; auto|].
  intro I. cbn [fst snd].
  rewrite <- (S1 (HistogramPair.count Element same a (skipn t x)) I (fun z => E (noisy lambda (1 / 2) (HistogramPair.count Element same b (skipn t x))) (fun z' => F (z, z')))).
  apply E_ext. intro z. rewrite E_bin_view. cbn [fst snd].
  rewrite (E_ext _ _ (fun _ => E (noisy lambda (1 / 2) (HistogramPair.count Element same b (skipn t x))) (fun z' => F ((z - I)%Z, z')))); [apply E_const; auto|].
  intro J. apply (S1 (HistogramPair.count Element same b (skipn t x)) J (fun z' => F ((z - I)%Z, z'))).
Qed.

Theorem pan_histogram_worst_neighbour_at : forall (n t : nat) (eps delta : R), 0 <= eps -> 0 <= delta -> (0 < n)%nat ->
  (private_on n eps delta (intruder_view (hist_initial Element K lambda) (hist_update Element same K) (hist_output lambda) t) <-> opposite_shifts_close lambda (1 / 2) eps delta).
Proof.
  intros n t eps delta He Hd Hn. split.
  - intro H. set (r := repeat a (n - 1)).
    assert (LA : length (a :: r) = n) by (cbn [length]; unfold r; rewrite repeat_length; lia).
    assert (N : neighbours (a :: r) (b :: r)) by (exists [], a, b, r; auto).
    specialize (H _ _ LA N).
    assert (C : forall s, HistogramPair.count Element same a (a :: s) = (1 + HistogramPair.count Element same a s)%Z /\ HistogramPair.count Element same a (b :: s) = HistogramPair.count Element same a s
                       /\ HistogramPair.count Element same b (a :: s) = HistogramPair.count Element same b s /\ HistogramPair.count Element same b (b :: s) = (1 + HistogramPair.count Element same b s)%Z).
    { intro s. rewrite !count_cons. destruct (same a a), (same a b), (same b a), (same b b); try congruence. repeat split; lia. }
    assert (G : forall A B, close eps delta (joint (noisy lambda (1 / 2) (1 + A)%Z) (noisy lambda (1 / 2) B))
                                            (joint (noisy lambda (1 / 2) A) (noisy lambda (1 / 2) (1 + B)%Z)) ->
                opposite_shifts_close lambda (1 / 2) eps delta).
    { intros A B Q.
      apply (close_function eps delta _ _ _ _ (fun z => (fst z + - A, snd z + - B)%Z)
        (joint_noisy_shift lambda (1 / 2) (1 + A) B (- A) (- B)) (joint_noisy_shift lambda (1 / 2) A (1 + B) (- A) (- B))) in Q.
      replace (1 + A + - A)%Z with 1%Z in Q by lia. replace (1 + B + - B)%Z with 1%Z in Q by lia.
      replace (A + - A)%Z with 0%Z in Q by lia. replace (B + - B)%Z with 0%Z in Q by lia. exact Q. }
    destruct t as [|t].
    + apply (close_function eps delta _ _ _ _ _ (bins_after 0 (a :: r)) (bins_after 0 (b :: r))) in H.
      cbn [skipn] in H. destruct (C r) as [C1 [C2 [C3 C4]]]. rewrite C1, C2, C3, C4 in H. apply (G _ _ H).
    + apply (close_function eps delta _ _ _ _ _ (bins_before (S t) (a :: r)) (bins_before (S t) (b :: r))) in H.
      cbn [firstn] in H. destruct (C (firstn t r)) as [C1 [C2 [C3 C4]]]. rewrite C1, C2, C3, C4 in H. apply (G _ _ H).
  - intro H. apply histogram_private_pair; auto. apply opposite_shifts_pair; auto.
Qed.

Theorem pan_histogram_worst_neighbour : forall (n : nat) (eps delta : R), 0 <= eps -> 0 <= delta -> (0 < n)%nat ->
  (pan_private n eps delta (hist_initial Element K lambda) (hist_update Element same K) (hist_output lambda)
   <-> opposite_shifts_close lambda (1 / 2) eps delta).
Proof.
  intros n eps delta He Hd Hn. split.
  - intro H. apply (pan_histogram_worst_neighbour_at n 0); auto.
  - intros H t. apply pan_histogram_worst_neighbour_at; auto.
Qed.
End Histograms.
