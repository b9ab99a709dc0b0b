/** What the chat page reads of the server beside the stream, and how it is kept fresh. */
import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { api, dataOf } from "@/api/client";
import { everyPage } from "@/api/paging";

export const keys = {
  sessions: ["sessions"] as const,
  session: (id: string) => ["session", id] as const,
  messages: (id: string) => ["session", id, "messages"] as const,
  openRuns: (id: string) => ["session", id, "runs", "open"] as const,
  requests: (id: string) => ["session", id, "requests"] as const,
  context: (id: string) => ["session", id, "context"] as const,
  changes: (id: string) => ["session", id, "changes"] as const,
  taskRun: (id: string) => ["session", id, "runs", "task"] as const,
  busyRuns: ["runs", "newest"] as const,
};

const PAGE_SESSIONS = 30;
const LOOK_AGAIN_MS = 15_000;
const LOOK_AT_TASK_MS = 2_000;
// While it waits for an approval, and where it cannot be read.
const LOOK_AT_WAITING_TASK_MS = 10_000;

export const useSessions = (projectId: string | null, words: string, shared: boolean) =>
  useInfiniteQuery({
    queryKey: [...keys.sessions, projectId, words, shared],
    queryFn: ({ pageParam }) =>
      dataOf(
        api.GET("/api/v1/sessions", {
          params: {
            query: {
              limit: PAGE_SESSIONS,
              ...(pageParam ? { after: pageParam } : {}),
              // What others share belongs to their projects.
              ...(projectId && !shared ? { project_id: projectId } : {}),
              ...(shared ? { shared } : {}),
              ...(words ? { q: words } : {}),
            },
          },
        }),
      ),
    initialPageParam: "",
    getNextPageParam: (last) => last.next ?? undefined,
    placeholderData: keepPreviousData,
  });

const path = (id: string) => ({ params: { path: { session_id: id } } });

export const useSession = (id: string) =>
  useQuery({
    queryKey: keys.session(id),
    queryFn: () => dataOf(api.GET("/api/v1/sessions/{session_id}", path(id))),
    enabled: id !== "",
  });

const MESSAGES_AT_ONCE = 1000;

/** All user messages of a session; answers are in the stream. */
export const useUserMessages = (id: string) =>
  useQuery({
    queryKey: keys.messages(id),
    queryFn: async () => {
      const found = await everyPage(async (after) => {
        const offset = Number(after ?? 0);
        const page = await dataOf(
          api.GET("/api/v1/sessions/{session_id}/messages", {
            params: { path: { session_id: id }, query: { limit: MESSAGES_AT_ONCE, offset } },
          }),
        );
        return { items: page.messages, next: page.has_more ? String(offset + MESSAGES_AT_ONCE) : null };
      });
      return found.filter((message) => message.role === "user");
    },
    enabled: id !== "",
  });

export const useOpenRuns = (id: string) =>
  useQuery({
    queryKey: keys.openRuns(id),
    queryFn: async () => {
      const query = { only_open: true };
      const params = { path: { session_id: id }, query };
      return (await dataOf(api.GET("/api/v1/sessions/{session_id}/runs", { params }))).items;
    },
    enabled: id !== "",
  });

/** The run of a task in the background, the first of its session; looked at until it is over. */
export const useTaskRun = (id: string) =>
  useQuery({
    queryKey: keys.taskRun(id),
    queryFn: async () => {
      const params = { path: { session_id: id }, query: { limit: 1 } };
      return (await dataOf(api.GET("/api/v1/sessions/{session_id}/runs", { params }))).items[0] ?? null;
    },
    refetchInterval: ({ state: { data, status } }) => {
      if (data?.completed_at) return false;
      const isAtWork = status === "success" && data !== null && data?.status !== "waiting_approval";
      return isAtWork ? LOOK_AT_TASK_MS : LOOK_AT_WAITING_TASK_MS;
    },
    retry: false,
  });

export const useSessionRequests = (id: string, wanted: boolean) =>
  useQuery({
    queryKey: keys.requests(id),
    queryFn: async () =>
      (await dataOf(api.GET("/api/v1/sessions/{session_id}/requests", path(id)))).requests,
    enabled: wanted,
  });

/** The sessions something runs in at the moment. */
export const useBusySessions = () =>
  useQuery({
    queryKey: keys.busyRuns,
    queryFn: async () => {
      const params = { query: { limit: 30 } };
      const runs = (await dataOf(api.GET("/api/v1/runs", { params }))).items;
      const busy = runs.filter((run) => run.status === "running" || run.status === "queued");
      return busy.map((run) => run.session_id);
    },
    refetchInterval: LOOK_AGAIN_MS,
  });

export const useContext = (id: string) =>
  useQuery({
    queryKey: keys.context(id),
    queryFn: async () =>
      (await dataOf(api.GET("/api/v1/sessions/{session_id}/context", path(id)))).report,
  });

export const useChanges = (id: string, wanted: boolean) =>
  useQuery({
    queryKey: keys.changes(id),
    queryFn: () => dataOf(api.GET("/api/v1/sessions/{session_id}/changes", path(id))),
    enabled: wanted,
    staleTime: 0,
  });
