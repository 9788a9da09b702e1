(* Section 4.1.1: the statistic of A_UT under Poissonization.

   For a pool with count c ~ Pois(rho) and noise (N_1, N_0), Pois(lambda/2) each, E = (N_1 - N_0)/2:
   X = (c + E - mu)^2 - (c + E) has the mean (rho - mu)^2 + lambda/4 and the variance
   2 rho^2 + 4 rho d^2 + lambda rho + lambda d^2 - lambda d + lambda^2/8 + 5 lambda/16, d = rho - mu. *)
From Coq Require Import Reals Lra Lia List Bool FunctionalExtensionality.
From Coquelicot Require Import Rcomplements Rbar Lim_seq.
From PanshuffleKernel Require Law Parity.
From PanshuffleKernel Require Import Paper Countable Privacy Masses Poisson Section4Transformation PoissonPools Means.
Import ListNotations.
Open Scope R_scope.

(* ---- moments of Pois(a) ---- *)
Lemma poisson_step : forall a n, poisson a (S n) * INR (S n) = a * poisson a n.
Proof.
  intros a n. unfold poisson. change (fact (S n)) with (S n * fact n)%nat. rewrite mult_INR.
  pose proof (fact_pos n). assert (0 < INR (S n)) by (apply lt_0_INR; lia). simpl pow. field. lra.
Qed.
Lemma slice_step : forall a g N, sum_over (Pois a (S N)) (fun i => INR i * g i) = a * sum_over (Pois a N) (fun i => g (S i)).
Proof.
  intros a g N. destruct N as [|N].
  - simpl. ring.
  - unfold Pois. rewrite !sum_seq. rewrite decomp_sum by lia. simpl (INR 0). rewrite Rmult_0_l, Rmult_0_r, Rplus_0_l.
    simpl pred. rewrite scal_sum. apply sum_eq. intros i _. rewrite <- Rmult_assoc, poisson_step. ring.
Qed.
Lemma mean_step : forall a g mu, 0 <= a -> mean (Pois a) (fun i => g (S i)) mu -> mean (Pois a) (fun i => INR i * g i) (a * mu).
Proof.
  intros a g mu A [[M H] L]. split.
  - exists (a * M). intro N.
    assert (S1 : sum_over (Pois a N) (fun i => Rabs (INR i * g i)) <= sum_over (Pois a (S N)) (fun i => INR i * Rabs (g i))).
    { eapply Rle_trans; [|apply (slices_grow (Pois a)); [apply proper_Pois; auto | intro i; apply Rmult_le_pos; [apply pos_INR | apply Rabs_pos]]].
      right. apply table_ext; intro i. rewrite Rabs_mult, (Rabs_pos_eq (INR i)) by apply pos_INR. reflexivity. }
    eapply Rle_trans; [exact S1|]. rewrite (slice_step a (fun i => Rabs (g i))). apply Rmult_le_compat_l; auto.
  - apply is_lim_seq_incr_1. apply is_lim_seq_ext with (u := fun N => a * sum_over (Pois a N) (fun i => g (S i))).
    + intro N. rewrite slice_step. reflexivity.
    + apply (is_lim_seq_scal_l (fun N => sum_over (Pois a N) (fun i => g (S i))) a mu). auto.
Qed.
Section Moments.
Variable a : R.
Hypothesis a_pos : 0 <= a.
Let P := proper_Pois a a_pos.
Lemma mean_1 : mean (Pois a) INR a.
Proof.
  replace a with (a * 1) at 2 by ring. apply (mean_ext _ (fun i => INR i * 1)); [intro; ring|].
  apply (mean_step a (fun _ => 1)); auto. apply mean_const; auto.
Qed.
Lemma mean_2 : mean (Pois a) (fun i => INR i ^ 2) (a * (a + 1)).
Proof.
  apply (mean_ext _ (fun i => INR i * INR i)); [intro; ring|]. apply (mean_step a INR); auto.
  apply (mean_ext _ (fun i => INR i + 1)); [intro; rewrite S_INR; ring|]. apply mean_plus; auto using mean_1. apply mean_const; auto.
