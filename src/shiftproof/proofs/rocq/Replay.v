(** Tactics with which a generated proof goes along the paths that its certificate went.

    Whatever is owed of numbers is decided by [arith]: cases of the tests that stand in it, then
    linear arithmetic, of integers by themselves or of all as real numbers.  *)
From Shiftproof Require Import Statements.
From Coq Require Export Lra Lia.

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

(* What is a fact of a section stays there, so that it must not be split again and again. *)
Ltac split_facts := repeat match goal with
  | H : _ /\ _ |- _ => learn (proj1 H)
  | H : _ /\ _ |- _ => learn (proj2 H)
  | H : ?A \/ ?B |- _ => lazymatch goal with
      _ : A |- _ => fail | _ : B |- _ => fail | _ => destruct H end end.

(** Absolute values, and the smaller and larger of two numbers, by cases. *)
Ltac shapes := unfold Rabs, Rmin, Rmax in *; repeat match goal with
  | |- context [Rcase_abs ?a] => destruct (Rcase_abs a)
  | _ : context [Rcase_abs ?a] |- _ => destruct (Rcase_abs a)
  | |- context [Rle_dec ?a ?b] => destruct (Rle_dec a b)
  | _ : context [Rle_dec ?a ?b] |- _ => destruct (Rle_dec a b)
  | |- context [Z.abs ?a] => learn (Z.abs_spec a)
  | _ : context [Z.abs ?a] |- _ => learn (Z.abs_spec a) end; split_facts.

(** What is known of integers, said of real numbers. *)
Lemma lt_R a b : (a < b)%Z -> IZR a + 1 <= IZR b.
Proof. intros H. rewrite <- plus_IZR. apply IZR_le. lia. Qed.
Lemma ne_R a b : a <> b -> IZR a + 1 <= IZR b \/ IZR b + 1 <= IZR a.
Proof.
  intros H. destruct (Z.lt_total a b) as [L|[E|L]]; [left|contradiction|right]; now apply lt_R.
Qed.
Ltac push_in_all := repeat match goal with
  | |- context [IZR (?a + ?b)] => rewrite (plus_IZR a b)
  | |- context [IZR (?a - ?b)] => rewrite (minus_IZR a b)
  | |- context [IZR (?a * ?b)] => rewrite (mult_IZR a b)
  | |- context [IZR (- ?a)] => rewrite (opp_IZR a)
  | H : context [IZR (?a + ?b)] |- _ => rewrite (plus_IZR a b) in H
  | H : context [IZR (?a - ?b)] |- _ => rewrite (minus_IZR a b) in H
  | H : context [IZR (?a * ?b)] |- _ => rewrite (mult_IZR a b) in H
  | H : context [IZR (- ?a)] |- _ => rewrite (opp_IZR a) in H end.
Ltac push := repeat progress rewrite ?plus_IZR, ?minus_IZR, ?mult_IZR, ?opp_IZR.
Ltac to_R := repeat match goal with
  | H : (?a <= ?b)%Z |- _ => learn (IZR_le _ _ H)
  | H : (?a < ?b)%Z |- _ => learn (lt_R _ _ H)
  | H : (?a >= ?b)%Z |- _ => learn (IZR_ge _ _ H)
  | H : (?a > ?b)%Z |- _ => learn (lt_R _ _ (Z.gt_lt _ _ H))
  | H : @eq Z ?a ?b |- _ => learn (f_equal IZR H)
  | H : @eq Z ?a ?b -> False |- _ => apply ne_R in H; destruct H
  | H : ?a <> ?b |- _ => apply ne_R in H; destruct H end; push_in_all.

Ltac plain := first
  [ lia | lra | solve [to_R; lra]
  | solve [first [apply le_IZR | apply lt_IZR | apply eq_IZR]; to_R; lra] ].
Ltac one_of_them := repeat match goal with
  |- _ \/ _ => first [left; solve [plain] | right; solve [plain] | right] end.
(* What is not linear comes last: it takes long where it fails. *)
Ltac arith :=
  try reflexivity; try assumption;
  first
    [ solve [plain]
    | unfold steps_of in *; tests; split_facts;
      first [ solve [plain] | reflexivity | congruence
            | shapes;
              first [ solve [plain] | solve [repeat split; plain] | solve [one_of_them; plain]
                    | solve [to_R; nra] ] ] ].

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
  [ lra | exfalso; nra | to_R; first [lra | exfalso; nra] ].
Ltac supp_facts H :=
  cbn [supp] in H;
  rewrite ?exponential_supp, ?negative_exponential_supp, ?one_sided_geometric_supp,
    ?negative_one_sided_geometric_supp in H.
Ltac positive a := push; first [ solve [a] | unfold Rdiv;
  repeat first [ apply Rmult_lt_0_compat | apply Rinv_0_lt_compat ]; a ].
Ltac nonneg a := push; first [ solve [a] | unfold Rdiv; apply Rmult_le_pos;
  [ solve [a] | left; apply Rinv_0_lt_compat; a ] | left; positive a ].
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
Ltac within_budget a := push; first [ solve [a] | match goal with |- ?l <= ?r =>
  let H := fresh in
  assert (H : l = r) by (field; repeat split; first [assumption | apply Rgt_not_eq; a | a]);
  rewrite H; apply Rle_refl end
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
