/** The data panel: presets as thumbnails, points, noise, seed, and the table to take home. */

import { chooseData, on, studio } from "./state.js";
import { Frame, segment, squareAround } from "./geometry.js";
import { byId, draw, make, markPath, path } from "./svg.js";
import { save } from "./exports.js";

const FIELDS = { n: "n", noise: "noise", seed: "data-seed" };

export function startDataPanel() {
  for (const [name, id] of Object.entries(FIELDS)) {
    byId(id).addEventListener("change", (event) => changeField(name, event.target));
  }
  byId("redraw").addEventListener("click", () => {
    const { preset, noise, n, seed } = lastPreset;
    chooseData({ preset, noise, n, seed: seed < studio.limits.seed[1] ? seed + 1 : 0 });
  });
  byId("download").addEventListener("click", download);
  on("ask", drawPanel);
  on("answer", drawPanel);
}

// What the fields belong to after points were edited by hand: the preset they came from.
let lastPreset = { ...studio.data };

function changeField(name, input) {
  if (!input.checkValidity() || input.value === "") {
    input.reportValidity();
    return;
  }
  chooseData({ ...lastPreset, [name]: Number(input.value) });
}

/** Thumbnails, once the server has told the presets. */
export function drawPresets() {
  for (const [name, id] of Object.entries(FIELDS)) {
    [byId(id).min, byId(id).max] = studio.limits[name];
  }
  const host = byId("presets");
  host.replaceChildren();
  for (const preset of studio.presets) host.append(newThumbnail(preset));
  drawPanel();
}

function newThumbnail(preset) {
  const { name, sentence } = preset;
  const button = make("button", { type: "button", class: "preset", "data-name": name, title: sentence });
  drawThumbnail(button, preset, 64);
  make("span", {}, preset.title, button);
  button.addEventListener("click", () => {
    const seed = lastPreset.preset === preset.name ? lastPreset.seed : 0;
    chooseData({ preset: preset.name, seed, noise: 0, n: preset.n });
  });
  return button;
}

/** A small plane: marks of the classes and the target. */
export function drawThumbnail(host, { points, labels, target }, size) {
  const viewBox = `0 0 ${size} ${size}`;
  const picture = draw("svg", { class: "thumbnail", viewBox, "aria-hidden": "true" }, host);
  const frame = new Frame(squareAround(points), size);
  const ends = target && segment(target, frame.box);
  if (ends) draw("path", { class: "target", d: path(ends.map((point) => frame.pixel(point))) }, picture);
  const r = points.length > 40 ? size / 40 : size / 26;
  points.forEach((point, i) => {
    const [left, top] = frame.pixel(point);
    const mark = { class: `mark class-${labels[i] % 10}`, d: markPath(labels[i], r) };
    draw("path", { ...mark, transform: `translate(${left.toFixed(1)} ${top.toFixed(1)})` }, picture);
  });
}

function drawPanel() {
  const { data } = studio;
  if (data.preset) lastPreset = { ...data };
  const preset = studio.presets.find(({ name }) => name === lastPreset.preset);
  for (const button of byId("presets").children) {
    const isChosen = data.preset === button.dataset.name;
    button.setAttribute("aria-pressed", String(isChosen));
  }
  for (const [name, id] of Object.entries(FIELDS)) {
    if (document.activeElement !== byId(id)) byId(id).value = lastPreset[name];
  }
  if (!data.preset && document.activeElement !== byId("n")) byId("n").value = data.points.length;
  byId("noise").disabled = preset ? !preset.noise : false;
  drawDice(preset);
}

/** Of measured data all rows are shown unless fewer are wanted: then there is nothing to draw. */
function drawDice(preset) {
  const { data } = studio;
  const isAll = Boolean(data.preset && preset && !preset.noise && data.n >= preset.n);
  byId("redraw").disabled = byId("data-seed").disabled = isAll;
  byId("redraw").title = isAll ? `All ${preset.n} rows are shown; with fewer points they are drawn` : "";
}

/** The points as a CSV file: what the page reads, it also writes. */
export function tableText({ points, labels, classes, names }) {
  const head = [...names, "label"].map(quoted).join(",");
  const rows = points.map(([x, y], i) => `${x},${y},${quoted(classes[labels[i]])}`);
  return [head, ...rows].join("\n") + "\n";
}

const quoted = (text) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

function download() {
  save(new Blob([tableText(studio.table)], { type: "text/csv" }), "points.csv");
}
