(* Section 2.3, footnote: dropping out is the worst attack; and Corollary (P_HDE), Part I.

   "adding messages from malicious users to those from honest users is a post-processing of S o R^{gamma n} ...  Hence, it
    is without loss of generality to focus on drop-out attacks."
   "the protocol P_HDE = (R_DE o h, A_DE) is (2 eps + 2 ln(1/gamma), 2 delta/gamma, gamma)-robustly shuffle private":
   "h(x) and h(x') are also neighboring datasets, and privacy follows from Theorem de_upper Part I."

   Theorem de_upper as printed gives 4 delta/gamma; the printed 2 delta/gamma holds because of the sharper theorem. *)
From Coq Require Import Reals Lra List Bool Permutation.
From PanshuffleKernel Require Import Law Closeness PostProcessing Shuffle Messages ShuffleModel.
From PanshuffleKernel Require Import DistinctPrivacy Transformation.
Import ListNotations.
Open Scope R_scope.

(* The messages of the honest users and of the others, shuffled together. *)
Definition attacked_view {X Y} (randomize : randomizer X Y) (malicious : law (list Y)) (x : list X) : law (list Y) :=
  bind (messages randomize x) (fun l => bind malicious (fun r => shuffle (l ++ r))).

Lemma attack_is_post_processing {X Y} : forall (randomize : randomizer X Y) malicious x,
  same_law (bind (view randomize x) (fun s => bind malicious (fun r => shuffle (s ++ r))))
    (attacked_view randomize malicious x).
Proof.
  intros randomize malicious x F. unfold attacked_view. rewrite !E_bind, E_view. apply E_ext; intro l.
  rewrite (E_ext (shuffle l) _ (fun s => E malicious (fun r => E (shuffle (s ++ r)) F))) by (intro; apply E_bind).
  rewrite E_swap, E_bind. apply E_ext; intro r. apply shuffle_again.
Qed.

Theorem dropout_is_worst {X Y} : forall (honest : nat) eps delta (randomize : randomizer X Y) malicious,
  proper malicious ->
  private_on honest eps delta (view randomize) -> private_on honest eps delta (attacked_view randomize malicious).
Proof.
  intros honest eps delta randomize malicious HM H x x' L N.
  apply (close_same eps delta _ _ _ _ (attack_is_post_processing randomize malicious x)
    (attack_is_post_processing randomize malicious x')).
  apply post_processing; auto. intro s. apply proper_bind; auto. intro; apply proper_shuffle.
Qed.

Lemma neighbours_map {X X'} : forall (h : X -> X') x x', neighbours x x' -> neighbours (map h x) (map h x').
Proof.
  intros h x x' [u [a [b [v [H H']]]]]. subst. exists (map h u), (h a), (h b), (map h v).
  rewrite !map_app. auto.
Qed.

Lemma view_map {X X' Y} : forall (randomize : randomizer X' Y) (h : X -> X') x,
  view (fun a => randomize (h a)) x = view randomize (map h x).
Proof. intros. unfold view, messages. rewrite map_map. reflexivity. Qed.

Theorem hashing_preserves_privacy {X X' Y} : forall (randomize : nat -> randomizer X' Y) (h : X -> X') eps delta gamma,
  robustly_shuffle_private randomize eps delta gamma ->
  robustly_shuffle_private (fun n a => randomize n (h a)) eps delta gamma.
Proof.
  intros randomize h eps delta gamma H n honest Hh Hg x x' L N. rewrite (view_map (randomize n) h x), (view_map (randomize n) h x').
  apply (H n honest Hh Hg); [rewrite map_length; auto | apply neighbours_map; auto].
Qed.

(* Corollary, Part I, for every fixed hash function h. *)
Theorem hashed_distinct_private :
  forall (X X' : Type) (same : forall a b : X', {a = b} + {a <> b}) (K' : list X') (h : X -> X') (m : nat -> nat)
         (eps delta gamma : R),
  NoDup K' -> 0 < eps -> 0 <= delta <= 1 -> 0 < gamma <= 1 -> enough_messages m eps delta ->
  robustly_shuffle_private (fun n a => P_DE same K' eps m n (h a)) (2 * eps + 2 * ln (1 / gamma)) (2 * delta / gamma) gamma.
Proof.
  intros X X' same K' h m eps delta gamma HK He Hd Hg HM.
  replace (2 * eps + 2 * ln (1 / gamma)) with (2 * (eps + ln (1 / gamma))) by ring.
  apply (hashing_preserves_privacy (P_DE same K' eps m) h).
  exact (proj1 (de_upper_I_half_delta X' same K' m eps delta gamma HK He Hd Hg HM)).
Qed.
