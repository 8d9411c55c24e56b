import * as contract from '#contract/gateway/network.ts';
import { Problem } from '#contract/problem.ts';
import { undefinedIf } from '#lib/error-code.ts';
import type { LocalMount } from '../access/door.ts';
import type { Probes } from '../access/probes.ts';
import type { Targets } from '../access/targets.ts';
import { describeNetwork, type NetworkSources } from './describe-network.ts';
import { isOpen } from './port-check.ts';
import { CommandFailed, type Run } from './run-command.ts';
import type { Wifi } from './wifi.ts';

const none = /no default controller|waiting to connect/i;

const absent = (cause?: unknown): Problem =>
  new Problem('unavailable', 'This gateway has no Bluetooth that it can use.', {}, { cause });

/** Switches the Bluetooth controller off, through BlueZ. */
async function stopBluetooth(run: Run): Promise<void> {
  try {
    const output = await run('bluetoothctl', ['power', 'off']);
    if (none.test(output)) throw absent(); // older versions exit with 0
  } catch (error) {
    if (!(error instanceof CommandFailed)) throw error;
    if (error.reason !== 'failed' || none.test(error.output)) throw absent(error);
    throw new Problem('device_failed', 'Bluetooth could not be stopped.', {}, { cause: error });
  }
}

export type NetworkDeps = NetworkSources & { wifi: Wifi; run: Run; targets: Targets; probes: Probes };

const defaultTimeoutMs = 2000;
const maxTimeoutMs = 5000;

async function success(work: Promise<unknown>, message: string) {
  await work;
  return { status: 'success' as const, message };
}

export function networkRoutes(mount: LocalMount, deps: NetworkDeps): void {
  const { wifi, targets, probes } = deps;

  mount(contract.getNetwork, ({ form }) => describeNetwork(deps, form));

  mount(contract.getWifi, async ({ form }) => {
    const { networks, joined } = await wifi.look();
    return {
      ssids: form === 'earlier' ? networks : networks.map(({ ssid }) => ssid),
      connected: joined?.ssid ?? null,
    };
  });

  mount(contract.joinWifi, ({ body: { ssid, psk } }) =>
    success(wifi.join(ssid, psk), `The gateway has joined ${ssid}.`),
  );

  mount(contract.leaveWifi, () => success(wifi.leave(), 'The gateway leaves its Wi-Fi network in 5 seconds.'));

  mount(contract.scanWifi, async () => {
    const hasBegun = await wifi.scan();
    const message = hasBegun
      ? 'A scan has begun; GET /api/wifi shows what it finds.'
      : 'This gateway has no Wi-Fi that it can use, so there is nothing to find.';
    return { status: 'sucess' as const, message };
  });

  mount(contract.stopBle, () => success(stopBluetooth(deps.run), 'Bluetooth is off.'));

  mount(contract.checkPort, ({ body: { host, port, timeout = defaultTimeoutMs } }) =>
    probes.run(async () => {
      const address = await targets.resolve(host).catch(undefinedIf(isUnknownName));
      const timeoutMs = Math.min(timeout, maxTimeoutMs);
      return { host, port, open: address !== undefined && (await isOpen(address, port, timeoutMs)) };
    }),
  );
}

const isUnknownName = (error: unknown): boolean => error instanceof Problem && error.code === 'device_unreachable';
