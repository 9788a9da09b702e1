(* Claims moments, moments-uniform and symmetric-mean-zero, the moments of Z, Lemma poi_con, Equation scale-concentration. *)
From Coq Require Import Reals ZArith Lra Lia List Bool Permutation FunctionalExtensionality.
From Coquelicot Require Import Rcomplements Rbar Lim_seq.
From PanshuffleKernel Require Law Power Parity Shuffle Moments UniformityTransformation Calculus BinomialCertificate Variances BinomialError Facts BinarySum.
From PanshuffleKernel Require Import Countable Privacy Masses Model Poisson Finite Section3Upper Section4Transformation PoissonPools Means Poissonization Statistic Tester Section4Tester Section4Privacy.
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

(* ---- the noise, given the l_j ---- *)
Lemma mean_finite {A} : forall (t : table A) f, mean (fun _ => t) f (sum_over t f).
Proof. intros t f. split; [exists (sum_over t (fun a => Rabs (f a))); intro; lra | apply is_lim_seq_const]. Qed.
Lemma coins_half : forall l f, sum_over (UniformityTransformation.Bin l (1 / 2)) (fun c => f (INR c)) = sum_over (Moments.Bin_half l) f.
Proof.
  induction l; intro f.
  - simpl. ring.
  - rewrite (BinomialCertificate.E_Bin_step l (1 / 2) (fun c => f (INR c))). cbn [Moments.Bin_half]. rewrite Law.E_bind.
    rewrite (Law.E_ext (Moments.Bin_half l) _ (fun s => 1 / 2 * f (s + 1) + 1 / 2 * f s)).
    + rewrite Law.E_plus, !Law.E_mult. rewrite <- (IHl f), <- (IHl (fun s => f (s + 1))).
      rewrite (Law.E_ext _ (fun c => f (INR (S c))) (fun c => f (INR c + 1))) by (intro; rewrite S_INR; reflexivity). lra.
    + intro s. rewrite Law.E_bind. unfold Moments.fair_coin. simpl. replace (s + 0) with s by ring. ring.
Qed.
Definition centred (l : nat) : law R := image (fun b => INR b - INR l / 2) (Bin l (1 / 2)).
Lemma proper_centred : forall l, proper (centred l).
Proof. intro l. apply proper_bind; [apply proper_Bin; lra | intro; apply proper_point]. Qed.
Lemma centred_moment : forall l j, mean (centred l) (fun e => e ^ j) (Moments.central_moment l j).
Proof.
  intros l j. apply mean_image. rewrite Bin_finite. unfold Moments.central_moment.
  rewrite <- (coins_half l (fun s => (s - INR l / 2) ^ j)). apply mean_finite.
Qed.
Lemma centred_1 : forall l, mean (centred l) (fun e => e) 0.
Proof.
  intro l. pose proof (centred_moment l 1) as M. destruct (Moments.moments l) as [_ [Q _]]. rewrite Q in M.
  apply (mean_ext _ (fun e => e ^ 1)); [intro; ring | exact M].
Qed.
Lemma centred_2 : forall l, mean (centred l) (fun e => e ^ 2) (INR l / 4).
Proof. intro l. pose proof (centred_moment l 2) as M. destruct (Moments.moments l) as [_ [_ [Q _]]]. rewrite Q in M. exact M. Qed.
Lemma centred_4 : forall l, mean (centred l) (fun e => (e ^ 2) ^ 2) (3 * INR l ^ 2 / 16 - INR l / 8).
Proof.
  intro l. pose proof (centred_moment l 4) as M. destruct (Moments.moments l) as [_ [_ [_ [_ Q]]]]. rewrite Q in M.
  apply (mean_ext _ (fun e => e ^ 4)); [intro; ring | exact M].
Qed.
Lemma noise_sums : forall (f : R -> R) (mm vv : nat -> R) ls, (forall l, mean (centred l) f (mm l)) -> (forall l, variance (centred l) f (vv l)) ->
  mean (noise ls) (fun e => total e f) (total ls mm) /\ variance (noise ls) (fun e => total e f) (total ls vv).
