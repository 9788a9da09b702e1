"""The style sheet and the script of the page."""

STYLE = """
:root { color-scheme: light dark; --ink: #1b1b1b; --paper: #fff; --line: #bbb; --soft: #f3f3f0; --link: #0b57a4;
  --proved: #1a7f37; --repaired: #9a5b00; --refuted: #b3261e; --cited: #5c5c66; --leaning: #44688c; --definition: #6b4ba1; }
@media (prefers-color-scheme: dark) { :root { --ink: #e8e6e3; --paper: #16181b; --line: #555; --soft: #22262a;
  --link: #8ab8ff; --proved: #5fcf80; --repaired: #f0b352; --refuted: #ff8a80; --cited: #b5b5c0; --leaning: #93b9dd;
  --definition: #c3a6ff; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 72rem; padding: 0 1rem 4rem; font: 16px/1.5 system-ui, sans-serif; color: var(--ink);
  background: var(--paper); overflow-wrap: break-word; }
a { color: var(--link); } code { font-size: .9em; overflow-wrap: anywhere; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
.skip { position: absolute; left: -999px; } .skip:focus { left: 1rem; background: var(--paper); padding: .5rem; }
nav ul { display: flex; flex-wrap: wrap; gap: .25rem 1rem; padding: 0; list-style: none; }
h2 { margin-top: 2.5rem; border-bottom: 1px solid var(--line); }
.cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(9rem, 1fr)); gap: .75rem; padding: 0; list-style: none; }
.cards li { background: var(--soft); border-radius: .5rem; padding: .75rem; } .cards b { display: block; font-size: 1.6rem; }
.filters { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: end; margin: 1rem 0; }
.filters label { display: grid; grid-template-columns: minmax(0, 1fr); font-size: .85rem; min-width: 0; max-width: 100%; } select, input, button { font: inherit; padding: .3rem; max-width: 100%; }
.statement { border: 1px solid var(--line); border-radius: .4rem; margin: .4rem 0; padding: .4rem .7rem; scroll-margin-top: 1rem; }
.statement > summary { cursor: pointer; } .printed { display: block; margin-top: .2rem; overflow-wrap: anywhere; }
.statement[open] { background: var(--soft); } .statement:target { outline: 3px solid var(--link); }
.badge { border: 2px solid currentColor; border-radius: .3rem; padding: 0 .4rem; font-size: .8rem; font-weight: 700; }
.tier { color: var(--cited); font-size: .85rem; } .witness { overflow-wrap: anywhere; font-size: .92rem; }
.proved { color: var(--proved); } .repaired { color: var(--repaired); } .refuted, .open { color: var(--refuted); }
.cited { color: var(--cited); } .leaning { color: var(--leaning); } .definition { color: var(--definition); }
.step { font-size: .8rem; font-weight: 700; } .formula { overflow-wrap: anywhere; display: inline-block; max-width: 100%; overflow: auto hidden; vertical-align: bottom; } math { font-size: 1.05em; }
pre { overflow-x: auto; } .scroll { overflow-x: auto; max-width: 100%; } table { border-collapse: collapse; font-size: .92rem; }
th, td { border: 1px solid var(--line); padding: .3rem .5rem; text-align: left; vertical-align: top; }
td > code { display: block; min-width: 17rem; } caption { text-align: left; font-weight: 700; padding: .3rem 0; }
figure { margin: 1.5rem 0; } figcaption { font-weight: 700; } figure > svg { max-width: 100%; height: auto; background: #fff; }
#graph-box { overflow: auto; max-height: 80vh; border: 1px solid var(--line); }
#graph-picture text { font: 11px system-ui, sans-serif; fill: var(--ink); } #graph-picture a { text-decoration: none; }
#graph-picture rect { fill: var(--paper); stroke: currentColor; stroke-width: 2; }
#graph-picture .repaired rect { stroke-dasharray: 7 3; } #graph-picture .cited rect { stroke-dasharray: 2 3; }
#graph-picture .leaning rect { stroke-dasharray: 10 3 2 3; } #graph-picture path { fill: none; stroke: var(--line); }
#graph-picture.chosen a:not(.near) { opacity: .2; } #graph-picture.chosen path { opacity: .1; }
#graph-picture.chosen path.near { opacity: 1; stroke: var(--link); stroke-width: 2; }
[hidden] { display: none !important; }
@media print { .filters, nav, .skip { display: none; } .statement { break-inside: avoid; }
  #graph-box { max-height: none; overflow: visible; } #graph-picture { width: 100%; height: auto; } }
"""

SCRIPT = """
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
"""
