import { withProject } from '../command-frame';
import { EXIT } from '../exit-codes';
import { plainLines } from '../plain-text';
import { noteLines } from '../table';
import type { Registration } from './command';

/** Commands that are a process of their own: they listen for signals themselves, and end with them. */
export function registerProcesses({ program, context, action }: Registration): void {
  const { terminal, dependencies } = context;
  program
    .command('up')
    .description('keep the embedded stack running until Ctrl-C')
    .option('--json', 'print the addresses of each stack as JSON; all else goes to standard error')
    .action(
      action(async () =>
        dependencies.up(dependencies.readConfig(), {
          line: (text) =>
            plainLines(text).forEach((line) => (terminal.json ? terminal.note(line) : terminal.line(line))),
          body: (stack) => terminal.body(stack),
        }),
      ),
    );

  program
    .command('worker')
    .description('run one worker here (needs DATABASE_URL and TEMPORAL_ADDRESS)')
    .action(action(async () => dependencies.runWorker(dependencies.readConfig())));

  program
    .command('api')
    .description(
      'serve the HTTP API here (needs DATABASE_URL; CALLSHEET_API_HOST, _PORT and _TOKENS_FILE say where and for whom)',
    )
    .action(action(async () => dependencies.runApi()));

  withProject(program.command('doctor').description('check this machine and the stack; changes nothing')).action(
    action(async () => {
      const report = await dependencies.doctor(dependencies.readConfig());
      terminal.body(report);
      const { green, yellow, red, dim } = terminal.colours;
      for (const check of report.checks) {
        const mark = check.ok === true ? green('✓') : check.ok === 'warning' ? yellow('!') : red('✗');
        const [first = '', ...others] = noteLines(terminal, `${check.name}: ${check.detail}`, '  ');
        terminal.line(`${mark} ${first.trimStart()}`);
        for (const line of others) terminal.line(line);
        if (check.ok !== true && check.next !== undefined)
          for (const line of noteLines(terminal, { text: `next: ${check.next}`, paint: dim }, '  '))
            terminal.line(line);
      }
      return report.checks.some((check) => check.ok === false) ? EXIT.failed : EXIT.done;
    }),
  );
}
