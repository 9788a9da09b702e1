(* Section 1.2: single-message shuffle privacy is local privacy.

   "any single-message (eps,delta)-shuffle private protocol on n users also grants (eps + ln n, delta)-local privacy"; "any single-message
    eps-shuffle private protocol is also eps-locally private."

   Proved: one user holds x or x', all others x'; the events that some message is in T, and that all are. *)
From Coq Require Import Reals Lra Lia List Bool Permutation.
From PanshuffleKernel Require Import Law Closeness Shuffle Messages ShuffleModel Transformation.
Import ListNotations.
Open Scope R_scope.

(* A randomizer that sends one message. *)
Definition single {X Y} (report : X -> law Y) : randomizer X Y := fun x => bind (report x) (fun y => point [y]).

Definition locally_private {X Y} (eps delta : R) (report : X -> law Y) := forall x x', close eps delta (report x) (report x').

Lemma existsb_perm {Y} : forall (T : Y -> bool) l l', Permutation l l' -> existsb T l = existsb T l'.
Proof. induction 1; cbn [existsb]; try congruence. destruct (T x), (T y); reflexivity. Qed.
Lemma forallb_perm {Y} : forall (T : Y -> bool) l l', Permutation l l' -> forallb T l = forallb T l'.
Proof. induction 1; cbn [forallb]; try congruence. destruct (T x), (T y); reflexivity. Qed.

Section Reports.
Variables X Y : Type.
Variable report : X -> law Y.
Hypothesis report_proper : forall x, proper (report x).
Variable T : Y -> bool.

Lemma proper_single : forall x, proper (single report x).
Proof. intro x. apply proper_bind; auto. intro; apply proper_point. Qed.
Lemma E_first : forall x xs F, E (messages (single report) (x :: xs)) F = E (report x) (fun y => E (messages (single report) xs) (fun l => F (y :: l))).
Proof.
  intros x xs F. unfold messages. cbn [map concatenated]. rewrite E_join. unfold single at 1. rewrite E_bind. apply E_ext; intro y.
  rewrite E_point. reflexivity.
Qed.
Definition some_in (xs : list X) : R := E (messages (single report) xs) (fun l => indicator (existsb T l)).
Definition all_in (xs : list X) : R := E (messages (single report) xs) (fun l => indicator (forallb T l)).

Lemma view_some : forall xs, Pr (view (single report) xs) (existsb T) = some_in xs.
Proof. intro xs. unfold Pr. apply E_view_order_free. intros l l' P. rewrite (existsb_perm T l l' P). reflexivity. Qed.
Lemma view_all : forall xs, Pr (view (single report) xs) (forallb T) = all_in xs.
Proof. intro xs. unfold Pr. apply E_view_order_free. intros l l' P. rewrite (forallb_perm T l l' P). reflexivity. Qed.

Lemma proper_reports : forall xs, proper (messages (single report) xs).
Proof. intro xs. apply proper_messages. intro; apply proper_single. Qed.

Lemma all_cons : forall x xs, all_in (x :: xs) = Pr (report x) T * all_in xs.
Proof.
  intros x xs. unfold all_in, Pr. rewrite E_first, Rmult_comm, <- E_mult. apply E_ext; intro y. cbn [forallb].
  destruct (T y); cbn [andb indicator]; [ring|]. rewrite (E_const _ _ (proper_reports xs)). ring.
Qed.
Lemma all_repeat : forall x k, all_in (repeat x k) = Pr (report x) T ^ k.
Proof.
  intros x k. induction k as [|k IH].
  - unfold all_in, messages. cbn [repeat map concatenated]. rewrite E_point. reflexivity.
  - cbn [repeat pow]. rewrite all_cons, IH. reflexivity.
Qed.
Lemma some_least : forall x xs, Pr (report x) T <= some_in (x :: xs).
Proof.
  intros x xs. unfold some_in, Pr. rewrite E_first. apply E_le; [apply report_proper|]. intro y. cbn [existsb].
  destruct (T y); cbn [orb indicator]; [rewrite (E_const _ _ (proper_reports xs)); lra|].
  apply (Pr_01 (messages (single report) xs) (existsb T) (proper_reports xs)).
