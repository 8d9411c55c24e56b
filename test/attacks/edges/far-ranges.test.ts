import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { openCloud, type Person, type TestCloud } from '../../cloud/open-cloud.ts';

/** Far more than it takes, and far less than looking up every day by itself would take. */
const mostCpuMs = 500;

suite('history over extreme ranges', () => {
  let cloud: TestCloud;
  let ada: Person;
  let paths: string[];
  before(async () => {
    cloud = await openCloud();
    const { owner, site, device } = await cloud.home({ place: { latitude: 59.33, longitude: 18.07 } });
    ada = owner;
    paths = [`/ders/${device.ders[0].id}/telemetry`, `/sites/${site}/telemetry`];
    for (const path of paths) await ask(path, 'resolution=1d');
  });
  after(() => cloud.close());

  async function ask(path: string, query: string) {
    const began = process.cpuUsage();
    const { status } = await cloud.call('GET', `${path}?${query}`, { as: ada });
    const { user, system } = process.cpuUsage(began);
    return { status, cpuMs: (user + system) / 1000 };
  }

  for (const { title, query, answer } of [
    { title: 'day by day until 2100', query: 'from=2000-01-01T00:00:00Z&to=2100-01-01T00:00:00Z', answer: 200 },
    {
      title: 'day by day in a far century',
      query: 'from=9890-12-31T00:00:00Z&to=9999-12-31T00:00:00Z&resolution=1d',
      answer: 200,
    },
    {
      title: 'minute by minute in the future',
      query: 'from=2099-10-02T00:00:00Z&to=2100-01-01T00:00:00Z&resolution=1m',
      answer: 200,
    },
    { title: 'until the end of time', query: 'from=2015-01-01T00:00:00Z&to=9999-12-31T23:59:59Z', answer: 422 },
    { title: 'until after the end of time', query: 'to=8640000000000000', answer: 400 },
  ]) {
    test(`${title} is ${answer === 200 ? 'answered' : 'refused'} at once`, async () => {
      for (const path of paths) {
        const { status, cpuMs } = await ask(path, query);
        assert.equal(status, answer, path);
        assert.ok(cpuMs < mostCpuMs, `${path} took ${cpuMs} ms`);
      }
    });
  }
});
