// Types for the parts of the package that the tests use; it has none of its own.
declare module 'smtp-server' {
  import type { Server } from 'node:net';
  import type { Readable } from 'node:stream';

  type Session = { envelope: { mailFrom: { address: string } | false; rcptTo: { address: string }[] } };

  export class SMTPServer {
    constructor(options: {
      authOptional: boolean;
      disabledCommands: string[];
      onData(stream: Readable, session: Session, done: (error?: Error) => void): void;
    });
    readonly server: Server;
    listen(port: number, host: string, listening: () => void): void;
    close(closed: () => void): void;
  }
}
