interface Opened<T> {
  readonly value: T;
  stop(): Promise<void>;
}

/** Something that several jest projects need: the first to use it opens it, the last to leave stops it. */
export class Shared<T> {
  #users = 0;
  #opened: Promise<Opened<T>> | undefined;

  constructor(private readonly open: () => Promise<Opened<T>>) {}

  async use(): Promise<T> {
    this.#users += 1;
    this.#opened ??= this.open();
    return (await this.#opened).value;
  }

  /** Also after a failed `use`: then there is nothing to stop. */
  async leave(): Promise<void> {
    if (this.#users === 0) return;
    this.#users -= 1;
    if (this.#users > 0) return;
    const opened = this.#opened;
    this.#opened = undefined;
    const stop = await opened?.then(
      (one) => () => one.stop(),
      () => undefined,
    );
    await stop?.();
  }
}
