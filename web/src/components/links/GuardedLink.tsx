/** A link, or only its text for a user who can do nothing on the linked page. */
import type { ReactNode } from "react";
import { Link } from "react-router";
import { useMe } from "@/api/me";
import { mayUse } from "@/app/account/membersOnly";

export function GuardedLink({ to, children }: { to: string; children: ReactNode }) {
  return mayUse(useMe(), to) ? <Link to={to}>{children}</Link> : children;
}
