(** Laws given by the masses of their points.

    The expectation of a function is the supremum of its sums over finite sets of points.  No
    order of the points enters, and no limit has to be shown to exist.  A law may be shifted
    where the shift is one to one on the support, at a cost that bounds the ratio of the
    masses. *)
From Coq Require Import Reals List Lra.
From Coquelicot Require Rbar Lub.
From Shiftproof Require Import Programs Shifts.
Import ListNotations.
Open Scope R_scope.

(** ** Finite sums *)

Fixpoint sum {X} (g : X -> R) (l : list X) : R :=
  match l with [] => 0 | x :: l => g x + sum g l end.

Section Sums.
Context {X : Type}.
Implicit Types (g h : X -> R) (l m : list X).

Lemma sum_le g h l : (forall x, In x l -> g x <= h x) -> sum g l <= sum h l.
Proof.
  induction l as [|x l IH]; simpl; intros H; [lra|].
  apply Rplus_le_compat; auto.
Qed.

Lemma sum_ext g h l : (forall x, In x l -> g x = h x) -> sum g l = sum h l.
Proof. intros H. apply Rle_antisym; apply sum_le; intros x Hx; rewrite H; auto; lra. Qed.

Lemma sum_nonneg g l : (forall x, 0 <= g x) -> 0 <= sum g l.
Proof. intros H; induction l as [|x l IH]; simpl; [lra|]. specialize (H x). lra. Qed.

Lemma sum_plus g h l : sum (fun x => g x + h x) l = sum g l + sum h l.
Proof. induction l; simpl; lra. Qed.

Lemma sum_scale g k l : sum (fun x => k * g x) l = k * sum g l.
Proof. induction l as [|x l IH]; simpl; [|rewrite IH]; lra. Qed.

Lemma sum_constant k l : sum (fun _ => k) l = INR (length l) * k.
Proof.
  induction l as [|x l IH]; [simpl; lra|].
  cbn [sum length]. rewrite IH, S_INR. lra.
Qed.

Lemma sum_app g l m : sum g (l ++ m) = sum g l + sum g m.
Proof. induction l; simpl; lra. Qed.

(** More points make a larger sum; points without mass need not be found again. *)
Lemma sum_within g l : (forall x, 0 <= g x) -> NoDup l ->
  forall m, (forall x, In x l -> 0 < g x -> In x m) -> sum g l <= sum g m.
Proof.
  intros Hg Hl. induction Hl as [|x l Hx Hl IH]; intros m Hm; simpl; [auto using sum_nonneg|].
  destruct (Rlt_dec 0 (g x)) as [pos|null].
  - destruct (in_split x m) as (before & after & ->); [apply Hm; simpl; auto|].
    assert (rest : sum g l <= sum g (before ++ after)).
    { apply IH. intros y Hy pos_y. specialize (Hm y (or_intror Hy) pos_y).
      rewrite in_app_iff in *. simpl in Hm. intuition congruence. }
    rewrite sum_app in *. simpl. lra.
  - assert (sum g l <= sum g m) by (apply IH; simpl in Hm; auto).
    specialize (Hg x). lra.
Qed.
End Sums.

Lemma NoDup_moved {X Y} (A : X -> Prop) (T : X -> Y) l :
  (forall x y, A x -> A y -> T x = T y -> x = y) ->
  (forall x, In x l -> A x) -> NoDup l -> NoDup (map T l).
Proof.
  intros injective inside Hl. induction Hl as [|x l Hx Hl IH]; simpl; constructor.
  - rewrite in_map_iff. intros (y & same & Hy). apply Hx.
    replace x with y; [exact Hy|]. apply injective; simpl in *; auto.
  - apply IH. simpl in inside. auto.
Qed.

Lemma sum_map {X Y} (g : Y -> R) (T : X -> Y) l : sum (fun x => g (T x)) l = sum g (map T l).
Proof. induction l; simpl; congruence. Qed.

(** ** Masses under conditions *)

(** A mass where a condition holds, 0 elsewhere. *)
Definition provided {P : Prop} (decision : {P} + {~ P}) (r : R) : R :=
  if decision then r else 0.

