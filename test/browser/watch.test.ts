import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { listenOnLoopback } from '../listen-on-loopback.ts';
import { accessibilityFindings } from './accessibility.ts';
import { chromiumMissing, launchChromium } from './chromium.ts';
import { tooWide } from './settled.ts';
import { type Noticed, watch } from './visits.ts';

const badPage = `<!doctype html>
<html lang="en">
  <title>Bad</title>
  <script>globalThis.ran = true</script>
  <main style="width: 3000px">
    <h1>Bad</h1>
    <img src="http://elsewhere.example/picture.png">
    <p><font color="#eeeeee">hardly there</font></p>
    <table width="3000"><tr><td>wide</td></tr></table>
  </main>
</html>`;

test('forbidden events on a page are noticed', { skip: chromiumMissing, timeout: 60_000 }, async (t) => {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html');
    response.setHeader('content-security-policy', "default-src 'none'; script-src 'self'; img-src *");
    response.end(badPage);
  });
  t.after(() => server.close());
  const port = await listenOnLoopback(server);
  const browser = await launchChromium();
  t.after(() => browser.close());
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
  const noticed: Noticed = { mistakes: new Set(), outside: new Set() };
  watch(context, noticed);
  const page = await context.newPage();
  await page.goto(`http://localhost:${port}/`);
  await page.evaluate('void Promise.resolve().then(() => { throw new Error("too late") })');
  await page.evaluate('setTimeout(() => alert("look"))');
  await page.waitForTimeout(200);

  assert.deepEqual([...noticed.outside], ['http://elsewhere.example/picture.png']);
  const mistakes = [...noticed.mistakes].join('\n');
  for (const told of [/inline script/, /inline style/, /too late/, /an? alert that says look/]) {
    assert.match(mistakes, told);
  }
  assert.equal(await page.evaluate('"ran" in globalThis'), false);
  const findings = (await accessibilityFindings(page)).join('\n');
  for (const told of [/^image-alt: /m, /^color-contrast: /m]) assert.match(findings, told);
  assert.notDeepEqual(await tooWide(page), []);
});