Qed.
Lemma mean_3 : mean (Pois a) (fun i => INR i ^ 3) (a * (a * (a + 1) + 2 * a + 1)).
Proof.
  apply (mean_ext _ (fun i => INR i * INR i ^ 2)); [intro; ring|]. apply (mean_step a (fun i => INR i ^ 2)); auto.
  replace (a * (a + 1) + 2 * a + 1) with (a * (a + 1) + (2 * a + 1)) by ring.
  apply (mean_ext _ (fun i => INR i ^ 2 + (2 * INR i + 1))); [intro; rewrite S_INR; ring|].
  apply mean_plus; auto using mean_2. apply mean_plus; auto; [apply mean_scale, mean_1 | apply mean_const; auto].
Qed.
Lemma mean_4 : mean (Pois a) (fun i => INR i ^ 4) (a * (a * (a * (a + 1) + 2 * a + 1) + 3 * (a * (a + 1)) + 3 * a + 1)).
Proof.
  apply (mean_ext _ (fun i => INR i * INR i ^ 3)); [intro; ring|]. apply (mean_step a (fun i => INR i ^ 3)); auto.
  replace (a * (a * (a + 1) + 2 * a + 1) + 3 * (a * (a + 1)) + 3 * a + 1) with (a * (a * (a + 1) + 2 * a + 1) + (3 * (a * (a + 1)) + (3 * a + 1))) by ring.
  apply (mean_ext _ (fun i => INR i ^ 3 + (3 * INR i ^ 2 + (3 * INR i + 1)))); [intro; rewrite S_INR; ring|].
  apply mean_plus; auto using mean_3. apply mean_plus; auto; [apply mean_scale, mean_2|].
  apply mean_plus; auto; [apply mean_scale, mean_1 | apply mean_const; auto].
Qed.
(* Polynomials of degree four. *)
Lemma mean_poly : forall c0 c1 c2 c3 c4,
  mean (Pois a) (fun i => c0 + c1 * INR i + c2 * INR i ^ 2 + c3 * INR i ^ 3 + c4 * INR i ^ 4)
    (c0 + c1 * a + c2 * (a * (a + 1)) + c3 * (a * (a * (a + 1) + 2 * a + 1))
     + c4 * (a * (a * (a * (a + 1) + 2 * a + 1) + 3 * (a * (a + 1)) + 3 * a + 1))).
Proof.
  intros. repeat (apply mean_plus; auto); try (apply mean_scale; auto using mean_1, mean_2, mean_3, mean_4). apply mean_const; auto.
Qed.
End Moments.

(* ---- noise E = (N1 - N0)/2 ---- *)
Definition half_difference (p : nat * nat) : R := (INR (fst p) - INR (snd p)) / 2.
Section Noise.
Variable lambda : R.
Hypothesis lambda_pos : 0 <= lambda.
Let nu := lambda / 2.
Lemma nu_pos : 0 <= nu.
Proof. unfold nu; lra. Qed.
Let PN : proper (Pois nu) := proper_Pois nu nu_pos.
Ltac product f g mu' nu' := apply (mean_product (Pois nu) (Pois nu) f g mu' nu' PN PN).

Lemma mean_noise_1 : mean (two lambda) half_difference 0.
Proof.
  replace 0 with (/ 2 * nu + (- / 2) * nu) by ring.
  apply (mean_ext _ (fun p => / 2 * INR (fst p) + (- / 2) * INR (snd p))); [intro; unfold half_difference; field|].
  apply mean_plus; [apply proper_two; auto | |]; apply mean_scale.
  - apply (mean_first (Pois nu) (Pois nu) INR); auto. apply mean_1, nu_pos.
  - apply (mean_second (Pois nu) (Pois nu) INR); auto. apply mean_1, nu_pos.
Qed.
Lemma mean_noise_2 : mean (two lambda) (fun p => half_difference p ^ 2) (lambda / 4).
Proof.
  replace (lambda / 4) with (/ 4 * (nu * (nu + 1)) + ((- / 2) * (nu * nu) + / 4 * (nu * (nu + 1)))) by (unfold nu; field).
  apply (mean_ext _ (fun p => / 4 * INR (fst p) ^ 2 + ((- / 2) * (INR (fst p) * INR (snd p)) + / 4 * INR (snd p) ^ 2))); [intro; unfold half_difference; field|].
  apply mean_plus; [apply proper_two; auto | apply mean_scale; apply (mean_first (Pois nu) (Pois nu) (fun i => INR i ^ 2)); auto; apply mean_2, nu_pos|].
  apply mean_plus; [apply proper_two; auto | apply mean_scale; product INR INR nu nu; apply mean_1, nu_pos |].
  apply mean_scale. apply (mean_second (Pois nu) (Pois nu) (fun i => INR i ^ 2)); auto. apply mean_2, nu_pos.
