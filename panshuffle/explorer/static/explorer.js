"use strict";
const known = JSON.parse(document.getElementById("description").textContent);
const $ = (id) => document.getElementById(id);
const NAMES = { "at-eps": "δ at an ε", "at-delta": "ε at a δ", tv: "total variation from the ideal sum",
  calibrate: "the least noise for a target" };
const PAUSE = 180, SLOW = 1500, WIDTH = 640, HEIGHT = 330;
const kept = {};  // the text of each parameter, for each protocol that was looked at
let drawn = null, place = null, waiting = null, latest = null, compared = null;

function make(name, attributes = {}, ...children) {
  const item = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) item.setAttribute(key, value);
  item.append(...children);
  return item;
}
const subject = () => known.subjects[$("protocol").value];
const of = (kind, parameter) => subject()[kind][parameter] ?? known[kind][parameter];
const way = () => subject().ways[$("way").value];
const texts = () => (kept[$("protocol").value] ??= {});
const text = (parameter) => (texts()[parameter] ??= of("defaults", parameter));
const parameters = () => ($("read").value === "calibrate" ? subject().calibrates : way().parameters);

// ---- the controls: a slider and a field for each parameter; the field is what counts
function approximate(number) {  // to place a slider or a mark, never to answer
  const parts = number.split("/").map((part) => (part.trim() === "" ? NaN : Number(part)));
  return parts.length > 2 ? NaN : parts.reduce((a, b) => a / b);
}
function nearest(steps, number) {
  const exact = steps.indexOf(number), value = approximate(number);
  if (exact >= 0 || Number.isNaN(value)) return exact;
  const far = (step) => Math.abs(Math.log(Math.max(approximate(step), 1e-30) / Math.max(value, 1e-30)));
  return steps.reduce((best, step, i) => (far(step) < far(steps[best]) ? i : best), 0);
}
function control(parameter) {
  const steps = of("steps", parameter), meaning = of("meanings", parameter);
  const field = make("input", { type: "text", id: `text-${parameter}`, spellcheck: "false", autocapitalize: "off", maxlength: "200" });
  const slider = make("input", { type: "range", id: `slider-${parameter}`, min: "0", max: String(steps.length - 1), step: "1",
    "aria-label": `${meaning}: slider` });
  const shown = () => {
    const at = nearest(steps, field.value.trim());
    if (at >= 0) slider.value = String(at);
    slider.setAttribute("aria-valuetext", field.value || "not given");
  };
  field.value = text(parameter);
  shown();
  field.addEventListener("input", () => { texts()[parameter] = field.value; shown(); changed(); });
  slider.addEventListener("input", () => {
    field.value = texts()[parameter] = steps[Number(slider.value)];
    slider.setAttribute("aria-valuetext", field.value);
    changed();
  });
  const named = parameter.length === 1 && !meaning.includes(",") ? `${parameter}, ${meaning}` : meaning;
  return make("div", { class: "parameter" }, make("label", { for: field.id }, named), slider, field);
}
function fill(select, pairs, chosen) {
  select.replaceChildren(...pairs.map(([value, words]) => make("option", { value }, words)));
  if (chosen !== undefined) select.value = chosen;
}
function chooseProtocol() {
  $("subject-words").textContent = subject().words;
  fill($("way"), subject().ways.map((one, i) => [i, one.words]));
  const before = $("read").value, reads = [...subject().reads, ...(subject().calibrates ? ["calibrate"] : [])];
  fill($("read"), reads.map((read) => [read, NAMES[read]]), reads.includes(before) ? before : undefined);
  chooseReading();
}
function chooseReading() {
  const asked = [], read = $("read").value, calibrates = read === "calibrate";
  $("way").parentElement.hidden = subject().ways.length < 2 || calibrates;
  $("parameters").replaceChildren(...parameters().map(control));
  if (calibrates) asked.push("at-eps", "at-delta");
  else if (read !== "tv") asked.push(read, "to");
  if (subject().error && !calibrates) asked.push(subject().error);
  $("asked").replaceChildren(...asked.map(control));
  changed();
}

