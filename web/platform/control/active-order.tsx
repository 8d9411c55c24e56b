import type { Command } from '#contract/cloud/commands.ts';
import { releaseDer } from '#contract/cloud/commands.ts';
import { type EndReason, gatewayAway, type Order } from '#contract/cloud/orders.ts';
import { ActionButton, useAction } from '../../parts/action.tsx';
import { commandWords } from '../../parts/command-words.ts';
import { Notice } from '../../parts/layout.tsx';
import { now } from '../../parts/now.ts';
import { texts } from '../../parts/text.ts';
import { api } from '../session.ts';
import { LeaseRing, TrackingLine } from './active-command.tsx';
import type { Controllable, SiteControl } from './controllable.ts';
import { orderWords, whoWords } from './order-words.ts';
import { partName, Steps } from './steps.tsx';

const t = texts({
  by: 'By {who}.',
  waits: 'The device is in automatic until then.',
  held: 'The device then returns to automatic. The command is renewed every few minutes.',
  onItsWay: 'Sending to the device…',
  away: 'The gateway is not connected. The command is sent when it is.',
  reason: 'Reason:',
  steps: 'Show steps',
  last: 'Last command',
  time: 'Its time is over.',
  target: 'The state of charge is reached.',
  person: 'It was returned to automatic.',
  replaced: 'A newer command replaced it.',
  failed: 'Failed.',
  no_access: 'The person who sent it may no longer control this device.',
  list: 'Controlled now',
  cancel: 'Cancel',
});

type Props = { part: Controllable; order: Order; control: SiteControl };

/** Ends an order, and the command that is its current lease. */
function useRelease({ id: der_id }: Controllable, control: SiteControl) {
  return useAction(async () => {
    const { command, order } = await api().call(releaseDer, { params: { der_id } });
    if (command) control.noteRelease([command]);
    if (order) control.addOrder(order);
  });
}

/** Shows an order that holds a device, or waits, with the lease that the device follows. */
export function ActiveOrder({ part, order, control, lease }: Props & { lease: Command | undefined }) {
  const { site } = control;
  const release = useRelease(part, control);
  const [startsAt, endsAt] = [Date.parse(order.starts_at), Date.parse(order.ends_at)];
  const isWaiting = startsAt > now.value;
  return (
    <div class="active-command">
      <div class="active-head">
        {!isWaiting && <LeaseRing leftMs={endsAt - now.value} ofMs={endsAt - startsAt} />}
        <div>
          <h3>{orderWords(order, part.type, site.timezone)}</h3>
          <p>
            {t(isWaiting ? 'waits' : 'held')} {t('by', { who: whoWords(order) })}
          </p>
          {order.message === gatewayAway && <p class="tracking-line warning">{t('away')}</p>}
          {order.message && order.message !== gatewayAway && (
            <p class="tracking-line warning" lang="en">
              {order.message}
            </p>
          )}
          {!isWaiting && lease && lease.status !== 'applied' && <p>{t('onItsWay')}</p>}
          {lease?.status === 'applied' && <TrackingLine {...{ part, command: lease, control }} />}
        </div>
      </div>
      {control.mayControl && (
        <div class="actions">
          <ActionButton does={release} label={t(isWaiting ? 'cancel' : 'returnToAutomatic')} />
        </div>
      )}
      {lease && (
        <details>
          <summary>{t('steps')}</summary>
          <Steps command={lease} timeZone={site.timezone} />
        </details>
      )}
    </div>
  );
}

const isBad = (reason: EndReason | undefined): boolean => reason === 'failed' || reason === 'no_access';

/** Says what ended an order. */
export function EndedOrder({ part, order }: Props) {
  return (
    <Notice tone={isBad(order.ended_by) ? 'warning' : 'good'}>
      <p>
        {t('last')}: {commandWords(part.type, order.power_w)}. {order.ended_by && t(order.ended_by)}{' '}
        {order.message && (
          <>
            {t('reason')} <span lang="en">{order.message}</span>
          </>
        )}
      </p>
    </Notice>
  );
}

/** The order that controls a part now, or is scheduled. */
type Held = { part: Controllable; words: string; isNow: boolean };

function HeldRow({ part, words, isNow, control }: Held & { control: SiteControl }) {
  const release = useRelease(part, control);
  const label = t(isNow ? 'returnToAutomatic' : 'cancel');
  return (
    <li>
      <span>
        <b>{partName(part)}</b>
        <span class="says">{words}</span>
      </span>
      {control.mayControl && (
        <ActionButton does={release} tone="plain" label={label} ariaLabel={`${label}: ${partName(part)}`} />
      )}
    </li>
  );
}

/** Lists what is controlled, until when, and by whom. */
export const HeldList = ({ held, control }: { held: readonly Held[]; control: SiteControl }) => (
  <ul class="held-list" aria-label={t('list')}>
    {held.map((each) => (
      <HeldRow key={each.part.id} {...each} control={control} />
    ))}
  </ul>
);
