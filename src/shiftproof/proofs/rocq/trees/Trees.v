(** The checker of refutation trees, and that it is right.

    What [check] accepts cannot be met: no values of the unknowns, integers where they are marked
    so, and inverses where one is the inverse of another, meet all conditions ([refuted]).  The
    rules are those of the Python kernel, [checkers/kernel/trees.py], to the numbers of facts and
    the signs of equations, so that both read the same trees.  Left out are the kernel's limits of
    work, of terms, factors and bits: without them more is accepted, never what is wrong. *)
From Coq Require Import List Bool NArith ZArith QArith Reals Lra Lia.
From Shiftproof Require Import Arithmetic.
Import ListNotations.
Close Scope Q_scope.

(** A tree is a list of words, as in a certificate. *)
Inductive kind := Clash | Sum | Derive | Product | Multiple | Square | Split | Cut.
Inductive word := Step (k : kind) | Whole (z : Z) | Fraction (above : Z) (below : positive).

(** * The checker *)

Notation "'let*' x := a 'in' b" := (match a with Some x => b | None => None end)
  (at level 200, x pattern, a at level 200, b at level 200).

(** The member of a list at a place, if there is one. *)
Fixpoint item {A} (l : list A) (k : Z) : option A :=
  match l with [] => None | x :: l => if (k =? 0)%Z then Some x else item l (k - 1) end.

(** All of some conditions lead to a contradiction, by proofs that follow each other. *)
Fixpoint each (proof : condition -> list word -> option (list word))
    (members : list condition) (ws : list word) : option (list word) :=
  match members with [] => Some ws | f :: l => let* ws := proof f ws in each proof l ws end.

Section Checker.
(** Which unknowns are integers, and which one is the inverse of another.  By [names], in the order
    of their appearance, a tree calls those that it may speak of. *)
Variables (whole : N -> bool) (inverse : N -> option N) (names : list N).
Local Notation compare := (compare whole).
Local Notation times := (times inverse).

Definition fact (facts : list condition) (ws : list word) : option (condition * list word) :=
  match ws with Whole k :: ws => let* f := item facts k in Some (f, ws) | _ => None end.

