import { pairsOf } from '#price/config.ts';
import type { DoctorContext } from './context.ts';
import { type Finding, failureReason, findingsAbout } from './finding.ts';

const timeoutMs = 2500;
const found = findingsAbout('prices');

/** Checks the configured price sources. Does not contact the default sources. */
export async function checkPrices({ price, isSet }: DoctorContext): Promise<Finding[]> {
  const { PRICE_SIMULATED_URL, ENTSOE_TOKEN, ENTSOE_URL, PRICE_KEYLESS, PRICE_SOURCE_URLS, FX_URL } = price;
  const sources = PRICE_SIMULATED_URL
    ? [{ name: 'the simulated market', url: PRICE_SIMULATED_URL, setting: 'PRICE_SIMULATED_URL' }]
    : [
        ...(ENTSOE_TOKEN ? [{ name: 'ENTSO-E', url: ENTSOE_URL, setting: 'ENTSOE_URL' }] : []),
        ...(PRICE_KEYLESS
          ? Object.entries(pairsOf(PRICE_SOURCE_URLS)).map(([name, url]) => ({
              name,
              url,
              setting: 'PRICE_SOURCE_URLS',
            }))
          : []),
      ];
  const rates = isSet('FX_URL') ? [{ name: 'the exchange rate service', url: FX_URL, setting: 'FX_URL' }] : [];
  if (sources.length > 0) return Promise.all([...sources, ...rates].map(checkSource));
  if (PRICE_KEYLESS) {
    const says =
      'No price source is configured. The platform uses public sources that need no account; they were not checked.';
    return [found.ok(says)];
  }
  return [found.warning('No price source is enabled.', 'Set ENTSOE_TOKEN, or PRICE_KEYLESS to true.')];
}

/** Checks that a source answers; most refuse a request without a query and a token. */
async function checkSource({ name, url, setting }: { name: string; url: string; setting: string }): Promise<Finding> {
  const { host } = new URL(url);
  try {
    const { status } = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) });
    if (status < 500) return found.ok(`${host} answers (${name}).`);
    return found.warning(`${host} (${name}) returns status ${status}.`, 'Try again later.');
  } catch (error) {
    const next = `Check the connection to it, or correct ${setting}.`;
    return found.problem(`Cannot reach ${name} at ${host}: ${failureReason(error)}.`, next);
  }
}
