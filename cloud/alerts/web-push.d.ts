// Types for the parts of the package that this platform uses; it has none of its own.
declare module 'web-push' {
  type Subscription = { endpoint: string; keys: { p256dh: string; auth: string } };
  type Options = {
    vapidDetails: { subject: string; publicKey: string; privateKey: string };
    TTL: number;
    urgency: 'normal' | 'high';
    topic?: string;
  };

  const webPush: {
    generateVAPIDKeys(): { publicKey: string; privateKey: string };
    generateRequestDetails(
      subscription: Subscription,
      payload: string,
      options: Options,
    ): { headers: Record<string, string | number>; body: Buffer };
  };
  export default webPush;
}
