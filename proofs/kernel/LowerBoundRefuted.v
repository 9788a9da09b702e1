(* Lemma de-lower-bound-pan-2 and Theorem de-lower-bound, as printed: refuted.

   "Let eps <= 1, delta = O(eps/n), and beta < 0.1.  Suppose there exists (eps,delta)-pan-private Q that solves the
    (alpha,beta)-distinct elements problem on input length n >= k/eps for domain [k].  Then alpha = Omega(sqrt(k/eps))."

   D(x) is between 1 and k, so the constant answer (k+1)/2 errs by at most (k-1)/2, and it is private; with eps at most 4c^2/k that is less
   than c sqrt(k/eps), however large k is.  The missing hypothesis is that k eps is large (GroupPrivacy.de_lower_bound_pan_2). *)
From Coq Require Import Reals ZArith Lra Lia List Bool.
From PanshuffleKernel Require Import Law Closeness Parity Shuffle Messages ShuffleModel Online Transformation Calculus BinomialRefuted.
Import ListNotations.
Open Scope R_scope.

(* A type of k elements. *)
Fixpoint finite (k : nat) : Type := match k with O => Empty_set | S k => option (finite k) end.
Fixpoint all_of (k : nat) : list (finite k) := match k with O => [] | S k => None :: map Some (all_of k) end.
Definition same_of : forall k (a b : finite k), {a = b} + {a <> b}.
Proof. induction k; intros a b; [destruct a | decide equality]. Defined.
Lemma all_of_full : forall k (a : finite k), In a (all_of k).
Proof. induction k; intros a; [destruct a|]. destruct a as [a|]; [right; apply in_map; auto | left; auto]. Qed.
Lemma all_of_nodup : forall k, NoDup (all_of k).
Proof.
  induction k; [constructor|]. cbn [all_of]. constructor.
  - intro H. apply in_map_iff in H. destruct H as [a [H _]]. discriminate.
  - apply FinFun.Injective_map_NoDup; auto. intros a b Q. congruence.
Qed.
Lemma all_of_length : forall k, length (all_of k) = k.
Proof. induction k; [reflexivity|]. cbn [all_of length]. rewrite map_length, IHk. reflexivity. Qed.

Lemma distinct_range : forall k (x : list (finite k)), x <> [] -> (1 <= distinct (same_of k) x <= k)%nat.
Proof.
  intros k x H. unfold distinct. split.
  - destruct x as [|a x]; [congruence|]. assert (I : In a (nodup (same_of k) (a :: x))) by (apply nodup_In; left; auto).
    destruct (nodup (same_of k) (a :: x)); [destruct I | simpl; lia].
  - apply Nat.le_trans with (length (all_of k)); [|rewrite all_of_length; lia].
    apply NoDup_incl_length; [apply NoDup_nodup|]. intros a _. apply all_of_full.
Qed.

(* The answer (k+1)/2. *)
Definition middle (k : nat) : R := (INR k + 1) / 2.
Lemma middle_accurate : forall k (x : list (finite k)) (d : law R), x <> [] -> same_law d (point (middle k)) ->
  1 - 0 <= Pr d (within ((INR k - 1) / 2) (INR (distinct (same_of k) x))).
Proof.
  intros k x d H HD. unfold Pr. rewrite HD, E_point. destruct (distinct_range k x H) as [D1 D2]. apply le_INR in D1. apply le_INR in D2.
  simpl (INR 1) in D1. unfold within, middle. destruct (Rle_dec _ _) as [C|C]; [simpl; lra|]. exfalso. apply C.
  unfold Rabs. destruct (Rcase_abs _); lra.
Qed.

