(* Lemma de-transformation and Algorithm de-transformation.

   "Initialize internal state I_0 <- (S o R^{n/3})(1, ..., 1); For i in [n/3]: Set I_i <- S(I_{i-1}, R(x_i));
    Set final state y <- S(I_{n/3}, R^{n/3}(1, ..., 1)); Return A(y)."
   "Suppose there exists a protocol P = (R,A) that is (eps, delta, 1/3)-robustly shuffle private and solves the
    (alpha,beta)-distinct elements problem on input length n.  Then Q_P is an (eps, delta)-pan-private algorithm that
    solves the (alpha+1,beta)-distinct elements problem on input length n/3."

   Proved for n = 3 third, every intrusion time t and every protocol with finite laws. *)
From Coq Require Import Reals Lra List Bool Permutation Lia.
From PanshuffleKernel Require Import Law Closeness Shuffle Messages ShuffleModel Online.
Import ListNotations.
Open Scope R_scope.

Lemma E_messages_app {X Y} : forall (randomize : randomizer X Y) x y F,
  E (messages randomize (x ++ y)) F = E (messages randomize x) (fun l => E (messages randomize y) (fun r => F (l ++ r))).
Proof.
  intros randomize x y. unfold messages. induction x as [|a x IH]; intro F; simpl map; cbn [concatenated app].
  - rewrite E_point. reflexivity.
  - rewrite !E_join. apply E_ext; intro l. rewrite IH. apply E_ext; intro m. apply E_ext; intro r.
    rewrite app_assoc. reflexivity.
Qed.

Lemma E_messages_one {X Y} : forall (randomize : randomizer X Y) a F, E (messages randomize [a]) F = E (randomize a) F.
Proof.
  intros. unfold messages. simpl. rewrite E_join. apply E_ext; intro l. rewrite E_point, app_nil_r. reflexivity.
Qed.

Lemma E_view {X Y} : forall (randomize : randomizer X Y) x F,
  E (view randomize x) F = E (messages randomize x) (fun l => E (shuffle l) F).
Proof. intros. unfold view. rewrite E_bind. reflexivity. Qed.

Lemma E_view_order_free {X Y} : forall (randomize : randomizer X Y) x F, order_free F ->
  E (view randomize x) F = E (messages randomize x) F.
Proof. intros. apply order_free_shuffle; auto. Qed.

(* A shuffle is forgotten by the shuffle after it. *)
Lemma shuffle_again {Y} : forall (l r : list Y) F,
  E (shuffle l) (fun s => E (shuffle (s ++ r)) F) = E (shuffle (l ++ r)) F.
Proof.
  intros l r F. rewrite (E_ext_in (shuffle l) _ (fun _ => E (shuffle (l ++ r)) F)); [apply E_const, proper_shuffle|].
  intros p Hp. apply shuffle_perm. apply Permutation_app_tail. apply Permutation_sym, shuffle_support; auto.
Qed.

Lemma order_free_shuffled {Y} : forall (I : list Y) F, order_free (fun r => E (shuffle (I ++ r)) F).
Proof. intros I F r r' H. apply shuffle_perm. apply Permutation_app_head; auto. Qed.

(* The algorithm Q_P for one randomizer R. *)
Definition initial_state {X Y} (randomize : randomizer X Y) (ones : list X) : law (list Y) := view randomize ones.
Definition add_element {X Y} (randomize : randomizer X Y) (a : X) (I : list Y) : law (list Y) :=
  bind (randomize a) (fun r => shuffle (I ++ r)).
Definition final_output {X Y Z} (randomize : randomizer X Y) (analyze : list Y -> law Z) (ones : list X) (I : list Y)
  : law Z := bind (bind (messages randomize ones) (fun r => shuffle (I ++ r))) analyze.

Section Stream.
Variables X Y Z : Type.
Variable randomize : randomizer X Y.
Variable analyze : list Y -> law Z.

Lemma E_add : forall a I F, E (add_element randomize a I) F = E (randomize a) (fun r => E (shuffle (I ++ r)) F).
Proof. intros. unfold add_element. apply E_bind. Qed.