Qed.
Let m1 := nu.
Let m2 := nu * (nu + 1).
Let m3 := nu * (nu * (nu + 1) + 2 * nu + 1).
Let m4 := nu * (nu * (nu * (nu + 1) + 2 * nu + 1) + 3 * (nu * (nu + 1)) + 3 * nu + 1).
Lemma mean_noise_3 : mean (two lambda) (fun p => half_difference p ^ 3) 0.
Proof.
  replace 0 with (/ 8 * m3 + ((-3 / 8) * (m2 * m1) + (3 / 8 * (m1 * m2) + (- / 8) * m3))) by (unfold m1, m2, m3; field).
  apply (mean_ext _ (fun p => / 8 * INR (fst p) ^ 3 + ((-3 / 8) * (INR (fst p) ^ 2 * INR (snd p)) + (3 / 8 * (INR (fst p) * INR (snd p) ^ 2) + (- / 8) * INR (snd p) ^ 3)))); [intro; unfold half_difference; field|].
  pose proof nu_pos.
  apply mean_plus; [apply proper_two; auto | apply mean_scale; apply (mean_first (Pois nu) (Pois nu) (fun i => INR i ^ 3)); auto; apply mean_3; auto|].
  apply mean_plus; [apply proper_two; auto | apply mean_scale; product (fun i => INR i ^ 2) INR m2 m1; [apply mean_2 | apply mean_1]; auto|].
  apply mean_plus; [apply proper_two; auto | apply mean_scale; product INR (fun i => INR i ^ 2) m1 m2; [apply mean_1 | apply mean_2]; auto|].
  apply mean_scale. apply (mean_second (Pois nu) (Pois nu) (fun i => INR i ^ 3)); auto. apply mean_3; auto.
Qed.
Lemma mean_noise_4 : mean (two lambda) (fun p => half_difference p ^ 4) (3 * lambda ^ 2 / 16 + lambda / 16).
Proof.
  replace (3 * lambda ^ 2 / 16 + lambda / 16) with (/ 16 * m4 + ((-4 / 16) * (m3 * m1) + (6 / 16 * (m2 * m2) + ((-4 / 16) * (m1 * m3) + / 16 * m4))))
    by (unfold m1, m2, m3, m4, nu; field).
  apply (mean_ext _ (fun p => / 16 * INR (fst p) ^ 4 + ((-4 / 16) * (INR (fst p) ^ 3 * INR (snd p)) + (6 / 16 * (INR (fst p) ^ 2 * INR (snd p) ^ 2)
    + ((-4 / 16) * (INR (fst p) * INR (snd p) ^ 3) + / 16 * INR (snd p) ^ 4))))); [intro; unfold half_difference; field|].
  pose proof nu_pos.
  apply mean_plus; [apply proper_two; auto | apply mean_scale; apply (mean_first (Pois nu) (Pois nu) (fun i => INR i ^ 4)); auto; apply mean_4; auto|].
  apply mean_plus; [apply proper_two; auto | apply mean_scale; product (fun i => INR i ^ 3) INR m3 m1; [apply mean_3 | apply mean_1]; auto|].
  apply mean_plus; [apply proper_two; auto | apply mean_scale; product (fun i => INR i ^ 2) (fun i => INR i ^ 2) m2 m2; apply mean_2; auto|].
  apply mean_plus; [apply proper_two; auto | apply mean_scale; product INR (fun i => INR i ^ 3) m1 m3; [apply mean_1 | apply mean_3]; auto|].
  apply mean_scale. apply (mean_second (Pois nu) (Pois nu) (fun i => INR i ^ 4)); auto. apply mean_4; auto.
Qed.
End Noise.

(* ---- one pool ---- *)
Definition pool_law (rho lambda : R) : law (nat * (nat * nat)) := joint (Pois rho) (two lambda).
Definition pool_term (mu : R) (p : nat * (nat * nat)) : R :=
  let e := INR (fst p) + half_difference (snd p) in (e - mu) ^ 2 - e.
Definition pool_mean (mu lambda rho : R) : R := (rho - mu) ^ 2 + lambda / 4.
Definition pool_variance (mu lambda rho : R) : R :=
  2 * rho ^ 2 + 4 * rho * (rho - mu) ^ 2 + lambda * rho + lambda * (rho - mu) ^ 2 - lambda * (rho - mu) + lambda ^ 2 / 8 + 5 * lambda / 16.
