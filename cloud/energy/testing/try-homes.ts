import { unpackDerDay } from '#cloud/energy/codec.ts';
import { edgesOf } from '#cloud/energy/intervals.ts';
import type { Ledger } from '#cloud/energy/ledger.ts';
import { readSums } from '#cloud/energy/report.ts';
import { listEnergyDers, listEnergyParts } from '#cloud/store/energy.ts';
import { energySeries, quarterMs } from '#contract/cloud/energy.ts';
import { dayMs, minuteMs } from '#contract/time.ts';
import type { EngineName } from '#test/cloud/open-cloud.ts';
import type { Outcome } from '#test/proof/proof.ts';
import { createRandom, type GeneratedDer, type GeneratedHome, generateHome, type Random } from './generated-home.ts';
import { openLedgerHome } from './ledger-home.ts';

const zone = 'Europe/Stockholm';
/** A mistake that has to be noticed. */
type Plant = { isLateIgnored?: boolean };

const steps = 40;
const homesPerPlatform = 5;

type Home = Awaited<ReturnType<typeof openLedgerHome>>;
type Sent = { der: GeneratedDer; at: number; values: GeneratedDer['readings'][number]['values'] };

/** Sends the readings of generated homes to a ledger, some of them late or twice, and compares it with the truth. */
export async function tryHomes(count: number, engine: EngineName, plant: Plant = {}): Promise<Outcome> {
  const notes: string[] = [];
  for (let first = 0; first < count; first += homesPerPlatform) {
    const works: (() => void | Promise<void>)[] = [];
    const home = await openLedgerHome({ after: (work) => works.push(work) }, { engine, now: generateHome(0).from });
    try {
      for (let index = first; index < Math.min(count, first + homesPerPlatform); index++)
        notes.push(...(await tryHome(home, index, plant)));
    } finally {
      for (const work of works.toReversed()) await work();
    }
  }
  return { tried: count, failed: new Set(notes.map((note) => note.split(':')[0])).size, notes };
}

async function tryHome(home: Home, index: number, plant: Plant): Promise<string[]> {
  const generated = generateHome(index);
  const siteId = `home-${index}`;
  const ledger = await send(home, siteId, generated, { random: createRandom(1000 + index), plant });
  await ledger.stop();
  const wrong = [...(await compareDers(home, siteId, generated)), ...(await compareSums(home, siteId, generated))];
  return wrong.map((text) => `home ${index}: ${text}`);
}

/** Sends everything, in the order of a day with its delays, and lets the ledger come to rest. */
async function send(
  home: Home,
  siteId: string,
  { ders, from, to }: GeneratedHome,
  { random, plant }: { random: Random; plant: Plant },
): Promise<Ledger> {
  await home.addSite(siteId, ders, from);
  const sent = ders.flatMap((der) => delayed(der, random)).sort((one, other) => one.sentAt - other.sentAt);
  let ledger = home.open();
  const stepMs = (to - from) / steps;
  for (let now = from, next = 0; next < sent.length; now += stepMs) {
    home.clock.set(now);
    const due: Sent[] = [];
    while (next < sent.length && sent[next]!.sentAt <= now) due.push(sent[next++]!);
    const isLast = now > to;
    if (plant.isLateIgnored) {
      const isLate = ({ at }: Sent): boolean => at < now - stepMs;
      await home.store(due.filter(isLate));
      await home.send(
        ledger,
        siteId,
        due.filter((one) => !isLate(one)),
      );
    } else if (due.length > 0 && !isLast && random(12) < 1) {
      await home.store(due); // then the process is killed, and the gateway repeats the unacknowledged readings
      ledger = home.open();
      await ledger.sweep();
      await home.send(ledger, siteId, due);
    } else await home.send(ledger, siteId, due);
    if (random(8) < 1) {
      if (random(2) < 1) await ledger.stop();
      ledger = home.open();
      await ledger.sweep();
    }
    await ledger.write();
    await ledger.work();
    await home.telemetry.seal(now);
  }
  for (let rounds = 0; rounds < 5000; rounds++) {
    home.clock.advance(minuteMs); // the ledger rests in proportion to its work, which a busy machine slows down
    await ledger.work();
    await ledger.sweep();
    if (ledger.figures.due + ledger.figures.behind === 0) return ledger;
  }
  throw new Error(`The ledger of ${siteId} does not come to rest.`);
}

/** Delays some of the readings, in reverse order or not, and repeats some. */
function delayed(der: GeneratedDer, random: Random): (Sent & { sentAt: number })[] {
  const { readings } = der;
  const delays = Array.from({ length: 3 }, () => {
    const start = readings[Math.floor(random(readings.length))]!.at;
    return { start, end: start + random(5 * 60 * minuteMs), byMs: random(dayMs), isReversed: random(2) < 1 };
  });
  return readings.flatMap(({ at, values }) => {
    const delay = delays.find(({ start, end }) => at >= start && at < end);
    const sentAt = delay ? delay.end + delay.byMs + (delay.isReversed ? (delay.end - at) / 1000 : 0) : at;
    const one = { der, at, values, sentAt };
    return random(200) < 1 ? [one, { ...one, sentAt: sentAt + random(dayMs) }] : [one];
  });
}

