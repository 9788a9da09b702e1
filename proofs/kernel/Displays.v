(* Displays and steps of the paper's proofs that are arithmetic of real numbers, one theorem each, in the paper's order. *)
From Coq Require Import Reals ZArith Lra Lia Psatz List Bool.
From PanshuffleKernel Require Calculus Power EpsPrime EpsPrimeSharp StepsRefuted Parity DistinctOr Hoeffding Law PanSum Online.
From PanshuffleKernel Require Import Countable Poisson Means.
From PanshuffleKernel Require VerdictsMoments Verdicts3.
From PanshuffleKernel Require Import Paper.
Import ListNotations.
Open Scope R_scope.

(* ---- Section 3.1 ---- *)

(* "(e^eps'+1) 2^-sigma = (e^eps'+1)/(e^eps+1) delta" *)
Theorem sigma_display : forall eps eps' delta, 0 < eps -> 0 < delta < 1 ->
  (exp eps' + 1) * Rpower 2 (- (ln ((exp eps + 1) / delta) / ln 2)) = (exp eps' + 1) / (exp eps + 1) * delta.
Proof.
  intros eps e' delta He Hd. rewrite StepsRefuted.binary_sigma_exact by auto. pose proof (exp_pos eps). field. lra.
Qed.

(* The parity of gamma n bits Ber(p'), with Y the product of the signs. *)
Theorem ber_lines : forall p n honest, 0 <= p < 1 / 2 -> (0 < n)%nat ->
  let q := Parity.p_prime p n in let d := Parity.independent (map Parity.Ber (repeat q honest)) in
  let EY := Law.E d (fun l => Parity.sign (Parity.parity l)) in
  Law.Pr d Parity.parity = (1 - EY) / 2 /\ EY = Parity.product (map (fun q => 1 - 2 * q) (repeat q honest)) /\
  EY = (1 - 2 * q) ^ honest /\ Law.Pr d Parity.parity = (1 - (1 - 2 * q) ^ honest) / 2 /\
  Law.Pr d Parity.parity = (1 - Rpower (1 - 2 * p) (INR honest / INR n)) / 2.
Proof.
  intros p n honest Hp Hn q d EY.
  assert (P : Law.proper d).
  { apply Parity.proper_independent. apply Forall_forall. intros b B. apply in_map_iff in B. destruct B as [r [B1 B2]].
    apply repeat_spec in B2. subst b r. apply Parity.proper_Ber, Parity.p_prime_01; auto. }
  assert (A := Parity.Pr_parity d P). fold EY in A.
  assert (B : EY = Parity.product (map (fun q => 1 - 2 * q) (repeat q honest))) by apply Parity.E_sign_parity.
  assert (C : EY = (1 - 2 * q) ^ honest).
  { rewrite B. clear. induction honest as [|k IH]; simpl; [reflexivity|]. unfold Parity.product in *. simpl. rewrite IH. reflexivity. }
  repeat split; auto; rewrite A, C; auto. unfold q. rewrite Parity.p_prime_pow; auto. lra.
Qed.

(* "Ber((1 - (1-e^-eps)^gamma)/2) = Ber(1/(2e^eps'))", and the ratios. *)
Theorem parity_bias : forall eps gamma, 0 < eps -> 0 < gamma <= 1 -> let e := eps' eps gamma in
  (1 - Rpower (1 - exp (- eps)) gamma) / 2 = 1 / (2 * exp e) /\
  (1 / 2) / (1 / (2 * exp e)) = exp e /\ (1 - 1 / 2) / (1 - 1 / (2 * exp e)) = 1 / (2 - exp (- e)) /\ 2 - exp (- e) < exp e.
Proof.
  intros eps g He Hg e. pose proof (EpsPrime.q_bounds eps g He ltac:(lra)) as Q. set (q := Rpower (1 - exp (- eps)) g) in *.
  assert (X : exp e = 1 / (1 - q)).
  { unfold e, eps'. fold q. apply exp_ln. apply Rdiv_lt_0_compat; lra. }
  assert (0 < e).
  { apply exp_lt_inv. rewrite exp_0, X. apply Rmult_lt_reg_r with (1 - q); [lra|]. replace (1 / (1 - q) * (1 - q)) with 1 by (field; lra). lra. }
  split; [rewrite X; field; lra | apply DistinctOr.parity_ratios; auto].
Qed.

(* Case 2, line by line. *)
Theorem case_2_lines : forall eps gamma, 0 < eps <= ln 2 -> 0 < gamma <= 1 ->
  let a := Rpower (exp eps - 1) gamma in let b := Rpower (exp eps) gamma in let c := Rpower 2 gamma / (Rpower 2 gamma - 1) in
  eps' eps gamma = ln (1 + a / (b - a)) /\ ln (1 + a / (b - a)) <= a / (b - a) /\
  a / (b - a) <= c * Rpower ((exp eps - 1) / exp eps) gamma /\
  c * Rpower ((exp eps - 1) / exp eps) gamma <= c * Rpower eps gamma /\ c * Rpower eps gamma <= 2 * Rpower eps gamma / gamma.
Proof.
  intros eps g He Hg a b c. pose proof (exp_pos eps) as E0.
  assert (E1 : 1 < exp eps) by (rewrite <- exp_0; apply exp_increasing; lra).
  assert (H1 : (exp eps - 1) / exp eps = 1 - exp (- eps)) by (rewrite exp_Ropp; field; lra).
  pose proof (EpsPrime.one_minus_exp eps ltac:(lra)) as O. pose proof (EpsPrime.q_bounds eps g ltac:(lra) ltac:(lra)) as Q.
  set (q := Rpower (1 - exp (- eps)) g) in *.
  assert (AB : a = q * b).
  { unfold a, b, q. rewrite <- H1. rewrite Rpower_mult_distr; [f_equal; field; lra | apply Rdiv_lt_0_compat; lra | lra]. }
  assert (B0 : 0 < b) by (unfold b, Rpower; apply exp_pos).
  assert (BQ : 0 < b * (1 - q)) by (apply Rmult_lt_0_compat; lra).
  assert (AD : a / (b - a) = q / (1 - q)) by (rewrite AB; field; split; lra).
  assert (P0 : 0 < q / (1 - q)) by (apply Rdiv_lt_0_compat; lra).
  assert (T : 1 < Rpower 2 g) by (apply Power.Rpower2_gt1; lra).
  rewrite AD, H1. fold q. repeat split.
  - unfold eps'. fold q. f_equal. field. lra.
  - apply Rle_trans with (ln (exp (q / (1 - q)))); [|right; apply ln_exp].
    apply Power.ln_le_mono; [lra | apply exp_ineq1_le].
  - assert (I : Rpower (1 / 2) g = / Rpower 2 g).
    { replace (1 / 2) with (/ 2) by lra. unfold Rpower. rewrite ln_Rinv by lra. rewrite <- exp_Ropp. f_equal; ring. }
    assert (L : 1 - exp (- eps) <= 1 / 2).
    { assert (exp (- ln 2) <= exp (- eps)).
      { destruct (Rle_lt_or_eq_dec eps (ln 2)) as [L|L]; [lra | left; apply exp_increasing; lra | right; rewrite L; auto]. }
      rewrite exp_Ropp, exp_ln in H by lra. lra. }
    assert (Q1 : q <= / Rpower 2 g) by (rewrite <- I; apply Power.Rpower_le_base; lra).
    assert (/ (1 - q) <= c).
    { unfold c. replace (Rpower 2 g / (Rpower 2 g - 1)) with (/ (1 - / Rpower 2 g)) by (field; lra).
      apply Rinv_le_contravar; [|lra]. assert (/ Rpower 2 g < 1) by (rewrite <- Rinv_1; apply Rinv_lt_contravar; lra). lra. }
    unfold Rdiv. nra.
  - assert (q <= Rpower eps g) by (apply Power.Rpower_le_base; pose proof (exp_ineq1_le (- eps)); lra).
    assert (0 < c) by (apply Rdiv_lt_0_compat; lra). nra.
  - pose proof (EpsPrime.distinct_gamma g ltac:(lra)) as D. fold c in D.
    assert (0 < Rpower eps g) by apply exp_pos. replace (2 * Rpower eps g / g) with (2 / g * Rpower eps g) by (field; lra). nra.
Qed.

(* The derivative in the proof of Lemma distinct-gamma. *)
Theorem gamma_derivative : forall g, 0 < g -> let p := Rpower 2 g in
  derivable_pt_lim (fun g => g * Rpower 2 g / (Rpower 2 g - 1)) g (p * (p - g * ln 2 - 1) / (p - 1) ^ 2) /\
  derivable_pt_lim (fun g => Rpower 2 g - g * ln 2 - 1) g ((p - 1) * ln 2) /\
  0 <= p - g * ln 2 - 1 /\ 0 <= (p - 1) * ln 2 /\ 1 * Rpower 2 1 / (Rpower 2 1 - 1) = 2.
Proof.
  intros g G p. assert (L : 0 < ln 2) by (rewrite <- ln_1; apply ln_increasing; lra).
  assert (T : 1 < p) by (apply Power.Rpower2_gt1; lra). unfold p, Rpower in *. repeat split.
  - unfold Rdiv. Calculus.derive; try lra. field. lra.
  - Calculus.derive. ring.
  - pose proof (exp_ineq1_le (g * ln 2)). lra.
  - nra.
  - rewrite !Rmult_1_l, exp_ln by lra. lra.
Qed.

(* ---- Section 3.2 ---- *)

(* "(x_{t+1}, ..., x_n, 1, ..., 1)" with n/3 ones, as the 2n/3 - t inputs after t; repaired: up to x_{n/3}. *)
Theorem transformation_index_fails : ~ (forall n t : R, 3 <= n -> 0 <= t -> n - t + n / 3 = 2 * n / 3 - t).
Proof. intro H. specialize (H 3 0 ltac:(lra) ltac:(lra)). lra. Qed.
Theorem transformation_index : forall n t : R, n / 3 - t + n / 3 = 2 * n / 3 - t.
Proof. intros. lra. Qed.

(* "outputs an integer in [k]", for A_DE; what it outputs is between two reals. *)
Theorem estimate_range_fails : ~ (forall eps k C : R, 0 < eps -> 1 <= k -> 0 <= C <= k -> exists z : Z,
  (2 * C * exp eps - k) / (exp eps - 1) = IZR z /\ 1 <= IZR z <= k).
Proof.
  intro H. destruct (H 1 1 0 ltac:(lra) ltac:(lra) ltac:(lra)) as [z [Z1 Z2]].
  pose proof (exp_ineq1_le 1).
  assert (0 < / (exp 1 - 1)) by (apply Rinv_0_lt_compat; lra).
  replace ((2 * 0 * exp 1 - 1) / (exp 1 - 1)) with (- / (exp 1 - 1)) in Z1 by (field; lra). lra.
Qed.
Theorem estimate_range : forall eps k C : R, 0 < eps -> 0 <= C <= k ->
  - k / (exp eps - 1) <= (2 * C * exp eps - k) / (exp eps - 1) <= k * (2 * exp eps - 1) / (exp eps - 1).
Proof.
  intros eps k C He HC. assert (1 < exp eps) by (rewrite <- exp_0; apply exp_increasing; lra).
  assert (0 < / (exp eps - 1)) by (apply Rinv_0_lt_compat; lra).
  split; unfold Rdiv; apply Rmult_le_compat_r; nra.
Qed.

(* ---- Section 4.1 ---- *)

(* "2 exp(-ln(2/delta)^gamma) < 2 delta^gamma" *)
Theorem log_power : forall delta gamma, 0 < delta < 1 -> 0 < gamma <= 1 ->
  2 * exp (- ln (Rpower (2 / delta) gamma)) < 2 * Rpower delta gamma.
Proof.
  intros d g Hd Hg. unfold Rpower. rewrite ln_exp. apply Rmult_lt_compat_l; [lra|]. apply exp_increasing.
  replace (2 / d) with (2 * / d) by (field; lra). rewrite ln_mult, ln_Rinv by (try apply Rinv_0_lt_compat; lra).
  assert (0 < ln 2) by (rewrite <- ln_1; apply ln_increasing; lra). nra.
Qed.

(* The noise of a pool, n (lambda/n) = lambda: for n >= 1. *)
Theorem pool_noise_fails : ~ (forall (n : nat) (lambda : R), 0 < lambda -> INR n * (lambda / INR n) = lambda).
Proof. intro H. specialize (H O 1 ltac:(lra)). simpl in H. lra. Qed.
Theorem pool_noise : forall (n : nat) (lambda : R), (0 < n)%nat -> INR n * (lambda / INR n) = lambda.
Proof. intros n lambda N. apply lt_0_INR in N. field. lra. Qed.

(* "E_j ~ Bin(l_j, 1/2)": its second moment is not l_j/4; that of Bin(l_j, 1/2) - l_j/2 is. *)
Theorem uncentred_fails : ~ (forall l : nat, mean (Bin l (1 / 2)) (fun c => INR c ^ 2) (INR l / 4)).
Proof.
  intro H. specialize (H 1%nat). rewrite Bin_finite in H.
  pose proof (mean_unique _ _ _ _ H (VerdictsMoments.mean_finite (UniformityTransformation.Bin 1 (1 / 2)) (fun c => INR c ^ 2))) as Q.
  simpl in Q. lra.
Qed.

(* The difference of the displays z'-lower and z'-upper, and m for which it is positive: h_1 = 12, h_2 = 18. *)
Theorem bounds_difference : forall k m lambda alpha, 1 <= k -> 0 < m -> 1 <= lambda -> 0 < alpha < 1 ->
  let K := Rpower k (3 / 2) in
  29 * alpha ^ 2 * m / 100 + k ^ 2 / (2 * m) * lambda - 5 * K / m * lambda - 5 * K / m * sqrt lambda - tau_printed k m lambda alpha
  = 278 * alpha ^ 2 * m / 1000 - 10 * K / m * lambda - 10 * k / sqrt m * sqrt lambda - 10 * K / m * sqrt lambda.
Proof.
  intros k m lambda alpha Hk Hm Hl Ha K. unfold tau_printed. fold K.
  assert (0 < sqrt m) by (apply sqrt_lt_R0; auto). field. lra.
Qed.
Theorem bounds_difference_positive : forall k m lambda alpha, 1 <= k -> 0 < m -> 1 <= lambda -> 0 < alpha < 1 ->
  12 / alpha * (Rpower k (3 / 4) * sqrt lambda) < m -> 18 / Rpower alpha (4 / 3) * (Rpower k (2 / 3) * Rpower lambda (1 / 3)) < m ->
  0 < 278 * alpha ^ 2 * m / 1000 - 10 * Rpower k (3 / 2) / m * lambda - 10 * k / sqrt m * sqrt lambda - 10 * Rpower k (3 / 2) / m * sqrt lambda.
Proof.
  intros k m l a Hk Hm Hl Ha H1 H2.
  assert (S : 0 < sqrt m) by (apply sqrt_lt_R0; auto). pose proof (sqrt_sqrt m ltac:(lra)) as SS.
  assert (L1 : 1 <= sqrt l) by (rewrite <- sqrt_1; apply sqrt_le_1; lra). pose proof (sqrt_sqrt l ltac:(lra)) as LL.
  assert (PP : forall x y (n : nat), 0 < x -> Rpower x y ^ n = Rpower x (INR n * y)).
  { intros x y n X. rewrite <- Rpower_pow by apply exp_pos. rewrite Rpower_mult. f_equal. ring. }
  set (K := Rpower k (3 / 2)). set (q := Rpower k (3 / 4)) in *.
  assert (Q0 : 0 < q) by apply exp_pos.
  assert (QK : q * q = K) by (unfold q, K; rewrite <- Rpower_plus; f_equal; lra).
  assert (A1 : 12 * (q * sqrt l) < m * a).
  { replace (12 * (q * sqrt l)) with (12 / a * (q * sqrt l) * a) by (field; lra). apply Rmult_lt_compat_r; lra. }
  assert (A2 : 144 * (K * l) < (m * a) * (m * a)).
  { assert (0 < q * sqrt l) by (apply Rmult_lt_0_compat; lra). assert (K * l = (q * sqrt l) * (q * sqrt l)) by nra. nra. }
  set (r := Rpower k (2 / 3) * Rpower l (1 / 3)) in *. set (b := Rpower a (4 / 3)) in *.
  assert (B0 : 0 < b) by apply exp_pos. assert (R0 : 0 < r) by (apply Rmult_lt_0_compat; apply exp_pos).
  assert (B3 : b ^ 3 = a ^ 4).
  { unfold b. rewrite PP by lra. rewrite <- (Rpower_pow 4 a) by lra. f_equal. simpl. lra. }
  assert (R3 : r ^ 3 = k ^ 2 * l).
  { unfold r. rewrite Rpow_mult_distr, !PP by lra. rewrite <- (Rpower_pow 2 k) by lra. rewrite <- (Rpower_1 l) at 2 by lra.
    f_equal; f_equal; simpl; lra. }
  assert (A3 : 18 * r < m * b).
  { replace (18 * r) with (18 / b * r * b) by (field; lra). apply Rmult_lt_compat_r; lra. }
  assert (A4 : 5832 * (k ^ 2 * l) < m ^ 3 * a ^ 4).
  { rewrite <- R3, <- B3. replace (5832 * r ^ 3) with ((18 * r) ^ 3) by ring. rewrite <- Rpow_mult_distr.
    assert (0 <= 18 * r) by lra. set (u := 18 * r) in *. set (v := m * b) in *. assert (0 < (v - u) * (v * v + u * v + u * u)) by (apply Rmult_lt_0_compat; nra). nra. }
  assert (A5 : 76 * (k * sqrt l) < m * sqrt m * a ^ 2).
  { set (x := k * sqrt l). set (y := m * sqrt m * a ^ 2).
    assert (X2 : x * x = k ^ 2 * l) by (unfold x; nra).
    assert (Y2 : y * y = m ^ 3 * a ^ 4) by (unfold y; replace (m ^ 3 * a ^ 4) with ((sqrt m * sqrt m) * m ^ 2 * a ^ 4) by (rewrite SS; ring); ring).
    assert (0 < x) by (apply Rmult_lt_0_compat; lra). assert (0 < y) by (apply Rmult_lt_0_compat; [nra | apply pow_lt; lra]). nra. }
  assert (K0 : 0 < K) by apply exp_pos.
  assert (M1 : K / m * l < a ^ 2 * m / 144).
  { replace (a ^ 2 * m / 144) with ((m * a) * (m * a) / 144 / m) by (field; lra).
    replace (K / m * l) with (K * l / m) by (field; lra). apply Rmult_lt_compat_r; [apply Rinv_0_lt_compat; lra | lra]. }
  assert (M2 : K / m * sqrt l <= K / m * l).
  { apply Rmult_le_compat_l; [left; apply Rdiv_lt_0_compat; lra | nra]. }
  assert (M3 : k / sqrt m * sqrt l < a ^ 2 * m / 76).
  { replace (a ^ 2 * m / 76) with (m * sqrt m * a ^ 2 / 76 / sqrt m) by (field; lra).
    replace (k / sqrt m * sqrt l) with (k * sqrt l / sqrt m) by (field; lra).
    apply Rmult_lt_compat_r; [apply Rinv_0_lt_compat; lra | lra]. }
  replace (10 * K / m * l) with (10 * (K / m * l)) by (field; lra).
  replace (10 * k / sqrt m * sqrt l) with (10 * (k / sqrt m * sqrt l)) by (field; lra).
  replace (10 * K / m * sqrt l) with (10 * (K / m * sqrt l)) by (field; lra).
  assert (0 < a ^ 2 * m) by (apply Rmult_lt_0_compat; [apply pow_lt|]; lra). lra.
Qed.

(* ---- Section 4.1.2 ---- *)

(* The constants of the repetition: 10/9540 = 1/954, 5/9540 on far laws against 1/9540. *)
Theorem compressed_correctness : 10 / 9540 = 1 / 954 /\ forall far right wrong : R,
  10 / 9540 <= far <= 1 -> 9539 / 9540 <= right <= 1 -> wrong <= 1 / 9540 ->
  5 / 9540 <= far * right /\ 4 / 9540 <= far * right - wrong.
Proof. split; [lra|]. intros f r w F R1 W. assert (5 / 9540 <= f * r) by nra. lra. Qed.

(* ---- Section 5 ---- *)

(* The output of Q_ZSUM is from 0 to n + 2 lambda; 0 is among its values, and not a natural number as the paper has them. *)
Theorem sum_range : forall (lambda : nat) (x : list bool) p,
  In p (Online.output_of (PanSum.zsum_initial lambda) PanSum.zsum_update (PanSum.zsum_output lambda) x) ->
  (0 <= fst p <= Z.of_nat (length x) + 2 * Z.of_nat lambda)%Z.
Proof.
  intros lambda x p H. apply PanSum.zsum_error in H.
  assert (forall y, 0 <= PanSum.ones y <= Z.of_nat (length y))%Z; [|specialize (H0 x); lia].
  induction y as [|b y IH]; [unfold PanSum.ones; simpl; lia|]. unfold PanSum.ones in *. destruct b; cbn [filter length] in *; lia.
Qed.
Theorem sum_range_fails : ~ (forall (lambda : nat) (x : list bool), (0 < lambda)%nat ->
  Pr (output_of (Q_ZSUM lambda) x) (fun c => Z.leb 1 c) = 1).
Proof.
  intro H. specialize (H 1%nat [false] ltac:(lia)).
  change (output_of (Q_ZSUM 1) [false]) with (fun N : nat => output_of (Q_ZSUM 1) [false] O) in H.
  rewrite Pr_finite in H. unfold Law.Pr in H. cbv - [Rmult Rplus Rminus Rdiv Rinv IZR Rlt Ropp] in H. lra.
Qed.
