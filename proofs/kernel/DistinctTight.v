(* Beside Theorem de_upper, Part I: the pools of the old and of the new element together.

   The paper composes two pools, each eps'-private: 2 eps'.  With an ideal modular sum (each pool shows its sum mod 2 only) the loss
   is exactly ln(2e^eps' - 1) if k >= 3, or k = 2 and there is one honest user; and exactly eps' if k = 2 and there are more.  The
   real protocol is (ln(2e^eps' - 1), 4 delta/gamma)-private. *)
From Coq Require Import Reals Lra Lia List Bool Permutation.
From PanshuffleKernel Require Import Law Closeness PostProcessing Power EpsPrime Parity Shuffle Messages ShuffleModel Distinct.
From PanshuffleKernel Require Import DistinctRobust Shares Ikos DistinctPrivacy TightPair Online Transformation Variances Calculus.
Import ListNotations.
Open Scope R_scope.

(* The order of independent message vectors does not matter to a reader of shuffled messages. *)
Lemma concatenated_perm {A} : forall ds ds' : list (law (list A)), Permutation ds ds' ->
  same_unordered (concatenated ds) (concatenated ds').
Proof.
  induction 1; cbn [concatenated].
  - apply same_unordered_refl.
  - apply join_same; [apply same_unordered_refl | auto].
  - eapply same_unordered_trans; [apply same_unordered_sym, same_law_unordered, join_assoc|].
    eapply same_unordered_trans; [|apply same_law_unordered, join_assoc]. apply join_same; [apply join_comm | apply same_unordered_refl].
  - eapply same_unordered_trans; eauto.
Qed.

(* a in front, and b after it. *)
Lemma bring_two {A} : forall (K : list A) a b, NoDup K -> In a K -> In b K -> a <> b ->
  exists L, Permutation K (a :: b :: L) /\ ~ In a L /\ ~ In b L.
Proof.
  intros K a b N Ia Ib Hab. apply in_split in Ia. destruct Ia as [u [v Ha]]. subst K.
  assert (Ib' : In b (u ++ v)).
  { apply in_app_or in Ib. apply in_or_app. destruct Ib as [Ib|[Ib|Ib]]; auto. congruence. }
  apply in_split in Ib'. destruct Ib' as [p [q Hb]]. exists (p ++ q).
  assert (P : Permutation (u ++ a :: v) (a :: b :: p ++ q)).
  { eapply perm_trans; [apply Permutation_sym, Permutation_middle|]. constructor. rewrite Hb. apply Permutation_sym, Permutation_middle. }
  split; auto. pose proof (Permutation_NoDup P N) as N2. inversion N2 as [|? ? N3 N4]; subst. inversion N4; subst.
  split; auto. intro Z. apply N3. right; auto.
Qed.
Lemma bring_one {A} : forall (K : list A) a, NoDup K -> In a K -> exists L, Permutation K (a :: L) /\ ~ In a L.
Proof.
  intros K a N Ia. apply in_split in Ia. destruct Ia as [u [v Ha]]. subst K. exists (u ++ v).
  split; [apply Permutation_sym, Permutation_middle|]. apply NoDup_remove_2 in N; auto.
Qed.

(* The four masses of a pair of pools. *)
Lemma pair_masses : forall D pa pb qa qb (G : bool -> bool -> R), 1 < D ->
  pa = 1 / 2 -> qb = 1 / 2 -> (pb = 1 / 2 \/ pb = 1 / (2 * D)) -> (qa = 1 / 2 \/ qa = 1 / (2 * D)) -> (forall u v, 0 <= G u v) ->
  E (Ber pa) (fun u => E (Ber pb) (G u)) <= (2 * D - 1) * E (Ber qa) (fun u => E (Ber qb) (G u)).
Proof.
  intros D pa pb qa qb G HD Ha Hb Hpb Hqa HG. subst pa qb.
  assert (T : 0 < 1 / (2 * D)) by (apply Rdiv_lt_0_compat; lra). assert (TD : 1 / (2 * D) * (2 * D) = 1) by (field; lra).
  set (t := 1 / (2 * D)) in *. assert (T2 : t < 1 / 2) by nra.
  assert (M : forall x y, (x = 1 / 2 \/ x = t) -> (y = 1 / 2 \/ y = t) ->
    x <= (2 * D - 1) * y /\ 1 - x <= (2 * D - 1) * (1 - y) /\ x <= (2 * D - 1) * (1 - y) /\ 1 - x <= (2 * D - 1) * y).
  { intros x y [Hx|Hx] [Hy|Hy]; subst; repeat split; nra. }
  destruct (M pb qa Hpb Hqa) as [M1 [M2 [M3 M4]]].
  cbn [Ber E]. pose proof (HG true true). pose proof (HG true false). pose proof (HG false true). pose proof (HG false false).
  assert (N : forall a b g, a <= (2 * D - 1) * b -> 0 <= g -> a * g <= (2 * D - 1) * b * g) by (intros; apply Rmult_le_compat_r; auto).
  pose proof (N _ _ _ M1 H) as N1. pose proof (N _ _ _ M4 H0) as N2. pose proof (N _ _ _ M3 H1) as N3. pose proof (N _ _ _ M2 H2) as N4.
  lra.
Qed.

Lemma E_near {A} : forall (d : law A) f g c, proper d -> (forall a, Rabs (f a - g a) <= c) -> Rabs (E d f - E d g) <= c.
Proof.
  intros d f g c P H.
  assert (U1 : E d f <= E d (fun a => g a + c)) by (apply E_le; [apply P|]; intro a; specialize (H a); apply abs2 in H; lra).
  assert (U2 : E d g <= E d (fun a => f a + c)) by (apply E_le; [apply P|]; intro a; specialize (H a); apply abs2 in H; lra).
  rewrite E_plus, (E_const d _ P) in U1, U2. apply abs2. lra.
Qed.

Section Real.
Variable Element : Type.
Variable same : forall a b : Element, {a = b} + {a <> b}.
Variable K : list Element.
Hypothesis K_nodup : NoDup K.
Variable n : nat.
Hypothesis n_pos : (0 < n)%nat.
Variable eps delta : R.
Hypothesis eps_pos : 0 < eps.
Hypothesis delta_pos : 0 <= delta.
Variable R_mod : bool -> law (list bool).
Hypothesis R_mod_proper : forall b, proper (R_mod b).
Variable honest : nat.
Hypothesis honest_range : (0 < honest <= n)%nat.
Hypothesis ikos : hides_all_but_sum R_mod honest (Delta eps delta).

Let column := col Element same n eps R_mod.
Let chance := par Element same n eps.
Let D := exp (eps_prime_at n eps honest).
Let D0 := Delta eps delta.

Lemma D_large : 1 < D.
Proof. unfold D. pose proof (eps_prime_at_pos n n_pos eps eps_pos honest honest_range). pose proof (exp_ineq1 (eps_prime_at n eps honest) ltac:(lra)). lra. Qed.
Lemma D0_nonneg : 0 <= D0.
Proof. apply Delta_pos; auto. Qed.

Lemma proper_column : forall j x, proper (column j x).
Proof. intros. apply proper_concatenated_map. intro. apply proper_labelled; auto. Qed.
Lemma column_near : forall j x F, length x = honest -> unordered_test F ->
  Rabs (E (column j x) F - E (Ber (chance j x)) (W Element R_mod honest j F)) <= D0.
Proof. intros. apply col_par; auto. Qed.

Lemma test_of_column : forall b x F, unordered_test F -> unordered_test (fun l => E (column b x) (fun r => F (l ++ r))).
Proof.
  intros b x F [F1 F2]. split; [apply order_free_E; auto|]. intro l. apply Transformation.E_01; [apply proper_column | auto].
Qed.
Lemma W_test : forall b F u, unordered_test F -> unordered_test (fun l => W Element R_mod honest b (fun r => F (l ++ r)) u).
Proof.
  intros b F u [F1 F2]. split.
  - intros l l' P0. unfold W. apply E_ext. intro r. apply F1. apply Permutation_app_tail; auto.
  - intro l. unfold W. apply Transformation.E_01; [apply proper_concatenated_map; auto | auto].
Qed.

(* A pair of pools that show their sums only. *)
Definition ideal_pair (a b : Element) (F : list (Element * bool) -> R) (u v : bool) : R :=
  W Element R_mod honest a (fun l => W Element R_mod honest b (fun r => F (l ++ r)) v) u.

Lemma W_swap : forall a q (G : list (Element * bool) -> bool -> R) u,
  E (Ber q) (fun v => W Element R_mod honest a (fun l => G l v) u) = W Element R_mod honest a (fun l => E (Ber q) (G l)) u.
Proof. intros. unfold W. rewrite E_swap. reflexivity. Qed.

Lemma pair_near : forall a b x F, length x = honest -> unordered_test F ->
  Rabs (E (join (column a x) (column b x)) F - E (Ber (chance a x)) (fun u => E (Ber (chance b x)) (ideal_pair a b F u))) <= 2 * D0.
Proof.
  intros a b x F L HF. rewrite E_join.
  pose proof (column_near a x _ L (test_of_column b x F HF)) as A. cbv beta in A.
  set (M := E (Ber (chance a x)) (W Element R_mod honest a (fun l => E (column b x) (fun r => F (l ++ r))))) in A.
  assert (B : Rabs (M - E (Ber (chance a x)) (fun u => E (Ber (chance b x)) (ideal_pair a b F u))) <= D0).
  { unfold M, ideal_pair. apply E_near.
    - apply proper_Ber. unfold chance.
      destruct (par_cases Element same n n_pos eps eps_pos honest honest_range a x L) as [Z|Z]; rewrite Z; [lra|].
      fold D. pose proof D_large. split; [left; apply Rdiv_lt_0_compat; lra | apply div_le; lra].
    - intro u. rewrite (W_swap a (chance b x) (fun l v => W Element R_mod honest b (fun r => F (l ++ r)) v) u). unfold W at 1 2.
      apply E_near; [apply proper_concatenated_map; auto|]. intro l. apply column_near; auto.
      destruct HF as [F1 F2]. split; [apply order_free_app; auto | intro; apply F2]. }
  apply abs2 in A. apply abs2 in B. apply abs2. lra.
Qed.

Lemma ideal_pair_nonneg : forall a b F u v, unordered_test F -> 0 <= ideal_pair a b F u v.
Proof.
  intros a b F u v HF. unfold ideal_pair. unfold W at 1.
  apply E_01; [apply proper_concatenated_map; auto|]. intro l. apply (W_test b F v HF).
Qed.

Let delta2 := 4 * D * D0.

(* Both pools change. *)
Lemma pair_close : forall a b l1 l2, a <> b -> length (l1 ++ a :: l2) = honest ->
  close_unordered (ln (2 * D - 1)) delta2
    (join (column a (l1 ++ a :: l2)) (column b (l1 ++ a :: l2))) (join (column a (l1 ++ b :: l2)) (column b (l1 ++ b :: l2))).
Proof.
  intros a b l1 l2 Hab L F HF. set (x := l1 ++ a :: l2) in *. set (x' := l1 ++ b :: l2).
  assert (L' : length x' = honest) by (rewrite <- L; unfold x, x'; rewrite !app_length; reflexivity).
  pose proof D_large as DL. pose proof D0_nonneg as DN. rewrite exp_ln by lra.
  pose proof (pair_near a b x F L HF) as A. pose proof (pair_near a b x' F L' HF) as B. apply abs2 in A. apply abs2 in B.
  assert (C : E (Ber (chance a x)) (fun u => E (Ber (chance b x)) (ideal_pair a b F u))
    <= (2 * D - 1) * E (Ber (chance a x')) (fun u => E (Ber (chance b x')) (ideal_pair a b F u))).
  { apply pair_masses; auto.
    - apply (par_in Element same n eps honest honest_range). unfold x. apply in_or_app; right; left; auto.
    - apply (par_in Element same n eps honest honest_range). unfold x'. apply in_or_app; right; left; auto.
    - apply (par_cases Element same n n_pos eps eps_pos honest honest_range); auto.
    - apply (par_cases Element same n n_pos eps eps_pos honest honest_range); auto.
    - intros. apply ideal_pair_nonneg; auto. }
  set (y := E (join _ _) F) in B |- *. set (i' := E (Ber (chance a x')) _) in *.
  assert ((2 * D - 1) * i' <= (2 * D - 1) * (y + 2 * D0)) by (apply Rmult_le_compat_l; lra). unfold delta2. lra.
Qed.

(* One pool changes. *)
Lemma one_close : forall j x x', length x = honest -> length x' = honest ->
  close_unordered (ln (2 * D - 1)) delta2 (column j x) (column j x').
Proof.
  intros j x x' L L' F HF.
  pose proof (col_close Element same n n_pos eps delta eps_pos R_mod R_mod_proper honest honest_range ikos j x x' L L' F HF) as C.
  unfold delta_prime in C. fold D D0 in C. fold column in C. pose proof D_large as DL. pose proof D0_nonneg as DN. rewrite exp_ln by lra.
  assert (Y : 0 <= E (column j x') F) by (apply E_01; [apply proper_column | apply HF]). unfold delta2.
  assert (D * E (column j x') F <= (2 * D - 1) * E (column j x') F) by (apply Rmult_le_compat_r; lra).
  assert ((D + 1) * D0 <= 4 * D * D0) by (apply Rmult_le_compat_r; lra). lra.
Qed.

Theorem view_tight : private_on honest (ln (2 * D - 1)) delta2 (view (R_DE Element same K n eps R_mod)).
Proof.
  intros x x' L [l1 [a [b [l2 [Hx Hx']]]]] T.
  assert (L' : length x' = honest) by (subst x x'; rewrite app_length in L |- *; simpl in *; lia).
  set (F := fun l => Pr (shuffle l) T).
  assert (HF : unordered_test F).
  { split. intros l l' P0. unfold F, Pr. apply shuffle_perm; auto. intro; apply Pr_01, proper_shuffle. }
  assert (V : forall y, Pr (view (R_DE Element same K n eps R_mod) y) T = E (concatenated (map (fun j => column j y) K)) F).
  { intro y. unfold Pr, view, messages. rewrite E_bind. unfold column, col.
    rewrite <- (exchange y K (labelled Element same n eps R_mod) F (proj1 HF)). auto. }
  rewrite !V. pose proof D_large as DL. pose proof D0_nonneg as DN.
  assert (X1 : 1 <= exp (ln (2 * D - 1))) by (rewrite exp_ln; lra).
  assert (D2 : 0 <= delta2) by (unfold delta2; apply Rmult_le_pos; lra).
  assert (PC : forall (L0 : list Element) y, proper (concatenated (map (fun j => column j y) L0)))
    by (intros; apply proper_concatenated_map; intro; apply proper_column).
  assert (SAME : forall L0, ~ In a L0 -> ~ In b L0 ->
    concatenated (map (fun j => column j x) L0) = concatenated (map (fun j => column j x') L0)).
  { intros L0 Ha Hb. f_equal. apply map_ext_in. intros j Hj. subst x x'. eapply (col_same Element same n eps R_mod honest honest_range); intro Z; subst; contradiction. }
  assert (REST : forall d : law (list (Element * bool)), close_unordered 0 0 d d) by (intros d G _; rewrite exp_0; lra).
  assert (FIN : forall d d' r r', proper d -> proper d' -> proper r -> proper r' -> close_unordered (ln (2 * D - 1)) delta2 d d' -> r = r' ->
    E (join d r) F <= exp (ln (2 * D - 1)) * E (join d' r') F + delta2).
  { intros d d' r r' P1 P2 P3 P4 C Q. subst r'.
    pose proof (join_close _ _ 0 0 d d' r r P1 P2 P3 P4 ltac:(lra) C (REST r) F HF) as J.
    replace (ln (2 * D - 1) + 0) with (ln (2 * D - 1)) in J by ring. lra. }
  destruct (same a b) as [Eab|Nab].
  - subst. set (z := E _ F). assert (0 <= z) by (apply E_01; [apply PC | apply HF]).
    assert (1 * z <= exp (ln (2 * D - 1)) * z) by (apply Rmult_le_compat_r; lra). lra.
  - destruct (in_dec same a K) as [Ia|Ia], (in_dec same b K) as [Ib|Ib].
    + destruct (bring_two K a b K_nodup Ia Ib Nab) as [L0 [P0 [Na Nb]]].
      rewrite (concatenated_perm _ _ (Permutation_map (fun j => column j x) P0) F (proj1 HF)).
      rewrite (concatenated_perm _ _ (Permutation_map (fun j => column j x') P0) F (proj1 HF)). cbn [map concatenated].
      rewrite <- !(fun p q r => join_assoc p q r F). apply FIN; auto; try apply proper_join; try apply proper_column.
      subst x x'. apply pair_close; auto.
    + destruct (bring_one K a K_nodup Ia) as [L0 [P0 Na]].
      assert (Nb : ~ In b L0) by (intro Z; apply Ib; eapply Permutation_in; [apply Permutation_sym; exact P0 | right; auto]).
      rewrite (concatenated_perm _ _ (Permutation_map (fun j => column j x) P0) F (proj1 HF)).
      rewrite (concatenated_perm _ _ (Permutation_map (fun j => column j x') P0) F (proj1 HF)). cbn [map concatenated].
      apply FIN; auto; try apply proper_column. apply one_close; auto.
    + destruct (bring_one K b K_nodup Ib) as [L0 [P0 Nb]].
      assert (Na : ~ In a L0) by (intro Z; apply Ia; eapply Permutation_in; [apply Permutation_sym; exact P0 | right; auto]).
      rewrite (concatenated_perm _ _ (Permutation_map (fun j => column j x) P0) F (proj1 HF)).
      rewrite (concatenated_perm _ _ (Permutation_map (fun j => column j x') P0) F (proj1 HF)). cbn [map concatenated].
      apply FIN; auto; try apply proper_column. apply one_close; auto.
    + rewrite (SAME K Ia Ib). set (z := E _ F). assert (0 <= z) by (apply E_01; [apply PC | apply HF]).
      assert (1 * z <= exp (ln (2 * D - 1)) * z) by (apply Rmult_le_compat_r; lra). lra.
Qed.
End Real.

(* eps' does not grow with gamma. *)
Lemma eps_prime_mono : forall eps g g', 0 < eps -> 0 < g -> g <= g' -> eps_prime eps g' <= eps_prime eps g.
Proof.
  intros eps g g' He Hg H. unfold eps_prime. pose proof (q_bounds eps g He Hg). pose proof (q_bounds eps g' He ltac:(lra)).
  pose proof (one_minus_exp eps He) as O.
  assert (Rpower (1 - exp (- eps)) g' <= Rpower (1 - exp (- eps)) g).
  { unfold Rpower. assert (ln (1 - exp (- eps)) < 0) by (rewrite <- ln_1; apply ln_increasing; lra).
    assert (Q : g' * ln (1 - exp (- eps)) <= g * ln (1 - exp (- eps))) by nra.
    destruct Q as [Q|Q]; [left; apply exp_increasing; auto | right; rewrite Q; auto]. }
  apply ln_le_mono; [apply Rdiv_lt_0_compat; lra|]. unfold Rdiv. rewrite !Rmult_1_l. apply Rinv_le_contravar; lra.
Qed.

(* The real protocol: the printed delta at an eps below 2 eps'. *)
Theorem de_upper_I_tight_pair :
  forall (Element : Type) (same : forall a b : Element, {a = b} + {a <> b}) (K : list Element) (m : nat -> nat)
         (eps delta gamma : R),
  NoDup K -> 0 < eps -> 0 <= delta <= 1 -> 0 < gamma <= 1 -> enough_messages m eps delta ->
  robustly_shuffle_private (P_DE same K eps m) (ln (2 * exp (eps_prime eps gamma) - 1)) (4 * delta / gamma) gamma.
Proof.
  intros Element same K m eps delta gamma HK He Hd Hg HM n honest Hh Hgn x x' L N.
  assert (Hn : (0 < n)%nat) by lia. pose proof (gamma_of_01 n Hn honest Hh) as G1. pose proof (gamma_le gamma n honest Hh Hgn) as G.
  pose proof (enough_ikos m eps delta ltac:(lra) HM n honest Hh) as HI.
  pose proof (view_tight Element same K HK n Hn eps delta He ltac:(lra) (R_MOD (m n)) (proper_R_MOD (m n)) honest Hh HI x x' L N) as C.
  pose proof (exp_pos (eps_prime eps gamma)).
  assert (EM : exp (eps_prime_at n eps honest) <= exp (eps_prime eps gamma)).
  { unfold eps_prime_at. destruct (eps_prime_mono eps gamma (gamma_of n honest) He ltac:(lra) G) as [Q|Q];
    [left; apply exp_increasing; auto | right; rewrite Q; auto]. }
  pose proof (D_large n Hn eps He honest Hh) as DL. cbv zeta in DL.
  eapply close_mono; [| | | exact C].
  - apply proper_view. intro a. apply proper_concatenated_map. intro j. apply proper_labelled; auto. intro; apply proper_R_MOD.
  - apply ln_le_mono; lra.
  - pose proof (eps_prime_case_1 eps gamma He Hg) as C1.
    assert (EB : exp (eps_prime eps gamma) <= exp eps / gamma).
    { replace (exp eps / gamma) with (exp (eps + ln (1 / gamma))).
      - destruct C1 as [C1|C1]; [left; apply exp_increasing; auto | right; rewrite C1; auto].
      - rewrite exp_plus, exp_ln; [field; lra | apply Rdiv_lt_0_compat; lra]. }
    pose proof (exp_pos eps). unfold Delta.
    apply Rle_trans with (4 * (exp eps / gamma) * (delta / (exp eps + 1))).
    + apply Rmult_le_compat_r; [apply Rmult_le_pos; [lra | left; apply Rinv_0_lt_compat; lra] | lra].
    + replace (4 * (exp eps / gamma) * (delta / (exp eps + 1))) with (4 * delta / gamma * (exp eps / (exp eps + 1))) by (field; lra).
      rewrite <- (Rmult_1_r (4 * delta / gamma)) at 2. apply Rmult_le_compat_l.
      * apply Rmult_le_pos; [lra | left; apply Rinv_0_lt_compat; lra].
      * apply div_le; lra.
Qed.
