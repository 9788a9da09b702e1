(* Claims moments, moments-uniform and symmetric-mean-zero, the moments of Z, Lemma poi_con, Equation scale-concentration. *)
From Coq Require Import Reals ZArith Lra Lia List Bool Permutation FunctionalExtensionality.
From Coquelicot Require Import Rcomplements Rbar Lim_seq.
From PanshuffleKernel Require Law Power Parity Shuffle Moments UniformityTransformation Calculus BinomialCertificate.
From PanshuffleKernel Require Import Countable Privacy Masses Model Poisson Finite Verdicts3 Verdicts4Lower PoissonPools Means Poissonization Statistic Tester Verdicts4 Verdicts4Privacy.
From PanshuffleKernel Require Import Paper.
Import ListNotations.
Open Scope R_scope.

(* ---- Lemma poi_con ---- *)
Lemma mean_power : forall a w, 0 <= a -> 0 <= w -> mean (Pois a) (fun i => w ^ i) (exp (a * (w - 1))).
Proof.
  intros a w A W.
  assert (L : is_lim_seq (fun N => sum_over (Pois a N) (fun i => w ^ i)) (Finite (exp (a * (w - 1))))).
  { apply is_lim_seq_incr_1.
    apply is_lim_seq_ext with (u := fun n => exp (- a) * sum_f_R0 (fun i => / INR (fact i) * (a * w) ^ i) n).
    - intro n. unfold Pois. rewrite sum_seq, scal_sum. apply sum_eq. intros i _. unfold poisson, Rdiv. rewrite Rpow_mult_distr. ring.
    - replace (Finite (exp (a * (w - 1)))) with (Rbar_mult (exp (- a)) (exp (a * w))).
      + apply is_lim_seq_scal_l. apply is_lim_seq_Reals. exact (proj2_sig (exist_exp (a * w))).
      + simpl. rewrite <- exp_plus. f_equal. f_equal. ring. }
  split; auto. exists (exp (a * (w - 1))). intro N.
  rewrite (table_ext (Pois a N) _ (fun i => w ^ i)) by (intro i; rewrite Rabs_pos_eq; auto; apply pow_le; auto).
  apply (monotone_le_limit (fun N => sum_over (Pois a N) (fun i => w ^ i))); auto.
  apply slices_grow; [apply proper_Pois; auto | intro; apply pow_le; auto].
Qed.
Lemma upper_tail : forall a t, 0 < a -> 0 < t -> Pr (Pois a) (fun i => le (a + t) (INR i)) <= exp (- (t ^ 2 / (2 * (a + t)))).
Proof.
  intros a t A T. set (w := (a + t) / a). assert (W : 1 < w) by (unfold w; apply Rmult_lt_reg_r with a; auto; unfold Rdiv; rewrite Rmult_assoc, Rinv_l by lra; lra).
  pose proof (proper_Pois a ltac:(lra)) as P. pose proof (mean_power a w ltac:(lra) ltac:(lra)) as M.
  assert (RP : 0 < Rpower w (a + t)) by apply exp_pos.
  apply Rle_trans with (exp (a * (w - 1)) / Rpower w (a + t)).
  - eapply Rle_trans; [|apply (markov (Pois a) (fun i => w ^ i) _ (Rpower w (a + t)) P); auto; intro; apply pow_le; lra].
    apply Pr_le; auto. intro i. unfold le. destruct (Rle_dec (a + t) (INR i)); [|discriminate]. intros _.
    destruct (Rle_dec _ _) as [L|L]; auto. exfalso. apply L. rewrite <- Rpower_pow by lra. apply Rle_Rpower; lra.
  - unfold Rdiv, Rpower. rewrite <- exp_Ropp, <- exp_plus. apply exp_le.
    replace (a * (w - 1)) with t by (unfold w; field; lra).
    pose proof (Calculus.ln_above w ltac:(lra)) as LA.
    assert (2 * (w - 1) / (w + 1) = 2 * t / (2 * a + t)) by (unfold w; field; lra). rewrite H in LA.
    assert (B : (a + t) * (2 * t / (2 * a + t)) <= (a + t) * ln w) by (apply Rmult_le_compat_l; lra).
    assert (t - (a + t) * (2 * t / (2 * a + t)) <= - (t ^ 2 / (2 * (a + t)))).
    { apply Rmult_le_reg_r with ((2 * a + t) * (2 * (a + t))); [apply Rmult_lt_0_compat; lra|].
      replace ((t - (a + t) * (2 * t / (2 * a + t))) * ((2 * a + t) * (2 * (a + t)))) with (- (t ^ 2) * (2 * (a + t))) by (field; lra).
      replace (- (t ^ 2 / (2 * (a + t))) * ((2 * a + t) * (2 * (a + t)))) with (- (t ^ 2) * (2 * a + t)) by (field; lra).
      assert (0 < t ^ 2) by (apply pow_lt; auto). nra. }
    unfold Rdiv in *. lra.
