/** What is looked at: a community with its summary, or an entity with the way to its page. */
import { Button, Flex, Tag, Typography } from "antd";
import { LinkButton } from "@/components/links/LinkButton";
import { useTexts } from "@/i18n";
import { formatNumber } from "@/i18n/format";
import type { GraphView } from "@/pages/learned/memory/graph/useGraphView";
import { texts } from "@/pages/learned/memory/texts";

export function ChosenCard({ view }: { view: GraphView }) {
  const t = useTexts(texts);
  const { chosenCommunity: community, chosenEntity: entity, unfolded, isLoading, toggle } = view;
  if (entity) {
    return (
      <section className="graph-card" aria-label={entity.name}>
        <Flex gap={8} wrap align="center">
          <strong className="graph-title">{entity.name}</strong>
          <Tag>{entity.type}</Tag>
        </Flex>
        {entity.summary && <Typography.Paragraph type="secondary">{entity.summary}</Typography.Paragraph>}
        <LinkButton size="small" to={`/memory/entities/${encodeURIComponent(entity.id)}`}>
          {t("open_entity")}
        </LinkButton>
      </section>
    );
  }
  if (!community) return null;
  const isUnfolded = unfolded.includes(community.id);
  return (
    <section className="graph-card" aria-label={community.name}>
      <strong className="graph-title">{community.name}</strong>
      <Typography.Paragraph type="secondary">
        {t("members", { count: formatNumber(community.member_count) })}
        {community.summary && ` · ${community.summary}`}
      </Typography.Paragraph>
      <Button size="small" loading={isLoading && isUnfolded} aria-expanded={isUnfolded} onClick={() => toggle(community.id)}>
        {t(isUnfolded ? "fold" : "unfold")}
      </Button>
    </section>
  );
}