/** Compares each quarter-hour of each DER with the truth, and its sum with the registers. */
async function compareDers({ registry }: Home, siteId: string, { ders, from, to }: GeneratedHome): Promise<string[]> {
  const rows = await listEnergyDers(registry.db, siteId);
  const wrong: string[] = [];
  for (const der of ders) {
    const slot = rows.find(({ der_no }) => der_no === der.no)?.slot;
    const sums = { in: 0, out: 0 };
    const days = new Map<number, ReturnType<typeof unpackDerDay>>();
    for (let day = Math.floor(from / dayMs); day * dayMs < to; day++) {
      const part = (await listEnergyParts(registry.db, siteId, day)).find((one) => one.slot === slot);
      if (part) days.set(day, unpackDerDay(part.body));
    }
    for (const [i, truth] of der.truth.entries()) {
      const start = from + i * quarterMs;
      const day = days.get(Math.floor(start / dayMs));
      const place = (start % dayMs) / quarterMs;
      for (const name of ['in', 'out'] as const) {
        const found = (day?.[name][place] ?? 0) / 1000;
        sums[name] += found;
        if (Math.abs(found - truth[name]) > truth.tolerance + 0.005 * truth[name])
          wrong.push(
            `${der.no} (${der.story}) ${name} at ${timeOf(start)}: ${found} Wh, not ${truth[name].toFixed(1)} ± ${truth.tolerance.toFixed(1)}`,
          );
      }
      const coveredMs = day?.coveredMs[place] ?? 0;
      if (Math.abs(coveredMs - truth.coveredMs) > 1)
        wrong.push(`${der.no} at ${timeOf(start)}: ${coveredMs} ms, not ${truth.coveredMs}`);
      const estimated = (day?.estimated[place] ?? 0) / 1000;
      if (Math.abs(estimated - truth.estimated) > truth.tolerance + 0.005 * truth.estimated)
        wrong.push(
          `${der.no} (${der.story}) estimated at ${timeOf(start)}: ${estimated} Wh, not ${truth.estimated.toFixed(1)}`,
        );
    }
    for (const name of ['in', 'out'] as const) {
      const moved = der.moved?.[name] ?? sums[name];
      if (Math.abs(sums[name] - moved) > 0.001 * moved + (der.moved?.exactTo ?? 0))
        wrong.push(`${der.no} (${der.story}) ${name}: ${sums[name]} Wh, the register moved by ${moved}`);
    }
  }
  return wrong;
}

const timeOf = (ms: number): string => new Date(ms).toISOString().slice(0, 16);

/** Compares sums over local days, and over random partitions, with those of the quarters; and their balance. */
async function compareSums(
  { registry, quarters }: Home,
  siteId: string,
  { from, to, ders }: GeneratedHome,
): Promise<string[]> {
  const wrong: string[] = [];
  const all = await quarters(undefined, siteId, from, to);
  const date = new Intl.DateTimeFormat('sv-SE', { timeZone: zone });
  const byDate = Map.groupBy(all.series.import.keys(), (i) => date.format(from + i * quarterMs));
  const edges = await edgesOf({ from, to, resolution: '1d' }, zone);
  const days = (await Array.fromAsync(readSums(registry.db, siteId, edges, []))).flat();
  if (days.length !== byDate.size) wrong.push(`${days.length} days, not ${byDate.size}`);
  for (const [n, places] of [...byDate.values()].entries()) {
    for (const name of energySeries) {
      const sum = places.reduce((total, i) => total + all.series[name][i]!, 0);
      const found = name === 'load' ? loadOf(days[n]) : days[n]?.[name];
      if (found !== sum) wrong.push(`${name} of day ${n}: ${found} Wh, the quarters ${sum}`);
    }
  }
  for (const i of all.series.import.keys()) {
    const one = (name: (typeof energySeries)[number]): number => all.series[name][i]!;
    const load =
      one('import') +
      one('solar') +
      one('battery_discharge') +
      one('car_discharge') -
      one('export') -
      one('battery_charge') -
      one('car_charge');
    if (load !== one('load')) wrong.push(`the balance at ${timeOf(from + i * quarterMs)}`);
    const isMeasured = ders.every(({ derType, truth }) => derType === 'meter' || truth[i]!.coveredMs === quarterMs);
    const meters = ders.filter(({ derType }) => derType === 'meter');
    if (!isMeasured || !meters.some(({ truth }) => truth[i]!.coveredMs === quarterMs)) continue;
    const truth = meters.reduce((sum, der) => sum + der.truth[i]!.in, 0);
    const tolerance = meters.reduce((sum, der) => sum + der.truth[i]!.tolerance, 2) + 0.005 * truth;
    if (Math.abs(one('import') - truth) > tolerance)
      wrong.push(`import at ${timeOf(from + i * quarterMs)}: ${one('import')} Wh, not ${truth}`);
  }
  return wrong;
}

function loadOf(sums: Record<string, number> | undefined): number {
  if (!sums) return Number.NaN;
  const {
    import: bought = 0,
    export: sold = 0,
    solar = 0,
    battery_charge = 0,
    battery_discharge = 0,
    car_charge = 0,
    car_discharge = 0,
  } = sums;
  return bought + solar + battery_discharge + car_discharge - sold - battery_charge - car_charge;
}
