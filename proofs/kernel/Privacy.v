(* Section 2.1 for countable laws: from events to tests, Fact post, Fact comp, Lemma bbgn_close, mixtures.

   An inequality for all events gives it for all tests with values in [0,1]: a test is, up to 1/m, the mean of m events. *)
From Coq Require Import Reals Lra Lia List Bool.
From Coquelicot Require Import Rcomplements Rbar Lim_seq.
From PanshuffleKernel Require Import Paper Countable.
Import ListNotations.
Open Scope R_scope.

(* The part of the m steps 1/m, 2/m, ... that f reaches. *)
Definition reaches {A} (f : A -> R) (t : R) (a : A) : bool := if Rle_dec t (f a) then true else false.
Fixpoint steps {A} (f : A -> R) (m : R) (i : nat) (a : A) : R :=
  match i with O => 0 | S j => indicator (reaches f (INR i / m) a) / m + steps f m j a end.

Lemma bounded_steps {A} : forall (f : A -> R) m i, bounded (steps f m i).
Proof.
  induction i; simpl steps.
  - apply bounded_const.
  - apply bounded_plus; auto. apply (bounded_mult _ (fun _ => / m)); [apply bounded_indicator | apply bounded_const].
Qed.

(* i steps count min(i, floor(m f)) of the m. *)
Lemma steps_near {A} : forall (f : A -> R) m a, 0 < m -> 0 <= f a -> forall i,
  steps f m i a <= f a /\ (steps f m i a = INR i / m \/ f a - / m < steps f m i a).
Proof.
  intros f m a M F. assert (0 < / m) by (apply Rinv_0_lt_compat; auto).
  induction i as [|i [L C]].
  - simpl. split; auto. left. unfold Rdiv; ring.
  - cbn [steps]. unfold reaches. destruct (Rle_dec (INR (S i) / m) (f a)) as [H1|H1]; simpl indicator.
    + rewrite S_INR in H1. rewrite S_INR. unfold Rdiv in *. destruct C as [C|C]; [rewrite C; split; [nra | left; ring] |].
      exfalso. assert (steps f m i a <= INR i * / m); [|lra].
      clear - M H. induction i; [simpl; lra|]. cbn [steps]. rewrite S_INR. unfold Rdiv in *.
      assert (X : forall b, indicator b * / m <= 1 * / m) by (intros []; simpl; lra).
      pose proof (X (reaches f ((INR i + 1) * / m) a)). lra.
    + unfold Rdiv in *. split; [lra|]. right. destruct C as [C|C]; [|lra].
      rewrite S_INR in H1. rewrite C. lra.
Qed.

Lemma steps_within {A} : forall (f : A -> R) (m : nat) a, (0 < m)%nat -> 0 <= f a <= 1 ->
  f a - / INR m <= steps f (INR m) m a <= f a.
Proof.
  intros f m a M [F0 F1]. apply lt_0_INR in M. destruct (steps_near f (INR m) a M F0 m) as [L [C|C]]; split; auto; try lra.
  rewrite C. unfold Rdiv. rewrite Rinv_r by lra. assert (0 < / INR m) by (apply Rinv_0_lt_compat; auto). lra.
Qed.

