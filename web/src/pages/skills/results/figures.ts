/** The report of a test run in the figures one skill's page shows. Pure. */
import type { Schemas } from "@/api/client";

export type EvalReport = Schemas["SkillEvalReport"];
export type Miss = EvalReport["misses"][number];

export interface Confusion {
  /** Skills prompts were meant for. */
  rows: string[];
  /** Skills they loaded. */
  columns: string[];
  count: (row: string, column: string) => number;
}

interface Figures {
  recall: number | null;
  precision: number | null;
  prompts: number;
  misses: Miss[];
  matrix: Confusion;
}

export function figuresOf(report: EvalReport, name: string): Figures {
  const own = report.skills.find((each) => each.name === name);
  const rows = Object.keys(report.confusion);
  const columns = [...new Set([...rows, ...rows.flatMap((row) => Object.keys(report.confusion[row] ?? {}))])];
  return {
    recall: own ? own.recall : report.recall,
    precision: own ? own.precision : report.precision,
    // Those that should load it and those that should not.
    prompts: report.prompts,
    misses: report.misses,
    matrix: { rows, columns, count: (row, column) => report.confusion[row]?.[column] ?? 0 },
  };
}
