/** The sample shop and the one question the built-in demo can play (`dataagent serve --sample`). */
import { useQuery } from "@tanstack/react-query";
import { api, dataOf } from "@/api/client";

const SAMPLE_SOURCE = "shop";

export const useSampleThere = () =>
  useQuery({
    queryKey: ["data", "sources", "sample"],
    queryFn: async () => {
      const sources = await dataOf(api.GET("/api/v1/data/sources"));
      return sources.items.some((source) => source.name === SAMPLE_SOURCE);
    },
    staleTime: 60_000,
  }).data ?? false;

/** Whether only the demo model answers; unknown counts as no, to avoid a false warning. */
export const useNoModel = () =>
  useQuery({
    queryKey: ["models"],
    queryFn: () => dataOf(api.GET("/api/v1/models")),
    select: ({ models }) => {
      const used = models.find((model) => model.is_default);
      return !used || used.provider === "demo";
    },
    staleTime: 60_000,
  }).data ?? false;
