(* Section 4: "Doing so ensures that sampled counts of different elements are independent": the counts of Pois(m) samples of D
   are independent, Pois(m P[D = j]). *)
From Coq Require Import Reals Lra Lia List Bool Permutation FunctionalExtensionality.
From Coquelicot Require Import Rbar Lim_seq.
From PanshuffleKernel Require Law.
From PanshuffleKernel Require Import Countable Privacy Masses Poisson Section4Transformation.
From PanshuffleKernel Require Import Paper.
Import ListNotations.
Open Scope R_scope.

Lemma total_ext {A} : forall (l : list A) f g, (forall a, f a = g a) -> total l f = total l g.
Proof. intros l f g H. unfold total. induction l; simpl; [auto | rewrite H, IHl; auto]. Qed.
Definition prod {A} (l : list A) (f : A -> R) : R := fold_right (fun a s => f a * s) 1 l.
Definition sum_nat {A} (l : list A) (c : A -> nat) : nat := fold_right (fun a s => c a + s)%nat O l.
Lemma prod_ext {A} : forall (l : list A) f g, (forall a, In a l -> f a = g a) -> prod l f = prod l g.
Proof. induction l as [|a l IH]; intros f g H; simpl; [auto|]. rewrite (H a), (IH f g); simpl; auto. intros; apply H; simpl; auto. Qed.
Lemma prod_change {A} : forall (l : list A) a f g x y, NoDup l -> In a l -> (forall j, j <> a -> f j = g j) ->
  x * g a = y * f a -> x * prod l g = y * prod l f.
Proof.
  induction l as [|b l IH]; intros a f g x y N I H Q; [destruct I|]. inversion N; subst. simpl. destruct I as [I|I].
  - subst b. rewrite (prod_ext l g f) by (intros j J; symmetry; apply H; intro; subst; contradiction).
    rewrite <- !Rmult_assoc, Q. reflexivity.
  - assert (b <> a) by (intro; subst; contradiction). rewrite (H b) by auto.
    transitivity (g b * (x * prod l g)); [ring|]. rewrite (IH a f g x y); auto. ring.
Qed.
Lemma prod_mult {A} : forall (l : list A) f g, prod l (fun a => f a * g a) = prod l f * prod l g.
Proof. induction l; intros; simpl; [ring | rewrite IHl; ring]. Qed.

Section Counts.
Context {X : Type} (U : universe X) (D : law X) (D_proper : proper D).
Let K := elements U.
Definition chance (j : X) : R := Pr D (fun a => is_element U a j).
Lemma chance_mass : forall j, chance j = mass D j.
Proof.
  intro j. apply E_ext; intro a. f_equal. unfold is_element, is. destruct (same U a j), (decide (j = a)); auto; congruence.
Qed.
Lemma chance_01 : forall j, 0 <= chance j <= 1.
Proof. intro; apply Pr_01; auto. Qed.
Lemma E_over : forall f, bounded f -> E D f = total K (fun a => chance a * f a).
Proof.
  intros f F. rewrite <- (E_ext D (fun a => indicator (among K a) * f a)).
  - rewrite E_on; auto; [|apply (no_repetition X U)]. apply total_ext. intro a. rewrite chance_mass. reflexivity.
  - intro a. replace (among K a) with true by (symmetry; apply among_true; apply (complete X U)). simpl; ring.
Qed.
Lemma chances_sum : total K chance = 1.
Proof.
  rewrite <- (E_one D D_proper). rewrite E_over by apply bounded_const. apply total_ext. intro; ring.
Qed.

