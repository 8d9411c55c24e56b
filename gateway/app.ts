import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { gatewayRoutes } from '#contract/gateway/routes.ts';
import { type Clock, monotonicClock } from '#lib/clock.ts';
import { mountDocs } from '#lib/http/docs.ts';
import { createMount } from '#lib/http/mount.ts';
import { mountPages } from '#lib/http/pages.ts';
import { createServer } from '#lib/http/server.ts';
import type { Logger } from '#lib/log.ts';
import { createMetrics } from '#lib/metrics.ts';
import { createLocalDoor, localServerOptions } from './access/door.ts';
import { createProbes } from './access/probes.ts';
import { createTargets } from './access/targets.ts';
import type { GatewayConfig } from './config.ts';
import { openControl } from './control/control.ts';
import { controlRoutes, planRoutes } from './control/routes.ts';
import { completeConnection, type DeviceConnection } from './devices/connection.ts';
import { ratedValues } from './devices/der-entries.ts';
import { createDetect } from './devices/detect.ts';
import { openDeviceFiles } from './devices/device-files.ts';
import { Devices } from './devices/devices.ts';
import { createDrivers } from './devices/drivers.ts';
import { resolveDeviceAddress } from './devices/resolve-address.ts';
import { deviceRoutes } from './devices/routes.ts';
import { openHomeAssistant } from './home-assistant/home-assistant.ts';
import { openClaimState } from './identity/claim-state.ts';
import type { Identity } from './identity/identity.ts';
import { identityRoutes } from './identity/routes.ts';
import { openSigning } from './identity/signing.ts';
import { createModbusBuses } from './links/modbus/buses.ts';
import { createOperations } from './manage/operations.ts';
import { openPlatformKeys } from './manage/platform-keys.ts';
import { openRemoteManagement } from './manage/remote-management.ts';
import { createManageRequests } from './manage/requests.ts';
import { createScan } from './manage/scan.ts';
import { describeNetwork } from './network/describe-network.ts';
import { createNetworkManager } from './network/network-manager.ts';
import { networkRoutes } from './network/routes.ts';
import { createRun } from './network/run-command.ts';
import { createWifi } from './network/wifi.ts';
import { operationsRoutes } from './operations.ts';
import { createExecutor } from './plan/executor.ts';
import { openHeldPlan } from './plan/held-plan.ts';
import { findProfile, profiles } from './profiles/index.ts';
import { readAnywhereRoute, registerRoutes } from './registers/routes.ts';
import { resetGateway } from './system/factory-reset.ts';
import { freeMemoryKb, watchMemory } from './system/memory.ts';
import { openMqttConfig } from './system/mqtt-config.ts';
import { createRestart } from './system/restart.ts';
import { systemRoutes } from './system/routes.ts';
import { statusRoutes } from './system/status.ts';
import type { LogStream } from './uplink/log-stream.ts';
import { createKnownTime, readBootId } from './uplink/trusted-time.ts';
import { openUplink, type Uplink } from './uplink/uplink.ts';

export type GatewayDeps = {
  identity: Identity;
  localToken: string;
  clock: Clock;
  log: Logger;
  logStream: LogStream;
  recentLog(): string[];
  version: string;
  reboot(reason: string): Promise<void>;
};

export type Gateway = { app: FastifyInstance; start(): Promise<void>; stop(): Promise<void> };

