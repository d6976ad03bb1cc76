(** Laws of finitely many values: uniform integers, coins, choices by weights.

    Each is a total function of its parameters: where they make no law, all masses are 0. *)
From Coq Require Import Reals List Lra Lia ZArith.
From Shiftproof Require Import Programs Shifts Countable.
Import ListNotations.
Open Scope R_scope.

Lemma total_by_points {X} (mass : X -> R) m : (forall x, 0 <= mass x) ->
  (forall x, 0 < mass x -> In x m) -> sum mass m <= 1 ->
  forall l, NoDup l -> sum mass l <= 1.
Proof.
  intros nonneg all bound l Hl. apply Rle_trans with (2 := bound). apply sum_within; auto.
Qed.

(** The integers [lo], [lo + 1], ... , of which there are [n]. *)
Definition run (lo : Z) (n : nat) : list Z := map (fun i => (lo + Z.of_nat i)%Z) (seq 0 n).

Lemma run_in lo n k : In k (run lo n) <-> (lo <= k < lo + Z.of_nat n)%Z.
Proof.
  unfold run. rewrite in_map_iff. split.
  - intros (i & <- & Hi). apply in_seq in Hi. lia.
  - intros Hk. exists (Z.to_nat (k - lo)). rewrite in_seq. lia.
Qed.

Lemma run_distinct lo n : NoDup (run lo n).
Proof.
  apply (NoDup_moved (fun _ => True)); auto using seq_NoDup. intros x y _ _ same. lia.
Qed.

(** ** Uniform integers *)

Definition discrete_uniform_mass (lo hi k : Z) : R :=
  provided (Z_le_dec lo k) (provided (Z_le_dec k hi) (/ IZR (hi - lo + 1))).

Definition uniform_points (lo hi : Z) : list Z := run lo (Z.to_nat (hi - lo + 1)).

Lemma discrete_uniform_nonneg lo hi k : 0 <= discrete_uniform_mass lo hi k.
Proof.
  apply provided_nonneg. intros above. apply provided_nonneg. intros below.
  left. apply Rinv_0_lt_compat, IZR_lt. lia.
Qed.

Lemma discrete_uniform_inside lo hi k :
  0 < discrete_uniform_mass lo hi k -> (lo <= k <= hi)%Z.
Proof. intros pos. apply provided_pos in pos as [? pos]. apply provided_pos in pos. tauto. Qed.

Lemma discrete_uniform_points lo hi k :
  0 < discrete_uniform_mass lo hi k -> In k (uniform_points lo hi).
Proof. intros pos. apply discrete_uniform_inside in pos. apply run_in. lia. Qed.

Lemma discrete_uniform_mass_inside lo hi k : (lo <= k <= hi)%Z ->
  discrete_uniform_mass lo hi k = / IZR (hi - lo + 1).
Proof. intros Hk. unfold discrete_uniform_mass. rewrite !provided_true by lia. reflexivity. Qed.

Lemma discrete_uniform_sum lo hi F : sum (fun k => discrete_uniform_mass lo hi k * F k)
  (uniform_points lo hi) = / IZR (hi - lo + 1) * sum F (uniform_points lo hi).
Proof.
  rewrite <- sum_scale. apply sum_ext. intros k Hk. apply run_in in Hk.
  rewrite discrete_uniform_mass_inside by lia. reflexivity.
Qed.

Lemma discrete_uniform_total lo hi l : NoDup l -> sum (discrete_uniform_mass lo hi) l <= 1.
Proof.
  apply (total_by_points _ (uniform_points lo hi));
    auto using discrete_uniform_nonneg, discrete_uniform_points.
  rewrite (sum_ext _ (fun k => discrete_uniform_mass lo hi k * 1)) by (intros; ring).
  rewrite discrete_uniform_sum, sum_constant. unfold uniform_points, run.
  rewrite map_length, seq_length, Rmult_1_r. destruct (Z_le_gt_dec lo hi) as [some|none].
  - rewrite INR_IZR_INZ, Z2Nat.id by lia. right. apply Rinv_l.
    apply Rgt_not_eq, IZR_lt. lia.
  - replace (Z.to_nat (hi - lo + 1)) with 0%nat by lia. simpl. lra.
Qed.

Definition discrete_uniform (lo hi : Z) : law :=
  countable (discrete_uniform_mass lo hi) (fun k => (lo <= k <= hi)%Z)
    (discrete_uniform_nonneg lo hi) (discrete_uniform_total lo hi).

Theorem discrete_uniform_supp lo hi x : supp (discrete_uniform lo hi) x <-> (lo <= x <= hi)%Z.
Proof. reflexivity. Qed.

Theorem discrete_uniform_shifts lo hi (T : Z -> Z) c :
  (lo <= hi)%Z -> one_to_one (fun x => (lo <= x <= hi)%Z) T ->
  (forall x, (lo <= x <= hi)%Z -> (lo <= T x <= hi)%Z) ->
  (forall x, (lo <= x <= hi)%Z -> 0 <= c x) -> shifts (discrete_uniform lo hi) T c.
