import { isAdmin, useMe } from "@/api/me";
import { PageFrame } from "@/components/page/PageFrame";
import { Resource } from "@/components/states/Resource";
import { useTexts } from "@/i18n";
import { Browser } from "@/pages/settings/Browser";
import { Learning } from "@/pages/settings/Learning";
import { Myself } from "@/pages/settings/Myself";
import { pageTexts } from "@/pages/settings/page.texts";
import { Password } from "@/pages/settings/Password";
import { useMyself } from "@/pages/settings/queries";
import { Server } from "@/pages/settings/Server";
import { SignOut } from "@/pages/settings/SignOut";
import { texts } from "@/pages/settings/texts";

export default function SettingsView() {
  const t = useTexts(texts);
  const p = useTexts(pageTexts);
  const me = useMe();
  const myself = useMyself();
  return (
    <PageFrame title={p("title")} hint={t("hint")}>
      <Browser />
      <Resource query={myself}>
        {(user) => (
          <>
            <Myself user={user} />
            <Learning user={user} />
            <Password hasPassword={user.has_password} />
          </>
        )}
      </Resource>
      <SignOut />
      {isAdmin(me) && <Server />}
    </PageFrame>
  );
}
