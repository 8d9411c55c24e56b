import type { Bug } from '../bug.ts';

const growthTest = 'test/attacks/growth/growth.test.ts';

/** Work that a caller can multiply. */
export const growthBugs: readonly Bug[] = [
  {
    id: 'a range costs work for days that nothing can have been read on',
    proves: ['A47'],
    file: 'cloud/telemetry/range.ts',
    from: 'const end = Math.max(Math.min(to, lastReading + 1), start + 1);',
    to: 'const end = Math.max(to, lastReading - lastReading);',
    noticedBy: growthTest,
  },
  {
    id: 'each filter of a subscription is compared with every organization',
    proves: ['A47'],
    file: 'cloud/broker/rights.ts',
    from: "const orgId = unshared(filter).split('/', 2)[1];",
    to: "if (client.orgIds.length > 0) return client.orgIds.map((id) => ['orgs', id, '#'].join('/'));\n  const orgId = unshared(filter).split('/', 2)[1];",
    noticedBy: growthTest,
  },
  {
    id: 'every field name of readings gets a column of all their rows',
    proves: ['A47'],
    file: 'cloud/store/telemetry/readings.ts',
    from: 'Math.min(maxChunkFields, Math.floor(maxDayCells / Math.max(length, 1)));',
    to: 'Math.max(maxChunkFields, maxDayCells * length);',
    noticedBy: growthTest,
  },
  {
    id: 'a DER may have any number of fields',
    proves: ['A47'],
    file: 'cloud/telemetry/field-limit.ts',
    from: 'if (ofDer.names.size < maxFieldsPerDer)',
    to: 'if (ofDer.names.size >= 0)',
    noticedBy: 'cloud/telemetry/field-limit.test.ts',
  },
  {
    id: 'history that nobody reads is not counted',
    proves: ['A47'],
    file: 'cloud/telemetry/unread-answers.ts',
    from: 'add(identityId, size);',
    to: '',
    noticedBy: 'cloud/telemetry/large-answers.test.ts',
  },
  {
    id: 'an hour with too many fields is sealed with those that fit',
    proves: ['A47'],
    file: 'cloud/store/telemetry/sealing.ts',
    from: 'if (parsed.isCut || cellsOf(parts) > maxCells)',
    to: 'if (cellsOf(parts) > Number.POSITIVE_INFINITY)',
    noticedBy: 'cloud/store/telemetry/wide-hours.test.ts',
  },
];
