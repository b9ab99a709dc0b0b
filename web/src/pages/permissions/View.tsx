import { Button, Typography } from "antd";
import { useState } from "react";
import { mayWrite, useMe } from "@/api/me";
import { EmptyState } from "@/components/states/EmptyState";
import { ForMembers } from "@/components/page/ForMembers";
import { NextStep } from "@/components/states/NextStep";
import { PageFrame } from "@/components/page/PageFrame";
import { PersonPicker } from "@/components/forms/PersonPicker";
import { Resource } from "@/components/states/Resource";
import { useTexts } from "@/i18n";
import { Everybody } from "@/pages/permissions/Everybody";
import { Explain } from "@/pages/permissions/Explain";
import { pageTexts } from "@/pages/permissions/page.texts";
import { useRules } from "@/pages/permissions/queries";
import { RuleTable } from "@/pages/permissions/RuleTable";
import { texts } from "@/pages/permissions/texts";
import { WriteRule } from "@/pages/permissions/WriteRule";

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
