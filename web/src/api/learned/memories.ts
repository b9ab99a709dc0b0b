/** What is remembered of a person: their pages show it, and a chat names what an answer used. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api, dataOf, type Schemas } from "@/api/client";

export type MemoryItem = Schemas["MemoryItem"];
export type MemoryType = MemoryItem["type"];
export type MemoryScope = MemoryItem["scope"];
export type MemorySource = MemoryItem["source"];
export type Receipt = Schemas["ForgetReceiptInfo"];

export const MEMORY_TYPES: readonly MemoryType[] = ["fact", "preference", "decision", "context"];
export const SCOPE_KINDS: readonly MemoryScope["kind"][] = ["user", "project", "org"];

export const memoriesKey = ["memories"];
export const graphKey = ["memory graph"];

export const memoryPath = (id: string): string => `/memory/one/${encodeURIComponent(id)}`;

/** A conversation at one of its events. */
export const eventPath = (sessionId: string, seq: number): string =>
  `/chat/${encodeURIComponent(sessionId)}${seq > 0 ? `?at=${seq}` : ""}`;

export const useMemory = (memory_id: string) =>
  useQuery({
    queryKey: [...memoriesKey, "one", memory_id],
    queryFn: () => dataOf(api.GET("/api/v1/memories/{memory_id}", { params: { path: { memory_id } } })),
  });

interface Wrong {
  id: string;
  correction: string;
}

/** What a person says of a memory. Pages of it and of the graph are asked again. */
export function useMemoryActions() {
  const queries = useQueryClient();
  const renew = () =>
    Promise.all([queries.invalidateQueries({ queryKey: memoriesKey }), queries.invalidateQueries({ queryKey: graphKey })]);
  const of = (memory_id: string) => ({ params: { path: { memory_id } } });
  return {
    markWrong: useMutation({
      mutationFn: ({ id, correction }: Wrong) =>
        dataOf(api.POST("/api/v1/memories/{memory_id}/wrong", { ...of(id), body: { correction: correction || null } })),
      onSuccess: renew,
    }),
    /** Pages are renewed when the receipt is closed: what it is of is gone from them. */
    forget: useMutation({
      mutationFn: (id: string) => dataOf(api.DELETE("/api/v1/memories/{memory_id}", of(id))),
    }),
    renew,
  };
}
