(* A certificate for the binomial mechanism, replayed by computation inside Coq.

   Lemma b_noise asserts (eps,delta)-differential privacy of f(x) + Bin(l,p) for large l.  For given numbers it is decided
   by integers: with p = u/(u+v) and delta = c/d rational, and a/b <= e^eps, the masses of Bin(l,p) follow from one of them
   by their ratios, each rounded down and up, and the hockey-stick divergences of Bin(l,p) and 1 + Bin(l,p) are sums of
   positive parts.  The cost is one short multiplication and division a mass, so that thousands of coins take a second.

   Proved: if the computation says yes, the mechanism is (eps, c/d)-differentially private for every 1-sensitive f. *)
From Coq Require Import Reals ZArith Lra Lia List Bool.
From PanshuffleKernel Require Import Law Closeness Parity UniformityTransformation BinomialMechanism Rows.
Import ListNotations.
Open Scope R_scope.

(* C(l,i) u^i v^(l-i). *)
Fixpoint binomial_mass (u v : R) (l i : nat) : R :=
  match l with
  | O => match i with O => 1 | S _ => 0 end
  | S l => v * binomial_mass u v l i + match i with O => 0 | S j => u * binomial_mass u v l j end
  end.

(* f(i) + ... + f(i+n-1). *)
Fixpoint sum_from (n i : nat) (f : nat -> R) : R := match n with O => 0 | S n => f i + sum_from n (S i) f end.

Lemma sum_from_ext : forall n i f g, (forall j, f j = g j) -> sum_from n i f = sum_from n i g.
Proof. induction n; intros i f g H; cbn [sum_from]; [reflexivity|]. rewrite H, (IHn (S i) f g H). reflexivity. Qed.
Lemma sum_from_plus : forall n i f g, sum_from n i (fun j => f j + g j) = sum_from n i f + sum_from n i g.
Proof. induction n; intros i f g; cbn [sum_from]; [ring|]. rewrite IHn. ring. Qed.
Lemma sum_from_times : forall n i c f, sum_from n i (fun j => c * f j) = c * sum_from n i f.
Proof. induction n; intros i c f; cbn [sum_from]; [ring|]. rewrite IHn. ring. Qed.
Lemma sum_from_shift : forall n i f, sum_from n (S i) f = sum_from n i (fun j => f (S j)).
Proof. induction n; intros i f; cbn [sum_from]; [reflexivity|]. rewrite IHn. reflexivity. Qed.
Lemma sum_from_last : forall n i f, sum_from (S n) i f = sum_from n i f + f (i + n)%nat.
Proof.
  induction n; intros i f; [cbn [sum_from]; rewrite Nat.add_0_r; ring|].
  cbn [sum_from] in *. rewrite IHn. replace (S i + n)%nat with (i + S n)%nat by lia. ring.
Qed.

Lemma mass_beyond : forall u v l i, (l < i)%nat -> binomial_mass u v l i = 0.
Proof.
  induction l; intros [|i] H; try lia; [reflexivity|]. cbn [binomial_mass]. rewrite !IHl by lia. ring.
Qed.
Lemma mass_nonneg : forall u v l i, 0 <= u -> 0 <= v -> 0 <= binomial_mass u v l i.
Proof.
  intros u v l i U V. revert i. induction l; intro i; cbn [binomial_mass]; [destruct i; lra|].
  pose proof (Rmult_le_pos _ _ V (IHl i)). destruct i as [|j]; [lra|]. pose proof (Rmult_le_pos _ _ U (IHl j)). lra.
Qed.
Lemma mass_pos : forall u v l i, 0 < u -> 0 < v -> (i <= l)%nat -> 0 < binomial_mass u v l i.
Proof.
  intros u v l i U V. revert i. induction l; intros i H; cbn [binomial_mass]; [destruct i; [lra | lia]|].
  destruct i as [|j]; [pose proof (Rmult_lt_0_compat _ _ V (IHl 0%nat ltac:(lia))); lra|].
  pose proof (Rmult_lt_0_compat _ _ U (IHl j ltac:(lia))).
  pose proof (Rmult_le_pos _ _ (Rlt_le _ _ V) (mass_nonneg u v l (S j) (Rlt_le _ _ U) (Rlt_le _ _ V))). lra.
Qed.

