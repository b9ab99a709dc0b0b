/** What is done to one member and takes a word more than a click. */
import { Form, Input, Typography } from "antd";
import { nameOf, type Member } from "@/api/members";
import { FormDialog } from "@/components/forms/FormDialog";
import { useTexts } from "@/i18n";
import { useMemberActions } from "@/pages/members/queries";
import { texts } from "@/pages/members/texts";

interface Props {
  member: Member;
  close: () => void;
}

export function SetPassword({ member, close }: Props) {
  const t = useTexts(texts);
  const { setPassword } = useMemberActions();
  return (
    <FormDialog<{ first: string; second: string }>
      title={t("reset_of", { name: nameOf(member) })}
      okText={t("save")}
      submit={({ first }) =>
        setPassword.mutateAsync({ userId: member.user_id, new_password: first })
      }
      close={close}
    >
      <Typography.Paragraph>{t("reset_hint")}</Typography.Paragraph>
      <Form.Item
        name="first"
        label={t("new_password")}
        rules={[{ required: true, message: t("required") }]}
      >
        <Input.Password autoFocus autoComplete="new-password" />
      </Form.Item>
      <Form.Item
        name="second"
        label={t("repeat")}
        dependencies={["first"]}
        rules={[
          ({ getFieldValue }) => ({
            validator: async (_, value: string) => {
              if (value !== getFieldValue("first")) throw new Error(t("differ"));
            },
          }),
        ]}
      >
        <Input.Password autoComplete="new-password" />
      </Form.Item>
    </FormDialog>
  );
}

export function Rename({ member, close }: Props) {
  const t = useTexts(texts);
  const { rename } = useMemberActions();
  return (
    <FormDialog<{ display_name: string }>
      title={t("rename_of", { name: nameOf(member) })}
      okText={t("save")}
      initialValues={{ display_name: member.display_name }}
      submit={({ display_name }) => rename.mutateAsync({ userId: member.user_id, display_name })}
      close={close}
    >
      <Form.Item
        name="display_name"
        label={t("display_name")}
        rules={[{ required: true, whitespace: true, message: t("required") }]}
      >
        <Input autoFocus maxLength={200} />
      </Form.Item>
    </FormDialog>
  );
}

export function Remove({ member, close }: Props) {
  const t = useTexts(texts);
  const { remove } = useMemberActions();
  return (
    <FormDialog
      title={t("remove_of", { name: nameOf(member) })}
      okText={t("remove")}
      danger
      submit={() => remove.mutateAsync(member.user_id)}
      close={close}
    >
      {t("remove_hint")}
    </FormDialog>
  );
}
