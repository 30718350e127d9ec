import type { Config } from '../../config';
import { onEndSignals } from '../../embedded/end-signals';
import { openStack, type Stack } from '../../embedded/stack';
import { EXIT, EXIT_ON_SIGNAL } from '../exit-codes';

interface Out {
  line(text: string): void;
}

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
export async function up(config: Config, out: Out): Promise<number> {
  let askToEnd: (signal: NodeJS.Signals) => void = () => undefined;
  let insist: () => void = () => undefined;
  const asked = new Promise<NodeJS.Signals>((resolve) => (askToEnd = resolve));
  const stopListening = onEndSignals({ first: (signal) => askToEnd(signal), again: () => insist() });
  try {
    for (;;) {
      const opened = await Promise.race([
        openStack({ config, need: 'everything', say: (line) => out.line(line) }),
        asked,
      ]);
      // Stopped while it was still starting: the keeper ends what has started when this process ends.
      if (typeof opened === 'string') return opened === 'SIGINT' ? EXIT_ON_SIGNAL.SIGINT : EXIT_ON_SIGNAL.SIGTERM;
      insist = () => void opened.stop({ atOnce: true });
      for (const line of addressLines(opened, config.home)) out.line(line);
      const ended = new Promise<'ended'>((resolve) => opened.onEnd(() => resolve('ended')));
      // A joined stack's watch does not keep a process alive, and waiting here must.
      const keepAlive = setInterval(() => undefined, 60_000);
      const why = await Promise.race([asked, ended]);
      clearInterval(keepAlive);
      if (why === 'ended') {
        await opened.stop();
        out.line('The stack that was joined has ended; starting one here.');
        continue;
      }
      if (!opened.joined) out.line('Stopping: the worker finishes or hands back what it holds …');
      await opened.stop();
      return EXIT.done;
    }
  } finally {
    stopListening();
  }
}
