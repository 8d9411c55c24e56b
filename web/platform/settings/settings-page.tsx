import { ActionButton, useAction } from '../../parts/action.tsx';
import { Card, PageHead } from '../../parts/card.tsx';
import { CopyButton } from '../../parts/copy.tsx';
import { Look } from '../../parts/look.tsx';
import { Failed } from '../../parts/notice.tsx';
import { texts } from '../../parts/text.ts';
import { session, signOut } from '../session.ts';
import { BackupReminder } from '../sites/backup-reminder.tsx';

const t = texts({
  en: {
    title: 'Settings',
    look: 'Look and language',
    you: 'You',
    id: 'Your identity',
    idSays: 'Others need it to let you into their organization.',
    leave: 'Sign out',
    forget: 'Sign out and forget the key here',
    forgetSays: 'To come back you need the key file.',
  },
  sv: {
    title: 'Inställningar',
    look: 'Utseende och språk',
    you: 'Du',
    id: 'Din identitet',
    idSays: 'Andra behöver den för att släppa in dig i sin organisation.',
    leave: 'Logga ut',
    forget: 'Logga ut och glöm nyckeln här',
    forgetSays: 'För att komma tillbaka behövs nyckelfilen.',
  },
});

function You({ identityId }: { identityId: string }) {
  const leave = useAction(() => signOut({ forgetting: false }));
  const forget = useAction(() => signOut({ forgetting: true }));
  return (
    <Card title={t('you')}>
      <p>
        {t('id')}: <code>{identityId}</code> <CopyButton text={identityId} />
      </p>
      <p class="says">{t('idSays')}</p>
      <div class="actions">
        <ActionButton does={leave} tone="plain">
          {t('leave')}
        </ActionButton>
        <ActionButton does={forget} tone="danger">
          {t('forget')}
        </ActionButton>
      </div>
      <p class="says">{t('forgetSays')}</p>
      {[leave, forget].map(
        ({ problem }) => problem !== undefined && <Failed key={String(problem)} problem={problem} />,
      )}
    </Card>
  );
}

export default function SettingsPage() {
  const current = session.value;
  return (
    <>
      <PageHead title={t('title')} />
      <BackupReminder />
      <div class="cards">
        <Card title={t('look')}>
          <Look />
        </Card>
        {current.state === 'in' && <You identityId={current.api.identityId} />}
      </div>
    </>
  );
}
