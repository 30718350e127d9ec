import type { AuditBody } from '../../bodies/audit';
import { auditOf } from '../../operations/queries/audit';
import { atDesk, withProject } from '../command-frame';
import { EXIT } from '../exit-codes';
import { lockLines, seenByLines } from '../render/lock-list';
import type { Registration } from './command';

/** What to do with each kind, and in which order they are looked at: what nobody can judge comes first (spec 20). */
const KINDS: readonly { readonly list: keyof AuditBody; readonly title: string; readonly todo: string }[] = [
  {
    list: 'withoutStart',
    title: 'Without a start',
    todo: 'find out first, then release with force and reason, one by one',
  },
  {
    list: 'unparsable',
    title: 'With times that cannot be read',
    todo: 'find out first, then release with force and reason, one by one',
  },
  { list: 'stale', title: 'Stale: the owner is dead', todo: 'release' },
  { list: 'healthy', title: 'Healthy', todo: 'leave' },
];

/** `callsheet audit`: running rows of all projects by verdict, before a deployment and after; it changes nothing. */
export function registerAudit({ program, context, action }: Registration): void {
  withProject(program.command('audit').description('all running rows by verdict, and what to do with them'))
    .option('--episode <id>', 'only this episode of the project')
    .action(
      action(async (options: { project: string; episode?: string }) =>
        atDesk(context, 'database', async ({ operations }) => {
          const locks = await operations.locks(
            options.episode === undefined ? {} : { projectId: options.project, episodeId: options.episode },
          );
          const audit = auditOf(locks);
          const { terminal } = context;
          terminal.body(audit);
          if (locks.locks.length === 0) terminal.line('Nothing is running.');
          for (const { list, title, todo } of KINDS) {
            if (audit[list].length === 0) continue;
            terminal.line(`${terminal.colours.bold(`${title} (${audit[list].length})`)}: ${todo}`);
            for (const line of lockLines(terminal, audit[list], { withPlace: true })) terminal.line(line);
            terminal.line();
          }
          for (const line of seenByLines(terminal, locks)) terminal.line(line);
          return EXIT.done;
        }),
      ),
    );
}
