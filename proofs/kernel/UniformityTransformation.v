(* Lemma ut-transformation, privacy, and Algorithm ut-transformation.

   "Draw uniform samples x_U ~ U^{n/3}; Initialize internal state I_0 <- (S o R^{n/3})(x_U); Draw n' ~ Bin(n,2/9);
    Set n' <- min(n',n/3); For i in [n/3]: If i <= n': Set I_i <- S(I_{i-1}, R(x_i)) Else: Set I_i <- S(I_{i-1}, R(U));
    Draw (new) uniform samples x_U ~ U^{n/3}; Set final state y <- S(I_{n/3}, R^{n/3}(x_U)); Return A(y)."
   "The privacy argument is nearly identical to that used to prove Lemma de-transformation.  The only difference is that
    the dummy data now consists of uniform samples.  However, since this dummy data is still independent of the true
    data, we can apply the same argument to translate robust shuffle privacy into pan-privacy."

   The printed algorithm does not keep n' in its state, which the loop needs; here the state is the messages with the
   number of stream elements that are still used, and the intruder sees both.  Proved for every law of dummies and every
   law of n', the printed ones included. *)
From Coq Require Import Reals Lra List Bool Permutation Lia.
From PanshuffleKernel Require Import Law Closeness Parity Shuffle Messages ShuffleModel Online Transformation.
Import ListNotations.
Open Scope R_scope.

(* Bin(n, p), as a number of heads. *)
Fixpoint Bin (n : nat) (p : R) : law nat :=
  match n with O => point O | S n => bind (Ber p) (fun b => bind (Bin n p) (fun c => point (if b then S c else c))) end.

(* n samples from U. *)
Definition samples {X} (U : law X) (n : nat) : law (list X) := independent (repeat U n).

Section Algorithm.
Variables X Y Z : Type.
Variable randomize : randomizer X Y.
Variable analyze : list Y -> law Z.
Variable U : law X.
Variable third : nat.
Variable used : law nat.

Definition ut_initial : law (list Y * nat) :=
  bind (bind (samples U third) (view randomize)) (fun I => bind used (fun c => point (I, Nat.min c third))).

Definition ut_update (a : X) (state : list Y * nat) : law (list Y * nat) :=
  match snd state with
  | S n_left => bind (add_element randomize a (fst state)) (fun I => point (I, n_left))
  | O => bind (bind U (fun d => add_element randomize d (fst state))) (fun I => point (I, O))
  end.

Definition ut_output (state : list Y * nat) : law Z :=
  bind (samples U third) (fun d => final_output randomize analyze d (fst state)).

(* The data that are in fact used: the stream while n_left is positive, then samples. *)
Fixpoint fill (n_left : nat) (x : list X) : law (list X) :=
  match x with
  | [] => point []
  | a :: x => match n_left with
              | S n_left => bind (fill n_left x) (fun d => point (a :: d))
              | O => bind U (fun a => bind (fill O x) (fun d => point (a :: d)))
              end
  end.

Hypothesis U_proper : proper U.

Lemma proper_samples : forall n, proper (samples U n).
Proof. intro n. apply proper_independent, Forall_forall. intros d H. apply repeat_spec in H. subst; auto. Qed.

Lemma proper_fill : forall x n_left, proper (fill n_left x).
Proof.
  induction x as [|a x IH]; intro n_left; [apply proper_point|].
  destruct n_left; simpl; repeat (apply proper_bind; auto; intro); apply proper_point.
Qed.

Lemma fill_length : forall x n_left p, In p (fill n_left x) -> length (fst p) = length x.
Proof.
  induction x as [|a x IH]; intros n_left p H.
  - destruct H as [H|[]]; subst; reflexivity.
  - destruct n_left; cbn [fill] in H; apply in_bind in H; destruct H as [u [v [H1 [H2 H3]]]].
    + apply in_bind in H2. destruct H2 as [d [w [H4 [H5 H6]]]]. destruct H5 as [H5|[]]; subst w.
      simpl in H6. rewrite <- H3, <- H6. simpl. f_equal. eapply IH; eauto.
    + destruct H2 as [H2|[]]; subst v. simpl in H3. rewrite <- H3. simpl. f_equal. eapply IH; eauto.
