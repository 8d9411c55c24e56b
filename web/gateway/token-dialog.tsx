import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { Dialog } from '../parts/dialog.tsx';
import { Field } from '../parts/field.tsx';
import { Notice } from '../parts/notice.tsx';
import { texts } from '../parts/text.ts';
import { question } from './local-token.ts';

const t = texts({
  en: {
    title: 'Local token needed',
    says: 'This gateway has an owner, or is guarded, so this needs its local token. On the machine of the gateway, the command {command} prints it; it is also in the file local-token of the data folder. This tab remembers it until it is closed.',
    token: 'Local token',
    use: 'Use it',
    refused: 'The gateway does not know that token.',
  },
  sv: {
    title: 'Lokal token behövs',
    says: 'Gatewayen har en ägare eller är skyddad, så det här kräver dess lokala token. Kommandot {command} på gatewayens dator visar den; den finns också i filen local-token i datamappen. Fliken minns den tills den stängs.',
    token: 'Lokal token',
    use: 'Använd den',
    refused: 'Gatewayen godtar inte den token.',
  },
});

/** Asks for the local token when the gateway does. */
export function TokenDialog() {
  const asked = question.value;
  return asked ? <Ask {...asked} /> : null;
}

function Ask({ wasRefused, answer }: { wasRefused: boolean; answer(token: string | undefined): void }) {
  const token = useSignal('');
  const given = useRef(false);
  return (
    <Dialog title={t('title')} onClose={() => given.current || answer(undefined)}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          given.current = true;
          answer(token.value.trim());
        }}
      >
        {wasRefused && <Notice tone="problem">{t('refused')}</Notice>}
        <p class="says">{t('says', { command: 'ohmstead gateway token' })}</p>
        <Field label={t('token')} type="password" required value={token} />
        <div class="actions">
          <button type="submit" class="main">
            {t('use')}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
