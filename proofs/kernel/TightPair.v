(* Theorem de_upper, the pair of pools that a changed user touches, with an ideal modular sum.

   The paper composes two pools, each eps'-private: 2 eps'.  The pair is Ber(1/2) x Ber(1/(2e^eps')) against its swap.
   Proved: its exact loss is ln(2 e^eps' - 1), which is less than 2 eps'. *)
From Coq Require Import Reals Lra List Bool.
From PanshuffleKernel Require Import Law Closeness Composition Parity.
Import ListNotations.
Open Scope R_scope.

Definition bit_mass (e : R) (z : bool) : R := if z then 1 / (2 * exp e) else 1 - 1 / (2 * exp e).
Definition mass {A} (eqb : A -> A -> bool) (d : law A) (z : A) := Pr d (eqb z).
Definition same_bits (x y : bool * bool) := Bool.eqb (fst x) (fst y) && Bool.eqb (snd x) (snd y).
Definition holder_then_none e := joint (Ber (1/2)) (Ber (1 / (2 * exp e))).
Definition none_then_holder e := joint (Ber (1 / (2 * exp e))) (Ber (1/2)).
Lemma left_mass : forall e z, mass same_bits (holder_then_none e) z = 1/2 * bit_mass e (snd z).
Proof. intros e [[|] [|]]; unfold mass, Pr, holder_then_none, joint, same_bits, bit_mass; set (t := 1 / (2 * exp e)); simpl; field. Qed.
Lemma right_mass : forall e z, mass same_bits (none_then_holder e) z = bit_mass e (fst z) * (1/2).
Proof. intros e [[|] [|]]; unfold mass, Pr, none_then_holder, joint, same_bits, bit_mass; set (t := 1 / (2 * exp e)); simpl; field. Qed.
Lemma bit_mass_pos : forall e z, 0 < e -> 0 < bit_mass e z.
Proof.
  intros e z He. assert (1 < exp e) by (rewrite <- exp_0; apply exp_increasing; auto).
  assert (0 < 1 / (2 * exp e)) by (apply Rdiv_lt_0_compat; lra).
  assert (1 / (2 * exp e) < 1 / 2) by (unfold Rdiv; rewrite !Rmult_1_l; apply Rinv_lt_contravar; lra).
  destruct z; simpl; lra.
Qed.
Theorem tight_pair : forall e z, 0 < e ->
  1 / (2 * exp e - 1) <= mass same_bits (holder_then_none e) z / mass same_bits (none_then_holder e) z <= 2 * exp e - 1.
Proof.
  intros e z He. rewrite left_mass, right_mass.
  assert (1 < exp e) by (rewrite <- exp_0; apply exp_increasing; auto).
  pose proof (bit_mass_pos e (fst z) He). pose proof (bit_mass_pos e (snd z) He).
  assert (K : 1 / (2 * exp e - 1) <= 1) by (apply Rmult_le_reg_r with (2 * exp e - 1); [lra|]; field_simplify; lra).
  destruct z as [[|] [|]]; simpl in *.
  - replace (1 / 2 * (1 / (2 * exp e)) / (1 / (2 * exp e) * (1 / 2))) with 1 by (field; lra). lra.
  - replace (1 / 2 * (1 - 1 / (2 * exp e)) / (1 / (2 * exp e) * (1 / 2))) with (2 * exp e - 1) by (field; lra). lra.
  - replace (1 / 2 * (1 / (2 * exp e)) / ((1 - 1 / (2 * exp e)) * (1 / 2))) with (1 / (2 * exp e - 1)) by (field; lra). lra.
  - replace (1 / 2 * (1 - 1 / (2 * exp e)) / ((1 - 1 / (2 * exp e)) * (1 / 2))) with 1 by (field; lra). lra.
Qed.
(* attained at z=(1,0), hence ln(2e^e-1) is the exact pair loss, and it is < 2e *)
Theorem tight_attained : forall e, 0 < e ->
  mass same_bits (holder_then_none e) (true, false) / mass same_bits (none_then_holder e) (true, false) = 2 * exp e - 1.
Proof. intros e He. rewrite left_mass, right_mass. simpl. pose proof (exp_pos e). field. lra. Qed.
Theorem tight_lt_2e : forall e, 0 < e -> ln (2 * exp e - 1) < 2 * e.
Proof.
  intros e He. assert (1 < exp e) by (rewrite <- exp_0; apply exp_increasing; auto).
  rewrite <- (ln_exp (2 * e)). apply ln_increasing; [lra|].
  replace (2 * e) with (e + e) by ring. rewrite exp_plus.
  assert (0 < (exp e - 1) * (exp e - 1)) by (apply Rmult_lt_0_compat; lra). lra.
Qed.

(* The same as a statement of privacy: the pair is (ln(2e^e - 1), 0)-close to its swap, and for no smaller eps. *)
Theorem tight_close : forall e, 0 < e ->
  close (ln (2 * exp e - 1)) 0 (holder_then_none e) (none_then_holder e)
  /\ close (ln (2 * exp e - 1)) 0 (none_then_holder e) (holder_then_none e).
Proof.
  intros e He. assert (X1 : 1 < exp e) by (rewrite <- exp_0; apply exp_increasing; auto).
  assert (T0 : 2 * exp e * (1 / (2 * exp e)) = 1) by (field; lra).
  assert (T1 : 0 < 1 / (2 * exp e)) by (apply Rdiv_lt_0_compat; lra).
  unfold holder_then_none, none_then_holder, joint. set (t := 1 / (2 * exp e)) in *. set (x := exp e) in *.
  assert (C : (2 * x - 1) * t = 1 - t) by lra.
  assert (T2 : t < 1 / 2) by nra.
  assert (D : t <= (2 * x - 1) * (1 - t)) by nra.
  split; intro S; rewrite exp_ln by lra; unfold Pr, Ber; simpl;
    destruct (S (true, true)), (S (true, false)), (S (false, true)), (S (false, false)); simpl; nra.
Qed.

Theorem tight_least : forall e eps, 0 < e ->
  close eps 0 (holder_then_none e) (none_then_holder e) -> ln (2 * exp e - 1) <= eps.
Proof.
  intros e eps He C. assert (X1 : 1 < exp e) by (rewrite <- exp_0; apply exp_increasing; auto).
  specialize (C (same_bits (true, false))). fold (mass same_bits (holder_then_none e) (true, false)) in C.
  fold (mass same_bits (none_then_holder e) (true, false)) in C. rewrite left_mass, right_mass in C. simpl in C.
  assert (T1 : 0 < 1 / (2 * exp e)) by (apply Rdiv_lt_0_compat; lra).
  assert (B : 2 * exp e - 1 <= exp eps).
  { apply Rmult_le_reg_r with (1 / (2 * exp e)); auto.
    replace ((2 * exp e - 1) * (1 / (2 * exp e))) with (1 - 1 / (2 * exp e)) by (field; lra). lra. }
  rewrite <- (ln_exp eps). destruct B as [B|B]; [left; apply ln_increasing; lra | right; rewrite B; reflexivity].
Qed.
