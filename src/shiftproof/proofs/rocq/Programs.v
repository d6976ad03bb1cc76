(** Programs as transition systems, and the theorem of randomness alignments.

    A program says of each state what it does next.  What a run may show is described by a
    function [f] of the values that were released, with values in [0, 1]: the chance that a
    reader takes the run for one of the event.  [expected n] is its expectation over the runs
    that come to an end, or are looked at, within [n] steps.  *)
From Coq Require Import Reals List Lra Lia.
Import ListNotations.
Open Scope R_scope.

(** A law: its carrier, its support, and the expectation of functions into [0, 1]. *)
Record law := Law {
  carrier : Type;
  supp : carrier -> Prop;
  mean : (carrier -> R) -> R;
  mean_range : forall F, (forall x, 0 <= F x <= 1) -> 0 <= mean F <= 1;
  mean_scaled : forall K F G, 0 <= K -> (forall x, 0 <= F x <= 1) -> (forall x, 0 <= G x <= 1) ->
    (forall x, F x <= K * G x) -> mean F <= K * mean G }.

(** Draws of a law may be moved by [T] at the cost [c]: where each draw [x] keeps its bound at
    the price [c x], so does the expectation.  It says of [T] that it stays in the support and
    is one to one, and of [c] that it bounds the ratio of the densities. *)
Definition shifts (l : law) (T : carrier l -> carrier l) (c : carrier l -> R) :=
  forall K F G, 0 <= K -> (forall x, 0 <= F x <= 1) -> (forall x, 0 <= G x <= 1) ->
  (forall x, supp l x -> F x <= K * exp (- c x) * G (T x)) -> mean l F <= K * mean l G.

(** The same where draws of [l] are moved to draws of another law. *)
Definition moves (l l' : law) (T : carrier l -> carrier l') (c : carrier l -> R) :=
  forall K F G, 0 <= K -> (forall x, 0 <= F x <= 1) -> (forall x, 0 <= G x <= 1) ->
  (forall x, supp l x -> F x <= K * exp (- c x) * G (T x)) -> mean l F <= K * mean l' G.

Section Programs.
Variables (V S : Type).  (* released values, states *)

(** What a state does.  [Look]: here a run may be looked at (at a loop's head, where a call
    returns), so that what it has spent must be allowed already. *)
Inductive action :=
| Done
| Silent (s : S)
| Release (v : V) (s : S)
| Look (s : S)
| Draw (l : law) (k : carrier l -> S).

Definition program := S -> action.

Section Runs.
Variables (next : program) (stops : list V -> bool) (f : list V -> R).
Hypothesis f_range : forall o, 0 <= f o <= 1.

Fixpoint expected (n : nat) (s : S) (out : list V) : R :=
  match n with
  | O => 0
  | Datatypes.S m =>
      match next s with
      | Done => f out
      | Silent t => expected m t out
      | Release v t => expected m t (out ++ [v])
      | Look t => if stops out then f out else expected m t out
      | Draw l k => mean l (fun x => expected m (k x) out)
      end
  end.

Lemma expected_range n : forall s out, 0 <= expected n s out <= 1.
Proof.
  induction n as [|n IH]; intros s out; simpl; [lra|].
  destruct (next s); auto.
  - destruct (stops out); auto.
  - apply mean_range; auto.
Qed.
End Runs.

Lemma expected_scaled next stops f g K : 0 <= K -> (forall o, 0 <= f o <= 1) ->
  (forall o, 0 <= g o <= 1) -> (forall o, f o <= K * g o) ->
  forall n s out, expected next stops f n s out <= K * expected next stops g n s out.
Proof.
  intros HK Hf Hg E n. induction n as [|n IH]; intros s out; simpl; [lra|].
  destruct (next s); auto.
  - destruct (stops out); auto.
  - apply mean_scaled; auto using expected_range.
Qed.

(** Costs are counted by rates: [ks] says how often each rate was paid. *)
Fixpoint dot (ks rates : list R) : R :=
  match ks, rates with k :: ks, r :: rates => k * r + dot ks rates | _, _ => 0 end.
Fixpoint paid (ks cs : list R) : list R :=
  match ks, cs with k :: ks, c :: cs => (k + c) :: paid ks cs | ks, [] => ks | [], _ => [] end.

Lemma dot_paid ks : forall cs rates, length cs = length ks ->
  dot (paid ks cs) rates = dot ks rates + dot cs rates.
