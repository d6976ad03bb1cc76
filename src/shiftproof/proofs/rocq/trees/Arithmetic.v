(** Arithmetic of the checker of trees: polynomials, conditions on them, and what they mean.

    Each function is one of the Python kernel's [arithmetic.py], and is shown to keep the values of
    polynomials and the truth of conditions. *)
From Coq Require Import List Bool NArith ZArith QArith Qreals Qround Reals Lra Lia.
Import ListNotations.
Close Scope Q_scope.

(** Unknowns are numbers, in the order in which the kernel sorts their names.  A product of unknowns
    is in order, and a polynomial in the order of its products, with coefficients in lowest terms
    that are not zero: of equal polynomials there is one, and the first product is the kernel's. *)
Definition monomial := list N.
Definition polynomial := list (monomial * Q).

(** How a polynomial compares with zero. *)
Inductive relation := Above | AtLeast | Equal.

Inductive condition :=
| Compare (r : relation) (p : polynomial)
| Flag (x : N) (b : bool)
| All (members : list condition)
| Any (members : list condition).

Definition truth := All [].
Definition falsity := Any [].

(** * Numbers and polynomials *)

Definition lowest (c : Q) : Q := if (Qden c =? 1)%positive then c else Qred c.
Definition is_zero (c : Q) : bool := (Qnum c =? 0)%Z.

(** A product is before another where it is so at the first difference, or ends earlier. *)
Fixpoint order (m n : monomial) : comparison :=
  match m, n with
  | [], [] => Eq
  | [], _ :: _ => Lt
  | _ :: _, [] => Gt
  | x :: m, y :: n => match (x ?= y)%N with Eq => order m n | c => c end
  end.

Fixpoint put (m : monomial) (c : Q) (p : polynomial) : polynomial :=
  match p with
  | [] => if is_zero c then [] else [(m, c)]
  | (n, d) :: q =>
      match order m n with
      | Lt => if is_zero c then p else (m, c) :: p
      | Eq => let s := lowest (c + d) in if is_zero s then q else (n, s) :: q
      | Gt => (n, d) :: put m c q
      end
  end.

(** [p + k q] *)
Fixpoint add (p q : polynomial) (k : Q) : polynomial :=
  match q with [] => p | (m, c) :: q => put m (lowest (k * c)) (add p q k) end.

Definition scaled (p : polynomial) (k : Q) : polynomial := add [] p k.

Fixpoint insert (x : N) (m : monomial) : monomial :=
  match m with [] => [x] | y :: n => if (x <=? y)%N then x :: m else y :: insert x n end.

(** A product with one factor [x] less, if it has one. *)
Fixpoint without (x : N) (m : monomial) : option monomial :=
  match m with
  | [] => None
  | y :: n => if (x =? y)%N then Some n else option_map (cons y) (without x n)
  end.

Definition constant (p : polynomial) : Q := match p with ([], c) :: _ => c | _ => 0%Q end.
Definition varying (p : polynomial) : polynomial := match p with ([], _) :: q => q | _ => p end.

(** The number by which coefficients have to be multiplied to be integers without a common factor;
    that it does so is nowhere needed, only that it is above zero. *)
Definition common_denominator (p : polynomial) : Z :=
  fold_right (fun t => Z.lcm (Zpos (Qden (snd t)))) 1%Z p.
Definition common_factor (least : Z) (p : polynomial) : Z :=
  fold_right (fun t => Z.gcd (Qnum (snd t) * (least / Zpos (Qden (snd t))))) 0%Z p.
Definition size (p : polynomial) : Q :=
  let least := common_denominator p in
  lowest (Zpos (Z.to_pos least) # Z.to_pos (common_factor least p)).

Definition product_of (r s : relation) : relation :=
  match r, s with Equal, _ | _, Equal => Equal | Above, Above => Above | _, _ => AtLeast end.
Definition stronger (r s : relation) : relation :=
  match r, s with
  | Above, _ | _, Above => Above
  | AtLeast, _ | _, AtLeast => AtLeast
  | Equal, Equal => Equal
  end.
Definition is_equal (r : relation) : bool := match r with Equal => true | _ => false end.

(** What is said of a number. *)
Definition decided (r : relation) (c : Q) : bool :=
  match r with Above => 0 <? Qnum c | AtLeast => 0 <=? Qnum c | Equal => Qnum c =? 0 end%Z.

(** The members of a conjunction are facts, each with a number of its own. *)
Fixpoint learn (f : condition) : list condition :=
  match f with All members => flat_map learn members | _ => [f] end.

Section Arithmetic.
(** Which unknowns are integers, and which one is the inverse of another. *)
Variables (whole : N -> bool) (inverse : N -> option N).

(** One factor more, or its inverse less. *)
Definition into (x : N) (m : monomial) : monomial :=
  match inverse x with
  | Some y => match without y m with Some n => n | None => insert x m end
  | None => insert x m
  end.
Definition multiplied (m n : monomial) : monomial := fold_right into m n.

Fixpoint shifted (m : monomial) (c : Q) (q : polynomial) : polynomial :=
  match q with
  | [] => []
  | (n, d) :: q => put (multiplied m n) (lowest (c * d)) (shifted m c q)
  end.
Fixpoint times (p q : polynomial) : polynomial :=
  match p with [] => [] | (m, c) :: p => add (times p q) (shifted m c q) 1 end.

(** Conditions as somebody wrote them, with their polynomials in order. *)
Definition ordered (p : polynomial) : polynomial :=
  fold_right (fun t => put (multiplied [] (fst t)) (lowest (snd t))) [] p.
Fixpoint tidied (f : condition) : condition :=
  match f with
  | Compare r p => Compare r (ordered p)
  | Flag x b => Flag x b
  | All l => All (map tidied l)
  | Any l => Any (map tidied l)
  end.

Definition is_whole (p : polynomial) : bool :=
  forallb (fun t => (Qden (snd t) =? 1)%positive && forallb whole (fst t)) p.

(** A comparison with zero: decided if it is of a number, and of integers as sharp as can be. *)
Definition compare (r : relation) (p : polynomial) : condition :=
  match varying p with
  | [] => if decided r (constant p) then truth else falsity
  | (_, first) :: _ =>
      let k := size (varying p) in
      let turned := is_equal r && (Qnum first <? 0)%Z in
      let q := scaled p (if turned then Qopp k else k) in
      let free := constant q in
      let above tight := Compare AtLeast (put [] (tight # 1) (varying q)) in
      if negb (is_whole (varying q)) then Compare r q
      else
        match r with
        | Equal =>
            if (Qnum free mod Zpos (Qden free) =? 0)%Z then Compare Equal q else falsity
        | AtLeast => above (Qfloor free)
        | Above => above (Qceiling free - 1)%Z
        end
  end.

(** * What it means *)

Open Scope R_scope.
(** Values of the unknowns, and of the Booleans. *)
Variables (v : N -> R) (flag : N -> bool).
Hypothesis whole_right : forall x, whole x = true -> exists z, v x = IZR z.
Hypothesis inverse_right : forall x y, inverse x = Some y -> v x * v y = 1.

Definition power (m : monomial) : R := fold_right (fun x r => v x * r) 1 m.
Definition value (p : polynomial) : R :=
  fold_right (fun t r => Q2R (snd t) * power (fst t) + r) 0 p.
Definition meets (r : relation) (x : R) : Prop :=
  match r with Above => 0 < x | AtLeast => 0 <= x | Equal => x = 0 end.
Fixpoint holds (f : condition) : Prop :=
  match f with
  | Compare r p => meets r (value p)
  | Flag x b => flag x = b
  | All l => fold_right (fun g rest => holds g /\ rest) True l
  | Any l => fold_right (fun g rest => holds g \/ rest) False l
  end.

Lemma lowest_right c : Q2R (lowest c) = Q2R c.
Proof.
  unfold lowest. destruct (Qden c =? 1)%positive; [reflexivity|].
  apply Qeq_eqR, Qred_correct.
Qed.

Lemma is_zero_right c : is_zero c = true -> Q2R c = 0.
Proof. unfold is_zero, Q2R. intros H%Z.eqb_eq. rewrite H. lra. Qed.

Lemma order_right m : forall n, order m n = Eq -> m = n.
Proof.
  induction m as [|x m IH]; intros [|y n]; simpl; try discriminate; auto.
  destruct (N.compare_spec x y) as [->| |]; try discriminate. intros H. f_equal; auto.
Qed.

Lemma put_right m c p : value (put m c p) = Q2R c * power m + value p.
Proof.
  induction p as [|[n d] p IH]; simpl.
  - destruct (is_zero c) eqn:Hc; [rewrite (is_zero_right c Hc)|]; simpl; lra.
  - destruct (order m n) eqn:Hm.
    + apply order_right in Hm as ->.
      assert (Hs : Q2R (lowest (c + d)) = Q2R c + Q2R d) by now rewrite lowest_right, Q2R_plus.
      destruct (is_zero (lowest (c + d))) eqn:Hz; [apply is_zero_right in Hz|]; simpl; nra.
    + destruct (is_zero c) eqn:Hc; [rewrite (is_zero_right c Hc)|]; simpl; lra.
    + simpl. rewrite IH. lra.
Qed.

Lemma add_right p q k : value (add p q k) = value p + Q2R k * value q.
Proof.
  induction q as [|[m c] q IH]; simpl; [lra|].
  rewrite put_right, IH, lowest_right, Q2R_mult. ring.
Qed.

Lemma scaled_right p k : value (scaled p k) = Q2R k * value p.
Proof. unfold scaled. rewrite add_right. simpl. lra. Qed.

Lemma insert_right x m : power (insert x m) = v x * power m.
Proof.
  induction m as [|y m IH]; simpl; auto.
  destruct (x <=? y)%N; simpl; auto. rewrite IH. ring.
Qed.

Lemma without_right x m : forall n, without x m = Some n -> power m = v x * power n.
Proof.
  induction m as [|y m IH]; simpl; intros n H; [discriminate|].
  destruct (N.eqb_spec x y) as [->|]; [now inversion H|].
  destruct (without x m) as [l|]; inversion H; subst. simpl. rewrite (IH l eq_refl). ring.
Qed.

Lemma into_right x m : power (into x m) = v x * power m.
Proof.
  unfold into. destruct (inverse x) as [y|] eqn:Hx; [|apply insert_right].
  destruct (without y m) as [n|] eqn:Hy; [|apply insert_right].
  rewrite (without_right _ _ _ Hy), <- Rmult_assoc, (inverse_right _ _ Hx). ring.
Qed.

Lemma multiplied_right m n : power (multiplied m n) = power m * power n.
Proof. induction n as [|x n IH]; simpl; [ring|]. rewrite into_right, IH. ring. Qed.

Lemma shifted_right m c q : value (shifted m c q) = Q2R c * power m * value q.
Proof.
  induction q as [|[n d] q IH]; simpl; [ring|].
  rewrite put_right, IH, multiplied_right, lowest_right, Q2R_mult. ring.
Qed.

Lemma one_right : Q2R 1 = 1.
Proof. unfold Q2R. simpl. lra. Qed.

Lemma times_right p q : value (times p q) = value p * value q.
Proof.
  induction p as [|[m c] p IH]; simpl; [ring|].
  rewrite add_right, shifted_right, IH, one_right. ring.
Qed.

Lemma ordered_right p : value (ordered p) = value p.
Proof.
  induction p as [|[m c] p IH]; simpl; [reflexivity|].
  rewrite put_right, IH, multiplied_right, lowest_right. simpl. ring.
Qed.

Lemma parts p : value p = Q2R (constant p) + value (varying p).
Proof. destruct p as [|[[|x m] c] p]; simpl; unfold Q2R; simpl; lra. Qed.

(** * Comparisons *)

Lemma whole_power m : forallb whole m = true -> exists z, power m = IZR z.
Proof.
  induction m as [|x m IH]; simpl; [now exists 1%Z|]. intros [Hx Hm]%andb_prop.
  destruct (whole_right x Hx) as [z ->], (IH Hm) as [y ->].
  exists (z * y)%Z. now rewrite mult_IZR.
Qed.

Lemma is_whole_right p : is_whole p = true -> exists z, value p = IZR z.
Proof.
  induction p as [|[m [a b]] p IH]; simpl; [now exists 0%Z|].
  intros [[Hb Hm]%andb_prop Hp]%andb_prop. destruct b; try discriminate.
  destruct (whole_power m Hm) as [z ->], (IH Hp) as [y ->].
  exists (a * z + y)%Z. rewrite plus_IZR, mult_IZR. unfold Q2R. simpl. lra.
Qed.

Lemma Q2R_fraction c : Q2R c * IZR (Zpos (Qden c)) = IZR (Qnum c).
Proof. unfold Q2R. field. apply IZR_neq. discriminate. Qed.

Lemma den_positive c : 0 < IZR (Zpos (Qden c)).
Proof. now apply IZR_lt. Qed.

Lemma decided_right r c : meets r (Q2R c) -> decided r c = true.
Proof.
  pose proof (Q2R_fraction c) as E. pose proof (den_positive c) as Hd.
  destruct r; simpl; intros H;
    [apply Z.ltb_lt, lt_IZR|apply Z.leb_le, le_IZR|apply Z.eqb_eq, eq_IZR]; nra.
Qed.

Lemma size_positive p : 0 < Q2R (size p).
Proof.
  unfold size. rewrite lowest_right. unfold Q2R. simpl.
  apply Rmult_lt_0_compat; [|apply Rinv_0_lt_compat]; now apply IZR_lt.
Qed.

(** Of an integer and a fraction: what is known of their sum is known of the integer. *)
Lemma sharp_at_least z c : 0 <= IZR z + Q2R c -> 0 <= IZR z + IZR (Qfloor c).
Proof.
  intros H. pose proof (Qlt_Rlt _ _ (Qlt_floor c)) as Hc. unfold Q2R in Hc at 2. simpl in Hc.
  rewrite <- plus_IZR. apply IZR_le.
  assert (IZR (-1) < IZR (z + Qfloor c)) as Hz%lt_IZR; [|lia].
  rewrite plus_IZR in *. lra.
Qed.

Lemma sharp_above z c : 0 < IZR z + Q2R c -> 0 <= IZR z + IZR (Qceiling c - 1).
Proof.
  intros H. pose proof (Qle_Rle _ _ (Qle_ceiling c)) as Hc. unfold Q2R in Hc at 2. simpl in Hc.
  rewrite <- plus_IZR. apply IZR_le.
  assert (IZR 0 < IZR (z + Qceiling c)) as Hz%lt_IZR; [|lia].
  rewrite plus_IZR. lra.
Qed.

Lemma sharp_equal z c : IZR z + Q2R c = 0 -> (Qnum c mod Zpos (Qden c) = 0)%Z.
Proof.
  intros H. pose proof (Q2R_fraction c) as E.
  replace (Q2R c) with (- IZR z) in E by lra.
  rewrite <- opp_IZR, <- mult_IZR in E. apply eq_IZR in E. rewrite <- E. now apply Z.mod_mul.
Qed.

Lemma Q2R_whole z : Q2R (z # 1) = IZR z.
Proof. unfold Q2R. simpl. lra. Qed.

Lemma compare_right r p : meets r (value p) -> holds (compare r p).
Proof.
  intros H. unfold compare. pose proof (parts p) as E.
  destruct (varying p) as [|[m c] inner] eqn:Hv.
  { simpl in E. rewrite E, Rplus_0_r in H. rewrite (decided_right _ _ H). exact I. }
  rewrite <- Hv. clear E Hv. set (k := size (varying p)). set (turned := is_equal r && _).
  assert (Hq : meets r (value (scaled p (if turned then Qopp k else k)))).
  { rewrite scaled_right. pose proof (size_positive (varying p)) as Hk. fold k in Hk.
    unfold turned. destruct r; simpl in *; nra. }
  set (q := scaled p _) in *. clearbody q. rewrite parts in Hq.
  destruct (is_whole (varying q)) eqn:Hw; simpl; [|now rewrite parts].
  destruct (is_whole_right _ Hw) as [z Hz]. rewrite Hz, Rplus_comm in Hq.
  destruct r; simpl in *.
  - rewrite put_right, Hz, Q2R_whole. simpl. pose proof (sharp_above _ _ Hq). lra.
  - rewrite put_right, Hz, Q2R_whole. simpl. pose proof (sharp_at_least _ _ Hq). lra.
  - rewrite (sharp_equal _ _ Hq). simpl. rewrite parts, Hz. lra.
Qed.

(** * Conditions *)

(** Induction on conditions, with the members of a condition. *)
Lemma condition_members (P : condition -> Prop) :
  (forall r p, P (Compare r p)) -> (forall x b, P (Flag x b)) ->
  (forall l, Forall P l -> P (All l)) -> (forall l, Forall P l -> P (Any l)) -> forall f, P f.
Proof.
  intros HC HF HA HO. fix IH 1. intros [r p|x b|l|l];
    [apply HC|apply HF|apply HA|apply HO]; induction l; constructor; auto.
Qed.

Lemma learn_right f : holds f -> Forall holds (learn f).
Proof.
  induction f as [r p|x b|l IH|l IH] using condition_members; intros H;
    try (constructor; [exact H|constructor]).
  simpl in *. induction IH as [|f l Hf _ IHl]; simpl in *; [constructor|].
  apply Forall_app. split; [apply Hf|apply IHl]; apply H.
Qed.

Lemma tidied_right f : holds f -> holds (tidied f).
Proof.
  induction f as [r p|x b|l IH|l IH] using condition_members; simpl; auto.
  - now rewrite ordered_right.
  - induction IH; simpl; intuition.
  - induction IH; simpl; intuition.
Qed.
End Arithmetic.
