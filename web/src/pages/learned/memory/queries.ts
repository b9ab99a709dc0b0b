import { keepPreviousData, useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api, dataOf, type Schemas } from "@/api/client";
import { graphKey, memoriesKey, type MemoryScope, type MemoryType } from "@/api/learned/memories";

const PAGE = 50;
/** A run learns behind one's back: what is looked at again is asked for again. */
const FRESH = { staleTime: 0 };

export interface Wanted {
  kind: MemoryScope["kind"] | null;
  type: MemoryType | null;
  withPast: boolean;
}

export type Found = Schemas["FoundMemoryInfo"];
export type Leg = Found["legs"][number];
export type Episode = Schemas["EpisodeInfo"];
export type SearchRequest = Schemas["MemorySearchRequest"];

const of = (memory_id: string) => ({ params: { path: { memory_id } } });

/** What is known now, by type; also when the first and the last of it was recorded. */
export const useProfile = () =>
  useQuery({
    queryKey: [...memoriesKey, "profile"],
    queryFn: () => dataOf(api.GET("/api/v1/memories/profile")),
    ...FRESH,
  });

/** The last recorded first, a page at a time. */
export const useMemories = ({ kind, type, withPast }: Wanted) =>
  useInfiniteQuery({
    queryKey: [...memoriesKey, "list", kind, type, withPast],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam }) =>
      dataOf(
        api.GET("/api/v1/memories", {
          params: {
            query: { limit: PAGE, after: pageParam, with_past: withPast, ...(kind && { kind }), ...(type && { type }) },
          },
        }),
      ),
    getNextPageParam: (page) => page.next ?? undefined,
    select: ({ pages }) => pages.flatMap((page) => page.items),
    ...FRESH,
  });

/** The last answer stays while the slider moves. */
export const useMemorySearch = (body: SearchRequest) =>
  useQuery({
    queryKey: [...memoriesKey, "search", body],
    queryFn: () => dataOf(api.POST("/api/v1/memories/search", { body })),
    enabled: body.query.trim() !== "",
    placeholderData: keepPreviousData,
  });

export function useMemoryChanges() {
  const queries = useQueryClient();
  const onSuccess = () => queries.invalidateQueries({ queryKey: memoriesKey });
  return {
    add: useMutation({
      mutationFn: (body: Schemas["MemoryCreate"]) => dataOf(api.POST("/api/v1/memories", { body })),
      onSuccess,
    }),
    change: useMutation({
      mutationFn: ({ id, body }: { id: string; body: Schemas["MemoryUpdate"] }) =>
        dataOf(api.PATCH("/api/v1/memories/{memory_id}", { ...of(id), body })),
      onSuccess,
      onError: onSuccess, // who was refused sees what there is now
    }),
  };
}

export function useRetryEpisode() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (episode_id: string) =>
      dataOf(api.POST("/api/v1/graph/episodes/{episode_id}/retry", { params: { path: { episode_id } } })),
    onSuccess: () => queries.invalidateQueries({ queryKey: graphKey }),
  });
}

/** What conversations were read for, the newest first. */
export const useEpisodes = (state: Episode["state"] | null) =>
  useInfiniteQuery({
    queryKey: [...graphKey, "episodes", state],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam }) =>
      dataOf(
        api.GET("/api/v1/graph/episodes", { params: { query: { limit: PAGE, after: pageParam, ...(state && { state }) } } }),
      ),
    getNextPageParam: (page) => page.next ?? undefined,
    select: ({ pages }) => pages.flatMap((page) => page.items),
    ...FRESH,
  });
