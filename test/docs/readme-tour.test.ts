import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { suite, test } from 'node:test';
import { createClient } from '#contract/client.ts';
import { getGateway } from '#contract/cloud/gateways.ts';
import { getSite } from '#contract/cloud/sites.ts';
import { problemCodes, statusOf } from '#contract/problem.ts';
import { end } from '../end-process.ts';
import { root } from '../source-files.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { blocksOf, pasteToBash, toolsMissing } from './document-lines.ts';

const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const readme = read('README.md');

const patienceMs = 60_000;

suite('the tour of the README', { timeout: patienceMs }, () => {
  test('leads to a claimed gateway and a provisioned device, a second time too', {
    skip: toolsMissing('bash', 'curl', 'openssl'),
  }, async (t) => {
    const folder = temporaryFolder(t);
    await using cloud = await startCloud(join(folder, 'data'));
    for (const run of ['first', 'second']) {
      const { token, org, site, serial } = await takeTour(cloud.url, folder);
      const api = createClient({ baseUrl: cloud.url, token });

      const gateway = await api.call(getGateway, { params: { serial } });
      assert.deepEqual({ org: gateway.org_id, devices: gateway.device_count }, { org, devices: 1 }, run);
      const { devices } = await api.call(getSite, { params: { site_id: site } });
      const shown = devices.map(({ type, state, ders }) => ({ type, state, ders: ders.map((der) => der.type) }));
      assert.deepEqual(shown, [{ type: 'inverter', state: 'pending', ders: ['solar', 'battery'] }], run);
    }
  });
});

async function startCloud(dataDir: string): Promise<AsyncDisposable & { url: string }> {
  const child = spawn(process.execPath, ['cli/main.js', 'cloud'], {
    cwd: root,
    env: { PATH: process.env.PATH, CLOUD_PORT: '0', DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: patienceMs,
  });
  const stop = (): Promise<void> => end(child);
  let output = '';
  for await (const text of child.stdout.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    output += text;
    const url = /"url":"(http:[^"]+)"/.exec(output)?.[1];
    if (!url) continue;
    child.stdout.resume();
    return { url, [Symbol.asyncDispose]: stop };
  }
  await stop();
  throw new Error(`The cloud did not start: ${output}`);
}

/** Feeds the blocks to bash as a person pastes them; returns their variables. */
async function takeTour(url: string, tmp: string) {
  const tour = readme.slice(readme.indexOf('\n## Tour\n'), readme.indexOf('\n## Folders\n'));
  const results = 'printf "\\n%s" "$TOKEN" "$ORG" "$SITE" "$SERIAL"\n';
  const { code, output } = await pasteToBash([...blocksOf(tour, 'bash'), results], {
    cwd: root,
    env: { CLOUD: url, TMPDIR: tmp },
    timeout: patienceMs,
  });
  assert.equal(code, 0, output);
  const [token, org, site, serial] = output.split('\n').slice(-4) as [string, string, string, string];
  return { token, org, site, serial };
}

suite('the documents', () => {
  test('the README runs the same tests as CI, and starts the same program as package.json', () => {
    const [testCommand] = read('.ci/run').trimEnd().split('\n').slice(-1);
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    assert.ok(scripts.start);
    assert.deepEqual(blocksOf(readme, 'sh'), ['npm ci && npm start\n', `${testCommand}\n`]);
  });

  test('the folders of the README exist', () => {
    const named = [...readme.matchAll(/^\| `(\w+)\/` \|/gm)].map(([, name]) => name!);
    assert.ok(named.length > 5);
    assert.deepEqual(
      named.filter((name) => !existsSync(join(root, name))),
      [],
    );
  });

  test('docs/api.md has every error code with its status, and no other', () => {
    const rows = [...read('docs/api.md').matchAll(/^\| (\d{3}) \| `(\w+)` \|/gm)];
    assert.deepEqual(
      Object.fromEntries(rows.map(([, status, code]) => [code, Number(status)])),
      Object.fromEntries(problemCodes.map((code) => [code, statusOf(code)])),
    );
  });

  const made = '/heron.ts'; // created by the recipe of a device
  for (const path of globSync(['*.md', 'docs/**/*.md'], { cwd: root })) {
    test(`the links and file names of ${path} exist`, () => {
      const text = read(path);
      const links = [...text.matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, link]) => join(dirname(path), link!));
      const files = [
        ...text.matchAll(/`((?:contract|lib|cloud|gateway|price|sim|stack|cli|bench|test|docs)\/[\w./-]*)`/g),
      ].map(([, f]) => f!);
      const isThere = (target: string): boolean => existsSync(join(root, target)) || target.endsWith(made);
      assert.deepEqual(
        [...links, ...files].filter((target) => !isThere(target)),
        [],
      );
    });
  }
});
