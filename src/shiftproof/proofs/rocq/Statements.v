(** The words of statements: what is released, tests of real numbers, and what is claimed. *)
From Coq Require Export Reals ZArith List Bool String.
From Shiftproof Require Export Programs Shifts RealLaws Staircase IntegerLaws.
Export ListNotations.
Open Scope R_scope.

(** Released values.  Numbers of the two kinds are told apart, as Python tells them. *)
Inductive value :=
| VR (x : R) | VZ (k : Z) | VB (b : bool) | VNone | VLabel (said : string).

Infix "<=?" := Rleb : R_scope.
Infix "<?" := Rltb : R_scope.
Infix "=?" := Reqb : R_scope.

(** Whatever is asked of the outputs, whenever runs are looked at, and however far they are
    followed: on D it is at most e^beta times as likely as on D'.

    With [stops] never true, and [event] 1 for some outputs S and 0 for others, it says
      P[M(D) ends, with output in S] <= e^beta P[M(D') ends, with output in S];
    with [stops] true of n outputs and more, and [event] 1 where the first n are in S,
      P[M(D) releases n values or more, the first n in S] <= e^beta P[M(D') does]. *)
Definition bounded {S} (next next' : program value S) (start : S) (beta : R) : Prop :=
  forall stops event n, (forall o, 0 <= event o <= 1) ->
  expected next stops event n start [] <= exp beta * expected next' stops event n start [].
