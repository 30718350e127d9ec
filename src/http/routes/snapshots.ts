import { z } from 'zod';
import { restoreBody } from '../../bodies/restore';
import { snapshotContentBody, snapshotDiffBody, snapshotsBody } from '../../bodies/snapshots';
import { diffSnapshots } from '../../operations/queries/snapshot-diff';
import { listSnapshots, showSnapshot } from '../../operations/queries/snapshots';
import type { Door } from '../door';
import { EPISODE, newStepPath, stepPath, wholeNumberText } from './parameters';
import { ok, route, type Route } from './route';

const version = wholeNumberText(999_999_999);
const SNAPSHOTS = `${EPISODE}/steps/{step}/snapshots`;

/** Versions of a step's checkpoint (spec 20 "Snapshots"). */
export function snapshotRoutes({ operations }: Door): Route[] {
  return [
    route({
      method: 'GET',
      path: SNAPSHOTS,
      operationId: 'listSnapshots',
      tag: 'Snapshots',
      summary: 'All versions, newest first.',
      need: 'viewer',
      params: stepPath,
      answers: { 200: { description: 'Versions; none where the step has saved none.', schema: snapshotsBody } },
      errors: [],
      handle: async ({ params }) =>
        ok(await listSnapshots(operations.db, { projectId: params.project, episodeId: params.episode }, params.step)),
    }),
    route({
      method: 'GET',
      path: `${SNAPSHOTS}/{n}`,
      operationId: 'getSnapshot',
      tag: 'Snapshots',
      summary: 'One version with what it holds.',
      need: 'viewer',
      params: stepPath.extend({ n: version }),
      answers: { 200: { description: 'The version.', schema: snapshotContentBody } },
      errors: ['snapshot.unknown'],
      handle: async ({ params }) =>
        ok(
          await showSnapshot(
            operations.db,
            { projectId: params.project, episodeId: params.episode },
            params.step,
            params.n,
          ),
        ),
    }),
    route({
      method: 'GET',
      path: `${SNAPSHOTS}/{n}/diff/{m}`,
      operationId: 'diffSnapshots',
      tag: 'Snapshots',
      summary: 'What changed from version n to version m.',
      need: 'viewer',
      params: stepPath.extend({ n: version, m: version }),
      answers: { 200: { description: 'The places where they differ, as JSON pointers.', schema: snapshotDiffBody } },
      errors: ['snapshot.unknown'],
      handle: async ({ params }) =>
        ok(
          await diffSnapshots(
            operations.db,
            { projectId: params.project, episodeId: params.episode },
            params.step,
            params.n,
            params.m,
          ),
        ),
    }),
    route({
      method: 'POST',
      path: `${SNAPSHOTS}/{n}/restore`,
      operationId: 'restoreSnapshot',
      tag: 'Snapshots',
      summary: 'Makes version n count again, as a new version; what reads a changed prompt becomes stale.',
      need: 'operator',
      params: newStepPath.extend({ n: version }),
      body: z.strictObject({}).optional(),
      answers: { 200: { description: 'What it did, and what the next run would make of it.', schema: restoreBody } },
      errors: [
        'episode.unknown',
        'step.unknown',
        'snapshot.unknown',
        'step.already_running',
        'step.downstream_running',
        'step.contract_violation',
        'step.resume_blocked',
        'db.lock_timeout',
      ],
      handle: async ({ params, by }) =>
        ok(
          await operations.restoreSnapshot({
            projectId: params.project,
            episodeId: params.episode,
            stepId: params.step,
            version: params.n,
            by,
          }),
        ),
    }),
  ];
}
