"use strict";

// Which neighbouring inputs, and which public parameters: what the reader chooses first.

function readInput(value, whole) {
  return Array.isArray(value) ? value.map((part) => readInput(part, whole)) : parsed(value, whole);
}

function readSide(program, side) {
  const kinds = program.inputs.map(({ name, shape, whole }) => [name, whole || shape === "records"]);
  return new Map(kinds.map(([name, whole]) => [name, readInput(side.get(name), whole)]));
}

function pairWords(program, pair) {
  const [left, right] = [readSide(program, pair.left), readSide(program, pair.right)];
  const secret = program.inputs.filter((input) => !input.public);
  const told = secret.map(({ name }) => {
    const [one, two] = [left.get(name), right.get(name)];
    return same(one, two) ? `${name} = ${shown(one)}` : `${name} = ${shown(one)} → ${shown(two)}`;
  });
  const open = program.inputs.filter((input) => input.public && !input.free);
  return [...told, ...open.map(({ name }) => `${name} = ${shown(left.get(name))}`)].join("; ");
}

// The values of D and D′ in a table, those apart that have a control; what differs is marked.
function inputTable(program, left, right) {
  const rows = program.inputs.filter((input) => !input.free).map(({ name }) => {
    const [one, two] = [left.get(name), right.get(name)];
    const row = el("tr", {}, el("th", { scope: "row" }, el("code", {}, name)));
    row.append(...cells("td", marked(one, two), marked(two, one)));
    return row;
  });
  return table("Inputs", ["", "on D", "on D′"], rows);
}

function marked(value, other) {
  if (!Array.isArray(value)) return same(value, other) ? [shown(value)] : [el("mark", {}, shown(value))];
  const parts = value.map((part, i) => {
    const alike = Array.isArray(other) && other[i] !== undefined && same(part, other[i]);
    return alike ? shown(part) : el("mark", {}, shown(part));
  });
  return ["(", ...parts.flatMap((part, i) => (i ? [", ", part] : [part])), ")"];
}

// The controls; `changed(fresh)` is called after each change, `fresh` if the pair is another one.
function inputControls(account, changed) {
  const [program] = account.programs;
  const problem = el("p", { class: "problem", role: "alert", hidden: true });
  const values = el("div", { class: "values" });
  const fields = el("div", { class: "fields" });
  const select = el("select", { onchange: () => choose() });
  const free = program.inputs.filter((input) => input.free);
  let texts = new Map();

  for (const [name, pairs] of groups(account.pairs)) {
    const options = pairs.map(([k, pair]) => el("option", { value: k }, pairWords(program, pair)));
    select.append(...(name ? [el("optgroup", { label: name }, ...options)] : options));
  }

  function choose(which = Number(select.value)) {
    select.value = String(which);
    const pair = account.pairs[Number(select.value)];
    texts = new Map(free.map(({ name }) => [name, pair.left.get(name)]));
    fields.replaceChildren(...free.map((input) => field(input)));
    changed(true);
  }

  function field(input) {
    const start = parsed(texts.get(input.name), false);
    const tenths = mul(start, q(10n, 1n, true));
    const slides = input.epsilon && tenths.d === 1n && tenths.n > 0n && tenths.n <= 50n;
    const output = el("output", {}, shown(start));
    const control = slides
      ? el("input", { type: "range", min: 1, max: 50, step: 1, value: String(tenths.n), "aria-valuetext": shown(start) })
      : el("input", { type: "text", inputmode: "decimal", size: 6, value: texts.get(input.name), autocomplete: "off" });
    control.dataset.input = input.name;
    control.addEventListener("input", () => {
      texts.set(input.name, slides ? `${control.value}/10` : control.value);
      const now = parsed(texts.get(input.name), false);
      if (slides) output.textContent = shown(now);
      if (slides) control.setAttribute("aria-valuetext", shown(now));
      changed(false);
    });
    return el("label", { class: "field" }, el("code", {}, input.name), control, ...(slides ? [output] : []));
  }

  // The chosen inputs, or null where they are not allowed, which is said.
  function current() {
    const pair = account.pairs[Number(select.value)];
    const [left, right] = [readSide(program, pair.left), readSide(program, pair.right)];
    try {
      for (const { name, whole } of free) {
        const value = parsed(texts.get(name), whole);
        if (value === null) throw new RunError(`${name} must be a ${whole ? "whole " : ""}number`);
        left.set(name, value);
        right.set(name, value);
      }
      checkInputs(program, left);
      checkInputs(program, right);
    } catch (error) {
      if (!(error instanceof RunError)) throw error;
      say(`${error.message}.`);
      return null;
    }
    say("");
    values.replaceChildren(inputTable(program, left, right));
    return { pair, left, right };
  }

  function say(text) {
    problem.textContent = text;
    problem.hidden = text === "";
  }

  const root = el("fieldset", { class: "inputs" },
    el("legend", {}, "Inputs"),
    el("label", { class: "field wide" }, "Neighbours D → D′", select), fields, problem, values);
  return { root, choose, current, say };
}

function groups(pairs) {
  const found = new Map();
  for (const [k, pair] of pairs.entries()) {
    found.set(pair.case, [...(found.get(pair.case) ?? []), [k, pair]]);
  }
  return found;
}
