(* Theorem de_upper, Part I, with a number of messages that does not depend on the number of users.

   The paper's Theorem ikos asks for O(sigma + log n) messages a label.  Proved: any m >= 4 with
   16 2^-m <= delta/(e^eps + 1) will do for every number of users; and at m = 2 no bound 2^(1-m) holds. *)
From Coq Require Import Reals ZArith Lra Lia List Bool.
From PanshuffleKernel Require Import Law Closeness Parity ShuffleModel Distinct DistinctRobust Shares DistinctPrivacy.
From PanshuffleKernel Require Import ShareBound Rows ShareLaw.
Import ListNotations.
Open Scope R_scope.

Theorem de_upper_I_any_n :
  forall (Element : Type) (same : forall a b : Element, {a = b} + {a <> b}) (K : list Element) (m : nat)
         (eps delta gamma : R),
  NoDup K -> 0 < eps -> 0 <= delta -> 0 < gamma <= 1 ->
  (4 <= m)%nat -> 16 * (1 / 2) ^ m <= delta / (exp eps + 1) ->
  robustly_shuffle_private (P_DE same K eps (fun _ => m)) (2 * (eps + ln (1 / gamma))) (2 * delta / gamma) gamma
  /\ (eps <= ln 2 ->
      robustly_shuffle_private (P_DE same K eps (fun _ => m)) (2 * (2 * Rpower eps gamma / gamma)) (2 * delta / gamma) gamma).
Proof.
  intros Element same K m eps delta gamma HK He Hd Hg Hm HD.
  assert (HI : forall n honest, (2 <= honest <= n)%nat -> gamma * INR n <= INR honest ->
     hides_all_but_sum (R_MOD m) honest (delta / (exp eps + 1))).
  { intros n honest Hh _ h L T. eapply Rle_trans; [apply share_tv_free; auto; lia | exact HD]. }
  split; [|intro L2].
  - apply (robust_case_1 Element same K (fun _ => R_MOD m)); auto. intros; apply proper_R_MOD.
  - apply (robust_case_2 Element same K (fun _ => R_MOD m)); auto. intros; apply proper_R_MOD.
Qed.

(* Four users with m = 2: all of them hold 1, or none; the number of ones is 4 with probability 1, or 3/8. *)
Definition four (c : nat) : bool := Nat.eqb c 4.

Theorem two_messages_refuted :
  ~ (forall honest : nat, (2 <= honest)%nat -> hides_all_but_sum (R_MOD 2) honest (2 * (1 / 2) ^ 2)).
Proof.
  intro H. specialize (H 4%nat ltac:(lia) [true; true; true; true] eq_refl (fun l => four (heads l))).
  unfold Pr in H.
  pose proof (pool_law 1 [true; true; true; true] (fun c => indicator (four c))) as A.
  pose proof (pool_law 1 (parity [true; true; true; true] :: repeat false (4 - 1)) (fun c => indicator (four c))) as B.
  apply Ikos.abs2 in H. set (X := E _ _) in A. set (Y := E _ _) in B.
  change (- (2 * (1 / 2) ^ 2) <= X - Y <= 2 * (1 / 2) ^ 2) in H.
  assert (RA : pool_row 2 [true; true; true; true] = [0; 0; 0; 0; 16]%Z) by reflexivity.
  assert (RB : pool_row 2 (parity [true; true; true; true] :: repeat false (4 - 1)) = [1; 0; 4; 0; 6; 0; 4; 0; 1]%Z)
    by reflexivity.
  rewrite RA in A. rewrite RB in B. unfold four in A, B. simpl in A, B, H. lra.
Qed.
