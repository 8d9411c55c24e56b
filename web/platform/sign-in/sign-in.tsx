import { useSignal } from '@preact/signals';
import { ActionButton, ActionForm, useAction } from '../../parts/action.tsx';
import { Appearance } from '../../parts/appearance.tsx';
import { Field } from '../../parts/field.tsx';
import { Card, Failed, Notice, PageHead } from '../../parts/layout.tsx';
import { Link } from '../../parts/router.tsx';
import { texts } from '../../parts/text.ts';
import { canStoreKeys } from '../browser-key.ts';
import { openDemo, session, signUp } from '../session.ts';
import { isSimulated } from '../simulation.ts';
import { BrowserKeyCard, explainFailure, explainProblem, isInvited, KeyFileForm } from './key-sign-in.tsx';

const t = texts({
  title: ['Your energy, on your own platform', 'Din energi, på din egen plattform'],
  says: [
    'No password needed. You sign in with a key that is stored in this browser.',
    'Inget lösenord behövs. Du loggar in med en nyckel som sparas i webbläsaren.',
  ],
  invited: [
    'You have been invited. Sign in or create a key to accept or decline.',
    'Du har fått en inbjudan. Logga in eller skapa en nyckel för att tacka ja eller nej.',
  ],
  fresh: ['New here?', 'Är du ny här?'],
  freshSays: [
    'Creates a key in this browser. No email address or password needed.',
    'Skapar en nyckel i webbläsaren. Varken e-postadress eller lösenord behövs.',
  ],
  name: ['Your name (optional)', 'Ditt namn (valfritt)'],
  make: ['Create key and sign in', 'Skapa nyckel och logga in'],
  known: ['I have a key file', 'Jag har en nyckelfil'],
  look: ['Just browsing?', 'Vill du bara titta?'],
  cannot: [
    'This browser stores keys only for https and localhost pages. Open this page that way, or use the command line.',
    'Webbläsaren sparar bara nycklar för sidor på https eller localhost. Öppna sidan så, eller använd kommandoraden.',
  ],
  titleVisit: ['Try the demo home', 'Prova demohemmet'],
  saysVisit: [
    'Explore a simulated home with devices, prices and history. Nothing to fill in.',
    'Utforska ett simulerat hem med enheter, priser och historik. Inget att fylla i.',
  ],
  lookVisit: ['Open the demo home', 'Öppna demohemmet'],
  nameSays: ['Shown to applications that you connect.', 'Visas för appar som du ansluter.'],
});

const ownNames = ['localhost', '127.0.0.1', '[::1]']; // the demo is open only on the computer that runs it

/** Opens the demo home, if the platform runs on this computer and simulates one. */
function VisitCard() {
  const enter = useAction(() => explainFailure(openDemo()));
  if (!isSimulated.value || !ownNames.includes(location.hostname)) return null;
  return (
    <Card title={t('titleVisit')} class="wide" says={t('saysVisit')}>
      <ActionButton does={enter} label={t('lookVisit')} />
    </Card>
  );
}

export function SignIn() {
  const current = session.value;
  const { keeper, problem } = current.state === 'out' ? current : {};
  const name = useSignal('');
  const enter = useAction(() => explainFailure(signUp(name.value.trim())));
  return (
    <>
      <PageHead title={t('title')} says={t('says')} />
      {isInvited() && <Notice tone="good">{t('invited')}</Notice>}
      {problem !== undefined && <Failed problem={explainProblem(problem)} />}
      {!canStoreKeys() && <Notice tone="warning">{t('cannot')}</Notice>}
      <div class="cards">
        {keeper && <BrowserKeyCard keeper={keeper} problem={problem} />}
        <VisitCard />
        <Card title={t('fresh')} says={t('freshSays')}>
          <ActionForm does={enter} submit={t('make')}>
            <Field label={t('name')} says={t('nameSays')} value={name} maxLength={128} />
          </ActionForm>
        </Card>
        <Card title={t('known')}>
          <KeyFileForm />
        </Card>
      </div>
      <p class="says">
        {t('look')} <Link to="/app/map">{t('publicMap')}</Link> · <Link to="/app/prices">{t('prices')}</Link>
      </p>
      <Appearance />
    </>
  );
}
