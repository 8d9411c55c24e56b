import { connect } from 'node:net';
import modbusSerial from 'modbus-serial';
import { createModbusBuses } from '#gateway/links/modbus/buses.ts';
import { readRequest } from '#gateway/links/modbus/pdu.ts';
import { TcpFraming } from '#gateway/links/modbus/tcp-framing.ts';
import type { ReadRegisters } from '#gateway/links/modbus/unit.ts';
import { sungrow } from '#gateway/profiles/sungrow.ts';
import { compared, type Finding, type Goal } from './measure/finding.ts';
import { inTurns } from './measure/rounds.ts';

type Cost = { waitMs: number; cpuMs: number };
type Asked = Parameters<ReadRegisters>;

const host = '127.0.0.1';
const unitId = 1;
const rounds = 9;
const times = 1000;
const little: Goal = { of: 'ratio', atMost: 1.3 };

/** Measures a harvest of an inverter, against the same requests by another library and on a bare socket. */
export async function harvests(port: number): Promise<Finding[]> {
  const buses = createModbusBuses();
  const { unit } = buses.acquire({ host, port }, unitId);
  let read: ReadRegisters = unit.read;
  const device = await sungrow.recognise((...request) => read(...request));
  const asked: Asked[] = [];
  read = (...request) => {
    asked.push(request);
    return unit.read(...request);
  };
  await device.harvest();
  read = unit.read;
  const bare = await openBare(port, asked);
  const library = await openLibrary(port, asked);

  const contenders = {
    harvest: () => cost(device.harvest),
    bare: () => cost(bare.read),
    library: () => cost(library.read),
  };
  await inTurns(3, contenders); // warms up the compiler
  const found = await inTurns(rounds, contenders);
  bare.close();
  await library.close();
  await buses.close();

  const pick = (costs: Cost[], name: keyof Cost): number[] => costs.map((one) => one[name]);
  return (['waitMs', 'cpuMs'] as const).flatMap((name) => {
    const what = `harvest in ${asked.length} reads, ${name === 'waitMs' ? 'wait' : 'CPU'}`;
    const against = (peer: string, costs: Cost[], goal?: Goal): Finding =>
      compared(what, 'ms', pick(found.harvest, name), { name: peer, values: pick(costs, name) }, goal);
    return [against('bare modbus-serial', found.library), against('bare node:net', found.bare, little)];
  });
}

async function cost(work: () => Promise<unknown>): Promise<Cost> {
  const cpu = process.cpuUsage();
  const began = performance.now();
  for (let time = 0; time < times; time++) await work();
  const waitMs = (performance.now() - began) / times;
  const { user, system } = process.cpuUsage(cpu);
  return { waitMs, cpuMs: (user + system) / 1000 / times };
}

/** Sends the requests one after the other, and ignores the content of the answers. */
async function openBare(port: number, asked: readonly Asked[]) {
  const framing = new TcpFraming();
  const frames = asked.map((request) => Buffer.from(framing.ask(unitId, readRequest(...request))));
  const answerBytes = asked.map(([, , count]) => 9 + 2 * count);
  const socket = connect({ host, port, noDelay: true });
  let next = 0;
  let bytes = 0;
  let finish: () => void;
  socket.on('data', (chunk) => {
    bytes += chunk.length;
    if (bytes < answerBytes[next]!) return;
    bytes = 0;
    if (++next < frames.length) socket.write(frames[next]!);
    else finish();
  });
  return {
    read: () =>
      new Promise<void>((resolve, reject) => {
        socket.once('error', reject);
        finish = () => {
          socket.off('error', reject);
          resolve();
        };
        next = 0;
        socket.write(frames[0]!);
      }),
    close: () => socket.destroy(),
  };
}

/** Sends the same requests with the most used library, which returns the registers without decoding them. */
async function openLibrary(port: number, asked: readonly Asked[]) {
  const client = new modbusSerial.default();
  await client.connectTCP(host, { port });
  client.setID(unitId);
  return {
    async read() {
      for (const [table, address, count] of asked) {
        if (table === 'holding') await client.readHoldingRegisters(address, count);
        else await client.readInputRegisters(address, count);
      }
    },
    close: () => new Promise<void>((resolve) => client.close(() => resolve())),
  };
}
