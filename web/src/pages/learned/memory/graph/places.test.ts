import fc from "fast-check";
import { expect, test } from "vitest";
import { placeCommunities, placeMembers, type Place } from "@/pages/learned/memory/graph/places";

const graphs = fc
  .array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 40 })
  .chain((sizes) => {
    const ids = fc.integer({ min: 0, max: sizes.length - 1 }).map(String);
    const links = fc.array(fc.record({ source: ids, target: ids, weight: fc.integer({ min: 1, max: 9 }) }), { maxLength: 60 });
    const groups = sizes.map((member_count, at) => ({ id: String(at), member_count }));
    return links.map((all) => ({ groups, links: all }));
  });

const apart = (a: Place, b: Place): number => Math.hypot(a.x - b.x, a.y - b.y) - a.radius - b.radius;

test("no two communities touch, and members stand within theirs, apart from each other", () => {
  fc.assert(
    fc.property(graphs, ({ groups, links }) => {
      const places = placeCommunities(groups, links);
      const all = [...places.values()];
      all.forEach((place, at) => all.slice(at + 1).forEach((other) => expect(apart(place, other)).toBeGreaterThan(0)));
      const { id, member_count } = groups[0]!;
      const disc = places.get(id)!;
      const members = [...placeMembers(disc, Array.from({ length: member_count }, (_, at) => `e${at}`)).values()];
      members.forEach((member, at) => {
        expect(Math.hypot(member.x - disc.x, member.y - disc.y) + 1).toBeLessThanOrEqual(disc.radius);
        if (at > 0) expect(apart(members[at - 1]!, member)).toBeGreaterThan(0);
      });
    }),
    { numRuns: 30 },
  );
});

test("the same graph gives the same picture, in whatever order it comes", () => {
  fc.assert(
    fc.property(graphs, ({ groups, links }) => {
      expect(placeCommunities(groups.toReversed(), links)).toEqual(placeCommunities(groups, links));
    }),
    { numRuns: 20 },
  );
});
