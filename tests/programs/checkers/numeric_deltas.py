"""A noisy threshold with numbers for everything: its δ is e^-14 / 2 = 4.15764359…·10⁻⁷."""

from __future__ import annotations

from shiftproof import DP, Count, Laplace, mechanism, sample


@mechanism(DP("add-remove", delta=1e-6), budget=1)
def a_round_number(q: Count) -> float | None:
    noise = sample(Laplace(1))
    if q > 0 and q + noise > 15:
        return q + noise
    return None


@mechanism(DP("add-remove", delta=4.157643596e-7), budget=1)
def a_little_more(q: Count) -> float | None:
    noise = sample(Laplace(1))
    if q > 0 and q + noise > 15:
        return q + noise
    return None


@mechanism(DP("add-remove", delta=4.157643595e-7), budget=1, expect="refuted")
def a_little_less(q: Count) -> float | None:
    noise = sample(Laplace(1))
    if q > 0 and q + noise > 15:
        return q + noise
    return None
