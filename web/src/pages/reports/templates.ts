/** Definitions to start from. They are text: JSON strings are YAML too, so nothing has to be escaped twice. */
import type { Schemas } from "@/api/client";

type Question = Pick<Schemas["DataQuestionInfo"], "name" | "source" | "sql" | "chart">;

const text = (value: string): string => JSON.stringify(value);

/** SQL as a block of lines; text that a block cannot hold is quoted. */
function lines(sql: string, indent: string): string {
  const written = sql.trim();
  if (/[^\P{Cc}\n\t]/u.test(written)) return text(written);
  return `|-\n${written
    .split("\n")
    .map((line) => (line ? indent + line : ""))
    .join("\n")}`;
}

export function fromQuestion(question: Question): string {
  const chart = question.chart
    ? [`- type: chart`, `  query: answer`, `  spec: ${JSON.stringify(question.chart)}`]
    : [`- type: chart`, `  query: answer`];
  return [
    `title: ${text(question.name)}`,
    `queries:`,
    `  answer:`,
    `    source: ${text(question.source)}`,
    `    sql: ${lines(question.sql, "      ")}`,
    `blocks:`,
    ...chart,
    `- type: table`,
    `  query: answer`,
    `  rows_max: 50`,
    ``,
  ].join("\n");
}

interface Told {
  title: string;
  intro: string;
  source: string;
  table: string;
}

export const blank = ({ title, intro }: Told): string =>
  [`title: ${text(title)}`, `blocks:`, `- type: text`, `  markdown: ${text(intro)}`, ``].join("\n");

export const overview = ({ title, intro, source, table }: Told): string =>
  [
    `title: ${text(title)}`,
    `parameters:`,
    `  rows: {type: number, default: 20, description: "rows in the table"}`,
    `queries:`,
    `  total:`,
    `    source: ${text(source)}`,
    `    sql: SELECT count(*) AS n FROM ${table}`,
    `  newest:`,
    `    source: ${text(source)}`,
    `    sql: SELECT * FROM ${table} LIMIT {{rows}}`,
    `blocks:`,
    `- type: text`,
    `  markdown: ${text(intro)}`,
    `- {type: figure, query: total, label: ${text(table)}, column: n}`,
    `- {type: chart, query: newest}`,
    `- {type: table, query: newest}`,
    ``,
  ].join("\n");
