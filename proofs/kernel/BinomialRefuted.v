(* Beside Lemma b_noise: the constant cannot be 1.025 or less.

   At p = 1/10000 and e^eps = 30 the binomial has a point y = lp/30 whose mass is at least e^(-l D(y/l|p))/(l+1), a fixed part of which is
   delta; and 1.025 c^2 D < p, so for large l that is more than the promised 2e^(-lp/(1.025 c^2)). *)
From Coq Require Import Reals ZArith Lra Lia List Bool.
From PanshuffleKernel Require Import Law Closeness Parity Shuffle UniformityTransformation BinomialMechanism BinomialCertificate BinarySum.
From PanshuffleKernel Require Import ShareBound Hash Calculus BinomialTail BinomialLemma ShareSharp.
Import ListNotations.
Open Scope R_scope.

(* P[Bin(l,p) = x]. *)
Definition mass_at (l : nat) (p : R) (x : nat) : R := Pr (Bin l p) (Nat.eqb x).

Lemma mass_formula : forall p l x, (x <= l)%nat -> mass_at l p x = INR (choose l x) * p ^ x * (1 - p) ^ (l - x).
Proof.
  assert (B : forall p l x, (l < x)%nat -> mass_at l p x = 0).
  { intros p l x H. unfold mass_at, Pr. rewrite (E_ext_in _ _ (fun _ => 0 * 0)); [rewrite E_mult; ring|].
    intros q Hq. apply Bin_range in Hq. destruct (Nat.eqb_spec x (fst q)); [lia | simpl; ring]. }
  intros p. induction l as [|l IH]; intros x H.
  - replace x with 0%nat by lia. unfold mass_at, Pr. cbn [Bin]. rewrite E_point. simpl. ring.
  - assert (S1 : mass_at (S l) p x = p * Pr (Bin l p) (fun c => Nat.eqb x (S c)) + (1 - p) * mass_at l p x)
      by (unfold mass_at, Pr; apply E_Bin_step).
    destruct x as [|x].
    + rewrite S1, IH by lia. unfold Pr. rewrite (E_ext _ _ (fun _ => 0 * 0)) by (intro; simpl; ring). rewrite E_mult, !choose_0, !Nat.sub_0_r. simpl. ring.
    + rewrite S1. change (Pr (Bin l p) (fun c => Nat.eqb (S x) (S c))) with (mass_at l p x). rewrite IH by lia.
      cbn [choose]. rewrite plus_INR. replace (S l - S x)%nat with (l - x)%nat by lia.
      destruct (Nat.eq_dec x l) as [Z|Z].
      * subst. rewrite B, (choose_big l (S l)), Nat.sub_diag by lia. simpl. ring.
      * rewrite IH by lia. replace (l - x)%nat with (S (l - S x)) by lia. cbn [pow]. ring.
Qed.

Lemma mass_nonneg : forall l p x, 0 <= p <= 1 -> 0 <= mass_at l p x.
Proof. intros. apply Pr_01, proper_Bin; auto. Qed.

Lemma mass_ratio : forall l p x, (x < l)%nat -> mass_at l p (S x) * ((INR x + 1) * (1 - p)) = mass_at l p x * ((INR l - INR x) * p).
Proof.
  intros l p x H. rewrite !mass_formula by lia. pose proof (choose_next l x ltac:(lia)) as C.
  replace (l - x)%nat with (S (l - S x)) by lia. cbn [pow]. 
  transitivity (INR (choose l (S x)) * (INR x + 1) * (p * p ^ x * ((1 - p) * (1 - p) ^ (l - S x)))); [ring|]. rewrite C. ring.
Qed.

