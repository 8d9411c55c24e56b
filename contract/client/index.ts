export { type Role, roles } from '../access.ts';
export { type Client, type ClientOptions, createClient } from '../client.ts';
export * from '../cloud/alerts.ts';
export * from '../cloud/bill.ts';
export * from '../cloud/browsers.ts';
export * from '../cloud/carbon.ts';
export * from '../cloud/commands.ts';
export * from '../cloud/contract.ts';
export * from '../cloud/devices.ts';
export * from '../cloud/energy.ts';
export * from '../cloud/gateways.ts';
export * from '../cloud/identity.ts';
export {
  acceptInvitation,
  createInvitation,
  declineInvitation,
  getInvitation,
  Invitation,
  invitationDays,
  listInvitations,
  Membership,
  NewInvitation,
  withdrawInvitation,
} from '../cloud/invitations.ts';
export * from '../cloud/manage.ts';
export * from '../cloud/nearby.ts';
export {
  Consent,
  listClients,
  listConsents,
  NewClient,
  OAuthClient,
  RegisteredClient,
  registerClient,
  removeClient,
  withdrawConsent,
} from '../cloud/oauth.ts';
export * from '../cloud/orders.ts';
export * from '../cloud/organizations.ts';
export * from '../cloud/plans.ts';
export * from '../cloud/public.ts';
export * from '../cloud/sites.ts';
export * from '../cloud/telemetry.ts';
export * from '../operations.ts';
export { type FieldError, Problem, type ProblemCode, type ProblemDetails, problemCodes } from '../problem.ts';
export type { ReplyOf, RequestOf, Route } from '../route.ts';
export { type FieldName, telemetryFields } from '../telemetry.ts';
export { type ConnectOptions, connect, type Ohmstead } from './connect.ts';
export * as gateway from './gateway.ts';
export { keyFromPair, keyFromPem, makeKey, type SigningKey } from './key.ts';
export * as price from './price.ts';
export type { SiteEvent, SiteReading, StreamOptions } from './site-stream.ts';
