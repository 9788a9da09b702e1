(* Section 3.2, the remark after the transformation: n need not be a multiple of 3.

   "This construction assumes n is a multiple of 3, but this constraint can be removed by using n/3 rounded up and down where
    appropriate."

   Proved for every number of dummies before and after the stream that is at least n/3 - 1: the changed element makes up for the
   rounding.  So for n/3 rounded down twice, and rounded up before and down after the stream. *)
From Coq Require Import Reals Lra List Bool Permutation Lia.
From PanshuffleKernel Require Import Law Closeness Shuffle Messages ShuffleModel Online Transformation.
Import ListNotations.
Open Scope R_scope.

Lemma neighbours_nonempty {X} : forall x x' : list X, neighbours x x' -> (1 <= length x)%nat.
Proof. intros x x' [u [a [b [v [H _]]]]]. subst. rewrite app_length. simpl. lia. Qed.

(* Lemma de-transformation for dummies before and after a stream, n users in all. *)
Theorem de_transformation_any :
  forall (X Y : Type) (same : forall a b : X, {a = b} + {a <> b}) (randomize : nat -> randomizer X Y)
         (analyze : list Y -> law R) (one : X) (eps delta alpha beta : R) (before stream after : nat),
  (forall n a, proper (randomize n a)) -> (forall y, proper (analyze y)) ->
  let n := (before + stream + after)%nat in
  (n <= 3 * (before + 1))%nat -> (n <= 3 * (after + 1))%nat ->
  robustly_shuffle_private randomize eps delta (1 / 3) ->
  solves_distinct same n alpha beta (execution (randomize n) analyze) ->
  let initial := initial_state (randomize n) (repeat one before) in
  let update := add_element (randomize n) in
  let output := final_output (randomize n) analyze (repeat one after) in
  pan_private stream eps delta initial update output
  /\ solves_distinct same stream (alpha + 1) beta (output_of initial update output).
