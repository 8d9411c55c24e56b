import { parseObject } from '../payload.ts';
import { type ControlMessage, getFact, type MessageContext, type MqttControl } from './control-profile.ts';

const [requestTopic, responseTopic] = ['extapi/control/request', 'extapi/control/response'];

function request({ transId }: MessageContext, name: string, W?: number): ControlMessage {
  const id = transId();
  const cmd = W === undefined ? { name } : { name, arg: Math.round(W) };
  return {
    topic: requestTopic,
    payload: JSON.stringify({ transId: id, cmd }),
    answer({ topic, payload }) {
      const reply = topic === responseTopic ? parseObject(payload) : undefined;
      return reply?.transId === id ? reply.status === 'ack' : undefined;
    },
  };
}

// A limit of 0 W is never sent: only the vendor's portal can lift it. Other limits are lifted by the rated power.
export const ferroamp: MqttControl = {
  profile: 'ferroamp',
  confidence: 'high',
  needsRated: ['pv'],
  limitsPanels: true,
  minGeneration_W: 1,
  refreshMs: 4000, // a forced mode lasts seconds
  revertsAfterMs: 15_000,
  subscribe: [responseTopic],
  battery: {
    set: ({ W }, _, context) => [request(context, W > 0 ? 'charge' : 'discharge', Math.abs(W))],
    release: (_, context) => [request(context, 'auto')],
  },
  pv: {
    set: ({ W }, _, context) => [request(context, 'pplim', Math.max(1, W))],
    release: (facts, context) => [request(context, 'pplim', Math.max(1, getFact(facts, 'rated_W')))],
  },
};
