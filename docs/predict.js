// Predictions from the JSON of a model: docs/leaving.md says what it holds.
//
//     import { predict } from "./predict.js";
//     const model = await (await fetch("model.json")).json();
//     predict(model, [{ age: 41, town: "Bern" }])     // [{ label, score, probabilities }]
//
// A row is an object with the columns of the table, or, for a model of plain rows, an array of numbers.

const DAY = 86_400_000;

export function predict(model, rows) {
  return rows.map((row) => {
    let x = model.columns ? features(model, row) : row;
    for (const step of model.before) x = formed(step, x);
    return answer(model.rule, x);
  });
}

// Numbers come first, then a 1 for the category that is there, in the order of the columns
function features(model, row) {
  const isCategory = (column) => column.kind === "category";
  const numbers = model.columns.filter((c) => !isCategory(c)).map((c) => number(c, row[c.name], model));
  const ones = model.columns.filter(isCategory).flatMap((column) => {
    const value = String(row[column.name] ?? "").trim();
    return column.categories.map((category) => Number(category === value));
  });
  return [...numbers, ...ones];
}

function number(column, value, model) {
  const isMissing = value === null || value === undefined || value === "" || Number.isNaN(value);
  if (isMissing && model.missing !== "mean") throw new Error(`column ${column.name}: a value is missing`);
  let x = column.mean;
  if (!isMissing) x = column.kind === "date" && typeof value !== "number" ? Date.parse(value) / DAY : Number(value);
  return model.dtype === "float32" ? Math.fround(x) : x;
}

function formed(step, x) {
  if (step.do === "scale") return x.map((value, j) => (value - step.mean[j]) / step.scale[j]);
  const length = Math.sqrt(sum(x.map((value) => value * value)));
  return length > 0 ? x.map((value) => value / length) : x;
}

function answer(rule, row) {
  const x = rule.binarize === null ? row : row.map((value) => Number(value > rule.binarize));
  const scores = rule.intercept.map((b, k) => b + (rule.weights ? dot(rule.weights[k], x) : normal(rule, k, x)));
  if (rule.answer === "value") return { value: scores.length === 1 ? scores[0] : scores };
  if (rule.answer === "sign") {
    const raw = scores.length === 2 ? scores[1] - scores[0] : scores[0];
    const score = raw - rule.threshold;
    const isSecond = rule.tie === "+1" ? score >= 0 : score > 0;
    return { label: rule.classes[Number(isSecond)], score, probabilities: probabilities(rule, [0, raw]) };
  }
  let score = rule.answer === "votes" ? votes(rule.classes.length, scores) : scores;
  if (rule.scores === "logarithms") score = score.map((log) => log - logOfSum(scores));
  return { label: rule.classes[score.indexOf(Math.max(...score))], score, probabilities: probabilities(rule, score) };
}

// The scores are of the pairs (0, 1), (0, 2), ... (1, 2), ...; the sum of scores decides between equal votes
function votes(n, scores) {
  const found = Array(n).fill(0), sums = Array(n).fill(0);
  let pair = 0;
  for (let low = 0; low < n; low++) {
    for (let high = low + 1; high < n; high++, pair++) {
      found[scores[pair] > 0 ? high : low] += 1;
      sums[high] += scores[pair];
      sums[low] -= scores[pair];
    }
  }
  const largest = Math.max(...sums.map(Math.abs)) || 1;
  return found.map((votes, k) => votes + sums[k] / (3 * largest));
}

function normal(rule, k, x) {
  return sum(x.map((value, j) => {
    const v = rule.variances[k][j];
    return -0.5 * (Math.log(2 * Math.PI * v) + (value - rule.means[k][j]) ** 2 / v);
  }));
}

function probabilities(rule, scores) {
  if (!rule.probability) return null;
  const logs = scores.map((score, k) => rule.probability.slope * score + rule.probability.offsets[k]);
  const most = Math.max(...logs);
  const shares = logs.map((log) => Math.exp(log - most));
  return shares.map((share) => share / sum(shares));
}

function logOfSum(logs) {
  const most = Math.max(...logs);
  return most + Math.log(sum(logs.map((log) => Math.exp(log - most))));
}

const sum = (values) => values.reduce((total, value) => total + value, 0);
const dot = (w, x) => sum(w.map((weight, j) => weight * x[j]));
