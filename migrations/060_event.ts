import { sql, type Kysely } from 'kysely';

/**
 * What has changed, for those who watch (spec 50 `GET /events`). Filled by triggers on step_run and run, so that writes of other
 * programs show too; a mere heartbeat is no event. Readers follow (xid, id) and go only up to the oldest open transaction
 * (pg_snapshot_xmin): ids alone are given before the commit, and a late commit would be missed.
 *
 * Messages are shortened to 2,000 characters, so that an event is small whatever stands in the row: the state has them whole.
 * The functions run as their owner, with the search path of now: a program that may write step_run, and nothing else of ours,
 * is not stopped by them.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE event (
      id                   bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      xid                  xid8 NOT NULL DEFAULT pg_current_xact_id(),
      at                   text NOT NULL DEFAULT callsheet_now(),
      kind                 text NOT NULL CHECK (kind IN ('step', 'run')),
      project_id           text,
      episode_id           text,
      step_id              text,
      status               text NOT NULL,
      run_id               text,
      workflow_id          text,
      workflow_run_id      text,
      owner_host           text,
      owner_pid            integer,
      started_at           text,
      completed_at         text,
      cancel_requested_at  text,
      applicable_count     integer,
      completed_count      integer,
      failed_count         integer,
      recovery_count       integer,
      last_recovery_reason text,
      error_message        text
    )`.execute(db);
  await sql`CREATE INDEX event_in_order ON event (xid, id)`.execute(db);
  await sql`CREATE INDEX event_of_episode ON event (project_id, episode_id, xid, id)`.execute(db);

  await sql`
    CREATE FUNCTION callsheet_step_event() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
    BEGIN
      INSERT INTO event (kind, project_id, episode_id, step_id, status, run_id, workflow_id, workflow_run_id, owner_host, owner_pid,
                         started_at, completed_at, cancel_requested_at, applicable_count, completed_count, failed_count,
                         recovery_count, last_recovery_reason, error_message)
      VALUES ('step', NEW.project_id, NEW.episode_id, NEW.step_id, NEW.status, NEW.run_id, NEW.workflow_id, NEW.workflow_run_id,
              NEW.owner_host, NEW.owner_pid, NEW.started_at, NEW.completed_at, NEW.cancel_requested_at, NEW.applicable_count,
              NEW.completed_count, NEW.failed_count, NEW.recovery_count, left(NEW.last_recovery_reason, 2000), left(NEW.error_message, 2000));
      PERFORM pg_notify('callsheet_event', '');
      RETURN NULL;
    END $$`.execute(db);
  await sql`
    CREATE TRIGGER callsheet_step_inserted AFTER INSERT ON step_run
    FOR EACH ROW EXECUTE FUNCTION callsheet_step_event()`.execute(db);
  await sql`
    CREATE TRIGGER callsheet_step_changed AFTER UPDATE ON step_run
    FOR EACH ROW WHEN (
      (OLD.status, OLD.run_id, OLD.workflow_run_id, OLD.owner_boot_id, OLD.started_at, OLD.completed_at, OLD.cancel_requested_at,
       OLD.applicable_count, OLD.completed_count, OLD.failed_count, OLD.recovery_count, OLD.last_recovery_reason, OLD.error_message)
      IS DISTINCT FROM
      (NEW.status, NEW.run_id, NEW.workflow_run_id, NEW.owner_boot_id, NEW.started_at, NEW.completed_at, NEW.cancel_requested_at,
       NEW.applicable_count, NEW.completed_count, NEW.failed_count, NEW.recovery_count, NEW.last_recovery_reason, NEW.error_message))
    EXECUTE FUNCTION callsheet_step_event()`.execute(db);

  await sql`
    CREATE FUNCTION callsheet_run_event() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
    BEGIN
      INSERT INTO event (kind, project_id, episode_id, status, workflow_id, workflow_run_id, started_at, completed_at)
      VALUES ('run', NEW.project_id, NEW.episode_id, NEW.state, NEW.workflow_id, NEW.workflow_run_id, NEW.opened_at, NEW.ended_at);
      PERFORM pg_notify('callsheet_event', '');
      RETURN NULL;
    END $$`.execute(db);
  await sql`
    CREATE TRIGGER callsheet_run_opened AFTER INSERT ON run
    FOR EACH ROW EXECUTE FUNCTION callsheet_run_event()`.execute(db);
  await sql`
    CREATE TRIGGER callsheet_run_changed AFTER UPDATE ON run
    FOR EACH ROW WHEN ((OLD.state, OLD.ended_at) IS DISTINCT FROM (NEW.state, NEW.ended_at))
    EXECUTE FUNCTION callsheet_run_event()`.execute(db);
}
