import { may } from '../access.ts';
import { claimForm } from '../claim.ts';
import { type RequestOf, routesOf } from '../route.ts';
import {
  CountsOf,
  Id,
  KeyText,
  Nullable,
  OrgFilter,
  page,
  Serial,
  SignatureText,
  type Static,
  Text,
  Timestamp,
  Titled,
  Type,
  texts,
} from '../schema.ts';

const api = routesOf({ tag: 'Gateways' });

export const ClaimedGateway = Titled('ClaimedGateway', {
  ...texts('gateway_serial', 'org_id'),
  public_key: Type.String({ description: 'base64, 65 bytes' }),
  claimed_at: Timestamp,
  transferred: Type.Boolean({ description: 'whether the gateway was transferred from another organization' }),
});
export type ClaimedGateway = Static<typeof ClaimedGateway>;

const record = {
  ...texts('gateway_serial', 'org_id', 'public_key'),
  claimed_at: Timestamp,
  online: Type.Boolean(),
  last_seen: Nullable(Timestamp),
  device_count: Type.Integer(),
};

export const Gateway = Titled('Gateway', record);
export type Gateway = Static<typeof Gateway>;

export const dropReasons = [
  'malformed',
  'too_large',
  'not_finite',
  'out_of_range',
  'too_old',
  'not_provisioned',
  'ambiguous_der',
  'before_claim',
  'unstorable',
  'quota',
  'too_many_fields',
] as const;
export type DropReason = (typeof dropReasons)[number];

export const GatewayDetails = Titled('GatewayDetails', {
  ...record,
  dropped: CountsOf(dropReasons, {
    description:
      'dropped messages by reason, since the answering platform process started; for too_many_fields only the fields ' +
      'beyond the limit were dropped',
  }),
});
export type GatewayDetails = Static<typeof GatewayDetails>;

export const claimGateway = api.post('/gateways/claim', 'Claim a gateway into an organization', {
  description:
    'The gateway signs the message with its ES256 key; its first part is the identity id of the caller. 201 when newly claimed, ' +
    '200 when the organization already had it or it was transferred from another organization.',
  location: '/gateways/{gateway_serial}',
  access: may('manage', 'organization', 'body.org_id'),
  body: Type.Object({
    org_id: Id,
    gateway_serial: Serial,
    public_key: KeyText,
    message: Text(512, claimForm),
    signature: SignatureText,
  }),
  replies: { 201: ClaimedGateway, 200: ClaimedGateway },
  problems: ['claim_refused', 'claim_expired', 'claim_replayed', 'quota_exceeded'],
  budget: 'claim',
  creates: true,
});

/** The signed message of a gateway with its serial and key. */
export type SignedClaim = Omit<RequestOf<typeof claimGateway>['body'], 'org_id'>;

export const listGateways = api.get('/gateways', 'List the gateways of all organizations that the caller can access', {
  access: may('read', 'organization', 'query.org_id', { filter: true }),
  scope: 'read:sites',
  query: Type.Object({ org_id: OrgFilter, ...page }),
  replies: { 200: Type.Array(Gateway) },
  paged: true,
});

export const getGateway = api.get('/gateways/{serial}', 'Get a gateway', {
  conditional: true,
  access: may('read', 'gateway', 'params.serial'),
  scope: 'read:sites',
  replies: { 200: GatewayDetails },
});

export const releaseGateway = api.delete('/gateways/{serial}', 'Release a gateway', {
  description:
    'The gateway then belongs to no organization, its devices become orphaned, and its key stays bound to its serial. Telemetry is kept; delete the devices to erase it.',
  resource: getGateway,
  access: may('manage', 'gateway', 'params.serial'),
  replies: { 204: null },
});

export const streamGatewayLogs = api.get('/gateways/{serial}/logs', 'Stream a gateway log as server-sent events', {
  access: may('read', 'gateway', 'params.serial'),
  replies: { 200: Type.String() },
  contentType: 'text/event-stream',
});

export const gatewayRoutes = api.all;
