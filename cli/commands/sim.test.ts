import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { suite, type TestContext, test } from 'node:test';
import { listenOnLoopback } from '#test/listen-on-loopback.ts';
import { runCli, spawnCli } from '../testing/child-process.ts';
import { runInProcess } from '../testing/in-process.ts';

/** Runs the simulation until stopped; `said` is its output once it is ready. */
async function play(t: TestContext, args: string[]) {
  const { child, outcome } = spawnCli(['sim', '--port-base', '0', ...args]);
  t.after(() => child.kill('SIGKILL'));
  let said = '';
  child.stdout!.on('data', (text: string) => {
    said += text;
  });
  while (!said.includes('Ctrl-C')) {
    const ended = await Promise.race([once(child.stdout!, 'data').then(() => undefined), outcome]);
    if (ended) throw new Error(ended.err);
  }
  return {
    said,
    stop() {
      child.kill('SIGINT');
      return outcome;
    },
  };
}

/** Asks for the battery power of the Sungrow; undefined when nothing comes within a moment. */
async function askSungrow(said: string): Promise<Buffer | undefined> {
  const [, host, port] = /^sungrow\s+sungrow\s+(\S+):(\d+)\s+1\s/m.exec(said)!;
  const socket = connect(Number(port), host);
  socket.write(Buffer.from('000100000006010432dd0001', 'hex'));
  const signal = AbortSignal.timeout(1500);
  const [reply] = (await once(socket, 'data', { signal }).catch(() => [])) as [Buffer?];
  socket.destroy();
  return reply;
}

suite('ohmstead sim', () => {
  test('plays until Ctrl-C and says how to add each player to a gateway', async (t) => {
    const { said, stop } = await play(t, ['--only', 'sungrow,p1-dsmr5,ferroamp', '--gateway', 'http://gateway.local']);
    assert.equal((await askSungrow(said))?.length, 11);
    const bodies = [...said.matchAll(/^curl -X POST http:\/\/gateway\.local\/api\/devices .* -d '(.+)'$/gm)];
    const connections = bodies.map(([, body]) => JSON.parse(body!) as Record<string, unknown>);
    assert.deepEqual(
      connections.map(({ type, profile }) => [type, profile]),
      [
        ['modbus_tcp', 'sungrow'],
        ['p1_uart', 'p1_meter'],
        ['mqtt', 'ferroamp'],
      ],
    );
    const { code, err } = await stop();
    assert.deepEqual([code, err], [0, '']);
  });

  test('a fault is on the wire', async (t) => {
    const { said, stop } = await play(t, ['--only', 'sungrow', '--fault', 'sungrow=exception:6']);
    assert.equal((await askSungrow(said))?.toString('hex'), '000100000003018406');
    await stop();
  });

  test('lists who can play', async () => {
    const { code, out } = await runInProcess(['sim', '--list']);
    assert.equal(code, 0);
    for (const name of ['sungrow', 'huawei', 'p1-kaifa', 'ambibox'])
      assert.match(out, new RegExp(`^${name}\\s+\\S`, 'm'));
  });

  for (const { args, sentence } of [
    { args: ['--only', 'sungrov'], sentence: /Unknown device sungrov; did you mean sungrow\?/ },
    { args: ['--seed', 'many'], sentence: /--seed must be a whole number from 0\./ },
    { args: ['--only', 'sungrow', '--fault', 'sungrow'], sentence: /"sungrow" is not a valid fault\. Example: / },
    { args: ['--only', 'sungrow', '--fault', 'huawei=late'], sentence: /huawei is not simulated/ },
    { args: ['--only', 'sungrow', '--fault', 'sungrow=silense'], sentence: /did you mean silence\?/ },
    { args: ['--only', 'p1-se', '--fault', 'p1-se=wrong-unit'], sentence: /p1-se: Fault wrong-unit is not supported/ },
  ]) {
    test(`${args.join(' ')} is refused with a sentence`, async () => {
      const { code, err } = await runInProcess(['sim', '--port-base', '0', ...args]);
      assert.equal(code, 2);
      assert.match(err, sentence);
    });
  }

  test('a port in use is reported', async (t) => {
    const taken = createServer();
    t.after(() => taken.close());
    const port = await listenOnLoopback(taken);
    const { code, err } = await runCli(['sim', '--only', 'sungrow', '--port-base', String(port)]);
    assert.deepEqual([code, err.split('\n')[0]], [2, `Port ${port} is in use; choose another --port-base.`]);
  });
});