Lemma steps_close {A} : forall eps delta (d d' : law A) f m, proper d -> proper d' -> close eps delta d d' -> 0 < m ->
  forall i, E d (steps f m i) <= exp eps * E d' (steps f m i) + INR i * delta / m.
Proof.
  intros eps delta d d' f m D D' C M. assert (IM : 0 < / m) by (apply Rinv_0_lt_compat; auto).
  induction i as [|i IH].
  - change (steps f m 0) with (fun _ : A => 0). rewrite (E_const d D), (E_const d' D'). simpl. unfold Rdiv. lra.
  - assert (X : forall e : law A, proper e -> E e (steps f m (S i)) = / m * Pr e (reaches f (INR (S i) / m)) + E e (steps f m i)).
    { intros e P. unfold Pr. rewrite <- E_mult, <- E_plus; auto using bounded_indicator, bounded_const_mult, bounded_steps.
      apply E_ext; intro a. cbn [steps]. unfold Rdiv; ring. }
    rewrite (X d D), (X d' D'). specialize (C (reaches f (INR (S i) / m))).
    apply Rmult_le_compat_l with (r := / m) in C; [|lra]. rewrite S_INR in *. unfold Rdiv in *. lra.
Qed.

Lemma le_from_steps : forall a b c, (forall m : nat, (0 < m)%nat -> a <= b + c / INR m) -> a <= b.
Proof.
  intros a b c H. destruct (Rle_dec a b) as [L|L]; auto. exfalso. apply Rnot_le_lt in L.
  destruct (archimed_cor1 ((a - b) / (Rabs c + 1))) as [m [H1 H2]].
  { apply Rdiv_lt_0_compat; pose proof (Rabs_pos c); lra. }
  specialize (H m H2). pose proof (Rabs_pos c) as P. pose proof (Rle_abs c).
  apply Rmult_lt_compat_l with (r := Rabs c + 1) in H1; [|lra].
  replace ((Rabs c + 1) * ((a - b) / (Rabs c + 1))) with (a - b) in H1 by (field; lra).
  assert (0 < / INR m) by (apply Rinv_0_lt_compat, lt_0_INR; auto).
  assert (c / INR m <= Rabs c * / INR m) by (apply Rmult_le_compat_r; lra).
  lra.
Qed.

(* From events to tests with values in [0,1]. *)
Theorem close_fun {A} : forall eps delta (d d' : law A), proper d -> proper d' -> close eps delta d d' ->
  forall f, (forall a, 0 <= f a <= 1) -> E d f <= exp eps * E d' f + delta.
Proof.
  intros eps delta d d' D D' C f F. apply (le_from_steps _ _ 1). intros m M.
  pose proof (lt_0_INR m M) as M'. assert (bounded f) by (apply bounded_01; auto).
  pose proof (steps_close eps delta d d' f (INR m) D D' C M' m) as S.
  replace (INR m * delta / INR m) with delta in S by (field; lra).
  assert (L : E d f - / INR m <= E d (steps f (INR m) m)).
  { rewrite <- (E_const d D (/ INR m)), <- E_minus; auto using bounded_const.
    apply E_le; auto using bounded_steps, bounded_minus, bounded_const. intro a; apply steps_within; auto. }
  assert (U : E d' (steps f (INR m) m) <= E d' f).
  { apply E_le; auto using bounded_steps. intro a; apply steps_within; auto. }
  assert (exp eps * E d' (steps f (INR m) m) <= exp eps * E d' f) by (apply Rmult_le_compat_l; auto; left; apply exp_pos).
  unfold Rdiv; lra.
Qed.

Lemma same_close {A} : forall d d' : law A, identically_distributed d d' -> close 0 0 d d'.
Proof. intros d d' H T. rewrite (H T), exp_0; lra. Qed.

Theorem same_by_events {A} : forall d d' : law A, proper d -> proper d' -> identically_distributed d d' -> same_law d d'.
Proof.
  intros d d' D D' H f [M B].
  assert (H' : identically_distributed d' d) by (intro T; symmetry; auto).
  set (K := Rabs M + 1). assert (K0 : 0 < K) by (pose proof (Rabs_pos M); unfold K; lra).
  set (g := fun a => / (2 * K) * (f a + K)).
  assert (BF : bounded f) by (exists M; auto).
  assert (G : forall a, 0 <= g a <= 1).
  { intro a. specialize (B a). apply Rabs_le_between in B. pose proof (Rle_abs M). unfold g.
    assert (0 < / (2 * K)) by (apply Rinv_0_lt_compat; lra).
    split; [apply Rmult_le_pos; [lra | unfold K; lra]|].
    apply Rmult_le_reg_l with (2 * K); [lra|]. rewrite <- Rmult_assoc, Rinv_r by lra. unfold K; lra. }
  pose proof (close_fun 0 0 d d' D D' (same_close d d' H) g G) as L1.
  pose proof (close_fun 0 0 d' d D' D (same_close d' d H') g G) as L2. rewrite exp_0 in L1, L2.
  assert (X : forall e : law A, proper e -> E e g = / (2 * K) * (E e f + K)).
  { intros e P. unfold g. rewrite E_mult, E_plus, E_const; auto using bounded_const, bounded_plus. }
  rewrite (X d D), (X d' D') in L1. rewrite (X d D), (X d' D') in L2.
  assert (0 < / (2 * K)) by (apply Rinv_0_lt_compat; lra).
  apply Rmult_eq_reg_l with (/ (2 * K)); [lra | apply Rgt_not_eq; auto].
Qed.

Lemma same_events {A} : forall d d' : law A, same_law d d' -> identically_distributed d d'.
Proof. intros d d' H T. apply H. apply bounded_indicator. Qed.
Lemma same_sym {A} : forall d d' : law A, same_law d d' -> same_law d' d.
Proof. intros d d' H f F. symmetry; auto. Qed.
Lemma same_trans {A} : forall a b c : law A, same_law a b -> same_law b c -> same_law a c.
Proof. intros a b c H G f F. rewrite H, G; auto. Qed.
Lemma same_refl {A} : forall a : law A, same_law a a.
Proof. intros a f F; auto. Qed.
Lemma bind_same {A B} : forall (d d' : law A) (k k' : A -> law B), proper d -> proper d' ->
  (forall a, proper (k a)) -> (forall a, proper (k' a)) -> same_law d d' -> (forall a, same_law (k a) (k' a)) ->
  same_law (bind d k) (bind d' k').
Proof.
  intros d d' k k' D D' K K' H G f F. rewrite !E_bind; auto. rewrite H by (apply bounded_E; auto).
  apply E_ext; intro a. apply G; auto.
Qed.
Lemma bind_bind {A B C} : forall (d : law A) (k : A -> law B) (h : B -> law C), proper d -> (forall a, proper (k a)) ->
  (forall b, proper (h b)) -> same_law (bind (bind d k) h) (bind d (fun a => bind (k a) h)).
Proof.
  intros d k h D K H f F. rewrite !E_bind; auto using proper_bind, bounded_E.
  apply E_ext; intro a. rewrite E_bind; auto.
Qed.
Lemma bind_point {A B} : forall (a : A) (k : A -> law B), (forall a, proper (k a)) -> same_law (bind (point a) k) (k a).
Proof. intros a k K f F. rewrite E_bind, E_point; auto using proper_point. Qed.

Lemma close_same {A} : forall eps delta (d d' e e' : law A), same_law d e -> same_law d' e' ->
  close eps delta d d' -> close eps delta e e'.
Proof. intros eps delta d d' e e' H H' C T. unfold Pr. rewrite <- H, <- H' by apply bounded_indicator. apply C. Qed.
Lemma close_refl {A} : forall eps delta (d : law A), proper d -> 0 <= eps -> 0 <= delta -> close eps delta d d.
Proof.
  intros eps delta d H He Hd T. pose proof (Pr_01 d H T). pose proof (exp_ineq1_le eps).
  assert (1 * Pr d T <= exp eps * Pr d T) by (apply Rmult_le_compat_r; lra). lra.
Qed.
Lemma exp_le : forall a b, a <= b -> exp a <= exp b.
Proof. intros a b [H|H]; [left; apply exp_increasing; auto | rewrite H; lra]. Qed.
Lemma close_mono {A} : forall e e2 d d2 (p p' : law A), proper p' -> e <= e2 -> d <= d2 -> close e d p p' -> close e2 d2 p p'.
Proof.
  intros e e2 d d2 p p' H He Hd C T. specialize (C T). pose proof (Pr_01 p' H T). apply exp_le in He.
  assert (exp e * Pr p' T <= exp e2 * Pr p' T) by (apply Rmult_le_compat_r; lra). lra.
Qed.

(* Fact post. *)
Theorem post_processing {A B} : forall eps delta (d d' : law A) (k : A -> law B), proper d -> proper d' ->
  (forall a, proper (k a)) -> close eps delta d d' -> close eps delta (bind d k) (bind d' k).
Proof.
  intros eps delta d d' k D D' K C T. unfold Pr. rewrite !E_bind by auto using bounded_indicator.
  apply (close_fun eps delta d d' D D' C (fun a => Pr (k a) T)). intro; apply Pr_01; auto.
Qed.

(* A mixture of close laws, with the same weights. *)
Theorem mixture_close {A B} : forall eps delta (d : law A) (k k' : A -> law B), proper d ->
  (forall a, proper (k a)) -> (forall a, proper (k' a)) -> (forall a, close eps delta (k a) (k' a)) ->
  close eps delta (bind d k) (bind d k').
Proof.
  intros eps delta d k k' D K K' C T. unfold Pr. rewrite !E_bind by auto using bounded_indicator.
  assert (P : forall h : A -> law B, (forall a, proper (h a)) -> bounded (fun a => E (h a) (fun b => indicator (T b)))).
  { intros h H. apply bounded_01. intro a; apply (Pr_01 (h a) (H a)). }
  rewrite <- (E_const d D delta) at 1. rewrite <- E_mult, <- E_plus; auto using bounded_const, bounded_const_mult.
  apply E_le; auto using bounded_plus, bounded_const, bounded_const_mult. intro a; apply (C a).
Qed.

(* Fact comp, also where the second algorithm sees the outcome of the first. *)
Theorem composition_adaptive {A B} : forall e1 d1 e2 d2 (p p' : law A) (k k' : A -> law B),
  proper p -> proper p' -> (forall a, proper (k a)) -> (forall a, proper (k' a)) ->
  close e1 d1 p p' -> (forall a, close e2 d2 (k a) (k' a)) -> 0 <= d2 ->
  close (e1 + e2) (d1 + d2) (bind p (fun a => bind (k a) (fun b => point (a, b))))
                            (bind p' (fun a => bind (k' a) (fun b => point (a, b)))).
Proof.
  intros e1 d1 e2 d2 p p' k k' Hp Hp' K K' C1 C2 D2 T.
  assert (PP : forall (h : A -> law B) a, (forall a, proper (h a)) -> proper (bind (h a) (fun b => point (a, b)))).
  { intros; apply proper_bind; auto; intro; apply proper_point. }
  assert (X : forall (q : law A) (h : A -> law B), proper q -> (forall a, proper (h a)) ->
     Pr (bind q (fun a => bind (h a) (fun b => point (a, b)))) T = E q (fun a => Pr (h a) (fun b => T (a, b)))).
  { intros q h Q H. unfold Pr. rewrite E_bind by auto using bounded_indicator. apply E_ext; intro a.
    rewrite E_bind by auto using bounded_indicator, proper_point. apply E_ext; intro. rewrite E_point; auto. }
  rewrite !X by auto. set (Q := fun a => Pr (k' a) (fun b => T (a, b))).
  pose proof (exp_pos e1). pose proof (exp_pos e2).
  set (m := fun a => Rmin 1 (exp e2 * Q a)).
  assert (Q01 : forall a, 0 <= Q a <= 1) by (intro; apply Pr_01; auto).
  assert (M01 : forall a, 0 <= m a <= 1).
  { intro a. unfold m, Rmin. specialize (Q01 a). destruct (Rle_dec 1 (exp e2 * Q a)); [lra|].
    split; [apply Rmult_le_pos; lra | lra]. }
  apply Rle_trans with (E p (fun a => m a + d2)).
  - apply E_le; auto. apply bounded_01; intro; apply Pr_01; auto. apply bounded_plus; auto using bounded_01, bounded_const.
    intro a. specialize (C2 a (fun b => T (a, b))). fold (Q a) in C2.
    pose proof (Pr_01 (k a) (K a) (fun b => T (a, b))).
    unfold m, Rmin. destruct (Rle_dec 1 (exp e2 * Q a)); lra.
  - rewrite E_plus, (E_const p Hp d2); auto using bounded_01, bounded_const.
    pose proof (close_fun e1 d1 p p' Hp Hp' C1 m M01) as S.
    assert (E p' m <= exp e2 * E p' Q).
    { rewrite <- E_mult; auto using bounded_01. apply E_le; auto using bounded_01, bounded_const_mult. intro a. unfold m. apply Rmin_r. }
    rewrite exp_plus.
    assert (exp e1 * E p' m <= exp e1 * (exp e2 * E p' Q)) by (apply Rmult_le_compat_l; lra). lra.
Qed.

(* Lemma bbgn_close, for one pair of inputs. *)
Lemma tv_close {A} : forall (p q p' q' : law A) eps Delta, tv_at_most p p' Delta -> tv_at_most q q' Delta ->
  close eps 0 p q -> close eps ((exp eps + 1) * Delta) p' q'.
Proof.
  intros p q p' q' eps Delta V V' D T. specialize (D T). specialize (V T). specialize (V' T).
  apply Rabs_le_between in V. apply Rabs_le_between in V'. pose proof (exp_pos eps).
  assert (exp eps * Pr q T <= exp eps * (Pr q' T + Delta)) by (apply Rmult_le_compat_l; lra). lra.
Qed.
