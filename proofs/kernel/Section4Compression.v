(* Section 4.1.2, decided: Theorem ut-app-upper-bound, for Pois(m) samples.  The protocol is P_UT on the groups of
   Compression.v, with 160 cells for each element and b pools for each copy of the universe, b near
   k^(2/3) eps^(4/3)/alpha^(4/3). *)
From Coq Require Import Reals ZArith Lra Lia List Bool.
From Coquelicot Require Import Rcomplements.
From PanshuffleKernel Require Power Calculus.
From PanshuffleKernel Require Import Countable Privacy Masses Model Poisson Section3Upper Section3LowerAsPrinted Section4Transformation PoissonPools Section4Privacy Means Poissonization Statistic Tester Section4Tester Preprocessing SignSums Compression.
From PanshuffleKernel Require Import Paper.
Import ListNotations.
Open Scope R_scope.

(* ---- the number of pools ---- *)
Lemma number_of_pools : forall (kn : nat) alpha eps, (1 <= kn)%nat -> 0 < alpha -> 0 < eps -> let k := INR kn in
  let O := Rpower k (2 / 3) / (Rpower alpha (4 / 3) * Rpower eps (2 / 3)) + sqrt k / (alpha * eps) + sqrt k / alpha ^ 2 in
  0 < O /\ sqrt k / alpha ^ 2 <= O /\
  exists b : nat, (1 <= b <= kn)%nat /\ k ^ 2 <= O ^ 2 * alpha ^ 4 * INR b /\ INR b * k ^ 2 <= 2 * O ^ 4 * alpha ^ 4 * eps ^ 4 /\ k ^ 2 <= O ^ 3 * alpha ^ 4 * eps ^ 2.
