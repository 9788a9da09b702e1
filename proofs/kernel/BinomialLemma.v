(* Lemma b_noise, proved: the binomial mechanism is private.

   "Fix any l in N, p in (0,1), eps > 0 and delta in (0,1) such that l min(p,1-p) >= 10 ((e^eps+1)/(e^eps-1))^2 ln(2/delta).
    The algorithm that samples eta ~ Bin(l,p) and outputs f(x) + eta is (eps,delta)-differentially private."  (Appendix: the
    same for delta in (0,1].)

   Proved with 2 in place of 10, so as printed; and Claim robust_bc, Theorems zerocount-pan and hist-pan with no premise. *)
From Coq Require Import Reals ZArith Lra Lia List Bool.
From PanshuffleKernel Require Import Law Closeness Parity Shuffle Messages ShuffleModel Online Transformation.
From PanshuffleKernel Require Import UniformityTransformation BinomialMechanism PanSum PanHistogram BinarySum.
From PanshuffleKernel Require Import Calculus BinomialTail.
Import ListNotations.
Open Scope R_scope.

(* Where the ratios of neighbouring masses pass E: (l+1)a and (l+1)b. *)
Definition lower_point (p Ex : R) : R := p / (p + Ex * (1 - p)).
Definition upper_point (p Ex : R) : R := p * Ex / (1 - p + p * Ex).

Lemma lower_point_range : forall p Ex, 0 < p < 1 -> 1 < Ex -> 0 < lower_point p Ex < p.
Proof.
  intros p Ex Hp HE. unfold lower_point.
  assert (W0 : 1 < p + Ex * (1 - p)) by (assert (1 * (1 - p) < Ex * (1 - p)) by (apply Rmult_lt_compat_r; lra); lra).
  split; [apply Rdiv_lt_0_compat; lra|]. apply Rmult_lt_reg_r with (p + Ex * (1 - p)); [lra|].
  unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. apply Rmult_lt_compat_l; lra.
Qed.
Lemma upper_point_range : forall p Ex, 0 < p < 1 -> 1 < Ex -> p < upper_point p Ex < 1.
Proof.
  intros p Ex Hp HE. unfold upper_point.
  assert (W0 : 1 < 1 - p + p * Ex) by (assert (p * 1 < p * Ex) by (apply Rmult_lt_compat_l; lra); lra).
  assert (W1 : 1 - p + p * Ex < Ex) by (assert (1 * (1 - p) < Ex * (1 - p)) by (apply Rmult_lt_compat_r; lra); lra).
  split; apply Rmult_lt_reg_r with (1 - p + p * Ex); try lra; unfold Rdiv; rewrite Rmult_assoc, Rinv_l by lra;
    [rewrite Rmult_1_r; apply Rmult_lt_compat_l; lra | lra].
Qed.

(* D(a|p) = (1-a) ln E - ln(p + E(1-p)), D(b|p) = b ln E - ln(1-p+pE). *)
Lemma lower_entropy : forall p Ex, 0 < p < 1 -> 1 < Ex ->
  relative_entropy (lower_point p Ex) p = (1 - lower_point p Ex) * ln Ex - ln (p + Ex * (1 - p)).
Proof.
  intros p Ex Hp HE. pose proof (lower_point_range p Ex Hp HE) as R. unfold relative_entropy.
  assert (W0 : 1 < p + Ex * (1 - p)) by (assert (1 * (1 - p) < Ex * (1 - p)) by (apply Rmult_lt_compat_r; lra); lra).
  assert (X : ln (lower_point p Ex) = ln p - ln (p + Ex * (1 - p))).
  { unfold lower_point, Rdiv. rewrite ln_mult, ln_Rinv by (try apply Rinv_0_lt_compat; lra). ring. }
  assert (Y : ln (1 - lower_point p Ex) = ln Ex + ln (1 - p) - ln (p + Ex * (1 - p))).
  { replace (1 - lower_point p Ex) with (Ex * (1 - p) * / (p + Ex * (1 - p))) by (unfold lower_point; field; lra).
    rewrite !ln_mult, ln_Rinv; try lra; try (apply Rinv_0_lt_compat; lra); apply Rmult_lt_0_compat; lra. }
  rewrite X, Y. ring.
