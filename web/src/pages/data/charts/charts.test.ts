import { expect, test } from "vitest";
import { chooseWish, grainFor } from "@/pages/data/charts/chooseWish";
import { columnsOfRows } from "@/pages/data/charts/columns";
import type { ChartColumn, Wish } from "@/pages/data/charts/wish";
import { specFor } from "@/pages/data/charts/writeSpec";
import { quoted, sqlFor, stepFor } from "@/pages/data/charts/writeSql";

const column = (name: string, kind: string, more: Partial<ChartColumn> = {}): ChartColumn => ({
  name,
  kind,
  distinct: null,
  minimum: null,
  maximum: null,
  ...more,
});
const table = (columns: ChartColumn[], dialect = "duckdb") => ({ schema: "", name: "t", dialect, columns });
const WORDS = { measure: "m", title: "auto" };
const chosen = (columns: ChartColumn[]): Wish => {
  const wish = chooseWish(columns);
  if (!wish) throw new Error("nothing was chosen");
  return wish;
};

const SALES = [
  column("order id", "integer", { distinct: 50_000 }),
  column("Order Date", "date", { distinct: 700, minimum: "2024-01-01", maximum: "2025-11-30" }),
  column("区域", "text", { distinct: 4 }),
  column("units", "integer", { distinct: 9 }),
  column("Amount, EUR", "float", { distinct: 900 }),
];

test("a table with a time becomes a line of its best number, never of its ids", () => {
  expect(chosen(SALES)).toMatchObject({
    mark: "line",
    x: "Order Date",
    grain: "month",
    y: "Amount, EUR",
    aggregate: "sum",
  });
});

test("without a time, the category with few values is grouped by", () => {
  const wish = chosen([
    column("note", "text", { distinct: 9_000 }),
    column("region", "text", { distinct: 4 }),
    column("conversion rate", "float"),
  ]);
  expect(wish).toMatchObject({ mark: "bar", x: "region", y: "conversion rate", aggregate: "mean" });
});

test("two numbers alone are points, one is a histogram, nothing is nothing", () => {
  expect(chosen([column("a", "float"), column("b", "float")])).toMatchObject({ mark: "point", x: "a", y: "b" });
  expect(chosen([column("a", "float")])).toMatchObject({ mark: "bar", x: "a", y: null, aggregate: "count" });
  expect(chooseWish([column("picture", "binary")])).toBeNull();
  expect(chooseWish([])).toBeNull();
});

test("a category without a number counts rows", () => {
  expect(chosen([column("id", "integer"), column("city", "text", { distinct: 12 })])).toMatchObject({
    x: "city",
    y: null,
    aggregate: "count",
  });
});

test.each([
  ["2025-01-01", "2025-01-20", "day"],
  ["2025-01-01", "2025-12-31", "month"],
  ["1950-01-01", "2025-12-31", "quarter"],
  ["1800-01-01", "2025-12-31", "year"],
  [null, null, "month"],
])("from %s to %s a step is a %s", (minimum, maximum, grain) => {
  expect(grainFor(column("at", "date", { minimum, maximum }))).toBe(grain);
});

test("names are quoted as each dialect does, whatever is in them", () => {
  expect(quoted('a "b"', "duckdb")).toBe('"a ""b"""');
  expect(quoted("a `b`", "mysql")).toBe("`a ``b```");
});

test("SQL puts all rows together and lets few come back", () => {
  const sql = sqlFor(chosen(SALES), table(SALES));
  expect(sql).toBe(
    [
      `SELECT date_trunc('month', "Order Date") AS "Order Date", sum("Amount, EUR") AS "sum of Amount, EUR"`,
      `FROM "t"`,
      `WHERE "Order Date" IS NOT NULL`,
      "GROUP BY 1",
      "ORDER BY 1",
      "LIMIT 1000",
    ].join("\n"),
  );
});

test("MySQL has no date_trunc", () => {
  const sql = sqlFor(chosen(SALES), table(SALES, "mysql"));
  expect(sql).toContain("DATE_FORMAT(`Order Date`, '%Y-%m-01') AS `Order Date`");
});

test("a second column colours, the same one does not", () => {
  const wish = { ...chosen(SALES), colour: "区域" };
  expect(sqlFor(wish, table(SALES))).toContain('"区域", sum(');
  expect(sqlFor({ ...wish, colour: wish.x }, table(SALES))).toContain("GROUP BY 1\n");
});

test("numbers along the axis are cut into round steps", () => {
  expect(stepFor(column("a", "float", { minimum: "0", maximum: "100" }))).toBe(5);
  expect(stepFor(column("a", "integer", { minimum: "0", maximum: "1000000" }))).toBe(50_000);
  expect(stepFor(column("a", "integer", { minimum: "1", maximum: "12" }))).toBeNull();
  expect(stepFor(column("a", "float"))).toBeNull();
  const columns = [column("a", "float", { minimum: "0", maximum: "100" })];
  expect(sqlFor(chosen(columns), table(columns))).toContain('floor("a" / 5) * 5 AS "a", count(*)');
});

test("points are rows as they are", () => {
  const columns = [column("a", "float"), column("b", "float")];
  expect(sqlFor(chosen(columns), table(columns))).toMatch(/^SELECT "a", "b"\nFROM "t" WHERE .*\nLIMIT 5000$/);
});

test("a spec names what SQL made, or lets Vega put it together", () => {
  const wish = chosen(SALES);
  expect(specFor(wish, SALES, true, WORDS)).toMatchObject({
    title: "auto",
    encoding: { x: { field: "Order Date", type: "temporal" }, y: { field: "sum of Amount, EUR", title: "m" } },
  });
  expect(specFor({ ...wish, title: " Mine " }, SALES, false, WORDS)).toMatchObject({
    title: "Mine",
    encoding: { x: { timeUnit: "yearmonth" }, y: { field: "Amount, EUR", aggregate: "sum" } },
  });
});

test("a pie has slices instead of axes", () => {
  const spec = specFor({ ...chosen(SALES), mark: "arc", x: "区域", grain: null }, SALES, true, WORDS);
  expect(spec.encoding).toMatchObject({ theta: { type: "quantitative" }, color: { field: "区域" } });
});

test("columns of a result are known by its first rows", () => {
  const columns = columnsOfRows({
    columns: [{ name: "n", type: "BIGINT", kind: "integer" }],
    rows: [[10], [9], [null], [10]],
  });
  expect(columns).toEqual([{ name: "n", kind: "integer", distinct: 2, minimum: "9", maximum: "10" }]);
});
