import type { Network, SeenNetwork } from '#contract/gateway/network.ts';
import { Problem } from '#contract/problem.ts';
import type { Clock } from '#lib/clock.ts';
import type { Logger } from '#lib/log.ts';
import type { NetworkManager, Scanned } from './network-manager.ts';
import { CommandFailed } from './run-command.ts';

export type WifiState = {
  status: Network['wifiStatus'];
  device?: string;
  /** of the last scan */
  networks: SeenNetwork[];
  joined?: SeenNetwork;
};

export type Wifi = {
  look(): Promise<WifiState>;
  scan(): Promise<void>;
  join(ssid: string, psk: string): Promise<void>;
  /** Forgets the network in use and leaves it, once the answer has had time to arrive. */
  leave(): Promise<void>;
  /** Forgets every network; where there is no Wi-Fi there is nothing to forget. */
  forgetAll(): Promise<void>;
  close(): void;
};

type WifiDeps = { manager: NetworkManager; clock: Clock; log: Logger };

const freshMs = 2000;
const scanMs = 10_000;
const leaveMs = 5000;

const missing: WifiState = { status: 'unavailable', networks: [] };

/** The Wi-Fi of this machine, through NetworkManager. */
export function createWifi({ manager, clock, log }: WifiDeps): Wifi {
  let looked: { at: number; state: Promise<WifiState> } | undefined;
  let scannedAt = Number.NEGATIVE_INFINITY;
  let isJoining = false;
  let leaving: NodeJS.Timeout | undefined;

  async function lookNow(): Promise<WifiState> {
    try {
      const device = await manager.wifiDevice();
      if (!device) return missing;
      const status = await statusOf(device.state, manager);
      if (status === 'unavailable' || status === 'disabled') return { status, networks: [] };
      const networks = await manager.networks(device.name);
      const inUse = status === 'connected' ? networks.find(({ isInUse }) => isInUse) : undefined;
      return { status, device: device.name, networks: networks.map(seen), ...(inUse && { joined: seen(inUse) }) };
    } catch (error) {
      if (!(error instanceof CommandFailed)) throw error;
      log.debug({ err: error }, 'Wi-Fi is not available');
      return missing;
    }
  }

  function look(): Promise<WifiState> {
    const now = clock.now();
    if (!looked || Math.abs(now - looked.at) >= freshMs) looked = { at: now, state: lookNow() };
    return looked.state;
  }

  async function deviceOrRefuse(): Promise<string> {
    const { status, device } = await look();
    if (device) return device;
    throw new Problem(
      'unavailable',
      status === 'disabled' ? 'Wi-Fi is switched off on this gateway.' : 'This gateway has no Wi-Fi that it can use.',
    );
  }

  async function leaveNow(device: string): Promise<void> {
    try {
      const inUse = await manager.profiles('active');
      await manager.disconnect(device);
      await manager.forget(inUse);
      looked = undefined;
      log.info('Wi-Fi left');
    } catch (error) {
      log.warn({ err: error }, 'Wi-Fi could not be left');
    }
  }

  return {
    look,

    async scan() {
      const device = await deviceOrRefuse();
      const now = clock.now();
      if (Math.abs(now - scannedAt) < scanMs) return;
      scannedAt = now;
      try {
        await manager.scan(device);
      } catch (error) {
        if (!(error instanceof CommandFailed)) throw error;
        if (/not allowed/i.test(error.said)) return; // NetworkManager has just scanned by itself
        throw new Problem('unavailable', 'The Wi-Fi hardware does not scan just now.', {}, { cause: error });
      }
    },

    async join(ssid, psk) {
      const device = await deviceOrRefuse();
      if (isJoining) throw new Problem('unavailable', 'The gateway is joining a network.', { retryAfterSeconds: 10 });
      isJoining = true;
      try {
        await joinOrForget(manager, device, ssid, psk);
        clearTimeout(leaving);
        log.info({ ssid }, 'Wi-Fi joined');
      } catch (error) {
        if (!(error instanceof CommandFailed)) throw error;
        const sentence = `The gateway could not join ${ssid}; see whether name and password are right.`;
        throw new Problem('device_failed', sentence, {}, { cause: error });
      } finally {
        isJoining = false;
        looked = undefined;
      }
    },

    async leave() {
      const device = await deviceOrRefuse();
      clearTimeout(leaving);
      leaving = setTimeout(() => void leaveNow(device), leaveMs);
    },

    async forgetAll() {
      if ((await look()).status === 'unavailable') return;
      await manager.forget(await manager.profiles('all'));
      looked = undefined;
    },

    close: () => clearTimeout(leaving),
  };
}

const seen = ({ ssid, rssi, auth }: Scanned): SeenNetwork => ({ ssid, rssi, auth });

async function statusOf(state: string, manager: NetworkManager): Promise<Network['wifiStatus']> {
  if (state.startsWith('connected')) return 'connected';
  if (state.startsWith('connecting')) return 'connecting';
  if (state === 'disconnected' || state === 'deactivating') return 'disconnected';
  return state === 'unavailable' && !(await manager.isRadioOn()) ? 'disabled' : 'unavailable';
}

/** A wrong password must not stay behind as a network that is known. */
async function joinOrForget(manager: NetworkManager, device: string, ssid: string, psk: string): Promise<void> {
  const before = new Set(await manager.profiles('all'));
  try {
    await manager.connect(device, ssid, psk);
  } catch (error) {
    const after = await manager.profiles('all');
    await manager.forget(after.filter((uuid) => !before.has(uuid)));
    throw error;
  }
}
