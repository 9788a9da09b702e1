(* Beside Theorem de_upper, Part I: the exact loss of P_DE with an ideal modular sum, where each pool shows its sum mod 2 only.

   Proved, delta = 0: exactly ln(2e^eps' - 1) if k >= 3, or k = 2 and there is one honest user; exactly eps' if k = 2 and there
   are two honest users or more. *)
From Coq Require Import Reals Lra Lia List Bool Permutation.
From PanshuffleKernel Require Import Law Closeness PostProcessing Composition Power EpsPrime Parity Shuffle Messages ShuffleModel.
From PanshuffleKernel Require Import Distinct TightPair Online Transformation Variances Calculus DistinctTight.
Import ListNotations.
Open Scope R_scope.

(* Definition (Differential Privacy) for datasets in K^n. *)
Definition private_over {X Z} (K : list X) (n : nat) (eps delta : R) (M : list X -> law Z) :=
  forall x x', length x = n -> incl x K -> incl x' K -> neighbours x x' -> close eps delta (M x) (M x').

Section Coordinates.
Variables J A : Type.
Variable same : forall a b : J, {a = b} + {a <> b}.

Definition put (f : J -> law A) (b : J) (q : law A) (j : J) : law A := if same j b then q else f j.

(* One coordinate is drawn apart. *)
Lemma draw_apart : forall L f b q F, NoDup L -> In b L ->
  E (independent (map (put f b q) L)) F = E q (fun v => E (independent (map (put f b (point v)) L)) F).
