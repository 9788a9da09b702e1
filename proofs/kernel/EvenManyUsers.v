(* Beside Theorem de_upper, Part I: an even number of messages and many users.

   "Even m, a pool of N users without a holder, q = 1 - 2p', rho = m/(m-1): the law with a new holder is at most w(e) times the law without one,
    w(h) = (h/(Np') + (1 - h/N)/(1-p'))/2, e = N p~ (1 + q~^(N-1))/(1 - q~^N), where p~ has the odds sqrt(rho) p'/(1-p') and q~ = 1 - 2p~ ...  So the
    pair of pools has the pure loss ln max(w(e), 1+q) + ln(1+q) at most, about eps' + ln 2 if e^eps' >= 2."

   With h users of parity 1 the number of ones has a likelihood that grows by at most rho from h to h + 2; so, given the number of ones, the mean of
   h is at most that of the law proportional to Bin(N,p')(h) rho^(h/2) on h's parity. *)
From Coq Require Import Reals ZArith Lra Lia List Bool Permutation.
From PanshuffleKernel Require Import Law Closeness Power EpsPrime Parity Shuffle Messages ShuffleModel Distinct Shares Ikos.
From PanshuffleKernel Require Import Transformation UniformityTransformation BinomialMechanism BinomialCertificate BinomialTail.
From PanshuffleKernel Require Import ShareBound ShareLaw BinarySum Hash Variances DistinctPrivacy DistinctTight Calculus ShareSharp HashedAccuracy EvenMessages.
Import ListNotations.
Open Scope R_scope.

(* C(2m,2i) >= (2m-1) C(m,i) for 1 <= i <= m-1. *)
Lemma double_next : forall m i, (i < m)%nat ->
  INR (choose (2 * m) (2 * S i)) * ((2 * INR i + 1) * (2 * INR i + 2)) = INR (choose (2 * m) (2 * i)) * ((2 * INR m - 2 * INR i) * (2 * INR m - 2 * INR i - 1)).
Proof.
  intros m i H. replace (2 * S i)%nat with (S (S (2 * i))) by lia.
  pose proof (choose_next (2 * m) (2 * i) ltac:(lia)) as A1. pose proof (choose_next (2 * m) (S (2 * i)) ltac:(lia)) as A2.
  rewrite !S_INR, !mult_INR in *. simpl (INR 2) in *. set (x := INR i) in *. set (y := INR m) in *.
  set (c0 := INR (choose (2 * m) (2 * i))) in *. set (c1 := INR (choose (2 * m) (S (2 * i)))) in *. set (c2 := INR (choose (2 * m) (S (S (2 * i))))) in *.
  transitivity (c2 * ((1 + 1) * x + 1 + 1) * (2 * x + 1)); [ring|]. rewrite A2.
  transitivity (c1 * ((1 + 1) * x + 1) * (2 * y - 2 * x - 1)); [ring|]. rewrite A1. ring.
Qed.
Lemma double_large : forall m i, (1 <= i)%nat -> (i < m)%nat -> (2 * INR m - 1) * INR (choose m i) <= INR (choose (2 * m) (2 * i)).
Proof.
  assert (G : forall m i, (1 <= i)%nat -> (2 * i <= m)%nat -> (2 * INR m - 1) * INR (choose m i) <= INR (choose (2 * m) (2 * i))).
  { intros m i. induction i as [|i IH]; intros H1 H2; [lia|]. pose proof (pos_INR i) as I0.
    pose proof (choose_next m i ltac:(lia)) as A. pose proof (double_next m i ltac:(lia)) as B.
    destruct (Nat.eq_dec i 0) as [Z|Z].
    - subst i. rewrite Nat.mul_0_r, choose_0 in B. rewrite choose_1. simpl (INR 0) in B. simpl (INR 1) in B. lra.
    - specialize (IH ltac:(lia) ltac:(lia)).
      assert (D : 2 * INR i + 2 <= INR m).
      { replace (2 * INR i + 2) with (INR (2 * S i)) by (rewrite mult_INR, !S_INR; simpl (INR 0); ring). apply le_INR; auto. }
      pose proof (choose_real_pos m i ltac:(lia)) as C0.
      set (c0 := INR (choose m i)) in *. set (c1 := INR (choose m (S i))) in *. set (b0 := INR (choose (2 * m) (2 * i))) in *.
      set (b1 := INR (choose (2 * m) (2 * S i))) in *. set (x := INR i) in *. set (y := INR m) in *.
      apply Rmult_le_reg_r with ((2 * x + 1) * (2 * x + 2)); [apply Rmult_lt_0_compat; lra|]. rewrite B.
      replace ((2 * y - 1) * c1 * ((2 * x + 1) * (2 * x + 2))) with ((2 * y - 1) * (c1 * (x + 1)) * (2 * (2 * x + 1))) by ring. rewrite A.
      replace ((2 * y - 1) * (c0 * (y - x)) * (2 * (2 * x + 1))) with ((2 * y - 1) * c0 * ((2 * (y - x)) * (2 * x + 1))) by ring.
      apply Rle_trans with (b0 * ((2 * (y - x)) * (2 * x + 1))).
      + apply Rmult_le_compat_r; auto. apply Rmult_le_pos; lra.
      + apply Rmult_le_compat_l; [pose proof (choose_real_pos (2 * m) (2 * i) ltac:(lia)); unfold b0; lra|].
        replace ((2 * y - 2 * x) * (2 * y - 2 * x - 1)) with ((2 * (y - x)) * (2 * y - 2 * x - 1)) by ring. apply Rmult_le_compat_l; lra. }
  intros m i H1 H2. destruct (Nat.le_gt_cases (2 * i) m) as [C|C]; [apply G; auto|].
  specialize (G m (m - i)%nat ltac:(lia) ltac:(lia)). pose proof (choose_sym i (m - i)) as S1. replace (i + (m - i))%nat with m in S1 by lia.
  pose proof (choose_sym (2 * i) (2 * (m - i))) as S2. replace (2 * i + 2 * (m - i))%nat with (2 * m)%nat in S2 by lia. rewrite S1, S2. exact G.
Qed.

