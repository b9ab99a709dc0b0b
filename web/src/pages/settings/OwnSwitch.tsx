/** A switch of one's own runs, with what it is for; a change is sent at once. */
import { Flex, Switch, Typography } from "antd";
import { ErrorNotice } from "@/components/states/ErrorNotice";

interface Props {
  id: string;
  label: string;
  hint: string;
  checked: boolean;
  change: { mutate: (wanted: boolean) => void; isPending: boolean; error: Error | null };
}

export function OwnSwitch({ id, label, hint, checked, change }: Props) {
  return (
    <>
      <Flex gap={8} align="center">
        <Switch
          id={id}
          aria-describedby={`${id}-hint`}
          checked={checked}
          loading={change.isPending}
          onChange={(wanted) => change.mutate(wanted)}
        />
        <label htmlFor={id}>{label}</label>
      </Flex>
      <Typography.Paragraph type="secondary" id={`${id}-hint`} style={{ margin: "8px 0 0", maxWidth: 620 }}>
        {hint}
      </Typography.Paragraph>
      {change.error && <ErrorNotice error={change.error} />}
    </>
  );
}
