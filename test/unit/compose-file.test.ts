import fs from 'node:fs';
import path from 'node:path';
import { readConfig } from '../../src/config';

const file = fs.readFileSync(path.resolve(__dirname, '../../docker-compose.yml'), 'utf8');

/** One service's lines; those of a service are indented further than its name. */
function service(name: string): string {
  const found = new RegExp(`^ {2}${name}:\\n((?: {4}.*\\n|\\n)+)`, 'm').exec(file);
  if (!found) throw new Error(`The compose file has no service ${name}.`);
  return found[1]!;
}

describe('the API of the compose file', () => {
  const api = () => service('api');
  const { port } = readConfig({}).api;

  test('is callsheet api, reached from the host by loopback only, on its own port', () => {
    expect(api()).toContain("command: ['node', 'bin/callsheet.js', 'api']");
    expect(api()).toContain('CALLSHEET_API_HOST: 0.0.0.0');
    expect(api()).toContain(`- '127.0.0.1:${port}:${port}'`);
  });

  test('does not start without tokens, and waits for the schema', () => {
    expect(api()).toMatch(/CALLSHEET_API_TOKENS: \$\{CALLSHEET_API_TOKENS:\?./);
    expect(api()).toMatch(/depends_on:\n +migrate:\n +condition: service_completed_successfully/);
  });

  test('is healthy where it answers that it is ready, asked with what its image has', () => {
    expect(api()).toMatch(
      new RegExp(`'CMD',\\s+'node',\\s+'-e',\\s+"fetch\\('http://127\\.0\\.0\\.1:${port}/readyz'\\)`),
    );
  });

  test('keeps what all of callsheet is told: database, Temporal, and where its UI is', () => {
    expect(api()).toContain('<<: *settings');
    for (const name of ['DATABASE_URL', 'TEMPORAL_ADDRESS', 'TEMPORAL_UI_URL'])
      expect(file.split('\nservices:')[0]).toMatch(new RegExp(`^ {4}${name}: `, 'm'));
  });
});
