/** A list below the message to choose from; each entry may say more about itself. */
import { Select, type SelectProps } from "antd";

export interface Choice<T extends string = string> {
  value: T;
  label: string;
  hint?: string;
  disabled?: boolean;
}

export const Choices = <T extends string>(props: SelectProps<T, Choice<T>>) => (
  <Select<T, Choice<T>>
    popupMatchSelectWidth={false}
    variant="filled"
    optionRender={({ data }) => (
      <div>
        <div>{data.label}</div>
        {data.hint && <small className="chat-secondary chat-option-hint">{data.hint}</small>}
      </div>
    )}
    {...props}
  />
);
