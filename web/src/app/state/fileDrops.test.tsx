// @vitest-environment happy-dom
import { render } from "@testing-library/react";
import { useRef } from "react";
import { expect, test, vi } from "vitest";
import { useKeepThePage } from "@/app/state/fileDrops";
import { useDropped } from "@/pages/chat/composer/uploads/useDropped";

const file = new File(["a,b"], "sales.csv");

/** Says whether the browser would have opened what was dropped. */
function dropped(on: Element, types: string[]): boolean {
  const event = new Event("drop", { bubbles: true, cancelable: true });
  Object.assign(event, { dataTransfer: { types, files: [file] } });
  return on.dispatchEvent(event);
}

function Chat({ take }: { take: (files: Iterable<File>) => void }) {
  const box = useRef<HTMLDivElement>(null);
  useKeepThePage();
  useDropped(box, take);
  return (
    <>
      <aside>sessions</aside>
      <div className="chat-main">
        <p>the transcript</p>
        <div ref={box} />
      </div>
    </>
  );
}

test("a file dropped anywhere on the chat goes to the composer, elsewhere nowhere; the page stays", () => {
  const take = vi.fn<(files: Iterable<File>) => void>();
  const { container } = render(<Chat take={take} />);
  const on = (name: string) => container.querySelector(name) as Element;
  expect(dropped(on("p"), ["Files"])).toBe(false);
  expect(take).toHaveBeenCalledWith([file]);
  expect(dropped(on("aside"), ["Files"])).toBe(false);
  expect(take).toHaveBeenCalledTimes(1);
  // Words drawn from one place of the page to another are the browser's matter.
  expect(dropped(on("p"), ["text/plain"])).toBe(true);
});
