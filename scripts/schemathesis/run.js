'use strict';
/**
 * Fuzzes the HTTP API: schemathesis reads the OpenAPI document of a real stack on loopback and sends what the document allows and
 * what it forbids. It finds no 500, no answer that its schema does not allow, no undocumented status, no path without its guard.
 * Bounded in count and time; exits with 0 where nothing was found. Run it after `npm run build`: node scripts/schemathesis/run.js
 */
const { spawn, spawnSync } = require('node:child_process');
const { createHash, randomBytes } = require('node:crypto');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { setTimeout: delay } = require('node:timers/promises');

const root = path.resolve(__dirname, '../..');
const requirements = path.join(__dirname, 'requirements.txt');
const START_LIMIT_MS = 25 * 60_000;
const RUN_LIMIT_MS = 8 * 60_000;

/** A virtual environment of Python in the user's cache, made once for these requirements. */
function schemathesis(cacheDir) {
  const key = createHash('sha256').update(fs.readFileSync(requirements)).digest('hex').slice(0, 12);
  const folder = path.join(cacheDir, `schemathesis-${key}`);
  const program = path.join(folder, 'bin', 'schemathesis');
  const whole = path.join(folder, 'whole');
  if (fs.existsSync(whole)) return program;
  fs.rmSync(folder, { recursive: true, force: true });
  must('python3', ['-m', 'venv', folder]);
  must(path.join(folder, 'bin', 'pip'), ['install', '--quiet', '--disable-pip-version-check', '-r', requirements]);
  fs.writeFileSync(whole, '');
  return program;
}

function must(program, args) {
  const { status, error } = spawnSync(program, args, { stdio: 'inherit' });
  if (error || status !== 0)
    throw new Error(`${program} ${args.join(' ')}: ${error ? error.message : `exit code ${status}`}`);
}

/** A stack of its own, with a token, that ends with this process. */
async function startStack(home, token) {
  const env = {
    ...process.env,
    CALLSHEET_HOME: home,
    CALLSHEET_API_TOKENS: `fuzz:operator:${token}`,
    CALLSHEET_API_REQUESTS_PER_MINUTE: '1000000',
  };
  for (const name of [
    'DATABASE_URL',
    'TEMPORAL_ADDRESS',
    'ARTIFACT_DIR',
    'CALLSHEET_API_TOKENS_FILE',
    'CALLSHEET_API_HOST',
    'CALLSHEET_API_PORT',
  ])
    delete env[name];
  const child = spawn(process.execPath, [path.join(root, 'bin/callsheet.js'), 'up'], {
    cwd: root,
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const exited = new Promise((resolve) => child.once('exit', resolve));
  for (const end = Date.now() + START_LIMIT_MS; ; await delay(200)) {
    if (child.exitCode !== null || Date.now() > end) throw new Error('The stack did not start.');
    const file = path.join(home, 'stack.json');
    if (fs.existsSync(file))
      return { url: JSON.parse(fs.readFileSync(file, 'utf8')).apiUrl, stop: () => (child.kill('SIGTERM'), exited) };
  }
}

/** An episode that exists and has run, so that the second pass reaches what lies behind a 404. */
async function makeEpisode(url, token) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'text/plain' };
  const episode = `${url}/api/v1/projects/fuzz/episodes/there`;
  const call = async (method, address, body) => {
    const answer = await fetch(address, {
      method,
      headers: body === undefined ? { authorization: headers.authorization } : headers,
      body,
    });
    if (!answer.ok) throw new Error(`${method} ${address}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  };
  await call('PUT', episode, fs.readFileSync(path.join(root, 'examples/night-bus-ko.fountain')));
  await call('POST', `${episode}/steps/run-all`);
  for (const end = Date.now() + 120_000; (await call('GET', episode)).state !== 'done'; await delay(300))
    if (Date.now() > end) throw new Error('The episode was not done in time.');
}

/** What a request may be refused with for its form; a list that is too long may make the address too long. */
const REFUSED = `[checks.negative_data_rejection]\nexpected-statuses = [400, 401, 403, 404, 405, 413, 415, 431]\n`;

function fuzz(program, folder, url, token, name, parameters) {
  const config = path.join(folder, `${name}.toml`);
  const given = Object.entries(parameters).map(([key, value]) => `"path.${key}" = ${JSON.stringify(value)}\n`);
  fs.writeFileSync(config, `${given.length > 0 ? `[parameters]\n${given.join('')}` : ''}${REFUSED}`);
  // A 400 may also say what no schema can: a screenplay of blanks, steps together with from. And a value that is given is sent in
  // place of one that was made wrong.
  const unchecked = ['positive_data_acceptance', ...(given.length > 0 ? ['negative_data_rejection'] : [])];
  const args = [
    ...['--config-file', config],
    ...['run', `${url}/api/openapi.json`, '--header', `Authorization: Bearer ${token}`],
    // Its answer has no end; test/doors/http-events.test.ts reads it.
    ...['--exclude-operation-id', 'getEvents'],
    ...['--exclude-checks', unchecked.join(',')],
    ...['--phases', 'examples,coverage,fuzzing', '--max-examples', '25', '--seed', '20260101'],
    ...['--request-timeout', '60', '--workers', '1', '--warnings', 'off', '--no-color'],
  ];
  console.log(`-- ${name}`);
  const { status, error } = spawnSync(program, args, { cwd: folder, stdio: 'inherit', timeout: RUN_LIMIT_MS });
  if (error) console.error(`${name}: ${error.message}`);
  return !error && status === 0;
}

async function main() {
  const cacheDir =
    process.env.CALLSHEET_CACHE ??
    path.join(process.env.XDG_CACHE_HOME ?? path.join(os.homedir(), '.cache'), 'callsheet');
  const program = schemathesis(cacheDir);
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'callsheet-fuzz-'));
  fs.chmodSync(folder, 0o755); // the user of PostgreSQL must be able to enter
  const token = randomBytes(24).toString('hex');
  let stack;
  try {
    stack = await startStack(path.join(folder, 'home'), token);
    await makeEpisode(stack.url, token);
    const strangers = fuzz(program, folder, stack.url, token, 'strangers', {});
    const known = fuzz(program, folder, stack.url, token, 'an episode that is there', {
      project: 'fuzz',
      episode: 'there',
      step: 'scene_detail',
      n: '1',
      m: '1',
    });
    return strangers && known ? 0 : 1;
  } finally {
    await stack?.stop();
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

main().then(
  (code) => process.exit(code),
  (error) => {
    console.error(error);
    process.exit(1);
  },
);
