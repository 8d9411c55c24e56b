import type { Logger } from '#lib/log.ts';
import { retry } from '#lib/retry.ts';
import { type BrokerAddress, parseBrokerAddress } from '../links/mqtt/broker-address.ts';
import type { BrokerSession } from '../links/mqtt/broker-connection.ts';
import { type BrokerSessionOptions, openBrokerSession, publishAndWait } from '../links/mqtt/broker-session.ts';
import { type Announcement, brokerOf, type Home } from './announced.ts';
import { homeTopics } from './topics.ts';

export type FarewellDeps = {
  serial: string;
  former: Announcement;
  home: Home | undefined;
  forget(): Promise<void>;
  log: Logger;
};

const patience = { attempts: 5, minDelayMs: 2000, maxDelayMs: 60_000 };

/** Removes the announcements from a former home; the next start retries if its broker is unreachable. */
export async function sayFarewell({ serial, former, home, forget, log }: FarewellDeps, signal: AbortSignal) {
  const { url, ca } = former.home;
  const broker = brokerOf(former.home);
  async function leave(): Promise<void> {
    const session = await openHomeSession(parseBrokerAddress(url), { clientId: `${serial}-farewell`, ca, log }, signal);
    try {
      for (const topic of topicsToClear(serial, former, home)) await publishAndWait(session, topic, '', 1);
    } finally {
      await session.end();
    }
  }
  try {
    await retry(leave, { ...patience, signal, shouldRetry: () => !signal.aborted });
    await forget();
    log.info({ broker }, 'announcements removed from the former Home Assistant');
  } catch (error) {
    if (!signal.aborted)
      log.warn(
        { err: error, broker },
        'failed to remove announcements from the former Home Assistant; retrying after a restart',
      );
  }
}

/** Excludes topics below `ohmstead/` that are in use: another prefix on the same broker shares them. */
function topicsToClear(serial: string, { home: left, devices }: Announcement, home: Home | undefined): string[] {
  const topics = homeTopics(serial, left.prefix);
  const serials = Object.keys(devices);
  const configs = [...serials.map(topics.deviceConfig), topics.gatewayConfig];
  if (home && brokerOf(home) === brokerOf(left)) return configs;
  return [...configs, ...serials.map(topics.deviceStatus), topics.gatewayStatus];
}

const maxPacketBytes = 64 * 1024; // only the start of Home Assistant is received

/** Connects to the broker of Home Assistant, with the credentials in its address. Messages with QoS 1 are retained. */
export function openHomeSession(
  address: BrokerAddress,
  options: Omit<BrokerSessionOptions, 'maxPacketBytes'>,
  signal: AbortSignal,
): Promise<BrokerSession> {
  const { username, password } = address;
  return openBrokerSession(address, { ...options, username, password, isRetaining: true, maxPacketBytes }, signal);
}
