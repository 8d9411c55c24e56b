import type { PlanGoals } from '#contract/cloud/plans.ts';
import type { SiteDetails } from '#contract/cloud/sites.ts';
import { editable } from '../../parts/bound-value.ts';
import { DecimalField } from '../../parts/field.tsx';
import { texts } from '../../parts/text.ts';

const t = texts({
  title: 'Sizes of batteries and cars',
  says: 'For devices that do not report them. Empty fields keep what a device reports.',
  battery: 'Usable capacity (kWh)',
  car: 'Capacity of the car (kWh)',
  power: 'Highest power of charging (kW)',
  energy: 'Energy of an average day (kWh)',
  energySays: 'For a charger that does not report the state of charge: the plan charges this much by each departure.',
});

type Facts = PlanGoals['storages'][number];
type Fact = 'capacity_wh' | 'charge_w' | 'energy_needed_wh';

type FactsProps = {
  site: SiteDetails;
  facts: readonly Facts[];
  set(facts: Facts[]): void;
  /** whether the plan waits for one of them */
  isAsked: boolean;
};

/** Edits what batteries and chargers do not report. */
export function StorageFacts({ site, facts, set, isAsked }: FactsProps) {
  const storages = storagesIn(site);
  if (storages.length === 0) return null;
  return (
    <details class="details" open={isAsked}>
      <summary>{t('title')}</summary>
      <p class="says">{t('says')}</p>
      {storages.map(({ id, name, isCar }) => {
        const value = (fact: Fact) => {
          const known = facts.find(({ der_id }) => der_id === id)?.[fact];
          return editable(known === undefined ? '' : String(known / 1000), (text) =>
            set(withFact(facts, id, fact, text === '' ? undefined : Math.round(Number(text) * 1000))),
          );
        };
        return (
          <fieldset class="plan-car" key={id}>
            <legend>{name}</legend>
            <div class="plan-pair">
              <DecimalField label={t(isCar ? 'car' : 'battery')} value={value('capacity_wh')} min={0.1} max={10_000} />
              <DecimalField label={t('power')} value={value('charge_w')} min={0.1} max={10_000} />
            </div>
            {isCar && <DecimalField {...t.field('energy')} value={value('energy_needed_wh')} min={0.1} max={10_000} />}
          </fieldset>
        );
      })}
    </details>
  );
}

/** Changes one fact of a storage; one without facts is left out. */
function withFact(facts: readonly Facts[], derId: string, fact: Fact, value: number | undefined): Facts[] {
  const isKnown = facts.some(({ der_id }) => der_id === derId);
  return (isKnown ? facts : [...facts, { der_id: derId }]).flatMap((each) => {
    if (each.der_id !== derId) return [each];
    const { [fact]: _, ...others } = each;
    const changed = { ...others, ...(value !== undefined && { [fact]: value }) };
    return Object.keys(changed).length > 1 ? [changed] : [];
  });
}

const storagesIn = ({ devices }: SiteDetails): { id: string; name: string; isCar: boolean }[] =>
  devices
    .filter(({ state }) => state !== 'orphaned')
    .flatMap(({ name, ders }) =>
      ders
        .filter(({ type }) => type === 'battery' || type === 'ev_charger_port')
        .map(({ id, type }) => ({ id, name, isCar: type === 'ev_charger_port' })),
    );
