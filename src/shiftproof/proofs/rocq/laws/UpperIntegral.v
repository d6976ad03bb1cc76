(** The upper Lebesgue integral, by countable covers with boxes.

    A box is a height over a closed interval.  The upper integral of [g] is the least area, in
    the limit, of countably many boxes that together are at least as high as [g] at each point.
    For measurable [g >= 0] this is the Lebesgue integral (files [Riemann] and [Expectations]
    show it for continuous ones).  Nothing here needs measurable functions: the upper integral
    is monotone, it scales, and it does not grow when finitely many pieces of [g] are moved
    apart, and that is all that alignments ask of an expectation. *)
From Coq Require Import Reals List Lra Lia.
#[local] Set Warnings "-ambiguous-paths".
From Coquelicot Require Import Rbar Lub.
From Shiftproof Require Import Shifts.
Import ListNotations.
Open Scope R_scope.

Record box := Box { height : R; left : R; right : R }.
Definition good (q : box) := 0 <= height q /\ left q <= right q.
Definition value (q : box) (x : R) : R :=
  if Rle_dec (left q) x then if Rle_dec x (right q) then height q else 0 else 0.
Definition size (q : box) : R := height q * (right q - left q).

Lemma value_inside q x : left q <= x <= right q -> value q x = height q.
Proof.
  intros H. unfold value. destruct (Rle_dec (left q) x), (Rle_dec x (right q)); lra.
Qed.

Lemma value_outside q x : x < left q \/ right q < x -> value q x = 0.
Proof.
  intros H. unfold value. destruct (Rle_dec (left q) x), (Rle_dec x (right q)); lra.
Qed.

Lemma value_range q x : good q -> 0 <= value q x <= height q.
Proof.
  intros [H _]. unfold value. destruct (Rle_dec (left q) x), (Rle_dec x (right q)); lra.
Qed.

Lemma size_pos q : good q -> 0 <= size q.
Proof. unfold good, size. intros H; apply Rmult_le_pos; lra. Qed.

(** * Sums over lists of boxes *)

Fixpoint sum {X} (f : X -> R) (l : list X) : R :=
  match l with [] => 0 | x :: l => f x + sum f l end.

Lemma sum_app {X} (f : X -> R) l m : sum f (l ++ m) = sum f l + sum f m.
Proof. induction l; simpl; lra. Qed.

Lemma sum_pos {X} (f : X -> R) l : Forall (fun x => 0 <= f x) l -> 0 <= sum f l.
Proof. induction 1; simpl; lra. Qed.

Lemma sum_has {X} (f : X -> R) l x : Forall (fun x => 0 <= f x) l -> In x l -> f x <= sum f l.
Proof.
  induction 1 as [|y l Hy Hl IH]; simpl; [tauto|].
  intros [->|H]; [pose proof (sum_pos f l Hl); lra|specialize (IH H); lra].
Qed.

Definition tower (l : list box) (x : R) : R := sum (fun q => value q x) l.
Definition area (l : list box) : R := sum size l.

Lemma tower_pos l x : Forall good l -> 0 <= tower l x.
Proof.
  intros H. apply sum_pos. eapply Forall_impl; [|exact H]. intros q Hq. now apply value_range.
Qed.

Lemma tower_has l x q : Forall good l -> In q l -> value q x <= tower l x.
Proof.
  intros H. apply (sum_has (fun q => value q x)).
  eapply Forall_impl; [|exact H]. intros p Hp. now apply value_range.
Qed.

Lemma area_pos l : Forall good l -> 0 <= area l.
Proof. intros H. apply sum_pos. eapply Forall_impl; [|exact H]. exact size_pos. Qed.

(** * Covers: lists of boxes, one after the other *)

Definition cover := nat -> list box.

Fixpoint upto (boxes : cover) (n : nat) : list box :=
  match n with O => [] | S m => upto boxes m ++ boxes m end.

Lemma upto_good boxes n : (forall k, Forall good (boxes k)) -> Forall good (upto boxes n).
Proof. intros H; induction n; simpl; [constructor|]. apply Forall_app; auto. Qed.

Lemma upto_grows boxes m n x : (forall k, Forall good (boxes k)) -> (m <= n)%nat ->
  tower (upto boxes m) x <= tower (upto boxes n) x.