(* The ratio of neighbouring masses. *)
Lemma mass_step : forall u v l i, (i <= l)%nat ->
  binomial_mass u v l (S i) * (INR (S i) * v) = binomial_mass u v l i * (INR (l - i) * u).
Proof.
  intros u v. induction l; intros i H.
  - assert (i = 0)%nat by lia. subst. simpl. ring.
  - destruct (Nat.eq_dec i (S l)) as [Q|Q].
    + subst. rewrite mass_beyond, Nat.sub_diag by lia. simpl. ring.
    + pose proof (IHl i ltac:(lia)) as A. cbn [binomial_mass].
      replace (INR (S l - i)) with (INR (l - i) + 1) by (rewrite <- S_INR; f_equal; lia).
      destruct i as [|j].
      * cbn [binomial_mass] in A. replace (INR (l - 0)) with (INR l) in * by (f_equal; lia). set (x := binomial_mass u v l 1) in *. set (z := binomial_mass u v l 0) in *. change (INR 1) with 1 in *.
        replace ((v * x + u * z) * (1 * v)) with (v * (x * (1 * v)) + u * z * v) by ring. rewrite A. ring.
      * pose proof (IHl j ltac:(lia)) as B. replace (l - j)%nat with (S (l - S j)) in B by lia.
        rewrite (S_INR (l - S j)) in B. rewrite (S_INR (S j)) in A |- *.
        set (x := binomial_mass u v l (S (S j))) in *. set (y := binomial_mass u v l (S j)) in *. set (z := binomial_mass u v l j) in *.
        set (q := INR (l - S j)) in *. set (r := INR (S j)) in *.
        replace ((v * x + u * y) * ((r + 1) * v)) with (v * (x * ((r + 1) * v)) + u * y * ((r + 1) * v)) by ring.
        rewrite A. replace ((v * y + u * z) * ((q + 1) * u)) with (v * y * ((q + 1) * u) + u * (z * ((q + 1) * u))) by ring.
        rewrite <- B. ring.
Qed.

Lemma E_Bin_step : forall n p f, E (Bin (S n) p) f = p * E (Bin n p) (fun c => f (S c)) + (1 - p) * E (Bin n p) f.
Proof.
  intros. cbn [Bin]. rewrite E_bind. unfold Ber. cbn [E]. rewrite !E_bind.
  rewrite (E_ext _ _ (fun c => f (S c))) by (intro; rewrite E_point; reflexivity).
  rewrite (E_ext (Bin n p) (fun a => E (point (if false then S a else a)) f) f) by (intro; rewrite E_point; reflexivity). ring.
Qed.

(* The masses as a row of integers without rounding, for few coins. *)
Fixpoint binomial_row (u v : Z) (l : nat) : list Z :=
  match l with O => [1%Z] | S l => let r := binomial_row u v l in add (times v r) (shift (times u r)) end.

Lemma Bin_row : forall u v l f, (0 < u + v)%Z ->
  E (Bin l (IZR u / IZR (u + v))) f * IZR (u + v) ^ l = weigh (binomial_row u v l) 0 f.
Proof.
  intros u v l f H. apply IZR_lt in H. revert f. pose proof (plus_IZR u v) as HD. set (D := IZR (u + v)) in *.
  assert (HU : IZR u / D * D = IZR u) by (field; lra). induction l; intro f.
  - cbn [Bin binomial_row weigh]. rewrite E_point. simpl. ring.
  - cbn [binomial_row]. cbv zeta. rewrite weigh_add, weigh_times, weigh_shift, weigh_times, <- !IHl, E_Bin_step. cbn [pow].
    set (A := E _ (fun c => f (S c))). set (B := E _ f). set (P := D ^ l).
    transitivity (IZR u / D * D * (A * P) + (D - IZR u / D * D) * (B * P)); [ring|].
    rewrite HU. replace (D - IZR u) with (IZR v) by lra. ring.
Qed.

Lemma Bin_mass : forall u v l f, 0 < u + v ->
  E (Bin l (u / (u + v))) f * (u + v) ^ l = sum_from (S l) 0 (fun i => binomial_mass u v l i * f i).
