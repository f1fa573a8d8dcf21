import { overwriteGivenBack } from '../../libs/domain/src/memory/given-back';

overwriteGivenBack();
