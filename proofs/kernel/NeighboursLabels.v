(* Worst neighbours of protocols whose messages carry a label, for countable laws.

   A user sends, for every label j, messages whose law says whether the user holds j.  Proved: the shuffled messages and the
   independent shuffled pools of the labels are worth the same; if a user goes from a to b only the pools of a and b carry the
   change; and the law of a pool depends on the number of its holders only. *)
From Coq Require Import Reals Lra Lia List Bool Permutation FunctionalExtensionality.
From PanshuffleKernel Require Law Closeness Shuffle Messages ShuffleModel Parity Variances Distinct DistinctIdeal BinarySum ShareLaw.
From PanshuffleKernel Require Import Paper Countable Privacy Masses Model Poisson Finite Section4Transformation.
Import ListNotations.
Open Scope R_scope.

(* ---- tables ---- *)
Lemma scale_scale {A} : forall v w (t : table A), scale v (scale w t) = scale (v * w) t.
Proof. intros. unfold scale. rewrite map_map. apply map_ext. intros [a x]. cbn [fst snd]. f_equal. ring. Qed.
Lemma scale_one {A} : forall t : table A, scale 1 t = t.
Proof. induction t as [|[a x] t IH]; [reflexivity|]. unfold scale in *. cbn [map fst snd]. rewrite IH, Rmult_1_l. reflexivity. Qed.
Lemma bind_app {A B} : forall (t t' : table A) (k : A -> table B), bind_table (t ++ t') k = bind_table t k ++ bind_table t' k.
Proof. induction t as [|[a w] t IH]; intros; cbn [app bind_table]; [reflexivity|]. rewrite IH, app_assoc. reflexivity. Qed.
Lemma bind_scale {A B} : forall w (t : table A) (k : A -> table B), bind_table (scale w t) k = scale w (bind_table t k).
Proof.
  induction t as [|[a x] t IH]; intro k; [reflexivity|]. unfold scale at 1. cbn [map fst snd bind_table].
  fold (scale w t). rewrite IH. unfold scale at 3. rewrite map_app. fold (scale w (scale x (k a))) (scale w (bind_table t k)).
  rewrite scale_scale. reflexivity.
Qed.
Lemma bind_assoc {A B C} : forall (d : law A) (k : A -> law B) (h : B -> law C), bind (bind d k) h = bind d (fun a => bind (k a) h).
Proof.
  intros. apply functional_extensionality; intro N. unfold bind. induction (d N) as [|[a w] t IH]; [reflexivity|].
  cbn [bind_table]. rewrite bind_app, bind_scale, IH. reflexivity.
Qed.
Lemma bind_point_l {A B} : forall (a : A) (k : A -> law B), bind (point a) k = k a.
Proof. intros. apply functional_extensionality; intro N. unfold bind, point. cbn [bind_table]. rewrite scale_one, app_nil_r. reflexivity. Qed.

(* ---- independent laws that differ at two places ---- *)
Section Two.
Context {J A : Type} (same : forall a b : J, {a = b} + {a <> b}).
Definition put (f : J -> law A) (b : J) (q : law A) (j : J) : law A := if same j b then q else f j.

Lemma draw_two : forall L f a b, NoDup L -> In a L -> In b L -> a <> b ->
  same_law (bind (joint (f a) (f b)) (fun uv => independent (map (put (put f a (point (fst uv))) b (point (snd uv))) L)))
           (independent (map f L)).
Proof.
  intros L f a b N Ia Ib H F _. apply E_slices; intro M. rewrite slice_bind, independent_at, map_map.
  rewrite (DistinctIdeal.draw_two J A same L (fun j => f j M) a b F N Ia Ib H).
  unfold joint. rewrite slice_bind. apply Law.E_ext; intro u. rewrite slice_bind. apply Law.E_ext; intro v.
  unfold point at 1. cbn [sum_over fst snd]. rewrite independent_at, map_map, Rmult_1_l, Rplus_0_r.
  do 2 f_equal. apply map_ext. intro j. unfold put, DistinctIdeal.put. destruct (same j b); [reflexivity|]. destruct (same j a); reflexivity.
Qed.

