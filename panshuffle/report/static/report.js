"use strict";
const all = [...document.querySelectorAll(".statement")];
const controls = [...document.querySelectorAll("[data-filter]")];
const search = document.getElementById("search"), count = document.getElementById("count");
function apply() {
  const words = search.value.trim().toLowerCase();
  let shown = 0;
  for (const item of all) {
    const fits = controls.every((c) => !c.value || item.dataset[c.dataset.filter] === c.value)
      && (!words || item.textContent.toLowerCase().includes(words));
    item.hidden = !fits;
    shown += fits;
  }
  count.textContent = `${shown} of ${all.length} statements`;
}
for (const control of [...controls, search]) control.addEventListener("input", apply);
document.getElementById("reset").addEventListener("click", () => {
  for (const control of [...controls, search]) control.value = "";
  apply();
});
function reveal() {
  const item = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!item || !item.matches(".statement")) return;
  if (item.hidden) document.getElementById("reset").click();
  item.open = true;
  item.scrollIntoView();
}
addEventListener("hashchange", reveal);
const picture = document.getElementById("graph-picture");
const boxes = new Map([...picture.querySelectorAll("a")].map((box) => [box.dataset.slug, box]));
const edges = [...picture.querySelectorAll("path")];
function choose(slug) {
  const near = new Set([slug]);
  for (const [from, to] of [["from", "to"], ["to", "from"]]) {
    const waiting = [slug], seen = new Set([slug]);
    while (waiting.length) {
      const at = waiting.pop();
      for (const edge of edges) {
        if (edge.dataset[from] === at && !seen.has(edge.dataset[to])) {
          seen.add(edge.dataset[to]); near.add(edge.dataset[to]); waiting.push(edge.dataset[to]);
        }
      }
    }
  }
  picture.classList.add("chosen");
  for (const [name, box] of boxes) box.classList.toggle("near", near.has(name));
  for (const edge of edges) edge.classList.toggle("near", near.has(edge.dataset.from) && near.has(edge.dataset.to));
}
function forget() { picture.classList.remove("chosen"); }
for (const [slug, box] of boxes) {
  for (const name of ["mouseenter", "focus"]) box.addEventListener(name, () => choose(slug));
  for (const name of ["mouseleave", "blur"]) box.addEventListener(name, forget);
}
const box = document.getElementById("graph-box");
box.scrollLeft = (box.scrollWidth - box.clientWidth) / 2;
let folded = [];
addEventListener("beforeprint", () => {
  folded = [...document.querySelectorAll("details:not([open])")];
  for (const item of folded) item.open = true;
});
addEventListener("afterprint", () => { for (const item of folded) item.open = false; });
apply();
reveal();
