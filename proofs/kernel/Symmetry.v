(* Claim symmetric-mean-zero.

   "Let E_1, ..., E_k be independent random variables where each E_j is symmetrically distributed over the integers with
    mean zero.  For any d_1, ..., d_k in R, the random variable sum_j E_j d_j is symmetrically distributed with mean
    zero."  "Hence, B is symmetric with mean 0 so that P[B >= 0] >= 1/2."

   Proved for finite laws on the reals; a symmetric finite law has mean zero. *)
From Coq Require Import Reals Lra List Bool.
From PanshuffleKernel Require Import Law Shuffle.
Import ListNotations.
Open Scope R_scope.

(* P[d = v]. *)
Definition mass_at (d : law R) (v : R) : R := Pr d (fun w => if Req_EM_T w v then true else false).

(* "P[E = v] = P[E = -v]" for every v. *)
Definition symmetric (d : law R) := forall v, mass_at d v = mass_at d (- v).

(* sum_j E_j d_j for independent E_j. *)
Fixpoint weighted_sum (terms : list (law R * R)) : law R :=
  match terms with
  | [] => point 0
  | (e, d) :: terms => bind e (fun v => bind (weighted_sum terms) (fun s => point (v * d + s)))
  end.

Definition mean (d : law R) : R := E d (fun v => v).

Lemma total_pick : forall vs a (F : R -> R), NoDup vs -> In a vs ->
  total vs (fun v => indicator (if Req_EM_T a v then true else false) * F v) = F a.
Proof.
  induction vs as [|b vs IH]; intros a F N I; [destruct I|]. inversion N as [|x y N1 N2]; subst. rewrite total_cons.
  destruct (Req_EM_T a b) as [Z|Z].
  - subst. simpl. rewrite (total_ext_in vs _ (fun _ => 0)).
    + rewrite total_const. ring.
    + intros v Hv. destruct (Req_EM_T b v); [subst; contradiction | simpl; ring].
  - destruct I as [I|I]; [congruence|]. rewrite (IH a F N2 I). simpl. ring.
Qed.

Lemma E_by_mass : forall d vs f, NoDup vs -> (forall p, In p d -> In (fst p) vs) ->
  E d f = total vs (fun v => mass_at d v * f v).
Proof.
  induction d as [|[a w] d IH]; intros vs f N S.
  - simpl. rewrite (total_ext vs _ (fun _ => 0)); [rewrite total_const; ring|]. intro v. unfold mass_at, Pr. simpl. ring.
  - simpl E. rewrite (IH vs f N) by (intros; apply S; right; auto).
    rewrite <- (total_pick vs a (fun v => f v) N) by (apply (S (a, w)); left; auto).
    rewrite Rmult_comm, <- total_mult, <- total_plus. apply total_ext. intro v. unfold mass_at, Pr. simpl.
    destruct (Req_EM_T a v); simpl; ring.
Qed.

Lemma mass_E : forall d d', (forall v, mass_at d v = mass_at d' v) -> same_law d d'.
Proof.
  intros d d' H f. set (vs := nodup Req_EM_T (map fst d ++ map fst d')).
  assert (N : NoDup vs) by apply NoDup_nodup.
  rewrite (E_by_mass d vs f N), (E_by_mass d' vs f N).
  - apply total_ext. intro v. rewrite H. reflexivity.
  - intros p Hp. apply nodup_In, in_or_app. right. apply in_map; auto.
  - intros p Hp. apply nodup_In, in_or_app. left. apply in_map; auto.
Qed.

Definition negated (d : law R) : law R := bind d (fun v => point (- v)).

Lemma E_negated : forall d f, E (negated d) f = E d (fun v => f (- v)).
Proof. intros. unfold negated. rewrite E_bind. apply E_ext; intro; apply E_point. Qed.

Lemma symmetric_E : forall d, symmetric d <-> (forall f, E d f = E d (fun v => f (- v))).
Proof.
  intro d. split; intro H.
  - intro f. rewrite <- E_negated. revert f. apply mass_E. intro v. rewrite (H v). unfold mass_at, Pr. rewrite E_negated.
    apply E_ext. intro w. destruct (Req_EM_T w (- v)), (Req_EM_T (- w) v); auto; exfalso; lra.
  - intro v. unfold mass_at, Pr. rewrite H. apply E_ext. intro w.
    destruct (Req_EM_T (- w) v), (Req_EM_T w (- v)); auto; exfalso; lra.
Qed.

Lemma E_weighted_cons : forall e d terms f,
  E (weighted_sum ((e, d) :: terms)) f = E e (fun v => E (weighted_sum terms) (fun s => f (v * d + s))).
Proof.
  intros. cbn [weighted_sum]. rewrite E_bind. apply E_ext; intro v. rewrite E_bind. apply E_ext; intro s. apply E_point.
Qed.

Lemma symmetric_sum : forall terms, Forall (fun t => symmetric (fst t)) terms -> symmetric (weighted_sum terms).
Proof.
  induction 1 as [|[e d] terms H HF IH]; apply symmetric_E; intro f.
  - cbn [weighted_sum]. rewrite !E_point, Ropp_0. reflexivity.
  - simpl in H. rewrite symmetric_E in H, IH. rewrite !E_weighted_cons, H. apply E_ext; intro v. rewrite IH.
    apply E_ext; intro s. f_equal. ring.
Qed.

Lemma symmetric_mean : forall d, symmetric d -> mean d = 0.
Proof.
  intros d H. rewrite symmetric_E in H. unfold mean. specialize (H (fun v => v)). cbv beta in H.
  rewrite (E_ext d (fun v => - v) (fun v => -1 * v)) in H by (intro; ring). rewrite E_mult in H. lra.
Qed.

Theorem symmetric_mean_zero : forall terms : list (law R * R), Forall (fun t => symmetric (fst t)) terms ->
  symmetric (weighted_sum terms) /\ mean (weighted_sum terms) = 0.
Proof. intros terms H. split; [|apply symmetric_mean]; apply symmetric_sum; auto. Qed.

Lemma proper_weighted_sum : forall terms, Forall (fun t => proper (fst t)) terms -> proper (weighted_sum terms).
Proof.
  induction 1 as [|[e d] terms H HF IH]; [apply proper_point|]. cbn [weighted_sum].
  apply proper_bind; auto. intro. apply proper_bind; auto. intro; apply proper_point.
Qed.

Theorem symmetric_half : forall d, proper d -> symmetric d ->
  1 / 2 <= Pr d (fun v => if Rle_dec 0 v then true else false).
Proof.
  intros d P0 H. rewrite symmetric_E in H.
  assert (S1 : 1 <= 2 * Pr d (fun v => if Rle_dec 0 v then true else false)); [|lra].
  rewrite <- (E_const d 1 P0). unfold Pr.
  replace (2 * E d (fun a => indicator (if Rle_dec 0 a then true else false)))
    with (E d (fun a => indicator (if Rle_dec 0 a then true else false))
      + E d (fun a => indicator (if Rle_dec 0 (- a) then true else false)))
    by (rewrite <- (H (fun a => indicator (if Rle_dec 0 a then true else false))); ring).
  rewrite <- E_plus. apply E_le; [apply P0|]. intro v.
  destruct (Rle_dec 0 v), (Rle_dec 0 (- v)); simpl; lra.
Qed.
