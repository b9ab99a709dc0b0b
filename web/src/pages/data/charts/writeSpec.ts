/** A wish as Vega-Lite without data; the server adds the rows and looks at every key. */
import { groups, measured, measureName, roleOf, type ChartColumn, type Wish } from "@/pages/data/charts/wish";

type Spec = Record<string, unknown>;

/** What a person reads on the chart, in their language. */
export interface Words {
  measure: string;
  title: string;
}

const BINS_MAX = 24;
const SORTED_UP_TO = 25;
const UPRIGHT_UP_TO = 6;

/** `together`: the rows were put together by SQL already, one for each place. */
export function specFor(wish: Wish, columns: ChartColumn[], together: boolean, words: Words): Spec {
  const x = placeOf(wish, columns, together);
  const y = { ...measureOf(wish, together), title: words.measure };
  const colour = wish.colour ? { color: { field: wish.colour, type: "nominal" } } : {};
  const title = { title: wish.title.trim() || words.title };
  if (wish.mark === "arc") {
    const slice = { field: wish.x, type: "nominal", title: wish.x };
    return { ...title, mark: { type: "arc", tooltip: true }, encoding: { theta: y, color: slice } };
  }
  const mark = { type: wish.mark, tooltip: true, ...(wish.mark === "line" ? { point: true } : {}) };
  return { ...title, mark, encoding: { x, y, ...colour } };
}

function placeOf(wish: Wish, columns: ChartColumn[], together: boolean): Spec {
  const column = columns.find((each) => each.name === wish.x);
  const role = column ? roleOf(column) : "category";
  const named = { field: wish.x, title: wish.x };
  if (wish.mark === "point" && role === "number") return { ...named, type: "quantitative" };
  if (role === "time") {
    const unit = !together && groups(wish) && wish.grain ? { timeUnit: TIME_UNIT[wish.grain] } : {};
    return { ...named, type: "temporal", ...unit };
  }
  if (role === "number") {
    // Bars of SQL's own steps stand side by side; Vega cuts them itself where SQL did not.
    if (together) return { ...named, type: "ordinal", axis: { labelOverlap: true } };
    return { ...named, type: "quantitative", ...(wish.mark === "bar" ? { bin: { maxbins: BINS_MAX } } : {}) };
  }
  const few = (column?.distinct ?? 0) <= SORTED_UP_TO;
  const sorted = groups(wish) && few && wish.mark === "bar" ? { sort: "-y" } : {};
  // A few names fit side by side; many are easier to read leaning.
  const labelAngle = (column?.distinct ?? UPRIGHT_UP_TO + 1) <= UPRIGHT_UP_TO ? 0 : -40;
  return { ...named, type: "nominal", ...sorted, axis: { labelLimit: 120, labelAngle } };
}

const TIME_UNIT = {
  year: "year",
  quarter: "yearquarter",
  month: "yearmonth",
  week: "yearweek",
  day: "yearmonthdate",
} as const;

function measureOf(wish: Wish, together: boolean): Spec {
  if (together && groups(wish)) return { field: measureName(wish), type: "quantitative" };
  if (!measured(wish) || wish.y === null) return { aggregate: "count", type: "quantitative" };
  const how = groups(wish) ? { aggregate: wish.aggregate } : {};
  return { field: wish.y, type: "quantitative", ...how };
}
