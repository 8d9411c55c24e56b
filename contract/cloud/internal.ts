import { route } from '../route.ts';
import { Type } from '../schema.ts';
import { OneOf, Text } from '../text.ts';

const tag = 'Internal';

// EMQX sends JSON, RabbitMQ a form. Missing fields lead to a deny instead of an error.
const Callout = Type.Record(Type.String(), Type.Unknown());

/** The internal secret, for brokers that cannot send headers. */
const InternalQuery = Type.Object({ token: Type.Optional(Text(256)) });

const Answered = Type.Object({ result: OneOf(['allow', 'deny']) });

/** The shared part of the broker callbacks. */
const question = {
  method: 'POST',
  tag,
  description:
    'A JSON request gets {"result": "allow" | "deny"} (EMQX 5); a form request gets allow or deny as text (RabbitMQ). The status is always 200.',
  access: 'internal',
  query: InternalQuery,
  body: Callout,
  replies: { 200: Answered },
  otherTypes: ['text/plain'],
  readOnly: true,
} as const;

export const brokerAuth = route({
  ...question,
  path: '/internal/mqtt/auth',
  summary: 'Authenticate an MQTT client',
});

export const brokerAcl = route({
  ...question,
  path: '/internal/mqtt/acl',
  summary: 'Authorize an MQTT client to publish or subscribe',
});

export const internalRoutes = [brokerAuth, brokerAcl];
