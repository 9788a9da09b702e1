(* Theorem ut-upper-bound-prelim: the tester P_UT on Pois(m) samples, with a threshold that works.

   The statistic of a run is that of independent pools, except for the run without users (probability e^-m); with
   S = sum (m p_j - m/k)^2 and V0 = k (2 (m/k)^2 + m lambda/k + lambda^2/8 + 5 lambda/16), the threshold
   (k/m)(k lambda/4 + sqrt(2 g V0)) errs with probability at most 1/(1 + 2g) + e^-m on both sides, by Cantelli. *)
From Coq Require Import Reals ZArith Lra Lia List Bool Permutation FunctionalExtensionality.
From Coquelicot Require Import Rcomplements Rbar Lim_seq.
From PanshuffleKernel Require Law Closeness Shuffle Messages ShuffleModel Parity Power.
From PanshuffleKernel Require Import Countable Privacy Masses Model Poisson Section4Transformation PoissonPools Means Poissonization Statistic.
From PanshuffleKernel Require Import Paper.
Import ListNotations.
Open Scope R_scope.

(* ---- what the analyzer sees ---- *)
Lemma E_bind_point {A B} : forall (d : law A) (g : A -> B) f, proper d -> bounded f -> E (bind d (fun a => point (g a))) f = E d (fun a => f (g a)).
Proof. intros d g f D F. rewrite E_bind; [|auto | intro; apply proper_point | auto]. apply E_ext; intro a. apply E_point. Qed.
Fixpoint arrangement {X} (c : X -> nat) (n : nat) (K : list X) (ps : list (nat * nat)) : list (X * bool) :=
  match K, ps with
  | j :: K, p :: ps => arranged j (c j + fst p) (n - c j + snd p) ++ arrangement c n K ps
  | _, _ => []
  end.
Section Run.
Context {X : Type} (U : universe X) (lambda : R).
Hypothesis lambda_pos : 0 <= lambda.
Definition noises (K : list X) : law (list (nat * nat)) := independent (map (fun _ => two lambda) K).
Lemma proper_noises : forall K, proper (noises K).
Proof. intro K. apply proper_independent, Forall_forall. intros d I. apply in_map_iff in I. destruct I as [j [I _]]. subst. apply proper_two; auto. Qed.
Lemma E_noises_cons : forall j K f, bounded f -> E (noises (j :: K)) f = E (two lambda) (fun p => E (noises K) (fun ps => f (p :: ps))).
Proof.
  intros j K f F. unfold noises. cbn [map independent].
  assert (PT : proper (two lambda)) by (apply proper_two; auto). pose proof (proper_noises K) as PN. unfold noises in PN.
  rewrite E_bind; [|auto | intro; apply proper_bind; auto; intro; apply proper_point | auto].
  apply E_ext; intro p. rewrite E_bind; [|auto | intro; apply proper_point | auto]. apply E_ext; intro ps. apply E_point.
Qed.
Lemma labels_seen : forall x K (G : list (X * bool) -> R), (0 < length x)%nat -> bounded G -> order_free G ->
  E (concatenated (map (fun j => concatenated (map (fun i => labelled U lambda (length x) i j) x)) K)) G
  = E (noises K) (fun ps => G (arrangement (count U x) (length x) K ps)).
