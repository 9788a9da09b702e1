(* A certificate for the whole view of P_UT, with true Poisson noise, replayed by computation inside Coq.

   Two pools change: (X1 + 1, Y1, X2, Y2 + 1) against (X1, Y1 + 1, X2 + 1, Y2), all four independent, Pois(nu).  As
   E f(X + 1) = E[X f(X)]/nu, delta is E[(A - e^eps B)_+]/nu^2 with A = X1 Y2 and B = Y1 X2; counts above M cost a tail each.
   The masses of the products are merged into one ascending list, on which a walk with running sums takes the positive parts.
   Proved: if whole numbers around the weights say that this is at most c/d, what everybody sees is (eps, c/d)-private. *)
From Coq Require Import Reals ZArith Lra Lia List Bool.
From PanshuffleKernel Require Law ExpBound.
From PanshuffleKernel Require Import Countable Privacy Masses Model Poisson PoissonPools Means Statistic PoissonCertificate.
From PanshuffleKernel Require Import NeighboursUniformity Paper.
Import ListNotations.
Open Scope R_scope.

(* ---- the bound, for real numbers ---- *)
Section Bound.
Variables nu r : R.
Hypothesis nu_pos : 0 < nu.
Hypothesis r_pos : 0 < r.
Let p := Pois nu.
Let P : proper p := proper_Pois nu (Rlt_le _ _ nu_pos).
(* What the first N counts leave out. *)
Definition gap (N : nat) : R := 1 - sum_over (Pois nu N) (fun _ => 1).
Lemma slice_more : forall N f, sum_over (p (S N)) f = sum_over (p N) f + poisson nu N * f N.
Proof. intros N f. unfold p, Pois. rewrite seq_S, map_app, Law.E_app. simpl. ring. Qed.
Lemma gap_step : forall N, gap N = poisson nu N + gap (S N).
Proof. intro N. unfold gap. fold p. rewrite slice_more. ring. Qed.
Lemma cut_above : forall N f g k, 0 <= k -> (forall i, 0 <= f i <= 1) -> (forall i, f i <= g i + k) ->
  E p f <= sum_over (p N) g + (k + gap N).
Proof.
  intros N f g k K F G. assert (BF : bounded f) by (apply bounded_01; auto).
  assert (L : sum_over (p N) (fun i => 1 - f i) <= E p (fun i => 1 - f i)).
  { apply slice_le_E; auto; [intro i; specialize (F i); lra | apply bounded_minus; auto using bounded_const]. }
  rewrite E_minus, E_const in L by (auto using bounded_const).
  rewrite (table_ext _ (fun i => 1 - f i) (fun i => 1 + -1 * f i)), Law.E_plus, Law.E_mult in L by (intro; ring).
  assert (U : sum_over (p N) f <= sum_over (p N) (fun i => g i + k * 1)) by (apply table_le; [apply slice_nonneg; auto | intro i;
    specialize (G i); lra]).
  rewrite Law.E_plus, Law.E_mult in U. pose proof (slice_mass p P N) as M1. unfold gap. fold p.
  assert (k * sum_over (p N) (fun _ => 1) <= k * 1) by (apply Rmult_le_compat_l; auto). lra.
Qed.
Lemma cut_below : forall N f g, (forall i, 0 <= f i <= 1) -> (forall i, g i <= f i) -> sum_over (p N) g <= E p f.
Proof.
  intros N f g F G. apply Rle_trans with (sum_over (p N) f).
  - apply table_le; auto. apply slice_nonneg; auto.
  - apply slice_le_E; auto; [intro; apply F | apply bounded_01; auto].
Qed.
Lemma gap_pos : forall N, 0 <= gap N.
Proof. intro N. unfold gap. pose proof (slice_mass p P N). unfold p in *. lra. Qed.

Variable M : nat.
Let q := p (S M).
(* Four counts of at most M. *)
Definition four (f : nat -> nat -> nat -> nat -> R) : R :=
  sum_over (Pois nu (S M)) (fun x => sum_over (Pois nu (S M)) (fun y => sum_over (Pois nu (S M)) (fun z => sum_over (Pois nu (S M)) (f x
    y z)))).
Lemma four_le : forall f g, (forall x y z t, f x y z t <= g x y z t) -> four f <= four g.
Proof. intros f g H. assert (Q : Law.nonneg q) by (apply slice_nonneg; auto). unfold four. fold p q.
repeat (apply table_le; auto; intro). Qed.
Lemma four_swap : forall f, four f = four (fun x t y z => f x y z t).
Proof.
  intro f. unfold four. apply table_ext; intro x.
  rewrite (table_ext _ _ (fun y => sum_over (Pois nu (S M)) (fun t => sum_over (Pois nu (S M)) (fun z => f x y z t)))) by (intro;
    apply Law.E_swap).
  apply Law.E_swap.
Qed.
Lemma four_minus : forall f g, four (fun x y z t => f x y z t - r * g x y z t) = four f - r * four g.
Proof.
  intros f g. unfold four. assert (L : forall t (h k : nat -> R), sum_over t (fun i => h i - r * k i) = sum_over t h - r * sum_over t k).
  { intros t h k. rewrite (table_ext t _ (fun i => h i + (- r) * k i)) by (intro; ring). rewrite Law.E_plus, Law.E_mult. ring. }
  rewrite <- L. apply table_ext; intro x. rewrite <- L. apply table_ext; intro y. rewrite <- L. apply table_ext; intro z. apply L.
Qed.
Theorem pair_bound : forall g : nat -> nat -> nat -> nat -> R, (forall x y z t, 0 <= g x y z t <= 1) ->
  E p (fun x => E p (fun y => E p (fun z => E p (fun t => g (S x) y z (S t)))))
  - r * E p (fun x => E p (fun y => E p (fun z => E p (fun t => g x (S y) (S z) t))))
  <= four (fun x t y z => Rmax 0 (INR x * INR t - r * (INR y * INR z))) / (nu * nu) + 4 * gap M.
