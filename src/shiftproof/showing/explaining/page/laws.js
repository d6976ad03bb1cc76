"use strict";

// The probabilities of all outcomes of a program whose noise takes finitely many values.

// How many runs are followed, and how often they may draw in all: where a draw may be repeated for
// ever, each run is longer than the one before it.
const [MOST_RUNS, MOST_DRAWN] = [3000, 20000];

const MASSES = {
  coin: ([p]) => [[true, p], [false, sub(q(1n, 1n, true), p)]],
  interval([low, high]) {
    const size = Number(high.n - low.n) + 1;
    if (size > MOST_RUNS) throw new RunError("too many outcomes for this page");
    const mass = q(1n, BigInt(size), false);
    return Array.from({ length: size }, (_, k) => [q(low.n + BigInt(k), 1n, true), mass]);
  },
  weights(weights) {
    const total = weights.reduce(add, ZERO);
    return weights.map((w, k) => [q(BigInt(k), 1n, true), div(w, total)]);
  },
};

// Every outcome by its text, with its probability: each choice of every draw is followed.
function lawOf(programs, inputs) {
  const found = new Map();
  let [choices, draws] = [[], 0];
  for (let runs = 0; choices !== null; runs += 1) {
    if (runs === MOST_RUNS || draws > MOST_DRAWN) throw new RunError("too many outcomes for this page");
    const { run, taken } = followed(programs, inputs, choices);
    draws += taken.length;
    const text = shown(run.outputs);
    const mass = taken.reduce((p, { options, k }) => mul(p, options[k][1]), q(1n, 1n, true));
    const known = found.get(text);
    found.set(text, { outputs: run.outputs, mass: known ? add(known.mass, mass) : mass });
    choices = following(taken);
  }
  return found;
}

function followed(programs, inputs, choices) {
  const taken = [];
  const source = {
    draw(run, node, parameters) {
      if (!node.law.finite) throw new RunError("noise that takes infinitely many values");
      const options = MASSES[node.law.finite](parameters).filter(([, mass]) => mass.n !== 0n);
      const k = choices[taken.length] ?? 0;
      taken.push({ options, k });
      return options[k][0];
    },
    call: (run, node, program, given) => execute(programs, program, given, source).outputs,
  };
  return { run: execute(programs, programs[0], inputs, source), taken };
}

// The next choice, of the last draw first; null if there is none.
function following(taken) {
  const ks = taken.map(({ k }) => k);
  while (ks.length && ks[ks.length - 1] + 1 === taken[ks.length - 1].options.length) ks.pop();
  if (!ks.length) return null;
  ks[ks.length - 1] += 1;
  return ks;
}

// Both laws, outcome by outcome, in the order of their texts.
function bothLaws(account, pair, left, right) {
  const [ours, theirs] = [lawOf(account.programs, left), lawOf(account.programs, right)];
  const keys = [...new Set([...ours.keys(), ...theirs.keys()])].sort();
  const state = new State(left);
  const rows = keys.map((text) => {
    const { outputs } = ours.get(text) ?? theirs.get(text);
    return {
      text: outputs.length === 1 ? shown(outputs[0]) : text,
      here: toDouble(ours.get(text)?.mass ?? ZERO),
      there: toDouble(theirs.get(text)?.mass ?? ZERO),
      counts: account.covers === null || outputs.every((y) => account.covers(state, y)),
    };
  });
  return { rows, budget: toDouble(pair.budget(state)) };
}
