import { useId, useRef } from 'preact/hooks';
import { invitationPage } from '#contract/cloud/invitations.ts';
import { Problem } from '#contract/problem.ts';
import { ActionButton, ActionForm, ConfirmButton, useAction } from '../../parts/action.tsx';
import { Card } from '../../parts/layout.tsx';
import { PageProblem } from '../../parts/problem-words.ts';
import { go, pageUrl } from '../../parts/router.tsx';
import { texts } from '../../parts/text.ts';
import { explain } from '../explain.ts';
import { type KeyOwner, removeStoredKey, signInWith, signInWithStoredKey } from '../session.ts';

const t = texts({
  title: 'Welcome back',
  says: 'This browser has your key.',
  signIn: 'Sign in as {name}',
  nameless: 'Sign in with this browser’s key',
  register: 'Register this key',
  registerSays: 'This platform does not know your key. Registering it creates a new, empty account.',
  forget: 'Remove this key',
  forgetSays: 'You will need your key file to sign in again. Without it, you permanently lose access to your account.',
  fileSays:
    'A backup from another browser, the command line’s key, or demo/identity.pem from the data folder of a demo platform.',
  file: 'Key file (.pem)',
  enter: 'Sign in with file',
  none: 'Choose a key file first.',
  unavailable: 'The platform is not responding. Check that it is running and that you are online, then try again.',
  rate_limited: 'Too many attempts. Wait a minute and try again.',
  identity_unknown:
    'This platform does not know your key. It may have been removed in another browser, or this is a different platform.',
  challenge_invalid: 'Signing in took too long. Try again.',
  signature_invalid: 'The platform did not accept this key. Try again, or sign in with your key file.',
  unauthenticated: 'Your session has expired. Sign in again.',
  forbidden: 'The demo is only available on the computer that runs it. Open http://localhost there.',
  notKept: 'The browser could not store your key. Leave private browsing or free some disk space, then try again.',
});

const isUnknown = (problem: unknown): boolean => problem instanceof Problem && problem.code === 'identity_unknown';

/** Offers sign-in with the stored key; `problem` is why the automatic sign-in failed. */
export function BrowserKeyCard({ keeper, problem }: { keeper: KeyOwner; problem: unknown }) {
  const { name } = keeper;
  const enter = useAction(() => explainFailure(signInWithStoredKey({ registering: false })));
  const beginAnew = useAction(async () => {
    await explainFailure(signInWithStoredKey({ registering: true }));
    if (!isInvited()) go('/app/sites');
  });
  const canBeginAnew = isUnknown(enter.problem) || isUnknown(problem);
  return (
    <Card title={t('title')} class="wide" says={t('says')}>
      <div class="actions">
        <ActionButton does={enter} label={name ? <span class="named">{t('signIn', { name })}</span> : t('nameless')} />
        {canBeginAnew && <ActionButton does={beginAnew} tone="plain" label={t('register')} />}
        <ConfirmButton tone="quiet" label={t('forget')} work={() => removeStoredKey(keeper)} says={t('forgetSays')} />
      </div>
      {canBeginAnew && <p class="says">{t('registerSays')}</p>}
    </Card>
  );
}

export function KeyFileForm() {
  const input = useRef<HTMLInputElement>(null);
  const id = useId();
  const enter = useAction(async () => {
    const file = input.current?.files?.[0];
    if (!file) throw new PageProblem('invalid_request', t('none'));
    const { isNew } = await explainFailure(signInWith(await file.text()));
    if (isNew && !isInvited()) go('/app/sites');
  });
  return (
    <ActionForm does={enter} submit={t('enter')}>
      <p class="says">{t('fileSays')}</p>
      <div class="field">
        <label for={id}>{t('file')}</label>
        <input id={id} ref={input} type="file" accept=".pem,.key,application/x-pem-file" />
      </div>
    </ActionForm>
  );
}

/** Whether the person opened an invitation and returns to it after sign-in. */
export const isInvited = (): boolean => pageUrl.value.pathname.startsWith(`${invitationPage}/`);

/** Replaces sign-in errors by sentences that say what to do. */
export const explainProblem = (problem: unknown): unknown =>
  problem instanceof DOMException
    ? new PageProblem('storage_failed', t('notKept'), {}, { cause: problem })
    : explain(problem, t);

export const explainFailure = <T,>(work: Promise<T>): Promise<T> =>
  work.catch((problem: unknown) => {
    throw explainProblem(problem);
  });
