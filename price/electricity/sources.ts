import { createEntsoe } from './entsoe.ts';
import { createKeylessSource, keylessSources } from './keyless.ts';
import { type Source, simulatedMarket } from './source.ts';
import { createUpstream } from './upstream.ts';

export type SourceSettings = {
  entsoe?: { url: string; token: string };
  /** whether to use sources that need no account */
  keyless?: boolean;
  /** their alternative addresses, by id */
  keylessUrls?: Readonly<Record<string, string>>;
  /** address of a simulated market that replaces all other sources */
  simulatedUrl?: string;
  /** timeout of one request */
  timeoutMs?: number;
};

const entsoe = {
  id: 'entsoe',
  name: 'ENTSO-E',
  description: 'ENTSO-E Transparency Platform, day-ahead prices',
};
const simulated = { id: 'simulated', name: simulatedMarket, description: 'Simulated day-ahead prices' };

export const knownSources: readonly Pick<Source, 'id' | 'name' | 'description'>[] = [
  entsoe,
  ...keylessSources.map(({ id, name, description }) => ({ id, name, description })),
  simulated,
];

/** Creates the configured sources in the order in which they are tried. */
export function createSources(settings: SourceSettings): Source[] {
  const upstream = createUpstream(undefined, settings.timeoutMs);
  if (settings.simulatedUrl)
    return [createEntsoe({ ...simulated, url: settings.simulatedUrl, token: 'simulated', upstream })];
  return [
    ...(settings.entsoe ? [createEntsoe({ ...entsoe, ...settings.entsoe, upstream })] : []),
    ...(settings.keyless
      ? keylessSources.map((form) => createKeylessSource(form, upstream, settings.keylessUrls?.[form.id]))
      : []),
  ];
}
