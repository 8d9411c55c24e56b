import { useRef } from 'preact/hooks';
import { ActionButton, Button, useAction, whileBusy } from '../../parts/action.tsx';
import { download } from '../../parts/download.ts';
import { Failed, Notice } from '../../parts/layout.tsx';
import { texts } from '../../parts/text.ts';
import { confirmBackup, exportKey, session } from '../session.ts';

const t = texts({
  says: 'Your key is stored only in this browser. Save it to a file so that you can sign in if the browser data is cleared, or from another browser. Then select the saved file to confirm; after that the key can no longer be exported from this browser.',
  save: 'Save key file',
  have: 'Confirm saved file',
});

/** Shown until the person has confirmed the backup file. */
export function BackupReminder() {
  const save = useAction(async () => download('ohmstead-key.pem', await exportKey(), 'application/x-pem-file'));
  const input = useRef<HTMLInputElement>(null);
  const seal = useAction(async () => {
    const file = input.current?.files?.[0];
    if (file) await confirmBackup(await file.text());
  });
  const current = session.value;
  if (current.state !== 'in' || current.isBackedUp) return null;
  return (
    <Notice tone="warning">
      <p>{t('says')}</p>
      <Failed problem={seal.problem} />
      <div class="actions">
        <ActionButton does={save} tone="plain" label={t('save')} />
        <Button tone="plain" label={t('have')} {...whileBusy(seal)} onClick={() => input.current?.click()} />
      </div>
      <input
        ref={input}
        type="file"
        accept=".pem,.key,application/x-pem-file"
        hidden
        onClick={(event) => (event.currentTarget.value = '')} // allows choosing the same file again
        onChange={() => void seal.run()}
      />
    </Notice>
  );
}
