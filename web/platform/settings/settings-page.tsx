import { ActionButton, ConfirmButton, useAction } from '../../parts/action.tsx';
import { Appearance } from '../../parts/appearance.tsx';
import { CopyableId } from '../../parts/copy.tsx';
import { Card, Details, Loading, PageHead } from '../../parts/layout.tsx';
import { LinkButton } from '../../parts/router.tsx';
import { texts } from '../../parts/text.ts';
import { InstallCard } from '../install.tsx';
import { PeopleCard } from '../organizations/people-card.tsx';
import { type Session, session, signOut } from '../session.ts';
import { rememberSite } from '../site.ts';
import { BackupReminder } from '../sites/backup-reminder.tsx';
import { SettingsLinks } from './settings-links.tsx';

const t = texts({
  look: 'Appearance and language',
  you: 'Your account',
  nameless: 'No name',
  id: 'Your ID',
  idSays: 'Share it with others so that they can add you to their organization. It is not secret.',
  profile: 'Name and sign-ins',
  visit: 'You are using the demo home as its owner. The visit ends when you close this tab.',
  leave: 'Sign out',
  leaveSays: 'Your key stays in this browser, so you can sign in again with one click.',
  end: 'Leave the demo',
  forget: 'Sign out and remove the key',
  forgetSays: 'You will need your key file to sign in again.',
  unsaved: 'You have not saved this key to a file. If you remove it, you permanently lose access to your account.',
});

export default function SettingsPage() {
  const current = session.value;
  if (current.state === 'opening') return <Loading lines={6} />;
  return (
    <>
      <PageHead title={t('settings')} />
      <BackupReminder />
      <div class="cards">
        {current.state === 'in' && <SettingsLinks />}
        <Card title={t('look')}>
          <Appearance />
        </Card>
        <InstallCard />
        {current.state === 'in' && <YouCard {...current} />}
        {current.state === 'in' && <PeopleCard />}
      </div>
    </>
  );
}

type YouProps = Extract<Session, { state: 'in' }>;

function YouCard({ api, name, isDemo, isBackedUp }: YouProps) {
  const depart = async (forgetting: boolean): Promise<void> => {
    rememberSite(undefined); // the next person may not have access
    await signOut({ forgetting });
  };
  const leave = useAction(() => depart(false));
  return (
    <Card title={t('you')}>
      <p>
        <b>{name ?? t('nameless')}</b>
      </p>
      {isDemo && <p class="says">{t('visit')}</p>}
      <div class="actions">
        <LinkButton to="/app/profile" label={t('profile')} />
        <ActionButton does={leave} tone="plain" label={t(isDemo ? 'end' : 'leave')} />
        {!isDemo && (
          <ConfirmButton
            label={t('forget')}
            work={() => depart(true)}
            says={t(isBackedUp ? 'forgetSays' : 'unsaved')}
          />
        )}
      </div>
      {!isDemo && <p class="says">{t('leaveSays')}</p>}
      <Details>
        <p>
          {t('id')}: <CopyableId id={api.identityId} />
        </p>
        {!isDemo && <p class="says">{t('idSays')}</p>}
      </Details>
    </Card>
  );
}
