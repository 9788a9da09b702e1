(* What the paper uses without saying so, for every law of Paper.v: Chebyshev's and Markov's inequalities, independent parts
   that do not change closeness, public randomness, later views of a state, symmetric laws. *)
From Coq Require Import Reals ZArith Lra Lia List Bool.
From Coquelicot Require Import Rbar Lim_seq.
From PanshuffleKernel Require Import Countable Privacy Masses Model Poisson Means Statistic.
From PanshuffleKernel Require Section2 Section4Tester.
From PanshuffleKernel Require Import Paper.
Import ListNotations.
Open Scope R_scope.

Lemma le_true : forall a b, le a b = true <-> a <= b.
Proof. intros a b. unfold le. destruct (Rle_dec a b); split; intro; auto; discriminate. Qed.

Theorem chebyshev {A} : forall (d : law A) f mu v t, proper d -> mean d f mu -> variance d f v -> 0 < t ->
  Pr d (fun a => le t (Rabs (f a - mu))) <= v / t ^ 2.
Proof.
  intros d f mu v t P M V T. destruct V as [mu' [M' V]]. rewrite (mean_unique d f mu' mu M' M) in V.
  apply Rle_trans with (Pr d (fun a => le (t ^ 2) ((f a - mu) ^ 2))).
  - apply Pr_le; auto. intros a H. apply le_true in H. apply le_true.
    rewrite <- (pow2_abs (f a - mu)). apply pow_incr. lra.
  - apply markov; auto; [intro; apply pow2_ge_0 | nra].
Qed.

Theorem exponential_markov {A} : forall (d : law A) W s a M, proper d -> 0 <= s ->
  (mean d (fun x => exp (s * (W x - a))) M -> Pr d (fun x => le a (W x)) <= M) /\
  (mean d (fun x => exp (s * (a - W x))) M -> Pr d (fun x => le (W x) a) <= M).
Proof.
  intros d W s a M P S.
  assert (one : forall y, 0 <= y -> 1 <= exp y) by (intros y Y; pose proof (exp_ineq1_le y); lra).
  split; intro H; replace M with (M / 1) by field.
  - apply Rle_trans with (Pr d (fun x => le 1 (exp (s * (W x - a))))).
    + apply Pr_le; auto. intros x X. apply le_true in X. apply le_true, one. nra.
    + apply markov; auto; [intro; left; apply exp_pos | lra].
  - apply Rle_trans with (Pr d (fun x => le 1 (exp (s * (a - W x))))).
    + apply Pr_le; auto. intros x X. apply le_true in X. apply le_true, one. nra.
    + apply markov; auto; [intro; left; apply exp_pos | lra].
Qed.

(* The number of samples: "O(m) samples are guaranteed at the cost of a constant decrease in success probability". *)
Theorem samples_at_most : forall m, 0 < m -> Pr (Pois m) (fun n => le (10 * m) (INR n)) <= 1 / 10.
Proof.
  intros m M. replace (1 / 10) with (m / (10 * m)) by (field; lra).
  apply markov; [apply proper_Pois; lra | apply pos_INR | apply mean_1; lra | lra].
Qed.

Theorem common_factor {A B} : forall eps delta (p q : law A) (r : law B), proper p -> proper q -> proper r ->
  (close eps delta (joint p r) (joint q r) <-> close eps delta p q).
Proof.
  intros eps delta p q r P Q Rr. split; intro H.
  - assert (S : forall d : law A, proper d -> forall T, Pr (joint d r) (fun x => T (fst x)) = Pr d T).
    { intros d D T. unfold Pr. rewrite E_joint; auto; [|apply bounded_indicator].
      apply E_ext; intro a. cbn [fst]. apply E_const; auto. }
    intro T. rewrite <- (S p P), <- (S q Q). apply H.
  - apply post_processing; auto. intro a. apply proper_bind; auto. intro; apply proper_point.
Qed.

