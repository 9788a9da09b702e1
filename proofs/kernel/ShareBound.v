(* Theorem ikos, sharper: a bound on the total variation that does not depend on the number of users.

   "Each honest user sends O(sigma + log n) one-bit messages."  Proved: with m >= 4 messages the total variation is at most
   16 2^-m for every number of honest users, so that sigma + 4 messages (more precisely, any m >= 4 with 16 2^-m <= Delta)
   are enough: the log n is not needed.

   As signed measures the shares of a bit u are F^m + (-1)^u S^m.  The product over N users is a sum over j of
   F^(m(N-j)) S^(mj) with coefficients of at most C(N,j); for j = 0 and j = N they depend on the parity only.  For a reader
   who ignores order, F^b S^a has norm at most C(a+b,a)^(-1/2): by Bessel's inequality, the C(a+b,a) places of the S give
   orthonormal functions (their sum is the Krawtchouk polynomial).  Last, C(mN,mj) >= C(N,j)^m. *)
From Coq Require Import Reals Lra List Bool Permutation Lia Morphisms Setoid.
From PanshuffleKernel Require Import Law Closeness Parity Shuffle Messages ShuffleModel Distinct Shares Ikos.
From PanshuffleKernel Require Import Transformation.
Import ListNotations.
Open Scope R_scope.

Fixpoint choose (n k : nat) : nat :=
  match n, k with _, O => 1 | O, S _ => 0 | S n, S k => choose n k + choose n (S k) end.

Lemma choose_0 : forall n, choose n 0 = 1%nat.
Proof. destruct n; reflexivity. Qed.
Lemma choose_1 : forall n, choose n 1 = n.
Proof. induction n; [reflexivity|]. change (choose (S n) 1) with (choose n 0 + choose n 1)%nat. rewrite choose_0, IHn. lia. Qed.
Lemma choose_big : forall n k, (n < k)%nat -> choose n k = 0%nat.
Proof.
  induction n; intros [|k] H; try lia; [reflexivity|]. cbn [choose]. rewrite !IHn by lia. reflexivity.
Qed.
Lemma choose_all : forall n, choose n n = 1%nat.
Proof. induction n; [reflexivity|]. cbn [choose]. rewrite IHn, choose_big by lia. reflexivity. Qed.
Lemma choose_pos : forall n k, (k <= n)%nat -> (1 <= choose n k)%nat.
Proof. induction n; intros [|k] H; try lia; cbn [choose]; try lia. specialize (IHn k ltac:(lia)). lia. Qed.
Lemma choose_large : forall n k, (1 <= k)%nat -> (k < n)%nat -> (n <= choose n k)%nat.
Proof.
  induction n; intros [|k] H1 H2; try lia. cbn [choose]. destruct k as [|k].
  - rewrite choose_0, choose_1. lia.
  - destruct (Nat.eq_dec (S (S k)) n) as [Z|Z].
    + pose proof (IHn (S k) ltac:(lia) ltac:(lia)). pose proof (choose_pos n (S (S k)) ltac:(lia)). lia.
    + pose proof (IHn (S (S k)) ltac:(lia) ltac:(lia)). pose proof (choose_pos n (S k) ltac:(lia)). lia.
Qed.
Lemma choose_more : forall a b d, (choose b d <= choose (a + b) d)%nat.
Proof.
  induction a; intros b d; [reflexivity|]. specialize (IHa b d). cbn [Nat.add choose].
  destruct d; [rewrite choose_0; lia | lia].
Qed.
Lemma choose_product : forall a c b d, (choose a c * choose b d <= choose (a + b) (c + d))%nat.
Proof.
  induction a; intros [|c] b d.
  - cbn [choose Nat.add]. lia.
  - cbn [choose Nat.add]. lia.
  - rewrite choose_0, Nat.mul_1_l. apply (choose_more (S a) b d).
  - cbn [Nat.add choose]. pose proof (IHa c b d). pose proof (IHa (S c) b d). cbn [Nat.add] in *. nia.
Qed.
Lemma choose_power : forall n j m, (choose n j ^ m <= choose (m * n) (m * j))%nat.
Proof.
  induction m; [simpl; lia|]. cbn [Nat.pow Nat.mul].
  pose proof (choose_product n j (m * n) (m * j)). nia.
Qed.