Qed.
Lemma upper_entropy : forall p Ex, 0 < p < 1 -> 1 < Ex ->
  relative_entropy (upper_point p Ex) p = upper_point p Ex * ln Ex - ln (1 - p + p * Ex).
Proof.
  intros p Ex Hp HE. pose proof (upper_point_range p Ex Hp HE) as R. unfold relative_entropy.
  assert (W0 : 1 < 1 - p + p * Ex) by (assert (p * 1 < p * Ex) by (apply Rmult_lt_compat_l; lra); lra).
  assert (X : ln (upper_point p Ex) = ln Ex + ln p - ln (1 - p + p * Ex)).
  { unfold upper_point, Rdiv. rewrite !ln_mult, ln_Rinv; try lra; try (apply Rinv_0_lt_compat; lra);
    apply Rmult_lt_0_compat; lra. }
  assert (Y : ln (1 - upper_point p Ex) = ln (1 - p) - ln (1 - p + p * Ex)).
  { replace (1 - upper_point p Ex) with ((1 - p) * / (1 - p + p * Ex)) by (unfold upper_point; field; lra).
    rewrite !ln_mult, ln_Rinv; try lra; try (apply Rinv_0_lt_compat; lra). }
  rewrite X, Y. ring.
Qed.

(* D(a|p) >= (p-a)^2/(2p(1-p)). *)
Lemma lower_entropy_quadratic : forall p Ex, 0 < p <= 1 / 2 -> 1 < Ex ->
  p * ((1 - p) * (Ex - 1) ^ 2 / (2 * (p + Ex * (1 - p)) ^ 2)) <= relative_entropy (lower_point p Ex) p.
Proof.
  intros p Ex Hp HE. pose proof (lower_point_range p Ex ltac:(lra) HE) as R.
  assert (W0 : 1 < p + Ex * (1 - p)) by (assert (1 * (1 - p) < Ex * (1 - p)) by (apply Rmult_lt_compat_r; lra); lra).
  eapply Rle_trans; [|apply (entropy_below (lower_point p Ex) p (p * (1 - p))); try lra].
  - right. unfold lower_point. field. repeat split; lra.
  - apply Rmult_lt_0_compat; lra.
  - intros t Ht. nra.
Qed.

(* With 2: 2(1-p)(E+1)^2 >= 2(p + E(1-p))^2. *)
Lemma lower_entropy_2 : forall p Ex, 0 < p <= 1 / 2 -> 1 < Ex ->
  p * ((Ex - 1) / (Ex + 1)) ^ 2 <= 2 * relative_entropy (lower_point p Ex) p.
Proof.
  intros p Ex Hp HE. pose proof (lower_entropy_quadratic p Ex Hp HE) as Q.
  assert (W0 : 1 < p + Ex * (1 - p)) by (assert (1 * (1 - p) < Ex * (1 - p)) by (apply Rmult_lt_compat_r; lra); lra).
  set (W := p + Ex * (1 - p)) in *.
  assert (X : p * ((Ex - 1) / (Ex + 1)) ^ 2 <= 2 * (p * ((1 - p) * (Ex - 1) ^ 2 / (2 * W ^ 2)))); [|lra].
  replace (p * ((Ex - 1) / (Ex + 1)) ^ 2) with (p * (Ex - 1) ^ 2 * / (Ex + 1) ^ 2) by (field; lra).
  replace (2 * (p * ((1 - p) * (Ex - 1) ^ 2 / (2 * W ^ 2)))) with (p * (Ex - 1) ^ 2 * ((1 - p) * / W ^ 2)) by (field; lra).
  apply Rmult_le_compat_l; [apply Rmult_le_pos; [lra | apply pow2_ge_0]|].
  apply Rmult_le_reg_r with ((Ex + 1) ^ 2 * W ^ 2); [apply Rmult_lt_0_compat; apply pow_lt; lra|].
  replace (/ (Ex + 1) ^ 2 * ((Ex + 1) ^ 2 * W ^ 2)) with (W ^ 2) by (field; lra).
  replace ((1 - p) * / W ^ 2 * ((Ex + 1) ^ 2 * W ^ 2)) with ((1 - p) * (Ex + 1) ^ 2) by (field; lra).
  unfold W.
  enough (0 <= (1 - p - p ^ 2) + 2 * Ex * ((1 - p) * (1 - p)) + Ex ^ 2 * (p * (1 - p))) by nra.
  assert (0 <= Ex * ((1 - p) * (1 - p))) by (apply Rmult_le_pos; [lra | nra]).
  assert (0 <= Ex ^ 2 * (p * (1 - p))) by (apply Rmult_le_pos; nra). nra.
