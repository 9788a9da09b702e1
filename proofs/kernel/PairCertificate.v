(* A certificate for two opposite shifts, replayed by computation inside Coq.

   A changed element of a histogram takes one from a bin and gives one to another: (X+1, Y) against (X, Y+1), for
   independent X and Y ~ Bin(l, p).  In the row y the ratio of the two laws grows with x, and where it crosses a/b is known
   exactly; so the divergence is a sum over y of products of a mass and a tail, each rounded down and up.

   Proved: if the computation says yes, the pair is hidden, (eps, c/d)-close for a/b <= e^eps. *)
From Coq Require Import Reals ZArith Lra Lia List Bool.
From PanshuffleKernel Require Import Law Closeness Composition Parity UniformityTransformation BinomialMechanism Variances.
From PanshuffleKernel Require Import BinomialCertificate.
Import ListNotations.
Open Scope R_scope.

(* One taken from the second number and given to the first is hidden. *)
Definition hides_pair (l : nat) (p eps delta : R) := forall a b : Z,
  close eps delta (joint (noisy l p (a + 1)%Z) (noisy l p b)) (joint (noisy l p a) (noisy l p (b + 1)%Z)).

(* The sums from each place on. *)
Fixpoint tails (row : list Z) : list Z :=
  match row with [] => [0%Z] | x :: row => let rest := tails row in (x + hd 0 rest)%Z :: rest end.

(* The largest x where the ratio of the two laws in the row y is at most a/b. *)
Definition threshold (l y a b : Z) : Z := (a * y * (l + 1) / (b * (l + 1 - y) + a * y))%Z.

Fixpoint pair_excess (l a b : Z) (lows highs : list Z) (y before : Z) (row : list (Z * Z)) : Z :=
  match row with
  | [] => 0
  | (low, high) :: row =>
    let x := Z.to_nat (threshold l y a b) in
    b * (high * nth x highs 0) - a * (Z.max 0 before * nth (S x) lows 0)
    + pair_excess l a b lows highs (y + 1) low row
  end%Z.

Definition accepts_pair (one : Z) (m rest : nat) (u v a b c d : Z) : bool :=
  ((0 <? u) && (0 <? v) && (0 <? b) && (b <=? a) && (0 <=? c) && (0 <? d) && (0 <? one))%Z &&
  (let row := rounded_row one m rest u v in
   let lows := tails (map fst row) in let highs := tails (map snd row) in let all := Z.max 0 (hd 0%Z lows) in
   (d * pair_excess (Z.of_nat (m + rest)) a b lows highs 0 0 row <=? c * b * (all * all))%Z).

Lemma sum_from_split : forall n k i f, sum_from (n + k) i f = sum_from n i f + sum_from k (i + n) f.
Proof.
  induction n; intros k i f; cbn [Nat.add sum_from]; [rewrite Nat.add_0_r; ring|].
  rewrite IHn. replace (S i + n)%nat with (i + S n)%nat by lia. ring.
Qed.
Lemma sum_from_le : forall n i f g, (forall j, (i <= j < i + n)%nat -> f j <= g j) -> sum_from n i f <= sum_from n i g.
Proof.
  induction n; intros i f g H; cbn [sum_from]; [lra|]. pose proof (H i ltac:(lia)).
  assert (sum_from n (S i) f <= sum_from n (S i) g) by (apply IHn; intros; apply H; lia). lra.
Qed.
Lemma sum_from_nonneg : forall n i f, (forall j, 0 <= f j) -> 0 <= sum_from n i f.
Proof. induction n; intros i f H; cbn [sum_from]; [lra|]. specialize (IHn (S i) f H). specialize (H i). lra. Qed.

(* A sum against a test is at most the sum where the terms are not negative. *)
Lemma beyond_threshold : forall n t h g, (t <= n)%nat -> (forall x, 0 <= g x <= 1) ->
  (forall x, (x < t)%nat -> h x <= 0) -> (forall x, (t <= x < n)%nat -> 0 <= h x) ->
  sum_from n 0 (fun x => h x * g x) <= sum_from (n - t) t h.
