/** A promise, and the test files that fail when it is broken, or the reason why no test is needed. */
export type Evidence = { promise: string } & ({ tests: readonly string[] } | { reason: string });

/** Attacks that fail. */
export const attacks: Readonly<Record<string, Evidence>> = {
  A01: {
    promise: 'A second signature over a message that was already used counts as a replay.',
    tests: ['test/attacks/replay.test.ts', 'cloud/gateways/claim.test.ts'],
  },
  A02: {
    promise: 'A signature is 64 bytes or strict DER; no other encoding verifies, at any place that takes one.',
    tests: ['test/attacks/hostile-signatures.test.ts', 'lib/keys/signature.test.ts'],
  },
  A03: {
    promise: 'Ed25519 keys of small order or with a second encoding are refused.',
    tests: ['lib/keys/public-key.test.ts', 'lib/keys/signature.test.ts'],
  },
  A04: {
    promise: 'A key is Ed25519 or P-256, and all encodings of it are one identity.',
    tests: ['lib/keys/public-key.test.ts', 'lib/keys/public-key.property.test.ts', 'cloud/identity/identity.test.ts'],
  },
  A05: {
    promise: 'Operators of the platform cannot be registered through it.',
    tests: ['cloud/identity/identity.test.ts', 'test/attacks/bad-input.test.ts'],
  },
  A06: {
    promise: 'A challenge signs in once, however many requests use it at the same time.',
    tests: ['cloud/identity/identity.test.ts', 'test/attacks/races.test.ts'],
  },
  A07: {
    promise: 'A challenge expires to the millisecond; setting a clock back revives neither expired nor used ones.',
    tests: ['cloud/identity/challenge.test.ts', 'cloud/identity/identity.test.ts', 'test/attacks/replay.test.ts'],
  },
  A08: {
    promise: 'A challenge is valid for one key, one purpose and one platform; no other signed text signs in.',
    tests: ['test/attacks/replay.test.ts', 'cloud/identity/identity.test.ts'],
  },
  A09: {
    promise: 'Challenges use no storage, do not reveal which keys are registered, and are rate-limited.',
    tests: ['test/attacks/replay.test.ts', 'cloud/identity/identity.test.ts', 'cloud/access/door.test.ts'],
  },
  A10: {
    promise:
      'A gateway signs a few claims a minute, records for whom, and with a local token refuses callers without it.',
    tests: ['gateway/identity/identity.test.ts', 'gateway/access/door.test.ts', 'test/gateway/guarded-routes.test.ts'],
  },
  A11: {
    promise: 'A message that a gateway signs carries its own time and nonce and has one meaning.',
    tests: ['gateway/identity/identity.test.ts', 'cloud/gateways/claim.test.ts'],
  },
  A12: {
    promise: 'A serial number belongs to one key, before and after it is claimed or released.',
    tests: ['cloud/gateways/claim.test.ts', 'cloud/operator/gateways.test.ts'],
  },
  A13: {
    promise: 'An old claim never brings a gateway back: not later, elsewhere, after a sale, a release or a restart.',
    tests: ['test/attacks/replay.test.ts', 'cloud/gateways/claim.test.ts'],
  },
  A14: {
    promise: 'A claim with one wrong field, letter or bit changes nothing.',
    tests: ['test/attacks/claim-fields.test.ts'],
  },
  A15: {
    promise: 'A transfer cuts off the previous organization, and both organizations can see it.',
    tests: [
      'cloud/telemetry/telemetry.test.ts',
      'cloud/gateways/claim.test.ts',
      'cloud/telemetry/transfer.test.ts',
      'cloud/telemetry/routing.test.ts',
    ],
  },
  A16: {
    promise: 'Concurrent claims, releases and provisioning end as if they had run one after another.',
    tests: ['test/attacks/races.test.ts'],
  },
  A17: {
    promise: 'A gateway that is released or transferred is disconnected from the broker.',
    tests: ['cloud/telemetry/telemetry.test.ts', 'cloud/broker/admission.test.ts', 'cloud/broker/rabbitmq.test.ts'],
  },
  A18: {
    promise: 'Only tokens that the platform issued, in exactly this form, are accepted.',
    tests: ['test/attacks/tokens.test.ts', 'test/attacks/hostile-signatures.test.ts', 'cloud/broker/admission.test.ts'],
  },
  A19: {
    promise: 'Signing keys are found among our own; keys and addresses in a token header are ignored.',
    tests: ['test/attacks/tokens.test.ts'],
  },
  A20: {
    promise: 'Each kind of token is valid in one place and on one platform.',
    tests: ['test/oauth/kinds.test.ts', 'test/attacks/tokens.test.ts', 'cloud/identity/identity.test.ts'],
  },
  A21: {
    promise: 'Key rotation refuses no valid token, and a retired key verifies nothing.',
    tests: ['test/attacks/tokens.test.ts', 'cloud/identity/key-ring.test.ts'],
  },
  A22: {
    promise: 'Lost access takes effect with the next request and ends open streams.',
    tests: [
      'cloud/telemetry/telemetry.test.ts',
      'cloud/identity/key-ring.test.ts',
      'cloud/access/idempotency.test.ts',
      'test/oauth/ending.test.ts',
    ],
  },
  A23: {
    promise: 'A token is read from its header and from nowhere else.',
    tests: ['test/oauth/metadata.test.ts', 'cloud/identity/identity.test.ts'],
  },
  A24: {
    promise: 'A gateway waits until its clock is plausible; the platform tolerates one minute of difference.',
    tests: ['gateway/uplink/uplink.test.ts', 'cloud/broker/admission.test.ts'],
  },
  A25: {
    promise:
      'Every identity asks every route about every object: only reviewed access is granted, and invisible objects look absent.',
    tests: ['test/attacks/authorization.test.ts'],
  },
  A26: {
    promise: 'Objects of different organizations cannot be combined.',
    tests: ['test/attacks/claim-fields.test.ts', 'cloud/devices/provision.test.ts'],
  },
  A27: {
    promise: 'Another spelling of a path, method or header grants nothing.',
    tests: ['test/attacks/spellings.test.ts', 'cloud/broker/callouts.test.ts'],
  },
  A28: {
    promise: "Lists contain the caller's objects only, and no answer contains the names of a neighbour.",
    tests: ['test/attacks/authorization.test.ts', 'cloud/access/paging.test.ts', 'test/canaries/canaries.test.ts'],
  },
  A29: {
    promise: 'An application has the access that was consented to, and never more than the person.',
    tests: ['test/attacks/authorization.test.ts', 'test/oauth/scopes.test.ts'],
  },
  A30: {
    promise: 'Adding a device again creates a new device without history, for everybody.',
    tests: ['cloud/devices/provision.test.ts', 'cloud/gateways/claim.test.ts'],
  },
  A31: {
    promise: 'Unknown fields of a body are refused, whatever their name.',
    tests: ['test/attacks/bad-input.test.ts'],
  },
  A32: {
    promise: 'A subscription is granted only if the client may receive everything that the filter matches.',
    tests: [
      'test/attacks/broker.test.ts',
      'cloud/broker/topic-filter.test.ts',
      'cloud/broker/embedded/subscribe.test.ts',
    ],
  },
  A33: {
    promise: 'No name at the broker can act as a topic filter.',
    tests: ['test/attacks/claim-fields.test.ts', 'cloud/broker/admission.test.ts'],
  },
  A34: {
    promise: 'A gateway publishes for itself only.',
    tests: ['test/attacks/broker.test.ts', 'cloud/broker/embedded/publish.test.ts', 'cloud/broker/admission.test.ts'],
  },
  A35: {
    promise: 'No client can take over the connection of another.',
    tests: ['test/attacks/broker.test.ts', 'cloud/broker/embedded/login.test.ts'],
  },
  A36: {
    promise: 'A command reaches clients that are connected now; it is never queued, retained or sent as a will.',
    tests: [
      'cloud/broker/embedded/subscribe.test.ts',
      'cloud/broker/embedded/publish.test.ts',
      'gateway/uplink/uplink.test.ts',
      'gateway/control/cloud-commands.test.ts',
      'test/faults/control.test.ts',
    ],
  },
  A37: {
    promise: 'A connection ends with its token or its access.',
    tests: ['cloud/broker/embedded/login.test.ts', 'cloud/broker/rabbitmq/evictions.test.ts'],
  },
  A38: {
    promise:
      'A client that connects too often, sends or subscribes too much, or does not read, costs the others nothing.',
    tests: [
      'cloud/broker/embedded/listeners.test.ts',
      'cloud/broker/embedded/publish.test.ts',
      'cloud/broker/embedded/subscribe.test.ts',
    ],
  },
  A39: {
    promise: 'While identities cannot be checked, nobody new is admitted and connected clients stay.',
    tests: [
      'test/attacks/broker.test.ts',
      'cloud/broker/rabbitmq.test.ts',
      'cloud/broker/callouts.test.ts',
      'cloud/broker/admission.test.ts',
    ],
  },
  A40: {
    promise: 'An impossible value is refused with a reason and counted; stored values are finite and within limits.',
    tests: ['cloud/telemetry/reading.test.ts', 'cloud/telemetry/telemetry.test.ts'],
  },
  A41: {
    promise: 'A counter that jumps back is a glitch or a reset, never energy; a repeated sample counts once.',
    tests: ['cloud/store/telemetry/telemetry-store.test.ts'],
  },
  A42: {
    promise:
      'No cell, and no type in a cell, is published below PUBLIC_MIN_SITES; no site dominates a sum or can be derived from two.',
    tests: [
      'test/attacks/edges/public-sums.test.ts',
      'cloud/public/guarded-sums.test.ts',
      'test/attacks/edges/public-cells.test.ts',
      'cloud/public/cells.test.ts',
    ],
  },
  A43: {
    promise: 'An invalid cell index is answered with 404, whatever it contains.',
    tests: ['test/attacks/edges/public-cells.test.ts'],
  },
  A44: {
    promise: 'A hostile document from a price source is refused at once, and the known prices stay.',
    tests: ['price/electricity/xml.test.ts', 'price/electricity/open-prices.test.ts'],
  },
  A45: {
    promise: 'Impossible prices, other units and days with gaps are refused, and never filled with zeros.',
    tests: [
      'price/electricity/entsoe.test.ts',
      'price/electricity/open-prices.test.ts',
      'test/price/two-years.test.ts',
    ],
  },
  A46: {
    promise:
      'A tariff file is loaded whole or not at all; a torn, huge or invalid file keeps the previous version in use.',
    tests: ['test/attacks/edges/torn-tariffs.test.ts', 'price/tariffs/tariffs.test.ts'],
  },
  A47: {
    promise: 'Requests that are too large, too deep, ambiguous or ask for too much at once are refused.',
    tests: [
      'test/attacks/edges/wire.test.ts',
      'test/attacks/bad-input.test.ts',
      'test/gateway/bad-input.test.ts',
      'test/price/hostile-bodies.test.ts',
      'test/attacks/growth/growth.test.ts',
      'cloud/store/telemetry/raw.test.ts',
      'lib/json.test.ts',
    ],
  },
  A48: {
    promise: 'Hundreds of slow connections delay nobody, and are closed when their time is up.',
    tests: ['test/attacks/edges/slow-senders.test.ts'],
  },
  A49: {
    promise:
      'Readers that stop reading are disconnected before much is buffered; each identity has a limited number of streams.',
    tests: [
      'cloud/telemetry/stream-access.test.ts',
      'test/attacks/edges/stalled-readers.test.ts',
      'lib/http/sse.test.ts',
      'lib/http/fan-out.test.ts',
    ],
  },
  A50: {
    promise: 'A stream ends with the token, membership or ownership that it was opened with.',
    tests: ['cloud/telemetry/telemetry.test.ts', 'cloud/telemetry/stream-access.test.ts', 'test/oauth/ending.test.ts'],
  },
  A51: {
    promise: 'No input reaches a prototype, and everything runs with frozen prototypes.',
    tests: [
      'test/attacks/edges/prototypes.test.ts',
      'lib/json.test.ts',
      'price/tariffs/tariffs.test.ts',
      'gateway/profiles/fuzz-mqtt.test.ts',
    ],
  },
  A52: {
    promise: 'Every regular expression searches the worst text of 100 kB, or of its limit, within 10 ms.',
    tests: ['test/attacks/edges/regular-expressions.test.ts'],
  },
  A53: {
    promise: 'No path, serial number or file name leads out of its folder.',
    tests: ['test/attacks/edges/traversal.test.ts', 'test/gateway/bad-input.test.ts', 'lib/atomic-file.test.ts'],
  },
  A54: {
    promise: 'Expensive work is limited before it starts, so that one sender does not stop the others.',
    tests: [
      'lib/json.test.ts',
      'test/attacks/edges/far-ranges.test.ts',
      'lib/http/fan-out.test.ts',
      'cloud/broker/embedded/publish.test.ts',
      'lib/keys/key-object.test.ts',
    ],
  },
  A55: {
    promise: 'Keys, tokens and passwords appear in no log and no answer.',
    tests: [
      'test/canaries/canaries.test.ts',
      'lib/log.test.ts',
      'gateway/system/system.test.ts',
      'gateway/network/network.test.ts',
      'gateway/uplink/uplink.test.ts',
      'price/electricity/open-prices.test.ts',
      'test/oauth/single-use.test.ts',
    ],
  },
  A56: {
    promise:
      'Keys and passwords are readable by their owner only, from the first moment, whatever the umask; otherwise nothing starts.',
    tests: ['test/attacks/edges/private-files.test.ts', 'gateway/identity/key-file.test.ts'],
  },
  A57: {
    promise: 'A factory reset that is killed or refused at any point has not begun, or is finished at the next start.',
    tests: ['test/attacks/edges/killed-reset.test.ts', 'gateway/system/factory-reset.test.ts'],
  },
  A58: {
    promise: 'A page of another origin has no effect on a gateway, by any means a browser offers.',
    tests: ['test/browser/cross-site.test.ts', 'gateway/access/origins.test.ts', 'gateway/access/door.test.ts'],
  },
  A59: {
    promise:
      'A foreign host name that resolves to our address gets nothing from a gateway and nothing private from the platform.',
    tests: ['test/browser/cross-site.test.ts', 'gateway/access/door.test.ts', 'test/stack/simulation.test.ts'],
  },
  A60: {
    promise: 'A gateway calls no address outside the home network, however it is written, and few inside it.',
    tests: [
      'test/attacks/edges/forbidden-targets.test.ts',
      'gateway/access/targets.test.ts',
      'gateway/access/probes.test.ts',
    ],
  },
  A61: {
    promise:
      'A guarded gateway changes its broker only with the local token, and connects over TLS only with a valid certificate.',
    tests: [
      'test/attacks/rogue-broker.test.ts',
      'gateway/access/door.test.ts',
      'test/gateway/guarded-routes.test.ts',
      'gateway/uplink/uplink.test.ts',
      'gateway/control/cloud-commands.test.ts',
    ],
  },
  A62: {
    promise:
      'A register write needs a valid word and an authorised caller, keeps 50 ms distance, and is never repeated by itself.',
    tests: [
      'test/gateway/guarded-routes.test.ts',
      'test/gateway/writing-registers.test.ts',
      'gateway/links/modbus/buses.test.ts',
    ],
  },
  A63: {
    promise: 'Power beyond the limits of a device is refused; of several commands the newest is applied.',
    tests: [
      'test/faults/control.test.ts',
      'gateway/control/lease.test.ts',
      'gateway/profiles/control/controls.test.ts',
    ],
  },
  A64: {
    promise:
      'A rate limit counts per IPv4 address or IPv6 /64, whatever the headers say and however many keys there are.',
    tests: ['test/attacks/edges/rate-limits.test.ts', 'test/deploy/proxy.test.ts', 'lib/rate-limit.test.ts'],
  },
  A65: {
    promise: 'Redirects go only to addresses that were registered, letter by letter.',
    tests: ['test/oauth/attacks.test.ts'],
  },
  A66: {
    promise:
      'An authorization code works once, for 60 s, for the client that asked for it; a second use revokes what the first one gave.',
    tests: ['test/oauth/single-use.test.ts', 'test/oauth/attacks.test.ts'],
  },
  A67: { promise: 'PKCE is required, and the plain method is refused.', tests: ['test/oauth/attacks.test.ts'] },
  A68: {
    promise: 'Consent is given in the browser that was asked, in no frame, and the response names the issuer.',
    tests: ['test/oauth/attacks.test.ts', 'test/oauth/page.test.ts'],
  },
  A69: {
    promise: 'A client secret is accepted in the two standard places only, and guessing it is rate-limited.',
    tests: ['test/oauth/attacks.test.ts'],
  },
  A70: {
    promise: 'A refresh token that is used twice ends everything that came from the same consent.',
    tests: ['test/oauth/single-use.test.ts'],
  },
  A71: {
    promise: 'Packages have exact versions and hashes, come from the registry, and run only allowed install scripts.',
    tests: ['test/attacks/edges/supply-chain.test.ts'],
  },
  A72: {
    promise: 'The list of all components, with versions and hashes, is generated from the lockfile.',
    tests: ['test/attacks/edges/supply-chain.test.ts'],
  },
  A73: {
    promise: 'A gateway takes no update over the network.',
    reason:
      'The product does not update itself; the administrator of the machine installs new versions like any other package.',
  },
};
