/** Reports: the list, a new one, and one with its runs, definition and schedules. */
import { PlusOutlined } from "@ant-design/icons";
import { Navigate, Route, Routes } from "react-router";
import { mayWrite, useMe } from "@/api/me";
import { ForMembers } from "@/components/page/ForMembers";
import { LinkButton } from "@/components/links/LinkButton";
import { PageFrame } from "@/components/page/PageFrame";
import { useTexts } from "@/i18n";
import { NewReport } from "@/pages/reports/NewReport";
import { pageTexts } from "@/pages/reports/page.texts";
import { ReportList } from "@/pages/reports/ReportList";
import { ReportPage } from "@/pages/reports/ReportPage";
import { texts } from "@/pages/reports/texts";

export default function View() {
  const t = useTexts(texts);
  const p = useTexts(pageTexts);
  const writes = mayWrite(useMe());
  return (
    <PageFrame
      title={p("title")}
      hint={p("hint")}
      extra={
        <ForMembers>
          <LinkButton to="/reports/new" type="primary" icon={<PlusOutlined />}>{t("new")}</LinkButton>
        </ForMembers>
      }
    >
      <Routes>
        <Route index element={<ReportList />} />
        {writes && <Route path="new" element={<NewReport />} />}
        <Route path=":reportId" element={<ReportPage />} />
        <Route path="*" element={<Navigate replace to="/reports" />} />
      </Routes>
    </PageFrame>
  );
}
