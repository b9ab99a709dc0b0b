import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useRef } from "react";
import { api, dataOf, type Schemas } from "@/api/client";
import type { Numbered } from "@/stream/events";
import { withoutPieces } from "@/pages/activity/events";

export type Run = Schemas["RunInfo"];

const OPEN_POLL_MS = 3000;
const LIVE_POLL_MS = 1000;
const EVENTS_PAGE = 1000;
/** A run longer than this is shown in part: the page says so. */
const EVENT_PAGES_MAX = 400;

export const isOpen = (run: Run | undefined): boolean =>
  run !== undefined && ["queued", "running", "waiting_approval"].includes(run.status);

export const useRuns = (userId: string | undefined, projectId: string | undefined) =>
  useInfiniteQuery({
    queryKey: ["runs", userId, projectId],
    queryFn: ({ pageParam }) =>
      dataOf(
        api.GET("/api/v1/runs", {
          params: { query: { user_id: userId, project_id: projectId, after: pageParam, limit: 50 } },
        }),
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next ?? undefined,
    refetchInterval: ({ state }) =>
      state.data?.pages.some((page) => page.items.some(isOpen)) ? OPEN_POLL_MS : false,
  });

export const useRun = (runId: string) =>
  useQuery({
    queryKey: ["run", runId],
    queryFn: () =>
      dataOf(api.GET("/api/v1/runs/{run_id}", { params: { path: { run_id: runId } } })),
    refetchInterval: ({ state }) => (isOpen(state.data) ? LIVE_POLL_MS : false),
  });

interface Read {
  events: Numbered[];
  lastSeq: number;
  cut: boolean;
}

/** The events of one run, read once and from then on only what is new. */
export function useRunEvents(run: Run) {
  const known = useRef<Read & { runId: string }>({ runId: "", events: [], lastSeq: 0, cut: false });
  return useQuery({
    queryKey: ["run events", run.run_id, isOpen(run) ? "live" : run.status],
    queryFn: async (): Promise<Read> => {
      const before = known.current.runId === run.run_id ? known.current : null;
      const read = await readOn(run, before ?? { events: [], lastSeq: 0, cut: false });
      known.current = { ...read, runId: run.run_id };
      return read;
    },
    refetchInterval: isOpen(run) ? LIVE_POLL_MS : false,
    placeholderData: (before) => before,
    // Numbers are never changed: what was read stays right.
    staleTime: isOpen(run) ? 0 : Infinity,
  });
}

async function readOn(run: Run, before: Read): Promise<Read> {
  const path = { session_id: run.session_id };
  let { lastSeq } = before;
  const found = [...before.events];
  for (let page = 0; page < EVENT_PAGES_MAX; page += 1) {
    const list = await dataOf(
      api.GET("/api/v1/sessions/{session_id}/events", {
        params: { path, query: { run_id: run.run_id, after: lastSeq, limit: EVENTS_PAGE } },
      }),
    );
    const events = list.events as unknown as Numbered[];
    found.push(...events);
    lastSeq = events.at(-1)?.seq ?? lastSeq;
    if (!list.has_more) return { events: withoutPieces(found), lastSeq, cut: false };
  }
  return { events: withoutPieces(found), lastSeq, cut: true };
}
