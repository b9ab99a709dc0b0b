import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api, dataOf, type Schemas } from "@/api/client";
import { everyPage } from "@/api/paging";
import { usePreferences } from "@/app/state/preferences";

export type Composition = Schemas["ToolCompositionInfo"];
export type Member = Schemas["CompositionMemberInfo"];
export type Proposal = Schemas["CompositionProposalInfo"];
export type CompositionBody = Required<Schemas["ToolCompositionCreate"]>;

const compositionsKey = ["compositions"];

const of = (composition_id: string) => ({ params: { path: { composition_id } } });

/** The tenant's and those of the project of now, the oldest first. */
export function useCompositions() {
  const project_id = usePreferences((state) => state.projectId) ?? undefined;
  return useQuery({
    queryKey: [...compositionsKey, "all", project_id],
    queryFn: () =>
      everyPage((after) =>
        dataOf(api.GET("/api/v1/tool-compositions", { params: { query: { project_id, after, limit: 100 } } })),
      ),
  });
}

export const useComposition = (id: string) =>
  useQuery({
    queryKey: [...compositionsKey, id],
    queryFn: () => dataOf(api.GET("/api/v1/tool-compositions/{composition_id}", of(id))),
  });

export const useMembers = (id: string) =>
  useQuery({
    queryKey: [...compositionsKey, id, "members"],
    queryFn: async () =>
      (await dataOf(api.GET("/api/v1/tool-compositions/{composition_id}/members", of(id)))).members,
  });

/** Checked while it is written; the last answer stays until the next is there. */
export const useProblems = (body: CompositionBody | null) =>
  useQuery({
    queryKey: [...compositionsKey, "validate", body],
    queryFn: async () =>
      body ? (await dataOf(api.POST("/api/v1/tool-compositions/validate", { body }))).problems : [],
    enabled: body !== null,
    placeholderData: keepPreviousData,
    gcTime: 0,
  });

export const useProposal = (id: string) =>
  useMutation({
    mutationFn: () => dataOf(api.POST("/api/v1/tool-compositions/{composition_id}/optimize", of(id))),
  });

export function useCompositionActions() {
  const queries = useQueryClient();
  const onSuccess = () => queries.invalidateQueries({ queryKey: compositionsKey });
  return {
    create: useMutation({
      mutationFn: (body: CompositionBody) => dataOf(api.POST("/api/v1/tool-compositions", { body })),
      onSuccess,
    }),
    change: useMutation({
      mutationFn: ({ id, body }: { id: string; body: Schemas["ToolCompositionChange"] }) =>
        dataOf(api.PUT("/api/v1/tool-compositions/{composition_id}", { ...of(id), body })),
      onSuccess,
    }),
    remove: useMutation({
      mutationFn: (id: string) => api.DELETE("/api/v1/tool-compositions/{composition_id}", of(id)),
      onSuccess,
    }),
  };
}
