(* Facts that the paper's proofs use without proof: the inequalities of Markov, Chebyshev and Cantelli, Markov's inequality for
   exponentials, and that an independent common factor changes no privacy. *)
From Coq Require Import Reals Lra Lia List Bool.
From PanshuffleKernel Require Import Law Closeness PostProcessing Composition Hash.
Import ListNotations.
Open Scope R_scope.

Definition mean {A} (d : law A) (W : A -> R) : R := E d W.
Definition variance {A} (d : law A) (W : A -> R) : R := E d (fun a => (W a - mean d W) ^ 2).

Lemma variance_nonneg {A} : forall (d : law A) W, proper d -> 0 <= variance d W.
Proof.
  intros d W H. unfold variance. rewrite <- (E_const d 0 H). apply E_le; [apply H|]. intro. apply pow2_ge_0.
Qed.

(* "P[|X - mu| >= t] <= Var[X]/t^2." *)
Theorem chebyshev {A} : forall (d : law A) (W : A -> R) (t : R), proper d -> 0 < t ->
  Pr d (fun a => at_least t (Rabs (W a - mean d W))) <= variance d W / t ^ 2.
Proof.
  intros d W t H Ht. assert (T2 : 0 < t ^ 2) by (apply pow_lt; auto).
  eapply Rle_trans; [|apply (markov d (fun a => (W a - mean d W) ^ 2) (t ^ 2) H (fun a => pow2_ge_0 _) T2)].
  apply E_le; [apply H|]. intro a. unfold at_least. destruct (Rle_dec t _) as [B|B]; [|apply indicator_01].
  destruct (Rle_dec (t ^ 2) _) as [C|C]; [lra|]. exfalso. apply C. rewrite <- (pow2_abs (W a - mean d W)). apply pow_incr. lra.
Qed.

(* "P[X - mu >= t] <= v/(v + t^2)." *)
Theorem cantelli {A} : forall (d : law A) (W : A -> R) (t : R), proper d -> 0 < t ->
  Pr d (fun a => at_least t (W a - mean d W)) <= variance d W / (variance d W + t ^ 2).
Proof.
  intros d W t H Ht. pose proof (variance_nonneg d W H) as V0. set (v := variance d W) in *. set (mu := mean d W) in *. set (u := v / t).
  assert (T2 : 0 < t ^ 2) by (apply pow_lt; auto). assert (U0 : 0 <= u) by (unfold u; apply Rmult_le_pos; [auto | left; apply Rinv_0_lt_compat; auto]).
  assert (TU : 0 < (t + u) ^ 2) by (apply pow_lt; lra).
  apply Rle_trans with (E d (fun a => (W a - mu + u) ^ 2) / (t + u) ^ 2).
  - eapply Rle_trans; [|apply (markov d (fun a => (W a - mu + u) ^ 2) ((t + u) ^ 2) H (fun a => pow2_ge_0 _) TU)].
    apply E_le; [apply H|]. intro a. unfold at_least. destruct (Rle_dec t _) as [B|B]; [|apply indicator_01].
    destruct (Rle_dec ((t + u) ^ 2) _) as [C|C]; [lra|]. exfalso. apply C. apply pow_incr. lra.
  - assert (EQ : E d (fun a => (W a - mu + u) ^ 2) = v + u ^ 2).
    { rewrite (E_ext d _ (fun a => ((W a - mu) ^ 2 + 2 * u * W a) + (u ^ 2 - 2 * u * mu))) by (intro; ring).
      rewrite !E_plus, E_mult, (E_const d _ H). fold (mean d W). fold mu. unfold v, variance. fold mu. ring. }
    rewrite EQ. unfold u. right. field. repeat split; try lra; nra.
Qed.

(* "For s >= 0: P[X >= a] <= E[e^(s(X-a))], and P[X <= a] <= E[e^(s(a-X))]." *)
Theorem exponential_markov {A} : forall (d : law A) (W : A -> R) (s a : R), proper d -> 0 <= s ->
  Pr d (fun x => at_least a (W x)) <= E d (fun x => exp (s * (W x - a)))
  /\ Pr d (fun x => at_least (W x) a) <= E d (fun x => exp (s * (a - W x))).
Proof.
  intros d W s a H Hs. split; apply E_le; try apply H; intro x; unfold at_least.
  - pose proof (exp_ineq1_le (s * (W x - a))). pose proof (exp_pos (s * (W x - a))). destruct (Rle_dec a (W x)); simpl; [|lra].
    assert (0 <= s * (W x - a)) by (apply Rmult_le_pos; lra). lra.
  - pose proof (exp_ineq1_le (s * (a - W x))). pose proof (exp_pos (s * (a - W x))). destruct (Rle_dec (W x) a); simpl; [|lra].
    assert (0 <= s * (a - W x)) by (apply Rmult_le_pos; lra). lra.
Qed.

(* An independent common factor: (P, R) against (Q, R) is P against Q, at every eps and delta. *)
Theorem common_factor {A B} : forall (eps delta : R) (p q : law A) (r : law B), proper p -> proper q -> proper r ->
  (close eps delta (joint p r) (joint q r) <-> close eps delta p q).
Proof.
  intros eps delta p q r Hp Hq Hr. split; intro C.
  - pose proof (post_processing eps delta _ _ (fun ab => point (fst ab)) (fun ab => proper_point _) C) as P. revert P.
    apply close_same; intro f; unfold joint; rewrite !E_bind; apply E_ext; intro a; rewrite E_bind;
      (rewrite (E_ext r _ (fun _ => f a)) by (intro b; rewrite !E_point; reflexivity)); apply E_const; auto.
  - replace eps with (eps + 0) by ring. replace delta with (delta + 0) by ring. apply composition; auto; [lra|].
    intro T. rewrite exp_0. lra.
Qed.
