import { Repository } from 'typeorm';
import { Injectable, InjectRepository } from './injection';
import { InstallationEntity } from './entities/installation.entity';

/** What the whole installation shares. */
@Injectable()
export class Installation {
  constructor(@InjectRepository(InstallationEntity) private readonly installations: Repository<InstallationEntity>) {}

  /** The secret under which this installation hashes API keys. */
  async keyPepper(): Promise<Buffer> {
    const installation = await this.installations.findOneBy({ id: true });
    if (installation === null) throw new Error('the database has no installation row: run the migrations');
    return installation.keyPepper;
  }
}
