import type { Evidence, TestName } from '../evidence.ts';
import { faultsOfClocks } from './faults-clock.ts';
import { faultsOfControl } from './faults-control.ts';
import { faultsOfDevices } from './faults-devices.ts';

const of = (file: string, ...titles: string[]): TestName[] => titles.map((title) => ({ file, title }));

const faults = (part: string, ...titles: string[]) => of(`test/faults/${part}.test.ts`, ...titles);
const broker = (part: string, ...titles: string[]) => of(`cloud/broker/${part}.test.ts`, ...titles);
const outbox = (part: string, ...titles: string[]) => of(`gateway/uplink/outbox/${part}.test.ts`, ...titles);
const prices = (...titles: string[]) => of('price/electricity/open-prices.test.ts', ...titles);
const modbus = (part: string, ...titles: string[]) => of(`gateway/links/modbus/${part}.test.ts`, ...titles);

/** What can break, and what holds all the same. */
export const faultsOfTheWhole: readonly Evidence[] = [
  {
    id: 'F01',
    what: 'A platform that is killed while it stores has all that it acknowledged, once.',
    tests: [
      ...faults('kill-platform', 'a platform that is killed again and again keeps all it acknowledged, once'),
      ...of(
        'cloud/store/telemetry/kill.long.test.ts',
        'what … reported safe survives kills at any moment, sealed or not, once',
      ),
      ...of('cloud/telemetry/ingest.test.ts', 'when the store fails its batch fails, and the next one is tried'),
      ...broker('embedded/publish', 'a message is acknowledged once it is stored, not before'),
    ],
  },
  {
    id: 'F02',
    what: 'A broker that is killed, even one that acknowledged too early, costs nothing.',
    tests: [
      ...of('cloud/commands/tracking.test.ts', 'a command that the broker did not take was not sent'),
      ...broker(
        'rabbitmq',
        'the node that leads is killed and comes back: nothing is lost, viewers see and gateways hear',
      ),
      ...of(
        'gateway/uplink/uplink.test.ts',
        'a reading is published where the platform expects it, and forgotten when the platform has it',
      ),
      ...faults(
        'kill-gateway.long',
        'a platform whose broker acknowledges before it stores costs nothing, since the platform is asked',
      ),
      ...faults(
        'cluster.long',
        'two platforms on RabbitMQ and PostgreSQL lose nothing when one of each is killed or restarted',
      ),
    ],
  },
  {
    id: 'F03',
    what: 'A gateway that is killed has its outbox, and never uses a number again.',
    tests: [
      ...faults(
        'kill-gateway.long',
        'what is on disk of a gateway reaches the platform once, however often either of them is killed',
      ),
      ...outbox(
        'outbox',
        'an outbox that was killed has all that was safe, and never gives a number twice',
        'a line that was not finished is left out',
      ),
      ...outbox('sequence', 'numbers only grow, over restarts, whatever else is known'),
    ],
  },
  {
    id: 'F04',
    what: 'A request that was cut off by a kill is repeated with its key and makes one object.',
    tests: [
      ...faults(
        'kill-mid-write.long',
        'what is asked for again after a kill is made once, with the same answer to everybody',
      ),
      ...of('cloud/access/idempotency.test.ts', 'ten retries at once make one site'),
    ],
  },
  {
    id: 'F05',
    what: 'Without PostgreSQL the answer is 503 with a time to come back; when it is back, so is the platform.',
    tests: [
      ...of('cloud/telemetry/ingest.test.ts', 'when the store fails its batch fails, and the next one is tried'),
      ...of(
        'cloud/operations/operations.test.ts',
        'while the database is away, answers are 503 with a time to come back',
      ),
      ...broker('rabbitmq', 'while nothing can be stored all is kept, whatever else arrives, and stored afterwards'),
      ...broker('rabbitmq/ingest', 'readings that cannot be stored are kept although others are dropped'),
      ...broker('rabbitmq/ingest', 'a held message is tried again before it is judged'),
      ...faults(
        'kill-postgresql.long',
        'that is killed again and again has all that the platform acknowledged, and the platform goes on',
      ),
    ],
  },
  {
    id: 'F06',
    what: 'Everything that is killed at once comes back in any order.',
    tests: [
      ...faults(
        'kill-postgresql.long',
        'and the platform killed at once come back in any order, with all that was acknowledged',
      ),
      ...of('lib/folder-lock.test.ts', 'a killed holder leaves nothing that blocks'),
    ],
  },
  {
    id: 'F07',
    what: 'A busy program that is told to end does so in time, and has stored what it acknowledged.',
    tests: [
      ...faults(
        'drain',
        'the platform ends in time, with its streams, and has stored all that it acknowledged',
        '… ends in time',
      ),
      ...of('test/stack/up.test.ts', 'it ends in time when told to, and leaves no process behind'),
      ...faults('control', 'a gateway that stops lets go'),
    ],
  },
  {
    id: 'F08',
    what: 'A full disk thins the outbox, lets nothing be acknowledged that is not stored, and is forgotten when there is room.',
    tests: [
      ...faults(
        'full-disk',
        'a full disk thins the outbox, keeps nobody from publishing, and is forgotten when there is room',
      ),
      ...faults(
        'full-disk-platform',
        'a platform whose disk is full acknowledges nothing it cannot store, answers, and goes on when there is room',
      ),
      ...of('cloud/telemetry/ingest.test.ts', 'that readings are not stored is told when it begins and when it ends'),
      ...of(
        'cloud/store/group-commit.test.ts',
        'whoever shares a commit that fails is told so, and the next changes go on',
      ),
    ],
  },
  {
    id: 'F09',
    what: 'Without files to open, or a place to write, the rest goes on and the fault is told.',
    tests: [
      ...faults(
        'scarce',
        'a platform without a file left to open takes nobody in, loses nothing, and is itself again when there are',
      ),
      ...faults(
        'closed-folder',
        '… says whose it must be when it is of somebody else, or what is in it',
        '… says that the disk can only be read',
      ),
      ...of('gateway/identity/identity.test.ts', 'is made although the list cannot be kept, which is told'),
      ...of('lib/atomic-file.test.ts', 'can be written after a write that failed'),
      ...outbox('unreadable', 'stays when the machine is only short of files to open'),
    ],
  },
  {
    id: 'F10',
    what: 'After a power cut settings are old or new, the key is the same, and what was safe is there.',
    tests: [
      ...outbox(
        'power-cut',
        'a power cut at any moment costs nothing that was safe, and no number comes again',
        'the same check catches a disk that is not asked to keep what it was given',
      ),
      ...of(
        'test/gateway/power-cut.long.test.ts',
        'the files of devices are old or new after each of … kills, and never torn',
      ),
      ...of('lib/atomic-file.test.ts', 'is whole after each of 30 kills'),
    ],
  },
  {
    id: 'F11',
    what: 'Damage to a file is noticed and told, and costs no more than what was damaged.',
    tests: [
      ...faults(
        'corruption',
        'no damaged bit and no missing end of a file becomes another setting, key or sample',
        'the same check catches readers that do not look at the checksum',
      ),
      ...of(
        'test/gateway/damaged-files.test.ts',
        'files of devices that are damaged are set aside and reported, and the rest is there',
      ),
      ...outbox('line', 'no damaged bit makes a sample that was not written, or costs more than two'),
      ...outbox(
        'unreadable',
        'is dropped when it would be thinned, and the others are thinned',
        'does not keep the outbox above its size',
        'samples without a date that cannot be read are dropped, and the others are dated',
      ),
    ],
  },
  ...faultsOfClocks,
  {
    id: 'F14',
    what: 'Whatever a price source does wrong, the last good day stays and the next source is asked.',
    tests: prices(
      'with …: nothing is taken, what was good stays, and it works again afterwards',
      'with …: the day is not known, and nothing of it is kept',
      'that is silent is given up, and the next one is asked',
      'begins at 11:00 UTC, goes on in winter until tomorrow is there, and then rests',
    ).concat(of('price/electricity/ask-sources.test.ts', 'goes on standing in when …, with its age')),
  },
  {
    id: 'F15',
    what: 'Duplicates and disorder leave the same history as the clean run.',
    tests: [
      ...faults(
        'shuffled',
        'readings that come out of order, late and several times leave the same history as when they come once, in order',
      ),
      ...of('cloud/store/telemetry/telemetry-store.test.ts', 'any history is answered as the plainest store would'),
    ],
  },
  {
    id: 'F16',
    what: 'A wire that is half open is noticed, and used anew.',
    tests: [
      ...faults(
        'wires',
        'a broker that goes silent is given up, and a new connection sends what was taken meanwhile',
        'a broker that goes silent is given up within 45 s, as the product is made',
        'a database that goes silent is given up, and asked anew when it is back',
      ),
      ...faults(
        'kill-gateway.long',
        'what is on disk of a gateway reaches the platform once, however bad the wire between them is',
      ),
      ...of(
        'gateway/uplink/session.test.ts',
        'a broker that answers pings but no subscription is given up, and the fallback is used',
      ),
      ...of('test/gateway/faults.test.ts', 'sungrow, silence: it is lost…'),
      ...broker('embedded/subscribe', 'a member that does not read for long is cut off'),
      ...modbus('buses', 'reopens a connection on which nothing is answered any more'),
    ],
  },
  {
    id: 'F17',
    what: 'Single bytes, delays and slow wires change no value.',
    tests: [
      ...faults(
        'wires',
        '…: … tells the right values or none',
        'a viewer behind a wire of single bytes and long delays sees every reading, in order',
      ),
      ...faults(
        'chaos-proxy',
        'cuts what is said into single bytes',
        'passes on no more bytes in a second than it was told',
      ),
      ...broker(
        'embedded/publish-lane',
        'messages cut into pieces of … bytes arrive whole, in order, and are acknowledged in order',
      ),
      ...modbus('framing.property', 'is read alike however its bytes are cut, between frames of other transactions'),
    ],
  },
  {
    id: 'F18',
    what: 'Gateways that all come back at once are back soon, and lose nothing.',
    tests: [
      ...faults('storm.long', 'all gateways are back soon after the platform is, and nothing they sent is lost'),
      ...of('lib/retry.test.ts', 'the delay doubles up to its ceiling and jitter takes any part of it'),
    ],
  },
  ...faultsOfDevices,
  ...faultsOfControl,
  {
    id: 'F27',
    what: 'A week without the platform costs no sample, then means of minutes are kept for a month; all is sent within an hour, live first.',
    tests: [
      ...of(
        'gateway/uplink/publisher.test.ts',
        'a full outbox is on the platform within an hour, and meanwhile live samples take as long as ever',
        'a platform that stores less than it is sent has live samples within two seconds, and all that waited',
      ),
      ...faults(
        'outbox-drained',
        'what waited while the platform was away is on it 168 times as fast as it came, and live samples within two seconds',
      ),
      ...faults(
        'week-offline',
        'a week without the platform costs no sample: all are on disk, also after a restart, and leave in order',
      ),
      ...outbox('age', 'after 7 days samples become means of minutes, after 30 they are dropped, and both are counted'),
      ...of(
        'gateway/uplink/uplink.test.ts',
        'what was taken without a connection is sent oldest first, beside what is taken now',
      ),
    ],
  },
  {
    id: 'F28',
    what: 'Queues are bounded: who does not read, or sends too fast, costs nobody else anything.',
    tests: [
      ...of('lib/http/sse.test.ts', 'a reader that stops reading is closed before a megabyte and more waits for it'),
      ...broker(
        'embedded/subscribe',
        'a member that does not read costs a bounded queue, and nobody else waits for it',
      ),
      ...broker('embedded/publish', 'what a client sends stays in its socket while too much of it is not stored'),
      ...of(
        'gateway/home-assistant/session.test.ts',
        'a broker that stops reading in the midst of much makes nothing pile up, nor holds up the end',
      ),
    ],
  },
  {
    id: 'F29',
    what: 'A migration that is killed is taken up by the next start; a newer database is left alone.',
    tests: [
      ...of(
        'cloud/store/migrate.test.ts',
        'that is broken off at any statement leaves whole steps and every row, and is taken up',
      ),
      ...faults(
        'kill-migration',
        'a start that is killed before any statement of its migrations is taken up by the next',
      ),
      ...of(
        'cloud/store/store.test.ts',
        'a start that is killed in …, before it is committed, is taken up by the next',
        'a database of a newer version is left alone, with a sentence',
      ),
    ],
  },
  {
    id: 'F30',
    what: 'A message that can never be stored is put aside and counted, and the others go on.',
    tests: [
      ...broker('rabbitmq', 'a message that fails while others are stored becomes a dead letter'),
      ...of('cloud/telemetry/ingest.test.ts', 'a sample that cannot be stored is dropped alone'),
    ],
  },
];
