import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createGateway } from '#gateway/app.ts';
import { GatewayConfig } from '#gateway/config.ts';
import { openIdentity } from '#gateway/identity/identity.ts';
import { createGatewayLog } from '#gateway/log.ts';
import { systemClock } from '#lib/clock.ts';
import { readConfig } from '#lib/config.ts';
import { startStreet } from '#sim/street.ts';
import { fixedHouse } from '#sim/testing/fixed-house.ts';
import { freePort } from '../../free-port.ts';
import { fakeCommands } from '../../gateway/fake-commands.ts';
import { openNetwork } from '../../gateway/open-network.ts';
import { type FuzzService, liveDocument } from './service.ts';

const localToken = 'the local token of the fuzz';
// It ends processes that others need and forgets networks of the machine; gateway/system/system.test.ts tests it.
const leftOut = ['/api/system/factory-reset'];

/** A gateway with one inverter. Test commands simulate its radio, and a reboot does nothing. */
export async function openFuzzGateway(): Promise<FuzzService> {
  const opened = new AsyncDisposableStack();
  const after = (work?: unknown): void => opened.defer(work as () => void);
  const folder = opened.use(await mkdtempDisposable(join(tmpdir(), 'ohmstead-gateway-')));
  const street = await startStreet({ portBase: 0, only: ['sungrow'], house: fixedHouse() });
  opened.defer(() => street.close());
  const { connection } = street.players[0]!;
  const nowhere = await freePort();

  const config = readConfig(GatewayConfig, {
    GATEWAY_DATA_DIR: folder.path,
    MDNS: 'off',
    LOCAL_API: 'guarded',
    RATE_LOCAL: '1000000000',
  });
  const identity = await openIdentity(folder.path, config.GATEWAY_SERIAL_PREFIX);
  const { log, recent, openStream } = createGatewayLog('silent', { write() {} });
  const gateway = await createGateway(config, {
    identity,
    localToken,
    clock: systemClock,
    log,
    logStream: openStream(identity.serial),
    recentLog: recent,
    version: '0.0.0-test',
    async reboot() {},
  });
  await gateway.start();
  opened.defer(() => gateway.stop());
  const { app } = gateway;
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  opened.defer(() => app.close());
  const radio = openNetwork({ after }, (await fakeCommands({ after })).path);

  const document = await liveDocument(app);
  const things: Record<string, readonly unknown[]> = {
    sn: ['SIMSUNGROW0001', 'SIMSUNGROW0001', 'SIMSUNGROW0001', 'missing'],
    ip: ['127.0.0.1'],
    host: ['127.0.0.1'],
    broker_host: ['127.0.0.1'],
    port: [connection.port, nowhere],
    broker_port: [nowhere],
    unit_id: [connection.unit_id, 1],
    serial_port: ['/dev/ttyNONE9'],
    profile: ['sungrow', 'sdm630', 'ambibox', 'p1_meter', 'nothing'],
    type: ['modbus_tcp', 'modbus_rtu', 'p1_uart', 'mqtt', 'pv', 'battery', 'meter'],
    timeout: [50],
    ssid: ['Home', 'Café:5G\\'],
    psk: ['right password', 'wrong password'],
    address: [13_049, 13_050, 1],
    addr: [13_050],
    mqtt_connection_str: [`mqtt://127.0.0.1:${nowhere}`, ''],
    mqtt_connection_fallback_str: [''],
  };
  const service: FuzzService = {
    name: 'gateway',
    document: {
      ...document,
      paths: Object.fromEntries(Object.entries(document.paths).filter(([path]) => !leftOut.includes(path))),
    },
    credentials: () => ({ owner: `Bearer ${localToken}`, anybody: '', stranger: 'Bearer another token altogether' }),
    known: (name) => things[name] ?? [],
    names: () => ({ port: String(connection.port), nowhere: String(nowhere) }),
    appOf: (path) => (/wifi|ble/i.test(path) ? radio.app : app),
    url,
    async renew() {
      const headers = { authorization: `Bearer ${localToken}` };
      await app.inject({ method: 'POST', url: '/api/devices', headers, payload: connection });
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
  await service.renew();
  return service;
}
