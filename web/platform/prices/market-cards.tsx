import { useComputed, useSignal } from '@preact/signals';
import { minuteMs } from '#contract/time.ts';
import { dateAt } from '#contract/time-zone.ts';
import { addDays } from '../../chart/calendar.ts';
import { useLoad } from '../../parts/load.tsx';
import { Empty, Failed, Loading, Notice } from '../../parts/notice.tsx';
import { now } from '../../parts/now.ts';
import { texts } from '../../parts/text.ts';
import { isRefusal, type Terms } from '../market/total.ts';
import { CheapestCard } from './cheapest-card.tsx';
import type { Choices } from './looked-at.ts';
import { loadTwoDays, stepMsOf } from './market.ts';
import type { Span } from './price-bars.tsx';
import { PricesCard } from './prices-card.tsx';
import { askTurn } from './publication.ts';
import { isPublished, slotsOf } from './slots.ts';

const t = texts({
  en: {
    none: 'No prices are known for {area}',
    noneSays:
      'Not for today, nor for tomorrow. Choose another area above, or come back later: a source may begin to tell them.',
    noTariff:
      'The chosen grid tariff cannot be used for these days: the prices are without grid fees. Further down stands when it is valid, and others can be chosen.',
  },
  sv: {
    none: 'Inga priser är kända för {area}',
    noneSays:
      'Varken för i dag eller i morgon. Välj ett annat elområde ovan, eller kom tillbaka senare: en källa kan börja lämna dem.',
    noTariff:
      'Den valda elnätstariffen kan inte användas för de här dagarna: priserna är utan elöverföring. Längre ner står när den gäller, och andra kan väljas.',
  },
});

type MarketProps = { terms: Terms; timeZone: string | undefined; choices: Choices };

/** The prices of today and tomorrow, and when to use power. They follow the clock, and the market when it tells more. */
export function MarketCards({ terms, timeZone, choices }: MarketProps) {
  const { step } = choices;
  const asked = JSON.stringify(terms);
  const window = useSignal<Span | undefined>(undefined);
  const isTomorrowKnown = useSignal(false);
  const minute = useComputed(() => Math.floor(now.value / minuteMs) * minuteMs);
  const nowMs = minute.value;
  const today = dateAt(timeZone, nowMs);
  const loaded = useLoad(
    async (signal) => {
      const fineness = step.peek();
      const total = await loadTwoDays({ day: today, timeZone, step: fineness }, terms, signal);
      const tomorrow = slotsOf(addDays(today, 1), total.price.intervals, stepMsOf(fineness), timeZone);
      isTomorrowKnown.value = isPublished(tomorrow);
      return { asked, total };
    },
    [today, step.value, asked],
    askTurn(nowMs, today, isTomorrowKnown.value),
  );
  const { value, problem, again } = loaded;
  // Those of other terms stay until the next are there, but not in their place.
  const total = value?.asked === asked || problem === undefined ? value?.total : undefined;
  return (
    <>
      {isRefusal(problem) && !total && (
        <Empty title={t('none', { area: terms.area })}>
          <p class="says">{t('noneSays')}</p>
        </Empty>
      )}
      {problem !== undefined && (total || !isRefusal(problem)) && <Failed problem={problem} again={again} />}
      {!total && problem === undefined && <Loading lines={6} />}
      {total?.refusal && <Notice tone="warning">{t('noTariff')}</Notice>}
      {total && (
        <PricesCard
          {...{ total, choices, window: window.value, nowMs, timeZone, isTomorrowKnown: isTomorrowKnown.value }}
        />
      )}
      {total && (
        <CheapestCard
          {...{ terms: total.terms, choices, window, nowMs, timeZone, isTomorrowKnown: isTomorrowKnown.value }}
        />
      )}
    </>
  );
}
