(** Whatever is known, and asked for, as formulas of real numbers with "and", "or" and "not".

    [lra] goes through the cases of such a formula itself, much faster than tactics can, and looks
    only at those that matter.  It sees no integers, tests or truth values: what these are is said
    here of real numbers, by equivalences that are put together along the formula. *)
From Shiftproof Require Import Statements.
From Coq Require Export Lra Lia.

(** * Integers *)

Lemma plus_as_real a b x y : IZR a = x -> IZR b = y -> IZR (a + b) = x + y.
Proof. intros <- <-. apply plus_IZR. Qed.
Lemma minus_as_real a b x y : IZR a = x -> IZR b = y -> IZR (a - b) = x - y.
Proof. intros <- <-. apply minus_IZR. Qed.
Lemma mult_as_real a b x y : IZR a = x -> IZR b = y -> IZR (a * b) = x * y.
Proof. intros <- <-. apply mult_IZR. Qed.
Lemma opp_as_real a x : IZR a = x -> IZR (- a) = - x.
Proof. intros <-. apply opp_IZR. Qed.
Lemma lt_R a b : (a < b)%Z -> IZR a + 1 <= IZR b.
Proof. intros H. rewrite <- plus_IZR. apply IZR_le. lia. Qed.
Lemma ne_R a b : a <> b -> IZR a + 1 <= IZR b \/ IZR b + 1 <= IZR a.
Proof.
  intros H. destruct (Z.lt_total a b) as [L|[E|L]]; [left|contradiction|right]; now apply lt_R.
Qed.
Lemma le_as_real a b x y : IZR a = x -> IZR b = y -> (a <= b)%Z <-> x <= y.
Proof. intros <- <-. split; [apply IZR_le|apply le_IZR]. Qed.
Lemma lt_as_real a b x y : IZR a = x -> IZR b = y -> (a < b)%Z <-> x + 1 <= y.
Proof.
  intros <- <-. split; [apply lt_R|]. intros H. apply lt_IZR. lra.
Qed.
Lemma eq_as_real a b x y : IZR a = x -> IZR b = y -> a = b <-> x = y.
Proof. intros <- <-. split; [intros ->; reflexivity|apply eq_IZR]. Qed.
Lemma ne_as_real a b x y : IZR a = x -> IZR b = y -> a <> b <-> x + 1 <= y \/ y + 1 <= x.
Proof.
  intros <- <-. split; [apply ne_R|]. intros H ->. lra.
Qed.

(** * Connectives, and truth values *)

Lemma or_alike A B C D : A <-> C -> B <-> D -> A \/ B <-> C \/ D.
Proof. tauto. Qed.
Lemma and_alike A B C D : A <-> C -> B <-> D -> A /\ B <-> C /\ D.
Proof. tauto. Qed.
Lemma not_alike A C : A <-> C -> ~ A <-> ~ C.
Proof. tauto. Qed.
Lemma via (A B C : Prop) : A <-> B -> B <-> C -> A <-> C.
Proof. tauto. Qed.
Lemma Rleb_truth a b : Rleb a b = true <-> a <= b.
Proof. destruct (Rleb_spec a b); split; intros; try congruence; lra. Qed.
Lemma Rltb_truth a b : Rltb a b = true <-> a < b.
Proof. destruct (Rltb_spec a b); split; intros; try congruence; lra. Qed.
Lemma Reqb_truth a b : Reqb a b = true <-> a = b.
Proof. destruct (Reqb_spec a b); split; intros; congruence. Qed.
Lemma untrue b P : b = true <-> P -> b = false <-> ~ P.
Proof. intros <-. destruct b; intuition congruence. Qed.
Lemma negb_truth b P : b = true <-> P -> negb b = true <-> ~ P.
Proof. intros <-. destruct b; simpl; intuition congruence. Qed.
Lemma andb_truth b c P Q : b = true <-> P -> c = true <-> Q -> b && c = true <-> P /\ Q.
Proof. intros <- <-. apply andb_true_iff. Qed.
Lemma orb_truth b c P Q : b = true <-> P -> c = true <-> Q -> b || c = true <-> P \/ Q.
Proof. intros <- <-. apply orb_true_iff. Qed.
Lemma same_truth b c P Q : b = true <-> P -> c = true <-> Q -> b = c <-> P /\ Q \/ ~ P /\ ~ Q.
Proof. intros <- <-. destruct b, c; intuition congruence. Qed.
Lemma eqb_truth b c P Q : b = true <-> P -> c = true <-> Q ->
  Bool.eqb b c = true <-> P /\ Q \/ ~ P /\ ~ Q.
