(** The checker of trees as an OCaml module, [checker.ml], for [driver.ml].

    All questions of all certificates, in an empty folder, with [P] for [src/shiftproof/proofs]:
<<
    cp $P/rocq/trees/* .
    for f in Arithmetic Trees extract; do coqc -Q . Shiftproof $f.v; done
    ocamlc checker.mli checker.ml driver.ml -o check
    python -m shiftproof.showing.theorems.trees $P/*.json | ./check
>> *)
From Coq Require Import Extraction ExtrOcamlBasic.
From Shiftproof Require Import Arithmetic Trees.
Extraction "checker.ml" check.
