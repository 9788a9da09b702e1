(* A certificate for a pool of P_UT, with true Poisson noise, replayed by computation inside Coq.

   A pool of a user's element is (c + N_1, N - c + N_0), N_1 and N_0 independent, Pois(nu) each; a neighbour moves one from
   the zeros to the ones.  With weights w_i = nu^i/i! and tails t_x = w_x + w_(x+1) + ..., e^(2 nu) delta is at most
   w_0 t_0 + sum over y in 1..M of (w_y t_(x-1) - r w_(y-1) t_x) + t_(M+1) t_0, x = floor(r y) + 1, for every r <= e^eps.
   Proved: if whole numbers around the weights say that this is at most (c/d) t_0^2, the pool is (eps, c/d)-private. *)
From Coq Require Import Reals ZArith Lra Lia List Bool.
From Coquelicot Require Import Rbar Lim_seq.
From PanshuffleKernel Require Law.
From PanshuffleKernel Require Import Countable Privacy Masses Model Poisson PoissonPools Means Statistic Verdicts4Privacy.
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
