/** The graph as a table: each community with its members below it when it is unfolded; the same as the picture. */
import { CaretRightOutlined } from "@ant-design/icons";
import { Button } from "antd";
import { useState } from "react";
import { useTexts } from "@/i18n";
import { formatNumber } from "@/i18n/format";
import type { Community, Entity, Overview } from "@/pages/learned/memory/graph/scene";
import type { GraphView } from "@/pages/learned/memory/graph/useGraphView";
import { texts } from "@/pages/learned/memory/texts";
import "@/components/tables/rows.css";

interface Props {
  overview: Overview;
  view: GraphView;
}

const MEMBERS_FIRST = 30;
const COMMUNITIES_FIRST = 60;

export function GraphTable({ overview: { communities }, view }: Props) {
  const t = useTexts(texts);
  const [shown, setShown] = useState(COMMUNITIES_FIRST);
  return (
    <>
      <div className="rows graph-table" tabIndex={0} role="group" aria-label={t("graph_table")}>
        <table>
          <thead>
            <tr>
              <th scope="col">{t("name")}</th>
              <th scope="col">{t("entity_type")}</th>
              <th scope="col" className="number">
                {t("members_column")}
              </th>
            </tr>
          </thead>
          <tbody>
            {communities.slice(0, shown).map((each) => (
              <CommunityRows key={each.id} community={each} view={view} />
            ))}
            {(view.alone?.entities ?? []).map((each) => (
              <EntityRow key={each.id} entity={each} view={view} isMember={false} />
            ))}
          </tbody>
        </table>
      </div>
      {communities.length > shown && (
        <Button size="small" type="link" style={{ alignSelf: "start" }} onClick={() => setShown(communities.length)}>
          {t("all_communities", { count: formatNumber(communities.length) })}
        </Button>
      )}
    </>
  );
}

function CommunityRows({ community: { id, name, member_count }, view }: { community: Community; view: GraphView }) {
  const t = useTexts(texts);
  const [shown, setShown] = useState(MEMBERS_FIRST);
  const isUnfolded = view.unfolded.includes(id);
  const members = isUnfolded ? (view.members.get(id)?.entities ?? []) : [];
  return (
    <>
      <tr className={view.chosenCommunity?.id === id ? "chosen" : undefined}>
        <th scope="row">
          <button type="button" className="graph-name" aria-expanded={isUnfolded} onClick={() => view.toggle(id)}>
            <CaretRightOutlined className="graph-arrow" aria-hidden /> {name}
          </button>
        </th>
        <td>{t("community")}</td>
        <td className="number">{formatNumber(member_count)}</td>
      </tr>
      {members.slice(0, shown).map((each) => (
        <EntityRow key={each.id} entity={each} view={view} isMember />
      ))}
      {members.length > shown && (
        <tr>
          <td colSpan={3}>
            <Button size="small" type="link" onClick={() => setShown(members.length)}>
              {t("all_members", { count: formatNumber(members.length), name })}
            </Button>
          </td>
        </tr>
      )}
    </>
  );
}

interface EntityRowProps {
  entity: Entity;
  view: GraphView;
  isMember: boolean;
}

function EntityRow({ entity, view, isMember }: EntityRowProps) {
  return (
    <tr className={view.chosen === entity.id ? "chosen" : undefined}>
      <th scope="row" className={isMember ? "graph-member" : undefined}>
        <button type="button" className="graph-name" aria-pressed={view.chosen === entity.id} onClick={() => view.showEntity(entity)}>
          {entity.name}
        </button>
      </th>
      <td>{entity.type}</td>
      <td />
    </tr>
  );
}
