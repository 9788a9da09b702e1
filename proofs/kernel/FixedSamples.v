(* Section 4, both testers for a fixed number of samples: n users hold one sample each and take part with probability m/n, by
   coins of their own; who takes no part sends the data bit 0 to every pool.  The number of those who take part is Bin(n, m/n),
   whose masses are at most sqrt(n/(n-m)) times those of Pois(m): so are the probabilities of the errors.  All users add noise:
   privacy, robustness included, is that of P_UT. *)
From Coq Require Import Reals ZArith Lra Lia List Bool Permutation.
From Coquelicot Require Import Rcomplements.
From PanshuffleKernel Require Law Calculus.
From PanshuffleKernel Require Import Countable Privacy Masses Model Poisson Section4Transformation PoissonPools Section4Privacy Means
  Poissonization Statistic Tester Section4Tester Preprocessing Section4Compression.
From PanshuffleKernel Require Import Paper.
Import ListNotations.
Open Scope R_scope.

(* ---- Bin(n, m/n) <= sqrt(n/(n-m)) Pois(m) ---- *)
(* a^j/j!, largest at j = a. *)
Definition bump (a j : nat) : R := INR a ^ j / INR (fact j).
Lemma fact_S : forall n, INR (fact (S n)) = INR (S n) * INR (fact n).
Proof. intro. rewrite <- mult_INR. reflexivity. Qed.
Lemma bump_pos : forall a j, (0 < a)%nat -> 0 < bump a j.
Proof. intros a j A. apply Rdiv_lt_0_compat; [apply pow_lt, lt_0_INR; auto | apply fact_pos]. Qed.
(* It rises up to j = a, and falls from there. *)
Lemma bump_moves : forall a j, (0 < a)%nat -> ((a <= j)%nat -> bump a (S j) <= bump a j) /\ ((j < a)%nat -> bump a j <= bump a (S j)).
Proof.
  intros a j A. pose proof (bump_pos a j A) as P. assert (Q : 0 < INR (S j)) by (apply lt_0_INR; lia).
  assert (S1 : INR (S j) * bump a (S j) = INR a * bump a j).
  { unfold bump. rewrite fact_S. pose proof (fact_pos j). cbn [pow]. field. lra. }
  split; intro H; apply (Rmult_le_reg_l (INR (S j))); auto; rewrite S1; apply Rmult_le_compat_r; try lra; apply le_INR; lia.
Qed.
Lemma bump_top : forall a j, (0 < a)%nat -> bump a j <= bump a a.
Proof.
  intros a j A. destruct (le_lt_dec a j) as [L|L].
  - induction L as [|j L IH]; [lra|]. apply Rle_trans with (bump a j); [apply bump_moves; auto | exact IH].
  - assert (D : forall d, (d <= a)%nat -> bump a (a - d) <= bump a a).
    { induction d as [|d IH]; intro H; [rewrite Nat.sub_0_r; lra|]. eapply Rle_trans; [|apply IH; lia].
      replace (a - d)%nat with (S (a - S d)) by lia. apply (proj2 (bump_moves a (a - S d) A)). lia. }
    replace j with (a - (a - j))%nat by lia. apply D. lia.
Qed.
(* e <= (1 + 1/n)^(n + 1/2): the rest in Stirling's formula falls. *)
Lemma e_below : forall n, (0 < n)%nat -> exp 1 * INR n ^ n * sqrt (INR n) <= INR (S n) ^ n * sqrt (INR (S n)).
Proof.
  intros n N. assert (P : 0 < INR n) by (apply lt_0_INR; auto). assert (Q : 0 < INR (S n)) by (apply lt_0_INR; lia).
  assert (F : forall x k, 0 < x -> x ^ k * sqrt x = exp ((INR k + / 2) * ln x)).
  { intros x k X. rewrite <- Rpower_sqrt, <- Rpower_pow, <- Rpower_plus by auto. reflexivity. }
  rewrite Rmult_assoc, !F, <- exp_plus by auto. apply exp_le.
  pose proof (Calculus.ln_above (INR (S n) / INR n)) as L.
  assert (LN : ln (INR (S n) / INR n) = ln (INR (S n)) + - ln (INR n)).
  { unfold Rdiv. rewrite ln_mult, ln_Rinv by (auto; apply Rinv_0_lt_compat; auto). reflexivity. }
  rewrite LN in L.
  assert (Y : 2 * (INR (S n) / INR n - 1) / (INR (S n) / INR n + 1) = / (INR n + / 2)) by (rewrite S_INR; field; lra). rewrite Y in L.
  assert (1 <= (INR n + / 2) * (ln (INR (S n)) + - ln (INR n))); [|lra].
  rewrite <- (Rinv_r (INR n + / 2)) by lra. apply Rmult_le_compat_l; [lra|]. apply L.
  rewrite S_INR. apply Rmult_le_reg_r with (INR n); auto. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra.
Qed.
Lemma bump_ratio : forall a d, (0 < a)%nat -> bump a a * exp (INR d) * sqrt (INR a) <= bump (a + d) (a + d) * sqrt (INR (a + d)).
Proof.
  intros a d A. induction d as [|d IH]; [rewrite Nat.add_0_r; simpl INR; rewrite exp_0; lra|].
  rewrite S_INR, exp_plus. replace (a + S d)%nat with (S (a + d)) by lia. set (n := (a + d)%nat) in *.
  pose proof (exp_pos 1) as X. pose proof (e_below n ltac:(unfold n; lia)) as EB. pose proof (fact_pos n) as FN.
  apply Rle_trans with (bump n n * sqrt (INR n) * exp 1).
  - replace (bump a a * (exp (INR d) * exp 1) * sqrt (INR a)) with (bump a a * exp (INR d) * sqrt (INR a) * exp 1) by ring.
    apply Rmult_le_compat_r; [lra | exact IH].
  - unfold bump. rewrite fact_S. assert (0 < INR (S n)) by (apply lt_0_INR; lia). cbn [pow].
    replace (INR n ^ n / INR (fact n) * sqrt (INR n) * exp 1) with (exp 1 * INR n ^ n * sqrt (INR n) / INR (fact n)) by (field; lra).
    replace (INR (S n) * INR (S n) ^ n / (INR (S n) * INR (fact n)) * sqrt (INR (S n)))
      with (INR (S n) ^ n * sqrt (INR (S n)) / INR (fact n)) by (field; lra).
    apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; auto | exact EB].
