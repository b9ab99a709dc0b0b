/** What somebody may do in a session; the server decides, this only keeps from offering in vain. Pure. */
import type { Schemas } from "@/api/client";
import type { Me } from "@/api/me";

export interface Rights {
  mine: boolean;
  /** May say something here, and change it. */
  writes: boolean;
  /** May answer what the agent asks. */
  answers: boolean;
  /** May also answer for good: somebody it was shared with decides this once. */
  forGood: boolean;
}

export function rightsIn(session: Schemas["SessionInfo"] | undefined, me: Me): Rights {
  const permission = session?.permission ?? "owner";
  const mine = permission === "owner";
  const reads = me.role === "viewer";
  return {
    mine,
    writes: mine && !reads,
    answers: permission !== "view" && !reads,
    forGood: permission !== "answer",
  };
}
