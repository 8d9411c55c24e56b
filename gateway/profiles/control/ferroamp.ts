import { need } from './control-profile.ts';
import type { Moment, MqttControl, Step } from './mqtt-control.ts';
import { valueAt } from './payload.ts';

const [request, response] = ['extapi/control/request', 'extapi/control/response'];

function ask({ transId }: Moment, name: string, W?: number): Step {
  const id = transId();
  const cmd = W === undefined ? { name } : { name, arg: Math.round(W) };
  return {
    topic: request,
    payload: JSON.stringify({ transId: id, cmd }),
    answer({ topic, payload }) {
      const isAnswer = topic === response && valueAt(payload, 'transId') === id;
      return isAnswer ? valueAt(payload, 'status') === 'ack' : undefined;
    },
  };
}

// A limit of 0 W is for ever: only the vendor's portal lifts it. So it is never sent, and a limit is lifted by the
// nominal power.
export const ferroamp: MqttControl = {
  profile: 'ferroamp',
  confidence: 'high',
  needsRated: ['pv'],
  limitsPanels: true,
  leastGeneration_W: 1,
  refreshMs: 4000, // a forced mode lasts seconds
  revertsAfterMs: 15_000,
  subscribe: [response],
  battery: {
    set: ({ W }, _, moment) => [ask(moment, W > 0 ? 'charge' : 'discharge', Math.abs(W))],
    release: (_, moment) => [ask(moment, 'auto')],
  },
  pv: {
    set: ({ W }, _, moment) => [ask(moment, 'pplim', Math.max(1, W))],
    release: (facts, moment) => [ask(moment, 'pplim', Math.max(1, need(facts, 'rated_W')))],
  },
};
