(* Worst neighbours of both transformations.  (I_t, output) is a post-processing of the two independent batches of messages before
   and after t; the changed element is in one of them, with n/3 dummies.  For P_DE the first element is the least private and the
   state after it is seen, so that the bound is reached; for P_UT it is an upper bound. *)
From Coq Require Import Reals Lra Lia List Bool Permutation FunctionalExtensionality.
From PanshuffleKernel Require Closeness Transformation UniformityTransformation.
From PanshuffleKernel Require Import Paper Countable Privacy Masses Model Poisson Finite Section2 Section3Transformation Section4Transformation.
From PanshuffleKernel Require Import NeighboursLabels NeighboursDistinct NeighboursUniformity.
Import ListNotations.
Open Scope R_scope.

(* The messages of further users are post-processing. *)
Lemma view_more {X Y} : forall (R0 : X -> law (list Y)) w1 w2,
  same_law (bind (view R0 w1) (fun s => bind (messages R0 w2) (fun r => shuffle (s ++ r)))) (view R0 (w1 ++ w2)).
Proof.
  intros R0 w1 w2 F BF. apply E_slices; intro k. rewrite slice_bind, !view_at, !Transformation.E_view, Transformation.E_messages_app.
  apply Law.E_ext; intro l.
  transitivity (sum_over (Shuffle.shuffle l) (fun s => sum_over (ShuffleModel.messages (fun a => R0 a k) w2) (fun r => sum_over (Shuffle.shuffle (s ++ r)) F))).
  - apply Law.E_ext; intro s. rewrite slice_bind, messages_at. apply Law.E_ext; intro r. rewrite shuffle_finite. reflexivity.
  - rewrite Law.E_swap. apply Law.E_ext; intro r. apply Transformation.shuffle_again.
