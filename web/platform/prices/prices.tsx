import type { ComponentChildren } from 'preact';
import { Empty } from '../../parts/notice.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { texts } from '../../parts/text.ts';
import type { Position } from '../market/grid-operators.ts';
import { termsOf } from '../market/total.ts';
import { MarketCards } from './market-cards.tsx';
import { PlaceCard } from './place-card.tsx';
import type { PriceSelection } from './selection.ts';
import { usePriceViewState } from './selection.ts';
import { TariffCard } from './tariff/tariff-card.tsx';
import './prices.css';

const t = texts({
  en: {
    title: 'Prices',
    says: 'See what electricity costs, what makes up the price and when it is lowest.',
    noArea: 'Choose a price area',
    noAreaSays: 'Prices for today and tomorrow are shown here.',
  },
  sv: {
    title: 'Priser',
    says: 'Se vad elen kostar, vad som ingår i priset och när det är lägst.',
    noArea: 'Välj ett elområde',
    noAreaSays: 'Priserna för i dag och i morgon visas här.',
  },
});

type PricesProps = {
  looked: PriceSelection;
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

export function Prices({ looked, place, children }: PricesProps) {
  const terms = termsOf(looked, looked.area === place?.area ? place?.position : undefined);
  const choices = usePriceViewState();
  return (
    <div class="prices">
      <PageHead title={place ? `${t('title')}, ${place.name}` : t('title')} says={t('says')} />
      {children}
      <PlaceCard looked={looked} />
      {terms ? (
        <MarketCards key={terms.area} terms={terms} timeZone={place?.timeZone} choices={choices} />
      ) : (
        <Empty title={t('noArea')}>
          <p class="says">{t('noAreaSays')}</p>
        </Empty>
      )}
      <TariffCard looked={looked} position={place?.position} note={place?.note} />
    </div>
  );
}
