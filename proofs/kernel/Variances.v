(* Claim moments, Equations ex and var, and the variance of B in Claim moments-uniform.

   "E[A] = k/(4m) sum l_j, E[B] = 0, E[C] = 0";
   "Var[A] <= k^2/(8m^2) sum l_j^2, Var[C] = k^2/(4m^2) sum l_j";
   "Var[B] = ... = k^2/m^2 sum l_j E[(c_j(x) - m/k)^2]" and, for the uniform distribution, "= k/m sum l_j".

   Here E_j ~ Bin(l_j, 1/2) - l_j/2 are independent, A = k/m sum E_j^2, C = k/m sum E_j and
   B = 2k/m sum E_j (c_j - m/k).  Proved, and Var[A] exactly; for B the counts c_j are independent of each other and of
   the noise, with finite laws of the given second moment (a Poisson count is not finite). *)
From Coq Require Import Reals Lra List Bool.
From PanshuffleKernel Require Import Law Composition Parity Shuffle Moments.
Import ListNotations.
Open Scope R_scope.

Definition variance {A} (d : law A) (f : A -> R) : R := E d (fun a => (f a - E d f) ^ 2).

(* sum_j g(e_j). *)
Definition statistic {A} (g : A -> R) (es : list A) : R := total es g.

(* E_j: the number of heads minus its mean. *)
Definition centred (l : nat) : law R := bind (Bin_half l) (fun s => point (s - INR l / 2)).
Definition noise (ls : list nat) : law (list R) := independent (map centred ls).

Lemma proper_centred : forall l, proper (centred l).
Proof. intro l. apply proper_bind; [apply proper_Bin_half | intro; apply proper_point]. Qed.

Lemma E_centred : forall l f, E (centred l) f = E (Bin_half l) (fun s => f (s - INR l / 2)).
Proof. intros. unfold centred. rewrite E_bind. apply E_ext; intro; apply E_point. Qed.

Lemma variance_alt {A} : forall (d : law A) f, proper d -> variance d f = E d (fun a => f a ^ 2) - E d f ^ 2.
Proof.
  intros d f H. unfold variance. set (m := E d f).
  rewrite (E_ext d _ (fun a => (f a ^ 2 + (- 2 * m) * f a) + m ^ 2)) by (intro; ring).
  rewrite !E_plus, E_mult, (E_const d _ H). fold m. ring.
Qed.

Lemma E_independent_cons {A} : forall (d : law A) ds F,
  E (independent (d :: ds)) F = E d (fun a => E (independent ds) (fun l => F (a :: l))).
Proof.
  intros. cbn [independent]. rewrite E_bind. apply E_ext; intro. rewrite E_bind. apply E_ext; intro. apply E_point.
Qed.

Lemma E_statistic {A} : forall (g : A -> R) ds, Forall proper ds ->
  E (independent ds) (statistic g) = total ds (fun d => E d g).
Proof.
  intros g ds H. induction H as [|d ds H HF IH].
  - simpl. unfold statistic. simpl. ring.
  - rewrite E_independent_cons, total_cons, <- IH.
    rewrite (E_ext d _ (fun a => g a + E (independent ds) (statistic g))).
    + rewrite E_plus, (E_const d _ H). reflexivity.
    + intro a. rewrite (E_ext _ _ (fun l => statistic g l + g a)) by (intro l; unfold statistic; rewrite total_cons; ring).
      rewrite E_plus, (E_const _ _ (proper_independent ds HF)). ring.
Qed.

(* Variances of independent terms add up. *)
Lemma variance_statistic {A} : forall (g : A -> R) ds, Forall proper ds ->
  variance (independent ds) (statistic g) = total ds (fun d => variance d g).
Proof.
  intros g ds H. induction H as [|d ds H HF IH].
  - unfold variance, statistic. simpl. ring.
  - pose proof (proper_independent ds HF) as PI. pose proof (proper_independent (d :: ds) (Forall_cons d H HF)) as PC.
    rewrite total_cons, <- IH, !variance_alt by auto. rewrite E_statistic by (constructor; auto).
    rewrite total_cons, <- (E_statistic g ds HF). set (s := E (independent ds) (statistic g)).
    rewrite E_independent_cons.
    rewrite (E_ext d _ (fun a => (g a ^ 2 + (2 * s) * g a) + E (independent ds) (fun l => statistic g l ^ 2))).
    + rewrite !E_plus, E_mult, (E_const d _ H). ring.
    + intro a. rewrite (E_ext _ _ (fun l => (statistic g l ^ 2 + (2 * g a) * statistic g l) + g a ^ 2))
        by (intro l; unfold statistic; rewrite total_cons; ring).
      rewrite !E_plus, E_mult, (E_const _ _ PI). fold s. ring.
