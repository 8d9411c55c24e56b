import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { button, card } from './by-role.ts';
import type { Visitor } from './visits.ts';

export async function testAlerts(t: TestContext, owner: Visitor, home: string): Promise<void> {
  await t.test('alerts: a rule is changed, the site is followed, and a webhook is added and tested', async () => {
    await using visitor = await owner.tab();
    const { page } = visitor;
    await page.goto(`${home}/settings`);
    await page.getByRole('link', { name: 'Alerts' }).click();
    const receivers = card(page, 'Where you receive them');
    await receivers.getByText('This platform cannot send e-mail').waitFor();
    await receivers
      .getByText('Notifications are not available in this browser.')
      .or(button(page, 'Notify this browser'))
      .waitFor();
    await receivers.getByLabel('Send me the alerts of this site').check();
    await receivers.getByLabel('Quiet hours').check();
    await receivers.getByLabel('From').fill('23:30');
    await receivers.getByRole('button', { name: 'Save' }).click();
    await receivers.getByText('You have no browser or address yet that receives them.').waitFor();
    await receivers.getByText('Saved.', { exact: true }).waitFor();
    const rules = card(page, 'Alerts you receive');
    await rules.getByLabel('A battery is low').check();
    await rules.getByLabel('State of charge in percent').fill('15');
    await rules.getByRole('button', { name: 'Save rules' }).click();
    await rules.getByText('Rules saved.').waitFor();
    const hooks = card(page, 'Webhooks and ntfy');
    await hooks.getByLabel('Address').fill('http://192.168.1.2/hook');
    await hooks.getByRole('button', { name: 'Add' }).click();
    await hooks.getByText(/private network/).waitFor();
    await hooks.getByLabel('Address').fill('https://hooks.invalid/hook');
    await hooks.getByRole('button', { name: 'Add' }).click();
    await hooks.getByText(/shown only now/).waitFor();
    await hooks.getByRole('button', { name: 'Send a test' }).click();
    await hooks.getByText(/Not reachable/).waitFor();
    await page.reload();
    assert.equal(await receivers.getByLabel('From').inputValue(), '23:30');
    assert.equal(await rules.getByLabel('State of charge in percent').inputValue(), '15');
  });
}
