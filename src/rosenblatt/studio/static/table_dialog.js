/** One's own table: pasted, dropped or chosen; its columns picked; bad ones refused in a sentence. */

import { drawThumbnail } from "./data_panel.js";
import { post } from "./server.js";
import { capital, chooseData } from "./state.js";
import { byId, make, number } from "./svg.js";

const LARGEST = 4 * 1024 * 1024;
const COLUMNS = { x: "table-x", y: "table-y", label: "table-label" };

let text = "";
let read = null;
let chosen = {};

export function startTableDialog() {
  byId("open-table").addEventListener("click", open);
  byId("table-cancel").addEventListener("click", () => byId("table-dialog").close());
  byId("table-read").addEventListener("click", () => readTable(byId("table-text").value));
  byId("table-text").addEventListener("paste", () => setTimeout(() => readTable(byId("table-text").value)));
  byId("table-file").addEventListener("change", (event) => readFile(event.target.files[0]));
  byId("table-use").addEventListener("click", use);
  for (const id of Object.values(COLUMNS)) byId(id).addEventListener("change", chooseColumns);
  document.addEventListener("dragover", (event) => event.preventDefault());
  document.addEventListener("drop", drop);
}

function open() {
  if (!byId("table-dialog").open) byId("table-dialog").showModal();
}

function drop(event) {
  event.preventDefault();
  const [file] = event.dataTransfer?.files ?? [];
  if (!file) return;
  open();
  readFile(file);
}

async function readFile(file) {
  if (!file) return;
  byId("table-file").value = "";
  if (file.size > LARGEST) {
    const what = `${file.name} has ${number(file.size / 2 ** 20)} MB`;
    refuse(`${what}; the studio takes 4 MB and 20,000 rows at most. Take a sample of its rows.`);
    return;
  }
  const content = await file.text();
  byId("table-text").value = content;
  await readTable(content);
}

/** Let the server read the table and suggest columns. */
async function readTable(content) {
  text = content;
  if (new Blob([content]).size > LARGEST) {
    refuse("The table is larger than 4 MB, the most the studio takes. Take a sample of its rows.");
    return;
  }
  await load("");
  if (read) fillColumns();
}

/** Ask for the chosen columns. One that has another role already changes places with it. */
async function chooseColumns(event) {
  const role = Object.keys(COLUMNS).find((name) => COLUMNS[name] === event.target.id);
  for (const other of Object.keys(COLUMNS)) {
    if (other !== role && chosen[other] === event.target.value) byId(COLUMNS[other]).value = chosen[role];
  }
  await load(`?${new URLSearchParams(nowChosen())}`);
}

function nowChosen() {
  chosen = Object.fromEntries(Object.entries(COLUMNS).map(([role, id]) => [role, byId(id).value]));
  return chosen;
}

async function load(choice) {
  try {
    read = await post(`/api/table${choice}`, text, "text/plain");
  } catch (error) {
    refuse(error.message);
    return;
  }
  byId("table-error").textContent = "";
  const notes = (read.notes ?? []).map(capital);
  byId("table-size").textContent = [`${number(read.rows)} rows`, ...notes].join(". ");
  byId("table-use").disabled = false;
  drawPreview();
}

/** Say what is wrong; nothing else changes, the data in the plane stays. */
function refuse(sentence) {
  read = null;
  byId("table-error").textContent = capital(sentence);
  byId("table-size").textContent = "";
  byId("table-use").disabled = true;
  byId("table-preview").replaceChildren();
}

function fillColumns() {
  const { columns, suggest } = read;
  for (const [role, id] of Object.entries(COLUMNS)) {
    const select = byId(id);
    select.replaceChildren();
    for (const { name, kind } of columns) {
      if (role === "label" || kind === "number") make("option", { value: name }, name, select);
    }
    select.value = columns[suggest[role]].name;
    select.disabled = false;
  }
  nowChosen();
}

function drawPreview() {
  const preview = byId("table-preview");
  preview.replaceChildren();
  if (!read) return;
  const { points, labels } = read.data;
  const every = Math.ceil(points.length / 300);
  const few = (list) => list.filter((_, i) => i % every === 0);
  drawThumbnail(preview, { points: few(points), labels: few(labels), target: null }, 150);
}

function use() {
  if (!read) return;
  byId("table-dialog").close();
  chooseData(read.data);
}
