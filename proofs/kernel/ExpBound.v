(* e^eps for a rational eps, bounded from below by computation inside Coq. *)
From Coq Require Import Reals ZArith Lra Lia List Bool.
Open Scope R_scope.

(* e^(p/q) from below: N/D is the sum of the first n terms after 1 of its series. *)
Fixpoint taylor (p q : Z) (n : nat) : Z * Z * Z :=
  match n with
  | O => (1, 1, 1)
  | S n => let '(N, D, P) := taylor p q n in let k := (q * Z.of_nat (S n))%Z in (N * k + P * p, D * k, P * p)
  end%Z.

(* Whether a/b <= e^(p/q) is seen from n terms. *)
Definition below_exp (n : nat) (p q a b : Z) : bool :=
  let '(N, D, _) := taylor p q n in ((0 <=? p) && (0 <? q) && (0 <? b) && (a * D <=? b * N))%Z.

Lemma taylor_sum : forall p q n, (0 < q)%Z -> let '(N, D, P) := taylor p q n in
  IZR D = IZR q ^ n * INR (fact n) /\ IZR P = IZR p ^ n
  /\ IZR N = sum_f_R0 (fun k => / INR (fact k) * (IZR p / IZR q) ^ k) n * IZR D.
Proof.
  intros p q n Hq. apply IZR_lt in Hq. induction n as [|n IH].
  - cbn [taylor sum_f_R0 fact pow INR]. simpl. repeat split; field.
  - cbn [taylor]. destruct (taylor p q n) as [[N D] P]. destruct IH as [I1 [I2 I3]].
    pose proof (INR_fact_neq_0 n) as F. assert (K : IZR (Z.of_nat (S n)) = INR (S n)) by (symmetry; apply INR_IZR_INZ).
    assert (S0 : INR (S n) <> 0) by (apply not_0_INR; discriminate).
    repeat split.
    + rewrite !mult_IZR, K, I1. rewrite fact_simpl, mult_INR. cbn [pow]. ring.
    + rewrite mult_IZR, I2. cbn [pow]. ring.
    + rewrite plus_IZR, !mult_IZR, K, I3, I2. rewrite tech5. rewrite Rmult_plus_distr_r.
      replace (sum_f_R0 (fun k => / INR (fact k) * (IZR p / IZR q) ^ k) n * IZR D * (IZR q * INR (S n)))
        with (sum_f_R0 (fun k => / INR (fact k) * (IZR p / IZR q) ^ k) n * (IZR D * (IZR q * INR (S n)))) by ring.
      f_equal. rewrite I1, fact_simpl, mult_INR. unfold Rdiv. rewrite Rpow_mult_distr, pow_inv. cbn [pow].
      field. repeat split; auto; try lra. apply pow_nonzero. lra.
Qed.

Theorem below_exp_sound : forall n p q a b, below_exp n p q a b = true -> IZR a / IZR b <= exp (IZR p / IZR q).
Proof.
  intros n p q a b H. unfold below_exp in H. pose proof (taylor_sum p q n) as T.
  destruct (taylor p q n) as [[N D] P]. rewrite !andb_true_iff, ?Z.ltb_lt, ?Z.leb_le in H.
  destruct H as [[[Hp Hq] Hb] H]. destruct (T Hq) as [T1 [_ T3]]. clear T. apply IZR_le in H. rewrite !mult_IZR in H.
  apply IZR_le in Hp. apply IZR_lt in Hq. apply IZR_lt in Hb.
  assert (Dp : 0 < IZR D) by (rewrite T1; apply Rmult_lt_0_compat; [apply pow_lt; auto | apply INR_fact_lt_0]).
  assert (X : 0 <= IZR p / IZR q) by (apply Rmult_le_pos; [auto | left; apply Rinv_0_lt_compat; auto]).
  assert (S : sum_f_R0 (fun k => / INR (fact k) * (IZR p / IZR q) ^ k) n <= exp (IZR p / IZR q)).
  { apply sum_incr.
    - unfold exp. destruct (exist_exp (IZR p / IZR q)) as [e He]. exact He.
    - intro k. apply Rmult_le_pos; [left; apply Rinv_0_lt_compat, INR_fact_lt_0 | apply pow_le; auto]. }
  apply Rle_trans with (2 := S). apply Rmult_le_reg_r with (IZR b * IZR D); [apply Rmult_lt_0_compat; auto|].
  replace (IZR a / IZR b * (IZR b * IZR D)) with (IZR a * IZR D) by (field; lra). rewrite T3 in H. lra.
Qed.

Lemma ln_nonneg : forall x, 1 <= x -> 0 <= ln x.
Proof. intros x [H|H]; [left; rewrite <- ln_1; apply ln_increasing; lra | right; rewrite <- H, ln_1; reflexivity]. Qed.
