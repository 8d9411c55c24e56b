import type { ComponentChildren } from 'preact';
import { type SiteDetails, updateSite } from '#contract/cloud/sites.ts';
import { ActionButton, Button, useAction } from '../../parts/action.tsx';
import { readStored, store } from '../../parts/storage.ts';
import { loadContractTerms } from '../market/contract-terms.ts';
import { type Position, positionOf, termsOf } from '../market/total-price.ts';
import { useMay } from '../permissions.ts';
import { api } from '../session.ts';
import { sitePage } from '../site-page.tsx';
import { MarketCards } from './market-cards.tsx';
import { TariffCard } from './tariff/tariff-card.tsx';
import './prices.css';
import { useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { editable } from '../../parts/bound-value.ts';
import { DecimalField, Select } from '../../parts/field.tsx';
import { Card, Empty, Failed, Loading, Notice, PageHead } from '../../parts/layout.tsx';
import { useLoad } from '../../parts/load.tsx';
import { type Params, pageUrl, setQuery } from '../../parts/router.tsx';
import { texts } from '../../parts/text.ts';
import { areaChoices, findGridOperator, listAreas, noPricesNote } from '../market/grid-operators.ts';
import { isPreview, type PriceSelection, readSelection, usePriceViewState } from './selection.ts';

const t = texts({
  looking: 'You are previewing another price area or tariff than the site’s.',
  unset: 'The site has no price area yet. Save this one to show its prices on other pages too.',
  save: 'Save for this site',
  back: 'Back to the site’s settings',
  says: 'See what electricity costs, what makes up the price and when it is lowest.',
  noArea: 'Choose a price area',
  noAreaSays: 'Prices for today and tomorrow are shown here.',
  settings: 'Price settings',
  choose: 'Choose a price area',
  added: 'Markup and VAT',
  markup: 'Supplier’s markup',
  markupSays:
    'Added per kWh by your electricity supplier, excluding VAT, in the currency of the prices. 0.05 means five öre or cents.',
  vat: 'VAT (%)',
  vatSays: 'Default: 25 in Sweden, no VAT elsewhere.',
});

const clearPreview = (): void => setQuery({ area: undefined, tariff: undefined, provider: undefined });

type PreviewBarProps = { site: SiteDetails; selection: PriceSelection; mayKeep: boolean | undefined; onKept(): void };

/** Offers to save the previewed price area and tariff for the site. */
function PreviewBar({ site, selection: { area, tariffId }, mayKeep, onKept }: PreviewBarProps) {
  const keep = useAction(async () => {
    const body = { price_area: area ?? null, tariff_id: tariffId ?? null };
    await api().call(updateSite, { params: { site_id: site.id }, body });
    onKept();
  });
  return (
    <Notice>
      <p>{t(site.price_area ? 'looking' : 'unset')}</p>
      <div class="actions">
        {mayKeep && <ActionButton does={keep} label={t('save')} />}
        {site.price_area && <Button label={t('back')} onClick={clearPreview} />}
      </div>
    </Notice>
  );
}

/** Shows the prices of a site: with its own area and tariff, or those found by its position. */
const SitePrices = sitePage(({ site, again }) => {
  const position = positionOf(site);
  const mayKeep = useMay(site.org_id, 'manage');
  const located = useLoad(
    async (signal) => (position ? findGridOperator(position, signal) : undefined),
    [position?.lat, position?.lon],
  );
  const contract = useLoad((signal) => loadContractTerms(site, signal), [site.id]);
  if ((!site.price_area && located.isLoading) || contract.isLoading) return <Loading lines={6} />;
  const tariffId = contract.value?.tariffId ?? site.tariff_id;
  const settings = { area: site.price_area, tariffId };
  const area = site.price_area ?? located.value?.area;
  const selection = readSelection(pageUrl.value.searchParams, {
    ...contract.value,
    area,
    tariffId,
    providerId: located.value?.providerId,
  });
  return (
    <Prices
      selection={selection}
      place={{ name: site.name, timeZone: site.timezone, area, position, note: noPricesNote(located.value) }}
    >
      <Failed problem={located.problem} again={located.again} />
      {isPreview(selection, settings) && (mayKeep || site.price_area) && (
        <PreviewBar site={site} selection={selection} mayKeep={mayKeep} onKept={again} />
      )}
    </Prices>
  );
});

export default function PricesPage({ params }: { params: Params }) {
  return params.site ? <SitePrices params={params} /> : <PublicPrices />;
}

/** Shows the prices of an area without sign-in; the browser remembers the area. */
function PublicPrices() {
  const selection = readSelection(pageUrl.value.searchParams, { area: readStored('area') });
  useEffect(() => store('area', selection.area), [selection.area]);
  return <Prices selection={selection} />;
}

type PricesProps = {
  selection: PriceSelection;
  place?: {
    name: string;
    timeZone: string | undefined;
    /** area of the site, even while another one is previewed */
    area: string | undefined;
    position: Position | undefined;
    /** about its grid operator */
    note: string | undefined;
  };
  /** shown above the prices */
  children?: ComponentChildren;
};

function Prices({ selection, place, children }: PricesProps) {
  const terms = termsOf(selection, selection.area === place?.area ? place?.position : undefined);
  const choices = usePriceViewState();
  return (
    <div class="prices">
      <PageHead title={place ? `${t('prices')}, ${place.name}` : t('prices')} says={t('says')} />
      {children}
      <PlaceCard selection={selection} />
      {terms ? (
        <MarketCards key={terms.area} terms={terms} timeZone={place?.timeZone} choices={choices} />
      ) : (
        <Empty title={t('noArea')} says={t('noAreaSays')} />
      )}
      <TariffCard selection={selection} position={place?.position} note={place?.note} />
    </div>
  );
}

/** `name` is the query parameter */
type TermFieldProps = { name: 'markup' | 'vat'; value: number | undefined; min: number; max: number };

const pauseMs = 500; // do not request prices after every key

/** A number field that updates the query after a pause in typing. */
function TermField({ name, value, ...range }: TermFieldProps) {
  const text = useSignal(value === undefined ? '' : String(value));
  const isTyped = useRef(false);
  useEffect(() => {
    if (!isTyped.current) {
      isTyped.current = true;
      return;
    }
    const timer = setTimeout(() => setQuery({ [name]: text.value || undefined }), pauseMs);
    return () => clearTimeout(timer);
  }, [text.value]);
  return <DecimalField {...t.field(name)} value={text} {...range} />;
}

/** Chooses the price area, markup and VAT; all are kept in the address. */
function PlaceCard({ selection: { area, markup, vat } }: { selection: PriceSelection }) {
  const areas = useLoad(listAreas, []);
  const isOpen = useMemo(() => markup !== undefined || vat !== undefined, []); // do not close it while the person types
  return (
    <Card title={t('settings')}>
      <Failed problem={areas.problem} again={areas.again} />
      <Select
        label={t('priceArea')}
        value={editable(area ?? '', (chosen) => setQuery({ area: chosen }))}
        choices={[
          ...(area === undefined ? [{ value: '', label: t('choose') }] : []),
          ...areaChoices(areas.value ?? [], area),
        ]}
      />
      <details open={isOpen}>
        <summary>{t('added')}</summary>
        <div class="price-fields">
          <TermField name="markup" value={markup} min={-100} max={100} />
          <TermField name="vat" value={vat} min={0} max={100} />
        </div>
      </details>
    </Card>
  );
}