Qed.

Lemma variance_scale {A} : forall (d : law A) f c, variance d (fun a => c * f a) = c ^ 2 * variance d f.
Proof. intros d f c. unfold variance. rewrite <- (E_mult d (c ^ 2)). apply E_ext; intro a. rewrite E_mult. ring. Qed.

Lemma noise_proper : forall ls, Forall proper (map centred ls).
Proof. intro ls. apply Forall_forall. intros d H. apply in_map_iff in H. destruct H as [l [H _]]; subst. apply proper_centred. Qed.

Lemma E_square : forall l, E (centred l) (fun e => e ^ 2) = INR l / 4.
Proof. intro l. rewrite E_centred. apply (moments l). Qed.
Lemma E_first : forall l, E (centred l) (fun e => e) = 0.
Proof.
  intro l. rewrite E_centred. rewrite (E_ext _ _ (fun s => (s - INR l / 2) ^ 1)) by (intro; ring). apply (moments l).
Qed.

Theorem E_squared_noise_variance : forall l,
  variance (centred l) (fun e => e ^ 2) = 3 * INR l ^ 2 / 16 - INR l / 8 - INR l ^ 2 / 16.
Proof.
  intro l. rewrite variance_alt by apply proper_centred. rewrite E_square.
  rewrite (E_ext _ _ (fun e => e ^ 4)) by (intro; ring). rewrite E_centred.
  destruct (moments l) as [_ [_ [_ [_ M4]]]]. unfold central_moment in M4. rewrite M4. field.
Qed.

Lemma variance_first : forall l, variance (centred l) (fun e => e) = INR l / 4.
Proof. intro l. rewrite variance_alt, E_first, E_square by apply proper_centred. ring. Qed.

Section Statistic.
Variables k m : R.
Variable ls : list nat.

Definition A_of (es : list R) : R := k / m * statistic (fun e => e ^ 2) es.
Definition C_of (es : list R) : R := k / m * statistic (fun e => e) es.

Theorem mean_A : E (noise ls) A_of = k / (4 * m) * total ls INR.
Proof.
  unfold A_of, noise. rewrite E_mult, E_statistic, total_map by apply noise_proper.
  rewrite (total_ext ls _ (fun l => INR l * / 4)) by (intro; rewrite E_square; reflexivity).
  rewrite total_mult. unfold Rdiv. rewrite Rinv_mult. ring.
Qed.

Theorem mean_C : E (noise ls) C_of = 0.
Proof.
  unfold C_of, noise. rewrite E_mult, E_statistic, total_map by apply noise_proper.
  rewrite (total_ext ls _ (fun _ => 0)) by (intro; apply E_first). rewrite total_const. ring.
Qed.

Theorem variance_A_exact :
  variance (noise ls) A_of = (k / m) ^ 2 * total ls (fun l => 3 * INR l ^ 2 / 16 - INR l / 8 - INR l ^ 2 / 16).
Proof.
  unfold A_of, noise. rewrite variance_scale, variance_statistic, total_map by apply noise_proper. f_equal.
  apply total_ext. intro l. apply E_squared_noise_variance.
Qed.

Theorem variance_C : m <> 0 -> variance (noise ls) C_of = k ^ 2 / (4 * m ^ 2) * total ls INR.
Proof.
  intro Hm. unfold C_of, noise. rewrite variance_scale, variance_statistic, total_map by apply noise_proper.
  rewrite (total_ext ls _ (fun l => INR l * / 4)) by (intro; apply variance_first). rewrite total_mult. field; auto.
Qed.

Lemma total_le_all {I} : forall (l : list I) F G, (forall a, F a <= G a) -> total l F <= total l G.
Proof.
  induction l as [|a l IH]; intros F G H; [simpl; lra|]. rewrite !total_cons. specialize (IH F G H). specialize (H a). lra.
Qed.

