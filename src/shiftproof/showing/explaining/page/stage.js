"use strict";

// The part of the page that moves: two runs side by side, or two laws.

const accounts = [];
const START_TRIES = 40;

function play(id, account) {
  const root = document.getElementById(id);
  account.id = id;
  accounts.push(account);
  const view = account.mode === "laws" ? lawsView(account) : runsView(account);
  root.replaceChildren(view.root);
  view.start();
}

function runsView(account) {
  const settings = noiseSettings();
  settings.id = account.id;
  const list = el("ol", { class: "noise" });
  const rows = [];
  const budget = meter("Cost of the shifts");
  const outputs = el("div", { class: "outputs", "aria-live": "polite" });
  const badge = el("p", { class: "badge", role: "status", "aria-live": "polite" });
  const trace = el("div");
  const results = el("div", { class: "results" },
    el("div", { class: "panel found" }, budget.root, outputs, badge),
    el("details", { class: "panel steps", open: true }, el("summary", {}, "Both runs, step by step"), trace));
  const controls = inputControls(account, (fresh) => {
    if (fresh) begin(controls.current());
    update();
  });
  const again = el("button", { type: "button", onclick: () => {
    settings.shuffle(settings.seed() + 1);
    update();
  } }, "Draw other noise");
  const noise = el("fieldset", { class: "draws" }, el("legend", {}, "Noise of the run on D"), list, again);

  function begin(chosen) {
    if (chosen?.pair.noise.length) settings.give(chosen.pair.noise);
    else settings.shuffle(tellingSeed(account, chosen, settings));
  }

  function update() {
    const chosen = controls.current();
    results.classList.toggle("stale", chosen === null);
    if (chosen === null) return;
    try {
      show(bothRuns(account, chosen.pair, chosen.left, chosen.right, settings.value));
    } catch (error) {
      if (!(error instanceof RunError)) throw error;
      controls.say(`${error.message}.`);
      results.classList.add("stale");
    }
  }

  function show(found) {
    const { first, second } = found;
    const twins = new Map(second?.moved.map((twin) => [twin.draw, twin]));
    while (rows.length < first.draws.length) {
      rows.push(noiseRow(rows.length, settings, update));
      list.append(rows[rows.length - 1].root);
    }
    while (rows.length > first.draws.length) rows.pop().root.remove();
    first.draws.forEach((draw, k) => rows[k].show(draw, twins.get(draw)));
    noise.hidden = first.draws.length === 0;
    showCost(found);
    const said = [release("Output on D", first.run), release("Output on D′", second?.run)];
    // What is read aloud is said again only if it is something else.
    if (said.some((part, k) => !part.isEqualNode(outputs.children[k] ?? null))) outputs.replaceChildren(...said);
    showVerdict(found);
    trace.replaceChildren(traceTable(first.run.trace, second?.run.trace ?? []));
  }

  function showCost({ cost, budget: allowed, second }) {
    const [used, most] = [toDouble(cost), toDouble(allowed)];
    budget.set(used, most, second ? `${figure(used)} of at most ${figure(most)} nats` : "not defined");
  }

  function showVerdict({ failure }) {
    badge.classList.toggle("bad", failure !== "");
    const loud = account.proved
      ? `The alignment fails here: ${failure}. That should never be; please report it.`
      : `Here this alignment fails: ${failure}.`;
    const words = failure ? loud : "The same output, and the cost is within the budget.";
    if (badge.textContent !== words) badge.textContent = words;
  }

  const root = el("div", { class: "play" }, el("div", { class: "controls" }, controls.root, noise), results);
  return { root, start: () => controls.choose() };
}

// A start that shows something: shifts that cost, and outputs that tell.
function tellingSeed(account, chosen, settings) {
  let best = [-1, 1];
  for (let seed = 1; chosen && seed <= START_TRIES; seed += 1) {
    settings.shuffle(seed);
    try {
      const found = bothRuns(account, chosen.pair, chosen.left, chosen.right, settings.value);
      const told = new Set(found.first.run.outputs.map(shown)).size;
      const worth = (found.cost.n !== 0n) * 4 + Math.min(told, 3) + (found.failure !== "") * 10;
      if (worth > best[0]) best = [worth, seed];
    } catch (error) {
      if (!(error instanceof RunError)) throw error;
    }
  }
  return best[1];
}

