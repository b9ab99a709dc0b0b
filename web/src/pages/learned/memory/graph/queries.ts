import { keepPreviousData, useMutation, useQueries, useQuery, useQueryClient } from "@tanstack/react-query";
import { api, dataOf, type Schemas } from "@/api/client";
import { graphKey } from "@/api/learned/memories";
import type { Nodes } from "@/pages/learned/memory/graph/scene";

/** As many as can be told apart. */
const COMMUNITIES_MAX = 500;
/** Of one community; the others of it are found by a search. */
const MEMBERS_MAX = 2_000;
/** Of those that belong to no community. */
const ALONE_MAX = 200;
const FOUND_MAX = 20;

const FIRST_MS = 5_000;
const KEPT_MS = 60_000;

export const useOverview = () =>
  useQuery({
    queryKey: [...graphKey, "overview"],
    queryFn: () => dataOf(api.GET("/api/v1/graph/overview", { params: { query: { limit: COMMUNITIES_MAX } } })),
    staleTime: 0,
    // What was just said is read behind the run: the first of it is worth waiting for.
    refetchInterval: ({ state }) => (state.data?.communities.length === 0 ? FIRST_MS : false),
  });

const nodesOf = async (community_id: string | undefined, limit: number): Promise<Nodes> =>
  dataOf(api.GET("/api/v1/graph/nodes", { params: { query: { community_id, limit } } }));

/** The best joined entities of no community; in a small graph these are all of them. */
export const useAlone = (wanted: boolean) =>
  useQuery({
    queryKey: [...graphKey, "alone"],
    queryFn: async () => {
      const { entities, relations } = await nodesOf(undefined, ALONE_MAX);
      return { entities: entities.filter((each) => !each.community_id), relations };
    },
    enabled: wanted,
    staleTime: KEPT_MS,
  });

interface Members {
  /** Of the communities that have come. */
  nodes: ReadonlyMap<string, Nodes>;
  isLoading: boolean;
  error: Error | null;
}

/** The members of communities, each asked for once. */
export function useMembers(communityIds: readonly string[]): Members {
  return useQueries({
    queries: communityIds.map((id) => ({
      queryKey: [...graphKey, "members", id],
      queryFn: () => nodesOf(id, MEMBERS_MAX),
      staleTime: KEPT_MS,
    })),
    combine: (results) => ({
      nodes: new Map(
        communityIds.flatMap((id, at) => {
          const nodes = results[at]?.data;
          return nodes ? [[id, nodes] as const] : [];
        }),
      ),
      isLoading: results.some((each) => each.isLoading),
      error: results.find((each) => each.error)?.error ?? null,
    }),
  });
}

export const useEntitySearch = (words: string) =>
  useQuery({
    queryKey: [...graphKey, "search", words],
    queryFn: () => dataOf(api.GET("/api/v1/graph/entities", { params: { query: { q: words, limit: FOUND_MAX } } })),
    enabled: words !== "",
    placeholderData: keepPreviousData,
  });

const of = (entity_id: string) => ({ params: { path: { entity_id } } });

export const useEntity = (id: string) =>
  useQuery({
    queryKey: [...graphKey, "entity", id],
    queryFn: () => dataOf(api.GET("/api/v1/graph/entities/{entity_id}", of(id))),
  });

export const useTimeline = (id: string) =>
  useQuery({
    queryKey: [...graphKey, "entity", id, "timeline"],
    queryFn: () => dataOf(api.GET("/api/v1/graph/entities/{entity_id}/timeline", of(id))),
  });

export function useEntityActions(id: string) {
  const queries = useQueryClient();
  const onSuccess = () => queries.invalidateQueries({ queryKey: graphKey });
  return {
    change: useMutation({
      mutationFn: (body: Schemas["EntityUpdate"]) =>
        dataOf(api.PATCH("/api/v1/graph/entities/{entity_id}", { ...of(id), body })),
      onSuccess,
      onError: onSuccess, // who was refused sees what there is now
    }),
    remove: useMutation({
      mutationFn: () => dataOf(api.DELETE("/api/v1/graph/entities/{entity_id}", of(id))),
      // One that is gone is not asked for again.
      onSuccess: () => queries.invalidateQueries({ queryKey: graphKey, predicate: ({ queryKey }) => queryKey[1] !== "entity" }),
    }),
  };
}
