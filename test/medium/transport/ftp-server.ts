import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createSecureContext, TLSSocket } from 'node:tls';
import { LOCALHOST } from './certificates';

export interface ServedFile {
  bytes: Buffer;
  modified: Date;
}

export interface FtpServerOptions {
  security?: 'none' | 'explicit' | 'implicit';
  /** Commands that the server rejects as unknown. */
  unknown?: readonly string[];
  /** The address in the server's answers to PASV. */
  passiveAddress?: string;
  /** Whether the server refuses to rename a file onto one that exists. */
  refusesReplacing?: boolean;
  /** How many bytes of an upload the server keeps; default: all. */
  mostReceived?: number;
  /** After how many bytes of an upload all connections end; undefined for never. Asked once for each upload. */
  cutAfter?: () => number | undefined;
  /** Called after a file was renamed. @returns whether the connection ends instead of an answer */
  onRenamed?: (bytes: Buffer) => boolean;
  /** Sends the bytes of a file; default: sends all bytes. */
  send?: (data: Socket, bytes: Buffer) => void;
}

/**
 * An FTP server on this machine over files in memory, with real connections, passive mode and TLS. Its options define
 * faults. It accepts the login `agence` with the password `p@ss`.
 */
export class FtpServer {
  readonly files = new Map<string, ServedFile>();
  /** The commands of all connections, without secret arguments. */
  readonly asked: string[] = [];
  private readonly secure = createSecureContext(LOCALHOST);
  private readonly server: Server;
  private readonly open = new Set<Socket>();

  constructor(readonly options: FtpServerOptions = {}) {
    this.server = createServer((socket) => {
      this.track(socket);
      new FtpConnection(this, socket);
    });
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  async listen(): Promise<this> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return this;
  }

  serve(name: string, content: string | Buffer, modified = new Date('2026-03-01T10:00:00Z')): void {
    this.files.set(name, { bytes: Buffer.from(content), modified });
  }

  async close(): Promise<void> {
    for (const socket of this.open) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }

  secured(socket: Socket): TLSSocket {
    const secured = new TLSSocket(socket, { isServer: true, secureContext: this.secure });
    secured.on('error', () => undefined);
    return secured;
  }

  /** Opens a port for one data connection. */
  async awaitData(): Promise<{ port: number; connection: Promise<Socket> }> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const connection = new Promise<Socket>((resolve) => {
      server.once('connection', (socket) => {
        this.track(socket);
        server.close();
        resolve(socket);
      });
    });
    return { port: (server.address() as AddressInfo).port, connection };
  }

  private track(socket: Socket): void {
    this.open.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => this.open.delete(socket));
  }
}

class FtpConnection {
  private control: Socket;
  private data: Promise<Socket> | undefined;
  private renamed = '';
  private user = '';
  private isLoggedIn = false;

  constructor(
    private readonly server: FtpServer,
    socket: Socket,
  ) {
    this.control = server.options.security === 'implicit' ? server.secured(socket) : socket;
    this.listen();
    this.reply('220 ready');
  }

  private listen(): void {
    this.control.on('data', (chunk: Buffer) => {
      for (const line of chunk.toString().split('\r\n')) {
        if (line !== '') void this.handle(line);
      }
    });
  }

  private reply(...lines: string[]): void {
    this.control.write(`${lines.join('\r\n')}\r\n`);
  }

  private async handle(line: string): Promise<void> {
    const cut = line.indexOf(' ');
    const [command, argument] = cut < 0 ? [line, ''] : [line.slice(0, cut), line.slice(cut + 1)];
    this.server.asked.push(command === 'PASS' ? 'PASS' : line);
    if (this.server.options.unknown?.includes(command) === true) {
      this.reply('502 not implemented');
    } else if (!this.answerAnyone(command, argument)) {
      if (this.isLoggedIn) await this.answerMember(command, argument);
      else this.reply('530 log in first');
    }
  }

  private answerAnyone(command: string, argument: string): boolean {
    switch (command) {
      case 'AUTH':
        if (this.server.options.security !== 'explicit') this.reply('504 no TLS here');
        else {
          this.reply('234 go ahead');
          this.control.removeAllListeners('data');
          this.control = this.server.secured(this.control);
          this.listen();
        }
        return true;
      case 'USER':
        this.user = argument;
        this.reply('331 password?');
        return true;
      case 'PASS':
        this.isLoggedIn = this.user === 'agence' && argument === 'p@ss';
        this.reply(this.isLoggedIn ? '230 welcome' : '530 no');
        return true;
      case 'OPTS':
        this.reply('200 fine');
        return true;
      default:
        return false;
    }
  }

