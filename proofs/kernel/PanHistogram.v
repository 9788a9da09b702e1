(* Theorem hist-pan, privacy.

   "we run Q_ZSUM on each value in the data domain.  Crucially, changing one stream element only changes the true value of
    at most two bins in the histogram, so by composition the resulting algorithm's privacy guarantee is within a factor
    of two of Q_ZSUM."  "the histogram algorithm described above is (2 eps, 2 delta)-pan-private."

   Proved if Bin(lambda, 1/2) hides one (what Lemma b_noise says for the printed lambda). *)
From Coq Require Import Reals ZArith Lra Lia List Bool.
From PanshuffleKernel Require Import Law Closeness PostProcessing Composition Parity Messages Distinct.
From PanshuffleKernel Require Import Online Transformation UniformityTransformation BinomialMechanism PanSum Variances.
Import ListNotations.
Open Scope R_scope.

(* Composition over a list of independent laws. *)
Lemma independent_close {J A} : forall (K : list J) (f g : J -> law A) (ee dd : J -> R),
  (forall j, proper (f j)) -> (forall j, proper (g j)) -> (forall j, 0 <= dd j) ->
  (forall j, close (ee j) (dd j) (f j) (g j)) ->
  close (sum_of (map ee K)) (sum_of (map dd K)) (independent (map f K)) (independent (map g K)).
Proof.
  intros K f g ee dd Hf Hg Hd C. induction K as [|j K IH]; cbn [map sum_of fold_right].
  - intro T. rewrite exp_0. lra.
  - fold (sum_of (map ee K)) (sum_of (map dd K)).
    assert (PF : forall h : J -> law A, (forall j, proper (h j)) -> proper (independent (map h K))).
    { intros h Hh. apply proper_independent, Forall_forall. intros d H. apply in_map_iff in H.
      destruct H as [i [H _]]; subst; auto. }
    assert (DK : 0 <= sum_of (map dd K)).
    { clear -Hd. induction K; simpl; [lra|]. specialize (Hd a). unfold sum_of in *. lra. }
    pose proof (composition (ee j) (dd j) _ _ (f j) (g j) (independent (map f K)) (independent (map g K))
      (Hf j) (Hg j) (PF f Hf) (PF g Hg) DK (C j) IH) as CJ.
    apply (post_processing _ _ _ _ (fun al => point (fst al :: snd al)) (fun al => proper_point _)) in CJ.
    revert CJ. apply close_same; intro F; rewrite E_independent_cons, E_bind, E_joint; apply E_ext; intro a;
      apply E_ext; intro l; rewrite E_point; reflexivity.
Qed.

Section Histogram.
Variable Element : Type.
Variable same : forall a b : Element, {a = b} + {a <> b}.
Variable K : list Element.
Variable lambda : nat.

(* Whether each element of the stream is j. *)
Definition is_value (j : Element) (a : Element) : bool := if same a j then true else false.

(* Q_ZSUM on each value. *)
Definition hist_initial : law (list Z) := independent (map (fun _ => zsum_initial lambda) K).
Definition hist_update (a : Element) (I : list Z) : law (list Z) :=
  independent (map (fun jI => zsum_update (is_value (fst jI) a) (snd jI)) (combine K I)).
Definition hist_output (I : list Z) : law (list Z) := independent (map (zsum_output lambda) I).

(* What the intruder sees of one bin. *)
Definition bin_view (t : nat) (x : list Element) (j : Element) : law (Z * Z) :=
  intruder_view (zsum_initial lambda) zsum_update (zsum_output lambda) t (map (is_value j) x).

Definition added (L : list Element) (x : list Element) (I : list Z) : list Z :=
  map (fun jI => (snd jI + ones (map (is_value (fst jI)) x))%Z) (combine L I).

Lemma E_points {A B} : forall (h : A -> B) l F, E (independent (map (fun a => point (h a)) l)) F = F (map h l).
Proof.
  induction l as [|a l IH]; intro F; [simpl; ring|]. cbn [map]. rewrite E_independent_cons, E_point, IH. reflexivity.
Qed.

Lemma added_length : forall L x I, length I = length L -> length (added L x I) = length L.
Proof. intros. unfold added. rewrite map_length, combine_length. lia. Qed.

