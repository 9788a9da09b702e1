(* Displays and steps of the paper's proofs that are arithmetic of real numbers, one theorem each, in the paper's order. *)
From Coq Require Import Reals ZArith Lra Lia Psatz List Bool.
From PanshuffleKernel Require Calculus Power EpsPrime EpsPrimeSharp StepsRefuted Parity DistinctOr Hoeffding Law PanSum Online.
From PanshuffleKernel Require Import Countable Poisson Means.
From PanshuffleKernel Require Privacy Section4Moments Section3Upper.
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
  pose proof (mean_unique _ _ _ _ H (Section4Moments.mean_finite (UniformityTransformation.Bin 1 (1 / 2)) (fun c => INR c ^ 2))) as Q.
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

(* ---- Lengths of messages ---- *)

(* A label of [k] and a bit: 2k messages, of O(log k) bits each for k >= 2. *)
Theorem message_bits : forall k, 2 <= k -> exists bits : nat, 2 * k <= 2 ^ bits /\ INR bits <= 3 * (ln k / ln 2).
Proof.
  intros k K. assert (L : 0 < ln 2) by (rewrite <- ln_1; apply ln_increasing; lra).
  set (y := ln (2 * k) / ln 2). assert (Y : y = 1 + ln k / ln 2) by (unfold y; rewrite ln_mult by lra; field; lra).
  assert (K1 : 1 <= ln k / ln 2).
  { apply Calculus.le_div; auto. rewrite Rmult_1_l. destruct K as [K|K]; [left; apply ln_increasing; lra | subst; lra]. }
  destruct (archimed y) as [U1 U2]. assert (Z0 : (0 <= up y)%Z) by (apply le_IZR; simpl; lra).
  exists (Z.to_nat (up y)). assert (N : INR (Z.to_nat (up y)) = IZR (up y)) by (rewrite INR_IZR_INZ, Z2Nat.id; auto). split.
  - rewrite <- Rpower_pow by lra. unfold Rpower. rewrite N. rewrite <- (exp_ln (2 * k)) at 1 by lra.
    left. apply exp_increasing. replace (ln (2 * k)) with (y * ln 2) by (unfold y; field; lra). apply Rmult_lt_compat_r; lra.
  - rewrite N. lra.
