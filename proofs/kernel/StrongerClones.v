(* Beyond the paper: the stronger clones.  Of every locally private randomizer with finitely many messages, one a user, each law is
   at least the larger of U and V, where R(x) = p U + V and R(x') = U + p V with p = e^eps0: U and V have the mass 1/(p+1) each.
   That is a blanket, and its noise is below one in which U and V share no message: letters of weight 1/(p+1), not 1/(2p). *)
From Coq Require Import Reals Lra Lia List Bool.
From PanshuffleKernel Require Law Hash Shuffle.
From PanshuffleKernel Require Import Countable Privacy Model Poisson Section3Upper Section4Transformation Means Poissonization Tester Section4Tester
  Compression SingleMessage Amplification.
From PanshuffleKernel Require Import Paper.
Import ListNotations.
Open Scope R_scope.

Definition strong_noise (eps0 eps : R) : table R :=
  let p := exp eps0 in [(0, 1 - 2 * / (p + 1)); (p - exp eps, / (p + 1)); (1 - exp eps * p, / (p + 1))].

(* ---- noise that is more spread out has the larger bound ---- *)
Definition less_spread (W W' : table R) : Prop :=
  forall c, sum_over W (fun z => Rmax 0 (z + c)) <= sum_over W' (fun z => Rmax 0 (z + c)).
Lemma spread_draws : forall W W', Law.nonneg W -> Law.nonneg W' -> less_spread W W' -> forall n c,
  sum_over (draws W n) (fun l => Rmax 0 (total l (fun z => z) + c)) <= sum_over (draws W' n) (fun l => Rmax 0 (total l (fun z => z) + c)).
Proof.
  intros W W' N N' H. induction n as [|n IH]; intro c; [rewrite !draws_O; lra|]. rewrite !draws_S.
  apply Rle_trans with (sum_over W (fun a => sum_over (draws W' n) (fun l => Rmax 0 (a + (total l (fun z => z) + c))))).
  - apply Law.E_le; auto. intro a. eapply Rle_trans; [|eapply Rle_trans; [apply (IH (a + c))|]]; right; apply Law.E_ext; intro l;
      rewrite ?total_cons; f_equal; ring.
  - rewrite (Law.E_swap W), (Law.E_swap W'). apply Law.E_le; [apply draws_nonneg; auto|]. intro l.
    eapply Rle_trans; [apply H|]. right. apply Law.E_ext; intro a. rewrite total_cons. f_equal. ring.
Qed.
Lemma spread_amplified : forall W W' n, Law.nonneg W -> Law.nonneg W' -> less_spread W W' -> amplified W (S n) <= amplified W' (S n).
Proof.
  intros W W' n N N' H. unfold amplified. rewrite !samples_finite, !E_finite. apply Rmult_le_compat_r.
  - left. apply Rinv_0_lt_compat, lt_0_INR. lia.
  - pose proof (spread_draws W W' N N' H (S n) 0) as B. rewrite (Law.E_ext _ _ (fun l => Rmax 0 (total l (fun z => z) + 0)))
      by (intro; f_equal; ring). rewrite (Law.E_ext (draws W' (S n)) _ (fun l => Rmax 0 (total l (fun z => z) + 0)))
      by (intro; f_equal; ring). exact B.
Qed.

(* ---- one message ---- *)
Lemma spread_message : forall u v alpha beta c, 0 <= u -> 0 <= v -> 0 <= alpha -> 0 <= beta ->
  let w := Rmax u v in
  w * Rmax 0 ((alpha * u - beta * v) / w + c) + (u + v - w) * Rmax 0 c <= u * Rmax 0 (alpha + c) + v * Rmax 0 (- beta + c).
Proof.
  intros u v alpha beta c U0 V0 A0 B0 w. assert (WU : u <= w) by apply Rmax_l. assert (WV : v <= w) by apply Rmax_r.
  assert (WE : w = u \/ w = v) by (unfold w, Rmax; destruct Rle_dec; auto).
  assert (A1 : 0 <= Rmax 0 (alpha + c)) by apply Rmax_l. assert (A2 : alpha + c <= Rmax 0 (alpha + c)) by apply Rmax_r.
  assert (B1 : 0 <= Rmax 0 (- beta + c)) by apply Rmax_l. assert (B2 : - beta + c <= Rmax 0 (- beta + c)) by apply Rmax_r.
  set (a := Rmax 0 (alpha + c)) in *. set (b := Rmax 0 (- beta + c)) in *.
  destruct (Req_dec w 0) as [Z|Z].
  - assert (u = 0) by lra. assert (v = 0) by lra. subst u v. rewrite Z. lra.
  - assert (W0 : 0 < w) by lra. assert (UA : 0 <= u * a) by (apply Rmult_le_pos; auto). assert (VB : 0 <= v * b) by (apply Rmult_le_pos; auto).
    assert (L : w * Rmax 0 ((alpha * u - beta * v) / w + c) = Rmax 0 (alpha * u - beta * v + w * c)).
    { rewrite <- RmaxRmult by lra. rewrite Rmult_0_r. f_equal. field. lra. }
    rewrite L. assert (U2 : u * (alpha + c) <= u * a) by (apply Rmult_le_compat_l; auto).
    assert (V2 : v * (- beta + c) <= v * b) by (apply Rmult_le_compat_l; auto). assert (BV : 0 <= beta * v) by (apply Rmult_le_pos; auto).
    assert (BU : 0 <= beta * u) by (apply Rmult_le_pos; auto). assert (AU : 0 <= alpha * u) by (apply Rmult_le_pos; auto).
    unfold Rmax at 1 2. destruct (Rle_dec 0 (alpha * u - beta * v + w * c)), (Rle_dec 0 c).
    + nra.
    + destruct WE as [E|E]; rewrite E in *; [nra|]. assert ((v - u) * (- beta + c) <= 0) by nra. nra.
    + assert ((u + v - w) * c <= u * c) by (apply Rmult_le_compat_r; lra). nra.
    + lra.
Qed.

(* ---- the pair ---- *)
Section Stronger.
Context {X Y : Type} (U : universe Y) (D : X -> law Y) (eps0 eps : R).
Hypothesis PD : algorithm D.
Hypothesis positive_eps0 : 0 < eps0.
Hypothesis range : - eps0 <= eps <= eps0.
Hypothesis local : locally_private eps0 0 D.
Variables x x' : X.
Let p := exp eps0.
Let P y := chance U (D x) y.
Let Q y := chance U (D x') y.
Definition own y := (p * P y - Q y) / (p * p - 1).
Definition other y := (p * Q y - P y) / (p * p - 1).
Definition larger y := Rmax (own y) (other y).
Lemma p_large : 1 < p.
Proof. unfold p. rewrite <- exp_0. apply exp_increasing; auto. Qed.
Lemma chance_local : forall z z' y, chance U (D z) y <= p * chance U (D z') y.
Proof. intros z z' y. pose proof (local z z' (fun a => is_element U a y)) as L. unfold chance. fold p in L. lra. Qed.
Lemma square : 0 < p * p - 1.
Proof. pose proof p_large. nra. Qed.
Lemma own_positive : forall y, 0 <= own y.
Proof.
  intro y. pose proof (chance_local x' x y). pose proof square. apply Rmult_le_pos; [unfold P, Q; lra | left; apply Rinv_0_lt_compat; auto].
Qed.
Lemma other_positive : forall y, 0 <= other y.
Proof.
  intro y. pose proof (chance_local x x' y). pose proof square. apply Rmult_le_pos; [unfold P, Q; lra | left; apply Rinv_0_lt_compat; auto].
Qed.
Lemma apart_below : forall a b c, a <= p * b -> a <= p * c -> (p * a - b) / (p * p - 1) <= c.
Proof.
  intros a b c H1 H2. pose proof square as S. pose proof p_large. apply Rmult_le_reg_r with (p * p - 1); auto.
  replace ((p * a - b) / (p * p - 1) * (p * p - 1)) with (p * a - b) by (field; lra). nra.
Qed.
Lemma larger_below : forall z y, larger y <= chance U (D z) y.
Proof. intros z y. apply Rmax_lub; apply apart_below; apply chance_local. Qed.
Lemma larger_positive : forall y, 0 <= larger y.
Proof. intro y. eapply Rle_trans; [apply (own_positive y) | apply Rmax_l]. Qed.
Lemma masses : total (elements U) own = / (p + 1) /\ total (elements U) other = / (p + 1).
Proof.
  pose proof square. pose proof p_large.
  assert (M : forall f g, total (elements U) f = 1 -> total (elements U) g = 1 ->
    total (elements U) (fun y => (p * f y - g y) / (p * p - 1)) = / (p + 1)).
  { intros f g F G. rewrite (total_ext _ _ (fun y => p / (p * p - 1) * f y + - / (p * p - 1) * g y)) by (intro; field; lra).
    rewrite total_plus, !total_scale, F, G. field. split; lra. }
  split; apply M; apply chances_sum; auto.
Qed.
Lemma stronger_spread : less_spread (blanket_noise U larger D eps x x') (strong_noise eps0 eps).
Proof.
  intro c. pose proof p_large as P1. pose proof square as P2. destruct masses as [MU MV].
  unfold blanket_noise. rewrite E_ratios. unfold blanket_letters. rewrite !sum_over_map. unfold strong_noise. cbn [sum_over]. fold p.
  assert (EP : exp eps <= p) by (apply exp_le; lra).
  assert (EI : 1 <= exp eps * p).
  { unfold p. rewrite <- exp_plus, <- exp_0. apply exp_le. lra. }
  rewrite Rplus_0_l.
  assert (H : total (elements U) (fun y => larger y * Rmax 0 ((P y - exp eps * Q y) / larger y + c))
    + total (elements U) (fun y => (own y + other y - larger y) * Rmax 0 c)
    <= total (elements U) (fun y => own y * Rmax 0 (p - exp eps + c)) + total (elements U) (fun y => other y * Rmax 0 (1 - exp eps * p + c))).
  { rewrite <- !total_plus. apply Hash.total_le. intros y _.
    pose proof (spread_message (own y) (other y) (p - exp eps) (exp eps * p - 1) c (own_positive y) (other_positive y)
      ltac:(lra) ltac:(lra)) as S. cbv zeta in S. fold (larger y) in S.
    replace ((p - exp eps) * own y - (exp eps * p - 1) * other y) with (P y - exp eps * Q y) in S by (unfold own, other; field; lra).
    replace (- (exp eps * p - 1)) with (1 - exp eps * p) in S by ring. exact S. }
  assert (F : forall g k, total (elements U) (fun y => g y * k) = total (elements U) g * k).
  { intros g k. rewrite (total_ext _ _ (fun y => k * g y)) by (intro; ring). rewrite total_scale. ring. }
  rewrite !F, MU, MV in H. rewrite (total_ext _ (fun y => own y + other y - larger y) (fun y => own y + (other y + -1 * larger y))) in H
    by (intro; ring). rewrite !total_plus, total_scale, MU, MV in H.
  rewrite (total_ext _ (fun y => larger y * 1) larger) by (intro; ring). unfold P, Q in H. lra.
Qed.
Lemma nothing_outside : outside U larger D eps x x' = 0.
Proof.
  unfold outside. rewrite (total_ext _ _ (fun _ => 0 * 0)); [rewrite total_scale; ring|]. intro y. destruct (Req_EM_T (larger y) 0) as [Z|Z]; [|ring].
  pose proof p_large. pose proof square. pose proof (own_positive y) as O1. pose proof (other_positive y) as O2.
  assert (L1 : own y <= larger y) by apply Rmax_l. assert (L2 : other y <= larger y) by apply Rmax_r.
  assert (Z1 : own y = 0) by lra. assert (Z2 : other y = 0) by lra.
  assert (PP : P y = p * own y + other y) by (unfold own, other; field; lra).
  assert (QQ : Q y = own y + p * other y) by (unfold own, other; field; lra).
  fold (P y) (Q y). rewrite PP, QQ, Z1, Z2. rewrite Rmax_left by lra. ring.
Qed.
Lemma stronger_pair : forall u v,
  close eps (amplified (strong_noise eps0 eps) (length (u ++ x :: v))) (view (single D) (u ++ x :: v)) (view (single D) (u ++ x' :: v)).
Proof.
  intros u v. pose proof (blanket_pair U larger D PD larger_positive larger_below eps x x' u v) as B. rewrite nothing_outside, Rplus_0_r in B.
  refine (close_mono eps eps _ _ _ _ (proper_view _ _ (proper_single D PD)) (Rle_refl eps) _ B).
  replace (length (u ++ x :: v)) with (S (length (u ++ v))) by (rewrite !app_length; cbn [length]; lia).
  pose proof p_large. assert (0 < / (p + 1)) by (apply Rinv_0_lt_compat; lra). assert (2 * / (p + 1) <= 1).
  { apply Rmult_le_reg_r with (p + 1); [lra|]. rewrite Rmult_assoc, Rinv_l by lra. lra. }
  apply spread_amplified; [| |apply stronger_spread].
  - intros q I. exact (proj1 (blanket_noise_proper U larger D PD larger_positive larger_below eps x x') 0%nat q I).
  - intros q [I|[I|[I|[]]]]; subst q; cbn [snd]; fold p; lra.
Qed.
End Stronger.
Theorem stronger_clones : forall (X Y : Type) (U : universe Y) (D : X -> law Y) (N : nat) (eps0 eps : R),
  algorithm D -> 0 < eps0 -> - eps0 <= eps <= eps0 -> locally_private eps0 0 D ->
  private_on N eps (amplified (strong_noise eps0 eps) N) (view (single D)).
Proof.
  intros X Y U D N eps0 eps PD H0 HE HL s s' L (u & x & x' & v & -> & ->). rewrite <- L. apply (stronger_pair U); auto.
Qed.
Theorem stronger_clones_as_counts : forall (X Y : Type) (U : universe Y) (D : X -> law Y) (N : nat) (eps0 eps delta : R),
  let p := exp eps0 in algorithm D -> 0 < eps0 -> - eps0 <= eps <= eps0 -> locally_private eps0 0 D ->
  close eps delta (clone_counts N p (/ (p + 1)) (/ (p + 1)) true) (clone_counts N p (/ (p + 1)) (/ (p + 1)) false) ->
  private_on N eps delta (view (single D)).
Proof.
  intros X Y U D N eps0 eps delta p PD H0 HE HL C s s' L Nb. destruct N as [|n].
  - destruct Nb as (u & x & x' & v & -> & _). rewrite app_length in L. cbn [length] in L. lia.
  - assert (P1 : 1 < p) by (unfold p; rewrite <- exp_0; apply exp_increasing; auto).
    assert (0 < / (p + 1)) by (apply Rinv_0_lt_compat; lra). assert (/ (p + 1) * (p + 1) = 1) by (field; lra).
    apply (close_mono eps eps (amplified (strong_noise eps0 eps) (S n)) delta); [apply proper_view, proper_single; auto | lra | |].
    + pose proof (counts_event eps0 eps delta (/ (p + 1)) n H0 ltac:(auto) ltac:(nra) C) as B. fold p in B.
      replace (strong_noise eps0 eps) with [(0, 1 - 2 * / (p + 1)); ((p - exp eps) / (p + 1) / / (p + 1), / (p + 1));
        ((1 - exp eps * p) / (p + 1) / / (p + 1), / (p + 1))]; auto.
      unfold strong_noise. fold p. repeat (f_equal; try (field; lra)).
    + apply (stronger_clones X Y U D (S n) eps0 eps); auto.
Qed.
