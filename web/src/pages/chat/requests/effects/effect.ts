/**
 * What a call would do, by the tool it names: only of our own tools is it known what their arguments
 * mean. Of every other one they are shown as they are. Whatever is not drawn otherwise is in `rest`. Pure.
 */
import { mcpName } from "@/pages/chat/transcript/calls/describe";
import type { Json, JsonObject } from "@/stream/events";

export interface Replacement {
  before: string;
  after: string;
  everywhere: boolean;
}

export interface SampledMessage {
  role: string;
  text: string;
}

export type Effect =
  | { kind: "command" | "code" | "sql"; text: string; rest: JsonObject }
  | { kind: "write"; path: string; content: string; rest: JsonObject }
  | { kind: "edit"; path: string; edits: readonly Replacement[]; rest: JsonObject }
  | { kind: "delete"; path: string; rest: JsonObject }
  | { kind: "sampling"; server: string; messages: readonly SampledMessage[]; rest: JsonObject }
  | { kind: "other"; rest: JsonObject };

export type FileEffect = Extract<Effect, { path: string }>;

const TEXTS: Record<string, { kind: "command" | "code" | "sql"; argument: string }> = {
  shell: { kind: "command", argument: "command" },
  code_executor: { kind: "code", argument: "code" },
  sql_query: { kind: "sql", argument: "sql" },
  sql_check: { kind: "sql", argument: "sql" },
  sql_write: { kind: "sql", argument: "sql" },
};

export function effectOf(tool: string, args: JsonObject): Effect {
  return (
    textEffect(tool, args) ??
    fileEffect(tool, args) ??
    samplingEffect(tool, args) ?? { kind: "other", rest: args }
  );
}

/** A server's request for an answer of the model; no tool has a name with a slash. */
const SAMPLING = /^mcp__.*__sampling\/createMessage$/s;

function samplingEffect(tool: string, args: JsonObject): Effect | null {
  const { server, system_prompt: system, messages } = args;
  if (!SAMPLING.test(tool) || typeof server !== "string" || !Array.isArray(messages)) return null;
  const read = messages.map(sampledMessage);
  const whole = read.filter((each) => each !== null);
  if (whole.length < read.length || (system !== undefined && typeof system !== "string")) return null;
  const said = system ? [{ role: "system", text: system }, ...whole] : whole;
  return { kind: "sampling", server, messages: said, rest: without(args, "server", "system_prompt", "messages") };
}

function sampledMessage(message: Json): SampledMessage | null {
  if (typeof message !== "object" || message === null || Array.isArray(message)) return null;
  const { role, text } = message as JsonObject;
  return typeof role === "string" && typeof text === "string" ? { role, text } : null;
}

function textEffect(tool: string, args: JsonObject): Effect | null {
  const known = Object.hasOwn(TEXTS, tool) ? TEXTS[tool] : undefined;
  const text = known && args[known.argument];
  return known && typeof text === "string"
    ? { kind: known.kind, text, rest: without(args, known.argument) }
    : null;
}

function fileEffect(tool: string, args: JsonObject): FileEffect | null {
  const { file_path: path, content, edits } = args;
  if (typeof path !== "string") return null;
  if (tool === "delete_file") return { kind: "delete", path, rest: without(args, "file_path") };
  if (tool === "write_file" && typeof content === "string") {
    return { kind: "write", path, content, rest: without(args, "file_path", "content") };
  }
  if (tool === "edit_file") {
    const edit = replacement(args);
    const rest = without(args, "file_path", "old_string", "new_string", "replace_all");
    return edit && { kind: "edit", path, edits: [edit], rest };
  }
  if (tool === "multi_edit" && Array.isArray(edits)) {
    const read = edits.map(replacement);
    const whole = read.filter((each) => each !== null);
    const rest = without(args, "file_path", "edits");
    return whole.length === read.length ? { kind: "edit", path, edits: whole, rest } : null;
  }
  return null;
}

const EDIT_NAMES = new Set(["file_path", "old_string", "new_string", "replace_all"]);

function replacement(edit: Json): Replacement | null {
  if (typeof edit !== "object" || edit === null || Array.isArray(edit)) return null;
  const { old_string: before, new_string: after, replace_all: all = false } = edit as JsonObject;
  const known = Object.keys(edit).every((name) => EDIT_NAMES.has(name));
  if (!known || typeof before !== "string" || typeof after !== "string") return null;
  return typeof all === "boolean" ? { before, after, everywhere: all } : null;
}

const without = (args: JsonObject, ...names: string[]): JsonObject =>
  Object.fromEntries(Object.entries(args).filter(([name]) => !names.includes(name)));

/** The server a tool is from, and what that server calls it; null for our own tools. */
export function cameFrom(tool: string, tenantId: string): { server: string; tool: string } | null {
  if (!tool.startsWith("mcp__")) return null;
  // A tenant's own id may hold what stands between it and the server.
  const prefix = `mcp__${tenantId}_`;
  return mcpName(tool.startsWith(prefix) ? `mcp___${tool.slice(prefix.length)}` : tool);
}
