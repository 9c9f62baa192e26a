/**
 * What the weights of one row of a run say: the class of a point, the mistakes, the regions.
 *
 * A row holds one vector (its sign decides), one for each class (the largest score wins), or one
 * for each pair of classes (the most votes win, equal votes are decided by the sums of scores).
 * `run.present` lists the classes that have points; the vectors belong to these.
 */

import { clipped, corners, minus, negative, segment, value } from "./geometry.js";

const zeros = (count) => new Array(count).fill(0);

/** How the vectors of a row are read: "sign", "argmax" or "votes". */
const reading = (run) => run.rows;

function classAt(run, vectors, x, y) {
  const kind = reading(run);
  if (kind === "sign") return run.present[value(vectors[0], x, y) > 0 ? 1 : 0];
  const scores = vectors.map((w) => value(w, x, y));
  return kind === "argmax" ? run.present[largest(scores)] : elected(scores, run.pairs);
}

function largest(scores) {
  let best = 0;
  for (let c = 1; c < scores.length; c++) if (scores[c] > scores[best]) best = c;
  return best;
}

function elected(scores, pairs) {
  const classes = Math.max(...pairs.flat()) + 1;
  const votes = zeros(classes);
  const sums = zeros(classes);
  pairs.forEach(([low, high], p) => {
    votes[scores[p] > 0 ? high : low] += 1;
    sums[high] += scores[p];
    sums[low] -= scores[p];
  });
  const most = Math.max(...votes);
  return largest(sums.map((sum, c) => (votes[c] === most ? sum : -Infinity)));
}

/** The class that the vote of all hypotheses up to a row gives to a point. */
function votedClass(run, row, x, y, classes) {
  const votes = zeros(classes);
  for (let t = 0; t <= row; t++) votes[classAt(run, run.weights[t], x, y)] += run.survival[t];
  return largest(votes);
}

/** True at the end of a voted run: there the vote decides, not one hypothesis. */
export const isVote = (run, row) => run.final?.grid != null && row === run.weights.length - 1;

/** The row whose weights decide: the pocket's best so far, none where the vote does. */
export function decidingRow(run, row) {
  if (isVote(run, row)) return null;
  return run.algorithm === "pocket" && run.pocket_rows ? run.pocket_rows[row] : row;
}

// Found by solving, not by correcting: these answer like any classifier, w·x > 0 or not, and have
// no updates that could be counted or followed.
const SOLVED = new Set(["regression", "naive-bayes", "max-margin"]);

export const isSolved = (run) => SOLVED.has(run.algorithm);

/** The row of the w that is spoken of: on the way the one that is corrected, at the end the result. */
export function spokenRow(run, row) {
  return row === run.weights.length - 1 ? (decidingRow(run, row) ?? row) : row;
}

/** The share of mistakes of what decides at a row. */
export function errorAt(run, row) {
  if (isVote(run, row)) return run.final.error;
  return run.algorithm === "pocket" ? run.pocket_errors[row] : run.errors[row];
}

/** E_out of what decides at a row; null where there is no f. */
export function outsideAt(run, row) {
  if (!run.e_out) return null;
  return isVote(run, row) ? run.final.e_out : run.e_out[decidingRow(run, row)];
}

/** Which points the row gets wrong, as a list of booleans. */
export function mistakes(run, row, table, tie) {
  const vectors = run.weights[row];
  const kind = reading(run);
  return table.points.map(([x, y], i) => {
    const label = table.labels[i];
    if (isVote(run, row)) return votedClass(run, row, x, y, table.classes.length) !== label;
    if (kind !== "sign") return classAt(run, vectors, x, y) !== label;
    const score = value(vectors[0], x, y);
    const isPositive = label === run.present[1];
    if (score === 0) return tie === "mistake" || (tie === "+1") !== isPositive;
    return score > 0 !== isPositive;
  });
}

/** The regions of a row as [{label, polygon}], exact convex polygons; a little beyond the box. */
export function regions(run, row, box) {
  const whole = corners(box, 0.02);
  const vectors = run.weights[row];
  if (vectors.every((w) => w[0] === 0 && w[1] === 0 && w[2] === 0)) return [];
  const kind = reading(run);
  if (kind === "sign") return halves(vectors[0], whole, run.present);
  if (kind === "votes") return voteRegions(vectors, run.pairs, whole);
  const named = ({ label, polygon }) => ({ label: run.present[label], polygon });
  return scoreRegions(vectors, whole).map(named);
}

function halves(w, whole, present) {
  return [
    { label: present[1], polygon: clipped(whole, w) },
    { label: present[0], polygon: clipped(whole, negative(w)) },
  ].filter((region) => region.polygon.length);
}

export function scoreRegions(vectors, whole, labels = vectors.map((_, c) => c)) {
  const found = [];
  for (const label of labels) {
    let polygon = whole;
    for (const other of labels) {
      if (other === label || !polygon.length) continue;
      polygon = clipped(polygon, minus(vectors[label], vectors[other]));
    }
    if (polygon.length) found.push({ label, polygon });
  }
  return found;
}

/** Cut the box by every pair's line; inside a cell the votes are the same everywhere. */
function voteRegions(vectors, pairs, whole) {
  const classes = Math.max(...pairs.flat()) + 1;
  let cells = [{ polygon: whole, votes: zeros(classes) }];
  pairs.forEach(([low, high], p) => {
    cells = cells.flatMap(({ polygon, votes }) => [
      { polygon: clipped(polygon, vectors[p]), votes: withVote(votes, high) },
      { polygon: clipped(polygon, negative(vectors[p])), votes: withVote(votes, low) },
    ]).filter((cell) => cell.polygon.length);
  });
  const sums = Array.from({ length: classes }, (_, c) => sumOfScores(vectors, pairs, c));
  return cells.flatMap(({ polygon, votes }) => {
    const most = Math.max(...votes);
    return scoreRegions(sums, polygon, [...votes.keys()].filter((c) => votes[c] === most));
  });
}

const withVote = (votes, winner) => votes.map((count, c) => count + (c === winner ? 1 : 0));

function sumOfScores(vectors, pairs, label) {
  const sum = [0, 0, 0];
  pairs.forEach(([low, high], p) => {
    const sign = high === label ? 1 : low === label ? -1 : 0;
    for (let j = 0; j < 3; j++) sum[j] += sign * vectors[p][j];
  });
  return sum;
}

/** The decision boundary as polylines in data coordinates: [{points, closed}]. */
export function boundary(run, row, box) {
  const vectors = run.weights[row];
  if (reading(run) === "argmax") {
    return regions(run, row, box).map(({ polygon }) => ({ points: polygon, closed: true }));
  }
  return vectors
    .map((w) => segment(w, box))
    .filter(Boolean)
    .map((points) => ({ points, closed: false }));
}