(* Two users of parity 1 against two of parity 0: at most rho = m/(m-1). *)
Lemma two_ones : forall m F, Nat.Even m -> (0 < m)%nat -> order_free F -> (forall l, 0 <= F l) ->
  E (join (R_MOD m true) (R_MOD m true)) F <= INR m / (INR m - 1) * E (join (R_MOD m false) (R_MOD m false)) F.
Proof.
  intros m F He Hm HF HP. assert (M2 : (2 <= m)%nat) by (destruct He; lia).
  assert (MR : 2 <= INR m) by (replace 2 with (INR 2) by (simpl; ring); apply le_INR; auto).
  assert (U1 : forall G, E (user m (-1)) G = E (R_MOD m true) G) by (intro; unfold user; rewrite E_bind; unfold Ber; cbn [E]; field).
  assert (U0 : forall G, E (user m 1) G = E (R_MOD m false) G) by (intro; unfold user; rewrite E_bind; unfold Ber; cbn [E]; field).
  set (f := fun c => F (repeat true c ++ repeat false (2 * m - c))).
  assert (X : forall q1, E (join (user m q1) (user m q1)) F = E (join (user m q1) (user m q1)) (fun l => f (heads l))).
  { intro q1. apply E_ext_in. intros p H. unfold f. apply HF.
    assert (L : length (fst p) = (2 * m)%nat).
    { apply in_bind in H. destruct H as [a [b [H1 [H3 H4]]]]. apply in_bind in H3. destruct H3 as [c [e [H5 [H6 H7]]]].
      destruct H6 as [H6|[]]; subst e. cbn [fst] in H7. rewrite <- H4, <- H7, app_length, (user_length m q1 a Hm H1), (user_length m q1 c Hm H5). lia. }
    rewrite <- L. apply sorted_bits. }
  assert (Y1 : E (join (R_MOD m true) (R_MOD m true)) F = E (join (user m (-1)) (user m (-1))) F).
  { rewrite !E_join, U1. apply E_ext; intro l. rewrite U1. reflexivity. }
  assert (Y0 : E (join (R_MOD m false) (R_MOD m false)) F = E (join (user m 1) (user m 1)) F).
  { rewrite !E_join, U0. apply E_ext; intro l. rewrite U0. reflexivity. }
  rewrite Y1, Y0, !X. assert (P4 : 0 < 4 ^ m) by (apply pow_lt; lra). apply Rmult_le_reg_r with (4 ^ m); auto.
  rewrite Rmult_assoc, !pair_sum by auto. set (rho := INR m / (INR m - 1)).
  rewrite (total_ext (seq 0 m) (fun i => INR (choose (2 * m) (2 * i + 1)) * (1 - -1 * -1) * f (2 * i + 1)%nat) (fun _ => 0)) by (intro; ring).
  rewrite (total_ext (seq 0 m) (fun i => INR (choose (2 * m) (2 * i + 1)) * (1 - 1 * 1) * f (2 * i + 1)%nat) (fun _ => 0)) by (intro; ring).
  rewrite total_const, Rmult_0_r, !Rplus_0_r, (Rmult_comm rho), <- total_mult. apply total_le. intros i Hi. apply in_seq in Hi.
  set (b := INR (choose (2 * m) (2 * i))). set (c := INR (choose m i)).
  assert (B0 : 0 < b) by (apply choose_real_pos; lia). assert (C0 : 0 < c) by (apply choose_real_pos; lia).
  assert (Hf : 0 <= f (2 * i)%nat) by apply HP. set (y := f (2 * i)%nat) in *.
  assert (R1 : 1 <= rho) by (unfold rho; apply le_div; lra).
  assert (Q : b - (-1) ^ i * c <= rho * (b + (-1) ^ i * c)).
  { destruct (Nat.Even_or_Odd i) as [[a Ha]|[a Ha]].
    - subst i. rewrite pow_m1_even. assert (1 * (b + 1 * c) <= rho * (b + 1 * c)) by (apply Rmult_le_compat_r; lra). lra.
    - assert (S1 : (-1) ^ i = -1) by (rewrite Ha, pow_add, pow_m1_even; simpl; ring). rewrite S1.
      assert (IM : (i < m)%nat) by (destruct He; lia). pose proof (double_large m i ltac:(lia) IM) as DL. fold b c in DL.
      unfold rho. apply Rmult_le_reg_r with (INR m - 1); [lra|].
      replace (INR m / (INR m - 1) * (b + -1 * c) * (INR m - 1)) with (INR m * (b - c)) by (field; lra). lra. }
  apply Rmult_le_compat_r with (r := 2 * y) in Q; [|lra]. lra.
Qed.

(* The likelihood of h users of parity 1 among N. *)
Definition ones_then_zeros (h z : nat) : list bool := repeat true h ++ repeat false z.
Definition likelihood (m N : nat) (F : list bool -> R) (h : nat) : R := E (concatenated (map (R_MOD m) (ones_then_zeros h (N - h)))) F.

Lemma pool_sorted : forall m u F, order_free F ->
  E (concatenated (map (R_MOD m) u)) F = likelihood m (length u) F (heads u).
Proof.
  intros m u F HF. unfold likelihood, ones_then_zeros. apply concatenated_perm; auto. apply Permutation_map, sorted_bits.
Qed.

Lemma likelihood_nonneg : forall m N F h, (forall l, 0 <= F l) -> 0 <= likelihood m N F h.
Proof.
  intros m N F h HF. unfold likelihood. assert (P : proper (concatenated (map (R_MOD m) (ones_then_zeros h (N - h)))))
    by (apply proper_concatenated_map; intro; apply proper_R_MOD).
  rewrite <- (E_const _ 0 P). apply E_le; [apply P | auto].
Qed.

Lemma likelihood_step : forall m N F h, Nat.Even m -> (0 < m)%nat -> order_free F -> (forall l, 0 <= F l) -> (h + 2 <= N)%nat ->
  likelihood m N F (h + 2) <= INR m / (INR m - 1) * likelihood m N F h.
