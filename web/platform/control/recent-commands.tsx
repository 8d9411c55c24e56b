import { type Command, wasReplaced } from '#contract/cloud/commands.ts';
import { commandWords } from '../../parts/command-words.ts';
import { Card, Empty, Table } from '../../parts/layout.tsx';
import { dateAndTime, number, texts } from '../../parts/text.ts';
import type { SiteControl } from './controllable.ts';
import { whoWords } from './order-words.ts';
import { partName, Steps } from './steps.tsx';

const t = texts({
  title: 'Recent commands',
  seconds: '{seconds} s',
  queued: 'Sending',
  sent: 'Sending',
  applied: 'Active',
  replaced: 'Replaced',
  failed: 'Failed',
  expired: 'Expired',
  released: 'Completed',
  early: 'Stopped early',
  who: 'Sent by',
  renewed: 'renewed',
  none: 'No commands yet',
  lease:
    'A command runs for the time you choose, up to 24 hours. The gateway then returns the device to automatic, even without an internet connection. Commands of more than an hour are renewed every few minutes: if the platform or the gateway fails, the device returns to automatic within 20 minutes.',
});

const shownCount = 20;

export function RecentCommands({ control: { site, parts, commands } }: { control: SiteControl }) {
  const timeZone = site.timezone;
  const isNewestLease = ({ id, order_id }: Command): boolean =>
    order_id === undefined || commands.find((each) => each.order_id === order_id)?.id === id;
  const rows = commands
    .filter(isNewestLease)
    .slice(0, shownCount)
    .flatMap((command) => {
      const part = parts.find(({ id }) => id === command.der_id);
      return part ? [{ command, part }] : [];
    });
  if (rows.length === 0) {
    return (
      <Empty title={t('none')}>
        <p class="lease-words">{t('lease')}</p>
      </Empty>
    );
  }
  return (
    <Card title={t('title')} says={t('lease')}>
      <Table
        caption={t('title')}
        rows={rows}
        keyOf={({ command }) => command.id}
        columns={[
          { title: t('time'), show: ({ command }) => dateAndTime(Date.parse(command.created_at), timeZone) },
          { title: t('device'), show: ({ part }) => partName(part) },
          { title: t('command'), show: ({ command, part }) => commandWords(part.type, command.power_w) },
          { title: t('who'), show: ({ command }) => whoWords(command) },
          {
            title: t('duration'),
            show: ({ command }) => (command.order_id ? t('renewed') : spanWords(command.ttl_s)),
            isNumber: true,
          },
          {
            title: t('status'),
            show: ({ command }) => (
              <details>
                <summary>{statusWords(command)}</summary>
                <Steps command={command} timeZone={timeZone} />
              </details>
            ),
          },
        ]}
      />
    </Card>
  );
}

const spanWords = (seconds: number): string =>
  seconds < 60 ? t('seconds', { seconds }) : t('minutes', { minutes: number(seconds / 60, seconds % 60 ? 1 : 0) });

function statusWords(command: Command): string {
  const { status, history } = command;
  const isEarly = status === 'released' && !history.some((step) => step.status === 'expired');
  return t(wasReplaced(command) ? 'replaced' : isEarly ? 'early' : status);
}
