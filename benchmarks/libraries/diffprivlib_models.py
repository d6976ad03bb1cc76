"""Models of diffprivlib, as far as a fit takes milliseconds."""

from __future__ import annotations

from typing import Any

import diffprivlib.models as models  # type: ignore[import-not-found,unused-ignore]
import numpy as np

from benchmarks.libraries.box import EPSILON, VIOLATION, Library, both_ways

LIBRARY = Library("diffprivlib")
#: A fit takes a thousand times as long as a mechanism.
FEW = 2_400


@LIBRARY.box(
    both_ways(((1.0,), (0.1,))), ideal=VIOLATION, samples=FEW,
    why="of the bounds 0 and 1 it squares the lower one twice: the sum of squares has no noise",
)  # fmt: skip
def diffprivlib_linear_regression(x: Any) -> Any:
    """The slope of a regression without intercept (their issue 105)."""
    model = models.LinearRegression(
        epsilon=EPSILON, bounds_X=(0, 1), bounds_y=(0, 1), fit_intercept=False
    )
    return float(model.fit(np.reshape(x, (-1, 1)), np.ones(len(x))).coef_[0])


@LIBRARY.box(
    both_ways(((0, 0, 0, 1), (0, 0, 1, 1))), ideal=VIOLATION, samples=FEW,
    why="a record that changes its class takes 10 from a sum; the noise is made for 11 - 10",
)  # fmt: skip
def diffprivlib_gaussian_naive_bayes(labels: Any) -> Any:
    """The means of two classes of records between 10 and 11."""
    model = models.GaussianNB(epsilon=EPSILON, bounds=(10, 11))
    return model.fit(np.full((len(labels), 1), 10.5), labels).theta_.ravel()


@LIBRARY.box(
    both_ways(((0.0, 0.0, 0.0), (0.0, 0.0, 1.0))), ideal=VIOLATION, samples=FEW,
    why="inertia_ is the sum of the records' own distances to the centres, without noise",
)  # fmt: skip
def diffprivlib_k_means(records: Any) -> Any:
    """Its one centre, and its inertia_."""
    model = models.KMeans(n_clusters=1, epsilon=EPSILON, bounds=(0, 1))
    model.fit(np.reshape(records, (-1, 1)))
    return [float(model.cluster_centers_[0, 0]), float(model.inertia_)]
