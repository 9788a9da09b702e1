(* Theorem de_upper, Part I at its exact parameters: the randomizer R_DE and the view of gamma n honest users.

   "Set p' <- (1 - (1 - e^-eps)^(1/n))/2"; "For domain element j in [k]: If x = j: Draw u ~ Ber(1/2), Else: Draw
   u ~ Ber(p'); Obtain messages l <- R_MOD(u); Append (j, l_t)".

   Proved: if the shuffled R_MOD hides all but the sum up to Delta = delta/(e^eps+1), then the view of P_DE is
   (2 eps', 2 delta')-close on neighbouring datasets, eps' = ln(1/(1-(1-e^-eps)^gamma)),
   delta' = (e^eps'+1) Delta <= delta/gamma. *)
From Coq Require Import Reals Lra List Bool Permutation Lia.
From PanshuffleKernel Require Import Law Closeness Power EpsPrime Parity Shuffle Messages ShuffleModel.
Import ListNotations.
Open Scope R_scope.

(* Theorem ikos, the property: "||(S o R_MOD)(h) - (S o R_MOD)(w)||_TV < 2^-sigma, where w := (sum h_i mod 2, 0, ..., 0)". *)
Definition hides_all_but_sum (R_mod : randomizer bool bool) (honest : nat) (Delta : R) :=
  forall h, length h = honest -> tv_at_most (view R_mod h) (view R_mod (parity h :: repeat false (honest - 1))) Delta.

Section Protocol.
Variable Element : Type.                       (* data universe, decidable equality *)
Variable same : forall a b : Element, {a = b} + {a <> b}.
Variable K : list Element.                     (* enumeration of [k] *)
Hypothesis K_nodup : NoDup K.
Variable n : nat.                        (* number of users the protocol is set up for *)
Hypothesis n_pos : (0 < n)%nat.
Variable eps delta : R.
Hypothesis eps_pos : 0 < eps.
Hypothesis delta_pos : 0 <= delta.
Variable R_mod : bool -> law (list bool).
Hypothesis R_mod_proper : forall b, proper (R_mod b).

Definition flip_probability := (1 - Rpower (1 - exp (- eps)) (/ INR n)) / 2.
(* P[u^(j) = 1] for a user with data x. *)
Definition bit_probability (j x : Element) := if same x j then 1 / 2 else flip_probability.
Definition labelled (x j : Element) : law (list (Element * bool)) :=
  bind (Ber (bit_probability j x)) (fun u => bind (R_mod u) (fun l => point (map (pair j) l))).
Definition R_DE (x : Element) : law (list (Element * bool)) := concatenated (map (labelled x) K).
Variable honest : nat.                        (* number of honest users, gamma*n *)
Hypothesis honest_range : (0 < honest <= n)%nat.
Definition Delta := delta / (exp eps + 1).   (* 2^-sigma *)
(* Theorem ikos, privacy half, the only cited ingredient *)
Hypothesis ikos : hides_all_but_sum R_mod honest Delta.

Definition gamma_of := INR honest / INR n.
Lemma gamma_of_01 : 0 < gamma_of <= 1.
Proof.
  unfold gamma_of. assert (0 < INR n) by (apply lt_0_INR; lia). assert (0 < INR honest) by (apply lt_0_INR; lia).
  assert (INR honest <= INR n) by (apply le_INR; lia).
  split. apply Rdiv_lt_0_compat; auto. apply Rmult_le_reg_r with (INR n); auto. unfold Rdiv.
  rewrite Rmult_assoc, Rinv_l; lra.
Qed.
Definition eps_prime_at := eps_prime eps gamma_of.

Lemma flip_p_prime : flip_probability = p_prime (exp (- eps) / 2) n.
Proof. unfold flip_probability, p_prime. pose proof (one_minus_exp eps eps_pos). rewrite power_pos_base by lra. do 4 f_equal. field. Qed.
Lemma exp_neg_1 : 0 < exp (- eps) < 1.
Proof. pose proof (one_minus_exp eps eps_pos). lra. Qed.
Lemma bit_probability_01 : forall j x, 0 <= bit_probability j x <= 1.
Proof. intros. unfold bit_probability. destruct (same x j); [lra|]. rewrite flip_p_prime. apply p_prime_01; auto. pose proof exp_neg_1; lra. Qed.
Lemma proper_labelled : forall x j, proper (labelled x j).
Proof. intros. apply proper_bind. apply proper_Ber, bit_probability_01. intro. apply proper_bind; auto. intro; apply proper_point. Qed.

