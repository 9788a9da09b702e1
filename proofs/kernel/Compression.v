(* Compression of the universe, for the final tester of section 4.1.2.  Every element lies in r cells, the cells lie in pools,
   and public fair signs split every pool in two groups.  A user with x names the group of one of the cells of x with
   probability 1/4, and is otherwise random so that uniform data become uniform on the groups; the deviations of other data
   from uniform become signed sums, as large as they should be for most of the signs. *)
From Coq Require Import Reals Lra Lia List Bool PeanoNat.
From PanshuffleKernel Require Law.
From PanshuffleKernel Require Import Countable Privacy Masses Model Poisson Section3LowerAsPrinted Section4Transformation Poissonization Tester Section4Tester SignSums.
From PanshuffleKernel Require Import Paper.
Import ListNotations.
Open Scope R_scope.

Lemma total_cons {A} : forall (a : A) l f, total (a :: l) f = f a + total l f.
Proof. reflexivity. Qed.
Lemma total_app {A} : forall (l l' : list A) f, total (l ++ l') f = total l f + total l' f.
Proof. intros l l' f. induction l as [|a l IH]; [simpl; ring|]. cbn [app]. rewrite !total_cons, IH. ring. Qed.
Lemma total_flat_map {A B} : forall (g : A -> list B) l f, total (flat_map g l) f = total l (fun a => total (g a) f).
Proof. intros g l f. induction l as [|a l IH]; [reflexivity|]. cbn [flat_map]. rewrite total_app, total_cons, IH. reflexivity. Qed.
Lemma total_swap {A B} : forall (l : list A) (l' : list B) f, total l (fun a => total l' (fun b => f a b)) = total l' (fun b => total l (fun a => f a b)).
Proof.
  intros l l' f. induction l as [|a l IH].
  - change (total [] ?g) with 0. symmetry. transitivity (total l' (fun _ : B => 0)); [reflexivity | rewrite total_const; ring].
  - rewrite total_cons, IH, <- total_plus. reflexivity.
Qed.
Lemma element_sym {A} : forall (U : universe A) a b, is_element U a b = is_element U b a.
Proof. intros U a b. unfold is_element. destruct (same U a b), (same U b a); congruence. Qed.
Lemma total_pick_left {A} : forall (U : universe A) q f, total (elements U) (fun p => f p * indicator (is_element U p q)) = f q.
Proof.
  intros U q f. rewrite <- (total_pick U q f). apply total_ext. intro p. rewrite (element_sym U p q). ring.
Qed.
Lemma sum_over_map {A} : forall (l : list A) w f, sum_over (map (fun j => (j, w j)) l) f = total l (fun j => w j * f j).
Proof. intros l w f. induction l as [|a l IH]; [reflexivity|]. cbn [map sum_over]. rewrite IH. reflexivity. Qed.

(* ---- products of universes ---- *)
Lemma nodup_pairs {A B} : forall (l : list A) (l' : list B), NoDup l -> NoDup l' -> NoDup (flat_map (fun a => map (pair a) l') l).
Proof.
  intros l l' N N'. induction N as [|a l H N IH]; [constructor|]. cbn [flat_map].
  assert (P : forall (s t : list (A * B)), NoDup s -> NoDup t -> (forall z, In z s -> ~ In z t) -> NoDup (s ++ t)).
  { clear. intros s t S T D. induction S as [|z s H S IH]; [auto|]. cbn [app]. constructor.
    - rewrite in_app_iff. intros [I|I]; [auto | apply (D z); simpl; auto].
    - apply IH. intros y I. apply D. simpl; auto. }
  apply P; auto.
  - apply FinFun.Injective_map_NoDup; auto. intros b b' Q. congruence.
  - intros [a' b] I J. apply in_map_iff in I. destruct I as [b' [I _]]. apply in_flat_map in J. destruct J as [a'' [J1 J2]].
    apply in_map_iff in J2. destruct J2 as [b'' [J2 _]]. congruence.
Qed.
Definition product {A B} (U : universe A) (V : universe B) : universe (A * B).
Proof.
  refine (Universe (flat_map (fun a => map (pair a) (elements V)) (elements U)) _ _ _).
  - apply nodup_pairs; apply no_repetition.
  - intros [a b]. apply in_flat_map. exists a. split; [apply complete | apply in_map, complete].
  - intros [a b] [a' b']. destruct (same U a a'); [|right; congruence]. destruct (same V b b'); [left; congruence | right; congruence].
Defined.
Lemma total_product {A B} : forall (U : universe A) (V : universe B) f,
  total (elements (product U V)) f = total (elements U) (fun a => total (elements V) (fun b => f (a, b))).
Proof. intros U V f. cbn [product elements]. rewrite total_flat_map. apply total_ext. intro a. apply total_map. Qed.
Lemma size_total {A} : forall U : universe A, size U = total (elements U) (fun _ => 1).
Proof. intro U. rewrite total_const. unfold size. ring. Qed.
Lemma size_product {A B} : forall (U : universe A) (V : universe B), size (product U V) = size U * size V.
Proof.
  intros U V. rewrite size_total, total_product. rewrite total_const, total_const. unfold size. ring.
Qed.
Lemma element_product {A B} : forall (U : universe A) (V : universe B) a b a' b',
  indicator (is_element (product U V) (a, b) (a', b')) = indicator (is_element U a a') * indicator (is_element V b b').
Proof.
  intros. unfold is_element. destruct (same (product U V) (a, b) (a', b')), (same U a a'), (same V b b'); simpl; try ring; congruence.
Qed.
Definition bits : universe bool.
Proof.
  refine (Universe [true; false] _ _ bool_dec).
  - constructor; [intros [H|[]]; discriminate | constructor; [intros [] | constructor]].
  - intros []; simpl; auto.
Defined.
Lemma size_bits : size bits = 2.
Proof. unfold size. simpl. ring. Qed.

(* ---- the random function of a user ---- *)
Section Kernel.
Context {X J : Type} (U : universe X) (V : universe J) (cells : list (X * J)) (r : nat).
Let k := size U.
Let groups := product V bits.
Let h := size groups.
Hypothesis K1 : 1 <= k.
Hypothesis R1 : (0 < r)%nat.
Hypothesis V1 : 0 < size V.
Hypothesis each_element : forall f, total cells (fun z => f (fst z)) = INR r * total (elements U) f.
Hypothesis not_many : forall p, total cells (fun z => indicator (is_element V (snd z) p)) <= 2 * INR r * k / size V.
Hypothesis once : forall f p, (forall x, 0 <= f x) ->
  total cells (fun z => indicator (is_element V (snd z) p) * f (fst z)) <= total (elements U) f.
Lemma r_pos : 0 < INR r.
Proof. apply lt_0_INR; auto. Qed.
Lemma h_is : h = 2 * size V.
Proof. unfold h, groups. rewrite size_product, size_bits. ring. Qed.
Definition in_group (j : J * bool) (z : X * J * bool) : R := indicator (is_element V (snd (fst z)) (fst j)) * indicator (is_element bits (snd z) (snd j)).
Definition hits (c : list bool) (f : X -> R) (j : J * bool) : R := total (signed cells c) (fun z => in_group j z * f (fst (fst z))).
Definition group_chance (c : list bool) (x : X) (j : J * bool) : R := / h + / (4 * INR r) * hits c (fun y => indicator (is_element U y x) - / k) j.
Definition to_group (c : list bool) (x : X) : law (J * bool) := fun _ => map (fun j => (j, group_chance c x j)) (elements groups).

Lemma hits_total : forall c f, total (elements groups) (hits c f) = INR r * total (elements U) f.
Proof.
  intros c f. unfold hits. rewrite total_swap.
  rewrite (total_ext _ _ (fun z => (fun y => f (fst y)) (fst z))).
  - rewrite (signed_fst cells c (fun y => f (fst y))). apply each_element.
  - intros [[y p] s]. cbn [fst snd]. unfold groups. rewrite total_product.
    rewrite (total_ext _ _ (fun a => indicator (is_element V p a) * f y)).
    + apply (total_pick V p (fun _ => f y)).
    + intro a. unfold in_group. cbn [fst snd]. rewrite (total_ext _ _ (fun b => indicator (is_element bits s b) * (indicator (is_element V p a) * f y))) by (intro; ring).
      apply (total_pick bits s (fun _ => indicator (is_element V p a) * f y)).
Qed.
Lemma in_group_01 : forall j z, 0 <= in_group j z <= indicator (is_element V (snd (fst z)) (fst j)).
Proof. intros j z. unfold in_group. destruct (is_element V _ _), (is_element bits _ _); simpl; lra. Qed.
Lemma group_chance_pos : forall c x j, 0 <= group_chance c x j.
Proof.
  intros c x j. unfold group_chance. pose proof r_pos as RP.
  assert (B : - / k * (2 * INR r * k / size V) <= hits c (fun y => indicator (is_element U y x) - / k) j).
  { apply Rle_trans with (- / k * total cells (fun z => indicator (is_element V (snd z) (fst j)))).
    - assert (IK : 0 < / k) by (apply Rinv_0_lt_compat; lra). specialize (not_many (fst j)).
      assert (/ k * total cells (fun z => indicator (is_element V (snd z) (fst j))) <= / k * (2 * INR r * k / size V)) by (apply Rmult_le_compat_l; lra). lra.
    - rewrite <- (signed_fst cells c (fun z => indicator (is_element V (snd z) (fst j)))), <- total_scale. unfold hits. apply total_le. intros z _.
      pose proof (in_group_01 j z) as G. assert (IK : 0 < / k) by (apply Rinv_0_lt_compat; lra).
      set (u := in_group j z) in *. set (v := indicator (is_element V (snd (fst z)) (fst j))) in *.
      assert (/ k * u <= / k * v) by (apply Rmult_le_compat_l; lra).
      destruct (is_element U (fst (fst z)) x); simpl; lra. }
  rewrite h_is.
  assert (I4 : 0 < / (4 * INR r)) by (apply Rinv_0_lt_compat; lra).
  apply (Rmult_le_compat_l (/ (4 * INR r))) in B; [|lra].
  replace (/ (4 * INR r) * (- / k * (2 * INR r * k / size V))) with (- / (2 * size V)) in B by (field; lra). lra.
Qed.
Lemma one_element : forall x, total (elements U) (fun y => indicator (is_element U y x) - / k) = 0.
Proof.
  intro x. rewrite (total_ext _ _ (fun y => 1 * indicator (is_element U y x) + - / k)) by (intro; ring).
  rewrite total_plus, (total_pick_left U x (fun _ => 1)), total_const. change (INR (length (elements U))) with k. field. lra.
Qed.
Lemma proper_to_group : forall c x, proper (to_group c x).
Proof.
  intros c x. apply proper_finite. split.
  - intros p I. apply in_map_iff in I. destruct I as [j [I _]]. subst. apply group_chance_pos.
  - change (sum_over (map (fun j => (j, group_chance c x j)) (elements groups)) (fun _ => 1) = 1).
    rewrite sum_over_map. rewrite (total_ext _ _ (group_chance c x)) by (intro; ring).
    unfold group_chance. rewrite total_plus, total_scale, hits_total, one_element, total_const.
    change (INR (length (elements groups))) with h. rewrite h_is. field. pose proof r_pos. lra.
Qed.
(* The chances of the groups. *)
Theorem chance_to_group : forall c D j, proper D ->
  chance groups (bind D (to_group c)) j = / h + / (4 * INR r) * hits c (fun y => chance U D y - / k) j.
Proof.
  intros c D j PD. unfold chance at 1, Pr. rewrite E_bind by auto using proper_to_group, bounded_indicator.
  rewrite (E_ext D _ (fun x => group_chance c x j)).
  2:{ intro x. unfold to_group. rewrite E_finite, sum_over_map. apply total_pick_left. }
  rewrite (E_over U D PD).
  2:{ apply bounded_01. intro x. split; [apply group_chance_pos|].
      pose proof (Pr_01 _ (proper_to_group c x) (fun a => is_element groups a j)) as Q. unfold Pr, to_group in Q. rewrite E_finite, sum_over_map, total_pick_left in Q. lra. }
  unfold group_chance.
  rewrite (total_ext _ _ (fun x => / h * chance U D x + / (4 * INR r) * (chance U D x * hits c (fun y => indicator (is_element U y x) - / k) j))) by (intro; ring).
  rewrite total_plus, !total_scale, (chances_sum U D PD), Rmult_1_r. f_equal. f_equal. unfold hits.
  rewrite (total_ext _ _ (fun x => total (signed cells c) (fun z => chance U D x * (in_group j z * (indicator (is_element U (fst (fst z)) x) - / k))))) by (intro; rewrite total_scale; reflexivity).
  rewrite total_swap. apply total_ext. intro z.
  rewrite (total_ext _ _ (fun x => in_group j z * (indicator (is_element U (fst (fst z)) x) * chance U D x) + - (/ k * in_group j z) * chance U D x)) by (intro; ring).
  rewrite total_plus, !total_scale, (chances_sum U D PD), total_pick. ring.
Qed.
Lemma hits_zero : forall c f j, (forall x, f x = 0) -> hits c f j = 0.
Proof. intros c f j H. unfold hits. rewrite (total_ext _ _ (fun _ => 0)) by (intro; rewrite H; ring). rewrite total_const. ring. Qed.
Corollary uniform_to_group : forall c j, chance groups (bind (uniform (elements U)) (to_group c)) j = / h.
Proof.
  intros c j. rewrite chance_to_group by (apply uniform_proper; auto). rewrite hits_zero; [ring|].
  intro x. rewrite uniform_chance by auto. fold k. ring.
Qed.
(* The deviations. *)
Let deviation (D : law X) (z : X * J) : R := chance U D (fst z) - / k.
Lemma split_pool : forall c D p, hits c (fun y => chance U D y - / k) (p, true) - hits c (fun y => chance U D y - / k) (p, false)
  = signed_sum V snd (deviation D) cells c p.
Proof.
  intros c D p. unfold hits, signed_sum, Rminus at 1. rewrite <- (Rmult_1_l (total _ (fun z => in_group (p, false) z * _))), Ropp_mult_distr_l.
  rewrite <- total_scale, <- total_plus. apply total_ext. intros [[y q] s]. unfold in_group, pool_is, deviation, sign. cbn [fst snd].
  destruct s; unfold is_element at 2 4; simpl; ring.
Qed.
Theorem spread_to_group : forall c D m, proper D ->
  m ^ 2 / (32 * INR r ^ 2) * squares V snd (deviation D) cells c <= spread groups (bind D (to_group c)) m.
Proof.
  intros c D m PD. pose proof r_pos as RP. rewrite spread_scale.
  rewrite (total_ext (elements groups) _ (fun j => (/ (4 * INR r)) ^ 2 * hits c (fun y => chance U D y - / k) j ^ 2)).
  2:{ intro j. rewrite chance_to_group by auto. fold h. ring. }
  rewrite total_scale.
  replace (m ^ 2 / (32 * INR r ^ 2) * squares V snd (deviation D) cells c)
    with (m ^ 2 * ((/ (4 * INR r)) ^ 2 * (/ 2 * squares V snd (deviation D) cells c))) by (field; lra).
  apply Rmult_le_compat_l; [apply pow2_ge_0|]. apply Rmult_le_compat_l; [apply pow2_ge_0|].
  unfold groups. rewrite total_product. unfold squares. rewrite <- total_scale. apply total_le. intros p _.
  rewrite <- split_pool. set (a := hits c (fun y => chance U D y - / k) (p, true)). set (b := hits c (fun y => chance U D y - / k) (p, false)).
  change (total (elements bits) ?f) with (f true + (f false + 0)). cbv beta. fold a b. pose proof (pow2_ge_0 (a + b)). nra.
Qed.
Theorem good_signs : forall D, proper D -> let W := total (elements U) (fun x => (chance U D x - / k) ^ 2) in 0 < W ->
  1 - 16 / INR r <= Pr (fair_signs (length cells)) (fun c => le (INR r * W / 2) (squares V snd (deviation D) cells c)).
Proof.
  intros D PD W WP. pose proof r_pos as RP.
  assert (T : total cells (fun z => deviation D z ^ 2) = INR r * W) by (apply (each_element (fun x => (chance U D x - / k) ^ 2))).
  pose proof (squares_large V snd (deviation D) W cells) as S. cbv zeta in S. rewrite T in S.
  replace (16 / INR r) with (16 * W / (INR r * W)) by (field; lra). apply S; [apply Rmult_lt_0_compat; auto|].
  intro p. apply (once (fun x => (chance U D x - / k) ^ 2) p). intro; apply pow2_ge_0.
Qed.
End Kernel.

(* ---- the cells ---- *)
Section Cells.
Context {X : Type} (U : universe X) (r b : nat).
Hypothesis R1 : (0 < r)%nat.
Hypothesis B1 : (0 < b)%nat.
Hypothesis BK : (b <= length (elements U))%nat.
Fixpoint index (l : list X) (x : X) : nat := match l with [] => O | a :: l => if same U a x then O else S (index l x) end.
Lemma index_list : forall l, NoDup l -> map (index l) l = seq 0 (length l).
Proof.
  intros l N. induction N as [|a l H N IH]; [reflexivity|]. cbn [map index length seq]. destruct (same U a a); [|congruence]. f_equal.
  rewrite <- seq_shift, <- IH, map_map. apply map_ext_in. intros x I. destruct (same U a x); [subst; contradiction | reflexivity].
Qed.
Definition residue (n : nat) : below b := exist _ (n mod b)%nat (Nat.mod_upper_bound n b (not_eq_sym (Nat.lt_neq 0 b B1))).
Definition block (x : X) : below b := residue (index (elements U) x).
Definition pool_names : universe (below r * below b) := product (numbers r) (numbers b).
Definition all_cells : list (X * (below r * below b)) := flat_map (fun i => map (fun x => (x, (i, block x))) (elements U)) (elements (numbers r)).
Lemma size_pools : size pool_names = INR r * INR b.
Proof. unfold pool_names. rewrite size_product, !numbers_size. reflexivity. Qed.
Lemma total_cells : forall f, total all_cells f = total (elements (numbers r)) (fun i => total (elements U) (fun x => f (x, (i, block x)))).
Proof. intro f. unfold all_cells. rewrite total_flat_map. apply total_ext. intro i. apply total_map. Qed.
Lemma cells_each : forall f, total all_cells (fun z => f (fst z)) = INR r * total (elements U) f.
Proof. intro f. rewrite total_cells. cbn [fst]. rewrite total_const. change (INR (length (elements (numbers r)))) with (size (numbers r)). rewrite numbers_size. reflexivity. Qed.
Lemma cells_in_pool : forall f p, total all_cells (fun z => indicator (is_element pool_names (snd z) p) * f (fst z))
  = total (elements U) (fun x => indicator (is_element (numbers b) (block x) (snd p)) * f x).
Proof.
  intros f [i q]. rewrite total_cells. cbn [fst snd].
  rewrite (total_ext _ _ (fun i' => total (elements U) (fun x => indicator (is_element (numbers b) (block x) q) * f x) * indicator (is_element (numbers r) i' i))).
  - apply (total_pick_left (numbers r) i (fun _ => total (elements U) (fun x => indicator (is_element (numbers b) (block x) q) * f x))).
  - intro i'. rewrite Rmult_comm, <- total_scale. apply total_ext. intro x. unfold pool_names. rewrite element_product. ring.
Qed.
Lemma cells_once : forall f p, (forall x, 0 <= f x) ->
  total all_cells (fun z => indicator (is_element pool_names (snd z) p) * f (fst z)) <= total (elements U) f.
Proof.
  intros f p F. rewrite cells_in_pool. apply total_le. intros x _. specialize (F x). destruct (is_element (numbers b) (block x) (snd p)); simpl; lra.
Qed.
Lemma total_filter {A} : forall (l : list A) T, total l (fun a => indicator (T a)) = INR (length (filter T l)).
Proof.
  intros l T. induction l as [|a l IH]; [reflexivity|]. rewrite total_cons, IH. cbn [filter]. destruct (T a); cbn [length indicator]; [rewrite S_INR; ring | ring].
Qed.
Lemma residues : forall k t, (length (filter (fun n => Nat.eqb (n mod b) t) (seq 0 k)) <= k / b + 1)%nat.
Proof.
  intros k t. assert (B0 : b <> O) by lia.
  replace (k / b + 1)%nat with (length (map (fun i => b * i + t)%nat (seq 0 (k / b + 1)))) by (rewrite map_length, seq_length; reflexivity).
  apply NoDup_incl_length; [apply NoDup_filter, seq_NoDup|].
  intros n I. apply filter_In in I. destruct I as [I M]. apply in_seq in I. apply Nat.eqb_eq in M. apply in_map_iff. exists (n / b)%nat. split.
  - rewrite <- M. symmetry. apply Nat.div_mod; auto.
  - apply in_seq. split; [lia|]. assert (n / b <= k / b)%nat by (apply Nat.div_le_mono; lia). lia.
Qed.
Lemma cells_not_many : forall p, total all_cells (fun z => indicator (is_element pool_names (snd z) p)) <= 2 * INR r * size U / size pool_names.
Proof.
  intro p. rewrite (total_ext _ _ (fun z => indicator (is_element pool_names (snd z) p) * (fun _ => 1) (fst z))) by (intro; ring).
  rewrite (cells_in_pool (fun _ => 1)). rewrite (total_ext _ _ (fun x => (fun n => indicator (Nat.eqb (n mod b) (proj1_sig (snd p)))) (index (elements U) x))).
  - rewrite <- (total_map (index (elements U)) (elements U) (fun n => indicator (Nat.eqb (n mod b) (proj1_sig (snd p))))).
    rewrite index_list by apply no_repetition. rewrite total_filter. rewrite size_pools. unfold size.
    set (k := length (elements U)) in *. pose proof (residues k (proj1_sig (snd p))) as Q. apply le_INR in Q.
    assert (RP : 0 < INR r) by (apply lt_0_INR; auto). assert (BP : 0 < INR b) by (apply lt_0_INR; auto).
    replace (2 * INR r * INR k / (INR r * INR b)) with (2 * INR k / INR b) by (field; lra).
    eapply Rle_trans; [exact Q|]. apply Rmult_le_reg_r with (INR b); auto. replace (2 * INR k / INR b * INR b) with (INR (2 * k)) by (rewrite mult_INR; simpl; field; lra).
    rewrite <- mult_INR. apply le_INR. pose proof (Nat.mul_div_le k b ltac:(lia)). lia.
  - intro x. rewrite Rmult_1_r. f_equal. unfold is_element, block. destruct (same (numbers b) (residue (index (elements U) x)) (snd p)) as [Q|Q].
    + rewrite <- Q. simpl. symmetry. apply Nat.eqb_refl.
    + symmetry. apply Nat.eqb_neq. intro M. apply Q. apply below_eq. exact M.
Qed.
End Cells.
