import { useId, useRef } from 'preact/hooks';
import { ActionForm, useAction } from '../../parts/action.tsx';
import { PageProblem } from '../../parts/problem-words.ts';
import { go } from '../../parts/router.tsx';
import { texts } from '../../parts/text.ts';
import { signInWith } from '../session.ts';
import { explainFailure, isInvited } from './sign-in-problems.ts';

const t = texts({
  says: [
    'A backup from another browser, the command line’s key, or demo/identity.pem from the data folder of a demo platform.',
    'En säkerhetskopia från en annan webbläsare, kommandoradens nyckel eller demo/identity.pem från datamappen på en demoplattform.',
  ],
  file: ['Key file (.pem)', 'Nyckelfil (.pem)'],
  enter: ['Sign in with file', 'Logga in med fil'],
  none: ['Choose a key file first.', 'Välj en nyckelfil först.'],
});

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
      <p class="says">{t('says')}</p>
      <div class="field">
        <label for={id}>{t('file')}</label>
        <input id={id} ref={input} type="file" accept=".pem,.key,application/x-pem-file" />
      </div>
    </ActionForm>
  );
}
