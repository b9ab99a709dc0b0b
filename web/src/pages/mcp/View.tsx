/** MCP servers (S0's page): what there is and how it is, adding, trying, signing in, deleting. */
import { PlusOutlined, SnippetsOutlined } from "@ant-design/icons";
import { Button, Flex } from "antd";
import { useState } from "react";
import { mayWrite, useMe } from "@/api/me";
import { EmptyState } from "@/components/states/EmptyState";
import { ForMembers } from "@/components/page/ForMembers";
import { NextStep } from "@/components/states/NextStep";
import { PageFrame } from "@/components/page/PageFrame";
import { Resource } from "@/components/states/Resource";
import { useTexts } from "@/i18n";
import { Examples } from "@/pages/mcp/paste/Examples";
import { EMPTY_FIELDS, fieldsFrom, type Fields, type Server } from "@/pages/mcp/form/fields";
import { pageTexts } from "@/pages/mcp/page.texts";
import { PasteDialog } from "@/pages/mcp/paste/PasteDialog";
import { Policy } from "@/pages/mcp/Policy";
import { useServers } from "@/pages/mcp/queries";
import { ServerCard } from "@/pages/mcp/ServerCard";
import { ServerForm } from "@/pages/mcp/form/ServerForm";
import { texts } from "@/pages/mcp/texts";

interface Editing {
  server: Server | null;
  fields: Fields;
}

export default function View() {
  const t = useTexts(texts);
  const p = useTexts(pageTexts);
  const writes = mayWrite(useMe());
  const servers = useServers();
  const [editing, setEditing] = useState<Editing | null>(null);
  const [pasting, setPasting] = useState(false);
  const create = (fields: Fields) => setEditing({ server: null, fields });
  return (
    <PageFrame
      title={p("title")}
      hint={p("hint")}
      extra={
        <ForMembers>
          <Button icon={<SnippetsOutlined />} onClick={() => setPasting(true)}>
            {t("paste")}
          </Button>
          <Button type="primary" icon={<PlusOutlined />} onClick={() => create(EMPTY_FIELDS)}>
            {t("add")}
          </Button>
        </ForMembers>
      }
    >
      <Flex vertical gap={16}>
        <Policy />
        <Resource
          query={servers}
          empty={
            <EmptyState
              title={t("empty")}
              action={
                <NextStep>
                  <Button onClick={() => create(EMPTY_FIELDS)}>{t("add")}</Button>
                </NextStep>
              }
            >
              {t("empty_hint")}
            </EmptyState>
          }
        >
          {(items) => (
            <Flex vertical gap={12} component="ul" style={{ listStyle: "none", margin: 0, padding: 0 }}>
              {items.map((server) => (
                <ServerCard
                  key={`${server.scope} ${server.project_id ?? ""} ${server.name}`}
                  server={server}
                  edit={(fields) => setEditing({ server, fields })}
                />
              ))}
            </Flex>
          )}
        </Resource>
        {writes && <Examples use={(example) => create(fieldsFrom(example))} />}
      </Flex>
      {editing && (
        <ServerForm
          key={editing.server?.version ?? "new"}
          server={editing.server}
          fields={editing.fields}
          close={() => setEditing(null)}
        />
      )}
      {pasting && (
        <PasteDialog
          close={() => setPasting(false)}
          fill={(server) => (setPasting(false), create(fieldsFrom(server)))}
        />
      )}
    </PageFrame>
  );
}