Qed.
Theorem further_users {X Y} : forall (R0 : X -> law (list Y)) (d w x x' : list X) (a b : X) (eps delta : R), algorithm R0 ->
  Permutation (d ++ a :: w) x -> Permutation (d ++ b :: w) x' ->
  close eps delta (view R0 (d ++ [a])) (view R0 (d ++ [b])) -> close eps delta (view R0 x) (view R0 x').
Proof.
  intros R0 d w x x' a b eps delta A P P' H.
  assert (S : forall c y, Permutation (d ++ c :: w) y ->
    same_law (bind (view R0 (d ++ [c])) (fun s => bind (messages R0 w) (fun r => shuffle (s ++ r)))) (view R0 y)).
  { intros c y Q F BF. rewrite (view_more R0 (d ++ [c]) w F BF). apply view_perm. rewrite <- app_assoc. exact Q. }
  apply (close_same eps delta _ _ _ _ (S a x P) (S b x' P')). apply post_processing; auto using proper_view.
  intro s. apply proper_bind; [apply proper_messages; auto | intro; apply proper_shuffle].
Qed.
(* More honest users than N are at least as private as N of them. *)
Theorem more_users {X Y} : forall (R0 : X -> law (list Y)) (N M : nat) (eps delta : R), algorithm R0 -> (0 < N <= M)%nat ->
  private_on N eps delta (view R0) -> private_on M eps delta (view R0).
Proof.
  intros R0 N M eps delta A NM H x x' L [u [a [b [v [Q1 Q2]]]]]. set (d := firstn (N - 1) (u ++ v)).
  assert (W : forall c, Permutation (d ++ c :: skipn (N - 1) (u ++ v)) (u ++ c :: v)).
  { intro c. apply Permutation_trans with (c :: d ++ skipn (N - 1) (u ++ v)); [apply Permutation_sym, Permutation_middle|].
    unfold d. rewrite firstn_skipn. apply Permutation_middle. }
  subst x x'. apply (further_users R0 d _ _ _ a b eps delta A (W a) (W b)). apply H.
  - rewrite app_length in *. unfold d. rewrite firstn_length, app_length. cbn [length] in *. lia.
  - exists d, a, b, []. auto.
Qed.

Lemma neighbours_nonempty {X} : forall x x' : list X, neighbours x x' -> (0 < length x)%nat.
Proof. intros x x' [u [a [b [v [Q _]]]]]. subst. rewrite app_length. cbn [length]. lia. Qed.

(* ---- Algorithm de-transformation ---- *)
(* The first element of a stream, with the dummies before it, is the least private: the output adds nothing to the state. *)
Theorem de_transformation_at_most : forall (C X Y Z : Type) (P : protocol C X Y Z) (n length : nat) (dummies : list X) (eps delta : R),
  shuffle_protocol P ->
  (forall c a b, close eps delta (view (randomizer P n c) (dummies ++ [a])) (view (randomizer P n c) (dummies ++ [b]))) ->
  pan_private length eps delta (Q_DE P n dummies).
Proof.
  intros C X Y Z P n length dummies eps delta PP H t x x' L NB.
  apply (close_same eps delta _ _ _ _ (intruder_batches P n dummies t x) (intruder_batches P n dummies t x')).
  assert (VP : forall c w, proper (view (randomizer P n c) w)) by (intros; apply proper_view, (PP n)).
  assert (LP : forall c I l, proper (later P n c I l)) by (intros; apply later_proper; auto).
  assert (BI : forall c I w, proper (bind (view (randomizer P n c) w) (later P n c I))) by (intros; apply proper_bind; auto).
  assert (BB : forall c w w', proper (bind (view (randomizer P n c) w) (fun I => bind (view (randomizer P n c) w') (later P n c I)))).
  { intros. apply proper_bind; auto. }
  assert (RA : forall c w w' y y', neighbours w w' -> Permutation (dummies ++ w) y -> Permutation (dummies ++ w') y' ->
            close eps delta (view (randomizer P n c) y) (view (randomizer P n c) y')).
  { intros c w w' y y' [u [a [b [v [Q Q']]]]] Py Py'. subst w w'.
    assert (M : forall e, Permutation (dummies ++ e :: u ++ v) (dummies ++ u ++ e :: v)) by (intro; apply Permutation_app_head, Permutation_middle).
    apply (further_users (randomizer P n c) dummies (u ++ v) y y' a b); auto; [apply (PP n) | |]; eapply Permutation_trans; eauto. }
  unfold batches. apply mixture_close; auto; [apply (PP n)|]. intro c.
  destruct (Transformation.neighbours_split x x' t NB) as [[E1 N1]|[N1 E1]]; rewrite E1.
  - apply mixture_close; auto. intro I. apply post_processing; auto. apply (RA c _ _ _ _ N1); apply Permutation_app_comm.
  - apply post_processing; auto. apply (RA c _ _ _ _ N1); apply Permutation_refl.
Qed.
(* An intruder who comes after the first element sees it with the dummies before it, if there are no public coins. *)
Theorem de_transformation_at_least : forall (X Y Z : Type) (P : protocol unit X Y Z) (n : nat) (dummies v : list X) (a b : X) (eps delta : R),
  shuffle_protocol P -> coins P n = point tt -> pan_private (S (length v)) eps delta (Q_DE P n dummies) ->
  close eps delta (view (randomizer P n tt) (dummies ++ [a])) (view (randomizer P n tt) (dummies ++ [b])).
Proof.
  intros X Y Z P n dummies v a b eps delta PP PC H.
  assert (VP : forall w, proper (view (randomizer P n tt) w)) by (intros; apply proper_view, (PP n)).
  assert (LP : forall c I l, proper (later P n c I l)) by (intros; apply later_proper; auto).
  set (state := fun v : (unit * list Y) * Z => point (snd (fst v))).
  assert (SP : forall v, proper (state v)) by (intro; apply proper_point).
  assert (BI : forall I w, proper (bind (view (randomizer P n tt) w) (later P n tt I))) by (intros; apply proper_bind; auto).
  assert (S1 : forall e, same_law (bind (batches P n dummies 1 (e :: v)) state) (view (randomizer P n tt) (dummies ++ [e]))).
  { intros e F BF. unfold batches. rewrite PC. cbn [firstn skipn].
    assert (BS : bounded (fun w : (unit * list Y) * Z => E (state w) F)) by (apply bounded_E; auto).
    rewrite E_bind; auto; [|apply proper_bind; [apply proper_point | intro c; destruct c; apply proper_bind; auto]].
    rewrite E_bind; auto; [|apply proper_point | intro c; destruct c; apply proper_bind; auto].
    rewrite E_point. rewrite E_bind; auto. apply E_ext; intro I. rewrite E_bind; auto.
    rewrite (E_ext _ _ (fun _ => F I)); [apply E_const; auto|]. intro l. unfold later.
    assert (AP : proper (bind (shuffle (I ++ l)) (analyzer P n tt))) by (apply proper_bind; [apply proper_shuffle | apply (PP n)]).
    rewrite E_bind; auto; [|intro; apply proper_point].
    rewrite (E_ext _ _ (fun _ => F I)); [apply E_const; auto|]. intro z. rewrite E_point. unfold state. rewrite E_point. reflexivity. }
  apply (close_same eps delta _ _ _ _ (S1 a) (S1 b)).
  assert (BP : forall e, proper (batches P n dummies 1 (e :: v))).
  { intro e. unfold batches. rewrite PC. apply proper_bind; [apply proper_point|]. intro c; destruct c. apply proper_bind; auto. }
  apply post_processing; auto.
  apply (close_same eps delta (intruder_view (Q_DE P n dummies) 1 (a :: v)) (intruder_view (Q_DE P n dummies) 1 (b :: v))).
  - intros F BF. symmetry. apply intruder_batches; auto.
  - intros F BF. symmetry. apply intruder_batches; auto.
  - apply H; [reflexivity | exists [], a, b, v; auto].
Qed.

Lemma P_DE_runs {X} : forall (U : universe X) (eps0 : R) (m : nat -> nat), 0 < eps0 -> (forall n, (0 < m n)%nat) -> shuffle_protocol (P_DE U eps0 m).
Proof.
  intros U eps0 m E0 M n. cbn [coins randomizer analyzer P_DE]. split; [apply proper_point|]. intro c. split.
  - rewrite R_DE_by_holding. apply proper_randomize. apply by_holding_proper; apply proper_shares_of; auto using p'_range; lra.
  - intro y. apply proper_point.
Qed.

(* The backgrounds of the first element: the dummies hold an element of their own, which is a, or b, or neither. *)
Definition beside_dummies (k dummies CA CB : nat) : Prop :=
  (CA = dummies /\ CB = 0)%nat \/ (CA = 0 /\ CB = dummies)%nat \/ (3 <= k /\ CA = 0 /\ CB = 0)%nat.

(* Q_P of P_DE: it is as private as the state after one element, n/3 + 1 users of whom n/3 hold the element 1. *)
Theorem pan_distinct_elements_worst_neighbour : forall (X : Type) (U : universe X) (one : X) (m : nat -> nat) (third : nat) (eps0 eps delta : R),
  0 < eps0 -> (forall n, (0 < m n)%nat) -> 0 <= eps -> 0 <= delta -> (0 < third)%nat -> (2 <= length (elements U))%nat ->
  (pan_private third eps delta (Q_DE (P_DE U eps0 m) (3 * third) (repeat one third))
   <-> forall CA CB, beside_dummies (length (elements U)) third CA CB ->
       distinct_pair (m (3 * third)%nat) (3 * third) (third + 1) eps0 eps delta CA CB).
Proof.
  intros X U one m third eps0 eps delta E0 M He Hd HT Hk. set (n := (3 * third)%nat). set (dummies := repeat one third).
  pose proof (P_DE_runs U eps0 m E0 M) as PP.
  assert (LD : forall a : X, length (dummies ++ a :: []) = (third + 1)%nat) by (intro; rewrite app_length; unfold dummies; rewrite repeat_length; reflexivity).
  assert (CN : forall j, one <> j -> count U (dummies ++ []) j = 0%nat) by (intros; rewrite app_nil_r; apply count_not; auto).
  assert (CO : count U (dummies ++ []) one = third) by (rewrite app_nil_r; apply count_own).
  assert (PAIR : forall a b, a <> b -> (close eps delta (view (R_DE U eps0 (m n) n) (dummies ++ [a])) (view (R_DE U eps0 (m n) n) (dummies ++ [b]))
            <-> distinct_pair (m n) n (third + 1) eps0 eps delta (count U (dummies ++ []) a) (count U (dummies ++ []) b))).
  { intros a b AB. rewrite <- (LD a). apply distinct_elements_every_pair; auto. }
  split.
  - intros H CA CB B.
    assert (ALL : forall a b, a <> b -> distinct_pair (m n) n (third + 1) eps0 eps delta (count U (dummies ++ []) a) (count U (dummies ++ []) b)).
    { intros a b AB. apply PAIR; auto. apply (de_transformation_at_least X (X * bool) R (P_DE U eps0 m) n dummies (repeat one (third - 1)) a b); auto.
      rewrite repeat_length. replace (S (third - 1)) with third by lia. exact H. }
    pose proof (no_repetition X U) as ND.
    assert (OTHER : exists b, one <> b).
    { destruct (elements U) as [|a [|b r]]; cbn [length] in *; try lia. inversion ND as [|? ? NI _].
      destruct (same U one a) as [Q|Q]; [exists b; intro Q'; apply NI; left; congruence | exists a; auto]. }
    destruct OTHER as [o NO]. destruct B as [[B1 B2]|[[B1 B2]|[K [B1 B2]]]]; subst CA CB.
    + pose proof (ALL one o NO) as Q. rewrite CO, CN in Q by auto. exact Q.
    + pose proof (ALL o one (fun e => NO (eq_sym e))) as Q. rewrite CO, CN in Q by auto. exact Q.
    + assert (TWO : exists a b, a <> b /\ one <> a /\ one <> b).
      { destruct (elements U) as [|a [|b [|c r]]]; cbn [length] in *; try lia.
        inversion ND as [|? ? NI ND']. inversion ND' as [|? ? NI' _].
        assert (AB : a <> b) by (intro; apply NI; left; congruence).
        assert (AC : a <> c) by (intro; apply NI; right; left; congruence).
        assert (BC : b <> c) by (intro; apply NI'; left; congruence).
        destruct (same U one a) as [Q|Q]; [exists b, c; repeat split; congruence|].
        destruct (same U one b) as [Q'|Q']; [exists a, c; repeat split; congruence | exists a, b; auto]. }
      destruct TWO as [a [b [AB [OA OB]]]]. pose proof (ALL a b AB) as Q. rewrite !CN in Q by auto. exact Q.
  - intro H. apply de_transformation_at_most; auto. intros c a b. cbn [randomizer P_DE].
    destruct (same U a b) as [AB|AB].
    + subst b. apply close_refl; auto. apply proper_view. exact (proj1 (proj2 (PP n) tt)).
    + apply PAIR; auto. apply H. unfold beside_dummies. destruct (same U one a) as [OA|OA].
      * subst a. rewrite CO, CN by auto. auto.
      * destruct (same U one b) as [OB|OB]; [subst b; rewrite CO, CN by auto; auto|]. rewrite !CN by auto. right. right.
        repeat split. assert (I3 : incl [one; a; b] (elements U)) by (intros j _; apply complete).
        apply (NoDup_incl_length (l := [one; a; b])) in I3; [exact I3|].
        repeat constructor; simpl; intuition.
Qed.

(* ---- Algorithm ut-transformation ---- *)
Ltac propers := repeat (first [assumption | apply proper_shuffle | apply proper_point | match goal with H : forall _ _, proper _ |- _ => apply H end
    | match goal with H : forall _, proper _ |- _ => apply H end | apply proper_bind; intros]); auto.
Theorem ut_transformation_at_most : forall (C X Y : Type) (U : universe X) (P : protocol C X Y bool) (third : nat) (eps delta : R),
  shuffle_protocol P -> (0 < third)%nat -> 1 <= size U ->
  (forall c, private_on (third + 1) eps delta (view (randomizer P (3 * third) c))) ->
  pan_private third eps delta (Q_UT P (uniform (elements U)) third).
Proof.
  intros C X Y U P third eps delta PP T0 SU H t x x' L N. set (n := (3 * third)%nat) in *. set (D := uniform (elements U)).
  apply (close_same eps delta _ _ _ _ (seen_same P D third t x) (seen_same P D third t x')).
  assert (DP : proper D) by (apply (D_proper U); auto).
  assert (PVw : forall c w, proper (view (randomizer P n c) w)) by (intros; apply proper_view, (PP n)).
  assert (PFl : forall l w, proper (fill D l w)) by (intros; apply proper_fill; auto).
  assert (PSa : forall k, proper (samples D k)) by (intros; apply proper_samples; auto).
  assert (PBi : proper (Bin n (2 / 9))) by (apply proper_Bin; lra).
  assert (PAn : forall c y, proper (analyzer P n c y)) by (intros; apply (PP n)).
  assert (RA : forall c w w', (third + 1 <= length w)%nat -> neighbours w w' ->
            close eps delta (view (randomizer P n c) w) (view (randomizer P n c) w')).
  { intros c w w' Lw Nw. apply (more_users (randomizer P n c) (third + 1) (length w)); auto; [apply (PP n) | lia]. }
  unfold seen. fold n. apply mixture_close; [apply (PP n) | intro; propers | intro; propers|]. intro c.
  apply (samples_mix U SU); [intro; propers | intro; propers|]. intros d0 L0.
  apply mixture_close; [propers | intro; cbv zeta; propers | intro; cbv zeta; propers|]. intro n'. cbv zeta.
  destruct (Transformation.neighbours_split x x' t N) as [[E1 N1]|[N1 E1]]; pose proof (neighbours_nonempty _ _ N1) as NE.
  - rewrite E1. apply mixture_close; [propers | intro; propers | intro; propers|]. intro d.
    apply mixture_close; [propers | intro; propers | intro; propers|]. intro y.
    apply (fill_mix U SU); auto; [intro; propers | intro; propers|]. intros e e' Le Ne.
    apply (samples_mix U SU); [intro; propers | intro; propers|]. intros d1 L1.
    apply post_processing; [propers | propers | intro; propers|].
    apply RA; [rewrite app_length; lia | apply Transformation.neighbours_app_r; auto].
  - assert (LL : length (firstn t x') = length (firstn t x)) by (symmetry; exact (Closeness.neighbours_length _ _ N1)).
    rewrite E1, LL. apply (fill_mix U SU); auto; [intro; propers | intro; propers|]. intros d d' Ld Nd.
    apply post_processing; [propers | propers | intro; propers|].
    apply RA; [rewrite app_length; lia | apply Transformation.neighbours_app_l; auto].
Qed.

Lemma P_UT_runs {X} : forall (U : universe X) (lambda m tau : R), 0 <= lambda -> shuffle_protocol (P_UT U lambda m tau).
Proof.
  intros U lambda m tau HL n. cbn [coins randomizer analyzer P_UT]. split; [apply proper_point|]. intro c. split; [|intro y; apply proper_point].
  assert (M : 0 <= lambda / INR n).
  { destruct n as [|n]; [cbn [INR]; unfold Rdiv; rewrite Rinv_0; lra|]. apply Rmult_le_pos; auto. left. apply Rinv_0_lt_compat, lt_0_INR. lia. }
  intro x. unfold R_UT. apply proper_concatenated, Forall_forall. intros d I. apply in_map_iff in I. destruct I as [j [I _]]. subst d.
  apply proper_bind; [apply proper_Pois; auto|]. intro s. apply proper_bind; [apply proper_samples, proper_Ber; lra | intro; apply proper_point].
Qed.

(* Q_P of P_UT: at most two opposite shifts with the noise of n/3 + 1 users. *)
Theorem pan_uniformity_at_most : forall (X : Type) (U : universe X) (lambda m tau : R) (third : nat) (eps delta : R),
  0 <= lambda -> (0 < third)%nat -> 0 <= eps -> 0 <= delta -> (2 <= length (elements U))%nat ->
  poisson_shifts_close (INR (third + 1) * (lambda / INR (3 * third))) eps delta ->
  pan_private third eps delta (Q_UT (P_UT U lambda m tau) (uniform (elements U)) third).
Proof.
  intros X U lambda m tau third eps delta HL T0 He Hd Hk H. apply ut_transformation_at_most; auto using P_UT_runs.
  - unfold size. change 1 with (INR 1). apply le_INR. lia.
  - intro c. cbn [randomizer P_UT]. apply uniformity_worst_neighbour; auto; lia.
Qed.
