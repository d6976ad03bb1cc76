(** The staircase law of Geng and Viswanath: a density that falls in steps.

    With [q = exp (-1 / scale)], the density at [x] is the top one times [q] to the number of
    edges [(k + share) * step] at or below [Rabs x]. *)
From Coq Require Import Reals List Lra Lia.
From Shiftproof Require Import Programs Shifts UpperIntegral Moves RealLaws.
Import ListNotations.
Open Scope R_scope.

(** How many edges are at or below [Rabs x]. *)
Definition level (step share x : R) : Z := Int_part (Rabs x / step + 1 - share).

Lemma level_bounds step share x :
  IZR (level step share x) <= Rabs x / step + 1 - share < IZR (level step share x) + 1.
Proof. unfold level. destruct (base_Int_part (Rabs x / step + 1 - share)). lra. Qed.

Lemma level_is step share x z :
  IZR z <= Rabs x / step + 1 - share < IZR z + 1 -> level step share x = z.
Proof.
  intros H. pose proof (level_bounds step share x) as H'.
  assert (z < level step share x + 1)%Z by (apply lt_IZR; rewrite plus_IZR; lra).
  assert (level step share x < z + 1)%Z by (apply lt_IZR; rewrite plus_IZR; lra). lia.
Qed.

(** The law exists. *)
Definition stairs (scale step share : R) := 0 < scale /\ 0 < step /\ 0 < share < 1.

Lemma stairs_dec scale step share : {stairs scale step share} + {~ stairs scale step share}.
Proof.
  unfold stairs. destruct (Rlt_dec 0 scale), (Rlt_dec 0 step), (Rlt_dec 0 share),
    (Rlt_dec share 1); (left; tauto) || (right; tauto).
Qed.

Definition top (scale step share : R) : R :=
  (1 - exp (-1 / scale)) / (2 * step * (share + (1 - share) * exp (-1 / scale))).

Definition staircase_density (scale step share x : R) : R :=
  if stairs_dec scale step share
  then top scale step share * exp (- IZR (level step share x) / scale) else 0.

(** Half of the density: boxes are laid on one side, and mirrored. *)
Definition half_staircase (scale step share x : R) : R :=
  if Rle_dec 0 x then staircase_density scale step share x else 0.

Section Mass.
Variables (scale step share : R).
Hypothesis exists_law : stairs scale step share.
Let q := exp (-1 / scale).
Let a := top scale step share.

Lemma q_range : 0 < q < 1.
Proof.
  destruct exists_law as [Hs _]. unfold q. split; [apply exp_pos|].
  rewrite <- exp_0. apply exp_increasing.
  apply Rmult_lt_reg_r with scale; auto. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra.
Qed.

Lemma below_pos : 0 < 2 * step * (share + (1 - share) * q).
Proof.
  destruct exists_law as (_ & Hstep & Hshare). pose proof q_range.
  apply Rmult_lt_0_compat; [lra|]. assert (0 < (1 - share) * q) by (apply Rmult_lt_0_compat; lra).
  lra.
Qed.

Lemma top_pos : 0 <= a.
Proof.
  pose proof q_range. apply Rmult_le_pos; [unfold q in *; lra|].
  left. apply Rinv_0_lt_compat, below_pos.
Qed.

(** A period has two steps. *)
Definition period (k : nat) : list box :=
  [Box (a * q ^ k) (INR k * step) ((INR k + share) * step);
   Box (a * q ^ S k) ((INR k + share) * step) ((INR k + 1) * step)].

Lemma period_good k : Forall good (period k).
Proof.
  destruct exists_law as (_ & Hstep & Hshare). pose proof top_pos. pose proof q_range.
  assert (P : forall n, 0 <= a * q ^ n) by (intros n; apply Rmult_le_pos; auto;
    apply pow_le; lra).
  constructor; [split; cbn -[pow]; auto; apply Rmult_le_compat_r; lra|].
  constructor; [split; cbn -[pow]; auto; apply Rmult_le_compat_r; lra|constructor].
