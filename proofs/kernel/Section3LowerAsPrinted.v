(* Section 3.2, decided: the lower bounds as printed fail, and hold for k eps above a constant, given Lemma de-lower-bound-pan. *)
From Coq Require Import Reals Lra Lia List Bool Permutation FunctionalExtensionality.
From PanshuffleKernel Require Law Closeness Online StepsRefuted Power.
From PanshuffleKernel Require Import Paper Countable Privacy Model Section3Transformation.
Import ListNotations.
Open Scope R_scope.

(* ---- a universe of k elements ---- *)
Definition below (k : nat) := {i : nat | (i < k)%nat}.
Definition raise (k : nat) (i : below k) : below (S k) := exist (fun j => (j < S k)%nat) (proj1_sig i) (Nat.lt_lt_succ_r _ _ (proj2_sig i)).
Fixpoint all_below (k : nat) : list (below k) :=
  match k with
  | O => []
  | S k => exist (fun j => (j < S k)%nat) k (Nat.lt_succ_diag_r k) :: map (raise k) (all_below k)
  end.
Lemma below_eq : forall k (a b : below k), proj1_sig a = proj1_sig b -> a = b.
Proof. intros k [a A] [b B] H. simpl in H. subst. f_equal. apply Peano_dec.le_unique. Qed.
Lemma all_below_nodup : forall k, NoDup (all_below k).
Proof.
  induction k; simpl; constructor.
  - intro H. apply in_map_iff in H. destruct H as [[i I] [H _]]. inversion H. simpl in *. lia.
  - apply FinFun.Injective_map_NoDup; auto. intros a b H. apply below_eq. inversion H. auto.
Qed.
Lemma all_below_complete : forall k (a : below k), In a (all_below k).
Proof.
  induction k; intros [i I]; [lia|]. simpl. destruct (Nat.eq_dec i k) as [Q|Q].
  - left. apply below_eq. simpl. auto.
  - right. apply in_map_iff. assert (L : (i < k)%nat) by lia. exists (exist _ i L). split; [apply below_eq; reflexivity | apply IHk].
Qed.
Lemma below_dec : forall k (a b : below k), {a = b} + {a <> b}.
Proof. intros k a b. destruct (Nat.eq_dec (proj1_sig a) (proj1_sig b)); [left; apply below_eq; auto | right; congruence]. Qed.
Definition numbers (k : nat) : universe (below k) := Universe (all_below k) (all_below_nodup k) (all_below_complete k) (below_dec k).
Lemma numbers_size : forall k, size (numbers k) = INR k.
Proof. intro k. unfold size. f_equal. simpl. induction k; simpl; auto. rewrite map_length, IHk. reflexivity. Qed.

(* ---- the constant answer ---- *)
Lemma distinct_range {X} : forall (U : universe X) x, x <> [] -> 1 <= distinct U x <= size U.
Proof.
  intros U x H. unfold distinct, size. split.
  - change 1 with (INR 1). apply le_INR. destruct x as [|a x]; [contradiction|].
    assert (I : In a (nodup (same U) (a :: x))) by (apply nodup_In; left; auto).
    destruct (nodup (same U) (a :: x)); [destruct I | simpl; lia].
  - apply le_INR. apply NoDup_incl_length; [apply NoDup_nodup|]. intros a _. apply (complete X U).
Qed.
Definition answer (k : R) : law R := point ((k + 1) / 2).
Lemma answer_solves {X} : forall (U : universe X) x, x <> [] -> Pr (answer (size U)) (fun z => le (Rabs (z - distinct U x)) ((size U - 1) / 2)) = 1.
Proof.
  intros U x H. unfold Pr, answer. rewrite E_point. unfold le. destruct (distinct_range U x H) as [A B].
  destruct (Rle_dec _ _) as [L|L]; [reflexivity|]. exfalso. apply L. apply Rabs_le. lra.
Qed.
Lemma upper_number : forall x, exists n : nat, x <= INR n.
Proof.
  intro x. destruct (archimed x) as [A _]. destruct (Z_le_gt_dec 0 (up x)) as [L|L].
  - exists (Z.to_nat (up x)). rewrite INR_IZR_INZ, Z2Nat.id by auto. lra.
  - exists O. simpl. assert (IZR (up x) <= 0) by (apply IZR_le; lia). lra.
Qed.

(* For every a and k0 there are k, eps and n with a sqrt(k/eps) above the error of the constant answer. *)
Lemma small_eps : forall a k0, 0 < a -> exists (k : nat) (eps : R),
  (2 <= k)%nat /\ k0 <= INR k /\ 0 < eps <= 1 /\ (INR k - 1) / 2 < a * sqrt (INR k / eps).
