/** What the legs of the search gave to a score: one bar of their shares, and the same in words. */
import { useTexts } from "@/i18n";
import { formatNumber } from "@/i18n/format";
import type { Leg } from "@/pages/learned/memory/queries";
import { texts } from "@/pages/learned/memory/texts";
import "@/pages/learned/memory/search/search.css";

interface Props {
  legs: readonly Leg[];
  best: number;
}

export function LegBar({ legs, best }: Props) {
  const t = useTexts(texts);
  const given = legs.filter(({ share }) => share > 0);
  const nameOf = (name: Leg["name"]) => t(`leg_${name}`);
  return (
    <>
      <div className="leg-track" aria-hidden>
        {given.map(({ name, share }) => (
          <div key={name} className={`leg-bar leg-${name}`} style={{ width: `${best > 0 ? (share / best) * 100 : 0}%` }} title={nameOf(name)} />
        ))}
      </div>
      <ul className="leg-names" aria-label={t("legs")}>
        {given.map(({ name, raw, share, rank }) => (
          <li key={name} title={t("leg_hint", { raw: formatNumber(raw), rank: formatNumber(rank) })}>
            <span className={`leg-dot leg-${name}`} aria-hidden />
            {nameOf(name)} {formatNumber(share)}
          </li>
        ))}
      </ul>
    </>
  );
}
