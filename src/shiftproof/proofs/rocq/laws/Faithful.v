(** Upper integrals are integrals: of a continuous function on an interval, Riemann's.

    Without this, laws might be empty: an expectation that is always 0 would let every draw be
    moved for nothing. *)
From Coq Require Import Reals List Lra Lia Classical.
#[local] Set Warnings "-ambiguous-paths".
From Coquelicot Require Import Rcomplements Hierarchy Continuity RInt.
From Shiftproof Require Import Shifts UpperIntegral.
Import ListNotations.
Open Scope R_scope.

(** Cousin's lemma: what holds of small intervals around each point, and of two neighbours
    together, holds of the whole. *)
Lemma cousin (Q : R -> R -> Prop) lo hi : lo <= hi ->
  (forall x, lo <= x <= hi -> exists d, 0 < d /\
     forall u v, lo <= u <= x -> x <= v <= hi -> x - d < u -> v < x + d -> Q u v) ->
  (forall u v w, lo <= u <= v -> v <= w <= hi -> Q u v -> Q v w -> Q u w) -> Q lo hi.
Proof.
  intros lohi near join. apply NNPP. intros none.
  set (E := fun z => lo <= z <= hi /\ Q lo z).
  assert (Elo : E lo).
  { destruct (near lo ltac:(lra)) as (d & Hd & H). split; [lra|]. apply H; lra. }
  destruct (completeness E) as [m [over least]].
  { exists hi. intros z [Hz _]. lra. }
  { now exists lo. }
  assert (Hm : lo <= m <= hi).
  { split; [now apply over|]. apply least. intros z [Hz _]; lra. }
  destruct (near m Hm) as (d & Hd & H).
  (* from any point below [m] and near it, one could go on beyond [m] *)
  enough (m <= m - d) by lra. apply least. intros z [Hz Qz].
  apply Rnot_lt_le. intros close.
  assert (zm : z <= m) by (apply over; split; auto).
  set (w := Rmin hi (m + d / 2)).
  assert (Hw : m <= w <= hi /\ w < m + d) by (unfold w, Rmin; destruct (Rle_dec hi _); lra).
  assert (Qw : Q lo w) by (apply (join lo z w); auto; try lra; apply H; lra).
  assert (w <= m) by (apply over; split; [lra|auto]).
  assert (w = hi) by (unfold w, Rmin in *; destruct (Rle_dec hi (m + d / 2)); lra).
  apply none. congruence.
Qed.

(** What is only a little too large, by as little as one likes, is not. *)
Lemma hardly_above x y k : 0 <= k -> (forall e, 0 < e -> x <= y + e * (1 + k)) -> x <= y.
Proof.
  intros Hk H. apply Rnot_lt_le. intros less. set (e := (x - y) / 2 / (1 + k)).
  assert (He : 0 < e) by (apply Rmult_lt_0_compat; [lra|apply Rinv_0_lt_compat; lra]).
  specialize (H e He). replace (e * (1 + k)) with ((x - y) / 2) in H by (unfold e; field; lra).
  lra.
Qed.

(** * Areas under towers *)

Definition clamp (lo hi x : R) : R := Rmax lo (Rmin hi x).

Lemma clamp_cases lo hi x : lo <= hi ->
  (x < lo /\ clamp lo hi x = lo) \/ (lo <= x <= hi /\ clamp lo hi x = x) \/
  (hi < x /\ clamp lo hi x = hi).
Proof.
  intros H. unfold clamp, Rmax, Rmin. destruct (Rle_dec hi x) as [H1|H1].
  - destruct (Rle_dec lo hi); [|tauto]. destruct (Req_dec x hi); [right; left|]; lra.
  - destruct (Rle_dec lo x); lra.
Qed.

Lemma box_integral lo hi q : lo <= hi -> good q ->
  exists I : R, is_RInt (value q) lo hi I /\ I <= size q /\
            (lo <= left q /\ right q <= hi -> I = size q).
