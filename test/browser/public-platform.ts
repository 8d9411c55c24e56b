import type { Page } from 'playwright-core';

export const publicPlatform = 'https://energy.example';

/** Shows the pages of a gateway as if its platform had a public address; that of the test is on this computer only. */
export async function pretendPublicPlatform(page: Page, gatewayUrl: string): Promise<void> {
  const answer = await page.request.get(`${gatewayUrl}/api/status`, { headers: { 'x-api-form': 'later' } });
  const json = { ...(await answer.json()), cloud_url: publicPlatform };
  // A handler that waits for the gateway could outlive the page, which asks again every second.
  await page.route('**/api/status', (route) => route.fulfill({ json }));
}
