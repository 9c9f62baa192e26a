/**
 * Why no line separates the points: positive whole weights with which the points y (1, x) add up
 * to zero. Any w would have to be positive on each of them, and so on their sum, which is 0.
 * For several classes at once the demands are "own score above the rival's", weighed the same way.
 */

import { contradictions } from "./scenery.js";
import { select, studio } from "./state.js";
import { byId, draw, make, markPath, number } from "./svg.js";
import { pretty } from "./toolbar.js";

export function drawContradiction(verdict) {
  const [found] = contradictions(verdict);
  byId("contradiction-card").hidden = !found;
  if (!found) return;
  byId("contradiction-title").textContent = found.rivals ? "Why no scores can" : "Why no line can";
  byId("contradiction-sentence").textContent = sentence(found);
  const table = byId("contradiction-table");
  table.replaceChildren();
  table.className = found.rivals ? "rivals" : "";
  drawHead(table, found);
  const body = make("tbody", {}, "", table);
  found.indices.forEach((index, i) => body.append(row(found, index, i)));
  drawSum(table, found);
}

function sentence({ title, rivals }) {
  if (rivals) return "Own score above the rival's: weighed so, these demands add up to zero.";
  const isPart = studio.answer.data.classes.length > 2 && title;
  const whose = isPart ? `${title[0].toUpperCase()}${title.slice(1)}. ` : "";
  return `${whose}Weighed so, y·(1, x) adds up to zero: no w is positive on all of these points.`;
}

function drawHead(table, { rivals }) {
  const line = make("tr", {}, "", make("thead", {}, "", table));
  const titles = ["point", "weight", rivals ? "rival" : "y", ...studio.answer.data.names];
  for (const title of titles) make("th", { scope: "col", title }, title, line);
}

/** The class that a point must beat, or the sign of y: the second hull is the positive one. */
function demand(found, index, i) {
  const { labels, classes } = studio.answer.data;
  if (found.rivals) return pretty(classes[found.rivals[i]]);
  return labels[index] === labels[found.hulls[1][0]] ? "+1" : "−1";
}

function row(found, index, i) {
  const { points, labels } = studio.answer.data;
  const line = make("tr", {});
  const head = make("th", { scope: "row" }, "", line);
  const name = `Select point ${index + 1}`;
  const button = make("button", { type: "button", class: "point-link", "aria-label": name }, "", head);
  const picture = draw("svg", { class: "chip", viewBox: "-9 -9 18 18", "aria-hidden": "true" }, button);
  draw("path", { class: `mark class-${labels[index] % 10}`, d: markPath(labels[index], 5.5) }, picture);
  make("span", {}, String(index + 1), button);
  button.addEventListener("click", () => select(index));
  make("td", { class: "ink-clash", title: String(found.weights[i]) }, whole(found.weights[i]), line);
  make("td", {}, demand(found, index, i), line);
  for (const part of points[index]) make("td", {}, number(part), line);
  return line;
}

/** Whole numbers past 2^53 come as text, digit by digit; the page shows how large they are. */
function whole(weight) {
  if (typeof weight === "number") return `× ${weight.toLocaleString("en")}`;
  return `× ~10${[...String(weight.length - 1)].map((digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[digit]).join("")}`;
}

function drawSum(table, found) {
  const line = make("tr", {}, "", make("tfoot", {}, "", table));
  make("th", { scope: "row" }, "sum", line);
  make("td", {}, "", line);
  for (const part of found.sum) make("td", { class: "ink-clash" }, number(part), line);
}
