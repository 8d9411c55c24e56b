import { Agent, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as fc from 'fast-check';
import { cloudRoutes } from '#contract/cloud/routes.ts';
import type { Route } from '#contract/route.ts';
import { openCloud } from '../cloud/open-cloud.ts';
import type { Outcome } from '../proof/proof.ts';
import { matrixRoutes, nameOf } from './matrix.ts';
import { leastRole } from './policy.ts';
import { rehearse } from './rehearse.ts';
import { requestOf } from './requests.ts';
import { type Actor, buildWorld } from './world.ts';

const firstLetter = /[a-z]/;
const hexOf = (letter: string): string => `%${letter.charCodeAt(0).toString(16)}`;

/** Other spellings of a path that a careless router, proxy or policy could accept. */
const spellings: Record<string, (path: string) => string> = {
  'as it is': (path) => path,
  'a slash at the end': (path) => `${path}/`,
  'two slashes before': (path) => `/${path}`,
  'two slashes inside': (path) => path.replace(/(?<=.)\//, '//'),
  'a dot before': (path) => `/.${path}`,
  'a dot at the end': (path) => `${path}/.`,
  'a way up before': (path) => `/health/..${path}`,
  'a way up from the pages': (path) => `/app/..${path}`,
  'a way up from the public part': (path) => `/public/..;${path}`,
  'an encoded way up': (path) => `/public/%2e%2e${path}`,
  'an encoded slash and way up': (path) => `/assets/..%2f${path.slice(1)}`,
  capitals: (path) => path.toUpperCase(),
  'one capital': (path) => path.replace(firstLetter, (letter) => letter.toUpperCase()),
  'an encoded letter': (path) => path.replace(firstLetter, hexOf),
  'a letter encoded twice': (path) => path.replace(firstLetter, (letter) => `%25${hexOf(letter).slice(1)}`),
  'an overlong letter': (path) => path.replace(firstLetter, '%c1%b3'),
  'encoded slashes': (path) => `/${path.slice(1).replaceAll('/', '%2f')}`,
  backslashes: (path) => path.replaceAll('/', '\\'),
  'a full-width slash': (path) => path.replace(/(?<=.)\//, '%ef%bc%8f'),
  'a parameter': (path) => `${path};a=b`,
  'a parameter inside': (path) => path.replace(/(?<=.)\//, ';a=b/'),
  'an ending': (path) => `${path}.json`,
  'NUL at the end': (path) => `${path}%00`,
  'a space at the end': (path) => `${path}%20`,
  'a line break at the end': (path) => `${path}%0d%0a`,
  'a question mark': (path) => `${path}?`,
  'a method in the query': (path) => `${path}?_method=GET`,
  'a fragment': (path) => `${path}#x`,
  'a prefix': (path) => `/api${path}`,
  'a version': (path) => `/v1${path}`,
  'an absolute address of another host': (path) => `http://internal.example${path}`,
  'no slash before': (path) => path.slice(1),
};

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE', 'PROPFIND'];

/** Headers that some servers read as another method, address or caller. */
const headerTricks: Record<string, Record<string, string>> = {
  'no header': {},
  'a method in a header': { 'x-http-method-override': 'GET', 'x-method-override': 'GET', 'x-http-method': 'GET' },
  'an address in a header': { 'x-original-url': '/health', 'x-rewrite-url': '/health' },
  'a caller in a header': { 'x-forwarded-for': '127.0.0.1', 'x-real-ip': '127.0.0.1', 'x-user': 'root' },
};

/** Forbidden calls: an outsider on everything that belongs to somebody, a viewer on every change. */
const keptOut = ['anonymous', 'stranger', 'viewer'];

type Attempt = { who: string; route: Route; method: string; spelling: string; trick: string };

const attempt: fc.Arbitrary<Attempt> = fc.record({
  who: fc.constantFrom(...keptOut),
  route: fc.constantFrom(...matrixRoutes),
  method: fc.constantFrom(...methods),
  spelling: fc.constantFrom(...Object.keys(spellings)),
  trick: fc.constantFrom(...Object.keys(headerTricks)),
});

/** Checks that a call that is forbidden in its plain spelling is forbidden in every other, and that nothing fails. */
export async function trySpellings(count: number): Promise<Outcome> {
  const cloud = await openCloud();
  const agent = new Agent({ keepAlive: false });
  try {
    const world = await buildWorld(cloud);
    rehearse(cloud.store);
    await cloud.app.listen({ host: '127.0.0.1', port: 0 });
    const { port } = cloud.app.server.address() as AddressInfo;
    const names = Object.fromEntries(Object.entries(world.targets.own).map(([kind, { id }]) => [kind, id]));
    const notes: string[] = [];
    const waiting = fc.sample(attempt, { numRuns: count, seed: 27 });
    const tryNext = async (): Promise<void> => {
      for (let next = waiting.pop(); next; next = waiting.pop()) {
        const { who, route, method, spelling, trick } = next;
        const actor = world.actors[who]!;
        const { url, body } = requestOf(route, { ...names, client: 'cli-x' }, actor, cloud);
        const path = spellings[spelling]!(url);
        const status = await statusOf({ agent, port, method, path, actor, body, headers: headerTricks[trick]! });
        const isRefused = status >= 400 && status < 500 && status !== 429;
        const isAnswered = status < 400 || (status === 503 && /\/ready\/?$/.test(path)); // the platform is not started here
        const isRight = isRefused || isPage(method, path) || (isAnswered && mayHave(who, method, path));
        if (!isRight) notes.push(`${who}: ${method} ${path} with ${trick} was answered ${status}`);
      }
    };
    await Promise.all(Array.from({ length: 8 }, tryNext));
    return { tried: count, failed: notes.length, notes };
  } finally {
    agent.destroy();
    await cloud.close();
  }
}

type Raw = {
  agent: Agent;
  port: number;
  method: string;
  path: string;
  actor: Actor;
  body: object | undefined;
  headers: Record<string, string>;
};

/** Sent as it is, without normalising the path. */
function statusOf({ agent, port, method, path, actor, body, headers }: Raw): Promise<number> {
  const text = body && method !== 'GET' && method !== 'HEAD' ? JSON.stringify(body) : undefined;
  return new Promise((resolve, reject) => {
    const sent = request({
      agent,
      host: '127.0.0.1',
      port,
      method,
      path,
      headers: {
        ...headers,
        ...(actor.token && { authorization: `Bearer ${actor.token}` }),
        ...(text && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
      },
    });
    sent.on('error', reject);
    sent.on('response', (reply) => {
      // An open stream has no end to wait for.
      if (reply.headers['content-type']?.startsWith('text/event-stream')) reply.destroy();
      else reply.resume();
      resolve(reply.statusCode!);
    });
    sent.end(text);
  });
}

/** The document of all pages, which is public; 503 where the pages are not built. */
const isPage = (method: string, path: string): boolean =>
  (method === 'GET' || method === 'HEAD') && (path === '/' || path.startsWith('/app/'));

/** From the reviewed table: the path, read as RFC 3986 says, is a route that this actor may call. */
function mayHave(who: string, method: string, path: string): boolean {
  // RFC 9112, 3.2.2: a server accepts the absolute form. A trailing slash is ignored.
  const plain = decoded(
    path
      .replace(/^http:\/\/[^/]*/, '')
      .split(/[?#]/, 1)[0]!
      .replace(/(?<=.)\/$/, ''),
  );
  if (plain === undefined) return false;
  const asked = method === 'HEAD' ? 'GET' : method;
  return cloudRoutes
    .filter((route) => asked === route.method && patternOf(route).test(plain))
    .some((route) => {
      const least = leastRole[nameOf(route)]!;
      if (least === 'anyone') return true;
      if (who === 'anonymous' || least === 'internal') return false;
      if (least === 'identity' || least === 'holder') return true;
      const isOwnList = asked === 'GET' && !route.path.includes('{'); // of what is theirs, which may be nothing
      return isOwnList || (who === 'viewer' && least === 'viewer');
    });
}

function decoded(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}

const patternOf = ({ path }: Route): RegExp =>
  new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`);
