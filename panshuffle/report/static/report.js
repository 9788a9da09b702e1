"use strict";
const all = [...document.querySelectorAll(".statement")];
const texts = new Map(all.map((item) => [item, item.textContent.toLowerCase()]));
const groups = [...document.querySelectorAll(".group")];
const controls = [...document.querySelectorAll("[data-filter]")];
const search = document.getElementById("search"), count = document.getElementById("count");
function apply() {
  const words = search.value.trim().toLowerCase();
  let shown = 0;
  for (const item of all) {
    const fits = controls.every((c) => !c.value || item.dataset[c.dataset.filter] === c.value) && (!words || texts.get(item).includes(words));
    item.hidden = !fits;
    shown += fits;
  }
  for (const group of groups) group.hidden = !group.querySelector(".statement:not([hidden])");
  count.textContent = `${shown} of ${all.length} statements`;
}
for (const control of [...controls, search]) control.addEventListener("input", apply);
search.addEventListener("keydown", (event) => {
  if (event.key === "Enter") document.getElementById("statements").scrollIntoView();
});
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
const focus = document.getElementById("focus");
const chips = new Map([...document.querySelectorAll(".chip")].map((chip) => [chip.dataset.slug, chip]));
const needs = new Map([...chips].map(([slug, chip]) => [slug, chip.dataset.needs.split(" ").filter((name) => chips.has(name))]));
const users = new Map([...chips.keys()].map((slug) => [slug, []]));
for (const [slug, below] of needs) for (const other of below) users.get(other).push(slug);
function reached(slug, next) {
  const found = new Map([[slug, 0]]), waiting = [slug];
  while (waiting.length) {
    const at = waiting.shift();
    for (const other of next.get(at)) {
      if (!found.has(other)) { found.set(other, found.get(at) + 1); waiting.push(other); }
    }
  }
  found.delete(slug);
  return found;
}
function listed(place, found) {
  const entries = [...found].map(([slug, steps]) => {
    const item = document.createElement("li"), button = document.createElement("button");
    button.type = "button";
    button.className = chips.get(slug).className;
    button.textContent = chips.get(slug).textContent;
    button.addEventListener("click", () => choose(slug));
    item.append(button);
    item.classList.toggle("far", steps > 1);
    return item;
  });
  if (!entries.length) entries.push(Object.assign(document.createElement("li"), { textContent: "nothing" }));
  document.getElementById(place).replaceChildren(...entries);
}
function choose(slug) {
  const below = reached(slug, needs), above = reached(slug, users);
  for (const [name, chip] of chips) {
    chip.classList.toggle("near", below.has(name) || above.has(name));
    chip.setAttribute("aria-pressed", String(name === slug));
  }
  listed("below", below);
  listed("above", above);
  document.getElementById("chosen").textContent = chips.get(slug).textContent;
  document.getElementById("chosen-where").textContent = chips.get(slug).dataset.where;
  document.getElementById("chosen-link").href = `#${slug}`;
  focus.hidden = false;
}
function forget() {
  focus.hidden = true;
  for (const chip of chips.values()) { chip.classList.remove("near"); chip.setAttribute("aria-pressed", "false"); }
}
for (const [slug, chip] of chips) chip.addEventListener("click", () => choose(slug));
document.getElementById("forget").addEventListener("click", forget);
addEventListener("keydown", (event) => { if (event.key === "Escape") forget(); });
let folded = [];
addEventListener("beforeprint", () => {
  folded = [...document.querySelectorAll("details:not([open])")];
  for (const item of folded) item.open = true;
});
addEventListener("afterprint", () => { for (const item of folded) item.open = false; });
apply();
reveal();
