/** Sends the changes of a plan; a plan that was changed meanwhile comes back with the refusal. */
import { useMutation } from "@tanstack/react-query";
import { api, dataOf } from "@/api/client";
import { ApiError } from "@/api/errors";
import type { Edit } from "@/pages/chat/plan/edit/edits";
import type { Plan } from "@/stream/conversation";
import type { Json, JsonObject } from "@/stream/events";
import { stepOf } from "@/stream/plans";

interface PlanEdits {
  plan_id: string;
  version: number;
  edits: Edit[];
}

export const useSavePlan = (sessionId: string) =>
  useMutation({
    mutationFn: (body: PlanEdits) =>
      dataOf(api.PATCH("/api/v1/sessions/{session_id}/plan", { params: { path: { session_id: sessionId } }, body })),
  });

/** The plan as the refusal says it is now; null where it was refused for another reason. */
export function newerPlan(error: unknown, plan: Plan): Plan | null {
  const told = error instanceof ApiError && error.status === 409 ? (error.details.plan as JsonObject | undefined) : null;
  if (!told || typeof told.version !== "number" || !Array.isArray(told.steps)) return null;
  const steps = told.steps.map((each: Json, at) => stepOf(each as JsonObject, at + 1));
  return { ...plan, version: told.version, status: (told.status as Plan["status"]) ?? plan.status, steps };
}
