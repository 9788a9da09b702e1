(* Section 2.3, its two examples.

   "robust shuffle privacy is not implied by the generic shuffle privacy ...  if each user has a single-bit datum, all users can report their data
    without noise while one designated user reports multiple randomized bits.  If that designated user drops out then the remaining output clearly
    fails to be differentially private."  Proved.

   "each user i's data point is two bits ...  A simple randomizer independently flips each bit with probability p and outputs the resulting two
    randomized bits ...  The analyzer can then recover unbiased estimates": refuted, the shuffled bits do not tell the positions apart; repaired with labels. *)
From Coq Require Import Reals ZArith Lra Lia List Bool Permutation.
From PanshuffleKernel Require Import Law Closeness PostProcessing Parity Shuffle Messages ShuffleModel Transformation UniformityTransformation.
From PanshuffleKernel Require Import BinomialMechanism PanSum BinarySum ShareLaw Hash HashedAccuracy BinomialLemma.
Import ListNotations.
Open Scope R_scope.

(* All users report their bits, and the designated one lambda fair coins. *)
Definition with_designated (lambda : nat) (x : list bool) : law (list bool) :=
  bind (independent (map Ber (repeat (1 / 2) lambda))) (fun coins => shuffle (x ++ coins)).
(* The designated user dropped out. *)
Definition without_designated (x : list bool) : law (list bool) := shuffle x.

Lemma heads_ones : forall x, Z.of_nat (heads x) = ones x.
Proof. induction x as [|[|] x IH]; cbn [heads ones]; lia. Qed.

Theorem designated_private : forall (lambda n : nat) (eps delta : R), 0 < eps -> 0 < delta <= 1 ->
  20 * noise_scale eps delta <= INR lambda -> private_on n eps delta (with_designated lambda).
Proof.
  intros lambda n eps delta He Hd HL.
  assert (HO : hides_one lambda (1 / 2) eps delta).
  { apply b_noise_2; auto; [lra|]. rewrite Rmin_left by lra. pose proof (noise_scale_nonneg eps delta Hd). lra. }
  assert (V : forall x, same_law (with_designated lambda x) (bind (binomial_mechanism lambda (1 / 2) ones x) (fun c => arranged (length x + lambda) (Z.to_nat c)))).
  { intros x f. unfold with_designated, binomial_mechanism. rewrite !E_bind, E_noisy.
    rewrite <- (repeated_bits (1 / 2) lambda (fun c => E (arranged (length x + lambda) (Z.to_nat (ones x + Z.of_nat c))) f)).
    apply E_ext_in. intros u Hu. apply independent_length in Hu. rewrite map_length, repeat_length in Hu. unfold arranged.
    apply shuffle_perm. rewrite <- heads_ones. replace (Z.to_nat (Z.of_nat (heads x) + Z.of_nat (heads (fst u)))) with (heads (x ++ fst u)) by (rewrite heads_app; lia).
    rewrite <- Hu, <- app_length. apply sorted_bits. }
  intros x x' L N. pose proof (neighbours_length _ _ N) as L'.
  apply (close_same eps delta _ _ _ _ (fun f => eq_sym (V x f)) (fun f => eq_sym (V x' f))). rewrite <- L'.
  apply post_processing; [intro; apply proper_shuffle|]. apply HO. apply ones_neighbours; auto.
Qed.

Theorem dropout_not_private : forall (n : nat) (eps delta : R), (0 < n)%nat -> private_on n eps delta without_designated -> 1 <= delta.
Proof.
  intros n eps delta Hn H. set (r := repeat false (n - 1)).
  assert (C : close eps delta (without_designated (true :: r)) (without_designated (false :: r))).
  { apply H; [cbn [length]; unfold r; rewrite repeat_length; lia|]. exists [], true, false, r. auto. }
  specialize (C (existsb (fun b => b))).
  assert (Z : forall l b, (forall m, Permutation l m -> existsb (fun b => b) m = b) -> Pr (without_designated l) (existsb (fun b => b)) = indicator b).
  { intros l b Hl. unfold Pr, without_designated. rewrite (E_ext_in _ _ (fun _ => indicator b)); [apply E_const, proper_shuffle|].
    intros p Hp. apply shuffle_support in Hp. rewrite (Hl _ Hp). reflexivity. }
  rewrite (Z (true :: r) true), (Z (false :: r) false) in C.
  - simpl in C. lra.
  - intros m P. destruct (existsb (fun b => b) m) eqn:X; auto. apply existsb_exists in X. destruct X as [b [I B]]. subst b.
    apply (Permutation_in _ (Permutation_sym P)) in I. destruct I as [I|I]; [discriminate | apply repeat_spec in I; discriminate].
  - intros m P. apply existsb_exists. exists true. split; auto. apply (Permutation_in _ P). left; auto.
Qed.

(* Two bits a user, each flipped with probability p. *)
Definition flipped (p : R) (b : bool) : law bool := Ber (if b then 1 - p else p).
Definition two_bits (p : R) : randomizer (bool * bool) bool :=
  fun x => bind (flipped p (fst x)) (fun a => bind (flipped p (snd x)) (fun b => point [a; b])).
Definition first_sum (x : list (bool * bool)) : R := total x (fun xy => indicator (fst xy)).
Definition second_sum (x : list (bool * bool)) : R := total x (fun xy => indicator (snd xy)).

(* No analyzer is unbiased for the first sums, whatever p and n >= 1 are. *)
Theorem two_bits_refuted : forall (p : R) (n : nat), (0 < n)%nat ->
  ~ exists analyze : list bool -> law R, forall x, length x = n -> E (execution (two_bits p) analyze x) (fun z => z) = first_sum x.
Proof.
  intros p n Hn [analyze H]. set (r := repeat (false, false) (n - 1)).
  assert (L : forall a, length (a :: r) = n) by (intro; cbn [length]; unfold r; rewrite repeat_length; lia).
  pose proof (H ((true, false) :: r) (L _)) as H1. pose proof (H ((false, true) :: r) (L _)) as H2.
  assert (X : E (execution (two_bits p) analyze ((true, false) :: r)) (fun z => z) = E (execution (two_bits p) analyze ((false, true) :: r)) (fun z => z)).
  { unfold execution. rewrite !E_bind, !E_view. unfold messages. cbn [map concatenated]. rewrite !E_join. unfold two_bits at 1 3. cbn [fst snd].
    rewrite !E_bind. rewrite (E_ext (flipped p true) _ (fun a => E (flipped p false) (fun b =>
      E (concatenated (map (two_bits p) r)) (fun l => E (shuffle (a :: b :: l)) (fun y => E (analyze y) (fun z => z)))))).
    2: { intro a. rewrite E_bind. apply E_ext; intro b. rewrite E_point. reflexivity. }
    rewrite (E_ext (flipped p false) (fun a => E (bind (flipped p true) (fun b => point [a; b])) _) (fun a => E (flipped p true) (fun b =>
      E (concatenated (map (two_bits p) r)) (fun l => E (shuffle (b :: a :: l)) (fun y => E (analyze y) (fun z => z)))))).
    2: { intro a. rewrite E_bind. apply E_ext; intro b. rewrite E_point. apply E_ext; intro l. apply shuffle_perm. constructor. }
    rewrite E_swap. reflexivity. }
  rewrite H1, H2 in X. unfold first_sum in X. rewrite !total_cons in X. simpl in X. lra.
Qed.

(* With labels: the count of ones of a position gives an unbiased estimate. *)
Definition labelled_bits (p : R) : randomizer (bool * bool) (bool * bool) :=
  fun x => bind (flipped p (fst x)) (fun a => bind (flipped p (snd x)) (fun b => point [(true, a); (false, b)])).
Definition label_count (label : bool) (y : list (bool * bool)) : R := total y (fun q => indicator (Bool.eqb (fst q) label && snd q)).
Definition label_estimate (p : R) (n : nat) (label : bool) (y : list (bool * bool)) : R := (label_count label y - p * INR n) / (1 - 2 * p).

Lemma total_perm {A} : forall (F : A -> R) l l', Permutation l l' -> total l F = total l' F.
Proof. induction 1; rewrite ?total_cons; try congruence; lra. Qed.

Theorem labelled_bits_unbiased : forall (p : R) (x : list (bool * bool)), 0 <= p < 1 / 2 ->
  E (view (labelled_bits p) x) (label_estimate p (length x) true) = first_sum x
  /\ E (view (labelled_bits p) x) (label_estimate p (length x) false) = second_sum x.
Proof.
  intros p x Hp.
  assert (PF : forall b, proper (flipped p b)) by (intro b; apply proper_Ber; destruct b; lra).
  assert (PM : forall y, proper (messages (labelled_bits p) y)).
  { intro y. apply proper_messages. intro a. apply proper_bind; auto. intro. apply proper_bind; auto. intro; apply proper_point. }
  assert (C : forall label, E (messages (labelled_bits p) x) (label_count label)
    = total x (fun xy => p + (1 - 2 * p) * indicator (if label then fst xy else snd xy))).
  { intro label. unfold messages. induction x as [|[a b] x IH]; [cbn [map concatenated]; rewrite E_point; reflexivity|].
    rewrite total_cons, <- IH. cbn [map concatenated]. rewrite E_join. unfold labelled_bits at 1. rewrite !E_bind. cbn [fst snd].
    rewrite (E_ext (flipped p a) _ (fun u => E (flipped p b) (fun v => indicator (if label then u else v) + E (messages (labelled_bits p) x) (label_count label)))).
    - rewrite (E_ext (flipped p a) _ (fun u => E (flipped p b) (fun v => indicator (if label then u else v)) + E (messages (labelled_bits p) x) (label_count label)))
        by (intro u; rewrite E_plus, (E_const _ _ (PF b)); reflexivity).
      rewrite E_plus, (E_const _ _ (PF a)). fold (messages (labelled_bits p) x). f_equal.
      destruct label; unfold flipped, Ber; destruct a, b; cbn [E indicator]; ring.
    - intro u. rewrite E_bind. apply E_ext; intro v. rewrite E_point. fold (messages (labelled_bits p) x).
      rewrite <- (E_const (messages (labelled_bits p) x) (indicator (if label then u else v)) (PM x)) at 1. rewrite <- E_plus. apply E_ext; intro l.
      unfold label_count. cbn [app]. rewrite !total_cons. cbn [fst snd]. destruct label, u, v; simpl; ring. }
  assert (G : forall label, E (view (labelled_bits p) x) (label_estimate p (length x) label) = total x (fun xy => indicator (if label then fst xy else snd xy))).
  { intro label. rewrite E_view_order_free.
    - unfold label_estimate. rewrite (E_ext _ _ (fun y => / (1 - 2 * p) * label_count label y + - (p * INR (length x)) / (1 - 2 * p))) by (intro; field; lra).
      rewrite E_plus, E_mult, (E_const _ _ (PM x)), C.
      rewrite (total_ext x (fun xy => p + (1 - 2 * p) * indicator (if label then fst xy else snd xy))
        (fun xy => p + indicator (if label then fst xy else snd xy) * (1 - 2 * p))) by (intro; ring).
      rewrite total_plus, total_const, total_mult. field. lra.
    - intros l l' P. unfold label_estimate, label_count. rewrite (total_perm _ l l' P). reflexivity. }
  split; [apply (G true) | apply (G false)].
Qed.
