(* Claim robust_bc, and Theorems zerocount-pan and hist-pan with the printed lambda: what rests on Lemma b_noise.

   "For any eps > 0, gamma in (0,1], and delta in (0,1) with n >= 20 ((e^eps+1)/(e^eps-1))^2 ln(2/delta) users, P^zsum is
    (eps, 2(delta/2)^gamma, gamma)-robustly shuffle private."  "each user reports their true bit and a bit drawn from Ber(p)
    where p = 1 - 10/n ((e^eps+1)/(e^eps-1))^2 ln(2/delta)."  "the output of the shuffler is a post-processing of the
    central algorithm that samples eta ~ Bin(gamma' n, p) and outputs sum x_i + eta."

   Lemma b_noise is cited in the paper and is a premise here: binomial_lemma. *)
From Coq Require Import Reals ZArith Lra Lia List Bool Permutation.
From PanshuffleKernel Require Import Law Closeness PostProcessing Parity Shuffle Messages ShuffleModel.
From PanshuffleKernel Require Import Online Transformation UniformityTransformation BinomialMechanism PanSum PanHistogram ShareLaw.
Import ListNotations.
Open Scope R_scope.

(* ((e^eps+1)/(e^eps-1))^2 ln(2/delta). *)
Definition noise_scale (eps delta : R) : R := ((exp eps + 1) / (exp eps - 1)) ^ 2 * ln (2 / delta).

(* Lemma b_noise. *)
Definition binomial_lemma : Prop := forall (l : nat) (p eps delta : R),
  0 < p < 1 -> 0 < eps -> 0 < delta < 1 -> 10 * noise_scale eps delta <= INR l * Rmin p (1 - p) -> hides_one l p eps delta.

(* The randomizer of P^zsum. *)
Definition R_zsum (p : R) : randomizer bool bool := fun x => bind (Ber p) (fun b => point [x; b]).

Lemma proper_R_zsum : forall p x, 0 <= p <= 1 -> proper (R_zsum p x).
Proof. intros. apply proper_bind; [apply proper_Ber; auto | intro; apply proper_point]. Qed.

(* Messages with c ones among n, shuffled. *)
Definition arranged (n c : nat) : law (list bool) := shuffle (repeat true c ++ repeat false (n - c)).

Lemma sorted_bits : forall l, Permutation l (repeat true (heads l) ++ repeat false (length l - heads l)).
Proof.
  assert (B : forall l, (heads l <= length l)%nat) by (induction l as [|[|] l IH]; simpl; lia).
  induction l as [|[|] l IH]; cbn [heads length]; [constructor| |].
  - cbn [repeat app Nat.sub]. constructor. exact IH.
  - specialize (B l). rewrite Nat.sub_succ_l by lia. cbn [repeat]. apply Permutation_cons_app. exact IH.
Qed.

Lemma ones_nonneg : forall x, (0 <= ones x)%Z.
Proof. induction x as [|[|] x IH]; cbn [ones]; lia. Qed.

Lemma zsum_count : forall p x F,
  E (messages (R_zsum p) x) (fun l => F (length l) (heads l))
  = E (Bin (length x) p) (fun c => F (2 * length x)%nat (Z.to_nat (ones x) + c)%nat).
Proof.
  intros p x. unfold messages. induction x as [|b x IH]; intro F.
  - cbn [map concatenated length Bin]. rewrite !E_point. reflexivity.
  - cbn [map concatenated length Bin]. rewrite E_join. unfold R_zsum at 1. rewrite !E_bind. apply E_ext; intro e.
    rewrite E_point. cbn [app length heads].
    pose proof (IH (fun n c => F (S (S n)) (if b then S (if e then S c else c) else if e then S c else c)%nat)) as Q.
    rewrite E_bind. rewrite (E_ext (Bin (length x) p) _ (fun c => F (2 * S (length x))%nat
       (Z.to_nat (ones (b :: x)) + (if e then S c else c))%nat)) by (intro; rewrite E_point; reflexivity).
    transitivity (E (Bin (length x) p) (fun c => F (S (S (2 * length x)))%nat
       (if b then S (if e then S (Z.to_nat (ones x) + c) else (Z.to_nat (ones x) + c))
        else if e then S (Z.to_nat (ones x) + c) else Z.to_nat (ones x) + c)%nat)).
    + rewrite <- Q. apply E_ext; intro l. destruct b, e; reflexivity.
    + pose proof (ones_nonneg x). apply E_ext; intro c. f_equal; [lia|]. cbn [ones]. destruct b, e; lia.
Qed.

Lemma view_zsum : forall p x, same_law (view (R_zsum p) x)
  (bind (binomial_mechanism (length x) p ones x) (fun c => arranged (2 * length x) (Z.to_nat c))).
Proof.
  intros p x f. rewrite E_view, E_bind. unfold binomial_mechanism. rewrite E_noisy.
  rewrite (E_ext _ _ (fun l => (fun n c => E (arranged n c) f) (length l) (heads l))).
  - rewrite (zsum_count p x (fun n c => E (arranged n c) f)). apply E_ext; intro c. f_equal. f_equal.
    pose proof (ones_nonneg x). lia.
  - intro l. unfold arranged. apply shuffle_perm. apply sorted_bits.
Qed.

Lemma zsum_private_given : forall p eps delta honest, hides_one honest p eps delta ->
  private_on honest eps delta (view (R_zsum p)).
Proof.
  intros p eps delta honest H x x' L N. pose proof (neighbours_length _ _ N) as L'.
  assert (L2 : length x' = honest) by congruence.
  apply (close_same eps delta _ _ _ _ (fun f => eq_sym (view_zsum p x f)) (fun f => eq_sym (view_zsum p x' f))).
  rewrite L, L2. apply post_processing; [intro; apply proper_shuffle|].
  apply H. apply ones_neighbours; auto.
Qed.

Lemma scale_pos : forall eps delta, 0 < eps -> 0 < delta < 1 -> 0 < noise_scale eps delta.
Proof.
  intros eps delta He Hd. pose proof (exp_ineq1 eps ltac:(lra)). unfold noise_scale. apply Rmult_lt_0_compat.
  - apply pow_lt. apply Rdiv_lt_0_compat; lra.
  - rewrite <- ln_1. apply ln_increasing; [lra|]. apply Rmult_lt_reg_r with delta; [lra|].
    unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra.
Qed.

Lemma scale_power : forall eps delta gamma, 0 < delta ->
  noise_scale eps (2 * Rpower (delta / 2) gamma) = gamma * noise_scale eps delta.
Proof.
  intros eps delta gamma Hd. unfold noise_scale.
  assert (P0 : 0 < Rpower (delta / 2) gamma) by apply exp_pos.
  replace (2 / (2 * Rpower (delta / 2) gamma)) with (/ Rpower (delta / 2) gamma) by (field; lra).
  rewrite ln_Rinv by auto. unfold Rpower. rewrite ln_exp.
  replace (2 / delta) with (/ (delta / 2)) by (field; lra). rewrite ln_Rinv by lra. ring.
Qed.

(* Claim robust_bc. *)
Theorem robust_binary_sum : binomial_lemma ->
  forall (eps delta gamma : R) (n honest : nat),
  0 < eps -> 0 < delta < 1 -> 0 < gamma <= 1 -> 20 * noise_scale eps delta <= INR n ->
  (0 < honest <= n)%nat -> gamma * INR n <= INR honest ->
  private_on honest eps (2 * Rpower (delta / 2) gamma)
    (view (R_zsum (1 - 10 / INR n * noise_scale eps delta))).
Proof.
  intros BL eps delta gamma n honest He Hd Hg Hn Hh Hgn.
  pose proof (scale_pos eps delta He Hd) as SP. set (s := noise_scale eps delta) in *.
  assert (N0 : 0 < INR n) by (apply lt_0_INR; lia). set (q := 10 / INR n * s).
  assert (Q0 : 0 < q) by (unfold q; apply Rmult_lt_0_compat; auto; apply Rdiv_lt_0_compat; lra).
  assert (QN : q * INR n = 10 * s) by (unfold q; field; lra).
  assert (Q1 : q <= 1 / 2) by (apply Rmult_le_reg_r with (INR n); auto; lra).
  assert (D0 : 0 < 2 * Rpower (delta / 2) gamma) by (apply Rmult_lt_0_compat; [lra | apply exp_pos]).
  destruct (Rlt_dec (2 * Rpower (delta / 2) gamma) 1) as [D1|D1].
  - apply zsum_private_given. apply BL; auto; [lra|]. rewrite scale_power by lra. fold s.
    replace (Rmin (1 - q) (1 - (1 - q))) with q by (unfold Rmin; destruct (Rle_dec _ _); lra).
    apply Rle_trans with (gamma * INR n * q); [right; transitivity (gamma * (q * INR n)); [rewrite QN; ring | ring]|].
    apply Rmult_le_compat_r; lra.
  - intros x x' L N T. assert (PV : forall y, proper (view (R_zsum (1 - q)) y)).
    { intro y. apply proper_view. intro; apply proper_R_zsum. lra. }
    pose proof (Pr_01 _ T (PV x)). pose proof (Pr_01 _ T (PV x')). pose proof (exp_pos eps).
    assert (0 <= exp eps * Pr (view (R_zsum (1 - q)) x') T) by (apply Rmult_le_pos; lra). lra.
Qed.

(* Theorems zerocount-pan and hist-pan, privacy, with the printed condition on lambda. *)
Lemma lambda_hides : binomial_lemma -> forall (lambda : nat) (eps delta : R), 0 < eps -> 0 < delta < 1 ->
  20 * noise_scale eps delta <= INR lambda -> hides_one lambda (1 / 2) eps delta.
Proof.
  intros BL lambda eps delta He Hd HL. apply BL; auto; [lra|].
  replace (Rmin (1 / 2) (1 - 1 / 2)) with (1 / 2) by (unfold Rmin; destruct (Rle_dec _ _); lra). lra.
Qed.

Theorem zerocount_pan : binomial_lemma -> forall (lambda : nat) (eps delta : R) (n : nat), 0 < eps -> 0 < delta < 1 ->
  20 * noise_scale eps delta <= INR lambda ->
  pan_private n eps delta (zsum_initial lambda) zsum_update (zsum_output lambda)
  /\ (forall (x : list bool) p, In p (output_of (zsum_initial lambda) zsum_update (zsum_output lambda) x) ->
      (ones x <= fst p <= ones x + 2 * Z.of_nat lambda)%Z).
Proof.
  intros BL lambda eps delta n He Hd HL. split; [|apply zsum_error].
  apply zsum_private. apply lambda_hides; auto.
Qed.

Theorem histogram_pan : binomial_lemma ->
  forall (Element : Type) (same : forall a b : Element, {a = b} + {a <> b}) (K : list Element) (lambda : nat)
         (eps delta : R) (n : nat),
  NoDup K -> 0 < eps -> 0 < delta < 1 -> 20 * noise_scale eps delta <= INR lambda ->
  pan_private n (2 * eps) (2 * delta)
    (hist_initial Element K lambda) (hist_update Element same K) (hist_output lambda).
Proof.
  intros BL Element same K lambda eps delta n HK He Hd HL.
  apply histogram_private; auto; try lra. apply lambda_hides; auto.
Qed.