Proof.
  intros g G. pose proof (gap_pos M) as G0. pose proof (gap_pos (S M)) as G1.
  assert (GS : gap (S M) <= gap M) by (rewrite (gap_step M); pose proof (poisson_nonneg nu M (Rlt_le _ _ nu_pos)); lra).
  assert (UP : E p (fun x => E p (fun y => E p (fun z => E p (fun t => g (S x) y z (S t)))))
    <= sum_over (p M) (fun x => sum_over q (fun y => sum_over q (fun z => sum_over (p M) (fun t => g (S x) y z (S t))))) + (0 + gap M +
      gap (S M) + gap (S M) + gap M)).
  { apply cut_above; [lra | intro; repeat (apply E_range; auto; intro); auto | intro x].
    apply cut_above; [lra | intro; repeat (apply E_range; auto; intro); auto | intro y].
    apply cut_above; [lra | intro; repeat (apply E_range; auto; intro); auto | intro z].
    apply cut_above; [lra | intro; auto | intro t; lra]. }
  assert (DOWN : sum_over q (fun x => sum_over (p M) (fun y => sum_over (p M) (fun z => sum_over q (fun t => g x (S y) (S z) t))))
    <= E p (fun x => E p (fun y => E p (fun z => E p (fun t => g x (S y) (S z) t))))).
  { apply cut_below; [intro; repeat (apply E_range; auto; intro); auto | intro x].
    apply cut_below; [intro; repeat (apply E_range; auto; intro); auto | intro y].
    apply cut_below; [intro; repeat (apply E_range; auto; intro); auto | intro z].
    apply cut_below; [intro; auto | intro t; lra]. }
  assert (A1 : nu * nu * sum_over (p M) (fun x => sum_over q (fun y => sum_over q (fun z => sum_over (p M) (fun t => g (S x) y z (S t)))))
    = four (fun x y z t => INR x * INR t * g x y z t)).
  { rewrite Rmult_assoc, <- (slice_step nu (fun x => sum_over q (fun y => sum_over q (fun z => sum_over (p M) (fun t => g x y z (S
      t)))))), <- Law.E_mult.
    unfold four. apply table_ext; intro x. rewrite <- !Law.E_mult. apply table_ext; intro y. rewrite <- !Law.E_mult.
    apply table_ext; intro z.
    rewrite (Rmult_comm (INR x)), <- Rmult_assoc, <- (slice_step nu (g x y z)), Rmult_comm, <- Law.E_mult. apply table_ext; intro t.
    ring. }
  assert (A2 : nu * nu * sum_over q (fun x => sum_over (p M) (fun y => sum_over (p M) (fun z => sum_over q (fun t => g x (S y) (S z) t))))
    = four (fun x y z t => INR y * INR z * g x y z t)).
  { rewrite <- Law.E_mult. unfold four. apply table_ext; intro x.
    rewrite Rmult_assoc, <- (slice_step nu (fun y => sum_over (p M) (fun z => sum_over q (fun t => g x y (S z) t)))), <- Law.E_mult.
    apply table_ext; intro y. rewrite (Rmult_comm (INR y)), <- Rmult_assoc,
      <- (slice_step nu (fun z => sum_over q (fun t => g x y z t))), Rmult_comm, <- Law.E_mult.
    apply table_ext; intro z. rewrite <- Rmult_assoc, <- Law.E_mult. reflexivity. }
  assert (A3 : four (fun x y z t => INR x * INR t * g x y z t) - r * four (fun x y z t => INR y * INR z * g x y z t)
    <= four (fun x t y z => Rmax 0 (INR x * INR t - r * (INR y * INR z)))).
  { rewrite <- four_minus. rewrite <- (four_swap (fun x y z t => Rmax 0 (INR x * INR t - r * (INR y * INR z)))). apply four_le.
    intros x y z t.
    specialize (G x y z t). pose proof (Rmax_l 0 (INR x * INR t - r * (INR y * INR z))).
    pose proof (Rmax_r 0 (INR x * INR t - r * (INR y * INR z))).
    set (m := Rmax 0 _) in *. apply Rle_trans with (m * g x y z t); [|nra].
    replace (INR x * INR t * g x y z t - r * (INR y * INR z * g x y z t)) with ((INR x * INR t - r * (INR y * INR z)) * g x y z t) by
      ring.
    apply Rmult_le_compat_r; lra. }
  set (U := sum_over (p M) _) in *. set (D := sum_over q _) in DOWN, A2. set (V := E p _) in UP |- *. set (W := E p _) in DOWN |- *.
  set (F := four (fun x t y z => Rmax 0 (INR x * INR t - r * (INR y * INR z)))) in *.
  assert (N2 : 0 < nu * nu) by (apply Rmult_lt_0_compat; auto).
  assert (UD : U - r * D <= F / (nu * nu)).
  { apply Rmult_le_reg_l with (nu * nu); auto. replace (nu * nu * (F / (nu * nu))) with F by (field; lra).
    replace (nu * nu * (U - r * D)) with (nu * nu * U - r * (nu * nu * D)) by ring. rewrite A1, A2. exact A3. }
  assert (r * D <= r * W) by (apply Rmult_le_compat_l; lra). lra.
Qed.
End Bound.

(* ---- lists of (product, mass) ---- *)
Definition masses := list (Z * Z).
Fixpoint merge (l : masses) : masses -> masses :=
  fix into (k : masses) : masses :=
    match l, k with
    | [], _ => k
    | _, [] => l
    | (x, m) :: l', (y, n) :: k' => if (x <? y)%Z then (x, m) :: merge l' k else if (y <? x)%Z then (y, n) :: into k' else (x,
      (m + n)%Z) :: merge l' k'
    end.
