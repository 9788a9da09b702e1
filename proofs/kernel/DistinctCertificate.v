(* A certificate for P_DE with real messages, replayed by computation inside Coq.

   A pool of N users, C of them holders, shows its number of ones; a user sends i ones with probability
   C(m,i)(1 + (-1)^i q)/2^m, q = 0 for a holder and q = (1 - e^-eps)^(1/n) for another.  With whole numbers around these masses
   the laws of all pools are enclosed, rounded after each user, and the pair of pools that a changed user touches is compared in every background.
   Proved: if the computation accepts, P_DE is (eps, delta)-private for honest users on every universe. *)
From Coq Require Import Reals ZArith Lra Lia List Bool Permutation.
From PanshuffleKernel Require Power.
From PanshuffleKernel Require Import Law Closeness Parity Shuffle Messages ShuffleModel Distinct Shares Ikos Transformation ShareLaw BinarySum.
From PanshuffleKernel Require Import DistinctPrivacy DistinctTight Rows ShareBound ShareSharp EvenMessages BinomialCertificate.
Import ListNotations.
Open Scope R_scope.

(* ---- functionals between rows of whole numbers ---- *)
Definition measure := (nat -> R) -> R.
Definition between (s : R) (low high : list Z) (mu : measure) : Prop := forall f, (forall i, 0 <= f i) -> weigh low 0 f <= s * mu f <= weigh high 0 f.
Definition plus (mu nu : measure) : measure := fun f => mu (fun i => nu (fun j => f (i + j)%nat)).
Definition monotone (mu : measure) : Prop := (forall f g, (forall i, f i <= g i) -> mu f <= mu g) /\ (forall c f, mu (fun i => c * f i) = c * mu f).
Definition all_nonneg (l : list Z) : bool := forallb (fun w => 0 <=? w)%Z l.
Lemma weigh_mono : forall l i f g, all_nonneg l = true -> (forall j, f j <= g j) -> weigh l i f <= weigh l i g.
Proof.
  induction l as [|w l IH]; intros i f g N H; cbn [weigh]; [lra|]. cbn [all_nonneg forallb] in N. apply andb_true_iff in N. destruct N as [N1 N2].
  apply Z.leb_le, IZR_le in N1. specialize (IH (S i) f g N2 H). assert (IZR w * f i <= IZR w * g i) by (apply Rmult_le_compat_l; auto). lra.
Qed.
Lemma weigh_pos : forall l i f, all_nonneg l = true -> (forall j, 0 <= f j) -> 0 <= weigh l i f.
Proof.
  intros l i f N H. apply Rle_trans with (weigh l i (fun _ => 0)); [|apply weigh_mono; auto]. right. symmetry. revert i. induction l; intro i; cbn [weigh]; [auto|].
  cbn [all_nonneg forallb] in N. apply andb_true_iff in N. rewrite IHl by apply N. ring.
Qed.
Lemma between_plus : forall s s' l h l' h' mu nu, 0 < s -> 0 < s' -> all_nonneg l = true -> all_nonneg h = true -> all_nonneg l' = true -> all_nonneg h' = true -> monotone mu ->
  between s l h mu -> between s' l' h' nu -> between (s * s') (convolve l l') (convolve h h') (plus mu nu).
