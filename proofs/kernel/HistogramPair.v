(* Theorem hist-pan without the factor of two: the two bins that a changed element touches, together.

   "changing one stream element only changes the true value of at most two bins in the histogram": one loses what the other
   gains.

   Proved: the histogram is (eps,delta)-pan-private if (X+1, Y) and (X, Y+1) are (eps,delta)-close for independent X and Y
   ~ Bin(lambda, 1/2); no composition is paid for. *)
From Coq Require Import Reals ZArith Lra Lia List Bool.
From PanshuffleKernel Require Import Law Closeness PostProcessing Composition Parity Online Transformation.
From PanshuffleKernel Require Import UniformityTransformation BinomialMechanism PanSum Variances PanHistogram.
From PanshuffleKernel Require Import BinomialCertificate PairCertificate Shuffle Messages ShuffleModel BinarySum.
Import ListNotations.
Open Scope R_scope.

Section Apart.
Variables J A : Type.
Variable same : forall a b : J, {a = b} + {a <> b}.

(* One of independent laws, drawn first. *)
Lemma one_apart : forall a (f : J -> law A) K F, NoDup K -> proper (f a) ->
  E (independent (map f K)) F
  = E (f a) (fun x => E (independent (map (fun j => if same j a then point x else f j) K)) F).
Proof.
  intros a f K F ND P. revert F. induction ND as [|j K NJ ND IH]; intro F.
  - cbn [map independent]. rewrite (E_ext (f a) _ (fun _ => F [])) by (intro; apply E_point).
    rewrite E_const by auto. apply E_point.
  - cbn [map]. rewrite E_independent_cons. destruct (same j a) as [Q|Q].
    + subst j. apply E_ext. intro x. rewrite E_independent_cons, E_point.
      replace (map (fun j => if same j a then point x else f j) K) with (map f K); [reflexivity|].
      apply map_ext_in. intros j H. destruct (same j a); [subst; contradiction | reflexivity].
    + rewrite (E_ext (f j) _ (fun y => E (f a) (fun x => E (independent (map (fun j => if same j a then point x else f j) K))
        (fun l => F (y :: l))))) by (intro; apply IH).
      rewrite E_swap. apply E_ext. intro x. rewrite E_independent_cons. reflexivity.
Qed.

(* Independent laws that differ at two places are as close as the pairs there. *)
Lemma two_apart : forall eps delta a b (f g : J -> law A) K, a <> b -> NoDup K ->
  (forall j, proper (f j)) -> (forall j, proper (g j)) -> (forall j, j <> a -> j <> b -> f j = g j) ->
  close eps delta (joint (f a) (f b)) (joint (g a) (g b)) ->
  close eps delta (independent (map f K)) (independent (map g K)).
Proof.
  intros eps delta a b f g K D ND Pf Pg S C.
  set (k := fun xy : A * A => independent (map (fun j => if same j b then point (snd xy) else if same j a then point (fst xy) else f j) K)).
  assert (PK : forall xy, proper (k xy)).
  { intro xy. apply proper_independent, Forall_forall. intros d H. apply in_map_iff in H. destruct H as [j [H _]]. subst d.
    destruct (same j b); [apply proper_point|]. destruct (same j a); [apply proper_point | apply Pf]. }
  assert (V : forall h : J -> law A, (forall j, proper (h j)) -> (forall j, j <> a -> j <> b -> f j = h j) ->
    same_law (bind (joint (h a) (h b)) k) (independent (map h K))).
  { intros h Ph Sh F. rewrite E_bind, E_joint. rewrite (one_apart a h K F ND (Ph a)). apply E_ext. intro x.
    rewrite (one_apart b _ K F ND).
    - destruct (same b a) as [Q|_]; [congruence|]. apply E_ext. intro y. unfold k. cbn [fst snd].
      f_equal. f_equal. apply map_ext. intro j. destruct (same j b) as [Q|Q]; [reflexivity|].
      destruct (same j a) as [R|R]; [reflexivity | apply Sh; auto].
    - destruct (same b a); [apply proper_point | apply Ph]. }
  apply (close_same eps delta _ _ _ _ (V f Pf (fun j _ _ => eq_refl)) (V g Pg S)). apply post_processing; auto.
