import { createEntsoe } from './entsoe.ts';
import { createKeylessSource, keylessSources } from './keyless.ts';
import { type Source, simulatedMarket } from './source.ts';
import { createUpstream, type Fetch } from './upstream.ts';

export type SourceSettings = {
  entsoe?: { url: string; token: string };
  /** whether those are asked that need no account */
  keyless?: boolean;
  /** other addresses of them, by id */
  keylessUrls?: Readonly<Record<string, string>>;
  /** a simulated market, asked in place of all others */
  simulatedUrl?: string;
  fetch?: Fetch;
  /** how long one answer may take */
  timeoutMs?: number;
};

const entsoe = {
  id: 'entsoe',
  name: 'ENTSO-E',
  description: 'ENTSO-E Transparency Platform, day-ahead prices',
};
const simulated = { id: 'simulated', name: simulatedMarket, description: 'Simulated day-ahead prices, not real ones' };

/** Everybody that may be known, whether asked or not. */
export const knownSources: readonly Pick<Source, 'id' | 'name' | 'description'>[] = [
  entsoe,
  ...keylessSources.map(({ id, name, description }) => ({ id, name, description })),
  simulated,
];

/** In the order in which they are asked. */
export function createSources(settings: SourceSettings): Source[] {
  const upstream = createUpstream(settings.fetch, settings.timeoutMs);
  if (settings.simulatedUrl)
    return [createEntsoe({ ...simulated, url: settings.simulatedUrl, token: 'simulated', upstream })];
  return [
    ...(settings.entsoe ? [createEntsoe({ ...entsoe, ...settings.entsoe, upstream })] : []),
    ...(settings.keyless
      ? keylessSources.map((form) => createKeylessSource(form, upstream, settings.keylessUrls?.[form.id]))
      : []),
  ];
}