Proof.
  intros m N F h He Hm HF HP HN. unfold likelihood, ones_then_zeros.
  set (rest := concatenated (map (R_MOD m) (repeat true h ++ repeat false (N - h - 2)))).
  assert (X : forall b, E (join (join (R_MOD m b) (R_MOD m b)) rest) F
    = E (concatenated (map (R_MOD m) (b :: b :: (repeat true h ++ repeat false (N - h - 2))))) F).
  { intro b. cbn [map concatenated]. rewrite (join_assoc _ _ _ F). reflexivity. }
  assert (P1 : Permutation (repeat true (h + 2) ++ repeat false (N - (h + 2))) (true :: true :: (repeat true h ++ repeat false (N - h - 2)))).
  { replace (N - (h + 2))%nat with (N - h - 2)%nat by lia. replace (h + 2)%nat with (S (S h)) by lia. cbn [repeat app]. apply Permutation_refl. }
  assert (P0 : Permutation (repeat true h ++ repeat false (N - h)) (false :: false :: (repeat true h ++ repeat false (N - h - 2)))).
  { set (z := (N - h - 2)%nat). replace (N - h)%nat with (S (S z)) by (unfold z; lia). cbn [repeat].
    eapply perm_trans; [apply Permutation_sym, Permutation_middle|]. constructor. apply Permutation_sym, Permutation_middle. }
  rewrite (concatenated_perm _ _ (Permutation_map (R_MOD m) P1) F HF), (concatenated_perm _ _ (Permutation_map (R_MOD m) P0) F HF), <- !X, (E_join _ rest F), (E_join (join (R_MOD m false) (R_MOD m false)) rest F).
  assert (PR : proper rest) by (apply proper_concatenated_map; intro; apply proper_R_MOD).
  apply two_ones; auto.
  - apply order_free_E; auto.
  - intro l. rewrite <- (E_const _ 0 PR). apply E_le; [apply PR | auto].
Qed.

(* Averages over Bin(N,p). *)
Lemma size_bias : forall p N f, E (Bin (S N) p) (fun h => INR h * f h) = INR (S N) * p * E (Bin N p) (fun h => f (S h)).
Proof.
  intros p. induction N as [|N IH]; intro f.
  - rewrite E_Bin_step. cbn [Bin]. rewrite !E_point. simpl. ring.
  - pose proof (IH f) as I1. pose proof (IH (fun c => f (S c))) as I2. cbv beta in I1, I2.
    rewrite (E_Bin_step (S N) p (fun h => INR h * f h)).
    rewrite (E_ext _ (fun c => INR (S c) * f (S c)) (fun c => INR c * f (S c) + f (S c))) by (intro; rewrite S_INR; ring).
    rewrite E_plus, I1, I2, (E_Bin_step N p (fun c => f (S c))), !S_INR. ring.
Qed.
Lemma size_bias_zero : forall p N f, E (Bin (S N) p) (fun h => (INR (S N) - INR h) * f h) = INR (S N) * (1 - p) * E (Bin N p) f.
Proof.
  intros p N f. rewrite (E_ext _ _ (fun h => INR (S N) * f h + (-1) * (INR h * f h))) by (intro; ring).
  rewrite E_plus, !E_mult, size_bias, E_Bin_step. ring.
Qed.
Lemma Bin_power : forall p y N, E (Bin N p) (fun h => y ^ h) = (1 - p + p * y) ^ N.
Proof.
  intros p y. induction N as [|N IH]; [cbn [Bin]; rewrite E_point; reflexivity|].
  rewrite E_Bin_step. rewrite (E_ext _ (fun c => y ^ S c) (fun c => y * y ^ c)) by reflexivity. rewrite (E_mult (Bin N p) y (fun c => y ^ c)), IH. cbn [pow]. ring.
Qed.
Lemma Bin_power_mean : forall p y N, E (Bin (S N) p) (fun h => INR h * y ^ h) = INR (S N) * p * y * (1 - p + p * y) ^ N.
Proof.
  intros p y N. rewrite (size_bias p N (fun h => y ^ h)). rewrite (E_ext _ (fun h => y ^ S h) (fun h => y * y ^ h)) by reflexivity.
  rewrite (E_mult (Bin N p) y (fun c => y ^ c)), Bin_power. ring.
Qed.

(* The tilted p~, q~, the mean e, the weight w(h), for N users and m messages. *)
Definition tilt (m : nat) : R := sqrt (INR m / (INR m - 1)).
Definition tilted (m : nat) (p : R) : R := tilt m * p / (1 - p + tilt m * p).
Definition odd_mean (m N : nat) (p : R) : R :=
  INR N * tilted m p * (1 + (1 - 2 * tilted m p) ^ (N - 1)) / (1 - (1 - 2 * tilted m p) ^ N).
Definition weight (N : nat) (p h : R) : R := (h / (INR N * p) + (1 - h / INR N) / (1 - p)) / 2.

Definition of_parity (s : bool) (h : nat) : bool := Bool.eqb (Nat.odd h) s.

Lemma least_bool : forall (P : nat -> bool) N, (forall h, (h <= N)%nat -> P h = false)
  \/ exists h0, (h0 <= N)%nat /\ P h0 = true /\ forall h, (h < h0)%nat -> P h = false.
Proof.
  intros P N. induction N as [|N IH].
  - destruct (P 0%nat) eqn:Z; [right; exists 0%nat; repeat split; auto; intros; lia | left; intros h Hh; replace h with 0%nat by lia; auto].
  - destruct IH as [A|[h0 [B1 [B2 B3]]]]; [|right; exists h0; repeat split; auto].
    destruct (P (S N)) eqn:Z.
    + right. exists (S N). repeat split; auto. intros h Hh. apply A. lia.
    + left. intros h Hh. destruct (Nat.eq_dec h (S N)); [subst; auto | apply A; lia].
Qed.