Lemma proper_pool : forall rho lambda, 0 <= rho -> 0 <= lambda -> proper (pool_law rho lambda).
Proof. intros. apply proper_joint; [apply proper_Pois; auto | apply proper_two; auto]. Qed.

Section OnePool.
Variables mu rho lambda : R.
Hypothesis rho_pos : 0 <= rho.
Hypothesis lambda_pos : 0 <= lambda.
Let PR : proper (Pois rho) := proper_Pois rho rho_pos.
Let PT : proper (two lambda) := proper_two lambda lambda_pos.
Let PP : proper (pool_law rho lambda) := proper_pool rho lambda rho_pos lambda_pos.
(* X = P + Q E + E^2. *)
Let Pc (i : nat) : R := (INR i - mu) ^ 2 - INR i.
Let Qc (i : nat) : R := 2 * (INR i - mu) - 1.
Let mP := (rho - mu) ^ 2.
Let mPP := mu ^ 4 + (- 4 * mu ^ 3 - 2 * mu ^ 2) * rho + (6 * mu ^ 2 + 4 * mu + 1) * (rho * (rho + 1))
   + (- 4 * mu - 2) * (rho * (rho * (rho + 1) + 2 * rho + 1))
   + 1 * (rho * (rho * (rho * (rho + 1) + 2 * rho + 1) + 3 * (rho * (rho + 1)) + 3 * rho + 1)).
Let mQQ := (2 * mu + 1) ^ 2 + (- 4 * (2 * mu + 1)) * rho + 4 * (rho * (rho + 1)).
Let mPQ := - mu ^ 2 * (2 * mu + 1) + (2 * mu ^ 2 + (2 * mu + 1) ^ 2) * rho + (- 3 * (2 * mu + 1)) * (rho * (rho + 1)) + 2 * (rho * (rho * (rho + 1) + 2 * rho + 1)).
Lemma mean_P : mean (Pois rho) Pc mP.
Proof.
  replace mP with (mu ^ 2 + (- (2 * mu + 1)) * rho + 1 * (rho * (rho + 1)) + 0 * (rho * (rho * (rho + 1) + 2 * rho + 1))
    + 0 * (rho * (rho * (rho * (rho + 1) + 2 * rho + 1) + 3 * (rho * (rho + 1)) + 3 * rho + 1))) by (unfold mP; ring).
  eapply mean_ext; [|apply mean_poly; auto]. intro i. unfold Pc. ring.
Qed.
Lemma mean_PP : mean (Pois rho) (fun i => Pc i ^ 2) mPP.
Proof. eapply mean_ext; [|apply mean_poly; auto]. intro i. unfold Pc. ring. Qed.
Lemma mean_Q : mean (Pois rho) Qc (2 * (rho - mu) - 1).
Proof.
  replace (2 * (rho - mu) - 1) with (- (2 * mu + 1) + 2 * rho + 0 * (rho * (rho + 1)) + 0 * (rho * (rho * (rho + 1) + 2 * rho + 1))
    + 0 * (rho * (rho * (rho * (rho + 1) + 2 * rho + 1) + 3 * (rho * (rho + 1)) + 3 * rho + 1))) by ring.
  eapply mean_ext; [|apply mean_poly; auto]. intro i. unfold Qc. ring.
Qed.
Lemma mean_QQ : mean (Pois rho) (fun i => Qc i ^ 2) mQQ.
Proof.
  replace mQQ with ((2 * mu + 1) ^ 2 + (- 4 * (2 * mu + 1)) * rho + 4 * (rho * (rho + 1)) + 0 * (rho * (rho * (rho + 1) + 2 * rho + 1))
    + 0 * (rho * (rho * (rho * (rho + 1) + 2 * rho + 1) + 3 * (rho * (rho + 1)) + 3 * rho + 1))) by (unfold mQQ; ring).
  eapply mean_ext; [|apply mean_poly; auto]. intro i. unfold Qc. ring.
Qed.
Lemma mean_PQ : mean (Pois rho) (fun i => Pc i * Qc i) mPQ.
Proof.
  replace mPQ with (- mu ^ 2 * (2 * mu + 1) + (2 * mu ^ 2 + (2 * mu + 1) ^ 2) * rho + (- 3 * (2 * mu + 1)) * (rho * (rho + 1)) + 2 * (rho * (rho * (rho + 1) + 2 * rho + 1))
    + 0 * (rho * (rho * (rho * (rho + 1) + 2 * rho + 1) + 3 * (rho * (rho + 1)) + 3 * rho + 1))) by (unfold mPQ; ring).
  eapply mean_ext; [|apply mean_poly; auto]. intro i. unfold Pc, Qc. ring.
