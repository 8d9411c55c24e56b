import type { Network, SeenNetwork } from '#contract/gateway/network.ts';
import { Problem } from '#contract/problem.ts';
import type { Clock } from '#lib/clock.ts';
import type { Logger } from '#lib/log.ts';
import type { NetworkManager, Scanned } from './network-manager.ts';
import { CommandFailed } from './run-command.ts';

export type WifiState = {
  status: Network['wifiStatus'];
  device?: string;
  networks: SeenNetwork[];
  joined?: SeenNetwork;
};

export type Wifi = ReturnType<typeof createWifi>;

const freshMs = 2000;
const scanMs = 10_000;
const leaveMs = 5000;

const missing: WifiState = { status: 'unavailable', networks: [] };

export function createWifi({ manager, clock, log }: { manager: NetworkManager; clock: Clock; log: Logger }) {
  let looked: { at: number; state: Promise<WifiState> } | undefined;
  let scannedAt = Number.NEGATIVE_INFINITY;
  let isChanging = false;
  let leaving: { timer: NodeJS.Timeout; device: string } | undefined;

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
    const reason =
      status === 'disabled' ? 'Wi-Fi is switched off on this gateway' : 'This gateway has no Wi-Fi that it can use';
    throw new Problem('unavailable', `${reason}.`);
  }

  /** Cancels a pending leave; throws a Problem during another change. */
  function beginChange(): void {
    if (isChanging) {
      throw new Problem('unavailable', 'The gateway is joining or leaving a network.', { retryAfterSeconds: 10 });
    }
    stay();
  }

  async function change(work: () => Promise<void>): Promise<void> {
    isChanging = true;
    await work().finally(() => {
      isChanging = false;
      looked = undefined;
    });
  }

  function stay(): void {
    clearTimeout(leaving?.timer);
    leaving = undefined;
  }

  async function leaveNow(device: string): Promise<void> {
    leaving = undefined;
    await change(async () => {
      const inUse = (await manager.profiles()).filter((profile) => profile.device === device);
      await manager.disconnect(device);
      await manager.forget(inUse);
      log.info('Wi-Fi left');
    }).catch((error: unknown) => log.warn({ err: error }, 'failed to leave Wi-Fi'));
  }

  /** Joins a network; deletes the new profile if that fails, so that a wrong password is not kept. */
  async function joinNow(device: string, ssid: string, psk: string): Promise<void> {
    const before = new Set((await manager.profiles()).map(({ uuid }) => uuid));
    try {
      await manager.connect(device, ssid, psk);
    } catch (error) {
      await manager.forget((await manager.profiles()).filter(({ uuid }) => !before.has(uuid)));
      throw error;
    }
    if (psk !== '') await forgetOlder(before, ssid);
    log.info({ ssid }, 'Wi-Fi joined');
  }

  /** Deletes the old profiles of a network after joining it with a new password, unless in use. */
  async function forgetOlder(before: ReadonlySet<string>, ssid: string): Promise<void> {
    try {
      const older = (await manager.profiles()).filter(({ uuid, device }) => before.has(uuid) && device === '');
      const ssids = await manager.ssidsOf(older);
      await manager.forget(older.filter(({ uuid }) => ssids.get(uuid) === ssid));
    } catch (error) {
      log.warn({ err: error, ssid }, 'failed to delete old profiles of a Wi-Fi network');
    }
  }

  return {
    look,

    /** Starts a scan; returns false without Wi-Fi. */
    async scan(): Promise<boolean> {
      const { device } = await look();
      if (!device) return false;
      const now = clock.now();
      if (Math.abs(now - scannedAt) < scanMs) return true;
      scannedAt = now;
      try {
        await manager.scan(device);
      } catch (error) {
        if (!(error instanceof CommandFailed)) throw error;
        if (/not allowed/i.test(error.output)) return true; // NetworkManager has just scanned
        throw new Problem('unavailable', 'The Wi-Fi hardware does not scan just now.', {}, { cause: error });
      }
      return true;
    },

    async join(ssid: string, psk: string): Promise<void> {
      const device = await deviceOrRefuse();
      beginChange();
      await change(() => joinNow(device, ssid, psk)).catch((error: unknown) => {
        if (!(error instanceof CommandFailed)) throw error;
        const sentence = `The gateway could not join ${ssid}; see whether name and password are right.`;
        throw new Problem('device_failed', sentence, {}, { cause: error });
      });
    },

    /** Forgets and leaves the current network after a delay, so that the response can be sent first. */
    async leave(): Promise<void> {
      const device = await deviceOrRefuse();
      beginChange();
      leaving = { device, timer: setTimeout(() => void leaveNow(device), leaveMs) };
    },

    /** Forgets all networks; does nothing without NetworkManager. */
    async forgetAll(): Promise<void> {
      try {
        await manager.forget(await manager.profiles());
      } catch (error) {
        if (!isAbsent(error)) throw error;
      } finally {
        looked = undefined;
      }
    },

    /** Completes a pending leave. */
    async close(): Promise<void> {
      const promised = leaving?.device;
      stay();
      if (promised !== undefined) await leaveNow(promised);
    },
  };
}

const isAbsent = (error: unknown): boolean =>
  error instanceof CommandFailed && (error.reason === 'is not installed' || /is not running/.test(error.output));

const seen = ({ ssid, rssi, auth }: Scanned): SeenNetwork => ({ ssid, rssi, auth });

async function statusOf(state: string, manager: NetworkManager): Promise<Network['wifiStatus']> {
  if (state.startsWith('connected')) return 'connected';
  if (state.startsWith('connecting')) return 'connecting';
  if (state === 'disconnected' || state === 'deactivating') return 'disconnected';
  return state === 'unavailable' && !(await manager.isRadioOn()) ? 'disabled' : 'unavailable';
}
