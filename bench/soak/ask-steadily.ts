import type { Ohmstead } from '#contract/client/connect.ts';
import { getSite, listSites } from '#contract/cloud/sites.ts';
import { getSiteTelemetry } from '#contract/cloud/telemetry.ts';

export type Asking = AsyncDisposable & { answered(): number; failed(): number };

/** Somebody who looks around: the list of sites, one of them, its last day, and again. */
export function askSteadily(api: Ohmstead, perSecond: number): Asking {
  const sites: string[] = [];
  const underWay = new Set<Promise<unknown>>();
  let [asked, answered, failed] = [0, 0, 0];

  async function ask(number: number): Promise<void> {
    const site_id = sites[number % sites.length];
    if (number % 3 === 0 || site_id === undefined) {
      const some = await api.call(listSites, { query: { limit: 100 } });
      sites.splice(0, sites.length, ...some.map(({ id }) => id));
    } else if (number % 3 === 1) {
      await api.call(getSite, { params: { site_id } });
    } else {
      await api.call(getSiteTelemetry, { params: { site_id }, query: {} });
    }
  }

  const timer = setInterval(() => {
    const answer: Promise<unknown> = ask(asked++)
      .then(
        () => answered++,
        () => failed++,
      )
      .finally(() => underWay.delete(answer));
    underWay.add(answer);
  }, 1000 / perSecond);
  return {
    answered: () => answered,
    failed: () => failed,
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      await Promise.all(underWay);
    },
  };
}
