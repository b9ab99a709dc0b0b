/** Patterns of the tenant: their page shows them, and a chat names the one that came into play. */
import { useQuery } from "@tanstack/react-query";
import { api, dataOf, type Schemas } from "@/api/client";

export type PatternInfo = Schemas["PatternInfo"];
export type PatternDetail = Schemas["PatternDetailInfo"];
export type PatternState = PatternInfo["state"];

export const patternsKey = ["patterns"];

export const patternPath = (id: string, tab?: string): string =>
  `/patterns/${encodeURIComponent(id)}${tab ? `?tab=${tab}` : ""}`;

export const usePattern = (pattern_id: string) =>
  useQuery({
    queryKey: [...patternsKey, pattern_id],
    queryFn: () => dataOf(api.GET("/api/v1/agent/patterns/{pattern_id}", { params: { path: { pattern_id } } })),
  });
