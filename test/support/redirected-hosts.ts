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
 * Environment that redirects a program's connections to some hosts, like a hosts file with ports. The program can use
 * vendors' host names while a simulator answers.
 * @param targets the new `host:port` by the original `host:port`
 */
export function redirectHosts(targets: Readonly<Record<string, string>>): { NODE_OPTIONS: string } {
  const script = SCRIPT.replace('PLACES', JSON.stringify(targets));
  return { NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(script)}` };
}