Definition has (c : X -> nat) (x : list X) : bool := forallb (fun j => Nat.eqb (count U x j) (c j)) K.
Definition less (c : X -> nat) (a : X) (j : X) : nat := if same U a j then (c j - 1)%nat else c j.
Lemma has_cons : forall c a l, has c (a :: l) = (Nat.leb 1 (c a) && has (less c a) l)%bool.
Proof.
  intros c a l. apply eq_true_iff_eq. unfold has. rewrite andb_true_iff, !forallb_forall, Nat.leb_le.
  assert (CC : forall j, count U (a :: l) j = ((if same U a j then 1 else 0) + count U l j)%nat).
  { intro j. unfold count. cbn [filter]. unfold is_element at 1. destruct (same U a j); reflexivity. }
  split.
  - intro H. split.
    + specialize (H a (complete X U a)). apply Nat.eqb_eq in H. rewrite CC in H. destruct (same U a a); [lia | congruence].
    + intros j J. specialize (H j J). apply Nat.eqb_eq in H. apply Nat.eqb_eq. rewrite CC in H. unfold less. destruct (same U a j); lia.
  - intros [H1 H2] j J. specialize (H2 j J). apply Nat.eqb_eq in H2. apply Nat.eqb_eq. rewrite CC. unfold less in H2.
    destruct (same U a j); subst; lia.
Qed.
Definition weight (c : X -> nat) : R := prod K (fun j => chance j ^ c j / INR (fact (c j))).
Lemma sum_less : forall c a, (1 <= c a)%nat -> sum_nat K c = S (sum_nat K (less c a)).
Proof.
  intros c a H. pose proof (complete X U a) as I. fold K in I. pose proof (no_repetition X U) as N. fold K in N.
  induction K as [|b L IH]; [destruct I|]. inversion N; subst. simpl. unfold less at 1. destruct (same U a b) as [Q|Q].
  - subst. replace (sum_nat L (less c b)) with (sum_nat L c); [lia|].
    clear -H2. induction L as [|d L IH]; simpl; auto. rewrite IH by (intro; apply H2; right; auto).
    unfold less at 2. destruct (same U b d); [subst; exfalso; apply H2; left; auto | reflexivity].
  - destruct I as [I|I]; [congruence|]. rewrite (IH I H3). lia.
Qed.
Lemma weight_less : forall c a, (1 <= c a)%nat -> chance a * weight (less c a) = INR (c a) * weight c.
Proof.
  intros c a H. unfold weight.
  apply (prod_change K a (fun j => chance j ^ c j / INR (fact (c j))) (fun j => chance j ^ less c a j / INR (fact (less c a j)))).
  - apply (no_repetition X U).
  - apply (complete X U).
  - intros j J. unfold less. destruct (same U a j); [congruence | reflexivity].
  - unfold less. destruct (same U a a); [|congruence]. destruct (c a) as [|n]; [lia|].
    replace (S n - 1)%nat with n by lia. change (fact (S n)) with (S n * fact n)%nat. rewrite mult_INR.
    pose proof (fact_pos n). assert (0 < INR (S n)) by (apply lt_0_INR; lia). simpl pow. field. lra.
