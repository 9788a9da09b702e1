(* Claim moments (appendix): the moments of E_j ~ Bin(l_j, 1/2) - l_j/2.

   "whose first four moments are 0, l_j/4, 0, 3 l_j^2/16 - l_j/8." *)
From Coq Require Import Reals Lra List Bool.
From PanshuffleKernel Require Import Law.
Import ListNotations.
Open Scope R_scope.

Definition fair_coin : law R := [(1, 1/2); (0, 1/2)].
(* The law of the number of heads among l fair coins. *)
Fixpoint Bin_half (l : nat) : law R :=   
  match l with O => point 0 | S l => bind (Bin_half l) (fun s => bind fair_coin (fun b => point (s + b))) end.
(* E[(X - l/2)^j] for X ~ Bin(l, 1/2). *)
Definition central_moment (l j : nat) := E (Bin_half l) (fun s => (s - INR l / 2) ^ j).
Lemma proper_Bin_half : forall l, proper (Bin_half l).
Proof.
  induction l. apply proper_point. apply proper_bind; auto. intro. apply proper_bind. 2: intro; apply proper_point.
  split; [intros p [K|[K|[]]]; subst; simpl; lra | simpl; field].
Qed.
Lemma mom_step : forall l j, central_moment (S l) j =
  E (Bin_half l) (fun s => ((s - INR l / 2) + 1/2) ^ j / 2 + ((s - INR l / 2) - 1/2) ^ j / 2).
Proof.
  intros. unfold central_moment. change (Bin_half (S l)) with (bind (Bin_half l) (fun s => bind fair_coin (fun b => point (s + b)))).
  rewrite E_bind. apply E_ext. intro s. rewrite E_bind, S_INR. simpl (E fair_coin _). rewrite !Rmult_1_l, !Rplus_0_r.
  replace (s + 1 - (INR l + 1) / 2) with (s - INR l / 2 + 1/2) by field.
  replace (s - (INR l + 1) / 2) with (s - INR l / 2 - 1/2) by field. field.
Qed.
Theorem moments : forall l, central_moment l 0 = 1 /\ central_moment l 1 = 0 /\ central_moment l 2 = INR l / 4 /\ central_moment l 3 = 0 /\
  central_moment l 4 = 3 * INR l ^ 2 / 16 - INR l / 8.
Proof.
  induction l as [|l [M0 [M1 [M2 [M3 M4]]]]].
  - unfold central_moment; simpl; repeat split; field.
  - rewrite !mom_step, S_INR. set (L := INR l) in *.
    assert (X : forall a b c d e : R,
      E (Bin_half l) (fun s => a + b * (s - L/2)^1 + c * (s - L/2)^2 + d * (s - L/2)^3 + e * (s - L/2)^4)
      = a + b * central_moment l 1 + c * central_moment l 2 + d * central_moment l 3 + e * central_moment l 4).
    { intros. rewrite !E_plus, !E_mult, (E_const _ _ (proper_Bin_half l)). reflexivity. }
    assert (Y : forall a b c d e (g : R -> R),
      (forall s, g s = a + b * (s - L/2)^1 + c * (s - L/2)^2 + d * (s - L/2)^3 + e * (s - L/2)^4) ->
      E (Bin_half l) g = a + b * central_moment l 1 + c * central_moment l 2 + d * central_moment l 3 + e * central_moment l 4).
    { intros. rewrite <- X. apply E_ext; auto. }
    repeat split.
    + rewrite (Y 1 0 0 0 0); [ring | intro; field].
    + rewrite (Y 0 1 0 0 0); [rewrite M1; ring | intro; field].
    + rewrite (Y (1/4) 0 1 0 0); [rewrite M2; field | intro; field].
    + rewrite (Y 0 (3/4) 0 1 0); [rewrite M1, M3; field | intro; field].
    + rewrite (Y (1/16) 0 (3/2) 0 1); [rewrite M2, M4; field | intro; field].
Qed.
(* The step of Claim moments: E[E_j^4] - E[E_j^2]^2 <= l_j^2/8. *)
Corollary variance_of_square : forall l, central_moment l 4 - central_moment l 2 ^ 2 <= INR l ^ 2 / 8.
Proof. intro l. destruct (moments l) as [_ [_ [M2 [_ M4]]]]. rewrite M2, M4. pose proof (pos_INR l). simpl; lra. Qed.
