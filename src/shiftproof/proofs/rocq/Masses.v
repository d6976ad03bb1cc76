(** The laws hold a mass of one, and expectations of continuous functions are the usual ones. *)
From Coq Require Import Reals List Lra Lia.
#[local] Set Warnings "-ambiguous-paths".
From Coquelicot Require Import Rcomplements Hierarchy Continuity Derive ElemFct RInt.
From Coquelicot Require Import RInt_analysis.
From Shiftproof Require Import Programs Shifts UpperIntegral RealLaws Staircase Faithful.
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
  - apply Rnot_lt_le. intros less. set (e := (upper g - RInt phi lo hi) / 2 / (1 + (hi - lo))).
    assert (He : 0 < e) by (apply Rmult_lt_0_compat; [lra|apply Rinv_0_lt_compat; lra]).
    destruct (upper_greatest g _ (fit e He)) as [low _]. specialize (low _ (fit e He)).
    assert (e * (1 + (hi - lo)) = (upper g - RInt phi lo hi) / 2) by (unfold e; field; lra).
    lra.
  - apply (upper_above phi lo hi _ g (RInt phi lo hi + 1 * (hi - lo))); auto using Rlt_0_1.
    + intros x Hx. now apply continuous_no_jump_up, cont.
    + apply (@RInt_correct R_CompleteNormedModule).
      apply (@ex_RInt_continuous R_CompleteNormedModule). intros z.
      rewrite Rmin_left, Rmax_right by lra. auto.
    + intros x Hx. destruct (same x Hx) as [_ ->]. lra.
Qed.

(** * Masses *)

Lemma all_of_it p : mass_one p ->
  (forall e, 0 < e -> exists phi lo hi I, lo <= hi /\
     (forall x, lo <= x <= hi -> no_jump_up phi x) /\ is_RInt phi lo hi I /\
     (forall x, lo <= x <= hi -> phi x <= p x) /\ 1 - e <= I) ->
  upper (fun x => p x * 1) = 1.
Proof.
  intros mass inside.
  assert (mass' : mass_one (fun x => p x * 1)).
  { intros e He. apply (fits_below _ p (1 + e)); auto; intros; lra. }
  apply Rle_antisym; [apply upper_range; auto|].
  apply Rnot_lt_le. intros less. set (e := (1 - upper (fun x => p x * 1)) / 2).
  destruct (inside e) as (phi & lo & hi & I & lohi & jump & HI & below & enough);
    [unfold e; lra|].
  assert (I <= upper (fun x => p x * 1)); [|unfold e in *; lra].
  apply (upper_above phi lo hi I _ (1 + 1)); auto; [|apply mass'; lra].
  intros x Hx. specialize (below x Hx). lra.
Qed.

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
End Exponential.

Theorem exponential_mean_one b : 0 < b -> mean (exponential b) (fun _ => 1) = 1.
Proof.
  intros Hb. apply all_of_it; [apply exponential_mass|]. intros e He.
  destruct (tail_small b Hb e He) as [HM small].
  exists (tail b), 0, (b / e), (1 - exp (- (b / e) / b)). repeat split; auto; [| | |lra].
  - intros x _. now apply continuous_no_jump_up, tail_continuous.
  - now apply tail_integral.
  - intros x Hx. unfold exponential_density, tail.
    destruct (Rlt_dec 0 b), (Rle_dec 0 x); lra.
Qed.

Theorem negative_exponential_mean_one b : 0 < b ->
  mean (negative_exponential b) (fun _ => 1) = 1.
Proof.
  intros Hb. apply all_of_it; [apply negative_exponential_mass|]. intros e He.
  destruct (tail_small b Hb e He) as [HM small].
  exists (fun x => tail b (- x)), (- (b / e)), 0, (1 - exp (- (b / e) / b)).
  repeat split; auto; [lra| | | |lra].
  - intros x _. apply continuous_no_jump_up.
    apply continuous_comp; [|now apply tail_continuous].
    apply (@continuous_opp _ _ R_NormedModule (fun x => x)), continuous_id.
  - now apply mirrored_integral.
  - intros x Hx. unfold negative_exponential_density, exponential_density, tail.
    destruct (Rlt_dec 0 b), (Rle_dec 0 (- x)); lra.
Qed.

Theorem laplace_mean_one b : 0 < b -> mean (laplace b) (fun _ => 1) = 1.
Proof.
  intros Hb. apply all_of_it; [apply laplace_mass|]. intros e He.
  destruct (tail_small b Hb e He) as [HM small]. set (M := b / e) in *.
  exists (fun x => / 2 * tail b (Rabs x)), (- M), M, (1 - exp (- M / b)).
  repeat split; auto; [lra| | | |lra].
  - intros x _. apply continuous_no_jump_up.
    apply (continuous_scal_r (/ 2) (fun x => tail b (Rabs x))).
    apply continuous_comp; [apply continuous_Rabs|now apply tail_continuous].
  - replace (1 - exp (- M / b)) with
      (/ 2 * (1 - exp (- M / b)) + / 2 * (1 - exp (- M / b))) by field.
    apply (@is_RInt_Chasles R_NormedModule _ (- M) 0 M).
    + apply (is_RInt_ext (fun x => / 2 * tail b (- x))).
      { rewrite Rmin_left, Rmax_right by lra. intros x Hx. rewrite Rabs_left; auto; lra. }
      apply (@is_RInt_scal R_NormedModule). now apply mirrored_integral.
    + apply (is_RInt_ext (fun x => / 2 * tail b x)).
      { rewrite Rmin_left, Rmax_right by lra. intros x Hx. rewrite Rabs_pos_eq; auto; lra. }
      apply (@is_RInt_scal R_NormedModule). now apply tail_integral.
  - intros x _. unfold laplace_density, tail. destruct (Rlt_dec 0 b); lra.
Qed.

Theorem uniform_mean_one lo hi : lo < hi -> mean (uniform lo hi) (fun _ => 1) = 1.
Proof.
  intros H. apply all_of_it; [apply uniform_mass|]. intros e He.
  exists (fun _ => / (hi - lo)), lo, hi, ((hi - lo) * / (hi - lo)).
  repeat split; [lra| | | |rewrite Rinv_r; lra].
  - intros x _. apply continuous_no_jump_up, continuous_const.
  - apply (is_RInt_const lo hi (/ (hi - lo))).
  - intros x Hx. unfold uniform_density. destruct (Rlt_dec lo hi); [|tauto].
    rewrite value_inside; simpl; lra.
Qed.