Section Provided.
Context {P : Prop} (decision : {P} + {~ P}).

Lemma provided_true r : P -> provided decision r = r.
Proof. unfold provided. destruct decision; tauto. Qed.

Lemma provided_false r : ~ P -> provided decision r = 0.
Proof. unfold provided. destruct decision; tauto. Qed.

Lemma provided_nonneg r : (P -> 0 <= r) -> 0 <= provided decision r.
Proof. unfold provided. destruct decision; intros H; [auto|lra]. Qed.

Lemma provided_pos r : 0 < provided decision r -> P /\ 0 < r.
Proof. unfold provided. destruct decision; intros H; [auto|lra]. Qed.

Lemma provided_total {X} (g : X -> R) l :
  (P -> sum g l <= 1) -> sum (fun x => provided decision (g x)) l <= 1.
Proof.
  unfold provided. destruct decision; intros H; [auto|]. rewrite sum_constant. lra.
Qed.
End Provided.

(** ** Expectations and laws *)

Section Countable.
Context {X : Type}.
Variables (mass : X -> R) (support : X -> Prop).

Definition sums (F : X -> R) (r : R) := exists l, NoDup l /\ r = sum (fun x => mass x * F x) l.

(** Taken of any function, so that it is total; meant for functions into [0, 1], of which the
    supremum is finite. *)
Definition expectation (F : X -> R) : R := Rbar.real (Lub.Lub_Rbar (sums F)).

Lemma expectation_ext F G : (forall x, F x = G x) -> expectation F = expectation G.
Proof.
  intros same. unfold expectation. f_equal. apply Lub.Lub_Rbar_eqset.
  intros r. split; intros (l & Hl & ->); exists l; split; auto;
    apply sum_ext; intros; rewrite same; reflexivity.
Qed.

Hypothesis mass_nonneg : forall x, 0 <= mass x.
Hypothesis mass_total : forall l, NoDup l -> sum mass l <= 1.
Hypothesis mass_support : forall x, 0 < mass x -> support x.

Section Expectation.
Variable F : X -> R.
Hypothesis F_range : forall x, 0 <= F x <= 1.

Lemma term_nonneg x : 0 <= mass x * F x.
Proof. apply Rmult_le_pos; [auto|apply F_range]. Qed.

Lemma sums_bounded : is_upper_bound (sums F) 1.
Proof.
  intros r (l & Hl & ->). apply Rle_trans with (sum mass l); [|auto].
  apply sum_le. intros x _. specialize (F_range x). specialize (mass_nonneg x). nra.
Qed.

Lemma expectation_is_lub : is_lub (sums F) (expectation F).
Proof.
  unfold expectation. destruct (Lub.Lub_Rbar_correct (sums F)) as [upper least].
  assert (at_least := upper 0 (ex_intro _ [] (conj (NoDup_nil X) eq_refl))).
  assert (at_most := least (Rbar.Finite 1) sums_bounded).
  destruct (Lub.Lub_Rbar (sums F)) as [r| |]; simpl in *; [|tauto|tauto].
  split; [exact upper|]. intros B HB. exact (least (Rbar.Finite B) HB).
Qed.

Lemma sum_at_most_expectation l : NoDup l -> sum (fun x => mass x * F x) l <= expectation F.
Proof. intros Hl. apply expectation_is_lub. exists l. auto. Qed.

Lemma expectation_at_most B :
  (forall l, NoDup l -> sum (fun x => mass x * F x) l <= B) -> expectation F <= B.
Proof. intros H. apply expectation_is_lub. intros r (l & Hl & ->). auto. Qed.

Lemma expectation_range : 0 <= expectation F <= 1.
Proof.
  split; [apply (sum_at_most_expectation []); constructor|].
  apply expectation_is_lub, sums_bounded.
Qed.
End Expectation.

Lemma expectation_scaled K F G : 0 <= K -> (forall x, 0 <= F x <= 1) ->
  (forall x, 0 <= G x <= 1) -> (forall x, F x <= K * G x) -> expectation F <= K * expectation G.
