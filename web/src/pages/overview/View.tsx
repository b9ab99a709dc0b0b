/** The project, or one's own work, at a glance; each block leads to its page. */
import { PlusOutlined } from "@ant-design/icons";
import { Col, Row } from "antd";
import { useProjects } from "@/api/projects";
import { LinkButton } from "@/components/links/LinkButton";
import { PageFrame } from "@/components/page/PageFrame";
import { useTexts } from "@/i18n";
import { pageTexts } from "@/pages/overview/page.texts";
import { useProjectId } from "@/pages/overview/queries";
import { Requests, Running, Sessions } from "@/pages/overview/Work";
import { DueReports, Files, Sources } from "@/pages/overview/Material";
import { texts } from "@/pages/overview/texts";
import { Usage } from "@/pages/overview/Usage";

export default function View() {
  const t = useTexts(texts);
  const p = useTexts(pageTexts);
  const projectId = useProjectId();
  const project = useProjects().data?.find((each) => each.project_id === projectId);
  const blocks = [Requests, Running, Sessions, Sources, DueReports, Files];
  return (
    <PageFrame
      title={project?.name ?? t("own_work")}
      hint={project?.description || p("hint")}
      extra={
        <LinkButton to="/chat" type="primary" icon={<PlusOutlined />}>{t("new_chat")}</LinkButton>
      }
    >
      <Row gutter={[12, 12]}>
        {blocks.map((One) => (
          <Col key={One.name} xs={24} lg={12}>
            <One />
          </Col>
        ))}
        <Col span={24}>
          <Usage />
        </Col>
      </Row>
    </PageFrame>
  );
}
