import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api, dataOf, type Schemas } from "@/api/client";
import { everyPage } from "@/api/paging";
import { patternsKey } from "@/api/learned/patterns";

export type Offer = Schemas["PatternOfferInfo"];

export const useOffers = (made: boolean) =>
  useQuery({
    queryKey: [...patternsKey, "offers", made],
    queryFn: () =>
      everyPage((after) =>
        dataOf(api.GET("/api/v1/agent/pattern-offers", { params: { query: { made, after, limit: 100 } } })),
      ),
  });

export function useOfferActions() {
  const queries = useQueryClient();
  const onSettled = () => queries.invalidateQueries({ queryKey: patternsKey });
  const of = (offer_id: string) => ({ params: { path: { offer_id } } });
  return {
    accept: useMutation({
      mutationFn: (id: string) => dataOf(api.POST("/api/v1/agent/pattern-offers/{offer_id}/accept", of(id))),
      onSettled,
    }),
    decline: useMutation({
      mutationFn: (id: string) => api.POST("/api/v1/agent/pattern-offers/{offer_id}/decline", of(id)),
      onSettled,
    }),
    withdraw: useMutation({
      mutationFn: (id: string) => api.DELETE("/api/v1/agent/pattern-offers/{offer_id}", of(id)),
      onSettled,
    }),
  };
}
