(** The staircase law holds a mass of one.

    Its density jumps at the edges of the steps, where boxes that stand side by side count
    twice: these are countably many points, which no integral sees. *)
From Coq Require Import Reals List Lra Lia.
#[local] Set Warnings "-ambiguous-paths".
From Coquelicot Require Import Rcomplements Hierarchy RInt.
From Shiftproof Require Import Programs Shifts UpperIntegral RealLaws Staircase Faithful.
Import ListNotations.
Open Scope R_scope.

(** Countable sets are null: boxes without width cover them. *)
Lemma fits_null (points : nat -> list R) H f : 0 <= H ->
  (forall x, f x <= 0 \/ f x <= H /\ exists n, In x (points n)) -> fits f 0.
Proof.
  intros HH over. set (boxes := fun n => map (fun x => Box H x x) (points n)).
  assert (ok : forall n, Forall good (boxes n)).
  { intros n. apply Forall_map, Forall_forall. intros x _. split; simpl; lra. }
  exists boxes; repeat split; auto.
  - intros x. destruct (over x) as [none|[high [n Hn]]]; [now exists 0%nat|].
    exists (S n). apply Rle_trans with (1 := high).
    apply Rle_trans with (value (Box H x x) x); [rewrite value_inside; simpl; lra|].
    apply tower_has; [now apply upto_good|]. simpl. apply in_app_iff. right.
    now apply (in_map (fun x => Box H x x)).
  - intros n. right. induction n as [|n IH]; [reflexivity|]. simpl.
    unfold area in *. rewrite sum_app, IH, Rplus_0_l. unfold boxes.
    induction (points n) as [|x l IHl]; simpl; [lra|]. rewrite IHl. unfold size; simpl. ring.
Qed.

Section Mass.
Variables (scale step share : R).
Hypothesis exists_law : stairs scale step share.
Let q := exp (-1 / scale).
Let a := top scale step share.
Let p := staircase_density scale step share.
Let boxes n := upto (period scale step share) n.

Let ok : forall n, Forall good (boxes n).
Proof. intros n. apply upto_good. now apply period_good. Qed.

Definition edges (k : nat) : list R := [INR k * step; (INR k + share) * step].

(** The boxes of the first periods, away from the edges: what they are not over, and what they
    are over, where they are exactly as high as the density. *)
Lemma boxes_exact n x : (forall k, ~ In x (edges k)) ->
  (x < 0 \/ INR n * step < x -> tower (boxes n) x = 0) /\
  (0 <= x < INR n * step -> tower (boxes n) x = p x).