(* Public randomness of any law: what is close for each of its values is close together with it. *)
Theorem public_randomness {C Y} : forall eps delta (coins : law C) (v v' : C -> law Y), proper coins ->
  (forall c, proper (v c)) -> (forall c, proper (v' c)) -> (forall c, close eps delta (v c) (v' c)) ->
  close eps delta (bind coins (fun c => bind (v c) (fun y => point (c, y)))) (bind coins (fun c => bind (v' c) (fun y => point (c, y)))).
Proof.
  intros eps delta coins v v' P V V' H.
  assert (N : forall (w : C -> law Y), (forall c, proper (w c)) -> forall c, proper (bind (w c) (fun y => point (c, y)))).
  { intros w W c. apply proper_bind; auto. intro; apply proper_point. }
  apply mixture_close; auto. intro c. apply post_processing; auto. intro; apply proper_point.
Qed.

(* What is computed from the state after t elements is private. *)
Theorem future_views {X State Z Z'} : forall n eps delta (Q : online X State Z) t (f : State -> law Z'), online_algorithm Q ->
  algorithm f -> pan_private n eps delta Q ->
  private_on n eps delta (fun x => bind (bind (initial Q) (process (update Q) (firstn t x))) f).
Proof.
  intros n eps delta Q t f [PI [PU PO]] F H x x' L N.
  assert (PS : forall y, proper (bind (initial Q) (process (update Q) y))).
  { intro y. apply proper_bind; auto. intro; apply proper_process; auto. }
  assert (S : forall y, same_law (bind (bind (initial Q) (process (update Q) (firstn t y))) f)
                                 (bind (intruder_view Q t y) (fun v => f (fst v)))).
  { intros y g G. assert (PV := proper_intruder_view Q t y (conj PI (conj PU PO))).
    assert (BG : bounded (fun a => E (f a) g)) by (apply bounded_E; auto).
    assert (BF : bounded (fun v : State * Z => E (f (fst v)) g)) by (apply (bounded_comp fst (fun a => E (f a) g)); auto).
    rewrite (E_bind (intruder_view Q t y) (fun v => f (fst v)) PV (fun v => F (fst v)) g G). unfold intruder_view.
    set (s0 := bind (initial Q) (process (update Q) (firstn t y))).
    assert (PR : forall s, proper (bind (process (update Q) (skipn t y) s) (output Q))).
    { intro s. apply proper_bind; auto. apply proper_process; auto. }
    assert (PB : forall s, proper (bind (bind (process (update Q) (skipn t y) s) (output Q)) (fun z => point (s, z)))).
    { intro s. apply proper_bind; auto. intro; apply proper_point. }
    rewrite (E_bind s0 f (PS _) F g G), (E_bind s0 _ (PS _) PB _ BF). apply E_ext; intro s.
    rewrite (E_bind _ (fun z => point (s, z)) (PR s) (fun z => proper_point (s, z)) _ BF).
    symmetry. etransitivity; [|exact (E_const _ (PR s) (E (f s) g))]. apply E_ext; intro z. exact (E_point (s, z) (fun v => E (f (fst v)) g)). }
  apply close_same with (bind (intruder_view Q t x) (fun v => f (fst v))) (bind (intruder_view Q t x') (fun v => f (fst v)));
    [apply same_sym, S | apply same_sym, S |].
  apply post_processing; [apply proper_intruder_view; exact (conj PI (conj PU PO)) | apply proper_intruder_view; exact (conj PI (conj PU PO)) | intro; apply F |].
  exact (H t x x' L N).
Qed.

(* A symmetric variable is at least 0 with probability at least 1/2. *)
Theorem symmetric_half : forall d : law R, proper d -> (forall v, Pr d (equals v) = Pr d (equals (- v))) ->
  1 / 2 <= Pr d (fun v => le 0 v).
Proof.
  intros d P S.
  assert (PI : proper (image Ropp d)) by (apply proper_bind; auto; intro; apply proper_point).
  assert (EI : forall f, bounded f -> E (image Ropp d) f = E d (fun v => f (- v))).
  { intros f F. unfold image. rewrite E_bind; auto; [|intro; apply proper_point]. apply E_ext; intro; apply E_point. }
  assert (SL : same_law d (image Ropp d)).
  { apply same_masses; auto. intro a. unfold mass.
    assert (EQ : forall b, is a b = equals a b).
    { intro b. unfold is, equals. destruct (decide (a = b)), (Req_EM_T a b); auto; contradiction. }
    unfold Pr. rewrite EI by apply bounded_indicator.
    rewrite (E_ext d _ (fun b => indicator (equals a b))) by (intro; rewrite EQ; auto).
    rewrite (E_ext d (fun v => indicator (is a (- v))) (fun b => indicator (equals (- a) b))).
    - apply S.
    - intro b. rewrite EQ. unfold equals. destruct (Req_EM_T a (- b)), (Req_EM_T (- a) b); auto; exfalso; lra. }
  assert (Q : Pr d (fun v => le 0 v) = Pr d (fun v => le 0 (- v))).
  { unfold Pr. rewrite (SL (fun v => indicator (le 0 v))) by apply bounded_indicator. rewrite EI by apply bounded_indicator. auto. }
  assert (1 <= Pr d (fun v => le 0 v) + Pr d (fun v => le 0 (- v))); [|lra].
  unfold Pr. rewrite <- E_plus; auto; try apply bounded_indicator. rewrite <- (E_one d P) at 1.
  apply E_le; auto; [apply bounded_const | apply bounded_plus; apply bounded_indicator |].
  intro v. unfold le. destruct (Rle_dec 0 v), (Rle_dec 0 (- v)); simpl; lra.
Qed.

(* The guarantee of an algorithm bounds the probability of a larger error by beta, not below beta. *)
Definition error_strict : Prop := forall (M : law R) (D alpha beta : R), proper M -> 0 < beta < 1 ->
  1 - beta <= Pr M (fun z => le (Rabs (z - D)) alpha) -> Pr M (fun z => lt alpha (Rabs (z - D))) < beta.
Lemma lt_le : forall a b, lt a b = negb (le b a).
Proof. intros a b. unfold lt, le. destruct (Rlt_dec a b), (Rle_dec b a); auto; exfalso; lra. Qed.
Theorem error_not_strict : forall (M : law R) (D alpha beta : R), proper M ->
  1 - beta <= Pr M (fun z => le (Rabs (z - D)) alpha) -> Pr M (fun z => lt alpha (Rabs (z - D))) <= beta.
Proof.
  intros M D alpha beta P H.
  replace (Pr M (fun z => lt alpha (Rabs (z - D)))) with (Pr M (fun z => negb (le (Rabs (z - D)) alpha))).
  - rewrite Section4Tester.Pr_negb; auto. lra.
  - apply Pr_ext. intro z. symmetry. apply lt_le.
Qed.
Theorem error_strict_fails : ~ error_strict.
Proof.
  intro H. set (M := image (fun b : bool => if b then 1 else 0) (Ber (1 / 2))).
  assert (P : proper M) by (apply proper_bind; [apply proper_Ber; lra | intro; apply proper_point]).
  assert (V : forall T, Pr M T = 1 / 2 * indicator (T 1) + 1 / 2 * indicator (T 0)).
  { intro T. unfold Pr, M, image. rewrite E_bind; [|apply proper_Ber; lra | intro; apply proper_point | apply bounded_indicator].
    rewrite E_Ber, !E_point. lra. }
  specialize (H M 0 0 (1 / 2) P ltac:(lra)). rewrite !V in H.
  unfold le, lt in H. replace (1 - 0) with 1 in H by lra. replace (0 - 0) with 0 in H by lra. rewrite Rabs_R0, Rabs_R1 in H.
  destruct (Rle_dec 1 0), (Rle_dec 0 0), (Rlt_dec 0 1), (Rlt_dec 0 0); simpl in H; lra.
Qed.
