(** Tactics with which a generated proof goes along the paths that its certificate went.

    Whatever is owed of numbers is decided by [arith]: linear arithmetic, of integers by themselves
    or of all as real numbers.  *)
From Shiftproof Require Import Statements.
From Shiftproof Require Export Formulas.

Ltac learn p :=
  let t := type of p in
  lazymatch goal with _ : t |- _ => fail | _ => pose proof p end.

(** How many steps of a staircase a shift can pass. *)
Definition steps_of (step d : R) : R :=
  if Reqb d 0 then 0 else if Rleb (Rabs d) step then 1
  else if Rleb (Rabs d) (2 * step) then 2 else Rabs d / step + 1.

Lemma staircase_counted scale step share T c : 0 < scale -> 0 < step -> 0 < share < 1 ->
  by_pieces T -> one_to_one (fun _ => True) T ->
  (forall x, steps_of step (T x - x) / scale <= c x) -> shifts (staircase scale step share) T c.
Proof.
  intros Hscale Hstep Hshare pieces inj price. apply staircase_shifts; auto. intros x.
  destruct (steps_price step (T x - x) (steps_of step (T x - x)) Hstep) as (m & below & cheap).
  - unfold steps_of. destruct (Reqb_spec (T x - x) 0), (Rleb_spec (Rabs (T x - x)) step),
      (Rleb_spec (Rabs (T x - x)) (2 * step)); lra || tauto || (repeat right; lra).
  - exists m; split; [assumption|]. apply Rle_trans with (2 := price x).
    unfold Rdiv. apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat|]; assumption.
Qed.

(** A coin of which the odds are e^u is flipped at the price u, or - u. *)
Lemma coin_shifts p u (flip : bool) T c : p = exp u / (1 + exp u) ->
  (forall x, T x = if flip then negb x else x) ->
  (forall x : bool, (if flip then if x then u else - u else 0) <= c x) -> shifts (bernoulli p) T c.
Proof.
  intros -> moves price. pose proof (exp_pos u) as pos.
  assert (range : 0 < exp u / (1 + exp u) < 1).
  { split; [apply Rdiv_lt_0_compat; lra|]. apply Rmult_lt_reg_r with (1 + exp u); [lra|].
    unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra. }
  apply bernoulli_shifts; [lra| |].
  - intros x y _ _. rewrite !moves. destruct flip, x, y; simpl; congruence.
  - intros x Hx. rewrite moves. specialize (price x).
    assert (odds : exp u / (1 + exp u) = exp u * (1 - exp u / (1 + exp u))) by (field; lra).
    apply Rle_trans with (exp (if flip then if x then u else - u else 0) *
      (if if flip then negb x else x then exp u / (1 + exp u) else 1 - exp u / (1 + exp u))).
    + destruct flip, x; simpl; rewrite ?exp_0, ?exp_Ropp; try lra.
      right. rewrite odds at 2. field. lra.
    + apply Rmult_le_compat_r; [destruct flip, x; simpl; lra|].
      destruct (Req_dec (if flip then if x then u else - u else 0) (c x)) as [->|]; [lra|].
      left. apply exp_increasing. lra.
Qed.

(** A test of the goal, or of what is known, one way and the other. *)
Ltac one_test := match goal with
  | |- context [Rleb ?a ?b] => destruct (Rleb_spec a b)
  | |- context [Rltb ?a ?b] => destruct (Rltb_spec a b)
  | |- context [Reqb ?a ?b] => destruct (Reqb_spec a b)
  | |- context [Z.leb ?a ?b] => destruct (Z.leb_spec a b)
  | |- context [Z.ltb ?a ?b] => destruct (Z.ltb_spec a b)
  | |- context [Z.eqb ?a ?b] => destruct (Z.eqb_spec a b)
  | _ : context [Rleb ?a ?b] |- _ => destruct (Rleb_spec a b)
  | _ : context [Rltb ?a ?b] |- _ => destruct (Rltb_spec a b)
  | _ : context [Reqb ?a ?b] |- _ => destruct (Reqb_spec a b)
  | _ : context [Z.leb ?a ?b] |- _ => destruct (Z.leb_spec a b)
  | _ : context [Z.ltb ?a ?b] |- _ => destruct (Z.ltb_spec a b)
  | _ : context [Z.eqb ?a ?b] |- _ => destruct (Z.eqb_spec a b)
  | |- context [Bool.eqb ?a ?b] => is_var b; destruct b
  | |- context [Bool.eqb ?a ?b] => is_var a; destruct a
  | _ : context [Bool.eqb ?a ?b] |- _ => is_var b; destruct b
  | _ : context [Bool.eqb ?a ?b] |- _ => is_var a; destruct a
  | |- context [negb ?b] => is_var b; destruct b
  | _ : context [negb ?b] |- _ => is_var b; destruct b
  | |- context [if ?b then _ else _] => is_var b; destruct b
  | _ : context [if ?b then _ else _] |- _ => is_var b; destruct b end.
