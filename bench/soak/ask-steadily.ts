import type { Ohmstead } from '#contract/client/connect.ts';
import { getSite, listSiteDevices, listSites } from '#contract/cloud/sites.ts';
import { getDerTelemetry, getSiteTelemetry } from '#contract/cloud/telemetry.ts';

export type Asking = AsyncDisposable & { answered(): number; failed(): number };

/** Sends the requests of a user: the list of sites, a site, its last day, the last day of a DER; then the next site. */
export function askSteadily(api: Ohmstead, sites: readonly string[], perSecond: number): Asking {
  const underWay = new Set<Promise<unknown>>();
  let [asked, answered, failed] = [0, 0, 0];

  async function ask(number: number): Promise<void> {
    const site_id = sites[Math.floor(number / 4) % sites.length]!;
    const kind = number % 4;
    if (kind === 0) {
      await api.call(listSites, { query: { limit: 100 } });
    } else if (kind === 1) {
      await api.call(getSite, { params: { site_id } });
    } else if (kind === 2) {
      await api.call(getSiteTelemetry, { params: { site_id }, query: {} });
    } else {
      const [device] = await api.call(listSiteDevices, { params: { site_id }, query: {} });
      await api.call(getDerTelemetry, { params: { der_id: device!.ders[0]!.id }, query: {} });
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
