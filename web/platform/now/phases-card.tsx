import type { SiteReading } from '#contract/client/site-events.ts';
import { Age } from '../../parts/age.tsx';
import { Card } from '../../parts/card.tsx';
import { number } from '../../parts/format.ts';
import { Link } from '../../parts/router.tsx';
import { texts } from '../../parts/text.ts';

const t = texts({
  en: {
    title: 'Phases and fuse',
    of: '{amps} A of {fuse} A',
    amps: '{amps} A',
    none: 'The meter does not tell its currents.',
    noFuse: 'Tell the size of the main fuse, and the room left is shown.',
    set: 'Site settings',
    left: '{amps} A to spare on the fullest phase',
    over: 'The fullest phase is {amps} A above the fuse.',
  },
  sv: {
    title: 'Faser och säkring',
    of: '{amps} A av {fuse} A',
    amps: '{amps} A',
    none: 'Mätaren berättar inte sina strömmar.',
    noFuse: 'Ange huvudsäkringens storlek så visas utrymmet som är kvar.',
    set: 'Anläggningens inställningar',
    left: '{amps} A kvar på den mest belastade fasen',
    over: 'Den mest belastade fasen är {amps} A över säkringen.',
  },
});

const phases = ['L1', 'L2', 'L3'] as const;
const nearlyFull = 0.8; // most fuses hold more for an hour, none for a day

type PhasesProps = { grid: SiteReading | undefined; fuse: number | undefined; siteId: string };

/** The current of each phase against the main fuse; the direction does not matter to a fuse. */
export function PhasesCard({ grid, fuse, siteId }: PhasesProps) {
  const currents = phases.flatMap((phase) => {
    const amps = ampsOf(grid, phase);
    return amps === undefined ? [] : [{ phase, amps }];
  });
  const spare = fuse === undefined ? undefined : fuse - Math.max(...currents.map(({ amps }) => amps));
  return (
    <Card title={t('title')} beside={<Age ms={grid?.timestamp} />}>
      {currents.length === 0 && <p class="says">{t('none')}</p>}
      <div class="phases">
        {currents.map(({ phase, amps }) => (
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
        spare !== undefined &&
        currents.length > 0 && (
          <p class="says">{t(spare < 0 ? 'over' : 'left', { amps: number(Math.abs(spare), 1) })}</p>
        )
      )}
    </Card>
  );
}

/** As measured, or from power and voltage where the meter tells those. */
function ampsOf(grid: SiteReading | undefined, phase: (typeof phases)[number]): number | undefined {
  const {
    [`${phase}_A`]: amps,
    [`${phase}_W`]: watts,
    [`${phase}_V`]: volts,
  } = (grid ?? {}) as Record<string, number | undefined>;
  if (amps !== undefined) return Math.abs(amps);
  return watts !== undefined && volts ? Math.abs(watts / volts) : undefined;
}
