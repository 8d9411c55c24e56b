import { Card } from '../parts/layout.tsx';
import { now } from '../parts/now.ts';
import './flow.css';
import type { DerTypeId } from '#contract/der.ts';
import { idleW } from '#contract/direction.ts';
import { Age } from '../parts/age.tsx';
import { chargeWords, directionWords } from '../parts/der-words.ts';
import { Icon } from '../parts/icon.tsx';
import { ago, power, texts } from '../parts/text.ts';
import {
  colourOf,
  comesIn,
  type FlowPart,
  type Flows,
  type Share,
  sharesOf,
  sourceOf,
  sourceWords,
  unknownIn,
} from './flows.ts';

const t = texts({
  title: 'Power flow',
  in: 'In',
  out: 'Out',
  nothing: 'No power is flowing.',
  rest: 'Not measured',
  unknown: 'No current value: {names}.',
  diagram: 'Power flow of the house',
  noValue: 'no current value',
});

export function FlowCard({ flows }: { flows: Flows }) {
  return (
    <Card title={t('title')} beside={<Age ms={flows.atMs} />}>
      <FlowBar flows={flows} />
      <HouseDiagram flows={flows} />
    </Card>
  );
}

const minShownW = 10; // a smaller share would be invisible on any screen

/** Shows the incoming powers above the outgoing ones, each as wide as its share. */
function FlowBar({ flows }: { flows: Flows }) {
  const shares = sharesOf(flows);
  const unknown = unknownIn(flows);
  const total = Math.max(sum(shares, 'in'), sum(shares, 'out'));
  const isFlowing = total >= idleW;
  return (
    <>
      {isFlowing && (
        <div class="flow-bar">
          {(['in', 'out'] as const).map((side) => (
            <Side key={side} side={side} shares={shares} total={total} />
          ))}
        </div>
      )}
      {unknown.length > 0 && (
        <p class="says">{t('unknown', { names: unknown.map((source) => sourceWords(source)).join(', ') })}</p>
      )}
      {!isFlowing && unknown.length === 0 && <p class="says">{t('nothing')}</p>}
    </>
  );
}

/** Shows one side of the bar. The difference to the other side is not measured. */
function Side({ side, shares, total }: { side: Share['to']; shares: readonly Share[]; total: number }) {
  const missing = total - sum(shares, side);
  return (
    <div class="side">
      <span class="side-name">{t(side)}</span>
      <ul>
        {shares
          .filter(({ to, watts }) => to === side && watts >= minShownW)
          .map((share) => (
            <Segment key={share.source} share={share} total={total} />
          ))}
        {missing >= minShownW && (
          <li class="unknown" title={t('rest')} style={{ flexGrow: missing / total }}>
            <span>
              <span class="words">{t('rest')}</span>
            </span>
          </li>
        )}
      </ul>
    </div>
  );
}

function Segment({ share, total }: { share: Share; total: number }) {
  const { source, watts, atMs } = share;
  const age = atMs === undefined ? [] : [ago(atMs, now.value)];
  return (
    <li
      class={colourOf(share)}
      title={[sourceWords(source), power(watts), ...age].join(', ')}
      style={{ flexGrow: watts / total }}
    >
      <span>
        <Icon name={source} />
        <span class="words">
          {sourceWords(source)} <b>{power(watts)}</b>
        </span>
      </span>
    </li>
  );
}

const sum = (shares: readonly Share[], side: Share['to']): number =>
  shares.reduce((total, { to, watts }) => (to === side ? total + watts : total), 0);

type Corner = { kind: FlowPart['kind']; type: DerTypeId; line: string };

// Each kind has the same corner on every site and screen. Lines lead from the corner to the house.
const corners: readonly Corner[] = [
  { kind: 'pv', type: 'solar', line: 'M60 46 C 130 46, 130 100, 200 100' },
  { kind: 'meter', type: 'meter', line: 'M340 46 C 270 46, 270 100, 200 100' },
  { kind: 'battery', type: 'battery', line: 'M60 154 C 130 154, 130 100, 200 100' },
  { kind: 'charger', type: 'ev_charger_port', line: 'M340 154 C 270 154, 270 100, 200 100' },
];

const maxWidth = 11;
const maxWidthW = 10_000; // larger powers have the same width

const widthOf = (watts: number): number =>
  1.5 + Math.sqrt(Math.min(Math.abs(watts), maxWidthW) / maxWidthW) * (maxWidth - 1.5);

function HouseDiagram({ flows }: { flows: Flows }) {
  const { parts, house } = flows;
  const shown = corners.flatMap((corner) => {
    const part = parts.find(({ kind }) => kind === corner.kind);
    return part ? [{ ...corner, part, name: sourceOf[corner.kind] }] : [];
  });
  return (
    <section class="house-diagram" aria-label={t('diagram')}>
      <svg viewBox="0 0 400 200" preserveAspectRatio="none" aria-hidden="true">
        {shown.map(({ name, line, part }) => (
          <path
            key={name}
            d={line}
            class={['line', colourOfPart(part), part.watts === undefined ? 'unknown' : '', motionOf(part)].join(' ')}
            stroke-width={widthOf(part.watts ?? 0)}
            vector-effect="non-scaling-stroke"
          />
        ))}
      </svg>
      {shown.map(({ name, type, part }) => (
        <Node key={name} name={name} watts={part.watts} atMs={part.atMs}>
          {part.watts === undefined ? t('noValue') : directionWords(type, part.watts)}
          {part.fraction !== undefined && `, ${chargeWords(part.fraction)}`}
        </Node>
      ))}
      <Node name="house" watts={house} atMs={flows.atMs}>
        {house === undefined ? t('noValue') : directionWords('load', house)}
      </Node>
    </section>
  );
}

const colourOfPart = (part: FlowPart): string =>
  colourOf({ source: sourceOf[part.kind], to: comesIn(part) ? 'in' : 'out' });

function motionOf(part: FlowPart): string {
  if (part.watts === undefined || Math.abs(part.watts) < idleW) return 'idle';
  return comesIn(part) ? 'forth' : 'back';
}

type NodeProps = Pick<FlowPart, 'watts' | 'atMs'> & { name: Share['source']; children: preact.ComponentChildren };

function Node({ name, watts, atMs, children }: NodeProps) {
  return (
    <div class={`node ${name}`}>
      <span class="disc">
        <Icon name={name} />
      </span>
      <span class="name">{sourceWords(name)}</span>
      <b class="watts">{power(watts)}</b>
      <span class="direction">{children}</span>
      <Age ms={atMs} />
    </div>
  );
}