Proof.
  intros n t h g Ht G N P. replace n with (t + (n - t))%nat at 1 by lia. rewrite sum_from_split.
  assert (A : sum_from t 0 (fun x => h x * g x) <= sum_from t 0 (fun _ => 0 * 0)).
  { apply sum_from_le. intros j H. specialize (N j ltac:(lia)). specialize (G j). nra. }
  rewrite sum_from_times in A.
  assert (B : sum_from (n - t) (0 + t) (fun x => h x * g x) <= sum_from (n - t) (0 + t) h).
  { apply sum_from_le. intros j H. specialize (P j ltac:(lia)). specialize (G j). nra. }
  simpl Nat.add in *. lra.
Qed.

Section Pair.
Variable m rest : nat.
Variables u v a b : Z.
Hypothesis u_pos : (0 < u)%Z.
Hypothesis v_pos : (0 < v)%Z.
Hypothesis b_pos : (0 < b)%Z.
Hypothesis a_large : (b <= a)%Z.
Variable s : R.
Hypothesis s_pos : 0 < s.
Let l := (m + rest)%nat.
Let mu := row_mass m rest u v.

Definition before_mass (i : nat) : R := match i with O => 0 | S j => row_mass m rest u v j end.
(* The mass from k on. *)
Definition tail (k : nat) : R := sum_from (S l - k) k (row_mass m rest u v).

Lemma mu_nonneg : forall i, 0 <= mu i.
Proof. intro i. unfold mu, row_mass. apply mass_nonneg; apply IZR_le; lia. Qed.
Lemma before_nonneg : forall i, 0 <= before_mass i.
Proof. intros [|j]; cbn [before_mass]; [lra | apply mu_nonneg]. Qed.
Lemma tail_nonneg : forall k, 0 <= tail k.
Proof. intro k. apply sum_from_nonneg. apply mu_nonneg. Qed.

Lemma before_step : forall x, (x <= S l)%nat -> before_mass x * (INR (S l - x) * IZR u) = mu x * (INR x * IZR v).
Proof.
  intros [|j] H; cbn [before_mass]; [simpl; ring|].
  pose proof (mass_step (IZR u) (IZR v) l j ltac:(lia)) as M. replace (S l - S j)%nat with (l - j)%nat by lia.
  unfold mu, row_mass, row_size. fold l. lra.
Qed.

(* The two laws in the row y, one against the other. *)
Lemma ratio_step : forall x y, (x <= S l)%nat -> (y <= S l)%nat ->
  before_mass x * mu y * (INR y * INR (S l - x)) = mu x * before_mass y * (INR x * INR (S l - y)).
Proof.
  intros x y Hx Hy. pose proof (before_step x Hx) as A. pose proof (before_step y Hy) as B.
  pose proof (IZR_lt _ _ u_pos) as U. pose proof (IZR_lt _ _ v_pos) as V.
  apply Rmult_eq_reg_r with (IZR u * IZR v); [|apply Rgt_not_eq; apply Rmult_lt_0_compat; lra].
  replace (before_mass x * mu y * (INR y * INR (S l - x)) * (IZR u * IZR v))
    with (before_mass x * (INR (S l - x) * IZR u) * (mu y * (INR y * IZR v))) by ring.
  rewrite A, <- B. ring.
Qed.

Definition cut (y : nat) : nat := Z.to_nat (threshold (Z.of_nat l) (Z.of_nat y) a b).

Lemma threshold_iff : forall x y, (y <= l)%nat ->
  (Z.of_nat x <= threshold (Z.of_nat l) (Z.of_nat y) a b <->
   b * Z.of_nat x * (Z.of_nat l + 1 - Z.of_nat y) <= a * Z.of_nat y * (Z.of_nat l + 1 - Z.of_nat x))%Z.
