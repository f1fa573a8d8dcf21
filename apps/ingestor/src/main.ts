import { SLUG_PATTERN } from '@passerelle/domain'; console.log(SLUG_PATTERN);
