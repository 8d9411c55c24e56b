import { claimMinutes, isTimely, parseClaim } from '#contract/claim.ts';
import type { Ohmstead } from '#contract/client/connect.ts';
import { claimGateway, getGateway, type SignedClaim } from '#contract/cloud/gateways.ts';
import type { Organization } from '#contract/cloud/organizations.ts';
import { getCrypto, signMessage } from '#contract/gateway/identity.ts';
import { getStatus } from '#contract/gateway/status.ts';
import { Problem } from '#contract/problem.ts';
import { keysOf } from '#contract/schema.ts';
import { minuteMs } from '#contract/time.ts';
import { type Clock, systemClock } from '#lib/clock.ts';
import { parsePublicKey, serialProof } from '#lib/keys/public-key.ts';
import { verifySignature } from '#lib/keys/signature.ts';
import { gatewayOptions, type LocalGateway, openGateway } from '../gateways/gateway-address.ts';
import { listOrphans, type Orphan } from '../gateways/gateway-devices.ts';
import { UsageError } from '../line/command.ts';
import { ifFound } from '../line/errors.ts';
import { report } from '../line/report.ts';
import { openSession } from '../sign-in/session.ts';
import { findOrganization, orgOption } from '../sites/find-site.ts';
import { requireConfirmation, yesOption } from '../terminal/output.ts';

const manualOptions = {
  serial: { value: 'SERIAL', help: 'manual claim, for a gateway that this machine cannot reach: its serial' },
  'public-key': { value: 'KEY', help: 'manual claim: its P-256 public key' },
  message: {
    value: 'TEXT',
    help: 'manual claim: the message that its POST /api/crypto/sign signed for your identity id',
  },
  signature: { value: 'TEXT', help: 'manual claim: its signature' },
} as const;

const claim = report('gateway claim', {
  summary: 'Claim a gateway into an organization with a signature of the gateway',
  options: { org: orgOption, ...gatewayOptions, ...manualOptions, yes: yesOption },
  examples: [
    'gateway claim',
    'gateway claim --gateway http://192.168.1.20:8081 --org Home',
    'gateway claim --serial garage-7 --public-key 04f2... --message "idt-...|5f1c...|2026-06-01T12:00:00Z|garage-7" --signature 9a01...',
  ],
  async run({ options }, shell) {
    const tell = (sentence: string): void => void (options.json || shell.stdout.write(`${sentence}\n`));
    const given = parseManualClaim(options);
    const api = await openSession(shell);
    const organization = await findOrganization(api, options.org);

    const target = given ?? (await fetchTarget(openGateway(options, shell)));
    const local = 'sign' in target ? target : undefined;
    const { gateway_serial: serial, public_key } = target;
    if (local) tell(`The gateway at ${local.url} is ${serial}.`);
    tell(
      isSerialFromKey(serial, public_key)
        ? 'Its serial is derived from its key, so no other gateway can have it.'
        : 'Its serial is not derived from its key; the platform accepts the key it has for this serial, or the first one it sees.',
    );
    const doubt = await describeTransfer(api, serial, local?.connectedTo, organization);
    if (doubt) await requireConfirmation(options.yes, doubt, shell);

    const signed = 'sign' in target ? await target.sign(api.identityId) : target;
    checkClaim(signed, api.identityId, systemClock);
    tell(`It signed the claim of ${api.identityId}, and the signature is valid.`);
    const claimed = await api.call(claimGateway, { body: { org_id: organization.id, ...signed } });
    const orphans = options.json ? [] : await listOrphans(api, organization.id, serial);
    const sentences = [
      `It now belongs to ${organization.name} (${organization.id})${claimed.transferred ? '; its previous organization keeps the history' : ''}.`,
      ...(local && !local.connectedTo ? [nextStep] : []),
      ...(orphans.length > 0 ? [describeOrphans(orphans)] : []),
    ];
    return { result: claimed, text: sentences };
  },
});

const nextStep =
  'It is not connected to a platform yet. Once its broker is set (UPLINK_URL of ohmstead gateway), this takes a few seconds.';

