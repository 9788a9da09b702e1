(* Beyond the paper: the variation-ratio bound of shuffle accountants, as public code computes it, is no bound.  For 3-ary
   randomized response with e^eps0 = 2 and two users, the code's pair of laws is (ln(7/4), 1/64)-close; the shuffled reports are
   not, for two users who both hold the same value. *)
From Coq Require Import Reals Lra Lia List Bool PeanoNat.
From PanshuffleKernel Require Law.
From PanshuffleKernel Require Import Countable Privacy SingleMessage Amplification.
From PanshuffleKernel Require Import Paper.
Import ListNotations.
Open Scope R_scope.

(* The code's pair, for n users, ratio p, total variation beta and ratio q to the other users. *)
Definition variation_ratio (n : nat) (p beta q : R) (own : bool) : law (nat * nat) :=
  let alpha := beta / (p - 1) in clone_counts n p alpha (alpha * p / q) own.

(* Report the own value of three with probability 1/2, and each of the others with 1/4. *)
Inductive three := First | Second | Third.
Definition response (x y : three) : R :=
  match x, y with First, First | Second, Second | Third, Third => 1 / 2 | _, _ => 1 / 4 end.
Definition three_response (x : three) : law (list three) := fun _ => map (fun y => ([y], response x y)) [First; Second; Third].

Lemma constant_law {A} : forall (d : law A) f, d = (fun _ => d 0%nat) -> E d f = sum_over (d 0%nat) f.
Proof. intros d f H. rewrite H, E_finite. reflexivity. Qed.
Lemma code_pair : forall own T, Pr (variation_ratio 2 2 (1 / 4) 2 own) T
  = 1 / 8 * indicator (T (0, 0)%nat) + (if own then 5 / 16 else 3 / 16) * indicator (T (1, 0)%nat)
    + (if own then 3 / 16 else 5 / 16) * indicator (T (0, 1)%nat) + (if own then 1 / 8 else 1 / 16) * indicator (T (2, 0)%nat)
    + 3 / 16 * indicator (T (1, 1)%nat) + (if own then 1 / 16 else 1 / 8) * indicator (T (0, 2)%nat).
Proof.
  intros own T. unfold Pr, variation_ratio. replace (1 / 4 / (2 - 1)) with (1 / 4) by field. replace (1 / 4 * 2 / 2) with (1 / 4) by field.
  rewrite constant_law by reflexivity. unfold clone_counts, changed_user, bind, point.
  cbn [Nat.sub Bin Ber bind_table scale map app sum_over fst snd Nat.add bind point]. destruct own; field.
Qed.
(* The sum over the nine pairs of reports. *)
Lemma two_reports : forall a b T, Pr (view three_response [a; b]) T =
  total [First; Second; Third] (fun y => total [First; Second; Third] (fun z =>
    response a y * response b z * ((indicator (T [y; z]) + indicator (T [z; y])) / 2))).
Proof.
  intros a b T. unfold Pr. rewrite constant_law by reflexivity. unfold view, messages, three_response.
  cbn [map concatenated bind bind_table scale app sum_over fst snd point shuffle uniform inserts length INR total fold_right].
  destruct a, b; cbn [response]; field.
Qed.
Ltac events := repeat match goal with |- context [indicator ?b] => let i := fresh in let H := fresh in
  pose proof (Law.indicator_01 b) as H; set (i := indicator b) in *; clearbody i end.

(* The code's pair: its delta at e^eps = 7/4, both ways. *)
Theorem variation_ratio_pair : forall own delta,
  close (ln (7 / 4)) delta (variation_ratio 2 2 (1 / 4) 2 own) (variation_ratio 2 2 (1 / 4) 2 (negb own)) <-> 1 / 64 <= delta.
Proof.
  intros own delta. split; intro H.
  - specialize (H (fun c => Nat.eqb (if own then fst c else snd c) 2)). rewrite !code_pair, exp_ln in H by lra. destruct own; cbn in H; lra.
  - intro T. rewrite !code_pair, exp_ln by lra. destruct own; cbn [negb]; events; lra.
Qed.
(* What the code is told of three_response is true: e^eps0 = 2, and total variation 1/4. *)
Theorem three_response_parameters : locally_private (ln 2) 0 three_response
  /\ forall beta, (forall x x', tv_at_most (three_response x) (three_response x') beta) <-> 1 / 4 <= beta.
Proof.
  split; [intros x x' T; rewrite exp_ln by lra | intro beta; split; [intro H; specialize (H First Second (fun l =>
    match l with [First] => true | _ => false end)); revert H | intros B x x' T]]; unfold Pr, three_response; rewrite !E_finite;
      cbn [map sum_over].
  - destruct x, x'; cbn [response]; events; lra.
  - cbn. rewrite Rabs_pos_eq; lra.
  - apply Rabs_le. destruct x, x'; cbn [response]; events; lra.
Qed.
(* The delta of the shuffled reports at e^eps = 7/4. *)
Theorem three_response_exact : forall delta, private_on 2 (ln (7 / 4)) delta (view three_response) <-> 1 / 32 <= delta.
Proof.
  intro delta. split.
  - intro H. specialize (H [First; First] [Second; First] eq_refl ltac:(exists [], First, Second, [First]; auto)
      (forallb (fun y => match y with First => true | _ => false end))).
    rewrite exp_ln, !two_reports in H by lra. cbn in H. lra.
  - intros D s s' L (u & x & x' & v & -> & ->) T. rewrite exp_ln by lra. rewrite app_length in L. cbn [length] in L.
    destruct u as [|a [|? ?]], v as [|b [|? ?]]; cbn [length] in L; try lia; cbn [app]; rewrite !two_reports; cbn [total fold_right].
    + destruct x, x', b; cbn [response]; events; lra.
    + destruct x, x', a; cbn [response]; events; lra.
Qed.
Theorem variation_ratio_refuted : ~ (forall (X Y : Type) (rd : X -> law (list Y)) (n : nat) (eps0 beta eps delta : R), let p := exp eps0 in
  algorithm rd -> 0 < eps0 -> locally_private eps0 0 rd -> (forall b, (forall x x', tv_at_most (rd x) (rd x') b) <-> beta <= b) ->
  (forall own, close eps delta (variation_ratio n p beta p own) (variation_ratio n p beta p (negb own))) ->
  private_on n eps delta (view rd)).
Proof.
  intro H. specialize (H three three three_response 2%nat (ln 2) (1 / 4) (ln (7 / 4)) (1 / 64)). cbv zeta in H. rewrite exp_ln in H by lra.
  assert (Q : private_on 2 (ln (7 / 4)) (1 / 64) (view three_response)); [|apply three_response_exact in Q; lra].
  destruct three_response_parameters as [L V]. apply H; auto.
  - intro x. apply proper_finite. split; [|destruct x; simpl; lra].
    intros q I. apply in_map_iff in I. destruct I as [y [<- _]]. destruct x, y; cbn [snd response]; lra.
  - rewrite <- ln_1. apply ln_increasing; lra.
  - intro own. apply variation_ratio_pair. lra.
Qed.
