/** One square plane: a canvas beneath, SVG layers above, drawn again only where something changed. */

import { Frame } from "./geometry.js";
import { drawDots, drawMarks, isPainted, markWrong, paintDots } from "./dots.js";
import {
  drawBoundary, drawLine, drawMargin, drawPreview, drawTarget, drawVectors, supports,
} from "./lines.js";
import { decidingRow, isSolved, mistakes, spokenRow } from "./rules.js";
import { contradictions, drawGrid, drawHulls, drawRegions } from "./scenery.js";
import { rowOf, studio } from "./state.js";
import { draw, make } from "./svg.js";
import { tween } from "./tween.js";

const LAYERS = [
  ...["regions", "grid", "hulls", "margin", "target", "preview", "boundary", "marks", "vectors"],
  ...["dots", "handles"],
];

export class Plane {
  constructor(host, which) {
    this.which = which;
    this.host = make("div", { class: "plane" }, "", host);
    this.title = make("p", { class: "plane-title" }, "", this.host);
    this.canvas = make("canvas", { "aria-hidden": "true" }, "", this.host);
    this.svg = draw("svg", { tabindex: 0, role: "group", "aria-label": this.name() }, this.host);
    const layer = (name) => draw("g", { class: `layer-${name}` }, this.svg);
    this.layers = Object.fromEntries(LAYERS.map((name) => [name, layer(name)]));
    // Names of what lies in the picture come from the points themselves.
    for (const name of LAYERS.slice(0, -2)) this.layers[name].setAttribute("aria-hidden", "true");
    this.size = 0;
    this.handles = []; // the lines that can be taken by hand, where there are hands
    this.watch = new ResizeObserver(() => this.resize());
    this.watch.observe(this.host);
  }

  name() {
    const which = studio.runs.length > 1 ? ` of run ${"AB"[this.which]}` : "";
    return `Plane${which}. Enter adds a point; Tab goes to the points, Escape leaves them.`;
  }

  remove() {
    this.watch.disconnect();
    this.host.remove();
  }

  get run() {
    return studio.answer?.runs[this.which];
  }

  /** Whether there is something to draw: a second plane waits for the answer with its run. */
  get isReady() {
    return Boolean(this.run && this.frame);
  }

  /** What w·x = 0 means: a choice where there is one, a mistake for those that correct mistakes. */
  tie() {
    const { algorithm, tie } = studio.runs[this.which];
    const known = studio.algorithms.find(({ name }) => name === algorithm);
    if (known?.options.includes("tie")) return tie;
    return isSolved({ algorithm }) ? "-1" : "mistake";
  }

  resize() {
    const size = Math.round(this.host.clientWidth);
    if (size === this.size || size === 0) return;
    this.size = size;
    this.svg.setAttribute("viewBox", `0 0 ${size} ${size}`);
    this.drawAll();
  }

  /** Everything: a new answer, another size, other colours. */
  drawAll() {
    if (!this.run || !this.size) return;
    this.frame = new Frame(studio.box, this.size);
    this.layers.margin.setAttribute("visibility", studio.show.has("margin") ? "visible" : "hidden");
    this.layers.target.setAttribute("visibility", studio.show.has("target") ? "visible" : "hidden");
    const { table, answer } = studio;
    drawGrid(this.layers.grid, this.frame, table.names);
    drawTarget(this.layers.target, this.frame, table.target);
    drawMargin(this.layers.margin, this.frame, answer.verdict);
    drawHulls(this.layers.hulls, this.frame, answer.verdict, table);
    this.title.textContent = studio.runs.length > 1 ? `${"AB"[this.which]}  ${this.run.title}` : "";
    this.drawRow(true);
  }

  /** A step to a neighbouring row: the line turns there. */
  drawStep() {
    const before = this.shownRow;
    this.drawRow();
    if (!this.isReady) return;
    const row = this.shownRow;
    const isNeighbour = before !== undefined && Math.abs(row - before) === 1;
    if (!isNeighbour || decidingRow(this.run, row) !== row) return;
    const { run, frame, layers } = this;
    this.stop = tween(run.weights[before], run.weights[row], (vectors) => {
      const between = { ...run, weights: [vectors], final: null };
      drawLine(layers.boundary, frame, between, 0);
      if (studio.show.has("regions")) drawRegions(layers.regions, frame, between, 0);
    });
  }

  /** What changes from update to update. */
  drawRow(anew = false) {
    this.stop?.();
    if (!this.isReady) return;
    const { layers, frame, run } = this;
    const { table, show } = studio;
    const row = rowOf(run);
    this.shownRow = row;
    const deciding = decidingRow(run, row) ?? row;
    this.wrong = mistakes(run, deciding, table, this.tie());
    if (show.has("regions")) drawRegions(layers.regions, frame, run, deciding);
    else layers.regions.replaceChildren();
    drawBoundary(layers.boundary, frame, run, row);
    layers.boundary.classList.toggle("without-ghosts", !show.has("ghosts"));
    layers.preview.replaceChildren();
    if (show.has("arrow")) drawVectors(layers.vectors, frame, run, spokenRow(run, row), row);
    else layers.vectors.replaceChildren();
    this.drawPoints(anew);
  }

  drawPoints(anew) {
    const { layers, frame, run, wrong } = this;
    const { table } = studio;
    if (anew) drawDots(layers.dots, frame, table, wrong);
    else markWrong(layers.dots, table, wrong);
    if (isPainted(table) || this.isCanvasUsed) paintDots(this.canvas, frame, table, wrong);
    this.isCanvasUsed = isPainted(table);
    for (const line of this.handles) line.draw();
    drawMarks(layers.marks, frame, table, {
      picked: run.picked[rowOf(run)] ?? -1,
      clashes: contradictions(studio.answer.verdict),
      support: studio.show.has("margin") ? supports(studio.answer.verdict) : [],
    });
  }

  /** Points moved under the hand: they follow at once, the lines with the answer. */
  drawTable() {
    if (!this.isReady) return;
    drawTarget(this.layers.target, this.frame, studio.table.target);
    const { table } = studio;
    this.wrong = table.points.map((_, i) => this.wrong?.[i] ?? false);
    this.drawPoints(true);
  }

  /** Show what a row of the update's card stands for: "now", "pick", "next" or nothing. */
  point(kind) {
    this.host.dataset.shown = kind;
    const { preview } = this.layers;
    if (kind === "next" && this.isReady) drawPreview(preview, this.frame, this.run, rowOf(this.run));
    else preview.replaceChildren();
  }
}