(* The sum over the sets of a places of the product of the signs there. *)
Fixpoint krawtchouk (a : nat) (l : list bool) : R :=
  match l with
  | [] => match a with O => 1 | S _ => 0 end
  | b :: l => match a with O => krawtchouk O l | S a' => sign b * krawtchouk a' l + krawtchouk a l end
  end.

Definition fair_bits (n : nat) : law (list bool) := power_of fair_part n.

Lemma E_fair_cons : forall n F, E (fair_bits (S n)) F
  = 1 / 2 * E (fair_bits n) (fun l => F (false :: l)) + 1 / 2 * E (fair_bits n) (fun l => F (true :: l)).
Proof.
  intros. unfold fair_bits, power_of. cbn [repeat concatenated]. rewrite E_join. unfold fair_part at 1. cbn [E app]. ring.
Qed.

Lemma proper_fair : forall n, proper (fair_bits n).
Proof.
  intro n. apply proper_concatenated, Forall_forall. intros d H. apply repeat_spec in H. subst.
  split; [intros p [K|[K|[]]]; subst; simpl; lra | simpl; field].
Qed.

Lemma krawtchouk_0 : forall l, krawtchouk 0 l = 1.
Proof. induction l; auto. Qed.

Lemma krawtchouk_big : forall l a, (length l < a)%nat -> krawtchouk a l = 0.
Proof.
  induction l as [|b l IH]; intros [|a] H; cbn [length] in H; try lia; [reflexivity|].
  cbn [krawtchouk]. rewrite !IH by lia. ring.
Qed.

Lemma fair_length : forall n p, In p (fair_bits n) -> length (fst p) = n.
Proof.
  induction n as [|n IH]; intros p Hp.
  - destruct Hp as [Hp|[]]; subst; reflexivity.
  - unfold fair_bits, power_of in *. cbn [repeat concatenated] in Hp.
    unfold join at 1 in Hp. apply in_bind in Hp. destruct Hp as [x [y [Hx [Hy Hz]]]]. apply in_bind in Hy.
    destruct Hy as [r [s [Hr [Hs Ht]]]]. destruct Hs as [Hs|[]]; subst s. simpl in Ht. rewrite <- Hz, <- Ht.
    rewrite app_length, (IH r Hr). destruct Hx as [Hx|[Hx|[]]]; subst; reflexivity.
Qed.

Lemma E_krawtchouk_square : forall n a, E (fair_bits n) (fun l => krawtchouk a l ^ 2) = INR (choose n a).
Proof.
  induction n; intro a.
  - unfold fair_bits, power_of. cbn [repeat concatenated]. rewrite E_point. destruct a; simpl; ring.
  - rewrite E_fair_cons. destruct a as [|a].
    + cbn [krawtchouk]. rewrite !IHn, !choose_0. simpl. field.
    + cbn [choose]. rewrite plus_INR, <- !IHn. set (X := E (fair_bits n) (fun l => krawtchouk a l ^ 2)).
      rewrite (E_ext _ (fun l => krawtchouk (S a) (false :: l) ^ 2)
        (fun l => (krawtchouk a l ^ 2 + krawtchouk (S a) l ^ 2) + 2 * (krawtchouk a l * krawtchouk (S a) l)))
        by (intro l; cbn [krawtchouk]; unfold sign; ring).
      rewrite (E_ext _ (fun l => krawtchouk (S a) (true :: l) ^ 2)
        (fun l => (krawtchouk a l ^ 2 + krawtchouk (S a) l ^ 2) + -2 * (krawtchouk a l * krawtchouk (S a) l)))
        by (intro l; cbn [krawtchouk]; unfold sign; ring).
      rewrite !E_plus, !E_mult. fold X. field.
Qed.

Lemma order_free_cons : forall b (F : list bool -> R), order_free F -> order_free (fun l => F (b :: l)).
Proof. intros b F H l l' P0. apply H. constructor; auto. Qed.

Lemma mixed_sign : forall a b F, order_free F ->
  1 / 2 * E (mixed a b) (fun l => F (false :: l)) - 1 / 2 * E (mixed a b) (fun l => F (true :: l)) = E (mixed (S a) b) F.
Proof.
  intros a b F HF. assert (W : same_unordered (join sign_part (mixed a b)) (mixed (S a) b)).
  { unfold mixed, power_of. cbn [repeat concatenated]. apply same_unordered_sym, same_law_unordered, join_assoc. }
  rewrite <- (W F HF), E_join. unfold sign_part at 1. cbn [E app]. field.
