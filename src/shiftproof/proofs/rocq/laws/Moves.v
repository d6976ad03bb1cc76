(** Moved in pieces, an upper integral does not grow.

    A box is moved back piece by piece.  What a piece of the support makes of it is a convex
    part of the box; the map is one to one, so these parts do not meet, and together they are
    at most as wide as the box.  They need not be closed, and piece and support need not be
    anything but convex: each part is taken from its infimum to its supremum. *)
From Coq Require Import Reals List Lra Lia.
#[local] Set Warnings "-ambiguous-paths".
From Coquelicot Require Import Rbar Lub.
From Shiftproof Require Import Shifts UpperIntegral.
Import ListNotations.
Open Scope R_scope.

(** Between [low] and [high]; [piece_of] is the number of the part. *)
Record span := Span { low : R; high : R; piece_of : nat }.
Definition width (s : span) : R := high s - low s.

(** Parts that do not meet, [0 <= k < n], are spanned within the interval they are in. *)
Lemma spans (part : nat -> R -> Prop) :
  (forall k, convex (part k)) -> (forall j k y, part j y -> part k y -> j = k) ->
  forall n a b, a <= b -> { l : list span |
    Forall (fun s => low s <= high s) l /\ sum width l <= b - a /\
    forall k y, (k < n)%nat -> part k y -> a <= y <= b ->
      exists s, In s l /\ piece_of s = k /\ low s <= y <= high s }.
