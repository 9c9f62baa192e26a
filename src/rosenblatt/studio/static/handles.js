/**
 * Lines that can be taken by hand: g, which then becomes the start vector of the run, and the
 * target f. A line is moved by its body and turned by its two handles.
 */

import { bendTarget, remember, rounded } from "./edits.js";
import { segment, through } from "./geometry.js";
import { follow, pixelOf } from "./hands.js";
import { changeRun, rowOf, seek, studio } from "./state.js";
import { draw, path } from "./svg.js";

/** Give a plane its two movable lines. */
export function giveHandles(plane) {
  plane.handles = [new MovableLine(plane, START), new MovableLine(plane, TARGET)];
}

export function drawHandles(plane) {
  for (const line of plane.handles) line.draw();
}

function algorithmOf(plane) {
  const { algorithm } = studio.runs[plane.which];
  return studio.algorithms.find(({ name }) => name === algorithm);
}

const START = {
  kind: "start",
  name: "Start line of the run",
  inset: 0.24,
  /** g as it is drawn now, when the algorithm takes a start vector. */
  current(plane) {
    if (plane.run?.weights[0].length !== 1 || !algorithmOf(plane)?.options.includes("init")) return null;
    return plane.run.weights[rowOf(plane.run)][0];
  },
  hasHandles: (plane) => studio.runs[plane.which].init !== null && studio.place === 0,
  begin: () => {},
  move(plane, w, quick) {
    studio.quick = quick;
    if (studio.place !== 0) seek(0);
    studio.atEnd = false;
    studio.gesture -= 1; // the same gesture goes on: answers to its earlier moves may be drawn
    changeRun(plane.which, { init: w });
    studio.quick = false;
  },
};

const TARGET = {
  kind: "target",
  name: "Target f",
  inset: 0.08,
  current() {
    const { show, table } = studio;
    return show.has("target") && table.classes.length === 2 ? (table.target ?? null) : null;
  },
  hasHandles: () => true,
  begin: remember,
  move: (_, w, quick) => bendTarget(w, quick),
};

class MovableLine {
  constructor(plane, line) {
    this.plane = plane;
    this.line = line;
    this.grip = draw("path", { class: "line-grip" }, plane.layers.handles);
    this.ends = [0, 1].map((end) => this.newHandle(end));
    this.grip.addEventListener("pointerdown", (event) => this.take(event, null));
  }

  newHandle(end) {
    const name = `${this.line.name}, handle ${end + 1}`;
    const attributes = { class: `handle of-${this.line.kind}`, tabindex: 0, role: "button" };
    const handle = draw("g", { ...attributes, "aria-label": name }, this.plane.layers.handles);
    draw("circle", { class: "grip", r: 14 }, handle);
    draw("circle", { class: "knob", r: 5 }, handle);
    handle.addEventListener("pointerdown", (event) => this.take(event, end));
    handle.addEventListener("keydown", (event) => this.key(event, end));
    return handle;
  }

  draw() {
    const { plane, line } = this;
    const w = studio.hide.has("editing") ? null : line.current(plane);
    const visible = w && segment(w, plane.frame.box);
    this.grip.setAttribute("d", visible ? path(visible.map((p) => plane.frame.pixel(p))) : "");
    const withHandles = visible && line.hasHandles(plane);
    this.ends.forEach((handle, end) => {
      handle.setAttribute("display", withHandles ? "inline" : "none");
      if (!withHandles) return;
      const [left, top] = plane.frame.pixel(this.place(visible, end));
      handle.setAttribute("transform", `translate(${left.toFixed(1)} ${top.toFixed(1)})`);
    });
  }

  /** Handles sit a little inside the border, so that a hand can get behind them. */
  place(visible, end) {
    const part = end === 0 ? this.line.inset : 1 - this.line.inset;
    return [0, 1].map((axis) => visible[0][axis] + part * (visible[1][axis] - visible[0][axis]));
  }

  take(event, end) {
    const { plane, line } = this;
    if (event.button !== 0 || studio.hide.has("editing")) return;
    const w = line.current(plane);
    const begun = plane.frame.point(...pixelOf(plane, event));
    const fixed = end === null ? null : this.place(segment(w, plane.frame.box), 1 - end);
    let isDragged = false;
    const moveTo = (pixel, quick) => {
      const here = plane.frame.point(...pixel);
      line.move(plane, (fixed ? through(fixed, here, w) : shifted(w, begun, here)).map(tidy), quick);
    };
    follow(plane, event, {
      move: (pixel) => {
        if (!isDragged) line.begin();
        isDragged = true;
        moveTo(pixel, true);
      },
      end: (pixel) => {
        if (isDragged) moveTo(pixel, false);
      },
    });
  }

  key(event, end) {
    const moves = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
    const move = moves[event.key];
    if (!move) return;
    event.preventDefault();
    event.stopPropagation();
    const { plane, line } = this;
    const w = line.current(plane);
    const visible = segment(w, plane.frame.box);
    const step = studio.box.side / 100;
    const here = this.place(visible, end).map((value, axis) => value + step * move[axis]);
    line.begin();
    line.move(plane, through(this.place(visible, 1 - end), here, w).map(tidy), false);
  }
}

function shifted(w, from, to) {
  return [w[0] - w[1] * (to[0] - from[0]) - w[2] * (to[1] - from[1]), w[1], w[2]];
}

/** Five digits are more than a hand can mean, and keep the address short. */
const tidy = (value) => Number(value.toPrecision(5));

/** A line to begin with when there is none yet: across the middle, class 1 above. */
export function lineToStartWith() {
  const { box } = studio;
  return [-rounded(box.y + box.side / 2), 0, 1];
}
