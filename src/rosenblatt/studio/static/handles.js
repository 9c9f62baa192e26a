/**
 * Lines that can be taken by hand: g, which then becomes the start vector of the run, and the
 * target f. A line is moved by the grip on its body and turned by the handles near its two ends;
 * elsewhere a click beside it adds a point like any other.
 */

import { bendTarget, rounded } from "./edits.js";
import { segment, through } from "./geometry.js";
import { follow, hasTravelled, pixelOf } from "./hands.js";
import { changeRun, rowOf, seek, studio } from "./state.js";
import { draw } from "./svg.js";

const BODY = null; // the grip that moves the line; 0 and 1 are the handles that turn it

/** Give a plane its two movable lines. */
export function giveHandles(plane) {
  plane.handles = [new MovableLine(plane, START), new MovableLine(plane, TARGET)];
}

function algorithmOf(plane) {
  const { algorithm } = studio.runs[plane.which];
  return studio.algorithms.find(({ name }) => name === algorithm);
}

const START = {
  kind: "start",
  name: "Line g, to start the run from",
  inset: 0.24,
  middle: 0.64, // beside the arrows, which stand in the middle
  /** g as it is drawn now, when the algorithm takes a start vector. */
  current(plane) {
    if (plane.run?.weights[0].length !== 1 || !algorithmOf(plane)?.options.includes("init")) return null;
    return plane.run.weights[rowOf(plane.run)][0];
  },
  hasHandles: (plane) => studio.runs[plane.which].init !== null && studio.place === 0,
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
  middle: 0.5,
  current() {
    const { show, table } = studio;
    return show.has("target") && table.classes.length === 2 ? (table.target ?? null) : null;
  },
  hasHandles: () => true,
  move: (_, w, quick) => bendTarget(w, quick),
};

class MovableLine {
  constructor(plane, line) {
    this.plane = plane;
    this.line = line;
    this.handles = [BODY, 0, 1].map((end) => ({ end, element: this.newHandle(end) }));
  }

  newHandle(end) {
    const isBody = end === BODY;
    const name = isBody ? this.line.name : `${this.line.name}, handle ${end + 1}`;
    const kind = `handle of-${this.line.kind}${isBody ? " body" : ""}`;
    const attributes = { class: kind, tabindex: 0, role: "button", "aria-label": name };
    const handle = draw("g", attributes, this.plane.layers.handles);
    draw("circle", { class: "grip", r: 14 }, handle);
    if (isBody) draw("rect", { class: "knob", x: -8, y: -3.5, width: 16, height: 7, rx: 3.5 }, handle);
    else draw("circle", { class: "knob", r: 5 }, handle);
    handle.addEventListener("pointerdown", (event) => this.take(event, end));
    handle.addEventListener("keydown", (event) => this.key(event, end));
    return handle;
  }

  draw() {
    const { plane, line } = this;
    const w = studio.hide.has("editing") ? null : line.current(plane);
    const visible = w && segment(w, plane.frame.box);
    for (const { end, element } of this.handles) {
      const isShown = Boolean(visible) && (end === BODY || line.hasHandles(plane));
      element.toggleAttribute("hidden", !isShown);
      if (isShown) this.put(element, visible, end);
    }
  }

  put(element, visible, end) {
    const [from, to] = visible.map((point) => this.plane.frame.pixel(point));
    const [left, top] = this.plane.frame.pixel(this.place(visible, end));
    const angle = (Math.atan2(to[1] - from[1], to[0] - from[0]) * 180) / Math.PI;
    const turn = `rotate(${angle.toFixed(1)})`;
    element.setAttribute("transform", `translate(${left.toFixed(1)} ${top.toFixed(1)}) ${turn}`);
  }

  /** Handles sit a little inside the border, so that a hand can get behind them. */
  place(visible, end) {
    const { inset, middle } = this.line;
    const part = end === BODY ? middle : end === 0 ? inset : 1 - inset;
    return [0, 1].map((axis) => visible[0][axis] + part * (visible[1][axis] - visible[0][axis]));
  }

  /** The line after its handle went from one point to another: moved by its body, else turned. */
  led(w, end, from, to) {
    if (end === BODY) return shifted(w, from, to).map(tidy);
    const fixed = this.place(segment(w, this.plane.frame.box), 1 - end);
    return through(fixed, to, w).map(tidy);
  }

  take(event, end) {
    const { plane, line } = this;
    if (event.button !== 0 || studio.hide.has("editing")) return;
    const w = line.current(plane);
    const begun = pixelOf(plane, event);
    let isDragged = false;
    const moveTo = (pixel, quick) => {
      const [from, to] = [begun, pixel].map((place) => plane.frame.point(...place));
      line.move(plane, this.led(w, end, from, to), quick);
    };
    follow(plane, event, {
      move: (pixel) => {
        if (!isDragged && !hasTravelled(begun, pixel)) return;
        isDragged = true;
        moveTo(pixel, true);
      },
      end: (pixel, isCancelled) => {
        if (isDragged) moveTo(isCancelled ? begun : pixel, false);
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
    const step = studio.box.side / 100;
    const here = this.place(segment(w, plane.frame.box), end);
    const there = here.map((value, axis) => value + step * move[axis]);
    if (!event.repeat) studio.gesture += 1;
    line.move(plane, this.led(w, end, here, there), false);
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
