import { Problem } from '#contract/problem.ts';
import { texts } from '../../parts/text.ts';

const t = texts({
  denied: 'Notifications from this platform are blocked in the settings of this browser.',
});

/** Returns the worker that shows notifications; undefined if notifications are not available in this browser. */
export async function notificationWorker(): Promise<ServiceWorkerRegistration | undefined> {
  if (!('serviceWorker' in navigator) || !('PushManager' in globalThis)) return undefined;
  const registration = await navigator.serviceWorker.getRegistration('/'); // `ready` would wait forever without one
  return registration && navigator.serviceWorker.ready;
}

/** Asks for permission, and subscribes this browser to messages that are signed with the key. */
export async function subscribe(worker: ServiceWorkerRegistration, publicKey: string) {
  if ((await Notification.requestPermission()) !== 'granted') throw new Problem('forbidden', t('denied'));
  const known = await worker.pushManager.getSubscription();
  const subscription =
    known ?? (await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey }));
  const { endpoint = '', keys = {} } = subscription.toJSON();
  return { endpoint, keys: { p256dh: keys.p256dh ?? '', auth: keys.auth ?? '' } };
}

/** Returns the hash by which the platform names the subscription of this browser, if any. */
export async function ownEndpointHash(worker: ServiceWorkerRegistration | undefined): Promise<string | undefined> {
  const subscription = await worker?.pushManager.getSubscription();
  if (!subscription) return undefined;
  const bytes = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(subscription.endpoint));
  const text = btoa(String.fromCharCode(...new Uint8Array(bytes)));
  return text.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

/** Returns a name for this browser, such as Firefox on Android. */
export function browserName(agent = navigator.userAgent): string {
  const browser = /(Edg|OPR|Firefox|Chrome|Safari)\//.exec(agent)?.[1] ?? 'Browser';
  const system = /(iPhone|iPad|Android|Windows|Macintosh|Linux)/.exec(agent)?.[1];
  const names: Record<string, string> = { Edg: 'Edge', OPR: 'Opera', Macintosh: 'Mac' };
  return [browser, system]
    .map((name) => name && (names[name] ?? name))
    .filter(Boolean)
    .join(', ');
}