Proof. intros <- <-. destruct b, c; simpl; intuition congruence. Qed.
Lemma if_truth (b c d : bool) P Q E : b = true <-> P -> c = true <-> Q -> d = true <-> E ->
  (if b then c else d) = true <-> P /\ Q \/ ~ P /\ E.
Proof. intros <- <- <-. destruct b; intuition congruence. Qed.
(* Of other truths it is a number whether they hold, as [lra] does not look into propositions. *)
Definition bit (b : bool) : R := if b then 1 else 0.
Lemma bit_truth b : b = true <-> 1 <= bit b.
Proof. destruct b; simpl; split; intros; try congruence; lra. Qed.
Lemma true_truth : true = true <-> True.
Proof. tauto. Qed.
Lemma false_truth : false = true <-> False.
Proof. split; [discriminate|tauto]. Qed.

(** * What a formula says of real numbers: a proof that it is the same *)

Ltac pushed a := lazymatch a with
  | (?a + ?b)%Z => let p := pushed a in let q := pushed b in constr:(plus_as_real a b _ _ p q)
  | (?a - ?b)%Z => let p := pushed a in let q := pushed b in constr:(minus_as_real a b _ _ p q)
  | (?a * ?b)%Z => let p := pushed a in let q := pushed b in constr:(mult_as_real a b _ _ p q)
  | (- ?a)%Z => let p := pushed a in constr:(opp_as_real a _ p)
  | _ => constr:(eq_refl (IZR a)) end.
Ltac real_iff P := lazymatch P with
  | (?a <= ?b)%Z => let p := pushed a in let q := pushed b in constr:(le_as_real a b _ _ p q)
  | (?a < ?b)%Z => let p := pushed a in let q := pushed b in constr:(lt_as_real a b _ _ p q)
  | (?a >= ?b)%Z => let p := real_iff (b <= a)%Z in constr:(via _ _ _ (Z.ge_le_iff a b) p)
  | (?a > ?b)%Z => let p := real_iff (b < a)%Z in constr:(via _ _ _ (Z.gt_lt_iff a b) p)
  | @eq Z ?a ?b => let p := pushed a in let q := pushed b in constr:(eq_as_real a b _ _ p q)
  | @eq Z ?a ?b -> False =>
      let p := pushed a in let q := pushed b in constr:(ne_as_real a b _ _ p q)
  | ?a <> ?b => let p := pushed a in let q := pushed b in constr:(ne_as_real a b _ _ p q)
  | ?A \/ ?B => let p := real_iff A in let q := real_iff B in constr:(or_alike A B _ _ p q)
  | ?A /\ ?B => let p := real_iff A in let q := real_iff B in constr:(and_alike A B _ _ p q)
  | ~ ?A => let p := real_iff A in constr:(not_alike A _ p)
  | ?b = true => truth b
  | ?b = false => let p := truth b in constr:(untrue b _ p)
  | @eq bool ?b ?c =>
      let p := truth b in let q := truth c in constr:(same_truth b c _ _ p q)
  | _ => constr:(iff_refl P) end
with truth b := lazymatch b with
  | Rleb ?x ?y => constr:(Rleb_truth x y)
  | Rltb ?x ?y => constr:(Rltb_truth x y)
  | Reqb ?x ?y => constr:(Reqb_truth x y)
  | Z.leb ?x ?y => let p := real_iff (x <= y)%Z in constr:(via _ _ _ (Z.leb_le x y) p)
  | Z.ltb ?x ?y => let p := real_iff (x < y)%Z in constr:(via _ _ _ (Z.ltb_lt x y) p)
  | Z.eqb ?x ?y => let p := real_iff (x = y) in constr:(via _ _ _ (Z.eqb_eq x y) p)
  | negb ?x => let p := truth x in constr:(negb_truth x _ p)
  | andb ?x ?y => let p := truth x in let q := truth y in constr:(andb_truth x y _ _ p q)
  | orb ?x ?y => let p := truth x in let q := truth y in constr:(orb_truth x y _ _ p q)
  | Bool.eqb ?x ?y => let p := truth x in let q := truth y in constr:(eqb_truth x y _ _ p q)
  | if ?x then ?y else ?z => let p := truth x in let q := truth y in let r := truth z in
      constr:(if_truth x y z _ _ _ p q r)
  | true => constr:(true_truth)
  | false => constr:(false_truth)
  | _ => constr:(bit_truth b) end.

