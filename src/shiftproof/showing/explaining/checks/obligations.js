"use strict";

// Says what came of the obligations of an account, where it begins; and writes them out below it.
// Texts go in as text only, never as markup.

(() => {
  const SIGNS = { ">=": "≥", ">": ">", "=": "=" };
  const MOST_NAMED = 5;

  function element(tag, className, ...children) {
    const found = document.createElement(tag);
    if (className) found.className = className;
    found.append(...children);
    return found;
  }

  // A condition as a person writes it: what is compared with zero stands on the left.
  function written(unknowns, condition) {
    const name = (letter) => unknowns.names.get(letter);
    if (condition.kind === "?") return (condition.value ? "" : "not ") + name(condition.letter);
    if (condition.p) return `${sum(unknowns, condition.p)} ${SIGNS[condition.kind]} 0`;
    if (condition.members.length === 0) return condition.kind === "and" ? "true" : "false";
    return condition.members.map((member) => `(${written(unknowns, member)})`).join(` ${condition.kind} `);
  }

  function sum(unknowns, p) {
    const terms = [...p].map(([product, [n, d]]) => {
      const size = `${n < 0n ? -n : n}${d === 1n ? "" : `/${d}`}`;
      const factors = [...product].map((letter) => unknowns.names.get(letter));
      const shown = size === "1" && factors.length > 0 ? factors : [size, ...factors];
      return [n < 0n ? "−" : "+", shown.join("·")];
    });
    return terms.map(([sign, term], k) => (k > 0 ? `${sign} ${term}` : sign === "−" ? `−${term}` : term)).join(" ");
  }

  // Where an obligation is owed, and what; empty where the page does not say it.
  const called = (part, owed) => part.called?.[owed[3]] ?? "";

  // One obligation: its facts with the numbers that its tree knows them by.
  function entry({ unknowns, part, owed, problem }) {
    const words = problem ? `fails: ${problem}.` : "holds: these facts contradict each other.";
    const found = element("li", problem ? "failed" : "", element("b", "", called(part, owed)), " ", words);
    try {
      const { facts } = checking.read(unknowns, part, owed);
      const lines = facts.map((fact) => element("li", "", element("code", "", written(unknowns, fact))));
      const list = element("ol", "facts", ...lines);
      list.start = 0;
      found.append(list, element("p", "quiet", "Its tree: ", element("code", "", owed[2])));
    } catch {
      found.append(element("p", "quiet", "It cannot be read."));
    }
    return found;
  }

  function failure({ k, part, owed, problem }) {
    const name = called(part, owed);
    return `obligation ${k}${name ? ` (${name})` : ""}: ${problem}`;
  }

  // Green words only if there are as many obligations as the page says, and all of them hold.
  function said(results, wanted, time) {
    const failed = results.map((result, k) => ({ k: k + 1, ...result })).filter(({ problem }) => problem);
    if (failed.length > 0) {
      const all = failed.slice(0, MOST_NAMED).map(failure).join("; ");
      const more = failed.length > MOST_NAMED ? "; and more" : "";
      return [false, `${failed.length} of ${results.length} obligations fail in this browser: ${all}${more}.`];
    }
    if (results.length !== wanted) {
      return [false, `The check is not complete: ${results.length} of ${wanted} obligations are in this page.`];
    }
    const count = `${wanted} obligation${wanted === 1 ? "" : "s"}`;
    return [true, `${count} checked in this browser, ${Math.max(1, Math.round(time))} ms`];
  }

  function checked(part) {
    const unknowns = new checking.Unknowns(part);
    return part.owed.map((owed) => ({ unknowns, part, owed, problem: checking.problem(unknowns, part, owed) }));
  }

  function check(status) {
    const tell = (good, words) => {
      status.className = `checked ${good ? "good" : "bad"}`;
      status.textContent = words;
    };
    try {
      const data = document.getElementById(`${status.id}-data`).textContent;
      const start = performance.now();
      const results = JSON.parse(data).flatMap(checked);
      tell(...said(results, Number(status.dataset.owed), performance.now() - start));
      const list = document.getElementById(`${status.id}-list`);
      list.hidden = false;
      list.addEventListener("toggle", () => list.append(element("ol", "", ...results.map(entry))), { once: true });
    } catch (error) {
      tell(false, `The check failed: the obligations cannot be read (${error}).`);
    }
  }

  document.querySelectorAll(".checked[data-owed]").forEach(check);
})();
