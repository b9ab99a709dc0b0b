/** Which files are data, and the names they get in the workspace. */
const READABLE = /\.(csv|tsv|xlsx|parquet|json|jsonl|ndjson|duckdb|sqlite|db)$|\.(csv|tsv|json|jsonl|ndjson)\.(gz|zst)$/i;

/** What the chooser of files offers. */
export const ACCEPTED = ".csv,.tsv,.xlsx,.parquet,.json,.jsonl,.ndjson,.gz,.zst,.duckdb,.sqlite,.db";

/** Files with dates, numbers and text in free form. */
const TEXT = /\.(csv|tsv|tab|txt|json|jsonl|ndjson)(\.(gz|zst))?$/i;

export const isTextFile = (name: string): boolean => TEXT.test(name);

export const UPLOADS = "/uploads";

export const isDataFile = (name: string): boolean => READABLE.test(name);

/** An unused name: `sales.csv`, then `sales (2).csv`. */
export function freeName(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(name)) return name;
  const [, stem = name, ending = ""] = /^(.+?)((?:\.[^.]+){1,2})?$/.exec(name) ?? [];
  for (let number = 2; ; number += 1) {
    const next = `${stem} (${number})${ending}`;
    if (!taken.has(next)) return next;
  }
}

/** A path of the workspace cannot hold these; everything else stays as it was called. */
export const safeName = (name: string): string =>
  name.replace(/[/\\]|\p{Cc}/gu, "_").replace(/^\.+/, "_") || "data.csv";
