"""Section 3.1: policies, and the records that they make neighbours."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction

import z3

from .....dsl.privacy.policies import Policy, Record
from ...claim import Claim, Finding, Paper, Verdict, moreover, printed, read_as, repaired, sound
from ...ways.algebra import together, valid
from ...ways.small import Law, everything, protected, records, replacements, worst_ratio

visited = Policy(sensitive={1})
table_2 = {"Bob": (1, 0), "Tom": (0, 0), "Alice": (1, 1), "Ema": (0, 1)}

# Records with any number of attributes and values, and a policy for each attribute.
Place, Value = z3.DeclareSort("attribute"), z3.DeclareSort("value")
i, j = z3.Consts("i j", Place)
r, s, t = (z3.Function(name, Place, Value) for name in ("r", "r'", "r''"))
P, Q = (z3.Function(name, Place, Value, z3.BoolSort()) for name in ("P", "Q"))


def leads(first: z3.FuncDeclRef, second: z3.FuncDeclRef, policy: z3.FuncDeclRef) -> z3.BoolRef:
    """r → r': they agree at every attribute where r is not sensitive."""
    return z3.ForAll([i], z3.Or(policy(i, first(i)), first(i) == second(i)))


# Definition 7.


@sound("the more values are sensitive, the more records are neighbours", by="Z3, all policies")
def definition_7_orders_policies(more: bool = True) -> Finding:
    """If P_i(x) <= Q_i(x) everywhere, r → r' under P gives r → r' under Q.

    So P <= Q makes (Q, ε)-ADP at least as strong as (P, ε)-ADP.
    """
    x = z3.Const("x", Value)
    below = z3.Implies(P(i, x), Q(i, x)) if more else z3.Implies(Q(i, x), P(i, x))
    known = z3.And(z3.ForAll([i, x], below), leads(r, s, P))
    return valid(z3.Implies(known, leads(r, s, Q)), "P <= Q: → of P is part of → of Q")


@moreover("as P is public, withholding just the sensitive values gives them away", by="exactly")
def definition_7_withholding_tells(sensitive: tuple[int, ...] = (1,)) -> Finding:
    """The release is x if P(x) = 0, else nothing.  Its ratio over x → x' is infinite."""
    policy = Policy(sensitive=sensitive)
    laws: dict[int, Law] = {x: {None if policy.is_sensitive(x) else x: Fraction(1)} for x in (0, 1)}
    pairs = [(x, y) for ((x,),), ((y,),) in protected(1, 1, policy)]
    told = [pair for pair in pairs if worst_ratio(laws[pair[0]], laws[pair[1]]) is None]
    return Finding(bool(told), f"sensitive {set(sensitive)}: of {pairs} told apart: {told}")


DEFINITION_7 = Claim(
    paper=Paper.ASYMMETRIC_DP,
    name="Definition 7",
    states="P_i: X_i → {0, 1} is 1 for sensitive values; all people have the same, public P",
    verdict=Verdict.DEFINITION,
    reading="a definition; the remark on publishing non-sensitive values only is checked as well",
    checks=(definition_7_orders_policies, definition_7_withholding_tells),
)


# Examples 1 and 2.


def _defines_all(numbers: Iterable[int], first: int) -> Finding:
    """Whether i runs through the attributes of Table 2, of which the first has this number."""
    attributes = {first + place for place in range(len(table_2["Bob"]))}
    missing = attributes - set(numbers)
    return Finding(not missing, f"attributes {attributes}, P_i for i = {set(numbers)}")


@read_as("attributes are numbered from 1, as in Definition 7 and Table 2", by="all cases")
def example_1_from_one(numbers: tuple[int, ...] = (0, 1)) -> Finding:
    """Each attribute needs its P_i."""
    return _defines_all(numbers, 1)


@read_as("attributes are numbered from 0", by="all cases")
def example_1_from_zero(numbers: tuple[int, ...] = (0, 1)) -> Finding:
    """Each attribute needs its P_i."""
    return _defines_all(numbers, 0)


@moreover("for i = 1, 2 exactly the visits can be hidden: 1 → 0, never 0 → 1", by="all cases")
def example_1_hides_visits(sensitive: tuple[int, ...] = (1,)) -> Finding:
    """Which values of one attribute change over r → r', for all records of Table 2's form."""
    pairs = [(a[0], b[0]) for a, b in protected(1, 2, Policy(sensitive=sensitive))]
    changes = {(x, y) for a, b in pairs for x, y in zip(a, b, strict=True) if x != y}
    return Finding(changes == {(1, 0)}, f"changes of a value: {changes}")


EXAMPLE_1 = Claim(
    paper=Paper.ASYMMETRIC_DP,
    name="Example 1",
    states="P_i(1) = 1, P_i(0) = 0, where i = 0, 1",
    verdict=Verdict.AMBIGUOUS,
    reading="only the numbering is open; i = 1, 2 is meant",
    checks=(example_1_from_one, example_1_from_zero, example_1_hides_visits),
)


@printed("under P^DP ≡ 1 every record leads to every record", by="Z3")
def example_2_relates_all(everywhere: bool = True) -> Finding:
    """For any number of attributes and values."""
    x = z3.Const("x", Value)
    policy = z3.ForAll([i, x], P(i, x)) if everywhere else z3.ForAll([x], P(j, x))
    return valid(z3.Implies(policy, leads(r, s, P)), "r → r' for all r, r'")


