(* A countable law is known by its masses: if every outcome has the same mass, every event has the same probability. *)
From Coq Require Import Reals Lra Lia List Bool Classical_Prop.
From Coquelicot Require Import Rcomplements Rbar Lim_seq.
From PanshuffleKernel Require Law.
From PanshuffleKernel Require Import Paper Countable Privacy.
Import ListNotations.
Open Scope R_scope.

(* Every statement is true or false (excluded middle, in a form that a function may use). *)
Definition decide (P : Prop) : {P} + {~ P} :=
  match ClassicalDedekindReals.sig_not_dec P with left nn => left (NNPP P nn) | right n => right n end.
Definition is {A} (a b : A) : bool := if decide (a = b) then true else false.
Definition among {A} (l : list A) (b : A) : bool := if decide (In b l) then true else false.
Definition mass {A} (d : law A) (a : A) : R := Pr d (is a).

Lemma is_true {A} : forall a b : A, is a b = true <-> a = b.
Proof. intros a b. unfold is. destruct (decide (a = b)); split; congruence. Qed.
Lemma is_false {A} : forall a b : A, a <> b -> is a b = false.
Proof. intros a b H. unfold is. destruct (decide (a = b)); [contradiction | auto]. Qed.
Lemma among_true {A} : forall (l : list A) b, among l b = true <-> In b l.
Proof. intros l b. unfold among. destruct (decide (In b l)); split; auto; discriminate. Qed.

(* Almost all of the mass is on finitely many outcomes. *)
Lemma finite_core {A} : forall d : law A, proper d -> forall eta, 0 < eta -> exists l, 1 - eta <= Pr d (among l).
Proof.
  intros d D eta H. pose proof (proj2 (proj2 D)) as D3.
  apply is_lim_seq_Reals in D3. destruct (D3 eta H) as [N HN]. specialize (HN N (le_n N)).
  unfold R_dist in HN. apply Rabs_lt_between in HN.
  exists (map fst (d N)). unfold Pr.
  apply Rle_trans with (sum_over (d N) (fun a => indicator (among (map fst (d N)) a))).
  - rewrite (Law.E_ext_in (d N) _ (fun _ => 1)); [lra|]. intros p P.
    replace (among (map fst (d N)) (fst p)) with true; auto. symmetry. apply among_true. apply in_map; auto.
  - apply (slice_le_E d D (fun a => indicator (among (map fst (d N)) a))); auto using bounded_indicator.
    intro a. destruct (among (map fst (d N)) a); simpl; lra.
Qed.

(* On finitely many outcomes an expectation is a sum. *)
Lemma E_on {A} : forall (d : law A) (l : list A) f, proper d -> NoDup l -> bounded f ->
  E d (fun a => indicator (among l a) * f a) = total l (fun a => mass d a * f a).
Proof.
  intros d l f D N B. induction N as [|a l H N IH]; simpl.
  - rewrite (E_ext d _ (fun _ => 0)); [apply E_const; auto|]. intro b. unfold among. destruct (decide (In b [])) as [[]|]. simpl; ring.
  - rewrite <- IH. unfold mass, Pr. rewrite Rmult_comm, <- E_mult; auto using bounded_indicator.
    rewrite <- E_plus; auto using bounded_const_mult, bounded_indicator, bounded_mult.
    apply E_ext; intro b. unfold among, is.
    destruct (decide (In b (a :: l))) as [I|I], (decide (a = b)) as [J|J], (decide (In b l)) as [K|K]; simpl; subst; try ring;
      exfalso; simpl in *; tauto.
Qed.

Theorem same_masses {A} : forall d d' : law A, proper d -> proper d' -> (forall a, mass d a = mass d' a) -> same_law d d'.
Proof.
  intros d d' D D' H. apply same_by_events; auto. intro T.
  assert (X : forall e e' : law A, proper e -> proper e' -> (forall a, mass e a = mass e' a) -> Pr e T <= Pr e' T).
  { clear. intros e e' D D' H. apply le_epsilon. intros eta He.
    destruct (finite_core e D eta He) as [l0 L0].
    set (dec := fun a b : A => decide (a = b)). set (l := nodup dec l0).
    assert (N : NoDup l) by (apply NoDup_nodup).
    assert (L : 1 - eta <= Pr e (among l)).
    { rewrite (Pr_ext e (among l) (among l0)); auto. intro a. apply eq_true_iff_eq. rewrite !among_true. apply nodup_In. }
    pose proof (E_on e l (fun a => indicator (T a)) D N (bounded_indicator T)) as S.
    pose proof (E_on e' l (fun a => indicator (T a)) D' N (bounded_indicator T)) as S'.
    assert (Q : total l (fun a => mass e a * indicator (T a)) = total l (fun a => mass e' a * indicator (T a))).
    { clear -H. induction l; simpl; auto. rewrite IHl, H; auto. }
    assert (U : E e' (fun a => indicator (among l a) * indicator (T a)) <= Pr e' T).
    { apply E_le; auto using bounded_mult, bounded_indicator. intro a. destruct (among l a), (T a); simpl; lra. }
    assert (V : Pr e T <= E e (fun a => indicator (among l a) * indicator (T a)) + (1 - Pr e (among l))).
    { unfold Pr. rewrite <- (E_one e D). rewrite <- E_minus, <- E_plus; auto using bounded_mult, bounded_indicator, bounded_const, bounded_minus.
      apply E_le; auto 6 using bounded_mult, bounded_indicator, bounded_const, bounded_minus, bounded_plus.
      intro a. destruct (among l a), (T a); simpl; lra. }
    lra. }
  apply Rle_antisym; apply X; auto.
Qed.
