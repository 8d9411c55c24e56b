// Types for the parts of the package that this platform uses; it has none of its own.
declare module 'nodemailer' {
  export type Mail = {
    from: string;
    to: string;
    subject: string;
    text: string;
    messageId?: string;
    headers?: Record<string, string>;
  };
  export type Transport = { sendMail(mail: Mail): Promise<unknown>; close(): void };

  export function createTransport(options: {
    url: string;
    connectionTimeout: number;
    greetingTimeout: number;
    socketTimeout: number;
    disableFileAccess: true;
    disableUrlAccess: true;
  }): Transport;
}
