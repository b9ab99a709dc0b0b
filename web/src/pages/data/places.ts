/** The addresses inside this page. A source may be a path, so it stands in the query. */
import type { Schemas } from "@/api/client";

type Table = Pick<Schemas["TableInfo"], "name" | "schema">;

const withQuery = (path: string, values: Record<string, string | undefined>): string => {
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(values)) if (value) query.set(key, value);
  const text = query.toString();
  return text ? `${path}?${text}` : path;
};

/** How the API is asked for a table. */
export const tableName = (table: Table): string =>
  table.schema ? `${table.schema}.${table.name}` : table.name;

export const SOURCES = "/data";
export const QUESTIONS = "/data/questions";
export const RESULTS = "/data/results";
export const METRICS = "/data/metrics";
export const SQL = "/data/sql";

export const sourceLink = (source: string): string => withQuery("/data/source", { source });

export const tableLink = (source: string, table: string, tab?: string): string =>
  withQuery("/data/table", { source, table, tab });

export const sqlLink = (source: string, sql?: string): string => withQuery(SQL, { source, sql });

export const questionLink = (questionId: string): string => withQuery(SQL, { question: questionId });

export const resultLink = (resultId: string): string => withQuery(RESULTS, { result: resultId });

/** The file name of a path; the folder is shown once, elsewhere. */
export const shownSource = (source: string): string =>
  source.startsWith("/") ? (source.split("/").at(-1) ?? source) : source;
