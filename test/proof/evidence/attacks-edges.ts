import type { Evidence, TestName } from '../evidence.ts';

const of = (file: string, ...titles: string[]): TestName[] => titles.map((title) => ({ file, title }));
const edges = (part: string, ...titles: string[]) => of(`test/attacks/edges/${part}.test.ts`, ...titles);
const oauth = (part: string, ...titles: string[]) => of(`test/oauth/${part}.test.ts`, ...titles);
const telemetry = (...titles: string[]) => of('cloud/telemetry/telemetry.test.ts', ...titles);
const control = (...titles: string[]) => of('test/faults/control.test.ts', ...titles);
const strictJson = of(
  'lib/json.test.ts',
  '256 KiB of … is refused at once',
  'any other text gives a JsonError and no other error',
);

/** Telemetry, prices, public data, HTTP, the local API and what we are made of. */
export const attacksOnTheEdges: readonly Evidence[] = [
  {
    id: 'A40',
    what: 'A number that cannot be is refused with a reason and counted; what is stored is finite and within bounds.',
    tests: [
      ...of(
        'cloud/telemetry/reading.test.ts',
        '… is refused as …',
        'whatever is accepted is finite and within bounds, and nothing makes it throw',
      ),
      ...telemetry(
        'samples with a seq are acknowledged in ranges, stored or dropped for good',
        'a reading of another time than could be gets the time of its arrival',
      ),
    ],
  },
  {
    id: 'A41',
    what: 'A counter that jumps back is a glitch or a reset, never energy; a sample that comes twice counts once.',
    tests: of(
      'cloud/store/telemetry/telemetry-store.test.ts',
      'a counter keeps its last value; glitches are passed over, resets are not',
      'a sample that is there already changes nothing, sealed or not',
      'any history is answered as the plainest store would',
    ),
  },
  {
    id: 'A42',
    what: 'Nothing is told of a cell, nor of a type in it, of which there are fewer than PUBLIC_MIN_SITES; no site is nearly all of a sum, and none that is new is the difference of two.',
    tests: [
      ...edges(
        'public-sums',
        'does not see what one of them does within a quarter of an hour',
        'learns nothing from one that joins, until as many have joined as are shown',
        'learns nothing of one that is nearly all there is, or alone',
      ),
      ...of(
        'cloud/public/guarded-sums.test.ts',
        'of five of which one charges the sums are …',
        'of five batteries of one house the sums are …',
        'two answers differ by whole groups, or by as many who went as by who took their places',
        'a site that is older than the others, and is equipped after them, waits as they did',
        'of one that leaves while another waits, two answers tell the difference of both',
      ),
      ...edges(
        'public-cells',
        'of a cell, and of each type in it, nothing is told in any history while there are too few',
        'a platform that asks for fewer would be noticed',
      ),
      ...of(
        'cloud/public/cells.test.ts',
        'with PUBLIC_MIN_SITES a cell of fewer sites is not shown',
        'a site counts in its cell, and neither its id nor its position is told',
      ),
    ],
  },
  {
    id: 'A43',
    what: 'The index of a cell that is none is not found, whatever stands in it.',
    tests: edges('public-cells', 'may be anything: there is no such cell'),
  },
  {
    id: 'A44',
    what: 'A hostile document of a price source is refused at once, and the prices that were good stay.',
    tests: [
      ...of('price/electricity/xml.test.ts', 'refuses …, at once'),
      ...of(
        'price/electricity/open-prices.test.ts',
        'with …: nothing is taken, what was good stays, and it works again afterwards',
        'that is silent is given up, and the next one is asked',
      ),
    ],
  },
  {
    id: 'A45',
    what: 'Prices that cannot be, units that are others and days with holes are refused, and never filled with zeros.',
    tests: [
      ...of('price/electricity/a44.test.ts', 'a price document', 'that says anything else is a failure'),
      ...of('price/electricity/open-prices.test.ts', 'with …: the day is not known, and nothing of it is kept'),
      ...of(
        'test/price/two-years.test.ts',
        'every day of two years in … areas, from the document of the market to the answer',
      ),
    ],
  },
  {
    id: 'A46',
    what: 'A tariff file is read whole or not at all; what is torn, endless, huge or no file keeps what was there.',
    tests: [
      ...edges(
        'torn-tariffs',
        'that is written anew … times in pieces while it is read is always one whole edition',
        'that is … is refused at once, and the others are read',
      ),
      ...of(
        'price/tariffs/tariffs.test.ts',
        'a half-written file keeps what it said before, and appears in the errors until it is whole again',
        'a book that was taken stays whole while files change',
      ),
    ],
  },
  {
    id: 'A47',
    what: 'Requests that are too large, too deep or read differently by two readers are refused, with all behind them; so are those that ask for too much at once.',
    tests: [
      ...edges('wire', '… is answered …, and nothing behind it is done'),
      ...of('test/attacks/bad-input.test.ts', '… … refuses what is no body of its own, and stores nothing'),
      ...of('test/gateway/bad-input.test.ts', '… … refuses what is no body of its own'),
      ...of('test/price/hostile-bodies.test.ts', 'costs little to refuse: …'),
      ...of('test/attacks/growth/growth.test.ts', '…: …'),
      ...of('cloud/store/telemetry/raw.test.ts', 'readings in … are answered up to the limit, and not one more'),
      ...strictJson,
    ],
  },
  {
    id: 'A48',
    what: 'Hundreds of slow connections hold nobody up, and are ended when their time is over.',
    tests: edges(
      'slow-senders',
      '… connections that are slow hold nobody up, and are ended',
      'an answer that nobody reads is given up after two minutes',
    ),
  },
  {
    id: 'A49',
    what: 'Readers that stop reading, one or many, are let go before much waits for them; an identity has so many streams at most.',
    tests: [
      ...of(
        'cloud/telemetry/stream-access.test.ts',
        'an identity may have so many streams open at once; one that is closed makes room',
      ),
      ...edges(
        'stalled-readers',
        '… readers that stop reading at once are let go, cost little memory, and hold nobody up',
      ),
      ...of(
        'lib/http/sse.test.ts',
        'a reader that stops reading is closed before a megabyte and more waits for it',
        'a reader that stops reading in the middle of many is closed after half a minute',
        'every stream says something each 15 s',
      ),
      ...of('lib/http/fan-out.test.ts', 'many channels that are due do not hold up everything else'),
    ],
  },
  {
    id: 'A50',
    what: 'A stream ends with the token, the membership or the ownership that it was opened with.',
    tests: [
      ...telemetry(
        'a stream ends when the token is revoked, and when the member is removed',
        'transferred, the gateway is disconnected and its old organization gets no more',
      ),
      ...of('cloud/telemetry/stream-access.test.ts', 'a stream ends with the token that opened it'),
      ...oauth('ending', 'when …, tokens and streams end within 5 s'),
    ],
  },
  {
    id: 'A51',
    what: 'No input names a prototype, and everything runs where touching one is an error.',
    tests: [
      ...edges('prototypes', 'everything runs where touching __proto__ is an error'),
      ...of('lib/json.test.ts', '__proto__ by escape is refused', 'constructor is refused', 'prototype is refused'),
      ...of(
        'price/tariffs/tariffs.test.ts',
        'a part called like a member of every object is refused with the reason, and the others are read',
      ),
      ...of('gateway/profiles/fuzz-mqtt.test.ts', 'neither upset a listener nor become a value'),
    ],
  },
  {
    id: 'A52',
    what: 'Every regular expression of the product searches the worst text of 100 kB, or of its limit, in 10 ms.',
    tests: edges(
      'regular-expressions',
      'of the product search 100 kB of the worst text in 10 ms',
      'such as /…/ would be noticed',
    ),
  },
  {
    id: 'A53',
    what: 'No spelling of a way up in a path, a serial or a file name leads out of the folder that is meant.',
    tests: [
      ...edges('traversal', 'none of … spellings of a way up leads to a file that is not a page'),
      ...of(
        'test/gateway/bad-input.test.ts',
        'a path leads to no other file than that of a device',
        'POST /api/devices takes no wrong parameter of …',
      ),
      ...of('lib/atomic-file.test.ts', 'is not written through a link that somebody laid'),
    ],
  },
  {
    id: 'A54',
    what: 'What costs much is bounded ahead of the work, so that one sender does not stop the others.',
    tests: [
      ...strictJson,
      ...edges('far-ranges', 'day by day until 2100 is … at once', 'until the end of time is … at once'),
      ...of('lib/http/fan-out.test.ts', 'many channels that are due do not hold up everything else'),
      ...of(
        'cloud/broker/embedded/publish.test.ts',
        'a client that sends too fast is slowed down, and loses nothing',
        'what a client sends stays in its socket while too much of it is not stored',
      ),
      ...of('lib/keys/key-object.test.ts', 'a key is imported once, however it was spelt'),
    ],
  },
  {
    id: 'A55',
    what: 'Keys, tokens and passwords are in no log and in no answer.',
    tests: [
      ...of(
        'test/canaries/canaries.test.ts',
        'no secret of any kind stands in a log',
        'a platform that writes the headers of requests into its log is found out',
      ),
      ...of('lib/log.test.ts', '… is redacted at any depth, in bindings and in errors'),
      ...of(
        'gateway/system/system.test.ts',
        'keeps its passwords to itself, also when it is sent back as it was shown',
      ),
      ...of(
        'gateway/network/network.test.ts',
        'takes the password, which nobody else sees',
        'that fails leaves nothing behind and gives nothing away',
      ),
      ...of(
        'gateway/uplink/uplink.test.ts',
        'a user and a password in the address stand for serial and token, and are never logged',
      ),
      ...of('price/electricity/open-prices.test.ts', 'never leaves the token in the log, whatever goes wrong'),
      ...oauth('single-use', 'nothing that a client or a browser holds stands in the database'),
    ],
  },
  {
    id: 'A56',
    what: 'Keys and passwords are their owner’s alone from the first moment, whatever the umask, or nothing starts.',
    tests: [
      ...edges(
        'private-files',
        'a gateway keeps its key, its token and its passwords to its owner',
        'a platform keeps its folder to its owner',
      ),
      ...of(
        'gateway/identity/key-file.test.ts',
        'is made once, for its owner alone whatever the umask',
        'of mode … is refused, with what to do',
        'in a folder that others can enter is refused',
        'that is a link is refused',
      ),
    ],
  },
  {
    id: 'A57',
    what: 'A factory reset that is killed or refused anywhere is not begun, or is finished at the next start.',
    tests: [
      ...edges(
        'killed-reset',
        'a factory reset that is killed at any of its steps leaves all, or nothing after the next start',
      ),
      ...of(
        'gateway/system/factory-reset.test.ts',
        'a reset leaves the identity and nothing else',
        'a reset that has begun is carried through although … fails',
      ),
    ],
  },
  {
    id: 'A58',
    what: 'A page of another origin has no effect on a gateway, in any way that a browser has.',
    tests: [
      ...of(
        'test/browser/cross-site.test.ts',
        'at … has no effect on a gateway, whatever it tries on any route',
        'has one where nobody stands at the door',
      ),
      ...of('gateway/access/origins.test.ts', 'on another page may not: …'),
      ...of('gateway/access/door.test.ts', 'as … is 415'),
    ],
  },
  {
    id: 'A59',
    what: 'A name that was bound to our address is not ours: a gateway answers nothing, a platform nothing that is closed.',
    tests: [
      ...of(
        'test/browser/cross-site.test.ts',
        'that was bound to the address of a gateway is answered 421 by every route and page',
        'that was bound to the address of a platform gets nothing that asks who is asking',
      ),
      ...of('gateway/access/door.test.ts', 'the host that is asked for', 'none at all is refused on the wire'),
      ...of('test/stack/simulation.test.ts', 'a visitor on this machine is let in as its owner, others are not'),
    ],
  },
  {
    id: 'A60',
    what: 'A gateway calls no address outside of the home, however it is spelled, and few inside of it.',
    tests: [
      ...edges(
        'forbidden-targets',
        'are not called by a port check',
        'are not called for a device, be it by Modbus, by MQTT or over a serial adapter',
        'and ten thousand others are refused before anybody looks a name up',
        'cannot be scanned: port checks, ad-hoc reads and detection share 60 probes a minute',
      ),
      ...of('gateway/access/targets.test.ts', 'not at …', 'a name that leads elsewhere is refused'),
      ...of('gateway/access/probes.test.ts', 'two probes run at once, failed ones free their place'),
    ],
  },
  {
    id: 'A61',
    what: 'A guarded gateway takes another broker only with its token, and one with TLS only with the right certificate.',
    tests: [
      ...of(
        'test/attacks/rogue-broker.test.ts',
        '… are not heard',
        'that it has kept, or that are for another gateway, are not carried out',
      ),
      ...of('gateway/access/door.test.ts', 'the local token', 'opens what is guarded'),
      ...of(
        'test/gateway/guarded-routes.test.ts',
        'the routes that need the local token are those of the reviewed table',
        '… is refused, and changes nothing',
      ),
      ...of(
        'gateway/uplink/uplink.test.ts',
        'a broker with a certificate is used only when the certificate is right',
        'commands are handed over with whether they were retained',
      ),
      ...of(
        'gateway/control/cloud-command.test.ts',
        'whatever comes is a command with sane numbers, a release or a refusal',
      ),
    ],
  },
  {
    id: 'A62',
    what: 'A register is written with a word that fits, by whom the door lets in, 50 ms apart, and never by itself again.',
    tests: [
      ...of(
        'test/gateway/guarded-routes.test.ts',
        'the routes that need the local token are those of the reviewed table',
        '… is refused, and changes nothing',
      ),
      ...of('test/gateway/writing-registers.test.ts', '… with … is refused, and nothing is written'),
      ...of(
        'gateway/links/modbus/buses.test.ts',
        'writes what it was told, and leaves 50 ms between two writes',
        'refuses a write that is confirmed with another value, and never repeats a write by itself',
      ),
    ],
  },
  {
    id: 'A63',
    what: 'Power beyond the limits of a device is refused, and of many commands at once the newest is applied.',
    tests: [
      ...control(
        'what cannot be done is refused, not done by half',
        'without a rated power nothing is commanded, and with one it is',
        'a device without a battery is not asked to charge',
      ),
      ...of(
        'gateway/control/lease.test.ts',
        'whatever happens, only valid commands are applied, and everything is released in the end',
        'of several that wait the newest is applied, once a second',
      ),
      ...of('gateway/profiles/control/controls.test.ts', 'a number that does not fit is not written as another one'),
    ],
  },
  {
    id: 'A64',
    what: 'A budget is that of an address or of its first 64 bits, whatever headers say and however many keys there are.',
    tests: [
      ...edges(
        'rate-limits',
        'is not widened by who …',
        'is that of a home, whichever of its IPv6 addresses is used, and IPv4 in IPv6 is IPv4',
        'to register is that of an address, however many keys somebody has',
      ),
      ...of('test/deploy/proxy.test.ts', 'an address has a budget of its own, and cannot pretend to be another'),
      ...of(
        'lib/rate-limit.test.ts',
        'a caller in use is remembered through a flood of others, an idle one is forgotten',
      ),
    ],
  },
];
