(* Lemma b_noise, what the two directions of its privacy come to: tails of Bin(l, p).

   The ratio of neighbouring masses is b(x)/b(x-1) = (l-x+1)p/(x(1-p)); so X is hidden in X + 1 up to the probability that X is
   small, and X + 1 in X up to the probability that X is large; and E[e^(sX)] = (1-p+pe^s)^l bounds both. *)
From Coq Require Import Reals ZArith Lra Lia List Bool.
From PanshuffleKernel Require Import Law Closeness Parity UniformityTransformation BinomialMechanism BinomialCertificate.
Import ListNotations.
Open Scope R_scope.

(* The recursion of the masses, b(x) x (1-p) = b(x-1) (l-x+1) p, as an identity of expectations. *)
Lemma Bin_neighbours : forall p l f,
  (1 - p) * E (Bin l p) (fun x => INR x * f x) = p * E (Bin l p) (fun x => (INR l - INR x) * f (S x)).
Proof.
  intros p. induction l as [|l IH]; intro f.
  - cbn [Bin]. rewrite !E_point. simpl. ring.
  - rewrite !E_Bin_step.
    pose proof (IH f) as I1. pose proof (IH (fun x => f (S x))) as I2. cbv beta in I1, I2.
    rewrite (E_ext _ (fun c => INR (S c) * f (S c)) (fun c => INR c * f (S c) + f (S c))) by (intro; rewrite S_INR; ring).
    rewrite (E_ext _ (fun c => (INR (S l) - INR (S c)) * f (S (S c))) (fun c => (INR l - INR c) * f (S (S c))))
      by (intro; rewrite !S_INR; ring).
    rewrite (E_ext _ (fun x => (INR (S l) - INR x) * f (S x)) (fun c => (INR l - INR c) * f (S c) + f (S c)))
      by (intro; rewrite !S_INR; ring).
    rewrite !E_plus.
    set (a := E (Bin l p) (fun a => INR a * f a)) in *. set (b := E (Bin l p) (fun a => INR a * f (S a))) in *.
    set (c := E (Bin l p) (fun a => (INR l - INR a) * f (S a))) in *.
    set (d := E (Bin l p) (fun a => (INR l - INR a) * f (S (S a)))) in *. set (e := E (Bin l p) (fun a => f (S a))).
    transitivity (p * ((1 - p) * b) + (1 - p) * p * e + (1 - p) * ((1 - p) * a)); [ring|]. rewrite I1, I2. ring.
Qed.

(* "E[e^(sX)] = (1-p+pe^s)^l." *)
Lemma Bin_generating : forall p s l, E (Bin l p) (fun x => exp (s * INR x)) = (1 - p + p * exp s) ^ l.
Proof.
  intros p s. induction l as [|l IH].
  - cbn [Bin]. rewrite E_point. simpl. rewrite Rmult_0_r, exp_0. reflexivity.
  - rewrite E_Bin_step. rewrite (E_ext _ _ (fun x => exp s * exp (s * INR x)))
      by (intro; rewrite S_INR, <- exp_plus; f_equal; ring).
    rewrite E_mult, IH. simpl. ring.
Qed.

(* Bin(l, p) and l - Bin(l, 1-p). *)
Lemma Bin_mirror : forall p l f, E (Bin l p) f = E (Bin l (1 - p)) (fun x => f (l - x)%nat).
Proof.
  intros p. induction l as [|l IH]; intro f.
  - cbn [Bin]. rewrite !E_point. reflexivity.
  - rewrite !E_Bin_step, (IH f), (IH (fun c => f (S c))). 
    rewrite (E_ext_in _ (fun c => f (S (l - c))) (fun x => f (S l - x)%nat)).
    + cbn [Nat.sub]. ring.
    + intros q Hq. apply Bin_range in Hq. f_equal. lia.
Qed.

Section Tails.
Variables (l : nat) (p eps : R).
Hypothesis p_range : 0 < p < 1.
Let Ex := exp eps.

