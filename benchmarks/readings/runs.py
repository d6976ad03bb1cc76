"""How the functions that are read are run in their packages, for given inputs of the mechanism.

Each entry takes the inputs by name and gives a function that runs the package once and returns what
it puts out, flat, as the mechanism releases it.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from importlib import import_module
from math import exp, log
from typing import Any, TypeAlias

import numpy as np

Inputs: TypeAlias = Mapping[str, Any]
Run: TypeAlias = Callable[[], Any]

_PURE, _MULTI = "pure_ldp.frequency_oracles", "multi_freq_ldpy"


def _of(module: str, name: str) -> Any:
    return getattr(import_module(module), name)


def _flat(value: Any) -> tuple[Any, ...]:
    """What a package puts out, as one tuple of plain values."""
    if isinstance(value, str):
        return (value,)
    if isinstance(value, list | tuple | np.ndarray):
        return tuple(part for one in value for part in _flat(one))
    return (value.item() if isinstance(value, np.generic) else value,)


def _unary(optimal: bool) -> Callable[[Inputs], Run]:
    def made(i: Inputs) -> Run:
        client = _of(f"{_PURE}.unary_encoding.ue_client", "UEClient")(
            i["epsilon"], i["m"] + 1, use_oue=optimal
        )
        return lambda: client._perturb(i["x"])

    return made


def _rappor(i: Inputs) -> Run:
    client = _of(f"{_PURE}.rappor.rappor_client", "RAPPORClient")(
        2 / (1 + exp(i["epsilon"] / 2)), i["m"] + 1, []
    )
    return lambda: client._perturb([int(k == i["x"]) for k in range(i["m"] + 1)])


def _direct(i: Inputs) -> Run:
    client = _of(f"{_PURE}.direct_encoding.de_client", "DEClient")(i["epsilon"], i["m"] + 1)
    return lambda: client._perturb(i["x"])


def _summation(i: Inputs) -> Run:
    client = _of(f"{_PURE}.histogram_encoding.he_client", "HEClient")(
        i["epsilon"], i["m"] + 1, index_mapper=lambda value: value
    )
    return lambda: client.privatise(i["x"])


def _hashing(i: Inputs) -> Run:
    client = _of(f"{_PURE}.local_hashing.lh_client", "LHClient")(
        i["epsilon"], i["m"] + 1, g=i["m"] + 1, index_mapper=lambda value: value
    )
    xxhash = import_module("xxhash")
    hashes = (xxhash.xxh32(str(v), seed=0).intdigest() % (i["m"] + 1) for v in range(10**6))
    value = next(v for v, h in enumerate(hashes) if h == i["h"])
    return lambda: client._perturb(value, 0)


def _fast_hashing(i: Inputs) -> Run:
    """With one hash function, of which a value with the hash is looked for."""
    client = _of(f"{_PURE}.local_hashing.fast_lh_client", "FastLHClient")(
        i["epsilon"], i["m"] + 1, i["k"], g=i["m"] + 1, index_mapper=lambda value: value
    )
    xxhash = import_module("xxhash")
    hashes = (xxhash.xxh32(str(v), seed=0).intdigest() % (i["m"] + 1) for v in range(10**6))
    value = next(v for v, h in enumerate(hashes) if h == i["h"])
    return lambda: client.privatise(value)


def _hadamard_sketch(i: Inputs) -> Run:
    """With hash functions that give 0, so that the bit of the value is 1 everywhere."""
    functions = [lambda data: 0] * i["k"]
    client = _of(f"{_PURE}.apple_cms.cms_client", "CMSClient")(
        i["epsilon"], functions, i["m"] + 1, True
    )
    return lambda: client._hcms_perturb("")


def _sketch(i: Inputs) -> Run:
    client = _of(f"{_PURE}.priv_count_sketch.pcs_client", "PCSClient")(
        i["epsilon"], 1, i["m"] + 1, []
    )
    return lambda: client._perturb((i["h"], 2 * i["s"] - 1))


def _mean_sketch(i: Inputs) -> Run:
    functions = [lambda data: i["h"]] * i["k"]
    client = _of(f"{_PURE}.apple_cms.cms_client", "CMSClient")(i["epsilon"], functions, i["m"] + 1)
    return lambda: client._cms_perturb("")


def _multi(module: str, function: str, **known: Any) -> Callable[[Inputs], Run]:
    def made(i: Inputs) -> Run:
        call = _of(f"{_MULTI}.{module}", function)
        return lambda: call(i["x"], i["m"] + 1, i["epsilon"], **known)

    return made


def _longitudinal(module: str, function: str) -> Callable[[Inputs], Run]:
    def made(i: Inputs) -> Run:
        call = _of(f"{_MULTI}.long_freq_est.{module}", function)
        return lambda: call(i["x"], i["m"] + 1, i["eps_perm"], i["eps_perm"] / 2)

    return made


def _second_round(eps: float, m: int) -> float:
    """The budget of the second round of L-GRR for a report of eps / 2, as the package has it."""
    e, first = exp(eps), exp(eps / 2)
    p = e / (e + m)
    q = (1 - p) / m
    told = (q - first * p) / (-p * first + (m + 1) * q * first - q * first - p * m + q)
    return log(told * m / (1 - told))


def _two(module: str, function: str) -> Callable[[Inputs], Run]:
    def made(i: Inputs) -> Run:
        call = _of(f"{_MULTI}.mdim_freq_est.{module}", function)
        sizes = [i["m"] + 1] * 2
        return lambda: call([i["x"], i["y"]], sizes, 2, i["epsilon"])

    return made


def _bucket(i: Inputs) -> Run:
    call = _of(f"{_MULTI}.long_freq_est.dBitFlipPM", "dBitFlipPM_Client")
    return lambda: call(i["x"], i["m"] + 1, i["m"] + 1, 1, i["eps_perm"])


def _laplace(name: str) -> Callable[[Inputs], Run]:
    def made(i: Inputs) -> Run:
        bounds = {"lower": i["low"], "upper": i["high"]} if "low" in i else {}
        made = _of("diffprivlib.mechanisms", name)(
            epsilon=i["epsilon"], sensitivity=1.0, random_state=random.randrange(2**31), **bounds
        )
        return lambda: made.randomise(i["q"])

    return made


def _binary(i: Inputs) -> Run:
    labels = ("no", "yes")
    made = _of("diffprivlib.mechanisms", "Binary")(
        epsilon=i["epsilon"], value0="no", value1="yes", random_state=random.randrange(2**31)
    )
    return lambda: made.randomise(labels[i["x"]])


def _binary_responses(i: Inputs) -> Run:
    call = _of("trasgodp.categorical._randomized_response", "dp_randomized_response_binary_array")
    names = ("no", "a yes")  # in the order of the alphabet the yes is first
    data = [names[v] for v in i["xs"]] + list(names)
    return lambda: [names.index(v) for v in call(data, i["epsilon"])[: len(i["xs"])]]


def _clipped(i: Inputs) -> Run:
    call = _of("trasgodp.numerical", "dp_clip_laplace_array")
    return lambda: call(np.array(i["xs"], float), i["epsilon"], i["low"], i["high"])


def _responses(i: Inputs) -> Run:
    call = _of("trasgodp.categorical._randomized_response", "dp_randomized_response_kary_array")
    names = [f"{k:03}" for k in range(i["m"] + 1)]
    # All categories occur behind the values that count.
    data = [names[v] for v in i["xs"]] + names
    return lambda: [int(v) for v in call(data, i["epsilon"])[: len(i["xs"])]]


def _offsets(i: Inputs) -> Run:
    call = _of("trasgodp.categorical._exponential", "_sample_exponential")
    categories = np.arange(i["m"] + 1)
    return lambda: call(np.array(i["xs"]), categories, i["epsilon"])


def _pure(name: str) -> Callable[[Inputs], Run]:
    def made(i: Inputs) -> Run:
        call = _of("diffpriv_pure", name)
        if name == "private_count":
            return lambda: call(i["n"], i["epsilon"])
        return lambda: call(list(i["xs"]), (i["low"], i["high"]), i["epsilon"])

    return made


#: By the names of the mechanisms in the readings, of each file.
RUNS: dict[str, Callable[[Inputs], Run]] = {
    "pure_ldp.direct_encoding": _direct,
    "pure_ldp.symmetric_unary_encoding": _unary(False),
    "pure_ldp.optimised_unary_encoding": _unary(True),
    "pure_ldp.rappor": _rappor,
    "pure_ldp.summation_with_histogram_encoding": _summation,
    "pure_ldp.local_hashing": _hashing,
    "pure_ldp.fast_local_hashing": _fast_hashing,
    "pure_ldp.hadamard_count_mean_sketch": _hadamard_sketch,
    "pure_ldp.private_count_sketch": _sketch,
    "pure_ldp.count_mean_sketch": _mean_sketch,
    "multi_freq_ldpy.generalized_randomized_response": _multi(
        "pure_frequency_oracles.GRR", "GRR_Client"
    ),
    "multi_freq_ldpy.unary_encoding_optimal": _multi("pure_frequency_oracles.UE", "UE_Client"),
    "multi_freq_ldpy.unary_encoding_symmetric": _multi(
        "pure_frequency_oracles.UE", "UE_Client", optimal=False
    ),
    "multi_freq_ldpy.histogram_encoding": _multi("pure_frequency_oracles.HE", "HE_Client"),
    "multi_freq_ldpy.adaptive_by_response": _multi("pure_frequency_oracles.ADP", "ADP_Client"),
    "multi_freq_ldpy.adaptive_by_encoding": _multi("pure_frequency_oracles.ADP", "ADP_Client"),
    "multi_freq_ldpy.longitudinal_response": _longitudinal("L_GRR", "L_GRR_Client"),
    "multi_freq_ldpy.one_of_two_attributes": _two("SMP_solution", "SMP_GRR_Client"),
    "multi_freq_ldpy.both_attributes_with_half_the_budget": _two("SPL_solution", "SPL_GRR_Client"),
    "multi_freq_ldpy.both_histograms_with_half_the_budget": _two("SPL_solution", "SPL_UE_Client"),
    "multi_freq_ldpy.random_sampling_with_fake_data": _two("RSpFD_solution", "RSpFD_GRR_Client"),
    "multi_freq_ldpy.flip_of_one_bucket": _bucket,
    "others.laplace": _laplace("Laplace"),
    "others.laplace_truncated": _laplace("LaplaceTruncated"),
    "others.binary": _binary,
    "others.binary_response": _binary_responses,
    "others.clipped_values": _clipped,
    "others.response_among_categories": _responses,
    "others.categories_by_offset": _offsets,
    "others.sum_of_clamped": _pure("private_sum"),
    "others.mean_of_clamped": _pure("private_mean"),
    "others.count_with_one_sided_noise": _pure("private_count"),
}


def run_of(name: str, inputs: Inputs) -> Run | None:
    """Runs of a package's function on inputs of the mechanism; ``None`` if it is not known how."""
    made = RUNS.get(name)
    if made is None:
        return None
    run = made(inputs)
    return lambda: _flat(run())