Lemma proper_put2 : forall f a b u v, (forall j, proper (f j)) -> forall L, proper (independent (map (put (put f a (point u)) b (point v)) L)).
Proof.
  intros f a b u v P L. apply proper_independent, Forall_forall. intros d D. apply in_map_iff in D. destruct D as [j [D _]]. subst d.
  unfold put. destruct (same j b); [apply proper_point|]. destruct (same j a); [apply proper_point | apply P].
Qed.

Lemma shown_two : forall L f a b none, NoDup L -> In a L -> In b L -> a <> b -> (forall j, proper (f j)) ->
  same_law (bind (independent (map f L)) (fun l => point (DistinctIdeal.shown J A same a L l none, DistinctIdeal.shown J A same b L l none)))
           (joint (f a) (f b)).
Proof.
  intros L f a b none N Ia Ib H P F BF.
  assert (PJ : proper (joint (f a) (f b))) by (apply proper_joint; auto).
  assert (PI : proper (independent (map f L))).
  { apply proper_independent, Forall_forall. intros d D. apply in_map_iff in D. destruct D as [j [D _]]. subst; auto. }
  rewrite E_bind by (auto; intro; apply proper_point).
  rewrite (E_ext _ _ (fun l => F (DistinctIdeal.shown J A same a L l none, DistinctIdeal.shown J A same b L l none))) by (intro; apply E_point).
  set (G := fun l => F (DistinctIdeal.shown J A same a L l none, DistinctIdeal.shown J A same b L l none)).
  assert (BG : bounded G) by (destruct BF as [M HM]; exists M; intro; apply HM).
  rewrite <- (draw_two L f a b N Ia Ib H G BG). rewrite E_bind by (auto; intro; apply proper_put2; auto).
  apply E_ext. intros [u v]. cbn [fst snd].
  rewrite <- (E_const _ (proper_put2 f a b u v P L) (F (u, v))).
  apply E_slices; intro M. rewrite independent_at, map_map. apply Law.E_ext_in. intros p Hp. unfold G. f_equal.
  set (g := fun j => put (put f a (point u)) b (point v) j M) in Hp.
  assert (Ga : g a = Law.point u) by (unfold g, put; destruct (same a b); [congruence|]; destruct (same a a); [reflexivity | congruence]).
  assert (Gb : g b = Law.point v) by (unfold g, put; destruct (same b b); [reflexivity | congruence]).
  rewrite (DistinctIdeal.shown_point J A same L g a u none p Ia Ga Hp), (DistinctIdeal.shown_point J A same L g b v none p Ib Gb Hp). reflexivity.
Qed.

Theorem two_places : forall eps delta (L : list J) (f g : J -> law A) (a b : J), inhabited A -> NoDup L -> In a L -> In b L -> a <> b ->
  (forall j, proper (f j)) -> (forall j, proper (g j)) -> (forall j, j <> a -> j <> b -> f j = g j) ->
  (close eps delta (independent (map f L)) (independent (map g L))
   <-> close eps delta (joint (f a) (f b)) (joint (g a) (g b))).
Proof.
  intros eps delta L f g a b [none] N Ia Ib H Pf Pg S.
  assert (PI : forall h : J -> law A, (forall j, proper (h j)) -> proper (independent (map h L))).
  { intros h P. apply proper_independent, Forall_forall. intros d D. apply in_map_iff in D. destruct D as [j [D _]]. subst; auto. }
  split; intro C.
  - apply (close_same eps delta _ _ _ _ (shown_two L f a b none N Ia Ib H Pf) (shown_two L g a b none N Ia Ib H Pg)).
    apply post_processing; auto. intro; apply proper_point.
  - apply (close_same eps delta _ _ _ _ (draw_two L f a b N Ia Ib H) (draw_two L g a b N Ia Ib H)).
    replace (fun uv => independent (map (put (put g a (point (fst uv))) b (point (snd uv))) L))
      with (fun uv => independent (map (put (put f a (point (fst uv))) b (point (snd uv))) L)).
    + apply post_processing; auto using proper_joint. intro; apply proper_put2; auto.
    + apply functional_extensionality; intro uv. f_equal. apply map_ext. intro j. unfold put.
      destruct (same j b); [reflexivity|]. destruct (same j a); [reflexivity | auto].
Qed.
End Two.

(* ---- the shuffled messages and the pools are worth the same ---- *)
Section Pools.
Context {I J A : Type} (same : forall a b : J, {a = b} + {a <> b}) (K : list J).
Hypothesis K_nodup : NoDup K.

