(* A certificate for the binomial mechanism, replayed by computation inside Coq.

   Lemma b_noise asserts (eps,delta)-differential privacy of f(x) + Bin(l,p) for large l.  For given numbers it is decided
   by integers: with p = u/(u+v), e^eps = a/b and delta = c/d rational, the masses of Bin(l,p) are integers over (u+v)^l,
   and the hockey-stick divergences of Bin(l,p) and 1 + Bin(l,p) are sums of positive parts.

   Proved: if the computation says yes, the mechanism is (ln(a/b), c/d)-differentially private for every 1-sensitive f. *)
From Coq Require Import Reals ZArith Lra Lia List Bool.
From PanshuffleKernel Require Import Law Closeness Parity UniformityTransformation BinomialMechanism Rows.
Import ListNotations.
Open Scope R_scope.

(* C(l,i) u^i v^(l-i) for i = 0, ..., l. *)
Fixpoint binomial_row (u v : Z) (l : nat) : list Z :=
  match l with O => [1%Z] | S l => let r := binomial_row u v l in add (times v r) (shift (times u r)) end.

Definition within_delta (l : nat) (u v a b c d : Z) (upper lower : list Z) : bool :=
  (d * positive_part (add (times b upper) (times (- a) lower)) <=? c * b * (u + v) ^ Z.of_nat l)%Z.

Definition accepts (l : nat) (u v a b c d : Z) : bool :=
  ((0 <? u) && (0 <? v) && (0 <? b) && (b <=? a) && (0 <=? c) && (0 <? d))%Z &&
  (let r := binomial_row u v l in
   within_delta l u v a b c d (shift r) r && within_delta l u v a b c d r (shift r)).

Lemma E_Bin_step : forall n p f, E (Bin (S n) p) f = p * E (Bin n p) (fun c => f (S c)) + (1 - p) * E (Bin n p) f.
Proof.
  intros. cbn [Bin]. rewrite E_bind. unfold Ber. cbn [E]. rewrite !E_bind.
  rewrite (E_ext _ _ (fun c => f (S c))) by (intro; rewrite E_point; reflexivity).
  rewrite (E_ext (Bin n p) (fun a => E (point (if false then S a else a)) f) f) by (intro; rewrite E_point; reflexivity). ring.
Qed.

Lemma Bin_row : forall u v l f, (0 < u + v)%Z ->
  E (Bin l (IZR u / IZR (u + v))) f * IZR (u + v) ^ l = weigh (binomial_row u v l) 0 f.
Proof.
  intros u v l f H. apply IZR_lt in H. revert f. pose proof (plus_IZR u v) as HD. set (D := IZR (u + v)) in *.
  assert (HU : IZR u / D * D = IZR u) by (field; lra). induction l; intro f.
  - cbn [Bin binomial_row weigh]. rewrite E_point. simpl. ring.
  - cbn [binomial_row]. cbv zeta. rewrite weigh_add, weigh_times, weigh_shift, weigh_times, <- !IHl, E_Bin_step. cbn [pow].
    set (A := E _ (fun c => f (S c))). set (B := E _ f). set (P := D ^ l).
    transitivity (IZR u / D * D * (A * P) + (D - IZR u / D * D) * (B * P)); [ring|].
    rewrite HU. replace (D - IZR u) with (IZR v) by lra. ring.
Qed.

Section Soundness.
Variables u v a b c d : Z.
Variable l : nat.
Hypothesis accepted : accepts l u v a b c d = true.

Lemma parts : (0 < u /\ 0 < v /\ 0 < b /\ b <= a /\ 0 <= c /\ 0 < d)%Z
  /\ within_delta l u v a b c d (shift (binomial_row u v l)) (binomial_row u v l) = true
  /\ within_delta l u v a b c d (binomial_row u v l) (shift (binomial_row u v l)) = true.
Proof.
  pose proof accepted as H. unfold accepts in H. cbv zeta in H. rewrite !andb_true_iff in H.
  rewrite ?Z.ltb_lt, ?Z.leb_le in H. tauto.
Qed.

Lemma one_direction : forall upper lower g, within_delta l u v a b c d upper lower = true -> (forall i, 0 <= g i <= 1) ->
  weigh upper 0 g <= IZR a / IZR b * weigh lower 0 g + IZR c / IZR d * IZR (u + v) ^ l.