// ---- asking
function question() {
  const given = {}, read = $("read").value, error = subject().error;
  for (const parameter of parameters()) given[parameter] = text(parameter);
  const at = read === "tv" ? "" : text(read === "calibrate" ? "at-eps" : read);
  return { protocol: $("protocol").value, parameters: given, read, at, delta: text("at-delta"), to: text("to"), error: error ? text(error) : "" };
}
function address() {  // the whole question, as the part of the address that no server sees
  const parts = new URLSearchParams({ protocol: $("protocol").value, way: $("way").value, read: $("read").value });
  for (const field of document.querySelectorAll("#controls input[type=text]")) parts.set(field.id, field.value);
  return `#${parts}`;
}
function follow() {  // what an address asks; what it does not know is left as it is
  const parts = new URLSearchParams(location.hash.slice(1)), name = parts.get("protocol");
  if (!(name in known.subjects)) return false;
  $("protocol").value = name;
  for (const [key, value] of parts) if (key.startsWith("text-")) texts()[key.slice(5)] = value.slice(0, 200);
  chooseProtocol();
  if ([...$("read").options].some((option) => option.value === parts.get("read"))) $("read").value = parts.get("read");
  if (parts.get("way") in subject().ways) $("way").value = parts.get("way");
  chooseReading();
  return true;
}
function changed() {
  clearTimeout(waiting);
  latest?.abort();
  latest = new AbortController();
  for (const id of ["answer", "picture", "error"]) $(id).setAttribute("aria-busy", "true");
  blank();
  const mine = latest;
  waiting = setTimeout(() => ask(question(), mine.signal).catch((problem) => {
    if (!mine.signal.aborted) refuse(`The explorer does not answer (${problem.message}): is it still running?`);
  }), PAUSE);
}
async function get(part, asked, signal) {
  const response = await fetch(`ask/${part}`, { method: "POST", signal, headers: { "Content-Type": "application/json" },
    body: JSON.stringify(asked) });
  if (!response.ok) throw new Error((await response.text()).trim());
  return (await response.json()).answers;
}
async function ask(asked, signal) {
  const [answer] = await get("privacy", asked, signal), curve = ["at-eps", "at-delta"].includes(asked.read);
  showAnswer(asked, answer);
  $("curve").hidden = $("curve-title").hidden = !curve;
  if ((answer.problem && !answer.late) || !curve) {
    $("error").removeAttribute("aria-busy");
    $("error").textContent = asked.read === "tv" ? "none: the sum is exact" : asked.read === "calibrate" ? "ask for δ or ε to see it" : "";
    forget();
    return;
  }
  const start = performance.now();
  const good = showCurve(await get("curve", { ...asked, points: 7 }, signal), true);
  const short = performance.now() - start < SLOW;
  showError(await get("error", asked, signal));
  if (good && short) showCurve(await get("curve", { ...asked, points: 31 }, signal), false);
}

