(* Section 5 and the appendix, decided; Lemma b_noise. *)
From Coq Require Import Reals ZArith Lra Lia List Bool Permutation FunctionalExtensionality.
From PanshuffleKernel Require Law Closeness Power Parity Shuffle Messages ShuffleModel Online Transformation UniformityTransformation Hash
  BinomialMechanism BinomialLemma BinomialSharp PanSum PanHistogram BinarySum DistinctPrivacy DistinctAccuracy HashedAccuracy Robustness EpsPrimeSharp
  DistinctRobust Distinct Shares EpsPrime.
From PanshuffleKernel Require Import Paper Countable Privacy Model Poisson Finite Section3Upper.
Import ListNotations.
Open Scope R_scope.

(* ---- Lemma b_noise ---- *)
Lemma noisy_finite : forall l p a, bind (Bin l p) (fun eta => point (a + Z.of_nat eta)%Z) = fun _ => BinomialMechanism.noisy l p a.
Proof. intros. rewrite Bin_finite. reflexivity. Qed.
Lemma mechanism_lift {X} : forall n l p (f : list X -> Z) eps delta,
  Closeness.private_on n eps delta (BinomialMechanism.binomial_mechanism l p f) -> private_on n eps delta (binomial_mechanism l p f).
Proof.
  intros n l p f eps delta H. eapply private_finite; [|exact H]. intro x. unfold binomial_mechanism. apply noisy_finite.
Qed.
Theorem lem_appendix_c_holds : lem_appendix_c.
Proof.
  intros X f n l p eps delta F HP HE HD H. apply mechanism_lift.
  apply (BinomialLemma.b_noise l p eps delta HP HE HD H X f n F).
Qed.
Theorem lem_b_noise_holds : lem_b_noise.
Proof. intros X f n l p eps delta F HP HE HD H. apply lem_appendix_c_holds; auto; lra. Qed.

(* ---- Section 5 ---- *)
Lemma noisy_half : forall lambda I, noisy lambda I = fun _ => BinomialMechanism.noisy lambda (1 / 2) I.
Proof. intros. unfold noisy. apply noisy_finite. Qed.
Lemma private_view_lift {X State Z} : forall n eps delta (Q : online X State Z) (i : table State) (u : X -> State -> table State) (o : State -> table Z),
  initial Q = (fun _ => i) -> (forall a s, update Q a s = fun _ => u a s) -> (forall s, output Q s = fun _ => o s) ->
  Online.pan_private n eps delta i u o -> pan_private n eps delta Q.
Proof.
  intros n eps delta Q i u o HI HU HO H t. eapply private_finite; [|exact (H t)].
  intro x. apply functional_extensionality; intro N. rewrite intruder_view_at, HI.
  f_equal; [apply functional_extensionality; intro a; apply functional_extensionality; intro s; rewrite HU; reflexivity
           | apply functional_extensionality; intro s; rewrite HO; reflexivity].
Qed.
Lemma output_lift {X State Z} : forall (Q : online X State Z) (i : table State) (u : X -> State -> table State) (o : State -> table Z) x,
  initial Q = (fun _ => i) -> (forall a s, update Q a s = fun _ => u a s) -> (forall s, output Q s = fun _ => o s) ->
  output_of Q x = fun _ => Online.output_of i u o x.
Proof.
  intros Q i u o x HI HU HO. apply functional_extensionality; intro N. rewrite output_of_at, HI.
  f_equal; [apply functional_extensionality; intro a; apply functional_extensionality; intro s; rewrite HU; reflexivity
           | apply functional_extensionality; intro s; rewrite HO; reflexivity].
Qed.
Lemma ones_same : forall x, ones x = PanSum.ones x.
Proof.
  induction x as [|b x IH]; [reflexivity|]. unfold ones in *. cbn [filter PanSum.ones]. rewrite <- IH. destruct b; [cbn [length]; lia | lia].
Qed.
Lemma online_proper {X State Z} : forall (i : table State) (u : X -> State -> table State) (o : State -> table Z) x,
  Law.proper i -> (forall a s, Law.proper (u a s)) -> (forall s, Law.proper (o s)) -> Law.proper (Online.output_of i u o x).
