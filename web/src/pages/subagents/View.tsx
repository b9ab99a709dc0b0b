/** Sub-agents: the list, one with its settings, figures and activities, a new one, the defaults of all. */
import { PlusOutlined } from "@ant-design/icons";
import { Navigate, Route, Routes, useNavigate } from "react-router";
import { useMayChange } from "@/api/ownership";
import { useCommands } from "@/app/palette/commands";
import { usePreferences } from "@/app/state/preferences";
import { LinkButton } from "@/components/links/LinkButton";
import { ForMembers } from "@/components/page/ForMembers";
import { PageFrame } from "@/components/page/PageFrame";
import { useTexts } from "@/i18n";
import { DefaultsPage } from "@/pages/subagents/defaults/DefaultsPage";
import { SubAgentPage } from "@/pages/subagents/detail/SubAgentPage";
import { NewSubAgent } from "@/pages/subagents/form/NewSubAgent";
import { pageTexts } from "@/pages/subagents/page.texts";
import { RouterPage } from "@/pages/subagents/router/RouterPage";
import { SubAgentList } from "@/pages/subagents/SubAgentList";
import { texts } from "@/pages/subagents/texts";

export default function View() {
  const t = useTexts(texts);
  const p = useTexts(pageTexts);
  const navigate = useNavigate();
  const projectId = usePreferences((state) => state.projectId);
  const writes = useMayChange()(projectId);
  const command = (id: string, title: string, path: string) => ({
    id: `subagents.${id}`,
    title,
    group: p("title"),
    run: () => void navigate(path),
  });
  useCommands([
    command("defaults", t("defaults"), "/subagents/defaults"),
    command("router", t("to_router"), "/subagents/router"),
    ...(writes ? [command("new", t("new"), "/subagents/new")] : []),
  ]);
  return (
    <PageFrame
      title={p("title")}
      hint={p("hint")}
      extra={
        <>
          <LinkButton to="/subagents/defaults">{t("defaults")}</LinkButton>
          <LinkButton to="/subagents/router">{t("to_router")}</LinkButton>
          <ForMembers>
            {writes && (
              <LinkButton to="/subagents/new" type="primary" icon={<PlusOutlined />}>
                {t("new")}
              </LinkButton>
            )}
          </ForMembers>
        </>
      }
    >
      <Routes>
        <Route index element={<SubAgentList />} />
        {writes && <Route path="new" element={<NewSubAgent />} />}
        <Route path="defaults" element={<DefaultsPage />} />
        <Route path="router" element={<RouterPage />} />
        <Route path=":agentId" element={<SubAgentPage />} />
        <Route path="*" element={<Navigate replace to="/subagents" />} />
      </Routes>
    </PageFrame>
  );
}
