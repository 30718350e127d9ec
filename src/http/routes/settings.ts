import { settingsBody } from '../../bodies/settings';
import { readProjectSettings } from '../../operations/queries/project-settings';
import { replaceSettings } from '../../operations/replace-settings';
import { projectConfigSchema } from '../../pipeline/project-config';
import type { Door } from '../door';
import { newProjectPath, projectPath } from './parameters';
import { ok, route, type Route } from './route';

const SETTINGS = '/api/v1/projects/{project}/config';
const shown = { 200: { description: 'The settings, with defaults filled in.', schema: settingsBody } };

/** A project's settings (spec 20 "Contract"). */
export function settingsRoutes({ operations }: Door): Route[] {
  const { db } = operations;
  return [
    route({
      method: 'GET',
      path: SETTINGS,
      operationId: 'getConfig',
      tag: 'Settings',
      summary: 'The settings of a project.',
      need: 'viewer',
      params: projectPath,
      answers: shown,
      errors: ['config.invalid'],
      handle: async ({ params }) =>
        ok({ projectId: params.project, settings: await readProjectSettings(db, params.project) }),
    }),
    route({
      method: 'PUT',
      path: SETTINGS,
      operationId: 'putConfig',
      tag: 'Settings',
      summary: 'Replaces them all: what is not named gets its default. Marks nothing stale.',
      need: 'operator',
      params: newProjectPath,
      body: projectConfigSchema,
      answers: shown,
      errors: ['config.invalid', 'db.lock_timeout'],
      handle: async ({ params, body, by }) =>
        ok(await replaceSettings(db, { projectId: params.project, settings: body, by })),
    }),
  ];
}
