import { Button, Typography } from "antd";
import { useState } from "react";
import { BASE_PATH, type Schemas } from "@/api/client";
import { useMe } from "@/api/me";
import { CodeLine } from "@/components/code/CodeLine";
import { EmptyState } from "@/components/states/EmptyState";
import { PageFrame } from "@/components/page/PageFrame";
import { PersonPicker } from "@/components/forms/PersonPicker";
import { Resource } from "@/components/states/Resource";
import { ShownOnce } from "@/components/forms/ShownOnce";
import { useTexts } from "@/i18n";
import { CreateKey } from "@/pages/keys/CreateKey";
import { KeyTable } from "@/pages/keys/KeyTable";
import { pageTexts } from "@/pages/keys/page.texts";
import { useKeys } from "@/pages/keys/queries";
import { texts } from "@/pages/keys/texts";

export default function KeysView() {
  const t = useTexts(texts);
  const p = useTexts(pageTexts);
  const me = useMe();
  const [userId, setUserId] = useState(me.user_id);
  const [creating, setCreating] = useState(false);
  const [made, setMade] = useState<Schemas["KeyCreated"] | null>(null);
  const keys = useKeys(userId);
  const mine = userId === me.user_id;
  const create = (
    <Button type="primary" onClick={() => setCreating(true)}>
      {t("create")}
    </Button>
  );
  return (
    <PageFrame
      title={p("title")}
      hint={t("hint")}
      extra={
        <>
          <PersonPicker label={t("whose")} value={userId} onChange={setUserId} />
          {mine && create}
        </>
      }
    >
      <Resource
        query={keys}
        empty={
          mine ? (
            <EmptyState title={t("none")} action={create}>
              {t("none_next")}
            </EmptyState>
          ) : (
            <EmptyState title={t("none_of")} />
          )
        }
      >
        {(found) => <KeyTable keys={found} />}
      </Resource>
      {creating && <CreateKey close={() => setCreating(false)} made={setMade} />}
      {made && (
        <ShownOnce
          title={t("shown_title")}
          warning={t("shown_warning")}
          secret={made.secret}
          close={() => setMade(null)}
        >
          <Typography.Paragraph style={{ margin: "16px 0 4px" }}>{t("try_it")}</Typography.Paragraph>
          <CodeLine
            text={`curl -H "X-API-Key: ${made.secret}" ${window.location.origin}${BASE_PATH}/api/v1/auth/me`}
          />
        </ShownOnce>
      )}
    </PageFrame>
  );
}
