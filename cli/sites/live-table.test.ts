import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SiteEvent, SiteReading } from '#contract/client/site-stream.ts';
import type { DeviceListing } from '#contract/cloud/devices.ts';
import { Problem } from '#contract/problem.ts';
import { nameDers } from './event-words.ts';
import { createLiveTable } from './live-table.ts';

const now = Date.parse('2026-06-01T12:00:00Z');

const deviceOf = (name: string, ders: DeviceListing['ders']): DeviceListing => ({
  id: `dev-${name}`,
  name,
  type: 'inverter',
  state: 'active',
  hardware_id: name,
  gateway_serial: 'gw-1',
  online: true,
  last_seen: null,
  ders,
});

const devices = [
  deviceOf('Roof', [
    { id: 'der-1', name: 'pv', type: 'solar' },
    { id: 'der-2', name: 'battery', type: 'battery' },
  ]),
  deviceOf('Garage', [{ id: 'der-3', name: 'pv', type: 'solar' }]),
];

const readingOf = (der_id: string, changes: Partial<SiteReading> = {}): SiteEvent => ({
  type: 'reading',
  id: '1',
  reading: {
    type: 'battery',
    timestamp: now,
    site_id: 'sit-1',
    device_id: 'dev-Roof',
    der_id,
    der_name: 'battery',
    der_type: 'battery',
    W: -1500,
    ...changes,
  },
});

const tableOf = () => createLiveTable('House', nameDers({ devices }), 'Europe/Stockholm');

test('every DER has a row before it has said anything, by the name of its device where names are shared', () => {
  const rows = tableOf().lines(now).slice(3, 6);
  assert.deepEqual(
    rows.map((row) => row.split(/ {2,}/)),
    [
      ['Roof/pv', 'solar', '-', 'no data yet', '-'],
      ['battery', 'battery', '-', 'no data yet', '-'],
      ['Garage/pv', 'solar', '-', 'no data yet', '-'],
    ],
  );
});

test('a row tells direction, age and charge; an old value is marked as stale', () => {
  const table = tableOf();
  table.onEvent(readingOf('der-2', { SoC_nom_fract: 0.5 }), now);
  const rowAt = (at: number) => table.lines(at)[4]!.split(/ {2,}/);
  assert.deepEqual(rowAt(now + 2000), ['battery', 'battery', 'discharging 1.50 kW', '2 s ago', '50 % full']);
  assert.equal(rowAt(now + 60_000)[3], '60 s ago');
  assert.equal(rowAt(now + 61_000)[3], '61 s ago, stale');
});

test('a DER that was provisioned meanwhile gets a row, and one without power has none', () => {
  const table = tableOf();
  const event = readingOf('der-9', { der_name: 'new', W: undefined as never });
  table.onEvent(event, now);
  assert.match(table.lines(now)[6]!, /^new +battery +- +0 s ago/);
});

test('the last five events (connection, gateways, commands) are listed below the table', () => {
  const table = tableOf();
  const command = {
    id: 'cmd-1',
    der_id: 'der-2',
    power_w: 2000,
    ttl_s: 60,
    status: 'failed' as const,
    created_at: '',
    expires_at: '',
    history: [{ status: 'failed' as const, at: '', message: 'too\x1b[31m much' }],
  };
  const events: SiteEvent[] = [
    { type: 'connected' },
    { type: 'connected' }, // with another token, without a loss
    { type: 'device', data: { device_id: 'dev-1', state: 'active' } },
    { type: 'disconnected', error: new Problem('unavailable', 'It is away.') },
    { type: 'connected' },
    { type: 'gap' },
    { type: 'gateway', data: { gateway_serial: 'ohm-1', online: false } },
    { type: 'command', data: command },
  ];
  assert.match(table.lines(now)[0]!, /connecting/);
  for (const event of events.slice(0, 4)) table.onEvent(event, now);
  assert.match(table.lines(now)[0]!, /connection lost/);
  assert.ok(!table.lines(now).some((line) => line.includes('is back')));
  for (const event of events.slice(4)) table.onEvent(event, now);
  const lines = table.lines(now);
  assert.match(lines[0]!, /live/);
  assert.deepEqual(lines.slice(-7, -2), [
    '14:00  Connection lost: It is away. Reconnecting.',
    '14:00  Connected again.',
    '14:00  Some readings were missed while disconnected.',
    '14:00  Gateway ohm-1 is offline.',
    '14:00  Command battery: charge 2.00 kW, failed: too [31m much',
  ]);
});

test('a site without devices says what to do', () => {
  const table = createLiveTable('House', nameDers({ devices: [] }), 'UTC');
  assert.ok(table.lines(now).some((line) => line.includes('no devices yet')));
});