Proof.
  intros kn alpha eps KN A HE k O. assert (K1 : 1 <= k) by (change 1 with (INR 1); apply le_INR; auto).
  set (T1 := Rpower k (2 / 3) / (Rpower alpha (4 / 3) * Rpower eps (2 / 3))) in O. set (T2 := sqrt k / (alpha * eps)) in O. set (T3 := sqrt k / alpha ^ 2) in O.
  assert (PA : 0 < Rpower alpha (4 / 3)) by apply exp_pos. assert (PE : 0 < Rpower eps (2 / 3)) by apply exp_pos.
  assert (A2 : 0 < alpha ^ 2) by (apply pow_lt; auto). assert (A4 : 0 < alpha ^ 4) by (apply pow_lt; auto).
  assert (E2 : 0 < eps ^ 2) by (apply pow_lt; auto). assert (E4 : 0 < eps ^ 4) by (apply pow_lt; auto).
  assert (SK : 0 < sqrt k) by (apply sqrt_lt_R0; lra). assert (SKK : sqrt k * sqrt k = k) by (apply sqrt_sqrt; lra).
  assert (P1 : 0 < T1) by (unfold T1; apply Rdiv_lt_0_compat; [apply exp_pos | apply Rmult_lt_0_compat; auto]).
  assert (P2 : 0 < T2) by (unfold T2; apply Rdiv_lt_0_compat; [auto | apply Rmult_lt_0_compat; auto]).
  assert (P3 : 0 < T3) by (unfold T3; apply Rdiv_lt_0_compat; auto).
  assert (C1 : T1 ^ 3 * alpha ^ 4 * eps ^ 2 = k ^ 2).
  { assert (Q1 : Rpower k (2 / 3) ^ 3 = k ^ 2) by (rewrite Rpower_pow_mult by lra; replace (INR 3 * (2 / 3)) with (INR 2) by (simpl; field); apply Rpower_pow; lra).
    assert (Q2 : Rpower alpha (4 / 3) ^ 3 = alpha ^ 4) by (rewrite Rpower_pow_mult by lra; replace (INR 3 * (4 / 3)) with (INR 4) by (simpl; field); apply Rpower_pow; lra).
    assert (Q3 : Rpower eps (2 / 3) ^ 3 = eps ^ 2) by (rewrite Rpower_pow_mult by lra; replace (INR 3 * (2 / 3)) with (INR 2) by (simpl; field); apply Rpower_pow; lra).
    rewrite <- Q1, <- Q2, <- Q3. unfold T1. field. lra. }
  assert (C2 : T2 ^ 2 * alpha ^ 2 * eps ^ 2 = k) by (transitivity (sqrt k * sqrt k); [unfold T2; field; lra | exact SKK]).
  assert (C3 : T3 ^ 2 * alpha ^ 4 = k) by (transitivity (sqrt k * sqrt k); [unfold T3; field; lra | exact SKK]).
  assert (OP : 0 < O) by (unfold O; lra). split; auto. split; [change (T3 <= O); unfold O; lra|].
  assert (W : forall n x y, x <= O -> 0 < x -> 0 < y -> x ^ n * y <= O ^ n * y) by (intros; apply Rmult_le_compat_r; [lra | apply pow_incr; lra]).
  assert (L1 : T1 <= O) by (unfold O; lra). assert (L2 : T2 <= O) by (unfold O; lra). assert (L3 : T3 <= O) by (unfold O; lra).
  assert (Q3 : k ^ 2 <= O ^ 3 * alpha ^ 4 * eps ^ 2).
  { rewrite <- C1, !Rmult_assoc. apply W; auto. apply Rmult_lt_0_compat; auto. }
  assert (AE : 0 < alpha ^ 4 * eps ^ 4) by (apply Rmult_lt_0_compat; auto).
  assert (O4 : 0 < O ^ 4 * (alpha ^ 4 * eps ^ 4)) by (apply Rmult_lt_0_compat; auto; apply pow_lt; auto).
  set (t := k ^ 2 / (alpha ^ 4 * T1 ^ 2)).
  assert (T12 : 0 < T1 ^ 2) by (apply pow_lt; auto).
  assert (TA : t * (T1 ^ 2 * alpha ^ 4) = k ^ 2) by (unfold t; field; lra).
  assert (TB : t * k ^ 2 = T1 ^ 4 * (alpha ^ 4 * eps ^ 4)).
  { unfold t. rewrite <- C1. field. lra. }
  pose proof (W 4%nat T1 (alpha ^ 4 * eps ^ 4) L1 P1 AE) as W4.
  assert (K2 : 0 < k ^ 2) by (apply pow_lt; lra).
  destruct (Rle_dec t 1) as [SM|SM].
  - exists 1%nat. split; [lia|]. split; [|split; auto].
    + simpl INR. rewrite Rmult_1_r. eapply Rle_trans; [|apply W; [exact L1 | auto | auto]]. rewrite <- TA.
      rewrite <- (Rmult_1_l (T1 ^ 2 * alpha ^ 4)) at 2. apply Rmult_le_compat_r; [|auto]. left; apply Rmult_lt_0_compat; auto.
    + simpl INR. rewrite Rmult_1_l.
      assert (Z : k ^ 2 = T2 ^ 4 * (alpha ^ 4 * eps ^ 4)) by (rewrite <- C2 at 1; ring).
      pose proof (W 4%nat T2 (alpha ^ 4 * eps ^ 4) L2 P2 AE). lra.
  - apply Rnot_le_lt in SM. destruct (Rle_dec k t) as [G|G].
    + exists kn. split; [lia|]. fold k. split; [|split; auto].
      * replace (k ^ 2) with (T3 ^ 2 * (alpha ^ 4 * k)) by (rewrite <- Rmult_assoc, C3; ring). rewrite Rmult_assoc. apply W; auto. apply Rmult_lt_0_compat; lra.
      * assert (k * k ^ 2 <= t * k ^ 2) by (apply Rmult_le_compat_r; lra). lra.
    + apply Rnot_le_lt in G. destruct (ceiling t ltac:(lra)) as [b [B1 B2]]. exists b. split; [|split; [|split; auto]].
      * split; [apply INR_le; simpl; lra|]. assert (b < S kn)%nat; [|lia]. apply INR_lt. rewrite S_INR. fold k. lra.
      * apply Rle_trans with (T1 ^ 2 * (alpha ^ 4 * INR b)).
        -- rewrite <- TA. replace (T1 ^ 2 * (alpha ^ 4 * INR b)) with (INR b * (T1 ^ 2 * alpha ^ 4)) by ring. apply Rmult_le_compat_r; auto. left; apply Rmult_lt_0_compat; auto.
        -- rewrite Rmult_assoc. apply W; auto. apply Rmult_lt_0_compat; lra.
      * assert (INR b * k ^ 2 <= 2 * t * k ^ 2) by (apply Rmult_le_compat_r; lra). lra.
Qed.

(* ---- enough samples, in terms of the order ---- *)
Definition big : R := 640 * 320 * 1024.
Lemma enough_of_order : forall k m lambda alpha eps L b O C2, 1 <= k -> 0 < alpha < 1 -> 0 < eps -> 1 <= L -> 1 <= b <= k -> 0 < O -> 1 <= C2 ->
  0 < lambda <= C2 * (L / eps ^ 2) -> k ^ 2 <= O ^ 2 * alpha ^ 4 * b -> b * k ^ 2 <= 2 * O ^ 4 * alpha ^ 4 * eps ^ 4 -> k ^ 2 <= O ^ 3 * alpha ^ 4 * eps ^ 2 ->
  big * C2 * (O * sqrt L) <= m ->
  let h := 320 * b in let a := alpha * sqrt (b / (32 * k)) in
  0 < a < 1 /\ a ^ 2 = alpha ^ 2 * b / (32 * k) /\
  128 * 5 * sqrt h <= m * a ^ 2 /\ (128 * 5) ^ 4 * h ^ 3 * lambda ^ 2 <= m ^ 4 * a ^ 4 /\ (128 * 5) ^ 3 * h ^ 2 * lambda <= m ^ 3 * a ^ 4.
