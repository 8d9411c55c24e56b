import type { Ohmstead } from '#contract/client/connect.ts';
import type { Device } from '#contract/cloud/devices.ts';
import { claimGateway, getGateway, type SignedClaim } from '#contract/cloud/gateways.ts';
import type { Organization } from '#contract/cloud/organizations.ts';
import { Problem } from '#contract/problem.ts';
import { systemClock } from '#lib/clock.ts';
import {
  askIdentity,
  askSignature,
  checkSigned,
  type GatewayIdentity,
  provesItself,
} from '../gateways/claim-request.ts';
import { orphansBehind } from '../gateways/devices-behind.ts';
import { gatewayOptions, openGateway } from '../gateways/gateway-address.ts';
import { command } from '../line/command.ts';
import { UsageError } from '../line/usage-error.ts';
import { signedIn } from '../sign-in/session.ts';
import { findOrganization, orgOption } from '../sites/find-site.ts';
import { agree, yesOption } from '../terminal/confirm.ts';
import { jsonOption, printResult } from '../terminal/output.ts';

const byHand = {
  serial: { value: 'SERIAL', says: 'claim by hand, a gateway that this machine cannot reach: its serial' },
  'public-key': { value: 'KEY', says: 'by hand: its P-256 public key' },
  message: { value: 'TEXT', says: 'by hand: what its POST /api/crypto/sign signed, asked with your identity id' },
  signature: { value: 'TEXT', says: 'by hand: its signature' },
} as const;

const claim = command({
  name: 'gateway claim',
  summary: 'Bring a gateway into an organization, with a signature that the gateway gives',
  options: { org: orgOption, ...gatewayOptions, ...byHand, yes: yesOption, json: jsonOption },
  examples: [
    'gateway claim',
    'gateway claim --gateway http://192.168.1.20:8081 --org Home',
    'gateway claim --serial garage-7 --public-key 04f2... --message "idt-...|5f1c...|2026-06-01T12:00:00Z|garage-7" --signature 9a01...',
  ],
  async run({ options }, shell) {
    const tell = (sentence: string): void => void (options.json || shell.stdout.write(`${sentence}\n`));
    const given = handSigned(options);
    const api = await signedIn(shell);
    const organization = await findOrganization(api, options.org);

    const gateway = given ? undefined : openGateway(options, shell);
    const identity = gateway && (await askIdentity(gateway));
    const { serial, publicKey } = identity ?? { serial: given!.gateway_serial, publicKey: given!.public_key };
    if (gateway) tell(`The gateway at ${gateway.url} is ${serial}.`);
    tell(
      provesItself(serial, publicKey)
        ? 'Its serial is made from its key: nobody else can have it.'
        : 'Its serial is not made from its key: the platform takes the key it knows, or the first one it sees.',
    );
    const doubt = await doubtOf(api, serial, organization, identity);
    if (doubt) await agree(options.yes, doubt, shell, claim.name);

    const signed = given ?? (await askSignature(gateway!, identity!, api.identityId));
    checkSigned(signed, api.identityId, systemClock);
    tell(`It has signed that ${api.identityId} claims it, and the signature is by its key.`);
    const claimed = await api.call(claimGateway, { body: { org_id: organization.id, ...signed } });
    const orphans = options.json ? [] : await orphansBehind(api, organization.id, serial);
    const sentences = [
      `It belongs to ${organization.name} (${organization.id})${claimed.transferred ? ', and came from another organization, which keeps its history' : ''}.`,
      ...(identity && !identity.connectedTo ? [nextStep] : []),
      ...(orphans.length > 0 ? [tellOrphans(orphans)] : []),
    ];
    printResult(shell, options.json, claimed, sentences.join('\n'));
  },
});

const nextStep =
  'It is not connected to a platform yet: when it has been told the broker (UPLINK_URL of ohmstead gateway), that takes some seconds.';

function tellOrphans(orphans: readonly Device[]): string {
  const lines = orphans.map(
    ({ hardware_id, site_id }) => `  ohmstead device provision ${hardware_id} --site ${site_id}`,
  );
  return [
    `Orphaned devices of it: ${orphans.length}. Their history is here, and nothing new is kept until they are provisioned again:`,
    ...lines,
  ].join('\n');
}

/** All four parts of a claim that was signed elsewhere, or none. */
function handSigned(options: Record<keyof typeof byHand, string | undefined>): SignedClaim | undefined {
  const { serial: gateway_serial, 'public-key': public_key, message, signature } = options;
  if (gateway_serial !== undefined && public_key !== undefined && message !== undefined && signature !== undefined) {
    return { gateway_serial, public_key, message, signature };
  }
  const names = Object.keys(byHand) as (keyof typeof byHand)[];
  if (names.every((name) => options[name] === undefined)) return undefined;
  const missing = names.filter((name) => options[name] === undefined).map((name) => `--${name}`);
  throw new UsageError(`A claim by hand has four parts; ${missing.join(', ')} is missing.`, claim.name);
}

/** What the person should know first, when the gateway is somebody's already. */
async function doubtOf(
  api: Ohmstead,
  serial: string,
  { id, name }: Organization,
  identity: GatewayIdentity | undefined,
): Promise<string | undefined> {
  const known = await api.call(getGateway, { params: { serial } }).catch((error: unknown) => {
    if (error instanceof Problem && error.code === 'not_found') return undefined;
    throw error;
  });
  if (known?.org_id === id) return undefined;
  const loss = `Claiming it into ${name} takes it away from there: its devices become orphaned, and must be provisioned again.`;
  if (known)
    return `${serial} is in your organization ${known.org_id} now, with ${known.device_count} devices. ${loss}`;
  if (!identity?.connectedTo) return undefined; // the platform tells of nobody else's gateways
  return `${serial} is signed in to ${identity.connectedTo}, where only claimed gateways are let in, and it is in none of your organizations: it seems to be somebody else's. ${loss}`;
}

export const claimCommands = [claim];
