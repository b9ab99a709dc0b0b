/** What joins an entity with others, those of most weight first; what holds no longer says so. */
import { Flex, Tag } from "antd";
import { Link } from "react-router";
import type { Schemas } from "@/api/client";
import { EmptyState } from "@/components/states/EmptyState";
import { Entries, Entry } from "@/components/tables/Entries";
import { useTexts } from "@/i18n";
import { formatDay } from "@/i18n/format";
import { TellSomething } from "@/pages/learned/memory/TellSomething";
import { texts } from "@/pages/learned/memory/texts";

export function Relations({ view: { entity, relations, neighbours } }: { view: Schemas["EntityDetail"] }) {
  const t = useTexts(texts);
  const names = new Map(neighbours.map((each) => [each.id, each.name]));
  if (relations.length === 0)
    return (
      <EmptyState title={t("relations_none")} action={<TellSomething about={entity.name} />}>
        {t("relations_none_hint")}
      </EmptyState>
    );
  return (
    <Entries>
      {relations.map((each) => {
        const other = each.source_id === entity.id ? each.target_id : each.source_id;
        const from = formatDay(each.valid_from);
        const isOver = each.valid_to !== null || each.retired_at !== null;
        return (
          <Entry
            key={each.id}
            title={
              <Flex gap={8} wrap align="center" component="span">
                <span style={{ minWidth: 0, overflowWrap: "break-word" }}>{each.fact || each.name}</span>
                {isOver && <Tag>{t("relation_over")}</Tag>}
              </Flex>
            }
            line={each.valid_to === null ? t("since", { from }) : t("from_to", { from, to: formatDay(each.valid_to) })}
            actions={<Link to={`/memory/entities/${encodeURIComponent(other)}`}>{names.get(other) ?? t("other_end")}</Link>}
          />
        );
      })}
    </Entries>
  );
}
