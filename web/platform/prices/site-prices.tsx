import type { SiteDetails } from '#contract/cloud/sites.ts';
import { Loaded, useLoad } from '../../parts/load.tsx';
import { Loading } from '../../parts/loading.tsx';
import { Failed } from '../../parts/notice.tsx';
import { place } from '../../parts/router.tsx';
import { locate, noPricesWords } from '../market/grid-operators.ts';
import { positionOf } from '../market/terms.ts';
import { useMay } from '../own-role.ts';
import { useSite } from '../site.ts';
import { KeepBar } from './keep-bar.tsx';
import { differs, lookedAt } from './looked-at.ts';
import { Prices } from './prices.tsx';

/** The prices of a site: its area and tariff, and where they are not set what its position tells. */
export function SitePrices({ id }: { id: string }) {
  const site = useSite(id);
  return <Loaded from={site}>{(value) => <OfSite key={value.id} site={value} onKept={site.again} />}</Loaded>;
}

function OfSite({ site, onKept }: { site: SiteDetails; onKept(): void }) {
  const position = positionOf(site);
  const mayKeep = useMay(site.org_id, 'manage');
  const located = useLoad(
    async (signal) => (position ? locate(position, signal) : undefined),
    [position?.lat, position?.lon],
  );
  if (!site.price_area && located.isLoading) return <Loading lines={6} />;
  const settings = { area: site.price_area, tariffId: site.tariff_id };
  const area = site.price_area ?? located.value?.area;
  const looked = lookedAt(place.value.searchParams, {
    area,
    tariffId: site.tariff_id,
    providerId: located.value?.providerId,
  });
  return (
    <Prices
      looked={looked}
      place={{ name: site.name, timeZone: site.timezone, area, position, note: noPricesWords(located.value) }}
    >
      {located.problem !== undefined && <Failed problem={located.problem} again={located.again} />}
      {differs(looked, settings) && (mayKeep || site.price_area) && (
        <KeepBar site={site} looked={looked} mayKeep={mayKeep} onKept={onKept} />
      )}
    </Prices>
  );
}
