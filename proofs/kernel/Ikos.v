(* Theorem ikos, privacy.

   "If only gamma n >= 2 users are honest, let h denote the vector of their values.  Then ||(S o R_MOD)(h) -
    (S o R_MOD)(w)||_TV < 2^-sigma, where w := (sum h_i mod 2, 0, ..., 0).  Each honest user sends O(sigma + log n)
    one-bit messages."

   Proved, for m one-bit messages of each of N honest users: the total variation is at most 2((1 + 2^-m)^N - 1), and so
   at most Delta if 4 n 2^-m <= Delta <= 1.  As signed measures the shares of u are F^m + (-1)^u S^m, F a fair bit and
   S = (d_0 - d_1)/2; up to the order of messages S F = (d_00 - d_11)/4 has norm 1/2; expand the product over the users. *)
From Coq Require Import Reals Lra List Bool Permutation Lia Morphisms Setoid.
From PanshuffleKernel Require Import Law Closeness Parity Shuffle Messages ShuffleModel Distinct Shares.
Import ListNotations.
Open Scope R_scope.

#[local] Instance meq_equiv {A} : Equivalence (@same_unordered A).
Proof. split; [exact same_unordered_refl | exact same_unordered_sym | exact same_unordered_trans]. Qed.
#[local] Instance conv_proper {A} : Proper (same_unordered ==> same_unordered ==> same_unordered) (@join A).
Proof. intros a a' H b b' K. apply join_same; auto. Qed.
Lemma massoc {A} : forall a b c : law (list A), same_unordered (join (join a b) c) (join a (join b c)).
Proof. intros; apply same_law_unordered, join_assoc. Qed.
Lemma mleft {A} : forall a b c : law (list A), same_unordered (join a (join b c)) (join b (join a c)).
Proof. intros. rewrite <- massoc, (join_comm a b), massoc. reflexivity. Qed.
Lemma mnil {A} : forall a : law (list A), same_unordered (join (point []) a) a.
Proof. intros a F _. rewrite E_join, E_point. reflexivity. Qed.

Definition fair_part : law (list bool) := [([false], 1/2); ([true], 1/2)].
Definition sign_part : law (list bool) := [([false], 1/2); ([true], -1/2)].
Definition power_of (d : law (list bool)) k := concatenated (repeat d k).
Definition mixed a b := join (power_of sign_part a) (power_of fair_part b).

Lemma cpow_add : forall d a b, same_unordered (power_of d (a + b)) (join (power_of d a) (power_of d b)).
Proof.
  induction a; intro b; unfold power_of in *; simpl. rewrite mnil; reflexivity. rewrite IHa, massoc; reflexivity.
Qed.
Lemma mixed_fair : forall L a b, same_unordered (join (power_of fair_part L) (mixed a b)) (mixed a (b + L)).
Proof. intros. unfold mixed. rewrite mleft, cpow_add, (join_comm (power_of fair_part b)). reflexivity. Qed.
Lemma mixed_sign : forall L a b, same_unordered (join (power_of sign_part L) (mixed a b)) (mixed (a + L) b).
Proof. intros. unfold mixed. rewrite <- massoc, cpow_add, (join_comm (power_of sign_part a)). reflexivity. Qed.

(* norm over perm-invariant tests *)
Definition norm_at_most (d : law (list bool)) (c : R) :=
  0 <= c /\ forall F M, order_free F -> 0 <= M -> (forall l, Rabs (F l) <= M) -> Rabs (E d F) <= c * M.
