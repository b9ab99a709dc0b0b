/** The buttons of a thing that may be changed: edit it, and delete it after a question. */
import { DeleteOutlined, EditOutlined } from "@ant-design/icons";
import { App, Button, Popconfirm } from "antd";
import { LinkButton } from "@/components/links/LinkButton";
import { componentTexts } from "@/components/texts";
import { useTexts } from "@/i18n";

interface Props {
  name: string;
  /** Where it is edited; null on that page itself. */
  editTo: string | null;
  /** What deleting it means. */
  hint: string;
  remove: () => Promise<unknown>;
  onRemoved?: () => void;
}

export function EditDeleteButtons({ name, editTo, hint, remove, onRemoved }: Props) {
  const t = useTexts(componentTexts);
  const { message } = App.useApp();
  const removeIt = () =>
    remove()
      .then(() => {
        void message.success(t("removed", { name }));
        onRemoved?.();
      })
      .catch(() => undefined); // the caller shows the error of its mutation
  return (
    <>
      {editTo !== null && (
        <LinkButton size="small" icon={<EditOutlined />} aria-label={t("edit_of", { name })} to={editTo}>
          {t("edit")}
        </LinkButton>
      )}
      <Popconfirm
        title={t("remove_ask", { name })}
        description={hint}
        okText={t("remove")}
        okButtonProps={{ danger: true }}
        cancelText={t("cancel")}
        onConfirm={removeIt}
      >
        <Button size="small" danger icon={<DeleteOutlined />} aria-label={t("remove_of", { name })}>
          {t("remove")}
        </Button>
      </Popconfirm>
    </>
  );
}
