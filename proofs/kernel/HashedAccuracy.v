(* The corollary on P_HDE, Part II (Appendix A.2): refuted as printed for c > 1, and repaired.

   "Let constant c >= 1.  Let n, k in N such that k >= ceil(c n^(4/3)) ...  Let h be sampled uniformly from a 2-universal hash
    family mapping [k] to [ceil(c n^(4/3))].  Then the protocol P_HDE = (R_DE o h, A_DE) ... solves the (alpha, beta)-distinct
    elements problem for alpha = 2n^(2/3)/(c beta) + e^eps/(e^eps-1) sqrt(2(n^(4/3)+1) ln(4/beta))."

   The noise is that of c n^(4/3) pools: with c n^(4/3) + 1 under the root it holds, with n^(4/3) + 1 it fails at n = 1, c = 32. *)
From Coq Require Import Reals ZArith Lra Lia List Bool Permutation.
From PanshuffleKernel Require Import Law Closeness Parity Shuffle Messages ShuffleModel Distinct Shares DistinctPrivacy.
From PanshuffleKernel Require Import Transformation UniformityTransformation Variances Hash Rows ShareLaw BinomialCertificate.
From PanshuffleKernel Require Import Calculus Hoeffding DistinctAccuracy.
Import ListNotations.
Open Scope R_scope.

(* P_HDE: the hash function is drawn in public, then all users run R_DE on their hashed data. *)
Definition P_HDE {X B} (same : forall a b : B, {a = b} + {a <> b}) (family : list (X -> B)) (pools : list B) (eps : R)
  (m : nat -> nat) (n : nat) (x : list X) : law R :=
  bind (uniform family) (fun h => execution (fun a => P_DE same pools eps m n (h a)) (A_DE same pools eps) x).

(* The hypotheses: a 2-universal family to [ceil(c n^(4/3))]. *)
Definition hashes_to {X B} (same : forall a b : B, {a = b} + {a <> b}) (family : list (X -> B)) (pools : list B)
  (c : R) (n : nat) : Prop :=
  family <> [] /\ NoDup pools /\ (forall h a, In h family -> In (h a) pools) /\ two_universal same family (length pools)
  /\ c * Rpower (INR n) (4 / 3) <= INR (length pools) < c * Rpower (INR n) (4 / 3) + 1.

Lemma execution_hashed {X B} : forall (same : forall a b : B, {a = b} + {a <> b}) (h : X -> B) pools eps m n x,
  execution (fun a => P_DE same pools eps m n (h a)) (A_DE same pools eps) x
  = execution (P_DE same pools eps m n) (A_DE same pools eps) (map h x).
Proof. intros. unfold execution, view, messages. rewrite map_map. reflexivity. Qed.

Lemma distinct_map {X B} : forall (sX : forall a b : X, {a = b} + {a <> b}) (sB : forall a b : B, {a = b} + {a <> b}) (h : X -> B) x,
  distinct sB (map h x) = distinct sB (map h (nodup sX x)).
Proof.
  intros. unfold distinct. apply Nat.le_antisymm; apply NoDup_incl_length; try apply NoDup_nodup;
    intros b Hb; apply nodup_In in Hb; apply nodup_In; apply in_map_iff in Hb; destruct Hb as [a [Ha Hi]]; subst;
    apply in_map; [apply nodup_In; auto | apply nodup_In in Hi; auto].
Qed.

Lemma Pr_within_mono : forall (d : law R) a1 a2 t1 t2, nonneg d -> a1 + Rabs (t1 - t2) <= a2 ->
  Pr d (within a1 t1) <= Pr d (within a2 t2).
Proof.
  intros d a1 a2 t1 t2 Hd H. apply E_le; auto. intro z. unfold within.
  destruct (Rle_dec (Rabs (z - t1)) a1) as [A|A]; [|apply indicator_01].
  destruct (Rle_dec (Rabs (z - t2)) a2) as [C|C]; [lra|]. exfalso. apply C.
  replace (z - t2) with ((z - t1) + (t1 - t2)) by ring. pose proof (Rabs_triang (z - t1) (t1 - t2)). lra.
