/** The requests of the data pages, all in the current project. */
import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api, dataOf, rawFetch, type Schemas } from "@/api/client";
import { everyPage } from "@/api/paging";
import { usePreferences } from "@/app/state/preferences";

export type Source = Schemas["DataSourceInfo"];
export type Table = Schemas["TableInfo"];
export type Rows = Schemas["RowsInfo"];

const TABLES_PAGE = 500;

/** The project as the API takes it. */
export const useProject = (): string | undefined =>
  usePreferences((preferences) => preferences.projectId) ?? undefined;

export function useSources() {
  const project_id = useProject();
  return useQuery({
    queryKey: ["data", "sources", project_id],
    queryFn: async () =>
      (await dataOf(api.GET("/api/v1/data/sources", { params: { query: { project_id } } }))).items,
  });
}

/** The dialect of a source: files are asked in DuckDB's. */
export function useDialect(source: string): string {
  const sources = useSources();
  return sources.data?.find((each) => each.name === source)?.dialect ?? "duckdb";
}

export function useTables(source: string) {
  const project_id = useProject();
  return useQuery({
    queryKey: ["data", "tables", project_id, source],
    queryFn: () =>
      everyPage((after) =>
        dataOf(
          api.GET("/api/v1/data/tables", {
            params: { query: { project_id, source, offset: Number(after ?? 0), limit: TABLES_PAGE } },
          }),
        ),
      ),
    enabled: source !== "",
    staleTime: 60_000,
  });
}

export function useDescribed(source: string, table: string) {
  const project_id = useProject();
  return useQuery({
    queryKey: ["data", "described", project_id, source, table],
    queryFn: () =>
      dataOf(
        api.GET("/api/v1/data/tables/describe", {
          params: { query: { project_id, source, table, profile: true } },
        }),
      ),
    staleTime: 60_000,
  });
}

/** A table as it is described; the client reads the pairs of a profile as plain lists. */
export type Described = NonNullable<ReturnType<typeof useDescribed>["data"]>;

export interface Ask {
  source: string;
  sql: string;
  confirmed?: boolean;
}

export function useRun() {
  const project_id = useProject();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: Ask) =>
      dataOf(api.POST("/api/v1/data/query", { params: { query: { project_id } }, body })),
    onSuccess: () => void queries.invalidateQueries({ queryKey: resultsQuery.queryKey }),
  });
}

/** The rows of a query that the page itself wrote; asked once while it stays the same, and not listed. */
export function useAnswer(ask: Ask | null) {
  const project_id = useProject();
  return useQuery({
    queryKey: ["data", "answer", project_id, ask],
    queryFn: () =>
      dataOf(
        api.POST("/api/v1/data/query", {
          params: { query: { project_id } },
          body: { ...(ask ?? { source: "", sql: "" }), look: true },
        }),
      ),
    enabled: ask !== null,
    staleTime: 5 * 60_000,
    retry: false,
  });
}

export const resultsQuery = queryOptions({
  queryKey: ["data", "results"],
  queryFn: () =>
    everyPage((after) =>
      dataOf(api.GET("/api/v1/data/results", { params: { query: { after, limit: 500 } } })),
    ),
});

export function useChartSpec(resultId: string, spec: Record<string, unknown> | null) {
  return useQuery({
    queryKey: ["data", "chart", resultId, spec],
    queryFn: () =>
      dataOf(
        api.POST("/api/v1/data/results/{result_id}/chart/spec", {
          params: { path: { result_id: resultId } },
          body: spec ? { spec } : {},
        }),
      ),
    // The chart before stays while the next is drawn; another result's chart would be a lie.
    placeholderData: (before, query) => (query?.queryKey[2] === resultId ? before : undefined),
    staleTime: Infinity,
    retry: false,
  });
}

export type PictureFormat = "png" | "svg" | "pdf";

export async function picture(
  resultId: string,
  spec: Record<string, unknown> | null,
  format: PictureFormat,
): Promise<Blob> {
  const answer = await rawFetch(`/api/v1/data/results/${encodeURIComponent(resultId)}/chart`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ format, ...(spec ? { spec } : {}) }),
  });
  return answer.blob();
}
