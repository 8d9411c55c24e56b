import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Known, type Trouble, troubleOf } from './trouble.ts';

const nowMs = Date.UTC(2026, 10, 18);
const at = new Date(nowMs - 60_000).toISOString();

const device: Known['device'] = {
  state: 'pending',
  hardware_id: 'INV-1',
  ders: [{ id: 'der-1', name: 'pv', type: 'solar' }],
};
const entry = { sn: 'INV-1', connected: true, ders: [{ type: 'pv' as const, enabled: true }] };
const online = { online: true, last_seen: at, dropped: {} };
const offline = { ...online, online: false };
const nearby = { state: 'yours' as const, connected: false, broker: 'mqtt://here', clock_ahead_s: 0 };

const { broker: _, ...withoutBroker } = nearby;

const waiting: Known = { device, seenMs: undefined, gateway: online, managed: [entry], nowMs };

const cases: { says: string; known: Partial<Known>; is: Trouble | undefined }[] = [
  { says: 'a device with a new value has none', known: { seenMs: nowMs - 1000 }, is: undefined },
  { says: 'a device that was just added waits', known: {}, is: 'waiting' },
  { says: 'a gateway of others', known: { gateway: null }, is: 'released' },
  { says: 'an orphaned device', known: { device: { ...device, state: 'orphaned' }, seenMs: nowMs }, is: 'released' },
  { says: 'a gateway that was never here', known: { gateway: { ...offline, last_seen: null } }, is: 'neverConnected' },
  { says: 'a gateway that is away', known: { gateway: offline }, is: 'offline' },
  {
    says: 'one with a wrong clock',
    known: { gateway: offline, nearby: { ...nearby, clock_ahead_s: -700 } },
    is: 'clock',
  },
  {
    says: 'one on another platform',
    known: { gateway: offline, nearby: { ...nearby, connected: true } },
    is: 'elsewhere',
  },
  { says: 'one that is refused', known: { gateway: offline, nearby }, is: 'refused' },
  {
    says: 'one without a broker',
    known: { gateway: offline, nearby: withoutBroker },
    is: 'noBroker',
  },
  { says: 'management that is off', known: { managed: undefined, refusal: 'management_refused' }, is: 'managementOff' },
  { says: 'an older gateway', known: { managed: undefined, refusal: 'gateway_unanswered' }, is: 'unanswered' },
  { says: 'a device that was removed at home', known: { managed: [] }, is: 'notRead' },
  { says: 'a device without power', known: { managed: [{ ...entry, connected: false }] }, is: 'notAnswering' },
  {
    says: 'a device whose other part is sent',
    known: {
      managed: [
        {
          ...entry,
          ders: [
            { type: 'pv', enabled: false },
            { type: 'battery', enabled: true },
          ],
        },
      ],
    },
    is: 'notSending',
  },
  {
    says: 'a device whose values are of yesterday',
    known: {
      managed: [{ ...entry, ders: [{ type: 'pv', enabled: true, latest: { timestamp: nowMs - 86_400_000 } }] }],
    },
    is: 'clock',
  },
  { says: 'values beyond a quota', known: { gateway: { ...online, dropped: { quota: 3 } } }, is: 'rejected' },
  {
    says: 'values from before the claim',
    known: { gateway: { ...online, dropped: { before_claim: 3 } } },
    is: 'waiting',
  },
];

for (const { says, known, is } of cases) {
  test(`${says}: ${is ?? 'no trouble'}`, () => assert.equal(troubleOf({ ...waiting, ...known }), is));
}
