import { useRef } from 'preact/hooks';
import { ActionButton, useAction } from '../../parts/action.tsx';
import { download } from '../../parts/download.ts';
import { Failed, Notice } from '../../parts/notice.tsx';
import { texts } from '../../parts/text.ts';
import { backupText, sealKey, session } from '../session.ts';

const t = texts({
  en: {
    says: 'Your key is in this browser only. Save it as a file now: it is the way back in when the browser forgets, and into another one. Then choose the file here: when it is the right one, nobody can read the key out of this browser any more.',
    save: 'Save my key file',
    have: 'I have the file',
  },
  sv: {
    says: 'Din nyckel finns bara i den här webbläsaren. Spara den som fil nu: med den kommer du in igen om webbläsaren glömmer, och i en annan. Välj sedan filen här: när den är den rätta kan ingen längre läsa ut nyckeln härifrån.',
    save: 'Spara min nyckelfil',
    have: 'Jag har filen',
  },
});

/** Shown until the file with the key has been seen. */
export function BackupReminder() {
  const save = useAction(async () => download('ohmstead-key.pem', await backupText(), 'application/x-pem-file'));
  const input = useRef<HTMLInputElement>(null);
  const seal = useAction(async () => {
    const file = input.current?.files?.[0];
    if (file) await sealKey(await file.text());
  });
  const current = session.value;
  if (current.state !== 'in' || current.isBackedUp) return null;
  const problem = seal.problem ?? save.problem;
  return (
    <Notice tone="warning">
      <p>{t('says')}</p>
      {problem !== undefined && <Failed problem={problem} />}
      <div class="actions">
        <ActionButton does={save} tone="plain">
          {t('save')}
        </ActionButton>
        <button
          type="button"
          class="plain"
          disabled={seal.isBusy}
          aria-busy={seal.isBusy}
          onClick={() => input.current?.click()}
        >
          {t('have')}
        </button>
      </div>
      <input
        ref={input}
        type="file"
        accept=".pem,.key,application/x-pem-file"
        hidden
        onClick={(event) => {
          event.currentTarget.value = ''; // the same file can be chosen again
        }}
        onChange={() => void seal.run()}
      />
    </Notice>
  );
}
