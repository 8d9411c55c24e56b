import { setImmediate } from 'node:timers/promises';
import { getEltariff, getEltariffInfo, getEltariffPrices, listEltariffs } from '#contract/price/eltariff.ts';
import { fieldProblem, Problem } from '#contract/problem.ts';
import { dayMs, hourMs } from '#contract/time.ts';
import type { Clock } from '#lib/clock.ts';
import type { Mount } from '#lib/http/mount.ts';
import { startOfLocalDay } from '#lib/local-day.ts';
import { type Component, type GroupName, groupNames, type Tariff } from './eltariff.ts';
import { instantOfLocal, localTimeAt, readLocalTime, writeLocalTime } from './local-time.ts';
import type { TariffProvider } from './provider.ts';
import { eltariffVersion, findProvider, findTariff, implementationVersion, latest, swedishTime } from './routes.ts';
import type { TariffBook } from './tariff-book.ts';
import type { Tariffs } from './tariffs.ts';

const defaultDays = 7;
const maxDays = 400;
const maxHoursAtOnce = 500; // between two turns of the event loop

export function eltariffRoutes(mount: Mount<object>, { tariffs, clock }: { tariffs: Tariffs; clock: Clock }): void {
  mount(getEltariffInfo, ({ params }) => {
    const { name, source, tariffs: own } = findProvider(tariffs.book(), params.provider);
    return {
      name: 'Grid Tariff API',
      apiVersion: eltariffVersion,
      implementationVersion,
      lastUpdated: latest(own),
      operator: name,
      timeZone: own[0]?.timeZone ?? swedishTime,
      ...(source && { source }),
    };
  });

  mount(listEltariffs, ({ params }) => {
    const { tariffs: own, calendarPatterns } = findProvider(tariffs.book(), params.provider);
    return { tariffs: [...own], calendarPatterns: [...calendarPatterns] };
  });

  mount(getEltariff, ({ params }) => {
    const book = tariffs.book();
    const provider = findProvider(book, params.provider);
    const { tariff, provider: owner } = findTariff(book, params.id);
    if (owner !== provider) throw new Problem('not_found', `${provider.name} has no tariff ${params.id}.`);
    return { tariff };
  });

  mount(getEltariffPrices, async ({ params, query }) => {
    const book = tariffs.book();
    const found = findComponent(findProvider(book, params.provider), params.componentId);
    const { timeZone } = found.tariff;
    const read = (name: 'fromIncluding' | 'toExcluding'): number | undefined => {
      const text = query[name];
      if (text === undefined) return undefined;
      return instantOfLocal(timeZone, readLocalTime(timeZone, text, `query.${name}`, 'invalid_request'));
    };
    const from = read('fromIncluding') ?? startOfLocalDay(timeZone, clock.now());
    const to = read('toExcluding') ?? from + defaultDays * dayMs;
    if (to < from || to - from > maxDays * dayMs) {
      throw fieldProblem(
        'invalid_request',
        'query.toExcluding',
        `must be after fromIncluding by ${maxDays} days at most`,
      );
    }
    return {
      priceList: { componentId: found.component.id, resolution: 'PT1H', prices: await hourly(book, found, from, to) },
    };
  });
}

type Found = { tariff: Tariff; group: GroupName; component: Component };

function findComponent({ name, tariffs }: TariffProvider, id: string): Found {
  for (const tariff of tariffs) {
    for (const group of groupNames) {
      const component = tariff[group].components.find((each) => each.id.toLowerCase() === id.toLowerCase());
      if (component) return { tariff, group, component };
    }
  }
  throw new Problem('not_found', `${name} has no price component ${id.slice(0, 80)}.`);
}

/** Returns the hours in which the component is in force. An hour that the clocks show twice is listed twice. */
async function hourly(book: TariffBook, { tariff, group, component }: Found, from: number, to: number) {
  const { price } = component;
  if (!price)
    throw new Problem('not_implemented', 'This component follows the spot price, which this interface does not serve.');
  const prices = [];
  let count = 0;
  for (let hour = Math.ceil(from / hourMs) * hourMs; hour < to; hour += hourMs) {
    if (++count % maxHoursAtOnce === 0) await setImmediate(); // lets other requests run
    const at = localTimeAt(tariff.timeZone, hour);
    const isActive = book.active(tariff, group, at).includes(component);
    if (isActive) prices.push({ timestamp: writeLocalTime(at), ...price });
  }
  return prices;
}