Qed.

(* Gaining: k = D(b|p)/(p/c^2) is at least 1, and k ln 2 >= (1-b) ln E. *)
Lemma upper_entropy_1 : forall p Ex, 0 < p <= 1 / 2 -> 1 < Ex ->
  exists k, 1 <= k /\ (1 - upper_point p Ex) * ln Ex <= k * ln 2
    /\ k * (p * ((Ex - 1) / (Ex + 1)) ^ 2) <= relative_entropy (upper_point p Ex) p.
Proof.
  intros p Ex Hp HE. pose proof (upper_point_range p Ex ltac:(lra) HE) as R.
  assert (W0 : 1 < 1 - p + p * Ex) by (assert (p * 1 < p * Ex) by (apply Rmult_lt_compat_l; lra); lra).
  pose proof ln_2_bounds as L2. pose proof (ln_quarter Ex ltac:(lra)) as L4. set (W := 1 - p + p * Ex) in *.
  set (e := Ex - 1). assert (Ee : Ex = 1 + e) by (unfold e; ring). assert (e0 : 0 < e) by (unfold e; lra).
  assert (We : W = 1 + p * e) by (unfold W, e; ring).
  assert (Bq : 1 - upper_point p Ex = (1 - p) * / W) by (unfold upper_point; fold W; unfold W in *; field; lra).
  assert (LE : 0 < ln Ex) by (rewrite <- ln_1; apply ln_increasing; lra).
  destruct (Rle_dec p (1 / 4)) as [C|C].
  - exists ((1 - p) * (Ex + 1) ^ 2 / (2 * Ex * W)). split; [|split].
    + apply le_div; [nra|].
      rewrite Ee, We. replace (1 * (2 * (1 + e) * (1 + p * e))) with (2 + 2 * (1 + p) * e + 2 * p * e ^ 2) by ring.
      replace ((1 - p) * (1 + e + 1) ^ 2) with (4 * (1 - p) + 4 * (1 - p) * e + (1 - p) * e ^ 2) by ring.
      assert (0 <= (2 - 6 * p) * e) by (apply Rmult_le_pos; lra).
      assert (0 <= (1 - 3 * p) * e ^ 2) by (apply Rmult_le_pos; [lra | apply pow2_ge_0]). lra.
    + rewrite Bq. replace ((1 - p) * (Ex + 1) ^ 2 / (2 * Ex * W) * ln 2) with ((1 - p) * / W * (((Ex + 1) ^ 2 / (2 * Ex)) * ln 2))
        by (field; lra). rewrite !Rmult_assoc. apply Rmult_le_compat_l; [lra|].
      apply Rmult_le_compat_l; [left; apply Rinv_0_lt_compat; lra|].
      replace ((Ex + 1) ^ 2 / (2 * Ex)) with (Ex / 2 + 1 + / (2 * Ex)) by (field; lra).
      assert (0 < / (2 * Ex)) by (apply Rinv_0_lt_compat; lra). nra.
    + eapply Rle_trans; [|apply (entropy_above (upper_point p Ex) p (upper_point p Ex * (1 - p))); try lra].
      * right. unfold upper_point. fold W. unfold W, e in *. field. repeat split; lra.
      * apply Rmult_lt_0_compat; lra.
      * intros t Ht. apply Rmult_le_compat; lra.
  - exists (2 * p * (1 - p) ^ 2 * (Ex + 1) ^ 2 / W ^ 2). split; [|split].
    + apply le_div; [apply pow_lt; lra|]. rewrite Ee, We.
      replace (1 * (1 + p * e) ^ 2) with (1 + 2 * p * e + p ^ 2 * e ^ 2) by ring.
      set (q := 2 * p * (1 - p) ^ 2). assert (Q4 : 1 <= 4 * q).
      { assert (0 <= (1 - 2 * p) * (6 * p - 4 * p ^ 2 - 1)) by (apply Rmult_le_pos; nra). unfold q. lra. }
      assert (Q2 : p <= 2 * (1 - p) ^ 2) by nra. assert (Q3 : p ^ 2 <= q) by (unfold q; nra).
      replace (q * (1 + e + 1) ^ 2) with (4 * q + 4 * q * e + q * e ^ 2) by ring.
      assert (0 <= (q - p ^ 2) * e ^ 2) by (apply Rmult_le_pos; [lra | apply pow2_ge_0]). nra.
    + rewrite Bq. replace (2 * p * (1 - p) ^ 2 * (Ex + 1) ^ 2 / W ^ 2 * ln 2)
        with ((1 - p) * / W * (2 * p * (1 - p) * (Ex + 1) * / W * ((Ex + 1) * ln 2))) by (field; lra).
      rewrite !(Rmult_assoc (1 - p)). apply Rmult_le_compat_l; [lra|].
      apply Rmult_le_compat_l; [left; apply Rinv_0_lt_compat; lra|].
      apply Rle_trans with (3 / 4 * ((Ex + 1) * ln 2)); [nra|].
      apply Rmult_le_compat_r; [apply Rmult_le_pos; lra|].
      apply Rmult_le_reg_r with W; [lra|]. rewrite Rmult_assoc, Rinv_l by lra. rewrite Ee, We.
      assert (3 / 4 <= 4 * p * (1 - p)) by nra. assert (3 / 4 * p <= 2 * p * (1 - p)) by nra.
      assert (3 / 4 * p * e <= 2 * p * (1 - p) * e) by (apply Rmult_le_compat_r; lra). lra.
    + eapply Rle_trans; [|apply (entropy_above (upper_point p Ex) p (1 / 4)); try lra].
      * right. unfold upper_point. fold W. unfold W, e in *. field. repeat split; lra.
      * intros t Ht. pose proof (Rle_0_sqr (t - 1 / 2)) as S. unfold Rsqr in S. lra.
