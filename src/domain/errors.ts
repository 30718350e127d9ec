/**
 * The closed list of error codes (spec 20 "Errors"): status for HTTP, whether Temporal retries it, and what the reader
 * should do next. docs/errors.md lists the same codes; a test holds the two together. Codes are never reused.
 */
interface ErrorEntry {
  readonly status: number;
  /** Whether Temporal gives the activity another attempt. */
  readonly retryable: boolean;
  readonly next: string;
}

// prettier-ignore
export const ERRORS = {
  // -- a step, its row and its lock
  'step.resume_blocked': { status: 409, retryable: false, next: 'Read the reason: force the step if its result may be replaced, or find out about the owner (callsheet locks) and release it.' },
  'step.already_running': { status: 409, retryable: false, next: 'Wait for it (callsheet status --watch --episode EPISODE), or cancel it (callsheet cancel STEP --episode EPISODE).' },
  'step.gate_blocked': { status: 409, retryable: false, next: 'Run the step it needs first: callsheet run --episode EPISODE, or --steps with both.' },
  'step.downstream_running': { status: 409, retryable: false, next: 'Wait for the step downstream, or cancel it, then force again.' },
  'step.not_running': { status: 409, retryable: false, next: 'Nothing to do: callsheet status shows the state of each step.' },
  'step.owner_alive': { status: 409, retryable: false, next: 'Cancel the step, or end the named process on the named host, then release again.' },
  'step.state_changed': { status: 409, retryable: false, next: 'Look again (callsheet locks) and decide with the row as it is now.' },
  'step.ownership_lost': { status: 409, retryable: true, next: 'Another owner has the step; the next attempt decides. Nothing was written by this one.' },
  'step.handed_back': { status: 409, retryable: true, next: 'Nothing to do: the step stopped at a safe point and goes on in the next attempt.' },
  'step.verify_crashed': { status: 500, retryable: false, next: 'A verifier has a bug: its stack is in the log. The row is as it was; report it.' },
  'step.contract_violation': { status: 400, retryable: false, next: 'A stored result has a shape this release cannot read: force the step that made it, or restore a snapshot.' },
  'step.owner_died_repeatedly': { status: 409, retryable: false, next: 'Three owners died in a row: read the log of the worker and the items named, then run again.' },
  'step.failed': { status: 400, retryable: false, next: 'Read the error message of the step (callsheet status), mend the cause, and run again: finished items are kept.' },
  'step.unknown': { status: 404, retryable: false, next: 'callsheet status lists the steps.' },
  'step.item_unknown': { status: 404, retryable: false, next: 'callsheet plan --json lists the items of each step.' },
  // -- a run
  'run.already_running': { status: 409, retryable: false, next: 'Attach to it (callsheet run --episode EPISODE, without other options), wait, or cancel it (callsheet cancel --episode EPISODE).' },
  'run.unknown': { status: 404, retryable: false, next: 'callsheet status --json shows the run id of the open run, as workflow.runId.' },
  'run.ended': { status: 409, retryable: false, next: 'The run has ended; start a new one.' },
  'plan.outdated': { status: 409, retryable: false, next: 'Make a new plan (callsheet plan), read what changed, and start with its token.' },
  // -- the editor step
  't2i_review.unknown_item_id': { status: 400, retryable: false, next: 'The model named prompts that do not exist; run again, or choose another model.' },
  't2i_review.owned_validation_missing': { status: 400, retryable: false, next: 'A prompt has no sentinel: force the step that made it.' },
  't2i_review.sentinel_refresh_failed': { status: 400, retryable: false, next: 'Nothing was saved. Read the inner code and position; force the step that made the prompt.' },
  't2i_review.card_hash_unexpected_change': { status: 400, retryable: false, next: 'Nothing was saved: an edit reached a render prompt card. Report it.' },
  't2i_review.victim_changed': { status: 400, retryable: false, next: 'A reviewed step changed meanwhile; run the review again.' },
  't2i_review.victim_verify_failed': { status: 400, retryable: false, next: 'Nothing was saved: the corrected checkpoint would not verify. Read origin and positions.' },
  // -- money
  'purchase.given_up': { status: 409, retryable: false, next: 'Ask for the item again: callsheet redo SHOT --episode EPISODE, or run --items STEP:ITEM --episode EPISODE.' },
  'purchase.in_doubt': { status: 409, retryable: false, next: 'callsheet purchases --in-doubt, then settle PURCHASE buy-again or give-up.' },
  'purchase.unknown': { status: 404, retryable: false, next: 'callsheet purchases lists them.' },
  'purchase.not_in_doubt': { status: 409, retryable: false, next: 'Only a purchase in doubt can be settled by hand.' },
  'purchase.store_failed': { status: 500, retryable: false, next: 'The answer could not be written to the artifact store: free disk space or check ARTIFACT_DIR, then run again.' },
  'budget.exhausted': { status: 409, retryable: false, next: 'Raise the cap (callsheet budget set USD [--run ID]) and run again.' },
  // -- providers
  'provider.refused': { status: 400, retryable: false, next: 'The provider refused the content: change the prompt or switch the shot off. Others go on.' },
  'provider.rejected': { status: 400, retryable: false, next: 'The provider takes no such request, and charged nothing: read its words, mend the settings (model, image.size), then run again. Others go on.' },
  'provider.account': { status: 400, retryable: false, next: 'The provider account cannot pay or is not authorised: mend the account or key, then run again.' },
  'provider.invalid_answer': { status: 400, retryable: false, next: 'The model kept answering in a wrong shape; its answers are kept. Run again, or choose another model.' },
  'provider.unavailable': { status: 503, retryable: false, next: 'The provider did not answer after several tries; run again later. What may have been charged stands as at risk in callsheet status.' },
  'provider.rate_limited': { status: 503, retryable: false, next: 'The provider asks to wait longer than a step may; run again at the time named.' },
  // -- infrastructure
  'db.lock_timeout': { status: 503, retryable: true, next: 'Another connection holds the row; it is tried again by itself.' },
  'db.unavailable': { status: 503, retryable: true, next: 'Check that PostgreSQL runs and that DATABASE_URL is right.' },
  'db.schema_outdated': { status: 503, retryable: false, next: 'Run callsheet migrate first.' },
  'temporal.unavailable': { status: 503, retryable: false, next: 'Check that the Temporal server runs and that TEMPORAL_ADDRESS is right.' },
  'temporal.no_server': { status: 503, retryable: false, next: 'Set TEMPORAL_ADDRESS or TEMPORAL_CLI_PATH, put temporal on PATH, or install Go so that it can be built.' },
  'stack.home_unusable': { status: 400, retryable: false, next: 'Choose another folder with CALLSHEET_HOME, or mend its permissions.' },
  'stack.port_in_use': { status: 409, retryable: false, next: 'End the program that has the port, or unset the setting so that a free one is chosen.' },
  'stack.start_failed': { status: 503, retryable: false, next: 'Read the named log; callsheet doctor checks the machine.' },
  'stack.not_running': { status: 409, retryable: false, next: 'Keep a stack running with callsheet up, or set DATABASE_URL and TEMPORAL_ADDRESS.' },
  // -- input
  'screenplay.not_found': { status: 400, retryable: false, next: 'Check the path.' },
  'screenplay.empty': { status: 400, retryable: false, next: 'Give a screenplay with at least one line of text.' },
  'screenplay.not_text': { status: 400, retryable: false, next: 'Save the screenplay as plain text in UTF-8 (.fountain or .txt).' },
  'screenplay.too_large': { status: 400, retryable: false, next: 'Split the screenplay into episodes of at most the size named.' },
  'input.invalid': { status: 400, retryable: false, next: 'Read which field is wrong; --help shows the form.' },
  'id.invalid': { status: 400, retryable: false, next: 'Ids are 1 to 64 letters, digits, _ or -, and begin with a letter or digit.' },
  'episode.unknown': { status: 404, retryable: false, next: 'Create it: callsheet run SCREENPLAY.' },
  'snapshot.unknown': { status: 404, retryable: false, next: 'callsheet snapshots STEP lists them.' },
  'config.invalid': { status: 400, retryable: false, next: 'Correct the named setting.' },
  'config.unknown_key': { status: 400, retryable: false, next: 'callsheet config lists the keys.' },
  'shot.unknown': { status: 404, retryable: false, next: 'GET …/steps/shot_selection/snapshots, or callsheet snapshots shot_selection, shows the shots of an episode.' },
  // -- HTTP
  'auth.required': { status: 401, retryable: false, next: 'Send the header "Authorization: Bearer TOKEN" with a token of this API.' },
  'auth.forbidden': { status: 403, retryable: false, next: 'Use a token whose role may do this, or call from the page of this API itself.' },
  'http.wrong_host': { status: 421, retryable: false, next: 'Without tokens this API answers only to localhost; configure tokens to reach it by another name.' },
  'http.not_found': { status: 404, retryable: false, next: 'GET /api/openapi.json lists the paths.' },
  'http.method_not_allowed': { status: 405, retryable: false, next: 'The header Allow names the methods of this path.' },
  'http.body_too_large': { status: 413, retryable: false, next: 'Send a smaller body.' },
  'http.unsupported_media_type': { status: 415, retryable: false, next: 'Send application/json; a screenplay as text/plain or application/octet-stream.' },
  'http.too_many_requests': { status: 429, retryable: false, next: 'Wait as many seconds as the header Retry-After says, then try again.' },
  'http.malformed': { status: 400, retryable: false, next: 'Send a well-formed HTTP request.' },
  'http.headers_too_large': { status: 431, retryable: false, next: 'Send shorter headers.' },
  'http.timeout': { status: 408, retryable: false, next: 'Send the whole request in time.' },
  'http.stopping': { status: 503, retryable: false, next: 'This process is ending; ask again in a moment.' },
  'request.id_in_use': { status: 409, retryable: false, next: 'Use another Idempotency-Key: this one belongs to a run of another episode.' },
  // -- contexts and their AI work
  'context.unknown': { status: 404, retryable: false, next: 'callsheet contexts lists them.' },
  'context.not_failed': { status: 409, retryable: false, next: 'Nothing to do: only a context with a FAILED stage is asked for again by hand; the rescan sees to the others.' },
  'artifact.missing': { status: 404, retryable: false, next: 'Run the episode again: the step that made the file redoes it.' },
  'internal.unexpected': { status: 500, retryable: false, next: 'A bug: the stack is in the log; report it.' },
} as const satisfies Record<string, ErrorEntry>;

export type ErrorCode = keyof typeof ERRORS;

export function isErrorCode(text: string): text is ErrorCode {
  return Object.hasOwn(ERRORS, text);
}

/** The one error class (spec 20 "Errors"). Context goes into the message. */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly statusCode: number;

  constructor(
    readonly code: ErrorCode,
    message: string,
    statusCode: number = ERRORS[code].status,
    options?: { cause?: unknown },
  ) {
    super(message, options);
    this.statusCode = statusCode;
  }

  /** What the reader should do next. */
  get next(): string {
    return ERRORS[this.code].next;
  }
}
