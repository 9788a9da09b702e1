(* Section 4: Poisson laws.

   "both the binomial and Poisson distribution are closed under summation": sum Pois(a_i) = Pois(sum a_i).
   Bin(Pois(a), p) and the rest are independent, Pois(a p) and Pois(a (1-p)) (thinning). *)
From Coq Require Import Reals Lra Lia List Bool.
From Coquelicot Require Import Rcomplements Rbar Lim_seq.
From PanshuffleKernel Require Law UniformityTransformation Parity.
From PanshuffleKernel Require Import Paper Countable Privacy Masses.
Import ListNotations.
Open Scope R_scope.

Lemma fact_pos : forall n, 0 < INR (fact n).
Proof. intro n. apply lt_0_INR, lt_O_fact. Qed.
Lemma poisson_nonneg : forall a i, 0 <= a -> 0 <= poisson a i.
Proof.
  intros a i H. unfold poisson. apply Rmult_le_pos; [left; apply exp_pos|].
  apply Rmult_le_pos; [apply pow_le; auto | left; apply Rinv_0_lt_compat, fact_pos].
Qed.

(* Sums over 0, ..., n. *)
Lemma sum_seq : forall w f n, sum_over (map (fun i => (i, w i)) (seq 0 (S n))) f = sum_f_R0 (fun i => w i * f i) n.
Proof.
  intros w f n. induction n.
  - simpl. ring.
  - rewrite seq_S, map_app, Law.E_app, IHn. simpl. ring.
Qed.

Lemma poisson_sums : forall a, is_lim_seq (fun N => sum_over (Pois a N) (fun _ => 1)) 1.
Proof.
  intro a. apply is_lim_seq_incr_1.
  apply is_lim_seq_ext with (u := fun n => exp (- a) * sum_f_R0 (fun i => / INR (fact i) * a ^ i) n).
  - intro n. unfold Pois. rewrite sum_seq. rewrite scal_sum. apply sum_eq. intros i _. unfold poisson, Rdiv. ring.
  - replace (Finite 1) with (Rbar_mult (exp (- a)) (exp a)).
    + apply is_lim_seq_scal_l. apply is_lim_seq_Reals. exact (proj2_sig (exist_exp a)).
    + simpl. rewrite <- exp_plus. replace (- a + a) with 0 by ring. rewrite exp_0. reflexivity.
Qed.

Theorem proper_Pois : forall a, 0 <= a -> proper (Pois a).
Proof.
  intros a H. split; [|split].
  - intros N p P. unfold Pois in P. apply in_map_iff in P. destruct P as [i [P _]]. subst p. simpl. apply poisson_nonneg; auto.
  - intros N T. unfold Pois. rewrite seq_S, map_app, Law.E_app. simpl.
    assert (0 <= poisson a N * indicator (T N)); [|lra].
    apply Rmult_le_pos; [apply poisson_nonneg; auto | destruct (T N); simpl; lra].
  - apply poisson_sums.
Qed.

(* Functions that vanish from some place on. *)
Lemma E_Pois_finite : forall a f n, (forall i, (n < i)%nat -> f i = 0) -> E (Pois a) f = sum_f_R0 (fun i => poisson a i * f i) n.
Proof.
  intros a f n H. apply real_limit. apply is_lim_seq_incr_n with (N := S n).
  apply is_lim_seq_ext with (u := fun _ => sum_f_R0 (fun i => poisson a i * f i) n); [|apply is_lim_seq_const].
  intro N. unfold Pois. rewrite Nat.add_succ_r, sum_seq.
  induction N; [simpl; auto|]. simpl Nat.add. simpl sum_f_R0. rewrite <- IHN. rewrite (H (S (N + n))) by lia. ring.
Qed.

