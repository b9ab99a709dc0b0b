/** A WebSocket whose other end is the test. */
export class FakeSocket {
  static readonly CONNECTING = 0;
  static readonly OPEN = 1;
  static readonly CLOSING = 2;
  static readonly CLOSED = 3;
  /** Every socket since `forgetAll`, oldest first. */
  static all: FakeSocket[] = [];

  readonly url: string;
  readonly sent: string[] = [];
  readyState: number = FakeSocket.CONNECTING;
  onopen: (() => void) | null = null;
  onmessage: ((message: { data: unknown }) => void) | null = null;
  onclose: (() => void) | null = null;

  constructor(url: string) {
    this.url = url;
    FakeSocket.all.push(this);
  }

  static forgetAll(): void {
    FakeSocket.all = [];
  }

  static get last(): FakeSocket {
    return FakeSocket.all.at(-1) as FakeSocket;
  }

  /** Those that are open or on their way: there must never be two. */
  static get alive(): FakeSocket[] {
    return FakeSocket.all.filter((each) => each.readyState <= FakeSocket.OPEN);
  }

  get after(): number {
    return Number(new URL(this.url, "ws://here").searchParams.get("after"));
  }

  get types(): string[] {
    return this.sent.map((text) => (JSON.parse(text) as { type: string }).type);
  }

  send(text: string): void {
    this.sent.push(text);
  }

  close(): void {
    this.readyState = FakeSocket.CLOSED;
  }

  /** The server takes the connection. */
  accept(): void {
    this.readyState = FakeSocket.OPEN;
    this.onopen?.();
  }

  /** The server, or the network, ends it. */
  end(): void {
    this.readyState = FakeSocket.CLOSED;
    this.onclose?.();
  }

  say(data: unknown): void {
    this.onmessage?.({ data: typeof data === "string" ? data : JSON.stringify(data) });
  }

  pong(): void {
    this.say({ event_type: "pong", data: {}, timestamp: 0 });
  }

  /** A piece of text with this number. */
  piece(seq: number, content = `${seq} `): void {
    const data = { content, is_final: false, figures: [], unsourced: [] };
    this.say({ event_type: "text", data, timestamp: 0, seq, run_id: "r" });
  }
}