Proof.
  intros conv apart. induction n as [|n IH]; intros a b ab.
  { exists []. simpl. repeat split; [constructor|lra|lia]. }
  set (E := fun y => part n y /\ a <= y <= b).
  destruct (Glb_Rbar_correct E) as [under most], (Lub_Rbar_correct E) as [over least].
  (* a number of the last part, or of an earlier one *)
  assert (last : forall k, (k < S n)%nat -> k = n \/ (k < n)%nat) by lia.
  destruct (Lub_Rbar E) as [v| |].
  2: { exfalso. apply (least (Finite b)). intros y [_ Hy]. simpl; lra. }
  2: { (* no such part here *)
    destruct (IH a b ab) as (l & ok & small & all). exists l. repeat split; auto.
    intros k y Hk Hy Hab. destruct (last k Hk) as [->|Hk']; [|eauto].
    destruct (over y). split; auto. }
  destruct (Glb_Rbar E) as [u| |].
  2: { exfalso. enough (v <= v - 1) by lra. apply (least (Finite (v - 1))).
       intros y Hy. destruct (under y Hy). }
  2: { exfalso. apply (most (Finite a)). intros y [_ Hy]. simpl; lra. }
  unfold is_lb_Rbar, is_ub_Rbar in *; simpl in under, over.
  assert (Hu : a <= u) by (apply (most (Finite a)); intros y [_ Hy]; simpl; lra).
  assert (Hv : v <= b) by (apply (least (Finite b)); intros y [_ Hy]; simpl; lra).
  assert (uv : u <= v).
  { apply Rnot_lt_le; intros vu. enough (v <= v - 1) by lra.
    apply (least (Finite (v - 1))). intros y Hy. specialize (under y Hy). specialize (over y Hy).
    simpl in *; lra. }
  destruct (IH a u Hu) as (l & ok & small & all), (IH v b Hv) as (l' & ok' & small' & all').
  exists (Span u v n :: l ++ l'). repeat split.
  - constructor; [exact uv|]. now apply Forall_app.
  - simpl. rewrite sum_app. unfold width at 1; simpl. lra.
  - intros k y Hk Hy Hab. simpl. destruct (last k Hk) as [->|Hk'].
    { exists (Span u v n). assert (Ey : E y) by (split; auto).
      specialize (under y Ey); specialize (over y Ey). simpl in *; auto. }
    destruct (Rle_dec y u) as [Hyu|Hyu].
    { destruct (all k y Hk' Hy ltac:(lra)) as (s & Hs & H). exists s. rewrite in_app_iff; auto. }
    destruct (Rle_dec v y) as [Hvy|Hvy].
    { destruct (all' k y Hk' Hy ltac:(lra)) as (s & Hs & H). exists s. rewrite in_app_iff; auto. }
    (* strictly in between, [y] would be in both parts *)
    exfalso. apply Hyu, (most (Finite y)). intros y1 [H1 _]; simpl.
    apply Rnot_lt_le; intros H1y. apply Hvy, (least (Finite y)). intros y2 [H2 _]; simpl.
    apply Rnot_lt_le; intros Hy2. enough (k = n) by lia.
    apply (apart k n y); auto. apply (conv n y1 y y2); auto; lra.
Qed.

Section Moved.
Variables (A : R -> Prop) (T : R -> R).
Hypothesis A_convex : convex A.
Hypothesis T_by_pieces : by_pieces T.
Hypothesis T_one_to_one : one_to_one A T.

(** The boxes over the points that [T] moves into a box. *)
Lemma moved_back n number move K : 0 <= K -> numbered T n number move ->
  forall q, { l : list box | good q ->
    (Forall good l /\ area l <= K * size q) /\
    forall x, A x -> K * value q (T x) <= tower l x }.
Proof.
  intros HK [below pieces moves] q.
  destruct (Rle_dec (left q) (right q)) as [lr|bad].
  2: { exists []. intros [_ Hq]. tauto. }
  destruct (spans (fun k y => number (y - move k) = k /\ A (y - move k))) with
    (n := n) (a := left q) (b := right q) as (l & ok & small & all); auto.
  { intros k. apply convex_and; [apply (convex_moved (fun x => number x = k))|]; auto.
    now apply convex_moved. }
  { intros j k y [Hj Aj] [Hk Ak]. rewrite <- Hj, <- Hk. f_equal.
    apply T_one_to_one; auto. rewrite !moves, Hj, Hk. ring. }
  set (back := fun s => let d := move (piece_of s) in
                        Box (K * height q) (low s - d) (high s - d)).
  exists (map back l). intros Hq. assert (Kq : 0 <= K * height q) by (destruct Hq; nra).
  assert (ok' : Forall good (map back l)).
  { clear all small. induction ok as [|s l Hs _ IH]; simpl; constructor; auto.
    split; simpl; lra. }
  split; [split; auto|].
  - unfold size at 1. rewrite <- Rmult_assoc.
    apply Rle_trans with (K * height q * sum width l); [|now apply Rmult_le_compat_l].
    clear. induction l as [|s l IH]; unfold area, width, size in *; simpl; lra.
  - intros x Ax.
    assert (inside : left q <= T x <= right q \/ T x < left q \/ right q < T x) by lra.
    destruct inside as [inside|outside].
    2: { rewrite value_outside by auto. rewrite Rmult_0_r. now apply tower_pos. }
    destruct (all (number x) (T x)) as (s & Hs & Es & Hy); auto.
    { replace (T x - move (number x)) with x by (rewrite moves; ring). auto. }
    rewrite value_inside by auto.
    apply Rle_trans with (value (back s) x); [|apply tower_has; auto; now apply in_map].
    rewrite value_inside; simpl; [lra|]. rewrite Es. rewrite moves in Hy. lra.
Qed.

Theorem fits_moved K g h B : 0 <= K -> (forall x, g x <= 0 \/ A x /\ g x <= K * h (T x)) ->
  fits h B -> fits g (K * B).
Proof.
  intros HK E. destruct (by_pieces_numbered T T_by_pieces) as (n & number & move & HT).
  apply (fits_rebuilt (fun q => proj1_sig (moved_back n number move K HK HT q))); auto.
  - intros q Hq. now destruct (moved_back n number move K HK HT q) as [l H]; apply H.
  - intros x. destruct (E x) as [H|[Ax H]]; [now left|right]. exists (T x). split; [auto|].
    intros q Hq. destruct (moved_back n number move K HK HT q) as [l Hl]. now apply Hl.
Qed.
End Moved.