// ---- showing
function blank() {  // nothing of the question before stays
  for (const id of ["paper", "covers", "messages", "error", "command", "python"]) $(id).replaceChildren();
  $("value").textContent = "…";
  $("quantity").textContent = "";
  $("problem").hidden = true;
  place = drawn = null;
  $("points").replaceChildren();
  $("curve-command").textContent = $("legend").textContent = "";
  $("picture").replaceChildren();
  history.replaceState(null, "", address());
  $("link").textContent = location.href;
}
function refuse(sentence) {
  $("answer").removeAttribute("aria-busy");
  $("problem").textContent = sentence;
  $("problem").hidden = !sentence;
}
function forget() {  // the curve, which belongs to another question
  drawn = null;
  $("curve-problem").hidden = true;
  $("curve-command").textContent = "";
  $("points").replaceChildren();
  draw();
}
function words(command) {  // a line breaks between the words of a command, not after a hyphen
  return (command ?? "").split(" ").flatMap((word, i) => [i ? " " : "", make("span", { class: "word" }, word)]);
}
const ends = (a) => (a.lower === a.upper ? a.lower : `[${a.lower}, ${a.upper}]`);
function showAnswer(asked, { answer, problem, command, python, messages }) {
  refuse(problem ?? "");
  $("command").replaceChildren(...words(command));
  $("python").replaceChildren(...words(python));
  place = null;
  const where = { "at-eps": `δ at ε = ${asked.at}`, "at-delta": `ε at δ = ${asked.at}`, tv: "total variation",
    calibrate: `the best ${answer?.quantity ?? "noise"} for ε = ${asked.at} and δ = ${asked.delta}` }[asked.read];
  $("quantity").textContent = where;
  if (!answer) {
    for (const id of ["paper", "covers", "messages"]) $(id).textContent = "";
    $("value").textContent = "no answer";
    return;
  }
  const short = answer.exact && answer.exact !== answer.lower && answer.exact !== "inf" && answer.exact.length < 40;
  $("value").textContent = (short ? `${answer.exact} = ` : "") + ends(answer);
  $("value").dataset.lower = answer.lower;
  $("value").dataset.upper = answer.upper;
  const paper = answer.paper;
  $("paper").textContent = paper ? `${paper.value} (${paper.slug}: ${paper.verdict})` : "no bound at this point";
  const background = answer.background && asked.read !== "tv" ? `, worst background (${answer.background.join(", ")})` : "";
  $("covers").textContent = answer.scope + (answer.kind ? ` (${answer.kind})` : "") + background;
  $("messages").textContent = messages ?? "";
  if (answer.meets) $("covers").textContent += `; it meets the target with δ = ${ends(answer.meets)}`;
  place = asked.read === "at-eps" ? [approximate(asked.at), height(answer.upper)]
    : asked.read === "at-delta" ? [Number(answer.upper), Math.log10(approximate(asked.at))] : null;
}
function showError(answers) {
  $("error").removeAttribute("aria-busy");
  $("error").replaceChildren(...answers.map((one) => {
    const more = one.answer?.paper ? ` (by the paper's bound: ${one.answer.paper.value})` : "";
    const said = one.answer ? [one.lead ? `${one.lead} ` : "", make("b", {}, ends(one.answer)), ` ${one.words}${more}`] : [one.problem];
    const item = make("p", one.answer ? {} : { class: "refused" }, ...said);
    if (one.command) item.append(make("code", {}, ...words(one.command)));
    return item;
  }));
}
function showCurve([{ answer, problem, command }], first) {
  if (!answer && !first) return false;  // the coarse points stay, with the command that gave them
  $("curve-problem").textContent = problem ?? "";
  $("curve-problem").hidden = !problem;
  $("curve-command").replaceChildren(...words(command));
  drawn = answer ? answer.rows : null;
  const cells = (row) => [row.eps, row.lower, row.upper, row.paper || "none"].map((cell) => make("td", {}, cell));
  $("points").replaceChildren(...(drawn ?? []).map((row) => make("tr", {}, ...cells(row))));
  draw();
  return Boolean(answer);
}
function height(decimal) {  // log10 of a decimal, also where it is smaller than any double
  const [digits, power] = decimal.split("e");
  return Number(digits) === 0 ? -Infinity : Math.log10(Number(digits)) + Number(power ?? 0);
}
function svg(name, attributes, ...children) {
  const item = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) item.setAttribute(key, value);
  item.append(...children);
  return item;
}
function draw() {
  $("picture").removeAttribute("aria-busy");
  const rows = (drawn ?? []).map((row) => ({ x: Number(row.eps), y: height(row.upper), paper: row.paper ? height(row.paper) : NaN }));
  const exact = rows.filter((row) => Number.isFinite(row.y));
  const bound = rows.filter((row) => Number.isFinite(row.paper) && row.paper <= 0).map((row) => ({ x: row.x, y: row.paper }));
  const other = (compared?.rows ?? []).map((row) => ({ x: Number(row.eps), y: height(row.upper) })).filter((row) => Number.isFinite(row.y));
  if (!exact.length) {
    $("picture").replaceChildren();
    $("legend").textContent = drawn ? "δ is 0 at every point." : "";
    return;
  }
  const width = Math.max(280, $("picture").clientWidth || WIDTH), high = width < 480 ? 280 : HEIGHT;
  const box = { left: 62, right: width - 12, top: 12, bottom: high - 42 };
  const most = Math.max(rows[rows.length - 1].x, ...other.map((row) => row.x)), heights = [...exact, ...bound, ...other].map((row) => row.y);
  const top = Math.min(0, Math.ceil(Math.max(...heights))), low = Math.min(Math.floor(Math.min(...heights)), top - 1);
  const x = (value) => box.left + (value / most) * (box.right - box.left);
  const y = (value) => box.top + ((top - value) / (top - low)) * (box.bottom - box.top);
  const parts = [...axes(box, x, y, most, top, low)];
  const path = (points) => "M" + points.map((point) => `${x(point.x).toFixed(1)},${y(point.y).toFixed(1)}`).join("L");
  if (bound.length) {
    parts.push(svg("path", { class: "bound", d: path(bound) }));
    parts.push(...bound.map((p) => svg("rect", { class: "square", x: x(p.x) - 3, y: y(p.y) - 3, width: 6, height: 6 })));
  }
  if (other.length) {
    parts.push(svg("path", { class: "compared", d: path(other) }));
    parts.push(...other.map((p) => svg("circle", { class: "ring", cx: x(p.x).toFixed(1), cy: y(p.y).toFixed(1), r: 3 })));
  }
  parts.push(svg("path", { class: "curve", d: path(exact) }));
  parts.push(...exact.map((p) => svg("circle", { class: "dot", cx: x(p.x).toFixed(1), cy: y(p.y).toFixed(1), r: 3 })));
  const inside = place && place[0] >= 0 && place[0] <= most && place[1] <= top && place[1] >= low;
  if (inside) {
    const [px, py] = [x(place[0]), y(place[1])];
    parts.push(svg("path", { class: "here", d: `M${px},${box.bottom}V${py}H${box.left}` }));
    parts.push(svg("circle", { class: "mark", cx: px, cy: py, r: 6 }));
  }
  $("picture").replaceChildren(svg("svg", { viewBox: `0 0 ${width} ${high}`, role: "img", "aria-label":
    `δ over ε for ${$("protocol").value}, from ${exact[0].y.toFixed(1)} to ${exact[exact.length - 1].y.toFixed(1)} in powers of ten` }, ...parts));
  $("legend").textContent = "Solid line with dots: δ over ε; each dot is certified, the line only joins them."
    + (bound.length ? " Dashed line with squares: the paper's bound." : " The paper has no bound here.")
    + (other.length ? ` Dotted line with rings: ${compared.label}.` : "")
    + (inside ? " Ring: the answer above." : "");
}
function* axes(box, x, y, most, top, low) {
  const step = Math.max(1, Math.ceil((top - low) / 6)), wide = most / 4;
  for (let power = top; power >= low; power -= step) {
    yield svg("path", { class: "grid", d: `M${box.left},${y(power)}H${box.right}` });
    yield svg("text", { x: box.left - 6, y: y(power) + 4, "text-anchor": "end" }, power === 0 ? "1" : `1e${power}`);
  }
  for (let i = 0; i <= 4; i++) {
    const at = i * wide;
    yield svg("path", { class: "axis", d: `M${x(at)},${box.bottom}v5` });
    yield svg("text", { x: x(at), y: box.bottom + 18, "text-anchor": i === 4 ? "end" : "middle" }, String(Number(at.toPrecision(3))));
  }
  yield svg("path", { class: "axis", d: `M${box.left},${box.top}V${box.bottom}H${box.right}` });
  yield svg("text", { x: (box.left + box.right) / 2, y: box.bottom + 36, "text-anchor": "middle" }, "ε");
  yield svg("text", { x: 10, y: (box.top + box.bottom) / 2, "text-anchor": "middle" }, "δ");
}

