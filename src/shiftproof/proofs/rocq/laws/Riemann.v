(** The upper integral of a continuous function on an interval is Riemann's, and upper integrals
    are sums of what is on either side of a point. *)
From Coq Require Import Reals List Lra Lia.
#[local] Set Warnings "-ambiguous-paths".
From Coquelicot Require Import Rcomplements Hierarchy Continuity RInt RInt_analysis.
From Shiftproof Require Import Shifts UpperIntegral Faithful.
Import ListNotations.
Open Scope R_scope.

(** * Lengths of intervals *)

Theorem upper_interval a b : a <= b -> upper (value (Box 1 a b)) = b - a.
Proof.
  intros ab. assert (Hq : good (Box 1 a b)) by (split; simpl; lra).
  assert (H : fits (value (Box 1 a b)) (b - a)).
  { apply (fits_below _ (tower [Box 1 a b]) (area [Box 1 a b])).
    - unfold area, size; simpl; lra.
    - intros x. unfold tower; simpl; lra.
    - apply fits_tower. now constructor. }
  destruct (upper_greatest _ _ H) as [low most]. apply Rle_antisym; [now apply low|].
  apply most. intros C. apply (fits_above (fun _ => 1) a b); auto.
  - intros x _. apply continuous_no_jump_up, continuous_const.
  - replace (b - a) with ((b - a) * 1) by ring. apply (is_RInt_const a b 1).
  - intros x Hx. rewrite value_inside; simpl; lra.
Qed.

(** * Riemann integrals *)

Lemma upper_above phi lo hi I g C : lo <= hi ->
  (forall x, lo <= x <= hi -> no_jump_up phi x) -> is_RInt phi lo hi I ->
  (forall x, lo <= x <= hi -> phi x <= g x) -> fits g C -> I <= upper g.
Proof.
  intros lohi jump HI below HC. destruct (upper_greatest g C HC) as [_ most].
  apply most. intros B. now apply (fits_above phi lo hi).
Qed.

(** Darboux: boxes over small intervals, hardly higher than the function there. *)
Lemma boxes_above phi lo hi e : lo <= hi -> 0 < e -> (forall x, lo <= x <= hi -> 0 <= phi x) ->
  (forall x, lo <= x <= hi -> continuous phi x) ->
  exists l, Forall good l /\ (forall x, lo <= x <= hi -> phi x <= tower l x) /\
            area l <= RInt phi lo hi + e * (hi - lo).
