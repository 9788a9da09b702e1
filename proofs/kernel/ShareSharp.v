(* Theorem ikos, sharper: the total variation is at most 2^(1-m) for every m >= 3 and every number of honest users.

   It is attained by two users, and false for m = 2 (DistinctMessages.two_messages_refuted).  The signed measures F^(m(N-j)) S^(mj)
   are orthogonal, and the shares of h live on half of all bit vectors, those of h's parity; so by Cauchy-Schwarz the square of the total
   variation is at most 1/2 sum_{0<j<N} C(N,j)^2/C(mN,mj).  That is at most 4 4^-m but for N = 2, where the norm of F^m S^m is 2^-m,
   and for four small cases, which are computed. *)
From Coq Require Import Reals ZArith Lra Lia List Bool Permutation.
From PanshuffleKernel Require Import Law Closeness Parity Shuffle Messages ShuffleModel Distinct Shares Ikos Transformation ShareBound.
From PanshuffleKernel Require Import Rows ShareLaw BinarySum Hash DistinctRobust DistinctPrivacy Calculus.
Import ListNotations.
Open Scope R_scope.

(* ---- Bessel's inequality for several terms ---- *)
Lemma krawtchouk_orthogonal : forall n a b, a <> b -> E (fair_bits n) (fun l => krawtchouk a l * krawtchouk b l) = 0.
Proof.
  assert (G : forall n a b, (a < b)%nat -> E (fair_bits n) (fun l => krawtchouk a l * krawtchouk b l) = 0).
  { induction n; intros a b H.
    - unfold fair_bits, power_of. cbn [repeat concatenated]. rewrite E_point. destruct b as [|b]; [lia|]. simpl. ring.
    - rewrite E_fair_cons. destruct b as [|b]; [lia|]. destruct a as [|a].
      + rewrite (E_ext _ (fun l => krawtchouk 0 (false :: l) * krawtchouk (S b) (false :: l))
          (fun l => krawtchouk 0 l * krawtchouk b l + krawtchouk 0 l * krawtchouk (S b) l)) by (intro l; cbn [krawtchouk]; unfold sign; ring).
        rewrite (E_ext _ (fun l => krawtchouk 0 (true :: l) * krawtchouk (S b) (true :: l))
          (fun l => -1 * (krawtchouk 0 l * krawtchouk b l) + krawtchouk 0 l * krawtchouk (S b) l)) by (intro l; cbn [krawtchouk]; unfold sign; ring).
        rewrite !E_plus, E_mult, (IHn 0%nat (S b)) by lia. ring.
      + rewrite (E_ext _ (fun l => krawtchouk (S a) (false :: l) * krawtchouk (S b) (false :: l))
          (fun l => (krawtchouk a l * krawtchouk b l + krawtchouk (S a) l * krawtchouk (S b) l)
             + (krawtchouk a l * krawtchouk (S b) l + krawtchouk (S a) l * krawtchouk b l))) by (intro l; cbn [krawtchouk]; unfold sign; ring).
        rewrite (E_ext _ (fun l => krawtchouk (S a) (true :: l) * krawtchouk (S b) (true :: l))
          (fun l => (krawtchouk a l * krawtchouk b l + krawtchouk (S a) l * krawtchouk (S b) l)
             + -1 * (krawtchouk a l * krawtchouk (S b) l + krawtchouk (S a) l * krawtchouk b l))) by (intro l; cbn [krawtchouk]; unfold sign; ring).
        rewrite !E_plus, E_mult, !E_plus, (IHn a b), (IHn (S a) (S b)) by lia. field. }
  intros n a b H. destruct (Nat.lt_ge_cases a b) as [C|C]; [apply G; auto|].
  rewrite (E_ext _ _ (fun l => krawtchouk b l * krawtchouk a l)) by (intro; ring). apply G. lia.
Qed.

Lemma bessel_many : forall N (orders : list nat) G, NoDup orders -> (forall a, In a orders -> (a <= N)%nat) -> order_free G ->
  total orders (fun a => E (mixed a (N - a)) G ^ 2 * INR (choose N a)) <= E (fair_bits N) (fun l => G l ^ 2).
Proof.
  intros N orders G ND HO HG. set (t := fun a => E (mixed a (N - a)) G).
  set (P := fun l => total orders (fun a => krawtchouk a l * t a)).
  assert (PG : E (fair_bits N) (fun l => P l * G l) = total orders (fun a => t a ^ 2 * INR (choose N a))).
  { unfold P. rewrite (E_ext _ _ (fun l => total orders (fun a => krawtchouk a l * t a * G l))) by (intro; symmetry; apply total_mult).
    rewrite E_total. apply total_ext_in. intros a Ha.
    rewrite (E_ext _ _ (fun l => t a * (krawtchouk a l * G l))) by (intro; ring).
    rewrite E_mult, E_krawtchouk by auto. unfold t. ring. }
  assert (PP : E (fair_bits N) (fun l => P l ^ 2) = total orders (fun a => t a ^ 2 * INR (choose N a))).
  { assert (Q : forall b, In b orders -> E (fair_bits N) (fun l => P l * krawtchouk b l) = t b * INR (choose N b)).
    { intros b Hb. unfold P. rewrite (E_ext _ _ (fun l => total orders (fun a => krawtchouk a l * t a * krawtchouk b l))) by (intro; symmetry; apply total_mult).
      rewrite E_total. clear PG HO P. revert b Hb. induction ND as [|c os NI ND IH]; intros b Hb; [destruct Hb|]. rewrite total_cons.
      rewrite (E_ext _ _ (fun l => t c * (krawtchouk c l * krawtchouk b l))) by (intro; ring). rewrite E_mult.
      destruct (Nat.eq_dec c b) as [e|e].
      - subst. rewrite (E_ext _ _ (fun l => krawtchouk b l ^ 2)) by (intro; ring). rewrite E_krawtchouk_square.
        rewrite (total_ext_in os _ (fun _ => 0)).
        + rewrite total_const. ring.
        + intros a Ha. rewrite (E_ext _ _ (fun l => t a * (krawtchouk a l * krawtchouk b l))) by (intro; ring).
          rewrite E_mult, krawtchouk_orthogonal by (intro; subst; contradiction). ring.
      - destruct Hb as [Hb|Hb]; [congruence|]. rewrite krawtchouk_orthogonal by auto. rewrite IH by auto. ring. }
    rewrite (E_ext _ _ (fun l => total orders (fun b => krawtchouk b l * t b * P l))).
    - rewrite E_total. apply total_ext_in. intros b Hb.
      rewrite (E_ext _ _ (fun l => t b * (P l * krawtchouk b l))) by (intro; ring). rewrite E_mult, Q by auto. ring.
    - intro l. rewrite total_mult. unfold P. ring. }
  assert (X : 0 <= E (fair_bits N) (fun l => (G l - P l) ^ 2)).
  { rewrite <- (E_const (fair_bits N) 0 (proper_fair N)). apply E_le; [apply proper_fair|]. intro l. apply pow2_ge_0. }
  rewrite (E_ext _ _ (fun l => (G l ^ 2 + -2 * (P l * G l)) + P l ^ 2)) in X by (intro; ring).
  rewrite !E_plus, E_mult, PG, PP in X.
  change (total orders (fun a => t a ^ 2 * INR (choose N a)) <= E (fair_bits N) (fun l => G l ^ 2)). lra.
Qed.

Lemma twice_below : forall s r z, 0 <= s -> 0 <= r -> z ^ 2 <= s * r -> 2 * z <= s + r.
Proof. intros s r z Hs Hr H. apply Rnot_lt_le. intro C. assert (0 <= (s - r) ^ 2) by apply pow2_ge_0.
  assert (0 < (2 * z - (s + r)) * (2 * z + (s + r))) by (apply Rmult_lt_0_compat; lra). lra. Qed.

(* Cauchy-Schwarz with weights c_j > 0. *)
Lemma cauchy_schwarz {A} : forall (l : list A) (d t c : A -> R), (forall j, In j l -> 0 < c j) ->
  total l (fun j => d j * t j) ^ 2 <= total l (fun j => d j ^ 2 / c j) * total l (fun j => t j ^ 2 * c j).
Proof.
  intros l d t c. induction l as [|j l IH]; intro H; [simpl; lra|]. rewrite !total_cons.
  specialize (IH (fun i Hi => H i (or_intror Hi))). pose proof (H j (or_introl eq_refl)) as C.
  assert (P0 : 0 <= total l (fun j => d j ^ 2 / c j)).
  { clear IH. induction l as [|i l IH]; [simpl; lra|]. rewrite total_cons. pose proof (H i (or_intror (or_introl eq_refl))).
    assert (0 <= d i ^ 2 / c i) by (apply Rmult_le_pos; [apply pow2_ge_0 | left; apply Rinv_0_lt_compat; auto]).
    assert (0 <= total l (fun j => d j ^ 2 / c j)); [|lra]. apply IH. intros k [Hk|Hk]; [subst; auto | apply H; right; right; auto]. }
  assert (Q0 : 0 <= total l (fun j => t j ^ 2 * c j)).
  { clear IH P0. induction l as [|i l IH]; [simpl; lra|]. rewrite total_cons. pose proof (H i (or_intror (or_introl eq_refl))).
    assert (0 <= t i ^ 2 * c i) by (apply Rmult_le_pos; [apply pow2_ge_0 | lra]).
    assert (0 <= total l (fun j => t j ^ 2 * c j)); [|lra]. apply IH. intros k [Hk|Hk]; [subst; auto | apply H; right; right; auto]. }
  set (X := total l (fun j => d j * t j)) in *. set (P := total l (fun j => d j ^ 2 / c j)) in *. set (Q := total l (fun j => t j ^ 2 * c j)) in *.
  assert (TB : 2 * (X * (d j * t j)) <= P * (t j ^ 2 * c j) + Q * (d j ^ 2 / c j)).
  { apply twice_below.
    - apply Rmult_le_pos; auto. apply Rmult_le_pos; [apply pow2_ge_0 | lra].
    - apply Rmult_le_pos; auto. apply Rmult_le_pos; [apply pow2_ge_0 | left; apply Rinv_0_lt_compat; auto].
    - replace (P * (t j ^ 2 * c j) * (Q * (d j ^ 2 / c j))) with (P * Q * (d j * t j) ^ 2) by (field; lra).
      rewrite Rpow_mult_distr. apply Rmult_le_compat_r; [apply pow2_ge_0 | auto]. }
  replace ((d j ^ 2 / c j + P) * (t j ^ 2 * c j + Q)) with (P * Q + (P * (t j ^ 2 * c j) + Q * (d j ^ 2 / c j)) + (d j * t j) ^ 2) by (field; lra).
  replace ((d j * t j + X) ^ 2) with (X ^ 2 + 2 * (X * (d j * t j)) + (d j * t j) ^ 2) by ring. lra.
Qed.

(* Half of all bit vectors have a given parity. *)
Lemma half_parity : forall n s, E (fair_bits (S n)) (fun l => indicator (Bool.eqb (parity l) s)) = 1 / 2.
Proof.
  intros n s. rewrite E_fair_cons, <- Rmult_plus_distr_l, <- E_plus.
  rewrite (E_ext _ _ (fun _ => 1)); [rewrite (E_const _ _ (proper_fair n)); ring|].
  intro l. cbn [parity fold_right]. fold (parity l). destruct (parity l), s; simpl; ring.
Qed.

Lemma shares_parity_all : forall k h p, In p (concatenated (map (shares k) h)) -> parity (fst p) = parity h.
Proof.
  intros k h. induction h as [|u h IH]; intros p H; cbn [map concatenated] in H.
  - destruct H as [H|[]]; subst; reflexivity.
  - apply in_bind in H. destruct H as [a [b [H1 [H2 H3]]]]. apply in_bind in H2. destruct H2 as [c [e [H4 [H5 H6]]]].
    destruct H5 as [H5|[]]; subst e. cbn [fst] in H6. rewrite <- H3, <- H6, parity_app, (IH c H4), (shares_parity k u a H1). reflexivity.
Qed.

(* sum_{0<j<n} C(n,j)^2/C(mn,mj). *)
Definition ratio (m n j : nat) : R := INR (choose n j) ^ 2 / INR (choose (m * n) (m * j)).
Definition ratios (m n : nat) : R := total (seq 1 (n - 1)) (ratio m n).

Lemma tv_by_ratios : forall k h w F, (2 <= length h)%nat -> length h = length w -> parity h = parity w -> unordered_test F ->
  (E (concatenated (map (shares k) h)) F - E (concatenated (map (shares k) w)) F) ^ 2 <= 1 / 2 * ratios (S k) (length h).
Proof.
  intros k h w F Hn Hl Hp [F1 F2]. set (n := length h) in *. set (N := (n * S k)%nat).
  set (G := fun l => (2 * F l - 1) * indicator (Bool.eqb (parity l) (parity h))).
  assert (G1 : order_free G) by (intros l l' P0; unfold G; rewrite (F1 l l' P0), (parity_perm l l' P0); reflexivity).
  assert (X : forall z, parity z = parity h -> E (concatenated (map (shares k) z)) G = 2 * E (concatenated (map (shares k) z)) F - 1).
  { intros z Hz. assert (PZ : proper (concatenated (map (shares k) z))) by (apply proper_concatenated_map; intro; apply proper_shares).
    rewrite (E_ext_in _ _ (fun l => 2 * F l + -1)).
    - rewrite E_plus, E_mult, (E_const _ _ PZ). ring.
    - intros p Hpz. unfold G. rewrite (shares_parity_all k z p Hpz), Hz, eqb_reflx. simpl. ring. }
  assert (Y : forall z, E (concatenated (map (shares k) z)) G = Gm k z 0 0 G).
  { intro z. unfold Gm. rewrite E_join. apply E_ext; intro l. unfold mixed, power_of. simpl. rewrite app_nil_r. ring. }
  set (d := fun j => elementary j h - elementary j w). set (t := fun j => term k n 0 0 G j).
  assert (D : Gm k h 0 0 G - Gm k w 0 0 G = total (seq 1 (n - 1)) (fun j => d j * t j)).
  { rewrite !expansion by auto. rewrite <- Hl. fold n. rewrite total_minus.
    rewrite (total_ext (seq 0 (S n)) _ (fun j => d j * t j)) by (intro j; unfold d, t; ring).
    set (f := fun j => d j * t j).
    replace (S n) with (1 + (n - 1) + 1)%nat by lia. rewrite !seq_app, !total_app. cbn [Nat.add].
    assert (f0 : f 0%nat = 0) by (unfold f, d; rewrite !elementary_0; ring).
    assert (fn : f n = 0).
    { assert (A1 : elementary n h = sign (parity h)) by (unfold n; apply elementary_all).
      assert (A2 : elementary n w = sign (parity w)) by (rewrite Hl; apply elementary_all).
      unfold f, d. rewrite A1, A2, Hp. ring. }
    replace (S (n - 1)) with n by lia. simpl (total (seq 0 1) f). simpl (total (seq n 1) f). rewrite f0, fn. ring. }
  assert (C0 : forall j, In j (seq 1 (n - 1)) -> 0 < INR (choose (S k * n) (S k * j))).
  { intros j Hj. apply in_seq in Hj. apply lt_0_INR. pose proof (choose_pos (S k * n) (S k * j) ltac:(nia)). lia. }
  pose proof (cauchy_schwarz (seq 1 (n - 1)) d t (fun j => INR (choose (S k * n) (S k * j))) C0) as CS.
  assert (BS : total (seq 1 (n - 1)) (fun j => t j ^ 2 * INR (choose (S k * n) (S k * j))) <= 1 / 2).
  { pose proof (bessel_many N (map (fun j => (S k * j)%nat) (seq 1 (n - 1))) G) as B. rewrite total_map in B.
    eapply Rle_trans; [|eapply Rle_trans; [apply B|]]; auto.
    - right. apply total_ext_in. intros j Hj. apply in_seq in Hj. unfold t, term. cbn [Nat.add].
      replace (j * S k)%nat with (S k * j)%nat by lia. replace ((n - j) * S k)%nat with (N - S k * j)%nat by (unfold N; nia).
      replace (S k * n)%nat with N by (unfold N; lia). reflexivity.
    - apply FinFun.Injective_map_NoDup; [intros a b Q; nia | apply seq_NoDup].
    - intros a Ha. apply in_map_iff in Ha. destruct Ha as [j [Ha Hj]]. apply in_seq in Hj. subst a. unfold N. nia.
    - apply Rle_trans with (E (fair_bits N) (fun l => indicator (Bool.eqb (parity l) (parity h)))).
      + apply E_le; [apply proper_fair|]. intro l. unfold G. specialize (F2 l). destruct (Bool.eqb _ _); simpl; nra.
      + replace N with (S (N - 1)) by (unfold N; nia). rewrite half_parity. lra. }
  assert (DS : total (seq 1 (n - 1)) (fun j => d j ^ 2 / INR (choose (S k * n) (S k * j))) <= 4 * ratios (S k) n).
  { unfold ratios. rewrite Rmult_comm, <- total_mult. apply total_le. intros j Hj. pose proof (C0 j Hj) as C. unfold ratio.
    pose proof (elementary_bound h j) as E1. pose proof (elementary_bound w j) as E2. rewrite <- Hl in E2. fold n in E1, E2.
    apply abs2 in E1. apply abs2 in E2.
    assert (Q : d j ^ 2 <= 4 * INR (choose n j) ^ 2) by (unfold d; nra).
    unfold Rdiv. replace (INR (choose n j) ^ 2 * / INR (choose (S k * n) (S k * j)) * 4) with (4 * INR (choose n j) ^ 2 * / INR (choose (S k * n) (S k * j))) by ring.
    apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; auto | auto]. }
  rewrite <- D, <- !Y, X, X in CS by auto.
  set (e1 := E (concatenated (map (shares k) h)) F) in *. set (e2 := E (concatenated (map (shares k) w)) F) in *.
  set (A := total _ _) in CS. set (B := total _ _) in CS.
  change (A <= 4 * ratios (S k) n) in DS. change (B <= 1 / 2) in BS.
  assert (A0 : 0 <= A).
  { unfold A. rewrite <- (Rmult_0_r (INR (length (seq 1 (n - 1))))), <- total_const. apply total_le. intros j Hj.
    apply Rmult_le_pos; [apply pow2_ge_0 | left; apply Rinv_0_lt_compat; auto]. }
  assert (A * B <= A * (1 / 2)) by (apply Rmult_le_compat_l; auto). 
  replace ((2 * e1 - 1 - (2 * e2 - 1)) ^ 2) with (4 * (e1 - e2) ^ 2) in CS by ring. lra.
Qed.

(* ---- Binomial coefficients ---- *)
Lemma choose_absorb : forall n k, (S k * choose (S n) (S k) = S n * choose n k)%nat.
Proof.
  induction n as [|n IH]; intro k.
  - destruct k; simpl; lia.
  - destruct k as [|k].
    + change (choose (S (S n)) 1) with (choose (S n) 0 + choose (S n) 1)%nat. rewrite !choose_0, choose_1. lia.
    + change (choose (S (S n)) (S (S k))) with (choose (S n) (S k) + choose (S n) (S (S k)))%nat.
      pose proof (IH (S k)) as I1. pose proof (IH k) as I2.
      change (choose (S n) (S k)) with (choose n k + choose n (S k))%nat in *. nia.
Qed.
Lemma choose_next : forall n k, (k <= n)%nat -> INR (choose n (S k)) * (INR k + 1) = INR (choose n k) * (INR n - INR k).
Proof.
  intros n k H. pose proof (choose_absorb n k) as A. change (choose (S n) (S k)) with (choose n k + choose n (S k))%nat in A.
  apply (f_equal INR) in A. rewrite !mult_INR, plus_INR, !S_INR in A. lra.
Qed.
Lemma choose_sym : forall a b, choose (a + b) a = choose (a + b) b.
Proof.
  assert (G : forall s a b, (a + b = s)%nat -> choose s a = choose s b).
  { induction s as [|s IH]; intros a b H.
    - replace a with 0%nat by lia. replace b with 0%nat by lia. reflexivity.
    - destruct a as [|a].
      + replace b with (S s) by lia. rewrite choose_all, choose_0. reflexivity.
      + destruct b as [|b].
        * replace (S a) with (S s) by lia. rewrite choose_all, choose_0. reflexivity.
        * cbn [choose]. rewrite (IH a (S b)), (IH (S a) b) by lia. lia. }
  intros. apply G; auto.
Qed.

Lemma choose_real_pos : forall n k, (k <= n)%nat -> 0 < INR (choose n k).
Proof. intros. apply lt_0_INR. pose proof (choose_pos n k H). lia. Qed.

Lemma ratio_pos : forall m n j, (j <= n)%nat -> 0 <= ratio m n j.
Proof. intros. unfold ratio. apply Rmult_le_pos; [apply pow2_ge_0|]. left. apply Rinv_0_lt_compat. apply choose_real_pos. nia. Qed.

Lemma ratio_sym : forall m n j, (j <= n)%nat -> ratio m n (n - j) = ratio m n j.
Proof.
  intros m n j H. unfold ratio. pose proof (choose_sym j (n - j)) as S1. replace (j + (n - j))%nat with n in S1 by lia.
  pose proof (choose_sym (m * j) (m * (n - j))) as S2. replace (m * j + m * (n - j))%nat with (m * n)%nat in S2 by nia.
  rewrite S1, S2. reflexivity.
Qed.

(* From m to m + 1. *)
Lemma ratios_step : forall m n, (4 <= n)%nat -> ratios (S m) n <= 1 / 4 * ratios m n.
Proof.
  intros m n Hn. unfold ratios. rewrite Rmult_comm, <- total_mult. apply total_le. intros j Hj. apply in_seq in Hj. unfold ratio.
  pose proof (choose_product n j (m * n) (m * j)) as P. change (n + m * n)%nat with (S m * n)%nat in P. change (j + m * j)%nat with (S m * j)%nat in P.
  apply le_INR in P. rewrite mult_INR in P.
  assert (N4 : 4 <= INR (choose n j)).
  { replace 4 with (INR 4) by (simpl; ring). apply le_INR. pose proof (choose_large n j ltac:(lia) ltac:(lia)). lia. }
  pose proof (choose_real_pos (m * n) (m * j) ltac:(nia)) as B0.
  unfold Rdiv. rewrite Rmult_assoc. apply Rmult_le_compat_l; [apply pow2_ge_0|].
  replace (/ INR (choose (m * n) (m * j)) * (1 * / 4)) with (/ (4 * INR (choose (m * n) (m * j)))) by (field; lra).
  apply Rinv_le_contravar; [lra|]. eapply Rle_trans; [|exact P]. apply Rmult_le_compat_r; lra.
Qed.

(* m = 3: the ratios fall up to the middle. *)
Lemma triple_next : forall n j, (j < n)%nat ->
  INR (choose (3 * n) (3 * S j)) * ((3 * INR j + 1) * (3 * INR j + 2) * (3 * INR j + 3))
  = INR (choose (3 * n) (3 * j)) * ((3 * INR n - 3 * INR j) * (3 * INR n - 3 * INR j - 1) * (3 * INR n - 3 * INR j - 2)).
Proof.
  intros n j H. replace (3 * S j)%nat with (S (S (S (3 * j)))) by lia.
  pose proof (choose_next (3 * n) (3 * j) ltac:(lia)) as A1. pose proof (choose_next (3 * n) (S (3 * j)) ltac:(lia)) as A2.
  pose proof (choose_next (3 * n) (S (S (3 * j))) ltac:(lia)) as A3.
  rewrite !S_INR, !mult_INR in *. simpl (INR 3) in *. set (x := INR j) in *. set (y := INR n) in *.
  set (c0 := INR (choose (3 * n) (3 * j))) in *. set (c1 := INR (choose (3 * n) (S (3 * j)))) in *.
  set (c2 := INR (choose (3 * n) (S (S (3 * j))))) in *. set (c3 := INR (choose (3 * n) (S (S (S (3 * j)))))) in *.
  transitivity (c3 * ((1 + 1 + 1) * x + 1 + 1 + 1) * ((3 * x + 1) * (3 * x + 2))); [ring|]. rewrite A3.
  transitivity (c2 * ((1 + 1 + 1) * x + 1 + 1) * ((3 * x + 1) * (3 * y - 3 * x - 2))); [ring|]. rewrite A2.
  transitivity (c1 * ((1 + 1 + 1) * x + 1) * ((3 * y - 3 * x - 1) * (3 * y - 3 * x - 2))); [ring|]. rewrite A1. ring.
Qed.

Lemma ratio_falls : forall n j, (2 * j + 1 <= n)%nat -> ratio 3 n (S j) <= ratio 3 n j.
Proof.
  intros n j H. unfold ratio. pose proof (choose_next n j ltac:(lia)) as A. pose proof (triple_next n j ltac:(lia)) as B.
  pose proof (choose_real_pos n j ltac:(lia)) as C0. pose proof (choose_real_pos (3 * n) (3 * j) ltac:(lia)) as B0.
  pose proof (choose_real_pos (3 * n) (3 * S j) ltac:(lia)) as B1.
  pose proof (pos_INR j) as J0. assert (D0 : 2 * INR j + 1 <= INR n).
  { replace (2 * INR j + 1) with (INR (2 * j + 1)) by (rewrite plus_INR, mult_INR; simpl; ring). apply le_INR; auto. }
  set (c0 := INR (choose n j)) in *. set (c1 := INR (choose n (S j))) in *. set (b0 := INR (choose (3 * n) (3 * j))) in *.
  set (b1 := INR (choose (3 * n) (3 * S j))) in *. set (x := INR j) in *. set (i := INR n - x) in *.
  assert (IX : x + 1 <= i) by (unfold i; lra).
  replace (3 * INR n - 3 * x) with (3 * i) in B by (unfold i; ring).
  assert (C1 : c1 = c0 * i / (x + 1)) by (apply Rmult_eq_reg_r with (x + 1); [rewrite A; field; lra | lra]).
  assert (K0 : 0 < (3 * i) * (3 * i - 1) * (3 * i - 2)) by (repeat apply Rmult_lt_0_compat; lra).
  assert (K1 : 0 < (3 * x + 1) * (3 * x + 2) * (3 * x + 3)) by (repeat apply Rmult_lt_0_compat; lra).
  assert (B2 : b1 = b0 * ((3 * i) * (3 * i - 1) * (3 * i - 2)) / ((3 * x + 1) * (3 * x + 2) * (3 * x + 3)))
    by (apply Rmult_eq_reg_r with ((3 * x + 1) * (3 * x + 2) * (3 * x + 3)); [rewrite B; field; lra | lra]).
  rewrite C1, B2.
  replace ((c0 * i / (x + 1)) ^ 2 / (b0 * (3 * i * (3 * i - 1) * (3 * i - 2)) / ((3 * x + 1) * (3 * x + 2) * (3 * x + 3))))
    with (c0 ^ 2 / b0 * (i * ((3 * x + 1) * (3 * x + 2)) / ((x + 1) * ((3 * i - 1) * (3 * i - 2))))) by (field; repeat split; lra).
  rewrite <- (Rmult_1_r (c0 ^ 2 / b0)) at 2. apply Rmult_le_compat_l.
  - apply Rmult_le_pos; [apply pow2_ge_0 | left; apply Rinv_0_lt_compat; auto].
  - apply div_le; [apply Rmult_lt_0_compat; [lra | apply Rmult_lt_0_compat; lra]|].
    assert (M1 : 0 <= i * x * (i - x - 1)) by (apply Rmult_le_pos; [apply Rmult_le_pos; lra | lra]).
    assert (M2 : 0 <= (i - 1) * (i - x - 1)) by (apply Rmult_le_pos; lra).
    assert (M3 : 0 <= i - x - 1) by lra. lra.
Qed.

Lemma ratio_middle : forall n j, (2 <= j)%nat -> (j + 2 <= n)%nat -> ratio 3 n j <= ratio 3 n 2.
Proof.
  assert (G : forall n j, (2 <= j)%nat -> (2 * j <= n + 1)%nat -> ratio 3 n j <= ratio 3 n 2).
  { intros n j. induction j as [|j IH]; intros H1 H2; [lia|]. destruct (Nat.eq_dec j 1) as [Z|Z]; [subst; lra|].
    eapply Rle_trans; [apply ratio_falls; lia | apply IH; lia]. }
  intros n j H1 H2. destruct (Nat.le_gt_cases (2 * j) (n + 1)) as [C|C]; [apply G; auto|].
  rewrite <- (ratio_sym 3 n j) by lia. apply G; lia.
Qed.

Lemma ratios_3 : forall n, (6 <= n)%nat -> ratios 3 n <= 8 * (1 / 4) ^ 3.
Proof.
  intros n Hn. assert (N6 : 6 <= INR n) by (replace 6 with (INR 6) by (simpl; ring); apply le_INR; auto).
  set (y := INR n) in *.
  assert (S1 : ratios 3 n = ratio 3 n 1 + total (seq 2 (n - 3)) (ratio 3 n) + ratio 3 n (n - 1)).
  { unfold ratios. replace (n - 1)%nat with (1 + (n - 3) + 1)%nat at 1 by lia. rewrite !seq_app, !total_app. cbn [Nat.add].
    replace (S (S (n - 3))) with (n - 1)%nat by lia. simpl. ring. }
  assert (S2 : total (seq 2 (n - 3)) (ratio 3 n) <= (y - 3) * ratio 3 n 2).
  { apply Rle_trans with (total (seq 2 (n - 3)) (fun _ => ratio 3 n 2)).
    - apply total_le. intros j Hj. apply in_seq in Hj. apply ratio_middle; lia.
    - rewrite total_const, seq_length, minus_INR by lia. fold y. simpl (INR 3). right. ring. }
  rewrite S1, ratio_sym by lia.
  pose proof (triple_next n 0 ltac:(lia)) as T0. pose proof (triple_next n 1 ltac:(lia)) as T1.
  rewrite Nat.mul_0_r, choose_0 in T0. replace (INR 0) with 0 in T0 by reflexivity. replace (INR 1) with 1 in * by reflexivity. fold y in T0, T1.
  pose proof (choose_next n 1 ltac:(lia)) as A. rewrite choose_1 in A. replace (INR 1) with 1 in A by reflexivity. fold y in A.
  unfold ratio in *. rewrite choose_1 in *. fold y in S2 |- *. change (3 * 1)%nat with 3%nat in *. change (3 * 2)%nat with 6%nat in *.
  set (b1 := INR (choose (3 * n) 3)) in *. set (b2 := INR (choose (3 * n) 6)) in *. set (c2 := INR (choose n 2)) in *.
  assert (B1 : b1 = 3 * y * (3 * y - 1) * (3 * y - 2) / 6) by lra.
  assert (B2 : b2 = b1 * ((3 * y - 3) * (3 * y - 4) * (3 * y - 5)) / 120) by lra.
  assert (C2 : c2 = y * (y - 1) / 2) by lra.
  assert (R1 : y ^ 2 / b1 = 2 * y / ((3 * y - 1) * (3 * y - 2))) by (rewrite B1; field; repeat split; lra).
  assert (R2 : c2 ^ 2 / b2 = 20 * y * (y - 1) / ((3 * y - 1) * (3 * y - 2) * ((3 * y - 4) * (3 * y - 5)))).
  { rewrite B2, B1, C2. field. repeat split; lra. }
  rewrite R2 in S2. rewrite R1.
  assert (P1 : 0 < (3 * y - 1) * (3 * y - 2)) by (apply Rmult_lt_0_compat; lra).
  assert (P2 : 0 < (3 * y - 4) * (3 * y - 5)) by (apply Rmult_lt_0_compat; lra).
  assert (Q : 2 * (2 * y / ((3 * y - 1) * (3 * y - 2))) + (y - 3) * (20 * y * (y - 1) / ((3 * y - 1) * (3 * y - 2) * ((3 * y - 4) * (3 * y - 5)))) <= 1 / 8).
  { replace (2 * (2 * y / ((3 * y - 1) * (3 * y - 2))) + (y - 3) * (20 * y * (y - 1) / ((3 * y - 1) * (3 * y - 2) * ((3 * y - 4) * (3 * y - 5)))))
      with ((4 * y * ((3 * y - 4) * (3 * y - 5)) + 20 * y * (y - 1) * (y - 3)) / ((3 * y - 1) * (3 * y - 2) * ((3 * y - 4) * (3 * y - 5)))) by (field; lra).
    apply div_le; [apply Rmult_lt_0_compat; auto|].
    assert (Y : exists s, 0 <= s /\ y = 6 + s) by (exists (y - 6); split; [lra | ring]). destruct Y as [s [s0 Ys]]. rewrite Ys.
    assert (0 <= s * s) by (apply Rmult_le_pos; auto). assert (0 <= s * s * s) by (apply Rmult_le_pos; auto).
    assert (0 <= s * s * s * s) by (apply Rmult_le_pos; auto). nra. }
  simpl ((1 / 4) ^ 3). lra.
Qed.

Lemma choose_value : forall n k (z : Z), Z.of_nat (choose n k) = z -> INR (choose n k) = IZR z.
Proof. intros n k z H. rewrite INR_IZR_INZ, H. reflexivity. Qed.

Lemma ratios_4 : forall n, (4 <= n)%nat -> ratios 4 n <= 8 * (1 / 4) ^ 4.
Proof.
  intros n Hn. destruct (Nat.le_gt_cases 6 n) as [C|C].
  - eapply Rle_trans; [apply ratios_step; auto|]. pose proof (ratios_3 n C). simpl in *. lra.
  - assert (Z : n = 4%nat \/ n = 5%nat) by lia. destruct Z; subst n; unfold ratios, ratio.
    + cbn [Nat.sub seq total fold_right Nat.mul Nat.add].
      rewrite (choose_value 16 4 1820), (choose_value 16 8 12870), (choose_value 16 12 1820) by (vm_compute; reflexivity).
      rewrite (choose_value 4 1 4), (choose_value 4 2 6), (choose_value 4 3 4) by (vm_compute; reflexivity). simpl. lra.
    + cbn [Nat.sub seq total fold_right Nat.mul Nat.add].
      rewrite (choose_value 20 4 4845), (choose_value 20 8 125970), (choose_value 20 12 125970), (choose_value 20 16 4845) by (vm_compute; reflexivity).
      rewrite (choose_value 5 1 5), (choose_value 5 2 10), (choose_value 5 3 10), (choose_value 5 4 5) by (vm_compute; reflexivity). simpl. lra.
Qed.

(* Three users: C(3m,m) >= 9/4 4^m from m = 5 on. *)
Lemma choose_3m : forall m, (5 <= m)%nat -> 9 * 4 ^ m <= 4 * INR (choose (3 * m) m).
Proof.
  induction m as [|m IH]; intro H; [lia|]. destruct (Nat.eq_dec m 4) as [Z|Z].
  - subst. change (3 * 5)%nat with 15%nat. rewrite (choose_value 15 5 3003) by (vm_compute; reflexivity). simpl. lra.
  - specialize (IH ltac:(lia)).
    assert (P : (choose (3 * m) (S m) + 3 * choose (3 * m) m <= choose (3 * S m) (S m))%nat).
    { replace (3 * S m)%nat with (S (S (S (3 * m)))) by lia. set (N := (3 * m)%nat). destruct m as [|m]; [lia|].
      cbn [choose]. lia. }
    apply le_INR in P. rewrite plus_INR, mult_INR in P. simpl (INR 3) in P.
    pose proof (choose_next (3 * m) m ltac:(lia)) as A. rewrite mult_INR in A. simpl (INR 3) in A.
    assert (M1 : 5 <= INR m) by (replace 5 with (INR 5) by (simpl; ring); apply le_INR; lia).
    pose proof (choose_real_pos (3 * m) m ltac:(lia)) as C0.
    assert (Q : INR (choose (3 * m) m) <= INR (choose (3 * m) (S m))).
    { apply Rmult_le_reg_r with (INR m + 1); [lra|]. rewrite A. apply Rmult_le_compat_l; lra. }
    cbn [pow]. lra.
Qed.

Lemma ratios_of_three : forall m, (5 <= m)%nat -> ratios m 3 <= 8 * (1 / 4) ^ m.
Proof.
  intros m Hm. unfold ratios. cbn [Nat.sub seq total fold_right]. pose proof (ratio_sym m 3 1 ltac:(lia)) as S. cbn [Nat.sub] in S. rewrite S.
  unfold ratio. rewrite Nat.mul_1_r, (choose_1 3), (Nat.mul_comm m 3). pose proof (choose_3m m Hm) as C. pose proof (choose_real_pos (3 * m) m ltac:(lia)) as C0.
  set (b := INR (choose (3 * m) m)) in *. replace (INR 3) with 3 by (simpl; ring).
  assert (Q : 0 < 4 ^ m) by (apply pow_lt; lra).
  replace ((1 / 4) ^ m) with (/ 4 ^ m) by (unfold Rdiv; rewrite Rmult_1_l; rewrite pow_inv; reflexivity).
  replace (3 ^ 2 / b + (3 ^ 2 / b + 0)) with (18 / b) by (field; lra). apply div_le; auto.
  apply Rmult_le_reg_r with (4 ^ m); auto. replace (8 * / 4 ^ m * b * 4 ^ m) with (8 * b) by (field; lra). lra.
Qed.

(* All cases but the small ones. *)
Lemma ratios_bound : forall m n, (3 <= m)%nat -> (3 <= n)%nat -> (m = 3 -> 6 <= n)%nat -> (m = 4 -> 4 <= n)%nat ->
  ratios m n <= 8 * (1 / 4) ^ m.
Proof.
  intros m n Hm Hn H3 H4. destruct (Nat.eq_dec n 3) as [Z|Z]; [subst; apply ratios_of_three; lia|].
  destruct (Nat.eq_dec m 3) as [Z3|Z3]; [subst; apply ratios_3; auto|].
  assert (M4 : (4 <= m)%nat) by lia. clear H3 H4 Z3 Hm. induction m as [|m IH]; [lia|].
  destruct (Nat.eq_dec m 3) as [Z3|Z3]; [subst; apply ratios_4; lia|].
  eapply Rle_trans; [apply ratios_step; lia|]. specialize (IH ltac:(lia)). cbn [pow]. lra.
Qed.

(* ---- Small cases, computed ---- *)
Definition main_share (h : list bool) : list bool := parity h :: repeat false (length h - 1).
Definition gap (m : nat) (h w : list bool) : Z := positive_part (add (pool_row m h) (times (-1) (pool_row m w))).
Definition small_case (k n : nat) : bool :=
  forallb (fun h => (2 ^ Z.of_nat (S k) * gap (S k) h (main_share h) <=? 2 * 2 ^ Z.of_nat (k * n))%Z
    && (2 ^ Z.of_nat (S k) * gap (S k) (main_share h) h <=? 2 * 2 ^ Z.of_nat (k * n))%Z) (vectors n).

Lemma in_vectors : forall h, In h (vectors (length h)).
Proof.
  induction h as [|b h IH]; [left; reflexivity|]. cbn [length vectors]. apply in_or_app. destruct b; [right|left]; apply in_map; auto.
Qed.

Lemma pool_length : forall k h p, In p (concatenated (map (shares k) h)) -> length (fst p) = (S k * length h)%nat.
Proof.
  intros k h. induction h as [|u h IH]; intros p H; cbn [map concatenated] in H.
  - destruct H as [H|[]]; subst; simpl; lia.
  - apply in_bind in H. destruct H as [a [b [H1 [H2 H3]]]]. apply in_bind in H2. destruct H2 as [c [e [H4 [H5 H6]]]].
    destruct H5 as [H5|[]]; subst e. cbn [fst] in H6. rewrite <- H3, <- H6, app_length, (IH c H4).
    destruct (shares_sum (S k) u a ltac:(lia) H1) as [_ L]. rewrite L. cbn [length]. lia.
Qed.

Lemma pool_weigh : forall k h F N, order_free F -> N = (S k * length h)%nat ->
  E (concatenated (map (shares k) h)) F * 2 ^ (k * length h)
  = weigh (pool_row (S k) h) 0 (fun c => F (repeat true c ++ repeat false (N - c))).
Proof.
  intros k h F N HF HN. rewrite <- pool_law. f_equal.
  rewrite E_view_order_free by (intros l l' P0; rewrite (heads_perm l l' P0); reflexivity).
  unfold messages. change (R_MOD (S k)) with (shares k). apply E_ext_in. intros p Hp. apply HF. rewrite HN, <- (pool_length k h p Hp). apply sorted_bits.
