/** What a call does, in a few words: its kind, and the argument a person knows it by. Pure. */
import type { CallItem } from "@/stream/conversation";

export type CallKind = "data" | "file" | "shell" | "web" | "mcp" | "chart" | "report" | "task" | "other";

const KINDS: Record<string, CallKind> = {
  sql_query: "data",
  sql_check: "data",
  sql_write: "data",
  metric_query: "data",
  result_page: "data",
  result_export: "data",
  data_describe: "data",
  data_list_sources: "data",
  data_search_catalog: "data",
  ls: "file",
  read_file: "file",
  write_file: "file",
  edit_file: "file",
  multi_edit: "file",
  delete_file: "file",
  glob: "file",
  grep: "file",
  shell: "shell",
  code_executor: "shell",
  fetch_url: "web",
  http_request: "web",
  web_scrape: "web",
  web_search: "web",
  chart_create: "chart",
  report_create: "report",
  task: "task",
};

const KEY_ARGUMENTS = [
  "command",
  "code",
  "sql",
  "file_path",
  "url",
  "query",
  "pattern",
  "table",
  "intent",
  "title",
  "description",
  "path",
];

export const kindOf = (tool: string): CallKind => (tool.startsWith("mcp__") ? "mcp" : (KINDS[tool] ?? "other"));

/** The argument that tells one call of a tool from another, on one line. */
export function keyArgument({ tool, args }: Pick<CallItem, "tool" | "args">): string {
  if (tool === "http_request") return `${String(args.method ?? "GET")} ${String(args.url ?? "")}`;
  const named = KEY_ARGUMENTS.map((name) => args[name]);
  const value = [...named, ...Object.values(args)].find((each) => typeof each === "string" && each.trim());
  return typeof value === "string" ? value.replace(/\s+/g, " ").trim().slice(0, 300) : "";
}

/** `mcp__{tenant}_{server}__{tool}`, as the server and the tool. */
export function mcpName(tool: string): { server: string; tool: string } {
  const rest = tool.slice("mcp__".length);
  const divider = rest.indexOf("__");
  if (divider === -1) return { server: "", tool: rest };
  const place = rest.slice(0, divider);
  return { server: place.slice(place.indexOf("_") + 1), tool: rest.slice(divider + 2) };
}

export function resultText(call: CallItem): string {
  const value = call.result?.result;
  if (value === null || value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value, null, 2);
}

const CUT = /\(Output truncated at|\(\d+ more characters not shown\)|\(\d+ bytes left out/;
const KEPT = /(?:more are in|all of it is in) (\/\S+\.txt)/;

/** Whether an output was cut, and where the whole of it is. */
export function cutOutput(text: string): { path: string | null } | null {
  if (!CUT.test(text)) return null;
  return { path: KEPT.exec(text)?.[1] ?? null };
}

/** The kept result a call made or read. */
export function resultIdOf(call: CallItem): string | null {
  const made = call.result?.receipt?.result;
  if (typeof made === "object" && made !== null && "result_id" in made) return String(made.result_id);
  const read = call.tool === "result_page" ? call.args.result_id : null;
  return typeof read === "string" && call.result?.status === "success" ? read : null;
}
