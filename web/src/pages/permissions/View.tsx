import { Button, Typography } from "antd";
import { useState } from "react";
import { mayWrite, useMe } from "@/api/me";
import { EmptyState } from "@/components/EmptyState";
import { ForMembers } from "@/components/ForMembers";
import { NextStep } from "@/components/NextStep";
import { PageFrame } from "@/components/PageFrame";
import { PersonPicker } from "@/components/PersonPicker";
import { Resource } from "@/components/Resource";
import { useTexts } from "@/i18n";
import { Everybody } from "./Everybody";
import { Explain } from "./Explain";
import { pageTexts } from "./page.texts";
import { useRules } from "./queries";
import { RuleTable } from "./RuleTable";
import { texts } from "./texts";
import { WriteRule } from "./WriteRule";

export default function PermissionsView() {
  const t = useTexts(texts);
  const p = useTexts(pageTexts);
  const me = useMe();
  const [userId, setUserId] = useState(me.user_id);
  const [writing, setWriting] = useState(false);
  const rules = useRules(userId);
  const write = mayWrite(me) && (
    <Button type="primary" onClick={() => setWriting(true)}>
      {t("add")}
    </Button>
  );
  return (
    <PageFrame
      title={p("title")}
      hint={t("hint")}
      extra={
        <>
          <PersonPicker label={t("whose")} value={userId} onChange={setUserId} />
          <ForMembers>{write}</ForMembers>
        </>
      }
    >
      <Explain key={userId} userId={userId} />
      <h2 style={{ fontSize: 18, margin: 0 }}>{t("rules")}</h2>
      <Typography.Paragraph type="secondary">{t("rules_hint")}</Typography.Paragraph>
      <Resource
        query={rules}
        empty={
          <EmptyState title={t("none")} action={<NextStep>{write}</NextStep>}>
            {t("none_next")}
          </EmptyState>
        }
      >
        {(found) => <RuleTable rules={found} />}
      </Resource>
      <Everybody />
      {writing && <WriteRule userId={userId} close={() => setWriting(false)} />}
    </PageFrame>
  );
}
