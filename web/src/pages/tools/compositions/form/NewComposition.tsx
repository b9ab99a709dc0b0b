/** A new composition, for the project of now or for the tenant. */
import { Flex, Typography } from "antd";
import { Link, useNavigate } from "react-router";
import { usePreferences } from "@/app/state/preferences";
import { useThingTitle } from "@/app/navigation/title";
import { useTexts } from "@/i18n";
import { CompositionForm } from "@/pages/tools/compositions/form/CompositionForm";
import { EMPTY_VALUE } from "@/pages/tools/compositions/form/fields";
import { COMPOSITIONS, placeOf } from "@/pages/tools/compositions/places";
import { useCompositionActions } from "@/pages/tools/compositions/queries";
import { texts } from "@/pages/tools/compositions/texts";

export function NewComposition() {
  const t = useTexts(texts);
  const navigate = useNavigate();
  const project_id = usePreferences((state) => state.projectId);
  const { create } = useCompositionActions();
  useThingTitle(t("new"));
  return (
    <Flex vertical gap={12}>
      <Link to={COMPOSITIONS}>← {t("all")}</Link>
      <Typography.Title level={2} style={{ fontSize: 18, margin: 0 }}>
        {t("new")}
      </Typography.Title>
      <Typography.Text type="secondary">{t(project_id ? "for_project" : "for_tenant")}</Typography.Text>
      <CompositionForm
        initial={{ ...EMPTY_VALUE, project_id }}
        okText={t("create")}
        isSaving={create.isPending}
        error={create.error}
        save={(body) => create.mutate(body, { onSuccess: (made) => void navigate(placeOf(made.id)) })}
      />
    </Flex>
  );
}
