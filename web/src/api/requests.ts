/** What waits for a person, in whatever session. */
import { useQuery } from "@tanstack/react-query";
import { api, dataOf } from "@/api/client";

const LOOK_AGAIN_MS = 15_000;

/** All lists of them: an answer changes each. */
export const requestsKey = ["requests"] as const;

/** One's own, and those of sessions that were shared to be answered; or everybody's, for admins. */
export const useRequests = (whose: "mine" | "everybody" = "mine") =>
  useQuery({
    queryKey: [...requestsKey, whose],
    queryFn: async () => {
      const params = { query: { mine: whose === "mine" } };
      return (await dataOf(api.GET("/api/v1/requests", { params }))).requests;
    },
    refetchInterval: LOOK_AGAIN_MS,
    refetchIntervalInBackground: true,
  });
