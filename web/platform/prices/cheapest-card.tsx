import type { Signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { hourMs } from '#contract/time.ts';
import { Card, Figure } from '../../parts/card.tsx';
import { Field, Select } from '../../parts/field.tsx';
import { day, number, timeOfDay } from '../../parts/format.ts';
import { useLoad } from '../../parts/load.tsx';
import { Failed, Loading, Notice } from '../../parts/notice.tsx';
import { texts } from '../../parts/text.ts';
import { isRefusal, type Terms } from '../market/total.ts';
import type { Choices } from './looked-at.ts';
import { loadWindow, nextQuarter, type Window } from './market.ts';
import type { Span } from './price-bars.tsx';
import { perKwh, timeSpan } from './price-words.ts';
import { nextAt } from './publication.ts';

const t = texts({
  en: {
    title: 'Cheapest window',
    hours: 'How long',
    oneHour: '1 hour',
    manyHours: '{hours} hours',
    before: 'Over before (may be left out)',
    beforeSays: 'Before {time}, {day}.',
    anyTime: 'As far as prices are known.',
    start: 'Begins',
    until: 'until {time}',
    mean: 'Mean price',
    saved: 'Saved against now',
    savedMore: '{percent} % less than the {mean} of beginning now',
    nothing: 'Nothing',
    best: 'No later time is noticeably cheaper.',
    tooShort:
      'So many hours with known prices do not fit. Choose fewer hours or a later end; the prices of tomorrow come at midday.',
  },
  sv: {
    title: 'Billigaste perioden',
    hours: 'Hur länge',
    oneHour: '1 timme',
    manyHours: '{hours} timmar',
    before: 'Klart före (kan utelämnas)',
    beforeSays: 'Före klockan {time}, {day}.',
    anyTime: 'Så långt priserna är kända.',
    start: 'Börjar',
    until: 'till {time}',
    mean: 'Medelpris',
    saved: 'Sparat jämfört med nu',
    savedMore: '{percent} % mindre än {mean} om du börjar nu',
    nothing: 'Inget',
    best: 'Ingen senare tid är märkbart billigare.',
    tooShort:
      'Så många timmar med kända priser får inte plats. Välj färre timmar eller en senare sluttid; morgondagens priser kommer mitt på dagen.',
  },
});

const mostHours = 12;
const leastNoticed = 0.005; // of the currency for a kWh: less is written as nothing

type CheapestCardProps = {
  terms: Terms;
  choices: Choices;
  /** where it is, for the chart */
  window: Signal<Span | undefined>;
  nowMs: number;
  timeZone: string | undefined;
  isTomorrowKnown: boolean;
};

/** When something that takes some hours costs least. */
export function CheapestCard({ terms, choices, window, nowMs, timeZone, isTomorrowKnown }: CheapestCardProps) {
  const { length, end } = choices;
  const hours = Number(length.value);
  const quarter = nextQuarter(nowMs);
  const before = nextAt(end.value, quarter, hours * hourMs, timeZone);
  const { value, problem, isLoading, again } = useLoad(
    (signal) => loadWindow({ hours, before, nowMs: quarter }, terms, signal),
    [JSON.stringify(terms), hours, before, quarter, isTomorrowKnown],
  );
  const found = problem === undefined ? value : undefined;
  useEffect(() => {
    window.value = found && { start: Date.parse(found.cheapest.start), end: Date.parse(found.cheapest.end) };
  }, [found]);
  return (
    <Card title={t('title')}>
      <div class="price-fields">
        <Select
          label={t('hours')}
          value={length}
          choices={Array.from({ length: mostHours }, (_, n) => ({ value: `${n + 1}`, label: hoursWords(n + 1) }))}
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

const hoursWords = (hours: number): string => (hours === 1 ? t('oneHour') : t('manyHours', { hours }));

function Found({ window: { cheapest, fromNow }, timeZone }: { window: Window; timeZone: string | undefined }) {
  const [start, end] = [Date.parse(cheapest.start), Date.parse(cheapest.end)];
  const price = (amount: number): string => perKwh(amount, cheapest.currency);
  const saved = fromNow.average - cheapest.average;
  const isNoticed = saved >= leastNoticed;
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
