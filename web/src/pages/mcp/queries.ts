import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api, dataOf, type Schemas } from "@/api/client";
import { usePreferences } from "@/app/state/preferences";
import type { Scope, Server } from "@/pages/mcp/form/fields";

const key = ["mcp", "servers"];
const policyKey = ["mcp", "policy"];

export const useServers = () => {
  const project_id = usePreferences((state) => state.projectId) ?? undefined;
  return useQuery({
    queryKey: [...key, project_id],
    queryFn: async () =>
      (await dataOf(api.GET("/api/v1/mcp/servers", { params: { query: { project_id } } }))).items,
  });
};

export const usePolicy = () =>
  useQuery({ queryKey: policyKey, queryFn: () => dataOf(api.GET("/api/v1/mcp/policy")) });

/** Whose a server is stands in the query: the same name may be mine, the project's, the tenant's. */
export const placeOf = (server: Pick<Server, "scope" | "project_id">) => ({
  scope: server.scope,
  ...(server.scope === "project" && server.project_id ? { project_id: server.project_id } : {}),
});

const paramsOf = (server: Server) => ({ path: { name: server.name }, query: placeOf(server) });

export const useTools = (server: Server) =>
  useQuery({
    queryKey: ["mcp", "tools", server.scope, server.project_id, server.name, server.version],
    queryFn: async () =>
      (
        await dataOf(
          api.GET("/api/v1/mcp/servers/{name}/tools", { params: paramsOf(server) }),
        )
      ).tools,
    retry: false,
  });

export function useServerActions() {
  const queries = useQueryClient();
  const done = () => queries.invalidateQueries({ queryKey: key });
  const add = useMutation({
    mutationFn: ({ body, ...query }: { body: Schemas["MCPServerCreate"]; scope: Scope; project_id?: string }) =>
      dataOf(api.POST("/api/v1/mcp/servers", { params: { query }, body })),
    onSettled: done,
  });
  const replace = useMutation({
    mutationFn: ({ server, body }: { server: Server; body: Schemas["MCPServerReplace"] }) =>
      dataOf(
        api.PUT("/api/v1/mcp/servers/{name}", {
          params: paramsOf(server),
          body: { ...body, disabled: server.disabled, version: server.version },
        }),
      ),
    onSuccess: done,
  });
  const toggle = useMutation({
    mutationFn: (server: Server) =>
      dataOf(
        api.PATCH("/api/v1/mcp/servers/{name}", {
          params: paramsOf(server),
          body: { disabled: !server.disabled, version: server.version },
        }),
      ),
    onSettled: done,
  });
  const remove = useMutation({
    mutationFn: (server: Server) =>
      dataOf(api.DELETE("/api/v1/mcp/servers/{name}", { params: paramsOf(server) })),
    onSettled: done,
  });
  const test = useMutation({
    mutationFn: (server: Server) =>
      dataOf(api.POST("/api/v1/mcp/servers/{name}/test", { params: paramsOf(server) })),
    onSettled: done,
  });
  const allow = useMutation({
    mutationFn: (server: Server) =>
      dataOf(api.POST("/api/v1/mcp/servers/{name}/allow", { params: paramsOf(server) })),
    onSettled: done,
  });
  const signIn = useMutation({
    mutationFn: (server: Server) =>
      dataOf(api.POST("/api/v1/mcp/servers/{name}/login", { params: paramsOf(server) })),
  });
  const signOut = useMutation({
    mutationFn: (server: Server) =>
      dataOf(api.POST("/api/v1/mcp/servers/{name}/logout", { params: paramsOf(server) })),
    onSettled: done,
  });
  return { add, replace, toggle, remove, test, allow, signIn, signOut };
}

export function useChangePolicy() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: Schemas["PolicyChange"]) =>
      dataOf(api.PATCH("/api/v1/mcp/policy", { body })),
    onSuccess: (policy) => queries.setQueryData(policyKey, policy),
  });
}
