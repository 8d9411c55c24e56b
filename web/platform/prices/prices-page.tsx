import { useEffect } from 'preact/hooks';
import { type SiteDetails, updateSite } from '#contract/cloud/sites.ts';
import { ActionButton, useAction } from '../../parts/action.tsx';
import { Loaded, useLoad } from '../../parts/load.tsx';
import { Failed, Loading, Notice } from '../../parts/notice.tsx';
import { type Params, pageUrl, setQuery } from '../../parts/router.tsx';
import { readStored, store } from '../../parts/storage.ts';
import { texts } from '../../parts/text.ts';
import { locate, noPricesWords } from '../market/grid-operators.ts';
import { positionOf } from '../market/total.ts';
import { useMay } from '../permissions.ts';
import { api } from '../session.ts';
import { useSite } from '../site.ts';
import { differs, type LookedAt, lookedAt } from './looked-at.ts';
import { Prices } from './prices.tsx';

const t = texts({
  en: {
    looking: 'You are only looking: this is not the area and tariff of the site.',
    unset:
      'The site has no price area yet. What you see can be readStored for it, and other pages show its prices too.',
    keep: 'Keep for the site',
    back: 'Back to those of the site',
  },
  sv: {
    looking: 'Du bara tittar: det här är inte anläggningens elområde och tariff.',
    unset:
      'Anläggningen har inget elområde ännu. Det du ser kan behållas för den, så visar andra sidor också dess priser.',
    keep: 'Behåll för anläggningen',
    back: 'Tillbaka till anläggningens',
  },
});

const forget = (): void => setQuery({ area: undefined, tariff: undefined, provider: undefined });

type KeepBarProps = { site: SiteDetails; looked: LookedAt; mayKeep: boolean; onKept(): void };

/** Area and tariff that are looked at become those of the site when somebody says so. */
function KeepBar({ site, looked: { area, tariffId }, mayKeep, onKept }: KeepBarProps) {
  const store = useAction(async () => {
    const body = { price_area: area ?? null, tariff_id: tariffId ?? null };
    await api().call(updateSite, { params: { site_id: site.id }, body });
    onKept();
  });
  return (
    <Notice>
      <p>{t(site.price_area ? 'looking' : 'unset')}</p>
      {store.problem !== undefined && <Failed problem={store.problem} />}
      <div class="actions">
        {mayKeep && <ActionButton does={store}>{t('keep')}</ActionButton>}
        {site.price_area && (
          <button type="button" onClick={forget}>
            {t('back')}
          </button>
        )}
      </div>
    </Notice>
  );
}

/** The prices of a site: its area and tariff, and where they are not set what its position tells. */
function SitePrices({ id }: { id: string }) {
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
  const looked = lookedAt(pageUrl.value.searchParams, {
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

export default function PricesPage({ params }: { params: Params }) {
  return params.site ? <SitePrices id={params.site} /> : <PublicPrices />;
}

/** Anybody may look at the prices of an area; the browser remembers which. */
function PublicPrices() {
  const looked = lookedAt(pageUrl.value.searchParams, { area: readStored('area') });
  useEffect(() => store('area', looked.area), [looked.area]);
  return <Prices looked={looked} />;
}
