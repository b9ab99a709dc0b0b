/** Parts that are not needed before the first answer are loaded when they are opened. */
import { lazy, type ComponentType } from "react";

export function lazyPart<N extends string, P>(
  name: N,
  load: () => Promise<Record<N, ComponentType<P>>>,
) {
  return lazy(async () => ({ default: (await load())[name] }));
}
