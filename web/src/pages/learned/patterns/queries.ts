import { useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { api, dataOf, type Schemas } from "@/api/client";
import { ApiError } from "@/api/errors";
import { patternsKey, type PatternDetail, type PatternState } from "@/api/learned/patterns";

const PAGE = 100;

export interface Wanted {
  state: PatternState | null;
  mine: boolean;
}

const of = (pattern_id: string) => ({ params: { path: { pattern_id } } });

/** The last changed first, a page at a time: a tenant may have very many. */
export const usePatterns = ({ state, mine }: Wanted) =>
  useInfiniteQuery({
    queryKey: [...patternsKey, "list", state, mine],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam }) =>
      dataOf(
        api.GET("/api/v1/agent/patterns", {
          params: { query: { limit: PAGE, after: pageParam, mine, ...(state ? { state } : {}) } },
        }),
      ),
    getNextPageParam: (page) => page.next ?? undefined,
    select: ({ pages }) => pages.flatMap((page) => page.items),
  });

/** The pattern as a refusal says it is now; null where it was refused for another reason. */
export function newerPattern(error: unknown): PatternDetail | null {
  if (!(error instanceof ApiError) || error.status !== 409) return null;
  return (error.details.pattern as PatternDetail | undefined) ?? null;
}

export function usePatternActions() {
  const queries = useQueryClient();
  const onSuccess = () => queries.invalidateQueries({ queryKey: patternsKey });
  const put = (pattern: PatternDetail) => queries.setQueryData([...patternsKey, pattern.id], pattern);
  // One that is gone is not asked for again.
  const forget = (id: string) => {
    queries.removeQueries({ queryKey: [...patternsKey, id] });
    return queries.invalidateQueries({ queryKey: [...patternsKey, "list"] });
  };
  return {
    create: useMutation({
      mutationFn: (body: Schemas["PatternCreate"]) => dataOf(api.POST("/api/v1/agent/patterns", { body })),
      onSuccess,
    }),
    change: useMutation({
      mutationFn: ({ id, body }: { id: string; body: Schemas["PatternUpdate"] }) =>
        dataOf(api.PATCH("/api/v1/agent/patterns/{pattern_id}", { ...of(id), body })),
      onSuccess: (changed) => {
        put(changed);
        return onSuccess();
      },
      onError: (error) => {
        const newer = newerPattern(error);
        if (newer) put(newer);
      },
    }),
    remove: useMutation({
      mutationFn: (id: string) => api.DELETE("/api/v1/agent/patterns/{pattern_id}", of(id)),
      onSuccess: (_done, id) => forget(id),
    }),
    markUseless: useMutation({
      mutationFn: (id: string) => api.POST("/api/v1/agent/patterns/{pattern_id}/useless", of(id)),
      onSuccess: (_done, id) => forget(id),
    }),
    share: useMutation({
      mutationFn: ({ id, tenant_id }: { id: string; tenant_id: string }) =>
        dataOf(api.POST("/api/v1/agent/patterns/{pattern_id}/share", { ...of(id), body: { tenant_id } })),
      onSuccess,
    }),
  };
}
