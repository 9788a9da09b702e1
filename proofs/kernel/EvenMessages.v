(* Beside Theorem de_upper, Part I: P_DE has a pure eps for every number m of messages.

   "Let law_C be the law of a pool with C holders among N honest users, q = 1 - 2p'.  For every m: law_C <= (1+q) law_(C+1) and
    law_(C+1) <= law_C/(1-q).  For even m and N >= 2, moreover, law_(C+1) <= max(1+q, 1/(1-q^2)) law_C."

   The generating functions of one user's ones are A = ((1+z)/2)^m for a holder and A + qB, B = ((1-z)/2)^m, for another.  At even
   m the coefficient of AB at 2i, (-1)^i C(m,i)/4^m, is at least -1/3 of that of A^2, C(2m,2i)/4^m. *)
From Coq Require Import Reals ZArith Lra Lia List Bool Permutation.
From PanshuffleKernel Require Import Law Closeness Power EpsPrime Parity Shuffle Messages ShuffleModel Distinct Shares Ikos.
From PanshuffleKernel Require Import Transformation ShareBound ShareLaw BinarySum Hash DistinctPrivacy DistinctTight Calculus ShareSharp.
Import ListNotations.
Open Scope R_scope.

(* sum_x s^x C(n,x) g(x). *)
Definition weighted (s : R) (n : nat) (g : nat -> R) : R := total (seq 0 (S n)) (fun x => s ^ x * INR (choose n x) * g x).

Lemma weighted_step : forall s n g, weighted s (S n) g = weighted s n g + s * weighted s n (fun x => g (S x)).
Proof.
  intros s n g. unfold weighted. rewrite <- (cons_seq (S n) 0), total_cons, <- seq_shift, total_map.
  pose proof (total_from_0 (fun x => s ^ x * INR (choose n x) * g x) n) as T. cbv beta in T.
  rewrite (choose_big n (S n)), choose_0 in T by lia. rewrite choose_0.
  rewrite (total_ext (seq 0 (S n)) (fun a => s ^ S a * INR (choose (S n) (S a)) * g (S a))
    (fun a => s ^ S a * INR (choose n (S a)) * g (S a) + s ^ a * INR (choose n a) * g (S a) * s))
    by (intro a; cbn [choose pow]; rewrite plus_INR; ring).
  rewrite total_plus, total_mult. simpl (INR 0) in T. simpl (s ^ 0) in *. simpl (INR 1) in *. lra.
Qed.

Lemma fair_weighted : forall n f, E (fair_bits n) (fun l => f (heads l)) * 2 ^ n = weighted 1 n f.
Proof.
  induction n as [|n IH]; intro f.
  - unfold fair_bits, power_of, weighted. simpl. ring.
  - rewrite weighted_step, <- !IH, E_fair_cons. cbn [heads pow]. field.
Qed.
Lemma order_free_heads : forall f : nat -> R, order_free (fun l => f (heads l)).
Proof. intros f l l' P0. rewrite (heads_perm l l' P0). reflexivity. Qed.
Lemma sign_weighted : forall n f, E (mixed n 0) (fun l => f (heads l)) * 2 ^ n = weighted (-1) n f.
Proof.
  induction n as [|n IH]; intro f.
  - unfold mixed, power_of, weighted. simpl. ring.
  - rewrite weighted_step, <- !IH, <- (mixed_sign n 0 (fun l => f (heads l)) (order_free_heads f)). cbn [heads pow]. field.
Qed.
Lemma mixed_weighted : forall c f, E (mixed c c) (fun l => f (heads l)) * 4 ^ c = weighted (-1) c (fun i => f (2 * i)%nat).
Proof.
  induction c as [|c IH]; intro f.
  - unfold mixed, power_of, weighted. simpl. ring.
  - rewrite weighted_step, <- (IH f).
    assert (Q : weighted (-1) c (fun x => f (2 * S x)%nat) = E (mixed c c) (fun l => f (S (S (heads l)))) * 4 ^ c).
    { rewrite (IH (fun x => f (S (S x)))). unfold weighted. apply total_ext. intro i. replace (2 * S i)%nat with (S (S (2 * i))) by lia. reflexivity. }
    rewrite Q. rewrite <- (mixed_sign c (S c) (fun l => f (heads l)) (order_free_heads f)).
    pose proof (mixed_fair_one c c (fun l => f (heads (false :: l))) (order_free_heads f)) as M1.
    pose proof (mixed_fair_one c c (fun l => f (heads (true :: l))) (order_free_heads (fun x => f (S x)))) as M2.
    rewrite <- M1, <- M2. cbn [heads pow]. field.
