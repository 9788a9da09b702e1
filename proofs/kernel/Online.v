(* Section 2.2, Definitions (Online Algorithm) and pan.

   "An online algorithm Q is defined by an internal algorithm Q_I and an output algorithm Q_O.  Q processes a stream of
    elements through repeated application of Q_I : X x I -> I ...  At the end of the stream, Q publishes a final output
    by executing Q_O on its final internal state."
   "We say Q is (eps,delta)-pan-private if, for every pair of neighboring streams x and x', every time t and every set
    of internal state, output state pairs T, P[(Q_I(x_{<=t}), Q_O(Q_I(x))) in T] <= e^eps P[(Q_I(x'_{<=t}),
    Q_O(Q_I(x'))) in T] + delta."

   The internal state and the output belong to one run: the run continues from the state that the intruder saw.
   Proved: a pan-private algorithm is centrally private ("By the output requirement, any pan-private algorithm also
   satisfies central differential privacy"). *)
From Coq Require Import Reals Lra List Bool.
From PanshuffleKernel Require Import Law Closeness PostProcessing.
Import ListNotations.
Open Scope R_scope.

(* Q_I, repeated over a stream, from a state. *)
Fixpoint process {X State} (update : X -> State -> law State) (x : list X) (state : State) : law State :=
  match x with [] => point state | a :: x => bind (update a state) (process update x) end.

(* Q_I(x). *)
Definition state_after {X State} (initial : law State) (update : X -> State -> law State) (x : list X) : law State :=
  bind initial (process update x).

(* Q_O(Q_I(x)). *)
Definition output_of {X State Z} (initial : law State) (update : X -> State -> law State) (output : State -> law Z)
  (x : list X) : law Z := bind (state_after initial update x) output.

(* (I_t, Q(x)): the state after t elements, and the output of the same run. *)
Definition intruder_view {X State Z} (initial : law State) (update : X -> State -> law State) (output : State -> law Z)
  (t : nat) (x : list X) : law (State * Z) :=
  bind (state_after initial update (firstn t x)) (fun state =>
  bind (bind (process update (skipn t x) state) output) (fun z => point (state, z))).

(* Definition pan, for streams of n elements. *)
Definition pan_private {X State Z} (n : nat) (eps delta : R)
  (initial : law State) (update : X -> State -> law State) (output : State -> law Z) :=
  forall t : nat, private_on n eps delta (intruder_view initial update output t).

Lemma process_app {X State} : forall (update : X -> State -> law State) x y state,
  same_law (process update (x ++ y) state) (bind (process update x state) (process update y)).
Proof.
  induction x as [|a x IH]; intros y state f; simpl process.
  - rewrite E_bind, E_point. reflexivity.
  - rewrite !E_bind. apply E_ext; intro s. rewrite IH, E_bind. reflexivity.
Qed.

Lemma output_is_seen {X State Z} : forall initial (update : X -> State -> law State) (output : State -> law Z) t x,
  same_law (bind (intruder_view initial update output t x) (fun v => point (snd v))) (output_of initial update output x).
Proof.
  intros initial update output t x f. unfold intruder_view, output_of, state_after.
  rewrite !E_bind. apply E_ext; intro s0.
  assert (W : forall g, E (process update x s0) g
    = E (process update (firstn t x) s0) (fun s => E (process update (skipn t x) s) g)).
  { intro g. rewrite <- E_bind, <- (process_app update (firstn t x) (skipn t x) s0), firstn_skipn. reflexivity. }
  rewrite W. apply E_ext; intro s.
  rewrite !E_bind. apply E_ext; intro s'. apply E_ext; intro z. rewrite !E_point. reflexivity.
Qed.

Theorem pan_private_is_private {X State Z} : forall n eps delta initial (update : X -> State -> law State)
  (output : State -> law Z),
  pan_private n eps delta initial update output -> private_on n eps delta (output_of initial update output).
Proof.
  intros n eps delta initial update output H x x' L N.
  apply (close_same eps delta _ _ _ _ (output_is_seen initial update output 0 x) (output_is_seen initial update output 0 x')).
  apply post_processing; [intro; apply proper_point | apply H; auto].
Qed.
