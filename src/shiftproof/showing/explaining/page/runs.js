"use strict";

// One run of a program, step by step; and two runs, of which the second has the aligned noise.

const MOST_STEPS = 20000;

// The variables of one run. `told` is what the run comes to, which shifts may ask for.
class State {
  constructor(values, told = { history: [], from: 0, picked: [] }) {
    this.values = new Map(values);
    this.told = told;
  }

  get(name) {
    if (!this.values.has(name)) throw new RunError(`${plainName(name)} has no value there`);
    return this.values.get(name);
  }

  cell(array, index) {
    return at(this.get(array), index, array);
  }

  length(array) {
    return q(BigInt(this.get(array).length), 1n, true);
  }

  count(data, test) {
    return q(BigInt(this.get(data).filter(test).length), 1n, true);
  }

  outcome(which) {
    return this.told.history[this.told.from + which] ?? ZERO;
  }

  chosen(index) {
    return this.told.picked.some((k) => same(k, index));
  }
}

const plainName = (name) => name.split("@")[0];

function at(list, index, name = "a record") {
  const found = index.d === 1n && index.n >= 0n ? list[Number(index.n)] : undefined;
  if (found === undefined) throw new RunError(`an index of ${plainName(name)} that is out of range`);
  return found;
}

// Indices by value, the largest first; of equal ones the first.
function ranked(values) {
  const order = values.map((_, i) => i);
  return order.sort((i, j) => (lt(values[j], values[i]) ? -1 : lt(values[i], values[j]) ? 1 : i - j));
}

// Run a program. `source` gives its draws and the results of what it calls.
function execute(programs, program, inputs, source, other = null) {
  const run = {
    programs, program, source,
    state: new State(inputs), outputs: [], trace: [], history: [], picked: [],
  };
  source.starts?.(run);
  let place = program.start;
  for (let step = 0; place !== null; step += 1) {
    if (step > MOST_STEPS) throw new RunError("too many steps for this page");
    const node = program.nodes[place];
    place = ACTIONS[node.op](run, node, node.values ? node.values(run.state, other) : []);
  }
  return run;
}

function tell(run, node, value) {
  if (node.text) run.trace.push({ node, value });
}

const ACTIONS = {
  assign(run, node, values) {
    node.targets.forEach((name, k) => run.state.values.set(name, values[k]));
    const seen = values.filter((_, k) => !node.targets[k].includes("@"));
    tell(run, node, seen.map(shown).join(", "));
    return node.after;
  },

  sample(run, node, parameters) {
    if (node.law.exists && !node.law.exists(parameters)) {
      throw new RunError(`${node.law.name} with these parameters does not exist`);
    }
    run.state.values.delete(node.target);
    const value = run.source.draw(run, node, parameters);
    run.state.values.set(node.target, value);
    tell(run, node, shown(value));
    return node.after;
  },

  make(run, node, [length, fill]) {
    if (length.n > MOST_STEPS) throw new RunError("a list that is too long for this page");
    run.state.values.set(node.target, Array.from({ length: Number(length.n) }, () => fill));
    tell(run, node, shown(run.state.get(node.target)));
    return node.after;
  },

  store(run, node, [value, index]) {
    const list = [...run.state.get(node.target)];
    if (index === undefined) list.push(value);
    else {
      at(list, index, node.target);
      list[Number(index.n)] = value;
      if (node.told) run.history.push(index);
    }
    run.state.values.set(node.target, list);
    tell(run, node, shown(value));
    return node.after;
  },

  pick(run, node, [count]) {
    const order = ranked(run.state.get(node.array)).map((i) => q(BigInt(i), 1n, true));
    if (order.length < Number(count?.n ?? 1)) throw new RunError("too few values to pick from");
    if (count === undefined) run.history.push(order[0]);
    else run.picked = order.slice(0, Number(count.n));
    run.state.values.set(node.target, count === undefined ? order[0] : run.picked);
    tell(run, node, shown(run.state.get(node.target)));
    return node.after;
  },

  call(run, node) {
    const callee = run.programs[node.callee];
    const given = new Map(node.given(run.state, null));
    for (const { name, shape, whole } of callee.inputs) {
      if (shape === "number" && !whole) given.set(name, { ...given.get(name), whole });
    }
    for (const [name, own] of node.passed) given.set(name, run.state.get(own));
    checkInputs(callee, given);
    const results = run.source.call(run, node, callee, given);
    if (node.targets === null) run.outputs.push(...results);
    else node.targets.forEach((name, k) => run.state.values.set(name, results[k]));
    tell(run, node, results.map(shown).join(", "));
    return node.after;
  },

  branch(run, node, [holds]) {
    tell(run, node, holds ? "yes" : "no");
    return holds ? node.yes : node.no;
  },

  release(run, node, values) {
    for (const value of values) {
      if (isNumber(value) && value.whole) run.history.push(value);
      run.outputs.push(value);
    }
    tell(run, node, values.map(shown).join(", "));
    return node.after;
  },

  pass: (run, node) => node.after,

  end: () => null,
};

