/** Names that fit where the cursor is: of tables, and first of all the columns of those named. */
import { quoted } from "@/pages/data/charts/writeSql";
import type { Table } from "@/pages/data/queries";

export interface Completion {
  kind: "table" | "column";
  label: string;
  /** Where a column is from; what a table holds. */
  detail: string;
  insert: string;
}

const SHOWN_MAX = 60;
const PLAIN = /^[a-z_][a-z0-9_]*$/;
/** A word as far as it is written; quotes open one that may hold anything. */
const WORD_BEFORE = /(["`][^"`\n]*|[\p{L}\p{N}_]*)$/u;
const RESERVED = new Set(
  "all and as asc by case desc distinct else end from full group having in inner is join left like limit not null on or order outer right select table then to union using when where with user check column".split(
    " ",
  ),
);

export const wordBefore = (sql: string, cursor: number): string =>
  WORD_BEFORE.exec(sql.slice(0, cursor))?.[1] ?? "";

export function written(name: string, dialect: string): string {
  return PLAIN.test(name) && !RESERVED.has(name) ? name : quoted(name, dialect);
}

export function completionsFor(sql: string, cursor: number, tables: Table[], dialect: string): Completion[] {
  const word = wordBefore(sql, cursor).replace(/^["`]/, "").toLowerCase();
  const text = sql.toLowerCase();
  const named = tables.filter((table) => mentions(text, table.name.toLowerCase()));
  const columns = (named.length ? named : tables).flatMap((table) =>
    table.columns.map(
      (column): Completion => ({
        kind: "column",
        label: column.name,
        detail: named.length === 1 ? column.kind : `${table.name} · ${column.kind}`,
        insert: written(column.name, dialect),
      }),
    ),
  );
  const whole = tables.map(
    (table): Completion => ({
      kind: "table",
      label: table.schema ? `${table.schema}.${table.name}` : table.name,
      detail: "",
      insert: [table.schema, table.name]
        .filter(Boolean)
        .map((part) => written(part, dialect))
        .join("."),
    }),
  );
  const all = wantsTable(sql.slice(0, cursor)) || !named.length ? [...whole, ...columns] : [...columns, ...whole];
  const found = word ? ranked(all, word) : all;
  // A keyword or a number is no beginning of a name: then everything is offered.
  return (found.length ? found : all).slice(0, SHOWN_MAX);
}

/** Puts a name in place of its beginning before the cursor, or behind a word that is none. */
export function inserted(
  sql: string,
  cursor: number,
  { label, insert: name }: Pick<Completion, "label" | "insert">,
): { sql: string; cursor: number } {
  const word = wordBefore(sql, cursor);
  const begun = word.replace(/^["`]/, "").toLowerCase();
  if (!label.toLowerCase().includes(begun)) {
    const whole = ` ${name}`;
    return { sql: sql.slice(0, cursor) + whole + sql.slice(cursor), cursor: cursor + whole.length };
  }
  const start = cursor - word.length;
  // The closing quote of a word with an opening quote.
  const rest = /^["`]/.test(sql.slice(start, cursor)) ? sql.slice(cursor).replace(/^["`]/, "") : sql.slice(cursor);
  return { sql: sql.slice(0, start) + name + rest, cursor: start + name.length };
}

const mentions = (text: string, name: string): boolean => {
  const at = text.indexOf(name);
  if (at < 0) return false;
  const around = `${text[at - 1] ?? " "}${text[at + name.length] ?? " "}`;
  return !/[\p{L}\p{N}_]/u.test(around);
};

const wantsTable = (before: string): boolean => /\b(from|join)\s+["`]?[\p{L}\p{N}_]*$/iu.test(before);

/** Those that begin with the word go before those that only hold it. */
function ranked(all: Completion[], word: string): Completion[] {
  const holding = all.filter((each) => each.label.toLowerCase().includes(word));
  const begins = (each: Completion) => each.label.toLowerCase().startsWith(word);
  return [...holding.filter(begins), ...holding.filter((each) => !begins(each))];
}
