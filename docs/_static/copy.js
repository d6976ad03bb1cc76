"use strict";
// A button on each block of code: it copies what can be pasted, which of a session at a prompt are
// the commands, without "$ " and without what they printed.

{  // names of its own, beside those of other scripts
  const NOT_CODE = ["highlight-text", "highlight-default", "highlight-none"];

  function pasted(block, session) {
    const copy = block.cloneNode(true);
    copy.querySelectorAll(".linenos").forEach((number) => number.remove());
    const text = copy.textContent;
    if (!session) return text.replace(/\n+$/, "");
    const commands = [];
    let goes_on = false;
    for (const line of text.split("\n")) {
      if (goes_on || line.startsWith("$ ")) {
        commands.push(goes_on ? line.replace(/^> /, "") : line.slice(2));
        goes_on = line.endsWith("\\");
      }
    }
    return commands.join("\n");
  }

  async function copied(text) {
    if (navigator.clipboard) return navigator.clipboard.writeText(text);
    // Pages from a plain http address have no clipboard but that of a selection.
    const field = document.createElement("textarea");
    field.value = text;
    field.style.position = "fixed";
    document.body.append(field);
    field.select();
    const done = document.execCommand("copy");
    field.remove();
    if (!done) throw new Error("the browser copies nothing");
  }

  for (const block of document.querySelectorAll("div[class*='highlight-'] pre")) {
    const outer = block.closest("div[class*='highlight-']");
    if (NOT_CODE.some((kind) => outer.classList.contains(kind))) continue;
    const session = outer.classList.contains("highlight-console");
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copy";
    button.textContent = "Copy";
    button.setAttribute("aria-label", session ? "Copy the commands" : "Copy the code");
    button.addEventListener("click", () => {
      copied(pasted(block, session)).then(
        () => { button.textContent = "Copied"; },
        () => { button.textContent = "Not copied"; },
      ).then(() => setTimeout(() => { button.textContent = "Copy"; }, 2000));
    });
    block.parentElement.append(button);
  }
}
