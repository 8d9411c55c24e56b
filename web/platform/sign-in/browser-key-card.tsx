import { Problem } from '#contract/problem.ts';
import { ActionButton, useAction } from '../../parts/action.tsx';
import { Card } from '../../parts/card.tsx';
import { ConfirmButton } from '../../parts/dialog.tsx';
import { go } from '../../parts/router.tsx';
import { texts } from '../../parts/text.ts';
import { type KeyOwner, removeStoredKey, signInWithStoredKey } from '../session.ts';
import { explainFailure, isInvited } from './sign-in-problems.ts';

const t = texts({
  title: ['Welcome back', 'Välkommen tillbaka'],
  says: ['This browser has your key.', 'Din nyckel finns i den här webbläsaren.'],
  signIn: ['Sign in as {name}', 'Logga in som {name}'],
  nameless: ['Sign in with this browser’s key', 'Logga in med webbläsarens nyckel'],
  register: ['Register this key', 'Registrera nyckeln'],
  registerSays: [
    'This platform does not know your key. Registering it creates a new, empty account.',
    'Plattformen känner inte till din nyckel. Om du registrerar den får du ett nytt, tomt konto.',
  ],
  forget: ['Remove this key', 'Ta bort nyckeln'],
  forgetSays: [
    'You will need your key file to sign in again. Without it, you permanently lose access to your account.',
    'Därefter behöver du nyckelfilen för att logga in. Utan den förlorar du åtkomsten till kontot för gott.',
  ],
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
        <ActionButton does={enter}>
          {name ? <span class="named">{t('signIn', { name })}</span> : t('nameless')}
        </ActionButton>
        {canBeginAnew && (
          <ActionButton does={beginAnew} tone="plain">
            {t('register')}
          </ActionButton>
        )}
        <ConfirmButton tone="quiet" label={t('forget')} work={() => removeStoredKey(keeper)}>
          <p>{t('forgetSays')}</p>
        </ConfirmButton>
      </div>
      {canBeginAnew && <p class="says">{t('registerSays')}</p>}
    </Card>
  );
}
