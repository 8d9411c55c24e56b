import assert from 'node:assert/strict';
import { test } from 'node:test';
import { updateContract } from '#contract/cloud/contract.ts';
import { updateSite } from '#contract/cloud/sites.ts';
import { signInWith } from '../stack/owner.ts';
import { chromiumMissing } from './chromium.ts';
import { takePicture } from './picture.ts';
import { goSettled, tooWide, walkSettled } from './settled.ts';
import { sharedHome } from './shared.ts';
import { signedIn } from './signed-in.ts';
import { openVisits } from './visits.ts';

const paper = { width: 718, height: 1040 }; // A4 less its margins, at 96 pixels per inch
const mostSheets = 5;

/** Parts of the page that cannot be used on paper. */
const controls =
  '.rail, .head, .skip, button:not(.chart-legend *), .button, summary, input:is([type=range], [type=date], [type=time])';

test('pages on paper', { skip: chromiumMissing, timeout: 120_000 }, async (t) => {
  const { state } = await sharedHome();
  const params = { site_id: state.site_id };
  const { api } = await signInWith(state);
  await api.call(updateSite, { params, body: { price_area: 'SE3' } });
  await api.call(updateContract, { params, body: { periods: [{ valid_from: '2026-01-01', pricing: 'spot' }] } });
  const visits = await openVisits(t);
  await using visitor = await signedIn(visits, state, { colorScheme: 'dark', viewport: paper });
  const { page } = visitor;
  const home = `/app/sites/${state.site_id}`;
  await goSettled(page, `${state.cloud_url}${home}`);
  await page.emulateMedia({ media: 'print' });
  const device = `/devices/${state.devices[0]!.device_id}`;
  const ofHome = ['', '/history', '/bill', '/contract', '/prices', '/devices', device].map((end) => home + end);
  for (const path of [...ofHome, '/app/profile', '/app/map']) {
    await t.test(
      `${path.replace(home, 'the home ').replace(device, '/device')} has its content only, dark on white`,
      async () => {
        await walkSettled(page, path);
        await page.locator('main .card').first().waitFor();
        const shown = await page
          .locator(controls)
          .evaluateAll((all) =>
            all.filter((each) => each.checkVisibility()).map((each) => each.outerHTML.slice(0, 80)),
          );
        assert.deepEqual(shown, []);
        assert.deepEqual(await tooWide(page), []);
        const [card, ink] = await page.evaluate<[string, string]>(
          "['main .card', 'main h1'].map((each) => getComputedStyle([...document.querySelectorAll(each)].at(-1))).map((style, i) => i ? style.color : style.backgroundColor)",
        );
        assert.equal(card, 'rgb(255, 255, 255)');
        assert.match(ink, /^rgb\([0-5]?\d, [0-5]?\d, [0-5]?\d\)$/);
        assert.match(await page.getByRole('main').innerText(), /\d/);
        await takePicture(page, `paper-${path.split('/').slice(4).join('-') || path.slice(5)}`);
      },
    );
  }

  await t.test('a bill fits on a few sheets', async () => {
    await walkSettled(page, `${home}/bill`);
    const sheets = (await page.pdf({ format: 'A4' })).toString('latin1').match(/\/Type \/Page\b/g);
    assert.ok(sheets && sheets.length <= mostSheets, `${sheets?.length} sheets`);
  });
});