Proof.
  intros x y Hy. unfold threshold.
  assert (D : (0 < b * (Z.of_nat l + 1 - Z.of_nat y) + a * Z.of_nat y)%Z) by nia.
  split; intro H.
  - pose proof (Z.mul_div_le (a * Z.of_nat y * (Z.of_nat l + 1)) _ D) as B.
    apply (Z.mul_le_mono_nonneg_l _ _ _ (Z.lt_le_incl _ _ D)) in H. nia.
  - apply Z.div_le_lower_bound; [exact D|]. nia.
Qed.
Lemma threshold_bounds : forall y, (y <= l)%nat -> (0 <= threshold (Z.of_nat l) (Z.of_nat y) a b <= Z.of_nat l)%Z.
Proof.
  intros y Hy. assert (D : (0 < b * (Z.of_nat l + 1 - Z.of_nat y) + a * Z.of_nat y)%Z) by nia. split.
  - apply (threshold_iff 0 y Hy). rewrite Z.mul_0_r, Z.mul_0_l. apply Z.mul_nonneg_nonneg; [nia | lia].
  - destruct (Z.le_gt_cases (Z.of_nat (S l)) (threshold (Z.of_nat l) (Z.of_nat y) a b)) as [C|C]; [|lia].
    apply (threshold_iff (S l) y Hy) in C. nia.
Qed.
Lemma cut_le : forall y, (y <= l)%nat -> (cut y <= l)%nat.
Proof. intros y Hy. unfold cut. pose proof (threshold_bounds y Hy). lia. Qed.

Lemma nat_R : forall n, IZR (Z.of_nat n) = INR n.
Proof. intro; symmetry; apply INR_IZR_INZ. Qed.

Definition difference (y x : nat) : R := IZR b * (before_mass x * mu y) - IZR a * (mu x * before_mass y).

Lemma difference_sign : forall x y, (y <= l)%nat -> (x <= S l)%nat ->
  ((x < S (cut y))%nat -> difference y x <= 0) /\ ((S (cut y) <= x)%nat -> 0 <= difference y x).
Proof.
  intros x y Hy Hx. pose proof (ratio_step x y Hx ltac:(lia)) as Q. pose proof (threshold_iff x y Hy) as TH.
  pose proof (threshold_bounds y Hy) as TB. unfold difference.
  pose proof (IZR_lt _ _ b_pos) as RB. pose proof (IZR_le _ _ a_large) as RA.
  pose proof (before_nonneg x) as P1. pose proof (before_nonneg y) as P2.
  pose proof (mu_nonneg x) as P3. pose proof (mu_nonneg y) as P4.
  set (X := before_mass x * mu y) in *. set (Y := mu x * before_mass y) in *.
  assert (X0 : 0 <= X) by (apply Rmult_le_pos; auto). assert (Y0 : 0 <= Y) by (apply Rmult_le_pos; auto).
  destruct (Nat.eq_dec y 0) as [y0|y0].
  { subst y. assert (YZ : Y = 0) by (unfold Y; cbn [before_mass]; ring). split; intro H; [|nra].
    assert (C : cut 0 = 0%nat) by (unfold cut, threshold; rewrite Z.mul_0_r, Z.mul_0_l, Zdiv_0_l; reflexivity).
    rewrite C in H. assert (x = 0)%nat by lia. subst x. unfold X. cbn [before_mass]. nra. }
  destruct (Nat.eq_dec x (S l)) as [x1|x1].
  { subst x. assert (YZ : Y = 0) by (unfold Y, mu, row_mass, row_size; fold l; rewrite mass_beyond by lia; ring).
    split; intro H; [unfold cut in H; lia | nra]. }
  assert (N : 0 < INR y * INR (S l - x)) by (apply Rmult_lt_0_compat; apply lt_0_INR; lia).
  assert (W : IZR (b * Z.of_nat x * (Z.of_nat l + 1 - Z.of_nat y)) = IZR b * (INR x * INR (S l - y))
    /\ IZR (a * Z.of_nat y * (Z.of_nat l + 1 - Z.of_nat x)) = IZR a * (INR y * INR (S l - x))).
  { replace (Z.of_nat l + 1 - Z.of_nat y)%Z with (Z.of_nat (S l - y)) by lia.
    replace (Z.of_nat l + 1 - Z.of_nat x)%Z with (Z.of_nat (S l - x)) by lia. rewrite !mult_IZR, !nat_R. split; ring. }
  destruct W as [W1 W2].
  assert (S1 : (IZR b * X - IZR a * Y) * (INR y * INR (S l - x))
    = Y * (IZR b * (INR x * INR (S l - y)) - IZR a * (INR y * INR (S l - x)))).
  { replace ((IZR b * X - IZR a * Y) * (INR y * INR (S l - x)))
      with (IZR b * (X * (INR y * INR (S l - x))) - IZR a * Y * (INR y * INR (S l - x))) by ring. rewrite Q. ring. }
  split; intro H.
  - assert (C : (Z.of_nat x <= threshold (Z.of_nat l) (Z.of_nat y) a b)%Z) by (unfold cut in H; lia).
    apply TH, IZR_le in C. rewrite W1, W2 in C.
    apply Rmult_le_reg_r with (1 := N). rewrite S1, Rmult_0_l. nra.
  - assert (C : (a * Z.of_nat y * (Z.of_nat l + 1 - Z.of_nat x) <= b * Z.of_nat x * (Z.of_nat l + 1 - Z.of_nat y))%Z).
    { destruct (Z.le_gt_cases (b * Z.of_nat x * (Z.of_nat l + 1 - Z.of_nat y)) (a * Z.of_nat y * (Z.of_nat l + 1 - Z.of_nat x))) as [C|C];
        [|lia]. apply TH in C. unfold cut in H. lia. }
    apply IZR_le in C. rewrite W1, W2 in C. apply Rmult_le_reg_r with (1 := N). rewrite S1, Rmult_0_l. nra.
