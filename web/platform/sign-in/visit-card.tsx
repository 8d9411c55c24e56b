import { ActionButton, useAction } from '../../parts/action.tsx';
import { Card } from '../../parts/card.tsx';
import { Failed } from '../../parts/notice.tsx';
import { texts } from '../../parts/text.ts';
import { visit } from '../session.ts';
import { isSimulated } from '../simulation.ts';
import { inPlainWords } from './plain-problem.ts';

const t = texts({
  en: {
    title: 'A simulated home is played here',
    says: 'Nothing to fill in: its devices, prices and history are all there, and nothing of it is real.',
    look: 'Look around as the owner of the simulated home',
  },
  sv: {
    title: 'Här spelas ett simulerat hem',
    says: 'Inget att fylla i: enheter, priser och historik finns där, och inget av det är på riktigt.',
    look: 'Se dig om som ägare av det simulerade hemmet',
  },
});

const ownNames = ['localhost', '127.0.0.1', '[::1]']; // the visit is for the machine that plays

/** One click into the simulation, where one runs on this machine. */
export function VisitCard() {
  const enter = useAction(() => inPlainWords(visit()));
  if (!isSimulated.value || !ownNames.includes(location.hostname)) return null;
  return (
    <Card title={t('title')} class="wide">
      <p class="says">{t('says')}</p>
      {enter.problem !== undefined && <Failed problem={enter.problem} />}
      <div class="actions">
        <ActionButton does={enter}>{t('look')}</ActionButton>
      </div>
    </Card>
  );
}
