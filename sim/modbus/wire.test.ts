import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { suite, type TestContext, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { systemClock as clock } from '#lib/clock.ts';
import { noCable, openCable } from '#test/serial/cable.ts';
import { openSerial } from '#test/serial/open-serial.ts';
import type { Listener } from '../listen.ts';
import { crcByDivision } from '../testing/crc-by-division.ts';
import { fixedHouse } from '../testing/fixed-house.ts';
import type { Bank } from './bank.ts';
import { huawei } from './banks/huawei.ts';
import { sdm630 } from './banks/sdm630.ts';
import { sungrowHybrid } from './banks/sungrow.ts';
import { froniusGen24, froniusSmartMeter } from './banks/sunspec.ts';
import { createDevice, type Device } from './device.ts';
import { serveRtu, startModbusRtuOverTcp } from './rtu.ts';
import { startModbusTcp } from './tcp.ts';

const deviceOf = (bank: Bank): Device =>
  createDevice(bank, { house: fixedHouse({ pv_W: -5000, battery_W: 1200, load_W: 1040 }), clock });
const anyPort = { port: 0 };

async function isMissing(program: string): Promise<string | false> {
  const found = await promisify(execFile)('which', [program]).then(
    () => true,
    () => false,
  );
  return found ? false : `${program} is not installed`;
}
const noMbpoll = await isMissing('mbpoll');

const kept = (t: TestContext, server: Listener): Listener => {
  t.after(() => server.close());
  return server;
};

async function dial(t: TestContext, { port }: { port: number }): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  t.after(() => socket.destroy());
  await once(socket, 'connect');
  return socket;
}

/** Returns the received bytes, once no more arrive for a while. */
async function ask(socket: Socket, hex: string): Promise<string> {
  const chunks: Buffer[] = [];
  const collect = (chunk: Buffer): void => void chunks.push(chunk);
  socket.on('data', collect);
  socket.write(Buffer.from(hex, 'hex'));
  for (let waited = 0; waited < 400 && chunks.length === 0; waited += 10) await setTimeout(10);
  for (let before = 0; before !== chunks.length; await setTimeout(40)) before = chunks.length;
  socket.off('data', collect);
  return Buffer.concat(chunks).toString('hex');
}