Qed.

(* One row. *)
Lemma row_le : forall y g, (y <= l)%nat -> (forall x, 0 <= g x <= 1) ->
  sum_from (S (S l)) 0 (fun x => difference y x * g x)
  <= IZR b * (mu y * tail (cut y)) - IZR a * (before_mass y * tail (S (cut y))).
Proof.
  intros y g Hy G. pose proof (cut_le y Hy) as C.
  apply Rle_trans with (sum_from (S (S l) - S (cut y)) (S (cut y)) (difference y)).
  - apply beyond_threshold; auto; [lia| |]; intros x H; apply difference_sign; auto; lia.
  - right. unfold difference.
    rewrite (sum_from_ext _ _ _ (fun x => IZR b * mu y * before_mass x + - (IZR a * before_mass y) * mu x))
      by (intro; ring).
    rewrite sum_from_plus, !sum_from_times.
    replace (sum_from (S (S l) - S (cut y)) (S (cut y)) before_mass) with (tail (cut y)).
    2: { unfold tail. rewrite sum_from_shift. replace (S (S l) - S (cut y))%nat with (S l - cut y)%nat by lia. reflexivity. }
    replace (sum_from (S (S l) - S (cut y)) (S (cut y)) mu) with (tail (S (cut y))).
    2: { unfold tail. replace (S (S l) - S (cut y))%nat with (S (S l - S (cut y)))%nat by lia. rewrite sum_from_last.
         replace (S (cut y) + (S l - S (cut y)))%nat with (S l) by lia.
         assert (Z0 : mu (S l) = 0) by (unfold mu, row_mass, row_size; fold l; apply mass_beyond; lia). rewrite Z0. unfold mu. ring. }
    ring.
Qed.

(* The tails of the rounded row enclose the tails of the masses. *)
Lemma tails_enclosed : forall row i k, enclosed m rest u v s row i ->
  IZR (nth k (tails (map fst row)) 0%Z) <= s * sum_from (length row - k) (i + k) mu <= IZR (nth k (tails (map snd row)) 0%Z).