Qed.

Lemma powers k : exp (- INR k / scale) = q ^ k.
Proof.
  destruct exists_law as [Hs _]. induction k as [|k IH].
  - simpl. rewrite <- exp_0. f_equal. field; lra.
  - cbn -[INR]. rewrite <- IH, S_INR. unfold q. rewrite <- exp_plus. f_equal. field; lra.
Qed.

Lemma periods_area n : area (upto period n) = / 2 * (1 - q ^ n).
Proof.
  induction n as [|n IH]; [unfold area; simpl; lra|].
  cbn -[period pow]. unfold area in *. rewrite sum_app, IH.
  unfold period, size, a, top. fold q. simpl. pose proof below_pos.
  destruct exists_law as (_ & Hstep & _).
  assert (share + (1 - share) * q <> 0) by (intros E; rewrite E in H; lra).
  field. split; lra.
Qed.

Lemma half_fits : fits (half_staircase scale step share) (/ 2).
Proof.
  destruct exists_law as (Hs & Hstep & Hshare).
  exists period; repeat split; [apply period_good| |].
  - intros x. unfold half_staircase, staircase_density.
    destruct (Rle_dec 0 x) as [Hx|]; [|exists 0%nat; unfold tower; simpl; lra].
    destruct (stairs_dec scale step share); [|tauto]. fold a.
    destruct (step_of step x Hstep Hx) as [k Hk]. exists (S k).
    assert (edge : forall r, x = r * step -> Rabs x / step = r).
    { intros r E. rewrite Rabs_pos_eq, E by auto. field; lra. }
    assert (Ex := edge (x / step) ltac:(field; lra)).
    assert (lower : forall r, r * step <= x -> r <= x / step).
    { intros r H. apply Rmult_le_reg_r with step; auto. unfold Rdiv.
      rewrite Rmult_assoc, Rinv_l; lra. }
    assert (higher : forall r, x < r * step -> x / step < r).
    { intros r H. apply Rmult_lt_reg_r with step; auto. unfold Rdiv.
      rewrite Rmult_assoc, Rinv_l; lra. }
    destruct Hk as [Hk1 Hk2]. pose proof (lower _ Hk1). pose proof (higher _ Hk2).
    cbn -[period]. unfold tower. rewrite sum_app.
    pose proof (tower_pos _ x (upto_good _ k period_good)) as before.
    unfold tower in before.
    enough (a * exp (- IZR (level step share x) / scale) <= tower (period k) x)
      by (unfold tower in *; lra).
    destruct (Rlt_dec x ((INR k + share) * step)) as [first|second].
    + pose proof (higher _ first).
      rewrite (level_is step share x (Z.of_nat k)), <- INR_IZR_INZ, powers
        by (rewrite Ex, <- INR_IZR_INZ; lra).
      eapply Rle_trans; [|apply tower_has; [apply period_good|now left]].
      rewrite value_inside; simpl; lra.
    + pose proof (lower (INR k + share) ltac:(lra)).
      rewrite (level_is step share x (Z.of_nat (S k))), <- INR_IZR_INZ, powers
        by (rewrite Ex, <- INR_IZR_INZ, S_INR; lra).
      eapply Rle_trans; [|apply tower_has; [apply period_good|right; now left]].
      rewrite value_inside; cbn -[pow]; lra.
  - intros n. rewrite periods_area. pose proof (pow_le q n). pose proof q_range. lra.
Qed.
End Mass.

Lemma staircase_density_pos scale step share x : 0 <= staircase_density scale step share x.
Proof.
  unfold staircase_density. destruct (stairs_dec scale step share); [|lra].
  apply Rmult_le_pos; [now apply top_pos|left; apply exp_pos].
Qed.

