/**
 * The card of the update that comes next: w, what is added, and the sum, with live numbers in the
 * colours of the arrows in the plane. At the end of the run it shows the result instead.
 */

import { minus, value } from "./geometry.js";
import { isVote, spokenRow } from "./rules.js";
import { rowOf, studio } from "./state.js";
import { byId, make, number, weight } from "./svg.js";
import { pretty } from "./toolbar.js";

export function drawUpdate(run) {
  const row = rowOf(run);
  const isLast = row === run.weights.length - 1;
  byId("update-title").textContent = isLast ? "The result" : "This update";
  byId("update-number").textContent = isLast ? "" : `${run.steps[row + 1]} of ${run.steps.at(-1)}`;
  byId("update-sentence").textContent = isLast ? run.sentence : sentence(run, row);
  drawTable(isLast ? resultRows(run, row) : updateRows(run, row));
}

const name = (label) => pretty(studio.answer.data.classes[label]);

/** What is wrong, and what is done about it. */
function sentence(run, row) {
  const skipped = run.steps[row + 1] - run.steps[row];
  if (skipped > 1) return `${skipped} updates in one: of a long run only some rows are kept.`;
  const index = run.picked[row];
  if (index === -1) return "All examples together: one step down the slope of the error.";
  if (!(index in studio.answer.data.points)) return "The rule is solved for, not corrected example by example.";
  return run.weights[row].length === 1 ? signSentence(run, row, index) : manySentence(run, row, index);
}

function signSentence(run, row, index) {
  const { points, labels } = studio.answer.data;
  const score = value(run.weights[row][0], ...points[index]);
  const says = score === 0 ? "no side" : name(run.present[score > 0 ? 1 : 0]);
  return `Point ${index + 1} is ${name(labels[index])}, but w·x = ${number(score)} says ${says}.`;
}

function manySentence(run, row, index) {
  const { labels } = studio.answer.data;
  const gains = run.gains?.[row];
  const loses = run.loses?.[row];
  const parts = [];
  if (gains != null) parts.push(`${name(gains)} gains x`);
  if (loses != null) parts.push(`${name(loses)} loses it`);
  return `Point ${index + 1} is ${name(labels[index])} and is got wrong: ${parts.join(", ") || "its pair is corrected"}.`;
}

function updateRows(run, row) {
  const now = run.weights[row];
  const next = run.weights[row + 1];
  if (now.length === 1) return sumRows("", now[0], next[0], changeName(run, row));
  const moved = now.map((_, c) => c).filter((c) => now[c].some((part, j) => part !== next[c][j]));
  // Two vectors moved: there is room for what is added and for the sums.
  const shown = moved.length === 1 ? ["now", "pick", "next"] : ["pick", "next"];
  return moved
    .slice(0, 2)
    .flatMap((c) => sumRows(vectorName(run, c), now[c], next[c], changeName(run, row)))
    .filter(({ kind }) => shown.includes(kind));
}

/** Whose vector: a class, or a pair of them. */
function vectorName(run, c) {
  if (run.pairs) return run.pairs[c].map((label) => name(label).slice(0, 4)).join("/");
  return name(run.present[c]);
}

function changeName(run, row) {
  if (run.picked[row] < 0 || run.steps[row + 1] - run.steps[row] > 1) return "change";
  return run.weights[row].length === 1 ? "+ y x" : "± x";
}

const sumRows = (whose, now, next, change) => [
  { kind: "now", head: "w", whose, values: now },
  { kind: "pick", head: change, whose, values: minus(next, now) },
  { kind: "next", head: "w′", whose, values: next },
];

function resultRows(run, row) {
  if (isVote(run, row) && run.rows === "sign") return longestLived(run);
  const vectors = run.weights[spokenRow(run, row)];
  const whose = (c) => (vectors.length > 1 ? vectorName(run, c) : "");
  const rows = vectors.slice(0, 3).map((values, c) => ({ kind: "now", head: "w", whose: whose(c), values }));
  const best = studio.answer.verdict.w;
  if (rows.length > 1 || !best) return rows;
  rows.push({ kind: "now", head: "w / |w|", whose: "", values: unit(vectors[0]) });
  rows.push({ kind: "best", head: "w* / |w*|", whose: "", values: unit(best) });
  return rows;
}

/** The voters that count most. */
function longestLived(run) {
  const order = [...run.survival.keys()].sort((a, b) => run.survival[b] - run.survival[a]).slice(0, 3);
  return order.map((t) => ({ kind: "now", head: "w", whose: `${run.survival[t]} votes`, values: run.weights[t][0] }));
}

function unit(w) {
  const size = Math.hypot(...w);
  return size ? w.map((part) => part / size) : w;
}

function drawTable(rows) {
  const table = byId("update-table");
  const { names } = studio.answer.data;
  table.tBodies[0]?.remove();
  table.tHead?.remove();
  const head = make("tr", {}, "", make("thead", {}, "", table));
  for (const title of ["", "1", ...names]) make("th", { scope: "col" }, title, head);
  const body = make("tbody", {}, "", table);
  for (const { kind, head: title, whose, values } of rows) {
    const line = make("tr", { class: `ink-${kind}`, "data-kind": kind }, "", body);
    const label = make("th", { scope: "row" }, title, line);
    if (whose) make("sub", {}, whose, label);
    for (const part of values) make("td", {}, weight(part), line);
  }
}

/** Pointing at a row of numbers shows its arrow, and for the sum the line it leads to. */
export function startUpdateCard(planes) {
  const table = byId("update-table");
  const show = (kind) => planes().forEach((plane) => plane.point(kind));
  table.addEventListener("pointerover", (event) => show(event.target.closest("tr")?.dataset.kind ?? ""));
  table.addEventListener("pointerleave", () => show(""));
}
