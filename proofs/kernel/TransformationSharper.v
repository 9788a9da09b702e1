(* Beside Lemma de-transformation: taking 1/2 off the output halves the loss of accuracy.

   "If P solves the (alpha, beta)-distinct elements problem on length n, Q_P with 1/2 taken off its output solves the
    (alpha + 1/2, beta)-problem on length n/3, with the same privacy."

   Proved for every n, with n/3 rounded down before and after the stream. *)
From Coq Require Import Reals Lra List Bool Permutation Lia.
From PanshuffleKernel Require Import Law Closeness PostProcessing Shuffle Messages ShuffleModel Online Transformation TransformationAny.
Import ListNotations.
Open Scope R_scope.

(* Fact post for online algorithms: a random function of the output. *)
Theorem pan_private_post {X State Z Z'} : forall n eps delta (initial : law State) (update : X -> State -> law State)
  (output : State -> law Z) (k : Z -> law Z'), (forall z, proper (k z)) ->
  pan_private n eps delta initial update output -> pan_private n eps delta initial update (fun s => bind (output s) k).
Proof.
  intros n eps delta initial update output k K H t x x' L N.
  pose proof (post_processing eps delta _ _ (fun v => bind (k (snd v)) (fun z => point (fst v, z)))
    (fun v => proper_bind _ _ (K (snd v)) (fun z => proper_point _)) (H t x x' L N)) as P.
  revert P. apply close_same; intro f; unfold intruder_view; rewrite !E_bind; apply E_ext; intro s; rewrite !E_bind; apply E_ext; intro s';
    rewrite E_bind; apply E_ext; intro z; rewrite E_point; cbn [fst snd]; rewrite E_bind; apply E_ext; intro z'; rewrite !E_point; reflexivity.
Qed.

Theorem de_transformation_half :
  forall (X Y : Type) (same : forall a b : X, {a = b} + {a <> b}) (randomize : nat -> randomizer X Y)
         (analyze : list Y -> law R) (one : X) (eps delta alpha beta : R) (n : nat),
  (forall n a, proper (randomize n a)) -> (forall y, proper (analyze y)) ->
  robustly_shuffle_private randomize eps delta (1 / 3) ->
  solves_distinct same n alpha beta (execution (randomize n) analyze) ->
  let initial := initial_state (randomize n) (repeat one (n / 3)) in
  let update := add_element (randomize n) in
  let output := fun s => bind (final_output (randomize n) analyze (repeat one (n / 3)) s) (fun z => point (z - 1 / 2)) in
  pan_private (n - 2 * (n / 3)) eps delta initial update output
  /\ solves_distinct same (n - 2 * (n / 3)) (alpha + 1 / 2) beta (output_of initial update output).
Proof.
  intros X Y same randomize analyze one eps delta alpha beta n HR HA HP HS initial update output.
  (* an analyzer that takes 1/2 off, for the privacy *)
  pose proof (de_transformation_floor X Y same randomize analyze one eps delta alpha beta n HR HA HP HS) as [P _].
  split; [apply pan_private_post; [intro; apply proper_point | exact P]|].
  intros x L. set (third := (n / 3)%nat) in *. set (r := randomize n) in *.
  assert (LN : length (repeat one third ++ x ++ repeat one third) = n).
  { rewrite !app_length, !repeat_length, L. unfold third. pose proof (Nat.div_mod n 3 ltac:(lia)). pose proof (Nat.mod_upper_bound n 3 ltac:(lia)). lia. }
  specialize (HS (repeat one third ++ x ++ repeat one third) LN). eapply Rle_trans; [exact HS|]. unfold Pr.
  assert (O : forall f, E (output_of initial update output x) f = E (execution r analyze (repeat one third ++ x ++ repeat one third)) (fun z => f (z - 1 / 2))).
  { intro f. rewrite <- (transformed_output r analyze (repeat one third) x (fun z => f (z - 1 / 2))). unfold output_of, output. rewrite !E_bind.
    apply E_ext; intro s. rewrite E_bind. apply E_ext; intro z. apply E_point. }
  rewrite O. apply E_le; [apply proper_bind; auto; apply proper_view; intro; apply HR|]. intro z. unfold within.
  pose proof (distinct_with_dummies same one third x) as [D1 D2]. 
  assert (D : INR (distinct same (repeat one third ++ x ++ repeat one third)) = INR (distinct same x)
    \/ INR (distinct same (repeat one third ++ x ++ repeat one third)) = INR (distinct same x) + 1).
  { assert (C : (distinct same (repeat one third ++ x ++ repeat one third) = distinct same x \/ distinct same (repeat one third ++ x ++ repeat one third) = S (distinct same x))%nat) by lia.
    destruct C as [C|C]; rewrite C; [left; reflexivity | right; apply S_INR]. }
  set (d := INR (distinct same x)) in *. set (w := INR (distinct same (repeat one third ++ x ++ repeat one third))) in *.
  destruct (Rle_dec (Rabs (z - w)) alpha) as [B|B]; [|apply indicator_01].
  destruct (Rle_dec (Rabs (z - 1 / 2 - d)) (alpha + 1 / 2)) as [C|C]; [simpl; lra|]. exfalso. apply C.
  unfold Rabs in *. destruct (Rcase_abs _) in B; destruct (Rcase_abs _); destruct D; lra.
Qed.
