/** A value of a result as a cell shows it. Exact where it can be: an id or a year gets no commas. */
export interface Column {
  name: string;
  kind?: string;
}

const NUMBERS = new Set(["integer", "decimal", "float"]);
/** More digits than a double is sure of only show its binary tail. */
const DIGITS_MAX = 12;

/** The text of a cell; null where there is no value. */
export function cellText(value: unknown, kind?: string): string | null {
  if (value === null || value === undefined) return null;
  if (typeof value === "number") {
    if (Number.isInteger(value) || !Number.isFinite(value)) return String(value);
    return String(Number(value.toPrecision(DIGITS_MAX)));
  }
  if (typeof value === "string") return kind === "timestamp" ? value.replace("T", " ") : value;
  if (typeof value === "object") return JSON.stringify(value);
  return String(value);
}

/** Numbers stand right-aligned, also those that JSON must write as text. */
export function isNumeric(column: Column, index: number, rows: readonly unknown[][]): boolean {
  if (column.kind) return NUMBERS.has(column.kind);
  const values = rows.map((row) => row[index]).filter((value) => value !== null && value !== undefined);
  return values.length > 0 && values.every((value) => typeof value === "number");
}