Qed.

Lemma small_case_sound : forall k n, small_case k n = true -> forall h F, length h = n -> (0 < n)%nat -> unordered_test F ->
  Rabs (E (concatenated (map (shares k) h)) F - E (concatenated (map (shares k) (main_share h))) F) <= 2 * (1 / 2) ^ S k.
Proof.
  intros k n SC h F L Hn [F1 F2]. unfold small_case in SC. rewrite forallb_forall in SC.
  specialize (SC h ltac:(rewrite <- L; apply in_vectors)). apply andb_true_iff in SC. destruct SC as [S1 S2].
  apply Z.leb_le, IZR_le in S1. apply Z.leb_le, IZR_le in S2. rewrite !mult_IZR, <- !pow_IZR in S1, S2.
  assert (LW : length (main_share h) = n) by (unfold main_share; cbn [length]; rewrite repeat_length, L; lia).
  set (N := (S k * n)%nat). set (f := fun c => F (repeat true c ++ repeat false (N - c))).
  pose proof (pool_weigh k h F N F1 ltac:(rewrite L; reflexivity)) as W1. pose proof (pool_weigh k (main_share h) F N F1 ltac:(rewrite LW; reflexivity)) as W2.
  fold f in W1, W2. rewrite L in W1. rewrite LW in W2.
  assert (Fb : forall c, 0 <= f c <= 1) by (intro; apply F2).
  pose proof (weigh_positive_part (add (pool_row (S k) h) (times (-1) (pool_row (S k) (main_share h)))) 0 f Fb) as B1.
  pose proof (weigh_positive_part (add (pool_row (S k) (main_share h)) (times (-1) (pool_row (S k) h))) 0 f Fb) as B2.
  rewrite weigh_add, weigh_times in B1, B2. fold (gap (S k) h (main_share h)) in B1. fold (gap (S k) (main_share h) h) in B2.
  rewrite <- W1, <- W2 in B1, B2.
  set (e1 := E (concatenated (map (shares k) h)) F) in *. set (e2 := E (concatenated (map (shares k) (main_share h))) F) in *.
  set (g1 := IZR (gap (S k) h (main_share h))) in *. set (g2 := IZR (gap (S k) (main_share h) h)) in *.
  assert (P : 0 < 2 ^ (k * n)) by (apply pow_lt; lra). set (Q := 2 ^ (k * n)) in *.
  assert (T : 0 < 2 ^ S k) by (apply pow_lt; lra). set (U := 2 ^ S k) in *.
  replace ((1 / 2) ^ S k) with (/ U) by (unfold U, Rdiv; rewrite Rmult_1_l, pow_inv; reflexivity).
  assert (X : forall e g, U * g <= 2 * Q -> e * Q <= g -> e <= 2 * / U).
  { intros e g HG HE. apply Rmult_le_reg_r with (Q * U); [apply Rmult_lt_0_compat; auto|].
    replace (2 * / U * (Q * U)) with (2 * Q) by (field; lra). apply Rle_trans with (U * g); auto.
    replace (e * (Q * U)) with (U * (e * Q)) by ring. apply Rmult_le_compat_l; lra. }
  apply abs2. pose proof (X (e1 - e2) g1 S1 ltac:(lra)). pose proof (X (e2 - e1) g2 S2 ltac:(lra)). lra.
