(** Expectations of continuous functions are the usual integrals, and masses are one.

    So the laws are the laws that they are named after.  Each expectation is given within an
    interval, up to the mass that is outside of it. *)
From Coq Require Import Reals List Lra Lia.
#[local] Set Warnings "-ambiguous-paths".
From Coquelicot Require Import Rcomplements Hierarchy Continuity Derive ElemFct RInt.
From Coquelicot Require Import RInt_analysis.
From Shiftproof Require Import Programs Shifts UpperIntegral RealLaws Faithful Riemann.
Import ListNotations.
Open Scope R_scope.

Section Density.
Variables (A : R -> Prop) (p : R -> R).
Hypothesis p_pos : forall x, 0 <= p x.
Hypothesis p_mass : mass_one p.

(** [phi] is the density on the interval, and continuous beyond its ends. *)
Variables (phi : R -> R) (lo hi : R).
Hypothesis lohi : lo <= hi.
Hypothesis phi_continuous : forall x, lo <= x <= hi -> continuous phi x.
Hypothesis phi_density : forall x, lo <= x <= hi -> p x = phi x.

(** What is outside of the interval holds no more than is left. *)
Lemma outside_fits e : 0 < e -> exists B C, fits (before lo p) B /\ fits (after hi p) C /\
  B + C <= 1 - RInt phi lo hi + e.
Proof.
  intros He. destruct (fits_split lo p _ (p_mass e He)) as (B & D & HB & HD & BD).
  destruct (fits_split hi _ _ HD) as (I & C & HI & HC & IC).
  exists B, C. repeat split; auto.
  - apply (fits_below _ (after hi (after lo p)) C); auto; [lra|]. intros x. unfold after.
    destruct (Rle_dec hi x), (Rle_dec lo x); lra.
  - enough (RInt phi lo hi <= I) by lra.
    apply (fits_above phi lo hi _ (before hi (after lo p))); auto.
    + intros x Hx. now apply continuous_no_jump_up, phi_continuous.
    + apply (@RInt_correct R_CompleteNormedModule).
      apply (@ex_RInt_continuous R_CompleteNormedModule). intros z.
      rewrite Rmin_left, Rmax_right by lra. auto.
    + intros x Hx. unfold before, after. rewrite <- phi_density by auto.
      destruct (Rle_dec x hi), (Rle_dec lo x); lra.
Qed.

Theorem mean_near F : (forall x, 0 <= F x <= 1) ->
  (forall x, lo <= x <= hi -> continuous F x) ->
  RInt (fun x => phi x * F x) lo hi <= mean (density_law A p p_pos p_mass) F
    <= RInt (fun x => phi x * F x) lo hi + (1 - RInt phi lo hi).
Proof.
  intros HF F_continuous. simpl. unfold integral.
  assert (cont : forall x, lo <= x <= hi -> continuous (fun x => phi x * F x) x).
  { intros x Hx. apply (@continuous_mult _ R_AbsRing phi F); auto. }
  assert (fit := integral_fits p p_pos p_mass F HF).
  split.
  - apply (upper_above (fun x => phi x * F x) lo hi _ _ (1 + 1)); auto; [| | |apply fit; lra].
    + intros x Hx. now apply continuous_no_jump_up, cont.
    + apply (@RInt_correct R_CompleteNormedModule).
      apply (@ex_RInt_continuous R_CompleteNormedModule). intros z.
      rewrite Rmin_left, Rmax_right by lra. auto.
    + intros x Hx. rewrite phi_density by auto. lra.
  - apply (hardly_above _ _ (hi - lo)); [lra|]. intros e He.
    destruct (outside_fits e He) as (B & C & HB & HC & BC).
    destruct (boxes_above (fun x => phi x * F x) lo hi e) as (l & ok & over & small); auto.
    { intros x Hx. rewrite <- phi_density by auto. specialize (HF x). specialize (p_pos x).
      nra. }
    assert (H : fits (fun x => p x * F x) (area l + (B + C))).
    { apply (fits_sum _ (tower l) (fun x => before lo p x + after hi p x)); auto using fits_tower.
      2: { eapply fits_sum; [|exact HB|exact HC]. intros x; lra. }
      intros x. specialize (HF x). specialize (p_pos x).
      assert (p x * F x <= p x) by nra. pose proof (tower_pos l x ok).
      unfold before, after. destruct (Rle_dec x lo), (Rle_dec hi x); try lra.
      rewrite phi_density by lra. specialize (over x ltac:(lra)). lra. }
    destruct (upper_greatest _ _ H) as [low _]. specialize (low _ H). lra.
Qed.
End Density.

(** * Integrals of the densities *)

Section Exponential.
Variable b : R.
Hypothesis b_pos : 0 < b.

Definition tail (x : R) : R := exp (- x / b) / b.

Lemma tail_derivative x : is_derive (fun x => - exp (- x / b)) x (tail x).
Proof.
  apply is_derive_Reals.
  replace (tail x) with (- (exp (- x / b) * (- 1 / b))) by (unfold tail; field; lra).
  apply (derivable_pt_lim_opp (comp exp (fun x => - x / b))).
  apply derivable_pt_lim_comp; [|apply derivable_pt_lim_exp].
  apply is_derive_Reals. unfold Rdiv.
  apply (is_derive_scal_l (fun x => - x) x (-1) (/ b)).
  apply (is_derive_opp (fun x => x) x 1). apply (is_derive_id x).
