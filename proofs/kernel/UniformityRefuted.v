(* Theorem ut-upper-bound-prelim, Case 2: two steps before Equation z'-lower that are false.

   Using l_j <= 2 lambda the proof replaces "k/(4m) sum l_j" by "k^2/(2m) lambda" in a lower bound; and it replaces
   "E[Z] - sqrt(E[Z]^2/100 50)" by "29 alpha^2 m/100" where only E[Z] >= alpha^2 m/5 is known. *)
From Coq Require Import Reals Lra List Bool.
Import ListNotations.
Open Scope R_scope.

(* "k/(4m) sum l - 5k/(2m) sqrt(sum l^2) - 5k/(sqrt2 m) sqrt(sum l)" at l_j = L for every j. *)
Definition before_step k m L := k/(4*m) * (k*L) - 5*k/(2*m) * sqrt (k*(L*L)) - 5*k/(sqrt 2*m) * sqrt (k*L).
(* "k^2/(2m) L - 5k^(3/2)/m L - 5k^(3/2)/m sqrt(L)". *)
Definition after_step k m L := k*k/(2*m)*L - 5*(k*sqrt k)/m*L - 5*(k*sqrt k)/m*sqrt L.
Theorem z_lower_step_false :
  ~ (forall k m L, 1 <= k -> 1 <= m -> 1 <= L -> after_step k m L <= before_step k m L).
Proof.
  intro H. specialize (H 400 1 10000 ltac:(lra) ltac:(lra) ltac:(lra)). unfold before_step, after_step in H.
  replace (400 * (10000 * 10000)) with (200000 * 200000) in H by lra.
  replace (400 * 10000) with (2000 * 2000) in H by lra.
  rewrite !sqrt_square in H by lra.
  replace (sqrt 400) with 20 in H by (replace 400 with (20*20) by lra; rewrite sqrt_square; lra).
  replace (sqrt 10000) with 100 in H by (replace 10000 with (100*100) by lra; rewrite sqrt_square; lra).
  assert (0 < 5 * 400 / (sqrt 2 * 1) * 2000).
  { apply Rmult_lt_0_compat; [|lra]. apply Rdiv_lt_0_compat; [lra|]. rewrite Rmult_1_r. apply sqrt_lt_R0; lra. }
  lra.
Qed.

(* "E[Z] - sqrt(E[Z]^2/100 50) > 29 alpha^2 m/100" from E[Z] >= alpha^2 m/5, with a = alpha^2 m. *)
Theorem z_lower_29_false :
  ~ (forall EZ a, 0 < a -> a / 5 <= EZ -> 29 * a / 100 < EZ - sqrt (EZ * EZ / 100 * 50)).
Proof.
  intro H. specialize (H 1 5 ltac:(lra) ltac:(lra)).
  assert (0 <= sqrt (1 * 1 / 100 * 50)) by apply sqrt_pos. lra.
Qed.