Definition col (j : Element) (x : list Element) := concatenated (map (fun i => labelled i j) x).

Lemma col_unfold : forall j x F, E (col j x) F =
  E (independent (map Ber (map (bit_probability j) x))) (fun u => E (concatenated (map R_mod u)) (fun l => F (map (pair j) l))).
Proof.
  intros j. induction x as [|i x IH]; intro F.
  - unfold col. simpl. ring.
  - unfold col in *. cbn [map concatenated independent]. rewrite E_join. unfold labelled at 1. rewrite !E_bind.
    apply E_ext; intro u. rewrite E_bind.
    rewrite (E_ext (R_mod u) _ (fun l => E (independent (map Ber (map (bit_probability j) x)))
       (fun us => E (concatenated (map R_mod us)) (fun r => F (map (pair j) (l ++ r)))))).
    2: { intro l. rewrite E_point, IH. apply E_ext; intro us. apply E_ext; intro r. rewrite map_app; auto. }
    rewrite E_swap, E_bind. apply E_ext; intro us. rewrite E_point. cbn [map concatenated]. rewrite E_join. auto.
Qed.

Definition W (j : Element) (F : list (Element * bool) -> R) (b : bool) : R :=
  E (concatenated (map R_mod (b :: repeat false (honest - 1)))) (fun l => F (map (pair j) l)).

Lemma ikos_fun : forall h G, length h = honest -> unordered_test G ->
  Rabs (E (concatenated (map R_mod h)) G - E (concatenated (map R_mod (parity h :: repeat false (honest - 1)))) G) <= Delta.
Proof.
  intros h G L [G1 G2]. specialize (ikos h L).
  rewrite <- (order_free_shuffle (concatenated (map R_mod h)) G G1),
    <- (order_free_shuffle (concatenated (map R_mod (parity h :: repeat false (honest - 1)))) G G1).
  fold (messages R_mod h) (messages R_mod (parity h :: repeat false (honest - 1))).
  fold (view R_mod h) (view R_mod (parity h :: repeat false (honest - 1))).
  assert (C1 : close 0 Delta (view R_mod h) (view R_mod (parity h :: repeat false (honest - 1)))).
  { intro T. specialize (ikos T). rewrite exp_0. unfold Rabs in ikos; destruct (Rcase_abs _) in ikos; lra. }
  assert (C2 : close 0 Delta (view R_mod (parity h :: repeat false (honest - 1))) (view R_mod h)).
  { intro T. specialize (ikos T). rewrite exp_0. unfold Rabs in ikos; destruct (Rcase_abs _) in ikos; lra. }
  pose proof (close_fun _ _ _ _ C1 G G2) as X1. pose proof (close_fun _ _ _ _ C2 G G2) as X2.
  rewrite exp_0 in X1, X2. unfold Rabs; destruct (Rcase_abs _); lra.
Qed.
Lemma test_lab : forall (j : Element) (F : list (Element * bool) -> R), unordered_test F -> unordered_test (fun l : list bool => F (map (pair j) l)).
Proof. intros j F [H1 H2]. split; auto. intros l l' P0. apply H1. apply Permutation_map; auto. Qed.

Definition par (j : Element) (x : list Element) := (1 - product (map (fun q => 1 - 2 * q) (map (bit_probability j) x))) / 2.
Lemma col_par : forall j x F, length x = honest -> unordered_test F ->
  Rabs (E (col j x) F - E (Ber (par j x)) (W j F)) <= Delta.
