(* Worst neighbours, finite laws: the binomial mechanism, P^zsum, Q_ZSUM, the central OR, P_MOD.

   For each: the privacy of the algorithm for all neighbouring datasets is the closeness of the one pair that the exact
   numbers are computed for, in both directions. *)
From Coq Require Import Reals ZArith Lra Lia List Bool Permutation.
From PanshuffleKernel Require Import Law Closeness PostProcessing Parity Shuffle Messages ShuffleModel.
From PanshuffleKernel Require Import Online Transformation UniformityTransformation BinomialMechanism PanSum Shares Ikos Distinct Rows ShareLaw BinarySum.
From PanshuffleKernel Require Import Variances DistinctTight DistinctOr.
Import ListNotations.
Open Scope R_scope.

(* Closeness in both directions. *)
Definition close_both {A} (eps delta : R) (d d' : law A) := close eps delta d d' /\ close eps delta d' d.

(* A function of the outcome. *)
Lemma close_function {A B} : forall eps delta (d d' : law A) (e e' : law B) (h : A -> B),
  (forall F, E d (fun a => F (h a)) = E e F) -> (forall F, E d' (fun a => F (h a)) = E e' F) ->
  close eps delta d d' -> close eps delta e e'.
Proof.
  intros eps delta d d' e e' h H H' C T. unfold Pr. rewrite <- H, <- H'. apply (C (fun a => T (h a))).
Qed.

(* ---- Bin(l, p), shifted ---- *)
Lemma noisy_shift : forall l p a c F, E (noisy l p a) (fun z => F (z + c)%Z) = E (noisy l p (a + c)%Z) F.
Proof. intros. rewrite !E_noisy. apply E_ext. intro x. f_equal. lia. Qed.

(* Bin(l, p) and 1 + Bin(l, p), in both directions: the pair of the binomial mechanism. *)
Definition shift_close (l : nat) (p eps delta : R) := close_both eps delta (noisy l p 1) (noisy l p 0).

Theorem binomial_worst_pair : forall (l : nat) (p eps delta : R), 0 <= p <= 1 -> 0 <= eps -> 0 <= delta ->
  (hides_one l p eps delta <-> shift_close l p eps delta).
Proof.
  intros l p eps delta Hp He Hd. split.
  - intro H. split; apply H; lia.
  - intros [H1 H2] a b Hab.
    assert (C : a = b \/ a = (b + 1)%Z \/ b = (a + 1)%Z) by lia. destruct C as [C|[C|C]]; subst.
    + apply close_refl; auto. apply proper_noisy; auto.
    + apply (close_function eps delta _ _ _ _ (fun z => z + b)%Z (fun F => noisy_shift l p 1 b F) (fun F => noisy_shift l p 0 b F)) in H1.
      replace (1 + b)%Z with (b + 1)%Z in H1 by lia. exact H1.
    + apply (close_function eps delta _ _ _ _ (fun z => z + a)%Z (fun F => noisy_shift l p 0 a F) (fun F => noisy_shift l p 1 a F)) in H2.
      replace (1 + a)%Z with (a + 1)%Z in H2 by lia. exact H2.
Qed.

(* The binomial mechanism, for all 1-sensitive f. *)
Theorem binomial_worst_neighbour : forall (l : nat) (p eps delta : R), 0 <= p <= 1 -> 0 <= eps -> 0 <= delta ->
  ((forall (X : Type) (f : list X -> Z) (n : nat), one_sensitive f -> private_on n eps delta (binomial_mechanism l p f))
   <-> shift_close l p eps delta).
Proof.
  intros l p eps delta Hp He Hd. rewrite <- binomial_worst_pair by auto. split; apply hides_one_iff.
Qed.

(* ---- P^zsum ---- *)
Lemma zsum_ones : forall p x F, E (view (R_zsum p) x) (fun l => F (Z.of_nat (heads l))) = E (noisy (length x) p (ones x)) F.
Proof.
  intros p x F. rewrite E_view_order_free by (intros l l' P0; rewrite (heads_perm l l' P0); reflexivity).
  rewrite (zsum_count p x (fun _ c => F (Z.of_nat c))), E_noisy. apply E_ext. intro c. f_equal. pose proof (ones_nonneg x). lia.
Qed.

Lemma ones_zeros : forall n, ones (repeat false n) = 0%Z.
Proof. induction n; simpl; auto. Qed.

Theorem binary_sum_worst_neighbour : forall (n : nat) (p eps delta : R), 0 <= p <= 1 -> 0 <= eps -> 0 <= delta -> (0 < n)%nat ->
  (private_on n eps delta (view (R_zsum p)) <-> shift_close n p eps delta).
