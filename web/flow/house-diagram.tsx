import type { DerTypeId } from '#contract/der.ts';
import { idleW } from '#contract/direction.ts';
import { Age } from '../parts/age.tsx';
import { directionWords } from '../parts/direction.ts';
import { percent, power } from '../parts/format.ts';
import { Icon, type IconName } from '../parts/icon.tsx';
import { texts } from '../parts/text.ts';
import type { FlowPart, Flows } from './flows.ts';
import { sourceWords } from './source-words.ts';

const t = texts({
  en: {
    diagram: 'How power flows between the house and what is around it',
    unknown: 'not known',
    charge: '{percent} full',
  },
  sv: {
    diagram: 'Hur effekten flödar mellan huset och det som finns runt det',
    unknown: 'okänt',
    charge: '{percent} laddat',
  },
});

type Corner = { kind: FlowPart['kind']; name: 'sun' | 'grid' | 'battery' | 'car'; type: DerTypeId; line: string };

// Each has its corner, on every site and every screen, so that a place has a meaning. Lines lead from the corner to the house.
const corners: readonly Corner[] = [
  { kind: 'pv', name: 'sun', type: 'solar', line: 'M60 46 C 130 46, 130 100, 200 100' },
  { kind: 'meter', name: 'grid', type: 'meter', line: 'M340 46 C 270 46, 270 100, 200 100' },
  { kind: 'battery', name: 'battery', type: 'battery', line: 'M60 154 C 130 154, 130 100, 200 100' },
  { kind: 'charger', name: 'car', type: 'ev_charger_port', line: 'M340 154 C 270 154, 270 100, 200 100' },
];

const thickest = 11;
const thickW = 10_000; // from here on a line grows no thicker

const widthOf = (watts: number): number =>
  1.5 + Math.sqrt(Math.min(Math.abs(watts), thickW) / thickW) * (thickest - 1.5);

/** Positive is into the thing measured; a meter is measured from the side of the grid. */
const flowsToHouse = ({ kind, watts = 0 }: FlowPart): boolean => (kind === 'meter' ? watts > 0 : watts < 0);

export function HouseDiagram({ flows }: { flows: Flows }) {
  const { parts, house } = flows;
  const shown = corners.flatMap((corner) => {
    const part = parts.find(({ kind }) => kind === corner.kind);
    return part ? [{ ...corner, part }] : [];
  });
  return (
    <section class="house-diagram" aria-label={t('diagram')}>
      <svg viewBox="0 0 400 200" preserveAspectRatio="none" aria-hidden="true">
        {shown.map(({ name, line, part }) => (
          <path
            key={name}
            d={line}
            class={['line', colourClass(name, part), part.watts === undefined ? 'unknown' : '', motionOf(part)].join(
              ' ',
            )}
            stroke-width={widthOf(part.watts ?? 0)}
            vector-effect="non-scaling-stroke"
          />
        ))}
      </svg>
      {shown.map(({ name, type, part }) => (
        <Node key={name} place={name} icon={name} title={sourceWords(name)} watts={part.watts} atMs={part.atMs}>
          {part.watts === undefined ? t('unknown') : directionWords(type, part.watts)}
          {part.fraction !== undefined && `, ${t('charge', { percent: percent(part.fraction) })}`}
        </Node>
      ))}
      <Node place="house" icon="house" title={sourceWords('house')} watts={house} atMs={flows.atMs}>
        {house === undefined ? t('unknown') : directionWords('load', house)}
      </Node>
    </section>
  );
}

const colourClass = (name: Corner['name'], part: FlowPart): string =>
  name === 'grid' ? ((part.watts ?? 0) >= 0 ? 'grid-in' : 'grid-out') : name;

function motionOf(part: FlowPart): string {
  if (part.watts === undefined || Math.abs(part.watts) < idleW) return 'idle';
  return flowsToHouse(part) ? 'forth' : 'back';
}

type NodeProps = {
  place: string;
  icon: IconName;
  title: string;
  watts: number | undefined;
  atMs: number | undefined;
  children: preact.ComponentChildren;
};

function Node({ place, icon, title, watts, atMs, children }: NodeProps) {
  return (
    <div class={`node ${place}`}>
      <span class="disc">
        <Icon name={icon} />
      </span>
      <span class="name">{title}</span>
      <b class="watts">{power(watts)}</b>
      <span class="direction">{children}</span>
      <Age ms={atMs} />
    </div>
  );
}
