/** Reads the whole chain and says in words what came of it. */
import { Alert, Button, Flex, Input, Typography } from "antd";
import { useState } from "react";
import { CodeLine } from "@/components/code/CodeLine";
import { ErrorNotice } from "@/components/states/ErrorNotice";
import { useTexts } from "@/i18n";
import { formatNumber } from "@/i18n/format";
import { useCheck, type Check } from "@/pages/audit/queries";
import { texts } from "@/pages/audit/texts";

export function ChainCheck() {
  const t = useTexts(texts);
  const check = useCheck();
  const [expect, setExpect] = useState("");
  return (
    <section style={{ marginBottom: 24 }}>
      <Flex gap={8} wrap align="end">
        <label>
          <Typography.Text type="secondary">{t("expect")}</Typography.Text>
          <Input
            value={expect}
            onChange={(event) => setExpect(event.target.value.trim())}
            placeholder="1024:9f86d081884c7d65"
            spellCheck={false}
            style={{ width: 280, maxWidth: "100%", display: "block" }}
          />
        </label>
        <Button loading={check.isPending} onClick={() => check.mutate(expect)}>
          {t(check.isPending ? "checking" : "check")}
        </Button>
      </Flex>
      <div aria-live="polite">
        {check.error && <ErrorNotice error={check.error} />}
        {check.data && <Outcome check={check.data} />}
      </div>
    </section>
  );
}

function Outcome({ check }: { check: Check }) {
  const t = useTexts(texts);
  if (!check.whole) {
    return (
      <Alert
        type="error"
        showIcon
        style={{ marginTop: 12 }}
        title={t("broken", { at: check.broken_at ?? "?" })}
        description={`${t("broken_reason", { reason: check.reason ?? "?" })} ${t("broken_next")}`}
      />
    );
  }
  return (
    <Alert
      type="success"
      showIcon
      style={{ marginTop: 12 }}
      title={t("whole", { rows: formatNumber(check.rows) })}
      description={
        check.head && (
          <>
            {t("head")}
            <CodeLine text={check.head} />
          </>
        )
      }
    />
  );
}
