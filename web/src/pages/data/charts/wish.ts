/** A chart request: the columns and their roles, and how rows are aggregated. */
export const MARKS = ["bar", "line", "area", "point", "arc"] as const;
export type Mark = (typeof MARKS)[number];

export const AGGREGATES = ["count", "sum", "mean", "median", "min", "max"] as const;
export type Aggregate = (typeof AGGREGATES)[number];

export const GRAINS = ["year", "quarter", "month", "week", "day"] as const;
export type Grain = (typeof GRAINS)[number];

export interface Wish {
  mark: Mark;
  x: string;
  /** How wide a step of time is; null for what is no time. */
  grain: Grain | null;
  /** null counts rows. */
  y: string | null;
  aggregate: Aggregate;
  colour: string | null;
  title: string;
}

export type Role = "time" | "number" | "category" | "other";

/** A column as a chart sees it; what is not known of its values is null. */
export interface ChartColumn {
  name: string;
  kind: string;
  distinct: number | null;
  minimum: string | null;
  maximum: string | null;
}

const ROLES: Record<string, Role> = {
  date: "time",
  timestamp: "time",
  integer: "number",
  decimal: "number",
  float: "number",
  text: "category",
  boolean: "category",
  time: "category",
};

export const roleOf = (column: Pick<ChartColumn, "kind">): Role => ROLES[column.kind] ?? "other";

/** Points show each row as it is; everything else puts rows together. */
export const groups = (wish: Wish): boolean => wish.mark !== "point";

export const measured = (wish: Wish): boolean =>
  wish.y !== null && (wish.aggregate !== "count" || !groups(wish));

/** What a number is called: "sum of amount", or the column itself where nothing is put together. */
export const measureName = (wish: Wish): string => {
  if (!measured(wish) || wish.y === null) return "count";
  return groups(wish) ? `${wish.aggregate} of ${wish.y}` : wish.y;
};
