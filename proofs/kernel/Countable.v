(* Laws with countably many outcomes, as Paper.v defines them: by their truncations.

   Proved: expectations of bounded functions converge and obey the usual rules; a draw after a draw (bind) is a law, with
   E (bind d k) f = E d (E k f); independent draws may be exchanged; a finite law is the constant case; two laws with the
   same masses are the same. *)
From Coq Require Import Reals Lra Lia List Bool.
From Coquelicot Require Import Rcomplements Rbar Lim_seq.
From PanshuffleKernel Require Law Closeness.
From PanshuffleKernel Require Import Paper.
Import ListNotations.
Open Scope R_scope.

Definition bounded {A} (f : A -> R) := exists M, forall a, Rabs (f a) <= M.
Definition same_law {A} (d d' : law A) := forall f, bounded f -> E d f = E d' f.

(* ---- what is needed of limits ---- *)
Lemma real_limit : forall u (l : R), is_lim_seq u l -> real (Lim_seq u) = l.
Proof. intros u l H. rewrite (is_lim_seq_unique u l H). reflexivity. Qed.

Lemma limit_le : forall u v (l m : R), (forall N, u N <= v N) -> is_lim_seq u l -> is_lim_seq v m -> l <= m.
Proof. intros u v l m H U V. exact (is_lim_seq_le u v l m H U V). Qed.

Lemma limit_le_const : forall u (l c : R), (forall N, u N <= c) -> is_lim_seq u l -> l <= c.
Proof. intros u l c H U. apply (limit_le u (fun _ => c) l c H U). apply is_lim_seq_const. Qed.

Lemma limit_ge_from : forall u (l c : R) N0, (forall N, (N0 <= N)%nat -> c <= u N) -> is_lim_seq u l -> c <= l.
Proof.
  intros u l c N0 H U.
  assert (V : is_lim_seq (fun N => u (N + N0)%nat) l) by (apply is_lim_seq_incr_n; exact U).
  apply (limit_le (fun _ => c) (fun N => u (N + N0)%nat) c l).
  - intro N; apply H; lia.
  - apply is_lim_seq_const.
  - exact V.
Qed.

Lemma limit_le_from : forall u v (l m : R) N0, (forall N, (N0 <= N)%nat -> u N <= v N) ->
  is_lim_seq u l -> is_lim_seq v m -> l <= m.
Proof.
  intros u v l m N0 H U V. apply (is_lim_seq_incr_n u N0 l) in U. apply (is_lim_seq_incr_n v N0 m) in V.
  apply (limit_le (fun N => u (N + N0)%nat) (fun N => v (N + N0)%nat)); auto. intro N; apply H; lia.
Qed.

Lemma monotone_limit : forall u M, (forall N, u N <= u (S N)) -> (forall N, u N <= M) -> is_lim_seq u (real (Lim_seq u)).
Proof. intros u M G B. apply Lim_seq_correct'. apply (ex_finite_lim_seq_incr u M); auto. Qed.

Lemma monotone_le_limit : forall u (l : R), (forall N, u N <= u (S N)) -> is_lim_seq u l -> forall N, u N <= l.
Proof. intros u l G U N. exact (is_lim_seq_incr_compare u l U G N). Qed.

(* ---- tables ---- *)
Lemma table_ext {A} : forall (t : table A) f g, (forall a, f a = g a) -> sum_over t f = sum_over t g.
Proof. intros; apply Law.E_ext; auto. Qed.

Lemma bounded_indicator {A} : forall T : A -> bool, bounded (fun a => indicator (T a)).
Proof. intro T; exists 1; intro a; destruct (T a); simpl; rewrite ?Rabs_R1, ?Rabs_R0; lra. Qed.
Lemma bounded_const {A} : forall c : R, bounded (fun _ : A => c).
Proof. intro c; exists (Rabs c); intro; lra. Qed.
Lemma bounded_plus {A} : forall f g : A -> R, bounded f -> bounded g -> bounded (fun a => f a + g a).
Proof.
  intros f g [M H] [K G]; exists (M + K); intro a. specialize (H a); specialize (G a).
  pose proof (Rabs_triang (f a) (g a)); lra.
Qed.
Lemma bounded_mult {A} : forall f g : A -> R, bounded f -> bounded g -> bounded (fun a => f a * g a).
Proof.
  intros f g [M H] [K G]; exists (M * K); intro a. rewrite Rabs_mult.
  apply Rmult_le_compat; auto using Rabs_pos.
Qed.
Lemma bounded_opp {A} : forall f : A -> R, bounded f -> bounded (fun a => - f a).
Proof. intros f [M H]; exists M; intro a; rewrite Rabs_Ropp; auto. Qed.
Lemma bounded_minus {A} : forall f g : A -> R, bounded f -> bounded g -> bounded (fun a => f a - g a).
Proof. intros f g F G. apply (bounded_plus f (fun a => - g a)); auto using bounded_opp. Qed.
Lemma bounded_01 {A} : forall f : A -> R, (forall a, 0 <= f a <= 1) -> bounded f.
Proof. intros f H; exists 1; intro a; specialize (H a); rewrite Rabs_pos_eq; lra. Qed.
Lemma bounded_comp {A B} : forall (h : A -> B) (f : B -> R), bounded f -> bounded (fun a => f (h a)).
Proof. intros h f [M H]; exists M; auto. Qed.
Lemma bounded_const_mult {A} : forall c (f : A -> R), bounded f -> bounded (fun a => c * f a).
Proof. intros; apply bounded_mult; auto using bounded_const. Qed.

Section OneLaw.
Context {A : Type} (d : law A) (D : proper d).

Lemma slice_nonneg : forall N, Law.nonneg (d N).
Proof. intros N p H. apply (proj1 D N p H). Qed.

(* Masses of truncations grow, also for tests with values in [0, M]. *)
Lemma slice_grows : forall f, (forall a, 0 <= f a) -> bounded f -> forall N, sum_over (d N) f <= sum_over (d (S N)) f.
Proof.
  intros f F [M B] N. assert (M0 : 0 <= Rabs M + 1) by (pose proof (Rabs_pos M); lra).
  set (K := Rabs M + 1). assert (K0 : 0 < K) by (pose proof (Rabs_pos M); unfold K; lra).
  pose proof (Closeness.close_fun 0 0 (d N) (d (S N))) as C. unfold Closeness.close in C. rewrite exp_0 in C.
  specialize (C ltac:(intro T; pose proof (proj1 (proj2 D) N T); unfold Law.Pr; lra) (fun a => / K * f a)).
  rewrite !Law.E_mult in C.
  assert (H : forall a, 0 <= / K * f a <= 1).
  { intro a. specialize (F a); specialize (B a). rewrite Rabs_pos_eq in B by auto. pose proof (Rle_abs M).
    split. apply Rmult_le_pos; auto; left; apply Rinv_0_lt_compat; auto.
    apply Rmult_le_reg_l with K; auto. rewrite <- Rmult_assoc, Rinv_r by lra. unfold K; lra. }
  specialize (C H). apply Rmult_le_reg_l with (/ K); [apply Rinv_0_lt_compat; auto | lra].
Qed.

Lemma slice_mass : forall N, sum_over (d N) (fun _ => 1) <= 1.
Proof.
  apply (monotone_le_limit _ 1); [|apply (proj2 (proj2 D))].
  apply slice_grows; [intro; lra | apply bounded_const].
Qed.

Lemma slice_bound : forall f M, (forall a, Rabs (f a) <= M) -> forall N, Rabs (sum_over (d N) f) <= M.
Proof.
  intros f M B N. assert (M0 : 0 <= M \/ d N = []).
  { destruct (d N) as [|[a w] t]; auto. left. pose proof (B a); pose proof (Rabs_pos (f a)); lra. }
  destruct M0 as [M0|M0].
  2:{ rewrite M0; simpl. rewrite Rabs_R0.
      (* an empty table says nothing of M: use any outcome of a later table *)
      destruct (Rle_dec 0 M) as [L|L]; auto. exfalso.
      assert (Z : forall N', sum_over (d N') (fun _ => 1) <= 0).
      { intro N'. destruct (d N') as [|[a w] t]; simpl; [lra|]. exfalso; pose proof (B a); pose proof (Rabs_pos (f a)); lra. }
      pose proof (limit_le_const _ _ 0 Z (proj2 (proj2 D))); lra. }
  assert (G : forall a, - M <= f a <= M) by (intro a; apply Rabs_le_between; auto).
  pose proof (slice_mass N) as S1.
  assert (U : sum_over (d N) f <= sum_over (d N) (fun _ => M * 1)) by (apply Law.E_le; [apply slice_nonneg | intro a; specialize (G a); lra]).
  assert (L : sum_over (d N) (fun _ => (- M) * 1) <= sum_over (d N) f) by (apply Law.E_le; [apply slice_nonneg | intro a; specialize (G a); lra]).
  rewrite Law.E_mult in U, L.
  assert (0 <= sum_over (d N) (fun _ => 1)).
  { apply Rle_trans with (sum_over (d N) (fun _ => 0 * 1)); [rewrite Law.E_mult; lra |].
    apply Law.E_le; [apply slice_nonneg | intro; lra]. }
  assert (M * sum_over (d N) (fun _ => 1) <= M * 1) by (apply Rmult_le_compat_l; lra).
  apply Rabs_le; lra.
