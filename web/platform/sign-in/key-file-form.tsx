import { useId, useRef } from 'preact/hooks';
import { ActionForm, useAction } from '../../parts/action.tsx';
import { PageProblem } from '../../parts/problem-words.ts';
import { go } from '../../parts/router.tsx';
import { texts } from '../../parts/text.ts';
import { signInWith } from '../session.ts';
import { inPlainWords, isInvited } from './plain-problem.ts';

const t = texts({
  en: {
    says: 'The backup of another browser, the key of the command line, or demo/identity.pem in the data folder of a simulated platform.',
    file: 'Key file (.pem)',
    enter: 'Sign in with it',
    none: 'Choose the key file first.',
  },
  sv: {
    says: 'Säkerhetskopian från en annan webbläsare, kommandoradens nyckel, eller demo/identity.pem i datamappen hos en simulerad plattform.',
    file: 'Nyckelfil (.pem)',
    enter: 'Logga in med den',
    none: 'Välj nyckelfilen först.',
  },
});

export function KeyFileForm() {
  const input = useRef<HTMLInputElement>(null);
  const id = useId();
  const enter = useAction(async () => {
    const file = input.current?.files?.[0];
    if (!file) throw new PageProblem('invalid_request', t('none'));
    const { isNew } = await inPlainWords(signInWith(await file.text()));
    if (isNew && !isInvited()) go('/app/sites'); // there is nothing else to see yet
  });
  return (
    <ActionForm does={enter} submit={t('enter')}>
      <p class="says">{t('says')}</p>
      <div class="field">
        <label for={id}>{t('file')}</label>
        <input id={id} ref={input} type="file" accept=".pem,.key,application/x-pem-file" />
      </div>
    </ActionForm>
  );
}
