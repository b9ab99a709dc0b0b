/** One server: how it is, and everything that can be done with it. */
import { DeleteOutlined, EditOutlined, ExperimentOutlined, ToolOutlined } from "@ant-design/icons";
import { Alert, App, Button, Card, Flex, Popconfirm, Switch, Tag, Typography } from "antd";
import { useState } from "react";
import { isAdmin, mayWrite, useMe } from "@/api/me";
import { ErrorNotice } from "@/components/states/ErrorNotice";
import { useTexts } from "@/i18n";
import { formatDuration } from "@/i18n/format";
import { AllowProgram } from "@/pages/mcp/AllowProgram";
import { fieldsOf, type Fields, type Server } from "@/pages/mcp/form/fields";
import { useServerActions } from "@/pages/mcp/queries";
import { ServerTools } from "@/pages/mcp/ServerTools";
import { SignIn } from "@/pages/mcp/SignIn";
import { texts } from "@/pages/mcp/texts";

const COLOURS = {
  connected: "success",
  connecting: "processing",
  disconnected: "default",
  needs_auth: "warning",
  error: "error",
  disabled: "default",
} as const;

const ALERTS: Partial<Record<Server["status"], "success" | "warning">> = {
  connected: "success",
  needs_auth: "warning",
};

interface Props {
  server: Server;
  edit: (fields: Fields) => void;
}

export function ServerCard({ server, edit }: Props) {
  const t = useTexts(texts);
  const { message } = App.useApp();
  const me = useMe();
  const actions = useServerActions();
  const [showsTools, setShowsTools] = useState(false);
  const { name } = server;
  const state = server.disabled ? "disabled" : server.status;
  // A viewer is not a client of any server, not even of their own.
  const writes = mayWrite(me);
  const mine =
    writes && (server.scope === "user" || isAdmin(me) || server.created_by === me.user_id);
  const failed = actions.toggle.error ?? actions.remove.error ?? actions.test.error;
  const tested = actions.test.data;
  return (
    <li>
      <Card size="small">
        <Flex justify="space-between" gap={8} wrap>
          <Flex gap={8} align="center" wrap style={{ minWidth: 0 }}>
            <Typography.Title level={2} style={{ fontSize: 16, margin: 0 }}>
              {name}
            </Typography.Title>
            <Tag color={COLOURS[state]}>{t(`status_${state}`)}</Tag>
            <Tag>{t(`scope_${server.scope}`)}</Tag>
            <Tag>{server.transport}</Tag>
          </Flex>
          {mine && (
            <Switch
              size="small"
              aria-label={t("enabled", { name })}
              checked={!server.disabled}
              loading={actions.toggle.isPending}
              onChange={() => actions.toggle.mutate(server)}
            />
          )}
        </Flex>
        <code style={{ display: "block", margin: "6px 0", overflowWrap: "anywhere" }}>
          {server.url || [server.command, ...server.args].join(" ")}
        </code>
        {writes && server.needs_allow && (
          <AllowProgram server={server} allowed={() => actions.test.reset()} />
        )}
        {!tested && !server.needs_allow && (
          <Typography.Paragraph
            type={state === "error" ? "danger" : "secondary"}
            style={{ margin: "0 0 6px", whiteSpace: "pre-wrap", overflowWrap: "break-word" }}
          >
            {server.status_detail || (state === "disconnected" && t("lazy"))}
          </Typography.Paragraph>
        )}
        {writes && (
          <Flex gap={8} wrap>
            <Button
              size="small"
              icon={<ExperimentOutlined />}
              disabled={server.disabled}
              loading={actions.test.isPending}
              onClick={() => actions.test.mutate(server)}
            >
              {t("test")}
            </Button>
            <Button
              size="small"
              icon={<ToolOutlined />}
              disabled={server.disabled}
              aria-expanded={showsTools}
              onClick={() => setShowsTools(!showsTools)}
            >
              {t(showsTools ? "tools_hide" : "tools")}
            </Button>
            {server.transport !== "stdio" && !server.disabled && (
              <SignIn server={server} began={() => actions.test.reset()} />
            )}
            {mine && (
              <>
                <Button size="small" icon={<EditOutlined />} onClick={() => edit(fieldsOf(server))}>
                  {t("edit")}
                </Button>
                <Popconfirm
                  title={t("remove_ask", { name })}
                  description={t("remove_hint")}
                  okText={t("remove")}
                  okButtonProps={{ danger: true }}
                  cancelText={t("cancel")}
                  onConfirm={() =>
                    actions.remove
                      .mutateAsync(server)
                      .then(() => void message.success(t("removed", { name })))
                      .catch(() => undefined)
                  }
                >
                  <Button size="small" danger icon={<DeleteOutlined />}>
                    {t("remove")}
                  </Button>
                </Popconfirm>
              </>
            )}
          </Flex>
        )}
        {tested && (
          <Alert
            role="status"
            showIcon
            closable
            onClose={() => actions.test.reset()}
            type={ALERTS[tested.status] ?? "error"}
            style={{ marginTop: 8, overflowWrap: "break-word" }}
            title={
              tested.status === "connected"
                ? t("test_ok", {
                    tools: tested.tools,
                    protocol: tested.protocol_version,
                    time: formatDuration(tested.elapsed_ms),
                  })
                : t("test_bad", {
                    time: formatDuration(tested.elapsed_ms),
                    detail: tested.detail || t(`status_${tested.status}`),
                  })
            }
          />
        )}
        {failed && <ErrorNotice error={failed} />}
        {showsTools && <ServerTools server={server} />}
      </Card>
    </li>
  );
}