Lemma sum_pick : forall w n i, (i <= n)%nat -> sum_f_R0 (fun j => w j * indicator (is i j)) n = w i.
Proof.
  intros w n i H. induction n.
  - assert (i = O) by lia. subst. simpl. replace (is O O) with true by (symmetry; apply is_true; auto). simpl; ring.
  - simpl. destruct (Nat.eq_dec i (S n)) as [Q|Q].
    + subst. replace (is (S n) (S n)) with true by (symmetry; apply is_true; auto). simpl indicator.
      rewrite (sum_eq_R0 (fun j => w j * indicator (is (S n) j))); [ring|]. intros j J. unfold is.
      destruct (decide (S n = j)); [lia | simpl; ring].
    + rewrite IHn by lia. unfold is. destruct (decide (i = S n)); [lia | simpl; ring].
Qed.

Lemma mass_Pois : forall a i, mass (Pois a) i = poisson a i.
Proof.
  intros a i. unfold mass, Pr. rewrite (E_Pois_finite a _ i).
  - apply (sum_pick (poisson a) i i); auto.
  - intros j J. unfold is. destruct (decide (i = j)); [lia | reflexivity].
Qed.

(* Where the law is a sum of two independent parts. *)
Definition sum_law (d d' : law nat) : law nat := bind d (fun i => bind d' (fun j => point (i + j)%nat)).
Lemma proper_sum : forall d d', proper d -> proper d' -> proper (sum_law d d').
Proof. intros. apply proper_bind; auto; intro. apply proper_bind; auto; intro. apply proper_point. Qed.
Lemma E_sum_law : forall d d' f, proper d -> proper d' -> bounded f -> E (sum_law d d') f = E d (fun i => E d' (fun j => f (i + j)%nat)).
Proof.
  intros d d' f D D' F. unfold sum_law.
  assert (P : forall i, proper (bind d' (fun j => point (i + j)%nat))) by (intro; apply proper_bind; auto; intro; apply proper_point).
  rewrite E_bind by auto. apply E_ext; intro i. rewrite E_bind by (auto; intro; apply proper_point).
  apply E_ext; intro j. apply E_point.
Qed.

Lemma C_fact : forall n i, (i <= n)%nat -> / INR (fact i) * / INR (fact (n - i)) = C n i * / INR (fact n).
Proof.
  intros n i H. unfold C. pose proof (fact_pos n). pose proof (fact_pos i). pose proof (fact_pos (n - i)). field. lra.
Qed.

Theorem Pois_sum : forall a b, 0 <= a -> 0 <= b -> same_law (sum_law (Pois a) (Pois b)) (Pois (a + b)).
Proof.
  intros a b Ha Hb. pose proof (proper_Pois a Ha). pose proof (proper_Pois b Hb).
  apply same_masses; [apply proper_sum; auto | apply proper_Pois; lra|]. intro n. rewrite mass_Pois.
  unfold mass, Pr. rewrite E_sum_law by auto using bounded_indicator.
  rewrite (E_ext _ _ (fun i => if le_dec i n then poisson b (n - i) else 0)).
  2:{ intro i. destruct (le_dec i n) as [L|L].
      - rewrite <- mass_Pois. apply E_ext; intro j. f_equal. apply eq_true_iff_eq. rewrite !is_true. lia.
      - rewrite (E_ext _ _ (fun _ => 0)); [apply E_const; auto|]. intro j. unfold is. destruct (decide (n = (i + j)%nat)); [lia | auto]. }
  rewrite (E_Pois_finite a _ n).
  2:{ intros i Hi. destruct (le_dec i n); [lia | auto]. }
  unfold poisson. rewrite binomial. unfold Rdiv.
  replace (exp (- (a + b)) * (sum_f_R0 (fun i => C n i * a ^ i * b ^ (n - i)) n * / INR (fact n)))
    with ((exp (- (a + b)) * / INR (fact n)) * sum_f_R0 (fun i => C n i * a ^ i * b ^ (n - i)) n) by ring.
  rewrite scal_sum.
  apply sum_eq. intros i Hi. destruct (le_dec i n) as [L|L]; [|lia].
  transitivity (exp (- a) * exp (- b) * (a ^ i * b ^ (n - i)) * (/ INR (fact i) * / INR (fact (n - i)))); [ring|].
  rewrite C_fact by auto. rewrite <- exp_plus. replace (- a + - b) with (- (a + b)) by ring. ring.
Qed.

(* ---- binomial masses ---- *)
Lemma Bin_finite : forall n p, Bin n p = fun _ => UniformityTransformation.Bin n p.
Proof.
  induction n; intro p; [reflexivity|]. cbn [Bin]. rewrite IHn. reflexivity.
Qed.
Lemma proper_Ber : forall p, 0 <= p <= 1 -> proper (Ber p).
Proof. intros p H. apply (proper_finite (Parity.Ber p)), Parity.proper_Ber; auto. Qed.
Lemma E_Ber : forall p f, E (Ber p) f = p * f true + (1 - p) * f false.
Proof. intros p f. unfold Ber. rewrite E_finite. simpl. ring. Qed.
Lemma proper_Bin : forall n p, 0 <= p <= 1 -> proper (Bin n p).
Proof. intros n p H. rewrite Bin_finite. apply proper_finite, UniformityTransformation.proper_Bin; auto. Qed.
Lemma E_Bin_S : forall n p f, 0 <= p <= 1 -> bounded f ->
  E (Bin (S n) p) f = p * E (Bin n p) (fun c => f (S c)) + (1 - p) * E (Bin n p) f.
Proof.
  intros n p f P F. cbn [Bin]. pose proof (proper_Bin n p P) as B. pose proof (proper_Ber p P).
  assert (forall b : bool, proper (bind (Bin n p) (fun c => point (if b then S c else c)))).
  { intro b. apply proper_bind; auto; intro; apply proper_point. }
  rewrite E_bind by auto. rewrite E_Ber. rewrite !E_bind by (auto; intro; apply proper_point).
  f_equal; f_equal; apply E_ext; intro c; rewrite E_point; auto.
Qed.

Fixpoint choose (n i : nat) : nat :=
  match n, i with _, O => 1 | O, S _ => 0 | S n, S i => choose n i + choose n (S i) end%nat.
Lemma choose_big : forall n i, (n < i)%nat -> choose n i = O.
Proof. induction n; intros [|i] H; simpl; auto; try lia. rewrite !IHn by lia. auto. Qed.
Lemma choose_fact : forall i j, INR (choose (i + j) i) * INR (fact i) * INR (fact j) = INR (fact (i + j)).
Proof.
  intro i. induction i as [|i IHi].
  - intro j. destruct j; simpl choose; simpl fact; simpl INR; ring.
  - induction j as [|j IHj].
    + rewrite Nat.add_0_r. simpl (choose (S i) (S i)). rewrite (choose_big i (S i)) by lia.
      pose proof (IHi O) as Q. rewrite Nat.add_0_r in Q. rewrite Nat.add_0_r.
      change (fact (S i)) with (S i * fact i)%nat. rewrite mult_INR. simpl (fact 0) in *. simpl (INR 1) in *.
      transitivity (INR (S i) * (INR (choose i i) * INR (fact i) * 1)); [ring | rewrite Q; ring].
    + pose proof (IHi (S j)) as Q1. rewrite Nat.add_succ_r in Q1. rename IHj into Q2. simpl (S i + j)%nat in Q2.
      rewrite Nat.add_succ_r. cbn [Nat.add]. change (choose (S (S (i + j))) (S i)) with (choose (S (i + j)) i + choose (S (i + j)) (S i))%nat.
      rewrite plus_INR.
      assert (FS : forall n, INR (fact (S n)) = INR (S n) * INR (fact n)) by (intro; rewrite <- mult_INR; reflexivity).
      rewrite (FS (S (i + j))).
      replace (INR (S (S (i + j)))) with (INR (S i) + INR (S j)) by (rewrite <- plus_INR; f_equal; lia).
      transitivity (INR (S i) * INR (fact (S (i + j))) + INR (S j) * INR (fact (S (i + j)))); [|ring].
      rewrite <- Q1 at 1. rewrite <- Q2. rewrite (FS i), (FS j). ring.
Qed.

Lemma mass_Bin : forall n p i, 0 <= p <= 1 -> mass (Bin n p) i = INR (choose n i) * p ^ i * (1 - p) ^ (n - i).
Proof.
  intros n p i P. revert i. induction n; intro i; unfold mass, Pr.
  - simpl Bin. rewrite E_point. destruct i; unfold is.
    + destruct (decide (O = O)); [simpl; ring | lia].
    + destruct (decide (S i = O)); [lia | simpl; ring].
  - rewrite E_Bin_S by auto using bounded_indicator. fold (Pr (Bin n p) (is i)). fold (mass (Bin n p) i).
    destruct i.
    + rewrite (E_ext _ (fun c => indicator (is O (S c))) (fun _ => 0)).
      2:{ intro c. unfold is. destruct (decide (O = S c)); [lia | auto]. }
      rewrite E_const by (apply proper_Bin; auto). change (E (Bin n p) (fun a => indicator (is O a))) with (mass (Bin n p) O).
      rewrite IHn. simpl choose. destruct n; simpl; ring.
    + rewrite (E_ext _ (fun c => indicator (is (S i) (S c))) (fun c => indicator (is i c))).
      2:{ intro c. f_equal. apply eq_true_iff_eq. rewrite !is_true. lia. }
      change (E (Bin n p) (fun c => indicator (is i c))) with (mass (Bin n p) i).
      change (E (Bin n p) (fun a => indicator (is (S i) a))) with (mass (Bin n p) (S i)).
      rewrite !IHn. cbn [choose]. rewrite plus_INR. simpl (S n - S i)%nat.
      destruct (le_lt_dec (S i) n) as [L|L].
      * replace (n - i)%nat with (S (n - S i)) by lia. simpl. ring.
      * rewrite (choose_big n (S i)) by lia. simpl (INR 0). simpl (p ^ S i). ring.
Qed.

(* ---- thinning ---- *)
(* Each of Pois(a) things is kept with probability p: (kept, not kept). *)
Definition thinned (a p : R) : law (nat * nat) := bind (Pois a) (fun s => bind (Bin s p) (fun c => point (c, s - c)%nat)).

Lemma proper_thinned : forall a p, 0 <= a -> 0 <= p <= 1 -> proper (thinned a p).
Proof.
  intros a p A P. apply proper_bind; [apply proper_Pois; auto|]. intro s.
  apply proper_bind; [apply proper_Bin; auto | intro; apply proper_point].
Qed.
Lemma proper_joint {A B} : forall (p : law A) (q : law B), proper p -> proper q -> proper (joint p q).
Proof. intros. apply proper_bind; auto; intro. apply proper_bind; auto; intro. apply proper_point. Qed.
Lemma E_joint {A B} : forall (p : law A) (q : law B) f, proper p -> proper q -> bounded f ->
  E (joint p q) f = E p (fun a => E q (fun b => f (a, b))).
Proof.
  intros p q f P Q F. unfold joint.
  assert (X : forall a : A, proper (bind q (fun b => point (a, b)))) by (intro; apply proper_bind; auto; intro; apply proper_point).
  rewrite E_bind by auto. apply E_ext; intro a. rewrite E_bind by (auto; intro; apply proper_point).
  apply E_ext; intro b. apply E_point.
Qed.
Lemma mass_joint {A B} : forall (p : law A) (q : law B) a b, proper p -> proper q -> mass (joint p q) (a, b) = mass p a * mass q b.
Proof.
  intros p q a b P Q. unfold mass, Pr. rewrite E_joint by auto using bounded_indicator.
  rewrite Rmult_comm, <- E_mult by auto using bounded_indicator. apply E_ext; intro x.
  destruct (decide (a = x)) as [H|H]; [rewrite (proj2 (is_true a x) H) | rewrite (is_false a x H)].
  - subst. simpl. rewrite Rmult_1_r. apply E_ext; intro y. f_equal. apply eq_true_iff_eq. rewrite !is_true.
    split; intro H; [inversion H; auto | subst; auto].
  - simpl. rewrite Rmult_0_r. rewrite (E_ext _ _ (fun _ => 0)); [apply E_const; auto|]. intro y. unfold is.
    destruct (decide ((a, b) = (x, y))) as [K|K]; auto. inversion K; contradiction.
Qed.

Lemma Bin_above : forall n p f, 0 <= p <= 1 -> bounded f -> (forall c, (c <= n)%nat -> f c = 0) -> E (Bin n p) f = 0.
Proof.
  induction n; intros p f P F H.
  - simpl. rewrite E_point. apply H; auto.
  - rewrite E_Bin_S by auto. rewrite !IHn; auto; try ring.
    + apply (bounded_comp S f F).
    + intros c L; apply H; lia.
Qed.

Theorem thinning : forall a p, 0 <= a -> 0 <= p <= 1 -> same_law (thinned a p) (joint (Pois (a * p)) (Pois (a * (1 - p)))).
Proof.
  intros a p A P.
  assert (A1 : 0 <= a * p) by (apply Rmult_le_pos; lra). assert (A2 : 0 <= a * (1 - p)) by (apply Rmult_le_pos; lra).
  apply same_masses; [apply proper_thinned; auto | apply proper_joint; apply proper_Pois; auto|].
  intros [i j]. rewrite mass_joint, !mass_Pois by (apply proper_Pois; auto).
  unfold mass, Pr, thinned.
  assert (PB : forall s, proper (bind (Bin s p) (fun c => point (c, s - c)%nat))).
  { intro s. apply proper_bind; [apply proper_Bin; auto | intro; apply proper_point]. }
  rewrite E_bind by auto using bounded_indicator, proper_Pois.
  rewrite (E_ext _ _ (fun s => mass (Bin (i + j) p) i * indicator (is (i + j)%nat s))).
  - rewrite E_mult by (auto using bounded_indicator, proper_Pois).
    change (E (Pois a) (fun s => indicator (is (i + j)%nat s))) with (mass (Pois a) (i + j)%nat). rewrite mass_Pois, mass_Bin by auto.
    replace (i + j - i)%nat with j by lia. unfold poisson, Rdiv. rewrite !Rpow_mult_distr, <- choose_fact, pow_add.
    replace (- a) with (- (a * p) + - (a * (1 - p))) by ring. rewrite exp_plus.
    pose proof (fact_pos i). pose proof (fact_pos j). pose proof (choose_fact i j) as Q. pose proof (fact_pos (i + j)).
    assert (0 < INR (choose (i + j) i)).
    { destruct (Rle_lt_or_eq_dec 0 (INR (choose (i + j) i)) (pos_INR _)) as [|Z]; auto. rewrite <- Z in Q. lra. }
    field. repeat split; lra.
  - intro s. rewrite E_bind by (auto using bounded_indicator, proper_Bin; intro; apply proper_point).
    destruct (decide ((i + j)%nat = s)) as [H|H]; [rewrite (proj2 (is_true _ _) H) | rewrite (is_false _ _ H)].
    + subst. simpl. rewrite Rmult_1_r. unfold mass, Pr.
      apply Rminus_diag_uniq. rewrite <- E_minus by (auto using proper_Bin, bounded_indicator; try (apply bounded_01; intro c; rewrite E_point; destruct (is _ _); simpl; lra)).
      apply Bin_above; auto.
      * apply bounded_minus; [apply bounded_01; intro c; rewrite E_point; destruct (is _ _); simpl; lra | apply bounded_indicator].
      * intros c L. rewrite E_point. apply Rminus_diag_eq. f_equal. apply eq_true_iff_eq. rewrite !is_true.
        split; intro K; [inversion K; auto | subst; f_equal; lia].
    + simpl. rewrite Rmult_0_r. apply Bin_above; auto.
      * apply bounded_01; intro c; rewrite E_point; destruct (is _ _); simpl; lra.
      * intros c L. rewrite E_point. unfold is. destruct (decide ((i, j) = (c, (s - c)%nat))) as [K|K]; auto.
        exfalso. inversion K. lia.
Qed.
