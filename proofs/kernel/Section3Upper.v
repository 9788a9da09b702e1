(* Section 3, decided: the upper bound. *)
From Coq Require Import Reals Lra Lia List Bool Permutation FunctionalExtensionality.
From PanshuffleKernel Require Law Closeness Power EpsPrime Parity Shuffle Messages ShuffleModel Distinct DistinctRobust Shares Ikos
  DistinctAccuracy TightPair Transformation Hoeffding Composition.
From PanshuffleKernel Require Import Paper Countable Privacy Model Finite.
Import ListNotations.
Open Scope R_scope.

(* ---- Theorem ikos ---- *)
Lemma hides_lift : forall (m : nat) honest Delta, (0 < m)%nat -> Distinct.hides_all_but_sum (Shares.R_MOD m) honest Delta ->
  forall h, length h = honest -> tv_at_most (view (R_MOD m) h) (view (R_MOD m) (parity h :: repeat false (honest - 1))) Delta.
Proof.
  intros m honest Delta M H h L. rewrite !mod_view. apply tv_finite. apply (proj1 (mod_hides m honest Delta M) H h L).
Qed.

Lemma ceiling : forall x, 0 <= x -> exists n : nat, x <= INR n <= x + 1.
Proof.
  intros x H. destruct (archimed x) as [A B]. exists (Z.to_nat (up x)).
  assert (0 <= up x)%Z by (apply le_IZR; simpl; lra).
  rewrite INR_IZR_INZ, Z2Nat.id by lia. lra.
Qed.

Lemma half_pow : forall m, (1 / 2) ^ m = Rpower 2 (- INR m).
Proof.
  intro m. rewrite Rpower_Ropp, Rpower_pow by lra. unfold Rdiv. rewrite Rmult_1_l. apply pow_inv.
Qed.
Lemma ln2_pos : 0 < ln 2.
Proof. rewrite <- ln_1. apply ln_increasing; lra. Qed.
Lemma ln2_le1 : ln 2 <= 1.
Proof. rewrite <- (ln_exp 1). apply Power.ln_le_mono; [lra|]. pose proof (exp_ineq1_le 1); lra. Qed.


(* Enough for all numbers of users at once. *)
Lemma enough_for_all : forall Delta, 0 < Delta <= 1 -> exists m : nat -> nat,
  hides_all_but_sum m Delta /\ forall n, (0 < n)%nat -> INR (m n) <= 4 + (ln (INR n) + ln (1 / Delta)) / ln 2.
