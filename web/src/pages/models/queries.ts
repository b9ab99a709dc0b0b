import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api, dataOf, type Schemas } from "@/api/client";
import { modelsKey } from "@/api/models";
import { projectsKey } from "@/api/projects";

export type Credential = Schemas["CredentialInfo"];
export type TestAnswer = Schemas["ModelTestAnswer"];

const credentialsKey = ["model credentials"];

export const useCredentials = () =>
  useQuery({
    queryKey: credentialsKey,
    queryFn: async () => (await dataOf(api.GET("/api/v1/model-credentials"))).items,
  });

const of = (provider: string) => ({ params: { path: { provider } } });

export function useCredentialActions() {
  const queries = useQueryClient();
  const again = async () => {
    await queries.invalidateQueries({ queryKey: credentialsKey });
    await queries.invalidateQueries({ queryKey: modelsKey });
  };
  return {
    put: useMutation({
      mutationFn: ({ provider, ...body }: Schemas["CredentialPut"] & { provider: string }) =>
        dataOf(api.PUT("/api/v1/model-credentials/{provider}", { ...of(provider), body })),
      // Also after a conflict: the list then shows the other user's change.
      onSettled: again,
    }),
    remove: useMutation({
      mutationFn: (provider: string) =>
        api.DELETE("/api/v1/model-credentials/{provider}", of(provider)),
      onSuccess: again,
    }),
  };
}

export const useModelTest = () =>
  useMutation({
    mutationFn: (body: Schemas["ModelTestAsked"]) =>
      dataOf(api.POST("/api/v1/models/test", { body })),
  });

export function useFigureActions() {
  const queries = useQueryClient();
  const onSuccess = () => queries.invalidateQueries({ queryKey: modelsKey });
  return {
    put: useMutation({
      mutationFn: (body: Schemas["ModelPut"]) => dataOf(api.PUT("/api/v1/models", { body })),
      onSuccess,
    }),
    remove: useMutation({
      mutationFn: (model: string) =>
        api.DELETE("/api/v1/models", { params: { query: { model } } }),
      onSuccess,
    }),
  };
}

export function useProjectModel() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ project, model }: { project: Schemas["ProjectInfo"]; model: string }) =>
      api.PATCH("/api/v1/projects/{project_id}", {
        params: { path: { project_id: project.project_id } },
        body: { default_model: model, version: project.version },
      }),
    onSettled: () => queries.invalidateQueries({ queryKey: projectsKey }),
  });
}