Ltac tests := repeat (one_test; cbn [negb andb orb Bool.eqb] in * ).

Ltac push := repeat progress rewrite ?plus_IZR, ?minus_IZR, ?mult_IZR, ?opp_IZR.

(** By the kind of numbers that it is about. *)
Ltac linear := lazymatch goal with
  | |- @eq Z _ _ => lia | |- (_ <= _)%Z => lia | |- (_ < _)%Z => lia
  | |- @eq R _ _ => lra | |- (_ <= _)%R => lra | |- (_ < _)%R => lra
  | |- (_ >= _)%R => lra | |- (_ > _)%R => lra
  | |- _ => first [lia | lra] end.
(* Of tests in tests, the inner one comes first: then what is the same in both runs is seen to be. *)
Ltac plain_sides a b := lazymatch constr:((a, b)) with
  | context [if _ then _ else _] => fail | _ => idtac end.
Ltac goal_test := match goal with
  | |- context [Rleb ?a ?b] => plain_sides a b; destruct (Rleb_spec a b)
  | |- context [Rltb ?a ?b] => plain_sides a b; destruct (Rltb_spec a b)
  | |- context [Reqb ?a ?b] => plain_sides a b; destruct (Reqb_spec a b)
  | |- context [Z.leb ?a ?b] => plain_sides a b; destruct (Z.leb_spec a b)
  | |- context [Z.ltb ?a ?b] => plain_sides a b; destruct (Z.ltb_spec a b)
  | |- context [Z.eqb ?a ?b] => plain_sides a b; destruct (Z.eqb_spec a b)
  | |- context [Bool.eqb ?a ?b] => is_var b; destruct b
  | |- context [Bool.eqb ?a ?b] => is_var a; destruct a
  | |- context [negb ?b] => is_var b; destruct b
  | |- context [if ?b then _ else _] => is_var b; destruct b end.
Ltac goal_tests := repeat (goal_test; cbn [negb andb orb Bool.eqb]).
Ltac with_truths := lazymatch goal with
  | |- @eq bool _ _ => idtac
  | |- context [Bool.eqb _ _] => idtac | |- context [negb _] => idtac
  | |- context [andb _ _] => idtac | |- context [orb _ _] => idtac
  | |- context [if ?b then _ else _] => is_var b end.
Ltac by_all := cases; first [linear | all_real; by_lra].
(* What is not linear comes last: it takes long where it fails. *)
Ltac arith :=
  try reflexivity; try assumption;
  first
    [ solve [linear]
    | unfold steps_of in *;
      first
        [ with_truths; goal_tests; solve [reflexivity | congruence | assumption | linear | by_all]
        | solve [by_all]
        | tests; solve [reflexivity | congruence | cases; all_real; nra] ] ].

(** What is released is the same, if the numbers are. *)
Section Same.
Variables (S : Type) (next next' : program value S) (beta : R) (rates : list R).
Variable Inv : S -> S -> list R -> Prop.
Lemma release_same ks v w s s' : v = w -> go next next' beta rates Inv ks s s' ->
  steps next next' beta rates Inv ks (Release v s) (Release w s').
Proof. intros ->. apply both_release. Qed.
End Same.
Arguments release_same {S next next' beta rates Inv ks v w s s'}.

