import type { ComponentChildren } from 'preact';
import type { Device } from '#contract/cloud/devices.ts';
import { Age, isStale } from '../../parts/age.tsx';
import { Card } from '../../parts/card.tsx';
import { CopyButton } from '../../parts/copy.tsx';
import { dateAndTime } from '../../parts/format.ts';
import { Link } from '../../parts/router.tsx';
import { texts } from '../../parts/text.ts';
import type { DeviceGateway } from './device-gateways.ts';
import { deviceTypeWords } from './device-words.ts';
import { qualityOf } from './quality.ts';
import { OnlineTag, QualityTag, qualityDescription } from './status-tags.tsx';

const t = texts({
  about: ['Device details', 'Enhetsinformation'],
  kind: ['Type', 'Typ'],
  lastSeen: ['Last seen', 'Senast ansluten'],
  gateway: ['Gateway', 'Gateway'],
  added: ['Added', 'Tillagd'],
  id: ['ID', 'ID'],
  hardware: ['Hardware ID', 'Hårdvaru-ID'],
});

type AboutProps = {
  device: Device;
  lastSeen: number | undefined;
  gateway: DeviceGateway | undefined;
  children: ComponentChildren;
};

export function AboutDevice({ device, lastSeen, gateway, children }: AboutProps) {
  const { id, state, type, manufacturer, model, hardware_id, gateway_serial, created_at } = device;
  const quality = qualityOf({
    state,
    isStale: isStale(lastSeen),
    hasData: lastSeen !== undefined,
    isGatewayOnline: gateway?.isOnline,
  });
  return (
    <Card title={t('about')} class="wide" beside={<QualityTag quality={quality} />}>
      <p class="says">{qualityDescription(quality)}</p>
      <dl class="device-facts">
        <div>
          <dt>{t('kind')}</dt>
          <dd>{[deviceTypeWords(type), manufacturer, model].filter(Boolean).join(', ')}</dd>
        </div>
        <div>
          <dt>{t('lastSeen')}</dt>
          <dd>
            <Age ms={lastSeen} />
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
