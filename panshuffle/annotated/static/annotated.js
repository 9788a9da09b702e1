"use strict";
const errors = [...document.querySelectorAll("details.note")].filter((note) => note.open && !note.closest("#about"));
const shown = document.getElementById("where");
let at = -1;
function step(by) {
  at = (at + by + errors.length) % errors.length;
  shown.textContent = `${at + 1} of ${errors.length}`;
  const note = errors[at];
  note.open = true;
  note.scrollIntoView({ block: "center" });
  note.querySelector("summary").focus({ preventScroll: true });
}
document.getElementById("next").addEventListener("click", () => step(1));
document.getElementById("previous").addEventListener("click", () => step(at < 0 ? 0 : -1));
function reveal() {
  const item = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (item && item.matches("details")) item.open = true;
}
addEventListener("hashchange", reveal);
let folded = [];
addEventListener("beforeprint", () => {
  folded = [...document.querySelectorAll("details:not([open])")].filter((item) => !item.matches(".proved, .definition, .cited"));
  for (const item of folded) item.open = true;
});
addEventListener("afterprint", () => { for (const item of folded) item.open = false; });
reveal();
