import { join } from 'node:path';
import { describeConnector } from '../../../../../test/support/connectors/describe-connector';
import { connector } from './connector';

describeConnector(connector, { fixturesDir: join(__dirname, '__fixtures__') });