Qed.

Lemma samples_length : forall n p, In p (samples U n) -> length (fst p) = n.
Proof. intros n p H. apply independent_length in H. rewrite repeat_length in H. auto. Qed.

Lemma E_update : forall a I n_left F, E (ut_update a (I, n_left)) F =
  match n_left with
  | S n_left => E (add_element randomize a I) (fun J => F (J, n_left))
  | O => E U (fun d => E (add_element randomize d I) (fun J => F (J, O)))
  end.
Proof.
  intros a I [|n_left] F; unfold ut_update; simpl snd; simpl fst; cbv iota; rewrite !E_bind; apply E_ext; intro;
    try apply E_ext; intros; rewrite ?E_point; reflexivity.
Qed.

(* The state after some elements: the shuffled messages of the data that were used. *)
Lemma ut_state : forall x n_left u F,
  E (view randomize u) (fun I => E (process ut_update x (I, n_left)) F)
  = E (fill n_left x) (fun d => E (view randomize (u ++ d)) (fun I => F (I, n_left - length x)%nat)).
Proof.
  induction x as [|a x IH]; intros n_left u F.
  - cbn [fill]. rewrite E_point, app_nil_r. apply E_ext; intro I. cbn [process length]. rewrite E_point, Nat.sub_0_r. reflexivity.
  - assert (S1 : forall b G, E (view randomize u) (fun I => E (add_element randomize b I) G) = E (view randomize (u ++ [b])) G).
    { intros b G. rewrite <- (state_is_view _ _ randomize [b] u G), E_bind. apply E_ext; intro I.
      cbn [process]. rewrite E_bind. apply E_ext; intro J. rewrite E_point. reflexivity. }
    rewrite (E_ext _ _ (fun I => E (ut_update a (I, n_left)) (fun s => E (process ut_update x s) F)))
      by (intro I; cbn [process]; apply E_bind).
    rewrite (E_ext _ _ _ (fun I => E_update a I n_left _)).
    destruct n_left as [|n_left]; cbn [fill].
    + rewrite E_swap, E_bind. apply E_ext; intro b. rewrite S1, IH, E_bind. apply E_ext; intro d.
      rewrite E_point, <- app_assoc. reflexivity.
    + rewrite S1, IH, E_bind. apply E_ext; intro d. rewrite E_point, <- app_assoc. reflexivity.
Qed.

Lemma ut_process : forall x n_left I F, (forall n_left, order_free (fun I => F (I, n_left))) ->
  E (process ut_update x (I, n_left)) F
  = E (fill n_left x) (fun d => E (messages randomize d) (fun r => F (I ++ r, n_left - length x)%nat)).
Proof.
  induction x as [|a x IH]; intros n_left I F HF.
  - cbn [fill process length]. rewrite !E_point. unfold messages. simpl. rewrite app_nil_r, Nat.sub_0_r. ring.
  - assert (S1 : forall b G, order_free G -> E (add_element randomize b I) G = E (randomize b) (fun r => G (I ++ r))).
    { intros b G HG. rewrite E_add. apply E_ext; intro r.
      rewrite (E_ext_in (shuffle (I ++ r)) G (fun _ => G (I ++ r))); [apply E_const, proper_shuffle|].
      intros p Hp. apply HG, Permutation_sym, shuffle_support; auto. }
    assert (HG : forall n_left, order_free (fun J => E (process ut_update x (J, n_left)) F)).
    { intros l0 J J' P0. rewrite !IH by auto. apply E_ext; intro d. apply E_ext; intro r.
      apply HF, Permutation_app_tail; auto. }
    cbn [process]. rewrite E_bind, E_update. destruct n_left as [|n_left]; cbn [fill].
    + rewrite E_bind. apply E_ext; intro b. rewrite (S1 b _ (HG 0%nat)), E_bind.
      rewrite (E_ext (randomize b) _ _ (fun r => IH 0%nat (I ++ r) F HF)), E_swap. apply E_ext; intro d.
      rewrite E_point. change (b :: d) with ([b] ++ d). rewrite E_messages_app, E_messages_one.
      apply E_ext; intro r. apply E_ext; intro q. rewrite app_assoc. reflexivity.
    + rewrite (S1 a _ (HG n_left)), E_bind.
      rewrite (E_ext (randomize a) _ _ (fun r => IH n_left (I ++ r) F HF)), E_swap. apply E_ext; intro d.
      rewrite E_point. change (a :: d) with ([a] ++ d). rewrite E_messages_app, E_messages_one.
      apply E_ext; intro r. apply E_ext; intro q. rewrite app_assoc. reflexivity.
