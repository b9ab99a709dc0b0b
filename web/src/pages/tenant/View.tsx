import { Button } from "antd";
import { useState } from "react";
import { useMe } from "@/api/me";
import { useTenant } from "@/api/tenant";
import { PageFrame } from "@/components/PageFrame";
import { Resource } from "@/components/Resource";
import { useTexts } from "@/i18n";
import { ChangeTenant } from "./ChangeTenant";
import { Figures } from "./Figures";
import { Health } from "./Health";
import { Limits } from "./Limits";
import { pageTexts } from "./page.texts";
import { texts } from "./texts";

export default function TenantView() {
  const t = useTexts(texts);
  const p = useTexts(pageTexts);
  const me = useMe();
  const tenant = useTenant();
  const [changing, setChanging] = useState(false);
  const change = me.role === "owner" && (
    <Button onClick={() => setChanging(true)}>{t("change")}</Button>
  );
  return (
    <PageFrame title={tenant.data?.name ?? p("title")} hint={t("hint")} extra={change}>
      <Resource query={tenant}>
        {(found) => (
          <>
            <Figures tenant={found} />
            <Limits tenant={found} />
            {changing && <ChangeTenant tenant={found} close={() => setChanging(false)} />}
          </>
        )}
      </Resource>
      <Health />
    </PageFrame>
  );
}
