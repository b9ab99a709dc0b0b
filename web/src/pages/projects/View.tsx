import { Button, Flex, Table, Tag, Typography } from "antd";
import { useState } from "react";
import { isAdmin, useMe } from "@/api/me";
import { useNames } from "@/api/members";
import { useProjects } from "@/api/projects";
import { usePreferences } from "@/app/state/preferences";
import { EmptyState } from "@/components/states/EmptyState";
import { NextStep } from "@/components/states/NextStep";
import { PageFrame } from "@/components/page/PageFrame";
import { Resource } from "@/components/states/Resource";
import { useTexts } from "@/i18n";
import { formatAgo } from "@/i18n/format";
import { pageTexts } from "@/pages/projects/page.texts";
import { ProjectForm } from "@/pages/projects/ProjectForm";
import type { Project } from "@/pages/projects/queries";
import { RemoveProject } from "@/pages/projects/RemoveProject";
import { texts } from "@/pages/projects/texts";

export default function ProjectsView() {
  const t = useTexts(texts);
  const p = useTexts(pageTexts);
  const me = useMe();
  const projects = useProjects();
  const [writing, setWriting] = useState<{ project?: Project } | null>(null);
  const [removing, setRemoving] = useState<Project | null>(null);
  const create = me.role !== "viewer" && (
    <Button type="primary" onClick={() => setWriting({})}>
      {t("create")}
    </Button>
  );
  return (
    <PageFrame title={p("title")} hint={t("hint")} extra={create}>
      <Resource
        query={projects}
        empty={
          <EmptyState title={t("none")} action={<NextStep>{create}</NextStep>}>
            {t("none_next")}
          </EmptyState>
        }
      >
        {(found) => (
          <ProjectTable
            projects={found}
            mayChange={(project) => isAdmin(me) || project.owner_id === me.user_id}
            change={(project) => setWriting({ project })}
            remove={setRemoving}
          />
        )}
      </Resource>
      {writing && <ProjectForm project={writing.project} close={() => setWriting(null)} />}
      {removing && <RemoveProject project={removing} close={() => setRemoving(null)} />}
    </PageFrame>
  );
}

interface TableProps {
  projects: Project[];
  mayChange: (project: Project) => boolean;
  change: (project: Project) => void;
  remove: (project: Project) => void;
}

function ProjectTable({ projects, mayChange, change, remove }: TableProps) {
  const t = useTexts(texts);
  const nameOf = useNames();
  const { projectId, set } = usePreferences();
  return (
    <Table<Project>
      rowKey="project_id"
      dataSource={projects}
      pagination={projects.length > 50 ? { pageSize: 50 } : false}
      scroll={{ x: "max-content" }}
      columns={[
        {
          title: t("name"),
          render: (_, { name, description }) => (
            <div style={{ maxWidth: 420 }}>
              <strong>{name}</strong>
              {description && (
                <Typography.Paragraph type="secondary" style={{ margin: 0, whiteSpace: "pre-wrap" }}>
                  {description}
                </Typography.Paragraph>
              )}
            </div>
          ),
        },
        { title: t("model"), render: (_, { default_model }) => default_model ?? t("tenants_model") },
        { title: t("owner"), render: (_, { owner_id }) => nameOf(owner_id) },
        { title: t("changed"), render: (_, { updated_at }) => formatAgo(updated_at) },
        {
          title: t("actions"),
          render: (_, project) => (
            <Flex gap={8} align="center">
              {project.project_id === projectId ? (
                <Tag color="blue">{t("here")}</Tag>
              ) : (
                <Button
                  size="small"
                  aria-label={t("work_in", { name: project.name })}
                  onClick={() => set({ projectId: project.project_id })}
                >
                  {t("work_here")}
                </Button>
              )}
              {mayChange(project) && (
                <>
                  <Button
                    size="small"
                    aria-label={t("change_of", { name: project.name })}
                    onClick={() => change(project)}
                  >
                    {t("change")}
                  </Button>
                  <Button
                    size="small"
                    danger
                    aria-label={t("remove_of", { name: project.name })}
                    onClick={() => remove(project)}
                  >
                    {t("remove")}
                  </Button>
                </>
              )}
            </Flex>
          ),
        },
      ]}
    />
  );
}
