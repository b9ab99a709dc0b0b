/** Data: sources and their tables, SQL, saved questions, results, metrics. */
import { Menu } from "antd";
import { Link, Navigate, Route, Routes, useLocation, useNavigate } from "react-router";
import { useCommands } from "@/app/palette/commands";
import { ForMembers } from "@/components/page/ForMembers";
import { PageFrame } from "@/components/page/PageFrame";
import { useTexts } from "@/i18n";
import { MetricsPage } from "@/pages/data/metrics/MetricsPage";
import { pageTexts } from "@/pages/data/page.texts";
import { METRICS, QUESTIONS, RESULTS, SOURCES, SQL } from "@/pages/data/places";
import { QuestionsPage } from "@/pages/data/questions/QuestionsPage";
import { ResultsPage } from "@/pages/data/results/ResultsPage";
import { SourcesPage } from "@/pages/data/sources/SourcesPage";
import { SqlPage } from "@/pages/data/sql/SqlPage";
import { SourcePage } from "@/pages/data/tables/SourcePage";
import { TablePage } from "@/pages/data/tables/TablePage";
import { texts } from "@/pages/data/texts";

export default function View() {
  const t = useTexts(texts);
  const p = useTexts(pageTexts);
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const parts = [
    { key: SOURCES, label: t("sources") },
    { key: SQL, label: t("sql") },
    { key: QUESTIONS, label: t("questions") },
    { key: RESULTS, label: t("results") },
    { key: METRICS, label: t("metrics") },
  ];
  useCommands(
    parts.map(({ key, label }) => ({
      id: `go ${key} part`,
      title: `${p("title")}: ${label}`,
      group: p("title"),
      run: () => void navigate(key),
    })),
  );
  const current = parts.find(({ key }) => key !== SOURCES && pathname.startsWith(key))?.key ?? SOURCES;
  return (
    <PageFrame title={p("title")} hint={p("hint")}>
      {/* It scrolls by itself where it is too narrow: Ant Design would hide links that Tab still finds. */}
      <nav aria-label={t("parts")} style={{ overflowX: "auto" }}>
        <Menu
          mode="horizontal"
          // Its links are the tab stops.
          tabIndex={-1}
          disabledOverflow
          selectedKeys={[current]}
          style={{ background: "transparent", marginBottom: 16 }}
          items={parts.map(({ key, label }) => ({ key, label: <Link to={key}>{label}</Link> }))}
        />
      </nav>
      <Routes>
        <Route index element={<SourcesPage />} />
        <Route path="source" element={<ForMembers><SourcePage /></ForMembers>} />
        <Route path="table" element={<ForMembers><TablePage /></ForMembers>} />
        <Route path="sql" element={<ForMembers><SqlPage /></ForMembers>} />
        <Route path="questions" element={<QuestionsPage />} />
        <Route path="results" element={<ResultsPage />} />
        <Route path="metrics" element={<MetricsPage />} />
        <Route path="*" element={<Navigate replace to={SOURCES} />} />
      </Routes>
    </PageFrame>
  );
}