(* eps <= 1 with c sqrt(k/eps) > (k-1)/2. *)
Lemma small_eps : forall c k, 0 < c -> (1 <= k)%nat -> exists eps, 0 < eps <= 1 /\ (INR k - 1) / 2 < c * sqrt (INR k / eps).
Proof.
  intros c k Hc Hk. assert (K1 : 1 <= INR k) by (replace 1 with (INR 1) by reflexivity; apply le_INR; auto).
  exists (Rmin 1 (4 * (c * c) / INR k)). assert (CC : 0 < c * c) by (apply Rmult_lt_0_compat; auto).
  assert (P : 0 < 4 * (c * c) / INR k) by (apply Rdiv_lt_0_compat; lra).
  set (e := Rmin 1 (4 * (c * c) / INR k)). assert (E0 : 0 < e) by (unfold e; apply Rmin_glb_lt; lra).
  assert (E1 : e <= 1) by apply Rmin_l. assert (E2 : e <= 4 * (c * c) / INR k) by apply Rmin_r. split; [lra|].
  assert (S : INR k / (2 * c) <= sqrt (INR k / e)).
  { apply Rsqr_incr_0_var; [|apply sqrt_pos]. rewrite Rsqr_sqrt by (left; apply Rdiv_lt_0_compat; lra). unfold Rsqr.
    apply le_div; auto. apply Rle_trans with (INR k / (2 * c) * (INR k / (2 * c)) * (4 * (c * c) / INR k)).
    - apply Rmult_le_compat_l; auto. apply Rle_0_sqr.
    - right. field. lra. }
  apply Rmult_le_compat_l with (r := c) in S; [|lra]. replace (c * (INR k / (2 * c))) with (INR k / 2) in S by (field; lra). lra.
Qed.

(* The lemma as printed: for every constant in delta = O(eps/n) there are c > 0 and k_0 with alpha >= c sqrt(k/eps) for k >= k_0. *)
Definition pan_lower_bound_printed : Prop := forall C, 0 < C -> exists c0 k0, 0 < c0 /\
  forall (X State : Type) (same : forall a b : X, {a = b} + {a <> b}) (K : list X)
         (initial : law State) (update : X -> State -> law State) (output : State -> law R) (n : nat) (eps delta alpha beta : R),
  NoDup K -> (forall a, In a K) -> proper initial -> (forall a s, proper (update a s)) -> (forall s, proper (output s)) ->
  (k0 <= length K)%nat -> (0 < n)%nat -> 0 < eps <= 1 -> beta < 1 / 10 ->
  INR (length K) / eps <= INR n -> 0 <= delta <= C * eps / INR n ->
  pan_private n eps delta initial update output ->
  solves_distinct same n alpha beta (output_of initial update output) -> c0 * sqrt (INR (length K) / eps) <= alpha.

Lemma constant_process : forall X (x : list X) f, E (process (fun (_ : X) (_ : unit) => point tt) x tt) f = f tt.
Proof. induction x as [|a x IH]; intro f; cbn [process]; [apply E_point|]. rewrite E_bind, E_point. apply IH. Qed.

Theorem pan_lower_bound_refuted : ~ pan_lower_bound_printed.
Proof.
  intro H. destruct (H 1 ltac:(lra)) as [c0 [k0 [C0 B]]]. set (k := S k0).
  destruct (small_eps c0 k C0 ltac:(unfold k; lia)) as [eps [[E0 E1] S]].
  assert (K1 : 1 <= INR k) by (replace 1 with (INR 1) by reflexivity; apply le_INR; unfold k; lia).
  destruct (unbounded (INR k / eps)) as [n Hn].
  assert (N0 : 0 < INR n) by (eapply Rlt_trans; [|exact Hn]; apply Rdiv_lt_0_compat; lra).
  assert (N1 : (0 < n)%nat) by (destruct n; [simpl in N0; lra | lia]).
  assert (O : forall x, same_law (output_of (point tt) (fun (_ : finite k) (_ : unit) => point tt) (fun _ => point (middle k)) x) (point (middle k))).
  { intros x f. unfold output_of, state_after. rewrite !E_bind, E_point, constant_process. reflexivity. }
  assert (Q : c0 * sqrt (INR (length (all_of k)) / eps) <= (INR k - 1) / 2).
  { apply (B (finite k) unit (same_of k) (all_of k) (point tt) (fun _ _ => point tt) (fun _ => point (middle k)) n eps 0 ((INR k - 1) / 2) 0);
      try (intros; apply proper_point); auto; try lra.
    - apply all_of_nodup.
    - apply all_of_full.
    - rewrite all_of_length. unfold k. lia.
    - rewrite all_of_length. lra.
    - split; [lra|]. apply Rmult_le_pos; [lra | left; apply Rinv_0_lt_compat; auto].
    - intros t x x' L N T.
      assert (W : forall y, Pr (intruder_view (point tt) (fun (_ : finite k) (_ : unit) => point tt) (fun _ => point (middle k)) t y) T
        = indicator (T (tt, middle k))).
      { intro y. unfold Pr, intruder_view, state_after. rewrite !E_bind, E_point, constant_process, !E_bind, constant_process, !E_point. reflexivity. }
      rewrite !W. pose proof (exp_ineq1_le eps). pose proof (indicator_01 (T (tt, middle k))).
      assert (1 * indicator (T (tt, middle k)) <= exp eps * indicator (T (tt, middle k))) by (apply Rmult_le_compat_r; lra). lra.
    - intros x L. apply middle_accurate; auto. intro Z. subst x. simpl in L. lia. }
  rewrite all_of_length in Q. lra.
