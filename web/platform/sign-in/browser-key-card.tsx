import { useSignal } from '@preact/signals';
import { Problem } from '#contract/problem.ts';
import { ActionButton, useAction } from '../../parts/action.tsx';
import { Card } from '../../parts/card.tsx';
import { Confirm } from '../../parts/dialog.tsx';
import { Failed } from '../../parts/notice.tsx';
import { go } from '../../parts/router.tsx';
import { texts } from '../../parts/text.ts';
import { forgetKept, goOn, type Keeper } from '../session.ts';
import { inPlainWords, isInvited } from './plain-problem.ts';

const t = texts({
  en: {
    title: 'Welcome back',
    says: 'This browser still keeps your key.',
    goOn: 'Go on as {name}',
    nameless: 'Go on with the key of this browser',
    anew: 'Register this key here',
    anewSays: 'With the same key you would begin here as somebody new, without sites.',
    forget: 'Forget this key',
    forgetSays:
      'After that only the key file brings you back. Without a file nobody can, and whatever the key alone could open stays closed.',
  },
  sv: {
    title: 'Välkommen tillbaka',
    says: 'Webbläsaren har kvar din nyckel.',
    goOn: 'Fortsätt som {name}',
    nameless: 'Fortsätt med webbläsarens nyckel',
    anew: 'Registrera nyckeln här',
    anewSays: 'Med samma nyckel skulle du börja om här, utan anläggningar.',
    forget: 'Glöm nyckeln',
    forgetSays:
      'Därefter kommer du bara tillbaka med nyckelfilen. Utan den kan ingen det, och det som bara nyckeln kunde öppna förblir stängt.',
  },
});

const isUnknown = (problem: unknown): boolean => problem instanceof Problem && problem.code === 'identity_unknown';

/** For somebody whose key is here; `problem` is why it did not go by itself. */
export function GoOnCard({ keeper, problem }: { keeper: Keeper; problem: unknown }) {
  const { name } = keeper;
  const enter = useAction(() => inPlainWords(goOn({ registering: false })));
  const beginAnew = useAction(async () => {
    await inPlainWords(goOn({ registering: true }));
    if (!isInvited()) go('/app/sites');
  });
  const isForgetting = useSignal(false);
  const canBeginAnew = isUnknown(enter.problem) || isUnknown(problem);
  return (
    <Card title={t('title')} class="wide">
      <p class="says">{t('says')}</p>
      {enter.problem !== undefined && <Failed problem={enter.problem} />}
      {beginAnew.problem !== undefined && <Failed problem={beginAnew.problem} />}
      <div class="actions">
        <ActionButton does={enter}>
          {name ? <span class="named">{t('goOn', { name })}</span> : t('nameless')}
        </ActionButton>
        {canBeginAnew && (
          <ActionButton does={beginAnew} tone="plain">
            {t('anew')}
          </ActionButton>
        )}
        <button
          type="button"
          class="quiet"
          onClick={() => {
            isForgetting.value = true;
          }}
        >
          {t('forget')}
        </button>
      </div>
      {canBeginAnew && <p class="says">{t('anewSays')}</p>}
      {isForgetting.value && (
        <Confirm
          title={t('forget')}
          submit={t('forget')}
          work={() => forgetKept(keeper)}
          onClose={() => {
            isForgetting.value = false;
          }}
        >
          <p>{t('forgetSays')}</p>
        </Confirm>
      )}
    </Card>
  );
}
