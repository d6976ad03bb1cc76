"""Functions as libraries write them; each is read, and run beside what was read of it."""

# ruff: noqa
import math
import random
import secrets

import numpy as np


class Base:
    factor = 2

    def __init__(self, epsilon):
        self.epsilon = epsilon
        self.scale = self.factor / epsilon

    def law(self):
        return math.exp(self.epsilon) / (1 + math.exp(self.epsilon))


class Mixin:
    def law(self):
        return 0.75


class Child(Mixin, Base):
    factor = 3

    def __init__(self, epsilon, size):
        super().__init__(epsilon)
        self.size = size
        self.update(size=size)

    def update(self, size=None):
        self.size = size if size is not None else self.size

    @property
    def last(self):
        return self.size - 1

    def report(self, x):
        if random.random() < self.law():
            return x
        return random.randint(0, self.last)

    def report_or_raise(self, x):
        if x > 1:
            raise ValueError("too large")
        return self.report(x)


def chain(x, m):
    u = np.random.random()
    if u < 0.25:
        return 0
    return x


def aliased(x, m):
    row = np.zeros(3)
    other = row
    other[0] = x
    copied = row.copy()
    row[1] = 7
    return row[0], other[1], copied[1]


def list_alias(x, m):
    values = [x, 0]
    same = values
    same.append(5)
    same[1] = 9
    return values[1], values[2], len(values)


def whole_array(x, m):
    row = np.zeros(2, dtype=int)
    row[0] = x + 0.75
    return row[0], row[1]


def swapped(x, m):
    a, b = x, 4
    a, b = b, a
    a += b
    return a, b


def loop_variable(x, m):
    total = 0
    for i in range(5):
        total += i * x
    return total, x


def grows(x, m):
    values = []
    for i in range(m + 1):
        if random.random() < 0.5:
            values.append(i)
        else:
            values.append(x)
    return values


def filled(x, m):
    out = np.zeros(m + 1)
    for i in range(m + 1):
        rnd = np.random.random()
        if i == x:
            if rnd < 0.75:
                out[i] = 1
        elif rnd <= 0.25:
            out[i] = 1
    return out


def masked(x, m):
    v = np.full(m + 1, -1)
    v[x] = 1
    v[np.random.rand(m + 1) < 0.25] *= -1
    return v


def chosen(x, m):
    return np.random.choice([x, 5, 7], p=[0.5, 0.25, 0.25])


def without(x, m):
    domain = np.arange(m + 1)
    return np.random.choice(domain[domain != x])


def several(x, m):
    a, b = np.random.choice(np.arange(5), size=2, replace=False)
    return a, b, x


def counted(x, m):
    return x + np.random.geometric(1 - np.exp(-1.0))


def trials(x, m):
    return np.random.binomial(1, 0.25) + 2 * x


def ends(x, m):
    a = random.randint(0, 1)
    b = np.random.randint(0, 2)
    c = random.randrange(1, 3)
    d = secrets.randbelow(2)
    return a, b, c, d, x


def rejected(x, m):
    while True:
        y = random.randint(0, 3)
        if y != 3:
            break
    return (x + y) % 3


def waited(x, m):
    rounds = 0
    while rounds < x:
        rounds += 1
        if random.random() < 0.25:
            break
    return rounds


def luck(x, m):
    rounds = 0
    while random.random() < 0.5 and rounds < 3:
        rounds += 1
    return rounds + x


def short(x, m):
    if x == 1 and random.random() < 0.25:
        return 5
    return 0


def either(x, m):
    u = random.random()
    if (x == 1 and u < 0.75) or (x == 0 and u < 0.25):
        return 1
    return 0


def closed(x, m):
    def inner(y):
        if y > 1:
            return y * 2
        return y + offset

    offset = 3
    return inner(x), inner(2)


def selected(x, m):
    bits = np.random.random(size=3) < 0.5
    return np.where(bits, x, -1)


def late(x, m):
    noise = random.choice([0, 1])
    if noise:
        raise RuntimeError("unlucky")
    return x


def fallen(x, m):
    if x == 2:
        raise ValueError
    return 1


def clipped(x, m):
    return np.clip(x - 1, 0, 1), max(x, 1), min(2, x, 1), abs(-x)


def rounded(x, m):
    return -x // 2, -x % 3, int(-1.5 * x), x / 2, round(x / 4)


def scores(x, m):
    return np.argmax([1, x, 1])


def tossed(x, m):
    tosses = [random.random() < 0.5 for _ in range(2)]
    return sum(tosses) + x


def nothing(x, m):
    random.random()


def two_of_one(x, m):
    u = random.uniform(0, 2)
    keep = u < 1
    return keep, x


#: What is not read, and a word of the reason.
def twice(x, m):
    u = random.random()
    if u < 0.25:
        return 0
    if u < 0.5:
        return 1
    return x


def seeded(x, m):
    rng = np.random.default_rng(7)
    return x + rng.integers(2)


def normal(x, m):
    return x + np.random.normal()


def tried(x, m):
    try:
        return 1 / x
    except ZeroDivisionError:
        return 0


def endless(x, m):
    return endless(x, m)


def used_twice(x, m):
    noise = np.random.laplace(size=m + 1)
    return noise[0] + noise[x]


def kept_in_a_tuple(x, m):
    v = 0
    out = 0
    for i in range(m + 1):
        t = (v, 1)
        v = v + x
        out = t[0]
    return out


def kept_in_a_range(x, m):
    v = 1
    total = 0
    for i in range(m + 1):
        r = range(v)
        v = v + 1
        total = total + len(r)
    return total


def divides(x, m):
    values = [10 / (v + 1 - x) for v in range(m + 1)]
    return x


def knows_too_much(x, m):
    for i in range(m):
        random.random()
    if m == 0:
        return x
    return 0
