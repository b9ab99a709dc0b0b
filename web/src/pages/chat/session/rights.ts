/** What a user may do in a session; the server decides, this only hides useless actions. Pure. */
import type { Schemas } from "@/api/client";
import type { Me } from "@/api/me";

export interface Rights {
  mine: boolean;
  /** May say something here, and change it. */
  writes: boolean;
  /** May answer what the agent asks. */
  answers: boolean;
  /** May also answer permanently; a user it was shared with decides once. */
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
