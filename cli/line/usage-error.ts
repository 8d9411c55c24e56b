/** The command line was wrong; `help` is what to add --help to. */
export class UsageError extends Error {
  override name = 'UsageError';
  readonly help: string;

  constructor(sentence: string, help = '') {
    super(sentence);
    this.help = help;
  }
}
