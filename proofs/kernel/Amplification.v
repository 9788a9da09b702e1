(* Beyond the paper: amplification by shuffling.  Each of N users sends messages; what everybody sees is their shuffle.  If every
   user's law contains a common part, a mixture of letters with fixed weights, then the users whose messages are drawn from it
   hide the one whose data change.

   amplification: the general bound, E[(W_1 + ... + W_N)_+]/N for independent W_i that are the ratio of a letter with the weight
   of that letter, and 0 with the weight that remains.  blanket: the letters are the messages of a randomizer with finitely many
   messages, one a user.  clones: every locally private randomizer has two such letters. *)
From Coq Require Import Reals Lra Lia List Bool Permutation FunctionalExtensionality.
From Coquelicot Require Import Rcomplements.
From PanshuffleKernel Require Law Messages Parity Variances Examples.
From PanshuffleKernel Require Import Countable Privacy Model Poisson Section3Upper Section4Transformation Means Poissonization Tester Section4Tester
  Compression SingleMessage.
From PanshuffleKernel Require Import Paper.
Import ListNotations.
Open Scope R_scope.

(* ---- n letters of a table whose weights need not sum to one ---- *)
Definition draws {A} (t : table A) (n : nat) : table (list A) := Parity.independent (repeat t n).
Lemma draws_S {A} : forall (t : table A) n f, sum_over (draws t (S n)) f = sum_over t (fun a => sum_over (draws t n) (fun l => f (a :: l))).
Proof. intros. apply Variances.E_independent_cons. Qed.
Lemma draws_O {A} : forall (t : table A) f, sum_over (draws t 0) f = f [].
Proof. intros. simpl. ring. Qed.
Lemma draws_nonneg {A} : forall (t : table A) n, Law.nonneg t -> Law.nonneg (draws t n).
Proof.
  intros t n N. induction n as [|n IH]; [apply Law.proper_point|]. apply Law.nonneg_bind; auto. intro a.
  apply Law.nonneg_bind; auto. intro l. apply Law.proper_point.
Qed.
Lemma samples_finite {A} : forall (t : table A) n, samples (fun _ => t) n = fun _ => draws t n.
Proof. intros. apply functional_extensionality; intro N. apply samples_at. Qed.
Lemma table_factor {A} : forall (t : table A) f c, sum_over t (fun a => f a * c) = sum_over t f * c.
Proof. intros. rewrite Rmult_comm, <- Law.E_mult. apply Law.E_ext; intro; ring. Qed.

Section Letters.
Context {A : Type} (t : table A) (c : A -> R).
Hypothesis N : Law.nonneg t.
(* A letter that counts with its ratio c, and then n more. *)
Definition first (n : nat) (H : list A -> R) : R := sum_over t (fun a => c a * sum_over (draws t n) (fun l => H (a :: l))).
Definition above (z : R) : R := if Rlt_dec 0 z then 1 else 0.

Lemma first_ext : forall n H G, (forall l, H l = G l) -> first n H = first n G.
Proof. intros n H G Q. apply Law.E_ext; intro a. f_equal. apply Law.E_ext; intro l. apply Q. Qed.
Lemma first_sum {B} : forall n (s : table B) H, first n (fun l => sum_over s (fun b => H b l)) = sum_over s (fun b => first n (H b)).
Proof.
  intros n s H. unfold first. rewrite Law.E_swap. apply Law.E_ext; intro a.
  rewrite (Law.E_swap (draws t n) s (fun l b => H b (a :: l))), <- Law.E_mult. reflexivity.
Qed.
Lemma first_cons : forall n H, Messages.order_free H -> sum_over t (fun a => first n (fun l => H (a :: l))) = first (S n) H.
Proof.
  intros n H O. unfold first. rewrite Law.E_swap. apply Law.E_ext; intro b. rewrite Law.E_mult, draws_S. f_equal.
  apply Law.E_ext; intro a. apply Law.E_ext; intro l. apply O. apply perm_swap.
Qed.
(* All n+1 letters count the same. *)
Lemma shared : forall n H, Messages.order_free H -> sum_over (draws t (S n)) (fun l => total l c * H l) = INR (S n) * first n H.
Proof.
  induction n as [|n IH]; intros H O.
  - rewrite draws_S. unfold first. rewrite <- Law.E_mult. apply Law.E_ext; intro a. rewrite !draws_O. simpl. ring.
  - rewrite draws_S.
    rewrite (Law.E_ext t _ (fun a => c a * sum_over (draws t (S n)) (fun l => H (a :: l)) + INR (S n) * first n (fun l => H (a :: l)))).
    + rewrite Law.E_plus, Law.E_mult, first_cons by auto. fold (first (S n) H). rewrite (S_INR (S n)). ring.
    + intro a. rewrite <- IH by (intros l l' P; apply O; auto). rewrite <- Law.E_mult, <- Law.E_plus. apply Law.E_ext; intro l.
      rewrite total_cons. ring.
Qed.
Lemma above_free : forall z, Messages.order_free (fun l => above (total l c + z)).
Proof. intros z l l' P. rewrite !total_same, (Examples.total_perm c l l' P). reflexivity. Qed.
(* The test that decides by the sum of the ratios is the best one. *)
Lemma best : forall n H, Messages.order_free H -> (forall l, 0 <= H l <= 1) -> first n H <= first n (fun l => above (total l c + 0)).
Proof.
  intros n H O B. apply Rmult_le_reg_l with (INR (S n)); [apply lt_0_INR; lia|]. rewrite <- !shared by (auto using above_free).
  apply Law.E_le; [apply draws_nonneg; auto|]. intro l. rewrite Rplus_0_r. specialize (B l). unfold above.
  destruct (Rlt_dec 0 (total l c)); nra.
Qed.
Lemma first_bound : forall n, exists B, forall H M, (forall l, Rabs (H l) <= M) -> Rabs (first n H) <= B * M.
Proof.
  intro n. exists (sum_over t (fun a => Rabs (c a) * sum_over (draws t n) (fun _ => 1))). intros H M Q.
  pose proof (draws_nonneg t n N) as D. eapply Rle_trans; [apply table_abs; auto|]. rewrite <- table_factor. apply Law.E_le; auto. intro a.
  rewrite Rabs_mult, Rmult_assoc. apply Rmult_le_compat_l; [apply Rabs_pos|]. eapply Rle_trans; [apply table_abs; auto|].
  rewrite <- table_factor. apply Law.E_le; auto. intro l. rewrite Rmult_1_l. apply Q.
