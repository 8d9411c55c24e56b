import { siteKindOf } from '#contract/balance.ts';
import type { SiteDetails } from '#contract/cloud/sites.ts';
import { Problem } from '#contract/problem.ts';
import { Link } from '../../parts/router.tsx';
import { texts } from '../../parts/text.ts';

const t = texts({
  area: 'Without a price area, costs are not known.',
  meter: 'Without a grid meter, bought and sold electricity is not known.',
  contract: 'No contract is entered: the supplier’s markup and monthly fee are not included.',
  tariff: 'No grid tariff is chosen: grid fees are not included.',
  prices: 'The price service is not available at the moment, so costs are not known.',
  areaLink: 'Set the price area',
  meterLink: 'Add a grid meter',
  contractLink: 'Enter the contract',
  tariffLink: 'Choose the grid tariff',
  pricesLink: 'See the prices',
});

const pageOf = {
  area: 'settings',
  meter: 'devices',
  contract: 'contract',
  tariff: 'settings',
  prices: 'prices',
} as const;

/** A part of a bill that is not known, which a person can change. */
export type Gap = keyof typeof pageOf;

export const hasKind = ({ devices }: SiteDetails, kind: ReturnType<typeof siteKindOf>): boolean =>
  devices.some(
    ({ type, state, ders }) => state !== 'orphaned' && ders.some((der) => siteKindOf(der.type, type) === kind),
  );

/** Lists what keeps a site from having any bill. */
export function gapsBefore(site: SiteDetails): Gap[] {
  const isPlaced = site.price_area !== undefined || site.latitude !== undefined;
  return [...(isPlaced ? [] : (['area'] as const)), ...(hasKind(site, 'meter') ? [] : (['meter'] as const))];
}

/** Lists what the bill of a site leaves out. */
export const gapsOf = (hasContract: boolean, { tariff_id }: { tariff_id: string | null }): Gap[] => [
  ...(hasContract ? [] : (['contract'] as const)),
  ...(tariff_id === null ? (['tariff'] as const) : []),
];

export const arePricesDown = (problem: unknown): boolean =>
  problem instanceof Problem && problem.code === 'unavailable';

/** Lists the gaps, each with a link to the page on which it can be closed. */
export function Gaps({ siteId, of }: { siteId: string; of: readonly Gap[] }) {
  return (
    <>
      {of.map((gap) => (
        <p key={gap} class="says">
          {t(gap)} <Link to={`/app/sites/${siteId}/${pageOf[gap]}`}>{t(`${gap}Link`)}</Link>
        </p>
      ))}
    </>
  );
}
