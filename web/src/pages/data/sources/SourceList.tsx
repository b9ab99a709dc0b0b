/** The named sources: of the tenant, and of the current project. */
import { DatabaseOutlined, DeleteOutlined, PlusOutlined, SettingOutlined } from "@ant-design/icons";
import { Alert, Button, Flex, Popconfirm, Tag, Typography } from "antd";
import { useState } from "react";
import { isAdmin, mayWrite, useMe } from "@/api/me";
import { EmptyState } from "@/components/states/EmptyState";
import { ErrorNotice } from "@/components/states/ErrorNotice";
import { GuardedLink } from "@/components/links/GuardedLink";
import { NextStep } from "@/components/states/NextStep";
import { Resource } from "@/components/states/Resource";
import { useTexts } from "@/i18n";
import { useDataText } from "@/i18n/dataTexts";
import { formatDuration } from "@/i18n/format";
import { Entries, Entry } from "@/components/tables/Entries";
import { sourceLink } from "@/pages/data/places";
import { useProject, useSources, type Source } from "@/pages/data/queries";
import { SourceForm } from "@/pages/data/sources/SourceForm";
import { useDeleteSource, useTestSource } from "@/pages/data/sources/queries";
import { texts } from "@/pages/data/sources/texts";

type Editing = { source: Source | null } | null;

export function SourceList() {
  const t = useTexts(texts);
  const me = useMe();
  const project = useProject();
  const sources = useSources();
  const [editing, setEditing] = useState<Editing>(null);
  // Whose a project is, the server says when it is tried.
  const mayAdd = me.role !== "viewer" && (isAdmin(me) || project !== undefined);
  const add = mayAdd && (
    <Button icon={<PlusOutlined />} onClick={() => setEditing({ source: null })}>
      {t("add")}
    </Button>
  );
  return (
    <section aria-labelledby="named-sources">
      <Flex justify="space-between" align="center" wrap gap={8} style={{ marginBottom: 8 }}>
        <Typography.Title level={2} id="named-sources" style={{ fontSize: 18, margin: 0 }}>
          {t("sources")}
        </Typography.Title>
        {add}
      </Flex>
      {!mayAdd && <Typography.Paragraph type="secondary">{t("not_yours")}</Typography.Paragraph>}
      <Resource
        query={sources}
        empty={
          <EmptyState title={t("sources")} action={<NextStep>{add}</NextStep>}>
            {project ? t("sources_empty_project") : t("sources_empty")}
          </EmptyState>
        }
      >
        {(found) => (
          <Entries>
            {found.map((source) => (
              <SourceEntry
                key={`${source.project_id ?? ""}/${source.name}`}
                source={source}
                mayChange={mayAdd && (isAdmin(me) || source.project_id !== null)}
                change={() => setEditing({ source })}
              />
            ))}
          </Entries>
        )}
      </Resource>
      {editing && <SourceForm source={editing.source} close={() => setEditing(null)} />}
    </section>
  );
}

interface EntryProps {
  source: Source;
  mayChange: boolean;
  change: () => void;
}

function SourceEntry({ source, mayChange, change }: EntryProps) {
  const t = useTexts(texts);
  const mayTest = mayWrite(useMe());
  const test = useTestSource();
  const remove = useDeleteSource(source.name, source.project_id);
  const { name } = source;
  return (
    <Entry
      title={
        <>
          <DatabaseOutlined aria-hidden /> <GuardedLink to={sourceLink(name)}>{name}</GuardedLink>
        </>
      }
      line={
        <>
          <Tag>{source.kind}</Tag> <Tag>{source.project_id ? t("of_project") : t("of_tenant")}</Tag> {source.place}
          {source.description && <div>{source.description}</div>}
        </>
      }
      actions={
        <>
          {mayTest && (
            <Button
              size="small"
              aria-label={t("test_of", { name })}
              loading={test.isPending}
              onClick={() => test.mutate(name)}
            >
              {t("test")}
            </Button>
          )}
          {mayChange && (
            <>
              <Button
                size="small"
                icon={<SettingOutlined />}
                aria-label={t("form_title_change", { name })}
                onClick={change}
              />
              <Popconfirm
                title={t("remove_ask", { name })}
                description={t("remove_hint")}
                okText={t("remove")}
                onConfirm={() => remove.mutate()}
              >
                <Button
                  size="small"
                  danger
                  icon={<DeleteOutlined />}
                  aria-label={t("remove_of", { name })}
                  loading={remove.isPending}
                />
              </Popconfirm>
            </>
          )}
        </>
      }
    >
      {(test.error ?? remove.error) && <ErrorNotice error={test.error ?? remove.error} />}
      {test.data && <Tested found={test.data} />}
    </Entry>
  );
}

function Tested({ found }: { found: NonNullable<ReturnType<typeof useTestSource>["data"]> }) {
  const t = useTexts(texts);
  const count = found.tables === 1 ? t("one_table") : t("tables", { count: found.tables });
  return (
    <Flex vertical gap={8} style={{ marginTop: 8 }} role="status">
      <Alert
        type="success"
        showIcon
        title={`${t("reached", { time: formatDuration(found.elapsed_ms) })} · ${count}`}
      />
      {found.warnings.length > 0 && (
        <Alert type="warning" showIcon title={t("warnings")} description={<Lines of={found.warnings} />} />
      )}
      {found.notes.length > 0 && (
        <Alert type="info" showIcon title={t("notes")} description={<Lines of={found.notes} />} />
      )}
    </Flex>
  );
}

function Lines({ of }: { of: string[] }) {
  const said = useDataText();
  return (
    <ul style={{ margin: 0, paddingInlineStart: 18 }}>
      {of.map((line) => (
        <li key={line} style={{ whiteSpace: "pre-wrap", overflowWrap: "break-word" }}>
          {said(line)}
        </li>
      ))}
    </ul>
  );
}