Proof.
  intros k m lambda alpha eps L b O C2 K A HE HL B OP HC LA H1 H2 H3 HM h a.
  assert (Q0 : 0 < b / (32 * k)) by (apply Rdiv_lt_0_compat; lra).
  assert (Q1 : b / (32 * k) < 1) by (apply Rmult_lt_reg_r with (32 * k); [lra|]; unfold Rdiv; rewrite Rmult_assoc, Rinv_l by lra; lra).
  assert (S0 : 0 < sqrt (b / (32 * k))) by (apply sqrt_lt_R0; auto).
  assert (S1 : sqrt (b / (32 * k)) < 1) by (rewrite <- sqrt_1; apply sqrt_lt_1_alt; lra).
  assert (A2 : a ^ 2 = alpha ^ 2 * b / (32 * k)).
  { unfold a. replace ((alpha * sqrt (b / (32 * k))) ^ 2) with (alpha ^ 2 * (sqrt (b / (32 * k)) ^ 2)) by ring. rewrite pow2_sqrt by lra. unfold Rdiv; ring. }
  assert (A4 : a ^ 4 = alpha ^ 4 * b ^ 2 / (1024 * k ^ 2)) by (replace (a ^ 4) with (a ^ 2 * a ^ 2) by ring; rewrite A2; field; lra).
  split; [unfold a; split; [apply Rmult_lt_0_compat; lra | nra]|]. split; [exact A2|].
  set (s := sqrt L) in *. assert (SS : s * s = L) by (apply sqrt_sqrt; lra).
  assert (S11 : 1 <= s) by (unfold s; rewrite <- sqrt_1; apply sqrt_le_1_alt; auto).
  assert (OS : 0 < O * s) by (apply Rmult_lt_0_compat; lra).
  assert (B0 : 0 < big) by (unfold big; lra).
  assert (BC : big <= big * C2) by nra.
  set (M := big * C2 * (O * s)) in *. assert (MP : 0 < M) by (unfold M; apply Rmult_lt_0_compat; lra).
  assert (al4 : 0 < alpha ^ 4) by (apply pow_lt; lra). assert (E2 : 0 < eps ^ 2) by (apply pow_lt; lra). assert (E4 : 0 < eps ^ 4) by (apply pow_lt; lra).
  assert (K2 : 0 < k ^ 2) by (apply pow_lt; lra). assert (B2 : 0 < b ^ 2) by (apply pow_lt; lra).
  assert (O2 : 0 < O ^ 2) by (apply pow_lt; lra). assert (O3 : 0 < O ^ 3) by (apply pow_lt; lra). assert (O4 : 0 < O ^ 4) by (apply pow_lt; lra).
  assert (M2 : M ^ 2 <= m ^ 2) by (apply pow_incr; lra). assert (M3 : M ^ 3 <= m ^ 3) by (apply pow_incr; lra). assert (M4 : M ^ 4 <= m ^ 4) by (apply pow_incr; lra).
  assert (C22 : 1 <= C2 ^ 2) by nra. assert (C24 : C2 ^ 2 <= C2 ^ 4) by (replace (C2 ^ 4) with (C2 ^ 2 * C2 ^ 2) by ring; nra). assert (C23 : C2 <= C2 ^ 3) by (replace (C2 ^ 3) with (C2 * C2 ^ 2) by ring; nra).
  split; [|split].
  - apply Rsqr_incr_0; [| apply Rmult_le_pos; [lra | apply sqrt_pos] | apply Rmult_le_pos; [lra | apply pow2_ge_0]]. unfold Rsqr.
    assert (HP : 0 <= h) by (unfold h; lra).
    replace (128 * 5 * sqrt h * (128 * 5 * sqrt h)) with (409600 * (sqrt h * sqrt h)) by ring. rewrite sqrt_sqrt by auto. unfold h.
    replace (m * a ^ 2 * (m * a ^ 2)) with (m ^ 2 * a ^ 4) by ring. rewrite A4.
    apply Rmult_le_reg_r with (1024 * k ^ 2); [lra|].
    replace (m ^ 2 * (alpha ^ 4 * b ^ 2 / (1024 * k ^ 2)) * (1024 * k ^ 2)) with (m ^ 2 * (alpha ^ 4 * b ^ 2)) by (field; lra).
    assert (AB : 0 < alpha ^ 4 * b ^ 2) by (apply Rmult_lt_0_compat; auto).
    apply Rle_trans with (M ^ 2 * (alpha ^ 4 * b ^ 2)); [|apply Rmult_le_compat_r; lra].
    replace (409600 * (320 * b) * (1024 * k ^ 2)) with (409600 * 320 * 1024 * b * k ^ 2) by ring.
    apply Rle_trans with (409600 * 320 * 1024 * b * (O ^ 2 * alpha ^ 4 * b)); [apply Rmult_le_compat_l; [nra | auto]|].
    replace (409600 * 320 * 1024 * b * (O ^ 2 * alpha ^ 4 * b)) with (409600 * 320 * 1024 * (O ^ 2 * (alpha ^ 4 * b ^ 2))) by ring.
    replace (M ^ 2 * (alpha ^ 4 * b ^ 2)) with (big ^ 2 * (C2 ^ 2 * s ^ 2) * (O ^ 2 * (alpha ^ 4 * b ^ 2))) by (unfold M; ring).
    apply Rmult_le_compat_r; [left; apply Rmult_lt_0_compat; auto|].
    assert (1 <= C2 ^ 2 * s ^ 2) by (assert (1 <= s ^ 2) by nra; nra). unfold big. lra.
  - rewrite A4. apply Rmult_le_reg_r with (1024 * k ^ 2); [lra|].
    replace (m ^ 4 * (alpha ^ 4 * b ^ 2 / (1024 * k ^ 2)) * (1024 * k ^ 2)) with (m ^ 4 * (alpha ^ 4 * b ^ 2)) by (field; lra).
    assert (AB : 0 < alpha ^ 4 * b ^ 2) by (apply Rmult_lt_0_compat; auto).
    apply Rle_trans with (M ^ 4 * (alpha ^ 4 * b ^ 2)); [|apply Rmult_le_compat_r; lra].
    assert (L2 : lambda ^ 2 <= C2 ^ 2 * (s ^ 4 / eps ^ 4)).
    { replace (C2 ^ 2 * (s ^ 4 / eps ^ 4)) with ((C2 * (s * s / eps ^ 2)) ^ 2) by (field; lra). rewrite SS. apply pow_incr; lra. }
    unfold h. replace ((128 * 5) ^ 4 * (320 * b) ^ 3 * lambda ^ 2 * (1024 * k ^ 2)) with (640 ^ 4 * 320 ^ 3 * 1024 * b ^ 2 * (lambda ^ 2 * (b * k ^ 2))) by ring.
    apply Rle_trans with (640 ^ 4 * 320 ^ 3 * 1024 * b ^ 2 * (C2 ^ 2 * (s ^ 4 / eps ^ 4) * (2 * O ^ 4 * alpha ^ 4 * eps ^ 4))).
    { apply Rmult_le_compat_l; [nra|]. apply Rmult_le_compat; auto; [apply pow2_ge_0 | apply Rmult_le_pos; lra]. }
    replace (640 ^ 4 * 320 ^ 3 * 1024 * b ^ 2 * (C2 ^ 2 * (s ^ 4 / eps ^ 4) * (2 * O ^ 4 * alpha ^ 4 * eps ^ 4)))
      with (640 ^ 4 * 320 ^ 3 * 1024 * 2 * C2 ^ 2 * (O ^ 4 * s ^ 4 * (alpha ^ 4 * b ^ 2))) by (field; lra).
    replace (M ^ 4 * (alpha ^ 4 * b ^ 2)) with (big ^ 4 * C2 ^ 4 * (O ^ 4 * s ^ 4 * (alpha ^ 4 * b ^ 2))) by (unfold M; ring).
    apply Rmult_le_compat_r; [left; apply Rmult_lt_0_compat; [apply Rmult_lt_0_compat; [auto | apply pow_lt; lra] | auto]|].
    apply Rle_trans with (640 ^ 4 * 320 ^ 3 * 1024 * 2 * C2 ^ 4); [apply Rmult_le_compat_l; [lra | auto]|].
    apply Rmult_le_compat_r; [lra | unfold big; lra].
  - rewrite A4. apply Rmult_le_reg_r with (1024 * k ^ 2); [lra|].
    replace (m ^ 3 * (alpha ^ 4 * b ^ 2 / (1024 * k ^ 2)) * (1024 * k ^ 2)) with (m ^ 3 * (alpha ^ 4 * b ^ 2)) by (field; lra).
    assert (AB : 0 < alpha ^ 4 * b ^ 2) by (apply Rmult_lt_0_compat; auto).
    apply Rle_trans with (M ^ 3 * (alpha ^ 4 * b ^ 2)); [|apply Rmult_le_compat_r; lra].
    unfold h. replace ((128 * 5) ^ 3 * (320 * b) ^ 2 * lambda * (1024 * k ^ 2)) with (640 ^ 3 * 320 ^ 2 * 1024 * b ^ 2 * (lambda * k ^ 2)) by ring.
    rewrite <- SS in LA.
    apply Rle_trans with (640 ^ 3 * 320 ^ 2 * 1024 * b ^ 2 * (C2 * (s * s / eps ^ 2) * (O ^ 3 * alpha ^ 4 * eps ^ 2))).
    { apply Rmult_le_compat_l; [nra|]. apply Rmult_le_compat; lra. }
    replace (640 ^ 3 * 320 ^ 2 * 1024 * b ^ 2 * (C2 * (s * s / eps ^ 2) * (O ^ 3 * alpha ^ 4 * eps ^ 2)))
      with (640 ^ 3 * 320 ^ 2 * 1024 * C2 * (O ^ 3 * s ^ 2 * (alpha ^ 4 * b ^ 2))) by (field; lra).
    replace (M ^ 3 * (alpha ^ 4 * b ^ 2)) with (big ^ 3 * (C2 ^ 3 * s) * (O ^ 3 * s ^ 2 * (alpha ^ 4 * b ^ 2))) by (unfold M; ring).
    apply Rmult_le_compat_r; [left; apply Rmult_lt_0_compat; [apply Rmult_lt_0_compat; [auto | apply pow_lt; lra] | auto]|].
    apply Rle_trans with (640 ^ 3 * 320 ^ 2 * 1024 * (C2 ^ 3 * s)); [apply Rmult_le_compat_l; [lra | nra]|].
    apply Rmult_le_compat_r; [nra | unfold big; lra].
