import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { provisionDevice } from '#contract/cloud/devices.ts';
import { derTypeOf } from '#contract/der.ts';
import { readJsonOrWarn, writeJson } from '#lib/atomic-file.ts';
import type { Clock } from '#lib/clock.ts';
import type { Logger } from '#lib/log.ts';
import type { AdjustableHouse } from '#sim/house.ts';
import { type GatewayKey, newGatewayKey, readGatewayKey } from '#sim/street-gateways/gateway-key.ts';
import { startStreetGateways } from '#sim/street-gateways/street-gateway.ts';
import { type StreetHome, streetHome } from '#sim/street-gateways/street-homes.ts';
import type { HouseMemory } from './house-memory.ts';
import type { DemoOrganization } from './owner.ts';

/** The keys of the gateways (PKCS 8, PEM) by number, and how many are enrolled in which organization. */
type Kept = { keys: string[]; enrolled: number; org_id: string };

export type StreetOptions = {
  file: string;
  houses: number;
  organization: DemoOrganization;
  memory: HouseMemory;
  mqttUrl: string;
  version: string;
  clock: Clock;
  log: Logger;
};

const concurrency = 4; // the platform verifies signatures while it writes

type Home = StreetHome & { house: AdjustableHouse; key: GatewayKey };

/** Starts more homes, each with a lightweight gateway and its own site. */
export async function startDemoStreet(options: StreetOptions) {
  const { file, houses, organization, memory, log } = options;
  const before = await readJsonOrWarn<Kept>(file, 'the keys of the simulated street were damaged and set aside', log);
  const isSame = before?.org_id === organization.id;
  const kept = { keys: before?.keys ?? [], enrolled: isSame ? before.enrolled : 0, org_id: organization.id };
  while (kept.keys.length < houses) kept.keys.push(newGatewayKey());
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await writeJson(file, kept); // before any key is used: an interrupted start must not lose one
  const homes = kept.keys.slice(0, houses).map((pem, number): Home => {
    const home = streetHome(number);
    return { ...home, house: memory.build(home.name, home.model), key: readGatewayKey(pem) };
  });
  const waiting = homes.slice(kept.enrolled).values();
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      for (const home of waiting) await enrol(home, organization);
    }),
  );
  await writeJson(file, { ...kept, enrolled: Math.max(kept.enrolled, houses) });
  const { close } = startStreetGateways(homes, options);
  return { houses: homes.map(({ house }) => house), close };
}

async function enrol({ key, name, latitude, longitude, devices }: Home, organization: DemoOrganization): Promise<void> {
  const { api, gateways } = organization;
  const place = { latitude, longitude, country: 'SE', price_area: 'SE3' };
  const site_id = await organization.site({ name, ...place });
  if (!gateways.has(key.serial)) await organization.claim(key);
  for (const { sn, kinds } of devices) {
    const isMeter = kinds.includes('meter');
    await api.call(provisionDevice, {
      body: {
        gateway_serial: key.serial,
        site_id,
        hardware_id: sn,
        device_type: isMeter ? 'energy_meter' : 'inverter',
        name: isMeter ? 'Simulated meter' : 'Simulated inverter',
        manufacturer: 'Simulated',
        ders: kinds.map((kind) => ({ name: kind, type: derTypeOf(kind) })),
      },
    });
  }
}