Qed.
End Apart.

Section Pair.
Variable Element : Type.
Variable same : forall a b : Element, {a = b} + {a <> b}.
Variable K : list Element.
Variable lambda : nat.
Hypothesis K_nodup : NoDup K.

Definition count (j : Element) (x : list Element) : Z := ones (map (is_value Element same j) x).

Lemma count_change : forall a b u v, a <> b ->
  count a (u ++ a :: v) = (count a (u ++ b :: v) + 1)%Z /\ count b (u ++ b :: v) = (count b (u ++ a :: v) + 1)%Z.
Proof.
  intros a b u v D. unfold count, is_value. rewrite !map_app. cbn [map]. rewrite !ones_app. cbn [ones].
  destruct (same a a), (same b a), (same b b), (same a b); try congruence; lia.
Qed.

Lemma E_bin_view : forall t x j F, E (bin_view Element same lambda t x j) F
  = E (noisy lambda (1 / 2) (count j (firstn t x))) (fun I =>
      E (noisy lambda (1 / 2) (I + count j (skipn t x))%Z) (fun z => F (I, z))).
Proof.
  intros t x j F. unfold bin_view, count. rewrite <- firstn_map, <- skipn_map.
  rewrite <- (zsum_view lambda t (map (is_value Element same j) x) (fun I z => F (I, z))).
  apply E_ext. intros [I z]. reflexivity.
Qed.

Lemma proper_bin_view : forall t x j, proper (bin_view Element same lambda t x j).
Proof.
  intros t x j. assert (PN : forall i, proper (noisy lambda (1 / 2) i)) by (intro; apply proper_noisy; lra).
  unfold bin_view, intruder_view, state_after.
  assert (PP : forall z i, proper (process zsum_update z i)).
  { induction z; intro i; [apply proper_point|]. cbn [process]. apply proper_bind; [apply proper_point | auto]. }
  apply proper_bind; [apply proper_bind; [apply PN | intro; apply PP]|]. intro s.
  apply proper_bind; [apply proper_bind; [apply PP | intro; apply PN] | intro; apply proper_point].
Qed.

(* The two touched bins. *)
Lemma pair_view_close : forall eps delta t a b u v, hides_pair lambda (1 / 2) eps delta -> a <> b ->
  close eps delta
    (joint (bin_view Element same lambda t (u ++ a :: v) a) (bin_view Element same lambda t (u ++ a :: v) b))
    (joint (bin_view Element same lambda t (u ++ b :: v) a) (bin_view Element same lambda t (u ++ b :: v) b)).