Qed.

(* ---- the tester on random groups: privacy is that of P_UT, the answer that of independent pools ---- *)
Section Grouped.
Context {Coin X J : Type} (coin : law Coin) (K : Coin -> X -> law J) (G : universe J) (lambda m tau : R).
Hypothesis PC : proper coin.
Hypothesis PK : forall c x, proper (K c x).
Hypothesis H1 : 1 <= size G.
Hypothesis L0 : 0 < lambda.
Hypothesis M0 : 0 < m.
Definition P_grouped : protocol Coin X (J * bool) bool :=
  Protocol (fun _ => coin) (fun n c x => bind (K c x) (R_UT G lambda n)) (fun n _ => A_UT G m tau n).
Lemma grouped_proper : forall n, (0 < n)%nat -> proper (coins P_grouped n) /\ forall c, algorithm (randomizer P_grouped n c) /\ algorithm (analyzer P_grouped n c).
Proof.
  intros n N. split; [exact PC|]. intro c. split; [|intro; apply proper_point].
  intro x. cbn [randomizer P_grouped]. apply proper_bind; [apply PK|]. intro y. apply algorithm_R_UT; auto. lra.
Qed.
Lemma grouped_private : forall eps delta gamma, 0 < eps -> 0 < delta < 1 -> 0 < gamma <= 1 -> 265 / 100 * noise_scale eps delta <= lambda ->
  robustly_shuffle_private P_grouped (2 * eps) (4 * Rpower (delta / 2) gamma) gamma.
