import { pairsOf } from '#price/config.ts';
import { failureWords } from './failure-words.ts';
import { type Finding, findingsAbout } from './finding.ts';
import type { Scene } from './scene.ts';

const patienceMs = 2500;
const found = findingsAbout('prices');

/** The price sources that somebody configured. Nobody else is asked: a look at this machine calls no stranger. */
export async function checkPrices({ price, isSet }: Scene): Promise<Finding[]> {
  const { PRICE_SIMULATED_URL, ENTSOE_TOKEN, ENTSOE_URL, PRICE_KEYLESS, PRICE_SOURCE_URLS, FX_URL } = price;
  const sources = PRICE_SIMULATED_URL
    ? [{ name: 'The simulated market', url: PRICE_SIMULATED_URL, setting: 'PRICE_SIMULATED_URL' }]
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
  const rates = isSet('FX_URL') ? [{ name: 'The bank of the exchange rates', url: FX_URL, setting: 'FX_URL' }] : [];
  if (sources.length > 0) return Promise.all([...sources, ...rates].map(checkSource));
  if (PRICE_KEYLESS) {
    const says =
      'No price source is configured, so none was asked here. Those that need no account are asked when somebody wants a price.';
    return [found.ok(says)];
  }
  return [found.warning('There is no price source at all.', 'Set ENTSOE_TOKEN, or PRICE_KEYLESS to true.')];
}

/** Any answer will do: without a question and a token most refuse. */
async function checkSource({ name, url, setting }: { name: string; url: string; setting: string }): Promise<Finding> {
  const { host } = new URL(url);
  try {
    const { status } = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(patienceMs) });
    if (status < 500) return found.ok(`${name} answers at ${host}.`);
    return found.warning(`${name} at ${host} answers with status ${status}.`, 'Try again later.');
  } catch (error) {
    const next = `Look whether this machine reaches it, or correct ${setting}.`;
    return found.problem(`${name} does not answer at ${host}: ${failureWords(error)}.`, next);
  }
}
