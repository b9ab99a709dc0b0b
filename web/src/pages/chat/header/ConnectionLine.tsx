/** The line to the server, only when there is something to say about it. */
import { Button, Flex } from "antd";
import { useEffect, useState } from "react";
import { Link } from "react-router";
import { chatTexts } from "@/pages/chat/texts";
import { useTexts } from "@/i18n";
import type { ConnectionState } from "@/stream/connection";
import { retryNow } from "@/stream/store";

const PATIENCE_MS = 2000;

export function ConnectionLine({ sessionId, state }: { sessionId: string; state: ConnectionState }) {
  const t = useTexts(chatTexts);
  const late = useLate(state.kind === "waiting" || state.kind === "connecting");
  return (
    <div role="status" className="chat-connection">
      {state.kind === "ended" && <Ended code={state.code} />}
      {late && (state.kind === "waiting" || state.kind === "connecting") && (
        <Flex gap={8} align="center" justify="center" wrap>
          {state.kind === "waiting" ? t("reconnecting") : t("connecting")}
          <Button size="small" onClick={() => retryNow(sessionId)}>
            {t("retry_now")}
          </Button>
        </Flex>
      )}
    </div>
  );
}

/** A short loss is not shown. */
function useLate(down: boolean): boolean {
  const [late, setLate] = useState(false);
  useEffect(() => {
    setLate(false);
    if (!down) return undefined;
    const timer = setTimeout(() => setLate(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, [down]);
  return late;
}

function Ended({ code }: { code: Extract<ConnectionState, { kind: "ended" }>["code"] }) {
  const t = useTexts(chatTexts);
  return (
    <Flex gap={8} align="center" justify="center" wrap>
      {code === "UNAUTHENTICATED" && (
        <>
          {t("ended_signed_out")}
          <Button size="small" onClick={() => window.location.reload()}>
            {t("sign_in")}
          </Button>
        </>
      )}
      {code === "NOT_FOUND" && t("ended_gone")}
      {code === "PERMISSION_DENIED" && t("ended_denied")}
      {code !== "UNAUTHENTICATED" && <Link to="/chat">{t("new_chat")}</Link>}
    </Flex>
  );
}