Proof.
  intros HK HF HG H. apply expectation_at_most; [exact HF|]. intros l Hl.
  apply Rle_trans with (sum (fun x => K * (mass x * G x)) l).
  - apply sum_le. intros x _. specialize (H x). specialize (mass_nonneg x). nra.
  - rewrite sum_scale. apply Rmult_le_compat_l; [exact HK|].
    apply sum_at_most_expectation; assumption.
Qed.

(** The support is given beside the masses: it can then be a plain condition on the point,
    which holds or not whatever the parameters of the law are. *)
Definition countable : law :=
  Law X support expectation expectation_range expectation_scaled.

Lemma in_support F l : (forall x, 0 <= F x <= 1) -> NoDup l -> exists m, NoDup m /\
  (forall x, In x m -> support x) /\
  sum (fun x => mass x * F x) l <= sum (fun x => mass x * F x) m.
Proof.
  intros HF Hl. pose (heavy x := if Rlt_dec 0 (mass x) then true else false).
  assert (is_heavy : forall x, heavy x = true <-> 0 < mass x).
  { intros x. unfold heavy. destruct (Rlt_dec 0 (mass x)); split; congruence || tauto. }
  exists (filter heavy l). split; [auto using NoDup_filter|]. split.
  - intros x Hx. apply filter_In in Hx. apply mass_support, is_heavy, Hx.
  - apply sum_within; auto using term_nonneg. intros x Hx pos.
    apply filter_In. split; [exact Hx|]. apply is_heavy.
    specialize (HF x). specialize (mass_nonneg x). nra.
Qed.

Theorem countable_shifts (T : X -> X) (c : X -> R) :
  one_to_one support T -> (forall x, support x -> mass x <= exp (c x) * mass (T x)) ->
  shifts countable T c.
Proof.
  intros injective ratio K F G HK HF HG H. simpl in *.
  apply expectation_at_most; [exact HF|]. intros l Hl.
  destruct (in_support F l HF Hl) as (m & Hm & inside & more).
  apply (Rle_trans _ _ _ more).
  apply Rle_trans with (sum (fun x => K * (mass (T x) * G (T x))) m).
  - apply sum_le. intros x Hx. apply inside in Hx.
    specialize (H x Hx). specialize (ratio x Hx).
    apply Rle_trans with ((exp (c x) * mass (T x)) * (K * exp (- c x) * G (T x))).
    + apply Rmult_le_compat; auto. apply HF.
    + right. rewrite exp_Ropp. field. apply Rgt_not_eq, exp_pos.
  - rewrite sum_scale, (sum_map (fun y => mass y * G y)).
    apply Rmult_le_compat_l; [exact HK|]. apply sum_at_most_expectation; [exact HG|].
    apply (NoDup_moved support); assumption.
Qed.

(** ** The expectation is the one that is meant *)

Theorem expectation_of_one :
  is_lub (fun r => exists l, NoDup l /\ r = sum mass l) (expectation (fun _ => 1)).
Proof.
  assert (same : forall l, sum (fun x => mass x * 1) l = sum mass l).
  { intros l. apply sum_ext. intros x _. lra. }
  destruct (expectation_is_lub (fun _ => 1)) as [upper least]; [intros; lra|].
  split.
  - intros r (l & Hl & ->). apply upper. exists l. auto.
  - intros B HB. apply least. intros r (l & Hl & ->). apply HB. exists l. auto.
Qed.

(** Where finite sets that reach every point come near a bound, the bound is the expectation. *)
Theorem expectation_by_windows F (window : nat -> list X) L :
  (forall x, 0 <= F x <= 1) -> (forall n, NoDup (window n)) ->
  (forall l, exists n, incl l (window n)) ->
  (forall n, sum (fun x => mass x * F x) (window n) <= L) ->
  (forall eps, 0 < eps -> exists n, L - eps < sum (fun x => mass x * F x) (window n)) ->
  expectation F = L.
Proof.
  intros HF distinct reach bound near. apply Rle_antisym.
  - apply expectation_at_most; [exact HF|]. intros l Hl. destruct (reach l) as [n Hn].
    apply Rle_trans with (2 := bound n). apply sum_within; auto using term_nonneg.
  - apply Rnot_lt_le. intros less. destruct (near (L - expectation F)) as [n Hn]; [lra|].
    pose proof (sum_at_most_expectation F HF (window n) (distinct n)). lra.
