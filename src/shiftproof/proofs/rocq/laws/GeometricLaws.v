(** Geometric noise on the integers, two-sided and one-sided, and what shifting it costs.

    Each law is a total function of its scale: where the scale is not positive, all masses are
    0.  Supports are written as plain conditions on the point, whatever the scale is. *)
From Coq Require Import Reals List Lra Lia ZArith.
From Shiftproof Require Import Programs Shifts Countable.
Import ListNotations.
Open Scope R_scope.

(** ** Windows of the integers *)

(** The integers k with |k| <= n. *)
Fixpoint window (n : nat) : list Z :=
  match n with
  | O => [0%Z]
  | S m => Z.of_nat n :: (- Z.of_nat n)%Z :: window m
  end.

Lemma window_in n k : In k (window n) <-> (Z.abs_nat k <= n)%nat.
Proof. induction n as [|n IH]; cbn [window In]; [|rewrite IH]; lia. Qed.

Lemma window_distinct n : NoDup (window n).
Proof.
  induction n as [|n IH]; cbn [window]; repeat constructor; simpl; auto;
    rewrite ?window_in; lia.
Qed.

Lemma within_window l : exists n, incl l (window n).
Proof.
  induction l as [|k l [n Hn]]; [exists 0%nat; intros k []|].
  exists (Nat.max n (Z.abs_nat k)). intros j [<-|Hj]; apply window_in; [lia|].
  apply Hn, window_in in Hj. lia.
Qed.

Lemma total_by_windows (mass : Z -> R) l : (forall k, 0 <= mass k) ->
  (forall n, sum mass (window n) <= 1) -> NoDup l -> sum mass l <= 1.
Proof.
  intros nonneg bound Hl. destruct (within_window l) as [n Hn].
  apply Rle_trans with (2 := bound n). apply sum_within; auto.
Qed.

(** A sum over windows that misses its limit by a geometric sequence. *)
Lemma expectation_by_geometric_rest (mass F : Z -> R) L rest q from :
  (forall k, 0 <= mass k) -> (forall l, NoDup l -> sum mass l <= 1) ->
  (forall k, 0 <= F k <= 1) -> 0 <= rest -> 0 < q < 1 ->
  (forall n, sum (fun k => mass k * F k) (window n) = L - rest * q ^ (S n - from)) ->
  expectation mass F = L.
Proof.
  intros nonneg total HF rest_nonneg Hq exact_sum.
  apply expectation_by_windows with (window := window);
    auto using window_distinct, within_window.
  - intros n. rewrite exact_sum. pose proof (pow_lt q (S n - from) (proj1 Hq)). nra.
  - intros eps Heps.
    destruct (pow_lt_1_zero q) with (y := eps / (rest + 1)) as [N HN].
    { rewrite Rabs_right; lra. }
    { apply Rdiv_lt_0_compat; lra. }
    exists (N + from)%nat. rewrite exact_sum. specialize (HN (S (N + from) - from)%nat).
    rewrite Rabs_right in HN by (left; apply pow_lt; lra).
    assert (small : q ^ (S (N + from) - from) < eps / (rest + 1)) by (apply HN; lia).
    apply (Rmult_lt_compat_r (rest + 1)) in small; [|lra].
    unfold Rdiv in small. rewrite Rmult_assoc, Rinv_l, Rmult_1_r in small by lra.
    pose proof (pow_lt q (S (N + from) - from) (proj1 Hq)). nra.
Qed.

(** ** Geometric laws *)

(** What a mass loses from one integer to the next. *)
Definition decay (b : R) : R := exp (- / b).

Lemma decay_range b : 0 < b -> 0 < decay b < 1.
Proof.
  intros Hb. split; [apply exp_pos|]. unfold decay. rewrite <- exp_0. apply exp_increasing.
  pose proof (Rinv_0_lt_compat b Hb). lra.
Qed.

Lemma decay_power b n : decay b ^ n = exp (- (INR n / b)).
Proof.
  induction n as [|n IH]; [simpl; rewrite <- exp_0; f_equal; unfold Rdiv; ring|].
  rewrite S_INR. simpl. rewrite IH. unfold decay. rewrite <- exp_plus.
  f_equal. unfold Rdiv. ring.
