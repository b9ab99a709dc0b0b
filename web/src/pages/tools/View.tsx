/** Tools: what the agent has, and those that are called as one (S2's compositions). */
import { PlusOutlined } from "@ant-design/icons";
import { Menu } from "antd";
import { Link, Navigate, Route, Routes, useLocation, useNavigate } from "react-router";
import { useMayChange } from "@/api/ownership";
import { useCommands } from "@/app/palette/commands";
import { usePreferences } from "@/app/state/preferences";
import { LinkButton } from "@/components/links/LinkButton";
import { ForMembers } from "@/components/page/ForMembers";
import { PageFrame } from "@/components/page/PageFrame";
import { useTexts } from "@/i18n";
import { CompositionList } from "@/pages/tools/compositions/CompositionList";
import { CompositionPage } from "@/pages/tools/compositions/CompositionPage";
import { NewComposition } from "@/pages/tools/compositions/form/NewComposition";
import { COMPOSITIONS, NEW_COMPOSITION, TOOLS } from "@/pages/tools/compositions/places";
import { texts as compositionTexts } from "@/pages/tools/compositions/texts";
import { pageTexts } from "@/pages/tools/page.texts";
import { texts } from "@/pages/tools/texts";
import { ToolsPage } from "@/pages/tools/ToolsPage";

export default function View() {
  const t = useTexts(texts);
  const c = useTexts(compositionTexts);
  const p = useTexts(pageTexts);
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const projectId = usePreferences((state) => state.projectId);
  const writes = useMayChange()(projectId);
  const isOfCompositions = pathname.startsWith(COMPOSITIONS);
  const command = (id: string, title: string, path: string) => ({
    id: `tools.${id}`,
    title,
    group: p("title"),
    run: () => void navigate(path),
  });
  useCommands([
    command("compositions", t("part_compositions"), COMPOSITIONS),
    ...(writes ? [command("new", c("new"), NEW_COMPOSITION)] : []),
  ]);
  return (
    <PageFrame
      title={p("title")}
      hint={p("hint")}
      extra={
        isOfCompositions ? (
          <ForMembers>
            {writes && (
              <LinkButton to={NEW_COMPOSITION} type="primary" icon={<PlusOutlined />}>
                {c("new")}
              </LinkButton>
            )}
          </ForMembers>
        ) : (
          <>
            <LinkButton to="/mcp-servers">{t("servers_link")}</LinkButton>
            <LinkButton to="/permissions" type="primary">{t("rules_link")}</LinkButton>
          </>
        )
      }
    >
      <nav aria-label={t("parts")}>
        <Menu
          mode="horizontal"
          // Its links are the tab stops.
          tabIndex={-1}
          disabledOverflow
          selectedKeys={[isOfCompositions ? COMPOSITIONS : TOOLS]}
          style={{ background: "transparent", marginBottom: 16 }}
          items={[
            { key: TOOLS, label: <Link to={TOOLS}>{t("part_tools")}</Link> },
            { key: COMPOSITIONS, label: <Link to={COMPOSITIONS}>{t("part_compositions")}</Link> },
          ]}
        />
      </nav>
      <Routes>
        <Route index element={<ToolsPage />} />
        <Route path="compositions" element={<CompositionList />} />
        {writes && <Route path="compositions/new" element={<NewComposition />} />}
        <Route path="compositions/:compositionId" element={<CompositionPage />} />
        <Route path="*" element={<Navigate replace to={TOOLS} />} />
      </Routes>
    </PageFrame>
  );
}