(* The largest mass is at a whole number y = a l, and is at least 1/(l+1). *)
Lemma mode : forall l a y, 0 < a < 1 -> (y <= l)%nat -> INR y = a * INR l -> forall x, (x <= l)%nat -> mass_at l a x <= mass_at l a y.
Proof.
  intros l a y Ha Hy Y.
  assert (UP : forall x, (x < y)%nat -> mass_at l a x <= mass_at l a (S x)).
  { intros x H. pose proof (mass_ratio l a x ltac:(lia)) as M. pose proof (mass_nonneg l a x ltac:(lra)) as P0. pose proof (pos_INR x).
    assert (X : INR x + 1 <= a * INR l) by (rewrite <- Y, <- S_INR; apply le_INR; lia).
    assert (D0 : 0 < (INR x + 1) * (1 - a)) by (apply Rmult_lt_0_compat; lra).
    apply Rmult_le_reg_r with ((INR x + 1) * (1 - a)); auto. rewrite M. apply Rmult_le_compat_l; auto. nra. }
  assert (DOWN : forall x, (y <= x)%nat -> (x < l)%nat -> mass_at l a (S x) <= mass_at l a x).
  { intros x H1 H2. pose proof (mass_ratio l a x H2) as M. pose proof (mass_nonneg l a x ltac:(lra)) as P0. pose proof (pos_INR x).
    assert (X : a * INR l <= INR x) by (rewrite <- Y; apply le_INR; lia).
    assert (D0 : 0 < (INR x + 1) * (1 - a)) by (apply Rmult_lt_0_compat; lra).
    apply Rmult_le_reg_r with ((INR x + 1) * (1 - a)); auto. rewrite M. apply Rmult_le_compat_l; auto. nra. }
  intros x Hx. destruct (Nat.le_gt_cases x y) as [C|C].
  - remember (y - x)%nat as g eqn:G. revert x Hx C G. induction g as [|g IH]; intros x Hx C G.
    + replace x with y by lia. lra.
    + eapply Rle_trans; [apply UP; lia | apply IH; lia].
  - remember (x - y)%nat as g eqn:G. revert x Hx C G. induction g as [|g IH]; intros x Hx C G; [lia|].
    destruct x as [|x]; [lia|]. eapply Rle_trans; [apply DOWN; lia|]. destruct (Nat.eq_dec x y) as [Z|Z]; [subst; lra | apply IH; lia].
Qed.

Lemma masses_sum : forall l p, 0 <= p <= 1 -> total (seq 0 (S l)) (mass_at l p) = 1.
Proof.
  intros l p Hp. unfold mass_at, Pr. rewrite <- E_total. rewrite (E_ext_in _ _ (fun _ => 1)); [apply proper_Bin; auto|].
  intros q Hq. apply Bin_range in Hq.
  assert (G : forall c s, total (seq s c) (fun x => indicator (Nat.eqb x (fst q))) = if ((s <=? fst q) && (fst q <? s + c))%nat then 1 else 0).
  { induction c as [|c IH]; intro s.
    - simpl. destruct (Nat.leb_spec s (fst q)), (Nat.ltb_spec (fst q) (s + 0)); simpl; first [lra | exfalso; lia].
    - cbn [seq]. rewrite total_cons, IH. destruct (Nat.eqb_spec s (fst q)), (Nat.leb_spec (S s) (fst q)), (Nat.ltb_spec (fst q) (S s + c)),
        (Nat.leb_spec s (fst q)), (Nat.ltb_spec (fst q) (s + S c)); simpl; first [lra | exfalso; lia]. }
  rewrite G. destruct (Nat.leb_spec 0 (fst q)), (Nat.ltb_spec (fst q) (0 + S l)); simpl; first [lra | exfalso; lia].
Qed.

Lemma mode_large : forall l a y, 0 < a < 1 -> (y <= l)%nat -> INR y = a * INR l -> 1 <= (INR l + 1) * mass_at l a y.
Proof.
  intros l a y Ha Hy Y. pose proof (masses_sum l a ltac:(lra)) as S1.
  apply Rle_trans with (total (seq 0 (S l)) (mass_at l a)); [lra|].
  apply Rle_trans with (total (seq 0 (S l)) (fun _ => mass_at l a y)).
  - apply total_le. intros x Hx. apply in_seq in Hx. apply mode; auto. lia.
  - rewrite total_const, seq_length, S_INR. lra.
Qed.

(* The same point under p. *)
Lemma mass_below : forall l p a y, 0 < p < 1 -> 0 < a < 1 -> (y <= l)%nat -> INR y = a * INR l ->
  exp (- (INR l * relative_entropy a p)) <= (INR l + 1) * mass_at l p y.
