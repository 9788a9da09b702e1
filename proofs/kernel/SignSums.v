(* Fair signs: for numbers d_a that are put into pools and get independent fair signs, the sum Q of the squares of the pools'
   signed sums has the mean W = sum of d_a^2 and the variance at most 4 w W, where no pool has squares that sum to more than w. *)
From Coq Require Import Reals Lra Lia List Bool.
From PanshuffleKernel Require Import Countable Privacy Masses Model Poisson Section4Transformation Poissonization Tester Section4Tester.
From PanshuffleKernel Require Import Paper.
Import ListNotations.
Open Scope R_scope.

(* The mean over n fair bits. *)
Fixpoint average (n : nat) (f : list bool -> R) : R :=
  match n with O => f [] | S n => / 2 * (average n (fun c => f (true :: c)) + average n (fun c => f (false :: c))) end.
Lemma average_ext : forall n f g, (forall c, f c = g c) -> average n f = average n g.
Proof. induction n; intros f g H; simpl; [auto|]. f_equal. f_equal; apply IHn; auto. Qed.
Lemma average_plus : forall n f g, average n (fun c => f c + g c) = average n f + average n g.
Proof. induction n; intros f g; simpl; [auto|]. rewrite !IHn. ring. Qed.
Lemma average_scale : forall n w f, average n (fun c => w * f c) = w * average n f.
Proof. induction n; intros w f; simpl; [auto|]. rewrite !IHn. ring. Qed.
Lemma average_const : forall n w, average n (fun _ => w) = w.
Proof. induction n; intro w; simpl; [auto|]. rewrite !IHn. field. Qed.
Lemma average_le : forall n f g, (forall c, f c <= g c) -> average n f <= average n g.
Proof.
  induction n; intros f g H; simpl; [auto|].
  pose proof (IHn (fun c => f (true :: c)) (fun c => g (true :: c)) (fun c => H (true :: c))).
  pose proof (IHn (fun c => f (false :: c)) (fun c => g (false :: c)) (fun c => H (false :: c))). lra.
Qed.
Lemma average_S : forall n f g h, (forall c, f (true :: c) + f (false :: c) = 2 * (g c + h c)) -> average (S n) f = average n g + average n h.
Proof.
  intros n f g h H. cbn [average]. rewrite <- !average_plus. rewrite (average_ext n _ (fun c => 2 * (g c + h c))) by auto.
  rewrite average_scale. field.
Qed.
Definition fair_signs (n : nat) : law (list bool) := samples (Ber (1 / 2)) n.
Lemma proper_fair_signs : forall n, proper (fair_signs n).
Proof. intro n. apply proper_samples, proper_Ber; lra. Qed.
Lemma E_fair_signs : forall n f, bounded f -> E (fair_signs n) f = average n f.
Proof.
  induction n; intros f [M H].
  - apply E_samples_O.
  - unfold fair_signs. rewrite E_samples_S by (try apply proper_Ber; try lra; exists M; auto). rewrite E_Ber. fold (fair_signs n).
    rewrite !IHn by (exists M; auto). simpl. field.
Qed.

(* A sign for each entry. *)
Fixpoint signed {A} (l : list A) (c : list bool) : list (A * bool) :=
  match l with [] => [] | a :: l => (a, hd false c) :: signed l (tl c) end.
Lemma signed_fst {A} : forall (l : list A) c f, total (signed l c) (fun z => f (fst z)) = total l f.
Proof.
  induction l as [|a l IH]; intros c f; [reflexivity|].
  change (total (signed (a :: l) c) (fun z => f (fst z))) with (f a + total (signed l (tl c)) (fun z => f (fst z))). rewrite IH. reflexivity.
Qed.

Section Pools.
Context {A J : Type} (V : universe J) (pool : A -> J) (d : A -> R).
Definition pool_is (p : J) (a : A) : R := indicator (is_element V (pool a) p).
Definition sign (s : bool) : R := if s then 1 else -1.
Definition signed_sum (l : list A) (c : list bool) (p : J) : R :=
  total (signed l c) (fun z => pool_is p (fst z) * (sign (snd z) * d (fst z))).
