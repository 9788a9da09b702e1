(* A certificate for a pool of P_UT, with true Poisson noise, replayed by computation inside Coq.

   A pool of a user's element is (c + N_1, N - c + N_0), N_1 and N_0 independent, Pois(nu) each; a neighbour moves one from
   the zeros to the ones.  With weights w_i = nu^i/i! and tails t_x = w_x + w_(x+1) + ..., e^(2 nu) delta is at most
   w_0 t_0 + sum over y in 1..M of (w_y t_(x-1) - r w_(y-1) t_x) + t_(M+1) t_0, x = floor(r y) + 1, for every r <= e^eps.
   Proved: if whole numbers around the weights say that this is at most (c/d) t_0^2, the pool is (eps, c/d)-private. *)
From Coq Require Import Reals ZArith Lra Lia List Bool.
From Coquelicot Require Import Rbar Lim_seq.
From PanshuffleKernel Require Law ExpBound.
From PanshuffleKernel Require Import Countable Privacy Masses Model Poisson PoissonPools Means Statistic Section4Privacy.
From PanshuffleKernel Require Import Paper.
Import ListNotations.
Open Scope R_scope.

(* ---- the bound, for real numbers ---- *)
Section Bound.
Variables nu r : R.
Hypothesis nu_pos : 0 < nu.
Hypothesis r_pos : 0 < r.
Let p := poisson nu.
Let P : proper (Pois nu) := proper_Pois nu (Rlt_le _ _ nu_pos).
Lemma p_pos : forall i, 0 < p i.
Proof.
  intro i. unfold p, poisson. apply Rmult_lt_0_compat; [apply exp_pos|]. apply Rdiv_lt_0_compat; [apply pow_lt; auto | apply fact_pos].
Qed.
Definition tail (x : nat) : R := Pr (Pois nu) (Nat.leb x).
Lemma tail_01 : forall x, 0 <= tail x <= 1.
Proof. intro; apply Pr_01; auto. Qed.

(* One row: tests g of the number of ones, against the best one. *)
Section Row.
Variables (y : nat) (x : nat) (g : nat -> R).
Hypothesis y_pos : (0 < y)%nat.
Hypothesis x_above : forall i, (x <= i)%nat -> r * INR y <= INR i.
Hypothesis x_below : forall i, (i < x)%nat -> INR i <= r * INR y.
Hypothesis x_pos : (0 < x)%nat.
Hypothesis g_01 : forall i, 0 <= g i <= 1.
Let k (i : nat) : R := indicator (Nat.leb x i) - g i.
Lemma k_bounded : bounded k.
Proof. apply bounded_minus; [apply bounded_indicator | apply bounded_01; auto]. Qed.
Lemma k_sign : forall i, 0 <= (INR i - r * INR y) * k i.
Proof.
  intro i. unfold k. specialize (g_01 i). destruct (Nat.leb x i) eqn:Q; simpl indicator.
  - apply Nat.leb_le in Q. specialize (x_above i Q). apply Rmult_le_pos; lra.
  - apply Nat.leb_gt in Q. specialize (x_below i Q). nra.
