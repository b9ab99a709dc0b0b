import { Flex, Select, Typography } from "antd";
import { Link } from "react-router";
import type { ModelInfo } from "@/api/models";
import { useProjects } from "@/api/projects";
import { ErrorNotice } from "@/components/states/ErrorNotice";
import { Resource } from "@/components/states/Resource";
import { useTexts } from "@/i18n";
import { useProjectModel } from "@/pages/models/queries";
import { texts } from "@/pages/models/texts";

export function ProjectModels({ models }: { models: ModelInfo[] }) {
  const t = useTexts(texts);
  const projects = useProjects();
  const change = useProjectModel();
  const choices = (current: string | null) => [
    { value: "", label: t("tenants") },
    ...[...new Set([...models.map((each) => each.model), ...(current ? [current] : [])])].map(
      (model) => ({ value: model, label: model }),
    ),
  ];
  return (
    <section>
      <h2 style={{ fontSize: 18, margin: 0 }}>{t("projects")}</h2>
      <Typography.Paragraph type="secondary">{t("projects_hint")}</Typography.Paragraph>
      {change.error && <ErrorNotice error={change.error} />}
      <Resource
        query={projects}
        empty={
          <>
            <div>{t("no_projects")}</div>
            <Link to="/projects">{t("make_project")}</Link>
          </>
        }
      >
        {(found) =>
          found.map((project) => (
            <Flex key={project.project_id} gap={12} align="center" wrap style={{ padding: "6px 0" }}>
              <span style={{ flex: "0 1 240px", overflowWrap: "break-word" }}>{project.name}</span>
              <Select
                aria-label={t("project_model", { project: project.name })}
                value={project.default_model ?? ""}
                loading={change.isPending}
                onChange={(model) => change.mutate({ project, model })}
                style={{ flex: "0 1 320px", minWidth: 220 }}
                options={choices(project.default_model)}
              />
            </Flex>
          ))
        }
      </Resource>
    </section>
  );
}
