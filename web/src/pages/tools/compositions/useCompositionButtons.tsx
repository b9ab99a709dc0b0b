/** What can be done with a composition by those who may change it. */
import { DeleteOutlined, EditOutlined } from "@ant-design/icons";
import { App, Button, Popconfirm } from "antd";
import type { ReactNode } from "react";
import { useNavigate } from "react-router";
import { useMayChange } from "@/api/ownership";
import { LinkButton } from "@/components/links/LinkButton";
import { useTexts } from "@/i18n";
import { COMPOSITIONS, placeOf } from "@/pages/tools/compositions/places";
import { useCompositionActions, type Composition } from "@/pages/tools/compositions/queries";
import { texts } from "@/pages/tools/compositions/texts";

export function useCompositionButtons(
  composition: Composition,
  isOpen = false,
): { buttons: ReactNode; error: Error | null } {
  const t = useTexts(texts);
  const { message } = App.useApp();
  const navigate = useNavigate();
  const { remove } = useCompositionActions();
  const { name } = composition;
  const writes = useMayChange()(composition.project_id);
  const buttons = writes && (
    <>
      {!isOpen && (
        <LinkButton
          size="small"
          icon={<EditOutlined />}
          aria-label={t("edit_of", { name })}
          to={`${placeOf(composition.id)}?tab=edit`}
        >
          {t("edit")}
        </LinkButton>
      )}
      <Popconfirm
        title={t("remove_ask", { name })}
        description={t("remove_hint")}
        okText={t("remove")}
        okButtonProps={{ danger: true }}
        cancelText={t("cancel")}
        onConfirm={() =>
          remove
            .mutateAsync(composition.id)
            .then(() => {
              void message.success(t("removed", { name }));
              if (isOpen) void navigate(COMPOSITIONS);
            })
            .catch(() => undefined)
        }
      >
        <Button size="small" danger icon={<DeleteOutlined />} aria-label={t("remove_of", { name })}>
          {t("remove")}
        </Button>
      </Popconfirm>
    </>
  );
  return { buttons, error: remove.error };
}