Qed.

(* The theorem as printed. *)
Definition shuffle_lower_bound_printed : Prop := forall C, 0 < C -> exists c0 k0, 0 < c0 /\
  forall (X Y : Type) (same : forall a b : X, {a = b} + {a <> b}) (K : list X)
         (randomize : nat -> randomizer X Y) (analyze : list Y -> law R) (n : nat) (eps delta alpha beta : R),
  NoDup K -> (forall a, In a K) -> (forall n a, proper (randomize n a)) -> (forall y, proper (analyze y)) ->
  (k0 <= length K)%nat -> (0 < n)%nat -> 0 < eps <= 1 -> beta < 1 / 10 ->
  3 * INR (length K) / eps <= INR n -> 0 <= delta <= C * eps / INR n ->
  robustly_shuffle_private randomize eps delta (1 / 3) ->
  solves_distinct same n alpha beta (execution (randomize n) analyze) -> c0 * sqrt (INR (length K) / eps) <= alpha.

Theorem shuffle_lower_bound_refuted : ~ shuffle_lower_bound_printed.
Proof.
  intro H. destruct (H 1 ltac:(lra)) as [c0 [k0 [C0 B]]]. set (k := S k0).
  destruct (small_eps c0 k C0 ltac:(unfold k; lia)) as [eps [[E0 E1] S]].
  assert (K1 : 1 <= INR k) by (replace 1 with (INR 1) by reflexivity; apply le_INR; unfold k; lia).
  destruct (unbounded (3 * INR k / eps)) as [n Hn].
  assert (N0 : 0 < INR n) by (eapply Rlt_trans; [|exact Hn]; apply Rdiv_lt_0_compat; lra).
  assert (N1 : (0 < n)%nat) by (destruct n; [simpl in N0; lra | lia]).
  set (silent := fun (_ : nat) (_ : finite k) => point (@nil unit)).
  assert (V : forall m x f, E (view (silent m) x) f = f []).
  { intros m x f. rewrite E_view. unfold messages. induction x as [|a x IH]; cbn [map concatenated].
    - rewrite E_point. cbn [shuffle]. apply E_point.
    - rewrite E_join. unfold silent at 1. rewrite E_point. exact IH. }
  assert (Q : c0 * sqrt (INR (length (all_of k)) / eps) <= (INR k - 1) / 2).
  { apply (B (finite k) unit (same_of k) (all_of k) silent (fun _ => point (middle k)) n eps 0 ((INR k - 1) / 2) 0);
      try (intros; apply proper_point); auto; try lra.
    - apply all_of_nodup.
    - apply all_of_full.
    - rewrite all_of_length. unfold k. lia.
    - rewrite all_of_length. lra.
    - split; [lra|]. apply Rmult_le_pos; [lra | left; apply Rinv_0_lt_compat; auto].
    - intros m honest Hh Hg x x' L N T. unfold Pr. rewrite !V. pose proof (exp_ineq1_le eps). pose proof (indicator_01 (T [])).
      assert (1 * indicator (T []) <= exp eps * indicator (T [])) by (apply Rmult_le_compat_r; lra). lra.
    - intros x L. apply middle_accurate; [intro Z; subst x; simpl in L; lia|].
      intro f. unfold execution. rewrite E_bind, V. reflexivity. }
  rewrite all_of_length in Q. lra.
Qed.