Proof.
  induction row as [|[low high] row IH]; intros i k H.
  - cbn [map tails length Nat.sub sum_from]. destruct k as [|[|k]]; simpl; lra.
  - destruct H as [[A B] H]. cbn [map tails fst snd]. cbv zeta. destruct k as [|k].
    + specialize (IH (S i) 0%nat H). cbn [nth length Nat.sub sum_from]. rewrite Nat.sub_0_r, Nat.add_0_r in *.
      replace (hd 0%Z (tails (map fst row))) with (nth 0 (tails (map fst row)) 0%Z) by (destruct (tails (map fst row)); reflexivity).
      replace (hd 0%Z (tails (map snd row))) with (nth 0 (tails (map snd row)) 0%Z) by (destruct (tails (map snd row)); reflexivity).
      rewrite !plus_IZR. unfold mu in *. lra.
    + cbn [nth length Nat.sub]. replace (i + S k)%nat with (S i + k)%nat by lia. apply IH. exact H.
Qed.

Lemma max_IZR : forall x y, IZR x <= y -> 0 <= y -> IZR (Z.max 0 x) <= y.
Proof. intros x y A B. destruct (Z.max_spec 0 x) as [[_ H]|[_ H]]; rewrite H; lra. Qed.

Lemma product_le : forall x y X Y, 0 <= X -> 0 <= Y -> X <= IZR x -> Y <= IZR y -> X * Y <= IZR (x * y).
Proof. intros x y X Y A B C D. rewrite mult_IZR. apply Rmult_le_compat; lra. Qed.
Lemma product_ge : forall x y X Y, 0 <= X -> 0 <= Y -> IZR x <= X -> IZR y <= Y -> IZR (Z.max 0 x * y) <= X * Y.
Proof.
  intros x y X Y A B C D. rewrite mult_IZR. pose proof (max_IZR x X C A) as M.
  assert (P : 0 <= IZR (Z.max 0 x)) by (apply IZR_le; lia).
  apply Rle_trans with (IZR (Z.max 0 x) * Y); [apply Rmult_le_compat_l | apply Rmult_le_compat_r]; lra.
Qed.

Definition row_bound (y : nat) : R := IZR b * (mu y * tail (cut y)) - IZR a * (before_mass y * tail (S (cut y))).

Lemma excess_bounds : forall all row i before, length all = S l -> enclosed m rest u v s all 0 ->
  (i + length row = S l)%nat -> enclosed m rest u v s row i -> IZR before <= s * before_mass i ->
  s * s * sum_from (length row) i row_bound
  <= IZR (pair_excess (Z.of_nat l) a b (tails (map fst all)) (tails (map snd all)) (Z.of_nat i) before row).
Proof.
  intros all row. induction row as [|[low high] row IH]; intros i before LA EA LI H B; cbn [length sum_from pair_excess].
  - simpl. lra.
  - destruct H as [[A1 A2] H]. cbv zeta. cbn [length] in LI.
    specialize (IH (S i) low LA EA ltac:(lia) H A1). replace (Z.of_nat (S i)) with (Z.of_nat i + 1)%Z in IH by lia.
    rewrite plus_IZR, minus_IZR, (mult_IZR b), (mult_IZR a). fold (cut i).
    pose proof (tails_enclosed all 0 (cut i) EA) as T1. pose proof (tails_enclosed all 0 (S (cut i)) EA) as T2.
    rewrite LA in T1, T2. destruct T1 as [_ T1]. destruct T2 as [T2 _].
    assert (U1 : s * tail (cut i) <= IZR (nth (cut i) (tails (map snd all)) 0%Z)) by exact T1.
    assert (U2 : IZR (nth (S (cut i)) (tails (map fst all)) 0%Z) <= s * tail (S (cut i))) by exact T2.
    assert (U3 : s * mu i <= IZR high) by exact A2.
    pose proof (IZR_lt _ _ b_pos) as RB. pose proof (IZR_le _ _ a_large) as RA.
    pose proof (mu_nonneg i) as M. pose proof (before_nonneg i) as N.
    pose proof (tail_nonneg (cut i)) as T3. pose proof (tail_nonneg (S (cut i))) as T4.
    assert (Q1 : s * mu i * (s * tail (cut i)) <= IZR (high * nth (cut i) (tails (map snd all)) 0%Z)).
    { apply product_le; auto; apply Rmult_le_pos; lra. }
    assert (Q2 : IZR (Z.max 0 before * nth (S (cut i)) (tails (map fst all)) 0%Z) <= s * before_mass i * (s * tail (S (cut i)))).
    { apply product_ge; auto; apply Rmult_le_pos; lra. }
    apply Rmult_le_compat_l with (r := IZR b) in Q1; [|lra]. apply Rmult_le_compat_l with (r := IZR a) in Q2; [|lra].
    unfold row_bound at 1. lra.