Qed.
Lemma mixed_fair_one : forall a b F, order_free F ->
  1 / 2 * E (mixed a b) (fun l => F (false :: l)) + 1 / 2 * E (mixed a b) (fun l => F (true :: l)) = E (mixed a (S b)) F.
Proof.
  intros a b F HF. assert (W : same_unordered (join fair_part (mixed a b)) (mixed a (S b))).
  { unfold mixed, power_of. cbn [repeat concatenated].
    eapply same_unordered_trans; [apply same_unordered_sym, same_law_unordered, join_assoc|].
    eapply same_unordered_trans; [apply join_same; [apply join_comm | apply same_unordered_refl]|].
    apply same_law_unordered, join_assoc. }
  rewrite <- (W F HF), E_join. unfold fair_part at 1. cbn [E app]. field.
Qed.

Lemma E_krawtchouk : forall n a F, (a <= n)%nat -> order_free F ->
  E (fair_bits n) (fun l => krawtchouk a l * F l) = INR (choose n a) * E (mixed a (n - a)) F.
Proof.
  induction n; intros a F Ha HF.
  - replace a with 0%nat by lia. unfold fair_bits, mixed, power_of. cbn. ring.
  - rewrite E_fair_cons. pose proof (order_free_cons false F HF) as H0. pose proof (order_free_cons true F HF) as H1.
    destruct a as [|a].
    + cbn [krawtchouk]. rewrite (IHn 0%nat (fun l => F (false :: l))), (IHn 0%nat (fun l => F (true :: l))) by (auto; lia).
      rewrite !choose_0, !Nat.sub_0_r, <- (mixed_fair_one 0 n F HF). simpl INR. ring.
    + rewrite (E_ext _ (fun l => krawtchouk (S a) (false :: l) * F (false :: l))
        (fun l => krawtchouk a l * F (false :: l) + krawtchouk (S a) l * F (false :: l)))
        by (intro l; cbn [krawtchouk]; unfold sign; ring).
      rewrite (E_ext _ (fun l => krawtchouk (S a) (true :: l) * F (true :: l))
        (fun l => -1 * (krawtchouk a l * F (true :: l)) + krawtchouk (S a) l * F (true :: l)))
        by (intro l; cbn [krawtchouk]; unfold sign; ring).
      rewrite !E_plus, E_mult. cbn [choose]. rewrite plus_INR.
      rewrite (IHn a (fun l => F (false :: l))), (IHn a (fun l => F (true :: l))) by (auto; lia).
      replace (S n - S a)%nat with (n - a)%nat by lia.
      pose proof (mixed_sign a (n - a) F HF) as M1. set (X := E (mixed (S a) (n - a)) F) in *.
      destruct (Nat.eq_dec a n) as [Z|Z].
      * subst. rewrite (choose_big n (S n)) by lia. simpl (INR 0).
        assert (Q : forall G, E (fair_bits n) (fun l => krawtchouk (S n) l * G l) = 0).
        { intro G.
          rewrite (E_ext_in _ _ (fun _ => 0)); [apply E_const, proper_fair|].
          intros p Hp. rewrite krawtchouk_big; [ring|].
          rewrite (fair_length n p Hp). lia. }
        rewrite !Q, <- M1. ring.
      * rewrite (IHn (S a) (fun l => F (false :: l))), (IHn (S a) (fun l => F (true :: l))) by (auto; lia).
        pose proof (mixed_fair_one (S a) (n - S a) F HF) as M2. replace (S (n - S a)) with (n - a)%nat in M2 by lia.
        fold X in M2. rewrite Rmult_plus_distr_r. rewrite <- M1 at 1. rewrite <- M2. ring.
Qed.

