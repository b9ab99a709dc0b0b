/** The logs that Python's codec is tested with too, and what the core's export tells of them. */
import { readdirSync, readFileSync } from "node:fs";
import { readFrame, type Numbered } from "@/stream/events";

const FOLDER = new URL("../../../../tests/recorded_logs/", import.meta.url);
const OUTSIDE = new Set(["event_type", "timestamp", "seq", "run_id", "session_id", "event_id"]);

export interface Step {
  kind: "Said" | "Called" | "Changed" | "Asked" | "Failed";
  [field: string]: unknown;
}

export interface Turn {
  model: string;
  reason: string | null;
  steps: Step[];
}

export const NAMES = readdirSync(FOLDER)
  .filter((name) => name.endsWith(".jsonl"))
  .map((name) => name.replace(".jsonl", ""))
  .toSorted();

export function recorded(name: string): Numbered[] {
  const lines = readFileSync(new URL(`${name}.jsonl`, FOLDER), "utf8").trimEnd().split("\n");
  return lines.map((line) => readFrame(frameOf(line)) as Numbered);
}

export const turnsOf = (name: string): Turn[] =>
  JSON.parse(readFileSync(new URL(`${name}.turns.json`, FOLDER), "utf8")) as Turn[];

/** An event of the log as the server's WebSocket sends it. */
export function frameOf(line: string): string {
  const event = JSON.parse(line) as Record<string, unknown>;
  const { event_type, timestamp, seq, run_id } = event;
  const data = Object.fromEntries(Object.entries(event).filter(([name]) => !OUTSIDE.has(name)));
  return JSON.stringify({ event_type, data, timestamp, seq, run_id });
}
