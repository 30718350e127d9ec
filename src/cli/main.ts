import { CommanderError } from 'commander';
import { realDependencies } from './real-dependencies';
import type { Dependencies } from './dependencies';
import { EXIT } from './exit-codes';
import { createProgram } from './program';
import { UsageError, reportError } from './report-error';
import { createTerminal, type Streams } from './terminal';

/**
 * The command line (spec 50). Takes the arguments without node and script, answers the exit code, and never ends the process:
 * the caller does, with that code, so that a second Ctrl-C ends at once. The terminal is in order when it returns.
 */
export async function main(
  argv: readonly string[],
  streams: Streams = process,
  dependencies: Dependencies = realDependencies,
): Promise<number> {
  const terminal = createTerminal(streams, argv.includes('--json'));
  const ignoring = ignoreClosedPipes(streams);
  try {
    const [first] = argv;
    if (first === undefined) {
      await createProgram({ terminal, dependencies }).run(['--help']).catch(onlyHelp);
      return EXIT.usage;
    }
    return await createProgram({ terminal, dependencies }).run(argv);
  } catch (error) {
    if (error instanceof CommanderError)
      return error.exitCode === 0 ? EXIT.done : reportError(terminal, usageOf(error));
    return reportError(terminal, error);
  } finally {
    ignoring.stop();
  }
}

function onlyHelp(error: unknown): number {
  if (error instanceof CommanderError && error.exitCode === 0) return EXIT.done;
  throw error;
}

function usageOf(error: CommanderError): UsageError {
  const message = error.message.replace(/^error: /, '').replace(/\n/g, ' ');
  return error.code === 'commander.unknownCommand'
    ? new UsageError(message, 'callsheet --help lists the commands.')
    : new UsageError(message);
}

/** `callsheet status | head` closes the pipe: the reader has what it wants, and that is no failure. */
function ignoreClosedPipes({ stdout, stderr }: Streams): { stop(): void } {
  const ignore = (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  };
  stdout.on('error', ignore);
  stderr.on('error', ignore);
  return {
    stop: () => {
      stdout.off('error', ignore);
      stderr.off('error', ignore);
    },
  };
}