Proof.
  intros u v l f H. revert f. set (D := u + v) in *. assert (HU : u / D * D = u) by (field; lra).
  induction l; intro f.
  - cbn [Bin sum_from binomial_mass]. rewrite E_point. simpl. ring.
  - rewrite E_Bin_step. cbn [pow].
    transitivity (u / D * D * (E (Bin l (u / D)) (fun c => f (S c)) * D ^ l) + (D - u / D * D) * (E (Bin l (u / D)) f * D ^ l));
      [ring|].
    rewrite !IHl, HU. replace (D - u) with v by (unfold D; ring).
    rewrite (sum_from_ext (S (S l)) 0 _ (fun i => v * (binomial_mass u v l i * f i) +
      match i with O => 0 | S j => u * (binomial_mass u v l j * f (S j)) end)) by (intros [|j]; cbn [binomial_mass]; ring).
    rewrite sum_from_plus, sum_from_times.
    rewrite (sum_from_last (S l) 0 (fun i => binomial_mass u v l i * f i)), mass_beyond by lia.
    assert (Q : sum_from (S (S l)) 0 (fun i => match i with O => 0 | S j => u * (binomial_mass u v l j * f (S j)) end)
      = u * sum_from (S l) 0 (fun j => binomial_mass u v l j * f (S j))).
    { rewrite <- sum_from_times. change (sum_from (S (S l)) 0 ?h) with (h 0%nat + sum_from (S l) 1 h).
      rewrite sum_from_shift. cbv beta iota. ring. }
    rewrite Q. ring.
Qed.

(* Rounded masses.  From a place m with the mass `one`, in units that nobody has to know, the masses on both sides follow by
   their ratios, rounded down and up. *)
Section Rows.
Variable l u v : Z.

Definition round_down (x y : Z) : Z := (x / y)%Z.
Definition round_up (x y : Z) : Z := (- ((- x) / y))%Z.

Fixpoint upward (n : nat) (x low high : Z) : list (Z * Z) :=
  match n with
  | O => []
  | S n =>
    let top := ((l - x) * u)%Z in let bottom := ((x + 1) * v)%Z in
    let low := round_down (low * top) bottom in let high := round_up (high * top) bottom in
    (low, high) :: upward n (x + 1) low high
  end.

Fixpoint downward (n : nat) (x low high : Z) (after : list (Z * Z)) : list (Z * Z) :=
  match n with
  | O => after
  | S n =>
    let top := (x * v)%Z in let bottom := ((l - x + 1) * u)%Z in
    let low := round_down (low * top) bottom in let high := round_up (high * top) bottom in
    downward n (x - 1) low high ((low, high) :: after)
  end.

Fixpoint sum_low (row : list (Z * Z)) : Z := match row with [] => 0 | (low, _) :: row => low + sum_low row end%Z.

(* The divergence of 1 + noise from the noise, and of the noise from 1 + noise, from above: e^eps >= a/b. *)
Fixpoint gain (a b before : Z) (row : list (Z * Z)) : Z :=
  match row with
  | [] => Z.max 0 (b * before)
  | (low, high) :: row => Z.max 0 (b * before - a * low) + gain a b high row
  end%Z.
Fixpoint lose (a b before : Z) (row : list (Z * Z)) : Z :=
  match row with
  | [] => 0
  | (low, high) :: row => Z.max 0 (b * high - a * before) + lose a b low row
  end%Z.
End Rows.

Definition rounded_row (one : Z) (m rest : nat) (u v : Z) : list (Z * Z) :=
  let l := Z.of_nat (m + rest) in let x := Z.of_nat m in
  downward l u v m x one one ((one, one) :: upward l u v rest x one one).

(* p = u/(u+v), e^eps >= a/b, delta = c/d; l = m + rest. *)
Definition accepts (one : Z) (m rest : nat) (u v a b c d : Z) : bool :=
  ((0 <? u) && (0 <? v) && (0 <? b) && (b <=? a) && (0 <=? c) && (0 <? d) && (0 <? one))%Z &&
  (let row := rounded_row one m rest u v in let total := (c * b * sum_low row)%Z in
   (d * gain a b 0 row <=? total)%Z && (d * lose a b 0 row <=? total)%Z).

Lemma floor_le : forall x y, (0 < y)%Z -> IZR (round_down x y) * IZR y <= IZR x.
Proof. intros x y H. unfold round_down. rewrite <- mult_IZR. apply IZR_le. pose proof (Z.mul_div_le x y H). lia. Qed.
Lemma ceiling_ge : forall x y, (0 < y)%Z -> IZR x <= IZR (round_up x y) * IZR y.
Proof. intros x y H. unfold round_up. rewrite <- mult_IZR. apply IZR_le. pose proof (Z.mul_div_le (- x) y H). lia. Qed.

