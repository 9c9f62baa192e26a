/**
 * Hands on the plane. Mouse and touch: click adds, drag moves, Shift-click takes the next class or
 * flips. Keys on a point: arrows move, x flips, digits give a class, Delete deletes, n and p go to
 * the next and the previous point.
 */

import { addPoint, flipPoint, movePoint, removePoint, rounded } from "./edits.js";
import { isPainted } from "./dots.js";
import { select, studio } from "./state.js";

const CLICK = 4;
const REACH = { mouse: 9, pen: 14, touch: 22 };

const isEditable = () => studio.answer !== null && !studio.hide.has("editing");

/** Where an event is, in pixels of the plane. */
export function pixelOf(plane, event) {
  const corner = plane.svg.getBoundingClientRect();
  return [event.clientX - corner.left, event.clientY - corner.top];
}

/** The point of the data under a pixel, kept inside the box. */
export function pointAt(plane, [left, top], isFine = false) {
  const inside = (pixel) => Math.max(0, Math.min(plane.size, pixel));
  return plane.frame.point(inside(left), inside(top)).map((value) => rounded(value, isFine));
}

/** The nearest point within reach of the hand; a finger reaches further than a mouse. */
function nearest(plane, pixel, reach) {
  let best = -1;
  let distance = reach;
  studio.table.points.forEach((point, i) => {
    const [left, top] = plane.frame.pixel(point);
    const away = Math.hypot(left - pixel[0], top - pixel[1]);
    if (away <= distance) [best, distance] = [i, away];
  });
  return best;
}

export function giveHands(plane) {
  plane.svg.addEventListener("touchstart", (event) => keepFromScrolling(plane, event), { passive: false });
  plane.svg.addEventListener("pointerdown", (event) => press(plane, event));
  plane.svg.addEventListener("keydown", (event) => key(plane, event));
  plane.svg.addEventListener("focusin", (event) => {
    const dot = event.target.closest(".pt");
    if (dot) select(Number(dot.dataset.index));
  });
}

/** A finger that takes a point beside its middle does not scroll. Amid thousands only the selected one is held. */
function keepFromScrolling(plane, event) {
  if (event.touches.length > 1 || !plane.frame || !isEditable()) return;
  const index = nearest(plane, pixelOf(plane, event.touches[0]), REACH.touch);
  if (index >= 0 && (!isPainted(studio.table) || index === studio.selected)) event.preventDefault();
}

function press(plane, event) {
  if (event.button !== 0 || !plane.frame || !isEditable()) return;
  if (event.target.closest(".handle")) return;
  const begun = pixelOf(plane, event);
  const index = nearest(plane, begun, REACH[event.pointerType] ?? 9);
  if (index >= 0) takePoint(plane, event, begun, index);
  else awaitClick(plane, event, begun);
}

/** Nothing there: a press that does not travel is a click and adds a point. */
function awaitClick(plane, event, begun) {
  follow(plane, event, {
    move: () => {},
    end: (last, isCancelled) => {
      if (isCancelled || hasTravelled(begun, last)) return;
      const classes = studio.table.classes.length;
      const label = event.shiftKey || event.altKey ? (studio.label + 1) % classes : studio.label;
      addPoint(...pointAt(plane, last), label);
      focusPoint(plane, studio.selected);
    },
  });
}

function takePoint(plane, event, begun, index) {
  const isFlip = event.shiftKey || event.altKey;
  const from = plane.frame.pixel(studio.table.points[index]);
  const offset = [from[0] - begun[0], from[1] - begun[1]];
  let isDragged = false;
  select(index);
  const moveTo = ([left, top], quick) => {
    const [x, y] = pointAt(plane, [left + offset[0], top + offset[1]], quick);
    movePoint(index, x, y, quick);
  };
  follow(plane, event, {
    move: (pixel) => {
      if (!isDragged && !hasTravelled(begun, pixel)) return;
      isDragged = true;
      plane.host.classList.add("dragging");
      moveTo(pixel, true);
    },
    end: (pixel, isCancelled) => {
      plane.host.classList.remove("dragging");
      // Taken from the hand, by a scroll or a call: the point goes back to where it was.
      if (isDragged) moveTo(isCancelled ? begun : pixel, false);
      else if (isFlip) flipPoint(index);
      focusPoint(plane, index);
    },
  });
}