Qed.

Lemma tail_continuous x : continuous tail x.
Proof.
  unfold tail, Rdiv. apply (continuous_mult (fun x => exp (- x * / b)) (fun _ => / b));
    [|apply continuous_const].
  apply continuous_comp; [|apply continuous_exp].
  apply (continuous_mult (fun x => - x) (fun _ => / b)); [|apply continuous_const].
  apply (@continuous_opp _ _ R_NormedModule (fun x => x)), continuous_id.
Qed.

Lemma tail_integral M : is_RInt tail 0 M (1 - exp (- M / b)).
Proof.
  replace (1 - exp (- M / b)) with (minus (- exp (- M / b)) (- exp (- 0 / b))).
  - apply (is_RInt_derive (fun x => - exp (- x / b))); intros x _;
      [apply tail_derivative|apply tail_continuous].
  - unfold minus, plus, opp; simpl. replace (- 0 / b) with 0 by (field; lra).
    rewrite exp_0. ring.
Qed.

(** The tail beyond [b / e] is less than [e]. *)
Lemma tail_small e : 0 < e -> 0 <= b / e /\ exp (- (b / e) / b) <= e.
Proof.
  intros He. assert (0 < / e) by now apply Rinv_0_lt_compat. split; [unfold Rdiv; nra|].
  replace (- (b / e) / b) with (- / e) by (field; lra). rewrite exp_Ropp.
  rewrite <- (Rinv_inv e) at 2. apply Rinv_le_contravar; auto.
  pose proof (exp_ineq1_le (/ e)). lra.
Qed.

Lemma mirrored_integral M : is_RInt (fun x => tail (- x)) (- M) 0 (1 - exp (- M / b)).
Proof.
  replace (1 - exp (- M / b)) with (opp (opp (1 - exp (- M / b))))
    by (unfold opp; simpl; ring).
  apply is_RInt_ext with (fun x => opp (opp (tail (- x)))).
  { intros x _. unfold opp; simpl; ring. }
  apply (@is_RInt_opp R_NormedModule). apply (is_RInt_comp_opp tail).
  rewrite Ropp_involutive, Ropp_0. apply (@is_RInt_swap R_NormedModule). apply tail_integral.
Qed.
(** Both sides, one half each. *)
Lemma two_sided_integral M : 0 <= M ->
  is_RInt (fun x => / 2 * tail (Rabs x)) (- M) M (1 - exp (- M / b)).
Proof.
  intros HM. replace (1 - exp (- M / b)) with
    (/ 2 * (1 - exp (- M / b)) + / 2 * (1 - exp (- M / b))) by field.
  apply (@is_RInt_Chasles R_NormedModule _ (- M) 0 M).
  - apply (is_RInt_ext (fun x => / 2 * tail (- x))).
    { rewrite Rmin_left, Rmax_right by lra. intros x Hx. rewrite Rabs_left; auto; lra. }
    apply (@is_RInt_scal R_NormedModule), mirrored_integral.
  - apply (is_RInt_ext (fun x => / 2 * tail x)).
    { rewrite Rmin_left, Rmax_right by lra. intros x Hx. rewrite Rabs_pos_eq; auto; lra. }
    apply (@is_RInt_scal R_NormedModule), tail_integral.
Qed.
End Exponential.

(** * The laws *)

Section Means.
Variables (b M : R) (F : R -> R).
Hypothesis b_pos : 0 < b.
Hypothesis M_pos : 0 <= M.
Hypothesis F_range : forall x, 0 <= F x <= 1.
Hypothesis F_continuous : forall x, continuous F x.

Theorem exponential_mean :
  RInt (fun x => tail b x * F x) 0 M <= mean (exponential b) F
    <= RInt (fun x => tail b x * F x) 0 M + exp (- M / b).
Proof.
  replace (exp (- M / b)) with (1 - RInt (tail b) 0 M).
  - apply mean_near; auto.
    + intros x _. now apply tail_continuous.
    + intros x Hx. unfold exponential_density, tail.
      destruct (Rlt_dec 0 b), (Rle_dec 0 x); lra.
  - rewrite (@is_RInt_unique R_CompleteNormedModule _ _ _ _ (tail_integral b b_pos M)). ring.
Qed.

Theorem negative_exponential_mean :
  RInt (fun x => tail b (- x) * F x) (- M) 0 <= mean (negative_exponential b) F
    <= RInt (fun x => tail b (- x) * F x) (- M) 0 + exp (- M / b).
Proof.
  replace (exp (- M / b)) with (1 - RInt (fun x => tail b (- x)) (- M) 0).
  - apply mean_near; auto; [lra| |].
    + intros x _. apply continuous_comp; [|now apply tail_continuous].
      apply (@continuous_opp _ _ R_NormedModule (fun x => x)), continuous_id.
    + intros x Hx. unfold negative_exponential_density, exponential_density, tail.
      destruct (Rlt_dec 0 b), (Rle_dec 0 (- x)); lra.
  - rewrite (@is_RInt_unique R_CompleteNormedModule _ _ _ _ (mirrored_integral b b_pos M)).
    ring.
