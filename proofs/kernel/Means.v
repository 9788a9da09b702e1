(* Means and variances of unbounded functions under countable laws.

   Proved: a mean depends on the law only, not on its truncations; means add up and, for independent draws, multiply; the
   factorial moments of Pois(a) are powers of a; Chebyshev's and Cantelli's inequalities. *)
From Coq Require Import Reals Lra Lia List Bool FunctionalExtensionality.
From Coquelicot Require Import Rcomplements Rbar Lim_seq.
From PanshuffleKernel Require Law Parity.
From PanshuffleKernel Require Import Paper Countable Privacy Masses Poisson Section4Transformation.
Import ListNotations.
Open Scope R_scope.

Definition absolutely {A} (d : law A) (f : A -> R) := exists M, forall N, sum_over (d N) (fun a => Rabs (f a)) <= M.

Lemma table_abs {A} : forall (t : table A) f, Law.nonneg t -> Rabs (sum_over t f) <= sum_over t (fun a => Rabs (f a)).
Proof.
  intros t f T. apply Rabs_le. split.
  - assert (X : sum_over t (fun a => -1 * Rabs (f a)) <= sum_over t f).
    { apply Law.E_le; auto. intro a. pose proof (Rle_abs (- f a)). rewrite Rabs_Ropp in *. lra. }
    rewrite Law.E_mult in X. lra.
  - apply Law.E_le; auto. intro a. apply Rle_abs.
Qed.
Lemma table_le {A} : forall (t : table A) f g, Law.nonneg t -> (forall a, f a <= g a) -> sum_over t f <= sum_over t g.
Proof. intros. apply Law.E_le; auto. Qed.

(* ---- truncated tests ---- *)
Lemma bounded_min {A} : forall (f : A -> R) K, (forall a, 0 <= f a) -> bounded (fun a => Rmin (f a) K).
Proof.
  intros f K F. exists (Rabs K). intro a. specialize (F a). unfold Rmin. destruct (Rle_dec (f a) K).
  - rewrite !Rabs_pos_eq; lra.
  - lra.
Qed.
(* From truncations to expectations of bounded parts, for f >= 0. *)
Lemma mean_above {A} : forall (d : law A) f mu, proper d -> (forall a, 0 <= f a) -> is_lim_seq (fun N => sum_over (d N) f) (Finite mu) ->
  forall K, 0 <= K -> E d (fun a => Rmin (f a) K) <= mu.
Proof.
  intros d f mu D F L K HK. apply (limit_le (fun N => sum_over (d N) (fun a => Rmin (f a) K)) (fun N => sum_over (d N) f)); auto.
  - intro N. apply table_le; [apply slice_nonneg; auto | intro; apply Rmin_l].
  - apply E_limit; auto using bounded_min.
