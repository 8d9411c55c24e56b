import { derTypeOf } from '#contract/der.ts';
import type { DerKind, DerReading } from '#contract/gateway/reading.ts';
import { Age, ReadingNote } from '../parts/age.tsx';
import { derWords } from '../parts/der-words.ts';
import { Icon } from '../parts/icon.tsx';
import { Empty } from '../parts/layout.tsx';
import { LinkButton } from '../parts/router.tsx';
import { power, texts } from '../parts/text.ts';
import type { DeviceWithReadings } from './devices.ts';

const t = texts({
  again: 'The gateway retries every 10 seconds. Last read:',
  noReason: 'The gateway is connecting to the device.',
  says: 'Add an inverter, a meter or a charger to see its values here.',
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

const derStyle = {
  pv: { icon: 'sun', colour: 'sun' },
  battery: { icon: 'battery', colour: 'battery' },
  meter: { icon: 'grid', colour: 'grid-in' },
  v2x_charger: { icon: 'car', colour: 'car' },
} as const satisfies Record<DerKind, unknown>;

export function DerLine({ kind, reading }: { kind: DerKind; reading: DerReading | undefined }) {
  const type = derTypeOf(kind);
  const { icon, colour } = derStyle[kind];
  return (
    <li class={`der-line ${colour}`}>
      <span class="disc">
        <Icon name={icon} />
      </span>
      <span>{derWords(type)}</span>
      <b class="number">{power(typeof reading?.W === 'number' ? reading.W : undefined)}</b>
      <span class="soft">
        <ReadingNote type={type} reading={reading} />
      </span>
    </li>
  );
}
