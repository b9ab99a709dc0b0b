import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api, dataOf, type Schemas } from "@/api/client";
import { subagentsKey } from "@/api/subagents";

export type Defaults = Schemas["AgentConfigInfo"];

const defaultsKey = [...subagentsKey, "defaults"];

export const useDefaults = () =>
  useQuery({ queryKey: defaultsKey, queryFn: () => dataOf(api.GET("/api/v1/tenant/agent-config")) });

export function useSaveDefaults() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: Defaults) => dataOf(api.PUT("/api/v1/tenant/agent-config", { body })),
    // What a sub-agent shows depends on them.
    onSuccess: () => queries.invalidateQueries({ queryKey: subagentsKey }),
  });
}
