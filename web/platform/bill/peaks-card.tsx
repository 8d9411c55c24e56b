import type { SiteBill } from '#contract/cloud/bill.ts';
import { getSiteEnergy } from '#contract/cloud/energy.ts';
import type { SiteDetails } from '#contract/cloud/sites.ts';
import { minuteMs } from '#contract/time.ts';
import { dateAt, startOfDate } from '#contract/time-zone.ts';
import { addDays, type CalendarDay, weekdayOf } from '../../chart/calendar.ts';
import { Card } from '../../parts/layout.tsx';
import { Loaded, useLoad } from '../../parts/load.tsx';
import { timeNow } from '../../parts/now.ts';
import { dateAndTime, day as dayText, money, number, texts, weekday } from '../../parts/text.ts';
import { api } from '../session.ts';
import type { BillPeriod } from './period.ts';

const t = texts({
  title: 'Power peaks',
  counted: 'Peaks that count',
  none: 'No peak counts yet.',
  next: 'Mean power above {kw} kW increases the power charge by {cost} per kW.',
  shade: 'The stronger the colour of a day, the higher its highest hour. Outlined days have a peak that counts.',
  dayPeak: '{day}: {kw} kW',
});

type Peaks = NonNullable<SiteBill['peaks']>;
type PeaksProps = { site: SiteDetails; period: BillPeriod; bill: SiteBill; turn: number };

/** Shows the peaks of a power charge in the days of their month; nothing without a power charge. */
export function PeaksCard({ site, period, bill, turn }: PeaksProps) {
  const power = bill.lines.filter(({ kind }) => kind === 'power');
  if (power.length === 0) return null;
  const all = power.flatMap(({ peaks = [] }) => peaks);
  const peaks = [...new Map(all.map((peak) => [peak.start, peak])).values()].sort((a, b) => b.kw - a.kw);
  const { next_peak: next, timezone, currency } = bill;
  return (
    <Card title={t('title')}>
      <Calendar site={site} period={period} peaks={peaks} turn={turn} />
      <div>
        <h3>{t('counted')}</h3>
        {peaks.length === 0 && <p class="says">{t('none')}</p>}
        <ul class="peak-list">
          {peaks.map(({ start, kw }) => (
            <li key={start}>
              {dateAndTime(Date.parse(start), timezone)} <b class="number">{number(kw, 2)} kW</b>
            </li>
          ))}
        </ul>
      </div>
      {next && <p>{t('next', { kw: number(next.above_kw, 2), cost: money(next.cost_per_kw, currency) })}</p>}
    </Card>
  );
}

type CalendarProps = { site: SiteDetails; period: BillPeriod; peaks: Peaks; turn: number };

function Calendar({ site, period: { from, to }, peaks, turn }: CalendarProps) {
  const timeZone = site.timezone;
  const loaded = useLoad((signal) => highestHours(site, from, to, signal), [], turn);
  const counted = new Set(peaks.map(({ start }) => dateAt(timeZone, Date.parse(start))));
  const days: CalendarDay[] = [];
  for (let day = from; day < to; day = addDays(day, 1)) days.push(day);
  return (
    <Loaded from={loaded}>
      {(highest) => {
        const most = Math.max(0.1, ...highest.values());
        return (
          <>
            <div class="peak-days" aria-hidden="true">
              {Array.from({ length: 7 }, (_, n) => (
                <span key={n} class="soft">
                  {weekday(Date.parse(addDays('2024-01-01', n)), 'UTC')}
                </span>
              ))}
              {days.map((day, n) => {
                const kw = highest.get(day);
                const share = kw === undefined ? 0 : Math.round((kw / most) * 100);
                return (
                  <span
                    key={day}
                    class={counted.has(day) ? 'peak-day counted' : 'peak-day'}
                    title={
                      kw === undefined
                        ? undefined
                        : t('dayPeak', { day: dayText(Date.parse(day), 'UTC'), kw: number(kw, 2) })
                    }
                    style={{ '--share': `${share}%`, ...(n === 0 && { gridColumnStart: weekdayOf(day) + 1 }) }}
                  >
                    {Number(day.slice(8))}
                  </span>
                );
              })}
            </div>
            <p class="says">{t('shade')}</p>
          </>
        );
      }}
    </Loaded>
  );
}

/** Returns the highest import of an hour, in kW, on each day that has data. */
async function highestHours(
  { id, timezone }: SiteDetails,
  from: CalendarDay,
  to: CalendarDay,
  signal: AbortSignal,
): Promise<Map<CalendarDay, number>> {
  const start = startOfDate(timezone, from);
  const end = Math.min(startOfDate(timezone, to), Math.ceil(timeNow() / (15 * minuteMs)) * 15 * minuteMs);
  const { intervals } = await api().call(getSiteEnergy, {
    params: { site_id: id },
    query: { from: new Date(start).toISOString(), to: new Date(end).toISOString(), resolution: '1h' },
    signal,
  });
  const highest = new Map<CalendarDay, number>();
  for (const { start: hour, import_wh, coverage_pct, estimated_wh } of intervals) {
    if (coverage_pct === 0 && estimated_wh === 0) continue;
    const day = dateAt(timezone, Date.parse(hour));
    highest.set(day, Math.max(highest.get(day) ?? 0, import_wh / 1000));
  }
  return highest;
}