Section Mean.
Variables (N' : nat) (m : nat) (p : R).
Let N := S N'.
Hypothesis p_range : 0 < p < 1 / 2.
Hypothesis m_two : (2 <= m)%nat.
Let r := tilt m.
Let pt := tilted m p.
Let qt := 1 - 2 * pt.
Hypothesis qt_nonneg : r * p <= 1 - p.

Lemma rho_ge_1 : 1 < INR m / (INR m - 1).
Proof.
  assert (2 <= INR m) by (replace 2 with (INR 2) by (simpl; ring); apply le_INR; auto).
  apply Rmult_lt_reg_r with (INR m - 1); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra.
Qed.
Lemma r_square : r ^ 2 = INR m / (INR m - 1).
Proof. unfold r, tilt. apply pow2_sqrt. pose proof rho_ge_1. lra. Qed.
Lemma r_pos : 1 <= r.
Proof. unfold r, tilt. apply Rle_trans with (sqrt 1); [rewrite sqrt_1; lra|]. apply sqrt_le_1_alt. pose proof rho_ge_1. lra. Qed.
Let T := 1 - p + r * p.
Lemma T_pos : 0 < T.
Proof. pose proof r_pos. assert (0 < r * p) by (apply Rmult_lt_0_compat; lra). unfold T. lra. Qed.
Lemma pt_is : pt * T = r * p.
Proof. pose proof T_pos. unfold pt, tilted. fold r. fold T. field. lra. Qed.
Lemma qt_is : qt * T = 1 - p - r * p.
Proof. unfold qt. pose proof pt_is. unfold T in *. lra. Qed.
Lemma qt_range : 0 <= qt < 1.
Proof.
  pose proof T_pos. pose proof pt_is as A. pose proof qt_is as B. pose proof r_pos. assert (0 < r * p) by (apply Rmult_lt_0_compat; lra).
  split.
  - apply Rmult_le_reg_r with T; auto. rewrite B. lra.
  - apply Rmult_lt_reg_r with T; auto. rewrite B. unfold T. lra.
Qed.

(* The tilted law on one parity has mean at most e. *)
Lemma tilted_mean : forall s e, e = odd_mean m N p ->
  E (Bin N p) (fun h => (INR h - e) * (r ^ h * indicator (of_parity s h))) <= 0.
Proof.
  intros s e He. set (sg := if s then -1 else 1).
  assert (I : forall h, r ^ h * indicator (of_parity s h) = 1 / 2 * r ^ h + sg / 2 * (- r) ^ h).
  { intro h. replace (- r) with (-1 * r) by ring. rewrite Rpow_mult_distr. unfold of_parity, sg.
    destruct (Nat.Even_or_Odd h) as [[a Ha]|[a Ha]]; subst h.
    - rewrite pow_m1_even. replace (Nat.odd (2 * a)) with false by (symmetry; rewrite <- Nat.negb_even, Nat.even_mul; reflexivity). destruct s; simpl; field.
    - rewrite (pow_add (-1)), pow_m1_even. replace (Nat.odd (2 * a + 1)) with true by (symmetry; rewrite Nat.add_1_r, Nat.odd_succ, Nat.even_mul; reflexivity).
      destruct s; simpl; field. }
  rewrite (E_ext _ _ (fun h => (1 / 2 * (INR h * r ^ h) + sg / 2 * (INR h * (- r) ^ h)) + - e * (1 / 2 * r ^ h + sg / 2 * (- r) ^ h))) by (intro h; rewrite I; ring).
  rewrite !E_plus, !E_mult, !E_plus, !E_mult. unfold N. rewrite !Bin_power_mean, !Bin_power. fold N.
  pose proof T_pos as T0. pose proof pt_is as PT. pose proof qt_is as QT. pose proof qt_range as QR. pose proof r_pos.
  replace (1 - p + p * r) with T by (unfold T; ring). replace (1 - p + p * - r) with (qt * T) by (rewrite QT; ring).
  rewrite !Rpow_mult_distr. replace (p * r) with (pt * T) by (rewrite PT; ring).
  replace (INR N * p * r * T ^ N') with (INR N * (p * r) * T ^ N') by ring. replace (INR N * p * - r * (qt ^ N' * T ^ N')) with (- (INR N * (p * r)) * (qt ^ N' * T ^ N')) by ring.
  replace (p * r) with (pt * T) by (rewrite PT; ring).
  assert (TN : T ^ N = T * T ^ N') by reflexivity. rewrite TN. set (W := T ^ N'). assert (W0 : 0 < W) by (apply pow_lt; auto).
  set (a := qt ^ N'). set (b := qt ^ N).
  assert (B1 : b = qt * a) by reflexivity.
  assert (A01 : 0 <= a <= 1) by (unfold a; split; [apply pow_le; lra | rewrite <- (pow1 N'); apply pow_incr; lra]).
  assert (B01 : 0 <= b < 1) by (rewrite B1; split; [apply Rmult_le_pos; lra | nra]).
  assert (PT0 : 0 < pt) by (unfold qt in QR; lra).
  assert (N0 : 0 < INR N) by (apply lt_0_INR; unfold N; lia).
  assert (EV : e * (1 - b) = INR N * pt * (1 + a)).
  { rewrite He. unfold odd_mean. fold pt. fold qt. replace (N - 1)%nat with N' by (unfold N; lia). fold a. fold b. field. lra. }
  assert (e0 : 0 <= e). { apply Rmult_le_reg_r with (1 - b); [lra|]. rewrite EV, Rmult_0_l. apply Rmult_le_pos; [apply Rmult_le_pos|]; lra. }
  replace (1 / 2 * (INR N * (pt * T) * W) + sg / 2 * (- (INR N * (pt * T)) * (a * W)) + - e * (1 / 2 * (T * W) + sg / 2 * (b * (T * W))))
    with (T * W / 2 * (INR N * pt * (1 - sg * a) - e * (1 + sg * b))) by field.
  assert (TW : 0 < T * W) by (apply Rmult_lt_0_compat; auto).
  assert (Q : INR N * pt * (1 - sg * a) - e * (1 + sg * b) <= 0).
  { unfold sg. destruct s; [lra|].
    assert (NP : 0 < INR N * pt) by (apply Rmult_lt_0_compat; auto).
    assert (Z1 : INR N * pt * (1 - a) <= INR N * pt * (1 + a)) by (apply Rmult_le_compat_l; lra).
    assert (Z2 : e * (1 - b) <= e * (1 + b)) by (apply Rmult_le_compat_l; lra). lra. }
  assert (0 <= T * W / 2 * (- (INR N * pt * (1 - sg * a) - e * (1 + sg * b)))) by (apply Rmult_le_pos; lra). lra.
Qed.

(* Likelihoods on one parity that grow by at most rho from h to h + 2. *)
Lemma mean_bound : forall s (lk : nat -> R), (forall h, 0 <= lk h) -> (forall h, of_parity s h = false -> lk h = 0) ->
  (forall h, (h + 2 <= N)%nat -> lk (h + 2)%nat <= INR m / (INR m - 1) * lk h) ->
  E (Bin N p) (fun h => INR h * lk h) <= odd_mean m N p * E (Bin N p) lk.
Proof.
  intros s lk L0 LS LR. set (e := odd_mean m N p). pose proof r_pos as R1. pose proof r_square as R2.
  assert (BN : nonneg (Bin N p)) by (apply proper_Bin; lra).
  enough (X : E (Bin N p) (fun h => (INR h - e) * lk h) <= 0).
  { rewrite (E_ext _ _ (fun h => INR h * lk h + - e * lk h)) in X by (intro; ring). rewrite E_plus, E_mult in X. lra. }
  assert (MONO : forall i h, (h + 2 * i <= N)%nat -> lk (h + 2 * i)%nat <= r ^ (2 * i) * lk h).
  { induction i as [|i IH]; intros h Hh; [rewrite Nat.mul_0_r, Nat.add_0_r; simpl; lra|].
    replace (h + 2 * S i)%nat with ((h + 2 * i) + 2)%nat by lia. eapply Rle_trans; [apply LR; lia|]. rewrite <- R2.
    replace (2 * S i)%nat with (2 + 2 * i)%nat by lia. rewrite pow_add, Rmult_assoc. apply Rmult_le_compat_l; [apply pow2_ge_0 | apply IH; lia]. }
  destruct (least_bool (fun h => of_parity s h && (if Rlt_dec e (INR h) then true else false)) N) as [A|[h0 [H1 [H2 H3]]]].
  - rewrite <- (Rmult_0_l (E (Bin N p) (fun _ => 0))), <- E_mult. apply E_le_in; auto. intros [h w] Hh. apply Bin_range in Hh. cbn [fst] in *.
    specialize (A h Hh). apply andb_false_iff in A. destruct A as [A|A]; [rewrite (LS h A); lra|]. destruct (Rlt_dec e (INR h)); [discriminate|].
    specialize (L0 h). assert (0 <= (e - INR h) * lk h) by (apply Rmult_le_pos; lra). lra.
  - apply andb_true_iff in H2. destruct H2 as [H2 H4]. destruct (Rlt_dec e (INR h0)) as [H5|]; [|discriminate].
    set (g := lk h0 / r ^ h0). assert (RP : forall h, 0 < r ^ h) by (intro; apply pow_lt; lra).
    assert (G0 : 0 <= g) by (unfold g; apply Rmult_le_pos; [auto | left; apply Rinv_0_lt_compat; auto]).
    apply Rle_trans with (E (Bin N p) (fun h => g * ((INR h - e) * (r ^ h * indicator (of_parity s h))))).
    + apply E_le_in; auto. intros [h w] Hh. apply Bin_range in Hh. cbn [fst] in *.
      destruct (of_parity s h) eqn:P; [|rewrite (LS h P); simpl; lra]. simpl (indicator true). rewrite Rmult_1_r.
      assert (PAR : forall a b, of_parity s a = true -> of_parity s b = true -> (a <= b)%nat -> exists i, b = (a + 2 * i)%nat).
      { intros a b Pa Pb Hab. unfold of_parity in Pa, Pb. apply eqb_prop in Pa. apply eqb_prop in Pb. rewrite <- Pb in Pa.
        destruct (Nat.Even_or_Odd a) as [[u Hu]|[u Hu]], (Nat.Even_or_Odd b) as [[v Hv]|[v Hv]]; subst a b.
        - exists (v - u)%nat. lia.
        - exfalso. rewrite <- !Nat.negb_even, Nat.even_add, !Nat.even_mul in Pa. simpl in Pa. discriminate.
        - exfalso. rewrite <- !Nat.negb_even, Nat.even_add, !Nat.even_mul in Pa. simpl in Pa. discriminate.
        - exists (v - u)%nat. lia. }
      destruct (Nat.le_gt_cases h0 h) as [C|C].
      * destruct (PAR h0 h H2 P C) as [i Hi]. assert (Q : lk h <= g * r ^ h).
        { rewrite Hi. eapply Rle_trans; [apply MONO; lia|]. unfold g. rewrite pow_add. right. field. pose proof (RP h0). lra. }
        assert (D : 0 <= INR h - e) by (apply le_INR in C; lra). apply Rmult_le_compat_l with (r := INR h - e) in Q; auto. lra.
      * destruct (PAR h h0 P H2 ltac:(lia)) as [i Hi]. assert (Q : g * r ^ h <= lk h).
        { unfold g. rewrite Hi at 1 2. apply Rle_trans with (r ^ (2 * i) * lk h / r ^ (h + 2 * i) * r ^ h).
          - apply Rmult_le_compat_r; [left; auto|]. apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; auto | apply MONO; lia].
          - rewrite pow_add. right. field. split; apply Rgt_not_eq; apply RP. }
        specialize (H3 h C). apply andb_false_iff in H3. destruct H3 as [H3|H3]; [congruence|]. destruct (Rlt_dec e (INR h)) as [|D]; [discriminate|].
        assert (D2 : 0 <= e - INR h) by lra. apply Rmult_le_compat_l with (r := e - INR h) in Q; auto. lra.
    + rewrite E_mult. pose proof (tilted_mean s e eq_refl). assert (0 <= g * - E (Bin N p) (fun h => (INR h - e) * (r ^ h * indicator (of_parity s h)))) by (apply Rmult_le_pos; lra). lra.
Qed.
End Mean.

Lemma parity_sorted : forall h z, parity (ones_then_zeros h z) = Nat.odd h.
Proof.
  intros h z. unfold ones_then_zeros. rewrite parity_app.
  replace (parity (repeat false z)) with false by (induction z as [|z IH]; [reflexivity | cbn [repeat parity fold_right]; fold (parity (repeat false z)); rewrite <- IH; reflexivity]).
  rewrite xorb_false_r. induction h as [|h IH]; [reflexivity|]. cbn [repeat parity fold_right]. fold (parity (repeat true h)). rewrite IH, Nat.odd_succ.
  rewrite <- Nat.negb_odd. destruct (Nat.odd h); reflexivity.
Qed.

(* A holder beside a holder: at most 1 + q. *)
Lemma pair_gains_holder : forall m q F, Nat.Even m -> (0 < m)%nat -> 0 <= q < 1 -> order_free F -> (forall l, 0 <= F l) ->
  E (join (user m 0) (user m 0)) F <= (1 + q) * E (join (user m q) (user m 0)) F.
Proof.
  intros m q F He Hm Hq HF HP. set (f := fun c => F (repeat true c ++ repeat false (2 * m - c))).
  assert (X : forall q1, E (join (user m q1) (user m 0)) F = E (join (user m q1) (user m 0)) (fun l => f (heads l))).
  { intro q1. apply E_ext_in. intros p H. unfold f. apply HF.
    assert (L : length (fst p) = (2 * m)%nat).
    { apply in_bind in H. destruct H as [a [b [H1 [H3 H4]]]]. apply in_bind in H3. destruct H3 as [c [e [H5 [H6 H7]]]].
      destruct H6 as [H6|[]]; subst e. cbn [fst] in H7. rewrite <- H4, <- H7, app_length, (user_length m q1 a Hm H1), (user_length m 0 c Hm H5). lia. }
    rewrite <- L. apply sorted_bits. }
  rewrite !X. assert (P4 : 0 < 4 ^ m) by (apply pow_lt; lra). apply Rmult_le_reg_r with (4 ^ m); auto.
  rewrite Rmult_assoc, !pair_sum by auto. rewrite Rmult_plus_distr_l, (Rmult_comm (1 + q)), <- total_mult, (Rmult_comm (1 + q)), <- total_mult.
  apply Rplus_le_compat; apply total_le; intros i Hi; apply in_seq in Hi.
  - destruct (third m i He Hm ltac:(lia)) as [T1 T2]. set (b := INR (choose (2 * m) (2 * i))) in *. set (t := (-1) ^ i * INR (choose m i)) in *.
    assert (B0 : 0 < b) by (apply choose_real_pos; lia). assert (Y : 0 <= f (2 * i)%nat) by apply HP. set (y := f (2 * i)%nat) in *.
    assert (Q : b <= (1 + q) * (b + q * t)).
    { assert (X1 : 0 <= q * (b + 3 * t)) by (apply Rmult_le_pos; lra).
      assert (X2 : 0 <= q * q * (b + 3 * t)) by (apply Rmult_le_pos; [apply Rmult_le_pos; lra | lra]).
      assert (X6 : q * q * b <= q * b) by (apply Rmult_le_compat_r; [lra | nra]). assert (X3 : 0 <= q * b) by (apply Rmult_le_pos; lra). lra. }
    apply Rmult_le_compat_r with (r := y) in Q; auto. lra.
  - assert (B0 : 0 < INR (choose (2 * m) (2 * i + 1))) by (apply choose_real_pos; lia). set (b := INR (choose (2 * m) (2 * i + 1))) in *.
    assert (Y : 0 <= f (2 * i + 1)%nat) by apply HP. set (y := f (2 * i + 1)%nat) in *.
    assert (0 <= q * (b * y)) by (apply Rmult_le_pos; [lra | apply Rmult_le_pos; lra]). lra.
Qed.

Section Protocol.
Variable Element : Type.
Variable same : forall a b : Element, {a = b} + {a <> b}.
Variable n : nat.
Hypothesis n_pos : (0 < n)%nat.
Variable eps : R.
Hypothesis eps_pos : 0 < eps.
Variable m : nat.
Hypothesis m_even : Nat.Even m.
Hypothesis m_pos : (0 < m)%nat.
Let q := no_flip n eps.
Let p := (1 - q) / 2.
Hypothesis tilt_small : tilt m * (1 - q) <= 1 + q.
Let pool := col Element same n eps (R_MOD m).
Let message := labelled Element same n eps (R_MOD m).

Lemma p_small : 0 < p < 1 / 2.
Proof. pose proof (q_range n n_pos eps eps_pos) as Q. cbv zeta in Q. fold q in Q. unfold p. lra. Qed.
Lemma m_at_least_two : (2 <= m)%nat.
Proof. destruct m_even; lia. Qed.

Lemma flips : forall j x, ~ In j x -> map (bit_probability Element same n eps j) x = repeat p (length x).
Proof.
  intros j x. induction x as [|a x IH]; intro H; [reflexivity|]. cbn [map length repeat]. rewrite IH by (intro; apply H; right; auto). f_equal.
  unfold bit_probability. destruct (same a j); [exfalso; apply H; left; auto | reflexivity].
Qed.

Lemma pool_without : forall j x F, ~ In j x -> order_free F ->
  E (pool j x) F = E (Bin (length x) p) (likelihood m (length x) (fun l => F (map (pair j) l))).
Proof.
  intros j x F H HF. unfold pool. rewrite col_unfold, flips by auto. rewrite <- repeated_bits. apply E_ext_in. intros u Hu.
  apply independent_length in Hu. rewrite map_length, repeat_length in Hu.
  rewrite pool_sorted, Hu by (intros l l' P0; apply HF, Permutation_map; auto). reflexivity.
Qed.
Lemma pool_with : forall j x F, ~ In j x -> order_free F ->
  E (pool j (j :: x)) F = 1 / 2 * E (Bin (length x) p) (fun h => likelihood m (S (length x)) (fun l => F (map (pair j) l)) (S h))
    + 1 / 2 * E (Bin (length x) p) (likelihood m (S (length x)) (fun l => F (map (pair j) l))).
Proof.
  intros j x F H HF. unfold pool. rewrite col_unfold. cbn [map]. rewrite flips by auto.
  replace (bit_probability Element same n eps j j) with (1 / 2) by (unfold bit_probability; destruct (same j j); [reflexivity | congruence]).
  replace (1 / 2 * E (Bin (length x) p) (likelihood m (S (length x)) (fun l => F (map (pair j) l))))
    with ((1 - 1 / 2) * E (Bin (length x) p) (likelihood m (S (length x)) (fun l => F (map (pair j) l)))) by field.
  rewrite <- (first_bit (1 / 2) p (length x) (likelihood m (S (length x)) (fun l => F (map (pair j) l)))). cbn [map].
  apply E_ext_in. intros u Hu. apply independent_length in Hu. cbn [length] in Hu. rewrite map_length, repeat_length in Hu.
  rewrite pool_sorted, Hu by (intros l l' P0; apply HF, Permutation_map; auto). reflexivity.
Qed.

(* The factor of a new holder among N users. *)
Definition new_holder (N : nat) : R := weight N p (odd_mean m N p).

Lemma mean_of_likelihood : forall N' F, order_free F -> (forall l, 0 <= F l) ->
  E (Bin (S N') p) (fun h => INR h * likelihood m (S N') F h) <= odd_mean m (S N') p * E (Bin (S N') p) (likelihood m (S N') F).
Proof.
  intros N' F HF HP. set (N := S N'). set (Fs := fun s l => F l * indicator (Bool.eqb (parity l) s)).
  assert (M2 := m_at_least_two). assert (PS := p_small).
  assert (TS : tilt m * p <= 1 - p) by (unfold p; lra).
  assert (B : forall s, E (Bin N p) (fun h => INR h * likelihood m N (Fs s) h) <= odd_mean m N p * E (Bin N p) (likelihood m N (Fs s))).
  { intro s. assert (HFs : order_free (Fs s)) by (intros l l' P0; unfold Fs; rewrite (HF l l' P0), (parity_perm l l' P0); reflexivity).
    assert (HPs : forall l, 0 <= Fs s l) by (intro l; apply Rmult_le_pos; [auto | apply indicator_01]).
    apply (mean_bound N' m p PS M2 TS s).
    - intro h. apply likelihood_nonneg; auto.
    - intros h Hh. unfold likelihood. rewrite (E_ext_in _ _ (fun _ => 0 * 0)); [rewrite E_mult; ring|]. intros u Hu. unfold Fs.
      destruct m as [|k] eqn:Em; [lia|]. change (R_MOD (S k)) with (shares k) in Hu. rewrite (shares_parity_all k _ u Hu), parity_sorted.
      unfold of_parity in Hh. rewrite Hh. simpl. ring.
    - intros h Hh. apply likelihood_step; auto. }
  assert (SP : forall h, likelihood m N F h = likelihood m N (Fs true) h + likelihood m N (Fs false) h).
  { intro h. unfold likelihood. rewrite <- E_plus. apply E_ext. intro l. unfold Fs. destruct (parity l); simpl; ring. }
  assert (Q1 : E (Bin N p) (fun h => INR h * likelihood m N F h)
    = E (Bin N p) (fun h => INR h * likelihood m N (Fs true) h) + E (Bin N p) (fun h => INR h * likelihood m N (Fs false) h))
    by (rewrite <- E_plus; apply E_ext; intro h; rewrite SP; ring).
  assert (Q0 : E (Bin N p) (likelihood m N F) = E (Bin N p) (likelihood m N (Fs true)) + E (Bin N p) (likelihood m N (Fs false)))
    by (rewrite <- E_plus; apply E_ext; intro h; apply SP).
  rewrite Q1, Q0. pose proof (B true) as B1. pose proof (B false) as B2. lra.
Qed.

Lemma first_holder : forall j a x F, a <> j -> ~ In j x -> order_free F -> (forall l, 0 <= F l) ->
  E (pool j (j :: x)) F <= new_holder (S (length x)) * E (pool j (a :: x)) F.
Proof.
  intros j a x F Ha Hj HF HP. assert (NJ : ~ In j (a :: x)) by (intros [Z|Z]; [congruence | contradiction]).
  rewrite pool_with, (pool_without j (a :: x)) by auto.
  cbn [length]. set (N' := length x). set (F' := fun l => F (map (pair j) l)).
  assert (HF' : order_free F') by (intros l l' P0; apply HF, Permutation_map; auto).
  assert (HP' : forall l, 0 <= F' l) by (intro; apply HP).
  pose proof (mean_of_likelihood N' F' HF' HP') as MB. pose proof p_small as PS.
  pose proof (size_bias p N' (likelihood m (S N') F')) as S1.
  assert (S0 : INR (S N') * E (Bin (S N') p) (likelihood m (S N') F') + -1 * E (Bin (S N') p) (fun h => INR h * likelihood m (S N') F' h)
    = INR (S N') * (1 - p) * E (Bin N' p) (likelihood m (S N') F')).
  { rewrite <- size_bias_zero, <- !E_mult, <- E_plus. apply E_ext; intro; ring. }
  assert (N0 : 0 < INR (S N')) by (apply lt_0_INR; lia). set (N := INR (S N')) in *.
  set (A := E (Bin N' p) (fun h => likelihood m (S N') F' (S h))) in *. set (B := E (Bin N' p) (likelihood m (S N') F')) in *.
  set (M1 := E (Bin (S N') p) (fun h => INR h * likelihood m (S N') F' h)) in *. set (M0 := E (Bin (S N') p) (likelihood m (S N') F')) in *.
  set (e := odd_mean m (S N') p) in *.
  assert (EA : A = M1 / (N * p)) by (rewrite S1; field; lra).
  assert (EB : B = (N * M0 - M1) / (N * (1 - p))) by (replace (N * M0 - M1) with (N * (1 - p) * B) by lra; field; lra).
  rewrite EA, EB. unfold new_holder, weight. fold N. fold e.
  assert (PP : 0 < N * (p * (1 - p))) by (apply Rmult_lt_0_compat; [auto | apply Rmult_lt_0_compat; lra]).
  apply Rmult_le_reg_r with (2 * N * p * (1 - p)); [lra|].
  replace ((1 / 2 * (M1 / (N * p)) + 1 / 2 * ((N * M0 - M1) / (N * (1 - p)))) * (2 * N * p * (1 - p))) with (M1 * (1 - 2 * p) + N * M0 * p) by (field; lra).
  replace ((e / (N * p) + (1 - e / N) / (1 - p)) / 2 * M0 * (2 * N * p * (1 - p))) with (e * M0 * (1 - 2 * p) + N * M0 * p) by (field; lra).
  apply Rplus_le_compat_r. apply Rmult_le_compat_r; lra.
Qed.

Lemma another_holder : forall j a x F, a <> j -> In j x -> order_free F -> (forall l, 0 <= F l) ->
  E (pool j (j :: x)) F <= (1 + q) * E (pool j (a :: x)) F.
Proof.
  intros j a x F Ha Hj HF HP. apply in_split in Hj. destruct Hj as [u [v Hx]]. subst x.
  assert (QR := q_range n n_pos eps eps_pos). cbv zeta in QR. fold q in QR.
  assert (X : forall i, E (pool j (i :: u ++ j :: v)) F
    = E (join (user m (if same i j then 0 else q)) (user m 0)) (fun l => E (pool j (u ++ v)) (fun s => F (map (pair j) l ++ s)))).
  { intro i. pose proof (pool_front Element same n eps m j [] i (u ++ j :: v) F HF) as P1. cbn [app] in P1. cbv zeta in P1. fold pool message in P1. rewrite P1.
    unfold message at 1. rewrite (message_user Element same n eps m i j). fold q. rewrite E_join. apply E_ext; intro l.
    pose proof (pool_front Element same n eps m j u j v (fun r => F (map (pair j) l ++ r)) (order_free_app F (map (pair j) l) HF)) as P2. cbv zeta in P2. fold pool in P2. rewrite P2.
    rewrite (message_user Element same n eps m j j). destruct (same j j); [|congruence]. apply E_ext; intro l'. apply E_ext; intro s. rewrite map_app, app_assoc. reflexivity. }
  rewrite !X. destruct (same a j) as [e|_]; [congruence|]. destruct (same j j) as [_|e]; [|congruence].
  apply pair_gains_holder; auto.
  - lra.
  - intros l l' P0. apply E_ext. intro s. apply HF. apply Permutation_app_tail, Permutation_map; auto.
  - intro l. apply (pool_nonneg Element same n n_pos eps eps_pos m). auto.
Qed.

Theorem pool_gains_many : forall j l1 a l2 F, a <> j -> order_free F -> (forall l, 0 <= F l) ->
  E (pool j (l1 ++ j :: l2)) F <= Rmax (new_holder (S (length (l1 ++ l2)))) (1 + q) * E (pool j (l1 ++ a :: l2)) F.
Proof.
  intros j l1 a l2 F Ha HF HP.
  assert (X : forall i, E (pool j (l1 ++ i :: l2)) F = E (pool j (i :: l1 ++ l2)) F).
  { intro i. unfold pool, col. apply concatenated_perm; auto. apply Permutation_map, Permutation_sym, Permutation_middle. }
  rewrite !X. pose proof (pool_nonneg Element same n n_pos eps eps_pos m j (a :: l1 ++ l2) F HP) as P0. cbv zeta in P0. fold pool in P0.
  destruct (in_dec same j (l1 ++ l2)) as [I|I].
  - eapply Rle_trans; [apply (another_holder j a); auto|]. apply Rmult_le_compat_r; auto. apply Rmax_r.
  - eapply Rle_trans; [apply (first_holder j a); auto|]. apply Rmult_le_compat_r; auto. apply Rmax_l.
Qed.
End Protocol.

(* The pair of pools: ln max(w(e), 1+q) + ln(1+q). *)
Theorem de_pure_many : forall (Element : Type) (same : forall a b : Element, {a = b} + {a <> b}) (K : list Element) (m : nat -> nat)
  (eps : R) (n honest : nat), NoDup K -> 0 < eps -> (0 < n)%nat -> (0 < m n)%nat -> Nat.Even (m n) ->
  let q := no_flip n eps in let p' := (1 - q) / 2 in
  tilt (m n) * (1 - q) <= 1 + q ->
  private_on honest (ln (Rmax (weight honest p' (odd_mean (m n) honest p')) (1 + q)) + ln (1 + q)) 0 (view (P_DE same K eps m n)).
Proof.
  intros Element same K m eps n honest HK He Hn Hm HE q p' HT. pose proof (q_range n Hn eps He) as Q. cbv zeta in Q. fold q in Q.
  apply view_pure; auto.
  - apply Rle_trans with (1 + q); [lra | apply Rmax_r].
  - intros j l1 a l2 F L Ha HF HP. rewrite <- L. apply pool_gains_many; auto.
Qed.

(* Without the tilt, the limit of large m, the factor is e^eps' = 1/(1 - q^N). *)
Theorem weight_ideal : forall (N : nat) (p : R), (0 < N)%nat -> 0 < p < 1 / 2 ->
  weight N p (INR N * p * (1 + (1 - 2 * p) ^ (N - 1)) / (1 - (1 - 2 * p) ^ N)) = / (1 - (1 - 2 * p) ^ N).
Proof.
  intros [|N] p HN Hp; [lia|]. unfold weight. replace (S N - 1)%nat with N by lia. cbn [pow]. set (b := (1 - 2 * p) ^ N).
  assert (B01 : 0 <= b <= 1) by (unfold b; split; [apply pow_le; lra | apply Rle_trans with (1 ^ N); [apply pow_incr; lra | rewrite pow1; lra]]).
  assert (Q : (1 - 2 * p) * b <= (1 - 2 * p) * 1) by (apply Rmult_le_compat_l; lra).
  assert (N0 : 0 < INR (S N)) by (apply lt_0_INR; lia). field. repeat split; lra.
Qed.
Theorem exp_eps_prime_users : forall n eps honest, 0 < eps -> (0 < honest <= n)%nat ->
  exp (eps_prime_at n eps honest) = / (1 - no_flip n eps ^ honest).
Proof.
  intros n eps honest He Hh. unfold eps_prime_at. rewrite exp_eps_prime; auto; [|apply gamma_of_01; lia].
  unfold no_flip. rewrite <- Rpower_pow by apply exp_pos. rewrite Rpower_mult. unfold gamma_of, Rdiv. rewrite Rmult_1_l.
  replace (/ INR n * INR honest) with (INR honest * / INR n) by ring. reflexivity.
Qed.
