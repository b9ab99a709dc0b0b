/** What the model picker offers: the default, what may be chosen, and why the rest may not. Pure. */
import type { Schemas } from "@/api/client";

type ModelList = Schemas["ModelList"];

/** `why`: it cannot be chosen, because its provider (by its title) has no key, or it is not listed. */
export type Why = { kind: "not_set_up"; provider: string } | { kind: "not_offered" };

export interface ModelChoice {
  model: string;
  why: Why | null;
}

/** What can be named; one that was chosen and is offered no more is shown as such. */
export function modelChoices(list: ModelList, chosen: string): ModelChoice[] {
  // A script is a file of the server: it can be the default, but cannot be chosen by name.
  const named = list.models.filter((each) => each.provider !== "scripted");
  const titles = new Map(list.providers.map((each) => [each.name, each.title]));
  const choices = named.map(({ model, provider, is_usable }): ModelChoice => {
    const title = titles.get(provider) ?? provider;
    return { model, why: is_usable ? null : { kind: "not_set_up", provider: title } };
  });
  if (!chosen || named.some((each) => each.model === chosen)) return choices;
  return [{ model: chosen, why: { kind: "not_offered" } }, ...choices];
}
