import { ActionButton, useAction } from '../../parts/action.tsx';
import { Appearance } from '../../parts/appearance.tsx';
import { Card } from '../../parts/card.tsx';
import { CopyButton } from '../../parts/copy.tsx';
import { Confirm, DangerButton } from '../../parts/dialog.tsx';
import { Failed } from '../../parts/notice.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { texts } from '../../parts/text.ts';
import { type Session, session, signOut } from '../session.ts';
import { rememberSite } from '../site.ts';
import { BackupReminder } from '../sites/backup-reminder.tsx';

const t = texts({
  en: {
    title: 'Settings',
    look: 'Look and language',
    you: 'You',
    nameless: 'Without a name',
    id: 'Your identity',
    idSays: 'Others need it to let you into their organization. It is no secret.',
    visit: 'You look around as the owner of the simulated home. The visit ends with this tab.',
    leave: 'Sign out',
    leaveSays: 'When you sign out the key stays in this browser, and you come back with one click.',
    end: 'End the visit',
    forget: 'Sign out and forget the key here',
    forgetSays: 'After that only the key file brings you back.',
    unsaved:
      'The key was never saved as a file. Forgotten here it is gone for good, and with it all that only you can open.',
  },
  sv: {
    title: 'Inställningar',
    look: 'Utseende och språk',
    you: 'Du',
    nameless: 'Utan namn',
    id: 'Din identitet',
    idSays: 'Andra behöver den för att släppa in dig i sin organisation. Den är ingen hemlighet.',
    visit: 'Du ser dig om som ägare av det simulerade hemmet. Besöket slutar med den här fliken.',
    leave: 'Logga ut',
    leaveSays: 'När du loggar ut stannar nyckeln i webbläsaren, och du kommer tillbaka med ett klick.',
    end: 'Avsluta besöket',
    forget: 'Logga ut och glöm nyckeln här',
    forgetSays: 'Därefter kommer du bara tillbaka med nyckelfilen.',
    unsaved:
      'Nyckeln har aldrig sparats som fil. Glöms den här är den borta för gott, och med den allt som bara du kan öppna.',
  },
});

export default function SettingsPage() {
  const current = session.value;
  return (
    <>
      <PageHead title={t('title')} />
      <BackupReminder />
      <div class="cards">
        <Card title={t('look')}>
          <Appearance />
        </Card>
        {current.state === 'in' && <YouCard {...current} />}
      </div>
    </>
  );
}

type YouProps = Extract<Session, { state: 'in' }>;

/** Who is signed in, and the ways out. */
function YouCard({ api, name, isVisit, isBackedUp }: YouProps) {
  const depart = async (forgetting: boolean): Promise<void> => {
    rememberSite(undefined); // the next person may not see it
    await signOut({ forgetting });
  };
  const leave = useAction(() => depart(false));
  return (
    <Card title={t('you')}>
      <p>
        <b>{name ?? t('nameless')}</b>
      </p>
      <p>
        {t('id')}: <code>{api.identityId}</code> <CopyButton text={api.identityId} />
      </p>
      <p class="says">{isVisit ? t('visit') : t('idSays')}</p>
      {leave.problem !== undefined && <Failed problem={leave.problem} />}
      <div class="actions">
        <ActionButton does={leave} tone="plain">
          {t(isVisit ? 'end' : 'leave')}
        </ActionButton>
        {!isVisit && (
          <DangerButton label={t('forget')}>
            {(close) => (
              <Confirm title={t('forget')} submit={t('forget')} work={() => depart(true)} onClose={close}>
                <p>{t(isBackedUp ? 'forgetSays' : 'unsaved')}</p>
              </Confirm>
            )}
          </DangerButton>
        )}
      </div>
      {!isVisit && <p class="says">{t('leaveSays')}</p>}
    </Card>
  );
}
