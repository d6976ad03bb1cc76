(** Lists of a program: how long they are, and what they hold.  What stands beyond their ends is
    any value, where Python would raise. *)
From Coq Require Import Lra Lia.
From Shiftproof Require Export Statements.
Open Scope R_scope.

Record array (X : Type) := Array { len : Z; item : Z -> X }.
Arguments Array {X}. Arguments len {X}. Arguments item {X}.

(** [[x] * n], [a[i] = x] and [a.append(x)]. *)
Definition filled {X} (n : Z) (x : X) : array X := Array n (fun _ => x).
Definition stored {X} (a : array X) (i : Z) (x : X) : array X :=
  Array (len a) (fun j => if (j =? i)%Z then x else item a j).
Definition appended {X} (a : array X) (x : X) : array X :=
  Array (len a + 1) (fun j => if (j =? len a)%Z then x else item a j).

(** The first index of a largest element. *)
Fixpoint argmax_of (f : Z -> R) (n : nat) : Z :=
  match n with
  | O => 0%Z
  | Datatypes.S m =>
      let best := argmax_of f m in if f best <? f (Z.of_nat m) then Z.of_nat m else best
  end.
Definition argmax (a : array R) : Z := argmax_of (item a) (Z.to_nat (len a)).

(** It is that. *)
Definition is_argmax (f : Z -> R) (n i : Z) : Prop := (0 <= i < n)%Z /\
  (forall j, (0 <= j < n)%Z -> f j <= f i) /\ (forall j, (0 <= j < i)%Z -> f j < f i).

Lemma argmax_of_is f n : is_argmax f (Z.of_nat (Datatypes.S n)) (argmax_of f (Datatypes.S n)).
Proof.
  induction n as [|n (range & most & first)].
  - assert (argmax_of f 1 = 0%Z) as -> by (cbn; destruct (Rltb _ _); reflexivity).
    split; [lia|]. split; intros j Hj; [|lia]. replace j with 0%Z by lia. lra.
  - set (m := Datatypes.S n) in *. cbn [argmax_of]. set (best := argmax_of f m) in *.
    destruct (Rltb_spec (f best) (f (Z.of_nat m))) as [larger|not_larger];
      (split; [lia|]); split; intros j Hj.
    + destruct (Z.eq_dec j (Z.of_nat m)) as [->|]; [lra|]. specialize (most j ltac:(lia)). lra.
    + specialize (most j ltac:(lia)). lra.
    + destruct (Z.eq_dec j (Z.of_nat m)) as [->|]; [lra|]. apply most. lia.
    + apply first. lia.
Qed.

Lemma argmax_is a : (0 < len a)%Z -> is_argmax (item a) (len a) (argmax a).
Proof.
  intros H. unfold argmax. pose proof (argmax_of_is (item a) (Z.to_nat (len a) - 1)) as found.
  replace (Datatypes.S (Z.to_nat (len a) - 1)) with (Z.to_nat (len a)) in found by lia.
  rewrite Z2Nat.id in found by lia. exact found.
Qed.

Lemma one_argmax f n i j : is_argmax f n i -> is_argmax f n j -> i = j.
Proof.
  intros (ri & mi & fi) (rj & mj & fj). destruct (Z.lt_total i j) as [H|[H|H]]; [|exact H|].
  - specialize (fj i ltac:(lia)). specialize (mi j rj). lra.
  - specialize (fi j ltac:(lia)). specialize (mj i ri). lra.
Qed.

(** Two lists have the same, if it is so of each other element by itself. *)
Lemma same_argmax a b : (0 < len a)%Z -> len b = len a ->
  (forall i j, i = argmax a -> (0 <= i)%Z -> (i < len a)%Z -> (0 <= j)%Z -> (j < len a)%Z ->
    item a j <= item a i -> ((i <= j)%Z \/ item a j < item a i) ->
    item b j <= item b i /\ ((i <= j)%Z \/ item b j < item b i)) ->
  argmax a = argmax b.
Proof.
  intros some long H. destruct (argmax_is a some) as (range & most & first).
  apply (one_argmax (item b) (len b)); [|apply argmax_is; lia]. rewrite long.
  assert (each : forall j, (0 <= j < len a)%Z -> item b j <= item b (argmax a) /\
    ((argmax a <= j)%Z \/ item b j < item b (argmax a))).
  { intros j Hj. apply H; try lia; auto.
    destruct (Z.lt_ge_cases j (argmax a)); [right; apply first; lia|left; lia]. }
  split; [exact range|]. split; intros j Hj; destruct (each j) as [below [late|less]]; auto; lia.
Qed.

(** What is known of all elements, said of those that are spoken of. *)
Ltac elements := repeat match goal with
  | H : forall any, (0 <= any)%Z -> (any < _)%Z -> _ |- context [item _ ?j] =>
      let p := constr:(H j ltac:(lia) ltac:(lia)) in
      let t := type of p in
      lazymatch goal with _ : t |- _ => fail | _ => pose proof p end end.
Ltac shown := cbn [len item filled stored appended] in *.
(* A premise about any element: it is a new one, or what was there. *)
Ltac of_elements := cbn [len item filled stored appended];
  try match goal with |- forall any : Z, _ =>
    intros;
    repeat match goal with |- context [Z.eqb ?a ?b] => destruct (Z.eqb_spec a b); try subst end;
    elements end.
Ltac same_pick a := apply same_argmax; [ a | a | intros; elements; split; a ].
(* What is asked of a list that is the same in both runs, one way and the other. *)
Ltac which_items := repeat match goal with
  | |- context [if item ?a ?i then _ else _] =>
      let E := fresh "E" in destruct (item a i) eqn:E
  | |- context [negb (item ?a ?i)] =>
      let E := fresh "E" in destruct (item a i) eqn:E; cbn [negb] end.
