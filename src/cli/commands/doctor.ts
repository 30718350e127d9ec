import type { Config } from '../../config';
import { packageCheck } from '../../embedded/package-check';
import {
  checkDisk,
  checkMemory,
  checkPorts,
  checkPostgresPrograms,
  checkPostgresUser,
  checkWritable,
} from '../../embedded/machine-checks';
import {
  checkDatabase,
  checkGo,
  checkStack,
  checkTemporalProgram,
  checkTemporalServer,
} from '../../embedded/server-checks';
import type { DoctorReport } from '../dependencies';

/** Looks at this machine and at what runs on it, and changes nothing (spec 50 "Command line"). Failures are findings, not errors. */
export async function doctor(config: Config): Promise<DoctorReport> {
  return {
    checks: [
      { name: 'Node.js', ok: true, detail: `${process.version} (${process.execPath})` },
      packageCheck(),
      checkWritable('home', config.home, 'CALLSHEET_HOME'),
      checkWritable('cache', config.cacheDir, 'CALLSHEET_CACHE'),
      checkDisk(config.home),
      checkMemory(),
      checkPostgresUser(config.home),
      checkPostgresPrograms(),
      await checkTemporalProgram(config),
      await checkGo(),
      await checkPorts(),
      checkStack(config),
      await checkDatabase(config),
      await checkTemporalServer(config),
    ],
  };
}