(** * Numbers that are made by tests, and absolute values: which they are in each case *)

Lemma if_le {X} a b (u v : X) : a <= b /\ (if Rleb a b then u else v) = u \/
  b < a /\ (if Rleb a b then u else v) = v.
Proof. destruct (Rleb_spec a b); auto. Qed.
Lemma if_lt {X} a b (u v : X) : a < b /\ (if Rltb a b then u else v) = u \/
  b <= a /\ (if Rltb a b then u else v) = v.
Proof. destruct (Rltb_spec a b); auto. Qed.
Lemma if_eq {X} a b (u v : X) : a = b /\ (if Reqb a b then u else v) = u \/
  a <> b /\ (if Reqb a b then u else v) = v.
Proof. destruct (Reqb_spec a b); auto. Qed.
Lemma if_leZ {X} a b (u v : X) : (a <= b)%Z /\ (if Z.leb a b then u else v) = u \/
  (b < a)%Z /\ (if Z.leb a b then u else v) = v.
Proof. destruct (Z.leb_spec a b); auto. Qed.
Lemma if_ltZ {X} a b (u v : X) : (a < b)%Z /\ (if Z.ltb a b then u else v) = u \/
  (b <= a)%Z /\ (if Z.ltb a b then u else v) = v.
Proof. destruct (Z.ltb_spec a b); auto. Qed.
Lemma if_eqZ {X} a b (u v : X) : a = b /\ (if Z.eqb a b then u else v) = u \/
  a <> b /\ (if Z.eqb a b then u else v) = v.
Proof. destruct (Z.eqb_spec a b); auto. Qed.
Lemma abs_cases a : 0 <= a /\ Rabs a = a \/ a < 0 /\ Rabs a = - a.
Proof. unfold Rabs. destruct (Rcase_abs a); [right|left]; split; lra. Qed.
Lemma min_cases a b : a <= b /\ Rmin a b = a \/ b < a /\ Rmin a b = b.
Proof. unfold Rmin. destruct (Rle_dec a b); [left|right]; split; lra. Qed.
Lemma max_cases a b : a <= b /\ Rmax a b = b \/ b < a /\ Rmax a b = a.
Proof. unfold Rmax. destruct (Rle_dec a b); [left|right]; split; lra. Qed.
Lemma if_other {X} b (u v : X) P : b = true <-> P ->
  P /\ (if b then u else v) = u \/ ~ P /\ (if b then u else v) = v.
Proof. intros <-. destruct b; intuition congruence. Qed.

(* The number [t], of which [p] says all that is needed, becomes any number. *)
Ltac by_cases p t :=
  let n := fresh "n" in pose proof p; set (n := t) in *; clearbody n.
Ltac cases_of t := lazymatch t with
  | if Rleb ?a ?b then ?u else ?v => by_cases (if_le a b u v) t
  | if Rltb ?a ?b then ?u else ?v => by_cases (if_lt a b u v) t
  | if Reqb ?a ?b then ?u else ?v => by_cases (if_eq a b u v) t
  | if Z.leb ?a ?b then ?u else ?v => by_cases (if_leZ a b u v) t
  | if Z.ltb ?a ?b then ?u else ?v => by_cases (if_ltZ a b u v) t
  | if Z.eqb ?a ?b then ?u else ?v => by_cases (if_eqZ a b u v) t
  | if ?b then ?u else ?v => let p := truth b in by_cases (if_other b u v _ p) t
  | Rabs ?a => by_cases (abs_cases a) t
  | Rmin ?a ?b => by_cases (min_cases a b) t
  | Rmax ?a ?b => by_cases (max_cases a b) t
  | Z.abs ?a => by_cases (Z.abs_spec a) t
  | IZR (?a + ?b) => by_cases (plus_IZR a b) t
  | IZR (?a - ?b) => by_cases (minus_IZR a b) t
  | IZR (?a * ?b) => by_cases (mult_IZR a b) t
  | IZR (- ?a) => by_cases (opp_IZR a) t end.
