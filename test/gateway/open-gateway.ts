import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startGateway } from '#gateway/main.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
type Called = { status: number; body: any; headers: Headers };

/** A whole gateway on its own port, with a temporary folder. */
export async function openGateway(env: Record<string, string> = {}) {
  const { path: folder, remove } = await mkdtempDisposable(join(tmpdir(), 'ohmstead-gateway-'));
  const lines: string[] = [];
  const logTo = { write: (line: string) => void lines.push(line) };
  const start = () =>
    startGateway(
      {
        GATEWAY_DATA_DIR: folder,
        GATEWAY_PORT: '0',
        GATEWAY_HOST: '127.0.0.1',
        MDNS: 'off',
        LOG_LEVEL: 'debug',
        ...env,
      },
      { version: '0.0.0-test', logTo },
    );
  let gateway = await start();

  return {
    folder,
    lines,
    get url() {
      return gateway.url;
    },
    get serial() {
      return gateway.serial;
    },
    async call(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Called> {
      const answer = await fetch(gateway.url + path, {
        method,
        headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
      const text = await answer.text();
      return { status: answer.status, body: text === '' ? undefined : JSON.parse(text), headers: answer.headers };
    },
    /** Restarts it on the same folder. */
    async restart(): Promise<void> {
      await gateway.close();
      gateway = await start();
    },
    async close(): Promise<void> {
      await gateway.close();
      await remove();
    },
  };
}