Section Soundness.
Variable m rest : nat.
Variables u v a b c d : Z.
Definition row_size := (m + rest)%nat.
Definition row_mass (i : nat) : R := binomial_mass (IZR u) (IZR v) row_size i.
Hypothesis u_pos : (0 < u)%Z.
Hypothesis v_pos : (0 < v)%Z.
Hypothesis b_pos : (0 < b)%Z.
Hypothesis a_large : (b <= a)%Z.
Variable s : R.
Hypothesis s_pos : 0 < s.

Definition encloses (low high : Z) (i : nat) := IZR low <= s * row_mass i <= IZR high.
Fixpoint enclosed (row : list (Z * Z)) (i : nat) : Prop :=
  match row with [] => True | (low, high) :: row => encloses low high i /\ enclosed row (S i) end.

Lemma next_up : forall low high i, (i <= row_size)%nat -> encloses low high i ->
  let top := ((Z.of_nat row_size - Z.of_nat i) * u)%Z in let bottom := ((Z.of_nat i + 1) * v)%Z in
  encloses (round_down (low * top) bottom) (round_up (high * top) bottom) (S i).
Proof.
  intros low high i H [A B] top bottom. assert (P : (0 < bottom)%Z) by (unfold bottom; nia).
  assert (Q : (0 <= top)%Z) by (unfold top; nia). apply IZR_le in Q as RQ. apply IZR_lt in P as RP.
  pose proof (floor_le (low * top) bottom P) as F. pose proof (ceiling_ge (high * top) bottom P) as C.
  rewrite mult_IZR in F, C.
  assert (S1 : s * row_mass (S i) * IZR bottom = s * row_mass i * IZR top).
  { unfold bottom, top. rewrite !mult_IZR, plus_IZR, minus_IZR, <- !INR_IZR_INZ.
    pose proof (mass_step (IZR u) (IZR v) row_size i H) as M. fold (row_mass i) in M. fold (row_mass (S i)) in M.
    rewrite S_INR, minus_INR in M by lia. rewrite !Rmult_assoc. rewrite M. ring. }
  split; apply Rmult_le_reg_r with (IZR bottom); auto; rewrite S1.
  - apply Rle_trans with (1 := F). apply Rmult_le_compat_r; auto.
  - apply Rle_trans with (2 := C). apply Rmult_le_compat_r; auto.
Qed.

Lemma next_down : forall low high i, (i < row_size)%nat -> encloses low high (S i) ->
  let x := Z.of_nat (S i) in let top := (x * v)%Z in let bottom := ((Z.of_nat row_size - x + 1) * u)%Z in
  encloses (round_down (low * top) bottom) (round_up (high * top) bottom) i.
Proof.
  intros low high i H [A B] x top bottom. assert (P : (0 < bottom)%Z) by (unfold bottom, x; nia).
  assert (Q : (0 <= top)%Z) by (unfold top, x; nia). apply IZR_le in Q as RQ. apply IZR_lt in P as RP.
  pose proof (floor_le (low * top) bottom P) as F. pose proof (ceiling_ge (high * top) bottom P) as C.
  rewrite mult_IZR in F, C.
  assert (S1 : s * row_mass i * IZR bottom = s * row_mass (S i) * IZR top).
  { unfold bottom, top, x. rewrite !mult_IZR, plus_IZR, minus_IZR, <- !INR_IZR_INZ.
    pose proof (mass_step (IZR u) (IZR v) row_size i ltac:(lia)) as M. fold (row_mass i) in M. fold (row_mass (S i)) in M.
    rewrite minus_INR in M by lia. rewrite !Rmult_assoc. rewrite M. rewrite S_INR. ring. }
  split; apply Rmult_le_reg_r with (IZR bottom); auto; rewrite S1.
  - apply Rle_trans with (1 := F). apply Rmult_le_compat_r; auto.
  - apply Rle_trans with (2 := C). apply Rmult_le_compat_r; auto.
Qed.

Lemma upward_enclosed : forall n i low high, (i + n <= row_size)%nat -> encloses low high i ->
  enclosed (upward (Z.of_nat row_size) u v n (Z.of_nat i) low high) (S i).
