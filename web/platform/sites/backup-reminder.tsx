import { ActionButton, useAction } from '../../parts/action.tsx';
import { download } from '../../parts/download.ts';
import { Failed, Notice } from '../../parts/notice.tsx';
import { texts } from '../../parts/text.ts';
import { backupText, sealKey, session } from '../session.ts';

const t = texts({
  en: {
    says: 'Your key is in this browser only. Save it as a file now: it is the way back in when the browser forgets, and into another one. After that nobody can read it out of this browser.',
    save: 'Save my key file',
  },
  sv: {
    says: 'Din nyckel finns bara i den här webbläsaren. Spara den som fil nu: med den kommer du in igen om webbläsaren glömmer, och i en annan. Därefter kan ingen läsa ut den härifrån.',
    save: 'Spara min nyckelfil',
  },
});

/** Shown until the key has been saved once. */
export function BackupReminder() {
  const save = useAction(async () => {
    const pem = await backupText();
    download('ohmstead-key.pem', pem, 'application/x-pem-file');
    await sealKey(pem);
  });
  const current = session.value;
  if (current.state !== 'in' || current.isBackedUp) return null;
  return (
    <Notice tone="warning">
      <p>{t('says')}</p>
      {save.problem !== undefined && <Failed problem={save.problem} />}
      <ActionButton does={save} tone="plain">
        {t('save')}
      </ActionButton>
    </Notice>
  );
}
