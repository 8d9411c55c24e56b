import { type Bug, bugsIn } from '../bug.ts';

const minuteMs = 60_000;
const quarterMs = 15 * minuteMs;

const ingestTest = 'cloud/telemetry/ingest.test.ts';
const homesTest = 'cloud/energy/homes.test.ts';
const groupCommitTest = 'cloud/store/group-commit.test.ts';

/** Telemetry, storage, streams and public sums. */
export const telemetryBugs: readonly Bug[] = [
  ...bugsIn<typeof import('#cloud/broker/embedded/publish-lane.ts')>('cloud/broker/embedded/publish-lane.ts')({
    id: 'a message is acknowledged before it is stored',
    proves: ['F01', 'F02', 'S1'],
    replace: {
      createPublishLane: (real) => (deps) =>
        real.createPublishLane({
          ...deps,
          receive: async (message) => {
            void deps.receive(message).catch(() => {});
          },
        }),
    },
    noticedBy: 'cloud/broker/embedded/publish-lane.test.ts',
  }),
  ...bugsIn<typeof import('#cloud/telemetry/ingest.ts')>('cloud/telemetry/ingest.ts')({
    id: 'readings are dropped while the database is unavailable',
    proves: ['F05', 'F30'],
    replace: { createIngest: (real) => (deps) => real.createIngest({ ...deps, isPoison: () => true }) },
    noticedBy: ingestTest,
  }),
  ...bugsIn<typeof import('#cloud/store/telemetry/telemetry-store.ts')>('cloud/store/telemetry/telemetry-store.ts')({
    id: 'readings are dropped when the disk is full',
    proves: ['F08'],
    replace: { isUnstorable: () => () => true },
    noticedBy: 'test/faults/full-disk-platform.test.ts',
  }),
  ...bugsIn<typeof import('#cloud/store/group-commit.ts')>('cloud/store/group-commit.ts')({
    id: 'a change is answered before it is on disk',
    proves: ['F10', 'S3'],
    replace: {
      groupCommit: (real) => (db, line) =>
        real.groupCommit(db, Object.create(line, { sync: { value: async () => {} } })),
    },
    noticedBy: groupCommitTest,
  }),
  ...bugsIn<typeof import('#cloud/store/host-urls.ts')>('cloud/store/host-urls.ts')({
    id: 'only the first database server of a URL is tried',
    proves: ['F31'],
    replace: {
      hostUrls:
        ({ hostUrls }) =>
        (url) =>
          hostUrls(url).slice(0, 1),
    },
    noticedBy: 'cloud/store/primary.test.ts',
  }),
  ...bugsIn<typeof import('#cloud/store/migrate.ts')>('cloud/store/migrate.ts')({
    id: 'a migration that fails counts as done',
    proves: ['F29'],
    replace: { migrate: (real) => (engine) => real.migrate(engine).catch(() => []) },
    noticedBy: 'cloud/store/migrate.test.ts',
  }),
  ...bugsIn<typeof import('#cloud/store/telemetry/sqlite/appends.ts')>('cloud/store/telemetry/sqlite/appends.ts')({
    id: 'a sample that is stored already is stored again',
    proves: ['A41', 'F15', 'S2'],
    replace: {
      createInsert: (real) => (database) =>
        real.createInsert(
          Object.create(database, {
            prepare: { value: (sql: string) => database.prepare(sql.replace('insert or ignore', 'insert or replace')) },
          }),
        ),
    },
    noticedBy: 'cloud/store/telemetry/telemetry-store.test.ts',
  }),
  ...bugsIn<typeof import('#cloud/store/telemetry/postgres/append.ts')>('cloud/store/telemetry/postgres/append.ts')({
    id: 'a server accepts readings of a partition that has left it',
    proves: ['S1'],
    replace: {
      insertRecent: (real) => async (pool, samples, partOf) => {
        const { rows } = await pool.query<{ version: number }>('select version from telemetry_fence');
        return real.insertRecent(pool, samples, partOf, rows[0]?.version ?? 0);
      },
    },
    noticedBy: 'cloud/store/telemetry/postgres/move.test.ts',
    needsPostgres: true,
  }),
  ...bugsIn<typeof import('#cloud/store/telemetry/postgres/move.ts')>('cloud/store/telemetry/postgres/move.ts')({
    id: 'a partition is sealed by two processes at once',
    proves: ['S1'],
    replace: {
      withPartitionLock: () => async (server, _, work) => {
        const client = await server.reading.connect();
        return work(client).finally(() => client.release());
      },
    },
    noticedBy: 'cloud/store/telemetry/postgres/partitions.test.ts',
    needsPostgres: true,
  }),
  ...bugsIn<typeof import('#cloud/telemetry/reading.ts')>('cloud/telemetry/reading.ts')({
    id: 'a reading may be from next year',
    proves: ['A40', 'F12'],
    replace: { parseReading: (real) => (payload, now) => real.parseReading(payload, now * 2) },
    noticedBy: 'cloud/telemetry/reading.test.ts',
  }),
  ...bugsIn<typeof import('#cloud/telemetry/measured.ts')>('cloud/telemetry/measured.ts')({
    id: 'absent values are shown',
    proves: ['F17'],
    replace: { measuredValues: () => (values) => values },
    noticedBy: 'cloud/telemetry/telemetry.test.ts',
  }),
  ...bugsIn<typeof import('#cloud/telemetry/streams.ts')>('cloud/telemetry/streams.ts')({
    id: 'a stream continues for a caller who lost access',
    proves: ['A15', 'A22', 'A50', 'S27'],
    replace: { createStreams: (real) => (deps) => ({ ...real.createStreams(deps), recheck: async () => {} }) },
    noticedBy: 'cloud/telemetry/streams.test.ts',
  }),
  ...bugsIn<typeof import('#cloud/telemetry/field-limit.ts')>('cloud/telemetry/field-limit.ts')({
    id: 'a DER may have any number of fields',
    proves: ['A47'],
    replace: {
      createFieldLimit: (real) => (options) =>
        real.createFieldLimit({ ...options, maxFieldsPerDer: Number.POSITIVE_INFINITY }),
    },
    noticedBy: 'cloud/telemetry/field-limit.test.ts',
  }),
  ...bugsIn<typeof import('#cloud/telemetry/history.ts')>('cloud/telemetry/history.ts')({
    id: 'a range costs work for days without data',
    proves: ['A47', 'A54'],
    replace: {
      parseRange: (real) => (query, now) => ({ ...real.parseRange(query, now), lastReading: Number.MAX_SAFE_INTEGER }),
    },
    noticedBy: 'test/attacks/growth/growth.test.ts',
  }),
  ...bugsIn<typeof import('#cloud/energy/fold.ts')>('cloud/energy/fold.ts')(
    {
      id: 'the energy of a quarter-hour is the mean of its samples',
      proves: ['S40'],
      replace: {
        Fold: ({ Fold }) =>
          class extends Fold {
            readonly #sums = new Map<number, { W: number; count: number }>();
            override add(at: number, W: number, inWh: number, outWh: number): void {
              super.add(at, W, inWh, outWh);
              const quarter = Math.floor(at / quarterMs);
              const { W: sum, count } = this.#sums.get(quarter) ?? { W: 0, count: 0 };
              this.#sums.set(quarter, { W: sum + Math.max(0, W), count: count + 1 });
            }
            override take() {
              return super.take().map((record) => {
                const sum = this.#sums.get(record.quarter);
                return sum ? { ...record, in: sum.W / sum.count / 4 } : record;
              });
            }
          },
      },
      noticedBy: homesTest,
    },
    {
      id: 'a part of a quarter-hour counts as all of it',
      proves: ['S40'],
      replace: {
        Fold: ({ Fold }) =>
          class extends Fold {
            override take() {
              return super
                .take()
                .map((record) => ({ ...record, in: (record.in * quarterMs) / (record.coveredMs || quarterMs) }));
            }
          },
      },
      noticedBy: homesTest,
    },
    {
      id: 'the energy of a gap is guessed from the power',
      proves: ['S40'],
      replace: {
        Fold: ({ Fold }) =>
          class extends Fold {
            override add(at: number, W: number, inWh: number, outWh: number): void {
              for (let next = this.at + minuteMs; next < at; next += minuteMs)
                super.add(next, W, Number.NaN, Number.NaN);
              super.add(at, W, inWh, outWh);
            }
          },
      },
      noticedBy: homesTest,
    },
  ),
  ...bugsIn<typeof import('#cloud/energy/counter.ts')>('cloud/energy/counter.ts')({
    id: 'a register that was reset counts as energy',
    proves: ['S40'],
    replace: {
      Register: ({ Register }) =>
        class extends Register {
          override read(...[value, ...others]: Parameters<InstanceType<typeof Register>['read']>): void {
            const before = this.value;
            super.read(value, ...others);
            if (value < before) this.energy += before - value;
          }
        },
    },
    noticedBy: homesTest,
  }),
  ...bugsIn<typeof import('#cloud/energy/ledger.ts')>('cloud/energy/ledger.ts')({
    id: 'late readings do not change the energy',
    proves: ['S40'],
    replace: {
      Ledger: ({ Ledger }) =>
        class extends Ledger {
          readonly #newest = new Map<number, number>();
          override note(readings: Parameters<InstanceType<typeof Ledger>['note']>[0]) {
            const inOrder = readings.filter(({ der, at }) => {
              const isNew = at > (this.#newest.get(der) ?? 0);
              if (isNew) this.#newest.set(der, at);
              return isNew;
            });
            return super.note(inOrder);
          }
        },
    },
    noticedBy: homesTest,
  }),
  ...bugsIn<typeof import('#cloud/public/guarded-sums.ts')>('cloud/public/guarded-sums.ts')({
    id: 'a cell with too few sites is shown',
    proves: ['A42', 'S31'],
    replace: { guardedSums: (real) => (ders, since) => real.guardedSums(ders, since, 1) },
    noticedBy: 'cloud/public/guarded-sums.test.ts',
  }),
  ...bugsIn<typeof import('#cloud/store/cells.ts')>('cloud/store/cells.ts')({
    id: 'an unknown cell is answered like one with sites',
    proves: ['A43'],
    replace: {
      findCell: (real) => async (db, h3) => (await real.findCell(db, h3)) ?? { h3_index: h3, site_count: 1000 },
    },
    noticedBy: 'test/attacks/edges/public-cells.test.ts',
  }),
];
