/** Taking the picture away: SVG and PNG made from what is seen, the GIF drawn by the server. */

import { isPainted, radius } from "./dots.js";
import { link } from "./address.js";
import { streets } from "./lines.js";
import { complain, postForFile, question } from "./server.js";
import { notify, rowOf, studio } from "./state.js";
import { byId, draw, make, markPath, set } from "./svg.js";
import { pretty } from "./toolbar.js";

const GAP = 16;
const PAINTED_AFTER = 2; // above regions, grid and hulls, below the lines
const HEAD = 28; // for the names of the planes of a race
// What the style sheet says about the picture has to travel with it.
const STYLES = [
  ...["fill", "fill-opacity", "stroke", "stroke-width", "stroke-dasharray", "stroke-linecap"],
  ...["stroke-linejoin", "stroke-opacity", "opacity", "paint-order", "font-family", "font-size"],
  ...["font-style", "text-anchor", "visibility", "display", "image-rendering"],
];

export function startExports(planes) {
  byId("export-svg").addEventListener("click", () => saveSvg(planes()));
  byId("export-png").addEventListener("click", () => savePng(planes()));
  byId("export-gif").addEventListener("click", saveGif);
  byId("share").addEventListener("click", share);
}

/** Hand a file to the browser under a name. */
export function save(blob, name) {
  const address = URL.createObjectURL(blob);
  const anchor = make("a", { href: address, download: name });
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}

/** All planes beside each other as one SVG that needs no style sheet, named, with a legend below. */
export function picture(planes) {
  const { size } = planes[0];
  const width = planes.length * size + (planes.length - 1) * GAP;
  const top = planes.length > 1 ? HEAD : 0;
  const paper = getComputedStyle(planes[0].host).backgroundColor;
  const whole = draw("svg", {});
  const ground = draw("rect", { fill: paper }, whole);
  planes.forEach((plane, i) => {
    const x = i * (size + GAP);
    if (top) write(whole, plane.title.textContent, x + 2, HEAD - 9, { "font-weight": 650 });
    const copy = styledCopy(plane.svg);
    set(copy, { x, y: top, width: size, height: size });
    if (isPainted(studio.table)) addPainted(copy, plane);
    whole.append(copy);
  });
  const height = top + size + drawLegend(whole, top + size, width);
  for (const element of [whole, ground]) set(element, { width, height });
  whole.setAttribute("viewBox", `0 0 ${width} ${height}`);
  return new XMLSerializer().serializeToString(whole);
}

const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();

function write(layer, content, x, y, look = {}) {
  const font = { "font-family": "system-ui, sans-serif", "font-size": 13, fill: colour("ink") };
  draw("text", { x: x.toFixed(1), y, ...font, ...look }, layer).textContent = content;
}

/** What the marks and lines mean, in as many rows as are needed; returns the height. */
function drawLegend(whole, top, width) {
  const pen = document.createElement("canvas").getContext("2d");
  pen.font = "13px system-ui, sans-serif";
  const layer = draw("g", {}, whole);
  let [x, y] = [6, top + 22];
  for (const { name, mark } of legendEntries()) {
    const space = 28 + pen.measureText(name).width + 18;
    if (x > 6 && x + space > width) [x, y] = [6, y + 22];
    const sign = draw("g", { transform: `translate(${(x + 11).toFixed(1)} ${y - 4.5})` }, layer);
    draw("path", mark, sign);
    write(layer, name, x + 26, y);
    x += space;
  }
  return y + 12 - top;
}

function legendEntries() {
  const { table, show, answer } = studio;
  const line = (name, stroke, more) => ({ name, mark: { d: "M-11 0H11", fill: "none", stroke: colour(stroke), ...more } });
  const classes = table.classes.map((name, label) => ({
    name: pretty(name),
    mark: { d: markPath(label, 6), fill: colour(`class-${label % 10}`) },
  }));
  const entries = [...classes, line("g", "ink", { "stroke-width": 2.6 })];
  const dashes = (pattern) => ({ "stroke-width": 2, "stroke-dasharray": pattern });
  if (table.target && show.has("target")) entries.push(line("f", "target", dashes("8 6")));
  const hasMargin = streets(answer.verdict).length > 0;
  if (hasMargin && show.has("margin")) entries.push(line("margin", "best", { ...dashes("0.1 5"), "stroke-linecap": "round" }));
  return entries;
}

function styledCopy(original) {
  const copy = original.cloneNode(true);
  const [from, to] = [original, copy].map((root) => [...root.querySelectorAll("*")]);
  from.forEach((element, i) => {
    const style = getComputedStyle(element);
    for (const name of STYLES) to[i].setAttribute(name, style.getPropertyValue(name));
    to[i].removeAttribute("class");
    to[i].removeAttribute("tabindex");
  });
  for (const name of ["class", "tabindex", "style"]) copy.removeAttribute(name);
  copy.lastElementChild.remove(); // handles are for hands
  for (const unseen of copy.querySelectorAll("[display=none], [visibility=hidden]")) unseen.remove();
  return copy;
}

/** Points that the page paints on the canvas become marks of the file. */
function addPainted(copy, plane) {
  const { table } = studio;
  const layer = draw("g", {});
  copy.children[PAINTED_AFTER].after(layer);
  const r = radius(table, plane.frame);
  const fills = table.classes.map((_, label) => colour(`class-${label % 10}`));
  const rim = { stroke: colour("ink"), "stroke-width": 1.2 };
  table.points.forEach((point, i) => {
    const [left, top] = plane.frame.pixel(point);
    const transform = `translate(${left.toFixed(1)} ${top.toFixed(1)})`;
    const mark = { d: markPath(table.labels[i], r), fill: fills[table.labels[i]], transform };
    draw("path", plane.wrong[i] ? { ...mark, ...rim } : mark, layer);
  });
}

function saveSvg(planes) {
  save(new Blob([picture(planes)], { type: "image/svg+xml" }), "rosenblatt.svg");
}

/** The same picture in twice as many pixels. */
async function savePng(planes) {
  const address = URL.createObjectURL(new Blob([picture(planes)], { type: "image/svg+xml" }));
  const image = new Image();
  image.src = address;
  await image.decode();
  const canvas = make("canvas", {});
  canvas.width = image.naturalWidth * 2;
  canvas.height = image.naturalHeight * 2;
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(address);
  canvas.toBlob((blob) => save(blob, "rosenblatt.png"), "image/png");
}

async function saveGif() {
  const button = byId("export-gif");
  button.disabled = true;
  button.textContent = "GIF …"; // the server may draw for half a minute
  try {
    const dark = document.documentElement.dataset.theme === "dark";
    const step = rowOf(studio.answer.runs[0]);
    const wanted = JSON.stringify({ ...question(), quick: false, dark, step });
    save(await postForFile("/api/export/gif", wanted), "rosenblatt.gif");
  } catch (error) {
    complain(error);
  } finally {
    button.disabled = false;
    button.textContent = "GIF";
  }
}

async function share() {
  try {
    const address = link();
    history.replaceState(null, "", address);
    await navigator.clipboard.writeText(address);
    sayCopied();
  } catch (error) {
    const isForbidden = error.name === "NotAllowedError";
    notify(isForbidden ? "The page may not copy here; the link is in the address bar." : error.message);
  }
}

function sayCopied() {
  const text = byId("share").lastChild;
  text.textContent = "Copied";
  setTimeout(() => (text.textContent = "Copy link"), 1500);
}
