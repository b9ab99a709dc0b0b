/** Signing in happens in another window; this one looks until the server says it worked. */
import { LoginOutlined, LogoutOutlined } from "@ant-design/icons";
import { Alert, App, Button, Popconfirm } from "antd";
import { useEffect, useRef, useState } from "react";
import { ErrorNotice } from "@/components/states/ErrorNotice";
import { useTexts } from "@/i18n";
import type { Server } from "@/pages/mcp/form/fields";
import { useServerActions } from "@/pages/mcp/queries";
import { texts } from "@/pages/mcp/texts";

const LOOK_MS = 4000;

interface Props {
  server: Server;
  /** What was known of the server before is old news. */
  began: () => void;
}

export function SignIn({ server, began }: Props) {
  const t = useTexts(texts);
  const { message } = App.useApp();
  const { signIn, signOut, test } = useServerActions();
  const [until, setUntil] = useState(0);
  const looking = useRef(false);
  const failed = signOut.error ?? signIn.error;
  const { name } = server;
  const begin = async () => {
    began();
    const { authorization_url, expires_in } = await signIn.mutateAsync(server);
    window.open(authorization_url, "_blank", "noopener,noreferrer");
    setUntil(Date.now() + expires_in * 1000);
  };
  useEffect(() => {
    if (!until) return;
    const look = async () => {
      if (looking.current) return;
      if (Date.now() > until) return setUntil(0);
      looking.current = true;
      try {
        const { status } = await test.mutateAsync(server);
        if (status !== "connected") return;
        setUntil(0);
        void message.success(t("signed_in", { name }));
      } catch {
        // The next look may fare better; the window is still open.
      } finally {
        looking.current = false;
      }
    };
    const timer = setInterval(() => void look(), LOOK_MS);
    return () => clearInterval(timer);
  });
  if (server.status === "connected" && !until) {
    return (
      <>
        <Popconfirm
          title={t("sign_out_ask", { name })}
          okText={t("sign_out")}
          cancelText={t("cancel")}
          onConfirm={() => {
            began();
            signOut.mutate(server, {
              onSuccess: ({ revoked }) =>
                void message.success(t(revoked ? "signed_out" : "signed_out_here")),
            });
          }}
        >
          <Button size="small" icon={<LogoutOutlined />} loading={signOut.isPending}>
            {t("sign_out")}
          </Button>
        </Popconfirm>
        {failed && <ErrorNotice error={failed} />}
      </>
    );
  }
  return (
    <>
      <Button
        size="small"
        type={server.status === "needs_auth" ? "primary" : "default"}
        icon={<LoginOutlined />}
        loading={signIn.isPending}
        onClick={() => void begin().catch(() => undefined)}
      >
        {t("sign_in")}
      </Button>
      {until > 0 && signIn.data && (
        <Alert
          role="status"
          style={{ flexBasis: "100%" }}
          type="info"
          showIcon
          title={t("sign_in_wait")}
          description={
            <>
              {t("sign_in_go")}{" "}
              <a href={signIn.data.authorization_url} target="_blank" rel="noopener noreferrer">
                {t("sign_in_open")}
              </a>
            </>
          }
        />
      )}
      {failed && <ErrorNotice error={failed} />}
    </>
  );
}
