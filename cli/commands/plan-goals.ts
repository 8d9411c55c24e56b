import type { Ohmstead } from '#contract/client/connect.ts';
import {
  type GoalChanges,
  getPlanGoals,
  getPlanHistory,
  type PlanGoals,
  type PlanHistory,
  planModes,
  updatePlanGoals,
} from '#contract/cloud/plans.ts';
import { listSiteDevices, type Site } from '#contract/cloud/sites.ts';
import { Problem } from '#contract/problem.ts';
import { dayMs, formatTime } from '#contract/time.ts';
import { dateAt, startOfDate } from '#contract/time-zone.ts';
import { systemClock } from '#lib/clock.ts';
import { type Option, type OptionValues, UsageError } from '../line/command.ts';
import { energyOption, formatEnergy, formatPower, numberOption, parsePower } from '../line/quantity.ts';
import { report } from '../line/report.ts';
import { formatLocalTime } from '../line/time.ts';
import { formatMoney } from '../prices/bill-text.ts';
import { openSession } from '../sign-in/session.ts';
import { findDer } from '../sites/find-der.ts';
import { findSite, siteOption } from '../sites/find-site.ts';
import { columns, printable } from '../terminal/output.ts';

const yesNo = (help: string) =>
  ({
    value: 'YES|NO',
    help,
    oneOf: ['yes', 'no'],
  }) as const satisfies Option;

const goalOptions = {
  site: siteOption,
  mode: { value: 'MODE', help: 'off; show, to plan without control; or control', oneOf: planModes },
  pause: {
    value: 'UNTIL',
    help: 'today: devices are in automatic mode until midnight; no ends that',
    oneOf: ['today', 'no'],
  },
  reserve: numberOption('PERCENT', 'keep so much in batteries for outages', { min: 0, max: 100 }),
  'max-import': { value: 'POWER', help: 'stay below this, such as 6kW; or none' },
  'sell-at-negative-price': yesNo('sell also when the price is negative'),
  'battery-for-car': yesNo('whether batteries may charge cars'),
  'battery-to-grid': yesNo('whether batteries may sell to the grid'),
  car: { value: 'GOAL', help: 'such as "80% by 07:00 weekdays" (or weekends, or daily); or none' },
  charger: { value: 'DER', help: 'charger of the car. Default: the only one of the site' },
  'car-capacity': energyOption('capacity of the car, if its charger does not report it'),
  'car-energy': energyOption('energy of an average day, if the charger does not report the state of charge'),
  'battery-capacity': energyOption('usable capacity of the battery, if the device does not report it'),
  battery: { value: 'DER', help: 'battery of that capacity. Default: the only one of the site' },
} as const satisfies Record<string, Option>;

const goals = report('plan goals', {
  summary: 'Show or set the goals of the plans of a site',
  options: goalOptions,
  examples: [
    'plan goals',
    'plan goals --mode control --reserve 20 --max-import 6kW',
    'plan goals --car "80% by 07:00 weekdays" --battery-for-car no',
    'plan goals --battery-capacity 10kWh',
    'plan goals --pause today',
  ],
  async run({ options }, shell) {
    const api = await openSession(shell);
    const site = await findSite(api, options.site);
    const params = { site_id: site.id };
    const known = await api.call(getPlanGoals, { params });
    const body = await changesOf(options, { api, site, known });
    const found = Object.keys(body).length > 0 ? await api.call(updatePlanGoals, { params, body }) : known;
    return { result: found, text: goalsText(found, site, await nameDers(api, site, found)) };
  },
});

type Known = { api: Ohmstead; site: Site; known: PlanGoals };

async function changesOf(options: OptionValues<typeof goalOptions>, given: Known): Promise<GoalChanges> {
  const { mode, pause, reserve, car } = options;
  const isYes = (name: 'sell-at-negative-price' | 'battery-for-car' | 'battery-to-grid', field: keyof GoalChanges) =>
    options[name] === undefined ? {} : { [field]: options[name] === 'yes' };
  return {
    ...(mode !== undefined && { mode }),
    ...(pause !== undefined && { paused_until: pause === 'no' ? null : endOfToday(given.site) }),
    ...(reserve !== undefined && { reserve_pct: reserve }),
    ...(options['max-import'] !== undefined && { max_import_w: readLimit(options['max-import']) }),
    ...isYes('sell-at-negative-price', 'export_at_negative_price'),
    ...isYes('battery-for-car', 'battery_for_car'),
    ...isYes('battery-to-grid', 'battery_to_grid'),
    ...(car !== undefined && { cars: await readCars(car, options.charger, given) }),
    ...(await factsOf(options, given)),
  };
}

