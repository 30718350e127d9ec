import type { Config } from '../../config';
import { homeAt } from '../../embedded/home';
import { openStack, type Stack } from '../../embedded/stack';
import { readStackFile } from '../../embedded/stack-file';
import type { UpOut } from '../dependencies';
import { EXIT } from '../exit-codes';
import { listenForInterrupts, unlessAborted, whenAborted, type Interrupt } from '../interrupt';

function addressLines(stack: Stack, home: string): readonly string[] {
  return [
    stack.joined
      ? `A stack runs already in ${home}; it is kept by another command, and taken over when that ends.`
      : `The stack runs; its state is in ${home}.`,
    `  database     ${stack.databaseUrl.replace(/:[^:@/]+@/, ':…@')}   (whole in stack.json)`,
    `  Temporal     ${stack.temporalAddress ?? '-'}`,
    `  Temporal UI  ${stack.temporalUiUrl ?? '- (not embedded)'}`,
    `  API          ${stack.apiUrl ?? '- (not in this release)'}`,
    stack.joined ? 'Ctrl-C ends this command; the stack goes on.' : 'Ctrl-C ends it; twice, at once.',
  ];
}

/**
 * `callsheet up` (spec 50 "Setting up"): keeps the stack until Ctrl-C. Where one runs already, it is joined, and taken over
 * when it ends. Answers the exit code. Throws what opening the stack throws.
 */
export async function up(config: Config, out: UpOut): Promise<number> {
  const interrupt = listenForInterrupts();
  let stack: Stack | undefined;
  const insisted = whenAborted(interrupt.insisted).then(async () => {
    // Also hastens a stop under way. Of a stack that still starts, the keeper ends all when this process is gone.
    await stack?.stop({ atOnce: true });
    return stack === undefined ? interrupt.exitCode() : EXIT.done;
  });
  // A joined stack's watch does not keep a process alive, and waiting here must.
  const keepAlive = setInterval(() => undefined, 60_000);
  try {
    return await Promise.race([keepStack(config, out, interrupt, (opened) => (stack = opened)), insisted]);
  } finally {
    clearInterval(keepAlive);
    interrupt.release();
  }
}

async function keepStack(
  config: Config,
  out: UpOut,
  interrupt: Interrupt,
  onOpen: (stack: Stack) => void,
): Promise<number> {
  for (;;) {
    const begun = openStack({
      config,
      need: 'everything',
      keptBy: 'up',
      say: (line) => out.line(line),
      signal: interrupt.asked,
    });
    const opened = await unlessAborted(interrupt.asked, begun);
    if (opened === null) return interrupt.exitCode();
    onOpen(opened);
    for (const line of addressLines(opened, config.home)) out.line(line);
    // None: it has ended since, which is told below.
    const addresses = readStackFile(homeAt(config.home).stack);
    if (addresses) out.body(addresses);
    const ended = new Promise<'ended'>((resolve) => opened.onEnd(() => resolve('ended')));
    const why = await Promise.race([whenAborted(interrupt.asked), ended]);
    if (why === 'ended') {
      await opened.stop();
      out.line('The stack that was joined has ended; starting one here.');
      continue;
    }
    if (!opened.joined) out.line('Stopping: the worker finishes or hands back what it holds …');
    await opened.stop();
    return EXIT.done;
  }
}