Lemma added_cons : forall L a x I, length I = length L -> added L x (added L [a] I) = added L (a :: x) I.
Proof.
  induction L as [|j L IH]; intros a x [|i I] H; simpl in H; try discriminate; [reflexivity|].
  unfold added in *. cbn [combine map fst snd]. f_equal; [simpl; lia | apply IH; lia].
Qed.

Lemma added_nil : forall L I, length I = length L -> added L [] I = I.
Proof.
  induction L as [|j L IH]; intros [|i I] H; simpl in H; try discriminate; [reflexivity|].
  unfold added in *. cbn [combine map fst snd ones]. f_equal; [lia | apply IH; lia].
Qed.

Lemma hist_process : forall x I F, length I = length K -> E (process hist_update x I) F = F (added K x I).
Proof.
  induction x as [|a x IH]; intros I F L; cbn [process].
  - rewrite E_point, added_nil; auto.
  - rewrite E_bind. unfold hist_update at 1, zsum_update.
    rewrite (E_points (fun jI => (if is_value (fst jI) a then snd jI + 1 else snd jI)%Z)).
    replace (map _ (combine K I)) with (added K [a] I).
    + rewrite IH by (apply added_length; auto). rewrite added_cons; auto.
    + unfold added. apply map_ext. intros [j i]. cbn [fst snd map ones]. destruct (is_value j a); lia.
Qed.

Lemma bins_apart : forall x y L F,
  E (independent (map (fun _ => zsum_initial lambda) L)) (fun I0 =>
    E (independent (map (zsum_output lambda) (added L y (added L x I0)))) (fun z => F (added L x I0) z))
  = E (independent (map (fun j => bind (bind (zsum_initial lambda) (process zsum_update (map (is_value j) x))) (fun s =>
        bind (bind (process zsum_update (map (is_value j) y) s) (zsum_output lambda)) (fun z => point (s, z)))) L))
      (fun vs => F (map fst vs) (map snd vs)).
Proof.
  intros x y. induction L as [|j L IH]; intro F.
  - unfold added. cbn [map combine independent]. rewrite !E_point. reflexivity.
  - cbn [map]. rewrite !E_independent_cons, !E_bind. apply E_ext; intro i. rewrite zsum_process.
    set (s := (i + ones (map (is_value j) x))%Z). rewrite !E_bind, zsum_process.
    rewrite (E_ext _ _ (fun I0 => E (zsum_output lambda (s + ones (map (is_value j) y))%Z) (fun z =>
       E (independent (map (zsum_output lambda) (added L y (added L x I0)))) (fun zs => F (s :: added L x I0) (z :: zs))))).
    + rewrite E_swap. apply E_ext; intro z. rewrite E_point.
      exact (IH (fun ss zs => F (s :: ss) (z :: zs))).
    + intro I0. change (added (j :: L) x (i :: I0)) with (s :: added L x I0).
      change (added (j :: L) y (s :: added L x I0))
        with ((s + ones (map (is_value j) y))%Z :: added L y (added L x I0)).
      cbn [map]. apply E_independent_cons.
Qed.

Lemma hist_view : forall t x F,
  E (intruder_view hist_initial hist_update hist_output t x) (fun v => F (fst v) (snd v))
  = E (independent (map (bin_view t x) K)) (fun vs => F (map fst vs) (map snd vs)).
Proof.
  intros t x F. transitivity (E hist_initial (fun I0 =>
    E (independent (map (zsum_output lambda) (added K (skipn t x) (added K (firstn t x) I0)))) (fun z => F (added K (firstn t x) I0) z))).
  - unfold intruder_view, state_after. rewrite !E_bind. apply E_ext_in. intros [I0 w] H. cbn [fst].
    apply independent_length in H. rewrite map_length in H. cbn [fst] in H.
    rewrite hist_process by auto. rewrite !E_bind, hist_process by (apply added_length; auto).
    apply E_ext; intro z. rewrite E_point. reflexivity.
  - unfold hist_initial. rewrite bins_apart. unfold bin_view, intruder_view, state_after. 
    rewrite (map_ext _ (fun j => bind (bind (zsum_initial lambda) (process zsum_update (firstn t (map (is_value j) x)))) (fun s =>
        bind (bind (process zsum_update (skipn t (map (is_value j) x)) s) (zsum_output lambda)) (fun z => point (s, z)))));
      [reflexivity|]. intro j. rewrite firstn_map, skipn_map. reflexivity.
