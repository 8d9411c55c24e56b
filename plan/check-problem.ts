import type { PlanProblem } from '#contract/plan.ts';
import type { FieldError } from '#contract/problem.ts';
import { existsOnCalendar, parseTime } from '#contract/time.ts';
import { isTimeZone } from '#contract/time-zone.ts';

/** Returns what the schema cannot say about a problem: lengths, order and times that do not fit together. */
export function checkProblem(problem: PlanProblem): FieldError[] {
  const errors: FieldError[] = [];
  const report = (path: string, message: string): unknown => errors.push({ path, message });
  const count = problem.steps_s.length;
  const checkLength = (path: string, values: readonly unknown[] | undefined): void => {
    if (values && values.length !== count) report(path, `must have ${count} values, as steps_s, not ${values.length}`);
  };
  if (!isTime(problem.start)) report('start', 'must be a time such as 2026-01-15T00:00:00+01:00');
  if (!isTimeZone(problem.timezone)) report('timezone', 'must be an IANA time zone such as Europe/Stockholm');
  for (const name of ['import_price', 'export_price', 'load_w', 'solar_w'] as const) checkLength(name, problem[name]);
  const ids = new Set<string>();
  for (const [n, storage] of problem.storages.entries()) {
    const at = `storages.${n}`;
    if (ids.has(storage.id)) report(`${at}.id`, 'must be different from the ids of other storages');
    ids.add(storage.id);
    for (const name of ['present', 'use_wh', 'must_charge_w'] as const) checkLength(`${at}.${name}`, storage[name]);
    if (storage.min_wh > storage.max_wh) report(`${at}.min_wh`, 'must not be above max_wh');
    if ((storage.charge_min_w ?? 0) > storage.charge_w) report(`${at}.charge_min_w`, 'must not be above charge_w');
    for (const [g, { step }] of (storage.goals ?? []).entries())
      if (step >= count) report(`${at}.goals.${g}.step`, `must be below ${count}, the number of steps`);
  }
  for (const [n, { counted, weight, peaks_so_far = [], tiers = [], price_per_kw }] of (
    problem.peak_fees ?? []
  ).entries()) {
    const at = `peak_fees.${n}`;
    checkLength(`${at}.counted`, counted);
    checkLength(`${at}.weight`, weight);
    for (const [p, { day }] of peaks_so_far.entries())
      if (!existsOnCalendar(day)) report(`${at}.peaks_so_far.${p}.day`, 'must be a day such as 2026-01-08');
    if ((price_per_kw === undefined) === (tiers.length === 0)) report(at, 'must have price_per_kw or tiers');
    if (tiers.some(({ up_to_kw }, i) => i > 0 && up_to_kw <= tiers[i - 1]!.up_to_kw))
      report(`${at}.tiers`, 'must be in order of up_to_kw');
  }
  return errors;
}

/** Date.parse reads also "1", and without an offset the result depends on this machine. */
const isTime = (text: string): boolean =>
  /^\d{4}-/.test(text) && parseTime(text) !== undefined && !Number.isNaN(Date.parse(text));