Proof.
  intros eps delta gamma HE HD HG HL n honest c Hh Hg. cbn [randomizer P_grouped].
  apply (private_preprocessed (K c) (PK c)); [apply algorithm_R_UT; [lra | lia]|].
  exact (thm_ut_upper_bound_prelim_privacy_sharper_holds _ G eps delta gamma lambda m tau HE HD HG HL n honest tt Hh Hg).
Qed.
Definition pools_say (l : list (nat * (nat * nat))) : bool := negb (lt tau (size G / m * pools_sum (m / size G) l)).
Definition says (D : law X) (T : bool -> bool) (c : Coin) : R := Pr (pools_of G m lambda (bind D (K c))) (fun l => T (pools_say l)).
Definition ideal (D : law X) (T : bool -> bool) : R := E coin (says D T).
Lemma proper_grouped : forall D, proper D -> forall c, proper (pools_of G m lambda (bind D (K c))).
Proof. intros D PD c. apply (pools_of_facts G m lambda H1); auto; try lra. apply proper_bind; auto. Qed.
Lemma bounded_says : forall D T, proper D -> bounded (says D T).
Proof. intros D T PD. apply bounded_01. intro c. apply Pr_01, proper_grouped; auto. Qed.
Lemma ideal_negb : forall D T, proper D -> ideal D (fun b => negb (T b)) = 1 - ideal D T.
Proof.
  intros D T PD. unfold ideal. rewrite <- (E_const coin PC 1), <- E_minus by auto using bounded_const, bounded_says.
  apply E_ext; intro c. apply (Pr_negb _ (fun l => T (pools_say l)) (proper_grouped D PD c)).
Qed.
Theorem grouped_run : forall D T, proper D ->
  Rabs (Pr (bind (poissonized m D) (fun x => execution P_grouped (length x) x)) T - ideal D T) <= exp (- m).