Proof.
  intros n p eps delta Hp He Hd Hn. split.
  - intro H. set (x := true :: repeat false (n - 1)). set (y := false :: repeat false (n - 1)).
    assert (LX : length x = n) by (unfold x; cbn [length]; rewrite repeat_length; lia).
    assert (LY : length y = n) by (unfold y; cbn [length]; rewrite repeat_length; lia).
    assert (OX : ones x = 1%Z) by (unfold x; cbn [ones]; rewrite ones_zeros; lia).
    assert (OY : ones y = 0%Z) by (unfold y; cbn [ones]; rewrite ones_zeros; lia).
    assert (SX : forall F, E (view (R_zsum p) x) (fun l => F (Z.of_nat (heads l))) = E (noisy n p 1) F)
      by (intro F; rewrite zsum_ones, LX, OX; reflexivity).
    assert (SY : forall F, E (view (R_zsum p) y) (fun l => F (Z.of_nat (heads l))) = E (noisy n p 0) F)
      by (intro F; rewrite zsum_ones, LY, OY; reflexivity).
    split.
    + apply (close_function eps delta _ _ _ _ (fun l => Z.of_nat (heads l)) SX SY).
      apply H; auto. exists [], true, false, (repeat false (n - 1)). auto.
    + apply (close_function eps delta _ _ _ _ (fun l => Z.of_nat (heads l)) SY SX).
      apply H; auto. exists [], false, true, (repeat false (n - 1)). auto.
  - intro H. apply zsum_private_given. apply binomial_worst_pair; auto.
Qed.

(* ---- Q_ZSUM: at every time of intrusion ---- *)
Lemma zsum_before : forall lambda t x F,
  E (intruder_view (zsum_initial lambda) zsum_update (zsum_output lambda) t x) (fun v => F (fst v))
  = E (noisy lambda (1 / 2) (ones (firstn t x))) F.
Proof.
  intros lambda t x F. rewrite (zsum_view lambda t x (fun I _ => F I)). apply E_ext. intro I.
  apply E_const. apply proper_noisy; lra.
Qed.
Lemma zsum_after : forall lambda t x F,
  E (intruder_view (zsum_initial lambda) zsum_update (zsum_output lambda) t x) (fun v => F (snd v - fst v)%Z)
  = E (noisy lambda (1 / 2) (ones (skipn t x))) F.
Proof.
  intros lambda t x F. rewrite (zsum_view lambda t x (fun I z => F (z - I)%Z)).
  rewrite (E_ext _ _ (fun _ => E (noisy lambda (1 / 2) (ones (skipn t x))) F)).
  - apply E_const. apply proper_noisy; lra.
  - intro I. rewrite !E_noisy. apply E_ext. intro c. f_equal. lia.
Qed.

Theorem pan_sum_worst_neighbour_at : forall (lambda n t : nat) (eps delta : R), 0 <= eps -> 0 <= delta -> (0 < n)%nat ->
  (private_on n eps delta (intruder_view (zsum_initial lambda) zsum_update (zsum_output lambda) t)
   <-> shift_close lambda (1 / 2) eps delta).
Proof.
  intros lambda n t eps delta He Hd Hn. split.
  - intro H. set (x := true :: repeat false (n - 1)). set (y := false :: repeat false (n - 1)).
    assert (LX : length x = n) by (unfold x; cbn [length]; rewrite repeat_length; lia).
    assert (LY : length y = n) by (unfold y; cbn [length]; rewrite repeat_length; lia).
    assert (N1 : neighbours x y) by (exists [], true, false, (repeat false (n - 1)); auto).
    assert (N2 : neighbours y x) by (exists [], false, true, (repeat false (n - 1)); auto).
    assert (Z0 : forall k m, ones (firstn k (repeat false m)) = 0%Z) by (induction k; intros [|m]; simpl; auto).
    assert (ZN : ones (repeat false (n - 1)) = 0%Z) by apply ones_zeros.
    destruct t as [|t].
    + assert (SX : forall F, E (intruder_view (zsum_initial lambda) zsum_update (zsum_output lambda) 0 x) (fun v => F (snd v - fst v)%Z)
        = E (noisy lambda (1 / 2) 1) F) by (intro F; rewrite zsum_after; unfold x; cbn [skipn ones]; rewrite ZN; reflexivity).
      assert (SY : forall F, E (intruder_view (zsum_initial lambda) zsum_update (zsum_output lambda) 0 y) (fun v => F (snd v - fst v)%Z)
        = E (noisy lambda (1 / 2) 0) F) by (intro F; rewrite zsum_after; unfold y; cbn [skipn ones]; rewrite ZN; reflexivity).
      split.
      * apply (close_function eps delta _ _ _ _ (fun v => snd v - fst v)%Z SX SY). apply H; auto.
      * apply (close_function eps delta _ _ _ _ (fun v => snd v - fst v)%Z SY SX). apply H; auto.
    + assert (SX : forall F, E (intruder_view (zsum_initial lambda) zsum_update (zsum_output lambda) (S t) x) (fun v => F (fst v))
        = E (noisy lambda (1 / 2) 1) F) by (intro F; rewrite zsum_before; unfold x; cbn [firstn ones]; rewrite Z0; reflexivity).
      assert (SY : forall F, E (intruder_view (zsum_initial lambda) zsum_update (zsum_output lambda) (S t) y) (fun v => F (fst v))
        = E (noisy lambda (1 / 2) 0) F) by (intro F; rewrite zsum_before; unfold y; cbn [firstn ones]; rewrite Z0; reflexivity).
      split.
      * apply (close_function eps delta _ _ _ _ fst SX SY). apply H; auto.
      * apply (close_function eps delta _ _ _ _ fst SY SX). apply H; auto.
  - intro H. apply zsum_private. apply binomial_worst_pair; auto. lra.
