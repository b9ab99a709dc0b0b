/** A plan's approval is a request like others; the dock offers its answers beside the steps. Pure. */
import { optionsOf, type HumanRequest, type Option } from "@/pages/chat/requests/answer/answers";
import { isPlanApproval } from "@/pages/chat/requests/plan";
import type { Conversation } from "@/stream/conversation";

/** The open request that asks whether the plan of a run is carried out. */
export function planApproval({ items, waiting }: Conversation, runId: string): HumanRequest | null {
  const found = items.findLast(
    (item) =>
      item.kind === "request" &&
      item.runId === runId &&
      isPlanApproval(item.request) &&
      waiting.includes(item.request.interrupt_id),
  );
  return found?.kind === "request" ? found.request : null;
}

/** The answer that carries the plan out: the one that is recommended, else the first. */
export function goAheadOf(request: HumanRequest): Option | null {
  const options = optionsOf(request);
  return options.find((each) => each.recommended) ?? options[0] ?? null;
}
