/** A page of another author, in a frame where no script runs; the server sends it with its own policy. */
interface Props {
  src: string;
  title: string;
  height?: string;
}

export const FramedPage = ({ src, title, height = "min(70vh, 640px)" }: Props) => (
  <iframe
    sandbox=""
    src={src}
    title={title}
    style={{
      width: "100%",
      height,
      border: "1px solid var(--da-color-border-secondary)",
      borderRadius: "var(--da-border-radius)",
      background: "#fff",
      colorScheme: "light",
    }}
  />
);
