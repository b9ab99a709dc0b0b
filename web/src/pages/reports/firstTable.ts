/** A table that is there, so that a template is about something real. */
import { useQuery } from "@tanstack/react-query";
import { api, dataOf } from "@/api/client";

export const useFirstTable = (project_id: string | undefined) =>
  useQuery({
    queryKey: ["reports", "first table", project_id],
    queryFn: async () => {
      const { items } = await dataOf(api.GET("/api/v1/data/sources", { params: { query: { project_id } } }));
      const source = items[0]?.name;
      if (!source) return null;
      const tables = await dataOf(
        api.GET("/api/v1/data/tables", { params: { query: { project_id, source, limit: 100 } } }),
      );
      // The largest one is what people mean by "the data".
      const [table] = [...tables.items].sort((a, b) => (b.rows ?? 0) - (a.rows ?? 0));
      return table ? { source, table: table.name } : null;
    },
    retry: false,
    staleTime: 60_000,
  });
