import { useMutation } from "@tanstack/react-query";
import { api, dataOf, type Schemas } from "@/api/client";
import { usePreferences } from "@/app/state/preferences";

export type Route = Schemas["SubAgentMatch"];

export function useRoute() {
  const project_id = usePreferences((state) => state.projectId);
  return useMutation({
    mutationFn: (message: string) => dataOf(api.POST("/api/v1/subagents/match", { body: { message, project_id } })),
  });
}