Lemma nrm_conv : forall d d' c c', norm_at_most d c -> norm_at_most d' c' -> norm_at_most (join d d') (c * c').
Proof.
  intros d d' c c' [Hc H] [Hc' H']. split; [apply Rmult_le_pos; auto|]. intros F M HF HM B.
  rewrite E_join, Rmult_assoc. apply (H (fun l => E d' (fun r => F (l ++ r)))).
  apply order_free_E; auto. apply Rmult_le_pos; auto. intro l. apply H'; auto. apply order_free_app; auto.
Qed.
Lemma nrm_meq : forall d d' c, same_unordered d d' -> norm_at_most d c -> norm_at_most d' c.
Proof. intros d d' c H [Hc K]. split; auto. intros F M HF HM B. rewrite <- (H F HF). auto. Qed.
Lemma abs2 : forall x M, Rabs x <= M <-> - M <= x <= M.
Proof. intros. unfold Rabs. destruct (Rcase_abs x); lra. Qed.
Lemma nrm_ret : norm_at_most (point []) 1.
Proof. split; [lra|]. intros F M _ _ B. rewrite E_point, Rmult_1_l. auto. Qed.
Lemma nrm_ub : norm_at_most fair_part 1.
Proof. split; [lra|]. intros F M _ HM B. simpl. pose proof (B [false]) as X. pose proof (B [true]) as Y.
  rewrite abs2 in *. lra. Qed.
Lemma nrm_cb : norm_at_most sign_part 1.
Proof. split; [lra|]. intros F M _ HM B. simpl. pose proof (B [false]) as X. pose proof (B [true]) as Y.
  rewrite abs2 in *. lra. Qed.
Lemma nrm_cu : norm_at_most (join sign_part fair_part) (1/2).
Proof.
  split; [lra|]. intros F M HF HM B. rewrite E_join. simpl.
  rewrite (HF [true; false] [false; true]) by constructor.
  pose proof (B [false; false]) as X. pose proof (B [true; true]) as Y. rewrite abs2 in *. lra.
Qed.
Lemma nrm_pow : forall d k, norm_at_most d 1 -> norm_at_most (power_of d k) 1.
Proof.
  induction k; intro H; unfold power_of in *; simpl. apply nrm_ret.
  replace 1 with (1 * 1) by ring. apply nrm_conv; auto.
Qed.
Lemma norm_mixed : forall a b, norm_at_most (mixed a b) ((1/2) ^ a + (1/2) ^ b).
Proof.
  assert (W : forall d c c', c <= c' -> norm_at_most d c -> norm_at_most d c').
  { intros d c c' H [Hc K]. split; [lra|]. intros. apply Rle_trans with (c * M); auto. apply Rmult_le_compat_r; auto. }
  assert (P0 : forall k, 0 < (1/2) ^ k) by (intro; apply pow_lt; lra).
  assert (G : forall a b, norm_at_most (mixed a b) 1).
  { intros. replace 1 with (1 * 1) by ring. apply nrm_conv; apply nrm_pow; [apply nrm_cb | apply nrm_ub]. }
  induction a; intro b.
  - apply W with 1; auto. simpl. specialize (P0 b). lra.
  - destruct b.
    + apply W with 1; auto. specialize (P0 (S a)). simpl (_ ^ 0). lra.
    + apply nrm_meq with (join (join sign_part fair_part) (mixed a b)).
      { unfold mixed, power_of. simpl. symmetry. apply join_exchange. }
      replace ((1/2) ^ S a + (1/2) ^ S b) with (1/2 * ((1/2) ^ a + (1/2) ^ b)) by (simpl; ring).
      apply nrm_conv; auto. apply nrm_cu.
Qed.

Lemma Rs_split : forall k u F, E (shares k u) F = E (power_of fair_part (S k)) F + sign u * E (power_of sign_part (S k)) F.
Proof.
  induction k; intros u F.
  - unfold power_of. simpl. destruct u; unfold sign; field.
  - change (shares (S k) u) with (bind fair_bit (fun b => bind (shares k (xorb u b)) (fun l => point (b :: l)))).
    change (power_of fair_part (S (S k))) with (join fair_part (power_of fair_part (S k))). change (power_of sign_part (S (S k))) with (join sign_part (power_of sign_part (S k))).
    rewrite E_bind, !E_join.
    rewrite (E_ext fair_bit _ (fun b => E (power_of fair_part (S k)) (fun l => F (b :: l)) + sign (xorb u b) * E (power_of sign_part (S k)) (fun l => F (b :: l)))).
    2: { intro b. rewrite E_bind, <- IHk. apply E_ext; intro. apply E_point. }
    cbn [E fair_bit fair_part sign_part app]. destruct u; unfold sign; simpl xorb; cbv iota; field.
Qed.

Section Bound.
Variable k : nat.
Let L := S k.
Let y := (1/2) ^ L.
Lemma y_pos : 0 < y. Proof. apply pow_lt; lra. Qed.
Definition Gm (h : list bool) a b F := E (join (concatenated (map (shares k) h)) (mixed a b)) F.
Lemma G_step : forall u h a b F, order_free F -> Gm (u :: h) a b F = Gm h a (b + L) F + sign u * Gm h (a + L) b F.
Proof.
  intros u h a b F HF. unfold Gm. cbn [map concatenated]. rewrite (massoc _ _ _ F HF), E_join, Rs_split, <- !E_join.
  fold L. f_equal; [|f_equal].
  - assert (X : same_unordered (join (power_of fair_part L) (join (concatenated (map (shares k) h)) (mixed a b))) (join (concatenated (map (shares k) h)) (mixed a (b + L))))
      by (rewrite mleft, mixed_fair; reflexivity). apply X; auto.
  - assert (X : same_unordered (join (power_of sign_part L) (join (concatenated (map (shares k) h)) (mixed a b))) (join (concatenated (map (shares k) h)) (mixed (a + L) b)))
      by (rewrite mleft, mixed_sign; reflexivity). apply X; auto.
Qed.
Lemma G_nil : forall a b F, order_free F -> Gm [] a b F = E (mixed a b) F.
Proof. intros. unfold Gm. simpl. apply mnil; auto. Qed.
Definition sg (h : list bool) := sign (parity h).
Lemma sg_cons : forall u h, sg (u :: h) = sign u * sg h.
Proof. intros. unfold sg. simpl. destruct u, (parity h); simpl; unfold sign; ring. Qed.
Lemma sg_abs : forall u, sign u = 1 \/ sign u = -1.
Proof. destruct u; unfold sign; auto. Qed.

Lemma mixed_bound : forall a b F, order_free F -> (forall l, Rabs (F l) <= 1) ->
  - ((1/2) ^ a + (1/2) ^ b) <= E (mixed a b) F <= (1/2) ^ a + (1/2) ^ b.
Proof. intros a b F HF B. apply abs2. destruct (norm_mixed a b) as [_ H]. specialize (H F 1 HF ltac:(lra) B). lra. Qed.

Lemma nonmain : forall h u a b F, order_free F -> (forall l, Rabs (F l) <= 1) ->
  let m := length (u :: h) in
  Rabs (Gm (u :: h) a b F - E (mixed a (b + m * L)) F - sg (u :: h) * E (mixed (a + m * L) b) F)
  <= ((1/2) ^ a + (1/2) ^ b) * (1 + y) ^ m - ((1/2) ^ a + (1/2) ^ b * y ^ m) - ((1/2) ^ a * y ^ m + (1/2) ^ b).
Proof.
  induction h as [|v h IH]; intros u a b F HF B m.
  - rewrite G_step, !G_nil by auto. unfold m. simpl length. rewrite !Nat.mul_1_l.
    replace (sg [u]) with (sign u) by (unfold sg; destruct u; reflexivity).
    replace (_ - _ - _) with 0 by ring. rewrite Rabs_R0. simpl. right; ring.
  - rewrite G_step by auto. set (m' := length (v :: h)) in *. replace m with (S m') by reflexivity.
    pose proof (IH v a (b + L)%nat F HF B) as I1. pose proof (IH v (a + L)%nat b F HF B) as I2. cbv zeta in I1, I2. fold m' in I1, I2.
    rewrite sg_cons. rewrite !pow_add in I1, I2. fold y in I1, I2.
    replace (b + L + m' * L)%nat with (b + S m' * L)%nat in I1 by (simpl; lia).
    replace (a + L + m' * L)%nat with (a + S m' * L)%nat in I2 by (simpl; lia).
    pose proof (mixed_bound (a + m' * L) (b + L) F HF B) as B1.
    pose proof (mixed_bound (a + L) (b + m' * L) F HF B) as B2.
    assert (YM : (1/2) ^ (m' * L) = y ^ m') by (unfold y; rewrite <- pow_mult; f_equal; lia).
    rewrite !pow_add, !YM in B1, B2. fold y in B1, B2.
    rewrite abs2 in I1, I2 |- *. change (y ^ S m') with (y * y ^ m'). change ((1 + y) ^ S m') with ((1 + y) * (1 + y) ^ m').
    destruct (sg_abs u) as [S1|S1], (sg_abs (parity (v :: h))) as [S2|S2]; fold (sg (v :: h)) in S2; rewrite S1, S2 in *; lra.
Qed.

Lemma share_tv : forall h w F, length h = length w -> parity h = parity w -> h <> [] -> unordered_test F ->
  Rabs (E (concatenated (map (shares k) h)) F - E (concatenated (map (shares k) w)) F) <= 2 * ((1 + y) ^ length h - 1).
Proof.
  intros h w F Hl Hp Hn [F1 F2].
  set (F' := fun l => 2 * F l - 1).
  assert (P1 : order_free F') by (intros l l' P0; unfold F'; rewrite (F1 l l' P0); auto).
  assert (B1 : forall l, Rabs (F' l) <= 1) by (intro l; apply abs2; unfold F'; specialize (F2 l); lra).
  assert (X : forall z, E (concatenated (map (shares k) z)) F' = 2 * E (concatenated (map (shares k) z)) F - 1).
  { intro z. assert (PZ : proper (concatenated (map (shares k) z))) by (apply proper_concatenated_map; intro; apply proper_shares).
    unfold F'. rewrite (E_ext _ _ (fun l => 2 * F l + -1)) by (intro; ring). rewrite E_plus, E_mult, (E_const _ _ PZ). ring. }
  assert (Y : forall z, E (concatenated (map (shares k) z)) F' = Gm z 0 0 F').
  { intro z. unfold Gm. symmetry. assert (Z : same_unordered (join (concatenated (map (shares k) z)) (mixed 0 0)) (concatenated (map (shares k) z))).
    { unfold mixed, power_of. simpl. rewrite mnil, join_comm, mnil. reflexivity. } apply Z; auto. }
  destruct h as [|u h]; [congruence|]. destruct w as [|v w]; [discriminate|].
  pose proof (nonmain h u 0 0 F' P1 B1) as N1. pose proof (nonmain w v 0 0 F' P1 B1) as N2. cbv zeta in N1, N2.
  rewrite <- Hl in N2. unfold sg in N1, N2. rewrite <- Hp in N2. rewrite <- !Y in N1, N2. rewrite !X in N1, N2.
  simpl (_ ^ 0) in N1, N2. set (m := length (u :: h)) in *.
  assert (0 < y ^ m) by (apply pow_lt, y_pos). rewrite abs2 in N1, N2 |- *. lra.
Qed.
End Bound.

Lemma pow_1p : forall y m, 0 < y -> INR m * y <= 1/2 -> (1 + y) ^ m <= 1 + 2 * (INR m * y).
Proof.
  intros y m Hy. induction m; intro H; [simpl; lra|].
  assert (INR m * y <= 1/2) by (rewrite S_INR in H; lra). specialize (IHm H0). rewrite S_INR in *.
  assert (0 <= INR m * y) by (apply Rmult_le_pos; [apply pos_INR | lra]).
  set (t := INR m * y) in *. replace ((INR m + 1) * y) with (t + y) in * by (unfold t; ring). simpl. nra.
Qed.

Theorem share_tv_bound : forall k honest, (0 < honest)%nat ->
  hides_all_but_sum (shares k) honest (2 * ((1 + (1/2) ^ S k) ^ honest - 1)).
Proof.
  intros k honest Hm h Hh Ev. set (w := parity h :: repeat false (honest - 1)).
  set (F := fun l : list bool => Pr (shuffle l) Ev).
  assert (HF : unordered_test F).
  { split. intros l l' P0. unfold F, Pr. apply shuffle_perm; auto. intro; apply Pr_01, proper_shuffle. }
  assert (V : forall z, Pr (view (shares k) z) Ev = E (concatenated (map (shares k) z)) F).
  { intro z. unfold view, messages, Pr. rewrite E_bind. reflexivity. }
  rewrite !V, <- Hh. apply share_tv; auto.
  - unfold w. simpl. rewrite repeat_length. lia.
  - unfold w. simpl. assert (Z : forall j, parity (repeat false j) = false) by (induction j; simpl; auto; rewrite IHj; auto).
    fold parity. rewrite Z. destruct (parity h); reflexivity.
  - intro; subst; simpl in *; lia.
Qed.

Lemma ikos_shares : forall k honest n Delta, (0 < honest <= n)%nat -> 4 * INR n * (1/2) ^ S k <= Delta -> Delta <= 1 ->
  hides_all_but_sum (shares k) honest Delta.
Proof.
  intros k honest n Delta Hm HD HD1 h Hh Ev.
  assert (Hy : 0 < (1/2) ^ S k) by (apply pow_lt; lra).
  assert (INR honest <= INR n) by (apply le_INR; lia).
  assert (M1 : INR honest * (1/2) ^ S k <= INR n * (1/2) ^ S k) by (apply Rmult_le_compat_r; lra).
  pose proof (pow_1p ((1/2) ^ S k) honest Hy ltac:(lra)) as PB.
  pose proof (share_tv_bound k honest ltac:(lia) h Hh Ev). lra.
Qed.

Theorem ikos : forall m honest n Delta, (0 < honest <= n)%nat -> 4 * INR n * (1/2) ^ m <= Delta -> Delta <= 1 ->
  hides_all_but_sum (R_MOD m) honest Delta.
Proof.
  intros [|k] honest n Delta Hm HD HD1.
  - exfalso. assert (1 <= INR n) by (change 1 with (INR 1); apply le_INR; lia). simpl in HD. lra.
  - apply ikos_shares with n; auto.
Qed.

Lemma parity_app : forall l r, parity (l ++ r) = xorb (parity l) (parity r).
Proof.
  induction l as [|b l IH]; intro r; [symmetry; apply xorb_false_l|].
  cbn [app parity fold_right]. fold (parity (l ++ r)) (parity l). rewrite IH, xorb_assoc. reflexivity.
Qed.
Lemma parity_perm : forall l l', Permutation l l' -> parity l = parity l'.
Proof.
  induction 1; cbn [parity fold_right] in *; try fold (parity l) in *; try fold (parity l') in *; try congruence.
  rewrite <- !xorb_assoc, (xorb_comm y x). reflexivity.
Qed.

(* "outputs sum x_i mod 2 if all users are honest": every outcome of the shuffled shares has the parity of the data. *)
Theorem modular_sum_correct : forall (m : nat) (x : list bool) p, (0 < m)%nat ->
  In p (view (R_MOD m) x) -> parity (fst p) = parity x.
Proof.
  intros m x p Hm H. unfold view in H. apply in_bind in H. destruct H as [s [v [H1 [H2 H3]]]].
  apply shuffle_support in H2. rewrite <- H3, <- (parity_perm _ _ H2). clear H2 H3 v p. unfold messages in H1.
  revert s H1. induction x as [|u x IH]; intros s H.
  - destruct H as [H|[]]; subst; reflexivity.
  - cbn [map concatenated] in H. unfold join in H. apply in_bind in H. destruct H as [l [y [H1 [H2 H3]]]].
    apply in_bind in H2. destruct H2 as [r [z [H4 [H5 H6]]]]. destruct H5 as [H5|[]]; subst z. simpl in H6.
    rewrite <- H3, <- H6, parity_app, (IH r H4). apply shares_sum in H1; auto. destruct H1 as [H1 _]. rewrite H1. reflexivity.
Qed.