Qed.
Lemma some_repeat : forall x k, some_in (repeat x k) <= INR k * Pr (report x) T.
Proof.
  intros x k. induction k as [|k IH].
  - unfold some_in, messages. cbn [repeat map concatenated]. rewrite E_point. simpl. lra.
  - cbn [repeat]. rewrite S_INR. unfold some_in at 1. rewrite E_first.
    apply Rle_trans with (E (report x) (fun y => indicator (T y) + some_in (repeat x k))).
    + apply E_le; [apply report_proper|]. intro y. cbn [existsb]. destruct (T y); cbn [orb indicator].
      * rewrite (E_const _ _ (proper_reports _)). pose proof (Pr_01 _ (existsb T) (proper_reports (repeat x k))) as P. unfold Pr in P. fold (some_in (repeat x k)) in P. lra.
      * unfold some_in. lra.
    + rewrite E_plus, (E_const _ _ (report_proper x)). fold (Pr (report x) T). lra.
Qed.
End Reports.

Theorem single_message_local : forall (X Y : Type) (report : X -> law Y) (eps delta : R) (n : nat),
  (forall x, proper (report x)) -> (0 < n)%nat -> private_on n eps delta (view (single report)) ->
  locally_private (eps + ln (INR n)) delta report.
Proof.
  intros X Y report eps delta n HR Hn H x x' T.
  assert (C : close eps delta (view (single report) (x :: repeat x' (n - 1))) (view (single report) (repeat x' n))).
  { apply H; [cbn [length]; rewrite repeat_length; lia|]. exists [], x, x', (repeat x' (n - 1)). split; [reflexivity|].
    replace n with (S (n - 1)) at 1 by lia. reflexivity. }
  specialize (C (existsb T)). rewrite !view_some in C.
  pose proof (some_least X Y report HR T x (repeat x' (n - 1))) as A. pose proof (some_repeat X Y report HR T x' n) as B.
  pose proof (exp_pos eps). assert (N0 : 0 < INR n) by (apply lt_0_INR; auto). rewrite exp_plus, exp_ln by auto.
  apply Rmult_le_compat_l with (r := exp eps) in B; lra.
Qed.

Theorem single_message_pure_local : forall (X Y : Type) (report : X -> law Y) (eps : R) (n : nat),
  (forall x, proper (report x)) -> (0 < n)%nat -> private_on n eps 0 (view (single report)) ->
  locally_private eps 0 report.
Proof.
  intros X Y report eps n HR Hn H x x' T.
  assert (C : close eps 0 (view (single report) (x :: repeat x' (n - 1))) (view (single report) (repeat x' n))).
  { apply H; [cbn [length]; rewrite repeat_length; lia|]. exists [], x, x', (repeat x' (n - 1)). split; [reflexivity|].
    replace n with (S (n - 1)) at 1 by lia. reflexivity. }
  pose proof (Pr_01 (report x') T (HR x')) as Q01. pose proof (Pr_01 (report x) T (HR x)) as P01.
  destruct (Req_EM_T (Pr (report x') T) 0) as [Z|Z].
  - specialize (C (existsb T)). rewrite !view_some in C.
    pose proof (some_least X Y report HR T x (repeat x' (n - 1))) as A. pose proof (some_repeat X Y report HR T x' n) as B.
    rewrite Z in *. pose proof (exp_pos eps). rewrite Rmult_0_r in B. apply Rmult_le_compat_l with (r := exp eps) in B; lra.
  - specialize (C (forallb T)). rewrite !view_all in C. rewrite all_cons, !all_repeat in C by auto.
    set (q := Pr (report x') T) in *. set (p := Pr (report x) T) in *. assert (Q0 : 0 < q ^ (n - 1)) by (apply pow_lt; lra).
    replace n with (S (n - 1)) in C at 2 by lia. cbn [pow] in C. apply Rmult_le_reg_r with (q ^ (n - 1)); auto. lra.
Qed.
