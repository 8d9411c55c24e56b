import { useComputed, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { type Cheapest, getCheapest } from '#contract/price/total.ts';
import { formatTime, hourMs, minuteMs } from '#contract/time.ts';
import { dateAt, startOfDate } from '#contract/time-zone.ts';
import { addDays } from '../../chart/calendar.ts';
import { choicesOf, Field, Select } from '../../parts/field.tsx';
import { Card, Empty, Failed, Figure, Loading, Notice } from '../../parts/layout.tsx';
import { useLoad } from '../../parts/load.tsx';
import { now } from '../../parts/now.ts';
import { day, inUnit, number, texts, timeOfDay } from '../../parts/text.ts';
import { isRefusal, loadTotal, type PriceTerms, priceApi } from '../market/total-price.ts';
import { perKwh, timeSpan } from './price-words.ts';
import { PricesCard } from './prices-card.tsx';
import { nextTimeOfDay, refreshTurn } from './publication.ts';
import type { MarketView, PriceViewState } from './selection.ts';
import { isPublished, type PriceWindow, slotsOf, stepMsOf } from './slots.ts';

const t = texts({
  none: 'No prices for {area}',
  noneSays: 'Prices for today and tomorrow are unknown. Choose another price area or try again later.',
  noTariff:
    'The selected grid tariff is not valid for these days, so grid fees are not included. See its validity below, or choose another tariff.',
  before: 'Finish before (optional)',
  beforeSays: '{day}, {time}.',
  anyTime: 'Any time with known prices.',
  start: 'Start',
  until: 'until {time}',
  mean: 'Average price',
  saved: 'Saved compared with now',
  savedMore: '{percent}% less than {mean} when starting now',
  nothing: 'None',
  best: 'No later time is noticeably cheaper.',
  tooShort:
    'Not enough hours with known prices. Choose a shorter duration or a later end time. Tomorrow’s prices are published around midday.',
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
      {!total && problem === undefined && <Loading lines={20} />}
      {total?.refusal && <Notice tone="warning">{t('noTariff')}</Notice>}
      {total && <PricesCard price={total.price} view={view} />}
      {total && <CheapestCard terms={total.terms} view={view} />}
    </>
  );
}

const hourChoices = Array.from({ length: 12 }, (_, n) => String(n + 1));
const quarterMs = 15 * minuteMs;
const minNoticeable = 0.005; // per kWh in the currency; smaller savings are shown as none

type Search = { hours: number; after: number; before: number | undefined };

/** Loads the cheapest window and the one that starts immediately. */
async function loadWindows(terms: PriceTerms, { hours, after, before }: Search, signal: AbortSignal) {
  const ask = (end: number | undefined): Promise<Cheapest> => {
    const range = { after: formatTime(after), ...(end !== undefined && { before: formatTime(end) }) };
    return priceApi.call(getCheapest, { query: { ...terms, hours, ...range }, signal });
  };
  const [cheapest, fromNow] = await Promise.all([ask(before), ask(after + hours * hourMs)]);
  return { cheapest, fromNow };
}

type Windows = Awaited<ReturnType<typeof loadWindows>>;

function CheapestCard({ terms, view }: { terms: PriceTerms; view: MarketView }) {
  const { choices, window, nowMs, timeZone, isTomorrowKnown } = view;
  const { length, end } = choices;
  const hours = Number(length.value);
  const quarter = Math.ceil(nowMs / quarterMs) * quarterMs;
  const before = nextTimeOfDay(end.value, quarter, hours * hourMs, timeZone);
  const { value, problem, isLoading, again } = useLoad(
    (signal) => loadWindows(terms, { hours, after: quarter, before }, signal),
    [JSON.stringify(terms), hours, before, quarter, isTomorrowKnown],
  );
  const found = problem === undefined ? value : undefined;
  useEffect(() => {
    window.value = found && { start: Date.parse(found.cheapest.start), end: Date.parse(found.cheapest.end) };
  }, [found]);
  return (
    <Card title={t('cheapestTime')}>
      <div class="price-fields">
        <Select
          label={t('duration')}
          value={length}
          choices={choicesOf(hourChoices, (count) => inUnit(Number(count), 'hour'))}
        />
        <Field
          label={t('before')}
          says={
            before === undefined
              ? t('anyTime')
              : t('beforeSays', { time: timeOfDay(before, timeZone), day: day(before, timeZone) })
          }
          value={end}
          type="time"
        />
      </div>
      {isRefusal(problem) && <Notice>{t('tooShort')}</Notice>}
      {problem !== undefined && !isRefusal(problem) && <Failed problem={problem} again={again} />}
      {!found && isLoading && <Loading lines={2} />}
      {found && <Found window={found} timeZone={timeZone} />}
    </Card>
  );
}

function Found({ window: { cheapest, fromNow }, timeZone }: { window: Windows; timeZone: string | undefined }) {
  const [start, end] = [Date.parse(cheapest.start), Date.parse(cheapest.end)];
  const price = (amount: number): string => perKwh(amount, cheapest.currency);
  const saved = fromNow.average - cheapest.average;
  const isNoticed = saved >= minNoticeable;
  const percent = fromNow.average > 0 ? number((saved / fromNow.average) * 100) : undefined;
  return (
    <div class="figures" role="status">
      <Figure
        label={t('start')}
        value={timeOfDay(start, timeZone)}
        more={`${day(start, timeZone)}, ${t('until', { time: timeOfDay(end, timeZone) })}`}
      />
      <Figure label={t('mean')} value={price(cheapest.average)} more={timeSpan(start, end, timeZone)} />
      <Figure
        label={t('saved')}
        value={isNoticed ? price(saved) : t('nothing')}
        more={isNoticed ? percent && t('savedMore', { percent, mean: price(fromNow.average) }) : t('best')}
      />
    </div>
  );
}
