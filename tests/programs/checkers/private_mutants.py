"""Mutants that are private nevertheless, with the reason why.

A row names an operator, a place and mechanisms; without names it is about every mechanism
that has the place, and names after a minus are excepted.  ``…`` in a place stands for
anything.  Besides the argument, most of these mutants were compared with an exact enumeration
of their outcomes on small inputs, with noise on the integers in the place of noise that has a
density.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

#: An operator, a place, and the names of mechanisms.
Row = tuple[str, str, str]
Key = tuple[str, str, str]

#: Sparse vectors that compare a noisy answer with a noisy threshold.
TESTS = (
    "sparse_vector sparse_vector_monotone sparse_vector_fresh_thresholds numeric_sparse_vector "
    "general_sparse_vector general_sparse_vector_monotone"
)
#: Those that compute the difference first.
ADAPTIVE = "adaptive_sparse_vector adaptive_sparse_vector_free_gap"
NOISY_THRESHOLD = f"{TESTS} gap_sparse_vector {ADAPTIVE}"
#: Those that report which noisy answer is the largest, one round or many.
MAXIMA = "noisy_max noisy_max_exponential asymmetric_noisy_max"
ARGMAXIMA = "noisy_argmax noisy_argmax_exponential asymmetric_noisy_argmax"
TOP_K = "asymmetric_top_k asymmetric_top_k_geometric asymmetric_top_k_measured"
SUMS = "smart_sum smart_sum_continued"
#: Those that tell the truth about a bit, or the opposite of it, and how often they do.
BITS = "warner context_aware_response input_discriminative_response"
COINS = f"{BITS} rappor private_binary_search private_binary_search_asking_once"
#: Those that tell the truth, or any of several values.
CHOICES = "k_ary_response utility_optimized_response"
SEARCHES = "private_binary_search private_binary_search_asking_once"

PRIVATE: dict[str, list[Row]] = {
    "more noise": [("scale doubled", "…", "")],
    "a tie may count on either side: the shifts keep both sides of a test as far apart, or move "
    "them apart": [
        ("strictness", "f[i] + noise >= … → f[i] + noise > …", ""),
        ("strictness", "f[j] + noise >= T → f[j] + noise > T", ""),
        ("strictness", "f + noise < T → f + noise <= T", ""),
        ("strictness", "x + noise >= T → x + noise > T", ""),
        ("strictness", "z >= T → z > T", ""),
        ("strictness", "gap >= 0 → gap > 0", ""),
        ("strictness", "large_gap >= … → large_gap > …", ""),
        ("strictness", "…[i] + noise > top → …[i] + noise >= top", ""),
    ],
    "another one-sided claim: it is decided by itself": [
        (operator, f"{x} < T → {x} {symbol} T", "")
        for x in ("f", "x", "f[j]")
        for operator, symbol in (("strictness", "<="), ("flipped", ">="), ("mirrored", ">"))
    ] + [("other index", "f[j] → f[0] in ensure(f[j] < T)", "")],
    "a stronger precondition: the claim is made for fewer inputs": [
        ("strictness", "… >= 1 → … > 1", ""),
        ("strictness", "1 <= k … → 1 < k …", ""),
        ("strictness", "0 <= here < places → 0 < here < places", ""),  # fewer places
    ],
    "of no index nothing is released, and the scale of one more stays positive": [
        ("mirrored", "1 <= k < len(f) → 1 >= k < len(f)", ""),
        ("less asserted", "1 <= k < len(f) → k < len(f)", ""),
    ],
    "what is below counts and what reaches is free: two-sided noise pays the same for both": [
        ("flipped", "f[i] + noise >= … → f[i] + noise < …", TESTS),
        ("flipped", "gap >= 0 → gap < 0", "gap_sparse_vector"),
        ("mirrored", "f[i] + noise >= … → f[i] + noise <= …", f"{TESTS} first_above"),
        ("mirrored", "gap >= 0 → gap <= 0", "gap_sparse_vector"),
    ],
    "the index of the least noisy answer: two-sided noise pays the same for both": [
        ("flipped", "…[i] + noise > top → …[i] + noise <= top", "noisy_max top_k_by_peeling"),
        ("mirrored", "…[i] + noise > top → …[i] + noise < top", "noisy_max top_k_by_peeling"),
    ],
    "the two words change places; the shift keeps f + noise": [
        ("flipped", "f + noise < T → f + noise >= T", ""),
        ("mirrored", "f + noise < T → f + noise > T", ""),
    ],
    "it stops after one answer, and one was paid for because c >= 1": [
        ("mirrored", "answered >= c → answered <= c", ""),
    ],
    "it stops sooner, and by a public count": [
        ("other step", "answered += 1 → 2", ""),
        ("other step", "charge += 1 → 2", ""),
        ("other start", "answered = 0 → 1", ""),
        ("other end", "answered >= c → answered >= c - 1", ""),
        ("operand alone", "4 * N - 2 → 2 in if charge > 4 * N - 2", ""),
    ],
    "the silence is longer, or there is one in the beginning": [
        ("count left out", "silent -= 1", ""),
        ("other step", "silent -= 1 → -1", ""),
        ("strictness", "silent > 0 → silent >= 0", ""),
        ("other end", "silent > 0 → silent > 0 - 1", ""),
        ("other start", "silent = 0 → …", ""),  # below 0 it is as at 0
        ("operand alone", "W - 1 → W in silent = W - 1", ""),
    ],
    "all is done but the release, which comes to a constant": [
        ("no return", "return …",
         "-one_sided_response -k_ary_response -utility_optimized_response -permute_and_flip"),
        ("no return", "return x if released else None", ""),
        ("branch emptied", "body of if f + noise < T", ""),
    ],
    "without the loop, or the noisy answers in it, nothing private is released": [
        ("branch emptied", "body of for …", ""),
        ("branch emptied", "body of if best is None or q[i] + noise > top", MAXIMA),
        ("branch emptied", "body of if 0 <= here < places", ""),
        ("branch emptied", "orelse of if marked[here]", ""),
        ("branch emptied", "orelse of if silent > 0", ""),
        ("count left out", "total += q[i]", ""),
        ("count left out", "total += q[i] + noise", ""),
        ("store left out", "noisy[i] = …[i] + noise", ""),
    ],
    "the noise alone: nothing private is released": [
        ("operand alone", "… → noise in return …", ""),
        ("operand alone", "f + noise → noise in if f + noise < T", ""),
        ("operand alone", "… + noise → noise in yield (… + noise)",
         "histogram histogram_replacement asymmetric_histogram laplace_parallel table_of_values"),
        ("operand alone", "…[i] + noise → noise in noisy[i] = …[i] + noise", ""),
        ("operand alone", "f[t] + noise → noise in z = f[t] + noise", ""),
        ("operand alone", "q[i] + noise → noise in total += q[i] + noise", ""),
        ("operand alone", "f[i] + noise → noise in if f[i] + noise >= …",
         "sparse_vector sparse_vector_monotone sparse_vector_fresh_thresholds"),
        ("operand alone", "f[i] + noise → noise in gap = …", "gap_sparse_vector"),
        ("operand alone", "f[i] + noise - noisy_threshold → noisy_threshold in gap = …", ""),
        ("other release", "return … + noise → noise", ""),
        ("other release", "return max(0, min(n, f + noise)) → noise", ""),
        ("other release", "yield (… + noise) → noise",
         "histogram histogram_replacement asymmetric_histogram laplace_parallel table_of_values"),
        ("other release", "yield total → noise", ""),
        ("other release", "yield following → noise", ""),
        ("other release", "yield following → noise #2", ""),
    ],
    "the test sees noise only, and what is released has noise of its own, as often as is paid for":
    [
        ("operand alone", "f[i] + noise → noise in if f[i] + noise >= …",
         "numeric_sparse_vector general_sparse_vector general_sparse_vector_monotone "
         "asymmetric_sparse_vector"),
        ("operand alone", "x + noise → noise in if x + noise >= T", ""),
        ("operand alone", "f[j] + noise → noise in if f[j] + noise >= T", ""),
        ("operand alone", "f[i] + rough → rough in …", ""),
        ("operand alone", "f[i] + fine → fine in …", ""),
    ],
    "fresh noise alone is released after the test, which is paid for": [
        ("operand alone", "f[i] + fresh → fresh in yield (f[i] + fresh)", ""),
        ("other release", "yield (f[i] + fresh) → fresh", ""),
        ("operand alone", "f[j] + fresh → fresh in yield (f[j] + fresh)", ""),
        ("other release", "yield (f[j] + fresh) → fresh", ""),
    ],
    "post-processing: less is released, or what the other releases tell already": [
        ("other release", "… → None",
         "-k_ary_response -utility_optimized_response -permute_and_flip"),
        ("other release", "… → answered", ""),
        ("other release", "… → charge", ""),
        ("other release", "… → silent", "stream_monitor"),
        ("said twice", "yield …", "-one_sided_responses"),
        ("other release", "yield j → f[j] + fresh", ""),
        ("other release", "yield noisy[j] → f[j] + fresh", ""),
        ("said twice", "for j in order", "-asymmetric_top_k_measured"),
        ("said twice", "for r in range(k)", "noisy_top_k free_gap_top_k"),
        ("branch emptied", "orelse of if … >= …", ""),
        ("branch emptied", "body of if marked[here]", ""),
        ("branch emptied", "body of if silent > 0", ""),
        ("index shifted", "yield j → j + 1", ""),
        ("index shifted", "best = i → i + 1", MAXIMA),
        ("index shifted", "range(k) → range(1, k)", "noisy_top_k free_gap_top_k"),
        ("index shifted", "range(k) → range(k - 1)", "noisy_top_k free_gap_top_k"),
        ("index shifted", "order[r] → order[0] in yield order[r]", ""),
    ],
    "of the k + 1 that are picked, others are released, or the gaps between others": [
        ("index shifted", "order[r] → order[r + 1] in yield order[r]", "free_gap_top_k"),
        ("index shifted", "order[r] → order[0] in yield (noisy[…", ""),
        ("index shifted", "order[r] → order[r + 1] in yield (noisy[…", ""),
        ("index shifted", "order[r + 1] → order[0] in …", ""),
        ("index shifted", "order[r + 1] → order[r + 1 - 1] in …", ""),
        ("operand alone", "r + 1 → … in yield (noisy[…", ""),
    ],
    "the shift keeps the noisy answer as it is, and all else is computed from it": [
        ("other release", "return max(0, min(n, f + noise)) → f + noise", ""),
        ("direction changed", "max(0, min(n, f + noise)) → min", ""),
        ("direction changed", "min(n, f + noise) → max", ""),
        ("other release", "return 'alarm' → f + noise", ""),
        ("other release", "return 'safe' → f + noise", ""),
        ("other release", "yield z → f[t] + noise", ""),
    ],
    "the noise of what is below is not shifted: it is the same in both runs": [
        ("other release", "return 'safe' → noise", ""),
        ("other release", "yield 'safe' → noise", ""),
        ("other release", "yield None → noise",
         "gap_sparse_vector numeric_sparse_vector general_sparse_vector "
         "general_sparse_vector_monotone asymmetric_sparse_vector adaptive_stream_vector"),
        ("other release", "yield False → noise", ""),
        ("other release", "yield None → rough", ""),
        ("other release", "yield None → fine", ""),
        ("other release", "yield 'small' → rough", ""),
        ("other release", "yield gap → rough", ""),
    ],
    "noisy elements on their own: each is paid for once": [
        ("other release", "yield total → q[i] + noise", ""),
        ("other release", "yield following → q[i] + noise", ""),
        ("other release", "yield following → q[i] + noise #2", ""),
    ],
    "another constant to begin with": [
        ("operand alone", "T… + threshold_noise → threshold_noise in …", NOISY_THRESHOLD),
        ("other name", "noisy_threshold → threshold_noise in …", ""),
        ("other start", "total = 0.0 → …", ""),
        ("other start", "block = 0.0 → …", ""),
        ("other start", "following = 0.0 → …", ""),
    ],
    "the first round replaces it": [("other start", "top = 0.0 → …", "")],
    "counts and noise are not negative and only fall: who reports the default had all of them 0": [
        ("other start", "best = None → …", "asymmetric_noisy_max"),
    ],
    "one answer less, of which nothing is said": [
        ("index shifted", f"range({n}) → range({text})", names)
        for n, first, names in (
            ("len(f)", "1, ", f"{NOISY_THRESHOLD} asymmetric_sparse_vector location_monitor "
             "stream_monitor top_k_by_peeling"),
            ("len(q)", "1, ", f"{MAXIMA} partial_sum prefix_sum {SUMS}"),
            ("n", "1, ", "laplace_parallel prefix_sum_all table_of_values"),
            ("k", "1, ", "top_k_by_peeling"),
        )
        for text in (f"{first}{n}", f"{n} - 1")
    ],
    "an answer of 0 that never moves, where the others only fall": [
        ("index shifted", "range(len(f)) → range(1, len(f))", TOP_K),
        ("index shifted", "range(len(f)) → range(len(f) - 1)", TOP_K),
        ("index shifted", "range(len(q)) → range(1, len(q))", "asymmetric_noisy_argmax"),
        ("index shifted", "range(len(q)) → range(len(q) - 1)", "asymmetric_noisy_argmax"),
    ],
    "an answer of 0 that is never picked, or always: the others are not negative, the first wins":
    [
        ("index shifted", "range(len(q)) → range(len(q) - 1)", "noisy_argmax_exponential"),
        ("index shifted", "noisy[i] → noisy[0] in noisy[i] = q[i] + noise",
         "noisy_argmax_exponential asymmetric_noisy_argmax"),
    ],
    "each record has one value, whichever values are asked for": [
        ("index shifted", "range(n) → range(n + 1)", "table_of_values"),
    ],
    "the same public threshold for all": [("other index", "T[i] → T[0] in …", "")],
    "the proof holds for any answers, so also for the first one again and again": [
        ("other index", "f[i] → f[0] in if f[i] + noise >= …", TESTS),
        ("other index", "f[i] → f[0] in gap = …", ""),
        ("other index", "f[i] → f[0] in large_gap = …", ""),
        ("other index", "f[i] → f[0] in noisy[i] = …", ""),
        ("other index", "q[i] → q[0] in noisy[i] = …", ""),
        ("other index", "f[i] → f[0] in yield (f[i] + fresh)", ""),
        ("other index", "f[j] → f[0] in yield (f[j] + fresh)", ""),
        ("other index", "q[i] → q[0] in total += q[i] + noise", "prefix_sum_all"),
    ],
    "every shift goes up, which one-sided noise allows and charges as two-sided noise does": [
        ("other noise", "Laplace(…) → Exponential",
         f"{ADAPTIVE} gap_sparse_vector sparse_vector sparse_vector_monotone noisy_argmax "
         "noisy_max noisy_top_k free_gap_top_k top_k_by_peeling"),
        ("other noise", "Laplace(2 * c / eps) → Exponential", "sparse_vector_fresh_thresholds"),
        ("other noise", "Laplace(2 * c / eps) → Exponential #2", "sparse_vector_fresh_thresholds"),
        ("other noise", "Laplace(4 * c / eps) → Exponential", "sparse_vector_fresh_thresholds"),
        ("other noise", "Laplace(3 / eps) → Exponential", "numeric_sparse_vector"),
        ("other noise", "Laplace(6 * c / eps) → Exponential", "numeric_sparse_vector"),
        ("other noise", "Laplace(1 / eps1) → Exponential",
         "general_sparse_vector general_sparse_vector_monotone"),
        ("other noise", "Laplace(2 * c / eps2) → Exponential", "general_sparse_vector"),
        ("other noise", "Laplace(c / eps2) → Exponential", "general_sparse_vector_monotone"),
        ("other noise", "OneSidedGeometric(1 / eps) → Exponential", ""),
    ],
    "two-sided noise allows what one-sided noise allows, and charges it the same or more": [
        ("other noise", "Exponential(…) → Laplace", ""),
        ("other noise", "Exponential(2 * k / eps) → Laplace #2", ""),
        ("other noise", "NegativeExponential(…) → Laplace", ""),
        ("other noise", "OneSidedGeometric(1 / eps) → Laplace", ""),
        ("other noise", "OneSidedGeometric(…) → TwoSidedGeometric", ""),
        ("other noise", "TwoSidedGeometric(1 / eps) → Laplace", "geometric"),
    ],
    "counts differ by integers: noise on the integers can be shifted by them at the same cost": [
        *(
            ("other noise", f"{noise} → {side}Geometric", names)
            for noise, sides, names in (
                ("Exponential(1 / eps)", ("TwoSided", "OneSided"),
                 "asymmetric_histogram asymmetric_laplace_decreasing asymmetric_noisy_max "
                 "location_monitor stream_monitor threshold_decision visitors_of_both"),
                ("Exponential(2 / eps)", ("TwoSided", "OneSided"), "noisy_max_exponential"),
                ("Exponential(c / eps)", ("TwoSided", "OneSided"), "asymmetric_sparse_vector"),
                ("NegativeExponential(1 / eps)", ("TwoSided", "NegativeOneSided"),
                 "asymmetric_laplace_increasing visitors_of_none"),
                ("Laplace(…)", ("TwoSided", "OneSided"),
                 f"{ADAPTIVE} gap_sparse_vector sparse_vector sparse_vector_monotone "
                 "sparse_vector_fresh_thresholds noisy_max top_k_by_peeling"),
                ("Laplace(…)", ("TwoSided",), "histogram histogram_replacement table_of_values"),
                ("Laplace(3 / eps)", ("TwoSided", "OneSided"), "numeric_sparse_vector"),
                ("Laplace(6 * c / eps)", ("TwoSided", "OneSided"), "numeric_sparse_vector"),
                ("Laplace(3 * c / eps)", ("TwoSided",), "numeric_sparse_vector"),
                ("Laplace(1 / eps1)", ("TwoSided", "OneSided"),  # the threshold moves by 1
                 "general_sparse_vector general_sparse_vector_monotone"),
                ("Laplace(c / eps2)", ("TwoSided", "OneSided"), "general_sparse_vector_monotone"),
                ("Laplace(c / eps3)", ("TwoSided",), "general_sparse_vector_monotone"),
            )
            for side in sides
        ),
        ("other noise", "Laplace(2 * c / eps) → TwoSidedGeometric #2", ""),
        ("other noise", "Laplace(2 * c / eps) → OneSidedGeometric #2", ""),
        ("other noise", "Exponential(2 * k / eps) → TwoSidedGeometric #2", ""),
        ("other noise", "Exponential(2 * k / eps) → OneSidedGeometric #2", ""),
    ],
    "two-sided noise is as likely to be taken away as to be added": [
        ("direction changed", "…threshold_noise → T…", ""),
        ("direction changed", "… + noise → … - noise in …",
         f"asymmetric_laplace geometric truncated_geometric laplace laplace_parallel histogram "
         f"histogram_replacement table_of_values partial_sum prefix_sum prefix_sum_all {SUMS} "
         f"{TESTS} gap_sparse_vector noisy_argmax noisy_top_k free_gap_top_k"),
        ("direction changed", "f[i] + fresh → f[i] - fresh in …", ""),
        ("direction changed", "f[i] + rough → f[i] - rough in …", ""),
        ("direction changed", "f[i] + fine → f[i] - fine in …", ""),
    ],
    "both scales are of one counter, and a counted answer pays for both": [
        ("scales swapped", "c / eps2 ↔ c / eps3", "general_sparse_vector_monotone"),
    ],
    "how far answers move is promised under whichever relation": [
        ("other privacy", "ADP(visited) → …", "adaptive_stream_vector asymmetric_laplace"),
    ],
    "the same relation, or one under which counts move less freely than under replacement": [
        ("other privacy", "DP() → …", ""),
    ],
    "all counts fall, or all rise: the one that is reported follows by 1": [
        ("other privacy", f"ADP(visited) → {privacy}",
         "asymmetric_noisy_max asymmetric_noisy_argmax")
        for privacy in ("ADP(Policy({0}))", "DP('add-remove')")
    ],
    "only falling, or only rising counts: one half of adding and removing a record": [
        ("other privacy", f"DP('add-remove') → ADP(Policy({{{v}}}))",
         "general_sparse_vector_monotone sparse_vector_monotone histogram")
        for v in (0, 1)
    ],
    "answers that move as freely as counts, or less": [
        ("other input", "Ages → …", ""),
        ("other input", "Visits → …", ""),
        ("other input", "AllMove → OneMoves", ""),
        ("other input", "Answers → Counts", ""),
        ("other input", "Annotated[float, Query(sensitivity=1)] → Count", ""),
        ("other input", "… → Annotated[int, CountingQuery({0, 1})]", ""),  # never moves
        ("other input", "Counts → Annotated[Sequence[float], Queries(sensitivity=1)]",
         f"{ADAPTIVE} gap_sparse_vector sparse_vector sparse_vector_fresh_thresholds "
         "numeric_sparse_vector noisy_max noisy_max_exponential noisy_argmax "
         "noisy_argmax_exponential noisy_top_k free_gap_top_k top_k_by_peeling"),
    ],
    "counts of the other value move the other way, which costs the same here": [
        ("other input", "Count → Annotated[int, CountingQuery({0})]",
         "geometric truncated_geometric"),
        ("other input", "Counts → Annotated[Sequence[int], CountingQueries({0})]",
         "sparse_vector sparse_vector_monotone sparse_vector_fresh_thresholds gap_sparse_vector "
         f"numeric_sparse_vector general_sparse_vector_monotone {ADAPTIVE} {MAXIMA} {ARGMAXIMA} "
         "noisy_top_k free_gap_top_k top_k_by_peeling"),
    ],
    "a count that moves in the same direction, by 1 at most": [
        ("other predicate", "r[0] == 1 and r[1] == 1 → …", ""),
        ("other predicate", "r[0] == 0 and r[1] == 0 → …", ""),
    ],
    "a second value that replaces one that nobody saw": [
        ("said twice", "… = sample(…", ""),
        ("said twice", "… = 0", ""),
        ("said twice", "… = 0.0", ""),
        ("said twice", "… = 0.0 #2", ""),
        ("said twice", "… = None", ""),
        ("said twice", "charge = 2 * N", ""),
        ("said twice", "silent = W - 1", ""),
        ("said twice", "best = i", ""),
        ("said twice", "here = place[j]", ""),
        ("said twice", "top = …[i] + noise", ""),
        ("said twice", "…gap = …", ""),
        ("said twice", "z = …", ""),
        ("said twice", "noisy_threshold = …", ""),
        ("said twice", "noisy[i] = …", ""),
        ("said twice", "…[…] = True", ""),
        ("said twice", "… = […] * …", ""),
        ("said twice", "following = block + q[i] + noise", ""),
    ],
    "a noisy element is added twice, and the shift of its noise with it": [
        ("said twice", "following = following + …", ""),
    ],
    "more answers, asked again with noise of their own; what is counted, marked or stored goes on":
    [
        ("said twice", "for i in range(len(f))",
         f"{NOISY_THRESHOLD} asymmetric_sparse_vector {TOP_K} noisy_top_k free_gap_top_k"),
        ("said twice", "for i in range(len(q))", ARGMAXIMA),
        ("said twice", "for j in range(len(f))", ""),
    ],
    "the same answer to the same test; what is counted is counted twice": [
        ("said twice", "if f[i] + noise >= …",
         "sparse_vector sparse_vector_monotone sparse_vector_fresh_thresholds "
         "asymmetric_sparse_vector"),
        ("said twice", "if gap >= 0", ""),
        ("said twice", "if x + noise >= T", ""),
        ("said twice", "if f[j] + noise >= T", ""),
        ("said twice", "if z >= T", ""),
        ("said twice", "if best is None or …", ""),
    ],
    "the same test twice, and each release has fresh noise and is counted": [
        ("said twice", "if f[i] + noise >= …",
         "numeric_sparse_vector general_sparse_vector general_sparse_vector_monotone"),
    ],
    "a second answer has noise of its own, unless the place was marked by the first one": [
        ("said twice", "if marked[here]", ""),
        ("said twice", "if 0 <= here < places", ""),
    ],
    "what is released at the end of a block has seen one element only, others were added twice": [
        ("said twice", "if (i + 1) % M == 0", "smart_sum"),
    ],
    "the first of two equal tests decides": [
        ("said twice", "if answered >= c", ""),
        ("said twice", "if charge > …", ""),
        ("said twice", "if best is None", ""),
    ],
    "a claim made twice": [("said twice", "ensure(…", "")],
    "a sample that is drawn sooner, for nothing": [
        ("sample moved out", "fresh = … before if …", ""),
        ("sample moved out", "fine = … before if …", ""),
        ("sample moved out", "noise = … before if (i + 1) % M == 0 #2", SUMS),
        ("sample moved out", "threshold_noise = … before for …", "sparse_vector_fresh_thresholds"),
    ],
    "the fine gap is as rough as the rough one, whose noise is cheaper": [
        ("other name", "fine → rough in gap = …", ""),
    ],
    "each of the k rounds is paid for, whoever was taken": [
        ("store left out", "taken[best] = True", ""),
        ("other start", "taken[best] = True → False", ""),
        ("index shifted", "taken[best] → taken[0] in taken[best] = True", ""),
        ("index shifted", "taken[i] → taken[0] in if not taken[i]", ""),
    ],
    "more noise: a lie is more likely than it must be": [
        *(("other exponent", f"{which} → {text} in {drawn} = …", names)
          for which, drawn, names in (
              ("each", "honest", f"{COINS} {CHOICES}"),
              ("each", "up", "one_bit_mean"),
              ("-eps", "released", "one_sided_response"),
          )
          for text in ("(…) / 2", "9 * (…) / 10")),
        ("other probability", "… → half of it", f"{CHOICES} one_sided_response mangat"),
        ("other probability", "… → its square", f"{CHOICES} one_sided_response mangat"),
        ("other edge", "x >= 7: 7 → 6", ""),
    ],
    "the probabilities of a truth, e^a / (1 + e^b), and of a lie are e^eps apart at most: with t = "
    "e^eps the odds of a lie are 1 / t^a + t^(b - a) - 1, which is t at most, and 1 / t at least": [
        *(("other exponent", f"eps… → {text} in …)", COINS)
          for text in ("(…) / 2", "9 * (…) / 10")),
        *(("other exponent", f"eps… → {text} in … #2", COINS)
          for text in ("2 * (…)", "11 * (…) / 10")),
        ("other exponent", "exp(eps…) → 1 in honest…)", COINS),  # 1 / (1 + e^eps)
        ("other exponent", "1 → exp(eps…) in honest…", COINS),  # a half
        ("other probability", "exp(eps / 2) / (1 + exp(eps / 2)): 2 → 3", "rappor"),
        ("other probability", "exp(eps / 2) / (1 + exp(eps / 2)): 2 → 1 #2", "rappor"),
    ],
    "the truth and the lie change places": [
        ("other exponent", "each → -(…) in honest…", COINS),
        ("other exponent", "1 ↔ exp(eps…) in honest…", COINS),
        ("other probability", "exp(eps…) / (1 + exp(eps…)) → 1 less it", COINS),
        ("branches exchanged", "x if honest else 1 - x → 1 - x if honest else x", BITS),
        ("branches exchanged", "honest → not honest", BITS),
        ("branches exchanged", "(x… == honest → (x… != honest", ""),
        ("branches exchanged", "x == v + 1 → x != v + 1", "rappor"),
    ],
    "as likely as not": [
        ("other probability", "exp(eps…) / (1 + exp(eps…)) → 1 / 2", COINS),
    ],
    "the truth less often than it may be: the odds to each lie are e^eps at most, and no less": [
        *(("other exponent", f"eps → {text} in honest…)", CHOICES)
          for text in ("(…) / 2", "9 * (…) / 10")),
        *(("other exponent", f"eps → {text} in honest… #2", CHOICES)
          for text in ("2 * (…)", "11 * (…) / 10")),
        ("operand alone", "exp(eps) + … - 1 → exp(eps) + … in honest…", CHOICES),
        ("other probability", "… → (… + 1) in (exp(eps) - 1) / (exp(eps) + … - 1)", CHOICES),
        ("other probability", "(exp(eps) - 1) / (exp(eps) + … - 1): 1 → 0 #2", CHOICES),
    ],
    "any of the values, whoever asks": [
        ("no return", "return x", CHOICES),
        ("branch emptied", "body of if honest", CHOICES),
    ],
    "whether the coin said so, and not what the value is": [
        ("other release", "return x → honest", "k_ary_response"),
        ("other release", "return x → None", "k_ary_response"),
        ("other release", "return … → honest", f"{BITS} mangat"),
        ("other release", "yield ((x == v + 1) == honest) → honest", ""),
        ("branches exchanged", "(x… == honest → honest", ""),
        ("branches exchanged", "x == 0 and honest → honest", "mangat"),
    ],
    "other words for the same two answers, or one answer alone": [
        ("branches exchanged", "x if released else None: x → …", "one_sided_response"),
        ("branches exchanged", "x if released else None → None", "one_sided_response"),
        ("branches exchanged", "0 if x == 0 and honest else 1 → 1 if x == 0 and honest else 0", ""),
        ("branches exchanged", "0 if x == 0 and honest else 1 → 0", ""),
        ("branches exchanged", "0 if x == 0 and honest else 1 → 1", ""),
        ("branches exchanged", "0 if x == 0 and honest else 1: 0 → …", ""),  # x is 0 there
        *(("branches exchanged", f"0 if x == 0 and honest else 1: 1 → {text}", "")
          for text in ("0", "2", "None")),
        ("other edge", "x == 0: 0 → -1", "mangat"),  # never
        ("other edge", "x == 0: 0 → 2", "mangat"),
        ("operand alone", "x * (exp(eps) - 1) + exp(eps) + 1 → 1 in up…", ""),
        ("operand alone", "x * (exp(eps) - 1) + exp(eps) → exp(eps) in up…", ""),
    ],
    "which of two answers it is has odds that the noise allows, whatever they are called": [
        ("said twice", "far = …", ""),
        ("other release", "return far if up else -far → up", ""),
        ("branches exchanged", "far if up else -far → …", ""),
        *(("branches exchanged", f"far if up else -far: {side} → {text}", "")
          for side in ("far", "-far") for text in ("0", "1", "2", "None")),
        ("branches exchanged", "up → not up", ""),
    ],
    "the odds stay between those of -1 and 1, or come nearer to each other": [
        *(("other exponent", f"eps → {text} in up… #2", "one_bit_mean")
          for text in ("2 * (…)", "11 * (…) / 10")),
        *(("other exponent", f"eps → {text} in up… #3", "one_bit_mean")
          for text in ("(…) / 2", "-(…)", "9 * (…) / 10")),
        ("other exponent", "each → -(…) in up…", ""),
        *(("other probability", f"(x * … → {text}", "")
          for text in ("1 less it", "half of it", "half of what is missing more", "1 / 2")),
        ("other probability", "x → 1 in (x * …", ""),
        ("other probability", "(x *…: 2 → 3", ""),
        ("other probability", "(x *…: 2 → 3 #2", ""),
        ("other input", "Annotated[float, Value(-1, 1)] → Annotated[float, Value(0, 1)]", ""),
        ("other input", "Annotated[float, Value(-1, 1)] → Annotated[int, IntegerValue(-1, 1)]", ""),
    ],
    "of n candidates it costs 1 - 1 / n of what it claims; up to eight, of which the proof speaks, "
    "that is less than nine tenths": [
        ("less budget", "eps * 9 / 10", "exponential_mechanism"),
        ("other exponent", "eps * q[i] / 2 → 11 * (…) / 10 in …", ""),
    ],
    "weights that are nearer to each other, in the same proportions, or upside down": [
        ("other exponent", "eps * q[i] / 2 → (…) / 2 in …", ""),
        ("other exponent", "eps * q[i] / 2 → 9 * (…) / 10 in …", ""),
        ("other exponent", "eps * q[i] / 2 → -(…) in …", ""),
        ("other exponent", "exp(eps * q[i] / 2) → 1 in …", ""),
        *(("other probability", f"exp(eps * q[i] / 2) → {text} exp(eps * q[i] / 2)", "")
          for text in ("1 +", "1 /", "2 *")),
    ],
    "the candidate that was asked first, or no other than the first one": [
        ("count left out", "left -= 1", ""),
        ("other step", "left -= 1 → -1", ""),
        ("mirrored", "q[candidate] >= best → q[candidate] <= best", ""),
        ("direction changed", "max(best, q[i]) → min", ""),  # all are as good as the best one
        ("branch emptied", "body of if not asked[i]", ""),
        ("other name", "chosen → place in if chosen", ""),  # which is never 0
        ("branch emptied", "body of if left == 0", ""),
        ("mirrored", "len(q) >= 1 → len(q) <= 1", "permute_and_flip"),
        ("less asserted", "assert len(q) >= 1", "permute_and_flip"),  # of none it is 0
    ],
    "the last one is the best one, and was returned before": [
        ("no return", "return 0", ""),
        ("index shifted", "range(len(q)) → range(len(q) + 1) #2", "permute_and_flip"),
    ],
    "another order, or a round less: up to eight candidates, all pairs of scores were compared": [
        ("index shifted", "range(len(q)) → range(1, len(q)) #2", "permute_and_flip"),
        ("index shifted", "range(len(q)) → range(1, len(q)) #3", "permute_and_flip"),
        ("index shifted", "range(len(q)) → range(len(q) - 1) #2", "permute_and_flip"),
        ("index shifted", "range(len(q)) → range(len(q) - 1) #3", "permute_and_flip"),
    ],
    "the scores count where one of those that are looked at is 1, and else all are 0; these move "
    "by 1 at most": [
        ("index shifted", "range(len(q)) → range(len(q) - 1)", "permute_and_flip"),
        ("index shifted", "range(len(q)) → range(1, len(q))", "permute_and_flip"),
        ("other index", "q[i] → q[0] in best = max(best, q[i])", ""),
    ],
    "fewer pairs of scores, or the same ones: all are 0 or 1, and move by 1 at most": [
        ("other privacy", "Related(moves_by_one) → LDP()", ""),
        ("other input", "Scores → Annotated[Sequence[int], IntegerValues(-1, 0)]", ""),
        ("other input", "Scores → Annotated[Sequence[int], IntegerValues(0, 2)]",
         "exponential_mechanism"),
        ("other predicate", "-1 <= q - other(q) <= 1 → -1 != q - other(q)", ""),
        ("other edge", "-1 <= q - other(q) <= 1…", ""),
    ],
    "weights of other candidates, of the first one alone, or twice": [
        ("other index", "q[i] → q[0] in weights…", ""),
        ("said twice", "weights = []", ""),
        ("said twice", "for i in range(len(q))", "exponential_mechanism"),
        ("said twice", "weights.append(…", ""),
    ],
    "stairs as wide as they must be, or wider, which fall somewhere": [
        ("other range", "Staircase(…: step → 2 * step", ""),
        ("other range", "Staircase(…: step → step + 1", ""),
        ("other range", "Staircase(…: share → share / 2", ""),
        ("other range", "Staircase(…: share → 1 - share", ""),
        ("other range", "Staircase(…: share → 1 / 2", ""),
        ("direction changed", "f + noise → f - noise in …", "staircase"),
    ],
    "of two times the second one changes nothing": [
        ("said twice", "left = place", ""),
        ("said twice", "if asked == m", ""),
        ("said twice", "asked = 0 #2", ""),
        ("said twice", "yes = 0 #2", "private_binary_search_asking_once"),
        ("said twice", "for i in range(len(q)) #2", "permute_and_flip"),
        ("said twice", "for i in range(len(q))", "permute_and_flip"),
        ("said twice", "best = max(…", ""),
        ("said twice", "if left == 0", ""),
        ("said twice", "candidate = i", ""),
        ("said twice", "if q[candidate] >= best", ""),
    ],
    "the same test twice": [
        ("said twice", "if x >= 7", ""),
        ("said twice", "if honest", CHOICES),
    ],
    "the goal is the threshold of a count that rises, and noise that subtracts is its mirror": [
        ("flipped", "f… >= T → f… < T", "goal_decision_geometric"),
        ("mirrored", "f… >= T → f… <= T", "goal_decision_geometric"),
        ("strictness", "f… >= T → f… > T", "goal_decision_geometric"),
        ("operand alone", "f + noise → noise in if f + noise >= T", "goal_decision_geometric"),
        *(("other noise", f"NegativeOneSidedGeometric(1 / eps) → {noise}", "")
          for noise in ("Laplace", "NegativeExponential", "TwoSidedGeometric")),
        ("branch emptied", "body of if f + noise >= T", ""),
        ("other release", "return 'reached' → f + noise", ""),
        ("other release", "return 'reached' → noise", ""),
        ("other release", "return 'open' → f + noise", ""),
    ],
    "answers with noise are released; which question is next, and the end, is made from them": [
        ("count left out", "yes += 1", SEARCHES),
        ("count left out", "asked += 1", ""),
        ("other step", "yes += 1 → …", SEARCHES),
        ("other step", "asked += 1 → …", ""),
        *((operator, "… < middle → …", SEARCHES)
          for operator in ("flipped", "mirrored", "strictness")),
        *((operator, f"{test} → …", names)
          for operator in ("flipped", "mirrored", "strictness", "other end")
          for test, names in (("yes >= tau", SEARCHES),)),
        ("other end", "asked == m → …", ""),
        ("operand alone", "low + high → … in …", SEARCHES),
        ("branch emptied", "body of if answer", SEARCHES),
        ("branch emptied", "body of if yes >= tau", SEARCHES),
        ("branch emptied", "… of if asked == m", ""),
        ("other release", "yield answer → yes", SEARCHES),
        ("other release", "yield answer → asked", ""),
        ("other release", "yield ((low + high) / 2) → asked", ""),
        ("other release", "yield ((low + high) / 2) → yes", "private_binary_search_asking_once"),
        ("other start", "… → …", SEARCHES),
        *(("said twice", text, SEARCHES)
          for text in ("low = -1.0", "high = 1.0", "middle = (low + high) / 2", "if answer",
                       "answer = (x[i] < middle) == honest", "if yes >= tau", "high = middle",
                       "low = middle")),
        ("branches exchanged", "answer → not answer", SEARCHES),
        ("branches exchanged", "asked == m → asked != m", ""),
    ],
    "a round less, of which nothing is said": [
        ("index shifted", "range(L) → range(1, L)", ""),
        ("index shifted", "range(L) → range(L - 1)", ""),
    ],
    "another constant is released": [
        ("operand alone", "… in far = …", "one_bit_mean"),
        ("other exponent", "… in far = …", "one_bit_mean"),
    ],
    "a stronger precondition, or fewer users: the claim is about less": [
        ("strictness", "k >= 2 → k > 2", ""),
        ("strictness", "1 <= s < k → 1 < s < k", ""),
        ("strictness", "eps_fine <= eps → eps_fine < eps", ""),
        ("mirrored", "k >= 2 → k <= 2", "k_ary_response"),  # of k = 0 there is no value
        ("flipped", "k >= 2 → k < 2", "k_ary_response"),  # of k = 1 there is one value
        ("other exponent", "-eps → (…) / 2 in assert …", "mangat"),
        ("other exponent", "-eps → 9 * (…) / 10 in assert …", "mangat"),
    ],
    "of one value, or of none, there are no neighbours": [
        ("less asserted", "assert k >= 2", "k_ary_response"),
    ],
    "all k values are sensitive, and answers above k say nothing": [
        ("less asserted", "1 <= s < k → 1 <= s", ""),
    ],
    "who is asked in all rounds pays for each of them, and that is less than all of eps": [
        ("other probability", "L → (L + 1) in …", "private_binary_search"),
    ],
    "all users are asked in one round, or in rounds of one": [
        ("flipped", "m >= 1 → m < 1", ""),
        ("mirrored", "m >= 1 → m <= 1", ""),
        ("less asserted", "assert m >= 1", ""),
    ],
    "fewer values, or values of which the proof holds as well": [
        ("other input", "Annotated[int, IntegerValue(0, 1)] → Annotated[int, IntegerValue(0, 0)]",
         ""),
        ("other input", "Annotated[int, IntegerValue(0, 9)] → Annotated[int, IntegerValue(0, 8)]",
         ""),
        ("other input", "… → Annotated[Sequence[int], IntegerValues(0, 8)]", ""),
        ("other input", "… → Annotated[int, IntegerValue(2, 'k')]", CHOICES),
        ("other input", "Annotated[int, IntegerValue(1, 'k')] → Annotated[int, IntegerValue(1, …)]",
         "utility_optimized_response"),
        ("other input", "Annotated[int, IntegerValue(0, 'n')] → …", ""),
        ("other input", "Private[int] → Annotated[int, IntegerValue(0, 9)]", ""),
        ("other input", "Private[float] → …", "blurred_place"),
        ("other input", "Users → Annotated[Sequence[…], …Values(…", ""),
    ],
    "at most two answers differ, whatever the value is": [
        ("other input", "Annotated[int, IntegerValue(1, 'k')] → …", "rappor"),
        ("index shifted", "range(k) → …", "rappor"),
        ("operand alone", "v + 1 → v in yield ((x == v + 1) == honest)", ""),
    ],
    "fewer secrets": [
        ("other privacy", "OneSidedDP(last_three) → OneSidedDP(Policy({7, 8}, universe=range(10)))",
         "one_sided_response one_sided_histogram"),
        ("other edge", "abs(x - other(x)) <= 5: 5 → 4", ""),
    ],
    "records of one value: what changes is all of the record": [
        ("other privacy", "OneSidedDP(last_three) → ADP(last_three)", ""),
    ],
    "the budget of two values that differ is the same one": [
        ("other privacy", "ContextAwareLDP(budget_of_pair) → …(budget_of_pair)", ""),
        ("other distance", "0 → …", "context_aware_response"),  # of a value and itself
        ("other distance", "eps if … else eps_fine → eps", "context_aware_response"),
        ("other distance", "…: eps_fine → eps", "context_aware_response"),
    ],
    "each pair of values has eps_fine at least, which is no more than eps": [
        ("other privacy", "InputDiscriminativeLDP(budget_of_value) → …(budget_of_value)", ""),
        ("other predicate", "x == 1 → …", "input_discriminative_response"),
        ("other edge", "x == 1: 1 → …", ""),
        ("other distance", "eps_fine if x == 1 else eps → eps…", ""),
        ("other distance", "eps_fine if x == 1 else eps: …", ""),
    ],
    "a longer distance, or more budget": [
        ("other distance", "… → 2 * (…)", ""),
        ("other distance", "… → 2 * abs(…)", ""),
        ("other distance", "… → … + 1", "-context_aware_response"),
        ("other distance", "eps if … else eps_fine → (…) + 1", "context_aware_response"),
        ("other distance", "abs(…) → max(1, abs(…))", ""),
    ],
    "one coordinate is not released at all, or the noise of it alone": [
        ("operand alone", "x + east → east in return (x + east, y + north)", ""),
        ("operand alone", "y + north → north in return (x + east, y + north)", ""),
        *(("other release", f"return (x + east, y + north) → {text}", "")
          for text in ("x + east", "x + north", "east", "north")),
    ],
    "a shift of whole numbers, or of any: the noise allows it at the same cost": [
        ("other noise", "TwoSidedGeometric(1 / eps) → Laplace", "geometric_response"),
        ("other noise", "TwoSidedGeometric(5 / eps) → Laplace", ""),
        ("other noise", "NegativeExponential(1 / eps) → TwoSidedGeometric", "one_sided_histogram"),
        ("other noise", "NegativeExponential(1 / eps) → NegativeOneSidedGeometric",
         "one_sided_histogram"),
    ],
    "two-sided noise is subtracted": [
        ("direction changed", "x + noise → x - noise in return …", ""),
        ("direction changed", "x + east → x - east in …", ""),
        ("direction changed", "y + north → y - north in …", ""),
    ],
    "a function of x + noise, or the noise alone": [
        ("direction changed", "min(n, x + noise) → max", ""),
        ("direction changed", "max(0, min(n, x + noise)) → min", ""),
        ("other release", "return max(0, min(n, x + noise)) → x + noise", ""),
        ("other release", "return max(0, min(n, x + noise)) → noise", ""),
        ("operand alone", "count(has_value, records, v) + noise → noise in …", ""),
        ("other release", "yield (count(has_value, records, v) + noise) → noise", ""),
    ],
    "counts of other values that are not sensitive; a record has one value": [
        ("index shifted", "range(k) → …", "one_sided_histogram"),
        ("other edge", "v < 7: 7 → 6", ""),
        ("other edge", "…: v → v + 1", "one_sided_histogram"),
    ],
    "what is counted does not depend on what changes": [
        ("other predicate", "v < 7 → v == -6", ""),
        ("other predicate", "record[0] == v and v < 7 → v < 7", ""),
        ("other edge", "… → True", "one_sided_histogram visitors_of_both visitors_of_none"),
        *(("other edge", f"r[{i}] == {v}: {v} → {w}", "")
          for i in (0, 1) for v, w in ((1, 2), (1, 4), (0, -1), (0, 2))),
    ],
    "a user less, of whom nothing is said": [
        ("index shifted", f"range({n}) → range({text})", f"one_sided_responses {SEARCHES}")
        for n, text in (("len(x)", "1, len(x)"), ("len(x)", "len(x) - 1"))
    ],
    "an element is in no more sums than before, alone or with its block": [
        ("branches exchanged", "(i + 1) % M == 0 → (i + 1) % M != 0", ""),
        ("operand alone", "block + q[i] → … in block = …", ""),
        ("operand alone", "block + q[i] → … in following = …", ""),
        ("operand alone", "block + q[i] + noise → noise in …", ""),
        ("operand alone", "following + q[i] → … in …", ""),
        ("operand alone", "following + q[i] + noise → noise in …", ""),
        ("operand alone", "following + block → … in …", ""),
        ("operand alone", "following + block + q[i] → … in …", ""),
        ("operand alone", "following + block + q[i] + noise → noise in …", ""),
        ("operand alone", "i + 1 → … in if (i + 1) % M == 0", ""),
        ("branch emptied", "body of if (i + 1) % M == 0", ""),
        ("branch emptied", "orelse of if (i + 1) % M == 0", ""),
    ],
}  # fmt: skip


def _meant(name: str, names: list[str]) -> bool:
    """Whether a row is about a mechanism: it is named, or others are excepted."""
    return f"-{name}" not in names if names and names[0][0] == "-" else not names or name in names


def arguments(keys: Iterable[Key], rows: Mapping[str, list[Row]] = PRIVATE) -> dict[Key, list[str]]:
    """For each mutant (mechanism, operator, place) the arguments that speak of it."""
    readings = [
        (argument, operator, re.compile(".*".join(map(re.escape, place.split("…")))), names.split())
        for argument, listed in rows.items()
        for operator, place, names in listed
    ]
    found: dict[Key, list[str]] = {}
    for key in keys:
        name, operator, place = key
        for argument, wanted, pattern, names in readings:
            if wanted == operator and pattern.fullmatch(place) and _meant(name, names):
                found.setdefault(key, []).append(argument)
    return found
