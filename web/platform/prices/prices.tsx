import type { ComponentChildren } from 'preact';
import { Empty } from '../../parts/notice.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { texts } from '../../parts/text.ts';
import type { Position } from '../market/grid-operators.ts';
import { termsOf } from '../market/total.ts';
import type { LookedAt } from './looked-at.ts';
import { useChoices } from './looked-at.ts';
import { MarketCards } from './market-cards.tsx';
import { PlaceCard } from './place-card.tsx';
import { TariffCard } from './tariff/tariff-card.tsx';
import './prices.css';

const t = texts({
  en: {
    title: 'Prices',
    says: 'What a kilowatt-hour costs, of what it is made up, and when it is cheap.',
    noArea: 'Choose a price area',
    noAreaSays: 'Its prices of today and tomorrow are then shown here.',
  },
  sv: {
    title: 'Priser',
    says: 'Vad en kilowattimme kostar, vad priset består av och när det är lågt.',
    noArea: 'Välj ett elområde',
    noAreaSays: 'Då visas dess priser för i dag och i morgon här.',
  },
});

type PricesProps = {
  looked: LookedAt;
  place?: {
    name: string;
    timeZone: string | undefined;
    /** its own, whichever is looked at */
    area: string | undefined;
    position: Position | undefined;
    /** about its grid operator */
    note: string | undefined;
  };
  /** what stands above the prices */
  children?: ComponentChildren;
};

export function Prices({ looked, place, children }: PricesProps) {
  const terms = termsOf(looked, looked.area === place?.area ? place?.position : undefined);
  const choices = useChoices();
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