Proof.
  destruct exists_law as (Hs & Hstep & Hshare). intros off. induction n as [|n [none all]].
  { split; [reflexivity|simpl; lra]. }
  assert (E : tower (boxes (S n)) x = tower (boxes n) x + tower (period scale step share n) x)
    by (unfold tower; apply sum_app).
  assert (Hn : 0 <= INR n * step) by (apply Rmult_le_pos; [apply pos_INR|lra]).
  assert (Hmid : INR n * step < (INR n + share) * step < (INR n + 1) * step)
    by (split; apply Rmult_lt_compat_r; lra).
  assert (off' : x <> INR n * step /\ x <> (INR n + share) * step).
  { specialize (off n). simpl in off. split; intros eq; apply off; auto. }
  rewrite E, S_INR. unfold tower at 2 4. cbn -[pow]. split; intros Hx.
  - rewrite none by lra. rewrite !value_outside by (simpl; lra). lra.
  - destruct (Rlt_dec x (INR n * step)) as [before|beyond].
    { rewrite all by lra. rewrite !value_outside by (simpl; lra). lra. }
    rewrite none by lra.
    assert (level_of : forall k, INR k * step - (1 - share) * step <= x ->
      x < (INR k + 1) * step - (1 - share) * step -> p x = a * q ^ k).
    { intros k H1 H2. unfold p, staircase_density.
      destruct (stairs_dec scale step share); [|tauto]. fold a.
      rewrite (level_is step share x (Z.of_nat k)), <- INR_IZR_INZ;
        [unfold q; now rewrite <- (powers scale step share)|].
      rewrite <- INR_IZR_INZ, Rabs_pos_eq by lra.
      assert (Ex : x / step * step = x) by (field; lra).
      split; [apply Rmult_le_reg_r with step|apply Rmult_lt_reg_r with step]; auto; lra. }
    destruct (Rlt_dec x ((INR n + share) * step)) as [first|second].
    + rewrite value_inside, value_outside by (simpl; lra). rewrite (level_of n) by lra.
      cbn -[pow]. unfold a, q. ring.
    + rewrite value_outside, value_inside by (simpl; lra).
      rewrite (level_of (S n)) by (rewrite S_INR; lra). cbn -[pow]. unfold a, q. ring.
Qed.

Lemma symmetric x : p (- x) = p x.
Proof. unfold p, staircase_density, level. now rewrite Rabs_Ropp. Qed.

(** Both sides. *)
Definition both (n : nat) (x : R) : R := tower (boxes n) x + tower (boxes n) (- x).

Lemma both_below n x : (forall k, ~ In x (edges k)) -> (forall k, ~ In (- x) (edges k)) ->
  both n x <= p x.
Proof.
  intros off off'. unfold both.
  destruct (boxes_exact n x off) as [none all], (boxes_exact n (- x) off') as [none' all'].
  pose proof (staircase_density_pos scale step share x) as pos. fold (p x) in pos.
  assert (x <> 0).
  { intros ->. apply (off 0%nat). simpl. left. ring. }
  assert (side : forall y, 0 <= y -> (0 <= y < INR n * step -> tower (boxes n) y = p y) ->
    (y < 0 \/ INR n * step < y -> tower (boxes n) y = 0) -> y <> INR n * step ->
    0 <= p y -> tower (boxes n) y <= p y).
  { intros y Hy inside outside apart Hp.
    assert (cases : y < INR n * step \/ INR n * step < y) by lra.
    destruct cases; [rewrite inside|rewrite outside]; lra. }
  destruct (Rle_dec 0 x).
  - rewrite none' by lra. rewrite Rplus_0_r. apply side; auto.
    intros eq. apply (off n). simpl; auto.
  - rewrite none by lra. rewrite Rplus_0_l, <- symmetric. apply side; auto; [lra| |].
    + intros eq. apply (off' n). simpl; auto.
    + now rewrite symmetric.
Qed.

(** The difference is seen at edges only. *)
Lemma both_nearly_below n : fits (fun x => both n x - p x) 0.
Proof.
  set (H := 2 * sum height (boxes n)).
  assert (high : forall l x, Forall good l -> 0 <= tower l x <= sum height l).
  { intros l x Hl. split; [now apply tower_pos|]. unfold tower.
    induction Hl as [|b l Hb _ IH]; simpl; [lra|]. pose proof (value_range b x Hb). lra. }
  assert (top_of : forall x, 0 <= both n x <= H).
  { intros x. pose proof (high _ x (ok n)). pose proof (high _ (- x) (ok n)).
    unfold both, H; lra. }
  apply (fits_null (fun k => edges k ++ map Ropp (edges k)) H).
  { specialize (top_of 0). lra. }
  intros x. destruct (Rle_dec (both n x - p x) 0) as [|more]; [now left|right]. split.
  { specialize (top_of x). pose proof (staircase_density_pos scale step share x) as pos.
    fold (p x) in pos. lra. }
  apply Classical_Prop.NNPP. intros none.
  apply more. enough (both n x <= p x) by lra.
  apply both_below; intros k Hk; apply none; exists k; apply in_app_iff; [now left|right].
  rewrite <- (Ropp_involutive x). now apply in_map.
Qed.

Lemma both_integral n : is_RInt (both n) (- (INR n * step)) (INR n * step) (1 - q ^ n).
Proof.
  destruct exists_law as (Hs & Hstep & Hshare).
  set (M := INR n * step).
  assert (HM : 0 <= M) by (apply Rmult_le_pos; [apply pos_INR|lra]).
  destruct (tower_integral (- M) M (boxes n)) as (I & HI & _ & exact_area); auto; [lra|].
  assert (EI : I = / 2 * (1 - q ^ n)).
  { rewrite exact_area; [now apply periods_area|]. unfold M, boxes.
    assert (inside : forall m, (m <= n)%nat -> Forall (fun b =>
      - (INR n * step) <= left b /\ right b <= INR n * step)
      (upto (period scale step share) m)); [|now apply inside].
    induction m as [|m IH]; intros Hm; simpl; [constructor|].
    apply Forall_app; split; [apply IH; lia|].
    apply le_INR in Hm. rewrite S_INR in Hm.
    assert (Hm' : 0 <= INR m * step) by (apply Rmult_le_pos; [apply pos_INR|lra]).
    assert ((INR m + 1) * step <= INR n * step) by (apply Rmult_le_compat_r; lra).
    assert (INR m * step < (INR m + share) * step < (INR m + 1) * step)
      by (split; apply Rmult_lt_compat_r; lra).
    constructor; [|constructor; [|constructor]]; simpl; lra. }
  replace (1 - q ^ n) with (I + I) by lra.
  apply (@is_RInt_plus R_NormedModule (tower (boxes n)) (fun x => tower (boxes n) (- x))); auto.
  replace I with (opp (opp I)) by (unfold opp; simpl; ring).
  apply is_RInt_ext with (fun x => opp (opp (tower (boxes n) (- x)))).
  { intros x _. unfold opp; simpl; ring. }
  apply (@is_RInt_opp R_NormedModule). apply (is_RInt_comp_opp (tower (boxes n))).
  rewrite Ropp_involutive. now apply (@is_RInt_swap R_NormedModule).
Qed.

Lemma both_no_jump_up n x : no_jump_up (both n) x.
Proof.
  intros e He. destruct (tower_no_jump_up _ x (ok n) (e / 2)) as (d & Hd & H); [lra|].
  destruct (tower_no_jump_up _ (- x) (ok n) (e / 2)) as (d' & Hd' & H'); [lra|].
  exists (Rmin d d'). split; [now apply Rmin_pos|]. intros y Hy.
  pose proof (Rmin_l d d'). pose proof (Rmin_r d d'). specialize (H y ltac:(lra)).
  assert (Hy' : Rabs (- y - - x) < d').
  { replace (- y - - x) with (- (y - x)) by ring. rewrite Rabs_Ropp. lra. }
  specialize (H' (- y) Hy'). unfold both. lra.
Qed.

Lemma mass_at_least n B : fits p B -> 1 - q ^ n <= B.
Proof.
  intros HB. assert (HM : 0 <= INR n * step).
  { apply Rmult_le_pos; [apply pos_INR|]. destruct exists_law as (_ & Hstep & _). lra. }
  apply (fits_above (both n) (- (INR n * step)) (INR n * step) _ (both n)); [lra| | | |].
  - intros x _. apply both_no_jump_up.
  - apply both_integral.
  - intros x _. apply Rle_refl.
  - rewrite <- Rplus_0_r.
    apply (fits_sum _ p (fun x => both n x - p x)); auto using both_nearly_below.
    intros x. lra.
Qed.
End Mass.

Theorem staircase_mean_one scale step share : 0 < scale -> 0 < step -> 0 < share < 1 ->
  mean (staircase scale step share) (fun _ => 1) = 1.
Proof.
  intros Hs Hstep Hshare. assert (law_exists : stairs scale step share) by (unfold stairs; auto).
  set (p := staircase_density scale step share).
  assert (mass : mass_one (fun x => p x * 1)).
  { intros e He. apply (fits_below _ p (1 + e)); [lra|intros; lra|now apply staircase_mass]. }
  apply Rle_antisym; [now apply upper_range|].
  destruct (upper_greatest _ _ (mass 1 Rlt_0_1)) as [_ most]. apply most. intros B HB.
  assert (HB' : fits p B) by (apply (fits_below _ (fun x => p x * 1) B); auto; intros; lra).
  apply Rnot_lt_le. intros less. pose proof (q_range scale step share law_exists) as Hq.
  destruct (pow_lt_1_zero (exp (-1 / scale))) with (y := 1 - B) as [N HN]; [|lra|].
  { rewrite Rabs_pos_eq; lra. }
  specialize (HN N (le_n N)). rewrite Rabs_pos_eq in HN by (apply pow_le; lra).
  pose proof (mass_at_least scale step share law_exists N B HB'). lra.
Qed.
