(* The laws of Paper.v are laws, and its algorithms run. *)
From Coq Require Import Reals ZArith Lra Lia List Bool.
From PanshuffleKernel Require Law Shuffle Distinct Messages.
From PanshuffleKernel Require Import Countable Privacy Model Poisson Finite Section3Upper Section3Transformation Section4Transformation PoissonPools Means Statistic Tester.
From PanshuffleKernel Require Import Paper.
Import ListNotations.
Open Scope R_scope.

Theorem laws_are_proper_holds : laws_are_proper.
Proof.
  split; [intros; apply proper_point|]. split; [intros A l H; apply (proper_finite (Shuffle.uniform l)), Shuffle.proper_uniform; auto|].
  split; [apply proper_Ber|]. split; [apply proper_Bin|]. split; [intros A B d k D K; apply proper_bind; auto|]. split; [intros; apply proper_shuffle|].
  intros lambda H. split; [apply proper_Pois; auto|]. split; [apply mean_1; auto|].
  replace lambda with (lambda * (lambda + 1) - lambda ^ 2) at 2 by ring. apply variance_of; [apply proper_Pois | apply mean_1 | apply mean_2]; auto.
Qed.
Lemma proper_noisy : forall lambda I, proper (noisy lambda I).
Proof. intros. apply proper_bind; [apply proper_Bin; lra | intro; apply proper_point]. Qed.
Theorem algorithms_run_holds : algorithms_run.
Proof.
  assert (MOD : forall m, (0 < m)%nat -> algorithm (R_MOD m)) by (intros m M u; rewrite R_MOD_finite; apply proper_finite, mod_proper; auto).
  split; [intros X f l p P x; apply proper_bind; [apply proper_Bin; auto | intro; apply proper_point]|].
  split; [exact MOD|].
  split.
  { intros X U eps m n HE HM HN. split; [|intro; apply proper_point]. intro x. rewrite R_DE_finite by auto. apply proper_finite.
    apply Messages.proper_concatenated_map. intro j. apply Distinct.proper_labelled; auto. intro; apply mod_proper; auto. }
  split; [intros X U lambda m tau n L N; split; [apply algorithm_R_UT; auto | intro; apply proper_point]|].
  split; [intro lambda; split; [apply proper_noisy | split; [intros; apply proper_point | intro; apply proper_noisy]]|].
  split.
  { intros X U lambda. split; [|split].
    - apply proper_independent, Forall_forall. intros d I. apply in_map_iff in I. destruct I as [j [I _]]. subst. apply proper_noisy.
    - intros; apply proper_point.
    - intro s. apply proper_independent, Forall_forall. intros d I. apply in_map_iff in I. destruct I as [j [I _]]. subst. apply proper_noisy. }
  split; [intros C X Y Z P n dummies H; apply proper_Q_DE; auto|].
  split; [intros C X Y U P third H K; apply proper_Q_UT; auto|].
  split; [intros p P x; apply proper_bind; [apply proper_Ber; auto | intro; apply proper_point]|].
  destruct (enough_for_all (1 / 100) ltac:(lra)) as [m [H _]]. exists m. exact H.
Qed.
