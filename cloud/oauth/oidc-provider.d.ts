// Types for the parts of the package that this platform uses; it has none of its own.
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http';

  export type Payload = Record<string, unknown> & {
    grantId?: string;
    clientId?: string;
    accountId?: string;
    exp?: number;
  };

  export type Adapter = {
    upsert(id: string, payload: Payload, expiresInSeconds: number): Promise<void>;
    find(id: string): Promise<Payload | undefined>;
    findByUid(uid: string): Promise<Payload | undefined>;
    findByUserCode(code: string): Promise<Payload | undefined>;
    consume(id: string): Promise<void>;
    destroy(id: string): Promise<void>;
    revokeByGrantId(grantId: string): Promise<void>;
  };

  export type InteractionResult =
    | { error: string; error_description: string }
    | { login: { accountId: string; remember: boolean }; consent: { grantId: string } };

  export type Interaction = {
    uid: string;
    params: { client_id: string; redirect_uri: string; scope?: string };
    returnTo: string;
    result?: InteractionResult;
    persist(): Promise<unknown>;
  };

  type Grant = { addOIDCScope(scope: string): void; save(): Promise<string> };

  type Client = {
    clientId: string;
    clientSecret?: string;
    clientAuthMethod: string;
    redirectUris: string[];
    grantTypeAllowed(type: string): boolean;
    compareClientSecret(actual: string): boolean;
  };

  export type Context = {
    oidc: {
      result?: { login?: unknown; consent?: { grantId: string } };
      requestParamOIDCScopes: ReadonlySet<string>;
      provider: Provider;
    };
    status: number;
    type: string;
    body: unknown;
    path: string;
    accepts(...types: string[]): string | false;
    set(headers: Record<string, string>): void;
  };

  export default class Provider {
    constructor(issuer: string, configuration: object);
    proxy: boolean;
    silent: boolean;
    readonly Interaction: { find(uid: string): Promise<Interaction | undefined> };
    readonly Grant: {
      new (input: { accountId: string; clientId: string }): Grant;
      find(id: string): Promise<Grant | undefined>;
    };
    readonly Client: { prototype: Client };
    callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>;
    use(middleware: (context: Context, next: () => Promise<void>) => Promise<void>): this;
    on(event: 'server_error', listener: (context: Context, error: Error) => void): this;
    on(event: 'error', listener: (error: Error) => void): this;
  }

  export const errors: {
    InvalidGrant: new (description: string) => Error;
    InvalidScope: new (description: string) => Error;
  };

  export const interactionPolicy: {
    Prompt: new (options: { name: string; requestable: boolean }, check: object) => object;
    Check: new (reason: string, description: string, check: (context: Context) => boolean) => object;
  };

  export type { Client };
}
