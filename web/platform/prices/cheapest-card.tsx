import { useEffect } from 'preact/hooks';
import { type Cheapest, getCheapest } from '#contract/price/total.ts';
import { formatTime, hourMs, minuteMs } from '#contract/time.ts';
import { choicesOf, Field, Select } from '../../parts/field.tsx';
import { Card, Failed, Figure, Loading, Notice } from '../../parts/layout.tsx';
import { useLoad } from '../../parts/load.tsx';
import { day, inUnit, number, texts, timeOfDay } from '../../parts/text.ts';
import { isRefusal, type PriceTerms, priceApi } from '../market/total-price.ts';
import { perKwh, timeSpan } from './price-words.ts';
import { nextTimeOfDay } from './publication.ts';

import type { MarketView } from './selection.ts';

const t = texts({
  before: ['Finish before (optional)', 'Klart före (valfritt)'],
  beforeSays: ['{day}, {time}.', '{day} kl. {time}.'],
  anyTime: ['Any time with known prices.', 'När som helst med kända priser.'],
  start: ['Start', 'Start'],
  until: ['until {time}', 'till {time}'],
  mean: ['Average price', 'Medelpris'],
  saved: ['Saved compared with now', 'Besparing jämfört med nu'],
  savedMore: ['{percent}% less than {mean} when starting now', '{percent} % lägre än {mean} om du börjar nu'],
  nothing: ['None', 'Ingen'],
  best: ['No later time is noticeably cheaper.', 'Ingen senare tid är märkbart billigare.'],
  tooShort: [
    'Not enough hours with known prices. Choose a shorter duration or a later end time. Tomorrow’s prices are published around midday.',
    'För få timmar med kända priser. Välj kortare varaktighet eller senare sluttid. Morgondagens priser publiceras mitt på dagen.',
  ],
});

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

export function CheapestCard({ terms, view }: { terms: PriceTerms; view: MarketView }) {
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
