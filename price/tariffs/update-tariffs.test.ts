import assert from 'node:assert/strict';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { after, before, beforeEach, suite, type TestContext, test } from 'node:test';
import { dayMs } from '#contract/time.ts';
import { createFakeClock } from '#test/fake-clock.ts';
import { listenOnLoopback } from '#test/listen-on-loopback.ts';
import { temporaryFolder } from '#test/temporary-folder.ts';
import { createUpstream } from '../electricity/upstream.ts';
import { openTariffs, shippedTariffs } from './tariffs.ts';
import { silent } from './testing/tariffs.ts';
import { stateFile } from './update-state.ts';
import { createTariffUpdates } from './update-tariffs.ts';

let answers: Record<string, unknown> = {}; // JSON, text, or a function that answers
const asked: string[] = [];
const server = createServer((request, response) => {
  asked.push(request.url!);
  const answer = answers[request.url!];
  if (typeof answer === 'function') answer(request, response);
  else if (answer === undefined) response.writeHead(404).end();
  else response.end(typeof answer === 'string' ? answer : JSON.stringify(answer));
});
let base = '';
before(async () => {
  base = `http://127.0.0.1:${await listenOnLoopback(server)}`;
});
after(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  answers = {};
  asked.length = 0;
});

const eon = '556070-6060';
const kraftringen = '556228-1138';
const sek = (exVat: number) => ({ priceExVat: exVat, priceIncVat: exVat * 1.25, currency: 'SEK' });
const from2027 = { fromIncluding: '2027-01-01', toExcluding: '2199-12-31' };

type Changes = { fixed?: number; energy?: number; [member: string]: unknown };

/** A tariff as E.ON answers: ids are codes, empty objects stand for absent prices, no power price, no end. */
const eonTariff = ({ fixed = 3500, energy = 0.4, ...changes }: Changes = {}) => ({
  id: 'SYENOR-16',
  name: 'Fuse 16A - South (SE3/SE4 excl. Stockholm)',
  description: null,
  product: 'Fuse',
  companyName: 'E.ON Energidistribution AB',
  companyOrgNo: eon,
  direction: 'consumption',
  timeZone: 'Europe/Stockholm',
  billingPeriod: 'P1M',
  lastUpdated: '2026-12-16T10:00:00',
  validPeriod: from2027,
  fixedPrice: {
    id: '0123456789abcdef0123456789abcdef',
    name: 'Fast',
    components: [
      {
        id: 'F1',
        name: 'Fast avgift',
        type: 'fixed',
        reference: 'main',
        validPeriod: from2027,
        price: sek(fixed),
        pricedPeriod: 'P1Y',
      },
    ],
  },
  energyPrice: {
    id: 'E',
    name: 'Energi',
    unit: 'kWh',
    components: [
      { id: 'E1', name: 'Överföring', type: 'fixed', validPeriod: from2027, price: sek(energy), spotPriceSettings: {} },
      {
        id: 'E2',
        name: 'Rörlig',
        type: 'spot',
        validPeriod: from2027,
        price: {},
        spotPriceSettings: { multiplier: 0.05, currency: 'SEK' },
      },
    ],
  },
  ...changes,
});

/** A tariff as of version 0.3: `published` with an offset, units of components, and null for absent members. */
const kraftringenTariff = {
  id: '11111111-1111-4111-8111-111111111111',
  name: 'Konsumtion 16 A',
  product: 'grid.cons.lsp.16A',
  companyName: 'Kraftringen Nät AB',
  companyOrgNo: kraftringen,
  timeZone: 'Europe/Stockholm',
  published: '2026-12-01T08:00:00+01:00',
  validPeriod: { fromIncluding: '2027-01-01', toExcluding: null },
  fixedPrice: {
    id: '21111111-1111-4111-8111-111111111111',
    name: 'Fast',
    components: [{ id: '31111111-1111-4111-8111-111111111111', name: 'Fast', price: sek(510), pricedPeriod: 'P1M' }],
  },
  energyPrice: {
    id: '41111111-1111-4111-8111-111111111111',
    name: 'Energi',
    components: [{ id: '51111111-1111-4111-8111-111111111111', name: 'Energi', unit: 'kWh', price: sek(0.17) }],
  },
  powerPrice: null,
};

