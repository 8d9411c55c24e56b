import { idleW } from '#contract/direction.ts';
import { ago, power } from '../parts/format.ts';
import { Icon } from '../parts/icon.tsx';
import { now } from '../parts/now.ts';
import { texts } from '../parts/text.ts';
import { type Flows, type Share, sharesOf, unknownIn } from './flows.ts';
import { colourOf, sourceWords } from './source-words.ts';

const t = texts({
  en: { in: 'In', out: 'Out', nothing: 'Nothing is flowing.', rest: 'not known', unknown: 'Not known now: {names}.' },
  sv: { in: 'In', out: 'Ut', nothing: 'Inget flödar.', rest: 'okänt', unknown: 'Okänt just nu: {names}.' },
});

const hairW = 10; // what is less would be thinner than a hair on any screen

/** What comes in above what goes out, each as wide as its power. */
export function FlowBar({ flows }: { flows: Flows }) {
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

/** What is missing of the other side went, or came, in a way that nobody knows. */
function Side({ side, shares, total }: SideProps) {
  const missing = total - sum(shares, side);
  return (
    <div class="side">
      <span class="side-name">{t(side)}</span>
      <ul>
        {shares
          .filter(({ to, watts }) => to === side && watts >= hairW)
          .map((share) => (
            <Segment key={share.source} share={share} total={total} />
          ))}
        {missing >= hairW && (
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
