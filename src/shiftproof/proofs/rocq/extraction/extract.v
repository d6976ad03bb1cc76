(** The checker of trees as an OCaml module, [checker.ml]. *)
From Coq Require Import Extraction ExtrOcamlBasic.
From Shiftproof Require Import Arithmetic Trees.
Extraction "checker.ml" check.
