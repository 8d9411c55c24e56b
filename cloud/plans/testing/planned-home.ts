import assert from 'node:assert/strict';
import { energySeries, quarterMs } from '#contract/cloud/energy.ts';
import type { SitePlan } from '#contract/cloud/plans.ts';
import { planType, type SignedPlan } from '#contract/gateway-plan.ts';
import { wallAt } from '#contract/time-zone.ts';
import { createLog } from '#lib/log.ts';
import type { TestCloud } from '#test/cloud/open-cloud.ts';
import { p256 } from '#test/cloud/people.ts';
import { knownCalculator, threePeaks } from '#test/price/known-calculator.ts';
import { noCalculator } from '../../bill/bill-calculator.ts';
import type { SiteQuarters } from '../../energy/report.ts';
import { createGatewayPlans } from '../gateway-plans.ts';
import type { PlanDeps } from '../make-plan.ts';
import { createPlanning } from '../planning.ts';
import type { Reading } from '../storages.ts';

export const timeZone = 'Europe/Stockholm';
const log = createLog({ level: 'silent', name: 'test' });

/** A house that uses 400 W, and 3 kW from 17 to 20, measured for the last hours. */
export function quartersOf(from: number, to: number, hours: number): SiteQuarters {
  const length = (to - from) / quarterMs;
  const column = () => new Float64Array(length);
  const series = Object.fromEntries(energySeries.map((name) => [name, column()])) as SiteQuarters['series'];
  for (let i = 0; i < length; i++) {
    const hour = new Date(wallAt(timeZone, from + i * quarterMs)).getUTCHours();
    series.load[i] = series.import[i] = hour >= 17 && hour < 20 ? 750 : 100;
  }
  const coveredS = column().fill(900, Math.max(0, length - 4 * hours));
  return { from, to, series, estimated: column(), coveredS };
}

/** The part of the home that tests change. */
type House = {
  /** for how many hours it has been measured */
  measuredHours: number;
  isMarketDown: boolean;
  /** runs while a plan is made */
  whilePlanning: (() => Promise<void>) | undefined;
};

/** A home with a battery and a meter, and the planning of a platform that runs when a test says so. */
export async function openPlannedHome(cloud: TestCloud) {
  const { store, clock } = cloud;
  clock.advance(Date.parse('2026-06-25T12:00:00Z') - clock.now()); // the rest of a month is short
  const ada = await cloud.person();
  const org = await cloud.organization(ada);
  const site = await cloud.site(ada, org, {
    timezone: timeZone,
    price_area: 'SE3',
    tariff_id: threePeaks,
    fuse_a: 20,
    latitude: 59.3,
    longitude: 18.1,
  });
  const gateway = await cloud.claim(ada, org, p256());
  const { ders } = await cloud.provision(ada, site, gateway.serial, {
    hardware_id: 'INV',
    device_type: 'inverter',
    ders: [
      { name: 'battery', type: 'battery' },
      { name: 'meter', type: 'meter' },
    ],
  });
  const [{ id: battery }] = ders.filter(({ type }: { type: string }) => type === 'battery');
  const nos = new Map((await store.db.selectFrom('ders').select(['id', 'no']).execute()).map(({ id, no }) => [id, no]));
  const readings = new Map<number, Reading & { received: number }>();
  const reads = (values: Record<string, unknown>): void =>
    void readings.set(nos.get(battery)!, { at: clock.now(), received: 0, values });
  const sent: SignedPlan[] = [];
  const gateways = createGatewayPlans({
    store,
    clock,
    log,
    deploymentId: 'urn:test',
    keys: { signTyped: (typ, payload) => `${typ} ${JSON.stringify(payload)}` },
    transport: {
      publish(topic, payload) {
        assert.equal(topic, `control/${gateway.serial}/plan`);
        assert.ok(payload.startsWith(`${planType} `));
        sent.push(JSON.parse(payload.slice(planType.length + 1)));
        return true;
      },
    },
  });
  const house: House = { measuredHours: 5, isMarketDown: false, whilePlanning: undefined };
  const known = knownCalculator({ spot: (hour) => (hour < 6 ? 20 : hour >= 17 && hour < 20 ? 200 : 60) });
  const deps = {
    store,
    clock,
    log,
    gateways,
    weather: {
      at: async ({ latitude, longitude }) => {
        await house.whilePlanning?.();
        return { note: { key: 'weather_of', name: `${latitude}, ${longitude}` } };
      },
    },
    latest: { get: async () => readings },
    telemetry: cloud.telemetry,
    ledger: { readQuarters: async (_, from, to) => quartersOf(from, to, house.measuredHours) },
    calculator: { ...known, marginalPrice: (body) => (house.isMarketDown ? noCalculator : known).marginalPrice(body) },
  } satisfies PlanDeps & { gateways: object };
  const planning = createPlanning(deps);
  const set = async (body: object): Promise<void> => {
    assert.equal((await cloud.call('PUT', `/sites/${site}/plan/goals`, { as: ada, body })).status, 200);
  };
  const read = async (): Promise<SitePlan> => (await cloud.call('GET', `/sites/${site}/plan`, { as: ada })).body;
  const pass = async (ms: number): Promise<void> => {
    clock.advance(ms);
    if (readings.size > 0) reads(readings.get(nos.get(battery)!)!.values);
    await planning.planDue();
  };
  return { ada, org, site, gateway, battery, reads, sent, gateways, house, known, deps, planning, set, read, pass };
}
