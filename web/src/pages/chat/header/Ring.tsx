/** How much of something is used, as a ring; what it says stands beside it in words. */
const RADIUS = 7;
const AROUND = 2 * Math.PI * RADIUS;

export function Ring({ share }: { share: number }) {
  const used = Math.min(1, Math.max(0, share));
  return (
    <svg width={18} height={18} viewBox="0 0 18 18" aria-hidden className="chat-ring">
      <circle cx={9} cy={9} r={RADIUS} />
      <circle
        cx={9}
        cy={9}
        r={RADIUS}
        className={share > 0.9 ? "chat-ring-full" : "chat-ring-used"}
        strokeDasharray={`${used * AROUND} ${AROUND}`}
        transform="rotate(-90 9 9)"
      />
    </svg>
  );
}
