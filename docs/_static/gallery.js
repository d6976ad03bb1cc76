"use strict";
// Filters of the gallery: a row says what it is in data-notion, data-noise and data-verdict, each
// one or several words. Without this script all rows are there, and no filter. The address keeps
// what was chosen: gallery.html#verdict=refuted&noise=Laplace

{  // names of its own, beside those of other scripts
  const FILTERS = { notion: "Privacy", noise: "Noise", verdict: "Verdict" };

  const rows = [...document.querySelectorAll("tr[data-verdict]")];
  const words = (row, name) => row.dataset[name].split(" ");

  function chosen() {
    const address = new URLSearchParams(location.hash.slice(1));
    return Object.keys(FILTERS).map((name) => [name, address.get(name) || ""]);
  }

  function menu(name, title) {
    const counts = new Map();
    for (const row of rows) {
      for (const word of words(row, name)) counts.set(word, (counts.get(word) || 0) + 1);
    }
    const select = document.createElement("select");
    select.name = name;
    select.append(new Option("all", ""));
    for (const word of [...counts.keys()].sort()) {
      select.append(new Option(`${word} (${counts.get(word)})`, word));
    }
    const label = document.createElement("label");
    label.append(`${title} `, select);
    return label;
  }

  function show() {
    const wanted = chosen();
    for (const [name, word] of wanted) {
      const select = form.elements[name];
      select.value = word;
      if (select.value !== word) select.value = "";  // an address that names what there is not
    }
    let hits = 0;
    for (const row of rows) {
      const fits = wanted.every(([name]) => {
        const word = form.elements[name].value;
        return !word || words(row, name).includes(word);
      });
      row.hidden = !fits;
      hits += fits;
    }
    for (const group of document.querySelectorAll(".gallery-file")) {
      group.hidden = !group.querySelector("tr[data-verdict]:not([hidden])");
    }
    const filtered = [...form.elements].some((field) => field.value);
    status.textContent = `${hits} of ${rows.length} mechanisms`;
    all.hidden = !filtered;
  }

  const form = document.createElement("form");
  form.className = "gallery-filters";
  form.setAttribute("aria-label", "Filter the gallery");
  for (const [name, title] of Object.entries(FILTERS)) form.append(menu(name, title));
  const status = document.createElement("output");
  const all = document.createElement("a");
  all.href = "#";
  all.textContent = "show all";
  form.append(status, all);

  function keep() {
    const address = new URLSearchParams();
    for (const name of Object.keys(FILTERS)) {
      if (form.elements[name].value) address.set(name, form.elements[name].value);
    }
    // Replaced, not followed: the page neither jumps nor fills the history.
    history.replaceState(null, "", address.size ? `#${address}` : location.pathname);
    show();
  }
  form.addEventListener("change", keep);
  form.addEventListener("submit", (event) => event.preventDefault());
  all.addEventListener("click", (event) => {
    event.preventDefault();
    form.reset();
    keep();
  });
  window.addEventListener("hashchange", show);
  document.querySelector(".gallery-file").before(form);
  show();
}
