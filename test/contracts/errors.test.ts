import fs from 'node:fs';
import { AppError, ERRORS, isErrorCode, type ErrorCode } from '../../src/domain/errors';
// The generator is plain CommonJS, so that it runs without a build.
// eslint-disable-next-line @typescript-eslint/no-require-imports
const { errorsDocument, documentPath } = require('../../scripts/errors-document') as {
  errorsDocument(errors: typeof ERRORS): string;
  documentPath: string;
};

describe('the error registry', () => {
  const codes = Object.keys(ERRORS) as ErrorCode[];
  const document = fs.readFileSync(documentPath, 'utf8');

  it('and docs/errors.md list the same codes, statuses, retries and advice', () => {
    expect(document).toBe(errorsDocument(ERRORS));
  });

  it('and docs/errors.md name the same codes, even if the generator were wrong', () => {
    const documented = [...document.matchAll(/^\| `([a-z0-9_.]+)` \|/gm)].map((match) => match[1]);
    expect(documented.sort()).toEqual([...codes].sort());
  });

  it('has the codes of spec 20 with their statuses', () => {
    const status = (wanted: number) => codes.filter((code) => ERRORS[code].status === wanted);
    expect(status(409)).toEqual(
      expect.arrayContaining([
        'step.resume_blocked',
        'step.already_running',
        'step.gate_blocked',
        'step.downstream_running',
        'step.not_running',
        'step.owner_alive',
        'step.state_changed',
        'step.ownership_lost',
        'run.already_running',
        'plan.outdated',
      ]),
    );
    expect(status(500)).toContain('step.verify_crashed');
    expect(status(503)).toEqual(expect.arrayContaining(['db.lock_timeout', 'db.unavailable', 'temporal.unavailable']));
    expect(status(400)).toEqual(
      expect.arrayContaining(['step.contract_violation', ...codes.filter((code) => code.startsWith('t2i_review.'))]),
    );
  });

  it('lets Temporal retry exactly the codes that another attempt can mend', () => {
    expect(codes.filter((code) => ERRORS[code].retryable).sort()).toEqual([
      'db.lock_timeout',
      'db.unavailable',
      'step.handed_back',
      'step.ownership_lost',
    ]);
  });

  it.each(codes)('%s has a name of two parts, an HTTP status of an error, and advice that is a sentence', (code) => {
    expect(code).toMatch(/^[a-z0-9]+(_[a-z0-9]+)*\.[a-z]+(_[a-z]+)*$/);
    expect(ERRORS[code].status).toBeGreaterThanOrEqual(400);
    expect(ERRORS[code].status).toBeLessThan(600);
    expect(ERRORS[code].next).toMatch(/^\S.*[.]$/);
  });

  it('gives an error its status and advice by its code alone', () => {
    const error = new AppError('db.lock_timeout', 'the row is held');
    expect([error.statusCode, error.next]).toEqual([503, ERRORS['db.lock_timeout'].next]);
    expect(error).toBeInstanceOf(Error);
  });

  it('knows no code that JavaScript lends to every object', () => {
    expect(['constructor', 'toString', '__proto__', ''].filter(isErrorCode)).toEqual([]);
  });
});
