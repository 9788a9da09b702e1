(* Worst neighbours of the central baseline: the number of distinct elements plus symmetric geometric noise.

   "Changing one row moves D by at most 1, so every neighbouring pair is a shift of the symmetric geometric law by 1, or none." *)
From Coq Require Import Reals ZArith Lra Lia List Bool.
From Coquelicot Require Import Rbar Lim_seq.
From PanshuffleKernel Require Law.
From PanshuffleKernel Require Import Paper Countable Privacy.
Import ListNotations.
Open Scope R_scope.

(* The symmetric geometric law: mass (1-s)/(1+s) s^|v| at every whole number v. *)
Definition Geo (s : R) : law Z := fun N =>
  (0%Z, (1 - s) / (1 + s)) ::
  flat_map (fun i => [(Z.of_nat i, (1 - s) / (1 + s) * s ^ i); ((- Z.of_nat i)%Z, (1 - s) / (1 + s) * s ^ i)]) (seq 1 N).

Lemma Geo_step : forall s N f, sum_over (Geo s (S N)) f
  = sum_over (Geo s N) f + (1 - s) / (1 + s) * s ^ S N * (f (Z.of_nat (S N)) + f (- Z.of_nat (S N))%Z).
Proof.
  intros s N f. unfold Geo. rewrite seq_S, flat_map_app. cbn [sum_over]. rewrite Law.E_app.
  replace (1 + N)%nat with (S N) by lia. cbn [flat_map app sum_over]. ring.
Qed.
Lemma Geo_start : forall s f, sum_over (Geo s 0%nat) f = (1 - s) / (1 + s) * f 0%Z.
Proof. intros. unfold Geo. cbn [seq flat_map sum_over]. ring. Qed.

Section Geometric.
Variable s : R.
Hypothesis s_range : 0 < s < 1.
Lemma c_pos : 0 < (1 - s) / (1 + s).
Proof. apply Rdiv_lt_0_compat; lra. Qed.

Theorem proper_Geo : proper (Geo s).
Proof.
  pose proof c_pos as C. repeat split.
  - intros N p I. destruct I as [I|I]; [subst; simpl; lra|]. apply in_flat_map in I. destruct I as [i [_ I]].
    assert (0 < s ^ i) by (apply pow_lt; lra). assert (0 < (1 - s) / (1 + s) * s ^ i) by (apply Rmult_lt_0_compat; auto).
    destruct I as [I|[I|[]]]; subst; simpl snd; lra.
  - intros N T. rewrite Geo_step. assert (0 < s ^ S N) by (apply pow_lt; lra).
    assert (0 < (1 - s) / (1 + s) * s ^ S N) by (apply Rmult_lt_0_compat; auto).
    assert (B : forall b, 0 <= indicator b) by (intros []; simpl; lra).
    pose proof (B (T (Z.of_nat (S N)))). pose proof (B (T (- Z.of_nat (S N))%Z)).
    assert (0 <= (1 - s) / (1 + s) * s ^ S N * (indicator (T (Z.of_nat (S N))) + indicator (T (- Z.of_nat (S N))%Z))) by (apply Rmult_le_pos; lra).
    lra.
  - apply is_lim_seq_ext with (u := fun N => 1 - 2 * s / (1 + s) * s ^ N).
    + induction n as [|N IH]; [rewrite Geo_start; simpl; field; lra|]. rewrite Geo_step, <- IH. simpl. field; lra.
    + replace (Finite 1) with (Finite (1 - 2 * s / (1 + s) * 0)) by (f_equal; ring).
      apply is_lim_seq_minus'; [apply is_lim_seq_const|]. apply (is_lim_seq_scal_l _ _ (Finite 0)). apply is_lim_seq_geom.
      rewrite Rabs_pos_eq; lra.
Qed.
(* It is symmetric. *)
Lemma Geo_symmetric : forall f, E (Geo s) (fun v => f (- v)%Z) = E (Geo s) f.
Proof.
  intro f. apply E_slices; intro N. induction N as [|N IH]; [rewrite !Geo_start; reflexivity|].
  rewrite !Geo_step, IH, Z.opp_involutive. ring.
Qed.

Definition shifted (c : Z) : law Z := bind (Geo s) (fun v => point (c + v)%Z).
Lemma proper_shifted : forall c, proper (shifted c).
Proof. intro. apply proper_bind; [apply proper_Geo | intro; apply proper_point]. Qed.
Lemma E_shifted : forall c F, E (shifted c) F = E (Geo s) (fun v => F (c + v)%Z).
Proof. intros. apply E_slices; intro N. unfold shifted. rewrite slice_bind. apply Law.E_ext; intro v. unfold point. cbn [sum_over]. ring. Qed.
Lemma close_moved : forall eps delta a b a' b' (h : Z -> Z),
  (forall F, E (shifted a) (fun z => F (h z)) = E (shifted a') F) -> (forall F, E (shifted b) (fun z => F (h z)) = E (shifted b') F) ->
  close eps delta (shifted a) (shifted b) -> close eps delta (shifted a') (shifted b').
