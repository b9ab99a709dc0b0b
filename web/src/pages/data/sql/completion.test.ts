import { expect, test } from "vitest";
import type { Table } from "@/pages/data/queries";
import { completionsFor, inserted, wordBefore } from "@/pages/data/sql/completion";

const table = (name: string, columns: string[], schema = ""): Table => ({
  name,
  schema,
  comment: "",
  rows: null,
  rows_exact: false,
  is_view: false,
  columns: columns.map((each) => ({
    name: each,
    type: "TEXT",
    kind: "text",
    nullable: true,
    comment: "",
    primary: false,
    references: null,
  })),
});
const TABLES = [table("orders", ["id", "Order Date", "区域"]), table("people", ["id", "name"])];
const plain = (name: string) => ({ label: name, insert: name });
const labels = (sql: string) => completionsFor(sql, sql.length, TABLES, "duckdb").map((each) => each.label);

test("nothing written yet: every table, then every column", () => {
  expect(labels("")).toEqual(["orders", "people", "id", "Order Date", "区域", "id", "name"]);
});

test("the columns of a table that is named come first, and only they", () => {
  expect(labels("SELECT  FROM people WHERE ")).toEqual(["id", "name", "orders", "people"]);
});

test("behind FROM it is a table", () => {
  expect(labels("SELECT * FROM people JOIN ")[0]).toBe("orders");
});

test("letters narrow it down: beginnings before middles, in any language", () => {
  expect(labels("SELECT o")).toEqual(["orders", "Order Date", "people"]);
  expect(labels("SELECT 区")).toEqual(["区域"]);
});

test("a word that begins no name leaves everything on offer, and is kept before it", () => {
  expect(labels("SELECT id FROM people LIMIT")).toEqual(["id", "name", "orders", "people"]);
  expect(inserted("ORDER BY", 8, plain("name"))).toEqual({ sql: "ORDER BY name", cursor: 13 });
});

test("a name is quoted only where it must be", () => {
  const found = completionsFor("SELECT  FROM orders", 7, TABLES, "duckdb");
  expect(found.map((each) => each.insert)).toEqual(["id", '"Order Date"', '"区域"', "orders", "people"]);
  expect(completionsFor("", 0, [table("order", [], "My Shop")], "mysql")[0]?.insert).toBe("`My Shop`.`order`");
});

test("an inserted name takes the place of the word before the cursor", () => {
  expect(inserted("SELECT ord FROM t", 10, plain("orders"))).toEqual({ sql: "SELECT orders FROM t", cursor: 13 });
  expect(inserted('SELECT "Ord" FROM t', 11, { label: "Order Date", insert: '"Order Date"' })).toEqual({
    sql: 'SELECT "Order Date" FROM t',
    cursor: 19,
  });
  expect(wordBefore("SELECT a.", 9)).toBe("");
});