Definition select (j : J) (l : list (J * A)) : list A := map snd (filter (fun p => if same (fst p) j then true else false) l).
Fixpoint tags (L : list J) (ls : list (list A)) : list (J * A) :=
  match L, ls with j :: L, l :: ls => map (pair j) l ++ tags L ls | _, _ => [] end.

Lemma select_app : forall j l r, select j (l ++ r) = select j l ++ select j r.
Proof. intros. unfold select. rewrite filter_app, map_app. reflexivity. Qed.
Lemma select_own : forall j l, select j (map (pair j) l) = l.
Proof. intros j l. unfold select. induction l as [|a l IH]; [reflexivity|]. cbn [map filter fst]. destruct (same j j); [|congruence]. cbn [map snd]. f_equal. exact IH. Qed.
Lemma select_other : forall i j l, i <> j -> select j (map (pair i) l) = [].
Proof. intros i j l H. unfold select. induction l as [|a l IH]; [reflexivity|]. cbn [map filter fst]. destruct (same i j); [congruence|]. exact IH. Qed.
Lemma select_none : forall L ls j, ~ In j L -> select j (tags L ls) = [].
Proof.
  induction L as [|i L IH]; intros [|l ls] j H; try reflexivity. cbn [tags]. rewrite select_app, select_other, IH; auto.
  - intro; apply H; right; auto.
  - intro; apply H; left; auto.
