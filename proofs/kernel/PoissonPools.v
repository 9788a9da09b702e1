(* Theorem ut-upper-bound-prelim, privacy: P_UT with true Poisson noise.

   "the number of times (j,1) occurs ... is distributed as c_j(x) + Bin(Pois(gamma lambda), 1/2)."  Here: the pool of j is
   c_j + N_1 ones and N - c_j + N_0 zeros, N_1 and N_0 independent, Pois(gamma lambda/2) each; given their sum L it is a shift
   of Bin(L, 1/2), which Lemma b_noise (constant 1.03) hides up to 2 exp(-L/(2.06 c^2)); the mean over L ~ Pois(gamma lambda)
   is 2 (delta/2)^gamma. *)
From Coq Require Import Reals ZArith Lra Lia List Bool Permutation FunctionalExtensionality.
From Coquelicot Require Import Rbar Lim_seq.
From PanshuffleKernel Require Law Closeness Shuffle Messages ShuffleModel Parity Distinct UniformityTransformation BinomialMechanism BinomialSharp BinarySum.
From PanshuffleKernel Require Import Paper Countable Privacy Masses Model Poisson Finite Section4Transformation Section5AndAppendix.
Import ListNotations.
Open Scope R_scope.

(* ---- labels first, users second ---- *)
Definition pools {I J A} (m : I -> J -> law (list A)) (x : list I) (K : list J) : law (list (list A)) :=
  independent (map (fun j => bind (concatenated (map (fun i => m i j) x)) shuffle) K).
Lemma regroup_slice {J A} : forall (K : list J) (c : J -> table (list A)) G, Messages.order_free G ->
  sum_over (Messages.concatenated (map c K)) G
  = sum_over (Parity.independent (map (fun j => bind_table (c j) Shuffle.shuffle) K)) (fun ls => G (concat ls)).
