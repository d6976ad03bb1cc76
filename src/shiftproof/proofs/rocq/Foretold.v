(** Foretold runs: what is claimed, and proved, of each sequence of whole numbers by itself.

    Which whole numbers a run on D will release may be foretold to the alignment, as in the proof
    of "report noisy max": only the noise of the winner is moved.  So for each sequence of them
    there is an alignment of its own, and what it shows is the bound for events about that
    sequence.  Such events are disjoint and countably many, and together they are all. *)
From Coq Require Import Lra Lia FunctionalExtensionality.
From Shiftproof Require Export Statements.
Open Scope R_scope.

(** The whole numbers among what was released, in their order. *)
Fixpoint whole (out : list value) : list Z :=
  match out with
  | [] => []
  | VZ k :: out => k :: whole out
  | _ :: out => whole out
  end.

(** [bounded], of events about runs that release the whole numbers [story] and no others. *)
Definition bounded_for {S} (story : list Z) (next next' : program value S) (start : S)
    (beta : R) : Prop :=
  forall stops event n, (forall o, 0 <= event o <= 1) ->
  (forall o, whole o <> story -> event o = 0) ->
  expected next stops event n start [] <= exp beta * expected next' stops event n start [].

(** The same of each sequence of whole numbers.  Where only a whole number is released, or None
    or the like, it says P[M(D) = r] <= e^beta P[M(D') = r] of each result r; and so, added up,
    of each set of results. *)
Definition bounded_each {S} (next next' : program value S) (start : S) (beta : R) : Prop :=
  forall story, bounded_for story next next' start beta.

(** A whole number that is foretold, the [k]-th of those that are still to come; where there are
    fewer, any number. *)
Definition foretold (k : nat) (told : list Z) : Z := nth k told 0%Z.

(** A run that is lost as soon as it releases another whole number than was foretold. *)
Definition tell {S} (told : list Z) (a : action value S) : action value (option (S * list Z)) :=
  match a with
  | Done => Done
  | Silent s => Silent (Some (s, told))
  | Release v s =>
      match v with
      | VZ k =>
          match told with
          | b :: rest => if Z.eq_dec k b then Release v (Some (s, rest)) else Silent None
          | [] => Silent None
          end
      | _ => Release v (Some (s, told))
      end
  | Look s => Look (Some (s, told))
  | Draw l k => Draw l (fun x => Some (k x, told))
  end.
Definition telling {S} (next : program value S) : program value (option (S * list Z)) :=
  fun t => match t with Some (s, told) => tell told (next s) | None => Silent None end.

Lemma whole_app o p : whole (o ++ p) = whole o ++ whole p.
Proof. induction o as [|[] o IH]; simpl; rewrite ?IH; reflexivity. Qed.

Section Telling.
Variables (S : Type) (stops : list value -> bool) (f : list value -> R).
Hypothesis f_range : forall o, 0 <= f o <= 1.

Lemma shows_nothing (next : program value S) n : forall s out, (forall o, f (out ++ o) = 0) ->
  expected next stops f n s out = 0.
Proof.
  induction n as [|n IH]; intros s out H; simpl; [reflexivity|].
  assert (now : f out = 0) by (rewrite <- (app_nil_r out); apply H).
  destruct (next s) as [|t|v t|t|l k]; auto.
  - apply IH. intros o. rewrite <- app_assoc. apply H.
  - destruct (stops out); auto.
  - replace (fun x => expected next stops f n (k x) out) with (fun _ : carrier l => 0)
      by (apply functional_extensionality; intros x; symmetry; auto).
    pose proof (mean_range l (fun _ => 0) ltac:(intros; lra)).
    pose proof (mean_scaled l 0 (fun _ => 0) (fun _ => 0) ltac:(lra) ltac:(intros; lra)
      ltac:(intros; lra) ltac:(intros; lra)).
    lra.
Qed.

Lemma lost (next : program value S) n out : expected (telling next) stops f n None out = 0.
Proof. apply lost_shows_nothing. reflexivity. Qed.

(** Of an event about the story nothing is lost on D, *)
Lemma told_of_D story (next : program value S) :
  (forall o, whole o <> story -> f o = 0) -> forall n s told out, whole out ++ told = story ->
  expected next stops f n s out = expected (telling next) stops f n (Some (s, told)) out.
Proof.
  intros about n; induction n as [|n IH]; intros s told out Hout; [reflexivity|].
  cbn [expected telling]. destruct (next s) as [|t|v t|t|l k]; cbn [tell]; auto.
  - assert (others : whole [v] = [] -> expected next stops f n t (out ++ [v])
      = expected (telling next) stops f n (Some (t, told)) (out ++ [v])).
    { intros E. apply IH. rewrite whole_app, E, app_nil_r. exact Hout. }
    destruct v as [|k| | |]; try (apply others; reflexivity). clear others.
    assert (else_lost : (forall rest, told <> k :: rest) ->
      expected next stops f n t (out ++ [VZ k]) = 0).
    { intros other. apply shows_nothing. intros o. apply about.
      rewrite <- app_assoc, whole_app. intros E. rewrite <- Hout in E.
      apply app_inv_head in E. simpl in E. exact (other _ (eq_sym E)). }
    destruct told as [|b rest]; [rewrite lost; apply else_lost; discriminate|].
    destruct (Z.eq_dec k b) as [->|other].
    + apply IH. rewrite whole_app, <- app_assoc. exact Hout.
    + rewrite lost. apply else_lost. congruence.
  - destruct (stops out); auto.
  - f_equal. apply functional_extensionality. auto.
Qed.

(** and on D' nothing is won. *)
Lemma told_of_D' (next : program value S) n : forall s told out,
  expected (telling next) stops f n (Some (s, told)) out <= expected next stops f n s out.
Proof.
  induction n as [|n IH]; intros s told out; [simpl; lra|].
  cbn [expected telling]. destruct (next s) as [|t|v t|t|l k]; cbn [tell]; auto; try lra.
  - destruct v as [|k| | |]; auto. destruct told as [|b rest]; [|destruct (Z.eq_dec k b); auto];
      rewrite lost; apply expected_range; exact f_range.
  - destruct (stops out); auto. lra.
  - rewrite <- (Rmult_1_l (mean l (fun x => expected next stops f n (k x) out))).
    apply mean_scaled; try (intros; apply expected_range; exact f_range); [lra|].
    intros x. rewrite Rmult_1_l. apply IH.
Qed.
End Telling.

(** Two runs side by side, to both of which the same is foretold. *)
Section Foretelling.
Variables (S : Type) (next next' : program value S) (beta : R) (rates : list R).
Variable Inv : list Z -> S -> S -> list R -> Prop.

Inductive both_told : option (S * list Z) -> option (S * list Z) -> list R -> Prop :=
| told_alike told s s' ks : Inv told s s' ks -> both_told (Some (s, told)) (Some (s', told)) ks.

Definition told_steps ks told a a' :=
  steps (telling next) (telling next') beta rates both_told ks (tell told a) (tell told a').
Definition told_go ks told s s' :=
  go (telling next) (telling next') beta rates both_told ks (Some (s, told)) (Some (s', told)).

Lemma told_cut ks told s s' : Inv told s s' ks -> told_go ks told s s'.
Proof. intros H. apply cut. constructor. exact H. Qed.
Lemma told_walk ks told s s' : told_steps ks told (next s) (next' s') -> told_go ks told s s'.
Proof. intros H. apply walk. exact H. Qed.
Lemma told_done ks told : dot ks rates <= beta -> told_steps ks told Done Done.
Proof. apply both_done. Qed.
Lemma told_silent ks told s s' : told_go ks told s s' ->
  told_steps ks told (Silent s) (Silent s').
Proof. apply both_silent. Qed.
Lemma told_look ks told s s' : dot ks rates <= beta -> told_go ks told s s' ->
  told_steps ks told (Look s) (Look s').
Proof. apply both_look. Qed.
Lemma told_draw ks told l k k' T cs :
  shifts l T (fun x => dot (cs x) rates) -> (forall x, List.length (cs x) = List.length ks) ->
  (forall x, supp l x -> told_go (paid ks (cs x)) told (k x) (k' (T x))) ->
  told_steps ks told (Draw l k) (Draw l k').
Proof. intros moved long H. exact (both_draw T cs moved long H). Qed.

(** What is no whole number has to be the same, ... *)
Lemma told_release ks told v w s s' : v = w -> whole [v] = [] -> told_go ks told s s' ->
  told_steps ks told (Release v s) (Release w s').
Proof. intros <- H. destruct v; try discriminate; apply both_release. Qed.
(** ... and a whole number where the run on D releases what was foretold. *)
Lemma told_whole ks told a b s s' :
  (forall rest, told = a :: rest -> a = b /\ (a = b -> told_go ks rest s s')) ->
  told_steps ks told (Release (VZ a) s) (Release (VZ b) s').
Proof.
  intros H. unfold told_steps. destruct told as [|c rest]; [now apply left_lost|]. cbn [tell].
  destruct (Z.eq_dec a c) as [->|other]; [|now apply left_lost].
  destruct (H rest eq_refl) as [<- further]. specialize (further eq_refl). destruct (Z.eq_dec c c) as [_|]; [|tauto].
  now apply both_release.
Qed.

Hypothesis cuts : forall told s s' ks, Inv told s s' ks -> told_steps ks told (next s) (next' s').

Theorem aligned_for story s ks : told_go ks story s s ->
  bounded_for story next next' s (beta - dot ks rates).
Proof.
  intros start stops event n range about.
  rewrite (told_of_D _ _ _ story next about n s story []) by reflexivity.
  apply Rle_trans with
    (exp (beta - dot ks rates) * expected (telling next') stops event n (Some (s, story)) []).
  - apply (aligned (telling next) (telling next') beta rates both_told); auto.
    intros t t' qs []; now apply cuts.
  - apply Rmult_le_compat_l; [left; apply exp_pos|]. now apply told_of_D'.
Qed.
End Foretelling.

Arguments told_steps {S}. Arguments told_go {S}.
Arguments told_draw {S next next' beta rates Inv ks told l k k'}.
Arguments told_walk {S next next' beta rates Inv ks told s s'}.
Arguments told_cut {S next next' beta rates Inv ks told s s'}.
Arguments aligned_for {S}.

(** What comes out is what was foretold, and the others move up. *)
Lemma foretold_now told a rest : told = a :: rest -> foretold 0 told = a.
Proof. now intros ->. Qed.
Lemma foretold_later told a rest k : told = a :: rest -> foretold (S k) told = foretold k rest.
Proof. now intros ->. Qed.
Ltac as_foretold := let H := fresh in intros ? H;
  pose proof (foretold_now _ _ _ H); pose proof (foretold_later _ _ _ 0 H); clear H.
