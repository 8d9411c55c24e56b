import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { dayMs, hourMs } from '#contract/time.ts';
import { writeAtomic } from '#lib/atomic-file.ts';
import type { Clock } from '#lib/clock.ts';
import { asError, isMissingFile, undefinedIf } from '#lib/error-code.ts';
import { createSchedule } from '#lib/every.ts';
import { isObject } from '#lib/json.ts';
import type { Logger } from '#lib/log.ts';
import type { Upstream } from '../electricity/upstream.ts';
import type { Interval, Tariff, TariffCollection } from './eltariff.ts';
import { readOperatorAnswer } from './operator-answer.ts';
import { operatorId } from './places/area-file.ts';
import { implausibilities } from './plausible.ts';
import { providerId } from './provider.ts';
import { allowedAddress, resolveHost } from './public-address.ts';
import type { TariffBook } from './tariff-book.ts';
import { readUpdateState, stateFile, type UpdateState } from './update-state.ts';

const intervalMs = 7 * dayMs;
const checkMs = hourMs;
const pauseMs = 1000; // between two operators
const maxInterfaces = 100;
const maxOpenEndMs = 10 * 365 * dayMs;
const maxErrors = 5; // of one operator, in the report

export type UpdateOptions = {
  catalogueUrl: string;
  /** folder of the lists and of the state */
  folder: string;
  upstream: Upstream;
  book(): TariffBook;
  /** called after a list was written */
  onWritten(): Promise<void>;
  clock: Clock;
  log: Logger;
  resolve?: typeof resolveHost;
};

type CatalogueRow = { apiUrl: string; companyOrgNo: string };

/** Asks the catalogue and the interfaces of grid operators for new price lists every week. */
export function createTariffUpdates(options: UpdateOptions) {
  const { catalogueUrl, folder, upstream, clock, log, resolve = resolveHost } = options;
  const stopped = new AbortController();
  const schedule = createSchedule(log, [checkMs, runIfDue, 'updating tariffs']);
  let state: UpdateState = {};
  let isStateRead = false;

  const fetchJson = async (url: URL): Promise<unknown> => {
    const { status, text } = await upstream.get(url, stopped.signal, { accept: 'application/json' });
    if (status === 404) return undefined;
    if (status !== 200) throw new Error(`The response status was ${status}.`);
    try {
      return JSON.parse(text);
    } catch {
      throw new Error('The response is not JSON.');
    }
  };

  async function runIfDue(): Promise<void> {
    if (!isStateRead)
      state = readUpdateState(await readFile(join(folder, stateFile), 'utf8').catch(undefinedIf(isMissingFile)));
    isStateRead = true;
    const last = Date.parse(state.last_run ?? '');
    if (Number.isNaN(last) || clock.now() - last >= intervalMs || last > clock.now()) await run();
  }

  async function run(): Promise<void> {
    const failures: { source: string; message: string }[] = [];
    let operators = 0;
    const fail = (source: string, error: unknown): void => {
      if (stopped.signal.aborted) return;
      const { message } = asError(error);
      failures.push({ source: source.slice(0, 200), message: message.slice(0, 1000) });
      log.warn({ source, reason: message }, 'tariff update failed');
    };
    try {
      const interfaces = interfacesIn(await fetchJson(new URL(catalogueUrl)));
      for (const [apiUrl, numbers] of interfaces) {
        if (stopped.signal.aborted) return;
        try {
          const address = await allowedAddress(apiUrl, catalogueUrl, resolve);
          operators += await updateFrom(address, numbers, fail);
        } catch (error) {
          fail(apiUrl, error);
        }
        await sleep(interfaces.size > 1 ? pauseMs : 0, undefined, { signal: stopped.signal, ref: false });
      }
    } catch (error) {
      fail(catalogueUrl, error);
    }
    if (stopped.signal.aborted) return;
    state = { last_run: new Date(clock.now()).toISOString(), operators, failures };
    isStateRead = true;
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeAtomic(join(folder, stateFile), `${JSON.stringify(state, null, 1)}\n`, { mode: 0o644 });
    log.info({ operators, failures: failures.length }, 'tariffs updated');
  }

  /** Keeps the lists of each company of an interface that are plausible; returns the number of companies. */
  async function updateFrom(api: URL, numbers: ReadonlySet<string>, fail: (source: string, error: unknown) => void) {
    const collection = readOperatorAnswer(await fetchLists(api, fetchJson));
    const companies = Map.groupBy(
      collection.tariffs.filter(({ companyOrgNo }) => numbers.has(companyOrgNo)),
      ({ companyOrgNo }) => companyOrgNo,
    );
    if (companies.size === 0) throw new Error('The answer has no tariffs of the companies in the catalogue.');
    for (const [orgNo, tariffs] of companies) {
      try {
        await keep(api, orgNo, { ...collection, tariffs });
      } catch (error) {
        fail(`${api.href} ${orgNo}`, error);
      }
    }
    return companies.size;
  }

  async function keep(api: URL, companyOrgNo: string, { tariffs, calendarPatterns }: TariffCollection): Promise<void> {
    const book = options.book();
    const today = new Date(clock.now()).toISOString().slice(0, 10);
    const known = book.providers.find((provider) =>
      provider.tariffs.some((list) => list.companyOrgNo === companyOrgNo),
    );
    const name = known?.name ?? tariffs[0]?.companyName ?? '';
    const id = known?.id ?? providerId(operatorId(name));
    if (!/^[a-z0-9_]{1,64}$/.test(id)) throw new Error(`The company name ${name.slice(0, 80)} gives no usable id.`);
    if (!known && book.findProvider(id)) throw new Error(`The id ${id} belongs to a company with another number.`);
    const taken = tariffs.find((tariff) => (book.findTariff(tariff.id)?.provider.id ?? id) !== id);
    if (taken) throw new Error(`The tariff id ${taken.id} belongs to another operator.`);
    const errors = implausibilities(tariffs, known?.tariffs ?? [], today);
    if (errors.length > 0) throw new Error(errors.slice(0, maxErrors).join('; '));
    const list = {
      provider: { id, name, companyOrgNo, api: api.href },
      tariffs: tariffs.map((tariff) => withEnd(tariff, clock.now())),
      calendarPatterns,
    };
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeAtomic(join(folder, `${id}.json`), `${JSON.stringify(list, null, 1)}\n`, { mode: 0o644 });
    await options.onWritten();
  }

  return {
    run,
    runIfDue,
    state: (): UpdateState => state,
    /** Starts in the background: at once if the last run is a week ago. */
    start(): void {
      schedule.start();
      void runIfDue().catch((error: unknown) => log.warn({ err: error }, 'tariff update failed'));
    },
    stop(): void {
      stopped.abort();
      schedule.stop();
    },
  };
}

