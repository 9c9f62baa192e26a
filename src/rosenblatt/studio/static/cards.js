/** The cards beside the plane: mistakes, the bound, the cosine, survival. */

import { Bars, Curve } from "./curves.js";
import { drawContradiction } from "./contradiction.js";
import { drawRace } from "./race.js";
import { decidingRow, errorAt, isSolved, outsideAt, spokenRow } from "./rules.js";
import { on, rowOf, studio } from "./state.js";
import { atMost, byId, draw, number } from "./svg.js";
import { drawUpdate } from "./update_card.js";

let errorCurve;
let cosineCurve;
let survivalBars;

export function startCards() {
  errorCurve = new Curve(byId("error-curve"), { low: 0, high: 1, name: "Error over the updates" });
  cosineCurve = new Curve(byId("cosine-curve"), { low: -1, high: 1, name: "Cosine over the updates" });
  survivalBars = new Bars(byId("survival-curve"), { low: 0, high: 1, name: "Lives of the hypotheses" });
  startBar();
  on("answer", drawCurves);
  on("answer", drawNumbers);
  on("place", drawNumbers);
}

/** What is drawn once for an answer. */
function drawCurves() {
  const { answer, runs } = studio;
  const isRace = runs.length > 1;
  const [first] = answer.runs;
  byId("update-card").hidden = isRace;
  byId("race-card").hidden = !isRace;
  byId("survival-card").hidden = isRace || !first.survival;
  drawContradiction(answer.verdict);
  const isClash = !byId("contradiction-card").hidden;
  byId("bound-card").hidden = isClash || isRace || isSolved(first);
  byId("cosine-card").hidden = isClash || (!isRace && (Boolean(first.survival) || isSolved(first)));
  document.body.classList.toggle("is-race", isRace);
  errorCurve.leaveOut(isRace || !isSolved(first) ? "" : NO_CURVE);
  errorCurve.drawSeries(isRace ? raceSeries("errors") : errorSeries(first));
  cosineCurve.leaveOut(noCosine(answer));
  cosineCurve.drawSeries(isRace ? raceSeries("cosine") : cosineSeries(first));
  if (first.survival) survivalBars.drawBars(first.steps, first.survival);
}

const NO_CURVE = "Solved for in one step: without updates there is neither a curve nor a bound on them.";

/** Why there is no curve of the cosine; "" where there is one. */
function noCosine({ runs, verdict }) {
  if (runs.some((run) => run.cosine)) return "";
  if (runs.every(isSolved)) return NO_CURVE;
  if (verdict.kind === "trivial") return "There is nothing to tell apart yet.";
  if (verdict.kind === "unknown") return "w* is not known: the time for the proof was over.";
  return "Each of these questions has a w* of its own.";
}

/** In a race the pocket is judged by what it keeps; what is solved for is a level to compare with. */
const raceSeries = (field) =>
  studio.answer.runs.map((run, i) => {
    const kind = i === 0 ? "run-a" : "run-b";
    if (field === "errors" && isSolved(run)) {
      return { steps: [run.steps.at(-1), studio.ticks.at(-1)], values: Array(2).fill(run.final.error), kind };
    }
    const kept = field === "errors" && run.algorithm === "pocket" ? "pocket_errors" : field;
    return { steps: run.steps, values: run[kept] ?? [], kind };
  });

function errorSeries(run) {
  const outside = run.e_out ? run.steps.map((_, row) => run.e_out[decidingRow(run, row) ?? row]) : [];
  return [
    { steps: run.steps, values: run.pocket_errors ?? [], kind: "pocket" },
    { steps: run.steps, values: run.errors, kind: "error" },
    { steps: run.steps, values: outside, kind: "e-out" },
  ];
}

const cosineSeries = (run) => [
  { steps: run.steps, values: run.cosine ?? [], kind: "cosine" },
  { steps: run.steps, values: run.cosine_bound ?? [], kind: "lower" },
];

/** What changes from update to update. */
function drawNumbers() {
  const [run] = studio.answer.runs;
  const row = rowOf(run);
  errorCurve.drawCursor();
  cosineCurve.drawCursor();
  survivalBars.drawCursor();
  if (studio.runs.length > 1) {
    drawRace();
    write("error-numbers", []);
    write("cosine-numbers", []);
    return;
  }
  drawUpdate(run);
  drawErrors(run, row);
  drawCosine(run, row);
  drawBound(run, row);
  if (run.survival) write("survival-number", [[`${run.survival[row]} examples`, ""]]);
}

