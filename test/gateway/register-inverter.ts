import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import { systemClock } from '#lib/clock.ts';
import type { Listener } from '#sim/listen.ts';
import type { Row } from '#sim/modbus/bank.ts';
import { sungrowHybrid } from '#sim/modbus/banks/sungrow.ts';
import { createDevice } from '#sim/modbus/device.ts';
import { startModbusTcp } from '#sim/modbus/tcp.ts';
import { fixedHouse } from '#sim/testing/fixed-house.ts';
import { openGateway } from './open-gateway.ts';

const words = [0x1234, 0x5678, 0x9abc, 0xdef0, 0x4366, 0x8000, 0x8000, 0x4366, 0, 0, 0, 42, 0x7fc0, 0];
const rows: Row[] = [...words.map((word, index): Row => [20_000 + index, 'u16', word]), [20_020, 4, 'Ohm 1']];

export type Write = { address: number; word: number; at: number };

/** A gateway with an inverter that has registers of every kind and stores written values, for the tests of a file. */
export function withRegisters() {
  const writes: Write[] = [];
  let gateway: Awaited<ReturnType<typeof openGateway>>;
  let inverter: Listener;

  before(async () => {
    inverter = await startModbusTcp([remembering(writes)], { port: 0 });
    gateway = await openGateway({ HARVEST_MS: '200' });
    const { host: ip, port } = inverter;
    const device = { type: 'modbus_tcp', profile: 'sungrow', ip, port, unit_id: 1 };
    assert.equal((await gateway.call('POST', '/api/devices', device)).status, 201);
  });
  after(async () => {
    await gateway.close();
    await inverter.close();
  });

  return {
    sn: 'SIMREGISTER01',
    writes,
    call: (method: string, path: string, body?: unknown) => gateway.call(method, path, body),
    unplug: () => inverter.close(),
  };
}

function remembering(writes: Write[]) {
  const bank = sungrowHybrid('SIMREGISTER01');
  const device = createDevice(
    {
      ...bank,
      input: { ...bank.input!, rows: [...bank.input!.rows, ...rows] },
      holding: { rows: [[20_000, 'u16', 7]] },
      settings: [...bank.settings!, [9, 'u16', 0], [10, 'u16', 0], [11, 'u16', 0]],
    },
    { house: fixedHouse(), clock: systemClock },
  );
  return {
    ...device,
    write(address: number, [word, ...more]: readonly number[]) {
      writes.push({ address, word: word!, at: performance.now() });
      device.write(address, [word!, ...more]);
    },
  };
}
