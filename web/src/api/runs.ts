/** What a run is called: by what was asked for, of which the chat's title tells only the first. */
import type { Schemas } from "@/api/client";

export const runName = (run: Pick<Schemas["RunInfo"], "message">): string =>
  run.message.trim().split("\n", 1)[0] ?? "";
