import { AppError } from '../domain/errors';

/**
 * What `work` answers or throws; where it has not settled `withinMs` after `stop` was aborted, it is left to itself, so that an
 * attempt which Temporal has written off keeps no place on its worker. Throws internal.unexpected then: an error of this process,
 * and no cancel, since a cancel would end the loop (spec 30 "As a Temporal workflow").
 */
export async function giveUpAfterStop<T>(work: Promise<T>, stop: AbortSignal, withinMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  let giveUp = () => {};
  const givenUp = new Promise<never>((_, reject) => {
    giveUp = () =>
      (timer = setTimeout(() => {
        reject(new AppError('internal.unexpected', `It had not ended ${withinMs} ms after it was told to stop.`));
      }, withinMs));
  });
  stop.addEventListener('abort', giveUp, { once: true });
  if (stop.aborted) giveUp();
  try {
    return await Promise.race([work, givenUp]);
  } finally {
    stop.removeEventListener('abort', giveUp);
    clearTimeout(timer);
  }
}
