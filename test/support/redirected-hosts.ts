const SCRIPT = `
  import net from 'node:net';
  const places = PLACES;
  const { connect } = net.Socket.prototype;
  net.Socket.prototype.connect = function (...words) {
    const [options] = Array.isArray(words[0]) ? words[0] : words;
    const place = places[options.host + ':' + options.port];
    if (place === undefined) return connect.apply(this, words);
    const [host, port] = place.split(':');
    return connect.call(this, { ...options, host, port: Number(port) });
  };`;

/**
 * Settings of a program whose connections to some hosts lead elsewhere, as a file of hosts with ports would have it: its
 * sources are those of vendors by name, and answered by a simulator.
 *
 * @param targets by `host:port` another one
 */
export function redirectHosts(targets: Readonly<Record<string, string>>): { NODE_OPTIONS: string } {
  const script = SCRIPT.replace('PLACES', JSON.stringify(targets));
  return { NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(script)}` };
}
