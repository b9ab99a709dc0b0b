import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api, dataOf, type Schemas } from "@/api/client";
import { useMe } from "@/api/me";
import { membersKey } from "@/api/members";
import { leave } from "@/app/account/leaving";

export function useMyself() {
  const { user_id } = useMe();
  return useQuery({
    queryKey: ["user", user_id],
    queryFn: () =>
      dataOf(api.GET("/api/v1/users/{user_id}", { params: { path: { user_id } } })),
  });
}

export function useMyChanges() {
  const { user_id } = useMe();
  const queries = useQueryClient();
  const mine = { params: { path: { user_id } } };
  const onSuccess = async () => {
    await queries.invalidateQueries({ queryKey: ["user", user_id] });
    await queries.invalidateQueries({ queryKey: membersKey });
  };
  return {
    rename: useMutation({
      mutationFn: (display_name: string) =>
        api.PATCH("/api/v1/users/{user_id}", { ...mine, body: { display_name } }),
      onSuccess,
    }),
    learn: useMutation({
      mutationFn: (learns_patterns: boolean) =>
        api.PATCH("/api/v1/users/{user_id}", { ...mine, body: { learns_patterns } }),
      onSuccess,
    }),
    remember: useMutation({
      mutationFn: (uses_memory: boolean) =>
        api.PATCH("/api/v1/users/{user_id}", { ...mine, body: { uses_memory } }),
      onSuccess,
    }),
    setPassword: useMutation({
      mutationFn: (body: Schemas["PasswordChange"]) =>
        api.PUT("/api/v1/users/{user_id}/password", { ...mine, body }),
      onSuccess,
    }),
    signOutEverywhere: useMutation({
      mutationFn: () => api.POST("/api/v1/auth/logout-everywhere"),
      onSuccess: leave,
    }),
  };
}

export const useVersion = () =>
  useQuery({ queryKey: ["version"], queryFn: () => dataOf(api.GET("/api/v1/version")) });
