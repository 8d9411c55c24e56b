import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { openOAuth } from '../oauth/open-oauth.ts';
import { blocksOf, pasteToBash, toolsMissing } from './document-lines.ts';

const document = readFileSync(new URL('../../docs/oauth.md', import.meta.url), 'utf8');

test('the manual flow leads to the sites of the person', {
  skip: toolsMissing('bash', 'curl', 'openssl'),
}, async (t) => {
  const cloud = await openOAuth();
  t.after(() => cloud.close());
  await cloud.site(cloud.owner, cloud.org, { name: 'Cottage' });
  const [register = '', ask = '', redeem = ''] = blocksOf(sectionOf('By hand'), 'sh');
  const [, redirect = ''] = /--redirect (\S+)/.exec(register)!;
  const { client_id, client_secret = '' } = await cloud.register({ redirect_uris: [redirect] });
  const given = { URL: cloud.url, ID: client_id, SECRET: client_secret };

  const asked = await paste([fill(ask, given), 'echo "$VERIFIER"\n']);
  const [address = '', VERIFIER = ''] = asked.split('\n');
  const back = await cloud.allow(new URL(address));
  assert.ok(back.href.startsWith(redirect));

  const settings = Object.entries({ ...given, VERIFIER }).map(([name, value]) => `${name}='${value}'\n`);
  const sites = await paste([...settings, fill(redeem, { CODE: back.searchParams.get('code')! })]);
  assert.match(sites, /^\[\{.*"name":"Cottage"/);
});

const sectionOf = (title: string): string => document.split(`## ${title}\n`)[1]!.split('\n## ')[0]!;

/** Values for the placeholders of the document. */
const fill = (block: string, values: Record<string, string>): string =>
  block.replace(/^(\w+)=\S*(?:…|example\.org)$/gm, (_, name: string) => `${name}='${values[name]}'`);

async function paste(lines: string[]): Promise<string> {
  const { code, output } = await pasteToBash(lines, { env: {}, timeout: 30_000 });
  assert.equal(code, 0, output);
  return output;
}

test('every requirement names a test file that exists', () => {
  const [, requirements = ''] = document.split('## Requirements');
  const rows = requirements.split('\n').filter((line) => line.startsWith('| ') && !/^\| (Requirement|---)/.test(line));
  assert.ok(rows.length > 30);
  for (const row of rows) {
    const [, file] = row.match(/\(\.\.\/(test\/oauth\/[\w-]+\.test\.ts)\) \|$/) ?? assert.fail(row);
    assert.ok(existsSync(new URL(`../../${file}`, import.meta.url)), row);
  }
});
