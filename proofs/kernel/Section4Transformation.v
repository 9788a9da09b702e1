(* Section 4.2, decided: Lemma ut-transformation for every protocol, with public coins and countable laws. *)
From Coq Require Import Reals ZArith Lra Lia List Bool Permutation FunctionalExtensionality.
From PanshuffleKernel Require Law Closeness Parity Shuffle Messages ShuffleModel Online Transformation UniformityTransformation Rows
  BinomialCertificate StepsRefuted Symmetry.
From PanshuffleKernel Require Import Paper Countable Privacy Masses Model Poisson.
Import ListNotations.
Open Scope R_scope.

(* ---- the tail of Bin(n, 2/9) ---- *)
Lemma power_mean : forall l p w, sum_over (UniformityTransformation.Bin l p) (fun c => w ^ c) = (1 - p + p * w) ^ l.
Proof.
  induction l; intros p w; [simpl; ring|]. rewrite BinomialCertificate.E_Bin_step. simpl pow.
  rewrite Law.E_mult, !IHl. ring.
Qed.
Lemma tail_by_power : forall l p w a, 0 <= p <= 1 -> 1 <= w ->
  Law.Pr (UniformityTransformation.Bin l p) (Nat.leb a) <= / w ^ a * (1 - p + p * w) ^ l.
Proof.
  intros l p w a P W. rewrite <- power_mean, <- Law.E_mult. apply Law.E_le; [apply UniformityTransformation.proper_Bin; auto|].
  intro c. assert (0 < w ^ a) by (apply pow_lt; lra). assert (0 < w ^ c) by (apply pow_lt; lra).
  assert (0 < / w ^ a) by (apply Rinv_0_lt_compat; auto).
  destruct (Nat.leb a c) eqn:Q; simpl; [|apply Rmult_le_pos; lra].
  apply Nat.leb_le in Q. assert (w ^ a <= w ^ c) by (apply Rle_pow; auto).
  apply Rmult_le_reg_l with (w ^ a); auto. rewrite <- Rmult_assoc, Rinv_r by lra. lra.
Qed.
(* Up to twelve, by whole numbers. *)
Definition row_tail (q : nat) : bool :=
  (6 * fold_right Z.add 0 (skipn (S q) (BinomialCertificate.binomial_row 2 7 (3 * q))) <? 9 ^ Z.of_nat (3 * q))%Z.
Lemma rows_tail : forallb row_tail (seq 1 12) = true.
Proof. vm_compute. reflexivity. Qed.
Lemma weigh_tail : forall r i q, Rows.weigh r i (fun c => indicator (Nat.leb q c)) = IZR (fold_right Z.add 0%Z (skipn (q - i) r)).
Proof.
  induction r as [|w r IH]; intros i q; cbn [Rows.weigh].
  - rewrite skipn_nil. reflexivity.
  - rewrite IH. destruct (Nat.leb q i) eqn:Q; simpl indicator.
    + apply Nat.leb_le in Q. replace (q - i)%nat with O by lia. replace (q - S i)%nat with O by lia. simpl. rewrite plus_IZR. ring.
    + apply Nat.leb_gt in Q. replace (q - i)%nat with (S (q - S i)) by lia. simpl. ring.
Qed.
Lemma tail_third : forall q, (0 < q)%nat -> Law.Pr (UniformityTransformation.Bin (3 * q) (2 / 9)) (Nat.leb (S q)) < 1 / 6.
Proof.
  intros q H. destruct (le_lt_dec q 12) as [L|L].
  - pose proof rows_tail as R. rewrite forallb_forall in R. specialize (R q ltac:(apply in_seq; lia)).
    unfold row_tail in R. apply Z.ltb_lt, IZR_lt in R. rewrite mult_IZR, <- pow_IZR in R.
    pose proof (BinomialCertificate.Bin_row 2 7 (3 * q) (fun c => indicator (Nat.leb (S q) c)) ltac:(lia)) as B.
    rewrite weigh_tail, Nat.sub_0_r in B. replace (2 + 7)%Z with 9%Z in B by lia.
    assert (0 < IZR 9 ^ (3 * q)) by (apply pow_lt; lra). unfold Law.Pr.
    apply Rmult_lt_reg_r with (IZR 9 ^ (3 * q)); auto. rewrite B. lra.
  - eapply Rle_lt_trans; [apply (tail_by_power _ _ (7 / 4)); lra|].
    replace (1 - 2 / 9 + 2 / 9 * (7 / 4)) with (7 / 6) by field. rewrite pow_mult.
    replace (/ (7 / 4) ^ S q * ((7 / 6) ^ 3) ^ q) with (4 / 7 * (49 / 54) ^ q).
    2:{ simpl pow at 2. rewrite Rinv_mult, <- pow_inv. rewrite Rmult_assoc, <- Rpow_mult_distr. f_equal; [field|]. f_equal. field. }
    replace q with (13 + (q - 13))%nat by lia. rewrite pow_add.
    assert ((49 / 54) ^ (q - 13) <= 1) by (rewrite <- (pow1 (q - 13)); apply pow_incr; lra).
    assert (0 < (49 / 54) ^ 13) by (apply pow_lt; lra).
    assert (4 / 7 * (49 / 54) ^ 13 < 1 / 6) by (simpl; lra).
    apply Rle_lt_trans with (4 / 7 * ((49 / 54) ^ 13 * 1)); [|lra].
    apply Rmult_le_compat_l; [lra|]. apply Rmult_le_compat_l; lra.
Qed.
Theorem chernoff_step_repaired_holds : chernoff_step_repaired.
Proof.
  intros q H. rewrite Bin_finite, Pr_finite. eapply Rle_lt_trans; [|apply (tail_third q H)]. right.
  apply Law.E_ext; intro c. f_equal. unfold lt. destruct (Rlt_dec (INR q) (INR c)) as [L|L].
  - apply INR_lt in L. symmetry. apply Nat.leb_le. lia.
  - symmetry. apply Nat.leb_gt. assert (~ (q < c)%nat) by (intro; apply L; apply lt_INR; auto). lia.
Qed.
Theorem chernoff_step_fails : ~ chernoff_step.
Proof.
  intro H. apply StepsRefuted.chernoff_step_refuted. intros n L. specialize (H n L). rewrite Bin_finite, Pr_finite in H. exact H.
Qed.