/** Adds what is entered to the facts of the storages that devices do not report. */
async function factsOf(options: OptionValues<typeof goalOptions>, given: Known): Promise<GoalChanges> {
  const { 'car-capacity': ofCar, 'car-energy': needed, 'battery-capacity': ofBattery, charger, battery } = options;
  const changes: PlanGoals['storages'] = [];
  if (ofBattery !== undefined) changes.push({ der_id: await derOf(given, 'battery', battery), capacity_wh: ofBattery });
  if (ofCar !== undefined || needed !== undefined)
    changes.push({
      der_id: await derOf(given, 'ev_charger_port', charger),
      ...(ofCar !== undefined && { capacity_wh: ofCar }),
      ...(needed !== undefined && { energy_needed_wh: needed }),
    });
  if (changes.length === 0) return {};
  const { storages } = given.known;
  const others = storages.filter(({ der_id }) => !changes.some((change) => change.der_id === der_id));
  const changed = changes.map((change) => ({
    ...storages.find(({ der_id }) => der_id === change.der_id),
    ...change,
  }));
  return { storages: [...others, ...changed] };
}

function endOfToday({ timezone = 'UTC' }: Site): string {
  const today = startOfDate(timezone, dateAt(timezone, systemClock.now()));
  return formatTime(startOfDate(timezone, dateAt(timezone, today + 1.5 * dayMs)));
}

function readLimit(text: string): number | null {
  if (text === 'none') return null;
  const watts = parsePower(text);
  if (watts === undefined) throw new UsageError('--max-import must be a power such as 6kW, or none.');
  return watts;
}

const daysOf: Record<string, number[]> = {
  weekdays: [1, 2, 3, 4, 5],
  weekends: [6, 7],
  daily: [1, 2, 3, 4, 5, 6, 7],
};

/** Replaces the departures of a car on the same days; none removes all of them. */
async function readCars(text: string, charger: string | undefined, given: Known) {
  const { known } = given;
  const pattern =
    /^(?<target>\d{1,3})\s*%?\s+by\s+(?<by>([01]\d|2[0-3]):[0-5]\d)(\s+(?<word>weekdays|weekends|daily))?$/;
  const { target, by, word = 'daily' } = pattern.exec(text)?.groups ?? {};
  if (text !== 'none' && (!target || !by || Number(target) > 100))
    throw new UsageError('--car must be a goal such as "80% by 07:00 weekdays", or none.');
  const der_id = await derOf(given, 'ev_charger_port', charger);
  const others = known.cars.filter((car) => car.der_id !== der_id);
  if (!target || !by) return others;
  const days = daysOf[word]!;
  const rest = known.cars
    .filter((car) => car.der_id === der_id)
    .map((car) => ({ ...car, days: car.days.filter((day) => !days.includes(day)) }))
    .filter((car) => car.days.length > 0);
  return [...others, ...rest, { der_id, target_pct: Number(target), by, days }];
}

const kinds = {
  battery: { name: 'battery', plural: 'batteries', option: '--battery' },
  ev_charger_port: { name: 'car charger', plural: 'car chargers', option: '--charger' },
} as const;

/** Returns the chosen DER, or the only one of its type. */
async function derOf({ api, site }: Known, type: keyof typeof kinds, chosen: string | undefined): Promise<string> {
  if (chosen !== undefined) return (await findDer(api, chosen, site.id)).id;
  const { name, plural, option } = kinds[type];
  const devices = await Array.fromAsync(api.pages(listSiteDevices, { params: { site_id: site.id } }));
  const [only, ...more] = devices.flatMap(({ ders }) => ders).filter((der) => der.type === type);
  if (!only) throw new Problem('not_found', `${site.name} has no ${name}.`);
  if (more.length > 0) throw new UsageError(`${site.name} has several ${plural}. Choose one with ${option}.`);
  return only.id;
}

const modeTexts: Record<PlanGoals['mode'], string> = {
  off: 'off: no plan is made',
  show: 'show: plans are made, and nothing is controlled',
  control: 'control: the gateway follows the plan',
};

const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

/** Returns the names of the devices of batteries and cars in the goals, by the id of the DER. */
async function nameDers(
  api: Ohmstead,
  { id: site_id }: Site,
  { cars, storages }: PlanGoals,
): Promise<Map<string, string>> {
  if (cars.length + storages.length === 0) return new Map();
  const devices = await Array.fromAsync(api.pages(listSiteDevices, { params: { site_id } }));
  return new Map(devices.flatMap(({ name, ders }) => ders.map(({ id }) => [id, name] as const)));
}