Qed.
Definition cost (n m : nat) : R := sqrt (INR n / (INR n - INR m)).
Lemma share_01 : forall m n, 0 <= INR (Nat.min m n) / INR n <= 1.
Proof.
  intros m n. destruct n as [|n]; [rewrite Nat.min_0_r; simpl; unfold Rdiv; rewrite Rmult_0_l; lra|].
  assert (0 < INR (S n)) by (apply lt_0_INR; lia). assert (INR (Nat.min m (S n)) <= INR (S n)) by (apply le_INR; lia).
  split; [apply Rmult_le_pos; [apply pos_INR | left; apply Rinv_0_lt_compat; auto]|].
  apply Rmult_le_reg_r with (INR (S n)); auto. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra.
Qed.
Lemma mass_below : forall n m i, (0 < m < n)%nat -> (i <= n)%nat -> mass (Bin n (INR m / INR n)) i <= cost n m * poisson (INR m) i.
Proof.
  intros n m i H L. set (a := (n - m)%nat). set (j := (n - i)%nat).
  assert (A : (0 < a)%nat) by (unfold a; lia). assert (AP : 0 < INR a) by (apply lt_0_INR; auto).
  assert (N : INR n = INR a + INR m) by (rewrite <- plus_INR; f_equal; unfold a; lia).
  assert (NP : 0 < INR n) by (apply lt_0_INR; lia). assert (MP : 0 < INR m) by (apply lt_0_INR; lia).
  pose proof (share_01 m n) as P. rewrite Nat.min_l in P by lia. rewrite mass_Bin by auto.
  pose proof (choose_fact i j) as CF. replace (i + j)%nat with n in CF by (unfold j; lia).
  pose proof (fact_pos i) as FI. pose proof (fact_pos j) as FJ. pose proof (fact_pos n) as FN. fold j.
  assert (PN : 0 < INR n ^ n) by (apply pow_lt; auto).
  replace (1 - INR m / INR n) with (INR a / INR n) by (rewrite N; field; lra).
  assert (ML : INR (choose n i) * (INR m / INR n) ^ i * (INR a / INR n) ^ j = INR m ^ i / INR (fact i) * (bump a j / bump n n)).
  { unfold bump, Rdiv. rewrite !Rpow_mult_distr, <- CF.
    replace (INR n ^ n) with (INR n ^ i * INR n ^ j) by (rewrite <- pow_add; f_equal; unfold j; lia).
    rewrite !pow_inv by lra.
    assert (0 < INR (choose n i)).
    { apply Rmult_lt_reg_r with (INR (fact i)); auto. apply Rmult_lt_reg_r with (INR (fact j)); auto. lra. }
    field. repeat split; try lra; apply pow_nonzero; lra. }
  rewrite ML. unfold poisson.
  replace (cost n m * (exp (- INR m) * (INR m ^ i / INR (fact i)))) with (INR m ^ i / INR (fact i) * (cost n m * exp (- INR m))) by ring.
  apply Rmult_le_compat_l; [left; apply Rdiv_lt_0_compat; auto; apply pow_lt; auto|].
  pose proof (bump_pos n n ltac:(lia)) as BN. pose proof (bump_top a j A) as BT.
  apply Rle_trans with (bump a a / bump n n); [apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat|]; auto|].
  pose proof (bump_ratio a m A) as BR. replace (a + m)%nat with n in BR by (unfold a; lia).
  unfold cost. replace (INR n - INR m) with (INR a) by lra. rewrite sqrt_div_alt by auto. rewrite exp_Ropp.
  pose proof (exp_pos (INR m)) as EP. assert (SA : 0 < sqrt (INR a)) by (apply sqrt_lt_R0; auto).
  apply Rmult_le_reg_r with (bump n n * exp (INR m) * sqrt (INR a)); [apply Rmult_lt_0_compat; auto; apply Rmult_lt_0_compat; auto|].
  replace (bump a a / bump n n * (bump n n * exp (INR m) * sqrt (INR a))) with (bump a a * exp (INR m) * sqrt (INR a)) by (field; lra).
  replace (sqrt (INR n) / sqrt (INR a) * / exp (INR m) * (bump n n * exp (INR m) * sqrt (INR a))) with (bump n n * sqrt (INR n))
    by (field; lra).
  exact BR.
Qed.
Theorem binomial_below_poisson : forall n m f, (0 < m < n)%nat -> bounded f -> (forall c, 0 <= f c) ->
  E (Bin n (INR m / INR n)) f <= cost n m * E (Pois (INR m)) f.
