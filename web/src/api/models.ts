import { useQuery } from "@tanstack/react-query";
import { api, dataOf, type Schemas } from "@/api/client";

export type ModelInfo = Schemas["ModelInfo"];
export type ProviderInfo = Schemas["ProviderInfo"];

export const modelsKey = ["models"];

/** The models runs of this tenant may use, the default first, and their providers. */
export const useModelList = () =>
  useQuery({
    queryKey: modelsKey,
    queryFn: () => dataOf(api.GET("/api/v1/models")),
    staleTime: 60_000,
  });

/** The same for a chat: `default` is its model unless another is chosen. */
export const useModelsFor = (
  assistantId: string | null,
  projectId: string | null,
  wanted: boolean,
) =>
  useQuery({
    queryKey: [...modelsKey, assistantId, projectId],
    queryFn: () => {
      const query = { assistant_id: assistantId, project_id: projectId };
      return dataOf(api.GET("/api/v1/models", { params: { query } }));
    },
    staleTime: 60_000,
    enabled: wanted,
  });
