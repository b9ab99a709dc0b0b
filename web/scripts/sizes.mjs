/**
 * Adds up what a browser loads before somebody can chat, and fails when that is too much: the page's
 * scripts and the chat page's, with everything they import at once, and their styles. What shows a
 * conversation is fetched behind that; its size is printed beside it, and has a limit too.
 */
import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { STATIC } from "./static.mjs";

const FIRST_MAX = 400 * 1000;
const WITH_CONVERSATION_MAX = 480 * 1000;
const CHAT = "src/pages/chat/View.tsx";
const CONVERSATION = "src/pages/chat/transcript/Transcript.tsx";

const manifest = JSON.parse(readFileSync(`${STATIC}manifest.json`, "utf8"));
const files = new Set(["index.html", "first-paint.js"]);
const seen = new Set();

function add(name) {
  if (seen.has(name)) return;
  seen.add(name);
  const chunk = manifest[name];
  if (!chunk) throw new Error(`${name} is not in the build; has it moved?`);
  for (const file of [chunk.file, ...(chunk.css ?? [])]) files.add(file);
  for (const imported of chunk.imports ?? []) add(imported);
}

function weigh() {
  return [...files]
    .map((file) => [file, gzipSync(readFileSync(STATIC + file), { level: 9 }).length])
    .sort((a, b) => b[1] - a[1]);
}

const totalOf = (sizes) => sizes.reduce((sum, [, bytes]) => sum + bytes, 0);
const shown = (bytes) => `${(bytes / 1000).toFixed(1).padStart(7)} KB`;

function hold(what, bytes, max) {
  console.log(`${shown(bytes)}  of ${shown(max).trim()} allowed: ${what}`);
  if (bytes <= max) return;
  console.error("Too much: load what is not needed for a first answer lazily (import()).");
  process.exitCode = 1;
}

add("index.html");
add(CHAT);
const first = weigh();
add(CONVERSATION);

console.log("first chat, gzip:");
for (const [file, bytes] of first) console.log(`${shown(bytes)}  ${file}`);
hold("until one can chat", totalOf(first), FIRST_MAX);
hold("with what shows a conversation", totalOf(weigh()), WITH_CONVERSATION_MAX);