suite('Modbus TCP', () => {
  const sungrow = () => deviceOf(sungrowHybrid('SIM1234567'));

  // 1200 W is 04b0; unit 1, function 4, address 13021 is 32dd
  const question = '0007 0000 0006 01 04 32dd 0001'.replaceAll(' ', '');
  const truth = '000700000005010402'.concat('04b0');

  test('requests are answered, also in pieces and several at once', async (t) => {
    const socket = await dial(t, kept(t, await startModbusTcp([sungrow()], anyPort)));
    assert.equal(await ask(socket, question), truth);
    assert.equal(await ask(socket, question + question), truth + truth);
    socket.write(Buffer.from(question.slice(0, 10), 'hex'));
    await setTimeout(20);
    assert.equal(await ask(socket, question.slice(10)), truth);
  });

  for (const { says, request, reply } of [
    { says: 'an unknown address is exception 2', request: '0104 0001 0001', reply: '018402' },
    { says: 'zero registers are exception 3', request: '0104 32dd 0000', reply: '018403' },
    { says: '126 registers are exception 3', request: '0104 32dd 007e', reply: '018403' },
    { says: 'an unknown function is exception 1', request: '0101 0000 0001', reply: '018101' },
    { says: 'writing a read-only register is exception 2', request: '0106 32dd 0001', reply: '018602' },
    { says: 'an unknown unit is exception 11', request: '0204 32dd 0001', reply: '02840b' },
    { says: 'the answer to a write repeats it', request: '0106 32f9 0002', reply: '010632f90002' },
    { says: 'several registers are written', request: '0110 32f9 0003 06 0002 00aa 09c4', reply: '011032f90003' },
    { says: 'a wrong byte count is exception 3', request: '0110 32f9 0003 04 0002 00aa', reply: '019003' },
    { says: 'the settings are read back', request: '0103 32f9 0003', reply: '010306000200aa09c4' },
    {
      says: 'the device identifies itself',
      request: '012b 0e01 00',
      reply: `012b0e0181000003000b${Buffer.from('SIM Sungrow').toString('hex')}010a${Buffer.from('SH10RT-SIM').toString('hex')}0203312e30`,
    },
  ]) {
    test(says, async (t) => {
      const device = sungrow();
      for (const [address, word] of [
        [13_049, 2],
        [13_050, 0xaa],
        [13_051, 2500],
      ] as const)
        device.write(address, [word]);
      const socket = await dial(t, kept(t, await startModbusTcp([device], anyPort)));
      const body = request.replaceAll(' ', '');
      const length = (body.length / 2).toString(16).padStart(4, '0');
      assert.equal((await ask(socket, `00010000${length}${body}`)).slice(12), reply);
    });
  }

  test('several units share an address', async (t) => {
    const devices = [deviceOf(froniusGen24('SIMA')), deviceOf(froniusSmartMeter('SIMB'))];
    const socket = await dial(t, kept(t, await startModbusTcp(devices, anyPort)));
    const model = async (unit: string) => (await ask(socket, `000100000006${unit}039c850001`)).slice(-4);
    assert.deepEqual([await model('01'), await model('c8')], ['0071', '00d5']);
  });

  test('a dongle ignores requests in its first second', async (t) => {
    const device = deviceOf({ ...huawei('SIM'), deafAfterConnectMs: 200 });
    const socket = await dial(t, kept(t, await startModbusTcp([device], anyPort)));
    const request = '000100000006010375300001';
    assert.equal(await ask(socket, request), '');
    assert.equal(await ask(socket, request), '0001000000050103025355');
  });

  test('a connection that does not send Modbus is closed', async (t) => {
    const socket = await dial(t, kept(t, await startModbusTcp([sungrow()], anyPort)));
    socket.write('GET / HTTP/1.1\r\n\r\n');
    await once(socket, 'close');
  });

  const spoilt: { fault: Parameters<Device['faults']['set']>; says(reply: string): boolean }[] = [
    { fault: ['silence'], says: (reply) => reply === '' },
    { fault: ['late', { ms: 40 }], says: (reply) => reply === truth },
    { fault: ['wrong-unit'], says: (reply) => reply === '000700000005020402'.concat('04b0') },
    { fault: ['wrong-transaction'], says: (reply) => reply === '000800000005010402'.concat('04b0') },
    { fault: ['exception', { code: 6 }], says: (reply) => reply === '000700000003018406' },
    { fault: ['cut-frame'], says: (reply) => reply === truth.slice(0, 12) },
    { fault: ['bit-flip'], says: (reply) => reply.length === truth.length && reply !== truth },
    { fault: ['garbage'], says: (reply) => reply.length === truth.length && !reply.includes('04b0') },
    { fault: ['flood'], says: (reply) => reply === truth.repeat(200) },
  ];
  for (const { fault, says } of spoilt) {
    test(`${fault[0]} is visible on the wire until it is cleared`, async (t) => {
      const device = sungrow();
      const socket = await dial(t, kept(t, await startModbusTcp([device], anyPort)));
      device.faults.set(...fault);
      const reply = await ask(socket, question);
      assert.ok(says(reply), reply);
      device.faults.clear();
      assert.equal(await ask(socket, question), truth);
    });
  }

  test('close ends the connection', async (t) => {
    const device = sungrow();
    const socket = await dial(t, kept(t, await startModbusTcp([device], anyPort)));
    device.faults.set('close');
    socket.write(Buffer.from(question, 'hex'));
    await once(socket, 'close');
  });

  test('a fault can be limited to every third answer and to a time', async (t) => {
    const device = sungrow();
    const socket = await dial(t, kept(t, await startModbusTcp([device], anyPort)));
    device.faults.set('silence', { everyNth: 3 });
    assert.equal(await ask(socket, question.repeat(6)), truth.repeat(4));
    device.faults.set('silence', { forMs: 60 });
    assert.equal(await ask(socket, question), '');
    assert.equal(await ask(socket, question), truth);
  });

  test('mbpoll reads it', { skip: noMbpoll }, async (t) => {
    const { port } = kept(t, await startModbusTcp([sungrow(), deviceOf({ ...sdm630(7), unit: 2 })], anyPort));
    const poll = (...args: string[]) => mbpoll([...args, '-p', String(port), '127.0.0.1']);
    assert.deepEqual(await poll('-a', '1', '-t', '3', '-r', '13021', '-c', '2'), [1200, 500]);
    assert.deepEqual(await poll('-a', '1', '-t', '3:int', '-r', '5600'), [-2760]);
    assert.deepEqual(await poll('-a', '2', '-t', '3:float', '-B', '-r', '52'), [-2760]);
    await assert.rejects(poll('-a', '1', '-t', '3', '-r', '1'), /Illegal data address/);
  });
});

