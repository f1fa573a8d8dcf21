import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { commandOnPath } from '../support/command-on-path';

const FOLDER = join(__dirname, '..', '..', 'ops', 'prometheus');
// Real: Prometheus' own tool, where it is found (apt-get install prometheus).
const withPromtool = commandOnPath('promtool') ? it : it.skip;

describe('the alerts', () => {
  withPromtool('are rules that Prometheus takes', () => {
    const said = execFileSync('promtool', ['check', 'rules', 'alerts.yml'], { cwd: FOLDER, encoding: 'utf8' });
    expect(said).toContain('SUCCESS');
  });

  withPromtool('fire for each outage within two minutes, and for nothing else', () => {
    const said = execFileSync('promtool', ['test', 'rules', 'alerts.test.yml'], { cwd: FOLDER, encoding: 'utf8' });
    expect(said).toContain('SUCCESS');
  });
});
