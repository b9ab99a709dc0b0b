/** What search finds beside commands: chats, tables and files, asked of the server once the typing rests. */
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "react-router";
import { api, dataOf } from "@/api/client";
import { useMe } from "@/api/me";
import type { Command } from "@/app/palette/commands";
import { mayUse } from "@/app/account/membersOnly";
import { linkOf, pagesFor } from "@/app/navigation/pages";
import { usePreferences } from "@/app/state/preferences";
import { appTexts } from "@/app/texts";
import { useSettled } from "@/components/forms/useSettled";
import { useTexts } from "@/i18n";

const FOUND_MAX = 8;
const FILES_SEARCHED_MAX = 1000;
const CHARS_MIN = 2;

export function useFound(typed: string): Command[] {
  const t = useTexts(appTexts);
  const navigate = useNavigate();
  const me = useMe();
  const open = new Set(pagesFor(me).map(linkOf));
  const project_id = usePreferences((state) => state.projectId) ?? undefined;
  const words = useSettled(typed.trim(), 250);
  const wanted = words.length >= CHARS_MIN;
  const chats = useQuery({
    queryKey: ["search", "chats", words],
    queryFn: () => dataOf(api.GET("/api/v1/sessions", { params: { query: { q: words, limit: FOUND_MAX } } })),
    enabled: wanted,
  });
  const tables = useQuery({
    queryKey: ["search", "tables", project_id, words],
    queryFn: () =>
      dataOf(api.GET("/api/v1/data/search", { params: { query: { query: words, project_id, limit: FOUND_MAX } } })),
    enabled: wanted && mayUse(me, "/data/table"),
    retry: false,
  });
  const files = useFiles(wanted && open.has("/files"));
  const found = (kind: "chat" | "table" | "file", id: string, title: string, to: string): Command => ({
    id: `found ${kind} ${id}`,
    title,
    hint: t(`found_${kind}`),
    group: t(`found_${kind}`),
    run: () => void navigate(to),
  });
  if (!wanted) return [];
  const lower = words.toLowerCase();
  return [
    ...(chats.data?.items ?? []).map((each) =>
      found("chat", each.session_id, each.title || t("new_chat"), `/chat/${each.session_id}`),
    ),
    ...(tables.data?.items ?? [])
      .filter((each) => each.kind === "table")
      .map((each) =>
        found(
          "table",
          `${each.source} ${each.name}`,
          `${each.source} · ${each.name}`,
          withQuery("/data/table", { source: each.source, table: each.name }),
        ),
      ),
    ...(files.data ?? [])
      .filter((each) => each.path.toLowerCase().includes(lower))
      .slice(0, FOUND_MAX)
      .map((each) => found("file", each.path, each.path, withQuery("/files", { file: each.encoded_path }))),
  ];
}

/** The files agents work with; read once for all that is typed. */
const useFiles = (wanted: boolean) =>
  useQuery({
    queryKey: ["search", "files"],
    queryFn: async () => {
      const { workspace_id } = await dataOf(api.GET("/api/v1/workspaces/default"));
      const page = await dataOf(
        api.GET("/api/v1/workspaces/{workspace_id}/files", {
          params: { path: { workspace_id }, query: { recursive: true, limit: FILES_SEARCHED_MAX } },
        }),
      );
      return page.items.filter((each) => each.kind !== "dir");
    },
    enabled: wanted,
    staleTime: 30_000,
  });

const withQuery = (path: string, values: Record<string, string>): string =>
  `${path}?${new URLSearchParams(values).toString()}`;
