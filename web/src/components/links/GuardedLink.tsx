/** A link, or only its text to whoever can do nothing at the place it leads to. */
import type { ReactNode } from "react";
import { Link } from "react-router";
import { useMe } from "@/api/me";
import { mayUse } from "@/app/account/membersOnly";

export function GuardedLink({ to, children }: { to: string; children: ReactNode }) {
  return mayUse(useMe(), to) ? <Link to={to}>{children}</Link> : children;
}
