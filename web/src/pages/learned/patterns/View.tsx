/** The pattern laboratory (S2 §15.2): the list, one pattern with its workflow, a new one, offers of other tenants. */
import { PlusOutlined } from "@ant-design/icons";
import { Navigate, Route, Routes, useNavigate } from "react-router";
import { isAdmin, useMe } from "@/api/me";
import { useCommands } from "@/app/palette/commands";
import { LinkButton } from "@/components/links/LinkButton";
import { ForMembers } from "@/components/page/ForMembers";
import { PageFrame } from "@/components/page/PageFrame";
import { useTexts } from "@/i18n";
import { PatternPage } from "@/pages/learned/patterns/detail/PatternPage";
import { NewPattern } from "@/pages/learned/patterns/edit/NewPattern";
import { PatternList } from "@/pages/learned/patterns/list/PatternList";
import { OffersPage } from "@/pages/learned/patterns/offers/OffersPage";
import { pageTexts } from "@/pages/learned/patterns/page.texts";
import { texts } from "@/pages/learned/patterns/texts";

export default function View() {
  const t = useTexts(texts);
  const p = useTexts(pageTexts);
  const navigate = useNavigate();
  const administers = isAdmin(useMe());
  const command = (id: string, title: string, path: string) => ({
    id: `patterns.${id}`,
    title,
    group: p("title"),
    run: () => void navigate(path),
  });
  useCommands(
    administers ? [command("new", t("new"), "/patterns/new"), command("offers", t("offers"), "/patterns/offers")] : [],
  );
  return (
    <PageFrame
      title={p("title")}
      hint={p("hint")}
      extra={
        <ForMembers>
          {administers && (
            <>
              <LinkButton to="/patterns/offers">{t("offers")}</LinkButton>
              <LinkButton to="/patterns/new" type="primary" icon={<PlusOutlined />}>
                {t("new")}
              </LinkButton>
            </>
          )}
        </ForMembers>
      }
    >
      <Routes>
        <Route index element={<PatternList />} />
        {administers && <Route path="new" element={<NewPattern />} />}
        {administers && <Route path="offers" element={<OffersPage />} />}
        <Route path=":patternId" element={<PatternPage />} />
        <Route path="*" element={<Navigate replace to="/patterns" />} />
      </Routes>
    </PageFrame>
  );
}