Proof.
  intros Delta D.
  set (x := fun n : nat => 3 + (ln (INR n) + ln (1 / Delta)) / ln 2).
  exists (fun n => S (Z.to_nat (up (x n) - 1))).
  assert (W : forall n, (0 < n)%nat -> x n <= INR (S (Z.to_nat (up (x n) - 1))) <= x n + 1).
  { intros n N. pose proof ln2_pos as L2. assert (N1 : 1 <= INR n) by (change 1 with (INR 1); apply le_INR; lia).
    assert (LN : 0 <= ln (INR n)) by (rewrite <- ln_1; apply Power.ln_le_mono; lra).
    assert (LD : 0 <= ln (1 / Delta)).
    { rewrite <- ln_1. apply Power.ln_le_mono; [lra|]. apply Rmult_le_reg_r with Delta; [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra. }
    assert (X0 : 3 <= x n) by (unfold x; assert (0 <= (ln (INR n) + ln (1 / Delta)) / ln 2) by (apply Rmult_le_pos; [lra | left; apply Rinv_0_lt_compat; auto]); lra).
    destruct (archimed (x n)) as [A B]. assert (0 <= up (x n) - 1)%Z by (assert (0 < up (x n))%Z by (apply lt_IZR; lra); lia).
    rewrite S_INR, INR_IZR_INZ, Z2Nat.id, minus_IZR by lia. lra. }
  split; [split; [intro; lia|]|].
  - intros n honest h Hn L. exists (Delta / 2). split; [lra|].
    apply hides_lift; [lia | | auto].
    apply Ikos.ikos with n; [lia | | lra].
    (* the chosen number is at least x n *)
    specialize (W n ltac:(lia)). destruct W as [W _].
    assert (N1 : 1 <= INR n) by (change 1 with (INR 1); apply le_INR; lia).
    rewrite half_pow. pose proof ln2_pos.
    assert (P : Rpower 2 (- INR (S (Z.to_nat (up (x n) - 1)))) <= Rpower 2 (- x n)) by (apply Rle_Rpower; lra).
    assert (Q : Rpower 2 (- x n) = Delta / (8 * INR n)).
    { unfold Rpower, x. replace (- (3 + (ln (INR n) + ln (1 / Delta)) / ln 2) * ln 2) with (- (3 * ln 2) + (- ln (INR n) + - ln (1 / Delta))) by (field; lra).
      rewrite !exp_plus, !exp_Ropp, !exp_ln by (try lra; apply Rdiv_lt_0_compat; lra).
      replace (3 * ln 2) with (ln 2 + (ln 2 + ln 2)) by ring. rewrite !exp_plus, exp_ln by lra. field. lra. }
    rewrite Q in P. apply Rle_trans with (4 * INR n * (Delta / (8 * INR n))); [apply Rmult_le_compat_l; lra|].
    right. field. lra.
  - intros n N. destruct (W n N) as [_ W2]. eapply Rle_trans; [exact W2|]. unfold x; lra.
Qed.

Lemma Delta_range : forall eps delta, 0 < eps -> 0 < delta < 1 -> 0 < delta / (exp eps + 1) <= 1.
Proof.
  intros eps delta E D. pose proof (exp_pos eps). assert (0 < / (exp eps + 1)) by (apply Rinv_0_lt_compat; lra).
  split; [apply Rmult_lt_0_compat; lra|]. apply Rmult_le_reg_r with (exp eps + 1); [lra|].
  unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra.
Qed.

Lemma E_one_where {A} : forall (t : table A) (T : A -> bool), Law.proper t -> (forall p, In p t -> T (fst p) = true) -> Pr (fun _ => t) T = 1.
Proof.
  intros t T [_ M] H. rewrite Pr_finite. unfold Law.Pr. rewrite (Law.E_ext_in t _ (fun _ => 1)); auto.
  intros p P. rewrite (H p P). reflexivity.
Qed.

Theorem thm_ikos_holds : thm_ikos.
Proof.
  exists (7 / (ln 2 * ln 2)). intros sigma S. pose proof ln2_pos as L2. pose proof ln2_le1 as L1.
  assert (RP : 0 < Rpower 2 (- sigma) <= 1).
  { split; [apply exp_pos|]. rewrite <- (Rpower_O 2) by lra. apply Rle_Rpower; lra. }
  destruct (enough_for_all (Rpower 2 (- sigma)) RP) as [m [H B]]. exists m. split; [|split; auto].
  - intros n N. assert (2 <= INR n) by (change 2 with (INR 2); apply le_INR; auto).
    assert (LN : ln 2 <= ln (INR n)) by (apply Power.ln_le_mono; lra).
    eapply Rle_trans; [apply B; lia|].
    assert (LS : ln (1 / Rpower 2 (- sigma)) = sigma * ln 2).
    { unfold Rdiv. rewrite Rmult_1_l, <- Rpower_Ropp, Ropp_involutive. unfold Rpower. apply ln_exp. }
    rewrite LS. apply Rmult_le_reg_r with (ln 2 * ln 2); [apply Rmult_lt_0_compat; auto|].
    replace ((4 + (ln (INR n) + sigma * ln 2) / ln 2) * (ln 2 * ln 2)) with (4 * (ln 2 * ln 2) + (ln (INR n) + sigma * ln 2) * ln 2) by (field; lra).
    replace (7 / (ln 2 * ln 2) * (sigma + ln (INR n)) * (ln 2 * ln 2)) with (7 * (sigma + ln (INR n))) by (field; lra).
    assert (ln 2 * ln 2 <= 1 * ln 2) by (apply Rmult_le_compat_r; lra).
    assert (ln (INR n) * ln 2 <= ln (INR n) * 1) by (apply Rmult_le_compat_l; lra).
    assert (sigma * ln 2 * ln 2 <= sigma * 1 * 1) by (apply Rmult_le_compat; nra). nra.
  - intros n x L. unfold execution, P_MOD; cbn [coins randomizer analyzer].
    destruct H as [M0 _]. unfold no_coins.
    assert (PV : proper (view (R_MOD (m n)) x)).
    { apply proper_view. intro u. rewrite R_MOD_finite. apply proper_finite, mod_proper; auto. }
    assert (PP : forall c : unit, proper (bind (view (R_MOD (m n)) x) (fun y => point (parity y)))).
    { intro. apply proper_bind; auto; intro; apply proper_point. }
    unfold Pr. rewrite E_bind by auto using proper_point, bounded_indicator. rewrite E_point.
    rewrite E_bind by (auto using bounded_indicator; intro; apply proper_point).
    rewrite (E_ext (view (R_MOD (m n)) x) (fun y => E (point (parity y)) (fun b => indicator (Bool.eqb (parity x) b))) (fun y => indicator (Bool.eqb (parity x) (parity y)))) by (intro; rewrite E_point; reflexivity).
    rewrite mod_view, E_finite.
    rewrite <- (view_same (Shares.R_MOD (m n)) (mod_table (m n))) by (intro; apply mod_same; auto).
    rewrite (Law.E_ext_in _ _ (fun _ => 1)).
    + apply ShuffleModel.proper_view. intro; apply Shares.proper_R_MOD.
    + intros p P. pose proof (Ikos.modular_sum_correct (m n) x p (M0 n) P) as Q.
      change (parity (fst p)) with (Parity.parity (fst p)). rewrite Q. change (Parity.parity x) with (parity x).
      destruct (parity x); reflexivity.
Qed.

(* ---- Theorem de_upper ---- *)
Lemma power_base : forall eps y, 0 < eps -> power (1 - exp (- eps)) y = Rpower (1 - exp (- eps)) y.
Proof.
  intros eps y H. unfold power. destruct (Req_EM_T (1 - exp (- eps)) 0) as [Q|Q]; auto.
  assert (exp (- eps) < exp 0) by (apply exp_increasing; lra). rewrite exp_0 in *. lra.
Qed.
Lemma R_DE_finite {X} : forall (U : universe X) eps m n x, 0 < eps ->
  R_DE U eps m n x = fun _ => Distinct.R_DE X (same U) (elements U) n eps (mod_table m) x.
Proof.
  intros U eps m n x H. unfold R_DE, Distinct.R_DE. apply concatenated_finite. rewrite map_map.
  apply map_ext. intro j. unfold Distinct.labelled, Distinct.bit_probability, Distinct.flip_probability, p'.
  rewrite power_base by auto. change (Ber ?q) with (fun _ : nat => Parity.Ber q).
  apply bind_finite. intro u. rewrite R_MOD_finite. apply bind_finite. reflexivity.
Qed.
Lemma hides_finite : forall m Delta n honest, hides_all_but_sum m Delta -> (2 <= honest <= n)%nat ->
  Distinct.hides_all_but_sum (mod_table (m n)) honest Delta.
Proof.
  intros m Delta n honest [_ H] N h L. destruct (H n honest h N L) as [D [D1 D2]]. rewrite !mod_view in D2.
  apply tv_finite in D2. intro T. specialize (D2 T). eapply Rle_trans; [exact D2 | lra].
Qed.
Lemma robust_lift {X} : forall (U : universe X) eps m e d gamma, 0 < eps ->
  ShuffleModel.robustly_shuffle_private (fun n => Distinct.R_DE X (same U) (elements U) n eps (mod_table (m n))) e d gamma ->
  robustly_shuffle_private (P_DE U eps m) e d gamma.
Proof.
  intros U eps m e d gamma He H n honest c Hh Hg. cbn [randomizer P_DE].
  eapply private_finite; [|apply (H n honest Hh Hg)]. intro x. apply view_finite. intro a. apply R_DE_finite; auto.
Qed.

Theorem thm_de_upper_I_holds : thm_de_upper_I.
Proof.
  intros X U eps delta gamma m He Hd Hg H.
  pose proof (DistinctRobust.de_upper_given_ikos X (same U) (elements U) (fun n => mod_table (m n)) eps delta gamma
    (no_repetition X U) He ltac:(lra) Hg ltac:(intros; apply mod_proper; apply H)
    ltac:(intros; apply hides_finite; auto)) as [A B].
  split; [apply robust_lift; auto | intro L; apply robust_lift; auto].
Qed.

Lemma R_DE_same {X} : forall (U : universe X) eps m n x, (0 < m)%nat ->
  Law.same_law (Distinct.R_DE X (same U) (elements U) n eps (Shares.R_MOD m) x) (Distinct.R_DE X (same U) (elements U) n eps (mod_table m) x).
Proof.
  intros U eps m n x M. unfold Distinct.R_DE. induction (elements U) as [|j K IH]; intro f; [reflexivity|].
  cbn [map Messages.concatenated]. rewrite !Messages.E_join.
  rewrite (Law.E_ext _ _ (fun l => sum_over (Messages.concatenated (map (Distinct.labelled X (same U) n eps (mod_table m) x) K)) (fun r => f (l ++ r)))) by (intro; apply IH).
  unfold Distinct.labelled. rewrite !Law.E_bind. apply Law.E_ext; intro u. rewrite !Law.E_bind. apply mod_same; auto.
Qed.

Lemma total_same {A} : forall (l : list A) f, total l f = Shuffle.total l f.
Proof. reflexivity. Qed.

Lemma A_DE_finite {X} : forall (U : universe X) eps y, A_DE U eps y = fun _ => DistinctAccuracy.A_DE (same U) (elements U) eps y.
Proof.
  intros U eps y. unfold A_DE, DistinctAccuracy.A_DE, DistinctAccuracy.debiased, Hoeffding.count, DistinctAccuracy.pool_bits.
  rewrite Shuffle.total_map. reflexivity.
Qed.

Theorem thm_de_upper_II_holds : thm_de_upper_II.
Proof.
  intros X U eps beta m n He Hb Hn Hm x L.
  pose proof (DistinctAccuracy.de_upper_II X (same U) (elements U) m eps beta n (no_repetition X U) He Hb Hn Hm x L
    ltac:(intros; apply (complete X U))) as H.
  eapply Rle_trans; [exact H|]. right. unfold execution, P_DE; cbn [coins randomizer analyzer].
  replace (bind (no_coins n) (fun _ => bind (view (R_DE U eps (m n) n) x) (A_DE U eps)))
    with (fun _ : nat => bind_table [(tt, 1)] (fun _ => bind_table (ShuffleModel.view (Distinct.R_DE X (same U) (elements U) n eps (mod_table (m n))) x)
       (DistinctAccuracy.A_DE (same U) (elements U) eps))).
  - rewrite Pr_finite. unfold Law.Pr. rewrite Law.E_bind. unfold Transformation.execution. rewrite !Law.E_bind.
    cbn [sum_over]. rewrite ?Law.E_bind. rewrite Rmult_1_l, Rplus_0_r.
    apply view_same. intro a. apply R_DE_same; auto.
  - unfold no_coins. symmetry. apply bind_finite. intros []. rewrite (view_finite _ _ _ (fun a => R_DE_finite U eps (m n) n a He)).
    apply bind_finite. apply A_DE_finite.
Qed.

Theorem thm_de_upper_III_holds : thm_de_upper_III.
Proof.
  exists (7 / (ln 2 * ln 2)). intros X U eps delta He Hd. pose proof (Delta_range eps delta He Hd) as DR.
  destruct (enough_for_all _ DR) as [m [H B]]. exists m. split; auto.
  intros n x N y Hn I. rewrite R_DE_finite in I by auto. pose proof ln2_pos as L2. pose proof ln2_le1 as L1.
  assert (LEN : length (fst y) = (length (elements U) * m n)%nat).
  { unfold Distinct.R_DE in I. revert y I. induction (elements U) as [|j K IH]; intros y I.
    - destruct I as [I|[]]; subst; reflexivity.
    - cbn [map Messages.concatenated] in I. unfold Messages.join in I. apply Law.in_bind in I.
      destruct I as [l [p [I1 [I2 I3]]]]. apply Law.in_bind in I2. destruct I2 as [r [q [I4 [I5 I6]]]].
      destruct I5 as [I5|[]]; subst q. simpl in I6. rewrite <- I3, <- I6, app_length, (IH r I4). simpl. f_equal.
      unfold Distinct.labelled in I1. apply Law.in_bind in I1. destruct I1 as [u [v [_ [I7 I8]]]].
      apply Law.in_bind in I7. destruct I7 as [w [z [J1 [J2 J3]]]]. destruct J2 as [J2|[]]; subst z. simpl in J3.
      rewrite <- I8, <- J3, map_length. unfold mod_table, Shuffle.uniform in J1. apply in_map_iff in J1.
      destruct J1 as [s [J1 J4]]. subst w. simpl. apply filter_In in J4. destruct J4 as [J4 _].
      clear -J4. revert s J4. generalize (m n). induction n0; intros s J; simpl in J.
      + destruct J as [J|[]]; subst; reflexivity.
      + apply in_app_or in J. destruct J as [J|J]; apply in_map_iff in J; destruct J as [t [J1 J2]]; subst s; simpl; f_equal; auto. }
  rewrite LEN, mult_INR. unfold size. pose proof (pos_INR (length (elements U))) as K0.
  assert (N1 : 1 <= INR n) by (change 1 with (INR 1); apply le_INR; lia).
  specialize (B n Hn).
  pose proof (exp_pos eps). assert (E1 : 1 < exp eps) by (rewrite <- exp_0; apply exp_increasing; auto).
  assert (ARG : ln (INR n) + ln (1 / (delta / (exp eps + 1))) = ln (INR n * (exp eps + 1) / delta)).
  { rewrite <- ln_mult; [f_equal; field; split; lra | lra |].
    apply Rdiv_lt_0_compat; [lra | apply Rdiv_lt_0_compat; lra]. }
  rewrite ARG in B. set (G := ln (INR n * (exp eps + 1) / delta)) in *.
  assert (G2 : ln 2 <= G).
  { apply Power.ln_le_mono; [lra|]. apply Rmult_le_reg_r with delta; [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. nra. }
  assert (M7 : INR (m n) <= 7 / (ln 2 * ln 2) * G).
  { eapply Rle_trans; [exact B|]. apply Rmult_le_reg_r with (ln 2 * ln 2); [apply Rmult_lt_0_compat; auto|].
    replace ((4 + G / ln 2) * (ln 2 * ln 2)) with (4 * (ln 2 * ln 2) + G * ln 2) by (field; lra).
    replace (7 / (ln 2 * ln 2) * G * (ln 2 * ln 2)) with (7 * G) by (field; lra). nra. }
  apply Rle_trans with (INR (length (elements U)) * (7 / (ln 2 * ln 2) * G)); [apply Rmult_le_compat_l; auto | right; ring].
Qed.

(* ---- the lemmas and the displays ---- *)
Theorem lem_bbgn_close_holds : lem_bbgn_close.
Proof. intros X Z n eps Delta M M' V P x x' L N. apply (tv_close (M x) (M x')); auto. Qed.

Lemma Pr_Ber : forall q T, Pr (Ber q) T = q * indicator (T true) + (1 - q) * indicator (T false).
Proof. intros q T. unfold Pr, Ber. rewrite E_finite. simpl. ring. Qed.
Theorem eq_zs_ineq_holds : eq_zs_ineq.
Proof.
  intros e z He. rewrite !Pr_Ber. pose proof (EpsPrime.ratio_inequality e He) as R. rewrite exp_Ropp in *.
  pose proof (exp_pos e). assert (1 < exp e) by (rewrite <- exp_0; apply exp_increasing; auto).
  assert (I1 : 0 < / exp e < 1) by (split; [apply Rinv_0_lt_compat; auto | rewrite <- Rinv_1; apply Rinv_lt_contravar; lra]).
  destruct z; simpl indicator.
  - replace ((1 / 2 * 1 + (1 - 1 / 2) * 0) / (1 / (2 * exp e) * 1 + (1 - 1 / (2 * exp e)) * 0)) with (exp e) by (field; lra). lra.
  - replace ((1 / 2 * 0 + (1 - 1 / 2) * 1) / (1 / (2 * exp e) * 0 + (1 - 1 / (2 * exp e)) * 1)) with (/ (2 - / exp e)) by (field; split; nra).
    split.
    + apply Rinv_le_contravar; lra.
    + apply Rle_trans with (/ 1); [apply Rinv_le_contravar; lra | rewrite Rinv_1; lra].
Qed.

Lemma samples_Ber : forall q n, samples (Ber q) n = fun _ => Parity.independent (repeat (Parity.Ber q) n).
Proof.
  intros q n. unfold samples. rewrite <- independent_finite. f_equal.
  induction n; simpl; [reflexivity | f_equal; auto].
Qed.
Theorem lem_distinct_ber_holds : lem_distinct_ber.
Proof.
  intros n honest p Hp Hh T.
  pose proof (Parity.distinct_ber p n honest Hp ltac:(lia) ltac:(lia) (fun b => indicator (T b))) as H.
  unfold image. rewrite samples_Ber. rewrite (bind_finite _ _ (fun l => [(parity l, 1)])) by reflexivity.
  change (Ber ?q) with (fun _ : nat => Parity.Ber q). rewrite !Pr_finite. unfold Law.Pr.
  unfold Parity.parity_law in H.
  assert (MR : forall q N, map Parity.Ber (repeat q N) = repeat (Parity.Ber q) N) by (induction N; simpl; [reflexivity | f_equal; auto]).
  rewrite MR in H. exact H.
Qed.

Theorem bernoulli_variant_holds : bernoulli_variant.
Proof. exact Power.bernoulli_variant. Qed.
Theorem case_1_holds : case_1.
Proof. exact EpsPrime.eps_prime_case_1. Qed.
Theorem case_2_holds : case_2.
Proof. exact EpsPrime.eps_prime_case_2. Qed.
Theorem lem_distinct_gamma_holds : lem_distinct_gamma.
Proof. exact EpsPrime.distinct_gamma. Qed.
Theorem delta'_bound_holds : delta'_bound.
Proof.
  intros eps gamma delta He Hg Hd. pose proof (exp_pos eps). assert (I : 0 < / (exp eps + 1)) by (apply Rinv_0_lt_compat; lra).
  split.
  - apply Rmult_le_compat_l; [lra|]. apply Rmult_le_compat_r; [lra|]. apply Rplus_le_compat_r.
    apply Rle_trans with (exp (eps + ln (1 / gamma))); [apply exp_le, case_1_holds; auto|].
    rewrite exp_plus, exp_ln by (apply Rdiv_lt_0_compat; lra). right. field. lra.
  - assert (IG : 1 <= / gamma) by (rewrite <- Rinv_1; apply Rinv_le_contravar; lra).
    apply Rmult_le_compat_l; [lra|]. apply Rmult_le_reg_r with (exp eps + 1); [lra|].
    unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. nra.
Qed.
Theorem tight_pair_holds : tight_pair.
Proof.
  intros e eps He.
  assert (J : forall a b, joint (Ber a) (Ber b) = fun _ => Composition.joint (Parity.Ber a) (Parity.Ber b)) by reflexivity.
  rewrite !J. rewrite close_finite. split; intro H.
  - exact (TightPair.tight_least e eps He H).
  - assert (P : Law.proper (TightPair.none_then_holder e)).
    { pose proof (exp_pos e). assert (1 < exp e) by (rewrite <- exp_0; apply exp_increasing; auto).
      assert (0 < 1 / (2 * exp e) <= 1).
      { split; [apply Rdiv_lt_0_compat; lra|]. apply Rmult_le_reg_r with (2 * exp e); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra. }
      unfold TightPair.none_then_holder, Composition.joint. apply Law.proper_bind; [apply Parity.proper_Ber; lra|]. intro.
      apply Law.proper_bind; [apply Parity.proper_Ber; lra | intro; apply Law.proper_point]. }
    apply (Closeness.close_mono (ln (2 * exp e - 1)) eps 0 0); auto; [lra|]. apply (TightPair.tight_close e He).
Qed.
