(* Beside Theorem de_upper, Part I: with an odd number of messages the factor 1/(1-q) of a new holder is attained, however many users
   there are.

   "For odd m the second is attained, however many users there are": in the pool of all ones every user has parity 1, and only the changed user's
   factor differs. *)
From Coq Require Import Reals Lra Lia List Bool Permutation.
From PanshuffleKernel Require Import Law Closeness Parity Shuffle Messages ShuffleModel Distinct Shares Ikos DistinctTight Calculus EvenMessages.
Import ListNotations.
Open Scope R_scope.

Definition all_ones (l : list bool) : R := indicator (forallb (fun b => b) l).
Lemma all_ones_app : forall l r, all_ones (l ++ r) = all_ones l * all_ones r.
Proof. intros l r. unfold all_ones. rewrite forallb_app. destruct (forallb _ l), (forallb _ r); simpl; ring. Qed.

Lemma fair_all_ones : forall m, E (power_of fair_part m) all_ones = (1 / 2) ^ m.
Proof.
  induction m as [|m IH]; [unfold power_of, all_ones; simpl; ring|]. unfold power_of in *. cbn [repeat concatenated pow].
  rewrite E_join. unfold fair_part at 1. cbn [E].
  rewrite (E_ext _ (fun r => all_ones ([false] ++ r)) (fun _ => 0 * 0)) by (intro; unfold all_ones; simpl; ring).
  rewrite (E_ext _ (fun r => all_ones ([true] ++ r)) all_ones) by reflexivity. rewrite E_mult, IH. ring.
Qed.
Lemma sign_all_ones : forall m, E (power_of sign_part m) all_ones = (- (1 / 2)) ^ m.
Proof.
  induction m as [|m IH]; [unfold power_of, all_ones; simpl; ring|]. unfold power_of in *. cbn [repeat concatenated pow].
  rewrite E_join. unfold sign_part at 1. cbn [E].
  rewrite (E_ext _ (fun r => all_ones ([false] ++ r)) (fun _ => 0 * 0)) by (intro; unfold all_ones; simpl; ring).
  rewrite (E_ext _ (fun r => all_ones ([true] ++ r)) all_ones) by reflexivity. rewrite E_mult, IH. field.
Qed.

Lemma user_all_ones : forall m q, Nat.Odd m -> E (user m q) all_ones = (1 - q) * (1 / 2) ^ m.
Proof.
  intros m q [k Hk]. rewrite user_split by lia. rewrite fair_all_ones, sign_all_ones. replace (- (1 / 2)) with (-1 * (1 / 2)) by ring.
  rewrite Rpow_mult_distr. subst m. rewrite (pow_add (-1)), pow_m1_even. simpl ((-1) ^ 1). ring.
Qed.

Section Odd.
Variable Element : Type.
Variable same : forall a b : Element, {a = b} + {a <> b}.
Variable n : nat.
Hypothesis n_pos : (0 < n)%nat.
Variable eps : R.
Hypothesis eps_pos : 0 < eps.
Variable m : nat.
Hypothesis m_odd : Nat.Odd m.
Let q := no_flip n eps.
Let pool := col Element same n eps (R_MOD m).

Definition pool_all_ones (y : list (Element * bool)) : R := all_ones (map snd y).

Lemma pool_all_ones_free : order_free pool_all_ones.
Proof.
  intros l l' P. unfold pool_all_ones, all_ones. f_equal. induction P; cbn [map forallb]; try congruence. destruct (snd x), (snd y); reflexivity.
Qed.
Lemma pool_chance : forall j l1 a l2,
  E (pool j (l1 ++ a :: l2)) pool_all_ones = (1 - (if same a j then 0 else q)) * (1 / 2) ^ m * E (pool j (l1 ++ l2)) pool_all_ones.
Proof.
  intros j l1 a l2. pose proof (pool_front Element same n eps m j l1 a l2 pool_all_ones pool_all_ones_free) as P. cbv zeta in P. fold pool in P. rewrite P.
  rewrite (message_user Element same n eps m a j). fold q.
  rewrite (E_ext _ _ (fun l => E (pool j (l1 ++ l2)) pool_all_ones * all_ones l)).
  - rewrite E_mult, user_all_ones by auto. ring.
  - intro l. rewrite Rmult_comm, <- E_mult. apply E_ext. intro s. unfold pool_all_ones. rewrite map_app, all_ones_app, map_map, map_id. reflexivity.
Qed.
Lemma pool_chance_pos : forall j x, 0 < E (pool j x) pool_all_ones.
Proof.
  intros j x. induction x as [|a x IH].
  - unfold pool, col. cbn [map concatenated]. rewrite E_point. unfold pool_all_ones, all_ones. simpl. lra.
  - pose proof (pool_chance j [] a x) as P. cbn [app] in P. rewrite P. pose proof (q_range n n_pos eps eps_pos) as Q. cbv zeta in Q. fold q in Q.
    apply Rmult_lt_0_compat; auto. apply Rmult_lt_0_compat; [destruct (same a j); lra | apply pow_lt; lra].
Qed.

(* The ratio is exactly 1/(1-q), so no smaller factor will do. *)
Theorem pool_gains_odd : forall j l1 a l2, a <> j ->
  E (pool j (l1 ++ j :: l2)) pool_all_ones = / (1 - q) * E (pool j (l1 ++ a :: l2)) pool_all_ones.
Proof.
  intros j l1 a l2 Ha. rewrite !pool_chance. destruct (same j j) as [_|e]; [|congruence]. destruct (same a j) as [e|_]; [congruence|].
  pose proof (q_range n n_pos eps eps_pos) as Q. cbv zeta in Q. fold q in Q. field. lra.
Qed.
Theorem pool_gains_odd_least : forall j l1 a l2 M, a <> j ->
  (forall F, order_free F -> (forall l, 0 <= F l) -> E (pool j (l1 ++ j :: l2)) F <= M * E (pool j (l1 ++ a :: l2)) F) ->
  / (1 - q) <= M.
Proof.
  intros j l1 a l2 M Ha H. specialize (H pool_all_ones pool_all_ones_free ltac:(intro l; apply indicator_01)).
  rewrite (pool_gains_odd j l1 a l2 Ha) in H. apply Rmult_le_reg_r with (E (pool j (l1 ++ a :: l2)) pool_all_ones); [apply pool_chance_pos | exact H].
Qed.
End Odd.
