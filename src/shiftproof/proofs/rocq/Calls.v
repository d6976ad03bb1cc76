(** Calls: what a mechanism returns is, for one that calls it, a draw.

    [returned within callee start] is the law of the values that a callee has released where it
    ends, of runs of at most [within] steps.  What has not ended then has no share in it, as
    what has not ended within [n] steps has none in [expected n]; a theorem is about all such
    numbers, and so about the limit. *)
From Shiftproof Require Import Statements.

Definition returned {S} (within : nat) (callee : program value S) (start : S) : law :=
  Law (list value) (fun _ => True)
    (fun F => expected callee (fun _ => false) F within start [])
    (fun F range => expected_range _ _ callee (fun _ => false) F range within start [])
    (fun K F G HK HF HG le => expected_scaled _ _ callee (fun _ => false) F G K HK HF HG le
      within start []).

(** The number, or truth value, that was returned at a place. *)
Definition real_at (place : nat) (out : list value) : R :=
  match nth place out VNone with VR x => x | _ => 0 end.
Definition integer_at (place : nat) (out : list value) : Z :=
  match nth place out VNone with VZ k => k | _ => 0%Z end.
Definition bool_at (place : nat) (out : list value) : bool :=
  match nth place out VNone with VB b => b | _ => false end.