Proof. intros eps delta a b a' b' h H H' C T. unfold Pr. rewrite <- H, <- H'. apply (C (fun z => T (h z))). Qed.
Lemma move : forall a c F, E (shifted a) (fun z => F (z + c)%Z) = E (shifted (a + c)%Z) F.
Proof. intros. rewrite !E_shifted. apply E_ext. intro v. f_equal. lia. Qed.
(* Both directions are the same pair. *)
Lemma mirror : forall a F, E (shifted a) (fun z => F (1 - z)%Z) = E (shifted (1 - a)%Z) F.
Proof.
  intros. rewrite !E_shifted. rewrite <- (Geo_symmetric (fun v => F (1 - a + v)%Z)). apply E_ext. intro v. f_equal. lia.
Qed.
Theorem geometric_both_directions : forall eps delta, close eps delta (shifted 1) (shifted 0) <-> close eps delta (shifted 0) (shifted 1).
Proof.
  intros eps delta. split; intro C.
  - apply (close_moved eps delta 1 0 0 1 (fun z => 1 - z)%Z); auto; intro F; apply mirror.
  - apply (close_moved eps delta 0 1 1 0 (fun z => 1 - z)%Z); auto; intro F; apply mirror.
Qed.

Context {X : Type} (U : universe X).
Definition D (x : list X) : Z := Z.of_nat (length (nodup (same U) x)).
Definition geometric_distinct (x : list X) : law Z := shifted (D x).

Lemma D_least : forall u a b v, (D (u ++ a :: v) <= D (u ++ b :: v) + 1)%Z.
Proof.
  intros u a b v. unfold D.
  assert (L : (length (nodup (same U) (u ++ a :: v)) <= length (a :: nodup (same U) (u ++ b :: v)))%nat).
  { apply NoDup_incl_length; [apply NoDup_nodup|]. intros z Hz. apply nodup_In in Hz. apply in_app_or in Hz. simpl in Hz |- *.
    rewrite nodup_In. destruct Hz as [Hz|[Hz|Hz]]; auto; right; apply in_or_app; simpl; auto. }
  cbn [length] in L. lia.
Qed.
(* Changing one row moves D by at most 1. *)
Theorem distinct_moves : forall x x', neighbours x x' -> (Z.abs (D x - D x') <= 1)%Z.
Proof.
  intros x x' [u [a [b [v [Q1 Q2]]]]]. subst. pose proof (D_least u a b v). pose proof (D_least u b a v). lia.
Qed.

Theorem geometric_worst_neighbour : forall (n : nat) (eps delta : R), 0 <= eps -> 0 <= delta -> (2 <= n)%nat -> (2 <= length (elements U))%nat ->
  (private_on n eps delta geometric_distinct <-> close eps delta (shifted 1) (shifted 0)).
Proof.
  intros n eps delta He Hd Hn Hk. split.
  - intro H.
    assert (W : exists a b : X, a <> b).
    { pose proof (no_repetition X U) as ND. destruct (elements U) as [|a [|b r]]; cbn [length] in Hk; try lia.
      exists a, b. inversion ND as [|? ? NI _]; subst. intro Q. apply NI. subst. simpl; auto. }
    destruct W as [a [b AB]]. set (r := repeat b (n - 1)).
    assert (L : length (a :: r) = n) by (unfold r; cbn [length]; rewrite repeat_length; lia).
    assert (B1 : forall k, nodup (same U) (repeat b (S k)) = [b]).
    { induction k; [reflexivity|]. change (repeat b (S (S k))) with (b :: repeat b (S k)). cbn [nodup].
      destruct (in_dec (same U) b (repeat b (S k))) as [I|I]; [exact IHk | exfalso; apply I; left; reflexivity]. }
    assert (R : r = repeat b (S (n - 2))) by (unfold r; f_equal; lia).
    assert (DB : D (b :: r) = 1%Z).
    { unfold D. rewrite R. change (b :: repeat b (S (n - 2))) with (repeat b (S (S (n - 2)))). rewrite B1. reflexivity. }
    assert (DA : D (a :: r) = 2%Z).
    { unfold D. cbn [nodup]. destruct (in_dec (same U) a r) as [I|I]; [exfalso; unfold r in I; apply repeat_spec in I; congruence|].
      rewrite R, B1. reflexivity. }
    assert (Q : close eps delta (geometric_distinct (a :: r)) (geometric_distinct (b :: r))).
    { apply H; auto. exists [], a, b, r. auto. }
    unfold geometric_distinct in Q. rewrite DA, DB in Q.
    apply (close_moved eps delta 2 1 1 0 (fun z => z + -1)%Z); auto; intro F; apply move.
  - intros H x x' L N. unfold geometric_distinct. pose proof (distinct_moves x x' N) as M.
    generalize dependent (D x). generalize (D x'). intros d' d M.
    assert (C : d = d' \/ d = (1 + d')%Z \/ d' = (1 + d)%Z) by lia. destruct C as [C|[C|C]]; subst.
    + apply close_refl; auto using proper_shifted.
    + apply (close_moved eps delta 1 0 (1 + d') d' (fun z => z + d')%Z); auto; intro F; apply move.
    + apply geometric_both_directions in H.
      apply (close_moved eps delta 0 1 d (1 + d) (fun z => z + d)%Z); auto; intro F; apply move.
Qed.
End Geometric.
