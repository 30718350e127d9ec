import { closeInOrder } from '../../src/worker-stop';

describe('the end of a worker', () => {
  it('is finished only when all is closed: what hangs is left to the grace', async () => {
    const done: string[] = [];
    const close = (name: string) => () => Promise.resolve(done.push(name));
    let letGo = (): void => undefined;
    const hanging = new Promise<void>((resolve) => (letGo = resolve));
    const closing = closeInOrder({ finished: () => void done.push('finished') }, [
      close('rescan'),
      () => hanging,
      close('database'),
    ]);
    await new Promise((resolve) => setImmediate(resolve));
    expect(done).toEqual(['rescan']);
    letGo();
    await closing;
    expect(done).toEqual(['rescan', 'database', 'finished']);
  });
});
