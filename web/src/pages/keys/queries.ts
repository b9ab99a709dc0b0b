import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api, dataOf, type Schemas } from "@/api/client";
import { everyPage } from "@/api/paging";

export type ApiKey = Schemas["KeyInfo"];

export const useKeys = (userId: string) =>
  useQuery({
    queryKey: ["keys", userId],
    queryFn: () =>
      everyPage((after) =>
        dataOf(
          api.GET("/api/v1/keys", { params: { query: { after, limit: 100, user_id: userId } } }),
        ),
      ),
  });

export function useKeyActions() {
  const queries = useQueryClient();
  const onSuccess = () => queries.invalidateQueries({ queryKey: ["keys"] });
  return {
    create: useMutation({
      mutationFn: (body: Schemas["KeyCreate"]) => dataOf(api.POST("/api/v1/keys", { body })),
      onSuccess,
    }),
    revoke: useMutation({
      mutationFn: (key_id: string) =>
        api.DELETE("/api/v1/keys/{key_id}", { params: { path: { key_id } } }),
      onSuccess,
    }),
  };
}

export type KeyState = "active" | "revoked" | "expired";

export function stateOf(key: ApiKey, now = Date.now()): KeyState {
  if (key.revoked_at) return "revoked";
  return key.expires_at && Date.parse(key.expires_at) <= now ? "expired" : "active";
}
