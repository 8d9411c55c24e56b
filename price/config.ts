import type { Static } from 'typebox';
import { Type } from '#contract/schema.ts';
import { logSettings, pageSettings, proxySettings } from '#lib/config/shared-settings.ts';

const address = (description: string, fallback: string) =>
  Type.String({ format: 'uri', pattern: '^https?://', default: fallback, description });

export const PriceConfig = Type.Object({
  PRICE_HOST: Type.String({ default: '127.0.0.1', description: 'address to listen on' }),
  PRICE_PORT: Type.Integer({
    minimum: 0,
    maximum: 65_535,
    default: 8082,
    description: 'port to listen on, 0 for any',
    note: 'When it is not set and 8082 is taken, the next free port is used and logged.',
  }),
  PRICE_DATA_DIR: Type.String({
    default: './data/price',
    description: 'folder of the prices that were fetched',
    note: 'Simulated ones have a folder of their own in it.',
  }),
  ENTSOE_TOKEN: Type.Optional(
    Type.String({
      minLength: 1,
      secret: true,
      description: 'security token of the transparency platform; with it ENTSO-E is asked first',
      note: 'Free on request there.',
    }),
  ),
  ENTSOE_URL: address('where ENTSO-E is asked', 'https://web-api.tp.entsoe.eu/api'),
  PRICE_KEYLESS: Type.Boolean({
    default: true,
    description: 'whether sources that need no account are asked, after ENTSO-E',
    note: 'Mind their terms.',
  }),
  PRICE_SOURCE_URLS: Type.String({
    default: '',
    pattern: '^([a-z_]+=https?://[^\\s,]+(,[a-z_]+=https?://[^\\s,]+)*)?$',
    description: 'other addresses of those sources, as id=url, comma separated',
  }),
  PRICE_SIMULATED_URL: Type.Optional(
    Type.String({
      pattern: '^https?://',
      description: 'a simulated market, asked in place of all others; every answer says so',
      examples: ['http://localhost:8090/api'],
    }),
  ),
  FX_URL: address(
    'the daily exchange rates of the European Central Bank',
    'https://www.ecb.europa.eu/stats/eurofxref/eurofxref-daily.xml',
  ),
  FX_RATES: Type.String({
    default: '',
    pattern: '^([A-Z]{3}=\\d+(\\.\\d+)?(,[A-Z]{3}=\\d+(\\.\\d+)?)*)?$',
    description: 'rates that go before those of the bank, as SEK=11.2, comma separated',
  }),
  TARIFF_DIR: Type.Optional(
    Type.String({
      description: 'folder of your own tariff files; they replace shipped ones of the same name',
      note: 'Looked at every 60 s.',
      examples: ['/etc/ohmstead/tariffs'],
    }),
  ),
  RATE_PRICES: Type.Integer({ minimum: 1, default: 120_000, description: 'requests a minute for each address' }),
  ...pageSettings,
  ...proxySettings,
  ...logSettings,
});
export type PriceConfig = Static<typeof PriceConfig>;

/** Such as SEK=11.2,NOK=11.9, by the word before the sign. */
export const pairsOf = (text: string): Record<string, string> =>
  Object.fromEntries(
    text
      .split(',')
      .filter(Boolean)
      .map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]),
  );
