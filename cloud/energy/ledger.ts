import { setTimeout as sleep } from 'node:timers/promises';
import { quarterMs } from '#contract/cloud/energy.ts';
import { dayMs, hourMs, minuteMs } from '#contract/time.ts';
import { createSchedule } from '#lib/every.ts';
import { findEnergyDer, findRegisteredDer, finishEnergyDue, markEnergyDue } from '../store/energy.ts';
import type { CommonDeps } from '../store/store.ts';
import type { TelemetryStore } from '../store/telemetry/telemetry-store.ts';
import { Account, type EnergyReading, entryOf, type Place } from './account.ts';
import { type Entry, writeEntries } from './book.ts';
import { enrol } from './enrol.ts';
import { type Replay, replay } from './replay.ts';
import { readQuarters, type SiteQuarters } from './report.ts';
import { createSweep } from './sweep.ts';

export type LedgerDeps = CommonDeps & {
  telemetry: Pick<TelemetryStore, 'readings' | 'oldestKept' | 'latest'>;
  /** whether other processes write the same ledger */
  isShared: boolean;
  /** whether readings of one DER may be received by several processes, so that none sees them in order */
  isSplit: boolean;
};

/** A reading that was stored, with its route. */
export type StoredReading = EnergyReading & {
  der: number;
  route: Pick<Place, 'site_id' | 'der_type' | 'device_type'> & { gateway_serial: string };
};

const writeMs = 5000;
const workMs = 1000;
const graceMs = minuteMs; // after which a quarter without a later reading is written
const idleMs = hourMs;
const debounceMs = 3000; // late readings come in rows
const costShare = 20; // replays of a site take at most a twentieth of the time
const sweepMs = minuteMs;
const maxParallel = 4;
const writtenTogether = 8; // sites
const sitesEnrolledAtOnce = 8;
const settleMs = 2000;
const retryMs = 5000;
const maxFutureMs = dayMs + minuteMs;

/**
 * Keeps the energy ledger: folds readings as they are stored, and writes each quarter of an hour when it is over. A DER of which
 * this process has not seen all readings is brought up from stored ones first. Late readings are marked in the database
 * before they are acknowledged, and the quarters that they change are folded again.
 */
export class Ledger {
  readonly #deps: LedgerDeps;
  readonly #accounts = new Map<number, Account>();
  readonly #bySite = new Map<string, Set<Account>>();
  readonly #todo = new Set<Account>();
  readonly #restUntil = new Map<string, number>(); // by site
  readonly #epochs = new Map<string, number>(); // by gateway
  readonly #running = new Set<Promise<void>>();
  readonly #schedule;
  readonly #sweep;
  #sweeping: Promise<void> | undefined;
  #isStopping = false;

