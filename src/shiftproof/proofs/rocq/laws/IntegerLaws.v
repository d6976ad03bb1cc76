(** The laws whose draws are integers or Booleans. *)
From Shiftproof Require Export GeometricLaws FiniteLaws.
