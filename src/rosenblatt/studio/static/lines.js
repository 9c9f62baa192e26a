/**
 * The lines of the plane: g solid, the last ones as ghosts, f dashed, the max-margin line dotted,
 * and the vectors of the update, laid head to tail: w, then y x, and their sum.
 */

import { corners, middle, minus, segment } from "./geometry.js";
import { boundary, decidingRow, scoreRegions } from "./rules.js";
import { draw, path } from "./svg.js";

const GHOSTS = 5;

function pathOf(pieces, frame) {
  return pieces.map(({ points, closed }) => path(points.map((p) => frame.pixel(p)), closed)).join("");
}

/** g and the last lines before it. Where another line or a vote decides, the present one is thin. */
export function drawBoundary(layer, frame, run, row) {
  while (layer.children.length < GHOSTS + 2) draw("path", {}, layer);
  for (let k = 0; k < GHOSTS; k++) {
    const before = row - (GHOSTS - k);
    const ghost = layer.children[k];
    ghost.setAttribute("class", `ghost ghost-${GHOSTS - k}`);
    ghost.setAttribute("d", before >= 0 ? pathOf(boundary(run, before, frame.box), frame) : "");
  }
  const deciding = decidingRow(run, row);
  const working = layer.children[GHOSTS];
  working.setAttribute("class", "working");
  working.setAttribute("d", deciding === row ? "" : pathOf(boundary(run, row, frame.box), frame));
  drawLine(layer, frame, run, deciding);
}

/** g alone: the line that decides, if one does. */
export function drawLine(layer, frame, run, row) {
  const line = layer.lastElementChild;
  line.setAttribute("class", run.rows === "votes" ? "line pairs" : "line");
  line.setAttribute("d", row === null ? "" : pathOf(boundary(run, row, frame.box), frame));
}

/** The target f. */
export function drawTarget(layer, frame, target) {
  layer.replaceChildren();
  const ends = target && segment(target, frame.box);
  if (ends) draw("path", { class: "target", d: path(ends.map((p) => frame.pixel(p))) }, layer);
}

/**
 * The questions of a verdict whose widest street is drawn: its own, or one for each of its parts.
 * A verdict on all classes at once has a title, and its parts are other questions.
 */
export const streets = (verdict) =>
  verdict.w || verdict.title ? [verdict].filter(({ w }) => w) : (verdict.parts ?? []).filter(({ w }) => w);

/** The points that the streets rest on. */
export const supports = (verdict) => streets(verdict).flatMap(({ support }) => support ?? []);

/** The middle of each street and its two sides, or for several scores at once their regions. */
export function drawMargin(layer, frame, verdict) {
  layer.replaceChildren();
  for (const { w, street_w: street } of streets(verdict)) {
    if (street) drawStreet(layer, frame, street);
    else drawScores(layer, frame, w);
  }
}

/** The server scales w so that the nearest of the points it separates have the score 1 or -1. */
function drawStreet(layer, frame, w) {
  for (const side of [0, 1, -1]) {
    const ends = segment([w[0] + side, w[1], w[2]], frame.box);
    const kind = side === 0 ? "margin" : "margin side";
    if (ends) draw("path", { class: kind, d: path(ends.map((p) => frame.pixel(p))) }, layer);
  }
}

function drawScores(layer, frame, vectors) {
  const found = scoreRegions(vectors, corners(frame.box, 0.02));
  const pieces = found.map(({ polygon }) => ({ points: polygon, closed: true }));
  draw("path", { class: "margin", d: pathOf(pieces, frame) }, layer);
}

/**
 * The arrows of an update. One vector: from g, head to tail; one for each class: from the middle.
 * `spoken` is the row of w: at the end of the pocket's run not the one that we look at.
 */
export function drawVectors(layer, frame, run, spoken, row) {
  layer.replaceChildren();
  if (run.rows === "votes") return;
  const vectors = run.weights[spoken];
  if (vectors.length === 1) drawSum(layer, frame, vectors[0], run.weights[row + 1]?.[0] ?? vectors[0]);
  else drawClassVectors(layer, frame, vectors, run.present);
}

function drawSum(layer, frame, now, next) {
  const change = minus(next, now);
  const longest = Math.max(...[now, next, change].map((w) => Math.hypot(w[1], w[2])));
  if (!(longest > 0)) return;
  const { start, scale } = roomFor([now, next], frame, (frame.size * 0.17) / longest);
  const tip = arrow(layer, start, now, scale, "now");
  if (next !== now) {
    arrow(layer, start, next, scale, "next");
    arrow(layer, tip, change, scale, "pick");
  }
}

/** Where on g the arrows stand, and how long they are: near the middle if they fit there. */
function roomFor(vectors, frame, scale) {
  const ends = segment(vectors[0], frame.box) ?? [middle(frame.box), middle(frame.box)];
  const [from, to] = ends.map((point) => frame.pixel(point));
  const along = (part) => [from[0] + part * (to[0] - from[0]), from[1] + part * (to[1] - from[1])];
  const isInside = (pixel) => pixel > 8 && pixel < frame.size - 8;
  const fits = ([left, top], size) =>
    vectors.every((w) => isInside(left + w[1] * size) && isInside(top - w[2] * size));
  for (const size of [scale, scale * 0.7, scale * 0.5, scale * 0.35]) {
    const part = [0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8].find((place) => fits(along(place), size));
    if (part !== undefined) return { start: along(part), scale: size };
  }
  return { start: along(0.5), scale };
}

function drawClassVectors(layer, frame, vectors, present) {
  const longest = Math.max(...vectors.map((w) => Math.hypot(w[1], w[2])));
  if (!(longest > 0)) return;
  const scale = (frame.size * 0.14) / longest;
  const start = frame.pixel(middle(frame.box));
  vectors.forEach((w, c) => arrow(layer, start, w, scale, `class-${present[c] % 10}`));
}

/** Draw one arrow and return its tip in pixels. */
function arrow(layer, [left, top], w, scale, kind) {
  const [dx, dy] = [w[1] * scale, -w[2] * scale];
  const length = Math.hypot(dx, dy);
  const tip = [left + dx, top + dy];
  if (length < 1) return tip;
  const [ux, uy] = [dx / length, dy / length];
  const head = Math.min(11, length);
  const neck = [tip[0] - ux * head, tip[1] - uy * head];
  const half = head * 0.42;
  const wing = (side) => [neck[0] - side * uy * half, neck[1] + side * ux * half];
  const wings = [wing(1), tip, wing(-1)];
  draw("path", { class: `arrow ${kind}`, d: path([[left, top], neck]) }, layer);
  draw("path", { class: `head ${kind}`, d: path(wings, true) }, layer);
  return tip;
}

/** The line that the next update leads to, shown while its numbers are pointed at. */
export function drawPreview(layer, frame, run, row) {
  layer.replaceChildren();
  if (row + 1 >= run.weights.length) return;
  draw("path", { class: "preview-line", d: pathOf(boundary(run, row + 1, frame.box), frame) }, layer);
}
