import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api, dataOf, type Schemas } from "@/api/client";
import { modelsKey } from "@/api/models";
import { everyPage } from "@/api/paging";

export type Assistant = Schemas["AgentInfo"];

const assistantsKey = ["agents"];

/** Those of the tenant, the one that is always there first; also those that are switched off. */
export const useAssistants = () =>
  useQuery({
    queryKey: assistantsKey,
    queryFn: () =>
      everyPage((after) =>
        dataOf(
          api.GET("/api/v1/agents", {
            params: { query: { kind: "assistant", after, limit: 100 } },
          }),
        ),
      ),
    staleTime: 60_000,
  });

const of = (id: string) => ({ params: { path: { agent_id: id } } });

export function useAssistantActions() {
  const queries = useQueryClient();
  const onSuccess = async () => {
    await queries.invalidateQueries({ queryKey: assistantsKey });
    // What is used by default hangs on the assistant.
    await queries.invalidateQueries({ queryKey: modelsKey });
  };
  return {
    create: useMutation({
      mutationFn: (body: Pick<Schemas["AgentCreate"], "name"> & Partial<Schemas["AgentCreate"]>) =>
        dataOf(api.POST("/api/v1/agents", { body })),
      onSuccess,
    }),
    change: useMutation({
      mutationFn: ({ id, ...body }: Partial<Schemas["AgentUpdate"]> & { id: string }) =>
        dataOf(api.PATCH("/api/v1/agents/{agent_id}", { ...of(id), body })),
      onSuccess,
    }),
    remove: useMutation({
      mutationFn: (id: string) => api.DELETE("/api/v1/agents/{agent_id}", of(id)),
      onSuccess,
    }),
  };
}
