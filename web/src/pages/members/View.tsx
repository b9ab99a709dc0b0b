import { Button } from "antd";
import { useState } from "react";
import type { Schemas } from "@/api/client";
import { nameOf, type Member } from "@/api/members";
import { usePeople } from "@/api/names";
import { EmptyState } from "@/components/states/EmptyState";
import { ErrorNotice } from "@/components/states/ErrorNotice";
import { PageFrame } from "@/components/page/PageFrame";
import { Resource } from "@/components/states/Resource";
import { ShownOnce } from "@/components/forms/ShownOnce";
import { useTexts } from "@/i18n";
import { AddMember } from "@/pages/members/AddMember";
import { Remove, Rename, SetPassword } from "@/pages/members/Dialogs";
import { MemberTable, type Deed } from "@/pages/members/MemberTable";
import { pageTexts } from "@/pages/members/page.texts";
import { useMemberActions } from "@/pages/members/queries";
import { texts } from "@/pages/members/texts";

const DIALOGS = { reset: SetPassword, rename: Rename, remove: Remove };

export default function MembersView() {
  const t = useTexts(texts);
  const p = useTexts(pageTexts);
  const members = usePeople(true);
  const { makeUrl } = useMemberActions();
  const [adding, setAdding] = useState(false);
  const [doing, setDoing] = useState<{ deed: keyof typeof DIALOGS; member: Member } | null>(null);
  const [url, setUrl] = useState<{ member: Member; made: Schemas["SignInUrl"] } | null>(null);

  const handOver = (member: Member) =>
    makeUrl.mutate(member.user_id, { onSuccess: (made) => setUrl({ member, made }) });
  const begin = (deed: Deed, member: Member) =>
    deed === "make_url" ? handOver(member) : setDoing({ deed, member });
  const add = (
    <Button type="primary" onClick={() => setAdding(true)}>
      {t("add")}
    </Button>
  );
  const Dialog = doing && DIALOGS[doing.deed];
  return (
    <PageFrame title={p("title")} hint={t("hint")} extra={add}>
      {makeUrl.error && <ErrorNotice error={makeUrl.error} />}
      <Resource query={members} empty={<EmptyState title={t("none")} action={add} />}>
        {(found) => <MemberTable members={found} begin={begin} />}
      </Resource>
      {adding && (
        <AddMember
          close={() => setAdding(false)}
          added={(member) => !member.has_password && handOver(member)}
        />
      )}
      {Dialog && <Dialog member={doing.member} close={() => setDoing(null)} />}
      {url && (
        <ShownOnce
          title={t("url_title", { name: nameOf(url.member) })}
          warning={t("url_warning", {
            name: nameOf(url.member),
            minutes: Math.round(url.made.expires_in / 60),
          })}
          secret={url.made.url}
          close={() => setUrl(null)}
        />
      )}
    </PageFrame>
  );
}
