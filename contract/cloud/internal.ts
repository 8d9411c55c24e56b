import { route } from '../route.ts';
import { Type } from '../schema.ts';
import { OneOf, Text } from '../text.ts';

const tag = 'Internal';

// Brokers send what they send: EMQX JSON, RabbitMQ a form; what is missing is a deny, not a mistake.
const Callout = Type.Record(Type.String(), Type.Unknown());

/** For brokers that cannot send headers. */
const InternalQuery = Type.Object({ token: Type.Optional(Text(256)) });

const Answered = Type.Object({ result: OneOf(['allow', 'deny']) });

/** What a broker asks before it lets somebody do something. */
const question = {
  method: 'POST',
  tag,
  description: 'JSON in, {"result"} out (EMQX 5); a form in, allow or deny as text out (RabbitMQ). Always 200.',
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
  summary: 'May this client connect to the broker?',
});

export const brokerAcl = route({
  ...question,
  path: '/internal/mqtt/acl',
  summary: 'May this client publish or subscribe to the topic?',
});

export const internalRoutes = [brokerAuth, brokerAcl];
