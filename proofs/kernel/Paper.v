(* The statements of "Connecting Robust Shuffle Privacy and Pan-Privacy" (Balcer, Cheu, Joseph, Mao), in the paper's order,
   under its labels, with the definitions that they need: nothing is proved here.  Each statement of type Prop below is
   decided by one theorem of Verdicts.v: it is proved, or its negation is proved and the statement that follows it under the
   name ..._repaired is proved, or it is cited, and then it is a premise of what rests on it. *)
From Coq Require Import Reals List Bool ZArith Permutation.
From Coquelicot Require Import Rbar Lim_seq.
Import ListNotations.
Open Scope R_scope.

(* ==== Laws ==== *)

(* A table: finitely many outcomes with their masses.  An outcome may be listed more than once. *)
Definition table (A : Type) := list (A * R).
(* The sum of mass times f. *)
Fixpoint sum_over {A} (t : table A) (f : A -> R) : R :=
  match t with [] => 0 | (a, w) :: t' => w * f a + sum_over t' f end.
Definition scale {A} (w : R) (t : table A) : table A := map (fun p => (fst p, w * snd p)) t.
Fixpoint bind_table {A B} (t : table A) (k : A -> table B) : table B :=
  match t with [] => [] | (a, w) :: t' => scale w (k a) ++ bind_table t' k end.

(* A law on countably many outcomes, by its truncations: the N-th table lists finitely many outcomes, more and more of the
   mass as N grows; a finite law has one table for all N. *)
Definition law (A : Type) := nat -> table A.
(* The expectation of f. *)
Definition E {A} (d : law A) (f : A -> R) : R := real (Lim_seq (fun N => sum_over (d N) f)).
Definition indicator (b : bool) : R := if b then 1 else 0.
(* The probability of the event T. *)
Definition Pr {A} (d : law A) (T : A -> bool) : R := E d (fun a => indicator (T a)).
(* A probability distribution: no negative mass, no event loses mass with N, total mass one. *)
Definition proper {A} (d : law A) : Prop :=
  (forall N p, In p (d N) -> 0 <= snd p) /\
  (forall N T, sum_over (d N) (fun a => indicator (T a)) <= sum_over (d (S N)) (fun a => indicator (T a))) /\
  is_lim_seq (fun N => sum_over (d N) (fun _ => 1)) 1.

(* The outcome a, surely; draw a from d, then an outcome from k a. *)
Definition point {A} (a : A) : law A := fun _ => [(a, 1)].
Definition bind {A B} (d : law A) (k : A -> law B) : law B := fun N => bind_table (d N) (fun a => k a N).
(* The bit 1 with probability q. *)
Definition Ber (q : R) : law bool := fun _ => [(true, q); (false, 1 - q)].
(* Each of the listed outcomes with the same mass. *)
Definition uniform {A} (l : list A) : law A := fun _ => map (fun a => (a, / INR (length l))) l.
(* Bin(n, p): the number of ones among n independent bits. *)
Fixpoint Bin (n : nat) (p : R) : law nat :=
  match n with
  | O => point O
  | S n => bind (Ber p) (fun b => bind (Bin n p) (fun c => point (if b then S c else c)))
  end.
(* Pois(lambda): mass e^-lambda lambda^i/i! at i. *)
Definition poisson (lambda : R) (i : nat) : R := exp (- lambda) * (lambda ^ i / INR (fact i)).
Definition Pois (lambda : R) : law nat := fun N => map (fun i => (i, poisson lambda i)) (seq 0 N).
(* Independent draws. *)
Definition joint {A B} (p : law A) (q : law B) : law (A * B) := bind p (fun a => bind q (fun b => point (a, b))).
Fixpoint independent {A} (ds : list (law A)) : law (list A) :=
  match ds with [] => point [] | d :: ds => bind d (fun a => bind (independent ds) (fun l => point (a :: l))) end.