Proof.
  intros upper lower g W G. destruct parts as [[Hu [Hv [Hb [Hab [Hc Hd]]]]] _].
  unfold within_delta in W. apply Z.leb_le, IZR_le in W. rewrite !mult_IZR, <- pow_IZR in W.
  pose proof (weigh_positive_part (add (times b upper) (times (- a) lower)) 0 g G) as B.
  rewrite weigh_add, !weigh_times, opp_IZR in B.
  apply IZR_lt in Hb. apply IZR_lt in Hd. set (X := weigh upper 0 g) in *. set (Y := weigh lower 0 g) in *.
  set (D := IZR (u + v) ^ l) in *. set (S := IZR (positive_part _)) in *.
  apply Rmult_le_reg_l with (IZR d * IZR b); [nra|].
  replace (IZR d * IZR b * (IZR a / IZR b * Y + IZR c / IZR d * D)) with (IZR d * (IZR a * Y) + IZR c * IZR b * D)
    by (field; lra). nra.
Qed.

Theorem certificate_sound : hides_one l (IZR u / IZR (u + v)) (ln (IZR a / IZR b)) (IZR c / IZR d).
Proof.
  destruct parts as [[Hu [Hv [Hb [Hab [Hc Hd]]]]] [W1 W2]].
  assert (Huv : (0 < u + v)%Z) by lia. pose proof (IZR_lt _ _ Huv) as Ruv.
  assert (Dp : 0 < IZR (u + v) ^ l) by (apply pow_lt; auto).
  apply IZR_lt in Hb as Rb. apply IZR_lt in Hd as Rd. apply IZR_le in Hab as Rab. apply IZR_le in Hc as Rc.
  apply IZR_lt in Hu as Ru. apply IZR_lt in Hv as Rv.
  assert (Ex : 1 <= IZR a / IZR b).
  { apply Rmult_le_reg_r with (IZR b); auto. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra. }
  assert (Dl : 0 <= IZR c / IZR d) by (apply Rmult_le_pos; [lra | left; apply Rinv_0_lt_compat; lra]).
  assert (Pp : 0 <= IZR u / IZR (u + v) <= 1).
  { rewrite plus_IZR in *. split.
    - apply Rmult_le_pos; [lra | left; apply Rinv_0_lt_compat; lra].
    - apply Rmult_le_reg_r with (IZR u + IZR v); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra. }
  intros x y Hxy T. rewrite exp_ln by lra. unfold Pr. rewrite !E_noisy.
  apply Rmult_le_reg_r with (IZR (u + v) ^ l); auto. rewrite Rmult_plus_distr_r, Rmult_assoc, !Bin_row by auto.
  assert (Q : forall z, weigh (binomial_row u v l) 0 (fun e => indicator (T (z + 1 + Z.of_nat e)%Z))
    = weigh (shift (binomial_row u v l)) 0 (fun i => indicator (T (z + Z.of_nat i)%Z))).
  { intro z. rewrite weigh_shift. apply weigh_ext. intro e. do 2 f_equal. lia. }
  assert (C : (x = y \/ x = y + 1 \/ y = x + 1)%Z) by lia. destruct C as [C|[C|C]]; subst.
  - set (X := weigh _ 0 _).
    assert (0 <= X).
    { unfold X. rewrite <- Bin_row by auto. apply Rmult_le_pos; [|lra].
      apply (Pr_01 (Bin l (IZR u / IZR (u + v))) (fun c0 => T (y + Z.of_nat c0)%Z)). apply proper_Bin; auto. }
    assert (0 <= IZR c / IZR d * IZR (u + v) ^ l) by (apply Rmult_le_pos; lra). nra.
  - rewrite Q. apply one_direction; auto. intro; apply indicator_01.
  - rewrite Q. apply one_direction; auto. intro; apply indicator_01.
Qed.
End Soundness.

(* For every 1-sensitive f. *)
Theorem certificate : forall (l : nat) (u v a b c d : Z), accepts l u v a b c d = true ->
  forall (X : Type) (f : list X -> Z) (n : nat), one_sensitive f ->
  private_on n (ln (IZR a / IZR b)) (IZR c / IZR d) (binomial_mechanism l (IZR u / IZR (u + v)) f).
Proof.
  intros l u v a b c d H. apply (proj1 (hides_one_iff l (IZR u / IZR (u + v)) (ln (IZR a / IZR b)) (IZR c / IZR d))).
  apply certificate_sound. exact H.
Qed.

(* Bin(80, 1/2) at e^eps = 2.718281828, a little below e, and delta = 10^-6. *)
Theorem example_80 : forall (X : Type) (f : list X -> Z) (n : nat), one_sensitive f ->
  private_on n (ln (2718281828 / 1000000000)) (1 / 1000000) (binomial_mechanism 80 (1 / 2) f).
Proof. apply (certificate 80 1 1 2718281828 1000000000 1 1000000). vm_compute. reflexivity. Qed.