Proof.
  induction K as [|j K IH]; intros c G HG.
  - simpl. ring.
  - cbn [map Messages.concatenated Parity.independent]. rewrite Messages.E_join, !Law.E_bind.
    rewrite (Law.E_ext (c j) (fun l => sum_over (Messages.concatenated (map c K)) (fun r => G (l ++ r)))
      (fun l => sum_over (Parity.independent (map (fun j => bind_table (c j) Shuffle.shuffle) K)) (fun ls => G (l ++ concat ls)))).
    2:{ intro l. apply (IH c (fun r => G (l ++ r))). apply Messages.order_free_app; auto. }
    pose (H l := sum_over (Parity.independent (map (fun j => bind_table (c j) Shuffle.shuffle) K)) (fun ls => G (l ++ concat ls))).
    assert (HH : Messages.order_free H) by (intros l l' P; apply Law.E_ext; intro ls; apply HG, Permutation_app_tail; auto).
    change (sum_over (c j) H = sum_over (c j) (fun a => sum_over (Shuffle.shuffle a)
      (fun a0 => sum_over (bind_table (Parity.independent (map (fun j0 => bind_table (c j0) Shuffle.shuffle) K)) (fun l => Law.point (a0 :: l))) (fun ls => G (concat ls))))).
    rewrite <- (Messages.order_free_shuffle (c j) H HH), Law.E_bind. apply Law.E_ext; intro a. apply Law.E_ext; intro b.
    rewrite Law.E_bind. apply Law.E_ext; intro ls. rewrite Law.E_point. reflexivity.
Qed.
Lemma regroup {I J A} : forall (m : I -> J -> law (list A)) (x : list I) (K : list J),
  same_law (bind (pools m x K) (fun ls => shuffle (concat ls))) (view (fun i => concatenated (map (m i) K)) x).
Proof.
  intros m x K f F. apply E_slices; intro N. rewrite slice_bind, view_at.
  unfold ShuffleModel.view. rewrite Law.E_bind.
  pose (G l := sum_over (Shuffle.shuffle l) f).
  assert (HG : Messages.order_free G) by (intros l l' P; apply Shuffle.shuffle_perm; auto).
  replace (ShuffleModel.messages (fun a => concatenated (map (m a) K) N) x)
    with (Messages.concatenated (map (fun i => Messages.concatenated (map (fun j => m i j N) K)) x)).
  2:{ unfold ShuffleModel.messages. f_equal. apply map_ext. intro i. rewrite concatenated_at, map_map. reflexivity. }
  change (fun a => sum_over (Shuffle.shuffle a) f) with G.
  rewrite (Messages.exchange x K (fun i j => m i j N) G HG).
  rewrite (regroup_slice K (fun j => Messages.concatenated (map (fun i => m i j N) x)) G HG).
  unfold pools. rewrite independent_at, map_map.
  replace (map (fun j => bind (concatenated (map (fun i => m i j) x)) shuffle N) K)
    with (map (fun j => bind_table (Messages.concatenated (map (fun i => m i j N) x)) Shuffle.shuffle) K).
  2:{ apply map_ext. intro j. unfold bind. rewrite concatenated_at, map_map. f_equal.
      apply functional_extensionality; intro l. rewrite shuffle_finite. reflexivity. }
  apply Law.E_ext; intro ls. rewrite shuffle_finite. reflexivity.
Qed.

(* ---- composition over a list ---- *)
Lemma independent_close {J A} : forall (K : list J) (f g : J -> law A) (ee dd : J -> R),
  (forall j, proper (f j)) -> (forall j, proper (g j)) -> (forall j, 0 <= dd j) -> (forall j, close (ee j) (dd j) (f j) (g j)) ->
  close (Messages.sum_of (map ee K)) (Messages.sum_of (map dd K)) (independent (map f K)) (independent (map g K)).
Proof.
  intros K f g ee dd F G D C. induction K as [|j K IH].
  - simpl. apply close_refl; [apply proper_point | lra | lra].
  - assert (PI : forall h : J -> law A, (forall j, proper (h j)) -> proper (independent (map h K))).
    { intros h H. apply proper_independent, Forall_forall. intros d I. apply in_map_iff in I. destruct I as [a [I _]]. subst; auto. }
    assert (S : forall h : J -> law A, (forall j, proper (h j)) ->
      same_law (bind (bind (h j) (fun a => bind (independent (map h K)) (fun l => point (a, l)))) (fun p => point (fst p :: snd p))) (independent (map h (j :: K)))).
    { intros h H q Q. apply E_slices; intro N. rewrite !slice_bind. cbn [map independent]. rewrite slice_bind. apply Law.E_ext; intro a.
      rewrite !slice_bind. apply Law.E_ext; intro l. unfold point. simpl. ring. }
    apply (close_same _ _ _ _ _ _ (S f F) (S g G)).
    apply post_processing; try (intro; apply proper_point).
    1,2: apply proper_bind; auto; intro; apply proper_bind; auto; intro; apply proper_point.
    cbn [map Messages.sum_of fold_right]. fold (Messages.sum_of (map ee K)). fold (Messages.sum_of (map dd K)).
    apply (composition_adaptive (ee j) (dd j) _ _ (f j) (g j) (fun _ => independent (map f K)) (fun _ => independent (map g K))); auto.
    clear -D. induction K as [|a K IHK]; cbn [map Messages.sum_of fold_right]; [lra|]. specialize (D a). unfold Messages.sum_of in IHK. lra.
Qed.

(* ---- the generating function ---- *)
Theorem poisson_generating : forall a w, 0 <= a -> 0 <= w <= 1 -> E (Pois a) (fun i => w ^ i) = exp (a * (w - 1)).
Proof.
  intros a w A W. apply real_limit. apply is_lim_seq_incr_1.
  apply is_lim_seq_ext with (u := fun n => exp (- a) * sum_f_R0 (fun i => / INR (fact i) * (a * w) ^ i) n).
  - intro n. unfold Pois. rewrite sum_seq, scal_sum. apply sum_eq. intros i _. unfold poisson, Rdiv. rewrite Rpow_mult_distr. ring.
  - replace (Finite (exp (a * (w - 1)))) with (Rbar_mult (exp (- a)) (exp (a * w))).
    + apply is_lim_seq_scal_l. apply is_lim_seq_Reals. exact (proj2_sig (exist_exp (a * w))).
    + simpl. rewrite <- exp_plus. f_equal. f_equal. ring.
Qed.

(* ---- bits without their order ---- *)
Lemma bits_sorted : forall q s (H : list bool -> R), 0 <= q <= 1 -> bounded H -> order_free H ->
  E (samples (Ber q) s) H = E (Bin s q) (fun c => H (repeat true c ++ repeat false (s - c))).
Proof.
  intros q s H Q. revert H. induction s; intros H B O.
  - rewrite E_samples_O. simpl. rewrite E_point. reflexivity.
  - destruct B as [M HM]. assert (B : bounded H) by (exists M; auto).
    rewrite E_samples_S by (auto using proper_Ber). rewrite E_Ber.
    rewrite E_Bin_S by (auto; exists M; auto).
    rewrite !IHs; try (exists M; intro; auto); try (intros l l' P; apply O; auto).
    f_equal; f_equal; apply E_Bin_le; auto; try (exists M; intro; auto); intros c L.
    replace (S s - c)%nat with (S (s - c)) by lia. cbn [repeat]. apply O. apply Permutation_cons_app. apply Permutation_refl.
Qed.

Section Pool.
Context {X : Type} (U : universe X) (lambda : R) (n : nat).
Hypothesis lambda_pos : 0 <= lambda.
Hypothesis n_pos : (0 < n)%nat.
Let mu0 := lambda / INR n.
Lemma mu0_pos : 0 <= mu0.
Proof. apply Rmult_le_pos; auto. left. apply Rinv_0_lt_compat, lt_0_INR; auto. Qed.

(* What user x sends with the label j. *)
Definition labelled (x j : X) : law (list (X * bool)) :=
  bind (Pois mu0) (fun s => bind (samples (Ber (1 / 2)) s) (fun b => point ((j, is_element U x j) :: map (pair j) b))).
Lemma R_UT_labelled : forall x, R_UT U lambda n x = concatenated (map (labelled x) (elements U)).
Proof. reflexivity. Qed.
Lemma proper_labelled : forall x j, proper (labelled x j).
Proof.
  intros. apply proper_bind; [apply proper_Pois, mu0_pos|]. intro s.
  apply proper_bind; [apply proper_samples, proper_Ber; lra | intro; apply proper_point].
Qed.
Definition arranged (j : X) (a b : nat) : list (X * bool) := repeat (j, true) a ++ repeat (j, false) b.
Definition two (mu : R) : law (nat * nat) := joint (Pois (mu / 2)) (Pois (mu / 2)).
Lemma proper_two : forall mu, 0 <= mu -> proper (two mu).
Proof. intros mu H. apply proper_joint; apply proper_Pois; lra. Qed.

(* One user. *)
Lemma one_user : forall x j (G : list (X * bool) -> R), bounded G -> order_free G ->
  E (labelled x j) G = E (two mu0) (fun p => G (arranged j ((if is_element U x j then 1 else 0) + fst p) ((if is_element U x j then 0 else 1) + snd p))).
Proof.
  intros x j G [M HM] O. assert (B : bounded G) by (exists M; auto). pose proof mu0_pos as M0.
  unfold labelled. rewrite E_bind; [|apply proper_Pois; auto | intro; apply proper_bind; [apply proper_samples, proper_Ber; lra | intro; apply proper_point] | auto].
  set (m := (j, is_element U x j)).
  rewrite (E_ext _ _ (fun s => E (Bin s (1 / 2)) (fun c => G (m :: arranged j c (s - c))))).
  2:{ intro s. rewrite E_bind; [|apply proper_samples, proper_Ber; lra | intro; apply proper_point | auto].
      rewrite (E_ext _ _ (fun b => G (m :: map (pair j) b))) by (intro; apply E_point).
      rewrite bits_sorted; [|lra | exists M; auto | intros l l' P; apply O; constructor; apply Permutation_map; auto].
      apply E_ext; intro c. rewrite map_app. unfold arranged. f_equal. f_equal. f_equal; clear; [induction c | induction (s - c)%nat]; simpl; f_equal; auto. }
  pose (H p := G (m :: arranged j (fst p) (snd p))).
  transitivity (E (thinned mu0 (1 / 2)) H).
  - unfold thinned. rewrite E_bind; [|apply proper_Pois; auto | intro; apply proper_bind; [apply proper_Bin; lra | intro; apply proper_point] | exists M; intro; apply HM].
    apply E_ext; intro s. rewrite E_bind; [|apply proper_Bin; lra | intro; apply proper_point | exists M; intro; apply HM].
    apply E_ext; intro c. rewrite E_point. reflexivity.
  - rewrite (thinning mu0 (1 / 2)) by (auto; try lra; exists M; intro; apply HM).
    unfold two. replace (mu0 * (1 / 2)) with (mu0 / 2) by field. replace (mu0 * (1 - 1 / 2)) with (mu0 / 2) by field.
    apply E_ext; intros [a b]. unfold H, m, arranged. cbn [fst snd]. apply O. destruct (is_element U x j); cbn [Nat.add repeat].
    + reflexivity.
    + rewrite (Permutation_middle (repeat (j, true) a) (repeat (j, false) b)). reflexivity.
Qed.

Lemma E_two : forall mu f, 0 <= mu -> bounded f -> E (two mu) f = E (Pois (mu / 2)) (fun a => E (Pois (mu / 2)) (fun b => f (a, b))).
Proof. intros. apply E_joint; auto; apply proper_Pois; lra. Qed.
(* Two users' noise. *)
Lemma two_sum : forall mu nu f, 0 <= mu -> 0 <= nu -> bounded f ->
  E (two mu) (fun p => E (two nu) (fun q => f (fst p + fst q, snd p + snd q)%nat)) = E (two (mu + nu)) f.
Proof.
  intros mu nu f A B [M HM]. assert (F : bounded f) by (exists M; auto).
  assert (P1 : proper (Pois (mu / 2))) by (apply proper_Pois; lra). assert (P2 : proper (Pois (nu / 2))) by (apply proper_Pois; lra).
  rewrite !E_two by (auto; try lra; try (exists M; intro; apply E_abs; [apply proper_two; auto|]; intro; apply HM)).
  rewrite (E_ext (Pois (mu / 2)) _ (fun a => E (Pois (nu / 2)) (fun a' => E (Pois (mu / 2)) (fun b => E (Pois (nu / 2)) (fun b' => f (a + a', b + b')%nat))))).
  2:{ intro a. cbn [fst snd].
      rewrite (E_ext (Pois (mu / 2)) _ (fun b => E (Pois (nu / 2)) (fun a' => E (Pois (nu / 2)) (fun b' => f (a + a', b + b')%nat)))).
      - apply E_swap; auto. exists M. intros; apply E_abs; auto.
      - intro b. apply E_two; auto. exists M; auto. }
  replace ((mu + nu) / 2) with (mu / 2 + nu / 2) by field.
  set (g := fun a => E (Pois (mu / 2 + nu / 2)) (fun b => f (a, b))).
  assert (PG : proper (Pois (mu / 2 + nu / 2))) by (apply proper_Pois; lra).
  assert (BG : bounded g) by (exists M; intro; apply E_abs; auto).
  rewrite <- (Pois_sum (mu / 2) (nu / 2)) by (auto; lra). rewrite E_sum_law by auto.
  apply E_ext; intro a. apply E_ext; intro a'. unfold g.
  rewrite <- (Pois_sum (mu / 2) (nu / 2)) by (try lra; exists M; auto). rewrite E_sum_law by (auto; exists M; auto). reflexivity.
Qed.

(* All users. *)
Lemma all_users : forall x j (G : list (X * bool) -> R), bounded G -> order_free G ->
  E (concatenated (map (fun i => labelled i j) x)) G
  = E (two (INR (length x) * mu0)) (fun p => G (arranged j (count U x j + fst p) (length x - count U x j + snd p))).
Proof.
  intros x j. pose proof mu0_pos as M0.
  assert (CL : forall x, (count U x j <= length x)%nat) by (intro y; unfold count; induction y as [|a y IH]; simpl; [lia | destruct (is_element U a j); simpl; lia]).
  induction x as [|i x IH]; intros G [M HM] O; assert (B : bounded G) by (exists M; auto).
  - cbn [map concatenated]. rewrite E_point. simpl (INR (length [])). rewrite Rmult_0_l.
    assert (Z : forall f : nat -> R, E (Pois (0 / 2)) f = f 0%nat).
    { intro f. replace (0 / 2) with 0 by field. apply real_limit. apply is_lim_seq_incr_1.
      apply is_lim_seq_ext with (u := fun _ => f 0%nat); [|apply is_lim_seq_const]. intro N. unfold Pois. rewrite sum_seq.
      induction N as [|N IHN].
      - simpl. unfold poisson. rewrite Ropp_0, exp_0. simpl. field.
      - simpl sum_f_R0. rewrite <- IHN. unfold poisson at 1. rewrite pow_ne_zero by lia. unfold Rdiv. ring. }
    rewrite E_two by (try lra; exists M; intro; apply HM). rewrite !Z. reflexivity.
  - cbn [map concatenated].
    assert (PC : proper (concatenated (map (fun i => labelled i j) x))).
    { apply proper_concatenated, Forall_forall. intros d I. apply in_map_iff in I. destruct I as [a [I _]]. subst. apply proper_labelled. }
    rewrite E_bind; [|apply proper_labelled | intro; apply proper_bind; auto; intro; apply proper_point | auto].
    rewrite (E_ext _ _ (fun l => E (two (INR (length x) * mu0)) (fun p => G (l ++ arranged j (count U x j + fst p) (length x - count U x j + snd p))))).
    2:{ intro l. rewrite E_bind; [|auto | intro; apply proper_point | auto].
        rewrite (E_ext _ _ (fun r => G (l ++ r))) by (intro; apply E_point).
        apply IH; [exists M; auto | intros r r' P; apply O; apply Permutation_app_head; auto]. }
    assert (LM : 0 <= INR (length x) * mu0) by (apply Rmult_le_pos; auto using pos_INR).
    rewrite one_user.
    2:{ exists M. intro l. apply E_abs; [apply proper_two; auto | intro; apply HM]. }
    2:{ intros l l' P. apply E_ext; intro p. apply O, Permutation_app_tail; auto. }
    pose (H p := G (arranged j (count U (i :: x) j + fst p) (length (i :: x) - count U (i :: x) j + snd p))).
    transitivity (E (two mu0) (fun p => E (two (INR (length x) * mu0)) (fun q => H (fst p + fst q, snd p + snd q)%nat))).
    + apply E_ext; intro p. apply E_ext; intro q. unfold H. apply O. cbn [fst snd].
      specialize (CL x).
      assert (PM : forall v v' a a' b b', Permutation ((repeat v a ++ repeat v' b) ++ (repeat v a' ++ repeat v' b')) (repeat v (a + a') ++ repeat v' (b + b') : list (X * bool))).
      { intros. rewrite !repeat_app, <- !app_assoc. apply Permutation_app_head. rewrite !app_assoc. apply Permutation_app_tail, Permutation_app_comm. }
      unfold arranged. rewrite PM.
      assert (CC : count U (i :: x) j = ((if is_element U i j then 1 else 0) + count U x j)%nat) by (unfold count; cbn [filter]; destruct (is_element U i j); reflexivity).
      rewrite CC. cbn [length]. destruct (is_element U i j); match goal with |- Permutation ?a ?b => replace a with b; [reflexivity|] end; f_equal; f_equal; lia.
    + rewrite two_sum by (auto; exists M; intro; apply HM). cbn [length]. rewrite S_INR.
      replace ((INR (length x) + 1) * mu0) with (mu0 + INR (length x) * mu0) by ring. reflexivity.
Qed.

(* The pool as everybody sees it, by the numbers of ones and zeros. *)
Definition seen_pool (c N : nat) (mu : R) (j : X) : law (list (X * bool)) :=
  bind (two mu) (fun p => shuffle (arranged j (c + fst p) (N - c + snd p))).
Lemma pool_seen : forall x j, same_law (seen_pool (count U x j) (length x) (INR (length x) * mu0) j)
  (bind (concatenated (map (fun i => labelled i j) x)) shuffle).
Proof.
  intros x j f [M HM]. assert (F : bounded f) by (exists M; auto).
  assert (LM : 0 <= INR (length x) * mu0) by (apply Rmult_le_pos; auto using pos_INR, mu0_pos).
  unfold seen_pool. rewrite E_bind; [|apply proper_two; auto | intro; apply proper_shuffle | auto].
  rewrite E_bind; [|apply proper_concatenated, Forall_forall; intros d I; apply in_map_iff in I; destruct I as [a [I _]]; subst; apply proper_labelled | intro; apply proper_shuffle | auto].
  rewrite all_users; [reflexivity | apply bounded_E; auto; intro; apply proper_shuffle|].
  intros l l' P. rewrite !shuffle_finite, !E_finite. apply Shuffle.shuffle_perm; auto.
Qed.
End Pool.

(* ---- one pool: a shift by one ---- *)
Section Shift.
Variables eps mu : R.
Hypothesis eps_pos : 0 < eps.
Hypothesis mu_pos : 0 <= mu.
Let c2 := ((exp eps + 1) / (exp eps - 1)) ^ 2.
Let w := exp (- / (206 / 100 * c2)).
Lemma c2_ge1 : 1 <= c2.
Proof.
  unfold c2. assert (1 < exp eps) by (rewrite <- exp_0; apply exp_increasing; auto).
  assert (1 <= (exp eps + 1) / (exp eps - 1)).
  { apply Rmult_le_reg_r with (exp eps - 1); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra. }
  simpl. nra.
Qed.
Lemma w_range : 0 < w < 1.
Proof.
  split; [apply exp_pos|]. unfold w. rewrite <- exp_0. apply exp_increasing. pose proof c2_ge1.
  assert (0 < / (206 / 100 * c2)) by (apply Rinv_0_lt_compat; lra). lra.
Qed.
(* Bin(L, 1/2) hides one up to 2 w^L. *)
Lemma hides_at : forall L a b, (Z.abs (a - b) <= 1)%Z ->
  Closeness.close eps (2 * w ^ L) (BinomialMechanism.noisy L (1 / 2) a) (BinomialMechanism.noisy L (1 / 2) b).
Proof.
  intros L a b AB. pose proof w_range as W. assert (WL : 0 < w ^ L) by (apply pow_lt; lra).
  destruct (Rle_dec (2 * w ^ L) 1) as [D|D].
  - apply (proj2 (BinomialMechanism.hides_one_iff L (1 / 2) eps (2 * w ^ L))); auto.
    apply BinomialSharp.b_noise_sharp; auto; try lra.
    unfold BinarySum.noise_scale. fold c2. replace (2 / (2 * w ^ L)) with (/ w ^ L) by (field; lra).
    rewrite ln_Rinv by auto. assert (LW : ln (w ^ L) = - (INR L / (206 / 100 * c2))).
    { unfold w. rewrite <- Rpower_pow by apply exp_pos. unfold Rpower. rewrite ln_exp, ln_exp. unfold Rdiv. ring. }
    rewrite LW. pose proof c2_ge1. rewrite Rmin_left by lra. right. replace 1.03 with (103 / 100) by lra. field. lra.
  - intro T. assert (P : forall z, 0 <= Law.Pr (BinomialMechanism.noisy L (1 / 2) z) T <= 1) by (intro; apply Law.Pr_01, BinomialMechanism.proper_noisy; lra).
    pose proof (P a). pose proof (P b). pose proof (exp_pos eps).
    assert (0 <= exp eps * Law.Pr (BinomialMechanism.noisy L (1 / 2) b) T) by (apply Rmult_le_pos; lra). lra.
Qed.
(* c ones and N - c zeros with noise, seen as (ones, total). *)
Definition pool_counts (c N : nat) : law (nat * nat) := bind (two mu) (fun p => point (c + fst p, N - c + snd p)%nat).
Theorem pool_close : forall c c' N, (c <= N)%nat -> (c' <= N)%nat -> (c <= c' + 1)%nat -> (c' <= c + 1)%nat ->
  close eps (2 * exp (mu * (w - 1))) (pool_counts c N) (pool_counts c' N).
Proof.
  intros c c' N C1 C2 C3 C4 T. pose proof w_range as W.
  (* the pool as noise L, then coins *)
  assert (S : forall d, (d <= N)%nat -> Pr (pool_counts d N) T
    = E (Pois mu) (fun L => Law.Pr (BinomialMechanism.noisy L (1 / 2) (Z.of_nat d)) (fun z => T (Z.to_nat z, N + L - Z.to_nat z)%nat))).
  { intros d D. unfold Pr, pool_counts. rewrite E_bind; [|apply proper_two; auto | intro; apply proper_point | apply bounded_indicator].
    rewrite (E_ext (two mu) _ (fun p => indicator (T (d + fst p, N - d + snd p)%nat))) by (intro; rewrite E_point; reflexivity).
    unfold two. replace (mu / 2) with (mu * (1 / 2)) at 1 by field. replace (mu / 2) with (mu * (1 - 1 / 2)) by field.
    rewrite <- (thinning mu (1 / 2)) by (auto; try lra; apply bounded_indicator).
    unfold thinned. rewrite E_bind; [|apply proper_Pois; auto | intro; apply proper_bind; [apply proper_Bin; lra | intro; apply proper_point] | apply bounded_indicator].
    apply E_ext; intro L. rewrite E_bind; [|apply proper_Bin; lra | intro; apply proper_point | apply bounded_indicator].
    rewrite Bin_finite, E_finite. unfold Law.Pr. rewrite BinomialMechanism.E_noisy.
    apply Law.E_ext_in. intros q Q. apply BinomialMechanism.Bin_range in Q. rewrite E_point. cbn [fst snd]. f_equal. f_equal.
    rewrite <- Nat2Z.inj_add, Nat2Z.id. f_equal. lia. }
  rewrite (S c C1), (S c' C2). rewrite <- (poisson_generating mu w) by lra.
  set (f := fun d L => Law.Pr (BinomialMechanism.noisy L (1 / 2) (Z.of_nat d)) (fun z => T (Z.to_nat z, N + L - Z.to_nat z)%nat)).
  assert (P : forall d L, 0 <= f d L <= 1) by (intros; apply Law.Pr_01, BinomialMechanism.proper_noisy; lra).
  assert (PM : proper (Pois mu)) by (apply proper_Pois; auto).
  assert (BW : bounded (fun i => w ^ i)).
  { apply bounded_01. intro i. split; [apply pow_le; lra|]. rewrite <- (pow1 i). apply pow_incr; lra. }
  assert (BF : forall d, bounded (f d)) by (intro d; apply bounded_01; intro; apply P).
  change (E (Pois mu) (f c) <= exp eps * E (Pois mu) (f c') + 2 * E (Pois mu) (fun i => w ^ i)).
  rewrite <- (E_mult (Pois mu) PM (exp eps) (f c') (BF c')), <- (E_mult (Pois mu) PM 2 _ BW).
  rewrite <- E_plus by (auto using bounded_const_mult).
  apply E_le; auto using bounded_plus, bounded_const_mult.
  intro L. apply (hides_at L (Z.of_nat c) (Z.of_nat c')); lia.
Qed.
End Shift.
