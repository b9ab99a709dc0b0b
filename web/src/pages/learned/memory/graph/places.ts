/**
 * Where communities and their members stand. A community is a disc large enough for its members, and no
 * two discs touch, so that unfolding one moves nothing. The same graph gives the same picture. Pure.
 */
export interface Place {
  x: number;
  y: number;
  radius: number;
}

interface Group {
  id: string;
  member_count: number;
}

interface Link {
  source: string;
  target: string;
  weight: number;
}

/** The radius of an entity is 1. */
const MEMBER_SPACE = 2.4;
const RADIUS_MIN = 6;
/** Between discs, as a share of their radii: room for what joins them. */
const GAP = 0.35;
/** The angle of sunflower seeds: points in its steps are spread evenly. */
const GOLDEN = Math.PI * (3 - Math.sqrt(5));

export const radiusOf = (members: number): number => Math.max(RADIUS_MIN, MEMBER_SPACE * (Math.sqrt(members) + 1));

/** The largest in the middle, each as near as it can be to those it is joined with. */
export function placeCommunities(groups: readonly Group[], links: readonly Link[]): Map<string, Place> {
  const placed = new Map<string, Place>();
  if (groups.length === 0) return placed;
  const order = groups.toSorted((a, b) => b.member_count - a.member_count || (a.id < b.id ? -1 : 1));
  const joined = neighboursOf(links);
  const space = new Space(radiusOf(order[0]?.member_count ?? 0));
  for (const { id, member_count } of order) {
    const radius = radiusOf(member_count);
    const near = centreOf(joined.get(id) ?? [], placed);
    const place = space.nearest(near.x, near.y, radius);
    placed.set(id, place);
    space.add(place);
  }
  return placed;
}

/** The first in the middle: those of most relations come first. */
export function placeMembers({ x, y }: Place, ids: readonly string[]): Map<string, Place> {
  return new Map(
    ids.map((id, at) => {
      const from = MEMBER_SPACE * Math.sqrt(at);
      return [id, { x: x + from * Math.cos(at * GOLDEN), y: y + from * Math.sin(at * GOLDEN), radius: 1 }];
    }),
  );
}

type Joined = readonly { id: string; weight: number }[];

function neighboursOf(links: readonly Link[]): Map<string, Joined> {
  const joined = new Map<string, { id: string; weight: number }[]>();
  const add = (from: string, to: string, weight: number) => {
    const known = joined.get(from);
    if (known) known.push({ id: to, weight });
    else joined.set(from, [{ id: to, weight }]);
  };
  for (const { source, target, weight } of links) {
    add(source, target, weight);
    add(target, source, weight);
  }
  return joined;
}

function centreOf(joined: Joined, placed: ReadonlyMap<string, Place>): { x: number; y: number } {
  let [x, y, sum] = [0, 0, 0];
  for (const { id, weight } of joined) {
    const place = placed.get(id);
    if (!place) continue;
    x += place.x * weight;
    y += place.y * weight;
    sum += weight;
  }
  return sum > 0 ? { x: x / sum, y: y / sum } : { x: 0, y: 0 };
}

/** Discs in a grid of cells, so that only near ones are compared. */
class Space {
  private readonly cells = new Map<string, Place[]>();
  private readonly cell: number;
  private readonly largest: number;

  constructor(largest: number) {
    this.largest = largest;
    this.cell = largest * 2;
  }

  add(place: Place): void {
    const key = `${this.at(place.x)} ${this.at(place.y)}`;
    const cell = this.cells.get(key);
    if (cell) cell.push(place);
    else this.cells.set(key, [place]);
  }

  /** The free place that is nearest to a point, along a spiral around it. */
  nearest(x: number, y: number, radius: number): Place {
    const step = radius * 0.8;
    for (let at = 0; ; at += 1) {
      const from = step * Math.sqrt(at);
      const place = { x: x + from * Math.cos(at * GOLDEN), y: y + from * Math.sin(at * GOLDEN), radius };
      if (this.isFree(place)) return place;
    }
  }

  private isFree({ x, y, radius }: Place): boolean {
    const reach = (radius + this.largest) * (1 + GAP);
    for (let column = this.at(x - reach); column <= this.at(x + reach); column += 1) {
      for (let row = this.at(y - reach); row <= this.at(y + reach); row += 1) {
        for (const other of this.cells.get(`${column} ${row}`) ?? []) {
          if (Math.hypot(other.x - x, other.y - y) < (other.radius + radius) * (1 + GAP)) return false;
        }
      }
    }
    return true;
  }

  private at(value: number): number {
    return Math.floor(value / this.cell);
  }
}
