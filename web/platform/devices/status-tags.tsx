import { texts } from '../../parts/text.ts';
import type { Quality } from './quality.ts';

const t = texts({
  en: {
    live: 'Live',
    silent: 'No data',
    away: 'Gateway offline',
    waiting: 'Waiting',
    orphaned: 'No gateway',
    online: 'Online',
    offline: 'Offline',
  },
  sv: {
    live: 'Direkt',
    silent: 'Inga data',
    away: 'Gateway ej ansluten',
    waiting: 'Väntar',
    orphaned: 'Utan gateway',
    online: 'Ansluten',
    offline: 'Inte ansluten',
  },
});

export const OnlineTag = ({ isOnline }: { isOnline: boolean }) => (
  <span class={isOnline ? 'tag good' : 'tag warning'}>{t(isOnline ? 'online' : 'offline')}</span>
);

export const qualityDescription = texts({
  en: {
    live: 'Receiving data.',
    silent: 'The gateway is online, but this device sends no data. Check its cable and the gateway’s own page.',
    away: 'The gateway is offline. It stores its readings and sends them when it is back online.',
    waiting:
      'The device was added but has not sent any data. Check that the gateway reads a device with this hardware ID.',
    orphaned:
      'The gateway was released or moved to another organization. The history is kept, but no new data arrives.',
  },
  sv: {
    live: 'Data tas emot.',
    silent: 'Gatewayen är ansluten men enheten skickar inga data. Kontrollera kabeln och gatewayens egen sida.',
    away: 'Gatewayen är inte ansluten. Den sparar sina avläsningar och skickar dem när den är ansluten igen.',
    waiting:
      'Enheten är tillagd men har inte skickat några data. Kontrollera att gatewayen läser av en enhet med detta hårdvaru-ID.',
    orphaned:
      'Gatewayen har frigjorts eller flyttats till en annan organisation. Historiken finns kvar, men inga nya data tas emot.',
  },
});

const tones: Record<Quality, string> = {
  live: 'good',
  silent: 'warning',
  away: 'warning',
  waiting: '',
  orphaned: 'problem',
};

export const QualityTag = ({ quality }: { quality: Quality }) => (
  <span class={`tag ${tones[quality]}`} title={qualityDescription(quality)}>
    {t(quality)}
  </span>
);