Proof.
  induction n; intros i low high H A; cbn [upward enclosed]; [exact I|]. cbv zeta.
  pose proof (next_up low high i ltac:(lia) A) as N. cbv zeta in N. split; [exact N|].
  replace (Z.of_nat i + 1)%Z with (Z.of_nat (S i)) by lia. apply IHn; [lia|].
  replace (Z.of_nat (S i)) with (Z.of_nat i + 1)%Z by lia. exact N.
Qed.
Lemma upward_length : forall n x low high, length (upward (Z.of_nat row_size) u v n x low high) = n.
Proof. induction n; intros; cbn [upward length]; auto. Qed.

Lemma downward_enclosed : forall n low high row, (n <= row_size)%nat -> encloses low high n -> enclosed row n ->
  enclosed (downward (Z.of_nat row_size) u v n (Z.of_nat n) low high row) 0.
Proof.
  induction n; intros low high row H A R; cbn [downward]; [exact R|]. cbv zeta.
  pose proof (next_down low high n H A) as N. cbv zeta in N.
  replace (Z.of_nat (S n) - 1)%Z with (Z.of_nat n) by lia. apply IHn; [lia | exact N|]. cbn [enclosed]. split; [exact N | exact R].
Qed.
Lemma downward_length : forall n x low high row,
  length (downward (Z.of_nat row_size) u v n x low high row) = (n + length row)%nat.
Proof. induction n; intros; cbn [downward]; auto. rewrite IHn. cbn [length]. lia. Qed.

Lemma sum_low_le : forall row i, enclosed row i -> IZR (sum_low row) <= s * sum_from (length row) i row_mass.
Proof.
  induction row as [|[low high] row IH]; intros i H; cbn [sum_low length sum_from]; [lra|].
  destruct H as [[A _] H]. specialize (IH (S i) H). rewrite plus_IZR. lra.
Qed.

Lemma part_le : forall x y g X Y, 0 <= g <= 1 -> X <= IZR x -> IZR y <= Y ->
  (X - Y) * g <= IZR (Z.max 0 (x - y)).
Proof.
  intros x y g X Y G A B. assert (P : 0 <= IZR (Z.max 0 (x - y))) by (apply IZR_le; lia).
  assert (Q : IZR x - IZR y <= IZR (Z.max 0 (x - y))) by (rewrite <- minus_IZR; apply IZR_le; lia).
  destruct (Rle_dec 0 (X - Y)); [apply Rle_trans with ((X - Y) * 1); [apply Rmult_le_compat_l|]; lra|].
  apply Rle_trans with 0; [|lra]. nra.
Qed.

Lemma gain_bounds : forall row i before W g, (forall j, 0 <= g j <= 1) -> enclosed row i -> s * W <= IZR before ->
  IZR b * s * W * g i + IZR b * s * sum_from (length row) i (fun j => row_mass j * g (S j))
  <= IZR (gain a b before row) + IZR a * s * sum_from (length row) i (fun j => row_mass j * g j).
Proof.
  pose proof (IZR_lt _ _ b_pos) as RB. pose proof (IZR_le _ _ a_large) as RA.
  induction row as [|[low high] row IH]; intros i before W g G H B; cbn [gain length sum_from].
  - pose proof (part_le (b * before) 0 (g i) (IZR b * (s * W)) 0 (G i)) as P. rewrite mult_IZR, Z.sub_0_r in P.
    specialize (P ltac:(apply Rmult_le_compat_l; lra) ltac:(simpl; lra)). lra.
  - destruct H as [[A1 A2] H]. specialize (IH (S i) high (row_mass i) g G H A2). rewrite plus_IZR.
    pose proof (part_le (b * before) (a * low) (g i) (IZR b * (s * W)) (IZR a * (s * row_mass i)) (G i)) as P.
    rewrite !mult_IZR in P.
    specialize (P ltac:(apply Rmult_le_compat_l; lra) ltac:(apply Rmult_le_compat_l; lra)).
    lra.
Qed.

Lemma lose_bounds : forall row i before W g, (forall j, 0 <= g j <= 1) -> enclosed row i -> 0 <= W -> IZR before <= s * W ->
  IZR b * s * sum_from (length row) i (fun j => row_mass j * g j)
  <= IZR (lose a b before row) + IZR a * s * W * g i + IZR a * s * sum_from (length row) i (fun j => row_mass j * g (S j)).
