(** Laws of noise on the reals, and what it costs to move their draws in pieces.

    A law has a density [p], which is 0 outside its support, and takes [F] to the upper integral
    of [p * F].  Laws are total in their parameters: where these make no sense, the density is
    0, and no theorem speaks of the law. *)
From Coq Require Import Reals List Lra Lia.
From Shiftproof Require Import Programs Shifts UpperIntegral Moves.
Import ListNotations.
Open Scope R_scope.

(** The mass is at most 1: it fits into any more than that. *)
Definition mass_one (p : R -> R) := forall e, 0 < e -> fits p (1 + e).

Section Density.
Variables (A : R -> Prop) (p : R -> R).
Hypothesis p_pos : forall x, 0 <= p x.
Hypothesis p_mass : mass_one p.
Hypothesis p_supp : forall x, p x = 0 \/ A x.

Definition integral (F : R -> R) : R := upper (fun x => p x * F x).

Lemma integral_fits F : (forall x, 0 <= F x <= 1) -> mass_one (fun x => p x * F x).
Proof.
  intros HF e He. apply (fits_below _ p (1 + e)); auto; [lra|].
  intros x. specialize (HF x). specialize (p_pos x). nra.
Qed.

Lemma integral_range F : (forall x, 0 <= F x <= 1) -> 0 <= integral F <= 1.
Proof. intros HF. now apply upper_range, integral_fits. Qed.

Lemma integral_scaled K F G : 0 <= K -> (forall x, 0 <= F x <= 1) -> (forall x, 0 <= G x <= 1) ->
  (forall x, F x <= K * G x) -> integral F <= K * integral G.
Proof.
  intros HK HF HG H. apply (upper_le K _ _ (1 + 1)); auto; [apply integral_fits; auto; lra|].
  intros C. apply fits_scaled; auto. intros x. specialize (H x). specialize (p_pos x). nra.
Qed.

Definition density_law : law := Law R A integral integral_range integral_scaled.

Theorem density_shifts T c : convex A -> by_pieces T -> one_to_one A T ->
  (forall x, A x -> p x <= exp (c x) * p (T x)) -> shifts density_law T c.
Proof.
  intros conv pieces inj ratio K F G HK HF HG H. simpl in *.
  apply (upper_le K _ _ (1 + 1)); auto; [apply integral_fits; auto; lra|].
  intros C. apply (fits_moved A T); auto. intros x.
  destruct (p_supp x) as [->|Ax]; [left; lra|right; split; auto].
  specialize (H x Ax). specialize (ratio x Ax).
  apply Rle_trans with (exp (c x) * p (T x) * (K * exp (- c x) * G (T x))).
  - specialize (HF x). apply Rmult_le_compat; auto; lra.
  - right. rewrite exp_Ropp. field. apply Rgt_not_eq, exp_pos.
Qed.
End Density.

Lemma mass_of_nothing p : (forall x, p x = 0) -> mass_one p.
Proof. intros H e He. apply fits_nothing; [lra|]. intros x. rewrite H. lra. Qed.

(** * The exponential law *)

Lemma exp_le x y : x <= y -> exp x <= exp y.
Proof. intros [H| ->]; [left; now apply exp_increasing|lra]. Qed.

(** Each point is in one of the steps of width [d]. *)
Lemma step_of d x : 0 < d -> 0 <= x -> exists k, INR k * d <= x < (INR k + 1) * d.
Proof.
  intros Hd Hx. assert (Hq : 0 <= x / d).
  { apply Rmult_le_pos; auto. left; now apply Rinv_0_lt_compat. }
  destruct (archimed (x / d)) as [up1 up2].
  assert (Hz : (0 < up (x / d))%Z) by (apply lt_IZR; lra).
  exists (Z.to_nat (up (x / d) - 1)). rewrite INR_IZR_INZ, Z2Nat.id, minus_IZR by lia.
  replace x with (x / d * d) at 2 3 by (field; lra).
  split; [apply Rmult_le_compat_r; lra|apply Rmult_lt_compat_r; lra].
Qed.

