import { Global, Module } from '@nestjs/common';
import { openBucket, PAGES_TIMES } from '@passerelle/bucket';
import { SecretBox } from '@passerelle/domain';
import type { ApiConfig } from '../config';
import { CONFIG, PAGES_BOX, PAGES_BUCKET } from '../tokens';
import { BucketGateways } from './bucket-gateways';
import { DatabaseOrBucket } from './database-or-bucket';
import { KeptReports } from './kept-reports';
import { ServedLists } from './served-lists';

/** Lists that outlive the database: every room that reads them asks here. */
@Global()
@Module({
  providers: [
    {
      provide: PAGES_BUCKET,
      inject: [CONFIG],
      useFactory: ({ pagesBucket }: Pick<ApiConfig, 'pagesBucket'>) =>
        pagesBucket === null ? null : openBucket(pagesBucket, 'pages', PAGES_TIMES),
    },
    {
      provide: PAGES_BOX,
      inject: [CONFIG],
      useFactory: ({ secretsKey, secretsKeyOld }: Pick<ApiConfig, 'secretsKey' | 'secretsKeyOld'>) =>
        secretsKey === null ? null : new SecretBox(secretsKey, secretsKeyOld),
    },
    DatabaseOrBucket,
    BucketGateways,
    ServedLists,
    KeptReports,
  ],
  exports: [DatabaseOrBucket, BucketGateways, ServedLists, KeptReports],
})
export class BucketModule {}
