import { Empty } from '../parts/notice.tsx';
import { Link } from '../parts/router.tsx';
import { texts } from '../parts/text.ts';

const t = texts({
  en: {
    none: 'No devices yet',
    says: 'Add the inverter, the meter or the charger of the house, and what it measures is shown here.',
    add: 'Add a device',
  },
  sv: {
    none: 'Inga enheter ännu',
    says: 'Lägg till husets växelriktare, mätare eller laddare så visas det den mäter här.',
    add: 'Lägg till en enhet',
  },
});

export const NoDevices = () => (
  <Empty title={t('none')}>
    <p class="says">{t('says')}</p>
    <Link class="button main" to="/app/add">
      {t('add')}
    </Link>
  </Empty>
);