(** A sum of [n] facts, each as often as is said, on top of what was summed before. *)
Fixpoint sum (facts : list condition) (n : Z) (r : relation) (p : polynomial) (ws : list word)
    {struct ws} : option (condition * list word) :=
  if (n =? 0)%Z then Some (compare r p, ws)
  else
    match ws with
    | Whole i :: Whole k :: ws =>
        match item facts i with
        | Some (Compare s q) =>
            if (k <? 0)%Z && negb (is_equal s) then None
            else sum facts (n - 1) (if (k =? 0)%Z then r else stronger r s) (add p q (k # 1)) ws
        | _ => None
        end
    | _ => None
    end.

(** The polynomials of a tree may be any, so of their reading nothing has to be shown. *)
Fixpoint factors (n : Z) (m : monomial) (ws : list word) {struct ws}
    : option (monomial * list word) :=
  if (n =? 0)%Z then Some (m, ws)
  else
    match ws with
    | Whole k :: ws => let* x := item names k in factors (n - 1) (into inverse x m) ws
    | _ => None
    end.
Definition coefficient (ws : list word) : option (Q * list word) :=
  match ws with
  | Whole a :: ws => Some (Qmake a 1, ws)
  | Fraction a b :: ws => Some (lowest (Qmake a b), ws)
  | _ => None
  end.
Fixpoint terms (fuel : nat) (n : Z) (p : polynomial) (ws : list word)
    : option (polynomial * list word) :=
  if (n =? 0)%Z then Some (p, ws)
  else
    match fuel, coefficient ws with
    | S fuel, Some (c, Whole k :: ws) =>
        let* (m, ws) := factors k [] ws in terms fuel (n - 1) (put m c p) ws
    | _, _ => None
    end.
Definition polynomial_at (ws : list word) : option (polynomial * list word) :=
  match ws with Whole n :: ws => terms (length ws) n [] ws | _ => None end.

(** What a step adds for those after it. *)
Definition further (k : kind) (facts : list condition) (ws : list word)
    : option (condition * list word) :=
  match k with
  | Derive => match ws with Whole n :: ws => sum facts n Equal [] ws | _ => None end
  | Product =>
      match fact facts ws with
      | Some (Compare r p, ws) =>
          match fact facts ws with
          | Some (Compare s q, ws) => Some (compare (product_of r s) (times p q), ws)
          | _ => None
          end
      | _ => None
      end
  | Multiple =>
      match fact facts ws with
      | Some (Compare Equal p, ws) =>
          let* (q, ws) := polynomial_at ws in Some (compare Equal (times p q), ws)
      | _ => None
      end
  | Square => let* (p, ws) := polynomial_at ws in Some (compare AtLeast (times p p), ws)
  | _ => None
  end.

(** One step, and the proofs after it; what is left of the words, if all is right. *)
Fixpoint step (fuel : nat) (facts : list condition) (ws : list word) : option (list word) :=
  match fuel, ws with
  | S fuel, Step k :: ws =>
      let under f ws := step fuel (facts ++ learn f) ws in
      match k with
      | Clash =>
          match fact facts ws with
          | Some (Flag x a, ws) =>
              match fact facts ws with
              | Some (Flag y b, ws) => if (x =? y)%N && xorb a b then Some ws else None
              | _ => None
              end
          | _ => None
          end
      | Sum =>
          match ws with
          | Whole n :: ws =>
              match sum facts n Equal [] ws with Some (Any [], ws) => Some ws | _ => None end
          | _ => None
          end
      | Split =>
          match fact facts ws with Some (Any members, ws) => each under members ws | _ => None end
      | Cut =>
          let* (p, ws) := polynomial_at ws in
          let low := compare AtLeast (scaled p (-1)) in
          let high := compare AtLeast (add p [([], 1%Q)] (-1)) in
          if is_whole whole p then each under [low; high] ws else None
      | _ => let* (f, ws) := further k facts ws in under f ws
      end
  | _, _ => None
  end.

Definition check (conditions : list condition) (tree : list word) : bool :=
  match step (length tree) (flat_map learn (map (tidied inverse) conditions)) tree with
  | Some [] => true
  | _ => false
  end.

(** * It is right *)

Variables (v : N -> R) (flag : N -> bool).
Hypothesis whole_right : forall x, whole x = true -> exists z, v x = IZR z.
Hypothesis inverse_right : forall x y, inverse x = Some y -> (v x * v y = 1)%R.
Local Notation holds := (holds v flag).
Local Notation value := (value v).

Lemma item_In {A} (l : list A) : forall k x, item l k = Some x -> In x l.
Proof.
  induction l as [|y l IH]; simpl; intros k x H; [discriminate|].
  destruct (k =? 0)%Z; [inversion H; auto|eauto].
Qed.

Lemma item_holds facts k f : Forall holds facts -> item facts k = Some f -> holds f.
Proof. rewrite Forall_forall. eauto using item_In. Qed.

Lemma fact_holds facts ws f rest :
  Forall holds facts -> fact facts ws = Some (f, rest) -> holds f.
Proof.
  intros Hf. destruct ws as [|[k|k|k l] ws]; try discriminate. simpl.
  destruct (item facts k) eqn:Hk; [|discriminate]. intros H. inversion H; subst.
  eauto using item_holds.
Qed.

Lemma sum_meets r s k x y : (0 <= k)%Z \/ s = Equal -> meets r x -> meets s y ->
  meets (if (k =? 0)%Z then r else stronger r s) (x + Q2R (k # 1) * y)%R.
Proof.
  intros Hk Hx Hy. rewrite Q2R_whole. destruct (Z.eqb_spec k 0) as [->|Hn].
  { rewrite Rmult_0_l, Rplus_0_r. exact Hx. }
  destruct Hk as [Hk| ->].
  - assert (0 < IZR k)%R by (apply IZR_lt; lia). destruct r, s; simpl in *; nra.
  - destruct r; simpl in *; nra.
Qed.

Lemma sum_holds facts : Forall holds facts -> forall ws n r p f rest,
  meets r (value p) -> sum facts n r p ws = Some (f, rest) -> holds f.
Proof.
  intros Hf. fix IH 1. intros ws n r p f rest Hp H.
  destruct ws as [|[?|i|? ?] [|[?|k|? ?] ws]]; simpl in H;
    (destruct (n =? 0)%Z; [inversion H; subst; now apply compare_right|]); try discriminate.
  destruct (item facts i) as [[s q| | |]|] eqn:Hi; try discriminate.
  destruct (_ && _) eqn:Hs in H; [discriminate|].
  refine (IH _ _ _ _ _ _ _ H). rewrite add_right. apply sum_meets; auto.
  - destruct (Z.ltb_spec k 0); [right; now destruct s|auto].
  - exact (item_holds _ _ _ Hf Hi).
Qed.

Lemma product_meets r s x y : meets r x -> meets s y -> meets (product_of r s) (x * y)%R.
Proof. destruct r, s; simpl; nra. Qed.

Lemma further_holds k facts ws f rest :
  Forall holds facts -> further k facts ws = Some (f, rest) -> holds f.
Proof.
  intros Hf. destruct k; simpl; try discriminate.
  - destruct ws as [|[?|n|? ?] ws]; try discriminate. apply sum_holds; auto. reflexivity.
  - destruct (fact facts ws) as [[[r p| | |] ws']|] eqn:Hp; try discriminate.
    destruct (fact facts ws') as [[[s q| | |] ws'']|] eqn:Hq; try discriminate.
    intros H. inversion H; subst. apply compare_right; auto. rewrite times_right by auto.
    apply product_meets; [exact (fact_holds _ _ _ _ Hf Hp)|exact (fact_holds _ _ _ _ Hf Hq)].
  - destruct (fact facts ws) as [[[[| |] p| | |] ws']|] eqn:Hp; try discriminate.
    destruct (polynomial_at ws') as [[q ws'']|]; try discriminate.
    intros H. inversion H; subst. apply compare_right; auto. rewrite times_right by auto.
    pose proof (fact_holds _ _ _ _ Hf Hp) as E. simpl in *. rewrite E. apply Rmult_0_l.
  - destruct (polynomial_at ws) as [[p ws']|]; try discriminate.
    intros H. inversion H; subst. apply compare_right; auto. rewrite times_right by auto.
    simpl. nra.
Qed.

Lemma each_holds proof : (forall f ws rest, holds f -> proof f ws = Some rest -> False) ->
  forall members ws rest, Exists holds members -> each proof members ws = Some rest -> False.
Proof.
  intros Hp members ws rest He. revert ws.
  induction He as [f l Hf|f l _ IH]; simpl; intros ws;
    destruct (proof f ws) eqn:E; try discriminate; eauto.
Qed.

Lemma any_holds l : holds (Any l) -> Exists holds l.
Proof. simpl. induction l; simpl; [contradiction|]. intros [H|H]; auto. Qed.

Local Arguments add : simpl never.
Lemma step_right fuel : forall facts ws rest,
  Forall holds facts -> step fuel facts ws = Some rest -> False.
Proof.
  induction fuel as [|fuel IH]; intros facts ws rest Hf H; [discriminate|].
  destruct ws as [|[k|?|? ?] ws]; try discriminate.
  assert (under : forall f ws rest,
    holds f -> step fuel (facts ++ learn f) ws = Some rest -> False).
  { intros f us left Hh. apply IH, Forall_app. split; auto. now apply learn_right. }
  (* Steps that add a fact do so as [further] says. *)
  assert (adding : (let* (f, us) := further k facts ws in step fuel (facts ++ learn f) us)
      = Some rest -> False).
  { destruct (further k facts ws) as [[f us]|] eqn:E; [|discriminate].
    eauto using further_holds. }
  destruct k; try exact (adding H); clear adding; simpl in H.
  - destruct (fact facts ws) as [[[|x a| |] us]|] eqn:Hx; try discriminate.
    destruct (fact facts us) as [[[|y b| |] us']|] eqn:Hy; try discriminate.
    destruct (N.eqb_spec x y) as [->|]; [|discriminate].
    apply (fact_holds _ _ _ _ Hf) in Hx, Hy. simpl in Hx, Hy.
    rewrite <- Hx, <- Hy in H. rewrite xorb_nilpotent in H. discriminate.
  - destruct ws as [|[?|n|? ?] ws]; try discriminate.
    destruct (sum facts n Equal [] ws) as [[[| | |[|]] us]|] eqn:E; try discriminate.
    apply (sum_holds _ Hf) in E; [exact E|reflexivity].
  - destruct (fact facts ws) as [[[| | |members] us]|] eqn:E; try discriminate.
    apply (fact_holds _ _ _ _ Hf) in E. exact (each_holds _ under _ _ _ (any_holds _ E) H).
  - destruct (polynomial_at ws) as [[p us]|]; [|discriminate].
    destruct (is_whole whole p) eqn:Hw; [|discriminate].
    refine (each_holds _ under [_; _] _ _ _ H).
    destruct (is_whole_right whole v whole_right p Hw) as [z Hz].
    destruct (Z_le_gt_dec z 0) as [Hl|Hg];
      [apply Exists_cons_hd|apply Exists_cons_tl, Exists_cons_hd];
      apply compare_right; auto; unfold scaled; rewrite add_right; simpl; rewrite Hz;
      unfold Q2R; simpl.
    + apply IZR_le in Hl. lra.
    + assert (1 <= z)%Z as Hz1%IZR_le by lia. lra.
Qed.

(** What is accepted has no model. *)
Theorem refuted conditions tree :
  check conditions tree = true -> ~ Forall holds conditions.
Proof.
  unfold check. intros H Hc. destruct (step _ _ tree) as [rest|] eqn:E; [|discriminate].
  refine (step_right _ _ _ _ _ E). clear E H rest.
  induction Hc as [|f l Hf _ IH]; simpl; [constructor|].
  apply Forall_app. split; auto. apply learn_right. now apply tidied_right.
Qed.
End Checker.
