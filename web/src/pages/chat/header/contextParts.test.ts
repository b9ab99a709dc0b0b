import fc from "fast-check";
import { expect, test } from "vitest";
import { contextParts, PARTS } from "@/pages/chat/header/contextParts";

const counts = fc.record(Object.fromEntries(PARTS.map((each) => [each, fc.nat(200_000)])) as Record<(typeof PARTS)[number], fc.Arbitrary<number>>);

test("the parts add up to what the provider counted, and keep their order", () => {
  fc.assert(
    fc.property(counts, fc.integer({ min: 1, max: 1_000_000 }), (estimated, used) => {
      const parts = contextParts(estimated, used);
      if (Object.values(estimated).every((each) => each === 0)) return expect(parts).toEqual([]);
      expect(parts.reduce((sum, [, tokens]) => sum + tokens, 0)).toBe(used);
      for (const [name, tokens] of parts) {
        for (const [other, fewer] of parts) {
          if (estimated[name] > estimated[other]) expect(tokens).toBeGreaterThanOrEqual(fewer);
        }
      }
    }),
  );
});
