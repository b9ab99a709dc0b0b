/** A form in a dialog: it keeps what was typed when the server refuses, and says why. */
import { useMutation } from "@tanstack/react-query";
import { Form, Modal, type FormInstance } from "antd";
import type { ReactNode } from "react";
import { ErrorNotice } from "@/components/states/ErrorNotice";
import { componentTexts } from "@/components/texts";
import { useTexts } from "@/i18n";

interface Props<T> {
  title: string;
  okText: string;
  danger?: boolean;
  /** Whether what is typed may be sent; otherwise the button waits. */
  ready?: boolean;
  initialValues?: Partial<T>;
  form?: FormInstance<T>;
  submit: (values: T) => Promise<unknown>;
  close: () => void;
  children: ReactNode;
}

export function FormDialog<T extends object>({
  title,
  okText,
  danger = false,
  ready = true,
  initialValues,
  form,
  submit,
  close,
  children,
}: Props<T>) {
  const t = useTexts(componentTexts);
  const sending = useMutation({ mutationFn: submit, onSuccess: close });
  return (
    <Modal
      open
      title={title}
      okText={okText}
      cancelText={t("cancel")}
      okButtonProps={{ htmlType: "submit", danger, disabled: !ready }}
      confirmLoading={sending.isPending}
      onCancel={close}
      modalRender={(dialog) => (
        <Form<T>
          form={form}
          // Fields of a form on the page may have the same names; their ids must not.
          name="dialog"
          layout="vertical"
          requiredMark="optional"
          initialValues={initialValues}
          onFinish={(values) => sending.mutate(values)}
        >
          {dialog}
        </Form>
      )}
    >
      {sending.error && <ErrorNotice error={sending.error} />}
      {children}
    </Modal>
  );
}
