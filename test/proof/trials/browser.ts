import { attackAcrossSites, foreignHosts, launchRebound } from '../../browser/cross-site.ts';
import { openDoorless, openGatewayVictim, type Victim } from '../../browser/foreign-victim.ts';
import type { Outcome, Proof } from '../proof.ts';

/** Attacks until so many attempts were made, on a new victim each time. */
async function attackUntil(count: number, open: () => Promise<Victim>): Promise<Outcome> {
  const browser = await launchRebound();
  const notes: string[] = [];
  let tried = 0;
  try {
    while (tried < count) {
      for (const host of foreignHosts) {
        await using victim = await open();
        tried += await attackAcrossSites(browser, host, victim);
        notes.push(...(await victim.effects()).map((effect) => `from ${host}: ${effect}`));
      }
    }
  } finally {
    await browser.close();
  }
  return { tried, failed: notes.length, notes };
}

export const crossSite: Proof = {
  id: 'S29',
  what: 'Attempts of a foreign page in Chromium on every route that changes something, with an effect',
  full: 5000,
  seconds: 90,
  attempt: (count) => attackUntil(count, () => openGatewayVictim()),
  planted: () => attackUntil(1, openDoorless),
};
