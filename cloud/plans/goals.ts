import { defaultPlanGoals, type GoalChanges, type PlanGoals } from '#contract/cloud/plans.ts';
import type { DerTypeId } from '#contract/der.ts';
import { type FieldError, fieldsProblem } from '#contract/problem.ts';
import type { Db } from '../store/engine.ts';
import { findPlanSite, listPlanDers, type PlanDer } from '../store/plans.ts';

type Goals = Omit<PlanGoals, 'site_id'>;

/** Reads the goals of a site. Those of DERs that it no longer has are left out. */
export async function readGoals(db: Db, siteId: string): Promise<PlanGoals> {
  const stored = await findPlanSite(db, siteId);
  return { site_id: siteId, ...(stored ? goalsOf(stored.goals, await listPlanDers(db, siteId)) : defaultPlanGoals) };
}

/** Adds stored changes to the default goals. */
export function goalsOf(stored: string, ders: readonly PlanDer[]): Goals {
  const goals: Goals = { ...defaultPlanGoals, ...(JSON.parse(stored) as GoalChanges) };
  const known = new Set(ders.map(({ id }) => id));
  const isKnown = ({ der_id }: { der_id: string }): boolean => known.has(der_id);
  return { ...goals, cars: goals.cars.filter(isKnown), storages: goals.storages.filter(isKnown) };
}

/** Applies changes to goals. Throws a Problem that names each field with a mistake. */
export function changeGoals(goals: Goals, changes: GoalChanges, ders: readonly PlanDer[]): Goals {
  const errors = [
    ...derErrors('body.cars', changes.cars ?? [], ders, ['ev_charger_port']),
    ...derErrors('body.storages', changes.storages ?? [], ders, ['battery', 'ev_charger_port']),
    ...carErrors(changes.cars ?? []),
    ...storageErrors(changes.storages ?? []),
  ];
  if (errors.length > 0) throw fieldsProblem('unprocessable', errors);
  return { ...goals, ...changes };
}

function derErrors(
  path: string,
  entries: readonly { der_id: string }[],
  ders: readonly PlanDer[],
  types: readonly DerTypeId[],
): FieldError[] {
  return entries.flatMap(({ der_id }, n) => {
    const der = ders.find(({ id }) => id === der_id);
    if (der && types.includes(der.type)) return [];
    const message = der ? `is a DER of type ${der.type}, not ${types.join(' or ')}` : 'is not a DER of this site';
    return [{ path: `${path}.${n}.der_id`, message }];
  });
}

/** A departure may be listed once for each day. */
function carErrors(cars: Goals['cars']): FieldError[] {
  const seen = new Set<string>();
  return cars.flatMap(({ der_id, by, days }, n) =>
    days.flatMap((day) => {
      const key = `${der_id} ${by} ${day}`;
      const isRepeated = seen.has(key);
      seen.add(key);
      return isRepeated ? [{ path: `body.cars.${n}.days`, message: `repeats day ${day} of the same departure` }] : [];
    }),
  );
}

function storageErrors(storages: Goals['storages']): FieldError[] {
  return storages.flatMap(({ der_id, charge_w, charge_min_w }, n) => {
    const errors: FieldError[] = [];
    if (storages.findIndex((other) => other.der_id === der_id) < n)
      errors.push({ path: `body.storages.${n}.der_id`, message: 'is listed twice' });
    if (charge_w !== undefined && charge_min_w !== undefined && charge_min_w > charge_w)
      errors.push({ path: `body.storages.${n}.charge_min_w`, message: 'must not be above charge_w' });
    return errors;
  });
}
