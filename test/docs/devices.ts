import { controls } from '#gateway/profiles/control/index.ts';
import { profiles } from '#gateway/profiles/index.ts';
import type { DeviceMap } from '#gateway/profiles/map/device-map.ts';
import type { Expression, Point } from '#gateway/profiles/map/point.ts';
import type { Confidence } from '#gateway/profiles/profile.ts';
import { markdownTable, writeBetweenMarks } from './document-tables.ts';

const header = ['Product', '`profile`', 'Connection', 'Well known', 'Unsure', 'Control', 'From'];

const ranks: readonly Confidence[] = ['low', 'medium', 'high'];

const worst = (found: readonly Confidence[]): Confidence => ranks.find((rank) => found.includes(rank))!;

/** A value is known as well as the worst of the points that it is made of. */
function confidenceOf(reading: Expression, usual: Confidence): Confidence {
  if (reading.kind === 'point') return reading.confidence ?? usual;
  return worst(partsOf(reading).map((part) => confidenceOf(part, usual)));
}

function partsOf(reading: Exclude<Expression, Point>): readonly Expression[] {
  if (reading.kind === 'solar') return [reading.ac, reading.battery];
  return reading.parts;
}

/** How well each value of a register map is known, in the worst of its variants. */
function valuesOf(map: DeviceMap): [name: string, confidence: Confidence][] {
  const variants = 'ders' in map ? [map.ders] : map.variants.map(({ ders }) => ders);
  const readings = [
    ...variants.flatMap((ders) =>
      Object.entries(ders).flatMap(([kind, fields]) =>
        Object.entries(fields).map(([field, reading]) => [`${kind}.${field}`, reading] as const),
      ),
    ),
    ...Object.entries(map.ratings ?? {}),
  ];
  const byName = Map.groupBy(readings, ([name]) => name);
  return [...byName].map(([name, same]) => [
    name,
    worst(same.map(([, reading]) => confidenceOf(reading, map.confidence))),
  ]);
}

function knowledgeOf(profile: object): [wellKnown: string, unsure: string] {
  if (!('confidence' in profile)) return ['-', '-'];
  const values = valuesOf(profile as DeviceMap);
  const named = (wanted: Confidence): string[] =>
    values.filter(([, confidence]) => confidence === wanted).map(([name]) => `\`${name}\``);
  return [`${named('high').length} of ${values.length}`, named('low').join(', ') || '-'];
}

function controlWord(id: string): string {
  const control = controls.find(({ profile }) => profile === id);
  if (!control) return '-';
  return control.confidence === 'high' ? 'yes' : 'to confirm';
}

/** Every device that a gateway knows, and how well. */
export const devicesTable = (): string =>
  markdownTable(
    header,
    profiles.map((profile) => [
      profile.display_name,
      `\`${profile.profile}\``,
      profile.connection_types.map((type) => `\`${type}\``).join(', '),
      ...knowledgeOf(profile),
      controlWord(profile.profile),
      profile.sources.join('; '),
    ]),
  );

if (import.meta.main) writeBetweenMarks('docs/devices.md', 'devices', devicesTable);
