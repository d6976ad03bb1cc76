"use strict";

// Exact numbers: fractions of big integers. `whole` tells Python's ints from its floats.
// Only exp and log_odds are rounded, to the nearest double.

class RunError extends Error {}

function q(n, d, whole) {
  if (d < 0n) [n, d] = [-n, -d];
  let [a, b] = [n < 0n ? -n : n, d];
  while (b !== 0n) [a, b] = [b, a % b];
  return a === 1n ? { n, d, whole } : { n: n / a, d: d / a, whole };
}

const ZERO = q(0n, 1n, true);

const isNumber = (x) => typeof x === "object" && x !== null && !Array.isArray(x);
const add = (x, y) => q(x.n * y.d + y.n * x.d, x.d * y.d, x.whole && y.whole);
const neg = (x) => q(-x.n, x.d, x.whole);
const sub = (x, y) => add(x, neg(y));
const mul = (x, y) => q(x.n * y.n, x.d * y.d, x.whole && y.whole);
const lt = (x, y) => x.n * y.d < y.n * x.d;
const le = (x, y) => x.n * y.d <= y.n * x.d;

function div(x, y) {
  if (y.n === 0n) throw new RunError("a division by zero");
  return q(x.n * y.d, x.d * y.n, false);
}

// Python's ==: 1 == 1.0, and None, strings and truth values equal only themselves.
function same(x, y) {
  if (Array.isArray(x)) return x.length === y.length && x.every((v, i) => same(v, y[i]));
  return isNumber(x) && isNumber(y) ? x.n === y.n && x.d === y.d : x === y;
}

// What somebody who sees a release can tell apart: 1 and 1.0 are two outputs.
const identical = (x, y) => same(x, y) && (!isNumber(x) || x.whole === y.whole);

function floor(x) {
  const down = x.n / x.d;
  return q(x.n < 0n && down * x.d !== x.n ? down - 1n : down, 1n, x.whole);
}

function rounded(x) {
  const down = floor(x);
  const rest = sub(x, down);
  const half = q(1n, 2n, false);
  const up = lt(half, rest) || (same(half, rest) && down.n % 2n !== 0n);
  return q(up ? down.n + 1n : down.n, 1n, true);
}

function floorDivision(x, y) {
  const whole = x.whole && y.whole;
  return { ...floor(div(x, y)), whole };
}

function least(order) {
  return (first, ...rest) => rest.reduce((best, x) => (order(x, best) ? x : best), first);
}

const operations = {
  "//": floorDivision,
  "%": (x, y) => sub(x, mul(y, floorDivision(x, y))),
  int: (x) => q(x.n / x.d, 1n, true),
  round: rounded,
  abs: (x) => (x.n < 0n ? neg(x) : x),
  min: least(lt),
  max: least((x, y) => lt(y, x)),
  index: (x) => x,
  exp: (x) => fromDouble(Math.exp(toDouble(x))),
  log: (x) => fromDouble(Math.log(toDouble(x))),
  sqrt: (x) => fromDouble(Math.sqrt(toDouble(x))),
  log_odds: (p) => fromDouble(Math.log(toDouble(p) / (1 - toDouble(p)))),
};

function toDouble(x) {
  const [n, d] = [Number(x.n), Number(x.d)];
  if (Number.isFinite(n) && Number.isFinite(d)) return n / d;
  const shift = 10n ** 18n;
  return Number((x.n * shift) / x.d) / Number(shift);
}

function fromDouble(value) {
  if (!Number.isFinite(value)) throw new RunError("a number that is too large");
  let d = 1n;
  while (!Number.isInteger(value)) {
    value *= 2;
    d *= 2n;
  }
  return q(BigInt(value), d, false);
}

// "3", "-1.25" or "7/3"; null of anything else.
function parsed(text, whole) {
  const found = /^\s*([+-]?\d+)(?:\.(\d*))?(?:\/(\d+))?\s*$/.exec(text);
  if (!found || (found[2] !== undefined && found[3] !== undefined)) return null;
  const decimals = found[2] ?? "";
  const d = BigInt(found[3] ?? 1) * 10n ** BigInt(decimals.length);
  if (d === 0n) return null;
  const value = q(BigInt(found[1] + decimals), d, whole);
  return whole && value.d !== 1n ? null : value;
}

function shown(x) {
  if (x === null) return "None";
  if (typeof x === "boolean") return x ? "True" : "False";
  if (typeof x === "string") return `'${x}'`;
  if (Array.isArray(x)) return `(${x.map(shown).join(", ")}${x.length === 1 ? "," : ""})`;
  if (x.d === 1n) return String(x.n).replace("-", "−");
  const exact = toDouble(x);
  const short = Number(exact.toPrecision(6));
  const sign = same(fromDouble(short), x) || 10n ** 12n % x.d === 0n ? "" : "≈ ";
  return sign + String(short).replace("-", "−");
}