Qed.

(* Both laws in whole: tests G with values in [0,1]. *)
Lemma both_le : forall G, (forall x y, 0 <= G x y <= 1) ->
  IZR b * sum_from (S l) 0 (fun y => mu y * sum_from (S l) 0 (fun x => mu x * G (S x) y))
  <= sum_from (S l) 0 row_bound
   + IZR a * sum_from (S l) 0 (fun y => mu y * sum_from (S l) 0 (fun x => mu x * G x (S y))).
Proof.
  intros G HG. pose proof (IZR_lt _ _ b_pos) as RB. pose proof (IZR_le _ _ a_large) as RA.
  assert (R : sum_from (S l) 0 (fun y => sum_from (S (S l)) 0 (fun x => difference y x * G x y)) <= sum_from (S l) 0 row_bound).
  { apply sum_from_le. intros y H. apply row_le; [lia | intro; apply HG]. }
  assert (P : forall y, sum_from (S (S l)) 0 (fun x => difference y x * G x y)
    = IZR b * (mu y * sum_from (S l) 0 (fun x => mu x * G (S x) y))
      - IZR a * (before_mass y * sum_from (S l) 0 (fun x => mu x * G x y))).
  { intro y. unfold difference.
    rewrite (sum_from_ext _ _ _ (fun x => IZR b * mu y * (before_mass x * G x y) + - (IZR a * before_mass y) * (mu x * G x y)))
      by (intro; ring).
    rewrite sum_from_plus, !sum_from_times. rewrite (sum_from_last (S l) 0 (fun x => mu x * G x y)).
    assert (Z0 : mu (0 + S l)%nat = 0) by (unfold mu, row_mass, row_size; fold l; apply mass_beyond; lia). rewrite Z0.
    change (sum_from (S (S l)) 0 (fun x => before_mass x * G x y))
      with (before_mass 0 * G 0%nat y + sum_from (S l) 1 (fun x => before_mass x * G x y)).
    rewrite sum_from_shift. cbn [before_mass]. fold mu. ring. }
  rewrite (sum_from_ext _ _ _ _ P) in R.
  rewrite (sum_from_ext _ _ _ (fun y => IZR b * (mu y * sum_from (S l) 0 (fun x => mu x * G (S x) y))
     + - IZR a * (before_mass y * sum_from (S l) 0 (fun x => mu x * G x y)))) in R by (intro; ring).
  rewrite sum_from_plus, !sum_from_times in R.
  assert (Q : sum_from (S l) 0 (fun y => before_mass y * sum_from (S l) 0 (fun x => mu x * G x y))
    <= sum_from (S l) 0 (fun y => mu y * sum_from (S l) 0 (fun x => mu x * G x (S y)))).
  { change (sum_from (S l) 0 (fun y => before_mass y * sum_from (S l) 0 (fun x => mu x * G x y)))
      with (before_mass 0 * sum_from (S l) 0 (fun x => mu x * G x 0%nat)
        + sum_from l 1 (fun y => before_mass y * sum_from (S l) 0 (fun x => mu x * G x y))).
    rewrite sum_from_shift. change (before_mass 0) with 0.
    rewrite (sum_from_last l 0 (fun y => mu y * sum_from (S l) 0 (fun x => mu x * G x (S y)))).
    change (sum_from l 0 (fun j => before_mass (S j) * sum_from (S l) 0 (fun x => mu x * G x (S j))))
      with (sum_from l 0 (fun y => mu y * sum_from (S l) 0 (fun x => mu x * G x (S y)))).
    assert (0 <= mu (0 + l)%nat * sum_from (S l) 0 (fun x => mu x * G x (S (0 + l)))).
    { apply Rmult_le_pos; [apply mu_nonneg|]. apply sum_from_nonneg. intro j. apply Rmult_le_pos; [apply mu_nonneg | apply HG]. }
    cbv beta in *. lra. }
  assert (IZR a * sum_from (S l) 0 (fun y => before_mass y * sum_from (S l) 0 (fun x => mu x * G x y))
    <= IZR a * sum_from (S l) 0 (fun y => mu y * sum_from (S l) 0 (fun x => mu x * G x (S y)))) by (apply Rmult_le_compat_l; lra).
  lra.
