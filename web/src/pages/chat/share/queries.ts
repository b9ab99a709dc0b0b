import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api, dataOf, type Schemas } from "@/api/client";
import { keys } from "@/pages/chat/session/queries";

export type Permission = Schemas["SessionShare"]["permission"];

const sharesKey = (sessionId: string) => ["session", sessionId, "shares"];

export const useShares = (sessionId: string) =>
  useQuery({
    queryKey: sharesKey(sessionId),
    queryFn: async () => {
      const params = { path: { session_id: sessionId } };
      return (await dataOf(api.GET("/api/v1/sessions/{session_id}/shares", { params }))).items;
    },
  });

/** Shares with a user; null as the permission revokes it. */
export function useShare(sessionId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ userId, permission }: { userId: string; permission: Permission | null }) => {
      const params = { path: { session_id: sessionId, user_id: userId } };
      const url = "/api/v1/sessions/{session_id}/shares/{user_id}";
      if (permission) await api.PUT(url, { params, body: { permission } });
      else await api.DELETE(url, { params });
    },
    onSettled: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: sharesKey(sessionId) }),
        queries.invalidateQueries({ queryKey: keys.session(sessionId), exact: true }),
        queries.invalidateQueries({ queryKey: keys.sessions }),
      ]),
  });
}
