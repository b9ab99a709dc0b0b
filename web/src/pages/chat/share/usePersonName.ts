import { useNames } from "@/api/members";

/** What a person is called; their id until it is known. */
export function usePersonName(userId: string | null): string {
  const nameOf = useNames();
  return userId === null ? "" : nameOf(userId);
}
