import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api, dataOf, type Schemas } from "@/api/client";
import { everyPage } from "@/api/paging";

export type KeptRule = Schemas["KeptRuleInfo"];
export type Action = KeptRule["action"];
export const ACTIONS: readonly Action[] = ["allow", "ask", "deny"];
/** The word is always beside the colour. */
export const COLOURS = { allow: "green", ask: "orange", deny: "red" } as const;

const rulesKey = ["permission rules"];

export const useRules = (user_id: string) =>
  useQuery({
    queryKey: [...rulesKey, user_id],
    queryFn: () =>
      everyPage((after) =>
        dataOf(
          api.GET("/api/v1/permissions/rules", {
            params: { query: { after, limit: 100, user_id } },
          }),
        ),
      ),
  });

export const usePolicy = () =>
  useQuery({
    queryKey: ["permission policy"],
    queryFn: () => dataOf(api.GET("/api/v1/permissions/policy")),
  });

export const useExplain = () =>
  useMutation({
    mutationFn: (body: Schemas["ExplainAsked"]) =>
      dataOf(api.POST("/api/v1/permissions/explain", { body })),
  });

export function useRuleActions() {
  const queries = useQueryClient();
  const onSuccess = () => queries.invalidateQueries({ queryKey: rulesKey });
  return {
    write: useMutation({
      mutationFn: (body: Schemas["RuleCreate"]) =>
        dataOf(api.POST("/api/v1/permissions/rules", { body })),
      onSuccess,
    }),
    remove: useMutation({
      mutationFn: (rule_id: string) =>
        api.DELETE("/api/v1/permissions/rules/{rule_id}", { params: { path: { rule_id } } }),
      onSuccess,
    }),
  };
}

export const asText = ({ action, tool, resource }: Schemas["RuleText"] | KeptRule): string =>
  `${action} ${tool} ${resource}`;
