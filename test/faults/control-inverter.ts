import type { DeviceAddress } from '#gateway/devices/resolve-address.ts';
import { systemClock } from '#lib/clock.ts';
import type { Bank } from '#sim/modbus/bank.ts';
import { createDevice } from '#sim/modbus/device.ts';
import { startModbusTcp } from '#sim/modbus/tcp.ts';
import { fixedHouse } from '#sim/testing/fixed-house.ts';

export const ownWay_W = 700; // battery power without any command

/** A simulated inverter on its own port, in a house with constant values. */
export async function startInverter(bank: Bank) {
  const clock = systemClock;
  const house = fixedHouse({ pv_W: -5000, battery_W: ownWay_W, battery_soc_fract: 0.4, load_W: 1000 });
  const device = createDevice(bank, { house, clock });
  const { host, port, close, closeConnections: hangUp } = await startModbusTcp([device], { port: 0 });
  return {
    connection: { type: 'modbus_tcp' as const, profile: bank.profile, ip: host, port, unit_id: bank.unit },
    place: {
      kind: 'modbus',
      endpoint: { host, port },
      unitId: bank.unit,
      connectDelayMs: bank.deafAfterConnectMs ?? 0,
    } satisfies DeviceAddress,
    device,
    house: () => house.at(clock.now()),
    hangUp,
    close,
  };
}

export type Inverter = Awaited<ReturnType<typeof startInverter>>;
