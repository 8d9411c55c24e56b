// Serves the shell of the pages while the platform cannot be reached, and shows push messages.
// Answers of the API are never stored here; `last-values.ts` stores the last values of a site in the page.

/** The files that the shell and the page Home need, by the build (`web/build/shell.ts`). */
declare const __SHELL__: { version: string; files: string[] };

const { version, files } = __SHELL__;
const cacheName = `ohmstead-${version}`;
const documentPath = '/app';
const patienceMs = 5000; // then a connection that answers nothing counts as none

// The types of workers contradict those of pages, so this file has those that it uses.
type Waiting = { waitUntil(work: Promise<unknown>): void };
type FetchEvent = Event & Waiting & { request: Request; respondWith(answer: Promise<Response>): void };
type PushEvent = Event & Waiting & { data: { json(): unknown } | null };
type ClickEvent = Event & Waiting & { notification: Notification };
type Tab = { url: string; focus(): Promise<Tab>; navigate(url: string): Promise<unknown> };
type Events = { install: Event & Waiting; activate: Event & Waiting; fetch: FetchEvent; push: PushEvent };
type Scope = {
  addEventListener<Name extends keyof Events>(name: Name, handle: (event: Events[Name]) => void): void;
  addEventListener(name: 'notificationclick', handle: (event: ClickEvent) => void): void;
  skipWaiting(): Promise<void>;
  registration: ServiceWorkerRegistration;
  clients: {
    claim(): Promise<void>;
    matchAll(options: { type: 'window'; includeUncontrolled: boolean }): Promise<Tab[]>;
    openWindow(url: string): Promise<unknown>;
  };
};
const worker = globalThis as unknown as Scope;

worker.addEventListener('install', (event) => event.waitUntil(install()));

async function install(): Promise<void> {
  const cache = await caches.open(cacheName);
  await cache.addAll([documentPath, ...files].map((path) => new Request(path, { cache: 'reload' })));
  await worker.skipWaiting();
}

worker.addEventListener('activate', (event) => event.waitUntil(activate()));

async function activate(): Promise<void> {
  const old = (await caches.keys()).filter((name) => name.startsWith('ohmstead-') && name !== cacheName);
  await Promise.all(old.map((name) => caches.delete(name)));
  await worker.clients.claim();
}

worker.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== location.origin) return;
  if (request.mode === 'navigate') {
    if (/^\/(app(\/.*)?)?$/.test(pathname)) event.respondWith(openDocument(request));
  } else if (pathname.startsWith('/assets/') || files.includes(pathname)) {
    event.respondWith(openFile(request));
  }
});

const stored = async (path: string): Promise<Response | undefined> =>
  (await caches.open(cacheName)).match(path, { ignoreVary: true });

/** Returns the document of the platform, so that nobody sees that of an earlier version; the stored one if it cannot be reached. */
async function openDocument(request: Request): Promise<Response> {
  const patience = new Promise<undefined>((resolve) => setTimeout(resolve, patienceMs));
  const answered = fetch(request);
  const answer = await Promise.race([answered, patience]).catch(() => undefined);
  if (answer && ![502, 503, 504].includes(answer.status)) return answer;
  return (await stored(documentPath)) ?? answer ?? answered;
}

/** Returns a file whose name or content is that of this version; keeps those that a page loads later. */
async function openFile(request: Request): Promise<Response> {
  const { pathname } = new URL(request.url);
  const known = await stored(pathname);
  if (known) return known;
  const answer = await fetch(request);
  if (answer.ok) await (await caches.open(cacheName)).put(pathname, answer.clone()).catch(() => undefined); // full
  return answer;
}

worker.addEventListener('push', (event) => event.waitUntil(showMessage(event.data?.json())));

/** A message of the platform; all fields are texts. */
export type PushMessage = { title: string; body: string; url: string; tag: string };

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Shows a message `{ title, body, url, tag }`; one with the same tag replaces the earlier one. */
async function showMessage(message: unknown): Promise<void> {
  const { title, body, url, tag } = (message ?? {}) as Partial<Record<keyof PushMessage, unknown>>;
  await worker.registration.showNotification(textOf(title) || 'Ohmstead', {
    body: textOf(body),
    icon: '/icon-192.png',
    badge: '/icon-192.png',
    data: textOf(url),
    ...(textOf(tag) && { tag: textOf(tag) }),
  });
}

worker.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(openPage(textOf(event.notification.data)));
});

/** Opens a page of this origin, in a tab that is open if there is one. */
async function openPage(to: string): Promise<void> {
  const url = URL.canParse(to, location.origin) ? new URL(to, location.origin) : undefined;
  const address = url?.origin === location.origin ? url.href : `${location.origin}/`;
  const tabs = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const tab =
    tabs.find((open) => open.url === address) ?? tabs.find((open) => new URL(open.url).pathname.startsWith('/app'));
  if (!tab) return void (await worker.clients.openWindow(address));
  const shown = await tab.focus();
  if (shown.url !== address) await shown.navigate(address);
}
