import type { ComponentChildren } from 'preact';
import type { Device } from '#contract/cloud/devices.ts';
import { Age, isStale } from '../../parts/age.tsx';
import { Card } from '../../parts/card.tsx';
import { CopyButton } from '../../parts/copy.tsx';
import { dateAndTime } from '../../parts/format.ts';
import { Link } from '../../parts/router.tsx';
import { texts } from '../../parts/text.ts';
import { OnlineTag } from '../gateways/online-tag.tsx';
import { deviceTypeWords } from './device-words.ts';
import type { Behind } from './gateway-of-device.ts';
import { qualityOf } from './quality.ts';
import { QualityTag, qualityWords } from './quality-tag.tsx';

const t = texts({
  en: {
    about: 'About it',
    kind: 'Kind',
    heard: 'Last heard',
    gateway: 'Gateway',
    added: 'Added',
    id: 'Id',
    hardware: 'Hardware id',
  },
  sv: {
    about: 'Om den',
    kind: 'Slag',
    heard: 'Hördes senast',
    gateway: 'Gateway',
    added: 'Lades till',
    id: 'Id',
    hardware: 'Hårdvaru-id',
  },
});

type AboutProps = {
  device: Device;
  heard: number | undefined;
  gateway: Behind | undefined;
  children: ComponentChildren;
};

/** What a device is, how it is, and the names it has. */
export function AboutDevice({ device, heard, gateway, children }: AboutProps) {
  const { id, state, type, manufacturer, model, hardware_id, gateway_serial, created_at } = device;
  const quality = qualityOf({
    state,
    isStale: isStale(heard),
    wasHeard: heard !== undefined,
    isGatewayOnline: gateway?.isOnline,
  });
  return (
    <Card title={t('about')} class="wide" beside={<QualityTag quality={quality} />}>
      <p class="says">{qualityWords(quality)}</p>
      <dl class="device-facts">
        <div>
          <dt>{t('kind')}</dt>
          <dd>{[deviceTypeWords(type), manufacturer, model].filter(Boolean).join(', ')}</dd>
        </div>
        <div>
          <dt>{t('heard')}</dt>
          <dd>
            <Age ms={heard} />
          </dd>
        </div>
        <div>
          <dt>{t('gateway')}</dt>
          <dd>
            <Link to={`/app/gateways?gateway=${encodeURIComponent(gateway_serial)}`}>{gateway_serial}</Link>{' '}
            {gateway?.isOnline !== undefined && <OnlineTag isOnline={gateway.isOnline} />}
          </dd>
        </div>
        <div>
          <dt>{t('added')}</dt>
          <dd>{dateAndTime(Date.parse(created_at))}</dd>
        </div>
        <div>
          <dt>{t('id')}</dt>
          <dd>
            <code>{id}</code> <CopyButton text={id} />
          </dd>
        </div>
        <div>
          <dt>{t('hardware')}</dt>
          <dd>
            <code>{hardware_id}</code> <CopyButton text={hardware_id} />
          </dd>
        </div>
      </dl>
      {children}
    </Card>
  );
}