// ---- comparing and planning
$("keep").addEventListener("click", () => {
  if (!drawn) return;
  compared = { rows: drawn, label: $("command").textContent.replace(/^panshuffle privacy /, "") };
  $("drop").hidden = false;
  draw();
});
$("drop").addEventListener("click", () => { compared = null; $("drop").hidden = true; draw(); });
async function plan() {
  const asked = { task: $("task").value };
  for (const field of document.querySelectorAll("[data-plan]")) asked[field.dataset.plan] = field.value;
  $("plan-table").hidden = true;
  $("plan-command").replaceChildren();
  $("plan-status").textContent = "planning…";
  const [{ answer, problem, command }] = await get("plan", asked);
  $("plan-command").replaceChildren(...words(command));
  $("plan-status").textContent = problem ?? (answer.choice ? `choice: ${answer.choice}` : "no protocol meets the target");
  const chance = (error) => (error.quantity === "alpha" ? `at most ${ends(error)}, but for a probability of ${error.beta}`
    : `both errors ${error.certified ? "are" : "are not"} at most ${error["at most"]} at m = ${error.m}`);
  const cells = (one) => [`${one.protocol} (${one.model})`, Object.entries(one.parameters).map(([name, value]) => `${name} = ${value}`).join(", "),
    one.messages, chance(one.error), one.meets ? "yes" : "no"];
  $("plans").replaceChildren(...(answer?.plans ?? []).map((one) => make("tr", {}, ...cells(one).map((cell) => make("td", {}, cell)))));
  $("plan-table").hidden = !answer;
}
$("plan-form").addEventListener("submit", (event) => {
  event.preventDefault();
  plan().catch((problem) => { $("plan-status").textContent = `The explorer does not answer (${problem.message}).`; });
});

// ---- copying
for (const button of document.querySelectorAll("[data-copies]")) {
  button.addEventListener("click", async () => {
    const source = $(button.dataset.copies);
    try {
      await navigator.clipboard.writeText(source.textContent);
      button.textContent = "copied";
    } catch {
      getSelection().selectAllChildren(source);
      button.textContent = "marked: press Ctrl-C";
    }
    setTimeout(() => { button.textContent = "copy"; }, 1500);
  });
}
$("controls").addEventListener("submit", (event) => event.preventDefault());
$("protocol").addEventListener("input", chooseProtocol);
$("way").addEventListener("input", chooseReading);
$("read").addEventListener("input", chooseReading);
addEventListener("hashchange", () => { if (location.hash !== address()) follow(); });
addEventListener("resize", () => { if (!$("picture").hasAttribute("aria-busy")) draw(); });
if (!follow()) chooseProtocol();