(* n samples from d. *)
Definition samples {A} (d : law A) (n : nat) : law (list A) := independent (repeat d n).
(* f of a draw from d. *)
Definition image {A B} (f : A -> B) (d : law A) : law B := bind d (fun a => point (f a)).
(* f has the mean mu under d (absolutely), and the variance v. *)
Definition mean {A} (d : law A) (f : A -> R) (mu : R) : Prop :=
  (exists M, forall N, sum_over (d N) (fun a => Rabs (f a)) <= M) /\ is_lim_seq (fun N => sum_over (d N) f) mu.
Definition variance {A} (d : law A) (f : A -> R) (v : R) : Prop :=
  exists mu, mean d f mu /\ mean d (fun a => (f a - mu) ^ 2) v.
(* Comparisons as events; powers with 0^y = 0 for y <> 0. *)
Definition le (a b : R) : bool := if Rle_dec a b then true else false.
Definition lt (a b : R) : bool := if Rlt_dec a b then true else false.
Definition power (x y : R) : R :=
  if Req_EM_T x 0 then (if Req_EM_T y 0 then 1 else 0) else Rpower x y.
Definition total {A} (l : list A) (f : A -> R) : R := fold_right (fun a s => f a + s) 0 l.

(* ==== Section 2.1: differential privacy ==== *)

