/**
 * The slider over time: from when the first memory was true until now, in steps. Its right end is now, which
 * is no moment of the past. Pure.
 */
export const STEPS = 200;

export interface Span {
  /** Milliseconds since 1970. */
  from: number;
  to: number;
}

/** At least a day, so that there is somewhere to slide to. */
const SPAN_MIN_MS = 86_400_000;

/** Null where nothing is known yet. */
export function spanOf(firstAt: string | null | undefined, now: number): Span | null {
  const from = firstAt ? Date.parse(firstAt) : Number.NaN;
  if (Number.isNaN(from)) return null;
  return { from: Math.min(from, now - SPAN_MIN_MS), to: now };
}

/** The moment of a step; null is now. */
export function momentAt(step: number, { from, to }: Span): number | null {
  if (step >= STEPS) return null;
  return Math.round(from + ((to - from) * Math.max(0, step)) / STEPS);
}

/** The step that is nearest to a moment. */
export function stepOf(moment: number | null, { from, to }: Span): number {
  if (moment === null) return STEPS;
  return Math.min(STEPS - 1, Math.max(0, Math.round(((moment - from) / (to - from)) * STEPS)));
}

interface Known {
  facts: readonly Since[];
  preferences: readonly Since[];
  decisions: readonly Since[];
  context: readonly Since[];
  first_at: string | null;
}

interface Since {
  valid_from: string;
}

/** From when the first thing was true that is known now: it may have been true long before it was said. */
export function earliest({ facts, preferences, decisions, context, first_at }: Known): string | null {
  const moments = [...facts, ...preferences, ...decisions, ...context].map(({ valid_from }) => valid_from);
  if (first_at) moments.push(first_at);
  return moments.toSorted((a, b) => Date.parse(a) - Date.parse(b))[0] ?? null;
}