Proof.
  intros a k0 A. destruct (upper_number (Rmax k0 (Rmax 2 (a * a)))) as [k K].
  pose proof (Rmax_l k0 (Rmax 2 (a * a))). pose proof (Rmax_r k0 (Rmax 2 (a * a))).
  pose proof (Rmax_l 2 (a * a)). pose proof (Rmax_r 2 (a * a)).
  exists k, (a * a / INR k). assert (K2 : 2 <= INR k) by lra. assert (AA : 0 < a * a) by (apply Rmult_lt_0_compat; auto).
  split; [apply INR_le; simpl; lra|]. split; [lra|]. split.
  - split; [apply Rdiv_lt_0_compat; lra|]. apply Rmult_le_reg_r with (INR k); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra.
  - replace (INR k / (a * a / INR k)) with ((INR k / a) * (INR k / a)) by (field; lra).
    rewrite sqrt_square by (left; apply Rdiv_lt_0_compat; lra). replace (a * (INR k / a)) with (INR k) by (field; lra). lra.
Qed.

Theorem lem_de_lower_bound_pan_2_fails : ~ lem_de_lower_bound_pan_2.
Proof.
  intro H. destruct (H 1 ltac:(lra)) as [a [k0 [A B]]]. destruct (small_eps a k0 A) as [k [eps [K2 [K0 [HE BAD]]]]].
  destruct (upper_number (INR k / eps)) as [n N].
  assert (NP : (0 < n)%nat).
  { apply INR_lt. simpl. assert (0 < INR k / eps) by (apply Rdiv_lt_0_compat; [apply lt_0_INR; lia | lra]). lra. }
  set (Q := Online (X := below k) (point tt) (fun _ _ => point tt) (fun _ => answer (INR k))).
  assert (QA : online_algorithm Q) by (split; [apply proper_point | split; intros; apply proper_point]).
  assert (PR : forall x s, same_law (process (update Q) x s) (point tt)).
  { induction x as [|c x IH]; intros s f F; cbn [process]; [destruct s; reflexivity|].
    rewrite E_bind; [|apply proper_point | intro; apply proper_process; intros; apply proper_point | auto].
    simpl. rewrite E_point. apply IH; auto. }
  assert (OUT : forall x, same_law (output_of Q x) (answer (INR k))).
  { intros x f F. unfold output_of. rewrite E_bind; [|apply proper_bind; [apply proper_point | intro; apply proper_process; intros; apply proper_point] | intro; apply proper_point | auto].
    simpl output. rewrite E_const; [reflexivity|]. apply proper_bind; [apply proper_point | intro; apply proper_process; intros; apply proper_point]. }
  assert (VIEW : forall t x, same_law (intruder_view Q t x) (bind (answer (INR k)) (fun z => point (tt, z)))).
  { intros t x f F. unfold intruder_view.
    assert (P1 : proper (bind (initial Q) (process (update Q) (firstn t x)))) by (apply proper_bind; [apply proper_point | intro; apply proper_process; intros; apply proper_point]).
    assert (P2 : forall s, proper (bind (process (update Q) (skipn t x) s) (output Q))) by (intro; apply proper_bind; [apply proper_process; intros; apply proper_point | intro; apply proper_point]).
    rewrite E_bind; [|auto | intro; apply proper_bind; [auto | intro; apply proper_point] | auto].
    rewrite (E_ext _ _ (fun _ => E (bind (answer (INR k)) (fun z => point (tt, z))) f)); [apply E_const; auto|].
    intros []. assert (PT : forall z : R, proper (point (tt, z))) by (intro; apply proper_point).
    assert (PQ : proper (process (update Q) (skipn t x) tt)) by (apply proper_process; intros; apply proper_point).
    assert (PO : forall s, proper (output Q s)) by (intro; apply proper_point).
    rewrite (E_bind (bind (process (update Q) (skipn t x) tt) (output Q)) (fun z => point (tt, z)) (P2 tt) PT f F).
    rewrite (E_bind _ _ PQ PO) by (apply bounded_E; auto).
    simpl output. rewrite E_const by auto. symmetry. apply E_bind; auto. apply proper_point. }
  assert (BAD2 : a * sqrt (size (numbers k) / eps) <= (INR k - 1) / 2).
  { apply (B (below k) unit (numbers k) Q n eps 0 ((INR k - 1) / 2) 0); rewrite ?numbers_size; auto; try lra.
    - split; [lra|]. apply Rmult_le_pos; [lra | left; apply Rinv_0_lt_compat, lt_0_INR; auto].
    - intros t x x' L NB. apply (close_same eps 0 _ _ _ _ (same_sym _ _ (VIEW t x)) (same_sym _ _ (VIEW t x'))).
      apply close_refl; [|lra | lra]. apply proper_bind; [apply proper_point | intro; apply proper_point].
    - intros x L. unfold Pr. rewrite (OUT x) by apply bounded_indicator. rewrite <- (numbers_size k).
      pose proof (answer_solves (numbers k) x) as S. unfold Pr in S. rewrite S; [lra|]. intro; subst; simpl in *; lia. }
  rewrite numbers_size in BAD2. lra.
Qed.

