(* Worst neighbours of P_UT with true Poisson noise, and after domain compression.

   "Given the numbers of noise messages, every neighbouring pair is a shift of Bin(L, 1/2) up by 1 in one pool and down by 1 in
   another, whatever the other users hold; the L are independent, Pois(gamma lambda), and visible." *)
From Coq Require Import Reals ZArith Lra Lia List Bool Permutation FunctionalExtensionality.
From PanshuffleKernel Require Law Closeness Shuffle Messages ShuffleModel Parity Rows UniformityTransformation BinomialMechanism ShareLaw.
From PanshuffleKernel Require Import Paper Countable Privacy Masses Model Poisson Finite Section4Transformation Section5AndAppendix PoissonPools.
From PanshuffleKernel Require Import NeighboursLabels NeighboursDistinct.
Import ListNotations.
Open Scope R_scope.

(* Functions of each of two independent draws, with coins of their own. *)
Lemma joint_image {A B C D} : forall (p : law A) (q : law B) (k : A -> law C) (h : B -> law D),
  same_law (bind (joint p q) (fun z => joint (k (fst z)) (h (snd z)))) (joint (bind p k) (bind q h)).
Proof.
  intros p q k h F _. apply E_slices; intro N. unfold joint. rewrite !slice_bind. apply Law.E_ext; intro a.
  rewrite slice_bind.
  rewrite (Law.E_ext (q N) _ (fun b => sum_over (k a N) (fun c => sum_over (h b N) (fun d => F (c, d))))).
  - rewrite Law.E_swap. apply Law.E_ext; intro c. rewrite !slice_bind. apply Law.E_ext; intro b. apply Law.E_ext; intro d.
    unfold point. cbn [sum_over]. ring.
  - intro b. unfold point at 1. cbn [sum_over fst snd]. rewrite slice_bind, Rmult_1_l, Rplus_0_r. apply Law.E_ext; intro c.
    rewrite slice_bind. apply Law.E_ext; intro d. unfold point. cbn [sum_over]. ring.
Qed.
Lemma close_images {A B C D} : forall eps delta (p p' : law A) (q q' : law B) (r r' : law C) (s s' : law D) (k : A -> law C) (h : B -> law D),
  proper p -> proper p' -> proper q -> proper q' -> proper r -> proper r' -> proper s -> proper s' ->
  (forall a, proper (k a)) -> (forall b, proper (h b)) ->
  same_law (bind p k) r -> same_law (bind p' k) r' -> same_law (bind q h) s -> same_law (bind q' h) s' ->
  close eps delta (joint p q) (joint p' q') -> close eps delta (joint r s) (joint r' s').
Proof.
  intros eps delta p p' q q' r r' s s' k h P P' Q Q' R R' S S' K H S1 S2 S3 S4 CL.
  apply (close_same eps delta (bind (joint p q) (fun z => joint (k (fst z)) (h (snd z)))) (bind (joint p' q') (fun z => joint (k (fst z)) (h (snd z))))).
  - eapply same_trans; [apply joint_image|]. apply joint_same; auto using proper_bind.
  - eapply same_trans; [apply joint_image|]. apply joint_same; auto using proper_bind.
  - apply post_processing; auto using proper_joint.
Qed.

(* L ~ Pois(mu) noise messages, visible, and c + Bin(L, 1/2) ones. *)
Definition noisy_pool (mu : R) (c : Z) : law (nat * Z) :=
  bind (Pois mu) (fun L => bind (Bin L (1 / 2)) (fun z => point (L, (c + Z.of_nat z)%Z))).
(* A shift up in one pool and down in another. *)
Definition poisson_shifts_close (mu eps delta : R) : Prop :=
  close eps delta (joint (noisy_pool mu 1) (noisy_pool mu 0)) (joint (noisy_pool mu 0) (noisy_pool mu 1)).

Lemma proper_noisy_pool : forall mu c, 0 <= mu -> proper (noisy_pool mu c).
Proof.
  intros. apply proper_bind; [apply proper_Pois; auto|]. intro L. apply proper_bind; [apply proper_Bin; lra | intro; apply proper_point].
Qed.
Lemma E_noisy_pool : forall mu c F, 0 <= mu -> bounded F ->
  E (noisy_pool mu c) F = E (two mu) (fun p => F ((fst p + snd p)%nat, (c + Z.of_nat (fst p))%Z)).
Proof.
  intros mu c F M [B HB]. assert (BF : bounded F) by (exists B; auto).
  unfold two. replace (mu / 2) with (mu * (1 / 2)) at 1 by field. replace (mu / 2) with (mu * (1 - 1 / 2)) by field.
  rewrite <- (thinning mu (1 / 2)) by (auto; try lra; exists B; intro; apply HB).
  unfold thinned, noisy_pool.
  rewrite E_bind; [|apply proper_Pois; auto | intro; apply proper_bind; [apply proper_Bin; lra | intro; apply proper_point] | auto].
  rewrite E_bind; [|apply proper_Pois; auto | intro; apply proper_bind; [apply proper_Bin; lra | intro; apply proper_point] | exists B; intro; apply HB].
  apply E_ext; intro L. rewrite E_bind; [|apply proper_Bin; lra | intro; apply proper_point | auto].
  rewrite E_bind; [|apply proper_Bin; lra | intro; apply proper_point | exists B; intro; apply HB].
  apply E_Bin_le; [lra | exists B; intro; rewrite E_point; apply HB | exists B; intro; rewrite E_point; apply HB|].
  intros z Z. rewrite !E_point. cbn [fst snd]. f_equal. f_equal. lia.
Qed.

Section Counted.
Variables (lambda : R) (n : nat).
Hypothesis lambda_pos : 0 <= lambda.
Hypothesis n_pos : (0 < n)%nat.

(* The messages of one user with one label. *)
Definition noise (b : bool) : law (list bool) :=
  bind (Pois (lambda / INR n)) (fun s => bind (samples (Ber (1 / 2)) s) (fun l => point (b :: l))).
Lemma rate_pos : 0 <= lambda / INR n.
Proof. apply Rmult_le_pos; auto. left. apply Rinv_0_lt_compat, lt_0_INR; auto. Qed.
Lemma proper_noise : forall b, proper (noise b).
Proof.
  intro b. apply proper_bind; [apply proper_Pois, rate_pos|]. intro s. apply proper_bind; [apply proper_samples, proper_Ber; lra | intro; apply proper_point].
Qed.
Lemma tag_noise {J} : forall (j : J) b, bind (noise b) (fun l => point (map (pair j) l))
  = bind (Pois (lambda / INR n)) (fun s => bind (samples (Ber (1 / 2)) s) (fun l => point ((j, b) :: map (pair j) l))).
Proof.
  intros j b. unfold noise. rewrite bind_assoc. f_equal. apply functional_extensionality; intro s. rewrite bind_assoc. f_equal.
  apply functional_extensionality; intro l. rewrite bind_point_l. reflexivity.
Qed.
Lemma R_UT_by_holding {X} : forall U : universe X, R_UT U lambda n = randomize (elements U) (by_holding U (noise true) (noise false)).
Proof.
  intro U. apply functional_extensionality; intro x. unfold R_UT, randomize, tagged. f_equal. apply map_ext. intro j.
  unfold by_holding, is_element. destruct (same U x j); rewrite tag_noise; reflexivity.
Qed.

Definition bits : universe bool := Universe [true; false] ltac:(repeat constructor; simpl; intuition congruence)
  ltac:(intros []; simpl; auto) bool_dec.
Lemma is_bit : forall b, is_element bits b true = b.
Proof. intros []; reflexivity. Qed.

Definition sorted_bits (a b : nat) : list bool := repeat true a ++ repeat false b.
Lemma noise_sum : forall bs G, bounded G -> order_free G ->
  E (concatenated (map noise bs)) G
  = E (two (INR (length bs) * (lambda / INR n))) (fun p => G (sorted_bits (count bits bs true + fst p) (length bs - count bits bs true + snd p))).
Proof.
  intros bs G [M HM] O.
  transitivity (E (concatenated (map (fun b => labelled bits lambda n b true) bs)) (fun l => G (map snd l))).
  - apply E_slices; intro N. rewrite !concatenated_at, !map_map.
    pose proof (untag (fun b (_ : bool) => noise b N) true bs (fun l => G (map snd l))) as Q. unfold column in Q.
    rewrite (Law.E_ext _ (fun l => G (map snd (map (pair true) l))) G) in Q.
    + rewrite <- Q. f_equal. f_equal. apply map_ext. intro b. unfold tagged_table.
      replace (labelled bits lambda n b true) with (bind (noise b) (fun l => point (map (pair true) l))); [reflexivity|].
      rewrite tag_noise. unfold labelled. rewrite is_bit. reflexivity.
    + intro l. rewrite map_map. cbn [snd]. rewrite map_id. reflexivity.
  - rewrite (all_users bits lambda n lambda_pos n_pos bs true (fun l => G (map snd l))).
    + apply E_ext; intro p. unfold arranged, sorted_bits. f_equal. rewrite map_app.
      assert (R : forall (v : bool) k, map snd (repeat (true, v) k) = repeat v k) by (intros v k; induction k; cbn [repeat map snd]; congruence).
      rewrite !R. reflexivity.
    + exists M; intro; apply HM.
    + intros l l' P. apply O. apply Permutation_map; auto.
Qed.

Lemma counted_law : forall N c F, (c <= N)%nat -> bounded F ->
  E (counted (noise true) (noise false) N c) F
  = E (two (INR N * (lambda / INR n))) (fun p => E (shuffle (sorted_bits (c + fst p) (N - c + snd p))) F).
Proof.
  intros N c F C BF. unfold counted. rewrite E_view by (auto; intros []; apply proper_noise).
  set (bs := repeat true c ++ repeat false (N - c)).
  assert (L : length bs = N) by (unfold bs; rewrite app_length, !repeat_length; lia).
  assert (K : count bits bs true = c) by (unfold bs; rewrite count_app, count_own, count_not by congruence; lia).
  unfold messages. replace (map (fun b : bool => if b then noise true else noise false) bs) with (map noise bs) by (apply map_ext; intros []; reflexivity).
  rewrite noise_sum.
  - rewrite L, K. reflexivity.
  - apply bounded_E; auto. intro; apply proper_shuffle.
  - intros l l' P. rewrite !shuffle_finite, !E_finite. apply Shuffle.shuffle_perm; auto.
Qed.

Variable N : nat.
Let mu := INR N * (lambda / INR n).
Lemma mu_pos : 0 <= mu.
Proof. apply Rmult_le_pos; [apply pos_INR | apply rate_pos]. Qed.

Lemma proper_pool_of : forall c, proper (counted (noise true) (noise false) N c).
Proof. intro c. apply proper_counted; apply proper_noise. Qed.
(* What the pool shows: how many noise messages, and how many ones, C of them taken off. *)
Definition read (C : nat) (l : list bool) : law (nat * Z) := point ((length l - N)%nat, (Z.of_nat (ShareLaw.heads l) - Z.of_nat C)%Z).
Definition write (C : nat) (Lz : nat * Z) : law (list bool) :=
  let z := Z.to_nat (snd Lz + Z.of_nat C) in shuffle (sorted_bits z (N + fst Lz - z)).

Lemma heads_sorted : forall a b, ShareLaw.heads (sorted_bits a b) = a.
Proof.
  intros a b. unfold sorted_bits. rewrite ShareLaw.heads_app. assert (H1 : ShareLaw.heads (repeat true a) = a) by (induction a; simpl; auto).
  assert (H2 : ShareLaw.heads (repeat false b) = 0%nat) by (induction b; simpl; auto). lia.
Qed.
Lemma read_pool : forall c C, (c <= N)%nat -> same_law (bind (counted (noise true) (noise false) N c) (read C)) (noisy_pool mu (Z.of_nat c - Z.of_nat C)).
Proof.
  intros c C H F BF. rewrite E_bind by (auto using proper_pool_of; intro; apply proper_point).
  rewrite counted_law; auto; [|apply bounded_E; auto; intro; apply proper_point].
  rewrite E_noisy_pool by (auto using mu_pos). apply E_ext; intros [i j]. cbn [fst snd].
  rewrite shuffle_finite, E_finite.
  rewrite (Law.E_ext_in _ _ (fun _ => F ((i + j)%nat, (Z.of_nat c - Z.of_nat C + Z.of_nat i)%Z))).
  - apply Law.E_const, Shuffle.proper_shuffle.
  - intros p Hp. apply Shuffle.shuffle_support in Hp. unfold read. rewrite E_point.
    rewrite <- (Permutation_length Hp), <- (ShareLaw.heads_perm _ _ Hp), heads_sorted. unfold sorted_bits. rewrite app_length, !repeat_length.
    f_equal. f_equal; lia.
Qed.
Lemma write_pool : forall c C, (c <= N)%nat -> (C <= c)%nat -> same_law (bind (noisy_pool mu (Z.of_nat c - Z.of_nat C)) (write C)) (counted (noise true) (noise false) N c).
Proof.
  intros c C H H' F BF. rewrite E_bind by (auto using proper_noisy_pool, mu_pos; intro; apply proper_shuffle).
  rewrite E_noisy_pool; auto using mu_pos; [|apply bounded_E; auto; intro; apply proper_shuffle].
  rewrite counted_law by auto. apply E_ext; intros [i j]. cbn [fst snd]. unfold write. cbn [fst snd].
  replace (Z.to_nat (Z.of_nat c - Z.of_nat C + Z.of_nat i + Z.of_nat C)) with (c + i)%nat by lia.
  replace (N + (i + j) - (c + i))%nat with (N - c + j)%nat by lia. reflexivity.
Qed.

(* Whatever the others hold, the two pools are worth the same. *)
Theorem pools_are_shifts : forall (eps delta : R) (CA CB : nat), (CA + CB + 1 <= N)%nat ->
  (pair_close (noise true) (noise false) N eps delta CA CB <-> poisson_shifts_close mu eps delta).
Proof.
  intros eps delta CA CB H. unfold pair_close, poisson_shifts_close.
  assert (Z1 : forall C, (Z.of_nat (S C) - Z.of_nat C)%Z = 1%Z) by (intro; lia).
  assert (Z0 : forall C, (Z.of_nat C - Z.of_nat C)%Z = 0%Z) by (intro; lia).
  pose proof (read_pool (S CA) CA ltac:(lia)) as R1. pose proof (read_pool CA CA ltac:(lia)) as R2.
  pose proof (read_pool CB CB ltac:(lia)) as R3. pose proof (read_pool (S CB) CB ltac:(lia)) as R4.
  pose proof (write_pool (S CA) CA ltac:(lia) ltac:(lia)) as W1. pose proof (write_pool CA CA ltac:(lia) ltac:(lia)) as W2.
  pose proof (write_pool CB CB ltac:(lia) ltac:(lia)) as W3. pose proof (write_pool (S CB) CB ltac:(lia) ltac:(lia)) as W4.
  rewrite Z1 in R1, R4, W1, W4. rewrite Z0 in R2, R3, W2, W3. pose proof mu_pos.
  split; intro C.
  - apply (close_images eps delta (counted (noise true) (noise false) N (S CA)) (counted (noise true) (noise false) N CA) (counted (noise true) (noise false) N CB) (counted (noise true) (noise false) N (S CB)) _ _ _ _ (read CA) (read CB)); auto using proper_pool_of, proper_noisy_pool;
      intro; apply proper_point.
  - apply (close_images eps delta (noisy_pool mu 1) (noisy_pool mu 0) (noisy_pool mu 0) (noisy_pool mu 1) _ _ _ _ (write CA) (write CB)); auto using proper_pool_of, proper_noisy_pool;
      intro; apply proper_shuffle.
Qed.
End Counted.

(* ---- P_UT ---- *)
Theorem uniformity_every_pair : forall (X : Type) (U : universe X) (lambda : R) (n : nat) (eps delta : R) (u v : list X) (a b : X),
  0 <= lambda -> (0 < n)%nat -> a <> b ->
  (close eps delta (view (R_UT U lambda n) (u ++ a :: v)) (view (R_UT U lambda n) (u ++ b :: v))
   <-> poisson_shifts_close (INR (length (u ++ a :: v)) * (lambda / INR n)) eps delta).
Proof.
  intros X U lambda n eps delta u v a b HL HN AB. rewrite R_UT_by_holding.
  rewrite (holders_pair U (noise lambda n true) (noise lambda n false) (proper_noise lambda n HL HN true) (proper_noise lambda n HL HN false)
    eps delta u v a b AB).
  apply pools_are_shifts; auto. apply (background_of U u v a b AB).
Qed.

Theorem uniformity_worst_neighbour : forall (X : Type) (U : universe X) (lambda : R) (n N : nat) (eps delta : R),
  0 <= lambda -> (0 < n)%nat -> (0 < N)%nat -> 0 <= eps -> 0 <= delta -> (2 <= length (elements U))%nat ->
  (private_on N eps delta (view (R_UT U lambda n)) <-> poisson_shifts_close (INR N * (lambda / INR n)) eps delta).
Proof.
  intros X U lambda n N eps delta HL HN HP He Hd Hk. rewrite R_UT_by_holding.
  rewrite (holders_worst U (noise lambda n true) (noise lambda n false) (proper_noise lambda n HL HN true) (proper_noise lambda n HL HN false)
    N eps delta He Hd Hk). split.
  - intro H. apply (pools_are_shifts lambda n HL HN N eps delta 0 (N - 1)); [lia|]. apply H. split; intros; lia.
  - intros H CA CB [B _]. apply pools_are_shifts; auto.
Qed.

(* ---- after domain compression: a partition, as a map g from elements to groups ---- *)
Theorem compressed_uniformity_worst_neighbour : forall (X J : Type) (V : universe J) (g : X -> J) (lambda : R) (n N : nat) (eps delta : R),
  0 <= lambda -> (0 < n)%nat -> (0 < N)%nat -> 0 <= eps -> 0 <= delta -> (exists x y, g x <> g y) ->
  (private_on N eps delta (view (fun a => R_UT V lambda n (g a))) <-> poisson_shifts_close (INR N * (lambda / INR n)) eps delta).
Proof.
  intros X J V g lambda n N eps delta HL HN HP He Hd [x [y XY]]. split.
  - intro H. apply (hashed_data (R_UT V lambda n) g) in H.
    assert (L : length (x :: repeat x (N - 1)) = N) by (cbn [length]; rewrite repeat_length; lia).
    specialize (H (x :: repeat x (N - 1)) (y :: repeat x (N - 1)) L (ex_intro _ [] (ex_intro _ x (ex_intro _ y (ex_intro _ (repeat x (N - 1)) (conj eq_refl eq_refl)))))).
    pose proof (proj1 (uniformity_every_pair J V lambda n eps delta [] (map g (repeat x (N - 1))) (g x) (g y) HL HN XY) H) as Q.
    cbn [app length] in Q. rewrite map_length, repeat_length in Q. replace (S (N - 1)) with N in Q by lia. exact Q.
  - intro H. apply hashed_at_most.
    assert (K : (2 <= length (elements V))%nat).
    { assert (N2 : NoDup [g x; g y]) by (repeat constructor; simpl; intuition congruence).
      apply (NoDup_incl_length N2). intros z _. apply (complete J V). }
    apply uniformity_worst_neighbour; auto.
Qed.
(* Two elements in one group: the same view; with one group that is not empty there is one view. *)
Theorem compressed_uniformity_same_group : forall (X J : Type) (V : universe J) (g : X -> J) (lambda : R) (n : nat) (u v : list X) (a b : X),
  g a = g b -> view (fun c => R_UT V lambda n (g c)) (u ++ a :: v) = view (fun c => R_UT V lambda n (g c)) (u ++ b :: v).
Proof. intros X J V g lambda n u v a b H. unfold view, messages. rewrite !map_app. cbn [map]. rewrite H. reflexivity. Qed.
