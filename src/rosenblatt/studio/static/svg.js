/** Making elements: the few lines that every drawing needs. */

const SVG = "http://www.w3.org/2000/svg";

/** An SVG element with attributes, appended to a parent when there is one. */
export function draw(name, attributes = {}, parent = null) {
  const element = document.createElementNS(SVG, name);
  set(element, attributes);
  if (parent) parent.append(element);
  return element;
}

/** An HTML element; `text` becomes its content, never markup. */
export function make(name, attributes = {}, text = "", parent = null) {
  const element = document.createElement(name);
  set(element, attributes);
  if (text !== "") element.textContent = text;
  if (parent) parent.append(element);
  return element;
}

/** Set attributes; `null` and `false` remove, `true` sets an empty one. */
export function set(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === false) element.removeAttribute(name);
    else element.setAttribute(name, value === true ? "" : value);
  }
  return element;
}

export const byId = (id) => document.getElementById(id);

/** Path data of a closed polygon or an open line through pixels. */
export function path(pixels, closed = false) {
  if (pixels.length === 0) return "";
  return "M" + pixels.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L") + (closed ? "Z" : "");
}

/** The outline of a class's mark with radius r about 0: shape says the class where colour cannot. */
export function markPath(label, r) {
  return MARKS[label % MARKS.length](r);
}

const polygon = (corners, r, turn = 0) =>
  path(
    Array.from({ length: corners }, (_, i) => {
      const angle = turn - Math.PI / 2 + (2 * Math.PI * i) / corners;
      return [r * Math.cos(angle), r * Math.sin(angle)];
    }),
    true,
  );

const cross = (r) => {
  const a = r * 0.36;
  const upper = [[-r, -a], [-a, -a], [-a, -r], [a, -r], [a, -a], [r, -a]];
  return path([...upper, ...upper.map(([x, y]) => [-x, -y])], true);
};

// Sizes differ so that the areas look alike.
const MARKS = [
  (r) => polygon(4, r * 1.22, Math.PI / 4),
  (r) => `M${-r} 0A${r} ${r} 0 1 1 ${r} 0A${r} ${r} 0 1 1 ${-r} 0Z`,
  (r) => polygon(3, r * 1.36),
  (r) => polygon(4, r * 1.28),
  (r) => cross(r * 1.15),
  (r) => polygon(3, r * 1.36, Math.PI),
  (r) => polygon(5, r * 1.2),
  (r) => polygon(6, r * 1.12),
  (r) => polygon(3, r * 1.36, Math.PI / 2),
  (r) => polygon(3, r * 1.36, -Math.PI / 2),
];

/** A number for reading: three significant digits, whole numbers whole, a true minus sign. */
export function number(value) {
  if (typeof value !== "number" || !Number.isFinite(value)) return "–";
  const size = Math.abs(value);
  let text;
  if (size !== 0 && (size < 0.001 || size >= 1e7)) text = value.toExponential(1);
  else if (size >= 1000) text = Math.round(value).toLocaleString("en");
  else text = String(Number(value.toPrecision(3)));
  return text.replace("-", "−");
}

/** A bound from above, for reading: whole, and never rounded up, however large. */
export function atMost(bound) {
  const most = Math.floor(bound);
  if (most < 1e9) return most.toLocaleString("en");
  return most.toLocaleString("en", { notation: "compact", maximumSignificantDigits: 3, roundingMode: "floor" });
}

/** Always two decimals, for columns of weights that stand under each other. */
export function weight(value) {
  if (!Number.isFinite(value)) return "–";
  const size = Math.abs(value);
  const text = size >= 1e5 ? value.toExponential(1) : value.toFixed(size >= 1000 ? 0 : 2);
  return text.replace("-", "−");
}