Definition squares (l : list A) (c : list bool) : R := total (elements V) (fun p => signed_sum l c p ^ 2).
Lemma total_pick : forall q f, total (elements V) (fun p => indicator (is_element V q p) * f p) = f q.
Proof.
  intros q f. pose proof (no_repetition J V) as N. pose proof (complete J V q) as I. induction (elements V) as [|a l IH]; [destruct I|].
  inversion N; subst. change (total (a :: l) ?g) with (g a + total l g). cbv beta. destruct I as [I|I].
  - subst. rewrite element_same.
    assert (Z : total l (fun p => indicator (is_element V q p) * f p) = 0).
    { clear IH N H2. induction l as [|b l IH]; [reflexivity|]. change (total (b :: l) ?g) with (g b + total l g). cbv beta.
      rewrite IH by (intro; apply H1; right; auto). rewrite element_other by (intro; subst; apply H1; left; auto). simpl. ring. }
    rewrite Z. simpl. ring.
  - rewrite IH by auto. rewrite element_other by (intro; subst; contradiction). simpl. ring.
Qed.
Lemma signed_sum_cons : forall a l s c p, signed_sum (a :: l) (s :: c) p = pool_is p a * (sign s * d a) + signed_sum l c p.
Proof. reflexivity. Qed.
Lemma pool_is_square : forall p a, pool_is p a * pool_is p a = pool_is p a.
Proof. intros p a. unfold pool_is. destruct (is_element V (pool a) p); simpl; ring. Qed.
Lemma squares_cons : forall a l s c, squares (a :: l) (s :: c) = squares l c + (2 * sign s * d a * signed_sum l c (pool a) + d a ^ 2).
Proof.
  intros a l s c. unfold squares.
  rewrite (total_ext _ _ (fun p => signed_sum l c p ^ 2 + indicator (is_element V (pool a) p) * (2 * sign s * d a * signed_sum l c p + d a ^ 2))).
  - rewrite total_plus. f_equal. apply (total_pick (pool a) (fun p => 2 * sign s * d a * signed_sum l c p + d a ^ 2)).
  - intro p. rewrite signed_sum_cons. fold (pool_is p a). pose proof (pool_is_square p a) as Q. set (t := pool_is p a) in *.
    assert (S2 : sign s * sign s = 1) by (destruct s; simpl; ring).
    replace ((t * (sign s * d a) + signed_sum l c p) ^ 2)
      with (t * t * (sign s * sign s) * d a ^ 2 + 2 * t * sign s * d a * signed_sum l c p + signed_sum l c p ^ 2) by ring.
    rewrite Q, S2. ring.
Qed.
Lemma mean_signed_square : forall l p, average (length l) (fun c => signed_sum l c p ^ 2) = total l (fun a => pool_is p a * d a ^ 2).
Proof.
  induction l as [|a l IH]; intro p; [simpl; unfold signed_sum; simpl; ring|].
  cbn [length]. rewrite (average_S _ _ (fun c => signed_sum l c p ^ 2) (fun _ => pool_is p a * d a ^ 2)).
  - rewrite IH, average_const. change (total (a :: l) ?g) with (g a + total l g). cbv beta. ring.
  - intro c. rewrite !signed_sum_cons. pose proof (pool_is_square p a) as Q. unfold sign. rewrite <- Q at 3. ring.
Qed.
Lemma mean_squares : forall l, average (length l) (squares l) = total l (fun a => d a ^ 2).
Proof.
  induction l as [|a l IH].
  - simpl. unfold squares, signed_sum. simpl. rewrite total_const. ring.
  - cbn [length]. rewrite (average_S _ _ (squares l) (fun _ => d a ^ 2)).
    + rewrite IH, average_const. change (total (a :: l) ?g) with (g a + total l g). cbv beta. ring.
    + intro c. rewrite !squares_cons. unfold sign. ring.
Qed.
Lemma mean_squares_squared : forall w l, (forall p, total l (fun a => pool_is p a * d a ^ 2) <= w) ->
  average (length l) (fun c => squares l c ^ 2) <= total l (fun a => d a ^ 2) ^ 2 + 4 * w * total l (fun a => d a ^ 2).
