"use strict";

// Checks refutation trees: that facts contradict each other, step by step. The rules are those of
// the kernel's trees.py and arithmetic.py, and nothing else of the page is needed to follow them.

const checking = (() => {
  class Wrong extends Error {}
  const [MOST_TERMS, MOST_FACTORS, MOST_BITS] = [4000, 400, 6000]; // the kernel's limits

  // Fractions are pairs of big integers without a common factor, the lower one above zero.
  const [ZERO, ONE, MINUS_ONE] = [[0n, 1n], [1n, 1n], [-1n, 1n]];
  function gcd(a, b) {
    while (b !== 0n) [a, b] = [b, a % b];
    return a < 0n ? -a : a;
  }

  function fraction(n, d) {
    if (d === 0n) throw new Wrong("a fraction over zero");
    const common = d < 0n ? -gcd(n, d) : gcd(n, d);
    return [n / common, d / common];
  }

  const plus = ([a, b], [c, d]) => fraction(a * d + c * b, b * d);
  const by = ([a, b], [c, d]) => fraction(a * c, b * d);
  const floor = ([n, d]) => (n < 0n && n % d !== 0n ? n / d - 1n : n / d);
  const bits = (n) => (n === 0n ? 0 : (n < 0n ? -n : n).toString(2).length);

  // A polynomial is a map from products of unknowns to fractions that are not zero. A product is
  // a text with one letter for each factor, in order; the empty text is the product of none.
  function put(total, product, k) {
    const sum = plus(total.get(product) ?? ZERO, k);
    if (sum[0] === 0n) total.delete(product);
    else total.set(product, sum);
  }

  function limited(total) {
    const short = ([product, [n, d]]) => product.length <= MOST_FACTORS && bits(n) + bits(d) <= MOST_BITS;
    if (total.size <= MOST_TERMS && [...total].every(short)) return total;
    throw new Wrong("a polynomial, a product or a number that is too long");
  }

  function add(a, b, k = ONE) { // a + k b
    const total = new Map(a);
    for (const [product, c] of b) put(total, product, by(k, c));
    return limited(total);
  }

  const constant = (k) => (k[0] === 0n ? new Map() : new Map([["", k]]));
  const scaled = (p, k) => add(new Map(), p, k);

  // A condition is one of {kind: "and" or "or", members}, {kind: "?", letter, value} and
  // {kind: ">=", ">" or "=", p}, which compares a polynomial with zero.
  const [TRUE, FALSE] = [{ kind: "and", members: [] }, { kind: "or", members: [] }];

  const inverse = (name) => (name[0] === "/" ? name.slice(1) : `/${name}`);
  class Unknowns {
    // Letters are in the order of Python's strings, by code points, because there the first product
    // gives an equation its sign.
    constructor({ names, whole }) {
      if (new Set(names).size < names.length || names.length > 50000) throw new Wrong("its unknowns are unclear");
      const wide = (name) => [...name].map((c) => c.codePointAt(0).toString(16).padStart(6, "0")).join("");
      const order = new Map(names.map((name) => [name, wide(name)]));
      const sorted = [...names].sort((a, b) => (order.get(a) < order.get(b) ? -1 : 1));
      const letters = new Map(sorted.map((name, k) => [name, String.fromCharCode(k + 1)]));
      this.names = new Map(sorted.map((name) => [letters.get(name), name]));
      this.letters = names.map((name) => letters.get(name));
      this.whole = new Set(names.filter((_, k) => whole[k] === "1").map((name) => letters.get(name)));
      this.inverses = new Map(sorted.map((name) => [letters.get(name), letters.get(inverse(name))]));
    }

    isWhole(p) {
      return [...p].every(([product, [, d]]) => d === 1n && [...product].every((x) => this.whole.has(x)));
    }

    product(one, other) { // where x and /x are gone
      const factors = [...one];
      for (const letter of other) {
        const at = factors.indexOf(this.inverses.get(letter));
        if (at >= 0) factors.splice(at, 1);
        else factors.push(letter);
      }
      return factors.sort().join("");
    }

    times(a, b) {
      const total = new Map();
      for (const [one, c] of a) for (const [other, d] of b) put(total, this.product(one, other), by(c, d));
      return limited(total);
    }

    // p compared with zero: decided if p is a number, and of integers as sharp as it can be.
    compare(kind, p) {
      const products = [...p.keys()].filter((product) => product !== "").sort();
      const free = p.get("") ?? ZERO;
      if (products.length === 0) {
        return { "=": free[0] === 0n, ">": free[0] > 0n, ">=": free[0] >= 0n }[kind] ? TRUE : FALSE;
      }
      const numbers = products.map((product) => p.get(product));
      const least = numbers.reduce((a, [, d]) => (a * d) / gcd(a, d), 1n);
      const common = numbers.reduce((a, [n, d]) => gcd(a, (n * least) / d), 0n);
      const turned = kind === "=" && numbers[0][0] < 0n;
      const found = scaled(p, fraction(turned ? -least : least, common));
      const rest = found.get("") ?? ZERO;
      if (!this.isWhole(add(found, constant(rest), MINUS_ONE))) return { kind, p: found };
      if (kind === "=") return rest[1] === 1n ? { kind, p: found } : FALSE;
      const tight = kind === ">" ? -floor(by(MINUS_ONE, rest)) - 1n : floor(rest);
      return { kind: ">=", p: add(found, constant(plus([tight, 1n], by(MINUS_ONE, rest)))) };
    }
  }

  // Facts have numbers, in the order in which they come; of a conjunction each member is one.
  const learn = (facts, f) => (f.kind === "and" ? f.members.forEach((g) => learn(facts, g)) : facts.push(f));

  // Reads a text of numbers and words: a condition, or a tree, which is checked as it is read.
  class Reader {
    constructor(unknowns, known, facts, text) {
      Object.assign(this, { unknowns, facts, tokens: text.split(" "), at: 0 });
      this.letters = unknowns.letters.slice(0, known);
    }

    next() {
      if (this.at >= this.tokens.length) throw new Wrong("its text ends in the middle");
      return this.tokens[this.at++];
    }

    integer() {
      const token = this.next();
      if (!/^-?\d+$/.test(token)) throw new Wrong("no number where one stands");
      return BigInt(token);
    }

    natural() {
      const value = this.integer();
      if (value < 0n) throw new Wrong("a number below zero");
      return Number(value);
    }

    chosen(all, what) { // one of several, by its number
      const k = this.natural();
      if (k >= all.length) throw new Wrong(`there is no ${what} ${k}`);
      return all[k];
    }

    polynomial() {
      let total = new Map();
      for (let terms = this.natural(); terms > 0; terms -= 1) {
        const found = /^(-?\d+)(?:\/(\d+))?$/.exec(this.next());
        if (!found) throw new Wrong("no number where one stands");
        let one = constant(fraction(BigInt(found[1]), BigInt(found[2] ?? 1)));
        for (let factors = this.natural(); factors > 0; factors -= 1) {
          one = this.unknowns.times(one, new Map([[this.chosen(this.letters, "unknown"), ONE]]));
        }
        total = add(total, one);
      }
      return total;
    }

    condition() {
      const kind = this.next();
      if (kind === "?") return { kind, letter: this.chosen(this.letters, "unknown"), value: this.natural() === 1 };
      if ([">=", ">", "="].includes(kind)) return { kind, p: this.polynomial() };
      if (!["and", "or"].includes(kind)) throw new Wrong(`the condition '${kind}'`);
      return { kind, members: Array.from({ length: this.natural() }, () => this.condition()) };
    }

    fact(...kinds) {
      const fact = this.chosen(this.facts, "fact");
      if (!kinds.includes(fact.kind)) throw new Wrong(`a fact that is none of ${kinds.join(" ")}`);
      return fact;
    }

    // One step, and the proofs after it.
    step() {
      const kind = this.next();
      if (kind === "x") {
        const [one, two] = [this.fact("?"), this.fact("?")];
        if (one.letter !== two.letter || one.value === two.value) throw new Wrong("two facts are no opposites");
      } else if (kind === "f") {
        const { kind: join, members } = this.sum();
        if (join !== "or" || members.length > 0) throw new Wrong("a sum of facts is not false");
      } else if (kind === "s") {
        for (const member of this.fact("or").members) this.under(member);
      } else if (kind === "c") {
        const p = this.polynomial();
        if (!this.unknowns.isWhole(p)) throw new Wrong("what is cut is no integer");
        this.under(this.unknowns.compare(">=", scaled(p, MINUS_ONE)));
        this.under(this.unknowns.compare(">=", add(p, constant(MINUS_ONE))));
      } else {
        this.under(this.further(kind));
      }
    }

    under(condition) { // one more fact, which is forgotten after the proof
      const before = this.facts.length;
      learn(this.facts, condition);
      this.step();
      this.facts.length = before;
    }

    further(kind) { // what a step adds for the one after it
      if (kind === "d") return this.sum();
      if (kind === "m") {
        const [one, two] = [this.fact(">=", ">", "="), this.fact(">=", ">", "=")];
        const relation = ["=", ">="].find((weak) => weak === one.kind || weak === two.kind) ?? ">";
        return this.unknowns.compare(relation, this.unknowns.times(one.p, two.p));
      }
      if (kind === "e") return this.unknowns.compare("=", this.unknowns.times(this.fact("=").p, this.polynomial()));
      if (kind !== "q") throw new Wrong(`the step '${kind}'`);
      const p = this.polynomial();
      return this.unknowns.compare(">=", this.unknowns.times(p, p));
    }

    sum() {
      let [total, relation] = [new Map(), "="];
      for (let n = this.natural(); n > 0; n -= 1) {
        const [{ kind, p }, k] = [this.fact(">=", ">", "="), this.integer()];
        if (k < 0n && kind !== "=") throw new Wrong("an inequality is taken a negative number of times");
        if (k !== 0n && relation !== ">" && kind !== "=") relation = kind;
        total = add(total, p, [k, 1n]);
      }
      return this.unknowns.compare(relation, total);
    }

    all(what) { // a condition or a step, and nothing after it
      const found = this[what]();
      if (this.at < this.tokens.length) throw new Wrong("its text goes on after the end");
      return found;
    }
  }

  // An obligation as it stands in the page: how many unknowns there were when the kernel asked, the
  // numbers of its conditions, and its tree.
  function read(unknowns, part, [known, numbers, tree]) {
    const facts = [];
    for (const k of numbers) learn(facts, new Reader(unknowns, known, [], part.facts[k]).all("condition"));
    return { facts, tree: new Reader(unknowns, known, facts, tree) };
  }

  // Why an obligation fails; empty if its tree shows that its facts contradict each other.
  function problem(unknowns, part, owed) {
    try {
      read(unknowns, part, owed).tree.all("step");
      return "";
    } catch (error) { // whatever goes wrong, nothing is shown
      return error instanceof Wrong ? error.message : `it cannot be followed (${error})`;
    }
  }

  return { Unknowns, read, problem };
})();