Qed.
Lemma select_tags : forall L ls, NoDup L -> length ls = length L -> map (fun j => select j (tags L ls)) L = ls.
Proof.
  induction L as [|i L IH]; intros [|l ls] N H; try reflexivity; try discriminate. inversion N as [|? ? NI N']; subst.
  cbn [map tags]. rewrite select_app, select_own, select_none, app_nil_r by auto. f_equal.
  transitivity (map (fun j => select j (tags L ls)) L); [|apply IH; auto; cbn in H; lia].
  apply map_ext_in. intros j Hj. rewrite select_app, select_other; auto. intro; subst; contradiction.
Qed.
Lemma select_perm : forall j l l', Permutation l l' -> Permutation (select j l) (select j l').
Proof.
  intros j l l' P. unfold select. apply Permutation_map. induction P; cbn [filter].
  - constructor.
  - destruct (same (fst x) j); auto.
  - destruct (same (fst x) j), (same (fst y) j); auto. constructor.
  - eapply perm_trans; eauto.
Qed.

(* Finite laws. *)
Section Tables.
Variable m : I -> J -> table (list A).
Definition tagged_table (i : I) (j : J) : table (list (J * A)) := bind_table (m i j) (fun l => Law.point (map (pair j) l)).
Definition column (x : list I) (j : J) : table (list A) := Messages.concatenated (map (fun i => m i j) x).

Lemma untag : forall j x F,
  sum_over (Messages.concatenated (map (fun i => tagged_table i j) x)) F = sum_over (column x j) (fun l => F (map (pair j) l)).
Proof.
  intros j x. unfold column. induction x as [|i x IH]; intro F; cbn [map Messages.concatenated]; [rewrite !Law.E_point; reflexivity|].
  rewrite !Messages.E_join. unfold tagged_table at 1. rewrite Law.E_bind. apply Law.E_ext; intro l. rewrite Law.E_point, IH.
  apply Law.E_ext; intro r. rewrite map_app. reflexivity.
Qed.
Lemma by_label : forall L x F,
  sum_over (Messages.concatenated (map (fun j => Messages.concatenated (map (fun i => tagged_table i j) x)) L)) F
  = sum_over (Parity.independent (map (column x) L)) (fun ls => F (tags L ls)).
Proof.
  induction L as [|j L IH]; intros x F; cbn [map Messages.concatenated].
  - cbn [Parity.independent]. rewrite !Law.E_point. reflexivity.
  - rewrite Messages.E_join, untag, Variances.E_independent_cons. apply Law.E_ext; intro l. rewrite IH. reflexivity.
Qed.
Lemma grouped : forall x H, Messages.order_free H ->
  sum_over (ShuffleModel.view (fun i => Messages.concatenated (map (tagged_table i) K)) x) H
  = sum_over (Parity.independent (map (column x) K)) (fun ls => H (tags K ls)).
Proof.
  intros x H HO. unfold ShuffleModel.view. rewrite Messages.order_free_shuffle by auto. unfold ShuffleModel.messages.
  rewrite (Messages.exchange x K tagged_table H HO). apply by_label.
Qed.
Lemma independent_shuffled : forall L x F,
  sum_over (Parity.independent (map (fun j => bind_table (column x j) Shuffle.shuffle) L)) F
  = sum_over (Parity.independent (map (column x) L)) (fun ls => sum_over (Parity.independent (map Shuffle.shuffle ls)) F).
Proof.
  induction L as [|j L IH]; intros x F; cbn [map].
  - cbn [Parity.independent]. rewrite !Law.E_point. cbn [map Parity.independent]. rewrite Law.E_point. reflexivity.
  - rewrite !Variances.E_independent_cons, Law.E_bind. apply Law.E_ext; intro l.
    rewrite (Law.E_ext (Shuffle.shuffle l) _ (fun a => sum_over (Parity.independent (map (column x) L))
      (fun ls => sum_over (Parity.independent (map Shuffle.shuffle ls)) (fun ls' => F (a :: ls'))))) by (intro; apply IH).
    rewrite Law.E_swap. apply Law.E_ext; intro ls. cbn [map]. rewrite Variances.E_independent_cons. reflexivity.
Qed.
Lemma independent_same : forall L (f g : J -> table (list A)), (forall j, Law.same_law (f j) (g j)) ->
  Law.same_law (Parity.independent (map f L)) (Parity.independent (map g L)).
Proof.
  induction L as [|j L IH]; intros f g H F; [reflexivity|]. cbn [map]. rewrite !Variances.E_independent_cons, H.
  apply Law.E_ext; intro l. apply IH; auto.
Qed.
Lemma shuffled_tags : forall L ls p, In p (Parity.independent (map Shuffle.shuffle ls)) -> Permutation (tags L ls) (tags L (fst p)).
Proof.
  induction L as [|j L IH]; intros [|l ls] p Hp; cbn [map Parity.independent] in Hp.
  - destruct Hp as [Hp|[]]; subst. constructor.
  - cbn [tags]. constructor.
  - destruct Hp as [Hp|[]]; subst. constructor.
  - apply Law.in_bind in Hp. destruct Hp as [y [c [H1 [H2 H3]]]]. apply Law.in_bind in H2. destruct H2 as [r [z [H4 [H5 H6]]]].
    destruct H5 as [H5|[]]; subst z. cbn [fst] in H6. rewrite <- H3, <- H6. cbn [tags].
    apply Permutation_app; [apply Permutation_map; apply Shuffle.shuffle_support; auto | apply IH; auto].
Qed.

Lemma to_pools_table : forall x F,
  sum_over (bind_table (ShuffleModel.view (fun i => Messages.concatenated (map (tagged_table i) K)) x)
     (fun l => Parity.independent (map (fun j => Shuffle.shuffle (select j l)) K))) F
  = sum_over (Parity.independent (map (fun j => bind_table (column x j) Shuffle.shuffle) K)) F.
Proof.
  intros x F. rewrite Law.E_bind, grouped.
  - rewrite independent_shuffled. apply Law.E_ext_in. intros p Hp. apply Parity.independent_length in Hp. rewrite map_length in Hp.
    replace (map Shuffle.shuffle (fst p)) with (map (fun j => Shuffle.shuffle (select j (tags K (fst p)))) K); [reflexivity|].
    rewrite <- (map_map (fun j => select j (tags K (fst p))) Shuffle.shuffle). f_equal. apply select_tags; auto.
  - intros l l' P. apply independent_same. intro j. apply Shuffle.shuffle_perm, select_perm; auto.
Qed.
Lemma from_pools_table : forall x F,
  sum_over (bind_table (Parity.independent (map (fun j => bind_table (column x j) Shuffle.shuffle) K)) (fun ls => Shuffle.shuffle (tags K ls))) F
  = sum_over (ShuffleModel.view (fun i => Messages.concatenated (map (tagged_table i) K)) x) F.
Proof.
  intros x F. rewrite Law.E_bind, independent_shuffled.
  unfold ShuffleModel.view. rewrite Law.E_bind.
  set (H := fun l => sum_over (Shuffle.shuffle l) F).
  assert (HO : Messages.order_free H) by (intros l l' P; apply Shuffle.shuffle_perm; auto).
  rewrite <- (Messages.order_free_shuffle _ H HO).
  change (bind_table (ShuffleModel.messages (fun i => Messages.concatenated (map (tagged_table i) K)) x) Shuffle.shuffle)
    with (ShuffleModel.view (fun i => Messages.concatenated (map (tagged_table i) K)) x).
  rewrite (grouped x H HO). apply Law.E_ext. intro ls.
  rewrite (Law.E_ext_in _ _ (fun _ => H (tags K ls))).
  - apply Law.E_const. apply Parity.proper_independent, Forall_forall. intros d D. apply in_map_iff in D. destruct D as [l [D _]]. subst.
    apply Shuffle.proper_shuffle.
  - intros p Hp. apply HO. apply Permutation_sym, shuffled_tags; auto.
Qed.
End Tables.

(* Countable laws. *)
Variable m : I -> J -> law (list A).
Hypothesis m_proper : forall i j, proper (m i j).
Definition tagged (i : I) (j : J) : law (list (J * A)) := bind (m i j) (fun l => point (map (pair j) l)).
(* The randomizer that sends the messages of every label, with the label. *)
Definition randomize (i : I) : law (list (J * A)) := concatenated (map (tagged i) K).
(* The pool of j: the shuffled messages of all users with that label. *)
Definition pool (x : list I) (j : J) : law (list A) := view (fun i => m i j) x.

Lemma proper_randomize : algorithm randomize.
Proof.
  intro i. apply proper_concatenated, Forall_forall. intros d D. apply in_map_iff in D. destruct D as [j [D _]]. subst.
  apply proper_bind; auto. intro; apply proper_point.
Qed.
Lemma proper_pool : forall x j, proper (pool x j).
Proof. intros. apply proper_view. intro; auto. Qed.
Lemma proper_pools : forall x, proper (independent (map (pool x) K)).
Proof. intro x. apply proper_independent, Forall_forall. intros d D. apply in_map_iff in D. destruct D as [j [D _]]. subst. apply proper_pool. Qed.

Lemma view_slice : forall x N, view randomize x N = ShuffleModel.view (fun i => Messages.concatenated (map (tagged_table (fun i j => m i j N) i) K)) x.
Proof.
  intros x N. rewrite view_at. f_equal. apply functional_extensionality; intro i. unfold randomize. rewrite concatenated_at, map_map. reflexivity.
Qed.
Lemma pools_slice : forall x N, independent (map (pool x) K) N
  = Parity.independent (map (fun j => bind_table (column (fun i j => m i j N) x j) Shuffle.shuffle) K).
Proof. intros x N. rewrite independent_at, map_map. f_equal. apply map_ext. intro j. unfold pool. rewrite view_at. reflexivity. Qed.

Lemma to_pools : forall x, same_law (bind (view randomize x) (fun l => independent (map (fun j => shuffle (select j l)) K))) (independent (map (pool x) K)).
Proof.
  intros x F _. apply E_slices; intro N. rewrite pools_slice, <- to_pools_table. unfold bind. rewrite view_slice.
  do 2 f_equal. apply functional_extensionality; intro l. rewrite independent_at, map_map. f_equal. apply map_ext. intro j. rewrite shuffle_finite. reflexivity.
Qed.
Lemma from_pools : forall x, same_law (bind (independent (map (pool x) K)) (fun ls => shuffle (tags K ls))) (view randomize x).
Proof.
  intros x F _. apply E_slices; intro N. rewrite view_slice, <- from_pools_table. unfold bind. rewrite pools_slice.
  do 2 f_equal. apply functional_extensionality; intro l. rewrite shuffle_finite. reflexivity.
Qed.

Theorem view_pools : forall eps delta x x',
  close eps delta (view randomize x) (view randomize x') <-> close eps delta (independent (map (pool x) K)) (independent (map (pool x') K)).
Proof.
  intros eps delta x x'. pose proof proper_randomize as PR. split; intro C.
  - apply (close_same eps delta _ _ _ _ (to_pools x) (to_pools x')). apply post_processing; auto using proper_view.
    intro l. apply proper_independent, Forall_forall. intros d D. apply in_map_iff in D. destruct D as [j [D _]]. subst. apply proper_shuffle.
  - apply (close_same eps delta _ _ _ _ (from_pools x) (from_pools x')). apply post_processing; auto using proper_pools, proper_shuffle.
Qed.
End Pools.
