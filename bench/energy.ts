import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { importDays } from '#cloud/energy/enrol.ts';
import { Ledger, type StoredReading } from '#cloud/energy/ledger.ts';
import { readQuarters } from '#cloud/energy/report.ts';
import { openStore, type Store } from '#cloud/store/store.ts';
import { quarterMs } from '#contract/cloud/energy.ts';
import { dayMs } from '#contract/time.ts';
import { createLog } from '#lib/log.ts';
import { makeBill } from '#price/total/bill.ts';
import { knownMarket, threePeaks } from '#price/total/testing/known-market.ts';
import { createFakeClock } from '#test/fake-clock.ts';
import { signIn, startCloudServer } from './cloud-server.ts';
import { openFolderTelemetry } from './fleet/data-folder.ts';
import { enrolFleet } from './fleet/enrol.ts';
import { timesOf } from './history/time.ts';
import { type Finding, type Goal, measured } from './measure/finding.ts';
import { type Cost, load } from './measure/load.ts';
import { reach } from './reach.ts';
import { idOf } from './registry/fill.ts';

const runs = 15;
const sites = 20;
const days = 365;
const to = Math.floor(Date.now() / dayMs) * dayMs - dayMs;
const from = to - days * dayMs;
const log = createLog({ level: 'warn', name: 'bench' });

const under = (atMost: number): Goal => ({ of: 'value', atMost });

/** Measures the energy ledger: what it adds to a reading, and what is read from it. */
export async function energy(): Promise<Finding[]> {
  await using open = new AsyncDisposableStack();
  const folder = open.use(await mkdtempDisposable(join(tmpdir(), 'ohmstead-bench-')));
  const { owner } = await enrolFleet(folder.path, { sites });
  const store = await openStore({ dataDir: folder.path, log });
  const ingest = await ingestCost(store, folder.path);
  const site = idOf('sit', 0);
  await fillYear(store, site);
  const monthCpu: number[] = [];
  const month = await timesOf(runs, async () => {
    const before = process.cpuUsage();
    await billMonth(store, site);
    const { user, system } = process.cpuUsage(before);
    monthCpu.push((user + system) / 1000);
  });
  await store.close();

  const server = open.use(await startCloudServer(folder.path));
  const headers = { authorization: `Bearer ${await signIn(server.url, owner)}` };
  const path = `/sites/${site}/energy?from=${from}&to=${to}&resolution=`;
  const ask = async (resolution: string, amount: number): Promise<Cost[]> => {
    const costs: Cost[] = [];
    const requests = [{ method: 'GET', path: path + resolution, headers }];
    for (let round = 0; round <= rounds; round++) costs.push(await load(server, requests, { amount, connections: 1 }));
    return costs.slice(1);
  };
  const [byMonth, byQuarter] = [await ask('1mo', 100), await ask('15m', 3)];
  const waits = (costs: Cost[]): number[] => costs.map(({ waitMs }) => waitMs);
  const cpu = (costs: Cost[]): number[] => costs.map(({ cpuUs }) => cpuUs / 1000);
  return [
    { ...measured(reach.energyYear, 'ms', waits(byMonth), under(5)), part: 'by the month' },
    { ...measured(reach.energyYear, 'ms', cpu(byMonth)), part: 'by the month, CPU of the process' },
    { ...measured(reach.energyYear, 'ms', waits(byQuarter), under(200)), part: 'by the quarter-hour, streamed' },
    { ...measured(reach.energyYear, 'ms', cpu(byQuarter)), part: 'by the quarter-hour, CPU of the process' },
    measured(reach.energyIngest, 'µs', ingest, under(0.5)),
    measured(reach.energyBill, 'ms', month, under(10)),
    measured(`${reach.energyBill}, CPU`, 'ms', monthCpu),
  ];
}

/** Enters a year of a meter, an inverter and a charger. */
async function fillYear(store: Store, siteId: string): Promise<void> {
  const rows = await store.db
    .selectFrom('ders')
    .innerJoin('devices', 'devices.id', 'ders.device_id')
    .select('ders.id')
    .where('site_id', '=', siteId)
    .execute();
  const column = (phase: number) =>
    Float64Array.from({ length: days * 96 }, (_, i) => 300 + 290 * Math.sin(i / 15 + phase));
  await importDays(
    store,
    siteId,
    from,
    rows.map(({ id }, n) => ({ der_id: id, in: column(n), out: column(n + 3) })),
  );
}

/** Bills the last month of the ledger, as a request does. */
async function billMonth(store: Store, siteId: string): Promise<void> {
  const { series, from: start } = await readQuarters(store.db, siteId, to - 30 * dayMs, to, []);
  const intervals = Array.from(series.import, (Wh, i) => {
    const begin = start + i * quarterMs;
    return { start: begin, end: begin + quarterMs, import_kwh: Wh / 1000, export_kwh: series.export[i]! / 1000 };
  });
  await makeBill({ area: 'SE3', tariff_id: threePeaks, intervals }, market);
}

const market = knownMarket({ spot: () => 50 });

const rounds = 7;
const secondsOfRound = 900;

/** Returns the CPU time (µs) that the ledger adds to a reading, with writing: a reading of each DER per second, for a quarter of an hour. */
async function ingestCost(store: Store, dataDir: string): Promise<number[]> {
  const telemetry = await openFolderTelemetry(dataDir);
  const clock = createFakeClock(to);
  const ledger = new Ledger({ store, telemetry, clock, log, isShared: false, isSplit: false });
  const ders = await store.db
    .selectFrom('ders')
    .innerJoin('devices', 'devices.id', 'ders.device_id')
    .select(['ders.no', 'ders.type', 'devices.type as device_type', 'devices.site_id'])
    .execute();
  const readings = ders.map(({ no, type, device_type, site_id }) => ({
    der: no,
    at: 0,
    power: 1000,
    inWh: 0,
    outWh: Number.NaN,
    route: { site_id, der_type: type, device_type, gateway_serial: 'gateway' },
  })) as StoredReading[];
  const second = (at: number, isNoted = true) => {
    for (const reading of readings) {
      reading.at = at;
      reading.power = 1000 + (at % 700);
      reading.inWh = Math.floor((at - from) / 3600);
    }
    return isNoted ? ledger.note(readings) : undefined;
  };
  await second(to);
  while (ledger.figures.behind > 0) {
    clock.advance(quarterMs / 100);
    await ledger.work();
  }
  const costs: number[] = [];
  for (let round = 0, at = to; round < rounds + 2; round++) {
    const cpu = async (isNoted: boolean): Promise<number> => {
      const before = process.cpuUsage();
      for (let n = 1; n <= secondsOfRound; n++) await second(at + n * 1000, isNoted);
      clock.set(at + secondsOfRound * 1000);
      if (isNoted) await ledger.write();
      const { user, system } = process.cpuUsage(before);
      return (user + system) / (secondsOfRound * readings.length);
    };
    const without = await cpu(false);
    const withLedger = await cpu(true);
    at += secondsOfRound * 1000;
    if (round >= 2) costs.push(withLedger - without);
  }
  await telemetry.close();
  return costs;
}
