(* Worst neighbours of P_DE with its real messages, and of P_HDE.

   If a user goes from a to b, only the pools of a and b carry the change, and their laws depend on the numbers CA and CB of
   the other honest holders only.  The worst is the largest over these backgrounds: CA + CB <= N - 1, with equality for k = 2. *)
From Coq Require Import Reals Lra Lia List Bool Permutation FunctionalExtensionality.
From PanshuffleKernel Require Import Paper Countable Privacy Masses Model Poisson Finite Section4Transformation NeighboursLabels.
Import ListNotations.
Open Scope R_scope.

(* The numbers of other holders that occur among N users and k elements. *)
Definition background (k N CA CB : nat) : Prop := (CA + CB + 1 <= N)%nat /\ (k = 2%nat -> (CA + CB + 1 = N)%nat).

Section Holders.
Context {X A : Type} (U : universe X).
(* The messages of a holder, and of everybody else. *)
Variables holds other : law (list A).
Hypothesis holds_proper : proper holds.
Hypothesis other_proper : proper other.

Definition by_holding (i j : X) : law (list A) := if same U i j then holds else other.
Definition holders_view (x : list X) : law (list (X * A)) := view (randomize (elements U) by_holding) x.
(* A pool of N users, c of whom hold its label. *)
Definition counted (N c : nat) : law (list A) := view (fun b : bool => if b then holds else other) (repeat true c ++ repeat false (N - c)).
(* The two pools that a change from a to b touches. *)
Definition pair_close (N : nat) (eps delta : R) (CA CB : nat) : Prop :=
  close eps delta (joint (counted N (S CA)) (counted N CB)) (joint (counted N CA) (counted N (S CB))).

Lemma by_holding_proper : forall i j, proper (by_holding i j).
Proof. intros. unfold by_holding. destruct (same U i j); auto. Qed.
Lemma proper_counted : forall N c, proper (counted N c).
Proof. intros. apply proper_view. intros []; auto. Qed.

Lemma count_cons : forall i x j, count U (i :: x) j = ((if same U i j then 1 else 0) + count U x j)%nat.
Proof. intros. unfold count, is_element. cbn [filter]. destruct (same U i j); reflexivity. Qed.
Lemma count_app : forall x y j, count U (x ++ y) j = (count U x j + count U y j)%nat.
Proof. intros. unfold count. rewrite filter_app, app_length. reflexivity. Qed.
Lemma count_le : forall x j, (count U x j <= length x)%nat.
Proof. intros x j. induction x as [|a x IH]; [unfold count; simpl; lia|]. rewrite count_cons. cbn [length]. destruct (same U a j); lia. Qed.
Lemma count_own : forall c n, count U (repeat c n) c = n.
Proof. intros c n. induction n; [reflexivity|]. cbn [repeat]. rewrite count_cons, IHn. destruct (same U c c); [reflexivity | congruence]. Qed.
Lemma count_not : forall c j n, c <> j -> count U (repeat c n) j = 0%nat.
Proof. intros c j n H. induction n; [reflexivity|]. cbn [repeat]. rewrite count_cons, IHn. destruct (same U c j); [congruence | reflexivity]. Qed.

Lemma sorted_holders : forall x j, Permutation (map (fun i => is_element U i j) x) (repeat true (count U x j) ++ repeat false (length x - count U x j)).
Proof.
  intros x j. induction x as [|i x IH]; [constructor|]. cbn [map length]. rewrite count_cons. pose proof (count_le x j).
  unfold is_element at 1. destruct (same U i j).
  - cbn [Nat.add repeat app Nat.sub]. constructor. exact IH.
  - cbn [Nat.add]. rewrite Nat.sub_succ_l by lia. cbn [repeat]. apply Permutation_cons_app. exact IH.
Qed.

Lemma pool_counted : forall x j, same_law (pool by_holding x j) (counted (length x) (count U x j)).
Proof.
  intros x j F BF. unfold pool, counted.
  rewrite <- (view_perm (fun b : bool => if b then holds else other) _ _ F (sorted_holders x j)).
  unfold view, messages. rewrite map_map. do 4 f_equal. apply functional_extensionality; intro i. unfold by_holding, is_element. destruct (same U i j); reflexivity.
Qed.
Lemma joint_same {B C} : forall (p p' : law B) (q q' : law C), proper p -> proper p' -> proper q -> proper q' ->
  same_law p p' -> same_law q q' -> same_law (joint p q) (joint p' q').
