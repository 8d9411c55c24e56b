import { useComputed, useSignal } from '@preact/signals';
import { formatTime, minuteMs } from '#contract/time.ts';
import { dateAt, startOfDate } from '#contract/time-zone.ts';
import { addDays } from '../../chart/calendar.ts';
import { Empty, Failed, Loading, Notice } from '../../parts/layout.tsx';
import { useLoad } from '../../parts/load.tsx';
import { now } from '../../parts/now.ts';
import { texts } from '../../parts/text.ts';
import { isRefusal, loadTotal, type PriceTerms, priceApi } from '../market/total-price.ts';
import { CheapestCard } from './cheapest-card.tsx';
import { PricesCard } from './prices-card.tsx';
import { refreshTurn } from './publication.ts';
import type { PriceViewState } from './selection.ts';
import { isPublished, type PriceWindow, slotsOf, stepMsOf } from './slots.ts';

const t = texts({
  none: ['No prices for {area}', 'Inga priser för {area}'],
  noneSays: [
    'There are no prices for today or tomorrow. Choose another price area or try again later.',
    'Det finns inga priser för i dag eller i morgon. Välj ett annat elområde eller försök igen senare.',
  ],
  noTariff: [
    'The selected grid tariff is not valid for these days, so grid fees are not included. See its validity below, or choose another tariff.',
    'Den valda elnätstariffen gäller inte de här dagarna, så nätavgift ingår inte. Se giltigheten nedan eller välj en annan tariff.',
  ],
});

type MarketProps = { terms: PriceTerms; timeZone: string | undefined; choices: PriceViewState };

export function MarketCards({ terms, timeZone, choices }: MarketProps) {
  const { step } = choices;
  const asked = JSON.stringify(terms);
  const window = useSignal<PriceWindow | undefined>(undefined);
  const isTomorrowKnown = useSignal(false);
  const minute = useComputed(() => Math.floor(now.value / minuteMs) * minuteMs);
  const nowMs = minute.value;
  const today = dateAt(timeZone, nowMs);
  const loaded = useLoad(
    async (signal) => {
      const fineness = step.peek();
      const startOf = (days: number): string => formatTime(startOfDate(timeZone, addDays(today, days)));
      const range = { from: startOf(0), to: startOf(2), resolution: fineness };
      const total = await loadTotal(priceApi, range, terms, signal);
      const tomorrow = slotsOf(addDays(today, 1), total.price.intervals, stepMsOf(fineness), timeZone);
      isTomorrowKnown.value = isPublished(tomorrow);
      return { asked, total };
    },
    [today, step.value, asked],
    refreshTurn(nowMs, today, isTomorrowKnown.value),
  );
  const { value, problem, again } = loaded;
  // Prices for other terms stay visible while loading, but not after a failure.
  const total = value?.asked === asked || problem === undefined ? value?.total : undefined;
  const view = { choices, window, nowMs, timeZone, isTomorrowKnown: isTomorrowKnown.value };
  return (
    <>
      {isRefusal(problem) && !total && <Empty title={t('none', { area: terms.area })} says={t('noneSays')} />}
      {problem !== undefined && (total || !isRefusal(problem)) && <Failed problem={problem} again={again} />}
      {!total && problem === undefined && <Loading lines={6} />}
      {total?.refusal && <Notice tone="warning">{t('noTariff')}</Notice>}
      {total && <PricesCard price={total.price} view={view} />}
      {total && <CheapestCard terms={total.terms} view={view} />}
    </>
  );
}