Qed.

Theorem laplace_mean :
  RInt (fun x => / 2 * tail b (Rabs x) * F x) (- M) M <= mean (laplace b) F
    <= RInt (fun x => / 2 * tail b (Rabs x) * F x) (- M) M + exp (- M / b).
Proof.
  replace (exp (- M / b)) with (1 - RInt (fun x => / 2 * tail b (Rabs x)) (- M) M).
  - apply mean_near; auto; [lra| |].
    + intros x _. apply (continuous_scal_r (/ 2) (fun x => tail b (Rabs x))).
      apply continuous_comp; [apply continuous_Rabs|now apply tail_continuous].
    + intros x _. unfold laplace_density, tail. destruct (Rlt_dec 0 b); lra.
  - rewrite (@is_RInt_unique R_CompleteNormedModule _ _ _ _ (two_sided_integral b b_pos M M_pos)).
    ring.
Qed.
End Means.

Theorem uniform_mean lo hi F : lo < hi -> (forall x, 0 <= F x <= 1) ->
  (forall x, lo <= x <= hi -> continuous F x) ->
  mean (uniform lo hi) F = RInt (fun x => / (hi - lo) * F x) lo hi.
Proof.
  intros H F_range F_continuous.
  assert (all : RInt (fun _ => / (hi - lo)) lo hi = 1).
  { rewrite RInt_const. unfold scal; simpl; unfold mult; simpl. field. lra. }
  assert (near : RInt (fun x => / (hi - lo) * F x) lo hi <= mean (uniform lo hi) F
    <= RInt (fun x => / (hi - lo) * F x) lo hi + (1 - RInt (fun _ => / (hi - lo)) lo hi)).
  { apply mean_near; auto; [lra|intros; apply continuous_const|].
    intros x Hx. unfold uniform_density. destruct (Rlt_dec lo hi); [|tauto].
    rewrite value_inside; simpl; lra. }
  rewrite all in near. lra.
Qed.

(** * Masses *)

Lemma mean_at_most_one l : mean l (fun _ => 1) <= 1.
Proof. apply mean_range. intros x; lra. Qed.

(** All but a tail, whatever the tail. *)
Lemma but_for_tails b m : 0 < b -> m <= 1 -> (forall M, 0 <= M -> 1 - exp (- M / b) <= m) ->
  m = 1.
Proof.
  intros Hb Hm H. apply Rle_antisym; auto. apply (hardly_above 1 m 0); [lra|]. intros e He.
  destruct (tail_small b Hb e He) as [HM small]. specialize (H (b / e) HM). lra.
Qed.

Theorem exponential_mean_one b : 0 < b -> mean (exponential b) (fun _ => 1) = 1.
Proof.
  intros Hb. apply (but_for_tails b); auto using mean_at_most_one. intros M HM.
  destruct (exponential_mean b M (fun _ => 1)) as [low _]; auto;
    [intros; lra|intros; apply continuous_const|].
  rewrite (RInt_ext _ (tail b)) in low by (intros; apply Rmult_1_r).
  rewrite (@is_RInt_unique R_CompleteNormedModule _ _ _ _ (tail_integral b Hb M)) in low.
  exact low.
Qed.

Theorem negative_exponential_mean_one b : 0 < b ->
  mean (negative_exponential b) (fun _ => 1) = 1.
Proof.
  intros Hb. apply (but_for_tails b); auto using mean_at_most_one. intros M HM.
  destruct (negative_exponential_mean b M (fun _ => 1)) as [low _]; auto;
    [intros; lra|intros; apply continuous_const|].
  rewrite (RInt_ext _ (fun x => tail b (- x))) in low by (intros; apply Rmult_1_r).
  rewrite (@is_RInt_unique R_CompleteNormedModule _ _ _ _ (mirrored_integral b Hb M)) in low.
  exact low.
Qed.

Theorem laplace_mean_one b : 0 < b -> mean (laplace b) (fun _ => 1) = 1.
Proof.
  intros Hb. apply (but_for_tails b); auto using mean_at_most_one. intros M HM.
  destruct (laplace_mean b M (fun _ => 1)) as [low _]; auto;
    [intros; lra|intros; apply continuous_const|].
  rewrite (RInt_ext _ (fun x => / 2 * tail b (Rabs x))) in low by (intros; apply Rmult_1_r).
  rewrite (@is_RInt_unique R_CompleteNormedModule _ _ _ _ (two_sided_integral b Hb M HM)) in low.
  exact low.
Qed.

Theorem uniform_mean_one lo hi : lo < hi -> mean (uniform lo hi) (fun _ => 1) = 1.
Proof.
  intros H. rewrite uniform_mean; auto; [|intros; lra|intros; apply continuous_const].
  rewrite RInt_const. unfold scal; simpl; unfold mult; simpl. field. lra.
Qed.
