(* Section 3.2, proof of Lemma de-lower-bound-pan-2: several changes at once, and Q' built from Q by copies.

   "for each received element j_2 in [k eps], creates 1/eps copies (j_2, 1), ..., (j_2, 1/eps) and passes them to Q ...  by
    composition across the 1/eps copies ... (1, delta/eps)-pan-privacy ...  Q' can multiply this by eps to get an
    alpha eps-accurate estimate."

   Proved: k changes of an (eps,delta)-private algorithm are (k eps, delta (e^(k eps)-1)/(e^eps-1))-private, which is sharp; Q' is
   (1, delta (e-1)/(e^eps-1))-pan-private and (alpha eps, beta)-accurate; and the lemma, from the cited lower bound as a
   premise, with what is printed of delta up to the constant e-1. *)
From Coq Require Import Reals Lra Lia List Bool.
From PanshuffleKernel Require Import Law Closeness PostProcessing Parity Online Transformation Calculus.
Import ListNotations.
Open Scope R_scope.

(* 1 + q + ... + q^(k-1). *)
Fixpoint geometric (q : R) (k : nat) : R := match k with O => 0 | S k => 1 + q * geometric q k end.

Lemma geometric_closed : forall q k, q <> 1 -> geometric q k = (q ^ k - 1) / (q - 1).
Proof. intros q k H. induction k as [|k IH]; cbn [geometric pow]; [|rewrite IH]; field; lra. Qed.
Lemma geometric_nonneg : forall q k, 0 <= q -> 0 <= geometric q k.
Proof. intros q k H. induction k as [|k IH]; cbn [geometric]; [lra|]. assert (0 <= q * geometric q k) by (apply Rmult_le_pos; lra). lra. Qed.

(* Group privacy along d_0, ..., d_k. *)
Lemma group_privacy_sum {A} : forall (k : nat) (eps delta : R) (d : nat -> law A),
  (forall i, (i < k)%nat -> close eps delta (d i) (d (S i))) ->
  close (INR k * eps) (delta * geometric (exp eps) k) (d O) (d k).
Proof.
  induction k as [|k IH]; intros eps delta d H T.
  - simpl. rewrite Rmult_0_l, exp_0. lra.
  - assert (C1 := H O ltac:(lia) T).
    assert (C2 := IH eps delta (fun i => d (S i)) (fun i Hi => H (S i) ltac:(lia)) T). cbv beta in C2.
    pose proof (exp_pos eps). apply Rmult_le_compat_l with (r := exp eps) in C2; [|lra].
    rewrite S_INR. replace ((INR k + 1) * eps) with (eps + INR k * eps) by ring. rewrite exp_plus. cbn [geometric]. lra.
Qed.

Theorem group_privacy {A} : forall (k : nat) (eps delta : R) (d : nat -> law A), 0 < eps ->
  (forall i, (i < k)%nat -> close eps delta (d i) (d (S i))) ->
  close (INR k * eps) (delta * ((exp (INR k * eps) - 1) / (exp eps - 1))) (d O) (d k).
Proof.
  intros k eps delta d He H. pose proof (exp_ineq1 eps ltac:(lra)).
  replace (exp (INR k * eps)) with (exp eps ^ k).
  - rewrite <- geometric_closed by lra. apply group_privacy_sum; auto.
  - clear. induction k; [simpl; rewrite Rmult_0_l, exp_0; reflexivity|]. cbn [pow]. rewrite IHk, S_INR, <- exp_plus. f_equal. ring.
Qed.