Proof.
  intros lohi He pos cont.
  assert (integrable : forall u v, lo <= u <= v -> v <= hi -> ex_RInt phi u v).
  { intros u v Hu Hv. apply (@ex_RInt_continuous R_CompleteNormedModule). intros z.
    rewrite Rmin_left, Rmax_right by lra. intros Hz. apply cont. lra. }
  apply (cousin (fun u v => exists l, Forall good l /\
    (forall x, u <= x <= v -> phi x <= tower l x) /\
    area l <= RInt phi u v + e * (v - u))); auto.
  - intros x Hx. assert (He' : 0 < e / 2) by lra.
    destruct (proj1 (filterlim_locally phi (phi x)) (cont x Hx) (mkposreal _ He'))
      as [d close].
    exists d. split; [apply cond_pos|]. intros u v Hu Hv Hu' Hv'.
    assert (near : forall y, u <= y <= v -> phi x - e / 2 <= phi y <= phi x + e / 2).
    { intros y Hy. assert (Hyx : Rabs (y - x) < d) by (apply Rabs_lt_between; lra).
      specialize (close y Hyx). apply Rabs_lt_between in close. simpl in close.
      unfold minus, plus, opp in close; simpl in close. lra. }
    exists [Box (phi x + e / 2) u v]. specialize (pos x Hx). repeat split.
    + constructor; [split; simpl; lra|constructor].
    + intros y Hy. unfold tower; simpl. rewrite value_inside by (simpl; lra).
      specialize (near y Hy). simpl; lra.
    + unfold area, size; simpl.
      enough ((v - u) * (phi x - e / 2) <= RInt phi u v) by lra.
      apply (is_RInt_le (fun _ => phi x - e / 2) phi u v); [lra| | |].
      * apply (is_RInt_const u v (phi x - e / 2)).
      * apply (@RInt_correct R_CompleteNormedModule). apply integrable; lra.
      * intros y Hy. apply near; lra.
  - intros u v w Hv Hw (l & ok & over & small) (l' & ok' & over' & small').
    exists (l ++ l'). repeat split; [now apply Forall_app| |].
    + intros x Hx. unfold tower. rewrite sum_app.
      pose proof (tower_pos l x ok). pose proof (tower_pos l' x ok'). unfold tower in *.
      destruct (Rle_dec x v);
        [specialize (over x ltac:(lra))|specialize (over' x ltac:(lra))]; lra.
    + assert (E : RInt phi u v + RInt phi v w = RInt phi u w)
        by (apply (@RInt_Chasles R_CompleteNormedModule); apply integrable; lra).
      unfold area in *. rewrite sum_app. lra.
Qed.

(** On an interval, the upper integral of a continuous function is the integral. *)
Theorem upper_riemann phi lo hi g : lo <= hi ->
  (forall x, lo <= x <= hi -> continuous phi x) ->
  (forall x, lo <= x <= hi -> 0 <= phi x /\ g x = phi x) ->
  (forall x, x < lo \/ hi < x -> g x <= 0) -> upper g = RInt phi lo hi.
Proof.
  intros lohi cont same out.
  assert (fit : forall e, 0 < e -> fits g (RInt phi lo hi + e * (hi - lo))).
  { intros e He. destruct (boxes_above phi lo hi e) as (l & ok & over & small); auto.
    { intros x Hx. now apply same. }
    apply (fits_below _ (tower l) (area l)); auto using fits_tower. intros x.
    assert (cases : lo <= x <= hi \/ x < lo \/ hi < x) by lra. destruct cases as [Hx|Hx].
    - destruct (same x Hx) as [_ ->]. auto.
    - specialize (out x Hx). pose proof (tower_pos l x ok). lra. }
  apply Rle_antisym.
  - apply (hardly_above _ _ (hi - lo)); [lra|]. intros e He.
    destruct (upper_greatest g _ (fit e He)) as [low _]. specialize (low _ (fit e He)). nra.
  - apply (upper_above phi lo hi _ g (RInt phi lo hi + 1 * (hi - lo))); auto using Rlt_0_1.
    + intros x Hx. now apply continuous_no_jump_up, cont.
    + apply (@RInt_correct R_CompleteNormedModule).
      apply (@ex_RInt_continuous R_CompleteNormedModule). intros z.
      rewrite Rmin_left, Rmax_right by lra. auto.
    + intros x Hx. destruct (same x Hx) as [_ ->]. lra.
Qed.

(** * Either side of a point *)

Definition before (t : R) (g : R -> R) (x : R) : R := if Rle_dec x t then g x else 0.
Definition after (t : R) (g : R -> R) (x : R) : R := if Rle_dec t x then g x else 0.

Definition box_before (t : R) (q : box) : box :=
  Box (height q) (Rmin (left q) t) (Rmin (right q) t).
Definition box_after (t : R) (q : box) : box :=
  Box (height q) (Rmax (left q) t) (Rmax (right q) t).

Lemma upto_map f boxes n : upto (fun k => map f (boxes k)) n = map f (upto boxes n).
Proof. induction n as [|n IH]; simpl; [auto|]. now rewrite map_app, IH. Qed.

Lemma area_grows boxes m n : (forall k, Forall good (boxes k)) -> (m <= n)%nat ->
  area (upto boxes m) <= area (upto boxes n).
Proof.
  intros ok. induction 1 as [|n _ IH]; simpl; [lra|]. unfold area in *. rewrite sum_app.
  pose proof (area_pos _ (ok n)). unfold area in *. lra.
Qed.

(** A cover whose boxes are changed so that they still cover [g], with its least area. *)
Lemma fits_changed f boxes g B : (forall n, Forall good (boxes n)) ->
  (forall q, good q -> good (f q) /\ size (f q) <= size q) ->
  (forall x, g x <= 0 \/ (exists n, g x <= tower (upto boxes n) x) /\
     forall q, good q -> value q x <= value (f q) x) ->
  (forall n, area (upto boxes n) <= B) ->
  exists C, fits g C /\ (forall n, area (map f (upto boxes n)) <= C) /\
            forall D, (forall n, area (map f (upto boxes n)) <= D) -> C <= D.
Proof.
  intros ok change over small.
  assert (less : forall l, Forall good l -> area (map f l) <= area l).
  { induction 1 as [|q l Hq _ IH]; unfold area in *; simpl; [lra|].
    destruct (change q Hq). lra. }
  set (areas := fun r => exists n, r = area (map f (upto boxes n))).
  destruct (completeness areas) as [C [up least]].
  { exists B. intros r [n ->]. specialize (less _ (upto_good _ n ok)). specialize (small n).
    lra. }
  { now exists (area (map f (upto boxes 0))), 0%nat. }
  assert (all : forall n, area (map f (upto boxes n)) <= C) by (intros n; apply up; now exists n).
  exists C. repeat split; auto.
  2: { intros D HD. apply least. intros r [n ->]. auto. }
  exists (fun n => map f (boxes n)). repeat split.
  - intros n. apply Forall_map. eapply Forall_impl; [|apply ok]. intros q Hq.
    now apply change.
  - intros x. destruct (over x) as [none|[[n Hn] higher]]; [now exists 0%nat|]. exists n.
    apply Rle_trans with (1 := Hn). rewrite upto_map. clear Hn.
    induction (upto_good _ n ok) as [|q l Hq _ IH]; unfold tower in *; simpl; [lra|].
    specialize (higher q Hq). lra.
  - intros n. rewrite upto_map. auto.
Qed.

Theorem fits_split t g B : fits g B ->
  exists C D, fits (before t g) C /\ fits (after t g) D /\ C + D <= B.
Proof.
  intros (boxes & ok & over & small).
  assert (sizes : forall q, size (box_before t q) + size (box_after t q) = size q).
  { intros q. unfold size; simpl. unfold Rmin, Rmax.
    destruct (Rle_dec (left q) t), (Rle_dec (right q) t); ring. }
  assert (good1 : forall q, good q -> good (box_before t q)).
  { intros q [H1 H2]. split; simpl; auto. unfold Rmin.
    destruct (Rle_dec (left q) t), (Rle_dec (right q) t); lra. }
  assert (good2 : forall q, good q -> good (box_after t q)).
  { intros q [H1 H2]. split; simpl; auto. unfold Rmax.
    destruct (Rle_dec (left q) t), (Rle_dec (right q) t); lra. }
  destruct (fits_changed (box_before t) boxes (before t g) B) as (C & HC & upC & leastC); auto.
  { intros q Hq. specialize (sizes q). pose proof (size_pos _ (good2 q Hq)).
    split; [auto|lra]. }
  { intros x. unfold before. destruct (Rle_dec x t) as [Hx|]; [right; split; auto|left; lra].
    intros q Hq. pose proof (value_range _ x (good1 q Hq)) as range.
    assert (cases : left q <= x <= right q \/ x < left q \/ right q < x) by lra.
    destruct cases as [Hin|Hout]; [|now rewrite value_outside].
    rewrite !value_inside; simpl; auto; [lra|]. unfold Rmin.
    destruct (Rle_dec (left q) t), (Rle_dec (right q) t); lra. }
  destruct (fits_changed (box_after t) boxes (after t g) B) as (D & HD & upD & leastD); auto.
  { intros q Hq. specialize (sizes q). pose proof (size_pos _ (good1 q Hq)).
    split; [auto|lra]. }
  { intros x. unfold after. destruct (Rle_dec t x) as [Hx|]; [right; split; auto|left; lra].
    intros q Hq. pose proof (value_range _ x (good2 q Hq)) as range.
    assert (cases : left q <= x <= right q \/ x < left q \/ right q < x) by lra.
    destruct cases as [Hin|Hout]; [|now rewrite value_outside].
    rewrite !value_inside; simpl; auto; [lra|]. unfold Rmax.
    destruct (Rle_dec (left q) t), (Rle_dec (right q) t); lra. }
  exists C, D. repeat split; auto.
  (* both areas grow, and together they are what the cover's is *)
  assert (sum_of : forall m n,
    area (map (box_before t) (upto boxes m)) + area (map (box_after t) (upto boxes n)) <= B).
  { intros m n. apply Rle_trans with (area (upto boxes (max m n))); [|auto].
    assert (E : forall l, area l = area (map (box_before t) l) + area (map (box_after t) l)).
    { induction l as [|q l IH]; unfold area in *; simpl; [lra|]. rewrite IH, <- sizes. ring. }
    rewrite (E (upto boxes (max m n))). rewrite <- !upto_map.
    apply Rplus_le_compat; apply area_grows; try lia; intros k;
      apply Forall_map; eapply Forall_impl; try apply ok; simpl; auto. }
  enough (D <= B - C) by lra. apply leastD. intros n.
  enough (C <= B - area (map (box_after t) (upto boxes n))) by lra. apply leastC. intros m.
  specialize (sum_of m n). lra.
Qed.
