import { createHash } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { type Attributes, type AuthContext, type Connection, Server, type SFTPWrapper, utils } from 'ssh2';
import type { ServedFile } from './ftp-server';
import { aKeyPair } from './key-pair';

export interface SftpServerOptions {
  /** A public key that the server accepts, in addition to the password. */
  publicKey?: string;
  /** Whether the server requests the password only interactively. */
  isInteractive?: boolean;
  /** Handles a read; false leaves the read unanswered. Default: the server sends the bytes. */
  onRead?(connection: Connection, offset: number): boolean;
  /** The server returns at most this number of bytes per read. */
  mostBytes?: number;
}

const { STATUS_CODE } = utils.sftp;
const FILE_MODE = 0o100_644;
const DIRECTORY_MODE = 0o040_755;

/** An sftp server on this machine over files in memory. It accepts the login `agence` with the password `p@ss`. */
export class SftpServer {
  /** By absolute path. */
  readonly files = new Map<string, ServedFile>();
  /** Paths of opened files. */
  readonly opened: string[] = [];
  readonly fingerprint: string;
  private readonly server: Server;
  private readonly connections = new Set<Connection>();

  constructor(private readonly options: SftpServerOptions = {}) {
    const hostKey = aKeyPair().private;
    const parsed = utils.parseKey(hostKey);
    if (parsed instanceof Error) throw parsed;
    this.fingerprint = `SHA256:${createHash('sha256').update(parsed.getPublicSSH()).digest('base64')}`;
    this.server = new Server({ hostKeys: [hostKey] }, (connection) => {
      this.connections.add(connection);
      connection.on('error', () => undefined);
      connection.on('authentication', (context) => {
        if (this.mayEnter(context)) context.accept();
      });
      connection.on('session', (accept) => {
        accept().on('sftp', (acceptSftp) => {
          this.answer(acceptSftp(), connection);
        });
      });
    });
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  async listen(): Promise<this> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return this;
  }

  serve(path: string, content: string | Buffer, modified = new Date('2026-03-01T10:00:00Z')): void {
    this.files.set(path, { bytes: Buffer.from(content), modified });
  }

  async close(): Promise<void> {
    for (const connection of this.connections) connection.end();
    await new Promise((resolve) => this.server.close(resolve));
  }

  /** Whether to accept the login. After false, this method has answered the request or will answer it later. */
  private mayEnter(context: AuthContext): boolean {
    const { publicKey, isInteractive } = this.options;
    const methods =
      isInteractive === true ? ['keyboard-interactive' as const] : ['password' as const, 'publickey' as const];
    if (context.username === 'agence') {
      if (context.method === 'password' && isInteractive !== true && context.password === 'p@ss') return true;
      if (context.method === 'publickey' && publicKey !== undefined && isSignedBy(publicKey, context)) return true;
      if (context.method === 'keyboard-interactive' && isInteractive === true) {
        context.prompt([{ prompt: 'Password: ', echo: false }], (answers) => {
          if (answers[0] === 'p@ss') context.accept();
          else context.reject();
        });
        return false;
      }
    }
    context.reject(methods);
    return false;
  }

  private answer(sftp: SFTPWrapper, connection: Connection): void {
    const handles = new Map<number, { path: string; isListed: boolean }>();
    const open = (path: string): Buffer => {
      const handle = Buffer.alloc(4);
      handle.writeUInt32BE(handles.size);
      handles.set(handles.size, { path, isListed: false });
      return handle;
    };
    sftp.on('STAT', (id, path) => {
      const file = this.files.get(path);
      if (file !== undefined) sftp.attrs(id, attributesOf(file));
      else if (path === '/folder') sftp.attrs(id, { ...attributesOf(EMPTY), mode: DIRECTORY_MODE });
      else sftp.status(id, path === '/secret' ? STATUS_CODE.PERMISSION_DENIED : STATUS_CODE.NO_SUCH_FILE);
    });
    sftp.on('OPEN', (id, path) => {
      this.opened.push(path);
      sftp.handle(id, open(path));
    });
    sftp.on('READ', (id, handle, offset, length) => {
      if (this.options.onRead?.(connection, offset) === false) return;
      const { bytes } = this.files.get(handles.get(handle.readUInt32BE())?.path ?? '') ?? EMPTY;
      const piece = bytes.subarray(offset, offset + Math.min(length, this.options.mostBytes ?? length));
      if (piece.length === 0) sftp.status(id, STATUS_CODE.EOF);
      else sftp.data(id, piece);
    });
    sftp.on('WRITE', (id, handle, offset, bytes) => {
      const path = handles.get(handle.readUInt32BE())?.path ?? '';
      const before = this.files.get(path)?.bytes ?? Buffer.alloc(0);
      const whole = Buffer.alloc(Math.max(before.length, offset + bytes.length));
      before.copy(whole);
      bytes.copy(whole, offset);
      this.serve(path, whole);
      sftp.status(id, STATUS_CODE.OK);
    });
    sftp.on('FSTAT', (id, handle) => {
      sftp.attrs(id, attributesOf(this.files.get(handles.get(handle.readUInt32BE())?.path ?? '') ?? EMPTY));
    });
    sftp.on('REMOVE', (id, path) => {
      sftp.status(id, this.files.delete(path) ? STATUS_CODE.OK : STATUS_CODE.NO_SUCH_FILE);
    });
    sftp.on('RENAME', (id, from, to) => {
      const file = this.files.get(from);
      if (file === undefined || this.files.has(to)) {
        sftp.status(id, STATUS_CODE.FAILURE);
        return;
      }
      this.files.set(to, file);
      this.files.delete(from);
      sftp.status(id, STATUS_CODE.OK);
    });
    sftp.on('OPENDIR', (id, path) => {
      if (path === '/drop/') sftp.handle(id, open(path));
      else sftp.status(id, STATUS_CODE.NO_SUCH_FILE);
    });
    sftp.on('READDIR', (id, handle) => {
      const directory = handles.get(handle.readUInt32BE());
      if (directory === undefined || directory.isListed) {
        sftp.status(id, STATUS_CODE.EOF);
        return;
      }
      directory.isListed = true;
      const entries = [...this.files].filter(([path]) => path.startsWith(directory.path));
      sftp.name(
        id,
        entries.map(([path, file]) => {
          const filename = path.slice(directory.path.length);
          return { filename, longname: filename, attrs: attributesOf(file) };
        }),
      );
    });
    sftp.on('CLOSE', (id) => {
      sftp.status(id, STATUS_CODE.OK);
    });
  }
}

const EMPTY: ServedFile = { bytes: Buffer.alloc(0), modified: new Date(0) };

function attributesOf({ bytes, modified }: ServedFile): Attributes {
  const time = modified.getTime() / 1000;
  return { mode: FILE_MODE, uid: 0, gid: 0, size: bytes.length, atime: time, mtime: time };
}

function isSignedBy(publicKey: string, context: AuthContext & { method: 'publickey' }): boolean {
  const key = utils.parseKey(publicKey);
  if (key instanceof Error || !key.getPublicSSH().equals(context.key.data)) return false;
  // Without a signature, the client only asks whether the key would be accepted.
  if (context.signature === undefined || context.blob === undefined) return true;
  return key.verify(context.blob, context.signature, context.hashAlgo);
}
