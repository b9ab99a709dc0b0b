import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api, dataOf, rawFetch, type Schemas } from "@/api/client";
import { sendFile } from "@/api/files/upload";
import { everyPage } from "@/api/paging";
import { useProject } from "@/pages/data/queries";
import { isDataFile, UPLOADS } from "@/pages/data/sources/files";

export const defaultWorkspaceQuery = queryOptions({
  queryKey: ["workspaces", "default"],
  queryFn: () => dataOf(api.GET("/api/v1/workspaces/default")),
  staleTime: 5 * 60_000,
});

/** The data files of one's own default workspace: each is a source by its path. */
export function useOwnFiles() {
  const space = useQuery(defaultWorkspaceQuery);
  const workspace_id = space.data?.workspace_id;
  return useQuery({
    queryKey: ["data", "files", workspace_id],
    queryFn: async () => {
      const found = await everyPage((after) =>
        dataOf(
          api.GET("/api/v1/workspaces/{workspace_id}/files", {
            params: {
              path: { workspace_id: workspace_id ?? "" },
              query: { path: UPLOADS, recursive: true, after },
            },
          }),
        ),
      );
      return found.filter((file) => file.kind === "file" && isDataFile(file.name));
    },
    enabled: workspace_id !== undefined,
  });
}

export function useUpload() {
  const space = useQuery(defaultWorkspaceQuery);
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ file, name }: { file: File; name: string }): Promise<string> => {
      const { workspace_id } = space.data ?? (await queries.fetchQuery(defaultWorkspaceQuery));
      const path = encodeURIComponent(`${UPLOADS}/${name}`);
      return (await sendFile(workspace_id, path, file).stored).path;
    },
    // What was known of a file of that name is of yesterday.
    onSuccess: () => queries.invalidateQueries({ queryKey: ["data"] }),
  });
}

export function useDeleteFile() {
  const space = useQuery(defaultWorkspaceQuery);
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (encodedPath: string) =>
      rawFetch(
        `/api/v1/workspaces/${encodeURIComponent(space.data?.workspace_id ?? "")}/files?path=${encodedPath}`,
        { method: "DELETE" },
      ),
    onSuccess: () => queries.invalidateQueries({ queryKey: ["data"] }),
  });
}

export function useTestSource() {
  const project_id = useProject();
  return useMutation({
    mutationFn: (name: string) =>
      dataOf(
        api.POST("/api/v1/data/sources/{name}/test", { params: { path: { name }, query: { project_id } } }),
      ),
  });
}

export function useCreateSource() {
  const project_id = useProject();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: Schemas["DataSourceCreate"]) =>
      dataOf(api.POST("/api/v1/data/sources", { params: { query: { project_id } }, body })),
    onSuccess: () => queries.invalidateQueries({ queryKey: ["data", "sources"] }),
  });
}

/** A source is changed where it is: in its project, or in the tenant. */
export function useChangeSource(name: string, project: string | null) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: Schemas["DataSourceChange"]) =>
      dataOf(
        api.PATCH("/api/v1/data/sources/{name}", {
          params: { path: { name }, query: { project_id: project ?? undefined } },
          body,
        }),
      ),
    onSuccess: () => queries.invalidateQueries({ queryKey: ["data"] }),
  });
}

export function useDeleteSource(name: string, project: string | null) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () =>
      api.DELETE("/api/v1/data/sources/{name}", {
        params: { path: { name }, query: { project_id: project ?? undefined } },
      }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ["data"] }),
  });
}