Proof.
  intros f mm vv ls MM VV. pose (terms := map (fun l => (centred l, f, mm l, vv l)) ls).
  assert (H : Forall (fun t => let '(d, g, m, v) := t in proper d /\ mean d g m /\ variance d g v) terms).
  { apply Forall_forall. intros t I. unfold terms in I. apply in_map_iff in I. destruct I as [l [I _]]. subst. split; [apply proper_centred | auto]. }
  pose proof (sums terms H) as S. cbv zeta in S. unfold terms in S. rewrite !map_map in S. cbn [fst snd] in S. rewrite !total_map in S. cbn [fst snd] in S.
  destruct S as [S1 S2].
  assert (IN : forall N p, In p (noise ls N) -> sum2 (map (fun _ : nat => f) ls) (fst p) = total (fst p) f).
  { intros N p I. apply independent_length in I. rewrite map_length in I. apply sum2_total. auto. }
  split; [apply (mean_ext_in _ _ _ _ IN S1) | apply (variance_ext_in _ _ _ _ IN S2)].
Qed.
Lemma proper_noise : forall ls, proper (noise ls).
Proof. intro ls. apply proper_independent, Forall_forall. intros d I. apply in_map_iff in I. destruct I as [l [I _]]. subst. apply proper_centred. Qed.

(* ---- B ---- *)
Section B.
Context {X : Type} (U : universe X) (D : law X) (PD : proper D) (m : R) (ls : list nat).
Hypothesis M0 : 0 < m.
Hypothesis K1 : 1 <= size U.
Hypothesis LL : length ls = length (elements U).
Let k := size U.
Let mu := m / k.
Let rho (j : X) := m * chance U D j.
Let cross (p : nat * R) : R := snd p * (INR (fst p) - mu).
Lemma cross_mean : forall j l, mean (joint (Pois (rho j)) (centred l)) cross 0.
Proof.
  intros j l. pose proof (rho_pos U D PD m M0 j) as R0. fold (rho j) in R0.
  replace 0 with ((rho j - mu) * 0) by ring.
  apply (mean_ext _ (fun p => (INR (fst p) - mu) * snd p)); [intro; unfold cross; ring|].
  apply (mean_product (Pois (rho j)) (centred l) (fun i => INR i - mu) (fun e => e)); auto using proper_Pois, proper_centred, centred_1.
  apply mean_minus; auto using proper_Pois, mean_1. apply mean_const. apply proper_Pois; auto.
Qed.
Lemma cross_variance : forall j l, variance (joint (Pois (rho j)) (centred l)) cross (INR l / 4 * (rho j + (rho j - mu) ^ 2)).
Proof.
  intros j l. pose proof (rho_pos U D PD m M0 j) as R0. fold (rho j) in R0. pose proof (proper_Pois (rho j) R0) as PR.
  replace (INR l / 4 * (rho j + (rho j - mu) ^ 2)) with ((rho j * (rho j + 1) + (- 2 * mu * rho j + mu ^ 2)) * (INR l / 4) - 0 ^ 2) by ring.
  apply variance_of; [apply proper_joint; auto using proper_centred | apply cross_mean|].
  apply (mean_ext _ (fun p => (INR (fst p) ^ 2 + (- 2 * mu * INR (fst p) + mu ^ 2)) * snd p ^ 2)); [intro; unfold cross; ring|].
  apply (mean_product (Pois (rho j)) (centred l) (fun i => INR i ^ 2 + (- 2 * mu * INR i + mu ^ 2)) (fun e => e ^ 2)); auto using proper_centred, centred_2.
  apply mean_plus; auto using mean_2. apply mean_plus; auto; [apply mean_scale, mean_1; auto | apply mean_const; auto].
Qed.
Lemma B_moments : mean (joint (poissonized m D) (noise ls)) (fun p => B_of U m (fst p) (snd p)) 0 /\
  variance (joint (poissonized m D) (noise ls)) (fun p => B_of U m (fst p) (snd p))
    ((2 * k / m) ^ 2 * total (combine (elements U) ls) (fun jl => INR (snd jl) / 4 * (rho (fst jl) + (rho (fst jl) - mu) ^ 2))).
Proof.
  set (KL := combine (elements U) ls).
  pose (terms := map (fun jl => (joint (Pois (rho (fst jl))) (centred (snd jl)), cross, 0, INR (snd jl) / 4 * (rho (fst jl) + (rho (fst jl) - mu) ^ 2))) KL).
  assert (H : Forall (fun t => let '(d, g, mm, v) := t in proper d /\ mean d g mm /\ variance d g v) terms).
  { apply Forall_forall. intros t I. unfold terms in I. apply in_map_iff in I. destruct I as [[j l] [I _]]. subst. cbn [fst snd].
    split; [apply proper_joint; [apply proper_Pois; apply (rho_pos U D PD m M0 j) | apply proper_centred] | split; [apply cross_mean | apply cross_variance]]. }
  pose proof (sums terms H) as S. cbv zeta in S. unfold terms in S. rewrite !map_map in S. cbn [fst snd] in S. rewrite !total_map in S. cbn [fst snd] in S.
  rewrite (total_const KL 0), Rmult_0_r in S. destruct S as [S1 S2].
  set (pairs := independent (map (fun jl => joint (Pois (rho (fst jl))) (centred (snd jl))) KL)) in *.
  assert (IN : forall N p, In p (pairs N) -> sum2 (map (fun _ : X * nat => cross) KL) (fst p) = total (fst p) cross).
  { intros N p I. apply independent_length in I. rewrite map_length in I. apply sum2_total. auto. }
  pose proof (mean_ext_in _ _ _ _ IN S1) as T1. pose proof (variance_ext_in _ _ _ _ IN S2) as T2. clear S1 S2 IN.
  (* pairs are counts and noise *)
  pose proof (proper_poissonized D PD m ltac:(lra)) as PP. pose proof (proper_poissons U D PD m ltac:(lra)) as PQ. pose proof (proper_noise ls) as PN.
  assert (ZIP : forall N f, sum_over (pairs N) f = sum_over (joint (poissons U D m) (noise ls) N) (fun p => f (combine (fst p) (snd p)))).
  { intros N f. unfold joint. rewrite slice_bind. transitivity (sum_over (poissons U D m N) (fun l => sum_over (noise ls N) (fun r => f (combine l r)))).
    2:{ apply table_ext; intro l. rewrite slice_bind. apply table_ext; intro r. unfold point. simpl. ring. }
    unfold poissons, noise. rewrite zipped by (rewrite !map_length; auto). unfold pairs. f_equal. f_equal.
    unfold KL. clear -LL. revert ls LL. induction (elements U) as [|j K IH]; intros [|l ls] LL; simpl in *; try discriminate; auto. f_equal. apply IH. lia. }
  assert (U1 : forall f v, mean pairs f v -> mean (joint (poissons U D m) (noise ls)) (fun p => f (combine (fst p) (snd p))) v).
  { intros f v [[M B] L]. split; [exists M; intro N; rewrite <- (ZIP N (fun l => Rabs (f l))); apply B|].
    apply is_lim_seq_ext with (2 := L). intro N. apply ZIP. }
  assert (T1' := U1 _ _ T1). destruct T2 as [mu2 [T2m T2]].
  assert (mu2 = 0) by (apply (mean_unique _ _ _ _ T2m T1)). subst mu2.
  assert (T2' := U1 _ _ T2). clear T1 T2 T2m U1 ZIP.
  (* from counts to samples *)
  assert (SM : same_law (joint (poissons U D m) (noise ls)) (image (fun p => (counts U (fst p), snd p)) (joint (poissonized m D) (noise ls)))).
  { intros f [M HM]. assert (F : bounded f) by (exists M; auto). rewrite E_joint by auto. unfold image. rewrite E_bind_point by (auto using proper_joint).
    rewrite E_joint by (auto; exists M; intro; apply HM). cbn [fst snd].
    rewrite <- (poissonized_counts U D PD m ltac:(lra)) by (apply bounded_E2; auto; exists M; auto).
    unfold image. rewrite E_bind_point; auto. apply bounded_E2; auto. exists M; auto. }
  assert (PI : proper (image (fun p => (counts U (fst p), snd p)) (joint (poissonized m D) (noise ls)))).
  { apply proper_bind; [apply proper_joint; auto | intro; apply proper_point]. }
  assert (PJ : proper (joint (poissons U D m) (noise ls))) by (apply proper_joint; auto).
  apply (mean_transfer _ _ _ _ PJ PI SM) in T1'. apply (mean_transfer _ _ _ _ PJ PI SM) in T2'.
  apply (proj1 (mean_image _ _ _ _)) in T1'. apply (proj1 (mean_image _ _ _ _)) in T2'. cbn [fst snd] in T1', T2'.
  assert (BE : forall x e, B_of U m x e = 2 * k / m * total (combine (counts U x) e) cross).
  { intros x e. unfold B_of. f_equal. unfold counts. generalize (elements U). intro K. revert e. induction K as [|j K IH]; intros [|v e]; auto.
    cbn [map combine]. change (total ((j, v) :: combine K e) ?f) with (f (j, v) + total (combine K e) f).
    change (total ((count U x j, v) :: combine (map (count U x) K) e) cross) with (cross (count U x j, v) + total (combine (map (count U x) K) e) cross).
    rewrite IH. reflexivity. }
  split.
  - replace 0 with (2 * k / m * 0) by ring. apply (mean_ext _ (fun p => 2 * k / m * total (combine (counts U (fst p)) (snd p)) cross)); [intro; symmetry; apply BE|].
    apply mean_scale. exact T1'.
  - apply (variance_ext _ (fun p => 2 * k / m * total (combine (counts U (fst p)) (snd p)) cross)); [intro; symmetry; apply BE|].
    apply variance_scale. exists 0. split; [exact T1' | exact T2'].
Qed.
End B.

Theorem claim_moments_holds : claim_moments.
Proof.
  intros X U m D ls k M0 K1 PD LL.
  assert (V1 : forall l, variance (centred l) (fun e => e) (INR l / 4)).
  { intro l. replace (INR l / 4) with (INR l / 4 - 0 ^ 2) by ring. apply variance_of; auto using proper_centred, centred_1, centred_2. }
  assert (V2 : forall l, variance (centred l) (fun e => e ^ 2) (3 * INR l ^ 2 / 16 - INR l / 8 - (INR l / 4) ^ 2)).
  { intro l. apply variance_of; auto using proper_centred, centred_2, centred_4. }
  destruct (noise_sums (fun e => e ^ 2) (fun l => INR l / 4) _ ls centred_2 V2) as [A1 A2].
  destruct (noise_sums (fun e => e) (fun _ => 0) _ ls centred_1 V1) as [C1 C2].
  destruct (B_moments U D PD m ls M0 LL) as [B1 _].
  assert (KP : 0 < k) by lra.
  split; [|split; [exact B1 | split; [|split]]].
  - replace (k / (4 * m) * total ls INR) with (k / m * total ls (fun l => INR l / 4)); [apply mean_scale; exact A1|].
    rewrite (total_ext ls (fun l => INR l / 4) (fun l => / 4 * INR l)) by (intro; field). rewrite total_scale. field. lra.
  - replace 0 with (k / m * total ls (fun _ => 0)); [apply mean_scale; exact C1 | rewrite total_const; ring].
  - eexists. split; [apply variance_scale; exact A2|]. rewrite <- !total_scale. apply total_le. intros l _.
    pose proof (pos_INR l). replace (k ^ 2 / (8 * m ^ 2) * INR l ^ 2) with ((k / m) ^ 2 * (INR l ^ 2 / 8)) by (field; lra).
    apply Rmult_le_compat_l; [apply pow2_ge_0|]. simpl. nra.
  - replace (k ^ 2 / (4 * m ^ 2) * total ls INR) with ((k / m) ^ 2 * total ls (fun l => INR l / 4)); [apply variance_scale; exact C2|].
    rewrite (total_ext ls (fun l => INR l / 4) (fun l => / 4 * INR l)) by (intro; field). rewrite total_scale. field. lra.
Qed.
Theorem claim_moments_uniform_holds : claim_moments_uniform.
Proof.
  exists 1000. intros X U m alpha ls k d M0 K1 HA LL. pose proof (uniform_proper U K1) as PU.
  destruct (Z_moments U (uniform (elements U)) PU m M0) as [ZM ZV]. cbv beta in ZV. fold k in ZM, ZV. assert (KP : 0 < k) by lra.
  assert (CH : forall j, m * chance U (uniform (elements U)) j = m / k) by (intro j; rewrite uniform_chance by auto; fold k; unfold Rdiv; ring).
  assert (SZ : spread U (uniform (elements U)) m = 0).
  { unfold spread. rewrite (total_ext _ _ (fun _ => 0)); [rewrite total_const; ring|]. intro j. fold k. rewrite CH. ring. }
  split; [|split].
  - exists 0. rewrite SZ, Rmult_0_r in ZM. split; [exact ZM|]. apply Rmult_le_pos; [apply Rmult_le_pos; [apply pow2_ge_0 | lra] | lra].
  - intro HM. eexists. split; [exact ZV|].
    rewrite (total_ext _ _ (fun _ => 2 * (m / k) ^ 2)) by (intro j; rewrite CH; ring). rewrite total_const. change (INR (length (elements U))) with k.
    replace ((k / m) ^ 2 * (k * (2 * (m / k) ^ 2))) with (2 * k) by (field; lra).
    assert (A2 : 0 < alpha ^ 2) by (apply pow_lt; lra). assert (SK : sqrt k * sqrt k = k) by (apply sqrt_sqrt; lra).
    assert (H1 : 1000 * sqrt k <= m * alpha ^ 2).
    { apply Rmult_le_reg_r with (/ alpha ^ 2); [apply Rinv_0_lt_compat; auto|]. replace (m * alpha ^ 2 * / alpha ^ 2) with m by (field; lra). exact HM. }
    assert (H2 : (1000 * sqrt k) ^ 2 <= (m * alpha ^ 2) ^ 2) by (apply pow_incr; split; [apply Rmult_le_pos; [lra | apply sqrt_pos] | auto]).
    replace ((1000 * sqrt k) ^ 2) with (1000000 * k) in H2 by (rewrite <- SK at 1; ring). replace ((m * alpha ^ 2) ^ 2) with (alpha ^ 4 * m ^ 2) in H2 by ring. lra.
  - destruct (B_moments U (uniform (elements U)) PU m ls M0 LL) as [_ BV]. fold k in BV.
    replace (k / m * total ls INR) with ((2 * k / m) ^ 2 * total (combine (elements U) ls)
       (fun jl => INR (snd jl) / 4 * (m * chance U (uniform (elements U)) (fst jl) + (m * chance U (uniform (elements U)) (fst jl) - m / k) ^ 2))); [exact BV|].
    rewrite (total_ext _ _ (fun jl => m / k / 4 * INR (snd jl))) by (intro jl; rewrite CH; field; lra). rewrite total_scale.
    replace (total (combine (elements U) ls) (fun jl => INR (snd jl))) with (total ls INR); [field; lra|].
    clear -LL. revert ls LL. induction (elements U) as [|j K IH]; intros [|l ls] LL; simpl in *; try discriminate; auto. unfold total in *. rewrite (IH ls) by lia. reflexivity.
Qed.
Theorem eq_z_non_holds : eq_z_non.
Proof.
  exists 800. intros X U m alpha D k M0 K1 HA PD FAR. destruct (Z_moments U D PD m M0) as [ZM ZV]. cbv beta in ZV. fold k in ZM, ZV.
  assert (KP : 0 < k) by lra. eexists. eexists. split; [exact ZM|]. split; [exact ZV|].
  pose proof (far_spread U D PD K1 alpha ltac:(lra) FAR) as FS. fold k in FS.
  set (S := spread U D m). assert (HS : 4 * alpha ^ 2 * m ^ 2 / k <= S).
  { unfold S. rewrite (spread_scale U D m). fold k. assert (Q : 4 * alpha ^ 2 * m ^ 2 / k = m ^ 2 * (4 * alpha ^ 2 / k)) by (field; lra). rewrite Q.
    apply Rmult_le_compat_l; [apply pow2_ge_0 | exact FS]. }
  assert (A2 : 0 < alpha ^ 2) by (apply pow_lt; lra). assert (KM : 0 < k / m) by (apply Rdiv_lt_0_compat; auto).
  split.
  - apply Rle_trans with (k / m * (4 * alpha ^ 2 * m ^ 2 / k)); [|apply Rmult_le_compat_l; lra].
    replace (k / m * (4 * alpha ^ 2 * m ^ 2 / k)) with (4 * (alpha ^ 2 * m)) by (field; lra).
    assert (0 < alpha ^ 2 * m) by (apply Rmult_lt_0_compat; auto). lra.
  - intro HM. assert (QE : (k / m * S) ^ 2 / 100 = (k / m) ^ 2 * (S ^ 2 / 100)) by (unfold Rdiv; ring). change (spread U D m) with S. rewrite QE. apply Rmult_le_compat_l; [apply pow2_ge_0|].
    (* the variance is at most 2m^2/k + S (2 + 4 m/k + 4 sqrt S) *)
    assert (S0 : 0 <= S) by (apply total_nonneg; intro; apply pow2_ge_0). set (mu := m / k).
    assert (VB : total (elements U) (fun j => 2 * (m * chance U D j) ^ 2 + 4 * (m * chance U D j) * (m * chance U D j - mu) ^ 2) <= 2 * m ^ 2 / k + S * (2 + 4 * mu + 4 * sqrt S)).
    { pose proof (variance_total U D PD K1 m 0 M0 ltac:(lra)) as V. rewrite total_map in V. fold k mu S in V. unfold V0 in V. fold k in V.
      eapply Rle_trans; [|eapply Rle_trans; [exact V|]].
      - right. apply total_ext. intro j. unfold pool_variance. field.
      - right. field. lra. }
    eapply Rle_trans; [exact VB|].
    assert (SK : 1 <= sqrt k) by (rewrite <- sqrt_1; apply sqrt_le_1_alt; unfold k; auto). assert (SKK : sqrt k * sqrt k = k) by (apply sqrt_sqrt; lra).
    assert (H1 : 800 * sqrt k <= m * alpha ^ 2).
    { apply Rmult_le_reg_r with (/ alpha ^ 2); [apply Rinv_0_lt_compat; auto|]. replace (m * alpha ^ 2 * / alpha ^ 2) with m by (field; lra). exact HM. }
    assert (H2 : 640000 * k <= m ^ 2 * alpha ^ 4).
    { replace (640000 * k) with ((800 * sqrt k) ^ 2) by (rewrite <- SKK at 2; ring). replace (m ^ 2 * alpha ^ 4) with ((m * alpha ^ 2) ^ 2) by ring. apply pow_incr; split; [nra | auto]. }
    assert (M2 : 0 < m ^ 2) by (apply pow_lt; auto).
    assert (HS' : 4 * (alpha ^ 2 * m ^ 2 / k) <= S) by (replace (4 * (alpha ^ 2 * m ^ 2 / k)) with (4 * alpha ^ 2 * m ^ 2 / k) by (field; lra); auto).
    assert (C1 : 640000 <= alpha ^ 2 * m ^ 2 / k).
    { apply Rmult_le_reg_r with k; auto. replace (alpha ^ 2 * m ^ 2 / k * k) with (alpha ^ 2 * m ^ 2) by (field; lra).
      eapply Rle_trans; [exact H2|]. replace (m ^ 2 * alpha ^ 4) with (alpha ^ 2 * m ^ 2 * alpha ^ 2) by ring.
      rewrite <- (Rmult_1_r (alpha ^ 2 * m ^ 2)) at 2. apply Rmult_le_compat_l; [apply Rmult_le_pos; lra|]. simpl; nra. }
    assert (SB : 2560000 <= S) by lra.
    assert (SS : sqrt S * sqrt S = S) by (apply sqrt_sqrt; lra).
    assert (SR : 1600 <= sqrt S) by (rewrite <- (sqrt_pow2 1600) by lra; apply sqrt_le_1_alt; lra).
    assert (P1 : 2 * m ^ 2 / k <= S ^ 2 / 400).
    { apply Rle_trans with ((4 * alpha ^ 2 * m ^ 2 / k) ^ 2 / 400).
      - apply Rmult_le_reg_r with (k ^ 2); [apply pow_lt; auto|].
        replace (2 * m ^ 2 / k * k ^ 2) with (m ^ 2 * (2 * k)) by (field; lra).
        replace ((4 * alpha ^ 2 * m ^ 2 / k) ^ 2 / 400 * k ^ 2) with (m ^ 2 * (m ^ 2 * alpha ^ 4 / 25)) by (field; lra).
        apply Rmult_le_compat_l; lra.
      - apply Rmult_le_compat_r; [lra|]. apply pow_incr. split; auto. left. apply Rdiv_lt_0_compat; auto. apply Rmult_lt_0_compat; lra. }
    assert (P2 : S * 2 <= S ^ 2 / 400) by (simpl; nra).
    assert (P3 : S * (4 * mu) <= S ^ 2 / 400).
    { assert (1600 * mu <= S).
      { apply Rle_trans with (4 * (alpha ^ 2 * m ^ 2 / k)); auto. unfold mu. replace (alpha ^ 2 * m ^ 2 / k) with (m * alpha ^ 2 * (m / k)) by (field; lra).
        assert (0 < m / k) by (apply Rdiv_lt_0_compat; auto). nra. }
      simpl. nra. }
    assert (P4 : S * (4 * sqrt S) <= S ^ 2 / 400) by (replace (S ^ 2 / 400) with (S * (sqrt S * sqrt S / 400)) by (rewrite SS; field); apply Rmult_le_compat_l; nra).
    replace (S ^ 2 / 100) with (S ^ 2 / 400 + S ^ 2 / 400 + S ^ 2 / 400 + S ^ 2 / 400) by field. lra.
Qed.

(* ---- Claim symmetric-mean-zero ---- *)
Lemma symmetric_law : forall e : law Z, proper e -> (forall v, Pr e (Z.eqb v) = Pr e (Z.eqb (- v))) -> same_law e (image Z.opp e).
Proof.
  intros e P H. assert (PI : proper (image Z.opp e)) by (apply proper_bind; auto; intro; apply proper_point).
  apply same_masses; auto. intro v. unfold mass.
  assert (M : forall w, Pr e (is w) = Pr e (Z.eqb w)).
  { intro w. apply Pr_ext. intro a. apply eq_true_iff_eq. rewrite is_true, Z.eqb_eq. reflexivity. }
  rewrite M, H. unfold Pr, image. rewrite E_bind_point by (auto using bounded_indicator). apply E_ext; intro a. f_equal.
  apply eq_true_iff_eq. rewrite is_true, Z.eqb_eq. lia.
Qed.
Lemma proper_weighted : forall terms, Forall (fun t => proper (fst t)) terms -> proper (weighted_sum terms).
Proof.
  induction 1 as [|[e d] terms H F IH]; [apply proper_point|]. cbn [weighted_sum].
  apply proper_bind; auto; intro. apply proper_bind; auto; intro. apply proper_point.
Qed.
Lemma E_weighted : forall e d terms f, proper e -> proper (weighted_sum terms) -> bounded f ->
  E (weighted_sum ((e, d) :: terms)) f = E e (fun v => E (weighted_sum terms) (fun s => f (IZR v * d + s))).
Proof.
  intros e d terms f P Q F. cbn [weighted_sum]. rewrite E_bind; [|auto | intro; apply proper_bind; auto; intro; apply proper_point | auto].
  apply E_ext; intro v. apply E_bind_point; auto.
Qed.
Theorem clm_symmetric_mean_zero_holds : clm_symmetric_mean_zero.
Proof.
  intros terms H.
  assert (PT : Forall (fun t => proper (fst t)) terms) by (eapply Forall_impl; [|exact H]; intros t [T _]; auto).
  assert (SYM : forall f, bounded f -> E (weighted_sum terms) f = E (weighted_sum terms) (fun s => f (- s))).
  { induction H as [|[e d] terms [P [S M]] H IH]; intros f [B HB].
    - simpl. rewrite !E_point. f_equal. ring.
    - inversion PT; subst. assert (PW : proper (weighted_sum terms)) by (apply proper_weighted; auto). cbn [fst] in *.
      rewrite !E_weighted by (auto; exists B; auto).
      rewrite (symmetric_law e P S) by (apply bounded_E2; auto; exists B; auto).
      unfold image. rewrite E_bind_point by (auto; apply bounded_E2; auto; exists B; auto).
      apply E_ext; intro v. rewrite (IH H3 (fun s => f (IZR (- v) * d + s))) by (exists B; auto). apply E_ext; intro s. f_equal. rewrite opp_IZR. ring. }
  split.
  - intro v. unfold Pr. rewrite SYM by apply bounded_indicator. apply E_ext; intro s. f_equal. unfold equals.
    destruct (Req_EM_T v (- s)), (Req_EM_T (- v) s); auto; exfalso; lra.
  - clear SYM. induction H as [|[e d] terms [P [S M]] H IH].
    + simpl. apply (mean_ext_in _ (fun _ => 0)); [intros N p [I|[]]; subst; auto | apply mean_const, proper_point].
    + inversion PT; subst. assert (PW : proper (weighted_sum terms)) by (apply proper_weighted; auto). cbn [fst] in *. specialize (IH H3).
      assert (SL : forall N f, sum_over (weighted_sum ((e, d) :: terms) N) f = sum_over (joint e (weighted_sum terms) N) (fun p => f (IZR (fst p) * d + snd p))).
      { intros N f. cbn [weighted_sum]. unfold joint. rewrite !slice_bind. apply table_ext; intro v. rewrite !slice_bind. apply table_ext; intro s. unfold point. simpl. ring. }
      assert (MJ : mean (joint e (weighted_sum terms)) (fun p => d * IZR (fst p) + snd p) (d * 0 + 0)).
      { apply mean_plus; [apply proper_joint; auto | apply mean_scale; apply (mean_first e (weighted_sum terms) IZR); auto | apply (mean_second e (weighted_sum terms) (fun s => s)); auto]. }
      replace (d * 0 + 0) with 0 in MJ by ring.
      assert (MJ' : mean (joint e (weighted_sum terms)) (fun p => IZR (fst p) * d + snd p) 0) by (eapply mean_ext; [|exact MJ]; intro; simpl; ring).
      destruct MJ' as [[B HB] L]. split.
      * exists B. intro N. rewrite SL. apply HB.
      * apply is_lim_seq_ext with (2 := L). intro N. symmetry. apply SL.
Qed.

(* ---- the error of the binomial mechanism ---- *)
Lemma variance_finite : forall l p, 0 <= p <= 1 -> variance (Bin l p) INR (INR l * p * (1 - p)).
Proof.
  intros l p P. rewrite Bin_finite. pose proof (BinomialError.Bin_variance l p P) as V. pose proof (BinomialError.Bin_mean l p P) as M.
  exists (sum_over (UniformityTransformation.Bin l p) INR). split; [apply mean_finite|]. rewrite <- V. apply (mean_finite (UniformityTransformation.Bin l p)).
Qed.
Theorem lem_b_noise_error_fails : ~ lem_b_noise_error.
Proof.
  intros [C H]. apply (proj2 BinomialError.error_refuted). exists C. intros l p eps delta HP HE HD HL.
  destruct (H l p eps delta HP HE HD HL) as [v [V B]]. rewrite (BinomialError.Bin_variance l p) by lra.
  rewrite (variance_unique _ _ _ _ V (variance_finite l p ltac:(lra))) in B. exact B.
Qed.
Theorem lem_b_noise_error_repaired_holds : lem_b_noise_error_repaired.
Proof.
  intros l p eps delta HP HE HD L0 HL. exists (INR l * p * (1 - p)). split; [apply variance_finite; lra|].
  pose proof (BinomialError.error_repaired l p eps delta HP HE HD L0 HL) as B. rewrite (BinomialError.Bin_variance l p) in B by lra. exact B.
Qed.