Proof.
  intros p p' q q' P P' Q Q' H H'. unfold joint. apply bind_same; auto; intro a.
  - apply proper_bind; auto; intro; apply proper_point.
  - apply proper_bind; auto; intro; apply proper_point.
  - apply bind_same; auto; try (intro; apply proper_point). intro b. apply same_refl.
Qed.

(* One pair of neighbours, whatever the other users u and v hold. *)
Theorem holders_pair : forall (eps delta : R) (u v : list X) (a b : X), a <> b ->
  (close eps delta (holders_view (u ++ a :: v)) (holders_view (u ++ b :: v))
   <-> pair_close (length (u ++ a :: v)) eps delta (count U (u ++ v) a) (count U (u ++ v) b)).
Proof.
  intros eps delta u v a b AB. unfold holders_view.
  rewrite (view_pools (same U) (elements U) (no_repetition X U) by_holding by_holding_proper).
  rewrite (two_places (same U) eps delta (elements U) (pool by_holding (u ++ a :: v)) (pool by_holding (u ++ b :: v)) a b
    (inhabits []) (no_repetition X U) (complete X U a) (complete X U b) AB (proper_pool by_holding by_holding_proper _) (proper_pool by_holding by_holding_proper _)).
  - assert (L : length (u ++ b :: v) = length (u ++ a :: v)) by (rewrite !app_length; reflexivity).
    assert (CAa : count U (u ++ a :: v) a = S (count U (u ++ v) a)) by (rewrite !count_app, count_cons; destruct (same U a a); [lia | congruence]).
    assert (CAb : count U (u ++ a :: v) b = count U (u ++ v) b) by (rewrite !count_app, count_cons; destruct (same U a b); [congruence | lia]).
    assert (CBa : count U (u ++ b :: v) a = count U (u ++ v) a) by (rewrite !count_app, count_cons; destruct (same U b a); [congruence | lia]).
    assert (CBb : count U (u ++ b :: v) b = S (count U (u ++ v) b)) by (rewrite !count_app, count_cons; destruct (same U b b); [lia | congruence]).
    assert (S : forall y, same_law (joint (pool by_holding y a) (pool by_holding y b))
                                   (joint (counted (length y) (count U y a)) (counted (length y) (count U y b)))).
    { intro y. apply joint_same; auto using proper_counted, pool_counted; apply proper_pool; apply by_holding_proper. }
    pose proof (S (u ++ a :: v)) as SA. pose proof (S (u ++ b :: v)) as SB. rewrite CAa, CAb in SA. rewrite L, CBa, CBb in SB.
    unfold pair_close. split; intro C.
    + apply (close_same eps delta _ _ _ _ SA SB C).
    + apply (close_same eps delta _ _ _ _ (same_sym _ _ SA) (same_sym _ _ SB) C).
  - intros j Ja Jb. unfold pool, view, messages. rewrite !map_app. cbn [map]. do 4 f_equal.
    unfold by_holding. destruct (same U a j), (same U b j); congruence.
Qed.

(* Elements that differ from a and b, and how many others hold them. *)
Lemma background_of : forall u v a b, a <> b -> background (length (elements U)) (length (u ++ a :: v)) (count U (u ++ v) a) (count U (u ++ v) b).
Proof.
  intros u v a b AB. assert (L : length (u ++ a :: v) = S (length (u ++ v))) by (rewrite !app_length; cbn [length]; lia). rewrite L.
  generalize (u ++ v) as w. intro w. split.
  - assert (G : (count U w a + count U w b <= length w)%nat); [|lia].
    induction w as [|i w IH]; [unfold count; simpl; lia|]. rewrite !count_cons. cbn [length]. destruct (same U i a), (same U i b); try lia. congruence.
  - intro K2. assert (ONLY : forall c, c = a \/ c = b).
    { intro c. destruct (same U c a) as [|Ca]; [auto|]. destruct (same U c b) as [|Cb]; [auto|]. exfalso.
      assert (N3 : NoDup [a; b; c]) by (repeat constructor; simpl; intuition congruence).
      assert (I3 : incl [a; b; c] (elements U)) by (intros z _; apply (complete X U)).
      pose proof (NoDup_incl_length N3 I3) as Q. rewrite K2 in Q. simpl in Q. lia. }
    assert (G : (count U w a + count U w b = length w)%nat); [|lia].
    induction w as [|i w IH]; [reflexivity|]. rewrite !count_cons. cbn [length].
    destruct (ONLY i); subst i; [destruct (same U a a), (same U a b) | destruct (same U b a), (same U b b)]; try congruence; lia.
