(* Section 4.1.1, decided: the privacy of P_UT, and what is said of Poisson laws. *)
From Coq Require Import Reals ZArith Lra Lia List Bool Permutation FunctionalExtensionality.
From PanshuffleKernel Require Law Closeness Messages Power Distinct Calculus.
From PanshuffleKernel Require Import Paper Countable Privacy Masses Model Poisson Finite Section4Transformation PoissonPools.
Import ListNotations.
Open Scope R_scope.

Lemma exp_quadratic : forall x, 0 <= x -> 1 + x + x * x / 2 <= exp x.
Proof.
  intros x H. pose proof (Calculus.rises (fun t => exp t - (1 + t + t * t * / 2)) (fun t => exp t - (1 + t)) 0 x H) as RS.
  cbv beta in RS. rewrite exp_0 in RS.
  assert (1 - (1 + 0 + 0 * 0 * / 2) <= exp x - (1 + x + x * x * / 2)); [apply RS | unfold Rdiv; lra].
  - intros t T. Calculus.derive. field.
  - intros t T. pose proof (exp_ineq1_le t). lra.
Qed.
Lemma exp_cubic : forall x, 0 <= x -> 1 + x + x * x / 2 + x * x * x / 6 <= exp x.
Proof.
  intros x H. pose proof (Calculus.rises (fun t => exp t - (1 + t + t * t * / 2 + t * t * t * / 6)) (fun t => exp t - (1 + t + t * t / 2)) 0 x H) as RS.
  cbv beta in RS. rewrite exp_0 in RS.
  assert (1 - (1 + 0 + 0 * 0 * / 2 + 0 * 0 * 0 * / 6) <= exp x - (1 + x + x * x * / 2 + x * x * x * / 6)); [apply RS | unfold Rdiv; lra].
  - intros t T. Calculus.derive. field.
  - intros t T. pose proof (exp_quadratic t ltac:(lra)). lra.
Qed.
Lemma loss_rate : forall x, 0 < x <= 1 / (206 / 100) -> 206 / 265 * x <= 1 - exp (- x).
Proof.
  intros x X. pose proof (exp_cubic x ltac:(lra)) as C. rewrite exp_Ropp.
  set (s := 1 + x + x * x / 2 + x * x * x / 6) in *. assert (S : 0 < s) by (assert (0 < x * x) by nra; assert (0 < x * x * x) by nra; unfold s; lra).
  assert (I : / exp x <= / s) by (apply Rinv_le_contravar; auto).
  assert (206 / 265 * x <= 1 - / s); [|lra].
  apply Rmult_le_reg_r with s; auto. rewrite Rmult_minus_distr_r, Rinv_l by lra. unfold s.
  assert (X2 : 0 < x * x) by nra. assert (X3 : x * x * x <= x * x * (1 / (206 / 100))) by (apply Rmult_le_compat_l; lra).
  assert (X4 : x * x * x * x <= x * x * x * (1 / (206 / 100))) by (apply Rmult_le_compat_l; nra). nra.
Qed.

Section PrivacyOf.
Context {X : Type} (U : universe X).

Lemma count_app : forall x y j, count U (x ++ y) j = (count U x j + count U y j)%nat.
Proof. intros. unfold count. rewrite filter_app, app_length. reflexivity. Qed.
Lemma count_le : forall x j, (count U x j <= length x)%nat.
Proof. intros x j. unfold count. induction x as [|a x IH]; simpl; [lia | destruct (is_element U a j); simpl; lia]. Qed.