Qed.
Lemma row_best : p y * E (Pois nu) (fun i => g (S i)) - r * p (y - 1) * E (Pois nu) g <= p y * tail (x - 1) - r * p (y - 1) * tail x.
Proof.
  assert (Y0 : 0 < INR y) by (apply lt_0_INR; auto).
  assert (PY : p y = nu / INR y * p (y - 1)).
  { destruct y as [|z]; [lia|]. simpl (S z - 1)%nat. rewrite Nat.sub_0_r. pose proof (poisson_step nu z) as ST. fold p in ST.
    apply Rmult_eq_reg_r with (INR (S z)); [|lra]. rewrite ST. field. lra. }
  assert (KS : bounded (fun i => k (S i))) by (apply (bounded_comp S k k_bounded)).
  assert (LIM : 0 <= p y * E (Pois nu) (fun i => k (S i)) - r * p (y - 1) * E (Pois nu) k).
  { assert (L1 := E_limit (Pois nu) P (fun i => k (S i)) KS). assert (L2 := E_limit (Pois nu) P k k_bounded).
    apply (limit_ge_from (fun N => p y * sum_over (Pois nu N) (fun i => k (S i)) - r * p (y - 1) * sum_over (Pois nu N) k) _ 0 x).
    - intros N HN. pose proof (p_pos (y - 1)) as PP.
      assert (ST : p y * sum_over (Pois nu N) (fun i => k (S i)) = p (y - 1) / INR y * sum_over (Pois nu (S N)) (fun i => INR i * k i)).
      { rewrite slice_step, PY. field. lra. }
      rewrite ST.
      assert (SP : sum_over (Pois nu (S N)) (fun i => r * k i) = sum_over (Pois nu N) (fun i => r * k i) + p N * (r * k N)).
      { unfold Pois. rewrite seq_S, map_app, Law.E_app. simpl. fold p. unfold p. ring. }
      assert (KN : 0 <= k N) by (unfold k; replace (Nat.leb x N) with true by (symmetry; apply Nat.leb_le; lia); specialize (g_01 N); simpl; lra).
      assert (POS : 0 <= sum_over (Pois nu (S N)) (fun i => / INR y * ((INR i - r * INR y) * k i))).
      { apply table_nonneg; [apply slice_nonneg; auto|]. intro i. apply Rmult_le_pos; [left; apply Rinv_0_lt_compat; auto | apply k_sign]. }
      rewrite (table_ext _ _ (fun i => / INR y * (INR i * k i) + (-1) * (r * k i))) in POS by (intro i; field; lra).
      rewrite Law.E_plus, Law.E_mult, Law.E_mult, SP, Law.E_mult in POS. pose proof (p_pos N).
      assert (0 <= p N * (r * k N)) by (apply Rmult_le_pos; [lra | apply Rmult_le_pos; lra]).
      set (A := sum_over (Pois nu (S N)) (fun i => INR i * k i)) in *. set (B := sum_over (Pois nu N) k) in *.
      replace (p (y - 1) / INR y * A - r * p (y - 1) * B) with (p (y - 1) * (/ INR y * A - r * B)) by (field; lra).
      apply Rmult_le_pos; lra.
    - apply is_lim_seq_minus'; [apply (is_lim_seq_scal_l _ (p y) (Finite _)) in L1; exact L1 | apply (is_lim_seq_scal_l _ (r * p (y - 1)) (Finite _)) in L2; exact L2]. }
  assert (G1 : bounded g) by (apply bounded_01; auto). assert (G2 : bounded (fun i => g (S i))) by (apply (bounded_comp S g G1)).
  assert (E1 : E (Pois nu) (fun i => k (S i)) = tail (x - 1) - E (Pois nu) (fun i => g (S i))).
  { unfold k. rewrite E_minus by (auto; apply (bounded_indicator (fun i => Nat.leb x (S i)))). f_equal. apply E_ext; intro i. f_equal.
    apply eq_true_iff_eq. rewrite !Nat.leb_le. lia. }
  assert (E2 : E (Pois nu) k = tail x - E (Pois nu) g) by (unfold k; rewrite E_minus by (auto; apply bounded_indicator); reflexivity).
  rewrite E1, E2 in LIM. lra.
Qed.
End Row.

(* All rows: y up to M, and the rest. *)
Definition cut (y : nat) : nat := S (Z.to_nat (Int_part (r * INR y))).
Fixpoint rows (M : nat) : R :=
  match M with O => 0 | S y => rows y + (p (S y) * tail (cut (S y) - 1) - r * p y * tail (cut (S y))) end.
Lemma cut_spec : forall y, (forall i, (cut y <= i)%nat -> r * INR y <= INR i) /\ (forall i, (i < cut y)%nat -> INR i <= r * INR y).
Proof.
  intro y. unfold cut. pose proof (pos_INR y) as Y0. assert (Z0 : 0 <= r * INR y) by (apply Rmult_le_pos; lra).
  destruct (base_Int_part (r * INR y)) as [B1 B2].
  assert (I0 : (0 <= Int_part (r * INR y))%Z). { assert (-1 < Int_part (r * INR y))%Z; [|lia]. apply lt_IZR. lra. }
  assert (Q : INR (Z.to_nat (Int_part (r * INR y))) = IZR (Int_part (r * INR y))) by (rewrite INR_IZR_INZ, Z2Nat.id by auto; auto).
  split; intros i H.
  - apply le_INR in H. rewrite S_INR, Q in H. lra.
  - assert ((i <= Z.to_nat (Int_part (r * INR y)))%nat) by lia. apply le_INR in H0. rewrite Q in H0. lra.
Qed.
Theorem pool_bound : forall M (g : nat -> nat -> R), (forall a b, 0 <= g a b <= 1) ->
  E (Pois nu) (fun j => E (Pois nu) (fun i => g (S i) j)) - r * E (Pois nu) (fun j => E (Pois nu) (fun i => g i (S j)))
  <= p 0 + rows M + tail (S M).
Proof.
  intros M g G. set (F1 := fun j => E (Pois nu) (fun i => g (S i) j)). set (F2 := fun j => E (Pois nu) (fun i => g i j)).
  assert (R1 : forall j, 0 <= F1 j <= 1) by (intro; apply E_range; auto). assert (R2 : forall j, 0 <= F2 j <= 1) by (intro; apply E_range; auto).
  change (E (Pois nu) F1 - r * E (Pois nu) (fun j => F2 (S j)) <= p 0 + rows M + tail (S M)).
  assert (L1 := E_limit (Pois nu) P F1 (bounded_01 _ R1)). assert (L2 := E_limit (Pois nu) P (fun j => F2 (S j)) (bounded_01 _ (fun j => R2 (S j)))).
  assert (ROW : forall y, (0 < y)%nat -> p y * F1 y - r * p (y - 1) * F2 y <= p y * tail (cut y - 1) - r * p (y - 1) * tail (cut y)).
  { intros y Y. destruct (cut_spec y) as [C1 C2]. apply (row_best y (cut y) (fun i => g i y)); auto. unfold cut; lia. }
  (* truncated at N > M *)
  assert (FIN : forall n, sum_over (Pois nu (S n)) F1 - r * sum_over (Pois nu (S n)) (fun j => F2 (S j)) + r * p n * F2 (S n)
     = p 0%nat * F1 0%nat + (fix s (k : nat) := match k with O => 0 | S y => s y + (p (S y) * F1 (S y) - r * p y * F2 (S y)) end) n).
  { induction n as [|n IH].
    - unfold Pois. simpl. unfold p. ring.
    - assert (SP : forall f, sum_over (Pois nu (S (S n))) f = sum_over (Pois nu (S n)) f + p (S n) * f (S n)).
      { intro f. unfold Pois. rewrite (seq_S (S n)), map_app, Law.E_app. simpl. fold p. unfold p. ring. }
      rewrite !SP. cbn [Nat.add]. set (q := (fix s (k : nat) := match k with O => 0 | S y => s y + (p (S y) * F1 (S y) - r * p y * F2 (S y)) end)) in *.
      change (q (S n)) with (q n + (p (S n) * F1 (S n) - r * p n * F2 (S n))). lra. }
  set (q := (fix s (k : nat) := match k with O => 0 | S y => s y + (p (S y) * F1 (S y) - r * p y * F2 (S y)) end)) in *.
  assert (P00 : p 0%nat * F1 0%nat <= p 0%nat) by (specialize (R1 O); pose proof (p_pos 0%nat); nra).
  assert (QB : forall n, q (M + n)%nat <= rows M + (sum_over (Pois nu (S (M + n))) (fun i => indicator (Nat.leb (S M) i)))).
  { assert (Q0 : forall n, q n <= rows n).
    { induction n as [|n IH]; [simpl; lra|]. change (q (S n)) with (q n + (p (S n) * F1 (S n) - r * p n * F2 (S n))).
      cbn [rows]. specialize (ROW (S n) ltac:(lia)). replace (S n - 1)%nat with n in ROW by lia. lra. }
    induction n as [|n IH].
    - rewrite Nat.add_0_r. specialize (Q0 M). assert (0 <= sum_over (Pois nu (S M)) (fun i => indicator (Nat.leb (S M) i))); [|lra].
      apply table_nonneg; [apply slice_nonneg; auto | intro i; destruct (Nat.leb (S M) i); simpl; lra].
    - rewrite Nat.add_succ_r. change (q (S (M + n))) with (q (M + n)%nat + (p (S (M + n)) * F1 (S (M + n)) - r * p (M + n)%nat * F2 (S (M + n)))).
      assert (SP : sum_over (Pois nu (S (S (M + n)))) (fun i => indicator (Nat.leb (S M) i)) = sum_over (Pois nu (S (M + n))) (fun i => indicator (Nat.leb (S M) i)) + p (S (M + n))).
      { unfold Pois. rewrite (seq_S (S (M + n))), map_app, Law.E_app. cbn [map sum_over Nat.add]. fold p.
        replace (Nat.leb (S M) (S (M + n))) with true by (symmetry; apply Nat.leb_le; lia). simpl indicator. unfold p. ring. }
      rewrite SP. pose proof (p_pos (S (M + n))). pose proof (p_pos (M + n)). specialize (R1 (S (M + n))). specialize (R2 (S (M + n))).
      assert (p (S (M + n)) * F1 (S (M + n)) <= p (S (M + n)) * 1) by (apply Rmult_le_compat_l; lra).
      assert (0 <= r * p (M + n)%nat * F2 (S (M + n))) by (apply Rmult_le_pos; [apply Rmult_le_pos; lra | lra]). lra. }
  apply (limit_le_const (fun n => sum_over (Pois nu (S (M + n))) F1 - r * sum_over (Pois nu (S (M + n))) (fun j => F2 (S j)))).
  - intro n. specialize (FIN (M + n)%nat). specialize (QB n). pose proof (p_pos (M + n)). specialize (R2 (S (M + n))).
    assert (0 <= r * p (M + n)%nat * F2 (S (M + n))) by (apply Rmult_le_pos; [apply Rmult_le_pos; lra | lra]).
    assert (sum_over (Pois nu (S (M + n))) (fun i => indicator (Nat.leb (S M) i)) <= tail (S M)).
    { apply (slice_le_E (Pois nu) P (fun i => indicator (Nat.leb (S M) i))); [intro i; destruct (Nat.leb (S M) i); simpl; lra | apply bounded_indicator]. }
    lra.
  - apply is_lim_seq_minus'.
    + apply (is_lim_seq_incr_n (fun N => sum_over (Pois nu N) F1) (S M)) in L1. eapply is_lim_seq_ext; [|exact L1]. intro n. cbv beta. f_equal. f_equal. lia.
    + apply (is_lim_seq_incr_n (fun N => sum_over (Pois nu N) (fun j => F2 (S j))) (S M)) in L2. apply (is_lim_seq_scal_l _ r (Finite _)) in L2.
      eapply is_lim_seq_ext; [|exact L2]. intro n. cbv beta. f_equal. f_equal. f_equal. lia.
Qed.
End Bound.

(* ---- whole numbers around the weights ---- *)
Definition weight (nu : R) (i : nat) : R := nu ^ i / INR (fact i).
Fixpoint weights (u w : Z) (i : Z) (n : nat) (low high : Z) : list (Z * Z) :=
  (low, high) :: match n with
                 | O => []
                 | S n => weights u w (i + 1) n (low * u / (w * (i + 1))) (- ((- (high * u)) / (w * (i + 1))))
                 end%Z.
Fixpoint suffixes (l : list (Z * Z)) : list (Z * Z) :=
  match l with
  | [] => [(0, 0)]
  | (a, b) :: l => let t := suffixes l in let '(c, d) := hd (0, 0) t in (a + c, b + d) :: t
  end%Z.
Definition pick (l : list (Z * Z)) (j : nat) : Z * Z := nth j l (0, 0)%Z.
(* The rows y = 1, ..., M, times b and the square of the scale, from above. *)
Fixpoint row_sum (ws ts : list (Z * Z)) (rho a b : Z) (M : nat) : Z :=
  match M with
  | O => 0
  | S y => let x := Z.to_nat (a * Z.of_nat (S y) / b) in
           row_sum ws ts rho a b y + (b * snd (pick ws (S y)) * (snd (pick ts x) + rho) - a * fst (pick ws y) * fst (pick ts (S x)))
  end%Z.
(* nu = u/w, e^eps >= a/b, delta = c/d; the weights 0, ..., M + 1. *)
Definition accepts_pool (one u w : Z) (M : nat) (a b c d : Z) : bool :=
  (let ws := weights u w 0 (S M) one one in let ts := suffixes ws in let rho := 2 * snd (pick ws (S M)) in
   let all := snd (pick ts 0) + rho in
   (0 <? one) && (0 <? u) && (0 <? w) && (0 <? a) && (0 <? b) && (0 <=? c) && (0 <? d) && (2 * u <=? w * Z.of_nat (S (S M))) &&
   (d * (b * snd (pick ws 0) * all + row_sum ws ts rho a b M + b * rho * all) <=? c * b * (fst (pick ts 0) * fst (pick ts 0))))%Z.

Section Sound.
Variables one u w : Z.
Variable M : nat.
Hypothesis one_pos : (0 < one)%Z.
Hypothesis u_pos : (0 < u)%Z.
Hypothesis w_pos : (0 < w)%Z.
Let nu := IZR u / IZR w.
Let s := IZR one.
Hypothesis enough_terms : (2 * u <= w * Z.of_nat (S (S M)))%Z.
Lemma nu_positive : 0 < nu.
Proof. unfold nu. apply Rdiv_lt_0_compat; apply IZR_lt; auto. Qed.
Lemma weight_step : forall i, weight nu (S i) = weight nu i * (nu / INR (S i)).
Proof.
  intro i. unfold weight. change (fact (S i)) with (S i * fact i)%nat. rewrite mult_INR. pose proof (fact_pos i). assert (0 < INR (S i)) by (apply lt_0_INR; lia).
  simpl pow. field. lra.
Qed.
Lemma weight_pos : forall i, 0 < weight nu i.
Proof. intro i. unfold weight. apply Rdiv_lt_0_compat; [apply pow_lt, nu_positive | apply fact_pos]. Qed.
Definition encloses (lh : Z * Z) (x : R) : Prop := (0 <= fst lh)%Z /\ IZR (fst lh) <= s * x <= IZR (snd lh).
Lemma div_below : forall a b, (0 < b)%Z -> IZR (a / b) <= IZR a / IZR b.
Proof.
  intros a b B. pose proof (IZR_lt _ _ B). apply Rmult_le_reg_r with (IZR b); auto. unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
  rewrite <- mult_IZR. apply IZR_le. rewrite Z.mul_comm. apply Z.mul_div_le; auto.
Qed.
Lemma weights_enclose : forall n i low high, encloses (low, high) (weight nu i) ->
  forall j, (j <= n)%nat -> encloses (pick (weights u w (Z.of_nat i) n low high) j) (weight nu (i + j)).
Proof.
  induction n as [|n IH]; intros i low high H j J.
  - replace j with O by lia. rewrite Nat.add_0_r. exact H.
  - destruct j as [|j]; [rewrite Nat.add_0_r; exact H|].
    change (pick (weights u w (Z.of_nat i) (S n) low high) (S j))
      with (pick (weights u w (Z.of_nat i + 1) n (low * u / (w * (Z.of_nat i + 1))) (- ((- (high * u)) / (w * (Z.of_nat i + 1))))) j).
    replace (i + S j)%nat with (S i + j)%nat by lia. replace (Z.of_nat i + 1)%Z with (Z.of_nat (S i)) by lia.
    apply IH; [|lia]. destruct H as [H0 [H1 H2]]. cbn [fst snd] in *.
    assert (B : (0 < w * Z.of_nat (S i))%Z) by nia. pose proof (IZR_lt _ _ B) as BR.
    pose proof (IZR_lt _ _ u_pos) as UR. pose proof (IZR_lt _ _ w_pos) as WR. assert (SI : 0 < INR (S i)) by (apply lt_0_INR; lia).
    assert (ST : s * weight nu (S i) = s * weight nu i * (IZR u / IZR (w * Z.of_nat (S i)))).
    { rewrite weight_step. unfold nu. rewrite mult_IZR, <- INR_IZR_INZ. field. lra. }
    assert (FU : 0 < IZR u / IZR (w * Z.of_nat (S i))) by (apply Rdiv_lt_0_compat; auto).
    unfold encloses. cbn [fst snd]. rewrite ST. split; [apply Z.div_pos; nia|]. split.
    + eapply Rle_trans; [apply div_below; auto|]. rewrite mult_IZR. unfold Rdiv. rewrite Rmult_assoc. apply Rmult_le_compat_r; [left; exact FU | auto].
    + rewrite opp_IZR. pose proof (div_below (- (high * u)) (w * Z.of_nat (S i)) B) as DB. rewrite opp_IZR, mult_IZR in DB.
      apply Rle_trans with (IZR high * (IZR u / IZR (w * Z.of_nat (S i)))); [apply Rmult_le_compat_r; lra|]. unfold Rdiv in *. lra.
Qed.
Let ws := weights u w 0 (S M) one one.
Let ts := suffixes ws.
Let rho := (2 * snd (pick ws (S M)))%Z.
Lemma ws_enclose : forall j, (j <= S M)%nat -> encloses (pick ws j) (weight nu j).
Proof.
  intros j J. unfold ws. change 0%Z with (Z.of_nat 0). apply (weights_enclose (S M) 0 one one); auto.
  unfold encloses, weight. cbn [fst snd]. simpl. fold s. split; [lia | split; right; field].
Qed.
Lemma ws_length : length ws = S (S M).
Proof.
  unfold ws. generalize (S M) as n. intro n. generalize 0%Z at 1. generalize one at 1 as low. generalize one as high. induction n; intros high low i; simpl; [auto | rewrite IHn; auto].
Qed.

(* ---- tails ---- *)
Definition scaled_tail (x : nat) : R := exp nu * tail nu x.
Lemma tail_step : forall x, scaled_tail x = weight nu x + scaled_tail (S x).
Proof.
  intro x. pose proof (proper_Pois nu (Rlt_le _ _ nu_positive)) as P. unfold scaled_tail.
  assert (T : tail nu x = poisson nu x + tail nu (S x)).
  { rewrite <- mass_Pois. unfold tail, mass, Pr. rewrite <- E_plus by (auto using bounded_indicator). apply E_ext; intro i. unfold is.
    destruct (decide (x = i)) as [Q|Q].
    - subst. rewrite Nat.leb_refl. replace (Nat.leb (S i) i) with false by (symmetry; apply Nat.leb_gt; lia). simpl; ring.
    - destruct (Nat.leb x i) eqn:A, (Nat.leb (S x) i) eqn:B; simpl; try ring.
      + apply Nat.leb_le in A. apply Nat.leb_gt in B. lia.
      + apply Nat.leb_gt in A. apply Nat.leb_le in B. lia. }
  rewrite T. unfold poisson, weight. rewrite Rmult_plus_distr_l. f_equal. rewrite <- Rmult_assoc, <- exp_plus. replace (nu + - nu) with 0 by ring. rewrite exp_0. ring.
Qed.
Lemma tail_pos : forall x, 0 <= scaled_tail x.
Proof. intro x. unfold scaled_tail. apply Rmult_le_pos; [left; apply exp_pos | apply tail_01, nu_positive]. Qed.
Lemma tail_anti : forall x y, (x <= y)%nat -> scaled_tail y <= scaled_tail x.
Proof.
  intros x y H. induction H as [|y H IH]; [lra|]. pose proof (tail_step y). pose proof (weight_pos y). lra.
Qed.
Lemma tail_half : scaled_tail (S (S M)) <= scaled_tail (S M) / 2.
Proof.
  set (L := S M). pose proof (proper_Pois nu (Rlt_le _ _ nu_positive)) as P. unfold scaled_tail.
  assert (H : tail nu (S L) <= / 2 * tail nu L); [|pose proof (exp_pos nu); nra].
  assert (B1 : bounded (fun i => indicator (Nat.leb (S L) i))) by apply bounded_indicator. assert (B2 : bounded (fun i => indicator (Nat.leb L i))) by apply bounded_indicator.
  assert (L1 := E_limit (Pois nu) P _ B1). assert (L2 := E_limit (Pois nu) P _ B2).
  apply (is_lim_seq_incr_1 (fun N => sum_over (Pois nu N) (fun i => indicator (Nat.leb (S L) i)))) in L1.
  apply (is_lim_seq_scal_l _ (/ 2) (Finite _)) in L2.
  refine (limit_le _ _ _ _ _ L1 L2). intro N.
  assert (HALF : forall i, (L <= i)%nat -> poisson nu (S i) <= / 2 * poisson nu i).
  { intros i I. pose proof (poisson_step nu i) as ST. assert (SI : 0 < INR (S i)) by (apply lt_0_INR; lia).
    assert (LI : 2 * nu <= INR (S i)).
    { apply Rle_trans with (INR (S L)); [|apply le_INR; lia]. unfold nu, L. pose proof (IZR_lt _ _ w_pos) as WR.
      apply Rmult_le_reg_r with (IZR w); auto. replace (2 * (IZR u / IZR w) * IZR w) with (2 * IZR u) by (field; lra).
      rewrite INR_IZR_INZ, <- !mult_IZR. apply IZR_le. lia. }
    assert (0 <= poisson nu i) by (apply poisson_nonneg; pose proof nu_positive; lra).
    apply Rmult_le_reg_r with (INR (S i)); auto. rewrite ST. nra. }
  induction N as [|N IH].
  - unfold Pois. simpl. replace (Nat.leb (S L) 0) with false by auto. simpl. lra.
  - assert (SP : forall n f, sum_over (Pois nu (S n)) f = sum_over (Pois nu n) f + poisson nu n * f n).
    { intros n f. unfold Pois. rewrite seq_S, map_app, Law.E_app. simpl. ring. }
    rewrite (SP (S N)), (SP N (fun i => indicator (Nat.leb L i))). change (Nat.leb (S L) (S N)) with (Nat.leb L N).
    destruct (Nat.leb L N) eqn:Q; cbn [indicator]; [apply Nat.leb_le in Q; specialize (HALF N Q); lra | lra].
Qed.
Lemma tail_end : s * scaled_tail (S M) <= IZR rho.
Proof.
  pose proof (tail_step (S M)) as T. pose proof tail_half as H. destruct (ws_enclose (S M) (le_n _)) as [_ [_ W]].
  unfold rho. rewrite mult_IZR. assert (scaled_tail (S M) <= 2 * weight nu (S M)) by lra.
  assert (0 < s) by (apply IZR_lt; auto). nra.
Qed.
Lemma pick_over : forall l j, (length l <= j)%nat -> pick l j = (0, 0)%Z.
Proof. intros. unfold pick. apply nth_overflow. auto. Qed.
Lemma suffixes_length : forall l, length (suffixes l) = S (length l).
Proof. induction l as [|[a b] l IH]; [reflexivity|]. cbn [suffixes]. destruct (hd (0, 0)%Z (suffixes l)). cbn [length]. rewrite IH. reflexivity. Qed.
Lemma suffixes_pick : forall l j, (j < length l)%nat ->
  pick (suffixes l) j = ((fst (pick l j) + fst (pick (suffixes l) (S j)))%Z, (snd (pick l j) + snd (pick (suffixes l) (S j)))%Z).
Proof.
  induction l as [|[a b] l IH]; intros j J; [simpl in J; lia|]. cbn [suffixes]. destruct (suffixes l) as [|[c d] t] eqn:Q; [pose proof (suffixes_length l) as SL; rewrite Q in SL; discriminate|].
  cbn [hd]. destruct j as [|j]; [reflexivity|]. specialize (IH j ltac:(simpl in J; lia)). unfold pick in *. cbn [nth] in *. rewrite IH. reflexivity.
Qed.
Lemma ts_enclose : forall x, (0 <= fst (pick ts x))%Z /\ IZR (fst (pick ts x)) <= s * scaled_tail x /\ s * scaled_tail x <= IZR (snd (pick ts x) + rho).
Proof.
  assert (S0 : 0 < s) by (apply IZR_lt; auto).
  assert (FAR : forall x, (S (S M) <= x)%nat -> (0 <= fst (pick ts x))%Z /\ IZR (fst (pick ts x)) <= s * scaled_tail x /\ s * scaled_tail x <= IZR (snd (pick ts x) + rho)).
  { intros x X. assert (Z : pick ts x = (0, 0)%Z).
    { destruct (Nat.eq_dec x (S (S M))) as [E|E].
      - subst x. unfold ts. pose proof ws_length as WL. clear -WL. revert WL. generalize (S (S M)). generalize ws. intro ll.
        induction ll as [|[a b] l IH]; intros n L; [simpl in L; subst; reflexivity|]. destruct n as [|n]; [discriminate|]. cbn [suffixes]. destruct (hd (0, 0)%Z (suffixes l)).
        unfold pick. cbn [nth]. apply IH. simpl in L. lia.
      - apply pick_over. unfold ts. rewrite suffixes_length, ws_length. lia. }
    rewrite Z. cbn [fst snd]. split; [lia|]. split; [simpl; apply Rmult_le_pos; [lra | apply tail_pos]|].
    rewrite Z.add_0_l. eapply Rle_trans; [|apply tail_end]. apply Rmult_le_compat_l; [lra|]. apply tail_anti. lia. }
  intro x. destruct (le_lt_dec (S (S M)) x) as [X|X]; [apply FAR; auto|].
  remember (S (S M) - x)%nat as n eqn:N. revert x X N. induction n as [|n IH]; intros x X N; [lia|].
  assert (NEXT : (0 <= fst (pick ts (S x)))%Z /\ IZR (fst (pick ts (S x))) <= s * scaled_tail (S x) /\ s * scaled_tail (S x) <= IZR (snd (pick ts (S x)) + rho)).
  { destruct (le_lt_dec (S (S M)) (S x)) as [Y|Y]; [apply FAR; auto | apply IH; lia]. }
  destruct NEXT as [N1 [N2 N3]]. destruct (ws_enclose x ltac:(lia)) as [W1 [W2 W3]].
  unfold ts in *. rewrite suffixes_pick by (rewrite ws_length; lia). cbn [fst snd]. rewrite tail_step, Rmult_plus_distr_l. split; [lia|].
  split; [rewrite plus_IZR; lra|]. rewrite !plus_IZR in *. lra.
Qed.

Variables a b c d : Z.
Hypothesis a_pos : (0 < a)%Z.
Hypothesis b_pos : (0 < b)%Z.
Let r := IZR a / IZR b.
Lemma r_positive : 0 < r.
Proof. unfold r. apply Rdiv_lt_0_compat; apply IZR_lt; auto. Qed.
Lemma cut_floor : forall y, cut r y = S (Z.to_nat (a * Z.of_nat y / b)).
Proof.
  intro y. unfold cut. f_equal. f_equal. pose proof (IZR_lt _ _ b_pos) as BR.
  assert (RY : r * INR y = IZR (a * Z.of_nat y) / IZR b) by (unfold r; rewrite mult_IZR, <- INR_IZR_INZ; field; lra). rewrite RY.
  set (z := (a * Z.of_nat y)%Z). destruct (base_Int_part (IZR z / IZR b)) as [B1 B2]. pose proof (Z.mod_pos_bound z b b_pos) as MB. pose proof (Z.div_mod z b ltac:(lia)) as DM.
  assert (L1 : IZR (Int_part (IZR z / IZR b)) * IZR b <= IZR z).
  { apply Rmult_le_reg_r with (/ IZR b); [apply Rinv_0_lt_compat; auto|]. rewrite Rmult_assoc, Rinv_r, Rmult_1_r by lra. exact B1. }
  assert (L2 : IZR z < (IZR (Int_part (IZR z / IZR b)) + 1) * IZR b).
  { apply Rmult_lt_reg_r with (/ IZR b); [apply Rinv_0_lt_compat; auto|]. rewrite Rmult_assoc, Rinv_r, Rmult_1_r by lra. unfold Rdiv in *. lra. }
  set (f := Int_part (IZR z / IZR b)) in *. rewrite <- mult_IZR in L1. apply le_IZR in L1. rewrite <- plus_IZR, <- mult_IZR in L2. apply lt_IZR in L2. nia.
Qed.
Lemma rows_enclosed : forall n, (n <= M)%nat -> IZR b * (s * s * (exp nu * exp nu)) * rows nu r n <= IZR (row_sum ws ts rho a b n).
Proof.
  pose proof (IZR_lt _ _ b_pos) as BR. pose proof (IZR_lt _ _ a_pos) as AR. assert (S0 : 0 < s) by (apply IZR_lt; auto).
  assert (PW : forall i, exp nu * poisson nu i = weight nu i).
  { intro i. unfold poisson, weight. rewrite <- Rmult_assoc, <- exp_plus. replace (nu + - nu) with 0 by ring. rewrite exp_0. ring. }
  induction n as [|y IH]; intro N; [simpl; lra|]. specialize (IH ltac:(lia)). cbn [rows row_sum]. rewrite cut_floor.
  set (x := Z.to_nat (a * Z.of_nat (S y) / b)). replace (S x - 1)%nat with x by lia.
  destruct (ws_enclose (S y) ltac:(lia)) as [W1 [W2 W3]]. destruct (ws_enclose y ltac:(lia)) as [V1 [V2 V3]].
  destruct (ts_enclose x) as [T1 [T2 T3]]. destruct (ts_enclose (S x)) as [U1 [U2 U3]].
  rewrite plus_IZR, minus_IZR, !mult_IZR.
  replace (IZR b * (s * s * (exp nu * exp nu)) * (rows nu r y + (poisson nu (S y) * tail nu x - r * poisson nu y * tail nu (S x))))
    with (IZR b * (s * s * (exp nu * exp nu)) * rows nu r y
      + (IZR b * (s * (exp nu * poisson nu (S y))) * (s * (exp nu * tail nu x)) - IZR b * r * (s * (exp nu * poisson nu y)) * (s * (exp nu * tail nu (S x))))) by ring.
  rewrite !PW. fold (scaled_tail x). fold (scaled_tail (S x)).
  replace (IZR b * r) with (IZR a) by (unfold r; field; lra).
  pose proof (weight_pos (S y)) as WP. pose proof (tail_pos x) as TP. apply IZR_le in V1. apply IZR_le in U1.
  assert (A1 : s * weight nu (S y) * (s * scaled_tail x) <= IZR (snd (pick ws (S y))) * IZR (snd (pick ts x) + rho)).
  { apply Rmult_le_compat; auto; apply Rmult_le_pos; lra. }
  assert (A2 : IZR (fst (pick ws y)) * IZR (fst (pick ts (S x))) <= s * weight nu y * (s * scaled_tail (S x))).
  { apply Rmult_le_compat; auto. }
  assert (A3 : IZR b * (s * weight nu (S y) * (s * scaled_tail x)) <= IZR b * (IZR (snd (pick ws (S y))) * IZR (snd (pick ts x) + rho))) by (apply Rmult_le_compat_l; lra).
  assert (A4 : IZR a * (IZR (fst (pick ws y)) * IZR (fst (pick ts (S x)))) <= IZR a * (s * weight nu y * (s * scaled_tail (S x)))) by (apply Rmult_le_compat_l; lra).
  lra.
Qed.
Hypothesis c_pos : (0 <= c)%Z.
Hypothesis d_pos : (0 < d)%Z.
Hypothesis accepted : (d * (b * snd (pick ws 0) * (snd (pick ts 0) + rho) + row_sum ws ts rho a b M + b * rho * (snd (pick ts 0) + rho))
  <= c * b * (fst (pick ts 0) * fst (pick ts 0)))%Z.
Lemma bound_enclosed : poisson nu 0 + rows nu r M + tail nu (S M) <= IZR c / IZR d.
Proof.
  pose proof (IZR_lt _ _ b_pos) as BR. pose proof (IZR_lt _ _ d_pos) as DR. assert (S0 : 0 < s) by (apply IZR_lt; auto). pose proof (exp_pos nu) as EP.
  assert (T0 : tail nu 0 = 1).
  { unfold tail, Pr. rewrite (E_ext _ _ (fun _ => 1)); [apply E_one, proper_Pois; pose proof nu_positive; lra | intro; reflexivity]. }
  assert (ST0 : scaled_tail 0 = exp nu) by (unfold scaled_tail; rewrite T0; ring).
  destruct (ts_enclose 0) as [T1 [T2 T3]]. rewrite ST0 in T2, T3. destruct (ws_enclose 0 ltac:(lia)) as [W1 [W2 W3]].
  pose proof (rows_enclosed M (le_n M)) as RE. pose proof tail_end as TE. unfold scaled_tail in TE.
  apply IZR_le in accepted. rewrite !mult_IZR, !plus_IZR, !mult_IZR, !plus_IZR in accepted. rewrite plus_IZR in T3.
  set (A := IZR (snd (pick ts 0)) + IZR rho) in *. set (Q := IZR (row_sum ws ts rho a b M)) in *.
  assert (P0 : exp nu * poisson nu 0 = weight nu 0) by (unfold poisson, weight; rewrite <- Rmult_assoc, <- exp_plus; replace (nu + - nu) with 0 by ring; rewrite exp_0; ring).
  set (X := s * s * (exp nu * exp nu)). assert (XP : 0 < X) by (unfold X; apply Rmult_lt_0_compat; apply Rmult_lt_0_compat; auto).
  assert (A0 : X * poisson nu 0 <= IZR (snd (pick ws 0)) * A).
  { unfold X. replace (s * s * (exp nu * exp nu) * poisson nu 0) with (s * (exp nu * poisson nu 0) * (s * exp nu)) by ring. rewrite P0.
    apply Rmult_le_compat; auto; apply Rmult_le_pos; try lra. pose proof (weight_pos 0); lra. }
  assert (A1 : X * tail nu (S M) <= IZR rho * A).
  { unfold X. replace (s * s * (exp nu * exp nu) * tail nu (S M)) with (s * (exp nu * tail nu (S M)) * (s * exp nu)) by ring.
    apply Rmult_le_compat; auto; [|apply Rmult_le_pos; lra]. apply Rmult_le_pos; [lra|]. apply Rmult_le_pos; [lra | apply tail_01, nu_positive]. }
  assert (A2 : IZR (fst (pick ts 0)) * IZR (fst (pick ts 0)) <= X).
  { unfold X. replace (s * s * (exp nu * exp nu)) with (s * exp nu * (s * exp nu)) by ring. apply IZR_le in T1. apply Rmult_le_compat; auto. }
  apply Rmult_le_reg_l with (IZR d * IZR b * X); [apply Rmult_lt_0_compat; [apply Rmult_lt_0_compat; auto | auto]|].
  replace (IZR d * IZR b * X * (IZR c / IZR d)) with (IZR c * IZR b * X) by (field; lra).
  apply IZR_le in c_pos. simpl in c_pos.
  assert (A3 : IZR c * IZR b * (IZR (fst (pick ts 0)) * IZR (fst (pick ts 0))) <= IZR c * IZR b * X) by (apply Rmult_le_compat_l; [apply Rmult_le_pos; lra | auto]).
  assert (A4 : IZR b * (X * poisson nu 0) <= IZR b * (IZR (snd (pick ws 0)) * A)) by (apply Rmult_le_compat_l; lra).
  assert (A5 : IZR b * (X * tail nu (S M)) <= IZR b * (IZR rho * A)) by (apply Rmult_le_compat_l; lra).
  assert (A6 : IZR d * (IZR b * X * (poisson nu 0 + rows nu r M + tail nu (S M))) <= IZR d * (IZR b * IZR (snd (pick ws 0)) * A + Q + IZR b * IZR rho * A)) by (apply Rmult_le_compat_l; [lra|]; fold X in RE; lra).
  lra.
Qed.
End Sound.

(* e^(u/w) from above, by the same weights. *)
Definition above_exp (one u w : Z) (M : nat) (a b : Z) : bool :=
  (let ws := weights u w 0 (S M) one one in let rho := 2 * snd (pick ws (S M)) in
   (0 <? one) && (0 <? u) && (0 <? w) && (0 <? b) && (2 * u <=? w * Z.of_nat (S (S M))) && ((snd (pick (suffixes ws) 0) + rho) * b <=? a * one))%Z.
Theorem above_exp_sound : forall one u w M a b, above_exp one u w M a b = true -> exp (IZR u / IZR w) <= IZR a / IZR b.
Proof.
  intros one u w M a b H. unfold above_exp in H. cbv zeta in H. rewrite !andb_true_iff, ?Z.ltb_lt, ?Z.leb_le in H. destruct H as [[[[[H1 H2] H3] H4] H5] H6].
  pose proof (ts_enclose one u w M H1 H2 H3 H5 0) as [_ [_ T]]. pose proof (nu_positive u w H2 H3) as NU.
  assert (ST0 : scaled_tail u w 0 = exp (IZR u / IZR w)).
  { unfold scaled_tail, tail, Pr. rewrite (E_ext _ _ (fun _ => 1)); [|intro; reflexivity]. rewrite E_one by (apply proper_Pois; lra). ring. }
  rewrite ST0 in T. apply IZR_le in H6. rewrite !mult_IZR in H6. apply IZR_lt in H1 as O. apply IZR_lt in H4 as Bp.
  apply Rmult_le_reg_r with (IZR b * IZR one); [apply Rmult_lt_0_compat; auto|]. replace (IZR a / IZR b * (IZR b * IZR one)) with (IZR a * IZR one) by (field; lra).
  apply Rle_trans with (IZR (snd (pick (suffixes (weights u w 0 (S M) one one)) 0) + 2 * snd (pick (weights u w 0 (S M) one one) (S M))) * IZR b); [|exact H6].
  replace (exp (IZR u / IZR w) * (IZR b * IZR one)) with (IZR one * exp (IZR u / IZR w) * IZR b) by ring. apply Rmult_le_compat_r; lra.
Qed.

(* What a pool shows, whatever the others hold. *)
Definition hides_in_pool (mu eps delta : R) : Prop := forall c c' N : nat, (c <= N)%nat -> (c' <= N)%nat -> (c <= c' + 1)%nat -> (c' <= c + 1)%nat ->
  close eps delta (pool_counts mu c N) (pool_counts mu c' N).
Theorem pool_sound : forall one u w M a b c d eps, accepts_pool one u w M a b c d = true -> IZR a / IZR b <= exp eps -> 0 <= eps ->
  hides_in_pool (2 * (IZR u / IZR w)) eps (IZR c / IZR d).
Proof.
  intros one u w M a b c d eps H RE HE. unfold accepts_pool in H. cbv zeta in H. rewrite !andb_true_iff, ?Z.ltb_lt, ?Z.leb_le in H.
  destruct H as [[[[[[[[H1 H2] H3] H4] H5] H6] H7] H8] H9].
  set (nu := IZR u / IZR w). assert (NU : 0 < nu) by (apply (nu_positive u w H2 H3)). set (r := IZR a / IZR b) in *. assert (R0 : 0 < r) by (apply (r_positive a b H4 H5)).
  pose proof (bound_enclosed one u w M H1 H2 H3 H8 a b c d H4 H5 H6 H7 H9) as BE. fold nu r in BE.
  pose proof (proper_Pois nu ltac:(lra)) as P. set (mu := 2 * nu). assert (MU : mu / 2 = nu) by (unfold mu; field).
  assert (D0 : 0 <= IZR c / IZR d) by (apply Rmult_le_pos; [apply IZR_le in H6; exact H6 | left; apply Rinv_0_lt_compat, IZR_lt; auto]).
  assert (EX : forall k N T, Pr (pool_counts mu k N) T = E (Pois nu) (fun j => E (Pois nu) (fun i => indicator (T (k + i, N - k + j)%nat)))).
  { intros k N T. unfold Pr, pool_counts. assert (PT : proper (two mu)) by (apply proper_two; unfold mu; lra).
    rewrite E_bind; [|auto | intro; apply proper_point | apply bounded_indicator].
    rewrite (E_ext (two mu) _ (fun p => indicator (T (k + fst p, N - k + snd p)%nat))) by (intro; rewrite E_point; reflexivity).
    rewrite E_two by (unfold mu; try lra; apply (bounded_indicator (fun p => T (k + fst p, N - k + snd p)%nat))). rewrite MU. cbn [fst snd].
    apply E_swap; auto. exists 1. intros i j. destruct (T _); simpl; rewrite ?Rabs_R1, ?Rabs_R0; lra. }
  (* one more, and one less: the same bound with ones and zeros exchanged *)
  assert (UP : forall k N T, (S k <= N)%nat -> Pr (pool_counts mu (S k) N) T <= exp eps * Pr (pool_counts mu k N) T + IZR c / IZR d).
  { intros k N T KN. rewrite !EX.
    pose proof (pool_bound nu r NU R0 M (fun x y => indicator (T (k + x, N - S k + y)%nat)) (fun _ _ => Law.indicator_01 _)) as PB.
    assert (Q1 : E (Pois nu) (fun j => E (Pois nu) (fun i => indicator (T (S k + i, N - S k + j)%nat))) = E (Pois nu) (fun j => E (Pois nu) (fun i => indicator (T (k + S i, N - S k + j)%nat)))).
    { apply E_ext; intro j. apply E_ext; intro i. do 3 f_equal. lia. }
    assert (Q2 : E (Pois nu) (fun j => E (Pois nu) (fun i => indicator (T (k + i, N - k + j)%nat))) = E (Pois nu) (fun j => E (Pois nu) (fun i => indicator (T (k + i, N - S k + S j)%nat)))).
    { apply E_ext; intro j. apply E_ext; intro i. do 3 f_equal. lia. }
    rewrite Q1, Q2. set (V := E (Pois nu) (fun j => E (Pois nu) (fun i => indicator (T (k + i, N - S k + S j)%nat)))) in *.
    cbv beta in PB. assert (V01 : 0 <= V <= 1) by (apply E_range; auto; intro; apply E_range; auto; intro; apply Law.indicator_01).
    assert (r * V <= exp eps * V) by (apply Rmult_le_compat_r; lra). lra. }
  assert (DOWN : forall k N T, (S k <= N)%nat -> Pr (pool_counts mu k N) T <= exp eps * Pr (pool_counts mu (S k) N) T + IZR c / IZR d).
  { intros k N T KN. rewrite !EX.
    rewrite E_swap by (auto; exists 1; intros i j; destruct (T _); simpl; rewrite ?Rabs_R1, ?Rabs_R0; lra).
    rewrite (E_swap (Pois nu) (Pois nu) (fun j i => indicator (T (S k + i, N - S k + j)%nat))) by (auto; exists 1; intros i j; destruct (T _); simpl; rewrite ?Rabs_R1, ?Rabs_R0; lra).
    pose proof (pool_bound nu r NU R0 M (fun x y => indicator (T (k + y, N - S k + x)%nat)) (fun _ _ => Law.indicator_01 _)) as PB.
    assert (Q1 : E (Pois nu) (fun i => E (Pois nu) (fun j => indicator (T (k + i, N - k + j)%nat))) = E (Pois nu) (fun j => E (Pois nu) (fun i => indicator (T (k + j, N - S k + S i)%nat)))).
    { apply E_ext; intro j. apply E_ext; intro i. do 3 f_equal. lia. }
    assert (Q2 : E (Pois nu) (fun i => E (Pois nu) (fun j => indicator (T (S k + i, N - S k + j)%nat))) = E (Pois nu) (fun j => E (Pois nu) (fun i => indicator (T (k + S j, N - S k + i)%nat)))).
    { apply E_ext; intro j. apply E_ext; intro i. do 3 f_equal. lia. }
    rewrite Q1, Q2. set (V := E (Pois nu) (fun j => E (Pois nu) (fun i => indicator (T (k + S j, N - S k + i)%nat)))) in *.
    cbv beta in PB. assert (V01 : 0 <= V <= 1) by (apply E_range; auto; intro; apply E_range; auto; intro; apply Law.indicator_01).
    assert (r * V <= exp eps * V) by (apply Rmult_le_compat_r; lra). lra. }
  intros k k' N KN KN' A1 A2 T. assert (C : (k = k' \/ k = S k' \/ k' = S k)%nat) by lia. destruct C as [C|[C|C]]; subst; auto.
  apply close_refl; auto. apply proper_bind; [apply proper_two; unfold mu; lra | intro; apply proper_point].
Qed.
(* The pool of an element, as everybody sees it. *)
Theorem pool_private : forall (X : Type) (U : universe X) (lambda eps delta gamma : R) (n honest : nat) (j : X),
  0 <= lambda -> 0 <= eps -> 0 <= delta -> (0 < honest <= n)%nat -> INR honest = gamma * INR n -> hides_in_pool (gamma * lambda) eps delta ->
  private_on honest eps delta (fun x => bind (concatenated (map (fun i => labelled U lambda n i j) x)) shuffle).
Proof.
  intros X U lambda eps delta gamma n honest j HL HE HD HN HG H x x' L NB.
  assert (NP : (0 < n)%nat) by lia. assert (NR : 0 < INR n) by (apply lt_0_INR; auto).
  assert (MU : INR (length x) * (lambda / INR n) = gamma * lambda) by (rewrite L, HG; field; lra).
  assert (LX : length x' = length x) by (destruct NB as [u [a [b [v [Q1 Q2]]]]]; subst; rewrite !app_length; reflexivity).
  pose proof (pool_seen U lambda n HL NP x j) as S. pose proof (pool_seen U lambda n HL NP x' j) as S'. rewrite LX, MU in S'. rewrite MU in S.
  apply (close_same _ _ _ _ _ _ S S').
  assert (AS : forall c, same_law (bind (pool_counts (gamma * lambda) c (length x)) (fun p => shuffle (arranged j (fst p) (snd p)))) (seen_pool c (length x) (gamma * lambda) j)).
  { intros c f F. apply E_slices; intro N. unfold seen_pool, pool_counts. rewrite !slice_bind. apply Law.E_ext; intro q. unfold point. cbn [sum_over fst snd]. ring. }
  apply (close_same _ _ _ _ _ _ (AS _) (AS _)).
  assert (GP : 0 <= gamma * lambda).
  { rewrite <- MU. apply Rmult_le_pos; [apply pos_INR|]. apply Rmult_le_pos; auto. left; apply Rinv_0_lt_compat; auto. }
  assert (PC : forall c, proper (pool_counts (gamma * lambda) c (length x))) by (intro; apply proper_bind; [apply proper_two; auto | intro; apply proper_point]).
  apply post_processing; auto; [intro; apply proper_shuffle|].
  pose proof (count_le U x j) as L1. pose proof (count_le U x' j) as L2. rewrite LX in L2.
  destruct NB as [u [a [b [v [Q1 Q2]]]]].
  assert (CA : count U x j = (count U u j + ((if is_element U a j then 1 else 0) + count U v j))%nat).
  { subst x. rewrite count_app. f_equal. unfold count. cbn [filter]. destruct (is_element U a j); reflexivity. }
  assert (CB : count U x' j = (count U u j + ((if is_element U b j then 1 else 0) + count U v j))%nat).
  { subst x'. rewrite count_app. f_equal. unfold count. cbn [filter]. destruct (is_element U b j); reflexivity. }
  apply H; auto; rewrite CA, CB; destruct (is_element U a j), (is_element U b j); lia.
Qed.
(* gamma lambda = 10 at eps = 1: delta = 0.03850069805. *)
Theorem example_pool : hides_in_pool 10 1 (3850069805 / 100000000000).
Proof.
  replace 10 with (2 * (5 / 1)) by field. apply (pool_sound (2 ^ 128) 5 1 80 2718281828459045235 1000000000000000000 3850069805 100000000000 1).
  - vm_compute. reflexivity.
  - replace (exp 1) with (exp (1 / 1)) by (f_equal; field). apply (ExpBound.below_exp_sound 30 1 1 2718281828459045235 1000000000000000000). vm_compute. reflexivity.
  - lra.
Qed.