Qed.
Lemma table_cut {A} : forall (t : table A) (f : A -> R), exists K, 0 <= K /\ forall K', K <= K' -> sum_over t (fun a => Rmin (f a) K') = sum_over t f.
Proof.
  intros t f. exists (fold_right (fun p s => Rmax (f (fst p)) s) 0 t). split.
  - induction t as [|p t IH]; simpl; [lra|]. apply Rle_trans with (fold_right (fun p s => Rmax (f (fst p)) s) 0 t); auto. apply Rmax_r.
  - intros K' H. apply Law.E_ext_in. intros p P. apply Rmin_left. eapply Rle_trans; [|exact H]. clear H.
    induction t as [|q t IH]; [destruct P|]. destruct P as [P|P]; simpl; [subst; apply Rmax_l|].
    eapply Rle_trans; [apply IH; auto | apply Rmax_r].
Qed.
Lemma mean_below {A} : forall (d : law A) f B, proper d -> (forall a, 0 <= f a) ->
  (forall K, 0 <= K -> E d (fun a => Rmin (f a) K) <= B) -> forall N, sum_over (d N) f <= B.
Proof.
  intros d f B D F H N. destruct (table_cut (d N) f) as [K [K0 C]]. rewrite <- (C K) by lra.
  eapply Rle_trans; [|apply (H K K0)]. apply slice_le_E; auto using bounded_min.
  intro a. apply Rmin_glb; auto.
Qed.
Lemma slices_grow {A} : forall (d : law A) f, proper d -> (forall a, 0 <= f a) -> forall N, sum_over (d N) f <= sum_over (d (S N)) f.
Proof.
  intros d f D F N. destruct (table_cut (d N) f) as [K [K0 C]]. rewrite <- (C K) by lra.
  eapply Rle_trans; [apply slice_grows; auto using bounded_min; intro; apply Rmin_glb; auto|].
  apply table_le; [apply slice_nonneg; auto | intro; apply Rmin_l].
Qed.
Lemma mean_nonneg_transfer {A} : forall (d d' : law A) f mu, proper d -> proper d' -> same_law d d' -> (forall a, 0 <= f a) ->
  is_lim_seq (fun N => sum_over (d N) f) (Finite mu) -> is_lim_seq (fun N => sum_over (d' N) f) (Finite mu).
Proof.
  intros d d' f mu D D' S F L.
  assert (UP : forall N, sum_over (d' N) f <= mu).
  { apply mean_below; auto. intros K K0. rewrite <- S by auto using bounded_min. apply mean_above; auto. }
  pose proof (slices_grow d' f D' F) as G.
  pose proof (monotone_limit _ mu G UP) as L'.
  replace mu with (real (Lim_seq (fun N => sum_over (d' N) f))); [exact L'|]. apply Rle_antisym.
  - apply (limit_le_const _ _ mu UP L').
  - apply (limit_le_const (fun N => sum_over (d N) f)); auto.
    apply mean_below; auto. intros K K0. rewrite S by auto using bounded_min. apply mean_above; auto.
Qed.

Definition positive (x : R) := Rmax x 0.
Definition negative (x : R) := Rmax (- x) 0.
Lemma parts : forall x, positive x - negative x = x /\ positive x + negative x = Rabs x /\ 0 <= positive x /\ 0 <= negative x.
Proof. intro x. unfold positive, negative, Rmax, Rabs. repeat destruct Rle_dec; destruct Rcase_abs; lra. Qed.

Lemma absolutely_parts {A} : forall (d : law A) f, proper d -> absolutely d f ->
  exists p q, is_lim_seq (fun N => sum_over (d N) (fun a => positive (f a))) (Finite p) /\
              is_lim_seq (fun N => sum_over (d N) (fun a => negative (f a))) (Finite q).
Proof.
  intros d f D [M H].
  assert (P : forall g : A -> R, (forall a, 0 <= g a <= Rabs (f a)) -> exists p, is_lim_seq (fun N => sum_over (d N) g) (Finite p)).
  { intros g G. exists (real (Lim_seq (fun N => sum_over (d N) g))). apply (monotone_limit _ M).
    - apply slices_grow; auto. intro a; apply G.
    - intro N. eapply Rle_trans; [|apply (H N)]. apply table_le; [apply slice_nonneg; auto | intro; apply G]. }
  destruct (P (fun a => positive (f a))) as [p HP]; [intro a; destruct (parts (f a)) as [_ [X [Y Z]]]; lra|].
  destruct (P (fun a => negative (f a))) as [q HQ]; [intro a; destruct (parts (f a)) as [_ [X [Y Z]]]; lra|].
  exists p, q. auto.
Qed.
Lemma parts_mean {A} : forall (d : law A) f p q,
  is_lim_seq (fun N => sum_over (d N) (fun a => positive (f a))) (Finite p) ->
  is_lim_seq (fun N => sum_over (d N) (fun a => negative (f a))) (Finite q) ->
  is_lim_seq (fun N => sum_over (d N) f) (Finite (p - q)).
Proof.
  intros d f p q P Q. apply is_lim_seq_ext with (u := fun N => sum_over (d N) (fun a => positive (f a)) - sum_over (d N) (fun a => negative (f a))).
  - intro N. rewrite (table_ext (d N) f (fun a => positive (f a) + (-1) * negative (f a))).
    + rewrite Law.E_plus, Law.E_mult. ring.
    + intro a. destruct (parts (f a)) as [X _]. lra.
  - apply is_lim_seq_minus'; auto.
Qed.
(* A mean depends on the law only. *)
Theorem mean_transfer {A} : forall (d d' : law A) f mu, proper d -> proper d' -> same_law d d' -> mean d f mu -> mean d' f mu.
Proof.
  intros d d' f mu D D' S [AB L].
  destruct (absolutely_parts d f D AB) as [p [q [P Q]]].
  assert (P' := mean_nonneg_transfer d d' _ p D D' S (fun a => proj1 (proj2 (proj2 (parts (f a))))) P).
  assert (Q' := mean_nonneg_transfer d d' _ q D D' S (fun a => proj2 (proj2 (proj2 (parts (f a))))) Q).
  split.
  - exists (p + q). intro N.
    rewrite (table_ext (d' N) _ (fun a => positive (f a) + negative (f a))) by (intro a; destruct (parts (f a)) as [_ [X _]]; auto).
    rewrite Law.E_plus. apply Rplus_le_compat; apply (monotone_le_limit (fun N => sum_over (d' N) _)); auto; apply slices_grow; auto; intro a; apply (parts (f a)).
  - replace mu with (p - q); [apply parts_mean; auto|].
    pose proof (is_lim_seq_unique _ _ (parts_mean d f p q P Q)) as U1. pose proof (is_lim_seq_unique _ _ L) as U2.
    rewrite U1 in U2. inversion U2. auto.
Qed.

(* ---- rules ---- *)
Lemma mean_ext {A} : forall (d : law A) f g mu, (forall a, f a = g a) -> mean d f mu -> mean d g mu.
Proof. intros d f g mu H M. replace g with f by (apply functional_extensionality; auto). auto. Qed.
Lemma mean_const {A} : forall (d : law A) c, proper d -> mean d (fun _ => c) c.
Proof.
  intros d c D. split.
  - exists (Rabs c). intro N. rewrite (table_ext (d N) _ (fun _ => Rabs c * 1)) by (intro; ring). rewrite Law.E_mult.
    pose proof (slice_mass d D N). pose proof (Rabs_pos c). apply Rle_trans with (Rabs c * 1); [apply Rmult_le_compat_l; auto | lra].
  - apply is_lim_seq_ext with (u := fun N => c * sum_over (d N) (fun _ => 1)).
    + intro N. rewrite <- Law.E_mult. apply table_ext; intro; ring.
    + replace (Finite c) with (Rbar_mult c 1) by (simpl; f_equal; ring). apply is_lim_seq_scal_l. apply (proj2 (proj2 D)).
Qed.
Lemma mean_plus {A} : forall (d : law A) f g mu nu, proper d -> mean d f mu -> mean d g nu -> mean d (fun a => f a + g a) (mu + nu).
Proof.
  intros d f g mu nu D [[M H] L] [[M' H'] L']. split.
  - exists (M + M'). intro N. eapply Rle_trans; [apply (table_le _ _ (fun a => Rabs (f a) + Rabs (g a))); [apply slice_nonneg; auto | intro; apply Rabs_triang]|].
    rewrite Law.E_plus. apply Rplus_le_compat; auto.
  - apply is_lim_seq_ext with (u := fun N => sum_over (d N) f + sum_over (d N) g); [intro; rewrite Law.E_plus; auto|].
    apply is_lim_seq_plus'; auto.
Qed.
Lemma mean_scale {A} : forall (d : law A) c f mu, mean d f mu -> mean d (fun a => c * f a) (c * mu).
Proof.
  intros d c f mu [[M H] L]. split.
  - exists (Rabs c * M). intro N. rewrite (table_ext (d N) _ (fun a => Rabs c * Rabs (f a))) by (intro; apply Rabs_mult).
    rewrite Law.E_mult. apply Rmult_le_compat_l; auto using Rabs_pos.
  - apply is_lim_seq_ext with (u := fun N => c * sum_over (d N) f); [intro; rewrite Law.E_mult; auto|].
    apply (is_lim_seq_scal_l (fun N => sum_over (d N) f) c mu); auto.
Qed.
Lemma mean_minus {A} : forall (d : law A) f g mu nu, proper d -> mean d f mu -> mean d g nu -> mean d (fun a => f a - g a) (mu - nu).
Proof.
  intros d f g mu nu D F G. replace (mu - nu) with (mu + -1 * nu) by ring.
  apply (mean_ext d (fun a => f a + -1 * g a)); [intro; ring|]. apply mean_plus; auto. apply mean_scale; auto.
Qed.
Lemma mean_unique {A} : forall (d : law A) f mu nu, mean d f mu -> mean d f nu -> mu = nu.
Proof.
  intros d f mu nu [_ L] [_ L']. apply is_lim_seq_unique in L. apply is_lim_seq_unique in L'. rewrite L in L'. inversion L'; auto.
Qed.
Lemma mean_image {A B} : forall (g : A -> B) (d : law A) f mu, mean (image g d) f mu <-> mean d (fun a => f (g a)) mu.
Proof.
  intros g d f mu.
  assert (S : forall h N, sum_over (image g d N) h = sum_over (d N) (fun a => h (g a))).
  { intros h N. unfold image. rewrite slice_bind. apply table_ext; intro a. unfold point. simpl. ring. }
  split; intros [[M H] L]; (split; [exists M; intro N; specialize (H N); rewrite S in *; auto|]).
  - apply is_lim_seq_ext with (2 := L). intro N. apply (S f N).
  - apply is_lim_seq_ext with (2 := L). intro N. symmetry. apply (S f N).
Qed.
(* Independent draws. *)
Lemma slice_joint {A B} : forall (p : law A) (q : law B) f g N,
  sum_over (joint p q N) (fun ab => f (fst ab) * g (snd ab)) = sum_over (p N) f * sum_over (q N) g.
Proof.
  intros. unfold joint. rewrite slice_bind. rewrite Rmult_comm, <- Law.E_mult. apply table_ext; intro a.
  rewrite slice_bind. rewrite Rmult_comm, <- Law.E_mult. apply table_ext; intro b. unfold point. simpl. ring.
Qed.
Theorem mean_product {A B} : forall (p : law A) (q : law B) f g mu nu, proper p -> proper q -> mean p f mu -> mean q g nu ->
  mean (joint p q) (fun ab => f (fst ab) * g (snd ab)) (mu * nu).
Proof.
  intros p q f g mu nu P Q [[M H] L] [[M' H'] L']. split.
  - exists (M * M'). intro N. rewrite (table_ext _ _ (fun ab => Rabs (f (fst ab)) * Rabs (g (snd ab)))) by (intro; apply Rabs_mult).
    rewrite (slice_joint p q (fun a => Rabs (f a)) (fun b => Rabs (g b))).
    apply Rmult_le_compat; auto; apply table_nonneg; try (apply slice_nonneg; auto); intro; apply Rabs_pos.
  - apply is_lim_seq_ext with (u := fun N => sum_over (p N) f * sum_over (q N) g); [intro; rewrite slice_joint; auto|].
    apply is_lim_seq_mult'; auto.
Qed.
Lemma mean_first {A B} : forall (p : law A) (q : law B) f mu, proper p -> proper q -> mean p f mu -> mean (joint p q) (fun ab => f (fst ab)) mu.
Proof.
  intros p q f mu P Q H. replace mu with (mu * 1) by ring.
  apply (mean_ext _ (fun ab => f (fst ab) * 1)); [intro; ring|]. apply (mean_product p q f (fun _ => 1)); auto. apply mean_const; auto.
Qed.
Lemma mean_second {A B} : forall (p : law A) (q : law B) g nu, proper p -> proper q -> mean q g nu -> mean (joint p q) (fun ab => g (snd ab)) nu.
Proof.
  intros p q g nu P Q H. replace nu with (1 * nu) by ring.
  apply (mean_ext _ (fun ab => 1 * g (snd ab))); [intro; ring|]. apply (mean_product p q (fun _ => 1) g); auto. apply mean_const; auto.
Qed.
(* A vector of independent draws: the first one and the rest. *)
Lemma mean_cons {A} : forall (d : law A) ds f mu,
  mean (joint d (independent ds)) (fun p => f (fst p :: snd p)) mu <-> mean (independent (d :: ds)) f mu.
Proof.
  intros d ds f mu.
  assert (S : forall h N, sum_over (independent (d :: ds) N) h = sum_over (joint d (independent ds) N) (fun p => h (fst p :: snd p))).
  { intros h N. cbn [independent]. unfold joint. rewrite !slice_bind. apply table_ext; intro a. rewrite !slice_bind. apply table_ext; intro l.
    unfold point. simpl. ring. }
  split; intros [[M H] L]; (split; [exists M; intro N; specialize (H N); rewrite S in *; auto|]).
  - apply is_lim_seq_ext with (2 := L). intro N. symmetry. apply (S f N).
  - apply is_lim_seq_ext with (2 := L). intro N. apply (S f N).
Qed.

(* ---- variances ---- *)
Lemma variance_of {A} : forall (d : law A) f mu s, proper d -> mean d f mu -> mean d (fun a => f a ^ 2) s -> variance d f (s - mu ^ 2).
Proof.
  intros d f mu s D F G. exists mu. split; auto.
  replace (s - mu ^ 2) with (s + (-2 * mu * mu + mu ^ 2)) by ring.
  apply (mean_ext d (fun a => f a ^ 2 + (-2 * mu * f a + mu ^ 2))); [intro; ring|].
  apply mean_plus; auto. apply mean_plus; auto; [apply mean_scale; auto | apply mean_const; auto].
Qed.
Lemma variance_square {A} : forall (d : law A) f mu v, proper d -> mean d f mu -> variance d f v -> mean d (fun a => f a ^ 2) (v + mu ^ 2).
Proof.
  intros d f mu v D F [mu' [F' V]]. rewrite (mean_unique d f mu mu' F F') in *.
  replace (v + mu' ^ 2) with (v + (2 * mu' * mu' + - mu' ^ 2)) by ring.
  apply (mean_ext d (fun a => (f a - mu') ^ 2 + (2 * mu' * f a + - mu' ^ 2))); [intro; ring|].
  apply mean_plus; auto. apply mean_plus; auto; [apply mean_scale; auto | apply mean_const; auto].
Qed.
Lemma variance_unique {A} : forall (d : law A) f v w, variance d f v -> variance d f w -> v = w.
Proof.
  intros d f v w [mu [F V]] [nu [G W]]. rewrite (mean_unique d f mu nu F G) in *. apply (mean_unique _ _ _ _ V W).
Qed.
Lemma variance_scale {A} : forall (d : law A) c f v, variance d f v -> variance d (fun a => c * f a) (c ^ 2 * v).
Proof.
  intros d c f v [mu [F V]]. exists (c * mu). split; [apply mean_scale; auto|].
  apply (mean_ext d (fun a => c ^ 2 * (f a - mu) ^ 2)); [intro; ring | apply mean_scale; auto].
Qed.
Lemma variance_ext {A} : forall (d : law A) f g v, (forall a, f a = g a) -> variance d f v -> variance d g v.
Proof. intros d f g v H V. replace g with f by (apply functional_extensionality; auto). auto. Qed.
Lemma variance_transfer {A} : forall (d d' : law A) f v, proper d -> proper d' -> same_law d d' -> variance d f v -> variance d' f v.
Proof. intros d d' f v D D' S [mu [F V]]. exists mu. split; apply (mean_transfer d d'); auto. Qed.
Lemma variance_image {A B} : forall (g : A -> B) (d : law A) f v, variance (image g d) f v <-> variance d (fun a => f (g a)) v.
Proof.
  intros g d f v. split; intros [mu [F V]]; exists mu; split.
  - exact (proj1 (mean_image g d f mu) F).
  - exact (proj1 (mean_image g d (fun b => (f b - mu) ^ 2) v) V).
  - exact (proj2 (mean_image g d f mu) F).
  - exact (proj2 (mean_image g d (fun b => (f b - mu) ^ 2) v) V).
Qed.

(* Sums of functions of independent draws: means and variances add up. *)
Fixpoint sum2 {A} (fs : list (A -> R)) (l : list A) : R :=
  match fs, l with f :: fs, a :: l => f a + sum2 fs l | _, _ => 0 end.
Theorem sums {A} : forall (terms : list (law A * (A -> R) * R * R)),
  Forall (fun t => let '(d, f, mu, v) := t in proper d /\ mean d f mu /\ variance d f v) terms ->
  let ds := map (fun t => fst (fst (fst t))) terms in let fs := map (fun t => snd (fst (fst t))) terms in
  mean (independent ds) (sum2 fs) (total terms (fun t => snd (fst t))) /\
  variance (independent ds) (sum2 fs) (total terms (fun t => snd t)).
Proof.
  intros terms H. cbv zeta. induction H as [|[[[d f] mu] v] terms [D [M V]] H IH].
  - simpl. split; [apply (mean_ext _ (fun _ => 0)); [auto | apply mean_const, proper_point]|].
    exists 0. split; [apply (mean_ext _ (fun _ => 0)); [auto | apply mean_const, proper_point]|].
    apply (mean_ext _ (fun _ => 0)); [intro; simpl; ring | apply mean_const, proper_point].
  - destruct IH as [IM IV]. cbn [map fst snd].
    set (ds := map (fun t => fst (fst (fst t))) terms) in *. set (fs := map (fun t => snd (fst (fst t))) terms) in *.
    assert (PI : proper (independent ds)).
    { apply proper_independent, Forall_forall. intros e I. unfold ds in I. apply in_map_iff in I. destruct I as [t [I J]].
      rewrite Forall_forall in H. specialize (H t J). destruct t as [[[d' f'] mu'] v']. simpl in I. subst. apply H. }
    change (total ((d, f, mu, v) :: terms) (fun t => snd (fst t))) with (mu + total terms (fun t => snd (fst t))).
    change (total ((d, f, mu, v) :: terms) (fun t => snd t)) with (v + total terms (fun t => snd t)).
    set (mt := total terms (fun t => snd (fst t))) in *. set (vt := total terms (fun t => snd t)) in *.
    assert (MJ : mean (joint d (independent ds)) (fun p => f (fst p) + sum2 fs (snd p)) (mu + mt)).
    { apply mean_plus; [apply proper_joint; auto | apply mean_first; auto | apply mean_second; auto]. }
    split.
    + apply mean_cons. exact MJ.
    + exists (mu + mt). split; [apply mean_cons; exact MJ|]. apply mean_cons.
      assert (M0 : mean d (fun a => f a - mu) 0) by (replace 0 with (mu - mu) by ring; apply mean_minus; auto; apply mean_const; auto).
      assert (S0 : mean (independent ds) (fun l => sum2 fs l - mt) 0) by (replace 0 with (mt - mt) by ring; apply mean_minus; auto; apply mean_const; auto).
      destruct V as [mu' [M' V]]. rewrite <- (mean_unique d f mu mu' M M') in V.
      destruct IV as [mt' [MT' IV]]. rewrite <- (mean_unique _ _ mt mt' IM MT') in IV.
      replace (v + vt) with (v + (2 * (0 * 0) + vt)) by ring.
      apply (mean_ext _ (fun p => (f (fst p) - mu) ^ 2 + (2 * ((f (fst p) - mu) * (sum2 fs (snd p) - mt)) + (sum2 fs (snd p) - mt) ^ 2))).
      { intros [a l]. simpl. ring. }
      apply mean_plus; [apply proper_joint; auto | apply (mean_first d (independent ds) (fun a => (f a - mu) ^ 2)); auto|].
      apply mean_plus; [apply proper_joint; auto | | apply (mean_second d (independent ds) (fun l => (sum2 fs l - mt) ^ 2)); auto].
      apply mean_scale. apply (mean_product d (independent ds) (fun a => f a - mu) (fun l => sum2 fs l - mt)); auto.
Qed.

(* ---- tails ---- *)
Lemma markov {A} : forall (d : law A) W s a, proper d -> (forall x, 0 <= W x) -> mean d W s -> 0 < a ->
  Pr d (fun x => le a (W x)) <= s / a.
Proof.
  intros d W s a D H [_ L] A0. unfold Pr.
  apply (limit_le (fun N => sum_over (d N) (fun x => indicator (le a (W x)))) (fun N => / a * sum_over (d N) W)).
  - intro N. rewrite <- Law.E_mult. apply table_le; [apply slice_nonneg; auto|]. intro x. specialize (H x).
    assert (0 < / a) by (apply Rinv_0_lt_compat; auto). unfold le. destruct (Rle_dec a (W x)); simpl; [|apply Rmult_le_pos; lra].
    apply Rmult_le_reg_l with a; auto. rewrite <- Rmult_assoc, Rinv_r by lra. lra.
  - apply E_limit; auto using bounded_indicator.
  - unfold Rdiv. rewrite Rmult_comm. apply (is_lim_seq_scal_l (fun N => sum_over (d N) W) (/ a) s). auto.
Qed.
Lemma Pr_le {A} : forall (d : law A) T T', proper d -> (forall a, T a = true -> T' a = true) -> Pr d T <= Pr d T'.
Proof.
  intros d T T' D H. apply E_le; auto using bounded_indicator. intro a. specialize (H a).
  destruct (T a); [rewrite H by auto; lra | destruct (T' a); simpl; lra].
Qed.
(* Cantelli, upward and downward. *)
Theorem cantelli {A} : forall (d : law A) f mu v t, proper d -> mean d f mu -> variance d f v -> 0 < t ->
  Pr d (fun a => le (mu + t) (f a)) <= v / (v + t ^ 2) /\ Pr d (fun a => le (f a) (mu - t)) <= v / (v + t ^ 2).
Proof.
  intros d f mu v t D M [mu' [M' V]] T. rewrite <- (mean_unique d f mu mu' M M') in V.
  assert (V0 : 0 <= v).
  { destruct V as [_ L]. apply (limit_le (fun _ => 0) (fun N => sum_over (d N) (fun a => (f a - mu) ^ 2))); auto.
    - intro N. apply table_nonneg; [apply slice_nonneg; auto | intro; apply pow2_ge_0].
    - apply is_lim_seq_const. }
  assert (T2 : 0 < t ^ 2) by (apply pow_lt; auto).
  assert (G : forall s, s = 1 \/ s = -1 -> Pr d (fun a => le t (s * (f a - mu))) <= v / (v + t ^ 2)).
  { intros s S. assert (SS : s * s = 1) by (destruct S; subst; lra).
    (* shift by u = v/t *)
    set (u := v / t). assert (U0 : 0 <= u) by (apply Rmult_le_pos; [auto | left; apply Rinv_0_lt_compat; auto]).
    assert (MU : mean d (fun a => (s * (f a - mu) + u) ^ 2) (v + u ^ 2)).
    { replace (v + u ^ 2) with (v + (2 * s * u * 0 + u ^ 2)) by ring.
      apply (mean_ext d (fun a => (f a - mu) ^ 2 + (2 * s * u * (f a - mu) + u ^ 2))).
      - intro a. replace ((s * (f a - mu) + u) ^ 2) with (s * s * (f a - mu) ^ 2 + 2 * s * u * (f a - mu) + u ^ 2) by ring. rewrite SS. ring.
      - apply mean_plus; auto. apply mean_plus; auto; [|apply mean_const; auto]. apply mean_scale.
        replace 0 with (mu - mu) by ring. apply mean_minus; auto. apply mean_const; auto. }
    assert (TU : 0 < (t + u) ^ 2) by (apply pow_lt; lra).
    eapply Rle_trans; [|eapply Rle_trans; [apply (markov d (fun a => (s * (f a - mu) + u) ^ 2) (v + u ^ 2) ((t + u) ^ 2)); auto; intro; apply pow2_ge_0|]].
    - apply Pr_le; auto. intro a. unfold le. destruct (Rle_dec t (s * (f a - mu))); [|discriminate]. intros _.
      destruct (Rle_dec _ _) as [L|L]; auto. exfalso. apply L. apply pow_incr; lra.
    - unfold u. right. field. repeat split; try nra. }
  split.
  - eapply Rle_trans; [|apply (G 1); auto]. apply Pr_le; auto. intro a. unfold le.
    destruct (Rle_dec (mu + t) (f a)); [|discriminate]. intros _. destruct (Rle_dec t (1 * (f a - mu))); auto. exfalso; lra.
  - eapply Rle_trans; [|apply (G (-1)); auto]. apply Pr_le; auto. intro a. unfold le.
    destruct (Rle_dec (f a) (mu - t)); [|discriminate]. intros _. destruct (Rle_dec t (-1 * (f a - mu))); auto. exfalso; lra.
Qed.
