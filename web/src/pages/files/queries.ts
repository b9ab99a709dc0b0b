import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api, BASE_PATH, dataOf, rawFetch, type Schemas } from "@/api/client";
import { ApiError } from "@/api/errors";
import { everyPage } from "@/api/paging";
import type { Crumb } from "@/pages/files/naming";

export type Workspace = Schemas["WorkspaceInfo"];
export type FileInfo = Schemas["FileInfo"];
export type Permission = Schemas["WorkspaceMember"]["permission"];

const workspacesKey = ["workspaces"];
const filesKey = ["files"];
const PREVIEW_BYTES_MAX = 262_144;

/** The one agents work in comes first; asking for it makes it on a first visit. */
export const useWorkspaces = () =>
  useQuery({
    queryKey: workspacesKey,
    queryFn: async () => {
      const first = await dataOf(api.GET("/api/v1/workspaces/default"));
      const all = await everyPage((after) =>
        dataOf(api.GET("/api/v1/workspaces", { params: { query: { after, limit: 100 } } })),
      );
      return [first, ...all.filter((each) => each.workspace_id !== first.workspace_id)];
    },
  });

/** Paths are sent as the server encoded them: a name need not be UTF-8. */
export const fileUrl = (workspaceId: string, what: "files" | "files/content" | "folders", encoded: string) =>
  `/api/v1/workspaces/${workspaceId}/${what}?path=${encoded}`;

export const downloadUrl = (workspaceId: string, file: FileInfo): string =>
  BASE_PATH + fileUrl(workspaceId, "files/content", file.encoded_path);

export const useFolder = (workspaceId: string, encoded: string) =>
  useInfiniteQuery({
    queryKey: [...filesKey, workspaceId, encoded],
    queryFn: ({ pageParam }) => pageOf(workspaceId, encoded, pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next ?? undefined,
  });

/** The folders in a folder, all of them: files between them are left out. */
export const useFolders = (workspaceId: string, encoded: string, wanted: boolean) =>
  useQuery({
    queryKey: [...filesKey, workspaceId, encoded, "folders"],
    queryFn: async (): Promise<Crumb[]> => {
      const files = await everyPage((after) => pageOf(workspaceId, encoded, after));
      return files
        .filter((file) => file.kind === "dir")
        .map((file) => ({ name: file.name, path: file.encoded_path }));
    },
    enabled: wanted,
  });

/** The names a folder holds; none where there is no such folder yet. */
export async function namesIn(workspaceId: string, encoded: string): Promise<Set<string>> {
  try {
    const files = await everyPage((after) => pageOf(workspaceId, encoded, after));
    return new Set(files.map((file) => file.name));
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return new Set();
    throw error;
  }
}

async function pageOf(workspaceId: string, encoded: string, after: string | undefined) {
  const more = after ? `&after=${encodeURIComponent(after)}` : "";
  const answer = await rawFetch(fileUrl(workspaceId, "files", encoded) + more);
  return (await answer.json()) as Schemas["Page_FileInfo_"];
}

export interface Beginning {
  bytes: Uint8Array;
  cut: boolean;
}

/** As much of a file as a page can show. */
export const useBeginning = (workspaceId: string, file: FileInfo, wanted: boolean) =>
  useQuery({
    queryKey: ["file beginning", workspaceId, file.encoded_path, file.modified_at, file.size_bytes],
    queryFn: async (): Promise<Beginning> => {
      if (file.size_bytes === 0) return { bytes: new Uint8Array(), cut: false };
      const answer = await rawFetch(fileUrl(workspaceId, "files/content", file.encoded_path), {
        headers: { Range: `bytes=0-${PREVIEW_BYTES_MAX - 1}` },
      });
      const bytes = new Uint8Array(await answer.arrayBuffer());
      return { bytes, cut: bytes.length < file.size_bytes };
    },
    enabled: wanted,
  });

export function useFilesChanged() {
  const queries = useQueryClient();
  return () =>
    Promise.all([
      queries.invalidateQueries({ queryKey: filesKey }),
      queries.invalidateQueries({ queryKey: workspacesKey }),
    ]);
}

export function useFileActions(workspaceId: string) {
  const changed = useFilesChanged();
  const remove = useMutation({
    mutationFn: (file: FileInfo) =>
      rawFetch(fileUrl(workspaceId, "files", file.encoded_path), { method: "DELETE" }),
    onSettled: changed,
  });
  const makeFolder = useMutation({
    mutationFn: (encoded: string) =>
      rawFetch(fileUrl(workspaceId, "folders", encoded), { method: "POST" }),
    onSuccess: changed,
  });
  return { remove, makeFolder };
}

export function useWorkspaceActions() {
  const changed = useFilesChanged();
  const path = (workspace_id: string) => ({ params: { path: { workspace_id } } });
  const create = useMutation({
    mutationFn: (body: Schemas["WorkspaceCreate"]) => dataOf(api.POST("/api/v1/workspaces", { body })),
    onSuccess: changed,
  });
  const change = useMutation({
    mutationFn: ({ id, body }: { id: string; body: Schemas["WorkspaceUpdate"] }) =>
      dataOf(api.PATCH("/api/v1/workspaces/{workspace_id}", { ...path(id), body })),
    onSuccess: changed,
  });
  const makeDefault = useMutation({
    mutationFn: (id: string) =>
      dataOf(api.POST("/api/v1/workspaces/{workspace_id}/set-default", path(id))),
    onSuccess: changed,
  });
  const remove = useMutation({
    mutationFn: (id: string) => dataOf(api.DELETE("/api/v1/workspaces/{workspace_id}", path(id))),
    onSuccess: changed,
  });
  return { create, change, makeDefault, remove };
}

export function useSharing(workspace_id: string) {
  const queries = useQueryClient();
  const queryKey = ["workspace members", workspace_id];
  const done = () => queries.invalidateQueries({ queryKey });
  const members = useQuery({
    queryKey,
    queryFn: async () =>
      (
        await dataOf(
          api.GET("/api/v1/workspaces/{workspace_id}/members", { params: { path: { workspace_id } } }),
        )
      ).items,
  });
  const share = useMutation({
    mutationFn: ({ user_id, permission }: { user_id: string; permission: Permission }) =>
      dataOf(
        api.PUT("/api/v1/workspaces/{workspace_id}/members/{user_id}", {
          params: { path: { workspace_id, user_id } },
          body: { permission },
        }),
      ),
    onSuccess: done,
  });
  const unshare = useMutation({
    mutationFn: (user_id: string) =>
      dataOf(
        api.DELETE("/api/v1/workspaces/{workspace_id}/members/{user_id}", {
          params: { path: { workspace_id, user_id } },
        }),
      ),
    onSuccess: done,
  });
  return { members, share, unshare };
}
