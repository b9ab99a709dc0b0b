/** How the agent goes about one message, where it is not as usual. Pure. */

export const LOOPS = ["react", "staged"] as const;
export const PLANNING_MODES = ["auto", "always", "never"] as const;

export interface Planning {
  /** Null: as the session and the assistant have it. */
  loop: (typeof LOOPS)[number] | null;
  mode: (typeof PLANNING_MODES)[number];
}

export const AS_USUAL: Planning = { loop: null, mode: "auto" };

export type PlanningRequest = { loop?: Planning["loop"]; mode?: Planning["mode"] };

/** What goes with the message; null where nothing was chosen. */
export function planningRequest({ loop, mode }: Planning): PlanningRequest | null {
  if (loop === null && mode === AS_USUAL.mode) return null;
  return { ...(loop === null ? {} : { loop }), ...(mode === AS_USUAL.mode ? {} : { mode }) };
}
