import { CopiedBytes } from '../../libs/database/src/copy/copied-bytes';

CopiedBytes.overwritesGivenBack = true;
