import { attackAcrossSites, foreignHosts, launchRebound, leastArrived } from '../../browser/cross-site.ts';
import { mutating, openDoorless, openGatewayVictim, type Victim } from '../../browser/foreign-victim.ts';
import type { Outcome, Proof } from '../proof.ts';

/** Attacks a new victim each time until that many requests have arrived. */
async function attackUntil(count: number, open: () => Promise<Victim>): Promise<Outcome> {
  const browser = await launchRebound();
  const wrong: string[] = [];
  let [attempts, tried, questions] = [0, 0, 0];
  try {
    while (tried < count) {
      for (const host of foreignHosts) {
        await using victim = await open();
        attempts += await attackAcrossSites(browser, host, victim);
        const arrived = await victim.arrived();
        tried += arrived.requests;
        questions += arrived.questions;
        wrong.push(...(await victim.effects()).map((effect) => `from ${host}: ${effect}`));
        // Without an effect the trial would never end.
        if (arrived.atRoutes < leastArrived(mutating))
          throw new Error(`Only ${arrived.atRoutes} requests from ${host} arrived.`);
      }
    }
  } finally {
    await browser.close();
  }
  const kept = attempts - tried - questions;
  const said = `of ${attempts} attempts ${tried} arrived, ${questions} were preflights, the browser blocked ${kept}`;
  return { tried, failed: wrong.length, notes: [said, ...wrong] };
}

export const crossSite: Proof = {
  id: 'S29',
  what: 'Requests of a foreign page in Chromium, for every route that changes something, that arrived and had an effect',
  full: 5000,
  seconds: 120,
  load: 1,
  attempt: (count) => attackUntil(count, () => openGatewayVictim()),
  planted: () => attackUntil(1, openDoorless),
};
