import { getHeapStatistics } from 'node:v8';
import type { Form } from '#contract/gateway/form.ts';
import type { Network } from '#contract/gateway/network.ts';
import * as contract from '#contract/gateway/system.ts';
import { orProblem } from '#contract/problem.ts';
import type { LocalMount } from '../access/door.ts';
import type { PlatformKeyStore } from '../manage/platform-keys.ts';
import type { RemoteManagement } from '../manage/remote-management.ts';
import type { LogStream } from '../uplink/log-stream.ts';
import { cpuFreqMHz, loadAverages, storageMB, temperatureC } from './hardware.ts';
import type { Memory } from './memory.ts';
import type { MqttConfig } from './mqtt-config.ts';
import type { Restart } from './restart.ts';

export type SystemDeps = {
  name: string;
  /** shown to users */
  displayName: string;
  version: string;
  identity: { serial: string; publicKeyHex: string };
  dataDir: string;
  /** further names of gateway_info */
  infoKeys: readonly string[];
  memory: Memory;
  network(form: Form): Promise<Network>;
  logStream: Pick<LogStream, 'setting' | 'set'>;
  mqttConfig: Pick<MqttConfig, 'shown' | 'set' | 'clear'>;
  restart: Pick<Restart, 'schedule'>;
  management: Pick<RemoteManagement, 'isEnabled' | 'set' | 'requests'>;
  platformKeys: Pick<PlatformKeyStore, 'isTrusted' | 'trustAnew'>;
  /** deletes devices, broker and Wi-Fi networks; followed by a restart unless it throws */
  factoryReset(): Promise<{ isWifiForgotten: boolean }>;
  tasks(): { name: string; state: string }[];
};

const rebootMs = 5000;
const resetMs = 2000;

export function systemRoutes(mount: LocalMount, deps: SystemDeps): void {
  const { mqttConfig, restart, logStream } = deps;
  const startedAt = performance.now();

  function restartSoon(reason: string, start = 'The') {
    restart.schedule(reason, rebootMs);
    return { status: 'success' as const, message: `${start} gateway restarts in 5 seconds.` };
  }

  mount(contract.getSystem, async ({ form, now }) => {
    const { form: _, ...logging } = logStream.setting();
    const [gateway_info, temperature] = await Promise.all([gatewayInfo(deps, form), temperatureC()]);
    return {
      time_utc_sec: Math.floor(now / 1000),
      uptime_seconds: Math.floor((performance.now() - startedAt) / 1000),
      ...(temperature !== undefined && { temperature_celsius: temperature }),
      memory_kb: deps.memory.read(),
      processes_average: loadAverages(),
      logging,
      gateway_info,
      ...Object.fromEntries(deps.infoKeys.map((key) => [key, gateway_info])),
    };
  });

  mount(contract.reboot, () => restartSoon('asked for'));

  mount(contract.factoryReset, async () => {
    const { isWifiForgotten } = await deps
      .factoryReset()
      .catch(orProblem('storage_failed', 'The gateway could not be reset.'));
    restart.schedule('factory reset', resetMs);
    const forgotten = isWifiForgotten
      ? 'Devices, broker and Wi-Fi are forgotten'
      : 'Devices and broker are forgotten, but this machine still knows its Wi-Fi networks';
    return { message: `${forgotten}; the gateway restarts in 2 seconds.` };
  });

  mount(contract.setLogStream, ({ body: { enabled, level = contract.usualStreamLevel }, form }) => {
    logStream.set({ enabled, level, form });
    return { enabled, status: 'success' };
  });

  mount(contract.getMqttConfig, () => mqttConfig.shown());

  mount(contract.setMqttConfig, async ({ body }) => {
    await mqttConfig.set(body);
    return restartSoon('broker changed', 'The broker is stored; the');
  });

  mount(contract.clearMqttConfig, async () => {
    await mqttConfig.clear();
    return restartSoon('broker cleared', 'The broker is cleared; the');
  });

  const remoteManagement = (): contract.RemoteManagement => ({
    enabled: deps.management.isEnabled(),
    trusted: deps.platformKeys.isTrusted(),
    requests: deps.management.requests(),
  });

  mount(contract.getRemoteManagement, remoteManagement);

  mount(contract.setRemoteManagement, async ({ body: { enabled } }) => {
    await deps.management.set(enabled);
    if (enabled) deps.platformKeys.trustAnew();
    return remoteManagement();
  });

  mount(contract.getName, () => ({ name: deps.name }));

  mount(contract.getDebug, () => ({ status: 'ok', heap: heapBytes(), tasks: deps.tasks() }));

  mount(contract.echo, ({ bodyText }) => ({ echo: bodyText }));
}

async function gatewayInfo(deps: SystemDeps, form: Form): Promise<contract.GatewayInfo> {
  const [network, flashSizeMB, frequency] = await Promise.all([
    deps.network(form),
    storageMB(deps.dataDir),
    cpuFreqMHz(),
  ]);
  return {
    deviceId: deps.identity.serial,
    name: deps.displayName,
    ...(frequency && { cpuFreqMHz: frequency }),
    flashSizeMB,
    sdkVersion: process.version,
    firmwareVersion: deps.version,
    publicKey: deps.identity.publicKeyHex,
    network,
  };
}

function heapBytes(): Record<string, number> {
  const { heapUsed, heapTotal, rss, external, arrayBuffers } = process.memoryUsage();
  return {
    used_bytes: heapUsed,
    total_bytes: heapTotal,
    limit_bytes: getHeapStatistics().heap_size_limit,
    external_bytes: external,
    array_buffers_bytes: arrayBuffers,
    resident_bytes: rss,
  };
}