Proof.
  intros eps delta t a b u v H D T. unfold Pr.
  assert (PN : forall i, proper (noisy lambda (1 / 2) i)) by (intro; apply proper_noisy; lra).
  set (out := fun (I J a' b' : Z) => E (noisy lambda (1 / 2) (I + a')%Z) (fun z => E (noisy lambda (1 / 2) (J + b')%Z)
     (fun z' => indicator (T ((I, z), (J, z')))))).
  assert (V : forall x, E (joint (bin_view Element same lambda t x a) (bin_view Element same lambda t x b)) (fun p => indicator (T p))
    = E (noisy lambda (1 / 2) (count a (firstn t x))) (fun I => E (noisy lambda (1 / 2) (count b (firstn t x))) (fun J =>
        out I J (count a (skipn t x)) (count b (skipn t x))))).
  { intro x. rewrite E_joint, E_bin_view. apply E_ext. intro I. unfold out.
    rewrite (E_swap (noisy lambda (1 / 2) (count b (firstn t x))) (noisy lambda (1 / 2) (I + count a (skipn t x))%Z)
      (fun J z => E (noisy lambda (1 / 2) (J + count b (skipn t x))%Z) (fun z' => indicator (T ((I, z), (J, z')))))).
    apply E_ext. intro z. apply E_bin_view. }
  rewrite !V. clear V.
  assert (O1 : forall I J a' b', 0 <= out I J a' b' <= 1).
  { intros. unfold out. apply E_01; auto. intro z. apply E_01; auto. intro z'. apply indicator_01. }
  destruct (Nat.le_gt_cases t (length u)) as [L|L].
  - (* after the intrusion *)
    assert (FS : forall c, firstn t (u ++ c :: v) = firstn t u /\ skipn t (u ++ c :: v) = skipn t u ++ c :: v).
    { intro c. rewrite firstn_app, skipn_app. replace (t - length u)%nat with 0%nat by lia. cbn [firstn skipn].
      rewrite app_nil_r. auto. }
    rewrite !(proj1 (FS _)), !(proj2 (FS _)). destruct (count_change a b (skipn t u) v D) as [C1 C2]. rewrite C1, C2.
    apply E_le_affine; auto. intro I. apply E_le_affine; auto. intro J.
    pose proof (close_fun eps delta _ _ (H (I + count a (skipn t u ++ b :: v))%Z (J + count b (skipn t u ++ a :: v))%Z)
      (fun zz => indicator (T ((I, fst zz), (J, snd zz)))) (fun zz => indicator_01 _)) as Q.
    rewrite !E_joint in Q. cbn [fst snd] in Q. unfold out. rewrite !Z.add_assoc. exact Q.
  - (* before it *)
    assert (FS : forall c, firstn t (u ++ c :: v) = u ++ c :: firstn (t - length u - 1) v
       /\ skipn t (u ++ c :: v) = skipn (t - length u - 1) v).
    { intro c. rewrite firstn_app, skipn_app, firstn_all2, skipn_all2 by lia.
      destruct (t - length u)%nat as [|n] eqn:N; [lia|]. cbn [firstn skipn Nat.sub]. rewrite Nat.sub_0_r. auto. }
    rewrite !(proj1 (FS _)), !(proj2 (FS _)). destruct (count_change a b u (firstn (t - length u - 1) v) D) as [C1 C2].
    rewrite C1, C2.
    pose proof (close_fun eps delta _ _ (H (count a (u ++ b :: firstn (t - length u - 1) v)) (count b (u ++ a :: firstn (t - length u - 1) v)))
      (fun IJ => out (fst IJ) (snd IJ) (count a (skipn (t - length u - 1) v)) (count b (skipn (t - length u - 1) v)))
      (fun IJ => O1 _ _ _ _)) as Q.
    rewrite !E_joint in Q. cbn [fst snd] in Q. exact Q.
Qed.

Theorem histogram_private_pair : forall (eps delta : R) (n : nat), 0 <= eps -> 0 <= delta ->
  hides_pair lambda (1 / 2) eps delta ->
  pan_private n eps delta (hist_initial Element K lambda) (hist_update Element same K) (hist_output lambda).
Proof.
  intros eps delta n He Hd H t x x' L N T. unfold Pr. set (F := fun I z => indicator (T (I, z))).
  assert (W : forall y, E (intruder_view (hist_initial Element K lambda) (hist_update Element same K) (hist_output lambda) t y)
      (fun v => indicator (T v))
    = E (independent (map (bin_view Element same lambda t y) K)) (fun vs => F (map fst vs) (map snd vs))).
  { intro y. rewrite <- hist_view. apply E_ext; intros [I z]; reflexivity. }
  rewrite !W. clear W.
  apply (close_fun eps delta); [|intro; apply indicator_01].
  destruct N as [u [a [b [v [E1 E2]]]]]. subst x x'. destruct (same a b) as [Q|Q].
  - subst. apply close_refl; auto. apply proper_independent, Forall_forall. intros d D. apply in_map_iff in D.
    destruct D as [j [D _]]; subst. apply proper_bin_view.
  - apply (two_apart Element (Z * Z) same eps delta a b); auto.
    + intro; apply proper_bin_view.
    + intro; apply proper_bin_view.
    + intros j A B.
      assert (V : is_value Element same j a = is_value Element same j b)
        by (unfold is_value; destruct (same a j), (same b j); congruence).
      unfold bin_view. rewrite !map_app. cbn [map]. rewrite V. reflexivity.
    + apply pair_view_close; auto.
Qed.

(* One bin alone. *)
Lemma is_value_neighbours : forall j x x', neighbours x x' ->
  neighbours (map (is_value Element same j) x) (map (is_value Element same j) x').
Proof.
  intros j x x' [u [a [b [v [E1 E2]]]]]. subst.
  exists (map (is_value Element same j) u), (is_value Element same j a), (is_value Element same j b), (map (is_value Element same j) v).
  rewrite !map_app. auto.
Qed.
Theorem bin_private : forall (eps delta : R) (n t : nat) (j : Element), hides_one lambda (1 / 2) eps delta ->
  private_on n eps delta (fun x => bin_view Element same lambda t x j).
Proof.
  intros eps delta n t j H x x' L N. apply (zsum_private lambda eps delta n H t); [rewrite map_length; auto|].
  apply is_value_neighbours; auto.
Qed.

(* The histogram of the shuffle model: P^zsum on each value, for the users that are there. *)
Definition pool_view (p : R) (x : list Element) (j : Element) : law (list bool) :=
  view (R_zsum p) (map (is_value Element same j) x).
Definition histogram_view (p : R) (x : list Element) : law (list (list bool)) := independent (map (pool_view p x) K).

Lemma proper_pool_view : forall p x j, 0 <= p <= 1 -> proper (pool_view p x j).
Proof. intros p x j H. apply proper_view. intro; apply proper_R_zsum; auto. Qed.

Theorem pool_private : forall (p eps delta : R) (honest : nat) (j : Element), hides_one honest p eps delta ->
  private_on honest eps delta (fun x => pool_view p x j).
Proof.
  intros p eps delta honest j H x x' L N. apply (zsum_private_given p eps delta honest H); [rewrite map_length; auto|].
  apply is_value_neighbours; auto.
Qed.

Theorem histogram_shuffle_private : forall (p eps delta : R) (honest : nat), 0 <= p <= 1 -> 0 <= eps -> 0 <= delta ->
  hides_pair honest p eps delta -> private_on honest eps delta (histogram_view p).
Proof.
  intros p eps delta honest Hp He Hd H x x' L N. pose proof (neighbours_length _ _ N) as L'. rewrite L in L'. symmetry in L'.
  destruct N as [u [a [b [v [E1 E2]]]]]. destruct (same a b) as [Q|Q].
  - subst x x' b. apply close_refl; auto. apply proper_independent, Forall_forall. intros d D. apply in_map_iff in D.
    destruct D as [j [D _]]; subst. apply proper_pool_view; auto.
  - apply (two_apart Element (list bool) same eps delta a b); auto.
    + intro; apply proper_pool_view; auto.
    + intro; apply proper_pool_view; auto.
    + intros j A B.
      assert (V : is_value Element same j a = is_value Element same j b)
        by (unfold is_value; destruct (same a j), (same b j); congruence).
      unfold pool_view. subst. rewrite !map_app. cbn [map]. rewrite V. reflexivity.
    + (* each pool is made of its noisy count *)
      set (k := fun cc : Z * Z => joint (arranged (2 * honest) (Z.to_nat (fst cc))) (arranged (2 * honest) (Z.to_nat (snd cc)))).
      assert (PK : forall cc, proper (k cc)).
      { intro cc. apply proper_bind; [apply proper_shuffle|]. intro. apply proper_bind; [apply proper_shuffle | intro; apply proper_point]. }
      assert (V : forall y, length y = honest -> same_law
        (bind (joint (noisy honest p (count a y)) (noisy honest p (count b y))) k) (joint (pool_view p y a) (pool_view p y b))).
      { intros y LY F. rewrite E_bind, !E_joint. unfold pool_view. rewrite (view_zsum p _ _), E_bind.
        unfold binomial_mechanism. rewrite !map_length, LY. fold (count a y). apply E_ext. intro c.
        rewrite (E_ext (arranged (2 * honest) (Z.to_nat c)) _ (fun l => E (noisy honest p (count b y)) (fun c' =>
          E (arranged (2 * honest) (Z.to_nat c')) (fun l' => F (l, l'))))).
        - rewrite E_swap. apply E_ext. intro c'. unfold k. rewrite E_joint. reflexivity.
        - intro l. rewrite (view_zsum p _ _), E_bind. unfold binomial_mechanism. rewrite !map_length, LY. reflexivity. }
      apply (close_same eps delta _ _ _ _ (V x L) (V x' L')). apply post_processing; auto.
      subst x x'. destruct (count_change a b u v Q) as [C1 C2]. rewrite C1, C2. apply H.
Qed.
End Pair.
