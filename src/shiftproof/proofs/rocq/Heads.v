(** Tactics for heads of which much is said, with alternatives.

    What is known is made ready once for all that is owed there: [ready].  Each premise is then
    decided by linear arithmetic, after facts "A or B" of which one is impossible have become the
    other one, and without a split of the others: [quick]. *)
From Coq Require Import Classical_Prop.
From Shiftproof Require Import Statements Replay.

Ltac split_conjunctions := repeat match goal with
  | H : _ /\ _ |- _ => learn (proj1 H); learn (proj2 H); clear H end.
(** Facts of integers, said of real numbers as well. *)
Ltac as_real := repeat match goal with
  | H : (?a <= ?b)%Z |- _ => learn (IZR_le _ _ H)
  | H : (?a < ?b)%Z |- _ => learn (lt_R _ _ H)
  | H : @eq Z ?a ?b |- _ => learn (f_equal IZR H) end; push_in_all.
Ltac drop_draws := repeat match goal with
  | |- context [Rabs (?x + ?d - ?x)] => replace (x + d - x) with d by ring
  | |- context [Rabs 0] => rewrite Rabs_R0 end.
Ltac ready := drop_draws; split_conjunctions; as_real.

Lemma or_by (A B : Prop) : (~ A -> B) -> A \/ B.
Proof. intros H. destruct (classic A); auto. Qed.
Ltac positively := repeat match goal with
  | H : ~ (_ <= _)%R |- _ => apply Rnot_le_lt in H
  | H : ~ (_ < _)%R |- _ => apply Rnot_lt_le in H end.

Ltac linear := match goal with
  | |- @eq Z _ _ => lia | |- (_ <= _)%Z => lia | |- (_ < _)%Z => lia
  | |- @eq R _ _ => push; lra | |- (_ <= _)%R => push; lra | |- (_ < _)%R => push; lra
  | |- @eq _ _ _ => reflexivity
  | |- ~ _ => intro; first [lia | lra]
  | |- _ => first [lia | lra] end.
Ltac impossible H := match type of H with
  | @eq bool _ _ => congruence
  | @eq Z _ _ => lia | (_ <= _)%Z => lia | (_ < _)%Z => lia | ~ @eq Z _ _ => lia | _ => lra end.
Ltac resolve := repeat match goal with
  | H : ?A \/ ?B |- _ =>
      let N := fresh in let X := fresh in
      first [ assert (N : A -> False) by (intros X; impossible X);
              destruct H as [H | H]; [destruct (N H) | clear N]
            | assert (N : B -> False) by (intros X; impossible X);
              destruct H as [H | H]; [clear N | destruct (N H)] ] end.
Ltac quick := lazymatch goal with
  | |- context [Rabs _] => shapes; quick
  | |- _ \/ _ => apply or_by; intro; positively; quick
  | |- _ => first [ solve [linear] | progress resolve; solve [linear] | assumption ] end.

(** What has been paid is decided before what else may be, of which there may be many cases. *)
Ltac true_or_false := solve
  [ assumption | reflexivity | congruence | left; true_or_false | right; true_or_false ].
Ltac by_costs := first
  [ true_or_false | solve [plain] | solve [one_of_them]
  | match goal with H : (_ <= _)%R \/ _ |- _ => destruct H; solve [by_costs] end ].
