/** The console for a signed-in user, the sign-in page for everybody else. */
import { useQueryClient } from "@tanstack/react-query";
import { lazy, Suspense, useEffect } from "react";
import { onSignedOut } from "@/api/client";
import { ApiError } from "@/api/errors";
import { meQuery, useMaybeMe } from "@/api/me";
import { Shell } from "@/app/Shell";
import { ErrorNotice } from "@/components/states/ErrorNotice";
import { Waiting } from "@/components/states/Waiting";

// Most visits need no door.
const SignIn = lazy(() => import("@/app/account/SignIn"));

export function Entrance() {
  const me = useMaybeMe();
  const queries = useQueryClient();
  useEffect(
    () =>
      onSignedOut(() => {
        // At the door a refused password says 401 too; asking again would empty the form.
        if (!queries.getQueryData(meQuery.queryKey)) return;
        void queries.invalidateQueries({ queryKey: meQuery.queryKey });
      }),
    [queries],
  );
  // An error after the sign-in: a restart of the server does not sign anybody out.
  if (me.data && !isSignedOut(me.error)) return <Shell />;
  if (me.isPending) return <Waiting />;
  if (isSignedOut(me.error)) {
    return (
      <Suspense fallback={<Waiting />}>
        <SignIn />
      </Suspense>
    );
  }
  return <ErrorNotice error={me.error} retry={() => void me.refetch()} />;
}

const isSignedOut = (error: unknown): boolean => error instanceof ApiError && error.status === 401;