Proof.
  intros n m f H B F. pose proof (share_01 m n) as P. rewrite Nat.min_l in P by lia.
  assert (PB : proper (Bin n (INR m / INR n))) by (apply proper_Bin; auto).
  assert (PP : proper (Pois (INR m))) by apply proper_Pois, pos_INR.
  set (l := seq 0 (S n)). set (g c := indicator (among l c) * f c).
  assert (BG : bounded g) by (apply bounded_mult; auto using bounded_indicator).
  assert (C0 : 0 <= cost n m) by apply sqrt_pos.
  rewrite (E_Bin_le n _ f g); auto.
  2:{ intros c L. unfold g. rewrite (proj2 (among_true l c)) by (apply in_seq; lia). cbn [indicator]. ring. }
  apply Rle_trans with (cost n m * E (Pois (INR m)) g).
  - unfold g. rewrite !E_on by (auto; apply seq_NoDup). rewrite <- total_scale. apply total_le. intros c I. apply in_seq in I.
    rewrite mass_Pois, <- Rmult_assoc. apply Rmult_le_compat_r; auto. apply mass_below; auto; lia.
  - apply Rmult_le_compat_l; auto. apply E_le; auto. intro c. unfold g. specialize (F c). destruct (among l c); cbn [indicator]; lra.
Qed.
Theorem binomial_poisson_distance : forall n m, (0 < m < n)%nat ->
  tv_at_most (Bin n (INR m / INR n)) (Pois (INR m)) (1 - sqrt (1 - INR m / INR n)).
Proof.
  intros n m H. assert (NP : 0 < INR n) by (apply lt_0_INR; lia). assert (MN : INR m < INR n) by (apply lt_INR; lia).
  pose proof (share_01 m n) as P. rewrite Nat.min_l in P by lia.
  assert (PB : proper (Bin n (INR m / INR n))) by (apply proper_Bin; auto).
  assert (PP : proper (Pois (INR m))) by apply proper_Pois, pos_INR.
  set (s := sqrt (1 - INR m / INR n)).
  assert (S1 : s * cost n m = 1).
  { unfold s, cost. rewrite <- sqrt_mult_alt by lra.
    replace ((1 - INR m / INR n) * (INR n / (INR n - INR m))) with 1 by (field; lra). apply sqrt_1. }
  assert (S0 : 0 <= s) by apply sqrt_pos. assert (SL : s <= 1) by (rewrite <- sqrt_1; apply sqrt_le_1_alt; lra).
  assert (ONE : forall T, Pr (Bin n (INR m / INR n)) T - Pr (Pois (INR m)) T <= 1 - s).
  { intro T. pose proof (Pr_01 _ PB T) as B. assert (s * Pr (Bin n (INR m / INR n)) T <= Pr (Pois (INR m)) T); [|nra].
    rewrite <- (Rmult_1_l (Pr (Pois (INR m)) T)), <- S1, Rmult_assoc. apply Rmult_le_compat_l; auto.
    apply binomial_below_poisson; auto using bounded_indicator. intro c. destruct (T c); cbn [indicator]; lra. }
  intro T. pose proof (ONE T) as U. pose proof (ONE (fun c => negb (T c))) as V. rewrite !Pr_negb in V by auto. apply Rabs_le. lra.
Qed.

(* ---- each user takes part by a coin of its own ---- *)
Definition takes_part {A} (t : R) (a : A) : law (option A) := bind (Ber t) (fun b : bool => point (if b then Some a else None)).
Definition taking_part {A} (z : list (option A)) : list A := flat_map (fun o => match o with Some a => [a] | None => [] end) z.
Definition thins {A} (t : R) (D : law A) (W : law (option A)) : Prop :=
  forall f, bounded f -> E W f = t * E D (fun a => f (Some a)) + (1 - t) * f None.
Lemma proper_takes_part {A} : forall t (a : A), 0 <= t <= 1 -> proper (takes_part t a).
Proof. intros. apply proper_bind; [apply proper_Ber; auto | intro; apply proper_point]. Qed.
Lemma takes_part_thins {A B} : forall t (D : law B) (K : B -> law A), proper D -> (forall b, proper (K b)) -> 0 <= t <= 1 ->
  thins t (bind D K) (bind D (fun b => bind (K b) (takes_part t))).
Proof.
  intros t D K PD PK T f F. assert (PT : forall a : A, proper (takes_part t a)) by (intro; apply proper_takes_part; auto).
  assert (FS : bounded (fun a => f (Some a))) by (apply bounded_comp; auto).
  rewrite E_bind; [|auto | intro; apply proper_bind; auto | auto]. rewrite (E_bind D K) by auto.
  rewrite (E_ext D _ (fun b => t * E (K b) (fun a => f (Some a)) + (1 - t) * f None)).
  - rewrite E_plus, E_mult, E_const; auto using bounded_const, bounded_const_mult, (bounded_E K).
  - intro b. rewrite E_bind by auto. rewrite (E_ext (K b) _ (fun a => t * f (Some a) + (1 - t) * f None)).
    + rewrite E_plus, E_mult, E_const; auto using bounded_const, bounded_const_mult.
    + intro a. unfold takes_part. rewrite E_bind_point by (auto; apply proper_Ber; auto). apply E_Ber.
Qed.
(* The number of those who take part is binomial; given it, they hold samples of D. *)
Lemma taking_part_samples {A} : forall (D : law A) W t n f, proper D -> proper W -> thins t D W -> 0 <= t <= 1 -> bounded f ->
  E (samples W n) (fun z => f (taking_part z)) = E (Bin n t) (fun c => E (samples D c) f).
Proof.
  intros D W t n f PD PW TH T. revert f. induction n as [|n IH]; intros f [M HM].
  - rewrite E_samples_O. cbn [Bin]. rewrite E_point, E_samples_O. reflexivity.
  - assert (F : bounded f) by (exists M; auto). assert (PN : proper (Bin n t)) by (apply proper_Bin; auto).
    assert (PS : forall c, proper (samples D c)) by (intro; apply proper_samples; auto).
    rewrite E_samples_S by (auto; exists M; auto). rewrite E_Bin_S by (auto; apply (bounded_E (fun c => samples D c)); auto).
    rewrite TH by (apply bounded_E2; [apply proper_samples; auto | exists M; auto]). unfold taking_part. cbn [flat_map app].
    f_equal; f_equal; [|apply IH; auto].
    rewrite (E_ext D _ (fun a => E (Bin n t) (fun c => E (samples D c) (fun l => f (a :: l)))))
      by (intro a; apply (IH (fun l => f (a :: l))); exists M; auto).
    rewrite E_swap by (auto; exists M; intros a c; apply E_abs; auto).
    apply E_ext; intro c. rewrite E_samples_S by auto. reflexivity.
