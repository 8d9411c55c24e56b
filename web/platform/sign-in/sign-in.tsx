import { useSignal } from '@preact/signals';
import { ActionButton, ActionForm, useAction } from '../../parts/action.tsx';
import { Appearance } from '../../parts/appearance.tsx';
import { Card } from '../../parts/card.tsx';
import { Field } from '../../parts/field.tsx';
import { Failed, Notice } from '../../parts/notice.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { Link } from '../../parts/router.tsx';
import { texts } from '../../parts/text.ts';
import { canHoldKeys } from '../browser-key.ts';
import { session, signUp, visit } from '../session.ts';
import { isSimulated } from '../simulation.ts';
import { GoOnCard } from './browser-key-card.tsx';
import { KeyFileForm } from './key-file-form.tsx';
import { inPlainWords, isInvited, plainProblem } from './plain-problem.ts';

const ownNames = ['localhost', '127.0.0.1', '[::1]']; // the visit is for the machine that plays

/** One click into the simulation, where one runs on this machine. */
function VisitCard() {
  const enter = useAction(() => inPlainWords(visit()));
  if (!isSimulated.value || !ownNames.includes(location.hostname)) return null;
  return (
    <Card title={t('titleVisit')} class="wide">
      <p class="says">{t('saysVisit')}</p>
      {enter.problem !== undefined && <Failed problem={enter.problem} />}
      <div class="actions">
        <ActionButton does={enter}>{t('lookVisit')}</ActionButton>
      </div>
    </Card>
  );
}

const t = texts({
  en: {
    title: 'Your energy, on your own platform',
    says: 'Nobody knows you here by a password. A key that is made and kept in this browser is who you are.',
    invited: 'You opened an invitation. Sign in or make a key, then you can accept or decline it.',
    fresh: 'New here',
    freshSays: 'Makes a key in this browser. No address, no password, nothing to confirm.',
    name: 'Your name, for applications that you allow (may be left out)',
    make: 'Make my key and go in',
    known: 'I have a key file',
    look: 'Only looking?',
    map: 'The public map',
    prices: 'Prices',
    cannot:
      'This browser keeps keys only on pages of https or localhost. Open the page that way, or use the command line.',
    titleVisit: 'A simulated home is played here',
    saysVisit: 'Nothing to fill in: its devices, prices and history are all there, and nothing of it is real.',
    lookVisit: 'Look around as the owner of the simulated home',
  },
  sv: {
    title: 'Din energi, på din egen plattform',
    says: 'Här finns inga lösenord. En nyckel som skapas och stannar i den här webbläsaren är du.',
    invited: 'Du har öppnat en inbjudan. Logga in eller skapa en nyckel, sedan kan du gå med eller tacka nej.',
    fresh: 'Ny här',
    freshSays: 'Skapar en nyckel i den här webbläsaren. Ingen adress, inget lösenord, inget att bekräfta.',
    name: 'Ditt namn, för program som du släpper in (kan utelämnas)',
    make: 'Skapa min nyckel och gå in',
    known: 'Jag har en nyckelfil',
    look: 'Vill du bara titta?',
    map: 'Den öppna kartan',
    prices: 'Priser',
    cannot:
      'Webbläsaren sparar nycklar bara på sidor med https eller localhost. Öppna sidan så, eller använd kommandoraden.',
    titleVisit: 'Här spelas ett simulerat hem',
    saysVisit: 'Inget att fylla i: enheter, priser och historik finns där, och inget av det är på riktigt.',
    lookVisit: 'Se dig om som ägare av det simulerade hemmet',
  },
});

export function SignIn() {
  const current = session.value;
  const { keeper, problem } = current.state === 'out' ? current : {};
  const name = useSignal('');
  const enter = useAction(() => inPlainWords(signUp(name.value.trim())));
  return (
    <>
      <PageHead title={t('title')} says={t('says')} />
      {isInvited() && <Notice tone="good">{t('invited')}</Notice>}
      {problem !== undefined && <Failed problem={plainProblem(problem)} />}
      {!canHoldKeys() && <Notice tone="warning">{t('cannot')}</Notice>}
      <div class="cards">
        {keeper && <GoOnCard keeper={keeper} problem={problem} />}
        <VisitCard />
        <Card title={t('fresh')}>
          <p class="says">{t('freshSays')}</p>
          <ActionForm does={enter} submit={t('make')}>
            <Field label={t('name')} value={name} maxLength={128} />
          </ActionForm>
        </Card>
        <Card title={t('known')}>
          <KeyFileForm />
        </Card>
      </div>
      <p class="says">
        {t('look')} <Link to="/app/map">{t('map')}</Link> · <Link to="/app/prices">{t('prices')}</Link>
      </p>
      <Appearance />
    </>
  );
}
