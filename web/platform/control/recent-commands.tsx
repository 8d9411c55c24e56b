import { type Command, wasReplaced } from '#contract/cloud/commands.ts';
import { Card } from '../../parts/card.tsx';
import { commandWords } from '../../parts/command-words.ts';
import { dateAndTime, number } from '../../parts/format.ts';
import { Empty } from '../../parts/notice.tsx';
import { Table } from '../../parts/table.tsx';
import { texts } from '../../parts/text.ts';
import { type CommandLists, newestOf } from './command-list.ts';
import type { Controllable } from './controllable.ts';
import { partName, Steps } from './steps.tsx';

const t = texts({
  en: {
    title: 'Recent commands',
    when: 'When',
    what: 'What',
    asked: 'Asked',
    long: 'For',
    outcome: 'Outcome',
    minutes: '{minutes} min',
    seconds: '{seconds} s',
    queued: 'On its way',
    sent: 'On its way',
    applied: 'Holds',
    replaced: 'Replaced by a newer one',
    failed: 'Failed',
    expired: 'Time over',
    released: 'Ran its time',
    early: 'Let go early',
    none: 'Nothing has been commanded yet',
    lease:
      'A command is a lease: it holds for the time you choose, an hour at most. When nobody renews it, the gateway brings the device back to its own mode, also without the internet.',
  },
  sv: {
    title: 'Senaste kommandon',
    when: 'När',
    what: 'Vad',
    asked: 'Begärt',
    long: 'Hur länge',
    outcome: 'Utfall',
    minutes: '{minutes} min',
    seconds: '{seconds} s',
    queued: 'På väg',
    sent: 'På väg',
    applied: 'Gäller',
    replaced: 'Ersatt av ett nyare',
    failed: 'Misslyckades',
    expired: 'Tiden ute',
    released: 'Gällde tiden ut',
    early: 'Släppt i förtid',
    none: 'Inget kommando har getts ännu',
    lease:
      'Ett kommando gäller på tid: så länge du väljer, högst en timme. Om ingen förlänger det låter gatewayen enheten gå tillbaka till sitt eget läge, även utan internet.',
  },
});

const shownCount = 20;

type Props = { parts: readonly Controllable[]; lists: CommandLists; timeZone: string | undefined };

export function RecentCommands({ parts, lists, timeZone }: Props) {
  const rows = newestOf(lists, shownCount).flatMap((command) => {
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
    <Card title={t('title')}>
      <p class="says">{t('lease')}</p>
      <Table
        caption={t('title')}
        rows={rows}
        keyOf={({ command }) => command.id}
        columns={[
          { title: t('when'), show: ({ command }) => dateAndTime(Date.parse(command.created_at), timeZone) },
          { title: t('what'), show: ({ part }) => partName(part) },
          { title: t('asked'), show: ({ command, part }) => commandWords(part.type, command.power_w) },
          { title: t('long'), show: ({ command }) => spanWords(command.ttl_s), isNumber: true },
          {
            title: t('outcome'),
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