Proof.
  intros H. induction 1 as [|n _ IH]; simpl; [lra|]. unfold tower in *. rewrite sum_app.
  pose proof (tower_pos (boxes n) x (H n)). unfold tower in *. lra.
Qed.

(** [g] has a cover whose area is at most [B], however far it is followed. *)
Definition fits (g : R -> R) (B : R) := exists boxes : cover,
  (forall n, Forall good (boxes n)) /\
  (forall x, exists n, g x <= tower (upto boxes n) x) /\
  (forall n, area (upto boxes n) <= B).

(** For functions that have a cover of finite area. *)
Definition upper (g : R -> R) : R := real (Glb_Rbar (fits g)).

Lemma fits_pos g B : fits g B -> 0 <= B.
Proof. intros (boxes & _ & _ & H). exact (H 0%nat). Qed.

Lemma upper_greatest g B : fits g B ->
  (forall C, fits g C -> upper g <= C) /\
  (forall m, (forall C, fits g C -> m <= C) -> m <= upper g).
Proof.
  intros HB. unfold upper. destruct (Glb_Rbar_correct (fits g)) as [low most].
  assert (H0 : Rbar_le 0 (Glb_Rbar (fits g))) by (apply most; intros C; apply fits_pos).
  assert (HB' := low B HB).
  destruct (Glb_Rbar (fits g)) as [r| |]; simpl in *; [|tauto|tauto].
  split; [exact low|]. intros m Hm. exact (most m Hm).
Qed.

(** * Rules *)

Lemma fits_nothing g B : 0 <= B -> (forall x, g x <= 0) -> fits g B.
Proof.
  intros HB H. exists (fun _ => []). repeat split; [constructor|intros x; now exists 0%nat|].
  assert (E : forall n, upto (fun _ => []) n = []) by (induction n; simpl; now rewrite ?IHn).
  intros n. now rewrite E.
Qed.

Lemma fits_below g h B C : B <= C -> (forall x, g x <= h x) -> fits h B -> fits g C.
Proof.
  intros HC H (boxes & ok & over & small). exists boxes; repeat split; auto.
  - intros x. destruct (over x) as [n Hn]. exists n. specialize (H x); lra.
  - intros n. specialize (small n); lra.
Qed.

(** Finitely many boxes fit into their own area. *)
Lemma fits_tower l : Forall good l -> fits (tower l) (area l).
Proof.
  intros Hl. exists (fun n => match n with O => l | S _ => [] end). repeat split.
  - intros [|n]; auto.
  - intros x. exists 1%nat. simpl. lra.
  - intros [|n]; [now apply area_pos|]. right.
    induction n as [|n IH]; [reflexivity|]. simpl in *. now rewrite app_nil_r.
Qed.

Lemma upto_both boxes boxes' n : forall f : box -> R,
  sum f (upto (fun k => boxes k ++ boxes' k) n) = sum f (upto boxes n) + sum f (upto boxes' n).
Proof. induction n as [|n IH]; intros f; simpl; [lra|]. rewrite !sum_app, IH. lra. Qed.

Lemma fits_sum f g h B C : (forall x, f x <= g x + h x) -> fits g B -> fits h C ->
  fits f (B + C).
Proof.
  intros E (boxes & ok & over & small) (boxes' & ok' & over' & small').
  exists (fun n => boxes n ++ boxes' n); repeat split.
  - intros n. apply Forall_app; auto.
  - intros x. destruct (over x) as [n Hn], (over' x) as [n' Hn']. exists (max n n').
    unfold tower. rewrite upto_both. specialize (E x).
    pose proof (upto_grows boxes n (max n n') x ok ltac:(lia)).
    pose proof (upto_grows boxes' n' (max n n') x ok' ltac:(lia)).
    unfold tower in *. lra.
  - intros n. unfold area. rewrite upto_both. specialize (small n). specialize (small' n).
    unfold area in *. lra.
Qed.

(** Each box of a cover of [h] is rebuilt as boxes of at most [K] times its area.  They cover
    [g], where each [x] with [g x > 0] has a [y] whose boxes are rebuilt over [x]. *)
Lemma fits_rebuilt (rebuilt : box -> list box) K g h B :
  (forall q, good q -> Forall good (rebuilt q) /\ area (rebuilt q) <= K * size q) ->
  (forall x, g x <= 0 \/ exists y, g x <= K * h y /\
     forall q, good q -> K * value q y <= tower (rebuilt q) x) ->
  0 <= K -> fits h B -> fits g (K * B).
Proof.
  intros back reach HK (boxes & ok & over & small).
  exists (fun n => flat_map rebuilt (boxes n)).
  assert (E : forall n, upto (fun n => flat_map rebuilt (boxes n)) n
                        = flat_map rebuilt (upto boxes n)).
  { induction n as [|n IH]; simpl; [auto|]. now rewrite flat_map_app, IH. }
  assert (ok' : forall l, Forall good l -> Forall good (flat_map rebuilt l)).
  { induction 1; simpl; [constructor|]. apply Forall_app; split; auto. now apply back. }
  repeat split; auto.
  - intros x. destruct (reach x) as [H|(y & H & above)]; [now exists 0%nat|].
    destruct (over y) as [n Hn]. exists n. rewrite E.
    apply Rle_trans with (K * tower (upto boxes n) y); [nra|]. clear Hn.
    induction (upto_good boxes n ok) as [|q l Hq _ IH]; unfold tower in *; simpl; [lra|].
    rewrite sum_app. specialize (above q Hq). lra.
  - intros n. rewrite E. specialize (small n).
    apply Rle_trans with (K * area (upto boxes n)); [|nra]. clear small.
    induction (upto_good boxes n ok) as [|q l Hq _ IH]; unfold area in *; simpl; [lra|].
    rewrite sum_app. destruct (back q Hq). lra.
Qed.

Lemma fits_mirror g h B : (forall x, g x <= h (- x)) -> fits h B -> fits g B.
Proof.
  intros E HB. replace B with (1 * B) by ring.
  apply (fits_rebuilt (fun q => [Box (height q) (- right q) (- left q)])) with h; auto; [| |lra].
  - intros q [H1 H2]. split; [|unfold area, size; simpl; lra].
    constructor; [split; simpl; lra|constructor].
  - intros x. right. exists (- x). split; [specialize (E x); lra|]. intros q Hq.
    unfold tower; simpl.
    destruct (Rle_dec (left q) (- x)); [destruct (Rle_dec (- x) (right q))|].
    + rewrite !value_inside by (simpl; lra). simpl; lra.
    + rewrite !value_outside by (simpl; lra). lra.
    + rewrite !value_outside by (simpl; lra). lra.
Qed.

Lemma fits_scaled K g h B : 0 <= K -> (forall x, g x <= K * h x) -> fits h B -> fits g (K * B).
Proof.
  intros HK E HB.
  apply (fits_rebuilt (fun q => [Box (K * height q) (left q) (right q)])) with h; auto.
  - intros q [H1 H2]. split; [|unfold area, size; simpl; lra].
    constructor; [split; simpl; nra|constructor].
  - intros x. right. exists x. split; [auto|]. intros q Hq. unfold tower, value; simpl.
    destruct (Rle_dec (left q) x), (Rle_dec x (right q)); lra.
Qed.

(** What is said of all covers holds of the upper integrals. *)
Lemma upper_le K g h B : 0 <= K -> fits h B -> (forall C, fits h C -> fits g (K * C)) ->
  upper g <= K * upper h.
Proof.
  intros HK HB H. destruct (upper_greatest h B HB) as [_ most].
  destruct (upper_greatest g (K * B) (H B HB)) as [low _].
  destruct (Req_dec K 0) as [->|HK'].
  - replace (0 * upper h) with (0 * B) by ring. auto.
  - assert (upper g / K <= upper h).
    { apply most. intros C HC. apply Rmult_le_reg_l with K; [lra|].
      replace (K * (upper g / K)) with (upper g) by (field; auto). auto. }
    replace (upper g) with (K * (upper g / K)) by (field; auto). now apply Rmult_le_compat_l.
Qed.

Lemma upper_range g B : (forall e, 0 < e -> fits g (B + e)) -> 0 <= upper g <= B.
Proof.
  intros H. destruct (upper_greatest g (B + 1) (H 1 Rlt_0_1)) as [low most]. split.
  - apply most. intros C. apply fits_pos.
  - apply Rnot_lt_le. intros less.
    assert (half : 0 < (upper g - B) / 2) by lra. specialize (low _ (H _ half)). lra.
Qed.
