import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api, dataOf, type Schemas } from "@/api/client";
import { subagentsKey, type SubAgentInfo } from "@/api/subagents";
import { usePreferences } from "@/app/state/preferences";
import type { SubAgentBody } from "@/pages/subagents/form/fields";

const LOOK_MS = 1_500;
const PAGE = 50;

export type Stats = Schemas["SubAgentStats"];

export type Activity = Schemas["ActivityInfo"];

const of = (subagent_id: string) => ({ params: { path: { subagent_id } } });

export const useSubAgent = (id: string) =>
  useQuery({
    queryKey: [...subagentsKey, id],
    queryFn: () => dataOf(api.GET("/api/v1/subagents/{subagent_id}", of(id))),
    enabled: id !== "",
  });

export const useStats = (id: string) =>
  useQuery({
    queryKey: [...subagentsKey, id, "stats"],
    queryFn: () => dataOf(api.GET("/api/v1/subagents/{subagent_id}/stats", of(id))),
  });

/** The newest first, a page at a time; looked at again while one is under way. */
export const useActivities = (agent_id: string, watchedRun?: string) =>
  useInfiniteQuery({
    queryKey: [...subagentsKey, agent_id, "activities"],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam }) =>
      dataOf(
        api.GET("/api/v1/agents/{agent_id}/activities", {
          params: { path: { agent_id }, query: { limit: PAGE, after: pageParam } },
        }),
      ),
    getNextPageParam: (page) => page.next ?? undefined,
    select: ({ pages }) => pages.flatMap((page) => page.items),
    refetchInterval: ({ state: { data } }) => {
      const all = data?.pages.flatMap((page) => page.items);
      const ended = all?.some((each) => each.run_id === watchedRun && each.completed_at !== null);
      const isGoing = watchedRun === undefined ? all?.some((each) => each.completed_at === null) : !ended;
      return isGoing ? LOOK_MS : false;
    },
  });

export const useInvoke = (agent_id: string) => {
  const queries = useQueryClient();
  const project_id = usePreferences((state) => state.projectId);
  return useMutation({
    mutationFn: (message: string) =>
      dataOf(
        api.POST("/api/v1/agents/{agent_id}/invoke", { params: { path: { agent_id } }, body: { message, project_id } }),
      ),
    onSettled: () => queries.invalidateQueries({ queryKey: [...subagentsKey, agent_id] }),
  });
};

export function useSubAgentActions(onSwitched?: (agent: SubAgentInfo) => void) {
  const queries = useQueryClient();
  const onSuccess = () => queries.invalidateQueries({ queryKey: subagentsKey });
  return {
    create: useMutation({
      mutationFn: (body: SubAgentBody) => dataOf(api.POST("/api/v1/subagents", { body })),
      onSuccess,
    }),
    replace: useMutation({
      mutationFn: ({ id, body }: { id: string; body: SubAgentBody }) => {
        // Whose it is stays as it was.
        const { project_id: _project, ...rest } = body;
        return dataOf(api.PUT("/api/v1/subagents/{subagent_id}", { ...of(id), body: rest }));
      },
      onSuccess,
    }),
    enable: useMutation({
      mutationFn: ({ id, enabled }: Pick<SubAgentInfo, "id" | "enabled">) =>
        dataOf(api.PATCH("/api/v1/subagents/{subagent_id}/enable", { ...of(id), body: { enabled } })),
      // Of a built-in one another one comes back: the tenant's copy that is off, or itself instead of the copy.
      onSuccess: onSwitched,
      onSettled: onSuccess,
    }),
    remove: useMutation({
      mutationFn: (id: string) => api.DELETE("/api/v1/subagents/{subagent_id}", of(id)),
      onSuccess,
    }),
  };
}

export function useServerNames() {
  const project_id = usePreferences((state) => state.projectId) ?? undefined;
  return useQuery({
    queryKey: ["mcp", "servers", project_id],
    queryFn: async () => (await dataOf(api.GET("/api/v1/mcp/servers", { params: { query: { project_id } } }))).items,
    select: (servers) => [...new Set(servers.map((server) => server.name))],
  });
}