(* Bessel's inequality: the norm of F^b S^a for a reader who ignores order. *)
Lemma bessel : forall a b F, order_free F -> (forall l, Rabs (F l) <= 1) ->
  E (mixed a b) F ^ 2 * INR (choose (a + b) a) <= 1.
Proof.
  intros a b F HF B. set (n := (a + b)%nat). set (c := E (mixed a b) F). set (K := INR (choose n a)).
  assert (X1 : E (fair_bits n) (fun l => krawtchouk a l * F l) = K * c).
  { rewrite E_krawtchouk by (auto; unfold n; lia). replace (n - a)%nat with b by (unfold n; lia). reflexivity. }
  assert (X2 : E (fair_bits n) (fun l => krawtchouk a l ^ 2) = K) by apply E_krawtchouk_square.
  assert (X3 : E (fair_bits n) (fun l => F l ^ 2) <= 1).
  { rewrite <- (E_const (fair_bits n) 1 (proper_fair n)). apply E_le; [apply proper_fair|]. intro l. specialize (B l).
    apply abs2 in B. nra. }
  assert (X4 : 0 <= E (fair_bits n) (fun l => (F l - c * krawtchouk a l) ^ 2)).
  { rewrite <- (E_const (fair_bits n) 0 (proper_fair n)). apply E_le; [apply proper_fair|]. intro l. apply pow2_ge_0. }
  rewrite (E_ext _ _ (fun l => (F l ^ 2 + (- 2 * c) * (krawtchouk a l * F l)) + c ^ 2 * krawtchouk a l ^ 2)) in X4
    by (intro; ring).
  rewrite !E_plus, !E_mult, X1, X2 in X4. nra.
Qed.

(* The elementary symmetric functions of the signs (-1)^u. *)
Fixpoint elementary (j : nat) (h : list bool) : R :=
  match h with
  | [] => match j with O => 1 | S _ => 0 end
  | u :: h => match j with O => elementary O h | S j' => elementary j h + sign u * elementary j' h end
  end.

Lemma elementary_0 : forall h, elementary 0 h = 1.
Proof. induction h; auto. Qed.
Lemma elementary_big : forall h j, (length h < j)%nat -> elementary j h = 0.
Proof.
  induction h as [|u h IH]; intros [|j] H; cbn [length] in H; try lia; [reflexivity|].
  cbn [elementary]. rewrite !IH by lia. ring.
Qed.
Lemma elementary_all : forall h, elementary (length h) h = sign (parity h).
Proof.
  induction h as [|u h IH]; [reflexivity|]. cbn [length elementary]. rewrite elementary_big, IH by lia.
  cbn [parity fold_right]. fold (parity h). destruct u, (parity h); simpl; unfold sign; ring.
Qed.
Lemma elementary_bound : forall h j, Rabs (elementary j h) <= INR (choose (length h) j).
Proof.
  induction h as [|u h IH]; intros [|j]; cbn [length elementary].
  - simpl. rewrite Rabs_R1. lra.
  - simpl. rewrite Rabs_R0. lra.
  - rewrite choose_0, elementary_0. simpl. rewrite Rabs_R1. lra.
  - cbn [choose]. rewrite plus_INR. pose proof (IH j) as I1. pose proof (IH (S j)) as I2.
    eapply Rle_trans; [apply Rabs_triang|]. rewrite Rabs_mult.
    replace (Rabs (sign u)) with 1 by (destruct u; unfold sign; rewrite ?Rabs_Ropp; rewrite ?Rabs_R1; auto; rewrite Rabs_left; lra).
    lra.
Qed.

Lemma total_from_0 : forall (f : nat -> R) n,
  total (seq 0 (S n)) f + f (S n) = f 0%nat + total (seq 0 (S n)) (fun j => f (S j)).
Proof.
  intros f n. rewrite <- (total_map S (seq 0 (S n)) f), seq_shift, <- (total_cons 0%nat (seq 1 (S n)) f).
  change (0%nat :: seq 1 (S n)) with (seq 0 (S (S n))). rewrite (seq_S (S n) 0), total_app. cbn [Nat.add]. simpl. ring.
Qed.

Section Expansion.
Variable k : nat.

Definition term (n a b : nat) (F : list bool -> R) (j : nat) : R := E (mixed (a + j * S k) (b + (n - j) * S k)) F.

Lemma expansion : forall h a b F, order_free F ->
  Gm k h a b F = total (seq 0 (S (length h))) (fun j => elementary j h * term (length h) a b F j).
Proof.
  induction h as [|u h IH]; intros a b F HF.
  - rewrite G_nil by auto. cbn. unfold term. cbn. rewrite !Nat.add_0_r. ring.
  - rewrite G_step by auto. rewrite !IH by auto. set (n := length h). cbn [length]. fold n.
    rewrite <- (cons_seq (S n) 0), total_cons, <- seq_shift, total_map.
    rewrite (total_ext (seq 0 (S n)) (fun j => elementary (S j) (u :: h) * term (S n) a b F (S j))
      (fun j => elementary (S j) h * term n a (b + S k) F (S j)
         + sign u * (elementary j h * term n (a + S k) b F j))).
    + rewrite total_plus.
      assert (Q1 : total (seq 0 (S n)) (fun j => elementary j h * term n a (b + S k) F j)
        = elementary 0 h * term n a (b + S k) F 0 + total (seq 0 (S n)) (fun j => elementary (S j) h * term n a (b + S k) F (S j))).
      { pose proof (total_from_0 (fun j => elementary j h * term n a (b + S k) F j) n) as Q. cbv beta in Q.
        rewrite (elementary_big h (S n)) in Q by (unfold n; lia). lra. }
      rewrite Q1. cbn [elementary].
      rewrite (total_ext (seq 0 (S n)) (fun j => sign u * (elementary j h * term n (a + S k) b F j))
        (fun j => elementary j h * term n (a + S k) b F j * sign u)) by (intro; ring).
      rewrite total_mult.
      replace (term (S n) a b F 0) with (term n a (b + S k) F 0); [ring|].
      unfold term. f_equal. f_equal; lia.
    + intro j. cbn [elementary].
      destruct (Nat.le_gt_cases j n) as [J|J].
      * replace (term n (a + S k) b F j) with (term (S n) a b F (S j)) by (unfold term; f_equal; f_equal; lia).
        destruct (Nat.eq_dec j n) as [Z|Z].
        -- subst. rewrite (elementary_big h (S n)) by (unfold n; lia). ring.
        -- replace (term n a (b + S k) F (S j)) with (term (S n) a b F (S j)); [ring|].
           unfold term. f_equal. f_equal. replace (S n - S j)%nat with (S (n - S j))%nat by lia. lia.
      * rewrite (elementary_big h (S j)), (elementary_big h j) by (unfold n in *; lia). ring.
Qed.
End Expansion.

(* What one middle term contributes. *)
Lemma middle_term : forall k n j F, (3 <= k)%nat -> (4 <= n)%nat -> (1 <= j)%nat -> (j < n)%nat ->
  order_free F -> (forall l, Rabs (F l) <= 1) ->
  INR (choose n j) * Rabs (term k n 0 0 F j) <= 16 * (1 / 2) ^ S k / INR n.
Proof.
  intros k n j F Hk Hn H1 H2 HF B. unfold term. cbn [Nat.add].
  set (c := INR (choose n j)). set (e := E _ F).
  pose proof (bessel (j * S k) ((n - j) * S k) F HF B) as BS. fold e in BS.
  replace (j * S k + (n - j) * S k)%nat with (S k * n)%nat in BS by nia.
  replace (j * S k)%nat with (S k * j)%nat in BS by lia.
  assert (N4 : 4 <= INR n) by (replace 4 with (INR 4) by (simpl; ring); apply le_INR; auto).
  assert (CN : INR n <= c) by (apply le_INR, choose_large; auto).
  assert (CP : c ^ S k <= INR (choose (S k * n) (S k * j))).
  { unfold c. rewrite <- pow_INR. apply le_INR, choose_power. }
  set (y := (1 / 2) ^ S k) in *. assert (Y0 : 0 < y) by (apply pow_lt; lra).
  (* (c^2 e)^2 <= (16 y)^2 *)
  assert (C4 : c ^ S k = c ^ 4 * c ^ (k - 3)) by (rewrite <- pow_add; f_equal; lia).
  assert (Y4 : y = / 16 * (1 / 2) ^ (k - 3)).
  { unfold y. replace (S k) with (4 + (k - 3))%nat by lia. rewrite pow_add. simpl. field. }
  assert (P4 : 4 ^ (k - 3) <= c ^ (k - 3)) by (apply pow_incr; lra).
  assert (Q4 : 4 ^ (k - 3) * ((1 / 2) ^ (k - 3)) ^ 2 = 1).
  { rewrite <- pow_mult, Nat.mul_comm, pow_mult, <- Rpow_mult_distr. replace (4 * (1 / 2) ^ 2) with 1 by field. apply pow1. }
  set (z := (1 / 2) ^ (k - 3)) in *. assert (Z0 : 0 < z) by (apply pow_lt; lra).
  assert (E2 : 0 <= e ^ 2) by apply pow2_ge_0.
  assert (S1 : e ^ 2 * (c ^ 4 * 4 ^ (k - 3)) <= 1).
  { apply Rle_trans with (e ^ 2 * INR (choose (S k * n) (S k * j))); auto. apply Rmult_le_compat_l; auto.
    apply Rle_trans with (c ^ S k); auto. rewrite C4. apply Rmult_le_compat_l; auto. left; apply pow_lt; lra. }
  assert (S2 : (c ^ 2 * e) ^ 2 <= z ^ 2).
  { replace ((c ^ 2 * e) ^ 2) with (e ^ 2 * (c ^ 4 * 4 ^ (k - 3)) * z ^ 2).
    - apply Rle_trans with (1 * z ^ 2); [apply Rmult_le_compat_r; [apply pow2_ge_0 | auto] | lra].
    - transitivity (e ^ 2 * c ^ 4 * (4 ^ (k - 3) * z ^ 2)); [ring|]. rewrite Q4. ring. }
  assert (S3 : c ^ 2 * Rabs e <= z).
  { rewrite <- (Rabs_right (c ^ 2)) by (apply Rle_ge, pow2_ge_0). rewrite <- Rabs_mult.
    rewrite <- (Rabs_right z) by lra. apply Rsqr_le_abs_0. unfold Rsqr. simpl in S2. lra. }
  rewrite Y4. apply Rmult_le_reg_r with (INR n); [lra|]. unfold Rdiv.
  rewrite (Rmult_assoc (16 * (/ 16 * z))), Rinv_l by lra.
  pose proof (Rabs_pos e). simpl in S3. nra.
Qed.

Lemma total_minus {A} : forall (l : list A) F G, total l F - total l G = total l (fun a => F a - G a).
Proof. induction l as [|a l IH]; intros F G; [simpl; ring|]. rewrite !total_cons, <- IH. ring. Qed.
Lemma Rabs_total {A} : forall (l : list A) f c, (forall a, In a l -> Rabs (f a) <= c) -> Rabs (total l f) <= INR (length l) * c.
Proof.
  induction l as [|a l IH]; intros f c H.
  - simpl. rewrite Rabs_R0. lra.
  - rewrite total_cons. cbn [length]. rewrite S_INR. eapply Rle_trans; [apply Rabs_triang|].
    pose proof (H a (or_introl eq_refl)). pose proof (IH f c (fun b Hb => H b (or_intror Hb))). lra.
Qed.

Lemma shares_difference : forall k h w F, (3 <= k)%nat -> (4 <= length h)%nat -> length h = length w -> parity h = parity w ->
  unordered_test F ->
  Rabs (E (concatenated (map (shares k) h)) F - E (concatenated (map (shares k) w)) F) <= 16 * (1 / 2) ^ S k.
Proof.
  intros k h w F Hk Hn Hl Hp [F1 F2]. set (n := length h) in *.
  set (F' := fun l => 2 * F l - 1).
  assert (P1 : order_free F') by (intros l l' P0; unfold F'; rewrite (F1 l l' P0); auto).
  assert (B1 : forall l, Rabs (F' l) <= 1) by (intro l; apply abs2; unfold F'; specialize (F2 l); lra).
  assert (X : forall z, E (concatenated (map (shares k) z)) F' = 2 * E (concatenated (map (shares k) z)) F - 1).
  { intro z. assert (PZ : proper (concatenated (map (shares k) z))) by (apply proper_concatenated_map; intro; apply proper_shares).
    unfold F'. rewrite (E_ext _ _ (fun l => 2 * F l + -1)) by (intro; ring). rewrite E_plus, E_mult, (E_const _ _ PZ). ring. }
  assert (Y : forall z, E (concatenated (map (shares k) z)) F' = Gm k z 0 0 F').
  { intro z. unfold Gm. rewrite E_join. apply E_ext; intro l. unfold mixed, power_of. simpl. rewrite app_nil_r. ring. }
  assert (D : Rabs (Gm k h 0 0 F' - Gm k w 0 0 F') <= 32 * (1 / 2) ^ S k).
  { rewrite !expansion by auto. rewrite <- Hl. fold n. rewrite total_minus.
    set (f := fun j => elementary j h * term k n 0 0 F' j - elementary j w * term k n 0 0 F' j).
    assert (SP : total (seq 0 (S n)) f = f 0%nat + total (seq 1 (n - 1)) f + f n).
    { replace (S n) with (1 + (n - 1) + 1)%nat by lia. rewrite !seq_app, !total_app. cbn [Nat.add].
      replace (S (n - 1)) with n by lia. simpl. ring. }
    rewrite SP. assert (f0 : f 0%nat = 0) by (unfold f; rewrite !elementary_0; ring).
    assert (fn : f n = 0).
    { assert (A1 : elementary n h = sign (parity h)) by (unfold n; apply elementary_all).
      assert (A2 : elementary n w = sign (parity w)) by (rewrite Hl; apply elementary_all).
      unfold f. rewrite A1, A2, Hp. ring. }
    rewrite f0, fn, Rplus_0_l, Rplus_0_r.
    assert (N4 : 4 <= INR n) by (replace 4 with (INR 4) by (simpl; ring); apply le_INR; auto).
    set (y := (1 / 2) ^ S k) in *. assert (Y0 : 0 < y) by (apply pow_lt; lra).
    eapply Rle_trans; [apply Rabs_total with (c := 2 * (16 * y / INR n))|].
    - intros j Hj. apply in_seq in Hj. unfold f. rewrite <- Rmult_minus_distr_r, Rabs_mult.
      pose proof (middle_term k n j F' Hk Hn ltac:(lia) ltac:(lia) P1 B1) as M. fold y in M.
      pose proof (elementary_bound h j) as E1. pose proof (elementary_bound w j) as E2. rewrite <- Hl in E2. fold n in E1, E2.
      assert (E3 : Rabs (elementary j h - elementary j w) <= 2 * INR (choose n j)).
      { apply abs2 in E1. apply abs2 in E2. apply abs2. lra. }
      pose proof (Rabs_pos (term k n 0 0 F' j)).
      apply Rle_trans with (2 * INR (choose n j) * Rabs (term k n 0 0 F' j)); [apply Rmult_le_compat_r; auto | lra].
    - rewrite seq_length. rewrite minus_INR by lia. simpl (INR 1).
      replace ((INR n - 1) * (2 * (16 * y / INR n))) with (32 * y * ((INR n - 1) / INR n)) by (field; lra).
      assert ((INR n - 1) / INR n <= 1).
      { apply Rmult_le_reg_r with (INR n); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra. }
      nra. }
  rewrite <- !Y, !X in D. apply abs2 in D. apply abs2. lra.
Qed.

Theorem share_tv_free : forall m honest, (4 <= m)%nat -> (0 < honest)%nat ->
  hides_all_but_sum (R_MOD m) honest (16 * (1 / 2) ^ m).
Proof.
  intros [|k] honest Hm Hh; [lia|]. unfold R_MOD. set (y := (1 / 2) ^ S k).
  assert (Y0 : 0 < y) by (apply pow_lt; lra).
  assert (Y1 : y <= 1 / 16).
  { unfold y. replace (S k) with (4 + (k - 3))%nat by lia. rewrite pow_add.
    assert ((1 / 2) ^ (k - 3) <= 1) by (apply Rle_trans with (1 ^ (k - 3)); [apply pow_incr; lra | rewrite pow1; lra]).
    assert (0 < (1 / 2) ^ (k - 3)) by (apply pow_lt; lra). simpl ((1 / 2) ^ 4). lra. }
  intros h L Ev. destruct (Nat.le_gt_cases honest 3) as [S3|S3].
  - pose proof (share_tv_bound k honest Hh h L Ev) as B. fold y in B. eapply Rle_trans; [exact B|].
    assert (C : honest = 1%nat \/ honest = 2%nat \/ honest = 3%nat) by lia.
    destruct C as [C|[C|C]]; rewrite C; simpl; nra.
  - set (w := parity h :: repeat false (honest - 1)).
    set (F := fun l : list bool => Pr (shuffle l) Ev).
    assert (HF : unordered_test F).
    { split. intros l l' P0. unfold F, Pr. apply shuffle_perm; auto. intro; apply Pr_01, proper_shuffle. }
    assert (V : forall z, Pr (view (shares k) z) Ev = E (concatenated (map (shares k) z)) F).
    { intro z. unfold view, messages, Pr. rewrite E_bind. reflexivity. }
    change (view (fun u => shares k u)) with (view (shares k)). rewrite !V. apply shares_difference; auto; try lia.
    + unfold w. simpl. rewrite repeat_length. lia.
    + unfold w. simpl. assert (Z : forall j, parity (repeat false j) = false) by (induction j; simpl; auto; rewrite IHj; auto).
      fold parity. rewrite Z. destruct (parity h); reflexivity.
Qed.
