import type { Verdict } from '#sim/fleet/ledger.ts';
import { earlyWord, killUnderLoad as killGateway, oldNumbers, trustedBroker } from '../../faults/kill-gateway.ts';
import { killUnderLoad, type Victim } from '../../faults/kill-loop.ts';
import {
  busOfCluster,
  everything,
  nodeOfCluster,
  type Planted,
  platformAlone,
  postgresOfPlatform,
  primaryOfPlatform,
  rabbitOfPlatform,
  wholeCluster,
} from '../../faults/victims.ts';
import { killWholeStack } from '../../faults/whole-stack.ts';
import type { Outcome, Proof } from '../proof.ts';

const full = 200;
const few = 3; // kills that find a planted bug

const what = (part: string): string => `Kills of ${part}: acknowledged samples lost, twice, never sent`;

const outcomeOf = (kills: number, { acknowledged, stored, lost, twice, phantom }: Verdict): Outcome => ({
  tried: kills,
  failed: lost + twice + phantom,
  notes: [`${acknowledged} acknowledged, ${stored} stored, ${lost} lost, ${twice} twice, ${phantom} never sent`],
});

type Kind = {
  id: string;
  part: string;
  kills?: number;
  portion?: number;
  seconds: number;
  load?: number;
  open(planted?: Planted): Promise<Victim>;
  bug: Planted;
};

const proofOf = ({ id, part, kills = full, portion = 100, seconds, load = 0.8, open, bug }: Kind): Proof => ({
  id,
  what: what(part),
  full: kills,
  portion,
  seconds,
  load,
  attempt: async (kills) => outcomeOf(kills, await killUnderLoad(await open(), kills)),
  planted: async () => outcomeOf(few, await killUnderLoad(await open(bug), few)),
});

const outcomeOfGateway = (
  kills: number,
  { kept, stored, lost, twice, phantom, reusedSeq }: Awaited<ReturnType<typeof killGateway>>,
): Outcome => ({
  tried: kills,
  failed: lost + twice + phantom + reusedSeq,
  notes: [
    `${kept} on disk, ${Math.round(kept / kills)} for each kill, ${stored} stored`,
    `${lost} lost, ${twice} twice, ${phantom} never sent, ${reusedSeq} sequence numbers reused`,
  ],
});

const gateway: Proof = {
  id: 'S1 gateway',
  what: what('the gateway'),
  full,
  portion: 100,
  seconds: 500,
  load: 0.5,
  attempt: async (kills) => outcomeOfGateway(kills, await killGateway({ gateway: kills, platform: 0 })),
  async planted() {
    const early = await killGateway({ gateway: few, platform: 0 }, earlyWord);
    const old = await killGateway({ gateway: few, platform: 0 }, oldNumbers);
    const trusting = await killGateway({ gateway: 0, platform: few }, trustedBroker);
    return { tried: 3 * few, failed: Math.min(early.lost, old.reusedSeq, trusting.lost) };
  },
};
const mostDownMs = 20_000;

function outcomeOfStarts(inAnyOrder: readonly number[]): Outcome {
  const tookMs = inAnyOrder.toSorted((one, other) => one - other);
  const median = tookMs[Math.floor(tookMs.length / 2)];
  return {
    tried: tookMs.length,
    failed: tookMs.filter((ms) => ms > mostDownMs).length,
    notes: [`heard again after ${median} ms (median), ${tookMs.at(-1)} ms (latest)`],
  };
}

const wholeStack: Proof = {
  id: 'S25',
  what: `Kills of everything at once after which no device was heard within ${mostDownMs / 1000} s`,
  full: 20,
  seconds: 200,
  load: 0.8,
  attempt: async (rounds) => outcomeOfStarts(await killWholeStack(rounds)),
  planted: async () => outcomeOfStarts(await killWholeStack(1, { withinMs: mostDownMs, isStubborn: true })),
};

const loadOfRabbit = 1.5; // it uses more than a processor when it starts, so nothing beside it may measure delays

const kinds: readonly Kind[] = [
  { id: 'S1 cloud', part: 'the platform', seconds: 300, open: platformAlone, bug: 'early-ack' },
  { id: 'S1 postgresql', part: 'PostgreSQL', seconds: 350, open: postgresOfPlatform, bug: 'early-ack' },
  {
    id: 'S1 standby',
    part: 'the PostgreSQL primary with promotion of its synchronous standby',
    kills: 50,
    portion: 25,
    seconds: 200,
    open: primaryOfPlatform,
    bug: 'early-ack',
  },
  {
    id: 'S1 rabbitmq',
    part: 'RabbitMQ nodes',
    seconds: 1500,
    load: loadOfRabbit,
    open: rabbitOfPlatform,
    bug: 'forgetful',
  },
  { id: 'S1 node', part: 'one of two processes of a platform', seconds: 500, open: nodeOfCluster, bug: 'early-ack' },
  {
    id: 'S1 bus',
    part: 'RabbitMQ between two processes',
    kills: 50,
    seconds: 500,
    load: loadOfRabbit,
    open: busOfCluster,
    bug: 'forgetful',
  },
  {
    id: 'S1 cluster',
    part: 'two processes, PostgreSQL and RabbitMQ at once',
    kills: 20,
    portion: 10,
    seconds: 300,
    load: loadOfRabbit,
    open: wholeCluster,
    bug: 'early-ack',
  },
  { id: 'F06', part: 'PostgreSQL and the platform at once', seconds: 500, open: everything, bug: 'early-ack' },
];

export const kills: readonly Proof[] = [gateway, ...kinds.map(proofOf), wholeStack];