Proof.
  intros _ injective inside cost.
  apply countable_shifts; [apply discrete_uniform_inside|exact injective|]. intros x Hx.
  rewrite !discrete_uniform_mass_inside by auto.
  assert (1 <= exp (c x)) by (apply Rle_trans with (2 := exp_ineq1_le _);
    specialize (cost x Hx); lra).
  assert (0 < / IZR (hi - lo + 1)) by (apply Rinv_0_lt_compat, IZR_lt; lia). nra.
Qed.

Theorem discrete_uniform_mean lo hi F : (forall k, 0 <= F k <= 1) ->
  mean (discrete_uniform lo hi) F = / IZR (hi - lo + 1) * sum F (uniform_points lo hi).
Proof.
  intros HF. rewrite <- discrete_uniform_sum. apply expectation_of_finite;
    auto using discrete_uniform_nonneg, discrete_uniform_total, discrete_uniform_points.
  apply run_distinct.
Qed.

(** ** Coins *)

Definition bernoulli_mass (p : R) (x : bool) : R :=
  provided (Rle_dec 0 p) (provided (Rle_dec p 1) (if x then p else 1 - p)).

Lemma bernoulli_nonneg p x : 0 <= bernoulli_mass p x.
Proof.
  apply provided_nonneg. intros Hp. apply provided_nonneg. intros Hp1. destruct x; lra.
Qed.

Lemma bernoulli_inside p x : 0 < bernoulli_mass p x -> 0 < if x then p else 1 - p.
Proof. intros pos. apply provided_pos in pos as [_ pos]. apply provided_pos in pos. tauto. Qed.

Lemma both_values (x : bool) : In x [true; false].
Proof. destruct x; simpl; auto. Qed.

Lemma bernoulli_total p l : NoDup l -> sum (bernoulli_mass p) l <= 1.
Proof.
  apply (total_by_points _ [true; false]); auto using bernoulli_nonneg, both_values.
  apply provided_total. intros _. apply provided_total. intros _. simpl. lra.
Qed.

Definition bernoulli (p : R) : law :=
  countable (bernoulli_mass p) (fun x => 0 < if x then p else 1 - p)
    (bernoulli_nonneg p) (bernoulli_total p).

Theorem bernoulli_supp p x : supp (bernoulli p) x <-> 0 < if x then p else 1 - p.
Proof. reflexivity. Qed.

Lemma bernoulli_mass_of_chance p x : 0 <= p <= 1 ->
  bernoulli_mass p x = if x then p else 1 - p.
Proof. intros Hp. unfold bernoulli_mass. rewrite !provided_true by lra. reflexivity. Qed.

Theorem bernoulli_shifts p (T : bool -> bool) c :
  0 <= p <= 1 -> one_to_one (fun x : bool => 0 < if x then p else 1 - p) T ->
  (forall x : bool, 0 < (if x then p else 1 - p) ->
    (if x then p else 1 - p) <= exp (c x) * (if T x then p else 1 - p)) ->
  shifts (bernoulli p) T c.
Proof.
  intros Hp injective ratio.
  apply countable_shifts; [apply bernoulli_inside|exact injective|]. intros x Hx.
  rewrite !bernoulli_mass_of_chance by exact Hp. auto.
Qed.

(** A flip costs the log odds of the value that was drawn. *)
Theorem bernoulli_flip_shifts p : 0 < p < 1 ->
  shifts (bernoulli p) negb (fun x => if x then ln (p / (1 - p)) else - ln (p / (1 - p))).
Proof.
  intros Hp. apply bernoulli_shifts; [lra|intros [] [] _ _; simpl; congruence|].
  assert (0 < p / (1 - p)) by (apply Rdiv_lt_0_compat; lra).
  intros [] _; simpl; right.
  - rewrite exp_ln by assumption. field. lra.
  - rewrite exp_Ropp, exp_ln by assumption. field. lra.
Qed.

Theorem bernoulli_mean p F : 0 <= p <= 1 -> (forall x, 0 <= F x <= 1) ->
  mean (bernoulli p) F = p * F true + (1 - p) * F false.
Proof.
  intros Hp HF. cbn [mean bernoulli countable].
  rewrite (expectation_of_finite (bernoulli_mass p) (bernoulli_nonneg p) (bernoulli_total p)
    F [true; false]); auto using both_values.
  - simpl. rewrite !bernoulli_mass_of_chance by exact Hp. ring.
  - repeat constructor; simpl; intuition discriminate.
Qed.

(** ** Choices by weights *)

(** The weight of an index, 0 outside the list. *)
Definition weight (ws : list R) (k : Z) : R :=
  provided (Z_le_dec 0 k) (nth (Z.to_nat k) ws 0).

Definition total_weight (ws : list R) : R := sum (fun w => w) ws.

