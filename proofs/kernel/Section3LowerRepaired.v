(* Section 3.2, decided: Lemma de-lower-bound-pan-2 and Theorem de-lower-bound for k eps above a constant, given Lemma
   de-lower-bound-pan.  Q' passes s = floor(1/eps) copies of each element to Q, and pads the stream. *)
From Coq Require Import Reals ZArith Lra Lia List Bool Permutation FunctionalExtensionality.
From PanshuffleKernel Require Law Closeness Transformation Power.
From PanshuffleKernel Require Import Paper Countable Privacy Model Section3Transformation Section3LowerAsPrinted.
Import ListNotations.
Open Scope R_scope.

Section Copies.
Context {X State : Type} (U : universe X) (Q : online X State R) (s k' : nat) (pad : list X).
Hypothesis QA : online_algorithm Q.
Hypothesis s_pos : (0 < s)%nat.
Hypothesis fits : (k' * s <= length (elements U))%nat.
(* The s copies of i. *)
Definition copies (i : below k') : list X := firstn s (skipn (proj1_sig i * s) (elements U)).
Lemma copies_length : forall i, length (copies i) = s.
Proof. intros [i I]. unfold copies. cbn [proj1_sig]. rewrite firstn_length, skipn_length. nia. Qed.
Definition stream (x : list (below k')) : list X := flat_map copies x ++ pad.
Definition Q' : online (below k') State R := Online (initial Q)
  (fun i => process (update Q) (copies i))
  (fun st => bind (bind (process (update Q) pad st) (output Q)) (fun z => point (z / INR s))).
Lemma flat_length : forall x, length (flat_map copies x) = (s * length x)%nat.
Proof. induction x as [|a x IH]; [simpl; lia|]. cbn [flat_map length]. rewrite app_length, copies_length, IH. lia. Qed.

Lemma PU : forall a st, proper (update Q a st).
Proof. apply QA. Qed.
Lemma PO : forall st, proper (output Q st).
Proof. apply QA. Qed.
Lemma PI : proper (initial Q).
Proof. apply QA. Qed.
Lemma proper_Q' : online_algorithm Q'.
Proof.
  split; [apply PI | split].
  - intros a st. apply proper_process, PU.
  - intro st. cbn. apply proper_bind; [|intro; apply proper_point]. apply proper_bind; [apply proper_process, PU | apply PO].
Qed.
Lemma process_app : forall x y st f, bounded f -> E (process (update Q) (x ++ y) st) f = E (process (update Q) x st) (fun t => E (process (update Q) y t) f).
Proof.
  induction x as [|a x IH]; intros y st f F; cbn [app process].
  - rewrite E_point. reflexivity.
  - rewrite !E_bind; auto using PU, proper_process; try (apply bounded_E; auto; intro; apply proper_process, PU); try (intro; apply proper_process, PU).
    apply E_ext; intro t. apply IH; auto.
Qed.
Lemma process_copies : forall x st f, bounded f -> E (process (update Q') x st) f = E (process (update Q) (flat_map copies x) st) f.
Proof.
  induction x as [|a x IH]; intros st f F; cbn [process flat_map].
  - reflexivity.
  - rewrite process_app by auto. rewrite E_bind; auto.
    + apply E_ext; intro t. apply IH; auto.
    + apply proper_process, PU.
    + intro t. apply proper_process. intros; apply proper_process, PU.
Qed.

Definition seen_copies (t : nat) (y : list X) : law (State * R) :=
  bind (intruder_view Q t y) (fun v => point (fst v, snd v / INR s)).
Lemma firstn_flat : forall t x, (t <= length x)%nat -> firstn (s * t) (stream x) = flat_map copies (firstn t x).
Proof.
  intros t x L. unfold stream. rewrite firstn_app, flat_length. replace (s * t - s * length x)%nat with O by nia. rewrite firstn_O, app_nil_r.
  revert t L. induction x as [|a x IH]; intros t L; [replace t with O by (simpl in L; lia); rewrite Nat.mul_0_r; reflexivity|].
  destruct t as [|t]; [rewrite Nat.mul_0_r; reflexivity|]. cbn [firstn flat_map]. rewrite firstn_app, copies_length.
  replace (s * S t - s)%nat with (s * t)%nat by lia. rewrite IH by (simpl in L; lia). rewrite firstn_all2 by (rewrite copies_length; lia). reflexivity.
Qed.
Lemma skipn_flat : forall t x, (t <= length x)%nat -> skipn (s * t) (stream x) = flat_map copies (skipn t x) ++ pad.
Proof.
  intros t x L. unfold stream. rewrite skipn_app, flat_length. replace (s * t - s * length x)%nat with O by nia. rewrite skipn_O. f_equal.
  revert t L. induction x as [|a x IH]; intros t L; [replace t with O by (simpl in L; lia); rewrite Nat.mul_0_r; reflexivity|].
  destruct t as [|t]; [rewrite Nat.mul_0_r; reflexivity|]. cbn [skipn flat_map]. rewrite skipn_app, copies_length.
  replace (s * S t - s)%nat with (s * t)%nat by lia. rewrite IH by (simpl in L; lia). rewrite skipn_all2 by (rewrite copies_length; lia). reflexivity.
Qed.
Lemma view_copies : forall t x, same_law (seen_copies (s * Nat.min t (length x)) (stream x)) (intruder_view Q' t x).
Proof.
  intros t x f [M HM]. assert (F : bounded f) by (exists M; auto). set (t' := Nat.min t (length x)).
  assert (FT : firstn t x = firstn t' x) by (unfold t'; destruct (le_lt_dec t (length x)); [rewrite Nat.min_l by lia; auto | rewrite Nat.min_r by lia; rewrite !firstn_all2 by lia; auto]).
  assert (ST : skipn t x = skipn t' x) by (unfold t'; destruct (le_lt_dec t (length x)); [rewrite Nat.min_l by lia; auto | rewrite Nat.min_r by lia; rewrite !skipn_all2 by lia; auto]).
  unfold seen_copies, intruder_view. rewrite FT, ST, firstn_flat, skipn_flat by (unfold t'; lia).
  assert (P1 : forall y, proper (bind (initial Q) (process (update Q) y))) by (intro; apply proper_bind; [apply PI | intro; apply proper_process, PU]).
  assert (P2 : forall y st, proper (bind (process (update Q) y st) (output Q))) by (intros; apply proper_bind; [apply proper_process, PU | apply PO]).
  assert (P3 : forall y st, proper (bind (bind (process (update Q) y st) (output Q)) (fun z => point (st, z)))) by (intros; apply proper_bind; [apply P2 | intro; apply proper_point]).
  destruct proper_Q' as [A1 [A2 A3]].
  assert (P4 : forall y st, proper (bind (process (update Q') y st) (output Q'))) by (intros; apply proper_bind; [apply proper_process, A2 | apply A3]).
  assert (P5 : forall y st, proper (bind (bind (process (update Q') y st) (output Q')) (fun z => point (st, z)))) by (intros; apply proper_bind; [apply P4 | intro; apply proper_point]).
  rewrite E_bind; [|apply proper_bind; auto | intro; apply proper_point | auto].
  assert (BG : bounded (fun v : State * R => E (point (fst v, snd v / INR s)) f)) by (exists M; intro v; rewrite E_point; auto).
  rewrite E_bind; [|auto | auto | auto].
  symmetry. rewrite E_bind; [|apply proper_bind; [apply PI | intro; apply proper_process, A2] | auto | auto].
  assert (BI : bounded (fun st => E (bind (bind (process (update Q') (skipn t' x) st) (output Q')) (fun z => point (st, z))) f)) by (exists M; intro; apply E_abs; auto).
  (* the states *)
  rewrite E_bind; [|apply PI | intro; apply proper_process, A2 | auto].
  rewrite E_bind; [|apply PI | intro; apply proper_process, PU | exists M; intro; apply E_abs; [apply P3 | intro; rewrite E_point; auto]].
  apply E_ext; intro st0. rewrite process_copies by auto. apply E_ext; intro st.
  (* the outputs *)
  rewrite E_bind; [|apply P4 | intro; apply proper_point | auto].
  assert (B1 : bounded (fun z => E (point (st, z)) f)) by (exists M; intro; rewrite E_point; auto).
  rewrite E_bind; [|apply proper_process, A2 | apply A3 | auto].
  rewrite process_copies by (apply bounded_E; auto).
  rewrite E_bind; [|apply P2 | intro; apply proper_point | auto].
  rewrite E_bind; [|apply proper_process, PU | apply PO | exists M; intro; rewrite E_point, E_point; auto].
  rewrite process_app by (apply bounded_E; [apply PO | exists M; intro; rewrite E_point, E_point; auto]).
  apply E_ext; intro st1. cbn [output Q'].
  rewrite E_bind; [|apply P2 | intro; apply proper_point | auto].
  rewrite E_bind; [|apply proper_process, PU | apply PO | exists M; intro; rewrite E_point; rewrite E_point; auto].
  apply E_ext; intro st2. apply E_ext; intro z. rewrite !E_point. reflexivity.
Qed.

(* Chains of streams. *)
Definition hybrid (u A B v : list X) (i : nat) : list X := u ++ (firstn i B ++ skipn i A) ++ v.
Lemma hybrid_step : forall u A B v i, length A = s -> length B = s -> (i < s)%nat -> neighbours (hybrid u A B v i) (hybrid u A B v (S i)).
Proof.
  intros u A B v i LA LB I. unfold hybrid.
  destruct (nth_error A i) as [a|] eqn:NA; [|apply nth_error_None in NA; lia]. destruct (nth_error B i) as [b|] eqn:NB; [|apply nth_error_None in NB; lia].
  assert (SA : skipn i A = a :: skipn (S i) A).
  { clear -NA. revert A NA. induction i; intros [|c A] NA; simpl in *; try discriminate; [inversion NA; auto | apply IHi; auto]. }
  assert (FB : firstn (S i) B = firstn i B ++ [b]).
  { clear -NB. revert B NB. induction i; intros [|c B] NB; simpl in *; try discriminate; [inversion NB; auto|]. f_equal. apply IHi; auto. }
  exists (u ++ firstn i B), a, b, (skipn (S i) A ++ v). rewrite SA, FB. split; rewrite <- ?app_assoc; simpl; rewrite <- ?app_assoc; reflexivity.
Qed.
Lemma copies_pan_private : forall n' n eps delta, 0 < eps -> 0 <= delta -> (s * n' + length pad = n)%nat -> pan_private n eps delta Q ->
  pan_private n' (INR s * eps) (delta * (exp (INR s * eps) - 1) / (exp eps - 1)) Q'.
Proof.
  intros n' n eps delta HE HD NN PRIV t x x' L NB.
  assert (LX : length x = length x') by (exact (Closeness.neighbours_length x x' NB)).
  apply (close_same _ _ _ _ _ _ (view_copies t x) (view_copies t x')). unfold seen_copies.
  assert (PV : forall t y, proper (intruder_view Q t y)) by (intros; apply proper_intruder_view; auto).
  apply post_processing; auto; [intro; apply proper_point|]. rewrite <- LX. set (T := (s * Nat.min t (length x))%nat).
  destruct NB as [u [a [b [v [N1 N2]]]]].
  assert (S0 : stream x = hybrid (flat_map copies u) (copies a) (copies b) (flat_map copies v ++ pad) 0).
  { unfold stream, hybrid. subst x. rewrite flat_map_app. cbn [flat_map firstn skipn app]. rewrite <- !app_assoc. reflexivity. }
  assert (S1 : stream x' = hybrid (flat_map copies u) (copies a) (copies b) (flat_map copies v ++ pad) s).
  { unfold stream, hybrid. subst x'. rewrite flat_map_app. cbn [flat_map]. rewrite firstn_all2, skipn_all2 by (rewrite copies_length; lia).
    rewrite app_nil_r, <- !app_assoc. reflexivity. }
  rewrite S0, S1.
  apply (group_privacy_step_repaired_holds _ s (fun i => intruder_view Q T (hybrid (flat_map copies u) (copies a) (copies b) (flat_map copies v ++ pad) i)) eps delta HE HD).
  intros i I. apply PRIV; [|apply hybrid_step; auto using copies_length].
  unfold hybrid. rewrite !app_length, firstn_length, skipn_length, !copies_length, !flat_length. subst x. rewrite app_length in L. cbn [length] in L. nia.
Qed.

(* Distinct elements. *)
Lemma block_part : forall i, exists l r, elements U = l ++ copies i ++ r /\ length l = (proj1_sig i * s)%nat.
Proof.
  intros [i I]. exists (firstn (i * s) (elements U)), (skipn s (skipn (i * s) (elements U))). unfold copies. cbn [proj1_sig].
  rewrite firstn_skipn, firstn_skipn. split; auto. rewrite firstn_length. nia.
Qed.
Lemma copies_apart : forall i j a, In a (copies i) -> In a (copies j) -> i = j.
Proof.
  assert (W : forall i j a, (proj1_sig i < proj1_sig j)%nat -> In a (copies i) -> In a (copies j) -> False).
  { intros i j a LT I J. pose proof (no_repetition X U) as N.
    assert (I' : In a (firstn (proj1_sig j * s) (elements U))).
    { unfold copies in I. assert (E : firstn (proj1_sig j * s) (elements U) = firstn (proj1_sig i * s) (elements U) ++ firstn (proj1_sig j * s - proj1_sig i * s) (skipn (proj1_sig i * s) (elements U))).
      { rewrite <- (firstn_skipn (proj1_sig i * s) (elements U)) at 1. rewrite firstn_app, firstn_firstn.
        destruct i as [i HI], j as [j HJ]. cbn [proj1_sig] in *. rewrite firstn_length. replace (Nat.min (j * s) (i * s)) with (i * s)%nat by nia. f_equal. f_equal. nia. }
      rewrite E. apply in_or_app. right. replace (firstn (proj1_sig j * s - proj1_sig i * s) (skipn (proj1_sig i * s) (elements U)))
        with (firstn s (skipn (proj1_sig i * s) (elements U)) ++ firstn (proj1_sig j * s - proj1_sig i * s - s) (skipn s (skipn (proj1_sig i * s) (elements U)))).
      - apply in_or_app. left. exact I.
      - rewrite <- (firstn_skipn s (skipn (proj1_sig i * s) (elements U))) at 3. rewrite firstn_app, firstn_firstn, firstn_length, skipn_length.
        destruct i as [i HI], j as [j HJ]. cbn [proj1_sig] in *. replace (Nat.min (j * s - i * s) s) with s by nia. f_equal. f_equal. nia. }
    assert (J' : In a (skipn (proj1_sig j * s) (elements U))).
    { unfold copies in J. rewrite <- (firstn_skipn s (skipn (proj1_sig j * s) (elements U))). apply in_or_app. left; auto. }
    rewrite <- (firstn_skipn (proj1_sig j * s) (elements U)) in N.
    clear -N I' J'. induction (firstn (proj1_sig j * s) (elements U)) as [|b l IH]; [destruct I'|]. cbn [app] in N. inversion N; subst.
    destruct I' as [I'|I']; [subst; apply H1; apply in_or_app; auto | apply IH; auto]. }
  intros i j a I J. destruct (Nat.lt_trichotomy (proj1_sig i) (proj1_sig j)) as [L|[L|L]]; [exfalso; eauto | apply below_eq; auto | exfalso; eauto].
Qed.
Lemma copies_nodup : forall i, NoDup (copies i).
Proof.
  intro i. destruct (block_part i) as [l [r [E _]]]. pose proof (no_repetition X U) as N. rewrite E in N.
  assert (R1 : forall (l r : list X), NoDup (l ++ r) -> NoDup r) by (induction l0 as [|b l0 IH]; intros r0 H; auto; inversion H; auto).
  apply R1 in N. clear -N. induction (copies i) as [|b c IH]; [constructor|]. cbn [app] in N. inversion N; subst. constructor; auto. intro; apply H1; apply in_or_app; auto.
Qed.
Lemma flat_nodup : forall x, NoDup x -> NoDup (flat_map copies x).
Proof.
  induction 1 as [|i x H N IH]; [constructor|]. cbn [flat_map].
  assert (D : forall a, In a (copies i) -> ~ In a (flat_map copies x)).
  { intros a I J. apply in_flat_map in J. destruct J as [j [J1 J2]]. apply H. rewrite (copies_apart i j a I J2). auto. }
  pose proof (copies_nodup i) as NC. revert D NC. generalize (copies i). induction l as [|b l IHl]; intros D NC; [exact IH|]. inversion NC; subst.
  cbn [app]. constructor; [intro J; apply in_app_or in J; destruct J as [J|J]; [auto | apply (D b (or_introl eq_refl) J)] | apply IHl; auto; intros; apply D; right; auto].
Qed.
Lemma distinct_stream : forall one x, (forall a, In a pad -> a = one) ->
  INR s * distinct (numbers k') x <= distinct U (stream x) <= INR s * distinct (numbers k') x + 1.
Proof.
  intros one x PAD. unfold distinct. rewrite <- mult_INR. set (y := nodup (same (numbers k')) x).
  assert (LY : length (flat_map copies y) = (s * length y)%nat) by apply flat_length.
  assert (NY : NoDup (flat_map copies y)) by (apply flat_nodup, NoDup_nodup).
  split.
  - apply le_INR. rewrite <- LY. apply NoDup_incl_length; auto. intros a I. apply nodup_In. unfold stream. apply in_or_app. left.
    apply in_flat_map in I. destruct I as [j [J1 J2]]. apply in_flat_map. exists j. split; auto. apply nodup_In in J1. auto.
  - change 1 with (INR 1). rewrite <- plus_INR. apply le_INR. rewrite <- LY. replace (length (flat_map copies y) + 1)%nat with (length (one :: flat_map copies y)) by (simpl; lia).
    apply NoDup_incl_length; [apply NoDup_nodup|]. intros a I. apply nodup_In in I. unfold stream in I. apply in_app_or in I. destruct I as [I|I].
    + right. apply in_flat_map in I. destruct I as [j [J1 J2]]. apply in_flat_map. exists j. split; auto. apply nodup_In; auto.
    + left. symmetry. auto.
Qed.
Lemma output_copies : forall x f, bounded f -> E (output_of Q' x) f = E (output_of Q (stream x)) (fun z => f (z / INR s)).
Proof.
  intros x f [M HM]. assert (F : bounded f) by (exists M; auto). destruct proper_Q' as [A1 [A2 A3]]. unfold output_of.
  rewrite E_bind; [|apply proper_bind; [apply A1 | intro; apply proper_process, A2] | apply A3 | auto].
  rewrite E_bind; [|apply A1 | intro; apply proper_process, A2 | apply bounded_E; auto].
  rewrite E_bind; [|apply proper_bind; [apply PI | intro; apply proper_process, PU] | apply PO | exists M; auto].
  rewrite E_bind; [|apply PI | intro; apply proper_process, PU | apply bounded_E; [apply PO | exists M; auto]].
  apply E_ext; intro st0. rewrite process_copies by (apply bounded_E; auto). unfold stream.
  rewrite process_app by (apply bounded_E; [apply PO | exists M; auto]). apply E_ext; intro st. cbn [output Q'].
  rewrite E_bind; [|apply proper_bind; [apply proper_process, PU | apply PO] | intro; apply proper_point | auto].
  rewrite E_bind; [|apply proper_process, PU | apply PO | exists M; intro; rewrite E_point; auto].
  apply E_ext; intro st2. apply E_ext; intro z. rewrite E_point. reflexivity.
Qed.
Lemma copies_accurate : forall one n' n alpha beta, (forall a, In a pad -> a = one) -> (s * n' + length pad = n)%nat ->
  solves_distinct U n alpha beta (output_of Q) -> solves_distinct (numbers k') n' ((alpha + 1) / INR s) beta (output_of Q').
Proof.
  intros one n' n alpha beta PAD NN SOL x L. assert (SP : 0 < INR s) by (apply lt_0_INR; auto).
  assert (LS : length (stream x) = n) by (unfold stream; rewrite app_length, flat_length, L; auto).
  specialize (SOL (stream x) LS). eapply Rle_trans; [exact SOL|]. unfold Pr at 2. rewrite output_copies by apply bounded_indicator.
  apply E_le; [apply proper_output_of; auto | apply bounded_indicator | apply (bounded_comp (fun z => z / INR s) (fun z => indicator (le (Rabs (z - distinct (numbers k') x)) ((alpha + 1) / INR s)))); apply bounded_indicator|].
  intro z. pose proof (distinct_stream one x PAD) as [D1 D2]. unfold le.
  destruct (Rle_dec (Rabs (z - distinct U (stream x))) alpha) as [A|A]; simpl; [|destruct (Rle_dec _ _); simpl; lra].
  destruct (Rle_dec (Rabs (z / INR s - distinct (numbers k') x)) ((alpha + 1) / INR s)) as [B|B]; simpl; [lra|]. exfalso. apply B.
  replace (z / INR s - distinct (numbers k') x) with ((z - INR s * distinct (numbers k') x) * / INR s) by (field; lra).
  rewrite Rabs_mult, (Rabs_pos_eq (/ INR s)) by (left; apply Rinv_0_lt_compat; auto). unfold Rdiv.
  apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; auto|]. revert A. unfold Rabs. repeat destruct Rcase_abs; lra.
Qed.
End Copies.

Lemma floor_nat : forall x, 0 <= x -> exists n : nat, INR n <= x < INR n + 1.
Proof.
  intros x H. destruct (archimed x) as [A B]. assert (0 <= up x - 1)%Z.
  { assert (0 < up x)%Z by (apply lt_IZR; simpl; lra). lia. }
  exists (Z.to_nat (up x - 1)). rewrite INR_IZR_INZ, Z2Nat.id, minus_IZR by auto. lra.
Qed.
Lemma group_delta : forall s eps, 0 < eps -> INR s * eps <= 1 -> (exp (INR s * eps) - 1) / (exp eps - 1) <= exp 1 * INR s.
Proof.
  intros s eps HE HS. pose proof (exp_ineq1 eps ltac:(lra)) as X. pose proof (exp_ineq1_le (- (INR s * eps))) as Y.
  pose proof (exp_le (INR s * eps) 1 HS) as Z. pose proof (exp_pos (INR s * eps)) as P. pose proof (pos_INR s) as S0.
  apply Rmult_le_reg_r with (exp eps - 1); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. rewrite Rmult_1_r.
  assert (Q : exp (INR s * eps) - 1 = exp (INR s * eps) * (1 - exp (- (INR s * eps)))) by (rewrite exp_Ropp; field; lra). rewrite Q.
  apply Rle_trans with (exp 1 * (INR s * eps)).
  - apply Rmult_le_compat; try lra. assert (exp (- (INR s * eps)) <= 1) by (apply Rle_trans with (exp 0); [apply exp_le; nra | rewrite exp_0; lra]). lra.
  - rewrite Rmult_assoc. apply Rmult_le_compat_l; [left; apply exp_pos|]. apply Rmult_le_compat_l; lra.
Qed.

Theorem lem_de_lower_bound_pan_2_repaired_holds : lem_de_lower_bound_pan_2_repaired.
Proof.
  intros CITED D0 HD0. pose proof (exp_pos 1) as E1.
  destruct (CITED 1 (exp 1 * D0) ltac:(lra) ltac:(apply Rmult_lt_0_compat; auto)) as [a' [k0' [A0 AA]]].
  exists (a' / 4), (Rmax (k0' + 1) (Rmax 2 (16 / (a' * a')))). split; [lra|].
  intros X State U Q n eps delta alpha beta HK HN QA HE HD HB PRIV SOL.
  assert (K1 : k0' + 1 <= size U * eps) by (eapply Rle_trans; [apply Rmax_l | exact HK]).
  assert (K2 : 2 <= size U * eps) by (eapply Rle_trans; [apply Rmax_l|]; eapply Rle_trans; [apply Rmax_r | exact HK]).
  assert (K3 : 16 / (a' * a') <= size U * eps) by (eapply Rle_trans; [apply Rmax_r|]; eapply Rle_trans; [apply Rmax_r | exact HK]).
  set (k := size U) in *. assert (KP : 0 < k) by nra.
  (* s = floor(1/eps), k' = floor(k/s), n' = floor(n/s) *)
  destruct (floor_nat (1 / eps)) as [s [S1 S2]]; [left; apply Rdiv_lt_0_compat; lra|].
  assert (IE : 1 / eps * eps = 1) by (field; lra).
  assert (SE : INR s * eps <= 1) by (rewrite <- IE; apply Rmult_le_compat_r; lra).
  assert (SG : 1 < (INR s + 1) * eps) by (rewrite <- IE at 1; apply Rmult_lt_compat_r; lra).
  assert (SP : (0 < s)%nat).
  { apply INR_lt. simpl (INR 0). assert (1 <= 1 / eps) by (apply Rmult_le_reg_r with eps; lra). destruct s; [simpl in *; lra | apply lt_0_INR; lia]. }
  assert (SR : 1 <= INR s) by (change 1 with (INR 1); apply le_INR; lia).
  set (kn := length (elements U)). assert (KN : k = INR kn) by reflexivity.
  set (k' := (kn / s)%nat). set (n' := (n / s)%nat).
  assert (KD : (kn = s * k' + kn mod s)%nat) by (apply Nat.div_mod; lia). assert (KM : (kn mod s < s)%nat) by (apply Nat.mod_upper_bound; lia).
  assert (ND : (n = s * n' + n mod s)%nat) by (apply Nat.div_mod; lia). assert (NM : (n mod s < s)%nat) by (apply Nat.mod_upper_bound; lia).
  assert (X0 : exists one : X, True).
  { destruct (elements U) as [|one l] eqn:Z; [exfalso; unfold k, size in KP; rewrite Z in KP; simpl in KP; lra | exists one; auto]. }
  destruct X0 as [one _]. set (pad := repeat one (n mod s)).
  assert (FIT : (k' * s <= length (elements U))%nat) by (fold kn; lia).
  assert (NN : (s * n' + length pad = n)%nat) by (unfold pad; rewrite repeat_length; lia).
  assert (PAD : forall a, In a pad -> a = one) by (intros a I; apply (repeat_spec _ _ _ I)).
  pose proof (copies_pan_private U Q s k' pad QA SP FIT n' n eps delta ltac:(lra) ltac:(lra) NN PRIV) as PRIV'.
  pose proof (copies_accurate U Q s k' pad QA SP FIT one n' n alpha beta PAD NN SOL) as SOL'.
  (* sizes *)
  assert (KS : k < INR s * (INR k' + 1)).
  { rewrite KN. replace (INR k' + 1) with (INR (S k')) by (rewrite S_INR; auto). rewrite <- mult_INR. apply lt_INR. lia. }
  assert (KL : k / INR s - 1 < INR k').
  { apply Rmult_lt_reg_r with (INR s); [lra|]. replace ((k / INR s - 1) * INR s) with (k - INR s) by (field; lra). lra. }
  assert (KE : k * eps <= k / INR s).
  { apply Rmult_le_reg_r with (INR s); [lra|]. replace (k / INR s * INR s) with k by (field; lra). replace (k * eps * INR s) with (k * (INR s * eps)) by ring.
    rewrite <- (Rmult_1_r k) at 2. apply Rmult_le_compat_l; lra. }
  assert (NK : (kn <= n')%nat).
  { apply INR_le. rewrite <- KN.
    assert (k * INR s <= INR n). { eapply Rle_trans; [|exact HN]. unfold Rdiv. apply Rmult_le_compat_l; [lra|]. unfold Rdiv in S1. lra. }
    assert ((kn * s <= n)%nat) by (apply INR_le; rewrite mult_INR, <- KN; auto). rewrite KN. apply le_INR. unfold n'. apply Nat.div_le_lower_bound; lia. }
  assert (KK : (k' <= kn)%nat) by (unfold k'; apply Nat.div_le_upper_bound; nia).
  assert (NP : (0 < n')%nat).
  { assert ((0 < kn)%nat) by (apply INR_lt; rewrite <- KN; simpl; lra). lia. }
  assert (NN' : INR n' <= INR n) by (apply le_INR; nia). assert (NPR : 0 < INR n') by (apply lt_0_INR; auto).
  assert (GD : 0 <= delta * (exp (INR s * eps) - 1) / (exp eps - 1) <= exp 1 * D0 / INR n').
  { pose proof (group_delta s eps ltac:(lra) SE) as G. pose proof (exp_ineq1 eps ltac:(lra)). assert (1 <= exp (INR s * eps)) by (rewrite <- exp_0; apply exp_le; nra).
    replace (delta * (exp (INR s * eps) - 1) / (exp eps - 1)) with (delta * ((exp (INR s * eps) - 1) / (exp eps - 1))) by (unfold Rdiv; ring).
    assert (0 <= (exp (INR s * eps) - 1) / (exp eps - 1)) by (apply Rmult_le_pos; [lra | left; apply Rinv_0_lt_compat; lra]).
    split; [apply Rmult_le_pos; lra|].
    apply Rle_trans with (D0 * eps / INR n * (exp 1 * INR s)); [apply Rmult_le_compat; lra|].
    apply Rle_trans with (exp 1 * D0 / INR n).
    - replace (D0 * eps / INR n * (exp 1 * INR s)) with (exp 1 * D0 / INR n * (INR s * eps)) by (unfold Rdiv; ring).
      rewrite <- (Rmult_1_r (exp 1 * D0 / INR n)) at 2. apply Rmult_le_compat_l; [|lra]. left. apply Rdiv_lt_0_compat; [apply Rmult_lt_0_compat; lra | lra].
    - apply Rmult_le_compat_l; [left; apply Rmult_lt_0_compat; lra | apply Rinv_le_contravar; lra]. }
  pose proof (AA (below k') State (numbers k') (Q' U Q s k' pad) n' (INR s * eps) _ ((alpha + 1) / INR s) beta
    ltac:(rewrite numbers_size; split; [lra | apply le_INR; lia]) (proper_Q' U Q s k' pad QA) ltac:(split; [nra | lra]) GD HB PRIV' SOL') as LOW.
  rewrite numbers_size in LOW.
  (* alpha + 1 >= s a' sqrt k' *)
  assert (L1 : INR s * (a' * sqrt (INR k')) <= alpha + 1).
  { apply Rmult_le_reg_r with (/ INR s); [apply Rinv_0_lt_compat; lra|]. replace (INR s * (a' * sqrt (INR k')) * / INR s) with (a' * sqrt (INR k')) by (field; lra). exact LOW. }
  assert (K'2 : k / (2 * INR s) <= INR k').
  { assert (k / INR s >= 2) by lra. replace (k / (2 * INR s)) with (k / INR s / 2) by (field; lra). lra. }
  assert (SQ : / 2 * sqrt (k / eps) <= INR s * sqrt (INR k')).
  { rewrite <- (sqrt_pow2 (INR s)) at 1 by lra. rewrite <- sqrt_mult_alt by (apply pow2_ge_0).
    replace (/ 2 * sqrt (k / eps)) with (sqrt (/ 4 * (k / eps))).
    2:{ rewrite sqrt_mult_alt by lra. f_equal. replace (/ 4) with ((/ 2) ^ 2) by field. apply sqrt_pow2. lra. }
    apply sqrt_le_1_alt. apply Rle_trans with (INR s ^ 2 * (k / (2 * INR s))); [|apply Rmult_le_compat_l; [apply pow2_ge_0 | auto]].
    replace (INR s ^ 2 * (k / (2 * INR s))) with (k * (INR s / 2)) by (field; lra). replace (/ 4 * (k / eps)) with (k * (1 / eps / 4)) by (field; lra).
    apply Rmult_le_compat_l; lra. }
  assert (BIG : 1 <= a' / 4 * sqrt (k / eps)).
  { assert (16 / (a' * a') <= k / eps).
    { eapply Rle_trans; [exact K3|]. unfold Rdiv. apply Rmult_le_compat_l; [lra|]. apply Rle_trans with 1; [lra|]. rewrite <- Rinv_1. apply Rinv_le_contravar; lra. }
    replace 1 with (a' / 4 * sqrt (16 / (a' * a'))).
    - apply Rmult_le_compat_l; [lra|]. apply sqrt_le_1_alt; auto.
    - replace (16 / (a' * a')) with ((4 / a') ^ 2) by (field; lra). rewrite sqrt_pow2 by (left; apply Rdiv_lt_0_compat; lra). field. lra. }
  assert (L2 : a' * (/ 2 * sqrt (k / eps)) <= INR s * (a' * sqrt (INR k'))) by (replace (INR s * (a' * sqrt (INR k'))) with (a' * (INR s * sqrt (INR k'))) by ring; apply Rmult_le_compat_l; lra).
  lra.
Qed.

Theorem thm_de_lower_bound_repaired_holds : thm_de_lower_bound_repaired.
Proof.
  intros CITED D0 HD0. destruct (lem_de_lower_bound_pan_2_repaired_holds CITED D0 HD0) as [a [k0 [A0 AA]]].
  exists (a / 2), (Rmax k0 (Rmax 1 (4 / (a * a)))). split; [lra|].
  intros C X Y U P third eps delta alpha beta n HK HN PP HE HD HB RB SOL.
  assert (K1 : k0 <= size U * eps) by (eapply Rle_trans; [apply Rmax_l | exact HK]).
  assert (K2 : 1 <= size U * eps) by (eapply Rle_trans; [apply Rmax_l|]; eapply Rle_trans; [apply Rmax_r | exact HK]).
  assert (K3 : 4 / (a * a) <= size U * eps) by (eapply Rle_trans; [apply Rmax_r|]; eapply Rle_trans; [apply Rmax_r | exact HK]).
  set (k := size U) in *. assert (KP : 0 < k) by nra.
  assert (NR : INR n = 3 * INR third) by (unfold n; rewrite mult_INR; simpl; ring).
  assert (T0 : (0 < third)%nat).
  { apply INR_lt. simpl (INR 0). assert (0 < 3 * k / eps) by (apply Rdiv_lt_0_compat; lra). lra. }
  assert (TR : 0 < INR third) by (apply lt_0_INR; auto).
  assert (HT : k / eps <= INR third) by (rewrite NR in HN; assert (3 * (k / eps) <= 3 * INR third) by (unfold Rdiv in *; lra); lra).
  assert (HDT : 0 <= delta <= D0 * eps / INR third).
  { split; [lra|]. eapply Rle_trans; [apply HD|]. rewrite NR. unfold Rdiv. apply Rmult_le_compat_l; [apply Rmult_le_pos; lra | apply Rinv_le_contravar; lra]. }
  destruct (elements U) as [|one l] eqn:Z; [exfalso; unfold k, size in KP; rewrite Z in KP; simpl in KP; lra|].
  destruct (lem_de_transformation_holds C X Y U P one third eps delta alpha beta PP T0 RB SOL) as [PRIV SOLQ].
  pose proof (AA X _ U (Q_DE P (3 * third) (repeat one third)) third eps delta (alpha + 1) beta K1
    HT (proper_Q_DE P (3 * third) (repeat one third) PP) HE
    HDT HB PRIV SOLQ) as LOW. fold k in LOW.
  assert (BIG : 1 <= a / 2 * sqrt (k / eps)).
  { assert (4 / (a * a) <= k / eps).
    { eapply Rle_trans; [exact K3|]. unfold Rdiv. apply Rmult_le_compat_l; [lra|]. apply Rle_trans with 1; [lra|]. rewrite <- Rinv_1. apply Rinv_le_contravar; lra. }
    replace 1 with (a / 2 * sqrt (4 / (a * a))).
    - apply Rmult_le_compat_l; [lra|]. apply sqrt_le_1_alt; auto.
    - replace (4 / (a * a)) with ((2 / a) ^ 2) by (field; lra). rewrite sqrt_pow2 by (left; apply Rdiv_lt_0_compat; lra). field. lra. }
  lra.
Qed.