Qed.

(* Neighbouring streams use neighbouring data. *)
Lemma fill_close : forall x x' n_left f g c delta, neighbours x x' ->
  (forall d d', length d = length x -> neighbours d d' -> f d <= c * g d' + delta) ->
  E (fill n_left x) f <= c * E (fill n_left x') g + delta.
Proof.
  intros x x' n_left f g c delta [u [a [b [v [H H']]]]]. subst. revert n_left f g.
  induction u as [|e u IH]; intros n_left f g B; cbn [app fill].
  - destruct n_left as [|n_left]; rewrite !E_bind.
    + apply E_le_affine; auto. intro b0. rewrite !E_bind.
      rewrite <- E_mult, <- (E_const (fill 0 v) delta (proper_fill v 0)) at 1. rewrite <- E_plus.
      apply E_le_in; [apply proper_fill|]. intros p Hp. rewrite !E_point. apply B.
      * simpl. f_equal. eapply fill_length; eauto.
      * exists [], b0, b0, (fst p). auto.
    + rewrite <- E_mult, <- (E_const (fill n_left v) delta (proper_fill v n_left)) at 1. rewrite <- E_plus.
      apply E_le_in; [apply proper_fill|]. intros p Hp. rewrite !E_point. apply B.
      * simpl. f_equal. eapply fill_length; eauto.
      * exists [], a, b, (fst p). auto.
  - assert (N : forall (h : X) d d', neighbours d d' -> neighbours (h :: d) (h :: d'))
      by (intros h d d' K; apply (neighbours_app_l [h] d d' K)).
    destruct n_left as [|n_left]; rewrite !E_bind.
    + apply E_le_affine; auto. intro h. rewrite !E_bind.
      rewrite (E_ext _ _ (fun d => f (h :: d))) by (intro; apply E_point).
      rewrite (E_ext (fill 0 (u ++ b :: v)) _ (fun d => g (h :: d))) by (intro; apply E_point).
      apply IH. intros d d' L K. apply B; auto. simpl. f_equal; auto.
    + rewrite (E_ext _ _ (fun d => f (e :: d))) by (intro; apply E_point).
      rewrite (E_ext (fill n_left (u ++ b :: v)) _ (fun d => g (e :: d))) by (intro; apply E_point).
      apply IH. intros d d' L K. apply B; auto. simpl. f_equal; auto.
Qed.

(* Any reading of (I_t, n' n_left, output). *)
Lemma ut_view_split : forall t x F,
  E (intruder_view ut_initial ut_update ut_output t x) (fun v => F (fst v) (snd v))
  = E (samples U third) (fun d0 => E used (fun c => let n_left := Nat.min c third in let rest := (n_left - length (firstn t x))%nat in
      E (fill n_left (firstn t x)) (fun d => E (view randomize (d0 ++ d)) (fun I =>
      E (fill rest (skipn t x)) (fun e => E (samples U third) (fun d1 =>
      E (view randomize (e ++ d1)) (reading Y Z analyze (fun I => F (I, rest)) I))))))).
Proof.
  intros t x F. unfold intruder_view. rewrite E_bind. unfold state_after, ut_initial. rewrite !E_bind.
  apply E_ext; intro d0.
  rewrite (E_ext (view randomize d0) _ (fun I => E used (fun c => E (process ut_update (firstn t x) (I, Nat.min c third))
     (fun s => E (bind (bind (process ut_update (skipn t x) s) ut_output) (fun z => point (s, z))) (fun v => F (fst v) (snd v)))))).
  2: { intro I. rewrite !E_bind. apply E_ext; intro c. rewrite E_point. reflexivity. }
  rewrite E_swap. apply E_ext; intro c. cbv zeta. rewrite ut_state. apply E_ext; intro d. apply E_ext; intro I.
  set (rest := (Nat.min c third - length (firstn t x))%nat).
  rewrite !E_bind. rewrite ut_process.
  - apply E_ext; intro e.
    rewrite (E_ext (samples U third) _ (fun d1 => E (messages randomize e) (fun r1 => E (messages randomize d1)
       (fun r2 => reading Y Z analyze (fun I => F (I, rest)) I (r1 ++ r2))))).
    2: { intro d1. rewrite E_view_order_free by apply order_free_shuffled. apply E_messages_app. }
    rewrite E_swap. apply E_ext; intro r1. unfold ut_output. simpl fst. rewrite E_bind. apply E_ext; intro d1.
    unfold final_output. rewrite !E_bind. apply E_ext; intro r2. unfold reading. rewrite app_assoc.
    apply E_ext; intro y. apply E_ext; intro z. rewrite E_point. reflexivity.
  - intros n_left J J' P0. unfold ut_output. simpl fst. rewrite !E_bind. apply E_ext; intro d1. unfold final_output.
    rewrite !E_bind. apply E_ext; intro r. apply shuffle_perm, Permutation_app_tail; auto.
Qed.
End Algorithm.

Lemma E_le_affine_in {A} : forall (d : law A) f g c delta, proper d ->
  (forall p, In p d -> f (fst p) <= c * g (fst p) + delta) -> E d f <= c * E d g + delta.
Proof.
  intros d f g c delta H B. rewrite <- E_mult, <- (E_const d delta H) at 1. rewrite <- E_plus.
  apply E_le_in; [apply H | apply B].
Qed.

Lemma proper_Bin : forall n p, 0 <= p <= 1 -> proper (Bin n p).
Proof.
  induction n; intros p Hp; [apply proper_point|]. cbn [Bin]. apply proper_bind; [apply proper_Ber; auto|].
  intro b. apply proper_bind; auto. intro; apply proper_point.
Qed.

Theorem ut_transformation_private :
  forall (X Y Z : Type) (randomize : nat -> randomizer X Y) (analyze : list Y -> law Z) (U : law X) (used : law nat)
         (eps delta : R) (third : nat),
  (forall n a, proper (randomize n a)) -> (forall y, proper (analyze y)) -> proper U -> proper used -> (0 < third)%nat ->
  robustly_shuffle_private randomize eps delta (1 / 3) ->
  pan_private third eps delta
    (ut_initial X Y (randomize (3 * third)%nat) U third used)
    (ut_update X Y (randomize (3 * third)%nat) U)
    (ut_output X Y Z (randomize (3 * third)%nat) analyze U third).
Proof.
  intros X Y Z randomize analyze U used eps delta third HR HA HU HC Ht HP t x x' L N T. unfold Pr.
  set (F := fun s z => indicator (T (s, z))).
  assert (W : forall y, E (intruder_view (ut_initial X Y (randomize (3 * third)%nat) U third used)
      (ut_update X Y (randomize (3 * third)%nat) U) (ut_output X Y Z (randomize (3 * third)%nat) analyze U third) t y)
      (fun v => indicator (T v))
    = E (intruder_view (ut_initial X Y (randomize (3 * third)%nat) U third used)
      (ut_update X Y (randomize (3 * third)%nat) U) (ut_output X Y Z (randomize (3 * third)%nat) analyze U third) t y)
      (fun v => F (fst v) (snd v))) by (intro y; apply E_ext; intros [s z]; reflexivity).
  rewrite !W, !ut_view_split by auto. clear W. cbv zeta.
  pose proof (firstn_length t x) as L1. pose proof (skipn_length t x) as L2.
  assert (PV : forall u, proper (view (randomize (3 * third)%nat) u)) by (intro; apply proper_view; auto).
  assert (R01 : forall rest I r, 0 <= reading Y Z analyze (fun I => F (I, rest)) I r <= 1)
    by (intros; apply reading_01; auto; intros; apply indicator_01).
  assert (RC : forall u u', (third <= length u <= 3 * third)%nat -> neighbours u u' ->
     close eps delta (view (randomize (3 * third)%nat) u) (view (randomize (3 * third)%nat) u')).
  { intros u u' Lu Nu. apply (robust_at X Y randomize eps delta HP third Ht u u' Lu Nu). }
  apply E_le_affine_in; [apply proper_samples; auto|]. intros [d0 w0] H0. apply samples_length in H0. simpl in H0 |- *.
  apply E_le_affine; auto. intro c.
  destruct (neighbours_split x x' t N) as [[S1 S2]|[S1 S2]].
  - rewrite S1. set (rest := (Nat.min c third - length (firstn t x'))%nat).
    apply E_le_affine; [apply proper_fill; auto|]. intro d. apply E_le_affine; [apply PV|]. intro I.
    apply fill_close; auto. intros e e' Le Ne.
    apply E_le_affine_in; [apply proper_samples; auto|]. intros [d1 w1] H1. apply samples_length in H1. simpl in H1 |- *.
    apply (close_fun eps delta); [|apply R01].
    apply RC; [rewrite app_length; lia | apply neighbours_app_r; auto].
  - assert (LL : length (firstn t x') = length (firstn t x)) by (symmetry; apply neighbours_length; auto).
    rewrite S2, LL. apply fill_close; auto. intros d d' Ld Nd.
    set (rest := (Nat.min c third - length (firstn t x))%nat).
    assert (C : close eps delta (view (randomize (3 * third)%nat) (d0 ++ d)) (view (randomize (3 * third)%nat) (d0 ++ d')))
      by (apply RC; [rewrite app_length; lia | apply neighbours_app_l; auto]).
    apply (close_fun eps delta _ _ C (fun I => E (fill X U rest (skipn t x')) (fun e => E (samples U third) (fun d1 =>
      E (view (randomize (3 * third)%nat) (e ++ d1)) (reading Y Z analyze (fun I => F (I, rest)) I))))).
    intro I. apply E_01; [apply proper_fill; auto|]. intro e. apply E_01; [apply proper_samples; auto|]. intro d1.
    apply E_01; auto.
Qed.

(* With the printed n' ~ Bin(n, 2/9). *)
Theorem ut_transformation :
  forall (X Y Z : Type) (randomize : nat -> randomizer X Y) (analyze : list Y -> law Z) (domain : list X)
         (eps delta : R) (third : nat),
  (forall n a, proper (randomize n a)) -> (forall y, proper (analyze y)) -> domain <> [] -> (0 < third)%nat ->
  robustly_shuffle_private randomize eps delta (1 / 3) ->
  pan_private third eps delta
    (ut_initial X Y (randomize (3 * third)%nat) (uniform domain) third (Bin (3 * third) (2 / 9)))
    (ut_update X Y (randomize (3 * third)%nat) (uniform domain))
    (ut_output X Y Z (randomize (3 * third)%nat) analyze (uniform domain) third).
Proof.
  intros. apply ut_transformation_private; auto; [apply proper_uniform; auto | apply proper_Bin; lra].
Qed.