Qed.

Lemma exp_monotone x y : x <= y -> exp x <= exp y.
Proof. intros [less|<-]; [left; apply exp_increasing, less|lra]. Qed.

Lemma abs_nat_opp k : Z.abs_nat (- k) = Z.abs_nat k.
Proof. lia. Qed.

Lemma INR_abs k : INR (Z.abs_nat k) = Rabs (IZR k).
Proof. rewrite INR_IZR_INZ, Zabs2Nat.id_abs. apply abs_IZR. Qed.

(** Masses fall by the distance from 0. *)
Lemma decay_moved b j k c weight : 0 <= weight ->
  (Rabs (IZR k) - Rabs (IZR j)) / b <= c ->
  weight * decay b ^ Z.abs_nat j <= exp c * (weight * decay b ^ Z.abs_nat k).
Proof.
  intros Hweight cost. rewrite !decay_power, !INR_abs.
  replace (exp c * (weight * exp (- (Rabs (IZR k) / b))))
    with (weight * (exp c * exp (- (Rabs (IZR k) / b)))) by ring.
  rewrite <- exp_plus. apply Rmult_le_compat_l; [exact Hweight|].
  apply exp_monotone. unfold Rdiv in *. lra.
Qed.

Definition two_sided_mass (b : R) (k : Z) : R :=
  provided (Rlt_dec 0 b) ((1 - decay b) / (1 + decay b) * decay b ^ Z.abs_nat k).

Definition one_sided_mass (b : R) (k : Z) : R :=
  provided (Rlt_dec 0 b) (provided (Z_le_dec 0 k) ((1 - decay b) * decay b ^ Z.abs_nat k)).

Definition negative_one_sided_mass (b : R) (k : Z) : R := one_sided_mass b (- k).

Lemma two_sided_nonneg b k : 0 <= two_sided_mass b k.
Proof.
  apply provided_nonneg. intros Hb. pose proof (decay_range b Hb).
  apply Rmult_le_pos; [|left; apply pow_lt; lra].
  left. apply Rdiv_lt_0_compat; lra.
Qed.

Lemma one_sided_nonneg b k : 0 <= one_sided_mass b k.
Proof.
  apply provided_nonneg. intros Hb. apply provided_nonneg. intros _.
  pose proof (decay_range b Hb). apply Rmult_le_pos; [lra|left; apply pow_lt; lra].
Qed.

Lemma negative_one_sided_nonneg b k : 0 <= negative_one_sided_mass b k.
Proof. apply one_sided_nonneg. Qed.

Lemma two_sided_window b n : 0 < b ->
  sum (two_sided_mass b) (window n) = 1 - 2 * decay b / (1 + decay b) * decay b ^ n.
Proof.
  intros Hb. pose proof (decay_range b Hb).
  induction n as [|n IH]; cbn [window sum]; [|rewrite IH]; unfold two_sided_mass;
    rewrite ?provided_true, ?abs_nat_opp, ?Zabs2Nat.id by exact Hb; simpl; field; lra.
Qed.

Lemma one_sided_window b n : 0 < b ->
  sum (one_sided_mass b) (window n) = 1 - decay b * decay b ^ n.
Proof.
  intros Hb. induction n as [|n IH]; cbn [window sum]; [|rewrite IH]; unfold one_sided_mass;
    rewrite !(provided_true (Rlt_dec 0 b)) by exact Hb.
  - rewrite provided_true by lia. simpl. ring.
  - rewrite provided_true, provided_false, Zabs2Nat.id by lia. simpl. ring.
Qed.

Lemma two_sided_total b l : NoDup l -> sum (two_sided_mass b) l <= 1.
Proof.
  intros Hl. apply provided_total. intros Hb.
  rewrite (sum_ext _ (two_sided_mass b)).
  2: { intros k _. symmetry. apply (provided_true (Rlt_dec 0 b)), Hb. }
  apply total_by_windows; auto using two_sided_nonneg. intros n.
  rewrite two_sided_window by exact Hb.
  pose proof (decay_range b Hb). pose proof (pow_lt (decay b) n).
  assert (0 < 2 * decay b / (1 + decay b)) by (apply Rdiv_lt_0_compat; lra). nra.