Proof.
  induction ks as [|k ks IH]; intros [|c cs] [|r rates] H; simpl in *; try lra; try discriminate.
  rewrite IH by lia. lra.
Qed.

(** Two runs side by side, [next] on D and [next'] on D'.  [Inv] holds at cut points, which cut
    all loops: what it says of two states and of what is paid is enough to go on. *)
Section Alignment.
Variables (next next' : program) (beta : R) (rates : list R).
Variable Inv : S -> S -> list R -> Prop.

Inductive steps (ks : list R) : action -> action -> Prop :=
| both_done : dot ks rates <= beta -> steps ks Done Done
| both_silent s s' : go ks s s' -> steps ks (Silent s) (Silent s')
| both_release v s s' : go ks s s' -> steps ks (Release v s) (Release v s')
| both_look s s' : dot ks rates <= beta -> go ks s s' -> steps ks (Look s) (Look s')
| both_draws l l' k k' T cs :
    moves l l' T (fun x => dot (cs x) rates) -> (forall x, length (cs x) = length ks) ->
    (forall x, supp l x -> go (paid ks (cs x)) (k x) (k' (T x))) ->
    steps ks (Draw l k) (Draw l' k')
(* A run on D that goes on for ever and shows nothing is of no event, whatever the other does. *)
| left_lost s c : next s = Silent s -> steps ks (Silent s) c
with go (ks : list R) : S -> S -> Prop :=
| cut s s' : Inv s s' ks -> go ks s s'
| walk s s' : steps ks (next s) (next' s') -> go ks s s'.

Lemma both_draw ks l k k' T cs :
  shifts l T (fun x => dot (cs x) rates) -> (forall x, length (cs x) = length ks) ->
  (forall x, supp l x -> go (paid ks (cs x)) (k x) (k' (T x))) ->
  steps ks (Draw l k) (Draw l k').
Proof. exact (both_draws ks l l k k' T cs). Qed.

Hypothesis cuts : forall s s' ks, Inv s s' ks -> steps ks (next s) (next' s').

Lemma within p v : 0 <= p -> v <= beta -> p <= exp (beta - v) * p.
Proof.
  intros Hp Hv. assert (1 <= exp (beta - v)); [|nra].
  rewrite <- exp_0. destruct (Req_dec v beta) as [->|]; [right; f_equal; lra|].
  left; apply exp_increasing; lra.
Qed.

Lemma lost_shows_nothing stops f n s out : next s = Silent s ->
  expected next stops f n s out = 0.
Proof. intros H; induction n as [|n IH]; simpl; [reflexivity|]. rewrite H. exact IH. Qed.

Theorem aligned stops f : (forall o, 0 <= f o <= 1) -> forall n s s' ks out, go ks s s' ->
  expected next stops f n s out
    <= exp (beta - dot ks rates) * expected next' stops f n s' out.
Proof.
  intros Hf n; induction n as [|n IH]; intros s s' ks out H; simpl; [lra|].
  assert (step : steps ks (next s) (next' s')) by (destruct H; auto).
  assert (right_pos := proj1 (expected_range next' stops f Hf (Datatypes.S n) s' out)).
  simpl in right_pos. revert right_pos. destruct step; intros right_pos; auto.
  - apply within; [apply Hf|assumption].
  - destruct (stops out); auto. apply within; [apply Hf|assumption].
  - apply H0; auto using expected_range; [left; apply exp_pos|].
    intros x Hx. rewrite <- exp_plus.
    replace (beta - dot ks rates + - dot (cs x) rates) with (beta - dot (paid ks (cs x)) rates)
      by (rewrite dot_paid by auto; ring).
    auto.
  - rewrite lost_shows_nothing by assumption.
    apply Rmult_le_pos; [left; apply exp_pos|exact right_pos].
Qed.
End Alignment.
End Programs.

Arguments Done {V S}. Arguments Silent {V S}. Arguments Release {V S}. Arguments Look {V S}.
Arguments Draw {V S}. Arguments expected {V S}.
Arguments steps {V S}. Arguments go {V S}. Arguments cut {V S next next' beta rates Inv ks s s'}.
Arguments walk {V S next next' beta rates Inv ks s s'}.
Arguments both_done {V S next next' beta rates Inv ks}.
Arguments both_draw {V S next next' beta rates Inv ks l k k'}.
Arguments left_lost {V S next next' beta rates Inv ks}.
Arguments both_draws {V S next next' beta rates Inv ks l l' k k'}.
Arguments aligned {V S}.