Proof.
  pose proof (IZR_lt _ _ b_pos) as RB. pose proof (IZR_le _ _ a_large) as RA.
  induction row as [|[low high] row IH]; intros i before W g G H W0 B; cbn [lose length sum_from].
  - specialize (G i). assert (0 <= IZR a * s * W * g i) by (repeat apply Rmult_le_pos; lra). lra.
  - destruct H as [[A1 A2] H].
    assert (W1 : 0 <= row_mass i) by (apply mass_nonneg; apply IZR_le; lia).
    specialize (IH (S i) low (row_mass i) g G H W1 A1). rewrite plus_IZR.
    pose proof (part_le (b * high) (a * before) (g i) (IZR b * (s * row_mass i)) (IZR a * (s * W)) (G i)) as P.
    rewrite !mult_IZR in P.
    specialize (P ltac:(apply Rmult_le_compat_l; lra) ltac:(apply Rmult_le_compat_l; lra)).
    lra.
Qed.
End Soundness.

Lemma accepted_parts : forall one m rest u v a b c d, accepts one m rest u v a b c d = true ->
  (0 < u /\ 0 < v /\ 0 < b /\ b <= a /\ 0 <= c /\ 0 < d /\ 0 < one)%Z
  /\ (d * gain a b 0 (rounded_row one m rest u v) <= c * b * sum_low (rounded_row one m rest u v))%Z
  /\ (d * lose a b 0 (rounded_row one m rest u v) <= c * b * sum_low (rounded_row one m rest u v))%Z.
Proof.
  intros one m rest u v a b c d H. unfold accepts in H. cbv zeta in H. rewrite !andb_true_iff in H.
  rewrite ?Z.ltb_lt, ?Z.leb_le in H. tauto.
Qed.

(* From a sum over the rounded row to the probabilities: X <= (a/b) Y + (c/d) W. *)
Lemma divided : forall (a b c d bound low : Z) (s X Y W : R), (0 < b)%Z -> (0 <= c)%Z -> (0 < d)%Z -> 0 < s ->
  (d * bound <= c * b * low)%Z -> IZR low <= s * W ->
  IZR b * s * X <= IZR bound + IZR a * s * Y -> X <= IZR a / IZR b * Y + IZR c / IZR d * W.
Proof.
  intros a b c d bound low s X Y W Hb Hc Hd Hs H1 H2 H3. apply IZR_le in H1. rewrite !mult_IZR in H1.
  apply IZR_lt in Hb. apply IZR_le in Hc. apply IZR_lt in Hd.
  assert (DB : 0 < IZR d * IZR b) by (apply Rmult_lt_0_compat; lra).
  apply Rmult_le_reg_l with (IZR d * IZR b * s); [apply Rmult_lt_0_compat; lra|].
  replace (IZR d * IZR b * s * (IZR a / IZR b * Y + IZR c / IZR d * W))
    with (IZR d * (IZR a * s * Y) + IZR c * IZR b * (s * W)) by (field; lra).
  assert (H4 : IZR c * IZR b * IZR low <= IZR c * IZR b * (s * W)).
  { apply Rmult_le_compat_l; auto. apply Rmult_le_pos; lra. }
  assert (H5 : IZR d * (IZR b * s * X) <= IZR d * (IZR bound + IZR a * s * Y)) by (apply Rmult_le_compat_l; lra). lra.
Qed.

(* Some unit makes the rounded row enclose the masses. *)
Lemma row_exists : forall one m rest u v, (0 < u)%Z -> (0 < v)%Z -> (0 < one)%Z ->
  exists s, 0 < s /\ enclosed m rest u v s (rounded_row one m rest u v) 0
    /\ length (rounded_row one m rest u v) = S (m + rest).
Proof.
  intros one m rest u v Hu Hv H1. set (W0 := row_mass m rest u v m).
  assert (W0p : 0 < W0) by (apply mass_pos; [apply IZR_lt | apply IZR_lt | unfold row_size]; lia).
  pose proof (IZR_lt _ _ H1) as R1.
  set (s := IZR one / W0). exists s.
  assert (E0 : encloses m rest u v s one one m).
  { unfold encloses. fold W0. replace (s * W0) with (IZR one) by (unfold s; field; lra). lra. }
  split; [apply Rdiv_lt_0_compat; auto|]. split.
  - unfold rounded_row. apply (downward_enclosed m rest u v Hu Hv s); [unfold row_size; lia | exact E0|].
    cbn [enclosed]. split; [exact E0|]. apply (upward_enclosed m rest u v Hu Hv s); [unfold row_size; lia | exact E0].
  - unfold rounded_row. change (Z.of_nat (m + rest)) with (Z.of_nat (row_size m rest)).
    rewrite downward_length. cbn [length]. rewrite upward_length. lia.
