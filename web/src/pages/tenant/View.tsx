import { Button } from "antd";
import { useState } from "react";
import { useMe } from "@/api/me";
import { useTenant } from "@/api/tenant";
import { PageFrame } from "@/components/page/PageFrame";
import { Resource } from "@/components/states/Resource";
import { useTexts } from "@/i18n";
import { ChangeTenant } from "@/pages/tenant/ChangeTenant";
import { Figures } from "@/pages/tenant/Figures";
import { Health } from "@/pages/tenant/Health";
import { Limits } from "@/pages/tenant/Limits";
import { pageTexts } from "@/pages/tenant/page.texts";
import { texts } from "@/pages/tenant/texts";

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