Qed.

Lemma one_sided_total b l : NoDup l -> sum (one_sided_mass b) l <= 1.
Proof.
  intros Hl. apply provided_total. intros Hb.
  rewrite (sum_ext _ (one_sided_mass b)).
  2: { intros k _. symmetry. apply (provided_true (Rlt_dec 0 b)), Hb. }
  apply total_by_windows; auto using one_sided_nonneg. intros n.
  rewrite one_sided_window by exact Hb.
  pose proof (decay_range b Hb). pose proof (pow_lt (decay b) n). nra.
Qed.

Lemma negative_one_sided_total b l : NoDup l -> sum (negative_one_sided_mass b) l <= 1.
Proof.
  intros Hl. unfold negative_one_sided_mass. rewrite (sum_map (one_sided_mass b)).
  apply one_sided_total. apply (NoDup_moved (fun _ => True)); auto.
  intros x y _ _ same. lia.
Qed.

Lemma one_sided_inside b k : 0 < one_sided_mass b k -> (0 <= k)%Z.
Proof. intros pos. apply provided_pos in pos as [_ pos]. apply provided_pos in pos. tauto. Qed.

Lemma negative_one_sided_inside b k : 0 < negative_one_sided_mass b k -> (k <= 0)%Z.
Proof. intros pos. apply one_sided_inside in pos. lia. Qed.

Definition two_sided_geometric (b : R) : law :=
  countable (two_sided_mass b) (fun _ => True) (two_sided_nonneg b) (two_sided_total b).

Definition one_sided_geometric (b : R) : law :=
  countable (one_sided_mass b) (fun k => (0 <= k)%Z) (one_sided_nonneg b) (one_sided_total b).

Definition negative_one_sided_geometric (b : R) : law :=
  countable (negative_one_sided_mass b) (fun k => (k <= 0)%Z)
    (negative_one_sided_nonneg b) (negative_one_sided_total b).

Theorem two_sided_geometric_supp b x : supp (two_sided_geometric b) x <-> True.
Proof. reflexivity. Qed.

Theorem one_sided_geometric_supp b x : supp (one_sided_geometric b) x <-> (0 <= x)%Z.
Proof. reflexivity. Qed.

Theorem negative_one_sided_geometric_supp b x :
  supp (negative_one_sided_geometric b) x <-> (x <= 0)%Z.
Proof. reflexivity. Qed.

Theorem two_sided_geometric_shifts b (T : Z -> Z) c :
  0 < b -> one_to_one (fun _ => True) T ->
  (forall x, Rabs (IZR (T x) - IZR x) / b <= c x) -> shifts (two_sided_geometric b) T c.
Proof.
  intros Hb injective cost. apply countable_shifts; [auto|exact injective|]. intros x _.
  unfold two_sided_mass. rewrite !provided_true by exact Hb. pose proof (decay_range b Hb).
  apply decay_moved; [left; apply Rdiv_lt_0_compat; lra|].
  apply Rle_trans with (2 := cost x). apply Rmult_le_compat_r.
  - left. apply Rinv_0_lt_compat, Hb.
  - apply Rabs_triang_inv.
Qed.

Theorem one_sided_geometric_shifts b (T : Z -> Z) c :
  0 < b -> one_to_one (fun x => (0 <= x)%Z) T -> (forall x, (0 <= x)%Z -> (0 <= T x)%Z) ->
  (forall x, (0 <= x)%Z -> (IZR (T x) - IZR x) / b <= c x) ->
  shifts (one_sided_geometric b) T c.
