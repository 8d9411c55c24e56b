import { power } from '../parts/format.ts';
import { texts } from '../parts/text.ts';
import type { Share } from './flows.ts';
import { colourOf, sourceWords } from './source-words.ts';

const t = texts({
  en: { in: 'In', out: 'Out', nothing: 'Nothing is flowing.' },
  sv: { in: 'In', out: 'Ut', nothing: 'Inget flödar.' },
});

const leastW = 10; // thinner than a hair on any screen

/** What comes in above what goes out, each as wide as its power. */
export function FlowBar({ shares }: { shares: readonly Share[] }) {
  const total = Math.max(sum(shares, 'in'), sum(shares, 'out'));
  if (total < leastW) return <p class="says">{t('nothing')}</p>;
  return (
    <div class="flow-bar">
      {(['in', 'out'] as const).map((side) => (
        <div class="side" key={side}>
          <span class="side-name">{t(side)}</span>
          <ul>
            {shares
              .filter(({ to, watts }) => to === side && watts >= leastW)
              .map((share) => (
                <li key={share.source} class={colourOf(share)} style={{ flexGrow: share.watts / total }}>
                  <span>
                    {sourceWords(share.source)} <b>{power(share.watts)}</b>
                  </span>
                </li>
              ))}
          </ul>
        </div>
      ))}
    </div>
  );
}

const sum = (shares: readonly Share[], side: Share['to']): number =>
  shares.reduce((total, { to, watts }) => (to === side ? total + watts : total), 0);