// Throws if a run may not have these inputs.
function checkInputs(program, inputs) {
  for (const { name, shape, whole, positive, minimum } of program.inputs) {
    if (shape !== "number") continue;
    const value = inputs.get(name);
    if (!isNumber(value) || (whole && value.d !== 1n)) throw new RunError(`${name} must be a whole number`);
    if (positive && !lt(ZERO, value)) throw new RunError(`${name} must be positive`);
    if (minimum !== null && lt(value, q(BigInt(minimum), 1n, true))) {
      throw new RunError(`${name} must be at least ${minimum}`);
    }
  }
  const state = new State(inputs);
  for (const { text, holds } of program.preconditions) {
    if (!holds(state, null)) throw new RunError(`the precondition ${text} does not hold`);
  }
}

// The run on D: its noise is what `choose` says, draw by draw.
function firstRun(programs, inputs, choose) {
  const draws = [];
  const calls = [];
  const within = (callee) => ({
    draw(run, node, parameters) {
      const value = choose(draws.length, node, parameters);
      const values = new Map(run.state.values).set(node.target, value);
      const state = new State(values, { history: run.history, from: run.history.length, picked: [] });
      draws.push({ node, parameters, value, state, run, callee });
      return value;
    },
    call(run, node, program, given) {
      const results = execute(programs, program, given, within(program.name)).outputs;
      if (callee === null) calls.push({ node, given, results });
      return results;
    },
  });
  const run = execute(programs, programs[0], inputs, within(null));
  for (const draw of draws) draw.state.told.picked = draw.run.picked;
  return { run, draws, calls };
}

// The run on D′: its noise is that of the first run, moved by the shifts.
function alignedRun(programs, inputs, first, shifts) {
  const own = first.draws.filter((draw) => draw.callee === null);
  const calls = [...first.calls];
  const moved = [];
  const paid = [];
  const source = {
    draw(run, node, parameters) {
      const draw = own[moved.length];
      if (!draw || draw.node !== node) throw new RunError("the run on D′ draws other noise");
      if (!same(draw.parameters, parameters)) throw new RunError("the run on D′ draws from another law");
      const found = shifted(draw, shifts[node.site](draw.state, run.state));
      moved.push(found);
      paid.push(found.cost);
      return found.value;
    },
    call(run, node, program, given) {
      const call = calls.shift();
      if (!call || call.node !== node) throw new RunError("the run on D′ calls something else");
      paid.push(costOfCall(program, node, call.given, given));
      return call.results;
    },
  };
  const run = execute(programs, programs[0], inputs, source);
  if (moved.length < own.length || calls.length) throw new RunError("the run on D′ ends earlier");
  return { run, moved, paid };
}

function shifted(draw, shift) {
  const { law } = draw.node;
  const bit = law.lattice === "booleans";
  const value = bit ? draw.value !== shift : add(draw.value, shift);
  if (law.lattice === "integers" && value.d !== 1n) throw new RunError("noise that is no integer");
  if (law.supports && !law.supports(draw.parameters, value)) {
    throw new RunError(`aligned noise ${shown(value)} that ${law.name} cannot give`);
  }
  const charge = law.charges(draw.parameters, shift, draw.value).find(([applies]) => applies());
  if (!charge) throw new RunError("a shift that has no price");
  return { draw, value, shift, cost: charge[1]() };
}

// What a call costs by the callee's own claim: nothing if no private argument differs.
function costOfCall(program, node, ours, theirs) {
  const names = program.inputs.filter((input) => !input.public).map((input) => input.name);
  if (names.every((name) => same(ours.get(name), theirs.get(name)))) return ZERO;
  return mul(program.budget(new State(ours)), node.distance(ours, theirs));
}

// Both runs. `failure` says what the alignment does not keep, or is empty.
function bothRuns(account, pair, left, right, choose) {
  const first = firstRun(account.programs, left, choose);
  const budget = pair.budget(new State(left));
  const found = { first, second: null, budget, cost: ZERO, equal: false, failure: "" };
  try {
    found.second = alignedRun(account.programs, right, first, account.shifts[pair.case]);
  } catch (error) {
    if (!(error instanceof RunError)) throw error;
    return { ...found, failure: error.message };
  }
  found.cost = found.second.paid.reduce(add, ZERO);
  const [one, two] = [first.run.outputs, found.second.run.outputs];
  found.equal = one.length === two.length && one.every((x, k) => identical(x, two[k]));
  if (!found.equal) found.failure = "the outputs differ";
  else if (toDouble(found.cost) > toDouble(budget) * (1 + 1e-12) + 1e-12) {
    found.failure = "the shifts cost more than the budget";
  }
  return found;
}
