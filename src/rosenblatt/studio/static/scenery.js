/** What lies behind the lines: grid and axes, shaded regions, hulls of a contradiction. */

import { gridLines } from "./geometry.js";
import { isVote, regions } from "./rules.js";
import { draw, number, path } from "./svg.js";

/** Grid lines with numbers at the border and the names of the two features. */
export function drawGrid(layer, frame, names) {
  layer.replaceChildren();
  const { box, size } = frame;
  const count = size < 420 ? 4 : 7;
  const nameWidth = 26 + 6.6 * names[0].length;
  for (const x of gridLines(box.x, box.side, count)) {
    const [left] = frame.pixel([x, box.y]);
    draw("path", { class: x === 0 ? "grid axis" : "grid", d: `M${left.toFixed(1)} 0V${size}` }, layer);
    if (left > 24 && left < size - nameWidth) text(layer, number(x), left + 4, size - 6, "tick");
  }
  for (const y of gridLines(box.y, box.side, count)) {
    const top = frame.pixel([box.x, y])[1];
    draw("path", { class: y === 0 ? "grid axis" : "grid", d: `M0 ${top.toFixed(1)}H${size}` }, layer);
    if (top > 26 && top < size - 24) text(layer, number(y), 6, top - 4, "tick");
  }
  text(layer, names[0], size - 8, size - 6, "axis-name end");
  text(layer, names[1], 6, 15, "axis-name");
}

function text(layer, content, x, y, kind) {
  const element = draw("text", { class: kind, x: x.toFixed(1), y: y.toFixed(1) }, layer);
  element.textContent = content;
}

/** Shade what each class gets: exact polygons, or the server's grid where the vote decides. */
export function drawRegions(layer, frame, run, row) {
  if (isVote(run, row)) {
    drawVote(layer, frame, run.final.grid);
    return;
  }
  const found = regions(run, row, frame.box);
  while (layer.children.length > found.length || layer.querySelector("image")) layer.lastChild.remove();
  found.forEach(({ label, polygon }, i) => {
    const element = layer.children[i] ?? draw("path", {}, layer);
    element.setAttribute("class", `region class-${label % 10}`);
    element.setAttribute("d", path(polygon.map((point) => frame.pixel(point)), true));
  });
}

function drawVote(layer, frame, grid) {
  const [left, top] = frame.pixel([grid.box[0], grid.box[3]]);
  const [right, bottom] = frame.pixel([grid.box[1], grid.box[2]]);
  const place = { x: left, y: top, width: right - left, height: bottom - top };
  layer.replaceChildren();
  draw("image", { class: "vote", href: picture(grid), preserveAspectRatio: "none", ...place }, layer);
}

const painted = new WeakMap();

/** The grid as a small picture in the colours of the classes; painted once for each theme. */
function picture(grid) {
  const theme = document.documentElement.dataset.theme;
  const known = painted.get(grid);
  if (known?.theme === theme) return known.address;
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = grid.size;
  const context = canvas.getContext("2d");
  const colours = classColours();
  for (let i = 0; i < grid.labels.length; i++) {
    context.fillStyle = colours[Number(grid.labels[i])];
    context.fillRect(i % grid.size, Math.floor(i / grid.size), 1, 1);
  }
  const address = canvas.toDataURL();
  painted.set(grid, { theme, address });
  return address;
}

export function classColours() {
  const style = getComputedStyle(document.documentElement);
  return Array.from({ length: 10 }, (_, c) => style.getPropertyValue(`--class-${c}`).trim());
}

/** The hulls of the classes that meet, when no line separates them. */
export function drawHulls(layer, frame, verdict, table) {
  layer.replaceChildren();
  for (const { hulls } of contradictions(verdict)) {
    for (const hull of hulls ?? []) {
      const corners = hull.filter((i) => i in table.points).map((i) => frame.pixel(table.points[i]));
      const label = table.labels[hull[0]] ?? 0;
      draw("path", { class: `hull class-${label % 10}`, d: path(corners, true) }, layer);
    }
  }
}

/** The contradictions of a verdict: its own, or for many classes that of the first part with one. */
export function contradictions(verdict) {
  if (verdict.kind !== "contradiction") return [];
  if (verdict.indices) return [verdict];
  return (verdict.parts ?? []).filter((part) => part.indices).slice(0, 1);
}
