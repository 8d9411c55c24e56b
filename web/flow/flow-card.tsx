import { idleW } from '#contract/direction.ts';
import { Age } from '../parts/age.tsx';
import { Card } from '../parts/card.tsx';
import { ago, power } from '../parts/format.ts';
import { Icon } from '../parts/icon.tsx';
import { now } from '../parts/now.ts';
import { texts } from '../parts/text.ts';
import { colourOf, type Flows, type Share, sharesOf, sourceWords, unknownIn } from './flows.ts';
import { HouseDiagram } from './house-diagram.tsx';
import './flow.css';

const t = texts({
  title: ['Power flow', 'Effektflöde'],
  in: ['In', 'In'],
  out: ['Out', 'Ut'],
  nothing: ['No power is flowing.', 'Ingen effekt flödar.'],
  rest: ['Not measured', 'Mäts inte'],
  unknown: ['No current value: {names}.', 'Aktuellt värde saknas: {names}.'],
});

/** Shows the powers of a house as a bar and as a diagram. */
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

type SideProps = { side: Share['to']; shares: readonly Share[]; total: number };

/** Shows one side of the bar. The difference to the other side is not measured. */
function Side({ side, shares, total }: SideProps) {
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
