import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePort } from '../free-port.ts';
import { selfSigned } from '../self-signed.ts';
import { root } from '../source-files.ts';

const shipped = join(root, 'deploy/proxy');
const streamModule = '/usr/lib/nginx/modules/ngx_stream_module.so'; // Debian loads it, the nginx image has it built in

export type Nginx = AsyncDisposable & {
  httpsUrl: string;
  httpUrl: string;
  mqttsUrl: string;
  /** what the inside calls */
  insideUrl: string;
  /** of the authority that signs its certificate */
  certificate: string;
};

/** Addresses of the platform in the shipped files and here, by the port there. */
export type Upstreams = { 8080: string[]; 1883: string[] };

type Place = { folder: string; shape: 'one-machine' | 'cluster' | 'nodes'; upstreams: Upstreams };

/** The shipped proxy on free ports of this machine. `inside` is known before, since a broker needs it. */
export async function startNginx(place: Place & { inside: number }): Promise<Nginx> {
  const { folder, inside } = place;
  const ports = { 8443: await freePort(), 8883: await freePort(), 8080: await freePort(), 8081: inside };
  await layOut(place, ports);
  const child = spawn('nginx', [...argumentsIn(folder), '-g', `daemon off; ${modules()}`], { stdio: 'ignore' });
  const kill = (): boolean => child.kill('SIGTERM');
  process.once('exit', kill);
  const ended = once(child, 'exit');
  while (child.exitCode === null && !(await listens(ports[8443]))) await sleep(20);
  if (child.exitCode !== null) throw new Error(`nginx ended with ${child.exitCode}: ${await checkNginx(place)}`);
  return {
    httpsUrl: `https://127.0.0.1:${ports[8443]}`,
    httpUrl: `http://127.0.0.1:${ports[8080]}`,
    mqttsUrl: `mqtts://127.0.0.1:${ports[8883]}`,
    insideUrl: `http://127.0.0.1:${inside}`,
    certificate: await readFile(join(folder, 'tls/fullchain.pem'), 'utf8'),
    async [Symbol.asyncDispose]() {
      process.off('exit', kill);
      kill();
      await ended;
    },
  };
}

/** The errors that nginx finds in the shipped files; empty without any. */
export async function checkNginx(place: Place): Promise<string> {
  await layOut(place, {});
  const { stderr } = await promisify(execFile)('nginx', [...argumentsIn(place.folder), '-t', '-g', modules()]);
  return stderr.replaceAll(
    /^nginx: (the configuration file .* syntax is ok|configuration file .* is successful)\n/gm,
    '',
  );
}

async function layOut({ folder, shape, upstreams }: Place, ports: Record<number, number>): Promise<void> {
  await chmod(folder, 0o755); // its workers run as another user when root starts it
  await mkdir(join(folder, 'tls'), { recursive: true });
  await cp(join(shipped, shape), join(folder, 'upstream'), { recursive: true });
  const conf = await readFile(join(shipped, 'nginx.conf'), 'utf8');
  const moved = conf
    .replaceAll(
      /(listen +)(\d+)/g,
      (_, listen: string, port: string) => `${listen}127.0.0.1:${ports[Number(port)] ?? port}`,
    )
    .replace('/dev/stdout', 'access.log'); // which is a socket here, and cannot be opened by its name
  await writeFile(join(folder, 'nginx.conf'), moved);
  for (const [name, port] of [
    ['cloud', 8080],
    ['mqtt', 1883],
  ] as const) {
    const file = join(folder, 'upstream', `${name}.conf`);
    const text = await readFile(file, 'utf8');
    const places = upstreams[port].values();
    const server = new RegExp(`^( +server +)[\\d.]+:${port}(.*\\n)`, 'gm');
    await writeFile(
      file,
      text.replaceAll(server, (_, before: string, after: string) => {
        const place = places.next().value;
        return place === undefined ? '' : `${before}${place}${after}`; // fewer servers than in the file
      }),
    );
  }
  const keyFile = join(folder, 'tls/privkey.pem');
  if (existsSync(keyFile)) return;
  const { cert, key } = selfSigned('IP:127.0.0.1');
  await writeFile(keyFile, key);
  await writeFile(join(folder, 'tls/fullchain.pem'), cert);
}

const argumentsIn = (folder: string): string[] => ['-p', folder, '-c', join(folder, 'nginx.conf'), '-e', 'stderr'];

const modules = (): string => (existsSync(streamModule) ? `load_module ${streamModule};` : '');

const listens = (port: number): Promise<boolean> =>
  new Promise((answer) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('error', () => answer(false)).once('connect', () => answer(true));
    socket.once('connect', () => socket.destroy());
  });

/** The reason to skip a test, or false. On CI nothing is skipped. */
export function nginxMissing(): string | false {
  const { stderr, error } = spawnSync('nginx', ['-V'], { encoding: 'utf8' });
  const hasStreams = !error && (/--with-stream( |$)/.test(stderr) || existsSync(streamModule));
  if (hasStreams && !spawnSync('openssl', ['version']).error) return false;
  const sentence = 'The proxy is tried with nginx, its stream module and OpenSSL, which are not all here.';
  if (process.env.CI) throw new Error(sentence);
  return sentence;
}
