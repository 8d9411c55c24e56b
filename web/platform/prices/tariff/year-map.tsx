import { useSignal } from '@preact/signals';
import { day as dayWords, month as monthWords, number } from '../../../parts/format.ts';
import { pointProps } from '../../../parts/pointing.ts';
import { texts } from '../../../parts/text.ts';
import { dayAt, hoursOfDay, levelsOf, outlineOf, type YearHours } from './year.ts';

const t = texts({
  map: [
    'Hours of {year}. Use left and right to change the day, up and down to change the hour.',
    'Timmarna under {year}. Byt dag med vänster och höger, timme med upp och ner.',
  ],
  none: ['no price', 'inget pris'],
  at: ['{day}, {from}:00–{to}:00: {price}', '{day}, {from}:00–{to}:00: {price}'],
  levels: ['Legend', 'Teckenförklaring'],
  hours: ['{hours} hours', '{hours} timmar'],
});

type YearMapProps = { hours: YearHours; price(amount: number): string; startAt: number };

const pad = (hour: number): string => String(hour).padStart(2, '0');
const noonOf = (date: string): number => Date.parse(`${date}T12:00:00Z`);

/** Heat map of a year: days across, hours down, darker is more expensive. */
export function YearMap({ hours, price, startAt }: YearMapProps) {
  const at = useSignal(startAt);
  const { days, year, amounts } = hours;
  const levels = levelsOf(hours);
  const strengthOf = (n: number): number => (levels.length < 2 ? 0.5 : 0.15 + (0.85 * n) / (levels.length - 1));
  const [day, hour] = [Math.floor(at.value / hoursOfDay), at.value % hoursOfDay];
  const amount = amounts[at.value]!;
  const words = t('at', {
    day: dayWords(noonOf(dayAt(hours, day)), 'UTC'),
    from: pad(hour),
    to: pad(hour + 1),
    price: Number.isNaN(amount) ? t('none') : price(amount),
  });

  const choose = (nextDay: number, nextHour: number): void => {
    const clamp = (value: number, most: number): number => Math.min(Math.max(value, 0), most);
    at.value = clamp(nextDay, days - 1) * hoursOfDay + clamp(nextHour, hoursOfDay - 1);
  };
  const point = (across: number, down: number): void =>
    choose(Math.floor(across * days), Math.floor(down * hoursOfDay));
  const keys: Record<string, () => void> = {
    ArrowLeft: () => choose(day - 1, hour),
    ArrowRight: () => choose(day + 1, hour),
    ArrowUp: () => choose(day, hour - 1),
    ArrowDown: () => choose(day, hour + 1),
    PageUp: () => choose(day - 30, hour),
    PageDown: () => choose(day + 30, hour),
    Home: () => choose(0, hour),
    End: () => choose(days - 1, hour),
  };
  const months = Array.from({ length: 12 }, (_, n) => Date.UTC(year, n, 1));
  const acrossOf = (ms: number): string => `${((ms - Date.UTC(year, 0, 1)) / 864_000 / days).toFixed(3)}%`;
  return (
    <>
      <ul class="year-levels" aria-label={t('levels')}>
        {levels.map(({ amount: level, hours: count }, n) => (
          <li key={level}>
            <svg class="price-swatch" viewBox="0 0 1 1" aria-hidden="true">
              <rect width={1} height={1} fill-opacity={strengthOf(n)} />
            </svg>
            {price(level)} <span class="says">{t('hours', { hours: number(count) })}</span>
          </li>
        ))}
      </ul>
      <div class="year-scroll">
        <div class="year-frame">
          <div class="year-hours" aria-hidden="true">
            {['00', '06', '12', '18'].map((text) => (
              <span key={text}>{text}</span>
            ))}
          </div>
          <div
            class="year-map"
            role="slider"
            aria-label={t('map', { year })}
            aria-valuemin={0}
            aria-valuemax={amounts.length - 1}
            aria-valuenow={at.value}
            aria-valuetext={words}
            tabIndex={0}
            {...pointProps({ point, keys })}
          >
            <svg viewBox={`0 0 ${days} ${hoursOfDay}`} preserveAspectRatio="none" aria-hidden="true">
              {levels.map(({ amount: level }, n) => (
                <path key={level} d={outlineOf(hours, level)} fill-opacity={strengthOf(n)} />
              ))}
              <rect class="chosen" x={day} y={hour} width={1} height={1} />
            </svg>
          </div>
          <div class="year-months" aria-hidden="true">
            {months.map((ms) => (
              <span key={ms} style={{ left: acrossOf(ms) }}>
                {monthWords(ms, 'UTC')}
              </span>
            ))}
          </div>
        </div>
      </div>
      <p class="year-at">{words}</p>
    </>
  );
}
