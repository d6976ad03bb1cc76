(** Variables that hold a whole number or None. *)
From Shiftproof Require Export Statements.

Definition is_none (a : option Z) : bool := match a with None => true | Some _ => false end.
(** The number, where there is one; any number, where Python would raise. *)
Definition number_of (a : option Z) : Z := match a with Some k => k | None => 0%Z end.
(** What is released. *)
Definition VO (a : option Z) : value := match a with Some k => VZ k | None => VNone end.

(** What is known to be None, or a number. *)
Ltac which := cbn [is_none number_of VO orb andb negb] in *.