Fixpoint weigh (f : Z -> R) (l : masses) : R := match l with [] => 0 | (x, m) :: l => IZR m * f x + weigh f l end.
Lemma weigh_merge : forall f l k, weigh f (merge l k) = weigh f l + weigh f k.
Proof.
  intros f l. induction l as [|[x m] l IH]; intro k.
  - destruct k as [|[y n] k]; simpl; ring.
  - induction k as [|[y n] k IHk]; [simpl; ring|]. cbn [merge]. destruct (x <? y)%Z eqn:A; [cbn [weigh]; rewrite IH; cbn [weigh]; ring|].
    destruct (y <? x)%Z eqn:B.
    + cbn [weigh]. change ((fix into (k0 : masses) : masses := match k0 with [] => (x, m) :: l | (y0, n0) :: k' =>
        if (x <? y0)%Z then (x, m) :: merge l k0 else if (y0 <? x)%Z then (y0, n0) :: into k' else (x,
          (m + n0)%Z) :: merge l k' end) k) with (merge ((x, m) :: l) k).
      rewrite IHk. cbn [weigh]. ring.
    + apply Z.ltb_ge in A, B. replace y with x by lia. cbn [weigh]. rewrite IH, plus_IZR. ring.
Qed.
(* x times y, y + 1, ..., and all products of the numbers that two lists give masses to. *)
Fixpoint row (x wx y : Z) (l : list Z) : masses :=
  match l with [] => [] | w :: l => (x * y, wx * w) :: row x wx (y + 1) l end%Z.
Fixpoint products (x : Z) (l all : list Z) : masses :=
  match l with [] => [] | w :: l => merge (row x w 0 all) (products (x + 1) l all) end%Z.
Fixpoint ascending (l : masses) : bool :=
  match l with [] => true | (x, m) :: l => (0 <=? m)%Z && match l with [] => true | (y, _) :: _ => (x <=? y)%Z end && ascending l end.

(* sum of m n (b A - a B)_+ over (A, m) and (B, n): b A <= a B leaves the running sums, for this B and those after it. *)
Fixpoint skip (b t : Z) (l : masses) (s0 s1 : Z) : masses * (Z * Z) :=
  match l with
  | (x, m) :: l' => if (b * x <=? t)%Z then skip b t l' (s0 - m) (s1 - m * x) else (l, (s0, s1))
  | [] => ([], (s0, s1))
  end%Z.
Fixpoint walk (a b : Z) (bs l : masses) (s0 s1 total : Z) : Z :=
  match bs with
  | [] => total
  | (y, n) :: bs => let '(l', (s0', s1')) := skip b (a * y) l s0 s1 in walk a b bs l' s0' s1' (total + n * (b * s1' - a * y * s0'))
  end%Z.
Fixpoint sum_of (f : Z -> Z) (l : masses) : Z := match l with [] => 0 | (x, m) :: l => m * f x + sum_of f l end%Z.
Definition excess (a b : Z) (l : masses) : Z := walk a b l l (sum_of (fun _ => 1%Z) l) (sum_of (fun x => x) l) 0.

Definition above (b t x : Z) : Z := Z.max 0 (b * x - t).
Lemma ascending_tail : forall x m l, ascending ((x, m) :: l) = true -> ascending l = true.
Proof. intros x m l H. cbn [ascending] in H. apply andb_true_iff in H. apply H. Qed.
Lemma ascending_min : forall l x m, ascending ((x, m) :: l) = true -> forall y n, In (y, n) l -> (x <= y)%Z.
Proof.
  induction l as [|[z k] l IH]; intros x m H y n I; [destruct I|]. pose proof (ascending_tail _ _ _ H) as T. cbn [ascending] in H.
  rewrite !andb_true_iff, !Z.leb_le in H. destruct H as [[_ H] _]. destruct I as [I|I]; [inversion I; lia|].
  specialize (IH z k T y n I). lia.
Qed.
Lemma sum_ext : forall f g l, (forall x m, In (x, m) l -> f x = g x) -> sum_of f l = sum_of g l.
Proof. intros f g l. induction l as [|[x m] l IH]; intro H; [reflexivity|]. cbn [sum_of].
rewrite IH, (H x m) by (simpl; auto; intros; apply (H x0 m0); simpl; auto). reflexivity. Qed.
Lemma skip_spec : forall b t l, (0 < b)%Z -> ascending l = true -> forall l' s0' s1',
  skip b t l (sum_of (fun _ => 1%Z) l) (sum_of (fun x => x) l) = (l', (s0', s1')) ->
  ascending l' = true /\ s0' = sum_of (fun _ => 1%Z) l' /\ s1' = sum_of (fun x => x) l' /\ (b * s1' - t * s0' = sum_of (above b t) l')%Z
    /\
  forall t', (t <= t')%Z -> sum_of (above b t') l = sum_of (above b t') l'.
