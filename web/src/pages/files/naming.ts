/** Names and places of files. Pure. */

/** Where people's files go: the server takes uploads only into these two. */
const WRITABLE = ["/uploads", "/files"];
const FIXED = new Set(["/uploads", "/files", "/outputs"]);

export const isWritable = (folder: string): boolean =>
  WRITABLE.some((each) => folder === each || folder.startsWith(`${each}/`));

export const uploadFolder = (folder: string): string => (isWritable(folder) ? folder : "/uploads");

export const isFixed = (path: string): boolean => FIXED.has(path);

export const joined = (folder: string, name: string): string =>
  `${folder === "/" ? "" : folder}/${name}`;

/** `a.csv`, `a (2).csv`, `a (3).csv`: the first that is free. */
export function freeName(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(name)) return name;
  const dot = name.lastIndexOf(".");
  const [stem, end] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ""];
  for (let count = 2; ; count += 1) {
    const free = `${stem} (${count})${end}`;
    if (!taken.has(free)) return free;
  }
}

export interface Crumb {
  name: string;
  path: string;
}

/** The folders above and at an encoded path, outermost first; each still names it exactly. */
export function crumbsOf(encoded: string): Crumb[] {
  const parts = encoded.split("/").filter(Boolean);
  return parts.map((part, at) => ({
    name: readable(part),
    path: `/${parts.slice(0, at + 1).join("/")}`,
  }));
}

/** Says whether a place is a folder or in it, at any depth. */
export const isWithin = (encoded: string, folder: string): boolean =>
  folder === "/" || encoded === folder || encoded.startsWith(`${folder}/`);

export const parentOf = (encoded: string): string =>
  encoded.slice(0, Math.max(1, encoded.lastIndexOf("/")));

/** Bytes that are not UTF-8 stay percent-encoded: unreadable, but distinct. */
export function readable(encoded: string): string {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return encoded;
  }
}

/** As the server encodes paths: everything but slashes. */
export const encodePath = (path: string): string => path.split("/").map(encodeURIComponent).join("/");

export type PreviewKind = "image" | "chart" | "markdown" | "json" | "csv" | "text" | "none";

const IMAGES = new Set(["png", "jpg", "jpeg", "gif", "webp"]);
const NOTHING = new Set(["pdf", "xlsx", "xls", "parquet", "zip", "gz", "duckdb", "db", "sqlite", "docx", "pptx"]);

export function previewKind(name: string): PreviewKind {
  const lower = name.toLowerCase();
  const end = endOf(lower);
  if (lower.endsWith(".vl.json")) return "chart";
  if (IMAGES.has(end)) return "image";
  if (end === "md" || end === "markdown") return "markdown";
  if (end === "json") return "json";
  if (end === "csv" || end === "tsv") return "csv";
  return NOTHING.has(end) ? "none" : "text";
}

const LANGUAGES: Record<string, string> = {
  py: "python", sql: "sql", js: "javascript", ts: "typescript", yml: "yaml", yaml: "yaml",
  html: "html", sh: "bash", json: "json", jsonl: "json", xml: "xml", css: "css",
}; // prettier-ignore

export const languageOf = (name: string): string => LANGUAGES[endOf(name.toLowerCase())] ?? "";

const endOf = (name: string): string => (name.includes(".") ? name.slice(name.lastIndexOf(".") + 1) : "");
