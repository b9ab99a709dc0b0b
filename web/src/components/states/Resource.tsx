/** The states every query has: loading, failed with a way out, empty with a next step, there. */
import type { ReactNode } from "react";
import { ErrorNotice } from "@/components/states/ErrorNotice";
import { Waiting } from "@/components/states/Waiting";

/** What both a query and one that loads pages have. */
interface Query<T> {
  data: T | undefined;
  isPending: boolean;
  error: Error | null;
  refetch: () => unknown;
}

interface Props<T> {
  query: Query<T>;
  empty?: ReactNode;
  isEmpty?: (data: T) => boolean;
  children: (data: T) => ReactNode;
}

export function Resource<T>({ query, empty, isEmpty = nothing, children }: Props<T>) {
  if (query.data === undefined) {
    if (query.isPending) return <Waiting />;
    return <ErrorNotice error={query.error} retry={() => void query.refetch()} />;
  }
  return (
    <>
      {query.error && <ErrorNotice error={query.error} retry={() => void query.refetch()} />}
      {empty && isEmpty(query.data) ? empty : children(query.data)}
    </>
  );
}

const nothing = (data: unknown): boolean => Array.isArray(data) && data.length === 0;
