import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api, dataOf, type Schemas } from "@/api/client";
import { projectsKey } from "@/api/projects";

export type Project = Schemas["ProjectInfo"];

const of = (project_id: string) => ({ params: { path: { project_id } } });

export function useProjectActions() {
  const queries = useQueryClient();
  const onSuccess = () => queries.invalidateQueries({ queryKey: projectsKey });
  return {
    create: useMutation({
      mutationFn: (body: Schemas["ProjectCreate"]) =>
        dataOf(api.POST("/api/v1/projects", { body })),
      onSuccess,
    }),
    change: useMutation({
      mutationFn: ({ id, ...body }: Schemas["ProjectChange"] & { id: string }) =>
        dataOf(api.PATCH("/api/v1/projects/{project_id}", { ...of(id), body })),
      // Also after a conflict: the list then shows the other user's change.
      onSettled: onSuccess,
    }),
    remove: useMutation({
      mutationFn: (id: string) => api.DELETE("/api/v1/projects/{project_id}", of(id)),
      onSuccess,
    }),
  };
}
