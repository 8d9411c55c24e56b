import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { Problem } from '#contract/problem.ts';
import { systemClock } from '#lib/clock.ts';
import { createLog } from '#lib/log.ts';
import { createAreaIndex } from '#price/tariffs/places/area-index.ts';
import { openPlaces, shippedPlaces } from '#price/tariffs/places/places.ts';
import { openTariffs, shippedTariffs } from '#price/tariffs/tariffs.ts';
import { listenOnLoopback } from '#test/listen-on-loopback.ts';
import { temporaryFolder } from '#test/temporary-folder.ts';
import { UsageError } from '../line/command.ts';
import { openShell, runInProcess } from '../testing/in-process.ts';
import { commands } from './tariffs.ts';

const root = temporaryFolder({ after });
const folderOf = (): string => mkdtempSync(join(root, 'own-'));

async function run(name: string, args: Record<string, string>, options: object, env = {}): Promise<string> {
  const { shell, output } = openShell(env);
  await commands.find((each) => each.name === name)!.run({ arguments: args, options: { ...options } }, shell);
  return output.out;
}

const log = createLog({ level: 'silent', name: 'test' });
const shipped = openTariffs({ folder: shippedTariffs, clock: systemClock, log });

/** Replies of an operator, by path. */
const answers: Record<string, unknown> = {};
let server: Server;
let base = '';
before(async () => {
  await shipped.scan();
  const { tariffs, calendarPatterns } = shipped.book().findProvider('goteborg_energi_nat')!;
  const later = {
    tariffs: tariffs.map(({ lastUpdated, energyPrice: { unit, ...energy }, ...tariff }) => ({
      ...tariff,
      description: null,
      published: `${lastUpdated}+01:00`,
      energyPrice: { ...energy, components: energy.components.map((part) => ({ ...part, unit })) },
    })),
    calendarPatterns: calendarPatterns.map(({ reference, ...pattern }) => ({ id: reference, ...pattern })),
  };
  answers['/v02/tariffs'] = { tariffs, calendarPatterns };
  answers['/v03/tariffs'] = later;
  answers['/several/tariffs'] = {
    tariffs: [...tariffs.slice(0, 2), { ...tariffs[2]!, companyName: 'Annat Nät AB', companyOrgNo: '1' }],
    calendarPatterns,
  };
  answers['/wrong/tariffs'] = { tariffs: [{ id: 'x' }] };
  answers['/none/tariffs'] = { tariffs: [] };
  answers['/page/tariffs'] = '<html>';
  server = createServer((request, response) => {
    const answer = answers[request.url!];
    if (request.url === '/down/tariffs') response.writeHead(503).end();
    else if (answer === undefined) response.writeHead(404).end();
    else response.end(typeof answer === 'string' ? answer : JSON.stringify(answer));
  });
  base = `http://127.0.0.1:${await listenOnLoopback(server)}`;
});
after(() => server.close());

for (const version of ['v02', 'v03']) {
  test(`tariffs of an API ${version} are taken, and replace those of the same operator`, async () => {
    const folder = folderOf();
    const out = await run('tariffs import', { url: `${base}/${version}` }, { folder });
    assert.match(out, /^Wrote 13 tariffs of Göteborg Energi Nät AB to .*goteborg_energi_nat\.json/);
    assert.deepEqual(readdirSync(folder), ['goteborg_energi_nat.json']);
    const tariffs = openTariffs({ folder: shippedTariffs, ownFolder: folder, clock: systemClock, log });
    await tariffs.scan();
    assert.deepEqual(tariffs.errors(), []);
    assert.equal(tariffs.book().providers.length, 124);
    const without = (id: string) =>
      (id === 'own' ? tariffs : shipped)
        .book()
        .findProvider('goteborg_energi_nat')!
        .tariffs.map(({ description: _, ...tariff }) => tariff);
    assert.deepEqual(without('own'), without('shipped'));
  });
}

test('the address may be that of the tariffs itself', async () => {
  const out = await run('tariffs import', { url: `${base}/v02/tariffs` }, { folder: folderOf() });
  assert.match(out, /^Wrote 13 tariffs/);
});

test('of several companies one is taken', async () => {
  const folder = folderOf();
  const url = `${base}/several`;
  await assert.rejects(run('tariffs import', { url }, { folder }), /choose one: Göteborg Energi Nät AB, Annat Nät AB/);
  await assert.rejects(run('tariffs import', { url }, { folder, company: 'X' }), /has no company X/);
  assert.match(await run('tariffs import', { url }, { folder, company: '1' }), /^Wrote 1 tariffs of Annat Nät AB/);
  assert.match(await run('tariffs import', { url }, { folder, company: '1', id: 'my-own' }), /my_own\.json/);
});

for (const [path, expected] of [
  ['wrong', /file\.tariffs\.0\.name: is required/],
  ['none', /has no tariffs/],
  ['nowhere', /file\.tariffs: is required/],
  ['down', /answered 503/],
  ['page', /did not return JSON/],
] as const) {
  test(`an API that is ${path} leaves nothing behind`, async () => {
    const folder = folderOf();
    await assert.rejects(
      run('tariffs import', { url: `${base}/${path}` }, { folder }),
      (error) => error instanceof Problem && expected.test(error.message),
    );
    assert.deepEqual(readdirSync(folder), []);
  });
}