(** Draws.  [unf] unfolds the shift, [a] decides, [pc] shows that it is made of pieces. *)
Ltac pieces_same := tests; try reflexivity; first
  [ lra | exfalso; nra | all_real; first [lra | exfalso; nra] ].
Ltac supp_facts H :=
  cbn [supp] in H;
  rewrite ?exponential_supp, ?negative_exponential_supp, ?one_sided_geometric_supp,
    ?negative_one_sided_geometric_supp in H.
(* The signs of quotients and products are those of their parts, mostly. *)
Ltac signs a := lazymatch goal with
  | |- 0 < _ / _ => apply Rdiv_lt_0_compat; signs a
  | |- 0 < _ * _ => apply Rmult_lt_0_compat; signs a
  | |- 0 < / _ => apply Rinv_0_lt_compat; signs a
  | |- 0 <= _ / _ => apply Rmult_le_pos; [|left; apply Rinv_0_lt_compat]; signs a
  | |- 0 <= _ * _ => apply Rmult_le_pos; signs a
  | |- _ => solve [a] end.
Ltac positive a := push; first [ signs a | solve [a] ].
Ltac nonneg a := push; first [ signs a | left; signs a | solve [a] ].
(* |d| / b <= (k |d|) r + 0, where 1 / b = k r *)
Ltac cost a := intros; push; match goal with |- ?l <= ?r =>
  let H := fresh in
  assert (H : r = l) by (field; repeat split; first [assumption | apply Rgt_not_eq; a | a]);
  rewrite H; apply Rle_refl end.
Ltac still := intros; push; match goal with
  | |- Rabs ?u / _ <= _ => replace u with 0 by (push; ring); rewrite Rabs_R0
  | |- ?u / _ <= _ => replace u with 0 by (push; ring) end;
  unfold Rdiv; rewrite Rmult_0_l; lra.
Ltac price unf a := first [cost a | unf; still].
Ltac law_laplace unf a pc := apply laplace_shifts;
  [ positive a | pc | intros ? ? ? ? ?; unf; a | price unf a ].
Ltac law_exponential unf a pc := apply exponential_shifts;
  [ positive a | pc | intros ? ? ? ? ?; unf; a | intros ? ?; unf; a | price unf a ].
Ltac law_negative_exponential unf a pc := apply negative_exponential_shifts;
  [ positive a | pc | intros ? ? ? ? ?; unf; a | intros ? ?; unf; a | price unf a ].
Ltac law_two_sided_geometric unf a pc := apply two_sided_geometric_shifts;
  [ positive a | intros ? ? ? ? ?; unf; a | price unf a ].
Ltac law_one_sided_geometric unf a pc := apply one_sided_geometric_shifts;
  [ positive a | intros ? ? ? ? ?; unf; a | intros ? ?; unf; a | price unf a ].
Ltac law_negative_one_sided_geometric unf a pc := apply negative_one_sided_geometric_shifts;
  [ positive a | intros ? ? ? ? ?; unf; a | intros ? ?; unf; a | price unf a ].

(** Costs within their bounds are within the budget: mostly the two are equal. *)
Ltac within_budget a := push; first [ lra | match goal with |- ?l <= ?r =>
  let H := fresh in
  assert (H : l = r) by (field; repeat split; first [assumption | apply Rgt_not_eq; a | a]);
  rewrite H; apply Rle_refl end
  | solve [a]
  | field_simplify; first [lra | repeat split; first [assumption | apply Rgt_not_eq; a | a]] ].

Ltac law_staircase unf a pc := apply staircase_counted;
  [ positive a | positive a | split; a | pc | intros ? ? ? ? ?; unf; a | price unf a ].
(* The odds are e^u as they are written, or e^-u. *)
Ltac same_odds := first
  [ reflexivity
  | match goal with |- _ = exp (- ?u) / _ =>
      rewrite exp_Ropp; pose proof (exp_pos u); field; lra end ].
Ltac law_bernoulli a u flip := apply (coin_shifts _ u flip);
  [ same_odds
  | reflexivity
  | let x := fresh in intros x; push;
    match goal with |- ?l <= ?r =>
      assert (r = l) as ->; [ | apply Rle_refl ] end;
    destruct flip, x; field; repeat split; first [assumption | apply Rgt_not_eq; a | a] ].