Qed.

(* The ratio of a letter with its weight, and 0 with the rest. *)
Definition ratios : table R := (0, 1 - sum_over t (fun _ => 1)) :: map (fun p => (c (fst p), snd p)) t.
Lemma E_ratios : forall f, sum_over ratios f = (1 - sum_over t (fun _ => 1)) * f 0 + sum_over t (fun a => f (c a)).
Proof.
  intro f. unfold ratios. cbn [sum_over]. f_equal. clear N. induction t as [|[a w] s IH]; [reflexivity|]. cbn [map sum_over fst snd].
  rewrite IH. reflexivity.
Qed.
Definition ideal (m n : nat) : R := first n (fun l => sum_over (draws ratios m) (fun r => above (total l c + total r (fun z => z)))).
Lemma ideal_step : forall m n, ideal (S m) n = ideal m (S n) + (1 - sum_over t (fun _ => 1)) * ideal m n.
Proof.
  intros m n. unfold ideal. set (h := fun l => sum_over (draws ratios m) (fun r => above (total l c + total r (fun z => z)))).
  assert (O : Messages.order_free h) by (intros l l' P; apply Law.E_ext; intro r; apply above_free; auto).
  rewrite <- (first_cons n h O), <- first_sum. set (b := 1 - _).
  assert (Q : first n (fun l => sum_over t (fun a => h (a :: l)) + b * h l)
    = first n (fun l => sum_over t (fun a => h (a :: l))) + b * first n h).
  { unfold first. rewrite <- Law.E_mult, <- Law.E_plus. apply Law.E_ext; intro a. rewrite Law.E_plus, Law.E_mult. ring. }
  rewrite <- Q. apply first_ext. intro l. rewrite draws_S, E_ratios. fold b. rewrite Rplus_comm. f_equal.
  - apply Law.E_ext; intro a. apply Law.E_ext; intro r. rewrite !total_cons. f_equal. ring.
  - f_equal. apply Law.E_ext; intro r. rewrite total_cons. f_equal. ring.
Qed.
End Letters.
(* E[(W_1 + ... + W_N)_+]/N. *)
Definition amplified (W : table R) (N : nat) : R := E (samples (fun _ => W) N) (fun r => Rmax 0 (total r (fun z => z))) / INR N.
Lemma amplified_first : forall W n, amplified W (S n) = first W (fun z => z) n (fun r => above (total r (fun z => z) + 0)).
Proof.
  intros W n. unfold amplified. rewrite samples_finite, E_finite. assert (0 < INR (S n)) by (apply lt_0_INR; lia).
  set (id := fun z : R => z).
  rewrite (Law.E_ext _ _ (fun r => total r id * above (total r id + 0))).
  - rewrite (shared W id n (fun r => above (total r id + 0)) (above_free id 0)). field. lra.
  - intro r. rewrite Rplus_0_r. unfold above, Rmax. destruct Rle_dec, Rlt_dec; lra.
Qed.
Lemma ideal_amplified {A} : forall (t : table A) c m, ideal t c m 0 = amplified (ratios t c) (S m).
Proof.
  intros t c m. rewrite amplified_first. unfold ideal, first. rewrite E_ratios, Rmult_0_l, Rmult_0_r, Rplus_0_l.
  apply Law.E_ext; intro a. rewrite draws_O. f_equal. apply Law.E_ext; intro r. rewrite !total_cons. change (total [] c) with 0.
  f_equal. ring.
Qed.

(* ---- averages: laws, and differences of multiples of laws that are positive ---- *)
Definition average {A} (K : (A -> R) -> R) : Prop := exists (g h : R) (P Q : law A), proper P /\ proper Q /\
  (forall f, K f = g * E P f - h * E Q f) /\ g - h = 1 /\ (forall f, bounded f -> (forall a, 0 <= f a) -> 0 <= K f).
Lemma average_law {A} : forall d : law A, proper d -> average (E d).
Proof.
  intros d D. exists 1, 0, d, d. split; [auto | split; [auto | split; [intro; ring | split; [ring|]]]]. intros f [M B] F.
  apply (E_range d D f 0 M). intro a. split; auto. eapply Rle_trans; [apply Rle_abs | apply B].
Qed.
Definition bounded2 {A B} (f : A -> B -> R) := exists M, forall a b, Rabs (f a b) <= M.

Section Average.
Context {A : Type} (K : (A -> R) -> R) (KA : average K).
Lemma K_ext : forall f g, (forall a, f a = g a) -> K f = K g.
Proof. intros f g H. destruct KA as (u & v & P & Q & _ & _ & X & _). rewrite !X, (E_ext P f g H), (E_ext Q f g H). reflexivity. Qed.
Lemma K_plus : forall f g, bounded f -> bounded g -> K (fun a => f a + g a) = K f + K g.
Proof. intros f g F G. destruct KA as (u & v & P & Q & HP & HQ & X & _). rewrite !X, !E_plus by auto. ring. Qed.
Lemma K_mult : forall c f, bounded f -> K (fun a => c * f a) = c * K f.
Proof. intros c f F. destruct KA as (u & v & P & Q & HP & HQ & X & _). rewrite !X, !E_mult by auto. ring. Qed.
Lemma K_const : forall c, K (fun _ => c) = c.
Proof.
  intro c. destruct KA as (u & v & P & Q & HP & HQ & X & O & _). rewrite X, !E_const by auto. rewrite <- Rmult_minus_distr_r, O. ring.
Qed.
Lemma K_sum {B} : forall (s : table B) f, (forall b, bounded (f b)) ->
  bounded (fun a => sum_over s (fun b => f b a)) /\ K (fun a => sum_over s (fun b => f b a)) = sum_over s (fun b => K (f b)).
Proof.
  intros s f F. induction s as [|[b w] s [BS IH]]; cbn [sum_over].
  - split; [apply bounded_const | apply K_const].
  - split; [auto using bounded_plus, bounded_const_mult|]. rewrite K_plus, K_mult, IH by auto using bounded_const_mult. reflexivity.
Qed.
Lemma K_le : forall f g, bounded f -> bounded g -> (forall a, f a <= g a) -> K f <= K g.
Proof.
  intros f g F G H. assert (Z : 0 <= K (fun a => g a + -1 * f a)).
  { destruct KA as (u & v & P & Q & HP & HQ & X & O & Pos).
    apply Pos; [auto using bounded_plus, bounded_const_mult | intro a; specialize (H a); lra]. }
  rewrite K_plus, K_mult in Z by auto using bounded_const_mult. lra.
Qed.
Lemma K_range : forall f a b, (forall z, a <= f z <= b) -> a <= K f <= b.
Proof.
  intros f a b H. assert (F : bounded f).
  { exists (Rabs a + Rabs b). intro z. specialize (H z). unfold Rabs. repeat destruct Rcase_abs; lra. }
  split; [rewrite <- (K_const a) | rewrite <- (K_const b)]; apply K_le; auto using bounded_const; intro z; apply H.
Qed.
Lemma K_abs : forall f M, (forall a, Rabs (f a) <= M) -> Rabs (K f) <= M.
Proof. intros f M H. apply Rabs_le. apply K_range. intro z. apply Rabs_le_between. auto. Qed.
Lemma K_E {B} : forall (d : law B) f, proper d -> bounded2 f -> E d (fun b => K (f b)) = K (fun a => E d (fun b => f b a)).
Proof.
  intros d f D [M H]. destruct KA as (u & v & P & Q & HP & HQ & X & _). rewrite X.
  rewrite (E_ext d _ (fun b => u * E P (f b) - v * E Q (f b))) by (intro; apply X).
  assert (BB : forall e : law A, proper e -> bounded (fun b => E e (f b))) by (intros e He; exists M; intro b; apply E_abs; auto).
  rewrite E_minus, !E_mult by auto using bounded_const_mult. f_equal; f_equal; apply E_swap; auto; exists M; auto.
Qed.
End Average.
Lemma K_K {A B} : forall K L (f : A -> B -> R), average K -> average L -> bounded2 f ->
  K (fun a => L (f a)) = L (fun b => K (fun a => f a b)).
Proof.
  intros K L f HK HL [M H]. destruct HK as (u & v & P & Q & HP & HQ & X & _). rewrite X.
  assert (H2 : bounded2 f) by (exists M; auto). rewrite !(K_E L HL) by auto.
  assert (BB : forall e : law A, proper e -> bounded (fun b => E e (fun a => f a b)))
    by (intros e He; exists M; intro b; apply E_abs; auto).
  rewrite (K_ext L HL (fun b => K (fun a => f a b)) (fun b => u * E P (fun a => f a b) + - v * E Q (fun a => f a b)))
    by (intro b; rewrite X; ring).
  rewrite K_plus, !K_mult by auto using bounded_const_mult. ring.
Qed.

(* ---- the general bound ---- *)
Section General.
Context {T X Y : Type} (t : table T) (c : T -> R) (K : T -> (list Y -> R) -> R) (rd : X -> law (list Y)).
Hypothesis weights : Law.nonneg t.
Hypothesis averages : forall a, average (K a).
Hypothesis PR : algorithm rd.
Hypothesis common : forall z f, bounded f -> (forall y, 0 <= f y) -> sum_over t (fun a => K a f) <= E (rd z) f.

(* The messages of these letters. *)
Fixpoint letters (l : list T) (F : list Y -> R) : R :=
  match l with [] => F [] | a :: l => K a (fun y => letters l (fun r => F (y ++ r))) end.
Lemma letters_ext : forall l F G, (forall y, F y = G y) -> letters l F = letters l G.
Proof. induction l as [|a l IH]; intros F G H; cbn [letters]; auto. apply K_ext; auto. Qed.
Lemma letters_range : forall l F u v, (forall y, u <= F y <= v) -> u <= letters l F <= v.
Proof. induction l as [|a l IH]; intros F u v H; cbn [letters]; auto. apply K_range; auto. Qed.
Lemma letters_abs : forall l F M, (forall y, Rabs (F y) <= M) -> Rabs (letters l F) <= M.
Proof. intros l F M H. apply Rabs_le. apply letters_range. intro z. apply Rabs_le_between. auto. Qed.
Lemma letters_perm : forall F, bounded F -> Messages.order_free F -> Messages.order_free (fun l => letters l F).
Proof.
  intros F [M B] O l l' P. revert F B O. induction P; intros F B O; cbn [letters]; auto.
  - apply K_ext; auto. intro y. apply IHP; auto using Messages.order_free_app.
  - rewrite (K_K (K y) (K x)); auto. 2:{ exists M. intros; apply letters_abs; auto. }
    apply K_ext; auto. intro u. apply K_ext; auto. intro v. apply letters_ext. intro r. apply O.
    rewrite !app_assoc. apply Permutation_app_tail, Permutation_app_comm.
  - rewrite IHP1, IHP2 by auto. reflexivity.
Qed.

(* The users zs, then a letter that counts with its ratio, and then n more. *)
Fixpoint gain (zs : list X) (n : nat) (F : list Y -> R) : R :=
  match zs with [] => first t c n (fun l => letters l F) | z :: zs => E (rd z) (fun y => gain zs n (fun r => F (y ++ r))) end.
Lemma gain_ext : forall zs n F G, (forall y, F y = G y) -> gain zs n F = gain zs n G.
Proof.
  induction zs as [|z zs IH]; intros n F G H; cbn [gain].
  - apply first_ext. intro; apply letters_ext; auto.
  - apply E_ext. intro y. apply IH. auto.
Qed.
Lemma gain_bound : forall n, exists B, forall zs F M, (forall y, Rabs (F y) <= M) -> Rabs (gain zs n F) <= B * M.
Proof.
  intro n. destruct (first_bound t c weights n) as [B H]. exists B. induction zs as [|z zs IH]; intros F M Q; cbn [gain].
  - apply H. intro; apply letters_abs; auto.
  - apply E_abs; auto.
Qed.
Lemma gain_bounded : forall zs n F, bounded F -> bounded (fun y => gain zs n (fun r => F (y ++ r))).
Proof. intros zs n F [M H]. destruct (gain_bound n) as [B G]. exists (B * M). intro; apply G; auto. Qed.
Lemma gain_letter : forall zs n F, bounded F -> Messages.order_free F ->
  sum_over t (fun a => K a (fun y => gain zs n (fun r => F (y ++ r)))) = gain zs (S n) F.
Proof.
  induction zs as [|z zs IH]; intros n F [M B] O; cbn [gain].
  - rewrite <- first_cons by (apply letters_perm; auto; exists M; auto).
    apply Law.E_ext; intro a. unfold first. cbn [letters].
    assert (B1 : forall b, bounded (fun y => sum_over (draws t n) (fun l => K b (fun y0 => letters l (fun r => F (y ++ y0 ++ r)))))).
    { intro b. apply (K_sum (K b) (averages b) (draws t n) (fun l y => K b (fun y0 => letters l (fun r => F (y ++ y0 ++ r))))).
      intro l. exists M. intro y. apply K_abs; auto. intro; apply letters_abs; auto. }
    rewrite (proj2 (K_sum (K a) (averages a) t (fun b y => c b * sum_over (draws t n)
      (fun l => K b (fun y0 => letters l (fun r => F (y ++ y0 ++ r))))) (fun b => bounded_const_mult (c b) _ (B1 b)))).
    apply Law.E_ext; intro b. rewrite K_mult by auto. f_equal.
    apply (K_sum (K a) (averages a) (draws t n) (fun l y => K b (fun y0 => letters l (fun r => F (y ++ y0 ++ r))))).
    intro l. exists M. intro y. apply K_abs; auto. intro; apply letters_abs; auto.
  - destruct (gain_bound n) as [G GB].
    assert (B2 : bounded2 (fun y' y => gain zs n (fun r => F (y ++ y' ++ r)))) by (exists (G * M); intros; apply GB; auto).
    rewrite (Law.E_ext t _ (fun a => E (rd z) (fun y' => K a (fun y => gain zs n (fun r => F (y ++ y' ++ r))))))
      by (intro a; rewrite (K_E (K a) (averages a) (rd z) (fun y' y => gain zs n (fun r => F (y ++ y' ++ r)))) by auto; reflexivity).
    destruct B2 as [M2 B2]. rewrite <- (proj2 (K_sum (E (rd z)) (average_law (rd z) (PR z))
      t (fun a y' => K a (fun y => gain zs n (fun r => F (y ++ y' ++ r))))
      ltac:(intro a; exists M2; intro y'; apply K_abs; auto))).
    apply E_ext; intro y'. rewrite <- IH by (try (exists M; auto); auto using Messages.order_free_app).
    apply Law.E_ext; intro a. apply K_ext; auto. intro y. apply gain_ext. intro r. apply O.
    rewrite !app_assoc. apply Permutation_app_tail, Permutation_app_comm.
Qed.
Lemma gain_ideal : forall zs n F, Messages.order_free F -> (forall y, 0 <= F y <= 1) -> gain zs n F <= ideal t c (length zs) n.
Proof.
  induction zs as [|z zs IH]; intros n F O B; cbn [gain length].
  - eapply Rle_trans; [apply best; auto|].
    + apply letters_perm; auto using bounded_01.
    + intro l. apply letters_range; auto.
    + right. apply first_ext. intro l. rewrite draws_O. reflexivity.
  - rewrite ideal_step. set (V := ideal t c (length zs) n). set (g := fun y => gain zs n (fun r => F (y ++ r))).
    assert (BG : bounded g) by (apply gain_bounded, bounded_01; auto).
    assert (L : forall y, g y <= V) by (intro y; apply IH; auto using Messages.order_free_app).
    pose proof (common z (fun y => V + -1 * g y) ltac:(auto using bounded_plus, bounded_const, bounded_const_mult)
      ltac:(intro y; specialize (L y); lra)) as C.
    rewrite E_plus, E_const, E_mult in C by auto using bounded_const, bounded_const_mult.
    rewrite (Law.E_ext t _ (fun a => 1 * V + -1 * K a g)) in C
      by (intro a; rewrite K_plus, K_const, K_mult by auto using bounded_const, bounded_const_mult; ring).
    rewrite Law.E_plus, (table_factor t (fun _ => 1)), Law.E_mult in C. unfold g in C at 1.
    rewrite gain_letter in C by auto using bounded_01.
    specialize (IH (S n) F O B). lra.
Qed.

Section Pair.
Variables (x x' : X) (eps extra : R).
Hypothesis differ : forall f, (forall y, 0 <= f y <= 1) ->
  E (rd x) f <= exp eps * E (rd x') f + (sum_over t (fun a => c a * K a f) + extra).
Lemma E_messages_cons : forall z zs F, bounded F ->
  E (messages rd (z :: zs)) F = E (rd z) (fun y => E (messages rd zs) (fun r => F (y ++ r))).
Proof.
  intros z zs F B. unfold messages. cbn [map concatenated]. pose proof (proper_messages rd zs PR) as PM. unfold messages in PM.
  rewrite E_bind by (auto; intro; apply proper_bind; auto; intro; apply proper_point). apply E_ext; intro y. apply E_bind_point; auto.
Qed.
Lemma changed : forall zs F, (forall y, 0 <= F y <= 1) ->
  E (messages rd (zs ++ [x])) F <= exp eps * E (messages rd (zs ++ [x'])) F + (gain zs 0 F + extra).
Proof.
  induction zs as [|z zs IH]; intros F B; cbn [app gain].
  - assert (Q : forall a, E (messages rd [a]) F = E (rd a) F).
    { intro a. rewrite E_messages_cons by auto using bounded_01. apply E_ext; intro y. unfold messages. cbn [map concatenated].
      rewrite E_point, app_nil_r. reflexivity. }
    rewrite !Q. eapply Rle_trans; [apply differ; auto|]. right. do 2 f_equal. apply Law.E_ext; intro a. rewrite draws_O. cbn [letters].
    f_equal. apply K_ext; auto. intro y. rewrite app_nil_r. reflexivity.
  - rewrite !E_messages_cons by auto using bounded_01.
    assert (BM : forall a, bounded (fun y => E (messages rd (zs ++ [a])) (fun r => F (y ++ r)))).
    { intro a. exists 1. intro y. apply E_abs; [apply proper_messages; auto|]. intro r. specialize (B (y ++ r)). apply Rabs_le; lra. }
    pose proof (gain_bounded zs 0 F (bounded_01 F B)) as BG.
    rewrite <- E_mult, <- (E_const (rd z) (PR z) extra), <- !E_plus by auto using bounded_plus, bounded_const, bounded_const_mult.
    apply E_le; auto using bounded_plus, bounded_const, bounded_const_mult.
Qed.
Theorem amplification : forall u v,
  close eps (amplified (ratios t c) (length (u ++ x :: v)) + extra) (view rd (u ++ x :: v)) (view rd (u ++ x' :: v)).
Proof.
  intros u v seen. unfold Pr. set (f := fun y => indicator (seen y)). assert (BF : bounded f) by apply bounded_indicator.
  set (F := fun l => E (shuffle l) f).
  assert (B : forall l, 0 <= F l <= 1) by (intro l; apply (Pr_01 (shuffle l) (proper_shuffle l) seen)).
  assert (O : Messages.order_free F) by (intros l l' P; unfold F; rewrite !shuffle_finite, !E_finite; apply Shuffle.shuffle_perm; auto).
  assert (Q : forall a, E (view rd (u ++ a :: v)) f = E (messages rd ((u ++ v) ++ [a])) F).
  { intro a. rewrite (view_perm rd _ ((u ++ v) ++ [a])); [apply E_view; auto|]. rewrite <- app_assoc.
    apply Permutation_app_head. apply (Permutation_app_comm [a] v). }
  rewrite !Q. eapply Rle_trans; [apply changed; auto|]. apply Rplus_le_compat_l, Rplus_le_compat_r.
  eapply Rle_trans; [apply gain_ideal; auto|]. right. rewrite ideal_amplified.
  replace (length (u ++ x :: v)) with (S (length (u ++ v))); [reflexivity|]. rewrite !app_length. cbn [length]. lia.
Qed.
End Pair.
End General.
Lemma ratios_proper {A} : forall (t : table A) c, Law.nonneg t -> sum_over t (fun _ => 1) <= 1 -> proper (fun _ => ratios t c).
Proof.
  intros t c N M. apply proper_finite. split; [|rewrite E_ratios; ring].
  intros p [I|I]; [subst p; cbn [snd]; lra|]. apply in_map_iff in I. destruct I as [q [I J]]. subst p. apply (N q J).
Qed.

(* ---- a blanket: randomizers with finitely many messages ---- *)
(* The letters are the messages, with weights w below the masses under all inputs. *)
Definition blanket_letters {Y} (U : universe Y) (w : Y -> R) : table Y := map (fun y => (y, w y)) (elements U).
Definition blanket_noise {X Y} (U : universe Y) (w : Y -> R) (D : X -> law Y) (eps : R) (x x' : X) : table R :=
  ratios (blanket_letters U w) (fun y => (chance U (D x) y - exp eps * chance U (D x') y) / w y).
(* The messages of weight 0 hide nothing. *)
Definition outside {X Y} (U : universe Y) (w : Y -> R) (D : X -> law Y) (eps : R) (x x' : X) : R :=
  total (elements U) (fun y => if Req_EM_T (w y) 0 then Rmax 0 (chance U (D x) y - exp eps * chance U (D x') y) else 0).

Section Blanket.
Context {X Y : Type} (U : universe Y) (w : Y -> R) (D : X -> law Y).
Hypothesis PD : algorithm D.
Hypothesis W0 : forall y, 0 <= w y.
Hypothesis W1 : forall z y, w y <= chance U (D z) y.

Lemma E_single : forall z f, bounded f -> E (single D z) f = total (elements U) (fun y => chance U (D z) y * f [y]).
Proof. intros z f F. unfold single. rewrite E_bind_point, (E_over U (D z)) by auto using bounded_comp. reflexivity. Qed.
Lemma blanket_nonneg : Law.nonneg (blanket_letters U w).
Proof. intros p I. apply in_map_iff in I. destruct I as [y [I _]]. subst p. apply W0. Qed.
Lemma blanket_noise_proper : forall eps x x', proper (fun _ => blanket_noise U w D eps x x').
Proof.
  intros eps x x'. apply ratios_proper; [apply blanket_nonneg|]. unfold blanket_letters. rewrite sum_over_map.
  apply Rle_trans with (total (elements U) (chance U (D x))); [|right; apply chances_sum; auto].
  apply total_le. intros y _. specialize (W1 x y). lra.
Qed.
Lemma blanket_pair : forall eps x x' u v,
  close eps (amplified (blanket_noise U w D eps x x') (length (u ++ x :: v)) + outside U w D eps x x')
  (view (single D) (u ++ x :: v)) (view (single D) (u ++ x' :: v)).
Proof.
  intros eps x x'. apply (amplification _ _ (fun y f => E (point [y]) f)).
  - apply blanket_nonneg.
  - intro y. apply average_law, proper_point.
  - apply proper_single; auto.
  - intros z f F P. unfold blanket_letters. rewrite sum_over_map, E_single by auto. apply total_le. intros y _. rewrite E_point.
    apply Rmult_le_compat_r; auto.
  - intros f F. unfold blanket_letters, outside. rewrite sum_over_map, !E_single by auto using bounded_01.
    rewrite <- total_scale, <- !total_plus. apply total_le. intros y _. rewrite E_point. specialize (F [y]).
    set (p := chance U (D x) y). set (q := exp eps * chance U (D x') y). destruct (Req_EM_T (w y) 0) as [Z|Z].
    + rewrite Z. assert (p - q <= Rmax 0 (p - q)) by apply Rmax_r. assert (0 <= Rmax 0 (p - q)) by apply Rmax_l. unfold q in *. nra.
    + right. unfold q. field. auto.
Qed.
End Blanket.
Theorem blanket : forall (X Y : Type) (U : universe Y) (w : Y -> R) (D : X -> law Y) (N : nat) (eps delta : R),
  algorithm D -> (forall y, 0 <= w y) -> (forall z y, w y <= chance U (D z) y) ->
  (forall x x', amplified (blanket_noise U w D eps x x') N + outside U w D eps x x' <= delta) ->
  private_on N eps delta (view (single D)).
Proof.
  intros X Y U w D N eps delta PD W0 W1 H s s' L (u & x & x' & v & -> & ->). rewrite <- L in H.
  apply (close_mono eps eps _ delta _ _ (proper_view _ _ (proper_single D PD)) (Rle_refl eps) (H x x')). apply blanket_pair; auto.
Qed.

(* ---- clones: every locally private randomizer ---- *)
Definition clone_noise (eps0 eps : R) : table R :=
  let p := exp eps0 in
  [(0, 1 - / p); (2 * p * (p - exp eps) / (p + 1), / (2 * p)); (2 * p * (1 - exp eps * p) / (p + 1), / (2 * p))].

Section Clones.
Context {X Y : Type} (rd : X -> law (list Y)) (eps0 : R).
Hypothesis PR : algorithm rd.
Hypothesis positive_eps0 : 0 < eps0.
Hypothesis local : locally_private eps0 0 rd.
Let p := exp eps0.
Lemma p_above : 1 < p.
Proof. unfold p. rewrite <- exp_0. apply exp_increasing; auto. Qed.
Lemma local_test : forall z z' f, bounded f -> (forall y, 0 <= f y) -> E (rd z) f <= p * E (rd z') f.
Proof.
  intros z z' f [M B] F. set (k := Rabs M + 1). assert (K0 : 0 < k) by (pose proof (Rabs_pos M); unfold k; lra).
  assert (BF : bounded f) by (exists M; auto). assert (KI : 0 < / k) by (apply Rinv_0_lt_compat; auto).
  pose proof (close_fun eps0 0 (rd z) (rd z') (PR z) (PR z') (local z z') (fun y => / k * f y)) as C.
  rewrite !E_mult in C by auto. apply Rmult_le_reg_l with (/ k); auto. fold p in C. unfold p in *. apply Rle_trans with (1 := C ltac:(
    intro y; specialize (B y); specialize (F y); rewrite Rabs_pos_eq in B by auto; pose proof (Rle_abs M); split; [nra|];
    apply Rmult_le_reg_l with k; auto; rewrite <- Rmult_assoc, Rinv_r by lra; unfold k; lra)). lra.
Qed.
(* p/(p-1) times one law, minus 1/(p-1) times the other. *)
Definition apart (z z' : X) (f : list Y -> R) : R := p / (p - 1) * E (rd z) f - / (p - 1) * E (rd z') f.
Lemma average_apart : forall z z', average (apart z z').
Proof.
  intros z z'. pose proof p_above. exists (p / (p - 1)), (/ (p - 1)), (rd z), (rd z').
  split; [auto | split; [auto | split; [reflexivity | split]]].
  - field. lra.
  - intros f B F. pose proof (local_test z' z f B F). unfold apart. replace (p / (p - 1) * E (rd z) f - / (p - 1) * E (rd z') f)
      with ((p * E (rd z) f - E (rd z') f) * / (p - 1)) by (field; lra).
    apply Rmult_le_pos; [lra | left; apply Rinv_0_lt_compat; lra].
Qed.
Lemma clone_pair : forall eps x x' u v,
  close eps (amplified (clone_noise eps0 eps) (length (u ++ x :: v))) (view rd (u ++ x :: v)) (view rd (u ++ x' :: v)).
Proof.
  intros eps x x' u v. pose proof p_above as P1. set (t := [(true, / (2 * p)); (false, / (2 * p))]).
  assert (P2 : 0 < / (2 * p)) by (apply Rinv_0_lt_compat; lra).
  set (c := fun b : bool => if b then 2 * p * (p - exp eps) / (p + 1) else 2 * p * (1 - exp eps * p) / (p + 1)).
  replace (clone_noise eps0 eps) with (ratios t c).
  2:{ unfold clone_noise, ratios. cbn [t map fst snd c sum_over]. fold p. do 2 f_equal. field. lra. }
  rewrite <- Rplus_0_r with (amplified _ _). apply (amplification t c (fun b => if b then apart x x' else apart x' x)).
  - intros q [I|[I|[]]]; subst q; cbn [snd]; lra.
  - intros []; apply average_apart.
  - auto.
  - intros z f B F. cbn [t sum_over]. unfold apart. pose proof (local_test x z f B F). pose proof (local_test x' z f B F).
    replace (_ + _) with (/ (2 * p) * (E (rd x) f + E (rd x') f)) by (field; lra).
    apply Rle_trans with (/ (2 * p) * (2 * p * E (rd z) f)); [apply Rmult_le_compat_l; lra|]. right. field. lra.
  - intros f F. cbn [t sum_over]. unfold apart, c. right. field. lra.
Qed.
End Clones.
Lemma clone_noise_proper : forall eps0 eps, 0 <= eps0 -> proper (fun _ => clone_noise eps0 eps).
Proof.
  intros eps0 eps H. assert (1 <= exp eps0) by (rewrite <- exp_0; apply exp_le; auto).
  assert (0 < / (2 * exp eps0)) by (apply Rinv_0_lt_compat; lra).
  assert (/ exp eps0 <= 1) by (rewrite <- Rinv_1; apply Rinv_le_contravar; lra).
  apply proper_finite. split; [|simpl; field; lra]. intros q [I|[I|[I|[]]]]; subst q; cbn [snd]; lra.
Qed.
Theorem clones : forall (X Y : Type) (rd : X -> law (list Y)) (N : nat) (eps0 eps : R),
  algorithm rd -> 0 < eps0 -> locally_private eps0 0 rd -> private_on N eps (amplified (clone_noise eps0 eps) N) (view rd).
Proof. intros X Y rd N eps0 eps PR H0 HL s s' L (u & x & x' & v & -> & ->). rewrite <- L. apply clone_pair; auto. Qed.

(* ---- the same as a pair of laws of counts ---- *)
(* C of the other users are clones, C ~ Bin(n-1, 2r), and A ~ Bin(C, 1/2) of these send the first letter; the changed user sends
   one of the letters with probability p alpha, the other with alpha, and neither with the rest. *)
Definition changed_user (p alpha : R) (own : bool) : law (nat * nat) := fun _ =>
  [((1, 0)%nat, if own then p * alpha else alpha); ((0, 1)%nat, if own then alpha else p * alpha); ((0, 0)%nat, 1 - alpha - p * alpha)].
Definition clone_counts (n : nat) (p alpha r : R) (own : bool) : law (nat * nat) :=
  bind (Bin (n - 1) (2 * r)) (fun C => bind (Bin C (1 / 2)) (fun A =>
  bind (changed_user p alpha own) (fun D => point (A + fst D, C - A + snd D)%nat))).

Section Counts.
Variable r : R.
Hypothesis r_range : 0 <= 2 * r <= 1.
Definition counted (n : nat) (g : nat -> nat -> R) : R := E (Bin n (2 * r)) (fun C => E (Bin C (1 / 2)) (fun A => g A (C - A)%nat)).
Lemma half_range : 0 <= 1 / 2 <= 1.
Proof. lra. Qed.
Lemma counted_bounded : forall g, bounded2 g -> bounded (fun C => E (Bin C (1 / 2)) (fun A => g A (C - A)%nat)).
Proof. intros g [M H]. exists M. intro C. apply E_abs; auto. apply proper_Bin, half_range. Qed.
Lemma counted_step : forall n g, bounded2 g ->
  counted (S n) g = r * counted n (fun a b => g (S a) b) + r * counted n (fun a b => g a (S b)) + (1 - 2 * r) * counted n g.
Proof.
  intros n g [M H]. assert (G : bounded2 g) by (exists M; auto). pose proof half_range as HR.
  pose proof (proper_Bin n (2 * r) r_range) as PB.
  assert (G1 : bounded2 (fun a b => g (S a) b)) by (exists M; auto). assert (G2 : bounded2 (fun a b => g a (S b))) by (exists M; auto).
  unfold counted at 1. rewrite E_Bin_S by auto using counted_bounded. fold (counted n g). f_equal.
  rewrite (E_ext _ _ (fun C => / 2 * E (Bin C (1 / 2)) (fun A => g (S A) (C - A)%nat)
    + / 2 * E (Bin C (1 / 2)) (fun A => g A (S (C - A))))).
  - pose proof (counted_bounded _ G1). pose proof (counted_bounded _ G2).
    rewrite E_plus, !E_mult by auto using bounded_const_mult. unfold counted. field.
  - intro C. rewrite E_Bin_S by (auto; exists M; auto).
    rewrite (E_Bin_le C (1 / 2) (fun A => g A (S C - A)%nat) (fun A => g A (S (C - A)))).
    + rewrite (E_ext _ (fun c => g (S c) (S C - S c)%nat) (fun A => g (S A) (C - A)%nat)) by (intro A; reflexivity). field.
    + auto.
    + exists M; auto.
    + exists M; auto.
    + intros A L. replace (S C - A)%nat with (S (C - A)) by lia. reflexivity.
Qed.
Lemma E_counts : forall n p alpha own f, 0 <= p -> 0 <= alpha -> alpha + p * alpha <= 1 -> bounded f ->
  E (clone_counts (S n) p alpha r own) f = counted n (fun a b => (if own then p * alpha else alpha) * f (S a, b)
    + (if own then alpha else p * alpha) * f (a, S b) + (1 - alpha - p * alpha) * f (a, b)).
Proof.
  intros n p alpha own f P0 A0 A1 F. assert (0 <= p * alpha) by (apply Rmult_le_pos; auto).
  assert (PC : proper (changed_user p alpha own)).
  { apply (proper_finite [_; _; _]). split; [intros q [I|[I|[I|[]]]]; subst q; cbn [snd]; destruct own; lra | destruct own; simpl; lra]. }
  assert (P1 : forall A C, proper (bind (changed_user p alpha own) (fun D => point (A + fst D, C - A + snd D)%nat)))
    by (intros; apply proper_bind; auto; intro; apply proper_point).
  pose proof half_range as HR. unfold clone_counts, counted. replace (S n - 1)%nat with n by lia.
  assert (P2 : forall C, proper (Bin C (1 / 2))) by (intro; apply proper_Bin; auto).
  rewrite (E_bind _ _ (proper_Bin n (2 * r) r_range)) by (auto; intro; apply proper_bind; auto). apply E_ext; intro C.
  rewrite E_bind by auto. apply E_ext; intro A. rewrite E_bind_point by auto.
  unfold changed_user. rewrite E_finite. cbn [sum_over fst snd]. rewrite !Nat.add_0_r, !Nat.add_1_r. ring.
Qed.
(* Letters of two ratios, as their counts. *)
Lemma counted_ratios : forall c1 c0 n h, bounded h ->
  sum_over (draws [(0, 1 - 2 * r); (c1, r); (c0, r)] n) (fun l => h (total l (fun z => z)))
  = counted n (fun a b => h (INR a * c1 + INR b * c0)).
Proof.
  intros c1 c0 n. induction n as [|n IH]; intros h [M B].
  - rewrite draws_O. unfold counted. cbn [Bin]. rewrite !E_point. cbn [Bin]. rewrite E_point. simpl. f_equal. ring.
  - rewrite draws_S. cbn [sum_over]. rewrite counted_step by (exists M; auto).
    assert (D : forall c (g : nat -> nat -> R), (forall a b, g a b = h (c + (INR a * c1 + INR b * c0))) ->
      sum_over (draws [(0, 1 - 2 * r); (c1, r); (c0, r)] n) (fun l => h (total (c :: l) (fun z => z))) = counted n g).
    { intros c g Q. transitivity (counted n (fun a b => h (c + (INR a * c1 + INR b * c0)))).
      - apply (IH (fun z => h (c + z))). exists M; auto.
      - apply E_ext; intro C. apply E_ext; intro A. symmetry. apply Q. }
    rewrite (D 0 (fun a b => h (INR a * c1 + INR b * c0))) by (intros; f_equal; ring).
    rewrite (D c1 (fun a b => h (INR (S a) * c1 + INR b * c0))) by (intros; rewrite S_INR; f_equal; ring).
    rewrite (D c0 (fun a b => h (INR a * c1 + INR (S b) * c0))) by (intros; rewrite S_INR; f_equal; ring). ring.
Qed.
End Counts.
(* Two letters of one weight: the bound is at most what one event shows of these counts. *)
Lemma counts_event : forall eps0 eps delta r n, 0 < eps0 -> 0 < r -> 2 * r <= 1 -> let p := exp eps0 in
  close eps delta (clone_counts (S n) p (/ (p + 1)) r true) (clone_counts (S n) p (/ (p + 1)) r false) ->
  amplified [(0, 1 - 2 * r); ((p - exp eps) / (p + 1) / r, r); ((1 - exp eps * p) / (p + 1) / r, r)] (S n) <= delta.
Proof.
  intros eps0 eps delta r n H R0 R1 p C. assert (P1 : 1 < p) by (unfold p; rewrite <- exp_0; apply exp_increasing; auto).
  set (c1 := (p - exp eps) / (p + 1) / r). set (c0 := (1 - exp eps * p) / (p + 1) / r).
  assert (RR : 0 <= 2 * r <= 1) by lra. assert (A0 : 0 < / (p + 1)) by (apply Rinv_0_lt_compat; lra).
  assert (A1 : / (p + 1) + p * / (p + 1) = 1) by (field; lra).
  set (T := fun c : nat * nat => lt 0 (INR (fst c) * c1 + INR (snd c) * c0)).
  assert (AB : forall z, above z = indicator (lt 0 z)) by (intro z; unfold above, lt; destruct (Rlt_dec 0 z); reflexivity).
  assert (BA : bounded above) by (exists 1; intro z; rewrite AB; destruct (lt 0 z); cbn [indicator]; rewrite ?Rabs_R1, ?Rabs_R0; lra).
  specialize (C T). unfold Pr in C. rewrite !(E_counts r RR) in C by (auto using bounded_indicator; lra).
  replace (1 - / (p + 1) - p * / (p + 1)) with 0 in C by lra.
  set (X1 := counted r n (fun a b => above (c1 + (INR a * c1 + INR b * c0)))).
  set (X0 := counted r n (fun a b => above (c0 + (INR a * c1 + INR b * c0)))).
  assert (Q : forall u v, counted r n (fun a b => u * indicator (T (S a, b)) + v * indicator (T (a, S b)) + 0 * indicator (T (a, b)))
    = u * X1 + v * X0).
  { intros u v. unfold X1, X0, counted. assert (PB : forall m q, 0 <= q <= 1 -> proper (Bin m q)) by (intros; apply proper_Bin; auto).
    pose proof (PB n (2 * r) RR) as PN. pose proof (fun C => PB C (1 / 2) half_range) as PC.
    assert (BX : forall c, bounded2 (fun a b => above (c + (INR a * c1 + INR b * c0)))) by (destruct BA as [M B]; intro c; exists M; auto).
    pose proof (fun c => counted_bounded _ (BX c)) as BZ. rewrite <- !E_mult, <- E_plus by auto using bounded_const_mult.
    apply E_ext; intro m. assert (BY : forall c, bounded (fun A => above (c + (INR A * c1 + INR (m - A) * c0))))
      by (destruct BA as [M B]; intro c; exists M; auto).
    rewrite <- !E_mult, <- E_plus by auto using bounded_const_mult. apply E_ext; intro A. unfold T. cbn [fst snd]. rewrite !S_INR, !AB.
    replace ((INR A + 1) * c1 + INR (m - A) * c0) with (c1 + (INR A * c1 + INR (m - A) * c0)) by ring.
    replace (INR A * c1 + (INR (m - A) + 1) * c0) with (c0 + (INR A * c1 + INR (m - A) * c0)) by ring. ring. }
  rewrite !Q in C. rewrite amplified_first. unfold first.
  assert (D : forall c, sum_over (draws [(0, 1 - 2 * r); (c1, r); (c0, r)] n) (fun l => above (total (c :: l) (fun z => z) + 0))
    = counted r n (fun a b => above (c + (INR a * c1 + INR b * c0)))).
  { intro c. rewrite <- (counted_ratios r RR c1 c0 n (fun z => above (c + z))) by (apply bounded_comp; auto).
    apply Law.E_ext; intro l. rewrite total_cons, Rplus_0_r. reflexivity. }
  cbn [sum_over]. rewrite !D. fold X1 X0.
  replace (r * (c1 * X1)) with ((p - exp eps) * / (p + 1) * X1) by (unfold c1; field; lra).
  replace (r * (c0 * X0)) with ((1 - exp eps * p) * / (p + 1) * X0) by (unfold c0; field; lra). lra.
Qed.
Lemma clone_event : forall eps0 eps delta n, 0 < eps0 -> let p := exp eps0 in
  close eps delta (clone_counts (S n) p (/ (p + 1)) (/ (2 * p)) true) (clone_counts (S n) p (/ (p + 1)) (/ (2 * p)) false) ->
  amplified (clone_noise eps0 eps) (S n) <= delta.
Proof.
  intros eps0 eps delta n H p C. assert (P1 : 1 < p) by (unfold p; rewrite <- exp_0; apply exp_increasing; auto).
  assert (P2 : 0 < / (2 * p)) by (apply Rinv_0_lt_compat; lra). assert (P3 : 2 * / (2 * p) * p = 1) by (field; lra).
  replace (clone_noise eps0 eps) with [(0, 1 - 2 * / (2 * p)); ((p - exp eps) / (p + 1) / / (2 * p), / (2 * p));
    ((1 - exp eps * p) / (p + 1) / / (2 * p), / (2 * p))]
    by (unfold clone_noise; fold p; repeat (f_equal; try (field; lra))).
  apply counts_event; auto. nra.
Qed.
Theorem clones_as_counts : forall (X Y : Type) (rd : X -> law (list Y)) (N : nat) (eps0 eps delta : R), let p := exp eps0 in
  algorithm rd -> 0 < eps0 -> locally_private eps0 0 rd ->
  close eps delta (clone_counts N p (/ (p + 1)) (/ (2 * p)) true) (clone_counts N p (/ (p + 1)) (/ (2 * p)) false) ->
  private_on N eps delta (view rd).
Proof.
  intros X Y rd N eps0 eps delta p PR H0 HL C s s' L Nb. destruct N as [|n].
  - destruct Nb as (u & x & x' & v & -> & _). rewrite app_length in L. cbn [length] in L. lia.
  - apply (close_mono eps eps (amplified (clone_noise eps0 eps) (S n)) delta); [apply proper_view; auto | lra | apply clone_event; auto|].
    apply (clones X Y rd (S n) eps0 eps); auto.
Qed.
