/** Memory (S2 §15.2): what is known of a person, all of it, a search, the graph, and what was not learned. */
import { PlusOutlined } from "@ant-design/icons";
import { lazy, Suspense, type ReactNode } from "react";
import { Navigate, NavLink, Route, Routes, useNavigate } from "react-router";
import { useCommands } from "@/app/palette/commands";
import { LinkButton } from "@/components/links/LinkButton";
import { PageFrame } from "@/components/page/PageFrame";
import { Waiting } from "@/components/states/Waiting";
import { useTexts } from "@/i18n";
import { MemoryPage } from "@/pages/learned/memory/detail/MemoryPage";
import { NewMemory } from "@/pages/learned/memory/detail/NewMemory";
import { EntityPage } from "@/pages/learned/memory/entity/EntityPage";
import { EpisodeList } from "@/pages/learned/memory/episodes/EpisodeList";
import { MemoryList } from "@/pages/learned/memory/list/MemoryList";
import { pageTexts } from "@/pages/learned/memory/page.texts";
import { ProfilePage } from "@/pages/learned/memory/profile/ProfilePage";
import { MemorySearch } from "@/pages/learned/memory/search/MemorySearch";
import { texts } from "@/pages/learned/memory/texts";
import "@/pages/learned/memory/memory.css";

// What draws the graph is loaded when it is looked at.
const MemoryGraph = lazy(() => import("@/pages/learned/memory/graph/MemoryGraph"));

const TABS = ["profile", "all", "search", "graph", "episodes"] as const;
type Tab = (typeof TABS)[number];

const pathOf = (tab: Tab): string => (tab === "profile" ? "/memory" : `/memory/${tab}`);

export default function View() {
  const t = useTexts(texts);
  const p = useTexts(pageTexts);
  const navigate = useNavigate();
  useCommands(
    TABS.slice(1).map((tab) => ({
      id: `memory.${tab}`,
      title: t(`tab_${tab}`),
      group: p("title"),
      run: () => void navigate(pathOf(tab)),
    })),
  );
  return (
    <PageFrame
      title={p("title")}
      hint={p("hint")}
      extra={
        <LinkButton to="/memory/new" icon={<PlusOutlined />}>
          {t("new")}
        </LinkButton>
      }
    >
      <Routes>
        <Route path="new" element={<NewMemory />} />
        <Route path="one/:memoryId" element={<MemoryPage />} />
        <Route path="entities/:entityId" element={<EntityPage />} />
        <Route index element={<Tabbed content={<ProfilePage />} />} />
        <Route path="all" element={<Tabbed content={<MemoryList />} />} />
        <Route path="search" element={<Tabbed content={<MemorySearch />} />} />
        <Route path="graph" element={<Tabbed content={<MemoryGraph />} />} />
        <Route path="episodes" element={<Tabbed content={<EpisodeList />} />} />
        <Route path="*" element={<Navigate replace to="/memory" />} />
      </Routes>
    </PageFrame>
  );
}

/** Links rather than antd's tabs: each is a page with an address, and all fit a phone. */
function Tabbed({ content }: { content: ReactNode }) {
  const t = useTexts(texts);
  return (
    <>
      <nav aria-label={t("parts")} className="memory-nav">
        {TABS.map((tab) => (
          <NavLink key={tab} end to={pathOf(tab)}>
            {t(`tab_${tab}`)}
          </NavLink>
        ))}
      </nav>
      <Suspense fallback={<Waiting />}>{content}</Suspense>
    </>
  );
}
