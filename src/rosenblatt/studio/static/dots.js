/**
 * The points. Up to a thousand are SVG elements that can be reached by Tab; more are painted on
 * the canvas beneath, and only the selected one is an element.
 */

import { DRAWN_AS_SVG, studio } from "./state.js";
import { classColours } from "./scenery.js";
import { draw, markPath, number } from "./svg.js";

export const isPainted = (table) => table.points.length > DRAWN_AS_SVG;

/** The radius of a mark: many points get smaller ones. */
export function radius(table, frame) {
  const crowd = table.points.length;
  const large = frame.size < 420 ? 6 : 7.5;
  return crowd <= 60 ? large : crowd <= 300 ? large - 1.5 : crowd <= DRAWN_AS_SVG ? large - 3 : 2.4;
}

/** Which points are elements now. */
function elements(table) {
  if (!isPainted(table)) return table.points.keys();
  return studio.selected in table.points ? [studio.selected] : [0];
}

/** Make, move and name the elements of the points. */
export function drawDots(layer, frame, table, wrong) {
  const r = radius(table, frame);
  const indices = [...elements(table)];
  while (layer.children.length > indices.length) layer.lastChild.remove();
  while (layer.children.length < indices.length) layer.append(newDot());
  indices.forEach((index, i) => {
    const dot = layer.children[i];
    dot.dataset.index = index;
    const [left, top] = frame.pixel(table.points[index]);
    dot.setAttribute("transform", `translate(${left.toFixed(1)} ${top.toFixed(1)})`);
    shape(dot, table.labels[index], isPainted(table) ? Math.max(r, 4) : r);
    dot.isWrong = null; // moved: its name has to be said anew
  });
  markWrong(layer, table, wrong);
}

function newDot() {
  const dot = draw("g", { class: "pt", tabindex: 0, role: "button" });
  draw("circle", { class: "grip", r: 15 }, dot);
  draw("circle", { class: "focus" }, dot);
  draw("path", { class: "mark" }, dot);
  return dot;
}

function shape(dot, label, r) {
  const key = `${label} ${r}`;
  if (dot.dataset.shape === key) return;
  dot.dataset.shape = key;
  dot.children[1].setAttribute("r", r + 6);
  dot.children[2].setAttribute("d", markPath(label, r));
  dot.children[2].setAttribute("class", `mark class-${label % 10}`);
}

/** Ring the mistakes and say them in the names; only what changed is touched. */
export function markWrong(layer, table, wrong) {
  for (const dot of layer.children) {
    const index = Number(dot.dataset.index);
    const isSelected = index === studio.selected;
    if (dot.isWrong === wrong[index] && dot.isSelected === isSelected) continue;
    Object.assign(dot, { isWrong: wrong[index], isSelected });
    dot.setAttribute("class", `pt${wrong[index] ? " wrong" : ""}${isSelected ? " selected" : ""}`);
    dot.setAttribute("aria-label", nameOf(table, index, wrong[index]));
  }
}

function nameOf(table, index, isWrong) {
  const [x, y] = table.points[index];
  const place = `${table.names[0]} ${number(x)}, ${table.names[1]} ${number(y)}`;
  const label = table.classes[table.labels[index]];
  return `Point ${index + 1}, class ${label}, ${place}${isWrong ? ", mistake" : ""}`;
}

/** Paint all points on the canvas; a small picture of each mark is made once and stamped. */
export function paintDots(canvas, frame, table, wrong) {
  const ratio = globalThis.devicePixelRatio || 1;
  canvas.width = canvas.height = Math.round(frame.size * ratio);
  if (!isPainted(table)) return;
  const context = canvas.getContext("2d");
  const r = radius(table, frame);
  const both = [false, true];
  const stamps = table.classes.map((_, label) => both.map((isWrong) => stamp(label, r, ratio, isWrong)));
  const half = stamps[0][0].width / 2;
  table.points.forEach((point, i) => {
    const [left, top] = frame.pixel(point).map((pixel) => Math.round(pixel * ratio - half));
    context.drawImage(stamps[table.labels[i]][wrong[i] ? 1 : 0], left, top);
  });
}

function stamp(label, r, ratio, isWrong) {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = Math.ceil((2.8 * r + 4) * ratio);
  const context = canvas.getContext("2d");
  context.setTransform(ratio, 0, 0, ratio, canvas.width / 2, canvas.height / 2);
  const outline = new Path2D(markPath(label, r));
  context.fillStyle = classColours()[label % 10];
  context.fill(outline);
  if (isWrong) {
    context.lineWidth = 1.2;
    context.strokeStyle = getComputedStyle(document.documentElement).getPropertyValue("--ink");
    context.stroke(outline);
  }
  return canvas;
}

/** The halo of the picked example, the rings of points in a contradiction, sized by weight. */
export function drawMarks(layer, frame, table, { picked, clashes, support }) {
  layer.replaceChildren();
  const r = radius(table, frame);
  const ring = (index, extra, kind) => {
    if (!(index in table.points)) return;
    const [cx, cy] = frame.pixel(table.points[index]);
    draw("circle", { class: kind, cx: cx.toFixed(1), cy: cy.toFixed(1), r: (r + extra).toFixed(1) }, layer);
  };
  for (const index of support) ring(index, 4, "support");
  for (const { indices, weights } of clashes) {
    const most = Math.max(...weights.map(Number));
    indices.forEach((index, i) => ring(index, 3 + 7 * Math.sqrt(Number(weights[i]) / most), "clash"));
  }
  if (picked >= 0) ring(picked, 7, "halo");
}
