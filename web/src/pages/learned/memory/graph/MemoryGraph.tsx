/** The knowledge graph: communities first, their members when they are unfolded, and a table of the same. */
import { Flex, Typography } from "antd";
import { LinkButton } from "@/components/links/LinkButton";
import { EmptyState } from "@/components/states/EmptyState";
import { NextStep } from "@/components/states/NextStep";
import { ErrorNotice } from "@/components/states/ErrorNotice";
import { Resource } from "@/components/states/Resource";
import { useTexts } from "@/i18n";
import { formatNumber } from "@/i18n/format";
import { ChosenCard } from "@/pages/learned/memory/graph/ChosenCard";
import { EntityFinder } from "@/pages/learned/memory/graph/EntityFinder";
import { GraphCanvas } from "@/pages/learned/memory/graph/GraphCanvas";
import { GraphTable } from "@/pages/learned/memory/graph/GraphTable";
import { useOverview } from "@/pages/learned/memory/graph/queries";
import type { Overview } from "@/pages/learned/memory/graph/scene";
import { useGraphView } from "@/pages/learned/memory/graph/useGraphView";
import { texts } from "@/pages/learned/memory/texts";

export default function MemoryGraph() {
  const t = useTexts(texts);
  const overview = useOverview();
  return (
    <Resource
      query={overview}
      isEmpty={({ entity_count }) => entity_count === 0}
      empty={
        <EmptyState
          title={t("graph_none")}
          action={
            <NextStep>
              <LinkButton to="/chat" type="primary">
                {t("to_chat")}
              </LinkButton>
            </NextStep>
          }
        >
          {t("graph_none_hint")}
        </EmptyState>
      }
    >
      {(found) => <View overview={found} />}
    </Resource>
  );
}

function View({ overview }: { overview: Overview }) {
  const t = useTexts(texts);
  const view = useGraphView(overview);
  return (
    <Flex vertical gap={12}>
      <Typography.Text type="secondary">
        {t("graph_counts", {
          entities: formatNumber(overview.entity_count),
          communities: formatNumber(overview.communities.length),
        })}{" "}
        {t("graph_hint")}
      </Typography.Text>
      {view.error && <ErrorNotice error={view.error} />}
      <div className="graph">
        <GraphCanvas
          layout={view.layout}
          scene={view.scene}
          chosen={view.chosen}
          said={view.said}
          looks={view.looks}
          choose={view.choose}
          open={view.open}
        />
        <Flex vertical gap={12} className="graph-beside">
          <EntityFinder show={view.showEntity} />
          <ChosenCard view={view} />
          <GraphTable overview={overview} view={view} />
        </Flex>
      </div>
    </Flex>
  );
}