Definition below (x : R) (c : nat) : bool := if Rlt_dec (INR c) x then true else false.
Definition above (x : R) (c : nat) : bool := if Rlt_dec x (INR c) then true else false.

Lemma lower_tail : forall x, 0 <= eps ->
  Pr (Bin l p) (below x) <= exp (eps * x) * (1 - p + p * / Ex) ^ l.
Proof.
  intros x He. unfold Ex. rewrite <- exp_Ropp, <- Bin_generating, <- E_mult. unfold Pr.
  apply E_le; [apply proper_Bin; lra|]. intro c. rewrite <- exp_plus. unfold below.
  pose proof (exp_pos (eps * x + - eps * INR c)). destruct (Rlt_dec (INR c) x) as [H0|H0]; simpl; [|lra].
  pose proof (exp_ineq1_le (eps * x + - eps * INR c)). assert (0 <= eps * (x - INR c)) by (apply Rmult_le_pos; lra). lra.
Qed.

Lemma upper_tail : forall x, 0 <= eps ->
  Pr (Bin l p) (above x) <= exp (- eps * x) * (1 - p + p * Ex) ^ l.
Proof.
  intros x He. unfold Ex. rewrite <- Bin_generating, <- E_mult. unfold Pr.
  apply E_le; [apply proper_Bin; lra|]. intro c. rewrite <- exp_plus. unfold above.
  pose proof (exp_pos (- eps * x + eps * INR c)). destruct (Rlt_dec x (INR c)) as [H0|H0]; simpl; [|lra].
  pose proof (exp_ineq1_le (- eps * x + eps * INR c)). assert (0 <= eps * (INR c - x)) by (apply Rmult_le_pos; lra). lra.
Qed.

(* X against X + 1: the ratio b(x)/b(x-1) is at most E from x = (l+1) p/(p + E(1-p)) on. *)
Lemma losing : forall g, (forall x, 0 <= g x <= 1) ->
  E (Bin l p) g <= Ex * E (Bin l p) (fun x => g (S x)) + Pr (Bin l p) (below ((INR l + 1) * p / (p + Ex * (1 - p)))).
Proof.
  intros g G. pose proof (exp_pos eps) as E0. fold Ex in E0. assert (NB : nonneg (Bin l p)) by (apply proper_Bin; lra).
  assert (W0 : 0 < p + Ex * (1 - p)) by (assert (0 < Ex * (1 - p)) by (apply Rmult_lt_0_compat; lra); lra).
  set (x0 := (INR l + 1) * p / (p + Ex * (1 - p))).
  assert (X0 : x0 * (p + Ex * (1 - p)) = (INR l + 1) * p) by (unfold x0; field; lra).
  set (h := fun x => if below x0 x then 0 else g x).
  set (f := fun x : nat => h x / ((INR l - INR x + 1) * p)).
  assert (H01 : forall x, 0 <= h x <= g x) by (intro x; unfold h; specialize (G x); destruct (below x0 x); lra).
  apply Rle_trans with (E (Bin l p) h + Pr (Bin l p) (below x0)).
  - unfold Pr. rewrite <- E_plus. apply E_le; auto. intro x. unfold h. specialize (G x). destruct (below x0 x); simpl; lra.
  - apply Rplus_le_compat_r. apply Rle_trans with (Ex * ((1 - p) * E (Bin l p) (fun x => INR x * f x))).
    + rewrite <- !E_mult. apply E_le_in; auto. intros [x w] Hx. apply Bin_range in Hx. cbn [fst] in *. apply le_INR in Hx.
      assert (Q : 0 < (INR l - INR x + 1) * p) by (apply Rmult_lt_0_compat; lra).
      unfold f, h, below. destruct (Rlt_dec (INR x) x0) as [L|L].
      * unfold Rdiv. rewrite Rmult_0_l. lra.
      * specialize (G x). apply Rmult_le_reg_r with ((INR l - INR x + 1) * p); auto.
        replace (Ex * ((1 - p) * (INR x * (g x / ((INR l - INR x + 1) * p)))) * ((INR l - INR x + 1) * p))
          with (g x * (Ex * (1 - p) * INR x)) by (field; lra).
        apply Rmult_le_compat_l; [lra|]. 
        assert (x0 * (p + Ex * (1 - p)) <= INR x * (p + Ex * (1 - p))) by (apply Rmult_le_compat_r; lra). lra.
    + rewrite Bin_neighbours. apply Rmult_le_compat_l; [lra|]. rewrite <- E_mult. apply E_le_in; auto.
      intros [x w] Hx. apply Bin_range in Hx. cbn [fst] in *. apply le_INR in Hx. unfold f. rewrite S_INR.
      destruct (Req_EM_T (INR l - INR x) 0) as [Z|Z].
      * rewrite Z. rewrite Rmult_0_l, Rmult_0_r. apply G.
      * replace (p * ((INR l - INR x) * (h (S x) / ((INR l - (INR x + 1) + 1) * p)))) with (h (S x)) by (field; lra).
        apply H01.
