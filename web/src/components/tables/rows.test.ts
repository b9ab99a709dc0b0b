import { expect, test } from "vitest";
import { cellText, isNumeric } from "@/components/tables/cells";
import { chartRows, fitted } from "@/components/charts/chartSpec";
import { diffCounts, diffLines } from "@/components/diff/diffLines";

test.each([
  [null, undefined, null],
  [2024, "integer", "2024"],
  [0.1 + 0.2, "float", "0.3"],
  ["12345678901234567890.10", "decimal", "12345678901234567890.10"],
  [true, "boolean", "true"],
  ["2024-05-01T10:00:00", "timestamp", "2024-05-01 10:00:00"],
  ["T-shirt", "text", "T-shirt"],
  [{ a: [1] }, "nested", '{"a":[1]}'],
  ["", "text", ""],
])("a cell of %j (%s) reads %j", (value, kind, text) => {
  expect(cellText(value, kind)).toBe(text);
});

test("a column without a kind is numeric when all its values are", () => {
  expect(isNumeric({ name: "a" }, 0, [[1], [null], [2.5]])).toBe(true);
  expect(isNumeric({ name: "a" }, 0, [[1], ["2"]])).toBe(false);
  expect(isNumeric({ name: "a" }, 0, [[null]])).toBe(false);
  expect(isNumeric({ name: "a", kind: "decimal" }, 0, [["1.0"]])).toBe(true);
});

test("a diff keeps lines that look like headers inside a hunk", () => {
  const lines = diffLines("--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n--- rule\n same\n+++ more\n");
  expect(lines.map((line) => line.kind)).toEqual(["hunk", "removed", "same", "added"]);
  expect(diffCounts(lines)).toEqual({ added: 1, removed: 1 });
});

test("a spec brings neither options nor a ground of its own", () => {
  const spec = { mark: "bar", background: "white", usermeta: { embedOptions: {} }, config: { background: "white" } };
  const made = fitted(spec, true);
  expect(made).not.toHaveProperty("usermeta");
  expect(made).toMatchObject({ width: "container", config: { background: "transparent" } });
  expect(fitted({ hconcat: [] }, false)).not.toHaveProperty("width");
});

test("the rows of a chart are its data", () => {
  expect(chartRows({ data: { values: [{ a: 1 }, { a: 2, b: "x" }] } })).toEqual({
    columns: [{ name: "a" }, { name: "b" }],
    rows: [
      [1, undefined],
      [2, "x"],
    ],
  });
});
