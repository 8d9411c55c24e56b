import type { FastifyInstance, FastifyRequest } from 'fastify';
import { brokerAcl, brokerAuth } from '#contract/cloud/internal.ts';
import { Problem } from '#contract/problem.ts';
import { platformTopic } from '#contract/topics.ts';
import { createMount, type Door, PreSerialized } from '#lib/http/mount.ts';
import { problemSender } from '#lib/http/problem.ts';
import type { Logger } from '#lib/log.ts';
import type { Context } from '../access/door.ts';
import { answerAcl, loginOf, newListener } from './callouts.ts';
import type { AcceptedLogin, Admission, Admitted, Login, Transport } from './transport.ts';

export type BrokerRouteDeps = {
  door: Door<Context>;
  admission: Admission;
  transport: Pick<Transport, 'publish' | 'shared'>;
  log: Logger;
};

const announceMs = 500;

const formType = 'application/x-www-form-urlencoded';

/** Answers the authorization callouts of a broker. A caller with the secret always gets 200 with allow or deny. */
export function brokerRoutes(app: FastifyInstance, deps: BrokerRouteDeps): void {
  const { door, admission, transport, log } = deps;
  const announcing = new Set<string>();

  /** Publishes later: the broker subscribes the gateway after this answer, and does not report when. */
  function announceTo(serial: string): void {
    if (announcing.has(serial)) return;
    announcing.add(serial);
    setTimeout(() => {
      announcing.delete(serial);
      transport.publish(platformTopic(serial), admission.platformMessage());
    }, announceMs).unref();
  }

  app.register(async (internal) => {
    internal.addContentTypeParser(formType, { parseAs: 'string' }, (_request, body, done) => {
      done(null, Object.fromEntries(new URLSearchParams(String(body))));
    });
    internal.setErrorHandler((error, request, reply) => {
      if (error instanceof Problem && error.status === 401) return problemSender('problem')(error, request, reply);
      log.warn({ err: error }, 'broker callout failed and was denied');
      const { text, type } = wordOf(request.headers, 'deny');
      return reply.code(200).type(type).serializer(String).send(text);
    });
    const mount = createMount(internal, door);

    mount(brokerAuth, async ({ body, headers }) => {
      const login = loginOf(body);
      const accepted = await admission.login(login);
      if (accepted) transport.shared?.admitted?.(acceptedLogin(login, accepted));
      return word(headers, accepted !== undefined);
    });

    mount(brokerAcl, async ({ body, headers, db }) => {
      const isAllowed = await answerAcl(body, admission, db).catch((error: unknown) => {
        log.warn({ err: error }, 'access check failed and was denied');
        return false;
      });
      const serial = isAllowed ? newListener(body) : undefined;
      if (serial !== undefined) announceTo(serial);
      return word(headers, isAllowed);
    });
  });
}

const acceptedLogin = ({ username, clientId }: Login, { client, expiresAt }: Admitted): AcceptedLogin => ({
  username,
  clientId,
  expiresAt,
  ...(client.kind === 'member' && { tokenId: client.tokenId }),
});

type Headers = FastifyRequest['headers'];

type Verdict = 'allow' | 'deny';

/** Answers a form with one word, and JSON with JSON. */
const wordOf = (headers: Headers, result: Verdict): { text: string; type: string } =>
  headers['content-type']?.startsWith(formType)
    ? { text: result, type: 'text/plain' }
    : { text: JSON.stringify({ result }), type: 'application/json; charset=utf-8' };

function word(headers: Headers, isAllowed: boolean): PreSerialized<{ result: Verdict }> {
  const { text, type } = wordOf(headers, isAllowed ? 'allow' : 'deny');
  return new PreSerialized({ text, headers: { 'content-type': type } });
}
