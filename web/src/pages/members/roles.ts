import type { Schemas } from "@/api/client";

export type Role = Schemas["MemberInfo"]["role"];

/** The highest first. */
export const ROLES: readonly Role[] = ["owner", "admin", "member", "viewer"];

/** A user cannot give a role above their own, nor change a user above them. */
export const rolesFor = (mine: Role): Role[] => ROLES.slice(ROLES.indexOf(mine));

export const isAbove = (one: Role, other: Role): boolean =>
  ROLES.indexOf(one) < ROLES.indexOf(other);