Proof.
  intros Hb injective inside cost.
  apply countable_shifts; [apply one_sided_inside|exact injective|]. intros x Hx.
  unfold one_sided_mass. rewrite !provided_true by auto. pose proof (decay_range b Hb).
  apply decay_moved; [lra|]. specialize (inside x Hx). specialize (cost x Hx).
  apply IZR_le in inside, Hx. rewrite !Rabs_right by lra. exact cost.
Qed.

Theorem negative_one_sided_geometric_shifts b (T : Z -> Z) c :
  0 < b -> one_to_one (fun x => (x <= 0)%Z) T -> (forall x, (x <= 0)%Z -> (T x <= 0)%Z) ->
  (forall x, (x <= 0)%Z -> - (IZR (T x) - IZR x) / b <= c x) ->
  shifts (negative_one_sided_geometric b) T c.
Proof.
  intros Hb injective inside cost.
  apply countable_shifts; [apply negative_one_sided_inside|exact injective|]. intros x Hx.
  specialize (inside x Hx). specialize (cost x Hx).
  unfold negative_one_sided_mass, one_sided_mass.
  rewrite !(provided_true (Rlt_dec 0 b)) by exact Hb. rewrite !provided_true by lia.
  rewrite !abs_nat_opp.
  pose proof (decay_range b Hb). apply decay_moved; [lra|].
  apply IZR_le in inside, Hx. rewrite !Rabs_left1 by lra.
  replace (- IZR (T x) - - IZR x) with (- (IZR (T x) - IZR x)) by ring. exact cost.
Qed.

(** The masses of the geometric laws add up to 1. *)

Theorem two_sided_geometric_total b : 0 < b -> mean (two_sided_geometric b) (fun _ => 1) = 1.
Proof.
  intros Hb. pose proof (decay_range b Hb).
  apply expectation_by_geometric_rest
    with (rest := 2 / (1 + decay b)) (q := decay b) (from := 0%nat);
    auto using two_sided_nonneg, two_sided_total; try (intros; lra).
  - left. apply Rdiv_lt_0_compat; lra.
  - intros n. rewrite (sum_ext _ (two_sided_mass b)) by (intros; ring).
    rewrite two_sided_window by exact Hb. simpl. field. lra.
Qed.

Theorem one_sided_geometric_total b : 0 < b -> mean (one_sided_geometric b) (fun _ => 1) = 1.
Proof.
  intros Hb. pose proof (decay_range b Hb).
  apply expectation_by_geometric_rest with (rest := 1) (q := decay b) (from := 0%nat);
    auto using one_sided_nonneg, one_sided_total; try (intros; lra).
  intros n. rewrite (sum_ext _ (one_sided_mass b)) by (intros; ring).
  rewrite one_sided_window by exact Hb. simpl. ring.
Qed.

(** The negative law is the mirror image of the other one. *)
Theorem negative_one_sided_geometric_mirrored b F : (forall k, 0 <= F k <= 1) ->
  mean (negative_one_sided_geometric b) F = mean (one_sided_geometric b) (fun k => F (- k)%Z).
Proof.
  intros HF. assert (flipped : forall l, NoDup l -> NoDup (map Z.opp l)).
  { intros l. apply (NoDup_moved (fun _ => True)); auto. intros x y _ _ same. lia. }
  apply Rle_antisym; (apply expectation_at_most;
    [apply negative_one_sided_nonneg || apply one_sided_nonneg
    |apply negative_one_sided_total || apply one_sided_total|auto|]); intros l Hl.
  - rewrite (sum_ext _ (fun k => one_sided_mass b (- k) * F (- - k)%Z)).
    2: { intros k _. rewrite Z.opp_involutive. reflexivity. }
    rewrite (sum_map (fun k => one_sided_mass b k * F (- k)%Z)).
    apply sum_at_most_expectation; auto using one_sided_nonneg, one_sided_total.
  - rewrite (sum_ext _ (fun k => negative_one_sided_mass b (- k) * F (- k)%Z)).
    2: { intros k _. unfold negative_one_sided_mass. rewrite Z.opp_involutive. reflexivity. }
    rewrite (sum_map (fun k => negative_one_sided_mass b k * F k)).
    apply sum_at_most_expectation;
      auto using negative_one_sided_nonneg, negative_one_sided_total.
