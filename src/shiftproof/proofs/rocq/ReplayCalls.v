(** What calls cost: tactics with which a generated proof goes on behind them.

    The theorem of a callee is about events; a caller's is about what becomes of them later.  For
    that, expectations have to be monotone and to scale, as those of all laws here do. *)
From Coq Require Import Lra.
From Shiftproof Require Import Countable Statements Replay.
From Shiftproof Require Export Calls.

(** * Laws of which expectations are monotone, and scale *)

Definition still (l : law) := forall K F G, 0 <= K ->
  (forall x, 0 <= F x <= 1) -> (forall x, 0 <= G x <= 1) ->
  (forall x, supp l x -> F x <= K * G x) -> mean l F <= K * mean l G.

Lemma still_of_shifts l : shifts l (fun x => x) (fun _ => 0) -> still l.
Proof.
  intros H K F G HK HF HG E. apply H; auto. intros x Hx.
  rewrite Ropp_0, exp_0, Rmult_1_r. auto.
Qed.

Lemma density_still A p pos mass : (forall x, p x = 0 \/ A x) -> convex A ->
  still (density_law A p pos mass).
Proof.
  intros outside conv. apply still_of_shifts, density_shifts; auto.
  - apply (pieces_eq (fun x => x + 0)); [intros x; ring|apply piece].
  - intros x y _ _ E. exact E.
  - intros x _. rewrite exp_0. lra.
Qed.

Lemma countable_still X (mass : X -> R) (support : X -> Prop) nonneg total :
  (forall x, 0 < mass x -> support x) ->
  still (countable mass support nonneg total).
Proof.
  intros inside. apply still_of_shifts, countable_shifts; auto.
  - intros x y _ _ E. exact E.
  - intros x _. rewrite exp_0. lra.
Qed.

Lemma laplace_still b : still (laplace b).
Proof. apply density_still; [right; exact I|now intros x y z]. Qed.
Lemma exponential_still b : still (exponential b).
Proof. apply density_still; [apply exponential_outside|apply above_convex]. Qed.
Lemma negative_exponential_still b : still (negative_exponential b).
Proof.
  apply density_still; [|apply below_convex]. intros x.
  destruct (exponential_outside b (- x)); [now left|right; lra].
Qed.
Lemma staircase_still scale step share : still (staircase scale step share).
Proof. apply density_still; [right; exact I|now intros x y z]. Qed.
Lemma two_sided_geometric_still b : still (two_sided_geometric b).
Proof. now apply countable_still. Qed.
Lemma one_sided_geometric_still b : still (one_sided_geometric b).
Proof. apply countable_still, one_sided_inside. Qed.
Lemma negative_one_sided_geometric_still b : still (negative_one_sided_geometric b).
Proof. apply countable_still, negative_one_sided_inside. Qed.
Lemma bernoulli_still p : still (bernoulli p).
Proof. apply countable_still, bernoulli_inside. Qed.

(** * Programs that draw from such laws *)

Section Callee.
Variables (S : Type).
Implicit Types callee : program value S.

Definition draws_still callee :=
  forall s, match callee s with Draw l _ => still l | _ => True end.

Lemma expected_still callee stops f g K : draws_still callee -> 0 <= K ->
  (forall o, 0 <= f o <= 1) -> (forall o, 0 <= g o <= 1) -> (forall o, f o <= K * g o) ->
  forall n s out, expected callee stops f n s out <= K * expected callee stops g n s out.
Proof.
  intros Hc HK Hf Hg E n. induction n as [|n IH]; intros s out; simpl; [lra|].
  specialize (Hc s). destruct (callee s); auto.
  - destruct (stops out); auto.
  - apply Hc; auto using expected_range.
Qed.

Lemma returned_still within callee start :
  draws_still callee -> still (returned within callee start).
Proof. intros Hc K F G HK HF HG E. simpl in *. apply expected_still; auto. Qed.