/** Returns the values that mbpoll prints; addresses count from 0. */
async function mbpoll(args: string[]): Promise<number[]> {
  const run = promisify(execFile)('mbpoll', ['-0', '-1', '-q', ...args], { timeout: 5000 });
  const { stdout } = await run.catch((error: { stdout: string; stderr: string }) => {
    throw new Error(error.stderr + error.stdout);
  });
  return [...stdout.matchAll(/^\[\d+\]:\s+(\S+)/gm)].map(([, value]) => Number(value));
}

/** Returns a frame with its checksum, low byte first. */
function rtu(hex: string): string {
  const body = Buffer.from(hex.replaceAll(' ', ''), 'hex');
  const crc = crcByDivision(body, 0x8005, 0xffff);
  return body.toString('hex') + Buffer.from([crc & 255, crc >> 8]).toString('hex');
}

suite('Modbus RTU', () => {
  const question = rtu('01 04 0034 0002');
  const truth = rtu('01 04 04 c52c 8000'); // -2760 as a float

  const meterLine = async (t: TestContext): Promise<{ socket: Socket; device: Device }> => {
    const device = deviceOf(sdm630(7));
    return { device, socket: await dial(t, kept(t, await startModbusRtuOverTcp([device], anyPort))) };
  };

  test('answers have a checksum', async (t) => {
    const { socket } = await meterLine(t);
    assert.equal(await ask(socket, question), truth);
    assert.equal(await ask(socket, rtu('01 04 0100 0002')), rtu('018402'));
    assert.equal(await ask(socket, rtu('01 2b 0e01 00')), rtu('01ab01'));
  });

  test('other units and noise are ignored, and the next request is answered', async (t) => {
    const { socket } = await meterLine(t);
    for (const noise of [rtu('02 04 0034 0002'), '0104003400021234', 'ff00'])
      assert.equal(await ask(socket, noise), '', noise);
    assert.equal(await ask(socket, question), truth);
    assert.equal(await ask(socket, '0104'.concat(question)), truth);
  });

  test('an unknown function is exception 1', async (t) => {
    const { socket } = await meterLine(t);
    assert.equal(await ask(socket, rtu('01 01 0000 0001')), rtu('018101'));
  });

  test('the fault wrong-transaction sends the previous answer', async (t) => {
    const { socket, device } = await meterLine(t);
    await ask(socket, question);
    device.faults.set('wrong-transaction');
    assert.equal(await ask(socket, rtu('01 04 0046 0002')), truth);
  });

  test('mbpoll reads it on a serial line', { skip: noMbpoll || noCable }, async (t) => {
    const cable = await openCable();
    t.after(() => cable.close());
    const bus = await openSerial({ path: cable.device, baudRate: 9600 });
    t.after(() => bus.close());
    const sungrow = deviceOf({ ...sungrowHybrid('SIM'), unit: 5 });
    serveRtu(bus.stream, [deviceOf(sdm630(7)), sungrow]);
    const poll = (...args: string[]) => mbpoll(['-m', 'rtu', '-b', '9600', '-P', 'none', ...args, cable.gateway]);
    assert.deepEqual(await poll('-a', '1', '-t', '3:float', '-B', '-r', '52'), [-2760]);
    assert.deepEqual(await poll('-a', '5', '-t', '3', '-r', '13021', '-c', '2'), [1200, 500]);
    await assert.rejects(poll('-a', '5', '-t', '3', '-r', '1'), /Illegal data address/);
    sungrow.faults.set('silence');
    await assert.rejects(poll('-a', '5', '-t', '3', '-r', '13021'), /timed out/);
  });
});
