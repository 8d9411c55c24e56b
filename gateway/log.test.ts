import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { BrokerSession } from './links/mqtt/broker-connection.ts';
import { createGatewayLog } from './log.ts';

/** Returns the lines of a log at each of its levels, as printed and as published. */
function say(t: TestContext, printedLevel: 'info' | 'silent', asked: number | undefined) {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const [printed, streamed]: [string[], string[]] = [[], []];
  const { log, openStream } = createGatewayLog(printedLevel, { write: (line) => void printed.push(line) });
  const stream = openStream('gw-1');
  stream.connected({ publish: (_: string, line: string) => void streamed.push(line) } as unknown as BrokerSession);
  stream.set({ enabled: true, level: 6, form: 'later' });
  stream.set({ enabled: asked !== undefined, level: asked ?? 6, form: 'later' });
  for (const level of ['fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const) log[level]('said');
  t.mock.timers.tick(1000);
  stream.disconnected();
  const levels = (lines: string[]): string => lines.map((line) => JSON.parse(line).level).join(' ');
  return { printed: levels(printed), streamed: levels(streamed), level: log.level };
}

for (const { asked, streamed, level } of [
  { asked: undefined, streamed: '', level: 'info' },
  { asked: 1, streamed: 'fatal error', level: 'info' },
  { asked: 2, streamed: 'fatal error warn', level: 'info' },
  { asked: 3, streamed: 'fatal error warn', level: 'info' },
  { asked: 4, streamed: 'fatal error warn info', level: 'info' },
  { asked: 5, streamed: 'fatal error warn info debug', level: 'debug' },
  { asked: 6, streamed: 'fatal error warn info debug trace', level: 'trace' },
]) {
  test(`a stream with level ${asked ?? 'none'} gets that, without more being printed`, (t) => {
    assert.deepEqual(say(t, 'info', asked), { printed: 'fatal error warn info', streamed, level });
  });
}

test('a log that prints nothing is still streamed', (t) => {
  assert.deepEqual(say(t, 'silent', 2), { printed: '', streamed: 'fatal error warn', level: 'warn' });
});