Proof.
  intros s s' l h l' h' mu nu S S' NL NH NL' NH' [MM MS] B B' f F. rewrite !weigh_convolve. unfold plus.
  pose (lo i := weigh l' 0 (fun j => f (i + j)%nat)). pose (hi i := weigh h' 0 (fun j => f (i + j)%nat)). pose (tr i := nu (fun j => f (i + j)%nat)).
  assert (L0 : forall i, 0 <= lo i) by (intro; apply weigh_pos; auto). assert (H0 : forall i, 0 <= hi i) by (intro; apply weigh_pos; auto).
  assert (T : forall i, lo i <= s' * tr i <= hi i) by (intro i; apply (B' (fun j => f (i + j)%nat)); auto).
  pose proof (B lo L0) as [B1 _]. pose proof (B hi H0) as [_ B2].
  change (weigh l 0 lo <= s * s' * mu tr <= weigh h 0 hi).
  assert (M1 : mu lo <= s' * mu tr) by (rewrite <- MS; apply MM; intro; apply T). assert (M2 : s' * mu tr <= mu hi) by (rewrite <- MS; apply MM; intro; apply T).
  assert (s * mu lo <= s * (s' * mu tr)) by (apply Rmult_le_compat_l; lra). assert (s * (s' * mu tr) <= s * mu hi) by (apply Rmult_le_compat_l; lra). lra.
Qed.
Lemma nonneg_convolve : forall l l', all_nonneg l = true -> all_nonneg l' = true -> all_nonneg (convolve l l') = true.
Proof.
  assert (A : forall r s, all_nonneg r = true -> all_nonneg s = true -> all_nonneg (add r s) = true).
  { induction r as [|x r IH]; intros [|y s] R S; auto. cbn [add all_nonneg forallb] in *. apply andb_true_iff in R, S. apply andb_true_iff. destruct R as [R1 R2], S as [S1 S2].
    split; [apply Z.leb_le in R1, S1; apply Z.leb_le; lia | apply IH; auto]. }
  assert (T : forall c r, (0 <= c)%Z -> all_nonneg r = true -> all_nonneg (times c r) = true).
  { intros c r C. induction r as [|x r IH]; intro R; auto. cbn [times map all_nonneg forallb] in *. apply andb_true_iff in R. apply andb_true_iff. destruct R as [R1 R2].
    split; [apply Z.leb_le in R1; apply Z.leb_le; nia | apply IH; auto]. }
  induction l as [|w l IH]; intros l' L L'; auto. cbn [convolve]. cbn [all_nonneg forallb] in L. apply andb_true_iff in L. destruct L as [L1 L2]. apply Z.leb_le in L1.
  apply A; [apply T; auto|]. unfold shift. cbn [all_nonneg forallb]. apply andb_true_iff. split; [reflexivity | apply IH; auto].
Qed.
(* Products of two scaled rows, brought back to the scale. *)
Definition floors (s : Z) (l : list Z) : list Z := map (fun z => z / s)%Z l.
Definition ceilings (s : Z) (l : list Z) : list Z := map (fun z => - (- z / s))%Z l.
Lemma nonneg_rounded : forall s l, (0 < s)%Z -> all_nonneg l = true -> all_nonneg (floors s l) = true /\ all_nonneg (ceilings s l) = true.
Proof.
  intros s l S. induction l as [|w l IH]; intro N; [split; reflexivity|]. cbn [all_nonneg forallb floors ceilings map] in *.
  apply andb_true_iff in N. destruct N as [N1 N2]. apply Z.leb_le in N1. destruct (IH N2) as [I1 I2].
  pose proof (Z.div_pos w s N1 S). pose proof (Z.mul_div_le (- w) s S). assert (0 <= - (- w / s))%Z by nia.
  split; apply andb_true_iff; (split; [apply Z.leb_le; lia | auto]).
Qed.
Lemma weigh_rounded : forall s l i f, (0 < s)%Z -> (forall j, 0 <= f j) ->
  IZR s * weigh (floors s l) i f <= weigh l i f <= IZR s * weigh (ceilings s l) i f.
Proof.
  intros s l. induction l as [|w l IH]; intros i f S F; cbn [floors ceilings map weigh]; [lra|]. fold (floors s l) (ceilings s l).
  specialize (IH (Datatypes.S i) f S F). specialize (F i).
  pose proof (Z.mul_div_le w s S) as L. pose proof (Z.mul_div_le (- w) s S) as H. apply IZR_le in L, H. rewrite mult_IZR in L, H. rewrite !opp_IZR in *.
  assert (IZR s * IZR (w / s) * f i <= IZR w * f i) by (apply Rmult_le_compat_r; auto).
  assert (IZR w * f i <= - (IZR s * IZR (- w / s)) * f i) by (apply Rmult_le_compat_r; lra). lra.
Qed.
Lemma between_rounded : forall (s : Z) l h mu, (0 < s)%Z -> between (IZR s * IZR s) l h mu -> between (IZR s) (floors s l) (ceilings s h) mu.
Proof.
  intros s l h mu S B f F. specialize (B f F). pose proof (weigh_rounded s l 0 f S F). pose proof (weigh_rounded s h 0 f S F). apply IZR_lt in S.
  split; apply Rmult_le_reg_l with (IZR s); auto; lra.
Qed.

(* ---- the best event, entry by entry ---- *)
Fixpoint row_excess (x y : Z) (h l : list Z) : Z :=
  match h with [] => 0 | p :: h => Z.max 0 (x * p - y * hd 0 l) + row_excess x y h (tl l) end%Z.
Fixpoint excess (a b : Z) (h l h' l' : list Z) : Z :=
  match h with [] => 0 | p :: h => row_excess (b * p) (a * hd 0 l) h' l' + excess a b h (tl l) h' l' end%Z.
Lemma all_nonneg_tl : forall l, all_nonneg l = true -> all_nonneg (tl l) = true /\ (0 <= hd 0 l)%Z.
Proof. intros [|w l] H; [split; [auto | simpl; lia]|]. cbn [all_nonneg forallb] in H. apply andb_true_iff in H. destruct H as [H1 H2]. apply Z.leb_le in H1. split; auto. Qed.
Lemma row_excess_ok : forall h l x y i g, (0 <= y)%Z -> all_nonneg l = true -> (forall j, 0 <= g j <= 1) ->
  IZR x * weigh h i g - IZR y * weigh l i g <= IZR (row_excess x y h l).
Proof.
  induction h as [|p h IH]; intros l x y i g Y N G; cbn [weigh row_excess].
  - assert (0 <= weigh l i g) by (apply weigh_pos; auto; intro; apply G). apply IZR_le in Y. nra.
  - destruct (all_nonneg_tl l N) as [N1 N2]. specialize (IH (tl l) x y (S i) g Y N1 G). rewrite plus_IZR.
    assert (WL : weigh l i g = IZR (hd 0%Z l) * g i + weigh (tl l) (S i) g) by (destruct l; cbn [weigh hd tl]; [ring | auto]). rewrite WL.
    assert (T : (IZR x * IZR p - IZR y * IZR (hd 0%Z l)) * g i <= IZR (Z.max 0 (x * p - y * hd 0%Z l))).
    { specialize (G i). assert (A1 : 0 <= IZR (Z.max 0 (x * p - y * hd 0%Z l))) by (apply IZR_le; lia).
      assert (A2 : IZR x * IZR p - IZR y * IZR (hd 0%Z l) <= IZR (Z.max 0 (x * p - y * hd 0%Z l))) by (rewrite <- !mult_IZR, <- minus_IZR; apply IZR_le; lia).
      destruct (Rle_dec 0 (IZR x * IZR p - IZR y * IZR (hd 0%Z l))); nra. }
    lra.
Qed.
Lemma excess_ok : forall a b h l h' l' i (g : nat -> nat -> R), (0 <= a)%Z -> all_nonneg l = true -> all_nonneg l' = true -> (forall u v, 0 <= g u v <= 1) ->
  IZR b * weigh h i (fun u => weigh h' 0 (g u)) - IZR a * weigh l i (fun u => weigh l' 0 (g u)) <= IZR (excess a b h l h' l').
Proof.
  intros a b h. induction h as [|p h IH]; intros l h' l' i g A N N' G; cbn [weigh excess].
  - assert (0 <= weigh l i (fun u => weigh l' 0 (g u))) by (apply weigh_pos; auto; intro; apply weigh_pos; auto; intro; apply G). apply IZR_le in A. nra.
  - destruct (all_nonneg_tl l N) as [N1 N2]. specialize (IH (tl l) h' l' (S i) g A N1 N' G). rewrite plus_IZR.
    assert (WL : weigh l i (fun u => weigh l' 0 (g u)) = IZR (hd 0%Z l) * weigh l' 0 (g i) + weigh (tl l) (S i) (fun u => weigh l' 0 (g u))) by (destruct l; cbn [weigh hd tl]; [ring | auto]).
    rewrite WL. pose proof (row_excess_ok h' l' (b * p) (a * hd 0%Z l) 0 (g i) ltac:(nia) N' (G i)) as R. rewrite !mult_IZR in R. lra.
Qed.

(* ---- one user, and pools ---- *)
Fixpoint mixed_row (B x y : Z) (r r' : list Z) : list Z :=
  match r, r' with w :: r, v :: r' => (B * w + (if (0 <=? v)%Z then x * v else y * v))%Z :: mixed_row B x y r r' | _, _ => [] end.
Definition holder_row (m : nat) (B : Z) : list Z := times B (binomial_row 1 1 m).
Definition low_row (m : nat) (B ql qh : Z) : list Z := mixed_row B ql qh (binomial_row 1 1 m) (binomial_row (-1) 1 m).
Definition high_row (m : nat) (B ql qh : Z) : list Z := mixed_row B qh ql (binomial_row 1 1 m) (binomial_row (-1) 1 m).
Definition whole (m : nat) (B : Z) : Z := (2 ^ Z.of_nat m * B)%Z.
Fixpoint rest_low (m : nat) (B ql qh : Z) (k : nat) : list Z :=
  match k with O => [whole m B] | S k => floors (whole m B) (convolve (low_row m B ql qh) (rest_low m B ql qh k)) end.
Fixpoint rest_high (m : nat) (B ql qh : Z) (k : nat) : list Z :=
  match k with O => [whole m B] | S k => ceilings (whole m B) (convolve (high_row m B ql qh) (rest_high m B ql qh k)) end.
Fixpoint pool_low (m : nat) (B ql qh : Z) (c others : nat) : list Z :=
  match c with O => rest_low m B ql qh others | S c => floors (whole m B) (convolve (holder_row m B) (pool_low m B ql qh c others)) end.
Fixpoint pool_high (m : nat) (B ql qh : Z) (c others : nat) : list Z :=
  match c with O => rest_high m B ql qh others | S c => ceilings (whole m B) (convolve (holder_row m B) (pool_high m B ql qh c others)) end.
(* A table of the pools by their numbers of holders, so that each is computed once. *)
Definition tabled (pool : nat -> nat -> list Z) (N : nat) : list (list Z) := map (fun c => pool c (N - c)%nat) (seq 0 (S N)).
Lemma tabled_at : forall pool N c, (c <= N)%nat -> nth c (tabled pool N) [] = pool c (N - c)%nat.
Proof.
  intros pool N c H. unfold tabled. rewrite (nth_indep _ [] ((fun c => pool c (N - c)%nat) O)) by (rewrite map_length, seq_length; lia).
  rewrite (map_nth (fun c => pool c (N - c)%nat)), seq_nth by lia. reflexivity.
Qed.
(* The background: ca and cb of the other users hold a and b. *)
Definition pair_excess (a b : Z) (lows highs : list (list Z)) (ca cb : nat) : Z :=
  excess a b (nth (S ca) highs []) (nth ca lows []) (nth cb highs []) (nth (S cb) lows []).
Definition backgrounds (N : nat) : list (nat * nat) := flat_map (fun ca => map (pair ca) (seq 0 (N - ca))) (seq 0 N).
Definition sane (m : nat) (B ql qh a b c d : Z) : bool :=
  ((0 <? B) && (0 <? a) && (0 <? b) && (0 <=? c) && (0 <? d) && all_nonneg (low_row m B ql qh) && all_nonneg (high_row m B ql qh))%Z.
Lemma sane_facts : forall m B ql qh a b c d, sane m B ql qh a b c d = true ->
  (0 < B)%Z /\ 0 < IZR a /\ 0 < IZR b /\ 0 < IZR d /\ 0 <= IZR c / IZR d /\ all_nonneg (low_row m B ql qh) = true /\ all_nonneg (high_row m B ql qh) = true.
Proof.
  intros m B ql qh a b c d H. unfold sane in H. rewrite !andb_true_iff, ?Z.ltb_lt, ?Z.leb_le in H.
  destruct H as [[[[[[H1 H2] H3] H4] H5] H6] H7]. apply IZR_lt in H2, H3, H5. apply IZR_le in H4.
  assert (0 <= IZR c / IZR d) by (apply Rmult_le_pos; [exact H4 | left; apply Rinv_0_lt_compat; auto]). auto 8.
Qed.
Definition accepts_distinct (m : nat) (B ql qh : Z) (N : nat) (a b c d : Z) : bool :=
  (sane m B ql qh a b c d &&
   let lows := tabled (pool_low m B ql qh) N in let highs := tabled (pool_high m B ql qh) N in let most := c * b * (whole m B * whole m B) in
   forallb (fun cc => d * pair_excess a b lows highs (fst cc) (snd cc) <=? most) (backgrounds N))%Z.
(* One pool alone, in both directions. *)
Definition accepts_pool (m : nat) (B ql qh : Z) (N : nat) (a b c d : Z) : bool :=
  (sane m B ql qh a b c d &&
   let lows := tabled (pool_low m B ql qh) N in let highs := tabled (pool_high m B ql qh) N in let most := c * b * whole m B in
   forallb (fun h => (d * row_excess b a (nth (S h) highs []) (nth h lows []) <=? most) &&
                     (d * row_excess b a (nth h highs []) (nth (S h) lows []) <=? most)) (seq 0 N))%Z.

Section Sound.
Variables (m : nat) (B ql qh : Z) (q : R).
Hypothesis m_pos : (0 < m)%nat.
Hypothesis B_pos : (0 < B)%Z.
Hypothesis q_in : IZR ql <= IZR B * q <= IZR qh.
Hypothesis q_01 : 0 <= q <= 1.
Hypothesis low_ok : all_nonneg (low_row m B ql qh) = true.
Hypothesis high_ok : all_nonneg (high_row m B ql qh) = true.
Let s := 2 ^ m * IZR B.
Definition ones_of (r : R) : measure := fun f => E (user m r) (fun l => f (heads l)).
Lemma s_pos : 0 < s.
Proof. unfold s. apply Rmult_lt_0_compat; [apply pow_lt; lra | apply IZR_lt; auto]. Qed.
Lemma ones_monotone : forall r, -1 <= r <= 1 -> monotone (ones_of r).
Proof.
  intros r R0. pose proof (proper_user m r R0) as P. split.
  - intros f g H. apply E_le; [apply P | auto].
  - intros c f. unfold ones_of. apply E_mult.
Qed.
Lemma weighted_row : forall v n f, weighted (IZR v) n f = weigh (binomial_row v 1 n) 0 f.
Proof.
  intro v. induction n as [|n IH]; intro f.
  - unfold weighted. simpl. ring.
  - rewrite weighted_step, !IH. cbn [binomial_row]. cbv zeta. rewrite weigh_add, weigh_times, weigh_shift, weigh_times. simpl (IZR 1). ring.
Qed.
Lemma ones_rows : forall r f, 2 ^ m * ones_of r f = weigh (binomial_row 1 1 m) 0 f + r * weigh (binomial_row (-1) 1 m) 0 f.
Proof.
  intros r f. unfold ones_of. rewrite user_split by auto. rewrite <- !weighted_row.
  pose proof (fair_weighted m f) as F. pose proof (sign_weighted m f) as S. simpl (IZR 1). simpl (IZR (-1)).
  assert (Q : E (mixed m 0) (fun l => f (heads l)) = E (power_of sign_part m) (fun l => f (heads l))).
  { unfold mixed, power_of. cbn [repeat concatenated]. rewrite E_join. apply E_ext; intro l. rewrite E_point, app_nil_r. reflexivity. }
  rewrite Q in S. unfold fair_bits in F. rewrite <- F, <- S. ring.
Qed.
Lemma mixed_row_ok : forall x y r r' i f, (forall j, 0 <= f j) -> length r = length r' -> x <= IZR B * q -> IZR B * q <= y ->
  forall xz yz, x = IZR xz -> y = IZR yz ->
  weigh (mixed_row B xz yz r r') i f <= IZR B * (weigh r i f + q * weigh r' i f) <= weigh (mixed_row B yz xz r r') i f.
Proof.
  intros x y r. induction r as [|w r IH]; intros [|v r'] i f F L X Y xz yz XZ YZ; try discriminate; cbn [mixed_row weigh]; [lra|].
  specialize (IH r' (S i) f F ltac:(simpl in L; lia) X Y xz yz XZ YZ). specialize (F i). rewrite !plus_IZR, !mult_IZR. subst x y.
  destruct (Z.leb_spec 0 v) as [V|V]; rewrite mult_IZR; [apply IZR_le in V | apply IZR_lt in V]; rewrite mult_IZR.
  - assert (IZR xz * IZR v * f i <= IZR B * q * IZR v * f i) by (apply Rmult_le_compat_r; auto; apply Rmult_le_compat_r; lra).
    assert (IZR B * q * IZR v * f i <= IZR yz * IZR v * f i) by (apply Rmult_le_compat_r; auto; apply Rmult_le_compat_r; lra). lra.
  - assert (IZR yz * IZR v * f i <= IZR B * q * IZR v * f i) by (apply Rmult_le_compat_r; auto; nra).
    assert (IZR B * q * IZR v * f i <= IZR xz * IZR v * f i) by (apply Rmult_le_compat_r; auto; nra). lra.
Qed.
Lemma rows_length : forall v n, length (binomial_row v 1 n) = S n.
Proof.
  intros v n. induction n as [|n IH]; [reflexivity|]. cbn [binomial_row]. cbv zeta.
  assert (A : forall r t, length (add r t) = Nat.max (length r) (length t)) by (induction r as [|x r IHr]; intros [|y t]; simpl; auto).
  rewrite A. unfold times, shift. simpl. rewrite !map_length, IH. lia.
Qed.
Lemma other_between : between s (low_row m B ql qh) (high_row m B ql qh) (ones_of q).
Proof.
  intros f F. unfold s. replace (2 ^ m * IZR B * ones_of q f) with (IZR B * (2 ^ m * ones_of q f)) by ring. rewrite ones_rows.
  apply (mixed_row_ok (IZR ql) (IZR qh)); auto; try lra. rewrite !rows_length. reflexivity.
Qed.
Lemma holder_between : between s (holder_row m B) (holder_row m B) (ones_of 0).
Proof.
  intros f F. unfold s, holder_row. replace (2 ^ m * IZR B * ones_of 0 f) with (IZR B * (2 ^ m * ones_of 0 f)) by ring. rewrite ones_rows, weigh_times. lra.
Qed.
Lemma nonneg_one_row : forall n, all_nonneg (binomial_row 1 1 n) = true.
Proof.
  assert (A : forall r t, all_nonneg r = true -> all_nonneg t = true -> all_nonneg (add r t) = true).
  { induction r as [|x r IH]; intros [|y t] R S; auto. cbn [add all_nonneg forallb] in *. apply andb_true_iff in R, S. apply andb_true_iff. destruct R as [R1 R2], S as [S1 S2].
    split; [apply Z.leb_le in R1, S1; apply Z.leb_le; lia | apply IH; auto]. }
  assert (T : forall r, all_nonneg r = true -> all_nonneg (times 1 r) = true).
  { induction r as [|x r IH]; intro R; auto. cbn [times map all_nonneg forallb] in *. apply andb_true_iff in R. apply andb_true_iff. destruct R as [R1 R2]. split; [apply Z.leb_le in R1; apply Z.leb_le; lia | apply IH; auto]. }
  induction n as [|n IH]; [reflexivity|]. cbn [binomial_row]. cbv zeta. apply A; [apply T; auto|]. unfold shift. cbn [all_nonneg forallb]. apply andb_true_iff. split; [reflexivity | apply T; auto].
Qed.
Lemma nonneg_holder : all_nonneg (holder_row m B) = true.
Proof.
  unfold holder_row. pose proof (nonneg_one_row m) as N. revert N. generalize (binomial_row 1 1 m). induction l as [|x l IH]; intro R; auto.
  cbn [times map all_nonneg forallb] in *. apply andb_true_iff in R. apply andb_true_iff. destruct R as [R1 R2]. split; [apply Z.leb_le in R1; apply Z.leb_le; nia | apply IH; auto].
Qed.
Fixpoint pool_measure (c others : nat) : measure :=
  match c with
  | S c => plus (ones_of 0) (pool_measure c others)
  | O => (fix rest (k : nat) : measure := match k with O => fun f => f O | S k => plus (ones_of q) (rest k) end) others
  end.
Lemma whole_is : IZR (whole m B) = s.
Proof. unfold whole, s. rewrite mult_IZR, <- pow_IZR. reflexivity. Qed.
Lemma whole_pos : (0 < whole m B)%Z.
Proof. apply lt_IZR. rewrite whole_is. apply s_pos. Qed.
Lemma pool_nonneg_rows : forall c others, all_nonneg (pool_low m B ql qh c others) = true /\ all_nonneg (pool_high m B ql qh c others) = true.
Proof.
  pose proof whole_pos as W. induction c as [|c IH]; intro others; cbn [pool_low pool_high].
  - induction others as [|k IHk]; cbn [rest_low rest_high].
    + cbn [all_nonneg forallb]. split; apply andb_true_iff; (split; [apply Z.leb_le; lia | reflexivity]).
    + destruct IHk as [I1 I2]. split; apply (nonneg_rounded (whole m B)); auto; apply nonneg_convolve; auto.
  - destruct (IH others) as [I1 I2]. split; apply (nonneg_rounded (whole m B)); auto; apply nonneg_convolve; auto using nonneg_holder.
Qed.
Lemma pool_between : forall c others, between s (pool_low m B ql qh c others) (pool_high m B ql qh c others) (pool_measure c others).
Proof.
  pose proof whole_pos as W. pose proof s_pos as S0. induction c as [|c IH]; intro others.
  - induction others as [|k IHk].
    + intros f F. cbn [pool_low pool_high rest_low rest_high pool_measure weigh]. rewrite whole_is. lra.
    + destruct (pool_nonneg_rows 0 k) as [N1 N2]. rewrite <- whole_is. apply between_rounded; auto. rewrite whole_is.
      apply (between_plus s s (low_row m B ql qh) (high_row m B ql qh) (pool_low m B ql qh 0 k) (pool_high m B ql qh 0 k) (ones_of q) (pool_measure 0 k));
        auto using other_between. apply ones_monotone. lra.
  - destruct (pool_nonneg_rows c others) as [N1 N2]. cbn [pool_low pool_high pool_measure]. rewrite <- whole_is. apply between_rounded; auto. rewrite whole_is.
    apply between_plus; auto using holder_between, nonneg_holder. apply ones_monotone. lra.
Qed.
Lemma pool_mono : forall c others f g, (forall i, f i <= g i) -> pool_measure c others f <= pool_measure c others g.
Proof.
  induction c as [|c IH]; intros others f g H; cbn [pool_measure].
  - revert f g H. induction others as [|k IHk]; intros f g H; [apply H|]. unfold plus. apply (proj1 (ones_monotone q ltac:(lra))). intro i. apply IHk. auto.
  - unfold plus. apply (proj1 (ones_monotone 0 ltac:(lra))). intro i. apply IH. auto.
Qed.

Lemma pool_scale : forall c others x f, pool_measure c others (fun i => x * f i) = x * pool_measure c others f.
Proof.
  induction c as [|c IH]; intros others x f; cbn [pool_measure].
  - revert f. induction others as [|k IHk]; intro f; [reflexivity|]. unfold plus. rewrite <- (proj2 (ones_monotone q ltac:(lra))). unfold ones_of. apply E_ext; intro l. apply IHk.
  - unfold plus. rewrite <- (proj2 (ones_monotone 0 ltac:(lra))). unfold ones_of. apply E_ext; intro l. apply IH.
Qed.

Variables a b c d : Z.
Variable N : nat.
Lemma pool_bound : forall h h' (g : nat -> R), sane m B ql qh a b c d = true -> (forall i, 0 <= g i <= 1) ->
  (d * row_excess b a (pool_high m B ql qh h (N - h)) (pool_low m B ql qh h' (N - h')) <= c * b * whole m B)%Z ->
  pool_measure h (N - h) g <= IZR a / IZR b * pool_measure h' (N - h') g + IZR c / IZR d.
Proof.
  intros h h' g SN G AF. destruct (sane_facts _ _ _ _ _ _ _ _ SN) as [_ [A2 [A3 [A5 _]]]]. pose proof (lt_IZR _ _ A2) as AZ.
  apply IZR_le in AF. rewrite !mult_IZR, whole_is in AF. pose proof s_pos as S0.
  destruct (pool_between h (N - h) g (fun i => proj1 (G i))) as [_ W1]. destruct (pool_between h' (N - h') g (fun i => proj1 (G i))) as [W2 _].
  pose proof (row_excess_ok (pool_high m B ql qh h (N - h)) (pool_low m B ql qh h' (N - h')) b a 0 g ltac:(lia) (proj1 (pool_nonneg_rows h' (N - h'))) G) as EX.
  set (S := s) in *. clearbody S. set (PP := pool_measure h (N - h) g) in *. set (QQ := pool_measure h' (N - h') g) in *. set (XX := IZR (row_excess b a _ _)) in *.
  assert (IZR b * (S * PP) - IZR a * (S * QQ) <= XX).
  { assert (IZR b * (S * PP) <= IZR b * weigh (pool_high m B ql qh h (N - h)) 0 g) by (apply Rmult_le_compat_l; lra).
    assert (IZR a * weigh (pool_low m B ql qh h' (N - h')) 0 g <= IZR a * (S * QQ)) by (apply Rmult_le_compat_l; lra). lra. }
  apply Rmult_le_reg_l with (IZR d * IZR b * S); [repeat apply Rmult_lt_0_compat; auto|].
  replace (IZR d * IZR b * S * (IZR a / IZR b * QQ + IZR c / IZR d)) with (IZR d * (IZR a * (S * QQ)) + IZR c * IZR b * S) by (field; lra).
  assert (IZR d * (IZR b * (S * PP) - IZR a * (S * QQ)) <= IZR d * XX) by (apply Rmult_le_compat_l; lra). lra.
Qed.
Hypothesis accepted : accepts_distinct m B ql qh N a b c d = true.
Lemma pair_bound : forall ca cb (g : nat -> nat -> R), (ca + cb < N)%nat -> (forall u v, 0 <= g u v <= 1) ->
  pool_measure (S ca) (N - S ca) (fun i => pool_measure cb (N - cb) (g i))
  <= IZR a / IZR b * pool_measure ca (N - ca) (fun i => pool_measure (S cb) (N - S cb) (g i)) + IZR c / IZR d.
Proof.
  intros ca cb g CC G. unfold accepts_distinct in accepted. apply andb_true_iff in accepted.
  destruct accepted as [SN AF]. cbv zeta in AF. rewrite forallb_forall in AF. destruct (sane_facts _ _ _ _ _ _ _ _ SN) as [A1 [A2 [A3 [A5 _]]]].
  pose proof (lt_IZR _ _ A2) as AZ.
  assert (IN : In (ca, cb) (backgrounds N)).
  { unfold backgrounds. apply in_flat_map. exists ca. split; [apply in_seq; lia|]. apply in_map. apply in_seq. lia. }
  specialize (AF (ca, cb) IN). cbn [fst snd] in AF. unfold pair_excess in AF. rewrite !tabled_at in AF by lia. apply Z.leb_le, IZR_le in AF.
  pose proof (pool_nonneg_rows (S ca) (N - S ca)) as [P1 P2]. pose proof (pool_nonneg_rows cb (N - cb)) as [P3 P4].
  pose proof (pool_nonneg_rows ca (N - ca)) as [P5 P6]. pose proof (pool_nonneg_rows (S cb) (N - S cb)) as [P7 P8].
  set (S := s). assert (SP : 0 < S) by apply s_pos.
  assert (B1 := pool_between (Datatypes.S ca) (N - Datatypes.S ca)). fold S in B1.
  assert (B2 := pool_between cb (N - cb)). fold S in B2.
  assert (B3 := pool_between ca (N - ca)). fold S in B3.
  assert (B4 := pool_between (Datatypes.S cb) (N - Datatypes.S cb)). fold S in B4.
  (* from above *)
  assert (U1 : S * S * pool_measure (Datatypes.S ca) (N - Datatypes.S ca) (fun i => pool_measure cb (N - cb) (g i))
     <= weigh (pool_high m B ql qh (Datatypes.S ca) (N - Datatypes.S ca)) 0 (fun i => weigh (pool_high m B ql qh cb (N - cb)) 0 (g i))).
  { assert (H0 : forall i, 0 <= weigh (pool_high m B ql qh cb (N - cb)) 0 (g i)) by (intro; apply weigh_pos; auto; intro; apply G).
    destruct (B1 _ H0) as [_ W]. eapply Rle_trans; [|exact W]. rewrite Rmult_assoc. apply Rmult_le_compat_l; [lra|].
    rewrite <- pool_scale. apply pool_mono. intro i. apply (B2 (g i)). intro; apply G. }
  (* from below *)
  assert (U2 : weigh (pool_low m B ql qh ca (N - ca)) 0 (fun i => weigh (pool_low m B ql qh (Datatypes.S cb) (N - Datatypes.S cb)) 0 (g i))
     <= S * S * pool_measure ca (N - ca) (fun i => pool_measure (Datatypes.S cb) (N - Datatypes.S cb) (g i))).
  { assert (H0 : forall i, 0 <= weigh (pool_low m B ql qh (Datatypes.S cb) (N - Datatypes.S cb)) 0 (g i)) by (intro; apply weigh_pos; auto; intro; apply G).
    destruct (B3 _ H0) as [W _]. eapply Rle_trans; [exact W|]. rewrite Rmult_assoc. apply Rmult_le_compat_l; [lra|].
    rewrite <- pool_scale. apply pool_mono. intro i. apply (B4 (g i)). intro; apply G. }
  pose proof (excess_ok a b (pool_high m B ql qh (Datatypes.S ca) (N - Datatypes.S ca)) (pool_low m B ql qh ca (N - ca)) (pool_high m B ql qh cb (N - cb))
    (pool_low m B ql qh (Datatypes.S cb) (N - Datatypes.S cb)) 0 g ltac:(lia) P5 P7 G) as EX.
  rewrite !mult_IZR, whole_is in AF. fold S in AF. set (PP := pool_measure (Datatypes.S ca) _ _) in *. set (QQ := pool_measure ca _ _) in *. set (XX := IZR (excess a b _ _ _ _)) in *.
  assert (IZR b * (S * S * PP) - IZR a * (S * S * QQ) <= XX).
  { assert (IZR b * (S * S * PP) <= IZR b * weigh (pool_high m B ql qh (Datatypes.S ca) (N - Datatypes.S ca)) 0 (fun i => weigh (pool_high m B ql qh cb (N - cb)) 0 (g i))) by (apply Rmult_le_compat_l; lra).
    assert (IZR a * weigh (pool_low m B ql qh ca (N - ca)) 0 (fun i => weigh (pool_low m B ql qh (Datatypes.S cb) (N - Datatypes.S cb)) 0 (g i)) <= IZR a * (S * S * QQ)) by (apply Rmult_le_compat_l; lra). lra. }
  assert (SS : 0 < S * S) by (apply Rmult_lt_0_compat; auto).
  apply Rmult_le_reg_l with (IZR d * IZR b * (S * S)); [apply Rmult_lt_0_compat; [apply Rmult_lt_0_compat; auto | auto]|].
  replace (IZR d * IZR b * (S * S) * (IZR a / IZR b * QQ + IZR c / IZR d)) with (IZR d * (IZR a * (S * S * QQ)) + IZR c * IZR b * (S * S)) by (field; lra).
  assert (IZR d * (IZR b * (S * S * PP) - IZR a * (S * S * QQ)) <= IZR d * XX) by (apply Rmult_le_compat_l; lra). lra.
Qed.
End Sound.

(* ---- the pools of the protocol ---- *)
Section Protocol.
Variable Element : Type.
Variable same : forall a b : Element, {a = b} + {a <> b}.
Variable n : nat.
Hypothesis n_pos : (0 < n)%nat.
Variable eps0 : R.
Hypothesis eps0_pos : 0 < eps0.
Variable m : nat.
Hypothesis m_pos : (0 < m)%nat.
Let q := no_flip n eps0.
Let column := col Element same n eps0 (R_MOD m).
Definition holders (j : Element) (x : list Element) : nat := length (filter (fun a => if same a j then true else false) x).
Fixpoint by_users (j : Element) (x : list Element) : measure :=
  match x with [] => fun f => f O | a :: x => plus (ones_of m (if same a j then 0 else q)) (by_users j x) end.
Lemma share_01 : 0 <= q <= 1.
Proof. pose proof (q_range n n_pos eps0 eps0_pos) as Q. fold q in Q. lra. Qed.
Lemma heads_le : forall l, (heads l <= length l)%nat.
Proof. induction l as [|[|] l IH]; simpl; lia. Qed.
Lemma ones_ext : forall r f g, (forall i, (i <= m)%nat -> f i = g i) -> ones_of m r f = ones_of m r g.
Proof.
  intros r f g H. unfold ones_of. apply E_ext_in. intros p I. apply H. apply user_length in I; auto. rewrite <- I. apply heads_le.
Qed.
Lemma by_users_ext : forall j x f g, (forall i, (i <= m * length x)%nat -> f i = g i) -> by_users j x f = by_users j x g.
Proof.
  intros j x. induction x as [|a x IH]; intros f g H; cbn [by_users length] in *; [apply H; lia|].
  unfold plus. apply ones_ext. intros i I. apply IH. intros h Hh. apply H. nia.
Qed.
Definition shown (j : Element) (total h : nat) : list (Element * bool) := map (pair j) (repeat true h ++ repeat false (total - h)).
Lemma column_measure : forall j x F, order_free F -> E (column j x) F = by_users j x (fun h => F (shown j (m * length x) h)).
Proof.
  intros j x. induction x as [|a x IH]; intros F HF.
  - unfold column, col. cbn [map concatenated by_users]. rewrite E_point. f_equal. unfold shown. simpl. rewrite Nat.mul_0_r. reflexivity.
  - unfold column, col in *. cbn [map concatenated by_users]. rewrite E_join.
    rewrite (E_ext _ _ (fun l => by_users j x (fun h => F (l ++ shown j (m * length x) h)))) by (intro l; apply IH; apply order_free_app; auto).
    rewrite (message_user Element same n eps0 m a j). fold q. unfold plus, ones_of. apply E_ext_in. intros p I. apply user_length in I; auto.
    apply by_users_ext. intros h Hh. apply HF. unfold shown. rewrite <- map_app. apply Permutation_map.
    pose proof (sorted_bits (fst p)) as SB. pose proof (heads_le (fst p)) as HL.
    eapply perm_trans; [apply Permutation_app_tail; exact SB|]. rewrite I in *. cbn [length].
    replace (repeat true (heads (fst p) + h)) with (repeat true (heads (fst p)) ++ repeat true h) by (symmetry; apply repeat_app).
    replace (repeat false (m * S (length x) - (heads (fst p) + h))) with (repeat false (m - heads (fst p)) ++ repeat false (m * length x - h)) by (rewrite <- repeat_app; f_equal; nia).
    rewrite <- !app_assoc. apply Permutation_app_head. rewrite !app_assoc. apply Permutation_app_tail, Permutation_app_comm.
Qed.
Lemma move_other : forall c o f, plus (ones_of m q) (pool_measure m q c o) f = pool_measure m q c (S o) f.
Proof.
  induction c as [|c IH]; intros o f; [reflexivity|].
  change (E (user m q) (fun l => E (user m 0) (fun r => pool_measure m q c o (fun h => f (heads l + (heads r + h))%nat)))
    = E (user m 0) (fun r => pool_measure m q c (S o) (fun h => f (heads r + h)%nat))).
  rewrite E_swap. apply E_ext; intro r. rewrite <- (IH o (fun h => f (heads r + h)%nat)). unfold plus, ones_of. apply E_ext; intro l.
  f_equal. apply FunctionalExtensionality.functional_extensionality. intro h. f_equal. lia.
Qed.
Lemma holders_le : forall j x, (holders j x <= length x)%nat.
Proof. intros j x. unfold holders. induction x as [|a x IH]; simpl; [lia | destruct (same a j); simpl; lia]. Qed.
Lemma users_pool : forall j x f, by_users j x f = pool_measure m q (holders j x) (length x - holders j x) f.
Proof.
  intros j x. induction x as [|a x IH]; intro f; [reflexivity|]. cbn [by_users]. pose proof (holders_le j x) as HL.
  assert (EX : by_users j x = pool_measure m q (holders j x) (length x - holders j x)) by (apply FunctionalExtensionality.functional_extensionality; auto).
  rewrite EX. unfold holders in *. cbn [filter]. destruct (same a j) as [S|S]; cbn [length].
  - reflexivity.
  - rewrite move_other. f_equal. lia.
Qed.
Lemma holders_app : forall j x y, holders j (x ++ y) = (holders j x + holders j y)%nat.
Proof. intros. unfold holders. rewrite filter_app, app_length. reflexivity. Qed.
Lemma holders_cons : forall j a x, holders j (a :: x) = ((if same a j then 1 else 0) + holders j x)%nat.
Proof. intros. unfold holders. cbn [filter]. destruct (same a j); reflexivity. Qed.
Lemma two_labels : forall a b x, a <> b -> (holders a x + holders b x <= length x)%nat.
Proof.
  intros a b x AB. induction x as [|y x IH]; [unfold holders; simpl; lia|]. rewrite !holders_cons. cbn [length].
  destruct (same y a), (same y b); subst; try contradiction; lia.
Qed.

Variables (B ql qh a0 b0 c0 d0 : Z) (N : nat) (eps : R).
(* ---- one pool ---- *)
Theorem distinct_pool_sound : accepts_pool m B ql qh N a0 b0 c0 d0 = true -> IZR ql <= IZR B * q <= IZR qh -> IZR a0 / IZR b0 <= exp eps -> 0 <= eps ->
  forall j, private_on N eps (IZR c0 / IZR d0) (fun x => bind (column j x) shuffle).
Proof.
  intros AC q_in ratio E0 j x x' L NB T. unfold accepts_pool in AC. apply andb_true_iff in AC. destruct AC as [SN AF]. cbv zeta in AF. rewrite forallb_forall in AF.
  destruct (sane_facts _ _ _ _ _ _ _ _ SN) as [A1 [A2 [A3 [A5 [D0 [A8 A9]]]]]]. pose proof (neighbours_length _ _ NB) as LL. rewrite L in LL.
  set (g h := Pr (shuffle (shown j (m * N) h)) T). assert (G : forall h, 0 <= g h <= 1) by (intro; apply Pr_01, proper_shuffle).
  assert (V : forall y, length y = N -> Pr (bind (column j y) shuffle) T = pool_measure m q (holders j y) (N - holders j y) g).
  { intros y LY. unfold Pr at 1. rewrite E_bind. rewrite (column_measure j y (fun l => E (shuffle l) (fun z => indicator (T z)))) by (intros l l' P; apply shuffle_perm; auto).
    rewrite users_pool, LY. reflexivity. }
  rewrite (V x L), (V x' (eq_sym LL)).
  assert (Q0 : forall c o, 0 <= pool_measure m q c o g).
  { intros c o. assert (Z0 : pool_measure m q c o (fun _ => 0 * 0) = 0 * pool_measure m q c o (fun _ => 0)) by apply (pool_scale m q share_01 c o 0 (fun _ => 0)).
    apply Rle_trans with (pool_measure m q c o (fun _ => 0 * 0)); [rewrite Z0; lra|]. apply (pool_mono m q share_01). intro i. pose proof (G i). lra. }
  assert (X1 : 1 <= exp eps) by (pose proof (exp_ineq1_le eps); lra).
  assert (STEP : forall h h', (h <= N)%nat /\ (h' <= N)%nat -> h' = S h \/ h = S h' \/ h = h' ->
    pool_measure m q h (N - h) g <= exp eps * pool_measure m q h' (N - h') g + IZR c0 / IZR d0).
  { intros h h' H D. pose proof (Q0 h' (N - h')%nat) as P0. set (QQ := pool_measure m q h' (N - h') g) in *.
    assert (IZR a0 / IZR b0 * QQ <= exp eps * QQ) by (apply Rmult_le_compat_r; auto).
    destruct D as [D|[D|D]].
    - specialize (AF h ltac:(apply in_seq; lia)). rewrite !tabled_at in AF by lia. apply andb_true_iff in AF. destruct AF as [_ AF]. apply Z.leb_le in AF.
      subst h'. pose proof (pool_bound m B ql qh q m_pos A1 q_in share_01 A8 A9 a0 b0 c0 d0 N h (S h) g SN G AF) as PB. fold QQ in PB. lra.
    - specialize (AF h' ltac:(apply in_seq; lia)). rewrite !tabled_at in AF by lia. apply andb_true_iff in AF. destruct AF as [AF _]. apply Z.leb_le in AF.
      subst h. pose proof (pool_bound m B ql qh q m_pos A1 q_in share_01 A8 A9 a0 b0 c0 d0 N (S h') h' g SN G AF) as PB. fold QQ in PB. lra.
    - subst h. fold QQ. assert (1 * QQ <= exp eps * QQ) by (apply Rmult_le_compat_r; lra). lra. }
  destruct NB as [l1 [a [b [l2 [Hx Hx']]]]]. pose proof (holders_le j x) as HL. pose proof (holders_le j x') as HL'. rewrite L in HL. rewrite <- LL in HL'.
  assert (LN : (length l1 + S (length l2) = N)%nat) by (rewrite <- L, Hx, app_length; reflexivity).
  pose proof (holders_le j l1). pose proof (holders_le j l2).
  apply STEP; subst x x'; rewrite !holders_app, !holders_cons in *; destruct (same a j), (same b j); lia.
Qed.

Hypothesis accepted : accepts_distinct m B ql qh N a0 b0 c0 d0 = true.
Hypothesis q_in : IZR ql <= IZR B * q <= IZR qh.
Hypothesis ratio : IZR a0 / IZR b0 <= exp eps.
Hypothesis eps_nonneg : 0 <= eps.
Lemma pair_of_pools : forall a b l1 l2, a <> b -> length (l1 ++ a :: l2) = N ->
  close_unordered eps (IZR c0 / IZR d0) (join (column a (l1 ++ a :: l2)) (column b (l1 ++ a :: l2))) (join (column a (l1 ++ b :: l2)) (column b (l1 ++ b :: l2))).
Proof.
  intros a b l1 l2 AB L F [HF F01]. set (x := l1 ++ a :: l2) in *. set (x' := l1 ++ b :: l2).
  assert (L' : length x' = N) by (rewrite <- L; unfold x, x'; rewrite !app_length; reflexivity).
  set (ca := (holders a l1 + holders a l2)%nat). set (cb := (holders b l1 + holders b l2)%nat).
  assert (NBA : b <> a) by congruence.
  assert (HA : holders a x = S ca) by (unfold x, ca; rewrite holders_app, holders_cons; destruct (same a a); [lia | congruence]).
  assert (HB : holders b x = cb) by (unfold x, cb; rewrite holders_app, holders_cons; destruct (same a b); [congruence | lia]).
  assert (HA' : holders a x' = ca) by (unfold x', ca; rewrite holders_app, holders_cons; destruct (same b a); [congruence | lia]).
  assert (HB' : holders b x' = S cb) by (unfold x', cb; rewrite holders_app, holders_cons; destruct (same b b); [lia | congruence]).
  assert (CC : (ca + cb < N)%nat).
  { pose proof (two_labels a b (l1 ++ l2) AB) as T. rewrite !holders_app in T. unfold x in L. rewrite app_length in L, T. cbn [length] in L. unfold ca, cb. lia. }
  pose (g i j := F (shown a (m * N) i ++ shown b (m * N) j)).
  assert (EJ : forall y, length y = N -> E (join (column a y) (column b y)) F
     = pool_measure m q (holders a y) (N - holders a y) (fun i => pool_measure m q (holders b y) (N - holders b y) (g i))).
  { intros y LY. rewrite E_join.
    rewrite (E_ext _ _ (fun l => pool_measure m q (holders b y) (N - holders b y) (fun h => F (l ++ shown b (m * N) h)))).
    2:{ intro l. rewrite (column_measure b y (fun r => F (l ++ r))) by (apply order_free_app; auto). rewrite users_pool, LY. reflexivity. }
    rewrite (column_measure a y (fun l => pool_measure m q (holders b y) (N - holders b y) (fun h => F (l ++ shown b (m * N) h)))).
    - rewrite users_pool, LY. reflexivity.
    - intros l l' P. f_equal. apply FunctionalExtensionality.functional_extensionality. intro h. apply HF, Permutation_app_tail; auto. }
  rewrite (EJ x L), (EJ x' L'). rewrite HA, HB, HA', HB'.
  pose proof accepted as AC. unfold accepts_distinct in AC. apply andb_true_iff in AC. destruct (sane_facts _ _ _ _ _ _ _ _ (proj1 AC)) as [A1 [_ [_ [_ [_ [A8 A9]]]]]].
  pose proof (pair_bound m B ql qh q m_pos A1 q_in share_01 A8 A9 a0 b0 c0 d0 N accepted ca cb g CC ltac:(intros; apply F01)) as PB.
  set (QQ := pool_measure m q ca (N - ca) _) in *.
  assert (0 <= QQ).
  { assert (Z0 : pool_measure m q ca (N - ca) (fun _ => 0 * 0) = 0 * pool_measure m q ca (N - ca) (fun _ => 0)) by apply (pool_scale m q share_01 ca (N - ca) 0 (fun _ => 0)).
    apply Rle_trans with (pool_measure m q ca (N - ca) (fun _ => 0 * 0)); [rewrite Z0; lra|]. apply (pool_mono m q share_01). intro i.
    assert (Z1 : pool_measure m q (S cb) (N - S cb) (fun _ => 0 * 0) = 0 * pool_measure m q (S cb) (N - S cb) (fun _ => 0)) by apply (pool_scale m q share_01 (S cb) (N - S cb) 0 (fun _ => 0)).
    apply Rle_trans with (pool_measure m q (S cb) (N - S cb) (fun _ => 0 * 0)); [rewrite Z1; lra|]. apply (pool_mono m q share_01). intro j. pose proof (F01 (shown a (m * N) i ++ shown b (m * N) j)). unfold g. lra. }
  assert (IZR a0 / IZR b0 * QQ <= exp eps * QQ) by (apply Rmult_le_compat_r; auto). lra.
Qed.
Variable K : list Element.
Hypothesis K_nodup : NoDup K.
Hypothesis K_full : forall a, In a K.
Theorem distinct_sound : private_on N eps (IZR c0 / IZR d0) (view (R_DE Element same K n eps0 (R_MOD m))).
Proof.
  intros x x' L [l1 [a [b [l2 [Hx Hx']]]]] T.
  pose proof accepted as AC. unfold accepts_distinct in AC. apply andb_true_iff in AC. destruct (sane_facts _ _ _ _ _ _ _ _ (proj1 AC)) as [_ [_ [_ [_ [D0 _]]]]].
  assert (X1 : 1 <= exp eps) by (pose proof (exp_ineq1_le eps); lra).
  set (F := fun l => Pr (shuffle l) T).
  assert (HF : unordered_test F).
  { split. intros l l' P0. unfold F, Pr. apply shuffle_perm; auto. intro; apply Pr_01, proper_shuffle. }
  assert (V : forall y, Pr (view (R_DE Element same K n eps0 (R_MOD m)) y) T = E (concatenated (map (fun j => column j y) K)) F).
  { intro y. unfold Pr, view, messages. rewrite E_bind. unfold column, col.
    rewrite <- (exchange y K (labelled Element same n eps0 (R_MOD m)) F (proj1 HF)). auto. }
  rewrite !V.
  assert (PCO : forall j y, proper (column j y)) by (intros; apply proper_concatenated_map; intro; apply proper_labelled; auto; intro; apply proper_R_MOD).
  assert (PC : forall (L0 : list Element) y, proper (concatenated (map (fun j => column j y) L0))) by (intros; apply proper_concatenated_map; intro; apply PCO).
  destruct (same a b) as [Eab|Nab].
  - subst. set (z := E _ F). assert (0 <= z) by (apply E_01; [apply PC | apply HF]).
    assert (1 * z <= exp eps * z) by (apply Rmult_le_compat_r; lra). lra.
  - destruct (bring_two K a b K_nodup (K_full a) (K_full b) Nab) as [L0 [P0 [Na Nb]]].
    rewrite (concatenated_perm _ _ (Permutation_map (fun j => column j x) P0) F (proj1 HF)).
    rewrite (concatenated_perm _ _ (Permutation_map (fun j => column j x') P0) F (proj1 HF)). cbn [map concatenated].
    rewrite <- !(fun p q r => join_assoc p q r F).
    assert (SAME : concatenated (map (fun j => column j x) L0) = concatenated (map (fun j => column j x') L0)).
    { f_equal. apply map_ext_in. intros j Hj. subst x x'. unfold column, col. rewrite !map_app. cbn [map]. do 3 f_equal. unfold labelled, bit_probability.
      destruct (same a j); [subst; contradiction|]. destruct (same b j); [subst; contradiction|]. reflexivity. }
    rewrite SAME. subst x. subst x'.
    pose proof (join_close eps (IZR c0 / IZR d0) 0 0 _ _ _ _ (proper_join _ _ (PCO a (l1 ++ a :: l2)) (PCO b (l1 ++ a :: l2))) (proper_join _ _ (PCO a (l1 ++ b :: l2)) (PCO b (l1 ++ b :: l2)))
      (PC L0 (l1 ++ b :: l2)) (PC L0 (l1 ++ b :: l2)) ltac:(lra) (pair_of_pools a b l1 l2 Nab L) ltac:(intros G _; rewrite exp_0; lra) F HF) as J.
    rewrite !Rplus_0_r in J. exact J.
Qed.
End Protocol.

(* ---- q = (1 - e^-eps)^(1/n), from e^eps between two rational numbers ---- *)
Definition share_between (n : nat) (B ql qh a1 b1 a2 b2 : Z) : bool :=
  ((0 <? B) && (0 <? ql) && (0 <? qh) && (0 <? b1) && (b1 <? a1) && (0 <? b2) && (b2 <? a2) &&
   (ql ^ Z.of_nat n * a1 <=? B ^ Z.of_nat n * (a1 - b1)) && (B ^ Z.of_nat n * (a2 - b2) <=? qh ^ Z.of_nat n * a2))%Z.
Theorem share_between_sound : forall n B ql qh a1 b1 a2 b2 eps0, (0 < n)%nat -> 0 < eps0 -> share_between n B ql qh a1 b1 a2 b2 = true ->
  IZR a1 / IZR b1 <= exp eps0 <= IZR a2 / IZR b2 -> IZR ql <= IZR B * no_flip n eps0 <= IZR qh.
Proof.
  intros n B ql qh a1 b1 a2 b2 eps0 N E0 H [X1 X2]. unfold share_between in H. rewrite !andb_true_iff, ?Z.ltb_lt, ?Z.leb_le in H.
  destruct H as [[[[[[[[H1 H2] H3] H4] H5] H6] H7] H8] H9].
  apply IZR_lt in H1, H2, H3, H4, H5, H6, H7. apply IZR_le in H8, H9. rewrite !mult_IZR, minus_IZR, <- !pow_IZR in H8, H9.
  set (y := 1 - exp (- eps0)). assert (Y0 : 0 < y < 1).
  { unfold y. assert (exp (- eps0) < 1) by (rewrite <- exp_0; apply exp_increasing; lra). pose proof (exp_pos (- eps0)). lra. }
  assert (NR : 0 < INR n) by (apply lt_0_INR; auto). pose proof (exp_pos eps0) as EP.
  assert (Y1 : 1 - IZR b1 / IZR a1 <= y).
  { unfold y. rewrite exp_Ropp. assert (/ exp eps0 <= IZR b1 / IZR a1); [|lra]. replace (IZR b1 / IZR a1) with (/ (IZR a1 / IZR b1)) by (field; lra).
    apply Rinv_le_contravar; auto. apply Rdiv_lt_0_compat; lra. }
  assert (Y2 : y <= 1 - IZR b2 / IZR a2).
  { unfold y. rewrite exp_Ropp. assert (IZR b2 / IZR a2 <= / exp eps0); [|lra]. replace (IZR b2 / IZR a2) with (/ (IZR a2 / IZR b2)) by (field; lra).
    apply Rinv_le_contravar; auto. }
  assert (ROOT : forall z, 0 < z -> Rpower (z ^ n) (/ INR n) = z).
  { intros z Z. rewrite <- Rpower_pow by auto. rewrite Rpower_mult, Rinv_r by lra. apply Rpower_1; auto. }
  assert (MONO : forall u v, 0 < u -> u <= v -> Rpower u (/ INR n) <= Rpower v (/ INR n)) by (intros; apply Power.Rpower_le_base; auto; left; apply Rinv_0_lt_compat; auto).
  assert (BN : 0 < IZR B ^ n) by (apply pow_lt; auto).
  unfold no_flip. fold y. split.
  - assert (L : IZR ql / IZR B <= Rpower y (/ INR n)).
    { rewrite <- (ROOT (IZR ql / IZR B)) by (apply Rdiv_lt_0_compat; auto). apply MONO; [apply pow_lt, Rdiv_lt_0_compat; auto|].
      eapply Rle_trans; [|exact Y1]. unfold Rdiv at 1. rewrite Rpow_mult_distr, pow_inv. apply Rmult_le_reg_r with (IZR B ^ n * IZR a1); [apply Rmult_lt_0_compat; lra|].
      replace (IZR ql ^ n * / IZR B ^ n * (IZR B ^ n * IZR a1)) with (IZR ql ^ n * IZR a1) by (field; lra).
      replace ((1 - IZR b1 / IZR a1) * (IZR B ^ n * IZR a1)) with (IZR B ^ n * (IZR a1 - IZR b1)) by (field; lra). exact H8. }
    apply Rmult_le_reg_r with (/ IZR B); [apply Rinv_0_lt_compat; auto|]. replace (IZR B * Rpower y (/ INR n) * / IZR B) with (Rpower y (/ INR n)) by (field; lra). exact L.
  - assert (L : Rpower y (/ INR n) <= IZR qh / IZR B).
    { rewrite <- (ROOT (IZR qh / IZR B)) by (apply Rdiv_lt_0_compat; auto). apply MONO; [apply Y0|].
      eapply Rle_trans; [exact Y2|]. unfold Rdiv at 2. rewrite Rpow_mult_distr, pow_inv. apply Rmult_le_reg_r with (IZR B ^ n * IZR a2); [apply Rmult_lt_0_compat; lra|].
      replace (IZR qh ^ n * / IZR B ^ n * (IZR B ^ n * IZR a2)) with (IZR qh ^ n * IZR a2) by (field; lra).
      replace ((1 - IZR b2 / IZR a2) * (IZR B ^ n * IZR a2)) with (IZR B ^ n * (IZR a2 - IZR b2)) by (field; lra). exact H9. }
    apply Rmult_le_reg_r with (/ IZR B); [apply Rinv_0_lt_compat; auto|]. replace (IZR B * Rpower y (/ INR n) * / IZR B) with (Rpower y (/ INR n)) by (field; lra). exact L.
Qed.
