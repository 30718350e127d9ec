import { spawn } from 'node:child_process';

/** Entry: runs a command, with everything that it starts, only as long as standard input is open; exits as it does. */
const [command = '', ...args] = process.argv.slice(2);
const child = spawn(command, args, { detached: true, stdio: ['ignore', 'inherit', 'inherit'] });

process.stdin.resume();
process.stdin.once('close', () => {
  // The whole group: the command's own children, too.
  if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL');
  process.exit(1);
});
child.once('error', (error) => {
  process.stderr.write(`${error.message}\n`);
  process.exit(127);
});
child.once('exit', (code) => process.exit(code ?? 1));
