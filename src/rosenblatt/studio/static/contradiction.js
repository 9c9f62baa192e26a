/**
 * Why no line separates the points: positive whole weights with which the points y (1, x) add up
 * to zero. Any w would have to be positive on each of them, and so on their sum, which is 0.
 */

import { contradictions } from "./scenery.js";
import { select, studio } from "./state.js";
import { byId, draw, make, markPath, number } from "./svg.js";

export function drawContradiction(verdict) {
  const [found] = contradictions(verdict);
  byId("contradiction-card").hidden = !found;
  if (!found) return;
  const whose = found.title ? `${found.title}: ` : "";
  const count = found.indices.length;
  byId("contradiction-sentence").textContent = `${whose}weighed so, y·(1, x) of these ${count} points adds up to zero; a line right on all would make it positive.`;
  const table = byId("contradiction-table");
  table.replaceChildren();
  drawHead(table);
  const body = make("tbody", {}, "", table);
  found.indices.forEach((index, i) => body.append(row(index, found.weights[i], signOf(found, index))));
  drawSum(table, found);
}

function drawHead(table) {
  const line = make("tr", {}, "", make("thead", {}, "", table));
  for (const title of ["point", "weight", "y", ...studio.answer.data.names]) make("th", { scope: "col" }, title, line);
}

/** +1 or -1: with many classes a part names the points of its own class by the second hull. */
function signOf(found, index) {
  if (found.signs) return found.signs[found.indices.indexOf(index)];
  return studio.answer.data.labels[index] === (studio.answer.verdict.present?.[1] ?? 1) ? 1 : -1;
}

function row(index, weight, sign) {
  const { points, labels } = studio.answer.data;
  const line = make("tr", {});
  const head = make("th", { scope: "row" }, "", line);
  const button = make("button", { type: "button", class: "point-link", "aria-label": `Select point ${index + 1}` }, "", head);
  const picture = draw("svg", { class: "chip", viewBox: "-9 -9 18 18", "aria-hidden": "true" }, button);
  draw("path", { class: `mark class-${labels[index] % 10}`, d: markPath(labels[index], 5.5) }, picture);
  make("span", {}, String(index + 1), button);
  button.addEventListener("click", () => select(index));
  make("td", { class: "ink-clash" }, `× ${whole(weight)}`, line);
  make("td", {}, sign > 0 ? "+1" : "−1", line);
  for (const part of points[index]) make("td", {}, number(part), line);
  return line;
}

/** Whole numbers past 2^53 come as text, digit by digit, and are shown rounded. */
const whole = (weight) => (typeof weight === "string" ? number(Number(weight)) : weight.toLocaleString("en"));

function drawSum(table, found) {
  const line = make("tr", {}, "", make("tfoot", {}, "", table));
  make("th", { scope: "row" }, "sum", line);
  make("td", {}, "", line);
  for (const part of found.sum ?? [0, 0, 0]) make("td", { class: "ink-clash" }, number(part), line);
}
