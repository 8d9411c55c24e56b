import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { suite, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Findings, Framing } from '#gateway/links/modbus/framing.ts';
import type { Request } from '#gateway/links/modbus/pdu.ts';
import { RtuFraming } from '#gateway/links/modbus/rtu-framing.ts';
import { TcpFraming } from '#gateway/links/modbus/tcp-framing.ts';
import { fuzzModbus } from './modbus.ts';
import { fuzzTargets } from './targets.ts';

const line = { baudRate: 9600, dataBits: 8, parity: 'none', stopBits: 1 } as const;
const sound = { tcp: () => new TcpFraming(), rtu: () => new RtuFraming(line) };

suite('thousands of damaged inputs give nothing wrong', () => {
  for (const { what, fuzz } of fuzzTargets) {
    test(what, async () => {
      const { frames, wrong, slowestMs } = await fuzz(7, 2000);
      assert.deepEqual(wrong, []);
      assert.ok(frames > 200, `${frames} frames`);
      assert.ok(slowestMs < 500, `${slowestMs} ms`);
    });
  }
});

test('a serial line on which nobody looks at the check is found out', () => {
  const { wrong } = fuzzModbus(7, 2000, { ...sound, rtu: () => careless(new RtuFraming(line)) });
  assert.ok(wrong.some((fault) => fault.startsWith('rtu: took ')));
});

test('a TCP connection on which late answers are taken is found out', () => {
  const { wrong } = fuzzModbus(7, 2000, { ...sound, tcp: () => forgetful(new TcpFraming()) });
  assert.ok(wrong.some((fault) => fault.startsWith('tcp: answers ')));
});

test('the command prints a table, and refuses what is no number', () => {
  const run = (...args: string[]) =>
    spawnSync(process.execPath, [fileURLToPath(new URL('run.ts', import.meta.url)), ...args], { encoding: 'utf8' });
  const { status, stdout } = run('--cases', '120', '--seed', '5');
  assert.equal(status, 0, stdout);
  assert.match(
    stdout,
    /^what +cases +frames +wrong .*\nP1 +40 .*\nMQTT +40 .*\nModbus frames +20 .*\nModbus registers +20 /,
  );
  assert.equal(run('--cases', 'many').status, 2);
});

/** Takes what begins like an answer and is long enough. */
function careless(framing: Framing): Framing {
  let held = Buffer.alloc(0);
  let asked: { unit: number; request: Request<unknown> } | undefined;
  return withOther(framing, {
    ask(unit, request) {
      asked = { unit, request };
      held = Buffer.alloc(0);
      return framing.ask(unit, request);
    },
    take(bytes: Uint8Array, { onAnswer }: Findings) {
      held = Buffer.concat([held, bytes]);
      for (let at = 0; asked && at + 2 < held.length; at++) {
        if (held[at] !== asked.unit || held[at + 1] !== asked.request.function) continue;
        const end = at + 1 + (asked.request.answerLength(held, at + 1, held.length) || Number.POSITIVE_INFINITY);
        if (end > held.length) continue;
        asked = undefined;
        onAnswer(held, at + 1, end);
      }
    },
  });
}

/** Takes any transaction for the one that was asked for. */
function forgetful(framing: Framing): Framing {
  let asked = Buffer.alloc(0);
  return withOther(framing, {
    ask(unit, request) {
      asked = Buffer.from(framing.ask(unit, request));
      return asked;
    },
    take(bytes, findings) {
      const renamed = Buffer.from(bytes);
      if (renamed.length > 6) renamed.set(asked.subarray(0, 2));
      framing.take(renamed, findings);
    },
  });
}

function withOther(framing: Framing, other: Pick<Framing, 'ask' | 'take'>): Framing {
  return {
    ...other,
    silenceMs: framing.silenceMs,
    wireMs: (bytes) => framing.wireMs(bytes),
    ahead: (unit, request) => framing.ahead(unit, request),
    settle: (how) => framing.settle(how),
    get isCut() {
      return framing.isCut;
    },
    restart: () => framing.restart(),
  };
}
