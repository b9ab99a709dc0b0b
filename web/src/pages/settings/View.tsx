import { isAdmin, useMe } from "@/api/me";
import { PageFrame } from "@/components/PageFrame";
import { Resource } from "@/components/Resource";
import { useTexts } from "@/i18n";
import { Browser } from "./Browser";
import { Myself } from "./Myself";
import { pageTexts } from "./page.texts";
import { Password } from "./Password";
import { useMyself } from "./queries";
import { Server } from "./Server";
import { SignOut } from "./SignOut";
import { texts } from "./texts";

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
            <Password hasPassword={user.has_password} />
          </>
        )}
      </Resource>
      <SignOut />
      {isAdmin(me) && <Server />}
    </PageFrame>
  );
}
