(** What the theorems on shifts of noise say of a shift. *)
From Shiftproof Require Import Programs.

(** One to one on [A]: no two values of [A] are moved to the same place. *)
Definition one_to_one {X} (A : X -> Prop) (T : X -> X) :=
  forall x y, A x -> A y -> T x = T y -> x = y.