function describeOrphans(orphans: readonly Orphan[]): string {
  const lines = orphans.map(
    ({ hardware_id, site_id }) => `  ohmstead device provision ${hardware_id} --site ${site_id}`,
  );
  return [
    `It has ${orphans.length} orphaned ${orphans.length === 1 ? 'device' : 'devices'}. Their history is kept, but new readings are not stored until you provision them again:`,
    ...lines,
  ].join('\n');
}

/** Reads the four parts of a manual claim; undefined if none is given. */
function parseManualClaim(options: Record<keyof typeof manualOptions, string | undefined>): SignedClaim | undefined {
  const { serial: gateway_serial, 'public-key': public_key, message, signature } = options;
  if (gateway_serial !== undefined && public_key !== undefined && message !== undefined && signature !== undefined) {
    return { gateway_serial, public_key, message, signature };
  }
  const names = keysOf(manualOptions);
  if (names.every((name) => options[name] === undefined)) return undefined;
  const missing = names.filter((name) => options[name] === undefined).map((name) => `--${name}`);
  throw new UsageError(`A manual claim needs four options; missing: ${missing.join(', ')}.`);
}

/** Describes what a claim changes for a gateway that already has an owner; undefined if it has none. */
async function describeTransfer(
  api: Ohmstead,
  serial: string,
  connectedTo: string | undefined,
  { id, name }: Organization,
): Promise<string | undefined> {
  const known = await ifFound(api.call(getGateway, { params: { serial } }));
  if (known?.org_id === id) return undefined;
  const loss = `Claiming it into ${name} removes it from there; its devices become orphaned and must be provisioned again.`;
  if (known) return `${serial} is in your organization ${known.org_id}, with ${known.device_count} devices. ${loss}`;
  if (!connectedTo) return undefined; // the platform does not reveal gateways of others
  return `${serial} is connected to ${connectedTo}, which admits only claimed gateways, and it is not in any of your organizations, so it probably belongs to someone else. ${loss}`;
}

export const claimCommands = [claim];

async function fetchTarget({ api, url }: LocalGateway) {
  const { serialNumber: gateway_serial, publicKey: public_key } = await api.call(getCrypto);
  const { uplink } = await api.call(getStatus);
  return {
    gateway_serial,
    public_key,
    url,
    /** the broker that it is connected to; brokers admit only claimed gateways */
    connectedTo: uplink.connected ? (uplink.broker ?? 'a broker') : undefined,
    async sign(claimerId: string): Promise<SignedClaim> {
      const { sign: signature, message } = await api.call(signMessage, { body: { message: claimerId } });
      return { gateway_serial, public_key, message, signature };
    },
  };
}

const isSerialFromKey = (serial: string, publicKey: string): boolean =>
  serial.endsWith(`-${serialProof(parsePublicKey(publicKey))}`);

/** Checks a claim as the platform does, but with messages that say what to do. */
function checkClaim(claim: SignedClaim, claimerId: string, clock: Clock): void {
  const signed = parseClaim(claim.message);
  if (!signed) throw refused('The message must have the form <your identity id>|<nonce>|<time>|<serial>.');
  if (signed.claimerId !== claimerId) {
    throw refused(`The message is for ${signed.claimerId}, but you are ${claimerId}; let the gateway sign for you.`);
  }
  if (signed.serial !== claim.gateway_serial) {
    throw refused(`The message is from the gateway ${signed.serial}, not ${claim.gateway_serial}.`);
  }
  if (!verifySignature(parsePublicKey(claim.public_key), claim.message, claim.signature)) {
    throw refused('The signature does not match this key and message.');
  }
  const now = clock.now();
  if (!isTimely(signed.atMs, now)) {
    const minutes = Math.round(Math.abs(now - signed.atMs) / minuteMs);
    throw refused(
      `The time in the message differs by ${minutes} minutes from now; at most ${claimMinutes} are allowed. Let the gateway sign again, and check the clocks of both machines.`,
    );
  }
}

const refused = (sentence: string): Problem => new Problem('claim_refused', sentence);