(* The state after some elements is the shuffled messages of all of them. *)
Lemma state_is_view : forall x u F,
  E (bind (view randomize u) (process (add_element randomize) x)) F = E (view randomize (u ++ x)) F.
Proof.
  induction x as [|a x IH]; intros u F.
  - rewrite E_bind, app_nil_r. apply E_ext; intro s. simpl. ring.
  - replace (u ++ a :: x) with ((u ++ [a]) ++ x) by (rewrite <- app_assoc; reflexivity).
    rewrite <- IH, !E_bind. set (G := fun s => E (process (add_element randomize) x s) F).
    assert (S1 : forall s, E (process (add_element randomize) (a :: x) s) F = E (add_element randomize a s) G)
      by (intro s; simpl; rewrite E_bind; reflexivity).
    rewrite (E_ext _ _ _ S1), !E_view, E_messages_app. apply E_ext; intro l. rewrite E_messages_one.
    rewrite (E_ext (shuffle l) _ (fun s => E (randomize a) (fun r => E (shuffle (s ++ r)) G))) by (intro; apply E_add).
    rewrite E_swap. apply E_ext; intro r. apply shuffle_again.
Qed.

(* What is added after a state, for a reader who ignores order. *)
Lemma process_adds : forall x I F, order_free F ->
  E (process (add_element randomize) x I) F = E (messages randomize x) (fun r => F (I ++ r)).
Proof.
  induction x as [|a x IH]; intros I F HF.
  - simpl. rewrite app_nil_r. ring.
  - change (process (add_element randomize) (a :: x) I)
      with (bind (add_element randomize a I) (process (add_element randomize) x)).
    rewrite E_bind, E_add. change (a :: x) with ([a] ++ x). rewrite E_messages_app, E_messages_one.
    apply E_ext; intro r.
    set (G := fun J => E (messages randomize x) (fun q => F (J ++ q))).
    assert (HG : order_free G) by (intros J J' P0; apply E_ext; intro q; apply HF, Permutation_app_tail; auto).
    rewrite (E_ext _ _ G) by (intro J; apply IH; auto).
    rewrite (E_ext_in (shuffle (I ++ r)) G (fun _ => G (I ++ r))).
    + rewrite E_const by apply proper_shuffle. unfold G. apply E_ext; intro q. rewrite app_assoc. reflexivity.
    + intros p Hp. apply HG, Permutation_sym, shuffle_support; auto.
Qed.

(* The probability of an output, given the state I and the later messages r. *)
Definition reading (F : list Y -> Z -> R) (I r : list Y) : R := E (shuffle (I ++ r)) (fun y => E (analyze y) (F I)).

Lemma intruder_view_split : forall ones t x F,
  E (intruder_view (initial_state randomize ones) (add_element randomize) (final_output randomize analyze ones) t x)
    (fun v => F (fst v) (snd v))
  = E (view randomize (ones ++ firstn t x)) (fun I => E (view randomize (skipn t x ++ ones)) (reading F I)).
Proof.
  intros ones t x F. unfold intruder_view. rewrite E_bind. unfold state_after, initial_state.
  rewrite state_is_view. apply E_ext; intro I.
  rewrite E_view_order_free by (apply order_free_shuffled). rewrite E_messages_app.
  rewrite !E_bind. rewrite (process_adds (skipn t x) I).
  - apply E_ext; intro r1. unfold final_output. rewrite !E_bind. apply E_ext; intro r2. unfold reading.
    rewrite <- app_assoc. apply E_ext; intro y. apply E_ext; intro z. rewrite !E_point. reflexivity.
  - intros J J' P0. unfold final_output. rewrite !E_bind. apply E_ext; intro r. apply shuffle_perm.
    apply Permutation_app_tail; auto.
Qed.

Hypothesis randomize_proper : forall a, proper (randomize a).
Hypothesis analyze_proper : forall y, proper (analyze y).

Lemma reading_01 : forall F I r, (forall z, 0 <= F I z <= 1) -> 0 <= reading F I r <= 1.
Proof.
  intros F I r B. unfold reading.
  assert (M : forall A (d : law A) g, proper d -> (forall a, 0 <= g a <= 1) -> 0 <= E d g <= 1).
  { intros A d g H G. split.
    - rewrite <- (E_const d 0 H). apply E_le; [apply H | apply G].
    - rewrite <- (E_const d 1 H). apply E_le; [apply H | apply G]. }
  apply M; [apply proper_shuffle | intro y; apply M; auto].
Qed.
End Stream.

Lemma E_01 {A} : forall (d : law A) g, proper d -> (forall a, 0 <= g a <= 1) -> 0 <= E d g <= 1.
Proof.
  intros d g H G. split.
  - rewrite <- (E_const d 0 H). apply E_le; [apply H | apply G].
  - rewrite <- (E_const d 1 H). apply E_le; [apply H | apply G].
Qed.

(* An inequality for every outcome of an independent first draw. *)
Lemma E_le_affine {A} : forall (d : law A) f g c delta, proper d -> (forall a, f a <= c * g a + delta) ->
  E d f <= c * E d g + delta.
Proof.
  intros d f g c delta H B. rewrite <- E_mult, <- (E_const d delta H) at 1. rewrite <- E_plus.
  apply E_le; [apply H | apply B].
Qed.

(* Where a changed element falls: after the intrusion, or before it. *)
Lemma neighbours_split {X} : forall (x x' : list X) t, neighbours x x' ->
  (firstn t x = firstn t x' /\ neighbours (skipn t x) (skipn t x'))
  \/ (neighbours (firstn t x) (firstn t x') /\ skipn t x = skipn t x').
Proof.
  intros x x' t [u [a [b [v [H H']]]]]. subst. destruct (Nat.le_gt_cases t (length u)) as [L|L].
  - left. rewrite !firstn_app, !skipn_app. replace (t - length u)%nat with 0%nat by lia. simpl. split; [reflexivity|].
    exists (skipn t u), a, b, v. auto.
  - right. rewrite !firstn_app, !skipn_app, !firstn_all2, !skipn_all2 by lia.
    destruct (t - length u)%nat eqn:Z; [lia|]. simpl. split; [|reflexivity].
    exists u, a, b, (firstn n v). auto.
