(** Moves of draws: what a proof may do to them.

    A draw [x] of one run is held against the draw [T x] of the other.  [T] must be one to one
    on the support; on the reals, it is also made of finitely many translations. *)
From Coq Require Import Reals Lra Lia Arith.
Open Scope R_scope.

Definition one_to_one {X} (A : X -> Prop) (T : X -> X) :=
  forall x y, A x -> A y -> T x = T y -> x = y.

Definition Rleb a b : bool := if Rle_dec a b then true else false.
Definition Rltb a b : bool := if Rlt_dec a b then true else false.

Lemma Rleb_spec a b : BoolSpec (a <= b) (b < a) (Rleb a b).
Proof. unfold Rleb. destruct (Rle_dec a b); constructor; lra. Qed.

Lemma Rltb_spec a b : BoolSpec (a < b) (b <= a) (Rltb a b).
Proof. unfold Rltb. destruct (Rlt_dec a b); constructor; lra. Qed.

Definition Reqb a b : bool := if Req_EM_T a b then true else false.
Lemma Reqb_spec a b : BoolSpec (a = b) (a <> b) (Reqb a b).
Proof. unfold Reqb. destruct (Req_EM_T a b); constructor; auto. Qed.

(** Finitely many pieces, each cut out by linear conditions, each moved by a constant. *)
Inductive by_pieces : (R -> R) -> Prop :=
| piece d : by_pieces (fun x => x + d)
| pieces_le a b d T U : by_pieces T -> by_pieces U ->
    by_pieces (fun x => if Rleb (a * x + b) d then T x else U x)
| pieces_lt a b d T U : by_pieces T -> by_pieces U ->
    by_pieces (fun x => if Rltb (a * x + b) d then T x else U x)
| pieces_eq T U : (forall x, T x = U x) -> by_pieces T -> by_pieces U.

(** * The pieces, numbered *)

Definition convex (P : R -> Prop) := forall x y z, x <= y <= z -> P x -> P z -> P y.

Lemma convex_and P Q : convex P -> convex Q -> convex (fun x => P x /\ Q x).
Proof. unfold convex; intuition eauto. Qed.

Lemma convex_moved P d : convex P -> convex (fun x => P (x - d)).
Proof. intros H x y z Hy; apply H; lra. Qed.

(** A line that is on one side of [d] at two points is there in between. *)
Lemma line_below a b d : convex (fun x => a * x + b <= d).
Proof. intros x y z Hy; destruct (Rle_dec 0 a); nra. Qed.

Lemma line_strictly_below a b d : convex (fun x => a * x + b < d).
Proof. intros x y z Hy; destruct (Rle_dec 0 a); nra. Qed.

Lemma line_above a b d : convex (fun x => d <= a * x + b).
Proof. intros x y z Hy; destruct (Rle_dec 0 a); nra. Qed.

Lemma line_strictly_above a b d : convex (fun x => d < a * x + b).
Proof. intros x y z Hy; destruct (Rle_dec 0 a); nra. Qed.

(** Each point has the number of its piece; numbers keep pieces apart by themselves. *)
Record numbered (T : R -> R) (n : nat) (number : R -> nat) (move : nat -> R) : Prop := {
  number_bound : forall x, (number x < n)%nat;
  number_convex : forall k, convex (fun x => number x = k);
  number_moves : forall x, T x = x + move (number x) }.

(** Two maps, the first where [test] is true: pieces of the second come after the first's. *)
Lemma numbered_either (test : R -> bool) T n number move U m number' move' :
  convex (fun x => test x = true) -> convex (fun x => test x = false) ->
  numbered T n number move -> numbered U m number' move' ->
  numbered (fun x => if test x then T x else U x) (n + m)
    (fun x => if test x then number x else (n + number' x)%nat)
    (fun k => if k <? n then move k else move' (k - n)%nat).
Proof.
  intros yes no [below pieces moves] [below' pieces' moves']; split.
  - intros x. specialize (below x); specialize (below' x). destruct (test x); lia.
  - intros k x y z Hy Hx Hz. pose proof (below x); pose proof (below z).
    destruct (test x) eqn:Ex, (test z) eqn:Ez; try lia.
    + rewrite (yes x y z) by auto. apply (pieces k x y z); auto.
    + rewrite (no x y z) by auto.
      rewrite (pieces' (k - n)%nat x y z) by (auto; lia). lia.
  - intros x. specialize (below x). destruct (test x).
    + destruct (Nat.ltb_spec (number x) n); [apply moves|lia].
    + destruct (Nat.ltb_spec (n + number' x) n); [lia|].
      rewrite moves'. do 2 f_equal. lia.
Qed.

Lemma convex_eq (P Q : R -> Prop) : (forall x, P x <-> Q x) -> convex P -> convex Q.
Proof. intros E H x y z Hy Hx Hz. apply E, (H x y z); auto; now apply E. Qed.

Lemma by_pieces_numbered T : by_pieces T -> exists n number move, numbered T n number move.
Proof.
  induction 1 as [d|a b d T U _ (n & f & m & HT) _ (n' & f' & m' & HU)
                  |a b d T U _ (n & f & m & HT) _ (n' & f' & m' & HU)
                  |T U E _ (n & f & m & [below pieces moves])].
  - exists 1%nat, (fun _ => 0%nat), (fun _ => d). split; [auto| |auto]. unfold convex; auto.
  - do 3 eexists. apply (numbered_either (fun x => Rleb (a * x + b) d)); eauto.
    + apply (convex_eq (fun x => a * x + b <= d)); [|apply line_below].
      intros x. destruct (Rleb_spec (a * x + b) d); intuition (discriminate || lra).
    + apply (convex_eq (fun x => d < a * x + b)); [|apply line_strictly_above].
      intros x. destruct (Rleb_spec (a * x + b) d); intuition (discriminate || lra).
  - do 3 eexists. apply (numbered_either (fun x => Rltb (a * x + b) d)); eauto.
    + apply (convex_eq (fun x => a * x + b < d)); [|apply line_strictly_below].
      intros x. destruct (Rltb_spec (a * x + b) d); intuition (discriminate || lra).
    + apply (convex_eq (fun x => d <= a * x + b)); [|apply line_above].
      intros x. destruct (Rltb_spec (a * x + b) d); intuition (discriminate || lra).
  - exists n, f, m. split; auto. intros x. now rewrite <- E.
Qed.
