(* Theorem de_upper, Part I, for any modular sum protocol that satisfies Theorem ikos.

   "the protocol P_DE is (2 eps(gamma), 4 delta/gamma, gamma)-robustly shuffle private, where
    eps(gamma) <= eps + ln(1/gamma) and if eps <= ln(2), then eps(gamma) <= 2 eps^gamma/gamma."

   Proved with 2 delta/gamma, half of what is printed.  Theorem ikos is asked only of two or more honest users, as
   printed; one honest user needs nothing. *)
From Coq Require Import Reals Lra List Bool Lia.
From PanshuffleKernel Require Import Law Closeness Power EpsPrime Parity Shuffle Messages ShuffleModel Distinct.
Import ListNotations.
Open Scope R_scope.

Lemma hides_for_one : forall R_mod Delta, 0 <= Delta -> hides_all_but_sum R_mod 1 Delta.
Proof.
  intros R_mod Delta H [|b [|c h]] L; simpl in L; try discriminate. intro T. simpl (repeat _ _).
  replace (parity [b]) with b by (destruct b; reflexivity).
  replace (Pr _ T - Pr _ T) with 0 by ring. rewrite Rabs_R0; auto.
Qed.

Lemma div_mono : forall d g g', 0 <= d -> 0 < g -> g <= g' -> d / g' <= d / g.
Proof. intros d g g' Hd Hg H. apply Rmult_le_compat_l; auto. apply Rinv_le_contravar; auto. Qed.

Section Given_ikos.
Variable Element : Type.
Variable same : forall a b : Element, {a = b} + {a <> b}.
Variable K : list Element.
Variable R_mod : nat -> randomizer bool bool.
Variable eps delta gamma : R.
Hypothesis K_nodup : NoDup K.
Hypothesis eps_pos : 0 < eps.
Hypothesis delta_pos : 0 <= delta.
Hypothesis gamma_range : 0 < gamma <= 1.
Hypothesis R_mod_proper : forall n b, proper (R_mod n b).
Hypothesis ikos : forall n honest, (2 <= honest <= n)%nat -> gamma * INR n <= INR honest ->
  hides_all_but_sum (R_mod n) honest (delta / (exp eps + 1)).

Let P_DE := fun n => R_DE Element same K n eps (R_mod n).

Lemma proper_P_DE : forall n x, (0 < n)%nat -> proper (P_DE n x).
Proof. intros n x Hn. apply proper_concatenated_map. intro j. apply proper_labelled; auto. Qed.

Lemma gamma_le : forall n honest, (0 < honest <= n)%nat -> gamma * INR n <= INR honest -> gamma <= gamma_of n honest.
Proof.
  intros n honest Hh Hg. assert (0 < INR n) by (apply lt_0_INR; lia).
  unfold gamma_of. apply Rmult_le_reg_r with (INR n); auto. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra.
Qed.