Qed.

Lemma Bin_proper : forall l u v, (0 < u)%Z -> (0 < v)%Z -> proper (Bin l (IZR u / IZR (u + v))).
Proof.
  intros l u v Hu Hv. apply IZR_lt in Hu. apply IZR_lt in Hv. apply proper_Bin. rewrite plus_IZR. split.
  - apply Rmult_le_pos; [lra | left; apply Rinv_0_lt_compat; lra].
  - apply Rmult_le_reg_r with (IZR u + IZR v); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra.
Qed.

Lemma mass_total : forall m rest u v, (0 < u)%Z -> (0 < v)%Z ->
  sum_from (S (m + rest)) 0 (row_mass m rest u v) = IZR (u + v) ^ (m + rest).
Proof.
  intros m rest u v Hu Hv. pose proof (IZR_lt _ _ Hu) as Ru. pose proof (IZR_lt _ _ Hv) as Rv.
  pose proof (Bin_mass (IZR u) (IZR v) (m + rest) (fun _ => 1) ltac:(lra)) as Q. rewrite <- plus_IZR in Q.
  rewrite (E_const _ 1 (Bin_proper (m + rest) u v Hu Hv)), Rmult_1_l in Q. rewrite Q. apply sum_from_ext. intro; unfold row_mass, row_size; ring.
Qed.

Theorem certificate_sound : forall one m rest u v a b c d eps, accepts one m rest u v a b c d = true ->
  IZR a / IZR b <= exp eps -> hides_one (m + rest) (IZR u / IZR (u + v)) eps (IZR c / IZR d).