Qed.

(* X + 1 against X: the ratio b(x-1)/b(x) is at most E up to x = (l+1) pE/(1-p+pE). *)
Lemma gaining : forall g, (forall x, 0 <= g x <= 1) ->
  E (Bin l p) (fun x => g (S x)) <= Ex * E (Bin l p) g + Pr (Bin l p) (above ((INR l + 1) * (p * Ex / (1 - p + p * Ex)) - 1)).
Proof.
  intros g G. pose proof (exp_pos eps) as E0. fold Ex in E0. assert (NB : nonneg (Bin l p)) by (apply proper_Bin; lra).
  assert (W0 : 0 < 1 - p + p * Ex) by (assert (0 < p * Ex) by (apply Rmult_lt_0_compat; lra); lra).
  set (x0 := (INR l + 1) * (p * Ex / (1 - p + p * Ex)) - 1).
  assert (X0 : (x0 + 1) * (1 - p + p * Ex) = (INR l + 1) * (p * Ex)) by (unfold x0; field; lra).
  set (h := fun x => if above x0 x then 0 else g (S x)).
  set (f := fun x : nat => match x with O => 0 | S y => h y / (INR (S y) * (1 - p)) end).
  apply Rle_trans with (E (Bin l p) h + Pr (Bin l p) (above x0)).
  - unfold Pr. rewrite <- E_plus. apply E_le; auto. intro x. unfold h. specialize (G (S x)). destruct (above x0 x); simpl; lra.
  - apply Rplus_le_compat_r. apply Rle_trans with (Ex * (p * E (Bin l p) (fun x => (INR l - INR x) * f (S x)))).
    + rewrite <- !E_mult. apply E_le_in; auto. intros [x w] Hx. apply Bin_range in Hx. cbn [fst] in *. apply le_INR in Hx.
      pose proof (pos_INR x) as P0.
      assert (Q : 0 < INR (S x) * (1 - p)) by (rewrite S_INR; apply Rmult_lt_0_compat; lra).
      unfold f, h, above. destruct (Rlt_dec x0 (INR x)) as [L|L].
      * unfold Rdiv. rewrite Rmult_0_l. lra.
      * specialize (G (S x)). apply Rmult_le_reg_r with (INR (S x) * (1 - p)); auto. rewrite S_INR in *.
        replace (Ex * (p * ((INR l - INR x) * (g (S x) / ((INR x + 1) * (1 - p))))) * ((INR x + 1) * (1 - p)))
          with (g (S x) * (Ex * p * (INR l - INR x))) by (field; lra).
        apply Rmult_le_compat_l; [lra|].
        assert ((INR x + 1) * (1 - p + p * Ex) <= (x0 + 1) * (1 - p + p * Ex)) by (apply Rmult_le_compat_r; lra). lra.
    + rewrite <- Bin_neighbours. apply Rmult_le_compat_l; [lra|]. rewrite <- E_mult. apply E_le; auto.
      intros x. unfold f. destruct x as [|x]; [specialize (G O); lra|].
      assert (Q : 0 < INR (S x)) by (apply lt_0_INR; lia).
      replace ((1 - p) * (INR (S x) * (h x / (INR (S x) * (1 - p))))) with (h x) by (field; lra).
      unfold h. specialize (G (S x)). destruct (above x0 x); lra.