# Inputs on which the package and what was read of it are compared.

#: Values of inputs by their names, in turn; others by their annotations.
_VALUES: dict[str, tuple[Any, ...]] = {
    "m": (2, 3, 2, 1, 3), "x": (0, 1, 2, 1, 3), "y": (1, 0, 2, 0, 2), "h": (0, 3, 1, 1, 2),
    "s": (0, 1, 1, 0, 1), "k": (2, 1, 3, 2, 1), "n": (0, 1, 5, 2, 9), "a": (0.7,) * 5,
    "q": (0.0, 1.5, -2.0, 7.0, 0.5), "low": (-1.0,) * 5, "high": (2.0,) * 5,
    "epsilon": (1.0, 0.5, 2.0, 0.7, 1.5), "eps_perm": (1.0, 0.5, 2.0, 0.7, 1.5),
    "e2": (1.0, 0.5, 2.0, 0.7, 1.5),
}  # fmt: skip
_NUMBERS = ((0.5,), (-3.0, 2.0), (1.0, -0.5, 4.0), (2.5,), (0.0, 0.0))
_WHOLE = ((0,), (1, 0), (1, 1, 0), (0, 1), (1,))
#: Inputs that a function needs to take the way that was read.
_OWN: dict[str, tuple[dict[str, Any], ...]] = {
    "pure_ldp.fast_local_hashing": tuple(
        {"h": h, "m": 3, "k": 1, "epsilon": 0.5 + h / 4} for h in (0, 1, 2, 3, 0)
    ),
    "pure_ldp.hadamard_count_mean_sketch": tuple(
        {"s": 1, "m": m, "k": 1, "epsilon": epsilon}  # of several functions one is taken as given
        for m, epsilon in ((1, 1.0), (3, 0.5), (3, 2.0), (7, 0.7), (7, 1.5))
    ),
    "multi_freq_ldpy.adaptive_by_encoding": tuple(
        {"x": x, "m": 9, "epsilon": 0.3 + x / 20} for x in (0, 3, 5, 7, 9)
    ),
    "multi_freq_ldpy.longitudinal_response": tuple(
        {"x": x, "m": m, "eps_perm": eps, "e2": _second_round(eps, m)}
        for x, m, eps in ((0, 2, 1.0), (1, 3, 0.5), (2, 2, 2.0), (1, 1, 0.7), (3, 3, 1.5))
    ),
    "multi_freq_ldpy.subset_selection_of_two": tuple(
        {"x": x, "m": 5, "epsilon": 0.7} for x in range(5)
    ),
    "others.response_among_categories": tuple(
        {"xs": xs, "m": m, "epsilon": 1.0}
        for xs, m in (((0,), 2), ((1, 2), 2), ((3,), 3), ((2, 0, 1), 2), ((0, 0), 3))
    ),
    "multi_freq_ldpy.subset_selection_of_one": tuple(
        {"x": x % 3, "m": 2, "epsilon": 1.0 + x / 4} for x in range(5)
    ),
}
RUNS["multi_freq_ldpy.subset_selection_of_two"] = RUNS[
    "multi_freq_ldpy.subset_selection_of_one"
] = _multi("pure_frequency_oracles.SS", "SS_Client")


def inputs_of(name: str, annotations: Mapping[str, str]) -> list[dict[str, Any]]:
    """Five settings of a mechanism's inputs."""
    if name in _OWN:
        return list(_OWN[name])
    found = []
    for turn in range(5):
        one = {n: _VALUES[n][turn] for n in annotations if n in _VALUES}
        for n, annotation in annotations.items():
            if n not in one:
                whole = "Sequence[int]" in annotation
                one[n] = (_WHOLE if whole else _NUMBERS)[turn]
        for n in ("x", "y", "h"):
            if n in one:
                one[n] = min(one[n], one.get("m", 1))
        found.append(one)
    return found
