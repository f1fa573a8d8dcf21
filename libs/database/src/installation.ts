import { DataSource, type Repository } from 'typeorm';
import { InstallationEntity } from './entities/installation.entity';

export class Installation {
  private readonly installations: Repository<InstallationEntity>;

  constructor(source: DataSource) {
    this.installations = source.getRepository(InstallationEntity);
  }

  async keyPepper(): Promise<Buffer> {
    const installation = await this.installations.findOneBy({ id: true });
    if (installation === null) throw new Error('the database has no installation row: run the migrations');
    return installation.keyPepper;
  }
}
