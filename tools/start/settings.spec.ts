import { ConfigError } from '@passerelle/domain';
import { localUrl, readSettings } from './settings';

describe('the settings of npm start', () => {
  it('have defaults', () => {
    expect(readSettings({})).toEqual({
      host: '127.0.0.1',
      port: 3000,
      opsPort: 3001,
      simulatorPort: 3002,
      baseUrl: 'http://localhost:3000',
      dataDir: `${process.cwd()}/.data`,
      inboxDir: `${process.cwd()}/.data/inbox`,
      databaseUrl: null,
      redisUrl: null,
      secretsKey: null,
      opsToken: null,
      allowPrivateSources: [],
    });
  });

  it.each([
    ['PORT', '0', 'PORT must be an integer from 1 to 65535, not "0"'],
    ['OPS_PORT', 'x', 'OPS_PORT must be an integer from 1 to 65535, not "x"'],
    ['SIMULATOR_PORT', '70000', 'SIMULATOR_PORT must be an integer from 1 to 65535, not "70000"'],
    ['DATABASE_URL', 'mysql://h/d', 'DATABASE_URL must be an address that starts with postgres:// or postgresql://'],
    ['REDIS_URL', 'localhost', 'REDIS_URL must be an address that starts with redis:// or rediss://'],
  ])('refuse %s=%s', (name, value, message) => {
    expect(() => readSettings({ [name]: value })).toThrow(new ConfigError(message));
  });

  it.each([
    ['127.0.0.1', 'http://127.0.0.1:3000'],
    ['0.0.0.0', 'http://127.0.0.1:3000'],
    ['::1', 'http://[::1]:3000'],
  ])('know where %s is reached from here', (host, url) => {
    expect(localUrl({ ...readSettings({}), host }, 3000)).toBe(url);
  });
});