Qed.

(* Even and odd places apart. *)
Lemma total_even_odd : forall m (g : nat -> R),
  total (seq 0 (S (2 * m))) g = total (seq 0 (S m)) (fun i => g (2 * i)%nat) + total (seq 0 m) (fun i => g (2 * i + 1)%nat).
Proof.
  induction m as [|m IH]; intro g; [simpl; ring|].
  replace (S (2 * S m)) with (S (2 * m) + 2)%nat by lia. rewrite seq_app, total_app, IH.
  rewrite (seq_S (S m) 0), (seq_S m 0), !total_app. cbn [Nat.add seq total fold_right].
  replace (2 * S m)%nat with (S (S (2 * m))) by lia. replace (2 * m + 1)%nat with (S (2 * m)) by lia.
  replace (m + (m + 0))%nat with (2 * m)%nat by lia. ring.
Qed.

Lemma pow_m1_even : forall i, (-1) ^ (2 * i) = 1.
Proof. intro i. rewrite pow_mult. replace ((-1) ^ 2) with 1 by ring. apply pow1. Qed.

(* AB against A^2 at even places. *)
Lemma third : forall m i, Nat.Even m -> (1 <= m)%nat -> (i <= m)%nat ->
  - INR (choose (2 * m) (2 * i)) <= 3 * ((-1) ^ i * INR (choose m i)) /\ (-1) ^ i * INR (choose m i) <= INR (choose (2 * m) (2 * i)).
Proof.
  intros m i [e He] Hm Hi. pose proof (choose_real_pos m i Hi) as C0.
  assert (P : (choose m i * choose m i <= choose (2 * m) (2 * i))%nat).
  { pose proof (choose_product m i m i). replace (2 * m)%nat with (m + m)%nat by lia. replace (2 * i)%nat with (i + i)%nat by lia. auto. }
  apply le_INR in P. rewrite mult_INR in P. set (c := INR (choose m i)) in *. set (b := INR (choose (2 * m) (2 * i))) in *.
  assert (C1 : 1 <= c) by (unfold c; replace 1 with (INR 1) by reflexivity; apply le_INR, choose_pos; auto).
  destruct (Nat.Even_or_Odd i) as [[a Ha]|[a Ha]].
  - subst i. rewrite pow_m1_even. split; nra.
  - assert (S1 : (-1) ^ i = -1) by (subst i; rewrite pow_add, pow_m1_even; simpl; ring). rewrite S1. split; [|nra].
    destruct (Nat.eq_dec m 2) as [Z|Z].
    + assert (I1 : i = 1%nat) by lia. unfold b, c. subst i. rewrite Z, I1. simpl. lra.
    + assert (3 <= c); [|nra]. unfold c. replace 3 with (INR 3) by (simpl; ring). apply le_INR.
      pose proof (choose_large m i ltac:(lia) ltac:(lia)). lia.
Qed.