Qed.

Lemma exp_ln_pow : forall x l, 0 < x -> x ^ l = exp (INR l * ln x).
Proof. intros. rewrite <- ln_pow by auto. symmetry. apply exp_ln. apply pow_lt; auto. Qed.
Lemma exp_le : forall x y, x <= y -> exp x <= exp y.
Proof. intros x y [H|H]; [left; apply exp_increasing; auto | subst; lra]. Qed.

(* The lemma with the constant K, from K D(a|p) >= p/c^2. *)
Theorem binomial_lemma_by_entropy : forall K, 1 <= K ->
  (forall p Ex, 0 < p <= 1 / 2 -> 1 < Ex -> p * ((Ex - 1) / (Ex + 1)) ^ 2 <= K * relative_entropy (lower_point p Ex) p) ->
  forall (l : nat) (p eps delta : R), 0 < p < 1 -> 0 < eps -> 0 < delta <= 1 ->
  K * noise_scale eps delta <= INR l * Rmin p (1 - p) -> hides_one l p eps delta.
Proof.
  intros K HK HE.
  assert (G : forall (l : nat) (p eps delta : R), 0 < p <= 1 / 2 -> 0 < eps -> 0 < delta <= 1 ->
    K * noise_scale eps delta <= INR l * p -> hides_one l p eps delta).
  { intros l p eps delta Hp He Hd H. pose proof (exp_ineq1 eps ltac:(lra)) as E1.
    set (Ex := exp eps) in *. assert (LE : ln Ex = eps) by apply ln_exp. assert (Ex1 : 1 < Ex) by lra.
    unfold noise_scale in H. fold Ex in H. set (L := ln (2 / delta)) in *.
    assert (LD : delta = exp (ln 2 - L)).
    { unfold L, Rdiv. rewrite ln_mult, ln_Rinv by (try apply Rinv_0_lt_compat; lra).
      replace (ln 2 - (ln 2 + - ln delta)) with (ln delta) by ring. rewrite exp_ln; lra. }
    pose proof ln_2_bounds as L2. pose proof (ln_quarter Ex ltac:(lra)) as L4.
    assert (LL : ln 2 <= L).
    { unfold L. assert (2 <= 2 / delta).
      { apply Rmult_le_reg_r with delta; [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra. }
      destruct H0 as [H0|H0]; [left; apply ln_increasing; lra | rewrite <- H0; lra]. }
    set (c2 := ((Ex - 1) / (Ex + 1)) ^ 2).
    assert (C0 : 0 < c2) by (apply pow_lt; apply Rdiv_lt_0_compat; lra).
    assert (H1 : K * L <= INR l * (p * c2)).
    { replace (K * L) with (K * (((Ex + 1) / (Ex - 1)) ^ 2 * L) * c2) by (unfold c2; field; lra).
      rewrite <- (Rmult_assoc (INR l)). apply Rmult_le_compat_r; lra. }
    pose proof (pos_INR l) as l0.
    apply hides_one_by_tails; try lra; fold Ex.
    - assert (W0 : 1 < p + Ex * (1 - p)) by (assert (1 * (1 - p) < Ex * (1 - p)) by (apply Rmult_lt_compat_r; lra); lra).
      replace (1 - p + p * / Ex) with ((p + Ex * (1 - p)) * / Ex) by (field; lra).
      rewrite exp_ln_pow by (apply Rmult_lt_0_compat; [lra | apply Rinv_0_lt_compat; lra]).
      rewrite <- exp_plus, LD. apply exp_le. rewrite ln_mult, ln_Rinv, LE by (try apply Rinv_0_lt_compat; lra).
      pose proof (HE p Ex Hp Ex1) as D. rewrite lower_entropy, LE in D by lra.
      pose proof (lower_point_range p Ex ltac:(lra) Ex1) as AR.
      replace ((INR l + 1) * p / (p + Ex * (1 - p))) with ((INR l + 1) * lower_point p Ex) by (unfold lower_point; field; lra).
      set (a := lower_point p Ex) in *. fold c2 in D.
      assert (D2 : L <= INR l * ((1 - a) * eps - ln (p + Ex * (1 - p)))).
      { apply Rmult_le_reg_l with K; [lra|]. eapply Rle_trans; [exact H1|].
        replace (K * (INR l * ((1 - a) * eps - ln (p + Ex * (1 - p))))) with
          (INR l * (K * ((1 - a) * eps - ln (p + Ex * (1 - p))))) by ring. apply Rmult_le_compat_l; lra. }
      assert (A2 : a * eps <= ln 2).
      { apply Rle_trans with (/ (1 + Ex) * eps).
        - apply Rmult_le_compat_r; [lra|]. unfold a, lower_point. apply Rmult_le_reg_r with (p + Ex * (1 - p)); [lra|].
          unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. apply Rmult_le_reg_r with (1 + Ex); [lra|].
          replace (/ (1 + Ex) * (p + Ex * (1 - p)) * (1 + Ex)) with (p + Ex * (1 - p)) by (field; lra). nra.
        - apply Rmult_le_reg_l with (1 + Ex); [lra|]. rewrite <- Rmult_assoc, Rinv_r by lra. rewrite LE in L4. nra. }
      lra.
    - assert (W0 : 1 < 1 - p + p * Ex) by (assert (p * 1 < p * Ex) by (apply Rmult_lt_compat_l; lra); lra).
      rewrite exp_ln_pow by lra. rewrite <- exp_plus, LD. apply exp_le.
      destruct (upper_entropy_1 p Ex Hp Ex1) as [k [K1 [K2 K3]]]. rewrite upper_entropy, LE in K3 by lra. rewrite LE in K2.
      fold (upper_point p Ex). set (b := upper_point p Ex) in *. fold c2 in K3.
      assert (D2 : k * L <= INR l * (b * eps - ln (1 - p + p * Ex))).
      { apply Rle_trans with (INR l * (k * (p * c2))); [|apply Rmult_le_compat_l; lra].
        replace (INR l * (k * (p * c2))) with (k * (INR l * (p * c2))) by ring. apply Rmult_le_compat_l; [lra|].
        assert (1 * L <= K * L) by (apply Rmult_le_compat_r; lra). lra. }
      assert (D3 : k * ln 2 + (L - ln 2) <= k * L).
      { assert (0 <= (k - 1) * (L - ln 2)) by (apply Rmult_le_pos; lra). lra. }
      lra. }
  intros l p eps delta Hp He Hd H. destruct (Rle_dec p (1 / 2)) as [C|C].
  - apply G; auto; [lra|]. rewrite Rmin_left in H by lra. exact H.
  - apply hides_one_mirror. apply G; auto; [lra|]. rewrite Rmin_right in H by lra. exact H.
Qed.

(* Lemma b_noise with 2 in place of 10. *)
Theorem b_noise_2 : forall (l : nat) (p eps delta : R), 0 < p < 1 -> 0 < eps -> 0 < delta <= 1 ->
  2 * noise_scale eps delta <= INR l * Rmin p (1 - p) -> hides_one l p eps delta.
Proof. apply binomial_lemma_by_entropy; [lra | exact lower_entropy_2]. Qed.

Lemma noise_scale_nonneg : forall eps delta, 0 < delta <= 1 -> 0 <= noise_scale eps delta.
Proof.
  intros eps delta Hd. unfold noise_scale. apply Rmult_le_pos; [apply pow2_ge_0|]. rewrite <- ln_1.
  assert (1 < 2 / delta).
  { apply Rmult_lt_reg_r with delta; [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra. }
  left. apply ln_increasing; lra.
Qed.

(* Lemma b_noise as printed, with delta in (0,1] as in the appendix. *)
Theorem b_noise : forall (l : nat) (p eps delta : R), 0 < p < 1 -> 0 < eps -> 0 < delta <= 1 ->
  10 * noise_scale eps delta <= INR l * Rmin p (1 - p) ->
  forall (X : Type) (f : list X -> Z) (n : nat), one_sensitive f -> private_on n eps delta (binomial_mechanism l p f).
Proof.
  intros l p eps delta Hp He Hd H. apply hides_one_iff. apply b_noise_2; auto.
  pose proof (noise_scale_nonneg eps delta Hd). lra.
Qed.

Theorem binomial_lemma_holds : binomial_lemma.
Proof.
  intros l p eps delta Hp He Hd H. apply b_noise_2; auto; [lra|]. pose proof (scale_pos eps delta He Hd). lra.
Qed.

(* Claim robust_bc, with no premise. *)
Theorem robust_binary_sum_holds : forall (eps delta gamma : R) (n honest : nat),
  0 < eps -> 0 < delta < 1 -> 0 < gamma <= 1 -> 20 * noise_scale eps delta <= INR n ->
  (0 < honest <= n)%nat -> gamma * INR n <= INR honest ->
  private_on honest eps (2 * Rpower (delta / 2) gamma)
    (view (R_zsum (1 - 10 / INR n * noise_scale eps delta))).
Proof. exact (robust_binary_sum binomial_lemma_holds). Qed.

(* Theorem zerocount-pan, with no premise. *)
Theorem zerocount_pan_holds : forall (lambda : nat) (eps delta : R) (n : nat), 0 < eps -> 0 < delta < 1 ->
  20 * noise_scale eps delta <= INR lambda ->
  pan_private n eps delta (zsum_initial lambda) zsum_update (zsum_output lambda)
  /\ (forall (x : list bool) p, In p (output_of (zsum_initial lambda) zsum_update (zsum_output lambda) x) ->
      (ones x <= fst p <= ones x + 2 * Z.of_nat lambda)%Z).
Proof. exact (zerocount_pan binomial_lemma_holds). Qed.

(* Theorem hist-pan, with no premise. *)
Theorem histogram_pan_holds :
  forall (Element : Type) (same : forall a b : Element, {a = b} + {a <> b}) (K : list Element) (lambda : nat)
         (eps delta : R) (n : nat),
  NoDup K -> 0 < eps -> 0 < delta < 1 -> 20 * noise_scale eps delta <= INR lambda ->
  pan_private n (2 * eps) (2 * delta)
    (hist_initial Element K lambda) (hist_update Element same K) (hist_output lambda).
Proof. exact (histogram_pan binomial_lemma_holds). Qed.
