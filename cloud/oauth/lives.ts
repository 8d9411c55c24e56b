import { dayMs } from '#contract/time.ts';

/** How long an application keeps what it was allowed, unless it is withdrawn or allowed again. */
export const consentLifeMs = 365 * dayMs;

/** How long an access token of an application is valid. */
export const accessTokenSeconds = 3600;

/** Names the request in the browser that began it. */
export const requestCookie = 'ohmstead_oauth_request';
