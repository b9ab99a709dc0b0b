import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api, dataOf, type Schemas } from "@/api/client";
import type { operations } from "@/api/schema";

export type Usage = Schemas["UsageInfo"];
/** The server keeps what was set here, so its texts are those that can be set. */
export type BudgetKey = Pick<Schemas["BudgetChange"], "scope" | "scope_id" | "period">;
export type Budget = Omit<Schemas["BudgetInfo"], keyof BudgetKey> & BudgetKey;
export type By = NonNullable<NonNullable<operations["report_usage"]["parameters"]["query"]>["by"]>;

interface Wish {
  by: By;
  since: string;
  until: string;
  project_id?: string;
}

const DAYS_MAX = 100;

export const useUsage = (wish: Wish) =>
  useInfiniteQuery({
    queryKey: ["usage", wish],
    queryFn: ({ pageParam }) =>
      dataOf(
        api.GET("/api/v1/usage", { params: { query: { ...wish, after: pageParam, limit: DAYS_MAX } } }),
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_after ?? undefined,
    placeholderData: (before) => before,
  });

export const useBudgets = () =>
  useQuery({
    queryKey: ["budgets"],
    queryFn: async () => (await dataOf(api.GET("/api/v1/budgets"))).budgets as Budget[],
  });

export function useBudgetActions() {
  const queries = useQueryClient();
  const done = () =>
    Promise.all([
      queries.invalidateQueries({ queryKey: ["budgets"] }),
      queries.invalidateQueries({ queryKey: ["requests"] }),
    ]);
  const set = useMutation({
    mutationFn: (body: Schemas["BudgetChange"]) => dataOf(api.PUT("/api/v1/budgets", { body })),
    onSuccess: done,
  });
  const remove = useMutation({
    mutationFn: ({ scope, scope_id, period }: BudgetKey) =>
      dataOf(
        api.DELETE("/api/v1/budgets", {
          params: { query: { scope, scope_id, period } },
        }),
      ),
    onSettled: done,
  });
  const answer = useMutation({
    mutationFn: ({ id, type }: { id: string; type: "approve" | "reject" }) =>
      dataOf(
        api.POST("/api/v1/requests/{interrupt_id}", {
          params: { path: { interrupt_id: id } },
          body: { decision: { type } },
        }),
      ),
    onSettled: done,
  });
  return { set, remove, answer };
}

export const useBudgetRequests = () =>
  useQuery({
    queryKey: ["requests"],
    queryFn: async () => (await dataOf(api.GET("/api/v1/requests"))).requests,
    select: (requests) => requests.filter((each) => each.kind === "budget"),
    refetchInterval: 10_000,
  });
