/** Sends one answer; the first that reaches the server counts. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api, dataOf } from "@/api/client";
import { ApiError } from "@/api/errors";
import { requestsKey } from "@/api/requests";
import type { Decision } from "@/pages/chat/requests/answer/answers";
import { keys } from "@/pages/chat/session/queries";

/** Requests this page has answered itself: they need no notice. */
export const answeredHere = new Set<string>();

export function useAnswer(interruptId: string, sessionId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (decision: Decision) => {
      answeredHere.add(interruptId);
      const params = { path: { interrupt_id: interruptId } };
      return dataOf(api.POST("/api/v1/requests/{interrupt_id}", { params, body: { decision } }));
    },
    onError: () => answeredHere.delete(interruptId),
    onSettled: () => {
      void queries.invalidateQueries({ queryKey: keys.requests(sessionId) });
      void queries.invalidateQueries({ queryKey: requestsKey });
    },
  });
}

export const isTooLate = (error: unknown): boolean =>
  error instanceof ApiError && error.status === 409;
