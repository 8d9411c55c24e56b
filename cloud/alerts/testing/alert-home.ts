import { CloudConfig } from '#cloud/config.ts';
import { runStatements } from '#cloud/store/kysely.ts';
import type { AlertRules } from '#contract/cloud/alerts.ts';
import { readConfig } from '#lib/config.ts';
import { createLog } from '#lib/log.ts';
import { expectStatus, type Person, type TestCloud } from '#test/cloud/open-cloud.ts';
import { knownCalculator } from '#test/price/known-calculator.ts';
import type { BillCalculator } from '../../bill/bill-calculator.ts';
import type { SiteQuarters } from '../../energy/report.ts';
import type { Reading } from '../conditions.ts';
import { createOutbox } from '../outbox.ts';
import { createSend } from '../send.ts';
import { createWatch } from '../watch.ts';

/** The version of the platform in these tests. */
export const platformVersion = '1.10.0';

type Options = {
  env?: Record<string, string>;
  calculator?: BillCalculator;
  quarters?: (siteId: string, from: number, to: number) => SiteQuarters;
};

/** The parts of a platform process that check rules and deliver alerts, driven by the test. */
export function openAlerting(cloud: TestCloud, { env = {}, calculator, quarters }: Options = {}) {
  const { store, clock } = cloud;
  const log = createLog({ level: 'silent', name: 'test' });
  const readings = new Map<number, Reading>();
  const settings = readConfig(CloudConfig, { ALERTS_PRIVATE_NETWORKS: 'true', ...env });
  const send = createSend({ settings, store, clock, baseUrl: () => 'http://cloud.test' });
  const outbox = createOutbox({ store, clock, log, send: send.send });
  const watch = createWatch({
    version: platformVersion,
    store,
    clock,
    log,
    calculator: calculator ?? knownCalculator({ spot: () => 100 }),
    latest: {
      get: async (ders) =>
        new Map(
          ders.flatMap((no) => {
            const reading = readings.get(no);
            return reading ? [[no, { ...reading, received: 0 }] as const] : [];
          }),
        ),
    },
    ledger: {
      unwritten: async () => [],
      readQuarters: async (siteId, from, to) => {
        if (!quarters) throw new Error('This test has no energy.');
        return quarters(siteId, from, to);
      },
    },
  });

  /** Delivers what is due, and waits until it is delivered. */
  async function deliver(): Promise<void> {
    await outbox.deliverDue();
    await outbox.settled();
  }

  return {
    watch,
    outbox,
    readings,
    deliver,
    /** Checks the rules and delivers what they raised. */
    async turn(): Promise<void> {
      await watch.sweep();
      await deliver();
    },
    /** Lets time pass as the platform sees it: a check every half minute. */
    async pass(minutes: number): Promise<void> {
      for (let halves = 0; halves < minutes * 2; halves++) {
        clock.advance(30_000);
        await watch.sweep();
        await deliver();
      }
    },
  };
}

/** Sets the presence of gateways or devices as telemetry would. */
export const setPresence = (
  cloud: TestCloud,
  table: 'gateways' | 'devices',
  isOnline: boolean,
  where = '1 = 1',
): Promise<void> =>
  cloud.store.write(({ db }) =>
    runStatements(
      db,
      `update ${table} set online = ${isOnline ? 1 : 0}, last_seen = ${cloud.clock.now()} where ${where}`,
    ),
  );

/** Switches off all rules of a site but these. */
export async function onlyRules(cloud: TestCloud, as: Person, site: string, rules: Partial<AlertRules>): Promise<void> {
  const path = `/sites/${site}/alert-rules`;
  const { site_id, ...known } = await expectStatus(200, cloud.call('GET', path, { as }));
  const off = Object.fromEntries(
    Object.entries(known).map(([rule, settings]) => [rule, { ...(settings as object), enabled: false }]),
  );
  await expectStatus(200, cloud.call('PUT', path, { as, body: { ...off, ...rules } }));
}
