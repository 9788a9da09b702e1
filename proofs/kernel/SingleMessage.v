(* Section 1.2: one message a user, for every law of Paper.v.  "Any single-message (eps, delta)-shuffle private protocol on n
   users also grants (eps + ln n, delta)-local privacy", and without ln n for delta = 0. *)
From Coq Require Import Reals ZArith Lra Lia List Bool Permutation.
From PanshuffleKernel Require Import Countable Privacy Model Poisson Means Tester.
From PanshuffleKernel Require Import Paper.
Import ListNotations.
Open Scope R_scope.

Definition single {X Y} (report : X -> law Y) (x : X) : law (list Y) := bind (report x) (fun y => point [y]).
Definition locally_private {X Y} (eps delta : R) (report : X -> law Y) : Prop := forall x x', close eps delta (report x) (report x').

Lemma existsb_perm {Y} : forall (T : Y -> bool) l l', Permutation l l' -> existsb T l = existsb T l'.
Proof. induction 1; cbn [existsb]; try congruence. destruct (T x), (T y); reflexivity. Qed.
Lemma forallb_perm {Y} : forall (T : Y -> bool) l l', Permutation l l' -> forallb T l = forallb T l'.
Proof. induction 1; cbn [forallb]; try congruence. destruct (T x), (T y); reflexivity. Qed.

Section Reports.
Context {X Y : Type} (report : X -> law Y) (T : Y -> bool).
Hypothesis PR : algorithm report.

Lemma proper_single : algorithm (single report).
Proof. intro x. apply proper_bind; [apply PR | intro; apply proper_point]. Qed.
Lemma proper_reports : forall xs, proper (messages (single report) xs).
Proof. intro xs. apply proper_messages. apply proper_single. Qed.
Lemma E_first : forall x xs F, bounded F ->
  E (messages (single report) (x :: xs)) F = E (report x) (fun y => E (messages (single report) xs) (fun l => F (y :: l))).
Proof.
  intros x xs F B. unfold messages. cbn [map concatenated].
  assert (P1 : forall l, proper (bind (concatenated (map (single report) xs)) (fun r => point (l ++ r)))).
  { intro l. apply proper_bind; [apply (proper_reports xs) | intro; apply proper_point]. }
  rewrite (E_bind _ _ (proper_single x) P1 F B). unfold single at 1.
  assert (B1 : bounded (fun l => E (bind (concatenated (map (single report) xs)) (fun r => point (l ++ r))) F)) by (apply bounded_E; auto).
  rewrite (E_bind (report x) (fun y => point [y]) (PR x) (fun y => proper_point [y]) _ B1). apply E_ext; intro y. rewrite E_point.
  rewrite (E_bind (concatenated (map (single report) xs)) (fun r => point ([y] ++ r)) (proper_reports xs) (fun r => proper_point ([y] ++ r)) F B).
  apply E_ext; intro l. apply E_point.
Qed.
Definition some_in (xs : list X) : R := E (messages (single report) xs) (fun l => indicator (existsb T l)).
Definition all_in (xs : list X) : R := E (messages (single report) xs) (fun l => indicator (forallb T l)).
Lemma view_some : forall xs, Pr (view (single report) xs) (existsb T) = some_in xs.
Proof.
  intro xs. apply E_order_free_view; [apply proper_single | apply bounded_indicator |].
  intros l l' H. f_equal. apply existsb_perm; auto.
Qed.
Lemma view_all : forall xs, Pr (view (single report) xs) (forallb T) = all_in xs.
Proof.
  intro xs. apply E_order_free_view; [apply proper_single | apply bounded_indicator |].
  intros l l' H. f_equal. apply forallb_perm; auto.
Qed.
Lemma all_cons : forall x xs, all_in (x :: xs) = Pr (report x) T * all_in xs.
Proof.
  intros x xs. unfold all_in at 1. rewrite E_first by apply bounded_indicator.
  rewrite (E_ext _ _ (fun y => all_in xs * indicator (T y))).
  - rewrite E_mult; [unfold Pr; ring | apply PR | apply bounded_indicator].
  - intro y. unfold all_in. cbn [forallb]. destruct (T y); cbn [andb indicator].
    + rewrite Rmult_1_r. reflexivity.
    + rewrite Rmult_0_r. apply E_const. apply proper_reports.