Definition exponential_density (b x : R) : R :=
  if Rlt_dec 0 b then if Rle_dec 0 x then exp (- x / b) / b else 0 else 0.

Lemma exponential_density_pos b x : 0 <= exponential_density b x.
Proof.
  unfold exponential_density. destruct (Rlt_dec 0 b); [|lra]. destruct (Rle_dec 0 x); [|lra].
  apply Rmult_le_pos; left; [apply exp_pos|now apply Rinv_0_lt_compat].
Qed.

(** Boxes of width [t * b], as high as the density at their left ends, have an area of at most
    [1 + t]. *)
Lemma exponential_mass b : mass_one (exponential_density b).
Proof.
  destruct (Rlt_dec 0 b) as [Hb|Hb].
  2: { apply mass_of_nothing. intros x. unfold exponential_density.
       now destruct (Rlt_dec 0 b). }
  intros t Ht. set (d := t * b). assert (Hd : 0 < d) by now apply Rmult_lt_0_compat.
  exists (fun k => [Box (exp (- (INR k * t)) / b) (INR k * d) ((INR k + 1) * d)]).
  assert (ok : forall k, Forall good
    [Box (exp (- (INR k * t)) / b) (INR k * d) ((INR k + 1) * d)]).
  { intros k. constructor; [split; simpl|constructor]; [|nra].
    apply Rmult_le_pos; left; [apply exp_pos|now apply Rinv_0_lt_compat]. }
  repeat split; auto.
  - intros x. unfold exponential_density. destruct (Rlt_dec 0 b); [|tauto].
    destruct (Rle_dec 0 x) as [Hx|Hx]; [|exists 0%nat; unfold tower; simpl; lra].
    destruct (step_of d x Hd Hx) as [k Hk]. exists (S k). simpl.
    unfold tower. rewrite sum_app. simpl. rewrite value_inside by (simpl; lra). simpl.
    pose proof (tower_pos _ x (upto_good _ k ok)). unfold tower in *.
    enough (exp (- x / b) / b <= exp (- (INR k * t)) / b) by lra.
    apply Rmult_le_compat_r; [left; now apply Rinv_0_lt_compat|]. apply exp_le.
    apply Rmult_le_reg_r with b; auto.
    replace (- x / b * b) with (- x) by (field; lra). unfold d in *. lra.
  - assert (step : t <= (1 + t) * (1 - exp (- t))).
    { rewrite exp_Ropp. pose proof (exp_ineq1_le t). pose proof (exp_pos t).
      apply Rmult_le_reg_r with (exp t); auto.
      replace ((1 + t) * (1 - / exp t) * exp t) with ((1 + t) * (exp t - 1)) by (field; lra).
      lra. }
    intros n. apply Rle_trans with ((1 + t) * (1 - exp (- (INR n * t)))).
    2: { pose proof (exp_pos (- (INR n * t))). nra. }
    induction n as [|n IH].
    { unfold area; simpl. rewrite Rmult_0_l, Ropp_0, exp_0. lra. }
    simpl upto. unfold area in *. rewrite sum_app, S_INR. simpl.
    unfold size at 2; simpl.
    replace (- ((INR n + 1) * t)) with (- (INR n * t) + - t) by ring. rewrite exp_plus.
    pose proof (exp_pos (- (INR n * t))) as pos.
    replace (exp (- (INR n * t)) / b * ((INR n + 1) * d - INR n * d)) with
      (exp (- (INR n * t)) * t) by (unfold d; field; lra).
    nra.
Qed.

Lemma exponential_outside b x : exponential_density b x = 0 \/ 0 <= x.
Proof.
  unfold exponential_density. destruct (Rlt_dec 0 b), (Rle_dec 0 x); auto.
Qed.

Definition exponential (b : R) : law :=
  density_law (fun x => 0 <= x) (exponential_density b)
    (exponential_density_pos b) (exponential_mass b).

Lemma exponential_supp b x : supp (exponential b) x <-> 0 <= x.
Proof. reflexivity. Qed.