  private async answerMember(command: string, argument: string): Promise<void> {
    const file = this.server.files.get(argument);
    switch (command) {
      case 'FEAT':
        this.reply(...(this.knows('MLSD') ? ['211-Features', ' MLST size*;modify*;', '211 End'] : ['211 none']));
        break;
      case 'SIZE':
        this.reply(file === undefined ? '550 no' : `213 ${file.bytes.length}`);
        break;
      case 'MDTM':
        this.reply(file === undefined ? '550 no' : `213 ${stamp(file.modified)}`);
        break;
      case 'EPSV':
      case 'PASV':
        await this.awaitData(command);
        break;
      case 'MLSD':
      case 'LIST':
        await this.sendOver((data) => {
          data.end(this.listing(command, argument.replace(/^-a ?/, '')));
        });
        break;
      case 'RETR':
        if (file === undefined) this.reply('550 no');
        else {
          const { send } = this.server.options;
          await this.sendOver((data) => {
            if (send === undefined) data.end(file.bytes);
            else send(data, file.bytes);
          });
        }
        break;
      case 'STOR':
        await this.receiveOver(argument);
        break;
      case 'RNFR':
        this.renamed = argument;
        this.reply(file === undefined ? '550 no' : '350 to what?');
        break;
      case 'RNTO': {
        const moved = this.server.files.get(this.renamed);
        if (moved === undefined || (file !== undefined && this.server.options.refusesReplacing === true))
          this.reply('553 no');
        else {
          this.server.files.set(argument, moved);
          this.server.files.delete(this.renamed);
          if (this.server.options.onRenamed?.(moved.bytes) === true) this.control.destroy();
          else this.reply('250 renamed');
        }
        break;
      }
      case 'DELE':
        this.server.files.delete(argument);
        this.reply('250 deleted');
        break;
      default:
        this.reply('200 fine');
    }
  }

  /** A client that ends the connection early leaves the bytes that have arrived. */
  private async receiveOver(name: string): Promise<void> {
    const raw = await this.data;
    this.data = undefined;
    if (raw === undefined) {
      this.reply('425 no data connection');
      return;
    }
    this.reply('150 send it');
    const data = this.control instanceof TLSSocket ? this.server.secured(raw) : raw;
    const chunks: Buffer[] = [];
    const cutAfter = this.server.options.cutAfter?.();
    data.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      if (cutAfter === undefined) return;
      data.destroy();
      this.control.destroy();
    });
    data.on('close', () => {
      const bytes = Buffer.concat(chunks);
      this.server.serve(name, bytes.subarray(0, cutAfter ?? this.server.options.mostReceived ?? bytes.length));
      this.reply('226 thank you');
    });
  }

  private knows(command: string): boolean {
    return this.server.options.unknown?.includes(command) !== true;
  }

  private async awaitData(command: 'EPSV' | 'PASV'): Promise<void> {
    const { port, connection } = await this.server.awaitData();
    this.data = connection;
    const address = (this.server.options.passiveAddress ?? '127.0.0.1').replaceAll('.', ',');
    this.reply(
      command === 'EPSV'
        ? `229 extended (|||${port}|)`
        : `227 passive (${address},${Math.floor(port / 256)},${port % 256})`,
    );
  }

  private async sendOver(send: (data: Socket) => void): Promise<void> {
    const raw = await this.data;
    this.data = undefined;
    if (raw === undefined) {
      this.reply('425 no data connection');
      return;
    }
    this.reply('150 here it comes');
    const data = this.control instanceof TLSSocket ? this.server.secured(raw) : raw;
    data.on('finish', () => {
      this.reply('226 that was it');
    });
    send(data);
  }

  private listing(command: 'MLSD' | 'LIST', directory: string): string {
    const lines = [...this.server.files].flatMap(([path, { bytes, modified }]) => {
      if (path.slice(0, path.lastIndexOf('/') + 1) !== directory) return [];
      const name = path.slice(directory.length);
      return command === 'MLSD'
        ? [`type=file;size=${bytes.length};modify=${stamp(modified)}; ${name}`]
        : [`-rw-r--r-- 1 crm crm ${bytes.length} ${unixDate(modified)} ${name}`];
    });
    const folder =
      command === 'MLSD' ? 'type=dir;modify=20990101000000; old.csv' : 'drwxr-xr-x 2 crm crm 0 Jan 01 2099 old.csv';
    return [folder, ...lines, ''].join('\r\n');
  }
}

function stamp(date: Date): string {
  return date.toISOString().replace(/[-:T]/g, '').slice(0, 14);
}

function unixDate(date: Date): string {
  return `${date.toLocaleString('en', { month: 'short', timeZone: 'UTC' })} ${String(date.getUTCDate()).padStart(2)} ${date.getUTCFullYear()}`;
}
