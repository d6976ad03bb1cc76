(** Tactics for programs that ask what a list holds. *)
From Shiftproof Require Import Statements Replay Lists.

(* Two elements of a list are one where their indices are the same. *)
Lemma one_item {X} (a : array X) i j : i <> j \/ item a i = item a j.
Proof. destruct (Z.eq_dec i j) as [->|]; auto. Qed.
Ltac same_items := repeat match goal with
  | _ : context [item ?a ?i], _ : context [item ?a ?j] |- _ =>
      lazymatch i with j => fail | _ => learn (one_item a i j) end
  | _ : context [item ?a ?i] |- context [item ?a ?j] =>
      lazymatch i with j => fail | _ => learn (one_item a i j) end end.

(* Mostly what is asked for is what is known. *)
Ltac true_or_false := solve
  [ assumption | reflexivity | congruence | left; true_or_false | right; true_or_false ].
Ltac arith_of_items := shown; first [ true_or_false | same_items; arith ].
