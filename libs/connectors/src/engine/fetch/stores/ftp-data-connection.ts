import { TLSSocket, connect as startTls } from 'node:tls';
import { FTPError, type FTPContext, type FTPResponse, type TransferStrategy } from 'basic-ftp';
import { BadFeed } from '@passerelle/domain';
import { openSocketBeside } from '../address-guard';

/** Ports below it belong to other services. */
const LOWEST_PORT = 1024;

/**
 * Opens data connections only to the machine of the control connection, because a PASV answer may name a private
 * address or another machine.
 */
export function passiveConnections(signal: AbortSignal): TransferStrategy {
  let isExtendedKnown = true;
  return async (ftp) => {
    if (isExtendedKnown) {
      try {
        return await open(ftp, 'EPSV', signal);
      } catch (error) {
        if (!(error instanceof FTPError)) throw error;
        isExtendedKnown = false;
      }
    }
    return await open(ftp, 'PASV', signal);
  };
}

async function open(ftp: FTPContext, command: 'EPSV' | 'PASV', signal: AbortSignal): Promise<FTPResponse> {
  const answer = await ftp.request(command);
  const port = portOf(answer.message);
  if (port < LOWEST_PORT || port > 65_535)
    throw new BadFeed('the ftp server names a port that cannot be used for data');
  const socket = await openSocketBeside(ftp.socket, port, signal);
  ftp.dataSocket =
    ftp.socket instanceof TLSSocket
      ? // Many servers require that both connections belong to the same TLS session.
        startTls({ ...ftp.tlsOptions, socket, session: ftp.tlsSessionStore ?? ftp.socket.getSession() })
      : socket;
  return answer;
}

/** The port in `229 … (|||6446|)` or `227 … (192,168,1,100,10,229)`; NaN when the answer has no port. */
function portOf(message: string): number {
  const extended = /([!-/:-~])\1\1(\d{1,5})\1/.exec(message);
  if (extended !== null) return Number(extended[2]);
  const [, high, low] = /(?<![\d,])(?:\d{1,3},){4}(\d{1,3}),(\d{1,3})(?![\d,])/.exec(message) ?? [];
  return Number(high) * 256 + Number(low);
}