Qed.

Theorem holders_worst : forall (N : nat) (eps delta : R), 0 <= eps -> 0 <= delta -> (2 <= length (elements U))%nat ->
  (private_on N eps delta holders_view <-> forall CA CB, background (length (elements U)) N CA CB -> pair_close N eps delta CA CB).
Proof.
  intros N eps delta He Hd Hk. split.
  - intros H CA CB [B1 B2].
    assert (W : exists a b c : X, a <> b /\ ((CA + CB + 1 = N)%nat \/ (c <> a /\ c <> b))).
    { pose proof (no_repetition X U) as ND. destruct (elements U) as [|a [|b [|c r]]]; cbn [length] in *; try lia.
      - exists a, b, a. inversion ND as [|? ? NI _]; subst. split; [intro Q; apply NI; subst; simpl; auto | left; auto].
      - exists a, b, c. inversion ND as [|? ? NI ND']; subst. inversion ND' as [|? ? NI' _]; subst.
        split; [intro Q; apply NI; subst; simpl; auto|]. right. split; intro Q; [apply NI | apply NI']; subst; simpl; auto. }
    destruct W as [a [b [c [AB OC]]]].
    set (v := repeat a CA ++ repeat b CB ++ repeat c (N - 1 - CA - CB)).
    assert (LV : length ([] ++ a :: v) = N) by (unfold v; cbn [app length]; rewrite !app_length, !repeat_length; lia).
    assert (ZC : forall j, j = a \/ j = b -> count U (repeat c (N - 1 - CA - CB)) j = 0%nat).
    { intros j Hj. destruct OC as [OC|[Oa Ob]]; [replace (N - 1 - CA - CB)%nat with 0%nat by lia; reflexivity|].
      apply count_not. destruct Hj; congruence. }
    assert (VA : count U ([] ++ v) a = CA) by (unfold v; cbn [app]; rewrite !count_app, count_own, (count_not b a), ZC by auto; lia).
    assert (VB : count U ([] ++ v) b = CB) by (unfold v; cbn [app]; rewrite !count_app, count_own, (count_not a b), ZC by auto; lia).
    pose proof (proj1 (holders_pair eps delta [] v a b AB)) as Q. rewrite LV, VA, VB in Q. apply Q.
    apply H; auto. exists [], a, b, v. auto.
  - intros H x x' L [u [a [b [v [E1 E2]]]]]. subst x x'. destruct (same U a b) as [AB|AB].
    + subst b. apply close_refl; auto. apply proper_view, proper_randomize, by_holding_proper.
    + apply holders_pair; auto. rewrite L. apply H. rewrite <- L. apply background_of; auto.
Qed.
End Holders.

(* ---- P_DE ---- *)
(* The m messages of a user with the bit's probability q. *)
Definition shares_of (m : nat) (q : R) : law (list bool) := bind (Ber q) (R_MOD m).
Lemma proper_shares_of : forall m q, (0 < m)%nat -> 0 <= q <= 1 -> proper (shares_of m q).
Proof. intros m q M Q. apply proper_bind; [apply proper_Ber; auto|]. intro u. rewrite R_MOD_finite. apply proper_finite, mod_proper; auto. Qed.
Lemma R_DE_by_holding {X} : forall (U : universe X) eps m n,
  R_DE U eps m n = randomize (elements U) (by_holding U (shares_of m (1 / 2)) (shares_of m (p' eps n))).
Proof.
  intros U eps m n. apply functional_extensionality; intro x. unfold R_DE, randomize, tagged. f_equal. apply map_ext. intro j.
  unfold by_holding, shares_of. destruct (same U x j); rewrite bind_assoc; reflexivity.
Qed.
Lemma p'_range : forall eps n, 0 < eps -> 0 <= p' eps n <= 1.
Proof.
  intros eps n H. assert (Q : 0 < exp (- eps) < 1) by (split; [apply exp_pos | rewrite <- exp_0; apply exp_increasing; lra]).
  unfold p', power. destruct (Req_EM_T _ 0); [lra|].
  assert (P : 0 < Rpower (1 - exp (- eps)) (/ INR n) <= 1).
  { split; [apply exp_pos|]. destruct n as [|n].
    - cbn [INR]. rewrite Rinv_0, Rpower_O; lra.
    - apply Rle_trans with (exp 0); [|rewrite exp_0; lra]. unfold Rpower. apply exp_le.
      assert (L : ln (1 - exp (- eps)) < 0) by (rewrite <- ln_1; apply ln_increasing; lra).
      assert (0 < / INR (S n)) by (apply Rinv_0_lt_compat, lt_0_INR; lia). nra. }
  lra.
Qed.

(* The pools of a and b in P_DE, CA and CB other users holding a and b. *)
Definition distinct_pair (m n N : nat) (eps0 eps delta : R) (CA CB : nat) : Prop :=
  pair_close (shares_of m (1 / 2)) (shares_of m (p' eps0 n)) N eps delta CA CB.

Theorem distinct_elements_every_pair : forall (X : Type) (U : universe X) (m n : nat) (eps0 eps delta : R) (u v : list X) (a b : X),
  0 < eps0 -> (0 < m)%nat -> a <> b ->
  (close eps delta (view (R_DE U eps0 m n) (u ++ a :: v)) (view (R_DE U eps0 m n) (u ++ b :: v))
   <-> distinct_pair m n (length (u ++ a :: v)) eps0 eps delta (count U (u ++ v) a) (count U (u ++ v) b)).
Proof.
  intros X U m n eps0 eps delta u v a b E0 M AB. rewrite R_DE_by_holding.
  apply holders_pair; auto; apply proper_shares_of; auto using p'_range; lra.
Qed.

Theorem distinct_elements_worst_neighbour : forall (X : Type) (U : universe X) (m n N : nat) (eps0 eps delta : R),
  0 < eps0 -> (0 < m)%nat -> 0 <= eps -> 0 <= delta -> (2 <= length (elements U))%nat ->
  (private_on N eps delta (view (R_DE U eps0 m n))
   <-> forall CA CB, background (length (elements U)) N CA CB -> distinct_pair m n N eps0 eps delta CA CB).
Proof.
  intros X U m n N eps0 eps delta E0 M He Hd Hk. rewrite R_DE_by_holding.
  apply holders_worst; auto; apply proper_shares_of; auto using p'_range; lra.
Qed.

(* ---- after a public function of the elements ---- *)
Lemma neighbours_map {X X'} : forall (g : X' -> X) x x', neighbours x x' -> neighbours (map g x) (map g x').
Proof.
  intros g x x' [u [a [b [v [Q1 Q2]]]]]. subst. exists (map g u), (g a), (g b), (map g v). rewrite !map_app. auto.
Qed.
Lemma view_map {X X' Y} : forall (r : X -> law (list Y)) (g : X' -> X) x, view (fun a => r (g a)) x = view r (map g x).
Proof. intros. unfold view, messages. rewrite map_map. reflexivity. Qed.
(* An upper bound, for every g: neighbours stay neighbours or become equal. *)
Theorem hashed_at_most {X X' Y} : forall (r : X -> law (list Y)) (g : X' -> X) (N : nat) (eps delta : R),
  private_on N eps delta (view r) -> private_on N eps delta (view (fun a => r (g a))).
Proof.
  intros r g N eps delta H x x' L NB.
  assert (V : forall y, view (fun a => r (g a)) y = view r (map g y)) by (intro; apply view_map).
  rewrite !V. apply H; [rewrite map_length; exact L | apply neighbours_map; exact NB].
Qed.
Lemma hashed_data {X X' Y} : forall (r : X -> law (list Y)) (g : X' -> X) (N : nat) (eps delta : R),
  private_on N eps delta (view (fun a => r (g a))) -> private_on N eps delta (fun x => view r (map g x)).
Proof.
  intros r g N eps delta H x x' L NB.
  assert (V : forall y, view r (map g y) = view (fun a => r (g a)) y) by (intro; symmetry; apply view_map).
  rewrite !V. apply H; auto.
Qed.

(* g takes three values or more, or both of two. *)
Definition takes_enough {X X'} (V : universe X) (g : X' -> X) : Prop :=
  (exists x y z, g x <> g y /\ g z <> g x /\ g z <> g y) \/ (length (elements V) = 2%nat /\ exists x y, g x <> g y).

Lemma hashed_attained {X X' A} : forall (V : universe X) (holds other : law (list A)) (g : X' -> X) (N : nat) (eps delta : R),
  proper holds -> proper other -> takes_enough V g -> private_on N eps delta (fun x => holders_view V holds other (map g x)) ->
  forall CA CB, background (length (elements V)) N CA CB -> pair_close holds other N eps delta CA CB.
Proof.
  intros V holds other g N eps delta PH PO TE H CA CB [B1 B2].
  assert (W : exists x y z : X', g x <> g y /\ ((CA + CB + 1 = N)%nat \/ (g z <> g x /\ g z <> g y))).
  { destruct TE as [[x [y [z [T1 T2]]]]|[T1 [x [y T2]]]]; [exists x, y, z | exists x, y, x]; auto. }
  destruct W as [a [b [c [AB OC]]]].
  set (w := repeat a CA ++ repeat b CB ++ repeat c (N - 1 - CA - CB)).
  assert (MR : forall d n, map g (repeat d n) = repeat (g d) n) by (intros d n; induction n; cbn [repeat map]; congruence).
  assert (MW : map g w = repeat (g a) CA ++ repeat (g b) CB ++ repeat (g c) (N - 1 - CA - CB)) by (unfold w; rewrite !map_app, !MR; reflexivity).
  assert (LV : length (a :: w) = N) by (unfold w; cbn [length]; rewrite !app_length, !repeat_length; lia).
  assert (LM : length ([] ++ g a :: map g w) = N) by (cbn [app length] in *; rewrite map_length; auto).
  assert (ZC : forall j, j = g a \/ j = g b -> count V (repeat (g c) (N - 1 - CA - CB)) j = 0%nat).
  { intros j Hj. destruct OC as [OC|[Oa Ob]]; [replace (N - 1 - CA - CB)%nat with 0%nat by lia; reflexivity|].
    apply count_not. destruct Hj; congruence. }
  assert (VA : count V ([] ++ map g w) (g a) = CA) by (rewrite MW; cbn [app]; rewrite !count_app, count_own, (count_not V (g b) (g a)), ZC by auto; lia).
  assert (VB : count V ([] ++ map g w) (g b) = CB) by (rewrite MW; cbn [app]; rewrite !count_app, count_own, (count_not V (g a) (g b)), ZC by auto; lia).
  pose proof (proj1 (holders_pair V holds other PH PO eps delta [] (map g w) (g a) (g b) AB)) as Q. rewrite LM, VA, VB in Q. apply Q.
  apply (H (a :: w) (b :: w) LV). exists [], a, b, w. auto.
Qed.

(* P_HDE: an upper bound for every hash function, exact where it takes enough values. *)
Theorem hashed_distinct_elements_at_most : forall (X X' : Type) (V : universe X') (family : list (X -> X')) (h : X -> X')
  (m : nat -> nat) (n N : nat) (eps0 eps delta : R),
  0 < eps0 -> (0 < m n)%nat -> 0 <= eps -> 0 <= delta -> (2 <= length (elements V))%nat ->
  (forall CA CB, background (length (elements V)) N CA CB -> distinct_pair (m n) n N eps0 eps delta CA CB) ->
  private_on N eps delta (view (randomizer (P_HDE V family eps0 m) n h)).
Proof.
  intros X X' V family h m n N eps0 eps delta E0 M He Hd Hk H. cbn [randomizer P_HDE].
  apply (hashed_at_most (R_DE V eps0 (m n) n) h). apply distinct_elements_worst_neighbour; auto.
Qed.
Theorem hashed_distinct_elements_worst_neighbour : forall (X X' : Type) (V : universe X') (family : list (X -> X')) (h : X -> X')
  (m : nat -> nat) (n N : nat) (eps0 eps delta : R),
  0 < eps0 -> (0 < m n)%nat -> 0 <= eps -> 0 <= delta -> (2 <= length (elements V))%nat -> takes_enough V h ->
  (private_on N eps delta (view (randomizer (P_HDE V family eps0 m) n h))
   <-> forall CA CB, background (length (elements V)) N CA CB -> distinct_pair (m n) n N eps0 eps delta CA CB).
Proof.
  intros X X' V family h m n N eps0 eps delta E0 M He Hd Hk TE. split; [|apply hashed_distinct_elements_at_most; auto].
  intro H. apply (hashed_attained V _ _ h); auto; try (apply proper_shares_of; auto using p'_range; lra).
  unfold holders_view. rewrite <- (R_DE_by_holding V eps0 (m n) n). apply (hashed_data (R_DE V eps0 (m n) n) h). exact H.
Qed.
