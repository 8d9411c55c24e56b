import { userInfo } from 'node:os';

/** Who this process runs as; in a container it is often a number without a name. */
export function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.()}`;
  }
}
