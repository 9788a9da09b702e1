(* Lemma distinct-hash.

   "Let h be sampled uniformly from a 2-universal hash family H mapping [k] to [k'].  Let S be a subset of [k] and
    S' = h(S).  Then for all beta in (0,1), P_h[|S| - |S'| >= |S|^2/(beta k')] <= beta."

   Proved by the paper's argument (Markov's inequality for the number of collisions) for a nonempty S; for the empty S
   the event is certain and the statement is false. *)
From Coq Require Import Reals Lra List Bool Lia.
From PanshuffleKernel Require Import Law Shuffle Transformation.
Import ListNotations.
Open Scope R_scope.

(* Two different elements collide with probability at most 1/k'. *)
Definition two_universal {X B} (same : forall a b : B, {a = b} + {a <> b}) (family : list (X -> B)) (k' : nat) :=
  forall x y, x <> y -> Pr (uniform family) (fun h => if same (h x) (h y) then true else false) <= / INR k'.

Definition at_least (a w : R) : bool := if Rle_dec a w then true else false.

Lemma markov {A} : forall (d : law A) W a, proper d -> (forall x, 0 <= W x) -> 0 < a ->
  Pr d (fun x => at_least a (W x)) <= E d W / a.
Proof.
  intros d W a H HW Ha. unfold Pr. apply Rmult_le_reg_r with a; auto. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra.
  rewrite Rmult_1_r, Rmult_comm, <- E_mult. apply E_le; [apply H|]. intro x. unfold at_least.
  specialize (HW x). destruct (Rle_dec a (W x)); simpl; lra.
Qed.

(* The number of colliding pairs. *)
Fixpoint collisions {X B} (same : forall a b : B, {a = b} + {a <> b}) (h : X -> B) (s : list X) : R :=
  match s with
  | [] => 0
  | a :: s => total s (fun b => indicator (if same (h a) (h b) then true else false)) + collisions same h s
  end.

Lemma total_nonneg {A} : forall (l : list A) F, (forall a, 0 <= F a) -> 0 <= total l F.
Proof. induction l as [|a l IH]; intros F H; simpl; [lra|]. specialize (IH F H). specialize (H a). unfold total in *. lra. Qed.

Lemma total_indicator_in {B X} : forall (same : forall a b : B, {a = b} + {a <> b}) (h : X -> B) c s, In c (map h s) ->
  1 <= total s (fun b => indicator (if same c (h b) then true else false)).
Proof.
  induction s as [|b s IH]; intro H; [destruct H|]. rewrite total_cons.
  assert (N : 0 <= total s (fun b => indicator (if same c (h b) then true else false)))
    by (apply total_nonneg; intro; apply indicator_01).
  destruct H as [H|H].
  - destruct (same c (h b)); [simpl; lra | congruence].
  - specialize (IH H). pose proof (indicator_01 (if same c (h b) then true else false)). lra.
Qed.

Lemma loss_collisions {X B} : forall (same : forall a b : B, {a = b} + {a <> b}) (h : X -> B) s,
  INR (length s) - INR (distinct same (map h s)) <= collisions same h s.
Proof.
  induction s as [|a s IH]; [simpl; lra|].
  cbn [length map collisions]. unfold distinct in *. cbn [nodup]. rewrite S_INR.
  destruct (in_dec same (h a) (map h s)) as [I|I].
  - pose proof (total_indicator_in same h (h a) s I). lra.
  - cbn [length]. rewrite S_INR.
    assert (0 <= total s (fun b => indicator (if same (h a) (h b) then true else false)))
      by (apply total_nonneg; intro; apply indicator_01). lra.
Qed.

Lemma loss_nonneg {X B} : forall (same : forall a b : B, {a = b} + {a <> b}) (h : X -> B) s,
  0 <= INR (length s) - INR (distinct same (map h s)).
Proof.
  intros. assert (INR (distinct same (map h s)) <= INR (length s)); [|lra]. apply le_INR. unfold distinct.
  rewrite <- (map_length h s). apply NoDup_incl_length; [apply NoDup_nodup|]. intros a H. apply nodup_In in H; auto.
Qed.

Lemma E_total {A I} : forall (d : law A) (l : list I) (F : A -> I -> R),
  E d (fun a => total l (F a)) = total l (fun i => E d (fun a => F a i)).
Proof.
  induction l as [|i l IH]; intro F.
  - simpl. rewrite (E_ext d _ (fun _ => 0 * 0)) by (intro; ring). rewrite E_mult. ring.
  - rewrite total_cons, <- IH, <- E_plus. apply E_ext; intro a. reflexivity.
Qed.

Lemma total_le {A} : forall (l : list A) F G, (forall a, In a l -> F a <= G a) -> total l F <= total l G.
Proof.
  induction l as [|a l IH]; intros F G H; [simpl; lra|]. rewrite !total_cons.
  apply Rplus_le_compat; [apply H; left; auto | apply IH; intros; apply H; right; auto].
Qed.

Lemma expected_collisions {X B} : forall (same : forall a b : B, {a = b} + {a <> b}) (family : list (X -> B)) k' s,
  (0 < k')%nat -> two_universal same family k' -> NoDup s ->
  E (uniform family) (fun h => collisions same h s) <= INR (length s) ^ 2 / INR k'.
Proof.
  intros same family k' s Hk HU HN.
  assert (K : 0 < / INR k') by (apply Rinv_0_lt_compat, lt_0_INR; auto).
  induction HN as [|a s NI HN IH].
  - simpl collisions. rewrite (E_ext _ _ (fun _ => 0 * 0)) by (intro; ring). rewrite E_mult.
    simpl length. simpl INR. unfold Rdiv. nra.
  - simpl collisions. rewrite E_plus, E_total.
    assert (T1 : total s (fun b => E (uniform family) (fun h => indicator (if same (h a) (h b) then true else false)))
      <= total s (fun _ => / INR k')).
    { apply total_le. intros b Hb. apply (HU a b). intro; subst; contradiction. }
    rewrite total_const in T1. cbn [length]. rewrite S_INR. pose proof (pos_INR (length s)) as P0.
    unfold Rdiv in *. simpl (_ ^ 2) in *. nra.
Qed.

Theorem hash_lemma :
  forall (X B : Type) (same : forall a b : B, {a = b} + {a <> b}) (family : list (X -> B)) (k' : nat) (s : list X) (beta : R),
  family <> [] -> (0 < k')%nat -> two_universal same family k' -> NoDup s -> s <> [] -> 0 < beta < 1 ->
  Pr (uniform family)
    (fun h => at_least (INR (length s) ^ 2 / (beta * INR k')) (INR (length s) - INR (distinct same (map h s)))) <= beta.
Proof.
  intros X B same family k' s beta HF Hk HU HN HS Hb.
  assert (K : 0 < INR k') by (apply lt_0_INR; auto).
  assert (S0 : 0 < INR (length s)) by (apply lt_0_INR; destruct s; [congruence | simpl; lia]).
  assert (S2 : 0 < INR (length s) ^ 2) by (apply pow_lt; auto).
  assert (A : 0 < INR (length s) ^ 2 / (beta * INR k')) by (apply Rdiv_lt_0_compat; nra).
  pose proof (proper_uniform family HF) as PF.
  eapply Rle_trans; [apply markov; auto; intro; apply loss_nonneg|].
  apply Rle_trans with (INR (length s) ^ 2 / INR k' / (INR (length s) ^ 2 / (beta * INR k'))).
  - apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; auto|].
    apply Rle_trans with (E (uniform family) (fun h => collisions same h s)).
    + apply E_le; [apply PF|]. intro h. apply loss_collisions.
    + apply expected_collisions; auto.
  - right. field. repeat split; lra.
Qed.

(* The empty set: the event 0 >= 0 has probability one. *)
Theorem hash_lemma_empty_refuted :
  ~ (forall (X B : Type) (same : forall a b : B, {a = b} + {a <> b}) (family : list (X -> B)) (k' : nat) (s : list X)
       (beta : R),
     family <> [] -> (0 < k')%nat -> two_universal same family k' -> NoDup s -> 0 < beta < 1 ->
     Pr (uniform family)
       (fun h => at_least (INR (length s) ^ 2 / (beta * INR k')) (INR (length s) - INR (distinct same (map h s)))) <= beta).
Proof.
  intro H. specialize (H unit unit (fun a b => left (match a, b with tt, tt => eq_refl end)) [fun u => u] 1%nat [] (1 / 2)).
  assert (Z : Pr (uniform [fun u : unit => u]) (fun h => at_least (INR 0 ^ 2 / (1 / 2 * INR 1)) (INR 0 - INR 0)) <= 1 / 2).
  { apply H; try discriminate; try lia; try lra; [|constructor]. intros [] []; congruence. }
  unfold Pr, at_least, uniform in Z. simpl in Z.
  replace (0 * (0 * 1) / (1 / 2 * 1)) with 0 in Z by field. destruct (Rle_dec 0 (0 - 0)); simpl in Z; lra.
Qed.
