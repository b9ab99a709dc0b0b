/** What people type into the form, read: lists and pairs as lines or as JSON. Pure. */

/** The words of a command line: a JSON array, or one on each line. */
export function readArgs(text: string): string[] {
  const said = text.trim();
  if (!said.startsWith("[")) return lines(said);
  const value = json(said);
  if (!Array.isArray(value)) throw new SyntaxError("[ ]");
  return value.map(asText);
}

export function readPairs(text: string): Record<string, string> {
  const said = text.trim();
  if (said.startsWith("{")) return textValues(json(said));
  return Object.fromEntries(lines(said).map(pair));
}

export const writeLines = (values: readonly string[]): string =>
  // A line that would be read as JSON, or an empty or broken one, needs the JSON form.
  values.some((each) => each.trim() !== each || each === "" || each.includes("\n")) ||
  values[0]?.startsWith("[")
    ? JSON.stringify(values)
    : values.join("\n");

export const writePairs = (values: Readonly<Record<string, string>>): string =>
  Object.values(values).some((each) => each.includes("\n"))
    ? JSON.stringify(values, null, 2)
    : Object.entries(values)
        .map(([name, value]) => `${name}=${value}`)
        .join("\n");

/** `NAME=value`, or `Name: value` as headers are written; whichever sign comes first. */
function pair(line: string): [string, string] {
  const found = /^([^=:\s]+)\s*[=:]\s*(.*)$/.exec(line);
  if (!found) throw new SyntaxError(line);
  return [found[1] ?? "", found[2] ?? ""];
}

export function textValues(value: unknown): Record<string, string> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new SyntaxError("{ }");
  }
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, asText(each)]));
}

/** Ports and switches are often written without quotes; a program gets texts all the same. */
export function asText(value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  throw new SyntaxError(JSON.stringify(value));
}

const lines = (text: string): string[] =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);

function json(text: string): unknown {
  return JSON.parse(text) as unknown;
}
