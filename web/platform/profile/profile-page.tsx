import { useSignal } from '@preact/signals';
import { ActionForm, useAction } from '../../parts/action.tsx';
import { CopyableId } from '../../parts/copy.tsx';
import { Field } from '../../parts/field.tsx';
import { Card, Details, Notice, PageHead } from '../../parts/layout.tsx';
import { texts } from '../../parts/text.ts';
import { api, rename, session } from '../session.ts';
import { BackupReminder } from '../sites/backup-reminder.tsx';
import { BrowsersCard } from './browsers-card.tsx';
import { SignInsCard } from './sign-ins-card.tsx';

const t = texts({
  title: 'Your profile',
  yourName: 'Your name',
  nameSays: 'Shown to members of your organizations and to applications that you connect.',
  save: 'Save name',
  saved: 'Saved.',
  id: 'Your ID',
});

export default function ProfilePage() {
  return (
    <>
      <PageHead title={t('title')} />
      <BackupReminder />
      <NameCard />
      <BrowsersCard />
      <SignInsCard />
    </>
  );
}

function NameCard() {
  const current = session.value;
  const name = useSignal((current.state === 'in' && current.name) || '');
  const save = useAction(async () => {
    await rename(name.value.trim());
    return 'saved';
  });
  return (
    <Card title={t('name')}>
      <ActionForm does={save} submit={t('save')}>
        <Field label={t('yourName')} says={t('nameSays')} value={name} maxLength={128} />
        {save.result && <Notice tone="good">{t('saved')}</Notice>}
      </ActionForm>
      <Details>
        <p class="says">
          {t('id')}: <CopyableId id={api().identityId} />
        </p>
      </Details>
    </Card>
  );
}