Qed.

Hypothesis K_nodup : NoDup K.

Theorem histogram_private : forall (eps delta : R) (n : nat), 0 <= eps -> 0 <= delta ->
  hides_one lambda (1 / 2) eps delta ->
  pan_private n (2 * eps) (2 * delta) hist_initial hist_update hist_output.
Proof.
  intros eps delta n He Hd H t x x' L N T. unfold Pr. set (F := fun I z => indicator (T (I, z))).
  assert (W : forall y, E (intruder_view hist_initial hist_update hist_output t y) (fun v => indicator (T v))
    = E (independent (map (bin_view t y) K)) (fun vs => F (map fst vs) (map snd vs))).
  { intro y. rewrite <- hist_view. apply E_ext; intros [I z]; reflexivity. }
  rewrite !W. clear W.
  assert (PN : forall a, proper (noisy lambda (1 / 2) a)) by (intro; apply proper_noisy; lra).
  assert (PB : forall y j, proper (bin_view t y j)).
  { intros y j. unfold bin_view, intruder_view, state_after.
    assert (PP : forall z i, proper (process zsum_update z i)).
    { induction z; intro i; [apply proper_point|]. cbn [process]. apply proper_bind; [apply proper_point | auto]. }
    apply proper_bind; [apply proper_bind; [apply PN | intro; apply PP]|]. intro s.
    apply proper_bind; [apply proper_bind; [apply PP | intro; apply PN] | intro; apply proper_point]. }
  assert (PI : forall y, proper (independent (map (bin_view t y) K))).
  { intro y. apply proper_independent, Forall_forall. intros d D. apply in_map_iff in D. destruct D as [j [D _]]; subst; auto. }
  apply (close_fun (2 * eps) (2 * delta)); [|intro; apply indicator_01].
  destruct N as [u [a [b [v [E1 E2]]]]]. subst x x'. destruct (same a b) as [Z|Z].
  - subst. apply close_refl; auto; lra.
  - assert (S1 := sum_indicator Element same K K_nodup 1 1 (conj (le_n 1) (le_n 1)) eps a b He Z).
    assert (S2 := sum_indicator Element same K K_nodup 1 1 (conj (le_n 1) (le_n 1)) delta a b Hd Z).
    eapply close_mono; [apply PI | exact S1 | exact S2 |].
    apply independent_close; auto.
    + intro j. destruct (same a j), (same b j); lra.
    + intro j.
      assert (NB : neighbours (map (is_value j) (u ++ a :: v)) (map (is_value j) (u ++ b :: v))).
      { exists (map (is_value j) u), (is_value j a), (is_value j b), (map (is_value j) v). rewrite !map_app. auto. }
      pose proof (zsum_private lambda eps delta _ H t _ _ eq_refl NB) as C.
      destruct (same a j) as [A|A]; [exact C|]. destruct (same b j) as [B|B]; [exact C|].
      assert (Q : bin_view t (u ++ a :: v) j = bin_view t (u ++ b :: v) j).
      { assert (V : is_value j a = is_value j b) by (unfold is_value; destruct (same a j), (same b j); congruence).
        unfold bin_view. rewrite !map_app. cbn [map]. rewrite V. reflexivity. }
      rewrite Q. apply close_refl; auto; lra.
Qed.
End Histogram.

(* "computes a histogram with l_infinity error at most 2 lambda": each bin is between its count and its count + 2 lambda. *)
Theorem histogram_error : forall (Element : Type) (same : forall a b : Element, {a = b} + {a <> b}) (K : list Element)
  (lambda : nat) (x : list Element) p,
  In p (output_of (hist_initial Element K lambda) (hist_update Element same K) (hist_output lambda) x) ->
  Forall2 (fun j z => (ones (map (is_value Element same j) x) <= z <= ones (map (is_value Element same j) x) + 2 * Z.of_nat lambda)%Z)
    K (fst p).
