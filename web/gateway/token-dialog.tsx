import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { ActionForm, Dialog, useAction } from '../parts/action.tsx';
import { Field } from '../parts/field.tsx';
import { Notice } from '../parts/layout.tsx';
import { texts } from '../parts/text.ts';
import { tokenRequest } from './gateway-api.ts';

const t = texts({
  title: 'Local token required',
  says: 'This gateway has an owner or is guarded. Run {command} on its machine to print the local token, or read the file local-token in its data folder. This tab remembers the token until you close it.',
  use: 'Continue',
  refused: 'The gateway does not accept this token.',
});

export function TokenDialog() {
  const asked = tokenRequest.value;
  return asked ? <Ask {...asked} /> : null;
}

function Ask({ wasRefused, answer }: { wasRefused: boolean; answer(token: string | undefined): void }) {
  const token = useSignal('');
  const given = useRef(false);
  const use = useAction(async () => {
    given.current = true;
    answer(token.value.trim());
  });
  return (
    <Dialog title={t('title')} onClose={() => given.current || answer(undefined)}>
      <ActionForm does={use} submit={t('use')}>
        {wasRefused && <Notice tone="problem">{t('refused')}</Notice>}
        <p class="says">{t('says', { command: 'ohmstead gateway token' })}</p>
        <Field label={t('localToken')} type="password" required value={token} />
      </ActionForm>
    </Dialog>
  );
}