Proof.
  intros i u o x I U O. unfold Online.output_of, Online.state_after. apply Law.proper_bind; auto. apply Law.proper_bind; auto.
  induction x as [|a x IH]; intro s; cbn [Online.process]; [apply Law.proper_point | apply Law.proper_bind; auto].
Qed.
Theorem thm_zerocount_pan_holds : thm_zerocount_pan.
Proof.
  intros lambda n eps delta x HE HD HL.
  destruct (BinomialLemma.zerocount_pan_holds lambda eps delta n HE HD HL) as [PRIV ERR].
  assert (HI : initial (Q_ZSUM lambda) = fun _ => PanSum.zsum_initial lambda) by apply noisy_half.
  assert (HU : forall a s, update (Q_ZSUM lambda) a s = fun _ => PanSum.zsum_update a s) by reflexivity.
  assert (HO : forall s, output (Q_ZSUM lambda) s = fun _ => PanSum.zsum_output lambda s) by (intro; apply noisy_half).
  split; [exact (private_view_lift n eps delta _ _ _ _ HI HU HO PRIV)|].
  rewrite (output_lift _ _ _ _ x HI HU HO). apply E_one_where.
  - apply online_proper; [apply BinomialMechanism.proper_noisy; lra | intros; apply Law.proper_point | intro; apply BinomialMechanism.proper_noisy; lra].
  - intros p Hp. specialize (ERR x p Hp). rewrite ones_same. apply andb_true_iff. rewrite !Z.leb_le. exact ERR.
Qed.

Lemma combine_map_same {X} : forall (U : universe X) a (I : list Z),
  map (fun jI => if is_element U a (fst jI) then (snd jI + 1)%Z else snd jI) (combine (elements U) I)
  = map (fun jI => if PanHistogram.is_value X (same U) (fst jI) a then (snd jI + 1)%Z else snd jI) (combine (elements U) I).
Proof. reflexivity. Qed.
Lemma hist_update_same {X} : forall (U : universe X) a I F,
  sum_over (PanHistogram.hist_update X (same U) (elements U) a I) F
  = F (map (fun jI => if is_element U a (fst jI) then (snd jI + 1)%Z else snd jI) (combine (elements U) I)).
Proof.
  intros U a I F. unfold PanHistogram.hist_update, PanSum.zsum_update.
  rewrite (PanHistogram.E_points (fun jI => if PanHistogram.is_value X (same U) (fst jI) a then (snd jI + 1)%Z else snd jI)).
  reflexivity.
