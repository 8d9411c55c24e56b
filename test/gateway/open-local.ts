import type { FastifyInstance } from 'fastify';
import type { LocalMount } from '#gateway/access/door.ts';
import { createLocalDoor, type LocalDoorOptions, localServerOptions } from '#gateway/access/door.ts';
import { createMount } from '#lib/http/mount.ts';
import { createServer } from '#lib/http/server.ts';
import { createLog, type Logger } from '#lib/log.ts';
import { createFakeClock } from '../fake-clock.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
type Reply = { status: number; body: any; headers: Record<string, string | undefined> };

type Call = { body?: unknown; headers?: Record<string, string> };

/** Keeps log lines for inspection. */
export function createKeptLog(): { log: Logger; lines: string[] } {
  const lines: string[] = [];
  return {
    log: createLog({ level: 'debug', name: 'test', destination: { write: (line) => void lines.push(line) } }),
    lines,
  };
}

/** The server of a gateway with its access checks, a fake clock, and the routes that the test mounts. */
export function openLocal(options: Partial<LocalDoorOptions> = {}) {
  const clock = createFakeClock(Date.parse('2026-06-01T12:00:00Z'));
  const { log, lines } = createKeptLog();
  const app: FastifyInstance = createServer({ log, apiVersion: 'test', ...localServerOptions });
  const door = createLocalDoor(app, {
    api: 'open',
    form: 'later',
    names: [],
    localToken: 'the local token of the tests',
    isClaimed: () => false,
    rate: 1_000_000,
    probeRate: 60,
    clock,
    ...options,
  });
  const mount: LocalMount = createMount(app, door);

  /** `POST /api/echo` with a body and headers, as a program on the local network sends it. */
  async function call(what: string, { body, headers = {} }: Call = {}): Promise<Reply> {
    const [method, url] = what.split(' ') as ['GET', string];
    const reply = await app.inject({
      method,
      url,
      headers: {
        host: 'localhost:8081',
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const isJson = String(reply.headers['content-type']).startsWith('application/json');
    return {
      status: reply.statusCode,
      body: isJson && reply.body !== '' ? reply.json() : reply.body,
      headers: reply.headers as Record<string, string | undefined>,
    };
  }

  return { app, mount, call, clock, log, lines };
}