(** What is called with neighbours costs what its own theorem says. *)
Theorem returned_moves within callee callee' named start gamma price :
  draws_still named -> callee' = named -> bounded callee named start gamma -> gamma <= price ->
  moves (returned within callee start) (returned within callee' start)
    (fun out => out) (fun _ => price).
Proof.
  intros Hc -> H cheap K F G HK HF HG E. simpl in *.
  apply Rle_trans with (1 := H (fun _ => false) F within HF).
  apply Rle_trans with
    (exp gamma * (K * exp (- gamma) * expected named (fun _ => false) G within start [])).
  - apply Rmult_le_compat_l; [left; apply exp_pos|]. apply expected_still; auto.
    { apply Rmult_le_pos; [assumption|left; apply exp_pos]. }
    intros o. apply Rle_trans with (1 := E o I). apply Rmult_le_compat_r; [apply HG|].
    apply Rmult_le_compat_l; [assumption|]. apply exp_le. lra.
  - right. rewrite exp_Ropp. field. apply Rgt_not_eq, exp_pos.
Qed.

(** What is called with the same in both runs costs nothing. *)
Theorem returned_same within callee callee' start price :
  draws_still callee' -> callee = callee' -> 0 <= price ->
  moves (returned within callee start) (returned within callee' start)
    (fun out => out) (fun _ => price).
Proof.
  intros Hc -> cheap K F G HK HF HG E. apply returned_still; auto. intros x Hx.
  apply Rle_trans with (1 := E x Hx). apply Rmult_le_compat_r; [apply HG|].
  rewrite <- (Rmult_1_r K) at 2. apply Rmult_le_compat_l; [assumption|].
  rewrite <- exp_0. apply exp_le. lra.
Qed.

(** Both runs go on with what is returned. *)
Variables (T : Type) (next next' : program value T) (beta : R) (rates : list R).
Variable Inv : T -> T -> list R -> Prop.
Lemma both_call ks costs within callee callee' start k k' :
  moves (returned within callee start) (returned within callee' start)
    (fun out => out) (fun _ => dot costs rates) ->
  List.length costs = List.length ks ->
  (forall out, go next next' beta rates Inv (paid ks costs) (k out) (k' out)) ->
  steps next next' beta rates Inv ks
    (Draw (returned within callee start) k) (Draw (returned within callee' start) k').
Proof.
  intros H same rest.
  exact (both_draws (l := returned within callee start) (l' := returned within callee' start)
    (fun out => out) (fun _ => costs) H (fun _ => same) (fun out _ => rest out)).
Qed.
End Callee.
Arguments draws_still {S}.
Arguments returned_moves {S within callee callee'} named {start} gamma {price}.
Arguments both_call {S T next next' beta rates Inv ks} costs {within callee callee' start k k'}.

(** * Tactics *)

Ltac still_law := first
  [ exact I | apply laplace_still | apply exponential_still | apply negative_exponential_still
  | apply staircase_still | apply two_sided_geometric_still | apply one_sided_geometric_still
  | apply negative_one_sided_geometric_still | apply bernoulli_still ].
(* [called] is about what is called in turn. *)
Ltac all_still next called :=
  let s := fresh in intros s; destruct s; cbn [next];
  repeat match goal with |- context [if ?b then _ else _] => destruct b end;
  first [ still_law | apply returned_still; called ].

(* What a callee asks of its arguments: mostly that a part of ε is positive. *)
Ltac asked a := push; first
  [ assumption | solve [plain]
  | unfold Rdiv; repeat first [ apply Rmult_lt_0_compat | apply Rinv_0_lt_compat ]; solve [plain]
  | positive a | nonneg a ].
(* That they are neighbours, as the callee has it. *)
Ltac neighbours a :=
  repeat match goal with |- _ /\ _ => split | |- forall _, _ => intro end; a.
(* The price of a call is what the callee's theorem says, mostly as it is written. *)
Ltac same_price a := intros; push; first [ lra | solve [a] | match goal with |- ?l <= ?r =>
  let H := fresh in
  assert (H : r = l) by (field; repeat split; first [assumption | apply Rgt_not_eq; a | a]);
  rewrite H; apply Rle_refl end ].
