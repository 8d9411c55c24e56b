import { useSignal } from '@preact/signals';
import { Notice } from '../../parts/notice.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { Link } from '../../parts/router.tsx';
import { texts } from '../../parts/text.ts';
import { FindCard } from './find-card.tsx';
import { HandCard } from './hand-card.tsx';
import { P1Card } from './p1-card.tsx';
import './add.css';

const t = texts({
  en: {
    title: 'Add a device',
    says: 'The gateway connects, asks the device what it is and reads it once; it keeps the device when all of that went well.',
    added: '{sn} is added and is read from now on.',
    see: 'See what it says',
    send: 'Choose what is sent to the platform',
  },
  sv: {
    title: 'Lägg till en enhet',
    says: 'Gatewayen ansluter, frågar enheten vad den är och läser den en gång; går allt bra behålls den.',
    added: '{sn} är tillagd och läses från och med nu.',
    see: 'Se vad den säger',
    send: 'Välj vad som skickas till plattformen',
  },
});

export default function AddPage() {
  const added = useSignal<string | undefined>(undefined);
  const onAdded = (sn: string): void => {
    added.value = sn;
    scrollTo(0, 0);
  };
  const path = `/app/devices/${encodeURIComponent(added.value ?? '')}`;
  return (
    <>
      <PageHead title={t('title')} says={t('says')} />
      {added.value && (
        <Notice tone="good">
          <p>{t('added', { sn: added.value })}</p>
          <div class="actions">
            <Link to={path}>{t('see')}</Link>
            <Link to={`${path}/settings`}>{t('send')}</Link>
          </div>
        </Notice>
      )}
      <div class="cards">
        <FindCard onAdded={onAdded} />
        <P1Card onAdded={onAdded} />
        <HandCard onAdded={onAdded} />
      </div>
    </>
  );
}
