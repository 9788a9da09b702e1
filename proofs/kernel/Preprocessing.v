(* Each user first passes the datum through a random function of its own: privacy is kept, and samples of D become samples of
   the law of the new datum. *)
From Coq Require Import Reals Lra Lia List Bool.
From PanshuffleKernel Require Law.
From PanshuffleKernel Require Import Countable Privacy Masses Model Poisson Section4Transformation Poissonization Statistic Tester.
From PanshuffleKernel Require Import Paper.
Import ListNotations.
Open Scope R_scope.

Section Preprocessing.
Context {X X' Y : Type} (K : X -> law X') (PK : forall a, proper (K a)).
Definition preprocessed (x : list X) : law (list X') := independent (map K x).
Lemma proper_preprocessed : forall x, proper (preprocessed x).
Proof. intro x. apply proper_independent, Forall_forall. intros d I. apply in_map_iff in I. destruct I as [a [I _]]. subst; auto. Qed.
Lemma E_preprocessed_cons : forall a x f, bounded f ->
  E (preprocessed (a :: x)) f = E (K a) (fun z => E (preprocessed x) (fun zs => f (z :: zs))).
Proof.
  intros a x f F. unfold preprocessed. cbn [map independent]. pose proof (proper_preprocessed x) as PX. unfold preprocessed in PX.
  rewrite E_bind; [|auto | intro; apply proper_bind; auto; intro; apply proper_point | auto].
  apply E_ext; intro z. apply E_bind_point; auto.
Qed.
(* What is seen: first the new data, then the messages. *)
Lemma view_slices : forall (R : X' -> law (list Y)) x N f,
  sum_over (view (fun a => bind (K a) R) x N) f = sum_over (bind (preprocessed x) (view R) N) f.
Proof.
  intros R x N f. unfold view. rewrite !slice_bind.
  set (g := fun l => sum_over (shuffle l N) f).
  transitivity (sum_over (preprocessed x N) (fun zs => sum_over (messages R zs N) g)).
  2:{ apply table_ext; intro zs. rewrite slice_bind. reflexivity. }
  clearbody g. unfold messages, preprocessed. revert g. induction x as [|a x IH]; intro g.
  - cbn [map independent concatenated]. unfold point. simpl. ring.
  - cbn [map independent concatenated]. rewrite !slice_bind. apply table_ext; intro z. rewrite slice_bind.
    transitivity (sum_over (R z N) (fun l => sum_over (independent (map K x) N) (fun zs => sum_over (concatenated (map R zs) N) (fun r => g (l ++ r))))).
    + apply table_ext; intro l. rewrite slice_bind. rewrite (table_ext _ _ (fun r => g (l ++ r))) by (intro; unfold point; simpl; ring). apply IH.
    + rewrite Law.E_swap. apply table_ext; intro zs. unfold point at 1. cbn [sum_over]. rewrite Rmult_1_l, Rplus_0_r.
      cbn [map concatenated]. rewrite slice_bind. apply table_ext; intro l. rewrite slice_bind. apply table_ext; intro r. unfold point. simpl. ring.
Qed.
Lemma view_preprocessed : forall (R : X' -> law (list Y)) x,
  same_law (view (fun a => bind (K a) R) x) (bind (preprocessed x) (view R)).
Proof. intros R x f F. apply E_slices; intro N. apply view_slices. Qed.

Section Kept.
Context {Z : Type}.
Lemma bind_preprocessed_cons : forall a x (V : list X' -> law Z), (forall z, proper (V z)) ->
  same_law (bind (K a) (fun z => bind (preprocessed x) (fun zs => V (z :: zs)))) (bind (preprocessed (a :: x)) V).
Proof.
  intros a x V PV f F. pose proof (proper_preprocessed x) as PX.
  rewrite E_bind; [|auto | intro; apply proper_bind; auto | auto]. rewrite (E_bind (preprocessed (a :: x))); auto using proper_preprocessed.
  rewrite E_preprocessed_cons by (apply bounded_E; auto).
  apply E_ext; intro z. rewrite E_bind; auto.
Qed.
Lemma same_data : forall eps delta v (V V' : list X' -> law Z), (forall z, proper (V z)) -> (forall z, proper (V' z)) ->
  (forall z, length z = length v -> close eps delta (V z) (V' z)) -> close eps delta (bind (preprocessed v) V) (bind (preprocessed v) V').
Proof.
  intros eps delta v. induction v as [|a v IH]; intros V V' PV PV' C.
  - apply (close_same _ _ (V []) (V' [])); [| | apply C; reflexivity]; apply same_sym; unfold preprocessed; apply bind_point; auto.
  - apply (close_same _ _ _ _ _ _ (bind_preprocessed_cons a v V PV) (bind_preprocessed_cons a v V' PV')).
    apply mixture_close; auto; try (intro; apply proper_bind; auto using proper_preprocessed).
    intro z. apply IH; auto. intros zs L. apply C. simpl. auto.
Qed.
Lemma neighbours_cons {A} : forall (a : A) x x', neighbours x x' -> neighbours (a :: x) (a :: x').
Proof. intros a x x' [u [b [c [v [H H']]]]]. exists (a :: u), b, c, v. subst. auto. Qed.
Lemma any_two {A} : forall eps delta (d d' : law A) (V : A -> law Z), proper d -> proper d' -> (forall a, proper (V a)) ->
  (forall a b, close eps delta (V a) (V b)) -> close eps delta (bind d V) (bind d' V).
Proof.
  intros eps delta d d' V D D' PV C T. unfold Pr. rewrite !E_bind by auto using bounded_indicator.
  assert (B : bounded (fun a => E (V a) (fun z => indicator (T z)))) by (apply bounded_E; auto using bounded_indicator).
  rewrite <- (E_const d D (exp eps * _ + delta)). apply E_le; auto using bounded_const. intro a.
  rewrite <- E_mult by auto. rewrite <- (E_const d' D' delta), <- E_plus by auto using bounded_const, bounded_const_mult.
  rewrite <- (E_const d' D' (E (V a) _)). apply E_le; auto using bounded_const, bounded_plus, bounded_const_mult.
  intro b. apply (C a b T).
Qed.
Theorem neighbours_preprocessed : forall eps delta x x' (V : list X' -> law Z), (forall z, proper (V z)) -> neighbours x x' ->
  (forall z z', length z = length x -> neighbours z z' -> close eps delta (V z) (V z')) ->
  close eps delta (bind (preprocessed x) V) (bind (preprocessed x') V).
Proof.
  intros eps delta x x' V PV [u [a [b [v [Q Q']]]]]. subst. revert V PV. induction u as [|c u IH]; intros V PV C; cbn [app] in *.
  - apply (close_same _ _ _ _ _ _ (bind_preprocessed_cons a v V PV) (bind_preprocessed_cons b v V PV)).
    apply (any_two eps delta (K a) (K b) (fun z => bind (preprocessed v) (fun zs => V (z :: zs)))); auto.
    + intro z. apply proper_bind; auto using proper_preprocessed.
    + intros z z'. apply same_data; auto. intros zs L. apply C; [simpl; auto|]. exists [], z, z', zs. auto.
  - apply (close_same _ _ _ _ _ _ (bind_preprocessed_cons c (u ++ a :: v) V PV) (bind_preprocessed_cons c (u ++ b :: v) V PV)).
    apply mixture_close; auto; try (intro; apply proper_bind; auto using proper_preprocessed).
    intro z. apply IH; auto. intros zs zs' L NB. apply C; [simpl; auto | apply neighbours_cons; auto].
Qed.
End Kept.
Theorem private_preprocessed : forall n eps delta (R : X' -> law (list Y)), algorithm R -> private_on n eps delta (view R) ->
  private_on n eps delta (view (fun a => bind (K a) R)).
Proof.
  intros n eps delta R A P x x' L NB.
  apply (close_same _ _ _ _ _ _ (same_sym _ _ (view_preprocessed R x)) (same_sym _ _ (view_preprocessed R x'))).
  apply neighbours_preprocessed; auto; [intro; apply proper_view; auto|]. intros z z' LZ NZ. apply P; auto. congruence.
Qed.

(* Samples of D become samples of bind D K. *)
Lemma samples_slices : forall (D : law X) n N f,
  sum_over (samples D n N) (fun x => sum_over (preprocessed x N) f) = sum_over (samples (bind D K) n N) f.
Proof.
  intros D n N. unfold samples, preprocessed. induction n; intro f.
  - simpl. unfold point. simpl. ring.
  - cbn [repeat independent]. rewrite !slice_bind. apply table_ext; intro a. rewrite slice_bind.
    transitivity (sum_over (independent (repeat D n) N) (fun l => sum_over (K a N) (fun z => sum_over (independent (map K l) N) (fun zs => f (z :: zs))))).
    + apply table_ext; intro l. unfold point at 1. cbn [sum_over map independent]. rewrite Rmult_1_l, Rplus_0_r, slice_bind.
      apply table_ext; intro z. rewrite slice_bind. apply table_ext; intro zs. unfold point. simpl. ring.
    + rewrite Law.E_swap. apply table_ext; intro z. rewrite slice_bind, (IHn (fun zs => f (z :: zs))). apply table_ext; intro zs. unfold point. simpl. ring.
Qed.
Lemma poissonized_slices : forall (D : law X) m N f,
  sum_over (poissonized m D N) (fun x => sum_over (preprocessed x N) f) = sum_over (poissonized m (bind D K) N) f.
Proof. intros D m N f. unfold poissonized. rewrite !slice_bind. apply table_ext; intro n. apply samples_slices. Qed.
Lemma lengths_kept : forall x N f g, (forall z, length z = length x -> f z = g z) -> sum_over (preprocessed x N) f = sum_over (preprocessed x N) g.
Proof.
  intros x N f g H. apply Law.E_ext_in. intros p I. apply H. unfold preprocessed in I. apply independent_length in I. rewrite map_length in I. auto.
Qed.
End Preprocessing.

(* A protocol with public coins for the random function, run on Pois(m) samples. *)
Lemma run_preprocessed {C X X' Y Z} : forall (coin : law C) (K : C -> X -> law X') (R : nat -> X' -> law (list Y)) (A : nat -> list Y -> law Z)
  (D : law X) m f,
  E (bind (poissonized m D) (fun x => execution (Protocol (fun _ => coin) (fun n c x => bind (K c x) (R n)) (fun n _ => A n)) (length x) x)) f
  = E (bind coin (fun c => bind (poissonized m (bind D (K c))) (fun z => execution (Protocol no_coins (fun n _ => R n) (fun n _ => A n)) (length z) z))) f.
Proof.
  intros coin K R A D m f. apply E_slices; intro N. rewrite !slice_bind. unfold execution. cbn [coins randomizer analyzer].
  rewrite (table_ext _ _ (fun x => sum_over (coin N) (fun c => sum_over (preprocessed (K c) x N) (fun z =>
    sum_over (bind (no_coins (length z)) (fun _ => bind (view (R (length z)) z) (A (length z))) N) f)))).
  - rewrite Law.E_swap. apply table_ext; intro c. rewrite slice_bind. apply (poissonized_slices (K c)).
  - intro x. rewrite slice_bind. apply table_ext; intro c. rewrite slice_bind, view_slices, slice_bind. apply lengths_kept. intros z L.
    rewrite L. unfold no_coins. rewrite slice_bind. unfold point. cbn [sum_over]. rewrite slice_bind. ring.
Qed.
