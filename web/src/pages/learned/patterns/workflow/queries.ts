import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api, dataOf, type Schemas } from "@/api/client";
import { patternsKey } from "@/api/learned/patterns";
import { usePreferences } from "@/app/state/preferences";

export type Workflow = Schemas["WorkflowInfo"];
export type WorkflowContent = Workflow | Schemas["WorkflowDraft"];
export type WorkflowInput = Workflow["inputs"][number];

const of = (pattern_id: string) => ({ params: { path: { pattern_id } } });
const PLACE = "/api/v1/agent/patterns/{pattern_id}/workflow";

export const useWorkflow = (id: string) =>
  useQuery({
    queryKey: [...patternsKey, id, "workflow"],
    queryFn: () => dataOf(api.GET(PLACE, of(id))),
  });

/** Checked while it is written; the last answer stays until the next is there. */
export const useWorkflowCheck = (id: string, text: string) =>
  useQuery({
    queryKey: [...patternsKey, id, "workflow", "check", text],
    queryFn: () => dataOf(api.POST(`${PLACE}/check`, { ...of(id), body: { text } })),
    placeholderData: keepPreviousData,
    retry: false,
    gcTime: 0,
  });

/** What a person gives to the inputs. */
export type Given = Record<string, string | number>;

export function useWorkflowActions(id: string) {
  const queries = useQueryClient();
  const project_id = usePreferences((state) => state.projectId);
  const onSuccess = () => queries.invalidateQueries({ queryKey: patternsKey });
  return {
    /** Stores nothing. */
    compile: useMutation({ mutationFn: () => dataOf(api.POST(`${PLACE}/compile`, of(id))) }),
    store: useMutation({
      mutationFn: (body: { text: string; version: number }) => dataOf(api.PUT(PLACE, { ...of(id), body })),
      onSuccess,
      onError: onSuccess, // who was refused sees what there is now
    }),
    remove: useMutation({ mutationFn: () => api.DELETE(PLACE, of(id)), onSuccess }),
    run: useMutation({
      mutationFn: (inputs: Given) =>
        dataOf(api.POST(`${PLACE}/run`, { ...of(id), body: { inputs, project_id } })),
    }),
  };
}
