import { useInfiniteQuery, useMutation } from "@tanstack/react-query";
import { api, dataOf, type Schemas } from "@/api/client";

export type Entry = Schemas["AuditEntry"];
export type Check = Schemas["AuditCheck"];

/** Hours back from now; 0 is ever. */
export const SPANS = { hour: 1, day: 24, week: 168, month: 720, ever: 0 } as const;
export type Span = keyof typeof SPANS;

export interface Filter {
  actor?: string;
  action?: string;
  span: Span;
}

const PAGE = 50;

export const useEntries = ({ actor, action, span }: Filter) =>
  useInfiniteQuery({
    queryKey: ["audit", actor, action, span],
    initialPageParam: undefined as number | undefined,
    queryFn: ({ pageParam }) =>
      dataOf(
        api.GET("/api/v1/audit", {
          params: {
            query: { actor, action, since: since(span), after: pageParam, limit: PAGE },
          },
        }),
      ),
    getNextPageParam: (page) => (page.next ? Number(page.next) : undefined),
  });

function since(span: Span): string | undefined {
  const hours = SPANS[span];
  return hours ? new Date(Date.now() - hours * 3_600_000).toISOString() : undefined;
}

export const useCheck = () =>
  useMutation({
    mutationFn: (expect: string) =>
      dataOf(
        api.GET("/api/v1/audit/verify", { params: { query: expect ? { expect } : {} } }),
      ),
  });
