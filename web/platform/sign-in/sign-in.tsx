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
  title: 'Your energy, on your own platform',
  says: 'No password needed. You sign in with a key that is stored in this browser.',
  invited: 'You have been invited. Sign in or create a key to accept or decline.',
  fresh: 'New here?',
  freshSays: 'Creates a key in this browser. No email address or password needed.',
  name: 'Your name (optional)',
  make: 'Create key and sign in',
  known: 'I have a key file',
  elsewhere:
    'Signed in on another device? Choose Settings, Name and sign-ins, Add a browser or phone there. You need no key file then.',
  look: 'Just browsing?',
  cannot:
    'This browser stores keys only for https and localhost pages. Open this page that way, or use the command line.',
  titleVisit: 'Try the demo home',
  saysVisit: 'Explore a simulated home with devices, prices and history. Nothing to fill in.',
  lookVisit: 'Open the demo home',
  nameSays: 'Shown to members of your organizations and to applications that you connect.',
});

const ownNames = ['localhost', '127.0.0.1', '[::1]']; // the demo is open only on the computer that runs it

/** Opens the demo home, if the platform runs on this computer and simulates one. */
function VisitCard() {
  const enter = useAction(() => explainFailure(openDemo()));
  if (!isSimulated || !ownNames.includes(location.hostname)) return null;
  return (
    <Card title={t('titleVisit')} class="wide" says={t('saysVisit')}>
      <ActionButton does={enter} label={t('lookVisit')} />
    </Card>
  );
}

export default function SignIn() {
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
          <p class="says">{t('elsewhere')}</p>
        </Card>
      </div>
      <p class="says">
        {t('look')} <Link to="/app/map">{t('publicMap')}</Link> · <Link to="/app/prices">{t('prices')}</Link>
      </p>
      <Appearance />
    </>
  );
}