Lemma above_convex a : convex (fun x => a <= x).
Proof. intros x y z; lra. Qed.

Lemma below_convex a : convex (fun x => x <= a).
Proof. intros x y z; lra. Qed.

(** The ratio of two densities that fall by the same rate. *)
Lemma falling b u v c : 0 < b -> (v - u) / b <= c ->
  exp (- u / b) / b <= exp c * (exp (- v / b) / b).
Proof.
  intros Hb H. unfold Rdiv at 1 3. rewrite <- Rmult_assoc, <- exp_plus.
  apply Rmult_le_compat_r; [left; now apply Rinv_0_lt_compat|]. apply exp_le.
  replace (- u / b) with ((v - u) / b + - v / b) by (field; lra). lra.
Qed.

Theorem exponential_shifts b T c : 0 < b -> by_pieces T ->
  one_to_one (fun x => 0 <= x) T -> (forall x, 0 <= x -> 0 <= T x) ->
  (forall x, 0 <= x -> (T x - x) / b <= c x) -> shifts (exponential b) T c.
Proof.
  intros Hb pieces inj stays cost. apply density_shifts; auto using above_convex.
  { apply exponential_outside. }
  intros x Hx. unfold exponential_density. specialize (stays x Hx).
  destruct (Rlt_dec 0 b), (Rle_dec 0 x), (Rle_dec 0 (T x)); try lra. now apply falling; auto.
Qed.

(** * Its mirror image *)

Definition negative_exponential_density (b x : R) : R := exponential_density b (- x).

Lemma negative_exponential_mass b : mass_one (negative_exponential_density b).
Proof.
  intros e He. apply (fits_mirror _ (exponential_density b)); [|now apply exponential_mass].
  unfold negative_exponential_density; intros x; lra.
Qed.

Definition negative_exponential (b : R) : law :=
  density_law (fun x => x <= 0) (negative_exponential_density b)
    (fun x => exponential_density_pos b (- x)) (negative_exponential_mass b).

Lemma negative_exponential_supp b x : supp (negative_exponential b) x <-> x <= 0.
Proof. reflexivity. Qed.

Theorem negative_exponential_shifts b T c : 0 < b -> by_pieces T ->
  one_to_one (fun x => x <= 0) T -> (forall x, x <= 0 -> T x <= 0) ->
  (forall x, x <= 0 -> - (T x - x) / b <= c x) -> shifts (negative_exponential b) T c.
Proof.
  intros Hb pieces inj stays cost. apply density_shifts; auto using below_convex.
  { intros x. destruct (exponential_outside b (- x)); [auto|right; lra]. }
  intros x Hx. unfold negative_exponential_density, exponential_density.
  specialize (stays x Hx). specialize (cost x Hx).
  destruct (Rlt_dec 0 b), (Rle_dec 0 (- x)), (Rle_dec 0 (- T x)); try lra.
  apply falling; auto. replace (- T x - - x) with (- (T x - x)) by ring. auto.
Qed.

(** * The Laplace law: both, with one half each *)

Definition laplace_density (b x : R) : R :=
  if Rlt_dec 0 b then / 2 * (exp (- Rabs x / b) / b) else 0.

Lemma laplace_density_pos b x : 0 <= laplace_density b x.
Proof.
  unfold laplace_density. destruct (Rlt_dec 0 b); [|lra].
  apply Rmult_le_pos; [lra|].
  apply Rmult_le_pos; left; [apply exp_pos|now apply Rinv_0_lt_compat].
Qed.

Lemma laplace_below b x :
  laplace_density b x
    <= / 2 * exponential_density b x + / 2 * negative_exponential_density b x.
Proof.
  pose proof (exponential_density_pos b x) as pos.
  pose proof (exponential_density_pos b (- x)) as pos'.
  unfold laplace_density, negative_exponential_density, exponential_density in *.
  destruct (Rlt_dec 0 b); [|lra].
  destruct (Rle_dec 0 x) as [Hx|Hx].
  - rewrite (Rabs_pos_eq x Hx). lra.
  - rewrite (Rabs_left x) by lra. destruct (Rle_dec 0 (- x)); lra.
