(* Lemma distinct-ber.

   "Let n in N, gamma in (0,1], and p in [0,1/2].  Define p' = (1-(1-2p)^(1/n))/2.  Then given i.i.d. X_1, ...,
    X_{gamma n} ~ Ber(p'), X = sum X_i mod 2 is identically distributed with Ber((1-(1-2p)^gamma)/2)."

   Proved on the law of the independent draws, by the paper's own argument: E[prod (1-2X_i)] = prod (1-2q_i). *)
From Coq Require Import Reals Lra List Bool.
From PanshuffleKernel Require Import Law Power.
Import ListNotations.
Open Scope R_scope.

(* The law of a bit that is 1 with probability q. *)
Definition Ber (q : R) : law bool := [(true, q); (false, 1 - q)].
(* Independent draws, one from each law. *)
Fixpoint independent {A} (ds : list (law A)) : law (list A) :=
  match ds with [] => point [] | d :: ds => bind d (fun a => bind (independent ds) (fun l => point (a :: l))) end.
(* The sum mod 2. *)
Definition parity (l : list bool) : bool := fold_right xorb false l.
Definition sign (b : bool) : R := if b then -1 else 1.
Definition product (l : list R) : R := fold_right Rmult 1 l.

Lemma proper_Ber : forall q, 0 <= q <= 1 -> proper (Ber q).
Proof. intros q H; split; [intros p [K|[K|[]]]; subst; simpl; lra | simpl; ring]. Qed.
Lemma proper_independent {A} : forall ds : list (law A), Forall proper ds -> proper (independent ds).
Proof.
  induction 1; simpl. apply proper_point.
  apply proper_bind; auto. intro; apply proper_bind; auto. intro; apply proper_point.
Qed.

(* E[prod (1-2X_i)] = prod (1-2q_i): the paper's own argument *)
Lemma E_sign_parity : forall qs,
  E (independent (map Ber qs)) (fun l => sign (parity l)) = product (map (fun q => 1 - 2 * q) qs).
Proof.
  induction qs as [|q qs IH]; simpl; [unfold sign; simpl; ring|].
  rewrite !E_app, !E_scale, !E_bind.
  set (d := independent (map Ber qs)) in *.
  rewrite (E_ext d (fun a => E (point (true :: a)) _) (fun l => -1 * sign (parity l))).
  2: { intro a. rewrite E_point. simpl. destruct (parity a); simpl; unfold sign; ring. }
  rewrite (E_ext d (fun a => E (point (false :: a)) _) (fun l => sign (parity l))).
  2: { intro a. rewrite E_point. simpl. destruct (parity a); simpl; unfold sign; ring. }
  rewrite E_mult, IH. simpl. ring.
Qed.

Lemma Pr_parity : forall (d : law (list bool)), proper d ->
  Pr d parity = (1 - E d (fun l => sign (parity l))) / 2.
Proof.
  intros d H. unfold Pr. rewrite <- (E_const d 1 H) at 1.
  assert (X : 2 * E d (fun a => indicator (parity a)) = E d (fun _ => 1) - E d (fun l => sign (parity l))).
  { rewrite <- E_mult. replace (E d (fun _ => 1) - E d (fun l => sign (parity l)))
      with (E d (fun _ => 1) + (-1) * E d (fun l => sign (parity l))) by ring.
    rewrite <- E_mult, <- E_plus. apply E_ext. intro l. destruct (parity l); simpl; unfold sign; ring. }
  lra.
Qed.

Definition parity_law (qs : list R) : law bool := bind (independent (map Ber qs)) (fun l => point (parity l)).
Lemma parity_law_Ber : forall qs, Forall (fun q => 0 <= q <= 1) qs ->
  same_law (parity_law qs) (Ber ((1 - product (map (fun q => 1 - 2 * q) qs)) / 2)).
Proof.
  intros qs H f. assert (D : proper (independent (map Ber qs))).
  { apply proper_independent. apply Forall_forall. intros d K. apply in_map_iff in K. destruct K as [q [K1 K2]].
    subst. apply proper_Ber. rewrite Forall_forall in H; auto. }
  unfold parity_law. rewrite E_bind.
  rewrite (E_ext _ _ (fun l => (f true - f false) * indicator (parity l) + f false)).
  2: { intro l. rewrite E_point. destruct (parity l); simpl; ring. }
  rewrite E_plus, E_mult, (E_const _ _ D). fold (Pr (independent (map Ber qs)) parity).
  rewrite Pr_parity, E_sign_parity by auto. simpl. field.
Qed.

Lemma product_repeat : forall c N, product (repeat c N) = c ^ N.
Proof. induction N; simpl; [|rewrite IHN]; ring. Qed.

Theorem parity_iid : forall q N, 0 <= q <= 1 -> Pr (parity_law (repeat q N)) (fun b => b) = (1 - (1 - 2 * q) ^ N) / 2.
Proof.
  intros q N H. unfold Pr. rewrite parity_law_Ber.
  - rewrite map_repeat, product_repeat || (replace (map (fun q0 => 1 - 2 * q0) (repeat q N)) with (repeat (1 - 2 * q) N)
      by (induction N; simpl; congruence); rewrite product_repeat). simpl. field.
  - apply Forall_forall. intros x K. apply repeat_spec in K. subst; auto.
Qed.

(* p' = (1 - (1-2p)^(1/n)) / 2. *)
Definition p_prime (p : R) (n : nat) := (1 - power (1 - 2 * p) (/ INR n)) / 2.

Lemma p_prime_half : forall n, (0 < n)%nat -> p_prime (1 / 2) n = 1 / 2.
Proof.
  intros n Hn. unfold p_prime. replace (1 - 2 * (1 / 2)) with 0 by field. rewrite power_zero; [field|].
  apply Rinv_neq_0_compat, not_0_INR. intro; subst; inversion Hn.
Qed.

Lemma p_prime_01 : forall p n, 0 <= p < 1 / 2 -> (0 < n)%nat -> 0 <= p_prime p n <= 1.
Proof.
  intros p n Hp Hn. unfold p_prime. rewrite power_pos_base by lra. pose proof (Rpower_pos (1 - 2 * p) (/ INR n)).
  assert (0 < / INR n) by (apply Rinv_0_lt_compat, lt_0_INR; auto).
  assert (Rpower (1 - 2 * p) (/ INR n) <= 1).
  { unfold Rpower. apply Rle_trans with (exp 0); [|right; apply exp_0]. assert (ln (1 - 2 * p) <= 0) by (rewrite <- ln_1; apply ln_le_mono; lra).
    assert (L : / INR n * ln (1 - 2 * p) <= 0) by (apply Rle_trans with (/ INR n * 0); [apply Rmult_le_compat_l|]; lra).
    destruct L as [L|L]; [left; apply exp_increasing; auto | right; rewrite L; auto]. }
  lra.
Qed.

Lemma p_prime_pow : forall p n m, p < 1 / 2 -> (0 < n)%nat ->
  (1 - 2 * p_prime p n) ^ m = Rpower (1 - 2 * p) (INR m / INR n).
Proof.
  intros p n m Hp Hn. unfold p_prime. rewrite power_pos_base by lra.
  replace (1 - 2 * ((1 - Rpower (1 - 2 * p) (/ INR n)) / 2)) with (Rpower (1 - 2 * p) (/ INR n)) by field.
  rewrite <- Rpower_pow by apply Rpower_pos. rewrite Rpower_mult. f_equal. unfold Rdiv; ring.
Qed.


(* Lemma distinct-ber; gamma n = honest, a whole number, at least 1. *)
Theorem distinct_ber : forall p n honest, 0 <= p <= 1 / 2 -> (0 < n)%nat -> (0 < honest)%nat ->
  same_law (parity_law (repeat (p_prime p n) honest)) (Ber ((1 - power (1 - 2 * p) (INR honest / INR n)) / 2)).
Proof.
  intros p n honest Hp Hn Hh f.
  assert (R1 : 0 <= p_prime p n <= 1).
  { destruct (Req_EM_T p (1 / 2)) as [Z|Z]; [subst; rewrite p_prime_half by auto; lra | apply p_prime_01; auto; lra]. }
  rewrite parity_law_Ber.
  - replace (map (fun q0 => 1 - 2 * q0) (repeat (p_prime p n) honest)) with (repeat (1 - 2 * p_prime p n) honest)
      by (clear; induction honest; simpl; congruence).
    rewrite product_repeat. do 4 f_equal. destruct (Req_EM_T p (1 / 2)) as [Z|Z].
    + subst. rewrite p_prime_half by auto. replace (1 - 2 * (1 / 2)) with 0 by field.
      assert (INR honest / INR n <> 0).
      { apply Rgt_not_eq, Rdiv_lt_0_compat; apply lt_0_INR; auto. }
      rewrite power_zero by auto. apply pow_i; auto.
    + rewrite p_prime_pow, power_pos_base by (auto; lra). reflexivity.
  - apply Forall_forall. intros x K. apply repeat_spec in K. subst; auto.
Qed.

Lemma independent_length {A} : forall (ds : list (law A)) p, In p (independent ds) -> length (fst p) = length ds.
Proof.
  induction ds as [|d ds IH]; intros p H.
  - simpl in H. destruct H as [H|[]]; subst; auto.
  - cbn [independent] in H. apply in_bind in H. destruct H as [a [c [_ [H2 H3]]]].
    apply in_bind in H2. destruct H2 as [l [r [H4 [H5 H6]]]].
    destruct H5 as [H5|[]]. subst r. simpl in H6. rewrite <- H3, <- H6. simpl. f_equal; auto.
Qed.