Qed.
Theorem thinned_samples {A} : forall (D : law A) W n m f, proper D -> proper W -> thins (INR m / INR n) D W -> (0 < m < n)%nat ->
  bounded f -> (forall l, 0 <= f l) -> E (samples W n) (fun z => f (taking_part z)) <= cost n m * E (poissonized (INR m) D) f.
Proof.
  intros D W n m f PD PW TH H B F. pose proof (share_01 m n) as T. rewrite Nat.min_l in T by lia.
  assert (PS : forall c, proper (samples D c)) by (intro; apply proper_samples; auto).
  rewrite (taking_part_samples D W (INR m / INR n)) by auto.
  unfold poissonized. rewrite E_bind by (auto; apply proper_Pois, pos_INR).
  apply binomial_below_poisson; auto; [apply (bounded_E (fun c => samples D c)); auto|].
  intro c. destruct B as [M HM]. apply (E_range _ (PS c) f 0 M). intro l. split; auto. pose proof (Rle_abs (f l)). specialize (HM l). lra.
Qed.

(* ---- what a user sends: nobody's element has the bit 0 in every pool ---- *)
Definition holds {J} (G : universe J) (o : option J) (j : J) : bool := match o with Some a => is_element G a j | None => false end.
Definition part {J} (G : universe J) (lambda : R) (n : nat) (o : option J) (j : J) : law (list (J * bool)) :=
  bind (Pois (lambda / INR n)) (fun s => bind (samples (Ber (1 / 2)) s) (fun b => point ((j, holds G o j) :: map (pair j) b))).
Definition R_part {J} (G : universe J) (lambda : R) (n : nat) (o : option J) : law (list (J * bool)) :=
  concatenated (map (part G lambda n o) (elements G)).
(* The same with one more pool, for nobody, and without what is said there. *)
Definition or_nobody {J} (G : universe J) : universe (option J).
Proof.
  refine (Universe (None :: map Some (elements G)) _ _ _).
  - constructor; [intro I; apply in_map_iff in I; destruct I as [j [I _]]; discriminate|].
    apply FinFun.Injective_map_NoDup; [intros a b Q; congruence | apply (no_repetition J G)].
  - intros [j|]; [right; apply in_map, (complete J G) | left; reflexivity].
  - decide equality. apply (same G).
Defined.
Definition known {J} (y : list (option J * bool)) : list (J * bool) :=
  flat_map (fun v => match fst v with Some j => [(j, snd v)] | None => [] end) y.
Section Seen.
Context {J : Type} (G : universe J) (lambda : R) (L0 : 0 <= lambda).
Let G' := or_nobody G.
Lemma element_some : forall o j, is_element G' o (Some j) = holds G o j.
Proof.
  intros [a|] j; unfold holds, is_element; destruct (same G' _ (Some j)); try congruence. all: destruct (same G a j); congruence.
Qed.
Lemma known_app : forall y y' : list (option J * bool), known (y ++ y') = known y ++ known y'.
Proof. intros. apply flat_map_app. Qed.
Lemma known_labels : forall (o : option J) b, known (map (pair o) b) = match o with Some j => map (pair j) b | None => [] end.
Proof. intros o b. induction b as [|v b IH]; [|unfold known in *; cbn [map flat_map]; rewrite IH]; destruct o; reflexivity. Qed.
Lemma known_repeat : forall (o : option J) v a, known (repeat (o, v) a) = match o with Some j => repeat (j, v) a | None => [] end.
Proof. intros o v a. induction a as [|a IH]; [|unfold known in *; cbn [repeat flat_map]; rewrite IH]; destruct o; reflexivity. Qed.
Lemma known_order_free {A} : forall f : list (J * bool) -> A, (forall l l', Permutation l l' -> f l = f l') ->
  forall y y', Permutation y y' -> f (known y) = f (known y').
Proof. intros f F y y' P. apply F, Permutation_flat_map; auto. Qed.
Lemma part_slice : forall n o j N f,
  sum_over (labelled G' lambda n o (Some j) N) (fun l => f (known l)) = sum_over (part G lambda n o j N) f.
Proof.
  intros n o j N f. unfold labelled, part. rewrite !slice_bind. apply table_ext; intro s. rewrite !slice_bind. apply table_ext; intro b.
  unfold point. cbn [sum_over]. rewrite element_some.
  change (known ((Some j, holds G o j) :: map (pair (Some j)) b)) with ((j, holds G o j) :: known (map (pair (Some j)) b)).
  rewrite known_labels. reflexivity.
Qed.
Lemma part_slices : forall n o K N f,
  sum_over (concatenated (map (labelled G' lambda n o) (map Some K)) N) (fun l => f (known l))
  = sum_over (concatenated (map (part G lambda n o) K) N) f.
Proof.
  intros n o K N. induction K as [|j K IH]; intro f; [reflexivity|]. cbn [map concatenated]. rewrite !slice_bind.
  transitivity (sum_over (labelled G' lambda n o (Some j) N)
    (fun l => sum_over (concatenated (map (part G lambda n o) K) N) (fun r => f (known l ++ r)))).
  - apply table_ext; intro l. rewrite <- (IH (fun r => f (known l ++ r))), slice_bind. apply table_ext; intro r.
    unfold point. cbn [sum_over]. rewrite known_app. ring.
  - rewrite (part_slice n o j N (fun l => sum_over (concatenated (map (part G lambda n o) K) N) (fun r => f (l ++ r)))).
    apply table_ext; intro l. rewrite slice_bind. apply table_ext; intro r. unfold point. cbn [sum_over]. ring.
Qed.
Lemma part_known : forall n o f, (0 < n)%nat -> bounded f -> E (R_UT G' lambda n o) (fun l => f (known l)) = E (R_part G lambda n o) f.
Proof.
  intros n o f N [M HM]. rewrite R_UT_labelled. change (elements G') with (None :: map Some (elements G)). cbn [map concatenated].
  set (rest := concatenated (map (labelled G' lambda n o) (map Some (elements G)))).
  assert (PR : proper rest).
  { apply proper_concatenated, Forall_forall. intros d I. apply in_map_iff in I. destruct I as [a [I _]]. subst.
    apply proper_labelled; auto. }
  assert (PL : proper (labelled G' lambda n o None)) by (apply proper_labelled; auto).
  assert (BK : bounded (fun l => f (known l))) by (exists M; auto).
  rewrite E_bind; [|auto | intro; apply proper_bind; auto; intro; apply proper_point | auto].
  rewrite (E_ext _ _ (fun l => E rest (fun r => f (known (l ++ r))))) by (intro; rewrite E_bind_point by auto; reflexivity).
  assert (PB : proper (Ber (1 / 2))) by (apply proper_Ber; lra).
  assert (PP : proper (Pois (lambda / INR n))) by (apply proper_Pois, Rmult_le_pos; auto; left; apply Rinv_0_lt_compat, lt_0_INR; auto).
  assert (B2 : bounded (fun l => E rest (fun r => f (known (l ++ r))))) by (apply bounded_E2; auto; exists M; auto).
  unfold labelled. rewrite E_bind; [|auto | intro; apply proper_bind; [apply proper_samples; auto | intro; apply proper_point] | auto].
  rewrite <- (E_const _ PP (E (R_part G lambda n o) f)). apply E_ext; intro s.
  rewrite E_bind_point by (auto; apply proper_samples; auto).
  rewrite <- (E_const _ (proper_samples _ s PB) (E (R_part G lambda n o) f)). apply E_ext; intro b.
  rewrite (E_ext rest _ (fun r => f (known r))); [apply E_slices; intro k; apply part_slices|].
  intro r. rewrite known_app.
  change (known ((None, is_element G' o None) :: map (pair None) b)) with (known (map (@pair (option J) bool None) b)).
  rewrite known_labels. reflexivity.
Qed.
Lemma algorithm_R_part : forall n, (0 < n)%nat -> algorithm (R_part G lambda n).
Proof.
  intros n N o. apply proper_concatenated, Forall_forall. intros d I. apply in_map_iff in I. destruct I as [j [I _]]. subst.
  apply proper_bind; [apply proper_Pois, Rmult_le_pos; auto; left; apply Rinv_0_lt_compat, lt_0_INR; auto|]. intro s.
  apply proper_bind; [apply proper_samples, proper_Ber; lra | intro; apply proper_point].
Qed.
Lemma messages_known : forall n z f, (0 < n)%nat -> bounded f ->
  E (messages (R_UT G' lambda n) z) (fun l => f (known l)) = E (messages (R_part G lambda n) z) f.
Proof.
  intros n z f N. pose proof (algorithm_R_part n N) as A. assert (A' : algorithm (R_UT G' lambda n)) by (apply algorithm_R_UT; auto).
  assert (P' : forall z, proper (messages (R_UT G' lambda n) z)) by (intro; apply proper_messages; auto).
  assert (P : forall z, proper (messages (R_part G lambda n) z)) by (intro; apply proper_messages; auto).
  revert f. unfold messages in *. induction z as [|o z IH]; intros f [M HM]; cbn [map concatenated]; [rewrite !E_point; reflexivity|].
  rewrite !E_bind; auto; try (intro; apply proper_bind; auto; intro; apply proper_point); try (exists M; auto).
  rewrite <- (part_known n o); auto; [|apply bounded_E; [intro; apply proper_bind; auto; intro; apply proper_point | exists M; auto]].
  apply E_ext; intro l. rewrite !E_bind_point; auto; try (exists M; auto).
  rewrite <- (IH (fun r => f (known l ++ r))) by (exists M; auto). apply E_ext; intro r. rewrite known_app. reflexivity.
Qed.
Lemma view_known : forall n z, (0 < n)%nat ->
  same_law (view (R_part G lambda n) z) (bind (view (R_UT G' lambda n) z) (fun y => shuffle (known y))).
Proof.
  intros n z N f F. pose proof (algorithm_R_part n N) as A. assert (A' : algorithm (R_UT G' lambda n)) by (apply algorithm_R_UT; auto).
  assert (PS : forall l : list (J * bool), proper (shuffle l)) by (intro; apply proper_shuffle).
  assert (B : bounded (fun l => E (shuffle l) f)) by (apply (bounded_E (@shuffle (J * bool))); auto).
  rewrite E_view by auto. rewrite E_bind; [|apply proper_view; auto | auto | auto].
  rewrite E_order_free_view; auto;
    [symmetry; apply (messages_known n z (fun l => E (shuffle l) f)); auto | exact (bounded_comp known _ B) |].
  intros y y' P. apply (known_order_free (fun l => E (shuffle l) f)); auto. intros l l' Q.
  destruct (E_shuffle_perm l l' Q) as [S1|S1]; [rewrite S1; auto | apply S1; auto].
Qed.
(* Privacy is kept: that of P_UT on the larger universe. *)
Lemma part_private : forall eps delta gamma n honest, 0 < eps -> 0 < delta < 1 -> 0 < gamma <= 1 ->
  265 / 100 * noise_scale eps delta <= lambda -> (0 < honest <= n)%nat -> gamma * INR n <= INR honest ->
  private_on honest (2 * eps) (4 * Rpower (delta / 2) gamma) (view (R_part G lambda n)).
Proof.
  intros eps delta gamma n honest HE HD HG HL Hh Hg x x' L NB. assert (N : (0 < n)%nat) by lia.
  apply (close_same _ _ _ _ _ _ (same_sym _ _ (view_known n x N)) (same_sym _ _ (view_known n x' N))).
  apply post_processing; try (apply proper_view, algorithm_R_UT; auto); [intro; apply proper_shuffle|].
  exact (thm_ut_upper_bound_prelim_privacy_sharper_holds _ G' eps delta gamma lambda 0 0 HE HD HG HL n honest tt Hh Hg x x' L NB).
Qed.
(* What the analyzer answers depends on those who take part, and the noise: also when nobody does. *)
Lemma count_taking_part : forall z j, count G' z (Some j) = count G (taking_part z) j.
Proof.
  intros z j. unfold count. induction z as [|[a|] z IH]; [reflexivity| |]; cbn [filter]; rewrite element_some; cbn [holds].
  - change (taking_part (Some a :: z)) with (a :: taking_part z). cbn [filter].
    destruct (is_element G a j); cbn [length]; rewrite IH; reflexivity.
  - exact IH.
Qed.
Lemma taking_part_length : forall z : list (option J), (length (taking_part z) <= length z)%nat.
Proof. induction z as [|[a|] z IH]; unfold taking_part in *; cbn [flat_map app length]; lia. Qed.
Lemma known_arrangement : forall z n K ps,
  known (arrangement (count G' z) n (map Some K) ps) = arrangement (count G (taking_part z)) n K ps.
Proof.
  intros z n K. induction K as [|j K IH]; intros [|p ps]; cbn [map arrangement]; try reflexivity.
  unfold arranged. rewrite !known_app, !known_repeat, IH, count_taking_part. reflexivity.
Qed.
Lemma part_seen : forall m tau z T, (0 < length z)%nat ->
  Pr (bind (view (R_part G lambda (length z)) z) (A_UT G m tau (length z))) T = decided G lambda m tau T (counts G (taking_part z)).
Proof.
  intros m tau z T N. set (n := length z) in *. unfold Pr. pose proof (algorithm_R_part n N) as A.
  assert (A' : algorithm (R_UT G' lambda n)) by (apply algorithm_R_UT; auto).
  rewrite E_bind; [|apply proper_view; auto | intro; apply proper_point | apply bounded_indicator].
  set (F := answered G m tau n T). assert (BF : bounded F) by apply bounded_indicator.
  assert (OF : order_free F) by apply answered_order_free.
  transitivity (E (view (R_part G lambda n) z) F); [apply E_ext; intro y; unfold A_UT; rewrite E_point; reflexivity|].
  assert (BK : bounded (fun y => F (known y))) by (apply (bounded_comp known); auto).
  assert (OK : order_free (fun y => F (known y))) by (intros y y'; apply known_order_free; auto).
  rewrite E_order_free_view, <- messages_known, <- E_order_free_view by auto. unfold n. rewrite view_seen by auto.
  fold n. change (elements G') with (None :: map Some (elements G)).
  rewrite E_noises_cons by (auto; exact (bounded_comp (arrangement (count G' z) n (None :: map Some (elements G))) _ BK)).
  rewrite (E_ext (two lambda) _ (fun _ => decided G lambda m tau T (counts G (taking_part z)))); [apply E_const, proper_two; auto|].
  intro p. unfold counts.
  rewrite <- (answer_decided G lambda m tau n) by (intro; eapply Nat.le_trans; [apply count_bound | apply taking_part_length]).
  replace (noises lambda (map Some (elements G))) with (noises lambda (elements G)) by (unfold noises; rewrite map_map; reflexivity).
  apply E_ext; intro ps. cbn [arrangement]. unfold arranged. rewrite !known_app, !known_repeat, known_arrangement. reflexivity.
Qed.
End Seen.

(* ---- the protocol for a fixed number of samples ---- *)
Section Fixed.
Context {Coin X J : Type} (coin : law Coin) (K : Coin -> X -> law J) (G : universe J) (lambda tau : R) (m : nat).
Hypothesis PC : proper coin.
Hypothesis PK : forall c x, proper (K c x).
Hypothesis H1 : 1 <= size G.
Hypothesis L0 : 0 < lambda.
Definition K_fixed (n : nat) (c : Coin) (x : X) : law (option J) := bind (K c x) (takes_part (INR (Nat.min m n) / INR n)).
Definition P_fixed : protocol Coin X (J * bool) bool :=
  Protocol (fun _ => coin) (fun n c x => bind (K_fixed n c x) (R_part G lambda n)) (fun n _ => A_UT G (INR m) tau n).
Lemma proper_K_fixed : forall n c x, proper (K_fixed n c x).
Proof. intros. apply proper_bind; auto. intro. apply proper_takes_part, share_01. Qed.
Lemma fixed_proper : forall n, (0 < n)%nat ->
  proper (coins P_fixed n) /\ forall c, algorithm (randomizer P_fixed n c) /\ algorithm (analyzer P_fixed n c).
Proof.
  intros n N. split; [exact PC|]. intro c. split; [|intro; apply proper_point].
  intro x. cbn [randomizer P_fixed]. apply proper_bind; [apply proper_K_fixed|]. intro y. apply algorithm_R_part; auto. lra.
Qed.
Theorem fixed_private : forall eps delta gamma, 0 < eps -> 0 < delta < 1 -> 0 < gamma <= 1 -> 265 / 100 * noise_scale eps delta <= lambda ->
  robustly_shuffle_private P_fixed (2 * eps) (4 * Rpower (delta / 2) gamma) gamma.
Proof.
  intros eps delta gamma HE HD HG HL n honest c Hh Hg. cbn [randomizer P_fixed].
  apply (private_preprocessed (K_fixed n c) (proper_K_fixed n c)); [apply algorithm_R_part; [lra | lia] | apply part_private; auto; lra].
Qed.
Lemma fixed_run : forall D T n, proper D -> (0 < n)%nat -> Pr (bind (samples D n) (execution P_fixed n)) T
  = E coin (fun c => E (samples (bind D (K_fixed n c)) n) (fun z => decided G lambda (INR m) tau T (counts G (taking_part z)))).
Proof.
  intros D T n PD N. pose (answer z := bind (view (R_part G lambda n) z) (A_UT G (INR m) tau n)).
  assert (PA : forall z, proper (answer z)).
  { intro z. apply proper_bind; [apply proper_view, algorithm_R_part; auto; lra | intro; apply proper_point]. }
  assert (PB : forall c, proper (samples (bind D (K_fixed n c)) n)).
  { intro c. apply proper_samples, proper_bind; auto using proper_K_fixed. }
  transitivity (Pr (bind coin (fun c => bind (samples (bind D (K_fixed n c)) n) answer)) T).
  - apply E_slices; intro k. rewrite !slice_bind. unfold execution. cbn [coins randomizer analyzer P_fixed].
    rewrite (table_ext _ _ (fun x => sum_over (coin k) (fun c => sum_over (preprocessed (K_fixed n c) x k)
      (fun z => sum_over (answer z k) (fun b => indicator (T b)))))).
    + rewrite Law.E_swap. apply table_ext; intro c. rewrite slice_bind. apply (samples_slices (K_fixed n c)).
    + intro x. rewrite slice_bind. apply table_ext; intro c. rewrite slice_bind, view_slices, slice_bind. apply table_ext; intro z.
      unfold answer. rewrite slice_bind. reflexivity.
  - unfold Pr. rewrite E_bind; [|auto | intro; apply proper_bind; auto | apply bounded_indicator]. apply E_ext; intro c.
    rewrite E_bind by (auto; apply bounded_indicator).
    apply E_slices; intro k. apply Law.E_ext_in. intros p I. unfold samples in I. apply independent_length in I. rewrite repeat_length in I.
    rewrite <- part_seen by (try lra; lia). rewrite I. reflexivity.
Qed.
(* No event of the answer is more than sqrt(n/(n-m)) times as likely as with Pois(m) samples. *)
Theorem fixed_samples_error : forall D T n, proper D -> (0 < m < n)%nat ->
  Pr (bind (samples D n) (execution P_fixed n)) T <= cost n m * ideal coin K G lambda (INR m) tau D T.
Proof.
  intros D T n PD H. assert (M0 : 0 < INR m) by (apply lt_0_INR; lia). rewrite fixed_run by (auto; lia). unfold ideal.
  assert (B : bounded (says K G lambda (INR m) tau D T)) by (apply bounded_says; auto).
  assert (DB : bounded (decided G lambda (INR m) tau T)) by (apply bounded_01; intro; apply decided_01; lra).
  rewrite <- E_mult by auto. apply E_le; auto using bounded_const_mult.
  { apply bounded_01. intro c. apply E_range; [apply proper_samples, proper_bind; auto using proper_K_fixed|].
    intro z. apply decided_01. lra. }
  intro c. unfold says, pools_say, pools_of. assert (PD' : proper (bind D (K c))) by (apply proper_bind; auto).
  rewrite <- (decided_poissonized G lambda ltac:(lra) (INR m) tau (bind D (K c)) T M0 PD').
  apply (thinned_samples (bind D (K c)) (bind D (K_fixed n c)) n m (fun x => decided G lambda (INR m) tau T (counts G x))); auto.
  - apply proper_bind; auto. apply proper_K_fixed.
  - unfold K_fixed. rewrite Nat.min_l by lia. pose proof (share_01 m n) as S1. rewrite Nat.min_l in S1 by lia. apply takes_part_thins; auto.
  - apply (bounded_comp (counts G)); auto.
  - intro l. apply decided_01. lra.
Qed.
Corollary fixed_poissonized_error : forall D T n, proper D -> (0 < m < n)%nat -> let P := P_grouped coin K G lambda (INR m) tau in
  Pr (bind (samples D n) (execution P_fixed n)) T
  <= cost n m * (Pr (bind (poissonized (INR m) D) (fun x => execution P (length x) x)) T + exp (- INR m)).
Proof.
  intros D T n PD H P. assert (M0 : 0 < INR m) by (apply lt_0_INR; lia). eapply Rle_trans; [apply fixed_samples_error; auto|].
  apply Rmult_le_compat_l; [apply sqrt_pos|]. pose proof (grouped_run coin K G lambda (INR m) tau PC PK H1 L0 M0 D T PD) as N.
  fold P in N. apply Rabs_le_between in N. lra.
Qed.
Lemma fixed_tests : forall U alpha e n, 1 <= size U -> (0 < m < n)%nat -> cost n m * e <= 1 / 3 ->
  errs_at_most coin K G lambda (INR m) tau U alpha e -> solves_uniformity U alpha n (execution P_fixed n).
Proof.
  intros U alpha e n K1 H HC [FA MI]. assert (N : (0 < n)%nat) by lia.
  assert (PP : forall D, proper D -> proper (bind (samples D n) (execution P_fixed n))).
  { intros D PD. apply proper_bind; [apply proper_samples; auto|]. intro x. destruct (fixed_proper n N) as [_ A].
    apply proper_bind; [exact PC|]. intro c. destruct (A c). apply proper_bind; auto. apply proper_view; auto. }
  pose proof (sqrt_pos (INR n / (INR n - INR m))) as C0. fold (cost n m) in C0. split.
  - pose proof (uniform_proper U K1) as PU. pose proof (fixed_samples_error _ negb n PU H) as B.
    assert (Q : Pr (bind (samples (uniform (elements U)) n) (execution P_fixed n)) negb = _) by apply (Pr_negb _ (fun b => b) (PP _ PU)).
    apply (Rmult_le_compat_l _ _ _ C0) in FA. lra.
  - intros D PD FAR. pose proof (fixed_samples_error D (fun b => b) n PD H) as B.
    assert (Q : Pr (bind (samples D n) (execution P_fixed n)) negb = _) by apply (Pr_negb _ (fun b => b) (PP _ PD)).
    specialize (MI D PD FAR). apply (Rmult_le_compat_l _ _ _ C0) in MI. lra.
Qed.
End Fixed.

(* ---- the theorems: half of the users take part, in the mean ---- *)
Lemma fixed_of_pools : forall least order, 1 <= least ->
  (forall E0, 0 < E0 -> exists C, forall (X : Type) (U : universe X) (eps delta alpha m : R), least <= size U -> 0 < eps <= E0 ->
     0 < delta <= 1 / 2 -> 0 < alpha < 1 -> C * order (size U) alpha eps delta <= m -> enough_pools U eps delta alpha m) ->
  upper_bound_fixed least order.
Proof.
  intros least order LE POOLS E0 H0. destruct (POOLS E0 H0) as [C P]. exists (3 * C), (1 / 2). split; [lra|].
  intros X U eps delta alpha n K1 HE HD HA HN.
  assert (N9 : 9 <= INR n).
  { destruct (P X U eps delta alpha (INR n / 3) K1 HE HD HA ltac:(lra)) as [? [? [? [? [? [? [? [_ [_ [_ [_ [_ [Q _]]]]]]]]]]]]]. lra. }
  set (m := Nat.div2 n).
  assert (HM : INR n = 2 * INR m \/ INR n = 2 * INR m + 1).
  { pose proof (Nat.div2_odd n) as O. fold m in O. apply (f_equal INR) in O. rewrite plus_INR, mult_INR in O. simpl INR in O.
    destruct (Nat.odd n); simpl in O; [right | left]; lra. }
  destruct (P X U eps delta alpha (INR m) K1 HE HD HA ltac:(lra))
    as [Coin [J [coin [K [G [lambda [tau [PC [PK [H1 [L1 [HL [MB ERR]]]]]]]]]]]]].
  exists Coin, (J * bool)%type, (P_fixed coin K G lambda tau m). split; [|split].
  - intros k N. apply fixed_proper; auto; lra.
  - intros gamma HG. apply printed_delta; try lra; [intros k c N; apply fixed_proper; auto; lra | apply fixed_private; auto; lra].
  - assert (MN : (0 < m < n)%nat) by (split; apply INR_lt; simpl; lra).
    apply (fixed_tests coin K G lambda tau m PC PK H1 ltac:(lra) U alpha (1 / 5)); auto; [lra|].
    assert (cost n m <= 5 / 3); [|lra]. unfold cost. rewrite <- (sqrt_pow2 (5 / 3)) by lra. apply sqrt_le_1_alt.
    apply Rmult_le_reg_r with (INR n - INR m); [lra|]. unfold Rdiv at 1. rewrite Rmult_assoc, Rinv_l by lra. lra.
Qed.
Lemma prelim_pools : forall E0, 0 < E0 -> exists C, forall (X : Type) (U : universe X) (eps delta alpha m : R),
  1 <= size U -> 0 < eps <= E0 -> 0 < delta <= 1 / 2 -> 0 < alpha < 1 -> C * order_prelim (size U) alpha eps delta <= m ->
  enough_pools U eps delta alpha m.
Proof.
  intros E0 H0. destruct (prelim_sides E0 H0) as [C SIDES]. exists C. intros X U eps delta alpha m K1 HE HD HA HM.
  set (lambda := lambda_UT (size U) eps delta).
  destruct (SIDES X U eps delta alpha m lambda K1 HE HD HA HM ltac:(unfold lambda; lra)) as [LP [MB [FA MI]]].
  set (tau := tau_of (size U) m lambda 2 (V0 U m lambda)) in *.
  assert (SAME : forall D, proper D -> forall T, ideal (point tt) (fun _ => point) U lambda m tau D T
    = Pr (pools_of U m lambda D) (fun l => T (pools_say U m tau l))).
  { intros D PD T. unfold ideal. rewrite E_point. unfold says. f_equal. unfold pools_of. f_equal. apply map_ext. intro j. f_equal.
    apply (E_bind_point D (fun a => a)); auto. apply bounded_indicator. }
  exists unit, X, (point tt), (fun _ => point), U, lambda, tau.
  split; [apply proper_point|]. split; [intros; apply proper_point|]. split; [auto|]. split; [auto|].
  split; [apply lambda_UT_enough; lra|]. split; [auto|]. split.
  - rewrite SAME by (apply uniform_proper; auto). unfold pools_say.
    rewrite (Pr_ext _ _ (fun l => lt tau (size U / m * pools_sum (m / size U) l))) by (intro; apply negb_involutive). exact FA.
  - intros D PD FAR. rewrite SAME by auto. exact (MI D PD FAR).
Qed.
Theorem thm_ut_upper_bound_prelim_fixed_holds : thm_ut_upper_bound_prelim_fixed.
Proof. apply fixed_of_pools; [lra | exact prelim_pools]. Qed.
Theorem thm_ut_app_upper_bound_fixed_holds : thm_ut_app_upper_bound_fixed.
Proof. apply fixed_of_pools; [lra | exact final_pools]. Qed.
