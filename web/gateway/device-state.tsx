import { Age } from '../parts/age.tsx';
import { texts } from '../parts/text.ts';
import type { HeardDevice } from './heard-devices.ts';

const t = texts({
  en: {
    connected: 'Connected',
    lost: 'Not connected',
    again: 'It is tried again every 10 seconds. Last heard:',
    noReason: 'The gateway is connecting to it.',
  },
  sv: {
    connected: 'Ansluten',
    lost: 'Inte ansluten',
    again: 'Nytt försök görs var tionde sekund. Hördes senast:',
    noReason: 'Gatewayen ansluter till den.',
  },
});

type StateProps = { device: Pick<HeardDevice, 'connected' | 'error' | 'heardMs'> };

/** Whether the gateway reaches a device. */
export const DeviceTag = ({ device: { connected } }: StateProps) => (
  <span class={`tag ${connected ? 'good' : 'problem'}`}>{t(connected ? 'connected' : 'lost')}</span>
);

/** Why a device is not reached, and since when; nothing of one that is. */
export function LostDevice({ device: { connected, error, heardMs } }: StateProps) {
  if (connected) return null;
  return (
    <p class="lost-device">
      {error === undefined ? t('noReason') : <span lang="en">{error}</span>} {t('again')} <Age ms={heardMs} />
    </p>
  );
}