Qed.
Lemma lower_tail : forall a t, 0 < a -> 0 < t -> Pr (Pois a) (fun i => le (INR i) (a - t)) <= exp (- (t ^ 2 / (2 * (a + t)))).
Proof.
  intros a t A T. pose proof (proper_Pois a ltac:(lra)) as P. assert (T2 : 0 < t ^ 2) by (apply pow_lt; auto).
  assert (WEAK : forall e, e <= - (t ^ 2 / (2 * a)) -> exp e <= exp (- (t ^ 2 / (2 * (a + t))))).
  { intros e H. apply exp_le. assert (t ^ 2 / (2 * (a + t)) <= t ^ 2 / (2 * a)); [|lra]. apply Rmult_le_compat_l; [lra|]. apply Rinv_le_contravar; lra. }
  destruct (Rlt_le_dec t a) as [TA|TA].
  - set (w := (a - t) / a). assert (W : 0 < w < 1).
    { unfold w. split; [apply Rdiv_lt_0_compat; lra|]. apply Rmult_lt_reg_r with a; auto. unfold Rdiv; rewrite Rmult_assoc, Rinv_l by lra; lra. }
    pose proof (mean_power a w ltac:(lra) ltac:(lra)) as M. assert (RP : 0 < Rpower w (a - t)) by apply exp_pos.
    apply Rle_trans with (exp (a * (w - 1)) / Rpower w (a - t)).
    + eapply Rle_trans; [|apply (markov (Pois a) (fun i => w ^ i) _ (Rpower w (a - t)) P); auto; intro; apply pow_le; lra].
      apply Pr_le; auto. intro i. unfold le. destruct (Rle_dec (INR i) (a - t)); [|discriminate]. intros _.
      destruct (Rle_dec _ _) as [L|L]; auto. exfalso. apply L. rewrite <- Rpower_pow by lra. unfold Rpower. apply exp_le.
      assert (ln w < 0) by (rewrite <- ln_1; apply ln_increasing; lra). nra.
    + unfold Rdiv, Rpower. rewrite <- exp_Ropp, <- exp_plus. apply WEAK.
      replace (a * (w - 1)) with (- t) by (unfold w; field; lra).
      set (y := a / (a - t)). assert (Y : 1 <= y) by (unfold y; apply Rmult_le_reg_r with (a - t); [lra|]; unfold Rdiv; rewrite Rmult_assoc, Rinv_l by lra; lra).
      pose proof (Calculus.ln_below y Y) as LB.
      assert (LW : ln w = - ln y) by (unfold w, y; rewrite <- ln_Rinv by (apply Rdiv_lt_0_compat; lra); f_equal; field; lra). rewrite LW.
      assert (B : (a - t) * ln y <= (a - t) * ((y - / y) / 2)) by (apply Rmult_le_compat_l; lra).
      replace ((a - t) * ((y - / y) / 2)) with (t - t ^ 2 / (2 * a)) in B by (unfold y; field; lra). lra.
  - destruct (Req_dec t a) as [Q|Q].
    + subst t. apply Rle_trans with (exp (- a)).
      * replace (exp (- a)) with (mass (Pois a) 0%nat) by (rewrite mass_Pois; unfold poisson; simpl; field).
        apply Pr_le; auto. intro i. unfold le. destruct (Rle_dec (INR i) (a - a)) as [L|L]; [|discriminate]. intros _.
        apply is_true. assert (INR i <= 0) by lra. destruct i; auto. rewrite S_INR in *. pose proof (pos_INR i). lra.
      * apply exp_le. replace (a ^ 2 / (2 * (a + a))) with (a / 4) by (field; lra). lra.
    + apply Rle_trans with 0; [|left; apply exp_pos]. right. unfold Pr.
      rewrite (E_ext _ _ (fun _ => 0)); [apply E_const; auto|]. intro i. unfold le. destruct (Rle_dec (INR i) (a - t)) as [L|L]; auto.
      pose proof (pos_INR i). lra.
Qed.
Lemma Pr_or {A} : forall (d : law A) T S, proper d -> Pr d (fun a => T a || S a) <= Pr d T + Pr d S.
Proof.
  intros d T S D. unfold Pr. rewrite <- E_plus; auto using bounded_indicator. apply E_le; auto using bounded_indicator, bounded_plus.
  intro a. destruct (T a), (S a); simpl; lra.