Qed.

Lemma proper_execution_DE {B} : forall (same : forall a b : B, {a = b} + {a <> b}) K eps m n x, 0 < eps -> (0 < n)%nat ->
  proper (execution (P_DE same K eps m n) (A_DE same K eps) x).
Proof.
  intros. apply proper_bind; [|intro; apply proper_point]. apply proper_view. intro a. unfold P_DE, R_DE.
  apply proper_concatenated_map. intro j. apply proper_labelled; auto. intro; apply proper_R_MOD.
Qed.

(* The repaired corollary. *)
Theorem hashed_accuracy :
  forall (X B : Type) (same_X : forall a b : X, {a = b} + {a <> b}) (same_B : forall a b : B, {a = b} + {a <> b})
         (family : list (X -> B)) (pools : list B) (m : nat -> nat) (c eps beta : R) (n : nat),
  1 <= c -> 0 < eps -> 0 < beta < 1 -> (0 < n)%nat -> (0 < m n)%nat -> hashes_to same_B family pools c n ->
  solves_distinct same_X n
    (2 * Rpower (INR n) (2 / 3) / (c * beta)
     + exp eps / (exp eps - 1) * sqrt (2 * (c * Rpower (INR n) (4 / 3) + 1) * ln (4 / beta))) beta
    (P_HDE same_B family pools eps m n).