Qed.
Lemma multinomial : forall s c, Pr (samples D s) (has c) = if Nat.eqb (sum_nat K c) s then INR (fact s) * weight c else 0.
Proof.
  induction s as [|s IH]; intro c.
  - unfold Pr. rewrite E_samples_O. destruct (Nat.eqb (sum_nat K c) 0) eqn:Q.
    + apply Nat.eqb_eq in Q.
      assert (Z : forall j, In j K -> c j = O).
      { revert Q. generalize K. intro L0. induction L0 as [|b L IHL]; intros Q j J; [destruct J|]. simpl in Q. destruct J as [J|J]; [subst; lia | apply IHL; auto; lia]. }
      replace (has c []) with true. 2:{ symmetry. apply forallb_forall. intros j J. rewrite (Z j J). reflexivity. }
      unfold weight. rewrite (prod_ext K _ (fun _ => 1)) by (intros j J; rewrite (Z j J); simpl; field).
      replace (prod K (fun _ => 1)) with 1; [simpl; ring|]. generalize K. intro L0. induction L0 as [|b L IHL]; simpl; [auto | rewrite <- IHL; ring].
    + replace (has c []) with false; [reflexivity|]. symmetry. apply not_true_iff_false. intro H. apply Nat.eqb_neq in Q. apply Q.
      unfold has in H. rewrite forallb_forall in H. revert H. generalize K. intro L0. induction L0 as [|b L IHL]; intro H; [auto|].
      simpl. rewrite (IHL (fun j J => H j (or_intror J))). specialize (H b (or_introl eq_refl)). apply Nat.eqb_eq in H. simpl in H. unfold count in H. simpl in H. lia.
  - unfold Pr. rewrite E_samples_S by auto using bounded_indicator.
    rewrite (E_ext D _ (fun a => if Nat.leb 1 (c a) then Pr (samples D s) (has (less c a)) else 0)).
    2:{ intro a. destruct (Nat.leb 1 (c a)) eqn:Q.
        - apply E_ext; intro l. rewrite has_cons, Q. reflexivity.
        - rewrite (E_ext _ _ (fun _ => 0)); [apply E_const, proper_samples; auto|]. intro l. rewrite has_cons, Q. reflexivity. }
    rewrite E_over.
    2:{ apply bounded_01. intro a. destruct (Nat.leb 1 (c a)); [apply Pr_01, proper_samples; auto | lra]. }
    assert (T : forall a, chance a * (if Nat.leb 1 (c a) then Pr (samples D s) (has (less c a)) else 0)
       = INR (c a) * (if Nat.eqb (sum_nat K c) (S s) then INR (fact s) * weight c else 0)).
    { intro a. destruct (Nat.leb 1 (c a)) eqn:Q.
      - apply Nat.leb_le in Q. rewrite IH, (sum_less c a Q). simpl Nat.eqb.
        destruct (Nat.eqb (sum_nat K (less c a)) s); [|ring].
        transitivity (INR (fact s) * (chance a * weight (less c a))); [ring|]. rewrite weight_less by auto. ring.
      - apply Nat.leb_gt in Q. replace (c a) with O by lia. simpl. ring. }
    rewrite (total_ext _ _ _ T).
    assert (S1 : forall v, total K (fun a => INR (c a) * v) = INR (sum_nat K c) * v).
    { intro v. generalize K. intro L0. induction L0 as [|b L IHL]; [simpl; ring|]. cbn [sum_nat fold_right]. fold (sum_nat L c). rewrite plus_INR.
      change (total (b :: L) (fun a => INR (c a) * v)) with (INR (c b) * v + total L (fun a => INR (c a) * v)). rewrite IHL. ring. }
    rewrite S1. destruct (Nat.eqb (sum_nat K c) (S s)) eqn:Q; [|ring]. apply Nat.eqb_eq in Q. rewrite Q.
    change (fact (S s)) with (S s * fact s)%nat. rewrite mult_INR. ring.
Qed.

Lemma mass_independent {J} : forall (L : list J) (d : J -> law nat) (c : J -> nat), (forall j, proper (d j)) ->
  mass (independent (map d L)) (map c L) = prod L (fun j => mass (d j) (c j)).
Proof.
  intros L d c P. induction L as [|j L IH].
  - unfold mass, Pr. simpl. rewrite E_point. replace (is [] []) with true by (symmetry; apply is_true; auto). reflexivity.
  - change (prod (j :: L) (fun j => mass (d j) (c j))) with (mass (d j) (c j) * prod L (fun j => mass (d j) (c j))).
    rewrite <- IH. cbn [map]. unfold mass at 1. unfold Pr at 1. cbn [independent].
    assert (PI : proper (independent (map d L))) by (apply proper_independent, Forall_forall; intros e I; apply in_map_iff in I; destruct I as [b [I _]]; subst; auto).
    rewrite E_bind; [|auto | intro; apply proper_bind; auto; intro; apply proper_point | apply bounded_indicator].
    change (mass (d j) (c j)) with (E (d j) (fun a => indicator (is (c j) a))). rewrite Rmult_comm, <- E_mult by auto using bounded_indicator.
    apply E_ext; intro a. rewrite E_bind; [|auto | intro; apply proper_point | apply bounded_indicator].
    rewrite (E_ext (independent (map d L)) _ (fun l => indicator (is (c j) a) * indicator (is (map c L) l))).
    + rewrite E_mult by auto using bounded_indicator. unfold mass, Pr. ring.
    + intro l. rewrite E_point. unfold is. destruct (decide (c j :: map c L = a :: l)) as [Q|Q], (decide (c j = a)) as [Q1|Q1], (decide (map c L = l)) as [Q2|Q2]; simpl; try ring; congruence.
