import { type Bug, bugsIn } from '../bug.ts';

/** Prices, the typed client, pages and the command line. */
export const pageAndPriceBugs: readonly Bug[] = [
  ...bugsIn<typeof import('#price/electricity/upstream.ts')>('price/electricity/upstream.ts')({
    id: 'a price source may redirect elsewhere',
    proves: ['A44', 'A60'],
    replace: {
      createUpstream: (real) => (fetch, timeoutMs) =>
        real.createUpstream(
          (url, options) => (fetch ?? globalThis.fetch)(url, { ...options, redirect: 'follow' }),
          timeoutMs,
        ),
    },
    noticedBy: 'price/electricity/upstream.test.ts',
  }),
  ...bugsIn<typeof import('#price/electricity/entsoe.ts')>('price/electricity/entsoe.ts')({
    id: 'prices of another auction are taken',
    proves: ['A45', 'S33'],
    replace: {
      dayFromPeriods: (real) => (periods, span) =>
        real.dayFromPeriods(
          periods.map((period) => ({ ...period, sequence: 1 })),
          span,
        ),
    },
    noticedBy: 'price/electricity/entsoe.test.ts',
  }),
  ...bugsIn<typeof import('#price/electricity/source-chain.ts')>('price/electricity/source-chain.ts')({
    id: 'a source that fails is asked again at once',
    proves: ['F14'],
    replace: {
      createCircuitBreaker: (real) => (clock) => ({ ...real.createCircuitBreaker(clock), isOpen: () => false }),
    },
    noticedBy: 'price/electricity/source-chain.test.ts',
  }),
  ...bugsIn<typeof import('#price/tariffs/provider.ts')>('price/tariffs/provider.ts')({
    id: 'a tariff file is not validated',
    proves: ['A46', 'A53'],
    replace: { readProviderFile: () => (_path, text) => JSON.parse(text) },
    noticedBy: 'price/tariffs/provider.test.ts',
  }),
  ...bugsIn<typeof import('#contract/time-zone.ts')>('contract/time-zone.ts')({
    id: 'every day begins at midnight UTC',
    proves: ['F13', 'S33'],
    replace: { startOfDate: () => (_timeZone, date) => Date.parse(date) },
    noticedBy: 'price/electricity/areas.test.ts',
  }),
  ...bugsIn<typeof import('#contract/command.ts')>('contract/command.ts')({
    id: 'discharge charges',
    proves: ['A63'],
    replace: { commandPower: () => (_way, watts) => watts },
    noticedBy: 'cli/control/typed-command.test.ts',
  }),
  ...bugsIn<typeof import('../../../../web/platform/gateways/local-address.ts')>(
    'web/platform/gateways/local-address.ts',
  )({
    id: 'the page calls gateways at any address',
    proves: ['A60'],
    replace: { parseAddress: () => (text) => ({ url: text }) as never },
    noticedBy: 'web/platform/gateways/local-address.test.ts',
  }),
  ...bugsIn<typeof import('../../../../cli/terminal/output.ts')>('cli/terminal/output.ts')({
    id: 'a name on the platform controls the terminal',
    proves: ['A55'],
    replace: { printable: () => (text) => text },
    noticedBy: 'cli/terminal/output.test.ts',
  }),
];
