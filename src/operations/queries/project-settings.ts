import { withDatabaseErrors } from '../../db/errors';
import type { Db } from '../../db/pool';
import type { ProjectConfig } from '../../pipeline/project-config';
import { readProjectConfig } from '../../store/episodes';

/** A project's settings with defaults filled in. Reads only. Throws config.invalid for stored nonsense, db.unavailable. */
export function readProjectSettings(db: Db, projectId: string): Promise<ProjectConfig> {
  return withDatabaseErrors('Reading the settings failed', () => readProjectConfig(db, projectId));
}
