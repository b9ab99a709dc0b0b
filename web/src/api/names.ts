/** Names that pages show and choose from: people of the tenant, titles of chats, tools. */
import { useQuery } from "@tanstack/react-query";
import { api, dataOf } from "@/api/client";
import { everyPage } from "@/api/paging";
import { usePreferences } from "@/app/state/preferences";

const KEPT_MS = 60_000;

/** What the people of the tenant are called, by their ids; everybody may ask. */
export const useKnownNames = () =>
  useQuery({
    queryKey: ["people", "names"],
    queryFn: async () => {
      const found = await everyPage((after) =>
        dataOf(api.GET("/api/v1/names", { params: { query: { after, limit: 100 } } })),
      );
      return new Map(found.map((each) => [each.user_id, each.name]));
    },
    staleTime: KEPT_MS,
  });

/** Who is in the tenant, with their roles; not for viewers to ask. */
export const usePeople = (wanted: boolean) =>
  useQuery({
    queryKey: ["people"],
    queryFn: () =>
      everyPage((after) =>
        dataOf(api.GET("/api/v1/members", { params: { query: { after, limit: 100 } } })),
      ),
    enabled: wanted,
    staleTime: KEPT_MS,
  });

/** Titles of chats by id: one's own, or everybody's for admins. */
export const useTitles = (everyone: boolean) =>
  useQuery({
    queryKey: ["session titles", everyone],
    queryFn: async () => {
      const sessions = await everyPage((after) =>
        dataOf(
          api.GET("/api/v1/sessions", {
            params: { query: { after, limit: 100, ...(everyone ? { everyone } : {}) } },
          }),
        ),
      );
      return new Map(sessions.map((each) => [each.session_id, each.title ?? ""]));
    },
    staleTime: 30_000,
  });

/** The tools of the project of now. MCP servers are asked for their tools, so it may take a moment. */
export function useToolNames() {
  const project_id = usePreferences((state) => state.projectId) ?? undefined;
  return useQuery({
    queryKey: ["tools", project_id],
    queryFn: () => dataOf(api.GET("/api/v1/tools", { params: { query: { project_id } } })),
    select: ({ tools }) => tools.map((tool) => tool.name),
    staleTime: 30_000,
  });
}
