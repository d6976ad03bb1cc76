(** What calls cost: tactics with which a generated proof goes on behind them.

    The theorem of a callee is about events; a caller's is about what becomes of them later.  For
    that, expectations scale, as those of all laws do. *)
From Coq Require Import Lra.
From Shiftproof Require Import Statements Replay.
From Shiftproof Require Export Calls.

Section Callee.
Variables (S : Type).
Implicit Types callee : program value S.

(** What is called with neighbours costs what its own theorem says. *)
Theorem returned_moves within callee callee' named start gamma price :
  callee' = named -> bounded callee named start gamma -> gamma <= price ->
  moves (returned within callee start) (returned within callee' start)
    (fun out => out) (fun _ => price).
Proof.
  intros -> H cheap K F G HK HF HG E. simpl in *.
  apply Rle_trans with (1 := H (fun _ => false) F within HF).
  apply Rle_trans with
    (exp gamma * (K * exp (- gamma) * expected named (fun _ => false) G within start [])).
  - apply Rmult_le_compat_l; [left; apply exp_pos|]. apply expected_scaled; auto.
    { apply Rmult_le_pos; [assumption|left; apply exp_pos]. }
    intros o. apply Rle_trans with (1 := E o I). apply Rmult_le_compat_r; [apply HG|].
    apply Rmult_le_compat_l; [assumption|]. apply exp_le. lra.
  - right. rewrite exp_Ropp. field. apply Rgt_not_eq, exp_pos.
Qed.

(** What is called with the same in both runs costs nothing. *)
Theorem returned_same within callee callee' start price :
  callee = callee' -> 0 <= price ->
  moves (returned within callee start) (returned within callee' start)
    (fun out => out) (fun _ => price).
Proof.
  intros -> cheap K F G HK HF HG E. apply expected_scaled; auto. intros x.
  apply Rle_trans with (1 := E x I). apply Rmult_le_compat_r; [apply HG|].
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
Arguments returned_moves {S within callee callee'} named {start} gamma {price}.
Arguments both_call {S T next next' beta rates Inv ks} costs {within callee callee' start k k'}.

(** * Tactics *)

(* What a callee asks of its arguments: mostly that a part of ε is positive. *)
Ltac asked a := push; first
  [ assumption | solve [linear] | positive a | nonneg a ].
(* That they are neighbours, as the callee has it. *)
Ltac neighbours a :=
  repeat match goal with |- _ /\ _ => split | |- forall _, _ => intro end; a.
(* The price of a call is what the callee's theorem says, mostly as it is written. *)
Ltac same_price a := intros; push; first [ lra | match goal with |- ?l <= ?r =>
  let H := fresh in
  assert (H : r = l) by (field; repeat split; first [assumption | apply Rgt_not_eq; a | a]);
  rewrite H; apply Rle_refl end | solve [a] ].
