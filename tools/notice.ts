import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { noticeOf } from './notice/notice';

/** Writes NOTICE: the third-party packages in the image and their licences. */
const root = join(__dirname, '..');
const lockfile: unknown = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
writeFileSync(join(root, 'NOTICE'), noticeOf(lockfile));
