/** How queries behave everywhere, and what is looked at again when the server knows something no more. */
import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { ApiError } from "@/api/errors";
import { projectsKey } from "@/api/projects";
import { usePreferences } from "@/app/state/preferences";

export function newQueryClient(): QueryClient {
  // It may be the project of now that is gone: the list says so.
  const onError = (error: unknown) => {
    const notThere = error instanceof ApiError && error.status === 404;
    if (!notThere || usePreferences.getState().projectId === null) return;
    void queries.invalidateQueries({ queryKey: projectsKey, exact: true });
  };
  const queries = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        staleTime: 10_000,
        // What the server refuses, it refuses again; what did not reach it is worth another try.
        retry: (failures, error) =>
          failures < 3 && (!(error instanceof ApiError) || error.status === 0 || error.status >= 502),
      },
    },
  });
  return queries;
}
