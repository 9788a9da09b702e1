(* Theorem de_upper, Part II: the accuracy of P_DE = (R_DE, A_DE).

   "For domain element j in [k]: ... C_j <- A_MOD(y^(j)); C <- sum C_j; Return z <- (2Ce^eps - k)/(e^eps - 1)."
   "solves the (alpha,beta)-distinct elements problem for alpha = e^eps/(e^eps-1) sqrt(2k ln(2/beta))."

   Proved for every number of users n >= 1 and every number of shares m(n) >= 1, with nothing cited. *)
From Coq Require Import Reals Lra Lia List Bool Permutation.
From PanshuffleKernel Require Import Law Closeness Power EpsPrime Parity Shuffle Messages ShuffleModel Distinct Shares.
From PanshuffleKernel Require Import DistinctPrivacy Transformation Variances Hash Calculus Hoeffding.
Import ListNotations.
Open Scope R_scope.

(* The bits with the label j; their sum mod 2 is what A_MOD returns. *)
Definition with_label {Element} (same : forall a b : Element, {a = b} + {a <> b}) (j : Element) (y : list (Element * bool))
  : list bool := map snd (filter (fun q => if same (fst q) j then true else false) y).

(* The bits C_j. *)
Definition pool_bits {Element} (same : forall a b : Element, {a = b} + {a <> b}) (K : list Element)
  (y : list (Element * bool)) : list bool := map (fun j => parity (with_label same j y)) K.

(* z as a function of k and C. *)
Definition debiased (eps : R) (k : nat) (C : R) : R := (2 * C * exp eps - INR k) / (exp eps - 1).

(* The analyzer A_DE. *)
Definition A_DE {Element} (same : forall a b : Element, {a = b} + {a <> b}) (K : list Element) (eps : R)
  (y : list (Element * bool)) : law R := point (debiased eps (length K) (count (pool_bits same K y))).

(* alpha = e^eps/(e^eps-1) sqrt(2k ln(2/beta)). *)
Definition de_error (eps : R) (k beta : R) : R := exp eps / (exp eps - 1) * sqrt (2 * k * ln (2 / beta)).

Lemma parity_app : forall l r, parity (l ++ r) = xorb (parity l) (parity r).
Proof. induction l as [|b l IH]; intro r; [simpl; destruct (parity r); reflexivity|]. simpl. rewrite IH. destruct b, (parity l), (parity r); reflexivity. Qed.
Lemma parity_perm : forall l l', Permutation l l' -> parity l = parity l'.
Proof.
  induction 1; cbn [parity fold_right]; auto; try (unfold parity in *; congruence).
  destruct x, y, (fold_right xorb false l); reflexivity.
Qed.

Lemma shared_parity : forall m us p, (0 < m)%nat -> In p (concatenated (map (R_MOD m) us)) -> parity (fst p) = parity us.
Proof.
  intros m us p Hm. revert p. induction us as [|u us IH]; intros p H; cbn [map concatenated] in H.
  - destruct H as [H|[]]; subst; reflexivity.
  - apply in_bind in H. destruct H as [a [b [H1 [H2 H3]]]]. apply in_bind in H2. destruct H2 as [c [e [H4 [H5 H6]]]].
    destruct H5 as [H5|[]]; subst e. cbn [fst] in H6. rewrite <- H3, <- H6, parity_app.
    apply IH in H4. apply shares_sum in H1; auto. destruct H1 as [H1 _]. rewrite H1, H4. reflexivity.
Qed.

Section Accuracy.
Variable Element : Type.
Variable same : forall a b : Element, {a = b} + {a <> b}.
Variable n m : nat.
Hypothesis n_pos : (0 < n)%nat.
Hypothesis m_pos : (0 < m)%nat.
Variable eps : R.
Hypothesis eps_pos : 0 < eps.

Let columns := col Element same n eps (R_MOD m).
Let chance := par Element same n eps.

