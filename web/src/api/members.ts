/** People by their names: pages show those instead of ids. */
import type { Schemas } from "@/api/client";
import { useKnownNames } from "@/api/names";

export type Member = Schemas["MemberInfo"];

export const membersKey = ["people"];

export const nameOf = (member: Member): string =>
  member.display_name || member.username || member.user_id;

/** Returns a user's name, or their id if they left the tenant. */
export function useNames(): (userId: string) => string {
  const names = useKnownNames().data;
  return (userId) => names?.get(userId) ?? userId;
}
