/**
 * What the parts of a request take of it. The provider counts the whole, we estimate the parts: they
 * are scaled to the whole, so that they add up. Pure.
 */
export const PARTS = ["system", "tools", "skills", "memory", "summary", "history", "results"] as const;
export type Part = (typeof PARTS)[number];

export function contextParts(estimated: Record<Part, number>, used: number): [Part, number][] {
  const all = PARTS.reduce((sum, part) => sum + estimated[part], 0);
  if (all === 0) return [];
  const parts = PARTS.filter((part) => estimated[part] > 0);
  const scaled = parts.map((part): [Part, number] => [part, Math.floor((estimated[part] / all) * used)]);
  // What rounding leaves over is not seen in the largest.
  const largest = scaled.reduce((a, b) => (estimated[b[0]] > estimated[a[0]] ? b : a));
  largest[1] += used - scaled.reduce((sum, [, tokens]) => sum + tokens, 0);
  return scaled;
}
