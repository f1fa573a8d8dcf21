import type { Command } from 'commander';
import type { Session } from '../session';
import { addGatewayAdd } from './gateway-add';
import { addGatewayDisable, addGatewayEnable, addGatewayRemove, addGatewayRotateKey } from './gateway-life';
import { addGatewaySet } from './gateway-set';
import { addGatewayList, addGatewayShow } from './gateway-show';
import { addWord } from './word';

export function addGatewayWords(program: Command, session: Session): void {
  const gateway = addWord(program, 'gateway', 'Adds, shows and changes gateways.', 'gateway list');
  addGatewayAdd(gateway, session);
  addGatewayList(gateway, session);
  addGatewayShow(gateway, session);
  addGatewaySet(gateway, session);
  addGatewayEnable(gateway, session);
  addGatewayDisable(gateway, session);
  addGatewayRotateKey(gateway, session);
  addGatewayRemove(gateway, session);
}
