import { type Static, Type } from '#contract/schema.ts';
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
    description: 'folder for fetched prices',
    note: 'Simulated prices are kept in a subfolder.',
  }),
  ENTSOE_TOKEN: Type.Optional(
    Type.String({
      minLength: 1,
      secret: true,
      description: 'security token of the ENTSO-E Transparency Platform; when set, ENTSO-E is the first source',
      note: 'ENTSO-E issues one free of charge on request.',
    }),
  ),
  ENTSOE_URL: address('address of the ENTSO-E API', 'https://web-api.tp.entsoe.eu/api'),
  PRICE_KEYLESS: Type.Boolean({
    default: true,
    description: 'whether to use sources that need no account, after ENTSO-E',
    note: 'Check their terms of use.',
  }),
  PRICE_SOURCE_URLS: Type.String({
    default: '',
    pattern: '^([a-z_]+=https?://[^\\s,]+(,[a-z_]+=https?://[^\\s,]+)*)?$',
    description: 'alternative addresses for these sources, as id=url, comma separated',
  }),
  PRICE_SIMULATED_URL: Type.Optional(
    Type.String({
      pattern: '^https?://',
      description: 'address of a simulated market that replaces all other sources; every answer is marked as simulated',
      examples: ['http://localhost:8090/api'],
    }),
  ),
  FX_URL: address(
    'address of the daily exchange rates of the European Central Bank',
    'https://www.ecb.europa.eu/stats/eurofxref/eurofxref-daily.xml',
  ),
  FX_RATES: Type.String({
    default: '',
    pattern: '^([A-Z]{3}=\\d+(\\.\\d+)?(,[A-Z]{3}=\\d+(\\.\\d+)?)*)?$',
    description: 'fixed exchange rates that override the bank, as SEK=11.2, comma separated',
  }),
  CARBON_SOURCES: Type.String({
    default: '',
    pattern: '^((energidataservice|electricitymaps|uk)(,(energidataservice|electricitymaps|uk))*)?$',
    description:
      'sources of carbon intensities, comma separated: energidataservice (DK1, DK2), uk (GB), electricitymaps',
    note: 'Without it, no source is contacted. The first one that covers an area is used. Check their terms of use.',
    examples: ['energidataservice,electricitymaps'],
  }),
  ELECTRICITYMAPS_TOKEN: Type.Optional(
    Type.String({
      minLength: 1,
      pattern: '^[\\x21-\\x7e]+$',
      secret: true,
      description: 'token of Electricity Maps; without it, that source is not used',
    }),
  ),
  CARBON_SOURCE_URLS: Type.String({
    default: '',
    pattern: '^([a-z_]+=https?://[^\\s,]+(,[a-z_]+=https?://[^\\s,]+)*)?$',
    description: 'alternative addresses for sources of carbon intensities, as id=url, comma separated',
  }),
  TARIFF_DIR: Type.Optional(
    Type.String({
      description: 'folder with your own tariff files; they replace shipped files of the same name',
      note: 'Checked for changes every 60 s.',
      examples: ['/etc/ohmstead/tariffs'],
    }),
  ),
  TARIFF_UPDATES: Type.Boolean({
    default: false,
    description:
      'whether to ask the catalogue and the interfaces of Swedish grid operators for new price lists, weekly',
    note: 'Lists that are not plausible are refused. Lists are kept in the data folder.',
  }),
  TARIFF_CATALOGUE_URL: address(
    'address of the catalogue of the interfaces of Swedish grid operators',
    'https://eltariff.se/tariffcatalogue/all',
  ),
  RATE_PRICES: Type.Integer({ minimum: 1, default: 120_000, description: 'requests per minute and client address' }),
  ...pageSettings,
  ...proxySettings,
  ...logSettings,
});
export type PriceConfig = Static<typeof PriceConfig>;
