import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { createEventParser, type ServerEvent } from './event-stream.ts';

const parse = (...pieces: string[]): ServerEvent[] => {
  const { push } = createEventParser();
  return pieces.flatMap(push);
};

const event = (data: string, { name = '', id }: { name?: string; id?: string } = {}): ServerEvent => ({
  name,
  id,
  data,
});

suite('an event stream', () => {
  for (const { says, text, events } of [
    { says: 'has events of one line', text: 'data: a\n\ndata: b\n\n', events: [event('a'), event('b')] },
    { says: 'joins the lines of an event', text: 'data: a\ndata: b\ndata\n\n', events: [event('a\nb\n')] },
    {
      says: 'names events and numbers them',
      text: 'id: 7\nevent: gap\ndata: {}\n\n',
      events: [event('{}', { name: 'gap', id: '7' })],
    },
    { says: 'takes away one space', text: 'data:a\n\ndata:  b\n\n', events: [event('a'), event(' b')] },
    { says: 'has comments, which are nothing', text: ': \n\n:data: a\n\ndata: b\n: c\n\n', events: [event('b')] },
    { says: 'has colons in its data', text: 'data: {"a":1}\n\n', events: [event('{"a":1}')] },
    { says: 'has unknown fields', text: 'colour: red\ndata: a\nsize\n\n', events: [event('a')] },
    { says: 'has no event without data', text: 'event: device\nid: 3\n\ndata: a\n\n', events: [event('a')] },
    { says: 'has no event before its empty line', text: 'data: a\n\ndata: b\n', events: [event('a')] },
    { says: 'has no id with a zero in it', text: 'id: 1\0\ndata: a\n\n', events: [event('a')] },
    {
      says: 'ends its lines by CR LF',
      text: 'id: 1\r\ndata: a\r\ndata: b\r\n\r\n',
      events: [event('a\nb', { id: '1' })],
    },
    { says: 'ends its lines by CR', text: 'data: a\rdata: b\r\rdata: c\r\r', events: [event('a\nb'), event('c')] },
  ]) {
    test(`${says}, wherever it is cut`, () => {
      assert.deepEqual(parse(text), events);
      assert.deepEqual(parse(...text), events);
      for (let at = 0; at <= text.length; at++) {
        assert.deepEqual(parse(text.slice(0, at), '', text.slice(at)), events, `cut at ${at}`);
      }
    });
  }

  test('says how long to wait before coming back, in whole milliseconds', () => {
    const parser = createEventParser();
    assert.equal(parser.retryMs(), undefined);
    parser.push('retry: 3000\n');
    assert.equal(parser.retryMs(), 3000);
    parser.push('retry: soon\nretry: -1\nretry:\n');
    assert.equal(parser.retryMs(), 3000);
  });

  test('is given up when an event does not end', () => {
    const { push } = createEventParser();
    const megabyte = 'x'.repeat(1024 * 1024);
    assert.throws(() => {
      for (let sent = 0; sent < 10; sent++) push(`data: ${megabyte}\n`);
    }, /does not end/);
    const { push: pushLine } = createEventParser();
    assert.throws(() => {
      for (let sent = 0; sent < 10; sent++) pushLine(megabyte);
    }, /does not end/);
  });

  test('may go on for ever, event by event', () => {
    const { push } = createEventParser();
    const large = `data: ${'x'.repeat(1024 * 1024)}\n\n`;
    for (let sent = 0; sent < 20; sent++) assert.equal(push(large).length, 1);
  });
});