(* No smaller delta will do, as long as it is at most e^eps/(e^eps+1). *)
Theorem group_privacy_sharp : forall (k : nat) (eps delta : R), 0 < eps -> 0 <= delta ->
  delta * ((exp (INR k * eps) - 1) / (exp eps - 1)) <= exp eps / (exp eps + 1) ->
  exists d : nat -> law bool,
    (forall i, proper (d i))
    /\ (forall i, (i < k)%nat -> close eps delta (d i) (d (S i)) /\ close eps delta (d (S i)) (d i))
    /\ (forall delta', close (INR k * eps) delta' (d O) (d k) ->
        delta * ((exp (INR k * eps) - 1) / (exp eps - 1)) <= delta').
Proof.
  intros k eps delta He Hd B. pose proof (exp_ineq1 eps ltac:(lra)) as E1.
  assert (X : delta * ((exp (INR k * eps) - 1) / (exp eps - 1)) = delta * geometric (exp eps) k).
  { rewrite geometric_closed by lra. do 3 f_equal.
    clear. induction k; [simpl; rewrite Rmult_0_l, exp_0; reflexivity|]. cbn [pow]. rewrite <- IHk, S_INR, <- exp_plus. f_equal. ring. }
  rewrite X in *. clear X. set (q := exp eps) in *.
  set (p := fun i => delta * geometric q (k - i)).
  assert (P0 : forall i, 0 <= p i) by (intro i; apply Rmult_le_pos; [auto | apply geometric_nonneg; lra]).
  assert (PS : forall i, (i < k)%nat -> p i = q * p (S i) + delta).
  { intros i Hi. unfold p. replace (k - i)%nat with (S (k - S i)) by lia. cbn [geometric]. ring. }
  assert (F1 : q / (q + 1) < 1) by (apply Rmult_lt_reg_r with (q + 1); [lra|]; unfold Rdiv; rewrite Rmult_assoc, Rinv_l; lra).
  assert (PB : forall i, p i <= q / (q + 1)).
  { assert (M : forall j, (j <= k)%nat -> delta * geometric q j <= delta * geometric q k).
    { assert (M1 : forall a b, (a <= b)%nat -> geometric q a <= geometric q b).
      { induction a as [|a IH]; intros b Hab; cbn [geometric]; [apply geometric_nonneg; lra|].
        destruct b as [|b]; [lia|]. cbn [geometric]. apply Rplus_le_compat_l. apply Rmult_le_compat_l; [lra | apply IH; lia]. }
      intros j Hj. apply Rmult_le_compat_l; auto. }
    intro i. eapply Rle_trans; [apply (M (k - i)%nat); lia | exact B]. }
  assert (Q1 : q / (q + 1) * (q + 1) = q) by (field; lra).
  exists (fun i => Ber (p i)). split; [|split].
  - intro i. apply proper_Ber. specialize (P0 i). specialize (PB i). lra.
  - intros i Hi. pose proof (PS i Hi) as S1. pose proof (P0 (S i)) as Z. pose proof (PB i) as U. pose proof (PB (S i)) as U2.
    assert (U3 : p i * (q + 1) <= q) by (apply Rle_trans with (q / (q + 1) * (q + 1)); [apply Rmult_le_compat_r; lra | lra]).
    assert (Z2 : 0 <= q * p (S i)) by (apply Rmult_le_pos; lra).
    assert (Z3 : p (S i) <= p i) by nra.
    split; intro T; fold q; unfold Pr, Ber; cbn [E]; destruct (T true), (T false); cbn [indicator]; try nra.
  - intros delta' C. specialize (C (fun b => b)). unfold Pr, Ber in C. cbn [E indicator] in C.
    replace (p k) with 0 in C by (unfold p; rewrite Nat.sub_diag; simpl; ring).
    assert (Hp : p O = delta * geometric q k) by (unfold p; rewrite Nat.sub_0_r; reflexivity). lra.
Qed.

(* Streams that differ in one block of c elements, one element after the other. *)
Definition hybrid {Y} (u l l' v : list Y) (i : nat) : list Y := u ++ firstn i l' ++ skipn i l ++ v.

Lemma hybrid_step {Y} : forall (u l l' v : list Y) i, length l = length l' -> (i < length l)%nat ->
  neighbours (hybrid u l l' v i) (hybrid u l l' v (S i)).
Proof.
  intros u l. revert u. induction l as [|a l IH]; intros u [|b l'] v i L Hi; simpl in L, Hi; try lia.
  destruct i as [|i].
  - exists u, a, b, (l ++ v). split; reflexivity.
  - specialize (IH (u ++ [b]) l' v i ltac:(lia) ltac:(lia)). unfold hybrid in *. cbn [firstn skipn].
    rewrite <- !app_assoc in IH. exact IH.
Qed.

Lemma hybrid_length {Y} : forall (u l l' v : list Y) i, length l = length l' -> (i <= length l)%nat ->
  length (hybrid u l l' v i) = length (u ++ l ++ v).
Proof. intros. unfold hybrid. rewrite !app_length, firstn_length, skipn_length. lia. Qed.

Section Copies.
Variables X Index State : Type.
Variable copy : list Index.                    (* 1, ..., 1/eps *)
Variable initial : law State.
Variable update : X * Index -> State -> law State.
Variable output : State -> law R.

Definition copies (a : X) : list (X * Index) := map (pair a) copy.
Let c := length copy.

(* Q': an element goes to Q as its copies, and the answer is divided by their number. *)
Definition update_copies (a : X) : State -> law State := process update (copies a).
Definition output_copies (s : State) : law R := bind (output s) (fun z => point (z / INR c)).

Lemma copies_length : forall a, length (copies a) = c.
Proof. intro. unfold copies. apply map_length. Qed.
Lemma stream_length : forall x, length (flat_map copies x) = (c * length x)%nat.
Proof. induction x as [|a x IH]; [simpl; lia|]. cbn [flat_map length]. rewrite app_length, copies_length, IH. lia. Qed.

Lemma process_copies : forall x s f, E (process update_copies x s) f = E (process update (flat_map copies x) s) f.
Proof.
  induction x as [|a x IH]; intros s f; [reflexivity|]. cbn [process flat_map].
  rewrite process_app, !E_bind. apply E_ext; intro s'. apply IH.
Qed.

Lemma firstn_copies : forall t x, firstn (c * t) (flat_map copies x) = flat_map copies (firstn t x).
Proof.
  induction t as [|t IH]; intros [|a x]; try (rewrite Nat.mul_0_r; reflexivity); [simpl; rewrite firstn_nil; reflexivity|].
  cbn [firstn flat_map]. rewrite firstn_app, copies_length. replace (c * S t - c)%nat with (c * t)%nat by lia.
  rewrite IH, firstn_all2 by (rewrite copies_length; lia). reflexivity.
Qed.
Lemma skipn_copies : forall t x, skipn (c * t) (flat_map copies x) = flat_map copies (skipn t x).
Proof.
  induction t as [|t IH]; intros [|a x]; try (rewrite Nat.mul_0_r; reflexivity); [simpl; rewrite skipn_nil; reflexivity|].
  cbn [skipn flat_map]. rewrite skipn_app, copies_length. replace (c * S t - c)%nat with (c * t)%nat by lia.
  rewrite IH, skipn_all2 by (rewrite copies_length; lia). reflexivity.
Qed.

Lemma view_copies : forall t x f,
  E (intruder_view initial update_copies output_copies t x) f
  = E (bind (intruder_view initial update output (c * t) (flat_map copies x)) (fun v => point (fst v, snd v / INR c))) f.
Proof.
  intros t x f. unfold intruder_view, state_after. rewrite !E_bind. apply E_ext; intro s0.
  rewrite process_copies, firstn_copies, skipn_copies. apply E_ext; intro s. rewrite !E_bind, process_copies. apply E_ext; intro s'.
  unfold output_copies. rewrite E_bind. apply E_ext; intro z. rewrite !E_point. reflexivity.
Qed.

Theorem copies_private : forall (n : nat) (eps delta : R), 0 < eps ->
  pan_private (c * n) eps delta initial update output ->
  pan_private n (INR c * eps) (delta * ((exp (INR c * eps) - 1) / (exp eps - 1))) initial update_copies output_copies.
Proof.
  intros n eps delta He H t x x' L [u [a [b [v [Hx Hx']]]]].
  apply (close_same _ _ _ _ _ _ (fun f => eq_sym (view_copies t x f)) (fun f => eq_sym (view_copies t x' f))).
  apply post_processing; [intro; apply proper_point|].
  set (U := flat_map copies u). set (V := flat_map copies v).
  pose proof (group_privacy c eps delta (fun i => intruder_view initial update output (c * t) (hybrid U (copies a) (copies b) V i)) He) as G.
  cbv beta in G.
  assert (E0 : hybrid U (copies a) (copies b) V 0 = flat_map copies x).
  { unfold hybrid. subst x. rewrite flat_map_app. reflexivity. }
  assert (E1 : hybrid U (copies a) (copies b) V c = flat_map copies x').
  { unfold hybrid. subst x'. rewrite flat_map_app, firstn_all2, skipn_all2 by (rewrite copies_length; lia). reflexivity. }
  rewrite E0, E1 in G. apply G. intros i Hi. apply H.
  - rewrite hybrid_length by (rewrite !copies_length; lia). unfold U, V. subst x.
    rewrite app_length in L. rewrite !app_length, !stream_length, copies_length. simpl in L. nia.
  - apply hybrid_step; rewrite !copies_length; auto.
Qed.

Variable same : forall a b : X, {a = b} + {a <> b}.
Variable same_copy : forall a b : X * Index, {a = b} + {a <> b}.
Hypothesis copy_nodup : NoDup copy.

Lemma copies_disjoint : forall a b y, In y (copies a) -> In y (copies b) -> a = b.
Proof.
  intros a b y H K. apply in_map_iff in H. destruct H as [i [H _]]. apply in_map_iff in K. destruct K as [j [K _]]. congruence.
Qed.
Lemma NoDup_flat : forall x, NoDup x -> NoDup (flat_map copies x).
Proof.
  induction 1 as [|a x NI ND IH]; [constructor|]. cbn [flat_map].
  assert (D : forall y, In y (copies a) -> ~ In y (flat_map copies x)).
  { intros y Hy Hf. apply in_flat_map in Hf. destruct Hf as [b [Hb Hb2]]. apply NI. rewrite (copies_disjoint a b y); auto. }
  assert (P : NoDup (copies a)) by (apply FinFun.Injective_map_NoDup; auto; intros i j Q; congruence).
  revert D P. generalize (copies a). induction l as [|y l IHl]; intros D P; [auto|]. inversion P; subst. cbn [app]. constructor.
  - intro Hi. apply in_app_or in Hi. destruct Hi as [Hi|Hi]; [contradiction|]. apply (D y); [left; auto | auto].
  - apply IHl; auto. intros z Hz. apply D. right; auto.
Qed.

Lemma distinct_copies : forall x, distinct same_copy (flat_map copies x) = (c * distinct same x)%nat.
Proof.
  intro x. unfold distinct. rewrite <- stream_length. apply Nat.le_antisymm; apply NoDup_incl_length.
  - apply NoDup_nodup.
  - intros y Hy. apply nodup_In in Hy. apply in_flat_map in Hy. destruct Hy as [a [Ha Hy]]. apply in_flat_map.
    exists a. split; auto. apply nodup_In; auto.
  - apply NoDup_flat, NoDup_nodup.
  - intros y Hy. apply in_flat_map in Hy. destruct Hy as [a [Ha Hy]]. apply nodup_In. apply in_flat_map. exists a. split; auto.
    apply nodup_In in Ha; auto.
Qed.

Lemma output_of_copies : forall x f, E (output_of initial update_copies output_copies x) f
  = E (output_of initial update output (flat_map copies x)) (fun z => f (z / INR c)).
Proof.
  intros x f. unfold output_of, state_after. rewrite !E_bind. apply E_ext; intro s. rewrite process_copies. apply E_ext; intro s'.
  unfold output_copies. rewrite E_bind. apply E_ext; intro z. apply E_point.
Qed.

Theorem copies_accurate : forall (n : nat) (alpha beta : R), (0 < c)%nat ->
  (forall a, nonneg (output_of initial update output a)) ->
  solves_distinct same_copy (c * n) alpha beta (output_of initial update output) ->
  solves_distinct same n (alpha / INR c) beta (output_of initial update_copies output_copies).
Proof.
  intros n alpha beta Hc HN H x L. specialize (H (flat_map copies x)). rewrite stream_length, L in H. specialize (H eq_refl).
  eapply Rle_trans; [exact H|]. unfold Pr. rewrite output_of_copies. apply E_le; [apply HN|]. intro z. rewrite distinct_copies, mult_INR.
  assert (C0 : 0 < INR c) by (apply lt_0_INR; auto). unfold within.
  destruct (Rle_dec (Rabs (z - INR c * INR (distinct same x))) alpha) as [A|A]; [|apply indicator_01].
  destruct (Rle_dec _ (alpha / INR c)) as [B|B]; [lra|]. exfalso. apply B.
  replace (z / INR c - INR (distinct same x)) with ((z - INR c * INR (distinct same x)) / INR c) by (field; lra).
  unfold Rdiv. rewrite Rabs_mult, (Rabs_right (/ INR c)) by (apply Rle_ge; left; apply Rinv_0_lt_compat; auto).
  apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; auto | auto].
Qed.
End Copies.

(* eps = 1/c: Q' is (1, (e-1)/(e^eps-1) delta)-pan-private, at most (1, (e-1) delta/eps). *)
Corollary copies_private_at_one : forall (X Index State : Type) (copy : list Index) (initial : law State)
  (update : X * Index -> State -> law State) (output : State -> law R) (n : nat) (eps delta : R),
  (0 < length copy)%nat -> eps = 1 / INR (length copy) ->
  pan_private (length copy * n) eps delta initial update output ->
  pan_private n 1 (delta * ((exp 1 - 1) / (exp eps - 1))) initial
    (update_copies X Index State copy update) (output_copies Index State copy output).
Proof.
  intros X Index State copy initial update output n eps delta Hc He H.
  assert (C0 : 0 < INR (length copy)) by (apply lt_0_INR; auto).
  assert (E0 : 0 < eps) by (subst; apply Rdiv_lt_0_compat; lra).
  pose proof (copies_private X Index State copy initial update output n eps delta E0 H) as G.
  replace (INR (length copy) * eps) with 1 in G by (subst; field; lra). exact G.
Qed.

Lemma pan_private_mono {X State Z} : forall n eps delta delta2 (initial : law State) (update : X -> State -> law State)
  (output : State -> law Z), proper initial -> (forall a s, proper (update a s)) -> (forall s, proper (output s)) ->
  delta <= delta2 -> pan_private n eps delta initial update output -> pan_private n eps delta2 initial update output.
Proof.
  intros n eps delta delta2 initial update output HI HU HO Hd H t x x' L N.
  assert (PP : forall y s, proper (process update y s)).
  { induction y as [|a y IH]; intro s; cbn [process]; [apply proper_point | apply proper_bind; auto]. }
  eapply close_mono; [| | exact Hd | exact (H t x x' L N)]; [|lra].
  apply proper_bind; [apply proper_bind; auto|]. intro s. apply proper_bind; [apply proper_bind; auto | intro; apply proper_point].
Qed.

(* Lemma de-lower-bound-pan, cited: for every C there are c > 0 and k_0 such that a (1, C/n)-pan-private algorithm that solves the
   (alpha, beta)-distinct elements problem on length n >= k >= k_0 over a domain of k elements, beta < 0.1, has alpha >= c sqrt k. *)
Definition pan_lower_bound (C c0 : R) (k0 : nat) : Prop :=
  forall (X State : Type) (same : forall a b : X, {a = b} + {a <> b}) (K : list X)
         (initial : law State) (update : X -> State -> law State) (output : State -> law R) (n : nat) (alpha beta : R),
  NoDup K -> (forall a, In a K) -> proper initial -> (forall a s, proper (update a s)) -> (forall s, proper (output s)) ->
  (k0 <= length K <= n)%nat -> (0 < n)%nat -> beta < 1 / 10 ->
  pan_private n 1 (C / INR n) initial update output ->
  solves_distinct same n alpha beta (output_of initial update output) -> c0 * sqrt (INR (length K)) <= alpha.

Definition cited_lower_bound : Prop := forall C, 0 < C -> exists c0 k0, 0 < c0 /\ pan_lower_bound C c0 k0.

(* Lemma de-lower-bound-pan-2, repaired: eps = 1/c, the domain [k] is X x Index with k eps = |X| elements times c, and k eps is at
   least k_0.  The length n = c n' is at least k (k/eps is printed), and delta is at most C/n (C eps/n is printed). *)
Theorem de_lower_bound_pan_2_hypotheses : cited_lower_bound -> forall C, 0 < C -> exists c0 k0, 0 < c0 /\
  forall (X Index State : Type) (same : forall a b : X, {a = b} + {a <> b})
         (same_copy : forall a b : X * Index, {a = b} + {a <> b}) (K : list X) (copy : list Index) (initial : law State)
         (update : X * Index -> State -> law State) (output : State -> law R) (n' : nat) (eps delta alpha beta : R),
  NoDup K -> (forall a, In a K) -> NoDup copy -> (forall i, In i copy) ->
  proper initial -> (forall a s, proper (update a s)) -> (forall s, proper (output s)) ->
  (0 < length copy)%nat -> (0 < n')%nat -> eps = 1 / INR (length copy) -> beta < 1 / 10 ->
  let n := (length copy * n')%nat in
  let k := length (list_prod K copy) in
  (k <= n)%nat -> (k0 <= length K)%nat -> 0 <= delta <= C / INR n ->
  pan_private n eps delta initial update output ->
  solves_distinct same_copy n alpha beta (output_of initial update output) ->
  c0 * sqrt (INR k / eps) <= alpha.
Proof.
  intros Cited C HC. pose proof (exp_ineq1 1 ltac:(lra)) as X1.
  destruct (Cited (C * (exp 1 - 1)) ltac:(apply Rmult_lt_0_compat; lra)) as [c0 [k0 [C0 H]]].
  exists c0, k0. split; auto.
  intros X Index State same same_copy K copy initial update output n' eps delta alpha beta
    NK FK NC FC PI PU PO Hc Hn He Hb n k Hlen Hk0 Hd HP HS.
  assert (CC : 0 < INR (length copy)) by (apply lt_0_INR; auto).
  assert (C1 : 1 <= INR (length copy)) by (replace 1 with (INR 1) by reflexivity; apply le_INR; lia).
  assert (E0 : 0 < eps) by (subst eps; apply Rdiv_lt_0_compat; lra).
  assert (EI : 1 / eps = INR (length copy)) by (subst eps; field; lra).
  assert (KN : INR k = INR (length K) * INR (length copy)) by (unfold k; rewrite prod_length, mult_INR; reflexivity).
  assert (NN : INR n = INR (length copy) * INR n') by (unfold n; apply mult_INR).
  assert (n0 : 0 < INR n') by (apply lt_0_INR; auto).
  pose proof (pos_INR (length K)) as K0.
  assert (LK : (length K <= n')%nat).
  { apply INR_le. apply Rmult_le_reg_l with (INR (length copy)); auto. rewrite <- NN. apply le_INR in Hlen. rewrite KN in Hlen. lra. }
  pose proof (copies_private_at_one X Index State copy initial update output n' eps delta Hc He HP) as P1.
  assert (PP : forall a s, proper (update_copies X Index State copy update a s)).
  { intros a s. unfold update_copies. generalize (copies X Index copy a). intro l. revert s.
    induction l as [|y l IH]; intro s; cbn [process]; [apply proper_point | apply proper_bind; auto]. }
  assert (PO2 : forall s, proper (output_copies Index State copy output s)).
  { intro s. apply proper_bind; auto. intro; apply proper_point. }
  assert (PX : forall x, proper (output_of initial update output x)).
  { intro x. apply proper_bind; auto. apply proper_bind; auto. induction x as [|y x IH]; intro s; cbn [process]; [apply proper_point | apply proper_bind; auto]. }
  pose proof (exp_ineq1 eps ltac:(lra)) as X2.
  assert (DD : delta * ((exp 1 - 1) / (exp eps - 1)) <= C * (exp 1 - 1) / INR n').
  { apply Rle_trans with (C / INR n * ((exp 1 - 1) / eps)).
    - apply Rmult_le_compat; try lra; [left; apply Rdiv_lt_0_compat; lra|]. unfold Rdiv. apply Rmult_le_compat_l; [lra|].
      apply Rinv_le_contravar; lra.
    - rewrite NN, He. right. field. lra. }
  pose proof (pan_private_mono _ _ _ _ _ _ _ PI PP PO2 DD P1) as P2.
  pose proof (copies_accurate X Index State copy initial update output same same_copy NC n' alpha beta Hc
    (fun a => proj1 (PX a)) HS) as A2.
  pose proof (H X State same K initial _ _ n' _ beta NK FK PI PP PO2 (conj Hk0 LK) Hn Hb P2 A2) as F.
  apply Rmult_le_compat_r with (r := INR (length copy)) in F; [|lra].
  replace (alpha / INR (length copy) * INR (length copy)) with alpha in F by (field; lra).
  eapply Rle_trans; [|exact F]. right.
  replace (INR k / eps) with (INR (length K) * (INR (length copy) * INR (length copy))).
  - rewrite sqrt_mult_alt by auto. rewrite sqrt_square by lra. ring.
  - rewrite KN. unfold Rdiv. replace (/ eps) with (INR (length copy)) by (rewrite <- EI; field; lra). ring.
Qed.

(* With the hypotheses as printed. *)
Corollary de_lower_bound_pan_2 : cited_lower_bound -> forall C, 0 < C -> exists c0 k0, 0 < c0 /\
  forall (X Index State : Type) (same : forall a b : X, {a = b} + {a <> b})
         (same_copy : forall a b : X * Index, {a = b} + {a <> b}) (K : list X) (copy : list Index) (initial : law State)
         (update : X * Index -> State -> law State) (output : State -> law R) (n' : nat) (eps delta alpha beta : R),
  NoDup K -> (forall a, In a K) -> NoDup copy -> (forall i, In i copy) ->
  proper initial -> (forall a s, proper (update a s)) -> (forall s, proper (output s)) ->
  (0 < length copy)%nat -> (0 < n')%nat -> eps = 1 / INR (length copy) -> beta < 1 / 10 ->
  let n := (length copy * n')%nat in
  let k := length (list_prod K copy) in
  INR k / eps <= INR n -> (k0 <= length K)%nat -> 0 <= delta <= C * eps / INR n ->
  pan_private n eps delta initial update output ->
  solves_distinct same_copy n alpha beta (output_of initial update output) ->
  c0 * sqrt (INR k / eps) <= alpha.
Proof.
  intros Cited C HC. destruct (de_lower_bound_pan_2_hypotheses Cited C HC) as [c0 [k0 [C0 H]]]. exists c0, k0. split; auto.
  intros X Index State same same_copy K copy initial update output n' eps delta alpha beta
    NK FK NC FC PI PU PO Hc Hn He Hb n k Hlen Hk0 Hd HP HS.
  assert (C1 : 1 <= INR (length copy)) by (replace 1 with (INR 1) by reflexivity; apply le_INR; lia).
  assert (E0 : 0 < eps) by (subst eps; apply Rdiv_lt_0_compat; lra).
  assert (E1 : eps <= 1) by (subst eps; apply div_le; lra).
  assert (n0 : 0 < INR n) by (apply lt_0_INR; unfold n; nia).
  apply (H X Index State same same_copy K copy initial update output n' eps delta alpha beta); auto.
  - apply INR_le. eapply Rle_trans; [|exact Hlen]. apply le_div; auto. fold k.
    pose proof (pos_INR k). assert (INR k * eps <= INR k * 1) by (apply Rmult_le_compat_l; lra). lra.
  - destruct Hd as [D1 D2]. split; auto. eapply Rle_trans; [exact D2|]. unfold Rdiv. apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; auto|].
    rewrite <- (Rmult_1_r C) at 2. apply Rmult_le_compat_l; lra.
Qed.

(* Theorem de-lower-bound, repaired, on 3n users: alpha + 1 >= c sqrt(k/eps). *)
Theorem de_lower_bound : cited_lower_bound -> forall C, 0 < C -> exists c0 k0, 0 < c0 /\
  forall (X Index Y : Type) (same : forall a b : X, {a = b} + {a <> b})
         (same_copy : forall a b : X * Index, {a = b} + {a <> b}) (K : list X) (copy : list Index)
         (randomize : nat -> ShuffleModel.randomizer (X * Index) Y) (analyze : list Y -> law R) (one : X * Index)
         (n' : nat) (eps delta alpha beta : R),
  NoDup K -> (forall a, In a K) -> NoDup copy -> (forall i, In i copy) ->
  (forall n a, proper (randomize n a)) -> (forall y, proper (analyze y)) ->
  (0 < length copy)%nat -> (0 < n')%nat -> eps = 1 / INR (length copy) -> beta < 1 / 10 ->
  let n := (3 * (length copy * n'))%nat in
  let k := length (list_prod K copy) in
  3 * INR k / eps <= INR n -> (k0 <= length K)%nat -> 0 <= delta <= C * eps / INR n ->
  ShuffleModel.robustly_shuffle_private randomize eps delta (1 / 3) ->
  solves_distinct same_copy n alpha beta (execution (randomize n) analyze) ->
  c0 * sqrt (INR k / eps) <= alpha + 1.
Proof.
  intros Cited C HC. destruct (de_lower_bound_pan_2 Cited C HC) as [c0 [k0 [C0 H]]]. exists c0, k0. split; auto.
  intros X Index Y same same_copy K copy randomize analyze one n' eps delta alpha beta NK FK NC FC PR PA Hc Hn He Hb n k Hlen Hk0 Hd HP HS.
  set (third := (length copy * n')%nat) in *. assert (T0 : (0 < third)%nat) by (unfold third; nia).
  assert (I0 : 0 < INR third) by (apply lt_0_INR; auto).
  assert (NT : INR n = 3 * INR third) by (unfold n; rewrite mult_INR; simpl (INR 3); ring).
  destruct (de_transformation (X * Index) Y same_copy randomize analyze one eps delta alpha beta third PR PA T0 HP HS) as [Q1 Q2].
  refine (H X Index (list Y) same same_copy K copy _ _ _ n' eps delta (alpha + 1) beta NK FK NC FC _ _ _ Hc Hn He Hb _ Hk0 _ Q1 Q2).
  - apply ShuffleModel.proper_view. intro; apply PR.
  - intros a s. apply proper_bind; auto. intro; apply Shuffle.proper_shuffle.
  - intro s. apply proper_bind; auto. apply proper_bind; [apply ShuffleModel.proper_messages; intro; apply PR | intro; apply Shuffle.proper_shuffle].
  - fold third. fold k. rewrite NT in Hlen. unfold Rdiv in *. lra.
  - fold third. destruct Hd as [D1 D2]. split; auto. eapply Rle_trans; [exact D2|]. rewrite NT.
    assert (E0 : 0 < eps) by (subst eps; apply Rdiv_lt_0_compat; [lra | apply lt_0_INR; auto]).
    unfold Rdiv. apply Rmult_le_compat_l; [left; apply Rmult_lt_0_compat; lra|]. apply Rinv_le_contravar; lra.
Qed.

(* Theorem de-lower-bound, repaired, on n = 3 c n' users, n >= 3k and delta <= C/n: alpha + 1 >= c sqrt(k/eps). *)
Theorem de_lower_bound_hypotheses : cited_lower_bound -> forall C, 0 < C -> exists c0 k0, 0 < c0 /\
  forall (X Index Y : Type) (same : forall a b : X, {a = b} + {a <> b})
         (same_copy : forall a b : X * Index, {a = b} + {a <> b}) (K : list X) (copy : list Index)
         (randomize : nat -> ShuffleModel.randomizer (X * Index) Y) (analyze : list Y -> law R) (one : X * Index)
         (n' : nat) (eps delta alpha beta : R),
  NoDup K -> (forall a, In a K) -> NoDup copy -> (forall i, In i copy) ->
  (forall n a, proper (randomize n a)) -> (forall y, proper (analyze y)) ->
  (0 < length copy)%nat -> (0 < n')%nat -> eps = 1 / INR (length copy) -> beta < 1 / 10 ->
  let n := (3 * (length copy * n'))%nat in
  let k := length (list_prod K copy) in
  (3 * k <= n)%nat -> (k0 <= length K)%nat -> 0 <= delta <= C / INR n ->
  ShuffleModel.robustly_shuffle_private randomize eps delta (1 / 3) ->
  solves_distinct same_copy n alpha beta (execution (randomize n) analyze) ->
  c0 * sqrt (INR k / eps) <= alpha + 1.
Proof.
  intros Cited C HC. destruct (de_lower_bound_pan_2_hypotheses Cited C HC) as [c0 [k0 [C0 H]]]. exists c0, k0. split; auto.
  intros X Index Y same same_copy K copy randomize analyze one n' eps delta alpha beta NK FK NC FC PR PA Hc Hn He Hb n k Hlen Hk0 Hd HP HS.
  set (third := (length copy * n')%nat) in *. assert (T0 : (0 < third)%nat) by (unfold third; nia).
  assert (I0 : 0 < INR third) by (apply lt_0_INR; auto).
  assert (NT : INR n = 3 * INR third) by (unfold n; rewrite mult_INR; simpl (INR 3); ring).
  destruct (de_transformation (X * Index) Y same_copy randomize analyze one eps delta alpha beta third PR PA T0 HP HS) as [Q1 Q2].
  refine (H X Index (list Y) same same_copy K copy _ _ _ n' eps delta (alpha + 1) beta NK FK NC FC _ _ _ Hc Hn He Hb _ Hk0 _ Q1 Q2).
  - apply ShuffleModel.proper_view. intro; apply PR.
  - intros a s. apply proper_bind; auto. intro; apply Shuffle.proper_shuffle.
  - intro s. apply proper_bind; auto. apply proper_bind; [apply ShuffleModel.proper_messages; intro; apply PR | intro; apply Shuffle.proper_shuffle].
  - fold third. fold k. unfold n in Hlen. lia.
  - fold third. destruct Hd as [D1 D2]. split; auto. eapply Rle_trans; [exact D2|]. rewrite NT.
    unfold Rdiv. apply Rmult_le_compat_l; [lra|]. apply Rinv_le_contravar; lra.
Qed.
