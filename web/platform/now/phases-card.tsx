import type { SiteReading } from '#contract/client/site-stream.ts';
import { Age } from '../../parts/age.tsx';
import { Card } from '../../parts/card.tsx';
import { number } from '../../parts/format.ts';
import { now } from '../../parts/now.ts';
import { Link } from '../../parts/router.tsx';
import { texts } from '../../parts/text.ts';
import { currentsOf } from './currents.ts';

const t = texts({
  title: ['Phases and main fuse', 'Faser och huvudsäkring'],
  of: ['{amps} A of {fuse} A', '{amps} A av {fuse} A'],
  amps: ['{amps} A', '{amps} A'],
  unknown: ['No recent data from the meter.', 'Inga nya data från elmätaren.'],
  none: ['The meter does not report currents.', 'Elmätaren rapporterar inga strömmar.'],
  noFuse: [
    'Set the main fuse to see the available capacity.',
    'Ange huvudsäkringen för att se hur mycket som är ledigt.',
  ],
  set: ['Site settings', 'Anläggningens inställningar'],
  left: ['{amps} A available on the most loaded phase', '{amps} A ledigt på den mest belastade fasen'],
  over: [
    'The most loaded phase exceeds the fuse by {amps} A.',
    'Den mest belastade fasen överskrider säkringen med {amps} A.',
  ],
});

const nearlyFull = 0.8; // most fuses carry more for an hour, none for a day

type PhasesProps = { grid: SiteReading | undefined; fuse: number | undefined; siteId: string };

/** Shows the current of each phase against the main fuse, in either direction. */
export function PhasesCard({ grid, fuse, siteId }: PhasesProps) {
  const currents = currentsOf(grid, now.value);
  const fullest = currents && currents.length > 0 ? Math.max(...currents.map(({ amps }) => amps)) : undefined;
  return (
    <Card title={t('title')} beside={<Age ms={grid?.timestamp} />}>
      {currents === undefined && <p class="says">{t('unknown')}</p>}
      {currents?.length === 0 && <p class="says">{t('none')}</p>}
      <div class="phases">
        {currents?.map(({ phase, amps }) => (
          <div class="phase" key={phase}>
            <span>{phase}</span>
            {fuse === undefined ? (
              <span />
            ) : (
              <meter
                aria-label={phase}
                min={0}
                max={fuse}
                low={fuse * nearlyFull}
                high={fuse * 0.95}
                optimum={0}
                value={Math.min(amps, fuse)}
              />
            )}
            <span class="number">
              {fuse === undefined
                ? t('amps', { amps: number(amps, 1) })
                : t('of', { amps: number(amps, 1), fuse: number(fuse) })}
            </span>
          </div>
        ))}
      </div>
      {fuse === undefined ? (
        <p class="says">
          {t('noFuse')} <Link to={`/app/sites/${siteId}/settings`}>{t('set')}</Link>
        </p>
      ) : (
        fullest !== undefined && (
          <p class="says">{t(fullest > fuse ? 'over' : 'left', { amps: number(Math.abs(fuse - fullest), 1) })}</p>
        )
      )}
    </Card>
  );
}