Qed.
(* The same for k' < c n^(4/3) + 1 cells: O(log n) bits for n >= 2. *)
Theorem hashed_message_bits : forall c, 1 <= c -> exists C, forall n k, 2 <= n -> 2 <= k < c * Rpower n (4 / 3) + 1 ->
  exists bits : nat, 2 * k <= 2 ^ bits /\ INR bits <= C * ln n.
Proof.
  intros c Hc. assert (L : 0 < ln 2) by (rewrite <- ln_1; apply ln_increasing; lra).
  exists (3 / ln 2 * (ln (2 * c) / ln 2 + 4 / 3)). intros n k N K. destruct (message_bits k ltac:(lra)) as [b [B1 B2]].
  exists b. split; auto. apply Rle_trans with (1 := B2).
  assert (LN : ln 2 <= ln n) by (destruct N as [N|N]; [left; apply ln_increasing; lra | subst; lra]).
  assert (P1 : 1 <= Rpower n (4 / 3)) by (unfold Rpower; rewrite <- exp_0; apply Privacy.exp_le; nra).
  assert (LK : ln k <= ln (2 * c) + 4 / 3 * ln n).
  { replace (4 / 3 * ln n) with (ln (Rpower n (4 / 3))) by (unfold Rpower; rewrite ln_exp; ring).
    rewrite <- ln_mult by lra. apply Power.ln_le_mono; [lra|]. nra. }
  assert (C0 : 0 <= ln (2 * c)) by (rewrite <- ln_1; apply Power.ln_le_mono; lra).
  assert (ln (2 * c) <= ln (2 * c) / ln 2 * ln n).
  { replace (ln (2 * c)) with (ln (2 * c) / ln 2 * ln 2) at 1 by (field; lra). apply Rmult_le_compat_l; auto. apply Rmult_le_pos; auto. left; apply Rinv_0_lt_compat; lra. }
  replace (3 * (ln k / ln 2)) with (3 / ln 2 * ln k) by (field; lra).
  replace (3 / ln 2 * (ln (2 * c) / ln 2 + 4 / 3) * ln n) with (3 / ln 2 * (ln (2 * c) / ln 2 * ln n + 4 / 3 * ln n)) by ring.
  apply Rmult_le_compat_l; [left; apply Rdiv_lt_0_compat; lra | lra].
Qed.

(* ---- Section 4.1.1, the steps that fail, repaired ---- *)

(* E[Z] >= 4 alpha^2 m is what gives a constant above 29/100. *)
Theorem lower_constant : forall EZ a, 0 < a -> 4 * a <= EZ -> 117 / 100 * a < EZ - sqrt (EZ * EZ / 100 * 50).
Proof.
  intros z a A Z. replace (z * z / 100 * 50) with ((z * z) * / 2) by field. rewrite sqrt_mult by nra. rewrite sqrt_square by lra.
  assert (sqrt (/ 2) < 7072 / 10000); [|nra]. rewrite <- (sqrt_square (7072 / 10000)) by lra. apply sqrt_lt_1; lra.
Qed.
(* At l_j = lambda for all j the opposite holds, for every k >= 256. *)
Theorem lower_direction : forall k m lambda, 256 <= k -> 1 <= m -> 1 <= lambda ->
  k / (4 * m) * (k * lambda) - 5 * k / (2 * m) * sqrt (k * (lambda * lambda)) - 5 * k / (sqrt 2 * m) * sqrt (k * lambda)
  < k * k / (2 * m) * lambda - 5 * (k * sqrt k) / m * lambda - 5 * (k * sqrt k) / m * sqrt lambda.
Proof.
  intros k m l K M L. pose proof (sqrt_sqrt k ltac:(lra)) as KK. pose proof (sqrt_sqrt l ltac:(lra)) as LL.
  assert (R0 : 16 <= sqrt k) by (rewrite <- (sqrt_square 16) by lra; apply sqrt_le_1; lra).
  assert (S0 : 1 <= sqrt l) by (rewrite <- sqrt_1; apply sqrt_le_1; lra).
  rewrite (sqrt_mult k (l * l)), (sqrt_square l), (sqrt_mult k l) by nra.
  assert (Q : 0 < sqrt 2) by (apply sqrt_lt_R0; lra). pose proof (sqrt_sqrt 2 ltac:(lra)) as QQ.
  assert (I : 5 / sqrt 2 = 5 / 2 * sqrt 2) by (apply Rmult_eq_reg_r with (sqrt 2); [|lra]; replace (5 / sqrt 2 * sqrt 2) with 5 by (field; lra); lra).
  assert (Q1 : 1414 / 1000 < sqrt 2) by (rewrite <- (sqrt_square (1414 / 1000)) by lra; apply sqrt_lt_1; lra).
  set (r := sqrt k) in *. set (s := sqrt l) in *.
  replace (5 * k / (sqrt 2 * m) * (r * s)) with (5 / sqrt 2 * (k / m) * (r * s)) by (field; lra). rewrite I.
  assert (P : 0 < k / m * r) by (apply Rmult_lt_0_compat; [apply Rdiv_lt_0_compat|]; lra).
  assert (G : k / m * r * (r * l / 4 - 5 / 2 * l - 5 / 2 * sqrt 2 * s) < k / m * r * (r * l / 2 - 5 * l - 5 * s)).
  { apply Rmult_lt_compat_l; auto. rewrite <- LL. nra. }
  assert (E1 : k / (4 * m) * (k * l) = k / m * r * (r * l / 4)) by (rewrite <- KK at 2; field; lra).
  assert (E2 : k * k / (2 * m) * l = k / m * r * (r * l / 2)) by (rewrite <- KK at 2; field; lra).
  rewrite E1, E2.
  replace (5 * k / (2 * m) * (r * l)) with (k / m * r * (5 / 2 * l)) by (field; lra).
  replace (5 * (k * r) / m * l) with (k / m * r * (5 * l)) by (field; lra).
  replace (5 * (k * r) / m * s) with (k / m * r * (5 * s)) by (field; lra). lra.
Qed.
(* "P[E_j d_j = v] = P[E_j = v/d_j]": (v/d) d = v for d other than 0. *)
Theorem symmetric_division_fails : ~ (forall v d : R, v <> 0 -> v / d * d = v).
Proof. intro H. specialize (H 1 0 ltac:(lra)). rewrite Rmult_0_r in H. lra. Qed.
Theorem symmetric_division : forall v d e : R, d <> 0 -> (e * d = v <-> e = v / d).
Proof. intros v d e D. split; intro H; [rewrite <- H; field; auto | rewrite H; field; auto]. Qed.

(* ---- Section 4.1.2: the number of groups ---- *)

(* k^(2/3) eps^(4/3)/alpha^(4/3) is a number of groups; k = 100 and eps = alpha. *)
Theorem group_count_fails : ~ (forall k eps alpha : R, 2 <= k -> 0 < eps -> 0 < alpha < 1 ->
  let x := Rpower k (2 / 3) * Rpower eps (4 / 3) / Rpower alpha (4 / 3) in 2 <= x <= k -> exists z : Z, x = IZR z).
Proof.
  intro H. set (y := Rpower 100 (2 / 3)). assert (Y0 : 0 < y) by apply exp_pos.
  assert (Y3 : y * y * y = 10000).
  { unfold y. rewrite <- !Rpower_plus. replace (2 / 3 + 2 / 3 + 2 / 3) with (INR 2) by (simpl; lra). rewrite Rpower_pow by lra. lra. }
  assert (P : 0 < Rpower (1 / 2) (4 / 3)) by apply exp_pos.
  assert (X : y * Rpower (1 / 2) (4 / 3) / Rpower (1 / 2) (4 / 3) = y) by (field; lra).
  specialize (H 100 (1 / 2) (1 / 2) ltac:(lra) ltac:(lra) ltac:(lra)). cbv zeta in H. fold y in H. rewrite X in H.
  assert (21 < y) by (destruct (Rle_lt_dec y 21); auto; exfalso; assert (y * y <= 441) by nra; nra).
  assert (y < 22) by (destruct (Rle_lt_dec 22 y); auto; exfalso; assert (484 <= y * y) by nra; nra).
  destruct (H ltac:(lra)) as [z Z0]. rewrite Z0 in *. apply lt_IZR in H0. apply lt_IZR in H1. lia.
Qed.
(* Repaired: x rounded up, and [k] padded to a multiple of it: what T_1 and T_3 grow by. *)
Theorem group_count : forall x groups : R, 2 <= x -> x <= groups < x + 1 ->
  groups <= 3 / 2 * x /\ Rpower groups (1 / 4) <= 111 / 100 * Rpower x (1 / 4).
Proof.
  intros x g X G. split; [lra|]. assert (X4 : 0 < Rpower x (1 / 4)) by apply exp_pos. assert (G4 : 0 < Rpower g (1 / 4)) by apply exp_pos.
  assert (P4 : forall z, 0 < z -> Rpower z (1 / 4) * Rpower z (1 / 4) * (Rpower z (1 / 4) * Rpower z (1 / 4)) = z).
  { intros z Z. rewrite <- !Rpower_plus. replace (1 / 4 + 1 / 4 + (1 / 4 + 1 / 4)) with 1 by lra. apply Rpower_1; auto. }
  pose proof (P4 x ltac:(lra)) as PX. pose proof (P4 g ltac:(lra)) as PG. set (a := Rpower x (1 / 4)) in *. set (b := Rpower g (1 / 4)) in *.
  destruct (Rle_lt_dec b (111 / 100 * a)) as [|N]; auto. exfalso.
  assert ((111 / 100) ^ 2 * (a * a) < b * b) by nra. assert ((111 / 100) ^ 4 * (a * a * (a * a)) < b * b * (b * b)) by (assert (0 < a * a) by nra; nra). lra.
Qed.
Theorem padding : forall (k alpha : R) (groups q : Z), 2 <= k -> 0 < alpha < 1 -> (1 <= q)%Z -> 2 <= IZR groups <= k ->
  IZR groups * (IZR q - 1) < k ->
  IZR groups * IZR q <= 2 * k /\ Rpower (2 * k) (1 / 2) / (alpha / 2) = Rpower 2 (3 / 2) * (Rpower k (1 / 2) / alpha) /\
  2 * k / (alpha / 2) ^ 2 = 8 * (k / alpha ^ 2).
Proof.
  intros k a g q K A Q G P. repeat split; [nra| |field; lra].
  rewrite <- Rpower_mult_distr by lra. replace (3 / 2) with (1 / 2 + 1) by lra. rewrite Rpower_plus, (Rpower_1 2) by lra. field. lra.
Qed.
