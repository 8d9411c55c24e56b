import { routesOf } from '../route.ts';
import { OneOf, Text, Type } from '../schema.ts';

// EMQX sends JSON, RabbitMQ a form. Missing fields lead to a deny instead of an error.
const Callout = Type.Record(Type.String(), Type.Unknown());

/** The internal secret, for brokers that cannot send headers. */
const InternalQuery = Type.Object({ token: Type.Optional(Text(256)) });

const Answered = Type.Object({ result: OneOf(['allow', 'deny']) });

const questions = routesOf({
  tag: 'Internal',
  description:
    'A JSON request gets {"result": "allow" | "deny"} (EMQX 5); a form request gets allow or deny as text (RabbitMQ). The status is always 200.',
  access: 'internal',
  query: InternalQuery,
  body: Callout,
  replies: { 200: Answered },
  otherTypes: ['text/plain'],
  readOnly: true,
});

export const brokerAuth = questions.post('/internal/mqtt/auth', 'Authenticate an MQTT client', {});

export const brokerAcl = questions.post('/internal/mqtt/acl', 'Authorize an MQTT client to publish or subscribe', {});

export const internalRoutes = questions.all;