const row = (apiUrl: string, companyOrgNo: string) => ({
  apiUrl,
  companyOrgNo,
  companyName: 'A name that is not used',
  meteringPointIdFrom: '735999100000000000',
  meteringPointIdTo: '735999199999999999',
});

async function open(t: TestContext, options: { timeoutMs?: number; resolve?: () => Promise<string[]> } = {}) {
  const root = temporaryFolder(t);
  const [folder, shipped] = [join(root, 'tariffs'), join(root, 'shipped')];
  mkdirSync(shipped);
  for (const name of ['eon_energidistribution.json', 'kraftringen_nat.json', 'ellevio.json'])
    copyFileSync(join(shippedTariffs, name), join(shipped, name));
  const clock = createFakeClock(Date.parse('2026-12-20T12:00:00Z'));
  const tariffs = openTariffs({ folder: shipped, updatesFolder: folder, clock, log: silent });
  await tariffs.scan();
  const updates = createTariffUpdates({
    catalogueUrl: `${base}/tariffcatalogue/all`,
    folder,
    upstream: createUpstream(undefined, options.timeoutMs),
    book: tariffs.book,
    onWritten: tariffs.scan,
    clock,
    log: silent,
    ...(options.resolve && { resolve: options.resolve }),
  });
  const failures = (): string => (updates.state().failures ?? []).map(({ message }) => message).join('\n');
  return { folder, clock, tariffs, updates, failures };
}

const publish = (answer: unknown): void => {
  answers['/tariffcatalogue/all'] = [row(`${base}/eon`, eon)];
  answers['/eon/tariffs'] = answer;
};