Lemma with_label_app : forall j y z, with_label same j (y ++ z) = with_label same j y ++ with_label same j z.
Proof. intros. unfold with_label. rewrite filter_app, map_app. reflexivity. Qed.
Lemma with_label_own : forall j l, with_label same j (map (pair j) l) = l.
Proof.
  intros j l. unfold with_label. induction l as [|b l IH]; [reflexivity|]. cbn [map filter fst].
  destruct (same j j); [|congruence]. cbn [map snd]. rewrite IH. reflexivity.
Qed.
Lemma with_label_none : forall j y, ~ In j (map fst y) -> with_label same j y = [].
Proof.
  intros j y. unfold with_label. induction y as [|[i b] y IH]; intro H; [reflexivity|]. cbn [map filter fst] in *.
  destruct (same i j) as [e|e]; [exfalso; apply H; left; auto|]. apply IH. intro; apply H; right; auto.
Qed.

Lemma column_labels : forall j x p, In p (columns j x) -> forall i, In i (map fst (fst p)) -> i = j.
Proof.
  intros j x. unfold columns, col. induction x as [|a x IH]; intros p H i Hi; cbn [map concatenated] in H.
  - destruct H as [H|[]]; subst; destruct Hi.
  - apply in_bind in H. destruct H as [c [b [H1 [H2 H3]]]]. apply in_bind in H2. destruct H2 as [r [e [H4 [H5 H6]]]].
    destruct H5 as [H5|[]]; subst e. cbn [fst] in H6. rewrite <- H3, <- H6, map_app in Hi. apply in_app_or in Hi.
    destruct Hi as [Hi|Hi]; [|eapply IH; eauto].
    unfold labelled in H1. apply in_bind in H1. destruct H1 as [u [w [G1 [G2 G3]]]]. apply in_bind in G2.
    destruct G2 as [l [o [G4 [G5 G6]]]]. destruct G5 as [G5|[]]; subst o. cbn [fst] in G6.
    rewrite <- G3, <- G6, map_map in Hi. cbn [fst] in Hi. apply in_map_iff in Hi. destruct Hi as [z [Hz _]]; auto.
Qed.
Lemma pool_labels : forall L x p, In p (concatenated (map (fun j => columns j x) L)) ->
  forall i, In i (map fst (fst p)) -> In i L.
Proof.
  induction L as [|j L IH]; intros x p H i Hi; cbn [map concatenated] in H.
  - destruct H as [H|[]]; subst; destruct Hi.
  - apply in_bind in H. destruct H as [c [b [H1 [H2 H3]]]]. apply in_bind in H2. destruct H2 as [r [e [H4 [H5 H6]]]].
    destruct H5 as [H5|[]]; subst e. cbn [fst] in H6. rewrite <- H3, <- H6, map_app in Hi. apply in_app_or in Hi.
    destruct Hi as [Hi|Hi]; [left; symmetry; eapply column_labels; eauto | right; eapply IH; eauto].
Qed.

(* C_j is the sum mod 2 of the bits u^(j). *)
Lemma column_parity : forall j x g,
  E (columns j x) (fun y => g (parity (with_label same j y))) = E (Ber (chance j x)) g.
Proof.
  intros j x g. unfold columns. rewrite col_unfold.
  unfold chance, par. rewrite <- parity_law_Ber.
  - unfold parity_law. rewrite E_bind. apply E_ext. intro us. rewrite E_point.
    rewrite (E_ext_in _ _ (fun _ => g (parity us))).
    + apply E_const. apply proper_concatenated_map. intro; apply proper_R_MOD.
    + intros p Hp. rewrite with_label_own. f_equal. apply shared_parity with m; auto.
  - apply Forall_forall. intros q Hq. apply in_map_iff in Hq. destruct Hq as [i [Hq _]]; subst.
    apply bit_probability_01; auto.
Qed.

(* The C_j are independent. *)
Lemma pools_independent : forall L x g, NoDup L ->
  E (concatenated (map (fun j => columns j x) L)) (fun y => g (pool_bits same L y))
  = E (independent (map (fun j => Ber (chance j x)) L)) g.
