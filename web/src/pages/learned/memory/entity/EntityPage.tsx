/** One entity of the graph: what it is, what is said of it, when it began and ended, and who mentions it. */
import { Flex, Popconfirm, Button, Tabs, Tag, Typography } from "antd";
import { DeleteOutlined } from "@ant-design/icons";
import { Link, useNavigate, useParams, useSearchParams } from "react-router";
import type { Schemas } from "@/api/client";
import { useThingTitle } from "@/app/navigation/title";
import { ErrorNotice } from "@/components/states/ErrorNotice";
import { Resource } from "@/components/states/Resource";
import { useTexts } from "@/i18n";
import { formatNumber } from "@/i18n/format";
import { aliasReason } from "@/pages/learned/memory/entity/aliasReason";
import { EditEntity } from "@/pages/learned/memory/entity/EditEntity";
import { EntityTimeline } from "@/pages/learned/memory/entity/EntityTimeline";
import { Relations } from "@/pages/learned/memory/entity/Relations";
import { useEntity, useEntityActions } from "@/pages/learned/memory/graph/queries";
import { texts } from "@/pages/learned/memory/texts";

export function EntityPage() {
  const t = useTexts(texts);
  const { entityId = "" } = useParams();
  const entity = useEntity(entityId);
  return (
    <Flex vertical gap={12}>
      <Link to="/memory/graph">← {t("graph")}</Link>
      <Resource query={entity}>{(found) => <Open key={found.entity.id} view={found} />}</Resource>
    </Flex>
  );
}

function Open({ view }: { view: Schemas["EntityDetail"] }) {
  const t = useTexts(texts);
  const [params, setParams] = useSearchParams();
  const { entity } = view;
  const others = Object.entries(entity.aliases);
  useThingTitle(entity.name);
  return (
    <>
      <Flex justify="space-between" gap={12} wrap align="start">
        <div style={{ minWidth: 0, flex: "1 1 320px" }}>
          <Flex gap={8} wrap align="center">
            <Typography.Title level={2} style={{ fontSize: 20, margin: 0, minWidth: 0, overflowWrap: "break-word" }}>
              {entity.name}
            </Typography.Title>
            <Tag>{entity.type}</Tag>
          </Flex>
          {entity.summary && (
            <Typography.Paragraph type="secondary" style={{ margin: "4px 0 0", maxWidth: 720 }}>
              {entity.summary}
            </Typography.Paragraph>
          )}
          {others.length > 0 && (
            <Typography.Paragraph type="secondary" style={{ margin: "4px 0 0" }}>
              {t("aliases", { names: others.map(([name, why]) => (why ? `${name} (${aliasReason(why, t)})` : name)).join(", ") })}
            </Typography.Paragraph>
          )}
        </div>
        <RemoveEntity entity={entity} />
      </Flex>
      <Tabs
        activeKey={params.get("tab") ?? "timeline"}
        onChange={(tab) => setParams({ tab }, { replace: true })}
        items={[
          { key: "timeline", label: t("timeline"), children: <EntityTimeline view={view} /> },
          {
            key: "relations",
            label: t("relations", { count: formatNumber(view.relations.length) }),
            children: <Relations view={view} />,
          },
          { key: "edit", label: t("edit"), children: <EditEntity entity={entity} /> },
        ]}
      />
    </>
  );
}

function RemoveEntity({ entity: { id, name } }: { entity: Schemas["EntityInfo"] }) {
  const t = useTexts(texts);
  const navigate = useNavigate();
  const { remove } = useEntityActions(id);
  return (
    <div>
      <Popconfirm
        title={t("entity_remove_ask", { name })}
        description={<div style={{ maxWidth: 320 }}>{t("entity_remove_hint")}</div>}
        okText={t("remove")}
        okButtonProps={{ danger: true }}
        cancelText={t("cancel")}
        onConfirm={() =>
          remove
            .mutateAsync()
            .then(() => void navigate("/memory/graph"))
            .catch(() => undefined)
        }
      >
        <Button size="small" danger icon={<DeleteOutlined />} aria-label={t("entity_remove_of", { name })}>
          {t("remove")}
        </Button>
      </Popconfirm>
      {remove.error && <ErrorNotice error={remove.error} />}
    </div>
  );
}