Proof.
  intros l p a y Hp Ha Hy Y. pose proof (mode_large l a y Ha Hy Y) as M. rewrite mass_formula in M |- * by auto.
  assert (X : p ^ y * (1 - p) ^ (l - y) = a ^ y * (1 - a) ^ (l - y) * exp (- (INR l * relative_entropy a p))).
  { rewrite !exp_ln_pow by lra. rewrite <- !exp_plus. f_equal. rewrite minus_INR by auto. rewrite Y. unfold relative_entropy. ring. }
  rewrite Rmult_assoc, X. pose proof (exp_pos (- (INR l * relative_entropy a p))) as P. set (e := exp _) in *.
  replace ((INR l + 1) * (INR (choose l y) * (a ^ y * (1 - a) ^ (l - y) * e))) with ((INR l + 1) * (INR (choose l y) * a ^ y * (1 - a) ^ (l - y)) * e) by ring.
  rewrite <- (Rmult_1_l e) at 1. apply Rmult_le_compat_r; lra.
Qed.

Lemma ln_30 : 3.39 <= ln 30.
Proof.
  pose proof ln_2_bounds. pose proof (ln_below (32 / 30) ltac:(lra)) as B.
  assert (X : ln (2 ^ 5) = ln 30 + ln (32 / 30)) by (rewrite <- ln_mult by lra; f_equal; field).
  rewrite ln_pow in X by lra. simpl (INR 5) in X. lra.
Qed.

Lemma unbounded : forall r, exists t, r < INR t.
Proof.
  intro r. exists (Z.to_nat (up (Rabs r))). destruct (archimed (Rabs r)) as [A _]. pose proof (Rabs_pos r). pose proof (Rle_abs r).
  assert (0 <= up (Rabs r))%Z by (apply le_IZR; lra). rewrite INR_IZR_INZ, Z2Nat.id by auto. lra.
Qed.

(* The statement with the constant K in place of 10. *)
Definition binomial_lemma_with (K : R) : Prop := forall (l : nat) (p eps delta : R),
  0 < p < 1 -> 0 < eps -> 0 < delta < 1 -> K * noise_scale eps delta <= INR l * Rmin p (1 - p) -> hides_one l p eps delta.

Lemma point_entropy : relative_entropy (1 / 300000) (1 / 10000) <= 0.8537640 / 10000.
Proof.
  unfold relative_entropy. pose proof ln_30 as L30.
  assert (A : ln (1 / 300000) - ln (1 / 10000) = - ln 30).
  { replace (1 / 10000) with (30 * (1 / 300000)) by field. rewrite ln_mult by lra. ring. }
  assert (B : ln (1 - 1 / 300000) - ln (1 - 1 / 10000) <= (1 - 1 / 300000) / (1 - 1 / 10000) - 1).
  { pose proof (ln_at_most ((1 - 1 / 300000) / (1 - 1 / 10000)) ltac:(lra)) as Q. unfold Rdiv at 1 in Q.
    rewrite ln_mult, ln_Rinv in Q by lra. lra. }
  rewrite A. lra.
Qed.

