import * as contract from '#contract/cloud/commands.ts';
import * as orders from '#contract/cloud/orders.ts';
import { defaultLeaseS } from '#contract/command.ts';
import { Problem } from '#contract/problem.ts';
import { Answer } from '#lib/http/mount.ts';
import type { CloudMount } from '../access/door.ts';
import { pageOf, sliceOf } from '../access/paging.ts';
import { listCommands } from '../store/commands.ts';
import { listOpenOrders, listOrders } from '../store/orders.ts';
import { commandFor, type LatestOf, queueCommand } from './commands.ts';
import type { Holding } from './holding.ts';
import { orderFor } from './orders.ts';
import { queueRelease, queueSiteRelease } from './release.ts';
import type { CommandTracking } from './tracking.ts';

const accepted = <Body>(body: Body): Answer<Body> => new Answer(202, body);

export type CommandDeps = { tracking: CommandTracking; holding: Pick<Holding, 'create'>; latestOf: LatestOf };

export function commandRoutes(mount: CloudMount, { tracking, holding, latestOf }: CommandDeps): void {
  /** Refuses commands while they cannot be sent. */
  function checkBroker(): void {
    if (tracking.canSend) return;
    throw new Problem('unavailable', 'The broker is temporarily unavailable; try again shortly.', {
      retryAfterSeconds: 2,
    });
  }

  mount(contract.createCommand, async (context) => {
    checkBroker();
    const { params, body, afterCommit } = context;
    const queued = await queueCommand(
      params.der_id,
      { power_w: body.power_w, ttl_s: body.ttl_s ?? defaultLeaseS },
      context,
      latestOf,
    );
    afterCommit(() => tracking.send(queued));
    return accepted(commandFor(context.caller)(queued.command));
  });

  mount(contract.releaseDer, async (context) => {
    checkBroker();
    const queued = await queueRelease(context.params.der_id, context);
    context.afterCommit(() => tracking.release(queued));
    return accepted(queued.release);
  });

  mount(contract.releaseSite, async (context) => {
    checkBroker();
    const queued = await queueSiteRelease(context.params.site_id, context);
    context.afterCommit(() => queued.forEach(tracking.release));
    return accepted(queued.map(({ release }) => release));
  });

  mount(contract.listCommands, async ({ params, query, caller, db }) => {
    const rows = await listCommands(db, sliceOf(query), params.der_id);
    return pageOf(`/ders/${params.der_id}/commands`, query, rows, ({ id }) => id, commandFor(caller));
  });

  mount(orders.createOrder, async (context) => {
    checkBroker();
    return accepted(await holding.create(context));
  });

  mount(orders.listOrders, async ({ params, query, caller, db, now }) => {
    const rows = await listOrders(db, sliceOf(query), params.der_id);
    return pageOf(`/ders/${params.der_id}/orders`, query, rows, ({ id }) => id, orderFor(caller, now));
  });

  mount(orders.listHeldOrders, async ({ params, caller, db, now }) =>
    (await listOpenOrders(db, params.site_id, orders.maxOrdersPerSite)).map(orderFor(caller, now)),
  );
}
