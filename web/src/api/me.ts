/** Who is signed in, and what they may see. */
import { useQuery, useSuspenseQuery, queryOptions } from "@tanstack/react-query";
import { rememberPerson } from "@/app/state/kept";
import { api, dataOf, rememberCsrfToken, type Schemas } from "@/api/client";

export type Me = Schemas["Me"];

export const meQuery = queryOptions({
  queryKey: ["me"],
  queryFn: async () => {
    const me = await dataOf(api.GET("/api/v1/auth/me"));
    rememberCsrfToken(me.csrf_token ?? null);
    rememberPerson(me.user_id);
    return me;
  },
  staleTime: 5 * 60_000,
  retry: false,
});

export const useMaybeMe = () => useQuery(meQuery);

/** Inside the shell a user is signed in. */
export const useMe = (): Me => useSuspenseQuery(meQuery).data;

/** A viewer reads, and changes nothing but their own account. */
export const mayWrite = (me: Me): boolean => me.role !== "viewer";

export const isAdmin = (me: Me): boolean => me.role === "admin" || me.role === "owner";
