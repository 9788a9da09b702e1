(* Worst neighbours of both transformations, upper bounds: (I_t, output) is a post-processing of the two independent batches of
   messages before and after t; the changed element is in one of them, with n/3 dummies, so that delta is at most that of
   n/3 + 1 honest users of the protocol, whatever the others hold. *)
From Coq Require Import Reals Lra Lia List Bool Permutation FunctionalExtensionality.
From PanshuffleKernel Require Closeness Transformation UniformityTransformation.
From PanshuffleKernel Require Import Paper Countable Privacy Masses Model Poisson Finite Verdicts2 Verdicts3Lower Verdicts4Lower.
From PanshuffleKernel Require Import NeighboursLabels NeighboursDistinct NeighboursUniformity.
Import ListNotations.
Open Scope R_scope.

(* More honest users than N are at least as private as N of them. *)
Theorem more_users {X Y} : forall (R0 : X -> law (list Y)) (N M : nat) (eps delta : R), algorithm R0 -> (0 < N <= M)%nat ->
  private_on N eps delta (view R0) -> private_on M eps delta (view R0).
Proof.
  intros R0 N M eps delta A NM H x x' L [u [a [b [v [Q1 Q2]]]]].
  set (w1 := firstn (N - 1) (u ++ v)). set (w2 := skipn (N - 1) (u ++ v)).
  assert (W : forall c, Permutation ((c :: w1) ++ w2) (u ++ c :: v)).
  { intro c. cbn [app]. unfold w1, w2. rewrite firstn_skipn. apply Permutation_middle. }
  assert (LW : length (a :: w1) = N).
  { cbn [length]. unfold w1. rewrite firstn_length. subst x. rewrite app_length in L. cbn [length] in L. rewrite app_length. lia. }
  pose proof (dropout_is_worst_holds X Y N eps delta R0 (messages R0 w2) A (proper_messages R0 w2 A) H (a :: w1) (b :: w1) LW
    (ex_intro _ [] (ex_intro _ a (ex_intro _ b (ex_intro _ w1 (conj eq_refl eq_refl)))))) as Q.
  assert (S : forall c, same_law (bind (messages R0 (c :: w1)) (fun l => bind (messages R0 w2) (fun r => shuffle (l ++ r)))) (view R0 (u ++ c :: v))).
  { intros c F BF. rewrite <- (view_perm R0 _ _ F (W c)). apply E_slices; intro k. unfold view. rewrite !slice_bind, !messages_at.
    rewrite Transformation.E_messages_app. apply Law.E_ext; intro l. rewrite slice_bind, messages_at. reflexivity. }
  subst x x'. apply (close_same eps delta _ _ _ _ (S a) (S b) Q).
Qed.

Lemma neighbours_nonempty {X} : forall x x' : list X, neighbours x x' -> (0 < length x)%nat.
Proof. intros x x' [u [a [b [v [Q _]]]]]. subst. rewrite app_length. cbn [length]. lia. Qed.

(* ---- Algorithm de-transformation ---- *)
Theorem de_transformation_at_most : forall (C X Y Z : Type) (P : protocol C X Y Z) (one : X) (third : nat) (eps delta : R),
  shuffle_protocol P ->
  (forall c, private_on (third + 1) eps delta (view (randomizer P (3 * third) c))) ->
  pan_private third eps delta (Q_DE P (3 * third) (repeat one third)).
Proof.
  intros C X Y Z P one third eps delta PP H t x x' L NB. set (n := (3 * third)%nat) in *. set (dummies := repeat one third).
  assert (LD : length dummies = third) by apply repeat_length.
  apply (close_same eps delta _ _ _ _ (intruder_batches P n dummies t x) (intruder_batches P n dummies t x')).
  assert (VP : forall c w, proper (view (randomizer P n c) w)) by (intros; apply proper_view, (PP n)).
  assert (LP : forall c I l, proper (later P n c I l)) by (intros; apply later_proper; auto).
  assert (BI : forall c I w, proper (bind (view (randomizer P n c) w) (later P n c I))) by (intros; apply proper_bind; auto).
  assert (BB : forall c w w', proper (bind (view (randomizer P n c) w) (fun I => bind (view (randomizer P n c) w') (later P n c I)))).
  { intros. apply proper_bind; auto. }
  assert (RA : forall c w w', (third + 1 <= length w)%nat -> neighbours w w' ->
            close eps delta (view (randomizer P n c) w) (view (randomizer P n c) w')).
  { intros c w w' Lw Nw. apply (more_users (randomizer P n c) (third + 1) (length w)); auto; [apply (PP n) | lia]. }
  unfold batches. apply mixture_close; auto; [apply (PP n)|]. intro c.
  destruct (Transformation.neighbours_split x x' t NB) as [[E1 N1]|[N1 E1]]; pose proof (neighbours_nonempty _ _ N1) as NE; rewrite E1.
  - apply mixture_close; auto. intro I. apply post_processing; auto.
    apply RA; [rewrite app_length; lia | apply Transformation.neighbours_app_r; auto].
  - apply post_processing; auto. apply RA; [rewrite app_length; lia | apply Transformation.neighbours_app_l; auto].
Qed.

Lemma P_DE_runs {X} : forall (U : universe X) (eps0 : R) (m : nat -> nat), 0 < eps0 -> (forall n, (0 < m n)%nat) -> shuffle_protocol (P_DE U eps0 m).
Proof.
  intros U eps0 m E0 M n. cbn [coins randomizer analyzer P_DE]. split; [apply proper_point|]. intro c. split.
  - rewrite R_DE_by_holding. apply proper_randomize. apply by_holding_proper; apply proper_shares_of; auto using p'_range; lra.
  - intro y. apply proper_point.
Qed.

(* Q_P of P_DE: at most the worst pair of n/3 + 1 users. *)
Theorem pan_distinct_elements_at_most : forall (X : Type) (U : universe X) (one : X) (m : nat -> nat) (third : nat) (eps0 eps delta : R),
  0 < eps0 -> (forall n, (0 < m n)%nat) -> 0 <= eps -> 0 <= delta -> (2 <= length (elements U))%nat ->
  (forall CA CB, background (length (elements U)) (third + 1) CA CB ->
     distinct_pair (m (3 * third)%nat) (3 * third) (third + 1) eps0 eps delta CA CB) ->
  pan_private third eps delta (Q_DE (P_DE U eps0 m) (3 * third) (repeat one third)).
Proof.
  intros X U one m third eps0 eps delta E0 M He Hd Hk H. apply de_transformation_at_most; [apply P_DE_runs; auto|].
  intro c. cbn [randomizer P_DE]. apply distinct_elements_worst_neighbour; auto.
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