(* One user's messages for a label: uniform bits for q = 0, a holder. *)
Definition user (m : nat) (q : R) : law (list bool) := bind (Ber ((1 - q) / 2)) (R_MOD m).

Lemma user_split : forall m q F, (0 < m)%nat -> E (user m q) F = E (power_of fair_part m) F + q * E (power_of sign_part m) F.
Proof.
  intros [|k] q F H; [lia|]. unfold user. rewrite E_bind. unfold Ber. cbn [E]. unfold R_MOD. rewrite !Rs_split. unfold sign. field.
Qed.
Lemma proper_user : forall m q, -1 <= q <= 1 -> proper (user m q).
Proof. intros. apply proper_bind; [apply proper_Ber; lra | intro; apply proper_R_MOD]. Qed.

(* Every m: a holder against another, both ways. *)
Lemma user_loses : forall m q F, 0 <= q < 1 -> (forall l, 0 <= F l) -> E (user m q) F <= (1 + q) * E (user m 0) F.
Proof.
  intros m q F Hq HF. unfold user. rewrite !E_bind. unfold Ber. cbn [E].
  assert (P : forall u, 0 <= E (R_MOD m u) F).
  { intro u. pose proof (proper_R_MOD m u) as PR. rewrite <- (E_const _ 0 PR). apply E_le; [apply PR | auto]. }
  pose proof (P true). pose proof (P false). set (a := E (R_MOD m true) F) in *. set (b := E (R_MOD m false) F) in *. nra.
Qed.
Lemma user_gains : forall m q F, 0 <= q < 1 -> (forall l, 0 <= F l) -> E (user m 0) F <= / (1 - q) * E (user m q) F.
Proof.
  intros m q F Hq HF. unfold user. rewrite !E_bind. unfold Ber. cbn [E].
  assert (P : forall u, 0 <= E (R_MOD m u) F).
  { intro u. pose proof (proper_R_MOD m u) as PR. rewrite <- (E_const _ 0 PR). apply E_le; [apply PR | auto]. }
  pose proof (P true). pose proof (P false). set (a := E (R_MOD m true) F) in *. set (b := E (R_MOD m false) F) in *.
  apply Rmult_le_reg_l with (1 - q); [lra|]. rewrite <- Rmult_assoc, Rinv_r by lra. nra.
Qed.

Definition pair_factor (q : R) : R := Rmax (1 + q) (/ (1 - q ^ 2)).

Section Pair.
Variable m : nat.
Hypothesis m_even : Nat.Even m.
Hypothesis m_pos : (0 < m)%nat.

Lemma pair_split : forall q1 q2 F, order_free F ->
  E (join (user m q1) (user m q2)) F
  = E (fair_bits (2 * m)) F + (q1 + q2) * E (mixed m m) F + q1 * q2 * E (mixed (2 * m) 0) F.
Proof.
  intros q1 q2 F HF. rewrite E_join, user_split by auto.
  rewrite (E_ext (power_of fair_part m) _ (fun l => E (power_of fair_part m) (fun r => F (l ++ r)) + q2 * E (power_of sign_part m) (fun r => F (l ++ r))))
    by (intro; apply user_split; auto).
  rewrite (E_ext (power_of sign_part m) _ (fun l => E (power_of fair_part m) (fun r => F (l ++ r)) + q2 * E (power_of sign_part m) (fun r => F (l ++ r))))
    by (intro; apply user_split; auto).
  rewrite !E_plus, !E_mult, <- !E_join.
  assert (X1 : E (fair_bits (2 * m)) F = E (join (power_of fair_part m) (power_of fair_part m)) F).
  { unfold fair_bits. replace (2 * m)%nat with (m + m)%nat by lia. apply cpow_add; auto. }
  assert (X2 : E (mixed (2 * m) 0) F = E (join (power_of sign_part m) (power_of sign_part m)) F).
  { transitivity (E (power_of sign_part (m + m)) F); [|apply cpow_add; auto]. replace (m + m)%nat with (2 * m)%nat by lia.
    unfold mixed. rewrite E_join. apply E_ext. intro l. unfold power_of at 1. simpl. rewrite app_nil_r. ring. }
  assert (X3 : E (join (power_of fair_part m) (power_of sign_part m)) F = E (mixed m m) F) by (apply join_comm; auto).
  rewrite X1, X2, X3. unfold mixed. ring.
Qed.

(* Through the number of ones. *)
Lemma pair_sum : forall q1 q2 (f : nat -> R),
  E (join (user m q1) (user m q2)) (fun l => f (heads l)) * 4 ^ m
  = total (seq 0 (S m)) (fun i => (INR (choose (2 * m) (2 * i)) * (1 + q1 * q2) + (q1 + q2) * ((-1) ^ i * INR (choose m i))) * f (2 * i)%nat)
    + total (seq 0 m) (fun i => INR (choose (2 * m) (2 * i + 1)) * (1 - q1 * q2) * f (2 * i + 1)%nat).
Proof.
  intros q1 q2 f. rewrite (pair_split q1 q2 (fun l => f (heads l)) (order_free_heads f)).
  pose proof (fair_weighted (2 * m) f) as A. pose proof (mixed_weighted m f) as B. pose proof (sign_weighted (2 * m) f) as C.
  rewrite pow_mult in A, C. replace (2 ^ 2) with 4 in A, C by ring.
  set (ea := E (fair_bits (2 * m)) _) in *. set (eb := E (mixed m m) _) in *. set (ec := E (mixed (2 * m) 0) _) in *.
  replace ((ea + (q1 + q2) * eb + q1 * q2 * ec) * 4 ^ m) with (ea * 4 ^ m + (q1 + q2) * (eb * 4 ^ m) + q1 * q2 * (ec * 4 ^ m)) by ring.
  rewrite A, B, C. unfold weighted. rewrite !total_even_odd.
  rewrite (total_ext (seq 0 (S m)) (fun i => 1 ^ (2 * i) * INR (choose (2 * m) (2 * i)) * f (2 * i)%nat) (fun i => INR (choose (2 * m) (2 * i)) * f (2 * i)%nat))
    by (intro; rewrite pow1; ring).
  rewrite (total_ext (seq 0 m) (fun i => 1 ^ (2 * i + 1) * INR (choose (2 * m) (2 * i + 1)) * f (2 * i + 1)%nat) (fun i => INR (choose (2 * m) (2 * i + 1)) * f (2 * i + 1)%nat))
    by (intro; rewrite pow1; ring).
  rewrite (total_ext (seq 0 (S m)) (fun i => (-1) ^ (2 * i) * INR (choose (2 * m) (2 * i)) * f (2 * i)%nat) (fun i => INR (choose (2 * m) (2 * i)) * f (2 * i)%nat))
    by (intro; rewrite pow_m1_even; ring).
  rewrite (total_ext (seq 0 m) (fun i => (-1) ^ (2 * i + 1) * INR (choose (2 * m) (2 * i + 1)) * f (2 * i + 1)%nat)
    (fun i => INR (choose (2 * m) (2 * i + 1)) * f (2 * i + 1)%nat * -1)) by (intro; rewrite pow_add, pow_m1_even; simpl; ring).
  rewrite total_mult.
  rewrite (total_ext (seq 0 (S m)) (fun i => (INR (choose (2 * m) (2 * i)) * (1 + q1 * q2) + (q1 + q2) * ((-1) ^ i * INR (choose m i))) * f (2 * i)%nat)
    (fun i => INR (choose (2 * m) (2 * i)) * f (2 * i)%nat * (1 + q1 * q2) + (-1) ^ i * INR (choose m i) * f (2 * i)%nat * (q1 + q2))) by (intro; ring).
  rewrite (total_ext (seq 0 m) (fun i => INR (choose (2 * m) (2 * i + 1)) * (1 - q1 * q2) * f (2 * i + 1)%nat)
    (fun i => INR (choose (2 * m) (2 * i + 1)) * f (2 * i + 1)%nat * (1 - q1 * q2))) by (intro; ring).
  rewrite total_plus, !total_mult. ring.
Qed.

(* A new holder beside a holder (q2 = 0) or beside another user (q2 = q). *)
Lemma pair_gains : forall q q2 (f : nat -> R), 0 <= q < 1 -> (q2 = 0 \/ q2 = q) -> (forall c, 0 <= f c) ->
  E (join (user m 0) (user m q2)) (fun l => f (heads l)) <= pair_factor q * E (join (user m q) (user m q2)) (fun l => f (heads l)).
Proof.
  intros q q2 f Hq H2 Hf. assert (P4 : 0 < 4 ^ m) by (apply pow_lt; lra). apply Rmult_le_reg_r with (4 ^ m); auto.
  rewrite Rmult_assoc, !pair_sum. rewrite Rmult_plus_distr_l, (Rmult_comm (pair_factor q)), <- total_mult, (Rmult_comm (pair_factor q)), <- total_mult.
  assert (M1 : 1 + q <= pair_factor q) by apply Rmax_l.
  assert (M2 : / (1 - q ^ 2) <= pair_factor q) by apply Rmax_r.
  assert (Q2 : 0 < 1 - q ^ 2) by nra.
  assert (M3 : 1 <= pair_factor q * (1 - q ^ 2)).
  { apply Rle_trans with (/ (1 - q ^ 2) * (1 - q ^ 2)); [rewrite Rinv_l; lra | apply Rmult_le_compat_r; lra]. }
  set (M := pair_factor q) in *.
  apply Rplus_le_compat; apply total_le; intros i Hi; apply in_seq in Hi.
  - destruct (third m i m_even m_pos ltac:(lia)) as [T1 T2]. set (b := INR (choose (2 * m) (2 * i))) in *. set (t := (-1) ^ i * INR (choose m i)) in *.
    assert (B0 : 0 < b) by (apply choose_real_pos; lia). specialize (Hf (2 * i)%nat). set (y := f (2 * i)%nat) in *.
    assert (Q : b * (1 + 0 * q2) + (0 + q2) * t <= M * (b * (1 + q * q2) + (q + q2) * t)).
    { assert (W0 : 0 <= b * (1 + q * q2) + (q + q2) * t).
      { destruct H2; subst q2; [|nra]. assert (0 <= q * (b + 3 * t)) by (apply Rmult_le_pos; lra). nra. }
      apply Rle_trans with ((1 + q) * (b * (1 + q * q2) + (q + q2) * t)); [|apply Rmult_le_compat_r; auto].
      assert (X1 : 0 <= q * (b + 3 * t)) by (apply Rmult_le_pos; lra).
      assert (X2 : 0 <= q * q * (b + 3 * t)) by (apply Rmult_le_pos; [apply Rmult_le_pos; lra | lra]).
      assert (X3 : 0 <= q * b) by (apply Rmult_le_pos; lra). assert (X4 : 0 <= q * q * b) by (apply Rmult_le_pos; [apply Rmult_le_pos; lra | lra]).
      assert (X5 : 0 <= q * q * q * b) by (apply Rmult_le_pos; [repeat apply Rmult_le_pos; lra | lra]).
      assert (X6 : q * q * b <= q * b) by (apply Rmult_le_compat_r; [lra | nra]).
      destruct H2; subst q2; lra. }
    apply Rmult_le_compat_r with (r := y) in Q; auto. lra.
  - assert (B0 : 0 < INR (choose (2 * m) (2 * i + 1))) by (apply choose_real_pos; lia). set (b := INR (choose (2 * m) (2 * i + 1))) in *.
    specialize (Hf (2 * i + 1)%nat). set (y := f (2 * i + 1)%nat) in *.
    assert (Q : 1 <= M * (1 - q * q2)) by (destruct H2; subst q2; nra).
    apply Rmult_le_compat_r with (r := b * y) in Q; [|apply Rmult_le_pos; lra]. 
    replace (b * (1 - 0 * q2) * y) with (1 * (b * y)) by ring. replace (b * (1 - q * q2) * y * M) with (M * (1 - q * q2) * (b * y)) by ring. exact Q.
Qed.
End Pair.

Lemma user_length : forall m q p, (0 < m)%nat -> In p (user m q) -> length (fst p) = m.
Proof.
  intros m q p Hm H. apply in_bind in H. destruct H as [u [v [_ [H2 H3]]]]. rewrite <- H3. apply (shares_sum m (fst u) v Hm H2).
Qed.

Lemma pair_gains_order_free : forall m q q2 F, Nat.Even m -> (0 < m)%nat -> 0 <= q < 1 -> (q2 = 0 \/ q2 = q) -> order_free F -> (forall l, 0 <= F l) ->
  E (join (user m 0) (user m q2)) F <= pair_factor q * E (join (user m q) (user m q2)) F.
Proof.
  intros m q q2 F He Hm Hq H2 HF HP. set (f := fun c => F (repeat true c ++ repeat false (2 * m - c))).
  assert (X : forall q1, E (join (user m q1) (user m q2)) F = E (join (user m q1) (user m q2)) (fun l => f (heads l))).
  { intro q1. apply E_ext_in. intros p H. unfold f. apply HF.
    assert (L : length (fst p) = (2 * m)%nat).
    { apply in_bind in H. destruct H as [a [b [H1 [H3 H4]]]]. apply in_bind in H3. destruct H3 as [c [e [H5 [H6 H7]]]].
      destruct H6 as [H6|[]]; subst e. cbn [fst] in H7. rewrite <- H4, <- H7, app_length, (user_length m q1 a Hm H1), (user_length m q2 c Hm H5). lia. }
    rewrite <- L. apply sorted_bits. }
  rewrite !X. apply pair_gains; auto. intro c. apply HP.
Qed.

Section Protocol.
Variable Element : Type.
Variable same : forall a b : Element, {a = b} + {a <> b}.
Variable n : nat.
Hypothesis n_pos : (0 < n)%nat.
Variable eps : R.
Hypothesis eps_pos : 0 < eps.
Variable m : nat.
Hypothesis m_pos : (0 < m)%nat.

(* q = 1 - 2p'. *)
Definition no_flip (n : nat) (eps : R) : R := Rpower (1 - exp (- eps)) (/ INR n).
Let q := no_flip n eps.
Let message := labelled Element same n eps (R_MOD m).
Let pool := col Element same n eps (R_MOD m).

Lemma q_range : 0 < q < 1.
Proof.
  unfold q, no_flip. apply q_bounds; auto. apply Rinv_0_lt_compat, lt_0_INR; auto.
Qed.
Lemma message_user : forall a j F, E (message a j) F = E (user m (if same a j then 0 else q)) (fun l => F (map (pair j) l)).
Proof.
  intros a j F. unfold message, labelled, user, bit_probability, flip_probability. rewrite !E_bind.
  replace (if same a j then 1 / 2 else (1 - Rpower (1 - exp (- eps)) (/ INR n)) / 2) with ((1 - (if same a j then 0 else q)) / 2)
    by (unfold q, no_flip; destruct (same a j); field).
  apply E_ext; intro u. rewrite E_bind. apply E_ext; intro l. apply E_point.
Qed.
Lemma pool_front : forall j l1 a l2 F, order_free F ->
  E (pool j (l1 ++ a :: l2)) F = E (message a j) (fun l => E (pool j (l1 ++ l2)) (fun r => F (l ++ r))).
Proof.
  intros j l1 a l2 F HF. unfold pool, col.
  rewrite (concatenated_perm _ _ (Permutation_map (fun i => labelled Element same n eps (R_MOD m) i j) (Permutation_sym (Permutation_middle l1 l2 a))) F HF).
  cbn [map concatenated]. apply E_join.
Qed.
Lemma pool_nonneg : forall j x F, (forall l, 0 <= F l) -> 0 <= E (pool j x) F.
Proof.
  intros j x F HF. assert (P : proper (pool j x)).
  { apply proper_concatenated_map. intro a. apply proper_labelled; auto. intro; apply proper_R_MOD. }
  rewrite <- (E_const _ 0 P). apply E_le; [apply P | auto].
Qed.

(* Every m: a pool that loses a reader's sight of a holder ... *)
Theorem pool_loses : forall j l1 a l2 F, a <> j -> order_free F -> (forall l, 0 <= F l) ->
  E (pool j (l1 ++ a :: l2)) F <= (1 + q) * E (pool j (l1 ++ j :: l2)) F.
Proof.
  intros j l1 a l2 F Ha HF HP. rewrite !pool_front, !message_user by auto.
  destruct (same a j) as [e|_]; [congruence|]. destruct (same j j) as [_|e]; [|congruence].
  apply user_loses; [pose proof q_range; lra|]. intro l. apply pool_nonneg. auto.
Qed.
(* ... and one that gains a holder. *)
Theorem pool_gains : forall j l1 a l2 F, a <> j -> order_free F -> (forall l, 0 <= F l) ->
  E (pool j (l1 ++ j :: l2)) F <= / (1 - q) * E (pool j (l1 ++ a :: l2)) F.
Proof.
  intros j l1 a l2 F Ha HF HP. rewrite !pool_front, !message_user by auto.
  destruct (same a j) as [e|_]; [congruence|]. destruct (same j j) as [_|e]; [|congruence].
  apply user_gains; [pose proof q_range; lra|]. intro l. apply pool_nonneg. auto.
Qed.
(* Even m and another user. *)
Theorem pool_gains_even : forall j l1 a l2 F, Nat.Even m -> (1 <= length (l1 ++ l2))%nat -> a <> j -> order_free F -> (forall l, 0 <= F l) ->
  E (pool j (l1 ++ j :: l2)) F <= pair_factor q * E (pool j (l1 ++ a :: l2)) F.
Proof.
  intros j l1 a l2 F He L Ha HF HP. rewrite !pool_front by auto.
  destruct (l1 ++ l2) as [|y r] eqn:Z; [simpl in L; lia|].
  assert (X : forall i, E (message i j) (fun l => E (pool j (y :: r)) (fun s => F (l ++ s)))
    = E (join (user m (if same i j then 0 else q)) (user m (if same y j then 0 else q)))
        (fun l => E (pool j r) (fun s => F (map (pair j) l ++ s)))).
  { intro i. rewrite message_user, E_join. apply E_ext; intro l. unfold pool, col. cbn [map concatenated]. rewrite E_join.
    fold (message y j). rewrite message_user. apply E_ext; intro l'. apply E_ext; intro s. rewrite map_app, app_assoc. reflexivity. }
  rewrite !X. destruct (same a j) as [e|_]; [congruence|]. destruct (same j j) as [_|e]; [|congruence].
  apply pair_gains_order_free; auto.
  - pose proof q_range; lra.
  - destruct (same y j); auto.
  - intros l l' P0. apply E_ext. intro s. apply HF. apply Permutation_app_tail, Permutation_map; auto.
  - intro l. apply pool_nonneg. auto.
Qed.

Variable K : list Element.
Hypothesis K_nodup : NoDup K.

Lemma sum_two : forall L c d a b, NoDup L -> 0 <= c -> 0 <= d -> a <> b ->
  sum_of (map (fun j => if same a j then c else if same b j then d else 0) L)
  <= (if in_dec same a L then c else 0) + (if in_dec same b L then d else 0).
Proof.
  intros L c d a b N Hc Hd Hab. induction N as [|j L N1 N2 IH]; cbn [map sum_of fold_right].
  - destruct (in_dec same a []), (in_dec same b []); simpl in *; try tauto; lra.
  - fold (sum_of (map (fun j => if same a j then c else if same b j then d else 0) L)).
    destruct (in_dec same a (j :: L)) as [i|i], (in_dec same b (j :: L)) as [i'|i'],
      (in_dec same a L) as [i0|i0], (in_dec same b L) as [i1|i1], (same a j), (same b j); simpl in *; subst;
      try congruence; try tauto; try lra. all: destruct i || destruct i'; congruence || tauto || lra.
Qed.

(* The pure loss of the view: the factors of the two pools that change. *)
Lemma view_pure : forall M (users : nat), 1 <= M ->
  (forall j l1 a l2 F, (S (length (l1 ++ l2)) = users)%nat -> a <> j -> order_free F -> (forall l, 0 <= F l) ->
    E (pool j (l1 ++ j :: l2)) F <= M * E (pool j (l1 ++ a :: l2)) F) ->
  private_on users (ln M + ln (1 + q)) 0 (view (R_DE Element same K n eps (R_MOD m))).
Proof.
  intros M users HM HG x x' L [l1 [a [b [l2 [Hx Hx']]]]] T. pose proof q_range as QR.
  set (F := fun l => Pr (shuffle l) T).
  assert (HF : unordered_test F).
  { split. intros l l' P0. unfold F, Pr. apply shuffle_perm; auto. intro; apply Pr_01, proper_shuffle. }
  assert (V : forall y, Pr (view (R_DE Element same K n eps (R_MOD m)) y) T = E (concatenated (map (fun j => pool j y) K)) F).
  { intro y. unfold Pr, view, messages. rewrite E_bind. unfold pool, col.
    rewrite <- (exchange y K (labelled Element same n eps (R_MOD m)) F (proj1 HF)). auto. }
  rewrite !V, Rplus_0_r.
  assert (PP : forall y j, proper (pool j y)).
  { intros y j. apply proper_concatenated_map. intro i. apply proper_labelled; auto. intro; apply proper_R_MOD. }
  assert (LM : 0 <= ln M) by (rewrite <- ln_1; apply ln_le_mono; lra).
  assert (LQ : 0 <= ln (1 + q)) by (rewrite <- ln_1; apply ln_le_mono; lra).
  assert (Z0 : 0 <= E (concatenated (map (fun j => pool j x') K)) F).
  { apply E_01; [apply proper_concatenated_map; auto | apply HF]. }
  assert (LU : (S (length (l1 ++ l2)) = users)%nat) by (subst x; rewrite app_length in *; cbn [length] in L; lia).
  assert (UP : forall s, s <= ln M + ln (1 + q) -> exp s * E (concatenated (map (fun j => pool j x') K)) F <= exp (ln M + ln (1 + q)) * E (concatenated (map (fun j => pool j x') K)) F).
  { intros s Hs. apply Rmult_le_compat_r; auto. destruct Hs as [Hs|Hs]; [left; apply exp_increasing; auto | right; rewrite Hs; auto]. }
  destruct (same a b) as [Eab|Nab].
  - subst b. assert (Q : x = x') by congruence. rewrite Q. pose proof (UP 0 ltac:(lra)) as U. rewrite exp_0 in U. lra.
  - pose proof (concatenated_close K (fun j => pool j x) (fun j => pool j x')
      (fun j => if same a j then ln M else if same b j then ln (1 + q) else 0) (fun _ => 0) (PP x) (PP x') (fun _ => Rle_refl 0)) as C.
    assert (S2 : sum_of (map (fun _ : Element => 0) K) = 0) by (clear; induction K as [|j L IH]; [reflexivity|]; cbn [map sum_of fold_right]; unfold sum_of in IH; lra).
    rewrite S2 in C. eapply Rle_trans; [apply C; [|exact HF]|].
    + intros j G [G1 G2]. assert (GP : forall l, 0 <= G l) by (intro; apply G2). rewrite Rplus_0_r. subst x x'. destruct (same a j) as [e|e].
      * subst j. rewrite exp_ln by lra. apply HG; auto.
      * destruct (same b j) as [e2|e2].
        -- subst j. rewrite exp_ln by lra. apply pool_loses; auto.
        -- rewrite exp_0, Rmult_1_l. right. rewrite !pool_front, !message_user by auto.
           destruct (same a j); [congruence|]. destruct (same b j); [congruence|]. reflexivity.
    + rewrite Rplus_0_r. apply UP. eapply Rle_trans; [apply sum_two; auto|]. destruct (in_dec same a K), (in_dec same b K); lra.
Qed.
End Protocol.

(* The view of P_DE with m messages a label is (ln((1+q)/(1-q)), 0)-private, for every m >= 1. *)
Theorem de_pure : forall (Element : Type) (same : forall a b : Element, {a = b} + {a <> b}) (K : list Element) (m : nat -> nat)
  (eps : R) (n honest : nat), NoDup K -> 0 < eps -> (0 < n)%nat -> (0 < m n)%nat ->
  private_on honest (ln (/ (1 - no_flip n eps)) + ln (1 + no_flip n eps)) 0 (view (P_DE same K eps m n)).
Proof.
  intros Element same K m eps n honest HK He Hn Hm. pose proof (q_range n Hn eps He) as Q. cbv zeta in Q.
  apply view_pure; auto.
  - rewrite <- Rinv_1 at 1. apply Rinv_le_contravar; lra.
  - intros. apply pool_gains; auto.
Qed.

(* An even number of messages and two honest users or more. *)
Theorem de_pure_even : forall (Element : Type) (same : forall a b : Element, {a = b} + {a <> b}) (K : list Element) (m : nat -> nat)
  (eps : R) (n honest : nat), NoDup K -> 0 < eps -> (0 < n)%nat -> (0 < m n)%nat -> Nat.Even (m n) -> (2 <= honest)%nat ->
  private_on honest (ln (Rmax (1 + no_flip n eps) (/ (1 - no_flip n eps ^ 2))) + ln (1 + no_flip n eps)) 0 (view (P_DE same K eps m n)).
Proof.
  intros Element same K m eps n honest HK He Hn Hm HE H2. pose proof (q_range n Hn eps He) as Q. cbv zeta in Q.
  apply view_pure; auto.
  - apply Rle_trans with (1 + no_flip n eps); [lra | apply Rmax_l].
  - intros. apply pool_gains_even; auto. lia.
Qed.