Theorem constant_1025_refuted : forall K, K <= 1.025 -> ~ binomial_lemma_with K.
Proof.
  intros K HK H. set (c2 := (31 / 29) ^ 2). set (kap := / (1.025 * c2)).
  assert (KP : 0.85378 <= kap).
  { unfold kap, c2. apply Rmult_le_reg_r with (1.025 * (31 / 29) ^ 2); [simpl; lra|]. rewrite Rinv_l by (simpl; lra). simpl. lra. }
  (* t large: e^(30 t g) > 2(l+1)/eta *)
  set (g := 15 * (kap - 0.853764)). assert (G0 : 0.0002 <= g) by (unfold g; lra).
  set (eta := 0.00009). destruct (unbounded (2 * 300001 / (eta * (g * g)))) as [t Ht].
  assert (GG : 0 < eta * (g * g)) by (unfold eta; apply Rmult_lt_0_compat; [lra | apply Rmult_lt_0_compat; lra]).
  assert (T0 : 0 < INR t) by (eapply Rlt_trans; [|exact Ht]; apply Rdiv_lt_0_compat; lra).
  assert (T1 : (1 <= t)%nat) by (destruct t; [simpl in T0; lra | lia]).
  assert (T1R : 1 <= INR t) by (replace 1 with (INR 1) by reflexivity; apply le_INR; auto).
  set (l := Z.to_nat (300000 * Z.of_nat t)).
  assert (LR : INR l = 300000 * INR t).
  { unfold l. rewrite INR_IZR_INZ, Z2Nat.id by lia. rewrite mult_IZR, <- INR_IZR_INZ. reflexivity. }
  assert (TL : (t <= l)%nat) by (unfold l; lia).
  set (p := 1 / 10000). set (L := 30 * INR t * kap). set (delta := 2 * exp (- L)).
  assert (E30 : exp (ln 30) = 30) by (apply exp_ln; lra).
  assert (EP : 0 < ln 30) by (pose proof ln_30; lra).
  assert (L24 : 25 <= L) by (unfold L; nra).
  pose proof (exp_pos (- L)) as XP.
  assert (D1 : delta < 1).
  { unfold delta. rewrite exp_Ropp. pose proof (exp_ineq1_le L). assert (/ exp L <= / 26) by (apply Rinv_le_contravar; lra). lra. }
  assert (LD : ln (2 / delta) = L).
  { unfold delta. rewrite exp_Ropp. replace (2 / (2 * / exp L)) with (exp L) by (field; pose proof (exp_pos L); lra). apply ln_exp. }
  specialize (H l p (ln 30) delta ltac:(unfold p; lra) EP ltac:(split; [unfold delta; lra | exact D1])).
  assert (NS : K * noise_scale (ln 30) delta <= INR l * Rmin p (1 - p)).
  { unfold noise_scale. rewrite E30, LD. rewrite Rmin_left by (unfold p; lra).
    replace ((30 + 1) / (30 - 1)) with (31 / 29) by field. fold c2. assert (C2 : 0 < c2) by (unfold c2; simpl; lra).
    apply Rle_trans with (1.025 * (c2 * L)).
    - apply Rmult_le_compat_r; [apply Rmult_le_pos; lra | exact HK].
    - right. unfold L, kap. rewrite LR. unfold p. field. lra. }
  specialize (H NS 0%Z 1%Z ltac:(lia) (fun z => Z.eqb z (Z.of_nat t))).
  unfold Pr in H. rewrite !E_noisy, E30 in H.
  destruct t as [|s]; [lia|]. set (y := S s) in *.
  rewrite (E_ext _ (fun c => indicator (0 + Z.of_nat c =? Z.of_nat y)%Z) (fun c => indicator (Nat.eqb y c))) in H.
  2: { intro c. f_equal. destruct (Z.eqb_spec (0 + Z.of_nat c) (Z.of_nat y)), (Nat.eqb_spec y c); first [reflexivity | exfalso; lia]. }
  rewrite (E_ext _ (fun c => indicator (1 + Z.of_nat c =? Z.of_nat y)%Z) (fun c => indicator (Nat.eqb s c))) in H.
  2: { intro c. f_equal. unfold y. destruct (Z.eqb_spec (1 + Z.of_nat c) (Z.of_nat (S s))), (Nat.eqb_spec s c); first [reflexivity | exfalso; lia]. }
  change (mass_at l p y <= 30 * mass_at l p s + delta) in H.
  pose proof (mass_ratio l p s ltac:(lia)) as MR. fold y in MR. rewrite <- S_INR in MR. fold y in MR.
  pose proof (mass_nonneg l p y ltac:(unfold p; lra)) as M0. pose proof (mass_nonneg l p s ltac:(unfold p; lra)) as M1.
  assert (SR : INR s = INR y - 1) by (unfold y; rewrite S_INR; ring).
  (* eta mass(y) <= delta *)
  assert (ET : eta * mass_at l p y <= delta).
  { assert (Q : 30 * mass_at l p s <= (1 - eta) * mass_at l p y); [|lra].
    assert (DD : 0 < (INR l - INR s) * p) by (apply Rmult_lt_0_compat; [rewrite SR, LR; lra | unfold p; lra]).
    apply Rmult_le_reg_r with ((INR l - INR s) * p); auto.
    replace (30 * mass_at l p s * ((INR l - INR s) * p)) with (30 * (mass_at l p s * ((INR l - INR s) * p))) by ring. rewrite <- MR.
    replace (30 * (mass_at l p y * (INR y * (1 - p)))) with (mass_at l p y * (30 * INR y * (1 - p))) by ring.
    replace ((1 - eta) * mass_at l p y * ((INR l - INR s) * p)) with (mass_at l p y * ((1 - eta) * ((INR l - INR s) * p))) by ring.
    apply Rmult_le_compat_l; auto. rewrite SR, LR. unfold p, eta. lra. }
  pose proof (mass_below l p (1 / 300000) y ltac:(unfold p; lra) ltac:(lra) TL ltac:(rewrite LR; field)) as MB.
  set (w := INR l * relative_entropy (1 / 300000) p) in *.
  assert (W : w <= 30 * INR y * 0.853764).
  { unfold w, p. pose proof point_entropy as PE. apply Rmult_le_compat_l with (r := INR l) in PE; [|apply pos_INR]. rewrite LR in *. lra. }
  (* e^(-w) eta <= 2 (l+1) e^(-L) *)
  assert (F : eta * exp (- w) <= 2 * (INR l + 1) * exp (- L)).
  { apply Rle_trans with ((INR l + 1) * (eta * mass_at l p y)).
    - replace ((INR l + 1) * (eta * mass_at l p y)) with (eta * ((INR l + 1) * mass_at l p y)) by ring. apply Rmult_le_compat_l; [unfold eta; lra | exact MB].
    - apply Rle_trans with ((INR l + 1) * delta); [apply Rmult_le_compat_l; [pose proof (pos_INR l); lra | exact ET]|]. unfold delta. right. ring. }
  assert (F2 : eta * exp (2 * (g * INR y)) <= 2 * (INR l + 1)).
  { assert (Q : eta * exp (L - w) <= 2 * (INR l + 1)).
    { pose proof (exp_pos L). apply Rmult_le_compat_r with (r := exp L) in F; [|lra].
      replace (eta * exp (- w) * exp L) with (eta * exp (L - w)) in F by (rewrite Rmult_assoc, <- exp_plus; do 2 f_equal; ring).
      replace (2 * (INR l + 1) * exp (- L) * exp L) with (2 * (INR l + 1)) in F; [auto|].
      rewrite Rmult_assoc, <- exp_plus. replace (- L + L) with 0 by ring. rewrite exp_0. ring. }
    eapply Rle_trans; [|exact Q]. apply Rmult_le_compat_l; [unfold eta; lra|]. apply exp_le. unfold L, g. lra. }
  assert (GX : (g * INR y) * (g * INR y) <= exp (2 * (g * INR y))).
  { replace (2 * (g * INR y)) with (g * INR y + g * INR y) by ring. rewrite exp_plus. pose proof (exp_ineq1_le (g * INR y)).
    assert (0 <= g * INR y) by (apply Rmult_le_pos; lra). apply Rmult_le_compat; lra. }
  assert (F3 : eta * ((g * INR y) * (g * INR y)) <= 2 * (300001 * INR y)).
  { apply Rle_trans with (eta * exp (2 * (g * INR y))); [apply Rmult_le_compat_l; [unfold eta; lra | exact GX]|]. rewrite LR in F2. lra. }
  assert (F4 : eta * (g * g) * INR y <= 2 * 300001).
  { apply Rmult_le_reg_r with (INR y); [lra|]. lra. }
  apply (Rmult_lt_compat_r (eta * (g * g))) in Ht; auto. revert F4 Ht GG. generalize (eta * (g * g)). clear. intros z F4 Ht GG.
  replace (2 * 300001 / z * z) with (2 * 300001) in Ht by (field; lra). lra.
Qed.