Proof.
  intros D T PD. assert (PD' : forall c, proper (bind D (K c))) by (intro; apply proper_bind; auto).
  assert (PA : forall c, proper (bind (poissonized m (bind D (K c))) (run_UT G lambda m tau))).
  { intro c. apply proper_bind; [apply proper_poissonized; auto; lra | intro; apply proper_run; lra]. }
  assert (Q : Pr (bind (poissonized m D) (fun x => execution P_grouped (length x) x)) T
    = E coin (fun c => Pr (bind (poissonized m (bind D (K c))) (run_UT G lambda m tau)) T)).
  { unfold Pr at 1. unfold P_grouped. rewrite (run_preprocessed coin K (R_UT G lambda) (A_UT G m tau) D m).
    apply E_bind; [auto | intro c; apply (PA c) | apply bounded_indicator]. }
  rewrite Q. unfold ideal.
  assert (B : bounded (fun c => Pr (bind (poissonized m (bind D (K c))) (run_UT G lambda m tau)) T)) by (apply bounded_01; intro; apply Pr_01; auto).
  rewrite <- (E_minus coin PC _ _ B (bounded_says D T PD)). apply E_abs; auto. intro c. apply run_poissonized; auto. lra.
Qed.
(* Both errors on independent pools are at most e. *)
Definition errs_at_most (U : universe X) (alpha e : R) : Prop :=
  ideal (uniform (elements U)) negb <= e /\
  forall D, proper D -> tv_above D (uniform (elements U)) alpha -> ideal D (fun b => b) <= e.
Lemma grouped_tests : forall U alpha e, 1 <= size U -> errs_at_most U alpha e -> e + exp (- m) <= 1 / 3 ->
  tests U alpha (2 / 3) (2 / 3) (poissonized m) (fun x => execution P_grouped (length x) x).
Proof.
  intros U alpha e K1 [FA MI] HE. split.
  - pose proof (uniform_proper U K1) as PU. pose proof (grouped_run _ (fun b => b) PU) as N.
    assert (Q : ideal (uniform (elements U)) negb = _) by apply (ideal_negb _ (fun b => b) PU). apply Rabs_le_between in N. lra.
  - intros D PD FAR. specialize (MI D PD FAR). pose proof (grouped_run D negb PD) as N.
    assert (Q : ideal D negb = _) by apply (ideal_negb D (fun b => b) PD). apply Rabs_le_between in N. lra.
Qed.
End Grouped.
(* Groups on which the tester is private and errs with probability at most 1/5. *)
Definition enough_pools {X} (U : universe X) (eps delta alpha m : R) : Prop :=
  exists (Coin J : Type) (coin : law Coin) (K : Coin -> X -> law J) (G : universe J) (lambda tau : R),
  proper coin /\ (forall c x, proper (K c x)) /\ 1 <= size G /\ 1 <= lambda /\ 265 / 100 * noise_scale eps delta <= lambda /\ 3 <= m /\
  errs_at_most coin K G lambda m tau U alpha (1 / 5).

(* ---- the protocol ---- *)
Section Final.
Context {X : Type} (U : universe X) (r b : nat) (lambda m : R).
Hypothesis R1 : (0 < r)%nat.
Hypothesis RV : INR r = 160.
Hypothesis B1 : (0 < b)%nat.
Hypothesis BK : (b <= length (elements U))%nat.
Hypothesis K1 : 1 <= size U.
Hypothesis L1 : 1 <= lambda.
Hypothesis M0 : 3 <= m.
Let k := size U.
Let V := pool_names r b.
Let G := product V bits.
Let h := size G.
Let cells := all_cells U r b B1.
Let K := to_group U V cells r.
Let tau := tau_of h m lambda 5 (V0 G m lambda).
Lemma b_pos : 1 <= INR b.
Proof. change 1 with (INR 1). apply le_INR. lia. Qed.
Lemma V_size : size V = 160 * INR b.
Proof. unfold V. rewrite size_pools, RV. reflexivity. Qed.
Lemma h_size : h = 320 * INR b.
Proof. unfold h, G. rewrite size_product, V_size, size_bits. ring. Qed.
Lemma V_pos : 0 < size V.
Proof. rewrite V_size. pose proof b_pos. lra. Qed.
Lemma h_1 : 1 <= h.
Proof. rewrite h_size. pose proof b_pos. lra. Qed.
Lemma proper_K : forall c x, proper (K c x).
Proof.
  apply proper_to_group; auto; [apply V_pos | apply cells_each | apply cells_not_many; auto].
Qed.
Let coin := fair_signs (length cells).
Lemma on_uniform : ideal coin K G lambda m tau (uniform (elements U)) negb <= 1 / 5.
Proof.
  pose proof (uniform_proper U K1) as PU. pose proof (proper_fair_signs (length cells)) as PF. fold coin in PF.
  rewrite <- (E_const coin PF (1 / 5)). unfold ideal.
  apply E_le; auto using bounded_const; [apply bounded_says; auto using proper_K, h_1; lra|].
  intro c. unfold says, pools_say.
  assert (SAME : pools_of G m lambda (bind (uniform (elements U)) (K c)) = pools_of G m lambda (uniform (elements G))).
  { unfold pools_of. f_equal. apply map_ext. intro j. rewrite (uniform_chance G) by exact h_1. f_equal.
    apply uniform_to_group; auto; [apply V_pos | apply cells_each | apply cells_not_many; auto]. }
  rewrite SAME. pose proof (false_alarm G m lambda 5 h_1 ltac:(lra) ltac:(lra) ltac:(lra)) as FA. fold h tau in FA.
  rewrite (Pr_ext _ _ (fun l => lt tau (h / m * pools_sum (m / h) l))) by (intro; apply negb_involutive). lra.
Qed.
Lemma on_far : forall alpha a D, 0 < alpha < 1 -> 0 < a < 1 -> a ^ 2 = alpha ^ 2 * INR b / (32 * k) ->
  128 * 5 * sqrt h <= m * a ^ 2 -> (128 * 5) ^ 4 * h ^ 3 * lambda ^ 2 <= m ^ 4 * a ^ 4 -> (128 * 5) ^ 3 * h ^ 2 * lambda <= m ^ 3 * a ^ 4 ->
  proper D -> tv_above D (uniform (elements U)) alpha ->
  ideal coin K G lambda m tau D (fun b => b) <= 1 / 5.
Proof.
  intros alpha a D HA Ha A2 H1 H2 H3 PD FAR. pose proof (proper_fair_signs (length cells)) as PF.
  pose proof (far_spread U D PD K1 alpha ltac:(lra) FAR) as FS. fold k in FS.
  set (W := total (elements U) (fun j => (chance U D j - / k) ^ 2)) in FS.
  assert (K0 : 0 < k) by (unfold k; lra). assert (AL2 : 0 < alpha ^ 2) by (apply pow_lt; lra). assert (M2 : 0 < m ^ 2) by (apply pow_lt; lra).
  assert (WP : 0 < W) by (eapply Rlt_le_trans; [|exact FS]; apply Rdiv_lt_0_compat; lra).
  set (good c := le (INR r * W / 2) (squares V snd (fun z => chance U D (fst z) - / k) cells c)).
  assert (GS : 1 - 16 / INR r <= Pr (fair_signs (length cells)) good).
  { apply (good_signs U V cells r R1 (cells_each U r b B1) (cells_once U r b B1) D PD WP). }
  rewrite RV in GS.
  assert (GOOD : forall c, good c = true -> says K G lambda m tau D (fun b => b) c <= 1 / 11).
  { intros c Q. unfold good, le in Q. destruct (Rle_dec _ _) as [S|S]; [clear Q | discriminate].
    pose proof (spread_to_group U V cells r K1 R1 V_pos (cells_each U r b B1) (cells_not_many U r b R1 B1 BK) c D m PD) as SP.
    fold k G K in SP. rewrite RV in S, SP.
    assert (HS : 4 * a ^ 2 * m ^ 2 / h <= spread G (bind D (K c)) m).
    { eapply Rle_trans; [|exact SP]. rewrite A2, h_size. pose proof b_pos as BP.
      apply Rle_trans with (m ^ 2 / (32 * 160 ^ 2) * (160 * W / 2)); [|apply Rmult_le_compat_l; [apply Rmult_le_pos; lra | exact S]].
      apply Rle_trans with (m ^ 2 / (32 * 160 ^ 2) * (160 * (4 * alpha ^ 2 / k) / 2)); [right; field; lra|].
      apply Rmult_le_compat_l; [apply Rmult_le_pos; lra | lra]. }
    destruct (enough_samples h m lambda a 5 (spread G (bind D (K c)) m) h_1 ltac:(lra) L1 Ha ltac:(lra) HS H1 H2 H3) as [GAP1 GAP2].
    pose proof (missed G m lambda 5 h_1 ltac:(lra) ltac:(lra) ltac:(lra) (bind D (K c)) (proper_bind _ _ PD (proper_K c)) GAP1 GAP2) as MI.
    unfold says, pools_say. fold h tau in MI |- *. lra. }
  apply Rle_trans with (E coin (fun c => 1 + - (10 / 11) * indicator (good c))).
  - apply E_le; auto; [apply bounded_says; auto using proper_K, h_1; lra | apply bounded_plus; auto using bounded_const, bounded_const_mult, bounded_indicator |].
    intro c. destruct (good c) eqn:Q; cbn [indicator]; [specialize (GOOD c Q); lra|].
    pose proof (Pr_01 _ (proper_grouped K G lambda m proper_K h_1 ltac:(lra) ltac:(lra) D PD c) (fun l => pools_say G m tau l)) as Z. unfold says. lra.
  - rewrite E_plus, E_const, E_mult by auto using bounded_const, bounded_const_mult, bounded_indicator. unfold Pr in GS. fold coin in GS. lra.
Qed.
End Final.

Lemma ln_4 : 1 <= ln 4.
Proof. pose proof Calculus.ln_2_bounds as B. replace 4 with (2 * 2) by ring. rewrite ln_mult by lra. lra. Qed.
Lemma final_pools : forall E0, 0 < E0 -> exists C, forall (X : Type) (U : universe X) (eps delta alpha m : R),
  2 <= size U -> 0 < eps <= E0 -> 0 < delta <= 1 / 2 -> 0 < alpha < 1 -> C * order_final (size U) alpha eps delta <= m ->
  enough_pools U eps delta alpha m.
Proof.
  intros E0 H0. set (C2 := 3 * (E0 + 2) ^ 2). exists (big * C2).
  intros X U eps delta alpha m K2 HE HD HA HM.
  assert (C21 : 1 <= C2) by (unfold C2; nra).
  set (k := size U) in *. set (L := ln (k / delta)).
  assert (KD : 4 <= k / delta).
  { apply Rmult_le_reg_r with delta; [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra. }
  assert (L1 : 1 <= L) by (eapply Rle_trans; [apply ln_4|]; apply Power.ln_le_mono; lra).
  (* lambda *)
  set (lambda := 265 / 100 * noise_scale eps delta).
  pose proof (c2_ge1 eps ltac:(lra)) as CG. pose proof (coth_bound eps E0 HE) as CB.
  assert (LD : 1 <= ln (2 / delta)).
  { eapply Rle_trans; [apply ln_4|]. apply Power.ln_le_mono; [lra|]. apply Rmult_le_reg_r with delta; [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra. }
  assert (LL : ln (2 / delta) <= L).
  { apply Power.ln_le_mono; [apply Rdiv_lt_0_compat; lra|]. unfold Rdiv. apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; lra | lra]. }
  assert (LA1 : 1 <= lambda) by (unfold lambda, noise_scale; nra).
  assert (LA2 : lambda <= C2 * (L / eps ^ 2)).
  { assert (E2 : 0 < eps ^ 2) by (apply pow_lt; lra).
    assert (Q : noise_scale eps delta <= (E0 + 2) ^ 2 / eps ^ 2 * L) by (unfold noise_scale; apply Rmult_le_compat; lra).
    replace (C2 * (L / eps ^ 2)) with (3 * ((E0 + 2) ^ 2 / eps ^ 2 * L)) by (unfold C2; field; lra).
    assert (0 < noise_scale eps delta) by (unfold lambda in LA1; lra). unfold lambda. lra. }
  (* the number of pools *)
  assert (KN : (1 <= length (elements U))%nat) by (apply INR_le; change (INR (length (elements U))) with k; simpl; lra).
  destruct (number_of_pools (length (elements U)) alpha eps KN ltac:(lra) ltac:(lra)) as [OP [O3 [b [HB [Q1 [Q2 Q3]]]]]].
  change (INR (length (elements U))) with k in OP, O3, Q1, Q2, Q3.
  set (O := Rpower k (2 / 3) / (Rpower alpha (4 / 3) * Rpower eps (2 / 3)) + sqrt k / (alpha * eps) + sqrt k / alpha ^ 2) in *.
  change (big * C2 * (O * sqrt L) <= m) in HM.
  assert (BR : 1 <= INR b <= k) by (split; [change 1 with (INR 1) | change k with (INR (length (elements U)))]; apply le_INR; lia).
  destruct (enough_of_order k m lambda alpha eps L (INR b) O C2 ltac:(lra) HA ltac:(lra) L1 BR OP C21 ltac:(lra) Q1 Q2 Q3 HM) as [Ha [A2 [E1 [E2 E3]]]].
  assert (MB : 3 <= m).
  { assert (1 <= O).
    { eapply Rle_trans; [|exact O3]. assert (A2' : 0 < alpha ^ 2) by (apply pow_lt; lra). apply Rmult_le_reg_r with (alpha ^ 2); auto.
      unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. assert (1 <= sqrt k) by (rewrite <- sqrt_1; apply sqrt_le_1_alt; lra). nra. }
    assert (1 <= sqrt L) by (rewrite <- sqrt_1; apply sqrt_le_1_alt; lra). assert (1 <= O * sqrt L) by nra.
    assert (1 <= C2 * (O * sqrt L)) by nra. unfold big in HM. lra. }
  assert (EX : exists r : nat, (0 < r)%nat /\ INR r = 160).
  { exists (Z.to_nat 160). split; [lia|]. rewrite INR_IZR_INZ, Z2Nat.id by lia. reflexivity. }
  destruct EX as [r [R1 RV]].
  assert (B1 : (0 < b)%nat) by lia. assert (K1 : 1 <= size U) by (fold k; lra).
  assert (BK : (b <= length (elements U))%nat) by lia.
  pose proof (h_size r b RV) as HS.
  set (V := pool_names r b). set (G := product V bits). set (cells := all_cells U r b B1).
  exists (list bool), (below r * below b * bool)%type, (fair_signs (length cells)), (to_group U V cells r), G, lambda, (tau_of (size G) m lambda 5 (V0 G m lambda)).
  split; [apply proper_fair_signs|]. split; [apply proper_K; auto|]. split; [change (1 <= size (product (pool_names r b) bits)); rewrite HS; lra|]. split; [auto|].
  split; [apply Rle_refl|]. split; [auto|]. split; [apply on_uniform; auto|]. intros D PD FAR. rewrite <- HS in E1, E2, E3.
  apply (on_far U r b lambda m R1 RV B1 BK K1 LA1 MB alpha (alpha * sqrt (INR b / (32 * k))) D); auto.
Qed.
Theorem thm_ut_app_upper_bound_holds : thm_ut_app_upper_bound.
Proof.
  intros E0 H0. destruct (final_pools E0 H0) as [C POOLS]. exists C, (1 / 2). split; [lra|].
  intros X U eps delta alpha m K2 HE HD HA HM.
  destruct (POOLS X U eps delta alpha m K2 HE HD HA HM) as [Coin [J [coin [K [G [lambda [tau [PC [PK [H1 [L1 [HL [MB ERR]]]]]]]]]]]]].
  exists Coin, (J * bool)%type, (P_grouped coin K G lambda m tau). split; [|split].
  - intros n N. apply grouped_proper; auto; lra.
  - intros gamma HG. apply printed_delta; try lra; [intros n c N; apply grouped_proper; auto; lra | apply grouped_private; auto; lra].
  - apply (grouped_tests coin K G lambda m tau PC PK H1 ltac:(lra) ltac:(lra) U alpha (1 / 5)); auto; [lra|].
    pose proof (exp_small m MB). lra.
Qed.