/** Returns the addresses of a catalogue with the numbers of their companies. */
function interfacesIn(catalogue: unknown): Map<string, ReadonlySet<string>> {
  if (!Array.isArray(catalogue)) throw new Error('The catalogue is not a list.');
  const rows = catalogue.filter(
    (row): row is CatalogueRow =>
      isObject(row) &&
      typeof row.apiUrl === 'string' &&
      typeof row.companyOrgNo === 'string' &&
      row.companyOrgNo !== '',
  );
  if (rows.length === 0) throw new Error('The catalogue has no interfaces.');
  const byUrl = Map.groupBy(rows, ({ apiUrl }) => apiUrl.trim().replace(/\/+$/, ''));
  return new Map(
    [...byUrl].slice(0, maxInterfaces).map(([url, own]) => [url, new Set(own.map(({ companyOrgNo }) => companyOrgNo))]),
  );
}

/** Asks for the lists of an interface; some operators register the address of the lists itself. */
async function fetchLists(api: URL, fetchJson: (url: URL) => Promise<unknown>): Promise<unknown> {
  const found = api.pathname.endsWith('/tariffs') ? undefined : await fetchJson(new URL(`${api.href}/tariffs`));
  const lists = found ?? (await fetchJson(api));
  if (lists === undefined) throw new Error('The response status was 404.');
  return lists;
}

/** Limits an end far in the future, which means that the operator set none; the next update extends it. */
function withEnd(tariff: Tariff, now: number): Tariff {
  const open = new Date(now + maxOpenEndMs).toISOString().slice(0, 10);
  const end = new Date(now + 365 * dayMs).toISOString().slice(0, 10);
  const limited = (period: Interval): Interval =>
    period.toExcluding > open ? { ...period, toExcluding: end > period.fromIncluding ? end : open } : period;
  const limitedGroup = (group: Tariff['fixedPrice']): Tariff['fixedPrice'] => ({
    ...group,
    components: group.components.map((component) => ({ ...component, validPeriod: limited(component.validPeriod) })),
  });
  return {
    ...tariff,
    validPeriod: limited(tariff.validPeriod),
    fixedPrice: limitedGroup(tariff.fixedPrice),
    energyPrice: limitedGroup(tariff.energyPrice),
    powerPrice: limitedGroup(tariff.powerPrice),
  };
}