Proof.
  intros w l. induction l as [|a l IH]; intro H.
  - simpl. unfold squares, signed_sum. simpl. rewrite total_const. right. ring.
  - assert (H' : forall p, total l (fun a => pool_is p a * d a ^ 2) <= w).
    { intro p. specialize (H p). change (total (a :: l) ?g) with (g a + total l g) in H. cbv beta in H.
      assert (0 <= pool_is p a * d a ^ 2); [|lra]. apply Rmult_le_pos; [unfold pool_is; destruct (is_element V (pool a) p); simpl; lra | apply pow2_ge_0]. }
    specialize (IH H').
    cbn [length]. rewrite (average_S _ _ (fun c => squares l c ^ 2) (fun c => 2 * d a ^ 2 * squares l c + (d a ^ 4 + 4 * d a ^ 2 * signed_sum l c (pool a) ^ 2))).
    + rewrite !average_plus, !average_scale, average_const, mean_squares, mean_signed_square.
      change (total (a :: l) ?g) with (g a + total l g). cbv beta. set (W := total l (fun a => d a ^ 2)) in *. specialize (H' (pool a)).
      assert (4 * d a ^ 2 * total l (fun b => pool_is (pool a) b * d b ^ 2) <= 4 * d a ^ 2 * w).
      { apply Rmult_le_compat_l; auto. pose proof (pow2_ge_0 (d a)); lra. }
      replace ((d a ^ 2 + W) ^ 2 + 4 * w * (d a ^ 2 + W)) with (W ^ 2 + 4 * w * W + (2 * d a ^ 2 * W + (d a ^ 4 + 4 * d a ^ 2 * w))) by ring. lra.
    + intro c. rewrite !squares_cons. unfold sign. ring.
Qed.
(* Chebyshev. *)
Theorem squares_large : forall w l, let W := total l (fun a => d a ^ 2) in 0 < W -> (forall p, total l (fun a => pool_is p a * d a ^ 2) <= w) ->
  1 - 16 * w / W <= Pr (fair_signs (length l)) (fun c => le (W / 2) (squares l c)).
Proof.
  intros w l W WP H. unfold Pr. rewrite E_fair_signs by apply bounded_indicator.
  pose proof (mean_squares_squared w l H) as V2. pose proof (mean_squares l) as V1. fold W in V1, V2.
  apply Rle_trans with (average (length l) (fun c => 1 + (- (4 / W ^ 2)) * (squares l c ^ 2 + ((-2 * W) * squares l c + W ^ 2)))).
  - rewrite average_plus, average_scale, !average_plus, average_scale, !average_const, V1.
    assert (I : 0 < 4 / W ^ 2) by (apply Rdiv_lt_0_compat; [lra | apply pow_lt; auto]).
    assert (4 / W ^ 2 * (average (length l) (fun c => squares l c ^ 2) + (-2 * W * W + W ^ 2)) <= 4 / W ^ 2 * (4 * w * W)) by (apply Rmult_le_compat_l; lra).
    replace (16 * w / W) with (4 / W ^ 2 * (4 * w * W)) by (field; lra). lra.
  - apply average_le. intro c. set (Q := squares l c).
    assert (W2 : 0 < W ^ 2) by (apply pow_lt; auto).
    replace (1 + - (4 / W ^ 2) * (Q ^ 2 + (-2 * W * Q + W ^ 2))) with (1 - (4 * (Q - W) ^ 2) / W ^ 2) by (field; lra).
    unfold le. destruct (Rle_dec (W / 2) Q) as [L|L]; simpl indicator.
    + assert (0 <= 4 * (Q - W) ^ 2 / W ^ 2); [|lra]. apply Rmult_le_pos; [pose proof (pow2_ge_0 (Q - W)); lra | left; apply Rinv_0_lt_compat; auto].
    + apply Rnot_le_lt in L. assert (1 <= 4 * (Q - W) ^ 2 / W ^ 2); [|lra]. apply Rmult_le_reg_r with (W ^ 2); auto.
      replace (4 * (Q - W) ^ 2 / W ^ 2 * W ^ 2) with (4 * (Q - W) ^ 2) by (field; lra). nra.
Qed.
End Pools.