Proof.
  intros j x F L HF. rewrite col_unfold.
  assert (X : E (Ber (par j x)) (W j F) = E (independent (map Ber (map (bit_probability j) x))) (fun u => W j F (parity u))).
  { unfold par. rewrite <- (parity_law_Ber (map (bit_probability j) x)). unfold parity_law. rewrite E_bind. apply E_ext; intro; apply E_point.
    apply Forall_forall. intros y Hy. apply in_map_iff in Hy. destruct Hy as [i [Hy _]]; subst; apply bit_probability_01. }
  rewrite X. set (d := independent (map Ber (map (bit_probability j) x))).
  assert (PD : proper d).
  { apply proper_independent, Forall_forall. intros y Hy. apply in_map_iff in Hy. destruct Hy as [z [Hy Hz]]; subst.
    apply in_map_iff in Hz. destruct Hz as [i [Hz _]]; subst. apply proper_Ber, bit_probability_01. }
  assert (Y : forall p, In p d -> Rabs (E (concatenated (map R_mod (fst p))) (fun l => F (map (pair j) l)) - W j F (parity (fst p))) <= Delta).
  { intros p Hp. apply ikos_fun; [|apply test_lab; auto]. apply independent_length in Hp. rewrite Hp, !map_length; auto. }
  assert (U : E d (fun u => E (concatenated (map R_mod u)) (fun l => F (map (pair j) l))) <= E d (fun u => W j F (parity u) + Delta)).
  { apply E_le_in; [apply PD|]. intros p Hp. specialize (Y p Hp). unfold Rabs in Y; destruct (Rcase_abs _) in Y; lra. }
  assert (V : E d (fun u => W j F (parity u)) <= E d (fun u => E (concatenated (map R_mod u)) (fun l => F (map (pair j) l)) + Delta)).
  { apply E_le_in; [apply PD|]. intros p Hp. specialize (Y p Hp). unfold Rabs in Y; destruct (Rcase_abs _) in Y; lra. }
  rewrite E_plus, (E_const d _ PD) in U, V. unfold Rabs; destruct (Rcase_abs _); lra.
Qed.

Lemma par_in : forall j x, In j x -> par j x = 1 / 2.
Proof.
  intros j x H. unfold par. replace (product _) with 0; [field|]. symmetry.
  induction x as [|i x IH]; simpl in *; [tauto|]. destruct H as [H|H].
  - subst. unfold bit_probability at 1. destruct (same j j); [|congruence]. field.
  - rewrite IH by auto. ring.
Qed.
Lemma par_notin : forall j x, ~ In j x -> length x = honest -> par j x = 1 / (2 * exp eps_prime_at).
Proof.
  intros j x H L. unfold par.
  assert (X : product (map (fun q => 1 - 2 * q) (map (bit_probability j) x)) = (1 - 2 * flip_probability) ^ length x).
  { clear L. induction x as [|i x IH]; simpl in *; auto. rewrite IH by tauto. f_equal.
    unfold bit_probability. destruct (same i j); auto. subst; tauto. }
  rewrite X, L, flip_p_prime, p_prime_pow by (auto; pose proof exp_neg_1; lra).
  unfold eps_prime_at. rewrite exp_eps_prime by (auto; pose proof gamma_of_01; lra). fold gamma_of.
  pose proof (q_bounds eps gamma_of eps_pos ltac:(pose proof gamma_of_01; lra)).
  replace (1 - 2 * (exp (- eps) / 2)) with (1 - exp (- eps)) by field. field. lra.
Qed.
Lemma par_cases : forall j x, length x = honest -> par j x = 1 / 2 \/ par j x = 1 / (2 * exp eps_prime_at).
Proof. intros j x L. destruct (in_dec same j x); [left; apply par_in | right; apply par_notin]; auto. Qed.

Lemma eps_prime_at_pos : 0 < eps_prime_at.
Proof. apply eps_prime_pos; auto. pose proof gamma_of_01; lra. Qed.

(* Equation zs_ineq in unordered_test form *)
Lemma ber_close : forall a b w, (a = 1/2 \/ a = 1 / (2 * exp eps_prime_at)) -> (b = 1/2 \/ b = 1 / (2 * exp eps_prime_at)) ->
  (forall z, 0 <= w z) -> E (Ber a) w <= exp eps_prime_at * E (Ber b) w.
