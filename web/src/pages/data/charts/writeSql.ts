/** A wish over a table as SQL: the engine puts all rows together, and few come back. */
import { groups, measured, measureName, roleOf, type ChartColumn, type Grain, type Wish } from "@/pages/data/charts/wish";

const PLACES_MAX = 1_000;
const CATEGORIES_MAX = 25;
const POINTS_MAX = 5_000;
const STEPS_WANTED = 24;

export interface TableHere {
  schema: string;
  name: string;
  dialect: string;
  columns: ChartColumn[];
}

/** MySQL and MariaDB quote names in their own way. */
export const quoted = (name: string, dialect: string): string =>
  dialect === "mysql" || dialect === "mariadb"
    ? `\`${name.replaceAll("`", "``")}\``
    : `"${name.replaceAll('"', '""')}"`;

export const tableSql = (table: Omit<TableHere, "columns">): string =>
  [table.schema, table.name]
    .filter(Boolean)
    .map((part) => quoted(part, table.dialect))
    .join(".");

export const previewSql = (table: Omit<TableHere, "columns">): string =>
  `SELECT * FROM ${tableSql(table)} LIMIT 200`;

export function sqlFor(wish: Wish, table: TableHere): string {
  const quote = (name: string) => quoted(name, table.dialect);
  const column = table.columns.find((each) => each.name === wish.x);
  const [x, from] = [quote(wish.x), tableSql(table)];
  const colour = wish.colour && wish.colour !== wish.x ? wish.colour : null;
  if (!groups(wish)) {
    const names = [wish.x, wish.y, colour].filter((name): name is string => name !== null);
    const chosen = [...new Set(names)].map(quote).join(", ");
    const known = wish.y ? ` WHERE ${x} IS NOT NULL AND ${quote(wish.y)} IS NOT NULL` : "";
    return `SELECT ${chosen}\nFROM ${from}${known}\nLIMIT ${POINTS_MAX}`;
  }
  const time = wish.grain !== null;
  const number = column !== undefined && roleOf(column) === "number";
  const step = number ? stepFor(column) : null;
  const place = time ? truncated(x, wish.grain ?? "month", table.dialect) : step ? binned(x, step) : x;
  const measure = measured(wish) && wish.y ? `${FUNCTION[wish.aggregate]}(${quote(wish.y)})` : "count(*)";
  const parts = [
    `${place} AS ${x}`,
    ...(colour ? [quote(colour)] : []),
    `${measure} AS ${quote(measureName(wish))}`,
  ];
  const inOrder = time || number;
  return [
    `SELECT ${parts.join(", ")}`,
    `FROM ${from}`,
    ...(inOrder ? [`WHERE ${x} IS NOT NULL`] : []),
    `GROUP BY ${colour ? "1, 2" : "1"}`,
    // By numbers of columns: an alias may be called like the column it is made of.
    `ORDER BY ${inOrder ? "1" : `${colour ? 3 : 2} DESC`}`,
    `LIMIT ${inOrder || colour ? PLACES_MAX : CATEGORIES_MAX}`,
  ].join("\n");
}

const FUNCTION: Record<Wish["aggregate"], string> = {
  count: "count",
  sum: "sum",
  mean: "avg",
  median: "median",
  min: "min",
  max: "max",
};

function truncated(x: string, grain: Grain, dialect: string): string {
  if (dialect !== "mysql" && dialect !== "mariadb") return `date_trunc('${grain}', ${x})`;
  switch (grain) {
    case "year":
      return `DATE_FORMAT(${x}, '%Y-01-01')`;
    case "quarter":
      return `CONCAT(YEAR(${x}), '-', LPAD(QUARTER(${x}) * 3 - 2, 2, '0'), '-01')`;
    case "month":
      return `DATE_FORMAT(${x}, '%Y-%m-01')`;
    case "week":
      return `DATE_SUB(DATE(${x}), INTERVAL WEEKDAY(${x}) DAY)`;
    case "day":
      return `DATE(${x})`;
  }
}

const binned = (x: string, step: number): string => `floor(${x} / ${step}) * ${step}`;

/** A round step of which about twenty-four cover the column; null where each value is its own. */
export function stepFor(column: ChartColumn): number | null {
  const [low, high] = [Number(column.minimum), Number(column.maximum)];
  if (column.minimum === null || column.maximum === null || !(high > low)) return null;
  if (column.kind === "integer" && high - low <= STEPS_WANTED) return null;
  const rough = (high - low) / STEPS_WANTED;
  const unit = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((times) => times * unit).find((each) => each >= rough) ?? rough;
  const exact = Number(step.toPrecision(3));
  return column.kind === "integer" ? Math.max(1, Math.round(exact)) : exact;
}