Proof.
  induction L as [|j L IH]; intros f b q F N I; [destruct I|]. inversion N as [|? ? NI N']; subst. cbn [map].
  destruct (same j b) as [e|e].
  - subst j. assert (M : forall q', map (put f b q') L = map f L).
    { intro q'. apply map_ext_in. intros i Hi. unfold put. destruct (same i b); [subst; contradiction | reflexivity]. }
    rewrite E_independent_cons. unfold put at 1. destruct (same b b); [|congruence]. apply E_ext. intro v.
    rewrite E_independent_cons. unfold put at 2. destruct (same b b); [|congruence]. rewrite E_point, !M. reflexivity.
  - destruct I as [I|I]; [congruence|]. rewrite E_independent_cons. unfold put at 1. destruct (same j b); [congruence|].
    rewrite (E_ext (f j) _ (fun y => E q (fun v => E (independent (map (put f b (point v)) L)) (fun l => F (y :: l)))))
      by (intro y; apply IH; auto).
    rewrite E_swap. apply E_ext; intro v. rewrite E_independent_cons. unfold put at 2. destruct (same j b); [congruence | reflexivity].
Qed.

Lemma put_self : forall L f b, map (put f b (f b)) L = map f L.
Proof. intros. apply map_ext. intro j. unfold put. destruct (same j b); subst; reflexivity. Qed.

(* Two of them. *)
Lemma draw_two : forall L f a b F, NoDup L -> In a L -> In b L -> a <> b ->
  E (independent (map f L)) F
  = E (f a) (fun u => E (f b) (fun v => E (independent (map (put (put f a (point u)) b (point v)) L)) F)).
Proof.
  intros L f a b F N Ia Ib H. rewrite <- (put_self L f a), draw_apart by auto. apply E_ext; intro u.
  rewrite <- (put_self L (put f a (point u)) b), draw_apart by auto.
  replace (put f a (point u) b) with (f b); [reflexivity|]. unfold put. destruct (same b a); [congruence | reflexivity].
Qed.

(* What pool j shows. *)
Fixpoint shown (j : J) (L : list J) (l : list A) (none : A) : A :=
  match L, l with i :: L, y :: l => if same i j then y else shown j L l none | _, _ => none end.

Lemma shown_point : forall L f j v none p, In j L -> f j = point v -> In p (independent (map f L)) -> shown j L (fst p) none = v.
Proof.
  induction L as [|i L IH]; intros f j v none p I H Hp; [destruct I|]. cbn [map independent] in Hp.
  apply in_bind in Hp. destruct Hp as [y [c [H1 [H2 H3]]]]. apply in_bind in H2. destruct H2 as [l [r [H4 [H5 H6]]]].
  destruct H5 as [H5|[]]; subst r. cbn [fst] in H6. rewrite <- H3, <- H6. cbn [shown].
  destruct (same i j) as [e|e].
  - subst. rewrite H in H1. destruct H1 as [H1|[]]; subst y. reflexivity.
  - apply IH with f; auto. destruct I; [congruence | auto].
Qed.

Lemma E_shown_two : forall L f a b none (w : A -> A -> R), NoDup L -> In a L -> In b L -> a <> b -> (forall j, proper (f j)) ->
  E (independent (map f L)) (fun l => w (shown a L l none) (shown b L l none)) = E (f a) (fun u => E (f b) (w u)).
Proof.
  intros L f a b none w N Ia Ib H P. rewrite (draw_two L f a b) by auto. apply E_ext; intro u. apply E_ext; intro v.
  set (g := put (put f a (point u)) b (point v)).
  assert (Ga : g a = point u) by (unfold g, put; destruct (same a b); [congruence|]; destruct (same a a); congruence).
  assert (Gb : g b = point v) by (unfold g, put; destruct (same b b); congruence).
  rewrite (E_ext_in _ _ (fun _ => w u v)).
  - apply E_const. apply proper_independent, Forall_forall. intros d Hd. apply in_map_iff in Hd. destruct Hd as [j [Hd _]]. subst d.
    unfold g, put. destruct (same j b); [apply proper_point|]. destruct (same j a); [apply proper_point | auto].
  - intros p Hp. rewrite (shown_point L g a u none p Ia Ga Hp), (shown_point L g b v none p Ib Gb Hp). reflexivity.
Qed.
End Coordinates.

Section Ideal.
Variable Element : Type.
Variable same : forall a b : Element, {a = b} + {a <> b}.
Variable K : list Element.
Hypothesis K_nodup : NoDup K.
Variable n : nat.
Hypothesis n_pos : (0 < n)%nat.
Variable eps : R.
Hypothesis eps_pos : 0 < eps.
Variable honest : nat.
Hypothesis honest_range : (0 < honest <= n)%nat.

(* Each pool shows the sum mod 2 of its users' bits. *)
Definition ideal_view (x : list Element) : law (list bool) :=
  independent (map (fun j => parity_law (map (bit_probability Element same n eps j) x)) K).

Let chance := par Element same n eps.
Let D := exp (eps_prime_at n eps honest).
Let pools (x : list Element) (j : Element) := Ber (chance j x).

Lemma bits_01 : forall j x, Forall (fun q => 0 <= q <= 1) (map (bit_probability Element same n eps j) x).
Proof.
  intros j x. apply Forall_forall. intros q Hq. apply in_map_iff in Hq. destruct Hq as [i [Hq _]]. rewrite <- Hq.
  apply bit_probability_01; auto.
Qed.
Lemma ideal_pools : forall x, same_law (ideal_view x) (independent (map (pools x) K)).
Proof.
  intros x F. unfold ideal_view. revert F. induction K as [|j L IH]; intro F; [reflexivity|].
  cbn [map]. rewrite !E_independent_cons. unfold pools at 1, chance, par. rewrite <- parity_law_Ber by apply bits_01.
  apply E_ext; intro y. apply IH. inversion K_nodup; auto.
Qed.

Lemma D_1 : 1 < D.
Proof. apply D_large; auto. Qed.
Lemma chance_in : forall j x, In j x -> chance j x = 1 / 2.
Proof. intros. apply (par_in Element same n eps honest honest_range); auto. Qed.
Lemma chance_notin : forall j x, ~ In j x -> length x = honest -> chance j x = 1 / (2 * D).
Proof. intros. apply (par_notin Element same n n_pos eps eps_pos honest honest_range); auto. Qed.
Lemma chance_cases : forall j x, length x = honest -> chance j x = 1 / 2 \/ chance j x = 1 / (2 * D).
Proof. intros. apply (par_cases Element same n n_pos eps eps_pos honest honest_range); auto. Qed.
Lemma proper_pool : forall x j, length x = honest -> proper (pools x j).
Proof.
  intros x j L. apply proper_Ber. pose proof D_1. destruct (chance_cases j x L) as [Z|Z]; rewrite Z; [lra|].
  split; [left; apply Rdiv_lt_0_compat; lra | apply div_le; lra].
Qed.
Lemma chance_same : forall j u a b v, j <> a -> j <> b -> chance j (u ++ a :: v) = chance j (u ++ b :: v).
Proof.
  intros j u a b v Ha Hb. unfold chance, par. do 2 f_equal. rewrite !map_app. cbn [map]. do 4 f_equal.
  unfold bit_probability. destruct (same a j), (same b j); congruence.
Qed.

(* Both changed pools of a neighbouring pair, whatever the reader computes. *)
Lemma ideal_by_pair : forall c x x' u a b v, x = u ++ a :: v -> x' = u ++ b :: v -> length x = honest -> incl x K -> incl x' K -> a <> b ->
  (forall G : bool -> bool -> R, (forall y z, 0 <= G y z) ->
    E (pools x a) (fun y => E (pools x b) (G y)) <= c * E (pools x' a) (fun y => E (pools x' b) (G y))) ->
  forall T, Pr (ideal_view x) T <= c * Pr (ideal_view x') T.
Proof.
  intros c x x' u a b v Hx Hx' L Ix Ix' Hab H T. unfold Pr. rewrite (ideal_pools x), (ideal_pools x').
  assert (L' : length x' = honest) by (rewrite <- L; subst; rewrite !app_length; reflexivity).
  assert (Ia : In a K) by (apply Ix; subst x; apply in_or_app; right; left; auto).
  assert (Ib : In b K) by (apply Ix'; subst x'; apply in_or_app; right; left; auto).
  rewrite (draw_two Element bool same K (pools x) a b), (draw_two Element bool same K (pools x') a b) by auto.
  set (G := fun y z => E (independent (map (put Element bool same (put Element bool same (pools x') a (point y)) b (point z)) K))
    (fun l => indicator (T l))).
  rewrite (E_ext (pools x a) _ (fun y => E (pools x b) (G y))).
  - apply (H G). intros y z. unfold G. apply E_01; [|intro; apply indicator_01].
    apply proper_independent, Forall_forall. intros d Hd. apply in_map_iff in Hd. destruct Hd as [j [Hd _]]. subst d.
    unfold put. destruct (same j b); [apply proper_point|]. destruct (same j a); [apply proper_point | apply proper_pool; auto].
  - intro y. apply E_ext; intro z. unfold G. replace (map _ K) with
      (map (put Element bool same (put Element bool same (pools x') a (point y)) b (point z)) K); [reflexivity|].
    apply map_ext. intro j. unfold put. destruct (same j b); [reflexivity|]. destruct (same j a); [reflexivity|].
    unfold pools. f_equal. subst x x'. symmetry. apply chance_same; auto.
Qed.

Lemma ideal_same : forall c x T, 1 <= c -> length x = honest -> Pr (ideal_view x) T <= c * Pr (ideal_view x) T.
Proof.
  intros c x T Hc L. assert (0 <= Pr (ideal_view x) T).
  { unfold Pr. rewrite ideal_pools. apply E_01; [|intro; apply indicator_01]. apply proper_independent, Forall_forall.
    intros d Hd. apply in_map_iff in Hd. destruct Hd as [j [Hd _]]. subst d. apply proper_pool; auto. }
  assert (1 * Pr (ideal_view x) T <= c * Pr (ideal_view x) T) by (apply Rmult_le_compat_r; auto). lra.
Qed.

(* At most ln(2e^eps' - 1), for every k. *)
Theorem ideal_private : private_over K honest (ln (2 * D - 1)) 0 ideal_view.
Proof.
  intros x x' L Ix Ix' [u [a [b [v [Hx Hx']]]]] T. pose proof D_1 as DL. rewrite exp_ln, Rplus_0_r by lra.
  destruct (same a b) as [Hab|Hab]; [subst b; assert (Q : x' = x) by congruence; rewrite Q; apply ideal_same; auto; lra|].
  assert (L' : length x' = honest) by (rewrite <- L; subst; rewrite !app_length; reflexivity).
  apply (ideal_by_pair (2 * D - 1) x x' u a b v); auto. intros G HG. apply pair_masses; auto.
  - apply chance_in. subst x. apply in_or_app; right; left; auto.
  - apply chance_in. subst x'. apply in_or_app; right; left; auto.
  - apply chance_cases; auto.
  - apply chance_cases; auto.
Qed.

(* What a pair of pools shows is a post-processing. *)
Lemma ideal_pair_close : forall e x x' a b, close e 0 (ideal_view x) (ideal_view x') -> In a K -> In b K -> a <> b ->
  length x = honest -> length x' = honest -> close e 0 (joint (pools x a) (pools x b)) (joint (pools x' a) (pools x' b)).
Proof.
  intros e x x' a b C Ia Ib Hab L L'.
  pose proof (post_processing e 0 _ _ (fun l => point (shown Element bool same a K l false, shown Element bool same b K l false))
    (fun l => proper_point _) C) as P. revert P. apply close_same; intro F; rewrite E_bind, ideal_pools;
    (rewrite (E_ext _ _ (fun l => (fun y z => F (y, z)) (shown Element bool same a K l false) (shown Element bool same b K l false)))
      by (intro; apply E_point)).
  - rewrite (E_shown_two Element bool same K (pools x) a b false (fun y z => F (y, z))); auto; [|intro; apply proper_pool; auto].
    unfold joint. rewrite E_bind. apply E_ext; intro y. rewrite E_bind. apply E_ext; intro z. rewrite E_point. reflexivity.
  - rewrite (E_shown_two Element bool same K (pools x') a b false (fun y z => F (y, z))); auto; [|intro; apply proper_pool; auto].
    unfold joint. rewrite E_bind. apply E_ext; intro y. rewrite E_bind. apply E_ext; intro z. rewrite E_point. reflexivity.
Qed.

(* At least ln(2e^eps' - 1), for three elements or one honest user. *)
Theorem ideal_least : forall e a b, In a K -> In b K -> a <> b ->
  (honest = 1%nat \/ exists c, In c K /\ c <> a /\ c <> b) ->
  private_over K honest e 0 ideal_view -> ln (2 * D - 1) <= e.
Proof.
  intros e a b Ia Ib Hab W H.
  assert (O : exists c, incl (repeat c (honest - 1)) K /\ ~ In a (repeat c (honest - 1)) /\ ~ In b (repeat c (honest - 1))).
  { destruct W as [W|[c [Ic [Ca Cb]]]].
    - exists a. rewrite W. simpl. split; [intros z []|tauto].
    - exists c. split; [intros z Hz; apply repeat_spec in Hz; subst; auto|].
      split; intro Z; apply repeat_spec in Z; congruence. }
  destruct O as [c [Oc [Oa Ob]]]. set (r := repeat c (honest - 1)) in *.
  assert (LR : length r = (honest - 1)%nat) by apply repeat_length.
  assert (LA : length (a :: r) = honest) by (cbn [length]; rewrite LR; lia).
  assert (LB : length (b :: r) = honest) by (cbn [length]; rewrite LR; lia).
  assert (C : close e 0 (ideal_view (a :: r)) (ideal_view (b :: r))).
  { apply H; auto.
    - intros z [Hz|Hz]; [rewrite <- Hz; auto | auto].
    - intros z [Hz|Hz]; [rewrite <- Hz; auto | auto].
    - exists [], a, b, r. auto. }
  apply (ideal_pair_close e _ _ a b) in C; auto.
  unfold pools in C. rewrite (chance_in a (a :: r)), (chance_in b (b :: r)) in C by (left; auto).
  rewrite (chance_notin b (a :: r)), (chance_notin a (b :: r)) in C; auto;
    try (intros [Z|Z]; [congruence | contradiction]).
  apply (tight_least (eps_prime_at n eps honest) e); auto. apply eps_prime_at_pos; auto.
Qed.

(* Two elements and two honest users or more: at most eps'. *)
Theorem ideal_private_two : length K = 2%nat -> (2 <= honest)%nat -> private_over K honest (eps_prime_at n eps honest) 0 ideal_view.
Proof.
  intros K2 H2 x x' L Ix Ix' [u [a [b [v [Hx Hx']]]]] T. pose proof D_1 as DL. fold D. rewrite Rplus_0_r.
  destruct (same a b) as [Hab|Hab]; [subst b; assert (Q : x' = x) by congruence; rewrite Q; apply ideal_same; auto; lra|].
  assert (L' : length x' = honest) by (rewrite <- L; subst; rewrite !app_length; reflexivity).
  assert (Ia : In a K) by (apply Ix; subst x; apply in_or_app; right; left; auto).
  assert (Ib : In b K) by (apply Ix'; subst x'; apply in_or_app; right; left; auto).
  assert (ONLY : forall c, In c K -> c = a \/ c = b).
  { intros c Ic. destruct (same c a) as [|Ca]; [auto|]. destruct (same c b) as [|Cb]; [auto|]. exfalso.
    assert (N3 : NoDup [a; b; c]) by (repeat constructor; simpl; intuition congruence).
    assert (I3 : incl [a; b; c] K) by (intros z [Hz|[Hz|[Hz|[]]]]; subst; auto).
    pose proof (NoDup_incl_length N3 I3) as Q. rewrite K2 in Q. simpl in Q. lia. }
  assert (OTHER : exists c, In c (u ++ v)).
  { destruct (u ++ v) as [|c r] eqn:Z; [|exists c; left; auto]. apply app_eq_nil in Z. destruct Z; subst. simpl in H2. lia. }
  destruct OTHER as [c Ic].
  assert (Icx : In c x) by (subst x; apply in_or_app; apply in_app_or in Ic; simpl; tauto).
  assert (Icx' : In c x') by (subst x'; apply in_or_app; apply in_app_or in Ic; simpl; tauto).
  apply (ideal_by_pair D x x' u a b v); auto. intros G HG. unfold pools.
  assert (BC : forall p q w, (p = 1 / 2 \/ p = 1 / (2 * D)) -> (q = 1 / 2 \/ q = 1 / (2 * D)) -> (forall z, 0 <= w z) -> E (Ber p) w <= D * E (Ber q) w).
  { intros. apply (ber_close n n_pos eps eps_pos honest honest_range); auto. }
  destruct (ONLY c (Ix c Icx)) as [Z|Z]; subst c.
  - rewrite (chance_in a x), (chance_in a x') by auto. rewrite <- E_mult. apply E_le; [apply (proper_Ber (1 / 2)); lra|].
    intro y. apply BC; auto; apply chance_cases; auto.
  - rewrite (chance_in b x), (chance_in b x') by auto. rewrite E_swap, (E_swap (Ber (chance a x'))). rewrite <- E_mult.
    apply E_le; [apply (proper_Ber (1 / 2)); lra|]. intro z. apply BC; auto; apply chance_cases; auto.
Qed.

(* ... and at least eps'. *)
Theorem ideal_least_two : forall e, (2 <= length K)%nat -> (2 <= honest)%nat ->
  private_over K honest e 0 ideal_view -> eps_prime_at n eps honest <= e.
Proof.
  intros e K2 H2 H. 
  assert (EX : exists a b, In a K /\ In b K /\ a <> b).
  { destruct K as [|a [|b L]]; simpl in K2; try lia. exists a, b. inversion K_nodup as [|? ? N1 _]; subst.
    split; [left; auto|]. split; [right; left; auto|]. intro Z; subst. apply N1. left; auto. }
  destruct EX as [a [b [Ia [Ib Hab]]]]. set (r := repeat a (honest - 1)).
  assert (LR : length r = (honest - 1)%nat) by apply repeat_length.
  assert (RS : forall z, In z r -> z = a) by (intros z Hz; eapply repeat_spec; exact Hz). clearbody r.
  assert (LA : length (a :: r) = honest) by (cbn [length]; rewrite LR; lia).
  assert (LB : length (b :: r) = honest) by (cbn [length]; rewrite LR; lia).
  assert (IR : incl r K) by (intros z Hz; rewrite (RS z Hz); auto).
  assert (C : close e 0 (ideal_view (b :: r)) (ideal_view (a :: r))).
  { apply H; auto.
    - intros z [Hz|Hz]; [rewrite <- Hz; auto | auto].
    - intros z [Hz|Hz]; [rewrite <- Hz; auto | auto].
    - exists [], b, a, r. auto. }
  apply (ideal_pair_close e _ _ a b) in C; auto. specialize (C (fun yz => snd yz)).
  assert (J : forall p q, 0 <= p <= 1 -> Pr (joint (Ber p) (Ber q)) (fun yz => snd yz) = q).
  { intros p q Hp. unfold Pr, joint, Ber. cbn. ring. }
  pose proof D_1 as DL. assert (T0 : 0 < 1 / (2 * D)) by (apply Rdiv_lt_0_compat; lra).
  assert (C01 : forall j x, length x = honest -> 0 <= chance j x <= 1).
  { intros j x Lx. destruct (chance_cases j x Lx) as [Z|Z]; rewrite Z; [lra|]. split; [lra | apply div_le; lra]. }
  unfold pools in C. rewrite !J in C by auto. rewrite (chance_in b (b :: r)) in C by (left; auto).
  rewrite (chance_notin b (a :: r)) in C; auto; [|intros [Z|Z]; [congruence | apply RS in Z; congruence]].
  assert (B : D <= exp e).
  { apply Rmult_le_reg_r with (1 / (2 * D)); auto. replace (D * (1 / (2 * D))) with (1 / 2) by (field; lra). lra. }
  apply Rnot_lt_le. intro Z. apply exp_increasing in Z. unfold D in B. lra.
Qed.
End Ideal.
