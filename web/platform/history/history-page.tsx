import { useComputed } from '@preact/signals';
import { quarterMs } from '#contract/cloud/energy.ts';
import { minuteMs } from '#contract/time.ts';
import { PageHead } from '../../parts/layout.tsx';
import { Loaded } from '../../parts/load.tsx';
import { now } from '../../parts/now.ts';
import { EnergyTabs } from '../energy-tabs.tsx';
import { sitePage } from '../site-page.tsx';
import { ChartsCard } from './charts-card.tsx';
import { DeviceRanking } from './device-ranking.tsx';
import { isMeasured } from './site-series.ts';
import { TotalsCard } from './totals-card.tsx';
import { useSiteEnergy } from './use-energy.ts';
import './history.css';
import { useId } from 'preact/hooks';
import { dateAt, instantOf, wallAt } from '#contract/time-zone.ts';
import { isDay } from '../../chart/calendar.ts';
import { Button } from '../../parts/action.tsx';
import { editable } from '../../parts/bound-value.ts';
import { choicesOf, Segments } from '../../parts/field.tsx';
import { pageUrl, setQuery } from '../../parts/router.tsx';
import { dateRange, fullDay, monthAndYear, texts, year } from '../../parts/text.ts';
import { hasEnded, neighbour, onDay, onlyFor, presets, queryFor, type Range, rangeOf, withPreset } from './range.ts';

const t = texts({
  range: 'Period',
  day: 'Day',
  week: 'Week',
  year: 'Year',
  custom: 'Custom',
  date: 'Date',
  from: 'From',
  to: 'To',
  before: 'Previous period',
  after: 'Next period',
  now: 'Today',
});

export default sitePage(function HistoryPage({ site }) {
  const timeZone = site.timezone;
  const { value: nowMs } = useComputed(() => Math.floor(now.value / minuteMs) * minuteMs);
  const range = rangeOf(pageUrl.value.searchParams, nowMs, timeZone); // a following range moves with the clock
  const { from, to } = range;
  const loaded = useSiteEnergy(site.id, { from, to }, nowMs);
  const current = onlyFor(loaded, range);
  const isOld = loaded.value !== undefined && current.value === undefined;
  return (
    <>
      <PageHead title={t('history')} says={`${site.name} · ${rangeText(range, timeZone)}`} />
      <EnergyTabs siteId={site.id} />
      <RangeBar range={range} nowMs={nowMs} timeZone={timeZone} />
      <div class="history" aria-busy={isOld}>
        {/* After a failure, do not show the energy of another range. */}
        <Loaded from={loaded.problem === undefined ? loaded : current} lines={8}>
          {(value) => (
            <>
              <ChartsCard site={site} loaded={value} nowMs={nowMs} />
              {current.value && isMeasured(value.energy.total) && (
                <>
                  <TotalsCard site={site} range={range} loaded={value} nowMs={nowMs} />
                  <DeviceRanking site={site} range={range} total={value.energy.total} nowMs={nowMs} />
                </>
              )}
            </>
          )}
        </Loaded>
      </div>
    </>
  );
});

function rangeText({ preset, from, to }: Range, timeZone: string | undefined): string {
  if (preset === 'day') return fullDay(from, timeZone);
  if (preset === 'month') return monthAndYear(from, timeZone);
  if (preset === 'year') return year(from, timeZone);
  return dateRange(from, to, timeZone, preset === 'custom');
}

function RangeBar({ range, nowMs, timeZone }: { range: Range; nowMs: number; timeZone: string | undefined }) {
  const go = (next: Range): void => setQuery(queryFor(next, nowMs, timeZone), { replace: false });
  const { preset } = range;
  const chosen = editable(preset, (next) => go(withPreset(range, next, nowMs, timeZone)));
  return (
    <div class="range-bar">
      <Segments label={t('range')} value={chosen} choices={choicesOf([...presets, 'custom'], t)} />
      <div class="range-steps">
        <Button label="‹" ariaLabel={t('before')} onClick={() => go(neighbour(range, -1, timeZone))} />
        {preset === 'custom' ? (
          <CustomRange range={range} timeZone={timeZone} go={go} />
        ) : (
          <Moment
            label={t('date')}
            type="date"
            value={dateAt(timeZone, range.from)}
            onChange={(text) => isDay(text) && go(onDay(preset, text, timeZone))}
          />
        )}
        <Button
          label="›"
          ariaLabel={t('after')}
          isDisabled={!hasEnded(range, nowMs)}
          onClick={() => go(neighbour(range, 1, timeZone))}
        />
        <button
          type="button"
          aria-pressed={range.follows}
          onClick={() => go(onDay(preset === 'custom' ? 'day' : preset, dateAt(timeZone, nowMs), timeZone))}
        >
          {t('now')}
        </button>
      </div>
    </div>
  );
}

function CustomRange({ range, timeZone, go }: { range: Range; timeZone: string | undefined; go(next: Range): void }) {
  const textOf = (ms: number): string => new Date(wallAt(timeZone, ms)).toISOString().slice(0, 16);
  const change = (part: 'from' | 'to') => (text: string) => {
    const wall = Date.parse(`${text}Z`);
    if (Number.isNaN(wall)) return;
    const next = { ...range, [part]: instantOf(timeZone, wall) };
    if (next.from < next.to) go(next);
  };
  return (
    <>
      <Moment label={t('from')} type="datetime-local" value={textOf(range.from)} onChange={change('from')} />
      <Moment label={t('to')} type="datetime-local" value={textOf(range.to)} onChange={change('to')} />
    </>
  );
}

type MomentProps = { label: string; type: 'date' | 'datetime-local'; value: string; onChange(text: string): void };

function Moment({ label, type, value, onChange }: MomentProps) {
  const id = useId();
  return (
    <span class={`moment ${type}`}>
      <label class={type === 'date' ? 'hidden' : 'soft'} for={id}>
        {label}
      </label>
      <input
        id={id}
        type={type}
        step={type === 'date' ? undefined : quarterMs / 1000}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    </span>
  );
}
