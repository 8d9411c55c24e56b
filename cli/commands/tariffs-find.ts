import type { Client } from '#contract/client.ts';
import { tariffRoutes } from '#contract/price/tariffs.ts';
import { Problem } from '#contract/problem.ts';
import { namedPositions } from '#price/tariffs/places/places.ts';
import { type Shell, UsageError } from '../line/command.ts';
import { isProblem } from '../line/errors.ts';
import { report } from '../line/report.ts';
import { findLocation, located, locationOptions, openPriceClient } from '../prices/price-options.ts';
import { columns } from '../terminal/output.ts';

const { at, site, url } = locationOptions;
const maxConcurrent = 6; // requests

type Found = ReturnType<typeof foundOf> & { area?: string };
type Position = { lat: number; lon: number };

export const findTariffs = report('tariffs find', {
  summary: 'Find a grid tariff by operator, by place or by name',
  arguments: [
    {
      name: 'text',
      help: 'grid operator, municipality or words of the name',
      optional: true,
      many: true,
    },
  ],
  fields: located.fields,
  options: { at, site, url },
  examples: [
    'tariffs find Malmö',
    'tariffs find ellevio 16',
    'tariffs find --at 57.70,11.97',
    'tariffs find --site "My house"',
  ],
  async run({ arguments: { text = '' }, options }, shell) {
    const isPlace = (options.at ?? options.site) !== undefined;
    if (!isPlace && text.trim() === '')
      throw new UsageError('Give an operator, a place or a tariff, for example: ohmstead tariffs find Malmö.');
    const client = await openPriceClient(options, shell);
    const words = wordsOf(text);
    const found = isPlace
      ? await atPositions(client, [options.at ?? (await positionOf(options.site, shell))], words)
      : await byText(client, words);
    if (found.length === 0)
      throw new Problem(
        'not_found',
        'No tariff found. ohmstead tariffs import fetches those of an operator from its API.',
      );
    const rows = found.map((each) => [
      each.id,
      each.operator,
      each.name,
      `${each.valid_from} to ${each.valid_to}${each.assumed ? ', expired' : ''}`,
    ]);
    const hint = 'Use one with: ohmstead price total --tariff ID, or ohmstead site set <site> --tariff-id ID';
    const old = found.some(({ assumed }) => assumed) ? ['Expired tariffs are used as the last known prices.'] : [];
    return {
      result: found,
      text: [columns([['ID', 'OPERATOR', 'TARIFF', 'VALID'], ...rows]), '', ...old, hint].join('\n'),
    };
  },
});

async function positionOf(site: string | undefined, shell: Shell): Promise<Position> {
  const options = { area: undefined, at: undefined, site, url: undefined };
  const { lat, lon } = (await findLocation({ arguments: { area: undefined }, options }, shell)).query;
  if (lat !== undefined && lon !== undefined) return { lat, lon };
  throw new Problem(
    'unprocessable',
    'The site has no position; set one with: ohmstead site set <site> --latitude 57.70 --longitude 11.97',
  );
}

/** Removes accents, so that Malmo finds Malmö. */
const folded = (text: string): string => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();

const wordsOf = (text: string): string[] =>
  folded(text)
    .split(/[\s,]+/)
    .filter(Boolean);

const matches = (words: readonly string[], ...texts: string[]): boolean => {
  const all = folded(texts.join(' ')).replaceAll('_', ' ');
  return words.every((word) => all.includes(word.replaceAll('_', ' ')));
};

/** By the municipality that the first words name; else by operator and name. */
async function byText(client: Client, words: readonly string[]): Promise<Found[]> {
  for (let count = words.length; count > 0; count--) {
    const positions = namedPositions((place) => folded(place) === words.slice(0, count).join(' '));
    if (positions.length > 0) return atPositions(client, positions, words.slice(count));
  }
  const { providers } = await client.call(tariffRoutes.providers, {});
  const named = providers.filter((provider) => words.some((word) => matches([word], provider.name, provider.id)));
  const asked = named.length > 0 ? named : providers;
  const found: Found[] = [];
  for (let next = 0; next < asked.length; next += maxConcurrent) {
    const some = await Promise.all(
      asked.slice(next, next + maxConcurrent).map(async ({ id: provider_id, name: operator }) => {
        const { power_tariffs } = await client.call(tariffRoutes.provider, { params: { provider_id } });
        return power_tariffs
          .filter((each) => matches(words, operator, provider_id, each.name, each.product, each.description))
          .map((each) => foundOf(each, operator));
      }),
    );
    found.push(...some.flat());
  }
  return found;
}

async function atPositions(client: Client, positions: readonly Position[], words: readonly string[]): Promise<Found[]> {
  const found = new Map<string, Found>();
  for (const query of positions) {
    try {
      const { area, tariffs } = await client.call(tariffRoutes.lookup, { query });
      for (const each of tariffs) {
        if (matches(words, each.company, each.name, each.product))
          found.set(each.id, { ...foundOf(each, each.company), area });
      }
    } catch (error) {
      if (!isProblem(error, 'not_found') || positions.length === 1) throw error;
    }
  }
  return [...found.values()];
}

type Listed = { id: string; name: string; validPeriod: { fromIncluding: string; toExcluding: string }; assumed?: true };

const foundOf = ({ id, name, validPeriod, assumed }: Listed, operator: string) => ({
  id,
  name,
  operator,
  valid_from: validPeriod.fromIncluding,
  valid_to: validPeriod.toExcluding,
  ...(assumed && { assumed }),
});
