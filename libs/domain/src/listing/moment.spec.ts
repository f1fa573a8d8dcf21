import { execFileSync } from 'node:child_process';
import { momentMs } from './moment';

/** Runs `momentMs` in a process of its own, because a process keeps the zone that it started with. */
function inZone(zone: string, date: string): string {
  const script = `const ms = (${momentMs.toString()})(${JSON.stringify(date)}); console.log(ms && new Date(ms).toISOString());`;
  return execFileSync(process.execPath, ['-e', script], { env: { TZ: zone }, encoding: 'utf8' }).trim();
}

describe('momentMs', () => {
  it.each([
    ['2024-03-01T10:00:00', '2024-03-01T10:00:00.000Z'],
    ['2024-03-01T10:00:00.123', '2024-03-01T10:00:00.123Z'],
    ['2024-03-01T10:00:00+02:00', '2024-03-01T08:00:00.000Z'],
    ['2024-03-01', '2024-03-01T00:00:00.000Z'],
    ['yesterday', 'undefined'],
  ])('reads %s as the same moment in every zone of the process', (date, moment) => {
    expect(['America/New_York', 'Asia/Tokyo'].map((zone) => inZone(zone, date))).toEqual([moment, moment]);
  });
});
