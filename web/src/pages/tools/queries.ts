import { useQuery } from "@tanstack/react-query";
import { api, dataOf, type Schemas } from "@/api/client";
import { usePreferences } from "@/app/state/preferences";

export type Tool = Schemas["ToolInfo"];

/** Asks the MCP servers too, so it may take a moment. */
export const useTools = () => {
  const project_id = usePreferences((state) => state.projectId) ?? undefined;
  return useQuery({
    queryKey: ["tools", project_id],
    queryFn: () => dataOf(api.GET("/api/v1/tools", { params: { query: { project_id } } })),
    staleTime: 30_000,
  });
};