Qed.

Theorem negative_one_sided_geometric_total b : 0 < b ->
  mean (negative_one_sided_geometric b) (fun _ => 1) = 1.
Proof.
  intros Hb. rewrite negative_one_sided_geometric_mirrored by (intros; lra).
  apply one_sided_geometric_total, Hb.
Qed.

(** ** The discrete Laplace law

    It is drawn as the difference of two one-sided draws: its masses are those of the two-sided
    law, which thus serves for both. *)

Lemma one_sided_range b k : 0 <= one_sided_mass b k <= 1.
Proof.
  split; [apply one_sided_nonneg|].
  assert (alone := one_sided_total b [k]). simpl in alone. rewrite Rplus_0_r in alone.
  apply alone. repeat constructor. auto.
Qed.

(** The chance that the first draw is [N] and the difference [k], as a telescope. *)
Lemma difference_term b k N : 0 < b ->
  one_sided_mass b (Z.of_nat N) * one_sided_mass b (Z.of_nat N - k)
    = two_sided_mass b k
      * ((decay b ^ 2) ^ (N - Z.to_nat k) - (decay b ^ 2) ^ (S N - Z.to_nat k)).
Proof.
  intros Hb. pose proof (decay_range b Hb). unfold one_sided_mass, two_sided_mass.
  rewrite !(provided_true (Rlt_dec 0 b)) by exact Hb. rewrite provided_true by lia.
  destruct (Z_lt_le_dec (Z.of_nat N) k) as [below|above].
  - rewrite provided_false by lia.
    replace (S N - Z.to_nat k)%nat with (N - Z.to_nat k)%nat by lia. ring.
  - rewrite provided_true by lia.
    replace (S N - Z.to_nat k)%nat with (S (N - Z.to_nat k)) by lia.
    set (q := decay b ^ 2). cbn [pow]. unfold q. rewrite <- !pow_mult.
    assert (powers : decay b ^ Z.abs_nat (Z.of_nat N) * decay b ^ Z.abs_nat (Z.of_nat N - k)
      = decay b ^ Z.abs_nat k * decay b ^ (2 * (N - Z.to_nat k))).
    { rewrite <- !pow_add. f_equal. lia. }
    transitivity ((1 - decay b) ^ 2
      * (decay b ^ Z.abs_nat k * decay b ^ (2 * (N - Z.to_nat k)))).
    + rewrite <- powers. ring.
    + field. lra.
Qed.

Theorem difference_of_one_sided_geometric b k : 0 < b ->
  mean (one_sided_geometric b) (fun x =>
    mean (one_sided_geometric b) (fun y => if Z.eq_dec (x - y) k then 1 else 0))
  = two_sided_mass b k.
Proof.
  intros Hb. pose proof (decay_range b Hb). cbn [mean one_sided_geometric countable].
  rewrite (expectation_ext _ _ (fun x => one_sided_mass b (x - k))).
  2: { intros x. rewrite <- (expectation_of_point (one_sided_mass b)
         (one_sided_nonneg b) (one_sided_total b) Z.eq_dec (x - k)%Z).
       apply expectation_ext. intros y.
       destruct (Z.eq_dec (x - y) k), (Z.eq_dec y (x - k)); lia || reflexivity. }
  apply expectation_by_geometric_rest
    with (rest := two_sided_mass b k) (q := decay b ^ 2) (from := Z.to_nat k);
    auto using one_sided_nonneg, one_sided_total, two_sided_nonneg.
  - intros x. apply one_sided_range.
  - simpl. nra.
  - induction n as [|n IH]; cbn [window sum].
    + change 0%Z with (Z.of_nat 0). rewrite (difference_term b k 0 Hb). simpl. ring.
    + rewrite IH, (difference_term b k (S n) Hb).
      replace (one_sided_mass b (- Z.of_nat (S n))) with 0; [ring|].
      symmetry. unfold one_sided_mass. rewrite (provided_true (Rlt_dec 0 b)) by exact Hb.
      apply provided_false. lia.
Qed.