(* At each number of honest users, with its own gamma'. *)
Lemma view_close : forall n honest, (0 < honest <= n)%nat -> gamma * INR n <= INR honest ->
  private_on honest (2 * eps_prime eps (gamma_of n honest)) (2 * delta / gamma_of n honest) (view (P_DE n)).
Proof.
  intros n honest Hh Hg x x' L N. assert (Hn : (0 < n)%nat) by lia.
  assert (HI : hides_all_but_sum (R_mod n) honest (delta / (exp eps + 1))).
  { destruct (Nat.eq_dec honest 1) as [Z|Z]; [rewrite Z; apply hides_for_one | apply ikos; auto; lia].
    pose proof (exp_pos eps). apply Rmult_le_pos; auto. left; apply Rinv_0_lt_compat; lra. }
  pose proof (de_upper_exact Element same K K_nodup n Hn eps delta eps_pos delta_pos (R_mod n) (R_mod_proper n)
    honest Hh HI x x' L N) as C.
  eapply close_mono; [| | | exact C].
  - apply proper_view. intro; apply proper_P_DE; auto.
  - right; reflexivity.
  - pose proof (delta_prime_bound n Hn eps delta eps_pos delta_pos honest Hh). unfold Rdiv in *. lra.
Qed.

Theorem robust_case_1 :
  robustly_shuffle_private P_DE (2 * (eps + ln (1 / gamma))) (2 * delta / gamma) gamma.
Proof.
  intros n honest Hh Hg x x' L N. pose proof (gamma_le n honest Hh Hg) as G.
  assert (Hn : (0 < n)%nat) by lia. pose proof (gamma_of_01 n Hn honest Hh) as G1.
  eapply close_mono; [| | | exact (view_close n honest Hh Hg x x' L N)].
  - apply proper_view. intro; apply proper_P_DE; auto.
  - apply Rmult_le_compat_l; [lra|]. apply Rle_trans with (eps + ln (1 / gamma_of n honest)); [apply eps_prime_case_1; auto|].
    apply Rplus_le_compat_l. apply ln_le_mono; [apply Rdiv_lt_0_compat; lra | apply div_mono; lra].
  - apply div_mono; lra.
Qed.

Theorem robust_case_2 : eps <= ln 2 ->
  robustly_shuffle_private P_DE (2 * (2 * Rpower eps gamma / gamma)) (2 * delta / gamma) gamma.
Proof.
  intros L2 n honest Hh Hg x x' L N. pose proof (gamma_le n honest Hh Hg) as G.
  assert (Hn : (0 < n)%nat) by lia. pose proof (gamma_of_01 n Hn honest Hh) as G1.
  eapply close_mono; [| | | exact (view_close n honest Hh Hg x x' L N)].
  - apply proper_view. intro; apply proper_P_DE; auto.
  - apply Rmult_le_compat_l; [lra|]. set (g' := gamma_of n honest) in *.
    apply Rle_trans with (2 * Rpower eps g' / g'); [apply eps_prime_case_2; auto; lra|].
    assert (eps < 1) by (apply Rle_lt_trans with (ln 2); auto; rewrite <- (ln_exp 1); apply ln_increasing;
       [lra | pose proof (exp_ineq1 1 ltac:(lra)); lra]).
    assert (Rpower eps g' <= Rpower eps gamma).
    { unfold Rpower. assert (ln eps < 0) by (rewrite <- ln_1; apply ln_increasing; lra).
      assert (Q : g' * ln eps <= gamma * ln eps) by nra.
      destruct Q as [Q|Q]; [left; apply exp_increasing; auto | right; rewrite Q; auto]. }
    pose proof (Rpower_pos eps g'). pose proof (Rpower_pos eps gamma).
    apply Rle_trans with (2 * Rpower eps g' / gamma); [apply div_mono; lra|].
    apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; lra | lra].
  - apply div_mono; lra.
Qed.
End Given_ikos.

Lemma robust_mono {X Y} : forall (randomize : nat -> randomizer X Y) eps delta delta2 gamma,
  (forall n x, (0 < n)%nat -> proper (randomize n x)) -> delta <= delta2 ->
  robustly_shuffle_private randomize eps delta gamma -> robustly_shuffle_private randomize eps delta2 gamma.
Proof.
  intros randomize eps delta delta2 gamma HP Hd H n honest Hh Hg x x' L N.
  eapply close_mono; [| | exact Hd | exact (H n honest Hh Hg x x' L N)]; [|lra].
  apply proper_view. intro; apply HP; lia.
Qed.

(* As printed: 4 delta/gamma. *)
Theorem de_upper_given_ikos :
  forall (Element : Type) (same : forall a b : Element, {a = b} + {a <> b}) (K : list Element)
         (R_mod : nat -> randomizer bool bool) (eps delta gamma : R),
  NoDup K -> 0 < eps -> 0 <= delta -> 0 < gamma <= 1 -> (forall n b, proper (R_mod n b)) ->
  (forall n honest, (2 <= honest <= n)%nat -> gamma * INR n <= INR honest ->
     hides_all_but_sum (R_mod n) honest (delta / (exp eps + 1))) ->
  let P_DE := fun n => R_DE Element same K n eps (R_mod n) in
  robustly_shuffle_private P_DE (2 * (eps + ln (1 / gamma))) (4 * delta / gamma) gamma
  /\ (eps <= ln 2 -> robustly_shuffle_private P_DE (2 * (2 * Rpower eps gamma / gamma)) (4 * delta / gamma) gamma).
Proof.
  intros Element same K R_mod eps delta gamma HK He Hd Hg HR HI P_DE.
  assert (D : 2 * delta / gamma <= 4 * delta / gamma)
    by (apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; lra | lra]).
  assert (HP : forall n x, (0 < n)%nat -> proper (P_DE n x)) by
    (intros n x Hn; apply proper_concatenated_map; intro j; apply proper_labelled; auto).
  split; [|intro L2].
  - exact (robust_mono _ _ _ _ _ HP D (robust_case_1 Element same K R_mod eps delta gamma HK He Hd Hg HR HI)).
  - exact (robust_mono _ _ _ _ _ HP D (robust_case_2 Element same K R_mod eps delta gamma HK He Hd Hg HR HI L2)).
Qed.
