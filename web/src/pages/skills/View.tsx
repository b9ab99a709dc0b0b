/** Skills (S2's registry): the three tiers, one skill with its text, files, versions and tests, a new one. */
import { PlusOutlined } from "@ant-design/icons";
import { Navigate, Route, Routes, useNavigate } from "react-router";
import { useMayChange } from "@/api/ownership";
import { useCommands } from "@/app/palette/commands";
import { usePreferences } from "@/app/state/preferences";
import { LinkButton } from "@/components/links/LinkButton";
import { ForMembers } from "@/components/page/ForMembers";
import { PageFrame } from "@/components/page/PageFrame";
import { useTexts } from "@/i18n";
import { NewSkill } from "@/pages/skills/edit/NewSkill";
import { SkillRegistry } from "@/pages/skills/list/SkillRegistry";
import { pageTexts } from "@/pages/skills/page.texts";
import { SkillPage } from "@/pages/skills/SkillPage";
import { texts } from "@/pages/skills/texts";
import { UploadButton } from "@/pages/skills/upload/UploadButton";

export default function View() {
  const t = useTexts(texts);
  const p = useTexts(pageTexts);
  const navigate = useNavigate();
  const mayChange = useMayChange();
  const projectId = usePreferences((state) => state.projectId);
  const writes = mayChange(null) || mayChange(projectId);
  useCommands(
    writes ? [{ id: "skills.new", title: t("new"), group: p("title"), run: () => void navigate("/skills/new") }] : [],
  );
  return (
    <PageFrame
      title={p("title")}
      hint={p("hint")}
      extra={
        <ForMembers>
          {writes && (
            <>
              <UploadButton />
              <LinkButton to="/skills/new" type="primary" icon={<PlusOutlined />}>
                {t("new")}
              </LinkButton>
            </>
          )}
        </ForMembers>
      }
    >
      <Routes>
        <Route index element={<SkillRegistry />} />
        {writes && <Route path="new" element={<NewSkill />} />}
        <Route path=":skillId" element={<SkillPage />} />
        <Route path="*" element={<Navigate replace to="/skills" />} />
      </Routes>
    </PageFrame>
  );
}