Proof.
  intros one m rest u v a b c d eps H Heps. apply accepted_parts in H.
  destruct H as [[Hu [Hv [Hb [Hab [Hc [Hd H1]]]]]] [G1 G2]].
  pose proof (IZR_lt _ _ Hu) as Ru. pose proof (IZR_lt _ _ Hv) as Rv. pose proof (IZR_lt _ _ Hb) as Rb.
  pose proof (IZR_lt _ _ Hd) as Rd. pose proof (IZR_le _ _ Hc) as Rc. pose proof (IZR_le _ _ Hab) as Rab.
  destruct (row_exists one m rest u v Hu Hv H1) as [s [sp [ER LR]]].
  set (row := rounded_row one m rest u v) in *. set (l := (m + rest)%nat) in *.
  pose proof (sum_low_le m rest u v s row 0 ER) as SL. rewrite LR in SL.
  assert (D : forall f, E (Bin l (IZR u / IZR (u + v))) f * IZR (u + v) ^ l
     = sum_from (S l) 0 (fun i => row_mass m rest u v i * f i)).
  { intro f. rewrite plus_IZR. apply Bin_mass. lra. }
  assert (Dp : 0 < IZR (u + v) ^ l) by (apply pow_lt; rewrite plus_IZR; lra).
  pose proof (mass_total m rest u v Hu Hv) as MT. fold l in MT. rewrite MT in SL.
  assert (NN : forall f, (forall i, 0 <= f i <= 1) -> 0 <= E (Bin l (IZR u / IZR (u + v))) f).
  { intros f F. pose proof (Bin_proper l u v Hu Hv) as PB. rewrite <- (E_const _ 0 PB). apply E_le; [apply PB | apply F]. }
  (* both directions, for tests with values in [0,1] *)
  assert (up : forall g, (forall i, 0 <= g i <= 1) ->
    E (Bin l (IZR u / IZR (u + v))) (fun i => g (S i)) <= exp eps * E (Bin l (IZR u / IZR (u + v))) g + IZR c / IZR d).
  { intros g G. pose proof (gain_bounds m rest u v a b Hb Hab s row 0 0 0 g G ER ltac:(simpl; lra)) as B.
    rewrite LR in B. rewrite <- (D (fun i => g (S i))), <- (D g) in B.
    pose proof (divided a b c d _ _ s (E (Bin l (IZR u / IZR (u + v))) (fun i => g (S i)) * IZR (u + v) ^ l)
      (E (Bin l (IZR u / IZR (u + v))) g * IZR (u + v) ^ l) _ Hb Hc Hd sp G1 SL ltac:(lra)) as Q.
    apply Rle_trans with (IZR a / IZR b * E (Bin l (IZR u / IZR (u + v))) g + IZR c / IZR d).
    - apply Rmult_le_reg_r with (IZR (u + v) ^ l); auto. lra.
    - apply Rplus_le_compat_r, Rmult_le_compat_r; auto. }
  assert (down : forall g, (forall i, 0 <= g i <= 1) ->
    E (Bin l (IZR u / IZR (u + v))) g <= exp eps * E (Bin l (IZR u / IZR (u + v))) (fun i => g (S i)) + IZR c / IZR d).
  { intros g G. pose proof (lose_bounds m rest u v a b Hu Hv Hb Hab s sp row 0 0 0 g G ER ltac:(lra) ltac:(simpl; lra)) as B.
    rewrite LR in B. rewrite <- (D (fun i => g (S i))), <- (D g) in B.
    pose proof (divided a b c d _ _ s (E (Bin l (IZR u / IZR (u + v))) g * IZR (u + v) ^ l)
      (E (Bin l (IZR u / IZR (u + v))) (fun i => g (S i)) * IZR (u + v) ^ l) _ Hb Hc Hd sp G2 SL ltac:(lra)) as Q.
    apply Rle_trans with (IZR a / IZR b * E (Bin l (IZR u / IZR (u + v))) (fun i => g (S i)) + IZR c / IZR d).
    - apply Rmult_le_reg_r with (IZR (u + v) ^ l); auto. lra.
    - apply Rplus_le_compat_r, Rmult_le_compat_r; auto. }
  intros x y Hxy T. unfold Pr. rewrite !E_noisy.
  assert (C : (x = y \/ x = y + 1 \/ y = x + 1)%Z) by lia. destruct C as [C|[C|C]]; subst.
  - pose proof (NN (fun e => indicator (T (y + Z.of_nat e)%Z)) (fun i => indicator_01 _)) as N.
    assert (1 <= exp eps).
    { apply Rle_trans with (2 := Heps). apply Rmult_le_reg_r with (IZR b); auto. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra. }
    assert (0 <= IZR c / IZR d) by (apply Rmult_le_pos; [lra | left; apply Rinv_0_lt_compat; lra]).
    unfold l in *. nra.
  - pose proof (up (fun i => indicator (T (y + Z.of_nat i)%Z)) (fun i => indicator_01 _)) as Q.
    rewrite (E_ext _ _ (fun i => indicator (T (y + Z.of_nat (S i))%Z))) by (intro; do 2 f_equal; lia). exact Q.
  - pose proof (down (fun i => indicator (T (x + Z.of_nat i)%Z)) (fun i => indicator_01 _)) as Q.
    rewrite (E_ext _ (fun c0 => indicator (T (x + 1 + Z.of_nat c0)%Z)) (fun i => indicator (T (x + Z.of_nat (S i))%Z)))
      by (intro; do 2 f_equal; lia). exact Q.
Qed.

(* For every 1-sensitive f. *)
Theorem certificate : forall (one : Z) (m rest : nat) (u v a b c d : Z) (eps : R), accepts one m rest u v a b c d = true ->
  IZR a / IZR b <= exp eps ->
  forall (X : Type) (f : list X -> Z) (n : nat), one_sensitive f ->
  private_on n eps (IZR c / IZR d) (binomial_mechanism (m + rest) (IZR u / IZR (u + v)) f).
Proof.
  intros one m rest u v a b c d eps H Heps.
  apply (proj1 (hides_one_iff (m + rest) (IZR u / IZR (u + v)) eps (IZR c / IZR d))).
  apply (certificate_sound one m rest u v a b c d eps H Heps).
Qed.

(* Bin(80, 1/2) at e^eps = 2.718281828, a little below e, and delta = 10^-6. *)
Theorem example_80 : forall (X : Type) (f : list X -> Z) (n : nat), one_sensitive f ->
  private_on n (ln (2718281828 / 1000000000)) (1 / 1000000) (binomial_mechanism 80 (1 / 2) f).
Proof.
  apply (certificate (2 ^ 120) 40 40 1 1 2718281828 1000000000 1 1000000); [vm_compute; reflexivity|].
  rewrite exp_ln; lra.
Qed.
