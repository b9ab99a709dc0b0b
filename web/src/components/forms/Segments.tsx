/** One of a few, side by side. antd makes their group a tab stop too, at which no key does anything. */
import { Segmented, type SegmentedProps } from "antd";

export const Segments = <T,>(props: SegmentedProps<T>) => <Segmented {...props} tabIndex={-1} />;
