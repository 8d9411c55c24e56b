import { Type } from '#contract/schema.ts';

// Settings that mean the same in several programs; each has them under the same name.

export const logSettings = {
  LOG_LEVEL: Type.Enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
    default: 'info',
    description: 'how much is logged',
  }),
};

export const proxySettings = {
  TRUST_PROXY: Type.Optional(
    Type.String({
      description: 'addresses of proxies whose X-Forwarded-For is believed, comma separated',
      examples: ['127.0.0.1,10.0.0.0/8'],
    }),
  ),
};