Proof.
  intros b t l B. induction l as [|[x m] l IH]; intros H l' s0' s1' Q.
  - cbn [skip sum_of] in Q. inversion Q. subst. cbn [sum_of]. repeat split; auto; lia.
  - cbn [skip] in Q. destruct (b * x <=? t)%Z eqn:C.
    + apply Z.leb_le in C. cbn [sum_of] in Q.
      replace (m * 1 + sum_of (fun _ => 1%Z) l - m)%Z with (sum_of (fun _ => 1%Z) l) in Q by lia.
      replace (m * x + sum_of (fun x0 => x0) l - m * x)%Z with (sum_of (fun x0 => x0) l) in Q by lia.
      destruct (IH (ascending_tail _ _ _ H) l' s0' s1' Q) as [I1 [I2 [I3 [I4 I5]]]]. repeat split; auto.
      intros t' T. cbn [sum_of]. rewrite <- I5 by auto. unfold above at 1. rewrite Z.max_l by lia. lia.
    + apply Z.leb_gt in C. inversion Q as [[Q1 Q2 Q3]]. subst l' s0' s1'. repeat split; auto.
      assert (LIN : forall k, (b * sum_of (fun x => x) k - t * sum_of (fun _ => 1) k)%Z = sum_of (fun x => b * x - t)%Z k).
      { induction k as [|[z n] k IHk]; cbn [sum_of]; lia. }
      transitivity (sum_of (fun z => b * z - t)%Z ((x, m) :: l)); [apply (LIN ((x, m) :: l))|]. apply sum_ext. intros z n I0.
      unfold above. rewrite Z.max_r; auto. destruct I0 as [I0|I0]; [inversion I0; subst; lia|].
      pose proof (ascending_min l x m H z n I0). nia.
Qed.
Lemma walk_spec : forall a b, (0 < a)%Z -> (0 < b)%Z -> forall bs, ascending bs = true -> forall l total, ascending l = true ->
  walk a b bs l (sum_of (fun _ => 1%Z) l) (sum_of (fun x => x) l) total = (total + sum_of (fun y => sum_of (above b (a * y)) l) bs)%Z.
Proof.
  intros a b A B bs. induction bs as [|[y n] bs IH]; intros HB l total HL; [cbn [walk sum_of]; lia|]. cbn [walk].
  destruct (skip b (a * y) l _ _) as [l' [s0' s1']] eqn:Q. destruct (skip_spec b (a * y) l B HL l' s0' s1' Q) as [I1 [I2 [I3 [I4 I5]]]].
  rewrite I4. rewrite I2, I3. rewrite IH by (eauto using ascending_tail). cbn [sum_of]. rewrite (I5 (a * y)%Z) by lia.
  rewrite (sum_ext (fun y0 => sum_of (above b (a * y0)) l) (fun y0 => sum_of (above b (a * y0)) l')); [lia|].
  intros z k I0. apply I5. pose proof (ascending_min bs y n HB z k I0). nia.
Qed.
Lemma sum_weigh : forall f l, IZR (sum_of f l) = weigh (fun x => IZR (f x)) l.
Proof. intros f l. induction l as [|[x m] l IH]; [reflexivity|]. cbn [sum_of weigh]. rewrite plus_IZR, mult_IZR, IH. reflexivity. Qed.
Lemma weigh_ext : forall f g l, (forall x, f x = g x) -> weigh f l = weigh g l.
Proof. intros f g l H. induction l as [|[x m] l IH]; [reflexivity|]. cbn [weigh]. rewrite H, IH. reflexivity. Qed.
Lemma weigh_le : forall f g l, ascending l = true -> (forall x, f x <= g x) -> weigh f l <= weigh g l.
Proof.
  intros f g l A H. induction l as [|[x m] l IH]; [simpl; lra|]. pose proof (ascending_tail _ _ _ A) as T. cbn [ascending] in A.
  cbn [weigh].
  rewrite !andb_true_iff, !Z.leb_le in A. destruct A as [[A _] _]. apply IZR_le in A. apply Rplus_le_compat; auto.
  apply Rmult_le_compat_l; auto.
Qed.
Theorem excess_spec : forall a b l, (0 < a)%Z -> (0 < b)%Z -> ascending l = true ->
  IZR (excess a b l) = weigh (fun y => weigh (fun x => IZR (above b (a * y) x)) l) l.
Proof. intros a b l A B H. unfold excess. rewrite walk_spec by auto. rewrite Z.add_0_l, sum_weigh. apply weigh_ext. intro y.
apply sum_weigh. Qed.

(* ---- the certificate ---- *)
(* nu = u/w, e^eps >= a/b, delta = c/d; counts 0, ..., M, and the weights 0, ..., M + 1 for the tail. *)
(* The weights 0, ..., M from above, divided by 2^k. *)
Definition shorter (one k u w : Z) (M : nat) : list Z := map (fun lh => Z.shiftr (snd lh) k + 1)%Z (weights u w 0 M one one).
Definition accepts_poisson_pair (one k u w : Z) (M : nat) (a b c d : Z) : bool :=
  (let ws := weights u w 0 (S M) one one in let ts := suffixes ws in
   let rest := snd (pick ts M) + 2 * snd (pick ws (S M)) in
   let all := fst (pick ts 0) in let few := shorter one k u w M in let l := products 0 few few in let h := 2 ^ k in
   (0 <? one) && (0 <=? k) && (0 <? u) && (0 <? w) && (0 <? a) && (0 <? b) && (0 <=? c) && (0 <? d) && (2 * u <=? w * Z.of_nat (S (S M)))
     &&
   (0 <? all) && ascending l &&
   (d * (w * w * (h * h * h * h) * excess a b l + 4 * (u * u) * b * rest * (all * all * all)) <=? c * (u * u) * b * (all * all * all *
     all)))%Z.

Section Sound.
Variables one k u w : Z.
Variable M : nat.
Hypothesis one_pos : (0 < one)%Z.
Hypothesis k_pos : (0 <= k)%Z.
Hypothesis u_pos : (0 < u)%Z.
Hypothesis w_pos : (0 < w)%Z.
Hypothesis enough_terms : (2 * u <= w * Z.of_nat (S (S M)))%Z.
Let nu := IZR u / IZR w.
Let s := IZR one.
Let h := IZR (2 ^ k).
Lemma h_pos : 0 < h.
Proof. apply IZR_lt, Z.pow_pos_nonneg; lia. Qed.
Lemma mass_weight : forall i, exp nu * poisson nu i = weight nu i.
Proof. intro i. unfold poisson, weight. rewrite <- Rmult_assoc, <- exp_plus. replace (nu + - nu) with 0 by ring. rewrite exp_0. ring. Qed.
Lemma gap_tail : forall N, exp nu * gap nu N = scaled_tail u w N.
Proof.
  pose proof (nu_positive u w u_pos w_pos) as NU. fold nu in NU.
  induction N as [|N IH].
  - unfold gap, scaled_tail, tail, Pr. simpl sum_over. fold nu. rewrite (E_ext _ _ (fun _ => 1)) by (intro; reflexivity).
    rewrite E_one by (apply proper_Pois; lra). ring.
  - rewrite (gap_step nu N), (tail_step one u w M u_pos w_pos enough_terms N) in IH. fold nu in IH.
    rewrite Rmult_plus_distr_l, mass_weight in IH. lra.
Qed.
Definition over (i : nat) (l : list Z) : Prop := forall j, (j < length l)%nat -> s * weight nu (i + j) <= h * IZR (nth j l 0%Z).
Lemma over_tail : forall i x l, over i (x :: l) -> s * weight nu i <= h * IZR x /\ over (S i) l.
Proof.
  intros i x l H. split; [specialize (H 0%nat); rewrite Nat.add_0_r in H; apply H; simpl; lia|].
  intros j J. specialize (H (S j)). rewrite Nat.add_succ_r in H. apply H. simpl. lia.
Qed.
(* sums over i, ..., i + n - 1 *)
Let slice (i n : nat) : table nat := map (fun k => (k, poisson nu k)) (seq i n).
Lemma row_above : forall f x wx l y, (forall z, 0 <= f z) -> (0 <= wx)%Z -> over y l ->
  IZR wx * (s * exp nu) * sum_over (slice y (length l)) (fun i => f (x * Z.of_nat i)%Z) <= h * weigh f (row x wx (Z.of_nat y) l).
Proof.
  intros f x wx l. induction l as [|v l IH]; intros y F W H; [simpl; lra|].
  destruct (over_tail _ _ _ H) as [H1 H2]. specialize (IH (S y) F W H2). cbn [length row weigh]. unfold slice. cbn [seq map sum_over].
  fold (slice (S y) (length l)). replace (Z.of_nat y + 1)%Z with (Z.of_nat (S y)) by lia. rewrite !Rmult_plus_distr_l.
  apply Rplus_le_compat; auto.
  replace (IZR wx * (s * exp nu) * (poisson nu y * f (x * Z.of_nat y)%Z)) with (IZR wx * (s * (exp nu * poisson nu y)) * f (x * Z.of_nat
    y)%Z) by ring.
  rewrite mass_weight, <- (Rmult_assoc h). apply Rmult_le_compat_r; auto. apply IZR_le in W. rewrite mult_IZR.
  replace (h * (IZR wx * IZR v)) with (IZR wx * (h * IZR v)) by ring. apply Rmult_le_compat_l; auto.
Qed.
Lemma products_above : forall f all l x, (forall z, 0 <= f z) -> over 0 all -> over x l ->
  s * s * (exp nu * exp nu) * sum_over (slice x (length l)) (fun i => sum_over (slice 0 (length all)) (fun j => f (Z.of_nat i * Z.of_nat
    j)%Z))
  <= h * h * weigh f (products (Z.of_nat x) l all).
Proof.
  intros f all l. assert (S0 : 0 < s) by (apply IZR_lt; auto). pose proof (nu_positive u w u_pos w_pos) as NU. fold nu in NU.
  induction l as [|v l IH]; intros x F A H; [simpl; lra|].
  destruct (over_tail _ _ _ H) as [H1 H2]. specialize (IH (S x) F A H2). cbn [length products]. rewrite weigh_merge. unfold slice at 1.
  cbn [seq map sum_over]. fold (slice (S x) (length l)).
  replace (Z.of_nat x + 1)%Z with (Z.of_nat (S x)) by lia. rewrite !Rmult_plus_distr_l. apply Rplus_le_compat; auto.
  pose proof (weight_pos u w u_pos w_pos x) as WP. fold nu in WP.
  pose proof h_pos as HP. assert (V0 : 0 <= IZR v).
  { apply Rmult_le_reg_l with h; auto. rewrite Rmult_0_r. apply Rle_trans with (s * weight nu x); auto. apply Rmult_le_pos; lra. }
  rewrite (Rmult_assoc h h). eapply Rle_trans; [|apply Rmult_le_compat_l; [lra|]; apply (row_above f (Z.of_nat x) v all 0); auto;
    apply le_IZR; exact V0].
  set (Q := sum_over (slice 0 (length all)) _).
  assert (Q0 : 0 <= Q) by (apply table_nonneg; [apply (slice_nonneg (Pois nu)); apply proper_Pois; lra | intro; auto]).
  replace (s * s * (exp nu * exp nu) * (poisson nu x * Q)) with (s * (exp nu * poisson nu x) * (s * exp nu * Q)) by ring.
  rewrite mass_weight, (Rmult_assoc (IZR v)), <- (Rmult_assoc h). apply Rmult_le_compat_r; auto. pose proof (exp_pos nu).
  repeat apply Rmult_le_pos; lra.
Qed.

Variables a b c d : Z.
Hypothesis a_pos : (0 < a)%Z.
Hypothesis b_pos : (0 < b)%Z.
Let r := IZR a / IZR b.
Let few := shorter one k u w M.
Let l := products 0 few few.
Hypothesis l_ascending : ascending l = true.
Lemma few_length : length few = S M.
Proof.
  assert (H : forall n i low high, length (weights u w i n low high) = S n) by (induction n; intros; simpl; auto).
  unfold few, shorter. rewrite map_length. apply H.
Qed.
Lemma few_over : over 0 few.
Proof.
  intros j J. rewrite few_length in J. cbn [Nat.add].
  destruct (weights_enclose one u w M u_pos w_pos enough_terms M 0 one one) with (j := j) as [_ [_ H]]; [|lia|].
  - unfold encloses, weight. cbn [fst snd]. simpl. split; [lia | split; right; field].
  - eapply Rle_trans; [exact H|]. pose proof few_length as FL. unfold few, shorter, pick in *. rewrite map_length in FL. cbn [Z.of_nat].
    rewrite (nth_indep _ 0%Z (Z.shiftr (snd (0, 0)%Z) k + 1)%Z) by (rewrite map_length; lia).
    rewrite (map_nth (fun lh : Z * Z => Z.shiftr (snd lh) k + 1)%Z). set (v := snd (nth j _ _)).
    rewrite Z.shiftr_div_pow2 by auto. unfold h. rewrite <- mult_IZR. apply IZR_le.
    assert (K0 : (0 < 2 ^ k)%Z) by (apply Z.pow_pos_nonneg; lia). pose proof (Z.mod_pos_bound v (2 ^ k) K0).
    pose proof (Z.div_mod v (2 ^ k) ltac:(lia)). lia.
Qed.
Lemma excess_above : IZR b * (s * s * (exp nu * exp nu) * (s * s * (exp nu * exp nu))) * four nu M (fun x t y z => Rmax 0 (INR x * INR t
  - r * (INR y * INR z)))
  <= h * h * (h * h) * IZR (excess a b l).
Proof.
  pose proof (IZR_lt _ _ b_pos) as BR. rewrite excess_spec by auto.
  assert (PR : forall f, (forall z, 0 <= f z) ->
    s * s * (exp nu * exp nu) * sum_over (Pois nu (S M)) (fun i => sum_over (Pois nu (S M)) (fun j => f (Z.of_nat i * Z.of_nat j)%Z)) <=
      h * h * weigh f l).
  { intros f F. pose proof (products_above f few few 0 F few_over few_over) as H. rewrite few_length in H. exact H. }
  assert (SE : 0 < s * s * (exp nu * exp nu)) by (pose proof (exp_pos nu); repeat apply Rmult_lt_0_compat; auto; apply IZR_lt; auto).
  assert (HP : 0 < h * h) by (apply Rmult_lt_0_compat; apply h_pos). set (hh := h * h) in *.
  assert (A0 : forall y x, 0 <= IZR (above b (a * y) x)) by (intros; apply IZR_le; unfold above; lia).
  assert (WN : forall v f, ascending v = true -> (forall x, 0 <= f x) -> 0 <= weigh f v).
  { intros v f V F. apply Rle_trans with (weigh (fun _ => 0) v); [|apply weigh_le; auto]. clear.
    induction v as [|[x m] v IH]; cbn [weigh]; lra. }
  rewrite (Rmult_assoc hh hh). eapply Rle_trans; [|apply Rmult_le_compat_l; [lra|];
    apply (PR (fun y => weigh (fun x => IZR (above b (a * y) x)) l)); auto].
  set (S2 := s * s * (exp nu * exp nu)) in *. rewrite <- (Rmult_assoc hh S2), (Rmult_comm hh S2), (Rmult_assoc S2 hh).
  replace (IZR b * (S2 * S2)) with (S2 * (S2 * IZR b)) by ring. rewrite (Rmult_assoc S2 (S2 * IZR b)).
  apply Rmult_le_compat_l; [lra|].
  (* the second pair outside *)
  unfold four. rewrite <- !Law.E_mult.
  set (q := Pois nu (S M)) in *.
  assert (SW : sum_over q (fun x => S2 * IZR b * sum_over q (fun t => sum_over q (fun y => sum_over q (fun z => Rmax 0 (INR x * INR t - r
    * (INR y * INR z))))))
    = sum_over q (fun y => sum_over q (fun z => S2 * (sum_over q (fun x => sum_over q (fun t => IZR b * Rmax 0 (INR x * INR t - r * (INR
      y * INR z)))))))).
  { rewrite Law.E_mult.
    rewrite (table_ext q (fun y => sum_over q (fun z => S2 * sum_over q (fun x => sum_over q (fun t => IZR b * Rmax 0 (INR x * INR t - r
      * (INR y * INR z))))))
      (fun y => S2 * IZR b * sum_over q (fun z => sum_over q (fun x => sum_over q (fun t => Rmax 0 (INR x * INR t - r * (INR y * INR
        z))))))).
    - rewrite Law.E_mult. f_equal.
      rewrite (table_ext q (fun x => sum_over q (fun t => sum_over q (fun y => sum_over q (fun z => Rmax 0 (INR x * INR t - r * (INR y *
        INR z))))))
        (fun x => sum_over q (fun y => sum_over q (fun z => sum_over q (fun t => Rmax 0 (INR x * INR t - r * (INR y * INR z))))))).
      + rewrite Law.E_swap. apply table_ext; intro y. apply Law.E_swap.
      + intro x. rewrite Law.E_swap. apply table_ext; intro y. apply Law.E_swap.
    - intro y. rewrite <- Law.E_mult. apply table_ext; intro z. rewrite Rmult_assoc. f_equal. rewrite <- Law.E_mult.
      apply table_ext; intro x. apply Law.E_mult. }
  rewrite SW. clear SW. pose proof (nu_positive u w u_pos w_pos) as NU. fold nu in NU.
  assert (QN : Law.nonneg q) by (apply (slice_nonneg (Pois nu)), proper_Pois; lra).
  apply table_le; auto; intro y. rewrite <- (Law.E_mult q hh). apply table_le; auto; intro z.
  eapply Rle_trans; [|apply (PR (fun x => IZR (above b (a * (Z.of_nat y * Z.of_nat z)) x))); auto].
  apply Rmult_le_compat_l; [lra|]. apply table_le; auto; intro x. apply table_le; auto; intro t.
  rewrite !INR_IZR_INZ. unfold above. set (i := Z.of_nat x). set (j := Z.of_nat t). set (m := Z.of_nat y). set (n := Z.of_nat z).
  apply Rle_trans with (Rmax 0 (IZR (b * (i * j) - a * (m * n)))).
  - rewrite minus_IZR, !mult_IZR. unfold Rmax, r. repeat destruct Rle_dec; try lra.
    + right. field. lra.
    + replace (IZR b * (IZR i * IZR j - IZR a / IZR b * (IZR m * IZR n))) with (IZR b * (IZR i * IZR j) - IZR a * (IZR m * IZR n)) by
        (field; lra). lra.
  - unfold Rmax. destruct Rle_dec; apply IZR_le; lia.
Qed.
Hypothesis d_pos : (0 < d)%Z.
Let ws := weights u w 0 (S M) one one.
Let rest := (snd (pick (suffixes ws) M) + 2 * snd (pick ws (S M)))%Z.
Let all := fst (pick (suffixes ws) 0).
Hypothesis all_pos : (0 < all)%Z.
Hypothesis accepted : (d * (w * w * (2 ^ k * 2 ^ k * 2 ^ k * 2 ^ k) * excess a b l + 4 * (u * u) * b * rest * (all * all * all)) <= c *
  (u * u) * b * (all * all * all * all))%Z.
Lemma pair_enclosed : four nu M (fun x t y z => Rmax 0 (INR x * INR t - r * (INR y * INR z))) / (nu * nu) + 4 * gap nu M <= IZR c / IZR d.
Proof.
  pose proof (IZR_lt _ _ b_pos) as BR. pose proof (IZR_lt _ _ d_pos) as DR. pose proof (IZR_lt _ _ all_pos) as AR.
  pose proof (IZR_lt _ _ u_pos) as UR.
  pose proof (IZR_lt _ _ w_pos) as WR. assert (S0 : 0 < s) by (apply IZR_lt; auto). pose proof (exp_pos nu) as EP.
  pose proof (gap_tail 0) as T0. unfold gap in T0. simpl sum_over in T0. rewrite Rminus_0_r, Rmult_1_r in T0.
  destruct (ts_enclose one u w M one_pos u_pos w_pos enough_terms 0) as [_ [T1 _]]. rewrite <- T0 in T1. fold ws in T1. fold all s in T1.
  destruct (ts_enclose one u w M one_pos u_pos w_pos enough_terms M) as [_ [_ T2]]. rewrite <- gap_tail in T2. fold ws in T2.
  fold rest s in T2.
  pose proof excess_above as EA. set (F := four nu M _) in *. set (X := s * exp nu) in *. set (t := IZR all) in *.
  set (Q := IZR (excess a b l)) in *.
  assert (F0 : 0 <= F).
  { assert (QN : Law.nonneg (Pois nu (S M))) by (apply (slice_nonneg (Pois nu)), proper_Pois; pose proof (nu_positive u w u_pos w_pos);
      unfold nu; lra).
    unfold F, four. repeat (apply table_nonneg; auto; intro). apply Rmax_l. }
  apply IZR_le in accepted. rewrite !mult_IZR, !plus_IZR, !mult_IZR in accepted. fold t Q h in accepted.
  assert (T3 : t * t * t * t <= X * X * X * X) by (repeat (apply Rmult_le_compat; try lra; repeat apply Rmult_le_pos; try lra)).
  assert (B1 : IZR b * (t * t * t * t) * F <= h * h * h * h * Q).
  { apply Rle_trans with (IZR b * (X * X * X * X) * F); [apply Rmult_le_compat_r; auto; apply Rmult_le_compat_l; lra|].
    replace (IZR b * (X * X * X * X) * F) with (IZR b * (s * s * (exp nu * exp nu) * (s * s * (exp nu * exp nu))) * F) by (unfold X;
      ring).
    eapply Rle_trans; [exact EA | right; ring]. }
  pose proof (nu_positive u w u_pos w_pos) as NU. fold nu in NU.
  assert (G0 : 0 <= gap nu M) by (apply gap_pos; auto).
  assert (B2 : t * gap nu M <= IZR rest).
  { eapply Rle_trans; [|exact T2]. replace (s * (exp nu * gap nu M)) with (X * gap nu M) by (unfold X; ring).
    apply Rmult_le_compat_r; auto. }
  assert (T4 : 0 < t * t * t) by (repeat apply Rmult_lt_0_compat; auto).
  apply Rmult_le_reg_l with (IZR d * (IZR u * IZR u * IZR b * (t * t * t * t))); [repeat apply Rmult_lt_0_compat; auto|].
  replace (IZR d * (IZR u * IZR u * IZR b * (t * t * t * t)) * (IZR c / IZR d)) with (IZR c * (IZR u * IZR u) * IZR b * (t * t * t * t))
    by (field; lra).
  eapply Rle_trans; [|exact accepted].
  replace (IZR d * (IZR u * IZR u * IZR b * (t * t * t * t)) * (F / (nu * nu) + 4 * gap nu M))
    with (IZR d * (IZR w * IZR w * (IZR b * (t * t * t * t) * F) + 4 * (IZR u * IZR u) * IZR b * (t * gap nu M) * (t * t * t))) by
      (unfold nu; field; lra).
  apply Rmult_le_compat_l; [lra|]. apply Rplus_le_compat.
  - rewrite (Rmult_assoc (IZR w * IZR w) (h * h * h * h)). apply Rmult_le_compat_l; auto. apply Rmult_le_pos; lra.
  - apply Rmult_le_compat_r; [lra|]. apply Rmult_le_compat_l; auto. repeat apply Rmult_le_pos; lra.
Qed.
End Sound.

(* Two opposite shifts, and the whole view. *)
Theorem poisson_pair_sound : forall one k u w M a b c d eps, accepts_poisson_pair one k u w M a b c d = true ->
  IZR a / IZR b <= exp eps -> 0 <= eps ->
  poisson_shifts_close (2 * (IZR u / IZR w)) eps (IZR c / IZR d).
Proof.
  intros one k u w M a b c d eps H RE HE T. unfold accepts_poisson_pair in H. cbv zeta in H.
  rewrite !andb_true_iff, ?Z.ltb_lt, ?Z.leb_le in H.
  destruct H as [[[[[[[[[[[H1 H0] H2] H3] H4] H5] H6] H7] H8] H9] H10] H11].
  set (nu := IZR u / IZR w). assert (NU : 0 < nu) by (apply (nu_positive u w H2 H3)). set (r := IZR a / IZR b) in *.
  assert (R0 : 0 < r) by (apply (r_positive a b H4 H5)).
  pose proof (pair_enclosed one k u w M H1 H0 H2 H3 H8 a b c d H4 H5 H10 H7 H9 H11) as PE. fold nu r in PE.
  pose proof (proper_Pois nu ltac:(lra)) as P. set (mu := 2 * nu). assert (MU : mu / 2 = nu) by (unfold mu; field).
  assert (M0 : 0 <= mu) by (unfold mu; lra).
  pose (g (x y z t : nat) := indicator (T ((x + y - 1)%nat, Z.of_nat x, ((z + t - 1)%nat, Z.of_nat z)))).
  assert (G : forall x y z t, 0 <= g x y z t <= 1) by (intros; apply Law.indicator_01).
  assert (EX : forall i j, Pr (joint (noisy_pool mu i) (noisy_pool mu j)) T
    = E (Pois nu) (fun x => E (Pois nu) (fun y => E (Pois nu) (fun z => E (Pois nu) (fun t => indicator (T ((x + y)%nat,
      (i + Z.of_nat x)%Z, ((z + t)%nat, (j + Z.of_nat z)%Z)))))))).
  { intros i j. unfold Pr. rewrite E_joint by (auto using proper_noisy_pool, bounded_indicator).
    rewrite E_noisy_pool by (auto; apply bounded_01; intro; apply E_range; auto using proper_noisy_pool; intro; apply Law.indicator_01).
    rewrite E_two by (auto; apply bounded_01; intro; apply E_range; auto using proper_noisy_pool; intro; apply Law.indicator_01).
    rewrite MU.
    apply E_ext; intro x. apply E_ext; intro y. cbn [fst snd]. rewrite E_noisy_pool by (auto; apply bounded_indicator).
    rewrite E_two by (auto; apply bounded_01; intro; apply Law.indicator_01). rewrite MU. reflexivity. }
  assert (L1 : Pr (joint (noisy_pool mu 1) (noisy_pool mu 0)) T = E (Pois nu) (fun x => E (Pois nu) (fun y => E (Pois nu) (fun z => E
    (Pois nu) (fun t => g (S x) y z (S t)))))).
  { rewrite EX. repeat (apply E_ext; intro). unfold g. f_equal. f_equal. f_equal; f_equal; lia. }
  assert (L2 : Pr (joint (noisy_pool mu 0) (noisy_pool mu 1)) T = E (Pois nu) (fun x => E (Pois nu) (fun y => E (Pois nu) (fun z => E
    (Pois nu) (fun t => g x (S y) (S z) t))))).
  { rewrite EX. repeat (apply E_ext; intro). unfold g. f_equal. f_equal. f_equal; f_equal; lia. }
  pose proof (pair_bound nu r NU R0 M g G) as PB. rewrite <- L1, <- L2 in PB.
  set (V := Pr (joint (noisy_pool mu 0) (noisy_pool mu 1)) T) in *.
  assert (V0 : 0 <= V) by (apply Pr_01, proper_joint; apply proper_noisy_pool; auto).
  assert (r * V <= exp eps * V) by (apply Rmult_le_compat_r; lra). lra.
Qed.
Theorem poisson_pair_private : forall one k u w M a b c d eps, accepts_poisson_pair one k u w M a b c d = true ->
  IZR a / IZR b <= exp eps -> 0 <= eps ->
  forall (X : Type) (U : universe X) (lambda : R) (n N : nat), 0 <= lambda -> (0 < n)%nat -> (0 < N)%nat ->
    (2 <= length (elements U))%nat ->
  INR N * (lambda / INR n) = 2 * (IZR u / IZR w) -> private_on N eps (IZR c / IZR d) (view (R_UT U lambda n)).
Proof.
  intros one k u w M a b c d eps H RE HE X U lambda n N HL HN HP HK MU.
  assert (D0 : 0 <= IZR c / IZR d).
  { unfold accepts_poisson_pair in H. cbv zeta in H. rewrite !andb_true_iff, ?Z.ltb_lt, ?Z.leb_le in H.
    destruct H as [[[[[[_ C] D] _] _] _] _].
    apply Rmult_le_pos; [apply IZR_le in C; apply C | left; apply Rinv_0_lt_compat, IZR_lt; apply D]. }
  apply uniformity_worst_neighbour; auto. rewrite MU. eapply poisson_pair_sound; eauto.
Qed.
(* gamma lambda = 10 at eps = 1: delta = 0.1110447554. *)
Theorem example_pair : poisson_shifts_close 10 1 (1110447554 / 10000000000).
Proof.
  replace 10 with (2 * (5 / 1)) by field. apply (poisson_pair_sound (2 ^ 64) 0 5 1 40 2718281828459045 1000000000000000 1110447554
    10000000000 1).
  - vm_compute. reflexivity.
  - replace (exp 1) with (exp (1 / 1)) by (f_equal; field). apply (ExpBound.below_exp_sound 30 1 1 2718281828459045 1000000000000000).
    vm_compute. reflexivity.
  - lra.
Qed.