/** Whether a hand has gone further than one that means to click. */
export const hasTravelled = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1]) > CLICK;

/** Follow a pointer until it is let go; at most one move in each frame. */
export function follow(plane, event, { move, end }) {
  const { svg } = plane;
  const pointer = event.pointerId;
  let last = pixelOf(plane, event);
  let frame = 0;
  svg.setPointerCapture(pointer);
  studio.gesture += 1;
  const moved = (next) => {
    if (next.pointerId !== pointer) return;
    last = pixelOf(plane, next);
    frame ||= requestAnimationFrame(() => {
      frame = 0;
      move(last);
    });
  };
  const stopped = (next) => {
    if (next.pointerId !== pointer) return;
    cancelAnimationFrame(frame);
    svg.removeEventListener("pointermove", moved);
    svg.removeEventListener("pointerup", stopped);
    svg.removeEventListener("pointercancel", stopped);
    end(next.type === "pointerup" ? pixelOf(plane, next) : last, next.type === "pointercancel");
  };
  svg.addEventListener("pointermove", moved);
  svg.addEventListener("pointerup", stopped);
  svg.addEventListener("pointercancel", stopped);
}

/** Focus goes to the element of a point, so that its keys work after the mouse as well. */
export function focusPoint(plane, index) {
  const dot = plane.layers.dots.querySelector(`[data-index="${index}"]`);
  dot?.focus({ preventScroll: true });
}

const MOVES = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

function key(plane, event) {
  if (event.ctrlKey || event.metaKey || !isEditable()) return;
  const dot = event.target.closest(".pt");
  if (event.key === "Enter" && event.target === plane.svg) addInTheMiddle(plane);
  else if (dot && !keyOnPoint(plane, event, Number(dot.dataset.index))) return;
  else if (!dot) return;
  event.preventDefault();
  // The arrows of a point are not the arrows of the transport.
  event.stopPropagation();
}

function addInTheMiddle(plane) {
  addPoint(...pointAt(plane, [plane.size / 2, plane.size / 2]), studio.label);
  focusPoint(plane, studio.selected);
}

/** Do what a key on a point means; false when it means nothing here. */
function keyOnPoint(plane, event, index) {
  const { points, classes } = studio.table;
  const digit = Number(event.key);
  if (event.key in MOVES) nudge(event, index);
  else if (event.key === "x" || event.key === "X") flipPoint(index);
  else if (event.key === "Delete" || event.key === "Backspace") removeAndGoOn(plane, index);
  else if (event.key === "n") goTo(plane, (index + 1) % points.length);
  else if (event.key === "p") goTo(plane, (index + points.length - 1) % points.length);
  else if (event.key === "Escape") document.getElementById("to-play").focus();
  else if (digit >= 1 && digit <= classes.length) flipPoint(index, digit - 1);
  else return false;
  return true;
}

function nudge(event, index) {
  const [right, up] = MOVES[event.key];
  const factor = event.shiftKey ? 10 : 1;
  const [x, y] = studio.table.points[index];
  const step = (studio.box.side / 200) * factor;
  const { box } = studio;
  const keep = (value, low) => rounded(Math.max(low, Math.min(low + box.side, value)));
  if (!event.repeat) studio.gesture += 1; // a key held down is one gesture
  movePoint(index, keep(x + right * step, box.x), keep(y + up * step, box.y), false);
}

function removeAndGoOn(plane, index) {
  removePoint(index);
  if (studio.table.points.length === 0) plane.svg.focus({ preventScroll: true });
  else goTo(plane, Math.min(index, studio.table.points.length - 1));
}

function goTo(plane, index) {
  select(index);
  focusPoint(plane, index);
}
