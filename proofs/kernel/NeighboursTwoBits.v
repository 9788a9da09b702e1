(* Worst neighbours of the labelled two-bit sum of section 2.3: every user sends both bits, each flipped with probability p,
   with labels.

   "for the same other users, changing both bits is at least as bad as changing one.  So the largest delta is the largest over
   the numbers (h1, h2) of others who hold 1, in {0, ..., N-1}^2, and the directions in which both bits change." *)
From Coq Require Import Reals Lra Lia List Bool Permutation FunctionalExtensionality.
From PanshuffleKernel Require BinarySum ShareLaw.
From PanshuffleKernel Require Import Paper Countable Privacy Masses Model Poisson Finite Section4Transformation.
From PanshuffleKernel Require Import NeighboursLabels NeighboursDistinct NeighboursUniformity.
Import ListNotations.
Open Scope R_scope.

(* A bit, flipped with probability p. *)
Definition flipped (p : R) (b : bool) : law (list bool) := bind (Ber p) (fun e => point [xorb b e]).
(* The bit with the label j. *)
Definition bit_at (j : bool) (x : bool * bool) : bool := if j then fst x else snd x.
Definition R_two_bits (p : R) : bool * bool -> law (list (bool * bool)) := randomize [true; false] (fun x j => flipped p (bit_at j x)).
(* A pool of N flipped bits, c of them ones before. *)
Definition flipped_pool (p : R) (N c : nat) : law (list bool) := counted (flipped p true) (flipped p false) N c.
Definition one (b : bool) : nat := if b then 1 else 0.
(* h1 and h2 others hold 1; the user's bits go from b1, b2 to their opposites. *)
Definition two_bits_pair (p : R) (N : nat) (eps delta : R) (h1 h2 : nat) (b1 b2 : bool) : Prop :=
  close eps delta (joint (flipped_pool p N (h1 + one b1)) (flipped_pool p N (h2 + one b2)))
                  (joint (flipped_pool p N (h1 + one (negb b1))) (flipped_pool p N (h2 + one (negb b2)))).

Section TwoBits.
Variable p : R.
Hypothesis p_range : 0 <= p <= 1.
Lemma proper_flipped : forall b, proper (flipped p b).
Proof. intro b. apply proper_bind; [apply proper_Ber; auto | intro; apply proper_point]. Qed.
Lemma proper_flipped_pool : forall N c, proper (flipped_pool p N c).
Proof. intros. apply proper_counted; apply proper_flipped. Qed.
Let m := fun (x : bool * bool) (j : bool) => flipped p (bit_at j x).
Lemma m_proper : forall x j, proper (m x j).
Proof. intros. apply proper_flipped. Qed.

Lemma two_pool : forall x j, same_law (pool m x j) (flipped_pool p (length x) (ShareLaw.heads (map (bit_at j) x))).
Proof.
  intros x j F BF. unfold pool, flipped_pool, counted.
  pose proof (BinarySum.sorted_bits (map (bit_at j) x)) as P. rewrite map_length in P.
  rewrite <- (view_perm (fun b : bool => if b then flipped p true else flipped p false) _ _ F P).
  unfold view, messages. rewrite map_map. do 4 f_equal. apply functional_extensionality; intro i. unfold m. destruct (bit_at j i); reflexivity.
Qed.
Lemma two_bits_close : forall eps delta x x', length x = length x' ->
  (close eps delta (view (R_two_bits p) x) (view (R_two_bits p) x')
   <-> close eps delta (joint (flipped_pool p (length x) (ShareLaw.heads (map fst x))) (flipped_pool p (length x) (ShareLaw.heads (map snd x))))
                       (joint (flipped_pool p (length x) (ShareLaw.heads (map fst x'))) (flipped_pool p (length x) (ShareLaw.heads (map snd x'))))).
Proof.
  intros eps delta x x' L.
  assert (ND : NoDup [true; false]) by (repeat constructor; simpl; intuition congruence).
  unfold R_two_bits. fold m. rewrite (view_pools bool_dec [true; false] ND m m_proper).
  rewrite (two_places bool_dec eps delta [true; false] (pool m x) (pool m x') true false (inhabits [])); auto; try (simpl; auto; fail); try congruence.
  - assert (S : forall y, same_law (joint (pool m y true) (pool m y false))
        (joint (flipped_pool p (length y) (ShareLaw.heads (map fst y))) (flipped_pool p (length y) (ShareLaw.heads (map snd y))))).
    { intro y. apply joint_same; auto using proper_flipped_pool; try (apply proper_pool; apply m_proper); [apply (two_pool y true) | apply (two_pool y false)]. }
    pose proof (S x') as S'. rewrite <- L in S'. split; intro C.
    + apply (close_same eps delta _ _ _ _ (S x) S' C).
    + apply (close_same eps delta _ _ _ _ (same_sym _ _ (S x)) (same_sym _ _ S') C).
  - intro. apply proper_pool, m_proper.
  - intro. apply proper_pool, m_proper.
  - intros [] A B; congruence.
Qed.

(* A common factor adds nothing. *)
Lemma common_first {A B} : forall eps delta (f f' : law A) (q q' : law B), proper f -> proper f' -> proper q -> proper q' ->
  close eps delta (joint f q) (joint f' q') -> forall r : law B, proper r -> close eps delta (joint f r) (joint f' r).
Proof.
  intros eps delta f f' q q' F F' Q Q' C r R0.
  assert (M : forall (d : law A) (e : law B), proper d -> proper e ->
    same_law (bind (joint d e) (fun z => bind r (fun b => point (fst z, b)))) (joint d r)).
  { intros d e D E0 G BG. assert (PB : forall a : A, proper (bind r (fun b => point (a, b)))) by (intro; apply proper_bind; auto; intro; apply proper_point).
    rewrite E_bind by (auto using proper_joint). rewrite E_joint; auto using proper_joint.
    - unfold joint. rewrite E_bind by auto. apply E_ext; intro a. cbn [fst]. apply E_const; auto.
    - destruct BG as [M HM]. exists M. intro z. apply E_abs; auto. }
  apply (close_same eps delta _ _ _ _ (M f q F Q) (M f' q' F' Q')). apply post_processing; auto using proper_joint.
  intro. apply proper_bind; auto; intro; apply proper_point.
Qed.
Lemma joint_turn {A B} : forall eps delta (f f' : law A) (q q' : law B), proper f -> proper f' -> proper q -> proper q' ->
  close eps delta (joint f q) (joint f' q') -> close eps delta (joint q f) (joint q' f').
Proof.
  intros eps delta f f' q q' F F' Q Q' C.
  assert (M : forall (d : law A) (e : law B), same_law (bind (joint d e) (fun z => point (snd z, fst z))) (joint e d)).
  { intros d e G _. apply E_slices; intro N. unfold joint. rewrite !slice_bind.
    rewrite (Law.E_ext (d N) _ (fun a => sum_over (e N) (fun b => G (b, a)))).
    - rewrite Law.E_swap. apply Law.E_ext; intro b. rewrite slice_bind. apply Law.E_ext; intro a. unfold point. cbn [sum_over]. ring.
    - intro a. rewrite slice_bind. apply Law.E_ext; intro b. unfold point. cbn [sum_over fst snd]. ring. }
  apply (close_same eps delta _ _ _ _ (M f q) (M f' q')). apply post_processing; auto using proper_joint. intro; apply proper_point.
Qed.

Lemma heads_change : forall (f : bool * bool -> bool) u c v, ShareLaw.heads (map f (u ++ c :: v)) = (ShareLaw.heads (map f (u ++ v)) + one (f c))%nat.
Proof. intros. rewrite !map_app, !ShareLaw.heads_app. cbn [map ShareLaw.heads]. destruct (f c); cbn [one]; lia. Qed.
Lemma heads_ordered : forall a b, ShareLaw.heads (repeat true a ++ repeat false b) = a.
Proof.
  intros a b. rewrite ShareLaw.heads_app. assert (H1 : ShareLaw.heads (repeat true a) = a) by (induction a; simpl; auto).
  assert (H2 : ShareLaw.heads (repeat false b) = 0%nat) by (induction b; simpl; auto). lia.
Qed.
Lemma heads_most : forall l, (ShareLaw.heads l <= length l)%nat.
Proof. induction l as [|[|] l IH]; simpl; lia. Qed.

Theorem two_bit_sum_worst_neighbour : forall (N : nat) (eps delta : R), 0 <= eps -> 0 <= delta ->
  (private_on N eps delta (view (R_two_bits p))
   <-> forall h1 h2 b1 b2, (h1 < N)%nat -> (h2 < N)%nat -> two_bits_pair p N eps delta h1 h2 b1 b2).
Proof.
  intros N eps delta He Hd. split.
  - intros H h1 h2 b1 b2 L1 L2.
    set (l1 := repeat true h1 ++ repeat false (N - 1 - h1)). set (l2 := repeat true h2 ++ repeat false (N - 1 - h2)).
    assert (N1 : length l1 = (N - 1)%nat) by (unfold l1; rewrite app_length, !repeat_length; lia).
    assert (N2 : length l2 = (N - 1)%nat) by (unfold l2; rewrite app_length, !repeat_length; lia).
    assert (H1 : ShareLaw.heads l1 = h1) by apply heads_ordered. assert (H2 : ShareLaw.heads l2 = h2) by apply heads_ordered.
    clearbody l1 l2. set (v := combine l1 l2).
    assert (V : map fst v = l1 /\ map snd v = l2 /\ length v = length l1).
    { unfold v. assert (L : length l1 = length l2) by congruence. clear -L. revert l2 L.
      induction l1 as [|a l1 IH]; intros [|b l2] L; try discriminate; [repeat split|]. cbn [combine map fst snd length].
      destruct (IH l2 ltac:(cbn in L; lia)) as [A [B C]]. rewrite A, B, C. auto. }
    destruct V as [V1 [V2 V3]].
    assert (LX : length ((b1, b2) :: v) = N) by (cbn [length]; lia).
    assert (Q : close eps delta (view (R_two_bits p) ((b1, b2) :: v)) (view (R_two_bits p) ((negb b1, negb b2) :: v))).
    { apply H; auto. exists [], (b1, b2), (negb b1, negb b2), v. auto. }
    rewrite two_bits_close in Q by reflexivity. rewrite LX in Q.
    pose proof (heads_change fst []) as F. pose proof (heads_change snd []) as G. cbn [app] in F, G. rewrite !F, !G in Q. cbn [fst snd] in Q.
    rewrite V1, V2, H1, H2 in Q. exact Q.
  - intros H x x' L [u [c [d [v [Q1 Q2]]]]].
    assert (LL : length x = length x') by (subst; rewrite !app_length; reflexivity).
    apply two_bits_close; auto. rewrite L. subst x x'. rewrite !heads_change.
    set (h1 := ShareLaw.heads (map fst (u ++ v))). set (h2 := ShareLaw.heads (map snd (u ++ v))).
    assert (B : (h1 < N)%nat /\ (h2 < N)%nat).
    { pose proof (heads_most (map fst (u ++ v))) as M1. pose proof (heads_most (map snd (u ++ v))) as M2. fold h1 in M1. fold h2 in M2.
      rewrite map_length, app_length in M1, M2. rewrite app_length in L. cbn [length] in L. lia. }
    destruct B as [B1 B2]. destruct c as [c1 c2], d as [d1 d2]. cbn [fst snd].
    pose proof (H h1 h2 c1 c2 B1 B2) as P. unfold two_bits_pair in P.
    destruct (bool_dec c1 d1) as [E1|E1], (bool_dec c2 d2) as [E2|E2].
    + subst. apply close_refl; auto using proper_joint, proper_flipped_pool.
    + subst d1. replace d2 with (negb c2) by (destruct c2, d2; cbn; congruence).
      apply joint_turn in P; auto using proper_flipped_pool. apply joint_turn; auto using proper_flipped_pool.
      apply (common_first eps delta _ _ _ _ ltac:(apply proper_flipped_pool) ltac:(apply proper_flipped_pool) ltac:(apply proper_flipped_pool) ltac:(apply proper_flipped_pool) P). apply proper_flipped_pool.
    + subst d2. replace d1 with (negb c1) by (destruct c1, d1; cbn; congruence).
      apply (common_first eps delta _ _ _ _ ltac:(apply proper_flipped_pool) ltac:(apply proper_flipped_pool) ltac:(apply proper_flipped_pool) ltac:(apply proper_flipped_pool) P). apply proper_flipped_pool.
    + replace d1 with (negb c1) by (destruct c1, d1; cbn; congruence). replace d2 with (negb c2) by (destruct c2, d2; cbn; congruence). exact P.
Qed.
End TwoBits.
