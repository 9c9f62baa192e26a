/**
 * Tables that are too long for an address. The address holds a digest of the table; its points are
 * kept for this tab, so that a reload shows them again. The table that the studio was opened with is
 * known to the server, too.
 */

import { studio } from "./state.js";

const PLACE = "rosenblatt-table";
const digests = new WeakMap();

/** Keep a table and return the digest by which `kept` finds it again. */
export function keep(data) {
  if (digests.has(data)) return digests.get(data);
  const text = JSON.stringify(data);
  const digest = digestOf(text);
  digests.set(data, digest);
  try {
    sessionStorage.setItem(PLACE, digest + text);
  } catch {
    // No room, or storage is switched off: then the table has to be opened again after a reload.
  }
  return digest;
}

/** The table of a digest, or null where it is not known. */
export function kept(digest) {
  const text = stored();
  if (digest && text.startsWith(`${digest}{`)) return JSON.parse(text.slice(digest.length));
  const { opened } = studio;
  return opened && digestOf(JSON.stringify(opened)) === digest ? opened : null;
}

function stored() {
  try {
    return sessionStorage.getItem(PLACE) ?? "";
  } catch {
    return "";
  }
}

/** FNV-1a, twice from different starts: 64 bits that tell tables apart, not a secret. */
function digestOf(text) {
  let [a, b] = [0x811c9dc5, 0x01000193];
  for (let i = 0; i < text.length; i++) {
    const letter = text.charCodeAt(i);
    a = Math.imul(a ^ letter, 0x01000193);
    b = Math.imul(b ^ letter, 0x01000197);
  }
  return [a, b].map((half) => (half >>> 0).toString(36)).join("");
}