Qed.
Theorem lem_poi_con_holds : lem_poi_con.
Proof.
  intros a t A T. pose proof (proper_Pois a ltac:(lra)) as P.
  apply Rle_trans with (Pr (Pois a) (fun i => le (a + t) (INR i) || le (INR i) (a - t))).
  - apply Pr_le; auto. intro i. unfold le. destruct (Rle_dec t (Rabs (INR i - a))) as [L|L]; [|discriminate]. intros _. apply orb_true_iff.
    unfold Rabs in L. destruct (Rcase_abs (INR i - a)).
    + right. destruct (Rle_dec (INR i) (a - t)); auto. exfalso; lra.
    + left. destruct (Rle_dec (a + t) (INR i)); auto. exfalso; lra.
  - eapply Rle_trans; [apply Pr_or; auto|]. pose proof (upper_tail a t A T). pose proof (lower_tail a t A T). lra.
Qed.
Lemma union_bound {A} : forall (d : law A) T k, proper d -> Pr (samples d k) (existsb T) <= INR k * Pr d T.
Proof.
  intros d T k D. induction k as [|k IH].
  - unfold Pr. rewrite E_samples_O. simpl. lra.
  - unfold Pr at 1. rewrite E_samples_S by auto using bounded_indicator.
    apply Rle_trans with (E d (fun a => indicator (T a) + Pr (samples d k) (existsb T))).
    + pose proof (Pr_01 (samples d k) (proper_samples d k D) (existsb T)) as Q.
      apply E_le; auto; [apply bounded_01; intro a; apply (Pr_01 (samples d k) (proper_samples d k D) (fun l => existsb T (a :: l))) | apply bounded_plus; [apply bounded_indicator | apply bounded_const]|].
      intro a. destruct (T a) eqn:Z; simpl indicator.
      * apply Rle_trans with 1; [|lra]. apply (Pr_01 (samples d k) (proper_samples d k D) (fun l => existsb T (a :: l))).
      * rewrite Rplus_0_l. right. apply E_ext; intro l. simpl existsb. rewrite Z. reflexivity.
    + rewrite E_plus, E_const; auto using bounded_indicator, bounded_const. change (E d (fun a => indicator (T a))) with (Pr d T).
      rewrite S_INR. lra.
Qed.
Theorem eq_scale_concentration_holds : eq_scale_concentration.
Proof.
  intros k eps delta lambda K HE HD HL. assert (K1 : 1 <= INR k) by (change 1 with (INR 1); apply le_INR; lia).
  pose proof (c2_ge1 eps HE) as C1. unfold lambda_UT in HL. set (c2 := ((exp eps + 1) / (exp eps - 1)) ^ 2) in *.
  assert (L2K : ln (2 * INR k) <= ln (2 * INR k / delta)).
  { apply Power.ln_le_mono; [lra|]. apply Rmult_le_reg_r with delta; [lra|]. replace (2 * INR k / delta * delta) with (2 * INR k) by (field; lra). nra. }
  assert (LP : 0 < ln (2 * INR k)) by (rewrite <- ln_1; apply ln_increasing; lra).
  assert (LL : 40 * ln (2 * INR k) <= lambda) by nra. assert (L0 : 0 < lambda) by lra.
  pose proof (proper_Pois lambda ltac:(lra)) as P.
  eapply Rle_lt_trans; [apply union_bound; auto|].
  apply Rle_lt_trans with (INR k * exp (- (lambda / 4))).
  - apply Rmult_le_compat_l; [lra|]. eapply Rle_trans; [apply (Pr_le _ _ (fun l => le (lambda + lambda) (INR l))); auto|].
    + intro l. unfold lt, le. destruct (Rlt_dec (2 * lambda) (INR l)); [|discriminate]. intros _. destruct (Rle_dec _ _); auto. exfalso; lra.
    + eapply Rle_trans; [apply upper_tail; auto|]. apply exp_le. replace (lambda ^ 2 / (2 * (lambda + lambda))) with (lambda / 4) by (field; lra). lra.
  - apply Rle_lt_trans with (INR k * exp (- (10 * ln (2 * INR k)))).
    + apply Rmult_le_compat_l; [lra|]. apply exp_le. lra.
    + rewrite exp_Ropp. replace (exp (10 * ln (2 * INR k))) with ((2 * INR k) ^ 10).
      2:{ rewrite <- Rpower_pow by lra. unfold Rpower. simpl (INR 10). f_equal. ring. }
      assert (Q : 2 ^ 9 * (2 * INR k) <= (2 * INR k) ^ 10).
      { replace ((2 * INR k) ^ 10) with ((2 * INR k) ^ 9 * (2 * INR k)) by ring. apply Rmult_le_compat_r; [lra|]. apply pow_incr; lra. }
      assert (QP : 0 < (2 * INR k) ^ 10) by (apply pow_lt; lra).
      apply Rmult_lt_reg_r with ((2 * INR k) ^ 10); auto. rewrite Rmult_assoc, Rinv_l by lra. simpl in *. lra.
