import { join } from 'node:path';
import { describeConnector } from '../../kit/testing/describe-connector';
import { connector } from './connector';

describeConnector(connector, { fixturesDir: join(__dirname, '__fixtures__') });