/** Assembles the gateway, ready to start. */
export async function createGateway(config: GatewayConfig, deps: GatewayDeps): Promise<Gateway> {
  const { identity, clock, log, version } = deps;
  const dataDir = config.GATEWAY_DATA_DIR;
  const context = { serial: identity.serial, version, dataDir, clock, monotonic: monotonicClock, log };
  if (config.CONTROL_EXPERIMENTAL !== undefined) {
    log.warn(
      'CONTROL_EXPERIMENTAL is ignored: confirm each device once, on the page Control or with ohmstead device confirm',
    );
  }
  const targets = createTargets(config.GATEWAY_TARGETS);
  const { resolve } = targets;
  const probes = createProbes();
  const buses = createModbusBuses();
  const restart = createRestart({ reboot: deps.reboot, log });
  const memory = watchMemory();
  const mqttConfig = await openMqttConfig(dataDir, log);
  const claim = await openClaimState(dataDir, clock, log);
  const platformKeys = await openPlatformKeys(context);
  const management = await openRemoteManagement(dataDir, log);
  const onSigned = (): void => {
    platformKeys.trustAnew();
    uplink.hurry();
  };
  const signing = await openSigning({ ...context, identity, onSigned });
  const isTimeKnown = createKnownTime(context);
  const onChange = (): void => uplink.stateChanged();
  const plan = await openHeldPlan({ ...context, keys: platformKeys, onChange });
  const drivers = createDrivers({ findProfile, buses, resolve, clock, harvestMs: config.HARVEST_MS });
  const ports = { rs485: config.GATEWAY_RS485_PORT, p1: config.GATEWAY_P1_PORT };
  const devices = new Devices({
    ...context,
    files: await openDeviceFiles(join(dataDir, 'devices'), log),
    findProfile,
    openDriver: drivers.open,
    complete: (connection: DeviceConnection) => completeConnection(connection, ports),
    ownLine: ports.rs485,
    resolveTarget: drivers.resolveTarget,
    freeMemoryKb,
    minFreeKb: config.MIN_FREE_KB,
    onReading: (device, reading) =>
      uplink.take(device.sn, reading.type, { ...ratedValues(device.ders, reading.type), ...reading }),
    onState: () => uplink.stateChanged(),
    beforeRemoval: (sn) => control.releaseAndWait('The device is removed.', sn),
  });
  const control = await openControl({
    ...context,
    devices,
    addressOf: ({ kept, profile }) => {
      const known = findProfile(profile.profile);
      const connectDelayMs = known && 'connectDelayMs' in known ? known.connectDelayMs : undefined;
      return resolveDeviceAddress(kept.connection, { resolve, connectDelayMs });
    },
    buses,
    publishAck: (topic, ack) => uplink.publish(topic, ack),
    leaseS: config.CONTROL_LEASE_S,
  });
  const executor = createExecutor({
    ...context,
    held: plan,
    devices: () => devices.list(),
    setpoints: control.plan,
    isTimeKnown,
    onChange,
  });
  const detect = createDetect({ buses, resolve, probes });
  const scan = createScan({ ...context, places: config.GATEWAY_SCAN, lines: ports, detect, devices, resolve });
  const requests = createManageRequests({
    ...context,
    keys: platformKeys,
    management,
    isClaimed: claim.isClaimed,
    perform: createOperations({
      ...context,
      devices,
      scan,
      uplink: () => uplink.status(),
      recentLog: deps.recentLog,
    }),
    publish: (topic, answer) => uplink.publish(topic, answer),
  });
  const uplink: Uplink = await openUplink({
    ...context,
    platform: `${process.platform}-${process.arch}`,
    boot: await readBootId(),
    brokerToken: (audience) => identity.brokerToken(clock.now(), audience),
    devices: () => devices.list().map((device) => device.state()),
    onCommand: control.onCommand,
    management: {
      learn(brokerUrl, payload) {
        requests.listening();
        platformKeys.learn(brokerUrl, payload);
        plan.keysLearned();
      },
      receive: requests.receive,
      keepOnly: platformKeys.keepOnly,
    },
    plan: { receive: plan.receive, progress: executor.progress },
    claim,
    trust: config.UPLINK_ACK,
    ca: config.UPLINK_CA,
    logStream: deps.logStream,
    limits: { maxBytes: config.OUTBOX_MAX_MB * 1024 * 1024 },
    isTimeKnown,
  });
  const { mqtt_connection_str, mqtt_connection_fallback_str } = mqttConfig.get();
  uplink.setBrokers(
    mqtt_connection_str || config.UPLINK_URL,
    mqtt_connection_fallback_str || config.UPLINK_FALLBACK_URL,
  );
  const { HOME_ASSISTANT_URL: homeUrl, HOME_ASSISTANT_PREFIX: prefix, HOME_ASSISTANT_CA: ca } = config;
  const homeAssistant = await openHomeAssistant({
    ...context,
    home: homeUrl === undefined ? undefined : { url: homeUrl, prefix, ca },
    devices: () => devices.list(),
    uplink: uplink.status,
  });
  const run = createRun();
  const wifi = createWifi({ ...context, manager: createNetworkManager(run) });
  const network = { wifi, run, mqttConnected: uplink.isConnected, targets, probes };

  const app = createServer({ log, apiVersion: '1', ...localServerOptions });
  const metrics = createMetrics();
  metrics.watch(app);
  const door = createLocalDoor(app, {
    api: config.LOCAL_API,
    form: config.GATEWAY_FORM,
    names: config.GATEWAY_NAMES.split(',').filter(Boolean),
    localToken: deps.localToken,
    isClaimed: claim.isClaimed,
    cloudUrl: config.CLOUD_URL,
    rate: config.RATE_LOCAL,
    probeRate: config.RATE_PROBES,
    clock,
  });
  const mount = createMount(app, door);

  systemRoutes(mount, {
    ...context,
    name: config.GATEWAY_NAME,
    displayName: config.GATEWAY_DISPLAY_NAME ?? config.GATEWAY_NAME,
    identity,
    infoKeys: config.GATEWAY_INFO_KEYS.split(',').filter(Boolean),
    memory,
    network: (form) => describeNetwork(network, form),
    logStream: deps.logStream,
    mqttConfig,
    restart,
    management,
    platformKeys,
    async factoryReset() {
      await control.releaseAndWait('The gateway is reset.');
      return resetGateway({
        ...context,
        removeDevices: () => devices.removeAll(),
        clearBroker: mqttConfig.clear,
        forgetWifi: wifi.forgetAll,
      });
    },
    tasks: () =>
      devices.list().map((device) => ({ name: device.sn, state: device.isConnected ? 'reading' : 'waiting' })),
  });
  const { isClaimed } = claim;
  statusRoutes(mount, {
    uplink: uplink.status,
    isClaimed,
    cloudUrl: config.CLOUD_URL,
    control,
    recentLog: deps.recentLog,
  });
  networkRoutes(mount, network);
  identityRoutes(mount, { identity, signing, name: config.GATEWAY_NAME });
  deviceRoutes(mount, { devices, profiles, detect });
  registerRoutes(mount, devices);
  controlRoutes(mount, control);
  planRoutes(mount, {
    shown: executor.shown,
    async enable(wanted) {
      await plan.enable(wanted);
      if (wanted) control.plan.resume();
    },
  });
  readAnywhereRoute(mount, { buses, targets, probes });
  const { registry } = metrics;
  operationsRoutes(mount, { ...context, registry, devices, buses, uplink: uplink.status, control: control.status });
  mountPages(app, { entry: 'gateway.html' });
  mountDocs(app, {
    title: 'Ohmstead gateway',
    version,
    description: 'Devices, their data and registers, control, network and identity of a gateway in the home.',
    routes: gatewayRoutes,
    errors: 'local',
  });

  return {
    app,
    async start() {
      control.start();
      await devices.start();
      executor.start();
      uplink.start();
      homeAssistant.start();
    },
    async stop() {
      restart.close();
      memory.close();
      await using rest = new AsyncDisposableStack(); // disposes in reverse order, and all even if one fails
      rest.defer(() => wifi.close()); // needed to release devices
      rest.defer(() => buses.close());
      rest.defer(() => uplink.close());
      rest.defer(() => devices.close());
      rest.defer(() => platformKeys.close());
      rest.defer(() => management.close());
      rest.defer(() => plan.close());
      rest.defer(() => scan.close());
      rest.defer(() => homeAssistant.close());
      rest.defer(() => control.close());
      rest.defer(() => executor.close());
    },
  };
}
