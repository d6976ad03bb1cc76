"use strict";

// Small helpers for the page. Text goes in as text only, never as markup.

function el(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value !== null && value !== false) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children);
  return element;
}

const cells = (tag, ...contents) => contents.map((content) => el(tag, {}, ...[content].flat()));

function table(caption, heads, rows) {
  const head = el("tr", {}, ...heads.map((text) => el("th", { scope: "col" }, text)));
  return el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": caption },
    el("table", {}, el("caption", {}, caption), el("thead", {}, head), el("tbody", {}, ...rows)));
}

// A bar of what is used, against what there is.
function meter(label) {
  const fill = el("span", { class: "fill" });
  const bar = el("div", { class: "meter", role: "meter", "aria-label": label, "aria-valuemin": "0" }, fill);
  const text = el("output", { class: "figure" });
  const root = el("div", { class: "cost" }, el("span", { class: "label" }, label), bar, text);
  return {
    root,
    set(used, allowed, words) {
      const share = allowed > 0 ? used / allowed : used > 0 ? 1 : 0;
      fill.style.inlineSize = `${100 * Math.min(1, Math.max(0, share))}%`;
      bar.classList.toggle("over", used > allowed + 1e-9);
      bar.setAttribute("aria-valuemax", String(allowed));
      bar.setAttribute("aria-valuenow", String(Math.max(0, used)));
      bar.setAttribute("aria-valuetext", words);
      text.textContent = words;
    },
  };
}

const figure = (x) => String(Number(x.toPrecision(4))).replace("-", "−");

// Numbers that look random and are the same every time.
function generator(seed) {
  let state = (seed * 2654435761 + 12345) >>> 0;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 2246822519) + 3266489917) >>> 0;
    return state / 2 ** 32;
  };
}
