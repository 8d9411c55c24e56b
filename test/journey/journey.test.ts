import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, suite, type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '#contract/client.ts';
import { getData } from '#contract/gateway/data.ts';
import { runCli, spawnCli } from '../../cli/testing/child-process.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { until } from '../until.ts';
import { type Home, openHome } from './home.ts';
import { noTerminal, openTerminal } from './terminal.ts';
import { openViewer, type Viewer } from './viewer.ts';

const boundMs = 90_000;
const patienceMs = 40_000;
const sn = 'SIMSUNGROW0001';

type Row = { timestamp: number; W: number };

suite('the journey of an owner on the command line', { concurrency: 1 }, () => {
  let home: Home;
  let viewer: Viewer | undefined;
  after(async () => {
    await viewer?.stop();
    await home?.close();
  });
  const folder = temporaryFolder({ after });
  before(async () => {
    home = await openHome(folder);
  });

  const isBattery = ({ der_type }: { der_type: string }): boolean => der_type === 'battery';

  /** The stored readings of the battery since then. */
  async function stored(since: number): Promise<Row[]> {
    const out = await home.ohmstead('export', 'battery', '--from', String(since), '--resolution', 'raw', '--json');
    return out
      .trim()
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Row);
  }

  /** Commands the battery as its charge allows, and waits until a viewer sees the effect. */
  async function force(watts: number): Promise<string> {
    const { SoC_nom_fract = 0 } = viewer!.readings.findLast(isBattery)!;
    const action = SoC_nom_fract > 0.5 ? 'discharge' : 'charge';
    const { status, history } = await home.told('command', 'battery', action, `${watts}W`, '--for', '30s');
    assert.equal(status, 'applied', JSON.stringify(history));
    const power = action === 'charge' ? watts : -watts;
    await viewer!.next((reading) => isBattery(reading) && Math.abs(reading.W! - power) < 60, patienceMs);
    return action;
  }

  test('from nothing to a battery that is commanded, exported and priced', { timeout: boundMs }, async (t) => {
    const { ohmstead, told, urls } = home;
    const me = await told('login', urls.cloud, '--name', 'Ada');
    assert.match(me.identity_id, /^idt-/);
    const org = await told('org', 'create', 'Home');
    const place = ['--latitude', '59.33', '--longitude', '18.07', '--country', 'SE', '--price-area', 'SE3'];
    const site = await told('site', 'create', 'House', ...place);
    assert.equal(site.org_id, org.id);

    await home.programs.gateway.start();
    const claimed = await told('gateway', 'claim');
    assert.equal(claimed.org_id, org.id);
    assert.match(await ohmstead('device', 'detect', urls.inverter), /sungrow/);
    const [ip, port] = urls.inverter.split(':') as [string, string];
    await ohmstead('device', 'add', 'sungrow', '--ip', ip, '--port', port);
    await ohmstead('device', 'enable', sn, 'pv,battery');
    const device = await told('device', 'provision', sn, '--name', 'Inverter');
    assert.deepEqual(device.ders.map(({ type }: { type: string }) => type).toSorted(), ['battery', 'solar']);

    const began = Date.now();
    viewer = openViewer(home.env);
    await viewer.next(isBattery, patienceMs);
    await viewer.next(({ der_type }) => der_type === 'solar', patienceMs);
    const lines = (await ohmstead('watch', 'House', '--seconds', '3')).split('\n');
    const shown = lines.filter((line) => /^\S+Z {2}battery {2}battery {2}(charging|discharging|idle)/.test(line));
    assert.ok(shown.length >= 2, lines.join('\n'));

    const action = await force(1500);
    assert.match(await ohmstead('command', 'battery', 'release'), /\d\d:\d\d:\d\d {2}released: /);
    assert.match(await ohmstead('command', 'battery', 'release'), /^No active command for battery/);
    const refused = await runCli(['command', 'battery', action, '500kW'], home.env);
    assert.equal(refused.code, 1);
    assert.match(refused.err, /^<power> must be at most \d+ W, which the device supports/);

    const rows = await stored(began);
    assert.ok(rows.length >= 5 && rows.some(({ W }) => Math.abs(Math.abs(W) - 1500) < 60));
    const csv = await ohmstead('export', 'House', '--from', '1h', '--resolution', '1m');
    assert.match(csv, /^timestamp,battery_W,pv_W\n2/);
    const total = await ohmstead('price', 'total', '--site', 'House', '--url', urls.price);
    assert.match(total, /^SE3: SEK for a kWh, with 25 % VAT; .*\n\nFROM +TOTAL +SPOT +TAX +VAT\n/);
    assert.match(await ohmstead('price', 'now'), /^-?\d\.\d{4} SEK for a kWh in SE3/);
    const hours = total.match(/^\d{4}-\d\d-\d\d \d\d:00 /gm)!.length;
    assert.ok(hours >= 23);
    t.diagnostic(
      `${viewer.readings.length} readings watched, ${rows.length} of the battery exported, ${hours} hours priced`,
    );
  });

  test('a terminal shows the house in place, and is restored afterwards', {
    timeout: boundMs,
    skip: noTerminal,
  }, async (t) => {
    const { shown, press, ended } = openTerminal(t, ['watch'], home.env);
    const sees = (words: RegExp): Promise<string> => until(shown, (text) => words.test(text), patienceMs);
    await sees(/battery +battery +(idle|\w+ing [\d.]+ k?W)/);
    await sees(/Price now: -?\d\.\d{4} SEK\/kWh spot in SE3, without VAT, simulated; the \d+/);
    const drawings = (): string[] => shown().split(/<esc>\[\d+A\r/);
    const [before, began] = [drawings().length, Date.now()];
    await home.told('command', 'battery', 'charge', '0W', '--for', '1s');
    await sees(/Command battery: stay idle, applied/);
    await sees(/Command battery: stay idle, released: The lease has ended\./);
    const [drawn, most] = [drawings().length - before, 2 + Math.ceil((Date.now() - began) / 250)];
    assert.ok(drawn >= 2 && drawn <= most, `${drawn} drawings, ${most} at most`);
    press('\x03');
    assert.equal(await ended, 0);
    assert.match(shown(), /^<esc>\[\?25lHouse \(connecting\)/);
    assert.match(drawings().at(-1)!, /^House \(live\)/);
    assert.match(shown(), /<esc>\[\?25h$/, 'the cursor is shown again');
    t.diagnostic(`${drawn} drawings, ${most} at most`);
  });

  test('a command is counted down on a terminal until the battery is back on automatic', {
    timeout: boundMs,
    skip: noTerminal,
  }, async (t) => {
    const typed = ['command', 'battery', 'charge', '0W', '--for', '4s', '--follow'];
    const { shown, ended } = openTerminal(t, typed, home.env);
    assert.equal(await ended, 0, shown());
    assert.match(shown(), /0:04 left/);
    assert.match(shown(), /0:01 left/);
    assert.match(shown(), /released: The lease has ended\.<esc>\[K\r\n(<esc>\[J)?<esc>\[\?25h$/);
  });

  test('an interrupted export leaves no file, and a complete one has every row once', {
    timeout: boundMs,
  }, async (t) => {
    const exports = join(folder, 'exports');
    mkdirSync(exports);
    const args = ['export', 'battery', '--from', '30d', '--resolution', 'raw', '--out', join(exports, 'battery.csv')];
    const { child, outcome } = spawnCli(args, home.env);
    t.after(() => child.kill('SIGKILL'));
    while (readdirSync(exports).length === 0 && child.exitCode === null) await sleep(5);
    child.kill('SIGINT');
    const { code, err } = await outcome;
    assert.deepEqual([code, err], [130, 'Interrupted; nothing was changed.\n']);
    assert.deepEqual(readdirSync(exports), []);

    await home.ohmstead(...args);
    const [head, ...rows] = readFileSync(join(exports, 'battery.csv'), 'utf8').trimEnd().split('\n');
    assert.match(head!, /^timestamp,W,/);
    assert.deepEqual([...new Set(rows)].toSorted(), rows);
    const none = await runCli(['export', 'battery', '--from', '2020-01-01', '--to', '2020-01-02'], home.env);
    assert.deepEqual([none.code, none.out], [0, '']);
    assert.match(none.err, /^No data for battery from /);
  });

  test('a platform that is killed ends up with every reading of the outage', { timeout: boundMs }, async (t) => {
    const { programs, urls } = home;
    const gateway = createClient({ baseUrl: urls.gateway });
    const began = Date.now();
    const taken = new Set<number>();
    const looking = new AbortController();
    const looked = (async () => {
      while (!looking.signal.aborted) {
        const snapshot = await gateway.call(getData, { params: { sn } });
        if (snapshot?.battery) taken.add(snapshot.battery.timestamp);
        await sleep(150);
      }
    })();
    const lost = viewer!.count('disconnected');
    await programs.cloud.kill();
    const downFrom = Date.now();
    await sleep(4000);
    const downUntil = Date.now();
    await programs.cloud.start();
    await viewer!.next((reading) => isBattery(reading) && reading.timestamp > downUntil, patienceMs);
    looking.abort();
    await looked;
    assert.equal(viewer!.count('disconnected'), lost + 1);
    await force(1200);

    const watched = (): Set<number> => new Set(viewer!.readings.filter(isBattery).map(({ timestamp }) => timestamp));
    const due = [...taken].filter((at) => at >= began && at <= Math.max(...watched()));
    const ofOutage = due.filter((at) => at > downFrom && at < downUntil).length;
    assert.ok(ofOutage >= 3, `${ofOutage} of ${due.length} readings were taken while the platform was down`);
    const missing = async () => {
      const kept = new Set((await stored(began)).map(({ timestamp }) => timestamp));
      const seen = watched();
      return { stored: due.filter((at) => !kept.has(at)), watched: due.filter((at) => !seen.has(at)) };
    };
    await until(missing, ({ stored, watched }) => stored.length + watched.length === 0, patienceMs);
    const all = viewer!.readings.filter(isBattery).map(({ timestamp }) => timestamp);
    assert.equal(new Set(all).size, all.length, 'a reading was received twice');
    t.diagnostic(
      `${due.length} readings, ${ofOutage} of them in the outage: ${due.length} stored, ${due.length} watched, once each`,
    );
  });

  /** Kills a program while the battery is commanded, starts it again, and waits for values and commands. */
  async function killAndGoOn(t: TestContext, name: 'gateway' | 'sim', watts: number): Promise<void> {
    const program = home.programs[name];
    await program.kill();
    const before = viewer!.readings.length;
    await sleep(1500);
    await program.start();
    const startedAt = Date.now();
    await viewer!.next((reading) => isBattery(reading) && reading.timestamp > startedAt, patienceMs);
    const backMs = Date.now() - startedAt;
    await force(watts);
    t.diagnostic(`values ${backMs} ms after the start, ${viewer!.readings.length - before} readings since the kill`);
  }

  test('a gateway that is killed returns with its devices, and accepts commands', { timeout: boundMs }, (t) =>
    killAndGoOn(t, 'gateway', 1700),
  );

  test('an inverter that disappears for a moment is found again, and accepts commands', { timeout: boundMs }, (t) =>
    killAndGoOn(t, 'sim', 1300),
  );

  test('a price service that is killed returns with the same prices', { timeout: boundMs }, async () => {
    const { told, programs, urls } = home;
    const ask = ['price', 'today', '--area', 'SE3', '--url', urls.price];
    const before = await told(...ask);
    await programs.price.kill();
    assert.equal((await runCli(ask, home.env)).code, 1);
    await programs.price.start();
    assert.deepEqual((await told(...ask)).days[0], before.days[0]);
  });

  test('Ctrl-C ends the viewer', { timeout: boundMs }, async (t) => {
    assert.equal(await viewer!.stop(), 0);
    t.diagnostic(`${viewer!.readings.length} readings, ${viewer!.count('disconnected')} losses of the connection`);
    viewer = undefined;
  });
});
