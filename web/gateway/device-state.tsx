import { Age } from '../parts/age.tsx';
import { Empty } from '../parts/layout.tsx';
import { LinkButton } from '../parts/router.tsx';
import { texts } from '../parts/text.ts';
import type { DeviceWithReadings } from './devices.ts';

const t = texts({
  again: [
    'The gateway retries every 10 seconds. Last read:',
    'Gatewayen försöker igen var tionde sekund. Senast läst:',
  ],
  noReason: ['The gateway is connecting to the device.', 'Gatewayen ansluter till enheten.'],
  says: [
    'Add an inverter, a meter or a charger to see its values here.',
    'Lägg till en växelriktare, elmätare eller laddbox så visas dess värden här.',
  ],
});

export const ConnectionTag = ({ isConnected }: { isConnected: boolean }) => (
  <span class={`tag ${isConnected ? 'good' : 'problem'}`}>{t(isConnected ? 'connected' : 'notConnected')}</span>
);

export function LostDevice({ device: { connected, error, lastReadMs } }: { device: DeviceWithReadings }) {
  if (connected) return null;
  return (
    <p class="lost-device">
      {error === undefined ? t('noReason') : <span lang="en">{error}</span>} {t('again')} <Age ms={lastReadMs} />
    </p>
  );
}

export const NoDevices = () => (
  <Empty title={t('noDevices')} says={t('says')}>
    <LinkButton tone="main" to="/app/add" label={t('addDevice')} />
  </Empty>
);
