(* Hoeffding's inequality for independent bits, cited in section 3.1, Accuracy (II).

   "For independent bits X_1, ..., X_k with sum C and t >= 0: P[C - E[C] >= t] <= e^(-2t^2/k), the same for E[C] - C, and so
    P[|C - E[C]| >= t] <= 2 e^(-2t^2/k)." *)
From Coq Require Import Reals Lra Lia List Bool.
From PanshuffleKernel Require Import Law Parity Shuffle Messages Variances Hash Calculus.
Import ListNotations.
Open Scope R_scope.

(* Hoeffding's lemma: 1 - q + q e^s <= e^(qs + s^2/8). *)
Lemma hoeffding_positive : forall q s, 0 <= q <= 1 -> 0 <= s -> 1 - q + q * exp s <= exp (q * s + s * s / 8).
Proof.
  intros q s Hq Hs.
  assert (W : forall c, 0 <= c -> 1 <= 1 - q + q * exp c).
  { intros c Hc. pose proof (exp_ineq1_le c). assert (q * 1 <= q * exp c) by (apply Rmult_le_compat_l; lra). lra. }
  assert (D1 : forall c, 0 <= c -> 0 <= q + c / 4 - q * exp c * / (1 - q + q * exp c)).
  { intros c Hc.
    pose proof (rises (fun t => q + t * / 4 - q * exp t * / (1 - q + q * exp t))
      (fun t => (1 / 2 - q * exp t / (1 - q + q * exp t)) * (1 / 2 - q * exp t / (1 - q + q * exp t))) 0 c Hc) as R.
    cbv beta in R. rewrite exp_0 in R.
    enough (q + 0 * / 4 - q * 1 * / (1 - q + q * 1) <= q + c * / 4 - q * exp c * / (1 - q + q * exp c)).
    { replace (1 - q + q * 1) with 1 in H by ring. rewrite Rinv_1 in H. lra. }
    apply R.
    - intros t Ht. specialize (W t ltac:(lra)). derive; try lra; field; lra.
    - intros t Ht. apply Rle_0_sqr. }
  pose proof (rises (fun t => q * t + t * t * / 8 - ln (1 - q + q * exp t))
    (fun t => q + t / 4 - q * exp t * / (1 - q + q * exp t)) 0 s Hs) as R. cbv beta in R. rewrite exp_0 in R.
  replace (1 - q + q * 1) with 1 in R by ring. rewrite ln_1 in R.
  assert (L : q * 0 + 0 * 0 * / 8 - 0 <= q * s + s * s * / 8 - ln (1 - q + q * exp s)).
  { apply R.
    - intros t Ht. specialize (W t ltac:(lra)). derive; try lra; field; lra.
    - intros t Ht. apply D1. lra. }
  specialize (W s Hs). rewrite <- (exp_ln (1 - q + q * exp s)) by lra.
  assert (Q : ln (1 - q + q * exp s) <= q * s + s * s / 8) by (unfold Rdiv; lra).
  destruct Q as [Q|Q]; [left; apply exp_increasing; auto | right; rewrite Q; auto].
Qed.
Theorem hoeffding_lemma : forall q s, 0 <= q <= 1 -> 1 - q + q * exp s <= exp (q * s + s * s / 8).
Proof.
  intros q s Hq. destruct (Rle_dec 0 s) as [C|C]; [apply hoeffding_positive; auto|].
  pose proof (hoeffding_positive (1 - q) (- s) ltac:(lra) ltac:(lra)) as H. pose proof (exp_pos s).
  replace (1 - q + q * exp s) with (exp s * (1 - (1 - q) + (1 - q) * exp (- s)))
    by (rewrite exp_Ropp; field; lra).
  apply Rmult_le_compat_l with (r := exp s) in H; [|lra]. rewrite <- exp_plus in H.
  eapply Rle_trans; [exact H|]. right. f_equal. field.
Qed.

(* The number of ones among the bits. *)
Definition count (l : list bool) : R := total l indicator.

Lemma count_generating : forall s qs, Forall (fun q => 0 <= q <= 1) qs ->
  E (independent (map Ber qs)) (fun l => exp (s * (count l - sum_of qs))) <= exp (INR (length qs) * (s * s / 8)).
Proof.
  intros s. induction 1 as [|q qs Hq HQ IH].
  - cbn [map independent]. rewrite E_point. unfold count, sum_of. simpl.
    right. f_equal. ring.
  - cbn [map]. rewrite E_independent_cons. unfold Ber at 1. cbn [E].
    rewrite (E_ext _ (fun l => exp (s * (count (true :: l) - sum_of (q :: qs))))
      (fun l => exp (s * (1 - q)) * exp (s * (count l - sum_of qs)))).
    2: { intro l. rewrite <- exp_plus. f_equal. unfold count, sum_of. simpl. ring. }
    rewrite (E_ext _ (fun l => exp (s * (count (false :: l) - sum_of (q :: qs))))
      (fun l => exp (s * (- q)) * exp (s * (count l - sum_of qs)))).
    2: { intro l. rewrite <- exp_plus. f_equal. unfold count, sum_of. simpl. ring. }
    rewrite !E_mult. set (M := E _ _) in *.
    assert (M0 : 0 <= M).
    { unfold M. assert (PI : proper (independent (map Ber qs))).
      { apply proper_independent, Forall_forall. intros d Hd. apply in_map_iff in Hd. destruct Hd as [r [Hr1 Hr2]].
        subst. apply proper_Ber. rewrite Forall_forall in HQ. auto. }
      rewrite <- (E_const _ 0 PI). apply E_le; [apply PI|]. intro. left. apply exp_pos. }
    replace (q * (exp (s * (1 - q)) * M) + ((1 - q) * (exp (s * - q) * M) + 0))
      with (exp (s * - q) * (1 - q + q * exp s) * M).
    2: { replace (s * (1 - q)) with (s * - q + s) by ring. rewrite exp_plus. ring. }
    pose proof (hoeffding_lemma q s Hq) as HL. pose proof (exp_pos (s * - q)) as P0.
    apply Rmult_le_compat_l with (r := exp (s * - q)) in HL; [|lra]. rewrite <- exp_plus in HL.
    replace (s * - q + (q * s + s * s / 8)) with (s * s / 8) in HL by ring.
    cbn [length]. rewrite S_INR. replace ((INR (length qs) + 1) * (s * s / 8)) with (s * s / 8 + INR (length qs) * (s * s / 8)) by ring.
    rewrite exp_plus. apply Rmult_le_compat; auto. apply Rmult_le_pos; [lra|].
    pose proof (exp_pos s). assert (0 <= q * exp s) by (apply Rmult_le_pos; lra). lra.
Qed.

Lemma Pr_exponential {A} : forall (d : law A) W, nonneg d -> Pr d (fun a => at_least 0 (W a)) <= E d (fun a => exp (W a)).
Proof.
  intros d W H. apply E_le; auto. intro a. unfold at_least. pose proof (exp_ineq1_le (W a)). pose proof (exp_pos (W a)).
  destruct (Rle_dec 0 (W a)); simpl; lra.
Qed.

Lemma proper_bits : forall qs, Forall (fun q => 0 <= q <= 1) qs -> proper (independent (map Ber qs)).
Proof.
  intros qs HQ. apply proper_independent, Forall_forall. intros d Hd. apply in_map_iff in Hd. destruct Hd as [r [Hr1 Hr2]].
  subst. apply proper_Ber. rewrite Forall_forall in HQ. auto.
Qed.

Lemma one_tail : forall (qs : list R) (t sg : R), Forall (fun q => 0 <= q <= 1) qs -> qs <> [] -> 0 <= t -> sg = 1 \/ sg = -1 ->
  Pr (independent (map Ber qs)) (fun l => at_least t (sg * (count l - sum_of qs))) <= exp (- (2 * (t * t)) / INR (length qs)).
Proof.
  intros qs t sg HQ HN Ht Hs. assert (K0 : 0 < INR (length qs)) by (apply lt_0_INR; destruct qs; [congruence | simpl; lia]).
  pose proof (proper_bits qs HQ) as PI. set (k := INR (length qs)) in *. set (s := 4 * t / k).
  assert (S0 : 0 <= s) by (unfold s; apply Rmult_le_pos; [lra | left; apply Rinv_0_lt_compat; auto]).
  apply Rle_trans with (Pr (independent (map Ber qs)) (fun l => at_least 0 (- (s * t) + (sg * s) * (count l - sum_of qs)))).
  - apply E_le; [apply PI|]. intro l. unfold at_least. destruct (Rle_dec t _) as [A|A], (Rle_dec 0 _) as [B|B]; simpl; try lra.
    exfalso. apply B. replace (- (s * t) + sg * s * (count l - sum_of qs)) with (s * (sg * (count l - sum_of qs) - t)) by ring.
    apply Rmult_le_pos; lra.
  - eapply Rle_trans; [apply Pr_exponential; apply PI|].
    rewrite (E_ext _ _ (fun l => exp (- (s * t)) * exp (sg * s * (count l - sum_of qs)))) by (intro; apply exp_plus).
    rewrite E_mult. pose proof (count_generating (sg * s) qs HQ) as G. pose proof (exp_pos (- (s * t))).
    apply Rmult_le_compat_l with (r := exp (- (s * t))) in G; [|lra]. eapply Rle_trans; [exact G|]. rewrite <- exp_plus.
    right. f_equal. fold k. unfold s. destruct Hs; subst sg; field; lra.
Qed.

(* Hoeffding's inequality. *)
Theorem hoeffding : forall (qs : list R) (t : R), Forall (fun q => 0 <= q <= 1) qs -> qs <> [] -> 0 <= t ->
  Pr (independent (map Ber qs)) (fun l => at_least t (count l - sum_of qs)) <= exp (- (2 * t ^ 2) / INR (length qs))
  /\ Pr (independent (map Ber qs)) (fun l => at_least t (sum_of qs - count l)) <= exp (- (2 * t ^ 2) / INR (length qs))
  /\ Pr (independent (map Ber qs)) (fun l => at_least t (Rabs (count l - sum_of qs))) <= 2 * exp (- (2 * t ^ 2) / INR (length qs)).
Proof.
  intros qs t HQ HN Ht. pose proof (proper_bits qs HQ) as PI. set (d := independent (map Ber qs)) in *.
  assert (A1 : Pr d (fun l => at_least t (count l - sum_of qs)) <= exp (- (2 * t ^ 2) / INR (length qs))).
  { replace (t ^ 2) with (t * t) by ring. eapply Rle_trans; [|apply (one_tail qs t 1 HQ HN Ht); auto].
    right. apply E_ext; intro l. do 2 f_equal. ring. }
  assert (A2 : Pr d (fun l => at_least t (sum_of qs - count l)) <= exp (- (2 * t ^ 2) / INR (length qs))).
  { replace (t ^ 2) with (t * t) by ring. eapply Rle_trans; [|apply (one_tail qs t (-1) HQ HN Ht); auto].
    right. apply E_ext; intro l. do 2 f_equal. ring. }
  split; [exact A1 | split; [exact A2|]].
  apply Rle_trans with (Pr d (fun l => at_least t (count l - sum_of qs)) + Pr d (fun l => at_least t (sum_of qs - count l))); [|lra].
  unfold Pr. rewrite <- E_plus. apply E_le; [apply PI|]. intro l. unfold at_least, Rabs.
  destruct (Rcase_abs (count l - sum_of qs)); repeat destruct (Rle_dec _ _); simpl; lra.
Qed.
