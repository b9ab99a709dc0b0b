/** The sub-agents of the tenant and the project of now; the chat shows their colours. */
import { useQuery } from "@tanstack/react-query";
import { api, dataOf, type Schemas } from "@/api/client";
import { usePreferences } from "@/app/state/preferences";

export type SubAgentInfo = Schemas["SubAgentInfo"];

export const subagentsKey = ["subagents"];

/** Those built in, the tenant's and the project's; of one name the last is used. */
export function useSubAgents() {
  const project_id = usePreferences((state) => state.projectId) ?? undefined;
  return useQuery({
    queryKey: [...subagentsKey, "all", project_id],
    queryFn: async () => (await dataOf(api.GET("/api/v1/subagents", { params: { query: { project_id } } }))).items,
    staleTime: 30_000,
  });
}

/** The colour of a sub-agent that a chat names; undefined while the list is not there. */
export function useSubAgentColour(name: string): string | undefined {
  const { data } = useSubAgents();
  // An override of a built-in one comes in its place.
  const named = data?.filter((each) => each.name === name);
  return (named?.find((each) => !each.is_overridden) ?? named?.[0])?.color;
}
