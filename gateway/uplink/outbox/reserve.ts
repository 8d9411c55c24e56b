import { rm, stat, writeFile } from 'node:fs/promises';

/** Room that is set aside on disk: thinning writes a file before it removes one, also when nothing else fits. */
export class Reserve {
  private readonly path: string;
  private readonly bytes: number;

  constructor(path: string, bytes: number) {
    this.path = path;
    this.bytes = bytes;
  }

  /** Throws when there is no room for it. */
  async fill(): Promise<void> {
    if ((await this.size()) === this.bytes) return;
    try {
      await writeFile(this.path, Buffer.alloc(this.bytes), { mode: 0o600 });
    } catch (error) {
      await this.free();
      throw error;
    }
  }

  async free(): Promise<void> {
    await rm(this.path, { force: true });
  }

  private async size(): Promise<number> {
    try {
      return (await stat(this.path)).size;
    } catch {
      return 0;
    }
  }
}
