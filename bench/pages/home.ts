import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from '#contract/client/connect.ts';
import { makeKey } from '#contract/client/key.ts';
import { provisionDevice } from '#contract/cloud/devices.ts';
import { createOrganization } from '#contract/cloud/organizations.ts';
import { createSite } from '#contract/cloud/sites.ts';
import { claimOwnGateway } from '#test/browser/own-gateway.ts';
import { connectGateway } from '#test/cloud/gateway-client.ts';
import type { ServerProcess } from '../measure/server-process.ts';

export type Home = AsyncDisposable & {
  /** the key file of its owner */
  pem: string;
  url: string;
  derId: string;
  /** Publishes this many readings per second for this long. */
  tell(perSecond: number, seconds: number): Promise<void>;
};

const hardware = [
  { hardware_id: 'INV-1', device_type: 'inverter', ders: { pv: 'solar', battery: 'battery' } },
  { hardware_id: 'MET-1', device_type: 'energy_meter', ders: { meter: 'meter' } },
  { hardware_id: 'CAR-1', device_type: 'charger', ders: { ev: 'ev_charger_port' } },
];

/** Readings of the four devices, which change every time. */
const readings: ((turn: number) => [hardwareId: string, der: string, reading: object])[] = [
  (turn) => ['INV-1', 'pv', { W: -4000 - (turn % 97) }],
  (turn) => ['INV-1', 'battery', { W: 1500 + (turn % 89), SoC_nom_fract: 0.5 + (turn % 7) / 100 }],
  (turn) => ['MET-1', 'meter', { W: 700 + (turn % 83), L1_A: 3 + (turn % 5), L2_A: 2, L3_A: 1, Hz: 50 }],
  (turn) => ['CAR-1', 'ev', { W: 2300 + (turn % 79) }],
];

/** Starts a home with all kinds of devices, and a gateway that publishes on request. */
export async function openHome({ url, mqttUrl }: ServerProcess): Promise<Home> {
  const { key, pem } = await makeKey();
  const api = await connect(url, { key });
  const { id: org_id } = await api.call(createOrganization, { body: { name: 'Bench' } });
  const { id: site_id } = await api.call(createSite, { body: { org_id, name: 'Home', fuse_a: 20 } });
  const signer = await claimOwnGateway(api, org_id);
  const devices = [];
  for (const { ders, ...device } of hardware) {
    const named = Object.entries(ders).map(([name, type]) => ({ name, type }));
    const body = { ...device, site_id, gateway_serial: signer.serial, ders: named };
    devices.push(await api.call(provisionDevice, { body }));
  }
  const gateway = await connectGateway(mqttUrl!, signer, Date.now());
  let turn = 0;
  return {
    pem,
    url: `${url.replace('127.0.0.1', 'localhost')}/app/sites/${site_id}`,
    derId: devices[0]!.ders[0]!.id,
    async tell(perSecond, seconds) {
      const began = performance.now();
      for (let sent = 0; sent < perSecond * seconds; sent++) {
        const [hardwareId, der, reading] = readings[turn % readings.length]!(turn++);
        void gateway.report(hardwareId, der, { timestamp: Date.now(), ...reading });
        const dueMs = ((sent + 1) / perSecond) * 1000;
        await sleep(Math.max(0, began + dueMs - performance.now()));
      }
    },
    [Symbol.asyncDispose]: () => gateway.endAsync(true),
  };
}
