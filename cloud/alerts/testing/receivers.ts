import { createDecipheriv, createECDH, createHmac, hkdfSync, randomBytes, verify } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer, text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';

export type Received = { path: string; headers: IncomingHttpHeaders; body: Buffer };

/** Receives posts of alerts on this machine; `answer` may be changed by a test. */
export async function openReceiver() {
  const received: Received[] = [];
  const state = { status: 200, headers: {} as Record<string, string>, isSilent: false };
  const server = createServer((request: IncomingMessage, reply) => {
    void buffer(request).then((body) => {
      received.push({ path: request.url ?? '', headers: request.headers, body });
      if (!state.isSilent) reply.writeHead(state.status, state.headers).end('x'.repeat(100_000));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    received,
    answer: state,
    json: () => received.map(({ body }) => JSON.parse(body.toString())),
    hangUp: (): void => server.closeAllConnections(),
    close: async (): Promise<void> => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Returns whether a webhook was signed with this secret, as docs/alerts.md tells a receiver to check. */
export function isSigned({ headers, body }: Received, secret: string): boolean {
  const [, seconds = '', signature = ''] =
    /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers['ohmstead-signature'])) ?? [];
  return signature === createHmac('sha256', secret).update(`${seconds}.${body.toString()}`).digest('hex');
}

/** A browser with a push subscription, which decrypts what it receives (RFC 8291). */
export function createBrowser(endpoint: string) {
  const ecdh = createECDH('prime256v1');
  const publicKey = ecdh.generateKeys();
  const auth = randomBytes(16);
  const subscription = {
    endpoint,
    keys: { p256dh: publicKey.toString('base64url'), auth: auth.toString('base64url') },
  };

  function decrypt({ body }: Received): { title: string; body: string; url: string; tag: string } {
    const [salt, keyLength] = [body.subarray(0, 16), body[20]!];
    const serverKey = body.subarray(21, 21 + keyLength);
    const content = body.subarray(21 + keyLength);
    const info = Buffer.concat([Buffer.from('WebPush: info\0'), publicKey, serverKey]);
    const secret = Buffer.from(hkdfSync('sha256', ecdh.computeSecret(serverKey), auth, info, 32));
    const keyOf = (name: string, length: number): Buffer =>
      Buffer.from(hkdfSync('sha256', secret, salt, Buffer.from(`Content-Encoding: ${name}\0`), length));
    const decipher = createDecipheriv('aes-128-gcm', keyOf('aes128gcm', 16), keyOf('nonce', 12));
    decipher.setAuthTag(content.subarray(-16));
    const padded = Buffer.concat([decipher.update(content.subarray(0, -16)), decipher.final()]);
    return JSON.parse(padded.subarray(0, padded.lastIndexOf(2)).toString());
  }
  return { subscription, decrypt };
}

/** Returns the claims of the token in a push message if the platform's key signed it (RFC 8292). */
export function vapidClaims({ headers }: Received, publicKey: string): Record<string, unknown> | undefined {
  const [, token = '', key = ''] = /^vapid t=([^,]+), ?k=(\S+)$/.exec(String(headers.authorization)) ?? [];
  const point = Buffer.from(publicKey, 'base64url');
  const jwk = {
    kty: 'EC',
    crv: 'P-256',
    x: point.toString('base64url', 1, 33),
    y: point.toString('base64url', 33, 65),
  };
  const [head = '', claims = '', signature = ''] = token.split('.');
  const isValid = verify(
    'sha256',
    Buffer.from(`${head}.${claims}`),
    { key: jwk, format: 'jwk', dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );
  return key === publicKey && isValid ? JSON.parse(Buffer.from(claims, 'base64url').toString()) : undefined;
}

type Mail = { from: string; to: string[]; source: string };

/** A mail server on this machine that keeps what it receives. */
export async function openMailServer() {
  const mails: Mail[] = [];
  const state = { isDown: false };
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, { envelope }, done) {
      void text(stream).then((source) => {
        if (state.isDown) return done(new Error('try later'));
        const { mailFrom, rcptTo } = envelope;
        mails.push({ from: mailFrom ? mailFrom.address : '', to: rcptTo.map(({ address }) => address), source });
        done();
      });
    },
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    state,
    close: (): Promise<void> => new Promise((resolve) => server.close(() => resolve())),
  };
}