Ltac is_number u := let t := type of u in lazymatch t with R => idtac | Z => idtac end.
Ltac known_cases := repeat match goal with
  | _ : context [if ?c then ?u else ?v] |- _ => is_number u; cases_of (if c then u else v)
  | _ : context [Rabs ?a] |- _ => cases_of (Rabs a)
  | _ : context [Rmin ?a ?b] |- _ => cases_of (Rmin a b)
  | _ : context [Rmax ?a ?b] |- _ => cases_of (Rmax a b)
  | _ : context [Z.abs ?a] |- _ => cases_of (Z.abs a) end.
Ltac cases := repeat match goal with
  | |- context [if ?c then ?u else ?v] => is_number u; cases_of (if c then u else v)
  | |- context [Rabs ?a] => cases_of (Rabs a)
  | |- context [Rmin ?a ?b] => cases_of (Rmin a b)
  | |- context [Rmax ?a ?b] => cases_of (Rmax a b)
  | |- context [Z.abs ?a] => cases_of (Z.abs a) end; known_cases.

(** * All that is known, and what is asked for *)

Ltac not_yet_real P := lazymatch P with
  | (_ <= _)%Z => idtac | (_ < _)%Z => idtac | (_ >= _)%Z => idtac | (_ > _)%Z => idtac
  | @eq Z _ _ => idtac | @eq bool _ _ => idtac
  | ~ ?A => not_yet_real A | @eq Z _ _ -> False => idtac
  | ?A \/ ?B => first [not_yet_real A | not_yet_real B]
  | ?A /\ ?B => first [not_yet_real A | not_yet_real B] end.
Ltac say_real H := let P := type of H in let p := real_iff P in
  let q := fresh in pose proof (proj1 p H) as q; clear H.
(* Of what is put together each is looked at once, and stands in the goal until all were. *)
Ltac look_at H := let P := type of H in
  tryif not_yet_real P then (let p := real_iff P in generalize (proj1 p H)) else generalize H;
  clear H.
Ltac said_real :=
  repeat match goal with
  | H : (_ <= _)%Z |- _ => say_real H
  | H : (_ < _)%Z |- _ => say_real H
  | H : @eq Z _ _ |- _ => say_real H
  | H : @eq bool _ _ |- _ => say_real H
  | H : (_ >= _)%Z |- _ => say_real H
  | H : (_ > _)%Z |- _ => say_real H end;
  repeat match goal with
  | H : _ \/ _ |- _ => look_at H
  | H : _ /\ _ |- _ => look_at H
  | H : ~ _ |- _ => look_at H
  | H : @eq Z _ _ -> False |- _ => look_at H end;
  intros.
Ltac goal_real :=
  try match goal with |- ?P => not_yet_real P; let p := real_iff P in apply (proj2 p) end;
  repeat match goal with
  | |- context [IZR (?a + ?b)] => cases_of (IZR (a + b))
  | |- context [IZR (?a - ?b)] => cases_of (IZR (a - b))
  | |- context [IZR (?a * ?b)] => cases_of (IZR (a * b))
  | |- context [IZR (- ?a)] => cases_of (IZR (- a))
  | _ : context [IZR (?a + ?b)] |- _ => cases_of (IZR (a + b))
  | _ : context [IZR (?a - ?b)] |- _ => cases_of (IZR (a - b))
  | _ : context [IZR (?a * ?b)] |- _ => cases_of (IZR (a * b))
  | _ : context [IZR (- ?a)] |- _ => cases_of (IZR (- a)) end.
Ltac all_real := said_real; goal_real.

(** What is asked for mostly needs those cases alone that are about the same variables, and many
    cases take long. *)
Ltac about_the_same P := match goal with
  | v : R |- ?G =>
      lazymatch G with context [v] => lazymatch P with context [v] => idtac end end end.
Ltac less_is_known := repeat match goal with
  | H : ?A \/ ?B |- _ => tryif about_the_same (A \/ B) then fail else clear H end.
Ltac by_lra := first [solve [less_is_known; lra] | lra].
