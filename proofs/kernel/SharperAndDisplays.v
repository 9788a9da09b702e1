(* What is sharper than printed in sections 2 and 3, the orders, P_HDE, and the displays of section 4. *)
From Coq Require Import Reals ZArith Lra Lia List Bool Permutation FunctionalExtensionality.
From PanshuffleKernel Require Law Closeness Power Parity Shuffle Messages ShuffleModel Transformation Hash BinomialMechanism BinomialSharp BinomialRefuted
  BinarySum Distinct DistinctRobust DistinctPrivacy DistinctAccuracy HashedAccuracy Shares ShareSharp EpsPrime EpsPrimeSharp UniformityRefuted Calculus.
From PanshuffleKernel Require Import Countable Privacy Masses Model Poisson Finite Section3Upper Section4Transformation Section4Tester Section5AndAppendix Poissonization PoissonPools Means Statistic.
From PanshuffleKernel Require Import Paper.
Import ListNotations.
Open Scope R_scope.

Theorem lem_b_noise_sharp_holds : lem_b_noise_sharp.
Proof.
  split.
  - intros X f n l p eps delta F HP HE HD H. apply mechanism_lift. refine (BinomialSharp.b_noise_sharp l p eps delta HP HE _ _ X f n F); [lra|].
    change (BinarySum.noise_scale eps delta) with (noise_scale eps delta). replace 1.03 with (103 / 100) by lra. exact H.
  - intro H. apply (BinomialRefuted.constant_1025_refuted (1025 / 1000) ltac:(lra)). intros l p eps delta HP HE HD HL.
    apply BinomialMechanism.hides_one_iff. intros X f n F x x' L N.
    specialize (H X f n l p eps delta F HP HE HD HL x x' L N). unfold binomial_mechanism in H. rewrite !noisy_finite in H. apply close_finite in H. exact H.
Qed.
Theorem thm_ikos_sharper_holds : thm_ikos_sharper.
Proof. intros m N h M L N0. apply hides_lift; auto; [lia|]. apply ShareSharp.share_tv_sharp; auto. Qed.
Theorem case_2_sharper_holds : case_2_sharper.
Proof. intros eps gamma HE HG. apply EpsPrimeSharp.eps_prime_factor; auto. pose proof ln2_le1. lra. Qed.

Section Sharper.
Context {X : Type} (U : universe X) (eps delta gamma : R) (m : nat -> nat).
Hypothesis HE : 0 < eps.
Hypothesis HD : 0 < delta < 1.
Hypothesis HG : 0 < gamma <= 1.
Hypothesis HI : hides_all_but_sum m (delta / (exp eps + 1)).
Lemma robust_sharp : eps <= ln 2 ->
  ShuffleModel.robustly_shuffle_private (fun n => Distinct.R_DE X (same U) (elements U) n eps (mod_table (m n))) (2 * (Rpower eps gamma / gamma)) (2 * delta / gamma) gamma.
Proof.
  intros L2 n honest Hh Hg x x' L N.
  pose proof (DistinctRobust.gamma_le gamma n honest Hh Hg) as G.
  assert (Hn : (0 < n)%nat) by lia. pose proof (Distinct.gamma_of_01 n Hn honest Hh) as G1.
  eapply Closeness.close_mono; [| | | apply (DistinctRobust.view_close X (same U) (elements U) (fun n => mod_table (m n)) eps delta gamma (no_repetition X U) HE
    ltac:(lra) ltac:(intros; apply mod_proper; apply HI) ltac:(intros; apply hides_finite; auto) n honest Hh Hg x x' L N)].
  - apply ShuffleModel.proper_view. intro a. apply Messages.proper_concatenated_map. intro j. apply Distinct.proper_labelled; auto. intro; apply mod_proper; apply HI.
  - apply Rmult_le_compat_l; [lra|]. set (g' := Distinct.gamma_of n honest) in *. pose proof ln2_le1.
    apply Rle_trans with (Rpower eps g' / g'); [apply EpsPrimeSharp.eps_prime_factor; lra|].
    assert (eps < 1) by (pose proof Calculus.ln_2_bounds; lra).
    assert (Rpower eps g' <= Rpower eps gamma).
    { unfold Rpower. assert (ln eps < 0) by (rewrite <- ln_1; apply ln_increasing; lra). apply exp_le. nra. }
    pose proof (Power.Rpower_pos eps g').
    apply Rle_trans with (Rpower eps g' / gamma); [apply DistinctRobust.div_mono; lra|].
    apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; lra | lra].
  - apply DistinctRobust.div_mono; lra.
Qed.
End Sharper.
Theorem thm_de_upper_I_sharper_holds : thm_de_upper_I_sharper.
Proof.
  intros X U eps delta gamma m HE HD HG HI. split; [|intro L2; apply robust_lift; auto; apply robust_sharp; auto].
  apply robust_lift; auto. apply (DistinctRobust.robust_case_1 X (same U) (elements U) (fun n => mod_table (m n)) eps delta gamma (no_repetition X U) HE
    ltac:(lra) HG ltac:(intros; apply mod_proper; apply HI) ltac:(intros; apply hides_finite; auto)).
Qed.

(* ---- orders ---- *)
Lemma e_over : forall eps, 0 < eps -> 1 <= exp eps / (exp eps - 1) <= 1 + 1 / eps.
Proof.
  intros eps H. pose proof (exp_ineq1 eps ltac:(lra)) as X. split.
  - apply Rmult_le_reg_r with (exp eps - 1); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra.
  - apply Rmult_le_reg_r with ((exp eps - 1) * eps); [apply Rmult_lt_0_compat; lra|].
    replace (exp eps / (exp eps - 1) * ((exp eps - 1) * eps)) with (exp eps * eps) by (field; lra).
    replace ((1 + 1 / eps) * ((exp eps - 1) * eps)) with ((eps + 1) * (exp eps - 1)) by (field; lra). nra.
Qed.
Theorem thm_de_upper_II_order_fails : ~ thm_de_upper_II_order.
Proof.
  intros [C H]. set (u := / (4 * (C * C + 1))). assert (CC : 0 < 4 * (C * C + 1)) by nra. assert (U0 : 0 < u) by (apply Rinv_0_lt_compat; auto).
  assert (UC : C * C * u <= 1 / 4).
  { unfold u. apply Rmult_le_reg_r with (4 * (C * C + 1)); auto. rewrite Rmult_assoc, Rinv_l by lra. nra. }
  assert (EU : 0 < exp (- u) < 1) by (split; [apply exp_pos | rewrite <- exp_0; apply exp_increasing; lra]).
  specialize (H 1 1 (exp (- u)) ltac:(lra) ltac:(lra) EU).
  assert (L1 : ln (1 / exp (- u)) = u).
  { unfold Rdiv. rewrite Rmult_1_l, exp_Ropp, Rinv_inv. apply ln_exp. }
  assert (L2 : ln 2 <= ln (2 / exp (- u))).
  { apply Power.ln_le_mono; [lra|]. apply Rmult_le_reg_r with (exp (- u)); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra. }
  rewrite L1 in H. replace (Rmax 1 (1 / 1)) with 1 in H by (unfold Rmax; destruct Rle_dec; lra). rewrite !Rmult_1_l in H.
  pose proof Calculus.ln_2_bounds as LB. pose proof (e_over 1 ltac:(lra)) as [EO _].
  assert (S1 : 1 <= sqrt (2 * 1 * ln (2 / exp (- u)))) by (apply Rle_trans with (sqrt 1); [rewrite sqrt_1; lra | apply sqrt_le_1_alt; lra]).
  assert (SU : sqrt u * sqrt u = u) by (apply sqrt_sqrt; lra). pose proof (sqrt_pos u) as SP.
  assert (LOW : 1 <= exp 1 / (exp 1 - 1) * sqrt (2 * 1 * ln (2 / exp (- u)))) by nra.
  assert (UP : 1 <= C * sqrt u) by lra. assert (C * sqrt u * (C * sqrt u) <= 1 / 4) by (replace (C * sqrt u * (C * sqrt u)) with (C * C * (sqrt u * sqrt u)) by ring; rewrite SU; auto). nra.
Qed.
Theorem thm_de_upper_II_order_repaired_holds : thm_de_upper_II_order_repaired.
Proof.
  intros k eps beta K HE HB. pose proof (e_over eps HE) as [E1 E2].
  assert (L0 : 0 <= ln (2 / beta)).
  { rewrite <- ln_1. apply Power.ln_le_mono; [lra|]. apply Rmult_le_reg_r with beta; [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra. }
  replace (2 * k * ln (2 / beta)) with (2 * (k * ln (2 / beta))) by ring. rewrite sqrt_mult_alt by lra.
  set (s := sqrt (k * ln (2 / beta))). pose proof (sqrt_pos (k * ln (2 / beta))) as SP. fold s in SP.
  assert (M : 1 + 1 / eps <= 2 * Rmax 1 (1 / eps)) by (unfold Rmax; destruct (Rle_dec 1 (1 / eps)); lra).
  assert (S2 : sqrt 2 <= 3 / 2) by (rewrite <- (sqrt_square (3 / 2)) by lra; apply sqrt_le_1_alt; lra).
  pose proof (sqrt_pos 2). assert (0 <= Rmax 1 (1 / eps)) by (apply Rle_trans with 1; [lra | apply Rmax_l]).
  rewrite <- !Rmult_assoc. apply Rmult_le_compat_r; auto.
  apply Rle_trans with (2 * Rmax 1 (1 / eps) * (3 / 2)); [apply Rmult_le_compat; lra | lra].
Qed.
Theorem thm_zerocount_pan_order_holds : thm_zerocount_pan_order.
Proof.
  intros E0 d0 H0 HD. set (L0 := ln (1 / d0)).
  assert (L0P : 0 < L0).
  { unfold L0. rewrite <- ln_1. apply ln_increasing; [lra|]. apply Rmult_lt_reg_r with d0; [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra. }
  exists (2 * (20 * ((E0 + 2) ^ 2 * (1 + ln 2 / L0)) + E0 ^ 2 / L0)). intros eps delta lambda HE HDe HL.
  pose proof (coth_bound eps E0 HE) as CB. unfold noise_scale in HL. set (c2 := ((exp eps + 1) / (exp eps - 1)) ^ 2) in *.
  pose proof (c2_ge1 eps ltac:(lra)) as C1. fold c2 in C1. set (G := ln (1 / delta)).
  assert (GL : L0 <= G).
  { unfold L0, G. apply Power.ln_le_mono; [apply Rdiv_lt_0_compat; lra|]. unfold Rdiv. rewrite !Rmult_1_l. apply Rinv_le_contravar; lra. }
  assert (LS : ln (2 / delta) = ln 2 + G).
  { unfold G. rewrite <- ln_mult; [f_equal; field; lra | lra | apply Rdiv_lt_0_compat; lra]. }
  rewrite LS in HL. pose proof ln2_pos as L2.
  assert (E2 : 0 < eps ^ 2) by (apply pow_lt; lra).
  assert (A : ln 2 + G <= (1 + ln 2 / L0) * G).
  { rewrite Rmult_plus_distr_r, Rmult_1_l. assert (ln 2 <= ln 2 / L0 * G); [|lra].
    apply Rmult_le_reg_r with L0; auto. replace (ln 2 / L0 * G * L0) with (ln 2 * G) by (field; lra). apply Rmult_le_compat_l; lra. }
  assert (B : c2 * (ln 2 + G) <= (E0 + 2) ^ 2 / eps ^ 2 * ((1 + ln 2 / L0) * G)) by (apply Rmult_le_compat; lra).
  assert (D : 1 <= E0 ^ 2 / L0 * (1 / eps ^ 2 * G)).
  { apply Rmult_le_reg_r with (L0 * eps ^ 2); [apply Rmult_lt_0_compat; lra|].
    replace (E0 ^ 2 / L0 * (1 / eps ^ 2 * G) * (L0 * eps ^ 2)) with (G * E0 ^ 2) by (field; lra). rewrite Rmult_1_l.
    apply Rmult_le_compat; [lra | lra | lra | apply pow_incr; lra]. }
  replace (2 * (20 * ((E0 + 2) ^ 2 * (1 + ln 2 / L0)) + E0 ^ 2 / L0) * (1 / eps ^ 2 * G))
    with (2 * (20 * ((E0 + 2) ^ 2 / eps ^ 2 * ((1 + ln 2 / L0) * G)) + E0 ^ 2 / L0 * (1 / eps ^ 2 * G))) by (field; lra). lra.
Qed.

(* ---- section 4, displays ---- *)
Theorem poissonization_holds : poissonization.
Proof. intros X U m D M PD. apply same_events. exact (poissonized_counts U D PD m M). Qed.
Lemma Bin_sum : forall n m p, 0 <= p <= 1 -> same_law (sum_of_two (Bin n p) (Bin m p)) (Bin (n + m) p).
Proof.
  intros n m p P f F. unfold sum_of_two. assert (PS : forall i, proper (bind (Bin m p) (fun j => point (i + j)%nat))) by (intro; apply proper_bind; [apply proper_Bin; auto | intro; apply proper_point]).
  rewrite E_bind by auto using proper_Bin. revert f F. induction n; intros f F.
  - simpl Bin. rewrite E_point. rewrite E_bind by (auto using proper_Bin; intro; apply proper_point). apply E_ext; intro j. apply E_point.
  - simpl Nat.add. rewrite !E_Bin_S by (auto; destruct F as [M HM]; exists M; intro; try apply HM; apply E_abs; auto).
    rewrite <- (IHn f F). rewrite <- (IHn (fun c => f (S c))) by (destruct F as [M HM]; exists M; auto). f_equal. f_equal. apply E_ext; intro i.
    rewrite !E_bind by (auto using proper_Bin; try (intro; apply proper_point); destruct F as [M HM]; exists M; auto). apply E_ext; intro j. rewrite !E_point. reflexivity.
Qed.
Theorem poisson_sums_holds : poisson_sums.
Proof.
  split; [|split].
  - intros n m p P. apply same_events, Bin_sum; auto.
  - intros a b A B. apply same_events. exact (Pois_sum a b A B).
  - intros a p A P. apply same_events. intros f F.
    assert (A1 : 0 <= a * p) by (apply Rmult_le_pos; lra). assert (A2 : 0 <= a * (1 - p)) by (apply Rmult_le_pos; lra).
    pose proof (thinning a p A P (fun q => f (fst q)) ltac:(destruct F as [M HM]; exists M; auto)) as T.
    rewrite E_joint in T by (auto using proper_Pois; destruct F as [M HM]; exists M; auto). simpl in T.
    transitivity (E (thinned a p) (fun q => f (fst q))).
    + unfold thinned. rewrite !E_bind; auto using proper_Pois; try (intro; apply proper_Bin; auto).
      * apply E_ext; intro s. rewrite E_bind; [|apply proper_Bin; auto | intro; apply proper_point | destruct F as [M HM]; exists M; auto].
        apply E_ext; intro c. rewrite E_point. reflexivity.
      * intro s. apply proper_bind; [apply proper_Bin; auto | intro; apply proper_point].
      * destruct F as [M HM]; exists M; auto.
    + rewrite T. apply E_ext; intro i. apply E_const. apply proper_Pois; auto.
Qed.
Theorem eq_z_lower_direction_fails : ~ eq_z_lower_direction.
Proof. exact UniformityRefuted.z_lower_step_false. Qed.
Theorem eq_z_lower_constant_fails : ~ eq_z_lower_constant.
Proof. exact UniformityRefuted.z_lower_29_false. Qed.
Theorem statistic_decomposition_holds : statistic_decomposition.
Proof.
  intros X U m x e L M K. unfold Z_of, chi, A_of, B_of, C_of. set (k := size U). set (mu := m / k). set (c := fun j => INR (count U x j)).
  assert (G : forall (KK : list X), length e = length KK ->
    total (combine KK e) (fun p => (c (fst p) + snd p - mu) ^ 2 - (c (fst p) + snd p))
    = total KK (fun j => (c j - mu) ^ 2 - c j) + total e (fun v => v ^ 2) + 2 * total (combine KK e) (fun p => snd p * (c (fst p) - mu)) - total e (fun v => v)).
  { clear L. revert e. intro e0. revert e0. intros e0 KK. revert e0. induction KK as [|j KK IH]; intros [|v e0] L; try discriminate; [simpl; ring|].
    change (total (combine (j :: KK) (v :: e0)) ?f) with (f (j, v) + total (combine KK e0) f).
    change (total (j :: KK) ?f) with (f j + total KK f). change (total (v :: e0) ?f) with (f v + total e0 f). cbv beta. cbn [fst snd].
    rewrite (IH e0) by (simpl in L; lia). ring. }
  pose proof (G (elements U) L) as Q. cbv beta delta [c] in Q. rewrite Q. unfold Rdiv. ring.
Qed.

(* ---- P_HDE ---- *)
Theorem cor_hde_III_holds : cor_hde_III.
Proof.
  intros c C1. destruct thm_de_upper_III_holds as [C H]. exists (Rmax 0 C * (c + 1)). intros X X' V family eps delta HE HD.
  destruct (H X' V eps delta HE HD) as [m [HI HB]]. exists m. split; auto. intros n h x N y Hn SZ IN.
  specialize (HB n (h x) N y Hn IN). eapply Rle_trans; [exact HB|].
  assert (N1 : 1 <= INR n) by (change 1 with (INR 1); apply le_INR; lia).
  assert (P1 : 1 <= Rpower (INR n) (4 / 3)) by (rewrite <- (Rpower_O (INR n)) by lra; apply Rle_Rpower; lra).
  set (G := ln (INR n * (exp eps + 1) / delta)).
  assert (G0 : 0 <= G).
  { unfold G. rewrite <- ln_1. apply Power.ln_le_mono; [lra|]. apply Rmult_le_reg_r with delta; [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra.
    pose proof (exp_pos eps). nra. }
  assert (S0 : 0 <= size V) by apply pos_INR. pose proof (Rmax_l 0 C). pose proof (Rmax_r 0 C).
  assert (SG : 0 <= size V * G) by (apply Rmult_le_pos; auto).
  apply Rle_trans with (Rmax 0 C * (size V * G)); [apply Rmult_le_compat_r; auto|].
  rewrite Rmult_assoc. apply Rmult_le_compat_l; auto. rewrite <- Rmult_assoc. apply Rmult_le_compat_r; auto. nra.
Qed.
Lemma HDE_finite {X X'} : forall (V : universe X') (family : list (X -> X')) eps m n x T, 0 < eps -> (0 < m n)%nat ->
  Pr (execution (P_HDE V family eps m) n x) T = Law.Pr (HashedAccuracy.P_HDE (same V) family (elements V) eps m n x) T.
Proof.
  intros V family eps m n x T HE HM. unfold execution. cbn [coins randomizer analyzer P_HDE].
  assert (Q : bind (uniform family) (fun c => bind (view (fun x0 => R_DE V eps (m n) n (c x0)) x) (A_DE V eps))
    = fun _ => bind_table (Shuffle.uniform family) (fun h => bind_table (ShuffleModel.view (fun a => Distinct.R_DE X' (same V) (elements V) n eps (mod_table (m n)) (h a)) x) (DistinctAccuracy.A_DE (same V) (elements V) eps))).
  { apply (bind_finite (Shuffle.uniform family)). intro h. rewrite (view_finite _ (fun a => Distinct.R_DE X' (same V) (elements V) n eps (mod_table (m n)) (h a))) by (intro; apply R_DE_finite; auto).
    apply bind_finite. apply A_DE_finite. }
  rewrite Q, Pr_finite. unfold Law.Pr, HashedAccuracy.P_HDE, Transformation.execution. rewrite !Law.E_bind. apply Law.E_ext; intro h. rewrite !Law.E_bind.
  symmetry. apply view_same. intro a. apply R_DE_same; auto.
Qed.
Theorem cor_hde_II_repaired_holds : cor_hde_II_repaired.
Proof.
  intros X X' U V family c eps beta m n C1 N SZ SU TU HE HB HM x L.
  rewrite HDE_finite by auto. destruct (two_universal_finite V family TU) as [F T2].
  assert (HT : HashedAccuracy.hashes_to (same V) family (elements V) c n).
  { split; [auto | split; [apply (no_repetition X' V) | split; [intros; apply (complete X' V) | split; auto]]]. }
  exact (HashedAccuracy.hashed_accuracy X X' (same U) (same V) family (elements V) m c eps beta n C1 HE HB N HM HT x L).
Qed.
Theorem cor_hde_II_fails : ~ cor_hde_II.
Proof.
  intro H. set (V := Universe HashedAccuracy.all_five HashedAccuracy.all_five_nodup HashedAccuracy.all_five_full HashedAccuracy.same_five).
  destruct HashedAccuracy.hashes_to_self as [F [NP [RG [T2 [Z1 Z2]]]]].
  assert (TU : two_universal V [fun a => a]).
  { split; [exact F|]. intros x y XY. specialize (T2 x y XY). change (uniform [fun a : HashedAccuracy.five_bits => a]) with (fun _ : nat => Shuffle.uniform [fun a : HashedAccuracy.five_bits => a]).
    rewrite Pr_finite. exact T2. }
  specialize (H HashedAccuracy.five_bits HashedAccuracy.five_bits V V [fun a => a] 32 (ln 2) (1 / 2) (fun _ => 1%nat) 1%nat ltac:(lra) (le_n 1)
    (conj Z1 Z2) (Rle_refl _) TU HashedAccuracy.ln_2_pos ltac:(lra) (le_n 1) HashedAccuracy.zero_five HashedAccuracy.length_zero).
  rewrite HDE_finite in H by (auto using HashedAccuracy.ln_2_pos).
  assert (DZ : distinct V HashedAccuracy.zero_five = 1) by (unfold distinct; change (length (nodup (same V) HashedAccuracy.zero_five)) with (Transformation.distinct HashedAccuracy.same_five HashedAccuracy.zero_five); rewrite HashedAccuracy.distinct_zero; reflexivity).
  rewrite DZ, HashedAccuracy.INR_1, exp_ln in H by lra. unfold Rpower in H. rewrite ln_1, !Rmult_0_r, exp_0 in H.
  pose proof (HashedAccuracy.zero_refutes _ HashedAccuracy.printed_error) as G.
  apply (Rlt_irrefl (1 / 2)). eapply Rle_lt_trans; [|exact G]. eapply Rle_trans; [|exact H]. lra.
Qed.
