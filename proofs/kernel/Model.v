(* Sections 2.2 and 2.3 for countable laws: truncated at N, a protocol's views are those of its truncated randomizers, so
   that what is proved of finite laws as an equation holds here, too. *)
From Coq Require Import Reals Lra Lia List Bool Permutation FunctionalExtensionality.
From Coquelicot Require Import Rcomplements Rbar Lim_seq.
From PanshuffleKernel Require Law Closeness Shuffle Messages ShuffleModel Online Transformation.
From PanshuffleKernel Require Import Paper Countable Privacy.
Import ListNotations.
Open Scope R_scope.

(* ---- truncations ---- *)
Lemma shuffle_finite {A} : forall l : list A, shuffle l = fun _ => Shuffle.shuffle l.
Proof. induction l as [|a l IH]; [reflexivity|]. cbn [shuffle]. rewrite IH. reflexivity. Qed.
Lemma concatenated_at {A} : forall (ds : list (law (list A))) N,
  concatenated ds N = Messages.concatenated (map (fun d => d N) ds).
Proof.
  induction ds as [|d ds IH]; intro N; [reflexivity|]. cbn [concatenated map]. unfold bind at 1 2.
  cbn [Messages.concatenated]. rewrite <- IH. reflexivity.
Qed.
Lemma messages_at {X Y} : forall (R : X -> law (list Y)) x N, messages R x N = ShuffleModel.messages (fun a => R a N) x.
Proof. intros. unfold messages. rewrite concatenated_at, map_map. reflexivity. Qed.
Lemma view_at {X Y} : forall (R : X -> law (list Y)) x N, view R x N = ShuffleModel.view (fun a => R a N) x.
Proof.
  intros. unfold view, bind. rewrite messages_at. unfold ShuffleModel.view. f_equal.
  apply functional_extensionality; intro l. rewrite shuffle_finite. reflexivity.
Qed.
Lemma process_at {X State} : forall (up : X -> State -> law State) x s N,
  process up x s N = Online.process (fun a t => up a t N) x s.
Proof.
  induction x as [|a x IH]; intros s N; [reflexivity|]. cbn [process Online.process]. unfold bind. f_equal.
  apply functional_extensionality; intro t. apply IH.
Qed.
Lemma intruder_view_at {X State Z} : forall (Q : online X State Z) t x N,
  intruder_view Q t x N
  = Online.intruder_view (initial Q N) (fun a s => update Q a s N) (fun s => output Q s N) t x.
Proof.
  intros. unfold intruder_view, Online.intruder_view, Online.state_after, bind.
  replace (fun a => process (update Q) (firstn t x) a N) with (Online.process (fun a s => update Q a s N) (firstn t x))
    by (apply functional_extensionality; intro; symmetry; apply process_at).
  f_equal. apply functional_extensionality; intro s.
  replace (process (update Q) (skipn t x) s N) with (Online.process (fun a s => update Q a s N) (skipn t x) s) by (symmetry; apply process_at).
  reflexivity.
Qed.
Lemma output_of_at {X State Z} : forall (Q : online X State Z) x N,
  output_of Q x N = Online.output_of (initial Q N) (fun a s => update Q a s N) (fun s => output Q s N) x.
Proof.
  intros. unfold output_of, Online.output_of, Online.state_after, bind.
  replace (fun a => process (update Q) x a N) with (Online.process (fun a s => update Q a s N) x)
    by (apply functional_extensionality; intro; symmetry; apply process_at).
  reflexivity.
Qed.

(* ---- proper laws ---- *)
Lemma proper_shuffle {A} : forall l : list A, proper (shuffle l).
Proof. intro l. rewrite shuffle_finite. apply proper_finite, Shuffle.proper_shuffle. Qed.
Lemma proper_concatenated {A} : forall ds : list (law (list A)), Forall proper ds -> proper (concatenated ds).
Proof.
  induction 1 as [|d ds H F IH]; [apply proper_point|]. cbn [concatenated].
  apply proper_bind; auto; intro. apply proper_bind; auto; intro. apply proper_point.
Qed.
Lemma proper_messages {X Y} : forall (R : X -> law (list Y)) x, algorithm R -> proper (messages R x).
Proof. intros R x H. apply proper_concatenated, Forall_forall. intros d I. apply in_map_iff in I. destruct I as [a [I _]]. subst; auto. Qed.
Lemma proper_view {X Y} : forall (R : X -> law (list Y)) x, algorithm R -> proper (view R x).
Proof. intros. apply proper_bind; [apply proper_messages; auto | intro; apply proper_shuffle]. Qed.
Lemma proper_process {X State} : forall (up : X -> State -> law State), (forall a s, proper (up a s)) ->
  forall x s, proper (process up x s).
Proof. intros up H. induction x; intro s; [apply proper_point|]. apply proper_bind; auto. Qed.
Lemma proper_execution {C X Y Z} : forall (P : protocol C X Y Z) n x, shuffle_protocol P -> proper (execution P n x).
Proof.
  intros P n x H. destruct (H n) as [H1 H2]. apply proper_bind; auto; intro c.
  apply proper_bind; [apply proper_view; apply H2 | apply H2].
Qed.

(* ---- expectations ---- *)
Lemma E_shuffle_perm {A} : forall (l l' : list A), Permutation l l' -> shuffle l = shuffle l' \/ same_law (shuffle l) (shuffle l').
Proof.
  intros l l' P. right. intros f F. rewrite !shuffle_finite, !E_finite. apply Shuffle.shuffle_perm; auto.
Qed.
Lemma E_view {X Y} : forall (R : X -> law (list Y)) x F, algorithm R -> bounded F ->
  E (view R x) F = E (messages R x) (fun l => E (shuffle l) F).
Proof. intros. apply E_bind; auto using proper_messages, proper_shuffle. Qed.
Lemma output_is_seen {X State Z} : forall (Q : online X State Z) t x N f,
  sum_over (bind (intruder_view Q t x) (fun v => point (snd v)) N) f = sum_over (output_of Q x N) f.
Proof.
  intros. unfold bind at 1. rewrite intruder_view_at, output_of_at. apply (Online.output_is_seen _ _ _ t x f).
Qed.
Lemma proper_intruder_view {X State Z} : forall (Q : online X State Z) t x, online_algorithm Q -> proper (intruder_view Q t x).
Proof.
  intros Q t x [H1 [H2 H3]]. apply proper_bind; [apply proper_bind; auto; intro; apply proper_process; auto|]. intro s.
  apply proper_bind; [apply proper_bind; auto using proper_process | intro; apply proper_point].
Qed.
Lemma proper_output_of {X State Z} : forall (Q : online X State Z) x, online_algorithm Q -> proper (output_of Q x).
Proof. intros Q x [H1 [H2 H3]]. apply proper_bind; auto. apply proper_bind; auto using proper_process. Qed.