Qed.

Lemma small_3_3 : small_case 2 3 = true. Proof. vm_compute. reflexivity. Qed.
Lemma small_3_4 : small_case 2 4 = true. Proof. vm_compute. reflexivity. Qed.
Lemma small_3_5 : small_case 2 5 = true. Proof. vm_compute. reflexivity. Qed.
Lemma small_4_3 : small_case 3 3 = true. Proof. vm_compute. reflexivity. Qed.

(* Two users: the norm of F^m S^m is 2^-m. *)
Lemma norm_equal : forall c, norm_at_most (mixed c c) ((1 / 2) ^ c).
Proof.
  induction c.
  - apply (nrm_meq (point []) (mixed 0 0)); [|apply nrm_ret]. intros F _. unfold mixed, power_of. simpl. ring.
  - apply nrm_meq with (join (join sign_part fair_part) (mixed c c)).
    { unfold mixed, power_of. cbn [repeat concatenated]. apply same_unordered_sym, join_exchange. }
    cbn [pow]. apply nrm_conv; [apply nrm_cu | auto].
Qed.

Lemma two_users : forall k h w F, length h = 2%nat -> length w = 2%nat -> parity h = parity w -> unordered_test F ->
  Rabs (E (concatenated (map (shares k) h)) F - E (concatenated (map (shares k) w)) F) <= 2 * (1 / 2) ^ S k.
