/**
 * Geometry of the square plane. A line is (w0, w1, w2): the points with w0 + w1 x + w2 y = 0.
 * A box is its lower left corner and its side; polygons are lists of [x, y].
 */

export const value = (w, x, y) => w[0] + w[1] * x + w[2] * y;

/** A square around the points, with room at the border and the same scale on both axes. */
export function squareAround(points) {
  if (points.length === 0) return { x: -1, y: -1, side: 2 };
  const [left, right] = range(points, 0);
  const [bottom, top] = range(points, 1);
  const side = (Math.max(right - left, top - bottom) || 2) * 1.16;
  return { x: (left + right - side) / 2, y: (bottom + top - side) / 2, side };
}

function range(points, axis) {
  let low = Infinity;
  let high = -Infinity;
  for (const point of points) {
    low = Math.min(low, point[axis]);
    high = Math.max(high, point[axis]);
  }
  return [low, high];
}

export function corners({ x, y, side }, room = 0) {
  const extra = side * room;
  const [left, bottom, right, top] = [x - extra, y - extra, x + side + extra, y + side + extra];
  return [[left, bottom], [right, bottom], [right, top], [left, top]];
}

/** The part of a convex polygon where w0 + w1 x + w2 y >= 0. */
export function clipped(polygon, w) {
  const kept = [];
  for (let i = 0; i < polygon.length; i++) {
    const here = polygon[i];
    const next = polygon[(i + 1) % polygon.length];
    const a = value(w, here[0], here[1]);
    const b = value(w, next[0], next[1]);
    if (a >= 0) kept.push(here);
    // Strictly on two sides: an end that lies on the line is a corner already.
    if ((a > 0 && b < 0) || (a < 0 && b > 0)) kept.push(between(here, next, a / (a - b)));
  }
  return kept.length > 2 ? kept : [];
}

const between = (a, b, part) => [a[0] + part * (b[0] - a[0]), a[1] + part * (b[1] - a[1])];

export const negative = (w) => w.map((part) => -part);
export const minus = (a, b) => a.map((part, i) => part - b[i]);

/** The two ends of a line inside the box, or null when it passes outside or w is 0. */
export function segment(w, box) {
  const length2 = w[1] * w[1] + w[2] * w[2];
  if (!(length2 > 0)) return null;
  const foot = footOf(w, box);
  const along = [-w[2] / Math.sqrt(length2), w[1] / Math.sqrt(length2)];
  let from = -Infinity;
  let to = Infinity;
  for (const axis of [0, 1]) {
    const low = (axis === 0 ? box.x : box.y) - foot[axis];
    if (along[axis] === 0) {
      if (low > 0 || low + box.side < 0) return null;
      continue;
    }
    const first = low / along[axis];
    const second = (low + box.side) / along[axis];
    from = Math.max(from, Math.min(first, second));
    to = Math.min(to, Math.max(first, second));
  }
  if (!(from < to)) return null;
  return [from, to].map((t) => [foot[0] + t * along[0], foot[1] + t * along[1]]);
}

/** The point of the line nearest to the middle of the box. */
function footOf(w, box) {
  const [x, y] = middle(box);
  const part = value(w, x, y) / (w[1] * w[1] + w[2] * w[2]);
  return [x - part * w[1], y - part * w[2]];
}

export const middle = (box) => [box.x + box.side / 2, box.y + box.side / 2];

/** The line through two points, with the side of `like` as its positive one and like's length. */
export function through(p, q, like) {
  let w1 = p[1] - q[1];
  let w2 = q[0] - p[0];
  const size = Math.hypot(w1, w2);
  if (size === 0) return like;
  const length = Math.hypot(like[1], like[2]) || 1;
  const sign = w1 * like[1] + w2 * like[2] < 0 ? -1 : 1;
  w1 *= (sign * length) / size;
  w2 *= (sign * length) / size;
  return [-(w1 * p[0] + w2 * p[1]), w1, w2];
}

/** Between data and pixels: y points up in the plane and down on the screen. */
export class Frame {
  constructor(box, size) {
    this.box = box;
    this.size = size;
    this.scale = size / box.side;
  }

  pixel([x, y]) {
    return [(x - this.box.x) * this.scale, this.size - (y - this.box.y) * this.scale];
  }

  point(left, top) {
    return [this.box.x + left / this.scale, this.box.y + (this.size - top) / this.scale];
  }
}

/** Round numbers for a grid of about `count` lines. */
export function gridLines(from, side, count) {
  const rough = side / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const unit = [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= rough);
  const lines = [];
  for (let i = Math.ceil(from / unit); i * unit <= from + side; i++) {
    lines.push(Number((i * unit).toPrecision(12)));
  }
  return lines;
}
