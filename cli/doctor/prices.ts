import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pairsOf } from '#lib/config.ts';
import { isMissingFile, undefinedIf } from '#lib/error-code.ts';
import { readUpdateState, stateFile, updatesFolderName } from '#price/tariffs/update-state.ts';
import type { DoctorContext } from './context.ts';
import { failureReason, type Outcome, type Outcomes, ok, problem, warning } from './finding.ts';

const timeoutMs = 2500;

/** Checks the configured price sources. Does not contact the default sources. */
export async function checkPrices({ price, isSet }: DoctorContext): Promise<Outcomes> {
  const { PRICE_SIMULATED_URL, ENTSOE_TOKEN, ENTSOE_URL, PRICE_KEYLESS, PRICE_SOURCE_URLS, FX_URL } = price;
  const sources = PRICE_SIMULATED_URL
    ? [{ name: 'the simulated market', url: PRICE_SIMULATED_URL, setting: 'PRICE_SIMULATED_URL' }]
    : [
        ...(ENTSOE_TOKEN ? [{ name: 'ENTSO-E', url: ENTSOE_URL, setting: 'ENTSOE_URL' }] : []),
        ...Object.entries(PRICE_KEYLESS ? pairsOf(PRICE_SOURCE_URLS) : {}).map(([name, url]) => ({
          name,
          url,
          setting: 'PRICE_SOURCE_URLS',
        })),
      ];
  const rates = isSet('FX_URL') ? [{ name: 'the exchange rate service', url: FX_URL, setting: 'FX_URL' }] : [];
  if (sources.length > 0) return Promise.all([...sources, ...rates].map(checkSource));
  if (PRICE_KEYLESS)
    return ok(
      'No price source is configured. The platform uses public sources that need no account; they were not checked.',
    );
  return warning('No price source is enabled.', 'Set ENTSOE_TOKEN, or PRICE_KEYLESS to true.');
}

/** Checks the configured sources of carbon intensities; none is used by default. */
export async function checkCarbon({ price }: Pick<DoctorContext, 'price'>): Promise<Outcomes> {
  const { CARBON_SOURCES, CARBON_SOURCE_URLS, ELECTRICITYMAPS_TOKEN } = price;
  const used = CARBON_SOURCES.split(',');
  const addresses = Object.entries(pairsOf(CARBON_SOURCE_URLS)).filter(([name]) => used.includes(name));
  const lacksToken = used.includes('electricitymaps') && !ELECTRICITYMAPS_TOKEN;
  return [
    ...(lacksToken
      ? [warning('Electricity Maps is not used, because its token is not set.', 'Set ELECTRICITYMAPS_TOKEN.')]
      : []),
    ...(await Promise.all(addresses.map(([name, url]) => checkSource({ name, url, setting: 'CARBON_SOURCE_URLS' })))),
  ];
}

/** Reports the last update of tariffs, if updates are on. */
export async function checkTariffUpdates({
  price,
  cloud,
  isSet,
}: Pick<DoctorContext, 'price' | 'cloud' | 'isSet'>): Promise<Outcomes> {
  if (!price.TARIFF_UPDATES) return [];
  const folder = isSet('PRICE_DATA_DIR') ? price.PRICE_DATA_DIR : join(cloud.DATA_DIR, 'price');
  const text = await readFile(join(folder, updatesFolderName, stateFile), 'utf8').catch(undefinedIf(isMissingFile));
  const { last_run, operators = 0, failures = [] } = readUpdateState(text);
  if (last_run === undefined)
    return ok('Tariffs have not been updated yet; the first update runs when prices are used.');
  const [first] = failures;
  const when = `Tariffs were updated on ${last_run.slice(0, 10)}`;
  if (!first) return ok(`${when}, from ${operators} operators.`);
  return warning(
    `${when}, with ${failures.length} failures. ${first.source}: ${first.message}`,
    'The last good lists are used. The next update runs after a week.',
  );
}

/** Checks that a source answers; most refuse a request without a query and a token. */
async function checkSource({ name, url, setting }: { name: string; url: string; setting: string }): Promise<Outcome> {
  const { host } = new URL(url);
  try {
    const { status } = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) });
    if (status < 500) return ok(`${host} answers (${name}).`);
    return warning(`${host} (${name}) returns status ${status}.`, 'Try again later.');
  } catch (error) {
    const next = `Check the connection to it, or correct ${setting}.`;
    return problem(`Cannot reach ${name} at ${host}: ${failureReason(error)}.`, next);
  }
}
