import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { priceServerRoutes } from '#contract/price/routes.ts';
import { listenWithMarket } from '../price/listening-price.ts';
import { root } from '../source-files.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { blocksOf, pasteToBash, toolsMissing } from './document-lines.ts';

const text = readFileSync(join(root, 'docs/prices.md'), 'utf8');
const blocks = blocksOf(text, 'bash');
const patienceMs = 60_000;

suite('docs/prices.md', { timeout: patienceMs }, () => {
  test('has only lines that work', { skip: toolsMissing('bash', 'curl', 'sed') }, async (t) => {
    await using service = await listenWithMarket(temporaryFolder(t));
    const { code, output } = await pasteToBash(blocks, { env: { PRICE: service.url }, timeout: patienceMs });
    assert.equal(code, 0, output);
    assert.ok(output.includes('"provider":"Simulated market"'));
    assert.ok(output.includes('Publication_MarketDocument'));
  });

  test('names the documents that describe every route', async (t) => {
    await using service = await listenWithMarket(temporaryFolder(t));
    const named = [...text.matchAll(/`(\/[\w/]*openapi\.json)`/g)].map(([, path]) => path!);
    const pathsIn = async (document: string): Promise<string[]> => {
      const { paths } = (await (await fetch(`${service.url}${document}`)).json()) as { paths: object };
      return Object.keys(paths);
    };
    const routes = new Set(priceServerRoutes.map(({ path }) => path));
    assert.deepEqual(new Set(await pathsIn('/openapi.json')), routes);
    const onTheCloud = (await Promise.all(named.filter((path) => path !== '/openapi.json').map(pathsIn))).flat();
    const left = [...routes].filter((path) => !onTheCloud.includes(path) && !path.startsWith('/services/price/'));
    assert.deepEqual(left, ['/health', '/ready', '/metrics']);
  });

  test('has a line for every route of the service', () => {
    const asked = [...blocks.join('').matchAll(/\$PRICE(\/[^"?\s]*)/g)].map(([, path]) => path!);
    for (const { method, path } of priceServerRoutes) {
      const pattern = new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`);
      assert.ok(
        asked.some((each) => pattern.test(each)),
        `${method} ${path}`,
      );
    }
  });
});