Qed.

(* ---- the moments of Z ---- *)
Section Z.
Context {X : Type} (U : universe X) (D : law X) (PD : proper D) (m : R).
Hypothesis M0 : 0 < m.
Hypothesis K1 : 1 <= size U.
Let k := size U.
Let mu := m / k.
Let rho (j : X) := m * chance U D j.
Let term (i : nat) : R := (INR i - mu) ^ 2 - INR i.
Lemma rho_pos : forall j, 0 <= rho j.
Proof. intro j. pose proof (chance_01 U D PD j). unfold rho. apply Rmult_le_pos; lra. Qed.
Lemma Z_counts : forall x, Z_of U m x = k / m * total (counts U x) term.
Proof. intro x. unfold Z_of, chi, counts. rewrite total_map. reflexivity. Qed.
Lemma term_variance_count : forall j, variance (Pois (rho j)) term (2 * rho j ^ 2 + 4 * rho j * (rho j - mu) ^ 2).
Proof.
  intro j. pose proof (rho_pos j) as R0. pose proof (mean_P mu (rho j) R0) as M1. pose proof (mean_PP mu (rho j) R0) as M2.
  pose proof (variance_of (Pois (rho j)) term _ _ (proper_Pois _ R0) M1 M2) as V.
  match type of V with variance _ _ ?v => replace v with (2 * rho j ^ 2 + 4 * rho j * (rho j - mu) ^ 2) in V by ring end. exact V.
Qed.
Lemma Z_moments : mean (poissonized m D) (Z_of U m) (k / m * spread U D m) /\
  variance (poissonized m D) (Z_of U m) ((k / m) ^ 2 * total (elements U) (fun j => 2 * rho j ^ 2 + 4 * rho j * (rho j - mu) ^ 2)).
Proof.
  pose (terms := map (fun j => (Pois (rho j), term, (rho j - mu) ^ 2, 2 * rho j ^ 2 + 4 * rho j * (rho j - mu) ^ 2)) (elements U)).
  assert (H : Forall (fun t => let '(d, f, mm, v) := t in proper d /\ mean d f mm /\ variance d f v) terms).
  { apply Forall_forall. intros t I. unfold terms in I. apply in_map_iff in I. destruct I as [j [I _]]. subst.
    split; [apply proper_Pois, rho_pos | split; [apply (mean_P mu (rho j) (rho_pos j)) | apply term_variance_count]]. }
  pose proof (sums terms H) as S. cbv zeta in S. unfold terms in S. rewrite !map_map in S. cbn [fst snd] in S.
  rewrite !total_map in S. cbn [fst snd] in S. destruct S as [S1 S2].
  assert (IN : forall N p, In p (poissons U D m N) -> sum2 (map (fun _ : X => term) (elements U)) (fst p) = total (fst p) term).
  { intros N p I. apply independent_length in I. rewrite map_length in I. apply sum2_total. auto. }
  pose proof (mean_ext_in _ _ _ _ IN S1) as T1. pose proof (variance_ext_in _ _ _ _ IN S2) as T2.
  pose proof (proper_poissonized D PD m ltac:(lra)) as PP. pose proof (proper_poissons U D PD m ltac:(lra)) as PQ.
  assert (PI : proper (image (counts U) (poissonized m D))) by (apply proper_bind; auto; intro; apply proper_point).
  pose proof (same_sym _ _ (poissonized_counts U D PD m ltac:(lra))) as SM.
  apply (mean_transfer _ _ _ _ PQ PI SM) in T1. apply (variance_transfer _ _ _ _ PQ PI SM) in T2.
  apply (proj1 (mean_image (counts U) (poissonized m D) _ _)) in T1. apply (proj1 (variance_image (counts U) (poissonized m D) _ _)) in T2.
  split.
  - apply (mean_ext _ (fun x => k / m * total (counts U x) term)); [intro; symmetry; apply Z_counts|]. apply mean_scale. exact T1.
  - apply (variance_ext _ (fun x => k / m * total (counts U x) term)); [intro; symmetry; apply Z_counts|]. apply variance_scale. exact T2.
Qed.
End Z.
