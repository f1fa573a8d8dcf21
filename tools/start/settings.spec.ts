import { ConfigError } from '@passerelle/settings';
import { localUrl, readSettings } from './settings';

describe('the settings of npm start', () => {
  it('have defaults', () => {
    expect(readSettings({})).toEqual({
      host: '127.0.0.1',
      port: 3000,
      opsPort: 3001,
      simulatorPort: 3002,
      demoPort: 3003,
      consolePort: 3004,
      consoleUrl: null,
      baseUrl: 'http://localhost:3000',
      mediaBaseUrl: 'http://localhost:3000',
      dataDir: `${process.cwd()}/.data`,
      inboxDir: `${process.cwd()}/.data/inbox`,
      databaseUrl: null,
      parts: 8,
      redisUrl: null,
      secretsKey: null,
      consoleSecret: null,
      opsToken: null,
      allowPrivateSources: [],
    });
  });

  it.each(['PORT', 'OPS_PORT', 'SIMULATOR_PORT', 'DEMO_PORT', 'CONSOLE_PORT'])('refuse %s=0', (name) => {
    expect(() => readSettings({ [name]: '0' })).toThrow(
      new ConfigError(`${name} must not be 0 under npm start, because its programs must know the ports of each other`),
    );
  });

  it.each([
    ['127.0.0.1', 'http://127.0.0.1:3000'],
    ['0.0.0.0', 'http://127.0.0.1:3000'],
    ['::1', 'http://[::1]:3000'],
  ])('contain the local address for host %s', (host, url) => {
    expect(localUrl({ ...readSettings({}), host }, 3000)).toBe(url);
  });
});