Theorem thm_de_lower_bound_fails : ~ thm_de_lower_bound.
Proof.
  intro H. destruct (H 1 ltac:(lra)) as [a [k0 [A B]]]. destruct (small_eps a k0 A) as [k [eps [K2 [K0 [HE BAD]]]]].
  destruct (upper_number (INR k / eps)) as [third N].
  assert (NP : (0 < third)%nat).
  { apply INR_lt. simpl. assert (0 < INR k / eps) by (apply Rdiv_lt_0_compat; [apply lt_0_INR; lia | lra]). lra. }
  set (P := Protocol (X := below k) (Y := unit) (fun _ => point tt) (fun _ _ _ => point []) (fun _ _ _ => answer (INR k))).
  assert (PP : shuffle_protocol P) by (intro n; split; [apply proper_point | intro c; split; intro; apply proper_point]).
  assert (PV : forall n c x, same_law (view (randomizer P n c) x) (point [])).
  { intros n c x f F. unfold view. rewrite E_bind; [|apply proper_messages; intro; apply proper_point | intro; apply proper_shuffle | auto].
    unfold messages. simpl randomizer.
    induction x as [|b x IH]; cbn [map concatenated].
    - rewrite E_point. simpl. rewrite !E_point. reflexivity.
    - rewrite E_bind; [|apply proper_point | intro; apply proper_bind; [apply (proper_messages (fun _ : below k => point (@nil unit)) x); intro; apply proper_point | intro; apply proper_point] | apply bounded_E; auto; intro; apply proper_shuffle].
      rewrite E_point. rewrite E_bind; [|apply (proper_messages (fun _ : below k => point (@nil unit)) x); intro; apply proper_point | intro; apply proper_point | apply bounded_E; auto; intro; apply proper_shuffle].
      etransitivity; [|exact IH]. apply E_ext; intro l. rewrite E_point. reflexivity. }
  assert (BAD2 : a * sqrt (size (numbers k) / eps) <= (INR k - 1) / 2).
  { apply (B unit (below k) unit (numbers k) P third eps 0 ((INR k - 1) / 2) 0); rewrite ?numbers_size; auto; try lra.
    - rewrite mult_INR. simpl (INR 3). unfold Rdiv in *. lra.
    - split; [lra|]. apply Rmult_le_pos; [lra | left; apply Rinv_0_lt_compat, lt_0_INR; lia].
    - intros n honest c Hh Hg x x' L NB. apply (close_same eps 0 _ _ _ _ (same_sym _ _ (PV n c x)) (same_sym _ _ (PV n c x'))).
      apply close_refl; [apply proper_point | lra | lra].
    - intros x L. assert (OUT : same_law (execution P (3 * third) x) (answer (INR k))).
      { intros f F. unfold execution. rewrite E_bind; [|apply proper_point | intro; apply proper_bind; [apply proper_view; intro; apply proper_point | intro; apply proper_point] | auto].
        simpl coins. rewrite E_point. rewrite E_bind; [|apply proper_view; intro; apply proper_point | intro; apply proper_point | auto].
        simpl analyzer. apply E_const. apply proper_view; intro; apply proper_point. }
      unfold Pr. rewrite OUT by apply bounded_indicator. rewrite <- (numbers_size k).
      pose proof (answer_solves (numbers k) x) as S. unfold Pr in S. rewrite S; [lra|]. intro; subst; simpl in *; lia. }
  rewrite numbers_size in BAD2. lra.
Qed.

(* ---- group privacy ---- *)
Theorem group_privacy_step_fails : ~ group_privacy_step.
Proof.
  intro H. apply StepsRefuted.group_privacy_step_refuted. intros A d0 d1 d2 delta P0 P1 P2 D C1 C2 C3 C4.
  apply close_finite. apply (H A (fun _ => d0) (fun _ => d1) (fun _ => d2) delta); auto using proper_finite; apply close_finite; auto.
Qed.
Theorem group_privacy_step_repaired_holds : group_privacy_step_repaired.
Proof.
  intros A k d eps delta HE HD H. assert (E1 : 1 < exp eps) by (rewrite <- exp_0; apply exp_increasing; auto).
  induction k as [|k IH].
  - intro T. simpl (INR 0). rewrite Rmult_0_l, exp_0. unfold Rdiv. lra.
  - intro T. specialize (IH ltac:(intros; apply H; lia) T). specialize (H k ltac:(lia) T).
    rewrite S_INR. replace ((INR k + 1) * eps) with (INR k * eps + eps) by ring. rewrite exp_plus.
    set (p := exp (INR k * eps)) in *. set (q := exp eps) in *. assert (0 < p) by apply exp_pos.
    apply Rle_trans with (p * (q * Pr (d (S k)) T + delta) + delta * (p - 1) / (q - 1)).
    + eapply Rle_trans; [exact IH|]. apply Rplus_le_compat_r. apply Rmult_le_compat_l; lra.
    + right. field. lra.
Qed.
