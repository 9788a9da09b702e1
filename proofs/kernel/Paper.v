(* The statements of "Connecting Robust Shuffle Privacy and Pan-Privacy" (Balcer, Cheu, Joseph, Mao), in the paper's order,
   under its labels, with the definitions that they need: nothing is proved here.  Each statement of type Prop below is
   decided by one theorem of pins.toml: it is proved, or its negation is proved and the statement that follows it under the
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
Definition variance {A} (d : law A) (f : A -> R) (v : R) : Prop := exists mu, mean d f mu /\ mean d (fun a => (f a - mu) ^ 2) v.
(* Comparisons as events; powers with 0^y = 0 for y <> 0. *)
Definition le (a b : R) : bool := if Rle_dec a b then true else false.
Definition lt (a b : R) : bool := if Rlt_dec a b then true else false.
Definition power (x y : R) : R := if Req_EM_T x 0 then (if Req_EM_T y 0 then 1 else 0) else Rpower x y.
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
(* Lemma b_noise, its last sentence: the error is O(1/eps sqrt(log(1/delta))); even the standard deviation is not. *)
Definition lem_b_noise_error : Prop :=
  exists C, forall (l : nat) (p eps delta : R), 0 < p < 1 -> 0 < eps -> 0 < delta < 1 ->
  10 * noise_scale eps delta <= INR l * Rmin p (1 - p) ->
  exists v, variance (Bin l p) INR v /\ sqrt v <= C / eps * sqrt (ln (1 / delta)).
(* With the least l, eps <= 1 and delta <= 1/2 the standard deviation is. *)
Definition lem_b_noise_error_repaired : Prop :=
  forall (l : nat) (p eps delta : R), 0 < p < 1 -> 0 < eps <= 1 -> 0 < delta <= 1 / 2 -> (0 < l)%nat ->
  INR (l - 1) * Rmin p (1 - p) < 10 * noise_scale eps delta ->
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
Definition R_MOD (m : nat) (u : bool) : law (list bool) := uniform (filter (fun v => Bool.eqb (parity v) u) (vectors m)).
Definition no_coins (n : nat) : law unit := point tt.
Definition P_MOD (m : nat -> nat) : protocol unit bool bool bool :=
  Protocol no_coins (fun n _ => R_MOD (m n)) (fun _ _ y => point (parity y)).
(* What Theorem ikos says of h and w = (sum of h mod 2, 0, ..., 0), for two or more honest users. *)
Definition hides_all_but_sum (m : nat -> nat) (Delta : R) : Prop :=
  (forall n, (0 < m n)%nat) /\ forall n honest h, (2 <= honest <= n)%nat -> length h = honest ->
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
  (eps <= ln 2 -> robustly_shuffle_private (P_DE U eps m) (2 * (2 * Rpower eps gamma / gamma)) (4 * delta / gamma) gamma).
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
  forall e z, 0 < e -> exp (- e) <= Pr (Ber (1 / 2)) (Bool.eqb z) / Pr (Ber (1 / (2 * exp e))) (Bool.eqb z) <= exp e.
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
Definition Q_DE {C X Y Z} (P : protocol C X Y Z) (n : nat) (dummies : list X) : online X (C * list Y) Z := Online
  (bind (coins P n) (fun c => bind (view (randomizer P n c) dummies) (fun I => point (c, I))))
  (fun a s => bind (bind (randomizer P n (fst s) a) (fun r => shuffle (snd s ++ r))) (fun I => point (fst s, I)))
  (fun s => bind (bind (messages (randomizer P n (fst s)) dummies) (fun r => shuffle (snd s ++ r))) (analyzer P n (fst s))).
(* Lemma de-transformation, n = 3 third. *)
Definition lem_de_transformation : Prop :=
  forall (C X Y : Type) (U : universe X) (P : protocol C X Y R) (one : X) (third : nat) (eps delta alpha beta : R),
  shuffle_protocol P -> (0 < third)%nat -> robustly_shuffle_private P eps delta (1 / 3) ->
  solves_distinct U (3 * third) alpha beta (execution P (3 * third)) ->
  let Q := Q_DE P (3 * third) (repeat one third) in
  pan_private third eps delta Q /\ solves_distinct U third (alpha + 1) beta (output_of Q).
(* "this constraint can be removed by using n/3 rounded up and down where appropriate": up dummies, up >= n/3, twice. *)
Definition lem_de_transformation_any_n : Prop :=
  forall (C X Y : Type) (U : universe X) (P : protocol C X Y R) (one : X) (n up : nat) (eps delta alpha beta : R),
  shuffle_protocol P -> (0 < up)%nat -> (n <= 3 * up)%nat -> (2 * up <= n)%nat -> robustly_shuffle_private P eps delta (1 / 3) ->
  solves_distinct U n alpha beta (execution P n) ->
  let Q := Q_DE P n (repeat one up) in
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
Definition thm_de_lower_bound_repaired : Prop := lem_de_lower_bound_pan -> lower_bound_shuffle (fun k0 k eps => k0 <= k * eps).
(* "by composition across the 1/eps copies ... (1, delta/eps)"; repaired: group privacy for k steps. *)
Definition group_privacy_step : Prop :=
  forall (A : Type) (d0 d1 d2 : law A) (delta : R), proper d0 -> proper d1 -> proper d2 -> 0 <= delta ->
  close (1 / 2) delta d0 d1 -> close (1 / 2) delta d1 d0 -> close (1 / 2) delta d1 d2 -> close (1 / 2) delta d2 d1 ->
  close 1 (2 * delta) d2 d0.
Definition group_privacy_step_repaired : Prop :=
  forall (A : Type) (k : nat) (d : nat -> law A) (eps delta : R), 0 < eps -> 0 <= delta ->
  (forall i, (i < k)%nat -> close eps delta (d i) (d (S i))) ->
  close (INR k * eps) (delta * (exp (INR k * eps) - 1) / (exp eps - 1)) (d O) (d k).

(* ==== Section 4: uniformity testing ==== *)

(* Definition (Uniformity Testing): M answers true for "uniform", on data drawn by draw; both probabilities 2/3 as printed. *)
Definition tests {X} (U : universe X) (alpha on_uniform on_far : R) (draw : law X -> law (list X)) (M : list X -> law bool) : Prop :=
  on_uniform <= Pr (bind (draw (uniform (elements U))) M) (fun b => b) /\
  forall D, proper D -> tv_above D (uniform (elements U)) alpha -> on_far <= Pr (bind (draw D) M) negb.
Definition solves_uniformity {X} (U : universe X) (alpha : R) (m : nat) (M : list X -> law bool) : Prop :=
  tests U alpha (2 / 3) (2 / 3) (fun D => samples D m) M.
(* "use not m samples but n ~ Pois(m)" *)
Definition poissonized {X} (m : R) (D : law X) : law (list X) := bind (Pois m) (samples D).
(* c_j(x), and "sampled counts of different elements are independent". *)
Definition count {X} (U : universe X) (x : list X) (j : X) : nat := length (filter (fun a => is_element U a j) x).
Definition poissonization : Prop :=
  forall (X : Type) (U : universe X) (m : R) (D : law X), 0 <= m -> proper D ->
  identically_distributed (image (fun x => map (count U x) (elements U)) (poissonized m D))
    (independent (map (fun j => Pois (m * Pr D (fun a => is_element U a j))) (elements U))).
(* Sums of independent binomials and Poissons; Bin(Pois(lambda), 1/2). *)
Definition sum_of_two (d d' : law nat) : law nat := bind d (fun i => bind d' (fun j => point (i + j)%nat)).
Definition poisson_sums : Prop :=
  (forall n m p, 0 <= p <= 1 -> identically_distributed (sum_of_two (Bin n p) (Bin m p)) (Bin (n + m) p)) /\
  (forall a b, 0 <= a -> 0 <= b -> identically_distributed (sum_of_two (Pois a) (Pois b)) (Pois (a + b))) /\
  (forall a p, 0 <= a -> 0 <= p <= 1 -> identically_distributed (bind (Pois a) (fun s => Bin s p)) (Pois (a * p))).

(* ---- 4.1.1: the preliminary tester ---- *)

(* Algorithm ut-r, every message appended. *)
Definition R_UT {X} (U : universe X) (lambda : R) (n : nat) (x : X) : law (list (X * bool)) :=
  concatenated (map (fun j =>
    bind (Pois (lambda / INR n)) (fun s => bind (samples (Ber (1 / 2)) s) (fun b =>
    point ((j, is_element U x j) :: map (pair j) b)))) (elements U)).
(* Algorithm ut-a. *)
Definition number {X} (U : universe X) (y : list (X * bool)) (j : X) (b : bool) : R :=
  INR (length (filter (fun v => is_element U (fst v) j && Bool.eqb (snd v) b) y)).
Definition ell {X} (U : universe X) (n : nat) (y : list (X * bool)) (j : X) : R :=
  - INR n + (number U y j false + number U y j true).
Definition estimate {X} (U : universe X) (n : nat) (y : list (X * bool)) (j : X) : R := - ell U n y j / 2 + number U y j true.
Definition chi {X} (U : universe X) (m : R) (c : X -> R) : R :=
  size U / m * total (elements U) (fun j => (c j - m / size U) ^ 2 - c j).
Definition A_UT {X} (U : universe X) (m tau : R) (n : nat) (y : list (X * bool)) : law bool :=
  point (negb (lt tau (chi U m (estimate U n y)))).
Definition P_UT {X} (U : universe X) (lambda m tau : R) : protocol unit X (X * bool) bool :=
  Protocol no_coins (fun n _ => R_UT U lambda n) (fun n _ => A_UT U m tau n).
(* The tester, run by as many users as there are samples. *)
Definition run_UT {X} (U : universe X) (lambda m tau : R) (x : list X) : law bool := execution (P_UT U lambda m tau) (length x) x.
(* The printed lambda. *)
Definition lambda_UT (k eps delta : R) : R := 40 * (((exp eps + 1) / (exp eps - 1)) ^ 2 * ln (2 * k / delta)).

(* Theorem ut-upper-bound-prelim, privacy. *)
Definition thm_ut_upper_bound_prelim_privacy : Prop :=
  forall (X : Type) (U : universe X) (eps delta gamma lambda m tau : R), 0 < eps -> 0 < delta < 1 -> 0 < gamma <= 1 ->
  lambda_UT (size U) eps delta <= lambda ->
  robustly_shuffle_private (P_UT U lambda m tau) (2 * eps) (8 * Rpower delta gamma) gamma.
(* Sharper: a lambda without k, 15 times smaller and more. *)
Definition thm_ut_upper_bound_prelim_privacy_sharper : Prop :=
  forall (X : Type) (U : universe X) (eps delta gamma lambda m tau : R), 0 < eps -> 0 < delta < 1 -> 0 < gamma <= 1 ->
  265 / 100 * noise_scale eps delta <= lambda ->
  robustly_shuffle_private (P_UT U lambda m tau) (2 * eps) (4 * Rpower (delta / 2) gamma) gamma.
(* Theorem ut-upper-bound-prelim: some lambda and tau, for eps at most E0 and delta at most d0, m at least the printed order. *)
Definition order_prelim (k alpha eps delta : R) : R :=
  Rpower k (3 / 4) / (alpha * eps) * sqrt (ln (k / delta))
  + Rpower k (2 / 3) / (Rpower alpha (4 / 3) * Rpower eps (2 / 3)) * Rpower (ln (k / delta)) (1 / 3) + sqrt k / alpha ^ 2.
Definition thm_ut_upper_bound_prelim : Prop :=
  forall E0, 0 < E0 -> exists C d0, 0 < d0 < 1 /\ forall (X : Type) (U : universe X) (eps delta alpha m : R),
  1 <= size U -> 0 < eps <= E0 -> 0 < delta <= d0 -> 0 < alpha < 1 -> C * order_prelim (size U) alpha eps delta <= m ->
  exists (lambda : nat) (tau : R),
  (forall gamma, 0 < gamma <= 1 -> robustly_shuffle_private (P_UT U (INR lambda) m tau) (2 * eps) (8 * Rpower delta gamma) gamma) /\
  tests U alpha (2 / 3) (2 / 3) (poissonized m) (run_UT U (INR lambda) m tau).
(* There is a protocol, robustly private for every gamma, that succeeds: run n x is what n users with the data x run. *)
Definition private_tester {X} (eps delta : R) (succeeds : (nat -> list X -> law bool) -> Prop) : Prop :=
  exists (Coin Y : Type) (P : protocol Coin X Y bool),
  (forall n, (0 < n)%nat -> proper (coins P n) /\ forall c, algorithm (randomizer P n c) /\ algorithm (analyzer P n c)) /\
  (forall gamma, 0 < gamma <= 1 -> robustly_shuffle_private P (2 * eps) (8 * Rpower delta gamma) gamma) /\ succeeds (execution P).
(* Not Pois(m) samples but n, one for each user, n at least C times an order. *)
Definition upper_bound_fixed (least : R) (order : R -> R -> R -> R -> R) : Prop :=
  forall E0, 0 < E0 -> exists C d0, 0 < d0 < 1 /\ forall (X : Type) (U : universe X) (eps delta alpha : R) (n : nat),
  least <= size U -> 0 < eps <= E0 -> 0 < delta <= d0 -> 0 < alpha < 1 -> C * order (size U) alpha eps delta <= INR n ->
  private_tester eps delta (fun run => solves_uniformity U alpha n (run n)).
(* Theorem ut-upper-bound-prelim for n users with one sample each. *)
Definition thm_ut_upper_bound_prelim_fixed : Prop := upper_bound_fixed 1 order_prelim.

(* Lemma poi_con. *)
Definition lem_poi_con : Prop := forall lambda t : R, 0 < lambda -> 0 < t ->
  Pr (Pois lambda) (fun i => le t (Rabs (INR i - lambda))) <= 2 * exp (- (t ^ 2 / (2 * (lambda + t)))).
(* Equation scale-concentration. *)
Definition eq_scale_concentration : Prop :=
  forall (k : nat) (eps delta lambda : R), (0 < k)%nat -> 0 < eps -> 0 < delta < 1 -> lambda_UT (INR k) eps delta <= lambda ->
  Pr (samples (Pois lambda) k) (existsb (fun l => lt (2 * lambda) (INR l))) < 1 / 50.
(* Z, A, B and C, for data x and noise e_j = Bin(l_j, 1/2) - l_j/2 in the order of the elements. *)
Definition noise (ls : list nat) : law (list R) := independent (map (fun l => image (fun b => INR b - INR l / 2) (Bin l (1 / 2))) ls).
Definition Z_of {X} (U : universe X) (m : R) (x : list X) : R := chi U m (fun j => INR (count U x j)).
Definition A_of (k m : R) (e : list R) : R := k / m * total e (fun v => v ^ 2).
Definition B_of {X} (U : universe X) (m : R) (x : list X) (e : list R) : R :=
  2 * size U / m * total (combine (elements U) e) (fun p => snd p * (INR (count U x (fst p)) - m / size U)).
Definition C_of (k m : R) (e : list R) : R := k / m * total e (fun v => v).
(* "Z' = Z + A + B - C" *)
Definition statistic_decomposition : Prop :=
  forall (X : Type) (U : universe X) (m : R) (x : list X) (e : list R), length e = length (elements U) -> 0 < m -> 1 <= size U ->
  size U / m * total (combine (elements U) e)
    (fun p => (INR (count U x (fst p)) + snd p - m / size U) ^ 2 - (INR (count U x (fst p)) + snd p))
  = Z_of U m x + A_of (size U) m e + B_of U m x e - C_of (size U) m e.
(* Claim moments, given the l_j. *)
Definition claim_moments : Prop :=
  forall (X : Type) (U : universe X) (m : R) (D : law X) (ls : list nat), let k := size U in
  0 < m -> 1 <= k -> proper D -> length ls = length (elements U) ->
  mean (noise ls) (A_of k m) (k / (4 * m) * total ls INR) /\
  mean (joint (poissonized m D) (noise ls)) (fun p => B_of U m (fst p) (snd p)) 0 /\
  mean (noise ls) (C_of k m) 0 /\
  (exists v, variance (noise ls) (A_of k m) v /\ v <= k ^ 2 / (8 * m ^ 2) * total ls (fun l => INR l ^ 2)) /\
  variance (noise ls) (C_of k m) (k ^ 2 / (4 * m ^ 2) * total ls INR).
(* Claim moments-uniform; the bound on Var[Z] needs m of order sqrt k/alpha^2, as the theorem has it. *)
Definition claim_moments_uniform : Prop :=
  exists C, forall (X : Type) (U : universe X) (m alpha : R) (ls : list nat), let k := size U in
  let d := poissonized m (uniform (elements U)) in
  0 < m -> 1 <= k -> 0 < alpha < 1 -> length ls = length (elements U) ->
  (exists mu, mean d (Z_of U m) mu /\ mu <= alpha ^ 2 * m / 500) /\
  (C * sqrt k / alpha ^ 2 <= m -> exists v, variance d (Z_of U m) v /\ v <= alpha ^ 4 * m ^ 2 / 500000) /\
  variance (joint d (noise ls)) (fun p => B_of U m (fst p) (snd p)) (k / m * total ls INR).
(* Equations ex-z-non and var-z-non, the second again for m of order sqrt k/alpha^2. *)
Definition eq_z_non : Prop :=
  exists C, forall (X : Type) (U : universe X) (m alpha : R) (D : law X), let k := size U in
  0 < m -> 1 <= k -> 0 < alpha < 1 -> proper D -> tv_above D (uniform (elements U)) alpha ->
  exists mu v, mean (poissonized m D) (Z_of U m) mu /\ variance (poissonized m D) (Z_of U m) v /\
  alpha ^ 2 * m / 5 <= mu /\ (C * sqrt k / alpha ^ 2 <= m -> v <= mu ^ 2 / 100).
(* Claim symmetric-mean-zero. *)
Fixpoint weighted_sum (terms : list (law Z * R)) : law R :=
  match terms with
  | [] => point 0
  | (e, d) :: terms => bind e (fun v => bind (weighted_sum terms) (fun s => point (IZR v * d + s)))
  end.
Definition equals (v w : R) : bool := if Req_EM_T v w then true else false.
Definition clm_symmetric_mean_zero : Prop :=
  forall terms : list (law Z * R),
  Forall (fun t => proper (fst t) /\ (forall v, Pr (fst t) (Z.eqb v) = Pr (fst t) (Z.eqb (- v))) /\ mean (fst t) IZR 0) terms ->
  (forall v, Pr (weighted_sum terms) (equals v) = Pr (weighted_sum terms) (equals (- v))) /\
  mean (weighted_sum terms) (fun v => v) 0.
(* Equation z'-upper, the printed threshold. *)
Definition tau_printed (k m lambda alpha : R) : R :=
  3 * alpha ^ 2 * m / 250 + k ^ 2 / (2 * m) * lambda + 5 * Rpower k (3 / 2) / m * lambda
  + 10 * k / sqrt m * sqrt lambda + 5 * Rpower k (3 / 2) / m * sqrt lambda.
(* Equation z'-lower: from l_j <= 2 lambda, at l_j = lambda for all j, say; and its first constant. *)
Definition eq_z_lower_direction : Prop := forall k m lambda, 1 <= k -> 1 <= m -> 1 <= lambda ->
  k * k / (2 * m) * lambda - 5 * (k * sqrt k) / m * lambda - 5 * (k * sqrt k) / m * sqrt lambda
  <= k / (4 * m) * (k * lambda) - 5 * k / (2 * m) * sqrt (k * (lambda * lambda)) - 5 * k / (sqrt 2 * m) * sqrt (k * lambda).
Definition eq_z_lower_constant : Prop := forall EZ a, 0 < a -> a / 5 <= EZ -> 29 * a / 100 < EZ - sqrt (EZ * EZ / 100 * 50).
(* The tester with the printed threshold says "not uniform" on far D with probability 21/50: for no constant C. *)
Definition tester_as_printed : Prop :=
  exists C, forall (X : Type) (U : universe X) (eps delta alpha m : R) (lambda : nat) (D : law X), let k := size U in
  1 <= k -> 0 < eps -> 0 < delta < 1 -> 0 < alpha < 1 -> lambda_UT k eps delta <= INR lambda < lambda_UT k eps delta + 1 ->
  C * (Rpower k (3 / 4) * sqrt (INR lambda) / alpha + Rpower k (2 / 3) * Rpower (INR lambda) (1 / 3) / Rpower alpha (4 / 3)
       + sqrt k / alpha ^ 2) <= m ->
  proper D -> tv_above D (uniform (elements U)) alpha ->
  21 / 50 <= Pr (bind (poissonized m D) (run_UT U (INR lambda) m (tau_printed k m (INR lambda) alpha))) negb.

(* ---- 4.1.2: the final tester ---- *)

(* D_G for a grouping G of the elements; a partition into groups of equal size. *)
Definition equal_groups {X J} (U : universe X) (V : universe J) (G : X -> J) : Prop :=
  forall j j', count V (map G (elements U)) j = count V (map G (elements U)) j'.
(* Lemma partition, cited: the groupings are all those with groups of equal size. *)
Definition lem_partition : Prop :=
  forall (X J : Type) (U : universe X) (V : universe J) (partitions : list (X -> J)) (D : law X) (alpha : R),
  2 <= size V -> (forall G, In G partitions -> equal_groups U V G) ->
  (forall G, equal_groups U V G -> exists G', In G' partitions /\ forall a, G a = G' a) ->
  NoDup (map (fun G => map G (elements U)) partitions) -> partitions <> [] -> proper D ->
  tv_at_most D (uniform (elements U)) alpha -> (forall a, a < alpha -> tv_above D (uniform (elements U)) a) ->
  1 / 954 <= Pr (uniform partitions) (fun G =>
    if Rle_dec (alpha * sqrt (size V) / (477 * sqrt (10 * size U)))
         (/ 2 * total (elements V) (fun j => Rabs (Pr (image G D) (fun b => is_element V b j) - / size V))) then true else false).
(* Theorem ut-app-upper-bound: there exists a protocol. *)
Definition order_final (k alpha eps delta : R) : R :=
  (Rpower k (2 / 3) / (Rpower alpha (4 / 3) * Rpower eps (2 / 3)) + sqrt k / (alpha * eps) + sqrt k / alpha ^ 2)
  * sqrt (ln (k / delta)).
Definition thm_ut_app_upper_bound : Prop :=
  forall E0, 0 < E0 -> exists C d0, 0 < d0 < 1 /\ forall (X : Type) (U : universe X) (eps delta alpha m : R),
  2 <= size U -> 0 < eps <= E0 -> 0 < delta <= d0 -> 0 < alpha < 1 -> C * order_final (size U) alpha eps delta <= m ->
  private_tester eps delta (fun run => tests U alpha (2 / 3) (2 / 3) (poissonized m) (fun x => run (length x) x)).
(* Theorem ut-app-upper-bound for n users with one sample each. *)
Definition thm_ut_app_upper_bound_fixed : Prop := upper_bound_fixed 2 order_final.

(* ---- 4.2: the lower bound ---- *)

(* Algorithm ut-transformation; the state also holds the coins and how many of the coming elements are used. *)
Definition Q_UT {C X Y Z} (P : protocol C X Y Z) (D : law X) (third : nat) : online X (C * list Y * nat) Z :=
  let n := (3 * third)%nat in
  let add c a y := bind (randomizer P n c a) (fun r => shuffle (y ++ r)) in Online
  (bind (coins P n) (fun c => bind (bind (samples D third) (view (randomizer P n c))) (fun y =>
   bind (Bin n (2 / 9)) (fun n' => point (c, y, Nat.min n' third)))))
  (fun a state => let '(c, y, rest) := state in
   match rest with
   | S rest => bind (add c a y) (fun y => point (c, y, rest))
   | O => bind (bind D (fun b => add c b y)) (fun y => point (c, y, O))
   end)
  (fun state => let '(c, y, _) := state in
   bind (bind (samples D third) (fun x => bind (messages (randomizer P n c) x) (fun r => shuffle (y ++ r)))) (analyzer P n c)).
(* Lemma ut-transformation; the proof, and section 4, ask for a constant separation: 2/3 and 1/2. *)
Definition lemma_ut_transformation : Prop :=
  forall (C X Y : Type) (U : universe X) (P : protocol C X Y bool) (third : nat) (eps delta alpha : R),
  shuffle_protocol P -> (0 < third)%nat -> 1 <= size U -> robustly_shuffle_private P eps delta (1 / 3) ->
  solves_uniformity U alpha (3 * third) (execution P (3 * third)) ->
  let Q := Q_UT P (uniform (elements U)) third in
  pan_private third eps delta Q /\
  tests U (9 * alpha / 2) (2 / 3) (1 / 2) (fun D => samples D third) (output_of Q).
(* "By a binomial Chernoff bound, for n > sqrt(ln 12), P[Bin(n,2/9) > n/3] < 1/6"; repaired: for multiples of 3. *)
Definition chernoff_step : Prop := forall n, sqrt (ln 12) < INR n -> Pr (Bin n (2 / 9)) (fun c => lt (INR n / 3) (INR c)) < 1 / 6.
Definition chernoff_step_repaired : Prop :=
  forall third, (0 < third)%nat -> Pr (Bin (3 * third) (2 / 9)) (fun c => lt (INR third) (INR c)) < 1 / 6.
(* Lemma ut-lower-bound-pan, cited, for every constant separation s. *)
Definition order_lower (k alpha eps : R) : R :=
  Rpower k (2 / 3) / (Rpower alpha (4 / 3) * Rpower eps (2 / 3)) + sqrt k / alpha ^ 2 + 1 / (alpha * eps).
Definition lem_ut_lower_bound_pan : Prop :=
  forall E0 s, 0 < E0 -> 0 < s -> exists a, 0 < a /\
  forall (X State : Type) (U : universe X) (Q : online X State bool) (n : nat) (eps alpha p : R),
  2 <= size U -> online_algorithm Q -> 0 < eps <= E0 -> 0 < alpha < 1 / 2 -> pan_private n eps 0 Q ->
  tests U alpha p (1 - p + s) (fun D => samples D n) (output_of Q) -> a * order_lower (size U) alpha eps <= INR n.
(* Theorem ut-pure-lower-bound. *)
Definition thm_ut_pure_lower_bound : Prop :=
  lem_ut_lower_bound_pan -> forall E0, 0 < E0 -> exists a, 0 < a /\
  forall (C X Y : Type) (U : universe X) (P : protocol C X Y bool) (third : nat) (eps alpha : R),
  2 <= size U -> shuffle_protocol P -> (0 < third)%nat -> 0 < eps <= E0 -> 0 < alpha < 1 / 9 ->
  robustly_shuffle_private P eps 0 (1 / 3) -> solves_uniformity U alpha (3 * third) (execution P (3 * third)) ->
  a * order_lower (size U) alpha eps <= INR (3 * third).

(* ==== Section 5: pan-private histograms ==== *)

(* Algorithm zerocount-pan. *)
Definition noisy (lambda : nat) (I : Z) : law Z := bind (Bin lambda (1 / 2)) (fun eta => point (I + Z.of_nat eta)%Z).
Definition Q_ZSUM (lambda : nat) : online bool Z Z :=
  Online (noisy lambda 0) (fun (x : bool) I => point (if x then (I + 1)%Z else I)) (noisy lambda).
Definition ones (x : list bool) : Z := Z.of_nat (length (filter (fun b => b) x)).
(* Theorem zerocount-pan. *)
Definition thm_zerocount_pan : Prop :=
  forall (lambda n : nat) (eps delta : R) (x : list bool), 0 < eps -> 0 < delta < 1 -> 20 * noise_scale eps delta <= INR lambda ->
  pan_private n eps delta (Q_ZSUM lambda) /\
  Pr (output_of (Q_ZSUM lambda) x) (fun c => Z.leb (ones x) c && Z.leb c (ones x + 2 * Z.of_nat lambda)) = 1.
(* "2 lambda = O(1/eps^2 log(1/delta))", for the least lambda, eps = O(1) and delta bounded away from 1. *)
Definition thm_zerocount_pan_order : Prop :=
  forall E0 d0 : R, 0 < E0 -> 0 < d0 < 1 -> exists C : R, forall eps delta lambda : R, 0 < eps <= E0 -> 0 < delta <= d0 ->
  lambda < 20 * noise_scale eps delta + 1 -> 2 * lambda <= C * (1 / eps ^ 2 * ln (1 / delta)).
(* Q_ZSUM on each value. *)
Definition Q_HIST {X} (U : universe X) (lambda : nat) : online X (list Z) (list Z) := Online
  (independent (map (fun _ => noisy lambda 0) (elements U)))
  (fun a I => point (map (fun jI => if is_element U a (fst jI) then snd jI + 1 else snd jI)%Z (combine (elements U) I)))
  (fun I => independent (map (noisy lambda) I)).
(* Theorem hist-pan. *)
Definition thm_hist_pan : Prop :=
  forall (X : Type) (U : universe X) (lambda n : nat) (eps delta : R) (x : list X),
  0 < eps -> 0 < delta < 1 -> 20 * noise_scale eps delta <= INR lambda ->
  pan_private n (2 * eps) (2 * delta) (Q_HIST U lambda) /\
  Pr (output_of (Q_HIST U lambda) x) (fun z => Nat.eqb (length z) (length (elements U)) &&
    forallb (fun p => let c := Z.of_nat (count U x (fst p)) in Z.leb c (snd p) && Z.leb (snd p) (c + 2 * Z.of_nat lambda))
      (combine (elements U) z)) = 1.

(* ==== Appendix ==== *)

(* ---- A.2: a large universe ---- *)

(* A 2-universal family, as a list of functions; |S| - |S'|. *)
Definition two_universal {X X'} (V : universe X') (family : list (X -> X')) : Prop :=
  family <> [] /\ forall x y, x <> y -> Pr (uniform family) (fun h => is_element V (h x) (h y)) <= / size V.
Definition lost {X X'} (V : universe X') (h : X -> X') (S : list X) : R := INR (length S) - distinct V (map h S).
(* Lemma distinct-hash, for S with the property; repaired: S is not empty. *)
Definition distinct_hash (allowed : nat -> Prop) : Prop :=
  forall (X X' : Type) (U : universe X) (V : universe X') (family : list (X -> X')) (S : list X) (beta : R),
  size V <= size U -> two_universal V family -> NoDup S -> allowed (length S) -> 0 < beta < 1 ->
  Pr (uniform family) (fun h => le (INR (length S) ^ 2 / (beta * size V)) (lost V h S)) <= beta.
Definition lem_distinct_hash : Prop := distinct_hash (fun _ => True).
Definition lem_distinct_hash_repaired : Prop := distinct_hash (fun s => (0 < s)%nat).
(* P_HDE: the hash function is drawn with public randomness. *)
Definition P_HDE {X X'} (V : universe X') (family : list (X -> X')) (eps : R) (m : nat -> nat) : protocol (X -> X') X (X' * bool) R :=
  Protocol (fun _ => uniform family) (fun n h x => R_DE V eps (m n) n (h x)) (fun _ _ => A_DE V eps).
(* The corollary, I. *)
Definition cor_hde_I : Prop :=
  forall (X X' : Type) (V : universe X') (family : list (X -> X')) (eps delta gamma : R) (m : nat -> nat),
  0 < eps -> 0 < delta < 1 -> 0 < gamma <= 1 -> hides_all_but_sum m (delta / (exp eps + 1)) ->
  robustly_shuffle_private (P_HDE V family eps m) (2 * eps + 2 * ln (1 / gamma)) (2 * delta / gamma) gamma.
(* The corollary, II, with the number under the root that is given; k' = c n^(4/3) rounded up. *)
Definition hde_accuracy (under : R -> R -> R) : Prop :=
  forall (X X' : Type) (U : universe X) (V : universe X') (family : list (X -> X')) (c eps beta : R) (m : nat -> nat) (n : nat),
  1 <= c -> (0 < n)%nat -> c * Rpower (INR n) (4 / 3) <= size V < c * Rpower (INR n) (4 / 3) + 1 -> size V <= size U ->
  two_universal V family -> 0 < eps -> 0 < beta < 1 -> (0 < m n)%nat ->
  solves_distinct U n (2 * Rpower (INR n) (2 / 3) / (c * beta)
    + exp eps / (exp eps - 1) * sqrt (2 * under c (Rpower (INR n) (4 / 3)) * ln (4 / beta))) beta
    (execution (P_HDE V family eps m) n).
Definition cor_hde_II : Prop := hde_accuracy (fun c r => r + 1).
Definition cor_hde_II_repaired : Prop := hde_accuracy (fun c r => c * r + 1).
(* The corollary, III. *)
Definition cor_hde_III : Prop :=
  forall c, 1 <= c -> exists C, forall (X X' : Type) (V : universe X') (family : list (X -> X')) (eps delta : R),
  0 < eps -> 0 < delta < 1 -> exists m : nat -> nat, hides_all_but_sum m (delta / (exp eps + 1)) /\
  forall n h x N y, (0 < n)%nat -> size V < c * Rpower (INR n) (4 / 3) + 1 ->
  In y (randomizer (P_HDE V family eps m) n h x N) ->
  INR (length (fst y)) <= C * (Rpower (INR n) (4 / 3) * ln (INR n * (exp eps + 1) / delta)).

(* ---- A.4: the counting protocol of Balcer and Cheu ---- *)

(* P^zsum: the true bit and a bit from Ber(p). *)
Definition R_zsum (p : R) (x : bool) : law (list bool) := bind (Ber p) (fun b => point [x; b]).
(* Claim robust_bc, for the n that it is stated for. *)
Definition claim_robust_bc : Prop :=
  forall (eps delta gamma : R) (n honest : nat), 0 < eps -> 0 < delta < 1 -> 0 < gamma <= 1 ->
  20 * noise_scale eps delta <= INR n -> (0 < honest <= n)%nat -> gamma * INR n <= INR honest ->
  private_on honest eps (2 * Rpower (delta / 2) gamma) (view (R_zsum (1 - 10 / INR n * noise_scale eps delta))).
(* The lemma of Appendix C of GGKPV19: delta = 1, too. *)
Definition lem_appendix_c : Prop :=
  forall (X : Type) (f : list X -> Z) (n l : nat) (p eps delta : R),
  one_sensitive f -> 0 < p < 1 -> 0 < eps -> 0 < delta <= 1 -> 10 * noise_scale eps delta <= INR l * Rmin p (1 - p) ->
  private_on n eps delta (binomial_mechanism l p f).

(* ==== Nothing above is empty ==== *)

(* The laws are probability distributions, Poisson ones with their mean and variance. *)
Definition laws_are_proper : Prop :=
  (forall (A : Type) (a : A), proper (point a)) /\ (forall (A : Type) (l : list A), l <> [] -> proper (uniform l)) /\
  (forall q, 0 <= q <= 1 -> proper (Ber q)) /\ (forall n p, 0 <= p <= 1 -> proper (Bin n p)) /\
  (forall (A B : Type) (d : law A) (k : A -> law B), proper d -> algorithm k -> proper (bind d k)) /\
  (forall (A : Type) (l : list A), proper (shuffle l)) /\
  (forall lambda, 0 <= lambda -> proper (Pois lambda) /\ mean (Pois lambda) INR lambda /\ variance (Pois lambda) INR lambda).
(* The algorithms run: on every input they have a law. *)
Definition algorithms_run : Prop :=
  (forall (X : Type) (f : list X -> Z) l p, 0 <= p <= 1 -> algorithm (binomial_mechanism l p f)) /\
  (forall m, (0 < m)%nat -> algorithm (R_MOD m)) /\
  (forall (X : Type) (U : universe X) eps m n, 0 < eps -> (0 < m)%nat -> (0 < n)%nat -> algorithm (R_DE U eps m n) /\ algorithm (A_DE U eps)) /\
  (forall (X : Type) (U : universe X) lambda m tau n, 0 <= lambda -> (0 < n)%nat -> algorithm (R_UT U lambda n) /\ algorithm (A_UT U m tau n)) /\
  (forall lambda, online_algorithm (Q_ZSUM lambda)) /\ (forall (X : Type) (U : universe X) lambda, online_algorithm (Q_HIST U lambda)) /\
  (forall (C X Y Z : Type) (P : protocol C X Y Z) n dummies, shuffle_protocol P -> online_algorithm (Q_DE P n dummies)) /\
  (forall (C X Y : Type) (U : universe X) (P : protocol C X Y bool) third, shuffle_protocol P -> 1 <= size U ->
     online_algorithm (Q_UT P (uniform (elements U)) third)) /\
  (forall p, 0 <= p <= 1 -> algorithm (R_zsum p)) /\
  (exists m : nat -> nat, hides_all_but_sum m (1 / 100)).
