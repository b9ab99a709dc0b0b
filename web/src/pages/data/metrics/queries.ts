import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api, dataOf, type Schemas } from "@/api/client";
import { useProject } from "@/pages/data/queries";

export function useModel() {
  const project_id = useProject();
  return useQuery({
    queryKey: ["data", "model", project_id],
    queryFn: () => dataOf(api.GET("/api/v1/data/model", { params: { query: { project_id } } })),
  });
}

export function useSaveModel() {
  const project_id = useProject();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: Schemas["SemanticModelPut"]) =>
      dataOf(api.PUT("/api/v1/data/model", { params: { query: { project_id } }, body })),
    onSuccess: () => queries.invalidateQueries({ queryKey: ["data"] }),
  });
}

/** The metrics and dimensions that can be asked, found in the catalogue. */
export function useMetricNames() {
  const project_id = useProject();
  return useQuery({
    queryKey: ["data", "metrics", project_id],
    // Without words the catalogue begins with what the model says.
    queryFn: async () => {
      const found = await dataOf(
        api.GET("/api/v1/data/search", { params: { query: { project_id, query: "", limit: 50 } } }),
      );
      const named = (kind: string) => found.items.filter((each) => each.kind === kind).map((each) => each.name);
      return { metrics: named("metric"), dimensions: named("dimension") };
    },
  });
}

export function useAskMetric() {
  const project_id = useProject();
  return useMutation({
    mutationFn: (body: Schemas["MetricAsked"]) =>
      dataOf(api.POST("/api/v1/data/metrics/query", { params: { query: { project_id } }, body })),
  });
}

export function useTestQuestions() {
  const project_id = useProject();
  return useMutation({
    mutationFn: () => dataOf(api.POST("/api/v1/data/test", { params: { query: { project_id } } })),
  });
}
