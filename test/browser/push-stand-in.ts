import type { BrowserContext } from 'playwright-core';

export type PushSubscription = { endpoint: string; keys: { p256dh: string; auth: string } };

/**
 * Lets the pages subscribe with this subscription: the push service of a browser belongs to its maker, and is on the
 * internet.
 */
export const standInForPush = (context: BrowserContext, subscription: PushSubscription): Promise<unknown> =>
  context.addInitScript(`
    const subscription = ${JSON.stringify(subscription)};
    const known = { ...subscription, toJSON: () => subscription };
    PushManager.prototype.subscribe = async () => {
      localStorage.setItem('subscribed', 'yes');
      return known;
    };
    PushManager.prototype.getSubscription = async () => (localStorage.getItem('subscribed') ? known : null);`);