Qed.
Lemma term_mean : mean (pool_law rho lambda) (pool_term mu) (pool_mean mu lambda rho).
Proof.
  unfold pool_mean. replace ((rho - mu) ^ 2 + lambda / 4) with (mP + ((2 * (rho - mu) - 1) * 0 + lambda / 4)) by (unfold mP; ring).
  apply (mean_ext _ (fun p => Pc (fst p) + (Qc (fst p) * half_difference (snd p) + half_difference (snd p) ^ 2))).
  { intros [i p]. unfold pool_term, Pc, Qc. cbn [fst snd]. ring. }
  apply mean_plus; auto; [apply mean_first; auto; apply mean_P|]. apply mean_plus; auto.
  - apply (mean_product (Pois rho) (two lambda) Qc half_difference); auto; [apply mean_Q | apply mean_noise_1; auto].
  - apply (mean_second (Pois rho) (two lambda) (fun p => half_difference p ^ 2)); auto. apply mean_noise_2; auto.
Qed.
Lemma term_variance : variance (pool_law rho lambda) (pool_term mu) (pool_variance mu lambda rho).
Proof.
  pose (e2 := lambda / 4). pose (e4 := 3 * lambda ^ 2 / 16 + lambda / 16).
  replace (pool_variance mu lambda rho) with (mPP + (2 * (mPQ * 0) + (mQQ * e2 + (2 * (mP * e2) + (2 * ((2 * (rho - mu) - 1) * 0) + e4)))) - pool_mean mu lambda rho ^ 2)
    by (unfold pool_variance, pool_mean, mPP, mPQ, mQQ, mP, e2, e4; field).
  apply variance_of; auto using term_mean.
  apply (mean_ext _ (fun p => Pc (fst p) ^ 2 + (2 * ((Pc (fst p) * Qc (fst p)) * half_difference (snd p)) + ((Qc (fst p) ^ 2) * half_difference (snd p) ^ 2
    + (2 * (Pc (fst p) * half_difference (snd p) ^ 2) + (2 * (Qc (fst p) * half_difference (snd p) ^ 3) + half_difference (snd p) ^ 4)))))).
  { intros [i p]. unfold pool_term, Pc, Qc. cbn [fst snd]. ring. }
  apply mean_plus; auto; [apply (mean_first (Pois rho) (two lambda) (fun i => Pc i ^ 2)); auto; apply mean_PP|].
  apply mean_plus; auto.
  { apply mean_scale. apply (mean_product (Pois rho) (two lambda) (fun i => Pc i * Qc i) half_difference); auto; [apply mean_PQ | apply mean_noise_1; auto]. }
  apply mean_plus; auto.
  { apply (mean_product (Pois rho) (two lambda) (fun i => Qc i ^ 2) (fun p => half_difference p ^ 2)); auto; [apply mean_QQ | apply mean_noise_2; auto]. }
  apply mean_plus; auto.
  { apply mean_scale. apply (mean_product (Pois rho) (two lambda) Pc (fun p => half_difference p ^ 2)); auto; [apply mean_P | apply mean_noise_2; auto]. }
  apply mean_plus; auto.
  { apply mean_scale. apply (mean_product (Pois rho) (two lambda) Qc (fun p => half_difference p ^ 3)); auto; [apply mean_Q | apply mean_noise_3; auto]. }
  apply (mean_second (Pois rho) (two lambda) (fun p => half_difference p ^ 4)); auto. apply mean_noise_4; auto.
Qed.
End OnePool.

(* ---- all pools ---- *)
Definition pools_law (lambda : R) (rhos : list R) : law (list (nat * (nat * nat))) := independent (map (fun rho => pool_law rho lambda) rhos).
Definition pools_sum (mu : R) (l : list (nat * (nat * nat))) : R := total l (pool_term mu).
Lemma proper_pools_law : forall lambda rhos, 0 <= lambda -> Forall (fun rho => 0 <= rho) rhos -> proper (pools_law lambda rhos).
Proof.
  intros lambda rhos L F. apply proper_independent, Forall_forall. intros d I. apply in_map_iff in I. destruct I as [rho [I J]]. subst.
  apply proper_pool; auto. rewrite Forall_forall in F. auto.