Proof.
  intros a b w Ha Hb Hw. simpl. rewrite !Rplus_0_r. pose proof (Hw true). pose proof (Hw false).
  pose proof (ratio_inequality eps_prime_at eps_prime_at_pos) as RI. pose proof eps_prime_at_pos.
  assert (X1 : 1 < exp eps_prime_at) by (rewrite <- exp_0; apply exp_increasing; auto).
  assert (I : / exp eps_prime_at * exp eps_prime_at = 1) by (apply Rinv_l; lra). rewrite exp_Ropp in RI.
  assert (I0 : 0 < / exp eps_prime_at) by (apply Rinv_0_lt_compat; lra).
  assert (I1 : / exp eps_prime_at < 1) by (rewrite <- Rinv_1; apply Rinv_lt_contravar; lra).
  assert (HH : 1 / (2 * exp eps_prime_at) = / exp eps_prime_at / 2) by (field; lra). rewrite HH in *.
  set (X := exp eps_prime_at) in *. set (Y := / X) in *.
  assert (A : a <= X * b) by (destruct Ha, Hb; subst; nra).
  assert (B : 1 - a <= X * (1 - b)) by (destruct Ha, Hb; subst; nra).
  rewrite Rmult_plus_distr_l, <- !Rmult_assoc. apply Rplus_le_compat; apply Rmult_le_compat_r; auto.
Qed.

Lemma Delta_pos : 0 <= Delta.
Proof. unfold Delta. pose proof (exp_pos eps). apply Rmult_le_pos; auto. left; apply Rinv_0_lt_compat; lra. Qed.