Proof.
  intros X B sX sB family pools m c eps beta n Hc He Hb Hn Hm [HF [HP [HR [HU [HK1 HK2]]]]] x L.
  assert (N1 : 1 <= INR n) by (replace 1 with (INR 1) by reflexivity; apply le_INR; lia).
  assert (P43 : 0 < Rpower (INR n) (4 / 3)) by apply exp_pos.
  assert (K0 : 0 < INR (length pools)) by (assert (0 < c * Rpower (INR n) (4 / 3)) by (apply Rmult_lt_0_compat; lra); lra).
  set (k := INR (length pools)) in *.
  set (S := nodup sX x). assert (SN : NoDup S) by apply NoDup_nodup.
  assert (S0 : S <> []).
  { unfold S. destruct x as [|a x]; [simpl in L; lia|]. intro Z. assert (I : In a (nodup sX (a :: x))) by (apply nodup_In; left; auto).
    rewrite Z in I. destruct I. }
  assert (SL : INR (length S) <= INR n).
  { apply le_INR. rewrite <- L. apply NoDup_incl_length; auto. intros a Ha. apply nodup_In in Ha; auto. }
  assert (S1 : 0 < INR (length S)) by (apply lt_0_INR; destruct S; [congruence | simpl; lia]).
  set (loss := INR (length S) ^ 2 / (beta / 2 * k)).
  assert (LB : loss <= 2 * Rpower (INR n) (2 / 3) / (c * beta)).
  { assert (R2 : INR n ^ 2 = Rpower (INR n) (2 / 3) * Rpower (INR n) (4 / 3)).
    { rewrite <- Rpower_plus. replace (2 / 3 + 4 / 3) with (INR 2) by (simpl; field). rewrite Rpower_pow by lra. reflexivity. }
    assert (P23 : 0 < Rpower (INR n) (2 / 3)) by apply exp_pos.
    unfold loss. apply div_le; [apply Rmult_lt_0_compat; lra|].
    replace (2 * Rpower (INR n) (2 / 3) / (c * beta) * (beta / 2 * k)) with (Rpower (INR n) (2 / 3) * k / c) by (field; lra).
    apply le_div; [lra|]. apply Rle_trans with (INR n ^ 2 * c).
    - apply Rmult_le_compat_r; [lra|]. apply pow_incr. lra.
    - rewrite R2. replace (Rpower (INR n) (2 / 3) * Rpower (INR n) (4 / 3) * c) with (Rpower (INR n) (2 / 3) * (c * Rpower (INR n) (4 / 3))) by ring.
      apply Rmult_le_compat_l; lra. }
  pose proof (hash_lemma X B sB family (length pools) S (beta / 2) HF ltac:(apply INR_lt; simpl; fold k; lra) HU SN S0 ltac:(lra)) as H1.
  fold k in H1. fold loss in H1. pose proof (proper_uniform family HF) as PF.
  set (bad := fun h => at_least loss (INR (length S) - INR (distinct sB (map h S)))) in H1.
  change (Pr (uniform family) bad <= beta / 2) in H1.
  unfold P_HDE. unfold Pr at 1. rewrite E_bind.
  apply Rle_trans with (E (uniform family) (fun h => (1 - beta / 2) + (-1) * indicator (bad h))).
  { rewrite E_plus, E_mult, (E_const _ _ PF). unfold Pr in H1. lra. }
  apply E_le_in; [apply PF|]. intros [h w] Hh. cbn [fst].
  assert (Ih : In h family) by (unfold uniform in Hh; apply in_map_iff in Hh; destruct Hh as [h' [E1 E2]]; inversion E1; subst; auto).
  rewrite execution_hashed. pose proof (proper_execution_DE sB pools eps m n (map h x) He Hn) as PE.
  match goal with |- _ <= E ?d (fun z => indicator (within ?a ?t z)) => change (1 - beta / 2 + -1 * indicator (bad h) <= Pr d (within a t)); set (alpha := a) end.
  pose proof (Pr_01 _ (within alpha (INR (distinct sX x))) PE) as P01.
  destruct (bad h) eqn:BH; [simpl; lra|]. simpl.
  pose proof (de_upper_II B sB pools m eps (beta / 2) n HP He ltac:(lra) Hn Hm (map h x) ltac:(rewrite map_length; auto)) as H2.
  assert (HIn : forall a, In a (map h x) -> In a pools) by (intros b Hb'; apply in_map_iff in Hb'; destruct Hb' as [a [Ha _]]; subst; auto).
  specialize (H2 HIn). apply Rle_trans with (1 - beta / 2); [lra|]. eapply Rle_trans; [exact H2|].
  apply Pr_within_mono; [apply PE|]. fold k.
  unfold bad, at_least in BH. destruct (Rle_dec loss _) as [Z|Z]; [discriminate|].
  change (distinct sX x) with (length S). rewrite (distinct_map sX sB h x). fold S.
  pose proof (loss_nonneg sB h S) as LN.
  rewrite Rabs_minus_sym, Rabs_right by lra. unfold alpha.
  replace (2 / (beta / 2)) with (4 / beta) by (field; lra).
  assert (L4 : 0 < ln (4 / beta)).
  { rewrite <- ln_1. apply ln_increasing; [lra|]. apply Rmult_lt_reg_r with beta; [lra|].
    unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra. }
  pose proof (exp_ineq1 eps ltac:(lra)) as E1.
  assert (Q : exp eps / (exp eps - 1) * sqrt (2 * k * ln (4 / beta))
     <= exp eps / (exp eps - 1) * sqrt (2 * (c * Rpower (INR n) (4 / 3) + 1) * ln (4 / beta))); [|lra].
  apply Rmult_le_compat_l; [left; apply Rdiv_lt_0_compat; lra|]. apply sqrt_le_1_alt.
  apply Rmult_le_compat_r; lra.
Qed.

(* As printed, with a domain [k] at least as large as the number of pools. *)
Definition hashed_accuracy_printed : Prop :=
  forall (X B : Type) (same_X : forall a b : X, {a = b} + {a <> b}) (same_B : forall a b : B, {a = b} + {a <> b})
         (domain : list X) (family : list (X -> B)) (pools : list B) (m : nat -> nat) (c eps beta : R) (n : nat),
  NoDup domain -> (forall a, In a domain) -> (length pools <= length domain)%nat ->
  1 <= c -> 0 < eps -> 0 < beta < 1 -> (0 < n)%nat -> (0 < m n)%nat -> hashes_to same_B family pools c n ->
  solves_distinct same_X n
    (2 * Rpower (INR n) (2 / 3) / (c * beta)
     + exp eps / (exp eps - 1) * sqrt (2 * (Rpower (INR n) (4 / 3) + 1) * ln (4 / beta))) beta
    (P_HDE same_B family pools eps m n).

(* The sum of the entries of a row at selected places. *)
Fixpoint selected (row : list Z) (i : nat) (s : nat -> bool) : Z :=
  match row with [] => 0 | w :: row => (if s i then w else 0) + selected row (S i) s end%Z.
Lemma weigh_selected : forall row i s, weigh row i (fun c => indicator (s c)) = IZR (selected row i s).
Proof.
  induction row as [|w row IH]; intros i s; cbn [weigh selected]; [reflexivity|]. rewrite plus_IZR, IH.
  destruct (s i); simpl; ring.
Qed.

Lemma count_heads : forall l, count l = INR (heads l).
Proof.
  induction l as [|b l IH]; [reflexivity|]. unfold count in *. rewrite total_cons, IH. cbn [heads].
  destruct b; [rewrite S_INR|]; simpl; ring.
Qed.
Lemma repeated_bits : forall q l f, E (independent (map Ber (repeat q l))) (fun b => f (heads b)) = E (Bin l q) f.
Proof.
  intros q. induction l as [|l IH]; intro f.
  - cbn [repeat map independent Bin]. rewrite !E_point. reflexivity.
  - cbn [repeat map Bin]. rewrite E_independent_cons, E_bind. apply E_ext; intro b.
    rewrite E_bind, (E_ext (Bin l q) _ (fun c => f (if b then S c else c))) by (intro; apply E_point).
    rewrite <- IH. apply E_ext; intro r. destruct b; reflexivity.
Qed.

Lemma first_bit : forall p q l f, E (independent (map Ber (p :: repeat q l))) (fun b => f (heads b))
  = p * E (Bin l q) (fun c => f (S c)) + (1 - p) * E (Bin l q) f.
Proof.
  intros p q l f. rewrite <- (repeated_bits q l f), <- (repeated_bits q l (fun c => f (S c))).
  cbn [map]. rewrite E_independent_cons. cbn [Ber E heads]. ring.
Qed.

(* A domain of 32 elements, as many pools, and the identity. *)
Definition five_bits : Type := bool * (bool * (bool * (bool * bool))).
Definition same_five : forall a b : five_bits, {a = b} + {a <> b}.
Proof. unfold five_bits. repeat decide equality. Defined.
Definition all_five : list five_bits :=
  let b := [false; true] in list_prod b (list_prod b (list_prod b (list_prod b b))).
Lemma all_five_full : forall a, In a all_five.
Proof. intros [a [b [c [d e]]]]. repeat (apply in_prod); destruct a, b, c, d, e; simpl; auto. Qed.
Lemma all_five_nodup : NoDup all_five.
Proof.
  cbv [all_five list_prod map app]. repeat constructor; intro H; simpl in H;
    repeat (destruct H as [H|H]; [discriminate H|]); exact H.
Qed.

Lemma hashes_to_self : hashes_to same_five [fun a => a] all_five 32 1.
Proof.
  unfold hashes_to. repeat split.
  - discriminate.
  - exact all_five_nodup.
  - intros h a [H|[]]. subst. apply all_five_full.
  - intros x y H. unfold Pr, uniform. cbn [map E]. destruct (same_five x y); [contradiction|]. cbn [indicator].
    rewrite Rmult_0_r, Rplus_0_r. left. apply Rinv_0_lt_compat. apply lt_0_INR. cbn. lia.
  - change (length all_five) with 32%nat. unfold Rpower. simpl (INR 1). rewrite ln_1, Rmult_0_r, exp_0.
    rewrite INR_IZR_INZ. simpl. lra.
  - change (length all_five) with 32%nat. unfold Rpower. simpl (INR 1). rewrite ln_1, Rmult_0_r, exp_0.
    rewrite INR_IZR_INZ. simpl. lra.
Qed.

Lemma P_HDE_one {X B} : forall (same : forall a b : B, {a = b} + {a <> b}) (h : X -> B) pools eps m n x f,
  E (P_HDE same [h] pools eps m n x) f = E (execution (P_DE same pools eps m n) (A_DE same pools eps) (map h x)) f.
Proof.
  intros. unfold P_HDE. rewrite E_bind. unfold uniform. cbn [map E length INR]. rewrite execution_hashed, Rinv_1. ring.
Qed.
Lemma INR_1 : INR 1 = 1.
Proof. reflexivity. Qed.
Lemma length_five : length all_five = 32%nat.
Proof. reflexivity. Qed.

Definition zero_five : list five_bits := [hd (false, (false, (false, (false, false)))) all_five].
Lemma first_is_zero : map (fun j => Ber (if in_dec same_five j zero_five then 1 / 2 else 1 / 4)) all_five
  = map Ber (1 / 2 :: repeat (1 / 4) 31).
Proof.
  transitivity (map (fun b : bool => Ber (if b then 1 / 2 else 1 / 4))
    (map (fun j => if in_dec same_five j zero_five then true else false) all_five)).
  - rewrite map_map. apply map_ext. intro j. destruct (in_dec same_five j zero_five); reflexivity.
  - replace (map (fun j => if in_dec same_five j zero_five then true else false) all_five) with (true :: repeat false 31)
      by (vm_compute; reflexivity).
    cbn [map repeat]. reflexivity.
Qed.

Lemma distinct_zero : distinct same_five zero_five = 1%nat.
Proof. reflexivity. Qed.
Lemma length_zero : length zero_five = 1%nat.
Proof. reflexivity. Qed.

Definition good_count (c : nat) : bool := ((7 <=? c) && (c <=? 9))%nat.

Lemma chance_of_good :
  1 / 2 * E (Bin 31 (1 / 4)) (fun c => indicator (good_count (S c)))
  + (1 - 1 / 2) * E (Bin 31 (1 / 4)) (fun c => indicator (good_count c)) < 1 / 2.
Proof.
  pose proof (Bin_row 1 3 31 (fun c => indicator (good_count (S c))) ltac:(lia)) as R1.
  pose proof (Bin_row 1 3 31 (fun c => indicator (good_count c)) ltac:(lia)) as R2.
  change (IZR 1 / IZR (1 + 3)) with (1 / 4) in R1, R2.
  rewrite (weigh_selected (binomial_row 1 3 31) 0 (fun c => good_count (S c))) in R1.
  rewrite (weigh_selected (binomial_row 1 3 31) 0 good_count) in R2.
  generalize dependent (E (Bin 31 (1 / 4)) (fun c => indicator (good_count (S c)))). intros e1 R1.
  generalize dependent (E (Bin 31 (1 / 4)) (fun c => indicator (good_count c))). intros e2 R2.
  rewrite pow_IZR in R1, R2. set (w := ((1 + 3) ^ Z.of_nat 31)%Z) in *.
  assert (CC : (selected (binomial_row 1 3 31) 0 (fun c => good_count (S c)) + selected (binomial_row 1 3 31) 0 good_count < w)%Z)
    by (vm_compute; reflexivity). apply IZR_lt in CC. rewrite plus_IZR, <- R1, <- R2 in CC.
  assert (W0 : 0 < IZR w) by (apply IZR_lt; vm_compute; reflexivity).
  assert (e1 + e2 < 1) by (apply Rmult_lt_reg_r with (IZR w); lra). lra.
Qed.

Lemma within_is_good : forall alpha (bits : list bool), alpha < 6 ->
  indicator (within alpha 1 (debiased (ln 2) 32 (count bits))) <= indicator (good_count (heads bits)).
Proof.
  intros alpha bits A. unfold debiased. rewrite exp_ln, count_heads by lra.
  unfold within. destruct (Rle_dec _ alpha) as [C|C]; [|apply indicator_01].
  replace (good_count (heads bits)) with true; [lra|]. symmetry. unfold good_count. apply andb_true_iff. rewrite !Nat.leb_le.
  rewrite (INR_IZR_INZ 32) in C. simpl (IZR (Z.of_nat 32)) in C.
  replace ((2 * INR (heads bits) * 2 - 32) / (2 - 1) - 1) with (4 * INR (heads bits) - 33) in C by field.
  assert (C2 : -6 < 4 * INR (heads bits) - 33 < 6) by (unfold Rabs in C; destruct (Rcase_abs _) in C; lra).
  rewrite INR_IZR_INZ in C2. split.
  - assert (6 < Z.of_nat (heads bits))%Z; [|lia]. apply lt_IZR. lra.
  - assert (Z.of_nat (heads bits) < 10)%Z; [|lia]. apply lt_IZR. lra.
Qed.

Lemma printed_error : 2 * 1 / (32 * (1 / 2)) + 2 / (2 - 1) * sqrt (2 * (1 + 1) * ln (4 / (1 / 2))) < 6.
Proof.
  replace (4 / (1 / 2)) with (2 ^ 3) by field. rewrite ln_pow by lra. simpl (INR 3).
  pose proof ln_2_bounds. assert (sqrt (2 * (1 + 1) * ((1 + 1 + 1) * ln 2)) <= 2.886).
  { apply Rle_trans with (sqrt (2.886 * 2.886)); [apply sqrt_le_1_alt; lra | right; apply sqrt_square; lra]. }
  lra.
Qed.

Lemma ln_2_pos : 0 < ln 2.
Proof. pose proof ln_2_bounds. lra. Qed.

Lemma bits_of_zero : forall f,
  E (execution (P_DE same_five all_five (ln 2) (fun _ => 1%nat) 1) (A_DE same_five all_five (ln 2)) zero_five) f
  = E (independent (map Ber (1 / 2 :: repeat (1 / 4) 31))) (fun bits => f (debiased (ln 2) 32 (count bits))).
Proof.
  intro f. unfold P_DE.
  rewrite (execution_bits five_bits same_five 1 1 (le_n 1) (le_n 1) (ln 2) ln_2_pos all_five all_five_nodup), length_five.
  rewrite <- first_is_zero.
  rewrite (map_ext_in (fun j => Ber (par five_bits same_five 1 (ln 2) j zero_five))
    (fun j => Ber (if in_dec same_five j zero_five then 1 / 2 else 1 / 4))); [reflexivity|].
  intros j _. f_equal. rewrite (chance_is five_bits same_five 1 1 (le_n 1) (le_n 1) (ln 2) ln_2_pos j zero_five length_zero).
  destruct (in_dec same_five j zero_five); [reflexivity|]. rewrite exp_ln by lra. field.
Qed.

Lemma zero_refutes : forall alpha, alpha < 6 ->
  Pr (P_HDE same_five [fun a => a] all_five (ln 2) (fun _ => 1%nat) 1 zero_five) (within alpha 1) < 1 / 2.
Proof.
  intros alpha A. unfold Pr. rewrite P_HDE_one, map_id, bits_of_zero.
  eapply Rle_lt_trans; [|exact chance_of_good].
  rewrite <- (first_bit (1 / 2) (1 / 4) 31 (fun c => indicator (good_count c))).
  apply E_le; [|intro bits; apply within_is_good; exact A].
  apply proper_bits. constructor; [lra|]. apply Forall_forall. intros q Hq. apply repeat_spec in Hq. subst. lra.
Qed.

(* n = 1, c = 32, e^eps = 2, beta = 1/2. *)
Theorem hashed_accuracy_refuted : ~ hashed_accuracy_printed.
Proof.
  intro H.
  specialize (H five_bits five_bits same_five same_five all_five [fun a => a] all_five (fun _ => 1%nat) 32 (ln 2) (1 / 2) 1%nat
    all_five_nodup all_five_full (le_n _) ltac:(lra) ln_2_pos ltac:(lra) (le_n 1) (le_n 1) hashes_to_self zero_five length_zero).
  rewrite distinct_zero, INR_1, exp_ln in H by lra. unfold Rpower in H. rewrite ln_1, !Rmult_0_r, exp_0 in H.
  pose proof (zero_refutes _ printed_error) as G.
  apply (Rlt_irrefl (1 / 2)). eapply Rle_lt_trans; [|exact G]. eapply Rle_trans; [|exact H]. lra.
Qed.
