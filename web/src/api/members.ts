/** People by their names: pages show those instead of ids. */
import type { Schemas } from "@/api/client";
import { useKnownNames } from "@/api/names";

export type Member = Schemas["MemberInfo"];

export const membersKey = ["people"];

export const nameOf = (member: Member): string =>
  member.display_name || member.username || member.user_id;

/** Says a person's name; their id where nobody of that id is in the tenant any more. */
export function useNames(): (userId: string) => string {
  const names = useKnownNames().data;
  return (userId) => names?.get(userId) ?? userId;
}