Qed.
Lemma all_repeat : forall x k, all_in (repeat x k) = Pr (report x) T ^ k.
Proof. intros x k. induction k as [|k IH]; [unfold all_in; exact (E_point [] (fun l => indicator (forallb T l)))|]. cbn [repeat]. rewrite all_cons, IH. reflexivity. Qed.
Lemma some_range : forall xs, 0 <= some_in xs <= 1.
Proof. intro xs. apply (E_range (messages (single report) xs) (proper_reports xs)). intro l. destruct (existsb T l); simpl; lra. Qed.
Lemma some_cons : forall x xs, some_in (x :: xs) = Pr (report x) T + (1 - Pr (report x) T) * some_in xs.
Proof.
  intros x xs. unfold some_in at 1. rewrite E_first by apply bounded_indicator.
  rewrite (E_ext _ _ (fun y => (1 - some_in xs) * indicator (T y) + some_in xs)).
  - rewrite E_plus, E_mult, E_const; try apply PR; try apply bounded_const; try apply bounded_indicator; [unfold Pr; ring|].
    apply bounded_mult; [apply bounded_const | apply bounded_indicator].
  - intro y. unfold some_in. cbn [existsb]. destruct (T y); cbn [orb indicator].
    + rewrite E_const; [ring | apply proper_reports].
    + ring_simplify. reflexivity.
Qed.
Lemma some_repeat : forall x k, some_in (repeat x k) <= INR k * Pr (report x) T.
Proof.
  intros x k. pose proof (Pr_01 (report x) (PR x) T) as P. induction k as [|k IH].
  - unfold some_in. cbn [repeat]. right. simpl. rewrite Rmult_0_l. exact (E_point [] (fun l => indicator (existsb T l))).
  - cbn [repeat]. rewrite some_cons, S_INR. pose proof (some_range (repeat x k)). nra.
Qed.
End Reports.

Lemma changed {X} : forall (a b : X) n, (0 < n)%nat -> length (a :: repeat b (n - 1)) = n /\ neighbours (a :: repeat b (n - 1)) (repeat b n).
Proof.
  intros a b n N. destruct n as [|n]; [lia|]. replace (S n - 1)%nat with n by lia. split; [cbn [length]; rewrite repeat_length; auto|].
  exists [], a, b, (repeat b n). split; reflexivity.
Qed.
Theorem single_message_local : forall (X Y : Type) (report : X -> law Y) (eps delta : R) (n : nat), algorithm report -> (0 < n)%nat ->
  private_on n eps delta (view (single report)) -> locally_private (eps + ln (INR n)) delta report.
Proof.
  intros X Y report eps delta n PR N H a b T. destruct (changed a b n N) as [L C]. specialize (H _ _ L C (existsb T)).
  rewrite !view_some in H by auto. rewrite some_cons in H by auto. pose proof (some_repeat report T PR b n) as S.
  pose proof (some_range report T PR (repeat b (n - 1))) as R0. pose proof (Pr_01 (report a) (PR a) T) as P.
  rewrite exp_plus, exp_ln by (apply lt_0_INR; auto). pose proof (exp_pos eps).
  assert (exp eps * some_in report T (repeat b n) <= exp eps * (INR n * Pr (report b) T)) by (apply Rmult_le_compat_l; lra). nra.
Qed.
Theorem single_message_pure_local : forall (X Y : Type) (report : X -> law Y) (eps : R) (n : nat), algorithm report -> (0 < n)%nat ->
  private_on n eps 0 (view (single report)) -> locally_private eps 0 report.
Proof.
  intros X Y report eps n PR N H a b T. destruct (changed a b n N) as [L C].
  pose proof (H _ _ L C (forallb T)) as HA. rewrite !view_all in HA by auto. rewrite all_cons, !all_repeat in HA by auto.
  pose proof (Pr_01 (report a) (PR a) T) as PA. pose proof (Pr_01 (report b) (PR b) T) as PB. pose proof (exp_pos eps).
  destruct (Rle_lt_or_eq_dec 0 (Pr (report b) T) ltac:(lra)) as [Q|Q].
  - assert (Q1 : 0 < Pr (report b) T ^ (n - 1)) by (apply pow_lt; auto).
    replace n with (S (n - 1)) in HA at 2 by lia. simpl in HA. rewrite Rplus_0_r in *.
    apply Rmult_le_reg_r with (Pr (report b) T ^ (n - 1)); auto. lra.
  - pose proof (H _ _ L C (existsb T)) as HS. rewrite !view_some in HS by auto. rewrite some_cons in HS by auto.
    pose proof (some_repeat report T PR b n) as S. rewrite <- Q in S. pose proof (some_range report T PR (repeat b n)).
    pose proof (some_range report T PR (repeat b (n - 1))). rewrite <- Q. nra.
Qed.
