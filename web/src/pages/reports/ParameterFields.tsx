/** The values of a report's parameters; what is left as it is, the report fills in itself. */
import { Flex, Form, Input, InputNumber } from "antd";
import type { Schemas } from "@/api/client";

export type Values = Record<string, string | number>;

interface Props {
  parameters: Schemas["ReportParameter"][];
  values: Values;
  change: (values: Values) => void;
}

export function ParameterFields({ parameters, values, change }: Props) {
  const put = (name: string, value: string | number | null) => {
    const { [name]: _before, ...rest } = values;
    change(value === null || value === "" ? rest : { ...rest, [name]: value });
  };
  return (
    <Flex gap="0 12px" wrap>
      {parameters.map(({ name, type, default: usual, description }) => (
        <Form.Item key={name} label={name} extra={description} layout="vertical" style={{ flex: "0 1 220px" }}>
          {type === "number" ? (
            <InputNumber
              style={{ width: "100%" }}
              aria-label={name}
              placeholder={usual === null ? undefined : String(usual)}
              value={values[name] as number | undefined}
              onChange={(value) => put(name, value)}
            />
          ) : (
            <Input
              type={type === "date" ? "date" : "text"}
              aria-label={name}
              placeholder={usual === null ? undefined : String(usual)}
              value={values[name] as string | undefined}
              onChange={(event) => put(name, event.target.value)}
            />
          )}
        </Form.Item>
      ))}
    </Flex>
  );
}
