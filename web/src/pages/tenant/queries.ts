import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api, dataOf, type Schemas } from "@/api/client";
import { ApiError } from "@/api/errors";
import { useMe } from "@/api/me";
import { tenantKey } from "@/api/tenant";

type GroupBy = "day" | "run" | "session";

export const useUse = (by: GroupBy, since: string) =>
  useQuery({
    queryKey: ["tenant use", by, since],
    queryFn: async () =>
      (await dataOf(api.GET("/api/v1/usage", { params: { query: { by, since } } }))).usage,
  });

export function useTenantBudgets() {
  const { tenant_id } = useMe();
  return useQuery({
    queryKey: ["budgets", "tenant"],
    queryFn: async () =>
      (await dataOf(api.GET("/api/v1/budgets"))).budgets.filter(
        (each) => each.scope === "tenant" && each.scope_id === tenant_id,
      ),
  });
}

export const useHealth = () =>
  useQuery({
    queryKey: ["health"],
    queryFn: () => dataOf(api.GET("/api/v1/health")),
    refetchInterval: 30_000,
  });

/** Each part by whether it is in order; a server that is not ready says so in its refusal. */
export const useReady = () =>
  useQuery({
    queryKey: ["ready"],
    refetchInterval: 30_000,
    queryFn: async (): Promise<Record<string, string>> => {
      try {
        return (await dataOf(api.GET("/api/v1/ready"))).checks;
      } catch (error) {
        const checks = error instanceof ApiError ? error.details.checks : undefined;
        if (checks && typeof checks === "object") return checks as Record<string, string>;
        throw error;
      }
    },
  });

export function useTenantChange() {
  const { tenant_id } = useMe();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: Schemas["TenantChange"]) =>
      api.PATCH("/api/v1/tenants/{tenant_id}", { params: { path: { tenant_id } }, body }),
    onSettled: () => queries.invalidateQueries({ queryKey: tenantKey }),
  });
}

/** Days are in UTC, as the server counts them. */
export const today = (): string => new Date().toISOString().slice(0, 10);
export const monthBegan = (): string => `${today().slice(0, 8)}01`;