(* ---- views do not depend on the order of the users ---- *)
Lemma messages_perm {X Y} : forall (r : X -> table (list Y)) x x', Permutation x x' ->
  Messages.same_unordered (ShuffleModel.messages r x) (ShuffleModel.messages r x').
Proof.
  intros r x x' P. unfold ShuffleModel.messages. induction P; cbn [map Messages.concatenated].
  - apply Messages.same_unordered_refl.
  - apply Messages.join_same; auto using Messages.same_unordered_refl.
  - intros F HF. rewrite !Messages.E_join.
    rewrite (Law.E_ext (r y) _ (fun u => sum_over (r x) (fun v => sum_over (Messages.concatenated (map r l)) (fun s => F (u ++ v ++ s))))) by (intro; rewrite Messages.E_join; reflexivity).
    rewrite (Law.E_ext (r x) (fun l => sum_over (Messages.join _ _) _) (fun u => sum_over (r y) (fun v => sum_over (Messages.concatenated (map r l)) (fun s => F (u ++ v ++ s))))) by (intro; rewrite Messages.E_join; reflexivity).
    rewrite Law.E_swap. apply Law.E_ext; intro a. apply Law.E_ext; intro b. apply Law.E_ext; intro c.
    apply HF. rewrite !app_assoc. apply Permutation_app_tail, Permutation_app_comm.
  - eapply Messages.same_unordered_trans; eauto.
Qed.
Lemma view_perm {X Y} : forall (R : X -> law (list Y)) x x' f, Permutation x x' -> E (view R x) f = E (view R x') f.
Proof.
  intros R x x' f P. apply E_slices; intro N. rewrite !view_at. unfold ShuffleModel.view. rewrite !Law.E_bind.
  apply messages_perm; auto. intros l l' Q. apply Shuffle.shuffle_perm; auto.
Qed.
Lemma execution_perm {C X Y Z} : forall (P : protocol C X Y Z) n x x' f, shuffle_protocol P -> bounded f -> Permutation x x' ->
  E (execution P n x) f = E (execution P n x') f.
Proof.
  intros P n x x' f PP F Q. destruct (PP n) as [HC HR]. unfold execution.
  assert (B : forall y c, proper (bind (view (randomizer P n c) y) (analyzer P n c))) by (intros; apply proper_bind; [apply proper_view, HR | apply HR]).
  rewrite !E_bind by auto. apply E_ext; intro c. rewrite !E_bind by (first [assumption | apply proper_view, HR | apply HR]).
  apply view_perm; auto.
Qed.

(* ---- samples ---- *)
Lemma proper_independent {A} : forall ds : list (law A), Forall proper ds -> proper (independent ds).
Proof.
  induction 1 as [|d ds H F IH]; [apply proper_point|]. cbn [independent].
  apply proper_bind; auto; intro. apply proper_bind; auto; intro. apply proper_point.
Qed.
Lemma proper_samples {A} : forall (d : law A) n, proper d -> proper (samples d n).
Proof. intros d n D. apply proper_independent, Forall_forall. intros e I. apply repeat_spec in I. subst; auto. Qed.
Lemma E_samples_S {A} : forall (d : law A) n f, proper d -> bounded f ->
  E (samples d (S n)) f = E d (fun a => E (samples d n) (fun l => f (a :: l))).
Proof.
  intros d n f D F. unfold samples. cbn [repeat independent].
  assert (P : forall a : A, proper (bind (independent (repeat d n)) (fun l => point (a :: l)))).
  { intro. apply proper_bind; [apply (proper_samples d n D) | intro; apply proper_point]. }
  rewrite E_bind by auto. apply E_ext; intro a.
  rewrite E_bind by (first [apply (proper_samples d n D) | intro; apply proper_point | apply bounded_comp; auto | auto]).
  apply E_ext; intro l. apply E_point.
Qed.
Lemma E_samples_O {A} : forall (d : law A) f, E (samples d 0) f = f [].
Proof. intros. unfold samples. simpl. apply E_point. Qed.
Lemma bounded_1 {A B} : forall (f : B -> R) (h : A -> B), bounded f -> bounded (fun a => f (h a)).
Proof. intros; apply bounded_comp; auto. Qed.
Lemma bounded_E2 {A B} : forall (d : law B) (f : A -> B -> R), proper d -> (exists M, forall a b, Rabs (f a b) <= M) ->
  bounded (fun a => E d (f a)).
Proof. intros d f D [M H]. exists M. intro a. apply E_abs; auto. Qed.
Lemma E_samples_app {A} : forall (d : law A) n m f, proper d -> bounded f ->
  E (samples d (n + m)) f = E (samples d n) (fun l => E (samples d m) (fun r => f (l ++ r))).
Proof.
  intros d n m f D. revert f. induction n; intros f F.
  - rewrite E_samples_O. reflexivity.
  - destruct F as [M HM]. assert (F : bounded f) by (exists M; auto).
    assert (G : bounded (fun l => E (samples d m) (fun r => f (l ++ r)))) by (apply bounded_E2; [apply proper_samples; auto | exists M; auto]).
    simpl Nat.add. rewrite !E_samples_S by auto.
    apply E_ext; intro a. rewrite (IHn (fun l => f (a :: l))) by (exists M; auto). reflexivity.
Qed.

Definition order_free {A} (f : list A -> R) := forall l l', Permutation l l' -> f l = f l'.

(* n samples of a mixture: first how many are from D, then these, then the rest. *)
Definition mixed {A} (q : R) (D U : law A) : law A := bind (Ber q) (fun b : bool => if b then D else U).
Lemma proper_mixed {A} : forall q (D U : law A), 0 <= q <= 1 -> proper D -> proper U -> proper (mixed q D U).
Proof. intros. apply proper_bind; [apply proper_Ber; auto | intros []; auto]. Qed.
Definition sorted {A} (D U : law A) (n : nat) (f : list A -> R) (c : nat) : R :=
  E (samples D c) (fun l => E (samples U (n - c)) (fun r => f (l ++ r))).
Lemma bounded_sorted {A} : forall (D U : law A) n f, proper D -> proper U -> bounded f -> bounded (sorted D U n f).
Proof.
  intros D U n f PD PU [M HM]. exists M. intro c. apply E_abs; auto using proper_samples. intro l. apply E_abs; auto using proper_samples.
Qed.
Lemma E_Bin_le : forall n p f g, 0 <= p <= 1 -> bounded f -> bounded g -> (forall c, (c <= n)%nat -> f c = g c) -> E (Bin n p) f = E (Bin n p) g.
Proof.
  intros n p f g P F G H. apply Rminus_diag_uniq. rewrite <- E_minus by auto using proper_Bin.
  apply Bin_above; auto using bounded_minus. intros c L. rewrite H by auto. ring.
Qed.
Lemma mixture_sorted {A} : forall (D U : law A) q n f, 0 <= q <= 1 -> proper D -> proper U -> bounded f -> order_free f ->
  E (samples (mixed q D U) n) f = E (Bin n q) (sorted D U n f).
Proof.
  intros D U q n f Q PD PU. revert f. induction n; intros f F OF.
  - rewrite E_samples_O. simpl Bin. rewrite E_point. unfold sorted. simpl. rewrite !E_samples_O. reflexivity.
  - destruct F as [M HM]. assert (F : bounded f) by (exists M; auto).
    assert (OC : forall a, order_free (fun l => f (a :: l))) by (intros a l l' P; apply OF; auto).
    rewrite E_samples_S by auto using proper_mixed.
    rewrite (E_ext _ _ (fun a => E (Bin n q) (sorted D U n (fun l => f (a :: l))))) by (intro a; apply IHn; auto; exists M; auto).
    unfold mixed. rewrite E_bind.
    2:{ apply proper_Ber; auto. } 2:{ intros []; auto. }
    2:{ apply bounded_E2; [apply proper_Bin; auto|]. exists M. intros a c. apply E_abs; auto using proper_samples. intro; apply E_abs; auto using proper_samples. }
    rewrite E_Ber. rewrite E_Bin_S by (auto using bounded_sorted).
    assert (SW : forall e : law A, proper e -> E e (fun a => E (Bin n q) (sorted D U n (fun l => f (a :: l))))
       = E (Bin n q) (fun c => E e (fun a => sorted D U n (fun l => f (a :: l)) c))).
    { intros e PE. apply E_swap; auto using proper_Bin. exists M. intros a c. apply E_abs; auto using proper_samples. intro; apply E_abs; auto using proper_samples. }
    rewrite !SW by auto. f_equal; f_equal.
    + apply E_Bin_le; auto.
      * apply bounded_E2; auto. exists M. intros c a. apply E_abs; auto using proper_samples. intro; apply E_abs; auto using proper_samples.
      * apply (bounded_1 (sorted D U (S n) f) S). apply bounded_sorted; auto.
      * intros c L. unfold sorted at 2. replace (S n - S c)%nat with (n - c)%nat by lia.
        assert (G : bounded (fun l => E (samples U (n - c)) (fun r => f (l ++ r)))) by (apply bounded_E2; [apply proper_samples; auto | exists M; auto]).
        rewrite E_samples_S by auto. reflexivity.
    + apply E_Bin_le; auto.
      * apply bounded_E2; auto. exists M. intros c a. apply E_abs; auto using proper_samples. intro; apply E_abs; auto using proper_samples.
      * apply bounded_sorted; auto.
      * intros c L. unfold sorted. replace (S n - c)%nat with (S (n - c)) by lia.
        rewrite E_swap by (auto using proper_samples; exists M; intros; apply E_abs; auto using proper_samples).
        apply E_ext; intro l.
        rewrite E_samples_S by (auto; exists M; auto).
        apply E_ext; intro a. apply E_ext; intro r. apply OF. change (a :: l ++ r) with ([a] ++ (l ++ r)).
        rewrite app_assoc. change (l ++ a :: r) with (l ++ [a] ++ r). rewrite (app_assoc l). apply Permutation_app_tail, Permutation_app_comm.
Qed.

(* ---- Algorithm ut-transformation ---- *)
Lemma independent_at {A} : forall (ds : list (law A)) N, independent ds N = Parity.independent (map (fun d => d N) ds).
Proof.
  induction ds as [|d ds IH]; intro N; [reflexivity|]. cbn [independent map Parity.independent]. unfold bind. f_equal.
  apply functional_extensionality; intro a. rewrite IH. reflexivity.
Qed.
Lemma samples_at {A} : forall (d : law A) n N, samples d n N = UniformityTransformation.samples (d N) n.
Proof.
  intros. unfold samples, UniformityTransformation.samples. rewrite independent_at. f_equal.
  induction n; simpl; [reflexivity | f_equal; auto].
Qed.

(* The elements that are used of a stream: l of them, and then samples of U. *)
Fixpoint fill {X} (U : law X) (l : nat) (x : list X) : law (list X) :=
  match x with
  | [] => point []
  | a :: x => match l with
              | S l => bind (fill U l x) (fun d => point (a :: d))
              | O => bind U (fun a => bind (fill U O x) (fun d => point (a :: d)))
              end
  end.
Lemma fill_at {X} : forall (U : law X) x l N, fill U l x N = UniformityTransformation.fill X (U N) l x.
Proof.
  induction x as [|a x IH]; intros l N; [reflexivity|]. destruct l; cbn [fill UniformityTransformation.fill]; unfold bind.
  - f_equal. apply functional_extensionality; intro b. rewrite IH. reflexivity.
  - rewrite IH. reflexivity.
Qed.
Lemma proper_fill {X} : forall (U : law X) x l, proper U -> proper (fill U l x).
Proof.
  intros U x l H. revert l. induction x as [|a x IH]; intro l; [apply proper_point|].
  destruct l; cbn [fill]; repeat (apply proper_bind; auto; intro); apply proper_point.
Qed.
Lemma E_fill_S {X} : forall (U : law X) x a l f, proper U -> bounded f -> E (fill U (S l) (a :: x)) f = E (fill U l x) (fun d => f (a :: d)).
Proof.
  intros U x a l f H F. cbn [fill]. rewrite E_bind by (auto using proper_fill; intro; apply proper_point).
  apply E_ext; intro d. apply E_point.
Qed.
Lemma E_fill_O {X} : forall (U : law X) x a f, proper U -> bounded f ->
  E (fill U O (a :: x)) f = E U (fun b => E (fill U O x) (fun d => f (b :: d))).
Proof.
  intros U x a f H F. cbn [fill].
  assert (P : forall b : X, proper (bind (fill U O x) (fun d => point (b :: d)))) by (intro; apply proper_bind; [apply proper_fill; auto | intro; apply proper_point]).
  rewrite E_bind by auto. apply E_ext; intro b. rewrite E_bind by (auto using proper_fill; intro; apply proper_point).
  apply E_ext; intro d. apply E_point.
Qed.
(* On a stream of samples of D: l samples of D, the rest of U. *)
Lemma fill_sorted {X} : forall (D U : law X) t l f, proper D -> proper U -> bounded f -> (l <= t)%nat ->
  E (samples D t) (fun x => E (fill U l x) f) = sorted D U t f l.
Proof.
  intros D U t l f PD PU. revert l f. induction t; intros l f F L.
  - replace l with O by lia. unfold sorted. rewrite !E_samples_O. cbn [fill]. rewrite E_point. reflexivity.
  - destruct F as [M HM]. assert (F : bounded f) by (exists M; auto).
    rewrite E_samples_S by (auto; apply bounded_E; auto using proper_fill).
    destruct l as [|l].
    + rewrite (E_ext D _ (fun _ => E U (fun b => E (samples D t) (fun x => E (fill U O x) (fun d => f (b :: d)))))).
      2:{ intro a. rewrite (E_ext _ _ (fun x => E U (fun b => E (fill U O x) (fun d => f (b :: d))))) by (intro; apply E_fill_O; auto).
          apply E_swap; auto using proper_samples. exists M. intros; apply E_abs; auto using proper_fill. }
      rewrite E_const by auto. unfold sorted. rewrite E_samples_O, Nat.sub_0_r. rewrite E_samples_S by auto. apply E_ext; intro b.
      rewrite IHt by (try lia; exists M; auto). unfold sorted. rewrite E_samples_O, Nat.sub_0_r. reflexivity.
    + unfold sorted. replace (S t - S l)%nat with (t - l)%nat by lia.
      assert (G : bounded (fun v => E (samples U (t - l)) (fun r => f (v ++ r)))) by (apply bounded_E2; [apply proper_samples; auto | exists M; auto]).
      rewrite E_samples_S by auto. apply E_ext; intro a.
      rewrite (E_ext _ _ (fun x => E (fill U l x) (fun d => f (a :: d)))) by (intro; apply E_fill_S; auto).
      rewrite IHt by (try lia; exists M; auto). reflexivity.
Qed.

(* Two batches of messages, shuffled together. *)
Lemma two_batches {X Y} : forall (r : X -> table (list Y)) a b f,
  sum_over (ShuffleModel.view r a) (fun y => sum_over (ShuffleModel.view r b) (fun m => sum_over (Shuffle.shuffle (y ++ m)) f))
  = sum_over (ShuffleModel.view r (a ++ b)) f.
Proof.
  intros r a b f.
  rewrite (Transformation.E_view r (a ++ b)), Transformation.E_messages_app.
  rewrite Transformation.E_view_order_free.
  2:{ intros y y' P. apply Law.E_ext; intro m. apply Shuffle.shuffle_perm. apply Permutation_app_tail; auto. }
  apply Law.E_ext; intro l. rewrite Transformation.E_view_order_free; auto.
  intros m m' P. apply Shuffle.shuffle_perm. apply Permutation_app_head; auto.
Qed.

Section Transformed.
Context {C X Y Z : Type} (P : protocol C X Y Z) (D : law X) (third : nat).
Let n := (3 * third)%nat.
Let Q := Q_UT P D third.
Let r (N : nat) (c : C) (a : X) : table (list Y) := randomizer P n c a N.
Let an (N : nat) (c : C) (y : list Y) : table Z := analyzer P n c y N.

Lemma add_at : forall N c a y, bind (randomizer P n c a) (fun l => shuffle (y ++ l)) N = Transformation.add_element (r N c) a y.
Proof. intros. unfold bind, Transformation.add_element. f_equal. apply functional_extensionality; intro l. rewrite shuffle_finite. reflexivity. Qed.
Lemma ut_process_at : forall N x c y rest F,
  sum_over (process (update Q) x (c, y, rest) N) F
  = sum_over (Online.process (UniformityTransformation.ut_update X Y (r N c) (D N)) x (y, rest)) (fun s => F (c, fst s, snd s)).
Proof.
  intros N. induction x as [|a x IH]; intros c y rest F.
  - cbn [process Online.process]. unfold point. simpl. ring.
  - cbn [process Online.process]. rewrite slice_bind, Law.E_bind, UniformityTransformation.E_update.
    unfold Q, Q_UT. cbn [update]. destruct rest as [|rest].
    + rewrite slice_bind. rewrite slice_bind. apply Law.E_ext; intro b. fold n. rewrite add_at. apply Law.E_ext; intro J.
      unfold point. cbn [sum_over]. rewrite Rmult_1_l, Rplus_0_r. apply IH.
    + rewrite slice_bind. fold n. rewrite add_at. apply Law.E_ext; intro J.
      unfold point. cbn [sum_over]. rewrite Rmult_1_l, Rplus_0_r. apply IH.
Qed.
Lemma ut_output_sum : forall N c y rest F, sum_over (output Q (c, y, rest) N) F
  = sum_over (UniformityTransformation.ut_output X Y Z (r N c) (an N c) (D N) third (y, rest)) F.
Proof.
  intros. unfold Q, Q_UT, UniformityTransformation.ut_output. cbn [output fst]. fold n.
  rewrite !slice_bind, samples_at, Law.E_bind. apply Law.E_ext; intro x. unfold Transformation.final_output.
  rewrite slice_bind, !Law.E_bind, messages_at. apply Law.E_ext; intro l. rewrite shuffle_finite. reflexivity.
Qed.

(* What the intruder sees. *)
Definition seen (t : nat) (x : list X) : law ((C * list Y * nat) * Z) :=
  bind (coins P n) (fun c => bind (samples D third) (fun d0 => bind (Bin n (2 / 9)) (fun n' =>
  let l := Nat.min n' third in let rest := (l - length (firstn t x))%nat in
  bind (fill D l (firstn t x)) (fun d => bind (view (randomizer P n c) (d0 ++ d)) (fun y =>
  bind (fill D rest (skipn t x)) (fun e => bind (samples D third) (fun d1 => bind (view (randomizer P n c) (e ++ d1)) (fun m =>
  bind (bind (shuffle (y ++ m)) (analyzer P n c)) (fun z => point ((c, y, rest), z)))))))))).
Lemma seen_same : forall t x, same_law (seen t x) (intruder_view Q t x).
Proof.
  intros t x F B. apply E_slices; intro N. unfold seen, intruder_view. rewrite !slice_bind.
  change (initial Q N) with (bind (coins P n) (fun c => bind (bind (samples D third) (view (randomizer P n c))) (fun y =>
    bind (Bin n (2 / 9)) (fun n' => point (c, y, Nat.min n' third)))) N).
  rewrite slice_bind. apply Law.E_ext; intro c.
  pose proof (UniformityTransformation.ut_view_split X Y Z (r N c) (an N c) (D N) third (UniformityTransformation.Bin n (2 / 9)) t x
    (fun s z => F ((c, fst s, snd s), z))) as S.
  transitivity (sum_over (Online.intruder_view (UniformityTransformation.ut_initial X Y (r N c) (D N) third (UniformityTransformation.Bin n (2 / 9)))
    (UniformityTransformation.ut_update X Y (r N c) (D N)) (UniformityTransformation.ut_output X Y Z (r N c) (an N c) (D N) third) t x)
    (fun v => F ((c, fst (fst v), snd (fst v)), snd v))).
  - rewrite S. clear S. cbv zeta. rewrite slice_bind, samples_at. apply Law.E_ext; intro d0.
    rewrite slice_bind, Bin_finite. apply Law.E_ext; intro c'. cbv zeta. rewrite slice_bind, fill_at. apply Law.E_ext; intro d.
    rewrite slice_bind, view_at. apply Law.E_ext; intro y. rewrite slice_bind, fill_at. apply Law.E_ext; intro e.
    rewrite slice_bind, samples_at. apply Law.E_ext; intro d1. rewrite slice_bind, view_at. apply Law.E_ext; intro m.
    unfold Transformation.reading. rewrite !slice_bind, shuffle_finite. apply Law.E_ext; intro w. apply Law.E_ext; intro z.
    unfold point. simpl. ring.
  - clear S. unfold Online.intruder_view, Online.state_after, UniformityTransformation.ut_initial. rewrite !Law.E_bind.
    rewrite slice_bind. rewrite slice_bind, samples_at. apply Law.E_ext; intro d0. rewrite view_at. apply Law.E_ext; intro y.
    rewrite slice_bind, Bin_finite, Law.E_bind. apply Law.E_ext; intro c'.
    change (sum_over (point (c, y, Nat.min c' third) N) ?G) with (1 * G (c, y, Nat.min c' third) + 0). cbv beta. rewrite Rmult_1_l, Rplus_0_r.
    rewrite Law.E_point, ut_process_at. apply Law.E_ext; intros [J rest]. cbn [fst snd].
    rewrite !slice_bind, !Law.E_bind, ut_process_at. apply Law.E_ext; intros [K rest']. cbn [fst snd].
    rewrite ut_output_sum. apply Law.E_ext; intro z. unfold point. simpl. ring.
Qed.
End Transformed.

(* ---- Lemma ut-transformation ---- *)
Section Lemma_ut.
Context {C X Y : Type} (U : universe X) (P : protocol C X Y bool) (third : nat).
Hypothesis PP : shuffle_protocol P.
Hypothesis third_pos : (0 < third)%nat.
Hypothesis size_pos : 1 <= size U.
Let n := (3 * third)%nat.
Let D : law X := uniform (elements U).
Let u : table X := Shuffle.uniform (elements U).

Lemma elements_nonnil : elements U <> [].
Proof. intro H. unfold size in size_pos. rewrite H in size_pos. simpl in size_pos. lra. Qed.
Lemma u_proper : Law.proper u.
Proof. apply Shuffle.proper_uniform, elements_nonnil. Qed.
Lemma D_proper : proper D.
Proof. apply (proper_finite u u_proper). Qed.
Lemma PR : forall c a, proper (randomizer P n c a).
Proof. intros. apply (PP n). Qed.
Lemma PA : forall c y, proper (analyzer P n c y).
Proof. intros. apply (PP n). Qed.
Lemma PV : forall c x, proper (view (randomizer P n c) x).
Proof. intros. apply proper_view. intro; apply PR. Qed.
Lemma PF : forall l x, proper (fill D l x).
Proof. intros. apply proper_fill, D_proper. Qed.
Lemma PS : forall k, proper (samples D k).
Proof. intros. apply proper_samples, D_proper. Qed.
Lemma PB : proper (Bin n (2 / 9)).
Proof. apply proper_Bin; lra. Qed.

Lemma Pr_fill : forall l x f, E (fill D l x) f = sum_over (UniformityTransformation.fill X u l x) f.
Proof. intros. rewrite <- E_finite. apply E_slices; intro N. rewrite fill_at. reflexivity. Qed.
Lemma E_samples_u : forall k f, E (samples D k) f = sum_over (UniformityTransformation.samples u k) f.
Proof. intros. rewrite <- E_finite. apply E_slices; intro N. rewrite samples_at. reflexivity. Qed.

(* From an inequality for all data of the right length to one for mixtures. *)
Lemma fill_mix {B} : forall x x' l (k k' : list X -> law B) eps delta, (forall d, proper (k d)) -> (forall d, proper (k' d)) ->
  neighbours x x' -> (forall d d', length d = length x -> neighbours d d' -> close eps delta (k d) (k' d')) ->
  close eps delta (bind (fill D l x) k) (bind (fill D l x') k').
Proof.
  intros x x' l k k' eps delta K K' N H T. unfold Pr. rewrite !E_bind by auto using PF, bounded_indicator. rewrite !Pr_fill.
  apply (UniformityTransformation.fill_close X u u_proper x x' l); auto. intros d d' L Nd. apply H; auto.
Qed.
Lemma samples_mix {B} : forall j (k k' : list X -> law B) eps delta, (forall d, proper (k d)) -> (forall d, proper (k' d)) ->
  (forall d, length d = j -> close eps delta (k d) (k' d)) -> close eps delta (bind (samples D j) k) (bind (samples D j) k').
Proof.
  intros j k k' eps delta K K' H T. unfold Pr. rewrite !E_bind by auto using PS, bounded_indicator. rewrite !E_samples_u.
  apply UniformityTransformation.E_le_affine_in; [apply UniformityTransformation.proper_samples, u_proper|].
  intros p I. apply UniformityTransformation.samples_length in I. apply H; auto.
Qed.

Ltac propers := repeat (first [apply PV | apply PF | apply PS | apply PB | apply proper_shuffle | apply PA | apply proper_point
  | apply proper_bind; intros]); auto.

Theorem ut_pan_private : forall eps delta, robustly_shuffle_private P eps delta (1 / 3) -> pan_private third eps delta (Q_UT P D third).
Proof.
  intros eps delta RB t x x' L N.
  apply (close_same eps delta _ _ _ _ (seen_same P D third t x) (seen_same P D third t x')).
  assert (LX : length x = length x') by (exact (Closeness.neighbours_length x x' N)).
  assert (RA : forall c w w', (third <= length w <= n)%nat -> neighbours w w' ->
            close eps delta (view (randomizer P n c) w) (view (randomizer P n c) w')).
  { intros c w w' Lw Nw. apply (RB n (length w) c); auto; [unfold n in *; lia|].
    assert (INR n <= INR (3 * length w)) by (apply le_INR; unfold n; lia). rewrite mult_INR in *. simpl (INR 3) in *. lra. }
  unfold seen. fold n. apply mixture_close; [apply (PP n) | intro; propers | intro; propers|]. intro c.
  apply samples_mix; [intro; propers | intro; propers|]. intros d0 L0.
  apply mixture_close; [propers | intro; cbv zeta; propers | intro; cbv zeta; propers|]. intro n'. cbv zeta.
  pose proof (firstn_length t x) as F1. pose proof (skipn_length t x) as F2.
  destruct (Transformation.neighbours_split x x' t N) as [[E1 N1]|[N1 E1]].
  - rewrite E1. apply mixture_close; [propers | intro; propers | intro; propers|]. intro d.
    apply mixture_close; [propers | intro; propers | intro; propers|]. intro y.
    apply fill_mix; auto; [intro; propers | intro; propers|]. intros e e' Le Ne.
    apply samples_mix; [intro; propers | intro; propers|]. intros d1 L1.
    apply post_processing; [propers | propers | intro; propers|].
    apply RA; [rewrite app_length; unfold n; lia | apply Transformation.neighbours_app_r; auto].
  - assert (LL : length (firstn t x') = length (firstn t x)) by (symmetry; exact (Closeness.neighbours_length _ _ N1)).
    rewrite E1, LL. apply fill_mix; auto; [intro; propers | intro; propers|]. intros d d' Ld Nd.
    apply post_processing; [propers | propers | intro; propers|].
    apply RA; [rewrite app_length; unfold n; lia | apply Transformation.neighbours_app_l; auto].
Qed.

(* The output on a stream: g of the data that are used. *)
Lemma ut_output_law : forall x T, length x = third ->
  Pr (output_of (Q_UT P D third) x) T
  = E (samples D third) (fun d0 => E (Bin n (2 / 9)) (fun n' => E (fill D (Nat.min n' third) x) (fun d =>
    E (samples D third) (fun d1 => Pr (execution P n (d0 ++ d ++ d1)) T)))).
Proof.
  intros x T L.
  assert (S1 : Pr (output_of (Q_UT P D third) x) T = Pr (bind (seen P D third third x) (fun v => point (snd v))) T).
  { unfold Pr. assert (PQ : proper (seen P D third third x)) by (unfold seen; fold n; apply proper_bind; [apply (PP n) | intros; propers]).
    rewrite E_bind by (auto using bounded_indicator; intro; apply proper_point).
    rewrite (seen_same P D third third x).
    2:{ apply bounded_01. intro a. rewrite E_point. destruct (T (snd a)); simpl; lra. }
    rewrite <- (E_slices (bind (intruder_view (Q_UT P D third) third x) (fun v => point (snd v))) (output_of (Q_UT P D third) x) (fun a => indicator (T a)) (fun a => indicator (T a))).
    2:{ intro N. apply output_is_seen. }
    apply E_slices. intro N. rewrite slice_bind. apply Law.E_ext; intro v. unfold point.
    rewrite E_finite. reflexivity. }
  rewrite S1. clear S1.
  pose (g c w := E (bind (view (randomizer P n c) w) (analyzer P n c)) (fun b => indicator (T b))).
  assert (G01 : forall c w, 0 <= g c w <= 1).
  { intros c w. apply (Pr_01 (bind (view (randomizer P n c) w) (analyzer P n c))). propers. }
  assert (S2 : Pr (bind (seen P D third third x) (fun v => point (snd v))) T
    = E (coins P n) (fun c => E (samples D third) (fun d0 => E (Bin n (2 / 9)) (fun n' => E (fill D (Nat.min n' third) x) (fun d =>
      E (samples D third) (fun d1 => g c (d0 ++ d ++ d1))))))).
  { unfold Pr. transitivity (E (bind (coins P n) (fun c => bind (samples D third) (fun d0 => bind (Bin n (2 / 9)) (fun n' =>
       bind (fill D (Nat.min n' third) x) (fun d => bind (samples D third) (fun d1 => bind (view (randomizer P n c) (d0 ++ d ++ d1)) (analyzer P n c)))))))
       (fun b => indicator (T b))).
    - apply E_slices. intro N. rewrite slice_bind. unfold seen. fold n. rewrite !slice_bind. apply Law.E_ext; intro c.
      rewrite !slice_bind. apply Law.E_ext; intro d0. rewrite !slice_bind. apply Law.E_ext; intro n'. cbv zeta. rewrite !slice_bind.
      rewrite firstn_all2, skipn_all2 by lia. apply Law.E_ext; intro d. cbn [fill].
      rewrite slice_bind.
      rewrite (Law.E_ext (view (randomizer P n c) (d0 ++ d) N) _ (fun y => sum_over (samples D third N) (fun d1 =>
        sum_over (view (randomizer P n c) d1 N) (fun m => sum_over (Shuffle.shuffle (y ++ m)) (fun w => sum_over (analyzer P n c w N) (fun b => indicator (T b))))))).
      2:{ intro y. rewrite slice_bind. unfold point at 1. cbn [sum_over]. rewrite Rmult_1_l, Rplus_0_r. rewrite slice_bind.
          apply Law.E_ext; intro d1. cbn [app]. rewrite slice_bind. apply Law.E_ext; intro m. rewrite !slice_bind, shuffle_finite.
          apply Law.E_ext; intro w. apply Law.E_ext; intro b. unfold point. cbn [sum_over snd]. ring. }
      rewrite Law.E_swap. rewrite slice_bind. apply Law.E_ext; intro d1. rewrite slice_bind, !view_at.
      rewrite app_assoc. apply two_batches.
    - rewrite E_bind; [|apply (PP n) | intro; propers | apply bounded_indicator]. apply E_ext; intro c.
      rewrite E_bind; [|propers | intro; propers | apply bounded_indicator]. apply E_ext; intro d0.
      rewrite E_bind; [|propers | intro; propers | apply bounded_indicator]. apply E_ext; intro n'.
      rewrite E_bind; [|propers | intro; propers | apply bounded_indicator]. apply E_ext; intro d.
      rewrite E_bind; [|propers | intro; propers | apply bounded_indicator]. apply E_ext; intro d1. reflexivity. }
  rewrite S2. clear S2.
  assert (GX : forall w, Pr (execution P n w) T = E (coins P n) (fun c => g c w)).
  { intro w. unfold Pr, execution. rewrite E_bind; [reflexivity | apply (PP n) | intro; propers | apply bounded_indicator]. }
  assert (PC : proper (coins P n)) by apply (PP n).
  assert (R4 : forall c d0 (n' : nat) d, 0 <= E (samples D third) (fun d1 => g c (d0 ++ d ++ d1)) <= 1) by (intros; apply E_range; [apply PS | intro; apply G01]).
  assert (R3 : forall c d0 n', 0 <= E (fill D (Nat.min n' third) x) (fun d => E (samples D third) (fun d1 => g c (d0 ++ d ++ d1))) <= 1) by (intros; apply E_range; [apply PF | intro; apply (R4 c d0 n')]).
  assert (R2 : forall c d0, 0 <= E (Bin n (2 / 9)) (fun n' => E (fill D (Nat.min n' third) x) (fun d => E (samples D third) (fun d1 => g c (d0 ++ d ++ d1)))) <= 1) by (intros; apply E_range; [apply PB | intro; apply R3]).
  assert (AB : forall v, 0 <= v <= 1 -> Rabs v <= 1) by (intros v V; rewrite Rabs_pos_eq; lra).
  rewrite E_swap; [|auto | apply PS | exists 1; intros; apply AB, R2]. apply E_ext; intro d0.
  rewrite E_swap; [|auto | apply PB | exists 1; intros; apply AB, R3]. apply E_ext; intro n'.
  rewrite E_swap; [|auto | apply PF | exists 1; intros; apply AB, (R4 _ _ n')]. apply E_ext; intro d.
  rewrite E_swap; [|auto | apply PS | exists 1; intros; apply AB, G01]. apply E_ext; intro d1. symmetry. apply GX.
Qed.

Lemma proper_Q_UT : online_algorithm (Q_UT P D third).
Proof.
  split; [|split].
    - unfold Q_UT; cbn [initial]. fold n. apply proper_bind; [apply (PP n) | intros; propers].
    - intros a [[c y] rest]. cbn. fold n. destruct rest; apply proper_bind; try (intros; apply proper_point).
      + apply proper_bind; [apply D_proper | intros; apply proper_bind; [apply PR | intros; propers]].
      + apply proper_bind; [apply PR | intros; propers].
    - intros [[c y] rest]. cbn. fold n. apply proper_bind; [|apply PA]. apply proper_bind; [propers|]. intro.
      apply proper_bind; [apply proper_messages; intro; apply PR | intros; propers].
Qed.

(* On a stream of samples of a law F. *)
Lemma ut_on_samples : forall (F : law X) T, proper F ->
  Pr (bind (samples F third) (output_of (Q_UT P D third))) T
  = E (Bin n (2 / 9)) (fun n' => sorted F D n (fun w => Pr (execution P n w) T) (Nat.min n' third)).
Proof.
  intros F T HF. set (g := fun w => Pr (execution P n w) T).
  assert (G01 : forall w, 0 <= g w <= 1) by (intro; apply Pr_01, proper_execution; auto).
  assert (GB : forall w, Rabs (g w) <= 1) by (intro w; rewrite Rabs_pos_eq; apply G01).
  assert (GO : order_free g) by (intros w w' W; apply execution_perm; auto using bounded_indicator).
  pose proof proper_Q_UT as QO.
  assert (SF : forall k, proper (samples F k)) by (intro; apply proper_samples; auto).
  unfold Pr. rewrite E_bind; [|auto | intro; apply proper_output_of; auto | apply bounded_indicator].
  (* only streams of the right length *)
  assert (LEN : forall (h h' : list X -> R), bounded h -> bounded h' -> (forall x, length x = third -> h x = h' x) -> E (samples F third) h = E (samples F third) h').
  { clear -HF SF. generalize third. intro t. intros h h' B B' H. revert h h' B B' H. induction t; intros h h' [M HM] [M' HM'] H.
    - rewrite !E_samples_O. apply H; reflexivity.
    - assert (bounded h) by (exists M; auto). assert (bounded h') by (exists M'; auto).
      rewrite !E_samples_S by auto. apply E_ext; intro a.
      apply IHt; [exists M; auto | exists M'; auto|]. intros x L. apply H. simpl; auto. }
  rewrite (LEN _ (fun x => E (samples D third) (fun d0 => E (Bin n (2 / 9)) (fun n' => E (fill D (Nat.min n' third) x) (fun d =>
    E (samples D third) (fun d1 => g (d0 ++ d ++ d1))))))).
  2:{ apply bounded_01. intro x. apply (Pr_01 (output_of (Q_UT P D third) x)). apply proper_output_of; auto. }
  2:{ exists 1. intro x. repeat (apply E_abs; [first [apply PS | apply PB | apply PF]|]; intro). apply GB. }
  2:{ intros x L. apply (ut_output_law x T L). }
  rewrite E_swap; [|auto | apply PS | exists 1; intros; repeat (apply E_abs; [first [apply PS | apply PB | apply PF]|]; intro); apply GB].
  rewrite (E_ext (samples D third) _ (fun d0 => E (Bin n (2 / 9)) (fun n' => sorted F D third (fun d => E (samples D third) (fun d1 => g (d0 ++ d ++ d1))) (Nat.min n' third)))).
  2:{ intro d0. rewrite E_swap; [|auto | apply PB | exists 1; intros; repeat (apply E_abs; [first [apply PS | apply PF]|]; intro); apply GB].
      apply E_ext; intro n'. apply fill_sorted; auto using D_proper; [|lia]. exists 1. intro d. apply E_abs; [apply PS|]. intro; apply GB. }
  rewrite E_swap; [|apply PS | apply PB | exists 1; intros; unfold sorted; apply E_abs; [auto|]; intro; apply E_abs; [apply PS|]; intro; apply E_abs; [apply PS|]; intro; apply GB].
  apply E_ext; intro n'. set (l := Nat.min n' third). unfold sorted.
  rewrite E_swap; [|apply PS | auto | exists 1; intros; apply E_abs; [apply PS|]; intro; apply E_abs; [apply PS|]; intro; apply GB].
  apply E_ext; intro a.
  (* three batches of samples of D *)
  replace (n - l)%nat with (third + ((third - l) + third))%nat by (unfold n, l; lia).
  rewrite E_samples_app; [|apply D_proper | exists 1; auto]. apply E_ext; intro d0.
  rewrite E_samples_app; [|apply D_proper | exists 1; auto]. apply E_ext; intro b. apply E_ext; intro d1.
  apply GO. rewrite <- !app_assoc. rewrite (app_assoc d0 a), (app_assoc a d0). apply Permutation_app_tail, Permutation_app_comm.
Qed.
End Lemma_ut.

Theorem lemma_ut_transformation_holds : lemma_ut_transformation.
Proof.
  intros C X Y U P third eps delta alpha PP T0 K1 RB [SU SF] Q. split; [apply ut_pan_private; auto|].
  set (D := uniform (elements U)). set (n := (3 * third)%nat).
  assert (PD : proper D) by (apply D_proper; auto).
  assert (PX : forall w, proper (execution P n w)) by (intro; apply proper_execution; auto).
  assert (G01 : forall T w, 0 <= Pr (execution P n w) T <= 1) by (intros; apply Pr_01; auto).
  assert (GB : forall T, bounded (fun w => Pr (execution P n w) T)) by (intro; apply bounded_01; auto).
  assert (PB2 : proper (Bin n (2 / 9))) by (apply proper_Bin; lra).
  split.
  - eapply Rle_trans; [|right; symmetry; apply (ut_on_samples U P third PP T0 K1 D (fun b => b) PD)]. fold n D.
    unfold Pr in SU. fold n D in SU. rewrite E_bind in SU by auto using proper_samples, bounded_indicator.
    eapply Rle_trans; [exact SU|]. right.
    rewrite (E_ext (Bin n (2 / 9)) _ (fun _ => E (samples D n) (fun w => Pr (execution P n w) (fun b => b)))).
    + rewrite E_const; auto.
    + intro n'. unfold sorted. rewrite <- (E_samples_app D (Nat.min n' third) (n - Nat.min n' third) (fun w => Pr (execution P n w) (fun b => b)) PD) by apply GB.
      replace (Nat.min n' third + (n - Nat.min n' third))%nat with n by (unfold n; lia). reflexivity.
  - intros F PF FAR. eapply Rle_trans; [|right; symmetry; apply (ut_on_samples U P third PP T0 K1 F negb PF)]. fold n D.
    assert (PM : proper (mixed (2 / 9) F D)) by (apply proper_mixed; auto; lra).
    assert (MF : tv_above (mixed (2 / 9) F D) D alpha).
    { destruct FAR as [T HT]. fold D in HT. exists T.
      assert (ME : Pr (mixed (2 / 9) F D) T = 2 / 9 * Pr F T + (1 - 2 / 9) * Pr D T).
      { unfold mixed, Pr. rewrite E_bind; [rewrite E_Ber; reflexivity | apply proper_Ber; lra | intros []; auto | apply bounded_indicator]. }
      rewrite ME. replace (2 / 9 * Pr F T + (1 - 2 / 9) * Pr D T - Pr D T) with (2 / 9 * (Pr F T - Pr D T)) by ring.
      rewrite Rabs_mult, (Rabs_pos_eq (2 / 9)) by lra. lra. }
    specialize (SF _ PM MF). unfold Pr in SF. fold n D in SF. rewrite E_bind in SF by auto using proper_samples, bounded_indicator.
    set (g := fun w => Pr (execution P n w) negb) in *.
    change (fun a => E (execution P n a) (fun a0 => indicator (negb a0))) with g in SF.
    assert (GO : order_free g) by (intros w w' W; apply execution_perm; auto using bounded_indicator).
    rewrite mixture_sorted in SF; auto; [|lra | apply GB].
    assert (S01 : forall c, 0 <= sorted F D n g c <= 1).
    { intro c. apply E_range; [apply proper_samples; auto|]. intro. apply E_range; [apply proper_samples; auto|]. intro. apply G01. }
    pose proof (chernoff_step_repaired_holds third T0) as CH. fold n in CH.
    assert (LE : E (Bin n (2 / 9)) (sorted F D n g) <= E (Bin n (2 / 9)) (fun n' => sorted F D n g (Nat.min n' third) + indicator (lt (INR third) (INR n')))).
    { apply E_le; auto using bounded_01. apply bounded_plus; [apply bounded_01; auto | apply bounded_indicator].
      intro c. unfold lt. destruct (Rlt_dec (INR third) (INR c)) as [L|L]; simpl.
      - specialize (S01 c) as A. specialize (S01 (Nat.min c third)) as B. lra.
      - assert (c <= third)%nat by (destruct (le_lt_dec c third); auto; exfalso; apply L, lt_INR; auto).
        rewrite Nat.min_l by auto. lra. }
    rewrite E_plus in LE; auto; [|apply bounded_01; auto | apply bounded_indicator].
    change (E (Bin n (2 / 9)) (fun n' => indicator (lt (INR third) (INR n')))) with (Pr (Bin n (2 / 9)) (fun c => lt (INR third) (INR c))) in LE.
    lra.
Qed.

(* ---- Theorem ut-pure-lower-bound ---- *)
Lemma Rpower_mult_distr_l : forall x y z, 0 < x -> 0 < y -> Rpower (x * y) z = Rpower x z * Rpower y z.
Proof. intros. symmetry. apply Rpower_mult_distr; auto. Qed.
Lemma Rpower_scale_le : forall alpha e, 0 < alpha -> 0 < e <= 2 -> Rpower (9 * alpha / 2) e <= 81 / 4 * Rpower alpha e.
Proof.
  intros alpha e A H. replace (9 * alpha / 2) with (9 / 2 * alpha) by field. rewrite Rpower_mult_distr_l by lra.
  apply Rmult_le_compat_r; [left; apply exp_pos|]. apply Rle_trans with (Rpower (9 / 2) 2); [apply Rle_Rpower; lra|].
  replace 2 with (INR 2) at 2 by (simpl; lra). rewrite Rpower_pow by lra. simpl; lra.
Qed.
Lemma order_lower_scale : forall k alpha eps, 0 < k -> 0 < alpha -> 0 < eps ->
  4 / 81 * order_lower k alpha eps <= order_lower k (9 * alpha / 2) eps.
Proof.
  intros k alpha eps K A HE. unfold order_lower. rewrite !Rmult_plus_distr_l.
  assert (INV : forall x y z, 0 <= x -> 0 < y -> 0 < z -> z <= 81 / 4 * y -> 4 / 81 * (x / y) <= x / z).
  { intros x y z X Y Z H. unfold Rdiv at 3. replace (4 / 81 * (x / y)) with (x * / (81 / 4 * y)) by (field; lra).
    apply Rmult_le_compat_l; auto. apply Rinv_le_contravar; auto. }
  assert (P1 : 0 < Rpower alpha (4 / 3)) by apply exp_pos. assert (P2 : 0 < Rpower eps (2 / 3)) by apply exp_pos.
  assert (P3 : 0 < Rpower (9 * alpha / 2) (4 / 3)) by apply exp_pos.
  apply Rplus_le_compat; [apply Rplus_le_compat|]; apply INV.
  - left; apply exp_pos.
  - apply Rmult_lt_0_compat; auto.
  - apply Rmult_lt_0_compat; auto.
  - rewrite <- Rmult_assoc. apply Rmult_le_compat_r; [lra|]. apply Rpower_scale_le; lra.
  - apply sqrt_pos.
  - apply pow_lt; auto.
  - apply pow_lt; lra.
  - right. field.
  - lra.
  - apply Rmult_lt_0_compat; auto.
  - apply Rmult_lt_0_compat; lra.
  - assert (0 < alpha * eps) by (apply Rmult_lt_0_compat; auto). nra.
Qed.
Theorem thm_ut_pure_lower_bound_holds : thm_ut_pure_lower_bound.
Proof.
  intros CITED E0 H0. destruct (CITED E0 (1 / 6) H0 ltac:(lra)) as [a [A0 A]]. exists (4 / 81 * a). split; [lra|].
  intros C X Y U P third eps alpha K2 PP T0 HE HA RB SOL.
  destruct (lemma_ut_transformation_holds C X Y U P third eps 0 alpha PP T0 ltac:(lra) RB SOL) as [PAN TEST].
  pose proof (A X _ U (Q_UT P (uniform (elements U)) third) third eps (9 * alpha / 2) (2 / 3) K2
    (proper_Q_UT U P third PP ltac:(lra)) HE ltac:(lra) PAN) as B.
  replace (1 - 2 / 3 + 1 / 6) with (1 / 2) in B by field. specialize (B TEST).
  pose proof (order_lower_scale (size U) alpha eps ltac:(lra) ltac:(lra) ltac:(lra)) as S.
  rewrite mult_INR. simpl (INR 3). pose proof (pos_INR third).
  apply Rle_trans with (a * order_lower (size U) (9 * alpha / 2) eps); [|lra].
  replace (4 / 81 * a * order_lower (size U) alpha eps) with (a * (4 / 81 * order_lower (size U) alpha eps)) by ring.
  apply Rmult_le_compat_l; lra.
Qed.