Definition delta_prime := (exp eps_prime_at + 1) * Delta.
Lemma col_close : forall j x x', length x = honest -> length x' = honest -> close_unordered eps_prime_at delta_prime (col j x) (col j x').
Proof.
  intros j x x' L L' F HF. pose proof (col_par j x F L HF) as A. pose proof (col_par j x' F L' HF) as B.
  assert (C : E (Ber (par j x)) (W j F) <= exp eps_prime_at * E (Ber (par j x')) (W j F)).
  { apply ber_close; try (apply par_cases; auto). intro z. unfold W.
    assert (PP : proper (concatenated (map R_mod (z :: repeat false (honest - 1))))) by (apply proper_concatenated_map; auto).
    apply Rle_trans with (E (concatenated (map R_mod (z :: repeat false (honest - 1)))) (fun _ => 0)).
    right; symmetry; apply E_const; auto. apply E_le; [apply PP|]. intro; apply HF. }
  unfold delta_prime. pose proof (exp_pos eps_prime_at).
  assert (exp eps_prime_at * E (Ber (par j x')) (W j F) <= exp eps_prime_at * (E (col j x') F + Delta)).
  { apply Rmult_le_compat_l; [lra|]. unfold Rabs in B; destruct (Rcase_abs _) in B; lra. }
  unfold Rabs in A; destruct (Rcase_abs _) in A; lra.
Qed.


Lemma col_same : forall j l1 a b l2, a <> j -> b <> j -> col j (l1 ++ a :: l2) = col j (l1 ++ b :: l2).
Proof.
  intros. unfold col. rewrite !map_app. simpl. do 3 f_equal. unfold labelled, bit_probability.
  destruct (same a j), (same b j); tauto.
Qed.

Lemma sum_indicator : forall (c : R) a b, 0 <= c -> a <> b ->
  sum_of (map (fun j => if same a j then c else if same b j then c else 0) K) <= 2 * c.
Proof.
  intros c a b Hc Hab.
  assert (G : forall L, NoDup L -> sum_of (map (fun j => if same a j then c else if same b j then c else 0) L)
     <= (if in_dec same a L then c else 0) + (if in_dec same b L then c else 0)).
  { induction 1 as [|j L N1 N2 IH]; cbn [map sum_of fold_right].
    - destruct (in_dec same a []), (in_dec same b []); simpl in *; try tauto; lra.
    - fold (sum_of (map (fun j => if same a j then c else if same b j then c else 0) L)).
      destruct (in_dec same a (j :: L)) as [i|i], (in_dec same b (j :: L)) as [i'|i'],
        (in_dec same a L) as [i0|i0], (in_dec same b L) as [i1|i1], (same a j), (same b j); simpl in *; subst;
        try congruence; try tauto; try lra. all: destruct i || destruct i'; congruence || tauto || lra. }
  specialize (G K K_nodup). destruct (in_dec same a K), (in_dec same b K); lra.
Qed.

(* Part I, at the exact parameters *)
Theorem de_upper_exact : forall x x', length x = honest -> neighbours x x' ->
  close (2 * eps_prime_at) (2 * delta_prime) (view R_DE x) (view R_DE x').
Proof.
  intros x x' L [l1 [a [b [l2 [H H']]]]] T.
  assert (L' : length x' = honest) by (subst x x'; rewrite app_length in L |- *; simpl in *; lia).
  pose proof eps_prime_at_pos as EP. pose proof Delta_pos as DP0. pose proof (exp_pos eps_prime_at) as XP.
  assert (DP1 : 0 <= delta_prime) by (unfold delta_prime; apply Rmult_le_pos; lra).
  set (F := fun l => Pr (shuffle l) T).
  assert (HF : unordered_test F).
  { split. intros l l' P0. unfold F, Pr. apply shuffle_perm; auto. intro; apply Pr_01, proper_shuffle. }
  assert (V : forall y, Pr (view R_DE y) T = E (concatenated (map (fun j => col j y) K)) F).
  { intro y. unfold Pr, view, messages. rewrite E_bind. unfold col. rewrite <- (exchange y K labelled F (proj1 HF)). auto. }
  rewrite !V.
  assert (PC : forall y j, proper (col j y)) by (intros; apply proper_concatenated_map; intro; apply proper_labelled).
  assert (PV : forall y, 0 <= E (concatenated (map (fun j => col j y) K)) F).
  { intro y. assert (PP : proper (concatenated (map (fun j => col j y) K))) by (apply proper_concatenated_map; auto).
    apply Rle_trans with (E (concatenated (map (fun j => col j y) K)) (fun _ => 0)).
    right; symmetry; apply E_const; auto. apply E_le; [apply PP|]. intro; apply HF. }
  destruct (same a b) as [Eab|Nab].
  - subst. assert (1 <= exp (2 * eps_prime_at)) by (pose proof (exp_ineq1_le (2 * eps_prime_at)); lra).
    specialize (PV (l1 ++ b :: l2)). nra.
  - pose proof (concatenated_close K (fun j => col j x) (fun j => col j x')
      (fun j => if same a j then eps_prime_at else if same b j then eps_prime_at else 0)
      (fun j => if same a j then delta_prime else if same b j then delta_prime else 0)) as C.
    assert (S1 := sum_indicator eps_prime_at a b ltac:(lra) Nab). assert (S2 := sum_indicator delta_prime a b DP1 Nab).
    specialize (C (PC x) (PC x')).
    assert (C0 : close_unordered (sum_of (map (fun j => if same a j then eps_prime_at else if same b j then eps_prime_at else 0) K))
       (sum_of (map (fun j => if same a j then delta_prime else if same b j then delta_prime else 0) K))
       (concatenated (map (fun j => col j x) K)) (concatenated (map (fun j => col j x') K))).
    { apply C.
      - intro j. destruct (same a j), (same b j); lra.
      - intro j. destruct (same a j); [apply col_close; auto|]. destruct (same b j); [apply col_close; auto|].
        subst. rewrite (col_same j l1 a b l2) by auto. intros G _. rewrite exp_0. lra. }
    clear C.
    specialize (C0 F HF). set (s1 := sum_of _) in *. 
    assert (exp s1 <= exp (2 * eps_prime_at)) by (destruct S1 as [S1|S1]; [left; apply exp_increasing; auto | right; rewrite S1; auto]).
    specialize (PV x'). set (Z := E _ F) in PV |- *. fold Z in C0.
    assert (exp s1 * Z <= exp (2 * eps_prime_at) * Z) by (apply Rmult_le_compat_r; auto). lra.
Qed.

Lemma delta_prime_bound : delta_prime <= delta / gamma_of.
Proof.
  unfold delta_prime, Delta. pose proof (delta_prime_at_most eps gamma_of delta eps_pos gamma_of_01 delta_pos) as H. fold eps_prime_at in H.
  apply Rle_trans with ((exp eps_prime_at + 1) / (exp eps + 1) * delta); auto. right. field. pose proof (exp_pos eps); lra.
Qed.
End Protocol.
