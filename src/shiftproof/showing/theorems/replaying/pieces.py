"""That a shift of real noise is made of pieces: the cases of its tests, as a term of the theory."""

from __future__ import annotations

from ..words.terms import NoTheorem, Term, negated, number, real, text


def pieces(shift: Term, drawn: str) -> str:
    """A proof that ``x + shift`` is made of translations.

    Raises:
        NoTheorem: the draw stands elsewhere than in a comparison.
    """
    if shift.op == "if":
        test, yes, no = shift.parts
        return _parted(test, pieces(yes, drawn), pieces(no, drawn), drawn)
    if shift.op == "word" and shift.text == "IZR" and shift.parts[0].op == "if":
        test, yes, no = shift.parts[0].parts
        return pieces(Term("R", "if", (test, real(yes), real(no))), drawn)
    if shift.reads(drawn):
        raise NoTheorem("a shift of which the draw is a part")
    return f"(piece {_argument(shift)})"


def _parted(test: Term, yes: str, no: str, drawn: str) -> str:
    match test.op:
        case "true" | "false":
            return yes if test.op == "true" else no
        case "and":
            for part in reversed(test.parts):
                yes = _parted(part, yes, no, drawn)
            return yes
        case "or":
            for part in reversed(test.parts):
                no = _parted(part, yes, no, drawn)
            return no
        case "not":
            return _parted(test.parts[0], no, yes, drawn)
        case "<" | "<=":
            left, right = map(real, test.parts)
            side = Term("R", "-", (left, right))
            at_0, at_1 = (side.put(drawn, number(k, "R")) for k in (0, 1))
            slope = Term("R", "-", (at_1, at_0))
            word = "pieces_le" if test.op == "<=" else "pieces_lt"
            return f"({word} {_argument(slope)} {_argument(at_0)} 0 _ _ {yes} {no})"
        case "<>":
            return _parted(negated(test), no, yes, drawn)
        case "=" if test.parts[0].sort != "bool":
            left, right = test.parts
            above, below = Term("bool", "<=", (left, right)), Term("bool", "<=", (right, left))
            return _parted(above, _parted(below, yes, no, drawn), no, drawn)
    raise NoTheorem(f"the test '{text(test, 'bool')}' of a shift")


def _argument(term: Term) -> str:
    return f"({text(term)})"