function goalsText(found: PlanGoals, { timezone = 'UTC' }: Site, names: ReadonlyMap<string, string>): string {
  const word = (isSo: boolean): string => (isSo ? 'yes' : 'no');
  const nameOf = (id: string): string => printable(names.get(id) ?? id);
  const until = found.paused_until === null ? 0 : Date.parse(found.paused_until);
  const paused = until > systemClock.now() ? [['Paused until', formatLocalTime(timezone, until)]] : [];
  return columns([
    ['Mode', modeTexts[found.mode]],
    ...paused,
    ['Kept for outages', `${found.reserve_pct} %`],
    ['Stay below', found.max_import_w === null ? 'no limit' : formatPower(found.max_import_w)],
    ['Sell at a negative price', word(found.export_at_negative_price)],
    ['Battery may charge cars', word(found.battery_for_car)],
    ['Battery may sell', word(found.battery_to_grid)],
    ...found.cars.map(({ der_id, target_pct, by, days }) => [
      `Car at ${nameOf(der_id)}`,
      `${target_pct} % by ${by} on ${days.map((day) => weekdays[day - 1]).join(', ')}`,
    ]),
    ...found.storages.map((facts) => [`Entered for ${nameOf(facts.der_id)}`, factsText(facts)]),
  ]);
}

function factsText({ capacity_wh, charge_w, discharge_w, energy_needed_wh }: PlanGoals['storages'][number]): string {
  return [
    ...(capacity_wh === undefined ? [] : [formatEnergy(capacity_wh)]),
    ...(charge_w === undefined ? [] : [`charges with up to ${formatPower(charge_w)}`]),
    ...(discharge_w === undefined ? [] : [`discharges with up to ${formatPower(discharge_w)}`]),
    ...(energy_needed_wh === undefined ? [] : [`${formatEnergy(energy_needed_wh)} on an average day`]),
  ].join(', ');
}

const history = report('plan history', {
  summary: 'Compare what plans promised with what happened',
  options: {
    site: siteOption,
    from: { value: 'DAY', help: 'first day, such as 2026-10-01. Default: 30 days ago' },
    to: { value: 'DAY', help: 'last day. Default: today' },
  },
  examples: ['plan history', 'plan history --from 2026-10-01 --to 2026-10-31'],
  async run({ options: { site: given, from, to } }, shell) {
    const api = await openSession(shell);
    const site = await findSite(api, given);
    const query = { ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
    const found = await api.call(getPlanHistory, { params: { site_id: site.id }, query });
    return { result: found, text: historyText(found) };
  },
});

function historyText({ days, month, currency }: PlanHistory): string {
  if (days.length === 0 || currency === null)
    return 'No results yet: the first one is known on the day after the first plan.';
  const amount = (value: number | null): string => (value === null ? '' : formatMoney(value));
  const watts = (value: number | null): string => (value === null ? '' : formatPower(value));
  const rows = days.map((day) => [
    day.date,
    ...[day.promised, day.realised, day.self_consumption, day.saved].map(amount),
    watts(day.load_error_w),
    watts(day.solar_error_w),
    amount(day.price_error),
  ]);
  const head = [
    currency,
    'PLANNED',
    'ACTUAL',
    'WITHOUT PLAN',
    'SAVED',
    'ERROR OF USE',
    'ERROR OF SUN',
    'ERROR OF PRICE',
  ];
  const saved =
    month.saved === null ? 'not known yet' : `${formatMoney(month.saved)} ${currency} on ${month.days} days`;
  return [columns([head, ...rows], [1, 2, 3, 4, 5, 6, 7]), `Saved this month: ${saved}.${powerText(month)}`].join(
    '\n\n',
  );
}

/** Compares the power charge of a month, which belongs to none of its days. */
function powerText({ power }: PlanHistory['month']): string {
  if (power === null) return '';
  const { promised, realised, self_consumption: without } = power;
  const others = [
    ...(promised === null ? [] : [`${formatMoney(promised)} were planned`]),
    ...(without === null ? [] : [`${formatMoney(without)} without plans`]),
  ];
  return `\nPower charge of the month so far: ${formatMoney(realised)}${others.length > 0 ? ` (${others.join(', ')})` : ''}.`;
}

export const goalCommands = [goals, history];