Qed.
Lemma sum2_total {A B} : forall (f : A -> R) (rs : list B) (l : list A), length l = length rs -> sum2 (map (fun _ => f) rs) l = total l f.
Proof. induction rs as [|r rs IH]; intros [|a l] H; simpl in *; try lia; auto. rewrite IH by lia. reflexivity. Qed.
Lemma independent_length {A} : forall (ds : list (law A)) N p, In p (independent ds N) -> length (fst p) = length ds.
Proof. intros ds N p I. rewrite independent_at in I. apply Parity.independent_length in I. rewrite map_length in I. auto. Qed.
Lemma mean_ext_in {A} : forall (d : law A) f g mu, (forall N p, In p (d N) -> f (fst p) = g (fst p)) -> mean d f mu -> mean d g mu.
Proof.
  intros d f g mu H [[M B] L]. split.
  - exists M. intro N. rewrite <- (Law.E_ext_in (d N) (fun a => Rabs (f a))); auto. intros p I. rewrite (H N p I). reflexivity.
  - apply is_lim_seq_ext with (2 := L). intro N. apply Law.E_ext_in. intros p I. apply (H N p I).
Qed.
Lemma variance_ext_in {A} : forall (d : law A) f g v, (forall N p, In p (d N) -> f (fst p) = g (fst p)) -> variance d f v -> variance d g v.
Proof.
  intros d f g v H [mu [M V]]. exists mu. split; [apply (mean_ext_in d f g); auto|].
  apply (mean_ext_in d (fun a => (f a - mu) ^ 2)); auto. intros N p I. rewrite (H N p I). reflexivity.
Qed.
Theorem pools_moments : forall mu lambda rhos, 0 <= lambda -> Forall (fun rho => 0 <= rho) rhos ->
  mean (pools_law lambda rhos) (pools_sum mu) (total rhos (pool_mean mu lambda)) /\
  variance (pools_law lambda rhos) (pools_sum mu) (total rhos (pool_variance mu lambda)).
Proof.
  intros mu lambda rhos L F.
  pose (terms := map (fun rho => (pool_law rho lambda, pool_term mu, pool_mean mu lambda rho, pool_variance mu lambda rho)) rhos).
  assert (H : Forall (fun t => let '(d, f, m, v) := t in proper d /\ mean d f m /\ variance d f v) terms).
  { unfold terms. apply Forall_forall. intros t I. apply in_map_iff in I. destruct I as [rho [I J]]. subst.
    rewrite Forall_forall in F. specialize (F rho J). split; [apply proper_pool; auto | split; [apply term_mean | apply term_variance]; auto]. }
  pose proof (sums terms H) as S. cbv zeta in S. unfold terms in S. rewrite !map_map in S. cbn [fst snd] in S.
  assert (T : forall g : R -> R, total (map (fun rho => (pool_law rho lambda, pool_term mu, pool_mean mu lambda rho, pool_variance mu lambda rho)) rhos)
     (fun t => g 0) = total (map (fun rho => (pool_law rho lambda, pool_term mu, pool_mean mu lambda rho, pool_variance mu lambda rho)) rhos) (fun t => g 0)) by auto.
  clear T.
  assert (T1 : total (map (fun rho => (pool_law rho lambda, pool_term mu, pool_mean mu lambda rho, pool_variance mu lambda rho)) rhos) (fun t => snd (fst t)) = total rhos (pool_mean mu lambda)).
  { clear. unfold total. induction rhos; simpl; auto. rewrite IHrhos. reflexivity. }
  assert (T2 : total (map (fun rho => (pool_law rho lambda, pool_term mu, pool_mean mu lambda rho, pool_variance mu lambda rho)) rhos) (fun t => snd t) = total rhos (pool_variance mu lambda)).
  { clear. unfold total. induction rhos; simpl; auto. rewrite IHrhos. reflexivity. }
  rewrite T1, T2 in S. destruct S as [S1 S2].
  assert (IN : forall N p, In p (pools_law lambda rhos N) -> sum2 (map (fun _ : R => pool_term mu) rhos) (fst p) = pools_sum mu (fst p)).
  { intros N p I. apply independent_length in I. rewrite map_length in I. apply sum2_total. auto. }
  split; [apply (mean_ext_in _ _ _ _ IN S1) | apply (variance_ext_in _ _ _ _ IN S2)].
Qed.