Qed.

(** Where finitely many points carry all mass, the expectation is the sum over them. *)
Theorem expectation_of_finite F m : (forall x, 0 <= F x <= 1) -> NoDup m ->
  (forall x, 0 < mass x -> In x m) -> expectation F = sum (fun x => mass x * F x) m.
Proof.
  intros HF Hm all. apply Rle_antisym; [|auto using sum_at_most_expectation].
  apply expectation_at_most; [exact HF|]. intros l Hl.
  apply sum_within; auto using term_nonneg.
  intros x _ pos. apply all. specialize (HF x). specialize (mass_nonneg x). nra.
Qed.

Hypothesis same_dec : forall x y : X, {x = y} + {x <> y}.

(** The chance of a point is its mass. *)
Theorem expectation_of_point x : expectation (fun y => if same_dec y x then 1 else 0) = mass x.
Proof.
  set (F y := if same_dec y x then 1 else 0).
  assert (HF : forall y, 0 <= F y <= 1) by (intros y; unfold F; destruct (same_dec y x); lra).
  assert (alone : sum (fun y => mass y * F y) [x] = mass x).
  { simpl. unfold F. destruct (same_dec x x); [lra|congruence]. }
  apply Rle_antisym; rewrite <- alone.
  - apply expectation_at_most; [exact HF|]. intros l Hl.
    apply sum_within; auto using term_nonneg. unfold F. intros y _ pos.
    destruct (same_dec y x); [simpl; auto|lra].
  - apply sum_at_most_expectation; [exact HF|]. repeat constructor. simpl. tauto.
Qed.

Theorem expectation_plus F G : (forall x, 0 <= F x) -> (forall x, 0 <= G x) ->
  (forall x, F x + G x <= 1) ->
  expectation (fun x => F x + G x) = expectation F + expectation G.
Proof.
  intros F_nonneg G_nonneg small.
  assert (ranges : forall x, (0 <= F x <= 1) /\ (0 <= G x <= 1) /\ (0 <= F x + G x <= 1)).
  { intros x. specialize (F_nonneg x). specialize (G_nonneg x). specialize (small x). lra. }
  assert (HF : forall x, 0 <= F x <= 1) by apply ranges.
  assert (HG : forall x, 0 <= G x <= 1) by apply ranges.
  assert (both : forall x, 0 <= F x + G x <= 1) by apply ranges.
  assert (split_sum : forall l, sum (fun x => mass x * (F x + G x)) l
    = sum (fun x => mass x * F x) l + sum (fun x => mass x * G x) l).
  { intros l. rewrite <- sum_plus. apply sum_ext. intros x _. lra. }
  apply Rle_antisym.
  - apply expectation_at_most; [exact both|]. intros l Hl. rewrite split_sum.
    pose proof (sum_at_most_expectation F HF l Hl).
    pose proof (sum_at_most_expectation G HG l Hl). lra.
  - (* Of a set for F and a set for G, the union serves both. *)
    enough (expectation F <= expectation (fun x => F x + G x) - expectation G) by lra.
    apply expectation_at_most; [exact HF|]. intros l Hl.
    enough (expectation G
      <= expectation (fun x => F x + G x) - sum (fun x => mass x * F x) l) by lra.
    apply expectation_at_most; [exact HG|]. intros m Hm.
    pose (union := nodup same_dec (l ++ m)).
    assert (bound := sum_at_most_expectation _ both union (NoDup_nodup _ _)).
    rewrite split_sum in bound.
    assert (sum (fun x => mass x * F x) l <= sum (fun x => mass x * F x) union).
    { apply sum_within; auto using term_nonneg.
      intros x Hx _. apply nodup_In, in_app_iff. auto. }
    assert (sum (fun x => mass x * G x) m <= sum (fun x => mass x * G x) union).
    { apply sum_within; auto using term_nonneg.
      intros x Hx _. apply nodup_In, in_app_iff. auto. }
    lra.
Qed.
End Countable.
