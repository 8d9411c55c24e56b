import { Problem } from '#contract/problem.ts';
import { formatTime, hourMs, minuteMs } from '#contract/time.ts';
import type { Clock } from '#lib/clock.ts';
import type { Logger } from '#lib/log.ts';
import type { PriceStore } from '../store/price-store.ts';
import type { Rate } from './market-day.ts';
import { checkStatus, SourceError, simulatedMarket } from './source.ts';
import type { Upstream } from './upstream.ts';
import { parseXml, type XmlElement } from './xml.ts';

export type RateSettings = {
  /** address of the daily file of the European Central Bank */
  url?: string;
  /** fixed rates that override it, in units of the currency per euro */
  fixed?: Readonly<Record<string, number>>;
};

type RateDeps = { upstream: Upstream; store: Pick<PriceStore, 'rates' | 'saveRates'>; clock: Clock; log: Logger };

const freshMs = 6 * hourMs; // the bank publishes on working days at about 16:00 CET
const retryMs = 5 * minuteMs;
const centralBank = 'European Central Bank';

/** Finds exchange rates: configured ones first, then those of the bank, or its last known rates when it cannot be reached. */
export function createRates({ url, fixed = {} }: RateSettings, { upstream, store, clock, log }: RateDeps) {
  let known = new Map(store.rates().map((rate) => [rate.currency, rate]));
  let nextAt = 0;
  let running: Promise<void> | undefined;

  async function refresh(address: string): Promise<void> {
    try {
      const { status, text, isSimulated } = await upstream.get(new URL(address), AbortSignal.timeout(20_000));
      checkStatus(status);
      const rates = readRates(text).map((rate) => ({ ...rate, source: isSimulated ? simulatedMarket : centralBank }));
      known = new Map([...known, ...rates.map((rate) => [rate.currency, rate] as const)]);
      nextAt = clock.now() + freshMs;
      save(rates);
    } catch (error) {
      nextAt = clock.now() + retryMs;
      log.warn({ err: error }, 'failed to fetch exchange rates, keeping the last ones');
    } finally {
      running = undefined;
    }
  }

  function save(rates: readonly Rate[]): void {
    try {
      store.saveRates(rates);
    } catch (error) {
      log.error({ err: error }, 'failed to store exchange rates, keeping them in memory only');
    }
  }

  return {
    /** Returns undefined if the bank has no rate of this currency. Throws while no rates are known. */
    async find(currency: string): Promise<Rate | undefined> {
      const today = formatTime(clock.now()).slice(0, 10);
      if (currency === 'EUR') return { currency, perEuro: 1, date: today, source: 'by definition' };
      const set = Object.hasOwn(fixed, currency) ? fixed[currency] : undefined;
      if (set !== undefined) return { currency, perEuro: set, date: today, source: 'configured' };
      if (url && clock.now() >= nextAt) {
        running ??= refresh(url);
        if (!known.has(currency)) await running;
      }
      if (url && known.size === 0) throw unavailable();
      return known.get(currency);
    },
  };
}

const unavailable = (): Problem => {
  const sentence = 'No exchange rates are known yet, and the source of exchange rates cannot be reached.';
  return new Problem('unavailable', sentence, { retryAfterSeconds: 30 });
};

/** <Cube time="2026-03-10"><Cube currency="SEK" rate="11.2"/>… */
function readRates(text: string): Omit<Rate, 'source'>[] {
  const day = findDay(parseXml(text));
  const date = day?.attributes.get('time') ?? '';
  const rates = (day?.children ?? []).map(({ attributes }) => ({
    currency: attributes.get('currency') ?? '',
    perEuro: Number(attributes.get('rate')),
    date,
  }));
  const isSound = rates.every(({ currency, perEuro }) => /^[A-Z]{3}$/.test(currency) && perEuro > 0 && perEuro < 1e6);
  if (rates.length === 0 || !isSound || !/^\d{4}-\d{2}-\d{2}$/.test(date))
    throw new SourceError('malformed', 'The response contains no exchange rates.');
  return rates;
}

const findDay = (element: XmlElement): XmlElement | undefined =>
  element.attributes.has('time') ? element : element.children.map(findDay).find((found) => found);
