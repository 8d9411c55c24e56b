import { Card } from '../../parts/card.tsx';
import { Look } from '../../parts/look.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { texts } from '../../parts/text.ts';
import { session } from '../session.ts';
import { BackupReminder } from '../sites/backup-reminder.tsx';
import { YouCard } from './you-card.tsx';

const t = texts({
  en: { title: 'Settings', look: 'Look and language' },
  sv: { title: 'Inställningar', look: 'Utseende och språk' },
});

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
        {current.state === 'in' && <YouCard {...current} />}
      </div>
    </>
  );
}