Qed.

Lemma neighbours_app_l {X} : forall (u x x' : list X), neighbours x x' -> neighbours (u ++ x) (u ++ x').
Proof. intros u x x' [p [a [b [q [H H']]]]]. subst. exists (u ++ p), a, b, q. rewrite <- !app_assoc. auto. Qed.
Lemma neighbours_app_r {X} : forall (u x x' : list X), neighbours x x' -> neighbours (x ++ u) (x' ++ u).
Proof. intros u x x' [p [a [b [q [H H']]]]]. subst. exists p, a, b, (q ++ u). rewrite <- !app_assoc. auto. Qed.

Section Privacy.
Variables X Y Z : Type.
Variable randomize : nat -> randomizer X Y.
Variable analyze : list Y -> law Z.
Variable eps delta : R.
Hypothesis randomize_proper : forall n a, proper (randomize n a).
Hypothesis analyze_proper : forall y, proper (analyze y).
Hypothesis robust : robustly_shuffle_private randomize eps delta (1 / 3).
Variable third : nat.
Hypothesis third_pos : (0 < third)%nat.

(* At least n/3 users and at most n run R. *)
Lemma robust_at : forall u u', (third <= length u <= 3 * third)%nat -> neighbours u u' ->
  close eps delta (view (randomize (3 * third)) u) (view (randomize (3 * third)) u').
Proof.
  intros u u' L N. apply (robust (3 * third)%nat (length u)); auto; [lia|].
  rewrite mult_INR. simpl (INR 3). assert (INR third <= INR (length u)) by (apply le_INR; lia). lra.
Qed.

(* Any reading of (I_t, output), with users d0 before the stream and d1 after it. *)
Lemma two_views_close : forall d0 d1 e0 e1 x x' t F, (forall I z, 0 <= F I z <= 1) ->
  (third <= length d0)%nat -> (third <= length d1)%nat -> d0 = e0 -> d1 = e1 ->
  (length d0 + length (firstn t x) <= 3 * third)%nat -> (length (skipn t x) + length d1 <= 3 * third)%nat ->
  neighbours x x' ->
  E (view (randomize (3 * third)) (d0 ++ firstn t x)) (fun I =>
    E (view (randomize (3 * third)) (skipn t x ++ d1)) (reading Y Z analyze F I))
  <= exp eps * E (view (randomize (3 * third)) (e0 ++ firstn t x')) (fun I =>
    E (view (randomize (3 * third)) (skipn t x' ++ e1)) (reading Y Z analyze F I)) + delta.
Proof.
  intros d0 d1 e0 e1 x x' t F B L0 L1 H0 H1 M0 M1 N. subst e0 e1.
  assert (PV : forall u, proper (view (randomize (3 * third)) u)) by (intro; apply proper_view; auto).
  assert (R01 : forall I r, 0 <= reading Y Z analyze F I r <= 1) by (intros; apply reading_01; auto).
  destruct (neighbours_split x x' t N) as [[S1 S2]|[S1 S2]].
  - rewrite S1. apply E_le_affine; [apply PV|]. intro I.
    apply (close_fun eps delta); [|apply R01]. apply robust_at; [rewrite app_length; lia | apply neighbours_app_r; auto].
  - rewrite S2.
    assert (C : close eps delta (view (randomize (3 * third)) (d0 ++ firstn t x))
       (view (randomize (3 * third)) (d0 ++ firstn t x')))
      by (apply robust_at; [rewrite app_length; lia | apply neighbours_app_l; auto]).
    apply (close_fun eps delta _ _ C
      (fun I => E (view (randomize (3 * third)) (skipn t x' ++ d1)) (reading Y Z analyze F I))).
    intro I. apply E_01; auto.
Qed.

Theorem de_transformation_private : forall one : X,
  pan_private third eps delta
    (initial_state (randomize (3 * third)) (repeat one third))
    (add_element (randomize (3 * third)))
    (final_output (randomize (3 * third)) analyze (repeat one third)).
Proof.
  intros one t x x' L N T. unfold Pr.
  set (F := fun I z => indicator (T (I, z))).
  assert (W : forall y, E (intruder_view (initial_state (randomize (3 * third)) (repeat one third))
      (add_element (randomize (3 * third))) (final_output (randomize (3 * third)) analyze (repeat one third)) t y)
      (fun v => indicator (T v)) =
    E (view (randomize (3 * third)) (repeat one third ++ firstn t y)) (fun I =>
      E (view (randomize (3 * third)) (skipn t y ++ repeat one third)) (reading Y Z analyze F I))).
  { intro y. rewrite <- intruder_view_split. apply E_ext; intros [I z]. reflexivity. }
  rewrite !W. pose proof (firstn_length t x). pose proof (skipn_length t x).
  apply two_views_close; auto; try (rewrite repeat_length; lia).
  intros; apply indicator_01.
Qed.
End Privacy.

(* D(x), the number of distinct elements, and the problem of counting them. *)
Definition distinct {X} (same : forall a b : X, {a = b} + {a <> b}) (x : list X) : nat := length (nodup same x).

Definition within (alpha : R) (truth z : R) : bool := if Rle_dec (Rabs (z - truth)) alpha then true else false.

(* "for all x in [k]^n, P[|M(x) - D(x)| <= alpha] >= 1 - beta". *)
Definition solves_distinct {X} (same : forall a b : X, {a = b} + {a <> b}) (n : nat) (alpha beta : R)
  (M : list X -> law R) :=
  forall x, length x = n -> 1 - beta <= Pr (M x) (within alpha (INR (distinct same x))).

(* P(x) = A(S(R(x_1), ..., R(x_n))). *)
Definition execution {X Y Z} (randomize : randomizer X Y) (analyze : list Y -> law Z) (x : list X) : law Z :=
  bind (view randomize x) analyze.

Lemma transformed_output {X Y Z} : forall (randomize : randomizer X Y) (analyze : list Y -> law Z) ones x,
  same_law (output_of (initial_state randomize ones) (add_element randomize) (final_output randomize analyze ones) x)
    (execution randomize analyze (ones ++ x ++ ones)).
Proof.
  intros randomize analyze ones x f. unfold output_of, execution, state_after, initial_state.
  rewrite E_bind, state_is_view, app_assoc, E_bind, !E_view, (E_messages_app randomize (ones ++ x) ones).
  apply E_ext; intro l. unfold final_output.
  rewrite (E_ext (shuffle l) _ (fun s => E (messages randomize ones) (fun r => E (shuffle (s ++ r)) (fun y => E (analyze y) f)))).
  - rewrite E_swap. apply E_ext; intro r. apply shuffle_again.
  - intro s. rewrite !E_bind. reflexivity.
Qed.

Lemma distinct_with_dummies {X} : forall (same : forall a b : X, {a = b} + {a <> b}) one m x,
  (distinct same x <= distinct same (repeat one m ++ x ++ repeat one m) <= distinct same x + 1)%nat.
Proof.
  intros same one m x. unfold distinct. split.
  - apply NoDup_incl_length; [apply NoDup_nodup|]. intros a Ha. apply nodup_In in Ha. apply nodup_In.
    apply in_or_app; right; apply in_or_app; auto.
  - replace (length (nodup same x) + 1)%nat with (length (one :: nodup same x)) by (simpl; lia).
    apply NoDup_incl_length; [apply NoDup_nodup|]. intros a Ha. apply nodup_In in Ha.
    apply in_app_or in Ha. destruct Ha as [Ha|Ha]; [left; symmetry; eapply repeat_spec; eauto|].
    apply in_app_or in Ha. destruct Ha as [Ha|Ha]; [right; apply nodup_In; auto | left; symmetry; eapply repeat_spec; eauto].
Qed.

(* Lemma de-transformation, both halves. *)
Theorem de_transformation :
  forall (X Y : Type) (same : forall a b : X, {a = b} + {a <> b}) (randomize : nat -> randomizer X Y)
         (analyze : list Y -> law R) (one : X) (eps delta alpha beta : R) (third : nat),
  (forall n a, proper (randomize n a)) -> (forall y, proper (analyze y)) -> (0 < third)%nat ->
  robustly_shuffle_private randomize eps delta (1 / 3) ->
  solves_distinct same (3 * third) alpha beta (execution (randomize (3 * third)%nat) analyze) ->
  let initial := initial_state (randomize (3 * third)%nat) (repeat one third) in
  let update := add_element (randomize (3 * third)%nat) in
  let output := final_output (randomize (3 * third)%nat) analyze (repeat one third) in
  pan_private third eps delta initial update output
  /\ solves_distinct same third (alpha + 1) beta (output_of initial update output).
Proof.
  intros X Y same randomize analyze one eps delta alpha beta third HR HA Ht HP HS initial update output.
  split; [apply de_transformation_private; auto|].
  intros x L. specialize (HS (repeat one third ++ x ++ repeat one third)).
  rewrite !app_length, !repeat_length in HS. specialize (HS ltac:(lia)).
  apply Rle_trans with (1 := HS). unfold Pr, output_of, initial, update, output.
  rewrite (transformed_output (randomize (3 * third)%nat) analyze (repeat one third) x).
  apply E_le; [apply proper_bind; auto; apply proper_view; auto|]. intro z. unfold within.
  pose proof (distinct_with_dummies same one third x) as [D1 D2]. apply le_INR in D1. apply le_INR in D2.
  rewrite plus_INR in D2. simpl (INR 1) in D2.
  set (d := INR (distinct same x)) in *. set (w := INR (distinct same (repeat one third ++ x ++ repeat one third))) in *.
  destruct (Rle_dec (Rabs (z - w)) alpha) as [B|B]; [|apply indicator_01].
  destruct (Rle_dec (Rabs (z - d)) (alpha + 1)) as [C|C]; [simpl; lra|]. exfalso. apply C.
  replace (z - d) with ((z - w) + (w - d)) by ring.
  apply Rle_trans with (Rabs (z - w) + Rabs (w - d)); [apply Rabs_triang|].
  rewrite (Rabs_right (w - d)) by lra. lra.
Qed.