Theorem variance_A : m <> 0 -> variance (noise ls) A_of <= k ^ 2 / (8 * m ^ 2) * total ls (fun l => INR l ^ 2).
Proof.
  intro Hm. rewrite variance_A_exact.
  replace (k ^ 2 / (8 * m ^ 2) * total ls (fun l => INR l ^ 2))
    with ((k / m) ^ 2 * total ls (fun l => INR l ^ 2 * / 8)) by (rewrite total_mult; field; auto).
  apply Rmult_le_compat_l; [apply pow2_ge_0|]. apply total_le_all. intro l. pose proof (pos_INR l). lra.
Qed.

(* B, with counts c_j: pairs (E_j, c_j), independent. *)
Variable counts : list (nat * law R).
Definition B_of (pairs : list (R * R)) : R := 2 * k / m * statistic (fun p => fst p * (snd p - m / k)) pairs.
Definition noise_and_counts : law (list (R * R)) := independent (map (fun lc => joint (centred (fst lc)) (snd lc)) counts).
Hypothesis counts_proper : Forall (fun lc => proper (snd lc)) counts.

Lemma E_joint {A B} : forall (p : law A) (q : law B) F, E (joint p q) F = E p (fun a => E q (fun b => F (a, b))).
Proof. intros. unfold joint. rewrite E_bind. apply E_ext; intro. rewrite E_bind. apply E_ext; intro. apply E_point. Qed.

Lemma joint_proper : Forall proper (map (fun lc => joint (centred (fst lc)) (snd lc)) counts).
Proof.
  clear ls. induction counts_proper as [|lc cs H HF IH]; simpl; constructor; auto.
  apply proper_bind; [apply proper_centred|]. intro. apply proper_bind; auto. intro; apply proper_point.
Qed.

Lemma term_mean : forall l c, E (joint (centred l) c) (fun p => fst p * (snd p - m / k)) = 0.
Proof.
  intros. rewrite E_joint. simpl.
  rewrite (E_ext _ _ (fun a => E c (fun b => b - m / k) * a)) by (intro a; rewrite E_mult; ring).
  rewrite E_mult, E_first. ring.
Qed.

Lemma term_variance : forall l c, proper c -> variance (joint (centred l) c) (fun p => fst p * (snd p - m / k))
  = INR l / 4 * E c (fun b => (b - m / k) ^ 2).
Proof.
  intros l c H. unfold variance. rewrite term_mean, E_joint. cbn [fst snd].
  rewrite (E_ext _ _ (fun a => E c (fun b => (b - m / k) ^ 2) * a ^ 2)).
  - rewrite E_mult, E_square. ring.
  - intro a. rewrite Rmult_comm, <- E_mult. apply E_ext; intro b. ring.
Qed.

Theorem mean_B : E noise_and_counts B_of = 0.
Proof.
  unfold B_of, noise_and_counts. rewrite E_mult, E_statistic, total_map by apply joint_proper.
  rewrite (total_ext counts _ (fun _ => 0)) by (intro; apply term_mean). rewrite total_const. ring.
Qed.

(* Equation var-b. *)
Theorem variance_B : m <> 0 -> variance noise_and_counts B_of
  = k ^ 2 / m ^ 2 * total counts (fun lc => INR (fst lc) * E (snd lc) (fun c => (c - m / k) ^ 2)).
Proof.
  intro Hm. unfold B_of, noise_and_counts. rewrite variance_scale, variance_statistic, total_map by apply joint_proper.
  rewrite (total_ext_in counts _ (fun lc => INR (fst lc) * E (snd lc) (fun c => (c - m / k) ^ 2) * / 4)).
  - rewrite total_mult. field; auto.
  - intros lc H. rewrite Forall_forall in counts_proper. rewrite term_variance by auto. field.
Qed.

(* "= k/m sum l_j" where each count has the second moment m/k. *)
Theorem variance_B_uniform : m <> 0 -> k <> 0 ->
  Forall (fun lc => E (snd lc) (fun c => (c - m / k) ^ 2) = m / k) counts ->
  variance noise_and_counts B_of = k / m * total counts (fun lc => INR (fst lc)).
Proof.
  intros Hm Hk H. rewrite variance_B by auto.
  rewrite (total_ext_in counts _ (fun lc => INR (fst lc) * (m / k))).
  - rewrite total_mult. field; auto.
  - intros lc Hlc. rewrite Forall_forall in H. rewrite H; auto.
Qed.
End Statistic.