function release(title, run) {
  const values = run ? run.outputs.map((x) => el("li", {}, shown(x))) : [];
  const body = values.length
    ? el("ol", { class: "released" }, ...values)
    : el("p", { class: "quiet" }, run ? "nothing is released" : "the run fails");
  return el("div", {}, el("h3", {}, title), body);
}

// Both traces in one table: steps of the same node side by side.
function traceTable(left, right) {
  const rows = [];
  let [i, j] = [0, 0];
  while (i < left.length || j < right.length) {
    const [one, two] = [left[i], right[j]];
    if (one && two && one.node === two.node) {
      rows.push(traceRow(one, two));
      i += 1;
      j += 1;
    } else if (one && !right.slice(j).some((step) => step.node === one.node)) {
      rows.push(traceRow(one, null));
      i += 1;
    } else if (two) {
      rows.push(traceRow(null, two));
      j += 1;
    } else {
      rows.push(traceRow(one, null));
      i += 1;
    }
  }
  return table("Steps", ["line", "step", "on D", "on D′"], rows);
}

function traceRow(one, two) {
  const { node } = one ?? two;
  const differ = (one?.value ?? "–") !== (two?.value ?? "–");
  const text = node.op === "branch" ? `${node.text}?` : node.text;
  const kinds = [node.op === "release" ? "leaves" : "", differ ? "differs" : ""].join(" ").trim();
  return el("tr", { class: kinds || null },
    ...cells("td", String(node.line), el("code", {}, text), one?.value ?? "–", two?.value ?? "–"));
}

// Two laws as bars: how likely each outcome is on D and on D′, and the worst ratio.
function lawsView(account) {
  const bars = el("div", { class: "bars" });
  const ratio = meter("Worst log ratio");
  const note = el("p", { class: "badge", role: "status", "aria-live": "polite" });
  const results = el("div", { class: "results" },
    el("div", { class: "panel found" }, ratio.root, note), el("div", { class: "panel steps" }, el("h3", {}, "Probability of each outcome"), bars));
  const controls = inputControls(account, update);

  function update() {
    const chosen = controls.current();
    results.classList.toggle("stale", chosen === null);
    if (chosen === null) return;
    try {
      show(bothLaws(account, chosen.pair, chosen.left, chosen.right));
    } catch (error) {
      if (!(error instanceof RunError)) throw error;
      controls.say(`${error.message}.`);
      results.classList.add("stale");
    }
  }

  function show({ rows, budget }) {
    const worst = worstRatio(rows);
    const kept = worst <= budget * (1 + 1e-9) + 1e-9;
    ratio.set(worst, budget, `${figure(worst)} of at most ${figure(budget)} nats`);
    bars.replaceChildren(...rows.map(bar));
    note.classList.toggle("bad", !kept);
    note.textContent = kept
      ? "No outcome is more likely on D than the claim allows."
      : "An outcome is more likely on D than the claim allows. That should never be; please report it.";
  }

  // The pair that comes closest to the budget first.
  function start() {
    const shares = account.pairs.map((pair) => shareOfBudget(account, pair));
    controls.choose(shares.indexOf(Math.max(...shares)));
  }

  const root = el("div", { class: "play" }, el("div", { class: "controls" }, controls.root), results);
  return { root, start };
}

function shareOfBudget(account, pair) {
  const [left, right] = [pair.left, pair.right].map((side) => readSide(account.programs[0], side));
  try {
    const { rows, budget } = bothLaws(account, pair, left, right);
    return worstRatio(rows) / budget;
  } catch (error) {
    if (!(error instanceof RunError)) throw error;
    return 0;
  }
}

// The largest log ratio of the outcomes that the claim is about.
function worstRatio(rows) {
  const ratios = rows.filter((row) => row.counts && row.here > 0).map((row) => Math.log(row.here / row.there));
  return Math.max(0, ...ratios);
}

function bar({ text, here, there, counts }) {
  const line = (side, p, kind) => el("div", { class: "bar" }, el("span", { class: "side" }, side),
    el("span", { class: `size ${kind}`, style: `inline-size: ${100 * p}%` }), el("span", {}, figure(p)));
  const told = counts ? text : `${text}: not protected, comes from one value alone`;
  return el("div", { class: "outcome" }, el("code", {}, told), line("D", here, "one"), line("D′", there, "two"));
}