Qed.
Lemma proper_poissonized : forall m, 0 <= m -> proper (poissonized m D).
Proof. intros m H. apply proper_bind; [apply proper_Pois; auto | intro; apply proper_samples; auto]. Qed.
Definition counts (x : list X) : list nat := map (count U x) K.
Definition poissons (m : R) : law (list nat) := independent (map (fun j => Pois (m * chance j)) K).
Lemma proper_poissons : forall m, 0 <= m -> proper (poissons m).
Proof.
  intros m H. apply proper_independent, Forall_forall. intros e I. apply in_map_iff in I. destruct I as [j [I _]]. subst.
  apply proper_Pois. pose proof (chance_01 j). apply Rmult_le_pos; lra.
Qed.
Theorem poissonized_counts : forall m, 0 <= m -> same_law (image counts (poissonized m D)) (poissons m).
Proof.
  intros m H.
  assert (PI : proper (image counts (poissonized m D))) by (apply proper_bind; [apply proper_poissonized; auto | intro; apply proper_point]).
  assert (PJ : forall j, proper (Pois (m * chance j))) by (intro j; apply proper_Pois; pose proof (chance_01 j); apply Rmult_le_pos; lra).
  apply same_masses; auto using proper_poissons. intro l.
  assert (EI : forall T, Pr (image counts (poissonized m D)) T = E (Pois m) (fun s => Pr (samples D s) (fun x => T (counts x)))).
  { intro T. unfold Pr, image. rewrite E_bind; [|apply proper_poissonized; auto | intro; apply proper_point | apply bounded_indicator].
    rewrite (E_ext (poissonized m D) _ (fun x => indicator (T (counts x)))) by (intro; rewrite E_point; reflexivity).
    unfold poissonized. apply E_bind; [apply proper_Pois; auto | intro; apply proper_samples; auto | apply bounded_indicator]. }
  destruct (Nat.eq_dec (length l) (length K)) as [Q|Q].
  - (* l is the list of the values of some c *)
    assert (EX : exists c, l = map c K).
    { pose proof (no_repetition X U) as N. fold K in N. clear -Q N U. revert l Q. induction K as [|a L IH]; intros l Q.
      - exists (fun _ => O). destruct l; [auto | discriminate].
      - destruct l as [|v l]; [discriminate|]. inversion N; subst. destruct (IH H2 l ltac:(simpl in Q; lia)) as [c C].
        exists (fun j => if same U a j then v else c j). simpl. destruct (same U a a); [|congruence]. f_equal. rewrite C. apply map_ext_in.
        intros j J. destruct (same U a j); [subst; contradiction | auto]. }
    destruct EX as [c C]. subst l. unfold poissons. rewrite (mass_independent K (fun j => Pois (m * chance j)) c PJ).
    unfold mass at 1. rewrite EI.
    rewrite (E_ext (Pois m) _ (fun s => INR (fact (sum_nat K c)) * weight c * indicator (is (sum_nat K c) s))).
    + rewrite E_mult by (auto using bounded_indicator, proper_Pois).
      change (E (Pois m) (fun s => indicator (is (sum_nat K c) s))) with (mass (Pois m) (sum_nat K c)). rewrite mass_Pois.
      rewrite (prod_ext K _ (fun j => (chance j ^ c j / INR (fact (c j))) * (exp (- m * chance j) * m ^ c j))).
      2:{ intros j _. rewrite mass_Pois. unfold poisson. rewrite Rpow_mult_distr. replace (- (m * chance j)) with (- m * chance j) by ring. field.
          pose proof (fact_pos (c j)). lra. }
      rewrite prod_mult. fold (weight c).
      assert (PE : prod K (fun j => exp (- m * chance j) * m ^ c j) = exp (- m) * m ^ sum_nat K c).
      { rewrite prod_mult. f_equal.
        - assert (EE : forall L, prod L (fun j => exp (- m * chance j)) = exp (- m * total L chance)).
          { induction L as [|b L IH]; [simpl; rewrite Rmult_0_r, exp_0; auto|].
            change (total (b :: L) chance) with (chance b + total L chance).
            change (prod (b :: L) (fun j => exp (- m * chance j))) with (exp (- m * chance b) * prod L (fun j => exp (- m * chance j))).
            rewrite IH, <- exp_plus. f_equal. ring. }
          rewrite EE, chances_sum. f_equal. ring.
        - generalize K. intro L0. induction L0 as [|b L IH]; simpl; [auto|]. rewrite IH, pow_add. ring. }
      rewrite PE. unfold poisson. pose proof (fact_pos (sum_nat K c)). field. lra.
    + intro s. rewrite (Pr_ext (samples D s) _ (has c)).
      * rewrite multinomial. unfold is. destruct (decide (sum_nat K c = s)) as [Z|Z].
        -- subst. rewrite Nat.eqb_refl. simpl. ring.
        -- apply Nat.eqb_neq in Z. rewrite Z. simpl. ring.
      * intro x. apply eq_true_iff_eq. rewrite is_true. unfold has, counts. rewrite forallb_forall. split.
        -- intros Z j J. apply Nat.eqb_eq. symmetry. exact (proj1 map_ext_in_iff Z j J).
        -- intro Z. apply map_ext_in. intros j J. symmetry. apply Nat.eqb_eq. auto.
  - (* no vector of another length *)
    assert (Z1 : mass (image counts (poissonized m D)) l = 0).
    { unfold mass. rewrite EI. rewrite (E_ext _ _ (fun _ => 0)); [apply E_const, proper_Pois; auto|]. intro s. unfold Pr.
      rewrite (E_ext _ _ (fun _ => 0)); [apply E_const, proper_samples; auto|]. intro x. rewrite is_false; [reflexivity|].
      intro Z. apply Q. rewrite Z. unfold counts. apply map_length. }
    assert (Z2 : mass (poissons m) l = 0).
    { unfold mass, poissons. clear EI Z1. revert l Q. generalize K. intro L0. induction L0 as [|j L IH]; intros l Q; unfold Pr.
      - simpl. rewrite E_point. rewrite is_false; [reflexivity | intro; subst; apply Q; reflexivity].
      - cbn [map independent].
        assert (PL : proper (independent (map (fun j => Pois (m * chance j)) L))) by (apply proper_independent, Forall_forall; intros e I; apply in_map_iff in I; destruct I as [b [I _]]; subst; auto).
        rewrite E_bind; [|auto | intro; apply proper_bind; auto; intro; apply proper_point | apply bounded_indicator].
        rewrite (E_ext _ _ (fun _ => 0)); [apply E_const; auto|]. intro a.
        rewrite E_bind; [|auto | intro; apply proper_point | apply bounded_indicator].
        destruct l as [|v l].
        + rewrite (E_ext _ _ (fun _ => 0)); [apply E_const; auto|]. intro r. rewrite E_point, is_false; [reflexivity | discriminate].
        + transitivity (E (independent (map (fun j => Pois (m * chance j)) L)) (fun r => indicator (is v a) * indicator (is l r))).
          * apply E_ext; intro r. rewrite E_point. unfold is. destruct (decide (v :: l = a :: r)), (decide (v = a)), (decide (l = r)); simpl; try ring; congruence.
          * rewrite E_mult by auto using bounded_indicator. specialize (IH l ltac:(simpl in Q; lia)). unfold Pr in IH. rewrite IH. ring. }
    rewrite Z1, Z2. reflexivity.
Qed.
End Counts.