Definition categorical_mass (ws : list R) (k : Z) : R :=
  provided (Forall_dec _ (Rle_dec 0) ws)
    (provided (Rlt_dec 0 (total_weight ws)) (weight ws k / total_weight ws)).

Definition indices (ws : list R) : list Z := run 0 (length ws).

Lemma weight_nonneg ws k : Forall (Rle 0) ws -> 0 <= weight ws k.
Proof.
  intros Hws. apply provided_nonneg. intros _.
  destruct (nth_in_or_default (Z.to_nat k) ws 0) as [found| ->]; [|lra].
  rewrite Forall_forall in Hws. auto.
Qed.

Lemma weight_inside ws k : 0 < weight ws k -> In k (indices ws).
Proof.
  intros pos. apply provided_pos in pos as [Hk pos]. apply run_in.
  destruct (le_lt_dec (length ws) (Z.to_nat k)) as [beyond|]; [|lia].
  rewrite nth_overflow in pos by exact beyond. lra.
Qed.

Lemma sum_of_weights ws : sum (weight ws) (indices ws) = total_weight ws.
Proof.
  unfold indices, run. rewrite <- sum_map.
  rewrite (sum_ext _ (fun i => nth i ws 0)).
  2: { intros i _. unfold weight. rewrite provided_true by lia. f_equal. lia. }
  unfold total_weight. induction ws as [|w ws IH]; [reflexivity|].
  cbn [length seq sum nth]. rewrite <- seq_shift, <- sum_map, IH. reflexivity.
Qed.

Lemma categorical_nonneg ws k : 0 <= categorical_mass ws k.
Proof.
  apply provided_nonneg. intros Hws. apply provided_nonneg. intros some.
  apply Rmult_le_pos; [auto using weight_nonneg|left; apply Rinv_0_lt_compat, some].
Qed.

Lemma categorical_inside ws k : 0 < categorical_mass ws k -> 0 < weight ws k.
Proof.
  intros pos. apply provided_pos in pos as [Hws pos]. apply provided_pos in pos as [some pos].
  apply (Rmult_lt_compat_r _ _ _ some) in pos. unfold Rdiv in pos.
  rewrite Rmult_assoc, Rinv_l, Rmult_1_r, Rmult_0_l in pos by lra. exact pos.
Qed.

Lemma categorical_indices ws k : 0 < categorical_mass ws k -> In k (indices ws).
Proof. intros pos. apply weight_inside, categorical_inside, pos. Qed.

Lemma categorical_sum ws F : Forall (Rle 0) ws -> 0 < total_weight ws -> forall l,
  sum (fun k => categorical_mass ws k * F k) l
    = / total_weight ws * sum (fun k => weight ws k * F k) l.
Proof.
  intros Hws some l. rewrite <- sum_scale. apply sum_ext. intros k _.
  unfold categorical_mass. rewrite !provided_true by assumption. unfold Rdiv. ring.
Qed.

Lemma categorical_total ws l : NoDup l -> sum (categorical_mass ws) l <= 1.
Proof.
  apply (total_by_points _ (indices ws)); auto using categorical_nonneg, categorical_indices.
  apply provided_total. intros _. apply provided_total. intros some.
  rewrite (sum_ext _ (fun k => / total_weight ws * weight ws k)).
  2: { intros k _. unfold Rdiv. ring. }
  rewrite sum_scale, sum_of_weights. right. apply Rinv_l. lra.
Qed.

Definition categorical (ws : list R) : law :=
  countable (categorical_mass ws) (fun k => 0 < weight ws k)
    (categorical_nonneg ws) (categorical_total ws).

Theorem categorical_supp ws x : supp (categorical ws) x <-> 0 < weight ws x.
Proof. reflexivity. Qed.

(** Weights stand for the masses here: their ratios are the same. *)
Theorem categorical_shifts ws (T : Z -> Z) c :
  Forall (Rle 0) ws -> 0 < total_weight ws -> one_to_one (fun x => 0 < weight ws x) T ->
  (forall x, 0 < weight ws x -> weight ws x <= exp (c x) * weight ws (T x)) ->
  shifts (categorical ws) T c.
Proof.
  intros Hws some injective ratio.
  apply countable_shifts; [apply categorical_inside|exact injective|]. intros x Hx.
  unfold categorical_mass. rewrite !provided_true by assumption.
  unfold Rdiv. rewrite <- Rmult_assoc. apply Rmult_le_compat_r; [|auto].
  left. apply Rinv_0_lt_compat, some.
Qed.

Theorem categorical_mean ws F :
  Forall (Rle 0) ws -> 0 < total_weight ws -> (forall k, 0 <= F k <= 1) ->
  mean (categorical ws) F = / total_weight ws * sum (fun k => weight ws k * F k) (indices ws).
Proof.
  intros Hws some HF. rewrite <- categorical_sum by assumption. apply expectation_of_finite;
    auto using categorical_nonneg, categorical_total, categorical_indices.
  apply run_distinct.
Qed.