/** First of what decides; then, in the colours of the curves, of the other line that is drawn. */
function drawErrors(run, row) {
  const isPocket = run.algorithm === "pocket";
  const isLast = row === run.weights.length - 1;
  const parts = [["E_in ", share(errorAt(run, row)), isPocket ? "ink-pocket" : "ink-error"]];
  if (isPocket) parts.push([isLast ? "last w " : "this w ", share(run.errors[row]), "ink-error"]);
  else if (run.pocket_errors && !isSolved(run)) parts.push(["pocket ", share(run.pocket_errors[row]), "ink-pocket"]);
  if (run.e_out) parts.push(["E_out ", share(outsideAt(run, row)), "ink-out"]);
  write("error-numbers", parts);
  errorCurve.say(parts.map(([name, value]) => name + value).join(", "));
}

/** A share of the points in thousandths: finer than that no reader compares. */
const share = (part) => number(Math.round(part * 1000) / 1000);

function drawCosine(run, place) {
  const row = spokenRow(run, place);
  const parts = [];
  if (run.cosine) parts.push(["", number(run.cosine[row]), "ink-cosine"]);
  if (run.cosine_bound) parts.push(["≥ ", number(run.cosine_bound[row]), "ink-lower"]);
  write("cosine-numbers", parts);
  cosineCurve.say(parts.map(([name, value]) => name + value).join(" "));
}

/** Numbers in a card's head, each in the colour of its curve; E_in is set as E with an index. */
function write(id, parts) {
  const place = byId(id);
  place.replaceChildren();
  for (const [name, value, kind] of parts) {
    const part = document.createElement("span");
    if (kind) part.className = kind;
    const [letter, index] = name.trim().split("_");
    part.append(index ? letter : name);
    if (index) part.append(Object.assign(document.createElement("sub"), { textContent: index }), " ");
    if (value) part.append(Object.assign(document.createElement("b"), { textContent: value }));
    place.append(part);
  }
}

const BAR = { width: 300, height: 34 };
let bar;

function startBar() {
  const viewBox = `0 0 ${BAR.width} ${BAR.height}`;
  bar = draw("svg", { viewBox, role: "img", "aria-label": "Updates against the bound" }, byId("bound-bar"));
}

/** Updates made and the most that can be made, on a scale of powers of ten. */
function drawBound(run, row) {
  bar.replaceChildren();
  byId("bound-bar").hidden = run.bound === null;
  byId("bound-sentence").textContent = boundSentence(run, studio.answer.verdict);
  if (run.bound === null) {
    write("bound-numbers", []);
    return;
  }
  const bound = Math.floor(run.bound);
  const made = run.steps[row];
  const powers = Math.max(1, Math.ceil(Math.log10(bound * 1.05)));
  const x = (count) => (count < 1 ? 0 : 6 + (Math.log10(count) / powers) * (BAR.width - 12));
  draw("rect", { class: "bar-whole", x: 0, y: 4, width: BAR.width, height: 10, rx: 5 }, bar);
  const width = Math.max(x(made), made ? 6 : 0).toFixed(1);
  draw("rect", { class: "bar-part", x: 0, y: 4, width, height: 10, rx: 5 }, bar);
  draw("path", { class: "bar-limit", d: `M${x(bound).toFixed(1)} 0V18` }, bar);
  for (let power = 0; power <= powers; power++) tick(x(10 ** power), 10 ** power, power === powers);
  write("bound-numbers", [["", `${number(made)} ≤ ${atMost(bound)}`, ""]]);
}

function tick(x, count, isLast) {
  const text = draw("text", { class: isLast ? "tick end" : "tick", x: x.toFixed(1), y: 31 }, bar);
  text.textContent = count.toLocaleString("en", { notation: "compact" });
}

/** What the bound is made of, or why there is none. */
function boundSentence(run, verdict) {
  if (run.bound === null) return whyNoBound(run, verdict);
  if (!verdict.radius) return "The sum of the bounds of all these questions.";
  return `For (1, x): R = ${number(verdict.radius)}, margin 1/B = ${number(verdict.margin)}.`;
}

/** The theorem counts corrections of one example at a time, from w = 0. */
function whyNoBound(run, verdict) {
  if (run.algorithm === "batch") return "No bound: the theorem is about single corrections, and a batch makes many at once.";
  if (run.algorithm === "averaged") return "No bound: the theorem is about w, and this is the mean of all w.";
  if (run.algorithm === "passive-aggressive" || run.algorithm === "arow")
    return "No bound: the theorem is about mistakes, and this learner corrects small margins, too.";
  if (run.weights[0].some((w) => w.some((part) => part !== 0))) return "No bound: the theorem is about a start from w = 0.";
  if (verdict.kind === "unknown") return "No bound: separable or not is not known.";
  return "The theorem says nothing here.";
}
