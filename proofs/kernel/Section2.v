(* Section 2, decided. *)
From Coq Require Import Reals Lra Lia List Bool Permutation.
From PanshuffleKernel Require Law Shuffle Transformation.
From PanshuffleKernel Require Import Paper Countable Privacy Model.
Import ListNotations.
Open Scope R_scope.

Theorem fact_post_holds : fact_post.
Proof. intros X Z Z' n eps delta A f HA Hf H x x' L N. apply post_processing; auto. Qed.

Theorem fact_comp_holds : fact_comp.
Proof.
  intros X Z1 Z2 n e1 d1 e2 d2 A1 A2 H1 H2 D2 P1 P2 x x' L N.
  apply (composition_adaptive e1 d1 e2 d2 (A1 x) (A1 x') (fun _ => A2 x) (fun _ => A2 x')); auto.
Qed.

(* One coin for both: A1 = x xor r, A2 = r. *)
Definition both (x : list bool) : law (bool * bool) :=
  bind (Ber (1 / 2)) (fun r => point (xorb (hd false x) r, r)).
Theorem fact_comp_shared_coins_fails : ~ fact_comp_shared_coins.
Proof.
  intro H. assert (PB : proper (Ber (1 / 2))) by (apply (proper_finite [(true, 1/2); (false, 1 - 1/2)]); split; [intros p [I|[I|[]]]; subst; simpl; lra | simpl; lra]).
  assert (A3 : algorithm both) by (intro x; apply proper_bind; auto; intro; apply proper_point).
  assert (EB : forall f, E (Ber (1/2)) f = 1/2 * f true + (1 - 1/2) * f false) by (intro f; unfold Ber; rewrite E_finite; simpl; ring).
  assert (EV : forall x f, bounded f -> E (both x) f = 1/2 * f (xorb (hd false x) true, true) + 1/2 * f (xorb (hd false x) false, false)).
  { intros x f F. unfold both. rewrite E_bind by (auto; intro; apply proper_point). rewrite EB, !E_point. lra. }
  assert (EI : forall (g : bool * bool -> bool) x T, Pr (image g (both x)) T
     = 1/2 * indicator (T (g (xorb (hd false x) true, true))) + 1/2 * indicator (T (g (xorb (hd false x) false, false)))).
  { intros g x T. unfold Pr, image. rewrite E_bind by (auto using bounded_indicator; intro; apply proper_point).
    rewrite EV. rewrite !E_point; reflexivity. apply bounded_01. intro a. rewrite E_point. destruct (T (g a)); simpl; lra. }
  assert (N : neighbours [true] [false]) by (exists [], true, false, []; auto).
  specialize (H bool bool bool 1%nat 0 0 0 0 both A3 (Rle_refl 0)).
  assert (P1 : private_on 1 0 0 (fun x => image fst (both x))).
  { intros x x' L M T. rewrite !EI, exp_0. simpl. destruct (hd false x), (hd false x'); simpl; lra. }
  assert (P2 : private_on 1 0 0 (fun x => image snd (both x))).
  { intros x x' L M T. rewrite !EI, exp_0. simpl. lra. }
  specialize (H P1 P2 [true] [false] eq_refl N (fun p => xorb (fst p) (snd p))).
  unfold Pr in H. rewrite !EV in H by apply bounded_indicator. simpl in H. rewrite Rplus_0_l, exp_0 in H. lra.
Qed.

Theorem pan_private_is_private_holds : pan_private_is_private.
Proof.
  intros X State Z n eps delta Q A H x x' L N.
  assert (S : forall y, same_law (bind (intruder_view Q 0 y) (fun v => point (snd v))) (output_of Q y)).
  { intros y f F. apply E_slices; intro. apply output_is_seen. }
  apply (close_same eps delta _ _ _ _ (S x) (S x')).
  apply post_processing; auto using proper_intruder_view. intro; apply proper_point. apply H; auto.
Qed.

Theorem robust_is_shuffle_private_holds : robust_is_shuffle_private.
Proof.
  intros C X Y Z P eps delta gamma Hg H n c Hn. apply H; [split; auto|].
  pose proof (pos_INR n). apply Rle_trans with (1 * INR n); [apply Rmult_le_compat_r; lra | lra].
Qed.

Theorem dropout_is_worst_holds : dropout_is_worst.
Proof.
  intros X Y honest eps delta R bad A B H x x' L N.
  assert (PA : forall l : list Y, proper (bind bad (fun r => shuffle (l ++ r)))).
  { intro l. apply proper_bind; auto; intro; apply proper_shuffle. }
  assert (S : forall y, same_law (bind (view R y) (fun s => bind bad (fun r => shuffle (s ++ r))))
                                 (bind (messages R y) (fun l => bind bad (fun r => shuffle (l ++ r))))).
  { intros y f F. rewrite !E_bind by auto using proper_view, proper_messages.
    rewrite E_view by auto using bounded_E. apply E_ext; intro l.
    rewrite (E_ext _ _ (fun s => E bad (fun r => E (shuffle (s ++ r)) f))).
    2:{ intro s. apply E_bind; auto using proper_shuffle. }
    destruct F as [M HM].
    rewrite E_swap; auto using proper_shuffle.
    2:{ exists M. intros s r. apply E_abs; auto using proper_shuffle. }
    rewrite E_bind by (auto using proper_shuffle; exists M; auto).
    apply E_ext; intro r. rewrite (E_ext (shuffle l) _ (fun s => sum_over (Shuffle.shuffle (s ++ r)) f)).
    2:{ intro s. rewrite shuffle_finite, E_finite. reflexivity. }
    rewrite !shuffle_finite, !E_finite. apply Transformation.shuffle_again. }
  apply (close_same eps delta _ _ _ _ (S x) (S x')).
  apply post_processing; auto using proper_view.
Qed.