Lemma view_close : forall eps lambda n x x', 0 < eps -> 0 <= lambda -> (0 < length x <= n)%nat -> neighbours x x' ->
  let mu := INR (length x) * (lambda / INR n) in
  let d := 2 * exp (mu * (exp (- / (206 / 100 * ((exp eps + 1) / (exp eps - 1)) ^ 2)) - 1)) in
  close (2 * eps) (2 * d) (view (R_UT U lambda n) x) (view (R_UT U lambda n) x').
Proof.
  intros eps lambda n x x' HE HL HN NB mu d.
  assert (n_pos : (0 < n)%nat) by lia.
  assert (d_pos : 0 <= d) by (unfold d; left; apply Rmult_lt_0_compat; [lra | apply exp_pos]).
  assert (mu_pos : 0 <= mu).
  { apply Rmult_le_pos; [apply pos_INR|]. apply Rmult_le_pos; auto. left; apply Rinv_0_lt_compat, lt_0_INR; auto. }
  assert (PV : forall y, proper (view (R_UT U lambda n) y)).
  { intro y. apply proper_view. intro a. rewrite R_UT_labelled. apply proper_concatenated, Forall_forall.
    intros e I. apply in_map_iff in I. destruct I as [j [I _]]. subst. apply proper_labelled; auto. }
  destruct NB as [u [a [b [v [Q1 Q2]]]]]. subst x x'.
  destruct (same U a b) as [AB|AB]; [subst; apply close_refl; auto; lra|].
  set (x := u ++ a :: v) in *. set (x' := u ++ b :: v) in *.
  assert (LX : length x' = length x) by (unfold x, x'; rewrite !app_length; reflexivity).
  pose (pool y j := bind (concatenated (map (fun i => labelled U lambda n i j) y)) (@shuffle (X * bool))).
  assert (PP : forall y j, proper (pool y j)).
  { intros y j. apply proper_bind; [|intro; apply proper_shuffle]. apply proper_concatenated, Forall_forall.
    intros e I. apply in_map_iff in I. destruct I as [i [I _]]. subst. apply proper_labelled; auto. }
  apply (close_same _ _ _ _ _ _ (regroup (labelled U lambda n) x (elements U)) (regroup (labelled U lambda n) x' (elements U))).
  apply post_processing; try (intro; apply proper_shuffle).
  1,2: unfold pools; apply proper_independent, Forall_forall; intros e I; apply in_map_iff in I; destruct I as [j [I _]]; subst; apply PP.
  assert (pools_proper : proper (pools (labelled U lambda n) x' (elements U))).
  { unfold pools; apply proper_independent, Forall_forall; intros e I; apply in_map_iff in I; destruct I as [j [I _]]; subst; apply PP. }
  (* what each pool loses *)
  pose (ee j := if same U a j then eps else if same U b j then eps else 0).
  pose (dd j := if same U a j then d else if same U b j then d else 0).
  apply (close_mono (Messages.sum_of (map ee (elements U))) (2 * eps) (Messages.sum_of (map dd (elements U))) (2 * d)); auto.
  - apply (Distinct.sum_indicator X (same U) (elements U) (no_repetition X U) n (length x) HN eps a b); auto; lra.
  - apply (Distinct.sum_indicator X (same U) (elements U) (no_repetition X U) n (length x) HN d a b); auto.
  - unfold pools. apply (independent_close (elements U) (pool x) (pool x') ee dd); auto.
    { intro j. unfold dd. destruct (same U a j); [auto | destruct (same U b j); [auto | lra]]. }
    intro j.
    pose proof (pool_seen U lambda n HL n_pos x j) as S. pose proof (pool_seen U lambda n HL n_pos x' j) as S'. rewrite LX in S'.
    fold mu in S, S'.
    assert (CA : count U x j = (count U u j + ((if is_element U a j then 1 else 0) + count U v j))%nat).
    { unfold x. rewrite count_app. f_equal. unfold count. cbn [filter]. destruct (is_element U a j); reflexivity. }
    assert (CB : count U x' j = (count U u j + ((if is_element U b j then 1 else 0) + count U v j))%nat).
    { unfold x'. rewrite count_app. f_equal. unfold count. cbn [filter]. destruct (is_element U b j); reflexivity. }
    pose proof (count_le x j) as L1. pose proof (count_le x' j) as L2. rewrite LX in L2.
    assert (GEN : close eps d (pool x j) (pool x' j)).
    { apply (close_same _ _ _ _ _ _ S S').
      assert (AS : forall c, same_law (bind (pool_counts mu c (length x)) (fun p => shuffle (arranged j (fst p) (snd p)))) (seen_pool c (length x) mu j)).
      { intros c f F. apply E_slices; intro N. unfold seen_pool, pool_counts. rewrite !slice_bind. apply Law.E_ext; intro p.
        unfold point. cbn [sum_over fst snd]. ring. }
      apply (close_same _ _ _ _ _ _ (AS _) (AS _)).
      assert (PC : forall c, proper (pool_counts mu c (length x))) by (intro; apply proper_bind; [apply proper_two; auto | intro; apply proper_point]).
      apply post_processing; auto; [intro; apply proper_shuffle|].
      apply pool_close; auto; rewrite CA, CB; destruct (is_element U a j), (is_element U b j); lia. }
    unfold ee, dd. destruct (same U a j) as [J|J]; [exact GEN|]. destruct (same U b j) as [J'|J']; [exact GEN|].
    (* the other pools have the same law *)
    assert (CE : count U x j = count U x' j).
    { rewrite CA, CB. unfold is_element. destruct (same U a j); [contradiction|]. destruct (same U b j); [contradiction|]. reflexivity. }
    rewrite <- CE in S'. apply (close_same _ _ _ _ _ _ S S'). apply close_refl; [|lra | lra].
    apply proper_bind; [apply proper_two; auto | intro; apply proper_shuffle].
Qed.
End PrivacyOf.

Theorem thm_ut_upper_bound_prelim_privacy_sharper_holds : thm_ut_upper_bound_prelim_privacy_sharper.
Proof.
  intros X U eps delta gamma lambda m tau HE HD HG HL n honest c Hh Hg x x' L NB.
  pose proof (c2_ge1 eps HE) as C2. set (c2 := ((exp eps + 1) / (exp eps - 1)) ^ 2) in *.
  assert (LD : 0 < ln (2 / delta)).
  { rewrite <- ln_1. apply ln_increasing; [lra|]. apply Rmult_lt_reg_r with delta; [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra. }
  assert (L0 : 265 / 100 * (c2 * ln (2 / delta)) <= lambda) by exact HL.
  assert (LP : 0 < c2 * ln (2 / delta)) by (apply Rmult_lt_0_compat; lra).
  assert (NP : 0 < INR n) by (apply lt_0_INR; lia).
  pose proof (view_close U eps lambda n x x' HE ltac:(lra) ltac:(lia) NB) as V. cbv zeta in V. fold c2 in V. rewrite L in V.
  eapply close_mono; [| apply Rle_refl | | exact V].
  - apply proper_view. intro a. cbn [randomizer P_UT]. rewrite R_UT_labelled. apply proper_concatenated, Forall_forall.
    intros e I. apply in_map_iff in I. destruct I as [j [I _]]. subst. apply proper_labelled; [lra | lia].
  - set (y := / (206 / 100 * c2)). assert (Y : 0 < y <= 1 / (206 / 100)).
    { unfold y. split; [apply Rinv_0_lt_compat; lra|]. unfold Rdiv. rewrite Rmult_1_l. apply Rinv_le_contravar; lra. }
    pose proof (loss_rate y Y) as LR.
    assert (MU : gamma * (265 / 100 * (c2 * ln (2 / delta))) <= INR honest * (lambda / INR n)).
    { apply Rle_trans with (gamma * lambda); [apply Rmult_le_compat_l; lra|].
      replace (INR honest * (lambda / INR n)) with (INR honest / INR n * lambda) by (unfold Rdiv; ring).
      apply Rmult_le_compat_r; [lra|]. apply Rmult_le_reg_r with (INR n); auto. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra. }
    assert (EXP : INR honest * (lambda / INR n) * (exp (- y) - 1) <= gamma * ln (delta / 2)).
    { assert (LI : ln (delta / 2) = - ln (2 / delta)).
      { rewrite <- ln_Rinv by (apply Rdiv_lt_0_compat; lra). f_equal. field. lra. }
      rewrite LI.
      assert (B : gamma * (265 / 100 * (c2 * ln (2 / delta))) * (206 / 265 * y) <= INR honest * (lambda / INR n) * (1 - exp (- y))).
      { apply Rmult_le_compat; auto; [|nra]. repeat (apply Rmult_le_pos; try lra). }
      replace (gamma * (265 / 100 * (c2 * ln (2 / delta))) * (206 / 265 * y)) with (gamma * ln (2 / delta)) in B by (unfold y; field; lra).
      lra. }
    apply exp_le in EXP. unfold Rpower. lra.
Qed.

(* The printed delta is more than this one. *)
Lemma printed_delta {C X Y Z} : forall (P : protocol C X Y Z) eps delta gamma, 0 < delta -> 0 < gamma ->
  (forall n c, (0 < n)%nat -> algorithm (randomizer P n c)) ->
  robustly_shuffle_private P eps (4 * Rpower (delta / 2) gamma) gamma -> robustly_shuffle_private P eps (8 * Rpower delta gamma) gamma.
Proof.
  intros P eps delta gamma HD HG A V n honest c Hh Hg x x' L NB.
  apply (close_mono eps eps (4 * Rpower (delta / 2) gamma)); [apply proper_view, A; lia | lra | | apply (V n honest c Hh Hg x x' L NB)].
  assert (Rpower (delta / 2) gamma <= Rpower delta gamma) by (apply Power.Rpower_le_base; lra).
  pose proof (Power.Rpower_pos delta gamma). lra.
Qed.
(* The printed lambda is more than enough. *)
Lemma lambda_UT_enough : forall k eps delta, 1 <= k -> 0 < eps -> 0 < delta < 1 ->
  0 < 265 / 100 * noise_scale eps delta <= lambda_UT k eps delta.
Proof.
  intros k eps delta K1 HE HD. pose proof (c2_ge1 eps HE) as C2. unfold lambda_UT, noise_scale.
  set (c2 := ((exp eps + 1) / (exp eps - 1)) ^ 2) in *.
  assert (LD : 0 < ln (2 / delta)).
  { rewrite <- ln_1. apply ln_increasing; [lra|]. apply Rmult_lt_reg_r with delta; [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra. }
  assert (LK : ln (2 / delta) <= ln (2 * k / delta)).
  { apply Power.ln_le_mono; [apply Rdiv_lt_0_compat; lra|]. unfold Rdiv. apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; lra | lra]. }
  assert (c2 * ln (2 / delta) <= c2 * ln (2 * k / delta)) by (apply Rmult_le_compat_l; lra).
  assert (0 < c2 * ln (2 / delta)) by (apply Rmult_lt_0_compat; lra). lra.
Qed.
Theorem thm_ut_upper_bound_prelim_privacy_holds : thm_ut_upper_bound_prelim_privacy.
Proof.
  intros X U eps delta gamma lambda m tau HE HD HG HL n honest c Hh Hg x x' L NB.
  assert (K1 : 1 <= size U).
  { destruct x as [|a x]; [simpl in L; lia|]. unfold size. change 1 with (INR 1). apply le_INR.
    pose proof (complete X U a) as I. destruct (elements U); [destruct I | simpl; lia]. }
  pose proof (lambda_UT_enough (size U) eps delta K1 HE HD) as L1.
  refine (printed_delta (P_UT U lambda m tau) (2 * eps) delta gamma _ _ _ _ n honest c Hh Hg x x' L NB); try lra.
  - intros k u N a. cbn [randomizer P_UT]. rewrite R_UT_labelled. apply proper_concatenated, Forall_forall.
    intros e I. apply in_map_iff in I. destruct I as [j [I _]]. subst. apply proper_labelled; [lra | auto].
  - apply thm_ut_upper_bound_prelim_privacy_sharper_holds; auto. lra.
Qed.