  constructor(deps: LedgerDeps) {
    this.#deps = deps;
    this.#schedule = createSchedule(
      deps.log,
      [writeMs, () => this.write(), 'writing the energy ledger'],
      [workMs, () => this.work(), 'bringing the energy ledger up to date'],
      [sweepMs, () => this.#sweep.sweepMarks(), 'looking for late readings'],
      [hourMs, () => this.#sweep.sweepDers(), 'looking for readings without energy'],
    );
    this.#sweep = createSweep({ ...deps, ledger: this });
  }

  start(): void {
    this.#schedule.start();
    this.#sweeping = this.sweep().catch((error: unknown) => {
      this.#deps.log.warn({ err: error }, 'readings without energy not found yet, will be retried');
    });
  }

  /** Looks for readings and marks that are left over. */
  async sweep(): Promise<void> {
    await this.#sweep.sweepMarks();
    await this.#sweep.sweepDers();
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#schedule.stop();
    await this.#sweeping;
    await Promise.all(this.#running);
    await this.write(Number.POSITIVE_INFINITY);
  }

  /** Notes readings that were stored. Returns a promise if they may be acknowledged only after it has resolved. */
  note(readings: readonly StoredReading[]): Promise<void> | undefined {
    const now = this.#deps.clock.now();
    let unusual: [Account, StoredReading][] | undefined;
    for (const reading of readings) {
      const { at, power, inWh, outWh } = reading;
      if (Number.isNaN(power) && Number.isNaN(inWh) && Number.isNaN(outWh)) continue;
      const account = this.#accountOf(reading, now);
      account.heardAt = now;
      const { fold } = account;
      if (fold !== undefined && at > fold.at) {
        fold.add(at, power, inWh, outWh);
        if (account.isBusy) account.wait(reading);
      } else {
        unusual ??= [];
        unusual.push([account, reading]);
      }
    }
    return unusual && this.#noteUnusual(unusual, now);
  }

  /** Notes that a gateway connected to this process: it may have sent readings to another one before. */
  connected(serial: string): void {
    if (this.#deps.isShared) this.#epochs.set(serial, (this.#epochs.get(serial) ?? 0) + 1);
  }

  #accountOf({ der, at, route }: StoredReading, now: number): Account {
    const known = this.#accounts.get(der);
    const epoch = this.#deps.isShared ? this.#epochs.get(route.gateway_serial) : undefined;
    if (known?.isAt(route)) {
      if (known.epoch !== epoch) known.fold = undefined;
      known.epoch = epoch;
      return known;
    }
    const { site_id, der_type, device_type } = route;
    const opened = this.#open({ no: der, site_id, der_type, device_type }, now, known ? at - 1 : 0);
    opened.epoch = epoch;
    return opened;
  }

  #open(place: Place, now: number, afterAt = 0): Account {
    const account = new Account(place, { heardAt: now, afterAt });
    this.#accounts.set(place.no, account);
    const others = this.#bySite.get(place.site_id) ?? new Set();
    this.#bySite.set(place.site_id, others.add(account));
    return account;
  }

  /** Enrols DERs with the times of their first readings: several sites at once, and those of one site in turn, since they take its slots. */
  async #enrol(newcomers: ReadonlyMap<Account, number>, now: number): Promise<void> {
    const sites = Map.groupBy(newcomers, ([account]) => account.place.site_id).values();
    const lane = async (): Promise<void> => {
      for (const some of sites) {
        for (const [account, firstAt] of some) {
          const der = await enrol(this.#deps.store, account, firstAt);
          account.der ??= der;
          if (!der) account.refusedUntil = now + minuteMs;
        }
      }
    };
    await Promise.all(Array.from({ length: sitesEnrolledAtOnce }, lane));
  }

  async #noteUnusual(unusual: readonly [Account, StoredReading][], now: number): Promise<void> {
    const newcomers = new Map<Account, number>();
    for (const [account, { at }] of unusual) {
      if (account.isNew(now)) newcomers.set(account, Math.min(at, newcomers.get(account) ?? at));
    }
    if (newcomers.size > 0) await this.#enrol(newcomers, now);
    const marks = new Map<Account, Set<number>>();
    for (const [account, reading] of unusual) {
      const { der, fold } = account;
      if (!der) continue;
      const quarter = Math.floor(reading.at / quarterMs);
      if (fold !== undefined && reading.at > fold.at) {
        fold.add(reading.at, reading.power, reading.inWh, reading.outWh);
        if (account.isBusy) account.wait(reading);
        continue;
      }
      this.#todo.add(account);
      // Quarters written meanwhile may be newer than a late reading; then only its mark shows that it is missing.
      const isLate = fold !== undefined || reading.at <= der.last_at || account.isOvertaken(reading.at);
      if (fold === undefined && !this.#deps.isSplit) account.wait(reading);
      if (reading.at <= der.after_at || reading.at < this.#deps.telemetry.oldestKept()) continue;
      if (isLate) marks.set(account, (marks.get(account) ?? new Set()).add(quarter));
    }
    if (marks.size > 0) await this.#mark(marks, now);
  }

  /** Marks quarters in the database. In a single process, one mark stands for all late readings until they are folded. */
  async #mark(marks: ReadonlyMap<Account, ReadonlySet<number>>, now: number): Promise<void> {
    const isMarked = (account: Account, quarter: number): boolean => {
      const due = account.due.get(quarter);
      return !this.#deps.isShared && due !== undefined && due.version > 0 && due.isFresh;
    };
    const fresh = [...marks].flatMap(([account, quarters]) =>
      [...quarters].filter((quarter) => !isMarked(account, quarter)).map((quarter) => ({ account, quarter })),
    );
    if (fresh.length === 0) return;
    const versions = await this.#deps.store.write(({ db }) =>
      inOrder(fresh, ({ account, quarter }) => markEnergyDue(db, account.place.no, quarter)),
    );
    for (const [i, { account, quarter }] of fresh.entries()) account.addDue(quarter, versions[i]?.version ?? 0, now);
  }

  /** Adds a DER whose stored readings are not in the ledger yet, or a quarter of it that is due. */
  async catchUp(place: Place, earliest: number, due?: { quarter: number; version: number }): Promise<void> {
    const now = this.#deps.clock.now();
    const account = this.#accounts.get(place.no) ?? this.#open(place, now);
    if (account.isNew(now)) await this.#enrol(new Map([[account, earliest]]), now);
    if (!account.der) return;
    if (due && !account.due.has(due.quarter)) account.addDue(due.quarter, due.version, now);
    if (account.isBehind || due) this.#todo.add(account);
  }

  /** Folds stored readings of DERs that are behind, and those of quarters that are due, until nothing is left to do now. */
  async work(): Promise<void> {
    for (;;) {
      for (const account of this.#todo) {
        if (this.#running.size >= maxParallel || this.#isStopping) break;
        if (this.#isReady(account)) this.#run(account);
      }
      if (this.#running.size === 0) return;
      await Promise.race(this.#running);
    }
  }

  #isReady(account: Account): boolean {
    const now = this.#deps.clock.now();
    if (account.isBusy || (this.#restUntil.get(account.place.site_id) ?? 0) > now) return false;
    const isDue = account.due.size > 0 && Math.abs(now - account.dueSince) >= debounceMs;
    if (this.#deps.isSplit) return isDue || account.replayedIn < Math.floor((now - graceMs) / quarterMs);
    return isDue || account.isBehind;
  }

  #run(account: Account): void {
    const { log, clock } = this.#deps;
    this.#todo.delete(account);
    const run = this.#replay(account)
      .catch((error: unknown) => {
        this.#todo.add(account);
        this.#restUntil.set(account.place.site_id, clock.now() + retryMs);
        log.warn({ err: error, der_no: account.place.no }, 'energy of a DER not brought up to date, will be retried');
      })
      .finally(() => this.#running.delete(run));
    this.#running.add(run);
  }

  async #replay(account: Account): Promise<void> {
    const { store, telemetry, clock, isSplit } = this.#deps;
    const { der } = account;
    if (!der) return;
    account.isBusy = true;
    account.isMissed = false;
    const begun = performance.now();
    const startedAt = clock.now();
    try {
      const registered = await findRegisteredDer(store.db, account.place.no);
      const earliest = Math.max(registered?.created_at ?? der.since, 0) - dayMs; // it may have been deleted meanwhile
      const fresh = await findEnergyDer(store.db, account.place.no);
      if (fresh && fresh.site_id === der.site_id && fresh.slot === der.slot) Object.assign(der, fresh);
      const due = account.beginDue();
      account.replayedIn = Math.floor(startedAt / quarterMs);
      const options = { due, earliest, to: startedAt + maxFutureMs, seenSince: startedAt - quarterMs };
      const result: Replay = await replay(der, account.place.no, options, { store, telemetry });
      const isThere = await writeEntries(store, der.site_id, [result.entry], telemetry.oldestKept());
      if (!isThere) {
        this.#close(account);
        return;
      }
      const last = result.entry.records.findLast(({ chain }) => chain)?.chain;
      if (last) der.last_at = Math.max(der.last_at, last.at);
      const finished = account.finishDue(result.fold ? Number.POSITIVE_INFINITY : result.entry.to);
      const marked = finished.filter(({ version }) => version > 0);
      if (marked.length > 0) {
        await store.write(({ db }) =>
          inOrder(marked, ({ quarter, version }) => finishEnergyDue(db, account.place.no, quarter, version)),
        );
      }
      if (result.fold && !isSplit && !account.isMissed) {
        const late = account.resume(result.fold, result.seen);
        for (const { at } of late) account.addDue(Math.floor(at / quarterMs), 0, startedAt);
      } else if (!account.isBehind) account.takeWaiting();
      if (account.due.size > 0 || (account.isBehind && !isSplit)) this.#todo.add(account);
    } finally {
      account.isBusy = false;
      this.#restUntil.set(der.site_id, clock.now() + (performance.now() - begun) * costShare);
    }
  }

  /** Writes closed quarters. Sites that are written at the same time share a commit. */
  async write(openBefore = this.#deps.clock.now() - graceMs): Promise<void> {
    const sites = [...this.#bySite];
    for (let first = 0; first < sites.length; first += writtenTogether) {
      const some = sites.slice(first, first + writtenTogether);
      await Promise.all(some.map(([siteId, accounts]) => this.#writeSite(siteId, accounts, openBefore)));
    }
  }

  async #writeSite(siteId: string, accounts: ReadonlySet<Account>, openBefore: number): Promise<void> {
    const { store, telemetry, log, clock } = this.#deps;
    const now = clock.now();
    const ready = [...accounts].filter(({ isBusy, isBehind }) => !isBusy && !isBehind);
    const changed = ready.flatMap((account) => {
      const isOver = (account.fold?.at ?? 0) < Math.floor(openBefore / quarterMs) * quarterMs;
      const records = account.unwritten(isOver || openBefore > now ? Number.POSITIVE_INFINITY : 0);
      const entry = account.der && entryOf(account.der.slot, records);
      return entry ? [{ account, entry }] : [];
    });
    if (changed.length > 0) {
      for (const { account } of changed) account.isBusy = true;
      try {
        const entries = changed.map(({ entry }) => entry);
        const isThere = await writeEntries(store, siteId, entries, telemetry.oldestKept());
        for (const { account, entry } of changed) account.written(isThere ? entry.records : []);
        if (!isThere) for (const account of accounts) this.#close(account);
      } catch (error) {
        log.warn({ err: error, site_id: siteId }, 'energy of a site not written yet, will be retried');
      } finally {
        for (const { account } of changed) {
          account.isBusy = false;
          account.takeWaiting();
        }
      }
    }
    this.#closeIdle(accounts, now);
  }

  #closeIdle(accounts: ReadonlySet<Account>, now: number): void {
    for (const account of accounts) {
      const isReplaced = this.#accounts.get(account.place.no) !== account;
      const isIdle = Math.abs(now - account.heardAt) > idleMs || isReplaced;
      if (!isIdle || account.isBusy || this.#todo.has(account)) continue;
      if (account.isBehind || account.unwritten(Number.POSITIVE_INFINITY).length === 0) this.#close(account);
    }
  }

  #close(account: Account): void {
    const { no, site_id } = account.place;
    if (this.#accounts.get(no) === account) this.#accounts.delete(no);
    this.#todo.delete(account);
    const others = this.#bySite.get(site_id);
    others?.delete(account);
    if (others?.size === 0) this.#bySite.delete(site_id);
  }

  /** Returns the quarters of a site that are not written yet. */
  async unwritten(siteId: string): Promise<Entry[]> {
    const accounts = this.#bySite.get(siteId) ?? new Set();
    const deadline = performance.now() + settleMs;
    for (const account of accounts) {
      while (account.isBehind && account.der && !this.#deps.isSplit && performance.now() < deadline) {
        if (account.isBusy) await sleep(5);
        else await this.#replay(account);
      }
    }
    return [...accounts].flatMap((account) => {
      const records = account.isBehind ? [] : account.unwritten(Number.POSITIVE_INFINITY);
      const entry = account.der && entryOf(account.der.slot, records);
      return entry ? [entry] : [];
    });
  }

  /** Reads the quarters of a site in [from, to), with those that are not written yet. */
  async readQuarters(siteId: string, from: number, to: number): Promise<SiteQuarters> {
    return readQuarters(this.#deps.store.db, siteId, from, to, await this.unwritten(siteId));
  }

  get figures(): { accounts: number; behind: number; due: number } {
    let [behind, due] = [0, 0];
    for (const account of this.#todo) {
      if (account.isBehind) behind++;
      due += account.due.size;
    }
    return { accounts: this.#accounts.size, behind, due };
  }
}

/** Runs work for one item after the other. */
async function inOrder<Item, Result>(items: readonly Item[], run: (item: Item) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  for (const item of items) results.push(await run(item));
  return results;
}