Proof.
  intros L x. induction L as [|j L IH]; intros g HN; [cbn [map concatenated independent]; rewrite !E_point; reflexivity|].
  inversion HN as [|? ? NI HN']; subst. cbn [map concatenated]. rewrite E_join, E_independent_cons.
  rewrite (E_ext_in (columns j x) _ (fun y => (fun b => E (independent (map (fun j => Ber (chance j x)) L)) (fun l => g (b :: l)))
    (parity (with_label same j y)))).
  - apply (column_parity j x (fun b => E (independent (map (fun j => Ber (chance j x)) L)) (fun l => g (b :: l)))).
  - intros p Hp. rewrite <- (IH (fun l => g (parity (with_label same j (fst p)) :: l)) HN').
    apply E_ext_in. intros q Hq. f_equal. unfold pool_bits. cbn [map]. f_equal.
    + rewrite with_label_app, (with_label_none j (fst q)), app_nil_r; [reflexivity|].
      intro H. apply NI. eapply pool_labels; eauto.
    + apply map_ext_in. intros i Hi. rewrite with_label_app, (with_label_none i (fst p)); [reflexivity|].
      intro H. apply NI. assert (i = j) by (eapply column_labels; eauto). subst; auto.
Qed.

Variable K : list Element.
Hypothesis K_nodup : NoDup K.

Lemma execution_bits : forall x f,
  E (execution (R_DE Element same K n eps (R_MOD m)) (A_DE same K eps) x) f
  = E (independent (map (fun j => Ber (chance j x)) K)) (fun l => f (debiased eps (length K) (count l))).
Proof.
  intros x f. unfold execution, view, messages. rewrite !E_bind.
  rewrite (E_ext _ _ (fun l => f (debiased eps (length K) (count (pool_bits same K l))))).
  - rewrite <- (pools_independent K x (fun l => f (debiased eps (length K) (count l))) K_nodup).
    unfold columns, col. rewrite <- exchange; [reflexivity|].
    intros l l' P0. do 3 f_equal. unfold pool_bits. apply map_ext. intro j. apply parity_perm.
    unfold with_label. apply Permutation_map.
    clear -P0. induction P0; cbn [filter]; repeat (match goal with |- context [if ?c then true else false] => destruct c end);
      auto; try constructor; auto. eapply perm_trans; eauto.
  - intro l. unfold A_DE.
    rewrite (E_ext_in (shuffle l) _ (fun _ => f (debiased eps (length K) (count (pool_bits same K l))))).
    + apply E_const, proper_shuffle.
    + intros p Hp. rewrite E_point. apply shuffle_support in Hp. do 3 f_equal. unfold pool_bits. apply map_ext. intro j.
      apply parity_perm. unfold with_label. apply Permutation_map. apply Permutation_sym in Hp. revert Hp.
      generalize (fst p). clear. intros r Hp.
      induction Hp; cbn [filter]; repeat (match goal with |- context [if ?c then true else false] => destruct c end);
      auto; try constructor; auto. eapply perm_trans; eauto.
Qed.

Lemma chance_is : forall j x, length x = n -> chance j x = if in_dec same j x then 1 / 2 else 1 / (2 * exp eps).
Proof.
  intros j x L. unfold chance. destruct (in_dec same j x) as [H|H]; [apply (par_in Element same n eps n ltac:(lia)); auto|].
  rewrite (par_notin Element same n n_pos eps eps_pos n ltac:(lia) j x H L). unfold eps_prime_at.
  rewrite exp_eps_prime; auto.
  - replace (gamma_of n n) with 1 by (unfold gamma_of; field; apply not_0_INR; lia).
    pose proof (one_minus_exp eps eps_pos). rewrite Rpower_1 by lra. rewrite exp_Ropp. field.
    pose proof (exp_pos eps). split; lra.
  - apply gamma_of_01; lia.
Qed.

(* How many labels of L occur in x. *)
Definition present (L : list Element) (x : list Element) : list Element :=
  filter (fun j => if in_dec same j x then true else false) L.

Lemma present_distinct : forall x, (forall a, In a x -> In a K) -> length (present K x) = distinct same x.
Proof.
  intros x HX. unfold present, distinct. apply Nat.le_antisymm; apply NoDup_incl_length.
  - apply NoDup_filter; auto.
  - intros a Ha. apply filter_In in Ha. destruct Ha as [_ Ha]. apply nodup_In. destruct (in_dec same a x); [auto | discriminate].
  - apply NoDup_nodup.
  - intros a Ha. apply nodup_In in Ha. apply filter_In. split; auto. destruct (in_dec same a x); [reflexivity | contradiction].
Qed.

Lemma mean_of_count : forall x L, length x = n ->
  sum_of (map (fun j => chance j x) L) = INR (length (present L x)) / 2 + (INR (length L) - INR (length (present L x))) / (2 * exp eps).
Proof.
  intros x L HL. pose proof (exp_pos eps). unfold present. induction L as [|j L IH].
  - cbn. field. lra.
  - cbn [map sum_of fold_right filter length]. fold (sum_of (map (fun j => chance j x) L)). rewrite IH, chance_is by auto.
    destruct (in_dec same j x); cbn [length]; rewrite !S_INR; field; lra.
Qed.

Lemma chance_01 : forall x, Forall (fun q => 0 <= q <= 1) (map (fun j => chance j x) K) \/ length x <> n.
Proof.
  intro x. destruct (Nat.eq_dec (length x) n) as [L|L]; [left|right; auto]. apply Forall_forall. intros q Hq.
  apply in_map_iff in Hq. destruct Hq as [j [Hq _]]. rewrite <- Hq, chance_is by auto.
  pose proof (exp_ineq1 eps ltac:(lra)). destruct (in_dec same j x); [lra|].
  split; [left; apply Rdiv_lt_0_compat; lra|]. apply div_le; lra.
Qed.

Lemma accuracy_at : forall (x : list Element) (beta : R), 0 < beta < 1 -> length x = n -> (forall a, In a x -> In a K) ->
  1 - beta <= Pr (execution (R_DE Element same K n eps (R_MOD m)) (A_DE same K eps) x)
    (within (de_error eps (INR (length K)) beta) (INR (distinct same x))).
Proof.
  intros x beta Hb L HX. unfold Pr. rewrite execution_bits.
  destruct (chance_01 x) as [HQ|HQ]; [|congruence].
  assert (KN : K <> []).
  { destruct x as [|a x]; [simpl in L; lia|]. intro Z. specialize (HX a (or_introl eq_refl)). rewrite Z in HX. destruct HX. }
  assert (K0 : 0 < INR (length K)) by (apply lt_0_INR; destruct K; [congruence | simpl; lia]).
  set (k := INR (length K)) in *. set (B := ln (2 / beta)).
  assert (B0 : 0 < B).
  { unfold B. rewrite <- ln_1. apply ln_increasing; [lra|]. apply Rmult_lt_reg_r with beta; [lra|].
    unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra. }
  set (t := sqrt (k * B / 2)).
  assert (KB : 0 < k * B) by (apply Rmult_lt_0_compat; auto).
  assert (T0 : 0 < t) by (apply sqrt_lt_R0; lra).
  assert (T2 : t ^ 2 = k * B / 2) by (unfold t; apply pow2_sqrt; lra).
  pose proof (hoeffding (map (fun j => chance j x) K) t HQ ltac:(destruct K; [congruence | discriminate]) ltac:(lra)) as [_ [_ H]].
  rewrite map_length, T2 in H. fold k in H.
  replace (2 * exp (- (2 * (k * B / 2)) / k)) with beta in H.
  2: { replace (- (2 * (k * B / 2)) / k) with (- B) by (field; lra). rewrite exp_Ropp. unfold B. rewrite exp_ln; [field; lra|].
       apply Rdiv_lt_0_compat; lra. }
  rewrite map_map in H. pose proof (proper_bits _ HQ) as PI. rewrite map_map in PI.
  set (d := independent (map (fun j => Ber (chance j x)) K)) in *.
  apply Rle_trans with (1 - Pr d (fun l => at_least t (Rabs (count l - sum_of (map (fun j => chance j x) K))))); [lra|].
  assert (X : 1 - Pr d (fun l => at_least t (Rabs (count l - sum_of (map (fun j => chance j x) K))))
    = E d (fun l => 1 + (-1) * indicator (at_least t (Rabs (count l - sum_of (map (fun j => chance j x) K)))))).
  { rewrite E_plus, E_mult, (E_const _ _ PI). unfold Pr. ring. }
  rewrite X. apply E_le; [apply PI|]. intro l. rewrite (mean_of_count x K L), (present_distinct x HX). fold k.
  set (D := INR (distinct same x)). unfold at_least, within.
  destruct (Rle_dec t _) as [A|A]; simpl; [pose proof (indicator_01 (if Rle_dec (Rabs (debiased eps (length K) (count l) - D)) (de_error eps k beta) then true else false)); lra|].
  destruct (Rle_dec _ (de_error eps k beta)) as [C|C]; simpl; [lra|]. exfalso. apply C. apply Rnot_le_lt in A.
  pose proof (exp_ineq1 eps ltac:(lra)) as E1. unfold debiased, de_error. fold k. set (Ex := exp eps) in *.
  replace ((2 * count l * Ex - k) / (Ex - 1) - D) with (2 * Ex / (Ex - 1) * (count l - (D / 2 + (k - D) / (2 * Ex)))) by (field; lra).
  assert (F0 : 0 < Ex / (Ex - 1)) by (apply Rdiv_lt_0_compat; lra).
  rewrite Rabs_mult, Rabs_right by (apply Rle_ge; unfold Rdiv in *; lra).
  replace (sqrt (2 * k * ln (2 / beta))) with (2 * t).
  2: { unfold t. symmetry. apply sqrt_lem_1; [fold B; lra | apply Rmult_le_pos; [lra | apply sqrt_pos]|].
       fold t. fold B. replace (2 * t * (2 * t)) with (4 * t ^ 2) by ring. rewrite T2. field. }
  replace (2 * Ex / (Ex - 1)) with (Ex / (Ex - 1) * 2) by (field; lra). rewrite Rmult_assoc.
  apply Rmult_le_compat_l; lra.
Qed.
End Accuracy.

(* Theorem de_upper, Part II. *)
Theorem de_upper_II :
  forall (Element : Type) (same : forall a b : Element, {a = b} + {a <> b}) (K : list Element) (m : nat -> nat)
         (eps beta : R) (n : nat),
  NoDup K -> 0 < eps -> 0 < beta < 1 -> (0 < n)%nat -> (0 < m n)%nat ->
  forall x, length x = n -> (forall a, In a x -> In a K) ->
  1 - beta <= Pr (execution (P_DE same K eps m n) (A_DE same K eps) x)
    (within (exp eps / (exp eps - 1) * sqrt (2 * INR (length K) * ln (2 / beta))) (INR (distinct same x))).
Proof. intros. apply (accuracy_at Element same n (m n)); auto. Qed.

(* The same in the words of the problem, where [k] is the whole type. *)
Corollary de_upper_II_solves :
  forall (Element : Type) (same : forall a b : Element, {a = b} + {a <> b}) (K : list Element) (m : nat -> nat)
         (eps beta : R) (n : nat),
  NoDup K -> (forall a, In a K) -> 0 < eps -> 0 < beta < 1 -> (0 < n)%nat -> (0 < m n)%nat ->
  solves_distinct same n (exp eps / (exp eps - 1) * sqrt (2 * INR (length K) * ln (2 / beta))) beta
    (execution (P_DE same K eps m n) (A_DE same K eps)).
Proof. intros Element same K m eps beta n HK HF He Hb Hn Hm x L. apply de_upper_II; auto. Qed.