Qed.
End Tails.

(* What is left of the lemma: the two tails. *)
Theorem hides_one_by_tails : forall (l : nat) (p eps delta : R), 0 < p < 1 -> 0 <= eps -> 0 <= delta ->
  exp (eps * ((INR l + 1) * p / (p + exp eps * (1 - p)))) * (1 - p + p * / exp eps) ^ l <= delta ->
  exp (- eps * ((INR l + 1) * (p * exp eps / (1 - p + p * exp eps)) - 1)) * (1 - p + p * exp eps) ^ l <= delta ->
  hides_one l p eps delta.
Proof.
  intros l p eps delta Hp He Hd B1 B2 a b Hab T. unfold Pr. rewrite !E_noisy.
  assert (C : (a = b \/ a = b + 1 \/ b = a + 1)%Z) by lia. destruct C as [C|[C|C]]; subst.
  - set (X := E _ _). assert (0 <= X) by (apply (Pr_01 (Bin l p) (fun c => T (b + Z.of_nat c)%Z)); apply proper_Bin; lra).
    pose proof (exp_ineq1_le eps). assert (1 * X <= exp eps * X) by (apply Rmult_le_compat_r; lra). lra.
  - rewrite (E_ext _ (fun c => indicator (T (b + 1 + Z.of_nat c)%Z)) (fun c => (fun i => indicator (T (b + Z.of_nat i)%Z)) (S c)))
      by (intro c; do 2 f_equal; lia).
    eapply Rle_trans; [apply (gaining l p eps Hp (fun i => indicator (T (b + Z.of_nat i)%Z))); intro; apply indicator_01|].
    apply Rplus_le_compat_l. eapply Rle_trans; [apply (upper_tail l p eps Hp _ He) | exact B2].
  - rewrite (E_ext _ (fun c => indicator (T (a + 1 + Z.of_nat c)%Z)) (fun c => (fun i => indicator (T (a + Z.of_nat i)%Z)) (S c)))
      by (intro c; do 2 f_equal; lia).
    eapply Rle_trans; [apply (losing l p eps Hp (fun i => indicator (T (a + Z.of_nat i)%Z))); intro; apply indicator_01|].
    apply Rplus_le_compat_l. eapply Rle_trans; [apply (lower_tail l p eps Hp _ He) | exact B1].
Qed.

(* X -> l - X exchanges p with 1 - p. *)
Lemma hides_one_mirror : forall l p eps delta, hides_one l (1 - p) eps delta -> hides_one l p eps delta.
Proof.
  intros l p eps delta H a b Hab T.
  specialize (H (- a - Z.of_nat l)%Z (- b - Z.of_nat l)%Z ltac:(lia) (fun z => T (- z)%Z)).
  unfold Pr in *. rewrite !E_noisy in *. rewrite !(Bin_mirror p).
  assert (Q : forall c : Z, E (Bin l (1 - p)) (fun x => indicator (T (c + Z.of_nat (l - x))%Z))
    = E (Bin l (1 - p)) (fun x => indicator (T (- (- c - Z.of_nat l + Z.of_nat x))%Z))).
  { intro c. apply E_ext_in. intros [x w] Hx. apply Bin_range in Hx. cbn [fst] in *. do 2 f_equal. lia. }
  rewrite !Q. exact H.
Qed.
