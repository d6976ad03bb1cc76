"use strict";

// The noise of the run on D: one slider a draw, a tick box for a bit.

const HALF_STEPS = 32;
const MOST_DRAWS = 40;

// The values that a slider offers: `low + k · step` for k from 0 to `count`.
function scaleOf(node, parameters) {
  const { law } = node;
  const whole = law.lattice === "integers";
  const size = Math.abs(toDouble(parameters[0] ?? ZERO));
  let reach = 2;
  while (reach < 3 * size && reach < 1e9) reach *= 2;
  const [far, low, high] = ends(law, parameters, fromDouble(reach));
  let step = div(far ? fromDouble(reach) : sub(high, low), q(BigInt(HALF_STEPS), 1n, true));
  if (whole) step = lt(step, q(1n, 1n, true)) ? q(1n, 1n, true) : floor(step);
  const count = Number(floor(div(sub(high, low), step)).n);
  return { low, step, count, whole };
}

// Whether the support goes on, and the ends of what is offered of it.
function ends(law, parameters, reach) {
  const gives = (x) => !law.supports || law.supports(parameters, x);
  if (law.finite === "weights") return [false, ZERO, q(BigInt(parameters.length - 1), 1n, true)];
  const known = [ZERO, ...parameters.filter(isNumber)].filter(gives).sort((x, y) => (lt(x, y) ? -1 : 1));
  const low = gives(neg(reach)) ? neg(reach) : known[0] ?? ZERO;
  const high = gives(reach) ? reach : known[known.length - 1] ?? ZERO;
  return [gives(neg(reach)) || gives(reach), low, high];
}

function valueAt(scale, k) {
  const value = add(scale.low, mul(scale.step, q(BigInt(k), 1n, true)));
  return { ...value, whole: scale.whole };
}

// A position near the middle of the law, for a number in [0, 1).
function drawnPosition(scale, share) {
  const zero = Math.round(toDouble(div(neg(scale.low), scale.step)));
  const [a, b] = [-zero, scale.count - zero];
  const place = 2 * share - 1;
  const reach = a >= 0 || b <= 0 ? (a + (b - a) * share) : place < 0 ? a * place * -place * -1 : b * place * place;
  return Math.min(scale.count, Math.max(0, zero + Math.round(reach)));
}

// What the reader has set, draw by draw; what was not set yet is as given, or looks random.
function noiseSettings() {
  const set = [];
  let given = [];
  let seed = 1;
  return {
    shuffle(by) {
      set.length = 0;
      given = [];
      seed = by;
    },
    give(values) {
      set.length = 0;
      given = values;
    },
    seed: () => seed,
    put(k, position) {
      set[k] = position;
    },
    value(k, node, parameters) {
      if (k >= MOST_DRAWS) throw new RunError(`more than ${MOST_DRAWS} draws, which is too much for this page`);
      const random = generator(seed * 97 + k);
      random();
      if (node.law.lattice === "booleans") return (set[k] = Boolean(set[k] ?? given[k] ?? random() < 0.5));
      const scale = scaleOf(node, parameters);
      if (set[k] === undefined && given[k] !== undefined) return parsed(given[k], scale.whole);
      const position = typeof set[k] === "number" ? set[k] : drawnPosition(scale, random());
      set[k] = Math.min(position, scale.count);
      return valueAt(scale, set[k]);
    },
    // Where a value stands on its slider, or next to it.
    position: (k, scale, value) => set[k] ?? Math.round(toDouble(div(sub(value, scale.low), scale.step))),
  };
}

// One row of controls; `show` puts a draw and its aligned twin into it.
function noiseRow(k, settings, changed) {
  const name = el("span", { class: "name" });
  const control = el("input", { id: `${settings.id}-noise-${k}` });
  const here = el("output", { class: "here" });
  const there = el("span", { class: "there" });
  const label = el("label", { for: control.id }, name);
  const root = el("li", {}, label, control, here, there);
  control.addEventListener("input", () => {
    settings.put(k, control.type === "checkbox" ? control.checked : Number(control.value));
    changed();
  });

  function show(draw, twin) {
    const { node, parameters, value, callee } = draw;
    const law = `${node.law.name}(${parameters.map(shown).join(", ")})`;
    name.replaceChildren(el("code", {}, plainName(node.target)), ` draw ${k + 1}, line ${node.line}: ${law}`);
    if (node.law.lattice === "booleans") {
      setType("checkbox");
      control.checked = value;
    } else {
      const scale = scaleOf(node, parameters);
      setType("range");
      control.min = "0";
      control.max = String(scale.count);
      control.step = "1";
      control.value = String(settings.position(k, scale, value));
      control.setAttribute("aria-valuetext", shown(value));
    }
    here.textContent = shown(value);
    there.replaceChildren(...twinWords(twin, callee));
  }

  function setType(type) {
    if (control.type === type) return;
    control.type = type;
    if (type === "checkbox") control.removeAttribute("aria-valuetext");
  }

  return { root, show };
}

function twinWords(twin, callee) {
  if (callee !== null) return [`noise of ${callee}, which its own proof aligns`];
  if (!twin) return [];
  const arrow = el("b", { class: "twin" }, `→ ${shown(twin.value)} on D′`);
  const still = twin.shift === false || (isNumber(twin.shift) && twin.shift.n === 0n);
  if (still) return [arrow, el("span", { class: "quiet" }, "not moved, free")];
  const by = twin.shift === true ? "flipped" : `moved by ${twin.shift.n > 0n ? "+" : ""}${shown(twin.shift)}`;
  return [arrow, el("span", {}, `${by}, costs ${shown(twin.cost)}`)];
}