Qed.

Lemma laplace_mass b : mass_one (laplace_density b).
Proof.
  intros e He. replace (1 + e) with (/ 2 * (1 + e) + / 2 * (1 + e)) by field.
  eapply fits_sum; [apply laplace_below| |]; eapply fits_scaled; try lra;
    try (intros x; apply Rle_refl).
  - now apply exponential_mass.
  - now apply negative_exponential_mass.
Qed.

Definition laplace (b : R) : law :=
  density_law (fun _ => True) (laplace_density b) (laplace_density_pos b) (laplace_mass b).

Theorem laplace_shifts b T c : 0 < b -> by_pieces T -> one_to_one (fun _ => True) T ->
  (forall x, Rabs (T x - x) / b <= c x) -> shifts (laplace b) T c.
Proof.
  intros Hb pieces inj cost. apply density_shifts; auto; [now intros x y z|].
  intros x _. unfold laplace_density. destruct (Rlt_dec 0 b); [|tauto].
  enough (exp (- Rabs x / b) / b <= exp (c x) * (exp (- Rabs (T x) / b) / b)) by lra.
  apply falling; auto. eapply Rle_trans; [|apply cost].
  apply Rmult_le_compat_r; [left; now apply Rinv_0_lt_compat|]. apply Rabs_triang_inv.
Qed.

(** * The uniform law *)

Definition uniform_density (lo hi x : R) : R :=
  if Rlt_dec lo hi then value (Box (/ (hi - lo)) lo hi) x else 0.

Lemma uniform_box lo hi : lo < hi -> good (Box (/ (hi - lo)) lo hi).
Proof. intros H. split; simpl; [left; apply Rinv_0_lt_compat|]; lra. Qed.

Lemma uniform_density_pos lo hi x : 0 <= uniform_density lo hi x.
Proof.
  unfold uniform_density. destruct (Rlt_dec lo hi) as [H|]; [|lra].
  now apply value_range, uniform_box.
Qed.

Lemma uniform_mass lo hi : mass_one (uniform_density lo hi).
Proof.
  intros e He. unfold uniform_density. destruct (Rlt_dec lo hi) as [H|].
  2: { apply mass_of_nothing; auto. }
  apply (fits_below _ (tower [Box (/ (hi - lo)) lo hi]) (area [Box (/ (hi - lo)) lo hi])).
  - unfold area, size; simpl. rewrite Rinv_l; lra.
  - intros x. unfold tower; simpl. lra.
  - apply fits_tower. constructor; [now apply uniform_box|constructor].
Qed.

Definition uniform (lo hi : R) : law :=
  density_law (fun x => lo <= x <= hi) (uniform_density lo hi)
    (uniform_density_pos lo hi) (uniform_mass lo hi).

Lemma uniform_supp lo hi x : supp (uniform lo hi) x <-> lo <= x <= hi.
Proof. reflexivity. Qed.

Theorem uniform_shifts lo hi T c : lo < hi -> by_pieces T ->
  one_to_one (fun x => lo <= x <= hi) T ->
  (forall x, lo <= x <= hi -> lo <= T x <= hi) ->
  (forall x, lo <= x <= hi -> 0 <= c x) -> shifts (uniform lo hi) T c.
Proof.
  intros H pieces inj stays cost. apply density_shifts; auto.
  - intros x. unfold uniform_density. destruct (Rlt_dec lo hi); [|auto].
    destruct (Rlt_dec x lo); [left; apply value_outside; simpl; auto|].
    destruct (Rlt_dec hi x); [left; apply value_outside; simpl; auto|]. right; lra.
  - apply convex_and; auto using above_convex, below_convex.
  - intros x Hx. unfold uniform_density. destruct (Rlt_dec lo hi); [|tauto].
    rewrite !value_inside by (simpl; auto). simpl.
    pose proof (exp_ineq1_le (c x)). specialize (cost x Hx).
    assert (0 < / (hi - lo)) by (apply Rinv_0_lt_compat; lra). nra.
Qed.
