/** Columns as charts see them: from a described table, or from the rows of a result. */
import type { Described, Rows } from "@/pages/data/queries";
import type { ChartColumn } from "@/pages/data/charts/wish";

export function columnsOfTable(described: Described): ChartColumn[] {
  const profiles = new Map(described.profile.map((profile) => [profile.name, profile]));
  return described.table.columns.map((column) => {
    const seen = profiles.get(column.name);
    return {
      name: column.name,
      kind: column.kind,
      distinct: seen?.distinct ?? null,
      minimum: seen?.minimum ?? null,
      maximum: seen?.maximum ?? null,
    };
  });
}

/** What the first rows tell, which is enough to choose by. */
export function columnsOfRows(rows: Pick<Rows, "columns" | "rows">): ChartColumn[] {
  return rows.columns.map((column, index) => {
    const values = rows.rows.map((row) => row[index]).filter((value) => value !== null);
    const texts = values.map(String);
    const ordered = values.every((value) => typeof value === "number")
      ? [...(values as number[])].sort((a, b) => a - b).map(String)
      : [...texts].sort();
    return {
      name: column.name,
      kind: column.kind,
      distinct: new Set(texts).size,
      minimum: ordered[0] ?? null,
      maximum: ordered.at(-1) ?? null,
    };
  });
}