Proof.
  intros x K G N. revert G.
  assert (MU : INR (length x) * (lambda / INR (length x)) = lambda) by (field; apply not_0_INR; lia).
  assert (PC : forall j, proper (concatenated (map (fun i => labelled U lambda (length x) i j) x))).
  { intro j. apply proper_concatenated, Forall_forall. intros d I. apply in_map_iff in I. destruct I as [a [I _]]. subst. apply proper_labelled; auto. }
  induction K as [|j K IH]; intros G [M HM] O.
  - cbn [map concatenated arrangement]. unfold noises. simpl. rewrite !E_point. reflexivity.
  - assert (B : bounded G) by (exists M; auto).
    assert (PK : proper (concatenated (map (fun j => concatenated (map (fun i => labelled U lambda (length x) i j) x)) K))).
    { apply proper_concatenated, Forall_forall. intros d I. apply in_map_iff in I. destruct I as [a [I _]]. subst. apply PC. }
    cbn [map concatenated].
    rewrite E_bind; [|apply PC | intro; apply proper_bind; auto; intro; apply proper_point | auto].
    rewrite (E_ext _ _ (fun l => E (noises K) (fun ps => G (l ++ arrangement (count U x) (length x) K ps)))).
    2:{ intro l. rewrite E_bind_point by auto. apply (IH (fun r => G (l ++ r))); [exists M; auto|].
        intros r r' P. apply O, Permutation_app_head; auto. }
    rewrite all_users; auto.
    2:{ exists M. intro l. apply E_abs; [apply proper_noises | intro; apply HM]. }
    2:{ intros l l' P. apply E_ext; intro ps. apply O, Permutation_app_tail; auto. }
    rewrite MU. rewrite E_noises_cons by (exists M; intro; apply HM). reflexivity.
Qed.
Lemma E_order_free_view {Y} : forall (rd : X -> law (list Y)) x (G : list Y -> R), algorithm rd -> bounded G -> order_free G ->
  E (view rd x) G = E (messages rd x) G.
Proof.
  intros rd x G A B O. rewrite E_view by auto. apply E_ext; intro l. rewrite shuffle_finite, E_finite.
  rewrite (Law.E_ext_in (Shuffle.shuffle l) G (fun _ => G l)); [apply Law.E_const, Shuffle.proper_shuffle|].
  intros p I. apply O, Permutation_sym, Shuffle.shuffle_support; auto.
Qed.
Lemma algorithm_R_UT : forall n, (0 < n)%nat -> algorithm (R_UT U lambda n).
Proof.
  intros n N a. rewrite R_UT_labelled. apply proper_concatenated, Forall_forall. intros d I. apply in_map_iff in I.
  destruct I as [j [I _]]. subst. apply proper_labelled; auto.
Qed.
Lemma view_seen : forall x (G : list (X * bool) -> R), (0 < length x)%nat -> bounded G -> order_free G ->
  E (view (R_UT U lambda (length x)) x) G = E (noises (elements U)) (fun ps => G (arrangement (count U x) (length x) (elements U) ps)).
Proof.
  intros x G N B O. rewrite E_order_free_view by (auto using algorithm_R_UT). rewrite <- labels_seen by auto.
  apply E_slices; intro k. rewrite messages_at, concatenated_at, map_map.
  replace (ShuffleModel.messages (fun a => R_UT U lambda (length x) a k) x)
    with (Messages.concatenated (map (fun i => Messages.concatenated (map (fun j => labelled U lambda (length x) i j k) (elements U))) x)).
  2:{ unfold ShuffleModel.messages. f_equal. apply map_ext. intro i. rewrite R_UT_labelled, concatenated_at, map_map. reflexivity. }
  rewrite (Messages.exchange x (elements U) (fun i j => labelled U lambda (length x) i j k) G O).
  f_equal. f_equal. apply map_ext. intro j. rewrite concatenated_at, map_map. reflexivity.
Qed.

(* ---- the estimates ---- *)
Lemma number_app : forall y z j b, number U (y ++ z) j b = number U y j b + number U z j b.
Proof. intros. unfold number. rewrite filter_app, app_length, plus_INR. reflexivity. Qed.
Lemma number_repeat : forall i v a j b, number U (repeat (i, v) a) j b = if is_element U i j && Bool.eqb v b then INR a else 0.
Proof.
  intros i v a j b. unfold number. induction a as [|a IH].
  - simpl. destruct (is_element U i j && Bool.eqb v b); reflexivity.
  - cbn [repeat filter fst snd]. destruct (is_element U i j && Bool.eqb v b); [cbn [length]; rewrite !S_INR, IH; ring | exact IH].
Qed.
Lemma element_same : forall j, is_element U j j = true.
Proof. intro j. unfold is_element. destruct (same U j j); congruence. Qed.
Lemma element_other : forall i j, i <> j -> is_element U i j = false.
Proof. intros i j H. unfold is_element. destruct (same U i j); congruence. Qed.
Lemma number_elsewhere : forall c n K ps j b, ~ In j K -> number U (arrangement c n K ps) j b = 0.
Proof.
  intros c n K. induction K as [|i K IH]; intros [|p ps] j b H; cbn [arrangement]; try reflexivity.
  unfold arranged. rewrite !number_app, !number_repeat, IH by (intro; apply H; right; auto).
  rewrite element_other by (intro; apply H; left; auto). simpl. ring.
Qed.
Definition at_pool (mu : R) (c : nat) (p : nat * nat) : R := pool_term mu (c, p).
Lemma chi_arranged : forall c n K ps mu, NoDup K -> length ps = length K -> (forall j, (c j <= n)%nat) ->
  total K (fun j => let e := estimate U n (arrangement c n K ps) j in (e - mu) ^ 2 - e)
  = total (combine (map c K) ps) (pool_term mu).
Proof.
  intros c n K ps mu N L C.
  assert (G : forall pre, (forall j b, In j K -> number U pre j b = 0) ->
    total K (fun j => let e := estimate U n (pre ++ arrangement c n K ps) j in (e - mu) ^ 2 - e) = total (combine (map c K) ps) (pool_term mu)).
  2:{ apply (G []). reflexivity. }
  revert ps L. induction N as [|j K H N IH]; intros [|p ps] L pre PRE; try discriminate; [reflexivity|].
  change (total (combine (map c (j :: K)) (p :: ps)) (pool_term mu)) with (pool_term mu (c j, p) + total (combine (map c K) ps) (pool_term mu)).
  cbn [arrangement]. rewrite <- (IH ps ltac:(simpl in L; lia) (pre ++ arranged j (c j + fst p) (n - c j + snd p))).
  2:{ intros i b I. rewrite number_app, PRE by (right; auto). unfold arranged. rewrite number_app, !number_repeat.
      rewrite element_other by (intro; subst; contradiction). simpl. ring. }
  change (total (j :: K) ?f) with (f j + total K f). cbv beta. f_equal.
  - assert (E1 : forall b, number U (pre ++ arranged j (c j + fst p) (n - c j + snd p) ++ arrangement c n K ps) j b
      = if b then INR (c j + fst p) else INR (n - c j + snd p)).
    { intro b. rewrite !number_app, PRE by (left; auto). rewrite number_elsewhere by auto. unfold arranged.
      rewrite number_app, !number_repeat, element_same. destruct b; simpl; ring. }
    unfold estimate, ell. rewrite !E1. rewrite !plus_INR, minus_INR by auto. unfold pool_term, half_difference. cbn [fst snd].
    replace (- (- INR n + (INR n - INR (c j) + INR (snd p) + (INR (c j) + INR (fst p)))) / 2 + (INR (c j) + INR (fst p)))
      with (INR (c j) + (INR (fst p) - INR (snd p)) / 2) by field. reflexivity.
  - apply total_ext. intro i. rewrite app_assoc. reflexivity.
Qed.
Lemma estimate_order_free : forall n y y' j, Permutation y y' -> estimate U n y j = estimate U n y' j.
Proof.
  intros n y y' j P.
  assert (N : forall b, number U y j b = number U y' j b).
  { intro b. unfold number. f_equal. induction P; cbn [filter]; auto.
    - destruct (_ && _); cbn [length]; auto.
    - destruct (is_element U (fst y) j && Bool.eqb (snd y) b), (is_element U (fst x) j && Bool.eqb (snd x) b); reflexivity.
    - congruence. }
  unfold estimate, ell. rewrite !N. reflexivity.
Qed.
Lemma count_bound : forall x j, (count U x j <= length x)%nat.
Proof. intros x j. unfold count. induction x as [|a x IH]; simpl; [lia | destruct (is_element U a j); simpl; lia]. Qed.

(* One run: the noise decides. *)
Lemma proper_run : forall m tau x, proper (run_UT U lambda m tau x).
Proof.
  intros m tau x. unfold run_UT, execution. apply proper_bind; [apply proper_point|]. intro c. cbn [randomizer analyzer P_UT].
  apply proper_bind; [|intro; apply proper_point]. destruct x as [|a x].
  - unfold view, messages. simpl. apply proper_bind; [apply proper_point | intro; apply proper_shuffle].
  - apply proper_view, algorithm_R_UT. simpl; lia.
Qed.
(* The answer, given the counts: only the noise is random. *)
Definition decided (m tau : R) (T : bool -> bool) (cs : list nat) : R :=
  Pr (noises (elements U)) (fun ps => T (negb (lt tau (size U / m * total (combine cs ps) (pool_term (m / size U)))))).
Lemma decided_01 : forall m tau T cs, 0 <= decided m tau T cs <= 1.
Proof. intros. apply Pr_01, proper_noises. Qed.
Definition answered (m tau : R) (n : nat) (T : bool -> bool) (y : list (X * bool)) : R := indicator (T (negb (lt tau (chi U m (estimate U n y))))).
Lemma answered_order_free : forall m tau n T, order_free (answered m tau n T).
Proof. intros m tau n T y y' P. unfold answered, chi. do 4 f_equal. f_equal. apply total_ext. intro j. rewrite (estimate_order_free _ y y' j P). reflexivity. Qed.
Lemma answer_decided : forall m tau n T (c : X -> nat), (forall j, (c j <= n)%nat) ->
  E (noises (elements U)) (fun ps => answered m tau n T (arrangement c n (elements U) ps)) = decided m tau T (map c (elements U)).
Proof.
  intros m tau n T c H. (* only vectors of noise of the right length *)
  apply E_slices. intro k. apply Law.E_ext_in. intros p I. unfold noises in I. apply independent_length in I. rewrite map_length in I.
  unfold answered, chi. do 4 f_equal. f_equal. apply (chi_arranged c n (elements U) (fst p) (m / size U) (no_repetition X U) I H).
Qed.
Lemma run_seen : forall m tau x (T : bool -> bool), (0 < length x)%nat -> Pr (run_UT U lambda m tau x) T = decided m tau T (counts U x).
Proof.
  intros m tau x T N. unfold run_UT, execution, Pr. cbn [coins randomizer analyzer P_UT]. unfold no_coins.
  assert (PV : proper (view (R_UT U lambda (length x)) x)) by (apply proper_view, algorithm_R_UT; auto).
  rewrite E_bind; [|apply proper_point | intro; apply proper_bind; auto; intro; apply proper_point | apply bounded_indicator].
  rewrite E_point. rewrite E_bind; [|auto | intro; apply proper_point | apply bounded_indicator].
  transitivity (E (view (R_UT U lambda (length x)) x) (answered m tau (length x) T)); [apply E_ext; intro y; unfold A_UT; rewrite E_point; reflexivity|].
  rewrite view_seen; auto using answered_order_free; [|apply bounded_indicator]. apply answer_decided. intro; apply count_bound.
Qed.

(* ---- Pois(m) samples ---- *)
Lemma total_map {A B} : forall (g : A -> B) (l : list A) f, total (map g l) f = total l (fun a => f (g a)).
Proof. intros g l f. unfold total. induction l; simpl; [auto | rewrite IHl; auto]. Qed.
(* Vectors of counts and of noise, paired. *)
Lemma zipped {A B} : forall (ds : list (law A)) (es : list (law B)) N (f : list (A * B) -> R), length ds = length es ->
  sum_over (independent ds N) (fun l => sum_over (independent es N) (fun r => f (combine l r)))
  = sum_over (independent (map (fun de => joint (fst de) (snd de)) (combine ds es)) N) f.
Proof.
  induction ds as [|d ds IH]; intros [|e es] N f L; try discriminate.
  - simpl. ring.
  - cbn [combine map independent]. rewrite !slice_bind.
    unfold joint at 1. rewrite slice_bind. apply table_ext; intro a. rewrite !slice_bind.
    transitivity (sum_over (independent ds N) (fun l => sum_over (e N) (fun b => sum_over (independent es N) (fun r => f ((a, b) :: combine l r))))).
    { apply table_ext; intro l. unfold point at 1. cbn [sum_over]. rewrite Rmult_1_l, Rplus_0_r. rewrite slice_bind. apply table_ext; intro b.
      rewrite slice_bind. apply table_ext; intro r. unfold point. simpl. ring. }
    rewrite Law.E_swap. apply table_ext; intro b. unfold point at 1. cbn [sum_over]. rewrite Rmult_1_l, Rplus_0_r, slice_bind.
    rewrite (IH es N (fun l => f ((a, b) :: l))) by (simpl in L; lia). apply table_ext; intro l. unfold point. simpl. ring.
Qed.
Theorem decided_poissonized : forall m tau (D : law X) T, 0 < m -> proper D ->
  E (poissonized m D) (fun x => decided m tau T (counts U x))
  = Pr (pools_law lambda (map (fun j => m * chance U D j) (elements U))) (fun l => T (negb (lt tau (size U / m * pools_sum (m / size U) l)))).
Proof.
  intros m tau D T M PD. assert (M0 : 0 <= m) by lra. pose proof (proper_poissonized D PD m M0) as PP.
  set (H := decided m tau T). assert (BH : bounded H) by (apply bounded_01; intro; apply decided_01).
  assert (IM : E (image (counts U) (poissonized m D)) H = E (poissonized m D) (fun x => H (counts U x))).
  { unfold image. rewrite E_bind; [|auto | intro; apply proper_point | auto]. apply E_ext; intro x. apply E_point. }
  rewrite <- IM, (poissonized_counts U D PD m M0) by auto.
  (* as one vector of pools *)
  pose (f l := indicator (T (negb (lt tau (size U / m * total l (pool_term (m / size U))))))).
  transitivity (E (bind (poissons U D m) (fun cs => bind (noises (elements U)) (fun ps => point (combine cs ps)))) f).
  - rewrite E_bind; [|apply proper_poissons; auto | intro; apply proper_bind; [apply proper_noises | intro; apply proper_point] | apply bounded_01; intro l; unfold f; destruct (T _); simpl; lra].
    apply E_ext; intro cs. unfold H, decided, Pr. rewrite E_bind; [|apply proper_noises | intro; apply proper_point | apply bounded_01; intro l; unfold f; destruct (T _); simpl; lra].
    apply E_ext; intro ps. rewrite E_point. reflexivity.
  - unfold Pr. apply E_slices; intro N. rewrite slice_bind. unfold poissons.
    transitivity (sum_over (independent (map (fun j => Pois (m * chance U D j)) (elements U)) N)
      (fun l => sum_over (independent (map (fun _ => two lambda) (elements U)) N) (fun r => f (combine l r)))).
    { apply table_ext; intro l. unfold noises. rewrite slice_bind. apply table_ext; intro r. unfold point. simpl. ring. }
    rewrite zipped by (rewrite !map_length; auto). unfold pools_law. f_equal. f_equal.
    clear. induction (elements U) as [|j K IH]; simpl; [auto | rewrite IH; reflexivity].
Qed.
Theorem run_poissonized : forall m tau (D : law X) T, 0 < m -> proper D ->
  Rabs (Pr (bind (poissonized m D) (run_UT U lambda m tau)) T
        - Pr (pools_law lambda (map (fun j => m * chance U D j) (elements U)))
             (fun l => T (negb (lt tau (size U / m * pools_sum (m / size U) l))))) <= exp (- m).
Proof.
  intros m tau D T M PD. assert (M0 : 0 <= m) by lra.
  pose proof (proper_poissonized D PD m M0) as PP.
  set (H := decided m tau T). assert (H01 : forall cs, 0 <= H cs <= 1) by (intro; apply decided_01).
  assert (BH : bounded H) by (apply bounded_01; auto).
  rewrite <- decided_poissonized by auto. fold H. unfold Pr at 1. rewrite E_bind; [|auto | intro; apply proper_run | apply bounded_indicator].
  rewrite <- E_minus; auto; [| apply bounded_01; intro; apply (Pr_01 _ (proper_run m tau a) T) | exact (bounded_comp (counts U) H BH)].
  (* they differ at most on the empty sample *)
  assert (DIFF : forall x, Rabs (E (run_UT U lambda m tau x) (fun b => indicator (T b)) - H (counts U x)) <= indicator (is [] x)).
  { intro x. destruct x as [|a x].
    - replace (is [] []) with true by (symmetry; apply is_true; auto). simpl indicator.
      pose proof (Pr_01 _ (proper_run m tau []) T) as R1. unfold Pr in R1. specialize (H01 (counts U [])). apply Rabs_le. lra.
    - rewrite (is_false [] (a :: x)) by discriminate. simpl indicator. right.
      replace (E (run_UT U lambda m tau (a :: x)) (fun b => indicator (T b))) with (H (counts U (a :: x))); [rewrite Rminus_diag_eq by auto; apply Rabs_R0|].
      symmetry. apply (run_seen m tau (a :: x) T). simpl; lia. }
  assert (B1 : bounded (fun x => E (run_UT U lambda m tau x) (fun b => indicator (T b)) - H (counts U x))).
  { exists 1. intro x. eapply Rle_trans; [apply DIFF|]. destruct (is [] x); simpl; lra. }
  assert (EMPTY : Pr (poissonized m D) (is []) = exp (- m)).
  { unfold Pr, poissonized. rewrite E_bind; [|apply proper_Pois; auto | intro; apply proper_samples; auto | apply bounded_indicator].
    rewrite (E_ext (Pois m) _ (fun s => indicator (is O s))).
    - change (E (Pois m) (fun s => indicator (is O s))) with (mass (Pois m) O). rewrite mass_Pois. unfold poisson. simpl. field.
    - intros [|s].
      + rewrite E_samples_O. f_equal. rewrite !(proj2 (is_true _ _)); auto.
      + rewrite E_samples_S by auto using bounded_indicator. rewrite (is_false O (S s)) by lia. simpl indicator.
        rewrite (E_ext D _ (fun _ => 0)); [apply E_const; auto|]. intro a.
        rewrite (E_ext _ _ (fun _ => 0)); [apply E_const, proper_samples; auto|]. intro l. rewrite is_false by discriminate. reflexivity. }
  apply Rabs_le. split.
  - apply Rle_trans with (E (poissonized m D) (fun x => (-1) * indicator (is [] x))).
    + rewrite E_mult by auto using bounded_indicator. unfold Pr in EMPTY. rewrite EMPTY. lra.
    + apply E_le; auto using bounded_const_mult, bounded_indicator. intro x. specialize (DIFF x). apply Rabs_le_between in DIFF. lra.
  - rewrite <- EMPTY. apply E_le; auto using bounded_indicator. intro x. specialize (DIFF x). apply Rabs_le_between in DIFF. lra.
Qed.
End Run.