Lemma staircase_mass scale step share : mass_one (staircase_density scale step share).
Proof.
  destruct (stairs_dec scale step share) as [H|H].
  2: { apply mass_of_nothing. intros x. unfold staircase_density.
       now destruct (stairs_dec scale step share). }
  intros e He. apply (fits_below _ (staircase_density scale step share) (/ 2 + / 2));
    [lra|intros x; apply Rle_refl|].
  apply (fits_sum _ (half_staircase scale step share)
    (fun x => half_staircase scale step share (- x))); [|now apply half_fits|].
  - intros x. unfold half_staircase.
    assert (E : staircase_density scale step share (- x) = staircase_density scale step share x)
      by (unfold staircase_density, level; now rewrite Rabs_Ropp).
    rewrite E. pose proof (staircase_density_pos scale step share x).
    destruct (Rle_dec 0 x), (Rle_dec 0 (- x)); lra.
  - apply (fits_mirror _ (half_staircase scale step share)); [|now apply half_fits].
    intros x; lra.
Qed.

Definition staircase (scale step share : R) : law :=
  density_law (fun _ => True) (staircase_density scale step share)
    (staircase_density_pos scale step share) (staircase_mass scale step share).

(** A shift that is at most [m] steps long passes at most [m] edges. *)
Theorem staircase_shifts scale step share T c : 0 < scale -> 0 < step -> 0 < share < 1 ->
  by_pieces T -> one_to_one (fun _ => True) T ->
  (forall x, exists m : Z, Rabs (T x - x) <= IZR m * step /\ IZR m / scale <= c x) ->
  shifts (staircase scale step share) T c.
Proof.
  intros Hs Hstep Hshare pieces inj cost. apply density_shifts; auto; [now intros x y z|].
  intros x _. destruct (cost x) as (m & Hm & Hc). unfold staircase_density.
  destruct (stairs_dec scale step share) as [ok|no].
  2: { exfalso. apply no. unfold stairs; auto. }
  assert (far : Rabs (T x) / step <= Rabs x / step + IZR m).
  { apply Rmult_le_reg_r with step; auto. pose proof (Rabs_triang_inv (T x) x).
    replace (Rabs (T x) / step * step) with (Rabs (T x)) by (field; lra).
    replace ((Rabs x / step + IZR m) * step) with (Rabs x + IZR m * step) by (field; lra). lra. }
  assert (passed : (level step share (T x) < level step share x + m + 1)%Z).
  { apply lt_IZR. rewrite !plus_IZR.
    pose proof (level_bounds step share x). pose proof (level_bounds step share (T x)). lra. }
  assert (le : IZR (level step share (T x)) <= IZR (level step share x) + IZR m).
  { rewrite <- plus_IZR. apply IZR_le. lia. }
  rewrite (Rmult_comm (exp (c x))), Rmult_assoc, <- exp_plus.
  apply Rmult_le_compat_l; [now apply top_pos|]. apply exp_le.
  assert (/ scale * IZR (level step share (T x))
          <= / scale * (IZR (level step share x) + IZR m)).
  { apply Rmult_le_compat_l; auto. left; now apply Rinv_0_lt_compat. }
  unfold Rdiv in *. lra.
Qed.

(** The prices of the language: none, one step, two steps, and so on. *)
Lemma steps_price step d k : 0 < step ->
  (d = 0 /\ 0 <= k) \/ (Rabs d <= step /\ 1 <= k) \/ (Rabs d <= 2 * step /\ 2 <= k) \/
  Rabs d / step + 1 <= k ->
  exists m : Z, Rabs d <= IZR m * step /\ IZR m <= k.
Proof.
  intros Hstep [[-> H]|[[H H']|[[H H']|H]]].
  - exists 0%Z. rewrite Rabs_R0. lra.
  - exists 1%Z. lra.
  - exists 2%Z. lra.
  - exists (up (Rabs d / step)). destruct (archimed (Rabs d / step)). split; [|lra].
    replace (Rabs d) with (Rabs d / step * step) at 1 by (field; lra).
    apply Rmult_le_compat_r; lra.
Qed.
