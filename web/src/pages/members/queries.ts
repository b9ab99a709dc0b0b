import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api, dataOf, type Schemas } from "@/api/client";
import { membersKey } from "@/api/members";
import type { Role } from "@/pages/members/roles";

const of = (user_id: string) => ({ params: { path: { user_id } } });

export function useMemberActions() {
  const queries = useQueryClient();
  const onSuccess = () => queries.invalidateQueries({ queryKey: membersKey });
  return {
    add: useMutation({
      mutationFn: (body: Schemas["MemberAdd"]) => dataOf(api.POST("/api/v1/members", { body })),
      onSuccess,
    }),
    changeRole: useMutation({
      mutationFn: ({ userId, role }: { userId: string; role: Role }) =>
        api.PATCH("/api/v1/members/{user_id}", { ...of(userId), body: { role } }),
      onSettled: onSuccess,
    }),
    rename: useMutation({
      mutationFn: ({ userId, display_name }: { userId: string; display_name: string }) =>
        api.PATCH("/api/v1/users/{user_id}", { ...of(userId), body: { display_name } }),
      onSuccess,
    }),
    setPassword: useMutation({
      mutationFn: ({ userId, new_password }: { userId: string; new_password: string }) =>
        api.PUT("/api/v1/users/{user_id}/password", { ...of(userId), body: { new_password } }),
      onSuccess,
    }),
    makeUrl: useMutation({
      mutationFn: (userId: string) =>
        dataOf(api.POST("/api/v1/users/{user_id}/sign-in-urls", of(userId))),
    }),
    remove: useMutation({
      mutationFn: (userId: string) => api.DELETE("/api/v1/members/{user_id}", of(userId)),
      onSuccess,
    }),
  };
}