Proof.
  intros k h w F Lh Lw Hp [F1 F2]. set (F' := fun l => 2 * F l - 1).
  assert (P1 : order_free F') by (intros l l' P0; unfold F'; rewrite (F1 l l' P0); auto).
  assert (B1 : forall l, Rabs (F' l) <= 1) by (intro l; apply abs2; unfold F'; specialize (F2 l); lra).
  assert (X : forall z, E (concatenated (map (shares k) z)) F' = 2 * E (concatenated (map (shares k) z)) F - 1).
  { intro z. assert (PZ : proper (concatenated (map (shares k) z))) by (apply proper_concatenated_map; intro; apply proper_shares).
    unfold F'. rewrite (E_ext _ _ (fun l => 2 * F l + -1)) by (intro; ring). rewrite E_plus, E_mult, (E_const _ _ PZ). ring. }
  assert (Y : forall z, E (concatenated (map (shares k) z)) F' = Gm k z 0 0 F').
  { intro z. unfold Gm. rewrite E_join. apply E_ext; intro l. unfold mixed, power_of. simpl. rewrite app_nil_r. ring. }
  pose proof (norm_equal (S k)) as [_ NE]. specialize (NE F' 1 P1 ltac:(lra) B1). rewrite Rmult_1_r in NE.
  assert (D : Gm k h 0 0 F' - Gm k w 0 0 F' = (elementary 1 h - elementary 1 w) * E (mixed (S k) (S k)) F').
  { rewrite !expansion by auto. rewrite Lh, Lw. cbn [seq total fold_right]. rewrite !elementary_0.
    assert (A1 : elementary 2 h = sign (parity h)) by (rewrite <- Lh; apply elementary_all).
    assert (A2 : elementary 2 w = sign (parity w)) by (rewrite <- Lw; apply elementary_all).
    rewrite A1, A2, Hp. unfold term. cbn [Nat.add Nat.sub Nat.mul]. rewrite !Nat.add_0_r. ring. }
  rewrite <- !Y, !X in D.
  pose proof (elementary_bound h 1) as E1. pose proof (elementary_bound w 1) as E2. rewrite Lh in E1. rewrite Lw in E2.
  replace (INR (choose 2 1)) with 2 in E1, E2 by (simpl; ring). apply abs2 in E1. apply abs2 in E2. apply abs2 in NE.
  assert (0 < (1 / 2) ^ S k) by (apply pow_lt; lra). set (y := (1 / 2) ^ S k) in *. set (T := E (mixed (S k) (S k)) F') in *.
  set (e := elementary 1 h - elementary 1 w) in *. assert (Z : -4 <= e <= 4) by (unfold e; lra).
  assert (EB : Rabs (e * T) <= 4 * y).
  { rewrite Rabs_mult. apply Rmult_le_compat; try apply Rabs_pos; apply abs2; lra. }
  apply abs2 in EB. apply abs2. lra.
Qed.

Theorem share_tv_sharp : forall m honest, (3 <= m)%nat -> (0 < honest)%nat ->
  hides_all_but_sum (R_MOD m) honest (2 * (1 / 2) ^ m).
Proof.
  intros [|k] honest Hm Hh; [lia|]. unfold R_MOD. intros h L Ev.
  set (w := parity h :: repeat false (honest - 1)).
  assert (MW : main_share h = w) by (unfold main_share, w; rewrite L; reflexivity).
  assert (LW : length w = honest) by (unfold w; cbn [length]; rewrite repeat_length; lia).
  assert (PW : parity h = parity w).
  { unfold w. cbn [parity fold_right]. assert (Z : forall j, parity (repeat false j) = false) by (induction j; simpl; auto; rewrite IHj; auto).
    fold (parity (repeat false (honest - 1))). rewrite Z. destruct (parity h); reflexivity. }
  set (F := fun l : list bool => Pr (shuffle l) Ev).
  assert (HF : unordered_test F).
  { split. intros l l' P0. unfold F, Pr. apply shuffle_perm; auto. intro; apply Pr_01, proper_shuffle. }
  assert (V : forall z, Pr (view (shares k) z) Ev = E (concatenated (map (shares k) z)) F).
  { intro z. unfold view, messages, Pr. rewrite E_bind. reflexivity. }
  change (view (fun u => shares k u)) with (view (shares k)). rewrite !V.
  assert (Y0 : 0 < (1 / 2) ^ S k) by (apply pow_lt; lra).
  destruct (Nat.eq_dec honest 1) as [N1|N1].
  { destruct h as [|b [|c h]]; simpl in L; try lia. unfold w. rewrite N1. simpl (repeat _ _). replace (parity [b]) with b by (destruct b; reflexivity).
    replace (_ - _) with 0 by ring. rewrite Rabs_R0. lra. }
  destruct (Nat.eq_dec honest 2) as [N2|N2]; [apply two_users; auto; lia|].
  destruct (Nat.eq_dec k 2) as [K2|K2].
  { subst k. destruct (Nat.le_gt_cases honest 5) as [C|C].
    - rewrite <- MW. assert (Z : honest = 3%nat \/ honest = 4%nat \/ honest = 5%nat) by lia. destruct Z as [Z|[Z|Z]]; subst honest.
      + apply (small_case_sound 2 3 small_3_3); auto; lia.
      + apply (small_case_sound 2 4 small_3_4); auto; lia.
      + apply (small_case_sound 2 5 small_3_5); auto; lia.
    - pose proof (tv_by_ratios 2 h w F ltac:(lia) ltac:(lia) PW HF) as T. rewrite L in T.
      pose proof (ratios_bound 3 honest ltac:(lia) ltac:(lia) ltac:(lia) ltac:(lia)) as R.
      rewrite <- (Rabs_right (2 * (1 / 2) ^ 3)) by lra. apply Rsqr_le_abs_0. unfold Rsqr. simpl in *. lra. }
  destruct (Nat.eq_dec k 3) as [K3|K3]; [destruct (Nat.eq_dec honest 3) as [N3|N3]|].
  - subst k honest. rewrite <- MW. apply (small_case_sound 3 3 small_4_3); auto; lia.
  - subst k. pose proof (tv_by_ratios 3 h w F ltac:(lia) ltac:(lia) PW HF) as T. rewrite L in T.
    pose proof (ratios_bound 4 honest ltac:(lia) ltac:(lia) ltac:(lia) ltac:(lia)) as R.
    rewrite <- (Rabs_right (2 * (1 / 2) ^ 4)) by lra. apply Rsqr_le_abs_0. unfold Rsqr. simpl in *. lra.
  - pose proof (tv_by_ratios k h w F ltac:(lia) ltac:(lia) PW HF) as T. rewrite L in T.
    pose proof (ratios_bound (S k) honest ltac:(lia) ltac:(lia) ltac:(lia) ltac:(lia)) as R.
    rewrite <- (Rabs_right (2 * (1 / 2) ^ S k)) by lra. apply Rsqr_le_abs_0. unfold Rsqr.
    replace ((1 / 4) ^ S k) with ((1 / 2) ^ S k * (1 / 2) ^ S k) in R by (rewrite <- Rpow_mult_distr; f_equal; field).
    set (y := (1 / 2) ^ S k) in *. set (e := _ - _) in *. replace (e * e) with (e ^ 2) by ring. lra.
Qed.

(* Theorem de_upper, Part I, with the same number of messages for every n: 2 2^-m <= delta/(e^eps+1), m >= 3. *)
Theorem de_upper_I_three_messages :
  forall (Element : Type) (same : forall a b : Element, {a = b} + {a <> b}) (K : list Element) (m : nat)
         (eps delta gamma : R),
  NoDup K -> 0 < eps -> 0 <= delta -> 0 < gamma <= 1 ->
  (3 <= m)%nat -> 2 * (1 / 2) ^ m <= delta / (exp eps + 1) ->
  robustly_shuffle_private (P_DE same K eps (fun _ => m)) (2 * (eps + ln (1 / gamma))) (2 * delta / gamma) gamma
  /\ (eps <= ln 2 ->
      robustly_shuffle_private (P_DE same K eps (fun _ => m)) (2 * (2 * Rpower eps gamma / gamma)) (2 * delta / gamma) gamma).
Proof.
  intros Element same K m eps delta gamma HK He Hd Hg Hm HD.
  assert (HI : forall n honest, (2 <= honest <= n)%nat -> gamma * INR n <= INR honest ->
     hides_all_but_sum (R_MOD m) honest (delta / (exp eps + 1))).
  { intros n honest Hh _ h L T. eapply Rle_trans; [apply share_tv_sharp; auto; lia | exact HD]. }
  split; [|intro L2].
  - apply (robust_case_1 Element same K (fun _ => R_MOD m)); auto. intros; apply proper_R_MOD.
  - apply (robust_case_2 Element same K (fun _ => R_MOD m)); auto. intros; apply proper_R_MOD.
Qed.

(* Two users attain it, for every m >= 1: the event that the number of ones is 0 or 1 mod 4. *)
Definition low_quarter (c : nat) : bool := (c mod 4 <? 2)%nat.

Lemma low_quarter_2 : forall c, low_quarter (S (S c)) = negb (low_quarter c).
Proof.
  intro c. unfold low_quarter. pose proof (Nat.mod_upper_bound c 4 ltac:(lia)) as B. pose proof (Nat.div_mod c 4 ltac:(lia)) as D.
  set (r := (c mod 4)%nat) in *. set (q := (c / 4)%nat) in *.
  assert (C : r = 0%nat \/ r = 1%nat \/ r = 2%nat \/ r = 3%nat) by lia.
  destruct C as [C|[C|[C|C]]]; rewrite C in *.
  - replace (S (S c)) with (2 + q * 4)%nat by lia. rewrite Nat.mod_add by lia. reflexivity.
  - replace (S (S c)) with (3 + q * 4)%nat by lia. rewrite Nat.mod_add by lia. reflexivity.
  - replace (S (S c)) with (0 + (S q) * 4)%nat by lia. rewrite Nat.mod_add by lia. reflexivity.
  - replace (S (S c)) with (1 + (S q) * 4)%nat by lia. rewrite Nat.mod_add by lia. reflexivity.
Qed.

Lemma norm_attained : forall c, E (mixed c c) (fun l => 2 * indicator (low_quarter (heads l)) - 1) = (1 / 2) ^ c.
Proof.
  set (F := fun l => 2 * indicator (low_quarter (heads l)) - 1).
  assert (HF : order_free F) by (intros l l' P0; unfold F; rewrite (heads_perm l l' P0); reflexivity).
  induction c.
  - unfold mixed, power_of. cbn. unfold F. simpl. ring.
  - assert (Q : same_unordered (mixed (S c) (S c)) (join (join sign_part fair_part) (mixed c c))).
    { unfold mixed, power_of. cbn [repeat concatenated]. apply join_exchange. }
    rewrite (Q F HF), E_join. rewrite E_join. unfold sign_part, fair_part. cbn [E app].
    rewrite (E_ext (mixed c c) (fun r => F (true :: false :: r)) (fun r => F (false :: true :: r))) by (intro r; apply HF; constructor).
    rewrite (E_ext (mixed c c) (fun r => F (true :: true :: r)) (fun r => -1 * F r)).
    + rewrite (E_ext (mixed c c) (fun r => F (false :: false :: r)) F) by reflexivity. rewrite E_mult, IHc. cbn [pow]. field.
    + intro r. unfold F. cbn [heads]. rewrite low_quarter_2. destruct (low_quarter (heads r)); simpl; ring.
Qed.

Theorem share_tv_attained : forall m Delta, (0 < m)%nat -> hides_all_but_sum (R_MOD m) 2 Delta -> 2 * (1 / 2) ^ m <= Delta.
Proof.
  intros [|k] Delta Hm H; [lia|]. specialize (H [true; true] eq_refl (fun l => low_quarter (heads l))).
  set (F := fun l => 2 * indicator (low_quarter (heads l)) - 1).
  assert (HF : order_free F) by (intros l l' P0; unfold F; rewrite (heads_perm l l' P0); reflexivity).
  assert (V : forall z, Pr (view (R_MOD (S k)) z) (fun l => low_quarter (heads l)) = (Gm k z 0 0 F + 1) / 2).
  { intro z. assert (PZ : proper (concatenated (map (shares k) z))) by (apply proper_concatenated_map; intro; apply proper_shares).
    unfold Pr. rewrite E_view_order_free by (intros l l' P0; rewrite (heads_perm l l' P0); reflexivity).
    unfold messages. change (R_MOD (S k)) with (shares k).
    assert (X : Gm k z 0 0 F = 2 * E (concatenated (map (shares k) z)) (fun l => indicator (low_quarter (heads l))) - 1).
    { unfold Gm. rewrite E_join. rewrite (E_ext _ _ (fun l => 2 * indicator (low_quarter (heads l)) + -1)).
      - rewrite E_plus, E_mult, (E_const _ _ PZ). ring.
      - intro l. unfold mixed, power_of, F. simpl. rewrite app_nil_r. ring. }
    rewrite X. field. }
  rewrite !V in H. simpl (parity [true; true] :: repeat false (2 - 1)) in H. change (parity [true; true]) with false in H.
  rewrite !expansion in H by auto. cbn [length seq total fold_right elementary sign] in H. unfold term in H. cbn [Nat.add Nat.sub Nat.mul] in H.
  rewrite !Nat.add_0_r in H. pose proof (norm_attained (S k)) as NA. fold F in NA. rewrite NA in H.
  set (y := (1 / 2) ^ S k) in *. assert (0 < y) by (apply pow_lt; lra). apply abs2 in H. unfold sign in H. lra.
Qed.
