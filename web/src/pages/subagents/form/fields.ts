/** The form of a sub-agent, and the same as the server takes it. Pure. */
import type { SubAgentInfo } from "@/api/subagents";
import type { Schemas } from "@/api/client";

export type SubAgentBody = Required<Omit<Schemas["SubAgentCreate"], "version">>;

/** What is null is left to the tenant's defaults. */
export const EMPTY_BODY: SubAgentBody = {
  name: "",
  display_name: "",
  trigger: { description: "", examples: [], keywords: [] },
  system_prompt: "",
  model: null,
  color: "blue",
  allowed_tools: null,
  allowed_skills: null,
  allowed_mcp_servers: null,
  rules: [],
  requires_tools: [],
  max_tokens: null,
  temperature: null,
  top_p: null,
  max_iterations: null,
  hidden: false,
  enabled: true,
  project_id: null,
};

/** What a form holds; the rest of a sub-agent is not in it. */
export type Typed = Partial<SubAgentBody>;

/** As it can be kept: a field that was emptied is null, not missing. */
export const typedOf = (values: Typed): Typed =>
  Object.fromEntries(Object.entries(values).map(([key, value]) => [key, value ?? null]));

/** Whether two are the same to a person who edits them; they are switched on and off elsewhere. */
export const isSame = (one: SubAgentBody, other: SubAgentBody): boolean =>
  JSON.stringify({ ...one, enabled: true }) === JSON.stringify({ ...other, enabled: true });

export function bodyOf(agent: SubAgentInfo): SubAgentBody {
  const keys = Object.keys(EMPTY_BODY) as (keyof SubAgentBody)[];
  const inherited = new Set<string>(agent.inherited);
  return Object.fromEntries(
    keys.map((key) => [key, inherited.has(key) ? null : agent[key]]),
  ) as unknown as SubAgentBody;
}

/** A copy stands beside the one it is of; an override has its name and takes its place. */
export function copyOf(agent: SubAgentInfo, how: "copy" | "override", projectId: string | null): SubAgentBody {
  const name = how === "copy" ? `${agent.name}-copy` : agent.name;
  return { ...bodyOf(agent), name, enabled: true, hidden: false, project_id: projectId };
}

/** What was typed: nothing empty is left in rules, and an empty field is left to the defaults. */
export function cleaned(body: SubAgentBody): SubAgentBody {
  return {
    ...body,
    name: body.name.trim(),
    model: body.model ?? null,
    rules: body.rules
      .filter((rule) => rule?.tool?.trim())
      .map((rule) => ({ ...rule, resource: rule.resource?.trim() || "**" })),
  };
}
