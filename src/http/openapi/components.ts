import { z } from 'zod';
import { auditBody } from '../../bodies/audit';
import { budgetBody } from '../../bodies/budget';
import { cancelBody } from '../../bodies/cancel';
import { capRequest } from '../../bodies/cap-request';
import {
  contextBody,
  contextInput,
  contextsBody,
  stageReportBody,
  stageReportInput,
  wholeContextBody,
} from '../../bodies/contexts';
import { decisionBody } from '../../bodies/decision';
import { episodePutBody } from '../../bodies/episode';
import { eventBody } from '../../bodies/event';
import { explainBody } from '../../bodies/explain';
import { lockBody, locksBody } from '../../bodies/locks';
import { planBody, planStepBody } from '../../bodies/plan';
import { problemBody } from '../../bodies/problem';
import { purchaseBody, purchasesBody } from '../../bodies/purchases';
import { healthBody, readinessBody } from '../../bodies/readiness';
import { releaseBody, releaseRequest } from '../../bodies/release';
import { rescanActBody, rescanBody, retriedBody } from '../../bodies/rescan';
import { restoreBody } from '../../bodies/restore';
import { runBody } from '../../bodies/run';
import { settingsBody } from '../../bodies/settings';
import { settleRequest } from '../../bodies/settle-request';
import { snapshotContentBody, snapshotDiffBody, snapshotsBody } from '../../bodies/snapshots';
import { startRequest, startStepRequest } from '../../bodies/start-request';
import { statusBody, stepStatusBody } from '../../bodies/status';
import { toggleBody, toggleRequest } from '../../bodies/toggle';
import { projectConfigSchema } from '../../pipeline/project-config';

/** Names under which the schemas stand in the document; generated types take them. */
const ANSWERS = {
  Audit: auditBody,
  Budget: budgetBody,
  Cancel: cancelBody,
  Context: contextBody,
  ContextWhole: wholeContextBody,
  Contexts: contextsBody,
  Decision: decisionBody,
  EpisodePut: episodePutBody,
  Event: eventBody,
  Explain: explainBody,
  Health: healthBody,
  Lock: lockBody,
  Locks: locksBody,
  Plan: planBody,
  PlanStep: planStepBody,
  Problem: problemBody,
  Purchase: purchaseBody,
  Purchases: purchasesBody,
  Readiness: readinessBody,
  Release: releaseBody,
  Rescan: rescanBody,
  RescanAct: rescanActBody,
  Restore: restoreBody,
  Retried: retriedBody,
  Run: runBody,
  Settings: settingsBody,
  Snapshot: snapshotContentBody,
  SnapshotDiff: snapshotDiffBody,
  Snapshots: snapshotsBody,
  StageReport: stageReportBody,
  Status: statusBody,
  StepStatus: stepStatusBody,
  Toggle: toggleBody,
};

const REQUESTS = {
  CapRequest: capRequest,
  ContextRequest: contextInput,
  ReleaseRequest: releaseRequest,
  SettingsRequest: projectConfigSchema,
  SettleRequest: settleRequest,
  StageReportRequest: stageReportInput,
  StartRequest: startRequest,
  StartStepRequest: startStepRequest,
  ToggleRequest: toggleRequest,
};

export type JsonSchema = Readonly<Record<string, unknown>>;

/** An answer's schema is what goes out; a request's is what comes in, before defaults and conversions. */
type Direction = 'input' | 'output';

/** JSON Schema (2020-12, as OpenAPI 3.1 has it) of everything that has a name. */
export function componentSchemas(): Record<string, JsonSchema> {
  return { ...named(ANSWERS, 'output'), ...named(REQUESTS, 'input') };
}

function named(schemas: Readonly<Record<string, z.ZodType>>, io: Direction): Record<string, JsonSchema> {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(schemas)) registry.add(schema, { id });
  const made = z.toJSONSchema(registry, {
    io,
    uri: (id) => `#/components/schemas/${id}`,
    unrepresentable: 'any',
  }).schemas;
  return Object.fromEntries(Object.entries(made).map(([id, schema]) => [id, bare(schema)]));
}

/** A reference where the schema has a name; else the schema itself. */
export function schemaOf(schema: z.ZodType, io: Direction): JsonSchema {
  const among = Object.entries(io === 'output' ? ANSWERS : REQUESTS);
  const name = among.find(([, candidate]) => candidate === schema)?.[0];
  return name === undefined
    ? bare(z.toJSONSchema(schema, { io, unrepresentable: 'any' }))
    : { $ref: `#/components/schemas/${name}` };
}

function bare(schema: object): JsonSchema {
  return Object.fromEntries(
    Object.entries(schema).filter(([key]) => !['$schema', '$id', 'id', '~standard'].includes(key)),
  );
}
