import { Injectable, type PipeTransform } from '@nestjs/common';
import type { OpenGateway } from '../access/gateway-access';
import { Gateway } from '../access/gateway-request';
import { type ServedSnapshot, ServedSnapshots } from './served-snapshots';

/** Turns an opened gateway into the snapshot that it serves. */
@Injectable()
class ServedSnapshotPipe implements PipeTransform<OpenGateway, Promise<ServedSnapshot>> {
  constructor(private readonly snapshots: ServedSnapshots) {}

  async transform(open: OpenGateway): Promise<ServedSnapshot> {
    return this.snapshots.of(open);
  }
}

/** The snapshot that the request's gateway serves. */
export const Snapshot = (): ParameterDecorator => Gateway(ServedSnapshotPipe);