Qed.
Lemma process_same {X State} : forall (u u' : X -> State -> table State), (forall a s, Law.same_law (u a s) (u' a s)) ->
  forall x s, Law.same_law (Online.process u x s) (Online.process u' x s).
Proof.
  intros u u' H. induction x as [|a x IH]; intros s F; cbn [Online.process]; [reflexivity|].
  rewrite !Law.E_bind, H. apply Law.E_ext; intro t. apply IH.
Qed.
Lemma view_of_same {X State Z} : forall (i : table State) (u u' : X -> State -> table State) (o : State -> table Z) t x,
  (forall a s, Law.same_law (u a s) (u' a s)) -> Law.same_law (Online.intruder_view i u o t x) (Online.intruder_view i u' o t x).
Proof.
  intros i u u' o t x H F. unfold Online.intruder_view, Online.state_after. rewrite !Law.E_bind. apply Law.E_ext; intro s0.
  rewrite (process_same u u' H). apply Law.E_ext; intro s. rewrite !Law.E_bind. rewrite (process_same u u' H). reflexivity.
Qed.
Lemma output_of_same {X State Z} : forall (i : table State) (u u' : X -> State -> table State) (o : State -> table Z) x,
  (forall a s, Law.same_law (u a s) (u' a s)) -> Law.same_law (Online.output_of i u o x) (Online.output_of i u' o x).
Proof.
  intros i u u' o x H F. unfold Online.output_of, Online.state_after. rewrite !Law.E_bind. apply Law.E_ext; intro s0.
  rewrite (process_same u u' H). reflexivity.
Qed.
Definition hist_step {X} (U : universe X) (a : X) (I : list Z) : table (list Z) :=
  [(map (fun jI => if is_element U a (fst jI) then (snd jI + 1)%Z else snd jI) (combine (elements U) I), 1)].
Lemma hist_step_same {X} : forall (U : universe X) a I, Law.same_law (PanHistogram.hist_update X (same U) (elements U) a I) (hist_step U a I).
Proof. intros U a I F. rewrite hist_update_same. unfold hist_step. simpl. ring. Qed.
Lemma ones_count {X} : forall (U : universe X) j x, PanSum.ones (map (PanHistogram.is_value X (same U) j) x) = Z.of_nat (count U x j).
Proof.
  intros U j x. unfold count. induction x as [|a x IH]; [reflexivity|]. cbn [map PanSum.ones filter]. rewrite IH.
  unfold PanHistogram.is_value at 1, is_element at 2. destruct (same U a j); [cbn [length]; lia | lia].
Qed.
Theorem thm_hist_pan_holds : thm_hist_pan.
Proof.
  intros X U lambda n eps delta x HE HD HL.
  pose proof (BinomialLemma.histogram_pan_holds X (same U) (elements U) lambda eps delta n (no_repetition X U) HE HD HL) as PRIV.
  assert (HI : initial (Q_HIST U lambda) = fun _ => PanHistogram.hist_initial X (elements U) lambda).
  { unfold Q_HIST, PanHistogram.hist_initial. cbn [initial]. rewrite <- independent_finite. f_equal. rewrite map_map.
    apply map_ext. intro a. apply noisy_half. }
  assert (HU : forall a s, update (Q_HIST U lambda) a s = fun _ => hist_step U a s) by reflexivity.
  assert (HO : forall s, output (Q_HIST U lambda) s = fun _ => PanHistogram.hist_output lambda s).
  { intro s. unfold Q_HIST, PanHistogram.hist_output. cbn [output]. rewrite <- independent_finite. f_equal. rewrite map_map.
    apply map_ext. intro a. apply noisy_half. }
  split.
  - apply (private_view_lift n (2 * eps) (2 * delta) _ _ _ _ HI HU HO). intros t y y' L N.
    eapply Closeness.close_same; [| | exact (PRIV t y y' L N)]; apply view_of_same; intros; apply hist_step_same.
  - rewrite (output_lift _ _ _ _ x HI HU HO). rewrite Pr_finite. unfold Law.Pr.
    rewrite <- (output_of_same _ (PanHistogram.hist_update X (same U) (elements U)) _ _ x (fun a s => hist_step_same U a s)).
    assert (HP : Law.proper (Online.output_of (PanHistogram.hist_initial X (elements U) lambda) (PanHistogram.hist_update X (same U) (elements U)) (PanHistogram.hist_output lambda) x)).
    { apply online_proper.
      - apply Parity.proper_independent, Forall_forall. intros d I. apply in_map_iff in I. destruct I as [a [I _]]. subst. apply BinomialMechanism.proper_noisy; lra.
      - intros a s. apply Parity.proper_independent, Forall_forall. intros d I. apply in_map_iff in I. destruct I as [b [I _]]. subst. apply Law.proper_point.
      - intro s. apply Parity.proper_independent, Forall_forall. intros d I. apply in_map_iff in I. destruct I as [b [I _]]. subst. apply BinomialMechanism.proper_noisy; lra. }
    rewrite (Law.E_ext_in _ _ (fun _ => 1)); [apply HP|]. intros p I.
    pose proof (PanHistogram.histogram_error X (same U) (elements U) lambda x p I) as F2.
    assert (LEN : length (elements U) = length (fst p)) by (clear -F2; induction F2; simpl; auto). rewrite <- LEN, Nat.eqb_refl. simpl andb.
    replace (forallb _ _) with true; [reflexivity|]. symmetry. apply forallb_forall. intros [j z] J. cbn [fst snd].
    rewrite <- ones_count. apply andb_true_iff. rewrite !Z.leb_le.
    clear -F2 J. induction F2 as [|a b l l' H F2 IH]; [destruct J|]. destruct J as [J|J]; [inversion J; subst; exact H | auto].
Qed.

(* ---- A.4 ---- *)
Theorem claim_robust_bc_holds : claim_robust_bc.
Proof.
  intros eps delta gamma n honest HE HD HG HN Hh Hg.
  eapply private_finite; [|apply (BinomialLemma.robust_binary_sum_holds eps delta gamma n honest HE HD HG HN Hh Hg)].
  intro x. apply view_finite. reflexivity.
Qed.

(* ---- A.2 ---- *)
Lemma two_universal_finite {X X'} : forall (V : universe X') (family : list (X -> X')), two_universal V family ->
  family <> [] /\ Hash.two_universal (same V) family (length (elements V)).
Proof.
  intros V family [F H]. split; auto. intros x y N. specialize (H x y N).
  change (uniform family) with (fun _ : nat => Shuffle.uniform family) in H. rewrite Pr_finite in H. exact H.
Qed.
Theorem lem_distinct_hash_repaired_holds : lem_distinct_hash_repaired.
Proof.
  intros X X' U V family S beta SZ TU ND AL HB. destruct (two_universal_finite V family TU) as [F H].
  assert (K0 : (0 < length (elements V))%nat).
  { destruct S as [|s S]; [simpl in AL; lia|]. destruct family as [|h family]; [contradiction|].
    pose proof (complete X' V (h s)) as I. destruct (elements V); [destruct I | simpl; lia]. }
  change (uniform family) with (fun _ : nat => Shuffle.uniform family). rewrite Pr_finite.
  apply (Hash.hash_lemma X X' (same V) family (length (elements V)) S beta); auto.
  intro Q. subst. simpl in AL. lia.
Qed.
Theorem lem_distinct_hash_fails : ~ lem_distinct_hash.
Proof.
  intro H.
  assert (UB : universe unit).
  { refine (Universe [tt] _ _ _); [constructor; [intros [] | constructor] | intros []; left; reflexivity | intros [] []; left; reflexivity]. }
  assert (TU : two_universal UB [fun _ : unit => tt]).
  { split; [discriminate|]. intros [] [] N. contradiction. }
  specialize (H unit unit UB UB [fun _ => tt] [] (1 / 2) ltac:(lra) TU (NoDup_nil _) Logic.I ltac:(lra)).
  change (uniform [fun _ : unit => tt]) with (fun _ : nat => Shuffle.uniform [fun _ : unit => tt]) in H.
  rewrite Pr_finite in H. unfold Law.Pr, Shuffle.uniform, lost, distinct, le in H. simpl in H.
  destruct (Rle_dec _ _) as [L|L] in H; [simpl in H; lra | apply L].
  unfold Rdiv. rewrite Rmult_0_l, Rmult_0_l. lra.
Qed.
Theorem cor_hde_I_holds : cor_hde_I.
Proof.
  intros X X' V family eps delta gamma m HE HD HG H n honest h Hh Hg.
  pose proof (DistinctRobust.robust_case_1 X' (same V) (elements V) (fun n => mod_table (m n)) eps delta gamma (no_repetition X' V) HE
    ltac:(lra) HG ltac:(intros; apply mod_proper; apply H) ltac:(intros; apply hides_finite; auto)) as RB.
  intros x x' L N.
  assert (VW : forall y, view (randomizer (P_HDE V family eps m) n h) y = view (R_DE V eps (m n) n) (map h y)).
  { intro y. unfold view, messages. rewrite map_map. reflexivity. }
  rewrite !VW. apply (robust_lift V eps m) in RB; auto.
  replace (2 * eps + 2 * ln (1 / gamma)) with (2 * (eps + ln (1 / gamma))) by ring.
  apply (RB n honest tt Hh Hg); [rewrite map_length; auto|].
  destruct N as [u [a [b [v [N1 N2]]]]]. subst. exists (map h u), (h a), (h b), (map h v). rewrite !map_app. auto.
Qed.
