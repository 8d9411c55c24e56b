import { listGateways } from '#contract/cloud/gateways.ts';
import { Age } from '../../parts/age.tsx';
import { type Load, useLoad } from '../../parts/load.tsx';
import { now } from '../../parts/now.ts';
import { texts } from '../../parts/text.ts';
import { api } from '../session.ts';
import type { Quality } from './quality.ts';

const t = texts({
  silent: 'No data',
  away: 'Gateway offline',
  waiting: 'Waiting',
  orphaned: 'No gateway',
  online: 'Online',
  offline: 'Offline',
});

const refreshMs = 10_000;

/** Whether each gateway of an organization is online, by serial number. */
export type OnlineGateways = ReadonlyMap<string, boolean>;

/** Loads which gateways are online, also when the devices of the page change. */
export const useOnlineGateways = (org_id: string, devices: unknown): Load<OnlineGateways> =>
  useLoad(
    async (signal) => {
      const gateways = await Array.fromAsync(api().pages(listGateways, { query: { org_id }, signal }));
      return new Map(gateways.map(({ gateway_serial, online }) => [gateway_serial, online]));
    },
    [org_id, devices],
    Math.floor(now.value / refreshMs),
  );

export const OnlineTag = ({ isOnline }: { isOnline: boolean }) => (
  <span class={isOnline ? 'tag good' : 'tag warning'}>{t(isOnline ? 'online' : 'offline')}</span>
);

export const LastSeen = ({ at }: { at: string | null }) => <Age ms={at === null ? undefined : Date.parse(at)} />;

export const qualityDescription = texts({
  live: 'Receiving data.',
  silent: 'The gateway is online, but this device sends no data. Check its cable and the gateway’s own page.',
  away: 'The gateway is offline. It stores its readings and sends them when it is back online.',
  waiting:
    'The device was added but has not sent any data. Check that the gateway reads a device with this hardware ID.',
  orphaned: 'The gateway was released or moved to another organization. The history is kept, but no new data arrives.',
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