@moreover("N_P^DP(D) are the D' of which one record is replaced (n <= 3)", by="all cases")
def example_2_is_replacement(policy: Policy = everything) -> Finding:
    """Both relations, as sets of pairs of binary data sets."""
    same = {n: set(protected(n, 1, policy)) == set(replacements(n, 1)) for n in (1, 2, 3)}
    return Finding(all(same.values()), f"the same pairs, by n: {same}")


EXAMPLE_2 = Claim(
    paper=Paper.ASYMMETRIC_DP,
    name="Example 2",
    states="DP can be read as using P^DP(x) = 1 for all attributes",
    verdict=Verdict.TRUE,
    checks=(example_2_relates_all, example_2_is_replacement),
)


# Definition 8.


@sound("→ is reflexive and transitive for every policy", by="Z3, all policies and universes")
def definition_8_is_preorder(policy_of_first: bool = True) -> Finding:
    """If r' must keep a value of r, r' has the same, so r'' must keep it as well."""
    middle = leads(s, t, P) if policy_of_first else leads(t, s, P)
    chain = z3.Implies(z3.And(leads(r, s, P), middle), leads(r, t, P))
    return together(valid(leads(r, r, P), "r → r"), valid(chain, "r → r' → r'' gives r → r''"))


@moreover("it is symmetric iff of each attribute all values are sensitive or none", by="Z3")
def definition_8_is_directed(none_allowed: bool = True) -> Finding:
    """With x sensitive and y not, at one attribute, x leads to y and y not to x.

    Each attribute is free to stay as it is, so one attribute at a time is enough.
    """
    x, y, v, w = z3.Consts("x y v w", Value)
    there, back = z3.Or(P(j, v), v == w), z3.Or(P(j, w), v == w)
    symmetric = z3.ForAll([v, w], z3.Implies(there, back))
    alike = P(j, x) == P(j, y) if none_allowed else z3.And(P(j, x), P(j, y))
    return valid(symmetric == z3.ForAll([x, y], alike), "symmetric iff P_i is constant")


DEFINITION_8 = Claim(
    paper=Paper.ASYMMETRIC_DP,
    name="Definition 8",
    states="r is P-neighbouring to r', r → r', iff for all i: P_i(r_i) = 0 ⇒ r_i = r'_i",
    verdict=Verdict.DEFINITION,
    reading="a definition: what is checked makes it a hiding among alternatives",
    checks=(definition_8_is_preorder, definition_8_is_directed),
)


# Example 3.

Lists = Mapping[str, set[Record]]
as_printed: Lists = {"Bob": {(0, 0), (1, 0)}, "Alice": {(1, 0), (0, 1), (0, 0)}, "Tom": set()}
as_defined: Lists = {
    "Bob": {(0, 0), (1, 0)},
    "Alice": {(0, 0), (0, 1), (1, 0), (1, 1)},
    "Tom": {(0, 0)},
    "Ema": {(0, 0), (0, 1)},
}


def _led_to(name: str, itself: bool) -> set[Record]:
    """The records that someone's record leads to by Definition 8, and Example 1's policy."""
    mine = table_2[name]
    found = {o for o in records(2) if all(x == 1 or x == y for x, y in zip(mine, o, strict=True))}
    return found if itself else found - {mine}


def _lists_are_right(lists: Lists, itself: bool) -> Finding:
    wrong = {n: sorted(_led_to(n, itself)) for n in lists if _led_to(n, itself) != lists[n]}
    return Finding(not wrong, f"other than listed: {wrong}" if wrong else f"{len(lists)} lists")


@read_as("a record is a neighbour of itself, as Definition 8 says", by="all cases")
def example_3_reflexive(lists: Lists = as_printed) -> Finding:
    """Alice's list lacks [1,1], Tom's lacks [0,0]."""
    return _lists_are_right(lists, itself=True)


@read_as("a record is no neighbour of itself", by="all cases")
def example_3_irreflexive(lists: Lists = as_printed) -> Finding:
    """Bob's list has his own record."""
    return _lists_are_right(lists, itself=False)


@repaired("Bob: 00, 10; Alice: 00, 01, 10, 11; Tom: 00; Ema: 00, 01", by="all cases")
def example_3_repaired(lists: Lists = as_defined) -> Finding:
    """Each of the four binary records is tried, by Definition 8 to the letter."""
    return _lists_are_right(lists, itself=True)


EXAMPLE_3 = Claim(
    paper=Paper.ASYMMETRIC_DP,
    name="Example 3",
    states="Bob's record 10 is P-neighbouring to 00 and 10, Alice's 11 to 10, 01 and 00, Tom's 00 "
    "to none",
    verdict=Verdict.FALSE,
    reading="each list is complete; if not, Bob's still has his own record and Tom's has none; "
    "harmless later, as equal records make no neighbouring data sets",
    checks=(example_3_reflexive, example_3_irreflexive, example_3_repaired),
)


CLAIMS = (DEFINITION_7, EXAMPLE_1, EXAMPLE_2, DEFINITION_8, EXAMPLE_3)
