import { posix } from 'node:path'
import ts from 'typescript'

/**
 * Inside each room its parts, files and folders, import one another in one direction. Where two parts import each other,
 * the fewer of these imports lead upwards. How many they are in all rooms; `tests/architecture.ts` names the order.
 */
export function importsUpwards(rooms: readonly string[], texts: ReadonlyMap<string, string>): number {
  const counts = new Map<string, number>()
  for (const [from, text] of texts) {
    const room = from.split('/')[0] ?? ''
    if (!rooms.includes(room) || !/(?<!\.test|\.d)\.ts$/.test(from) || from.includes('/fixtures/')) continue
    for (const { fileName } of ts.preProcessFile(text, true, true).importedFiles) {
      if (!fileName.startsWith('.')) continue
      const to = posix.join(posix.dirname(from), fileName)
      const [one, other] = [partOf(from), partOf(to)]
      if (one === other || !to.startsWith(`${room}/`)) continue
      counts.set(`${one} ${other}`, (counts.get(`${one} ${other}`) ?? 0) + 1)
    }
  }
  let upwards = 0
  for (const [pair, count] of counts) {
    const [one = '', other = ''] = pair.split(' ')
    if (one < other) upwards += Math.min(count, counts.get(`${other} ${one}`) ?? 0)
  }
  return upwards
}

/** A folder or a file at the top of its room: `reference/http`, `reference/server`. */
function partOf(path: string): string {
  return path
    .split('/')
    .slice(0, 2)
    .join('/')
    .replace(/\.[jt]s$/, '')
}