Qed.
End Pair.

Lemma accepted_pair_parts : forall one m rest u v a b c d, accepts_pair one m rest u v a b c d = true ->
  let row := rounded_row one m rest u v in let all := Z.max 0 (hd 0%Z (tails (map fst row))) in
  (0 < u /\ 0 < v /\ 0 < b /\ b <= a /\ 0 <= c /\ 0 < d /\ 0 < one)%Z
  /\ (d * pair_excess (Z.of_nat (m + rest)) a b (tails (map fst row)) (tails (map snd row)) 0 0 row <= c * b * (all * all))%Z.
Proof.
  intros one m rest u v a b c d H. unfold accepts_pair in H. cbv zeta in *. rewrite !andb_true_iff in H.
  rewrite ?Z.ltb_lt, ?Z.leb_le in H. tauto.
Qed.

Theorem pair_sound : forall one m rest u v a b c d eps, accepts_pair one m rest u v a b c d = true ->
  IZR a / IZR b <= exp eps -> hides_pair (m + rest) (IZR u / IZR (u + v)) eps (IZR c / IZR d).
Proof.
  intros one m rest u v a b c d eps H Heps. apply accepted_pair_parts in H. cbv zeta in H.
  destruct H as [[Hu [Hv [Hb [Hab [Hc [Hd H1]]]]]] G1].
  destruct (row_exists one m rest u v Hu Hv H1) as [s [sp [ER LR]]].
  pose proof (IZR_lt _ _ Hu) as Ru. pose proof (IZR_lt _ _ Hv) as Rv.
  set (row := rounded_row one m rest u v) in *. set (l := (m + rest)%nat) in *.
  set (p := IZR u / IZR (u + v)). set (D := IZR (u + v) ^ l).
  assert (Dp : 0 < D) by (apply pow_lt; rewrite plus_IZR; lra).
  assert (DE : forall f, E (Bin l p) f * D = sum_from (S l) 0 (fun i => row_mass m rest u v i * f i)).
  { intro f. unfold p, D. rewrite plus_IZR. apply Bin_mass. lra. }
  assert (T1 : sum_from (S l) 0 (row_mass m rest u v) = D) by (apply mass_total; auto).
  assert (D2 : forall h, E (Bin l p) (fun y => E (Bin l p) (fun x => h x y)) * (D * D)
    = sum_from (S l) 0 (fun y => row_mass m rest u v y * sum_from (S l) 0 (fun x => row_mass m rest u v x * h x y))).
  { intro h. rewrite <- Rmult_assoc. rewrite DE.
    rewrite Rmult_comm, <- sum_from_times. apply sum_from_ext. intro y. rewrite <- DE. ring. }
  pose proof (excess_bounds m rest u v a b Hu Hv Hb Hab s sp row row 0 0 LR ER ltac:(rewrite LR; reflexivity) ER
    ltac:(cbn [before_mass]; lra)) as XB. rewrite LR in XB.
  change (Z.of_nat 0) with 0%Z in XB. fold l in XB.
  assert (AL : 0 <= IZR (Z.max 0 (hd 0%Z (tails (map fst row)))) <= s * D).
  { split; [apply IZR_le; lia|]. apply max_IZR; [|apply Rmult_le_pos; lra].
    pose proof (tails_enclosed m rest u v s row 0 0 ER) as [T _]. rewrite LR, Nat.sub_0_r in T. cbn [Nat.add] in T.
    rewrite T1 in T. destruct (tails (map fst row)); exact T. }
  set (all := Z.max 0 (hd 0%Z (tails (map fst row)))) in *.
  assert (A2 : IZR (all * all) <= s * s * (D * D)).
  { rewrite mult_IZR. replace (s * s * (D * D)) with (s * D * (s * D)) by ring. apply Rmult_le_compat; lra. }
  intros A B T. unfold Pr. rewrite !E_joint, !E_noisy.
  rewrite (E_ext _ _ (fun x => E (Bin l p) (fun y => indicator (T (A + 1 + Z.of_nat x, B + Z.of_nat y)%Z)))) by (intro; apply E_noisy).
  rewrite (E_ext _ (fun c0 => E (noisy l p (B + 1)) (fun b0 => indicator (T ((A + Z.of_nat c0)%Z, b0))))
    (fun x => E (Bin l p) (fun y => indicator (T (A + Z.of_nat x, B + 1 + Z.of_nat y)%Z)))) by (intro; apply E_noisy).
  rewrite (E_swap (Bin l p) (Bin l p) (fun x y => indicator (T (A + 1 + Z.of_nat x, B + Z.of_nat y)%Z))).
  rewrite (E_swap (Bin l p) (Bin l p) (fun x y => indicator (T (A + Z.of_nat x, B + 1 + Z.of_nat y)%Z))).
  set (G := fun x y : nat => indicator (T (A + Z.of_nat x, B + Z.of_nat y)%Z)).
  rewrite (E_ext _ _ (fun y => E (Bin l p) (fun x => G (S x) y))).
  2: { intro y. apply E_ext. intro x. unfold G. do 2 f_equal. f_equal; lia. }
  rewrite (E_ext _ (fun b0 => E (Bin l p) (fun a0 => indicator (T ((A + Z.of_nat a0)%Z, (B + 1 + Z.of_nat b0)%Z))))
    (fun y => E (Bin l p) (fun x => G x (S y)))).
  2: { intro y. apply E_ext. intro x. unfold G. do 2 f_equal. f_equal; lia. }
  pose proof (both_le m rest u v a b Hu Hv Hb Hab G (fun x y => indicator_01 _)) as BL.
  fold l in BL. rewrite <- (D2 (fun x y => G (S x) y)), <- (D2 (fun x y => G x (S y))) in BL.
  set (X := E (Bin l p) (fun y => E (Bin l p) (fun x => G (S x) y))) in *.
  set (Y := E (Bin l p) (fun y => E (Bin l p) (fun x => G x (S y)))) in *.
  assert (PB : proper (Bin l p)) by (apply Bin_proper; auto).
  assert (Y0 : 0 <= Y).
  { unfold Y. rewrite <- (E_const (Bin l p) 0 PB). apply E_le; [apply PB|]. intro y.
    rewrite <- (E_const (Bin l p) 0 PB). apply E_le; [apply PB|]. intro x. apply indicator_01. }
  assert (DD : 0 < D * D) by (apply Rmult_lt_0_compat; auto).
  pose proof (divided a b c d _ _ (s * s) (X * (D * D)) (Y * (D * D)) (D * D) Hb Hc Hd
    ltac:(apply Rmult_lt_0_compat; auto) G1 A2) as Q.
  assert (Q0 : X * (D * D) <= IZR a / IZR b * (Y * (D * D)) + IZR c / IZR d * (D * D)).
  { apply Q. apply Rmult_le_compat_l with (r := s * s) in BL; [|left; apply Rmult_lt_0_compat; auto]. lra. }
  apply Rle_trans with (IZR a / IZR b * Y + IZR c / IZR d).
  - apply Rmult_le_reg_r with (D * D); auto. lra.
  - apply Rplus_le_compat_r, Rmult_le_compat_r; auto.
Qed.