Qed.

(* Expectations of bounded functions converge. *)
Lemma E_limit : forall f, bounded f -> is_lim_seq (fun N => sum_over (d N) f) (E d f).
Proof.
  intros f [M B]. unfold E. apply Lim_seq_correct'.
  set (K := Rabs M). assert (K0 : forall a, 0 <= f a + K).
  { intro a. specialize (B a). pose proof (Rle_abs M). pose proof (Rabs_pos (f a)).
    apply Rabs_le_between in B. unfold K. lra. }
  assert (GB : bounded (fun a => f a + K)) by (apply bounded_plus; [exists M; auto | apply bounded_const]).
  assert (X : ex_finite_lim_seq (fun N => sum_over (d N) (fun a => f a + K))).
  { destruct GB as [M' B']. apply (ex_finite_lim_seq_incr _ (Rabs M')).
    - intro N; apply slice_grows; auto. exists M'; auto.
    - intro N. pose proof (slice_bound _ M' B' N) as S. apply Rabs_le_between in S. pose proof (Rle_abs M'); lra. }
  destruct X as [l X].
  exists (l - K * 1).
  apply is_lim_seq_ext with (u := fun N => sum_over (d N) (fun a => f a + K) - K * sum_over (d N) (fun _ => 1)).
  - intro N. rewrite Law.E_plus, <- Law.E_mult. rewrite (table_ext (d N) (fun _ => K * 1) (fun _ => K)) by (intro; ring). ring.
  - apply is_lim_seq_minus'; [exact X|]. apply (is_lim_seq_scal_l (fun N => sum_over (d N) (fun _ => 1)) K 1). apply (proj2 (proj2 D)).
Qed.

Lemma E_of_limit : forall f l, is_lim_seq (fun N => sum_over (d N) f) (Finite l) -> E d f = l.
Proof. intros f l H. apply real_limit; auto. Qed.

Lemma E_plus : forall f g, bounded f -> bounded g -> E d (fun a => f a + g a) = E d f + E d g.
Proof.
  intros f g F G. apply E_of_limit.
  apply is_lim_seq_ext with (u := fun N => sum_over (d N) f + sum_over (d N) g).
  - intro N; rewrite Law.E_plus; reflexivity.
  - apply is_lim_seq_plus'; apply E_limit; auto.
Qed.
Lemma E_mult : forall c f, bounded f -> E d (fun a => c * f a) = c * E d f.
Proof.
  intros c f F. apply E_of_limit.
  apply is_lim_seq_ext with (u := fun N => c * sum_over (d N) f).
  - intro N; rewrite Law.E_mult; reflexivity.
  - apply (is_lim_seq_scal_l (fun N => sum_over (d N) f) c (E d f)). apply E_limit; auto.
Qed.
Lemma E_minus : forall f g, bounded f -> bounded g -> E d (fun a => f a - g a) = E d f - E d g.
Proof.
  intros f g F G. replace (E d f - E d g) with (E d f + (-1) * E d g) by ring.
  rewrite <- E_mult, <- E_plus; auto using bounded_const_mult.
  unfold E. f_equal. apply Lim_seq_ext; intro N. apply table_ext; intro; ring.
Qed.
Lemma E_le : forall f g, bounded f -> bounded g -> (forall a, f a <= g a) -> E d f <= E d g.
Proof.
  intros f g F G H. apply (limit_le (fun N => sum_over (d N) f) (fun N => sum_over (d N) g)); try (apply E_limit; auto).
  intro N; apply Law.E_le; auto using slice_nonneg.
Qed.
Lemma E_one : E d (fun _ => 1) = 1.
Proof. apply E_of_limit. apply (proj2 (proj2 D)). Qed.
Lemma E_const : forall c, E d (fun _ => c) = c.
Proof.
  intro c. replace (E d (fun _ => c)) with (E d (fun _ => c * 1)).
  - rewrite E_mult, E_one by apply bounded_const; ring.
  - unfold E; f_equal; apply Lim_seq_ext; intro; apply table_ext; intro; ring.
Qed.
Lemma E_range : forall f a b, (forall x, a <= f x <= b) -> a <= E d f <= b.
Proof.
  intros f a b H. assert (F : bounded f).
  { exists (Rabs a + Rabs b). intro x. specialize (H x). unfold Rabs. repeat destruct Rcase_abs; lra. }
  split; [rewrite <- (E_const a) | rewrite <- (E_const b)]; apply E_le; auto using bounded_const; intro x; apply H.
Qed.
Lemma E_abs : forall f M, (forall a, Rabs (f a) <= M) -> Rabs (E d f) <= M.
Proof.
  intros f M H. apply Rabs_le. apply E_range. intro x. apply Rabs_le_between. auto.
Qed.
Lemma Pr_01 : forall T, 0 <= Pr d T <= 1.
Proof. intro T. apply E_range. intro a; destruct (T a); simpl; lra. Qed.
(* Each truncation is below. *)
Lemma slice_le_E : forall f, (forall a, 0 <= f a) -> bounded f -> forall N, sum_over (d N) f <= E d f.
Proof. intros f F B. apply monotone_le_limit; [apply slice_grows; auto | apply E_limit; auto]. Qed.
End OneLaw.

Lemma E_ext {A} : forall (d : law A) f g, (forall a, f a = g a) -> E d f = E d g.
Proof. intros d f g H. unfold E. f_equal. apply Lim_seq_ext; intro. apply table_ext; auto. Qed.
Lemma E_slices {A B} : forall (d : law A) (d' : law B) f g, (forall N, sum_over (d N) f = sum_over (d' N) g) -> E d f = E d' g.
Proof. intros d d' f g H. unfold E. f_equal. apply Lim_seq_ext; auto. Qed.
Lemma Pr_ext {A} : forall (d : law A) T T', (forall a, T a = T' a) -> Pr d T = Pr d T'.
Proof. intros. apply E_ext; intro a; rewrite H; auto. Qed.

(* ---- finite laws: the constant case ---- *)
Lemma E_finite {A} : forall (t : table A) f, E (fun _ => t) f = sum_over t f.
Proof. intros. apply real_limit. apply is_lim_seq_const. Qed.
Lemma Pr_finite {A} : forall (t : table A) T, Pr (fun _ => t) T = Law.Pr t T.
Proof. intros. apply E_finite. Qed.
Lemma proper_finite {A} : forall t : table A, Law.proper t -> proper (fun _ => t).
Proof.
  intros t [P M]. split; [|split].
  - intros N p H; apply P; auto.
  - intros; lra.
  - rewrite <- M at 1. apply is_lim_seq_const.
Qed.
Lemma close_finite {A} : forall eps delta (t t' : table A),
  close eps delta (fun _ => t) (fun _ => t') <-> Closeness.close eps delta t t'.
Proof. intros; split; intros H T; specialize (H T); rewrite !Pr_finite in *; auto. Qed.

Lemma E_point {A} : forall (a : A) f, E (point a) f = f a.
Proof. intros. unfold point. rewrite E_finite. simpl; ring. Qed.
Lemma proper_point {A} : forall a : A, proper (point a).
Proof. intro a. apply (proper_finite [(a, 1)]), Law.proper_point. Qed.

(* ---- a draw after a draw ---- *)
Lemma slice_bind {A B} : forall (d : law A) (k : A -> law B) f N,
  sum_over (bind d k N) f = sum_over (d N) (fun a => sum_over (k a N) f).
Proof. intros. apply Law.E_bind. Qed.

Lemma table_limit {A} : forall (t : table A) (u : nat -> A -> R) (l : A -> R),
  (forall a, is_lim_seq (fun N => u N a) (l a)) -> is_lim_seq (fun N => sum_over t (u N)) (sum_over t l).
Proof.
  induction t as [|[a w] t IH]; intros u l H; simpl.
  - apply is_lim_seq_const.
  - apply is_lim_seq_plus'; [apply (is_lim_seq_scal_l (fun N => u N a) w (l a)); auto | apply IH; auto].
Qed.

Lemma table_nonneg {A} : forall (t : table A) f, Law.nonneg t -> (forall a, 0 <= f a) -> 0 <= sum_over t f.
Proof.
  intros t f T F. apply Rle_trans with (sum_over t (fun _ => 0 * 1)); [rewrite Law.E_mult; lra|].
  apply Law.E_le; auto. intro a; specialize (F a); lra.
Qed.
Lemma slice_grows_to {A} : forall d : law A, proper d -> forall f, (forall a, 0 <= f a) -> bounded f ->
  forall N N', (N <= N')%nat -> sum_over (d N) f <= sum_over (d N') f.
Proof.
  intros d D f F B N N' H. induction H as [|N' H IH]; [lra|]. eapply Rle_trans; [exact IH | apply slice_grows; auto].
Qed.

Section Bind.
Context {A B : Type} (d : law A) (k : A -> law B) (D : proper d) (K : forall a, proper (k a)).

Lemma bounded_E : forall f, bounded f -> bounded (fun a => E (k a) f).
Proof. intros f [M H]. exists M. intro a. apply E_abs; auto. Qed.

Lemma bind_limit_pos : forall f, (forall b, 0 <= f b) -> bounded f ->
  is_lim_seq (fun N => sum_over (bind d k N) f) (E d (fun a => E (k a) f)).
Proof.
  intros f F BF. set (g := fun a => E (k a) f).
  assert (BG : bounded g) by (apply bounded_E; auto).
  assert (G0 : forall a, 0 <= g a).
  { intro a. destruct BF as [M HM]. apply Rle_trans with (E (k a) (fun _ => 0)); [rewrite E_const; auto; lra|].
    apply E_le; auto using bounded_const. exists M; auto. }
  assert (UP : forall N, sum_over (bind d k N) f <= sum_over (d N) g).
  { intro N. rewrite slice_bind. apply Law.E_le; [apply slice_nonneg; auto|]. intro a. apply slice_le_E; auto. }
  assert (MONO : forall N, sum_over (bind d k N) f <= sum_over (bind d k (S N)) f).
  { intro N. rewrite !slice_bind.
    apply Rle_trans with (sum_over (d N) (fun a => sum_over (k a (S N)) f)).
    - apply Law.E_le; [apply slice_nonneg; auto|]. intro a. apply slice_grows; auto.
    - apply slice_grows; auto.
      + intro a. apply Rle_trans with (sum_over (k a (S N)) (fun _ => 0)).
        rewrite (table_ext _ (fun _ => 0) (fun _ => 0 * 1)) by (intro; ring). rewrite Law.E_mult; lra.
        apply Law.E_le; [apply slice_nonneg; auto | auto].
      + destruct BF as [M HM]. exists M. intro a. apply slice_bound; auto. }
  assert (LIM : is_lim_seq (fun N => sum_over (bind d k N) f) (real (Lim_seq (fun N => sum_over (bind d k N) f)))).
  { apply (monotone_limit _ (E d g)); auto. intro N. eapply Rle_trans; [apply UP|]. apply slice_le_E; auto. }
  replace (E d g) with (real (Lim_seq (fun N => sum_over (bind d k N) f))); [exact LIM|].
  apply Rle_antisym.
  - apply (limit_le (fun N => sum_over (bind d k N) f) (fun N => sum_over (d N) g)); auto. apply E_limit; auto.
  - apply (limit_le_const (fun N => sum_over (d N) g)); [|apply E_limit; auto]. intro N0.
    (* from N0 on, the first draw keeps at least the outcomes of its N0-th table *)
    apply (limit_le_from (fun N => sum_over (d N0) (fun a => sum_over (k a N) f)) (fun N => sum_over (bind d k N) f) _ _ N0).
    + intros N HN. rewrite slice_bind. apply slice_grows_to; auto.
      * intro a. apply table_nonneg; auto. apply slice_nonneg; auto.
      * destruct BF as [M HM]. exists M. intro a. apply slice_bound; auto.
    + apply table_limit. intro a. apply E_limit; auto.
    + exact LIM.
Qed.

Lemma bind_limit : forall f, bounded f -> is_lim_seq (fun N => sum_over (bind d k N) f) (E d (fun a => E (k a) f)).
Proof.
  intros f [M H].
  assert (P : forall b, 0 <= f b + Rabs M) by (intro b; specialize (H b); apply Rabs_le_between in H; pose proof (Rle_abs M); lra).
  assert (BF : bounded f) by (exists M; auto).
  assert (BP : bounded (fun b => f b + Rabs M)) by auto using bounded_plus, bounded_const.
  pose proof (bind_limit_pos _ P BP) as L1.
  pose proof (bind_limit_pos (fun _ => Rabs M) ltac:(intro; apply Rabs_pos) (bounded_const _)) as L2.
  replace (E d (fun a => E (k a) f)) with (E d (fun a => E (k a) (fun b => f b + Rabs M)) - E d (fun a => E (k a) (fun _ => Rabs M))).
  - apply is_lim_seq_ext with (u := fun N => sum_over (bind d k N) (fun b => f b + Rabs M) - sum_over (bind d k N) (fun _ => Rabs M)).
    + intro N. rewrite Law.E_plus. ring.
    + apply is_lim_seq_minus'; auto.
  - rewrite <- E_minus; auto using bounded_E, bounded_const.
    apply E_ext; intro a. rewrite E_plus; auto using bounded_const. ring.
Qed.

Theorem E_bind : forall f, bounded f -> E (bind d k) f = E d (fun a => E (k a) f).
Proof. intros f F. apply real_limit. apply bind_limit; auto. Qed.

Theorem proper_bind : proper (bind d k).
Proof.
  split; [|split].
  - intros N p H. apply (Law.nonneg_bind (d N) (fun a => k a N)); auto.
    + apply slice_nonneg; auto.
    + intro a; apply slice_nonneg; auto.
  - intros N T. rewrite !slice_bind.
    apply Rle_trans with (sum_over (d N) (fun a => sum_over (k a (S N)) (fun b => indicator (T b)))).
    + apply Law.E_le; [apply slice_nonneg; auto|]. intro a. apply (K a).
    + apply slice_grows; auto.
      * intro a. apply table_nonneg; [apply slice_nonneg; auto | intro b; destruct (T b); simpl; lra].
      * exists 1. intro a. apply slice_bound; auto. intro b; destruct (T b); simpl; rewrite ?Rabs_R1, ?Rabs_R0; lra.
  - pose proof (bind_limit (fun _ => 1) (bounded_const 1)) as L.
    replace (E d (fun a => E (k a) (fun _ => 1))) with 1 in L; [exact L|].
    rewrite (E_ext d _ (fun _ => 1)); [rewrite E_one; auto | intro a; apply E_one; auto].
Qed.
End Bind.

Theorem E_swap {A B} : forall (d : law A) (d' : law B) f, proper d -> proper d' -> (exists M, forall a b, Rabs (f a b) <= M) ->
  E d (fun a => E d' (fun b => f a b)) = E d' (fun b => E d (fun a => f a b)).
Proof.
  intros d d' f D D' [M H].
  pose (pair_then (a : A) (b : B) := point (a, b)).
  assert (X : E (bind d (fun a => bind d' (pair_then a))) (fun p => f (fst p) (snd p)) = E d (fun a => E d' (fun b => f a b))).
  { rewrite E_bind; auto. 2:{ intro; apply proper_bind; auto; intro; apply proper_point. } 2:{ exists M; intros [a b]; apply H. }
    apply E_ext; intro a. rewrite E_bind; auto. 2:{ intro; apply proper_point. } 2:{ exists M; intros [? b]; apply H. }
    apply E_ext; intro b. unfold pair_then; rewrite E_point; auto. }
  assert (Y : E (bind d' (fun b => bind d (fun a => pair_then a b))) (fun p => f (fst p) (snd p)) = E d' (fun b => E d (fun a => f a b))).
  { rewrite E_bind; auto. 2:{ intro; apply proper_bind; auto; intro; apply proper_point. } 2:{ exists M; intros [a b]; apply H. }
    apply E_ext; intro b. rewrite E_bind; auto. 2:{ intro; apply proper_point. } 2:{ exists M; intros [a ?]; apply H. }
    apply E_ext; intro a. unfold pair_then; rewrite E_point; auto. }
  rewrite <- X, <- Y. apply E_slices; intro N. rewrite !slice_bind.
  rewrite (table_ext (d N) _ (fun a => sum_over (d' N) (fun b => sum_over (pair_then a b N) (fun p => f (fst p) (snd p))))).
  2:{ intro a. apply slice_bind. }
  rewrite Law.E_swap. apply table_ext; intro b. rewrite slice_bind. reflexivity.
Qed.
