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
