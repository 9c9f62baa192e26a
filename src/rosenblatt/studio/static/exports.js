/** Taking the picture away: SVG and PNG made from what is seen, the GIF drawn by the server. */

import { isPainted } from "./dots.js";
import { link } from "./address.js";
import { postForFile, question } from "./server.js";
import { notify, rowOf, studio } from "./state.js";
import { byId, draw, make, markPath, set } from "./svg.js";

const GAP = 16;
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

/** All planes beside each other as one SVG that needs no style sheet. */
export function picture(planes) {
  const { size } = planes[0];
  const width = planes.length * size + (planes.length - 1) * GAP;
  const whole = draw("svg", { viewBox: `0 0 ${width} ${size}`, width, height: size });
  planes.forEach((plane, i) => {
    const copy = styledCopy(plane.svg);
    set(copy, { x: i * (size + GAP), y: 0, width: size, height: size });
    const paper = getComputedStyle(plane.host).backgroundColor;
    copy.prepend(draw("rect", { width: size, height: size, fill: paper }));
    if (isPainted(studio.table)) addPainted(copy, plane);
    whole.append(copy);
  });
  return new XMLSerializer().serializeToString(whole);
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
  copy.children[3].after(layer);
  const style = getComputedStyle(document.documentElement);
  table.points.forEach((point, i) => {
    const [left, top] = plane.frame.pixel(point);
    const fill = style.getPropertyValue(`--class-${table.labels[i] % 10}`).trim();
    const transform = `translate(${left.toFixed(1)} ${top.toFixed(1)})`;
    draw("path", { d: markPath(table.labels[i], 2.4), fill, transform }, layer);
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
  try {
    const dark = document.documentElement.dataset.theme === "dark";
    const step = rowOf(studio.answer.runs[0]);
    const wanted = JSON.stringify({ ...question(), quick: false, dark, step });
    save(await postForFile("/api/export/gif", wanted), "rosenblatt.gif");
  } catch (error) {
    notify(error.message);
  } finally {
    button.disabled = false;
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