Qed.

Theorem pan_sum_worst_neighbour : forall (lambda n : nat) (eps delta : R), 0 <= eps -> 0 <= delta -> (0 < n)%nat ->
  (pan_private n eps delta (zsum_initial lambda) zsum_update (zsum_output lambda) <-> shift_close lambda (1 / 2) eps delta).
Proof.
  intros lambda n eps delta He Hd Hn. split.
  - intro H. apply (pan_sum_worst_neighbour_at lambda n 0); auto.
  - intros H t. apply pan_sum_worst_neighbour_at; auto.
Qed.

(* ---- the central OR ---- *)
(* Ber(1/2) if some user holds 1, else Ber(1/(2e^eps0)): DistinctOr.randomized_or. *)

Theorem randomized_or_worst_neighbour : forall (n : nat) (eps0 eps delta : R), 0 < eps0 -> 0 <= eps -> 0 <= delta -> (0 < n)%nat ->
  (private_on n eps delta (randomized_or eps0) <-> close_both eps delta (Ber (1 / 2)) (Ber (1 / (2 * exp eps0)))).
Proof.
  intros n eps0 eps delta H0 He Hd Hn. pose proof (exp_ineq1 eps0 ltac:(lra)) as X.
  assert (P : 0 <= 1 / (2 * exp eps0) <= 1).
  { split; [left; apply Rdiv_lt_0_compat; lra|]. apply Rmult_le_reg_r with (2 * exp eps0); [lra|].
    unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra. }
  assert (Z0 : forall m, existsb (fun b => b) (repeat false m) = false) by (induction m; simpl; auto).
  split.
  - intro H. set (x := true :: repeat false (n - 1)). set (y := false :: repeat false (n - 1)).
    assert (LX : length x = n) by (unfold x; cbn [length]; rewrite repeat_length; lia).
    assert (LY : length y = n) by (unfold y; cbn [length]; rewrite repeat_length; lia).
    assert (OX : randomized_or eps0 x = Ber (1 / 2)) by reflexivity.
    assert (OY : randomized_or eps0 y = Ber (1 / (2 * exp eps0))) by (unfold randomized_or, y; cbn [existsb orb]; rewrite Z0; reflexivity).
    rewrite <- OX, <- OY. split; apply H; auto.
    + exists [], true, false, (repeat false (n - 1)). auto.
    + exists [], false, true, (repeat false (n - 1)). auto.
  - intros [H1 H2] x x' L N. unfold randomized_or.
    destruct (existsb (fun b => b) x), (existsb (fun b => b) x'); auto; apply close_refl; auto; apply proper_Ber; auto; lra.
Qed.

(* ---- P_MOD ---- *)
(* The shuffled messages of users in another order have the same law. *)
Lemma view_order {X Y} : forall (r : randomizer X Y) x x', Permutation x x' -> same_law (view r x) (view r x').
Proof.
  intros r x x' P F. rewrite !E_view. apply (concatenated_perm _ _ (Permutation_map r P)).
  intros l l' Q. apply shuffle_perm; auto.
Qed.

(* The law depends on the numbers of users and of ones only. *)
Theorem modular_sum_by_ones : forall (m : nat) (x x' : list bool), length x = length x' -> heads x = heads x' ->
  same_law (view (R_MOD m) x) (view (R_MOD m) x').
Proof.
  intros m x x' L H. apply view_order. eapply perm_trans; [apply sorted_bits|]. rewrite L, H. apply Permutation_sym, sorted_bits.
Qed.

Lemma parity_flip : forall u v (b : bool), Parity.parity (u ++ b :: v) = xorb b (Parity.parity (u ++ v)).
Proof.
  intros u v b. rewrite !parity_app. cbn [Parity.parity fold_right]. fold (Parity.parity v).
  destruct (Parity.parity u), b, (Parity.parity v); reflexivity.
Qed.

Lemma mod_event : forall m x (b : bool), (0 < m)%nat ->
  Pr (view (R_MOD m) x) (fun l => Bool.eqb (Parity.parity l) b) = if Bool.eqb (Parity.parity x) b then 1 else 0.
Proof.
  intros m x b Hm. unfold Pr.
  rewrite (E_ext_in _ _ (fun _ => if Bool.eqb (Parity.parity x) b then 1 else 0)).
  - apply E_const. apply proper_view. intro; apply proper_R_MOD.
  - intros p Hp. rewrite (modular_sum_correct m x p Hm Hp). destruct (Bool.eqb (Parity.parity x) b); reflexivity.
Qed.

(* Neighbours that differ have disjoint supports: delta = 1, whatever eps is. *)
Theorem modular_sum_worst_neighbour : forall (m n : nat) (eps delta : R), (0 < m)%nat -> (0 < n)%nat ->
  (private_on n eps delta (view (R_MOD m)) <-> 1 <= delta).
Proof.
  intros m n eps delta Hm Hn. split.
  - intro H. set (x := true :: repeat false (n - 1)). set (y := false :: repeat false (n - 1)).
    assert (LX : length x = n) by (unfold x; cbn [length]; rewrite repeat_length; lia).
    assert (N1 : neighbours x y) by (exists [], true, false, (repeat false (n - 1)); auto).
    specialize (H x y LX N1 (fun l => Bool.eqb (Parity.parity l) (Parity.parity x))). rewrite !mod_event in H by auto.
    assert (D : Parity.parity y = negb (Parity.parity x)).
    { unfold x, y. cbn [Parity.parity fold_right]. destruct (fold_right xorb false (repeat false (n - 1))); reflexivity. }
    rewrite D in H. destruct (Parity.parity x); cbn [negb Bool.eqb] in H; lra.
  - intros H x x' L N T. assert (PV : forall y, proper (view (R_MOD m) y)) by (intro; apply proper_view; intro; apply proper_R_MOD).
    pose proof (Pr_01 _ T (PV x)). pose proof (Pr_01 _ T (PV x')). pose proof (exp_pos eps).
    assert (0 <= exp eps * Pr (view (R_MOD m) x') T) by (apply Rmult_le_pos; lra). lra.
Qed.

(* Every pair of neighbours that differ, not only some pair. *)
Theorem modular_sum_every_pair : forall (m : nat) (eps delta : R) (u v : list bool) (b : bool), (0 < m)%nat ->
  close eps delta (view (R_MOD m) (u ++ b :: v)) (view (R_MOD m) (u ++ negb b :: v)) -> 1 <= delta.
Proof.
  intros m eps delta u v b Hm H. specialize (H (fun l => Bool.eqb (Parity.parity l) (Parity.parity (u ++ b :: v)))).
  rewrite !mod_event in H by auto. rewrite !parity_flip in H.
  destruct b, (Parity.parity (u ++ v)); cbn [negb xorb Bool.eqb] in H; lra.
Qed.

(* The largest total variation from (parity, 0, ..., 0) is the largest over the number c of ones. *)
Theorem modular_sum_worst_distance : forall (m n : nat) (Delta : R),
  hides_all_but_sum (R_MOD m) n Delta
  <-> forall c, (c <= n)%nat ->
      tv_at_most (view (R_MOD m) (repeat true c ++ repeat false (n - c))) (view (R_MOD m) (Nat.odd c :: repeat false (n - 1))) Delta.
Proof.
  intros m n Delta.
  assert (HL : forall h, (heads h <= length h)%nat) by (induction h as [|[|] h IH]; simpl; lia).
  assert (PO : forall h, Parity.parity h = Nat.odd (heads h)).
  { induction h as [|b h IH]; [reflexivity|]. cbn [Parity.parity fold_right heads]. fold (Parity.parity h). rewrite IH.
    destruct b; [rewrite Nat.odd_succ, <- Nat.negb_odd; reflexivity | destruct (Nat.odd (heads h)); reflexivity]. }
  assert (HT : forall c k, heads (repeat true c ++ repeat false k) = c).
  { intros c k. rewrite heads_app. assert (Z1 : heads (repeat true c) = c) by (induction c; simpl; auto).
    assert (Z2 : heads (repeat false k) = 0%nat) by (induction k; simpl; auto). lia. }
  split.
  - intros H c Hc. set (h := repeat true c ++ repeat false (n - c)).
    assert (L : length h = n) by (unfold h; rewrite app_length, !repeat_length; lia).
    pose proof (H h L) as Q. rewrite PO in Q. unfold h in Q. rewrite HT in Q. exact Q.
  - intros H h L T. pose proof (HL h) as B. rewrite L in B. specialize (H (heads h) B T). rewrite PO.
    unfold Pr in *. rewrite (modular_sum_by_ones m h (repeat true (heads h) ++ repeat false (n - heads h))); auto.
    rewrite app_length, !repeat_length. lia.
Qed.
