/** The default chart for a table. */
import { roleOf, type Aggregate, type ChartColumn, type Grain, type Wish } from "@/pages/data/charts/wish";

const CATEGORIES_GOOD_MAX = 30;
const COLOURS_MAX = 8;
const POINTS_MAX = 400;
const DAY_MS = 86_400_000;
const GRAIN_DAYS: [Grain, number][] = [
  ["day", 1],
  ["week", 7],
  ["month", 30],
  ["quarter", 91],
];

/** Numbers that only name something are not added up. */
const NAMES_SOMETHING =
  /(^|[_\s-])(id|uuid|key|code|no|nr|zip|postcode|phone|year|month|day|lat|lon|lng|latitude|longitude)$|[a-z]Id$|编号|代码|号码?$|年份?$|月份?$|邮编|电话/i;
const ADDS_UP =
  /amount|revenue|sales|total|price|cost|sum|profit|value|quantity|qty|units|count|金额|收入|销售|总|价|成本|利润|数量|额/i;
const IS_A_RATE = /rate|ratio|percent|pct|avg|average|mean|score|age|temperature|率|比例|平均|评分|年龄|温度/i;

export function chooseWish(columns: ChartColumn[]): Wish | null {
  const measure = bestMeasure(columns);
  const time = columns.find((column) => roleOf(column) === "time" && column.distinct !== 1);
  const category = bestCategory(columns);
  const wish: Wish = {
    mark: "bar",
    x: "",
    grain: null,
    y: measure?.name ?? null,
    aggregate: measure ? aggregateFor(measure.name) : "count",
    colour: null,
    title: "",
  };
  if (time) {
    const grain = grainFor(time);
    return { ...wish, mark: "line", x: time.name, grain };
  }
  if (category) return { ...wish, x: category.name };
  const numbers = columns.filter((column) => roleOf(column) === "number");
  const [first, second] = numbers.filter((column) => !NAMES_SOMETHING.test(column.name));
  if (first && second) return { ...wish, mark: "point", x: first.name, y: second.name };
  const alone = first ?? numbers[0];
  // One number alone: how often its values occur.
  if (alone) return { ...wish, x: alone.name, y: null, aggregate: "count" };
  return null;
}

/** The finest step that leaves few enough points to read. */
export function grainFor(column: ChartColumn): Grain {
  const [from, to] = [Date.parse(column.minimum ?? ""), Date.parse(column.maximum ?? "")];
  if (Number.isNaN(from) || Number.isNaN(to)) return "month";
  const days = (to - from) / DAY_MS;
  const pleasant = days > 90 ? GRAIN_DAYS.slice(2) : GRAIN_DAYS;
  return pleasant.find(([, each]) => days / each <= POINTS_MAX)?.[0] ?? "year";
}

export const aggregateFor = (name: string): Aggregate =>
  IS_A_RATE.test(name) && !/total|总/i.test(name) ? "mean" : "sum";

function bestMeasure(columns: ChartColumn[]): ChartColumn | undefined {
  const numbers = columns.filter(
    (column) => roleOf(column) === "number" && !NAMES_SOMETHING.test(column.name),
  );
  return (
    numbers.find((column) => ADDS_UP.test(column.name) && column.kind !== "integer") ??
    numbers.find((column) => ADDS_UP.test(column.name)) ??
    numbers.find((column) => column.kind !== "integer") ??
    numbers[0]
  );
}

/** Few values, but more than one: what people group by. The fewest of the readable ones wins. */
function bestCategory(columns: ChartColumn[]): ChartColumn | undefined {
  const categories = columns.filter((column) => roleOf(column) === "category");
  const known = categories.filter((column) => (column.distinct ?? 0) > 1);
  const good = known.filter((column) => (column.distinct ?? 0) <= CATEGORIES_GOOD_MAX);
  const named = good.find((column) => (column.distinct ?? 0) > 2) ?? good[0];
  return named ?? known.sort((a, b) => (a.distinct ?? 0) - (b.distinct ?? 0))[0] ?? categories[0];
}

/** Which columns can colour the marks without a legend of a hundred lines. */
export const colourable = (columns: ChartColumn[]): ChartColumn[] =>
  columns.filter(
    (column) =>
      roleOf(column) === "category" && (column.distinct === null || column.distinct <= COLOURS_MAX * 4),
  );
