/** The places where a viewer can do nothing: no link of the console leads them there. Pure. */
import { mayWrite, type Me } from "@/api/me";

// `/chat` begins a chat; those that are shared have addresses of their own.
const MEMBERS_ONLY = ["/chat", "/data/source", "/data/table", "/data/sql", "/reports/new"];

export const mayUse = (me: Me, to: string): boolean =>
  mayWrite(me) || !MEMBERS_ONLY.includes(to.split("?", 1)[0] ?? to);
