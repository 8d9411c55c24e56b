import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import {
  type GoalChanges,
  getPlanGoals,
  type PlanGoals,
  type SitePlan,
  updatePlanGoals,
  type WhatIf,
} from '#contract/cloud/plans.ts';
import { getSite } from '#contract/cloud/sites.ts';
import { signInWith } from '../stack/owner.ts';
import { until } from '../until.ts';
import { accessibilityFindings } from './accessibility.ts';
import { button, card, choose } from './by-role.ts';
import { chromiumMissing } from './chromium.ts';
import { goalsOf, historyOf, planOf } from './example-plan.ts';
import { takePicture } from './picture.ts';
import { goSettled, tooWide } from './settled.ts';
import { sharedHome } from './shared.ts';
import { signedIn } from './signed-in.ts';
import { openVisits, phone } from './visits.ts';

const swedish = { locale: 'sv-SE', colorScheme: 'dark', viewport: phone } as const;

// The answers are examples, so that what the page shows is known; the answers of the platform have tests of their own.
test('plans', { skip: chromiumMissing, timeout: 200_000 }, async (t) => {
  const { state } = await sharedHome();
  const visits = await openVisits(t);
  const owner = await signedIn(visits, state);
  const { api } = await signInWith(state);
  const site = await api.call(getSite, { params: { site_id: state.site_id } });
  const derOf = (type: string): string => site.devices.flatMap(({ ders }) => ders).find((der) => der.type === type)!.id;
  const home = `${state.cloud_url}/app/sites/${site.id}`;
  const storages = { batteryId: derOf('battery'), carId: derOf('ev_charger_port') };

  /** Answers like a platform with a plan, and returns what the page sent. */
  async function answerPlans(page: Page) {
    let goals: PlanGoals = goalsOf(site.id, storages.carId);
    const sent: GoalChanges[] = [];
    const plan = (): SitePlan => ({
      ...planOf(site.id, storages, Date.now()),
      mode: goals.mode,
      ...(goals.paused_until !== null && { status: 'paused' as const }),
    });
    await page.route(/\/sites\/[^/]+\/plan$/, (route) =>
      route.request().resourceType() === 'document' ? route.fallback() : route.fulfill({ json: plan() }),
    );
    await page.route(/\/plan\/history/, (route) => route.fulfill({ json: historyOf(site.id) }));
    await page.route(/\/plan\/goals/, (route) => {
      const request = route.request();
      if (request.method() === 'PUT') {
        const changes: GoalChanges = request.postDataJSON();
        sent.push(changes);
        goals = { ...goals, ...changes };
      }
      return route.fulfill({ json: goals });
    });
    await page.route(/\/plan\/preview/, (route) =>
      route.fulfill({ json: { plan: plan(), cost: 39.4, current_cost: 38.2, difference: 1.2 } }),
    );
    return sent;
  }

  await t.test('the plan page explains each quarter of an hour, by keyboard too', async () => {
    await using visitor = await owner.tab();
    const { page } = visitor;
    const sent = await answerPlans(page);
    await goSettled(page, `${home}/plan`);
    await page.getByText('The gateway follows this plan.').waitFor();
    const slider = page.getByRole('slider', { name: /^Plan, by the quarter/ });
    await slider.focus();
    await page.keyboard.press('End');
    assert.match((await slider.getAttribute('aria-valuetext'))!, /Battery .*per kWh, assumed/);
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowRight');
    assert.equal(await slider.getAttribute('aria-valuenow'), '1');
    assert.deepEqual(await accessibilityFindings(page), []);
    await takePicture(page, 'plan');

    const departure = page.getByRole('slider', { name: /^Departure of/ });
    await departure.focus();
    await page.keyboard.press('ArrowLeft');
    await page.getByText(/costs SEK\s1\.20 more/).waitFor();
    assert.equal(sent.length, 0);
    await button(page, 'Keep 06:45').click();
    await button(page, 'Keep 06:45').waitFor({ state: 'detached' });
    assert.equal(sent[0]?.cars?.[0]?.by, '06:45');

    await button(page, 'Pause for today').click();
    await page.getByText('Paused. Devices are in automatic mode.').waitFor();
    assert.ok(Date.parse(sent.at(-1)!.paused_until!) > Date.now());
    await button(page, 'Resume').click();
    await button(page, 'Pause for today').waitFor();
    await choose(card(page, 'How plans are used'), 'Show only');
    await page.getByText('nothing is controlled').waitFor();
    assert.deepEqual(sent.at(-1), { mode: 'show' });
  });

  await t.test('the home page shows the next three changes, in Swedish on a phone as well', async () => {
    await using inSwedish = await signedIn(visits, state, swedish);
    const { page } = inSwedish;
    await answerPlans(page);
    await goSettled(page, home);
    await card(page, 'Nästa ändringar').getByRole('listitem').nth(2).waitFor();
    assert.equal(await card(page, 'Nästa ändringar').getByRole('listitem').count(), 3);
    await takePicture(page, 'home-with-plan-phone');
    assert.equal(await page.locator('main [lang=en]').count(), 0);
    await goSettled(page, `${home}/plan`);
    await page
      .getByText(/^Sparar 21,70\skr jämfört med egenanvändning utan plan: 15,20\skr mindre i effektavgift/)
      .waitFor();
    await page.getByText('Nya priser publicerades.').waitFor();
    await page.getByText('Inga färska avläsningar från BAT-1.').waitFor();
    await page.getByText(/^Bilen vid Garage planeras inte/).waitFor();
    assert.equal(await page.locator('main [lang=en]').count(), 0);
    assert.deepEqual(await accessibilityFindings(page), []);
    assert.deepEqual(await tooWide(page), []);
    await takePicture(page, 'plan-phone');
  });

  await t.test(
    'each departure of a car can be changed, and changes of two people do not overwrite each other',
    async () => {
      const params = { site_id: site.id };
      const { cars: before } = await api.call(getPlanGoals, { params });
      const known = { der_id: storages.carId, target_pct: 80, by: '07:00', days: [1, 2, 3, 4, 5] };
      await api.call(updatePlanGoals, { params, body: { cars: [known] } });
      const stored = async () => (await api.call(getPlanGoals, { params })).cars;
      await using visitor = await owner.tab();
      const { page } = visitor;
      await goSettled(page, `${home}/plan`);
      const goals = card(page, 'Goals');
      await button(goals, 'Add a departure').click();
      const second = goals.getByRole('group', { name: 'Departure 2' });
      assert.deepEqual(await second.getByRole('checkbox', { checked: true }).count(), 2, 'the weekend is left');
      await second.getByLabel('Departure', { exact: true }).fill('10:30');
      await second.getByLabel('Charged to (percent)').fill('60');
      await second.getByLabel('Sun').uncheck();
      await button(goals, 'Save goals').click();
      await goals.getByText('Goals saved.').waitFor();
      assert.deepEqual(await stored(), [known, { ...known, target_pct: 60, by: '10:30', days: [6] }]);
      await page.getByRole('slider', { name: /^Departure of .*, Mon–Fri$/ }).waitFor();
      assert.deepEqual(await accessibilityFindings(page), []);

      // Other cards of the page change the goals meanwhile; entries that are not saved stay.
      await goals.getByLabel('Stay below (kW)').fill('7.5');
      await button(page, 'Pause for today').click();
      await button(page, 'Resume').click();
      await button(page, 'Pause for today').waitFor();
      assert.equal(await goals.getByLabel('Stay below (kW)').inputValue(), '7.5');
      await button(goals, 'Save goals').click();
      await goals.getByText('Goals saved.').waitFor();
      assert.equal((await api.call(getPlanGoals, { params })).max_import_w, 7500);
      await api.call(updatePlanGoals, { params, body: { max_import_w: null } });
      await goSettled(page, `${home}/plan`);

      await api.call(updatePlanGoals, { params, body: { cars: [known] } });
      await second.getByLabel('Charged to (percent)').fill('70');
      await button(goals, 'Save goals').click();
      await goals.getByText(/^This was changed elsewhere/).waitFor();
      assert.equal(await second.getByLabel('Charged to (percent)').inputValue(), '70');
      assert.deepEqual(await stored(), [known]);
      await api.call(updatePlanGoals, { params, body: { cars: before } });
    },
  );

  await t.test('a plan says what it cannot keep, and that no gateway has confirmed it', async () => {
    await using visitor = await owner.tab();
    const { page } = visitor;
    const known = planOf(site.id, storages, Date.now());
    const relaxed = [{ what: 'goal', storage: storages.carId, wh: 10_800 }];
    const json = { ...known, progress: null, plan: { ...known.plan!, relaxed } };
    await page.route(/\/sites\/[^/]+\/plan$/, (route) =>
      route.request().resourceType() === 'document' ? route.fallback() : route.fulfill({ json }),
    );
    await goSettled(page, `${home}/plan`);
    await page.getByText(/^The gateway has not confirmed this plan\./).waitFor();
    await page.getByText(/has 10\.8\skWh less than the goals ask for\.$/).waitFor();
    const gateways = [
      { gateway_serial: 'gw-1', progress: known.progress },
      { gateway_serial: 'gw-2', progress: null },
    ];
    Object.assign(json, { gateways });
    await page.reload();
    await page.getByText(/^gw-1: The gateway follows this plan\./).waitFor();
    await page.getByText(/^gw-2: The gateway has not confirmed this plan\./).waitFor();
    await takePicture(page, 'plan-two-gateways');
    await page.setViewportSize(phone);
    await takePicture(page, 'plan-two-gateways-phone');
  });

  await t.test('the sizes that devices do not report are entered with the goals', async () => {
    const params = { site_id: site.id };
    const stored = async () => (await api.call(getPlanGoals, { params })).storages;
    const before = await stored();
    await api.call(updatePlanGoals, { params, body: { storages: [] } });
    await using visitor = await owner.tab();
    const { page } = visitor;
    await page.route(/\/sites\/[^/]+\/plan$/, (route) =>
      route.request().resourceType() === 'document' ? route.fallback() : route.fulfill({ json: lacking }),
    );
    const message = 'Inverter does not report the capacity of its battery. Enter it in the goals.';
    const lacking = { site_id: site.id, status: 'waiting', mode: 'show', message, plan: null, progress: null };
    await goSettled(page, `${home}/plan`);
    await page.getByText(message).waitFor();
    const goals = card(page, 'Goals');
    await goals.getByLabel('Usable capacity (kWh)').fill('9.6');
    await goals.getByLabel('Energy of an average day (kWh)').fill('8');
    await button(goals, 'Save goals').click();
    await goals.getByText('Goals saved.').waitFor();
    const { batteryId, carId } = storages;
    assert.deepEqual(await stored(), [
      { der_id: batteryId, capacity_wh: 9600 },
      { der_id: carId, energy_needed_wh: 8000 },
    ]);
    assert.deepEqual(await accessibilityFindings(page), []);
    await goals.getByLabel('Energy of an average day (kWh)').fill('');
    await button(goals, 'Save goals').click();
    await until(async () => (await stored()).length === 1);
    await api.call(updatePlanGoals, { params, body: { storages: before } });
  });

  await t.test('another battery is asked for, and the answer has its assumptions', async () => {
    await using visitor = await owner.tab();
    const { page } = visitor;
    let body: unknown;
    await page.route(/\/what-if$/, (route) => {
      const request = route.request();
      if (request.method() !== 'POST') return route.fallback();
      body = request.postDataJSON();
      return route.fulfill({ json: answer });
    });
    const outcome = (total: number) => ({ total, import_wh: 11_000_000, export_wh: 1_200_000 });
    const answer: WhatIf = {
      site_id: site.id,
      from: '2025-11-18T23:00:00.000Z',
      to: '2026-11-18T23:00:00.000Z',
      currency: 'SEK',
      actual: outcome(21_000),
      self_consumption: outcome(19_500),
      planned: outcome(17_200),
      saved: 3800,
      assumed: ['Battery: 10.0 kWh and 5.0 kW.'],
    };
    await goSettled(page, `${home}/what-if`);
    await page.getByLabel('Battery (kWh)').fill('10');
    await button(page, 'Calculate').click();
    await card(page, 'You would have saved')
      .getByText(/SEK\s3,800/)
      .waitFor();
    assert.deepEqual(body, { battery_wh: 10_000 });
    await page.getByText('Assumptions').click();
    await page.getByText('Battery: 10.0 kWh and 5.0 kW.').waitFor();
    assert.deepEqual(await accessibilityFindings(page), []);
    await takePicture(page, 'what-if');
  });
});
