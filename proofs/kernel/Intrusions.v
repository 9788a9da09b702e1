(* Section 2.2, a footnote: several intrusions.

   "pan-privacy against multiple internal state intrusions collapses to the much stronger notion of local privacy."

   Proved for delta = 0: if the states before and after each element are eps-private together, every element is put through an eps-private
   randomizer that the state before chooses; and if every element is, the whole sequence of states is eps-private, and so is the output. *)
From Coq Require Import Reals Lra Lia List Bool.
From PanshuffleKernel Require Import Law Closeness PostProcessing Online Transformation.
Import ListNotations.
Open Scope R_scope.

Section Intrusions.
Variables X State : Type.
Variable same : forall s t : State, {s = t} + {s <> t}.
Variable initial : law State.
Variable update : X -> State -> law State.
Hypothesis initial_proper : proper initial.
Hypothesis update_proper : forall a s, proper (update a s).

(* The states after t and after t + 1 elements. *)
Definition two_states (t : nat) (x : list X) : law (State * State) :=
  bind (state_after initial update (firstn t x)) (fun s =>
  bind (process update (firstn 1 (skipn t x)) s) (fun s' => point (s, s'))).

(* All states, from the first to the last. *)
Fixpoint transcript (x : list X) (s : State) : law (list State) :=
  match x with [] => point [s] | a :: x => bind (update a s) (fun s' => bind (transcript x s') (fun l => point (s :: l))) end.
Definition all_states (x : list X) : law (list State) := bind initial (transcript x).

Definition is_state (s t : State) : bool := if same s t then true else false.

Theorem two_intrusions_local : forall (eps : R) (n : nat), (forall t, private_on n eps 0 (two_states t)) ->
  forall (u : list X) (s : State), (length u < n)%nat -> 0 < Pr (state_after initial update u) (is_state s) ->
  forall a b, close eps 0 (update a s) (update b s).
Proof.
  intros eps n H u s L W a b T. set (v := repeat a (n - length u - 1)). set (t := length u).
  assert (F : forall c, firstn t (u ++ c :: v) = u) by (intro c; unfold t; rewrite firstn_app, Nat.sub_diag, firstn_all; simpl; apply app_nil_r).
  assert (S : forall c, firstn 1 (skipn t (u ++ c :: v)) = [c]) by (intro c; unfold t; rewrite skipn_app, Nat.sub_diag, skipn_all; reflexivity).
  assert (C : close eps 0 (two_states t (u ++ a :: v)) (two_states t (u ++ b :: v))).
  { apply H; [rewrite app_length; cbn [length]; unfold v; rewrite repeat_length; lia|]. exists u, a, b, v. auto. }
  specialize (C (fun st => is_state s (fst st) && T (snd st))).
  assert (V : forall c, Pr (two_states t (u ++ c :: v)) (fun st => is_state s (fst st) && T (snd st))
    = Pr (update c s) T * Pr (state_after initial update u) (is_state s)).
  { intro c. unfold Pr, two_states. rewrite F, S, E_bind, <- E_mult. apply E_ext; intro s0. cbn [process]. rewrite !E_bind.
    rewrite (E_ext (update c s0) _ (fun s' => indicator (is_state s s0 && T s'))) by (intro s'; rewrite E_point, E_point; reflexivity).
    unfold is_state. destruct (same s s0) as [e|e].
    - subst s0. cbn [andb indicator]. ring.
    - cbn [andb indicator]. rewrite (E_const _ _ (update_proper c s0)). ring. }
  rewrite !V in C. apply Rmult_le_reg_r with (Pr (state_after initial update u) (is_state s)); auto. lra.
Qed.

Lemma proper_transcript : forall x s, proper (transcript x s).
Proof.
  induction x as [|a x IH]; intro s; cbn [transcript]; [apply proper_point|].
  apply proper_bind; auto. intro s'. apply proper_bind; auto. intro; apply proper_point.
Qed.

Theorem local_all_states : forall (eps : R) (n : nat), (forall a b s, close eps 0 (update a s) (update b s)) ->
  private_on n eps 0 all_states.
Proof.
  intros eps n H x x' _ [u [a [b [v [Hx Hx']]]]] T. subst x x'. unfold all_states, Pr. rewrite !E_bind, Rplus_0_r, <- E_mult.
  apply E_le; [apply initial_proper|]. intro s.
  assert (G : forall u s (F : list State -> R), (forall l, 0 <= F l <= 1) -> E (transcript (u ++ a :: v) s) F <= exp eps * E (transcript (u ++ b :: v) s) F).
  { clear u s. induction u as [|c u IH]; intros s F HF; cbn [app transcript]; rewrite !E_bind.
    - pose proof (close_fun eps 0 _ _ (H a b s) (fun s' => E (bind (transcript v s') (fun l => point (s :: l))) F)) as C.
      rewrite Rplus_0_r in C. apply C. intro s'. apply E_01; auto. apply proper_bind; [apply proper_transcript | intro; apply proper_point].
    - rewrite <- E_mult. apply E_le; [apply update_proper|]. intro s'. rewrite !E_bind.
      apply (IH s' (fun l => E (point (s :: l)) F)). intro l. rewrite E_point. auto. }
  apply G. intro l. apply indicator_01.
Qed.

(* The output, too: a random function of the last state. *)
Corollary local_output : forall (Z : Type) (output : list State -> law Z) (eps : R) (n : nat), (forall l, proper (output l)) ->
  (forall a b s, close eps 0 (update a s) (update b s)) -> private_on n eps 0 (fun x => bind (all_states x) output).
Proof. intros Z output eps n HO H x x' L N. apply post_processing; auto. apply (local_all_states eps n H); auto. Qed.
End Intrusions.
