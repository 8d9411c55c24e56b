// Types for the parts of the package that this platform uses; it has none of its own.
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http';

  export type Payload = Record<string, unknown> & { grantId?: string; clientId?: string; accountId?: string };

  type Find = (id: string) => Promise<Payload | undefined>;
  type Act = (id: string) => Promise<void>;

  export type Adapter = {
    upsert(id: string, payload: Payload, expiresInSeconds: number): Promise<void>;
    find: Find;
    findByUid: Find;
    findByUserCode: Find;
    consume: Act;
    destroy: Act;
    revokeByGrantId: Act;
  };

  export type Interaction = {
    params: { client_id: string; redirect_uri: string; scope?: string };
    returnTo: string;
    result?:
      | { error: string; error_description: string }
      | { login: { accountId: string; remember: boolean }; consent: { grantId: string } };
    persist(): Promise<unknown>;
  };

  type Grant = { addOIDCScope(scope: string): void; save(): Promise<string> };

  export type Client = {
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

  export const errors: Record<'InvalidGrant' | 'InvalidScope', new (description: string) => Error>;

  export const interactionPolicy: {
    Prompt: new (options: { name: string; requestable: boolean }, check: object) => object;
    Check: new (reason: string, description: string, check: (context: Context) => boolean) => object;
  };
}
