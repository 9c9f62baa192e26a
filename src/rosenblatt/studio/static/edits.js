/**
 * What a hand does to the data: add, move, flip, delete, bend the target. Each edit turns a preset
 * into points of one's own; `history.js` can undo it.
 */

import { on, say, select, studio } from "./state.js";

export function addPoint(x, y, label) {
  const { table } = studio;
  const known = Math.min(label, table.classes.length - 1);
  change({ points: [...table.points, [x, y]], labels: [...table.labels, known] });
  structural();
  select(studio.table.points.length - 1);
}

/** Move a point; during a drag the server is asked for quick answers. */
export function movePoint(index, x, y, quick) {
  const points = studio.table.points.slice();
  points[index] = [x, y];
  change({ points });
  studio.quick = quick;
  say("table");
  say("ask");
  studio.quick = false;
}

export function flipPoint(index, label = null) {
  const { labels, classes } = studio.table;
  if (!(index in labels)) return;
  const changed = labels.slice();
  changed[index] = label ?? (labels[index] + 1) % classes.length;
  change({ labels: changed });
  structural();
}

export function removePoint(index) {
  const { points, labels } = studio.table;
  if (!(index in points)) return;
  change({ points: points.filter((_, i) => i !== index), labels: labels.filter((_, i) => i !== index) });
  select(-1);
  structural();
}

/** Move the target f: points it passes over change their class, noise keeps its place. */
export function bendTarget(target, quick) {
  const { table } = studio;
  const side = (w, [x, y]) => w[0] + w[1] * x + w[2] * y > 0;
  const labels = table.labels.map((label, i) =>
    side(target, table.points[i]) === side(table.target, table.points[i]) ? label : 1 - label,
  );
  change({ target, labels });
  studio.quick = quick;
  say("table");
  say("ask");
  studio.quick = false;
}

function change(changes) {
  studio.table = { ...studio.table, ...changes };
  studio.data = studio.table;
}

/** Points came, went or changed class: an answer about the old ones must not be drawn. */
function structural() {
  studio.gesture += 1;
  say("table");
  say("ask");
}

/**
 * Round to what a hand can mean. While a point is dragged it moves by less than a pixel; where it
 * is let go it sits on a grid of a power of two, which floats hold exactly: the whole weights of a
 * proof stay short, and their sums are exactly zero.
 */
export function rounded(value, isFine = false) {
  const unit = 2 ** Math.round(Math.log2(studio.box.side / (isFine ? 2048 : 256)));
  return Math.round(value / unit) * unit;
}

on("answer", () => {
  if (studio.selected >= studio.answer.data.points.length) select(-1);
});
