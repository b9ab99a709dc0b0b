/** What of the graph is unfolded and what is looked at; it outlives a visit to another page of the memory. */
import { useMemo, useState } from "react";
import { useNavigate } from "react-router";
import { create } from "zustand";
import { useTexts } from "@/i18n";
import { formatNumber } from "@/i18n/format";
import { useAlone, useMembers } from "@/pages/learned/memory/graph/queries";
import {
  communityNode,
  layoutOf,
  sceneOf,
  type Community,
  type Entity,
  type Layout,
  type Nodes,
  type Overview,
  type Scene,
} from "@/pages/learned/memory/graph/scene";
import { texts } from "@/pages/learned/memory/texts";

interface Kept {
  unfolded: readonly string[];
  chosen: string | null;
  /** What a search found last: of a large community only a part is shown. */
  found: Entity | null;
}

const useKept = create<Kept>()(() => ({ unfolded: [], chosen: null, found: null }));

export interface GraphView {
  layout: Layout;
  scene: Scene;
  /** The members of communities that are unfolded and have come. */
  members: ReadonlyMap<string, Nodes>;
  alone: Nodes | undefined;
  isLoading: boolean;
  error: Error | null;
  unfolded: readonly string[];
  chosen: string | null;
  chosenCommunity: Community | null;
  chosenEntity: Entity | null;
  said: string;
  looks: number;
  choose: (id: string) => void;
  /** Unfolds a folded community; looks at an entity, and goes to the page of the one that is looked at. */
  open: (id: string) => void;
  toggle: (communityId: string) => void;
  showEntity: (entity: Entity) => void;
}

const NO_ENTITIES: readonly Entity[] = [];

export function useGraphView(overview: Overview): GraphView {
  const t = useTexts(texts);
  const navigate = useNavigate();
  const { unfolded, chosen, found } = useKept();
  const [looks, setLooks] = useState(0);
  const known = useMemo(() => new Map(overview.communities.map((each) => [each.id, each])), [overview]);
  const wanted = useMemo(() => unfolded.filter((id) => known.has(id)), [unfolded, known]);
  const alone = useAlone(overview.alone_count > 0);
  const members = useMembers(wanted);
  const aloneEntities = alone.data?.entities ?? NO_ENTITIES;
  const layout = useMemo(() => layoutOf(overview, aloneEntities), [overview, aloneEntities]);
  const scene = useMemo(
    () => sceneOf(overview, layout, alone.data, members.nodes),
    [overview, layout, alone.data, members.nodes],
  );
  const entities = useMemo(() => {
    const all = [...members.nodes.values(), ...(alone.data ? [alone.data] : [])].flatMap((each) => each.entities);
    return new Map(all.map((each) => [each.id, each]));
  }, [members.nodes, alone.data]);
  const isThere = chosen !== null && scene.nodes.has(chosen);
  const chosenCommunity = (chosen && overview.communities.find(({ id }) => communityNode(id) === chosen)) || null;
  const chosenEntity = (chosen && (entities.get(chosen) ?? (found?.id === chosen ? found : null))) || null;
  const choose = (id: string) => useKept.setState({ chosen: id });
  const toggle = (id: string) => {
    const isFolded = !unfolded.includes(id);
    useKept.setState({
      unfolded: isFolded ? [...unfolded, id] : unfolded.filter((each) => each !== id),
      chosen: communityNode(id),
    });
    if (isFolded) setLooks((now) => now + 1);
  };
  const open = (id: string) => {
    const community = overview.communities.find((each) => communityNode(each.id) === id);
    if (community && !unfolded.includes(community.id)) toggle(community.id);
    else if (!community && id === chosen) void navigate(`/memory/entities/${encodeURIComponent(id)}`);
    else choose(id);
  };
  const showEntity = (entity: Entity) => {
    const { id, community_id } = entity;
    useKept.setState(({ unfolded: now }) => ({
      unfolded: community_id && known.has(community_id) && !now.includes(community_id) ? [...now, community_id] : now,
      chosen: id,
      found: entity,
    }));
    setLooks((now) => now + 1);
  };
  return {
    layout,
    scene,
    members: members.nodes,
    alone: alone.data,
    isLoading: members.isLoading,
    error: members.error ?? alone.error,
    unfolded: wanted,
    chosen: isThere ? chosen : null,
    chosenCommunity,
    chosenEntity,
    said: saidOf(),
    looks,
    choose,
    open,
    toggle,
    showEntity,
  };

  function saidOf(): string {
    if (chosenEntity) return t("said_entity", { name: chosenEntity.name, type: chosenEntity.type });
    if (!chosenCommunity) return "";
    const { id, name, member_count } = chosenCommunity;
    return t(unfolded.includes(id) ? "said_unfolded" : "said_folded", { name, count: formatNumber(member_count) });
  }
}