Proof.
  intros X Y same randomize analyze one eps delta alpha beta before stream after HR HA n HB HF HP HS initial update output.
  set (r := randomize n) in *.
  assert (PV : forall u, proper (view r u)) by (intro; apply proper_view; intro; apply HR).
  assert (RA : forall u u', (length u <= n)%nat -> (n <= 3 * length u)%nat -> neighbours u u' -> close eps delta (view r u) (view r u')).
  { intros u u' L1 L2 N. apply (HP n (length u)); auto.
    - pose proof (neighbours_nonempty u u' N). lia.
    - apply le_INR in L2. rewrite mult_INR in L2. simpl (INR 3) in L2. lra. }
  assert (SPLIT : forall t x F,
    E (intruder_view initial update output t x) (fun v => F (fst v) (snd v))
    = E (view r (repeat one before ++ firstn t x)) (fun I => E (view r (skipn t x ++ repeat one after)) (reading Y R analyze F I))).
  { intros t x F. unfold intruder_view, state_after, initial, initial_state, update, output. rewrite E_bind, state_is_view. apply E_ext; intro I.
    rewrite E_view_order_free by (apply order_free_shuffled). rewrite E_messages_app.
    rewrite !E_bind. rewrite (process_adds X Y r (skipn t x) I).
    - apply E_ext; intro r1. unfold final_output. rewrite !E_bind. apply E_ext; intro r2. unfold reading.
      rewrite <- app_assoc. apply E_ext; intro y. apply E_ext; intro z. rewrite !E_point. reflexivity.
    - intros J J' P0. unfold final_output. rewrite !E_bind. apply E_ext; intro q. apply shuffle_perm.
      apply Permutation_app_tail; auto. }
  split.
  - intros t x x' L N T. unfold Pr. set (F := fun I z => indicator (T (I, z))).
    assert (W : forall y, E (intruder_view initial update output t y) (fun v => indicator (T v))
      = E (view r (repeat one before ++ firstn t y)) (fun I => E (view r (skipn t y ++ repeat one after)) (reading Y R analyze F I))).
    { intro y. rewrite <- SPLIT. apply E_ext; intros [I z]. reflexivity. }
    rewrite !W. assert (B : forall I z, 0 <= F I z <= 1) by (intros; apply indicator_01).
    assert (R01 : forall I q, 0 <= reading Y R analyze F I q <= 1) by (intros; apply reading_01; auto).
    pose proof (firstn_length t x) as L1. pose proof (skipn_length t x) as L2.
    destruct (neighbours_split x x' t N) as [[S1 S2]|[S1 S2]].
    + rewrite S1. apply E_le_affine; [apply PV|]. intro I. pose proof (neighbours_nonempty _ _ S2).
      apply (close_fun eps delta); [|apply R01]. apply RA; [| |apply neighbours_app_r; auto]; rewrite app_length, repeat_length; lia.
    + rewrite S2. pose proof (neighbours_nonempty _ _ S1).
      assert (C : close eps delta (view r (repeat one before ++ firstn t x)) (view r (repeat one before ++ firstn t x')))
        by (apply RA; [| |apply neighbours_app_l; auto]; rewrite app_length, repeat_length; lia).
      apply (close_fun eps delta _ _ C (fun I => E (view r (skipn t x' ++ repeat one after)) (reading Y R analyze F I))).
      intro I. apply E_01; auto.
  - intros x L. specialize (HS (repeat one before ++ x ++ repeat one after)).
    rewrite !app_length, !repeat_length in HS. specialize (HS ltac:(unfold n; lia)).
    apply Rle_trans with (1 := HS). unfold Pr.
    assert (O : forall f, E (output_of initial update output x) f
      = E (execution r analyze (repeat one before ++ x ++ repeat one after)) f).
    { intro f. unfold output_of, execution, state_after, initial, initial_state, update, output.
      rewrite E_bind, state_is_view, app_assoc, E_bind, !E_view, (E_messages_app r (repeat one before ++ x) (repeat one after)).
      apply E_ext; intro l. unfold final_output.
      rewrite (E_ext (shuffle l) _ (fun s => E (messages r (repeat one after)) (fun q => E (shuffle (s ++ q)) (fun y => E (analyze y) f)))).
      - rewrite E_swap. apply E_ext; intro q. apply shuffle_again.
      - intro s. rewrite !E_bind. reflexivity. }
    rewrite O. apply E_le; [apply proper_bind; auto; apply proper_view; auto|]. intro z. unfold within.
    assert (D : (distinct same x <= distinct same (repeat one before ++ x ++ repeat one after) <= distinct same x + 1)%nat).
    { unfold distinct. split.
      - apply NoDup_incl_length; [apply NoDup_nodup|]. intros a Ha. apply nodup_In in Ha. apply nodup_In.
        apply in_or_app; right; apply in_or_app; auto.
      - replace (length (nodup same x) + 1)%nat with (length (one :: nodup same x)) by (simpl; lia).
        apply NoDup_incl_length; [apply NoDup_nodup|]. intros a Ha. apply nodup_In in Ha.
        apply in_app_or in Ha. destruct Ha as [Ha|Ha]; [left; symmetry; eapply repeat_spec; eauto|].
        apply in_app_or in Ha. destruct Ha as [Ha|Ha]; [right; apply nodup_In; auto | left; symmetry; eapply repeat_spec; eauto]. }
    destruct D as [D1 D2]. apply le_INR in D1. apply le_INR in D2.
    rewrite plus_INR in D2. simpl (INR 1) in D2.
    set (d := INR (distinct same x)) in *. set (w := INR (distinct same (repeat one before ++ x ++ repeat one after))) in *.
    destruct (Rle_dec (Rabs (z - w)) alpha) as [B|B]; [|apply indicator_01].
    destruct (Rle_dec (Rabs (z - d)) (alpha + 1)) as [C|C]; [simpl; lra|]. exfalso. apply C.
    replace (z - d) with ((z - w) + (w - d)) by ring.
    apply Rle_trans with (Rabs (z - w) + Rabs (w - d)); [apply Rabs_triang|].
    rewrite (Rabs_right (w - d)) by lra. lra.
Qed.

(* For every n: n/3 rounded down before and after, the stream has what is left, at least n/3. *)
Corollary de_transformation_floor :
  forall (X Y : Type) (same : forall a b : X, {a = b} + {a <> b}) (randomize : nat -> randomizer X Y)
         (analyze : list Y -> law R) (one : X) (eps delta alpha beta : R) (n : nat),
  (forall n a, proper (randomize n a)) -> (forall y, proper (analyze y)) ->
  robustly_shuffle_private randomize eps delta (1 / 3) ->
  solves_distinct same n alpha beta (execution (randomize n) analyze) ->
  let initial := initial_state (randomize n) (repeat one (n / 3)) in
  let update := add_element (randomize n) in
  let output := final_output (randomize n) analyze (repeat one (n / 3)) in
  pan_private (n - 2 * (n / 3)) eps delta initial update output
  /\ solves_distinct same (n - 2 * (n / 3)) (alpha + 1) beta (output_of initial update output).
Proof.
  intros X Y same randomize analyze one eps delta alpha beta n HR HA HP HS.
  pose proof (Nat.div_mod n 3 ltac:(lia)) as D. pose proof (Nat.mod_upper_bound n 3 ltac:(lia)) as M.
  assert (Q : (n / 3 + (n - 2 * (n / 3)) + n / 3 = n)%nat) by lia.
  pose proof (de_transformation_any X Y same randomize analyze one eps delta alpha beta (n / 3) (n - 2 * (n / 3)) (n / 3) HR HA) as T.
  cbv zeta in T. rewrite Q in T. apply T; auto; lia.
Qed.

(* n/3 rounded up before and down after the stream. *)
Corollary de_transformation_ceiling :
  forall (X Y : Type) (same : forall a b : X, {a = b} + {a <> b}) (randomize : nat -> randomizer X Y)
         (analyze : list Y -> law R) (one : X) (eps delta alpha beta : R) (n : nat),
  (forall n a, proper (randomize n a)) -> (forall y, proper (analyze y)) ->
  robustly_shuffle_private randomize eps delta (1 / 3) ->
  solves_distinct same n alpha beta (execution (randomize n) analyze) ->
  let up := ((n + 2) / 3)%nat in let down := (n / 3)%nat in
  let initial := initial_state (randomize n) (repeat one up) in
  let update := add_element (randomize n) in
  let output := final_output (randomize n) analyze (repeat one down) in
  pan_private (n - up - down) eps delta initial update output
  /\ solves_distinct same (n - up - down) (alpha + 1) beta (output_of initial update output).
Proof.
  intros X Y same randomize analyze one eps delta alpha beta n HR HA HP HS up down.
  assert (U : (n <= 3 * up <= n + 2)%nat).
  { unfold up. pose proof (Nat.div_mod (n + 2) 3 ltac:(lia)). pose proof (Nat.mod_upper_bound (n + 2) 3 ltac:(lia)). lia. }
  assert (D : (3 * down <= n <= 3 * down + 2)%nat).
  { unfold down. pose proof (Nat.div_mod n 3 ltac:(lia)). pose proof (Nat.mod_upper_bound n 3 ltac:(lia)). lia. }
  assert (Q : (up + (n - up - down) + down = n)%nat) by lia.
  pose proof (de_transformation_any X Y same randomize analyze one eps delta alpha beta up (n - up - down) down HR HA) as T.
  cbv zeta in T. rewrite Q in T. apply T; auto; lia.
Qed.