Proof.
  intros lohi [Hc Hq]. set (u := clamp lo hi (left q)). set (v := clamp lo hi (right q)).
  assert (cases := clamp_cases lo hi (left q) lohi).
  assert (cases' := clamp_cases lo hi (right q) lohi). fold u in cases. fold v in cases'.
  assert (flat : forall a b c, a <= b -> (forall x, a < x < b -> value q x = c) ->
                   is_RInt (value q) a b ((b - a) * c)).
  { intros a b c ab H. apply is_RInt_ext with (fun _ => c); [|apply (is_RInt_const a b c)].
    rewrite Rmin_left, Rmax_right by auto. intros x Hx. now rewrite H. }
  exists ((u - lo) * 0 + (v - u) * height q + (hi - v) * 0). split.
  - apply (@is_RInt_Chasles R_NormedModule (value q) lo v hi);
      [apply (@is_RInt_Chasles R_NormedModule (value q) lo u v)|]; apply flat; try lra;
      intros x Hx; (apply value_inside; lra) || (apply value_outside; lra).
  - unfold size. assert (v - u <= right q - left q) by lra. split; [nra|]. intros Hin.
    assert (Eu : u = left q) by lra. assert (Ev : v = right q) by lra. rewrite Eu, Ev. ring.
Qed.

Lemma tower_integral lo hi l : lo <= hi -> Forall good l ->
  exists I : R, is_RInt (tower l) lo hi I /\ I <= area l /\
            (Forall (fun q => lo <= left q /\ right q <= hi) l -> I = area l).
Proof.
  intros lohi. induction 1 as [|q l Hq _ (I & HI & small & exact)].
  - exists ((hi - lo) * 0). split; [apply (is_RInt_const lo hi 0)|unfold area; simpl; lra].
  - destruct (box_integral lo hi q lohi Hq) as (J & HJ & small' & exact'). exists (J + I).
    split; [now apply (@is_RInt_plus R_NormedModule (value q) (tower l))|].
    unfold area in *; simpl. split; [lra|]. intros H. inversion_clear H.
    now rewrite exact, exact'.
Qed.

(** * At least the Riemann integral *)

(** Each list of a cover is widened a little, by less and less. *)
Definition wider (w : R) (q : box) : box := Box (height q) (left q - w) (right q + w).

Definition widening (e : R) (boxes : cover) (n : nat) : R :=
  e * / 2 ^ S n / (2 * (1 + sum height (boxes n))).

Definition widened (e : R) (boxes : cover) (n : nat) : list box :=
  map (wider (widening e boxes n)) (boxes n).

Section Widened.
Variables (e : R) (boxes : cover).
Hypothesis e_pos : 0 < e.
Hypothesis ok : forall n, Forall good (boxes n).

Lemma heights_pos n : 0 <= sum height (boxes n).
Proof. apply sum_pos. eapply Forall_impl; [|apply ok]. now intros q []. Qed.

Lemma widening_pos n : 0 < widening e boxes n.
Proof.
  pose proof (heights_pos n). unfold widening. apply Rmult_lt_0_compat.
  - apply Rmult_lt_0_compat; auto. apply Rinv_0_lt_compat, pow_lt; lra.
  - apply Rinv_0_lt_compat; lra.
Qed.

Lemma wider_good w l : 0 <= w -> Forall good l -> Forall good (map (wider w) l).
Proof.
  intros Hw. induction 1 as [|q l [H1 H2] _ IH]; simpl; constructor; auto.
  split; simpl; lra.
Qed.

Lemma widened_good n : Forall good (widened e boxes n).
Proof. apply wider_good; auto. left; apply widening_pos. Qed.

Lemma wider_area w l : area (map (wider w) l) = area l + 2 * w * sum height l.
Proof. unfold area. induction l; simpl; [lra|]. rewrite IHl. unfold size; simpl. lra. Qed.

Lemma widened_area n : area (upto (widened e boxes) n) <= area (upto boxes n) + e * (1 - / 2 ^ n).
Proof.
  induction n as [|n IH]; simpl upto; [unfold area; simpl; lra|].
  unfold area in *. rewrite !sum_app.
  change (sum size (widened e boxes n)) with (area (widened e boxes n)).
  unfold widened at 2. rewrite wider_area. unfold area.
  pose proof (heights_pos n) as H. set (s := sum height (boxes n)) in *.
  assert (2 * widening e boxes n * s <= e * / 2 ^ S n).
  { unfold widening; fold s.
    replace (2 * (e * / 2 ^ S n / (2 * (1 + s))) * s) with (e * / 2 ^ S n * (s / (1 + s)))
      by (field; split; [apply pow_nonzero|]; lra).
    rewrite <- (Rmult_1_r (e * / 2 ^ S n)) at 2. apply Rmult_le_compat_l.
    - apply Rmult_le_pos; [lra|]. left; apply Rinv_0_lt_compat, pow_lt; lra.
    - apply Rmult_le_reg_r with (1 + s); [lra|].
      replace (s / (1 + s) * (1 + s)) with s by (field; lra). lra. }
  replace (/ 2 ^ n) with (2 * / 2 ^ S n) in IH by (simpl; field; apply pow_nonzero; lra).
  lra.
Qed.

(** Near a point, a widened tower is as high as the tower was at the point. *)
Lemma wider_high w l x y : Forall good l -> Rabs (y - x) <= w ->
  tower l x <= tower (map (wider w) l) y.
Proof.
  intros Hl Hy. apply Rabs_le_between in Hy. unfold tower.
  induction Hl as [|q l Hq _ IH]; simpl; [lra|].
  enough (value q x <= value (wider w q) y) by lra.
  assert (Hw : good (wider w q)) by (destruct Hq; split; simpl; lra).
  pose proof (value_range _ y Hw).
  assert (inside : left q <= x <= right q \/ x < left q \/ right q < x) by lra.
  destruct inside; [rewrite !value_inside by (simpl; lra); simpl; lra|].
  rewrite (value_outside q) by auto. lra.
Qed.

Lemma widened_high n x : exists d, 0 < d /\ forall y, Rabs (y - x) <= d ->
  tower (upto boxes n) x <= tower (upto (widened e boxes) n) y.
Proof.
  induction n as [|n (d & Hd & IH)]; simpl.
  { exists 1; split; [lra|unfold tower; simpl; intros; lra]. }
  exists (Rmin d (widening e boxes n)).
  split; [apply Rmin_pos; auto; apply widening_pos|]. intros y Hy.
  pose proof (Rmin_l d (widening e boxes n)). pose proof (Rmin_r d (widening e boxes n)).
  pose proof (wider_high (widening e boxes n) (boxes n) x y (ok n) ltac:(lra)) as last.
  fold (widened e boxes n) in last.
  specialize (IH y ltac:(lra)). unfold tower in *. rewrite !sum_app. lra.
Qed.
End Widened.

(** Near [x], [phi] is hardly higher than there. *)
Definition no_jump_up (phi : R -> R) (x : R) := forall e, 0 < e ->
  exists d, 0 < d /\ forall y, Rabs (y - x) < d -> phi y <= phi x + e.

Lemma continuous_no_jump_up phi x : continuous phi x -> no_jump_up phi x.
Proof.
  intros cont e He.
  destruct (proj1 (filterlim_locally phi (phi x)) cont (mkposreal e He)) as [d close].
  exists d. split; [apply cond_pos|]. intros y Hy. specialize (close y Hy).
  apply Rabs_lt_between in close. simpl in close.
  unfold minus, plus, opp in close; simpl in close. lra.
Qed.

Lemma tower_no_jump_up l x : Forall good l -> no_jump_up (tower l) x.
Proof.
  intros Hl e He. induction Hl as [|q l [Hq _] _ (d & Hd & IH)].
  { exists 1. split; [lra|]. unfold tower; simpl; intros; lra. }
  (* a box that is away from [x] stays away, one that is over [x] is not higher elsewhere *)
  assert (away : exists d', 0 < d' /\ forall y, Rabs (y - x) < d' -> value q y <= value q x).
  { assert (cases : left q <= x <= right q \/ x < left q \/ right q < x) by lra.
    destruct cases as [inside|[before|behind]].
    - exists 1. split; [lra|]. intros y _. rewrite (value_inside q x) by auto.
      assert (cases : left q <= y <= right q \/ y < left q \/ right q < y) by lra.
      destruct cases; [rewrite value_inside by auto|rewrite value_outside by auto]; lra.
    - exists (left q - x). split; [lra|]. intros y Hy. apply Rabs_lt_between in Hy.
      rewrite !value_outside by lra. lra.
    - exists (x - right q). split; [lra|]. intros y Hy. apply Rabs_lt_between in Hy.
      rewrite !value_outside by lra. lra. }
  destruct away as (d' & Hd' & away). exists (Rmin d d').
  split; [now apply Rmin_pos|]. intros y Hy.
  pose proof (Rmin_l d d'). pose proof (Rmin_r d d').
  specialize (IH y ltac:(lra)). specialize (away y ltac:(lra)). unfold tower in *; simpl. lra.
Qed.

Theorem fits_above phi lo hi I g B : lo <= hi ->
  (forall x, lo <= x <= hi -> no_jump_up phi x) -> is_RInt phi lo hi I ->
  (forall x, lo <= x <= hi -> phi x <= g x) -> fits g B -> I <= B.
Proof.
  intros lohi cont HI below (boxes & ok & over & small).
  (* some beginning of the widened cover is high enough everywhere, but for [e] *)
  assert (finite : forall e, 0 < e -> exists n, forall y, lo <= y <= hi ->
    phi y <= tower (upto (widened e boxes) n) y + e).
  { intros e He. pose proof (widened_good e boxes He ok) as ok'.
    apply (cousin (fun u v => exists n, forall y, u <= y <= v ->
      phi y <= tower (upto (widened e boxes) n) y + e)); auto.
    - intros x Hx. destruct (over x) as [n Hn]. specialize (below x Hx).
      destruct (widened_high e boxes He ok n x) as (d & Hd & high).
      destruct (cont x Hx e He) as (d' & Hd' & close).
      exists (Rmin d d'). split; [now apply Rmin_pos|].
      intros u v Hu Hv Hu' Hv'. exists n. intros y Hy.
      pose proof (Rmin_l d d'). pose proof (Rmin_r d d').
      assert (near : Rabs (y - x) < d /\ Rabs (y - x) < d')
        by (split; apply Rabs_lt_between; lra).
      specialize (high y ltac:(lra)). specialize (close y ltac:(apply near)). lra.
    - intros u v w Hv Hw [n Hn] [n' Hn']. exists (max n n'). intros y Hy.
      pose proof (upto_grows _ n (max n n') y ok' ltac:(lia)).
      pose proof (upto_grows _ n' (max n n') y ok' ltac:(lia)).
      destruct (Rle_dec y v); [specialize (Hn y ltac:(lra))|specialize (Hn' y ltac:(lra))]; lra. }
  apply (hardly_above I B (hi - lo)); [lra|]. intros e He. destruct (finite e He) as [n Hn].
  destruct (tower_integral lo hi (upto (widened e boxes) n) lohi) as (J & HJ & HJ' & _).
  { apply upto_good. now apply widened_good. }
  pose proof (widened_area e boxes He ok n) as area_le. specialize (small n).
  assert (0 < / 2 ^ n) by (apply Rinv_0_lt_compat, pow_lt; lra).
  assert (I <= J + (hi - lo) * e); [|nra].
  apply (is_RInt_le phi (fun x => tower (upto (widened e boxes) n) x + e) lo hi); auto.
  - apply (@is_RInt_plus R_NormedModule (tower _) (fun _ => e)); auto.
    apply (is_RInt_const lo hi e).
  - intros x Hx. apply Hn. lra.
Qed.
