(** Data sets: lists of records, of which programs learn how many meet a test.

    A record is a function from the numbers of its attributes to their values. *)
From Shiftproof Require Import Statements Replay.
From Coq Require Import ZifyBool.

(** How many records meet a test. *)
Definition count (test : (Z -> Z) -> bool) (data : list (Z -> Z)) : Z :=
  Z.of_nat (List.length (filter test data)).

(** A data set with one record at some place has that one's count more than without it. *)
Lemma count_with test data some own rest : data = some ++ [own] ++ rest ->
  count test data = (count test (some ++ rest) + if test own then 1 else 0)%Z.
Proof.
  intros ->. unfold count. rewrite !filter_app, !app_length. simpl.
  destruct (test own); simpl; lia.
Qed.
Lemma count_without test data some rest : data = some ++ rest ->
  count test data = count test (some ++ rest).
Proof. intros ->. reflexivity. Qed.

Ltac learn_count p :=
  let t := type of p in let t := eval cbn beta in t in
  lazymatch goal with _ : t |- _ => fail | _ => let H := fresh in assert (H : t) by exact p end.
(* What is said of a data set is that it is put together from the records that D and D' share,
   and the one that differs. *)
Ltac learn_counts := repeat match goal with
  | H : ?data = ?some ++ [?own] ++ ?rest |- context [count ?test ?data] =>
      learn_count (count_with test data some own rest H)
  | H : ?data = ?some ++ [?own] ++ ?rest, _ : context [count ?test ?data] |- _ =>
      learn_count (count_with test data some own rest H)
  | H : ?data = ?some ++ ?rest |- context [count ?test ?data] =>
      is_var rest; learn_count (count_without test data some rest H)
  | H : ?data = ?some ++ ?rest, _ : context [count ?test ?data] |- _ =>
      is_var rest; learn_count (count_without test data some rest H) end.
(* All is known of a count then, and it becomes any number: what it tests is not looked into. *)
Ltac as_number test data :=
  let n := fresh "n" in set (n := count test data) in *; clearbody n.
Ltac as_numbers := repeat match goal with
  | |- context [count ?test ?data] => as_number test data
  | _ : context [count ?test ?data] |- _ => as_number test data end.
(* Whether the record that differs is counted, in all ways that can be. *)
Ltac counted := repeat match goal with
  | H : ?n = (?m + if ?met then 1 else 0)%Z |- _ =>
      let E := fresh "E" in destruct met eqn:E; try (exfalso; lia); subst n end.
Ltac arith_of_counts := as_numbers; counted; arith.

(** What holds of an attribute, if there is one of this number. *)
Ltac learn_within p := lazymatch type of p with ?inside -> ?said =>
  lazymatch goal with
  | _ : said |- _ => fail
  | _ => let H := fresh in assert (H : inside) by lia; pose proof (p H); clear H end end.