suite('updates of tariffs', () => {
  test('lists of an operator with codes as ids continue those that were known', async (t) => {
    publish({ tariffs: [eonTariff()], calendarPatterns: [{ reference: 'P1Y' }] });
    const { tariffs, updates, failures } = await open(t);
    const old = tariffs
      .book()
      .findProvider('eon_energidistribution')!
      .tariffs.find(({ product }) => product === 'SYENOR-16')!;
    await updates.run();
    assert.equal(failures(), '');
    const book = tariffs.book();
    const found = book.tariffOn(book.findTariff(old.id)!.tariff, '2027-03-01');
    assert.deepEqual([found?.isAssumed, found?.tariff.fixedPrice.components[0]?.price?.priceExVat], [false, 3500]);
    assert.deepEqual(
      found?.tariff.energyPrice.components.map(({ price, spotPriceSettings }) => [
        price?.priceExVat,
        spotPriceSettings?.multiplier,
      ]),
      [
        [0.4, undefined],
        [undefined, 0.05],
      ],
    );
    assert.deepEqual(found?.tariff.validPeriod, { fromIncluding: '2027-01-01', toExcluding: '2027-12-20' });
    assert.equal(book.tariffOn(old, '2026-12-31')?.tariff.id, old.id, 'the shipped list stays beside it');
    const again = book.findProvider('eon_energidistribution')!.tariffs.length;
    await updates.run();
    assert.equal(tariffs.book().findProvider('eon_energidistribution')!.tariffs.length, again, 'ids are stable');
  });

  test('an interface of version 0.3 is read at its own address, and a list of the same period replaces the shipped one', async (t) => {
    answers['/tariffcatalogue/all'] = [row(`${base}/customer/tariffs/`, kraftringen)];
    const whole = { ...kraftringenTariff, validPeriod: { fromIncluding: '2026-01-01', toExcluding: '2027-01-01' } };
    answers['/customer/tariffs'] = { tariffs: [whole], calendarPatterns: null };
    const { tariffs, updates, failures } = await open(t);
    const [old] = tariffs.book().findProvider('kraftringen_nat')!.tariffs;
    await updates.run();
    assert.equal(failures(), '');
    const found = tariffs.book().findTariff(old!.id);
    assert.equal(found?.tariff.id, kraftringenTariff.id, 'the id that a site has chosen still works');
    assert.equal(found?.tariff.fixedPrice.components[0]?.price?.priceExVat, 510);
    assert.equal(found?.tariff.lastUpdated, '2026-12-01T08:00:00');
  });

  test('a new operator is added, and lists survive a restart', async (t) => {
    answers['/tariffcatalogue/all'] = [row(`${base}/new`, '550000-0001')];
    answers['/new/tariffs'] = {
      tariffs: [{ ...kraftringenTariff, companyName: 'Nya Elnät i Ån AB', companyOrgNo: '550000-0001' }],
    };
    const { folder, clock, tariffs, updates } = await open(t);
    await updates.run();
    assert.equal(tariffs.book().findProvider('nya_elnat_i_an')?.tariffs.length, 1);
    const later = openTariffs({ folder: shippedTariffs, updatesFolder: folder, clock, log: silent });
    await later.scan();
    assert.equal(later.book().findProvider('nya_elnat_i_an')?.tariffs.length, 1);
  });

  for (const { says, answer, reason } of [
    { says: 'HTML', answer: '<html>Not found</html>', reason: /not JSON/ },
    { says: 'an empty list', answer: { tariffs: [] }, reason: /no tariffs of the companies/ },
    { says: 'a number', answer: 7, reason: /./ },
    { says: 'a list without prices', answer: { tariffs: [{ id: 'x' }] }, reason: /./ },
    { says: 'prices in öre', answer: { tariffs: [eonTariff({ energy: 40 })] }, reason: /implausible price of 40/ },
    { says: 'a price a hundred times lower', answer: { tariffs: [eonTariff({ fixed: 3 })] }, reason: /factor of 20/ },
    { says: 'a negative fixed price', answer: { tariffs: [eonTariff({ fixed: -1 })] }, reason: /implausible price/ },
    {
      says: 'a period that ends before it begins',
      answer: { tariffs: [eonTariff({ validPeriod: { fromIncluding: '2027-01-01', toExcluding: '2026-01-01' } })] },
      reason: /ends before it begins/,
    },
    {
      says: 'another company, which the catalogue does not list there',
      answer: { tariffs: [eonTariff({ companyOrgNo: '556037-7326', companyName: 'Ellevio AB' })] },
      reason: /no tariffs of the companies in the catalogue/,
    },
    {
      says: 'the tariff id of another operator',
      answer: { tariffs: [eonTariff({ id: 'bcf661b4-9bad-5b0f-bc71-350a35023c36' })] },
      reason: /belongs to another operator/,
    },
    {
      says: 'an endless answer',
      answer: (_: IncomingMessage, response: ServerResponse) => {
        const write = (): void => {
          while (!response.destroyed && response.write(' '.repeat(65_536)));
        };
        response.on('drain', write);
        write();
      },
      reason: /too large/,
    },
    {
      says: 'an answer that never ends',
      answer: (_: IncomingMessage, response: ServerResponse) => void response.write('{'),
      reason: /timed out|failed/,
    },
    {
      says: 'a redirect',
      answer: (_: IncomingMessage, response: ServerResponse) => {
        response.writeHead(302, { location: `${base}/secret` }).end();
      },
      reason: /failed/,
    },
    {
      says: 'a failure',
      answer: (_: IncomingMessage, response: ServerResponse) => void response.writeHead(500).end(),
      reason: /500/,
    },
    { says: 'a long name', answer: { tariffs: [eonTariff({ name: 'A'.repeat(1e6) })] }, reason: /name of more than/ },
    { says: 'deep nesting', answer: '['.repeat(200_000), reason: /./ },
    { says: 'members of Object', answer: '{"__proto__":{"tariffs":[]},"tariffs":[{"__proto__":null}]}', reason: /./ },
  ]) {
    test(`${says} does not replace a good list`, async (t) => {
      publish({ tariffs: [eonTariff()] });
      const { folder, tariffs, updates, failures } = await open(t, { timeoutMs: 300 });
      await updates.run();
      const path = join(folder, 'eon_energidistribution.json');
      const good = readFileSync(path, 'utf8');
      publish(answer);
      await updates.run();
      assert.match(failures(), reason);
      assert.equal(readFileSync(path, 'utf8'), good);
      assert.deepEqual(readdirSync(folder).sort(), ['eon_energidistribution.json', stateFile].sort());
      assert.ok(!asked.includes('/secret'));
      assert.deepEqual(tariffs.errors(), []);
    });
  }

  for (const { says, url, resolve } of [
    { says: 'a loopback address', url: 'https://127.0.0.1/api' },
    { says: 'a loopback address as IPv6', url: 'https://[::ffff:127.0.0.1]/api' },
    { says: 'the address of a cloud’s metadata', url: 'https://169.254.169.254/latest' },
    { says: 'http', url: 'http://api.example.se/grid' },
    { says: 'another port', url: 'https://api.example.se:8443/grid' },
    { says: 'a file', url: 'file:///etc/passwd' },
    { says: 'no address', url: '../../etc/passwd' },
    { says: 'a name that leads to a private network', url: 'https://inside.example.se/api', resolve: ['10.0.0.1'] },
  ]) {
    test(`an interface at ${says} is not asked`, async (t) => {
      answers['/tariffcatalogue/all'] = [row(url, eon)];
      const { updates, folder, failures } = await open(t, {
        resolve: async (...[host]: unknown[]) => resolve ?? [String(host)],
      });
      await updates.run();
      assert.match(failures(), /private network|not https|invalid/);
      assert.deepEqual(readdirSync(folder), [stateFile]);
      assert.deepEqual(asked, ['/tariffcatalogue/all']);
    });
  }

  test('a company name cannot choose the path of the file', async (t) => {
    answers['/tariffcatalogue/all'] = [row(`${base}/new`, '550000-0001')];
    const { folder, updates } = await open(t);
    for (const companyName of ['../../evil', '/etc/evil', 'tariff-updates', 'a'.repeat(300), '....//', 'CON']) {
      answers['/new/tariffs'] = { tariffs: [{ ...kraftringenTariff, companyName, companyOrgNo: '550000-0001' }] };
      await updates.run();
    }
    assert.ok(readdirSync(folder).every((name) => name === stateFile || /^[a-z0-9_]{1,64}\.json$/.test(name)));
    assert.ok(!existsSync(join(folder, '../evil.json')) && !existsSync(join(folder, '../../evil.json')));
  });

  test('a broken catalogue is reported; the lists stay', async (t) => {
    const { updates, failures } = await open(t);
    for (const [catalogue, reason] of [
      ['<html>', /not JSON/],
      [{}, /not a list/],
      [[{ apiUrl: 7 }], /no interfaces/],
    ] as const) {
      answers['/tariffcatalogue/all'] = catalogue;
      await updates.run();
      assert.match(failures(), reason);
    }
  });

  test('it runs once a week, also across restarts', async (t) => {
    publish({ tariffs: [eonTariff()] });
    const { folder, clock, tariffs, updates } = await open(t);
    await updates.run();
    updates.stop();
    const count = (): number => asked.filter((path) => path === '/tariffcatalogue/all').length;
    assert.equal(count(), 1);
    for (const [days, runs] of [
      [6, 1],
      [1, 2],
    ] as const) {
      clock.advance(days * dayMs);
      const again = createTariffUpdates({
        catalogueUrl: `${base}/tariffcatalogue/all`,
        folder,
        upstream: createUpstream(),
        book: tariffs.book,
        onWritten: tariffs.scan,
        clock,
        log: silent,
      });
      await again.runIfDue();
      again.stop();
      assert.equal(count(), runs);
    }
    writeFileSync(join(folder, stateFile), 'not JSON');
    assert.deepEqual(tariffs.errors(), []);
  });
});