(* P[d in T] <= e^eps P[d' in T] + delta, for every event T. *)
Definition close {A} (eps delta : R) (d d' : law A) : Prop :=
  forall T : A -> bool, Pr d T <= exp eps * Pr d' T + delta.
(* ||d - d'||_TV <= Delta, < Delta and > Delta, by events. *)
Definition tv_at_most {A} (d d' : law A) (Delta : R) : Prop := forall T, Rabs (Pr d T - Pr d' T) <= Delta.
Definition tv_below {A} (d d' : law A) (Delta : R) : Prop := exists D, D < Delta /\ tv_at_most d d' D.
Definition tv_above {A} (d d' : law A) (Delta : R) : Prop := exists T, Delta < Rabs (Pr d T - Pr d' T).
Definition identically_distributed {A} (d d' : law A) : Prop := forall T, Pr d T = Pr d' T.
(* "neighbors (denoted as x ~ x') if they differ in at most one row" *)
Definition neighbours {X} (x x' : list X) : Prop :=
  exists before a b after, x = before ++ a :: after /\ x' = before ++ b :: after.
(* An algorithm gives a law on every dataset. *)
Definition algorithm {X Z} (M : X -> law Z) : Prop := forall x, proper (M x).
(* Definition (Differential Privacy), for datasets of n rows. *)
Definition private_on {X Z} (n : nat) (eps delta : R) (M : list X -> law Z) : Prop :=
  forall x x', length x = n -> neighbours x x' -> close eps delta (M x) (M x').

(* Fact post. *)
Definition fact_post : Prop :=
  forall (X Z Z' : Type) (n : nat) (eps delta : R) (A : list X -> law Z) (f : Z -> law Z'),
  algorithm A -> algorithm f -> private_on n eps delta A -> private_on n eps delta (fun x => bind (A x) f).
(* Fact comp: the two algorithms have coins of their own. *)
Definition fact_comp : Prop :=
  forall (X Z1 Z2 : Type) (n : nat) (eps1 delta1 eps2 delta2 : R) (A1 : list X -> law Z1) (A2 : list X -> law Z2),
  algorithm A1 -> algorithm A2 -> 0 <= delta2 -> private_on n eps1 delta1 A1 -> private_on n eps2 delta2 A2 ->
  private_on n (eps1 + eps2) (delta1 + delta2) (fun x => joint (A1 x) (A2 x)).
(* Fact comp read without that: any A3 whose two parts are A1 and A2. *)
Definition fact_comp_shared_coins : Prop :=
  forall (X Z1 Z2 : Type) (n : nat) (eps1 delta1 eps2 delta2 : R) (A3 : list X -> law (Z1 * Z2)),
  algorithm A3 -> 0 <= delta2 ->
  private_on n eps1 delta1 (fun x => image fst (A3 x)) -> private_on n eps2 delta2 (fun x => image snd (A3 x)) ->
  private_on n (eps1 + eps2) (delta1 + delta2) A3.

(* "a 1-sensitive function, i.e. |f(x) - f(x')| <= 1 for all neighboring datasets" *)
Definition one_sensitive {X} (f : list X -> Z) : Prop := forall x x', neighbours x x' -> (Z.abs (f x - f x') <= 1)%Z.
(* "samples eta ~ Bin(l,p) and outputs f(x) + eta" *)
Definition binomial_mechanism {X} (l : nat) (p : R) (f : list X -> Z) (x : list X) : law Z :=
  bind (Bin l p) (fun eta => point (f x + Z.of_nat eta)%Z).
(* ((e^eps+1)/(e^eps-1))^2 ln(2/delta). *)
Definition noise_scale (eps delta : R) : R := ((exp eps + 1) / (exp eps - 1)) ^ 2 * ln (2 / delta).
(* Lemma b_noise, with any constant c in place of 10. *)
Definition lem_b_noise_with (c : R) : Prop :=
  forall (X : Type) (f : list X -> Z) (n l : nat) (p eps delta : R),
  one_sensitive f -> 0 < p < 1 -> 0 < eps -> 0 < delta < 1 -> c * noise_scale eps delta <= INR l * Rmin p (1 - p) ->
  private_on n eps delta (binomial_mechanism l p f).
Definition lem_b_noise : Prop := lem_b_noise_with 10.
(* The same with a smaller constant than the printed one; none below 1.025 will do. *)
Definition lem_b_noise_sharp : Prop := lem_b_noise_with (103 / 100) /\ ~ lem_b_noise_with (1025 / 1000).
(* Lemma b_noise, its last sentence: the error is O(1/eps sqrt(log(1/delta))), read as a bound C on the deviation of the
   output from f(x), met with probability 9/10. *)
Definition lem_b_noise_error : Prop :=
  exists C, forall (l : nat) (p eps delta : R), 0 < p < 1 -> 0 < eps <= 1 -> 0 < delta <= 1 / 2 ->
  10 * noise_scale eps delta <= INR l * Rmin p (1 - p) ->
  9 / 10 <= Pr (Bin l p) (fun eta => le (INR eta) (C / eps * sqrt (ln (1 / delta)))).
(* After taking off lp, with the least l, the standard deviation is of that order. *)
Definition lem_b_noise_error_repaired : Prop :=
  forall (l : nat) (p eps delta : R), 0 < p < 1 -> 0 < eps <= 1 -> 0 < delta <= 1 / 2 ->
  10 * noise_scale eps delta <= INR l * Rmin p (1 - p) < 10 * noise_scale eps delta + 1 ->
  exists v, variance (Bin l p) INR v /\ sqrt v <= 10 / eps * sqrt (ln (1 / delta)).

(* ==== Section 2.2: pan-privacy ==== *)

(* Definition (Online Algorithm): the first state, Q_I and Q_O. *)
Record online (X State Z : Type) := Online {
  initial : law State;
  update : X -> State -> law State;
  output : State -> law Z }.
Arguments Online {X State Z}. Arguments initial {X State Z}. Arguments update {X State Z}. Arguments output {X State Z}.
Definition online_algorithm {X State Z} (Q : online X State Z) : Prop :=
  proper (initial Q) /\ (forall a s, proper (update Q a s)) /\ forall s, proper (output Q s).
(* Q_I, repeated over a stream, from a state. *)
Fixpoint process {X State} (up : X -> State -> law State) (x : list X) (state : State) : law State :=
  match x with [] => point state | a :: x => bind (up a state) (process up x) end.
(* Q_O(Q_I(x)). *)
Definition output_of {X State Z} (Q : online X State Z) (x : list X) : law Z :=
  bind (bind (initial Q) (process (update Q) x)) (output Q).
(* (Q_I(x_{<=t}), Q_O(Q_I(x))): the state after t elements, and the output of the same run. *)
Definition intruder_view {X State Z} (Q : online X State Z) (t : nat) (x : list X) : law (State * Z) :=
  bind (bind (initial Q) (process (update Q) (firstn t x))) (fun state =>
  bind (bind (process (update Q) (skipn t x) state) (output Q)) (fun z => point (state, z))).
(* Definition pan, for streams of n elements. *)
Definition pan_private {X State Z} (n : nat) (eps delta : R) (Q : online X State Z) : Prop :=
  forall t : nat, private_on n eps delta (intruder_view Q t).
(* "By the output requirement, any pan-private algorithm also satisfies central differential privacy." *)
Definition pan_private_is_private : Prop :=
  forall (X State Z : Type) (n : nat) (eps delta : R) (Q : online X State Z),
  online_algorithm Q -> pan_private n eps delta Q -> private_on n eps delta (output_of Q).

(* ==== Section 2.3: shuffle privacy ==== *)

(* All ways to put a into l; S: each message goes to a uniformly random place. *)
Fixpoint inserts {A} (a : A) (l : list A) : list (list A) :=
  match l with [] => [[a]] | b :: l' => (a :: b :: l') :: map (cons b) (inserts a l') end.
Fixpoint shuffle {A} (l : list A) : law (list A) :=
  match l with [] => point [] | a :: l' => bind (shuffle l') (fun m => uniform (inserts a m)) end.
(* Independent message vectors, one after the other. *)
Fixpoint concatenated {A} (ds : list (law (list A))) : law (list A) :=
  match ds with [] => point [] | d :: ds => bind d (fun l => bind (concatenated ds) (fun r => point (l ++ r))) end.
(* R(x_1), ..., R(x_n), and what everybody sees: (S o R^n)(x). *)
Definition messages {X Y} (R : X -> law (list Y)) (x : list X) : law (list Y) := concatenated (map R x).
Definition view {X Y} (R : X -> law (list Y)) (x : list X) : law (list Y) := bind (messages R x) shuffle.
(* Definition (Shuffle Model): "R and A have access to n and an arbitrary amount of public randomness". *)
Record protocol (C X Y Z : Type) := Protocol {
  coins : nat -> law C;
  randomizer : nat -> C -> X -> law (list Y);
  analyzer : nat -> C -> list Y -> law Z }.
Arguments Protocol {C X Y Z}. Arguments coins {C X Y Z}. Arguments randomizer {C X Y Z}. Arguments analyzer {C X Y Z}.
Definition shuffle_protocol {C X Y Z} (P : protocol C X Y Z) : Prop :=
  forall n, proper (coins P n) /\ forall c, algorithm (randomizer P n c) /\ algorithm (analyzer P n c).
(* P(x) = A(S(R(x_1), ..., R(x_n))). *)
Definition execution {C X Y Z} (P : protocol C X Y Z) (n : nat) (x : list X) : law Z :=
  bind (coins P n) (fun c => bind (view (randomizer P n c) x) (analyzer P n c)).
(* Definition shuffle_dp: "over the internal randomness of the users' randomizers and not the public randomness". *)
Definition shuffle_private {C X Y Z} (P : protocol C X Y Z) (eps delta : R) : Prop :=
  forall n c, (0 < n)%nat -> private_on n eps delta (view (randomizer P n c)).
(* Definition robust_shuffle_dp; gamma' n is the number of honest users, a whole number from 1 to n. *)
Definition robustly_shuffle_private {C X Y Z} (P : protocol C X Y Z) (eps delta gamma : R) : Prop :=
  forall n honest c, (0 < honest <= n)%nat -> gamma * INR n <= INR honest ->
  private_on honest eps delta (view (randomizer P n c)).
(* "In other words, P guarantees (eps,delta)-shuffle privacy whenever at least a gamma fraction of users follow it." *)
Definition robust_is_shuffle_private : Prop :=
  forall (C X Y Z : Type) (P : protocol C X Y Z) (eps delta gamma : R), gamma <= 1 ->
  robustly_shuffle_private P eps delta gamma -> shuffle_private P eps delta.
(* "dropping out is the worst malicious users can do": their messages, independent of the honest ones, change nothing. *)
Definition dropout_is_worst : Prop :=
  forall (X Y : Type) (honest : nat) (eps delta : R) (R : X -> law (list Y)) (malicious : law (list Y)),
  algorithm R -> proper malicious -> private_on honest eps delta (view R) ->
  private_on honest eps delta (fun x => bind (messages R x) (fun l => bind malicious (fun r => shuffle (l ++ r)))).

(* ==== Section 3: distinct elements ==== *)

(* The data universe [k]: a type whose elements are listed without repetition. *)
Record universe (X : Type) := Universe {
  elements : list X;
  no_repetition : NoDup elements;
  complete : forall a, In a elements;
  same : forall a b : X, {a = b} + {a <> b} }.
Arguments Universe {X}. Arguments elements {X}. Arguments same {X}.
Definition size {X} (U : universe X) : R := INR (length (elements U)).
Definition is_element {X} (U : universe X) (a b : X) : bool := if same U a b then true else false.
(* D(x), and Definition (Distinct Elements Problem). *)
Definition distinct {X} (U : universe X) (x : list X) : R := INR (length (nodup (same U) x)).
Definition solves_distinct {X} (U : universe X) (n : nat) (alpha beta : R) (M : list X -> law R) : Prop :=
  forall x, length x = n -> 1 - beta <= Pr (M x) (fun z => le (Rabs (z - distinct U x)) alpha).

(* ---- 3.1: the upper bound ---- *)

(* P_MOD, which the paper cites: m one-bit messages, uniform among the vectors whose sum mod 2 is the bit u. *)
Definition parity (l : list bool) : bool := fold_right xorb false l.
Fixpoint vectors (m : nat) : list (list bool) :=
  match m with O => [[]] | S m => map (cons false) (vectors m) ++ map (cons true) (vectors m) end.
Definition R_MOD (m : nat) (u : bool) : law (list bool) :=
  uniform (filter (fun v => Bool.eqb (parity v) u) (vectors m)).
Definition no_coins (n : nat) : law unit := point tt.
Definition P_MOD (m : nat -> nat) : protocol unit bool bool bool :=
  Protocol no_coins (fun n _ => R_MOD (m n)) (fun _ _ y => point (parity y)).
(* What Theorem ikos says of h and w = (sum of h mod 2, 0, ..., 0), for two or more honest users. *)
Definition hides_all_but_sum (m : nat -> nat) (Delta : R) : Prop :=
  forall n honest h, (2 <= honest <= n)%nat -> length h = honest ->
  tv_below (view (R_MOD (m n)) h) (view (R_MOD (m n)) (parity h :: repeat false (honest - 1))) Delta.
(* Theorem ikos: for some constant C and every sigma. *)
Definition thm_ikos : Prop :=
  exists C, forall sigma, 0 < sigma -> exists m : nat -> nat,
  (forall n, (2 <= n)%nat -> INR (m n) <= C * (sigma + ln (INR n))) /\
  (forall n x, length x = n -> Pr (execution (P_MOD m) n x) (Bool.eqb (parity x)) = 1) /\
  hides_all_but_sum m (Rpower 2 (- sigma)).
(* Sharper: a number of messages that does not depend on n. *)
Definition thm_ikos_sharper : Prop :=
  forall (m N : nat) (h : list bool), (3 <= m)%nat -> length h = N -> (0 < N)%nat ->
  tv_at_most (view (R_MOD m) h) (view (R_MOD m) (parity h :: repeat false (N - 1))) (2 * (1 / 2) ^ m).

(* Algorithms de-upper-randomizer and de-upper-analyzer, with R_MOD and A_MOD of m messages. *)
Definition p' (eps : R) (n : nat) : R := (1 - power (1 - exp (- eps)) (/ INR n)) / 2.
Definition R_DE {X} (U : universe X) (eps : R) (m n : nat) (x : X) : law (list (X * bool)) :=
  concatenated (map (fun j =>
    bind (Ber (if same U x j then 1 / 2 else p' eps n)) (fun u =>
    bind (R_MOD m u) (fun l => point (map (pair j) l)))) (elements U)).
Definition A_DE {X} (U : universe X) (eps : R) (y : list (X * bool)) : law R :=
  let C := total (elements U) (fun j => indicator (parity (map snd (filter (fun b => is_element U (fst b) j) y)))) in
  point ((2 * C * exp eps - size U) / (exp eps - 1)).
Definition P_DE {X} (U : universe X) (eps : R) (m : nat -> nat) : protocol unit X (X * bool) R :=
  Protocol no_coins (fun n _ => R_DE U eps (m n) n) (fun _ _ => A_DE U eps).
(* Theorem de_upper, I; 2^-sigma = delta/(e^eps+1). *)
Definition thm_de_upper_I : Prop :=
  forall (X : Type) (U : universe X) (eps delta gamma : R) (m : nat -> nat),
  0 < eps -> 0 < delta < 1 -> 0 < gamma <= 1 -> hides_all_but_sum m (delta / (exp eps + 1)) ->
  robustly_shuffle_private (P_DE U eps m) (2 * (eps + ln (1 / gamma))) (4 * delta / gamma) gamma /\
  (eps <= ln 2 ->
   robustly_shuffle_private (P_DE U eps m) (2 * (2 * Rpower eps gamma / gamma)) (4 * delta / gamma) gamma).
(* Sharper: half of the printed delta, and half of the printed eps for eps <= ln 2. *)
Definition thm_de_upper_I_sharper : Prop :=
  forall (X : Type) (U : universe X) (eps delta gamma : R) (m : nat -> nat),
  0 < eps -> 0 < delta < 1 -> 0 < gamma <= 1 -> hides_all_but_sum m (delta / (exp eps + 1)) ->
  robustly_shuffle_private (P_DE U eps m) (2 * (eps + ln (1 / gamma))) (2 * delta / gamma) gamma /\
  (eps <= ln 2 -> robustly_shuffle_private (P_DE U eps m) (2 * (Rpower eps gamma / gamma)) (2 * delta / gamma) gamma).
(* Theorem de_upper, II. *)
Definition thm_de_upper_II : Prop :=
  forall (X : Type) (U : universe X) (eps beta : R) (m : nat -> nat) (n : nat),
  0 < eps -> 0 < beta < 1 -> (0 < n)%nat -> (0 < m n)%nat ->
  solves_distinct U n (exp eps / (exp eps - 1) * sqrt (2 * size U * ln (2 / beta))) beta (execution (P_DE U eps m) n).
(* "alpha = ... = O(max(1, 1/eps) sqrt(k log(1/beta)))" for all beta in (0,1); repaired: log(2/beta). *)
Definition thm_de_upper_II_order : Prop :=
  exists C, forall k eps beta : R, 1 <= k -> 0 < eps -> 0 < beta < 1 ->
  exp eps / (exp eps - 1) * sqrt (2 * k * ln (2 / beta)) <= C * (Rmax 1 (1 / eps) * sqrt (k * ln (1 / beta))).
Definition thm_de_upper_II_order_repaired : Prop :=
  forall k eps beta : R, 1 <= k -> 0 < eps -> 0 < beta < 1 ->
  exp eps / (exp eps - 1) * sqrt (2 * k * ln (2 / beta)) <= 3 * (Rmax 1 (1 / eps) * sqrt (k * ln (2 / beta))).
(* Theorem de_upper, III: the number of messages, each a label of [k] with a bit. *)
Definition thm_de_upper_III : Prop :=
  exists C, forall (X : Type) (U : universe X) (eps delta : R), 0 < eps -> 0 < delta < 1 -> exists m : nat -> nat,
  hides_all_but_sum m (delta / (exp eps + 1)) /\
  forall n x N y, (0 < n)%nat -> In y (R_DE U eps (m n) n x N) ->
  INR (length (fst y)) <= C * (size U * ln (INR n * (exp eps + 1) / delta)).

(* Lemma bbgn_close. *)
Definition lem_bbgn_close : Prop :=
  forall (X Z : Type) (n : nat) (eps Delta : R) (M M' : list X -> law Z),
  (forall u, tv_at_most (M u) (M' u) Delta) -> private_on n eps 0 M -> private_on n eps ((exp eps + 1) * Delta) M'.
(* The proof of Theorem de_upper. *)
Definition eps' (eps gamma : R) : R := ln (1 / (1 - Rpower (1 - exp (- eps)) gamma)).
Definition eq_zs_ineq : Prop :=
  forall e z, 0 < e ->
  exp (- e) <= Pr (Ber (1 / 2)) (Bool.eqb z) / Pr (Ber (1 / (2 * exp e))) (Bool.eqb z) <= exp e.
(* Lemma distinct-ber, gamma n = honest. *)
Definition lem_distinct_ber : Prop :=
  forall (n honest : nat) (p : R), 0 <= p <= 1 / 2 -> (0 < honest <= n)%nat ->
  identically_distributed
    (image parity (samples (Ber ((1 - power (1 - 2 * p) (/ INR n)) / 2)) honest))
    (Ber ((1 - power (1 - 2 * p) (INR honest / INR n)) / 2)).
(* Case 1, and the variant of Bernoulli's inequality. *)
Definition bernoulli_variant : Prop := forall x r, -1 <= x -> 0 <= r <= 1 -> power (1 + x) r <= 1 + x * r.
Definition case_1 : Prop := forall eps gamma, 0 < eps -> 0 < gamma <= 1 -> eps' eps gamma <= eps + ln (1 / gamma).
(* Case 2. *)
Definition case_2 : Prop := forall eps gamma, 0 < eps <= ln 2 -> 0 < gamma <= 1 -> eps' eps gamma <= 2 * Rpower eps gamma / gamma.
Definition case_2_sharper : Prop := forall eps gamma, 0 < eps <= ln 2 -> 0 < gamma <= 1 -> eps' eps gamma <= Rpower eps gamma / gamma.
(* Lemma distinct-gamma. *)
Definition lem_distinct_gamma : Prop := forall gamma, 0 < gamma <= 1 -> Rpower 2 gamma / (Rpower 2 gamma - 1) <= 2 / gamma.
(* "delta' = delta (e^eps'+1)/(e^eps+1) <= delta/gamma" *)
Definition delta'_bound : Prop := forall eps gamma delta, 0 < eps -> 0 < gamma <= 1 -> 0 < delta < 1 ->
  delta * ((exp (eps' eps gamma) + 1) / (exp eps + 1)) <= delta * ((exp eps / gamma + 1) / (exp eps + 1)) <= delta / gamma.
(* Sharper, for an ideal modular sum: what the two pools that a user touches are worth. *)
Definition tight_pair : Prop := forall e eps, 0 < e ->
  close eps 0 (joint (Ber (1 / 2)) (Ber (1 / (2 * exp e)))) (joint (Ber (1 / (2 * exp e))) (Ber (1 / 2)))
  <-> ln (2 * exp e - 1) <= eps.

(* ---- 3.2: the lower bound ---- *)

(* Algorithm de-transformation; the public coins are part of the state. *)
Definition Q_DE {C X Y Z} (P : protocol C X Y Z) (n : nat) (before after : list X) : online X (C * list Y) Z := Online
  (bind (coins P n) (fun c => bind (view (randomizer P n c) before) (fun I => point (c, I))))
  (fun a s => bind (bind (randomizer P n (fst s) a) (fun r => shuffle (snd s ++ r))) (fun I => point (fst s, I)))
  (fun s => bind (bind (messages (randomizer P n (fst s)) after) (fun r => shuffle (snd s ++ r))) (analyzer P n (fst s))).
(* Lemma de-transformation, n = 3 third. *)
Definition lem_de_transformation : Prop :=
  forall (C X Y : Type) (U : universe X) (P : protocol C X Y R) (one : X) (third : nat) (eps delta alpha beta : R),
  shuffle_protocol P -> (0 < third)%nat -> robustly_shuffle_private P eps delta (1 / 3) ->
  solves_distinct U (3 * third) alpha beta (execution P (3 * third)) ->
  let Q := Q_DE P (3 * third) (repeat one third) (repeat one third) in
  pan_private third eps delta Q /\ solves_distinct U third (alpha + 1) beta (output_of Q).
(* "this constraint can be removed by using n/3 rounded up and down where appropriate": up dummies, up >= n/3, twice. *)
Definition lem_de_transformation_any_n : Prop :=
  forall (C X Y : Type) (U : universe X) (P : protocol C X Y R) (one : X) (n up : nat) (eps delta alpha beta : R),
  shuffle_protocol P -> (0 < up)%nat -> (n <= 3 * up)%nat -> (2 * up <= n)%nat -> robustly_shuffle_private P eps delta (1 / 3) ->
  solves_distinct U n alpha beta (execution P n) ->
  let Q := Q_DE P n (repeat one up) (repeat one up) in
  pan_private (n - 2 * up) eps delta Q /\ solves_distinct U (n - 2 * up) (alpha + 1) beta (output_of Q).
(* Lemma de-lower-bound-pan, cited: for eps and delta n bounded, alpha is of order sqrt k at least. *)
Definition lem_de_lower_bound_pan : Prop :=
  forall E0 D0, 0 < E0 -> 0 < D0 -> exists a k0, 0 < a /\
  forall (X State : Type) (U : universe X) (Q : online X State R) (n : nat) (eps delta alpha beta : R),
  k0 <= size U <= INR n -> online_algorithm Q -> 0 <= eps <= E0 -> 0 <= delta <= D0 / INR n -> beta < 1 / 10 ->
  pan_private n eps delta Q -> solves_distinct U n alpha beta (output_of Q) -> a * sqrt (size U) <= alpha.
(* Lemma de-lower-bound-pan-2: for every constant of delta = O(eps/n) a constant of alpha = Omega(sqrt(k/eps)), k large. *)
Definition lower_bound_pan_2 (k_eps : R -> R -> R -> Prop) : Prop :=
  forall D0, 0 < D0 -> exists a k0, 0 < a /\
  forall (X State : Type) (U : universe X) (Q : online X State R) (n : nat) (eps delta alpha beta : R),
  k_eps k0 (size U) eps -> size U / eps <= INR n -> online_algorithm Q -> 0 < eps <= 1 -> 0 <= delta <= D0 * eps / INR n ->
  beta < 1 / 10 -> pan_private n eps delta Q -> solves_distinct U n alpha beta (output_of Q) ->
  a * sqrt (size U / eps) <= alpha.
Definition lem_de_lower_bound_pan_2 : Prop := lower_bound_pan_2 (fun k0 k _ => k0 <= k).
(* Repaired: k eps above a constant. *)
Definition lem_de_lower_bound_pan_2_repaired : Prop :=
  lem_de_lower_bound_pan -> lower_bound_pan_2 (fun k0 k eps => k0 <= k * eps).
(* Theorem de-lower-bound. *)
Definition lower_bound_shuffle (k_eps : R -> R -> R -> Prop) : Prop :=
  forall D0, 0 < D0 -> exists a k0, 0 < a /\
  forall (C X Y : Type) (U : universe X) (P : protocol C X Y R) (third : nat) (eps delta alpha beta : R),
  let n := (3 * third)%nat in
  k_eps k0 (size U) eps -> 3 * size U / eps <= INR n -> shuffle_protocol P -> 0 < eps <= 1 -> 0 <= delta <= D0 * eps / INR n ->
  beta < 1 / 10 -> robustly_shuffle_private P eps delta (1 / 3) -> solves_distinct U n alpha beta (execution P n) ->
  a * sqrt (size U / eps) <= alpha.
Definition thm_de_lower_bound : Prop := lower_bound_shuffle (fun k0 k _ => k0 <= k).
Definition thm_de_lower_bound_repaired : Prop :=
  lem_de_lower_bound_pan -> lower_bound_shuffle (fun k0 k eps => k0 <= k * eps).
(* "by composition across the 1/eps copies ... (1, delta/eps)"; repaired: group privacy for k steps. *)
Definition group_privacy_step : Prop :=
  forall (A : Type) (d0 d1 d2 : law A) (delta : R), proper d0 -> proper d1 -> proper d2 -> 0 <= delta ->
  close (1 / 2) delta d0 d1 -> close (1 / 2) delta d1 d0 -> close (1 / 2) delta d1 d2 -> close (1 / 2) delta d2 d1 ->
  close 1 (2 * delta) d2 d0.
Definition group_privacy_step_repaired : Prop :=
  forall (A : Type) (k : nat) (d : nat -> law A) (eps delta : R), 0 < eps -> 0 <= delta ->
  (forall i, (i < k)%nat -> close eps delta (d i) (d (S i))) ->
  close (INR k * eps) (delta * (exp (INR k * eps) - 1) / (exp eps - 1)) (d O) (d k).