Proof.
  intros Element same K lambda x p H. unfold output_of, state_after in H.
  apply in_bind in H. destruct H as [s [v [H1 [H2 H3]]]]. apply in_bind in H1. destruct H1 as [i [w [K1 [K2 K3]]]].
  assert (R1 : forall a q, In q (noisy lambda (1 / 2) a) -> (a <= fst q <= a + Z.of_nat lambda)%Z).
  { intros a q J. apply in_bind in J. destruct J as [c [u [J1 [J2 J3]]]]. apply Bin_range in J1.
    destruct J2 as [J2|[]]; subst u. simpl in J3. rewrite <- J3. lia. }
  assert (IN : forall A B (P : A -> B -> Prop) (f : A -> law B) l q, (forall a r, In r (f a) -> P a (fst r)) ->
     In q (independent (map f l)) -> Forall2 P l (fst q)).
  { intros A B P f l. induction l as [|a l IH]; intros q HP Q; cbn [map independent] in Q.
    - destruct Q as [Q|[]]; subst; constructor.
    - apply in_bind in Q. destruct Q as [b [y [Q1 [Q2 Q3]]]]. apply in_bind in Q2. destruct Q2 as [c [d [Q4 [Q5 Q6]]]].
      destruct Q5 as [Q5|[]]; subst d. simpl in Q6. rewrite <- Q3, <- Q6. constructor; [apply HP; auto | apply IH; auto]. }
  assert (A1 : Forall2 (fun _ z => (0 <= z <= Z.of_nat lambda)%Z) K (fst i)).
  { refine (IN _ _ (fun _ z => (0 <= z <= Z.of_nat lambda)%Z) (fun _ => zsum_initial lambda) K i _ K1).
    intros a r J. apply R1 in J. lia. }
  assert (A2 : fst w = added Element same K x (fst i)).
  { assert (LI : length (fst i) = length K) by (clear - A1; induction A1; simpl; auto).
    clear - K2 LI. revert K2 LI. generalize (fst i) as I. revert w. induction x as [|a x IH]; intros w I J LI; cbn [process] in J.
    - destruct J as [J|[]]; subst. simpl. symmetry. apply added_nil; auto.
    - apply in_bind in J. destruct J as [b [y [J1 [J2 J3]]]].
      assert (B1 : fst b = added Element same K [a] I).
      { unfold hist_update, zsum_update in J1. unfold added.
        assert (G : forall l q, In q (independent (map (fun jI : Element * Z =>
             point (if is_value Element same (fst jI) a then (snd jI + 1)%Z else snd jI)) l)) ->
           fst q = map (fun jI => (snd jI + ones (map (is_value Element same (fst jI)) [a]))%Z) l).
        { induction l as [|[j z] l IHl]; intros q Q; cbn [map independent] in Q.
          - destruct Q as [Q|[]]; subst; reflexivity.
          - apply in_bind in Q. destruct Q as [e [f [Q1 [Q2 Q3]]]]. apply in_bind in Q2. destruct Q2 as [g [h [Q4 [Q5 Q6]]]].
            destruct Q5 as [Q5|[]]; subst h. destruct Q1 as [Q1|[]]; subst e. simpl in Q6. rewrite <- Q3, <- Q6, (IHl g Q4).
            cbn [map fst snd ones]. f_equal. destruct (is_value Element same j a); lia. }
        apply (G _ _ J1). }
      rewrite <- J3, (IH y (fst b) J2), B1 by (rewrite B1; apply added_length; auto). apply added_cons; auto. }
  assert (A3 : Forall2 (fun a z => (a <= z <= a + Z.of_nat lambda)%Z) (fst s) (fst v)).
  { refine (IN _ _ (fun a z => (a <= z <= a + Z.of_nat lambda)%Z) (zsum_output lambda) (fst s) v _ H2). intros a r J. apply R1 in J. lia. }
  rewrite <- H3. rewrite <- K3, A2 in A3. clear - A1 A3. revert A1 A3. generalize (fst i) as I, (fst v) as z.
  induction K as [|j L IH]; intros I z A1 A3; inversion A1; subst; unfold added in A3; cbn [combine map] in A3;
    inversion A3; subst; constructor; [cbn [fst snd] in *; lia | eapply IH; eauto].
Qed.