test('refuses an invalid address, an unreachable server and a missing folder', async () => {
  const folder = folderOf();
  await assert.rejects(run('tariffs import', { url: 'file:///etc/passwd' }, { folder }), /is not an http address/);
  await assert.rejects(run('tariffs import', { url: 'http://127.0.0.1:9/x' }, { folder }), /cannot be reached/);
  await assert.rejects(run('tariffs import', { url: `${base}/v02` }, {}), UsageError);
});

test('the folder may be named by the environment or by the configuration file', async () => {
  const url = `${base}/v02`;
  const [inEnvironment, inFile] = [folderOf(), folderOf()];
  const config = join(root, 'ohmstead.yaml');
  writeFileSync(config, `price:\n  tariff_dir: ${inFile}\n`);
  for (const { folder, options, env } of [
    { folder: inEnvironment, options: {}, env: { TARIFF_DIR: inEnvironment } },
    { folder: inFile, options: { config }, env: {} },
    { folder: inFile, options: {}, env: { OHMSTEAD_CONFIG: config } },
  ]) {
    const out = await run('tariffs import', { url }, options, env);
    assert.ok(out.startsWith(`Wrote 13 tariffs of Göteborg Energi Nät AB to ${join(folder, 'goteborg')}`), out);
  }
});

test('a file that can be used is explained', async () => {
  const out = await run('tariffs check', { file: join(shippedTariffs, 'karlstads_elnat.json') }, {});
  assert.match(
    out,
    /^Karlstads Elnät AB \(karlstads_elnat\), 2 tariffs:\nEffekttariff 16–63 A +2025-01-01\/2026-01-01 +16 20 25 35 50 63 +\d fixed +\d energy +3 power/,
  );
  assert.match(out, /No tariff is valid on/);
});

test('warnings of a valid file are printed', async () => {
  const file = join(root, 'doubtful.json');
  const { tariffs, calendarPatterns } = shipped.book().findProvider('karlstads_elnat')!;
  const [first] = structuredClone(tariffs as never) as {
    validPeriod: object;
    powerPrice: { components: { price?: object }[] };
  }[];
  first!.validPeriod = { fromIncluding: '2025-01-01', toExcluding: '2027-01-01' };
  delete first!.powerPrice.components[0]!.price;
  writeFileSync(
    file,
    JSON.stringify({
      tariffs: [first],
      calendarPatterns: calendarPatterns.filter(({ reference }) => reference !== 'weekends'),
    }),
  );
  const out = await run('tariffs check', { file }, {});
  assert.match(out, /holidays has no dates in 2026/);
  assert.match(out, /refers to weekends, which is not a calendar pattern/);
  assert.match(out, /Effektavgift \(base\) has no price/);
});

test('an invalid file is reported with every mistake and exit code 1', async () => {
  const file = join(root, 'broken.json');
  writeFileSync(
    file,
    readFileSync(join(shippedTariffs, 'ellevio.json'), 'utf8').replaceAll('"price": [', '"price": ["a", '),
  );
  const { code, out } = await runInProcess(['tariffs', 'check', file]);
  assert.match(out, /is invalid\.\nMistakes:\n {2}file\.shared\.energy_main\.price/);
  assert.equal(code, 1);
  writeFileSync(file, '{"tariffs": [');
  assert.match((await runInProcess(['tariffs', 'check', file])).out, /is not valid JSON/);
});

test('areas of the regulator are taken, companies matched with their tariffs, and used', async () => {
  const folder = folderOf();
  const geojson = join(root, 'areas.geojson');
  const square = (e: number, n: number) => [
    [e, n],
    [e + 5000, n],
    [e + 5000, n + 5000],
    [e, n + 5000],
    [e, n],
  ];
  const features = [
    {
      properties: { Företagsnamn: 'Ellevio AB', id: 1 },
      geometry: { type: 'Polygon', coordinates: [square(672_000, 6_578_000)] },
    },
    {
      properties: { Företagsnamn: 'Nya Nät AB', id: 2 },
      geometry: { type: 'MultiPolygon', coordinates: [[square(640_000, 6_640_000)]] },
    },
  ];
  writeFileSync(geojson, JSON.stringify({ type: 'FeatureCollection', features }));
  assert.match(await run('tariffs import-areas', { geojson }, { folder }), /^2 areas of 2 companies/);
  const file = JSON.parse(readFileSync(join(folder, 'places', 'concessions.json'), 'utf8'));
  assert.equal(createAreaIndex(file).find(18.0592, 59.3302)?.provider, 'ellevio');
  const places = openPlaces({ folder: shippedPlaces, ownFolder: join(folder, 'places') });
  assert.equal((await places.locate(59.88, 17.55)).providerId, 'nya_nat');
});

test('a file that is not GeoJSON changes nothing', async () => {
  const folder = folderOf();
  const geojson = join(root, 'text.geojson');
  writeFileSync(geojson, 'hello');
  await assert.rejects(run('tariffs import-areas', { geojson }, { folder }), /is not JSON/);
  assert.equal(existsSync(join(folder, 'places')), false);
});
