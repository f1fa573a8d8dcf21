import { Injectable } from '@nestjs/common';

/** Counts the requests that were refused for their key, or for a gateway that there is not. */
@Injectable()
export class RefusedKeys {
  /** Since the process started. */
  count = 0;
}
